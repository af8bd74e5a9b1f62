/* How crn_compact lays a problem out for sweeps.
 *
 * Contacts are coloured: no two contacts of a colour touch the same moving body, so they can be visited at once, in any order and by
 * any thread, with the same result. Within a colour they are sorted by kind, and those of one kind make a segment: a run of
 * groups of `lanes` contacts. A group stores its numbers field by field, `lanes` doubles each, so that a vector of that width
 * loads one field of all its contacts. The last group of a segment is padded with contacts that do nothing to bodies of their own.
 *
 * Kinds: a contact is round if the inertia of its moving bodies is isotropic and their arms are parallel to the normal, as for
 * spheres and disks. It then needs neither arms nor matrices. It is a wall contact if body b is prescribed. The velocity of
 * the prescribed side is then part of the bias, and only one body is read and written. A pair whose surfaces drift is a general pair that
 * stores its drift; that of a wall contact is part of its bias. Contacts of uneven bodies are general ones that store m^-1 of both.
 *
 * Contacts that resist rolling have kinds of their own, with more fields, so that others cost what they did. Where a polygon bounds friction,
 * all contacts have three more fields, the first tangent.
 *
 * Contacts for which the colours have run out form segments that are visited contact by contact.
 */
#ifndef CRN_SOLVE_COMPACT_PACKED_H
#define CRN_SOLVE_COMPACT_PACKED_H

#include "base/memory.h"
#include "solve/compact/compact.h"

#include <stddef.h>

enum
{
    CRN_COMPACT_COLOURS = 64,  /* per band, and one more, the rest */
    CRN_COMPACT_BANDS = 64,    /* the most in all parts together, and one per part */
    CRN_COMPACT_SLABS = 14,    /* the most: colours of all bands are 16-bit numbers */
    CRN_COMPACT_LEVELS = 1024, /* of heights */
    CRN_COMPACT_LANES = 8,     /* the most */
    CRN_COMPACT_PARTS =
        2 * CRN_COMPACT_SLABS, /* the most: slabs, seams, and while seams are looked for, what is no seam */
    CRN_COMPACT_SPARE = 224,   /* bodies of the padding per slab: 2 sides x 14 kinds x lanes */
    CRN_COMPACT_SHARES = 64,   /* the most threads that share a loop */
    CRN_COMPACT_WORDS = 10,    /* of a crn_compact_contact between its bodies and its bias */
};

_Static_assert(offsetof(crn_compact_contact, normal) == 2 * sizeof(int) &&
                   offsetof(crn_compact_contact, bias) == 2 * sizeof(int) + CRN_COMPACT_WORDS * sizeof(double),
               "lanes_rows reads a contact as ten numbers");

typedef enum crn_compact_kind
{
    CRN_ROUND_PAIR,
    CRN_ROUND_WALL,
    CRN_GENERAL_PAIR,
    CRN_GENERAL_WALL,
    CRN_DRIFT_PAIR,
    CRN_UNEVEN_PAIR, /* also if it drifts */
    CRN_UNEVEN_WALL,
    CRN_ROLLING, /* from here on, in the same order: those that resist rolling */
    CRN_ROLLING_ROUND_PAIR = CRN_ROLLING,
    CRN_ROLLING_ROUND_WALL,
    CRN_ROLLING_GENERAL_PAIR,
    CRN_ROLLING_GENERAL_WALL,
    CRN_ROLLING_DRIFT_PAIR,
    CRN_ROLLING_UNEVEN_PAIR,
    CRN_ROLLING_UNEVEN_WALL,
    CRN_COMPACT_KINDS
} crn_compact_kind;

/* do(kind) for each: what is written for a kind that is known has no branches. */
#define CRN_EACH_COMPACT_KIND(do)                                                                                                                                           \
    do                                                                                                                                                                      \
    (CRN_ROUND_PAIR) do(CRN_ROUND_WALL) do(CRN_GENERAL_PAIR) do(CRN_GENERAL_WALL) do(CRN_DRIFT_PAIR) do(CRN_UNEVEN_PAIR) do(CRN_UNEVEN_WALL) do(CRN_ROLLING_ROUND_PAIR) do( \
        CRN_ROLLING_ROUND_WALL) do(CRN_ROLLING_GENERAL_PAIR) do(CRN_ROLLING_GENERAL_WALL) do(CRN_ROLLING_DRIFT_PAIR) do(CRN_ROLLING_UNEVEN_PAIR) do(CRN_ROLLING_UNEVEN_WALL)

