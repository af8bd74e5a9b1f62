/* Creating an audit, and the order in which a piece is judged. */
#include "audit/audit_internal.h"

#include "math/vec.h"
#include "model/joints/coupling.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double HUGE_SPEED = 1e100; /* m/s, rad/s: energies of faster bodies overflow */

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
        column[k % 3][k / 3] = I[k];
    for (int i = 0; i < 3; ++i)
        crn_cross3(column[(i + 1) % 3], column[(i + 2) % 3], cross[i]);
    double determinant = crn_dot3(column[0], cross[0]);
    for (int k = 0; determinant > 0 && k < 9; ++k)
        out[k] = cross[k / 3][k % 3] / determinant;
}

static cairn_status invert_all(crn_audit *audit)
{
    const cairn_model *model = audit->model;
    if (audit->inverse)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&audit->memory, CRN_ARRAY(audit->inverse, audit->count + 1)));
    for (int b = 0; b < audit->count; ++b)
        if (crn_audit_moves(audit, b) && !model->bodies[b].point)
            invert(crn_inertia_of(&audit->bodies.inertia, b).m, model->dimension == 2, audit->inverse[b]);
    return CAIRN_OK;
}

/* Find the bodies whose inertia is a number; matrices are inverted only where others are among them. */
static cairn_status measure_bodies(crn_audit *audit)
{
    const cairn_model *model = audit->model;
    bool all_round = true;
    CRN_TRY(crn_reserve_all(&audit->memory, CRN_ARRAY(audit->round, audit->count)));
    audit->least_bound = INFINITY;
    for (int b = 0; b < audit->count; ++b)
    {
        if (!crn_audit_moves(audit, b))
            continue;
        const crn_matrix3 inertia = crn_inertia_of(&audit->bodies.inertia, b);
        const double *I = inertia.m;
        bool is_number = I[0] == I[4] && I[4] == I[8] && I[1] == 0 && I[2] == 0 && I[5] == 0;
        bool round = (is_number || model->dimension == 2) && !model->bodies[b].point && I[8] > 0;
        audit->round[b] = round ? 1 / I[8] : 0.0;
        audit->least_bound = crn_smaller_of(audit->least_bound, audit->bodies.bound[b]);
        all_round = all_round && round;
    }
    return all_round ? CAIRN_OK : invert_all(audit);
}

crn_audit *crn_audit_create(const cairn_model *model, const crn_audit_bodies *bodies)
{
    assert(model && bodies);
    crn_audit *audit = calloc(1, sizeof *audit);
    if (!audit)
        return NULL;
    audit->model = model;
    audit->bodies = *bodies;
    audit->count = (int)model->body_count;
    audit->sure = 1;
    if (measure_bodies(audit))
    {
        crn_audit_destroy(audit);
        return NULL;
    }
    return audit;
}

cairn_status crn_audit_reserve(crn_audit *audit)
{
    size_t count = (size_t)audit->count + 1; /* the last stands for the world */
    CRN_TRY(invert_all(audit));
    return crn_reserve_all(&audit->memory, CRN_ARRAY(audit->twists, count), CRN_ARRAY(audit->account, count),
                           CRN_ARRAY(audit->group, count));
}

void crn_audit_destroy(crn_audit *audit)
{
    if (audit)
    {
        crn_arena_release(&audit->memory);
        crn_scratch_release(&audit->own);
    }
    free(audit);
}

/* ---------------------------------------------------------------------------------------------------- a piece */

/* Whether all velocities are finite and small enough for their energies; notes the first that is not. */
bool crn_audit_is_finite(crn_audit *audit, double (*v)[6], const int *row, double t)
{
    for (int b = 0; b < audit->count; ++b)
    {
        const double *of_b = crn_velocity_of(v, row, b);
        for (int k = 0; k < 6 && crn_audit_moves(audit, b); ++k)
        {
            if (!(fabs(of_b[k]) < HUGE_SPEED))
            {
                crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_NOT_FINITE,
                                                         .time = t,
                                                         .a.id = b + 1,
                                                         .size = isnan(of_b[k]) ? NAN : fabs(of_b[k]),
                                                         .allowance = HUGE_SPEED});
                return false;
            }
        }
    }
    return true;
}

/* The velocity that a body would have without the impulses of contacts and joints. */
static void set_free(crn_audit *audit, const crn_piece *piece, int body)
{
    assert(body >= 0 && body < audit->count);
    crn_account *account = &audit->account[body];
    double moment[3], turn[3];
    memcpy(account->free, crn_velocity_of(piece->before, piece->row, body), sizeof account->free);
    if (piece->h > 0)
    {
        const double *inner = crn_piece_inner(piece, body);
        double outer[6];
        crn_piece_outer(audit, piece, body, outer);
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
            set_free(audit, piece, b);
    }
}

