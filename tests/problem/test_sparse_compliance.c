/* A compliance in sparse blocks is the same problem as in one dense patch: same velocities, W, certificate, answers of every
 * method, files. It takes the memory of its blocks, not of their square. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/cairn.h"
#include "support/check.h"
#include "support/problems/lattice_problem.h"

enum
{
    WIDE = 7,
    HIGH = 6
};

typedef struct pair
{
    cairn_problem sparse, dense;
    int rows;
} pair;

static pair open_pair(int wide, int high, double mu)
{
    pair p = {.sparse = lattice_problem(wide, high, mu, 3)};
    p.dense = lattice_dense(&p.sparse);
    p.rows = p.sparse.dim * p.sparse.contact_count;
    return p;
}

static void close_pair(pair *p)
{
    lattice_dense_free(&p->dense);
    lattice_free(&p->sparse);
}

/* Solve and leave the impulses in r. */
static cairn_solver_report solve(const cairn_problem *problem, cairn_solver_kind kind, double tolerance, int limit,
                                 double *r)
{
    cairn_solver *solver = cairn_solver_create(NULL);
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report;
    options.kind = kind;
    options.tolerance = tolerance;
    options.max_iterations = limit;
    options.forces = CAIRN_FORCES_ANY;
    assert_int_equal(cairn_solver_solve(solver, problem, &options, &solution, &report), CAIRN_OK);
    memcpy(r, solution.r, (size_t)solution.contact_rows * sizeof(double));
    cairn_solver_destroy(solver);
    return report;
}

static void the_lattice_is_sparse(void **state)
{
    (void)state;
    pair p = open_pair(WIDE, HIGH, 0.3);
    assert_true(cairn_problem_is_valid(NULL, &p.sparse));
    assert_true(p.sparse.contact_count > 50);
    assert_true(4 * p.sparse.W.row_start[p.sparse.contact_count] < p.sparse.contact_count * p.sparse.contact_count);
    close_pair(&p);
}

static void products_agree(void **state)
{
    (void)state;
    pair p = open_pair(WIDE, HIGH, 0.3);
    size_t rows = (size_t)p.rows;
    double *r = calloc(rows, sizeof(double)), *u[2], *W[2];
    for (size_t i = 0; i < rows; ++i)
        r[i] = sin(1.7 * (double)i);
    for (int k = 0; k < 2; ++k)
    {
        const cairn_problem *problem = k ? &p.dense : &p.sparse;
        u[k] = calloc(rows, sizeof(double));
        W[k] = calloc(rows * rows + rows, sizeof(double));
        assert_true(cairn_problem_velocities(problem, NULL, r, u[k]));
        assert_int_equal(cairn_problem_delassus(NULL, problem, W[k], W[k] + rows * rows), CAIRN_OK);
    }
    for (size_t i = 0; i < rows; ++i)
        assert_near(u[0][i], u[1][i], 1e-14);
    assert_memory_equal(W[0], W[1], (rows * rows + rows) * sizeof(double));
    cairn_certificate found[2];
    cairn_solution given = {.contact_rows = p.rows, .r = r};
    assert_int_equal(cairn_certify(&p.sparse, &given, &found[0]), CAIRN_OK);
    assert_int_equal(cairn_certify(&p.dense, &given, &found[1]), CAIRN_OK);
    assert_true(found[0].relative > 0.0);
    assert_near(found[0].relative / found[1].relative, 1.0, 1e-12);
    for (int k = 0; k < 2; ++k)
    {
        free(u[k]);
        free(W[k]);
    }
    free(r);
    close_pair(&p);
}

/* The same visits in the same order: the same bits. */
static void sweeps_agree_to_the_bit(void **state)
{
    (void)state;
    pair p = open_pair(WIDE, HIGH, 0.3);
    double *r = calloc(2 * (size_t)p.rows, sizeof(double));
    cairn_solver_report a = solve(&p.sparse, CAIRN_SOLVER_GAUSS_SEIDEL, 1e-6, 50, r);
    cairn_solver_report b = solve(&p.dense, CAIRN_SOLVER_GAUSS_SEIDEL, 1e-6, 50, r + p.rows);
    assert_int_equal(a.iterations, b.iterations);
    assert_memory_equal(r, r + p.rows, (size_t)p.rows * sizeof(double));
    free(r);
    close_pair(&p);
}

