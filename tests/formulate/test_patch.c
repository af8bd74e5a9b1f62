/* Compliant patches: the influence matrix against quadrature, the matrices of a step against their definitions, and patches
 * in motion against what is known of springs, of Hertz's contact, of turning frames and of energy. */
#include "formulate/influence.h"
#include "formulate/patch_block.h"
#include "math/symmetric.h"
#include "step/simulation.h"
#include "support/check.h"
#include "support/problems/random_problem.h"
#include "support/worlds.h"

#include <lapacke.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---------------------------------------------------------------------------------------- influence matrix */

enum
{
    NODES = 24
};

/* Gauss and Legendre on [0, 1], by Newton's method. */
static void gauss(double x[NODES], double weight[NODES])
{
    for (int i = 0; i < NODES; ++i)
    {
        double z = cos(PI * (i + 0.75) / (NODES + 0.5)), slope = 1;
        for (int pass = 0; pass < 50; ++pass)
        {
            double p0 = 1, p1 = z;
            for (int k = 2; k <= NODES; ++k)
            {
                double p2 = ((2 * k - 1) * z * p1 - (k - 1) * p0) / k;
                p0 = p1;
                p1 = p2;
            }
            slope = NODES * (z * p1 - p0) / (z * z - 1);
            z -= p1 / slope;
        }
        x[i] = 0.5 * (1 + z);
        weight[i] = 1 / ((1 - z * z) * slope * slope);
    }
}

/* The six kernels of an elastic half-space at a point. */
static double kernel(int which, double x, double y)
{
    double r = hypot(x, y), cube = r * r * r;
    double all[6] = {1 / r, x * x / cube, y * y / cube, x * y / cube, x / (r * r), y / (r * r)};
    return all[which];
}

/* Over the unit square with corners (sx, sy) times [0, 1]^2, shifted by (dx, dy), with the hat (1 - x)(1 - y). Duffy's
 * substitution (x, y) -> (u, u v) and (u v, u) takes a singularity out of the corner (cx, cy), where the hat is 1 or 0. */
static double cell(int which, int dx, int dy, int sx, int sy)
{
    double node[NODES], weight[NODES], sum = 0;
    gauss(node, weight);
    int cx = dx == -sx ? 1 : 0, cy = dy == -sy ? 1 : 0; /* the corner at which dx + sx x = 0, if any */
    for (int i = 0; i < NODES; ++i)
    {
        for (int j = 0; j < NODES; ++j)
        {
            double u = node[i], v = node[j], jacobian = u * weight[i] * weight[j];
            double a[2] = {u, u * v}, b[2] = {u * v, u};
            for (int half = 0; half < 2; ++half)
            {
                double x = cx ? 1 - a[half] : a[half], y = cy ? 1 - b[half] : b[half];
                sum += jacobian * (1 - x) * (1 - y) * kernel(which, dx + sx * x, dy + sy * y);
            }
        }
    }
    return sum;
}

static double hat_integral(int which, int dx, int dy)
{
    return cell(which, dx, dy, 1, 1) + cell(which, dx, dy, 1, -1) + cell(which, dx, dy, -1, 1) +
           cell(which, dx, dy, -1, -1);
}

/* The block by the formulas at the head of influence.c, kernels integrated. */
static void expected_block(double nu, double eps, double rho, int dx, int dy, double block[3][3])
{
    double k[6], f = eps / (PI * rho);
    for (int i = 0; i < 6; ++i)
        k[i] = hat_integral(i, dx, dy);
    double c = (1 + nu) * (1 - 2 * nu) / 2 * f;
    double values[3][3] = {
        {(1 - nu * nu) * f * k[0], c * k[4], c * k[5]},
        {-c * k[4], (1 + nu) * f * ((1 - nu) * k[0] + nu * k[1]), (1 + nu) * nu * f * k[3]},
        {-c * k[5], (1 + nu) * nu * f * k[3], (1 + nu) * f * ((1 - nu) * k[0] + nu * k[2])},
    };
    memcpy(block, values, sizeof values);
}

