/* Theorems of Anitescu 2006 on whole runs under the convex laws, with the step going to 0: penetration is of second order
 * (Theorem 6.1), and no energy is gained in the limit (Lemma 9.1). Boxes are thrown at random, in the plane and in
 * space, alone, side by side or linked by rods.
 *
 * The ground is a bed of fixed pegs. (A corner on a flat ground would show nothing: its gap is a convex function of the
 * position, which lies above its linearisation.) The gap between a peg of radius R and a face is n'(p - x) - d - R, where the
 * normal n turns with the body. A step h with velocity v and rate w leaves its linearisation by at most
 * h^2 (w^2 (|a| + R) / 2 + |v| |w|), |a| the half diagonal of the box. The law keeps the linearised gap from being negative:
 * this is the constant of Theorem 6.1, and we allow twice its first part for pegs that pass from a face to a corner.
 *
 * Under gravity alone, with a mass matrix that does not turn with the body (plane, cubes), the energy of a step changes by
 * exactly
 *
 *     E+ - E = -(v+ - v)'M(v+ - v)/2 - r'w + c'b ,
 *
 * since r'(H v+ + w) = 0 and G v+ = b. With w = gap/h only penetration gives energy, of the order h over a run.
 */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LEVELS = 3, /* h = 1/400, 1/800, 1/1600 */
    MOST_BODIES = 3,
    MOST_VELOCITIES = 6 * MOST_BODIES,
};
static const double H0 = 0.0025, UNTIL = 1.2;
static const double PEG = 0.15, SPACING = 0.5; /* m: radius, distance */

typedef struct throw
{
    int dim, bodies;
    bool cubes, linked, rough;
    cairn_law law;
    uint64_t seed;
}
throw;

static void throw_box(cairn_model *model, const throw *t, int i, uint64_t *seed, cairn_material material,
                      cairn_body *out)
{
    char name[16];
    double size[3], position[3] = {3.0 * i, 0, 0};
    for (int k = 0; k < 3; ++k)
        size[k] = t->cubes && k > 0 ? size[0] : random_in(seed, 0.4, 1.0);
    int up = t->dim - 1;
    position[up] = random_in(seed, 1.0, 1.5);
    snprintf(name, sizeof name, "box%d", i);
    *out = add_box(model, name, random_in(seed, 0.5, 3.0), size, position, material);
}

static void spin_box(cairn_simulation *simulation, const throw *t, cairn_body body, uint64_t *seed)
{
    cairn_body_state state = cairn_simulation_body(simulation, body);
    double q[4], size = 0.0;
    for (int k = 0; k < 4; ++k)
    {
        q[k] = random_in(seed, -1, 1);
        size += q[k] * q[k];
    }
    for (int k = 0; k < 3; ++k)
    {
        bool turns = t->dim == 3 || k == 2;
        bool moves = t->dim == 3 || k < 2;
        state.velocity[k] = moves && !t->linked ? random_in(seed, -1, 1) : 0.0;
        state.angular_velocity[k] = turns && !t->linked ? random_in(seed, -4, 4) : 0.0;
    }
    state.angle = t->dim == 2 ? random_in(seed, -3, 3) : 0.0;
    for (int k = 0; k < 4 && t->dim == 3; ++k)
        state.orientation[k] = q[k] / sqrt(size);
    assert_int_equal(cairn_simulation_set_body(simulation, body, &state), CAIRN_OK);
}

static void add_pegs(cairn_model *model, const throw *t, cairn_material material)
{
    int rows = t->dim == 3 ? 3 : 0;
    cairn_body_options options = cairn_body_default();
    cairn_shape_options shape = cairn_shape_default(t->dim == 3 ? CAIRN_SPHERE : CAIRN_CIRCLE);
    cairn_body body;
    cairn_shape made;
    options.name = "pegs";
    options.kind = CAIRN_FIXED;
    assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
    shape.radius = PEG;
    shape.material = material;
    for (int i = -5; i <= 6 * t->bodies; ++i)
    {
        for (int k = -rows; k <= rows; ++k)
        {
            shape.position[0] = SPACING * i;
            shape.position[1] = t->dim == 3 ? SPACING * k : 0.0;
            assert_int_equal(cairn_model_add_shape(model, body, &shape, &made), CAIRN_OK);
        }
    }
}

/* Rods from each box to the next, between their centres, so that spinning does not strain them. */
static void link_boxes(cairn_model *model, const cairn_body *boxes, int count)
{
    for (int i = 1; i < count; ++i)
    {
        char name[16];
        cairn_joint_options options = cairn_joint_default(CAIRN_JOINT_DISTANCE);
        cairn_joint joint;
        snprintf(name, sizeof name, "rod%d", i);
        options.name = name;
        options.a.body = boxes[i - 1];
        options.b.body = boxes[i];
        assert_int_equal(cairn_model_add_joint(model, &options, &joint), CAIRN_OK);
    }
}

