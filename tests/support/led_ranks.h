/* Ranks as threads of one process, of which rank 0 leads and the others serve. */
#ifndef CAIRN_TESTS_SUPPORT_LED_RANKS_H
#define CAIRN_TESTS_SUPPORT_LED_RANKS_H

#include "cairn/cairn.h"
#include "cairn/ranks.h"

typedef struct led_ranks
{
    void (*lead)(cairn_context *context, cairn_ranks *ranks,
                 void *data); /* of rank 0: it joins; the others are dismissed after it */
    cairn_status (*serve)(cairn_context *context, cairn_ranks *ranks); /* of the others; NULL: cairn_ranks_serve */
    void (*prepare)(cairn_ranks *ranks, void *data);                   /* of each rank, before all else; may be NULL */
    void *data;
} led_ranks;

/* Returns how many of the other ranks failed, which print why, and one more if a message was left that nobody asked for. The process ends by a
 * signal if it takes longer than `seconds`. */
int led_ranks_run(const led_ranks *led, int ranks, int seconds);

#endif
