/* The factorisation of trees of joints against dense matrices, and what it takes and does not take for a tree. */
#include "linalg/forest/forest.h"
#include "support/check.h"
#include "support/problems/dense.h"
#include "support/problems/graph_problem.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

/* x = K^-1 x for `columns` columns, row-major. */
static void solve_dense(const cairn_problem *problem, double *x, int columns)
{
    int size = problem->n + problem->joint_rows;
    double *K = test_dense_saddle(problem);
    int *pivots = calloc((size_t)size, sizeof(int));
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, size, columns, K, size, pivots, x, columns), 0);
    free(K);
    free(pivots);
}

static void assert_same(const double *x, const double *y, int count, double tolerance)
{
    double scale = 0.0;
    for (int i = 0; i < count; ++i)
        scale = fmax(scale, fabs(y[i]));
    for (int i = 0; i < count; ++i)
        assert_near(x[i], y[i], tolerance * scale);
}

/* K x = right, each row to a share of its terms. */
static void assert_solves(const cairn_problem *problem, const double *x, const double *right)
{
    int size = problem->n + problem->joint_rows;
    double *K = test_dense_saddle(problem);
    for (int i = 0; i < size; ++i)
    {
        long double sum = -right[i], terms = fabs(right[i]);
        for (int j = 0; j < size; ++j)
        {
            sum += (long double)K[i * size + j] * x[j];
            terms += fabsl((long double)K[i * size + j] * x[j]);
        }
        assert_near((double)(sum / terms), 0.0, 1e-8); /* random joints are far from orthogonal */
    }
    free(K);
}

/* (p, b) by the factorisation itself, and a random right-hand side with its factors. */
static void check_solutions(crn_forest *forest, const cairn_problem *problem, test_random *random)
{
    int n = problem->n, size = n + problem->joint_rows;
    double *x = calloc((size_t)size, sizeof(double)), *y = calloc((size_t)size, sizeof(double));
    bool fits;
    assert_int_equal(crn_forest_arrange(forest, problem, &fits), CAIRN_OK);
    assert_true(fits);
    memcpy(y, problem->p, (size_t)n * sizeof(double));
    memcpy(y + n, problem->b, (size_t)problem->joint_rows * sizeof(double));
    assert_true(crn_forest_factorise(forest, problem, CRN_KEPT_NOTHING, x, x + n));
    assert_solves(problem, x, y);
    for (crn_forest_kept keep = CRN_KEPT_FACTORS; keep <= CRN_KEPT_MOTIONS; ++keep)
    {
        memcpy(y, problem->p, (size_t)n * sizeof(double));
        memcpy(y + n, problem->b, (size_t)problem->joint_rows * sizeof(double));
        assert_true(crn_forest_factorise(forest, problem, keep, x, x + n));
        assert_solves(problem, x, y);
        for (int i = 0; i < size; ++i)
            x[i] = y[i] = test_uniform(random, -1.0, 1.0);
        crn_forest_solve(forest, problem, x, x + n);
        assert_solves(problem, x, y);
    }
    free(x);
    free(y);
}

/* A random tree of bodies in space with joints of `rows` rows. */
static cairn_problem *random_tree(int vertices, int rows, test_random *random)
{
    test_graph loose = test_graph_random(random, vertices, 0), tree = test_graph_tree(random, vertices, 0);
    test_graph_recipe recipe = {.largest = 6, .equal = true, .dominance = 1.5};
    cairn_problem *problem = test_graph_problem(&loose, &recipe, random);
    test_graph_add_joints_at(problem, &tree, rows, 0, random);
    problem->p = calloc((size_t)problem->n, sizeof(double));
    problem->b = calloc((size_t)problem->joint_rows, sizeof(double));
    for (int i = 0; i < problem->n; ++i)
        problem->p[i] = test_uniform(random, -1.0, 1.0);
    for (int i = 0; i < problem->joint_rows; ++i)
        problem->b[i] = test_uniform(random, -1.0, 1.0);
    test_graph_release(&loose);
    test_graph_release(&tree);
    return problem;
}

/* Joints of 1 to 6 rows, hinges among them; one workspace through all patterns. */
static void trees_are_solved(void **state)
{
    (void)state;
    crn_forest forest = {0};
    for (int trial = 0; trial < 120; ++trial)
    {
        test_random random = {(uint64_t)trial};
        int vertices = test_integer(&random, 2, 40), rows = trial % 2 ? 5 : test_integer(&random, 1, 6);
        cairn_problem *problem = random_tree(vertices, rows, &random);
        for (int i = 0; i < problem->joint_rows && trial % 3 == 0; ++i)
            problem->R_c[i] = test_uniform(&random, 0.0, 0.1);
        check_solutions(&forest, problem, &random);
        check_solutions(&forest, problem, &random); /* with the limbs that were found before */
        test_problem_destroy(problem);
    }
    crn_forest_release(&forest);
}

