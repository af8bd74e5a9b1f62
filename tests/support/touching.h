/* A block of spheres that touch each other, on a floor: some three contacts per sphere from the start. */
#ifndef CAIRN_TESTS_SUPPORT_TOUCHING_H
#define CAIRN_TESTS_SUPPORT_TOUCHING_H

#include "cairn/cairn.h"

/* side x side x layers of them. */
cairn_status touching_build(cairn_model *model, int side, int layers);
/* The same as two populations, one above the other. */
cairn_status touching_build_two(cairn_model *model, int side, int layers);
/* A box that is fixed far below them, so that the scene is one of shapes. */
cairn_status touching_add_box(cairn_model *model);
/* How ranks take their steps. */
cairn_settings touching_settings(void);

#endif
