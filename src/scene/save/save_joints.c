/* Joints and couplings. A scene lists couplings after all joints, whatever their order in the model. */
#include "model/joints/bushing.h"
#include "model/joints/coupling.h"
#include "model/names.h"
#include "scene/save/save.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double ZERO[3] = {0};

void crn_field_bodies(crn_saver *s, int a, int b)
{
    crn_field_begin(s, "bodies");
    crn_open(s, '[');
    crn_element_begin(s, false);
    crn_put_text(s, crn_body_name(s->model, a));
    crn_element_begin(s, false);
    crn_put_text(s, crn_body_name(s->model, b));
    crn_close(s, ']');
}

void crn_field_ends(crn_saver *s, const char *field, const double a[3], const double b[3])
{
    double both[6];
    memcpy(both, a, 3 * sizeof(double));
    memcpy(both + 3, b, 3 * sizeof(double));
    crn_field_points(s, field, both, 2, s->model->dimension, 3);
}

/* ----------------------------------------------------------------------------------------------------- coordinates */

/* Whether the joint's elements come in this order of coordinates: first the equations, then the bounded rows. */
static bool is_order(const crn_joint *joint, const int order[CRN_JOINT_COORDINATES])
{
    int place[CRN_JOINT_COORDINATES];
    for (int i = 0; i < CRN_JOINT_COORDINATES; ++i)
        place[order[i]] = i;
    for (int i = 1; i < joint->element_count; ++i)
    {
        const crn_element *before = &joint->element[i - 1], *element = &joint->element[i];
        if (before->bounded == element->bounded && place[before->coordinate] > place[element->coordinate])
            return false;
    }
    return true;
}