/* Two bodies that a joint holds. */
static void join_bodies(crn_audit *audit, int first, int second)
{
    crn_account *account[2] = {&audit->account[first >= 0 ? first : audit->count],
                               &audit->account[second >= 0 ? second : audit->count]};
    crn_groups_join(audit, first, second);
    for (int side = 0; side < 2; ++side)
        account[side]->jointed = account[side]->linked = true;
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
        const crn_joint *joint = &model->joints[i];
        join_bodies(audit, joint->a.body, joint->b.body);
        if (joint->type->fields & CRN_JOINT_OVER)
            crn_groups_join(audit, joint->a.body, -1); /* pulleys take up momentum */
        for (int k = 0; joint->coupling && k < joint->coupling->part_count; ++k)
        {
            int bodies[2];
            crn_coupling_bodies(model, &joint->coupling->part[k], bodies);
            join_bodies(audit, bodies[0], bodies[1]);
            for (int side = 0; side < 2; ++side)
                join_bodies(audit, joint->a.body, bodies[side] >= 0 ? bodies[side] : joint->a.body);
        }
    }
    for (size_t i = 0; i < model->spring_count; ++i)
        crn_groups_join(audit, model->springs[i].a.body, model->springs[i].b.body);
    crn_groups_end(audit);
}

/* One velocity of a body, linear world and angular body frame, as a twist in the world. */
static void set_twist(crn_twists *twists, int which, const double v[6], const double R[9])
{
    assert(which >= CRN_BEFORE && which <= CRN_FREE);
    memcpy(twists->v[which], v, sizeof twists->v[which]);
    crn_rotate3(R, v + 3, twists->w[which]);
}

/* Set the velocities of all bodies at a place, and clear their impulses. */
static void set_twists(crn_audit *audit, const crn_piece *piece, const crn_piece_place *place)
{
    assert(place >= piece->place && place < piece->place + CRN_PIECE_PLACES);
    for (int b = 0; b < audit->count; ++b)
    {
        crn_twists *twists = &audit->twists[b];
        const double *R = place->pose[b].R;
        bool moves = crn_audit_moves(audit, b);
        if (moves && !audit->account[b].linked)
            continue;
        memset(twists, 0, sizeof *twists);
        if (moves || audit->model->bodies[b].kind == CAIRN_DRIVEN)
        {
            set_twist(twists, CRN_BEFORE,
                      moves ? crn_velocity_of(piece->before, piece->row, b) : place->drive_before[b], R);
            set_twist(twists, CRN_AFTER, moves ? crn_velocity_of(piece->after, piece->row, b) : place->drive_after[b],
                      R);
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

/* Add the impulses at a place to the accounts of the piece, moments in body frames. */
static void collect(crn_audit *audit, const crn_piece_place *place)
{
    for (int b = 0; b < audit->count; ++b)
    {
        crn_account *account = &audit->account[b];
        double moment[3];
        if (!account->linked)
            continue;
        crn_unrotate3(place->pose[b].R, audit->twists[b].torque, moment);
        crn_add3(account->given, audit->twists[b].force, account->given);
        crn_add3(account->given + 3, moment, account->given + 3);
    }
}

/* Compare the works in the energy account with the measured ones. */
static void judge_book(crn_audit *audit, const crn_piece *piece)
{
    const double told[3] = {piece->book.normal, piece->book.friction, piece->book.joints};
    double rounding = 1e-14 * audit->work_parts + 1e-13 * piece->book.sum;
    for (int k = 0; k < 3 && piece->book.complete; ++k)
    {
        crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_BOOK,
                                                 .time = piece->t + piece->h,
                                                 .size = fabs(told[k] - audit->work[k]),
                                                 .allowance = 1e-9 * audit->work_size + rounding});
    }
}

cairn_status crn_audit_measure(crn_audit *audit, const crn_piece *piece, bool *is_finite)
{
    assert(piece->h >= 0);
    assert(piece->place_count >= 0 && piece->place_count <= CRN_PIECE_PLACES);
    assert(piece->contact_count >= 0);
    CRN_TRY(crn_audit_reserve(audit));
    CRN_TRY(crn_reserve_all(&audit->memory, CRN_ARRAY(audit->measured, piece->contact_count)));
    *is_finite = crn_audit_is_finite(audit, piece->before, piece->row, piece->t) &&
                 crn_audit_is_finite(audit, piece->after, piece->row, piece->t + piece->h);
    if (!*is_finite)
        return CAIRN_OK;
    memset(audit->work, 0, sizeof audit->work);
    audit->work_size = audit->work_parts = 0;
    open_accounts(audit, piece);
    join_groups(audit, piece);
    for (int k = 0; k < piece->place_count; ++k)
    {
        set_twists(audit, piece, &piece->place[k]);
        crn_measure_joints(audit, piece, k);
        crn_measure_contacts(audit, piece, k);
        collect(audit, &piece->place[k]);
    }
    return CAIRN_OK;
}

cairn_status crn_audit_piece(crn_audit *audit, const crn_piece *piece)
{
    bool is_finite;
    CRN_TRY(crn_audit_measure(audit, piece, &is_finite));
    if (!is_finite)
        return CAIRN_OK;
    crn_judge_contacts(audit, piece);
    crn_judge_joints(audit, piece);
    crn_judge_bodies(audit, piece);
    crn_judge_groups(audit, piece);
    judge_book(audit, piece);
    return CAIRN_OK;
}
