/* A simulation: a model, a state and a way to step it.
 *
 *     cairn_settings settings = cairn_settings_default();
 *     cairn_simulation *simulation;
 *     cairn_simulation_create(context, model, &settings, &simulation);
 *     while (cairn_simulation_time(simulation) < 10 && cairn_simulation_step(simulation) == CAIRN_OK)
 *         ... cairn_simulation_body(simulation, body) ...
 *     cairn_simulation_destroy(simulation);
 *
 * Units are SI; planar models use the first two entries of vectors and entry [2] of angular ones. Functions that return a
 * cairn_status leave a message in the simulation's context when they fail. Pointers that a simulation returns belong to it;
 * each function says how long they live. One thread at a time may use a simulation; functions that take a const one may be
 * called by several threads at once while no other call is made on it. Guide: docs/embedding.md.
 *
 * The choices:
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

typedef struct cairn_simulation cairn_simulation;

/* A simulation of a model, at t = 0 and with every body at its initial pose and velocity. The settings are copied. The model is
 * not: it must live as long as the simulation, and several simulations may share one. *out belongs to the caller.
 * CAIRN_INVALID for settings that are wrong, bodies without mass, and initial states that break their constraints (see
 * cairn_initial); CAIRN_NO_MEMORY. *out is then NULL, and the messages name what is at fault. */
CAIRN_API cairn_status cairn_simulation_create(cairn_context *context, const cairn_model *model,
                                               const cairn_settings *settings, cairn_simulation **out);
/* NULL is allowed. All pointers that the simulation returned become invalid. */
CAIRN_API void cairn_simulation_destroy(cairn_simulation *simulation);

/* Follow the model, when bodies, shapes, joints, springs, forces or systems were added to it or removed since the last step. Every
 * step begins with this; call it to see the new state, or the error, before. What stays keeps its state, bit by bit: positions,
 * velocities, works, and the memory of contacts. New bodies begin at their initial pose and velocity, and new joints and contacts
 * are checked as cairn_simulation_create checks all (`initial: project` counts as `refuse` here). The energy that came or went is
 * booked in `added`. Contacts and impulses of the last step are forgotten.
 * On CAIRN_INVALID the simulation stays as it was: correct the model and call again. Until it has followed, it cannot step, and
 * getters of bodies, joints, springs, forces, systems and contacts return what they return for a stale handle. */
CAIRN_API cairn_status cairn_simulation_update(cairn_simulation *simulation);

/* Whether the state satisfies its constraints: a message for each joint whose points are off by 1e-6 of its size or whose rate
 * is above 1e-6 of the velocities it is made of, for each penetration above 1e-6 m (or a thousandth of the smaller body where
 * that is less), and for each closed contact that closes at such a rate. CAIRN_INVALID when there is one.
 * cairn_simulation_create asks this for second-order schemes, and of first-order ones without the rates; ask again after
 * cairn_simulation_set_body. */
CAIRN_API cairn_status cairn_simulation_check_initial(cairn_simulation *simulation);

/* Energies (J) now, from the state alone; and the work (J) done since the start by every force. A force's work over a
 * step is its impulse times the mean of old and new velocity, so that the kinetic energy changes by exactly the sum of
 * all works. `integration` is what conservative forces did beyond minus the change of their potential: the numerical
 * loss of the scheme. `work_systems` is what the forces of users' systems did beyond minus the change of their
 * potential; it is told by the change of their energy, so that for them the balance closes by definition. `projection` is potential energy changed by the position projection.
 * Compliant patches: their energy is elastic energy, their dampers' work stands in `work_dampers`, and the works of contacts
 * are those at the deformed surfaces. `added` is the change of the total when the simulation followed a change of its model.
 *     total = kinetic + potential + elastic
 *     balance_error = total - total at start - (all works that are not conservative) - integration - projection - added
 */
typedef struct cairn_energy
{
    double kinetic, potential, elastic, total;
    double work_gravity, work_springs, work_dampers, work_forces, work_gyroscopic;
    double work_joints, work_contact_normal, work_friction, work_systems;
    double work_driven; /* what driven bodies put into springs */
    double push_out;    /* of work_contact_normal, what contacts gave that were pushed out of penetration */
    double integration, projection;
    double added; /* of the total, what came and went with things that were added to the model and removed from it */
    double balance_error;
} cairn_energy;

