/* The objects of a scene file: their records and their tables. */
#ifndef CRN_SCENE_TABLES_H
#define CRN_SCENE_TABLES_H

#include "model/joints/joint_class.h"
#include "scene/fields.h"

typedef struct crn_scene_record
{
    crn_number cairn;
    crn_text title, description;
    crn_any dimension, gravity, periodic, parameters, materials, pairs, bodies, populations, joints, couplings, springs,
        forces, ignore, files, robots, statistics, sensors, recording, simulation;
} crn_scene_record;

typedef struct crn_periodic_record
{
    crn_vector size;
    crn_number shear;
} crn_periodic_record;

typedef struct crn_material_record
{
    crn_text name;
    crn_number friction, restitution, stiffness, damping, weight;
    crn_number tangential_stiffness, rolling_friction, spinning_friction, cohesion, cohesion_range;
    crn_any patch;
} crn_material_record;

typedef struct crn_patch_record
{
    crn_number elements, spacing, young, compliance, poisson, damping, retardation;
    crn_choice kernel; /* in the order of cairn_patch_kernel */
} crn_patch_record;

typedef struct crn_pair_record
{
    crn_names materials;
    crn_number friction, restitution, rolling_friction, spinning_friction, cohesion;
} crn_pair_record;

typedef struct crn_body_record
{
    crn_text name;
    crn_choice kind;
    crn_flag point, hold;
    crn_number mass, angle;
    crn_any inertia, orientation, angular_velocity, groups, collides_with, motion, shapes;
    crn_vector position, velocity;
    crn_text material;
} crn_body_record;

typedef struct crn_robot_record
{
    crn_text file, prefix, packages, keyframe;
    crn_flag free_base, surfaces;
    crn_vector position;
    crn_any orientation, initial, drives;
} crn_robot_record;

typedef struct crn_motion_record
{
    crn_formulas position;
    crn_formula angle;
    crn_vector axis;
} crn_motion_record;

typedef struct crn_turn_record
{
    crn_vector axis;
    crn_number angle;
} crn_turn_record;

typedef struct crn_joint_record
{
    crn_text name;
    crn_choice type; /* in the order of the joint classes */
    crn_names bodies;
    crn_vectors points;
    crn_vector at, axis, axis_b, second_axis;
    crn_vectors over;
    crn_number length;
    crn_flag collide;
    crn_number stiffness, damping, angular_stiffness, angular_damping, weight;
    crn_any stiffness_matrix, damping_matrix;
    crn_any coordinates;
    crn_number number[CRN_JOINT_OWN_NUMBERS]; /* of fields that single classes have, in the order of the fields */
} crn_joint_record;

/* What acts on a coordinate of a joint. */
typedef struct crn_coordinate_record
{
    crn_number lower, upper, restitution, friction, friction_coefficient, friction_radius, thrust_radius,
        bearing_length, stiffness, damping, rotor_inertia, initial, initial_rate;
    crn_any rest, drive;
} crn_coordinate_record;

typedef struct crn_coupling_record
{
    crn_text name;
    crn_any terms, value;
    crn_coordinate_record acts;
    crn_number weight;
} crn_coupling_record;

/* A coordinate of a joint, or a rope through points of bodies. */
typedef struct crn_term_record
{
    crn_text joint, coordinate;
    crn_any bodies;
    crn_vectors points;
    crn_number factor;
} crn_term_record;

typedef struct crn_drive_record
{
    crn_choice type; /* in the order of cairn_drive_kind, from the second */
    crn_any target;
    crn_number stiffness, damping, limit, power;
} crn_drive_record;

typedef struct crn_spring_record
{
    crn_text name;
    crn_choice type; /* in the order of cairn_spring_kind */
    crn_names bodies;
    crn_vectors points;
    crn_vector axis;
    crn_number stiffness, damping, rest;
} crn_spring_record;

typedef struct crn_force_record
{
    crn_text name, body;
    crn_formulas force;
    crn_any torque;
    crn_vector point;
    crn_choice frame; /* world, body */
} crn_force_record;

/* What a scene measures. */
typedef struct crn_sensor_record
{
    crn_text name;
    crn_choice type; /* quantity, accelerometer, gyro, contact-force, joint-force, joint-moment */
    crn_text quantity, body, from, joint;
    crn_vector point;
    crn_number every;
} crn_sensor_record;

/* The mapping `simulation`: the end time and the library's table of settings. Its tables are made from that one. */
enum
{
    CRN_MOST_SETTINGS = 48,
    CRN_MOST_WORDS = 96
};

typedef union crn_setting_record
{
    crn_any any; /* of the law and of lists of words */
    crn_text text;
    crn_choice choice;
    crn_flag flag;
    crn_number number;
} crn_setting_record;

typedef struct crn_simulation_record
{
    crn_setting_record setting[CRN_MOST_SETTINGS]; /* in the order of the library's table */
    crn_number until;
} crn_simulation_record;

typedef struct crn_simulation_table
{
    crn_field field[CRN_MOST_SETTINGS + 1];
    crn_word word[CRN_MOST_WORDS];
    crn_object object;
} crn_simulation_table;

void crn_simulation_table_make(crn_simulation_table *out);

extern const crn_object crn_scene_object, crn_periodic_object, crn_material_object, crn_patch_object, crn_pair_object,
    crn_body_object, crn_motion_object, crn_turn_object, crn_joint_object, crn_coordinate_object, crn_drive_object,
    crn_coupling_object, crn_term_object, crn_spring_object, crn_force_object, crn_robot_object, crn_sensor_object,
    crn_recording_object;

/* All of them but the shape (scene/shape_fields.h) and `simulation`, for the test that compares them with the schema. */
enum
{
    CRN_OBJECTS = 26
};
extern const crn_object *const crn_scene_objects[CRN_OBJECTS];

#endif
