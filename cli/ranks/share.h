/* The processes that share a run. */
#ifndef CLI_RANKS_SHARE_H
#define CLI_RANKS_SHARE_H

#include "cairn/ranks.h"

/* They live until the program ends; NULL: this process is alone. */
cairn_ranks *cli_ranks_share(void);

#endif
