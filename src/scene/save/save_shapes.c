/* Shapes. A polygon that is a rectangle about its origin is written as one; the pieces of a chain or a concave polygon are one shape. */
#include "model/shape/shape_class.h"
#include "scene/save/save.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double ZERO[3] = {0};

/* ---------------------------------------------------------------------------------------------------------- outlines */

/* The sides of a polygon with the corners of a rectangle, as the reader makes them. */
static bool is_rectangle(const crn_shape *shape, double size[2])
{
    const double *v = shape->form->local_vertices;
    if (crn_class_of(shape->form->drawn)->look != CAIRN_LOOK_POLYGON || shape->form->local_count != 4)
        return false;
    double a = v[2], b = v[5];
    const double corners[8] = {-a, -b, a, -b, a, b, -a, b};
    size[0] = 2 * a;
    size[1] = 2 * b;
    return a > 0 && b > 0 && memcmp(v, corners, sizeof corners) == 0;
}

/* ------------------------------------------------------------------------------------------------ triangles, heights */

/* Points in the first row of a height field. */
static int columns_of(const crn_mesh *mesh)
{
    int count = 1;
    while (count < mesh->vertex_count && mesh->vertices[3 * count + 1] == mesh->vertices[1])
        ++count;
    return count;
}

/* The spacing of which the model's points are multiples: the quotient, or a neighbour of it that gives all x to the bit. */
static double spacing_of(const crn_mesh *mesh)
{
    int columns = columns_of(mesh);
    double spacing = -mesh->vertices[0] / (0.5 * (columns - 1)), tried = nextafter(nextafter(spacing, 0), 0);
    for (int k = 0; k < 5; ++k, tried = nextafter(tried, INFINITY))
    {
        bool same = true;
        for (int i = 0; i < columns && same; ++i)
            same = (i - 0.5 * (columns - 1)) * tried == mesh->vertices[3 * i];
        if (same)
            return tried;
    }
    return spacing;
}

static void put_heights(crn_saver *s, const crn_mesh *mesh)
{
    int columns = columns_of(mesh);
    assert(columns >= 2 && mesh->vertex_count % columns == 0);
    crn_field_begin(s, "heights");
    crn_open(s, '[');
    for (int i = 0; i < mesh->vertex_count; ++i)
    {
        if (i % columns == 0)
        {
            crn_element_begin(s, false);
            crn_open(s, '[');
        }
        crn_element_begin(s, false);
        crn_put_number(s, mesh->vertices[3 * i + 2]);
        if (i % columns == columns - 1)
            crn_close(s, ']');
    }
    crn_close(s, ']');
}

static void put_triangles(crn_saver *s, const crn_mesh *mesh)
{
    crn_field_begin(s, "triangles");
    crn_open(s, '[');
    for (int i = 0; i < mesh->triangle_count; ++i)
    {
        const int *corner = mesh->triangles + (ptrdiff_t)3 * i;
        crn_element_begin(s, false);
        crn_put_numbers(s, (double[3]){corner[0], corner[1], corner[2]}, 3);
    }
    crn_close(s, ']');
}

static void put_faces(crn_saver *s, int index)
{
    const crn_shape *shape = &s->model->shapes[index];
    bool heights = crn_class_of(shape->kind)->takes & CRN_TAKES_HEIGHTS;
    int file = crn_file_of_shape(s->model, index), count;
    const double *points = crn_points_given(shape, &count);
    if (heights)
    {
        crn_field_begin(s, "spacing");
        crn_put_number(s, spacing_of(shape->form->mesh));
    }
    if (file > 0)
    {
        char name[32];
        snprintf(name, sizeof name, heights ? "heights-%d.txt" : "shape-%d.obj", file);
        crn_field_text(s, "file", name);
    }
    else if (heights)
        put_heights(s, shape->form->mesh);
    else
    {
        crn_field_points(s, "vertices", points, count, 3, 3);
        if (shape->form->mesh)
            put_triangles(s, shape->form->mesh);
    }
    crn_field_flag(s, "recentre",
                   shape->form->mesh ? shape->form->mesh->given != NULL : shape->form->hull->given != NULL);
}

