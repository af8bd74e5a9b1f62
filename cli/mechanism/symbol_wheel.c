/* Wheels and what rolls on them: gears, racks, rolling, pulleys; and the supports of joints in the world.
 *
 * Wheels of a gear have pitch radii r_a = ratio r_b and r_b = d/(1 + ratio) with the distance d of their centres (src/model/joints/
 * gear.c); ratio < 0 is a wheel within a ring. Teeth are drawn about the pitch circle, so many that those of both wheels are equally
 * wide, and turned so that at the start a tooth of a lies in a gap of b.
 */
#include "cli/mechanism/mechanism_build.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

enum
{
    LEAST_TEETH = 10,
    MOST_TEETH = 120
};

/* A toothed circle about the point of a side; a tooth or a gap in the direction `towards`, in the body's frame. */
static void add_toothed(cli_joint_view *v, int side, double radius, int teeth, const double towards[3], bool gap)
{
    static const double HEIGHT[4] = {-1, 1, 1, -1}, PLACE[4] = {-0.32, -0.17, 0.17, 0.32};
    double(*axis)[3] = v->info.axis[side], tooth = 0.8 * PI * radius / teeth / 2;
    double phase = atan2(cli_dot(towards, axis[2]), cli_dot(towards, axis[1])) + (gap ? PI / teeth : 0);
    cli_symbol_line(v, CLI_ROLE_RAIL, side, true);
    for (int i = 0; i < 4 * teeth; ++i)
    {
        double angle = phase + 2 * PI * (i / 4 + PLACE[i % 4]) / teeth, r = radius + HEIGHT[i % 4] * tooth, p[3];
        cli_madd(v->end[side].point, r * cos(angle), axis[1], p);
        cli_madd(p, r * sin(angle), axis[2], p);
        cli_symbol_point(v, p);
    }
}

/* The hub of a wheel, and a spoke that shows how it turns. */
static void add_hub(cli_joint_view *v, int side, double radius)
{
    double tip[3];
    cli_symbol_ball(v, CLI_ROLE_JOINT, side, v->end[side].point, (v->dimension == 2 ? 0.6 : 1.0) * v->out->unit);
    cli_madd(v->end[side].point, 0.85 * radius, v->info.axis[side][1], tip);
    cli_symbol_segment(v, CLI_ROLE_RAIL, side, v->end[side].point, tip);
}

/* From a's point to b's at the start, in the frames of a and of b; their distance. */
static double apart(const cli_joint_view *v, double out[2][3])
{
    cli_start_pose pose[2];
    double at[2][3], d[3];
    for (int side = 0; side < 2; ++side)
    {
        pose[side] = cli_pose_at_start(v->model, v->end[side].body);
        cli_to_world(&pose[side], v->end[side].point, at[side]);
    }
    cli_madd(at[1], -1, at[0], d);
    for (int side = 0; side < 2; ++side)
        cli_to_body(&pose[side], d, out[side]);
    return cli_length(d);
}

static int teeth_of(double radius, double width)
{
    return (int)fmin(MOST_TEETH, fmax(LEAST_TEETH, round(2 * PI * radius / width)));
}

/* Along the line of centres: outside of each other the wheels meet between the centres; a wheel within a ring meets it beyond its own
 * centre, or behind a's where a is the wheel. */
static void add_gear(cli_joint_view *v)
{
    double ratio = cairn_model_joint_number(v->model, v->joint, "ratio"), towards[2][3], back[3];
    double d = apart(v, towards), r[2] = {fabs(ratio * d / (1 + ratio)), fabs(d / (1 + ratio))};
    double width = 2 * PI * fmin(r[0], r[1]) / fmax(LEAST_TEETH, fmin(20, 0.6 * fmin(r[0], r[1]) / v->out->unit));
    bool a_is_wheel = ratio < 0 && r[0] < r[1], b_is_wheel = ratio < 0 && !a_is_wheel;
    for (int k = 0; k < 3; ++k)
    {
        back[k] = b_is_wheel ? towards[1][k] : -towards[1][k];
        towards[0][k] = a_is_wheel ? -towards[0][k] : towards[0][k];
    }
    add_toothed(v, 0, r[0], teeth_of(r[0], width), towards[0], false);
    add_toothed(v, 1, r[1], teeth_of(r[1], width), back, ratio > 0);
    for (int side = 0; side < 2; ++side)
        add_hub(v, side, r[side]);
}

