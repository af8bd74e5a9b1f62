/* OBJ: "v x y z" is a vertex, "f a b c ..." a polygon whose corners count from 1, or backwards from -1 at the vertex last
 * defined; "a/t/n" also names a texture vertex and a normal, which are not read, as no other line is. A polygon becomes a
 * fan of triangles from a corner that sees all of it, so that none is turned over and none has no area.
 */
#include "math/vec.h"
#include "model/shape/mesh_file.h"
#include "model/shape/mesh_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double THINNEST = 1e-10; /* of a triangle of a fan: its area over the squares of its sides */

enum
{
    MOST_CORNERS = 1024
};

static cairn_status read_vertex(crn_mesh_file *file, crn_scan *scan)
{
    double x[3];
    for (int k = 0; k < 3; ++k)
    {
        crn_scan_token word;
        if (!crn_scan_word(scan, &word))
            return crn_mesh_file_fail(file, scan->line, "expected three numbers after 'v', found %d", k);
        if (!crn_scan_number(scan, &word, &x[k]) || !isfinite(x[k]))
            return crn_mesh_file_fail(file, scan->line, "expected a finite number after 'v', found '%s'", word.text);
    }
    return crn_mesh_file_add_vertex(file, x);
}

/* Whether a text continues like "7", "7/1", "7//2" or "7/1/2" after the 7. */
static bool is_rest(const char *at)
{
    for (int part = 0; part < 2 && *at == '/'; ++part)
    {
        ++at;
        at += *at == '-' ? 1 : 0;
        while (*at >= '0' && *at <= '9')
            ++at;
    }
    return *at == '\0';
}

static cairn_status read_index(crn_mesh_file *file, crn_scan *scan, const crn_scan_token *word, int *out)
{
    char *end;
    long number = strtol(word->text, &end, 10);
    if (end == word->text || word->length >= sizeof word->text || !is_rest(end))
    {
        return crn_mesh_file_fail(file, scan->line, "expected the number of a vertex after 'f', found '%s'",
                                  word->text);
    }
    if (number == 0 || number > file->vertex_count || number < -file->vertex_count)
    {
        return crn_mesh_file_fail(file, scan->line, "there is no vertex %ld, %d %s defined before this line", number,
                                  file->vertex_count, file->vertex_count == 1 ? "is" : "are");
    }
    *out = number > 0 ? (int)number - 1 : file->vertex_count + (int)number;
    return CAIRN_OK;
}

/* Twice the area of a triangle of a polygon, as a vector. */
static void area_of(const crn_mesh_file *file, int a, int b, int c, double out[3], double *squares)
{
    const double *v = file->vertices;
    double p[3], q[3];
    crn_sub3(v + 3 * b, v + 3 * a, p);
    crn_sub3(v + 3 * c, v + 3 * a, q);
    crn_cross3(p, q, out);
    *squares = crn_dot3(p, p) + crn_dot3(q, q);
}

/* Twice the area of the polygon, as a vector: its normal. */
static void find_normal(const crn_mesh_file *file, const int *corners, int count, double n[3])
{
    n[0] = n[1] = n[2] = 0;
    for (int k = 1; k + 1 < count; ++k)
    {
        double area[3], squares;
        area_of(file, corners[0], corners[k], corners[k + 1], area, &squares);
        crn_add3(n, area, n);
    }
    double length = crn_norm3(n);
    for (int k = 0; k < 3 && length > 0; ++k)
        n[k] /= length;
}

static bool sees_all(const crn_mesh_file *file, const int *corners, int count, int apex, const double n[3])
{
    for (int k = 1; k + 1 < count; ++k)
    {
        double area[3], squares;
        area_of(file, corners[apex], corners[(apex + k) % count], corners[(apex + k + 1) % count], area, &squares);
        if (!(crn_dot3(area, n) > THINNEST * squares))
            return false;
    }
    return true;
}

/* The corner from which a fan covers the polygon; -1: none. A triangle is accepted as it is and checked with the mesh. */
static int find_apex(const crn_mesh_file *file, const int *corners, int count)
{
    double n[3];
    find_normal(file, corners, count, n);
    for (int apex = 0; apex < count; ++apex)
        if (count == 3 || sees_all(file, corners, count, apex, n))
            return apex;
    return -1;
}

static cairn_status add_fan(crn_mesh_file *file, int line, const int *corners, int count)
{
    int apex = find_apex(file, corners, count);
    if (apex < 0)
    {
        return crn_mesh_file_fail(
            file, line, "a polygon of %d corners that none of them sees all of: cut it into triangles", count);
    }
    for (int k = 1; k + 1 < count; ++k)
    {
        int triangle[3] = {corners[apex], corners[(apex + k) % count], corners[(apex + k + 1) % count]};
        CRN_TRY(crn_mesh_file_add_triangle(file, triangle, line));
    }
    return CAIRN_OK;
}

static cairn_status read_face(crn_mesh_file *file, crn_scan *scan)
{
    int corners[MOST_CORNERS], count = 0, line = scan->line;
    crn_scan_token word;
    while (crn_scan_word(scan, &word))
    {
        if (count == MOST_CORNERS)
            return crn_mesh_file_fail(file, line, "a polygon of more than %d corners", MOST_CORNERS);
        CRN_TRY(read_index(file, scan, &word, &corners[count++]));
    }
    return count >= 3 ? add_fan(file, line, corners, count)
                      : crn_mesh_file_fail(file, line, "expected three corners or more after 'f', found %d", count);
}

/* Keywords of OBJ that do not concern triangles. */
static bool is_known(const crn_scan_token *word)
{
    static const char *const known[] = {
        "vt",     "vn",         "vp",        "g",     "o",     "s",     "mg",       "usemtl",   "mtllib", "l",
        "p",      "cstype",     "deg",       "bmat",  "step",  "curv",  "curv2",    "surf",     "parm",   "trim",
        "hole",   "scrv",       "sp",        "end",   "con",   "bevel", "c_interp", "d_interp", "lod",    "usemap",
        "maplib", "shadow_obj", "trace_obj", "ctech", "stech", "call",  "csh"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (crn_scan_is(word, known[i]))
            return true;
    return false;
}

static cairn_status read_statement(crn_mesh_file *file, crn_scan *scan)
{
    crn_scan_token word;
    if (!crn_scan_word(scan, &word))
        return CAIRN_OK;
    if (crn_scan_is(&word, "v"))
        return read_vertex(file, scan);
    if (crn_scan_is(&word, "f"))
        return read_face(file, scan);
    if (!is_known(&word))
        return crn_mesh_file_fail(file, scan->line, "'%s' begins no line of an OBJ file, nor an STL file", word.text);
    while (crn_scan_word(scan, &word))
        ; /* skip the rest of the statement, including continued lines */
    return CAIRN_OK;
}

/* OBJ has no signature: any text may be one. */
static bool sniff(const char *bytes, size_t length)
{
    return !memchr(bytes, '\0', length);
}

static cairn_status load(void *out, const char *text, size_t length)
{
    crn_mesh_file *file = out;
    crn_scan scan;
    cairn_status status = crn_scan_open(&scan, text, length) ? CAIRN_OK : CAIRN_NO_MEMORY;
    bool more = true;
    while (status == CAIRN_OK && more)
    {
        status = read_statement(file, &scan);
        more = crn_scan_line(&scan);
    }
    crn_scan_close(&scan);
    return status;
}

const crn_importer crn_import_obj = {"OBJ", sniff, load};
