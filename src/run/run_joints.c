/* Joints in a run file: the reaction of each, and what each coordinate is and what acts along it.
 *
 *     reactions/names     NAME, so that NAME.force and NAME.moment are quantities (cairn/quantity.h)
 *     reactions/force     on the joint's second body at its point, world frame, mean over the step
 *     coordinates/names   JOINT.COORDINATE; coordinates/units: m or rad
 *     coordinates/value   and the other fields of the table below, one number per coordinate
 *
 * The fields of what acts along coordinates are left out where nothing does. Readers list all of them as series by the names of
 * the quantities.
 */
#include "model/joints/element.h"
#include "quantity/find.h"
#include "run/run_reader.h"
#include "run/run_recorder.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct field
{
    const char *path;
    const char *suffix; /* of the quantity's name */
    const char *unit, *angular;
    const char *description;
    size_t offset; /* in cairn_joint_state; POWER: it is not a field of it */
} field;

#define POWER            SIZE_MAX
#define IN_STATE(member) offsetof(cairn_joint_state, member)

static const field FIELDS[] = {
    {"coordinates/value", "", "m", "rad", "where the second body is against the first", IN_STATE(coordinate)},
    {"coordinates/rate", ".rate", "m/s", "rad/s", "rate of the coordinate", IN_STATE(rate)},
    {"coordinates/drive", ".drive", "N", "N m", "force of the drive, mean over the step", IN_STATE(drive)},
    {"coordinates/spring", ".spring", "N", "N m", "force of spring and damper, mean over the step", IN_STATE(spring)},
    {"coordinates/friction", ".friction", "N", "N m", "dry friction, mean over the step", IN_STATE(friction)},
    {"coordinates/limit", ".limit", "N", "N m", "force of the ends of the range, mean over the step", IN_STATE(limit)},
    {"coordinates/power", ".power", "W", "W", "power of the drive, mean over the step", POWER},
    {"coordinates/drive_work", ".drive_work", "J", "J", "work of the drive since the start", IN_STATE(drive_work)},
    {"coordinates/spring_work", ".spring_work", "J", "J", "work of spring and damper since the start",
     IN_STATE(spring_work)},
    {"coordinates/friction_work", ".friction_work", "J", "J", "work of dry friction since the start",
     IN_STATE(friction_work)},
    {"coordinates/limit_work", ".limit_work", "J", "J", "work of the ends of the range since the start",
     IN_STATE(limit_work)},
};
enum
{
    FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0],
    OF_MOTION = 2 /* the first so many, which all joints have */
};

/* -------------------------------------------------------------------------------------------------- recording */

/* The name of a quantity without its last `drop` bytes, in the recorder's memory; NULL when memory ran out. */
static char *quantity_name(cairn_recorder *recorder, const char *joint, const char *field_name, size_t drop)
{
    char *text = NULL;
    size_t capacity = 0;
    const cairn_model *model = cairn_simulation_model(recorder->simulation);
    bool good = crn_quantity_write_name(model, CRN_OF_JOINT, joint, field_name, "", &text, &capacity);
    if (good)
        text[strlen(text) - drop] = '\0';
    char *kept = good ? crn_arena_text(&recorder->memory, text) : NULL;
    free(text);
    return kept;
}

/* Name everything that will be recorded. */
static cairn_status name_joints(cairn_recorder *recorder, const cairn_model *model)
{
    crn_run_joints *joints = &recorder->joints;
    for (int j = 0; j < (int)model->joint_count; ++j)
        joints->coordinate_count += model->joints[j].coordinates;
    if (crn_reserve_all(&recorder->memory, CRN_ARRAY(joints->names, model->joint_count),
                        CRN_ARRAY(joints->coordinates, joints->coordinate_count),
                        CRN_ARRAY(joints->units, joints->coordinate_count)))
        return crn_run_recorder_full(recorder);
    for (int j = 0, k = 0; j < (int)model->joint_count; ++j)
    {
        const crn_joint *joint = &model->joints[j];
        joints->names[j] = quantity_name(recorder, joint->name, "force", strlen(".force"));
        bool complete = joints->names[j];
        for (int i = 0; i < joint->coordinates; ++i, ++k)
        {
            bool turns = crn_element_turns(joint, model->dimension, &(crn_element){.coordinate = i});
            const char *name = joint->type->coordinate[model->dimension - 2][i].name;
            joints->coordinates[k] = quantity_name(recorder, joint->name, name, 0);
            joints->units[k] = turns ? "rad" : "m";
            complete = complete && joints->coordinates[k];
        }
        if (!complete)
            return crn_run_recorder_full(recorder);
    }
    return CAIRN_OK;
}

