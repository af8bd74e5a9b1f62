/* A glance at plain hinges, four at a time: the same sizes as glance_joints.c has for any joint. */
#include "audit/glance.h"

#include "model/joints/hinge/hinge_lanes.h"

#include <assert.h>

/* What four hinges do. */
typedef struct pull
{
    lanes force[4], moment[4]; /* N s, N m s: on a, and the opposite on b; the last is unused */
    lanes off, skew;           /* m, rad */
} pull;

/* One side of four hinges: velocities of its body and of its point. */
typedef struct side
{
    lanes u[2][3], w[2][3];
} side;

INLINE lanes length_of(const lanes x[3])
{
    return lanes_root(lanes_dot(x, x));
}

INLINE lanes larger_of(lanes x, lanes y)
{
    lane_bits is = x > y;
    return (lanes)((is & (lane_bits)x) | (~is & (lane_bits)y));
}

INLINE void read_side(const crn_glance *g, const int body[LANES], const lanes arm[3], side *out)
{
    static const crn_glimpse STILL = {.easy = 0};
    static_assert(sizeof STILL == 16 * sizeof(double), "a glimpse is read as four rows of four numbers");
    lanes number[16];
    UNROLL
    for (int row = 0; row < 4; ++row)
    {
        UNROLL
        for (int l = 0; l < LANES; ++l)
        {
            const crn_glimpse *look = body[l] < 0 ? &STILL : &g->audit->look[body[l]];
            number[LANES * row + l] = *(const loose_lanes *)((const double *)look + LANES * row);
        }
        lanes_transpose(number + LANES * row);
    }
    UNROLL
    for (int k = 0; k < 2; ++k)
    {
        lanes_cross(number + 9 + 3 * k, arm, out->u[k]);
        UNROLL
        for (int i = 0; i < 3; ++i)
        {
            out->u[k][i] += number[3 + 3 * k + i];
            out->w[k][i] = number[9 + 3 * k + i];
        }
    }
}

INLINE pull act(const double (*impulse)[CRN_PIECE_JOINT_ROWS], const crn_hinge_lanes *at)
{
    pull p;
    lanes c[5], d[3];
    UNROLL
    for (int k = 0; k < 5; ++k)
        c[k] = (lanes){impulse[0][k], impulse[1][k], impulse[2][k], impulse[3][k]};
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        p.force[k] = c[k];
        p.moment[k] = c[3] * at->across[0][k] + c[4] * at->across[1][k];
        d[k] = at->x[0][k] - at->x[1][k];
    }
    p.force[3] = p.moment[3] = (lanes){0.0};
    p.off = length_of(d);
    p.skew = larger_of(lanes_size(lanes_dot(at->a_0, at->b[0])), lanes_size(lanes_dot(at->a_0, at->b[1])));
    return p;
}

/* Add the impulses on side a (sign 1) or b (-1) to those of the bodies, but for those of the first `done` hinges. */
INLINE void push(const crn_glance *g, const int body[LANES], const lanes arm[3], const pull *p, double sign, int done)
{
    lanes force[4], torque[4];
    lanes_cross(arm, p->force, torque);
    UNROLL
    for (int k = 0; k < 4; ++k)
    {
        torque[k] = k < 3 ? sign * (torque[k] + p->moment[k]) : (lanes){0.0};
        force[k] = sign * p->force[k];
    }
    lanes_transpose(force);
    lanes_transpose(torque);
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        if (body[l] < 0 || l < done)
            continue;
        crn_pushed *pushed = &g->audit->pushed[body[l]];
        *(loose_lanes *)pushed->force += force[l];
        *(loose_lanes *)pushed->torque += torque[l];
    }
}

/* J: the work of the impulses at velocities k; u: those of a's points relative to b's. */
INLINE lanes work_at(const pull *p, const side *a, const side *b, int k, lanes u[3])
{
    lanes w[3];
    UNROLL
    for (int i = 0; i < 3; ++i)
    {
        u[i] = a->u[k][i] - b->u[k][i];
        w[i] = a->w[k][i] - b->w[k][i];
    }
    return lanes_dot(p->force, u) + lanes_dot(p->moment, w);
}

INLINE void measure(const crn_glance *g, const crn_joint joint[LANES], const pull *p, const side *a, const side *b,
                    crn_glance_joint m[LANES])
{
    lanes u[3], work[2], speed = {0.0}, speeds = {0.0}, spins = {0.0}, arm;
    lane_bits held = {joint[0].a.body < 0 ? -1 : 0, joint[1].a.body < 0 ? -1 : 0, joint[2].a.body < 0 ? -1 : 0,
                      joint[3].a.body < 0 ? -1 : 0}; /* a is the world */
    UNROLL
    for (int k = 0; k < 2; ++k)
    {
        work[k] = work_at(p, a, b, k, u);
        speed = lanes_root((lanes)((held & (lane_bits)lanes_dot(b->u[k], b->u[k])) |
                                   (~held & (lane_bits)lanes_dot(a->u[k], a->u[k]))));
        speeds += speed;
        spins += length_of(a->w[k]) + length_of(b->w[k]);
    }
    UNROLL
    for (int l = 0; l < LANES; ++l)
        arm[l] = g->audit->bodies.bound[joint[l].a.body >= 0 ? joint[l].a.body : joint[l].b.body];
    lanes size = length_of(p->force), moment = length_of(p->moment), mean = 0.5 * (work[0] + work[1]);
    lanes sizes = size * speeds + moment * spins + lanes_size(work[0]) + lanes_size(work[1]);
    lanes gain = mean - 2 * (size * p->off + moment * p->skew) * g->drift_rate;
    lanes load = size + moment / larger_of((lanes){1e-300, 1e-300, 1e-300, 1e-300}, arm);
    speed = larger_of(speed, length_of(u));
    UNROLL
    for (int l = 0; l < LANES; ++l)
        m[l] = (crn_glance_joint){
            .work = mean[l], .work_size = sizes[l], .gain = gain[l], .load = load[l], .speed = speed[l]};
}

INLINE void look(const crn_glance *g, int first, int done, crn_glance_joint m[LANES])
{
    const crn_joint *joint = &g->audit->model->joints[first];
    int body_a[LANES], body_b[LANES];
    crn_hinge_lanes at;
    side a, b;
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        body_a[l] = joint[l].a.body;
        body_b[l] = joint[l].b.body;
    }
    crn_hinge_lanes_load(joint, g->piece->pose, &at);
    pull p = act((const double(*)[CRN_PIECE_JOINT_ROWS])g->piece->place[0].joint_impulse + first, &at);
    push(g, body_a, at.arm[0], &p, 1.0, done);
    push(g, body_b, at.arm[1], &p, -1.0, done);
    read_side(g, body_a, at.arm[0], &a);
    read_side(g, body_b, at.arm[1], &b);
    measure(g, joint, &p, &a, &b, m);
}

WIDE static void wide_look(const crn_glance *g, int first, int done, crn_glance_joint m[LANES])
{
    look(g, first, done, m);
}

static void plain_look(const crn_glance *g, int first, int done, crn_glance_joint m[LANES])
{
    look(g, first, done, m);
}

void crn_glance_hinges(const crn_glance *g, int first, int done, crn_glance_joint m[4])
{
    static_assert(LANES == 4, "as the header has it");
    (HAS_WIDE ? wide_look : plain_look)(g, first, done, m);
}
