/* `cairn study`: lists, the fit of an order, norms of errors, the stored truths against conservation laws and closed
 * forms, the same bits from any number of threads. */
#include "cli/study/study.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- lists */

static void check_list(const char *text, int count, const double *expected)
{
    double *numbers;
    int found;
    assert_int_equal(cli_study_numbers("steps", text, &numbers, &found), CLI_EXIT_DONE);
    assert_int_equal(found, count);
    for (int i = 0; i < count; ++i)
        assert_near(numbers[i], expected[i], 1e-15 * expected[i]);
    free(numbers);
}

static void lists_are_numbers_and_ranges(void **state)
{
    (void)state;
    check_list("0.1,0.05,2^-5,1/64", 4, (double[]){0.1, 0.05, 0.03125, 0.015625});
    check_list("2^-5:2^-8", 4, (double[]){0x1p-5, 0x1p-6, 0x1p-7, 0x1p-8});
    check_list("0.1:0.03", 2, (double[]){0.1, 0.05});
    check_list("1:8", 4, (double[]){1, 2, 4, 8});
    check_list("1:100:3,7", 4, (double[]){1, 10, 100, 7});
    check_list("3", 1, (double[]){3});
}

static void wrong_lists_are_refused(void **state)
{
    (void)state;
    const char *const wrong[] = {"",    ",",  "1,",  "0",     "-1",      "1:-1", "nan",
                                 "inf", "2^", "1/0", "1:2:1", "1:2:2.5", "1x",   "1e-200:1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        double *numbers;
        int count;
        assert_int_equal(cli_study_numbers("steps", wrong[i], &numbers, &count), CLI_EXIT_WRONG);
        assert_null(numbers);
    }
}

static void items_end_at_commas_outside_of_brackets(void **state)
{
    (void)state;
    const char *rest = "theta(a,b,1),distance(a,b),x";
    const char *const expected[] = {"theta(a,b,1)", "distance(a,b)", "x"};
    for (int i = 0; i < 3; ++i)
    {
        char *item = cli_study_item(rest, &rest);
        assert_string_equal(item, expected[i]);
        free(item);
    }
    assert_null(rest);
}

/* ---------------------------------------------------------------------------------------------------------- orders */

enum
{
    ROWS = 8
};

static void fill_powers(double order, double *h, double *error)
{
    for (int i = 0; i < ROWS; ++i)
    {
        h[i] = ldexp(1, -i - 3);
        error[i] = 0.7 * pow(h[i], order);
    }
}

static void pure_powers_give_their_order(void **state)
{
    (void)state;
    double h[ROWS], error[ROWS];
    for (double order = 0.5; order < 4; order += 0.5)
    {
        fill_powers(order, h, error);
        cli_study_fit fit = cli_study_fit_order(h, error, ROWS, 0);
        assert_near(fit.order, order, 1e-12);
        assert_int_equal(fit.first, 0);
        assert_int_equal(fit.last, ROWS - 1);
        assert_false(fit.rough);
    }
}

static void coarse_and_rounded_rows_do_not_count(void **state)
{
    (void)state;
    double h[ROWS], error[ROWS];
    fill_powers(2, h, error);
    error[0] *= 50; /* not yet in the asymptotic range */
    error[6] = 3e-15;
    error[7] = 0;
    cli_study_fit fit = cli_study_fit_order(h, error, ROWS, 1e-14);
    assert_near(fit.order, 2, 1e-12);
    assert_int_equal(fit.first, 1);
    assert_int_equal(fit.last, 5);
    error[3] = NAN; /* a run that failed */
    fit = cli_study_fit_order(h, error, ROWS, 1e-14);
    assert_near(fit.order, 2, 1e-12);
    assert_int_equal(fit.first, 1);
    assert_int_equal(fit.last, 5);
}

static void scattered_rows_give_a_rough_order_and_single_ones_none(void **state)
{
    (void)state;
    double h[ROWS], error[ROWS];
    fill_powers(1, h, error);
    for (int i = 0; i < ROWS; ++i)
        error[i] *= i % 2 ? 3 : 1;
    cli_study_fit fit = cli_study_fit_order(h, error, ROWS, 0);
    assert_true(fit.rough);
    assert_near(fit.order, 1, 0.3);
    assert_true(isnan(cli_study_fit_order(h, error, 1, 0).order));
    assert_true(isnan(cli_study_fit_order(h, error, 0, 0).order));
}

/* ---------------------------------------------------------------------------------------------------------- errors */