/* Velocities of a convex law are unique, however redundant the contacts are. */
static void methods_agree(void **state)
{
    (void)state;
    const cairn_solver_kind kinds[] = {CAIRN_SOLVER_AUTO, CAIRN_SOLVER_APGD, CAIRN_SOLVER_ADMM, CAIRN_SOLVER_NEWTON,
                                       CAIRN_SOLVER_INTERIOR_POINT};
    pair p = open_pair(WIDE, HIGH, 0.3);
    p.sparse.law.kind = p.dense.law.kind = CAIRN_LAW_CONVEX_CONE;
    double *r = calloc((size_t)p.rows, sizeof(double));
    double *u = calloc(2 * (size_t)p.rows, sizeof(double));
    assert_int_equal(solve(&p.dense, CAIRN_SOLVER_AUTO, 1e-11, 0, r).outcome, CAIRN_SOLVED);
    assert_true(cairn_problem_velocities(&p.dense, NULL, r, u + p.rows));
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
    {
        cairn_solver_report report = solve(&p.sparse, kinds[k], 1e-9, 0, r);
        assert_int_equal(report.outcome, CAIRN_SOLVED);
        assert_true(cairn_problem_velocities(&p.sparse, NULL, r, u));
        for (int i = 0; i < p.rows; ++i)
            assert_near(u[i], u[p.rows + i], 1e-6);
    }
    free(r);
    free(u);
    close_pair(&p);
}

static void exact_friction_is_solved(void **state)
{
    (void)state;
    pair p = open_pair(12, 10, 0.4);
    double *r = calloc((size_t)p.rows, sizeof(double));
    cairn_solver_report report = solve(&p.sparse, CAIRN_SOLVER_AUTO, 1e-8, 0, r);
    cairn_certificate judged;
    cairn_solution given = {.contact_rows = p.rows, .r = r};
    assert_int_equal(report.outcome, CAIRN_SOLVED);
    assert_int_equal(cairn_certify(&p.dense, &given, &judged), CAIRN_OK);
    assert_true(judged.relative <= 1e-8);
    free(r);
    close_pair(&p);
}

/* Of a W that is not symmetric the certificate sees every entry. */
static void W_need_not_be_symmetric(void **state)
{
    (void)state;
    pair p = open_pair(WIDE, HIGH, 0.0);
    for (int i = 0; i < p.sparse.contact_count; ++i)
        for (int e = p.sparse.W.row_start[i]; e < p.sparse.W.row_start[i + 1]; ++e)
            if (p.sparse.W.column[e] > i)
                p.sparse.W.value[p.sparse.W.value_start[e]] += 1e-3;
    lattice_dense_free(&p.dense);
    p.dense = lattice_dense(&p.sparse);
    const cairn_solver_kind kinds[] = {CAIRN_SOLVER_GAUSS_SEIDEL, CAIRN_SOLVER_APGD, CAIRN_SOLVER_INTERIOR_POINT};
    double *r = calloc((size_t)p.rows, sizeof(double));
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
    {
        cairn_certificate judged;
        cairn_solution given = {.contact_rows = p.rows, .r = r};
        assert_int_equal(solve(&p.sparse, kinds[k], 1e-6, 0, r).outcome, CAIRN_SOLVED);
        assert_int_equal(cairn_certify(&p.dense, &given, &judged), CAIRN_OK);
        assert_true(judged.relative <= 1e-6);
    }
    free(r);
    close_pair(&p);
}

/* --------------------------------------------------------------------------------------------------------------- files */

static void assert_same_W(const cairn_problem *a, const cairn_problem *b)
{
    int entries = a->W.row_start[a->contact_count];
    assert_int_equal(a->contact_count, b->contact_count);
    assert_int_equal(b->W.block_count, b->contact_count);
    assert_memory_equal(a->W.row_start, b->W.row_start, ((size_t)a->contact_count + 1) * sizeof(int));
    assert_memory_equal(a->W.column, b->W.column, (size_t)entries * sizeof(int));
    assert_memory_equal(a->W.value, b->W.value, (size_t)a->W.value_start[entries] * sizeof(double));
    assert_memory_equal(a->w, b->w, (size_t)(a->dim * a->contact_count) * sizeof(double));
}

