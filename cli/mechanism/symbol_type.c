/* The symbols of the types of joints, in units u, on a's and b's sides.
 *
 *     revolute            a pin along the axis; in the plane a ring
 *     ball                a ball
 *     constant-velocity   a ball, with rings about the axes of a and of b
 *     universal, gimbal   a cross of two pins; with a ball
 *     weld                a block
 *     prismatic           a rail on a, a sleeve on b;  cylindrical: a round sleeve;  screw: a thread about the rail
 *     slot                two rails on a, a pin between them
 *     planar              a square on a, a block on b;  point-on-plane: a ball on b
 *     distance, rope      a tie;  coupling: one per strand of its ropes
 *     bushing             a ball in a block of the colour of springs
 *
 * Types that are not known here, such as those a program registers, are a ball at each of their points, and a tie.
 */
#include "cli/mechanism/mechanism_build.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void scaled(const double v[3], double factor, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = factor * v[k];
}

static void pin(cli_joint_view *v, int side, const double axis[3], double half, double radius)
{
    double from[3], to[3];
    const double *at = v->end[side].point;
    cli_madd(at, -half, axis, from);
    cli_madd(at, half, axis, to);
    cli_symbol_rod(v, CLI_ROLE_JOINT, side, from, to, radius);
}

static void add_ball(cli_joint_view *v)
{
    cli_symbol_ball(v, CLI_ROLE_JOINT, 1, v->end[1].point, (v->dimension == 2 ? 0.6 : 1.3) * v->out->unit);
}

static void add_revolute(cli_joint_view *v)
{
    if (v->dimension == 2)
        add_ball(v);
    else
        pin(v, 0, v->info.axis[0][0], 2.0 * v->out->unit, 1.2 * v->out->unit);
}

static void add_rings(cli_joint_view *v)
{
    add_ball(v);
    for (int side = 0; side < 2; ++side)
    {
        double centre[3], u = v->out->unit;
        double(*axis)[3] = v->info.axis[side];
        cli_madd(v->end[side].point, side == 0 ? -u : u, axis[0], centre);
        cli_symbol_arc(v, CLI_ROLE_JOINT, side, centre, axis[1], axis[2], 2 * u, 0, 2 * PI);
    }
}

static void add_cross(cli_joint_view *v)
{
    double u = v->out->unit;
    pin(v, 0, v->info.axis[0][0], 2.4 * u, 0.7 * u);
    pin(v, 1, v->info.axis[1][1], 2.4 * u, 0.7 * u);
}

static void add_gimbal(cli_joint_view *v)
{
    double u = v->out->unit;
    add_ball(v);
    pin(v, 0, v->info.axis[0][0], 2.4 * u, 0.7 * u);
    pin(v, 1, v->info.axis[1][2], 2.4 * u, 0.7 * u);
}

static void add_double_hinge(cli_joint_view *v)
{
    double u = v->out->unit;
    cli_symbol_tie(v, CLI_ROLE_ROD, v->end[0], v->end[1], 0);
    pin(v, 0, v->info.axis[0][0], 1.6 * u, 0.7 * u);
    pin(v, 1, v->info.axis[1][1], 1.6 * u, 0.7 * u);
}

/* A block at b's point, long along axis k. */
static void add_block(cli_joint_view *v, const double along[3], double half_long, double half_wide)
{
    double l[3], w[3], u = v->out->unit;
    const double *across = v->info.axis[1][v->dimension == 2 ? 2 : 1];
    scaled(along, half_long * u, l);
    scaled(across, half_wide * u, w);
    cli_symbol_block(v, CLI_ROLE_JOINT, 1, v->end[1].point, l, w, half_wide * u);
}

static void add_weld(cli_joint_view *v)
{
    add_block(v, v->info.axis[1][v->dimension == 2 ? 1 : 0], 0.8, 0.8);
}

/* A line of a parallel to the direction of sliding, moved by `aside` units across it. */
static void add_rail(cli_joint_view *v, double aside)
{
    double from[3], to[3];
    cli_madd(v->end[0].point, aside * v->out->unit, v->info.axis[0][2], from);
    cli_madd(from, v->high, v->slide[0], to);
    cli_madd(from, v->low, v->slide[0], from);
    if (v->dimension == 2)
        cli_symbol_segment(v, CLI_ROLE_RAIL, 0, from, to);
    else
        cli_symbol_rod(v, CLI_ROLE_RAIL, 0, from, to, 0.35 * v->out->unit);
}

static void add_prismatic(cli_joint_view *v)
{
    add_rail(v, 0);
    add_block(v, v->slide[1], 2.2, 1.2);
}

static void add_cylindrical(cli_joint_view *v)
{
    add_rail(v, 0);
    pin(v, 1, v->slide[1], 2.2 * v->out->unit, 1.1 * v->out->unit);
}

static void add_slot(cli_joint_view *v)
{
    add_rail(v, v->dimension == 2 ? 0.9 : 0);
    if (v->dimension == 2)
        add_rail(v, -0.9);
    add_ball(v);
}