/* Something that happened within a step of a second-order scheme. */
typedef enum cairn_event_kind
{
    CAIRN_EVENT_COLLISION = 0, /* a gap closed at speed: an impact was resolved */
    CAIRN_EVENT_STICK,         /* a contact began to stick */
    CAIRN_EVENT_SLIP,          /* a contact began to slip */
    CAIRN_EVENT_TAKE_OFF,      /* a contact opened */
    CAIRN_EVENT_TURN,          /* slip changed its direction */
    CAIRN_EVENT_STORM, /* events came closer than event_floor: the rest of the step was taken without telling them apart */
    CAIRN_EVENT_EDGE, /* a contact ran over an edge: from a face to an edge or corner, or off it */
    CAIRN_EVENT_JUMP, /* a velocity jumped though nothing collided (Painleve's paradox): taken by the first-order scheme */
    CAIRN_EVENT_KINDS, /* how many there are */
} cairn_event_kind;

typedef struct cairn_event
{
    cairn_event_kind kind;
    double time;      /* s */
    uint64_t contact; /* identity; 0: none */
    cairn_body a, b;  /* of the contact; null bodies: a user's system */
    double speed;     /* m/s: normal velocity before a collision (negative) */
    double impulse;   /* N s: normal impulse of a collision */
    bool energy_grew; /* a collision whose law would have made energy: restitution was reduced so that it did not */
} cairn_event;

/* The physics of one step: how many violations were found, and of these those of kinds that are not allowed. */
typedef struct cairn_physics_report
{
    int violations, forbidden;
} cairn_physics_report;

/* What one step did. */
typedef struct cairn_step_report
{
    double time;  /* s, at the end of the step */
    int64_t step; /* number of this step, from 1 */
    int parts;    /* the step was taken in, divided by events or the error tolerance */
    int problems; /* one-step problems solved: 1 or 2 when nothing happens */
    int contacts; /* contacts in the one-step problem */
    cairn_solver_report solver;
    double penetration;    /* m: largest max(0, -gap) at the end of the step; before the first one, at the start */
    double push_out_speed; /* m/s: the largest at which stabilisation gap pushed bodies apart that penetrate */
    int held_overlaps;  /* contacts in a wedge, whose overlap (or bounce) no motion allows: not pushed out, only held */
    double joint_error; /* m or rad: largest |Theta| at the end of the step */
    int projection_iterations; /* 0 unless stabilisation is project */
    bool projection_met;       /* the projection reached its tolerance, springs included; true when none was made */
    double projection_error;   /* m or rad: what the last projection left; 0 when none was made */
    cairn_energy energy;
    cairn_physics_report physics;
} cairn_step_report;

/* One step of the settings' h. A step whose certificate misses the tolerance, or that still brought new contacts into reach
 * after as many solves as a first-order step makes, is taken, with outcome CAIRN_MISSED in the
 * report; CAIRN_UNSOLVED (no solution) and CAIRN_NUMERIC leave the state as it was. */
CAIRN_API cairn_status cairn_simulation_step(cairn_simulation *simulation);
/* One step of another length h (s, > 0), e.g. the last one before an end time. Otherwise as above. */
CAIRN_API cairn_status cairn_simulation_step_by(cairn_simulation *simulation, double h);

/* s: simulated time. Equal steps are counted, so that rounding does not accumulate. */
CAIRN_API double cairn_simulation_time(const cairn_simulation *simulation);
/* The model it was made from. */
CAIRN_API const cairn_model *cairn_simulation_model(const cairn_simulation *simulation);
/* The simulation's own copy of its settings; lives as long as the simulation. */
CAIRN_API const cairn_settings *cairn_simulation_settings(const cairn_simulation *simulation);
/* What the last step did; before the first, the energies and violations of the initial state. The struct lives as long as the
 * simulation and changes with every step. */
CAIRN_API const cairn_step_report *cairn_simulation_report(const cairn_simulation *simulation);
/* The energy account now; unlike that of the report it follows changes by hand (cairn_simulation_set_body). */
CAIRN_API cairn_energy cairn_simulation_energy(const cairn_simulation *simulation);

/* Pose and velocity of a body now; at the origin, and at rest, for a null, stale or foreign handle.
 * The velocity of a driven body is its mean over the coming step of the same length, (pose(t + h) - pose(t))/h. First-order
 * schemes take it for that; second-order ones use the derivative of the motion at the times of their stages, from which the
 * mean differs by about h/2 times the acceleration. A fixed body has none. */
