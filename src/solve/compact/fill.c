/* Where every contact goes, then the fields of all groups (fields.h). */
#include "solve/compact/packed.h"

#include "base/parallel_ranges.h"

#include <assert.h>

/* The last group has padding where no contact fills it. Its bodies are nobody else's in its colour and part. */
static void pad(const crn_compact_segment *s, int padding_body)
{
    int sides = s->sides, last = s->group_count - 1;
    for (int k = 0; k < sides * s->lanes; ++k)
        s->who[last * sides * s->lanes + k] = padding_body + (int)s->kind * 2 * CRN_COMPACT_LANES + k;
    for (int k = 0; k < s->lanes; ++k)
        s->source[last * s->lanes + k] = CRN_COMPACT_PADDING;
}

static void place(const crn_compact *compact, const crn_compact_entry *e)
{
    const crn_compact_segment *s = &compact->segment[compact->table[e->cell]];
    int lane = e->slot & (s->lanes - 1), sides = s->sides; /* lanes are a power of two */
    int *who = s->who + (e->slot - lane) * sides + lane;
    assert(e->slot >= 0 && e->slot < s->group_count * s->lanes);
    s->source[e->slot] = e->is_exchanged ? ~e->contact : e->contact;
    who[0] = e->is_exchanged ? e->b : e->a;
    if (sides == 2)
        who[s->lanes] = e->b;
}

/* A problem on its way into the segments. */
typedef struct filling
{
    const crn_compact *compact;
    const double (*impulse)[3];
    int parts;
} filling;

static void place_part(void *data, int part)
{
    const filling *fill = data;
    size_t count = (size_t)fill->compact->problem->contact_count, end = crn_part(count, fill->parts, part + 1);
    for (size_t i = crn_part(count, fill->parts, part); i < end; ++i)
        if (fill->compact->entry[i].kind != CRN_COMPACT_KINDS)
            place(fill->compact, &fill->compact->entry[i]);
}

static void fields_part(void *data, int part)
{
    const filling *fill = data;
    size_t count = (size_t)fill->compact->segment_count, end = crn_part(count, fill->parts, part + 1);
    for (size_t k = crn_part(count, fill->parts, part); k < end; ++k)
    {
        const crn_compact_segment *s = &fill->compact->segment[k];
        crn_compact_fields *fields = s->lanes == 8   ? crn_compact_fields_8
                                     : s->lanes == 4 ? crn_compact_fields_4
                                                     : crn_compact_fields_1;
        fields(fill->compact, fill->impulse, s);
    }
}

void crn_compact_place(crn_compact *compact)
{
    filling fill = {compact, NULL, crn_compact_shares(compact->problem)};
    for (int k = 0; k < compact->segment_count; ++k)
        pad(&compact->segment[k], crn_compact_padding_body(compact, compact->segment[k].part));
    crn_in_parts(fill.parts, place_part, &fill);
}

void crn_compact_fill(crn_compact *compact, const double (*impulse)[3])
{
    filling fill = {compact, impulse, crn_compact_shares(compact->problem)};
    crn_in_parts(fill.parts, fields_part, &fill);
}
