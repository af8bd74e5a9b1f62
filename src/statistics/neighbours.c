/* Coordination: how many neighbours a grain has.
 *
 * A neighbour counts once, however many points two bodies touch in. Other grains are told apart as bodies, all else (floors, walls) by
 * shapes: a grain in the corner of a bin has two walls and a floor as neighbours. The neighbours of each grain are listed as pairs
 * (grain, neighbour), sorted, and equal ones dropped.
 */
#include "statistics/grains.h"

#include <math.h>
#include <stdlib.h>

typedef struct pair
{
    int grain;
    int64_t neighbour;
} pair;

static int compare_pairs(const void *left, const void *right)
{
    const pair *a = left, *b = right;
    int order = (a->grain > b->grain) - (a->grain < b->grain);
    return order != 0 ? order : (a->neighbour > b->neighbour) - (a->neighbour < b->neighbour);
}

/* Add the pairs of a contact for the grains in the region; `wall` names the shapes. */
static int add_pairs(const cairn_simulation *s, const crn_statistic *of, const int body[2], const int64_t wall[2],
                     pair *out)
{
    int added = 0;
    for (int side = 0; side < 2; ++side)
        if (crn_grain_is_in(s, of, body[side]))
        {
            int other = 1 - side;
            bool grain = crn_is_grain(s, body[other]);
            out[added++] = (pair){body[side], grain ? body[other] : wall[other]};
        }
    return added;
}

/* The pairs of contacts that carry a force. */
static pair *loaded_pairs(const cairn_simulation *s, const crn_statistic *of, int *count)
{
    crn_loads loads;
    *count = 0;
    if (crn_loads_find(s, &loads))
        return NULL;
    pair *all = malloc((2 * (size_t)loads.count + 1) * sizeof *all);
    for (int i = 0; all && i < loads.count; ++i)
        *count += add_pairs(s, of, loads.load[i].body, loads.load[i].wall, all + *count);
    free(loads.load);
    return all;
}

/* Those of shapes that are close enough now. */
static pair *close_pairs(const cairn_simulation *s, const crn_statistic *of, int *count)
{
    const crn_contact *contact = s->located.contacts;
    pair *all = malloc((2 * (size_t)s->located.contact_count + 1) * sizeof *all);
    *count = 0;
    for (int i = 0; all && i < s->located.contact_count; ++i)
    {
        const crn_contact *c = &contact[i];
        int body[2] = {c->body_a, c->body_b};
        int64_t wall[2] = {INT32_MAX + (int64_t)c->shape_a, INT32_MAX + (int64_t)c->shape_b};
        if (c->body_a >= 0 && c->gap <= of->options.touching)
            *count += add_pairs(s, of, body, wall, all + *count);
    }
    return all;
}

/* What the pairs say about the grains of a region. */
typedef struct census
{
    int64_t grains, neighbours; /* in all */
    int64_t held;               /* grains with two neighbours or more */
    int64_t holding;            /* their neighbours */
} census;

static void count_grains(const cairn_simulation *s, const crn_statistic *of, census *out)
{
    for (int b = 0; b < (int)s->model->body_count; ++b)
        out->grains += crn_grain_is_in(s, of, b);
}

static void count_pairs(pair *all, int count, census *out)
{
    qsort(all, (size_t)count, sizeof *all, compare_pairs);
    for (int i = 0, next; i < count; i = next)
    {
        int different = 1;
        for (next = i + 1; next < count && all[next].grain == all[i].grain; ++next)
            different += all[next].neighbour != all[next - 1].neighbour;
        out->neighbours += different;
        out->held += different >= 2;
        out->holding += different >= 2 ? different : 0;
    }
}

typedef pair *find_pairs(const cairn_simulation *s, const crn_statistic *of, int *count);

/* Those of loads, which ranks count. */
static cairn_status ask_ranks(const cairn_simulation *s, const crn_statistic *of, census *out)
{
    const crn_loads_answer *all;
    *out = (census){0};
    CRN_TRY(crn_device_ask_loads(s, of, CRN_LEAST_LOAD, &all));
    count_grains(s, of, out);
    out->neighbours = all->neighbours;
    out->held = all->held;
    out->holding = all->holding;
    return CAIRN_OK;
}

static cairn_status take_census(const cairn_simulation *s, const crn_statistic *of, find_pairs *find, census *out)
{
    int count;
    if (find == loaded_pairs && crn_device_adds_up(s))
        return ask_ranks(s, of, out);
    pair *all = find(s, of, &count);
    *out = (census){0};
    if (!all)
        return crn_statistic_no_memory(s, of);
    count_grains(s, of, out);
    count_pairs(all, count, out);
    free(all);
    return CAIRN_OK;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

cairn_status crn_stat_coordination(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    census found;
    CRN_TRY(take_census(s, of, loaded_pairs, &found));
    out[0] = ratio((double)found.neighbours, (double)found.grains);
    return CAIRN_OK;
}

cairn_status crn_stat_touching(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    census found;
    if (s->settings.device != CAIRN_DEVICE_CPU)
        return crn_fail(s->context, CAIRN_UNSUPPORTED,
                        "statistic '%s': 'touching' needs the gaps of the state, which a device does not list; use "
                        "'coordination', or device cpu",
                        of->name);
    CRN_TRY(take_census(s, of, close_pairs, &found));
    out[0] = ratio((double)found.neighbours, (double)found.grains);
    return CAIRN_OK;
}

cairn_status crn_stat_backbone(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    census found;
    CRN_TRY(take_census(s, of, loaded_pairs, &found));
    out[0] = ratio((double)found.holding, (double)found.held);
    return CAIRN_OK;
}

cairn_status crn_stat_rattlers(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    census found;
    CRN_TRY(take_census(s, of, loaded_pairs, &found));
    out[0] = ratio((double)(found.grains - found.held), (double)found.grains);
    return CAIRN_OK;
}
