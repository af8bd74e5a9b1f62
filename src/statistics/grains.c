/* Means over the grains of a region. With masses m, velocities v and their mean V = sum m v / sum m,
 *
 *     temperature        T = sum m |v - V|^2 / (d sum m)       in d dimensions (Goldhirsch 2008)
 *     kinetic stress     sum m (v - V)(v - V)' / volume        the momentum that grains carry; compression is positive
 *
 * In a sheared periodic box, velocities are those relative to the mean flow (g y, 0, 0), which are the same for all images of a grain.
 */
#include "statistics/grains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_status crn_statistic_no_memory(const cairn_simulation *s, const crn_statistic *of)
{
    return crn_fail(s->context, CAIRN_NO_MEMORY, "statistic '%s': memory ran out", of->name);
}

crn_statistic crn_statistic_of_all(const cairn_model *model)
{
    crn_statistic all = {.name = (char *)"grains" /* nobody writes to it */, .options = cairn_statistic_default()};
    all.region = (crn_zone){.dimension = model->dimension, .volume = INFINITY};
    return all;
}

void crn_histogram(const crn_statistic *of, const double *values, int count, double *out)
{
    int bins = of->options.bins;
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += values[i];
    for (int k = 0; k < bins; ++k)
        out[k] = count > 0 ? 0.0 : NAN;
    double width = of->options.top * sum / count / bins;
    for (int i = 0; i < count; ++i)
    {
        double place = width > 0 ? values[i] / width : 0.0;
        if (place < bins)
            out[(int)place] += 1.0 / count;
    }
}

/* ------------------------------------------------------------------------------------------------------------ motion */

/* Sums over the grains of a region. */
typedef struct sums
{
    int count;
    double mass, momentum[3], square[9]; /* sum m, sum m v, sum m v v' */
    double speed, fastest;
    double rotation; /* J */
} sums;

/* The velocity of a grain, relative to the flow of a sheared box, and its spin in the body's frame. */
static void velocity_of(const cairn_simulation *s, int body, double v[3], double spin[3])
{
    int block = s->layout->body_block[body], n = s->model->dimension;
    const double *from = crn_rates_of(s, body);
    int turning = s->layout->block_start[block + 1] - s->layout->block_start[block] - n;
    v[2] = spin[0] = spin[1] = spin[2] = 0;
    memcpy(v, from, (size_t)n * sizeof(double));
    v[0] -= s->model->shear * crn_grain_position(s, body)[1];
    memcpy(spin + 3 - turning, from + n, (size_t)turning * sizeof(double));
}

static void add_grain(const cairn_simulation *s, int body, sums *all)
{
    double v[3], spin[3], L[3], m = s->layout->mass[body];
    velocity_of(s, body, v, spin);
    crn_rotate3(crn_inertia_of(&s->layout->inertia, body).m, spin, L);
    double speed = crn_norm3(v);
    all->count += 1;
    all->mass += m;
    all->speed += speed;
    all->fastest = fmax(all->fastest, speed);
    all->rotation += 0.5 * crn_dot3(spin, L);
    for (int i = 0; i < 3; ++i)
    {
        all->momentum[i] += m * v[i];
        for (int j = 0; j < 3; ++j)
            all->square[3 * i + j] += m * v[i] * v[j];
    }
}

static sums add_up(const cairn_simulation *s, const crn_statistic *of)
{
    sums all = {0};
    for (int b = 0; b < (int)s->model->body_count; ++b)
        if (crn_grain_is_in(s, of, b))
            add_grain(s, b, &all);
    return all;
}

/* sum m (v - V)(v - V)' */
static double fluctuation(const sums *all, int i, int j)
{
    return all->count > 0 ? all->square[3 * i + j] - all->momentum[i] * all->momentum[j] / all->mass : 0.0;
}

cairn_status crn_stat_bodies(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    out[0] = add_up(s, of).count;
    return CAIRN_OK;
}

cairn_status crn_stat_mass(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    out[0] = add_up(s, of).mass;
    return CAIRN_OK;
}

cairn_status crn_stat_velocity(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    sums all = add_up(s, of);
    for (int k = 0; k < s->model->dimension; ++k)
        out[k] = all.momentum[k] / all.mass;
    return CAIRN_OK;
}

cairn_status crn_stat_temperature(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    sums all = add_up(s, of);
    double trace = fluctuation(&all, 0, 0) + fluctuation(&all, 1, 1) + fluctuation(&all, 2, 2);
    out[0] = fmax(trace, 0.0) / (s->model->dimension * all.mass);
    if (all.count == 0)
        out[0] = NAN;
    return CAIRN_OK;
}

cairn_status crn_stat_kinetic_stress(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    int n = s->model->dimension;
    sums all = add_up(s, of);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            out[n * i + j] = fluctuation(&all, i, j) / of->region.volume;
    return CAIRN_OK;
}

cairn_status crn_stat_mean_speed(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    sums all = add_up(s, of);
    out[0] = all.count > 0 ? all.speed / all.count : NAN;
    return CAIRN_OK;
}

cairn_status crn_stat_largest_speed(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    out[0] = add_up(s, of).fastest;
    return CAIRN_OK;
}

cairn_status crn_stat_translation(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    sums all = add_up(s, of);
    out[0] = 0.5 * (all.square[0] + all.square[4] + all.square[8]);
    return CAIRN_OK;
}

cairn_status crn_stat_rotation(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    out[0] = add_up(s, of).rotation;
    return CAIRN_OK;
}

cairn_status crn_stat_speed_histogram(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    int count = 0;
    double *speed = malloc((s->model->body_count + 1) * sizeof *speed), v[3], spin[3];
    if (!speed)
        return crn_statistic_no_memory(s, of);
    for (int b = 0; b < (int)s->model->body_count; ++b)
        if (crn_grain_is_in(s, of, b))
        {
            velocity_of(s, b, v, spin);
            speed[count++] = crn_norm3(v);
        }
    crn_histogram(of, speed, count, out);
    free(speed);
    return CAIRN_OK;
}