static const char TWO_BODIES[] = "dimension: 3\nbodies:\n"
                                 "  - {name: floor, kind: fixed, position: [9, 9, 9]}\n"
                                 "  - {name: a, mass: 1, inertia: [1, 1, 1]}\n"
                                 "  - {name: b, mass: 1, inertia: [1, 1, 1]}\n";

static double error_of(const cairn_model *model, const char *text, const cli_study_state *found,
                       const cli_study_state *wanted)
{
    cli_study_quantity quantity;
    double size;
    assert_int_equal(cli_study_quantity_parse(model, text, &quantity), CLI_EXIT_DONE);
    return cli_study_quantity_error(&quantity, model, found, wanted, &size);
}

static void put_state(cairn_body_state *state, double x, double y, double z, double angle)
{
    /* turned about (1, 2, 2) / 3 */
    double s = sin(0.5 * angle) / 3;
    *state = (cairn_body_state){.position = {x, y, z}, .orientation = {cos(0.5 * angle), s, 2 * s, 2 * s}};
}

static void norms_run_over_what_moves_and_is_known(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    assert_int_equal(cairn_scene_parse(context, "two", TWO_BODIES, sizeof TWO_BODIES - 1, NULL, 0, &scene), CAIRN_OK);
    const cairn_model *model = cairn_scene_model(scene);
    cli_study_state found, wanted;
    found = cli_study_state_create(model);
    wanted = cli_study_state_create(model);
    put_state(&found.bodies[0], 5, 5, 5, 1); /* the fixed body does not count */
    put_state(&wanted.bodies[0], 9, 9, 9, 0);
    put_state(&found.bodies[1], 1, 2, 2, 0.3);
    put_state(&wanted.bodies[1], 0, 0, 0, 0.1);
    put_state(&found.bodies[2], 1, 2, 8, -0.4);
    put_state(&wanted.bodies[2], 1, 2, 4, 0.1 - 1e-9);
    assert_near(error_of(model, "position", &found, &wanted), 5, 1e-15);
    assert_near(error_of(model, "orientation", &found, &wanted), hypot(0.2, 0.5), 1e-8);
    assert_near(error_of(model, "a.y", &found, &wanted), 2, 1e-15);
    assert_near(error_of(model, "distance(a,b)", &found, &wanted), 6 - sqrt(21), 1e-14);
    assert_near(error_of(model, "theta(world,a,2)", &found, &wanted), 5, 1e-14);
    wanted.bodies[2].position[2] = NAN;
    assert_near(error_of(model, "position", &found, &wanted), 3, 1e-15);
    assert_true(isnan(error_of(model, "energy", &found, &wanted)));
    /* a quaternion and its negative are the same turn */
    for (int k = 0; k < 4; ++k)
        wanted.bodies[1].orientation[k] *= -1;
    assert_near(error_of(model, "orientation", &found, &wanted), hypot(0.2, 0.5), 1e-8);
    cli_study_quantity refused;
    const char *const wrong[] = {
        "", "posiion", "a.", "a.w", "c.x", "distance(a)", "theta(a,b)", "theta(a,b,x)", "distance(a,b)x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        assert_int_equal(cli_study_quantity_parse(model, wrong[i], &refused), CLI_EXIT_WRONG);
    free(found.bodies);
    free(wanted.bodies);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* ---------------------------------------------------------------------------------------------------------- truths */

static double truth_of(const char *study, double until, const char *body, const char *field)
{
    const cli_study_entry *entry = cli_study_entry_find(study);
    for (int i = 0; i < entry->truth_count; ++i)
    {
        const cli_study_truth *truth = &entry->truths[i];
        if (truth->until == until && !strcmp(truth->body, body) && !strcmp(truth->field, field))
            return truth->value;
    }
    fail_msg("%s has no %s.%s at %g", study, body, field, until);
    return NAN;
}

static void double_pendulum_truth_is_on_its_rods(void **state)
{
    (void)state;
    const char *s = "double-pendulum";
    double x1 = truth_of(s, 2.5, "bob1", "x"), y1 = truth_of(s, 2.5, "bob1", "y");
    double x2 = truth_of(s, 2.5, "bob2", "x") - x1, y2 = truth_of(s, 2.5, "bob2", "y") - y1;
    double u1 = truth_of(s, 2.5, "bob1", "vx"), w1 = truth_of(s, 2.5, "bob1", "vy");
    double u2 = truth_of(s, 2.5, "bob2", "vx") - u1, w2 = truth_of(s, 2.5, "bob2", "vy") - w1;
    assert_near(x1 * x1 + y1 * y1, 1, 1e-14);
    assert_near(x2 * x2 + y2 * y2, 1, 1e-14);
    assert_near(x1 * u1 + y1 * w1, 0, 1e-14);
    assert_near(x2 * u2 + y2 * w2, 0, 1e-14);
}

/* Slipping forward: v = 8 sin t - mu g t until it is 0 again. Later slips start where 8 |cos t| = mu g. */
static double slip_end(double start)
{
    double low = start + 0.2, high = start + 1;
    for (int i = 0; i < 100; ++i)
    {
        double t = 0.5 * (low + high);
        double v = 8 * (sin(t) - sin(start)) - 0.8 * 9.81 * (t - start);
        *(v > 0 ? &low : &high) = t;
    }
    return low;
}

static double slip_length(double start)
{
    double t = slip_end(start), s = t - start;
    return 8 * (cos(start) - cos(t)) - 8 * sin(start) * s - 0.5 * 0.8 * 9.81 * s * s;
}

static void block_truth_is_the_closed_form(void **state)
{
    (void)state;
    double first = 3 + slip_length(0);
    double later = slip_length(-acos(0.8 * 9.81 / 8)); /* back and forth by as much: three slips to t = 10 */
    assert_near(truth_of("stick-slip-block", 2, "block", "x"), first, 1e-14);
    assert_near(truth_of("stick-slip-block", 10, "block", "x"), first - later, 1e-14);
}

static void rotate(const double q[4], const double v[3], double out[3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};
    out[0] = v[0] + w * t[0] + y * t[2] - z * t[1];
    out[1] = v[1] + w * t[1] + z * t[0] - x * t[2];
    out[2] = v[2] + w * t[2] + x * t[1] - y * t[0];
}

static void free_body_truth_keeps_energy_and_momentum(void **state)
{
    (void)state;
    static const char *const omega[] = {"omega_x", "omega_y", "omega_z"}, *const quaternion[] = {"qw", "qx", "qy",
                                                                                                 "qz"};
    const double inertia[3] = {1, 2, 3}, start[3] = {0.001, 5, 0.001};
    double energy = 0, momentum[3], world[3], q[4], norm = 0;
    for (int k = 0; k < 3; ++k)
    {
        double w = truth_of("free-body", 2, "racket", omega[k]);
        energy += inertia[k] * (w * w - start[k] * start[k]);
        momentum[k] = inertia[k] * w;
    }
    for (int k = 0; k < 4; ++k)
    {
        q[k] = truth_of("free-body", 2, "racket", quaternion[k]);
        norm += q[k] * q[k];
    }
    rotate(q, momentum, world);
    assert_near(energy, 0, 1e-13);
    assert_near(norm, 1, 1e-15);
    for (int k = 0; k < 3; ++k)
        assert_near(world[k], inertia[k] * start[k], 1e-14);
}

static void pendulum_truth_keeps_energy_and_joints(void **state)
{
    (void)state;
    const char *s = "pendulum";
    double a = truth_of(s, 1, "upper", "angle"), b = truth_of(s, 1, "lower", "angle"), energy = 0;
    assert_near(truth_of(s, 1, "upper", "x"), 0.5 * cos(a), 1e-15);
    assert_near(truth_of(s, 1, "lower", "y"), sin(a) + 0.5 * sin(b), 1e-15);
    for (int i = 0; i < 2; ++i)
    {
        const char *body = i ? "lower" : "upper";
        double u = truth_of(s, 1, body, "vx"), w = truth_of(s, 1, body, "vy"), o = truth_of(s, 1, body, "omega");
        energy += 0.5 * (u * u + w * w) + 0.5 * o * o / 12 + 9.81 * truth_of(s, 1, body, "y");
    }
    assert_near(energy, 0, 1e-13);
}

/* --------------------------------------------------------------------------------------------------------- studies */

static void plan(cli_study *study, const cli_study_options *options, const char *name)
{
    *study = (cli_study){.options = options, .context = cairn_context_create()};
    assert_int_equal(cli_study_plan(study, name), CLI_EXIT_DONE);
}

static void release(cli_study *study)
{
    cli_study_free(study);
    cairn_context_destroy(study->context);
}

/* Scenes, steps, bodies and quantities of every entry are right, and every row of a paper is met by a step. */
static void every_entry_can_be_planned(void **state)
{
    (void)state;
    cli_study_options options = {.until = NAN, .at_error = NAN, .quiet = true};
    for (int e = 0; e < cli_study_entry_count(); ++e)
    {
        const cli_study_entry *entry = cli_study_entry_at(e);
        cli_study study;
        plan(&study, &options, entry->name);
        assert_true(study.entry == entry && study.integrator_count > 0 &&
                    (entry->vary ? study.value_count : study.step_count) >= 3);
        assert_int_equal(study.reference_kind, entry->truths ? CLI_REFERENCE_TRUTH : CLI_REFERENCE_FINE);
        for (int i = 0; i < entry->paper_count; ++i)
        {
            int met = 0;
            for (int k = 0; k < study.step_count; ++k)
                met += study.steps[k] == entry->papers[i].h;
            assert_int_equal(met, 1);
        }
        release(&study);
    }
}

static void run_study(cli_study *study, const cli_study_options *options, const char *name)
{
    plan(study, options, name);
    cli_study_run_all(study);
    cli_study_evaluate(study);
    assert_int_equal(cli_study_verdict(study), CLI_EXIT_DONE);
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    static const char *const names[] = {"double-pendulum", "two-bodies", "free-body", "two-bars"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n)
    {
        cli_study_options one = {.until = NAN, .at_error = NAN, .quiet = true, .jobs = 1, .integrator = "stiff,euler"};
        cli_study_options many = one;
        many.jobs = 7;
        cli_study a, b;
        run_study(&a, &one, names[n]);
        run_study(&b, &many, names[n]);
        assert_int_equal(a.run_count, b.run_count);
        size_t bytes = (size_t)cairn_model_body_count(cairn_scene_model(a.scene)) * sizeof(cairn_body_state);
        for (int i = 0; i < a.run_count; ++i)
        {
            assert_memory_equal(a.runs[i].end.bodies, b.runs[i].end.bodies, bytes);
            assert_memory_equal(a.runs[i].errors, b.runs[i].errors, sizeof a.runs[i].errors);
            assert_int_equal(a.runs[i].iterations, b.runs[i].iterations);
        }
        release(&a);
        release(&b);
    }
}

/* Both are first-order schemes (Anitescu & Potra 2002); one LCP a step. */
static void euler_and_stiff_are_of_first_order(void **state)
{
    (void)state;
    static const char *const names[] = {"double-pendulum", "stick-slip-block", "free-body", "pendulum", "two-bars"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n)
    {
        cli_study_options options = {.until = NAN, .at_error = NAN, .quiet = true, .integrator = "euler,stiff"};
        cli_study study;
        run_study(&study, &options, names[n]);
        for (int i = 0; i < study.block_count; ++i)
            assert_near(study.blocks[i].fits[0].order, 1, 0.2);
        for (int i = 0; i < study.row_count; ++i)
            assert_near((double)study.runs[i].lcps, ceil(study.until / study.runs[i].h), 0.5);
        release(&study);
    }
}

/* The work that reaches an error lies on the line through two rows: at a row's own error it is that row's. */
static void costs_meet_the_rows(void **state)
{
    (void)state;
    cli_study_options options = {.until = NAN, .at_error = NAN, .quiet = true, .integrator = "stiff"};
    cli_study study;
    run_study(&study, &options, "pendulum");
    for (int i = 0; i < study.row_count; ++i)
    {
        options.at_error = study.runs[i].errors[0];
        cli_study_evaluate(&study);
        assert_near(study.blocks[0].cost_lcps / (double)study.runs[i].lcps, 1, 1e-12);
        assert_false(study.blocks[0].cost_extrapolated);
    }
    options.at_error = study.runs[study.row_count - 1].errors[0] / 4;
    cli_study_evaluate(&study);
    assert_true(study.blocks[0].cost_extrapolated);
    assert_near(study.blocks[0].cost_lcps / (double)study.runs[study.row_count - 1].lcps, 4, 0.2);
    release(&study);
}

/* ---------------------------------------------------------------------------------------------------------- papers */

static const cli_study_block *find_block(const cli_study *study, cairn_integrator integrator, cli_study_events events)
{
    for (int i = 0; i < study->block_count; ++i)
        if (study->blocks[i].integrator == integrator && study->blocks[i].events == events)
            return &study->blocks[i];
    fail_msg("no block of %s", cairn_integrator_name(integrator));
    return NULL;
}

static void assert_share(double found, double wanted, double share)
{
    assert_near(fabs(found / wanted), 1, share);
}

/* Table 10.1: E_h within 10 %, joint errors within 2 %. Our own scheme: ratios near 4 and smaller errors. */
static void table_10_1_is_met(void **state)
{
    (void)state;
    cli_study_options options = {.until = NAN, .at_error = 1e-5, .quiet = true};
    cli_study study;
    run_study(&study, &options, "double-pendulum");
    const cli_study_block *stiff = find_block(&study, CAIRN_INTEGRATOR_STIFF, CLI_EVENTS_SCENE);
    const cli_study_block *two = find_block(&study, CAIRN_INTEGRATOR_TRAPEZOID2, CLI_EVENTS_SCENE);
    const cli_study_block *own = find_block(&study, CAIRN_INTEGRATOR_STIFF2, CLI_EVENTS_SCENE);
    for (int i = 0; i < two->count; ++i)
    {
        const cli_study_run *a = &study.runs[two->first + i], *b = &study.runs[own->first + i];
        assert_non_null(a->paper);
        assert_null(b->paper);
        assert_share(a->errors[0], a->paper->values[0], 0.1);
        assert_share(a->errors[1], a->paper->values[1], 0.02);
        assert_share(a->errors[2], a->paper->values[2], 0.02);
        assert_int_equal(a->event_count, 5);
        assert_true(b->errors[0] < 10 * a->errors[0]);
        assert_true(i < 2 || (b->ratios[0] >= 3.6 && b->ratios[0] <= 4.4));
    }
    assert_true(stiff->cost_lcps > 20 * two->cost_lcps && stiff->cost_lcps > 20 * own->cost_lcps);
    release(&study);
}

/* Tables 10.2 and 10.3 to the printed digits, but for the last row of scheme I, where 4.409e-8 is right for the scheme as
 * published and 3.959e-8 is printed. */
static void tables_10_2_and_10_3_are_met(void **state)
{
    (void)state;
    cli_study_options options = {.until = NAN, .at_error = NAN, .quiet = true, .events = "off"};
    cli_study study;
    run_study(&study, &options, "stick-slip-block");
    const cli_study_block *one = find_block(&study, CAIRN_INTEGRATOR_TRAPEZOID, CLI_EVENTS_OFF);
    const cli_study_block *two = find_block(&study, CAIRN_INTEGRATOR_TRAPEZOID2, CLI_EVENTS_OFF);
    for (int i = 0; i < one->count; ++i)
    {
        const cli_study_run *a = &study.runs[one->first + i], *b = &study.runs[two->first + i];
        assert_share(a->errors[0], a->paper->values[0], i < one->count - 1 ? 5e-4 : 0.12);
        assert_share(b->errors[0], b->paper->values[0], 5e-4);
    }
    release(&study);
}

/* Scheme I loses an order with joints that turn; neither the others nor free bodies do. */
static void second_order_where_it_is_promised(void **state)
{
    (void)state;
    static const struct
    {
        const char *study;
        cairn_integrator integrator;
        double order;
    } cases[] = {
        {"pendulum", CAIRN_INTEGRATOR_TRAPEZOID, 1},   {"pendulum", CAIRN_INTEGRATOR_TRAPEZOID2, 2},
        {"pendulum", CAIRN_INTEGRATOR_STIFF2, 2},      {"free-body", CAIRN_INTEGRATOR_TRAPEZOID, 2},
        {"free-body", CAIRN_INTEGRATOR_TRAPEZOID2, 2}, {"free-body", CAIRN_INTEGRATOR_STIFF2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        cli_study_options options = {.until = NAN, .at_error = NAN, .quiet = true};
        options.integrator = cairn_integrator_name(cases[i].integrator);
        cli_study study;
        run_study(&study, &options, cases[i].study);
        assert_near(study.blocks[0].fits[0].order, cases[i].order, 0.15);
        assert_near(study.blocks[0].fits[1].order, cases[i].order, 0.15);
        release(&study);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_numbers_and_ranges),
        cmocka_unit_test(wrong_lists_are_refused),
        cmocka_unit_test(items_end_at_commas_outside_of_brackets),
        cmocka_unit_test(pure_powers_give_their_order),
        cmocka_unit_test(coarse_and_rounded_rows_do_not_count),
        cmocka_unit_test(scattered_rows_give_a_rough_order_and_single_ones_none),
        cmocka_unit_test(norms_run_over_what_moves_and_is_known),
        cmocka_unit_test(double_pendulum_truth_is_on_its_rods),
        cmocka_unit_test(block_truth_is_the_closed_form),
        cmocka_unit_test(free_body_truth_keeps_energy_and_momentum),
        cmocka_unit_test(pendulum_truth_keeps_energy_and_joints),
        cmocka_unit_test(every_entry_can_be_planned),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(euler_and_stiff_are_of_first_order),
        cmocka_unit_test(costs_meet_the_rows),
        cmocka_unit_test(table_10_1_is_met),
        cmocka_unit_test(tables_10_2_and_10_3_are_met),
        cmocka_unit_test(second_order_where_it_is_promised),
    };
    return cmocka_run_group_tests_name("study", tests, NULL, NULL);
}
