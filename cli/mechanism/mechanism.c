/* Sizes, lists, and the order in which symbols are made. */
#include "cli/mechanism/mechanism.h"
#include "cli/mechanism/mechanism_build.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_symbol_kind_name[CLI_SYMBOL_KINDS] = {"ball", "rod", "block", "line", "tie"};
const char *const cli_symbol_role_name[CLI_ROLES] = {"joint",  "rail",  "ground", "rod",   "rope",
                                                     "spring", "drive", "limit",  "needle"};

/* ----------------------------------------------------------------------------------------------------------- symbols */

static cli_symbol *push(cli_joint_view *v, cli_symbol_kind kind, cli_symbol_role role, cairn_body body)
{
    cli_mechanism *m = v->out;
    assert((int)kind >= 0 && kind < CLI_SYMBOL_KINDS && (int)role >= 0 && role < CLI_ROLES);
    if (m->symbol_count == m->symbol_room)
    {
        m->symbol_room = 2 * m->symbol_count + 16;
        m->symbols = cli_resize(m->symbols, (size_t)m->symbol_room, sizeof *m->symbols);
    }
    cli_symbol *symbol = &m->symbols[m->symbol_count++];
    *symbol = (cli_symbol){.kind = kind, .role = role, .joint = v->index, .body = body, .first = m->point_count};
    return symbol;
}

void cli_symbol_ball(cli_joint_view *v, cli_symbol_role role, int side, const double at[3], double radius)
{
    cli_symbol *symbol = push(v, CLI_SYMBOL_BALL, role, v->end[side].body);
    memcpy(symbol->from, at, sizeof symbol->from);
    symbol->radius = radius;
}

void cli_symbol_rod(cli_joint_view *v, cli_symbol_role role, int side, const double from[3], const double to[3],
                    double radius)
{
    cli_symbol *symbol = push(v, CLI_SYMBOL_ROD, role, v->end[side].body);
    memcpy(symbol->from, from, sizeof symbol->from);
    memcpy(symbol->to, to, sizeof symbol->to);
    symbol->radius = radius;
}

void cli_symbol_block(cli_joint_view *v, cli_symbol_role role, int side, const double at[3], const double along[3],
                      const double across[3], double third)
{
    cli_symbol *symbol = push(v, CLI_SYMBOL_BLOCK, role, v->end[side].body);
    memcpy(symbol->from, at, sizeof symbol->from);
    memcpy(symbol->to, along, sizeof symbol->to);
    memcpy(symbol->side, across, sizeof symbol->side);
    symbol->radius = third;
}

void cli_symbol_tie(cli_joint_view *v, cli_symbol_role role, cairn_attachment from, cairn_attachment to, double length)
{
    cli_symbol *symbol = push(v, CLI_SYMBOL_TIE, role, from.body);
    symbol->other = to.body;
    symbol->length = length;
    memcpy(symbol->from, from.point, sizeof symbol->from);
    memcpy(symbol->to, to.point, sizeof symbol->to);
}

void cli_symbol_line(cli_joint_view *v, cli_symbol_role role, int side, bool closed)
{
    push(v, CLI_SYMBOL_LINE, role, v->end[side].body)->closed = closed;
}

void cli_symbol_point(cli_joint_view *v, const double point[3])
{
    cli_mechanism *m = v->out;
    assert(m->symbol_count > 0 && m->symbols[m->symbol_count - 1].kind == CLI_SYMBOL_LINE);
    if (m->point_count == m->point_room)
    {
        m->point_room = 2 * m->point_count + 64;
        m->points = cli_resize(m->points, (size_t)m->point_room, sizeof *m->points);
    }
    memcpy(m->points[m->point_count++], point, sizeof *m->points);
    ++m->symbols[m->symbol_count - 1].count;
}

void cli_symbol_segment(cli_joint_view *v, cli_symbol_role role, int side, const double from[3], const double to[3])
{
    cli_symbol_line(v, role, side, false);
    cli_symbol_point(v, from);
    cli_symbol_point(v, to);
}

void cli_symbol_arc(cli_joint_view *v, cli_symbol_role role, int side, const double centre[3], const double zero[3],
                    const double quarter[3], double radius, double from, double to)
{
    int pieces = (int)fmin(48.0, fmax(4.0, ceil(fabs(to - from) / 0.2)));
    cli_symbol_line(v, role, side, false);
    for (int i = 0; i <= pieces; ++i)
    {
        double angle = from + (to - from) * i / pieces, point[3];
        cli_madd(centre, radius * cos(angle), zero, point);
        cli_madd(point, radius * sin(angle), quarter, point);
        cli_symbol_point(v, point);
    }
}

/* ----------------------------------------------------------------------------------------------------------- sizes */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the body's frame: how far its joints are from its centre of mass. */
static double reach_of(const cairn_attachment *end)
{
    return end->body.id == 0 ? 0.0 : cli_length(end->point);
}

static void widen(double low[3], double high[3], const double at[3])
{
    for (int k = 0; k < 3; ++k)
    {
        low[k] = fmin(low[k], at[k]);
        high[k] = fmax(high[k], at[k]);
    }
}

