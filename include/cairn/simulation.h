/* A simulation: a model, a state and a way to step it.
 *
 *     cairn_settings settings = cairn_settings_default();
 *     cairn_simulation *simulation;
 *     cairn_simulation_create(context, model, &settings, &simulation);
 *     while (cairn_simulation_time(simulation) < 10 && cairn_simulation_step(simulation) == CAIRN_OK)
 *         ... cairn_simulation_body(simulation, body) ...
 *     cairn_simulation_destroy(simulation);
 *
 * Units are SI. Planar models use the first two entries of vectors and entry [2] of angular ones.
 *
 * Functions that return a cairn_status leave a message in the simulation's context when they fail. Pointers that a simulation
 * returns belong to it; each function says how long they live.
 *
 * One thread at a time may use a simulation. Functions that take a const simulation may be called by several threads at once
 * while no other call is made on it. Guide: docs/embedding.md.
 *
 * The main settings (cairn/settings.h):
 *
 *     integrator      euler | stiff (order 1, Anitescu & Potra 2002), trapezoid | trapezoid2 (order 2, Potra et al. 2006),
 *                     stiff2 (order 2, Cairn's own)
 *     law             frictionless | cone | pyramid(m) | box | convex cone | convex pyramid(m) | lagged
 *     stabilisation   none | gap (w = gap/h, joints b = -Theta/h) | project (Anitescu & Potra 2002, eq. 46)
 *     events          off | on: second-order schemes find collisions and changes of stick and slip within a step
 */
#ifndef CAIRN_SIMULATION_H
#define CAIRN_SIMULATION_H

#include "cairn/audit.h"
#include "cairn/model.h"
#include "cairn/settings.h"

CAIRN_BEGIN_DECLS

/* ------------------------------------------------------------------------------------------- making and following */

/* A model in motion. */
typedef struct cairn_simulation cairn_simulation;

/* Create a simulation at t = 0, with every body at its initial pose and velocity. The settings are copied. The model is not: it
 * must live as long as the simulation, and several simulations may share one. *out belongs to the caller
 * (cairn_simulation_destroy). CAIRN_INVALID for wrong settings, bodies without mass, and initial states that break their
 * constraints (see cairn_initial); CAIRN_NO_MEMORY. On failure *out is NULL, and the messages name what is at fault. */
CAIRN_API cairn_status cairn_simulation_create(cairn_context *context, const cairn_model *model,
                                               const cairn_settings *settings, cairn_simulation **out);

/* Destroy a simulation. All pointers that it returned become invalid. NULL is allowed. */
CAIRN_API void cairn_simulation_destroy(cairn_simulation *simulation);

/* Follow the model, after bodies, shapes, joints, springs, forces or systems were added to it or removed from it. Every step
 * begins with this. Call it yourself to see the new state, or the error, before the step.
 *
 * Everything that stays keeps its state, bit by bit: positions, velocities, works, and the memory of contacts. New bodies start
 * at their initial pose and velocity. New joints and contacts are checked as cairn_simulation_create checks them (`initial:
 * project` counts as `refuse` here). The energy that came or went is booked in `added`. Contacts and impulses of the last step
 * are forgotten.
 *
 * On CAIRN_INVALID the simulation stays as it was: correct the model and call again. Until it has followed, it cannot step, and
 * getters of bodies, joints, springs, forces, systems and contacts return what they return for a stale handle. */
CAIRN_API cairn_status cairn_simulation_update(cairn_simulation *simulation);

/* Check that the state satisfies its constraints. Leaves a message for each joint whose points are off by more than 1e-6 of its
 * size, or whose rate exceeds 1e-6 of the velocities that it is made of; for each penetration above 1e-6 m (or a thousandth of
 * the smaller body, where that is less); and for each closed contact that closes at such a rate. CAIRN_INVALID when there is at
 * least one. cairn_simulation_create makes this check (first-order schemes: without the rates). Repeat it after
 * cairn_simulation_set_body where it matters. */
CAIRN_API cairn_status cairn_simulation_check_initial(cairn_simulation *simulation);

