/* What every contact is, in one pass over the contacts: its kind, its part of the problem, and the level of its lower body. */
#include "solve/compact/packed.h"

#include "base/foresee.h"
#include "base/parallel_ranges.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

/* Relative to the arm: what rounding makes of the arm of a sphere. */
static const double PARALLEL = 1e-13;

static inline bool is_parallel(const double arm[3], const double n[3])
{
    double across[3];
    crn_cross3(arm, n, across);
    return crn_dot3(across, across) <= PARALLEL * PARALLEL * crn_dot3(arm, arm);
}

static inline bool turns_alike(const crn_compact_problem *problem, int body)
{
    return !problem->is_round || problem->is_round[body];
}

/* Whether the arms of the bodies that can move are parallel to the normal. */
static inline bool is_parallel_side(const crn_compact_problem *problem, int j, bool held_a, bool held_b)
{
    const crn_compact_contact here = crn_compact_at(problem, j), *c = &here;
    assert(crn_is_unit3(c->normal));
    assert(c->mu >= 0.0);
    return (held_a || is_parallel(c->arm_a, c->normal)) && (held_b || is_parallel(c->arm_b, c->normal));
}

/* CRN_COMPACT_KINDS: nothing to solve for, both bodies are prescribed. */
static inline crn_compact_kind look_at_kind(const crn_compact_problem *problem, int j, crn_compact_pair body,
                                            bool held_a, bool held_b)
{
    if (held_a && held_b)
        return CRN_COMPACT_KINDS;
    if (crn_compact_is_uneven(problem, body.a) || crn_compact_is_uneven(problem, body.b))
        return held_a || held_b ? CRN_UNEVEN_WALL : CRN_UNEVEN_PAIR;
    bool drifts = problem->drift && crn_dot3(problem->drift[j], problem->drift[j]) > 0;
    if (drifts && !held_a && !held_b)
        return CRN_DRIFT_PAIR;
    bool is_round =
        problem->all_round || ((held_a || turns_alike(problem, body.a)) && (held_b || turns_alike(problem, body.b)) &&
                               is_parallel_side(problem, j, held_a, held_b));
    if (held_a || held_b)
        return is_round ? CRN_ROUND_WALL : CRN_GENERAL_WALL;
    return is_round ? CRN_ROUND_PAIR : CRN_GENERAL_PAIR;
}

/* The slab of both moving bodies, or the seam between slabs; behind all seams what lies in none. */
static inline int part_of(const crn_compact *compact, const crn_compact_site *a, const crn_compact_site *b)
{
    int slab_a = a->is_held ? b->slab : a->slab, slab_b = b->is_held ? a->slab : b->slab;
    int low = slab_a < slab_b ? slab_a : slab_b, high = slab_a + slab_b - low;
    if (low == high)
        return low;
    return compact->slab_count + (compact->seam_count == 1 ? 0 : high == low + 1 ? low : compact->seam_count);
}

/* Whether a body lies in one seam alone, as far as is known. The masks of sites are still unused: they hold the seams. */
static inline bool keeps_apart(const crn_compact *compact, int body, int seam)
{
    uint64_t mine = UINT64_C(1) << seam;
    uint64_t all = __atomic_fetch_or(&compact->site[body].mask, mine, __ATOMIC_RELAXED) | mine;
    return all == mine && seam < crn_compact_parts(compact);
}

/* The bodies of a contact; those of a later one are asked for. */
static inline crn_compact_pair foresee_bodies(const crn_compact_problem *problem, int j)
{
    if (!problem->contact)
        crn_foresee(problem->list.bodies, (size_t)(j + CRN_FORESEEN) * problem->list.stride);
    return crn_compact_bodies(problem, j);
}

/* Contacts first .. end-1 where no arm needs a look, nothing resists rolling, and all is one part. */
static bool sort_out_round(crn_compact *compact, int *level_count, uint32_t *kinds, int first, int end)
{
    static const uint8_t KIND[3] = {CRN_ROUND_PAIR, CRN_ROUND_WALL,
                                    CRN_COMPACT_KINDS}; /* by the number of prescribed bodies */
    const crn_compact_problem *problem = compact->problem;
    for (int j = first; j < end; ++j)
    {
        const crn_compact_pair body = crn_compact_bodies(problem, j);
        const crn_compact_site *a = &compact->site[body.a], *b = &compact->site[body.b];
        compact->kind[j] = KIND[(int)a->is_held + (int)b->is_held];
        *kinds |= UINT32_C(1) << compact->kind[j];
        compact->key[j] = a->level < b->level ? a->level : b->level; /* those of prescribed bodies are the highest */
        ++level_count[compact->key[j]];
    }
    return true;
}

static bool sort_out_any(crn_compact *compact, int *level_count, uint32_t *kinds, int first, int end)
{
    const crn_compact_problem *problem = compact->problem;
    bool is_apart = true;
    for (int j = first; j < end; ++j)
    {
        const crn_compact_pair body = foresee_bodies(problem, j);
        assert(body.a >= 0 && body.a < problem->body_count && body.b >= 0 && body.b < problem->body_count);
        assert(body.a != body.b);
        const crn_compact_site *a = &compact->site[body.a], *b = &compact->site[body.b];
        int level = a->level < b->level ? a->level : b->level;
        crn_compact_kind kind = look_at_kind(problem, j, body, a->is_held, b->is_held);
        bool rolls = problem->rolling && (problem->rolling[j].rolling > 0.0 || problem->rolling[j].spinning > 0.0);
        compact->kind[j] = (uint8_t)(rolls && kind != CRN_COMPACT_KINDS ? kind + CRN_ROLLING : kind);
        *kinds |= UINT32_C(1) << compact->kind[j];
        int home = part_of(compact, a, b);
        compact->key[j] = (uint16_t)(home * CRN_COMPACT_LEVELS + level);
        ++level_count[compact->key[j]];
        if (home >= compact->slab_count && compact->seam_count > 1)
            is_apart &= keeps_apart(compact, body.a, home) && keeps_apart(compact, body.b, home);
    }
    return is_apart;
}

static void sort_out_part(void *data, int part)
{
    crn_compact *compact = data;
    const crn_compact_problem *problem = compact->problem;
    size_t count = (size_t)problem->contact_count;
    int parts = crn_compact_shares(problem), *level_count = crn_compact_counts(compact, part);
    int first = (int)crn_part(count, parts, part), end = (int)crn_part(count, parts, part + 1);
    bool is_plain = problem->all_round && !problem->uneven && !problem->drift && !problem->rolling;
    memset(level_count, 0, (size_t)compact->key_count * sizeof *level_count);
    uint32_t kinds = 0;
    bool sorts_plain = is_plain && compact->slab_count == 0;
    compact->is_apart[part] = (sorts_plain ? sort_out_round : sort_out_any)(compact, level_count, &kinds, first, end);
    compact->kinds[part] = kinds;
}

void crn_compact_sort_out(crn_compact *compact)
{
    crn_in_parts(crn_compact_shares(compact->problem), sort_out_part, compact);
}
