/* A first-order step whose contacts are solved by sweeps over the compact view. */
#include "step/compact/compact_step.h"

#include "base/parallel_ranges.h"
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    IDLE_STEPS = 16,    /* compact steps in a row after which the memory of the general solver is released, ... */
    IDLE_CONTACTS = 60, /* where it may be large: more contacts than these */
    MANY = 150,         /* contacts: more are swept even where all islands are small, ... */
    MANY_ROLL = 12,     /* ... and more than these where grains resist rolling, for which general problems are slow */
    LARGE =
        1000, /* bodies: larger models are always swept, since the general problem of so many bodies is large without contacts */
    SHARED = 4096, /* bodies or contacts: loops over more are shared by threads */
    HEAP =
        500 /* contacts: heaps at rest up to this size are solved exactly when they are first loaded; structures up to CRN_STRUCTURE */
};

int crn_compact_threads(const cairn_simulation *s, int items)
{
    int threads = items >= SHARED ? s->settings.solver.threads : 1;
    return threads < 1 ? 1 : threads < CRN_COMPACT_THREADS ? threads : CRN_COMPACT_THREADS;
}

/* Rigid bodies and rigid contacts alone. */
static bool model_allows(const cairn_model *model)
{
    return model->joint_count == 0 && model->spring_count == 0 && model->system_count == 0 && !model->gives;
}

/* In the plane a convex pyramid is the convex cone. */
static bool law_allows(cairn_law_kind law, int dimension)
{
    return law != CAIRN_LAW_LAGGED && (law != CAIRN_LAW_CONVEX_PYRAMID || dimension == 2);
}

static bool settings_allow(const cairn_settings *settings, int dimension)
{
    bool any_forces = settings->solver.forces == CAIRN_FORCES_AUTO || settings->solver.forces == CAIRN_FORCES_ANY;
    return settings->accuracy != CAIRN_ACCURACY_EXACT && settings->solver.kind == CAIRN_SOLVER_AUTO && any_forces &&
           settings->stabilisation != CAIRN_STABILISE_PROJECT && !crn_is_second_order(settings->integrator) &&
           law_allows(settings->law.kind, dimension);
}

bool crn_compact_may_apply(const cairn_simulation *s)
{
    return settings_allow(&s->settings, s->model->dimension) && model_allows(s->model) &&
           s->state.patches.block_count == 0;
}

/* Whether no body in contact moves faster than gravity makes it in two steps. */
static bool is_quiet(const cairn_simulation *s, double h)
{
    double limit = 2 * h * h * crn_norm3(s->state.gravity);
    for (int j = 0; j < s->located.contact_count; ++j)
    {
        const crn_contact *contact = &s->located.contacts[j];
        crn_motion a = crn_motion_of(s, contact->body_a, s->state.v, h);
        crn_motion b = crn_motion_of(s, contact->body_b, s->state.v, h);
        if (crn_norm3(a.travel) + a.turn > limit || crn_norm3(b.travel) + b.turn > limit)
            return false;
    }
    return true;
}

bool crn_structure_rests(const cairn_simulation *s, double h)
{
    int count = s->located.contact_count;
    return count > 0 && count <= CRN_STRUCTURE && crn_is_structure(s) && is_quiet(s, h);
}

/* No method that factorises solves general problems with polygons. */
static bool has_polygon(const cairn_simulation *s)
{
    return s->model->dimension == 3 && crn_compact_has_polygon(s->settings.law.kind);
}

bool crn_compact_applies(cairn_simulation *s, double h)
{
    s->compact.is_first_load = false;
    bool is_large = s->model->body_count > LARGE;
    if (!crn_compact_may_apply(s) || (s->located.contact_count == 0 && !is_large))
        return false;
    int large = crn_compact_islands(s, s->located.contacts, s->located.contact_count);
    bool rolls = s->model->rolls && MANY_ROLL < s->located.contact_count;
    bool many = large == 0 && (rolls || (s->located.contact_count > MANY && s->compact.has_many_islands));
    s->compact.is_first_load = (large > 0 || many) && !rolls && !has_polygon(s) && s->stage[0].warm->count == 0 &&
                               !s->compact.is_load_missed && is_quiet(s, h) &&
                               s->located.contact_count <= (crn_is_structure(s) ? CRN_STRUCTURE : HEAP);
    return (large > 0 || many || (large == 0 && is_large)) && !s->compact.is_first_load;
}

