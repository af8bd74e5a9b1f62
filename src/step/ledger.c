/* Filling the ledger: every place where the velocity changes tells it here, with the impulses that changed it. */
#include "step/ledger.h"

#include "base/identity.h"
#include "base/memory.h"
#include "formulate/compliance.h"
#include "math/vec.h"
#include "step/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_status crn_ledger_open(cairn_simulation *s)
{
    crn_ledger *ledger = &s->ledger;
    size_t bodies = s->model->body_count + 1, joints = s->model->joint_count + 1;
    double(**arrays[])[6] = {&ledger->before,       &ledger->after,       &ledger->outer, &ledger->inner,
                             &ledger->drive_before, &ledger->drive_after, &ledger->start};
    bool complete = true;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    {
        *arrays[i] = calloc(bodies, sizeof **arrays[i]);
        complete = complete && *arrays[i];
    }
    for (int k = 0; k < CRN_PIECE_PLACES; ++k)
    {
        ledger->joint_impulse[k] = calloc(joints, sizeof *ledger->joint_impulse[k]);
        complete = complete && ledger->joint_impulse[k];
    }
    ledger->joint_total = calloc(joints, sizeof *ledger->joint_total);
    if (s->settings.audit)
    {
        crn_audit_bodies constants = {s->layout->mass, s->layout->inertia, s->layout->bound};
        ledger->audit = crn_audit_create(s->model, &constants);
        complete = complete && ledger->audit;
    }
    return complete && ledger->joint_total ? CAIRN_OK : CAIRN_NO_MEMORY;
}

void crn_ledger_close(cairn_simulation *s)
{
    crn_ledger *ledger = &s->ledger;
    crn_audit_destroy(ledger->audit);
    free(ledger->before);
    free(ledger->after);
    free(ledger->outer);
    free(ledger->inner);
    free(ledger->drive_before);
    free(ledger->drive_after);
    free(ledger->start);
    for (int k = 0; k < CRN_PIECE_PLACES; ++k)
    {
        free(ledger->joint_impulse[k]);
    }
    free(ledger->joint_total);
    free(ledger->contacts);
    free(ledger->totals);
    free(ledger->merged);
}

/* ------------------------------------------------------------------------------------------------------ bodies */

/* Velocities of dynamic bodies out of v, six numbers each. */
static void read_velocities(const cairn_simulation *s, const double *v, double (*out)[6])
{
    const crn_layout *layout = s->layout;
    int linear = s->model->dimension;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        const double *vk = v + layout->block_start[k];
        double *to = out[layout->block_body[k]];
        int dofs = layout->block_start[k + 1] - layout->block_start[k];
        memcpy(to, vk, (size_t)linear * sizeof(double));
        if (linear == 2)
        {
            to[5] = dofs == 3 ? vk[2] : 0.0;
        }
        else if (dofs == 6)
        {
            memcpy(to + 3, vk + 3, sizeof(double[3]));
        }
    }
}

