#include "scene/tables.h"
#include "scene/statistics/statistic_fields.h"

#include "scene/population/population_fields.h"

#include <stddef.h>

#define COUNT(array)       ((int)(sizeof(array) / sizeof((array)[0])))
#define AT(record, member) .name = #member, .offset = offsetof(record, member)
#define ONE_OF(word_table) .kind = CRN_FIELD_WORD, .words = (word_table), .word_count = COUNT(word_table)
#define IN_PLANE(other)    .dimension = 2, .instead = (other)
#define IN_SPACE(other)    .dimension = 3, .instead = (other)

/* --------------------------------------------------------------------------------------------------- words */

static const crn_word body_kinds[] = {{"dynamic", 0}, {"fixed", 0}, {"driven", 0}};
static const crn_word drive_types[] = {{"position", 0}, {"speed", 0}, {"force", 0}};
static const crn_word spring_types[] = {{"linear", 0}, {"angular", 0}};
static const crn_word frames[] = {{"world", 0}, {"body", 0}};
static const crn_word sensor_types[] = {{"quantity", 0},      {"accelerometer", 0}, {"gyro", 0},
                                        {"contact-force", 0}, {"joint-force", 0},   {"joint-moment", 0}};
static const crn_word kernels[] = {{"mean", 0}, {"point", 0}};

/* Masks over the words above. */
enum
{
    DRIVEN = 1 << 2,
    LINEAR = 1 << 0,
    ANGULAR = 1 << 1
};

/* -------------------------------------------------------------------------------------------------- fields */

static const crn_field scene_fields[] = {
    {AT(crn_scene_record, cairn), .kind = CRN_FIELD_INTEGER},
    {AT(crn_scene_record, title), .kind = CRN_FIELD_TEXT},
    {AT(crn_scene_record, description), .kind = CRN_FIELD_TEXT},
    {AT(crn_scene_record, dimension), .required = CRN_ALWAYS},
    {AT(crn_scene_record, gravity)},
    {AT(crn_scene_record, periodic)},
    {AT(crn_scene_record, parameters)},
    {AT(crn_scene_record, materials)},
    {AT(crn_scene_record, pairs)},
    {AT(crn_scene_record, bodies)},
    {AT(crn_scene_record, populations)},
    {AT(crn_scene_record, joints)},
    {AT(crn_scene_record, couplings)},
    {AT(crn_scene_record, springs)},
    {AT(crn_scene_record, forces)},
    {AT(crn_scene_record, ignore)},
    {AT(crn_scene_record, files)},
    {AT(crn_scene_record, robots)},
    {AT(crn_scene_record, statistics)},
    {AT(crn_scene_record, sensors)},
    {AT(crn_scene_record, recording)},
    {AT(crn_scene_record, simulation)},
};

static const crn_field periodic_fields[] = {
    {AT(crn_periodic_record, size), .kind = CRN_FIELD_VECTOR, .required = CRN_ALWAYS},
    {AT(crn_periodic_record, shear), .kind = CRN_FIELD_NUMBER},
};

static const crn_field material_fields[] = {
    {AT(crn_material_record, name), .kind = CRN_FIELD_NAME, .required = CRN_ALWAYS},
    {AT(crn_material_record, friction), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_material_record, restitution), .kind = CRN_FIELD_NUMBER, .range = CRN_FRACTION},
    {AT(crn_material_record, stiffness), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_material_record, damping), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_material_record, tangential_stiffness), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_material_record, rolling_friction), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_material_record, spinning_friction), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_material_record, cohesion), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_material_record, cohesion_range), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_material_record, weight), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_material_record, patch)},
};

static const crn_field patch_fields[] = {
    {AT(crn_patch_record, elements), .kind = CRN_FIELD_INTEGER, .range = CRN_POSITIVE, .required = CRN_ALWAYS},
    {AT(crn_patch_record, spacing), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE, .required = CRN_ALWAYS},
    {AT(crn_patch_record, young), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_patch_record, compliance), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_patch_record, poisson), .kind = CRN_FIELD_NUMBER},
    {AT(crn_patch_record, damping), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_patch_record, retardation), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_patch_record, kernel), ONE_OF(kernels)},
};