/* Make a joint of five rows hold the points of its bodies together, and two turns. */
static void hold_points(cairn_problem *problem, int item, double sign)
{
    const cairn_block_rows *G = &problem->G;
    for (int e = G->entry_start[item]; e < G->entry_start[item + 1]; ++e, sign = -sign)
        for (int i = 0; i < 5; ++i)
            for (int k = 0; k < 3; ++k)
                G->value[G->value_start[e] + 6 * i + k] = i == k ? sign : 0.0;
}

/* Hinges, which are eliminated by their motion unless factors are kept, between limbs that are eliminated by rows: joints of another form, and
 * some that give. */
static void hinges_are_solved(void **state)
{
    (void)state;
    crn_forest forest = {0};
    int by_motion = 0, by_rows = 0;
    for (int trial = 0; trial < 120; ++trial)
    {
        test_random random = {(uint64_t)(1000 + trial)};
        cairn_problem *problem = random_tree(test_integer(&random, 2, 40), 5, &random);
        bool fits;
        for (int i = 0; i < problem->G.item_count; ++i)
        {
            if (trial % 2 || test_integer(&random, 0, 3) > 0)
                hold_points(problem, i, test_integer(&random, 0, 1) ? 1.0 : -1.0);
            problem->R_c[5 * i + 4] = trial % 3 == 0 && i % 7 == 0 ? 0.1 : 0.0;
        }
        check_solutions(&forest, problem, &random);
        double *x = calloc((size_t)(problem->n + problem->joint_rows), sizeof(double));
        assert_int_equal(crn_forest_arrange(&forest, problem, &fits), CAIRN_OK);
        assert_true(fits && crn_forest_factorise(&forest, problem, CRN_KEPT_NOTHING, x, x + problem->n));
        for (int k = 0; k < forest.limb_count; ++k)
        {
            by_motion += forest.limb[k].by_motion;
            by_rows += forest.limb[k].joint >= 0 && !forest.limb[k].by_motion;
        }
        free(x);
        test_problem_destroy(problem);
    }
    assert_true(by_motion > 1000 && by_rows > 100);
    crn_forest_release(&forest);
}

/* Two turns that are nearly the same are refused, as by rows. */
static void dependent_turns_are_refused(void **state)
{
    (void)state;
    crn_forest forest = {0};
    test_random random = {5};
    cairn_problem *problem = random_tree(12, 5, &random);
    double *x = calloc((size_t)(problem->n + problem->joint_rows), sizeof(double));
    double *rows = problem->G.value + problem->G.value_start[problem->G.entry_start[0]];
    bool fits;
    hold_points(problem, 0, 1.0);
    for (int e = 0; e < 2; ++e, rows += 30)
        for (int k = 3; k < 6; ++k)
            rows[24 + k] = 3.0 * rows[18 + k] * (1 + 1e-14 * k);
    assert_int_equal(crn_forest_arrange(&forest, problem, &fits), CAIRN_OK);
    assert_true(fits);
    assert_false(crn_forest_factorise(&forest, problem, CRN_KEPT_NOTHING, x, x + problem->n));
    assert_false(crn_forest_factorise(&forest, problem, CRN_KEPT_FACTORS, x, x + problem->n));
    free(x);
    test_problem_destroy(problem);
    crn_forest_release(&forest);
}

enum
{
    BODIES = 9,
    CONTACTS = 7
};

/* Bodies with joints of `own` rows to an earlier body or to the world, none for some, and contacts of one body or two. skewed: A is
 * not symmetric. loop: the last joint closes one. */
