/* Names of the files: SCENE-STEP.hdf5, the step with seven digits, so that a directory's listing is in order. The solution
 * that the run found is stored beside the problem. */
#include "cli/run/run_problems.h"

#include "cli/common/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    LONGEST_PATH = 4096
};

int cli_run_problems_start(cli_run_problems *problems)
{
    if (!problems->every)
        return CLI_EXIT_DONE;
    problems->layout = problems->layout ? problems->layout : "global";
    if (strcmp(problems->layout, "global") != 0 && strcmp(problems->layout, "local") != 0 &&
        strcmp(problems->layout, "cairn") != 0)
        return cli_wrong("option --problems-layout: expected global, local or cairn, found '%s'", problems->layout);
    if (problems->directory && mkdir(problems->directory, 0777) != 0 && errno != EEXIST)
        return cli_fail("directory '%s' cannot be made: %s", problems->directory, strerror(errno));
    return CLI_EXIT_DONE;
}

/* The scene's name without folders and ending; false when the path is too long. */
static bool make_path(const cli_run_problems *problems, int64_t step, char *path, size_t size)
{
    const char *slash = strrchr(problems->scene, '/');
    const char *name = slash ? slash + 1 : problems->scene;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    const char *directory = problems->directory ? problems->directory : ".";
    int written = snprintf(path, size, "%s/%.*s-%07" PRId64 ".hdf5", directory, length, name, step);
    return written > 0 && (size_t)written < size;
}

/* u of the run's solution; NULL when there is none. */
static double *velocities(const cairn_problem *problem, const cairn_solution *solution)
{
    double *u = cli_allocate((size_t)problem->dim * (size_t)problem->contact_count + 1, sizeof(double));
    if (solution && cairn_problem_velocities(problem, solution->v, solution->r, u))
        return u;
    free(u);
    return NULL;
}

/* In FCLIB's layout, with the solution beside the problem. */
static cairn_status save_fclib(cli_run_problems *problems, const cairn_simulation *simulation,
                               const cairn_problem *problem, const char *path)
{
    const cairn_settings *settings = cairn_simulation_settings(simulation);
    const cairn_step_report *report = cairn_simulation_report(simulation);
    const cairn_solution *solution = cairn_simulation_solution(simulation);
    char law[48], description[256];
    cairn_law_name(settings->law, law, sizeof law);
    snprintf(description, sizeof description,
             "step %" PRId64 " to t = %.9g s, h = %.9g s, integrator %s, solution by law %s", report->step,
             report->time, settings->step, cairn_integrator_name(settings->integrator), law);
    double *u = velocities(problem, solution);
    cairn_fclib_options options = cairn_fclib_default();
    options.layout = strcmp(problems->layout, "local") == 0 ? CAIRN_FCLIB_LOCAL : CAIRN_FCLIB_GLOBAL;
    options.title = problems->scene;
    options.description = description;
    if (u)
    {
        options.v = solution->v;
        options.l = solution->c;
        options.r = solution->r;
        options.u = u;
    }
    cairn_status status = cairn_problem_save_fclib(problems->context, problem, path, &options);
    free(u);
    return status;
}

static bool save(cli_run_problems *problems, const cairn_simulation *simulation, const cairn_problem *problem,
                 const char *path)
{
    bool own = strcmp(problems->layout, "cairn") == 0;
    cairn_status status =
        own ? cairn_problem_save(problems->context, problem, path) : save_fclib(problems, simulation, problem, path);
    cli_messages_print(problems->context);
    return !status;
}

bool cli_run_problems_add(cli_run_problems *problems, const cairn_simulation *simulation)
{
    int64_t step = cairn_simulation_report(simulation)->step;
    bool due = problems->every && step % problems->every == 0;
    const cairn_problem *problem = due ? cairn_simulation_problem(simulation) : NULL;
    if (!problem)
        return true;
    if (problem->contact_count == 0)
    {
        ++problems->empty;
        return true;
    }
    char path[LONGEST_PATH];
    if (!make_path(problems, step, path, sizeof path))
        return cli_error("the path of the problem of step %" PRId64 " is too long", step);
    bool done = save(problems, simulation, problem, path);
    problems->saved += done;
    return done;
}