static void add_screw(cli_joint_view *v)
{
    enum
    {
        A_TURN = 16,
        MOST_TURNS = 12
    };
    double u = v->out->unit, pitch = cairn_model_joint_number(v->model, v->joint, "pitch");
    double step = fmax(fabs(pitch), (v->high - v->low) / MOST_TURNS);
    int count = (int)(A_TURN * (v->high - v->low) / step);
    add_rail(v, 0);
    cli_symbol_line(v, CLI_ROLE_RAIL, 0, false);
    for (int i = 0; i <= count; ++i)
    {
        double angle = 2 * PI * i / A_TURN, p[3];
        cli_madd(v->end[0].point, v->low + step * i / A_TURN, v->slide[0], p);
        cli_madd(p, u * cos(angle), v->info.axis[0][1], p);
        cli_madd(p, (pitch < 0 ? -u : u) * sin(angle), v->info.axis[0][2], p);
        cli_symbol_point(v, p);
    }
    add_block(v, v->slide[1], 1.6, 1.6);
}

static void add_square(cli_joint_view *v)
{
    double half = fmax(5 * v->out->unit, 0.08 * v->out->size);
    cli_symbol_line(v, CLI_ROLE_RAIL, 0, true);
    for (int i = 0; i < 4; ++i)
    {
        double p[3];
        cli_madd(v->end[0].point, i == 0 || i == 3 ? -half : half, v->info.axis[0][1], p);
        cli_madd(p, i < 2 ? -half : half, v->info.axis[0][2], p);
        cli_symbol_point(v, p);
    }
}

static void add_planar(cli_joint_view *v)
{
    add_square(v);
    add_block(v, v->info.axis[1][0], 0.5, 1.4);
}

static void add_point_on_plane(cli_joint_view *v)
{
    add_square(v);
    add_ball(v);
}

/* A ring at the centre of a body would hide it. */
static void add_ends(cli_joint_view *v)
{
    for (int side = 0; side < 2; ++side)
        if (v->end[side].body.id == 0 || cli_length(v->end[side].point) > 0)
            cli_symbol_ball(v, CLI_ROLE_JOINT, side, v->end[side].point,
                            (v->dimension == 2 ? 0.6 : 0.9) * v->out->unit);
}

static void add_distance(cli_joint_view *v)
{
    cli_symbol_tie(v, CLI_ROLE_ROD, v->end[0], v->end[1], v->info.length);
    add_ends(v);
}

static void add_rope(cli_joint_view *v)
{
    cli_symbol_tie(v, CLI_ROLE_ROPE, v->end[0], v->end[1], v->info.length);
    add_ends(v);
}

/* A joint that gives way all around. */
static void add_bushing(cli_joint_view *v)
{
    double l[3], w[3], u = 1.1 * v->out->unit;
    scaled(v->info.axis[1][v->dimension == 2 ? 1 : 0], u, l);
    scaled(v->info.axis[1][v->dimension == 2 ? 2 : 1], u, w);
    cli_symbol_block(v, CLI_ROLE_SPRING, 1, v->end[1].point, l, w, u);
    add_ball(v);
}

void cli_joint_add_strands(cli_joint_view *v)
{
    for (int i = 0; i < cairn_model_coupling_strands(v->model, v->joint); ++i)
    {
        cairn_model_coupling_strand(v->model, v->joint, i, &v->end[0], &v->end[1]);
        cli_symbol_tie(v, CLI_ROLE_ROPE, v->end[0], v->end[1], 0);
        add_ends(v);
    }
}

static void add_nothing(cli_joint_view *v)
{
    (void)v; /* wheels: symbol_wheel.c */
}

void cli_joint_add_type(cli_joint_view *v)
{
    static const struct
    {
        const char *type;
        void (*add)(cli_joint_view *);
    } ALL[] = {{"revolute", add_revolute},
               {"ball", add_ball},
               {"constant-velocity", add_rings},
               {"universal", add_cross},
               {"gimbal", add_gimbal},
               {"double-hinge", add_double_hinge},
               {"weld", add_weld},
               {"prismatic", add_prismatic},
               {"cylindrical", add_cylindrical},
               {"slot", add_slot},
               {"screw", add_screw},
               {"planar", add_planar},
               {"point-on-plane", add_point_on_plane},
               {"distance", add_distance},
               {"rope", add_rope},
               {"bushing", add_bushing},
               {"gear", add_nothing},
               {"rack", add_nothing},
               {"rolling", add_nothing},
               {"pulley", add_nothing}};
    const char *type = cairn_model_joint_type(v->model, v->joint);
    for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; ++i)
        if (!strcmp(ALL[i].type, type))
        {
            ALL[i].add(v);
            return;
        }
    if (cairn_model_joint_is_pin(v->model, v->joint))
        add_ball(v);
    else
        add_distance(v);
}
