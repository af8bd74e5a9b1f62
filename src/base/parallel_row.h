/* Parts in a row, of which neighbours never work at the same time: they take turns.
 *
 * In phase 0 the even parts work (or the odd ones, if `odd_first`), in phase 1 the others, and so on. Phase p of a part comes after phase
 * p - 1 of its neighbours, and waits for nobody else: threads do not meet between phases. So slabs of a pile take turns with what lies between
 * them. What a part does in a phase may depend on itself and its neighbours alone; then results depend neither on the number of threads nor on
 * their speed. */
#ifndef CRN_BASE_PARALLEL_ROW_H
#define CRN_BASE_PARALLEL_ROW_H

#include <stdbool.h>

enum
{
    CRN_ROW_PARTS = 31 /* the most */
};

typedef struct crn_row
{
    int parts, phases;
    bool odd_first;
    void (*work)(void *data, int part, int phase);
    void *data;
} crn_row;

/* Do all phases by so many threads, this one among them, where there are any. Neighbouring parts stay with one thread where it keeps up. */
void crn_share_row(int threads, const crn_row *row);

#endif
