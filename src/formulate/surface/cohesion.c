/* Cohesion. A contact with the cohesion F holds its bodies together until it is drawn apart by more than F:
 *
 *     0 <= u_n  _|_  r_n >= -c ,      |r_t| <= mu (r_n + c) ,      c = h F ,
 *
 * as long as its gap at the start of the step is at most its range. Friction and rolling friction grow with the part of the normal
 * force that presses, as in contacts drawn together by adhesion or by liquid bridges (Rognon et al., JFM 596, 2008). With r' = r + c n
 * this is the ordinary law of the contact for r', and a known impulse -c n for its bodies. So p contains the pull, the solution of the
 * one-step problem is r', and r' - c n is the impulse that the contact is reported with.
 *
 * A pull that ends at a range does no more work than F times the range, whatever the step.
 */
#include "formulate/surface/cohesion.h"

#include <assert.h>
#include <math.h>

static double size_of(const crn_layout *layout, int body)
{
    return layout->body_block[body] >= 0 ? crn_size_of(layout, body) : INFINITY;
}

crn_cohesion crn_contact_cohesion(const crn_layout *layout, const crn_contact *contact)
{
    const cairn_model *model = layout->model;
    int finer;
    if (!model->coheres || contact->body_a < 0 ||
        crn_model_patch_of(model, contact->shape_a, contact->shape_b, &finer)) /* its elements only press */
        return (crn_cohesion){0, 0};
    crn_cohesion out;
    out.force = crn_materials_cohesion(model, model->shapes[contact->shape_a].material,
                                       model->shapes[contact->shape_b].material, &out.range);
    if (out.range == 0)
        out.range = CRN_COHESION_RANGE * fmin(size_of(layout, contact->body_a), size_of(layout, contact->body_b));
    assert(out.force >= 0 && out.range > 0);
    return out;
}

double crn_contact_pull(const crn_layout *layout, const crn_contact *contact, double h)
{
    if (!layout->model->coheres)
        return 0.0;
    crn_cohesion cohesion = crn_contact_cohesion(layout, contact);
    return contact->gap <= cohesion.range ? h * cohesion.force : 0.0;
}

double crn_cohesion_reach(const crn_layout *layout, int body)
{
    if (!layout->model->coheres || layout->body_block[body] < 0)
        return 0.0;
    return fmax(layout->model->range, CRN_COHESION_RANGE * crn_size_of(layout, body));
}

/* p += factor H_n' of an item */
static void add_normal(crn_assembly *assembly, int item, double factor)
{
    const cairn_problem *problem = &assembly->problem;
    const cairn_block_rows *H = &assembly->H.rows;
    for (int e = H->entry_start[item]; e < H->entry_start[item + 1]; ++e)
    {
        int start = problem->block_start[H->block[e]], width = problem->block_start[H->block[e] + 1] - start;
        for (int k = 0; k < width; ++k)
            problem->p[start + k] += factor * H->value[H->value_start[e] + k];
    }
}

void crn_add_pulls(crn_assembly *assembly, const crn_input *in)
{
    if (!in->layout->model->coheres || in->positions || in->instant)
        return;
    for (int j = 0; j < assembly->problem.contact_count; ++j)
    {
        double pull = crn_contact_pull(in->layout, &assembly->active[j], in->h);
        if (pull > 0)
            add_normal(assembly, j, -pull);
    }
}
