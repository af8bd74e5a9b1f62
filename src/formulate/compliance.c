/* A spring k and a damper c in place of a rigid row (Preclik et al. 2011, eq. 24-34), both evaluated at the end of the step.
 * Let g be the gap, or Theta of a joint, u its rate over the step, g+ = g + h u, and r = h times the force. Then
 *
 *     r = -h (k g+ + c u) = -h k g - h (h k + c) u     that is     u + R r + w = 0 ,
 *
 *     R = 1 / (h (h k + c)) ,      w = g k / (h k + c) .
 *
 * Without a damper these are 1/(h^2 k) and g/h, eq. 26; k -> infinity is the rigid row with stabilisation `gap`. A contact
 * requires 0 <= u + R r + w _|_ r >= 0. While its gap is open, the damper must not act before the surfaces meet: it only sees
 * the closing rate beyond that point, u + g/h, and w = g/h. Along the tangents g is the stretch of a spring that friction
 * limits (anchor.c). Preclik et al. 2011, section 4.3, let it start from 0 in every step, which makes a contact that sticks
 * creep by r_t / (h^2 k).
 *
 * Two materials in contact are springs in series, 1/k = 1/k_a + 1/k_b. Each takes the share k/k_i of the rate, so that the
 * damping that dissipates the same power is c = k^2 (c_a/k_a^2 + c_b/k_b^2). A rigid side takes no share. Weights are combined
 * in series too; only their ratios matter.
 */
#include "formulate/compliance.h"

#include "model/joints/bushing.h"
#include "model/joints/element.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* k and c of two materials in series. The damper along the tangents is in proportion to the spring there. */
static crn_row_compliance in_series(const cairn_model *model, const crn_contact *contact, bool shear)
{
    crn_row_compliance give = {0, 0};
    int finer;
    if (!model->gives || contact->body_a < 0 ||
        crn_model_patch_of(model, contact->shape_a, contact->shape_b, &finer)) /* its elements are compliant */
        return give;
    const crn_material *side[2] = {&model->materials[model->shapes[contact->shape_a].material],
                                   &model->materials[model->shapes[contact->shape_b].material]};
    double softness = 0, loss = 0;
    for (int i = 0; i < 2; ++i)
    {
        if (side[i]->stiffness > 0)
        {
            double ratio = shear ? side[i]->tangential / side[i]->stiffness : 1.0;
            softness += 1 / (ratio * side[i]->stiffness);
            loss += side[i]->damping / (ratio * side[i]->stiffness * side[i]->stiffness);
        }
    }
    if (softness > 0)
    {
        give.k = 1 / softness;
        give.c = give.k * give.k * loss;
    }
    return give;
}

crn_row_compliance crn_contact_give(const cairn_model *model, const crn_contact *contact)
{
    return in_series(model, contact, false);
}

crn_row_compliance crn_contact_shear_give(const cairn_model *model, const crn_contact *contact)
{
    return in_series(model, contact, true);
}

crn_row_compliance crn_joint_give(const cairn_model *model, int joint, int row)
{
    assert(joint >= 0 && (size_t)joint < model->joint_count);
    assert(row >= 0);
    assert(row < model->joints[joint].rows + model->joints[joint].bounded);
    const crn_joint *j = &model->joints[joint];
    const crn_element *element = j->element_count > 0 ? crn_joint_element(j, row) : NULL;
    if (element)
        return (crn_row_compliance){element->k, element->c};
    if (!model->gives)
        return (crn_row_compliance){0.0, 0.0};
    if (j->bushing)
        return (crn_row_compliance){j->bushing->k[row], j->bushing->c[row]};
    bool angular = row >= j->own_rows - j->type->angular[model->dimension - 2] && row < j->own_rows;
    return angular ? (crn_row_compliance){j->angular_stiffness, j->angular_damping}
                   : (crn_row_compliance){j->stiffness, j->damping};
}

double crn_row_compliance_of(crn_row_compliance give, double h)
{
    assert(h > 0);
    assert(give.k >= 0);
    assert(give.c >= 0);
    return crn_is_soft(give) ? 1 / (h * (h * give.k + give.c)) : 0.0;
}

double crn_compliance_bias(crn_row_compliance give, double h, double gap, bool one_sided)
{
    assert(h > 0);
    assert(crn_is_soft(give));
    return one_sided && gap > 0 ? gap / h : gap * give.k / (h * give.k + give.c);
}

