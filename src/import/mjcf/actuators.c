/* MJCF: actuators on joints and tendons, as far as they are linear.
 *
 *     force = gear (gain u + b_0 + b_1 gear q + b_2 gear q'),  within gear times `forcerange`
 *
 * with the control u: that of the keyframe in which the scene begins, or 0, or the nearest value of its range, until somebody sets the
 * target of the drive. With the stiffness K = - gear^2 b_1, the damping D = - gear^2 b_2 and F = gear (gain u + b_0) this is a position
 * drive to F/K where K > 0, a speed drive to F/D where only D > 0, and otherwise the force F. Where a tendon pulls, q is its length. Several
 * actuators on one coordinate add up, where none is limited.
 *
 * A position actuator may have a damping ratio r instead of b_2: D = 2 r sqrt(K m) with the mass m that it sees in the pose as written
 * (mobility.h).
 */
#include "base/number_text.h"
#include "import/mjcf/mjcf.h"
#include "import/mobility.h"

#include <math.h>
#include <string.h>

typedef struct law
{
    double gain, bias[3];
    double ratio; /* of damping; 0: none */
} law;

/* What an actuator acts on. */
typedef struct target
{
    cairn_coordinate_options *acting;
    crn_link_joint *joint; /* NULL: a tendon */
    int link, index;       /* of the joint */
    const crn_link_sum *sum;
    double zero; /* the file's value of the coordinate where the model's is 0 */
} target;

/* What actuators on one coordinate do together. */
struct crn_mjcf_drive
{
    cairn_coordinate_options *acting;
    double stiffness, damping, force, limit, zero;
};

/* ------------------------------------------------------------------------------------------------------------- laws */

/* A general actuator; false: not linear, or pushing away from its target. */
static bool read_general(const crn_mjcf_item *item, law *out)
{
    double gain[10] = {1}, bias[10] = {0};
    const char *type = crn_mjcf_text(item, "gaintype");
    bool linear = !type || !strcmp(type, "fixed");
    type = crn_mjcf_text(item, "dyntype");
    linear = linear && (!type || !strcmp(type, "none"));
    type = crn_mjcf_text(item, "biastype");
    bool affine = type && !strcmp(type, "affine");
    linear = linear && (!type || affine || !strcmp(type, "none"));
    crn_mjcf_numbers(item, "gainprm", 1, 10, gain);
    crn_mjcf_numbers(item, "biasprm", 1, 10, bias);
    out->gain = gain[0];
    if (affine)
        memcpy(out->bias, bias, sizeof out->bias);
    if (out->bias[2] > 0 && out->gain == -out->bias[1])
    {
        out->ratio = out->bias[2];
        out->bias[2] = 0;
    }
    return linear && out->bias[1] <= 0 && out->bias[2] <= 0;
}

/* The words for the usual laws. */
static bool read_law(const crn_mjcf_item *item, law *out)
{
    const char *word = item->element->name;
    double kp = 1, kv = 0;
    *out = (law){.gain = 1};
    if (!strcmp(word, "motor"))
        return true;
    if (!strcmp(word, "position"))
    {
        crn_mjcf_amount(item, "kp", &kp);
        crn_mjcf_amount(item, "kv", &kv);
        *out = (law){.gain = kp, .bias = {0, -kp, -kv}};
        /* A damping in the element itself counts more than a ratio of its class. */
        if (!crn_xml_get(item->element, "kv"))
            crn_mjcf_amount(item, "dampratio", &out->ratio);
        return true;
    }
    if (!strcmp(word, "velocity"))
    {
        kv = 1;
        crn_mjcf_amount(item, "kv", &kv);
        *out = (law){.gain = kv, .bias = {0, 0, -kv}};
        return true;
    }
    return !strcmp(word, "general") && read_general(item, out);
}

/* ---------------------------------------------------------------------------------------------------------- targets */

/* False: something else than a joint with one coordinate or a tendon. */
static bool find_target(crn_mjcf *m, crn_xml *element, target *out)
{
    const char *joint = crn_xml_get(element, "joint"), *tendon = crn_xml_get(element, "tendon");
    *out = (target){0};
    if (joint && !crn_robot_find_joint(m->robot, joint, &out->link, &out->index))
        return crn_import_problem(m->import, element, "there is no joint '%.80s'", joint);
    if (joint)
    {
        out->joint = &m->robot->links[out->link].joints[out->index];
        out->zero = out->joint->zero;
        out->acting = &out->joint->acting;
        return out->joint->kind == CRN_AXIS_HINGE || out->joint->kind == CRN_AXIS_SLIDE;
    }
    for (int i = 0; tendon && i < m->robot->sum_count; ++i)
        if (!m->robot->sums[i].hold && !strcmp(m->robot->sums[i].name, tendon))
        {
            out->sum = &m->robot->sums[i];
            out->zero = crn_sum_zero(m->robot, out->sum);
            out->acting = &m->robot->sums[i].acting;
            return true;
        }
    return false;
}

/* 1/m of the mass that the coordinate of the target sees; the matrix is factorised when it is first asked for. */
static double mobility(crn_mjcf *m, const target *t)
{
    struct crn_sum_term own = {.factor = 1, .link = t->link, .joint = t->index};
    if (!m->mobility)
        m->mobility = crn_mobility_create(m->robot);
    if (!m->mobility)
        return 0;
    return t->joint ? crn_mobility_along(m->mobility, &own, 1)
                    : crn_mobility_along(m->mobility, t->sum->terms, t->sum->term_count);
}

/* --------------------------------------------------------------------------------------------------------- controls */