static world start(const throw *t, double h, cairn_body boxes[MOST_BODIES])
{
    uint64_t seed = t->seed;
    world w = world_new(t->dim);
    cairn_material material = add_material(w.model, "stone", t->rough ? random_in(&seed, 0.1, 0.9) : 0.0, 0.0);
    add_pegs(w.model, t, material);
    for (int i = 0; i < t->bodies; ++i)
        throw_box(w.model, t, i, &seed, material, &boxes[i]);
    if (t->linked)
        link_boxes(w.model, boxes, t->bodies);
    cairn_settings settings = cairn_settings_default();
    settings.step = h;
    settings.law = t->law;
    settings.integrator = CAIRN_INTEGRATOR_EULER;
    settings.stabilisation = CAIRN_STABILISE_GAP;
    settings.solver.tolerance = 1e-10;
    world_start(&w, &settings);
    for (int i = 0; i < t->bodies; ++i)
        spin_box(w.simulation, t, boxes[i], &seed);
    return w;
}

/* Velocities in the order of the problem's unknowns. */
static int velocities(const world *w, const throw *t, const cairn_body *boxes, double *v)
{
    int count = 0;
    for (int i = 0; i < t->bodies; ++i)
    {
        cairn_body_state state = cairn_simulation_body(w->simulation, boxes[i]);
        for (int k = 0; k < t->dim; ++k)
            v[count++] = state.velocity[k];
        for (int k = t->dim == 3 ? 0 : 2; k < 3; ++k)
            v[count++] = state.angular_velocity[k];
    }
    return count;
}

/* -(v+ - v)'M(v+ - v)/2 - r'w + c'b: what the energy of the last step should have changed by. */
static double change_of_energy(const world *w, const double *before, const double *after)
{
    const cairn_problem *problem = cairn_simulation_problem(w->simulation);
    const cairn_solution *solution = cairn_simulation_solution(w->simulation);
    double sum = 0.0;
    for (int i = 0; i < problem->block_count; ++i)
    {
        int first = problem->block_start[i];
        int size = problem->block_start[i + 1] - first;
        assert_int_equal(problem->A.row_start[i + 1] - problem->A.row_start[i],
                         1); /* no springs: M is block-diagonal */
        const double *M = problem->A.value + problem->A.value_start[problem->A.row_start[i]];
        for (int k = 0; k < size * size; ++k)
        {
            int a = first + k / size, b = first + k % size;
            sum -= 0.5 * (after[a] - before[a]) * M[k] * (after[b] - before[b]);
        }
    }
    for (int i = 0; i < solution->contact_rows; ++i)
        sum -= solution->r[i] * problem->w[i];
    for (int i = 0; i < solution->joint_rows; ++i)
        sum += solution->c[i] * problem->b[i];
    return sum;
}

/* What a run did at its worst. */
typedef struct worst
{
    double penetration, joint_error;
    double rise;     /* largest gain of energy between any two times */
    double identity; /* largest miss of the identity of energies */
} worst;

static double square(const double x[3])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

/* What a step with these velocities may leave of the linearised gaps. */
static double largest_penetration(const world *w, const throw *t, const cairn_body *boxes, double h)
{
    double arm = sqrt(t->dim) / 2; /* no box is larger than 1 */
    double largest = 0.0;
    for (int i = 0; i < t->bodies; ++i)
    {
        cairn_body_state state = cairn_simulation_body(w->simulation, boxes[i]);
        double turn = square(state.angular_velocity);
        largest = fmax(largest, h * h * (turn * (arm + PEG) + sqrt(turn * square(state.velocity))));
    }
    return largest;
}

static worst run(const throw *t, double h)
{
    cairn_body boxes[MOST_BODIES];
    world w = start(t, h, boxes);
    worst found = {0};
    double before[MOST_VELOCITIES], after[MOST_VELOCITIES];
    double energy = cairn_simulation_energy(w.simulation).total, least = energy;
    int steps = (int)(UNTIL / h + 0.5);
    for (int i = 0; i < steps; ++i)
    {
        int count = velocities(&w, t, boxes, before);
        world_step(&w);
        velocities(&w, t, boxes, after);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        assert_int_equal(count, cairn_simulation_problem(w.simulation)->n);
        double bound = largest_penetration(&w, t, boxes, h);
        if (report->penetration > bound + 1e-9)
        {
            fail_msg("seed %d, h = %g, step %d: penetration %g, bound %g", (int)t->seed, h, i, report->penetration,
                     bound);
        }
        double now = report->energy.total;
        found.penetration = fmax(found.penetration, report->penetration);
        found.joint_error = fmax(found.joint_error, report->joint_error);
        found.identity = fmax(found.identity, fabs(now - energy - change_of_energy(&w, before, after)));
        energy = now;
        least = fmin(least, now);
        found.rise = fmax(found.rise, now - least);
    }
    world_free(&w);
    return found;
}