CAIRN_API cairn_body_state cairn_simulation_body(const cairn_simulation *simulation, cairn_body body);
/* Put a body that moves under forces somewhere else, between steps. Constraints are not checked (cairn_simulation_check_initial
 * does that), memory of stick and slip is lost, and the energy account goes on from the new total. CAIRN_INVALID, and nothing
 * is changed, for numbers that are not finite, an orientation of zero, and bodies that are fixed or driven. */
CAIRN_API cairn_status cairn_simulation_set_body(cairn_simulation *simulation, cairn_body body,
                                                 const cairn_body_state *state);

/* ------------------------------------------------------------------------------------------------- all bodies at once
 *
 * Arrays over all bodies of the model, in its order: those of body i (cairn_model_body(model, i)) begin at array[i * stride].
 * Nothing is copied where the library has the numbers in that form. The arrays belong to the simulation; they may be read
 * until the next call that changes it (step, set, restore), and must not be written to. They hold bodies of every kind:
 * fixed ones have no velocity, and driven ones that of cairn_simulation_body. */

/* m, world: x, y, z of the origin of the body's frame, its centre of mass; z is 0 in the plane. NULL when there are no bodies, or
 * when the model has changed and the simulation has not followed yet (cairn_simulation_update). */
CAIRN_API const double *cairn_simulation_positions(const cairn_simulation *simulation, int *stride);
/* Nine numbers per body: the rotation matrix from its frame to the world, row after row; in the plane a turn about z. NULL as
 * above. */
CAIRN_API const double *cairn_simulation_rotations(const cairn_simulation *simulation, int *stride);
/* Six numbers per body: velocity (m/s, world) and angular velocity (rad/s, body frame; in the plane the sixth number alone).
 * Gathered on the first call after a change where bodies of different kinds are mixed: that call must not run at the same time
 * as any other on this simulation. Fails with CAIRN_NO_MEMORY alone. */
CAIRN_API cairn_status cairn_simulation_velocities(cairn_simulation *simulation, const double **velocities,
                                                   int *stride);

/* Set all bodies at once, e.g. from another program: one state per body of the model, in its order. Those of fixed and driven
 * bodies are not looked at. Contacts are located once for all. CAIRN_INVALID, and nothing is changed, when the count is not that
 * of the bodies or a state is not finite (a message names the body). As with cairn_simulation_set_body, constraints are not
 * checked, memory of stick and slip is lost, and the energy account goes on from the new total. */
CAIRN_API cairn_status cairn_simulation_set_states(cairn_simulation *simulation, const cairn_body_state *states,
                                                   int count);

/* Steering by hand, between steps. The model stays as it is, and the energy account goes on: its total jumps with the
 * potential of a new gravity, and the work of a pull counts in work_forces. */
/* m/s^2, world. CAIRN_INVALID for numbers that are not finite. */
CAIRN_API cairn_status cairn_simulation_set_gravity(cairn_simulation *simulation, const double gravity[3]);
/* mu of every contact between bodies, instead of that of their materials; NAN: that of their materials again.
 * CAIRN_INVALID below 0. */
CAIRN_API cairn_status cairn_simulation_set_friction(cairn_simulation *simulation, double friction);
/* Pull a point of a body (its frame) towards a target (world) by a spring without rest length (N/m) and a damper (N s/m),
 * which at its rate damping/mass also slows the body's turning, until cairn_simulation_let_go; call it again
 * for another target. Stable for every step, stiffness and mass. CAIRN_INVALID for bodies that are fixed or driven, points that
 * are not finite, and constants below 0. */
CAIRN_API cairn_status cairn_simulation_pull(cairn_simulation *simulation, cairn_body body, const double point[3],
                                             const double target[3], double stiffness, double damping);
/* End the pull; nothing happens when there is none. */
CAIRN_API void cairn_simulation_let_go(cairn_simulation *simulation);

/* q and v of a user's system: n values each, valid until the next call that changes the simulation. NULL for a null, stale or
 * foreign handle. */
CAIRN_API void cairn_simulation_system(const cairn_simulation *simulation, cairn_system system, const double **q,
                                       const double **v);

/* A contact of the last step. Second-order schemes take a step in parts and impacts: the list holds every contact that had a
 * row in one of them, by identity. Geometry where its problem was last evaluated; impulse over the whole step, impacts
 * included, and relative velocity at its end, both in that frame. Each element of a compliant patch is a contact of its own;
 * the elements of a patch follow one another. */
