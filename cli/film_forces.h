/* Arrows for the contact forces of a film. */
#ifndef CLI_FILM_FORCES_H
#define CLI_FILM_FORCES_H

#include "film.h"

/* Choose the length of a newton from what the run's contacts bear. Exit status. */
int crn_film_scale_forces(crn_film *film);
int crn_film_draw_forces(crn_film *film, int64_t frame);

#endif
