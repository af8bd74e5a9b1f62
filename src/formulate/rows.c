/* Joint rows G v = b and contact rows u = H v + w. */
#include "base/memory.h"
#include "collide/identity.h"
#include "formulate/assemble.h"
#include "formulate/bounded.h"
#include "formulate/compliance.h"
#include "formulate/joints.h"
#include "formulate/patch.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Write side `side` of several gradients as one block entry of the current item. */
static cairn_status add_side(crn_rows *rows, const crn_layout *layout, const crn_gradient *gradients, int count,
                             int side)
{
    int body = gradients[0].body[side];
    if (body < 0 || layout->body_block[body] < 0)
        return CAIRN_OK;
    int block = layout->body_block[body];
    int dofs = layout->block_start[block + 1] - layout->block_start[block];
    double *values = crn_rows_entry(rows, block, dofs);
    if (!values)
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < count; ++i)
        crn_pack(layout->model, body, gradients[i].g[side], values + i * dofs);
    return CAIRN_OK;
}

/* One item of `count` rows from gradients over the same two bodies; entries in ascending block order. */
static cairn_status add_item(crn_rows *rows, const crn_layout *layout, const crn_gradient *gradients, int count)
{
    if (crn_rows_begin(rows, count))
        return CAIRN_NO_MEMORY;
    int a = gradients[0].body[0];
    int b = gradients[0].body[1];
    int first = a >= 0 && b >= 0 && layout->body_block[a] > layout->body_block[b] ? 1 : 0;
    if (add_side(rows, layout, gradients, count, first) || add_side(rows, layout, gradients, count, 1 - first))
        return CAIRN_NO_MEMORY;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------- joints */

static cairn_status reserve_joint_rows(crn_assembly *assembly, const crn_input *in, int rows)
{
    size_t need = (size_t)(assembly->problem.joint_rows + rows);
    if (crn_reserve_joint_weights(assembly, in, need))
        return CAIRN_NO_MEMORY;
    if (crn_reserve(&assembly->problem.b, &assembly->b_capacity, need, sizeof(double)) ||
        crn_reserve(&assembly->problem.R_c, &assembly->R_c_capacity, need, sizeof(double)) ||
        crn_reserve(&assembly->theta, &assembly->theta_capacity, need, sizeof(double)) ||
        crn_reserve(&assembly->joint_length, &assembly->joint_length_capacity, need, sizeof(double)))
        return CAIRN_NO_MEMORY;
    assembly->problem.joint_length = assembly->joint_length;
    return CAIRN_OK;
}

double crn_row_length(const crn_layout *layout, const crn_gradient *gradient)
{
    double largest = 0;
    for (int side = 0; side < 2; ++side)
    {
        int body = gradient->body[side];
        if (body < 0 || layout->body_block[body] < 0)
            continue;
        const double *g = gradient->g[side];
        if (g[0] != 0 || g[1] != 0 || g[2] != 0)
            return 1.0;
        largest = fmax(largest, layout->size[body]);
    }
    return largest > 0 ? largest : 1.0;
}

static void push_joint_row(crn_assembly *assembly, double theta, double rhs, double length)
{
    int row = assembly->problem.joint_rows++;
    assembly->joint_length[row] = length;
    assembly->theta[row] = theta;
    assembly->problem.b[row] = rhs;
    assembly->problem.R_c[row] = 0.0;
    if (assembly->problem.joint_weight)
        assembly->problem.joint_weight[row] = CRN_JOINT_WEIGHT;
}

/* What a joint row corrects: drift measured here, or as the caller measured it at the start of the step. */
static double joint_rhs(const crn_assembly *assembly, const crn_input *in, double factor, double theta)
{
    return in->joint_bias ? in->joint_bias[assembly->problem.joint_rows] : -factor * theta;
}

cairn_status crn_add_equation(crn_assembly *assembly, const crn_input *in, const crn_gradient *gradient, double rhs)
{
    if (reserve_joint_rows(assembly, in, 1) || add_item(&assembly->G, in->layout, gradient, 1))
        return CAIRN_NO_MEMORY;
    push_joint_row(assembly, 0.0, rhs, crn_row_length(in->layout, gradient));
    return CAIRN_OK;
}

static cairn_status add_system_joints(crn_assembly *assembly, const crn_input *in, int system, double factor)
{
    const crn_layout *layout = in->layout;
    const cairn_system_options *o = &layout->model->systems[system].options;
    int rows = o->joint_count;
    if (rows == 0)
        return CAIRN_OK;
    int block = layout->body_block_count + system;
    if (reserve_joint_rows(assembly, in, rows) || crn_rows_begin(&assembly->G, rows) ||
        crn_reserve(&assembly->scratch, &assembly->scratch_capacity, (size_t)rows * (size_t)(1 + o->n), sizeof(double)))
        return CAIRN_NO_MEMORY;
    double *gradient = crn_rows_entry(&assembly->G, block, o->n);
    if (!gradient)
        return CAIRN_NO_MEMORY;
    double *theta = assembly->scratch;
    memset(theta, 0, (size_t)rows * sizeof(double));
    o->joints(o->data, in->q + layout->q_start[block], theta, gradient);
    for (int i = 0; i < rows; ++i)
    {
        double bias =
            in->row_bias ? crn_dot(o->n, gradient + i * o->n, in->row_bias + layout->block_start[block]) : 0.0;
        push_joint_row(assembly, theta[i], joint_rhs(assembly, in, factor, theta[i]) - bias, 1.0);
    }
    return CAIRN_OK;
}

/* The equations of one joint. */
static cairn_status add_joint(crn_assembly *assembly, const crn_input *in, int j, double factor)
{
    crn_joint_rows rows;
    crn_joint_evaluate(in->layout->model, in->frame, j, &rows);
    assert(in->layout->model->joints[j].item == assembly->G.rows.item_count);
    if (reserve_joint_rows(assembly, in, rows.equations) ||
        add_item(&assembly->G, in->layout, rows.gradient, rows.equations))
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < rows.equations; ++i)
    {
        const crn_gradient *gradient = &rows.gradient[i];
        double drive = crn_gradient_drive(in->frame, gradient);
        double bias = in->row_bias ? crn_gradient_rate(in->layout, gradient, in->row_bias) + drive : 0.0;
        crn_row_compliance give = crn_joint_give(in->layout->model, j, i);
        double rhs = give.k > 0 ? -crn_compliance_bias(give, in->h, rows.theta[i], false)
                                : joint_rhs(assembly, in, factor, rows.theta[i]);
        push_joint_row(assembly, rows.theta[i], rhs - drive - bias, crn_row_length(in->layout, gradient));
        assembly->problem.R_c[assembly->problem.joint_rows - 1] = crn_row_compliance_of(give, in->h);
    }
    return CAIRN_OK;
}

