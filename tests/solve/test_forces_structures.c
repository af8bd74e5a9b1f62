/* Forces in stacks and towers of a simulation, as users get them: quarters by symmetry, and for up to ten thousand rows the conditions of
 * least norm, found by conjugate gradients. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double G = 9.81;

/* Layers of three planks, crosswise: every plank lies on the three below it, at four corners each. */
static world tower(int layers)
{
    world w = world_new(3);
    cairn_material wood = add_material(w.model, "wood", 0.6, 0);
    add_ground(w.model, wood);
    for (int i = 0; i < layers; ++i)
    {
        for (int j = -1; j <= 1; ++j)
        {
            char name[32];
            double along = 1.2 * j, across[3] = {3.4, 1, 0.5}, turned[3] = {1, 3.4, 0.5};
            double position[3] = {i % 2 ? along : 0, i % 2 ? 0 : along, 0.25 + 0.5 * i};
            snprintf(name, sizeof name, "plank %d %d", i, j);
            add_box(w.model, name, 1, i % 2 ? turned : across, position, wood);
        }
    }
    return w;
}

static cairn_settings exact(void)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.01;
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    return settings;
}

/* In a stack of ten boxes each corner carries a quarter of what is above it, from the first step on, and the report says so. */
static void boxes_stand_on_four_corners(void **state)
{
    (void)state;
    static const double SIZE[3] = {1, 1, 1};
    static const cairn_accuracy ACCURACY[] = {CAIRN_ACCURACY_BALANCED, CAIRN_ACCURACY_EXACT};
    for (int k = 0; k < 2; ++k)
    {
        world w = world_new(3);
        cairn_material wood = add_material(w.model, "wood", 0.5, 0);
        add_ground(w.model, wood);
        for (int i = 0; i < 10; ++i)
        {
            char name[16];
            double position[3] = {0, 0, 0.5 + i};
            snprintf(name, sizeof name, "box %d", i);
            add_box(w.model, name, 2, SIZE, position, wood);
        }
        cairn_settings settings = exact();
        settings.accuracy = ACCURACY[k];
        world_start(&w, &settings);
        for (int step = 0; step < 20; ++step)
        {
            world_step(&w);
            const cairn_solver_report *report = &cairn_simulation_report(w.simulation)->solver;
            assert_int_equal(report->null_space, 60);
            assert_int_equal(report->unexamined, 0);
            assert_true(report->chosen_forces);
            assert_int_equal(cairn_simulation_contact_count(w.simulation), 40);
            for (int j = 0; j < 40; ++j)
            {
                cairn_contact contact = cairn_simulation_contact(w.simulation, j);
                double above = 2 * G * settings.step * (10 - round(contact.point[2])) / 4;
                assert_near(contact.impulse[0], above, 1e-9 * above);
            }
        }
        world_free(&w);
    }
}

/* y = H'r or r = H y, over the contacts of which r is within the cone and not on its surface */
static void times(const cairn_problem *problem, const bool *inside, bool transposed, const double *x, double *y)
{
    const cairn_block_rows *H = &problem->H;
    memset(y, 0, sizeof(double) * (size_t)(transposed ? problem->n : 3 * problem->contact_count));
    for (int j = 0; j < H->item_count; ++j)
    {
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1] && (!inside || inside[j]); ++e)
        {
            int first = problem->block_start[H->block[e]];
            for (int k = 0; k < 18; ++k)
            {
                double h = H->value[H->value_start[e] + k];
                if (transposed)
                    y[first + k % 6] += h * x[3 * j + k / 6];
                else
                    y[3 * j + k / 6] += h * x[first + k % 6];
            }
        }
    }
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* The point of the cone |x_t| <= mu x_n next to y. */
static void project(double mu, const double *y, double *x)
{
    double t = hypot(y[1], y[2]), n = (y[0] + mu * t) / (1 + mu * mu);
    bool inside = t <= mu * y[0], polar = !inside && n <= 0;
    x[0] = inside ? y[0] : polar ? 0 : n;
    for (int k = 1; k < 3; ++k)
        x[k] = inside ? y[k] : polar ? 0 : mu * n * y[k] / t;
}

