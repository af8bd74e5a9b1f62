/* Small islands beside large ones.
 *
 * The motion of small islands is held exactly, to the solver's tolerance. Beside large islands they are not worth a general problem,
 * but further sweeps over them alone converge soon. They form a problem of their own, with bodies of its own, so that the work is in
 * proportion to them alone. Islands that meet the tolerance drop out; what is left when the visits are spent is certified like the
 * rest. Many are taken in batches of whole islands: these do not know of each other, and the problem stays small.
 */
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    SWEEPS = 32,    /* between two looks at the residuals */
    MOST = 1 << 15, /* visits */
    ROUNDS = 8,
    BATCH = 512, /* contacts of a batch, ... */
    BATCHES = 8  /* ... or more where there would be more batches than these */
};

/* Room for a problem of so many contacts. */
static cairn_status reserve(cairn_simulation *s, int contacts)
{
    crn_compact_scratch *c = &s->compact;
    int bodies = 2 * contacts < c->problem.body_count ? 2 * contacts : c->problem.body_count;
    size_t numbers = sizeof(crn_compact_body) / sizeof(double);
    bool fits = 2 * numbers * (size_t)bodies <= c->left_count;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->local, c->problem.body_count),
                            CRN_ARRAY(c->small_own, fits ? 0 : 2 * bodies), CRN_ARRAY(c->small_index, bodies),
                            CRN_ARRAY(c->small_round, bodies), CRN_ARRAY(c->small_residual, contacts)));
    c->small_body = fits ? (crn_compact_body *)c->left : c->small_own;
    c->polished = c->small_body + bodies;
    bool turns = c->problem.inverse_inertia;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->moving_drift, c->problem.drift ? contacts : 0)));
    return crn_reserve_all(&s->memory, CRN_ARRAY(c->moving_contact, contacts), CRN_ARRAY(c->moving_impulse, contacts),
                           CRN_ARRAY(c->small_contact, contacts), CRN_ARRAY(c->small_inertia, turns ? bodies : 0),
                           CRN_ARRAY(c->small_uneven, c->problem.uneven ? bodies : 0));
}

/* The index of a body among those of the small problem. */
static int localise(crn_compact_scratch *c, int body)
{
    if (c->local[body] > 0)
        return c->local[body] - 1;
    int i = c->small.body_count++;
    c->local[body] = i + 1;
    c->small_index[i] = body;
    c->small_body[i] = c->problem.body[body];
    c->small_round[i] = !c->problem.is_round || c->problem.is_round[body];
    if (c->problem.inverse_inertia)
        memcpy(c->small_inertia[i], c->problem.inverse_inertia[body], sizeof c->small_inertia[i]);
    if (c->problem.uneven)
        c->small_uneven[i] = c->problem.uneven[body];
    return i;
}

static void begin(crn_compact_scratch *c)
{
    for (int i = 0; i < c->small.body_count; ++i) /* of the last round */
        c->local[c->small_index[i]] = 0;
    c->small = (crn_compact_problem){.law = c->problem.law,
                                     .polygon = c->problem.polygon,
                                     .is_planar = c->problem.is_planar,
                                     .all_round = c->problem.all_round,
                                     .body = c->small_body,
                                     .contact = c->moving_contact};
    if (c->problem.inverse_inertia)
    {
        c->small.inverse_inertia = (const double(*)[9])c->small_inertia;
        c->small.is_round = c->small_round;
    }
    c->small.uneven = c->problem.uneven ? c->small_uneven : NULL;
    c->small.uneven_mass = c->problem.uneven_mass;
}

static bool is_candidate(const crn_compact_scratch *c, int root)
{
    return crn_compact_is_small(c, root) && !(c->any_rest && c->at_rest[root]);
}

/* List the contacts of small islands that move. */
static cairn_status list(cairn_simulation *s, int *count)
{
    crn_compact_scratch *c = &s->compact;
    int total = 0;
    *count = 0;
    for (int b = 0; b < c->problem.body_count; ++b)
        total += is_candidate(c, b) ? c->island_contacts[b] : 0; /* 0 unless it is a root */
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->moving_index, total)));
    for (int j = 0; j < c->problem.contact_count && *count < total; ++j)
        if (is_candidate(c, c->island[j]))
            c->moving_index[(*count)++] = j;
    return CAIRN_OK;
}

/* Keep those of islands that miss the tolerance. Returns their number. */
static int drop(crn_compact_scratch *c, int listed, double tolerance)
{
    int count = 0;
    for (int i = 0; i < listed; ++i)
        c->island_work[c->island[c->moving_index[i]]] = 0.0;
    for (int i = 0; i < listed; ++i)
    {
        double *worst = &c->island_work[c->island[c->moving_index[i]]];
        *worst = fmax(*worst, c->residual[c->moving_index[i]]);
    }
    for (int i = 0; i < listed; ++i)
    {
        int j = c->moving_index[i];
        if (!(c->island_work[c->island[j]] <= tolerance))
            c->moving_index[count++] = j;
    }
    return count;
}

/* Divide the islands of those into batches: island_work of a root becomes -1 - its batch. Returns the number of batches; *most: the
 * contacts of the largest. */