static void mean_kernel_is_the_integral(void **state)
{
    (void)state;
    static const double ratios[] = {-0.7, 0.0, 0.3, 0.5};
    for (int k = 0; k < 4; ++k)
    {
        crn_influence side = {3, 5, 0.01, 1e-7, ratios[k], CAIRN_KERNEL_MEAN};
        double *Xi = calloc(75 * 75, sizeof(double));
        crn_influence_add(&side, 1.0, Xi);
        for (int i = 0; i < 25; ++i)
        {
            double block[3][3];
            expected_block(ratios[k], 1e-7, 0.01, i % 5, i / 5, block); /* from element 0 in the corner */
            for (int a = 0; a < 9; ++a)
                assert_near(Xi[(i * 3 + a / 3) * 75 + a % 3], block[a / 3][a % 3], 1e-12 * 1e-5);
        }
        free(Xi);
    }
}

/* Far away a square is a point; the paper's diagonal 0.95 is the mean displacement 0.9464 of a loaded square. */
static void kernels_meet_far_away(void **state)
{
    (void)state;
    double *Xi[2];
    for (int k = 0; k < 2; ++k)
    {
        crn_influence side = {2, 99, 1.0, 1.0, 0.3, k == 0 ? CAIRN_KERNEL_MEAN : CAIRN_KERNEL_POINT};
        Xi[k] = calloc(198 * 198, sizeof(double));
        crn_influence_add(&side, 1.0, Xi[k]);
    }
    for (int i = 30; i < 99; ++i)
    {
        for (int a = 0; a < 4; ++a)
        {
            int at = (2 * i + a / 2) * 198 + a % 2;
            assert_near(Xi[0][at] / Xi[1][at], 1.0, 1e-3);
        }
    }
    assert_near(Xi[0][0], (1 - 0.09) * 4 / PI * (log(1 + sqrt(2.0)) - (sqrt(2.0) - 1) / 3), 1e-14);
    assert_near(Xi[0][0] / Xi[1][0], 0.9464 / 0.95, 1e-4);
    free(Xi[0]);
    free(Xi[1]);
}

/* The smallest eigenvalue over the largest, by LAPACK; also checks the symmetry. */
static double definiteness(const crn_influence *side)
{
    int n = side->dimension * crn_patch_elements(side->dimension, side->elements);
    double *Xi = calloc((size_t)n * (size_t)n, sizeof(double)), *value = calloc((size_t)n, sizeof(double));
    crn_influence_add(side, 1.0, Xi);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
            assert_true(Xi[i * n + j] == Xi[j * n + i]);
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', n, Xi, n, value), 0);
    double share = value[0] / value[n - 1];
    free(Xi);
    free(value);
    return share;
}

static void influence_is_definite(void **state)
{
    (void)state;
    static const double ratios[] = {-0.99, -0.5, 0.0, 0.3, 0.5};
    for (int elements = 1; elements <= 9; elements += 2)
    {
        for (int k = 0; k < 10; ++k)
        {
            crn_influence side = {k < 5 ? 2 : 3, elements, 1e-6, 1e-10, ratios[k % 5], CAIRN_KERNEL_MEAN};
            assert_true(definiteness(&side) > 1e-4);
            side.kernel = CAIRN_KERNEL_POINT;
            assert_true(definiteness(&side) > 1e-4 || ratios[k % 5] < 0); /* Song et al. 2004 need 0 <= nu <= 1/2 */
        }
    }
}

