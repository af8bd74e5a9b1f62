/* MJCF: the many ways to write an orientation. */
#include "import/mjcf/mjcf.h"

#include <string.h>

static bool normalise_turn(const crn_mjcf_item *item, double q[4])
{
    if (!crn_quaternion_turns(q))
        return crn_import_problem(item->mjcf->import, item->element, "the quaternion of <%.40s> must not be 0",
                                  item->element->name);
    crn_quaternion_normalise(q);
    return true;
}

static void turn_by_euler(const crn_mjcf *m, const double angle[3], double q[4])
{
    for (int i = 0; i < 3; ++i)
    {
        char letter = m->sequence[i];
        bool fixed = letter < 'a';
        double phi[3] = {0}, turn[4];
        phi[letter - (fixed ? 'X' : 'x')] = crn_mjcf_angle(m, angle[i]);
        crn_quaternion_exp(phi, turn);
        if (fixed)
            crn_quaternion_multiply(turn, q, q);
        else
            crn_quaternion_multiply(q, turn, q);
    }
    crn_quaternion_normalise(q);
}

static void turn_by_axes(const crn_mjcf_item *item, const double axes[6], double q[4])
{
    double x[3], y[3], z[3], length = crn_norm3(axes);
    bool fine = length > 0;
    if (fine)
    {
        crn_scale3(1 / length, axes, x);
        crn_madd3(axes + 3, -crn_dot3(axes + 3, x), x, y);
        fine = crn_norm3(y) > 0;
    }
    if (!fine)
    {
        crn_import_problem(item->mjcf->import, item->element, "xyaxes must be two directions that differ");
        return;
    }
    crn_scale3(1 / crn_norm3(y), y, y);
    crn_cross3(x, y, z);
    crn_turn_of_matrix((double[9]){x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]}, q);
}

static void read_turn(const crn_mjcf_item *item, double q[4])
{
    const crn_mjcf *m = item->mjcf;
    double v[6];
    if (crn_mjcf_numbers(item, "quat", 4, 4, v) && normalise_turn(item, v))
        memcpy(q, v, 4 * sizeof *q);
    if (crn_mjcf_numbers(item, "axisangle", 4, 4, v))
    {
        double length = crn_norm3(v);
        if (length > 0)
        {
            crn_scale3(crn_mjcf_angle(m, v[3]) / length, v, v);
            crn_quaternion_exp(v, q);
        }
        else
            crn_import_problem(m->import, item->element, "the axis of axisangle must not be 0");
    }
    if (crn_mjcf_numbers(item, "euler", 3, 3, v))
        turn_by_euler(m, v, q);
    if (crn_mjcf_numbers(item, "xyaxes", 6, 6, v))
        turn_by_axes(item, v, q);
    if (crn_mjcf_numbers(item, "zaxis", 3, 3, v))
    {
        if (crn_norm3(v) > 0)
            crn_turn_z_to(v, q);
        else
            crn_import_problem(m->import, item->element, "zaxis must not be 0");
    }
}

crn_link_frame crn_mjcf_frame(const crn_mjcf_item *item)
{
    crn_link_frame frame = crn_link_frame_identity();
    crn_mjcf_numbers(item, "pos", 3, 3, frame.x);
    read_turn(item, frame.q);
    return frame;
}
