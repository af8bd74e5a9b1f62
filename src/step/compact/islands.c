/* Islands of bodies that contacts connect, by union-find with path halving. Prescribed bodies connect nothing.
 *
 * Threads share the contacts. A root is linked to a smaller one and nothing else is ever linked, so the smallest index of an island becomes its
 * root whatever the order, and a path that is halved still leads there. */
#include "step/simulation.h"

#include "base/foresee.h"
#include "base/parallel_ranges.h"

#include <assert.h>

typedef struct joining
{
    crn_compact_scratch *c;
    const int *block;
    const crn_contact *contact;
    int count, parts;
} joining;

static inline int parent_of(const int *parent, int body)
{
    return __atomic_load_n(&parent[body], __ATOMIC_RELAXED);
}

static int root_of(int *parent, int body)
{
    for (int above = parent_of(parent, body); above != body; above = parent_of(parent, body))
    {
        int next = parent_of(parent, above);
        __atomic_store_n(&parent[body], next, __ATOMIC_RELAXED);
        body = next;
    }
    return body;
}

/* Link the larger of two roots to the smaller one, unless another thread has linked it in between. */
static bool link_roots(int *parent, int a, int b, bool is_shared)
{
    int low = a < b ? a : b, high = a + b - low, root = high;
    if (is_shared)
        return __atomic_compare_exchange_n(&parent[high], &root, low, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    parent[high] = low;
    return true;
}

static void join(int *parent, int a, int b, bool is_shared)
{
    do
    {
        a = root_of(parent, a);
        b = root_of(parent, b);
    } while (a != b && !link_roots(parent, a, b, is_shared));
}

static void join_part(void *data, int part)
{
    const joining *all = data;
    int *parent = all->c->parent, end = (int)crn_part((size_t)all->count, all->parts, part + 1);
    for (int j = (int)crn_part((size_t)all->count, all->parts, part); j < end; ++j)
    {
        crn_foresee(&all->contact[j].body_a, CRN_FORESEEN * sizeof *all->contact);
        int a = all->contact[j].body_a, b = all->contact[j].body_b;
        all->c->island[j] = all->block[a] >= 0 ? a : b; /* a body of it */
        if (all->block[a] >= 0 && all->block[b] >= 0 && parent_of(parent, a) != parent_of(parent, b))
            join(parent, a, b, all->parts > 1);
    }
}

/* Consecutive contacts are mostly of one island, whose count is changed once. */
static void count_part(void *data, int part)
{
    const joining *all = data;
    crn_compact_scratch *c = all->c;
    int end = (int)crn_part((size_t)all->count, all->parts, part + 1),
        begin = (int)crn_part((size_t)all->count, all->parts, part);
    for (int j = begin, first = begin; j < end; ++j)
    {
        c->island[j] = c->parent[c->island[j]];
        if (c->island[j] != c->island[first])
        {
            __atomic_fetch_add(&c->island_contacts[c->island[first]], j - first, __ATOMIC_RELAXED);
            first = j;
        }
        if (j == end - 1)
            __atomic_fetch_add(&c->island_contacts[c->island[first]], end - first, __ATOMIC_RELAXED);
    }
}

int crn_compact_islands(cairn_simulation *s, const crn_contact *contacts, int count)
{
    crn_compact_scratch *c = &s->compact;
    int bodies = (int)s->model->body_count, most = 0;
    const int *block = s->layout->body_block;
    if (crn_reserve_all(&s->memory, CRN_ARRAY(c->parent, bodies), CRN_ARRAY(c->island_contacts, bodies),
                        CRN_ARRAY(c->island_bodies, bodies), CRN_ARRAY(c->island, count)))
        return -1;
    joining all = {c, block, contacts, count, crn_compact_threads(s, count)};
    for (int b = 0; b < bodies; ++b)
    {
        c->parent[b] = b;
        c->island_contacts[b] = c->island_bodies[b] = 0;
    }
    crn_in_parts(all.parts, join_part, &all);
    for (int b = 0; b < bodies; ++b) /* a parent comes before its children, and points to its root already */
    {
        assert(c->parent[b] <= b);
        c->parent[b] = c->parent[c->parent[b]];
        c->island_bodies[c->parent[b]] += block[b] >= 0;
    }
    crn_in_parts(all.parts, count_part, &all);
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
    return c->largest = most;
}
