/* Impulses to start from where there are none: loads carried from above.
 *
 * Sweeps that begin with nothing spread the weight of a heap as if by diffusion: with n layers, some n^2 of them pass before the ground
 * feels the top, and the heap sinks until then. But most of the answer is known. Bodies are taken from the top down. Each hands
 * its weight and what it has been given, together L, to the contacts that support it:
 *
 *     r_j = max(0, -n_j . lambda) ,    (sum_j n_j n_j' + DAMPING) lambda = L ,    n_j towards the body,
 *
 * which without DAMPING are the smallest normal impulses that balance L, where such exist. They are scaled so that they carry all of L
 * along gravity. What a contact takes becomes a load of the body below. Friction and turning are left to the sweeps.
 *
 * A body is supported by what is prescribed, and by bodies below it that are supported: what falls freely carries nothing.
 */
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DAMPING = 0.02;
static const double MOST = 3;       /* the largest factor by which impulses are scaled */
static const double CALM_SPEED = 2; /* of g h: the mean speed up to which an island is a heap that carries its weight */

/* A contact, as the support of the upper of its bodies by the lower one. */
typedef struct support
{
    double height; /* of the upper body */
    int upper, lower, contact;
} support;

typedef struct carry
{
    double up[3];
    support *support; /* from the top down */
    int count;
    double (*load)[3];  /* per body: N s */
    bool *is_supported; /* per body */
    crn_arena memory;
} carry;

/* From the top down, all supports of a body together. */
static int compare(const void *x, const void *y)
{
    const support *a = x, *b = y;
    int by_height = (a->height < b->height) - (a->height > b->height);
    int by_body = (a->upper > b->upper) - (a->upper < b->upper);
    return by_height ? by_height : by_body ? by_body : (a->contact > b->contact) - (a->contact < b->contact);
}

/* Add up the speeds at the contacts of each island, by its root. */
static void add_speeds(cairn_simulation *s)
{
    crn_compact_scratch *c = &s->compact;
    memset(c->island_work, 0, (size_t)c->problem.body_count * sizeof(double));
    for (int j = 0; j < c->problem.contact_count; ++j)
    {
        crn_compact_body a = crn_compact_start(s, s->located.contacts[j].body_a),
                         b = crn_compact_start(s, s->located.contacts[j].body_b);
        c->island_work[c->island[j]] += 0.5 * (crn_norm3(a.v) + crn_norm3(b.v));
    }
}

/* List the contacts of large islands that are calm. */
static void list_supports(carry *work, cairn_simulation *s, double h)
{
    crn_compact_scratch *c = &s->compact;
    double limit = CALM_SPEED * h * crn_norm3(s->state.gravity);
    add_speeds(s);
    for (int j = 0; j < c->problem.contact_count; ++j)
    {
        const crn_compact_contact here = crn_compact_at(&c->problem, j), *contact = &here;
        int root = c->island[j];
        bool is_fixed[2] = {c->free[contact->a].inverse_mass == 0, c->free[contact->b].inverse_mass == 0};
        bool is_calm = c->island_work[root] <= limit * c->island_contacts[root];
        if (!is_calm || crn_compact_is_small(c, root) || (is_fixed[0] && is_fixed[1]))
            continue;
        bool a_above = is_fixed[1] || (!is_fixed[0] && crn_dot3(contact->normal, work->up) > 0);
        int upper = a_above ? contact->a : contact->b, lower = a_above ? contact->b : contact->a;
        work->support[work->count++] = (support){c->height[upper], upper, lower, j};
    }
    qsort(work->support, (size_t)work->count, sizeof *work->support, compare);
}

/* Drop the supports that nothing below supports. */
static void drop_unsupported(carry *work, const crn_compact_scratch *c)
{
    int kept = 0;
    for (int b = 0; b < c->problem.body_count; ++b)
        work->is_supported[b] = c->free[b].inverse_mass == 0;
    for (int i = work->count - 1; i >= 0; --i)
        if (work->is_supported[work->support[i].lower])
            work->is_supported[work->support[i].upper] = true;
    for (int i = 0; i < work->count; ++i)
        if (work->is_supported[work->support[i].lower])
            work->support[kept++] = work->support[i];
    work->count = kept;
}

