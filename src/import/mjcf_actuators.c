/* MJCF: actuators on joints and fixed tendons, as far as they are linear.
 *
 *     force = gear (gain u + b_0 + b_1 gear q + b_2 gear q'),  within gear times `forcerange`
 *
 * with the control u, which is 0, or the nearest value of its range, until somebody sets the target of the drive. Where b_1 < 0 this is a
 * position drive with the stiffness - gear^2 b_1, the damping - gear^2 b_2 and the target (gain u + b_0)/(- gear b_1); where only b_2 < 0
 * a speed drive; and otherwise a force. Where a tendon pulls, q is its length.
 */
#include "import/mjcf.h"

#include <math.h>
#include <string.h>

typedef struct law
{
    double gain, bias[3];
} law;

/* The words for the usual laws. */
static bool read_law(const crn_mjcf_item *item, law *out)
{
    const char *word = item->element->name, *type;
    double kp = 1, kv = 0, gain[10] = {1}, bias[10] = {0};
    *out = (law){.gain = 1};
    if (!strcmp(word, "motor"))
        return true;
    if (!strcmp(word, "position"))
    {
        crn_mjcf_amount(item, "kp", &kp);
        crn_mjcf_amount(item, "kv", &kv);
        *out = (law){.gain = kp, .bias = {0, -kp, -kv}};
        return true;
    }
    if (!strcmp(word, "velocity"))
    {
        kv = 1;
        crn_mjcf_amount(item, "kv", &kv);
        *out = (law){.gain = kv, .bias = {0, 0, -kv}};
        return true;
    }
    if (strcmp(word, "general") != 0)
        return false;
    type = crn_mjcf_text(item, "gaintype");
    bool linear = !type || !strcmp(type, "fixed");
    type = crn_mjcf_text(item, "dyntype");
    linear = linear && (!type || !strcmp(type, "none"));
    type = crn_mjcf_text(item, "biastype");
    bool affine = type && !strcmp(type, "affine");
    linear = linear && (!type || affine || !strcmp(type, "none"));
    crn_mjcf_numbers(item, "gainprm", 1, 10, gain);
    crn_mjcf_numbers(item, "biasprm", 1, 10, bias);
    *out = (law){.gain = gain[0]};
    if (affine)
        memcpy(out->bias, bias, sizeof out->bias);
    return linear && out->bias[1] <= 0 && out->bias[2] <= 0;
}

/* What the actuator acts on; NULL: something else than a joint or a fixed tendon. */
static cairn_coordinate_options *find_target(crn_mjcf *m, crn_xml *element, double *zero)
{
    const char *joint = crn_xml_get(element, "joint"), *tendon = crn_xml_get(element, "tendon");
    int link, index;
    *zero = 0;
    if (joint && !crn_robot_find_joint(m->robot, joint, &link, &index))
    {
        crn_import_problem(m->import, element, "there is no joint '%.80s'", joint);
        return NULL;
    }
    if (joint)
    {
        crn_link_joint *found = &m->robot->links[link].joints[index];
        *zero = found->zero;
        return found->kind == CRN_AXIS_HINGE || found->kind == CRN_AXIS_SLIDE ? &found->acting : NULL;
    }
    for (int i = 0; tendon && i < m->robot->sum_count; ++i)
        if (!m->robot->sums[i].hold && !strcmp(m->robot->sums[i].name, tendon))
        {
            *zero = crn_sum_zero(m->robot, &m->robot->sums[i]);
            return &m->robot->sums[i].acting;
        }
    return NULL;
}

/* The control nearest to 0 in its range. */
static double control_of(const crn_mjcf_item *item)
{
    double range[2] = {0};
    bool given = crn_mjcf_numbers(item, "ctrlrange", 2, 2, range) == 2;
    return crn_mjcf_limited(item, "ctrllimited", "ctrlrange") && given ? fmin(fmax(0, range[0]), range[1]) : 0;
}

static double limit_of(const crn_mjcf_item *item)
{
    double range[2];
    if (!crn_mjcf_numbers(item, "forcerange", 2, 2, range) || !crn_mjcf_limited(item, "forcelimited", "forcerange"))
        return INFINITY;
    if (range[0] != -range[1])
        crn_import_note(item->mjcf->import, item->element, "the force is limited to %g on both sides",
                        fmax(-range[0], range[1]));
    return fmax(-range[0], range[1]);
}

/* zero: the file's value of the coordinate where the model's is 0. */
static void set_drive(const crn_mjcf_item *item, const law *l, double gear, double zero, cairn_coordinate_options *o)
{
    double force = l->gain * control_of(item) + l->bias[0], target;
    o->drive_limit = fabs(gear) * limit_of(item);
    o->drive_damping = -gear * gear * l->bias[2];
    if (l->bias[1] < 0)
    {
        o->drive = CAIRN_DRIVE_POSITION;
        o->drive_stiffness = -gear * gear * l->bias[1];
        target = force / (-gear * l->bias[1]) - zero;
    }
    else if (l->bias[2] < 0)
    {
        o->drive = CAIRN_DRIVE_SPEED;
        target = force / (-gear * l->bias[2]);
    }
    else
    {
        o->drive = CAIRN_DRIVE_FORCE;
        o->drive_limit = INFINITY;
        target = gear * fmin(fmax(force, -limit_of(item)), limit_of(item));
    }
    o->target.expression = crn_import_text(item->mjcf->import, "%.17g", target);
}

static void read_actuator(crn_mjcf *m, crn_xml *element)
{
    crn_mjcf_item item = crn_mjcf_item_of(m, element, NULL);
    double gear[6] = {1}, zero;
    law l;
    crn_xml_get(element, "name");
    cairn_coordinate_options *o = find_target(m, element, &zero);
    if (m->import->problem_count > 0)
        return;
    crn_mjcf_numbers(&item, "gear", 1, 6, gear);
    if (!o || !read_law(&item, &l) || gear[0] == 0)
        crn_import_note(
            m->import, element,
            "<%.40s> acts on something else than a joint or a fixed tendon, or is not linear; it is left out",
            element->name);
    else if (o->drive != CAIRN_DRIVE_NONE)
        crn_import_note(m->import, element, "a second actuator on the same coordinate is left out");
    else
        set_drive(&item, &l, gear[0], zero, o);
}

void crn_mjcf_read_actuators(crn_mjcf *m)
{
    for (crn_xml *s = crn_xml_child(m->root, "actuator"); s; s = crn_xml_again(s))
        for (crn_xml *e = s->first; e && m->import->problem_count == 0; e = e->next)
        {
            e->used = true;
            read_actuator(m, e);
        }
}