/* The conditions of least norm: there are pi with r = P(H pi), P the projection on the cones. They are found where r is inside its cone,
 * where P does nothing, by conjugate gradients on H'H pi = H'r, and hold elsewhere, too. Returns how far they do not, relative to the
 * largest impulse. */
static double error_of_least_norm(const cairn_problem *problem, const double *r, int *on_surface)
{
    int n = problem->n, m = 3 * problem->contact_count;
    double *pi = calloc((size_t)n, sizeof(double)), *s = calloc((size_t)n, sizeof(double));
    double *p = calloc((size_t)n, sizeof(double)), *q = calloc((size_t)m, sizeof(double));
    double *left = malloc(sizeof(double) * (size_t)m), largest = 0, error = 0;
    bool *inside = calloc((size_t)problem->contact_count, sizeof(bool));
    assert_true(pi && s && p && q && left && inside);
    for (int j = 0; j < problem->contact_count; ++j)
        largest = fmax(largest, r[3 * j]);
    *on_surface = 0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        inside[j] = problem->mu[j] * r[3 * j] - hypot(r[3 * j + 1], r[3 * j + 2]) > 1e-7 * largest;
        *on_surface += !inside[j];
    }
    memcpy(left, r, sizeof(double) * (size_t)m);
    times(problem, inside, true, left, s);
    memcpy(p, s, sizeof(double) * (size_t)n);
    double size = dot(n, s, s), first = size;
    for (int i = 0; i < 20 * n && size > 1e-27 * first; ++i)
    {
        times(problem, inside, false, p, q);
        double alpha = size / dot(m, q, q);
        for (int k = 0; k < n; ++k)
            pi[k] += alpha * p[k];
        for (int k = 0; k < m; ++k)
            left[k] -= alpha * q[k];
        times(problem, inside, true, left, s);
        double next = dot(n, s, s);
        for (int k = 0; k < n; ++k)
            p[k] = s[k] + next / size * p[k];
        size = next;
    }
    times(problem, NULL, false, pi, q);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double x[3];
        project(problem->mu[j], q + 3 * j, x);
        for (int k = 0; k < 3; ++k)
            error = fmax(error, fabs(x[k] - r[3 * j + k]));
    }
    void *all[] = {pi, s, p, q, left, inside};
    for (int k = 0; k < 6; ++k)
        free(all[k]);
    return error / largest;
}

/* Towers of a few hundred to ten thousand rows. Steps of the default, which keeps the forces of a tower at rest, have the same. */
static void towers_have_forces_of_least_norm(void **state)
{
    (void)state;
    static const int LAYERS[] = {3, 8, 20, 100};
    for (int i = 0; i < (getenv("CAIRN_LONG") ? 4 : 3); ++i)
    {
        world w = tower(LAYERS[i]), other = tower(LAYERS[i]);
        cairn_settings settings = exact();
        world_start(&w, &settings);
        world_step(&w);
        const cairn_problem *problem = cairn_simulation_problem(w.simulation);
        const cairn_solver_report *report = &cairn_simulation_report(w.simulation)->solver;
        int rows = 3 * problem->contact_count, on_surface;
        double error = error_of_least_norm(problem, cairn_simulation_solution(w.simulation)->r, &on_surface);
        print_message("%d rows, null space %d, %d on their cones: error %.1e\n", rows, report->null_space, on_surface,
                      error);
        assert_int_equal(rows, 108 * (LAYERS[i] - 1) + 36);
        assert_int_equal(report->null_space, rows - problem->n);
        assert_true(report->chosen_forces);
        assert_int_equal(report->unexamined, 0);
        assert_true(error < 1e-8);
        settings.accuracy = CAIRN_ACCURACY_BALANCED;
        world_start(&other, &settings);
        world_run(&other, 5);
        assert_int_equal(3 * cairn_simulation_contact_count(other.simulation), rows);
        for (int j = 0; j < rows / 3; ++j)
            assert_near(cairn_simulation_contact(other.simulation, j).impulse[0],
                        cairn_simulation_contact(w.simulation, j).impulse[0], 1e-7 * G);
        world_free(&other);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_stand_on_four_corners),
        cmocka_unit_test(towers_have_forces_of_least_norm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
