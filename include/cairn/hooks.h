/* Hooks: decide which shapes may touch, change the surface of single contacts, and learn which shapes began or stopped touching.
 *
 * Hooks are functions that you provide, with one `data` pointer for all of them. They must be pure: the same answer for the same
 * arguments and the same simulation. A step calls them several times, at the state and at trial poses, in no guaranteed order,
 * and more than once for the same pair. If they are pure, results are bit-identical for any number of threads. A hook may read
 * the simulation that it is given (bodies, time, user data of the model), which is at the start of the step or of a part of it.
 * It must not change the simulation or the model.
 *
 * Hooks are not saved with a state. A clone has the hooks of the original.
 */
#ifndef CAIRN_HOOKS_H
#define CAIRN_HOOKS_H

#include "cairn/simulation.h"

CAIRN_BEGIN_DECLS

/* ------------------------------------------------------------------------------------------- filter and pre-solve */

/* Two shapes and their bodies, ordered as in contacts between them: normals point from b to a. */
typedef struct cairn_shape_pair
{
    cairn_body body_a, body_b;
    cairn_shape shape_a, shape_b;
} cairn_shape_pair;

/* Return whether two shapes that are close may touch. Called after the model's own rules (groups, ignored pairs, joints) have
 * allowed them to, and before any contact between the two is computed. THREADS: several threads may call it at the same time. */
typedef bool (*cairn_contact_filter)(void *data, const cairn_simulation *simulation, const cairn_shape_pair *pair);

/* A contact that is about to become part of a one-step problem. */
typedef struct cairn_contact_candidate
{
    cairn_shape_pair pair;
    /* Stays the same from step to step. */
    uint64_t identity;
    /* m, world: midway between the two surfaces. */
    double point[3];
    /* Unit vector in the world, from b to a. */
    double normal[3];
    /* m; negative: the shapes penetrate. */
    double gap;
} cairn_contact_candidate;

/* What a hook may change of a contact. */
typedef struct cairn_surface
{
    /* Coulomb's coefficient mu, >= 0. */
    double friction;
    /* Newton's coefficient e, from 0 to 1. */
    double restitution;
} cairn_surface;

/* Change the surface of a contact, which holds the values of the two materials, or return false to drop the contact. Values out
 * of range make the step (or other call) fail with CAIRN_INVALID and a message that names the bodies. Under the convex laws a
 * contact must not get more friction than the roughest pair of materials in the model, since the search for contacts relies on
 * that. THREADS: called only by the thread that steps, for one contact after another, in ascending order of identity. */
typedef bool (*cairn_pre_solve)(void *data, const cairn_simulation *simulation,
                                const cairn_contact_candidate *candidate, cairn_surface *surface);

/* The hooks of a simulation. Start from cairn_hooks_default(). */
typedef struct cairn_hooks
{
    /* Set by cairn_hooks_default; do not change. */
    size_t struct_size;
    /* Passed to both functions. The library never follows it; it must stay valid as long as the hooks are set. */
    void *data;
    /* NULL, the default: all shapes may touch that the model allows to. */
    cairn_contact_filter filter;
    /* NULL, the default: surfaces are those of the materials. */
    cairn_pre_solve pre_solve;
    /* Keep lists of shapes that touch (cairn_simulation_touches); default no. */
    bool touches;
} cairn_hooks;

/* No hooks. */
CAIRN_API cairn_hooks cairn_hooks_default(void);

/* Create a simulation with hooks from the start, so that its initial state is checked with them: shapes that the filter keeps
 * from touching may overlap. `hooks` is copied; NULL: none. CAIRN_INVALID for a struct that does not come from
 * cairn_hooks_default. Otherwise as cairn_simulation_create. */
CAIRN_API cairn_status cairn_simulation_create_hooked(cairn_context *context, const cairn_model *model,
                                                      const cairn_settings *settings, const cairn_hooks *hooks,
                                                      cairn_simulation **out);

/* Replace the hooks between steps (NULL: none). Contacts are located again, and the memory of stick and slip is lost.
 * CAIRN_INVALID for a struct that does not come from cairn_hooks_default, when the simulation cannot follow its model, and when
 * the pre-solve hook returns values out of range. */
CAIRN_API cairn_status cairn_simulation_set_hooks(cairn_simulation *simulation, const cairn_hooks *hooks);

/* --------------------------------------------------------------------------------------------------- who touches */

/* Whether a touch is new. */
typedef enum cairn_touch_phase
{
    /* The shapes touched in the last step, but not in the one before. */
    CAIRN_TOUCH_BEGAN = 0,
    /* They touched in both. */
    CAIRN_TOUCH_WENT_ON,
    /* They touched in the one before, but not in the last. */
    CAIRN_TOUCH_ENDED,
} cairn_touch_phase;

/* Two shapes touch in a step when one of their contacts pushed them apart in it. */
typedef struct cairn_touch
{
    cairn_body body_a, body_b;
    cairn_shape shape_a, shape_b;
    /* N s: sum of the normal impulses of all their contacts over the step; 0 when the touch ended. */
    double impulse;
} cairn_touch;

/* The touches of one phase, ordered by their shapes; NULL and 0 when `touches` is off. The array belongs to the simulation and
 * lives until the next step or restore. When the simulation follows a change of its model, touches of shapes that were removed
 * are dropped and all others stay: a touch that goes on is not reported as begun again. */
CAIRN_API const cairn_touch *cairn_simulation_touches(const cairn_simulation *simulation, cairn_touch_phase phase,
                                                      int *count);

/* ----------------------------------------------------------------------------------------------------- user data */

/* Attach a pointer of your own to a body, shape or joint. The library never follows it or frees it. It may be changed whenever
 * no step runs. The getters return NULL until it is set. For a null, stale or foreign handle the setters answer CAIRN_INVALID
 * and the getters return NULL. */
CAIRN_API cairn_status cairn_model_set_body_data(cairn_model *model, cairn_body body, void *data);
CAIRN_API void *cairn_model_body_data(const cairn_model *model, cairn_body body);
CAIRN_API cairn_status cairn_model_set_shape_data(cairn_model *model, cairn_shape shape, void *data);
CAIRN_API void *cairn_model_shape_data(const cairn_model *model, cairn_shape shape);
CAIRN_API cairn_status cairn_model_set_joint_data(cairn_model *model, cairn_joint joint, void *data);
CAIRN_API void *cairn_model_joint_data(const cairn_model *model, cairn_joint joint);

CAIRN_END_DECLS

#endif
