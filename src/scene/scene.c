/* Scene files: text -> document -> records -> model and settings. */
#include "cairn/scene.h"
#include "base/file.h"
#include "base/memory.h"
#include "cairn/save.h"
#include "scene/adopt.h"
#include "scene/build/build.h"
#include "scene/files.h"
#include "scene/formula.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct cairn_scene
{
    cairn_model *model;
    cairn_settings settings;
    double until;
    crn_sensors sensors;
    cairn_recording recording;
    char *title;
    char *text;
};

/* ------------------------------------------------------------------------------------------- the scene itself */

static void read_dimension(crn_reader *reader, const crn_node *node)
{
    double value;
    if (!node)
        return;
    reader->field = "dimension";
    if (node->kind == CRN_SCALAR && (!node->plain || !crn_is_number_like(node->text)))
        crn_problem_at(reader, node, "expected 2 (the plane) or 3 (space), found %s", crn_describe(node).text);
    else if (crn_read_integer(reader, node, CRN_ANY, &value))
    {
        if (value == 2 || value == 3)
            reader->dimension = (int)value;
        else
            crn_problem_at(reader, node, "expected 2 (the plane) or 3 (space), found %s", crn_describe(node).text);
    }
    reader->field = NULL;
}

static void read_gravity(crn_reader *reader, const crn_node *node)
{
    assert(!reader->field);
    double gravity[3] = {0};
    if (!node)
        return;
    reader->field = "gravity";
    bool fine = crn_read_vector(reader, node, gravity);
    reader->field = NULL;
    if (fine && reader->model)
        crn_pass_on(reader, node, cairn_model_set_gravity(reader->model, gravity));
}

static void read_periodic(crn_reader *reader, const crn_node *node)
{
    crn_periodic_record record;
    if (!node || !crn_read_object(reader, &crn_periodic_object, node, &record) || !reader->model)
        return;
    crn_pass_on(reader, node, cairn_model_set_periodic(reader->model, record.size.value, record.shear.value));
}

static void check_version(crn_reader *reader, const crn_number *version)
{
    if (version->node && version->value != 1)
        crn_problem_at(reader, version->node, "cairn: this version reads format 1, found %s",
                       crn_describe(version->node).text);
}

static void create_model(crn_reader *reader)
{
    assert(!reader->model);
    if (reader->dimension == 0)
        return;
    if (cairn_model_create(reader->scratch, reader->dimension, &reader->model))
        reader->no_memory = true;
}

/* The parameters come first, since every number may use them; then the dimension, on which every vector depends. */
static void read_scene(crn_reader *reader, cairn_scene *scene, const cairn_parameter *parameters, int count)
{
    const crn_node *root = crn_document_root(reader->document);
    crn_scene_record record;
    if (root->kind != CRN_MAPPING)
    {
        crn_problem_at(reader, root, "expected a mapping with fields such as 'dimension' and 'bodies', found %s",
                       crn_describe(root).text);
        return;
    }
    crn_read_object(reader, &crn_scene_object, root, &record);
    check_version(reader, &record.cairn);
    crn_read_parameters(reader, record.parameters.node, parameters, count);
    read_dimension(reader, record.dimension.node);
    create_model(reader);
    read_gravity(reader, record.gravity.node);
    read_periodic(reader, record.periodic.node);
    crn_note_files(reader, record.files.node);
    crn_build_materials(reader, &record);
    crn_build_bodies(reader, &record);
    crn_build_robots(reader, &record);
    crn_build_populations(reader, &record);
    crn_build_links(reader, &record);
    crn_build_statistics(reader, &record, &scene->sensors);
    crn_build_sensors(reader, &record, &scene->sensors);
    crn_build_recording(reader, &record, &scene->recording);
    crn_build_settings(reader, &record, &scene->settings, &scene->until);
    scene->model = reader->model;
    scene->title = crn_copy_text(record.title.node ? record.title.text : "");
    if (!scene->title)
        reader->no_memory = true;
}

/* ------------------------------------------------------------------------------------------------ public API */

/* A context for messages on the way, which knows of the ranks: populations may be left to them. */
static cairn_context *make_scratch(const cairn_context *context)
{
    cairn_context *scratch = cairn_context_create();
    const void *ranks = crn_context_registered(context, CRN_REGISTRY_RANKS, 0);
    if (!scratch || !ranks || crn_context_register(scratch, CRN_REGISTRY_RANKS, ranks))
        return scratch;
    cairn_context_destroy(scratch);
    return NULL;
}

static cairn_status fill_scene(cairn_context *context, const char *file, const char *folder, cairn_scene *scene,
                               size_t length, const cairn_parameter *parameters, int count, bool *has_robots)
{
    crn_reader reader = {.context = context, .file = file, .folder = folder};
    cairn_status status = crn_document_parse(context, file, scene->text, length, &reader.document);
    if (status != CAIRN_OK)
        return status;
    reader.scratch = make_scratch(context);
    if (!reader.scratch)
        reader.no_memory = true;
    else
        read_scene(&reader, scene, parameters, count);
    if (crn_problem_total(&reader) == 0)
        crn_bundle_files(&reader, &scene->text, length);
    status = crn_reader_tell(&reader);
    if (scene->model)
        scene->model->context = context;
    *has_robots = reader.has_robots;
    crn_reader_free(&reader);
    crn_document_destroy(reader.document);
    assert(status != CAIRN_OK || scene->model);
    return status;
}

static cairn_status make_scene(cairn_context *context, const char *file, const char *folder, const char *text,
                               size_t length, const cairn_parameter *parameters, int parameter_count,
                               cairn_scene **out);

