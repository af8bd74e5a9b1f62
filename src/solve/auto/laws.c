#include "solve/auto/laws.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const crn_law_class LAWS[] = {
    [CAIRN_LAW_FRICTIONLESS] = {"frictionless", "frictionless", .is_frictionless = true, .is_polyhedral = true},
    [CAIRN_LAW_PYRAMID] = {"pyramid", "pyramid(m)", .is_polyhedral = true, .has_polygon = true},
    [CAIRN_LAW_BOX] = {"box", "box", .is_box = true, .is_polyhedral = true},
    [CAIRN_LAW_CONE] = {"cone", "cone", .is_conical = true},
    [CAIRN_LAW_CONVEX_PYRAMID] = {"convex pyramid", "convex pyramid(m)", .is_polyhedral = true, .has_polygon = true,
                                  .is_conical = true, .lifts_off = true},
    [CAIRN_LAW_CONVEX_CONE] = {"convex cone", "convex cone", .is_conical = true, .lifts_off = true},
    [CAIRN_LAW_LAGGED] = {"lagged", "lagged", .has_radius = true},
};
static const int LAW_COUNT = sizeof LAWS / sizeof LAWS[0];

const crn_law_class *crn_law_class_of(cairn_law_kind kind)
{
    return (int)kind >= 0 && (int)kind < LAW_COUNT ? &LAWS[kind] : NULL;
}

const crn_law_class *crn_law_of(const cairn_problem *problem)
{
    assert(crn_law_is_valid(problem->law));
    return &LAWS[problem->law.kind];
}

bool crn_law_uses_polygon(const cairn_problem *problem)
{
    return problem->dim == 3 && crn_law_of(problem)->has_polygon;
}

const char *crn_law_word(int index)
{
    const crn_law_class *law = crn_law_class_of((cairn_law_kind)index);
    return law ? law->word : NULL;
}

static bool is_count(long m)
{
    return m >= 4 && m % 2 == 0 && m <= CAIRN_MAX_DIRECTIONS;
}

bool crn_law_is_valid(cairn_law law)
{
    const crn_law_class *found = crn_law_class_of(law.kind);
    return found && (!found->has_polygon || is_count(law.directions));
}

bool cairn_law_lifts_off(cairn_law_kind kind)
{
    const crn_law_class *law = crn_law_class_of(kind);
    return law && law->lifts_off;
}

void cairn_law_name(cairn_law law, char *text, size_t size)
{
    const crn_law_class *found = crn_law_class_of(law.kind);
    if (found && found->has_polygon)
        snprintf(text, size, "%s(%d)", found->name, law.directions);
    else
        snprintf(text, size, "%s", found ? found->name : "unknown");
}

/* The m of "(m)"; 0 unless it is an allowed number of directions. */
static int parse_directions(const char *text)
{
    char *end;
    long m = text[0] == '(' ? strtol(text + 1, &end, 10) : 0;
    return text[0] == '(' && strcmp(end, ")") == 0 && is_count(m) ? (int)m : 0;
}

bool cairn_law_parse(const char *text, cairn_law *out)
{
    for (int i = 0; text && i < LAW_COUNT; ++i)
    {
        size_t length = strlen(LAWS[i].name);
        if (strncmp(text, LAWS[i].name, length) != 0)
            continue;
        int m = parse_directions(text + length);
        if (LAWS[i].has_polygon ? m > 0 : text[length] == '\0')
        {
            *out = (cairn_law){(cairn_law_kind)i, m};
            assert(crn_law_is_valid(*out));
            return true;
        }
    }
    return false;
}