/* The box around the bodies that move, and their shapes. */
static void widen_by_bodies(const cairn_model *model, double low[3], double high[3])
{
    int dimension = cairn_model_dimension(model);
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cli_start_pose pose = cli_pose_at_start(model, cairn_model_body(model, i));
        if (cairn_model_body_kind(model, cairn_model_body(model, i)) == CAIRN_DYNAMIC)
            widen(low, high, pose.x);
    }
    for (int i = 0; i < cairn_model_shape_count(model); ++i)
    {
        cairn_shape_info shape = cairn_model_shape_info(model, cairn_model_shape(model, i));
        double reach = cli_shape_reach(&shape, dimension), at[3], corner[3];
        if (!isfinite(reach) || cairn_model_body_kind(model, shape.body) != CAIRN_DYNAMIC)
            continue;
        cli_start_pose pose = cli_pose_at_start(model, shape.body);
        cli_to_world(&pose, shape.position, at);
        for (int sign = -1; sign <= 1; sign += 2)
        {
            for (int k = 0; k < 3; ++k)
                corner[k] = at[k] + (k < dimension ? sign * reach : 0);
            widen(low, high, corner);
        }
    }
}

/* The box around all ends of joints and all bodies that move. Springs may end far away and do not count. */
static void measure(cli_mechanism *m, const cairn_model *model)
{
    int joints = cairn_model_joint_count(model), count = 0;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double *reach = cli_allocate(2 * (size_t)joints + 1, sizeof *reach);
    for (int i = 0; i < 2 * joints; ++i)
    {
        cairn_attachment end[2];
        cli_joint_ends(model, cairn_model_joint(model, i / 2), end);
        cli_start_pose pose = cli_pose_at_start(model, end[i % 2].body);
        double at[3];
        cli_to_world(&pose, end[i % 2].point, at);
        widen(low, high, at);
        if (reach_of(&end[i % 2]) > 0)
            reach[count++] = reach_of(&end[i % 2]);
    }
    widen_by_bodies(model, low, high);
    for (int k = 0; k < 3; ++k)
        m->size = fmax(m->size, high[k] - low[k]);
    qsort(reach, (size_t)count, sizeof *reach, compare);
    double shorter = count > 0 ? reach[count / 4] : INFINITY;
    m->size = isfinite(m->size) && m->size > 0 ? m->size : isfinite(shorter) ? shorter : 1.0;
    m->unit = fmin(0.012 * m->size, 0.15 * shorter);
    free(reach);
}

/* The rail of a joint that slides: as far as its limits, and a part of the scene where it has none. */
static void set_rail(cli_joint_view *v)
{
    cli_start_pose pose[2];
    double world[2][3], apart[3], u = v->out->unit;
    for (int side = 0; side < 2; ++side)
    {
        memcpy(v->slide[side], v->info.axis[side][v->dimension == 2 ? 1 : 0], sizeof v->slide[side]);
        pose[side] = cli_pose_at_start(v->model, v->end[side].body);
        cli_to_world(&pose[side], v->end[side].point, world[side]);
    }
    cli_madd(world[1], -1, world[0], apart);
    cli_to_body(&pose[0], apart, apart);
    v->at = cli_dot(apart, v->slide[0]);
    double half = (v->end[0].body.id == 0 ? 0.2 : 0.1) * v->out->size;
    v->low = v->at - half;
    v->high = v->at + half;
    for (int i = 0; i < cairn_model_coordinate_count(v->model, v->joint); ++i)
    {
        cairn_coordinate_info c = cairn_model_coordinate_info(v->model, v->joint, i);
        if (strcmp(c.name, "position") != 0)
            continue;
        v->low = isfinite(c.lower) ? c.lower - 2 * u : v->low;
        v->high = isfinite(c.upper) ? c.upper + 2 * u : v->high;
    }
}

static void add_joint(cli_mechanism *m, const cairn_model *model, int index)
{
    cli_joint_view v = {.out = m, .model = model, .index = index, .dimension = cairn_model_dimension(model)};
    v.joint = cairn_model_joint(model, index);
    if (cairn_model_joint_kind(model, v.joint) == CAIRN_JOINT_COUPLING)
    {
        cli_joint_add_strands(&v);
        return;
    }
    v.info = cairn_model_joint_info(model, v.joint);
    cairn_model_joint_attachments(model, v.joint, &v.end[0], &v.end[1]);
    set_rail(&v);
    cli_joint_add_supports(&v);
    cli_joint_add_type(&v);
    cli_joint_add_wheels(&v);
    cli_joint_add_coordinates(&v);
}

void cli_mechanism_open(cli_mechanism *mechanism, const cairn_model *model)
{
    *mechanism = (cli_mechanism){.size = 0};
    if (cairn_model_joint_count(model) == 0)
        return;
    measure(mechanism, model);
    assert(mechanism->unit > 0 && isfinite(mechanism->unit));
    cli_mechanism_add_links(mechanism, model);
    for (int i = 0; i < cairn_model_joint_count(model); ++i)
        add_joint(mechanism, model, i);
}

void cli_mechanism_close(cli_mechanism *mechanism)
{
    for (int i = 0; i < mechanism->corner_count; ++i)
        free(mechanism->corners[i]);
    free(mechanism->corners);
    free(mechanism->symbols);
    free(mechanism->points);
    free(mechanism->links);
    *mechanism = (cli_mechanism){0};
}
