/* Islands of bodies that contacts connect, by union-find with path halving. Prescribed bodies connect nothing. */
#include "step/simulation.h"

#include <assert.h>

static int root_of(int *parent, int body)
{
    while (parent[body] != body)
    {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    return body;
}

int crn_compact_islands(cairn_simulation *s, const crn_contact *contacts, int count)
{
    crn_compact_scratch *c = &s->compact;
    int bodies = (int)s->model->body_count, most = 0;
    const int *block = s->layout->body_block;
    if (crn_reserve_all(&s->memory, CRN_ARRAY(c->parent, bodies), CRN_ARRAY(c->island_contacts, bodies),
                        CRN_ARRAY(c->island_bodies, bodies), CRN_ARRAY(c->island, count)))
        return -1;
    for (int b = 0; b < bodies; ++b)
    {
        c->parent[b] = b;
        c->island_contacts[b] = c->island_bodies[b] = 0;
    }
    for (int j = 0; j < count; ++j)
    {
        int a = contacts[j].body_a, b = contacts[j].body_b;
        c->island[j] = block[a] >= 0 ? a : b; /* a body of it */
        if (block[a] >= 0 && block[b] >= 0 && c->parent[a] != c->parent[b])
        {
            a = root_of(c->parent, a);
            b = root_of(c->parent, b);
            c->parent[a > b ? a : b] = a > b ? b : a; /* the smallest index is the root, whatever the order */
        }
    }
    for (int b = 0; b < bodies; ++b) /* a parent comes before its children, and points to its root already */
    {
        assert(c->parent[b] <= b);
        c->parent[b] = c->parent[c->parent[b]];
        c->island_bodies[c->parent[b]] += block[b] >= 0;
    }
    for (int j = 0; j < count; ++j)
    {
        c->island[j] = c->parent[c->island[j]];
        ++c->island_contacts[c->island[j]];
    }
    int islands = 0;
    for (int b = 0; b < bodies; ++b)
        islands += c->island_contacts[b] > 0;
    c->has_many_islands = islands > 8;
    c->any_small = false;
    for (int b = 0; b < bodies; ++b)
    {
        bool is_small = crn_compact_is_small(c, b);
        most = !is_small && c->island_contacts[b] > most ? c->island_contacts[b] : most;
        c->any_small = c->any_small || (is_small && c->island_contacts[b] > 0);
    }
    return most;
}
