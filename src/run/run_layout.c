#include "run/run_layout.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define ENERGY(field, text)                                                                                            \
    {                                                                                                                  \
        "energy/" #field, "J", text, offsetof(cairn_step_report, energy.field), CRN_REPORT_DOUBLE                      \
    }
#define CERTIFICATE(field, unit, text)                                                                                 \
    {                                                                                                                  \
        "certificate/" #field, unit, text, offsetof(cairn_step_report, solver.certificate.field), CRN_REPORT_DOUBLE    \
    }

const crn_run_series crn_run_series_table[] = {
    {"time", "s", "time of the frame", offsetof(cairn_step_report, time), CRN_REPORT_DOUBLE},
    {"step", "1", "number of the step, 0 at the start", offsetof(cairn_step_report, step), CRN_REPORT_INT64},
    ENERGY(kinetic, "kinetic energy"),
    ENERGY(potential, "potential energy of gravity and of user's systems"),
    ENERGY(elastic, "energy stored in springs"),
    ENERGY(total, "kinetic + potential + elastic"),
    ENERGY(work_gravity, "work of gravity since the start"),
    ENERGY(work_springs, "work of the elastic part of all springs since the start"),
    ENERGY(work_dampers, "work of all dampers since the start"),
    ENERGY(work_forces, "work of all outer forces since the start"),
    ENERGY(work_gyroscopic, "work of the gyroscopic term since the start"),
    ENERGY(work_joints, "work of all joint impulses since the start"),
    ENERGY(work_contact_normal, "work of the normal contact impulses since the start"),
    ENERGY(work_friction, "work of the friction impulses since the start"),
    ENERGY(work_systems, "work of the forces of user's systems beyond the change of their potential"),
    ENERGY(work_driven, "work that driven bodies put into springs since the start"),
    ENERGY(integration, "numerical loss of the scheme since the start"),
    ENERGY(projection, "potential energy changed by the position projection since the start"),
    ENERGY(added, "energy that grains brought and took since the start"),
    ENERGY(balance_error, "what the balance of all works leaves over"),
    CERTIFICATE(natural_map, "m/s", "largest natural-map residual over the contacts"),
    CERTIFICATE(impulse_outside, "N s", "largest distance of an impulse from its friction set"),
    CERTIFICATE(penetration_speed, "m/s", "largest approaching normal velocity after the step"),
    CERTIFICATE(complementarity, "J", "largest product of normal velocity and normal impulse"),
    CERTIFICATE(joint, "m/s", "largest joint residual"),
    CERTIFICATE(dynamics, "m/s", "largest residual of the equations of motion"),
    CERTIFICATE(scale, "m/s", "velocity scale of the problem's data"),
    CERTIFICATE(relative, "1", "largest of natural_map, joint and dynamics, divided by scale"),
    {"certificate/worst_contact", "1", "index of the contact with the largest natural map; -1: none",
     offsetof(cairn_step_report, solver.certificate.worst_contact), CRN_REPORT_INT},
    {"solver/outcome", "1",
     "0: within tolerance, 1: tolerance missed, 2: no solution, 3: large islands within the budget of accuracy",
     offsetof(cairn_step_report, solver.outcome), CRN_REPORT_OUTCOME},
    {"solver/iterations", "1", "pivots of the step, fallbacks counted in",
     offsetof(cairn_step_report, solver.iterations), CRN_REPORT_INT},
    {"solver/fallbacks", "1", "stronger methods that had to be tried", offsetof(cairn_step_report, solver.fallbacks),
     CRN_REPORT_INT},
    {"solver/refactorisations", "1", "refactorisations of the basis",
     offsetof(cairn_step_report, solver.refactorisations), CRN_REPORT_INT},
    {"solver/dropped_joint_rows", "1", "redundant joint rows, whose impulse is 0 by choice",
     offsetof(cairn_step_report, solver.dropped_joint_rows), CRN_REPORT_INT},
    {"penetration", "m", "largest penetration at the end of the step", offsetof(cairn_step_report, penetration),
     CRN_REPORT_DOUBLE},
    {"joint_error", "m", "largest joint violation at the end of the step (rad where a joint row is an angle)",
     offsetof(cairn_step_report, joint_error), CRN_REPORT_DOUBLE},
    {"projection/iterations", "1", "iterations of the position projection",
     offsetof(cairn_step_report, projection_iterations), CRN_REPORT_INT},
    {"projection/met", "1", "1: the projection reached its tolerance, or none was made",
     offsetof(cairn_step_report, projection_met), CRN_REPORT_BOOL},
    {"contacts/count", "1", "contacts of the frame", offsetof(cairn_step_report, contacts), CRN_REPORT_INT},
    /* since version 2 */
    {"problems", "1", "one-step problems solved in the step", offsetof(cairn_step_report, problems), CRN_REPORT_INT},
};
enum
{
    NEW_IN_VERSION_2 = 1
};
const int crn_run_series_total = (int)(sizeof crn_run_series_table / sizeof crn_run_series_table[0]);

