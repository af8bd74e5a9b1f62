/* Contact rows  u = H v + w: contacts of collision detection and gaps of users' systems. */
#include "collide/identity.h"
#include "formulate/bounded.h"
#include "formulate/patch.h"
#include "formulate/rolling.h"
#include "formulate/surface/cohesion.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

uint64_t crn_gap_identity(int system, int gap)
{
    assert(system >= 0);
    assert(gap >= 0);
    return (UINT64_C(1) << 63) | ((uint64_t)system << 32) | (uint64_t)gap;
}

cairn_status crn_reserve_contacts(crn_assembly *assembly, int dim, size_t need)
{
    assert(dim == 2 || dim == 3);
    assembly->active = assembly->listed;
    if (need <= assembly->contact_room)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(
        &assembly->memory, CRN_ARRAY(assembly->problem.w, need * (size_t)dim), CRN_ARRAY(assembly->problem.mu, need),
        CRN_ARRAY(assembly->problem.identity, need), CRN_ARRAY(assembly->listed, need),
        CRN_ARRAY(assembly->contact_drive, need), CRN_ARRAY(assembly->push, need), CRN_ARRAY(assembly->element, need),
        CRN_ARRAY(assembly->deformation, need), CRN_ARRAY(assembly->creep, need), CRN_ARRAY(assembly->rolling, need)));
    assembly->active = assembly->listed;
    assembly->contact_room = need;
    return CAIRN_OK;
}

/* The normal bias w_n. A contact may use up its gap within the step: u_n >= -gap/h. With stabilisation `gap`, the same
 * term pushes penetration out, no faster than the settings allow. Otherwise penetration is left as it is (w_n = 0,
 * since Theorems 2.2 and 2.4 need w >= 0). A contact that would close within the step at more than the threshold speed
 * bounces: u_n >= -e u_n_old. u_n_old is the whole relative normal velocity before the step. */
bool crn_contact_bounces(const crn_input *in, double gap, double restitution, double u_n_old)
{
    bool closes = gap + in->h * u_n_old < 0;
    return restitution > 0 && closes && !in->inelastic && u_n_old < -in->settings->restitution_threshold;
}

double crn_normal_bias(const crn_input *in, double gap, double restitution, double u_n_old)
{
    assert(in->h > 0);
    assert(restitution >= 0 && restitution <= 1);
    assert(!isnan(gap));
    if (crn_contact_bounces(in, gap, restitution, u_n_old))
        return restitution * u_n_old;
    bool correct = in->settings->stabilisation == CAIRN_STABILISE_GAP;
    /* A partial step pushes out at the rate of a whole step; otherwise a short one would turn an overlap into a kick. A
     * contact that closes fast may open as fast, because a step may let bodies that rotate by a large angle overlap too
     * far. */
    double push = correct ? gap / fmax(in->h, in->settings->step) : 0.0;
    return gap > 0 ? gap / in->h : fmax(push, fmin(u_n_old, -in->settings->push_out_speed));
}

/* The same, with closed contacts treated separately. `ahead` is the rate of the gap along in->ahead: the gap at the
 * base is smaller by h times this rate. Returns false if the contact gets no row. */
static bool contact_bias(const crn_input *in, const crn_contact *contact, double restitution, double u_n_old,
                         double ahead, double *bias)
{
    assert(!in->hold_closed || in->closed_count >= 0);
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
    assert(contact->friction >= 0);
    assert(!assembly->rowless && assembly->problem.contact_count < assembly->H.rows.item_count);
    cairn_problem *problem = &assembly->problem;
    int j = problem->contact_count++;
    memcpy(problem->w + j * dim, w, (size_t)dim * sizeof(double));
    problem->mu[j] = contact->friction;
    problem->identity[j] = contact->identity;
    assembly->listed[j] = *contact;
    memcpy(assembly->contact_drive[j], drive, sizeof(double[3]));
    assembly->push[j] = 0.0;
    assembly->element[j] = assembly->rolling[j] = -1;
    memset(assembly->deformation[j], 0, sizeof(double[3]));
    memset(assembly->creep[j], 0, sizeof(double[3]));
}

cairn_status crn_add_contact_item(crn_assembly *assembly, const crn_input *in, const crn_contact *contact,
                                  const crn_gradient *gradient, const double *w, const double drive[3])
{
    int dim = in->layout->model->dimension;
    CRN_TRY(crn_reserve_contacts(assembly, dim, (size_t)assembly->problem.contact_count + 1));
    CRN_TRY(crn_rows_add_item(&assembly->H, in->layout, gradient, dim));
    push_item(assembly, contact, w, drive, dim);
    return CAIRN_OK;
}

/* w of a contact with a spring along its normal and one along its tangents. */
static void soft_bias(const crn_input *in, const crn_contact *contact, crn_row_compliance give, double w[3])
{
    const cairn_model *model = in->layout->model;
    crn_row_compliance shear = crn_contact_shear_give(model, contact);
    double stretch[2] = {0};
    if (in->anchors)
        crn_anchor_stretch(in->anchors, contact, model->dimension, stretch);
    w[0] = crn_compliance_bias(give, in->h, contact->gap, true);
    for (int i = 1; i < model->dimension; ++i)
        w[i] = crn_compliance_bias(shear, in->h, stretch[i - 1], false);
}

