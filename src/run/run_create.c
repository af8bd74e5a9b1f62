/* Making a run file: attributes that describe it, names, the scene, and every dataset, empty and extendible. Later only rows
 * are appended and the status word is changed.
 */
#include "base/file.h"
#include "base/hdf5_image.h"
#include "model/model.h"
#include "run/run_hdf5.h"
#include "run/run_recorder.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const size_t SCALAR_CHUNK = 2048; /* bytes */
static const size_t WIDE_CHUNK = 65536;
static const size_t LEAST_COMPRESSED = 4096; /* bytes of a row */

static bool is_of_contacts(const crn_run_column *column)
{
    return column->bulk && !strncmp(column->path, "/contacts/", strlen("/contacts/"));
}

/* Number of rows per chunk: about 2 KiB of scalars, at most 64 KiB of wide rows, and at least one row. Rows of single contacts, of
 * which a frame has about as many as there are bodies or more, come in larger numbers. */
static size_t chunk_rows(const crn_run_column *column, int bodies)
{
    assert(column->row_size > 0);
    size_t most = 256, many = (size_t)bodies < 8192 ? (size_t)bodies : 8192;
    size_t wanted = column->row_size <= sizeof(double) ? SCALAR_CHUNK : WIDE_CHUNK;
    size_t rows = wanted / column->row_size;
    rows = rows > most ? most : (rows > 0 ? rows : 1);
    return is_of_contacts(column) && many > rows ? many : rows;
}

/* Deflated with its bytes shuffled, which is where numbers that lie near each other agree. Small datasets are left alone: each
 * flush writes their last chunk anew, and its old place is lost. */
static bool is_compressed(const cairn_recorder *recorder, const crn_run_column *column)
{
    return recorder->compression > 0 && column->bulk &&
           (column->row_size >= LEAST_COMPRESSED || is_of_contacts(column));
}

/* Store one attribute per setting: numbers as numbers, everything else as text. */
static bool put_setting(hid_t file, const cairn_setting *setting, const cairn_settings *settings)
{
    char text[256];
    double value = cairn_setting_value(setting, settings);
    if (setting->type == CAIRN_SETTING_NUMBER)
        return crn_run_put_number_attribute(file, setting->name, value);
    if (setting->type == CAIRN_SETTING_COUNT)
        return crn_run_put_int_attribute(file, setting->name, (int)value);
    return cairn_settings_get(settings, setting->name, text, sizeof text) &&
           crn_run_put_text_attribute(file, setting->name, text);
}

static bool put_settings(hid_t file, const cairn_settings *settings)
{
    bool good = true;
    for (int i = 0; i < cairn_setting_count() && good; ++i)
        good = put_setting(file, cairn_setting_at(i), settings);
    return good;
}

