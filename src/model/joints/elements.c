/* The rows of what acts on the coordinates of joints. */
#include "model/joints/coupling.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void crn_joint_release_elements(crn_joint *joint)
{
    for (int i = 0; i < joint->element_count; ++i)
    {
        crn_signal_release(&joint->element[i].target);
        crn_signal_release(&joint->element[i].first);
    }
    free(joint->element);
    free(joint->bushing);
    joint->bushing = NULL;
    joint->element = NULL;
    joint->element_count = 0;
}

/* The row of element i. */
static int row_of(const crn_joint *joint, int i)
{
    assert(i >= 0 && i < joint->element_count);
    return joint->own_rows + i + (i < joint->rows - joint->own_rows ? 0 : joint->own_bounded);
}

const crn_element *crn_joint_element(const crn_joint *joint, int row)
{
    for (int i = 0; i < joint->element_count; ++i)
        if (row_of(joint, i) == row)
            return &joint->element[i];
    return NULL;
}

bool crn_element_turns(const crn_joint *joint, int dimension, const crn_element *element)
{
    crn_joint_function_kind kind = joint->type->coordinate[dimension - 2][element->coordinate].kind;
    if (joint->coupling)
        return joint->coupling->turns;
    return kind != CRN_SLIDE && kind != CRN_LENGTH;
}

bool crn_joint_drives(const crn_joint *joint, int row)
{
    const crn_element *element = joint->element_count > 0 ? crn_joint_element(joint, row) : NULL;
    return element && element->kind >= CRN_ELEMENT_POSITION && element->kind <= CRN_ELEMENT_FORCE;
}

bool crn_joint_holds_rate(const crn_joint *joint, int row)
{
    const crn_element *element = joint->element_count > 0 ? crn_joint_element(joint, row) : NULL;
    return element && element->kind == CRN_ELEMENT_SPEED;
}

double crn_joint_rotor(const crn_joint *joint, int row, int *coordinate)
{
    const crn_element *element = joint->element_count > 0 ? crn_joint_element(joint, row) : NULL;
    if (!element || element->kind != CRN_ELEMENT_ROTOR)
        return 0.0;
    assert(element->inertia > 0);
    *coordinate = element->coordinate;
    return element->inertia;
}

crn_role crn_element_role(const crn_element *element)
{
    switch (element->kind)
    {
    case CRN_ELEMENT_SPRING:
        return CRN_ROLE_SPRING;
    case CRN_ELEMENT_ROTOR:
        return CRN_ROLE_ROTOR;
    case CRN_ELEMENT_FRICTION:
        return CRN_ROLE_FRICTION;
    case CRN_ELEMENT_LOWER:
    case CRN_ELEMENT_UPPER:
        return CRN_ROLE_LIMIT;
    default:
        return CRN_ROLE_DRIVE;
    }
}

const char *crn_joint_element_name(const crn_element *element)
{
    switch (element->kind)
    {
    case CRN_ELEMENT_SPRING:
        return "spring";
    case CRN_ELEMENT_ROTOR:
        return "rotor";
    case CRN_ELEMENT_LOWER:
        return "lower limit";
    case CRN_ELEMENT_UPPER:
        return "upper limit";
    case CRN_ELEMENT_FRICTION:
        return "friction";
    default:
        return "drive";
    }
}

/* The rate of change of the target: the mean over the step, or the derivative. */
static double target_rate(const crn_element *element, crn_element_time time, const crn_element_known *known)
{
    const crn_signal *target = &element->target;
    if (known)
        return known->rate;
    if (time.h > 0)
        return (crn_signal_value(target, time.t + time.h) - crn_signal_value(target, time.t)) / time.h;
    return time.side == 0 ? 0.0 : crn_signal_rate(target, time.t, time.side);
}

/* A speed drive takes the mean of its target over the step. */
static double speed_of(const crn_element *element, crn_element_time time, const crn_element_known *known)
{
    if (known)
        return 0.5 * (known->value + known->later);
    double now = crn_signal_value(&element->target, time.t);
    return time.h > 0 ? 0.5 * (now + crn_signal_value(&element->target, time.t + time.h)) : now;
}

/* A force, within its limits: given, or one that falls with the motion. */
static void set_force(const crn_element *element, double force, const crn_element_known *known, crn_joint_bound *bound)
{
    bound->is_force = true;
    bound->force = force;
    bound->k = known ? known->k : 0.0;
    bound->c = known ? known->c : 0.0;
    if (bound->k == 0 && bound->c == 0)
        bound->lo = bound->hi = fmax(-element->most, fmin(force, element->most));
}

/* An expression may have no value at a state; the row is then that of a target of 0, and is marked. */
static void check_row(int i, crn_joint_rows *rows)
{
    if (isfinite(rows->theta[i]) && isfinite(rows->rate[i]) && isfinite(rows->bound[i].force))
        return;
    rows->not_finite = i + 1;
    rows->theta[i] = rows->rate[i] = 0.0;
    if (rows->bound[i].is_force)
        rows->bound[i] = (crn_joint_bound){.is_drive = true};
}