/* The model that the simulation was created from. */
CAIRN_API const cairn_model *cairn_simulation_model(const cairn_simulation *simulation);

/* The simulation's own copy of its settings, which lives as long as the simulation. */
CAIRN_API const cairn_settings *cairn_simulation_settings(const cairn_simulation *simulation);

/* ------------------------------------------------------------------------------------------------------ stepping */

/* Take one step of the settings' h.
 *
 * A step whose certificate misses the tolerance is taken nevertheless, with outcome CAIRN_MISSED in its report. So is a
 * first-order step that still brings new contacts into reach after its last permitted solve. CAIRN_UNSOLVED (there is no
 * solution) and CAIRN_NUMERIC leave the state as it was. CAIRN_INVALID when the simulation cannot follow its model. */
CAIRN_API cairn_status cairn_simulation_step(cairn_simulation *simulation);

/* Take one step of another length h (s, > 0), such as the last one before an end time. Otherwise as above. */
CAIRN_API cairn_status cairn_simulation_step_by(cairn_simulation *simulation, double h);

/* Take `count` steps of the settings' h, 1 or more. On the processor this is a loop that ends at the first failure. On a device the
 * state is read back after the last step only; the report then speaks of all of them together (docs/gpu.md). */
CAIRN_API cairn_status cairn_simulation_steps(cairn_simulation *simulation, int count);

/* Begin `count` steps, and return while a device takes them; cairn_simulation_finish_steps waits for them and reads the state back. Both together
 * are cairn_simulation_steps. In between, everything that is read is that before the steps: bodies, energies, the report, and contacts if they
 * were asked for before; so a frame can be written meanwhile. What would change, save or step the simulation is refused with CAIRN_INVALID. Steps
 * that nothing can be gained from, such as those of the processor, are taken when they are finished. */
CAIRN_API cairn_status cairn_simulation_begin_steps(cairn_simulation *simulation, int count);

/* Finish the steps that were begun. CAIRN_INVALID when there are none. */
CAIRN_API cairn_status cairn_simulation_finish_steps(cairn_simulation *simulation);

/* Audit the last step of the next call that steps, although `audit_every` would not. On the processor: the next step. */
CAIRN_API void cairn_simulation_audit_next(cairn_simulation *simulation);

/* s: simulated time. Equal steps are counted, so that rounding does not accumulate. */
CAIRN_API double cairn_simulation_time(const cairn_simulation *simulation);

/* ------------------------------------------------------------------------------------------- energies and reports */

/* The energy account, in J. Energies are those of the present state; works are sums since the start.
 *
 * The work of a force over a step is its impulse times the mean of old and new velocity, so that the kinetic energy changes by
 * exactly the sum of all works.
 *
 *     total = kinetic + potential + elastic
 *     balance_error = total - total at start - (all works that are not conservative) - integration - projection - added
 */
typedef struct cairn_energy
{
    /* Energies now. The energy of compliant patches counts as elastic. */
    double kinetic, potential, elastic, total;
    /* Works of gravity, springs, dampers (those of compliant patches included), applied forces and gyroscopic terms. */
    double work_gravity, work_springs, work_dampers, work_forces, work_gyroscopic;
    /* Works of joints and contacts; for compliant patches, at the deformed surfaces. */
    double work_joints, work_contact_normal, work_friction;
    /* Work of the forces of user systems, beyond minus the change of their potential. It is computed from the change of their
     * energy, so that for them the balance closes by definition. */
    double work_systems;
    /* What driven bodies put into springs. */
    double work_driven;
    /* The part of work_contact_normal that came from contacts being pushed out of penetration. */
    double push_out;
    /* Numerical gain or loss: work of conservative forces beyond minus the change of their potential. */
    double integration;
    /* Potential energy changed by the projection of positions. */
    double projection;
    /* Change of the total when the simulation followed changes of its model. */
    double added;
    /* What remains unexplained. */
    double balance_error;
} cairn_energy;

/* The physics of one step (cairn/audit.h). */
typedef struct cairn_physics_report
{
    /* Violations found, and how many of them are of kinds that `allow` in the settings does not list. */
    int violations, forbidden;
    /* Steps that were audited: 1, or 0 when the audit is off, or when none was due (audit_every). */
    int audited;
} cairn_physics_report;

