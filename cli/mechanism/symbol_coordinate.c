/* What acts on coordinates: ends of ranges with a needle at the current value, drives, springs.
 *
 *     angle       an arc about the axis from lower to upper, with a tick at each end, and a needle; a drive is an arrow around the axis,
 *                 a spring a spiral
 *     position    a stop across the rail at each end, which b's point meets; a drive is an arrow beside the rail, a spring a coil
 *
 * An angle from `zero` to `needle` about `axis` is drawn on the body that has the axis. Where zero is not on that body, the needle is, and
 * the arc is drawn from it backwards: the angle from needle to zero is the negative of the coordinate.
 */
#include "cli/mechanism/mechanism_build.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* The dial of an angle: about `centre` on `side`, from `zero`. */
typedef struct dial
{
    int side, needle_side;
    double zero[3], quarter[3], needle[3];
    double lower, upper;
} dial;

static dial dial_of(const cairn_coordinate_info *c)
{
    bool swapped = c->zero_side != c->axis_side;
    dial d = {.side = c->axis_side,
              .needle_side = swapped ? c->zero_side : c->needle_side,
              .lower = swapped ? -c->upper : c->lower,
              .upper = swapped ? -c->lower : c->upper};
    memcpy(d.zero, swapped ? c->needle : c->zero, sizeof d.zero);
    memcpy(d.needle, swapped ? c->zero : c->needle, sizeof d.needle);
    cli_cross(c->axis, d.zero, d.quarter);
    return d;
}

static void add_tick(cli_joint_view *v, const dial *d, double radius, double angle)
{
    double from[3], to[3], direction[3];
    for (int k = 0; k < 3; ++k)
        direction[k] = cos(angle) * d->zero[k] + sin(angle) * d->quarter[k];
    cli_madd(v->end[d->side].point, 0.75 * radius, direction, from);
    cli_madd(v->end[d->side].point, 1.25 * radius, direction, to);
    cli_symbol_segment(v, CLI_ROLE_LIMIT, d->side, from, to);
}

/* Beyond a whole turn the arc is a circle; where one end is open it fades after a quarter. */
static void add_angle_limits(cli_joint_view *v, const dial *d)
{
    double radius = 4.5 * v->out->unit, tip[3];
    bool low = isfinite(d->lower), high = isfinite(d->upper);
    double from = low ? d->lower : d->upper - 0.5 * PI, to = high ? d->upper : d->lower + 0.5 * PI;
    cli_symbol_arc(v, CLI_ROLE_LIMIT, d->side, v->end[d->side].point, d->zero, d->quarter, radius, from,
                   fmin(to, from + 2 * PI));
    if (low)
        add_tick(v, d, radius, d->lower);
    if (high)
        add_tick(v, d, radius, d->upper);
    cli_madd(v->end[d->needle_side].point, radius, d->needle, tip);
    cli_symbol_segment(v, CLI_ROLE_NEEDLE, d->needle_side, v->end[d->needle_side].point, tip);
}

/* The two strokes of an arrow's head at `tip`, pointing along `forward`. */
static void add_head(cli_joint_view *v, int side, const double tip[3], const double forward[3], const double across[3])
{
    cli_symbol_line(v, CLI_ROLE_DRIVE, side, false);
    for (int i = -1; i <= 1; ++i)
    {
        double p[3];
        cli_madd(tip, i == 0 ? 0 : -1.0 * v->out->unit, forward, p);
        cli_madd(p, 0.6 * i * v->out->unit, across, p);
        cli_symbol_point(v, p);
    }
}

static void add_angle_drive(cli_joint_view *v, const dial *d)
{
    double radius = 2.9 * v->out->unit, end = 1.5 * PI, tip[3];
    const double *centre = v->end[d->side].point;
    cli_symbol_arc(v, CLI_ROLE_DRIVE, d->side, centre, d->zero, d->quarter, radius, 0, end);
    cli_madd(centre, -radius, d->quarter, tip); /* at three quarters of a turn: it moves along zero */
    add_head(v, d->side, tip, d->zero, d->quarter);
}

