/* Contacts that carry forces: fabric, stress, and how the forces are distributed.
 *
 * The stress of Love and Weber, with the force f on grain p at its contact c, x_c - x_p from its centre, is
 *
 *     sigma = -1/V sum_p sum_c f (x_c - x_p)'        = 1/V sum over pairs f_ab (x_a - x_b)'
 *
 * with compression positive and sigma_ij = force along i through faces across j. In a region, each line from a centre to a contact
 * counts with the share of it that lies inside. Then the mean stress of a slab is the mean over its planes of the force that the lines
 * carry through each, per area, which in equilibrium is exactly the weight of the grains whose centres lie above: no layer of
 * boundary grains is counted twice or lost. The tensor of a whole body of grains in equilibrium is symmetric if no torques act on the
 * grains but those of the contact forces; that of a region need not be.
 */
#include "collide/identity.h"
#include "model/handles.h"
#include "statistics/grains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The body of the shape with a serial number; these grow with the index. */
static int body_of_serial(const cairn_model *model, int64_t serial)
{
    size_t low = 0, high = model->shape_count;
    while (high - low > 1)
    {
        size_t middle = (low + high) / 2;
        *(model->shapes[middle].serial <= serial ? &low : &high) = middle;
    }
    return model->shapes[low].body;
}

/* The serial numbers of the two shapes of a contact; elements of patches have no such identity, and are named by their bodies. */
static void name_walls(const cairn_simulation *s, const cairn_contact *c, crn_load *load)
{
    int bits = s->identity_bits;
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    int64_t first = (int64_t)(c->identity >> (64 - bits) & mask);
    int64_t second = (int64_t)(c->identity >> (64 - 2 * bits) & mask);
    /* an identity names the lower number first, but to a device half-spaces are always second */
    bool is_swapped =
        s->settings.device != CAIRN_DEVICE_CPU && c->patch < 0 && body_of_serial(s->model, first) != load->body[0];
    for (int side = 0; side < 2; ++side)
        load->wall[side] =
            c->patch >= 0 ? -1 - load->body[side] : INT32_MAX + ((side == 0) != is_swapped ? first : second);
}

/* False when the contact is a gap of a user's system, or pushes nothing. */
static bool take_load(const cairn_simulation *s, int index, crn_load *out)
{
    cairn_contact c = cairn_simulation_contact(s, index);
    *out = (crn_load){.body = {crn_body_index(s->model, c.a), crn_body_index(s->model, c.b)}};
    if (out->body[0] < 0 || out->body[1] < 0)
        return false;
    name_walls(s, &c, out);
    memcpy(out->point, c.point, sizeof out->point);
    memcpy(out->image, c.image, sizeof out->image);
    memcpy(out->normal, c.normal, sizeof out->normal);
    crn_madd3(out->force, c.impulse[0], c.normal, out->force);
    for (int k = 1; k < s->model->dimension; ++k)
        crn_madd3(out->force, c.impulse[k], c.tangent[k - 1], out->force);
    crn_scale3(1 / s->state.h_base, out->force, out->force);
    out->pressing = c.impulse[0] / s->state.h_base;
    return c.impulse[0] != 0;
}

cairn_status crn_loads_find(const cairn_simulation *s, crn_loads *out)
{
    int all = cairn_simulation_contact_count(s), kept = 0;
    double most = 0;
    *out = (crn_loads){.load = malloc(((size_t)all + 1) * sizeof *out->load)};
    if (!out->load)
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < all; ++i)
        if (take_load(s, i, &out->load[kept]))
            most = fmax(most, fabs(out->load[kept++].pressing));
    for (int i = 0; i < kept; ++i)
        if (fabs(out->load[i].pressing) > CRN_LEAST_LOAD * most)
            out->load[out->count++] = out->load[i];
    return CAIRN_OK;
}

void crn_branch(const cairn_simulation *s, const crn_load *load, int side, double out[3])
{
    crn_sub3(load->point, crn_grain_position(s, load->body[side]), out);
    if (side == 1)
        crn_sub3(out, load->image, out);
}

/* Ranks add up what their contacts come to; process 0 has none of them. */
static cairn_status ask(const cairn_simulation *s, const crn_statistic *of, const crn_loads_answer **out)
{
    return crn_device_ask_loads(s, of, CRN_LEAST_LOAD, out);
}

static void divide(const double *sum, double count, int n, double *out)
{
    for (int k = 0; k < n; ++k)
        out[k] = count > 0 ? sum[k] / count : NAN;
}

/* Find the loads in the region. */
static cairn_status loads_in(const cairn_simulation *s, const crn_statistic *of, crn_loads *out)
{
    if (crn_loads_find(s, out))
        return crn_statistic_no_memory(s, of);
    int kept = 0;
    for (int i = 0; i < out->count; ++i)
        if (crn_image_is_in(s, &of->region, out->load[i].point))
            out->load[kept++] = out->load[i];
    out->count = kept;
    return CAIRN_OK;
}