static void eigenvectors_are_those_of_lapack(void **state)
{
    (void)state;
    test_random random = {5};
    for (int n = 1; n <= 60; n += n < 8 ? 1 : 13)
    {
        size_t square = (size_t)n * (size_t)n;
        double *a = calloc(square, sizeof(double)), *copy = calloc(square, sizeof(double));
        double *value = calloc((size_t)n, sizeof(double)), *other = calloc((size_t)n, sizeof(double));
        for (int i = 0; i < n * n; ++i)
        {
            int row = i / n, column = i % n;
            a[i] = row < column ? 0 : n % 3 == 1 ? (double)(row == column) : test_uniform(&random, -1, 1);
            a[column * n + row] = a[row * n + column];
        }
        memcpy(copy, a, square * sizeof(double));
        double *matrix = calloc(square, sizeof(double));
        memcpy(matrix, a, square * sizeof(double));
        assert_true(crn_symmetric_eigen(n, a, value, other));
        assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', n, copy, n, other), 0);
        for (int k = 0; k < n; ++k)
        {
            assert_near(value[k], other[k], 1e-13 * n);
            for (int i = 0; i < n; ++i)
            {
                double image = -value[k] * a[k * n + i], product = 0;
                for (int j = 0; j < n; ++j)
                {
                    image += matrix[i * n + j] * a[k * n + j];
                    product += a[i * n + j] * a[k * n + j];
                }
                assert_near(image, 0, 1e-13 * n);
                assert_near(product, i == k, 1e-13 * n);
            }
        }
        free(a);
        free(copy);
        free(matrix);
        free(value);
        free(other);
    }
}

/* ------------------------------------------------------------------------------------- matrices of a step */

static cairn_material add_rubber(cairn_model *model, const char *name, double friction, cairn_patch_options patch)
{
    cairn_material_options options = cairn_material_default();
    options.name = name;
    options.friction = friction;
    options.patch = patch;
    cairn_material out = {0};
    assert_int_equal(cairn_model_add_material(model, &options, &out), CAIRN_OK);
    return out;
}

static cairn_patch_options patch_of(int elements, double spacing, double compliance)
{
    cairn_patch_options patch = cairn_material_default().patch;
    patch.elements = elements;
    patch.spacing = spacing;
    patch.compliance = compliance;
    return patch;
}

/* C = A B, n x n */
static void product(int n, const double *A, const double *B, double *C)
{
    for (int i = 0; i < n * n; ++i)
    {
        C[i] = 0;
        for (int k = 0; k < n; ++k)
            C[i] += A[i / n * n + k] * B[k * n + i % n];
    }
}

/* K Xi = 1 with both sides in Xi, and with E = (h R)^-1: C = E - h K satisfies (C - T K)^2 = 4 d^2 K, and relax = E^-1 K. */
static void block_is_what_it_says(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_patch_options one = patch_of(3, 1e-3, 1e-8), two = patch_of(5, 2e-3, 3e-8);
    one.damping = 0.8;
    two.damping = 0.4;
    one.retardation = 2e-5;
    two.poisson = -0.2;
    cairn_material a = add_rubber(w.model, "one", 0.5, one), b = add_rubber(w.model, "two", 0.5, two);
    crn_patch_block block;
    assert_int_equal(crn_patch_block_create(w.model, a.id - 1, b.id - 1, a.id - 1, &block), CAIRN_OK);
    double h = 1e-3;
    crn_patch_block_prepare(&block, h);
    int n = block.rows;
    assert_int_equal(n, 27);
    assert_near(block.damping, 0.6, 1e-15);
    double Xi[27 * 27] = {0}, E[27 * 27] = {0}, C[27 * 27] = {0}, M[27 * 27] = {0};
    crn_influence side = {3, 3, 1e-3, 1e-8, one.poisson, CAIRN_KERNEL_MEAN};
    crn_influence_add(&side, 1.0, Xi);
    side.compliance = 3e-8;
    side.poisson = -0.2;
    crn_influence_add(&side, -1.0, Xi);
    product(n, block.K, Xi, M);
    int pivot[27];
    for (int i = 0; i < n * n; ++i)
    {
        assert_near(M[i], i / n == i % n, 1e-12);
        E[i] = h * block.R[i];
    }
    assert_int_equal(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, E, n, pivot), 0);
    assert_int_equal(LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, E, n, pivot), 0);
    double largest = fabs(block.K[0]);
    for (int i = 0; i < n * n; ++i)
        C[i] = E[i] - h * block.K[i] - 1e-5 * block.K[i];
    product(n, C, C, M);
    for (int i = 0; i < n * n; ++i)
        assert_near(M[i], 4 * 0.36 * block.K[i], 1e-10 * largest);
    product(n, E, block.relax, M);
    for (int i = 0; i < n * n; ++i)
        assert_near(M[i], block.K[i], 1e-11 * largest);
    crn_patch_block_destroy(&block);
    world_free(&w);
}