static void both_file_layouts_keep_it(void **state)
{
    (void)state;
    cairn_problem problem = lattice_problem(WIDE, HIGH, 0.3, 3), *read[2];
    cairn_fclib_options options = cairn_fclib_default();
    options.layout = CAIRN_FCLIB_LOCAL;
    assert_int_equal(cairn_problem_save(NULL, &problem, "sparse.h5"), CAIRN_OK);
    assert_int_equal(cairn_problem_save_fclib(NULL, &problem, "sparse.hdf5", &options), CAIRN_OK);
    assert_int_equal(cairn_problem_load(NULL, "sparse.h5", &read[0]), CAIRN_OK);
    assert_int_equal(cairn_problem_load(NULL, "sparse.hdf5", &read[1]), CAIRN_OK);
    for (int k = 0; k < 2; ++k)
    {
        assert_same_W(&problem, read[k]);
        assert_int_equal(read[k]->patch_count, 0);
        cairn_problem_destroy(read[k]);
    }
    options.layout = CAIRN_FCLIB_GLOBAL;
    assert_int_equal(cairn_problem_save_fclib(NULL, &problem, "sparse.hdf5", &options), CAIRN_UNSUPPORTED);
    lattice_free(&problem);
}

/* A patch that is sparse is written by its entries, and read as blocks; a small one is read as a patch. */
static void files_choose_the_storage(void **state)
{
    (void)state;
    cairn_fclib_options options = cairn_fclib_default();
    options.layout = CAIRN_FCLIB_LOCAL;
    for (int k = 0; k < 2; ++k)
    {
        pair p = open_pair(k ? 3 : WIDE, k ? 3 : HIGH, 0.3);
        cairn_problem *read;
        assert_int_equal(cairn_problem_save_fclib(NULL, &p.dense, "patch.hdf5", &options), CAIRN_OK);
        assert_int_equal(cairn_problem_load(NULL, "patch.hdf5", &read), CAIRN_OK);
        assert_int_equal(read->W.block_count, k ? 0 : p.sparse.contact_count);
        assert_int_equal(read->patch_count > 0, k);
        cairn_problem_destroy(read);
        close_pair(&p);
    }
}

/* ------------------------------------------------------------------------------------------------------------- islands */

/* A large lattice and a small one in one problem: each is solved as it would be alone. */
static void islands_are_apart(void **state)
{
    (void)state;
    cairn_problem part[2] = {lattice_problem(WIDE, HIGH, 0.3, 3), lattice_problem(3, 3, 0.3, 5)};
    int first = part[0].contact_count, count = first + part[1].contact_count, dim = part[0].dim;
    int entries = part[0].W.row_start[first], all = entries + part[1].W.row_start[part[1].contact_count];
    cairn_problem both = part[0];
    int *ints = calloc((size_t)(3 * (count + 1) + 2 * all + 1), sizeof(int));
    double *w = calloc((size_t)(dim * count), sizeof(double)), *mu = calloc((size_t)count, sizeof(double));
    double *value = calloc((size_t)(dim * dim * all), sizeof(double));
    uint64_t *identity = calloc((size_t)count, sizeof(uint64_t));
    both.contact_count = both.H.item_count = both.W.block_count = count;
    both.H.row_start = ints;
    both.H.entry_start = ints + count + 1;
    both.W.row_start = ints + 2 * (count + 1);
    both.W.column = ints + 3 * (count + 1);
    both.W.value_start = both.W.column + all;
    both.W.block_start = both.H.row_start;
    both.W.value = value;
    both.w = w;
    both.mu = mu;
    both.identity = identity;
    for (int j = 0; j < count; ++j)
    {
        const cairn_problem *from = &part[j >= first];
        int own = j >= first ? j - first : j, base = j >= first ? entries : 0;
        both.H.row_start[j + 1] = dim * (j + 1);
        both.W.row_start[j + 1] = base + from->W.row_start[own + 1];
        mu[j] = from->mu[own];
        memcpy(w + dim * j, from->w + dim * own, (size_t)dim * sizeof(double));
        for (int e = from->W.row_start[own]; e < from->W.row_start[own + 1]; ++e)
        {
            both.W.column[base + e] = from->W.column[e] + (j >= first ? first : 0);
            both.W.value_start[base + e + 1] = dim * dim * (base + e + 1);
            memcpy(value + dim * dim * (base + e), from->W.value + dim * dim * e, (size_t)(dim * dim) * sizeof(double));
        }
    }
    assert_true(cairn_problem_is_valid(NULL, &both));
    double *r = calloc((size_t)(2 * dim * count), sizeof(double));
    cairn_solver_report report = solve(&both, CAIRN_SOLVER_GAUSS_SEIDEL, 1e-4, 0, r);
    assert_int_equal(report.outcome, CAIRN_SOLVED);
    assert_int_equal(report.islands, 2);
    for (int k = 0; k < 2; ++k)
        solve(&part[k], CAIRN_SOLVER_GAUSS_SEIDEL, 1e-4, 0, r + dim * count + (k ? dim * first : 0));
    for (int i = 0; i < dim * count; ++i)
        assert_near(r[i], r[dim * count + i], 1e-12);
    free(r);
    free(ints);
    free(w);
    free(mu);
    free(value);
    free(identity);
    lattice_free(&part[0]);
    lattice_free(&part[1]);
}

