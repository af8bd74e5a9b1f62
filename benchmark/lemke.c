/* Lemke's method on the step of a stack of boxes: Cairn beside its peer, on the very same (M, q), turn by turn in one
 * run, so that both meet the same machine in the same mood. Both answers are checked by min(z, M z + q). */
#include "solve/pivot/lemke.h"
#include "bench.h"
#include "peer.h"
#include "stack_lcp.h"

#include <stdlib.h>

#define REPETITIONS 101
#define SECONDS     2                 /* for one case, both sides */
static const double TOLERANCE = 1e-9; /* of the residual; data are O(1) */

/* Name, boxes, boxes a tower, mu, push, spin, jitter. A stack at rest is as degenerate as such a problem can be. */
static const bench_stack STACKS[] = {
    {"stack of 10 at rest", 10, 10, 0.5, 0, 0, 0},
    {"stack of 10, top pushed", 10, 10, 0.5, 1, 0, 0},
    {"stack of 10, pushed, slippery", 10, 10, 0.05, 1, 0, 0},
    {"stack of 10, pushed and twisting", 10, 10, 0.3, 0.5, 1, 0},
    {"stack of 10, nothing symmetric", 10, 10, 0.5, 0, 0, 0.1},
    {"stack of 4 at rest", 4, 4, 0.5, 0, 0, 0},
    {"5 stacks of 2, pushed", 10, 2, 0.5, 1, 0, 0},
    {"5 stacks of 2, nothing symmetric", 10, 2, 0.5, 1, 0, 0.1},
    {"10 single boxes, pushed", 10, 1, 0.5, 1, 0, 0},
    {"1 box, pushed", 1, 1, 0.5, 1, 0, 0},
    {"random positive definite", 0, 0, 0, 0, 0, 0},
};

typedef struct bench_side
{
    double *seconds; /* one a repetition */
    double *z;
    double median;
    double residual;
    int pivots;
    bool claimed;
} bench_side;

static bench_side make_side(int n)
{
    return (bench_side){.seconds = bench_memory(REPETITIONS, sizeof(double)),
                        .z = bench_memory((size_t)n, sizeof(double))};
}

static void free_side(bench_side *side)
{
    free(side->seconds);
    free(side->z);
}

static void run_cairn(crn_lemke *lemke, const bench_lcp *lcp, bool *basic, bench_side *side, int repetition)
{
    crn_lemke_report report = {0};
    double start = bench_now();
    cairn_status status =
        crn_lemke_solve(lemke, lcp->n, lcp->M, lcp->q, NULL, 50 * lcp->n, 0.0, side->z, basic, &report);
    side->seconds[repetition] = bench_now() - start;
    side->claimed = status == CAIRN_OK && report.outcome == CRN_LEMKE_SOLVED;
    side->pivots = report.pivots;
}

static void run_peer(bench_peer *peer, bench_side *side, int repetition)
{
    double start = bench_now();
    side->claimed = peer_solve(peer, side->z, &side->pivots);
    side->seconds[repetition] = bench_now() - start;
}

static void judge(const bench_lcp *lcp, bench_side *side, int repetitions)
{
    side->median = bench_median(side->seconds, repetitions);
    side->residual = lcp_residual(lcp, side->z);
}

static void print_side(const bench_side *side)
{
    printf("  %9.1f %6d %6.1f %8.1e", 1e6 * side->median, side->pivots, 1e6 * side->median / side->pivots,
           side->residual);
}

static void write_side(FILE *json, const char *who, const bench_side *side)
{
    fprintf(json, ", \"%s\": {\"us\": %.3f, \"pivots\": %d, \"claims\": %s, \"residual\": %.3e}", who,
            1e6 * side->median, side->pivots, side->claimed ? "true" : "false", side->residual);
}

static void print_case(const bench_run *run, const bench_stack *stack, int n, const bench_side *own,
                       const bench_side *other)
{
    printf("  %-32s %4d", stack->name, n);
    print_side(own);
    if (other)
    {
        print_side(other);
        printf(" %7.2f%s", other->median / own->median, other->residual <= TOLERANCE ? "" : " (no solution)");
    }
    printf("\n");
    if (run->json)
    {
        fprintf(run->json, "%s    {\"case\": \"%s\", \"variables\": %d", stack == STACKS ? "" : ",\n", stack->name, n);
        write_side(run->json, "cairn", own);
        if (other)
        {
            write_side(run->json, "peer", other);
            fprintf(run->json, ", \"ratio\": %.3f", other->median / own->median);
        }
        fprintf(run->json, "}");
    }
}

/* Turn by turn, until there are enough repetitions or the time is up; returns how many there were. */
static int race(const bench_run *run, const bench_lcp *lcp, bench_peer *peer, bench_side *own, bench_side *other)
{
    crn_lemke *lemke = crn_lemke_create();
    bool *basic = bench_memory((size_t)lcp->n, sizeof *basic);
    double end = bench_now() + SECONDS;
    int wanted = run->quick ? 1 : REPETITIONS;
    int done = 0;
    while (lemke && done < wanted && (done < 1 || bench_now() < end))
    {
        run_cairn(lemke, lcp, basic, own, done);
        if (peer)
            run_peer(peer, other, done);
        ++done;
    }
    free(basic);
    crn_lemke_destroy(lemke);
    return done;
}

static void compare(bench_run *run, const bench_stack *stack)
{
    bench_lcp lcp = stack->boxes ? stack_lcp(stack) : random_lcp(240);
    bench_peer *peer = peer_create(&lcp);
    bench_side own = make_side(lcp.n);
    bench_side other = make_side(lcp.n);
    int repetitions = race(run, &lcp, peer, &own, &other);
    judge(&lcp, &own, repetitions);
    judge(&lcp, &other, repetitions);
    if (!own.claimed || own.residual > TOLERANCE) /* a peer's wrong answer is shown, not ours to fail on */
        bench_wrong(run, "Lemke does not solve a stack");
    print_case(run, stack, lcp.n, &own, peer ? &other : NULL);
    free_side(&own);
    free_side(&other);
    peer_destroy(peer);
    lcp_free(&lcp);
}

void bench_lemke(bench_run *run)
{
    printf("\nLemke on the same (M, q), pyramid(4): median us, pivots, us a pivot, |min(z, Mz + q)|\n");
    printf("  %-32s %4s  %-33s", "", "n", "Cairn");
    if (peer_name())
        printf("%-33s %s", peer_name(), "ratio");
    printf("\n");
    if (run->json)
        fprintf(run->json, "{\"peer\": \"%s\", \"cases\": [\n", peer_name() ? peer_name() : "none");
    for (size_t i = 0; i < sizeof STACKS / sizeof STACKS[0]; ++i)
        compare(run, &STACKS[i]);
    if (run->json)
        fprintf(run->json, "\n  ]}");
}
