/* Structures that have nearly come to rest.
 *
 * Sweeps calm a disturbed wall or pyramid down to a fraction of g h, but no further: boxes that touch at whole faces are what they are
 * worst at. Whether such a structure can stand is another question, and an easier one: are there impulses within the cones that balance
 * its loads, if nothing moves and all contacts that are about to touch do? So, every PERIOD steps, islands in which nothing is faster
 * than SLOW mu g h, by which friction at any contact would stop it within the step, are solved as if they were at rest, by the general
 * solver within a counted budget. If impulses that balance are found, rest.c holds the island: it stops. The velocities that are lost count as
 * the residual of the dynamics in that step's certificate. What cannot stand, because it slides or topples, has no such impulses and goes on;
 * so does what slides without friction. What could stand, but rolls, is left alone until it is slower (SLOW_ROLL).
 *
 * Where a polygon bounds friction in space, impulses are sought within the circle through the middle of its sides: they are lawful, too, where nothing moves,
 * and methods that factorise find them. Structures without a history are tried at once then, in place of the exact solution that they get under the cone.
 */
#include "formulate/rolling.h"
#include "math/vec.h"
#include "solve/auto/solver.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    PERIOD = 32 /* steps */
};

static const double SLOW = 1.0;       /* of mu g h, by which friction slows a body in a step, ... */
static const double SLOW_ROLL = 0.2;  /* ... and the same for bodies that may roll */
static const double CLOSED = 0.1;     /* of g h^2: gaps up to this one count as closed */
static const double TOLERANCE = 1e-6; /* far below what rest.c asks for */

typedef struct settling
{
    crn_contact *contact;
    int *index; /* per contact: its index in the step */
    int count;
    double *zero; /* velocities */
    crn_assembly assembly;
    crn_arena memory;
} settling;

/* m/s, by root: the fastest body of each island. */
static void find_fastest(const cairn_simulation *s, double *fastest)
{
    const crn_compact_scratch *c = &s->compact;
    memset(fastest, 0, (size_t)c->problem.body_count * sizeof *fastest);
    for (int b = 0; b < c->problem.body_count; ++b)
    {
        int root = crn_compact_island_of(c, b);
        crn_compact_body start = crn_compact_start(s, b);
        if (s->layout->body_block[b] >= 0)
            fastest[root] = fmax(fastest[root], crn_compact_speed(s, &start, b));
    }
}

static double speed_of(const cairn_simulation *s, int b)
{
    crn_compact_body start = crn_compact_start(s, b);
    return crn_compact_speed(s, &start, b);
}

/* How many of the contacts from j on are of its pair of shapes. */
static int points_of(const cairn_simulation *s, int j)
{
    const crn_contact *contact = s->located.contacts;
    int end = j + 1;
    while (end < s->located.contact_count && contact[end].shape_a == contact[j].shape_a &&
           contact[end].shape_b == contact[j].shape_b)
        ++end;
    return end - j;
}

/* Islands with a body that is too fast are not slow. One that touches another along a line or at a point may roll. */
static void rule_out_fast(cairn_simulation *s, double fall)
{
    crn_compact_scratch *c = &s->compact;
    int face = s->model->dimension == 2 ? 2 : 3;
    for (int j = 0, points; j < c->problem.contact_count; j += points)
    {
        const crn_contact *contact = &s->located.contacts[j];
        double limit = contact->friction * fall;
        points = points_of(s, j);
        bool rolls =
            points < face && fmax(speed_of(s, contact->body_a), speed_of(s, contact->body_b)) > SLOW_ROLL * limit;
        if (rolls || crn_rest_is_driven(s, j) || c->island_work[c->island[j]] > SLOW * limit)
            c->settles[c->island[j]] = false;
    }
}

/* Mark the large islands that move, or whose impulses nobody remembers, but so slowly that friction at any contact would stop it within a step.
 * Returns whether there are any. */
static bool find_slow(cairn_simulation *s, double h, bool is_first)
{
    crn_compact_scratch *c = &s->compact;
    double fall = h * crn_norm3(s->state.gravity), *fastest = c->island_work;
    bool any = false;
    find_fastest(s, fastest);
    for (int b = 0; b < c->problem.body_count; ++b)
        c->settles[b] = c->island_contacts[b] > 0 && !crn_compact_is_small(c, b) && (is_first || fastest[b] > 0);
    rule_out_fast(s, fall);
    for (int b = 0; b < c->problem.body_count; ++b)
        any = any || c->settles[b];
    return any;
}