/* Whether a contact may take over from another one of its shapes. Two of spheres and half-spaces have no other. */
static bool has_places(const cairn_simulation *s)
{
    return !s->compact.all_plain;
}

/* Impulses on their way out of memory, part by part. */
typedef struct recalling
{
    const crn_stage *stage;
    double (*impulse)[3];
    int parts;
    bool ascends[CRN_COMPACT_THREADS]; /* per part: its identities do */
} recalling;

static void recall_part(void *data, int part)
{
    const recalling *all = data;
    const crn_named named = crn_stage_names(all->stage);
    size_t count = (size_t)named.count;
    int first = (int)crn_part(count, all->parts, part), end = (int)crn_part(count, all->parts, part + 1);
    crn_warm_recall_range(all->stage->warm, &named, first, end, (double *)all->impulse);
}

/* And back, under the names of this step's contacts. */
static void keep_part(void *data, int part)
{
    recalling *all = data;
    const crn_named named = crn_stage_names(all->stage);
    size_t count = (size_t)named.count;
    int first = (int)crn_part(count, all->parts, part), end = (int)crn_part(count, all->parts, part + 1);
    all->ascends[part] = crn_warm_keep_range(all->stage->warm, &named, first, end, (const double *)all->impulse);
}

static cairn_status keep_recalled(recalling *all)
{
    const crn_named named = crn_stage_names(all->stage);
    CRN_TRY(crn_warm_reserve(all->stage->warm, (size_t)named.count, 3));
    crn_in_parts(all->parts, keep_part, all);
    bool ascend = true;
    for (int part = 0; part < all->parts; ++part)
        ascend = ascend && all->ascends[part];
    if (!ascend)
        return crn_warm_keep(all->stage->warm, &named, (const double *)all->impulse);
    crn_warm_finish(all->stage->warm, &named);
    return CAIRN_OK;
}

/* Whether the remembered impulses are those of the same contacts. */
static bool is_same_list(const crn_stage *stage)
{
    const crn_warm *warm = stage->warm;
    const crn_named named = crn_stage_names(stage);
    bool same = warm->count == named.count && !warm->is_mixed;
    for (int j = 0; same && j < warm->count; ++j)
        same = warm->key[j] == crn_name_of(&named, j);
    return same;
}

/* In space the impulses of a step are solved for where they are remembered: from here on the memory is that of the contacts of this step. What
 * it has for them is put together in the scratch. A memory without history stays so until the step is solved. */
static cairn_status recall_in_place(cairn_simulation *s, crn_stage *stage)
{
    crn_warm *warm = stage->warm;
    const crn_named named = crn_stage_names(stage);
    size_t count = (size_t)named.count;
    bool is_known = warm->count > 0 && count > 0;
    if (is_known && !is_same_list(stage))
    {
        double(*guess)[3] = crn_scratch_take(s->scratch, count * sizeof *guess);
        if (!guess)
            return CAIRN_NO_MEMORY;
        recalling all = {.stage = stage, .impulse = guess, .parts = crn_compact_threads(s, named.count)};
        if (has_places(s))
            crn_recall_world(s, stage, guess);
        else
            crn_in_parts(all.parts, recall_part, &all);
        CRN_TRY(keep_recalled(&all));
    }
    if (is_known && has_places(s))
        CRN_TRY(crn_keep_places(stage));
    CRN_TRY(crn_warm_reserve(warm, count, 3));
    if (!is_known)
        memset(warm->r, 0, 3 * count * sizeof(double));
    s->compact.is_kept = is_known;
    s->compact.impulse = stage->impulse = (double(*)[3])warm->r;
    return CAIRN_OK;
}

/* Impulses of the same contacts in the last step, turned into world vectors. */
static cairn_status recall(cairn_simulation *s, crn_stage *stage)
{
    const crn_assembly *assembly = &stage->assembly;
    int dim = assembly->problem.dim, count = assembly->problem.contact_count;
    const double *guess;
    CRN_TRY(crn_vacate_scratch(s));
    if (dim == 3)
        return recall_in_place(s, stage);
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(s->compact.plane_impulse, count)));
    double(*impulse)[3] = s->compact.impulse = stage->impulse = s->compact.plane_impulse;
    s->compact.is_kept = false;
    memset(impulse, 0, (size_t)count * sizeof *impulse);
    CRN_TRY(crn_recall_impulses(s, stage, &guess));
    for (int j = 0; guess && j < count; ++j)
    {
        const crn_contact *contact = &assembly->active[j];
        const double *r = guess + j * dim;
        double t[2][3];
        crn_contact_tangents(contact, dim, t);
        crn_madd3(impulse[j], r[0], contact->normal, impulse[j]);
        crn_madd3(impulse[j], r[1], t[0], impulse[j]);
    }
    return CAIRN_OK;
}