cairn_status crn_add_joint_rows(crn_assembly *assembly, const crn_input *in, double factor)
{
    const cairn_model *model = in->layout->model;
    for (int j = 0; j < (int)model->joint_count; ++j)
        if (model->joints[j].rows > 0 && add_joint(assembly, in, j, factor))
            return CAIRN_NO_MEMORY;
    for (int s = 0; s < (int)model->system_count; ++s)
        if (add_system_joints(assembly, in, s, factor))
            return CAIRN_NO_MEMORY;
    crn_set_joint_weights(assembly, in);
    return crn_add_spring_rows(assembly, in);
}

/* ----------------------------------------------------------------------------------------------- contacts */

uint64_t crn_gap_identity(int system, int gap)
{
    return (UINT64_C(1) << 63) | ((uint64_t)system << 32) | (uint64_t)gap;
}

static cairn_status reserve_contact(crn_assembly *assembly, int dim)
{
    size_t need = (size_t)assembly->problem.contact_count + 1;
    if (crn_reserve(&assembly->problem.w, &assembly->w_capacity, need * (size_t)dim, sizeof(double)) ||
        crn_reserve(&assembly->problem.mu, &assembly->mu_capacity, need, sizeof(double)) ||
        crn_reserve(&assembly->problem.identity, &assembly->identity_capacity, need, sizeof(uint64_t)) ||
        crn_reserve(&assembly->active, &assembly->active_capacity, need, sizeof(crn_contact)) ||
        crn_reserve(&assembly->contact_drive, &assembly->contact_drive_capacity, need, sizeof(double[3])) ||
        crn_reserve(&assembly->push, &assembly->push_capacity, need, sizeof(double)) ||
        crn_reserve(&assembly->element, &assembly->element_capacity[0], need, sizeof(int)) ||
        crn_reserve(&assembly->deformation, &assembly->element_capacity[1], need, sizeof(double[3])) ||
        crn_reserve(&assembly->creep, &assembly->element_capacity[2], need, sizeof(double[3])))
        return CAIRN_NO_MEMORY;
    return CAIRN_OK;
}

/* The normal bias w_n: a contact may use up its gap within the step, u_n >= -gap/h. Penetration is pushed out by the same
 * term with stabilisation gap, no faster than the settings allow, and left as it is otherwise (w_n = 0: w >= 0 is what Theorems 2.2 and 2.4 need).
 * A contact that would close within the step at more than the threshold speed bounces: u_n >= -e u_n_old. u_n_old is the
 * whole relative normal velocity before the step. */
