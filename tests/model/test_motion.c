/* Derivatives of prescribed motion: against closed forms, against differences of high order over random expressions, on both
 * sides of kinks, and as velocities of driven bodies; the times at which they jump. */
#include "base/expression.h"
#include "formulate/frame.h"
#include "math/vec.h"
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static const char *const T[] = {"t"};

static crn_expression *compile(const char *text)
{
    crn_expression_error error;
    crn_expression *expression = crn_expression_compile(text, T, 1, NULL, 0, &error);
    if (!expression)
        fail_msg("%s: %s", text, error.text);
    return expression;
}

static double rate(const char *text, double t, int side)
{
    crn_expression *expression = compile(text);
    double found = crn_expression_rate(expression, t, side).rate;
    crn_expression_destroy(expression);
    return found;
}

#define CHECK(text, truth) assert_near(rate(text, t, side), truth, 4e-15 * (1 + fabs(truth)))

static void test_closed_forms(void **state)
{
    (void)state;
    for (int i = -40; i <= 40; ++i)
    {
        for (int side = -1; side <= 1; side += 2)
        {
            double t = 0.0237 * i + 0.001;
            CHECK("3", 0.0);
            CHECK("t", 1.0);
            CHECK("-t", -1.0);
            CHECK("t*t - 5*t", 2 * t - 5);
            CHECK("1/(2 + t)", -1 / ((2 + t) * (2 + t)));
            CHECK("t^3", 3 * t * t);
            CHECK("pow(t, 2)", 2 * t);
            CHECK("2^t", log(2.0) * pow(2.0, t));
            CHECK("(1 + t^2)^t", pow(1 + t * t, t) * (log(1 + t * t) + 2 * t * t / (1 + t * t)));
            CHECK("sin(3*t)", 3 * cos(3 * t));
            CHECK("cos(t^2)", -2 * t * sin(t * t));
            CHECK("tan(t)", 1 / (cos(t) * cos(t)));
            CHECK("asin(t)", 1 / sqrt(1 - t * t));
            CHECK("acos(t)", -1 / sqrt(1 - t * t));
            CHECK("atan(t)", 1 / (1 + t * t));
            CHECK("atan2(t, 2)", 2 / (4 + t * t));
            CHECK("atan2(2, t)", -2 / (4 + t * t));
            CHECK("sinh(t)", cosh(t));
            CHECK("cosh(t)", sinh(t));
            CHECK("tanh(t)", 1 / (cosh(t) * cosh(t)));
            CHECK("exp(-2*t)", -2 * exp(-2 * t));
            CHECK("log(3 + t)", 1 / (3 + t));
            CHECK("sqrt(2 + t)", 0.5 / sqrt(2 + t));
            CHECK("floor(t) + ceil(t) + step(t)", 0.0);
            CHECK("abs(t)", t > 0 ? 1.0 : -1.0);
            CHECK("max(t, t^2)", t > 0 && t < 1 ? 1.0 : 2 * t);
            CHECK("min(t, t^2)", t > 0 && t < 1 ? 2 * t : 1.0);
            CHECK("if(t, 2*t, sin(t))", t > 0 ? 2.0 : cos(t));
        }
    }
}

/* Left and right derivative at t0. */
static void check_sides(const char *text, double t0, double left, double right)
{
    assert_near(rate(text, t0, -1), left, 1e-12);
    assert_near(rate(text, t0, 1), right, 1e-12);
}

static void test_sides_of_kinks(void **state)
{
    (void)state;
    for (int i = 0; i < 50; ++i)
    {
        double t0 = 0.0537 + 0.0731 * i; /* written with 17 digits: the kink is at t0 to the last bit */
        char text[160];
        snprintf(text, sizeof text, "2*max(0, t - %.17g)", t0);
        check_sides(text, t0, 0, 2);
        snprintf(text, sizeof text, "abs(%.17g - t)", t0);
        check_sides(text, t0, -1, 1);
        snprintf(text, sizeof text, "min(3*t, %.17g + 2*t)", t0);
        check_sides(text, t0, 3, 2);
        snprintf(text, sizeof text, "if(t - %.17g, 5*t, 0)", t0);
        check_sides(text, t0, 0, 5);
        snprintf(text, sizeof text, "if(%.17g - t, 5*t, 0)", t0);
        check_sides(text, t0, 5, 0);
        snprintf(text, sizeof text, "step(t - %.17g)*(t - %.17g)", t0, t0);
        check_sides(text, t0, 0, 1);
        snprintf(text, sizeof text, "(t - %.17g)*floor(t/%.17g)", t0, t0);
        check_sides(text, t0, 0, 1);
        snprintf(text, sizeof text, "(t - %.17g)*ceil(t/%.17g)", t0, t0);
        check_sides(text, t0, 1, 2);
        snprintf(text, sizeof text, "max(0, t - %.17g)^2", t0);
        check_sides(text, t0, 0, 0);
        snprintf(text, sizeof text, "abs(sin(t - %.17g))", t0);
        check_sides(text, t0, -1, 1);
    }
}