static int divide(crn_compact_scratch *c, int count, int *most)
{
    int limit = count / BATCHES > BATCH ? count / BATCHES : BATCH, batch = 0, filled = 0;
    *most = 0;
    for (int i = 0; i < count; ++i)
    {
        int root = c->island[c->moving_index[i]], more = c->island_contacts[root];
        if (c->island_work[root] < 0)
            continue;
        bool is_full = filled > 0 && filled + more > limit;
        batch += is_full;
        filled = is_full ? more : filled + more;
        *most = filled > *most ? filled : *most;
        c->island_work[root] = -1.0 - batch;
    }
    return batch + 1;
}

/* List the contacts of a batch. Returns their number. */
static int pick(crn_compact_scratch *c, int listed, int batch)
{
    int count = 0;
    for (int i = 0; i < listed; ++i)
        if (c->island_work[c->island[c->moving_index[i]]] == -1.0 - batch)
            c->small_contact[count++] = c->moving_index[i];
    return count;
}

/* Make a problem of those. */
static void gather(crn_compact_scratch *c, int count)
{
    begin(c);
    for (int i = 0; i < count; ++i)
    {
        int j = c->small_contact[i];
        crn_compact_contact *to = &c->moving_contact[i];
        *to = crn_compact_at(&c->problem, j);
        to->a = localise(c, to->a);
        to->b = localise(c, to->b);
        memcpy(c->moving_impulse[i], c->impulse[j], sizeof c->impulse[j]);
        if (c->problem.drift)
            memcpy(c->moving_drift[i], c->drift[j], sizeof c->drift[j]);
    }
    c->small.contact_count = count;
    c->small.drift = c->problem.drift ? (const double(*)[3])c->moving_drift : NULL;
}

/* Sweep the problem, and write what is found where it belongs. */
static cairn_status sweep(crn_compact_scratch *c)
{
    crn_compact_certificate ignored;
    CRN_TRY(crn_compact_load(c->sweeps, &c->small, (const double(*)[3])c->moving_impulse));
    crn_compact_sweep(c->sweeps, SWEEPS);
    crn_compact_store(c->sweeps, c->moving_impulse, NULL);
    crn_compact_judge(&c->small, (const double(*)[3])c->moving_impulse, c->polished, c->small_residual, &ignored);
    for (int i = 0; i < c->small.contact_count; ++i)
    {
        memcpy(c->impulse[c->small_contact[i]], c->moving_impulse[i], sizeof c->impulse[i]);
        c->residual[c->small_contact[i]] = c->small_residual[i];
    }
    crn_compact_return_rolling(c, &c->small, c->small_contact);
    for (int i = 0; i < c->small.body_count; ++i)
        c->after[c->small_index[i]] = c->polished[i];
    return CAIRN_OK;
}

/* m/s: the largest approach that is left, of candidates alone or of all contacts. */
static double approach_of(const cairn_simulation *s, bool all)
{
    const crn_compact_scratch *c = &s->compact;
    double most = 0.0;
    for (int j = 0; j < c->problem.contact_count; ++j)
    {
        const crn_contact *contact = &s->located.contacts[j];
        double u[3];
        if (!all && !is_candidate(c, c->island[j]))
            continue;
        crn_compact_velocity(c, contact, j, c->after, u);
        bool moves = c->free[contact->body_a].inverse_mass > 0 || c->free[contact->body_b].inverse_mass > 0;
        most = fmax(most, moves ? -(crn_dot3(u, contact->normal) + c->bias[j]) : 0.0);
    }
    return most;
}

/* The certificate's worst contact, from the residuals. */
static void find_worst(const crn_compact_scratch *c, crn_compact_certificate *certificate)
{
    certificate->contact = -1;
    certificate->worst = 0.0;
    for (int j = 0; j < c->problem.contact_count; ++j)
    {
        bool is_worse = certificate->contact < 0 || c->residual[j] > certificate->worst;
        certificate->contact = is_worse ? j : certificate->contact;
        certificate->worst = is_worse ? c->residual[j] : certificate->worst;
    }
}

/* Sweep the listed islands, batch by batch. */
static cairn_status sweep_all(cairn_simulation *s, int listed)
{
    crn_compact_scratch *c = &s->compact;
    int most, batches = divide(c, listed, &most);
    CRN_TRY(reserve(s, most));
    for (int batch = 0; batch < batches; ++batch)
    {
        int count = pick(c, listed, batch);
        assert(count > 0 && count <= most);
        gather(c, count);
        CRN_TRY(crn_compact_gather_rolling(s, &c->small, c->small_contact, count));
        CRN_TRY(sweep(c));
    }
    return CAIRN_OK;
}

cairn_status crn_compact_polish(cairn_simulation *s, crn_compact_certificate *certificate, int *sweeps)
{
    crn_compact_scratch *c = &s->compact;
    double tolerance = s->settings.solver.tolerance * certificate->scale;
    double before = 0.0;
    int visits = 0, count = 0;
    if (c->any_small)
        CRN_TRY(list(s, &count));
    for (int round = 0; visits < MOST && round < ROUNDS && (count = drop(c, count, tolerance)) > 0; ++round)
    {
        before = round == 0 ? approach_of(s, false) : before;
        CRN_TRY(sweep_all(s, count));
        visits += SWEEPS * count;
        *sweeps += SWEEPS;
    }
    if (visits == 0)
        return CAIRN_OK;
    find_worst(c, certificate);
    bool others = certificate->normal > before; /* the largest approach is none of those that were swept */
    certificate->normal = others ? fmax(certificate->normal, approach_of(s, false)) : approach_of(s, true);
    return CAIRN_OK;
}
