#include "step/device/device_loads.h"

#include "base/exact_sum.h"
#include "math/vec.h"
#include "model/periodic.h"
#include "step/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A grain and one of its neighbours: another grain, or a shape of what cannot move. */
typedef struct pair
{
    int64_t grain, neighbour;
    int32_t owner; /* of the grain */
} pair;

enum
{
    FORCE = 18, /* after fabric and virial */
    SUMS
};

static const int64_t SHAPE = INT64_C(1) << 62, PLANE = INT64_C(1) << 61; /* names of these among neighbours */

typedef struct measuring
{
    crn_domain *domain;
    crn_loads_question ask;
    crn_loads_answer *out;
    crn_arena memory;
    crn_gpu_contact *contact; /* bodies and shapes by their numbers on this rank */
    int32_t contacts;
    double least; /* N */
    crn_exact_sum sum[SUMS];
    pair *pairs;
    size_t pair_count;
    int64_t *neighbours; /* per own body */
    bool good;
} measuring;

/* --------------------------------------------------------------------------------------------------------------- contacts */

static bool read_contacts(measuring *m)
{
    crn_domain *domain = m->domain;
    int32_t count = domain->report.here;
    if (crn_reserve_all(&m->memory, CRN_ARRAY(m->contact, count), CRN_ARRAY(m->pairs, 2 * (size_t)count),
                        CRN_ARRAY(m->neighbours, domain->own.count)))
        return crn_domain_fail(domain, "memory ran out");
    if (count > 0 && !domain->inner->read_contacts(domain->world, m->contact, count, domain->sentence))
        return false;
    m->contacts = count;
    return true;
}

static double pressing(const measuring *m, const crn_gpu_contact *c)
{
    return crn_dot3(c->impulse, c->normal) / m->ask.h;
}

static bool carries(const measuring *m, const crn_gpu_contact *c)
{
    double force = fabs(pressing(m, c));
    return force != 0 && force > m->least;
}

static const double *place_of(const measuring *m, int32_t body)
{
    return m->domain->read[body].x;
}

static bool moves(const measuring *m, int32_t body)
{
    return body >= 0 && m->domain->local.body[body].inverse_mass > 0;
}

/* Midway between the surfaces, where the bodies are now. */
static void point_of(const measuring *m, const crn_gpu_contact *c, double out[3])
{
    bool has_shapes = m->domain->scene.has_shapes;
    double radius = has_shapes ? 0.0 : m->domain->local.body[c->a].radius;
    crn_madd3(place_of(m, c->a), -radius - 0.5 * c->gap, c->normal, out);
    if (has_shapes)
        crn_add3(out, c->arm, out);
}

/* ------------------------------------------------------------------------------------------------------------------- sums */

/* What a contact does to the grain on one of its sides: -(share of the line from its centre in the region) f (x_c - x_p)'. */
static void add_virial(measuring *m, const crn_gpu_contact *c, int side, const double point[3])
{
    int32_t body = side == 0 ? c->a : c->b;
    double arm[3], low = 0, high = 1;
    if (!moves(m, body))
        return;
    crn_sub3(point, place_of(m, body), arm);
    bool is_in = crn_zone_span(&m->ask.region, place_of(m, body), arm, &low, &high);
    double share = is_in ? high - low : 0.0, sign = side == 0 ? -1 : 1;
    for (int k = 0; k < 9; ++k)
        crn_exact_add(&m->sum[9 + k], sign * share * (c->impulse[k / 3] / m->ask.h) * arm[k % 3]);
}

static void add_contact(measuring *m, const crn_gpu_contact *c)
{
    double point[3], force = fabs(pressing(m, c));
    point_of(m, c, point);
    for (int side = 0; side < 2; ++side)
        add_virial(m, c, side, point);
    if (!crn_zone_holds(&m->ask.region, point))
        return;
    ++m->out->contacts;
    for (int k = 0; k < 9; ++k)
        crn_exact_add(&m->sum[k], c->normal[k / 3] * c->normal[k % 3]);
    crn_exact_add(&m->sum[FORCE], force);
    m->out->largest = fmax(m->out->largest, force);
}

