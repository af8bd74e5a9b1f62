/* Works of the contacts of a compact step, which have no rows, four contacts at a time.
 *
 * They are added up in ranges of fixed length, and the ranges in their order: sums do not depend on the number of threads. */
#include "base/foresee.h"
#include "base/parallel_ranges.h"
#include "collide/contact_lanes.h"
#include "collide/drift.h"
#include "math/vec.h"
#include "step/account/account.h"
#include "step/account/ledger_internal.h"

#include <assert.h>
#include <string.h>

enum
{
    RANGE = 1024, /* contacts, bodies */
    TWIST = 9     /* numbers of a twist */
};

/* A body's place and its mean velocity in the world. */
struct crn_twist
{
    double x[3], v[3], w[3];
};

/* What a range of contacts adds up to. */
struct crn_contact_work
{
    double normal, friction, push_out; /* J */
    double push_out_speed;             /* m/s: the largest */
};

typedef struct rowless
{
    cairn_simulation *simulation;
    const crn_stage *stage;
    crn_acted acted;
    int parts;
} rowless;

/* ------------------------------------------------------------------------------------------------------------- bodies */

static void read_twist(const cairn_simulation *s, const crn_pose *pose, int body, crn_twist *out)
{
    const crn_layout *layout = s->layout;
    int block = layout->body_block[body], linear = s->model->dimension;
    memset(out, 0, sizeof *out);
    memcpy(out->x, pose->x, sizeof out->x);
    if (block < 0)
        return; /* the work of driven bodies is booked from the change of energies */
    const double *mean = s->trial.mean + layout->block_start[block];
    int dofs = layout->block_start[block + 1] - layout->block_start[block];
    crn_copy_few(mean, linear, out->v);
    if (dofs == 6)
        crn_rotate3(pose->R, mean + 3, out->w);
    else if (linear == 2 && dofs == 3)
        out->w[2] = mean[2];
}

static void read_twists(void *data, int part)
{
    const rowless *work = data;
    const cairn_simulation *s = work->simulation;
    size_t count = s->model->body_count;
    for (size_t b = crn_part(count, work->parts, part); b < crn_part(count, work->parts, part + 1); ++b)
        read_twist(s, &work->stage->assembly.frame->pose[b], (int)b, &s->ledger.twist[b]);
}

/* ----------------------------------------------------------------------------------------------------------- contacts */

/* Mean velocity of the bodies' points. */
INLINE void point_velocity(const crn_twist *twist, const int body[LANES], const lanes point[3], lanes u[3])
{
    lanes x[12], arm[3], turn[3];
    UNROLL
    for (int row = 0; row < 3; ++row)
    {
        int at = row < 2 ? LANES * row : TWIST - LANES; /* the last row overlaps the one before */
        UNROLL
        for (int l = 0; l < LANES; ++l)
            x[LANES * row + l] = *(const loose_lanes *)((const double *)&twist[body[l]] + at);
        lanes_transpose(x + LANES * row);
    }
    const lanes v[3] = {x[3], x[4], x[5]}, w[3] = {x[6], x[7], x[11]};
    UNROLL
    for (int k = 0; k < 3; ++k)
        arm[k] = point[k] - x[k];
    lanes_cross(w, arm, turn);
    UNROLL
    for (int k = 0; k < 3; ++k)
        u[k] = v[k] + turn[k];
}

typedef struct sums
{
    lanes normal, friction, push_out, push_out_speed;
} sums;

INLINE void add_four(const crn_twist *twist, const crn_contact *c, const double (*impulse)[3], const double *push,
                     sums *sum)
{
    const int body_a[LANES] = {c[0].body_a, c[1].body_a, c[2].body_a, c[3].body_a};
    const int body_b[LANES] = {c[0].body_b, c[1].body_b, c[2].body_b, c[3].body_b};
    lanes u[3], u_b[3];
    crn_contact_lanes at;
    crn_contact_lanes_load(c, impulse, &at);
    point_velocity(twist, body_a, at.point_a, u);
    point_velocity(twist, body_b, at.point_b, u_b);
    UNROLL
    for (int k = 0; k < 3; ++k)
        u[k] -= u_b[k];
    lanes r_n = lanes_dot(at.r, at.n), work = r_n * lanes_dot(at.n, u), zero = {0.0};
    sum->normal += work;
    sum->friction += lanes_dot(at.r, u) - work;
    lanes speed = {push[0], push[1], push[2], push[3]};
    lane_bits pushes = (speed > zero) & (r_n > zero), faster = pushes & (speed > sum->push_out_speed);
    sum->push_out += (lanes)(pushes & (lane_bits)lanes_positive(work));
    sum->push_out_speed = (lanes)((faster & (lane_bits)speed) | (~faster & (lane_bits)sum->push_out_speed));
}

INLINE void add_some(const rowless *work, int first, const crn_contact *c, const double (*impulse)[3], int count,
                     sums *sum)
{
    double push[LANES] = {0};
    for (int l = 0; l < LANES; ++l)
        crn_foresee_item(c + l, sizeof *c);
    for (int l = 0; l < count; ++l)
        push[l] = crn_compact_push(&work->simulation->compact, &c[l], first + l, work->stage->h);
    add_four(work->simulation->ledger.twist, c, impulse, push, sum);
}