/* Fields common to all kinds, then those of each kind. W is the contact's own 3 x 3 block of H A^-1 H'. */
enum
{
    CRN_AT_NORMAL = 0,     /* n: 3 */
    CRN_AT_IMPULSE = 3,    /* r_n, then r_t as a world vector: 4 */
    CRN_AT_MU = 7,         /* mu */
    CRN_AT_KN = 8,         /* 1 / W_nn */
    CRN_AT_STEP = 9,       /* rho: 1 / the largest eigenvalue of W_tt, or of W for the convex law */
    CRN_AT_BIAS = 10,      /* pair: w_n. Wall: w_n n less the velocity of the prescribed side, 3 */
    CRN_AT_RADII = 11,     /* round pair: arm_a = -radius_a n, arm_b = radius_b n: 2 */
    CRN_AT_RADIUS = 13,    /* round wall: arm_a = -radius n */
    CRN_AT_ARM_A = 13,     /* general: 3 */
    CRN_AT_SPIN_A = 16,    /* general: J_a^-1 [arm_a x], row-major: 9 */
    CRN_AT_COUPLING = 25,  /* general: (W n)_t: 3 */
    CRN_AT_STICK = 28,     /* general: the inverse of W_tt on the tangent plane, or of W for the convex law: 9 */
    CRN_AT_ARM_B = 37,     /* general pair: 3 */
    CRN_AT_SPIN_B = 40,    /* general pair: J_b^-1 [arm_b x]: 9 */
    CRN_AT_DRIFT = 49,     /* pair that drifts, uneven pair: 3 */
    CRN_AT_MASS_WALL = 37, /* uneven wall: m_a^-1, row-major: 9 */
    CRN_AT_MASS_A = 52,    /* uneven pair: m_a^-1: 9 */
    CRN_AT_MASS_B = 61,    /* uneven pair: m_b^-1: 9 */
};

/* Fields of contacts that resist rolling, after those of the same kind that do not. */
enum
{
    CRN_TURN_MOMENT = 0, /* m, world: 3 */
    CRN_TURN_REACH = 3,  /* m: bounds per normal impulse, rolling and spinning: 2 */
    CRN_TURN_STEP = 5,   /* 1 / the largest eigenvalue of J_a^-1 + J_b^-1 */
    CRN_TURN_STUCK = 6,  /* round: the same where friction sticks, and turns the bodies back as it does */
    CRN_TURN_SPIN = 7,   /* wall: the angular velocity of the prescribed side, 3 */
    CRN_TURN_J_A = 10,   /* general: J_a^-1, 9 */
    CRN_TURN_J_B = 19,   /* general pair: J_b^-1, 9 */
};

/* Doubles per contact; behind them its first tangent (3), where there is a polygon. */
static const int CRN_COMPACT_FIELDS[CRN_COMPACT_KINDS] = {13, 14, 49, 37, 52, 70, 46, 23, 24, 77, 56, 80, 98, 65};

/* What visits project impulses on. */
typedef enum crn_compact_figure
{
    CRN_FIGURE_DISC,    /* of friction, alone */
    CRN_FIGURE_CONE,    /* normal impulse and friction together: the convex law */
    CRN_FIGURE_POLYGON, /* of friction, alone */
} crn_compact_figure;

/* One run of groups. */
typedef struct crn_compact_segment
{
    crn_compact_kind kind;
    int colour; /* with its band: contacts of different colours may share bodies */
    int part;   /* a slab, or a seam: slab_count and up */
    int lanes, group_count, contact_count;
    int sides;  /* bodies per contact that are written: 2, of wall contacts 1 */
    int fields; /* doubles per contact */
    crn_compact_figure figure;
    const crn_compact_polygon *polygon; /* the problem's */
    double *data;                       /* group_count x fields x lanes */
    int *who;                           /* group_count x (a, and b of a pair) x lanes */
    int *source;    /* group_count x lanes: the contact; ~contact: with a and b exchanged; CRN_COMPACT_PADDING */
    double *before; /* momentum.c: contact_count x 3, in its groups field by field; NULL: it has none */
} crn_compact_segment;

#define CRN_COMPACT_PADDING INT32_MIN

/* What a sweep does for momentum (momentum.c). */
typedef struct crn_compact_pace
{
    bool keeps;    /* what it starts from */
    bool pushes;   /* adds a share of the change since what was kept */
    double share;  /* both shares of momentum.c together */
    double beyond; /* of the same change, by which what is kept then lies beyond the impulses: `further` */
} crn_compact_pace;

/* Where a body is, and the colours of its contacts in the band that was coloured last. */
typedef struct crn_compact_site
{
    uint64_t mask;
    int32_t band;   /* whose colours these are; -1: none yet */
    uint16_t level; /* of its height */
    uint8_t slab;
    bool is_held; /* prescribed: it takes part in no colour and no slab */
} crn_compact_site;