/* Equal materials push each other's surfaces along by the same amount: normal and tangent do not mix. */
static void equal_sides_do_not_mix(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_material a = add_rubber(w.model, "one", 0.5, patch_of(3, 1e-3, 1e-8));
    crn_patch_block both, first, second;
    assert_int_equal(crn_patch_block_create(w.model, a.id - 1, a.id - 1, a.id - 1, &both), CAIRN_OK);
    assert_int_equal(crn_patch_block_create(w.model, a.id - 1, 0, a.id - 1, &first), CAIRN_OK);
    assert_int_equal(crn_patch_block_create(w.model, 0, a.id - 1, a.id - 1, &second), CAIRN_OK);
    double largest = 0;
    for (int i = 0; i < 36; ++i)
    {
        bool mixed = i / 6 % 2 != i % 6 % 2;
        double one = first.K[i], other = second.K[i], sum = both.K[i];
        assert_near(one, mixed ? -other : other, 1e-9 * fabs(first.K[0]));
        assert_true(!mixed || fabs(sum) < 1e-9 * both.K[0]);
        largest = fmax(largest, mixed ? fabs(one) : 0.0);
    }
    assert_true(largest > 1e-2 * first.K[0]);
    crn_patch_block_destroy(&both);
    crn_patch_block_destroy(&first);
    crn_patch_block_destroy(&second);
    world_free(&w);
}

/* --------------------------------------------------------------------------------------------- in motion */

/* A ball of 1 kg and radius 0.1 over a rigid ground, its lowest point `gap` high. */
static world ball_world(cairn_patch_options patch, double friction, double gap, cairn_material *rubber)
{
    world w = world_new(3);
    cairn_material hard = add_material(w.model, "hard", friction, 0);
    *rubber = add_rubber(w.model, "rubber", friction, patch);
    add_ground(w.model, hard);
    add_ball(w.model, "ball", 1.0, 0.1, (double[3]){0, 0, 0.1 + gap}, *rubber);
    return w;
}

/* n_s = 1: a mass on a spring 1/Xi_nn and a damper 2 d sqrt(K). Error of the step, halved with the step. */
static double lumped_error(double h)
{
    cairn_material rubber;
    cairn_patch_options patch = patch_of(1, 1e-3, 1e-7);
    patch.damping = 0.3;
    world w = ball_world(patch, 0.0, 0.0, &rubber);
    cairn_settings settings = cairn_settings_default();
    settings.step = h;
    world_start(&w, &settings);
    double nn = (1 - 0.09) * 4 / PI * (log(1 + sqrt(2.0)) - (sqrt(2.0) - 1) / 3) * 1e-7 / 1e-3;
    double K = 1 / nn, rest = 9.81 / K, rate = 0.3 * sqrt(K), wave = sqrt(K - rate * rate), end = 0.02;
    world_run(&w, (int)lround(end / h));
    /* z'' = -g + K (0.1 - z) - 2 rate z', from z = 0.1 at rest */
    double expected = 0.1 - rest + rest * exp(-rate * end) * (cos(wave * end) + rate / wave * sin(wave * end));
    double error = fabs(world_body(&w, "ball").position[2] - expected) / rest;
    assert_near(w.simulation->state.report.energy.balance_error, 0, 1e-14);
    world_free(&w);
    return error;
}

static void lumped_model_is_a_spring(void **state)
{
    (void)state;
    double errors[3] = {lumped_error(2e-5), lumped_error(1e-5), lumped_error(5e-6)};
    assert_true(errors[2] < 2e-3);
    assert_near(errors[0] / errors[1], 2.0, 0.15);
    assert_near(errors[1] / errors[2], 2.0, 0.08);
}