/* ------------------------------------------------------------------------------------------------------------- refusals */

static void refuse(const cairn_problem *problem, const char *words)
{
    cairn_context *context = cairn_context_create();
    assert_false(cairn_problem_is_valid(context, problem));
    assert_non_null(strstr(cairn_context_last_message(context), words));
    cairn_context_destroy(context);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    cairn_problem problem = lattice_problem(WIDE, HIGH, 0.3, 3), wrong = problem;
    wrong.W.block_count = 3;
    refuse(&wrong, "W has 3 block rows");
    wrong = problem;
    wrong.W.block_start = NULL;
    refuse(&wrong, "W.block_start is missing");
    wrong = lattice_dense(&problem);
    wrong.W = problem.W;
    refuse(&wrong, "W is given beside");
    lattice_dense_free(&wrong);
    int *row = problem.W.row_start, *column = problem.W.column, kept = column[row[2] - 1];
    column[row[2] - 1] = problem.contact_count - 1; /* the last contact is far from the first ones */
    refuse(&problem, "without its partner");
    column[row[2] - 1] = problem.contact_count;
    refuse(&problem, "W.column");
    column[row[2] - 1] = kept;
    problem.W.value[5] = NAN;
    refuse(&problem, "W.value[5]");
    problem.W.value[5] = 0.0;
    assert_true(cairn_problem_is_valid(NULL, &problem));
    lattice_free(&problem);
}

/* A file of 7000 contacts: its W in full would be 1.6 GB. */
static void memory_is_that_of_the_blocks(void **state)
{
    (void)state;
    cairn_problem problem = lattice_problem(60, 51, 0.3, 3), *read;
    cairn_fclib_options options = cairn_fclib_default();
    options.layout = CAIRN_FCLIB_LOCAL;
    assert_in_range(problem.contact_count, 6500, 8000);
    assert_int_equal(cairn_problem_save_fclib(NULL, &problem, "large.hdf5", &options), CAIRN_OK);
    assert_int_equal(cairn_problem_load(NULL, "large.hdf5", &read), CAIRN_OK);
    assert_int_equal(read->W.block_count, problem.contact_count);
    assert_true(read->W.row_start[read->contact_count] < 12 * read->contact_count);
    cairn_solver *solver = cairn_solver_create(NULL);
    cairn_solver_options how = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report;
    how.kind = CAIRN_SOLVER_GAUSS_SEIDEL;
    how.max_iterations = 60;
    how.tolerance = 1e-2;
    assert_int_equal(cairn_solver_solve(solver, read, &how, &solution, &report), CAIRN_OK);
    assert_true(report.certificate.relative < 0.5);
    struct mallinfo2 held = mallinfo2(); /* nothing under a sanitizer, which has an allocator of its own */
    assert_true(held.uordblks + held.hblkhd < 50e6);
    cairn_solver_destroy(solver);
    cairn_problem_destroy(read);
    lattice_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lattice_is_sparse),
        cmocka_unit_test(products_agree),
        cmocka_unit_test(sweeps_agree_to_the_bit),
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(exact_friction_is_solved),
        cmocka_unit_test(W_need_not_be_symmetric),
        cmocka_unit_test(both_file_layouts_keep_it),
        cmocka_unit_test(files_choose_the_storage),
        cmocka_unit_test(islands_are_apart),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(memory_is_that_of_the_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
