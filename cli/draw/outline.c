/* Shape frame -> body frame -> world. */
#include "cli/draw/outline.h"

#include "cli/plot/plot_scene.h"

#include <assert.h>
#include <math.h>

const int cli_box_faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static void place(int dimension, const cairn_shape_info *shape, const cairn_body_state *state, const double local[3],
                  double out[3])
{
    double in_body[3];
    cairn_body_state frame = {.angle = shape->angle};
    for (int i = 0; i < 3; ++i)
        frame.position[i] = shape->position[i];
    for (int i = 0; i < 4; ++i)
        frame.orientation[i] = shape->orientation[i];
    cli_plot_world_point(dimension, &frame, local, in_body);
    cli_plot_world_point(dimension, state, in_body, out);
}

static void make_box(const cairn_shape_info *shape, const cairn_body_state *state, cli_outline *outline)
{
    outline->count = 8;
    for (int i = 0; i < 8; ++i)
    {
        double corner[3];
        for (int k = 0; k < 3; ++k)
            corner[k] = (i >> k & 1) != 0 ? 0.5 * shape->size[k] : -0.5 * shape->size[k];
        place(3, shape, state, corner, outline->points[i]);
    }
}

static void make_axes(int dimension, const cairn_shape_info *shape, const cairn_body_state *state, cli_outline *outline)
{
    outline->count = dimension;
    for (int i = 0; i < dimension; ++i)
    {
        double end[3] = {0.0, 0.0, 0.0};
        end[i] = shape->radii[i];
        place(dimension, shape, state, end, outline->points[i]);
    }
}

static void make_vertices(int dimension, const cairn_shape_info *shape, const cairn_body_state *state,
                          cli_outline *outline)
{
    outline->count = shape->vertex_count;
    for (int i = 0; i < shape->vertex_count; ++i)
    {
        double vertex[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < dimension; ++k)
            vertex[k] = shape->vertices[dimension * i + k];
        place(dimension, shape, state, vertex, outline->points[i]);
    }
}

/* Two ends along x in the plane, along z in space. */
static void make_capsule(int dimension, const cairn_shape_info *shape, const cairn_body_state *state,
                         cli_outline *outline)
{
    outline->count = 2;
    for (int i = 0; i < 2; ++i)
    {
        double end[3] = {0.0, 0.0, 0.0};
        end[dimension == 2 ? 0 : 2] = (i == 0 ? -0.5 : 0.5) * shape->length;
        place(dimension, shape, state, end, outline->points[i]);
    }
}

static void add_rim(const cairn_shape_info *shape, const cairn_body_state *state, double z, cli_outline *outline)
{
    for (int i = 0; i < CLI_OUTLINE_RIM; ++i)
    {
        double angle = 2.0 * acos(-1.0) * i / CLI_OUTLINE_RIM;
        double at[3] = {shape->radius * cos(angle), shape->radius * sin(angle), z};
        place(3, shape, state, at, outline->points[outline->count++]);
    }
}

static void make_turned(const cairn_shape_info *shape, const cairn_body_state *state, cli_outline *outline)
{
    bool cone = shape->look == CAIRN_LOOK_CONE;
    add_rim(shape, state, (cone ? -0.25 : -0.5) * shape->height, outline);
    if (cone)
        place(3, shape, state, (double[3]){0.0, 0.0, 0.75 * shape->height}, outline->points[outline->count++]);
    else
        add_rim(shape, state, 0.5 * shape->height, outline);
}

static cli_outline_kind outline_of(const cairn_shape_info *shape)
{
    static const cli_outline_kind OF_LOOK[] = {
        [CAIRN_LOOK_DOT] = CLI_OUTLINE_DOT,         [CAIRN_LOOK_DISC] = CLI_OUTLINE_DISC,
        [CAIRN_LOOK_LINE] = CLI_OUTLINE_LINE,       [CAIRN_LOOK_POLYGON] = CLI_OUTLINE_POLYGON,
        [CAIRN_LOOK_ELLIPSE] = CLI_OUTLINE_ELLIPSE, [CAIRN_LOOK_CAPSULE] = CLI_OUTLINE_CAPSULE,
        [CAIRN_LOOK_PLANE] = CLI_OUTLINE_PLANE,     [CAIRN_LOOK_BOX] = CLI_OUTLINE_SOLID,
        [CAIRN_LOOK_CYLINDER] = CLI_OUTLINE_SOLID,  [CAIRN_LOOK_CONE] = CLI_OUTLINE_SOLID,
        [CAIRN_LOOK_FACES] = CLI_OUTLINE_SOLID,
    };
    assert((int)shape->look >= 0 && (size_t)shape->look < sizeof OF_LOOK / sizeof OF_LOOK[0]);
    return OF_LOOK[shape->look];
}

void cli_outline_make(int dimension, const cairn_shape_info *shape, const cairn_body_state *state, cli_outline *outline)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    double tip[3];
    assert(outline->points);
    outline->kind = outline_of(shape);
    outline->radius = shape->radius;
    outline->count = 0;
    place(dimension, shape, state, origin, outline->centre);
    place(dimension, shape, state, (double[3]){shape->radius, 0.0, 0.0}, outline->rim);
    place(dimension, shape, state, shape->normal, tip);
    for (int i = 0; i < 3; ++i)
        outline->normal[i] = tip[i] - outline->centre[i];
    if (shape->look == CAIRN_LOOK_BOX)
        make_box(shape, state, outline);
    else if (shape->look == CAIRN_LOOK_ELLIPSE)
        make_axes(dimension, shape, state, outline);
    else if (shape->look == CAIRN_LOOK_CAPSULE)
        make_capsule(dimension, shape, state, outline);
    else if (shape->look == CAIRN_LOOK_CYLINDER || shape->look == CAIRN_LOOK_CONE)
        make_turned(shape, state, outline);
    else if (shape->look == CAIRN_LOOK_FACES || shape->look == CAIRN_LOOK_LINE || shape->look == CAIRN_LOOK_POLYGON)
        make_vertices(dimension, shape, state, outline);
}
