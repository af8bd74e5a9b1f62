/* The colour of every contact, and the segments that follow from colours and kinds. */
#include "solve/compact/packed.h"

#include <assert.h>
#include <string.h>

enum
{
    REST = CRN_COMPACT_COLOURS,
    FEW = 4 /* contacts: a width of vectors, too */
};

/* ------------------------------------------------------------------------------------------------------------- colours */

/* The colours that a body has in a band. */
static inline uint64_t mask_of(const crn_compact_site *site, int band)
{
    return site->band != band ? 0 : site->mask;
}

static inline void add_colour(crn_compact_site *site, int band, int colour)
{
    if (site->is_held)
        return;
    uint64_t mask = mask_of(site, band);
    site->mask = mask | UINT64_C(1) << colour;
    site->band = band;
}

/* Colour the contacts of one band: each gets the first colour that neither body has yet. */
static void colour_band(crn_compact *compact, int band)
{
    for (int i = compact->band_start[band]; i < compact->band_start[band + 1]; ++i)
    {
        crn_compact_entry *e = &compact->entry[i];
        crn_compact_site *a = &compact->site[e->a], *b = &compact->site[e->b];
        if (e->kind == CRN_COMPACT_KINDS)
            continue;
        uint64_t taken = mask_of(a, band) | mask_of(b, band);
        int colour = taken == UINT64_MAX ? REST : __builtin_ctzll(~taken);
        if (colour < REST)
        {
            add_colour(a, band, colour);
            add_colour(b, band, colour);
        }
        e->cell = (band * (REST + 1) + colour) * compact->kind_count + compact->column[e->kind];
        e->slot = compact->table[e->cell]++;
        e->is_exchanged = a->is_held;
    }
}

/* A slab or a seam. In its turn its bodies are nobody else's. */
static void colour_part(void *data, int part, int phase)
{
    (void)phase;
    crn_compact *compact = data;
    for (int band = compact->part_band[part]; band < compact->part_band[part + 1]; ++band)
        colour_band(compact, band);
}

/* ------------------------------------------------------------------------------------------------------------ segments */

/* Find the kinds that occur: most problems have two of them. */
static void find_kinds(crn_compact *compact)
{
    uint32_t occur = 0;
    for (int share = 0; share < crn_compact_shares(compact->problem); ++share)
        occur |= compact->kinds[share];
    compact->kind_count = 0;
    for (int kind = 0; kind < CRN_COMPACT_KINDS; ++kind)
    {
        if (!(occur >> kind & 1))
            continue;
        compact->of[compact->kind_count] = (uint8_t)kind;
        compact->column[kind] = compact->kind_count++;
    }
}

/* The rest share bodies and are visited one by one. A few are not worth the widest vectors. */
static int lanes_of(const crn_compact *compact, int colour, int count)
{
    if (colour % (REST + 1) == REST)
        return 1;
    return compact->lanes > FEW && count <= FEW ? FEW : compact->lanes;
}

/* Band by band and colour by colour, the serial ones last in each band. */
static void list_segments(crn_compact *compact)
{
    int part = 0;
    crn_compact_figure figure = crn_compact_figure_of(compact->problem);
    compact->segment_count = compact->part_segment[0] = 0;
    for (int colour = 0; colour < compact->band_count * (REST + 1); ++colour)
    {
        for (; colour >= compact->part_band[part + 1] * (REST + 1); ++part)
            compact->part_segment[part + 1] = compact->segment_count;
        for (int k = 0; k < compact->kind_count; ++k)
        {
            int *cell = &compact->table[colour * compact->kind_count + k], count = *cell;
            if (count == 0)
                continue;
            int lanes = lanes_of(compact, colour, count);
            *cell = compact->segment_count;
            compact->segment[compact->segment_count++] =
                (crn_compact_segment){.kind = (crn_compact_kind)compact->of[k],
                                      .colour = colour,
                                      .part = part,
                                      .lanes = lanes,
                                      .sides = crn_compact_sides((crn_compact_kind)compact->of[k]),
                                      .fields = crn_compact_fields_per((crn_compact_kind)compact->of[k], figure),
                                      .figure = figure,
                                      .polygon = compact->problem->polygon,
                                      .group_count = (count + lanes - 1) / lanes,
                                      .contact_count = count};
        }
    }
    compact->part_segment[part + 1] = compact->segment_count;
    assert(part + 1 == crn_compact_parts(compact));
}