/* -------------------------------------------------------------------------------------------------------- all of them */

static void put_measures(crn_saver *s, int index)
{
    const crn_shape *shape = &s->model->shapes[index];
    cairn_shape_info info = cairn_model_shape_info(s->model, cairn_model_shape(s->model, index));
    int n = s->model->dimension;
    crn_field_number(s, "radius", info.radius, 0);
    crn_field_number(s, "length", info.length, 0);
    crn_field_number(s, "height", info.height, 0);
    crn_field_number(s, "opening", info.opening, 0);
    crn_field_numbers(s, "size", info.size, ZERO, n);
    crn_field_numbers(s, "radii", info.radii, ZERO, n);
    if (shape->form->hull || shape->form->mesh)
        put_faces(s, index);
    else if (crn_class_of(shape->form->drawn)->takes & CRN_TAKES_VERTICES)
        crn_field_points(s, "vertices", shape->form->local_vertices, shape->form->local_count, 2, 2);
}

static void put_frame(crn_saver *s, const crn_shape *shape)
{
    static const double UPRIGHT[4] = {1, 0, 0, 0};
    const crn_shape_frame *frame = crn_frame_of(shape);
    double orientation[4], normal[3];
    int n = s->model->dimension;
    if (crn_class_of(shape->form->drawn)->takes & CRN_TAKES_NORMAL)
    {
        crn_find_direction(shape->form->normal, 3, frame->rotation, normal);
        crn_field_numbers(s, "normal", normal, cairn_shape_default(shape->form->drawn).normal, n);
    }
    crn_field_numbers(s, "position", frame->position, ZERO, n);
    if (n == 2)
        crn_field_number(s, "angle", frame->angle, 0);
    else
    {
        crn_find_direction(frame->orientation, 4, NULL, orientation);
        crn_field_numbers(s, "orientation", orientation, UPRIGHT, 4);
    }
}

/* `material`: that of the body; -1: each shape names its own. */
static void save_shape(crn_saver *s, int index, int material)
{
    const crn_shape *shape = &s->model->shapes[index];
    double size[2];
    assert(!shape->form->piece && shape->material >= 0 && shape->material < (int)s->model->material_count);
    crn_element_begin(s, true);
    crn_open(s, '{');
    if (is_rectangle(shape, size))
    {
        crn_field_text(s, "type", "rectangle");
        crn_field_numbers(s, "size", size, ZERO, 2);
    }
    else
    {
        crn_field_text(s, "type", crn_class_of(shape->form->drawn)->name);
        put_measures(s, index);
    }
    put_frame(s, shape);
    crn_field_number(s, "density", shape->density, 0);
    if (shape->form->surface_velocity)
        crn_field_numbers(s, "surface_velocity", shape->form->surface_velocity, ZERO, s->model->dimension);
    if (material < 0 && shape->material > 0)
        crn_field_text(s, "material", s->model->materials[shape->material].name);
    crn_close(s, '}');
}

void crn_save_shapes(crn_saver *s, int body)
{
    const crn_body *owner = &s->model->bodies[body];
    int count = 0, common = 0;
    for (int i = owner->shape_begin; i < owner->shape_end; ++i)
    {
        const crn_shape *shape = &s->model->shapes[i];
        if (shape->body != body || shape->form->piece)
            continue;
        common = count++ == 0 || common == shape->material ? shape->material : -1;
    }
    if (count == 0)
        return;
    if (common > 0)
        crn_field_text(s, "material", s->model->materials[common].name);
    crn_field_begin(s, "shapes");
    crn_open(s, '[');
    for (int i = owner->shape_begin; i < owner->shape_end; ++i)
        if (s->model->shapes[i].body == body && !s->model->shapes[i].form->piece)
            save_shape(s, i, common);
    crn_close(s, ']');
}
