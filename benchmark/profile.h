/* Performance profiles (Dolan and More 2002; for contact solvers Acary, Bremond and Huber 2018): the share of problems that a
 * solver solves within tau times the time of the quickest solver on each. */
#ifndef BENCH_PROFILE_H
#define BENCH_PROFILE_H

#include "standings.h"

/* One picture for a target, as an SVG file. False after a message on standard error. */
bool profile_draw(const standings *all, int target, const char *path);

#endif