/* Depth and radius of a resting ball's contact, by summed forces; n_s elements over `width`. */
static double hertz_error(int elements, double width, double *radius)
{
    cairn_material rubber;
    double eps = 2e-8;
    cairn_patch_options patch = patch_of(elements, width / elements, eps);
    patch.damping = 0.1;
    world w = ball_world(patch, 0.0, 0.0, &rubber);
    cairn_settings settings = cairn_settings_default();
    settings.step = 1e-3;
    settings.solver.tolerance = 1e-8;
    world_start(&w, &settings);
    world_run(&w, 250);
    double stiff = 1 / ((1 - 0.09) * eps); /* E* */
    double depth = cbrt(9 * 9.81 * 9.81 / (16 * stiff * stiff * 0.1)), a = sqrt(depth * 0.1);
    double force = 0, moment = 0;
    for (int j = 0; j < cairn_simulation_contact_count(w.simulation); ++j)
    {
        cairn_contact c = cairn_simulation_contact(w.simulation, j);
        force += c.impulse[0] / 1e-3;
        moment += c.impulse[0] / 1e-3 * (c.offset[0] * c.offset[0] + c.offset[1] * c.offset[1]);
        double r = hypot(c.offset[0], c.offset[1]);
        assert_true(c.impulse[0] == 0 || r < a + 1.5 * patch.spacing);
        assert_near(c.gap, 0.1 - sqrt(0.01 - r * r) + world_body(&w, "ball").position[2] - 0.1, 1e-9);
    }
    assert_near(force, 9.81, 1e-4);
    *radius = fabs(sqrt(moment / force * 2.5) / a - 1); /* the mean of r^2 under Hertz's pressure is 2 a^2/5 */
    double error = fabs((0.1 - world_body(&w, "ball").position[2]) / depth - 1);
    world_free(&w);
    return error;
}

static void resting_ball_is_hertz(void **state)
{
    (void)state;
    double radius[3], depth[3];
    double a = sqrt(0.1 * cbrt(9 * 9.81 * 9.81 / (16 * 0.1) * pow(0.91 * 2e-8, 2)));
    int elements[3] = {5, 9, 13};
    for (int k = 0; k < 3; ++k)
    {
        depth[k] = hertz_error(elements[k], 2.3 * a, &radius[k]);
        print_message("n_s = %2d: depth off by %.4f, radius by %.4f\n", elements[k], depth[k], radius[k]);
    }
    assert_true(depth[2] < 0.02 && radius[2] < 0.02);
    assert_true(depth[2] < depth[0]);
}

/* Where a block on three balls stands after a full turn on a turntable, in the plane. */
static void ride(cairn_patch_options patch, double place[2], double *tilt)
{
    world w = world_new(3);
    cairn_material rubber = add_rubber(w.model, "rubber", 0.8, patch);
    cairn_body_options table = cairn_body_default();
    table.name = "table";
    table.kind = CAIRN_DRIVEN;
    table.motion_angle = "3*t";
    table.motion_axis[2] = 1;
    cairn_body body;
    assert_int_equal(cairn_model_add_body(w.model, &table, &body), CAIRN_OK);
    cairn_shape_options plane = cairn_shape_default(CAIRN_HALF_SPACE);
    plane.material = rubber;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w.model, body, &plane, &shape), CAIRN_OK);
    cairn_body_options block = cairn_body_default();
    block.name = "block";
    block.mass = 1;
    block.inertia[0] = block.inertia[1] = block.inertia[2] = 0.01;
    block.position[0] = 0.2;
    block.position[2] = 0.05;
    block.velocity[1] = 0.6;
    block.angular_velocity[2] = 3;
    assert_int_equal(cairn_model_add_body(w.model, &block, &body), CAIRN_OK);
    for (int k = 0; k < 3; ++k)
    {
        cairn_shape_options foot = cairn_shape_default(CAIRN_SPHERE);
        foot.radius = 0.05;
        foot.position[0] = 0.1 * cos(2 * PI * k / 3);
        foot.position[1] = 0.1 * sin(2 * PI * k / 3);
        foot.material = rubber;
        assert_int_equal(cairn_model_add_shape(w.model, body, &foot, &shape), CAIRN_OK);
    }
    cairn_settings settings = cairn_settings_default();
    settings.step = 1e-3;
    world_start(&w, &settings);
    world_run(&w, 2094);
    cairn_body_state at = world_body(&w, "block");
    place[0] = at.position[0];
    place[1] = at.position[1];
    *tilt = 0;
    for (int j = 0; j < cairn_simulation_contact_count(w.simulation); ++j)
    {
        cairn_contact c = cairn_simulation_contact(w.simulation, j);
        *tilt = fmax(*tilt, hypot(c.deformation[1], c.deformation[2]));
    }
    world_free(&w);
}

