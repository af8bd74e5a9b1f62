/* Supports: what joints of the world, and of fixed bodies without shapes, stand on. */
#include "cli/mechanism/mechanism_build.h"

#include <math.h>
#include <string.h>

/* In the plane a triangle below the point, with hatching under its base; in space a foot on a plate. */
static void add_foot(cli_joint_view *v, int side, const double at[3], bool hangs)
{
    cli_start_pose pose = cli_pose_at_start(v->model, v->end[side].body);
    double down[3], across[3], base[2][3], foot[3], u = v->out->unit, third[3];
    cli_mechanism_down(v->model, third);
    cli_to_body(&pose, third, down);
    for (int k = 0; k < 3 && hangs; ++k)
        down[k] = -down[k];
    double pick[3] = {fabs(down[0]) < 0.9, fabs(down[0]) >= 0.9, 0}, normal[3] = {0, 0, 1};
    cli_cross(v->dimension == 2 ? normal : pick, down, across);
    double size = cli_length(across);
    for (int k = 0; k < 3; ++k)
        across[k] /= size;
    cli_madd(at, (v->dimension == 2 ? 2.6 : 3.5) * u, down, foot);
    if (v->dimension == 3)
    {
        double along[3];
        cli_cross(down, across, third);
        for (int k = 0; k < 3; ++k)
            along[k] = 2.2 * u * across[k], third[k] *= 2.2 * u;
        cli_symbol_rod(v, CLI_ROLE_GROUND, side, at, foot, 0.5 * u);
        cli_symbol_block(v, CLI_ROLE_GROUND, side, foot, along, third, 0.25 * u);
        return;
    }
    for (int k = 0; k < 2; ++k)
        cli_madd(foot, (k == 0 ? -1.7 : 1.7) * u, across, base[k]);
    cli_symbol_line(v, CLI_ROLE_GROUND, side, true);
    cli_symbol_point(v, at);
    cli_symbol_point(v, base[0]);
    cli_symbol_point(v, base[1]);
    for (int i = -2; i <= 2; ++i)
    {
        double from[3], to[3];
        cli_madd(foot, 0.85 * i * u, across, from);
        cli_madd(from, 0.9 * u, down, to);
        cli_madd(to, -0.7 * u, across, to);
        cli_symbol_segment(v, CLI_ROLE_GROUND, side, from, to);
    }
}

/* Whether a side of the joint is held by the world, or by a fixed body that has no shape. */
static bool is_held(const cli_joint_view *v, int side)
{
    cairn_body body = v->end[side].body;
    if (body.id == 0)
        return true;
    if (cairn_model_body_kind(v->model, body) != CAIRN_FIXED)
        return false;
    for (int i = 0; i < cairn_model_shape_count(v->model); ++i)
        if (cairn_model_shape_info(v->model, cairn_model_shape(v->model, i)).body.id == body.id)
            return false;
    return true;
}

static bool is_guide(const char *type)
{
    static const char *const GUIDES[] = {"prismatic", "cylindrical", "slot", "screw"};
    for (size_t i = 0; i < sizeof GUIDES / sizeof GUIDES[0]; ++i)
        if (!strcmp(GUIDES[i], type))
            return true;
    return false;
}

/* A rail stands on a foot at each end; an upright one hangs from its upper end. */
static void add_rail_feet(cli_joint_view *v)
{
    double end[3], down[3], along[3];
    cli_start_pose pose = cli_pose_at_start(v->model, v->end[0].body);
    cli_mechanism_down(v->model, down);
    cli_to_body(&pose, down, along);
    double fall = cli_dot(along, v->slide[0]);
    for (int side = 0; side < 2; ++side)
    {
        bool lower = (side == 0) == (fall < 0); /* the end at v->low is the lower one where the rail climbs */
        cli_madd(v->end[0].point, side == 0 ? v->low : v->high, v->slide[0], end);
        if (fabs(fall) < 0.7 || !lower)
            add_foot(v, 0, end, fabs(fall) >= 0.7);
    }
}

/* Wheels have none of their own: what carries them has. */
void cli_joint_add_supports(cli_joint_view *v)
{
    static const char *const NONE[] = {"gear", "rack", "rolling", "planar", "point-on-plane", "pulley"};
    const char *type = cairn_model_joint_type(v->model, v->joint);
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; ++i)
        if (!strcmp(NONE[i], type))
            return;
    for (int side = 0; side < 2; ++side)
        if (is_held(v, side) && is_guide(type) && side == 0)
            add_rail_feet(v);
        else if (is_held(v, side))
            add_foot(v, side, v->end[side].point, false);
}
