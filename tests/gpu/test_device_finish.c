/* Steps whose sweeps miss the tolerance, and who finishes them: the problem that the pipeline hands out against the closed form of a column of balls, the
 * processor's solvers on columns with a heavy load, and heaps that land or lie, every step of which has to meet its certificate. */
#include "support/check.h"
#include "support/device.h"
#include "support/heap.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------- what is handed out */

enum
{
    BALLS = 12,
    FIRST_SWEEPS = 2
};
static const double RADIUS = 0.05, STEP = 0.005, GRAVITY = 9.81;

/* Who is asked to finish a step of a column of balls at rest under gravity: contact k from below carries what lies on it, h g m (BALLS - k). */
typedef struct helper
{
    int calls;
    bool is_right; /* false: it makes things worse */
    double mass;
} helper;

/* v = h g + (1/m) (impulses), what the impulses at hand leave of the fall. */
static void check_bodies(const helper *of, const crn_gpu_left *left)
{
    for (int i = 0; i < left->body_count; ++i)
    {
        const crn_gpu_left_body *body = &left->body[i];
        double v = body->inverse_mass > 0 ? -STEP * GRAVITY : 0.0;
        for (int k = 0; k < left->contact_count; ++k)
            if (left->contact[k].a == i || left->contact[k].b == i)
                v += body->inverse_mass * (left->contact[k].a == i ? 1 : -1) * left->contact[k].impulse[2];
        assert_near(body->v[2], v, 1e-8);
        assert_near(body->v[0], 0, 1e-12);
        assert_near(body->w[1], 0, 1e-12);
        if (!(body->inverse_mass > 0))
            continue;
        assert_near(body->inverse_mass, 1 / of->mass, 1e-6 / of->mass);
        for (int k = 0; k < 9; ++k)
            assert_near(body->inertia[k], k % 4 == 0 ? 0.4 * of->mass * RADIUS * RADIUS : 0, 1e-8);
    }
}

/* How many balls lie over the contact: found from the contacts alone, by going up from body to body. */
static int balls_over(const crn_gpu_left *left, int contact)
{
    const crn_gpu_left_contact *at = &left->contact[contact];
    int body = at->n[2] > 0 ? at->a : at->b, count = 1;
    for (int k = 0; k < left->contact_count; ++k)
    {
        const crn_gpu_left_contact *c = &left->contact[k];
        if ((c->n[2] > 0 ? c->b : c->a) != body)
            continue;
        body = c->n[2] > 0 ? c->a : c->b;
        ++count;
        k = -1;
    }
    return count;
}

static bool finish_column(void *user, const crn_gpu_left *left)
{
    helper *of = user;
    ++of->calls;
    assert_int_equal(left->contact_count, BALLS);
    assert_int_equal(left->body_count, BALLS + 1);
    assert_int_equal(left->law, CRN_GPU_CONE);
    check_bodies(of, left);
    for (int k = 0; k < left->contact_count; ++k)
    {
        crn_gpu_left_contact *c = &left->contact[k];
        assert_near(fabs(c->n[2]), 1, 1e-7);
        assert_near(c->bias, 0, 1e-6);
        assert_near(c->friction, 0.4, 1e-7);
        assert_near(c->arm_a[2], -RADIUS * c->n[2], 1e-8);
        assert_near(c->arm_b[2], c->b == BALLS ? 0 : RADIUS * c->n[2], 1e-8);
        c->impulse[0] = c->impulse[1] = 0;
        c->impulse[2] = of->is_right ? c->n[2] * of->mass * GRAVITY * STEP * balls_over(left, k) : -1.0;
    }
    return true;
}

/* A step of the column, with so few sweeps that it misses. */
static crn_gpu_report step_column(const crn_gpu_table *gpu, helper *of, crn_gpu_body out[BALLS])
{
    static const uint8_t class = 0;
    const double mu = 0.4, none = 0, down[3] = {0, 0, -GRAVITY};
    char sentence[CRN_GPU_SENTENCE] = "";
    const crn_gpu_plane floor = {.n = {0, 0, 1}, .driven = -1};
    for (int i = 0; i < BALLS; ++i)
        out[i] = (crn_gpu_body){.x = {0, 0, (2 * i + 1) * RADIUS},
                                .q = {1},
                                .inverse_mass = 1 / of->mass,
                                .inverse_inertia = 1 / (0.4 * of->mass * RADIUS * RADIUS),
                                .radius = RADIUS,
                                .driven = -1};
    crn_gpu_description d = {.body_count = BALLS,
                             .plane_count = 1,
                             .material_count = 1,
                             .class_count = 1,
                             .body = out,
                             .plane = &floor,
                             .pair_class = &class,
                             .friction = &mu,
                             .restitution = &none,
                             .law = CRN_GPU_CONE,
                             .sweeps = FIRST_SWEEPS,
                             .tolerance = 1e-5,
                             .most_sweeps = 2 * FIRST_SWEEPS,
                             .finish = finish_column,
                             .finish_user = of,
                             .certify_every = 1,
                             .restitution_threshold = 0.01,
                             .push_out_speed = 1,
                             .step = STEP,
                             .push_share = -1,
                             .push_out = true};
    crn_gpu_report report;
    crn_gpu_world *column = gpu->open(&d, sentence);
    if (!column || !gpu->step(column, STEP, 1, down, NULL, NULL, &report, sentence) ||
        !gpu->read_bodies(column, out, sentence))
        fail_msg("%s", sentence);
    gpu->close(column);
    return report;
}

