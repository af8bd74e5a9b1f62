/* Shapes cut into flat cells.
 *
 * Round surfaces are swept: a profile of points (radius, height) with normals is rotated about the shape's z axis. An
 * ellipsoid is a stretched sphere, with normals stretched by the inverse. Each smooth part has points of its own, so that the rim of a
 * cylinder stays sharp. Points are placed in the body's frame.
 */
#include "cli/draw/surface.h"

#include "cli/common/cli.h"
#include "cli/draw/outline.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_ROUND = 48,
    MOST_EDGED = 100, /* faces of a hull; the edges of more would hide it */
};

/* The surface being built and the current shape. */
typedef struct builder
{
    cli_surface *out;
    const cairn_shape_info *shape;
    int dimension, body, round;
} builder;

static void reserve_point(cli_surface *s)
{
    if (s->point_count < s->point_room)
        return;
    s->point_room = 2 * s->point_count + 64;
    size_t room = (size_t)s->point_room;
    s->points = cli_resize(s->points, room, sizeof *s->points);
    s->normals = cli_resize(s->normals, room, sizeof *s->normals);
    s->point_body = cli_resize(s->point_body, room, sizeof *s->point_body);
}

static void reserve_cell(cli_surface *s)
{
    if (s->cell_count + 1 < s->cell_room)
        return;
    s->cell_room = 2 * s->cell_count + 64;
    size_t room = (size_t)s->cell_room;
    s->begin = cli_resize(s->begin, room, sizeof *s->begin);
    s->cell_body = cli_resize(s->cell_body, room, sizeof *s->cell_body);
    s->cell_look = cli_resize(s->cell_look, room, sizeof *s->cell_look);
}

/* From the shape's frame to the body's, a place or (about the origin alone) a direction. */
static void to_body(const builder *b, const double local[3], bool direction, double out[3])
{
    cairn_body_state frame = {.angle = b->shape->angle};
    for (int i = 0; i < 3; ++i)
        frame.position[i] = direction ? 0.0 : b->shape->position[i];
    for (int i = 0; i < 4; ++i)
        frame.orientation[i] = b->shape->orientation[i];
    cli_plot_world_point(b->dimension, &frame, local, out);
}

/* The index of a new point. A normal of zero: flat. */
static int add_point(builder *b, const double place[3], const double normal[3])
{
    cli_surface *s = b->out;
    reserve_point(s);
    to_body(b, place, false, s->points[s->point_count]);
    to_body(b, normal, true, s->normals[s->point_count]);
    s->point_body[s->point_count] = b->body;
    return s->point_count++;
}

static void add_corner(builder *b, int point)
{
    cli_surface *s = b->out;
    if (s->corner_count == s->corner_room)
    {
        s->corner_room = 2 * s->corner_count + 64;
        s->corners = cli_resize(s->corners, (size_t)s->corner_room, sizeof *s->corners);
    }
    s->corners[s->corner_count++] = point;
}

/* All corners since the last cell become one. */
static void end_cell(builder *b, int look)
{
    cli_surface *s = b->out;
    reserve_cell(s);
    s->begin[0] = 0;
    s->cell_look[s->cell_count] = (unsigned char)look;
    s->cell_body[s->cell_count++] = b->body;
    s->begin[s->cell_count] = s->corner_count;
}

static const double FLAT[3] = {0.0, 0.0, 0.0};
static const double SMOOTH = 0.94; /* cosine of the least angle of a mesh that is drawn as an edge: 20 degrees */

static void add_dot(builder *b)
{
    add_corner(b, add_point(b, FLAT, FLAT));
    end_cell(b, 0);
}

/* ------------------------------------------------------------------------------------------------------- the plane */

static void add_outline(builder *b, const double *xy, int count)
{
    for (int i = 0; i < count; ++i)
        add_corner(b, add_point(b, (double[3]){xy[2 * i], xy[2 * i + 1], 0.0}, FLAT));
    end_cell(b, CLI_CELL_EDGED);
}

static void add_segments(builder *b, const double *xy, int count)
{
    for (int i = 0; i + 1 < count; ++i)
        add_outline(b, xy + 2 * i, 2);
}

