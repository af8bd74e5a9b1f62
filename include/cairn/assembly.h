/* Putting a mechanism together: bodies that are given loosely, or by coordinates of their joints, are placed so that the joints
 * meet; velocities likewise. Guide: docs/joints.md.
 *
 * A simulation assembles its model when it is created with CAIRN_INITIAL_ASSEMBLE, or when some coordinate of a joint has an
 * `initial` value or an `initial_rate` (cairn_coordinate_options); cairn_simulation_assembly then tells what was done.
 * cairn_assembly_create does the same without a simulation, and also returns the closest assembly of a mechanism that cannot be
 * put together.
 *
 *     cairn_assembly *assembly;
 *     cairn_status status = cairn_assembly_create(context, model, &settings, &assembly);
 *     if (assembly && status == CAIRN_INVALID)
 *         ... cairn_assembly_result(assembly).error, cairn_assembly_body(assembly, body).state ...
 *     cairn_assembly_destroy(assembly);
 */
#ifndef CAIRN_ASSEMBLY_H
#define CAIRN_ASSEMBLY_H

#include "cairn/simulation.h"

CAIRN_BEGIN_DECLS

/* A mechanism as it was put together. */
typedef struct cairn_assembly cairn_assembly;

/* What an assembly did, and what it left. */
typedef struct cairn_assembly_report
{
    /* All joints meet, and limits and initial values of coordinates hold, within the settings' projection_tolerance (m; angles
     * count times the size of the body). */
    bool assembled;
    /* Their rates do too. Those of a mechanism that cannot be assembled are left as given. */
    bool consistent;
    int iterations;
    /* How often the mechanism changed its branch on the way from the poses as given (an elbow turned over), and how often it left a
     * singular position by chance (links given in one line). -1: not examined, for redundant or more than 200 equations. */
    int branch_changes;
    /* m or rad: the largest violation of an equation, a limit or an initial value, of the bodies as given and as assembled. */
    double error_before, error;
    /* m/s or rad/s: that of their rates, once assembled. */
    double rate_error;
    /* The joint with the largest error left (in the closest assembly), then the bodies that moved and turned most; the null
     * handle when there is none. */
    cairn_joint worst;
    cairn_body most_moved, most_turned;
    /* m, rad: by how much these did. */
    double moved, turned;
    /* J: 1/2 dv'M dv of the change dv of the velocities, which is the least that makes them consistent. */
    double change;
} cairn_assembly_report;

/* What an assembly did to a body. */
typedef struct cairn_assembly_move
{
    /* The pose and velocity in which it begins. */
    cairn_body_state state;
    /* m: the way of its origin; rad: its turn, from the pose as given. */
    double moved, turned;
    /* m/s, rad/s: change of its velocity and angular velocity. */
    double velocity_change, spin_change;
} cairn_assembly_move;

/* The violations of one joint, m or rad: the largest of its equations, limits and initial values. */
typedef struct cairn_assembly_error
{
    double before, after;
} cairn_assembly_error;

/* Put the mechanism of a model together, whether or not the settings ask for it. CAIRN_INVALID for wrong settings and bodies
 * without mass; and where the mechanism cannot be assembled, with messages that name the joints with the largest errors: then
 * *out holds the closest assembly found, that with the least sum of squared errors (angles times the sizes of the bodies)
 * nearby. CAIRN_NO_MEMORY. Otherwise *out is NULL on failure. It belongs to the caller. */
CAIRN_API cairn_status cairn_assembly_create(cairn_context *context, const cairn_model *model,
                                             const cairn_settings *settings, cairn_assembly **out);

/* NULL is allowed. */
CAIRN_API void cairn_assembly_destroy(cairn_assembly *assembly);

/* How a simulation was assembled when it was created; NULL when it was not, and in clones. It lives as long as the simulation. */
CAIRN_API const cairn_assembly *cairn_simulation_assembly(const cairn_simulation *simulation);

/* The results; zeros for NULL. */
CAIRN_API cairn_assembly_report cairn_assembly_result(const cairn_assembly *assembly);

/* By body and joint of the model; zeros for null, stale and foreign handles, and for what was added to the model since. */
CAIRN_API cairn_assembly_move cairn_assembly_body(const cairn_assembly *assembly, cairn_body body);
CAIRN_API cairn_assembly_error cairn_assembly_joint(const cairn_assembly *assembly, cairn_joint joint);

/* Degrees of freedom of a mechanism in one configuration. */
typedef struct cairn_freedoms
{
    /* Of all dynamic bodies and systems, without joints. */
    int bodies;
    /* Rigid equations of joints, prescribed motions among them; limits and contacts do not count. */
    int equations;
    /* Those that follow from the others. */
    int redundant;
    /* bodies - (equations - redundant) */
    int degrees;
} cairn_freedoms;

/* Count the degrees of freedom in the present configuration: in a singular one there are more than elsewhere. redundant: NULL, or
 * room for one number per joint in the order of cairn_model_joint, which becomes that of its redundant equations; which of
 * several equations that depend on each other are called redundant is a matter of choice. CAIRN_NO_MEMORY; CAIRN_INVALID when the
 * simulation cannot follow its model. */
CAIRN_API cairn_status cairn_simulation_freedoms(cairn_simulation *simulation, cairn_freedoms *out, int *redundant);

/* Coordinate `index` of a joint, in the order of cairn_model_coordinate_name. */
typedef struct cairn_coordinate
{
    cairn_joint joint;
    int index;
} cairn_coordinate;

/* The inertia along `count` coordinates in the present configuration, for controllers: out (count x count) is the H of H q'' = forces
 * along them, with all other freedoms of the mechanism free, and rotors included. With all coordinates of a mechanism on the ground it
 * is the mass matrix. Drives, springs, limits and contacts do not count. CAIRN_INVALID for what is no coordinate, and for coordinates
 * that depend on each other; CAIRN_NO_MEMORY. */
CAIRN_API cairn_status cairn_simulation_inertia(cairn_simulation *simulation, const cairn_coordinate *coordinates,
                                                int count, double *out);

CAIRN_END_DECLS

#endif