cairn_status crn_run_add_joints(cairn_recorder *recorder, const cairn_model *model)
{
    crn_run_joints *joints = &recorder->joints;
    joints->count = recorder->leave_out & CAIRN_RECORD_JOINTS ? 0 : (int)model->joint_count;
    if (joints->count == 0)
        return CAIRN_OK;
    CRN_TRY(name_joints(recorder, model));
    joints->first_column = (int)recorder->column_count;
    CRN_TRY(crn_run_add_column(recorder, "reactions/force", "N",
                               "reaction on the second body at its point, world frame, mean over the step",
                               CRN_RUN_DOUBLE, joints->count, 3));
    CRN_TRY(crn_run_add_column(recorder, "reactions/moment", "N m",
                               "its moment about that point, world frame, mean over the step", CRN_RUN_DOUBLE,
                               joints->count, 3));
    joints->fields = joints->coordinate_count == 0 ? 0 : model->has_elements ? FIELD_COUNT : OF_MOTION;
    for (int i = 0; i < joints->fields; ++i)
        CRN_TRY(crn_run_add_column(recorder, FIELDS[i].path, i == 0 ? "m or rad" : FIELDS[i].unit,
                                   FIELDS[i].description, CRN_RUN_DOUBLE, joints->coordinate_count, 0));
    return CAIRN_OK;
}

static double coordinate_field(const cairn_recorder *recorder, const field *of, cairn_joint joint,
                               const cairn_joint_state *state, int i)
{
    double value[3] = {0};
    if (of->offset == POWER)
        crn_read_power(recorder->simulation, &(cairn_quantity){.joint = joint, .coordinate = i}, NULL, value);
    else
        memcpy(value, (const char *)state + of->offset + (size_t)i * sizeof(double), sizeof(double));
    return value[0];
}

bool crn_run_append_joints(cairn_recorder *recorder, const cairn_model *model)
{
    const crn_run_joints *joints = &recorder->joints;
    if (joints->count == 0)
        return true;
    double *row[2 + FIELD_COUNT];
    for (int k = 0; k < 2 + joints->fields; ++k)
    {
        row[k] = crn_run_new_row(recorder, joints->first_column + k);
        if (!row[k])
            return false;
    }
    for (int j = 0, k = 0; j < joints->count; ++j)
    {
        cairn_joint joint = cairn_model_joint(model, j);
        cairn_joint_state state = cairn_simulation_joint_state(recorder->simulation, joint);
        memcpy(row[0] + (size_t)j * 3, state.force, sizeof state.force);
        memcpy(row[1] + (size_t)j * 3, state.moment, sizeof state.moment);
        for (int i = 0; i < state.coordinate_count; ++i, ++k)
            for (int f = 0; f < joints->fields; ++f)
                row[2 + f][k] = coordinate_field(recorder, &FIELDS[f], joint, &state, i);
    }
    return true;
}

bool crn_run_put_joint_names(hid_t file, const cairn_recorder *recorder)
{
    const crn_run_joints *joints = &recorder->joints;
    const char *const *names = (const char *const *)joints->names;
    const char *const *coordinates = (const char *const *)joints->coordinates;
    return (joints->count == 0 || crn_run_put_names(file, "/reactions/names", names, joints->count,
                                                    "names of the joints, as quantities begin with them")) &&
           (joints->fields == 0 || (crn_run_put_names(file, "/coordinates/names", coordinates, joints->coordinate_count,
                                                      "names of the coordinates, in the order of the second axis") &&
                                    crn_run_put_names(file, "/coordinates/units", joints->units,
                                                      joints->coordinate_count, "m or rad, in that order")));
}