/* Sums over many throws, a level of h after another, and the order between the first and the last. */
typedef struct table
{
    double penetration[LEVELS], joint_error[LEVELS], rise[LEVELS], identity;
} table;

static double order(const double *x)
{
    return log2(x[0] / x[LEVELS - 1]) / (LEVELS - 1);
}

static table run_all(throw t, int count)
{
    table sums = {0};
    for (int i = 0; i < count; ++i)
    {
        t.seed = 17u * (uint64_t)i + 1u;
        for (int k = 0; k < LEVELS; ++k)
        {
            worst found = run(&t, ldexp(H0, -k));
            sums.penetration[k] += found.penetration / count;
            sums.joint_error[k] += found.joint_error / count;
            sums.rise[k] += found.rise / count;
            sums.identity = fmax(sums.identity, found.identity);
        }
    }
    print_message("penetration %.1e to %.1e, order %.2f; gain of energy %.1e to %.1e, order %.2f; identity %.1e\n",
                  sums.penetration[0], sums.penetration[LEVELS - 1], order(sums.penetration), sums.rise[0],
                  sums.rise[LEVELS - 1], order(sums.rise), sums.identity);
    return sums;
}

/* A frictionless bed: sliding contacts stay closed, and both orders show. */
static void check_smooth(throw t, int count, bool identity)
{
    t.rough = false;
    table sums = run_all(t, count);
    assert_true(order(sums.penetration) > 1.9 && order(sums.penetration) < 2.2);
    assert_true(order(sums.rise) > 0.9);
    assert_true(!identity || sums.identity < 1e-9);
    assert_true(!t.linked || order(sums.joint_error) > 1.9);
}

/* With friction the relaxation lifts sliding contacts by h mu |u_t|, more than the linearisation takes: nothing penetrates
 * for long, and next to no energy is gained. */
static void check_rough(throw t, int count, bool identity)
{
    t.rough = true;
    table sums = run_all(t, count);
    assert_true(sums.penetration[LEVELS - 1] < 1e-6);
    assert_true(sums.rise[LEVELS - 1] < 1e-3);
    assert_true(!identity || sums.identity < 1e-9);
}

static void boxes_in_the_plane(void **state)
{
    (void)state;
    throw t = {.dim = 2, .bodies = 1, .law = {CAIRN_LAW_CONVEX_PYRAMID, 4}};
    check_smooth(t, 20, true);
    check_rough(t, 8, true);
}

static void cubes_in_space(void **state)
{
    (void)state;
    throw t = {.dim = 3, .bodies = 1, .cubes = true, .law = {CAIRN_LAW_CONVEX_PYRAMID, 8}};
    check_smooth(t, 6, true);
    check_rough(t, 3, true);
    t.law = (cairn_law){CAIRN_LAW_CONVEX_CONE, 0};
    check_rough(t, 3, true);
}

/* With gyroscopic terms the identity holds in the limit alone; what it implies there holds. */
static void boxes_in_space(void **state)
{
    (void)state;
    throw t = {.dim = 3, .bodies = 2, .law = {CAIRN_LAW_CONVEX_CONE, 0}};
    check_smooth(t, 6, false);
    check_rough(t, 2, false);
}

static void boxes_on_rods(void **state)
{
    (void)state;
    throw t = {.dim = 2, .bodies = 3, .linked = true, .law = {CAIRN_LAW_CONVEX_PYRAMID, 4}};
    check_smooth(t, 6, true);
    check_rough(t, 4, true);
    t = (throw){.dim = 3, .bodies = 3, .cubes = true, .linked = true, .law = {CAIRN_LAW_CONVEX_PYRAMID, 6}};
    check_smooth(t, 5, true);
    check_rough(t, 2, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_in_the_plane),
        cmocka_unit_test(cubes_in_space),
        cmocka_unit_test(boxes_in_space),
        cmocka_unit_test(boxes_on_rods),
    };
    return cmocka_run_group_tests_name("theorems of Anitescu 2006, whole runs", tests, NULL, NULL);
}
