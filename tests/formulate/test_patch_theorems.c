/* What Song et al. 2004 prove of their compliant contacts, on random instances: bodies, contact patches of real influence
 * matrices, rows that repeat and oppose each other, so that condition (15) fails.
 *
 *     Proposition 1   H = E - E W (M/h + W'E W)^-1 W'E is symmetric positive definite; it is the inverse of h times Cairn's matrix
 *     Theorem 2, 3    a solution exists whatever the rows are, and Lemke's method finds it
 *     Theorem 2b      it is the only one when friction is small: all modes of small problems are tried
 *     Lemma 5         deformations and their rates stay below a constant times sqrt(eps), velocities below a constant
 *     Theorem 6       motions and forces tend to those of rigid contacts as eps goes to 0
 */
#include "formulate/patch_block.h"
#include "step/simulation.h"
#include "support/check.h"
#include "support/problems/random_problem.h"
#include "support/worlds.h"

#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_ROWS = 110,
    MOST_UNKNOWNS = 18
};

/* One step of the paper, dense: mass M (n), rows W (rows x n), E and K of all patches (rows x rows), bias w. */
typedef struct instance
{
    int dim, n, bodies, contacts, rows;
    double h;
    double M[MOST_UNKNOWNS * MOST_UNKNOWNS], p[MOST_UNKNOWNS];
    double W[MOST_ROWS * MOST_UNKNOWNS], w[MOST_ROWS], mu[MOST_ROWS];
    double E[MOST_ROWS * MOST_ROWS], R[MOST_ROWS * MOST_ROWS];
} instance;

/* E and R of one patch into the block at `row`; returns its elements. */
static int add_patch(instance *it, test_random *random, int elements, double eps, int row)
{
    world w = world_new(it->dim);
    cairn_material_options material = cairn_material_default();
    material.name = "rubber";
    material.patch.elements = elements;
    material.patch.spacing = 1e-3;
    material.patch.compliance = eps;
    material.patch.poisson = test_uniform(random, -0.9, 0.5);
    material.patch.damping = test_uniform(random, 0, 2);
    cairn_material made;
    assert_int_equal(cairn_model_add_material(w.model, &material, &made), CAIRN_OK);
    crn_patch_block block;
    assert_int_equal(crn_patch_block_create(w.model, made.id - 1, 0, made.id - 1, &block), CAIRN_OK);
    crn_patch_block_prepare(&block, it->h);
    double *inverse = calloc((size_t)(block.rows * block.rows), sizeof(double));
    int pivot[MOST_ROWS];
    for (int i = 0; i < block.rows * block.rows; ++i)
        inverse[i] = it->h * block.R[i];
    assert_int_equal(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, block.rows, block.rows, inverse, block.rows, pivot), 0);
    assert_int_equal(LAPACKE_dgetri(LAPACK_ROW_MAJOR, block.rows, inverse, block.rows, pivot), 0);
    for (int i = 0; i < block.rows; ++i)
    {
        for (int j = 0; j < block.rows; ++j)
        {
            it->R[(row + i) * it->rows + row + j] = block.R[i * block.rows + j];
            it->E[(row + i) * it->rows + row + j] = inverse[i * block.rows + j];
        }
    }
    int count = block.elements;
    free(inverse);
    crn_patch_block_destroy(&block);
    world_free(&w);
    return count;
}

static void random_bodies(instance *it, test_random *random)
{
    int size = it->dim == 2 ? 3 : 6;
    it->n = it->bodies * size;
    memset(it->M, 0, sizeof it->M);
    for (int i = 0; i < it->n; ++i)
    {
        it->M[i * it->n + i] = test_uniform(random, 0.2, 2);
        it->p[i] = test_uniform(random, -1, 1);
    }
}

/* Rows of one patch: a body's rows at the elements, hardly apart, or the same with the other sign: a body squeezed. */
static void random_rows(instance *it, test_random *random, int first, int count, int opposes)
{
    int size = it->dim == 2 ? 3 : 6, body = test_integer(random, 0, it->bodies - 1);
    for (int i = 0; i < count * it->dim; ++i)
    {
        double *row = it->W + (first + i) * it->n;
        memset(row, 0, (size_t)it->n * sizeof(double));
        it->w[first + i] = test_uniform(random, -1, 1);
        for (int k = 0; k < it->n && opposes >= 0; ++k)
            row[k] = -it->W[(opposes + i) * it->n + k];
        for (int k = 0; k < size && opposes < 0; ++k)
        {
            double same =
                i < it->dim ? test_uniform(random, -1, 1) : it->W[(first + i % it->dim) * it->n + body * size + k];
            row[body * size + k] = same + (i < it->dim ? 0 : test_uniform(random, -1e-2, 1e-2));
        }
    }
}

