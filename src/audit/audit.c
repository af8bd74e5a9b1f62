/* The audit's life, its list of violations, and the order in which a piece is judged. */
#include "audit/inside.h"

#include "base/memory.h"
#include "math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double HUGE_SPEED = 1e100; /* m/s, rad/s: beyond it energies are no numbers */

/* Inverse of an inertia; zero where the body does not turn. In the plane only the last entry counts. */
static void invert(const double I[9], bool planar, double out[9])
{
    memset(out, 0, sizeof(double[9]));
    if (planar)
    {
        out[8] = I[8] > 0 ? 1 / I[8] : 0.0;
        return;
    }
    double column[3][3], cross[3][3];
    for (int k = 0; k < 9; ++k)
    {
        column[k % 3][k / 3] = I[k];
    }
    for (int i = 0; i < 3; ++i)
    {
        crn_cross3(column[(i + 1) % 3], column[(i + 2) % 3], cross[i]);
    }
    double determinant = crn_dot3(column[0], cross[0]);
    for (int k = 0; determinant > 0 && k < 9; ++k)
    {
        out[k] = cross[k / 3][k % 3] / determinant;
    }
}

crn_audit *crn_audit_create(const cairn_model *model, const crn_audit_bodies *bodies)
{
    crn_audit *audit = calloc(1, sizeof *audit);
    if (!audit)
    {
        return NULL;
    }
    size_t count = model->body_count + 1;
    audit->model = model;
    audit->bodies = *bodies;
    audit->count = (int)model->body_count;
    audit->inverse = calloc(count, sizeof *audit->inverse);
    audit->twists = calloc(count, sizeof *audit->twists);
    audit->account = calloc(count, sizeof *audit->account);
    audit->group = calloc(count, sizeof *audit->group);
    if (!audit->inverse || !audit->twists || !audit->account || !audit->group)
    {
        crn_audit_destroy(audit);
        return NULL;
    }
    for (int b = 0; b < audit->count; ++b)
    {
        if (crn_audit_moves(audit, b) && !model->bodies[b].point)
        {
            invert(bodies->inertia[b], model->dimension == 2, audit->inverse[b]);
        }
    }
    return audit;
}

void crn_audit_destroy(crn_audit *audit)
{
    if (audit)
    {
        free(audit->inverse);
        free(audit->twists);
        free(audit->account);
        free(audit->group);
        free(audit->measured);
        free(audit->start);
        free(audit);
    }
}

/* ------------------------------------------------------------------------------------------------ violations */

double crn_audit_ratio(const cairn_violation *violation)
{
    bool number = !isnan(violation->size) && !isnan(violation->allowance);
    return number ? violation->size / fmax(violation->allowance, 1e-300) : INFINITY;
}

void crn_audit_note(crn_audit *audit, const cairn_violation *violation)
{
    cairn_violation *worst = &audit->step.worst[violation->kind];
    if (audit->step.count[violation->kind]++ == 0 || crn_audit_ratio(violation) > crn_audit_ratio(worst))
    {
        *worst = *violation;
    }
    if (audit->listed_count < CRN_AUDIT_LISTED)
    {
        audit->listed[audit->listed_count++] = *violation;
    }
    audit->found += 1;
}

void crn_audit_begin(crn_audit *audit)
{
    audit->listed_count = audit->found = 0;
    memset(&audit->step, 0, sizeof audit->step);
}

static void add_to_totals(crn_audit *audit)
{
    for (int kind = 0; kind < CAIRN_VIOLATION_KINDS; ++kind)
    {
        const cairn_violation *worst = &audit->step.worst[kind];
        bool first = audit->totals.count[kind] == 0;
        if (audit->step.count[kind] > 0 &&
            (first || crn_audit_ratio(worst) > crn_audit_ratio(&audit->totals.worst[kind])))
        {
            audit->totals.worst[kind] = *worst;
        }
        audit->totals.count[kind] += audit->step.count[kind];
    }
}

int crn_audit_found(const crn_audit *audit)
{
    return audit->found;
}

int crn_audit_forbidden(const crn_audit *audit, uint32_t allow)
{
    int64_t count = 0;
    for (int kind = 0; kind < CAIRN_VIOLATION_KINDS; ++kind)
    {
        count += allow >> kind & 1u ? 0 : audit->step.count[kind];
    }
    return (int)count;
}

int crn_audit_listed(const crn_audit *audit)
{
    return audit->listed_count;
}