/* Gather the contacts of slow islands that touch or are about to, without their gaps. */
static cairn_status gather(settling *work, cairn_simulation *s, double h)
{
    crn_compact_scratch *c = &s->compact;
    size_t count = (size_t)s->located.contact_count, n = (size_t)s->layout->block_start[s->layout->block_count];
    double closed = CLOSED * h * h * crn_norm3(s->state.gravity);
    CRN_TRY(crn_reserve_all(&work->memory, CRN_ARRAY(work->contact, count), CRN_ARRAY(work->index, count),
                            CRN_ARRAY(work->zero, n)));
    memset(work->zero, 0, n * sizeof *work->zero);
    for (int j = 0; j < s->located.contact_count; ++j)
    {
        if (!c->settles[c->island[j]] || s->located.contacts[j].gap > closed)
            continue;
        work->contact[work->count] = s->located.contacts[j];
        work->contact[work->count].gap = 0;
        work->index[work->count++] = j;
    }
    return crn_assembly_create(s->layout, &work->assembly);
}

/* Ask for friction within the circle of the polygon. */
static void prefer_circle(const crn_compact_polygon *polygon, cairn_problem *problem)
{
    problem->law = (cairn_law){CAIRN_LAW_CONE, 0};
    for (int j = 0; j < problem->contact_count; ++j)
        problem->mu[j] *= polygon->apothem;
}

/* Solve the step of the gathered contacts from rest. */
static cairn_status solve(settling *work, cairn_simulation *s, crn_stage *stage, double h, cairn_solution *solution,
                          cairn_solver_report *report)
{
    crn_input in = crn_stage_input(s, stage, h);
    in.frame = &s->located.frame;
    in.v = in.v_at = work->zero;
    in.contacts = work->contact;
    in.contact_count = work->count;
    CRN_TRY(stage->formulate(&work->assembly, &in));
    if (s->compact.problem.polygon)
        prefer_circle(s->compact.problem.polygon, &work->assembly.problem);
    cairn_solver_options options = s->settings.solver;
    options.tolerance = TOLERANCE;
    options.forces = CAIRN_FORCES_ANY;
    options.work_limit = crn_structure_work(work->count);
    return crn_solver_solve_own(stage->solver, &work->assembly.problem, &options, solution, report);
}

/* Take over the impulses as world vectors. Contacts of slow islands that are open have none. */
static void take(const settling *work, cairn_simulation *s, const cairn_solution *solution)
{
    crn_compact_scratch *c = &s->compact;
    int dim = work->assembly.problem.dim;
    for (int j = 0; j < c->problem.contact_count; ++j)
    {
        if (!c->settles[c->island[j]])
            continue;
        memset(c->impulse[j], 0, sizeof c->impulse[j]);
        if (c->problem.rolling)
            memset(c->rolling[j].moment, 0, sizeof c->rolling[j].moment);
    }
    for (int i = 0; i < work->count; ++i)
    {
        const double *r = solution->r + (ptrdiff_t)i * dim;
        double t[2][3], *p = c->impulse[work->index[i]];
        crn_contact_tangents(&work->assembly.active[i], dim, t);
        crn_scale3(r[0], work->contact[i].normal, p);
        for (int k = 1; k < dim; ++k)
            crn_madd3(p, r[k], t[k - 1], p);
        if (c->problem.rolling)
            crn_contact_moment(&work->assembly, i, solution->r, c->rolling[work->index[i]].moment);
    }
}

static bool is_due(const cairn_simulation *s, double h)
{
    return s->settings.accuracy == CAIRN_ACCURACY_BALANCED && fmod(round(s->state.t / h), PERIOD) == 0;
}

cairn_status crn_compact_settle(cairn_simulation *s, crn_stage *stage, double h, int *iterations)
{
    crn_compact_scratch *c = &s->compact;
    settling work = {0};
    cairn_solution solution;
    cairn_solver_report report;
    bool is_first = stage->warm->count == 0;
    c->any_settles = false;
    if (!is_first && !is_due(s, h))
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->settles, c->problem.body_count)));
    if (!find_slow(s, h, is_first))
        return CAIRN_OK;
    int messages = cairn_context_message_count(s->context);
    cairn_status status = gather(&work, s, h);
    status = status ? status : solve(&work, s, stage, h, &solution, &report);
    if (!status && report.certificate.relative <= TOLERANCE)
    {
        assert(crn_contacts_of(&work.assembly) == work.count);
        take(&work, s, &solution);
        c->any_settles = true;
    }
    *iterations += status ? 0 : report.iterations;
    c->in_a_row = 0;
    crn_solver_release_methods(stage->solver);
    crn_assembly_destroy(&work.assembly);
    crn_arena_release(&work.memory);
    crn_forget_messages(s->context, messages); /* an attempt that fails is no fault */
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}
