/* Groups in a glance: formed only where a contact or joint is not clearly right by itself. The root of a group is the least of its bodies. */
#include "audit/glance.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static bool is_idle(const crn_acted *acted, int i)
{
    const double *r = acted->impulse[i];
    return r[0] == 0 && r[1] == 0 && r[2] == 0;
}

/* The root of a body in the forest of groups, whose paths are halved on the way. */
static int root_of(crn_share *share, int body)
{
    while (share[body].group != body)
    {
        share[body].group = share[share[body].group].group;
        body = share[body].group;
    }
    return body;
}

static void add_share(crn_share *to, const crn_share *more)
{
    to->gain += more->gain;
    to->last += more->last;
    to->load += more->load;
    to->fastest = crn_larger_of(to->fastest, more->fastest);
}

static bool moves(const crn_glance *g, int body)
{
    return body >= 0 && g->audit->look[body].easy > 0;
}

/* Join two bodies, and add what holds them together to one that moves. */
static void add_link(const crn_glance *g, int a, int b, crn_share link)
{
    crn_share *share = g->audit->share;
    if (moves(g, a) && moves(g, b))
    {
        int root_a = root_of(share, a), root_b = root_of(share, b);
        share[root_a < root_b ? root_b : root_a].group = root_a < root_b ? root_a : root_b;
    }
    if (!moves(g, a) && !moves(g, b))
        return;
    crn_share *mover = &share[moves(g, a) ? a : b];
    add_share(mover, &link);
}

static void add_links(const crn_glance *g)
{
    const cairn_model *model = g->audit->model;
    for (int i = 0; i < g->acted->count; ++i)
    {
        if (is_idle(g->acted, i))
            continue;
        crn_glance_contact m;
        crn_glance_measure(g, i, &m);
        add_link(g, g->acted->contacts[i].body_a, g->acted->contacts[i].body_b,
                 (crn_share){m.gain, crn_glance_last(g, i, &m), fabs(m.r_n) + m.r_t, m.speed, 0});
    }
    for (int i = 0; i < (int)model->joint_count; ++i)
    {
        crn_glance_joint m;
        crn_glance_measure_joint(g, i, &m);
        add_link(g, model->joints[i].a.body, model->joints[i].b.body, (crn_share){m.gain, m.last, m.load, m.speed, 0});
    }
}

/* Form the groups of bodies that contacts and joints hold together, as in groups.c. The root of each gets its sums. */
static void form_groups(const crn_glance *g)
{
    crn_share *share = g->audit->share;
    for (int b = 0; b < g->audit->count; ++b)
        share[b] = (crn_share){.group = b};
    add_links(g);
    for (int b = 0; b < g->audit->count; ++b)
    {
        int root = root_of(share, b);
        assert(root <= b);
        share[b].group = root;
        if (root != b)
            add_share(&share[root], &share[b]);
    }
}

/* Of a group that others have contacts of, only the work at the mean velocity is judged: which of the two is the smaller in all, nobody knows. */
static void keep_to_mean(const crn_glance *g)
{
    crn_share *share = g->audit->share;
    for (int b = 0; g->border && b < g->audit->count; ++b)
        if (g->border[b] != CRN_BORDER_NONE)
            share[share[b].group].last = INFINITY;
}

/* m/s: what the speed of the group of two bodies allows. */
static double speed_slack(const crn_glance *g, int a, int b)
{
    const crn_share *share = g->audit->share;
    return moves(g, a) || moves(g, b) ? g->slack_rate * share[share[moves(g, a) ? a : b].group].fastest : 0.0;
}

/* Judge a contact, or a joint, by the speed of its group. */
static bool contact_does_well(const crn_glance *g, int i)
{
    const crn_contact *c = &g->acted->contacts[i];
    crn_glance_contact m;
    if (is_idle(g->acted, i))
        return true;
    crn_glance_measure(g, i, &m);
    return crn_glance_acts_well(g, i, &m, g->slack + speed_slack(g, c->body_a, c->body_b));
}

static bool joint_does_well(const crn_glance *g, int i)
{
    const crn_joint *joint = &g->audit->model->joints[i];
    crn_glance_joint m;
    if (joint->bounded == 0)
        return true;
    for (int row = joint->rows; row < joint->rows + joint->bounded; ++row)
        if (crn_friction_excess(g->audit->model, g->piece, i, row) > 0)
            return false;
    crn_glance_measure_joint(g, i, &m);
    return crn_glance_holds_well(&m, g->jump + speed_slack(g, joint->a.body, joint->b.body));
}

cairn_status crn_glance_groups(const crn_glance *g, bool *right)
{
    crn_audit *audit = g->audit;
    form_groups(g);
    keep_to_mean(g);
    bool good = true;
    for (int b = 0; b < audit->count && good; ++b)
        if (audit->share[b].group == b)
            good = crn_smaller_of(audit->share[b].gain, audit->share[b].last) <=
                   audit->share[b].load * (g->slack + speed_slack(g, b, b));
    for (int i = 0; i < g->acted->count && good; ++i)
        good = contact_does_well(g, i);
    for (int i = 0; i < (int)audit->model->joint_count && good; ++i)
        good = joint_does_well(g, i);
    *right = good;
    return CAIRN_OK;
}