static instance *random_instance(uint64_t seed, int dim, int patches, int elements, double eps)
{
    test_random random = {seed};
    instance *it = calloc(1, sizeof *it);
    int each = dim == 2 ? elements : elements * elements;
    it->dim = dim;
    it->h = pow(10, test_uniform(&random, -4, -2));
    it->bodies = test_integer(&random, 1, dim == 2 ? 3 : 2);
    it->contacts = patches * each;
    it->rows = it->contacts * dim;
    assert_true(it->rows <= MOST_ROWS);
    random_bodies(it, &random);
    for (int k = 0; k < patches; ++k)
    {
        int first = k * each * dim;
        add_patch(it, &random, elements, eps, first);
        random_rows(it, &random, first, each, k % 2 == 1 ? first - each * dim : -1);
    }
    for (int j = 0; j < it->contacts; ++j)
        it->mu[j] = test_uniform(&random, 0, 1.5);
    return it;
}

static cairn_problem *problem_of(const instance *it, cairn_law law, bool compliant)
{
    int size[3] = {it->n / it->bodies, it->n / it->bodies, it->n / it->bodies};
    test_dense dense = {.dim = it->dim,
                        .law = law,
                        .block_count = it->bodies,
                        .block_size = size,
                        .A = it->M,
                        .p = it->p,
                        .contact_count = it->contacts,
                        .H = it->W,
                        .w = it->w,
                        .mu = it->mu,
                        .R = compliant ? it->R : NULL};
    return test_problem_from_dense(&dense);
}

/* C (a x b) = A (a x k) B (k x b); transposed: A is k x a. */
static void product(int a, int k, int b, bool transposed, const double *A, const double *B, double *C)
{
    for (int i = 0; i < a * b; ++i)
    {
        C[i] = 0;
        for (int l = 0; l < k; ++l)
            C[i] += (transposed ? A[l * a + i / b] : A[i / b * k + l]) * B[l * b + i % b];
    }
}

/* --------------------------------------------------------------------------------------------- Proposition 1 */

/* The paper's H. */
static void paper_matrix(const instance *it, double *H)
{
    int n = it->n, rows = it->rows;
    double *EW = calloc((size_t)(rows * n), sizeof(double)), *inner = calloc((size_t)(n * n), sizeof(double));
    double *X = calloc((size_t)(n * rows), sizeof(double)), *back = calloc((size_t)(rows * rows), sizeof(double));
    product(rows, rows, n, false, it->E, it->W, EW);
    product(n, rows, n, true, it->W, EW, inner);
    for (int i = 0; i < n * n; ++i)
        inner[i] += it->M[i] / it->h;
    for (int i = 0; i < n * rows; ++i)
        X[i] = EW[i % rows * n + i / rows];
    assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', n, rows, inner, n, X, rows), 0);
    product(rows, n, rows, false, EW, X, back);
    for (int i = 0; i < rows * rows; ++i)
        H[i] = it->E[i] - back[i];
    free(EW);
    free(inner);
    free(X);
    free(back);
}

static void matrix_is_definite(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    for (uint64_t seed = 1; seed <= 60; ++seed)
    {
        int dim = seed % 2 ? 2 : 3;
        instance *it = random_instance(seed, dim, 2, seed % 3 ? 3 : 1, 1e-6);
        int rows = it->rows;
        double *H = calloc((size_t)(rows * rows), sizeof(double)), *D = calloc((size_t)(rows * rows), sizeof(double));
        double *one = calloc((size_t)(rows * rows), sizeof(double)), *value = calloc((size_t)rows, sizeof(double));
        double *q = calloc((size_t)rows, sizeof(double));
        paper_matrix(it, H);
        cairn_problem *problem = problem_of(it, (cairn_law){CAIRN_LAW_BOX, 0}, true);
        assert_int_equal(cairn_problem_delassus(context, problem, D, q), CAIRN_OK);
        product(rows, rows, rows, false, H, D, one);
        for (int i = 0; i < rows * rows; ++i)
            assert_near(it->h * one[i], i / rows == i % rows, 1e-7);
        assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', rows, H, rows, value), 0);
        assert_true(value[0] > 0);
        test_problem_destroy(problem);
        free(H);
        free(D);
        free(one);
        free(value);
        free(q);
        free(it);
    }
    cairn_context_destroy(context);
}

