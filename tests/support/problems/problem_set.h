/* The problem set: one-step problems of exact friction from steps of many worlds, at several moments of each: landing,
 * sliding, rest. The same problems on every call of one build; the numbers move a little when a solver changes, because the
 * states are reached by it. Files in FCLIB's layout, which others read too. */
#ifndef TESTS_SUPPORT_PROBLEM_SET_H
#define TESTS_SUPPORT_PROBLEM_SET_H

#include <cairn/cairn.h>
#include <stddef.h>

/* Handed each problem with its name, FAMILY-SIZE-FRICTION-EXTRA-STEP; false ends the walk. */
typedef bool problem_set_fn(void *data, const char *name, const cairn_problem *problem);

int problem_set_world_count(void);

/* FAMILY-SIZE-FRICTION-EXTRA of a world. */
void problem_set_name(int world, char *name, size_t size);

/* Run one world and hand its problems over. The status and the context's message tell what went wrong. */
cairn_status problem_set_run(cairn_context *context, int world, problem_set_fn *visit, void *data);

/* A part of the set that is small and quick to make: some worlds of each family's two smallest sizes. */
bool problem_set_is_sample(int world);

/* The problems as files DIRECTORY/NAME.hdf5, all or the sample's. The number of files, or -1 with a message in the context. */
int problem_set_write(cairn_context *context, const char *directory, bool sample);

#endif