static const crn_field pair_fields[] = {
    {AT(crn_pair_record, materials), .kind = CRN_FIELD_NAMES, .required = CRN_ALWAYS},
    {AT(crn_pair_record, friction), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE, .required = CRN_ALWAYS},
    {AT(crn_pair_record, restitution), .kind = CRN_FIELD_NUMBER, .range = CRN_FRACTION},
    {AT(crn_pair_record, rolling_friction), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_pair_record, spinning_friction), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_pair_record, cohesion), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
};

static const crn_field body_fields[] = {
    {AT(crn_body_record, name), .kind = CRN_FIELD_NAME, .required = CRN_ALWAYS},
    {AT(crn_body_record, kind), ONE_OF(body_kinds)},
    {AT(crn_body_record, point), .kind = CRN_FIELD_FLAG},
    {AT(crn_body_record, hold), .kind = CRN_FIELD_FLAG},
    {AT(crn_body_record, mass), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_body_record, inertia)},
    {AT(crn_body_record, position), .kind = CRN_FIELD_VECTOR},
    {AT(crn_body_record, angle), .kind = CRN_FIELD_NUMBER, IN_PLANE("orientation")},
    {AT(crn_body_record, orientation), IN_SPACE("angle")},
    {AT(crn_body_record, velocity), .kind = CRN_FIELD_VECTOR},
    {AT(crn_body_record, angular_velocity)},
    {AT(crn_body_record, material), .kind = CRN_FIELD_NAME},
    {AT(crn_body_record, groups)},
    {AT(crn_body_record, collides_with)},
    {AT(crn_body_record, motion), .only = DRIVEN},
    {AT(crn_body_record, shapes)},
};

static const crn_field robot_fields[] = {
    {AT(crn_robot_record, file), .kind = CRN_FIELD_NAME, .required = CRN_ALWAYS},
    {AT(crn_robot_record, prefix), .kind = CRN_FIELD_TEXT},
    {AT(crn_robot_record, position), .kind = CRN_FIELD_VECTOR},
    {AT(crn_robot_record, orientation), IN_SPACE(NULL)},
    {AT(crn_robot_record, free_base), .kind = CRN_FIELD_FLAG},
    {AT(crn_robot_record, surfaces), .kind = CRN_FIELD_FLAG},
    {AT(crn_robot_record, packages), .kind = CRN_FIELD_NAME},
    {AT(crn_robot_record, keyframe), .kind = CRN_FIELD_NAME},
    {AT(crn_robot_record, initial)},
    {AT(crn_robot_record, drives)},
};

static const crn_field motion_fields[] = {
    {AT(crn_motion_record, position), .kind = CRN_FIELD_FORMULAS},
    {AT(crn_motion_record, angle), .kind = CRN_FIELD_FORMULA},
    {AT(crn_motion_record, axis), .kind = CRN_FIELD_VECTOR, IN_SPACE(NULL)},
};

static const crn_field turn_fields[] = {
    {AT(crn_turn_record, axis), .kind = CRN_FIELD_VECTOR, .required = CRN_ALWAYS},
    {AT(crn_turn_record, angle), .kind = CRN_FIELD_NUMBER, .required = CRN_ALWAYS},
};

/* What depends on the type is filled in from the classes of joints (joint_fields.c). */
static const crn_field joint_fields[] = {
    {AT(crn_joint_record, name), .kind = CRN_FIELD_NAME, .required = CRN_ALWAYS},
    {AT(crn_joint_record, type), .kind = CRN_FIELD_WORD, .required = CRN_ALWAYS},
    {AT(crn_joint_record, bodies), .kind = CRN_FIELD_NAMES, .required = CRN_ALWAYS},
    {AT(crn_joint_record, points), .kind = CRN_FIELD_VECTORS},
    {AT(crn_joint_record, at), .kind = CRN_FIELD_VECTOR},
    {AT(crn_joint_record, axis), .kind = CRN_FIELD_VECTOR},
    {AT(crn_joint_record, axis_b), .kind = CRN_FIELD_VECTOR, IN_SPACE(NULL)},
    {AT(crn_joint_record, second_axis), .kind = CRN_FIELD_VECTOR, IN_SPACE(NULL)},
    {AT(crn_joint_record, over), .kind = CRN_FIELD_VECTORS},
    {AT(crn_joint_record, length), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_joint_record, collide), .kind = CRN_FIELD_FLAG},
    {AT(crn_joint_record, stiffness), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_joint_record, damping), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_joint_record, angular_stiffness), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_joint_record, angular_damping), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_joint_record, weight), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_joint_record, stiffness_matrix)},
    {AT(crn_joint_record, damping_matrix)},
    {AT(crn_joint_record, coordinates)},
};