/* ------------------------------------------------------------------------------------------ Theorems 2 and 3 */

static bool solves(cairn_solver *solver, const cairn_problem *problem, cairn_solver_kind kind, double tolerance,
                   cairn_solution *solution)
{
    cairn_solver_options options = cairn_solver_default();
    cairn_solver_report report;
    options.kind = kind;
    options.tolerance = tolerance;
    assert_int_equal(cairn_solver_solve(solver, problem, &options, solution, &report), CAIRN_OK);
    return report.outcome == CAIRN_SOLVED;
}

/* Squeezed bodies: rigid, most of these problems have no solution; compliant, Lemke's method and auto solve all of them. */
static void lemke_finds_a_solution(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    int rigid = 0, total = 0;
    for (uint64_t seed = 1; seed <= 120; ++seed)
    {
        instance *it = random_instance(1000 + seed, seed % 2 ? 2 : 3, seed % 4 < 2 ? 2 : 4, seed % 5 == 0 ? 3 : 1,
                                       pow(10, -5 - (double)(seed % 5)));
        static const cairn_law laws[] = {{CAIRN_LAW_BOX, 0}, {CAIRN_LAW_PYRAMID, 8}, {CAIRN_LAW_CONE, 0}};
        for (int k = 0; k < 3 && (k == 0 || it->contacts < 20); ++k)
        {
            cairn_solution solution;
            cairn_problem *problem = problem_of(it, laws[k], true);
            if (!solves(solver, problem, k == 2 ? CAIRN_SOLVER_AUTO : CAIRN_SOLVER_LEMKE, 1e-9, &solution))
                fail_msg("instance %d, law %d is not solved", (int)seed, k);
            test_problem_destroy(problem);
        }
        cairn_solution solution;
        cairn_problem *problem = problem_of(it, laws[0], false);
        rigid += solves(solver, problem, CAIRN_SOLVER_LEMKE, 1e-9, &solution);
        ++total;
        test_problem_destroy(problem);
        free(it);
    }
    print_message("rigid: %d of %d have a solution; compliant: all\n", rigid, total);
    assert_true(rigid < total / 2);
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
}

/* -------------------------------------------------------------------------------------------------- Theorem 2b */

enum
{
    SMALL = 3 /* planar contacts whose modes are all tried: open, stick, slip to either side */
};

/* The solution of u = D r + q in one mode, and whether it obeys the inequalities. */
static bool try_mode(const double *D, const double *q, double mu, int mode, double *r)
{
    double A[4 * SMALL * SMALL], b[2 * SMALL], u[2 * SMALL];
    int rows = 2 * SMALL, pivot[2 * SMALL];
    for (int i = 0; i < rows; ++i)
    {
        int kind = mode >> (i / 2 * 2) & 3; /* 0 open, 1 stick, 2 slip u_t > 0, 3 slip u_t < 0 */
        bool row_of_D = kind == 1 || (kind > 1 && i % 2 == 0);
        b[i] = row_of_D ? -q[i] : 0;
        for (int j = 0; j < rows; ++j)
            A[i * rows + j] = row_of_D ? D[i * rows + j] : (double)(i == j);
        if (kind > 1 && i % 2 == 1)
            A[i * rows + i - 1] = kind == 2 ? mu : -mu; /* r_t = -+ mu r_n */
    }
    if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, rows, 1, A, rows, pivot, b, 1) != 0)
        return false;
    product(rows, rows, 1, false, D, b, u);
    bool holds = true;
    for (int j = 0; j < SMALL; ++j)
    {
        int kind = mode >> (2 * j) & 3;
        double u_n = u[2 * j] + q[2 * j], u_t = u[2 * j + 1] + q[2 * j + 1], r_n = b[2 * j], r_t = b[2 * j + 1];
        bool fits = kind == 0   ? u_n >= 0
                    : kind == 1 ? r_n >= 0 && fabs(r_t) <= mu * r_n
                                : r_n >= 0 && (kind == 2 ? u_t >= 0 : u_t <= 0);
        holds = holds && fits;
    }
    memcpy(r, b, sizeof b);
    return holds;
}