/* Velocity of a driven body at the end of [t, t + delta] that is t: three points, right to delta^2. */
static void drive_at(const cairn_model *model, int body, double t, double delta, double out[6])
{
    cairn_body_state p[3];
    double back[4], turn[4], phi[3][3] = {{0}};
    for (int k = 0; k < 3; ++k)
    {
        crn_model_pose_at(model, body, t + k * delta, &p[k]);
    }
    crn_quaternion_conjugate(p[0].orientation, back);
    for (int k = 1; k < 3; ++k)
    {
        crn_quaternion_multiply(back, p[k].orientation, turn);
        crn_quaternion_log(turn, phi[k]);
        if (model->dimension == 2)
        {
            phi[k][2] = p[k].angle - p[0].angle;
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        double once = p[1].position[i] - p[0].position[i], twice = p[2].position[i] - p[0].position[i];
        out[i] = (4 * once - twice) / (2 * delta);
        out[3 + i] = (4 * phi[1][i] - phi[2][i]) / (2 * delta);
    }
}

static void read_drives(cairn_simulation *s, double h)
{
    double delta = fmin(1e-5, 0.25 * h);
    for (int b = 0; s->frame.any_driven && b < (int)s->model->body_count; ++b)
    {
        if (s->model->bodies[b].kind == CAIRN_DRIVEN)
        {
            drive_at(s->model, b, s->t, delta, s->ledger.drive_before[b]);
            drive_at(s->model, b, s->t + h, -delta, s->ledger.drive_after[b]);
        }
    }
}

/* out += factor * g of every dynamic body of a gradient. */
static void add_gradient(const crn_layout *layout, const crn_gradient *gradient, double factor, double (*out)[6])
{
    for (int side = 0; side < 2; ++side)
    {
        int body = gradient->body[side];
        for (int k = 0; body >= 0 && layout->body_block[body] >= 0 && k < 6; ++k)
        {
            out[body][k] += factor * gradient->g[side][k];
        }
    }
}

/* Keep of six coordinates those that the body has. */
static void trim(const cairn_simulation *s, double (*impulse)[6])
{
    for (int k = 0; k < s->layout->body_block_count; ++k)
    {
        int body = s->layout->block_body[k];
        bool planar = s->model->dimension == 2;
        for (int i = 2; i < 6; ++i)
        {
            bool has = planar ? i == 5 : true;
            has = has && !(i >= 3 && s->model->bodies[body].point);
            impulse[body][i] = has ? impulse[body][i] : 0.0;
        }
    }
}

/* Gravity, outer forces, gyroscopic moments and springs of one stage. */
static void add_forces(cairn_simulation *s, const crn_stage *stage)
{
    crn_ledger *ledger = &s->ledger;
    const crn_assembly *assembly = &stage->assembly;
    for (size_t i = 0; i < assembly->spring_term_count; ++i)
    {
        const crn_spring_term *term = &assembly->spring_terms[i];
        double rate = crn_gradient_rate(s->layout, &term->gradient, stage->solution.v);
        double impulse = term->elastic_a + term->damping_a + (term->elastic_b + term->damping_b) * rate;
        add_gradient(s->layout, &term->gradient, -stage->weight * impulse, ledger->inner);
    }
    for (size_t i = 0; i < assembly->force_term_count; ++i)
    {
        const crn_force_term *term = &assembly->force_terms[i];
        for (int k = 0; k < 6; ++k)
        {
            ledger->outer[term->body][k] += stage->weight * term->impulse[k];
        }
    }
    for (size_t i = 0; i < assembly->gyro_term_count; ++i)
    {
        const crn_gyro_term *term = &assembly->gyro_terms[i];
        double moment[3];
        crn_rotate3(term->K, stage->solution.v + s->layout->block_start[term->block] + 3, moment);
        crn_sub3(term->constant, moment, moment);
        double *outer = ledger->outer[s->layout->block_body[term->block]] + 3;
        crn_madd3(outer, stage->weight, moment, outer);
    }
}

static void read_forces(cairn_simulation *s, double h)
{
    crn_ledger *ledger = &s->ledger;
    size_t size = s->model->body_count * sizeof(double[6]);
    memset(ledger->outer, 0, size);
    memset(ledger->inner, 0, size);
    for (int k = 0; k < s->layout->body_block_count; ++k)
    {
        int body = s->layout->block_body[k];
        for (int i = 0; i < s->model->dimension; ++i)
        {
            ledger->outer[body][i] = h * s->layout->mass[body] * s->gravity[i];
        }
    }
    for (int k = 0; k < s->stage_count; ++k)
    {
        add_forces(s, &s->stage[k]);
    }
    trim(s, ledger->outer);
    trim(s, ledger->inner);
}

/* ---------------------------------------------------------------------------------------------------- contacts */

/* The impulse of a contact of a stage, by the stage's weight, in the world; of a gap of a user's system, its rows. */
static void world_impulse(const crn_stage *stage, int j, double out[3])
{
    const crn_contact *contact = &stage->assembly.active[j];
    int dim = stage->assembly.problem.dim;
    const double *r = stage->solution.r + j * dim;
    const double *direction[3] = {contact->normal, contact->tangent[0], contact->tangent[1]};
    memset(out, 0, sizeof(double[3]));
    for (int i = 0; i < dim; ++i)
    {
        if (contact->body_a < 0)
        {
            out[i] = stage->weight * r[i];
            continue;
        }
        crn_madd3(out, stage->weight * r[i], direction[i], out);
    }
}

static bool is_zero(const double *r, int dim)
{
    return r[0] == 0 && r[1] == 0 && (dim < 3 || r[2] == 0);
}

static cairn_status add_contact(cairn_simulation *s, const crn_stage *stage, int place, int j, bool moved)
{
    crn_ledger *ledger = &s->ledger;
    const crn_contact *from = &stage->assembly.active[j];
    if (crn_reserve(&ledger->contacts, &ledger->contact_capacity, (size_t)ledger->contact_count + 1,
                    sizeof *ledger->contacts))
    {
        return CAIRN_NO_MEMORY;
    }
    crn_piece_contact *to = &ledger->contacts[ledger->contact_count++];
    const crn_contact *start = from;
    if (moved)
    {
        int low = 0, high = s->contact_count;
        while (low < high)
        {
            int middle = low + (high - low) / 2;
            bool below = s->contacts[middle].identity < from->identity;
            low = below ? middle + 1 : low;
            high = below ? high : middle;
        }
        bool found = low < s->contact_count && s->contacts[low].identity == from->identity;
        start = found ? &s->contacts[low] : from;
    }
    to->body_a = from->body_a;
    to->body_b = from->body_b;
    to->place = place;
    to->identity = from->identity;
    memcpy(to->point_a, from->point_a, sizeof to->point_a);
    memcpy(to->point_b, from->point_b, sizeof to->point_b);
    memcpy(to->normal, from->normal, sizeof to->normal);
    memcpy(to->normal_before, start->normal, sizeof to->normal_before);
    world_impulse(stage, j, to->impulse);
    to->gap = from->gap;
    to->gap_before = start == from && moved ? fmax(0, from->gap) : start->gap; /* not in reach: open */
    to->friction = stage->assembly.problem.mu[j];
    to->restitution = from->restitution;
    to->soft = stage->assembly.element[j] >= 0 || crn_contact_give(s->model, from).k > 0;
    to->last = place == s->stage_count - 1;
    return CAIRN_OK;
}

/* Contacts of all stages; those without an impulse have a say in impacts alone. */
static cairn_status read_contacts(cairn_simulation *s, bool impact)
{
    s->ledger.contact_count = 0;
    for (int k = 0; k < s->stage_count; ++k)
    {
        const crn_stage *stage = &s->stage[k];
        const cairn_problem *problem = &stage->assembly.problem;
        bool moved = stage->assembly.frame != &s->frame;
        for (int j = 0; j < problem->contact_count; ++j)
        {
            bool own = stage->assembly.active[j].body_a < 0;
            bool idle = !impact && is_zero(stage->solution.r + j * problem->dim, problem->dim);
            if (!own && !idle && add_contact(s, stage, k, j, moved))
            {
                return CAIRN_NO_MEMORY;
            }
        }
    }
    return CAIRN_OK;
}

static void read_joints(cairn_simulation *s, int place)
{
    const crn_stage *stage = &s->stage[place];
    const cairn_block_rows *G = &stage->assembly.problem.G; /* item j is joint j */
    for (size_t j = 0; j < s->model->joint_count; ++j)
    {
        double *to = s->ledger.joint_impulse[place][j], *total = s->ledger.joint_total[j];
        memset(to, 0, sizeof(double[CRN_PIECE_JOINT_ROWS]));
        for (int i = G->row_start[j]; i < G->row_start[j + 1]; ++i)
        {
            to[i - G->row_start[j]] = stage->weight * stage->solution.c[i];
            total[i - G->row_start[j]] += stage->weight * stage->solution.c[i];
        }
    }
}

/* ------------------------------------------------------------------------------------------------------ totals */

static int compare_totals(const void *a, const void *b)
{
    const crn_total *x = a, *y = b;
    return (x->contact.identity > y->contact.identity) - (x->contact.identity < y->contact.identity);
}

/* A contact of a stage as a new total; its arms are those of where it was evaluated. */
static crn_total new_total(const crn_stage *stage, int j)
{
    crn_total total = {.contact = stage->assembly.active[j]};
    const crn_contact *contact = &total.contact;
    world_impulse(stage, j, total.impulse);
    if (contact->body_a >= 0)
    {
        crn_sub3(contact->point_a, stage->assembly.frame->pose[contact->body_a].x, total.arm_a);
        crn_sub3(contact->point_b, stage->assembly.frame->pose[contact->body_b].x, total.arm_b);
    }
    total.contact.friction = stage->assembly.problem.mu[j];
    return total;
}

/* Merge the contacts of a stage, which ascend by identity, into the totals of the step. */
static cairn_status add_totals(cairn_simulation *s, const crn_stage *stage)
{
    crn_ledger *ledger = &s->ledger;
    int more = stage->assembly.problem.contact_count, count = 0;
    if (crn_reserve(&ledger->merged, &ledger->merged_capacity, (size_t)(ledger->total_count + more) + 1,
                    sizeof *ledger->merged))
    {
        return CAIRN_NO_MEMORY;
    }
    for (int i = 0, j = 0; i < ledger->total_count || j < more;)
    {
        crn_total fresh = {.contact.identity = UINT64_MAX};
        fresh = j < more ? new_total(stage, j) : fresh;
        int order = i == ledger->total_count ? 1 : j == more ? -1 : compare_totals(&ledger->totals[i], &fresh);
        ledger->merged[count] = order < 0 ? ledger->totals[i] : fresh;
        if (order == 0)
        {
            crn_add3(fresh.impulse, ledger->totals[i].impulse, ledger->merged[count].impulse);
        }
        i += order <= 0;
        j += order >= 0;
        ++count;
    }
    crn_total *swap = ledger->totals;
    size_t capacity = ledger->total_capacity;
    ledger->totals = ledger->merged;
    ledger->total_capacity = ledger->merged_capacity;
    ledger->merged = swap;
    ledger->merged_capacity = capacity;
    ledger->total_count = count;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------ pieces */

/* How far friction may reach beyond mu r_n: a pyramid's polygon lies within the circle, but the square has corners outside. */
static double cone_of(const cairn_simulation *s)
{
    cairn_law law = s->settings.law;
    bool space = s->model->dimension == 3;
    switch (law.kind)
    {
    case CAIRN_LAW_FRICTIONLESS:
        return 0.0;
    case CAIRN_LAW_BOX:
        return space ? sqrt(2.0) : 1.0;
    case CAIRN_LAW_LAGGED:
        return INFINITY; /* its bound is that of the step before */
    default:
        return 1.0;
    }
}

static bool is_crowded(const cairn_simulation *s)
{
    bool crowded = false;
    for (size_t i = 0; i < s->event_count; ++i)
    {
        crowded = crowded || s->events[i].kind == CAIRN_EVENT_STORM;
    }
    for (int k = 0; k < s->stage_count; ++k)
    {
        crowded = crowded || s->stage[k].left > 0;
    }
    return crowded;
}

static crn_piece_book read_book(cairn_simulation *s)
{
    cairn_energy *last = &s->ledger.booked;
    const cairn_energy *now = &s->energy;
    crn_piece_book book = {.normal = now->work_contact_normal - last->work_contact_normal,
                           .friction = now->work_friction - last->work_friction,
                           .joints = now->work_joints - last->work_joints,
                           .sum = fabs(now->work_contact_normal) + fabs(now->work_friction) + fabs(now->work_joints),
                           .complete = !s->model->gives && s->model->system_count == 0 && s->patches.block_count == 0};
    return book;
}

static void set_places(cairn_simulation *s, crn_piece *piece)
{
    crn_ledger *ledger = &s->ledger;
    piece->place_count = s->stage_count;
    for (int k = 0; k < s->stage_count; ++k)
    {
        const crn_frame *frame = s->stage[k].assembly.frame;
        bool at_start = frame == &s->frame;
        crn_piece_place *place = &piece->place[k];
        place->pose = frame->pose;
        place->drive_before = at_start ? frame->drive : ledger->drive_before;
        place->drive_after = at_start ? frame->drive : ledger->drive_after;
        place->joint_impulse = s->model->joint_count > 0 ? ledger->joint_impulse[k] : NULL;
    }
}

/* Collect a piece, sum it up, and have it judged. */
static cairn_status tell(cairn_simulation *s, double h, bool impact)
{
    crn_ledger *ledger = &s->ledger;
    cairn_status status = CAIRN_OK;
    for (int k = 0; k < s->stage_count && !status; ++k)
    {
        read_joints(s, k);
        status = crn_is_second_order(s->settings.integrator) ? add_totals(s, &s->stage[k]) : CAIRN_OK;
    }
    if (status || !ledger->audit || (!impact && !(h > 0))) /* a part that lasts no time does nothing */
    {
        return status;
    }
    read_velocities(s, s->v_old, ledger->before);
    read_velocities(s, s->v, ledger->after);
    if (!impact)
    {
        read_forces(s, h);
        read_drives(s, h);
    }
    status = read_contacts(s, impact);
    bool correct = s->settings.stabilisation == CAIRN_STABILISE_GAP && !impact;
    bool lifts = s->settings.law.kind == CAIRN_LAW_CONVEX_PYRAMID || s->settings.law.kind == CAIRN_LAW_CONVEX_CONE;
    crn_piece piece = {
        .t = s->t,
        .h = h,
        .drift_time = correct ? fmax(h, s->stage[0].assembly.frame == &s->frame ? h : s->settings.step) : INFINITY,
        .tolerance = s->settings.solver.tolerance,
        .speed = s->settings.step * crn_norm3(s->gravity),
        .threshold = s->settings.restitution_threshold,
        .crowded = is_crowded(s),
        .cone = cone_of(s),
        .lifts = lifts,
        .pose = s->frame.pose,
        .before = ledger->before,
        .after = ledger->after,
        .outer = ledger->outer,
        .inner = ledger->inner,
        .contacts = ledger->contacts,
        .contact_count = ledger->contact_count,
        .book = read_book(s),
    };
    set_places(s, &piece);
    if (ledger->watch && !status)
    {
        ledger->watch(ledger->watch_data, &piece);
    }
    return status ? status : crn_audit_piece(ledger->audit, &piece);
}

static cairn_status finish(cairn_simulation *s, cairn_status status)
{
    s->ledger.booked = s->energy;
    return status ? crn_fail(s->context, status, "audit at t = %g: memory ran out", s->t) : CAIRN_OK;
}

cairn_status crn_ledger_smooth(cairn_simulation *s, double h)
{
    return finish(s, tell(s, h, false));
}

cairn_status crn_ledger_impact(cairn_simulation *s)
{
    return finish(s, tell(s, 0.0, true));
}

/* ------------------------------------------------------------------------------------------------------- steps */

void crn_ledger_settle(cairn_simulation *s)
{
    if (s->ledger.audit)
    {
        crn_audit_start(s->ledger.audit, s->t, s->contacts, s->contact_count);
    }
    s->report.physics.violations = s->ledger.audit ? crn_audit_found(s->ledger.audit) : 0;
    s->report.physics.forbidden = s->ledger.audit ? crn_audit_forbidden(s->ledger.audit, s->settings.allow) : 0;
}

/* Velocities of driven bodies where motion is asked for, those of fixed ones stay 0. */
static void copy_drives(const cairn_simulation *s, double (*out)[6])
{
    for (int b = 0; s->frame.any_driven && b < (int)s->model->body_count; ++b)
    {
        if (s->model->bodies[b].kind == CAIRN_DRIVEN)
        {
            memcpy(out[b], s->frame.drive[b], sizeof out[b]);
        }
    }
}

cairn_status crn_ledger_begin(cairn_simulation *s)
{
    crn_ledger *ledger = &s->ledger;
    ledger->total_count = 0;
    ledger->projection_missed = 0;
    ledger->booked = s->energy;
    ledger->t = s->t;
    memset(ledger->joint_total, 0, s->model->joint_count * sizeof *ledger->joint_total);
    if (!ledger->audit)
    {
        return CAIRN_OK;
    }
    crn_audit_begin(ledger->audit);
    read_velocities(s, s->v, ledger->start);
    copy_drives(s, ledger->start);
    return finish(s, crn_audit_from(ledger->audit, s->contacts, s->contact_count));
}

void crn_ledger_moved(cairn_simulation *s)
{
    if (!s->report.projection_met)
    {
        s->ledger.projection_missed = fmax(s->ledger.projection_missed, s->report.projection_error);
    }
}

void crn_ledger_end(cairn_simulation *s, double h)
{
    crn_ledger *ledger = &s->ledger;
    s->report.physics = (cairn_physics_report){0};
    if (!ledger->audit)
    {
        return;
    }
    read_velocities(s, s->v, ledger->after);
    copy_drives(s, ledger->after);
    crn_audit_motion motion = {
        .t = ledger->t,
        .h = h,
        .tolerance = s->settings.solver.tolerance,
        .before = ledger->start,
        .after = ledger->after,
        .contact_tolerance = crn_is_second_order(s->settings.integrator) ? s->settings.contact_tolerance : 0.0,
        .projection_missed = ledger->projection_missed,
        .projection_tolerance = s->settings.projection_tolerance,
        .book_kinetic = s->model->system_count > 0 ? NAN : s->energy.kinetic,
    };
    crn_audit_end(ledger->audit, &motion, s->contacts, s->contact_count);
    s->report.physics.violations = crn_audit_found(ledger->audit);
    s->report.physics.forbidden = crn_audit_forbidden(ledger->audit, s->settings.allow);
}