/* A rounded outline: circle, ellipse, or capsule with the centres of its ends `apart`. */
static void add_round_outline(builder *b, double rx, double ry, double apart)
{
    double xy[2 * (MOST_ROUND + 2)];
    int count = 0, half = b->round / 2;
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < half + (apart > 0.0 ? 1 : 0); ++i)
        {
            double angle = acos(-1.0) * (side + (double)i / half) - acos(0.0);
            xy[2 * count] = rx * cos(angle) + (side == 0 ? 0.5 : -0.5) * apart;
            xy[2 * count++ + 1] = ry * sin(angle);
        }
    add_outline(b, xy, count);
}

/* ----------------------------------------------------------------------------------------------------------- space */

/* A point of a profile: distance from the z axis, height, and the normal's two parts. */
typedef struct profile_point
{
    double r, z, nr, nz;
} profile_point;

static void ring(builder *b, profile_point p, const double stretch[3], int *indices)
{
    for (int i = 0; i < b->round; ++i)
    {
        double angle = 2.0 * acos(-1.0) * i / b->round, c = cos(angle), s = sin(angle);
        double place[3] = {stretch[0] * p.r * c, stretch[1] * p.r * s, stretch[2] * p.z};
        double n[3] = {p.nr * c / stretch[0], p.nr * s / stretch[1], p.nz / stretch[2]};
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; ++k)
            n[k] = length > 0.0 ? n[k] / length : 0.0;
        indices[i] = add_point(b, place, n);
    }
}

/* Sweep a profile that rises in z; where it meets the axis the cells are triangles. */
static void sweep(builder *b, const profile_point *profile, int count, const double stretch[3])
{
    int below[MOST_ROUND], above[MOST_ROUND];
    ring(b, profile[0], stretch, below);
    for (int j = 1; j < count; ++j)
    {
        ring(b, profile[j], stretch, above);
        for (int i = 0; i < b->round; ++i)
        {
            int next = (i + 1) % b->round;
            add_corner(b, below[i]);
            if (profile[j - 1].r > 0.0)
                add_corner(b, below[next]);
            if (profile[j].r > 0.0)
                add_corner(b, above[next]);
            add_corner(b, above[i]);
            end_cell(b, (4 * i / b->round) % 2 == 1 ? CLI_CELL_TINTED : 0);
        }
        memcpy(below, above, sizeof below);
    }
}

/* A flat disc at height z, seen from above or from below. */
static void add_cap(builder *b, double radius, double z, bool up)
{
    for (int i = 0; i < b->round; ++i)
    {
        double angle =
            2.0 * acos(-1.0) * (up ? i : (b->round - i) % b->round) / b->round; /* to the bit as the side's */
        add_corner(b, add_point(b, (double[3]){radius * cos(angle), radius * sin(angle), z}, FLAT));
    }
    end_cell(b, CLI_CELL_EDGED);
}

/* A ball of radius r cut in two and pulled apart along z: sphere, capsule, and stretched an ellipsoid. */
static void add_ball(builder *b, double r, double apart, const double stretch[3])
{
    profile_point profile[MOST_ROUND + 4];
    int half = b->round / 2, count = 0;
    for (int i = 0; i <= half; ++i)
    {
        double angle = acos(-1.0) * ((double)i / half - 0.5), c = i == 0 || i == half ? 0.0 : cos(angle);
        double shift = 2 * i < half ? -0.5 * apart : 2 * i > half ? 0.5 * apart : 0.0;
        if (2 * i == half && apart > 0.0)
            profile[count++] = (profile_point){r, -0.5 * apart, 1.0, 0.0};
        profile[count++] =
            (profile_point){r * c, r * sin(angle) + (2 * i == half ? 0.5 * apart : shift), c, sin(angle)};
    }
    sweep(b, profile, count, stretch);
}

static const double UNSTRETCHED[3] = {1.0, 1.0, 1.0};

static void add_turned(builder *b)
{
    const cairn_shape_info *s = b->shape;
    bool cone = s->look == CAIRN_LOOK_CONE;
    double low = (cone ? -0.25 : -0.5) * s->height, slant = hypot(s->radius, s->height);
    double nr = cone ? s->height / slant : 1.0, nz = cone ? s->radius / slant : 0.0;
    profile_point profile[2] = {{s->radius, low, nr, nz}, {cone ? 0.0 : s->radius, low + s->height, nr, nz}};
    sweep(b, profile, 2, UNSTRETCHED);
    add_cap(b, s->radius, low, false);
    if (!cone)
        add_cap(b, s->radius, low + s->height, true);
}