static void fill_row(const crn_element *element, double q, crn_element_time time, const crn_element_known *known, int i,
                     crn_joint_rows *rows)
{
    crn_joint_bound bound = {.lo = -element->most, .hi = element->most, .power = element->power, .is_drive = true};
    rows->theta[i] = rows->rate[i] = 0.0;
    switch (element->kind)
    {
    case CRN_ELEMENT_SPRING:
    case CRN_ELEMENT_POSITION:
        rows->theta[i] = q - (known ? known->value : crn_signal_value(&element->target, time.t));
        rows->rate[i] = -target_rate(element, time, known);
        break;
    case CRN_ELEMENT_ROTOR:
        break;
    case CRN_ELEMENT_SPEED:
        rows->rate[i] = time.h > 0 || time.side != 0 ? -speed_of(element, time, known) : 0.0;
        break;
    case CRN_ELEMENT_FORCE:
        set_force(element, speed_of(element, time, known), known, &bound);
        break;
    case CRN_ELEMENT_FRICTION:
        bound.is_drive = false;
        break;
    case CRN_ELEMENT_LOWER:
    case CRN_ELEMENT_UPPER:
        rows->theta[i] = element->kind == CRN_ELEMENT_LOWER ? q - element->bound : element->bound - q;
        bound = (crn_joint_bound){.is_limit = true, .lo = 0, .hi = INFINITY, .restitution = element->restitution};
    }
    rows->bound[i] = bound;
    check_row(i, rows);
}

/* What is known of the target of element i; NULL: it is a function of time. */
static const crn_element_known *known_of(crn_element_time time, int i)
{
    return time.known && time.known[i].is_known ? &time.known[i] : NULL;
}

void crn_elements_evaluate(const crn_joint *joint, int dimension, const crn_joint_place *place, crn_element_time time,
                           crn_joint_rows *rows)
{
    double q = 0;
    crn_gradient of; /* that of q, the coordinate of the element before: most joints have one with several elements */
    for (int i = 0; i < joint->element_count; ++i)
    {
        const crn_element *element = &joint->element[i];
        int row = row_of(joint, i);
        crn_gradient *gradient = rows->values_only ? NULL : &rows->gradient[row];
        if (i == 0 || element->coordinate != joint->element[i - 1].coordinate)
            q = crn_joint_coordinate(joint, dimension, place, element->coordinate, gradient ? &of : NULL);
        if (gradient)
            *gradient = of;
        fill_row(element, q, time, known_of(time, i), row, rows);
        for (int k = 0; gradient && element->kind == CRN_ELEMENT_UPPER && k < 12; ++k)
            gradient->g[k / 6][k % 6] = -gradient->g[k / 6][k % 6];
    }
}

void crn_elements_evaluate_coupling(const crn_joint *joint, double q, crn_element_time time, crn_joint_rows *rows)
{
    assert(rows->sides > 0 && joint->own_bounded == 0);
    const crn_gradient first = crn_gradient_of_sides(rows->side, rows->sides);
    for (int i = 0; i < joint->own_rows + joint->element_count; ++i)
    {
        const crn_element *element =
            i < joint->own_rows ? &joint->coupling->hold : &joint->element[i - joint->own_rows];
        fill_row(element, q, time, i < joint->own_rows ? NULL : known_of(time, i - joint->own_rows), i, rows);
        rows->gradient[i] = first;
        rows->sign[i] = element->kind == CRN_ELEMENT_UPPER ? -1.0 : 1.0;
        for (int k = 0; k < 12; ++k)
            rows->gradient[i].g[k / 6][k % 6] *= rows->sign[i];
    }
}

double crn_elements_sum(const crn_joint *joint, const double *c, double *motor)
{
    const crn_coupling *coupling = joint->coupling;
    double sum = 0;
    *motor = 0;
    for (int i = 0; i < joint->own_rows + joint->element_count; ++i)
    {
        const crn_element *element = i < joint->own_rows ? &coupling->hold : &joint->element[i - joint->own_rows];
        double z = element->kind == CRN_ELEMENT_UPPER ? -c[i] : c[i];
        sum += z;
        if (element == &coupling->hold ? coupling->moves : element->kind <= CRN_ELEMENT_FORCE)
            *motor += z;
    }
    return sum;
}

static void add_to(double sum[2][3], double part[2][3])
{
    for (int k = 0; k < 6; ++k)
        sum[k / 3][k % 3] += part[k / 3][k % 3];
}

void crn_elements_act(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                      crn_joint_action *action)
{
    for (int i = 0; i < joint->element_count; ++i)
    {
        const crn_element *element = &joint->element[i];
        double z = c[row_of(joint, i)];
        if (z == 0)
            continue;
        crn_joint_action part = {.off = 0};
        crn_joint_act_coordinate(joint, dimension, place, element->coordinate,
                                 element->kind == CRN_ELEMENT_UPPER ? -z : z, &part);
        action->strain += fabs(z);
        action->ends = action->ends || element->kind == CRN_ELEMENT_LOWER || element->kind == CRN_ELEMENT_UPPER;
        add_to(action->impulse, part.impulse);
        add_to(action->moment, part.moment);
        if (element->kind <= CRN_ELEMENT_FORCE)
        {
            add_to(action->motor, part.impulse);
            add_to(action->motor_moment, part.moment);
        }
    }
}
