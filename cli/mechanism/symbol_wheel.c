/* Wheels and what rolls on them: gears, racks, rolling, pulleys.
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