/* The force that holds a rider turns with the table, and so must the deformation: if it kept its direction in the world, the
 * rider would creep by |delta_t| times the angle. Euler's own drift is that of a rigid rider. */
static void deformation_turns_with_the_bodies(void **state)
{
    (void)state;
    double rigid[2], soft[2], none, deformed;
    ride((cairn_patch_options){.elements = 0}, rigid, &none);
    ride(patch_of(3, 1e-3, 1e-7), soft, &deformed);
    double creep = hypot(soft[0] - rigid[0], soft[1] - rigid[1]);
    print_message("creep %.1e m in a turn, deformation %.1e m\n", creep, deformed);
    assert_true(none == 0 && deformed > 2e-5);
    assert_true(creep < 1.5 * deformed);
}

/* Works and energies of a bouncing, sliding, spinning ball add up, and the patch is forgotten in the air. */
static void energy_adds_up(void **state)
{
    (void)state;
    cairn_material rubber;
    cairn_patch_options patch = patch_of(3, 2e-3, 1e-7);
    patch.damping = 0.02;
    world w = ball_world(patch, 0.4, 0.0, &rubber);
    cairn_settings settings = cairn_settings_default();
    settings.step = 2e-4;
    world_start(&w, &settings);
    cairn_body_state pose = world_body(&w, "ball");
    pose.velocity[0] = 1;
    pose.velocity[2] = -0.5;
    pose.position[2] = 0.101;
    pose.angular_velocity[2] = 5;
    cairn_body ball = cairn_model_find_body(w.model, "ball");
    assert_int_equal(cairn_simulation_set_body(w.simulation, ball, &pose), CAIRN_OK);
    double largest = 0, start = cairn_simulation_energy(w.simulation).total;
    bool flew = false;
    for (int i = 0; i < 400; ++i)
    {
        double before = cairn_simulation_energy(w.simulation).total;
        world_step(&w);
        cairn_energy energy = cairn_simulation_energy(w.simulation);
        largest = fmax(largest, energy.elastic);
        assert_near(energy.balance_error, 0, 1e-13);
        assert_true(energy.total <= before + 1e-12);
        assert_near(energy.elastic, w.simulation->state.patches.energy, 0);
        flew = flew || (largest > 0 && energy.elastic == 0);
        assert_true(w.simulation->state.report.penetration < 1e-9);
    }
    cairn_energy energy = cairn_simulation_energy(w.simulation);
    assert_true(largest > 0.05 && flew);
    assert_int_equal(w.simulation->state.patches.now.count, 0);
    assert_true(energy.work_dampers < 0 && energy.work_friction < 0 && energy.total < start);
    world_free(&w);
}

