/* The table of quantities: one row per name, which says what has it, its unit and how it is read.
 *
 *     world         energy.kinetic
 *     body          BODY.position
 *     joint         JOINT.force
 *     coordinate    JOINT.COORDINATE, JOINT.COORDINATE.rate
 *     spring        SPRING.stretch
 *     force         FORCE.work
 *     statistic     STATISTIC.coordination
 *     function      accelerometer(BODY,x,y,z)
 *
 * A vector or a tensor may be followed by one of its parts: BODY.position.x, BODY.position.magnitude, STATISTIC.stress.xz.
 */
#ifndef CRN_QUANTITY_TABLE_H
#define CRN_QUANTITY_TABLE_H

#include "cairn/quantity.h"
#include "statistics/statistics.h"
#include "step/simulation.h"

typedef enum crn_owner
{
    CRN_OF_WORLD,
    CRN_OF_BODY,
    CRN_OF_JOINT,
    CRN_OF_COORDINATE,
    CRN_OF_SPRING,
    CRN_OF_FORCE,
    CRN_OF_STATISTIC,
    CRN_OF_FUNCTION,
} crn_owner;

typedef enum crn_form
{
    CRN_SCALAR,
    CRN_VECTOR,
    CRN_ROTATION,  /* an axial vector: in the plane one number, the third */
    CRN_TENSOR,    /* row by row */
    CRN_HISTOGRAM, /* as many numbers as the statistic has bins */
} crn_form;

enum
{
    CRN_PART_ALL = -1,
    CRN_PART_MAGNITUDE = 3 /* after x, y, z */
};

typedef struct crn_quantity_row crn_quantity_row;
struct crn_quantity_row
{
    crn_owner owner;
    const char *name; /* behind that of the owner; "": the coordinate itself */
    const char *unit;
    const char *
        angular; /* unit where the coordinate or the spring is an angle, and of statistics in the plane; NULL: the same */
    crn_form form;
    int dimension; /* 2, 3: only there; 0: both */
    /* Fill all three entries of a vector, and the first of a scalar. What the quantity belongs to exists. */
    void (*read)(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3]);
    size_t offset;        /* of the reader's struct */
    int bodies;           /* of a function: how many it takes, then */
    bool takes_point;     /* the coordinates of a point, */
    bool needs_point;     /* which must be given */
    crn_measure *measure; /* of a statistic, in place of read */
    bool needs_region, needs_plane;
};

extern const crn_quantity_row crn_quantity_rows[];
extern const int crn_quantity_row_count;

typedef void crn_quantity_read(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                               double out[3]);
crn_quantity_read crn_read_time, crn_read_energy, crn_read_report, crn_read_contact_count; /* read_world.c */
crn_quantity_read crn_read_spring_stretch, crn_read_spring_length, crn_read_spring_force, crn_read_spring_work,
    crn_read_force_work;
crn_quantity_read crn_read_body, crn_read_speed, crn_read_point, crn_read_distance; /* read_body.c */
crn_quantity_read crn_read_contact_force, crn_read_force_between;
crn_quantity_read crn_read_acceleration, crn_read_accelerometer; /* read_motion.c */
crn_quantity_read crn_read_joint, crn_read_joint_work, crn_read_coordinate,
    crn_read_coordinate_force, /* read_joint.c */
    crn_read_power;

#endif
