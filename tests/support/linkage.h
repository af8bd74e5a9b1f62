/* Mechanisms for tests: a link is a body with an inertia, held by joints with points and axes in the frames of both bodies. */
#ifndef TEST_SUPPORT_LINKAGE_H
#define TEST_SUPPORT_LINKAGE_H

#include "support/worlds.h"

/* A body of mass 1 kg times `heavy` in this pose (angle in the plane, quaternion in space) and motion. */
cairn_body add_link(world *w, const char *name, double heavy, const cairn_body_state *state, bool hold);
/* A revolute joint by points; axis and axis_b are ignored in the plane, and NULL for the z axis. */
cairn_joint add_hinge(world *w, const char *name, cairn_body a, const double in_a[3], cairn_body b,
                      const double in_b[3], const double *axis, const double *axis_b);
/* Move b's point of a double hinge to where its axis passes that of a, this far apart. a's point and both axes are set. */
void pass_beside(const cairn_model *model, cairn_joint_options *o, double apart);
/* Give a coordinate a value and a rate to begin with; NAN: none. */
void begin_at(world *w, cairn_joint joint, const char *coordinate, double value, double rate);
/* Create the simulation, which must succeed, with an initial state as the word says; with the default integrator, or this one. */
void start_with(world *w, cairn_initial initial);
void start_under(world *w, cairn_initial initial, cairn_integrator integrator);
/* It must fail, with a message that contains the text. */
void expect_refused(world *w, cairn_initial initial, const char *part);

/* A four-bar linkage in the plane: ground from (0, 0) to (d, 0), crank a, coupler b, rocker c. */
typedef struct four_bar
{
    double a, b, c, d;
} four_bar;

/* The closed form at crank angle phi, elbow up (1) or down (-1): poses of crank, coupler and rocker, each body's origin in the middle of
 * its link and its x axis along it, the rocker's from the ground; and their velocities for a crank rate. */
void four_bar_pose(const four_bar *bar, double phi, int elbow, double rate, cairn_body_state state[3]);
/* Bodies 0 to 2 with these states and joints A (ground, crank), B, C, D (ground, rocker); heavier from body to body. */
void four_bar_build(world *w, const four_bar *bar, const cairn_body_state state[3], bool hold_crank);

#endif
