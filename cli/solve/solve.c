/* `cairn solve`: solve, certify and compare contact problems from files, Cairn's or FCLIB's. */
#include "cli/solve/solve.h"
#include "cli/common/cli.h"
#include "cli/common/options.h"
#include "cli/common/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct solve_options
{
    const char *law, *solver, *output; /* NULL: the file's own, auto, none */
    const char *forces;
    double tolerance;   /* NAN: the library's default */
    int max_iterations; /* 0: the solver's choice */
    double time_limit;  /* s, 0: none */
    int threads;
    bool json;
} solve_options;

/* Impulses, velocities and the best solution of a file so far. */
typedef struct workspace
{
    double *q, *u;
    double *v, *c, *r, *u_best;
    double best; /* relative certificate */
} workspace;

static double *numbers(int count)
{
    return cli_allocate((size_t)count + 1, sizeof(double));
}

static workspace workspace_open(const cairn_problem *problem)
{
    int rows = problem->dim * problem->contact_count;
    return (workspace){numbers(rows), numbers(rows), numbers(problem->n), numbers(problem->joint_rows), numbers(rows),
                       numbers(rows), INFINITY};
}

static void workspace_close(workspace *work)
{
    double *const arrays[] = {work->q, work->u, work->v, work->c, work->r, work->u_best};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
        free(arrays[i]);
}

/* Keep a copy when it is the best so far. */
static void keep(workspace *work, const cairn_problem *problem, const cairn_solution *solution, double relative)
{
    if (!(relative < work->best))
        return;
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    work->best = relative;
    memcpy(work->v, solution->v, (size_t)problem->n * sizeof(double));
    memcpy(work->c, solution->c, (size_t)problem->joint_rows * sizeof(double));
    memcpy(work->r, solution->r, rows * sizeof(double));
    memcpy(work->u_best, work->u, rows * sizeof(double));
}

/* The measures, from problem and solution alone. */
static cairn_status measure(const cairn_problem *problem, const cairn_solution *solution, workspace *work,
                            cli_solve_try *t)
{
    cairn_status status = cairn_certify(problem, solution, &t->certificate);
    if (!status && !cairn_problem_velocities(problem, solution->v, solution->r, work->u))
        status = CAIRN_NO_MEMORY;
    if (!status)
    {
        t->siconos = cairn_problem_siconos_error(problem, work->q, solution->r, work->u);
        keep(work, problem, solution, t->certificate.relative);
    }
    return status;
}

/* One solver, cold, on one problem. */
static void try_solver(cairn_context *context, const cairn_problem *problem, const cairn_solver_options *options,
                       workspace *work, cli_solve_try *t)
{
    cairn_solver *solver = cairn_solver_create(context);
    cairn_solution solution;
    t->solver = cairn_solver_kind_name(options->kind);
    double start = cli_wall_time();
    t->status = solver ? cairn_solver_solve(solver, problem, options, &solution, &t->report) : CAIRN_NO_MEMORY;
    t->seconds = cli_wall_time() - start;
    if (!t->status)
        t->status = measure(problem, &solution, work, t);
    if (t->status)
    {
        const char *text = cairn_context_last_message(context);
        snprintf(t->reason, sizeof t->reason, "%s", text[0] ? text : cairn_status_text(t->status));
    }
    cairn_context_clear(context);
    cairn_solver_destroy(solver);
}

/* The k-th solver of the library; false when there are fewer. */
static bool solver_at(int k, cairn_solver_kind *kind)
{
    return cairn_solver_kind_parse(cairn_solver_kind_name((cairn_solver_kind)k), kind) && (int)*kind == k;
}

static bool forces_named(const char *name, cairn_forces *forces)
{
    for (int k = 0; strcmp(cairn_forces_name((cairn_forces)k), "unknown") != 0; ++k)
    {
        if (strcmp(cairn_forces_name((cairn_forces)k), name) != 0)
            continue;
        *forces = (cairn_forces)k;
        return true;
    }
    return false;
}

static void try_solvers(cairn_context *context, const solve_options *o, cairn_solver_options options, workspace *work,
                        cli_solve_case *c)
{
    if (strcmp(o->solver, "all") != 0)
    {
        try_solver(context, c->problem, &options, work, &c->tries[c->count++]);
        return;
    }
    for (int k = 0; c->count < CLI_SOLVE_MOST && solver_at(k, &options.kind); ++k)
        try_solver(context, c->problem, &options, work, &c->tries[c->count++]);
}