cairn_violation crn_audit_violation(const crn_audit *audit, int index)
{
    cairn_violation none = {.kind = CAIRN_VIOLATION_NOT_FINITE, .time = NAN};
    return index >= 0 && index < audit->listed_count ? audit->listed[index] : none;
}

const cairn_audit_totals *crn_audit_totals(const crn_audit *audit)
{
    return &audit->totals;
}

/* ---------------------------------------------------------------------------------------------------- a piece */

/* Whether all velocities are numbers one can calculate with; says which are not. */
static bool is_finite(crn_audit *audit, double (*v)[6], double t)
{
    for (int b = 0; b < audit->count; ++b)
    {
        for (int k = 0; k < 6 && crn_audit_moves(audit, b); ++k)
        {
            if (!(fabs(v[b][k]) < HUGE_SPEED))
            {
                crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_NOT_FINITE,
                                                         .time = t,
                                                         .a.id = b + 1,
                                                         .size = isnan(v[b][k]) ? NAN : fabs(v[b][k]),
                                                         .allowance = HUGE_SPEED});
                return false;
            }
        }
    }
    return true;
}

/* The velocity that all impulses but those of contacts and joints would give a body. */
static void set_free(crn_audit *audit, const crn_piece *piece, int body)
{
    crn_account *account = &audit->account[body];
    double moment[3], turn[3];
    memcpy(account->free, piece->before[body], sizeof account->free);
    if (piece->h > 0)
    {
        const double *outer = piece->outer[body], *inner = piece->inner[body];
        for (int k = 0; k < 3; ++k)
        {
            account->free[k] += (outer[k] + inner[k]) / audit->bodies.mass[body];
            moment[k] = outer[3 + k] + inner[3 + k];
        }
        crn_rotate3(audit->inverse[body], moment, turn);
        crn_add3(account->free + 3, turn, account->free + 3);
    }
}

static void open_accounts(crn_audit *audit, const crn_piece *piece)
{
    for (int b = 0; b < audit->count; ++b)
    {
        memset(&audit->account[b], 0, sizeof audit->account[b]);
        audit->account[b].group = b;
        if (crn_audit_moves(audit, b))
        {
            set_free(audit, piece, b);
        }
    }
}

static void join_groups(crn_audit *audit, const crn_piece *piece)
{
    const cairn_model *model = audit->model;
    for (int i = 0; i < piece->contact_count; ++i)
    {
        int a = piece->contacts[i].body_a, b = piece->contacts[i].body_b;
        audit->account[a].linked = audit->account[b].linked = true;
        crn_groups_join(audit, a, b);
    }
    for (size_t i = 0; i < model->joint_count; ++i)
    {
        int bodies[2] = {model->joints[i].a.body, model->joints[i].b.body};
        crn_groups_join(audit, bodies[0], bodies[1]);
        for (int side = 0; side < 2; ++side)
        {
            crn_account *account = &audit->account[bodies[side] >= 0 ? bodies[side] : audit->count];
            account->jointed = account->linked = true;
        }
    }
    for (size_t i = 0; i < model->spring_count; ++i)
    {
        crn_groups_join(audit, model->springs[i].a.body, model->springs[i].b.body);
    }
    crn_groups_end(audit);
}

/* One velocity of a body, linear world and angular body frame, as a twist in the world. */
static void set_twist(crn_twists *twists, int which, const double v[6], const double R[9])
{
    memcpy(twists->v[which], v, sizeof twists->v[which]);
    crn_rotate3(R, v + 3, twists->w[which]);
}

/* Velocities of all bodies at a place, and no impulses yet. */
static void set_twists(crn_audit *audit, const crn_piece *piece, const crn_piece_place *place)
{
    for (int b = 0; b < audit->count; ++b)
    {
        crn_twists *twists = &audit->twists[b];
        const double *R = place->pose[b].R;
        bool moves = crn_audit_moves(audit, b);
        if (moves && !audit->account[b].linked)
        {
            continue;
        }
        memset(twists, 0, sizeof *twists);
        if (moves || audit->model->bodies[b].kind == CAIRN_DRIVEN)
        {
            set_twist(twists, CRN_BEFORE, moves ? piece->before[b] : place->drive_before[b], R);
            set_twist(twists, CRN_AFTER, moves ? piece->after[b] : place->drive_after[b], R);
            set_twist(twists, CRN_FREE, moves ? audit->account[b].free : place->drive_after[b], R);
            double fastest = fmax(crn_norm3(twists->w[CRN_BEFORE]), crn_norm3(twists->w[CRN_AFTER]));
            double linear = fmax(crn_norm3(twists->v[CRN_FREE]), crn_norm3(twists->v[CRN_AFTER]));
            double spin = fmax(crn_norm3(twists->w[CRN_FREE]), fastest);
            twists->speed = linear + (spin > 0 ? spin * audit->bodies.bound[b] : 0.0);
            twists->turn = place->pose == piece->pose ? 0.0 : piece->h * fastest;
        }
        audit->account[b].touching = 0;
    }
}