typedef struct cairn_contact
{
    cairn_body a, b;   /* the normal points from b to a; null bodies: a gap of a user's system */
    uint64_t identity; /* stable over steps; in a model with meshes, until its number of shapes has doubled */
    double point[3];   /* m, world: midway between the nearest points of the two surfaces, gap/2 from each */
    double normal[3], tangent[2][3]; /* world frame */
    double gap;                      /* m, between the undeformed surfaces */
    double friction;
    double impulse[3]; /* N s in the contact frame: normal, tangents */
    double
        velocity[3]; /* m/s in the contact frame, of a's surface relative to b's: of an element, with its deformation */
    int32_t patch;   /* which of the step's patches, from 0; -1: the contact is rigid */
    int32_t element; /* which element of the patch, row after row along the first tangent; -1: rigid */
    double offset[2];      /* m along the tangents, of the element from the contact point */
    double deformation[3]; /* m in the contact frame, at the end of the step */
} cairn_contact;

/* 0 before the first step. Bounded rows of joints are not contacts. */
CAIRN_API int cairn_simulation_contact_count(const cairn_simulation *simulation);
/* Contact `index`, from 0; null bodies and no impulse for an index out of range. */
CAIRN_API cairn_contact cairn_simulation_contact(const cairn_simulation *simulation, int index);
/* All of them as one array, which belongs to the simulation and lives until the next step or restore. It is made on the first
 * call after a step: that call must not run at the same time as any other on this simulation. Fails with CAIRN_NO_MEMORY
 * alone; *contacts may be NULL when *count is 0. */
CAIRN_API cairn_status cairn_simulation_contacts(cairn_simulation *simulation, const cairn_contact **contacts,
                                                 int *count);

/* Violations of the last step, at most 20 of them (report.physics.violations has their number), and all since the start.
 * Before the first step: those of the initial state. */
CAIRN_API int cairn_simulation_violation_count(const cairn_simulation *simulation);
CAIRN_API cairn_violation cairn_simulation_violation(const cairn_simulation *simulation, int index);
CAIRN_API cairn_audit_totals cairn_simulation_audit(const cairn_simulation *simulation);

/* Events of the last step, in order of time; an index out of range gives an event without bodies. */
CAIRN_API int cairn_simulation_event_count(const cairn_simulation *simulation);
CAIRN_API cairn_event cairn_simulation_event(const cairn_simulation *simulation, int index);
/* All of them as one array, valid until the next step or restore; may be NULL when *count is 0. */
CAIRN_API const cairn_event *cairn_simulation_events(const cairn_simulation *simulation, int *count);
/* "collision", "stick", ...; as in run files. */
CAIRN_API const char *cairn_event_name(cairn_event_kind kind);

/* Work (J) since the start of one spring (elastic and damping together), joint or force; 0 for a null, stale or foreign handle.
 * Impulse of a joint over the last step, impacts included: the number of its rows, at most 6, and theirs. Distance: one row,
 * N s along the line through the two points; a positive one pushes them apart, as a strut, a negative one pulls them together.
 * Rope: one row, N s; positive pulls the points together, 0 while the rope is slack. Revolute: N s on body a at its point, along the axes of the world (2 in the plane, 3 in space); body b gets the
 * opposite. In space two more rows, N m s on body a about alpha x tau_1 and alpha x tau_2, with alpha the axis, fixed in a, and
 * tau_1 and tau_2 two directions at right angles to it and to each other, fixed in b; together they hold the axis and have no
 * part along it. Directions are those where the row was evaluated: at the start of the step with euler and stiff. */
CAIRN_API double cairn_simulation_spring_work(const cairn_simulation *simulation, cairn_spring spring);
CAIRN_API double cairn_simulation_joint_work(const cairn_simulation *simulation, cairn_joint joint);
CAIRN_API double cairn_simulation_force_work(const cairn_simulation *simulation, cairn_force force);
CAIRN_API int cairn_simulation_joint_impulse(const cairn_simulation *simulation, cairn_joint joint, double impulse[6]);
/* Length (or angle) of a spring minus its rest value, now; 0 for a null, stale or foreign handle. */
CAIRN_API double cairn_simulation_spring_stretch(const cairn_simulation *simulation, cairn_spring spring);

/* The last one-step problem of the last step and its solution, for a study of the problem itself. They live until the next step.
 * NULL before the first step, and after a restore until the next one. */
CAIRN_API const cairn_problem *cairn_simulation_problem(const cairn_simulation *simulation);
CAIRN_API const cairn_solution *cairn_simulation_solution(const cairn_simulation *simulation);

CAIRN_END_DECLS

#endif