/* The problem with its best solution in FCLIB's layout: global, or local where that has no place for the problem. */
static cairn_status write_output(cairn_context *context, const cli_solve_case *c, const workspace *work,
                                 const char *path)
{
    if (!isfinite(work->best))
    {
        cli_error("'%s' is not written: there is no solution", path);
        return CAIRN_UNSOLVED;
    }
    cairn_fclib_options fclib = cairn_fclib_default();
    fclib.title = c->file;
    fclib.description = c->law;
    fclib.v = work->v;
    fclib.l = work->c;
    fclib.r = work->r;
    fclib.u = work->u_best;
    cairn_status status = cairn_problem_save_fclib(context, c->problem, path, &fclib);
    if (status == CAIRN_UNSUPPORTED)
    {
        cairn_context_clear(context);
        fclib.layout = CAIRN_FCLIB_LOCAL;
        status = cairn_problem_save_fclib(context, c->problem, path, &fclib);
    }
    return status;
}

/* Success when at least one solver solved it; invalid input when no solver supports the law. */
static int judge(const cli_solve_case *c)
{
    int result = CLI_EXIT_WRONG;
    for (int i = 0; i < c->count && result != CLI_EXIT_DONE; ++i)
    {
        const cli_solve_try *t = &c->tries[i];
        bool solved = !t->status && t->report.outcome == CAIRN_SOLVED;
        bool wrong = t->status && cli_exit_status(t->status) == CLI_EXIT_WRONG;
        result = solved ? CLI_EXIT_DONE : wrong ? result : CLI_EXIT_FAILED;
    }
    return result;
}

/* A file that cannot be read, or holds no problem, is invalid input. */
static int judge_file(cairn_status status)
{
    return status && status != CAIRN_NO_MEMORY ? CLI_EXIT_WRONG : cli_exit_status(status);
}

/* Solve a loaded problem and print the results. */
static int solve_problem(cairn_context *context, const solve_options *o, const cairn_solver_options *options,
                         cli_solve_case *c, cli_json *json)
{
    workspace work = workspace_open(c->problem);
    cairn_status status = cairn_problem_delassus(context, c->problem, NULL, work.q);
    int result = judge_file(status); /* an A that is not positive definite, or overflow */
    if (!status)
    {
        try_solvers(context, o, *options, &work, c);
        result = judge(c);
        if (json)
            cli_solve_put_json(json, c);
        else
            cli_solve_print_text(c);
    }
    if (!status && o->output && write_output(context, c, &work, o->output) && result == CLI_EXIT_DONE)
        result = CLI_EXIT_FAILED;
    workspace_close(&work);
    return result;
}

/* A file that could not be solved is still listed. */
static void put_refused(cli_json *json, const char *file, cairn_context *context)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "file", file);
    cli_json_text(json, "error", cairn_context_last_message(context));
    cli_json_close(json, '}');
}

static int solve_file(const char *file, const solve_options *o, const cairn_solver_options *options, cli_json *json)
{
    cairn_context *context = cli_context_create();
    cairn_problem *problem = NULL;
    cli_solve_case *c = cli_allocate(1, sizeof *c);
    cairn_status status = cairn_problem_load(context, file, &problem);
    status = !status && !cairn_problem_is_valid(context, problem) ? CAIRN_INVALID : status;
    int result = judge_file(status);
    if (!status)
    {
        if (o->law)
            cairn_law_parse(o->law, &problem->law);
        cairn_law_name(problem->law, c->law, sizeof c->law);
        c->file = file;
        c->problem = problem;
        c->tolerance = options->tolerance;
        result = solve_problem(context, o, options, c, json);
    }
    if (json && c->count == 0)
        put_refused(json, file, context);
    cli_messages_print(context);
    cairn_problem_destroy(problem);
    cairn_context_destroy(context);
    free(c);
    return result;
}

/* The largest exit status of all files. */
static int solve_files(char **files, int count, const solve_options *o, const cairn_solver_options *options)
{
    cli_json json = {.stream = stdout};
    int worst = CLI_EXIT_DONE;
    if (o->json)
    {
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "version", cairn_version());
        cli_json_open(&json, "problems", '[');
    }
    for (int i = 0; i < count; ++i)
    {
        int result = solve_file(files[i], o, options, o->json ? &json : NULL);
        worst = result > worst ? result : worst;
    }
    if (o->json)
    {
        cli_json_close(&json, ']');
        cli_json_close(&json, '}');
    }
    return worst;
}

