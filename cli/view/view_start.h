/* The start page, of `cairn view` without a file: the built-in scenes, to choose one that is then simulated live. */
#ifndef CLI_VIEW_VIEW_START_H
#define CLI_VIEW_VIEW_START_H

#include "cli/view/view_live.h"

/* {"simulated", "scenes"}: whether one was chosen, and the names and titles of all built-in scenes. */
void cli_view_start_list(bool simulated, FILE *stream);

/* A built-in scene as {"header", "start"}: the header of a live simulation, and x y z, w x y z of each body at its start. False: there is
 * no such scene, or it cannot be loaded. */
bool cli_view_start_scene(const char *name, const cli_run_options *options, FILE *stream);

/* Simulate this built-in scene instead of *live, which may be NULL; "" simulates none. False, and *live stays, when it cannot be. */
bool cli_view_start_choose(cli_view_live **live, const char *name, const cli_run_options *options);

#endif
