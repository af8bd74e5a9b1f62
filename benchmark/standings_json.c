/* The contest as JSON: the ratios of all, and the time of each solver on each problem. */
#include "bench.h"
#include "standings.h"

#include <math.h>
#include <stdlib.h>

static void write_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.4g", value);
    else
        fprintf(out, "null");
}

static void write_solvers(FILE *out)
{
    fprintf(out, "\"solvers\": [");
    for (int k = 0; k < contest_count(); ++k)
        fprintf(out, "%s\"%s%s\"", k ? ", " : "", k < contest_own_count() ? "" : "siconos ", contest_name(k));
    fprintf(out, "]");
}

static void write_ratios(FILE *out, const standings *all, int target, bool charged)
{
    double *ratios = bench_memory((size_t)all->count, sizeof *ratios);
    int count = 0, below_3 = 0, below_half = 0;
    for (int i = 0; i < all->count; ++i)
    {
        double ratio = standing_ratio(&all->of[i], target, charged);
        if (!isnan(ratio))
        {
            ratios[count++] = ratio;
            below_3 += ratio < 3;
            below_half += ratio < 0.5;
        }
    }
    double median = count ? bench_median(ratios, count) : NAN;
    fprintf(out, "{\"median\": ");
    write_number(out, median);
    fprintf(out, ", \"worst\": ");
    write_number(out, count ? ratios[0] : NAN);
    fprintf(out, ", \"below_3\": %d, \"below_half\": %d}", below_3, below_half);
    free(ratios);
}

/* Times in ms, in the order of the solvers; null where the target was not met. */
static void write_times(FILE *out, const standing *s, int target)
{
    fprintf(out, "[");
    for (int k = 0; k < contest_count(); ++k)
    {
        const contest_result *result = &s->result[target][k];
        fprintf(out, "%s", k ? ", " : "");
        write_number(out, result->end == CONTEST_MET ? 1e3 * result->seconds : NAN);
    }
    fprintf(out, "]");
}

static void write_problem(FILE *out, const standing *s)
{
    double assembly = 0;
    for (int k = 0; k < contest_count(); ++k)
        assembly = fmax(assembly, s->result[0][k].assembly);
    fprintf(out, "    {\"name\": \"%s\", \"family\": \"%s\", \"contacts\": %d, \"dim\": %d, \"joint_rows\": %d, ",
            s->name, s->family, s->contacts, s->dim, s->joint_rows);
    fprintf(out, "\"W_ms\": %.4g, \"ms_1e-4\": ", 1e3 * assembly);
    write_times(out, s, 0);
    fprintf(out, ", \"ms_1e-8\": ");
    write_times(out, s, 1);
    fprintf(out, "}");
}

void standings_write_json(FILE *out, const standings *all)
{
    static const char *const NAMES[CONTEST_TARGETS] = {"1e-4", "1e-8"};
    fprintf(out, "{\"limit_s\": %g, \"patience\": %g, ", all->limit, all->patience);
    write_solvers(out);
    for (int target = 0; target < CONTEST_TARGETS; ++target)
    {
        fprintf(out, ",\n   \"ratio_%s\": ", NAMES[target]);
        write_ratios(out, all, target, true);
        fprintf(out, ", \"ratio_%s_W_for_nothing\": ", NAMES[target]);
        write_ratios(out, all, target, false);
    }
    fprintf(out, ",\n   \"problems\": [\n");
    for (int i = 0; i < all->count; ++i)
    {
        fprintf(out, "%s", i ? ",\n" : "");
        write_problem(out, &all->of[i]);
    }
    fprintf(out, "\n  ]}");
}
