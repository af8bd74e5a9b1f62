/* A glance at joints: what their impulses do to bodies, the energy that they give, and limits. Joints pass energy on to each other, so
 * the energy is judged for all joints that hang together; which these are does not change. */
#include "audit/glance.h"

#include "math/vec.h"
#include "model/joints/hinge/hinge.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A joint's impulse in the world, and the arms at which it acts; at the world, where there is no body, they are 0. */
typedef struct pull
{
    crn_joint_place place;
    crn_joint_action acting;
    double arm[2][3];
} pull;

static void act(const crn_glance *g, const crn_joint *joint, const double *c, pull *out)
{
    const int body[2] = {joint->a.body, joint->b.body};
    crn_audit_find_action(g->audit, joint, g->piece->pose, c, &out->place, &out->acting);
    memset(out->arm, 0, sizeof out->arm);
    for (int side = 0; side < 2; ++side)
        if (body[side] >= 0)
            crn_sub3(out->acting.x[side], g->audit->look[body[side]].x, out->arm[side]);
}

static void push(const crn_glance *g, const crn_joint *joint, const pull *p)
{
    const int body[2] = {joint->a.body, joint->b.body};
    for (int side = 0; side < 2; ++side)
    {
        if (body[side] < 0)
            continue;
        double moment[3];
        crn_pushed *pushed = &g->audit->pushed[body[side]];
        crn_cross3(p->arm[side], p->acting.impulse[side], moment);
        crn_add3(moment, p->acting.moment[side], moment);
        crn_add3(pushed->force, p->acting.impulse[side], pushed->force);
        crn_add3(pushed->torque, moment, pushed->torque);
    }
}

/* The length of a vector of the usual size; a glance does not look at others. */
static double length_of(const double x[3])
{
    return sqrt(crn_dot3(x, x));
}

/* Velocity u of a's point relative to b's, k = 0: before, 1: after, and the work of the impulses, with that of motors. Returns the
 * speed of the point of the first that is a body. */
static double relative(const crn_glance *g, const crn_joint *joint, const pull *p, int k, double u[3], double *work,
                       double *motor)
{
    const int body[2] = {joint->a.body, joint->b.body};
    const crn_joint_action *acting = &p->acting;
    double speed = 0;
    memset(u, 0, sizeof(double[3]));
    *work = 0;
    for (int side = 1; side >= 0; --side)
    {
        if (body[side] < 0)
            continue;
        const crn_glimpse *look = &g->audit->look[body[side]];
        double of[3], sign = side ? -1 : 1;
        crn_cross3(look->w[k], p->arm[side], of);
        crn_add3(of, look->v[k], of);
        crn_madd3(u, sign, of, u);
        *work += crn_dot3(acting->impulse[side], of) + crn_dot3(acting->moment[side], look->w[k]);
        if (joint->bounded > 0 || joint->element_count > 0)
            *motor += crn_dot3(acting->motor[side], of) + crn_dot3(acting->motor_moment[side], look->w[k]);
        speed = crn_dot3(of, of);
    }
    return sqrt(speed);
}

static void measure(const crn_glance *g, const crn_joint *joint, const pull *p, crn_glance_joint *m)
{
    const crn_joint_action *acting = &p->acting;
    int a = joint->a.body, b = joint->b.body;
    double u[3], work[2], motor = 0, speeds = 0, spins = 0;
    for (int k = 0; k < 2; ++k)
    {
        m->speed = relative(g, joint, p, k, u, &work[k], &motor);
        speeds += m->speed;
        spins += a >= 0 ? length_of(g->audit->look[a].w[k]) : 0.0;
        spins += b >= 0 ? length_of(g->audit->look[b].w[k]) : 0.0;
    }
    double size = crn_larger_of(length_of(acting->impulse[0]), length_of(acting->impulse[1]));
    double moment = crn_larger_of(length_of(acting->moment[0]), length_of(acting->moment[1]));
    double arm = crn_larger_of(1e-300, g->audit->bodies.bound[a >= 0 ? a : b]);
    m->work = 0.5 * (work[0] + work[1]);
    m->work_size = (size + acting->strain) * speeds + (moment + acting->strain) * spins + fabs(work[0]) + fabs(work[1]);
    m->gain =
        m->work - 0.5 * crn_larger_of(0, motor) - 2 * (size * acting->off + moment * acting->skew) * g->drift_rate;
    m->load = size + moment / arm;
    m->speed = crn_larger_of(m->speed, length_of(u));
    m->ends = acting->ends;
    m->limit = acting->has_limit ? acting->limit_impulse : 0.0;
    m->easy = (a >= 0 ? g->audit->look[a].easy : 0.0) + (b >= 0 ? g->audit->look[b].easy : 0.0);
    m->leaves = acting->has_limit ? crn_dot3(acting->limit, u) + crn_larger_of(acting->limit_gap, 0.0) / g->piece->h -
                                        2 * crn_larger_of(-acting->limit_gap, 0.0) * g->drift_rate
                                  : 0.0;
}

