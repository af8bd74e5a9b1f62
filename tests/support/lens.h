/* A shape that the library does not have: a lens, the common part of two equal balls. It is known by its support function alone
 * and shows what a new convex shape takes. A program that defines `crn_shape_classes` with it replaces the library's table. */
#ifndef TEST_SUPPORT_LENS_H
#define TEST_SUPPORT_LENS_H

#include "model/shape/shape_class.h"

#define LENS_KIND ((cairn_shape_kind)(CAIRN_HOLLOW_CONE + 1))

extern const crn_shape_class lens_class;

/* The two balls of a lens of rim radius a and thickness 2 t: radius, and how far their centres are below and above the middle. */
double lens_ball(double a, double t, double *below);

#endif
