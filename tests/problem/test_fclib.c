/* The polyhedral version, pyramid(4), of contact problems others have published in FCLIB's format: each solved and
 * certified. The files are not part of the project; without them the test is skipped.
 *
 * CAIRN_FCLIB names their directory, else ../shared/reference/fclib beside the sources is looked at. Problems of more
 * than 300 contacts take long and are left out unless CAIRN_LONG is set. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support/problems/fclib.h"
#include "support/problems/random_problem.h"

enum
{
    LONG_CONTACTS = 300
};

static const char *directory(void)
{
    const char *named = getenv("CAIRN_FCLIB");
    return named ? named : CAIRN_SOURCE_DIR "/../shared/reference/fclib";
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Solve, report, and hold the certificate to 1e-8, recomputed apart from the solver. */
static void solve_one(const char *name, const cairn_problem *problem, cairn_solver_kind kind)
{
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report;
    options.kind = kind;
    options.tolerance = 1e-8;
    double start = seconds();
    assert_int_equal(cairn_solver_solve(solver, problem, &options, &solution, &report), CAIRN_OK);
    double taken = seconds() - start;
    print_message("%-42s %4d contacts %5d variables %5d pivots %3d rebuilt %7.3f s  certificate %.1e (%s)\n", name,
                  problem->contact_count, 6 * problem->contact_count, report.iterations, report.refactorisations, taken,
                  report.certificate.relative, report.method);
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
    assert_true(certificate.relative < 1e-8);
    assert_int_equal(report.outcome, CAIRN_SOLVED);
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
}

static bool is_problem_file(const char *name)
{
    const char *end = strrchr(name, '.');
    return end && (strcmp(end, ".hdf5") == 0 || strcmp(end, ".h5") == 0);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the problem files, sorted; returns how many. */
static int list_files(char **names, int most)
{
    DIR *folder = opendir(directory());
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (is_problem_file(entry->d_name) && count < most)
            names[count++] = strdup(entry->d_name);
    if (folder)
        closedir(folder);
    qsort(names, (size_t)count, sizeof(char *), by_name);
    return count;
}

static void solves_published_problems(void **state)
{
    bool *found = *state;
    char *names[256];
    int count = list_files(names, 256);
    *found = count > 0;
    if (count == 0)
    {
        print_message("no problems in %s\n", directory());
        skip();
    }
    for (int i = 0; i < count; ++i)
    {
        char path[1024];
        const char *reason;
        snprintf(path, sizeof path, "%s/%s", directory(), names[i]);
        cairn_problem *problem = test_fclib_read(path, (cairn_law){CAIRN_LAW_PYRAMID, 4}, &reason);
        if (!problem)
            fail_msg("%s: %s", names[i], reason);
        if (problem->contact_count > LONG_CONTACTS && !getenv("CAIRN_LONG"))
            print_message("%-42s %4d contacts: left out without CAIRN_LONG\n", names[i], problem->contact_count);
        else
            solve_one(names[i], problem, CAIRN_SOLVER_LEMKE);
        test_problem_destroy(problem);
        free(names[i]);
    }
}

int main(void)
{
    bool found = false;
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(solves_published_problems, &found)};
    int failed = cmocka_run_group_tests_name("fclib", tests, NULL, NULL);
    return failed || found ? failed : 77; /* what the test runner takes for skipped */
}
