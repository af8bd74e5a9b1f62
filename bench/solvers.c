/* Every solver on every problem of the set, Cairn's and the peer's, cold and on one thread, to the same measured error. */
#include "bench.h"
#include "problem_files.h"
#include "profile.h"
#include "standings.h"

#include <math.h>
#include <stdlib.h>

static const double SHORTEST_LIMIT = 0.03; /* s */

/* A call may take `patience` times the quickest so far, so that hopeless ones do not take the day. */
static double limit_of(const standings *all, double best)
{
    return fmin(all->limit, fmax(SHORTEST_LIMIT, all->patience * best));
}

static void run_contest(const standings *all, const peer_form *form, bool formed, standing *s)
{
    for (int target = 0; target < CONTEST_TARGETS; ++target)
    {
        double best = INFINITY;
        for (int k = 0; k < contest_count(); ++k)
        {
            contest_result *result = &s->result[target][k];
            bool wants = k >= contest_own_count() && peer_cone_needs_W(k - contest_own_count());
            result->end = CONTEST_NOT_TAKEN;
            if (formed || !wants)
            {
                contest_rules rules = {CONTEST_TARGET[target], contest_start(k), limit_of(all, best)};
                *result = contest_run(k, form, &rules);
            }
            best = result->end == CONTEST_MET ? fmin(best, result->seconds) : best;
        }
    }
}

static bool run_file(standings *all, const char *path)
{
    standing *s = &all->of[all->count];
    cairn_context *context = cairn_context_create();
    cairn_problem *problem = NULL;
    peer_form form;
    problem_file_name(path, s->name, sizeof s->name);
    problem_file_family(path, s->family, sizeof s->family);
    bool loaded = !cairn_problem_load(context, path, &problem);
    if (loaded)
    {
        s->contacts = problem->contact_count;
        s->dim = problem->dim;
        s->joint_rows = problem->joint_rows;
        bool formed = peer_form_make(context, problem, &form);
        run_contest(all, &form, formed, s);
        peer_form_free(&form);
        ++all->count;
        fprintf(stderr, "  %s, %d contacts: auto %.3f and %.3f ms, ratios %.2f and %.2f\n", s->name, s->contacts,
                1e3 * s->result[0][0].seconds, 1e3 * s->result[1][0].seconds, standing_ratio(s, 0, 0, true),
                standing_ratio(s, 1, 0, true));
    }
    cairn_problem_destroy(problem);
    cairn_context_destroy(context);
    return loaded;
}

/* An answer of `auto` that misses its target is wrong. */
static void judge(bench_run *run, const standings *all)
{
    for (int i = 0; i < all->count; ++i)
    {
        for (int target = 0; target < CONTEST_TARGETS; ++target)
        {
            if (all->of[i].result[target][0].end != CONTEST_MET)
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
        {
            bench_wrong(run, path);
        }
    }
}

void bench_solvers(bench_run *run)
{
    problem_files files;
    standings all = {.limit = run->limit, .patience = run->quick ? 3 : 20};
    if (!problem_files_open(&files, run->problems, run->quick))
    {
        bench_wrong(run, "the problem set could not be made");
        return;
    }
    all.of = bench_memory((size_t)files.count, sizeof *all.of);
    for (int i = 0; i < files.count; ++i)
    {
        if (!run_file(&all, files.path[i]))
        {
            bench_wrong(run, files.path[i]);
        }
    }
    standings_print(stdout, &all);
    if (run->json)
    {
        standings_write_json(run->json, &all);
    }
    draw(run, &all);
    judge(run, &all);
    free(all.of);
    problem_files_close(&files);
}