/* ---------------------------------------------------------------------------------------------------- reading */

static const char *text_of(const crn_run_texts *texts, int i)
{
    return texts->first + (size_t)i * texts->stride;
}

/* List a series with the name `base` and a suffix. */
static cairn_status add_series(cairn_run *run, const char *base, const char *suffix, const char *path, const char *unit,
                               int column, int part)
{
    size_t size = strlen(base) + strlen(suffix) + 1;
    char *name = NULL;
    if (crn_reserve_all(&run->memory, CRN_ARRAY(name, size)))
        return crn_run_reader_full(run);
    snprintf(name, size, "%s%s", base, suffix);
    CRN_TRY(crn_run_add_series(run, name, path, unit, column));
    run->series[run->series_count - 1].part = part;
    return CAIRN_OK;
}

static cairn_status index_reactions(cairn_run *run)
{
    static const char *const FORCE[] = {".force.x", ".force.y", ".force.z", ".force.magnitude"};
    static const char *const MOMENT[] = {".moment.x", ".moment.y", ".moment.z", ".moment.magnitude"};
    crn_run_texts names;
    if (H5Lexists(run->file, "reactions", H5P_DEFAULT) <= 0)
        return CAIRN_OK;
    if (!crn_run_get_names(run->file, "/reactions/names", &run->memory, &names) || names.count == 0)
        return crn_run_missing(run, "/reactions/names");
    CRN_TRY(crn_run_count_rows(run, "/reactions/force", 2, (hsize_t)names.count, 3, NULL));
    CRN_TRY(crn_run_count_rows(run, "/reactions/moment", 2, (hsize_t)names.count, 3, NULL));
    for (int j = 0; j < names.count; ++j)
    {
        for (int k = 0; k < 4; ++k)
            if (k != 2 || run->dimension == 3)
                CRN_TRY(add_series(run, text_of(&names, j), FORCE[k], "/reactions/force", "N", j, k));
        if (run->dimension == 2)
            CRN_TRY(add_series(run, text_of(&names, j), ".moment", "/reactions/moment", "N m", j, 2));
        for (int k = 0; k < 4 && run->dimension == 3; ++k)
            CRN_TRY(add_series(run, text_of(&names, j), MOMENT[k], "/reactions/moment", "N m", j, k));
    }
    return CAIRN_OK;
}

static cairn_status index_field(cairn_run *run, const field *of, const crn_run_texts *names, const crn_run_texts *units)
{
    char path[80];
    snprintf(path, sizeof path, "/%s", of->path);
    CRN_TRY(crn_run_count_rows(run, path, 1, (hsize_t)names->count, 0, NULL));
    for (int i = 0; i < names->count; ++i)
    {
        const char *unit = !strcmp(text_of(units, i), "rad") ? of->angular : of->unit;
        CRN_TRY(add_series(run, text_of(names, i), of->suffix, path, unit, i, -1));
    }
    return CAIRN_OK;
}

cairn_status crn_run_index_joints(cairn_run *run)
{
    crn_run_texts names, units;
    CRN_TRY(index_reactions(run));
    if (H5Lexists(run->file, "coordinates", H5P_DEFAULT) <= 0)
        return CAIRN_OK;
    if (!crn_run_get_names(run->file, "/coordinates/names", &run->memory, &names) || names.count == 0)
        return crn_run_missing(run, "/coordinates/names");
    if (!crn_run_get_names(run->file, "/coordinates/units", &run->memory, &units) || units.count != names.count)
        return crn_run_missing(run, "/coordinates/units");
    bool acted_on = H5Lexists(run->file, FIELDS[OF_MOTION].path, H5P_DEFAULT) > 0;
    for (int i = 0; i < (acted_on ? (int)FIELD_COUNT : OF_MOTION); ++i)
        CRN_TRY(index_field(run, &FIELDS[i], &names, &units));
    return CAIRN_OK;
}