static bool understand(const solve_options *o, int files, cairn_solver_options *options)
{
    cairn_law law;
    bool good = true;
    if (o->law && !cairn_law_parse(o->law, &law))
    {
        good =
            cli_error("option --law: expected frictionless, box, cone, pyramid(m), convex cone or convex pyramid(m), m "
                      "even and from 4 to %d, found '%s'",
                      CAIRN_MAX_DIRECTIONS, o->law);
    }
    if (strcmp(o->solver, "all") != 0 && !cairn_solver_kind_parse(o->solver, &options->kind))
    {
        char names[256] = "all";
        cairn_solver_kind kind;
        for (int k = 0; solver_at(k, &kind); ++k)
        {
            size_t length = strlen(names);
            snprintf(names + length, sizeof names - length, ", %s", cairn_solver_kind_name(kind));
        }
        cli_error("option --solver: expected one of %s, found '%s'", names, o->solver);
        good = false;
    }
    if (!forces_named(o->forces, &options->forces))
        good =
            cli_error("option --forces: expected auto, minimum-norm, minimum-energy, maximum-energy or any, found '%s'",
                      o->forces);
    options->tolerance = isnan(o->tolerance) ? options->tolerance : o->tolerance;
    options->max_iterations = o->max_iterations;
    options->time_limit = o->time_limit;
    options->threads = o->threads;
    if (options->threads > CAIRN_MAX_THREADS)
        good = cli_error("option --threads: expected at most %d, found %d", CAIRN_MAX_THREADS, options->threads);
    if (!(options->time_limit >= 0))
        good = cli_error("option --time-limit: expected a time of 0 s (none) or more, found %g", options->time_limit);
    if (!(options->tolerance > 0))
        good = cli_error("option --solver-tolerance: expected a positive number, found %g", options->tolerance);
    if (o->output && files > 1)
        good = cli_error("option --output: one solution file cannot hold %d problems", files);
    return good;
}

static int solve(void *data, int count, char **files)
{
    const solve_options *o = data;
    cairn_solver_options options = cairn_solver_default();
    return understand(o, count, &options) ? solve_files(files, count, o, &options) : CLI_EXIT_WRONG;
}

int cli_command_solve(int argc, char **argv)
{
    solve_options o = {.solver = "auto", .forces = "auto", .tolerance = NAN};
    const cli_option table[] = {
        {CLI_VALUE(
            TEXT, "law", 0, &o.law, "NAME",
            "frictionless | pyramid(m) | box | cone | convex pyramid(m) | convex cone; default: the law in the file")},
        {CLI_VALUE(TEXT, "solver", 0, &o.solver, "NAME", "auto, another solver, or all: a table of every solver")},
        {CLI_VALUE(NUMBER, "solver-tolerance", 0, &o.tolerance, "X", "relative certificate to reach; default 1e-9")},
        {CLI_VALUE(COUNT, "max-iterations", 0, &o.max_iterations, "N",
                   "limit of iterations; default: chosen by the solver")},
        {CLI_VALUE(NUMBER, "time-limit", 0, &o.time_limit, "X",
                   "s per solve, after which the best solution so far is used; default: none")},
        {CLI_VALUE(TEXT, "forces", 0, &o.forces, "NAME",
                   "where many would do: auto (default) | minimum-norm | minimum-energy | maximum-energy | any: the "
                   "solver's own")},
        {CLI_VALUE(COUNT, "threads", 0, &o.threads, "N", "threads per solve; default 1")},
        {CLI_VALUE(TEXT, "output", 'o', &o.output, "FILE", "write the problem and its best solution (FCLIB's layout)")},
        {CLI_FLAG("json", 0, &o.json, "print the results as one JSON object")},
        {0},
    };
    const cli_command command = {
        .usage = "solve FILE... [options]",
        .text = "Solve contact problems from files: Cairn's own problem files and FCLIB's HDF5 layout, local (W, q, "
                "mu) and\nglobal (M, H, f, w, mu), whose law is Coulomb's cone. Results are certified independently of "
                "the solver;\nSiconos' error measure is printed beside the certificate. Exit status 0: every file was "
                "solved by a solver.",
        .options = table,
        .least = 1,
        .most = 1 << 20,
        .work = solve,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
