/* Dry friction of joints keeps to its bound: over a smooth part of length h,
 *
 *     sum |z| <= h F_0 + sum mu (radius N + ...)
 *
 * over the places at which the joint acted, with what its own impulses press there (model/joints/bearing.c). In an impact there is
 * none. Rows that second-order schemes hold in their mode up to an event are within their bounds there, but in a stage before it only to the
 * order of the scheme: a twentieth of the bound is allowed them. */
#include "audit/audit_internal.h"

#include "model/joints/element.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double HELD = 0.05; /* of the bound */

/* What an element's friction gains by the load of the joint at a place. */
static double load_at(const cairn_model *model, const crn_piece_place *place, const crn_joint *joint,
                      const crn_element *element, const double *c)
{
    crn_joint_place at = crn_place_between(&joint->a, &joint->b, place->pose, NULL);
    crn_joint_action load = {.off = 0};
    memcpy(load.x, at.x, sizeof load.x);
    (joint->type->act ? joint->type->act : crn_joint_act_functions)(joint, model->dimension, &at, c, &load);
    return crn_bearing_friction(joint, model->dimension, &at, element, &load);
}

double crn_friction_excess(const cairn_model *model, const crn_piece *piece, int index, int row)
{
    const crn_joint *joint = &model->joints[index];
    const crn_element *element = crn_joint_element(joint, row);
    if (!element || element->kind != CRN_ELEMENT_FRICTION)
        return 0.0;
    double sum = 0, bound = piece->h * element->most;
    for (int k = 0; k < piece->place_count; ++k)
    {
        const crn_piece_place *place = &piece->place[k];
        if (!place->joint_impulse)
            continue;
        sum += fabs(place->joint_impulse[index][row]);
        bound += element->mu > 0 ? load_at(model, place, joint, element, place->joint_impulse[index]) : 0.0;
    }
    double allowed = piece->place_count > 1 ? HELD : 10 * piece->tolerance + 1e-12;
    return fmax(0.0, sum - (1 + allowed) * bound);
}

void crn_judge_joint_friction(crn_audit *audit, const crn_piece *piece, int index, int row, double slack)
{
    const crn_joint *joint = &audit->model->joints[index];
    const crn_piece_place *last = &piece->place[piece->place_count - 1];
    double excess = crn_friction_excess(audit->model, piece, index, row);
    if (excess == 0)
        return;
    int coordinate = crn_joint_element(joint, row)->coordinate;
    double mobility = crn_measure_along(audit, last, joint, coordinate, 1.0).mobility;
    assert(mobility >= 0);
    crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_FRICTION,
                                             .time = piece->t + piece->h,
                                             .a.id = joint->a.body + 1,
                                             .b.id = joint->b.body + 1,
                                             .size = mobility * excess,
                                             .allowance = slack});
}
