/* Bounded rows of joints (model/joints/joint_class.h) as items of H:
 *
 *     s = B v + w + R z,     lo <= z <= hi,     s >= 0 where z = lo,  s <= 0 where z = hi,  s = 0 in between
 *
 *     limit       B is the gradient of its gap; w is that of a rigid contact without restitution: the row may use up its gap
 *                 within the step. lo = 0, hi = infinity. With a spring and a damper, w and R are those of a soft contact
 *                 (compliance.c).
 *     motor       w = -speed, lo and hi are h times the largest forces
 *     friction    a motor of speed 0
 *     force       a drive whose force falls with its coordinate and that one's rate u: f - k h (u+ - u^) - c (u+ - u_at), where the
 *                 evaluation point is ahead of the base by h u^. So R = 1/(h (h k + c)) and w = -(f + k h u^ + c u_at)/(h k + c)
 *     drive       w and R as those of a joint's equation with its compliance, rigid: its deviation is to vanish within the step
 *
 * An item has `dim` rows, of which only the first is used. A rotational row is multiplied by the size L of the larger body, so
 * that its rate is in m/s like that of every other item. With B' = L B the impulse is z' = z/L, the bounds are lo/L and hi/L,
 * and R' = L^2 R.
 */
#include "formulate/bounded.h"

#include "collide/identity.h"

#include "formulate/compliance.h"
#include "formulate/joints.h"
#include "model/joints/element.h"

#include <assert.h>
#include <math.h>

uint64_t crn_bounded_identity(int joint, int row)
{
    assert(joint >= 0 && row >= 0 && row < CRN_JOINT_ROWS);
    return (UINT64_C(3) << 62) | ((uint64_t)joint << 8) | (uint64_t)row;
}

/* Whether a row is part of the problem: limits, as contacts are, and in motion the others too. *closed is the place of a closed limit
 * in the list of closed contacts; -1: it is not there. */
static bool takes_part(const crn_input *in, const crn_joint_bound *bound, uint64_t identity, double gap, int *closed)
{
    assert(!isnan(gap));
    *closed = -1;
    if (!bound->is_limit)
        return !in->positions && !in->instant;
    if (in->hold_closed)
        *closed = crn_identity_find(in->closed, in->closed_count, identity);
    bool reached = in->hold_closed ? *closed >= 0 : gap <= in->settings->contact_tolerance;
    return reached || !in->only_closed;
}

/* w without the part of driven bodies and targets. The gap is that at the base. */
static double bias_of(const crn_input *in, const crn_joint_bound *bound, crn_row_compliance give, double gap,
                      double rate, bool holds_rate)
{
    bool soft = crn_is_soft(give);
    if (bound->is_drive)
        return soft ? crn_compliance_bias(give, in->h, gap, false) : holds_rate ? 0.0 : gap / in->h;
    if (!bound->is_limit)
        return -bound->speed;
    if (in->only_closed)
        return 0.0;
    return soft ? crn_compliance_bias(give, in->h, gap, true) : crn_normal_bias(in, gap, bound->restitution, rate);
}

/* w of row i, a force that falls, as above; the row is in metres. */
static double force_bias(const crn_input *in, const crn_joint_rows *rows, int i, double drive, double length,
                         crn_row_compliance give)
{
    double at = crn_row_rate(in->layout, rows, i, in->v_at) + drive;
    double ahead = in->ahead ? crn_row_rate(in->layout, rows, i, in->ahead) + drive : 0.0;
    return -(rows->bound[i].force / length + give.k * in->h * ahead + give.c * at) / (in->h * give.k + give.c);
}

/* The row in metres: that of a rotation is multiplied by a length. */
static crn_joint_bound scale(const crn_joint_bound *bound, double length, double rate)
{
    crn_joint_bound scaled = *bound;
    scaled.speed *= length;
    if (bound->power > 0 && fabs(rate) > 0)
    {
        double most = bound->power * length / fabs(rate);
        scaled.hi = fmax(-most, fmin(bound->hi, most));
        scaled.lo = fmax(-most, fmin(bound->lo, most));
    }
    return scaled;
}