static cairn_problem *hand_made(test_random *random, int dim, int own, bool skewed, bool loop)
{
    int size = dim == 3 ? 6 : 3, n = BODIES * size, rows = 0;
    int sizes[BODIES];
    double A[BODIES * BODIES * 36] = {0}, p[BODIES * 6], G[5 * (BODIES + 1) * BODIES * 6] = {0}, b[5 * (BODIES + 1)];
    double H[CONTACTS * 3 * BODIES * 6] = {0}, w[CONTACTS * 3], mu[CONTACTS];
    for (int i = 0; i < BODIES; ++i)
    {
        sizes[i] = size;
        for (int k = 0; k < size * size; ++k)
        {
            int row = i * size + k / size, column = i * size + k % size;
            A[row * n + column] += (k % (size + 1) ? 0.0 : 2.0 + i) + 0.2 * test_uniform(random, -1.0, 1.0);
            A[column * n + row] = skewed ? A[column * n + row] : A[row * n + column];
        }
        int parent = i == 4 ? -2 : i == 0 ? -1 : test_integer(random, 0, i - 1); /* -1: the world; -2: none */
        for (int k = 0; k < own * size && parent > -2; ++k)
        {
            int at = (rows + k / size) * n + k % size;
            G[at + i * size] = test_uniform(random, -1.0, 1.0);
            if (parent >= 0)
                G[at + parent * size] = test_uniform(random, -1.0, 1.0);
        }
        rows += parent > -2 ? own : 0;
    }
    for (int k = 0; k < own * size && loop; ++k)
        G[(rows + k / size) * n + k % size] = G[(rows + k / size) * n + 2 * size + k % size] = k % 3 - 1.5;
    rows += loop ? own : 0;
    for (int j = 0; j < CONTACTS; ++j)
    {
        int one = test_integer(random, 0, BODIES - 1), two = test_integer(random, 0, BODIES - 1);
        mu[j] = test_uniform(random, 0.0, 0.8);
        for (int k = 0; k < dim * size; ++k)
        {
            int at = (j * dim + k / size) * n + k % size;
            H[at + one * size] += test_uniform(random, -1.0, 1.0);
            H[at + two * size] -= j % 2 ? test_uniform(random, -1.0, 1.0) : 0.0;
        }
        for (int k = 0; k < dim; ++k)
            w[j * dim + k] = 0.0;
    }
    for (int i = 0; i < n; ++i)
        p[i] = test_uniform(random, -1.0, 1.0);
    for (int i = 0; i < rows; ++i)
        b[i] = test_uniform(random, -1.0, 1.0);
    test_dense dense = {
        .dim = dim, .law = {CAIRN_LAW_CONE, 0}, .block_count = BODIES, .block_size = sizes, .A = A, .p = p};
    dense.joint_rows = rows;
    dense.rows_per_joint = own;
    dense.G = G;
    dense.b = b;
    dense.contact_count = CONTACTS;
    dense.H = H;
    dense.w = w;
    dense.mu = mu;
    return test_problem_from_dense(&dense);
}

/* W as the product of two thin matrices: as many columns as bodies on the way from contacts to the roots may move in. */
static void check_motions(crn_forest *forest, const cairn_problem *problem, const double *W)
{
    bool stiff = false;
    for (int i = 0; i < problem->joint_rows; ++i)
        stiff = stiff || (problem->R_c[i] > 0.0 && problem->R_c[i] < 1e-6);
    int rows = problem->dim * problem->contact_count, columns = crn_forest_freedoms(forest, problem);
    size_t stride = crn_forest_padded(columns);
    double *right = calloc((size_t)rows * stride, sizeof(double));
    double *left = calloc((size_t)rows * stride, sizeof(double));
    double *found = calloc((size_t)(rows * rows), sizeof(double));
    bool regular = false;
    assert_true(columns > 0 && columns <= problem->n);
    assert_int_equal(crn_forest_spread(forest, problem, stride, right, left, &regular), CAIRN_OK);
    assert_int_equal(regular, !stiff);
    uint64_t *reach = calloc((size_t)columns, sizeof *reach);
    if (regular)
        crn_forest_reach(forest, reach);
    for (int a = 0; a < rows && regular; ++a)
        for (int d = 0; d < columns; ++d)
        {
            size_t at = (size_t)a * stride + (size_t)d;
            assert_true((right[at] == 0.0 && left[at] == 0.0) || reach[d] >> (a / problem->dim) & 1);
        }
    free(reach);
    for (int a = 0; a < rows; ++a)
        for (int c = 0; c < rows; ++c)
            for (size_t d = 0; d < stride; ++d)
                found[a * rows + c] += right[(size_t)a * stride + d] * left[(size_t)c * stride + d];
    assert_same(found, regular ? W : found, rows * rows, 1e-10); /* random joints are far from orthogonal */
    free(right);
    free(left);
    free(found);
}

