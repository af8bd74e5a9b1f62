/* Meshes, hulls from files and height fields. */
#include "scene/build/build.h"
#include "scene/files.h"
#include "scene/formula.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double MOST_EVALUATED = 2e8; /* operations of all height fields together: some seconds */

/* ----------------------------------------------------------------------------------------------------- triangles */

static bool read_triangle(crn_reader *reader, const crn_node *node, int vertices, int *out)
{
    assert(vertices > 0);
    if (node->kind != CRN_LIST || node->count != 3)
        return crn_problem_at(reader, node, "expected a list of 3 vertices, counted from 0, found %s",
                       crn_describe(node).text);
    bool fine = true;
    for (const crn_node *item = node->first; item; item = item->next)
    {
        double number = 0;
        if (!crn_read_integer(reader, item, CRN_NOT_NEGATIVE, &number))
            fine = false;
        else if (number >= vertices)
            fine = crn_problem_at(reader, item, "there is no vertex %g, they count from 0 to %d", number, vertices - 1);
        *out++ = (int)number;
    }
    return fine;
}

bool crn_read_triangles(crn_reader *reader, const crn_node *node, int vertices, const int **out, int *count)
{
    if (node->kind != CRN_LIST || node->count == 0)
        return crn_problem_at(reader, node, "expected a list of triangles, each a list of 3 vertices, found %s",
                       crn_describe(node).text);
    int *triangles = crn_reader_memory(reader, sizeof(int) * 3 * (size_t)node->count);
    if (!triangles)
        return false;
    bool fine = true;
    *out = triangles;
    *count = node->count;
    for (const crn_node *item = node->first; item; item = item->next, triangles += 3)
        fine = read_triangle(reader, item, vertices, triangles) && fine;
    return fine;
}

static bool read_triangles(crn_reader *reader, const crn_shape_record *record, cairn_shape_options *options)
{
    return crn_read_triangles(reader, record->triangles.node, record->vertices.count, &options->triangles,
                              &options->triangle_count);
}

/* ------------------------------------------------------------------------------------------------------- heights */

static double *make_room(crn_reader *reader, int columns, int rows, cairn_shape_options *options)
{
    assert(columns >= 2 && rows >= 2);
    double *heights = crn_reader_memory(reader, sizeof(double) * (size_t)columns * (size_t)rows);
    options->heights = heights;
    options->columns = columns;
    options->rows = rows;
    return heights;
}

static bool read_rows(crn_reader *reader, const crn_node *node, cairn_shape_options *options)
{
    int columns = node->first && node->first->kind == CRN_LIST ? node->first->count : 0;
    if (node->count < 2 || columns < 2)
        return crn_problem_at(reader, node, "expected two rows of two heights or more, found %s", crn_describe(node).text);
    double *heights = make_room(reader, columns, node->count, options);
    bool fine = heights;
    for (const crn_node *row = node->first; row && heights; row = row->next, heights += columns)
        fine = crn_read_numbers(reader, row, columns, heights) && fine;
    return fine;
}

/* How many points a grid has along x and y. */
static bool read_points(crn_reader *reader, const crn_shape_record *record, int points[2])
{
    const crn_node *node = record->points.node;
    double numbers[2] = {0, 0};
    const char *outer = reader->field;
    reader->field = "points";
    bool fine = crn_read_numbers(reader, node, 2, numbers);
    bool whole = numbers[0] == floor(numbers[0]) && numbers[1] == floor(numbers[1]);
    if (fine && !(whole && numbers[0] >= 2 && numbers[1] >= 2 && numbers[0] * numbers[1] <= CRN_MOST_TRIANGLES))
        fine = crn_problem_at(reader, node, "expected two whole numbers of 2 or more, whose product is at most %d",
                       CRN_MOST_TRIANGLES);
    reader->field = outer;
    for (int k = 0; k < 2 && fine; ++k)
        points[k] = (int)numbers[k];
    return fine;
}

/* Refuse expressions that, together with all before, would take hours rather than seconds to evaluate at so many points. */
static bool is_affordable(crn_reader *reader, const crn_node *node, const crn_expression *expression,
                          const int points[2])
{
    assert(reader->evaluated >= 0);
    assert(points[0] >= 2 && points[1] >= 2);
    double cost = (double)crn_expression_cost(expression);
    reader->evaluated += cost * points[0] * points[1];
    if (reader->evaluated <= MOST_EVALUATED)
        return true;
    return crn_problem_at(
        reader, node,
        "an expression of %g operations at %d x %d points takes too long: a scene's height fields may take %g "
        "operations in all; write the heights into a file",
        cost, points[0], points[1], MOST_EVALUATED);
}