/* A random smooth or piecewise expression of some depth. */
static void grow(uint64_t *seed, int depth, char *out, size_t size)
{
    static const char *const ONE[] = {"sin(%s)",        "cos(%s)",       "exp(sin(%s))",      "atan(%s)",
                                      "tanh(%s)",       "abs(%s)",       "sqrt(1+(%s)^2)",    "(-(%s))",
                                      "log(2+cos(%s))", "(%s)^3",        "asin(0.9*sin(%s))", "acos(0.9*cos(%s))",
                                      "sinh(sin(%s))",  "cosh(cos(%s))", "tan(0.5*sin(%s))"};
    static const char *const TWO[] = {"(%s+%s)",
                                      "(%s-%s)",
                                      "(%s*%s)",
                                      "(%s/(1.5+sin(%s)))",
                                      "max(%s,%s)",
                                      "min(%s,%s)",
                                      "(1+(%s)^2)^sin(%s)",
                                      "if(sin(%s),%s,t)",
                                      "atan2(2+cos(%s),%s)"};
    char a[800] = "t", b[800] = "t", text[2000];
    if (depth == 0)
    {
        snprintf(out, size, random_in(seed, 0, 1) < 0.6 ? "t" : "%.3f", random_in(seed, -2, 2));
        return;
    }
    grow(seed, depth - 1, a, sizeof a);
    if (random_in(seed, 0, 1) < 0.5)
    {
        snprintf(text, sizeof text, ONE[(int)random_in(seed, 0, sizeof ONE / sizeof ONE[0])], a);
    }
    else
    {
        grow(seed, depth - 1, b, sizeof b);
        snprintf(text, sizeof text, TWO[(int)random_in(seed, 0, sizeof TWO / sizeof TWO[0])], a, b);
    }
    if (strlen(text) + 1 > size)
        snprintf(text, sizeof text, "t");
    memcpy(out, text, strlen(text) + 1);
}

/* The derivative on one side from values on that side alone, of fourth order. */
static double one_sided(const crn_expression *e, double t, double d)
{
    double x[5];
    for (int i = 0; i < 5; ++i)
    {
        double at = t + i * d;
        x[i] = crn_expression_evaluate(e, &at);
    }
    return (-25 * x[0] + 48 * x[1] - 36 * x[2] + 16 * x[3] - 3 * x[4]) / (12 * d);
}

static void test_random_expressions(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int compared = 0;
    for (int k = 0; k < 2000; ++k)
    {
        char text[800];
        grow(&seed, 3, text, sizeof text);
        double t = random_in(&seed, -2, 2);
        crn_expression *e = compile(text);
        for (int side = -1; side <= 1; side += 2)
        {
            crn_rate found = crn_expression_rate(e, t, side);
            assert_near(found.value, crn_expression_evaluate(e, &t), 1e-12 * (1 + fabs(found.value)));
            double wide = one_sided(e, t, 2e-4 * side), narrow = one_sided(e, t, 1e-4 * side);
            double doubt = fabs(wide - narrow), scale = 1 + fabs(found.rate);
            if (doubt < 1e-8 * scale && fabs(found.value) < 1e3) /* no kink within reach, and smooth enough */
            {
                if (!(fabs(found.rate - narrow) <= 1e-7 * scale))
                    fail_msg("%s at %.17g, side %d: %.12g, not %.12g", text, t, side, found.rate, narrow);
                ++compared;
            }
        }
        crn_expression_destroy(e);
    }
    assert_true(compared > 3000);
}

static double kink(const char *text, double t0, double t1)
{
    crn_expression *e = compile(text);
    double found = crn_expression_next_kink(e, t0, t1);
    crn_expression_destroy(e);
    return found;
}