/* A body whose motion a contact feels; -1: it is fixed. */
static int moving_body(const crn_input *in, int body)
{
    return in->layout->body_block[body] >= 0 || in->frame->drive ? body : -1;
}

cairn_status crn_add_contact(crn_assembly *assembly, const crn_input *in, const crn_contact *contact,
                             const double *bias)
{
    assert(contact->body_a >= 0 && contact->body_b >= 0);
    assert(contact->body_a != contact->body_b);
    assert(in->contact_count >= 0);
    int dim = in->layout->model->dimension;
    crn_contact_next_tangents(contact, dim, &assembly->tangents);
    const double *direction[3] = {contact->normal, assembly->tangents.t[0], assembly->tangents.t[1]};
    int a = moving_body(in, contact->body_a), b = moving_body(in, contact->body_b);
    crn_gradient gradient[3];
    double drive[3] = {0};
    for (int i = 0; i < dim; ++i)
    {
        crn_gradient_point(in->frame, &gradient[i], 0, a, contact->point_a, direction[i], 1);
        crn_gradient_point(in->frame, &gradient[i], 1, b, contact->point_b, direction[i], -1);
        drive[i] = crn_contact_drive(in->frame, contact, direction[i], &gradient[i]);
    }
    double u_n_old = crn_gradient_rate(in->layout, &gradient[0], in->v) + drive[0];
    double ahead = in->ahead ? crn_gradient_rate(in->layout, &gradient[0], in->ahead) + drive[0] : 0.0;
    double w[3] = {0};
    if (!bias && !contact_bias(in, contact, contact->restitution, u_n_old, ahead, &w[0]))
        return CAIRN_OK;
    crn_row_compliance give = crn_contact_give(in->layout->model, contact);
    double push = give.k > 0 || bias ? 0.0 : fmin(-w[0], -contact->gap / in->h); /* without restitution */
    if (give.k > 0)
        soft_bias(in, contact, give, w);
    for (int i = 0; i < dim; ++i)
    {
        w[i] += bias ? bias[i] : 0.0;
        w[i] += drive[i] + (in->row_bias ? crn_gradient_rate(in->layout, &gradient[i], in->row_bias) + drive[i] : 0.0);
    }
    CRN_TRY(crn_add_contact_item(assembly, in, contact, gradient, w, drive));
    assembly->push[assembly->problem.contact_count - 1] = fmax(push, 0.0);
    return CAIRN_OK;
}

/* Add one gap of a user's system. Its normal row is the gap's gradient and its tangent rows are its directions. Missing
 * directions give zero rows. */
static cairn_status add_gap(crn_assembly *assembly, const crn_input *in, int system, int gap, double phi,
                            const double *gradient, const double *tangents)
{
    assert(gap >= 0 && gap < in->layout->model->systems[system].options.gap_count);
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
    CRN_TRY(crn_reserve_contacts(assembly, dim, (size_t)assembly->problem.contact_count + 1));
    CRN_TRY(crn_rows_begin(&assembly->H, dim));
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
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->scratch, size)));
    memset(assembly->scratch, 0, size * sizeof(double));
    double *phi = assembly->scratch;
    double *gradient = phi + gaps;
    double *tangents = gradient + gaps * n;
    o->gaps(o->data, in->q + layout->q_start[layout->body_block_count + system], phi, gradient,
            o->tangent_count > 0 ? tangents : NULL);
    for (size_t i = 0; i < gaps; ++i)
    {
        const double *directions = tangents + i * n * (size_t)o->tangent_count;
        CRN_TRY(add_gap(assembly, in, system, (int)i, phi[i], gradient + i * n, directions));
    }
    return CAIRN_OK;
}

cairn_status crn_add_contact_rows(crn_assembly *assembly, const crn_input *in)
{
    assert(assembly->problem.contact_count == 0);
    assert(assembly->H.rows.item_count == 0);
    for (int i = 0; i < in->contact_count; ++i)
    {
        const crn_contact *contact = &in->contacts[i];
        int finer;
        if (!crn_model_patch_of(in->layout->model, contact->shape_a, contact->shape_b, &finer))
            CRN_TRY(crn_add_contact(assembly, in, contact, NULL));
    }
    for (int s = 0; s < (int)in->layout->model->system_count; ++s)
        CRN_TRY(add_system_gaps(assembly, in, s));
    crn_add_pulls(assembly, in);
    CRN_TRY(crn_add_contact_compliance(assembly, in));
    if (in->patches)
        CRN_TRY(crn_add_patch_rows(assembly, in));
    CRN_TRY(crn_add_rolling_rows(assembly, in));
    CRN_TRY(crn_add_bounded_rows(assembly, in));
    return crn_add_contact_weights(assembly, in);
}

bool crn_assembly_has(const crn_assembly *assembly, uint64_t identity)
{
    const cairn_problem *problem = &assembly->problem;
    int rigid = assembly->patch_item_count > 0 ? assembly->patches[0].first : crn_contacts_of(assembly);
    if (crn_identity_find(problem->identity, rigid, identity) >= 0)
        return true;
    size_t patches = (size_t)assembly->patch_item_count; /* they ascend by identity as well */
    const uint64_t *first = patches > 0 ? &assembly->patches->contact.identity : NULL;
    return crn_identity_search(first, patches, sizeof *assembly->patches, identity) >= 0;
}