/* Sweeps find some forces that do; whether others would, too, is not asked. */
static void count_unexamined(const cairn_simulation *s, cairn_solver_report *report)
{
    const crn_compact_scratch *c = &s->compact;
    int dimension = cairn_model_dimension(s->model);
    if (s->settings.solver.forces == CAIRN_FORCES_ANY)
        return;
    for (int b = 0; b < c->problem.body_count; ++b)
        report->unexamined += c->island_contacts[b] > 1;
    report->unexamined_rows = report->unexamined > 0 ? dimension * report->largest_island : 0;
}

static void fill_report(const cairn_simulation *s, int sweeps, const crn_compact_certificate *judged,
                        cairn_solver_report *report)
{
    const crn_compact_scratch *c = &s->compact;
    double worst = fmax(judged->worst, c->still);
    cairn_certificate certificate = {.natural_map = judged->worst,
                                     .dynamics = c->still,
                                     .penetration_speed = judged->normal,
                                     .scale = judged->scale,
                                     .relative = judged->scale > 0 ? worst / judged->scale : 0.0,
                                     .worst_contact = judged->contact};
    int iterations = report->iterations;
    bool rests = sweeps == 0 && c->problem.contact_count > 0 && crn_compact_left(s) > 0;
    *report =
        (cairn_solver_report){.iterations = iterations + sweeps, .method = rests ? "rest" : "sweeps", .culprit = -1};
    report->certificate = certificate;
    report->outcome = certificate.relative <= s->settings.solver.tolerance ? CAIRN_SOLVED : CAIRN_LIMITED;
    for (int b = 0; b < c->problem.body_count; ++b)
    {
        report->islands += c->island_contacts[b] > 0;
        if (c->island_contacts[b] > report->largest_island)
            report->largest_island = c->island_contacts[b];
    }
    if (rests)
        crn_repeat_forces(&s->state.report.solver, report);
    else
        count_unexamined(s, report);
}

/* Take over a share of what contact i starts from. */
static void scale_start(const crn_compact_problem *problem, double share, int i, double impulse[3])
{
    crn_scale3(share, impulse, impulse);
    if (problem->rolling)
        crn_scale3(share, problem->rolling[i].moment, problem->rolling[i].moment);
}

/* Sweep the islands that are not at rest. */
static cairn_status solve_islands(cairn_simulation *s, double h, int *sweeps, crn_compact_certificate *certificate)
{
    crn_compact_scratch *c = &s->compact;
    const crn_compact_problem *moving;
    c->problem.momentum = crn_compact_momentum_of(c, c->impulse);
    CRN_TRY(crn_rest_find(s, h, &moving));
    bool all = moving->contact_count == c->problem.contact_count;
    double(*impulse)[3] = all ? c->impulse : c->moving_impulse;
    if (moving->contact_count > 0)
    {
        double trust = c->is_cold || crn_compact_left(s) == 0 ? 1.0 : crn_compact_trust(s, h, moving->contact_count);
        for (int i = 0; trust < 1 && i < moving->contact_count; ++i)
            scale_start(moving, trust, i, impulse[i]);
        CRN_TRY(crn_compact_load(c->sweeps, moving, (const double(*)[3])impulse));
        CRN_TRY(crn_compact_policy(s, h, moving, impulse, certificate, sweeps));
    }
    for (int i = 0; !all && i < moving->contact_count; ++i)
        memcpy(c->impulse[c->moving_index[i]], impulse[i], sizeof impulse[i]);
    if (!all)
        crn_compact_return_rolling(c, moving, c->moving_index);
    if (!all && moving->contact_count == 0)
        *certificate = c->judged;
    else if (!all || moving->contact_count == 0)
        crn_compact_judge(&c->problem, (const double(*)[3])c->impulse, c->after, c->residual, certificate);
    bool polish = s->settings.accuracy == CAIRN_ACCURACY_BALANCED && s->settings.solver.max_iterations == 0;
    return polish ? crn_compact_polish(s, certificate, sweeps) : CAIRN_OK;
}

/* The general solver keeps memory in proportion to the largest problem that it has solved. Once several compact steps in a row have not
 * used it, it is exchanged for a new one, which has none. It holds no state: results do not depend on it. */
