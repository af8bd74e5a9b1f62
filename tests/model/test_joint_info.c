/* What the model tells of joints, against what was given; and targets that are replaced while a simulation runs, against motions that
 * can be computed by hand. */
#include "support/check.h"

#include <cairn/cairn.h>

#include <string.h>

typedef struct world
{
    cairn_context *context;
    cairn_model *model;
    cairn_body body;
    cairn_joint joint;
} world;

static world make(int dimension)
{
    world w = {.context = cairn_context_create()};
    double still[3] = {0};
    assert_int_equal(cairn_model_create(w.context, dimension, &w.model), CAIRN_OK);
    assert_int_equal(cairn_model_set_gravity(w.model, still), CAIRN_OK);
    cairn_body_options body = cairn_body_default();
    body.name = "cart";
    body.mass = 2.0;
    for (int k = 0; k < 3; ++k)
        body.inertia[k] = 0.5;
    body.position[0] = 0.7;
    assert_int_equal(cairn_model_add_body(w.model, &body, &w.body), CAIRN_OK);
    return w;
}

static void end(world *w)
{
    cairn_model_destroy(w->model);
    cairn_context_destroy(w->context);
}

static void add_joint(world *w, const char *type, const double axis[3])
{
    cairn_joint_options joint = cairn_joint_default(CAIRN_JOINT_PRISMATIC);
    double origin[3] = {0.1, 0.2, 0};
    joint.name = "rail";
    joint.type = type;
    joint.a = cairn_model_attach(w->model, (cairn_body){0}, origin);
    joint.b = cairn_model_attach(w->model, w->body, origin);
    memcpy(joint.axis, axis, sizeof joint.axis);
    assert_int_equal(cairn_model_add_joint(w->model, &joint, &w->joint), CAIRN_OK);
}

static void add_drive(world *w, const char *name, cairn_drive_kind kind, const char *target)
{
    cairn_coordinate_options o = cairn_coordinate_default();
    o.lower = -3;
    o.upper = 100;
    o.friction = 0.0;
    o.drive = kind;
    o.target.expression = target;
    assert_int_equal(cairn_model_set_coordinate(w->model, w->joint, name, &o), CAIRN_OK);
}

static cairn_simulation *start(world *w, double h)
{
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *simulation;
    settings.step = h;
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    assert_int_equal(cairn_simulation_create(w->context, w->model, &settings, &simulation), CAIRN_OK);
    return simulation;
}

static void steps(cairn_simulation *simulation, int count)
{
    for (int i = 0; i < count; ++i)
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
}

/* Axes as unit vectors, numbers by name, what acts on a coordinate; nothing where there is nothing. */
static void test_info(void **state)
{
    (void)state;
    world w = make(3);
    add_joint(&w, "prismatic", (double[3]){0, 3, 4});
    add_drive(&w, "position", CAIRN_DRIVE_SPEED, "2*t");
    cairn_joint_info info = cairn_model_joint_info(w.model, w.joint);
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3; ++k)
            assert_near(info.axis[side][0][k], k == 0 ? 0.0 : 0.4 + 0.2 * k, 1e-15);
    cairn_coordinate_info c = cairn_model_coordinate_info(w.model, w.joint, 0);
    assert_string_equal(c.name, "position");
    assert_false(c.is_angle);
    assert_near(c.axis[1], 0.6, 1e-15);
    assert_near(c.lower, -3, 0);
    assert_near(c.upper, 100, 0);
    assert_int_equal(c.drive, CAIRN_DRIVE_SPEED);
    assert_near(cairn_model_target(w.model, w.joint, 0, 1.5), 3.0, 1e-14);
    assert_true(isnan(cairn_model_target(w.model, w.joint, 1, 0)));
    assert_true(isnan(cairn_model_joint_number(w.model, w.joint, "pitch")));
    assert_null(cairn_model_coordinate_info(w.model, w.joint, 1).name);
    assert_near(cairn_model_joint_info(w.model, (cairn_joint){0}).axis[0][0][0], 0, 0);
    end(&w);
}

static void test_numbers(void **state)
{
    (void)state;
    world w = make(3);
    cairn_joint_number pitch = {"pitch", 0.25};
    cairn_joint_options screw = cairn_joint_default(CAIRN_JOINT_SCREW);
    screw.name = "screw";
    screw.b.body = w.body;
    screw.numbers = &pitch;
    screw.number_count = 1;
    assert_int_equal(cairn_model_add_joint(w.model, &screw, &w.joint), CAIRN_OK);
    assert_near(cairn_model_joint_number(w.model, w.joint, "pitch"), 0.25, 0);
    assert_true(cairn_model_coordinate_info(w.model, w.joint, 0).is_angle);
    assert_false(cairn_model_coordinate_info(w.model, w.joint, 1).is_angle);
    end(&w);
}

