/* Links: what is seen of a body between its joints.
 *
 * P is the set of the body's joint and spring points that differ, and its centre of mass unless that lies between two of them.
 *
 *     body without shape    |P| = 2   a bar
 *                           plane     a plate, the convex hull of P, with bars as its rim
 *                           space     a triangle of three bars; of more points a star of bars from the centre of mass
 *                           one joint a bar, if it is not at the centre of mass, and a bob there
 *     body with shapes      a bar from the centre of mass to each joint that lies outside of all shapes
 */
#include "cli/mechanism/mechanism_build.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_POINTS = 16 /* per body; the rest is left out of the picture */
};

typedef struct point_set
{
    double point[MOST_POINTS + 1][3];
    int count, joints;
} point_set;

typedef struct builder
{
    cli_mechanism *out;
    const cairn_model *model;
    int dimension;
    cairn_body body;
} builder;

static void add_point(point_set *set, const double point[3], double least)
{
    for (int i = 0; i < set->count; ++i)
        if (cli_distance(set->point[i], point) <= least)
            return;
    if (set->count < MOST_POINTS)
        memcpy(set->point[set->count++], point, sizeof set->point[0]);
}

static cairn_shape_info *push(builder *b, cairn_shape_look look, const char *name)
{
    cli_mechanism *m = b->out;
    if (m->link_count == m->link_room)
    {
        m->link_room = 2 * m->link_count + 16;
        m->links = cli_resize(m->links, (size_t)m->link_room, sizeof *m->links);
    }
    cairn_shape_info *shape = &m->links[m->link_count++];
    *shape = (cairn_shape_info){.look = look, .name = name, .body = b->body, .orientation = {1, 0, 0, 0}};
    return shape;
}

/* The rotation that takes z to the unit vector d. */
static void turn_to(const double d[3], double q[4])
{
    double half = sqrt(0.5 * (1 + d[2]));
    if (half < 1e-9) /* d = -z: half a turn about x */
    {
        q[0] = q[2] = q[3] = 0;
        q[1] = 1;
        return;
    }
    q[0] = half;
    q[1] = -0.5 * d[1] / half;
    q[2] = 0.5 * d[0] / half;
    q[3] = 0;
}

static void add_bar(builder *b, const double from[3], const double to[3])
{
    double along[3], length = cli_distance(from, to);
    if (!(length > 0))
        return;
    cairn_shape_info *bar = push(b, CAIRN_LOOK_CAPSULE, "capsule");
    cli_madd(to, -1, from, along);
    bar->radius = b->out->unit;
    bar->length = length;
    cli_madd(from, 0.5, along, bar->position);
    for (int k = 0; k < 3; ++k)
        along[k] /= length;
    if (b->dimension == 2)
        bar->angle = atan2(along[1], along[0]);
    else
        turn_to(along, bar->orientation);
}

static void add_bob(builder *b, const double at[3])
{
    cairn_shape_info *bob = push(b, CAIRN_LOOK_DISC, b->dimension == 2 ? "circle" : "sphere");
    bob->radius = 1.7 * b->out->unit;
    memcpy(bob->position, at, sizeof bob->position);
}

/* ----------------------------------------------------------------------------------------------------------- plates */