/* A straight rack of a through `foot`, with teeth to the side of `up`. */
static void add_straight(cli_joint_view *v, const double foot[3], const double along[3], const double up[3],
                         double width)
{
    static const double HEIGHT[4] = {-1, 1, 1, -1}, PLACE[4] = {-0.32, -0.17, 0.17, 0.32};
    int half = (int)fmin(40, fmax(4, 0.2 * v->out->size / width));
    cli_symbol_line(v, CLI_ROLE_RAIL, 0, false);
    for (int i = 0; i < 4 * (2 * half + 1); ++i)
    {
        double p[3];
        cli_madd(foot, width * (i / 4 - half + PLACE[i % 4]), along, p);
        cli_madd(p, 0.2 * width * HEIGHT[i % 4], up, p);
        cli_symbol_point(v, p);
    }
}

static void add_rack(cli_joint_view *v)
{
    double r = cairn_model_joint_number(v->model, v->joint, "radius"), towards[2][3], foot[3], down[3];
    double(*a)[3] = v->info.axis[0];
    int teeth = (int)fmax(LEAST_TEETH, fmin(24, 0.6 * fabs(r) / v->out->unit));
    apart(v, towards);
    cli_madd(v->end[0].point, 1, towards[0], foot); /* b's point at the start, in a's frame */
    cli_madd(foot, -r, a[2], foot);
    add_straight(v, foot, a[1], a[2], 2 * PI * fabs(r) / teeth);
    for (int k = 0; k < 3; ++k)
        down[k] = (r > 0 ? -1 : 1) * v->info.axis[1][2][k];
    add_toothed(v, 1, fabs(r), teeth, down, true);
    add_hub(v, 1, fabs(r));
}

static void add_rolling(cli_joint_view *v)
{
    double from[3], to[3], radius = fabs(v->info.length), half = fmax(0.2 * v->out->size, 2 * radius);
    cli_madd(v->end[0].point, v->at + half, v->slide[0], to);
    cli_madd(v->end[0].point, v->at - half, v->slide[0], from);
    cli_symbol_segment(v, CLI_ROLE_RAIL, 0, from, to);
    cli_symbol_arc(v, CLI_ROLE_RAIL, 1, v->end[1].point, v->info.axis[1][1], v->info.axis[1][2], radius, 0, 2 * PI);
    add_hub(v, 1, radius);
}

static void add_pulley(cli_joint_view *v)
{
    cairn_attachment wheel[2] = {{.body = {0}}, {.body = {0}}};
    double r = 1.6 * v->out->unit, x[3] = {1, 0, 0}, up[3] = {0, v->dimension == 2, v->dimension == 3};
    memcpy(wheel[0].point, v->info.over[0], sizeof wheel[0].point);
    memcpy(wheel[1].point, v->info.over[1], sizeof wheel[1].point);
    cli_symbol_tie(v, CLI_ROLE_ROPE, v->end[0], wheel[0], 0);
    cli_symbol_tie(v, CLI_ROLE_ROPE, wheel[0], wheel[1], 0);
    cli_symbol_tie(v, CLI_ROLE_ROPE, wheel[1], v->end[1], 0);
    cairn_attachment kept = v->end[0];
    v->end[0].body = (cairn_body){0};
    for (int i = 0; i < 2; ++i)
    {
        cli_symbol_arc(v, CLI_ROLE_GROUND, 0, wheel[i].point, x, up, r, 0, 2 * PI);
        cli_symbol_ball(v, CLI_ROLE_GROUND, 0, wheel[i].point, 0.5 * v->out->unit);
    }
    v->end[0] = kept;
    for (int side = 0; side < 2; ++side)
        cli_symbol_ball(v, CLI_ROLE_JOINT, side, v->end[side].point, 0.6 * v->out->unit);
}

void cli_joint_add_wheels(cli_joint_view *v)
{
    const char *type = cairn_model_joint_type(v->model, v->joint);
    if (!strcmp(type, "gear"))
        add_gear(v);
    else if (!strcmp(type, "rack"))
        add_rack(v);
    else if (!strcmp(type, "rolling"))
        add_rolling(v);
    else if (!strcmp(type, "pulley"))
        add_pulley(v);
}

/* -------------------------------------------------------------------------------------------------------- supports */

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
