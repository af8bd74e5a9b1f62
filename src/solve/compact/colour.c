/* The kind and the colour of every contact, and the segments that follow from them. */
#include "solve/compact/packed.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    REST = CRN_COMPACT_COLOURS
};

/* Relative to the arm: what rounding makes of the arm of a sphere. */
static const double PARALLEL = 1e-13;

/* --------------------------------------------------------------------------------------------------------------- kinds */

static bool is_parallel(const double arm[3], const double n[3])
{
    double across[3];
    crn_cross3(arm, n, across);
    return crn_dot3(across, across) <= PARALLEL * PARALLEL * crn_dot3(arm, arm);
}

static bool is_round_side(const crn_compact_problem *problem, int body, const double arm[3], const double n[3])
{
    return crn_compact_is_prescribed(problem, body) ||
           ((!problem->is_round || problem->is_round[body]) && is_parallel(arm, n));
}

/* CRN_COMPACT_KINDS: nothing to solve for, both bodies are prescribed. */
static crn_compact_kind kind_of(const crn_compact_problem *problem, const crn_compact_contact *c)
{
    bool held_a = crn_compact_is_prescribed(problem, c->a), held_b = crn_compact_is_prescribed(problem, c->b);
    bool is_round =
        is_round_side(problem, c->a, c->arm_a, c->normal) && is_round_side(problem, c->b, c->arm_b, c->normal);
    if (held_a && held_b)
        return CRN_COMPACT_KINDS;
    if (held_a || held_b)
        return is_round ? CRN_ROUND_WALL : CRN_GENERAL_WALL;
    return is_round ? CRN_ROUND_PAIR : CRN_GENERAL_PAIR;
}

/* ------------------------------------------------------------------------------------------------------------- colours */

/* The first colour that neither body has yet. Prescribed bodies take part in none. */
static uint8_t colour_of(uint64_t *mask_a, uint64_t *mask_b)
{
    uint64_t taken = *mask_a | *mask_b;
    if (taken == UINT64_MAX)
        return REST;
    int colour = __builtin_ctzll(~taken);
    *mask_a |= UINT64_C(1) << colour;
    *mask_b |= UINT64_C(1) << colour;
    return (uint8_t)colour;
}

/* Colour the contacts of one band. Masks of its bodies begin empty. */
static void colour_band(crn_compact *compact, int band)
{
    const crn_compact_problem *problem = compact->problem;
    for (int i = compact->band_start[band]; i < compact->band_start[band + 1]; ++i)
    {
        const crn_compact_contact *c = &problem->contact[compact->order[i]];
        compact->mask[c->a] = compact->mask[c->b] = 0;
    }
    for (int i = compact->band_start[band]; i < compact->band_start[band + 1]; ++i)
    {
        int j = compact->order[i];
        const crn_compact_contact *c = &problem->contact[j];
        uint64_t nobody = 0;
        if (compact->kind[j] == CRN_COMPACT_KINDS)
            continue;
        int colour = colour_of(crn_compact_is_prescribed(problem, c->a) ? &nobody : &compact->mask[c->a],
                               crn_compact_is_prescribed(problem, c->b) ? &nobody : &compact->mask[c->b]);
        compact->colour[j] = (uint16_t)(band * (REST + 1) + colour);
        ++compact->count[compact->colour[j]][compact->kind[j]];
    }
}

static void find_kinds(crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const crn_compact_contact *c = &problem->contact[j];
        assert(c->a >= 0 && c->a < problem->body_count && c->b >= 0 && c->b < problem->body_count && c->a != c->b);
        assert(crn_is_unit3(c->normal));
        assert(c->mu >= 0.0);
        compact->kind[j] = (uint8_t)kind_of(problem, c);
    }
}

/* ------------------------------------------------------------------------------------------------------------ segments */

/* Band by band and colour by colour, the serial ones last in each band. */
static void list_segments(crn_compact *compact)
{
    int part = 0;
    compact->segment_count = compact->part_segment[0] = 0;
    for (int colour = 0; colour < compact->band_count * (REST + 1); ++colour)
    {
        for (; colour >= compact->part_band[part + 1] * (REST + 1); ++part)
            compact->part_segment[part + 1] = compact->segment_count;
        for (int kind = 0; kind < CRN_COMPACT_KINDS; ++kind)
        {
            int count = compact->count[colour][kind];
            if (count == 0)
                continue;
            bool is_serial = colour % (REST + 1) == REST;
            int lanes = is_serial ? 1 : compact->lanes;
            compact->segment_at[colour][kind] = compact->segment_count;
            compact->segment[compact->segment_count++] =
                (crn_compact_segment){.kind = (crn_compact_kind)kind,
                                      .colour = colour,
                                      .part = part,
                                      .is_serial = is_serial,
                                      .lanes = lanes,
                                      .group_count = (count + lanes - 1) / lanes};
        }
    }
    compact->part_segment[part + 1] = compact->segment_count;
    assert(part + 1 == crn_compact_parts(compact));
}

/* Reserve the memory of all segments and divide it among them. */
static cairn_status place_segments(crn_compact *compact)
{
    size_t fields = 0, sides = 0, slots = 0;
    for (int k = 0; k < compact->segment_count; ++k)
    {
        const crn_compact_segment *s = &compact->segment[k];
        slots += crn_compact_slots(s);
        fields += crn_compact_room(s);
        sides += crn_compact_slots(s) * (size_t)crn_compact_sides(s->kind);
    }
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->data, fields + CRN_COMPACT_LANES),
                            CRN_ARRAY(compact->who, sides), CRN_ARRAY(compact->source, slots)));
    double *data = crn_compact_align(compact->data);
    int *who = compact->who, *source = compact->source;
    for (int k = 0; k < compact->segment_count; ++k)
    {
        crn_compact_segment *s = &compact->segment[k];
        s->data = data;
        s->who = who;
        s->source = source;
        data += crn_compact_room(s);
        who += crn_compact_slots(s) * (size_t)crn_compact_sides(s->kind);
        source += crn_compact_slots(s);
    }
    return CAIRN_OK;
}

cairn_status crn_compact_plan(crn_compact *compact)
{
    size_t contacts = (size_t)compact->problem->contact_count;
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->mask, compact->problem->body_count),
                            CRN_ARRAY(compact->colour, contacts), CRN_ARRAY(compact->kind, contacts)));
    CRN_TRY(crn_compact_divide(compact));
    CRN_TRY(crn_compact_band(compact));
    size_t colours = (size_t)compact->band_count * (REST + 1), most = colours * CRN_COMPACT_KINDS;
    most = most < contacts ? most : contacts;
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->count, colours),
                            CRN_ARRAY(compact->segment_at, colours), CRN_ARRAY(compact->segment, most)));
    memset(compact->count, 0, colours * sizeof *compact->count);
    find_kinds(compact);
    for (int band = 0; band < compact->band_count; ++band)
        colour_band(compact, band);
    list_segments(compact);
    return place_segments(compact);
}