INLINE void add_range(const rowless *work, int range)
{
    const crn_acted *acted = &work->acted;
    int first = range * RANGE, end = acted->count - first < RANGE ? acted->count : first + RANGE;
    assert(first < end);
    sums sum = {{0.0}, {0.0}, {0.0}, {0.0}};
    int i = first;
    for (; i + LANES <= end; i += LANES)
        add_some(work, i, acted->contacts + i, acted->impulse + i, LANES, &sum);
    if (i < end)
    {
        crn_contact tail[LANES];
        double impulse[LANES][3];
        crn_contact_lanes_fill(acted->contacts + i, acted->impulse + i, end - i, tail, impulse);
        add_some(work, i, tail, (const double(*)[3])impulse, end - i, &sum);
    }
    crn_contact_work *out = &work->simulation->ledger.range_work[range];
    *out = (crn_contact_work){lanes_sum(sum.normal), lanes_sum(sum.friction), lanes_sum(sum.push_out), 0.0};
    for (int l = 0; l < LANES; ++l)
        out->push_out_speed = sum.push_out_speed[l] > out->push_out_speed ? sum.push_out_speed[l] : out->push_out_speed;
}

WIDE static void add_range_wide(const rowless *work, int range)
{
    add_range(work, range);
}

static void add_range_plain(const rowless *work, int range)
{
    add_range(work, range);
}

static int range_count(int contacts)
{
    return (contacts + RANGE - 1) / RANGE;
}

static void add_ranges(void *data, int part)
{
    const rowless *work = data;
    size_t ranges = (size_t)range_count(work->acted.count);
    for (size_t i = crn_part(ranges, work->parts, part); i < crn_part(ranges, work->parts, part + 1); ++i)
        (HAS_WIDE ? add_range_wide : add_range_plain)(work, (int)i);
}

/* J: of the moments that resist rolling. */
static double rolling_work(const cairn_simulation *s, const crn_stage *stage)
{
    double work = 0.0;
    for (int j = 0; s->compact.problem.rolling && j < crn_contacts_of(&stage->assembly); ++j)
    {
        const crn_contact *c = &stage->assembly.active[j];
        const double *m = s->compact.rolling[j].moment;
        work += crn_dot3(m, s->ledger.twist[c->body_a].w) - crn_dot3(m, s->ledger.twist[c->body_b].w);
    }
    return work;
}

/* J: what pushes overlaps out where surfaces drift, whose work is not part of it. */
static double drifting_push_out(const rowless *work)
{
    const cairn_simulation *s = work->simulation;
    double sum = 0;
    for (int j = 0; j < work->acted.count; ++j)
    {
        const crn_contact *c = &work->acted.contacts[j];
        const crn_twist *a = &s->ledger.twist[c->body_a], *b = &s->ledger.twist[c->body_b];
        double arm[3], u_a[3], u_b[3], drift[3], r_n = crn_dot3(work->acted.impulse[j], c->normal);
        if (!(crn_compact_push(&s->compact, c, j, work->stage->h) > 0) || !(r_n > 0))
            continue;
        crn_sub3(c->point_a, a->x, arm);
        crn_cross3(a->w, arm, u_a);
        crn_sub3(c->point_b, b->x, arm);
        crn_cross3(b->w, arm, u_b);
        crn_contact_drift(s->model, work->stage->assembly.frame->pose, c, drift);
        for (int k = 0; k < 3; ++k)
            drift[k] += (a->v[k] + u_a[k]) - (b->v[k] + u_b[k]);
        double gain = r_n * crn_dot3(c->normal, drift);
        sum += gain > 0 ? gain : 0.0;
    }
    return sum;
}

/* -------------------------------------------------------------------------------------------------------------- booking */

cairn_status crn_book_rowless(cairn_simulation *s, const crn_stage *stage)
{
    static_assert(sizeof(crn_twist) == TWIST * sizeof(double), "a twist is read as rows of numbers");
    crn_ledger *ledger = &s->ledger;
    rowless work = {s, stage, crn_rowless_contacts(s, stage), s->layout->parts};
    int ranges = range_count(work.acted.count);
    ledger->twist = crn_scratch_take(s->scratch, s->model->body_count * sizeof *ledger->twist);
    CRN_TRY(ledger->twist ? CAIRN_OK : CAIRN_NO_MEMORY);
    CRN_TRY(crn_reserve_all(&ledger->memory, CRN_ARRAY(ledger->range_work, ranges)));
    crn_in_parts(work.parts, read_twists, &work);
    crn_in_parts(work.parts, add_ranges, &work);
    crn_contact_work sum = {0, 0, 0, s->trial.push_out_speed};
    for (int i = 0; i < ranges; ++i)
    {
        const crn_contact_work *more = &ledger->range_work[i];
        sum.normal += more->normal;
        sum.friction += more->friction;
        sum.push_out += more->push_out;
        sum.push_out_speed = more->push_out_speed > sum.push_out_speed ? more->push_out_speed : sum.push_out_speed;
    }
    s->trial.push_out_speed = sum.push_out_speed;
    s->state.energy.work_contact_normal += sum.normal;
    s->state.energy.work_friction += sum.friction + rolling_work(s, stage);
    s->state.energy.push_out += s->model->drifts ? drifting_push_out(&work) : sum.push_out;
    return CAIRN_OK;
}
