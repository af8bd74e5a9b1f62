/* Writing the files of a scene into its text, as a field `files` after all others. Triangles are written as OBJ, heights as rows,
 * and every number with enough digits to read the same double back. YAML allows almost anything after the last field of a text;
 * therefore the result is parsed before it is used.
 */
#include "scene/files.h"

#include <assert.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_number(FILE *out, double value)
{
    assert(isfinite(value));
    char text[32];
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, sizeof text, "%.17g", value);
    fputs(text, out);
}

/* Quote a text so that JSON and YAML both read it. */
static void write_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; ++at)
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < ' ')
            fprintf(out, "\\u%04x", (unsigned)*at);
        else
            fputc(*at, out);
    fputc('"', out);
}

static void write_mesh(FILE *out, const crn_mesh_file *mesh)
{
    for (int i = 0; i < mesh->vertex_count; ++i)
    {
        fputc('v', out);
        for (int k = 0; k < 3; ++k)
        {
            fputc(' ', out);
            write_number(out, mesh->vertices[3 * i + k]);
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
        write_number(out, field->heights[i]);
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
        write_quoted(out, file->name);
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

/* The composed text; NULL when memory ran out. */
static char *compose(const crn_reader *reader, const char *text, size_t length, size_t *size)
{
    char *made = NULL;
    FILE *out = open_memstream(&made, size);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool good = out && plain != (locale_t)0;
    if (good)
    {
        locale_t before = uselocale(plain);
        write_all(out, reader, text, length);
        uselocale(before);
        good = !ferror(out);
    }
    if (plain != (locale_t)0)
        freelocale(plain);
    if (out && fclose(out) != 0)
        good = false;
    if (good)
        return made;
    free(made);
    return NULL;
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
    char *made = compose(reader, *text, length, &size);
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
