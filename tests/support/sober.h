/* Whether a run keeps sober: nothing gains energy but what forces put in, and nothing penetrates by 1e-4 of its size. */
#ifndef TEST_SUPPORT_SOBER_H
#define TEST_SUPPORT_SOBER_H

#include "support/worlds.h"

typedef struct sober
{
    double total;  /* J, energy at the end of the last step */
    double start;  /* J, energy at the start and what was put in since */
    double gained; /* J: the most that contacts and the scheme have given in a step, beyond what pushed overlaps out */
    double penetration; /* m, the largest */
    double scale;       /* J: largest kinetic energy and work */
} sober;

sober sober_start(const world *w);
/* After a step into which outer forces have put `input`, told by the velocity at its end (Anitescu & Potra 2002, Theorem
 * 2.4). */
void sober_watch(const world *w, double input, sober *out);
void sober_check(const char *name, const sober *seen, double size);

#endif
