/* With a distribution by mass of density f(r), the number of grains has the density f(r)/r^d up to a factor, d the dimension. The
 * radii are cut into cells of equal ratios. Cell i begins at the radius r_i and holds the mass m_i, so it has at most m_i/r_i^d
 * grains: a cell is drawn by that weight, a quantile of its mass evenly, and the radius r is accepted with the chance
 * (r_i/r)^d. The result is exact, and nearly every draw is accepted, whatever the distribution. */
#include "populate/sizes.h"

#include <assert.h>
#include <math.h>

static double power(double r, int dimension)
{
    return dimension == 2 ? r * r : r * r * r;
}

/* The quantile at which a normal distribution has the value z. */
static double quantile_of(double z)
{
    double low = 0x1p-60, high = 1 - 0x1p-53;
    if (crn_normal_quantile(low) >= z)
        return low;
    for (int i = 0; i < 100; ++i)
    {
        double middle = 0.5 * low + 0.5 * high;
        *(crn_normal_quantile(middle) < z ? &low : &high) = middle;
    }
    return low;
}

static const char *prepare_normal(const cairn_sizes *o, crn_sizes *out)
{
    bool is_log = o->kind == CAIRN_SIZES_LOGNORMAL;
    if (!(isfinite(o->mean) && o->mean > 0))
        return "radius: mean: must be greater than 0";
    if (!(isfinite(o->deviation) && o->deviation > 0 && o->deviation <= 1e3 * o->mean))
        return "radius: deviation: must be greater than 0, and at most 1000 times the mean";
    double share = o->deviation / o->mean, spread = crn_exact_log(1 + share * share);
    out->width = is_log ? sqrt(spread) : o->deviation;
    out->centre = is_log ? crn_exact_log(o->mean) - 0.5 * spread : o->mean;
    double low = out->centre - 3 * out->width, high = out->centre + 3 * out->width;
    out->least = o->least > 0 ? o->least : is_log ? crn_exact_exp(low) : low;
    out->most = o->most > 0 ? o->most : is_log ? crn_exact_exp(high) : high;
    if (!(out->least > 0))
        return "radius: min: must be given, because three deviations below the mean there are no radii";
    if (!(out->most > out->least))
        return "radius: max: must be greater than min";
    out->begin = quantile_of(((is_log ? crn_exact_log(out->least) : out->least) - out->centre) / out->width);
    out->end = quantile_of(((is_log ? crn_exact_log(out->most) : out->most) - out->centre) / out->width);
    return out->end - out->begin > 1e-6 ? NULL : "radius: min and max: leave less than a millionth of the distribution";
}

static const char *prepare_table(const cairn_sizes *o, crn_sizes *out)
{
    if (!o->table || o->table_count < 2)
        return "radius: table: needs 2 points or more";
    for (int i = 0; i < o->table_count; ++i)
    {
        const double *now = o->table + 2 * i, *before = now - (i > 0 ? 2 : 0);
        if (!(isfinite(now[0]) && now[0] > 0 && now[0] >= before[0]))
            return "radius: table: radii must be greater than 0 and must not fall";
        if (!(now[1] >= before[1] && now[1] <= 1))
            return "radius: table: shares must not fall";
    }
    out->least = o->table[0];
    out->most = o->table[2 * o->table_count - 2];
    return o->table[1] == 0 && o->table[2 * o->table_count - 1] == 1 ? NULL
                                                                     : "radius: table: shares must run from 0 to 1";
}

static const char *prepare_kind(const cairn_sizes *o, crn_sizes *out)
{
    switch (o->kind)
    {
    case CAIRN_SIZES_EQUAL:
        out->least = out->most = o->mean;
        return isfinite(o->mean) && o->mean > 0 ? NULL : "radius: must be greater than 0";
    case CAIRN_SIZES_UNIFORM:
        out->least = o->least;
        out->most = o->most;
        return o->least > 0 && o->most > o->least ? NULL
                                                  : "radius: min and max: must be greater than 0, and max the greater";
    case CAIRN_SIZES_NORMAL:
    case CAIRN_SIZES_LOGNORMAL:
        return prepare_normal(o, out);
    case CAIRN_SIZES_TABLE:
        return prepare_table(o, out);
    }
    return "radius: distribution: unknown value";
}

