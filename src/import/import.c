/* From a file to a scene: the format is recognised by the root of the XML. */
#include "base/file.h"
#include "import/robot.h"
#include "model/model.h"
#include "scene/adopt.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cairn_import_options cairn_import_default(void)
{
    return (cairn_import_options){.struct_size = sizeof(cairn_import_options), .orientation = {1, 0, 0, 0}};
}

cairn_import_joint cairn_import_joint_default(void)
{
    return (cairn_import_joint){.initial = NAN, .initial_rate = NAN, .drive_limit = INFINITY, .drive_power = INFINITY};
}

int cairn_import_note_count(const cairn_import_notes *notes)
{
    return notes ? notes->count : 0;
}

cairn_message cairn_import_note(const cairn_import_notes *notes, int index)
{
    bool there = notes && index >= 0 && index < notes->count;
    return there ? notes->items[index] : (cairn_message){.text = ""};
}

void cairn_import_notes_destroy(cairn_import_notes *notes)
{
    if (notes)
        crn_arena_release(&notes->memory);
    free(notes);
}

/* ---------------------------------------------------------------------------------------------------------- reading */

static void read_robot(crn_robot *robot, crn_xml *root)
{
    crn_import *import = robot->import;
    for (const crn_xml_attribute *a = root->attributes; a; a = a->next)
        if (!strcmp(a->name, "xmlns:xacro"))
            crn_import_note(import, root,
                            "the file declares xacro; if it uses macros, expand them first: 'xacro FILE > robot.urdf'");
    if (!strcmp(root->name, "robot"))
        crn_read_urdf(robot, root);
    else if (!strcmp(root->name, "mujoco"))
        crn_read_mjcf(robot, root);
    else
        crn_import_problem(import, root, "expected <robot> (URDF) or <mujoco> (MJCF), found <%.80s>", root->name);
    if (import->problem_count == 0)
        crn_import_note_unused(import, root);
    if (import->problem_count == 0)
        crn_robot_place(robot);
    if (import->problem_count == 0 && !import->no_memory)
        crn_robot_build(robot);
}

static cairn_status tell(crn_import *import)
{
    if (import->problem_count > CRN_IMPORT_PROBLEMS)
        crn_fail(import->context, CAIRN_INVALID, "%s: and %d more errors", import->file,
                 import->problem_count - CRN_IMPORT_PROBLEMS);
    if (import->no_memory)
        return crn_fail(import->context, CAIRN_NO_MEMORY, "%s: memory ran out", import->file);
    return import->problem_count > 0 ? CAIRN_INVALID : CAIRN_OK;
}

static cairn_status make_scene(crn_import *import, crn_robot *robot, const crn_xml *root, cairn_scene **out)
{
    cairn_settings settings = cairn_settings_default();
    if (robot->step > 0)
        settings.step = robot->step;
    if (robot->assemble)
        settings.initial = CAIRN_INITIAL_ASSEMBLE;
    const char *slash = strrchr(import->file, '/');
    const char *title = robot->title ? robot->title : slash ? slash + 1 : import->file;
    cairn_model *model = robot->model;
    robot->model = NULL;
    if (crn_scene_adopt(import->scratch, model, &settings, title, robot->measured, robot->measured_count, out))
        return crn_fail(import->context, CAIRN_NO_MEMORY, "%s: memory ran out", import->file);
    cairn_status status = crn_scene_write_text(*out);
    if (status == CAIRN_INVALID)
        crn_import_note(import, root, "the robot has something that scene files and run files do not hold: %s",
                        cairn_context_message(import->scratch, 0).text);
    if (status == CAIRN_NO_MEMORY || import->no_memory)
    {
        cairn_scene_destroy(*out);
        *out = NULL;
        return crn_fail(import->context, CAIRN_NO_MEMORY, "%s: memory ran out", import->file);
    }
    model->context = import->context;
    return CAIRN_OK;
}

/* out NULL: the robot is added to the model `into`. */
static cairn_status import_text(crn_import *import, const char *text, size_t length, cairn_model *into,
                                cairn_scene **out)
{
    crn_robot robot = {.import = import, .gravity = {0, 0, -9.81}, .model = into, .added = into != NULL};
    crn_xml *root;
    cairn_status status = crn_xml_parse(import->context, &import->memory, import->file, text, length, &root);
    if (status)
        return status;
    read_robot(&robot, root);
    status = tell(import);
    if (into)
        return status;
    if (status == CAIRN_OK)
        status = make_scene(import, &robot, root, out);
    cairn_model_destroy(robot.model);
    return status;
}