/* A contact counts if it carries more than a share of the largest normal force of all. */
static void find_least(measuring *m)
{
    double most = 0;
    for (int32_t i = 0; i < m->contacts; ++i)
        most = fmax(most, fabs(pressing(m, &m->contact[i])));
    m->domain->ranks->reduce_max(m->domain->ranks->context, &most, 1);
    m->least = m->ask.least * most;
}

static void add_up(measuring *m)
{
    cairn_ranks *ranks = m->domain->ranks;
    crn_loads_answer *out = m->out;
    for (int32_t i = 0; i < m->contacts; ++i)
        if (carries(m, &m->contact[i]))
            add_contact(m, &m->contact[i]);
    for (int k = 0; k < SUMS; ++k)
    {
        crn_exact_carry(&m->sum[k]);
        ranks->reduce_sum(ranks->context, m->sum[k].digit, CRN_EXACT_DIGITS);
    }
    ranks->reduce_sum(ranks->context, &out->contacts, 1);
    ranks->reduce_max(ranks->context, &out->largest, 1);
    for (int k = 0; k < 9; ++k)
    {
        out->fabric[k] = crn_exact_value(m->sum[k]);
        out->virial[k] = crn_exact_value(m->sum[9 + k]);
    }
    out->force = crn_exact_value(m->sum[FORCE]);
}

/* The mean is known: sort the forces into bins. */
static void fill_bins(measuring *m)
{
    cairn_ranks *ranks = m->domain->ranks;
    crn_loads_answer *out = m->out;
    double width = out->contacts > 0 ? m->ask.top * out->force / (double)out->contacts / (double)m->ask.bins : 0.0;
    for (int32_t i = 0; i < m->contacts; ++i)
    {
        double point[3];
        point_of(m, &m->contact[i], point);
        if (!carries(m, &m->contact[i]) || !crn_zone_holds(&m->ask.region, point))
            continue;
        double place = width > 0 ? fabs(pressing(m, &m->contact[i])) / width : 0.0;
        if (place < (double)m->ask.bins)
            ++out->bin[(int)place];
    }
    ranks->reduce_sum(ranks->context, out->bin, CRN_STATISTIC_BINS);
}

/* ------------------------------------------------------------------------------------------------------------- neighbours */

/* The name of a contact's other side: of a grain its number, of anything else that of its shape. */
static int64_t name_of(const measuring *m, const crn_gpu_contact *c, int side)
{
    const crn_domain *domain = m->domain;
    const crn_local *local = &domain->local;
    int32_t body = side == 0 ? c->a : c->b, shape = side == 0 ? c->shape_a : c->shape_b;
    if (moves(m, body))
        return local->global[body];
    if (!domain->scene.has_shapes)
        return body < 0 ? PLANE | (-1 - body) : SHAPE | local->global[body];
    int triangle = local->shape[shape].kind == CRN_GPU_TRIANGLE ? local->shape[shape].triangle : -1;
    return SHAPE | (triangle < 0 ? local->global_shape[shape] : domain->scene.description.triangle_first[triangle]);
}

static int by_grain(const void *left, const void *right)
{
    const pair *a = left, *b = right;
    int order = (a->grain > b->grain) - (a->grain < b->grain);
    return order != 0 ? order : (a->neighbour > b->neighbour) - (a->neighbour < b->neighbour);
}

/* All contacts of two bodies are counted by the same rank, so different neighbours can be told apart here. */
static void list_pairs(measuring *m)
{
    const crn_local *local = &m->domain->local;
    for (int32_t i = 0; i < m->contacts; ++i)
    {
        const crn_gpu_contact *c = &m->contact[i];
        for (int side = 0; side < 2 && carries(m, c); ++side)
        {
            int32_t body = side == 0 ? c->a : c->b;
            if (moves(m, body) && crn_zone_holds(&m->ask.region, place_of(m, body)))
                m->pairs[m->pair_count++] = (pair){local->global[body], name_of(m, c, 1 - side), local->owner[body]};
        }
    }
    if (m->pair_count > 0)
        qsort(m->pairs, m->pair_count, sizeof *m->pairs, by_grain);
}

