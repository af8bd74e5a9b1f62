#include "support/problems/method_check.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solve/certify/certify.h"
#include "support/problems/fclib.h"
#include "support/problems/random_problem.h"

enum
{
    LONG_CONTACTS = 300
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A method takes what it is given as one island. */
static cairn_status judge_as_one(const cairn_problem *problem, const cairn_solution *solution,
                                 cairn_certificate *certificate)
{
    crn_certifier *certifier = crn_certifier_create();
    cairn_status status = certifier ? crn_certify(certifier, problem, solution, certificate) : CAIRN_NO_MEMORY;
    crn_certifier_destroy(certifier);
    return status;
}

method_run method_solve(const crn_method *method, const cairn_problem *problem, double tolerance, int max_iterations,
                        const double *guess)
{
    method_run run = {.status = CAIRN_NO_MEMORY};
    int rows = problem->dim * problem->contact_count;
    run.solution = (cairn_solution){problem->n,
                                    problem->joint_rows,
                                    rows,
                                    calloc((size_t)problem->n + 1, sizeof(double)),
                                    calloc((size_t)problem->joint_rows + 1, sizeof(double)),
                                    calloc((size_t)rows + 1, sizeof(double))};
    if (guess)
        memcpy(run.solution.r, guess, (size_t)rows * sizeof(double));
    void *workspace = method->create();
    crn_method_options options = {.tolerance = tolerance, .max_iterations = max_iterations};
    double start = now();
    if (workspace)
        run.status = method->solve(workspace, NULL, problem, &options, &run.solution, &run.report);
    run.seconds = now() - start;
    method->destroy(workspace);
    if (run.status == CAIRN_OK)
        run.status = judge_as_one(problem, &run.solution, &run.certificate);
    return run;
}

void method_release(method_run *run)
{
    free(run->solution.v);
    free(run->solution.c);
    free(run->solution.r);
    memset(run, 0, sizeof *run);
}

double method_difference(const method_run *a, const method_run *b)
{
    double worst = 0.0;
    for (int i = 0; i < a->solution.n; ++i)
        worst = fmax(worst, fabs(a->solution.v[i] - b->solution.v[i]));
    return worst / a->certificate.scale;
}

double *method_lemke(const cairn_problem *problem)
{
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report;
    double *v = NULL;
    options.kind = CAIRN_SOLVER_LEMKE;
    if (cairn_solver_solve(solver, problem, &options, &solution, &report) == CAIRN_OK && report.outcome == CAIRN_SOLVED)
    {
        v = calloc((size_t)problem->n + 1, sizeof(double));
        memcpy(v, solution.v, (size_t)problem->n * sizeof(double));
    }
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
    return v;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char *directory(void)
{
    const char *named = getenv("CAIRN_FCLIB");
    return named ? named : CAIRN_SOURCE_DIR "/../shared/reference/fclib";
}

static int list_files(char **names, int most)
{
    DIR *folder = opendir(directory());
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (strstr(entry->d_name, ".hdf5") && count < most)
            names[count++] = strdup(entry->d_name);
    if (folder)
        closedir(folder);
    qsort(names, (size_t)count, sizeof(char *), by_name);
    return count;
}

int method_fclib_table(const crn_method *method, cairn_law law, double tolerance, int max_iterations, int *count)
{
    char *names[64];
    int solved = 0;
    int files = list_files(names, 64);
    *count = 0;
    for (int i = 0; i < files; ++i)
    {
        char path[1024];
        const char *reason;
        snprintf(path, sizeof path, "%s/%s", directory(), names[i]);
        cairn_problem *problem = test_fclib_read(path, law, &reason);
        if (problem && problem->contact_count > LONG_CONTACTS && !getenv("CAIRN_LONG"))
        {
            printf("%-8s %-40s %4d contacts: left out without CAIRN_LONG\n", method->name, names[i],
                   problem->contact_count);
        }
        else if (problem)
        {
            method_run run = method_solve(method, problem, tolerance, max_iterations, NULL);
            printf("%-8s %-40s %4d contacts %6d iterations %8.3f s  certificate %.1e\n", method->name, names[i],
                   problem->contact_count, run.report.iterations, run.seconds, run.certificate.relative);
            ++*count;
            solved += run.status == CAIRN_OK && run.certificate.relative <= tolerance;
            method_release(&run);
        }
        test_problem_destroy(problem);
        free(names[i]);
    }
    return files == 0 ? -1 : solved;
}
