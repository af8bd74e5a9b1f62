/* Heaps of spheres from a thousand contacts to a hundred thousand, as problem files. */
#ifndef BENCH_HEAPS_H
#define BENCH_HEAPS_H

#include <cairn/cairn.h>

/* The problem of a heap of about that many contacts, loaded from the directory, made and kept there when it is not. NULL
 * after a message on standard error. Released by cairn_problem_destroy. */
cairn_problem *heaps_get(cairn_context *context, const char *directory, int contacts);

#endif