static void test_kinks_are_found(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < 300; ++k)
    {
        double from = random_in(&seed, 0, 3), h = pow(10, random_in(&seed, -4, 0)),
               at = from + h * random_in(&seed, 0, 1);
        char text[200];
        snprintf(text, sizeof text, "0.3*max(0, t - %.17g)", at);
        assert_near(kink(text, from, from + h), at, 1e-14 * (1 + at));
        /* what was found is a place where the derivatives differ */
        assert_near(rate(text, kink(text, from, from + h), 1), 0.3, 1e-12);
        assert_near(rate(text, kink(text, from, from + h), -1), 0, 1e-12);
        /* not again from there on, and not before */
        assert_true(isinf(kink(text, kink(text, from, from + h), from + 2 * h)));
        assert_true(isinf(kink(text, from - h, from - 1e-3 * h)));
        /* no kink: the branch changes, the derivative does not */
        snprintf(text, sizeof text, "max(0, t - %.17g)^2 + sin(t)", at);
        assert_true(isinf(kink(text, from, from + h)));
        /* the second of two */
        snprintf(text, sizeof text, "abs(t - %.17g) + max(0, t - %.17g)^3", at, from + 0.2 * h);
        assert_near(kink(text, from, from + h), at, 1e-14 * (1 + at));
    }
    assert_near(kink("abs(sin(31*t))", 0.01, 0.15), acos(-1.0) / 31, 4e-15);
    assert_true(isinf(kink("0.1*t", 0, 0.3)));
    /* between two samples first another branch without a jump, then a kink */
    assert_near(kink("sin(t) + max(0, t - 0.501)^2 + max(0, t - 0.503)", 0, 1), 0.503, 1e-14);
    assert_near(kink("max(0, t - 0.05)", 0.04, 0.05), 0.05, 1e-15); /* at the end of the interval */
    assert_true(isinf(kink("max(0, t - 0.05)", 0.05, 0.06)));       /* not at its start */
    assert_true(isinf(kink("sin(31*t)", 0, 100)));
}

/* ------------------------------------------------------------------------------------------------ bodies */

static cairn_body add_driven(world *w, const char *x, const char *angle, const double axis[3], const double q[4],
                             cairn_motion_fn motion)
{
    cairn_body_options o = cairn_body_default();
    cairn_body body;
    o.name = "plate";
    o.kind = CAIRN_DRIVEN;
    o.motion_position[0] = x;
    o.motion_angle = angle;
    o.motion = motion;
    if (axis)
        memcpy(o.motion_axis, axis, sizeof o.motion_axis);
    if (q)
        memcpy(o.orientation, q, sizeof o.orientation);
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    return body;
}

static void test_velocity_of_bodies(void **state)
{
    (void)state;
    double axis[3] = {1, 2, -2}, q[4] = {0.5, 0.5, -0.5, 0.5}, twist[6];
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        world w = world_new(dimension);
        add_driven(&w, "0.02*sin(31*t)", "0.7*t^2", dimension == 3 ? axis : NULL, dimension == 3 ? q : NULL, NULL);
        for (int i = 0; i < 20; ++i)
        {
            double t = 0.037 * i;
            crn_model_velocity_at(w.model, 0, t, 1, twist);
            assert_near(twist[0], 0.62 * cos(31 * t), 1e-15);
            for (int k = 0; k < 3; ++k)
            {
                double spin = dimension == 2 ? (k == 2 ? 1.0 : 0.0) : axis[k] / 3;
                assert_near(twist[3 + k], 1.4 * t * spin, 1e-14);
            }
        }
        world_free(&w);
    }
}

/* Turned about a fixed axis of the world and about one that comes along: omega = Rz(b)' (0, 0, a) ... in closed form. */
static void tumble(void *data, double t, cairn_body_state *pose)
{
    (void)data;
    double first[4], second[4];
    pose->position[1] = exp(-t) * sin(40 * t);
    pose->angle = sin(5 * t);
    crn_quaternion_exp((double[3]){0, 0, 3 * t}, first);
    crn_quaternion_exp((double[3]){sin(2 * t), 0, 0}, second);
    crn_quaternion_multiply(first, second, pose->orientation);
}