static void add_box(builder *b)
{
    int first = b->out->point_count;
    for (int i = 0; i < 8; ++i)
    {
        double corner[3];
        for (int k = 0; k < 3; ++k)
            corner[k] = ((i >> k & 1) != 0 ? 0.5 : -0.5) * b->shape->size[k];
        add_point(b, corner, FLAT);
    }
    for (int f = 0; f < 6; ++f)
    {
        for (int k = 0; k < 4; ++k)
            add_corner(b, first + cli_box_faces[f][k]);
        end_cell(b, CLI_CELL_EDGED);
    }
}

static void normal_of(const cairn_shape_info *s, int face, double n[3])
{
    const double *p[3];
    for (int k = 0; k < 3; ++k)
        p[k] = s->vertices + 3 * s->face_vertices[3 * face + k];
    for (int k = 0; k < 3; ++k)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = (p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) - (p[1][j] - p[0][j]) * (p[2][i] - p[0][i]);
    }
}

/* The sides of a mesh's triangle where the surface ends or bends sharply. */
static int sharp_sides(const cairn_shape_info *s, int face)
{
    double n[3], m[3];
    int look = 0;
    normal_of(s, face, n);
    for (int k = 0; k < 3; ++k)
    {
        int other = s->neighbours[3 * face + k];
        double along = 0.0, nn = 0.0, mm = 0.0;
        if (other >= 0)
            normal_of(s, other, m);
        for (int i = 0; other >= 0 && i < 3; ++i)
        {
            along += n[i] * m[i];
            nn += n[i] * n[i];
            mm += m[i] * m[i];
        }
        look |= other < 0 || along < SMOOTH * sqrt(nn * mm) ? CLI_CELL_SIDE << k : 0;
    }
    return look;
}

/* Hulls, meshes and all else that comes with faces. */
static void add_faces(builder *b)
{
    const cairn_shape_info *s = b->shape;
    int first = b->out->point_count;
    for (int i = 0; i < s->vertex_count; ++i)
        add_point(b, s->vertices + 3 * i, FLAT);
    for (int f = 0; f < s->face_count; ++f)
    {
        for (int k = s->face_begin[f]; k < s->face_begin[f + 1]; ++k)
            add_corner(b, first + s->face_vertices[k]);
        end_cell(b, s->neighbours ? sharp_sides(s, f) : s->face_count <= MOST_EDGED ? CLI_CELL_EDGED : 0);
    }
}

/* ---------------------------------------------------------------------------------------------------------- ground */

static void across(const double n[3], int dimension, double t1[3], double t2[3])
{
    int axis = dimension == 2 ? 2 : 0;
    for (int i = 1; i < 3 && dimension == 3; ++i)
        axis = fabs(n[i]) < fabs(n[axis]) - 1e-12 ? i : axis;
    double e[3] = {0.0, 0.0, 0.0};
    e[axis] = 1.0;
    t1[0] = e[1] * n[2] - e[2] * n[1], t1[1] = e[2] * n[0] - e[0] * n[2], t1[2] = e[0] * n[1] - e[1] * n[0];
    double length = sqrt(t1[0] * t1[0] + t1[1] * t1[1] + t1[2] * t1[2]);
    for (int i = 0; i < 3; ++i)
        t1[i] /= length;
    t2[0] = n[1] * t1[2] - n[2] * t1[1], t2[1] = n[2] * t1[0] - n[0] * t1[2], t2[2] = n[0] * t1[1] - n[1] * t1[0];
}

/* The middle of the world in the shape's frame: undo the body's pose, then the shape's. */
static void into_frame(int dimension, const cairn_body_state *frame, double point[3])
{
    cairn_body_state back = {.angle = -frame->angle};
    double from[3] = {point[0] - frame->position[0], point[1] - frame->position[1], point[2] - frame->position[2]};
    for (int i = 0; i < 4; ++i)
        back.orientation[i] = i == 0 ? frame->orientation[0] : -frame->orientation[i];
    cli_plot_world_point(dimension, &back, from, point);
}

static void add_ground(builder *b, const cairn_body_state *state, const cli_surface_options *o)
{
    const cairn_shape_info *s = b->shape;
    cairn_body_state frame = {.angle = s->angle};
    memcpy(frame.position, s->position, sizeof frame.position);
    memcpy(frame.orientation, s->orientation, sizeof frame.orientation);
    double foot[3] = {o->middle[0], o->middle[1], o->middle[2]}, t[2][3];
    into_frame(b->dimension, state, foot);
    into_frame(b->dimension, &frame, foot);
    double away = foot[0] * s->normal[0] + foot[1] * s->normal[1] + foot[2] * s->normal[2];
    across(s->normal, b->dimension, t[0], t[1]);
    static const double SIDE[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < (b->dimension == 2 ? 2 : 4); ++i)
    {
        double place[3], far = b->dimension == 2 ? 0.0 : o->reach;
        for (int k = 0; k < 3; ++k)
            place[k] = foot[k] - away * s->normal[k] + o->reach * SIDE[i][0] * t[0][k] + far * SIDE[i][1] * t[1][k];
        add_corner(b, add_point(b, place, FLAT));
    }
    end_cell(b, CLI_CELL_EDGED);
}

