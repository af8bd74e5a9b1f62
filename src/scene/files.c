#include "scene/files.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void crn_note_files(crn_reader *reader, const crn_node *files)
{
    reader->where = "files";
    if (files && files->kind != CRN_MAPPING)
        crn_problem_at(reader, files, "expected a mapping of file names to their contents, found %s",
                       crn_describe(files).text);
    else
        reader->files = files;
    for (const crn_node *item = reader->files ? files->first : NULL; item; item = item->next)
    {
        if (item->kind != CRN_SCALAR)
            crn_problem_at(reader, item, "%s: expected the contents of a file as a text, found %s",
                           crn_clip_text(item->key->text).text, crn_describe(item).text);
        if (item->repeated != 0)
            crn_problem_at(reader, item->key, "%s: is given twice, first at line %d",
                           crn_clip_text(item->key->text).text, item->repeated);
    }
    reader->where = NULL;
}

/* ------------------------------------------------------------------------------------------------------ contents */

static cairn_status parse(crn_scene_file *file, const char *bytes, size_t length)
{
    return file->heights ? crn_height_file_parse(file->name, bytes, length, &file->field)
                         : crn_mesh_file_parse(file->name, bytes, length, &file->mesh);
}

static void take_contents(crn_reader *reader, const crn_node *node, crn_scene_file *file, const char *bytes,
                          size_t length)
{
    cairn_status status = parse(file, bytes, length);
    if (status == CAIRN_NO_MEMORY)
        reader->no_memory = true;
    else if (status != CAIRN_OK)
        crn_problem_at(reader, node, "%s", file->heights ? file->field.error : file->mesh.error);
    file->right = status == CAIRN_OK;
}

/* The path of a name: beside the scene file, unless it starts at the root. */
static char *path_of(const crn_reader *reader, const char *name)
{
    size_t room = strlen(reader->folder) + strlen(name) + 2;
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s%s%s", name[0] == '/' ? "" : reader->folder, name[0] == '/' ? "" : "/", name);
    return path;
}

static void read_outside(crn_reader *reader, const crn_node *node, crn_scene_file *file)
{
    char *path = path_of(reader, file->name), *bytes = NULL;
    size_t length = 0;
    cairn_status status =
        !path ? CAIRN_NO_MEMORY
              : crn_file_read(reader->scratch, path, CRN_FILE_REGULAR, CRN_MESH_FILE_BYTES, &bytes, &length);
    file->outside = true;
    if (status == CAIRN_OK)
        take_contents(reader, node, file, bytes, length);
    else if (status == CAIRN_NO_MEMORY)
        reader->no_memory = true;
    else
        crn_problem_at(reader, node, "%s", cairn_context_last_message(reader->scratch));
    cairn_context_clear(reader->scratch);
    free(bytes);
    free(path);
}

static void read_file(crn_reader *reader, const crn_node *node, crn_scene_file *file)
{
    const crn_node *kept = crn_node_field(reader->files, file->name);
    crn_clip name = crn_clip_text(file->name);
    if (kept && kept->kind == CRN_SCALAR)
        take_contents(reader, node, file, kept->text, strlen(kept->text));
    else if (reader->files)
        crn_problem_at(reader, node, "'%s' is not among the scene's `files`, and a scene that has them reads no others",
                       name.text);
    else if (!reader->folder)
        crn_problem_at(reader, node,
                       "'%s' cannot be read: this scene is a text without a folder; write the file's contents into its "
                       "`files`, or its numbers into the shape",
                       name.text);
    else
        read_outside(reader, node, file);
}

const crn_scene_file *crn_find_file(crn_reader *reader, const crn_node *node, bool heights)
{
    crn_scene_file *file = reader->read;
    while (file && (file->heights != heights || strcmp(file->name, node->text) != 0))
        file = file->next;
    if (!file)
    {
        file = crn_reader_memory(reader, sizeof *file);
        if (!file)
            return NULL;
        file->name = node->text;
        file->heights = heights;
        file->next = reader->read;
        reader->read = file;
        read_file(reader, node, file);
    }
    return file->right ? file : NULL;
}

void crn_files_free(crn_reader *reader)
{
    for (crn_scene_file *file = reader->read; file; file = file->next)
    {
        crn_mesh_file_free(&file->mesh);
        crn_height_file_free(&file->field);
    }
}