/* What acts on a coordinate, with its record at an offset. */
#define WITHIN(at, member) .name = #member, .offset = (at) + offsetof(crn_coordinate_record, member)
#define COORDINATE_FIELDS(at)                                                                                          \
    {WITHIN(at, lower), .kind = CRN_FIELD_NUMBER}, {WITHIN(at, upper), .kind = CRN_FIELD_NUMBER},                      \
        {WITHIN(at, restitution), .kind = CRN_FIELD_NUMBER, .range = CRN_FRACTION},                                    \
        {WITHIN(at, friction), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},                                   \
        {WITHIN(at, stiffness), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},                                  \
        {WITHIN(at, damping), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},                                    \
        {WITHIN(at, rotor_inertia), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE}, {WITHIN(at, rest)},          \
    {                                                                                                                  \
        WITHIN(at, drive)                                                                                              \
    }

static const crn_field coordinate_fields[] = {
    COORDINATE_FIELDS(0),
    {AT(crn_coordinate_record, friction_coefficient), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_coordinate_record, friction_radius), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_coordinate_record, thrust_radius), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_coordinate_record, bearing_length), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_coordinate_record, initial), .kind = CRN_FIELD_NUMBER},
    {AT(crn_coordinate_record, initial_rate), .kind = CRN_FIELD_NUMBER},
};

static const crn_field coupling_fields[] = {
    {AT(crn_coupling_record, name), .kind = CRN_FIELD_NAME, .required = CRN_ALWAYS},
    {AT(crn_coupling_record, terms), .required = CRN_ALWAYS},
    {AT(crn_coupling_record, value)},
    COORDINATE_FIELDS(offsetof(crn_coupling_record, acts)),
    {AT(crn_coupling_record, weight), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
};

static const crn_field term_fields[] = {
    {AT(crn_term_record, joint), .kind = CRN_FIELD_NAME},
    {AT(crn_term_record, coordinate), .kind = CRN_FIELD_NAME},
    {AT(crn_term_record, bodies)},
    {AT(crn_term_record, points), .kind = CRN_FIELD_VECTORS},
    {AT(crn_term_record, factor), .kind = CRN_FIELD_NUMBER},
};

static const crn_field drive_fields[] = {
    {AT(crn_drive_record, type), ONE_OF(drive_types), .required = CRN_ALWAYS},
    {AT(crn_drive_record, target), .required = CRN_ALWAYS},
    {AT(crn_drive_record, stiffness), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE, .only = 1},
    {AT(crn_drive_record, damping), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE, .only = 3},
    {AT(crn_drive_record, limit), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_drive_record, power), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
};

static const crn_field spring_fields[] = {
    {AT(crn_spring_record, name), .kind = CRN_FIELD_NAME, .required = CRN_ALWAYS},
    {AT(crn_spring_record, type), ONE_OF(spring_types), .required = CRN_ALWAYS},
    {AT(crn_spring_record, bodies), .kind = CRN_FIELD_NAMES, .required = CRN_ALWAYS},
    {AT(crn_spring_record, points), .kind = CRN_FIELD_VECTORS, .only = LINEAR},
    {AT(crn_spring_record, axis), .kind = CRN_FIELD_VECTOR, IN_SPACE(NULL), .only = ANGULAR, .required = ANGULAR},
    {AT(crn_spring_record, stiffness), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_spring_record, damping), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_spring_record, rest), .kind = CRN_FIELD_NUMBER},
};

static const crn_field force_fields[] = {
    {AT(crn_force_record, name), .kind = CRN_FIELD_NAME, .required = CRN_ALWAYS},
    {AT(crn_force_record, body), .kind = CRN_FIELD_NAME, .required = CRN_ALWAYS},
    {AT(crn_force_record, force), .kind = CRN_FIELD_FORMULAS},
    {AT(crn_force_record, torque)},
    {AT(crn_force_record, point), .kind = CRN_FIELD_VECTOR},
    {AT(crn_force_record, frame), ONE_OF(frames)},
};

