/* Saved states: a simulation at one moment, to go back to, to branch from, or to continue elsewhere.
 *
 *     cairn_state *before;
 *     cairn_simulation_save(simulation, &before);       keep this moment
 *     ... steps ...
 *     cairn_simulation_restore(simulation, before);     go back to it, as often as needed
 *     cairn_state_destroy(before);
 *
 * A state holds everything that later steps depend on: positions, velocities and time; what springs, contacts and solvers
 * remember (turns, deformations, stick and slip, impulses to start from); the energy account; and what the last step
 * reported (events, contacts, joint impulses, violations). A simulation that is restored continues with the same bits as the
 * one that was saved, as long as model, settings, hooks and library build are the same. The number of threads may differ.
 *
 * A state does not hold the model, the settings, the hooks, user data, or anything behind the pointers of callbacks. The
 * one-step problem (cairn_simulation_problem) is not kept either: it is NULL after a restore, until the next step.
 *
 * A state belongs to the caller, refers to no simulation, and may outlive the one it came from. Different threads may read
 * one state at the same time.
 */
#ifndef CAIRN_STATE_H
#define CAIRN_STATE_H

#include "cairn/simulation.h"

CAIRN_BEGIN_DECLS

/* ------------------------------------------------------------------------------------ saving, restoring, cloning */

/* A saved state. It never changes. */
typedef struct cairn_state cairn_state;

/* Keep the present state of a simulation, between steps. *out belongs to the caller (cairn_state_destroy). The simulation does
 * not change. Fails with CAIRN_NO_MEMORY, or with CAIRN_INVALID for NULL arguments; *out is then NULL. */
CAIRN_API cairn_status cairn_simulation_save(cairn_simulation *simulation, cairn_state **out);

/* Replace the state of a simulation by a saved one. The simulation may be the one that was saved or another one whose model has the
 * same bodies, shapes, joints, springs, forces and systems in the same order, and whose settings have the same integrator,
 * law and audit; anything else is CAIRN_INVALID with a message that names the difference. After things were added to a model or
 * removed from it, its older states can therefore no longer be restored. Other settings, such as the step or
 * the tolerance, may differ; the continuation is then a different one. On failure the simulation is as it was before. */
CAIRN_API cairn_status cairn_simulation_restore(cairn_simulation *simulation, const cairn_state *state);

/* A second simulation in the same state, with the same model, settings and hooks. The two are independent: each may be stepped
 * or destroyed without the other. `context` takes the messages of the clone; give it a context of its own to step it in another
 * thread, or NULL to share that of the original. *out belongs to the caller (cairn_simulation_destroy). The initial state
 * is not checked again. Fails with CAIRN_NO_MEMORY, or CAIRN_INVALID for NULL arguments; *out is then NULL. */
CAIRN_API cairn_status cairn_simulation_clone(cairn_simulation *simulation, cairn_context *context,
                                              cairn_simulation **out);

/* Destroy a state. NULL is allowed. */
CAIRN_API void cairn_state_destroy(cairn_state *state);

/* s: the simulated time of a state. */
CAIRN_API double cairn_state_time(const cairn_state *state);

/* ------------------------------------------------------------------------------------------------ states as bytes */

/* A state as bytes, for a file or a network; *size is their number. They belong to the state and live as long as it does. Two states are equal exactly
 * if their bytes are. The bytes can be read by the same version of the library on machines with the same byte order. */
CAIRN_API const void *cairn_state_bytes(const cairn_state *state, size_t *size);

/* Make a state from bytes, which are copied. Bytes that were cut, damaged, written by another version or with another byte order are
 * CAIRN_INVALID with a message that says which. *out belongs to the caller (cairn_state_destroy); it is NULL on failure. */
CAIRN_API cairn_status cairn_state_from_bytes(cairn_context *context, const void *bytes, size_t size,
                                              cairn_state **out);

CAIRN_END_DECLS

#endif