/* A contact on its way to its segment. */
typedef struct crn_compact_entry
{
    int contact, a, b;
    int slot; /* among those of its colour and kind */
    int cell; /* of the table: that colour and kind */
    uint8_t kind;
    bool is_exchanged; /* body a is prescribed: b takes its place */
} crn_compact_entry;

struct crn_compact
{
    crn_arena memory; /* owns the arrays */
    crn_scratch
        *scratch;    /* holds the plan, and then the segments and, where the caller has no room for them, the bodies */
    crn_scratch own; /* where the caller has given none */
    const crn_compact_problem *problem;
    int lanes;
    bool is_backward; /* the next sweep */

    crn_compact_body *body; /* aligned to cache lines. Those of the padding follow the problem's. */
    int slab_count;         /* 0: all contacts are one part */
    int seam_count;         /* slab_count - 1, each between two slabs; 1: all contacts between slabs */
    int part_band[CRN_COMPACT_PARTS + 1],
        part_segment[CRN_COMPACT_PARTS + 1]; /* where each part's begin: slabs, then seams */
    int band_count;                          /* of all parts */
    int *band_start;                         /* band_count + 1, in order */
    int key_count;                           /* levels of all parts and, behind them, of what lies in no seam */
    int *level_count;                        /* per share and key: contacts */
    bool is_apart[CRN_COMPACT_SHARES];       /* per share: no body lies in two seams, as far as it knows */
    uint32_t kinds[CRN_COMPACT_SHARES];      /* per share: a bit for every kind that occurs */
    uint16_t *level_band;                    /* per key: their band */
    uint8_t *kind; /* per contact: a crn_compact_kind; CRN_COMPACT_KINDS: both bodies are prescribed, it is left out */
    /* while it is planned, in the scratch */
    crn_compact_site *site;   /* per body */
    crn_compact_entry *entry; /* contacts by band, from the bottom up */
    uint16_t *key;            /* per contact: part * CRN_COMPACT_LEVELS + level */

    crn_compact_segment *segment;
    int segment_count;
    bool has_momentum;
    int *member; /* bodies that can move, slab by slab */
    int slab_member[CRN_COMPACT_SLABS + 1];
    int kind_count;                /* of the kinds that occur */
    int column[CRN_COMPACT_KINDS]; /* per kind: its place among these */
    uint8_t of[CRN_COMPACT_KINDS]; /* and per place: the kind */
    int *table;                    /* by colour and kind: contacts; once segments are listed, the segment */
};

static inline bool crn_compact_is_prescribed(const crn_compact_problem *problem, int body)
{
    return problem->body[body].inverse_mass == 0.0;
}

static inline crn_compact_figure crn_compact_figure_of(const crn_compact_problem *problem)
{
    if (problem->polygon)
        return CRN_FIGURE_POLYGON;
    return problem->law == CAIRN_LAW_CONVEX_CONE || problem->law == CAIRN_LAW_CONVEX_PYRAMID ? CRN_FIGURE_CONE
                                                                                             : CRN_FIGURE_DISC;
}

/* Doubles per contact. */
static inline int crn_compact_fields_per(crn_compact_kind kind, crn_compact_figure figure)
{
    return CRN_COMPACT_FIELDS[kind] + (figure == CRN_FIGURE_POLYGON ? 3 : 0);
}

/* How many threads share a loop over a problem's contacts: several where it is worth waking them. */
int crn_compact_shares(const crn_compact_problem *problem);

/* Where the table has the contacts of a colour and kind. */
static inline int *crn_compact_cell(const crn_compact *compact, int colour, int kind)
{
    return &compact->table[colour * compact->kind_count + compact->column[kind]];
}

/* What a share has counted. */
static inline int *crn_compact_counts(const crn_compact *compact, int share)
{
    return compact->level_count + (size_t)share * (size_t)compact->key_count;
}

/* Slabs and what lies between them. */
static inline int crn_compact_parts(const crn_compact *compact)
{
    return compact->slab_count > 0 ? compact->slab_count + compact->seam_count : 1;
}

/* Bodies of the padding. */
static inline size_t crn_compact_spare(const crn_compact *compact)
{
    return (size_t)(CRN_COMPACT_SPARE * (compact->slab_count > 0 ? compact->slab_count : 1));
}

/* The first of those of a part. A seam and the slab below it never have a turn at the same time. */
static inline int crn_compact_padding_body(const crn_compact *compact, int part)
{
    int slab = part < compact->slab_count || compact->slab_count == 0 ? part : part - compact->slab_count;
    return compact->problem->body_count + CRN_COMPACT_SPARE * slab;
}

/* slab.c: slabs of a problem of so many bodies that has places across; two at least, or none. */
int crn_compact_slabs(int body_count);

/* Phases in which slabs and seams take turns, slabs first unless `seams_first`: work(data, part, phase) for every part. No part works beside
 * another one whose bodies its contacts touch. */