/* folder: of other files; NULL: there are none. */
static cairn_status run_import(cairn_context *context, const char *file, const char *folder, const char *text,
                               size_t length, const cairn_import_options *options, cairn_import_notes **notes,
                               cairn_model *into, cairn_scene **out)
{
    crn_import import = {.context = context, .file = file, .folder = folder};
    import.options = options ? *options : cairn_import_default();
    CRN_TRY(crn_check_size(context, "import", import.options.struct_size, sizeof import.options));
    import.notes = calloc(1, sizeof *import.notes);
    import.scratch = cairn_context_create();
    import.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool ready = import.notes && import.scratch && import.plain != (locale_t)0;
    cairn_status status = CAIRN_NO_MEMORY;
    if (ready)
    {
        locale_t before = uselocale(import.plain); /* expressions are written with a point, too */
        if (into)
            into->context = import.scratch; /* its messages get a place */
        status = import_text(&import, text, length, into, out);
        if (into)
            into->context = context;
        uselocale(before);
    }
    else
        crn_fail(context, CAIRN_NO_MEMORY, "%s: memory ran out", file);
    if (import.plain != (locale_t)0)
        freelocale(import.plain);
    crn_arena_release(&import.memory);
    cairn_context_destroy(import.scratch);
    if (status == CAIRN_OK && notes)
        *notes = import.notes;
    else
        cairn_import_notes_destroy(import.notes);
    assert(into || (status == CAIRN_OK) == (*out != NULL));
    return status;
}

/* ------------------------------------------------------------------------------------------------------- public API */

cairn_status cairn_import_parse(cairn_context *context, const char *file, const char *text, size_t length,
                                const cairn_import_options *options, cairn_import_notes **notes, cairn_scene **out)
{
    if (notes)
        *notes = NULL;
    if (out)
        *out = NULL;
    if (!file || !text || !out)
        return crn_fail(context, CAIRN_INVALID, "import: the name, the text or the place for the scene is NULL");
    return run_import(context, file, NULL, text, length, options, notes, NULL, out);
}

static cairn_status import_path(cairn_context *context, const char *path, const cairn_import_options *options,
                                cairn_import_notes **notes, cairn_model *into, cairn_scene **out)
{
    char *text = NULL;
    size_t length = 0;
    CRN_TRY(crn_file_read(context, path, CRN_FILE_ANY, CRN_XML_BYTES, &text, &length));
    char *folder = crn_folder_of(path);
    cairn_status status = folder ? run_import(context, path, folder, text, length, options, notes, into, out)
                                 : crn_fail(context, CAIRN_NO_MEMORY, "%s: memory ran out", path);
    free(folder);
    free(text);
    return status;
}

cairn_status cairn_import_file(cairn_context *context, const char *path, const cairn_import_options *options,
                               cairn_import_notes **notes, cairn_scene **out)
{
    if (notes)
        *notes = NULL;
    if (out)
        *out = NULL;
    if (!path || !out)
        return crn_fail(context, CAIRN_INVALID, "import: the path or the place for the scene is NULL");
    return import_path(context, path, options, notes, NULL, out);
}

cairn_status cairn_import_into(cairn_model *model, const char *path, const cairn_import_options *options,
                               cairn_import_notes **notes)
{
    if (notes)
        *notes = NULL;
    if (!model || !path)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID, "import: the model or the path is NULL");
    if (model->dimension != 3)
        return crn_fail(model->context, CAIRN_INVALID, "import: robots are bodies of space, and the model is planar");
    return import_path(model->context, path, options, notes, model, NULL);
}

bool cairn_import_recognises(const char *path)
{
    char head[256] = "";
    FILE *file = path ? fopen(path, "rbe") : NULL;
    size_t got = file ? fread(head, 1, sizeof head - 1, file) : 0, at = 0;
    if (file)
        fclose(file);
    if (got >= 3 && !memcmp(head, "\xef\xbb\xbf", 3))
        at = 3;
    while (at < got && strchr(" \t\r\n", head[at]))
        ++at;
    return at < got && head[at] == '<';
}