bool crn_glance_holds_well(const crn_glance_joint *m, double slack)
{
    return !m->ends && -m->easy * m->limit <= slack && (m->easy * m->limit <= slack || m->leaves <= slack);
}

/* J: what a joint gives if it acts after gravity and outer forces, beyond what it gives at the mean velocity. */
static double late_work(const crn_glance *g, const crn_joint *joint, const pull *p)
{
    double work = 0;
    for (int side = 0; side < 2; ++side)
    {
        int body = side ? joint->b.body : joint->a.body;
        double dv[3], dw[3], turn[3];
        if (body < 0)
            continue;
        crn_glance_free(g, body, dv, dw);
        crn_cross3(dw, p->arm[side], turn);
        crn_add3(dv, turn, dv);
        work += 0.5 * (crn_dot3(p->acting.impulse[side], dv) + crn_dot3(p->acting.moment[side], dw));
    }
    return work;
}

void crn_glance_measure_joint(const crn_glance *g, int joint, crn_glance_joint *m)
{
    pull p;
    act(g, &g->audit->model->joints[joint], g->piece->place[0].joint_impulse[joint], &p);
    measure(g, &g->audit->model->joints[joint], &p, m);
    m->last = m->gain + late_work(g, &g->audit->model->joints[joint], &p);
}

/* The least body of those that joints hold together. */
static int root_of(const int *root, int body)
{
    while (root[body] != body)
        body = root[body];
    return body;
}

/* Find which bodies joints hold together, once for all. */
static cairn_status find_roots(crn_audit *audit)
{
    if (audit->joint_root)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&audit->memory, CRN_ARRAY(audit->joint_root, audit->count)));
    int *root = audit->joint_root;
    for (int b = 0; b < audit->count; ++b)
        root[b] = b;
    for (size_t i = 0; i < audit->model->joint_count; ++i)
    {
        int a = audit->model->joints[i].a.body, b = audit->model->joints[i].b.body;
        if (!crn_audit_moves(audit, a) || !crn_audit_moves(audit, b))
            continue;
        int root_a = root_of(root, a), root_b = root_of(root, b);
        root[root_a < root_b ? root_b : root_a] = root_a < root_b ? root_a : root_b;
    }
    for (int b = 0; b < audit->count; ++b)
        root[b] = root_of(root, b);
    return CAIRN_OK;
}

/* Add what a joint does to those that hang together with it. */
static void add_share(const crn_audit *audit, const crn_joint *joint, const crn_glance_joint *m)
{
    int body = crn_audit_moves(audit, joint->a.body) ? joint->a.body : joint->b.body;
    if (!crn_audit_moves(audit, body))
        return;
    crn_share *share = &audit->share[audit->joint_root[body]];
    share->gain += m->gain;
    share->load += m->load;
    share->fastest = crn_larger_of(share->fastest, m->speed);
}

static void add_joint(const crn_glance *g, const crn_joint *joint, const crn_glance_joint *m, crn_glance_part *sum)
{
    add_share(g->audit, joint, m);
    sum->work[2] += m->work;
    sum->size += CRN_SURE * m->work_size;
    sum->doubt_count += !crn_glance_holds_well(m, g->jump + g->slack_rate * m->speed);
}

/* Look at joint i, or at four together with it. Returns the first of m that is new; they end with the last one looked at. */
static int look_at(const crn_glance *g, int i, crn_glance_joint m[4])
{
    const crn_joint *joint = &g->audit->model->joints[i];
    assert(joint->a.body >= 0 || joint->b.body >= 0);
    int four = crn_four_with(i, (int)g->audit->model->joint_count);
    if (crn_are_plain_hinges(g->audit->model, four))
    {
        crn_glance_hinges(g, four, i - four, m);
        return i - four;
    }
    pull p;
    act(g, joint, g->piece->place[0].joint_impulse[i], &p);
    push(g, joint, &p);
    measure(g, joint, &p, &m[3]);
    return 3;
}

cairn_status crn_glance_joints(crn_glance *g)
{
    crn_audit *audit = g->audit;
    const cairn_model *model = audit->model;
    crn_glance_part *sum = &g->part[0];
    if (model->joint_count == 0)
        return CAIRN_OK;
    CRN_TRY(find_roots(audit));
    memset(audit->share, 0, (size_t)audit->count * sizeof *audit->share);
    for (int i = 0; i < (int)model->joint_count;)
    {
        crn_glance_joint m[4];
        for (int k = look_at(g, i, m); k < 4; ++k, ++i)
            add_joint(g, &model->joints[i], &m[k], sum);
    }
    for (int b = 0; b < audit->count; ++b)
    {
        const crn_share *share = &audit->share[b];
        sum->lively = sum->lively || !(share->gain <= share->load * (g->slack + g->slack_rate * share->fastest));
    }
    return CAIRN_OK;
}