static bool evaluate(crn_reader *reader, const crn_shape_record *record, const crn_expression *expression,
                     const int points[2], cairn_shape_options *options)
{
    double *heights = make_room(reader, points[0], points[1], options);
    for (int i = 0; i < points[0] * points[1] && heights; ++i)
    {
        double at[2] = {(i % points[0] - 0.5 * (points[0] - 1)) * record->spacing.value,
                        (i / points[0] - 0.5 * (points[1] - 1)) * record->spacing.value};
        heights[i] = crn_expression_evaluate(expression, at);
        if (!isfinite(heights[i]))
            return crn_problem_at(reader, record->heights.node, "expected finite heights, found %s at x = %g, y = %g",
                           crn_value_text(heights[i]).text, at[0], at[1]);
    }
    return heights;
}

static bool read_heights(crn_reader *reader, const crn_shape_record *record, cairn_shape_options *options)
{
    const crn_node *node = record->heights.node;
    int points[2];
    if (node->kind == CRN_LIST)
        return read_rows(reader, node, options);
    if (node->kind != CRN_SCALAR || node->text[0] == '\0')
        return crn_problem_at(reader, node, "expected a list of rows or an expression in x and y, found %s",
                       crn_describe(node).text);
    crn_expression *expression = crn_formula_in_plane(reader, node);
    bool fine = expression && read_points(reader, record, points) &&
                is_affordable(reader, node, expression, points) &&
                evaluate(reader, record, expression, points, options);
    crn_expression_destroy(expression);
    return fine;
}

/* ---------------------------------------------------------------------------------------------------- all of them */

/* A hull and a mesh have either vertices or a file, a height field either heights or a file. */
static bool check_source(crn_reader *reader, const crn_node *node, const crn_shape_record *record,
                         const crn_shape_word *word)
{
    assert(word->takes & CRN_TAKES_FILE);
    bool mesh = word->takes & CRN_TAKES_TRIANGLES, field = word->takes & CRN_TAKES_HEIGHTS;
    bool file = record->file.node, triangles = record->triangles.node;
    bool listed = (field ? record->heights.node : record->vertices.node) != NULL;
    bool formula = field && listed && record->heights.node->kind == CRN_SCALAR;
    if (file == listed)
        crn_problem_at(reader, node, "a %s needs either '%s' or 'file'", cairn_shape_kind_name(word->kind),
                       field ? "heights" : "vertices");
    else if (mesh && listed != triangles)
        crn_problem_at(reader, node, "a mesh has 'triangles' with its 'vertices', and without them none");
    else if (field && formula != (record->points.node != NULL))
        crn_problem_at(reader, node, "a height-field has 'points' with an expression as 'heights', and else none");
    else
        return true;
    return false;
}

static bool read_file(crn_reader *reader, const crn_shape_record *record, bool heights, cairn_shape_options *options,
                      const crn_mesh_file **file)
{
    assert(!reader->field);
    reader->field = "file";
    const crn_scene_file *found = crn_find_file(reader, record->file.node, heights);
    reader->field = NULL;
    if (!found)
        return false;
    *file = heights ? NULL : &found->mesh;
    options->heights = found->field.heights;
    options->columns = found->field.columns;
    options->rows = found->field.rows;
    return true;
}

bool crn_read_mesh(crn_reader *reader, const crn_node *node, const crn_shape_record *record, const crn_shape_word *word,
                   cairn_shape_options *options, const crn_mesh_file **file)
{
    assert(!reader->field);
    if (!(word->takes & CRN_TAKES_FILE))
        return true;
    bool triangles = word->takes & CRN_TAKES_TRIANGLES, heights = word->takes & CRN_TAKES_HEIGHTS;
    options->scale = record->scale.node ? record->scale.value : 1;
    options->weld = record->weld.value;
    options->flip = record->flip.value;
    options->recentre = record->recentre.value;
    options->spacing = record->spacing.value;
    if (!check_source(reader, node, record, word))
        return false;
    if (record->file.node)
        return read_file(reader, record, heights, options, file);
    reader->field = triangles ? "triangles" : "heights";
    bool fine = (!triangles && !heights) || (triangles ? read_triangles : read_heights)(reader, record, options);
    reader->field = NULL;
    return fine;
}
