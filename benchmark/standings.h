/* The results of the contest on many problems, and what is read from them. */
#ifndef BENCH_STANDINGS_H
#define BENCH_STANDINGS_H

#include "contest.h"

#include <stdio.h>

typedef struct standing
{
    char name[96];
    char family[32];
    int contacts, dim, joint_rows;
    contest_result result[CONTEST_TARGETS][CONTEST_MOST];
} standing;

typedef struct standings
{
    int count, room;
    standing *of;
    double limit;    /* s of processor time a call */
    double patience; /* a call may take this many times the quickest so far on its problem */
} standings;

/* The quickest of solvers first .. end - 1 that met the target; -1: none did. */
int standing_best(const standing *s, int target, int first, int end);
/* The peer's best time over that of `auto`: 0 when that failed, infinite when only the peer did, NAN when both did.
 * charged: the time to form W counts for the peer too. */
double standing_ratio(const standing *s, int target, bool charged);

void standings_print(FILE *out, const standings *all);
void standings_write_json(FILE *out, const standings *all);

#endif
