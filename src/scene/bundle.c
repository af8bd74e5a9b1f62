/* Writing the files of a scene into its text, as a field `files` after all others. Triangles are written as OBJ, heights as rows,
 * and every number with enough digits to read the same double back. YAML allows almost anything after the last field of a text;
 * therefore the result is parsed before it is used.
 */
#include "scene/files.h"
#include "scene/save/compose.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_mesh(FILE *out, const crn_mesh_file *mesh)
{
    for (int i = 0; i < mesh->vertex_count; ++i)
    {
        fputc('v', out);
        for (int k = 0; k < 3; ++k)
        {
            fputc(' ', out);
            crn_write_number(out, mesh->vertices[3 * i + k]);
        }
        fputs("\\n", out);
    }
    for (int i = 0; i < mesh->triangle_count; ++i)
    {
        const int *corner = mesh->triangles + 3 * i;
        for (int k = 0; k < 3; ++k)
            assert(corner[k] >= 0 && corner[k] < mesh->vertex_count);
        fprintf(out, "f %d %d %d\\n", corner[0] + 1, corner[1] + 1, corner[2] + 1);
    }
}

static void write_heights(FILE *out, const crn_height_file *field)
{
    assert(field->columns > 0);
    for (int i = 0; i < field->columns * field->rows; ++i)
    {
        crn_write_number(out, field->heights[i]);
        fputs((i + 1) % field->columns == 0 ? "\\n" : " ", out);
    }
}

/* Write the field, indented like the other fields, which matters unless these are in braces. */
static void write_files(FILE *out, const crn_reader *reader, int indent)
{
    const char *before = "";
    fprintf(out, "\n%*s\"files\": {", indent, "");
    for (const crn_scene_file *file = reader->read; file; file = file->next)
    {
        fprintf(out, "%s\n%*s", before, indent + 2, "");
        crn_write_quoted(out, file->name);
        fputs(": \"", out);
        if (file->heights)
            write_heights(out, &file->field);
        else
            write_mesh(out, &file->mesh);
        fputc('"', out);
        before = ",";
    }
    fprintf(out, "\n%*s}\n", indent, "");
}

static void write_all(FILE *out, const crn_reader *reader, const char *text, size_t length)
{
    const crn_node *root = crn_document_root(reader->document);
    if (!root->flow)
    {
        fwrite(text, 1, length, out);
        write_files(out, reader, root->first->key->column - 1);
        return;
    }
    while (length > 0 && text[length - 1] != '}')
        length--;
    fwrite(text, 1, length > 0 ? length - 1 : 0, out);
    fputc(',', out);
    write_files(out, reader, 0);
    fputs("}\n", out);
}

/* What write_all needs, for crn_compose. */
typedef struct bundle
{
    const crn_reader *reader;
    const char *text;
    size_t length;
} bundle;

static void write_bundle(FILE *out, void *data)
{
    const bundle *b = data;
    write_all(out, b->reader, b->text, b->length);
}

/* True when the text can be parsed and has all the files. */
static bool is_complete(const crn_reader *reader, const char *text, size_t length)
{
    crn_document *document;
    if (crn_document_parse(NULL, reader->file, text, length, &document) != CAIRN_OK)
        return false;
    bool complete = true;
    const crn_node *files = crn_node_field(crn_document_root(document), "files");
    for (const crn_scene_file *file = reader->read; file && complete; file = file->next)
        complete = crn_node_field(files, file->name);
    crn_document_destroy(document);
    return complete;
}

void crn_bundle_files(crn_reader *reader, char **text, size_t length)
{
    assert(crn_problem_total(reader) == 0);
    const crn_node *root = crn_document_root(reader->document);
    size_t size = 0;
    if (!reader->read || !reader->read->outside)
        return;
    bundle whole = {reader, *text, length};
    char *made = crn_compose(write_bundle, &whole, &size);
    if (!made)
        reader->no_memory = true;
    else if (size > CRN_DOCUMENT_BYTES)
        crn_problem_at(reader, root, "with its mesh files it is larger than 64 MiB, which is more than a run can keep");
    else if (!is_complete(reader, made, size))
        crn_problem_at(reader, root, "its mesh files cannot be written into it: let nothing follow its last field");
    else
    {
        free(*text);
        *text = made;
        return;
    }
    free(made);
}