/* With the right impulses everything rests, and the certificate says so; wrong ones are turned down. */
static void column_is_handed_out(void **state)
{
    (void)state;
    const crn_gpu_table *gpu = device_table();
    assert_non_null(gpu);
    crn_gpu_body right[BALLS], wrong[BALLS];
    helper of = {.is_right = true, .mass = 0.6};
    crn_gpu_report report = step_column(gpu, &of, right);
    assert_int_equal(of.calls, 1);
    assert_int_equal(report.left, 1);
    assert_int_equal(report.most_sweeps, 2 * FIRST_SWEEPS);
    assert_true(report.worst < 1e-6);
    for (int i = 0; i < BALLS; ++i)
        assert_near(right[i].v[2], 0, 1e-6);
    of = (helper){.mass = 0.6};
    report = step_column(gpu, &of, wrong);
    assert_int_equal(report.left, 1);
    assert_true(report.worst > 1e-3 && report.worst < STEP * GRAVITY); /* that of the sweeps */
    assert_true(wrong[BALLS / 2].v[2] < 0 && wrong[BALLS / 2].v[2] >= -STEP * GRAVITY - 1e-6);
}

/* ------------------------------------------------------------------------------------------------ who finishes it */

/* Light things in a column under a heavy one: sweeps carry its weight down the slower the heavier it is and the longer the column. */
static world loaded_column(bool is_round, int count, double load)
{
    world w = world_new(3);
    cairn_material material = add_material(w.model, "steel", 0.5, 0);
    add_ground(w.model, material);
    char name[24];
    for (int i = 0; i < count; ++i)
    {
        double mass = i == count - 1 ? load : 1.0, x[3] = {0, 0, (2 * i + 1) * RADIUS};
        snprintf(name, sizeof name, "item%d", i);
        if (is_round)
            add_ball(w.model, name, mass, RADIUS, x, material);
        else
            add_box(w.model, name, mass, (double[3]){2 * RADIUS, 2 * RADIUS, 2 * RADIUS}, x, material);
    }
    return w;
}

/* N s: upward, on what lies above height z. */
static double carried(const world *w, double z)
{
    double sum = 0;
    for (int j = 0; j < cairn_simulation_contact_count(w->simulation); ++j)
    {
        cairn_contact c = cairn_simulation_contact(w->simulation, j);
        sum += fabs(c.point[2] - z) < 0.1 * RADIUS ? c.impulse[0] : 0.0;
    }
    return sum;
}

/* The processor's solvers finish the step, every contact carries what lies on it, and nothing moves. Where the user has limited the iterations, the step is
 * reported as missed. */
static void load_is_carried(void **state)
{
    (void)state;
    const double load = 300, tolerance = 1e-4;
    bool is_double = !strcmp(device_table()->name, "processor"); /* sweeps finish the boxes then */
    for (int is_round = is_double; is_round <= 1; ++is_round)
    {
        int count = is_round ? 240 : 120;
        world w = loaded_column(is_round, count, load), limited = loaded_column(is_round, count, load);
        cairn_settings settings = on_device(STEP, 0);
        settings.accuracy = CAIRN_ACCURACY_EXACT;
        settings.solver.tolerance = tolerance;
        world_start(&w, &settings);
        settings.solver.max_iterations = 2000;
        world_start(&limited, &settings);
        device_take(&w, 1);
        device_take(&limited, 1);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        assert_int_equal(report->solver.outcome, CAIRN_SOLVED);
        assert_true(report->solver.certificate.relative <= tolerance);
        assert_int_equal(report->solver.fallbacks, 1);
        assert_string_equal(report->solver.method, "device sweeps, processor");
        for (int i = 0; i < count; ++i)
        {
            double over = (load + count - 1 - i) * GRAVITY * STEP;
            char name[24];
            snprintf(name, sizeof name, "item%d", i);
            assert_near(carried(&w, 2 * i * RADIUS), over, 1e-3 * over);
            assert_near(world_body(&w, name).velocity[2], 0, 1e-4);
        }
        report = cairn_simulation_report(limited.simulation);
        assert_int_equal(report->solver.outcome, CAIRN_MISSED);
        assert_true(report->solver.certificate.relative > tolerance);
        assert_int_equal(report->solver.fallbacks, 0);
        world_free(&w);
        world_free(&limited);
    }
}