/* How many different solutions there are. */
static int count_solutions(const double *D, const double *q, double mu)
{
    double found[16][2 * SMALL];
    int count = 0;
    for (int mode = 0; mode < 1 << (2 * SMALL); ++mode)
    {
        double r[2 * SMALL];
        if (!try_mode(D, q, mu, mode, r))
            continue;
        bool known = false;
        for (int k = 0; k < count && !known; ++k)
        {
            double apart = 0, size = 0;
            for (int i = 0; i < 2 * SMALL; ++i)
            {
                apart = fmax(apart, fabs(found[k][i] - r[i]));
                size = fmax(size, fabs(r[i]));
            }
            known = apart <= 1e-9 * size;
        }
        if (!known && count < 16)
            memcpy(found[count++], r, sizeof r);
    }
    return count;
}

static void small_friction_has_one_solution(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    int several = 0;
    for (uint64_t seed = 1; seed <= 300; ++seed)
    {
        instance *it = random_instance(2000 + seed, 2, seed % 2 ? 1 : 3, seed % 2 ? 3 : 1, 1e-6);
        double D[4 * SMALL * SMALL], q[2 * SMALL];
        cairn_problem *problem = problem_of(it, (cairn_law){CAIRN_LAW_BOX, 0}, true);
        assert_int_equal(problem->contact_count, SMALL);
        assert_int_equal(cairn_problem_delassus(context, problem, D, q), CAIRN_OK);
        assert_int_equal(count_solutions(D, q, 0.0), 1);
        assert_int_equal(count_solutions(D, q, 0.01), 1);
        int rough = count_solutions(D, q, 5.0);
        assert_true(rough >= 1); /* Theorem 2a */
        several += rough > 1;
        test_problem_destroy(problem);
        free(it);
    }
    print_message("mu = 5: %d of 300 have several solutions; mu = 0.01: none\n", several);
    assert_true(several > 0);
    cairn_context_destroy(context);
}

/* -------------------------------------------------------------------------------------- Lemma 5 and Theorem 6 */

enum
{
    STEPS = 60,
    BODIES = 2
};

/* A run: velocities, positions and summed impulses of every step; the largest deformation and rate of it. */
typedef struct trajectory
{
    double q[STEPS][3 * BODIES], v[STEPS][3 * BODIES], force[STEPS][2];
    double deformation, creep, speed;
} trajectory;

/* Two disks in a corner between the ground and a wall, thrown at each other: they hit, slide, roll and rest. */
static void run(uint64_t seed, int elements, double spacing, double eps, double h, trajectory *out)
{
    test_random random = {seed};
    world w = world_new(2);
    cairn_material_options material = cairn_material_default();
    material.name = "rubber";
    material.friction = test_uniform(&random, 0.05, 0.4);
    material.patch = (cairn_patch_options){elements, spacing, eps, 0.3, 1.0, 0.0, CAIRN_KERNEL_MEAN};
    cairn_material rubber;
    assert_int_equal(cairn_model_add_material(w.model, &material, &rubber), CAIRN_OK);
    add_ground(w.model, rubber);
    double x = test_uniform(&random, 0.25, 0.3);
    cairn_body body[BODIES] = {
        add_ball(w.model, "one", test_uniform(&random, 0.5, 2), 0.1, (double[3]){0, 0.1, 0}, rubber),
        add_ball(w.model, "two", test_uniform(&random, 0.5, 2), 0.1, (double[3]){x, 0.12, 0}, rubber)};
    cairn_settings settings = cairn_settings_default();
    settings.step = h;
    settings.law = (cairn_law){CAIRN_LAW_BOX, 0};
    settings.solver.tolerance = 1e-9;
    world_start(&w, &settings);
    for (int k = 0; k < BODIES; ++k)
    {
        cairn_body_state start = cairn_simulation_body(w.simulation, body[k]);
        start.velocity[0] = test_uniform(&random, 0.2, 1) * (k ? -1 : 1);
        start.angular_velocity[2] = test_uniform(&random, -10, 10);
        assert_int_equal(cairn_simulation_set_body(w.simulation, body[k], &start), CAIRN_OK);
    }
    memset(out, 0, sizeof *out);
    for (int i = 0; i < STEPS; ++i)
    {
        world_step(&w);
        for (int k = 0; k < BODIES; ++k)
        {
            cairn_body_state at = cairn_simulation_body(w.simulation, body[k]);
            double q[3] = {at.position[0], at.position[1], 0.1 * at.angle};
            double v[3] = {at.velocity[0], at.velocity[1], 0.1 * at.angular_velocity[2]};
            memcpy(out->q[i] + 3 * k, q, sizeof q);
            memcpy(out->v[i] + 3 * k, v, sizeof v);
            out->speed = fmax(out->speed, hypot(v[0], v[1]));
        }
        for (int j = 0; j < cairn_simulation_contact_count(w.simulation); ++j)
        {
            cairn_contact c = cairn_simulation_contact(w.simulation, j);
            const crn_assembly *assembly = &w.simulation->stage[0].assembly;
            for (int k = 0; k < 2; ++k)
            {
                out->force[i][k] += c.impulse[k] * (c.normal[0] != 0 ? 1.0 : 0.5);
                out->deformation = fmax(out->deformation, fabs(c.deformation[k]));
                out->creep = fmax(out->creep, fabs(assembly->creep[j][k]));
            }
        }
    }
    world_free(&w);
}