/* The control of the keyframe in which the scene begins; false: it gives none. */
static bool control_of_key(crn_mjcf *m, int index, int count, double *out)
{
    crn_xml *key = crn_mjcf_find_key(m);
    double *list;
    int found = key ? crn_import_list(m->import, key, "ctrl", &list) : 0;
    if (found == 0)
        return false;
    if (found != count)
        return crn_import_problem(m->import, key, "ctrl: there are %d actuators, found %d number%s", count, found,
                                  found == 1 ? "" : "s");
    *out = list[index];
    return true;
}

/* The value of its range nearest to the wanted one. A position actuator may inherit the range of its joint, or a part of it. */
static double control_within(const crn_mjcf_item *item, const target *t, double wanted)
{
    double range[2] = {0}, part = 0;
    bool given = crn_mjcf_numbers(item, "ctrlrange", 2, 2, range) == 2;
    if (!given && crn_mjcf_amount(item, "inheritrange", &part) && part > 0 && t->joint &&
        isfinite(t->acting->lower + t->acting->upper))
    {
        double middle = 0.5 * (t->acting->lower + t->acting->upper);
        double half = 0.5 * part * (t->acting->upper - t->acting->lower);
        return fmin(fmax(wanted, middle - half), middle + half);
    }
    return crn_mjcf_limited(item, "ctrllimited", "ctrlrange") && given ? fmin(fmax(wanted, range[0]), range[1])
                                                                       : wanted;
}

/* A limit of the force on both sides; INFINITY: none. */
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

/* ----------------------------------------------------------------------------------------------------------- drives */

/* Add one actuator to what acts on its coordinate already. */
static void add_drive(crn_mjcf *m, crn_xml *element, const struct crn_mjcf_drive *d)
{
    for (int i = 0; i < m->drive_count; ++i)
    {
        struct crn_mjcf_drive *other = &m->drives[i];
        if (other->acting != d->acting)
            continue;
        if (isfinite(other->limit) || isfinite(d->limit))
        {
            crn_import_note(m->import, element,
                            "a second actuator on the same coordinate, of two with limited forces, is left out");
            return;
        }
        other->stiffness += d->stiffness;
        other->damping += d->damping;
        other->force += d->force;
        crn_import_note(m->import, element, "the actuators on the same coordinate became one drive");
        return;
    }
    if (crn_reserve_all(&m->import->memory, CRN_ARRAY(m->drives, m->drive_count + 1)))
        m->import->no_memory = true;
    else
        m->drives[m->drive_count++] = *d;
}

static void set_drive(crn_mjcf *m, const struct crn_mjcf_drive *d)
{
    cairn_coordinate_options *o = d->acting;
    double aim = fmin(fmax(d->force, -d->limit), d->limit);
    if (d->stiffness > 0)
    {
        o->drive = CAIRN_DRIVE_POSITION;
        aim = d->force / d->stiffness - d->zero;
    }
    else if (d->damping > 0)
    {
        o->drive = CAIRN_DRIVE_SPEED;
        aim = d->force / d->damping;
    }
    else
        o->drive = CAIRN_DRIVE_FORCE;
    o->drive_stiffness = d->stiffness;
    o->drive_damping = d->damping;
    o->drive_limit = o->drive == CAIRN_DRIVE_FORCE ? INFINITY : d->limit;
    o->target.expression = crn_import_text(m->import, "%s", crn_number_text(aim).text);
}

/* --------------------------------------------------------------------------------------------------------- actuators */

static void read_actuator(crn_mjcf *m, crn_xml *element, int index, int count)
{
    crn_mjcf_item item = crn_mjcf_item_of(m, element, NULL);
    double gear[6] = {1}, control = 0;
    law l;
    target t;
    crn_xml_get(element, "name");
    bool found = find_target(m, element, &t);
    control_of_key(m, index, count, &control);
    crn_mjcf_numbers(&item, "gear", 1, 6, gear);
    bool linear = m->import->problem_count == 0 && found && read_law(&item, &l) && gear[0] != 0;
    double seen = linear && l.ratio > 0 ? mobility(m, &t) : 1;
    if (m->import->problem_count > 0)
        return;
    if (!linear)
    {
        crn_import_note(
            m->import, element,
            "<%.40s> acts on something else than a joint or a tendon that was read, or is not linear; it is left out",
            element->name);
        return;
    }
    if (!(seen > 0))
        crn_import_note(m->import, element, "the damping ratio is left out: the mass that it refers to is not known");
    struct crn_mjcf_drive d = {.acting = t.acting, .zero = t.zero, .limit = fabs(gear[0]) * limit_of(&item)};
    if (t.joint && t.joint->effort > 0)
        d.limit = fmin(d.limit, t.joint->effort);
    d.stiffness = -gear[0] * gear[0] * l.bias[1];
    d.damping = -gear[0] * gear[0] * l.bias[2];
    if (l.ratio > 0 && seen > 0)
        d.damping = 2 * l.ratio * sqrt(d.stiffness / seen);
    d.force = gear[0] * (l.gain * control_within(&item, &t, control) + l.bias[0]);
    add_drive(m, element, &d);
}

void crn_mjcf_read_actuators(crn_mjcf *m)
{
    int count = 0, index = 0;
    for (crn_xml *s = crn_xml_child(m->root, "actuator"); s; s = crn_xml_again(s))
        for (crn_xml *e = s->first; e; e = e->next)
            ++count;
    for (crn_xml *s = crn_xml_child(m->root, "actuator"); s; s = crn_xml_again(s))
        for (crn_xml *e = s->first; e && m->import->problem_count == 0; e = e->next)
        {
            e->used = true;
            read_actuator(m, e, index++, count);
        }
    for (int i = 0; i < m->drive_count && m->import->problem_count == 0; ++i)
        set_drive(m, &m->drives[i]);
}