/* What one step did. */
typedef struct cairn_step_report
{
    /* s, at the end of the step. */
    double time;
    /* Number of the step, from 1. */
    int64_t step;
    /* Parts in which the step was taken, divided by events or by the error tolerance. */
    int parts;
    /* One-step problems solved: 1 or 2 when nothing special happens. */
    int problems;
    /* Contacts in the one-step problem. */
    int contacts;
    /* What the solver did. */
    cairn_solver_report solver;
    /* m: the largest max(0, -gap) at the end of the step; before the first step, at the start. */
    double penetration;
    /* m/s: the largest speed at which stabilisation gap pushed penetrating bodies apart. */
    double push_out_speed;
    /* Contacts of wedged bodies, whose overlap (or bounce) no motion permits. They are not pushed out, only held. */
    int held_overlaps;
    /* m or rad: the largest |Theta| at the end of the step. */
    double joint_error;
    /* Iterations of the position projection; 0 unless stabilisation is project. */
    int projection_iterations;
    /* The projection reached its tolerance, springs included; true when none was made. */
    bool projection_met;
    /* m or rad: what the last projection left; 0 when none was made. */
    double projection_error;
    /* The energy account at the end of the step. */
    cairn_energy energy;
    /* The check of the physics. */
    cairn_physics_report physics;
} cairn_step_report;

/* What the last step did; before the first step, the energies and violations of the initial state. The struct lives as long as
 * the simulation and changes with every step. */
CAIRN_API const cairn_step_report *cairn_simulation_report(const cairn_simulation *simulation);

/* The energy account now. Unlike that of the report, it includes changes made by hand (cairn_simulation_set_body). */
CAIRN_API cairn_energy cairn_simulation_energy(const cairn_simulation *simulation);

/* ---------------------------------------------------------------------------------------------------- one body */

/* Pose and velocity of a body now. A null, stale or foreign handle returns a body at rest at the origin.
 *
 * The velocity of a driven body is its mean over the coming step of the same length, (pose(t + h) - pose(t))/h. First-order
 * schemes use this value. Second-order schemes use the derivative of the motion at the times of their stages, which differs
 * from the mean by about h/2 times the acceleration. A fixed body has no velocity. */
CAIRN_API cairn_body_state cairn_simulation_body(const cairn_simulation *simulation, cairn_body body);

/* Move a dynamic body to another pose and velocity, between steps. Constraints are not checked (cairn_simulation_check_initial
 * does that), the memory of stick and slip is lost, and the energy account continues from the new total. CAIRN_INVALID, and
 * nothing changes, for numbers that are not finite, an orientation of length zero, and bodies that are fixed or driven. */
CAIRN_API cairn_status cairn_simulation_set_body(cairn_simulation *simulation, cairn_body body,
                                                 const cairn_body_state *state);

/* Coordinates q and velocities v of a user system, n values each. They live until the next call that changes the simulation.
 * NULL for a null, stale or foreign handle. */
CAIRN_API void cairn_simulation_system(const cairn_simulation *simulation, cairn_system system, const double **q,
                                       const double **v);

/* ------------------------------------------------------------------------------------------- all bodies at once
 *
 * Arrays over all bodies of the model, in its order: the numbers of body i (cairn_model_body(model, i)) start at
 * array[i * stride]. Nothing is copied where the library holds the numbers in that form. The arrays belong to the simulation.
 * They may be read until the next call that changes it (step, set, restore), and must not be written to. Bodies of all kinds are
 * included: fixed ones have no velocity, and driven ones that of cairn_simulation_body. */

/* Positions (m, world): x, y, z of the origin of each body's frame, which is its centre of mass; z is 0 in the plane. NULL when
 * there are no bodies, or when the model has changed and the simulation has not followed yet (cairn_simulation_update). Where ranks
 * take the steps, the first call after a step computes them, must not run at the same time as any other on this simulation, and returns NULL
 * if memory ran out. */
