#include "solve/newton/interior_point_rows.h"

#include <assert.h>
#include <math.h>

static const double PROXIMAL = 1e-8; /* Theta of an equation, times the mass */
static const double NARROW = 1e-13;  /* of the bounds: rounding */
static const double SIGN[2] = {1.0, -1.0};

static bool is_finite(const crn_ip_row *row, int side)
{
    return !row->fixed && isfinite(side == 0 ? row->lo : row->hi);
}

/* The room between z and a bound. */
static double room(const crn_ip_row *row, int side, double z)
{
    return side == 0 ? z - row->lo : row->hi - z;
}

int crn_ip_row_pairs(const crn_ip_row *row)
{
    return is_finite(row, 0) + is_finite(row, 1);
}

double crn_ip_row_start(crn_ip_row *row, const cairn_bound *bound, double rho, double scale)
{
    assert(bound->is_row && bound->by < 0 && bound->lo <= bound->hi);
    double width = bound->hi - bound->lo;
    *row = (crn_ip_row){.lo = bound->lo, .hi = bound->hi};
    row->fixed = isfinite(width) && width <= NARROW * fmax(fabs(bound->lo), fabs(bound->hi));
    double inwards = fmin(rho * scale, 0.5 * width);
    double z = row->fixed          ? bound->lo
               : is_finite(row, 0) ? bound->lo + inwards
               : is_finite(row, 1) ? bound->hi - inwards
                                   : 0.0;
    for (int side = 0; side < 2; ++side)
        row->y[side] = is_finite(row, side) ? scale * (rho * scale / room(row, side, z)) : 0.0;
    return z;
}

bool crn_ip_row_scale(const crn_ip_row *row, double z, double rho, crn_ip_scaling *scaling)
{
    assert(rho > 0.0);
    double theta = row->fixed ? 1.0 : PROXIMAL / rho;
    bool inside = true;
    for (int side = 0; side < 2; ++side)
    {
        if (is_finite(row, side))
        {
            inside = inside && room(row, side, z) > 0.0 && row->y[side] > 0.0;
            theta += row->y[side] / room(row, side, z);
        }
    }
    *scaling = (crn_ip_scaling){.size = 1, .eta = sqrt(theta), .w = {1.0}, .a = 1.0, .d = {1.0}, .lambda = {1.0}};
    return inside && isfinite(theta);
}

double crn_ip_row_tilt(const crn_ip_row *row)
{
    return row->fixed ? 0.0 : 1.0;
}

void crn_ip_row_aim(crn_ip_row *row, double z, double tau, const double *dz)
{
    for (int side = 0; side < 2; ++side)
    {
        double second = dz ? SIGN[side] * *dz * row->dy[side] : 0.0;
        row->c[side] = is_finite(row, side) ? tau - room(row, side, z) * row->y[side] - second : 0.0;
    }
}

double crn_ip_row_right(const crn_ip_row *row, double z, double s)
{
    double right = row->fixed ? 0.0 : -s;
    for (int side = 0; side < 2; ++side)
        if (is_finite(row, side))
            right += SIGN[side] * (row->c[side] / room(row, side, z) + row->y[side]);
    return right;
}

/* The largest t up to 1 with x + t d >= 0. */
static double reach(double x, double d)
{
    return d < -x ? -x / d : 1.0;
}

double crn_ip_row_follow(crn_ip_row *row, double z, double dz)
{
    double length = 1.0;
    for (int side = 0; side < 2; ++side)
    {
        if (is_finite(row, side))
        {
            double a = room(row, side, z), da = SIGN[side] * dz;
            row->dy[side] = (row->c[side] - row->y[side] * da) / a;
            length = fmin(length, fmin(reach(a, da), reach(row->y[side], row->dy[side])));
        }
    }
    return length;
}

double crn_ip_row_product(const crn_ip_row *row, double z, double dz, double length)
{
    double sum = 0.0;
    for (int side = 0; side < 2; ++side)
        if (is_finite(row, side))
            sum += (room(row, side, z) + length * SIGN[side] * dz) * (row->y[side] + length * row->dy[side]);
    return sum;
}

void crn_ip_row_move(crn_ip_row *row, double length)
{
    for (int side = 0; side < 2; ++side)
        if (is_finite(row, side))
            row->y[side] += length * row->dy[side];
}