cairn_status crn_stat_contacts(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    crn_loads loads;
    const crn_loads_answer *all;
    if (crn_device_adds_up(s))
    {
        CRN_TRY(ask(s, of, &all));
        out[0] = (double)all->contacts;
        return CAIRN_OK;
    }
    CRN_TRY(loads_in(s, of, &loads));
    out[0] = loads.count;
    free(loads.load);
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- tensors */

cairn_status crn_stat_fabric(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    int n = s->model->dimension;
    crn_loads loads;
    const crn_loads_answer *all;
    if (crn_device_adds_up(s))
    {
        CRN_TRY(ask(s, of, &all));
        divide(all->fabric, (double)all->contacts, n * n, out);
        return CAIRN_OK;
    }
    CRN_TRY(loads_in(s, of, &loads));
    for (int k = 0; k < n * n; ++k)
        out[k] = loads.count > 0 ? 0.0 : NAN;
    for (int c = 0; c < loads.count; ++c)
        for (int k = 0; k < n * n; ++k)
            out[k] += loads.load[c].normal[k / n] * loads.load[c].normal[k % n] / loads.count;
    free(loads.load);
    return CAIRN_OK;
}

/* Add what a contact does to the grain on one of its sides. */
static void add_side(const cairn_simulation *s, const crn_statistic *of, const crn_load *load, int side, double *out)
{
    int n = s->model->dimension;
    double arm[3], from[CRN_IMAGES][3], share = 0, sign = side == 0 ? -1 : 1;
    if (!crn_is_grain(s, load->body[side]))
        return;
    crn_branch(s, load, side, arm);
    int images = crn_images_near(s, &of->region, crn_grain_position(s, load->body[side]), from);
    for (int i = 0; i < images; ++i)
    {
        double low = 0, high = 1;
        share += crn_zone_span(&of->region, from[i], arm, &low, &high) ? high - low : 0.0;
    }
    assert(share >= 0);
    for (int k = 0; k < n * n; ++k)
        out[k] += sign * share * load->force[k / n] * arm[k % n];
}

cairn_status crn_stat_virial(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    int n = s->model->dimension;
    crn_loads loads;
    const crn_loads_answer *all;
    if (crn_device_adds_up(s))
    {
        CRN_TRY(ask(s, of, &all));
        memcpy(out, all->virial, sizeof all->virial);
        return CAIRN_OK;
    }
    if (crn_loads_find(s, &loads))
        return crn_statistic_no_memory(s, of);
    memset(out, 0, (size_t)(n * n) * sizeof(double));
    for (int i = 0; i < loads.count; ++i)
        for (int side = 0; side < 2; ++side)
            add_side(s, of, &loads.load[i], side, out);
    free(loads.load);
    return CAIRN_OK;
}

cairn_status crn_stat_stress(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    int n = s->model->dimension;
    CRN_TRY(crn_stat_virial(s, of, out));
    for (int k = 0; k < n * n; ++k)
        out[k] /= of->region.volume;
    return CAIRN_OK;
}

cairn_status crn_stat_pressure(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    int n = s->model->dimension;
    double sigma[9], trace = 0;
    CRN_TRY(crn_stat_stress(s, of, sigma));
    for (int k = 0; k < n; ++k)
        trace += sigma[(n + 1) * k];
    out[0] = trace / n;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ forces */

/* The sizes of the normal forces in the region, in *out, which the caller frees. */
static cairn_status forces_in(const cairn_simulation *s, const crn_statistic *of, double **out, int *count)
{
    crn_loads loads;
    CRN_TRY(loads_in(s, of, &loads));
    *count = loads.count;
    *out = malloc(((size_t)loads.count + 1) * sizeof **out);
    for (int i = 0; *out && i < loads.count; ++i)
        (*out)[i] = fabs(loads.load[i].pressing);
    free(loads.load);
    return *out ? CAIRN_OK : crn_statistic_no_memory(s, of);
}

cairn_status crn_stat_mean_force(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    int count;
    double *force, sum = 0;
    const crn_loads_answer *all;
    if (crn_device_adds_up(s))
    {
        CRN_TRY(ask(s, of, &all));
        divide(&all->force, (double)all->contacts, 1, out);
        return CAIRN_OK;
    }
    CRN_TRY(forces_in(s, of, &force, &count));
    for (int i = 0; i < count; ++i)
        sum += force[i];
    out[0] = count > 0 ? sum / count : NAN;
    free(force);
    return CAIRN_OK;
}

cairn_status crn_stat_largest_force(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    int count;
    double *force;
    const crn_loads_answer *all;
    if (crn_device_adds_up(s))
    {
        CRN_TRY(ask(s, of, &all));
        out[0] = all->largest;
        return CAIRN_OK;
    }
    CRN_TRY(forces_in(s, of, &force, &count));
    out[0] = 0;
    for (int i = 0; i < count; ++i)
        out[0] = fmax(out[0], force[i]);
    free(force);
    return CAIRN_OK;
}

cairn_status crn_stat_force_histogram(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    int count;
    double *force;
    const crn_loads_answer *all;
    if (crn_device_adds_up(s))
    {
        CRN_TRY(ask(s, of, &all));
        for (int k = 0; k < of->options.bins; ++k)
            out[k] = all->contacts > 0 ? (double)all->bin[k] / (double)all->contacts : NAN;
        return CAIRN_OK;
    }
    CRN_TRY(forces_in(s, of, &force, &count));
    crn_histogram(of, force, count, out);
    free(force);
    return CAIRN_OK;
}