CAIRN_API const double *cairn_simulation_positions(const cairn_simulation *simulation, int *stride);

/* Rotations: nine numbers per body, the matrix from its frame to the world, row by row; in the plane a rotation about z. NULL as
 * above. */
CAIRN_API const double *cairn_simulation_rotations(const cairn_simulation *simulation, int *stride);

/* Velocities: six numbers per body, velocity (m/s, world) and angular velocity (rad/s, body frame; in the plane only the sixth
 * number). Where bodies of different kinds are mixed, the first call after a change gathers the array; that call must not run
 * at the same time as any other on this simulation. The only failure is CAIRN_NO_MEMORY. */
CAIRN_API cairn_status cairn_simulation_velocities(cairn_simulation *simulation, const double **velocities,
                                                   int *stride);

/* Set all bodies at once, for example from another program: one state per body of the model, in its order. States of fixed and
 * driven bodies are ignored. Contacts are located once for all. CAIRN_INVALID, and nothing changes, when `count` is not the
 * number of bodies or a state is not finite (the message names the body). A grain that comes and goes (cairn/population.h) is
 * absent then if its position is NAN, and else there. Otherwise as cairn_simulation_set_body: constraints
 * are not checked, the memory of stick and slip is lost, and the energy account continues from the new total. */
CAIRN_API cairn_status cairn_simulation_set_states(cairn_simulation *simulation, const cairn_body_state *states,
                                                   int count);

/* ------------------------------------------------------------------------------------------------ steering by hand
 *
 * Changes between steps that leave the model as it is. The energy account continues: its total jumps with the potential of a new
 * gravity, and the work of a pull counts in work_forces. */

/* Set gravity (m/s^2, world) from now on. CAIRN_INVALID for numbers that are not finite. */
CAIRN_API cairn_status cairn_simulation_set_gravity(cairn_simulation *simulation, const double gravity[3]);

/* Set one coefficient of friction for all contacts between bodies, in place of their materials'. NAN returns to the materials'.
 * CAIRN_INVALID below 0. */
CAIRN_API cairn_status cairn_simulation_set_friction(cairn_simulation *simulation, double friction);

/* Pull a point of a body (m, body frame) towards a target (m, world), by a spring of zero rest length (stiffness in N/m) and a
 * damper (damping in N s/m), until cairn_simulation_let_go. The damper also slows the body's rotation, at the rate
 * damping/mass. Call it again to move the target. It is stable for any step, stiffness and mass. CAIRN_INVALID for bodies that
 * are fixed or driven, points that are not finite, and negative constants. */
CAIRN_API cairn_status cairn_simulation_pull(cairn_simulation *simulation, cairn_body body, const double point[3],
                                             const double target[3], double stiffness, double damping);

/* End the pull. Does nothing when there is none. */
CAIRN_API void cairn_simulation_let_go(cairn_simulation *simulation);

/* ----------------------------------------------------------------------------------------------------- contacts */

/* A contact of the last step.
 *
 * Second-order schemes take a step in parts and impacts: the list holds every contact that had a row in one of them, sorted by
 * identity. Geometry is that where the contact's problem was last evaluated. The impulse is that of the whole step, impacts
 * included, and the velocity that at its end, both in the contact frame. Each element of a compliant patch is a contact of its
 * own; the elements of one patch are adjacent. */
typedef struct cairn_contact
{
    /* The normal points from b to a. Null bodies: a gap of a user system. */
    cairn_body a, b;
    /* Stays the same from step to step; in a model with meshes, until its number of shapes has doubled. */
    uint64_t identity;
    /* m, world: midway between the nearest points of the two surfaces, gap/2 from each. */
    double point[3];
    /* Unit vectors of the contact frame, in the world. */
    double normal[3], tangent[2][3];
    /* m, between the undeformed surfaces. */
    double gap;
    /* Coefficient of friction. */
    double friction;
    /* N s in the contact frame: normal, then tangents. The normal one is negative where cohesion pulls. */
    double impulse[3];
    /* m/s in the contact frame, of a's surface relative to b's; for an element, its deformation included. */
    double velocity[3];
    /* Which of the step's patches, from 0; -1: the contact is rigid. */
    int32_t patch;
    /* Which element of the patch, row by row along the first tangent; -1: the contact is rigid. */
    int32_t element;
    /* m along the tangents: where the element lies, from the contact point. */
    double offset[2];
    /* m in the contact frame, at the end of the step. */
    double deformation[3];
    /* N m s in the contact frame, on a: of spinning friction, about the normal, and rolling friction. Run files do not have it. */
    double moment[3];
    /* m, world: in a periodic box, how far the image of b that touches a is displaced from b itself: seen from b, the contact is at
     * point - image. Zero in an open one. Run files do not have it. */
    double image[3];
} cairn_contact;