/* Impulses at a place into the account of the piece, moments into body frames. */
static void collect(crn_audit *audit, const crn_piece_place *place)
{
    for (int b = 0; b < audit->count; ++b)
    {
        crn_account *account = &audit->account[b];
        double moment[3];
        if (!account->linked)
        {
            continue;
        }
        crn_unrotate3(place->pose[b].R, audit->twists[b].torque, moment);
        crn_add3(account->given, audit->twists[b].force, account->given);
        crn_add3(account->given + 3, moment, account->given + 3);
    }
}

/* What the book says against what was measured. */
static void judge_book(crn_audit *audit, const crn_piece *piece)
{
    const double told[3] = {piece->book.normal, piece->book.friction, piece->book.joints};
    for (int k = 0; k < 3 && piece->book.complete; ++k)
    {
        crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_BOOK,
                                                 .time = piece->t + piece->h,
                                                 .size = fabs(told[k] - audit->work[k]),
                                                 .allowance = 1e-9 * audit->work_size + 1e-13 * piece->book.sum});
    }
}

cairn_status crn_audit_piece(crn_audit *audit, const crn_piece *piece)
{
    if (crn_reserve(&audit->measured, &audit->measured_capacity, (size_t)piece->contact_count + 1,
                    sizeof *audit->measured))
    {
        return CAIRN_NO_MEMORY;
    }
    if (!is_finite(audit, piece->before, piece->t) || !is_finite(audit, piece->after, piece->t + piece->h))
    {
        return CAIRN_OK;
    }
    memset(audit->work, 0, sizeof audit->work);
    audit->work_size = 0;
    open_accounts(audit, piece);
    join_groups(audit, piece);
    for (int k = 0; k < piece->place_count; ++k)
    {
        set_twists(audit, piece, &piece->place[k]);
        crn_measure_joints(audit, piece, k);
        crn_measure_contacts(audit, piece, k);
        collect(audit, &piece->place[k]);
    }
    crn_judge_contacts(audit, piece);
    crn_judge_bodies(audit, piece);
    crn_judge_groups(audit, piece);
    judge_book(audit, piece);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------- a step's two ends */

static double kinetic(const crn_audit *audit, double (*v)[6])
{
    double twice = 0;
    for (int b = 0; b < audit->count; ++b)
    {
        double L[3] = {0};
        if (crn_audit_moves(audit, b))
        {
            crn_rotate3(audit->bodies.inertia[b], v[b] + 3, L);
            twice += audit->bodies.mass[b] * crn_dot3(v[b], v[b]) + crn_dot3(v[b] + 3, L);
        }
    }
    return 0.5 * twice;
}

void crn_audit_end(crn_audit *audit, const crn_audit_motion *motion, const crn_contact *contacts, int count)
{
    double t = motion->t + motion->h;
    if (is_finite(audit, motion->after, t))
    {
        double energy = kinetic(audit, motion->after);
        crn_judge_overlaps(audit, motion, contacts, count);
        if (!isnan(motion->book_kinetic) || isnan(energy))
        {
            crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_BOOK,
                                                     .time = t,
                                                     .size = fabs(motion->book_kinetic - energy),
                                                     .allowance = 1e-9 * energy + 1e-300});
        }
    }
    if (motion->projection_missed > 0)
    {
        crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_PROJECTION,
                                                 .time = t,
                                                 .size = motion->projection_missed,
                                                 .allowance = motion->projection_tolerance});
    }
    add_to_totals(audit);
}

void crn_audit_start(crn_audit *audit, double t, const crn_contact *contacts, int count)
{
    crn_audit_begin(audit);
    crn_judge_start(audit, t, contacts, count);
    add_to_totals(audit);
}
