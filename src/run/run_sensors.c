/* Sensors in a run file: the columns of the recorder's watch, sampled after every step, whether or not the step is a frame.
 *
 *     sensors/names, sensors/units    per column
 *     sensors/time [sample], sensors/value [sample, column]
 *     sensors/start, sensors/count    the samples since the frame before; the last of them is that of the frame
 */
#include "run/run_reader.h"
#include "run/run_recorder.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- recording */

cairn_status crn_run_add_sensors(cairn_recorder *recorder)
{
    int columns = cairn_watch_count(recorder->watch);
    if (columns == 0)
        return CAIRN_OK;
    recorder->samples.first_column = (int)recorder->column_count;
    CRN_TRY(crn_run_add_column(recorder, "sensors/start", "1",
                               "row of the frame's first sample in the other datasets of this group", CRN_RUN_INT64, 0,
                               0));
    CRN_TRY(crn_run_add_column(recorder, "sensors/count", "1",
                               "samples since the frame before; the last is that of the frame", CRN_RUN_INT64, 0, 0));
    CRN_TRY(crn_run_add_column(recorder, "sensors/time", "s", "time of the sample", CRN_RUN_DOUBLE, 0, 0));
    return crn_run_add_column(recorder, "sensors/value", "by column",
                              "values, in the order of sensors/names and with the units of sensors/units",
                              CRN_RUN_DOUBLE, columns, 0);
}

cairn_status crn_run_append_sample(cairn_recorder *recorder)
{
    int columns = cairn_watch_count(recorder->watch);
    if (columns == 0)
        return CAIRN_OK;
    const double *values;
    CRN_TRY(cairn_watch_read(recorder->watch, &values));
    double *time = crn_run_new_row(recorder, recorder->samples.first_column + 2);
    double *row = crn_run_new_row(recorder, recorder->samples.first_column + 3);
    if (!time || !row)
        return crn_run_recorder_full(recorder);
    *time = cairn_simulation_time(recorder->simulation);
    memcpy(row, values, (size_t)columns * sizeof(double));
    ++recorder->samples.recorded;
    return CAIRN_OK;
}

bool crn_run_put_sensor_names(hid_t file, const cairn_recorder *recorder)
{
    int count = cairn_watch_count(recorder->watch);
    if (count == 0)
        return true;
    const char **texts = malloc(2 * (size_t)count * sizeof *texts);
    for (int i = 0; i < count && texts; ++i)
    {
        texts[i] = cairn_watch_label(recorder->watch, i);
        texts[count + i] = cairn_watch_unit(recorder->watch, i);
    }
    bool good = texts && crn_run_put_names(file, "/sensors/names", texts, count, "names of the columns") &&
                crn_run_put_names(file, "/sensors/units", texts + count, count, "units of the columns");
    free(texts);
    return good;
}

/* ---------------------------------------------------------------------------------------------------- reading */

/* List the values at frames as series: sensors/NAME. */
static cairn_status list_series(cairn_run *run)
{
    crn_run_reader_sensors *sensors = &run->sensors;
    for (int i = 0; i < sensors->names.count; ++i)
    {
        char *name = NULL;
        const char *label = sensors->names.first + (size_t)i * sensors->names.stride;
        if (crn_reserve_all(&run->memory, CRN_ARRAY(name, strlen(label) + sizeof "sensors/")))
            return crn_run_reader_full(run);
        strcpy(name, "sensors/");
        strcat(name, label);
        CRN_TRY(crn_run_add_series(run, name, "/sensors/value",
                                   sensors->units.first + (size_t)i * sensors->units.stride, i));
        run->series[run->series_count - 1].is_sensor = true;
    }
    return CAIRN_OK;
}

/* The number of samples up to the last whole frame. */
static cairn_status count_samples(cairn_run *run)
{
    crn_run_reader_sensors *sensors = &run->sensors;
    int64_t range[2] = {0, 0};
    hsize_t last = (hsize_t)(run->frames - 1);
    if (run->frames > 0 && (!crn_run_read(run, sensors->start, H5T_NATIVE_INT64, last, 1, -1, &range[0]) ||
                            !crn_run_read(run, sensors->count, H5T_NATIVE_INT64, last, 1, -1, &range[1])))
        return crn_run_unreadable(run, "the list of samples");
    sensors->sample_count = range[0] + range[1];
    return CAIRN_OK;
}