/* The number of contacts of the last step; 0 before the first. Bounded rows of joints are not contacts. */
CAIRN_API int cairn_simulation_contact_count(const cairn_simulation *simulation);

/* Contact `index`, from 0. An index out of range returns null bodies and no impulse. */
CAIRN_API cairn_contact cairn_simulation_contact(const cairn_simulation *simulation, int index);

/* All contacts as one array, which belongs to the simulation and lives until the next step or restore. The first call after a
 * step makes the array; that call must not run at the same time as any other on this simulation. *contacts may be NULL when
 * *count is 0. The only failure is CAIRN_NO_MEMORY. */
CAIRN_API cairn_status cairn_simulation_contacts(cairn_simulation *simulation, const cairn_contact **contacts,
                                                 int *count);

/* ----------------------------------------------------------------------------------------- events and violations */

/* What can happen within a step of a second-order scheme. */
typedef enum cairn_event_kind
{
    /* A gap closed at speed; an impact was resolved. */
    CAIRN_EVENT_COLLISION = 0,
    /* A contact began to stick. */
    CAIRN_EVENT_STICK,
    /* A contact began to slip. */
    CAIRN_EVENT_SLIP,
    /* A contact opened. */
    CAIRN_EVENT_TAKE_OFF,
    /* Slip changed its direction. */
    CAIRN_EVENT_TURN,
    /* Events came closer together than event_floor; the rest of the step was taken without separating them. */
    CAIRN_EVENT_STORM,
    /* A contact ran over an edge: from a face to an edge or corner, or off it. */
    CAIRN_EVENT_EDGE,
    /* A velocity jumped though nothing collided (Painleve's paradox); the first-order scheme took the step. */
    CAIRN_EVENT_JUMP,
    /* The number of kinds; not a kind. */
    CAIRN_EVENT_KINDS,
} cairn_event_kind;

/* An event within a step. */
typedef struct cairn_event
{
    cairn_event_kind kind;
    /* s */
    double time;
    /* Identity of the contact; 0: none. */
    uint64_t contact;
    /* Bodies of the contact; null bodies: a user system. */
    cairn_body a, b;
    /* m/s: normal velocity before a collision (negative). */
    double speed;
    /* N s: normal impulse of a collision. */
    double impulse;
    /* The impact law would have added energy; restitution was reduced so that it did not. */
    bool energy_grew;
} cairn_event;

/* The number of events of the last step. */
CAIRN_API int cairn_simulation_event_count(const cairn_simulation *simulation);

/* Event `index`, from 0, in order of time. An index out of range returns an event without bodies, at time NAN. */
CAIRN_API cairn_event cairn_simulation_event(const cairn_simulation *simulation, int index);

/* All events of the last step as one array, which lives until the next step or restore. May be NULL when *count is 0. */
CAIRN_API const cairn_event *cairn_simulation_events(const cairn_simulation *simulation, int *count);

/* Name of a kind of event as in run files: "collision", "stick", ... Must not be freed. */
CAIRN_API const char *cairn_event_name(cairn_event_kind kind);

/* The number of violations listed for the last step, at most 20 (report.physics.violations counts all); before the first step,
 * those of the initial state. 0 when the audit is off. */
CAIRN_API int cairn_simulation_violation_count(const cairn_simulation *simulation);