static void test_velocity_of_callbacks(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        world w = world_new(dimension);
        add_driven(&w, NULL, NULL, NULL, NULL, tumble);
        for (int i = 0; i < 30; ++i)
        {
            double t = 0.041 * i, twist[6], b = sin(2 * t);
            crn_model_velocity_at(w.model, 0, t, 1, twist);
            assert_near(twist[1], exp(-t) * (40 * cos(40 * t) - sin(40 * t)), 1e-9);
            if (dimension == 2)
            {
                assert_near(twist[5], 5 * cos(5 * t), 1e-10);
                continue;
            }
            /* R = Rz(3 t) Rx(b): omega in the body = Rx(b)' (0, 0, 3) + (b', 0, 0) */
            assert_near(twist[3], 2 * cos(2 * t), 1e-10);
            assert_near(twist[4], 3 * sin(b), 1e-10);
            assert_near(twist[5], 3 * cos(b), 1e-10);
        }
        world_free(&w);
    }
}

static void test_kink_of_a_model(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body plate = add_driven(&w, "max(0, t - 0.3)", "abs(t - 0.2)", NULL, NULL, NULL);
    (void)plate;
    assert_near(crn_model_next_kink(w.model, 0, 1), 0.2, 4e-15);
    assert_near(crn_model_next_kink(w.model, 0.2, 1), 0.3, 4e-15);
    assert_true(isinf(crn_model_next_kink(w.model, 0.3, 1)));
    double before[6], after[6];
    crn_model_velocity_at(w.model, 0, 0.3, -1, before);
    crn_model_velocity_at(w.model, 0, 0.3, 1, after);
    assert_near(before[0], 0, 0);
    assert_near(after[0], 1, 0);
    world_free(&w);
}

/* A ball falls on a vibrating plate: the first impacts against the closed form, found here by bisection. */
static double impact_after(double t, double y, double v, double *v_at)
{
    double low = t + 1e-3, high = low;
    double drop = 0;
    for (;; high += 1e-4)
    {
        drop = y + v * (high - t) - 0.5 * 9.81 * (high - t) * (high - t) - 0.02 * sin(31 * high);
        if (drop < 0)
            break;
        low = high;
    }
    for (int i = 0; i < 200; ++i)
    {
        double middle = 0.5 * (low + high);
        drop = y + v * (middle - t) - 0.5 * 9.81 * (middle - t) * (middle - t) - 0.02 * sin(31 * middle);
        *(drop < 0 ? &high : &low) = middle;
    }
    *v_at = v - 9.81 * (high - t);
    return high;
}

static void test_impacts_on_a_vibrating_plate(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_material material = add_material(w.model, "m", 0.2, 0.7);
    cairn_body_options o = cairn_body_default();
    cairn_body plate;
    cairn_shape shape;
    cairn_shape_options half = cairn_shape_default(CAIRN_HALF_PLANE);
    o.name = "plate";
    o.kind = CAIRN_DRIVEN;
    o.motion_position[1] = "0.02*sin(31.0*t)";
    half.normal[1] = 1;
    half.material = material;
    assert_int_equal(cairn_model_add_body(w.model, &o, &plate), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w.model, plate, &half, &shape), CAIRN_OK);
    add_point(w.model, "b", 1, 0, 0.3, material);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    settings.restitution_threshold = 0;
    settings.step = 0.01;
    world_start(&w, &settings);
    double t = 0, y = 0.3, v = 0;
    int found = 0;
    while (found < 3)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        for (int i = 0; i < cairn_simulation_event_count(w.simulation); ++i)
        {
            double before, hit = impact_after(t, y, v, &before), plate_v = 0.62 * cos(31 * hit);
            /* flight is exact in this scheme, so that the impacts are as exact as the plate's velocity */
            assert_near(cairn_simulation_event(w.simulation, i).time, hit, 1e-10);
            t = hit;
            y = 0.02 * sin(31 * hit);
            v = plate_v - 0.7 * (before - plate_v);
            ++found;
        }
    }
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),       cmocka_unit_test(test_sides_of_kinks),
        cmocka_unit_test(test_random_expressions), cmocka_unit_test(test_kinks_are_found),
        cmocka_unit_test(test_velocity_of_bodies), cmocka_unit_test(test_velocity_of_callbacks),
        cmocka_unit_test(test_kink_of_a_model),    cmocka_unit_test(test_impacts_on_a_vibrating_plate),
    };
    return cmocka_run_group_tests_name("motion", tests, NULL, NULL);
}