/* Masks over the types of sensors: those of quantities, bodies and joints. */
enum
{
    QUANTITY = 1 << 0,
    ACCELEROMETER = 1 << 1,
    CONTACT = 1 << 3,
    ON_BODY = ACCELEROMETER | 1 << 2 | CONTACT,
    ON_JOINT = 1 << 4 | 1 << 5
};

static const crn_field sensor_fields[] = {
    {AT(crn_sensor_record, name), .kind = CRN_FIELD_NAME, .required = CRN_ALWAYS},
    {AT(crn_sensor_record, type), ONE_OF(sensor_types)},
    {AT(crn_sensor_record, quantity), .kind = CRN_FIELD_NAME, .only = QUANTITY, .required = QUANTITY},
    {AT(crn_sensor_record, body), .kind = CRN_FIELD_NAME, .only = ON_BODY, .required = ON_BODY},
    {AT(crn_sensor_record, from), .kind = CRN_FIELD_NAME, .only = CONTACT},
    {AT(crn_sensor_record, joint), .kind = CRN_FIELD_NAME, .only = ON_JOINT, .required = ON_JOINT},
    {AT(crn_sensor_record, point), .kind = CRN_FIELD_VECTOR, .only = ACCELEROMETER},
    {AT(crn_sensor_record, every), .kind = CRN_FIELD_INTEGER, .range = CRN_POSITIVE},
};

/* ------------------------------------------------------------------------------------------------- objects */

#define TABLE(table, record) .fields = (table), .count = COUNT(table), .record_size = sizeof(record)

const crn_object crn_scene_object = {"scene", "scene", NULL, TABLE(scene_fields, crn_scene_record)};
const crn_object crn_material_object = {"material", "material", NULL, TABLE(material_fields, crn_material_record)};
const crn_object crn_periodic_object = {"periodic", "periodic", NULL, TABLE(periodic_fields, crn_periodic_record)};
const crn_object crn_patch_object = {"patch", "patch", NULL, TABLE(patch_fields, crn_patch_record)};
const crn_object crn_pair_object = {"pair", "pair", NULL, TABLE(pair_fields, crn_pair_record)};
const crn_object crn_body_object = {"body", "body", "kind", TABLE(body_fields, crn_body_record)};
const crn_object crn_motion_object = {"motion", "motion", NULL, TABLE(motion_fields, crn_motion_record)};
const crn_object crn_turn_object = {"orientation", "turn", NULL, TABLE(turn_fields, crn_turn_record)};
const crn_object crn_joint_object = {"joint", "joint", "type", TABLE(joint_fields, crn_joint_record)};
const crn_object crn_coordinate_object = {"coordinate", "coordinate", NULL,
                                          TABLE(coordinate_fields, crn_coordinate_record)};
const crn_object crn_drive_object = {"drive", "drive", "type", TABLE(drive_fields, crn_drive_record)};
const crn_object crn_coupling_object = {"coupling", "coupling", NULL, TABLE(coupling_fields, crn_coupling_record)};
const crn_object crn_term_object = {"term", "term", NULL, TABLE(term_fields, crn_term_record)};
const crn_object crn_spring_object = {"spring", "spring", "type", TABLE(spring_fields, crn_spring_record)};
const crn_object crn_force_object = {"force", "force", NULL, TABLE(force_fields, crn_force_record)};
const crn_object crn_robot_object = {"robot", "robot", NULL, TABLE(robot_fields, crn_robot_record)};
const crn_object crn_sensor_object = {"sensor", "sensor", "type", TABLE(sensor_fields, crn_sensor_record)};

const crn_object *const crn_scene_objects[CRN_OBJECTS] = {
    &crn_scene_object,     &crn_periodic_object, &crn_material_object,   &crn_patch_object,  &crn_pair_object,
    &crn_body_object,      &crn_motion_object,   &crn_turn_object,       &crn_joint_object,  &crn_coordinate_object,
    &crn_drive_object,     &crn_coupling_object, &crn_term_object,       &crn_spring_object, &crn_force_object,
    &crn_sensor_object,    &crn_robot_object,    &crn_population_object, &crn_region_object, &crn_sizes_object,
    &crn_insertion_object, &crn_removal_object,  &crn_statistic_object,  &crn_zone_object,   &crn_plane_object,
    &crn_recording_object,
};