/* Tell the owners of grains how many neighbours this rank knows. */
static void tell_owners(measuring *m)
{
    for (size_t i = 0, next; i < m->pair_count; i = next)
    {
        int64_t told[2] = {m->pairs[i].grain, 1};
        for (next = i + 1; next < m->pair_count && m->pairs[next].grain == told[0]; ++next)
            told[1] += m->pairs[next].neighbour != m->pairs[next - 1].neighbour;
        crn_bytes_put(&m->domain->post.to[m->pairs[i].owner], told, sizeof told);
    }
}

static void hear(measuring *m, int rank)
{
    crn_reading from = crn_post_from(&m->domain->post, rank);
    while (from.at < from.end)
    {
        int64_t told[2];
        crn_take_to(&from, told, sizeof told);
        size_t at = crn_bodies_find(&m->domain->own, told[0]);
        assert(at != SIZE_MAX);
        m->neighbours[at] += told[1];
    }
}

static bool count_neighbours(measuring *m)
{
    crn_domain *domain = m->domain;
    int64_t sum[3] = {0};
    list_pairs(m);
    tell_owners(m);
    if (crn_post_send(&domain->post, domain->ranks))
        m->good = crn_domain_fail(domain, "memory ran out");
    if (!crn_domain_agree(domain, m->good))
        return false;
    for (int rank = 0; rank < domain->ranks->count; ++rank)
        hear(m, rank);
    for (size_t i = 0; i < domain->own.count; ++i)
    {
        sum[0] += m->neighbours[i];
        sum[1] += m->neighbours[i] >= 2;
        sum[2] += m->neighbours[i] >= 2 ? m->neighbours[i] : 0;
    }
    domain->ranks->reduce_sum(domain->ranks->context, sum, 3);
    m->out->neighbours = sum[0];
    m->out->held = sum[1];
    m->out->holding = sum[2];
    return true;
}

bool crn_loads_task(crn_domain *domain, const void *question, size_t size, void *answer)
{
    measuring m = {.domain = domain, .out = answer};
    assert(size == sizeof m.ask);
    memcpy(&m.ask, question, size);
    *m.out = (crn_loads_answer){0};
    m.good = crn_domain_agree(domain, read_contacts(&m));
    if (m.good)
    {
        find_least(&m);
        add_up(&m);
        fill_bins(&m);
        m.good = count_neighbours(&m);
    }
    crn_arena_release(&m.memory);
    return m.good;
}

/* -------------------------------------------------------------------------------------------------------------- process 0 */

bool crn_device_adds_up(const cairn_simulation *s)
{
    return s->settings.device == CAIRN_DEVICE_RANKS && s->state.step > 0 && s->device && crn_device_is_known(s) &&
           !crn_is_periodic(s->model);
}

cairn_status crn_device_ask_loads(const cairn_simulation *s, const crn_statistic *of, double least,
                                  const crn_loads_answer **out)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_device *device = s->device;
    crn_loads_question ask;
    memset(&ask, 0, sizeof ask);
    ask.task = CRN_DEVICE_LOADS;
    ask.region = of->region;
    ask.h = s->state.h_base;
    ask.least = least;
    ask.top = of->options.top;
    ask.bins = of->options.bins;
    *out = &device->answer;
    if (device->has_answer && !memcmp(&ask, &device->question, sizeof ask))
        return CAIRN_OK;
    device->has_answer = crn_crew_ask(device->world, crn_device_task, &ask, sizeof ask, &device->answer,
                                      sizeof device->answer, sentence);
    device->question = ask;
    return device->has_answer ? CAIRN_OK : crn_device_fail(s, CAIRN_IO, "%s", sentence);
}