int crn_run_series_of_version(int version)
{
    assert(version >= 1);
    return version < 2 ? crn_run_series_total - NEW_IN_VERSION_2 : crn_run_series_total;
}

#define BODY(field, unit, text, width)                                                                                 \
    {                                                                                                                  \
        "bodies/" #field, unit, text, offsetof(cairn_body_state, field), CRN_RUN_DOUBLE, width                         \
    }

const crn_run_field crn_run_body_fields[CRN_RUN_BODY_FIELDS] = {
    BODY(position, "m", "centre of mass in the world frame", 3),
    BODY(orientation, "1", "unit quaternion (w, x, y, z), body to world", 4),
    BODY(angle, "rad", "angle of a body in the plane, not reduced; 0 in space", 0),
    BODY(velocity, "m/s", "velocity of the centre of mass, world frame", 3),
    BODY(angular_velocity, "rad/s", "angular velocity, body frame; in the plane the third entry alone", 3),
};

const char *const crn_run_groups[CRN_RUN_GROUPS] = {"contacts", "velocities", "joints"};

int crn_run_body_fields_of(unsigned leave_out)
{
    return leave_out & CAIRN_RECORD_VELOCITIES ? CRN_RUN_POSE_FIELDS : CRN_RUN_BODY_FIELDS;
}

#define CONTACT(field, unit, text, width)                                                                              \
    {                                                                                                                  \
        "contacts/" #field, unit, text, offsetof(cairn_contact, field), CRN_RUN_DOUBLE, width                          \
    }

const crn_run_field crn_run_contact_fields[CRN_RUN_CONTACT_FIELDS] = {
    {"contacts/identity", "1", "identity of the contact, stable over steps", offsetof(cairn_contact, identity),
     CRN_RUN_UINT64, 0},
    {"contacts/body_a", "1", "first body, an index into bodies/names; -1: none", offsetof(cairn_contact, a),
     CRN_RUN_BODY, 0},
    {"contacts/body_b", "1", "second body, an index into bodies/names; -1: none", offsetof(cairn_contact, b),
     CRN_RUN_BODY, 0},
    CONTACT(point, "m", "midway between the two surfaces at the start of the step, world frame", 3),
    CONTACT(normal, "1", "unit normal, from body b to body a, world frame", 3),
    CONTACT(tangent, "1", "first tangent and second tangent, world frame", 6),
    CONTACT(gap, "m", "gap at the start of the step", 0),
    CONTACT(friction, "1", "coefficient of friction", 0),
    CONTACT(impulse, "N s", "impulse on body a over the step: normal, first tangent, second tangent", 3),
    CONTACT(velocity, "m/s",
            "velocity of a's surface relative to b's after the step: normal, first tangent, second tangent", 3),
    {"contacts/patch", "1", "which of the frame's compliant patches the contact is an element of; -1: none",
     offsetof(cairn_contact, patch), CRN_RUN_INDEX, 0},
    {"contacts/element", "1", "which element of its patch, row after row along the first tangent; -1: none",
     offsetof(cairn_contact, element), CRN_RUN_INDEX, 0},
    CONTACT(offset, "m", "of the element from the contact point, along the tangents", 2),
    CONTACT(deformation, "m", "of the element at the end of the step: normal, first tangent, second tangent", 3),
};

static double spring_stretch(const cairn_simulation *simulation, int index)
{
    return cairn_simulation_spring_stretch(simulation, cairn_model_spring(cairn_simulation_model(simulation), index));
}

static double spring_work(const cairn_simulation *simulation, int index)
{
    return cairn_simulation_spring_work(simulation, cairn_model_spring(cairn_simulation_model(simulation), index));
}

static double joint_work(const cairn_simulation *simulation, int index)
{
    return cairn_simulation_joint_work(simulation, cairn_model_joint(cairn_simulation_model(simulation), index));
}

