#include "import/link_frame.h"

#include <assert.h>
#include <string.h>

crn_link_frame crn_link_frame_compose(const crn_link_frame *outer, const crn_link_frame *inner)
{
    crn_link_frame made;
    crn_link_frame_point(outer, inner->x, made.x);
    crn_quaternion_multiply(outer->q, inner->q, made.q);
    crn_quaternion_normalise(made.q);
    return made;
}

crn_link_frame crn_link_frame_relative(const crn_link_frame *from, const crn_link_frame *frame)
{
    crn_link_frame made;
    double R[9], back[4], d[3];
    crn_quaternion_to_matrix(from->q, R);
    crn_sub3(frame->x, from->x, d);
    crn_unrotate3(R, d, made.x);
    crn_quaternion_conjugate(from->q, back);
    crn_quaternion_multiply(back, frame->q, made.q);
    crn_quaternion_normalise(made.q);
    return made;
}

void crn_link_frame_direction(const crn_link_frame *frame, const double d[3], double out[3])
{
    double R[9];
    crn_quaternion_to_matrix(frame->q, R);
    crn_rotate3(R, d, out);
}

void crn_link_frame_point(const crn_link_frame *frame, const double p[3], double out[3])
{
    double turned[3];
    crn_link_frame_direction(frame, p, turned);
    crn_add3(frame->x, turned, out);
}

void crn_turn_z_to(const double d[3], double q[4])
{
    double length = crn_norm3(d), axis[3] = {-d[1], d[0], 0};
    assert(length > 0);
    double sine = hypot(d[0], d[1]) / length, angle = atan2(sine, d[2] / length);
    if (sine < 1e-15)
        axis[0] = 1, axis[1] = 0;
    crn_scale3(angle / crn_norm3(axis), axis, axis);
    crn_quaternion_exp(axis, q);
}

/* Shepperd's method: the largest of the four components is found first, so that nothing cancels. */
void crn_turn_of_matrix(const double R[9], double q[4])
{
    double trace = R[0] + R[4] + R[8];
    double square[4] = {1 + trace, 1 + 2 * R[0] - trace, 1 + 2 * R[4] - trace, 1 + 2 * R[8] - trace};
    int k = 0;
    for (int i = 1; i < 4; ++i)
        k = square[i] > square[k] ? i : k;
    double d[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]};
    double s[3] = {R[5] + R[7], R[2] + R[6], R[1] + R[3]}; /* yz, xz, xy */
    double row[4][4] = {{square[0], d[0], d[1], d[2]},
                        {d[0], square[1], s[2], s[1]},
                        {d[1], s[2], square[2], s[0]},
                        {d[2], s[1], s[0], square[3]}};
    memcpy(q, row[k], sizeof row[k]);
    crn_quaternion_normalise(q);
}

/* I += m (|d|^2 1 - d d') */
static void add_steiner(double inertia[9], double mass, const double d[3])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            inertia[3 * i + j] += mass * ((i == j ? crn_dot3(d, d) : 0) - d[i] * d[j]);
}

void crn_mass_add(crn_link_mass *sum, const crn_link_frame *frame, const crn_link_mass *part)
{
    assert(part->mass >= 0 && sum->mass >= 0);
    double total = sum->mass + part->mass;
    if (total == 0)
        return;
    double R[9], turned[9], transposed[9], centre[3], d[3];
    crn_quaternion_to_matrix(frame->q, R);
    for (int i = 0; i < 9; ++i)
        transposed[i] = R[3 * (i % 3) + i / 3];
    crn_multiply33(R, part->inertia, turned);
    crn_multiply33(turned, transposed, turned);
    crn_link_frame_point(frame, part->centre, centre);
    crn_sub3(centre, sum->centre, d);
    for (int i = 0; i < 9; ++i)
        sum->inertia[i] += turned[i];
    /* m_1 |c_1 - c|^2 + m_2 |c_2 - c|^2 = m_1 m_2/m |c_2 - c_1|^2 */
    add_steiner(sum->inertia, sum->mass * part->mass / total, d);
    crn_madd3(sum->centre, part->mass / total, d, sum->centre);
    sum->mass = total;
}
