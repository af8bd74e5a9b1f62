#include "standings.h"

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    WORST = 20 /* problems listed */
};

int standing_best(const standing *s, int target, int first, int end)
{
    int best = -1;
    for (int i = first; i < end; ++i)
    {
        const contest_result *result = &s->result[target][i];
        if (result->end == CONTEST_MET && (best < 0 || result->seconds < s->result[target][best].seconds))
            best = i;
    }
    return best;
}

double standing_ratio(const standing *s, int target, bool charged)
{
    double best = INFINITY;
    for (int i = contest_own_count(); i < contest_count(); ++i)
    {
        const contest_result *peer = &s->result[target][i];
        double seconds = peer->seconds + (charged ? peer->assembly : 0);
        best = peer->end == CONTEST_MET && seconds < best ? seconds : best;
    }
    const contest_result *result = &s->result[target][0];
    bool met = result->end == CONTEST_MET;
    return met ? best / result->seconds : isinf(best) ? NAN : 0;
}

/* A list of numbers that grows up to the number of problems. */
typedef struct numbers
{
    double *value;
    int count;
} numbers;

static double median_of(numbers *n)
{
    return n->count ? bench_median(n->value, n->count) : NAN;
}

static bool belongs(const standing *s, const char *family)
{
    return !family || strcmp(s->family, family) == 0;
}

/* Times of one solver: median in ms over those it met, and its failures. */
static void print_solver(FILE *out, const standings *all, const char *family, int target, int solver, numbers *work)
{
    int failed = 0;
    work->count = 0;
    for (int i = 0; i < all->count; ++i)
    {
        const contest_result *result = &all->of[i].result[target][solver];
        bool counts = belongs(&all->of[i], family) && result->end < CONTEST_NOT_TAKEN;
        failed += counts && result->end != CONTEST_MET;
        if (counts && result->end == CONTEST_MET)
            work->value[work->count++] = 1e3 * result->seconds;
    }
    fprintf(out, " %9.3f/%-3d", median_of(work), failed);
}

static void print_peer(FILE *out, const standings *all, const char *family, int target, numbers *work)
{
    int failed = 0;
    work->count = 0;
    for (int i = 0; i < all->count; ++i)
    {
        const standing *s = &all->of[i];
        int best = standing_best(s, target, contest_own_count(), contest_count());
        failed += belongs(s, family) && best < 0;
        if (belongs(s, family) && best >= 0)
            work->value[work->count++] = 1e3 * s->result[target][best].seconds;
    }
    fprintf(out, " %9.3f/%-3d", median_of(work), failed);
}

/* Ratios peer / own: median, smallest, and how many are below 3, below 1, below a half. */
static void print_ratios(FILE *out, const standings *all, const char *family, int target, bool charged, numbers *work)
{
    int below_3 = 0, below_1 = 0, below_half = 0;
    work->count = 0;
    for (int i = 0; i < all->count; ++i)
    {
        double ratio = standing_ratio(&all->of[i], target, charged);
        if (belongs(&all->of[i], family) && !isnan(ratio))
        {
            work->value[work->count++] = ratio;
            below_3 += ratio < 3;
            below_1 += ratio < 1;
            below_half += ratio < 0.5;
        }
    }
    double median = median_of(work);
    fprintf(out, " | %6.2f %6.3f %4d %4d %4d", median, work->count ? work->value[0] : NAN, below_3, below_1,
            below_half);
}

static void print_row(FILE *out, const standings *all, const char *family, int target, numbers *work)
{
    int count = 0;
    for (int i = 0; i < all->count; ++i)
        count += belongs(&all->of[i], family);
    fprintf(out, "  %-12s %4d", family ? family : "all", count);
    for (int s = 0; s < contest_own_count(); ++s)
        print_solver(out, all, family, target, s, work);
    print_peer(out, all, family, target, work);
    print_ratios(out, all, family, target, true, work);
    print_ratios(out, all, family, target, false, work);
    fprintf(out, "\n");
}

