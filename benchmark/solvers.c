/* Every solver on every problem of the set, Cairn's and the peer's, cold and on one thread, to the same measured error. */
#include "bench.h"
#include "peer_cache.h"
#include "problem_files.h"
#include "profile.h"
#include "standings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHORTEST_LIMIT = 0.03; /* s */
static const int QUICK_STRIDE = 4;         /* files */
static const int MOST_CHECKED = 200;       /* contacts of a problem whose W is compared with another */
static const double SAME = 1e-9;

/* Where the contest takes place. */
typedef struct arena
{
    standings all;
    peer_cache *cache;
    peer_form form; /* of the problem at hand */
    bool formed;
} arena;

/* A call may take `patience` times the quickest so far, so that hopeless ones do not take the day. */
static double limit_of(const standings *all, double best)
{
    return fmin(all->limit, fmax(SHORTEST_LIMIT, all->patience * best));
}

/* One solver to one target; what the peer did may be known. */
static contest_result run_solver(arena *a, const standing *s, int target, int solver, double best)
{
    contest_result result = {.end = CONTEST_NOT_TAKEN};
    bool peer = solver >= contest_own_count();
    contest_rules rules = {CONTEST_TARGET[target], limit_of(&a->all, best)};
    if (peer && peer_cache_find(a->cache, s->name, target, solver, &result))
    {
        result.assembly = peer_cone_needs_W(solver - contest_own_count()) ? a->form.seconds : 0;
        return result;
    }
    if (!peer || a->formed || !peer_cone_needs_W(solver - contest_own_count()))
        result = contest_run(solver, &a->form, &rules);
    if (peer)
        peer_cache_add(a->cache, s->name, target, solver, &result);
    return result;
}

static void run_contest(arena *a, standing *s)
{
    for (int target = 0; target < CONTEST_TARGETS; ++target)
    {
        double best = INFINITY;
        for (int k = 0; k < contest_count(); ++k)
        {
            contest_result *result = &s->result[target][k];
            *result = run_solver(a, s, target, k, best);
            best = result->end == CONTEST_MET ? fmin(best, result->seconds) : best;
        }
    }
}

/* The peer must be given the problem that Cairn solves. */
static bool is_same(const arena *a, cairn_context *context)
{
    return !a->formed || a->form.local.contacts > MOST_CHECKED ||
           local_form_difference(context, a->form.problem, &a->form.local) < SAME;
}

static bool run_file(arena *a, const char *path)
{
    standings *all = &a->all;
    standing *s = &all->of[all->count];
    cairn_context *context = cairn_context_create();
    cairn_problem *problem = NULL;
    problem_file_name(path, s->name, sizeof s->name);
    problem_file_family(path, s->family, sizeof s->family);
    bool loaded = !cairn_problem_load(context, path, &problem);
    if (loaded)
    {
        s->contacts = problem->contact_count;
        s->dim = problem->dim;
        s->joint_rows = problem->joint_rows;
        a->formed = peer_form_make(context, problem, &a->form);
        loaded = is_same(a, context);
        run_contest(a, s);
        peer_form_free(&a->form);
        ++all->count;
        fprintf(stderr, "  %s, %d contacts: auto %.3f and %.3f ms, ratios %.2f and %.2f\n", s->name, s->contacts,
                1e3 * s->result[0][0].seconds, 1e3 * s->result[1][0].seconds, standing_ratio(s, 0, true),
                standing_ratio(s, 1, true));
    }
    cairn_problem_destroy(problem);
    cairn_context_destroy(context);
    return loaded;
}

/* An answer of `auto` that misses its target is wrong. FCLIB's are judged by their own test (tests/problem/test_fclib.c), which knows
 * the one that nobody solves. */
static void judge(bench_run *run, const standings *all)
{
    for (int i = 0; i < all->count; ++i)
    {
        for (int target = 0; target < CONTEST_TARGETS; ++target)
        {
            bool ours = strcmp(all->of[i].family, "fclib") != 0;
            if (ours && all->of[i].result[target][0].end != CONTEST_MET)
            {
                fprintf(stderr, "measured error %g is not reached: ", CONTEST_TARGET[target]);
                bench_wrong(run, all->of[i].name);
            }
        }
    }
}

static void draw(bench_run *run, const standings *all)
{
    static const char *const NAMES[CONTEST_TARGETS] = {"profile-1e-4.svg", "profile-1e-8.svg"};
    for (int target = 0; target < CONTEST_TARGETS && run->figures; ++target)
    {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", run->figures, NAMES[target]);
        if (!profile_draw(all, target, path))
            bench_wrong(run, path);
    }
}

void bench_solvers(bench_run *run)
{
    problem_files files;
    arena a = {.all = {.limit = run->limit, .patience = run->quick ? 3 : 10}};
    if (!problem_files_open(&files, run->problems, run->quick) ||
        !(a.cache = peer_cache_open(run->problems, run->reuse)))
    {
        bench_wrong(run, "the problem set could not be made");
        return;
    }
    a.all.of = bench_memory((size_t)files.count, sizeof *a.all.of);
    for (int i = 0; i < files.count; i += run->quick ? QUICK_STRIDE : run->every)
        if (!run_file(&a, files.path[i]))
            bench_wrong(run, files.path[i]);
    standings_print(stdout, &a.all);
    if (run->json)
        standings_write_json(run->json, &a.all);
    draw(run, &a.all);
    judge(run, &a.all);
    free(a.all.of);
    peer_cache_close(a.cache);
    problem_files_close(&files);
}