static void exchange_idle_solver(cairn_simulation *s, crn_stage *stage)
{
    if (++s->compact.in_a_row != IDLE_STEPS || s->compact.problem.contact_count <= IDLE_CONTACTS)
        return;
    cairn_solver *fresh = cairn_solver_create(s->context);
    if (!fresh)
        return;
    cairn_solver_destroy(stage->solver);
    stage->solver = fresh;
}

/* Read the solution from the impulses and velocities, and report it. */
static cairn_status conclude(cairn_simulation *s, crn_stage *stage, int sweeps, const crn_compact_certificate *judged,
                             cairn_solver_report *report)
{
    crn_compact_scratch *c = &s->compact;
    bool rests = c->any_rest && !c->any_settles && c->moving.contact_count == 0;
    bool is_kept = c->is_kept || (rests && is_same_list(stage));
    crn_rest_hold(s);
    crn_compact_read_solution(s, stage);
    if (s->model->dimension == 2 && crn_compact_read_rows(s, stage))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    s->trial.problems += 1;
    s->trial.left = judged->worst;
    s->trial.still = c->still;
    s->state.velocity_scale = judged->scale;
    stage->relaxed = 0;
    fill_report(s, sweeps, judged, report);
    exchange_idle_solver(s, stage);
    if ((!is_kept && crn_keep_impulses(stage, has_places(s))) || crn_compact_keep_rolling(s, stage))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    return CAIRN_OK;
}

cairn_status crn_compact_solve(cairn_simulation *s, crn_stage *stage, double h, crn_treatment gyroscopic,
                               cairn_solver_report *report)
{
    assert(h > 0);
    crn_compact_scratch *c = &s->compact;
    int sweeps = 0;
    c->sweeps = c->sweeps ? c->sweeps : crn_compact_create(s->scratch);
    cairn_status status = c->sweeps ? crn_compact_view(s, stage, h, gyroscopic) : CAIRN_NO_MEMORY;
    status = status ? status : recall(s, stage);
    c->is_structure = c->has_faces && crn_is_structure(s);
    c->layers = -1;
    c->is_cold = false;
    if (!status && (stage->warm->count == 0 || c->is_load_missed))
        status = crn_compact_carry(s, h, &c->is_cold);
    c->is_load_missed = c->any_settles = false;
    bool may_settle = stage->warm->count > 0 || c->problem.polygon;
    if (!status && c->taken == 0 && c->is_structure && c->problem.contact_count <= CRN_STRUCTURE && may_settle)
        status = crn_compact_settle(s, stage, h, &report->iterations);
    crn_compact_certificate certificate;
    status = status ? status : solve_islands(s, h, &sweeps, &certificate);
    const int halves = 3; /* passes with less restitution, each of which takes half of the sweeps that are left */
    for (double share = crn_compact_left(s) > halves ? 0.5 : 0.0;
         !status && crn_compact_limit_bounces(s, h, 2 * certificate.worst, share); share = share > 0.25 ? 0.25 : 0.0)
    {
        status = solve_islands(s, h, &sweeps, &certificate);
        if (share == 0)
            break;
    }
    if (status)
        return crn_fail(s->context, status, "step at t = %g: memory ran out", s->state.t);
    return conclude(s, stage, sweeps, &certificate, report);
}

cairn_status crn_compact_rest(cairn_simulation *s, crn_stage *stage, double h, crn_treatment gyroscopic,
                              cairn_solver_report *report, bool *rests)
{
    assert(h > 0);
    crn_compact_scratch *c = &s->compact;
    *rests = false;
    if (!crn_compact_may_apply(s) || s->located.contact_count == 0 || !crn_rest_is_likely(s, h))
        return CAIRN_OK;
    /* Without a history nothing rests. But where few contacts make the steps that follow short, what they need is made ready now. */
    bool has_history = stage->warm->count > 0;
    if (!has_history && s->located.contact_count > IDLE_CONTACTS)
        return CAIRN_OK;
    if (crn_compact_islands(s, s->located.contacts, s->located.contact_count) < 0 ||
        crn_compact_view(s, stage, h, gyroscopic) || recall(s, stage))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    const crn_compact_problem *moving;
    c->any_settles = false;
    c->layers = -1;
    if (crn_rest_find(s, h, &moving))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    *rests = moving->contact_count == 0 && c->any_rest && has_history;
    if (!*rests)
        return CAIRN_OK;
    return conclude(s, stage, 0, &c->judged, report);
}