/* Violation `index` of the last step, from 0. An index out of range returns one without bodies and of size 0. */
CAIRN_API cairn_violation cairn_simulation_violation(const cairn_simulation *simulation, int index);

/* All violations since the start, by kind. */
CAIRN_API cairn_audit_totals cairn_simulation_audit(const cairn_simulation *simulation);

/* ------------------------------------------------------------------------------------- springs, joints and forces */

/* Work (J) since the start of one spring (elastic and damping together), one joint, or one force. 0 for a null, stale or foreign
 * handle. */
CAIRN_API double cairn_simulation_spring_work(const cairn_simulation *simulation, cairn_spring spring);
CAIRN_API double cairn_simulation_joint_work(const cairn_simulation *simulation, cairn_joint joint);
CAIRN_API double cairn_simulation_force_work(const cairn_simulation *simulation, cairn_force force);

/* Length (m) or angle (rad) of a spring minus its rest value, now. 0 for a null, stale or foreign handle. */
CAIRN_API double cairn_simulation_spring_stretch(const cairn_simulation *simulation, cairn_spring spring);

/* Impulse of a joint over the last step, impacts included. Returns the number of its rows, at most 6, and fills as many entries
 * of `impulse`; the others are 0. Returns 0 before the first step, and for a null, stale or foreign handle.
 *
 *     distance   one row, N s along the line through the two points: positive pushes them apart, negative pulls them together
 *     rope       one row, N s: positive pulls the points together; 0 while the rope is slack
 *     revolute   N s on body a at its point, along the axes of the world (2 rows in the plane, 3 in space); body b gets the
 *                opposite. In space two more rows, N m s on body a about alpha x tau_1 and alpha x tau_2: alpha is the axis,
 *                fixed in a; tau_1 and tau_2 are perpendicular to it and to each other, fixed in b. Together they hold the
 *                axis and have no part along it.
 *     coupling   one row if it is held: along its value; every term gets its factor times that
 *     others     one row per equation of the type, in the order of docs/joints.md and its file: N s or N m s on body a
 *
 * Directions are those where the row was evaluated: with euler and stiff, at the start of the step. */
CAIRN_API int cairn_simulation_joint_impulse(const cairn_simulation *simulation, cairn_joint joint, double impulse[6]);

/* What a joint does. Coordinates grow as b moves against a, e.g. turns about the axis; angles count whole turns. Forces are means over
 * the last step. */
typedef struct cairn_joint_state
{
    int coordinate_count;
    /* m or rad, and per s. */
    double coordinate[3], rate[3];
    /* N, N m: the reaction on b, in the world, at b's point: what holds the joint together. */
    double force[3], moment[3];
    /* N or N m, per coordinate, on b along it: of the drive, the spring with its damper, dry friction and the ends of the range. */
    double drive[3], spring[3], friction[3], limit[3];
    /* Likewise of the rotor: - its inertia times the mean acceleration. Its kinetic energy is part of cairn_energy.kinetic. */
    double rotor[3];
    /* J, since the start: the works of these on the bodies. */
    double drive_work[3], spring_work[3], friction_work[3], limit_work[3];
} cairn_joint_state;

/* State of a joint; all zero for a null, stale or foreign handle. */
CAIRN_API cairn_joint_state cairn_simulation_joint_state(const cairn_simulation *simulation, cairn_joint joint);

/* Coordinate `index` of a joint, and its rate unless that is NULL; 0 when there is none. */
CAIRN_API double cairn_simulation_coordinate(const cairn_simulation *simulation, cairn_joint joint, int index,
                                             double *rate);

/* --------------------------------------------------------------------------------------------- the one-step problem */

/* The last one-step problem of the last step, and its solution, for studies of the problem itself. They live until the next step.
 * NULL before the first step, and after a restore until the next one. The problem of a step whose large islands were swept is
 * made by the first call after it, which must not run at the same time as any other on this simulation; NULL when memory ran
 * out. */
CAIRN_API const cairn_problem *cairn_simulation_problem(const cairn_simulation *simulation);
CAIRN_API const cairn_solution *cairn_simulation_solution(const cairn_simulation *simulation);

CAIRN_END_DECLS

#endif