/* The normal of a support's contact, towards the upper body. */
static void normal_of(const crn_compact_scratch *c, const support *of, double n[3])
{
    const crn_compact_contact here = crn_compact_at(&c->problem, of->contact), *contact = &here;
    crn_scale3(contact->a == of->upper ? 1.0 : -1.0, contact->normal, n);
}

/* Solve (sum n n' + DAMPING) lambda = L over the supports of one body. */
static void balance(const crn_compact_scratch *c, const support *first, int count, const double L[3], double lambda[3])
{
    double A[9] = {DAMPING, 0, 0, 0, DAMPING, 0, 0, 0, DAMPING}, adjugate[9], n[3];
    for (int i = 0; i < count; ++i)
    {
        normal_of(c, &first[i], n);
        for (int k = 0; k < 9; ++k)
            A[k] += n[k / 3] * n[k % 3];
    }
    crn_cross3(A + 3, A + 6, adjugate); /* of a symmetric matrix */
    crn_cross3(A + 6, A, adjugate + 3);
    crn_cross3(A, A + 3, adjugate + 6);
    double determinant = crn_dot3(A, adjugate);
    assert(determinant > 0);
    crn_rotate3(adjugate, L, lambda);
    crn_scale3(1.0 / determinant, lambda, lambda);
}

/* Hand the load of a body to its supports. */
static void hand_down(carry *work, crn_compact_scratch *c, const support *first, int count)
{
    double lambda[3], n[3], carried = 0;
    const double *L = work->load[first->upper];
    balance(c, first, count, L, lambda);
    for (int i = 0; i < count; ++i)
    {
        normal_of(c, &first[i], n);
        carried -= fmin(crn_dot3(n, lambda), 0.0) * crn_dot3(n, work->up);
    }
    double weight = -crn_dot3(L, work->up), factor = carried > 0 && weight > 0 ? fmin(weight / carried, MOST) : 1.0;
    for (int i = 0; i < count; ++i)
    {
        normal_of(c, &first[i], n);
        double r = -factor * fmin(crn_dot3(n, lambda), 0.0);
        crn_scale3(r, crn_compact_row(&c->problem, first[i].contact), c->impulse[first[i].contact]);
        crn_madd3(work->load[first[i].lower], -r, n, work->load[first[i].lower]);
    }
}

static void hand_all_down(carry *work, cairn_simulation *s, double h)
{
    crn_compact_scratch *c = &s->compact;
    memset(work->load, 0, (size_t)c->problem.body_count * sizeof *work->load);
    for (int b = 0; b < c->problem.body_count; ++b)
        if (c->free[b].inverse_mass > 0)
            crn_scale3(h / c->free[b].inverse_mass, s->state.gravity, work->load[b]);
    for (int i = 0, end; i < work->count; i = end)
    {
        end = i + 1;
        while (end < work->count && work->support[end].upper == work->support[i].upper)
            ++end;
        hand_down(work, c, work->support + i, end - i);
    }
}

cairn_status crn_compact_carry(cairn_simulation *s, double h, bool *carried)
{
    crn_compact_scratch *c = &s->compact;
    size_t bodies = (size_t)c->problem.body_count;
    double g = crn_norm3(s->state.gravity);
    carry work = {0};
    *carried = false;
    if (!(g > 0))
        return CAIRN_OK;
    crn_scale3(-1.0 / g, s->state.gravity, work.up);
    cairn_status status = crn_reserve_all(&work.memory, CRN_ARRAY(work.support, c->problem.contact_count),
                                          CRN_ARRAY(work.load, bodies), CRN_ARRAY(work.is_supported, bodies));
    if (!status)
    {
        list_supports(&work, s, h);
        drop_unsupported(&work, c);
        hand_all_down(&work, s, h);
        *carried = work.count > 0;
    }
    crn_arena_release(&work.memory);
    return status;
}
