/* Values and rates that coordinates of joints begin with. They must lie within the range and agree with a rigid drive, which
 * prescribes one of them. */
#include "model/joints/coupling.h"

#include <assert.h>
#include <math.h>

/* Two numbers that a user meant to be the same. */
static bool agree(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(a) + fabs(b));
}

static cairn_status contradict(const cairn_model *model, const crn_joint *joint, const char *name, const char *field,
                               double given, double prescribed)
{
    return crn_fail(model->context, CAIRN_INVALID,
                    "%s '%s': %s: %s: %g contradicts the rigid drive, which prescribes %g at t = 0",
                    crn_joint_noun(joint), joint->name, name, field, given, prescribed);
}

static cairn_status check_drive(const cairn_model *model, const crn_joint *joint, const char *name,
                                const cairn_coordinate_options *o, const crn_element *drive)
{
    bool prescribes = !drive->bounded && drive->k == 0 && drive->c == 0;
    if (!prescribes || drive->target.references.count > 0 ||
        (drive->kind != CRN_ELEMENT_POSITION && drive->kind != CRN_ELEMENT_SPEED))
        return CAIRN_OK;
    double now = crn_signal_value(&drive->target, 0.0);
    bool is_position = drive->kind == CRN_ELEMENT_POSITION;
    double rate = is_position ? crn_signal_rate(&drive->target, 0.0, 1) : now;
    if (is_position && !isnan(o->initial) && !agree(o->initial, now))
        return contradict(model, joint, name, "initial", o->initial, now);
    if (!isnan(o->initial_rate) && !agree(o->initial_rate, rate))
        return contradict(model, joint, name, "initial_rate", o->initial_rate, rate);
    return CAIRN_OK;
}

cairn_status crn_check_start(const cairn_model *model, const crn_joint *joint, const char *name,
                             const cairn_coordinate_options *o, const crn_element *list, int count)
{
    if (isinf(o->initial) || isinf(o->initial_rate))
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': %s: %s: must be a finite number",
                        crn_joint_noun(joint), joint->name, name, isinf(o->initial) ? "initial" : "initial_rate");
    if (o->initial < o->lower || o->initial > o->upper)
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': %s: initial: %g is outside its range, %g to %g",
                        crn_joint_noun(joint), joint->name, name, o->initial, o->lower, o->upper);
    bool at_lower = o->initial <= o->lower && o->initial_rate < 0,
         at_upper = o->initial >= o->upper && o->initial_rate > 0;
    if (at_lower || at_upper)
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': %s: initial_rate: %g leads out of its range, %g to %g",
                        crn_joint_noun(joint), joint->name, name, o->initial_rate, o->lower, o->upper);
    for (int i = 0; i < count; ++i)
        CRN_TRY(check_drive(model, joint, name, o, &list[i]));
    return CAIRN_OK;
}

void crn_set_start(crn_joint *joint, int coordinate, const cairn_coordinate_options *o)
{
    assert(coordinate >= 0 && coordinate < joint->coordinates);
    joint->begins |= isnan(o->initial) ? 0u : 1u << coordinate;
    joint->begins_rate |= isnan(o->initial_rate) ? 0u : 1u << coordinate;
    joint->initial[coordinate] = o->initial;
    joint->initial_rate[coordinate] = o->initial_rate;
}
