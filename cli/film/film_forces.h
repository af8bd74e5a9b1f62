/* Arrows for the contact forces of a film. */
#ifndef CLI_FILM_FILM_FORCES_H
#define CLI_FILM_FILM_FORCES_H

#include "cli/film/frame_renderer.h"

/* Choose the length of a newton from what the run's contacts bear. Exit status. */
int cli_film_scale_forces(cli_film *film);
int cli_film_draw_forces(cli_film *film, int64_t frame);

#endif
