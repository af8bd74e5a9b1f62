/* Functions shared by the integrators: solving a one-step problem, and finding the contacts it needs. */
#include "base/parallel_ranges.h"
#include "math/vec.h"
#include "solve/auto/solver.h"
#include "step/account/account.h"
#include "step/schemes/rotors.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_PASSES = 20
};

crn_input crn_stage_input(const cairn_simulation *s, const crn_stage *stage, double h)
{
    assert(h > 0);
    return (crn_input){
        .layout = s->layout,
        .frame = &stage->frame,
        .settings = &s->settings,
        .gravity = s->state.gravity,
        .pull = s->state.pulled ? &s->state.pull : NULL,
        .q = s->state.q,
        .v = s->state.v,
        .v_at = s->state.v,
        .spring_angle = s->state.spring_angle,
        .inelastic = s->trial.inelastic,
        .t = s->state.t,
        .h = h,
        .rotor_rate = s->trial.rotor_rate,
        .joint_impulse = s->ledger.joint_last,
        .joint_h = s->state.step > 0 ? s->state.h_base : 0.0,
    };
}

static bool is_finite(const double *x, int n)
{
    for (int i = 0; i < n; ++i)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* Impulses are remembered as world vectors: the tangents of a contact may turn over from one step to the next although its normal hardly
 * changes. In the plane they follow the normal, and frames will do. */
static bool turns_frames(const crn_assembly *assembly, int j)
{
    return assembly->problem.dim == 3 && assembly->active[j].body_a >= 0;
}

double crn_contact_size(const cairn_simulation *s, const crn_contact *contact)
{
    const crn_layout *layout = s->layout;
    double a = layout->body_block[contact->body_a] >= 0 ? crn_size_of(layout, contact->body_a) : INFINITY;
    double b = layout->body_block[contact->body_b] >= 0 ? crn_size_of(layout, contact->body_b) : INFINITY;
    return fmin(a, b);
}

/* A problem whose contacts are looked for in the last one. */
typedef struct recalled
{
    const cairn_simulation *s;
    const crn_assembly *assembly;
} recalled;

/* m: how far a contact may be from one that it takes over from: at the same place in an exact step, where several solutions of a
 * jammed body may exist and a guess would choose; a twentieth of the smaller body where contacts are swept. */
static double hand_over_reach(const void *data, int j)
{
    const recalled *r = data;
    const crn_contact *contact = &r->assembly->active[j];
    return contact->body_a < 0 ? 0.0 : (r->assembly->rowless ? 0.05 : 1e-6) * crn_contact_size(r->s, contact);
}

static crn_warm_places places_of(const recalled *data)
{
    const crn_contact *active = data->assembly->active;
    return (crn_warm_places){.feature_bits = 64 - 2 * data->s->identity_bits,
                             .point = active ? active->point_a : NULL,
                             .stride = sizeof(crn_contact) / sizeof(double),
                             .reach = hand_over_reach,
                             .data = data};
}

/* Without rows a problem has no list of identities: they are those of its contacts. */
crn_named crn_stage_names(const crn_stage *stage)
{
    const crn_assembly *assembly = &stage->assembly;
    const cairn_problem *problem = &assembly->problem;
    crn_named named = {problem->identity, sizeof *problem->identity, problem->contact_count, problem->dim};
    if (assembly->rowless && problem->contact_count > 0)
    {
        named.first = &assembly->active->identity;
        named.stride = sizeof *assembly->active;
    }
    return named;
}

void crn_recall_world(cairn_simulation *s, crn_stage *stage, double (*impulse)[3])
{
    assert(stage->assembly.problem.dim == 3);
    const recalled data = {s, &stage->assembly};
    const crn_warm_places places = places_of(&data);
    const crn_named named = crn_stage_names(stage);
    crn_warm_recall_into(stage->warm, &named, &places, (double *)impulse);
}

cairn_status crn_recall_impulses(cairn_simulation *s, crn_stage *stage, const double **guess)
{
    const crn_assembly *assembly = &stage->assembly;
    const recalled data = {s, assembly};
    const crn_warm_places places = places_of(&data);
    const crn_named named = crn_stage_names(stage);
    CRN_TRY(crn_warm_recall(stage->warm, &named, &places, guess));
    crn_last_tangents last = {false};
    for (int j = 0; *guess && j < assembly->problem.contact_count; ++j)
    {
        const crn_contact *contact = &assembly->active[j];
        double *r = stage->warm->guess + (ptrdiff_t)j * assembly->problem.dim, world[3];
        if (!turns_frames(assembly, j))
            continue;
        memcpy(world, r, sizeof world);
        crn_contact_next_tangents(contact, 3, &last);
        r[0] = crn_dot3(world, contact->normal);
        r[1] = crn_dot3(world, last.t[0]);
        r[2] = crn_dot3(world, last.t[1]);
    }
    return CAIRN_OK;
}

void crn_stage_impulse(const crn_stage *stage, int j, double r[3])
{
    const crn_contact *contact = &stage->assembly.active[j];
    int dim = stage->assembly.problem.dim;
    double t[2][3];
    assert(j >= 0 && j < stage->assembly.problem.contact_count);
    r[2] = 0.0;
    if (!stage->assembly.rowless)
    {
        memcpy(r, stage->solution.r + (ptrdiff_t)j * dim, (size_t)dim * sizeof(double));
        return;
    }
    crn_contact_tangents(contact, dim, t);
    r[0] = crn_dot3(stage->impulse[j], contact->normal);
    for (int i = 1; i < dim; ++i)
        r[i] = crn_dot3(stage->impulse[j], t[i - 1]);
}

/* The impulses of a stage without rows, in space, are world vectors already. */
static cairn_status keep_swept(crn_stage *stage)
{
    const crn_named named = crn_stage_names(stage);
    return crn_warm_keep(stage->warm, &named, (const double *)stage->impulse);
}

/* Turn impulses in the frames of their contacts into world vectors. */
static cairn_status keep_solved(crn_stage *stage)
{
    const crn_assembly *assembly = &stage->assembly;
    const crn_named named = crn_stage_names(stage);
    CRN_TRY(crn_warm_keep(stage->warm, &named, stage->solution.r));
    crn_last_tangents last = {false};
    for (int j = 0; j < assembly->problem.contact_count; ++j)
    {
        const crn_contact *contact = &assembly->active[j];
        double *kept = stage->warm->r + (ptrdiff_t)j * assembly->problem.dim, r[3];
        if (!turns_frames(assembly, j))
            continue;
        memcpy(r, kept, sizeof r);
        crn_contact_next_tangents(contact, 3, &last);
        crn_scale3(r[0], contact->normal, kept);
        crn_madd3(kept, r[1], last.t[0], kept);
        crn_madd3(kept, r[2], last.t[1], kept);
    }
    return CAIRN_OK;
}

cairn_status crn_keep_places(crn_stage *stage)
{
    const crn_assembly *assembly = &stage->assembly;
    CRN_TRY(crn_warm_reserve_points(stage->warm, (size_t)assembly->problem.contact_count));
    for (int j = 0; j < assembly->problem.contact_count; ++j)
    {
        static const double NOWHERE[3];
        const crn_contact *contact = &assembly->active[j];
        memcpy(stage->warm->point + 3 * (ptrdiff_t)j, contact->body_a >= 0 ? contact->point_a : NOWHERE,
               sizeof(double[3]));
    }
    return CAIRN_OK;
}

cairn_status crn_keep_impulses(crn_stage *stage, bool places)
{
    const crn_assembly *assembly = &stage->assembly;
    CRN_TRY(assembly->rowless && assembly->problem.dim == 3 ? keep_swept(stage) : keep_solved(stage));
    return places ? crn_keep_places(stage) : CAIRN_OK;
}

/* Users' functions may return anything, so problems with their systems are checked in full. */
static cairn_status solve(const cairn_simulation *s, crn_stage *stage, const cairn_solver_options *options,
                          cairn_solver_report *report)
{
    bool own = s->model->system_count == 0;
    return (own ? crn_solver_solve_own : cairn_solver_solve)(stage->solver, &stage->assembly.problem, options,
                                                             &stage->solution, report);
}

/* The work that large islands of general problems get under `balanced` and `fast`, in multiplications: some 70 ms for 500 contacts. A
 * structure that is loaded for the first time gets what its factorisations take. In heaps, which are not so thin, they take far more. */
static const double LEAST_WORK = 3e7, WORK = 1e5; /* the latter per contact */

static double work_limit(const cairn_simulation *s, const cairn_problem *problem)
{
    int contacts = problem->contact_count;
    if (s->settings.accuracy == CAIRN_ACCURACY_EXACT)
        return 0.0;
    return s->compact.is_first_load ? crn_structure_work(contacts) : LEAST_WORK + WORK * contacts;
}

/* Loose forces tilt the boxes of a structure at rest, after which its steps take far longer than with good ones. So these are sought
 * first, whatever the tolerance, and what is found within the budget is good enough if it meets the tolerance. */
static const double SURE = 1e-6;

static cairn_status solve_surely(cairn_simulation *s, crn_stage *stage, const cairn_solver_options *options,
                                 cairn_solver_report *report)
{
    bool is_loose = options->tolerance > SURE && options->kind == CAIRN_SOLVER_AUTO;
    if (!is_loose || !crn_structure_rests(s, s->settings.step))
        return solve(s, stage, options, report);
    cairn_solver_options sure = *options;
    sure.tolerance = SURE;
    sure.work_limit = crn_structure_work(stage->assembly.problem.contact_count);
    CRN_TRY(solve(s, stage, &sure, report));
    bool is_met = report->certificate.relative <= options->tolerance;
    report->outcome = is_met ? CAIRN_SOLVED : report->outcome;
    return is_met ? CAIRN_OK : solve(s, stage, options, report);
}

/* The user's limit on time ended the search: the step goes on with the best answer there is, and is counted as one that missed. */
static void accept_best(cairn_solver_report *report)
{
    bool there = report->method && strcmp(report->method, "none") != 0;
    if (report->outcome == CAIRN_FAILED && report->out_of_time && there)
        report->outcome = CAIRN_MISSED;
}

/* Start from the impulses of the same contacts in the last problem of this stage. */
static cairn_status solve_warm(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    crn_solver_set_lazy(stage->solver, crn_forces_may_wait(s));
    cairn_solver_options options = s->settings.solver;
    options.steady = s->settings.accuracy != CAIRN_ACCURACY_EXACT;
    options.before = s->state.v;
    options.tolerance = s->compact.is_first_load ? fmin(options.tolerance, 1e-9) : options.tolerance;
    options.work_limit = work_limit(s, &stage->assembly.problem);
    stage->relaxed = 0;
    crn_wedge_recall(s, stage);
    cairn_status status = crn_recall_impulses(s, stage, &options.guess);
    status = status ? status : solve_surely(s, stage, &options, report);
    if (!status && crn_wedge_relax(s, stage, report))
    {
        int iterations = report->iterations, fallbacks = report->fallbacks;
        status = solve(s, stage, &options, report);
        report->iterations += iterations;
        report->fallbacks += fallbacks;
    }
    if (!status)
        accept_best(report);
    bool worth = !status && report->outcome != CAIRN_FAILED;
    return worth ? crn_keep_impulses(stage, true) : status;
}

/* With the modes of contacts and rows held; nothing is reported. */
static cairn_status solve_held(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    (void)report;
    return crn_solve_held(s, stage);
}

void crn_repeat_forces(const cairn_solver_report *last, cairn_solver_report *report)
{
    report->null_space = last->null_space;
    report->velocity_null_space = last->velocity_null_space;
    report->unexamined = last->unexamined < report->islands ? last->unexamined : report->islands;
    report->unexamined_rows = report->unexamined > 0 ? last->unexamined_rows : 0;
    report->chosen_forces = last->chosen_forces;
    report->kept_forces = false;
}

cairn_status crn_stage_solve(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    const cairn_problem *problem = &stage->assembly.problem;
    if (stage->assembly.fault.is_force || stage->assembly.fault.is_joint)
        return crn_report_fault(s, &stage->assembly.fault);
    if (!is_finite(problem->p, problem->n))
        return crn_fail(s->context, CAIRN_NUMERIC, "step at t = %g: a force is not a finite number", s->state.t);
    cairn_solver_report once = {.outcome = CAIRN_SOLVED};
    if (s->search.holding)
    {
        s->trial.problems += 1;
        return crn_solve_bearings(s, stage, solve_held, &once);
    }
    cairn_status status = crn_solve_bearings(s, stage, solve_warm, &once);
    if (status != CAIRN_OK)
        return crn_fail(s->context, status, "step at t = %g: %s", s->state.t, cairn_status_text(status));
    if (once.outcome == CAIRN_FAILED || !is_finite(stage->solution.v, problem->n))
        return crn_report_unsolved(s, stage, &once);
    s->trial.problems += 1;
    s->state.velocity_scale = once.certificate.scale;
    if (once.outcome == CAIRN_LIMITED)
        s->trial.left = fmax(s->trial.left, once.certificate.natural_map);
    if (once.kept_forces)
        crn_repeat_forces(&s->state.report.solver, &once);
    /* counts add up; the reported certificate is the worst of the step */
    once.iterations += report->iterations;
    once.fallbacks += report->fallbacks;
    once.refactorisations += report->refactorisations;
    once.unexamined += report->unexamined;
    once.unexamined_rows =
        report->unexamined_rows > once.unexamined_rows ? report->unexamined_rows : once.unexamined_rows;
    once.out_of_time |= report->out_of_time;
    if (report->null_space > once.null_space)
    {
        once.null_space = report->null_space;
        once.velocity_null_space = report->velocity_null_space;
        once.chosen_forces = report->chosen_forces;
    }
    if (report->method && report->certificate.relative > once.certificate.relative)
    {
        once.certificate = report->certificate;
        once.outcome = report->outcome;
    }
    *report = once;
    return CAIRN_OK;
}

cairn_status crn_stage_collide(cairn_simulation *s, crn_stage *stage, crn_input *in)
{
    cairn_status status = crn_collide_hooked(s, s->trial.collider, stage->frame.pose, &s->located.reach, &in->contacts,
                                             &in->contact_count);
    return status ? crn_fail(s->context, status, "collision detection at t = %g failed", s->state.t) : CAIRN_OK;
}

/* A solution on its way into the new velocities, the displacement by them, and the positions that it moves. */
typedef struct displacing
{
    cairn_simulation *s;
    const double *v;
    double h;
} displacing;

static void displace_part(void *data, int part)
{
    const displacing *all = data;
    cairn_simulation *s = all->s;
    int parts = s->layout->parts;
    size_t n = (size_t)s->layout->block_start[s->layout->block_count], end = crn_part(n, parts, part + 1);
    for (size_t i = crn_part(n, parts, part); i < end; ++i)
    {
        s->trial.v_new[i] = all->v[i];
        s->trial.displacement[i] = all->h * all->v[i];
    }
    size_t nq = (size_t)s->layout->q_start[s->layout->block_count], first = crn_part(nq, parts, part);
    memcpy(s->trial.q_new + first, s->state.q + first, (crn_part(nq, parts, part + 1) - first) * sizeof(double));
}

cairn_status crn_solve_at_state(cairn_simulation *s, double h, crn_formulate_fn formulate, crn_treatment gyroscopic,
                                cairn_solver_report *report)
{
    assert(h > 0);
    crn_stage *stage = &s->stage[0];
    stage->weight = 1.0;
    stage->h = h;
    stage->formulate = formulate;
    s->stage_count = 1;
    bool missed = true;
    crn_rotors_before(s, h);
    s->compact.taken = 0;
    s->compact.is_load_missed = false;
    for (int pass = 0; pass < MAX_PASSES && missed; ++pass)
    {
        bool rests;
        CRN_TRY(crn_compact_rest(s, stage, h, gyroscopic, report, &rests));
        if (rests || crn_compact_applies(s, h))
        {
            if (!rests)
                CRN_TRY(crn_compact_solve(s, stage, h, gyroscopic, report));
            CRN_TRY(crn_find_missed(s, h, &stage->assembly, stage->solution.v, pass + 1 < MAX_PASSES, &missed));
            continue;
        }
        s->compact.in_a_row = 0;
        crn_input in = crn_stage_input(s, stage, h);
        in.frame = stage->at = &s->located.frame;
        in.contacts = s->located.contacts;
        in.contact_count = s->located.contact_count;
        in.patches = &s->state.patches;
        in.anchors = &s->state.anchors;
        in.collider = s->located.collider;
        CRN_TRY(crn_patches_prepare(&s->state.patches, s->located.contacts, s->located.contact_count, h));
        if (formulate(&stage->assembly, &in) != CAIRN_OK)
            return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
        CRN_TRY(crn_lag_friction(s, stage, h));
        CRN_TRY(crn_stage_solve(s, stage, report));
        CRN_TRY(crn_turn_rolling(s, stage, report));
        s->compact.is_load_missed = s->compact.is_first_load && report->outcome == CAIRN_LIMITED;
        if (s->compact.is_first_load) /* that is done once, and steps that follow are short */
            crn_solver_release_methods(stage->solver);
        if (s->compact.is_load_missed) /* the compact view takes over */
            continue;
        CRN_TRY(crn_limit_bounces(s, stage, report));
        CRN_TRY(crn_find_missed(s, h, &stage->assembly, stage->solution.v, pass + 1 < MAX_PASSES, &missed));
    }
    CRN_TRY(crn_vacate_scratch(s));
    /* contacts that came into reach in the last pass are not held: this is a solution, but not of the whole problem */
    report->outcome = missed && report->outcome == CAIRN_SOLVED ? CAIRN_MISSED : report->outcome;
    assert(stage->assembly.problem.n == s->layout->block_start[s->layout->block_count]);
    displacing all = {s, stage->solution.v, h};
    crn_in_parts(s->layout->parts, displace_part, &all);
    crn_layout_move(s->layout, s->trial.displacement, s->trial.q_new);
    return crn_wedge_keep(s, stage);
}