/* The quantile up to which radii are smaller than r. */
static double quantile_below(const crn_sizes *sizes, double r)
{
    double low = 0, high = 1;
    for (int i = 0; i < 52; ++i)
    {
        double middle = 0.5 * low + 0.5 * high;
        *(crn_sizes_quantile(sizes, middle) < r ? &low : &high) = middle;
    }
    return low;
}

static void prepare_cells(crn_sizes *out)
{
    double growth = crn_exact_exp(crn_exact_log(out->most / out->least) / CRN_SIZE_CELLS);
    out->first[0] = out->least;
    for (int i = 0; i < CRN_SIZE_CELLS; ++i)
    {
        out->first[i + 1] = growth * out->first[i];
        out->quantile[i + 1] = i + 1 < CRN_SIZE_CELLS ? quantile_below(out, out->first[i + 1]) : 1;
        double mass = fmax(out->quantile[i + 1] - out->quantile[i], 0);
        out->cumulative[i + 1] = out->cumulative[i] + mass * power(out->least / out->first[i], out->dimension);
    }
}

const char *crn_sizes_prepare(const cairn_sizes *options, int dimension, crn_sizes *out)
{
    assert(dimension == 2 || dimension == 3);
    *out = (crn_sizes){.options = options, .dimension = dimension};
    const char *wrong = prepare_kind(options, out);
    if (wrong)
        return wrong;
    if (!isfinite(out->most) || out->most > 1e3 * out->least)
        return "radius: the largest is more than 1000 times the smallest";
    if (options->by_mass && out->least < out->most)
        prepare_cells(out);
    return NULL;
}

static double in_table(const cairn_sizes *o, double u)
{
    int low = 0, high = o->table_count - 1;
    while (high - low > 1)
    {
        int middle = (low + high) / 2;
        *(o->table[2 * middle + 1] <= u ? &low : &high) = middle;
    }
    const double *a = o->table + 2 * low, *b = o->table + 2 * high;
    assert(a[1] <= u && u <= b[1]);
    return b[1] > a[1] ? a[0] + (b[0] - a[0]) * ((u - a[1]) / (b[1] - a[1])) : b[0];
}

double crn_sizes_quantile(const crn_sizes *sizes, double u)
{
    assert(u > 0 && u < 1);
    const cairn_sizes *o = sizes->options;
    double r = o->mean;
    if (o->kind == CAIRN_SIZES_UNIFORM)
        r = o->least + u * (o->most - o->least);
    else if (o->kind == CAIRN_SIZES_TABLE)
        r = in_table(o, u);
    else if (o->kind != CAIRN_SIZES_EQUAL)
    {
        double z = crn_normal_quantile(sizes->begin + u * (sizes->end - sizes->begin));
        r = sizes->centre + sizes->width * z;
        r = o->kind == CAIRN_SIZES_LOGNORMAL ? crn_exact_exp(r) : r;
    }
    return fmin(fmax(r, sizes->least), sizes->most);
}

/* A quantile of the mass, drawn as often as grains have it. */
static double draw_by_mass(const crn_sizes *sizes, crn_random *random)
{
    for (;;)
    {
        double weight = crn_random_unit(random) * sizes->cumulative[CRN_SIZE_CELLS];
        int low = 0, high = CRN_SIZE_CELLS;
        while (high - low > 1)
        {
            int middle = (low + high) / 2;
            *(sizes->cumulative[middle] <= weight ? &low : &high) = middle;
        }
        double begin = sizes->quantile[low], end = sizes->quantile[low + 1];
        double r = crn_sizes_quantile(sizes, begin + crn_random_unit(random) * (end - begin));
        if (crn_random_unit(random) <= power(sizes->first[low] / r, sizes->dimension))
            return r;
    }
}

double crn_sizes_draw(const crn_sizes *sizes, crn_random *random)
{
    return sizes->options->by_mass && sizes->least < sizes->most ? draw_by_mass(sizes, random)
                                                                 : crn_sizes_quantile(sizes, crn_random_unit(random));
}
