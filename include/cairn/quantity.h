/* Quantities: any number of a simulation by its name, resolved once and read after every step.
 *
 *     cairn_quantity torque;
 *     if (cairn_quantity_find(context, model, "elbow.angle.drive", &torque) == CAIRN_OK)
 *         while (cairn_simulation_step(simulation) == CAIRN_OK)
 *             cairn_quantity_value(simulation, &torque, &value);
 *
 * All names, units and frames: docs/quantities.md.
 */
#ifndef CAIRN_QUANTITY_H
#define CAIRN_QUANTITY_H

#include "cairn/scene.h"
#include "cairn/statistics.h"

CAIRN_BEGIN_DECLS

/* The most numbers that a quantity has. */
enum
{
    CAIRN_QUANTITY_MOST = 64
};

/* A quantity of a model. It may be copied, and needs no cleaning up. It outlives the thing that it belongs to, but has no value
 * once that is removed. */
typedef struct cairn_quantity
{
    /* How many numbers it has: 1, or as many as the model has dimensions for a vector, their square for a tensor, and the bins of a
     * histogram; at most CAIRN_QUANTITY_MOST. */
    int count;
    /* Unit, a constant text: "rad", "N m"; "" for plain numbers. */
    const char *unit;
    /* The rest is the library's own. */
    int row, part, coordinate;
    cairn_body body, other;
    cairn_joint joint;
    cairn_spring spring;
    cairn_force force;
    cairn_statistic statistic;
    double point[3];
} cairn_quantity;

/* Find the quantity of a name, such as "elbow.angle", "box.contact_force" or "box.contact_force.x". CAIRN_INVALID when there is
 * none, with a message that suggests the nearest name, or when bodies, joints, springs and forces share the name; then
 * "joint:arm.angle" tells them apart. */
CAIRN_API cairn_status cairn_quantity_find(cairn_context *context, const cairn_model *model, const char *name,
                                           cairn_quantity *out);

/* Read the quantity now: quantity->count numbers. Forces, accelerations and powers are means over the last step, and 0 before the
 * first. CAIRN_INVALID, and NAN, when the thing that it belongs to has been removed, or is of another model. */
CAIRN_API cairn_status cairn_quantity_value(const cairn_simulation *simulation, const cairn_quantity *quantity,
                                            double *values);

/* Name of number `index` of a vector: "x", "y", "z"; of a tensor: "xx", "xy", ...; of a histogram: "bin0", "bin1", ...; "" for a quantity
 * of one number. */
CAIRN_API const char *cairn_quantity_part(const cairn_quantity *quantity, int index);

/* Call `visit` with every quantity of the model that a name without arguments stands for. The name lives during the call.
 * CAIRN_NO_MEMORY is the only failure. */
CAIRN_API cairn_status cairn_quantity_each(const cairn_model *model,
                                           void (*visit)(void *data, const char *name, const cairn_quantity *quantity),
                                           void *data);

/* ------------------------------------------------------------------------------------------------------ sensors */

/* A quantity that a scene measures. The texts live as long as the scene. */
typedef struct cairn_sensor
{
    /* Name of the sensor, and of the quantity. */
    const char *name, *quantity;
    /* It measures at every n-th step; 1 or more. */
    int every;
} cairn_sensor;

/* The number of sensors of a scene, and sensor `index`, from 0; empty texts for an index out of range. */
CAIRN_API int cairn_scene_sensor_count(const cairn_scene *scene);
CAIRN_API cairn_sensor cairn_scene_sensor(const cairn_scene *scene, int index);

/* ------------------------------------------------------------------------------------------------------ watches */

/* A list of quantities that are read together, as columns of a table: a vector is one column per number. One thread at a time
 * may use it. Recorders write it to run files (cairn_recorder_options.watch). */
typedef struct cairn_watch cairn_watch;

/* Create an empty watch of a simulation, which must outlive it. *out belongs to the caller (cairn_watch_destroy). */
CAIRN_API cairn_status cairn_watch_create(cairn_context *context, const cairn_simulation *simulation,
                                          cairn_watch **out);

/* Destroy a watch. NULL is allowed. */
CAIRN_API void cairn_watch_destroy(cairn_watch *watch);

/* Add a quantity by its name. Its columns are called by `label`; NULL stands for the name. It is read at every n-th step, and
 * keeps its value in between. CAIRN_INVALID for an unknown quantity, a label that is taken, and every < 1. */
CAIRN_API cairn_status cairn_watch_add(cairn_watch *watch, const char *label, const char *quantity, int every);

/* Add all sensors of a scene. */
CAIRN_API cairn_status cairn_watch_add_sensors(cairn_watch *watch, const cairn_scene *scene);

/* The number of columns; label and unit of column `index`, from 0, "" for an index out of range: "imu.x". They live as long as
 * the watch. */
CAIRN_API int cairn_watch_count(const cairn_watch *watch);
CAIRN_API const char *cairn_watch_label(const cairn_watch *watch, int index);
CAIRN_API const char *cairn_watch_unit(const cairn_watch *watch, int index);

/* Read all quantities that are due in this step. *values has one number per column and lives until the next call. Reading twice
 * in a step changes nothing. Otherwise as cairn_quantity_value. */
CAIRN_API cairn_status cairn_watch_read(cairn_watch *watch, const double **values);

CAIRN_END_DECLS

#endif
