/* Compliant patches in a step: their matrices before it, and their deformations and energies after it. */
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

cairn_status crn_open_patches(cairn_simulation *s)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < s->model->shape_count && status == CAIRN_OK; ++i)
    {
        const crn_material *material = &s->model->materials[s->model->shapes[i].material];
        if (material->patch.elements > 0 && crn_is_second_order(s->settings.integrator))
        {
            status =
                crn_fail(s->context, CAIRN_INVALID,
                         "integrator: %s is of second order, but the patches of material '%s' move by implicit "
                         "Euler; use %s with them",
                         cairn_integrator_name(s->settings.integrator), material->name, crn_list_first_order().text);
        }
    }
    return status ? status : crn_patches_create(s->model, &s->state.patches);
}

/* rad/s: angular velocity of a body about a world direction. */
double crn_spin_about(const cairn_simulation *s, int body, const double n[3])
{
    int block = body < 0 ? -1 : s->layout->body_block[body];
    double turn[3] = {0};
    if (body >= 0 && block < 0)
        crn_rotate3(s->located.frame.pose[body].R, crn_frame_drive(&s->located.frame, body) + 3, turn);
    else if (body >= 0 && crn_body_dofs(s->model, body) == 6)
        crn_rotate3(s->located.frame.pose[body].R, s->state.v + s->layout->block_start[block] + 3, turn);
    return crn_dot3(turn, n);
}

void crn_turn_patches(cairn_simulation *s, double h)
{
    crn_assembly *assembly = &s->stage[0].assembly;
    for (int k = 0; s->model->dimension == 3 && k < assembly->patch_item_count; ++k)
    {
        crn_patch_item *item = &assembly->patches[k];
        const crn_contact *contact = &item->contact;
        item->turn =
            0.5 * h *
            (crn_spin_about(s, contact->body_a, contact->normal) + crn_spin_about(s, contact->body_b, contact->normal));
    }
}

/* m: the largest overlap of the deformed surfaces, from the linearised gap at the end of the step. */
static double overlap(const cairn_simulation *s, const crn_stage *stage, double h)
{
    double worst = 0;
    for (int j = 0; j < stage->assembly.problem.contact_count; ++j)
    {
        if (stage->assembly.element[j] >= 0)
        {
            double closing = h * crn_contact_rate(s, stage, j, 0, s->state.v);
            worst = fmax(worst, -(stage->assembly.active[j].gap + closing + stage->assembly.deformation[j][0]));
        }
    }
    return worst;
}

cairn_status crn_accept_patches(cairn_simulation *s, double h)
{
    assert(h >= 0);
    assert(s->stage_count > 0);
    crn_stage *stage = &s->stage[0];
    crn_patch_work work;
    if (stage->assembly.patch_item_count == 0 && s->state.patches.now.count == 0)
    {
        s->state.patches.penetration = 0;
        return CAIRN_OK;
    }
    if (crn_patches_advance(&s->state.patches, &stage->assembly, stage->solution.r, h, &work))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contact patches at t = %g: memory ran out", s->state.t);
    s->state.energy.work_contact_normal += work.normal;
    s->state.energy.work_friction += work.friction;
    s->state.energy.work_dampers += work.damping;
    s->state.energy.integration += work.integration;
    s->state.patches.penetration = overlap(s, stage, h);
    return CAIRN_OK;
}