/* With nanoseconds, so that no two runs at one path share it. */
static void tell_time(char text[CRN_RUN_CREATED])
{
    struct timespec now = {0};
    struct tm parts;
    char nanoseconds[16];
    clock_gettime(CLOCK_REALTIME, &now);
    text[0] = '\0';
    if (gmtime_r(&now.tv_sec, &parts))
        strftime(text, CRN_RUN_CREATED, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(nanoseconds, sizeof nanoseconds, ".%09dZ", (int)(now.tv_nsec % 1000000000));
    strncat(text, nanoseconds, CRN_RUN_CREATED - 1 - strlen(text));
}

/* "contacts,joints" */
static void tell_left_out(unsigned leave_out, char text[64])
{
    text[0] = '\0';
    for (int i = 0; i < CRN_RUN_GROUPS; ++i)
    {
        if (!(leave_out & 1U << i))
            continue;
        size_t used = strlen(text);
        snprintf(text + used, 64 - used, "%s%s", used > 0 ? "," : "", crn_run_groups[i]);
    }
}

static bool put_description(hid_t file, const cairn_recorder *recorder, const cairn_recorder_options *options)
{
    const cairn_model *model = cairn_simulation_model(recorder->simulation);
    const char *scene = options->scene_name ? options->scene_name : "";
    char left_out[64];
    tell_left_out(recorder->leave_out, left_out);
    return crn_run_put_text_attribute(file, "format", CRN_RUN_FORMAT) &&
           crn_run_put_int_attribute(file, "format_version", CRN_RUN_FORMAT_VERSION) &&
           crn_run_put_text_attribute(file, "cairn_version", cairn_version()) &&
           crn_run_put_text_attribute(file, "created", recorder->created) &&
           crn_run_put_text_attribute(file, "scene_name", scene) &&
           crn_run_put_text_attribute(file, "units",
                                      "SI: m, kg, s, rad, N, J; every dataset carries its unit in an attribute") &&
           crn_run_put_int_attribute(file, "dimension", cairn_model_dimension(model)) &&
           crn_run_put_int_attribute(file, "every", recorder->every) &&
           crn_run_put_number_attribute(file, "frame_interval", recorder->interval) &&
           crn_run_put_text_attribute(file, "left_out", left_out) &&
           crn_run_put_text_attribute(file, "precision", recorder->single ? "single" : "double") &&
           crn_run_put_int_attribute(file, "compression", recorder->compression) &&
           put_settings(file, cairn_simulation_settings(recorder->simulation));
}

/* Store the names of the springs, joints or forces. */
static bool put_group_names(hid_t file, const cairn_model *model, const char *group)
{
    int count = crn_run_group_count(model, group);
    if (count == 0)
        return true;
    const char **names = malloc((size_t)count * sizeof *names);
    for (int i = 0; i < count && names; ++i)
        names[i] = crn_run_group_name(model, group, i);
    char path[64];
    snprintf(path, sizeof path, "/%s/names", group);
    bool good = names && crn_run_put_names(file, path, names, count, "names, in the order of the second axis");
    free(names);
    return good;
}

/* Store the values given to the scene's parameters: two lists of the same length, or none. */
static bool put_parameters(hid_t file, const cairn_recorder_options *options)
{
    int count = options->parameter_count;
    const char **texts = malloc(2 * (size_t)count * sizeof *texts + 1);
    for (int i = 0; texts && i < count; ++i)
    {
        texts[i] = options->parameters[i].name;
        texts[count + i] = options->parameters[i].value;
    }
    bool good = texts && (count == 0 || (crn_run_put_names(file, "/parameters/names", texts, count,
                                                           "parameters of the scene that were given another value") &&
                                         crn_run_put_names(file, "/parameters/values", texts + count, count,
                                                           "their values: numbers or constant expressions")));
    free(texts);
    return good;
}

/* The stretch of an angular spring is an angle. */
static bool put_spring_units(hid_t file, const cairn_model *model)
{
    int count = cairn_model_spring_count(model);
    const char **units = calloc((size_t)count + 1, sizeof *units);
    for (int i = 0; i < count && units; ++i)
        units[i] = cairn_model_spring_kind(model, cairn_model_spring(model, i)) == CAIRN_SPRING_ANGULAR ? "rad" : "m";
    bool good = units && (count == 0 || crn_run_put_names(file, "/springs/units", units, count,
                                                          "unit of each spring's stretch, in the order of the names"));
    free((void *)units);
    return good;
}

/* Store the names of a list's kinds as an attribute of the dataset that holds indices of them. */
static bool put_kind_names(hid_t file, const crn_run_list *list)
{
    char path[80], names[256] = "";
    for (int kind = 0; kind < list->kinds; ++kind)
    {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", kind > 0 ? "," : "", list->kind_name(kind));
    }
    assert(strlen(names) + 1 < sizeof names);
    snprintf(path, sizeof path, "/%s/kind", list->group);
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    bool good = dataset >= 0 && crn_run_put_text_attribute(dataset, "names", names);
    return dataset >= 0 && H5Dclose(dataset) >= 0 && good;
}

static bool put_texts(hid_t file, const cairn_recorder *recorder, const cairn_recorder_options *options)
{
    const cairn_model *model = cairn_simulation_model(recorder->simulation);
    return crn_run_put_text(file, "/status", "running", CRN_RUN_STATUS_SIZE,
                            "running, done, missed-tolerance, violated-physics, failed or interrupted") &&
           crn_run_put_text(file, "/scene", options->scene_text ? options->scene_text : "", 1,
                            "the scene file as it was read") &&
           put_parameters(file, options) && crn_run_create_bodies(file, recorder) &&
           put_group_names(file, model, "springs") && put_spring_units(file, model) &&
           put_group_names(file, model, "joints") && put_group_names(file, model, "forces") &&
           crn_run_put_joint_names(file, recorder) && crn_run_put_sensor_names(file, recorder);
}

static bool create_column(hid_t file, const cairn_recorder *recorder, const crn_run_column *column)
{
    assert(column->rank >= 0 && column->rank <= 2);
    assert(column->written == 0);
    hsize_t extents[3] = {0};
    hsize_t largest[3] = {H5S_UNLIMITED};
    const cairn_model *model = cairn_simulation_model(recorder->simulation);
    hsize_t chunk[3] = {chunk_rows(column, cairn_model_body_count(model))};
    for (int i = 0; i < column->rank; ++i)
        extents[i + 1] = largest[i + 1] = chunk[i + 1] = (hsize_t)column->extent[i];
    hid_t space = H5Screate_simple(column->rank + 1, extents, largest);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_chunk(creation, column->rank + 1, chunk);
    if (is_compressed(recorder, column))
    {
        H5Pset_shuffle(creation);
        H5Pset_deflate(creation, (unsigned)recorder->compression);
    }
    hid_t type = crn_run_file_type(column->type, recorder->single && column->bulk);
    hid_t dataset = H5Dcreate2(file, column->path, type, space, links, creation, H5P_DEFAULT);
    bool good = dataset >= 0 && crn_run_put_text_attribute(dataset, "unit", column->unit) &&
                crn_run_put_text_attribute(dataset, "description", column->description);
    if (dataset >= 0)
        good = H5Dclose(dataset) >= 0 && good;
    H5Pclose(links);
    H5Pclose(creation);
    H5Sclose(space);
    return good;
}

/* The data that a new run file is made from. */
typedef struct new_file
{
    const cairn_recorder *recorder;
    const cairn_recorder_options *options;
} new_file;

static bool put_file(hid_t file, const void *data)
{
    const new_file *from = data;
    const cairn_recorder *recorder = from->recorder;
    bool good = put_description(file, recorder, from->options) && put_texts(file, recorder, from->options);
    for (size_t i = 0; i < recorder->column_count && good; ++i)
        good = create_column(file, recorder, &recorder->columns[i]);
    for (int i = 0; i < CRN_RUN_LISTS && good; ++i)
        good = put_kind_names(file, &crn_run_lists[i]);
    return good;
}

cairn_status crn_run_file_create(cairn_recorder *recorder, const cairn_recorder_options *options, int descriptor)
{
    crn_image image;
    tell_time(recorder->created);
    if (!crn_image_build(&image, CRN_IMAGE_GROWING, put_file, &(new_file){recorder, options}))
        return crn_fail(recorder->context, CAIRN_NO_MEMORY, "run file '%s': it could not be built in memory",
                        recorder->path);
    bool good = crn_write_all(descriptor, image.bytes, image.size);
    int error = errno;
    free(image.bytes);
    return good ? CAIRN_OK
                : crn_fail(recorder->context, CAIRN_IO, "run file '%s' cannot be written: %s", recorder->path,
                           strerror(error));
}