/* Multiply a row by a length, with the gradient of all its bodies. */
static void stretch(crn_joint_rows *rows, int i, double length)
{
    for (int k = 0; k < 12; ++k)
        rows->gradient[i].g[k / 6][k % 6] *= length;
    rows->sign[i] = rows->sides > 0 ? length * rows->sign[i] : 0.0;
}

/* Add row i of a joint as an item; the row is scaled. */
static cairn_status add_row(crn_assembly *assembly, const crn_input *in, int joint, crn_joint_rows *rows, int i)
{
    assert(i >= rows->equations);
    assert(i < rows->equations + rows->bounded);
    const crn_layout *layout = in->layout;
    double length = crn_row_length(layout, rows, i);
    double gap = length * rows->theta[i];
    int closed;
    if (!takes_part(in, &rows->bound[i], crn_bounded_identity(joint, i), gap, &closed))
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->bounded, assembly->bounded_count + 1)));
    stretch(rows, i, length);
    crn_gradient gradient[3] = {rows->gradient[i], {.body = {rows->gradient[i].body[0], rows->gradient[i].body[1]}}};
    gradient[2] = gradient[1];
    double drive[3] = {crn_row_drive(in->frame, rows, i) + length * rows->rate[i]};
    double rate = crn_row_rate(layout, rows, i, in->v) + drive[0];
    crn_joint_bound bound = scale(&rows->bound[i], length, rate - length * rows->rate[i]);
    crn_row_compliance own = crn_joint_give(layout->model, joint, i);
    if (bound.is_force)
        own = (crn_row_compliance){bound.k, bound.c};
    crn_row_compliance give = {own.k / (length * length), own.c / (length * length)};
    gap -= in->ahead ? in->h * (crn_row_rate(layout, rows, i, in->ahead) + drive[0]) : 0.0;
    bool holds_rate = crn_joint_holds_rate(&layout->model->joints[joint], i);
    double bias = closed >= 0                           ? in->closed_bias[closed]
                  : bound.is_force && crn_is_soft(give) ? force_bias(in, rows, i, drive[0], length, give)
                                                        : bias_of(in, &bound, give, gap, rate, holds_rate);
    double w[3] = {bias + drive[0] + (in->row_bias ? crn_row_rate(layout, rows, i, in->row_bias) + drive[0] : 0.0)};
    assert(isfinite(w[0]));
    crn_contact item = {.body_a = -1,
                        .body_b = -1,
                        .gap = bound.is_limit ? gap : 0.0,
                        .restitution = bound.restitution,
                        .identity = crn_bounded_identity(joint, i)};
    CRN_TRY(crn_add_contact_item(assembly, in, &item, gradient, w, drive));
    CRN_TRY(crn_rows_add_sides(&assembly->H, layout, rows, i, 1));
    assembly->bounded[assembly->bounded_count++] = (crn_bounded_row){.joint = joint,
                                                                     .row = i,
                                                                     .length = length,
                                                                     .theta = gap,
                                                                     .lo = bound.lo,
                                                                     .hi = bound.hi,
                                                                     .is_limit = bound.is_limit,
                                                                     .is_drive = bound.is_drive,
                                                                     .is_force = bound.is_force,
                                                                     .k = own.k,
                                                                     .c = own.c,
                                                                     .drives = bound.is_drive || bound.speed != 0};
    return CAIRN_OK;
}

/* Bounds of all items. Those of contacts are marked as absent. */
static cairn_status set_bounds(crn_assembly *assembly, double h)
{
    assert(h > 0);
    assert(assembly->bounded_count <= assembly->problem.contact_count);
    cairn_problem *problem = &assembly->problem;
    int first = crn_contacts_of(assembly);
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->bound, problem->contact_count)));
    for (int j = 0; j < first; ++j)
        assembly->bound[j] = (cairn_bound){.by = -1};
    for (int k = 0; k < assembly->bounded_count; ++k)
    {
        const crn_bounded_row *row = &assembly->bounded[k];
        bool rolls = row->joint < 0; /* its bounds are multiples of an impulse */
        double factor = (rolls ? 1.0 : h) / row->length;
        assembly->bound[first + k] = (cairn_bound){
            .is_row = true, .by = rolls ? row->contact : -1, .lo = factor * row->lo, .hi = factor * row->hi};
    }
    problem->bound = assembly->bound;
    return CAIRN_OK;
}

