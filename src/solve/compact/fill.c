/* Where every contact goes, then the fields of all groups (fields.h). */
#include "solve/compact/packed.h"

#include <assert.h>

/* The last group has padding where no contact fills it. Its bodies are nobody else's in its colour. */
static void pad(const crn_compact_segment *s, int padding_body)
{
    int sides = crn_compact_sides(s->kind), last = s->group_count - 1;
    for (int k = 0; k < sides * s->lanes; ++k)
        s->who[last * sides * s->lanes + k] = padding_body + (int)s->kind * 2 * CRN_COMPACT_LANES + k;
    for (int k = 0; k < s->lanes; ++k)
        s->source[last * s->lanes + k] = CRN_COMPACT_PADDING;
}

static void place(const crn_compact_problem *problem, const crn_compact_segment *s, int slot, int j)
{
    const crn_compact_contact *c = &problem->contact[j];
    bool exchanged = crn_compact_is_prescribed(problem, c->a);
    int group = slot / s->lanes, lane = slot % s->lanes, sides = crn_compact_sides(s->kind);
    int *who = s->who + group * sides * s->lanes + lane;
    assert(slot >= 0 && group < s->group_count);
    s->source[slot] = exchanged ? ~j : j;
    who[0] = exchanged ? c->b : c->a;
    if (sides == 2)
        who[s->lanes] = c->b;
}

void crn_compact_fill(crn_compact *compact, const double (*impulse)[3])
{
    const crn_compact_problem *problem = compact->problem;
    int filled[(CRN_COMPACT_COLOURS + 1) * CRN_COMPACT_KINDS] = {0};
    for (int k = 0; k < compact->segment_count; ++k)
        pad(&compact->segment[k], problem->body_count);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (compact->kind[j] == CRN_COMPACT_KINDS)
            continue;
        int k = compact->segment_at[compact->colour[j]][compact->kind[j]];
        place(problem, &compact->segment[k], filled[k]++, j);
    }
    for (int k = 0; k < compact->segment_count; ++k)
    {
        const crn_compact_segment *s = &compact->segment[k];
        crn_compact_fields *fields = s->lanes == 8   ? crn_compact_fields_8
                                     : s->lanes == 4 ? crn_compact_fields_4
                                                     : crn_compact_fields_1;
        fields(compact, impulse, s);
    }
}