/* W = H K^-1 H' column by column. */
static void check_delassus(crn_forest *forest, const cairn_problem *problem)
{
    int n = problem->n, size = n + problem->joint_rows, rows = problem->dim * problem->contact_count;
    double *H = dense_rows(problem, &problem->H, rows);
    double *X = calloc((size_t)(size * rows), sizeof(double)), *W = calloc((size_t)(rows * rows), sizeof(double));
    double *found = calloc((size_t)(rows * rows), sizeof(double));
    for (int i = 0; i < n; ++i)
        for (int a = 0; a < rows; ++a)
            X[i * rows + a] = H[a * n + i];
    solve_dense(problem, X, rows);
    for (int a = 0; a < rows; ++a)
        for (int c = 0; c < rows; ++c)
            for (int i = 0; i < n; ++i)
                W[a * rows + c] += H[a * n + i] * X[i * rows + c];
    assert_true(crn_forest_factorise(forest, problem, CRN_KEPT_FACTORS, X, X + n));
    assert_int_equal(crn_forest_delassus(forest, problem, found), CAIRN_OK);
    assert_same(found, W, rows * rows, 1e-10);
    check_motions(forest, problem, W);
    assert_true(crn_forest_factorise(forest, problem, CRN_KEPT_MOTIONS, X, X + n));
    check_motions(forest, problem, W);
    free(H);
    free(X);
    free(W);
    free(found);
}

static void contacts_see_the_joints(void **state)
{
    (void)state;
    crn_forest forest = {0};
    for (int trial = 0; trial < 40; ++trial)
    {
        test_random random = {300u + (uint64_t)trial};
        cairn_problem *problem = hand_made(&random, 2 + trial % 2, 2, trial % 3 > 0, false);
        for (int i = 0; i < problem->joint_rows && trial >= 20; ++i) /* joints that give way in some rows, or in all */
            problem->R_c[i] = (trial + i) % 3 ? test_uniform(&random, 1e-2, 2.0) : trial % 5 ? 0.0 : 1e-9;
        check_solutions(&forest, problem, &random);
        check_delassus(&forest, problem);
        test_problem_destroy(problem);
    }
    crn_forest_release(&forest);
}

/* The same at bodies with hinges, most of which are eliminated by their motion; the mass matrices of some trials are not symmetric. */
static void contacts_see_the_hinges(void **state)
{
    (void)state;
    crn_forest forest = {0};
    int by_motion = 0;
    for (int trial = 0; trial < 40; ++trial)
    {
        test_random random = {700u + (uint64_t)trial};
        cairn_problem *problem = hand_made(&random, 3, 5, trial % 2 > 0, false);
        for (int i = 0; i < problem->G.item_count; ++i)
            if (trial % 4 < 2 || test_integer(&random, 0, 2) > 0)
                hold_points(problem, i, test_integer(&random, 0, 1) ? 1.0 : -1.0);
        check_solutions(&forest, problem, &random);
        check_delassus(&forest, problem);
        for (int k = 0; k < forest.limb_count; ++k)
            by_motion += forest.limb[k].by_motion;
        test_problem_destroy(problem);
    }
    assert_true(by_motion > 150);
    crn_forest_release(&forest);
}

/* Loops, springs between bodies and joints with dependent rows are left to others; a pattern that was refused is not remembered as a
 * tree, nor a tree as a loop. */
static void what_is_no_tree_is_refused(void **state)
{
    (void)state;
    crn_forest forest = {0};
    for (int trial = 0; trial < 12; ++trial)
    {
        test_random random = {700u + (uint64_t)trial};
        bool loop = trial % 2, fits;
        cairn_problem *problem = hand_made(&random, 3, 2, true, loop);
        assert_int_equal(crn_forest_arrange(&forest, problem, &fits), CAIRN_OK);
        assert_int_equal(fits, !loop);
        double *x = calloc((size_t)(problem->n + problem->joint_rows), sizeof(double));
        for (int e = problem->G.entry_start[2]; e < problem->G.entry_start[3] && fits;
             ++e) /* its second row repeats the first */
            for (int k = 0; k < 6; ++k)
                problem->G.value[problem->G.value_start[e] + 6 + k] =
                    -2.0 * problem->G.value[problem->G.value_start[e] + k];
        assert_false(fits && crn_forest_factorise(&forest, problem, trial % 4 > 1 ? CRN_KEPT_FACTORS : CRN_KEPT_NOTHING,
                                                  x, x + problem->n));
        free(x);
        test_problem_destroy(problem);
    }
    test_recipe recipe = {
        .dim = 3, .law = {CAIRN_LAW_CONE, 0}, .bodies = 4, .contacts = 1, .mass_ratio = 2.0, .coupled = true};
    cairn_problem *coupled = test_problem_random(&recipe, 1);
    bool fits;
    assert_int_equal(crn_forest_arrange(&forest, coupled, &fits), CAIRN_OK);
    assert_false(fits);
    test_problem_destroy(coupled);
    crn_forest_release(&forest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_solved),
        cmocka_unit_test(hinges_are_solved),
        cmocka_unit_test(dependent_turns_are_refused),
        cmocka_unit_test(contacts_see_the_joints),
        cmocka_unit_test(contacts_see_the_hinges),
        cmocka_unit_test(what_is_no_tree_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