/* Beside the edge of a box there is no surface: these elements are left out, the others carry the weight. */
static void elements_beside_an_edge(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material rubber = add_rubber(w.model, "rubber", 0.5, patch_of(3, 1e-3, 1e-8));
    add_ground(w.model, rubber);
    add_box(w.model, "box", 2.0, (double[3]){0.2, 0.2, 0.1}, (double[3]){0, 0, 0.05}, rubber);
    cairn_settings settings = cairn_settings_default();
    settings.step = 1e-3;
    world_start(&w, &settings);
    world_run(&w, 300);
    const cairn_problem *problem = cairn_simulation_problem(w.simulation);
    assert_int_equal(problem->patch_count, 4);
    assert_int_equal(problem->contact_count, 16); /* of 9 at each corner, the 4 over the face */
    assert_true(cairn_problem_is_valid(w.context, problem));
    double force = 0;
    for (int j = 0; j < 16; ++j)
    {
        cairn_contact c = cairn_simulation_contact(w.simulation, j);
        assert_int_equal(c.patch, j / 4);
        force += c.impulse[0] / 1e-3;
    }
    assert_near(force, 2 * 9.81, 1e-6);
    world_free(&w);
}

/* Rigid and compliant contacts in one problem: the rigid ones first, each with its own. */
static void rigid_and_compliant_together(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_material rubber = add_rubber(w.model, "rubber", 0.5, patch_of(3, 1e-3, 1e-8));
    cairn_material hard = add_material(w.model, "hard", 0.5, 0);
    add_ground(w.model, hard);
    add_ball(w.model, "soft", 1.0, 0.1, (double[3]){0, 0.1, 0}, rubber);
    add_ball(w.model, "hard", 2.0, 0.1, (double[3]){0.5, 0.1, 0}, hard);
    add_ball(w.model, "softer", 3.0, 0.1, (double[3]){1, 0.1, 0}, rubber);
    cairn_settings settings = cairn_settings_default();
    settings.step = 1e-3;
    settings.law = (cairn_law){CAIRN_LAW_BOX, 0};
    world_start(&w, &settings);
    world_run(&w, 200);
    const cairn_problem *problem = cairn_simulation_problem(w.simulation);
    assert_int_equal(problem->contact_count, 7);
    assert_int_equal(problem->patch_count, 2);
    assert_int_equal(problem->patch_start[0], 1);
    assert_int_equal(problem->R_start[0], problem->R_start[1]); /* one matrix for all patches of a pair */
    double force[3] = {0};
    for (int j = 0; j < 7; ++j)
    {
        cairn_contact c = cairn_simulation_contact(w.simulation, j);
        force[c.patch + 1] += c.impulse[0] / 1e-3;
        assert_int_equal(c.element, j == 0 ? -1 : (j - 1) % 3);
    }
    assert_near(force[0], 2 * 9.81, 1e-6);
    assert_near(force[1], 1 * 9.81, 1e-5);
    assert_near(force[2], 3 * 9.81, 1e-5);
    world_free(&w);
}

/* A step that fails leaves the deformations as they were. */
static bool broken;

static void break_once(void *data, double t, const cairn_body_state *body, double force[3], double torque[3])
{
    (void)data;
    (void)t;
    (void)body;
    (void)torque;
    force[0] = broken ? NAN : 0.3;
}

static void failed_steps_change_nothing(void **state)
{
    (void)state;
    double end[2];
    for (int trial = 0; trial < 2; ++trial)
    {
        cairn_material rubber;
        world w = ball_world(patch_of(3, 2e-3, 1e-7), 0.4, 0.0, &rubber);
        cairn_force_options force = cairn_force_default();
        force.name = "push";
        force.body = cairn_model_find_body(w.model, "ball");
        force.function = break_once;
        cairn_force made;
        assert_int_equal(cairn_model_add_force(w.model, &force, &made), CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        settings.step = 1e-3;
        world_start(&w, &settings);
        for (int i = 0; i < 60; ++i)
        {
            broken = trial == 1 && i % 7 == 3;
            if (broken)
            {
                assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_NUMERIC);
                broken = false;
            }
            world_step(&w);
        }
        end[trial] = world_body(&w, "ball").position[0];
        world_free(&w);
    }
    assert_true(end[0] == end[1] && end[0] > 0);
}