/* ------------------------------------------------------------------------------------------------------------- heaps */

/* Every step of a heap that lands meets the tolerance. The physics certificate, which knows nothing of solvers, finds nothing. */
static void land(heap_mix mix, int count, int steps)
{
    heap_options options = {.dimension = 3, .mix = mix, .count = count, .friction = 0.5, .seed = 11};
    cairn_settings settings = on_device(STEP, 0);
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    settings.solver.tolerance = 1e-4;
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    settings.audit_every = 1;
    world w = heap_world(&options);
    world_start(&w, &settings);
    int missed = 0, left = 0, violations = 0;
    double fastest = 0; /* J */
    for (int k = 0; k < steps; ++k)
    {
        device_take(&w, 1);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        bool is_met = report->solver.certificate.relative <= 1e-4;
        assert_int_equal(report->solver.outcome, is_met ? CAIRN_SOLVED : CAIRN_MISSED);
        missed += !is_met;
        left += report->solver.fallbacks;
        violations += report->physics.forbidden;
        fastest = fmax(fastest, report->energy.kinetic);
    }
    print_message("%d grains: %d steps were left to the processor\n", count, left);
    assert_int_equal(missed, 0);
    assert_int_equal(violations, 0);
    assert_true(cairn_simulation_energy(w.simulation).kinetic <
                0.25 * fastest); /* it has landed, and some grains still roll */
    world_free(&w);
}

/* Steps of a heap that loads have to cross, from where a budget of a few sweeps has let it fall. They are too large for the processor: sweeps must do, which
 * do not get there if contacts within the tolerance go on moving. */
static void check_steps_from(heap_mix mix, int count, int fallen, int steps)
{
    heap_options options = {.dimension = 3, .mix = mix, .count = count, .friction = 0.5, .seed = 12};
    cairn_settings settings = on_device(STEP, 30);
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    world before = heap_world(&options), w = heap_world(&options);
    world_start(&before, &settings);
    device_take(&before, fallen);
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    settings.solver.tolerance = 1e-4;
    settings.audit_every = 1;
    world_start(&w, &settings);
    int bodies = cairn_model_body_count(w.model), missed = 0, violations = 0, most = 0;
    cairn_body_state *body = malloc((size_t)bodies * sizeof *body);
    assert_non_null(body);
    for (int i = 0; i < bodies; ++i)
        body[i] = cairn_simulation_body(before.simulation, cairn_model_body(w.model, i));
    assert_int_equal(cairn_simulation_set_states(w.simulation, body, bodies), CAIRN_OK);
    free(body);
    for (int k = 0; k < steps; ++k)
    {
        device_take(&w, 1);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        assert_int_equal(report->solver.fallbacks, 0);
        most = report->solver.iterations > most ? report->solver.iterations : most;
        missed += report->solver.certificate.relative > 1e-4;
        violations += report->physics.forbidden;
    }
    print_message("%d grains, %d contacts: at most %d sweeps\n", count, cairn_simulation_contact_count(w.simulation),
                  most);
    assert_true(cairn_simulation_contact_count(w.simulation) > 3 * count / 2);
    assert_int_equal(missed, 0);
    assert_int_equal(violations, 0);
    world_free(&before);
    world_free(&w);
}

static void large_heap_meets_tolerance(void **state)
{
    (void)state;
    check_steps_from(HEAP_ROUND, IS_SANITIZED ? 300 : 1000, IS_SANITIZED ? 60 : 160, IS_SANITIZED ? 2 : 4);
    if (getenv("CAIRN_LONG"))
        check_steps_from(HEAP_ROUND, 3000, 180, 40);
}

static void large_heap_of_mixed_shapes_meets_tolerance(void **state)
{
    (void)state;
    check_steps_from(HEAP_MIXED, IS_SANITIZED ? 100 : 400, IS_SANITIZED ? 60 : 160, IS_SANITIZED ? 2 : 4);
    if (getenv("CAIRN_LONG"))
        check_steps_from(HEAP_MIXED, 1000, 160, 40);
}

static void spheres_land(void **state)
{
    (void)state;
    land(HEAP_ROUND, IS_SANITIZED ? 60 : 200, 140);
}

static void mixed_shapes_land(void **state)
{
    (void)state;
    land(HEAP_MIXED, IS_SANITIZED ? 20 : 60, 120);
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(column_is_handed_out),
        cmocka_unit_test(load_is_carried),
        cmocka_unit_test(spheres_land),
        cmocka_unit_test(mixed_shapes_land),
        cmocka_unit_test(large_heap_meets_tolerance),
        cmocka_unit_test(large_heap_of_mixed_shapes_meets_tolerance),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