/* A scene with robots becomes that of a text which needs no other files, so that run files can keep it. The scene is destroyed. */
static cairn_status write_out(cairn_context *context, const char *file, cairn_scene *scene, cairn_scene **out)
{
    char *text = NULL;
    cairn_status status = cairn_scene_written_out(scene, &text);
    if (status == CAIRN_OK)
        status = make_scene(context, file, NULL, text, strlen(text), NULL, 0, out);
    cairn_text_destroy(text);
    cairn_scene_destroy(scene);
    return status;
}

/* folder: of the scene's files; NULL: the scene can only use files in its text. */
static cairn_status make_scene(cairn_context *context, const char *file, const char *folder, const char *text,
                               size_t length, const cairn_parameter *parameters, int parameter_count, cairn_scene **out)
{
    *out = NULL;
    if (!file)
        file = "scene";
    cairn_scene *scene = calloc(1, sizeof *scene);
    if (!scene || (scene->text = malloc(length + 1)) == NULL)
    {
        free(scene);
        return crn_fail(context, CAIRN_NO_MEMORY, "%s: memory ran out", file);
    }
    if (length > 0)
        memcpy(scene->text, text, length);
    scene->text[length] = '\0';
    scene->settings = cairn_settings_default();
    scene->until = 1;
    bool has_robots = false;
    cairn_status status = fill_scene(context, file, folder, scene, length, parameters, parameter_count, &has_robots);
    if (status == CAIRN_OK && has_robots)
        return write_out(context, file, scene, out);
    if (status == CAIRN_OK)
        *out = scene;
    else
        cairn_scene_destroy(scene);
    return status;
}

cairn_status cairn_scene_parse(cairn_context *context, const char *file, const char *text, size_t length,
                               const cairn_parameter *parameters, int parameter_count, cairn_scene **out)
{
    if (!file || !text || !out || (!parameters && parameter_count > 0))
        return crn_fail(context, CAIRN_INVALID,
                        "scene: its name, its text, the parameters or the place for it is NULL");
    return make_scene(context, file, NULL, text, length, parameters, parameter_count, out);
}

char *crn_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return !slash ? crn_copy_text(".") : slash == path ? crn_copy_text("/") : strndup(path, (size_t)(slash - path));
}

cairn_status cairn_scene_load(cairn_context *context, const char *path, const cairn_parameter *parameters,
                              int parameter_count, cairn_scene **out)
{
    if (!path || !out || (!parameters && parameter_count > 0))
        return crn_fail(context, CAIRN_INVALID, "scene: the path, the parameters or the place for it is NULL");
    char *text = NULL;
    size_t length = 0;
    *out = NULL;
    cairn_status status = crn_file_read(context, path, CRN_FILE_ANY, CRN_DOCUMENT_BYTES, &text, &length);
    if (status != CAIRN_OK)
        return status;
    char *folder = crn_folder_of(path);
    status = !folder ? crn_fail(context, CAIRN_NO_MEMORY, "%s: memory ran out", path)
                     : make_scene(context, path, folder, text, length, parameters, parameter_count, out);
    free(folder);
    free(text);
    return status;
}

cairn_status crn_scene_adopt(cairn_context *context, cairn_model *model, const cairn_settings *settings,
                             const char *title, const cairn_sensor *sensors, int sensor_count, cairn_scene **out)
{
    assert(model && title && sensor_count >= 0);
    cairn_scene *scene = calloc(1, sizeof *scene);
    *out = NULL;
    if (!scene)
        cairn_model_destroy(model);
    else
        *scene = (cairn_scene){.model = model,
                               .settings = *settings,
                               .until = 1,
                               .recording = {.every = 1},
                               .title = crn_copy_text(title),
                               .text = crn_copy_text("")};
    bool whole = scene && scene->title && scene->text;
    for (int i = 0; i < sensor_count && whole; ++i)
        whole = crn_sensors_add(&scene->sensors, sensors[i].name, sensors[i].quantity, sensors[i].every);
    if (!whole)
    {
        cairn_scene_destroy(scene);
        return crn_fail(context, CAIRN_NO_MEMORY, "scene: memory ran out");
    }
    model->context = context;
    *out = scene;
    return CAIRN_OK;
}

cairn_status crn_scene_write_text(cairn_scene *scene)
{
    char *text;
    CRN_TRY(cairn_scene_written_out(scene, &text));
    free(scene->text);
    scene->text = text;
    return CAIRN_OK;
}

void cairn_scene_destroy(cairn_scene *scene)
{
    if (!scene)
        return;
    cairn_model_destroy(scene->model);
    crn_arena_release(&scene->sensors.memory);
    free(scene->title);
    free(scene->text);
    free(scene);
}

const cairn_model *cairn_scene_model(const cairn_scene *scene)
{
    return scene->model;
}

cairn_model *cairn_scene_edit(cairn_scene *scene)
{
    return scene->model;
}

cairn_settings cairn_scene_settings(const cairn_scene *scene)
{
    return scene->settings;
}

double cairn_scene_until(const cairn_scene *scene)
{
    return scene->until;
}

cairn_recording cairn_scene_recording(const cairn_scene *scene)
{
    return scene->recording;
}

const char *cairn_scene_title(const cairn_scene *scene)
{
    return scene->title;
}

const char *cairn_scene_text(const cairn_scene *scene)
{
    return scene->text;
}

int cairn_scene_sensor_count(const cairn_scene *scene)
{
    return scene ? (int)scene->sensors.count : 0;
}

cairn_sensor cairn_scene_sensor(const cairn_scene *scene, int index)
{
    bool known = scene && index >= 0 && (size_t)index < scene->sensors.count;
    return known ? scene->sensors.items[index] : (cairn_sensor){.name = "", .quantity = "", .every = 1};
}