double crn_normal_bias(const crn_input *in, double gap, double restitution, double u_n_old)
{
    bool closes = gap + in->h * u_n_old < 0;
    if (restitution > 0 && closes && !in->inelastic && u_n_old < -in->settings->restitution_threshold)
        return restitution * u_n_old;
    bool correct = in->settings->stabilisation == CAIRN_STABILISE_GAP;
    /* a part of a step pushes out at the rate of a whole one, or a short part would turn an overlap into a kick; what comes in
       fast may go out as fast, as a step may let in too far what turns by much */
    double push = correct ? gap / fmax(in->h, in->settings->step) : 0.0;
    return gap > 0 ? gap / in->h : fmax(push, fmin(u_n_old, -in->settings->push_out_speed));
}

/* The same, closed contacts apart. `ahead` is the rate of the gap along in->ahead: the gap at the base is less by h times
 * it. False when the contact gets no row. */
static bool contact_bias(const crn_input *in, const crn_contact *contact, double restitution, double u_n_old,
                         double ahead, double *bias)
{
    int closed = in->hold_closed ? crn_identity_find(in->closed, in->closed_count, contact->identity) : -1;
    if (closed >= 0)
    {
        *bias = in->closed_bias[closed];
        return true;
    }
    *bias = crn_normal_bias(in, contact->gap - in->h * ahead, restitution, u_n_old);
    return !in->only_closed;
}

static void push_item(crn_assembly *assembly, const crn_contact *contact, const double *w, const double drive[3],
                      int dim)
{
    cairn_problem *problem = &assembly->problem;
    int j = problem->contact_count++;
    memcpy(problem->w + j * dim, w, (size_t)dim * sizeof(double));
    problem->mu[j] = contact->friction;
    problem->identity[j] = contact->identity;
    assembly->active[j] = *contact;
    memcpy(assembly->contact_drive[j], drive, sizeof(double[3]));
    assembly->push[j] = 0.0;
    assembly->element[j] = -1;
    memset(assembly->deformation[j], 0, sizeof(double[3]));
    memset(assembly->creep[j], 0, sizeof(double[3]));
}

cairn_status crn_add_contact_item(crn_assembly *assembly, const crn_input *in, const crn_contact *contact,
                                  const crn_gradient *gradient, const double *w, const double drive[3])
{
    int dim = in->layout->model->dimension;
    if (reserve_contact(assembly, dim) || add_item(&assembly->H, in->layout, gradient, dim))
        return CAIRN_NO_MEMORY;
    push_item(assembly, contact, w, drive, dim);
    return CAIRN_OK;
}

cairn_status crn_add_contact(crn_assembly *assembly, const crn_input *in, const crn_contact *contact,
                             const double *bias)
{
    int dim = in->layout->model->dimension;
    const double *direction[3] = {contact->normal, contact->tangent[0], contact->tangent[1]};
    crn_gradient gradient[3];
    double drive[3] = {0};
    for (int i = 0; i < dim; ++i)
    {
        crn_gradient_point(in->frame, &gradient[i], 0, contact->body_a, contact->point_a, direction[i], 1);
        crn_gradient_point(in->frame, &gradient[i], 1, contact->body_b, contact->point_b, direction[i], -1);
        drive[i] = crn_gradient_drive(in->frame, &gradient[i]);
    }
    double u_n_old = crn_gradient_rate(in->layout, &gradient[0], in->v) + drive[0];
    double ahead = in->ahead ? crn_gradient_rate(in->layout, &gradient[0], in->ahead) + drive[0] : 0.0;
    double w[3] = {0};
    if (!bias && !contact_bias(in, contact, contact->restitution, u_n_old, ahead, &w[0]))
        return CAIRN_OK;
    crn_row_compliance give = crn_contact_give(in->layout->model, contact);
    double push = give.k > 0 || bias ? 0.0 : fmin(-w[0], -contact->gap / in->h); /* a bounce is none */
    w[0] = give.k > 0 ? crn_compliance_bias(give, in->h, contact->gap, true) : w[0];
    for (int i = 0; i < dim; ++i)
    {
        w[i] += bias ? bias[i] : 0.0;
        w[i] += drive[i] + (in->row_bias ? crn_gradient_rate(in->layout, &gradient[i], in->row_bias) + drive[i] : 0.0);
    }
    if (crn_add_contact_item(assembly, in, contact, gradient, w, drive))
        return CAIRN_NO_MEMORY;
    assembly->push[assembly->problem.contact_count - 1] = fmax(push, 0.0);
    return CAIRN_OK;
}

