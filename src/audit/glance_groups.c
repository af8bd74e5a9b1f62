/* Groups in a glance: formed only where a contact is not clearly right by itself. The root of a group is the least of its bodies. */
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

/* Join the bodies of a contact, and add what it does to one that moves. */
static void add_contact(const crn_glance *g, int i)
{
    crn_share *share = g->audit->share;
    int a = g->acted->contacts[i].body_a, b = g->acted->contacts[i].body_b;
    bool a_moves = g->audit->look[a].easy > 0, b_moves = g->audit->look[b].easy > 0;
    crn_glance_contact m;
    crn_glance_measure(g, i, &m);
    if (a_moves && b_moves)
    {
        int root_a = root_of(share, a), root_b = root_of(share, b);
        share[root_a < root_b ? root_b : root_a].group = root_a < root_b ? root_a : root_b;
    }
    crn_share *mover = &share[a_moves ? a : b];
    mover->gain += m.gain;
    mover->load += fabs(m.r_n) + m.r_t;
    mover->fastest = crn_larger_of(mover->fastest, m.speed);
}

/* Form the groups of bodies that contacts hold together, as in groups.c. The root of each gets its sums. */
static void form_groups(const crn_glance *g)
{
    crn_share *share = g->audit->share;
    for (int b = 0; b < g->audit->count; ++b)
        share[b] = (crn_share){.group = b};
    for (int i = 0; i < g->acted->count; ++i)
        if (!is_idle(g->acted, i))
            add_contact(g, i);
    for (int b = 0; b < g->audit->count; ++b)
    {
        int root = root_of(share, b);
        assert(root <= b);
        share[b].group = root;
        if (root == b)
            continue;
        share[root].gain += share[b].gain;
        share[root].load += share[b].load;
        share[root].fastest = crn_larger_of(share[root].fastest, share[b].fastest);
    }
}

static double group_slack(const crn_glance *g, int body)
{
    return g->slack + g->slack_rate * g->audit->share[g->audit->share[body].group].fastest;
}

/* Judge a contact by the speed of its group. */
static bool does_well(const crn_glance *g, int i)
{
    const crn_contact *c = &g->acted->contacts[i];
    crn_glance_contact m;
    if (is_idle(g->acted, i))
        return true;
    crn_glance_measure(g, i, &m);
    return crn_glance_acts_well(g, i, &m, group_slack(g, g->audit->look[c->body_a].easy > 0 ? c->body_a : c->body_b));
}

cairn_status crn_glance_groups(const crn_glance *g, bool *right)
{
    crn_audit *audit = g->audit;
    CRN_TRY(crn_reserve_all(&audit->memory, CRN_ARRAY(audit->share, audit->count)));
    form_groups(g);
    bool good = true;
    for (int b = 0; b < audit->count && good; ++b)
        if (audit->share[b].group == b)
            good = audit->share[b].gain <= audit->share[b].load * group_slack(g, b);
    for (int i = 0; i < g->acted->count && good; ++i)
        good = does_well(g, i);
    *right = good;
    return CAIRN_OK;
}
