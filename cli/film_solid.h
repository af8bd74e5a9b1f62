/* The bodies of a spatial scene, shaded. */
#ifndef CLI_FILM_SOLID_H
#define CLI_FILM_SOLID_H

#include "film.h"

/* Surfaces and buffers of a film. False when memory ran out. */
bool crn_solid_scene_make(crn_film *film);
void crn_solid_scene_draw(crn_film *film);

#endif
