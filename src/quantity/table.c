#include "quantity/table.h"

#include <stddef.h>

#define ENERGY(field)                                                                                                  \
    {                                                                                                                  \
        CRN_OF_WORLD, "energy." #field, "J", .read = crn_read_energy, .offset = offsetof(cairn_energy, field)          \
    }
#define REPORT(text, unit, field)                                                                                      \
    {                                                                                                                  \
        CRN_OF_WORLD, text, unit, .read = crn_read_report, .offset = offsetof(cairn_step_report, field)                \
    }
#define AT(field, index) .read = crn_read_body, .offset = offsetof(cairn_body_state, field) + (index) * sizeof(double)
#define JOINT(field)     .read = crn_read_joint, .offset = offsetof(cairn_joint_state, field)
#define ALONG(field)     .read = crn_read_coordinate_force, .offset = offsetof(cairn_joint_state, field)

const crn_quantity_row crn_quantity_rows[] = {
    {CRN_OF_WORLD, "time", "s", .read = crn_read_time},
    ENERGY(kinetic),
    ENERGY(potential),
    ENERGY(elastic),
    ENERGY(total),
    ENERGY(work_gravity),
    ENERGY(work_springs),
    ENERGY(work_dampers),
    ENERGY(work_forces),
    ENERGY(work_gyroscopic),
    ENERGY(work_joints),
    ENERGY(work_contact_normal),
    ENERGY(work_friction),
    ENERGY(work_systems),
    ENERGY(work_driven),
    ENERGY(push_out),
    ENERGY(integration),
    ENERGY(projection),
    ENERGY(added),
    ENERGY(balance_error),
    REPORT("penetration", "m", penetration),
    REPORT("joint_error", "m", joint_error),
    REPORT("certificate.relative", "", solver.certificate.relative),
    {CRN_OF_WORLD, "contacts.count", "", .read = crn_read_contact_count},

    {CRN_OF_BODY, "position", "m", NULL, CRN_VECTOR, AT(position, 0)},
    {CRN_OF_BODY, "velocity", "m/s", NULL, CRN_VECTOR, AT(velocity, 0)},
    {CRN_OF_BODY, "acceleration", "m/s^2", NULL, CRN_VECTOR, .read = crn_read_acceleration},
    {CRN_OF_BODY, "angle", "rad", .dimension = 2, AT(angle, 0)},
    {CRN_OF_BODY, "omega", "rad/s", NULL, CRN_ROTATION, AT(angular_velocity, 0)},
    {CRN_OF_BODY, "contact_force", "N", NULL, CRN_VECTOR, .read = crn_read_contact_force},
    {CRN_OF_BODY, "x", "m", AT(position, 0)},
    {CRN_OF_BODY, "y", "m", AT(position, 1)},
    {CRN_OF_BODY, "z", "m", .dimension = 3, AT(position, 2)},
    {CRN_OF_BODY, "vx", "m/s", AT(velocity, 0)},
    {CRN_OF_BODY, "vy", "m/s", AT(velocity, 1)},
    {CRN_OF_BODY, "vz", "m/s", .dimension = 3, AT(velocity, 2)},
    {CRN_OF_BODY, "speed", "m/s", .read = crn_read_speed},
    {CRN_OF_BODY, "omega_x", "rad/s", .dimension = 3, AT(angular_velocity, 0)},
    {CRN_OF_BODY, "omega_y", "rad/s", .dimension = 3, AT(angular_velocity, 1)},
    {CRN_OF_BODY, "omega_z", "rad/s", .dimension = 3, AT(angular_velocity, 2)},
    {CRN_OF_BODY, "qw", "", .dimension = 3, AT(orientation, 0)},
    {CRN_OF_BODY, "qx", "", .dimension = 3, AT(orientation, 1)},
    {CRN_OF_BODY, "qy", "", .dimension = 3, AT(orientation, 2)},
    {CRN_OF_BODY, "qz", "", .dimension = 3, AT(orientation, 3)},

    {CRN_OF_JOINT, "force", "N", NULL, CRN_VECTOR, JOINT(force)},
    {CRN_OF_JOINT, "moment", "N m", NULL, CRN_ROTATION, JOINT(moment)},
    {CRN_OF_JOINT, "work", "J", .read = crn_read_joint_work},

    {CRN_OF_COORDINATE, "", "m", "rad", .read = crn_read_coordinate},
    {CRN_OF_COORDINATE, "rate", "m/s", "rad/s", .read = crn_read_coordinate, .offset = 1},
    {CRN_OF_COORDINATE, "drive", "N", "N m", ALONG(drive)},
    {CRN_OF_COORDINATE, "spring", "N", "N m", ALONG(spring)},
    {CRN_OF_COORDINATE, "friction", "N", "N m", ALONG(friction)},
    {CRN_OF_COORDINATE, "limit", "N", "N m", ALONG(limit)},
    {CRN_OF_COORDINATE, "rotor", "N", "N m", ALONG(rotor)},
    {CRN_OF_COORDINATE, "power", "W", .read = crn_read_power},
    {CRN_OF_COORDINATE, "drive_work", "J", ALONG(drive_work)},
    {CRN_OF_COORDINATE, "spring_work", "J", ALONG(spring_work)},
    {CRN_OF_COORDINATE, "friction_work", "J", ALONG(friction_work)},
    {CRN_OF_COORDINATE, "limit_work", "J", ALONG(limit_work)},

    {CRN_OF_SPRING, "stretch", "m", "rad", .read = crn_read_spring_stretch},
    {CRN_OF_SPRING, "length", "m", "rad", .read = crn_read_spring_length},
    {CRN_OF_SPRING, "force", "N", "N m", .read = crn_read_spring_force},
    {CRN_OF_SPRING, "work", "J", .read = crn_read_spring_work},

    {CRN_OF_FORCE, "work", "J", .read = crn_read_force_work},

    {CRN_OF_STATISTIC, "bodies", "", .measure = crn_stat_bodies},
    {CRN_OF_STATISTIC, "mass", "kg", .measure = crn_stat_mass},
    {CRN_OF_STATISTIC, "velocity", "m/s", NULL, CRN_VECTOR, .measure = crn_stat_velocity},
    {CRN_OF_STATISTIC, "temperature", "m^2/s^2", .measure = crn_stat_temperature},
    {CRN_OF_STATISTIC, "mean_speed", "m/s", .measure = crn_stat_mean_speed},
    {CRN_OF_STATISTIC, "largest_speed", "m/s", .measure = crn_stat_largest_speed},
    {CRN_OF_STATISTIC, "speed_histogram", "", NULL, CRN_HISTOGRAM, .measure = crn_stat_speed_histogram},
    {CRN_OF_STATISTIC, "translation", "J", .measure = crn_stat_translation},
    {CRN_OF_STATISTIC, "rotation", "J", .measure = crn_stat_rotation},
    {CRN_OF_STATISTIC, "contacts", "", .measure = crn_stat_contacts},
    {CRN_OF_STATISTIC, "coordination", "", .measure = crn_stat_coordination},
    {CRN_OF_STATISTIC, "touching", "", .measure = crn_stat_touching},
    {CRN_OF_STATISTIC, "backbone", "", .measure = crn_stat_backbone},
    {CRN_OF_STATISTIC, "rattlers", "", .measure = crn_stat_rattlers},
    {CRN_OF_STATISTIC, "fabric", "", NULL, CRN_TENSOR, .measure = crn_stat_fabric},
    {CRN_OF_STATISTIC, "virial", "J", NULL, CRN_TENSOR, .measure = crn_stat_virial},
    {CRN_OF_STATISTIC, "mean_force", "N", .measure = crn_stat_mean_force},
    {CRN_OF_STATISTIC, "largest_force", "N", .measure = crn_stat_largest_force},
    {CRN_OF_STATISTIC, "force_histogram", "", NULL, CRN_HISTOGRAM, .measure = crn_stat_force_histogram},
    {CRN_OF_STATISTIC, "repose", "rad", .measure = crn_stat_repose},
    {CRN_OF_STATISTIC, "slope", "rad", .measure = crn_stat_slope},
    {CRN_OF_STATISTIC, "stress", "Pa", "N/m", CRN_TENSOR, .measure = crn_stat_stress, .needs_region = true},
    {CRN_OF_STATISTIC, "pressure", "Pa", "N/m", .measure = crn_stat_pressure, .needs_region = true},
    {CRN_OF_STATISTIC, "kinetic_stress", "Pa", "N/m", CRN_TENSOR, .measure = crn_stat_kinetic_stress,
     .needs_region = true},
    {CRN_OF_STATISTIC, "fraction", "", .measure = crn_stat_fraction, .needs_region = true},
    {CRN_OF_STATISTIC, "fraction_error", "", .measure = crn_stat_fraction_error, .needs_region = true},
    {CRN_OF_STATISTIC, "flow", "kg/s", .measure = crn_stat_flow, .needs_plane = true},
    {CRN_OF_STATISTIC, "passed", "kg", .measure = crn_stat_passed, .needs_plane = true},
    {CRN_OF_STATISTIC, "passed_bodies", "", .measure = crn_stat_passed_bodies, .needs_plane = true},

    {CRN_OF_FUNCTION, "accelerometer", "m/s^2", NULL, CRN_VECTOR, .read = crn_read_accelerometer, .bodies = 1,
     .takes_point = true},
    {CRN_OF_FUNCTION, "gyro", "rad/s", NULL, CRN_ROTATION, AT(angular_velocity, 0), .bodies = 1},
    {CRN_OF_FUNCTION, "force", "N", NULL, CRN_VECTOR, .read = crn_read_force_between, .bodies = 2},
    {CRN_OF_FUNCTION, "point", "m", NULL, CRN_VECTOR, .read = crn_read_point, .bodies = 1, .takes_point = true,
     .needs_point = true},
    {CRN_OF_FUNCTION, "distance", "m", .read = crn_read_distance, .bodies = 2},
};
const int crn_quantity_row_count = (int)(sizeof crn_quantity_rows / sizeof crn_quantity_rows[0]);