/* One block of R per bounded row, after those of all contacts. */
static cairn_status add_compliance(crn_assembly *assembly, const crn_input *in)
{
    assert(assembly->bounded_count > 0);
    cairn_problem *problem = &assembly->problem;
    int dim = problem->dim, first = crn_contacts_of(assembly), count = assembly->bounded_count;
    size_t block = (size_t)(dim * dim), patches = (size_t)(problem->patch_count + count);
    CRN_TRY(crn_reserve_compliance(assembly, patches, assembly->R_used + (size_t)count * block));
    assert(problem->patch_count == 0 || problem->patch_start[problem->patch_count] == first);
    for (int k = 0; k < count; ++k)
    {
        const crn_bounded_row *row = &assembly->bounded[k];
        crn_row_compliance give = {row->k, row->c};
        double R = row->length * row->length * crn_row_compliance_of(give, in->h);
        double *value = problem->R + assembly->R_used;
        problem->patch_start[problem->patch_count] = first + k;
        problem->R_start[problem->patch_count++] = (int)assembly->R_used;
        for (size_t i = 0; i < block; ++i)
            value[i] = i == 0 ? R : 0.0;
        assembly->R_used += block;
    }
    problem->patch_start[problem->patch_count] = first + count;
    return CAIRN_OK;
}

cairn_status crn_keep_bounded(crn_assembly *assembly, int joint, const crn_joint_rows *rows)
{
    if (rows->bounded == 0 || rows->sides > 0)
        return CAIRN_OK;
    assert(assembly->kept_count == 0 || assembly->kept[assembly->kept_count - 1].joint < joint);
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->kept, assembly->kept_count + rows->bounded)));
    for (int i = rows->equations; i < rows->equations + rows->bounded; ++i)
        assembly->kept[assembly->kept_count++] =
            (crn_kept_row){joint, rows->theta[i], rows->rate[i], rows->gradient[i], rows->bound[i]};
    return CAIRN_OK;
}

/* The bounded rows of a joint: those kept from k on if they are its own, which k then passes, otherwise evaluated. */
static void find_rows(crn_assembly *assembly, const crn_input *in, int j, int *k, crn_joint_rows *rows)
{
    const crn_joint *joint = &in->layout->model->joints[j];
    if (*k >= assembly->kept_count || assembly->kept[*k].joint != j)
    {
        crn_joint_evaluate(in->layout->model, in->frame, j, rows);
        if (rows->not_finite > 0)
            assembly->fault = (crn_fault){.is_joint = true, .index = j, .part = rows->not_finite - 1};
        return;
    }
    rows->equations = joint->rows;
    rows->bounded = joint->bounded;
    rows->sides = 0;
    for (int i = joint->rows; i < joint->rows + joint->bounded; ++i, ++*k)
    {
        const crn_kept_row *kept = &assembly->kept[*k];
        assert(kept->joint == j);
        rows->theta[i] = kept->theta;
        rows->rate[i] = kept->rate;
        rows->gradient[i] = kept->gradient;
        rows->bound[i] = kept->bound;
    }
}

cairn_status crn_add_bounded_rows(crn_assembly *assembly, const crn_input *in)
{
    const cairn_model *model = in->layout->model;
    for (int j = 0, kept = 0; model->bounded_rows > 0 && j < (int)model->joint_count; ++j)
    {
        crn_joint_rows rows;
        if (model->joints[j].bounded == 0)
            continue;
        find_rows(assembly, in, j, &kept, &rows);
        for (int i = rows.equations; i < rows.equations + rows.bounded; ++i)
            CRN_TRY(add_row(assembly, in, j, &rows, i));
    }
    if (assembly->bounded_count == 0)
        return CAIRN_OK;
    bool soft = false;
    for (int k = 0; k < assembly->bounded_count; ++k)
        soft = soft || assembly->bounded[k].k > 0 || assembly->bounded[k].c > 0;
    CRN_TRY(set_bounds(assembly, in->h));
    return soft ? add_compliance(assembly, in) : CAIRN_OK;
}
