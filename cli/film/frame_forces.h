/* Arrows for the contact forces of a renderer. */
#ifndef CLI_FILM_FRAME_FORCES_H
#define CLI_FILM_FRAME_FORCES_H

#include "cli/film/frame_renderer.h"

/* Choose the length of a newton from what the run's contacts bear. Exit status. */
int cli_frame_scale_forces(cli_frame_renderer *renderer);
int cli_frame_draw_forces(cli_frame_renderer *renderer, int64_t frame);

#endif