static void add_spiral(cli_joint_view *v, const dial *d)
{
    cli_symbol_line(v, CLI_ROLE_SPRING, d->side, false);
    for (int i = 0; i <= 48; ++i)
    {
        double angle = 2 * PI * 2.5 * i / 48, radius = (0.9 + 1.6 * i / 48) * v->out->unit, p[3];
        cli_madd(v->end[d->side].point, radius * cos(angle), d->zero, p);
        cli_madd(p, radius * sin(angle), d->quarter, p);
        cli_symbol_point(v, p);
    }
}

/* ------------------------------------------------------------------------------------------------------- positions */

/* A unit vector of a across a direction: in the plane of a planar scene. */
static void across_of(const cli_joint_view *v, const double along[3], double out[3])
{
    const double *first = v->info.axis[0][1], *second = v->info.axis[0][2];
    const double *other = fabs(cli_dot(along, second)) < 0.5 ? second : first;
    memcpy(out, other, 3 * sizeof *out);
}

static void add_stop(cli_joint_view *v, const double along[3], double at)
{
    double place[3], across[3], from[3], to[3];
    across_of(v, along, across);
    cli_madd(v->end[0].point, at, along, place);
    cli_madd(place, -2.2 * v->out->unit, across, from);
    cli_madd(place, 2.2 * v->out->unit, across, to);
    cli_symbol_segment(v, CLI_ROLE_LIMIT, 0, from, to);
}

static void add_position_drive(cli_joint_view *v, const double along[3])
{
    double across[3], from[3], to[3], u = v->out->unit;
    across_of(v, along, across);
    cli_madd(v->end[0].point, v->at - 3 * u, along, from);
    cli_madd(from, 2.4 * u, across, from);
    cli_madd(from, 6 * u, along, to);
    cli_symbol_segment(v, CLI_ROLE_DRIVE, 0, from, to);
    add_head(v, 0, to, along, across);
}

static void add_position(cli_joint_view *v, const cairn_coordinate_info *c)
{
    if (isfinite(c->lower))
        add_stop(v, c->axis, c->lower);
    if (isfinite(c->upper))
        add_stop(v, c->axis, c->upper);
    if (isfinite(c->lower) || isfinite(c->upper))
    {
        double across[3], tip[3];
        const double *at = v->end[1].point;
        memcpy(across, v->info.axis[1][v->dimension == 2 ? 2 : 1], sizeof across);
        cli_madd(at, 1.8 * v->out->unit, across, tip);
        cli_symbol_segment(v, CLI_ROLE_NEEDLE, 1, at, tip);
    }
    if (c->drive != CAIRN_DRIVE_NONE)
        add_position_drive(v, c->axis);
    if (c->stiffness > 0)
    {
        /* from the end of the rail that is nearer to a's centre of mass */
        cairn_attachment from = v->end[0], other = v->end[0];
        cli_madd(from.point, v->low, c->axis, from.point);
        cli_madd(other.point, v->high, c->axis, other.point);
        if (from.body.id != 0 && cli_length(other.point) < cli_length(from.point))
            from = other;
        cli_symbol_tie(v, CLI_ROLE_SPRING, from, v->end[1], 0);
    }
}

void cli_joint_add_coordinates(cli_joint_view *v)
{
    for (int i = 0; i < cairn_model_coordinate_count(v->model, v->joint); ++i)
    {
        cairn_coordinate_info c = cairn_model_coordinate_info(v->model, v->joint, i);
        if (!(cli_length(c.axis) > 0)) /* a swing, a distance */
            continue;
        if (!c.is_angle)
        {
            add_position(v, &c);
            continue;
        }
        dial d = dial_of(&c);
        if (isfinite(c.lower) || isfinite(c.upper))
            add_angle_limits(v, &d);
        if (c.drive != CAIRN_DRIVE_NONE)
            add_angle_drive(v, &d);
        if (c.stiffness > 0)
            add_spiral(v, &d);
    }
}