void crn_compact_alternate(const crn_compact *compact, int phases, bool seams_first,
                           void (*work)(void *data, int part, int phase), void *data);

static inline int crn_compact_sides(crn_compact_kind kind)
{
    crn_compact_kind plain = kind % CRN_ROLLING;
    return plain == CRN_ROUND_WALL || plain == CRN_GENERAL_WALL || plain == CRN_UNEVEN_WALL ? 1 : 2;
}

static inline bool crn_compact_kind_is_round(crn_compact_kind kind)
{
    return kind % CRN_ROLLING == CRN_ROUND_PAIR || kind % CRN_ROLLING == CRN_ROUND_WALL;
}

static inline bool crn_compact_kind_is_uneven(crn_compact_kind kind)
{
    return kind % CRN_ROLLING == CRN_UNEVEN_PAIR || kind % CRN_ROLLING == CRN_UNEVEN_WALL;
}

/* Both surfaces move, and may drift. */
static inline bool crn_compact_drifts(crn_compact_kind kind)
{
    return kind % CRN_ROLLING == CRN_DRIFT_PAIR || kind % CRN_ROLLING == CRN_UNEVEN_PAIR;
}

static inline bool crn_compact_is_uneven(const crn_compact_problem *problem, int body)
{
    return problem->uneven && problem->uneven[body] >= 0;
}

/* Where the fields of CRN_TURN_MOMENT and so on begin; 0: it has none. */
static inline int crn_compact_turns(crn_compact_kind kind)
{
    return kind < CRN_ROLLING ? 0 : CRN_COMPACT_FIELDS[kind - CRN_ROLLING];
}

static inline size_t crn_compact_slots(const crn_compact_segment *s)
{
    return (size_t)s->group_count * (size_t)s->lanes;
}

/* Doubles of a segment, so that the next one begins with a cache line. */
static inline size_t crn_compact_doubles(const crn_compact_segment *s)
{
    return (crn_compact_slots(s) * (size_t)s->fields + 7) & ~(size_t)7;
}

/* The widest vectors that the processor has: 1, 4 or 8 doubles. */
int crn_compact_widest(void);

/* The steps of a plan: the slab and level of every body; kind and key of every contact; all contacts by band. */
cairn_status crn_compact_divide(crn_compact *compact);
void crn_compact_sort_out(crn_compact *compact);
cairn_status crn_compact_band(crn_compact *compact);

/* Colour the contacts and make the segments, with their contacts and room for their data and the bodies. */
cairn_status crn_compact_plan(crn_compact *compact);

/* momentum.c: find room for it, while sites are known; what sweep i of `count` does, the first of them backward or not; and what it does for
 * the bodies of a slab before (it keeps) and after it visits its contacts (it pushes). */
cairn_status crn_compact_plan_momentum(crn_compact *compact);
crn_compact_pace crn_compact_pace_of(const crn_compact *compact, int i, int count);
void crn_compact_pace_bodies(const crn_compact *compact, int part, crn_compact_pace pace);

/* Write where every contact goes; then, once the bodies are there, the data. */
void crn_compact_place(crn_compact *compact);
void crn_compact_fill(crn_compact *compact, const double (*impulse)[3]);

/* body: the velocities that the impulses (NULL: none) lead to, from the problem's own data. */
void crn_compact_velocities(const crn_compact_problem *problem, const double (*impulse)[3], crn_compact_body *body);

/* Add the impulses of the contacts from contacts[0] to contacts[1] - 1 to the momenta of the bodies first .. end-1, which are in the place of their
 * velocities: v += p, w += arm x p. Both widths give the same bits. */
typedef void crn_compact_momenta(const crn_compact_problem *problem, const double (*impulse)[3], const int contacts[2],
                                 crn_compact_body *body, int first, int end);
crn_compact_momenta crn_compact_momenta_1, crn_compact_momenta_4;

/* Write all fields of a segment's contacts, whose `who` and `source` are there. All widths give the same bits. */
typedef void crn_compact_fields(const crn_compact *compact, const double (*impulse)[3],
                                const crn_compact_segment *segment);
crn_compact_fields crn_compact_fields_1, crn_compact_fields_4, crn_compact_fields_8;

/* Visit all contacts of the groups first .. end-1 of a segment, once. Returns the square of the largest change of a contact's
 * velocity by its own impulse if `measure`, and 0 otherwise. All widths give the same bits. */
typedef double crn_compact_visits(const crn_compact_segment *segment, crn_compact_body *body, int first, int end,
                                  bool measure, crn_compact_pace pace);
crn_compact_visits crn_compact_visits_1, crn_compact_visits_4, crn_compact_visits_8;

#endif