/* F for n steps, then G, then F again: the momentum is that of the impulses, whatever the step. */
static void test_force(void **state)
{
    (void)state;
    static const double STEPS[] = {0.1, 0.03, 0.001};
    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0]; ++i)
    {
        double h = STEPS[i];
        world w = make(2);
        add_joint(&w, "prismatic", (double[3]){1, 0, 0});
        add_drive(&w, "position", CAIRN_DRIVE_FORCE, "4");
        cairn_simulation *simulation = start(&w, h);
        steps(simulation, 5);
        assert_near(cairn_simulation_body(simulation, w.body).velocity[0], 5 * h * 4 / 2.0, 1e-12);
        cairn_signal stronger = {.expression = "10"};
        assert_int_equal(cairn_model_set_target(w.model, w.joint, "position", &stronger), CAIRN_OK);
        steps(simulation, 3);
        assert_near(cairn_simulation_body(simulation, w.body).velocity[0], h * (5 * 4 + 3 * 10) / 2.0, 1e-12);
        cairn_signal other = {.expression = "-1"};
        assert_int_equal(cairn_model_set_target(w.model, w.joint, "position", &other), CAIRN_OK);
        assert_int_equal(cairn_model_set_target(w.model, w.joint, "position", NULL), CAIRN_OK);
        assert_int_equal(cairn_model_set_target(w.model, w.joint, "position", NULL), CAIRN_OK);
        steps(simulation, 2);
        assert_near(cairn_simulation_body(simulation, w.body).velocity[0], h * (7 * 4 + 3 * 10) / 2.0, 1e-12);
        cairn_simulation_destroy(simulation);
        end(&w);
    }
}

/* A target in the state, F = - k q, and back: v' = -k q/m within the error of the step, then no force. */
static void test_feedback(void **state)
{
    (void)state;
    world w = make(2);
    add_joint(&w, "prismatic", (double[3]){1, 0, 0});
    add_drive(&w, "position", CAIRN_DRIVE_FORCE, "0");
    cairn_simulation *simulation = start(&w, 1e-3);
    cairn_signal push = {.expression = "2"}, feedback = {.expression = "-8*rail.position"};
    assert_int_equal(cairn_model_set_target(w.model, w.joint, "position", &push), CAIRN_OK);
    steps(simulation, 1000); /* now v = 1, q = 1/2 */
    assert_int_equal(cairn_model_set_target(w.model, w.joint, "position", &feedback), CAIRN_OK);
    steps(simulation, 1000); /* q'' = -4 q: q = cos(2 t)/2 + sin(2 t)/2 */
    assert_near(cairn_simulation_coordinate(simulation, w.joint, 0, NULL), 0.5 * (cos(2.0) + sin(2.0)), 5e-3);
    assert_true(isnan(cairn_model_target(w.model, w.joint, 0, 2.0)));
    double before = cairn_simulation_body(simulation, w.body).velocity[0];
    assert_int_equal(cairn_model_set_target(w.model, w.joint, "position", NULL), CAIRN_OK);
    steps(simulation, 100);
    assert_near(cairn_simulation_body(simulation, w.body).velocity[0], before, 1e-12);
    cairn_simulation_destroy(simulation);
    end(&w);
}

/* A rigid drive is at the new target after a ramp, on and off the ends of steps. */
static void test_position(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        double from = 0.1 * i + 0.037 * i, ramp[4] = {from, 0.0, from + 0.2, 0.5};
        world w = make(2);
        add_joint(&w, "revolute", (double[3]){0, 0, 1});
        add_drive(&w, "angle", CAIRN_DRIVE_POSITION, "0");
        cairn_simulation *simulation = start(&w, 0.01);
        cairn_signal lead = {.table = ramp, .table_count = 2};
        assert_int_equal(cairn_model_set_target(w.model, w.joint, "angle", &lead), CAIRN_OK);
        steps(simulation, 60);
        assert_near(cairn_simulation_coordinate(simulation, w.joint, 0, NULL), 0.5, 1e-9);
        cairn_simulation_destroy(simulation);
        end(&w);
    }
}

/* What is wrong is told, and leaves the target as it was. */
static void test_errors(void **state)
{
    (void)state;
    world w = make(2);
    double backwards[4] = {1, 0, 0.5, 1};
    cairn_signal good = {.expression = "1"}, bad = {.expression = "1+"}, table = {.table = backwards, .table_count = 2};
    add_joint(&w, "revolute", (double[3]){0, 0, 1});
    assert_int_equal(cairn_model_set_target(w.model, w.joint, "angle", &good), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "'rail': no drive"));
    add_drive(&w, "angle", CAIRN_DRIVE_POSITION, "0.25");
    assert_int_equal(cairn_model_set_target(w.model, w.joint, "angle", &bad), CAIRN_INVALID);
    assert_int_equal(cairn_model_set_target(w.model, w.joint, "angle", &table), CAIRN_INVALID);
    assert_int_equal(cairn_model_set_target(w.model, w.joint, "position", &good), CAIRN_INVALID);
    assert_int_equal(cairn_model_set_target(w.model, w.joint, NULL, &good), CAIRN_INVALID);
    assert_int_equal(cairn_model_set_target(w.model, (cairn_joint){0}, "angle", &good), CAIRN_INVALID);
    assert_int_equal(cairn_model_set_target(NULL, w.joint, "angle", &good), CAIRN_INVALID);
    assert_near(cairn_model_target(w.model, w.joint, 0, 0), 0.25, 0);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_info),     cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_force),    cmocka_unit_test(test_feedback),
                                       cmocka_unit_test(test_position), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
