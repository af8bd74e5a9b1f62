/* Ranks as threads of one process, for tests of what several processes do together. */
#ifndef CAIRN_TESTS_SUPPORT_THREAD_RANKS_H
#define CAIRN_TESTS_SUPPORT_THREAD_RANKS_H

#include "cairn/ranks.h"

/* Call `work` in as many threads, each with ranks of its own. The process ends by a signal if they take longer than `seconds`.
 * Returns whether every message was asked for. */
bool thread_ranks_run(int count, int seconds, void (*work)(cairn_ranks *ranks, void *data), void *data);

#endif