/* u = -R r - w gives g+ = g + h u. The spring's part is -h k g+; the damper's part is the rest. */
void crn_compliance_parts(crn_row_compliance give, double h, double gap, bool one_sided, double r, double *elastic,
                          double *damping)
{
    assert(isfinite(r));
    double end = gap - h * (crn_row_compliance_of(give, h) * r + crn_compliance_bias(give, h, gap, one_sided));
    *elastic = -h * give.k * end;
    *damping = r - *elastic;
}

/* ----------------------------------------------------------------------------------------------------- contacts */

cairn_status crn_reserve_compliance(crn_assembly *assembly, size_t patches, size_t values)
{
    assert(patches >= (size_t)assembly->problem.patch_count);
    assert(values >= assembly->R_used);
    cairn_problem *problem = &assembly->problem;
    if (values > INT32_MAX) /* R_start counts values in an int */
        return CAIRN_NO_MEMORY;
    return crn_reserve_all(&assembly->memory, CRN_ARRAY(problem->patch_start, patches + 1),
                           CRN_ARRAY(problem->R_start, patches + 1), CRN_ARRAY(problem->R, values));
}

cairn_status crn_add_contact_compliance(crn_assembly *assembly, const crn_input *in)
{
    assert(assembly->problem.patch_count == 0);
    assert(assembly->bounded_count == 0);
    cairn_problem *problem = &assembly->problem;
    const cairn_model *model = in->layout->model;
    int dim = model->dimension;
    bool any = false;
    for (int j = 0; model->gives && j < problem->contact_count; ++j)
        any = any || crn_contact_give(model, &assembly->active[j]).k > 0;
    if (!any)
        return CAIRN_OK;
    size_t contacts = (size_t)problem->contact_count;
    assembly->R_used = contacts * (size_t)(dim * dim);
    CRN_TRY(crn_reserve_compliance(assembly, contacts, assembly->R_used));
    memset(problem->R, 0, assembly->R_used * sizeof(double));
    problem->patch_count = problem->contact_count;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double R = crn_row_compliance_of(crn_contact_give(model, &assembly->active[j]), in->h);
        double R_t = crn_row_compliance_of(crn_contact_shear_give(model, &assembly->active[j]), in->h);
        problem->patch_start[j] = j;
        problem->R_start[j] = j * dim * dim;
        for (int i = 0; i < dim; ++i)
            problem->R[problem->R_start[j] + i * (dim + 1)] = i == 0 ? R : R_t;
    }
    problem->patch_start[problem->contact_count] = problem->contact_count;
    return CAIRN_OK;
}

static double contact_weight(const cairn_model *model, const crn_contact *contact)
{
    assert(contact->body_a < 0 || (size_t)contact->shape_a < model->shape_count);
    assert(contact->body_a < 0 || (size_t)contact->shape_b < model->shape_count);
    if (contact->body_a < 0)
        return 0.5; /* a gap of a user's system counts as two materials of weight 1 */
    double a = model->materials[model->shapes[contact->shape_a].material].weight;
    double b = model->materials[model->shapes[contact->shape_b].material].weight;
    return a * b / (a + b);
}

cairn_status crn_add_contact_weights(crn_assembly *assembly, const crn_input *in)
{
    cairn_problem *problem = &assembly->problem;
    const cairn_model *model = in->layout->model;
    problem->weight = NULL;
    if (!model->weighs)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->weight, problem->contact_count)));
    int contacts = crn_contacts_of(assembly);
    for (int j = 0; j < contacts; ++j)
        assembly->weight[j] = contact_weight(model, &assembly->active[j]);
    for (int k = 0; k < assembly->bounded_count; ++k)
    {
        const crn_bounded_row *row = &assembly->bounded[k];
        assembly->weight[contacts + k] =
            row->joint < 0 ? assembly->weight[row->contact] : CRN_JOINT_WEIGHT * model->joints[row->joint].weight;
    }
    problem->weight = assembly->weight;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------- joints */

cairn_status crn_reserve_joint_weights(crn_assembly *assembly, const crn_input *in, size_t rows)
{
    assembly->problem.joint_weight = NULL;
    if (!in->layout->model->weighs)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->joint_weight, rows)));
    assembly->problem.joint_weight = assembly->joint_weight;
    return CAIRN_OK;
}

void crn_set_joint_weights(crn_assembly *assembly, const crn_input *in)
{
    const cairn_model *model = in->layout->model;
    int row = 0;
    for (int j = 0; assembly->problem.joint_weight && j < (int)model->joint_count; ++j)
        for (int i = 0; i < model->joints[j].rows; ++i)
            assembly->problem.joint_weight[row++] = CRN_JOINT_WEIGHT * model->joints[j].weight;
}