static double apart(const double *x, const double *y, int count)
{
    double largest = 0;
    for (int i = 0; i < count; ++i)
        largest = fmax(largest, fabs(x[i] - y[i]));
    return largest;
}

static void stiff_limit(int elements, double spacing, double goal)
{
    static trajectory rigid, soft;
    double eps[4] = {1e-5 * spacing, 1e-7 * spacing, 1e-9 * spacing, 1e-11 * spacing};
    double worst_q[4] = {0}, worst_v[4] = {0}, worst_force[4] = {0}, delta[4] = {0}, creep[4] = {0};
    for (uint64_t seed = 1; seed <= 6; ++seed)
    {
        run(seed, 0, 0, 0, 2e-3, &rigid);
        for (int k = 0; k < 4; ++k)
        {
            run(seed, elements, spacing, eps[k], 2e-3, &soft);
            worst_q[k] = fmax(worst_q[k], apart(&soft.q[0][0], &rigid.q[0][0], STEPS * 3 * BODIES));
            worst_v[k] = fmax(worst_v[k], apart(&soft.v[0][0], &rigid.v[0][0], STEPS * 3 * BODIES));
            worst_force[k] = fmax(worst_force[k], apart(&soft.force[0][0], &rigid.force[0][0], STEPS * 2));
            delta[k] = fmax(delta[k], soft.deformation / sqrt(eps[k]));
            creep[k] = fmax(creep[k], soft.creep / sqrt(eps[k]));
            assert_true(soft.speed < 3); /* Lemma 5c */
        }
    }
    for (int k = 0; k < 4; ++k)
    {
        print_message(
            "n_s = %d, eps %.0e: q %.1e m, v %.1e m/s, impulse %.1e N s; delta/sqrt(eps) %.1e, rate/sqrt(eps) "
            "%.1e\n",
            elements, eps[k], worst_q[k], worst_v[k], worst_force[k], delta[k], creep[k]);
        assert_true(k == 0 || (worst_q[k] < 0.25 * worst_q[k - 1] && worst_v[k] < 0.25 * worst_v[k - 1]));
        assert_true(k == 0 || worst_force[k] < 0.25 * worst_force[k - 1]);
        assert_true(k == 0 || (delta[k] < delta[k - 1] && creep[k] < creep[k - 1])); /* Lemma 5a, 5b */
    }
    assert_true(worst_q[3] < goal && worst_v[3] < 10 * goal && worst_force[3] < 10 * goal);
}

static void lumped_contacts_become_rigid(void **state)
{
    (void)state;
    stiff_limit(1, 1e-5, 1e-6);
}

/* The extension that the paper speaks of, where the rows of a patch are the same, or nearly: forces summed over each patch. */
static void patches_become_rigid(void **state)
{
    (void)state;
    stiff_limit(3, 1e-8, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_is_definite),
        cmocka_unit_test(lemke_finds_a_solution),
        cmocka_unit_test(small_friction_has_one_solution),
        cmocka_unit_test(lumped_contacts_become_rigid),
        cmocka_unit_test(patches_become_rigid),
    };
    return cmocka_run_group_tests_name("theorems on compliant patches", tests, NULL, NULL);
}
