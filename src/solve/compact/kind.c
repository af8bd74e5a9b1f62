/* What every contact is, in one pass over the contacts: its kind, its part of the problem, and the level of its lower body. */
#include "solve/compact/packed.h"

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

static inline bool is_round_side(const crn_compact_problem *problem, int body, const double arm[3], const double n[3])
{
    return (!problem->is_round || problem->is_round[body]) && is_parallel(arm, n);
}

/* CRN_COMPACT_KINDS: nothing to solve for, both bodies are prescribed. */
static inline crn_compact_kind look_at_kind(const crn_compact_problem *problem, int j, bool held_a, bool held_b)
{
    const crn_compact_contact here = crn_compact_at(problem, j), *c = &here;
    assert(crn_is_unit3(c->normal));
    assert(c->mu >= 0.0);
    bool is_round = (held_a || is_round_side(problem, c->a, c->arm_a, c->normal)) &&
                    (held_b || is_round_side(problem, c->b, c->arm_b, c->normal));
    if (held_a && held_b)
        return CRN_COMPACT_KINDS;
    bool is_uneven = crn_compact_is_uneven(problem, c->a) || crn_compact_is_uneven(problem, c->b);
    if (is_uneven)
        return held_a || held_b ? CRN_UNEVEN_WALL : CRN_UNEVEN_PAIR;
    if (held_a || held_b)
        return is_round ? CRN_ROUND_WALL : CRN_GENERAL_WALL;
    if (problem->drift && crn_dot3(problem->drift[j], problem->drift[j]) > 0)
        return CRN_DRIFT_PAIR;
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

/* The same where the arms need no look. */
static inline crn_compact_kind round_kind_of(bool held_a, bool held_b)
{
    return held_a && held_b ? CRN_COMPACT_KINDS : held_a || held_b ? CRN_ROUND_WALL : CRN_ROUND_PAIR;
}

static void sort_out_part(void *data, int part)
{
    crn_compact *compact = data;
    const crn_compact_problem *problem = compact->problem;
    size_t count = (size_t)problem->contact_count;
    int parts = crn_compact_shares(problem), end = (int)crn_part(count, parts, part + 1);
    bool all_round = problem->all_round && !problem->uneven && !problem->drift;
    int *level_count = crn_compact_counts(compact, part);
    memset(level_count, 0, (size_t)compact->key_count * sizeof *level_count);
    bool is_apart = true;
    for (int j = (int)crn_part(count, parts, part); j < end; ++j)
    {
        const crn_compact_pair body = crn_compact_bodies(problem, j);
        assert(body.a >= 0 && body.a < problem->body_count && body.b >= 0 && body.b < problem->body_count);
        assert(body.a != body.b);
        const crn_compact_site *a = &compact->site[body.a], *b = &compact->site[body.b];
        int level = a->level < b->level ? a->level : b->level; /* those of prescribed bodies are the highest */
        crn_compact_kind kind =
            all_round ? round_kind_of(a->is_held, b->is_held) : look_at_kind(problem, j, a->is_held, b->is_held);
        bool rolls = problem->rolling && (problem->rolling[j].rolling > 0.0 || problem->rolling[j].spinning > 0.0);
        compact->kind[j] = (uint8_t)(rolls && kind != CRN_COMPACT_KINDS ? kind + CRN_ROLLING : kind);
        int home = part_of(compact, a, b);
        compact->key[j] = (uint16_t)(home * CRN_COMPACT_LEVELS + level);
        ++level_count[compact->key[j]];
        if (home >= compact->slab_count && compact->seam_count > 1)
            is_apart &= keeps_apart(compact, body.a, home) && keeps_apart(compact, body.b, home);
    }
    compact->is_apart[part] = is_apart;
}

cairn_status crn_compact_sort_out(crn_compact *compact)
{
    int parts = crn_compact_shares(compact->problem);
    compact->key_count = (crn_compact_parts(compact) + 1) * CRN_COMPACT_LEVELS;
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->level_count, parts * compact->key_count),
                            CRN_ARRAY(compact->level_band, compact->key_count)));
    crn_in_parts(parts, sort_out_part, compact);
    return CAIRN_OK;
}