static double side_of(const double o[3], const double a[3], const double b[3])
{
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

static int by_x(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

/* The convex hull, counter-clockwise (A. M. Andrew's two chains); sorts the points. Returns its number of corners. */
static int hull_of(point_set *set, double (*hull)[3])
{
    int count = 0;
    qsort(set->point, (size_t)set->count, sizeof set->point[0], by_x);
    for (int pass = 0, least = 2; pass < 2; ++pass, least = count + 1)
    {
        for (int i = pass; i < set->count; ++i)
        {
            const double *p = set->point[pass == 0 ? i : set->count - 1 - i];
            while (count >= least && side_of(hull[count - 2], hull[count - 1], p) <= 0)
                --count;
            memcpy(hull[count++], p, sizeof hull[0]);
        }
    }
    return count - 1; /* the last is the first again */
}

static void add_plate(builder *b, point_set *set)
{
    assert(b->dimension == 2 && set->count >= 3 && set->count <= MOST_POINTS + 1);
    cli_mechanism *m = b->out;
    double hull[2 * MOST_POINTS + 2][3];
    int count = hull_of(set, hull);
    if (count >= 3)
    {
        double *corners = cli_allocate(2 * (size_t)count, sizeof *corners);
        m->corners = cli_resize(m->corners, (size_t)m->corner_count + 1, sizeof *m->corners);
        m->corners[m->corner_count++] = corners;
        for (int i = 0; i < 2 * count; ++i)
            corners[i] = hull[i / 2][i % 2];
        cairn_shape_info *plate = push(b, CAIRN_LOOK_POLYGON, "polygon");
        plate->vertices = corners;
        plate->vertex_count = count;
    }
    for (int i = 0; i < (count > 2 ? count : 1); ++i)
        add_bar(b, hull[i], hull[(i + 1) % count]);
}

/* ----------------------------------------------------------------------------------------------------------- bodies */

/* Whether p lies on the segment between the two points, to within the width of a bar. */
static bool between(const double p[3], double ends[2][3], double width)
{
    return cli_distance(p, ends[0]) + cli_distance(p, ends[1]) - cli_distance(ends[0], ends[1]) <
           width * width / (cli_distance(ends[0], ends[1]) + width);
}

static void add_links(builder *b, point_set *set)
{
    static const double CENTRE[3] = {0, 0, 0};
    double u = b->out->unit;
    bool one = set->count == 1;
    if (set->count == 2 && between(CENTRE, set->point, u))
    {
        add_bar(b, set->point[0], set->point[1]);
        return;
    }
    if (set->count <= 3 || b->dimension == 2)
        add_point(set, CENTRE, 1e-9 * b->out->size);
    if (set->count == 2)
        add_bar(b, set->point[0], set->point[1]);
    else if (set->count > 2 && b->dimension == 2)
        add_plate(b, set);
    else
        for (int i = 0; set->count > 2 && i < set->count; ++i)
            add_bar(b, set->point[i], set->count == 3 ? set->point[(i + 1) % 3] : CENTRE);
    if (one)
        add_bob(b, CENTRE);
}

/* Per body: the points that joints hold, and how many shapes of the body do not reach each of them. */
typedef struct body_data
{
    point_set set;
    bool inside[MOST_POINTS];
    bool has_shape;
} body_data;

static void collect(const cairn_model *model, body_data *data, const cairn_attachment end[2], double least)
{
    for (int side = 0; side < 2; ++side)
    {
        int index = end[side].body.id == 0 ? -1 : cairn_model_body_index(model, end[side].body);
        if (index >= 0)
            add_point(&data[index].set, end[side].point, least);
    }
}

static void collect_all(const cairn_model *model, body_data *data, double least)
{
    cairn_attachment end[2];
    for (int i = 0; i < cairn_model_joint_count(model); ++i)
    {
        cairn_joint joint = cairn_model_joint(model, i);
        for (int k = 0; k < cairn_model_coupling_strands(model, joint); ++k)
        {
            cairn_model_coupling_strand(model, joint, k, &end[0], &end[1]);
            collect(model, data, end, least);
        }
        cairn_model_joint_attachments(model, joint, &end[0], &end[1]);
        if (cairn_model_joint_kind(model, joint) != CAIRN_JOINT_COUPLING)
            collect(model, data, end, least);
    }
    for (int i = 0; i < cairn_model_body_count(model); ++i)
        data[i].set.joints = data[i].set.count;
    for (int i = 0; i < cairn_model_spring_count(model); ++i)
    {
        if (cairn_model_spring_kind(model, cairn_model_spring(model, i)) != CAIRN_SPRING_LINEAR)
            continue;
        cairn_model_spring_attachments(model, cairn_model_spring(model, i), &end[0], &end[1]);
        collect(model, data, end, least);
    }
}

static void find_shapes(const cairn_model *model, body_data *data)
{
    int dimension = cairn_model_dimension(model);
    for (int i = 0; i < cairn_model_shape_count(model); ++i)
    {
        cairn_shape_info shape = cairn_model_shape_info(model, cairn_model_shape(model, i));
        body_data *body = &data[cairn_model_body_index(model, shape.body)];
        body->has_shape = true;
        for (int k = 0; k < body->set.count; ++k)
            body->inside[k] |=
                cli_distance(body->set.point[k], shape.position) <= 1.02 * cli_shape_reach(&shape, dimension);
    }
}

void cli_mechanism_add_links(cli_mechanism *mechanism, const cairn_model *model)
{
    static const double CENTRE[3] = {0, 0, 0};
    int count = cairn_model_body_count(model);
    body_data *data = cli_allocate((size_t)count + 1, sizeof *data);
    collect_all(model, data, 1e-6 * mechanism->size);
    find_shapes(model, data);
    for (int i = 0; i < count; ++i)
    {
        builder b = {mechanism, model, cairn_model_dimension(model), cairn_model_body(model, i)};
        if (cairn_model_body_kind(model, b.body) == CAIRN_FIXED || data[i].set.joints == 0)
            continue;
        if (!data[i].has_shape)
            add_links(&b, &data[i].set);
        for (int k = 0; data[i].has_shape && k < data[i].set.joints; ++k)
            if (!data[i].inside[k])
                add_bar(&b, CENTRE, data[i].set.point[k]);
    }
    free(data);
}