/* ---------------------------------------------------------------------------------------------------------- shapes */

/* Disc, ellipse or capsule in the plane; ball, ellipsoid (a unit ball stretched) or capsule in space. */
static void add_rounded(builder *b, double rx, double ry, double apart, const double stretch[3])
{
    if (b->dimension == 2)
        add_round_outline(b, rx, ry, apart);
    else
        add_ball(b, rx, apart, stretch);
}

static void add_shape(builder *b, const cairn_body_state *state, const cli_surface_options *o)
{
    const cairn_shape_info *s = b->shape;
    switch (s->look)
    {
    case CAIRN_LOOK_DISC:
        add_rounded(b, s->radius, s->radius, 0.0, UNSTRETCHED);
        break;
    case CAIRN_LOOK_ELLIPSE:
        add_rounded(b, b->dimension == 2 ? s->radii[0] : 1.0, s->radii[1], 0.0, s->radii);
        break;
    case CAIRN_LOOK_CAPSULE:
        add_rounded(b, s->radius, s->radius, s->length, UNSTRETCHED);
        break;
    case CAIRN_LOOK_LINE:
        add_segments(b, s->vertices, s->vertex_count);
        break;
    case CAIRN_LOOK_POLYGON:
        add_outline(b, s->vertices, s->vertex_count);
        break;
    case CAIRN_LOOK_BOX:
        add_box(b);
        break;
    case CAIRN_LOOK_CYLINDER:
    case CAIRN_LOOK_CONE:
        add_turned(b);
        break;
    case CAIRN_LOOK_PLANE:
        if (o->reach > 0.0)
            add_ground(b, state, o);
        break;
    case CAIRN_LOOK_FACES:
        add_faces(b);
        break;
    case CAIRN_LOOK_DOT:
        add_dot(b);
        break;
    }
}

/* Many shapes are small on the page, and their cells would be too many. */
static int choose_round(const cli_surface_options *options, int shapes)
{
    int round = options->round > 0 ? options->round
                : shapes <= 100    ? 32
                : shapes <= 1000   ? 20
                : shapes <= 10000  ? 12
                                   : 8;
    round = round / 4 * 4; /* a point at each quarter, so that the extent along the axes is exact */
    return round < 8 ? 8 : round > MOST_ROUND ? MOST_ROUND : round;
}

static bool only_links(const cli_plot_scene *scene, int body)
{
    for (int i = scene->first_shape[body]; i >= 0; i = scene->next_shape[i])
        if (!cli_plot_scene_is_link(scene, i))
            return false;
    return true;
}

void cli_surface_make(cli_surface *surface, const cli_plot_scene *scene, const cli_plot_run *run,
                      const cairn_body_state *states, const cli_surface_options *options)
{
    *surface = (cli_surface){0};
    builder b = {.out = surface, .dimension = run->dimension, .round = choose_round(options, scene->shape_count)};
    static const cairn_shape_info POINT = {.kind = CAIRN_POINT, .orientation = {1.0, 0.0, 0.0, 0.0}};
    for (int body = 0; body < run->body_count; ++body)
    {
        b.body = body;
        for (int i = scene->first_shape[body]; i >= 0; i = scene->next_shape[i])
        {
            if (!options->links && cli_plot_scene_is_link(scene, i))
                continue;
            cairn_shape_info shape = cli_plot_scene_shape(scene, i);
            b.shape = &shape;
            add_shape(&b, &states[body], options);
        }
        b.shape = &POINT;
        if (options->links ? !scene->has_shape[body] : only_links(scene, body))
            add_dot(&b);
    }
}

void cli_surface_free(cli_surface *surface)
{
    free(surface->points);
    free(surface->normals);
    free(surface->point_body);
    free(surface->corners);
    free(surface->begin);
    free(surface->cell_body);
    free(surface->cell_look);
    *surface = (cli_surface){0};
}
