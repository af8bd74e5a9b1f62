/* Quantities of bodies and joints at a frame, with their gradients, and the targets of drives that depend on them.
 *
 * A target T(t, s) has the total rate dT/dt + sum dT/ds ds/dt. Positions s go on at their present rate, and velocities stay as they
 * are: targets follow the state explicitly. A force drive f(t, s) is implicit in its own coordinate q and the rate of that: it falls by
 * k = -df/dq and c = -df/dq' as these grow (formulate/bounded.c). Negative k and c would take the definiteness from the problem, and are
 * left explicit.
 */
#include "formulate/references.h"

#include "formulate/joints.h"
#include "model/handles.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Quantity and gradient of a body. */
static void read_body(const crn_frame *frame, const crn_reference *reference, int body, crn_reading *out)
{
    bool turns = reference->kind == CRN_REFERENCE_ANGLE || reference->kind == CRN_REFERENCE_SPIN;
    out->gradient = (crn_gradient){.body = {body, -1}};
    out->gradient.g[0][(turns ? 3 : 0) + reference->k] = 1.0;
    out->value = reference->kind == CRN_REFERENCE_POSITION ? frame->pose[body].x[reference->k]
                 : reference->kind == CRN_REFERENCE_ANGLE  ? frame->angle[body]
                                                           : 0.0;
    out->rate = crn_gradient_rate(frame->layout, &out->gradient, frame->v) + crn_gradient_drive(frame, &out->gradient);
}

/* Coordinate of a joint; the gradient of a coupling, which has more than two bodies, is not among those of forces on bodies. */
static void read_joint(const crn_frame *frame, const crn_reference *reference, int joint, crn_reading *out)
{
    crn_joint_rows row;
    crn_joint_coordinate_row(frame->layout->model, frame, joint, reference->k, &row);
    out->value = row.theta[0];
    out->rate = crn_row_rate(frame->layout, &row, 0, frame->v) + crn_row_drive(frame, &row, 0);
    if (row.sides == 0)
        out->gradient = row.gradient[0];
}

static void read(const crn_frame *frame, const crn_reference *reference, crn_reading *out)
{
    const cairn_model *model = frame->layout->model;
    bool of_body = reference->body.id != 0;
    int index = of_body ? crn_body_index(model, reference->body) : crn_joint_index(model, reference->joint);
    *out = (crn_reading){.value = NAN, .gradient = {.body = {-1, -1}}};
    if (index < 0) /* it was removed */
        return;
    assert(frame->v);
    if (of_body)
        read_body(frame, reference, index, out);
    else
        read_joint(frame, reference, index, out);
    if (crn_reference_is_position(reference))
        return;
    out->value = out->rate;
    out->rate = 0.0;
}

void crn_references_read(const crn_frame *frame, const crn_references *references, double t,
                         double values[1 + CRN_REFERENCES], double rates[1 + CRN_REFERENCES], crn_reading *readings)
{
    values[0] = t;
    rates[0] = 1.0;
    for (int i = 0; i < references->count; ++i)
    {
        read(frame, &references->item[i], &readings[i]);
        values[1 + i] = readings[i].value;
        rates[1 + i] = readings[i].rate;
    }
}

/* The value of a target h later: the time alone, or the quantities too, have gone on. */
static double later(const crn_signal *target, const double *values, const double *rates, double h, bool time_alone)
{
    double moved[1 + CRN_REFERENCES];
    for (int i = 0; i <= target->references.count; ++i)
        moved[i] = values[i] + (i == 0 || !time_alone ? h * rates[i] : 0.0);
    return crn_expression_evaluate(target->expression, moved);
}

/* -df/ds of a force by its own coordinate, or by that one's rate, if this is positive. */
static void add_fall(const crn_element *element, cairn_joint joint, const double *values, crn_element_known *out)
{
    const crn_references *named = &element->target.references;
    for (int i = 0; i < named->count; ++i)
    {
        const crn_reference *item = &named->item[i];
        double unit[1 + CRN_REFERENCES] = {0};
        if (item->joint.id != joint.id || item->k != element->coordinate)
            continue;
        unit[1 + i] = 1.0;
        double fall = fmax(0.0, -crn_expression_slope(element->target.expression, values, unit).rate);
        *(item->kind == CRN_REFERENCE_COORDINATE ? &out->k : &out->c) = isfinite(fall) ? fall : 0.0;
    }
}

static void know(const crn_frame *frame, const crn_element *element, cairn_joint joint, crn_element_known *out)
{
    const crn_signal *target = &element->target;
    double values[1 + CRN_REFERENCES], rates[1 + CRN_REFERENCES];
    crn_reading readings[CRN_REFERENCES];
    bool is_force = element->kind == CRN_ELEMENT_FORCE;
    crn_references_read(frame, &target->references, frame->t, values, rates, readings);
    *out = (crn_element_known){.is_known = true};
    out->value = crn_expression_evaluate(target->expression, values);
    out->later = frame->h > 0 ? later(target, values, rates, frame->h, is_force) : out->value;
    out->rate = frame->h > 0       ? (out->later - out->value) / frame->h
                : frame->side != 0 ? crn_expression_slope(target->expression, values, rates).rate
                                   : 0.0;
    if (is_force)
        add_fall(element, joint, values, out);
}

bool crn_know_targets(const cairn_model *model, const crn_frame *frame, int index, crn_element_known *known)
{
    const crn_joint *joint = &model->joints[index];
    bool any = false;
    for (int i = 0; i < joint->element_count; ++i)
    {
        known[i].is_known = joint->element[i].target.references.count > 0;
        if (known[i].is_known)
            know(frame, &joint->element[i], crn_joint_handle(model, index), &known[i]);
        any = any || known[i].is_known;
    }
    return any;
}