/* A ball that rolls on keeps its patch, and steps need no memory. */
static void warm_steps_do_not_allocate(void **state)
{
    (void)state;
    cairn_material rubber;
    world w = ball_world(patch_of(5, 2e-3, 1e-7), 0.4, 0.0, &rubber);
    cairn_settings settings = cairn_settings_default();
    settings.step = 1e-3;
    world_start(&w, &settings);
    world_run(&w, 50);
    struct mallinfo2 before = mallinfo2();
    world_run(&w, 50);
    struct mallinfo2 after = mallinfo2();
    assert_true(after.uordblks == before.uordblks && after.hblkhd == before.hblkhd);
    world_free(&w);
}

/* ---------------------------------------------------------------------------------------------- bad input */

static void refuse(cairn_patch_options patch, double restitution, const char *sentence)
{
    world w = world_new(3);
    cairn_material_options options = cairn_material_default();
    options.name = "rubber";
    options.patch = patch;
    options.restitution = restitution;
    cairn_material out;
    assert_int_equal(cairn_model_add_material(w.model, &options, &out), CAIRN_INVALID);
    const char *said = cairn_context_message(w.context, 0).text;
    if (!strstr(said, sentence))
        fail_msg("'%s' does not say '%s'", said, sentence);
    world_free(&w);
}

static void bad_materials(void **state)
{
    (void)state;
    cairn_patch_options good = patch_of(3, 1e-3, 1e-8), bad = good;
    bad.elements = 4;
    refuse(bad, 0, "elements: must be an odd number from 1 to 25");
    bad.elements = -1;
    refuse(bad, 0, "elements: must be an odd number from 1 to 25");
    bad = good;
    bad.spacing = 0;
    refuse(bad, 0, "spacing: must be a length greater than 0, found 0");
    bad = good;
    bad.compliance = -1e-9;
    refuse(bad, 0, "compliance: must be greater than 0 (1/E), found -1e-09");
    bad = good;
    bad.poisson = 0.51;
    refuse(bad, 0, "poisson: must be greater than -1 and at most 0.5, found 0.51");
    world w = world_new(3);
    cairn_material_options incompressible = cairn_material_default();
    cairn_material taken;
    incompressible.name = "rubber";
    incompressible.patch = good;
    incompressible.patch.poisson = 0.5;
    assert_int_equal(cairn_model_add_material(w.model, &incompressible, &taken), CAIRN_OK);
    world_free(&w);
    bad.poisson = -1;
    refuse(bad, 0, "poisson: must be greater than -1 and at most 0.5, found -1");
    bad = good;
    bad.damping = NAN;
    refuse(bad, 0, "damping: must be a number of 0 or more");
    bad = good;
    bad.retardation = -1;
    refuse(bad, 0, "retardation: must be a time of 0 or more");
    refuse(good, 0.5, "restitution: must be 0 with a patch");
}

static void bad_integrators(void **state)
{
    (void)state;
    cairn_material rubber;
    world w = ball_world(patch_of(3, 1e-3, 1e-8), 0.4, 0.0, &rubber);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    cairn_simulation *simulation;
    assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &simulation), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_message(w.context, 0).text, "use euler or stiff with them"));
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_kernel_is_the_integral),
        cmocka_unit_test(kernels_meet_far_away),
        cmocka_unit_test(influence_is_definite),
        cmocka_unit_test(eigenvectors_are_those_of_lapack),
        cmocka_unit_test(block_is_what_it_says),
        cmocka_unit_test(equal_sides_do_not_mix),
        cmocka_unit_test(lumped_model_is_a_spring),
        cmocka_unit_test(resting_ball_is_hertz),
        cmocka_unit_test(deformation_turns_with_the_bodies),
        cmocka_unit_test(energy_adds_up),
        cmocka_unit_test(elements_beside_an_edge),
        cmocka_unit_test(rigid_and_compliant_together),
        cmocka_unit_test(failed_steps_change_nothing),
        cmocka_unit_test(warm_steps_do_not_allocate),
        cmocka_unit_test(bad_materials),
        cmocka_unit_test(bad_integrators),
    };
    return cmocka_run_group_tests_name("compliant patches", tests, NULL, NULL);
}