static double force_work(const cairn_simulation *simulation, int index)
{
    return cairn_simulation_force_work(simulation, cairn_model_force(cairn_simulation_model(simulation), index));
}

const crn_run_named crn_run_named_table[CRN_RUN_NAMED] = {
    {"springs", "stretch", "m or rad", "length minus rest length, or angle minus rest angle; units in springs/units",
     spring_stretch},
    {"springs", "work", "J", "work of the spring and its damper since the start", spring_work},
    {"joints", "work", "J", "work of the joint since the start", joint_work},
    {"forces", "work", "J", "work of the outer force since the start", force_work},
};

crn_run_type crn_run_series_type(const crn_run_series *series)
{
    return series->type == CRN_REPORT_DOUBLE ? CRN_RUN_DOUBLE : CRN_RUN_INT64;
}

void crn_run_series_value(const crn_run_series *series, const cairn_step_report *report, void *value)
{
    const char *field = (const char *)report + series->offset;
    int64_t whole = 0;
    switch (series->type)
    {
    case CRN_REPORT_DOUBLE:
        memcpy(value, field, sizeof(double));
        return;
    case CRN_REPORT_INT:
        whole = *(const int *)(const void *)field;
        break;
    case CRN_REPORT_INT64:
        whole = *(const int64_t *)(const void *)field;
        break;
    case CRN_REPORT_OUTCOME:
        whole = (int64_t) * (const cairn_outcome *)(const void *)field;
        break;
    case CRN_REPORT_BOOL:
        whole = *(const bool *)(const void *)field;
        break;
    }
    memcpy(value, &whole, sizeof whole);
}

int crn_run_group_count(const cairn_model *model, const char *group)
{
    if (!strcmp(group, "bodies"))
        return cairn_model_body_count(model);
    if (!strcmp(group, "springs"))
        return cairn_model_spring_count(model);
    if (!strcmp(group, "joints"))
        return cairn_model_joint_count(model);
    assert(!strcmp(group, "forces"));
    return cairn_model_force_count(model);
}

const char *crn_run_group_name(const cairn_model *model, const char *group, int index)
{
    assert(index >= 0 && index < crn_run_group_count(model, group));
    if (!strcmp(group, "bodies"))
        return cairn_model_body_name(model, cairn_model_body(model, index));
    if (!strcmp(group, "springs"))
        return cairn_model_spring_name(model, cairn_model_spring(model, index));
    return !strcmp(group, "joints") ? cairn_model_joint_name(model, cairn_model_joint(model, index))
                                    : cairn_model_force_name(model, cairn_model_force(model, index));
}

size_t crn_run_type_size(crn_run_type type)
{
    return type <= CRN_RUN_UINT64 ? 8 : sizeof(int32_t);
}

size_t crn_run_field_size(const crn_run_field *field)
{
    assert(field->type < CRN_RUN_INDEX || field->width == 0);
    return crn_run_type_size(field->type) * (size_t)(field->width > 0 ? field->width : 1);
}

void crn_run_field_store(const crn_run_field *field, const cairn_model *model, const void *item, void *stored)
{
    const void *source = (const char *)item + field->offset;
    int32_t whole = 0;
    if (field->type == CRN_RUN_BODY)
        whole = cairn_model_body_index(model, *(const cairn_body *)source);
    else if (field->type == CRN_RUN_FLAG)
        whole = *(const bool *)source;
    bool converted = field->type == CRN_RUN_BODY || field->type == CRN_RUN_FLAG;
    memcpy(stored, converted ? &whole : source, crn_run_field_size(field));
}

bool crn_run_field_load(const crn_run_field *field, int bodies, int kinds, const void *stored, void *item)
{
    assert(bodies >= 0);
    void *target = (char *)item + field->offset;
    int32_t whole = 0;
    if (crn_run_type_size(field->type) == sizeof whole)
        memcpy(&whole, stored, sizeof whole);
    switch (field->type)
    {
    case CRN_RUN_BODY:
        if (whole < -1 || whole >= bodies)
            return false;
        *(cairn_body *)target = (cairn_body){.id = whole + 1};
        return true;
    case CRN_RUN_FLAG:
        *(bool *)target = whole != 0;
        return true;
    case CRN_RUN_INDEX:
    case CRN_RUN_KIND:
        if (whole < (field->type == CRN_RUN_INDEX ? -1 : 0) || (field->type == CRN_RUN_KIND && whole >= kinds))
            return false;
        break;
    default:
        break;
    }
    memcpy(target, stored, crn_run_field_size(field));
    return true;
}
