/* Heights as text: one row per line, its numbers separated by blanks. */
#include "base/memory.h"
#include "model/shape/mesh.h"
#include "model/shape/mesh_file.h"
#include "model/shape/mesh_scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct parser
{
    crn_height_file *file;
    const char *name;
    crn_scan scan;
    size_t count; /* heights so far */
} parser;

static cairn_status fail(parser *p, const char *sentence)
{
    snprintf(p->file->error, sizeof p->file->error, "%.100s, line %d: %s", p->name, p->scan.line, sentence);
    return CAIRN_INVALID;
}

static cairn_status add_height(parser *p, const crn_scan_token *word)
{
    char sentence[128];
    double height;
    if (!crn_scan_number(&p->scan, word, &height) || !isfinite(height))
    {
        snprintf(sentence, sizeof sentence, "expected a finite number, found '%s'", word->text);
        return fail(p, sentence);
    }
    if (p->count == CRN_MOST_TRIANGLES)
    {
        snprintf(sentence, sizeof sentence, "more than %d heights", CRN_MOST_TRIANGLES);
        return fail(p, sentence);
    }
    if (crn_reserve(&p->file->heights, &p->file->capacity, p->count + 1, sizeof(double)))
        return CAIRN_NO_MEMORY;
    p->file->heights[p->count++] = height;
    return CAIRN_OK;
}

/* A line: a row, or nothing. */
static cairn_status read_row(parser *p)
{
    crn_scan_token word;
    char sentence[128];
    size_t before = p->count;
    cairn_status status = CAIRN_OK;
    while (status == CAIRN_OK && crn_scan_word(&p->scan, &word))
        status = add_height(p, &word);
    int found = (int)(p->count - before);
    if (status != CAIRN_OK || found == 0)
        return status;
    if (p->file->rows++ == 0)
        p->file->columns = found;
    if (found != p->file->columns)
    {
        snprintf(sentence, sizeof sentence, "a row of %d heights, and the first row has %d", found, p->file->columns);
        return fail(p, sentence);
    }
    return CAIRN_OK;
}

static bool sniff(const char *bytes, size_t length)
{
    (void)bytes;
    (void)length;
    return true; /* anything that is not a number is reported with its line */
}

static cairn_status load(void *out, const char *bytes, size_t length)
{
    crn_height_file *file = out;
    parser p = {.file = file, .name = file->name};
    cairn_status status = crn_scan_open(&p.scan, bytes, length) ? CAIRN_OK : CAIRN_NO_MEMORY;
    bool more = true;
    while (status == CAIRN_OK && more)
    {
        status = read_row(&p);
        more = crn_scan_line(&p.scan);
    }
    crn_scan_close(&p.scan);
    if (status == CAIRN_OK && (file->rows < 2 || file->columns < 2))
    {
        snprintf(file->error, sizeof file->error, "%.100s: expected two rows of two heights or more, found %d of %d",
                 file->name, file->rows, file->columns);
        return CAIRN_INVALID;
    }
    return status;
}

const crn_importer crn_import_rows = {"rows of numbers", sniff, load};

static const crn_importer *const IMPORTERS[] = {&crn_import_rows};

cairn_status crn_height_file_parse(const char *name, const void *bytes, size_t length, crn_height_file *out)
{
    *out = (crn_height_file){.name = name};
    return crn_importer_find(IMPORTERS, sizeof IMPORTERS / sizeof IMPORTERS[0], bytes, length)
        ->load(out, bytes, length);
}

void crn_height_file_free(crn_height_file *file)
{
    free(file->heights);
    *file = (crn_height_file){0};
}