/* One gap of a user's system: normal row its gradient, tangent rows its directions; missing directions are zero rows. */
static cairn_status add_gap(crn_assembly *assembly, const crn_input *in, int system, int gap, double phi,
                            const double *gradient, const double *tangents)
{
    const crn_layout *layout = in->layout;
    const cairn_system_options *o = &layout->model->systems[system].options;
    int dim = layout->model->dimension;
    int block = layout->body_block_count + system;
    int start = layout->block_start[block];
    crn_contact contact = {.body_a = -1, .body_b = -1, .gap = phi, .friction = o->friction};
    contact.identity = crn_gap_identity(system, gap);
    double w[3] = {0};
    double ahead = in->ahead ? crn_dot(o->n, gradient, in->ahead + start) : 0.0;
    if (!contact_bias(in, &contact, o->restitution, crn_dot(o->n, gradient, in->v + start), ahead, &w[0]))
        return CAIRN_OK;
    if (reserve_contact(assembly, dim) || crn_rows_begin(&assembly->H, dim))
        return CAIRN_NO_MEMORY;
    double *values = crn_rows_entry(&assembly->H, block, o->n);
    if (!values)
        return CAIRN_NO_MEMORY;
    size_t n = (size_t)o->n;
    memcpy(values, gradient, n * sizeof(double));
    memcpy(values + n, tangents, n * (size_t)o->tangent_count * sizeof(double));
    for (int i = 0; in->row_bias && i < dim; ++i)
        w[i] += crn_dot(o->n, values + (size_t)i * n, in->row_bias + start);
    static const double STILL[3] = {0};
    push_item(assembly, &contact, w, STILL, dim);
    return CAIRN_OK;
}

static cairn_status add_system_gaps(crn_assembly *assembly, const crn_input *in, int system)
{
    const crn_layout *layout = in->layout;
    const cairn_system_options *o = &layout->model->systems[system].options;
    size_t gaps = (size_t)o->gap_count;
    size_t n = (size_t)o->n;
    size_t size = gaps * (1 + n * (1 + (size_t)o->tangent_count));
    if (gaps == 0)
        return CAIRN_OK;
    if (crn_reserve(&assembly->scratch, &assembly->scratch_capacity, size, sizeof(double)))
        return CAIRN_NO_MEMORY;
    memset(assembly->scratch, 0, size * sizeof(double));
    double *phi = assembly->scratch;
    double *gradient = phi + gaps;
    double *tangents = gradient + gaps * n;
    o->gaps(o->data, in->q + layout->q_start[layout->body_block_count + system], phi, gradient,
            o->tangent_count > 0 ? tangents : NULL);
    for (size_t i = 0; i < gaps; ++i)
    {
        const double *directions = tangents + i * n * (size_t)o->tangent_count;
        if (add_gap(assembly, in, system, (int)i, phi[i], gradient + i * n, directions))
            return CAIRN_NO_MEMORY;
    }
    return CAIRN_OK;
}

cairn_status crn_add_contact_rows(crn_assembly *assembly, const crn_input *in)
{
    for (int i = 0; i < in->contact_count; ++i)
    {
        const crn_contact *contact = &in->contacts[i];
        int finer;
        if (!crn_model_patch_of(in->layout->model, contact->shape_a, contact->shape_b, &finer) &&
            crn_add_contact(assembly, in, contact, NULL))
            return CAIRN_NO_MEMORY;
    }
    for (int s = 0; s < (int)in->layout->model->system_count; ++s)
        if (add_system_gaps(assembly, in, s))
            return CAIRN_NO_MEMORY;
    cairn_status status = crn_add_contact_compliance(assembly, in);
    status = status || !in->patches ? status : crn_add_patch_rows(assembly, in);
    status = status ? status : crn_add_bounded_rows(assembly, in);
    return status ? status : crn_add_contact_weights(assembly, in);
}

bool crn_assembly_has(const crn_assembly *assembly, uint64_t identity)
{
    const cairn_problem *problem = &assembly->problem;
    int rigid = assembly->patch_item_count > 0 ? assembly->patches[0].first : crn_contacts_of(assembly);
    if (crn_identity_find(problem->identity, rigid, identity) >= 0)
        return true;
    int low = 0, high = assembly->patch_item_count; /* patches ascend by identity too */
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        bool below = assembly->patches[middle].contact.identity < identity;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return low < assembly->patch_item_count && assembly->patches[low].contact.identity == identity;
}