cairn_status crn_run_index_sensors(cairn_run *run)
{
    crn_run_reader_sensors *sensors = &run->sensors;
    if (H5Lexists(run->file, "sensors", H5P_DEFAULT) <= 0)
        return CAIRN_OK;
    if (!crn_run_get_names(run->file, "/sensors/names", &run->memory, &sensors->names) || sensors->names.count == 0)
        return crn_run_missing(run, "/sensors/names");
    if (!crn_run_get_names(run->file, "/sensors/units", &run->memory, &sensors->units) ||
        sensors->units.count != sensors->names.count)
        return crn_run_missing(run, "/sensors/units");
    int64_t frames = run->frames;
    run->frames = -1;
    CRN_TRY(crn_run_count_rows(run, "/sensors/time", 0, 0, 0, &sensors->time));
    CRN_TRY(crn_run_count_rows(run, "/sensors/value", 1, (hsize_t)sensors->names.count, 0, &sensors->value));
    int64_t rows = run->frames;
    run->frames = frames;
    CRN_TRY(crn_run_count_rows(run, "/sensors/start", 0, 0, 0, &sensors->start));
    CRN_TRY(crn_run_count_rows(run, "/sensors/count", 0, 0, 0, &sensors->count));
    CRN_TRY(crn_run_check_last(run, sensors->start, sensors->count, rows, "/sensors/start"));
    CRN_TRY(count_samples(run));
    return list_series(run);
}

int cairn_run_sensor_count(const cairn_run *run)
{
    return run->sensors.names.count;
}

const char *cairn_run_sensor_name(const cairn_run *run, int index)
{
    const crn_run_texts *names = &run->sensors.names;
    return index >= 0 && index < names->count ? names->first + (size_t)index * names->stride : "";
}

const char *cairn_run_sensor_unit(const cairn_run *run, int index)
{
    const crn_run_texts *units = &run->sensors.units;
    return index >= 0 && index < units->count ? units->first + (size_t)index * units->stride : "";
}

int64_t cairn_run_sample_count(const cairn_run *run)
{
    return run->sensors.sample_count;
}

/* The samples of a column, of the time if it is -1. */
static bool read_samples(cairn_run *run, int column, double *values)
{
    const crn_run_reader_sensors *sensors = &run->sensors;
    hid_t dataset = column < 0 ? sensors->time : sensors->value;
    return sensors->sample_count == 0 ||
           crn_run_read(run, dataset, H5T_NATIVE_DOUBLE, 0, (hsize_t)sensors->sample_count, column, values);
}

cairn_status cairn_run_read_samples(cairn_run *run, int index, double *values)
{
    if (!run || !values)
        return crn_fail(run ? run->context : NULL, CAIRN_INVALID, "run file: the run or the place for samples is NULL");
    if (index < -1 || index >= run->sensors.names.count)
        return crn_fail(run->context, CAIRN_INVALID, "run file '%s' has no column %d of sensors; it has %d", run->path,
                        index, run->sensors.names.count);
    crn_quiet before = crn_quiet_begin();
    bool good = read_samples(run, index, values);
    crn_quiet_end(before);
    return good ? CAIRN_OK : crn_run_unreadable(run, "the samples of sensors");
}

bool crn_run_read_sensor_at_frames(cairn_run *run, int column, double *values)
{
    size_t frames = (size_t)run->frames, samples = (size_t)run->sensors.sample_count;
    int64_t *start = malloc(2 * frames * sizeof *start + 1), *count = start + frames;
    double *all = malloc(samples * sizeof *all + 1);
    bool good = start && all && read_samples(run, column, all) &&
                crn_run_read(run, run->sensors.start, H5T_NATIVE_INT64, 0, frames, -1, start) &&
                crn_run_read(run, run->sensors.count, H5T_NATIVE_INT64, 0, frames, -1, count);
    for (size_t i = 0; i < frames && good; ++i)
    {
        int64_t last = start[i] + count[i] - 1;
        good = start[i] >= 0 && count[i] > 0 && last < (int64_t)samples;
        if (good)
            values[i] = all[last];
    }
    free(start);
    free(all);
    return good;
}
