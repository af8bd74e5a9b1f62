/* STL: triangles one by one, each with its own three corners, as text or as bytes. The normals in the file are not read: the
 * order of the corners tells the same, and tells it exactly.
 *
 *     solid NAME                                80 bytes of anything
 *       facet normal N N N                      facets, 4 bytes, least first
 *         outer loop                            each facet: 12 numbers of 4 bytes, the normal and the corners,
 *           vertex X Y Z   (three times)                    and 2 bytes of anything
 *         endloop
 *       endfacet ...
 *     endsolid NAME
 */
#include "model/shape/mesh_file.h"
#include "model/shape/mesh_scan.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum
{
    HEAD = 84, /* bytes before the first facet */
    FACET = 50
};

/* ----------------------------------------------------------------------------------------------------------- text */

/* Read a word that must come next. */
static cairn_status expect(crn_mesh_file *file, crn_scan *scan, const char *what)
{
    crn_scan_token word;
    if (!crn_scan_any(scan, &word))
        return crn_mesh_file_fail(file, scan->line, "expected '%s', and the file ends here", what);
    return crn_scan_is(&word, what)
               ? CAIRN_OK
               : crn_mesh_file_fail(file, scan->line, "expected '%s', found '%s'", what, word.text);
}

static cairn_status read_corner(crn_mesh_file *file, crn_scan *scan)
{
    double x[3];
    CRN_TRY(expect(file, scan, "vertex"));
    for (int k = 0; k < 3; ++k)
    {
        crn_scan_token word;
        if (!crn_scan_any(scan, &word))
            return crn_mesh_file_fail(file, scan->line,
                                      "expected three numbers after 'vertex', and the file ends here");
        if (!crn_scan_number(scan, &word, &x[k]) || !isfinite(x[k]))
            return crn_mesh_file_fail(file, scan->line, "expected a finite number after 'vertex', found '%s'",
                                      word.text);
    }
    return crn_mesh_file_add_vertex(file, x);
}

/* Read a facet after the word 'facet'. */
static cairn_status read_facet(crn_mesh_file *file, crn_scan *scan)
{
    int line = scan->line, first = file->vertex_count;
    crn_scan_token normal;
    CRN_TRY(expect(file, scan, "normal"));
    for (int k = 0; k < 3; ++k)
        if (!crn_scan_any(scan, &normal))
            return crn_mesh_file_fail(file, scan->line, "expected three numbers, and the file ends here");
    CRN_TRY(expect(file, scan, "outer"));
    CRN_TRY(expect(file, scan, "loop"));
    for (int k = 0; k < 3; ++k)
        CRN_TRY(read_corner(file, scan));
    CRN_TRY(expect(file, scan, "endloop"));
    CRN_TRY(expect(file, scan, "endfacet"));
    return crn_mesh_file_add_triangle(file, (int[3]){first, first + 1, first + 2}, line);
}

/* Read from 'solid', which is known to be next, to 'endsolid'. */
static cairn_status read_solid(crn_mesh_file *file, crn_scan *scan)
{
    crn_scan_token word;
    CRN_TRY(expect(file, scan, "solid"));
    crn_scan_line(scan);
    for (;;)
    {
        if (!crn_scan_any(scan, &word))
            return crn_mesh_file_fail(file, scan->line, "expected 'facet' or 'endsolid', and the file ends here");
        if (crn_scan_is(&word, "endsolid"))
        {
            crn_scan_line(scan);
            return CAIRN_OK;
        }
        if (!crn_scan_is(&word, "facet"))
            return crn_mesh_file_fail(file, scan->line, "expected 'facet' or 'endsolid', found '%s'", word.text);
        CRN_TRY(read_facet(file, scan));
    }
}

/* Whether any words are left. */
static bool goes_on(const crn_scan *scan)
{
    crn_scan ahead = *scan;
    crn_scan_token word;
    return crn_scan_any(&ahead, &word);
}

static bool sniff_text(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && strchr(" \t\r\n", text[at]) && text[at])
        ++at;
    return length - at >= 5 && strncasecmp(text + at, "solid", 5) == 0;
}

static cairn_status load_text(void *out, const char *text, size_t length)
{
    crn_mesh_file *file = out;
    crn_scan scan;
    cairn_status status = crn_scan_open(&scan, text, length) ? CAIRN_OK : CAIRN_NO_MEMORY;
    while (status == CAIRN_OK && goes_on(&scan))
        status = read_solid(file, &scan);
    crn_scan_close(&scan);
    return status == CAIRN_OK ? crn_mesh_file_join(file) : status;
}

const crn_importer crn_import_stl_text = {"STL", sniff_text, load_text};

/* ---------------------------------------------------------------------------------------------------------- bytes */

static uint32_t read_word(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static double read_single(const unsigned char *at)
{
    uint32_t bits = read_word(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static cairn_status read_corners(crn_mesh_file *file, const unsigned char *at, int facet)
{
    int first = file->vertex_count;
    for (int k = 0; k < 3; ++k)
    {
        double x[3] = {read_single(at + 12 * k), read_single(at + 12 * k + 4), read_single(at + 12 * k + 8)};
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            return crn_mesh_file_fail(file, 0, "facet %d: corner %d is not finite", facet, k + 1);
        CRN_TRY(crn_mesh_file_add_vertex(file, x));
    }
    return crn_mesh_file_add_triangle(file, (int[3]){first, first + 1, first + 2}, facet);
}

/* Binary STL is recognised by its length, which must match its count of facets. Other binary data cannot be a mesh, and
 * is reported by this importer. */
static bool sniff_bytes(const char *bytes, size_t length)
{
    bool fits = length >= HEAD && length == HEAD + FACET * (size_t)read_word((const unsigned char *)bytes + 80);
    return fits || memchr(bytes, '\0', length);
}

static cairn_status load_bytes(void *out, const char *text, size_t length)
{
    crn_mesh_file *file = out;
    const unsigned char *bytes = (const unsigned char *)text;
    if (length < HEAD)
        return crn_mesh_file_fail(file, 0, "neither text nor a binary STL, which has 84 bytes before its first facet");
    size_t count = read_word(bytes + 80), need = HEAD + FACET * count;
    if (length != need)
    {
        return crn_mesh_file_fail(file, 0,
                                  "a binary STL of %zu facets has %zu bytes, and this file %zu: it is %s, or no mesh",
                                  count, need, length, length < need ? "cut off" : "too long");
    }
    file->facets = true;
    for (size_t i = 0; i < count; ++i)
        CRN_TRY(read_corners(file, bytes + HEAD + FACET * i + 12, (int)i + 1));
    return crn_mesh_file_join(file);
}

const crn_importer crn_import_stl_bytes = {"binary STL", sniff_bytes, load_bytes};