static void print_families(FILE *out, const standings *all, int target, numbers *work)
{
    fprintf(
        out,
        "\nMeasured error %g: median ms / failures, and the peer's best time (with W's forming) over that of auto\n",
        CONTEST_TARGET[target]);
    fprintf(out, "  %-12s %4s", "", "n");
    for (int s = 0; s < contest_own_count(); ++s)
        fprintf(out, " %13s", contest_name(s));
    fprintf(out, " %13s", "Siconos' best");
    fprintf(out, " | %6s %6s %4s %4s %4s | %-27s", "ratio", "worst", "<3", "<1", "<1/2", "the same with W for nothing");
    fprintf(out, "\n");
    for (int i = 0; i < all->count; ++i)
    {
        bool seen = false;
        for (int k = 0; k < i && !seen; ++k)
            seen = strcmp(all->of[k].family, all->of[i].family) == 0;
        if (!seen)
            print_row(out, all, all->of[i].family, target, work);
    }
    print_row(out, all, NULL, target, work);
}

/* The peer's solvers one by one: how often each is its best, and its failures. */
static void print_peers(FILE *out, const standings *all, int target, numbers *work)
{
    fprintf(out, "  Siconos' solvers:\n");
    for (int s = contest_own_count(); s < contest_count(); ++s)
    {
        int wins = 0, lies = 0;
        for (int i = 0; i < all->count; ++i)
        {
            const contest_result *result = &all->of[i].result[target][s];
            wins += standing_best(&all->of[i], target, contest_own_count(), contest_count()) == s;
            lies += result->end == CONTEST_NOT_MET && result->claimed;
        }
        fprintf(out, "    %-14s", contest_name(s));
        print_solver(out, all, NULL, target, s, work);
        fprintf(out, "  its best on %d, claims success without on %d\n", wins, lies);
    }
}

/* A problem and its ratio, to be sorted; where both failed it comes first. */
typedef struct ranked
{
    const standing *of;
    double ratio;
} ranked;

static int by_ratio(const void *a, const void *b)
{
    double x = ((const ranked *)a)->ratio;
    double y = ((const ranked *)b)->ratio;
    return (x > y) - (x < y);
}

static void print_best(FILE *out, const standing *s, int target, int first, int end)
{
    int best = standing_best(s, target, first, end);
    if (best < 0)
    {
        fprintf(out, " %-24s", "none");
        return;
    }
    fprintf(out, " %-14s %9.3f", contest_name(best), 1e3 * s->result[target][best].seconds);
}

static void print_worst(FILE *out, const standings *all, int target)
{
    static const char *const ENDS[] = {"", "NOT MET", "TIME UP", "CRASH", "", ""};
    ranked *order = bench_memory((size_t)all->count, sizeof *order);
    for (int i = 0; i < all->count; ++i)
    {
        double ratio = standing_ratio(&all->of[i], target, true);
        order[i] = (ranked){&all->of[i], isnan(ratio) ? -1 : ratio};
    }
    qsort(order, (size_t)all->count, sizeof *order, by_ratio);
    fprintf(out,
            "\nThe worst at %g: ratio, ratio with W for nothing, contacts, auto ms (method, certificate), our "
            "best, Siconos' best\n",
            CONTEST_TARGET[target]);
    for (int i = 0; i < all->count && i < WORST; ++i)
    {
        const standing *s = order[i].of;
        const contest_result *own = &s->result[target][0];
        fprintf(out, "  %8.3f %8.3f %-34s %5d %9.3f %-15s %8.1e %-8s", order[i].ratio, standing_ratio(s, target, false),
                s->name, s->contacts, 1e3 * own->seconds, own->method, own->error.certificate, ENDS[own->end]);
        print_best(out, s, target, 1, contest_own_count());
        print_best(out, s, target, contest_own_count(), contest_count());
        fprintf(out, "\n");
    }
    free(order);
}

void standings_print(FILE *out, const standings *all)
{
    numbers work = {bench_memory((size_t)all->count, sizeof(double)), 0};
    for (int target = 0; target < CONTEST_TARGETS; ++target)
    {
        print_families(out, all, target, &work);
        print_peers(out, all, target, &work);
    }
    for (int target = 0; target < CONTEST_TARGETS; ++target)
        print_worst(out, all, target);
    free(work.value);
}
