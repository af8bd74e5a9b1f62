/* The processes that share a simulation. */
#ifndef CLI_RANKS_SHARE_H
#define CLI_RANKS_SHARE_H

#include "cairn/ranks.h"

/* They live until the program ends; NULL: this process is alone. */
cairn_ranks *cli_ranks_share(void);
/* Let them share the simulations of a context, before a scene is loaded, whose populations may be left to them; and choose the device for that. Nothing where
 * this process is alone. The exit status, after a sentence. */
int cli_ranks_join(cairn_context *context);
int cli_ranks_choose_device(cairn_settings *settings);

#endif
