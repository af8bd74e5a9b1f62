#include "measure.h"

#include "bench.h"
#include "linalg/saddle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* (v, c) of K (v, c) = (p + H'r, b). */
static bool respond(cairn_context *context, const cairn_problem *problem, const double *r, double *v, double *c)
{
    const cairn_block_rows *H = &problem->H;
    crn_saddle *saddle = crn_saddle_create();
    bool fine = saddle && !crn_saddle_factorise(saddle, context, problem);
    memcpy(v, problem->p, (size_t)problem->n * sizeof *v);
    memcpy(c, problem->b, (size_t)problem->joint_rows * sizeof *c);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            int first = problem->block_start[H->block[e]];
            int size = problem->block_start[H->block[e] + 1] - first;
            for (int k = 0; k < problem->dim * size; ++k)
                v[first + k % size] += H->value[H->value_start[e] + k] * r[j * problem->dim + k / size];
        }
    }
    if (fine)
        crn_saddle_solve(saddle, v, c);
    crn_saddle_destroy(saddle);
    return fine;
}

static bool is_finite(const double *x, int count)
{
    bool finite = true;
    for (int i = 0; i < count; ++i)
        finite = finite && isfinite(x[i]);
    return finite;
}

measure measure_impulses(cairn_context *context, const cairn_problem *problem, const double *r)
{
    int rows = problem->dim * problem->contact_count;
    measure m = {INFINITY, INFINITY};
    double *v = bench_memory((size_t)problem->n, sizeof *v);
    double *c = bench_memory((size_t)problem->joint_rows, sizeof *c);
    double *u = bench_memory((size_t)rows, sizeof *u);
    double *q = bench_memory((size_t)rows, sizeof *q);
    double *copy = bench_memory((size_t)rows, sizeof *copy);
    memcpy(copy, r, (size_t)rows * sizeof *copy);
    if (is_finite(r, rows) && respond(context, problem, r, v, c) && cairn_problem_velocities(problem, v, r, u) &&
        !cairn_problem_delassus(context, problem, NULL, q))
    {
        cairn_solution solution = {problem->n, problem->joint_rows, rows, v, c, copy};
        cairn_certificate certificate;
        m.siconos = cairn_problem_siconos_error(problem, q, r, u);
        m.certificate = cairn_certify(problem, &solution, &certificate) ? INFINITY : certificate.relative;
    }
    free(v);
    free(c);
    free(u);
    free(q);
    free(copy);
    return m;
}