/* The rows of a joint follow the order in which its coordinates were given, so the scene gives them in that order. */
static void save_coordinates(crn_saver *s, const crn_joint *joint)
{
    static const int ORDERS[6][CRN_JOINT_COORDINATES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const int *order = ORDERS[0];
    bool begun = false;
    for (int i = 5; i >= 0; --i)
        order = is_order(joint, ORDERS[i]) ? ORDERS[i] : order;
    for (int i = 0; i < CRN_JOINT_COORDINATES; ++i)
    {
        if (order[i] >= joint->coordinates || !crn_has_acting(joint, order[i]))
            continue;
        if (!begun)
        {
            crn_field_begin(s, "coordinates");
            crn_open(s, '{');
        }
        begun = true;
        crn_field_begin(s, joint->type->coordinate[s->model->dimension - 2][order[i]].name);
        crn_open(s, '{');
        crn_save_acting(s, joint, order[i]);
        crn_close(s, '}');
    }
    if (begun)
        crn_close(s, '}');
}

/* ----------------------------------------------------------------------------------------------------------- joints */

static void save_axes(crn_saver *s, const crn_joint *joint)
{
    static const double UPWARDS[3] = {0, 0, 1};
    unsigned fields = joint->type->fields;
    int n = s->model->dimension;
    if (fields & (n == 2 ? CRN_JOINT_AXIS_PLANE : CRN_JOINT_AXIS))
        crn_field_numbers(s, "axis", joint->given[0], fields & CRN_JOINT_AXIS_OPTIONAL ? UPWARDS : ZERO, n);
    if (n == 3 && fields & (CRN_JOINT_SECOND_AXIS | CRN_JOINT_BENT))
        crn_field_numbers(s, "second_axis", joint->given[1], ZERO, 3);
    if (n == 3)
        crn_field_numbers(s, "axis_b", joint->given[2], ZERO, 3);
}

/* A matrix, or its diagonal where it has nothing else; nothing where it is 0 and `optional`. */
static void save_matrix(crn_saver *s, const char *field, const double *m, bool optional)
{
    int n = s->model->dimension == 2 ? 3 : 6;
    double diagonal[CRN_BUSHING_SIZE];
    bool is_diagonal = true, is_zero = true;
    for (int i = 0; i < n * n; ++i)
    {
        is_zero = is_zero && m[i] == 0;
        is_diagonal = is_diagonal && (i % (n + 1) == 0 || m[i] == 0);
        diagonal[i / n] = i % (n + 1) == 0 ? m[i] : diagonal[i / n];
    }
    if (is_zero && optional)
        return;
    if (!is_diagonal)
    {
        crn_field_points(s, field, m, n, n, n);
        return;
    }
    crn_field_begin(s, field);
    crn_put_numbers(s, diagonal, n);
}

static void save_numbers(crn_saver *s, const crn_joint *joint)
{
    const crn_joint_class *type = joint->type;
    for (int i = 0; i < type->number_count; ++i)
        crn_field_number(s, type->numbers[i].name, joint->number[i],
                         type->numbers[i].required ? NAN : type->numbers[i].standard);
    if (type->fields & CRN_JOINT_LENGTH)
        crn_field_number(s, "length", joint->length, NAN);
    if (joint->bushing)
    {
        save_matrix(s, "stiffness_matrix", joint->bushing->given[0], false);
        save_matrix(s, "damping_matrix", joint->bushing->given[1], true);
        return;
    }
    crn_field_number(s, "stiffness", joint->stiffness, 0);
    crn_field_number(s, "damping", joint->damping, 0);
    crn_field_number(s, "angular_stiffness", joint->angular_stiffness, 0);
    crn_field_number(s, "angular_damping", joint->angular_damping, 0);
}

static void save_joint(crn_saver *s, const crn_joint *joint)
{
    assert(!joint->coupling && joint->type);
    crn_item_begin(s);
    crn_field_text(s, "name", joint->name);
    crn_field_text(s, "type", joint->type->name);
    crn_field_bodies(s, joint->a.body, joint->b.body);
    crn_field_ends(s, "points", joint->a.point, joint->b.point);
    save_axes(s, joint);
    if (joint->type->fields & CRN_JOINT_OVER)
        crn_field_ends(s, "over", joint->over[0], joint->over[1]);
    save_numbers(s, joint);
    crn_field_flag(s, "collide", joint->a.body >= 0 && joint->b.body >= 0 && !joint->parts);
    crn_field_number(s, "weight", joint->weight, 1);
    save_coordinates(s, joint);
    crn_item_end(s);
}

/* -------------------------------------------------------------------------------------------------------- couplings */

static void save_term(crn_saver *s, const crn_coupling_part *part)
{
    crn_element_begin(s, true);
    crn_open(s, '{');
    if (part->joint >= 0)
    {
        const crn_joint *joint = &s->model->joints[part->joint];
        crn_field_text(s, "joint", joint->name);
        if (joint->coordinates > 1)
            crn_field_text(s, "coordinate", joint->type->coordinate[s->model->dimension - 2][part->coordinate].name);
    }
    else
    {
        crn_field_bodies(s, part->a.body, part->b.body);
        crn_field_ends(s, "points", part->a.point, part->b.point);
    }
    crn_field_number(s, "factor", part->factor, 1);
    crn_close(s, '}');
}

static void save_coupling(crn_saver *s, const crn_joint *joint)
{
    const crn_coupling *coupling = joint->coupling;
    bool held = joint->own_rows > 0;
    assert(coupling->part_count > 0 && joint->coordinates == 1);
    if (!held && joint->element_count == 0)
        crn_cannot_say(s, "coupling '%s': nothing holds it and nothing acts on it", joint->name);
    if (joint->begins | joint->begins_rate)
        crn_cannot_say(s, "coupling '%s': a scene file has no initial value of a coupling", joint->name);
    crn_item_begin(s);
    crn_field_text(s, "name", joint->name);
    crn_field_begin(s, "terms");
    crn_open(s, '[');
    for (int i = 0; i < coupling->part_count; ++i)
        save_term(s, &coupling->part[i]);
    crn_close(s, ']');
    if (held)
        crn_save_signal(s, joint->name, "value", &coupling->hold.target);
    crn_save_acting(s, joint, 0);
    crn_field_number(s, "weight", joint->weight, 1);
    crn_item_end(s);
}

void crn_save_joints(crn_saver *s)
{
    const cairn_model *model = s->model;
    crn_section(s, "joints");
    for (size_t i = 0; i < model->joint_count; ++i)
        if (!model->joints[i].coupling)
            save_joint(s, &model->joints[i]);
    crn_section(s, "couplings");
    for (size_t i = 0; i < model->joint_count; ++i)
        if (model->joints[i].coupling)
            save_coupling(s, &model->joints[i]);
}
