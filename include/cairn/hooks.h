/* Hooks: decide which shapes may touch, change the surface of single contacts, and learn which shapes began or ceased to touch.
 *
 * All hooks are functions of the caller's with one `data` pointer. They must be pure: the same answer for the same arguments
 * and the same simulation, since a step asks them several times, at the state and at trial poses, in no promised order and for
 * the same pair more than once. Results are then the same bits for any number of threads. A hook may read the simulation it is
 * given (bodies, time, user data of the model), which stands at the start of the step, or of a part of it; it must not change
 * the simulation or the model.
 *
 * Hooks are not saved with a state. A clone has the hooks of the original.
 */
#ifndef CAIRN_HOOKS_H
#define CAIRN_HOOKS_H

#include "cairn/simulation.h"

CAIRN_BEGIN_DECLS

/* Two shapes and their bodies, in the order in which contacts of the two have them: normals point from b to a. */
typedef struct cairn_shape_pair
{
    cairn_body body_a, body_b;
    cairn_shape shape_a, shape_b;
} cairn_shape_pair;

/* Whether two shapes that are close may touch. Asked after the model's own rules (groups, ignored pairs, joints) have let them,
 * and before any contact of the two is computed. THREADS: with several threads it is called by all of them at the same time. */
typedef bool (*cairn_contact_filter)(void *data, const cairn_simulation *simulation, const cairn_shape_pair *pair);

/* A contact that is about to become part of a one-step problem. */
typedef struct cairn_contact_candidate
{
    cairn_shape_pair pair;
    uint64_t identity; /* stable over steps */
    double point[3];   /* m, world */
    double normal[3];  /* world, from b to a */
    double gap;        /* m */
} cairn_contact_candidate;

/* What a hook may change of a contact. */
typedef struct cairn_surface
{
    double friction;    /* Coulomb's mu, >= 0 */
    double restitution; /* Newton's e, 0..1 */
} cairn_surface;

/* Change the surface of a contact (it holds that of the two materials), or return false to drop the contact. Values out of range
 * make the call that asked fail with CAIRN_INVALID and a message that names the bodies. Under the convex laws a contact must
 * not get more friction than the roughest pair of materials of the model, which the search for contacts relies on.
 * THREADS: called by the thread that steps, one contact after the other, by ascending identity. */
typedef bool (*cairn_pre_solve)(void *data, const cairn_simulation *simulation,
                                const cairn_contact_candidate *candidate, cairn_surface *surface);

typedef struct cairn_hooks
{
    size_t struct_size;          /* set by cairn_hooks_default; do not change */
    void *data;                  /* handed to both functions */
    cairn_contact_filter filter; /* NULL: none */
    cairn_pre_solve pre_solve;   /* NULL: none */
    bool touches;                /* keep lists of shapes that touch (cairn_simulation_touches); default no */
} cairn_hooks;

/* No hooks. */
CAIRN_API cairn_hooks cairn_hooks_default(void);

/* As cairn_simulation_create, with hooks from the start, so that the initial state is checked with them: shapes that the filter
 * keeps apart may overlap. hooks: copied; NULL: none. */
CAIRN_API cairn_status cairn_simulation_create_hooked(cairn_context *context, const cairn_model *model,
                                                      const cairn_settings *settings, const cairn_hooks *hooks,
                                                      cairn_simulation **out);

/* Other hooks (NULL: none) between steps. Contacts are located again. CAIRN_INVALID for a struct that does not come from cairn_hooks_default. */
CAIRN_API cairn_status cairn_simulation_set_hooks(cairn_simulation *simulation, const cairn_hooks *hooks);

/* --------------------------------------------------------------------------------------------------- who touches */

typedef enum cairn_touch_phase
{
    CAIRN_TOUCH_BEGAN = 0, /* in the last step, but not in the one before */
    CAIRN_TOUCH_WENT_ON,   /* in both */
    CAIRN_TOUCH_ENDED,     /* in the one before, but not in the last */
} cairn_touch_phase;

/* Two shapes touch in a step when one of their contacts pushed them apart in it. */
typedef struct cairn_touch
{
    cairn_body body_a, body_b;
    cairn_shape shape_a, shape_b;
    double impulse; /* N s: normal impulses of all their contacts over the step; 0 where the touch ended */
} cairn_touch;

/* The pairs of one phase, by the order of their shapes; NULL and 0 when `touches` is off. The array belongs to the simulation
 * and lives until the next step or restore. */
CAIRN_API const cairn_touch *cairn_simulation_touches(const cairn_simulation *simulation, cairn_touch_phase phase,
                                                      int *count);

/* ----------------------------------------------------------------------------------------------------- user data */

/* A pointer of the caller's for a body, shape or joint; NULL until it is set. The library never follows it. It may be changed at
 * any time that no step runs. CAIRN_INVALID for a handle that is none; the getters then return NULL. */
CAIRN_API cairn_status cairn_model_set_body_data(cairn_model *model, cairn_body body, void *data);
CAIRN_API void *cairn_model_body_data(const cairn_model *model, cairn_body body);
CAIRN_API cairn_status cairn_model_set_shape_data(cairn_model *model, cairn_shape shape, void *data);
CAIRN_API void *cairn_model_shape_data(const cairn_model *model, cairn_shape shape);
CAIRN_API cairn_status cairn_model_set_joint_data(cairn_model *model, cairn_joint joint, void *data);
CAIRN_API void *cairn_model_joint_data(const cairn_model *model, cairn_joint joint);

CAIRN_END_DECLS

#endif