/* ------------------------------------------------------------------------------------------------- the use of the scratch */

/* How the scratch is divided, in bytes: first the plan, whose place the data and the bodies take when it is done, then who the contacts of
 * the segments are. */
typedef struct division
{
    size_t plan, data, bodies, sides, slots;
} division;

static division divide(const crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    size_t bodies = (size_t)problem->body_count, contacts = (size_t)problem->contact_count;
    division d = {.plan = bodies * sizeof(crn_compact_site) +
                          contacts * (sizeof(crn_compact_entry) + sizeof(uint16_t) /* key */)};
    for (int k = 0; k < compact->segment_count; ++k)
    {
        const crn_compact_segment *s = &compact->segment[k];
        d.data += crn_compact_doubles(s) * sizeof(double);
        d.slots += crn_compact_slots(s) * sizeof(int);
        d.sides += crn_compact_slots(s) * (size_t)s->sides * sizeof(int);
    }
    d.bodies = problem->room ? 0 : (bodies + crn_compact_spare(compact)) * sizeof(crn_compact_body);
    return d;
}

static void plan_at(crn_compact *compact, void *memory)
{
    compact->site = memory;
    compact->entry = (crn_compact_entry *)(compact->site + compact->problem->body_count);
    compact->key = (uint16_t *)(compact->entry + compact->problem->contact_count);
}

/* For the plan. */
static cairn_status take_plan(crn_compact *compact)
{
    compact->segment_count = 0;
    void *memory = crn_scratch_take(compact->scratch, divide(compact).plan);
    if (memory)
        plan_at(compact, memory);
    return memory ? CAIRN_OK : CAIRN_NO_MEMORY;
}

/* For all that follows. The places of the segments are behind the plan, which is still there. */
static cairn_status take_all(crn_compact *compact)
{
    enum
    {
        LINE = 64 /* bytes: data begin with a cache line */
    };
    const division d = divide(compact);
    size_t before = d.data + d.bodies + LINE > d.plan ? d.data + d.bodies + LINE : (d.plan + 7) & ~(size_t)7;
    char *memory = crn_scratch_take(compact->scratch, before + d.sides + d.slots);
    if (!memory)
        return CAIRN_NO_MEMORY;
    plan_at(compact, memory);
    int *who = (int *)(memory + before), *source = (int *)(memory + before + d.sides);
    double *data = crn_compact_align(memory);
    compact->body = compact->problem->room ? compact->problem->room : (crn_compact_body *)data;
    assert(compact->body == crn_compact_align(compact->body));
    data += d.bodies / sizeof(double);
    for (int k = 0; k < compact->segment_count; ++k)
    {
        crn_compact_segment *s = &compact->segment[k];
        s->data = data;
        s->who = who;
        s->source = source;
        data += crn_compact_doubles(s);
        who += crn_compact_slots(s) * (size_t)s->sides;
        source += crn_compact_slots(s);
    }
    return CAIRN_OK;
}

cairn_status crn_compact_plan(crn_compact *compact)
{
    size_t contacts = (size_t)compact->problem->contact_count;
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->kind, contacts)));
    CRN_TRY(take_plan(compact));
    CRN_TRY(crn_compact_divide(compact));
    crn_compact_sort_out(compact);
    CRN_TRY(crn_compact_band(compact));
    find_kinds(compact);
    size_t cells = (size_t)(compact->band_count * (REST + 1) * compact->kind_count), segments = 0;
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->table, cells)));
    memset(compact->table, 0, cells * sizeof *compact->table);
    crn_compact_alternate(compact, 2, false, colour_part, compact);
    for (size_t i = 0; i < cells; ++i)
        segments += compact->table[i] > 0;
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->segment, segments)));
    list_segments(compact);
    CRN_TRY(take_all(compact));
    crn_compact_place(compact);
    CRN_TRY(crn_compact_plan_momentum(compact));
    compact->site = NULL; /* data take the place of the plan */
    compact->entry = NULL;
    compact->key = NULL;
    return CAIRN_OK;
}
