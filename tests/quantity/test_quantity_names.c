/* Names of quantities: what they mean, which are refused and how, what happens when the thing is removed; watches. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

/* Names with dots, blanks, commas and quotes, and three things called 'arm'. */
static const char SCENE[] = "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                            "  - {name: arm, mass: 2, inertia: 1, position: [1, 0], angle: 0.25}\n"
                            "  - {name: 'a.b', mass: 1, inertia: 1, position: [3, 2]}\n"
                            "  - {name: 'a', mass: 1, inertia: 1, position: [4, 5]}\n"
                            "  - {name: 'box, red', mass: 1, inertia: 1, position: [4, 1]}\n"
                            "  - {name: \"it's\", mass: 1, inertia: 1, position: [-4, 1]}\n"
                            "  - {name: energy, mass: 1, inertia: 1, position: [-8, 1]}\n"
                            "joints:\n"
                            "  - {name: arm, type: revolute, bodies: [world, arm], at: [0, 0]}\n"
                            "  - {name: a.b, type: slot, bodies: [world, a], at: [4, 5], axis: [1, 0]}\n"
                            "springs:\n"
                            "  - {name: arm, type: linear, bodies: [a.b, 'box, red'], stiffness: 1}\n"
                            "forces:\n"
                            "  - {name: wind, body: 'box, red', force: [1, 0]}\n";

static world start(const char *text)
{
    world w = {.context = cairn_context_create()};
    if (cairn_scene_parse(w.context, "test", text, strlen(text), NULL, 0, &w.scene))
        fail_msg("%s", cairn_context_last_message(w.context));
    cairn_settings settings = cairn_scene_settings(w.scene);
    world_start(&w, &settings);
    return w;
}

static cairn_quantity find(const world *w, const char *name)
{
    cairn_quantity q;
    if (cairn_quantity_find(w->context, world_model(w), name, &q))
        fail_msg("%s: %s", name, cairn_context_last_message(w->context));
    return q;
}

static double value(const world *w, const char *name)
{
    double out[3];
    cairn_quantity q = find(w, name);
    assert_int_equal(q.count, 1);
    assert_int_equal(cairn_quantity_value(w->simulation, &q, out), CAIRN_OK);
    return out[0];
}

static void refused(const world *w, const char *name, const char *sentence)
{
    cairn_quantity q;
    assert_int_equal(cairn_quantity_find(w->context, world_model(w), name, &q), CAIRN_INVALID);
    assert_int_equal(q.count, 0);
    const char *said = cairn_context_last_message(w->context);
    if (!strstr(said, sentence))
        fail_msg("'%s' instead of '%s'", said, sentence);
}

static void names(void **state)
{
    (void)state;
    world w = start(SCENE);
    assert_near(value(&w, "a.b.x"), 3, 0); /* body 'a.b'; body 'a' and joint 'a.b' have no such thing */
    assert_near(value(&w, "'a.b'.x"), 3, 0);
    assert_near(value(&w, "body:'a.b'.x"), 3, 0);
    assert_near(value(&w, "a.x"), 4, 0);
    assert_near(value(&w, "a.b.position.x"), 3, 0); /* not the coordinate `position` of joint 'a.b' */
    assert_near(value(&w, "box, red.position.y"), 1, 0);
    assert_near(value(&w, "it's.x"), -4, 0);
    assert_near(value(&w, "'it's'.x"), -4, 0);
    assert_near(value(&w, "energy.y"), 1, 0);
    assert_near(value(&w, "body:arm.angle"), 0.25, 0);
    assert_near(value(&w, "joint:arm.angle"), 0, 0);
    assert_near(value(&w, "joint:'arm'.angle.rate"), 0, 0);
    assert_near(value(&w, "spring:arm.length"), hypot(1, 1), 1e-12);
    assert_near(value(&w, "arm.stretch"), 0, 0);
    assert_near(value(&w, "distance(a.b,box, red)"), hypot(1, 1), 1e-12);
    assert_near(value(&w, "distance('box, red', arm)"), hypot(3, 1), 1e-12);
    assert_near(value(&w, "point(box, red, 1, -2).y"), -1, 1e-12);
    assert_int_equal(find(&w, "joint:a.b.position").count, 1);
    assert_int_equal(find(&w, "body:a.b.position").count, 2);
    assert_string_equal(find(&w, "joint:arm.angle.drive").unit, "N m");
    assert_string_equal(find(&w, "joint:a.b.position.drive").unit, "N");
    assert_string_equal(find(&w, "joint:a.b.position.rate").unit, "m/s");
    world_free(&w);
}

static void wrong_names(void **state)
{
    (void)state;
    world w = start(SCENE);
    refused(&w, "arm.angle", "may be one of a body or of a joint; write 'body:arm.angle' or 'joint:arm.angle'");
    refused(&w, "a.b.position", "may be one of a");
    refused(&w, "arm.work", "may be one of a joint or of a spring");
    refused(&w, "winf.work", "there is no quantity 'winf.work'; did you mean 'wind.work'?");
    refused(&w, "energy.kinetik", "did you mean 'energy.kinetic'?");
    refused(&w, "qqqqqqqqqqqqqqqqqqqqqqqq", "'BODY.position'");
    refused(&w, "", "there is no quantity ''");
    refused(&w, ".", "there is no quantity");
    refused(&w, "a.z", "there is no quantity 'a.z'"); /* in the plane */
    refused(&w, "a.position.z", "there is no quantity");
    refused(&w, "a.omega.x", "there is no quantity");
    refused(&w, "a.x.magnitude", "there is no quantity");
    refused(&w, "a.contact_force.", "there is no quantity");
    refused(&w, "joint:a.x", "there is no quantity");
    refused(&w, "joint:arm.angle.", "there is no quantity");
    refused(&w, "joint:arm.angle.rates", "there is no quantity");
    refused(&w, "point(a)", "there is no quantity");
    refused(&w, "point(a,1)", "there is no quantity");
    refused(&w, "point(a,1,nan)", "there is no quantity");
    refused(&w, "point(a,1,2", "there is no quantity");
    refused(&w, "point)a,1,2(", "there is no quantity");
    refused(&w, "distance(a)", "there is no quantity");
    refused(&w, "gyro()", "there is no quantity");
    refused(&w, "''.x", "there is no quantity");
    cairn_quantity q;
    assert_int_equal(cairn_quantity_find(w.context, NULL, "time", &q), CAIRN_INVALID);
    assert_int_equal(cairn_quantity_find(w.context, world_model(&w), NULL, &q), CAIRN_INVALID);
    q = (cairn_quantity){.count = 0};
    double out[3];
    assert_int_equal(cairn_quantity_value(w.simulation, &q, out), CAIRN_INVALID);
    assert_int_equal(cairn_quantity_value(w.simulation, NULL, out), CAIRN_INVALID);
    world_free(&w);
}

typedef struct count
{
    const world *w;
    int all, vectors, joints;
} count;

/* Every listed name is found, and means what it was listed for. */
static void visit(void *data, const char *name, const cairn_quantity *listed)
{
    count *c = data;
    cairn_quantity found = find(c->w, name);
    double a[CAIRN_QUANTITY_MOST] = {0}, b[CAIRN_QUANTITY_MOST] = {0};
    assert_int_equal(found.count, listed->count);
    assert_string_equal(found.unit, listed->unit);
    assert_int_equal(cairn_quantity_value(c->w->simulation, &found, a), CAIRN_OK);
    assert_int_equal(cairn_quantity_value(c->w->simulation, listed, b), CAIRN_OK);
    for (int k = 0; k < found.count; ++k)
        assert_true(a[k] == b[k] || (isnan(a[k]) && isnan(b[k])));
    const char *part = strstr(name, "histogram") ? "bin0" : listed->count == 4 ? "xx" : listed->count > 1 ? "x" : "";
    assert_string_equal(cairn_quantity_part(listed, 0), part);
    ++c->all;
    c->vectors += listed->count > 1;
    c->joints += !strncmp(name, "joint:", 6);
}

static void every_listed_name_is_found(void **state)
{
    (void)state;
    world w = start(SCENE);
    world_run(&w, 3);
    count c = {.w = &w};
    assert_int_equal(cairn_quantity_each(world_model(&w), visit, &c), CAIRN_OK);
    /* 24 of the world, 11 per body (4 vectors), 3 per joint (1 vector) and 12 per coordinate (a slot has 2), 4 per spring, 1 per force,
     * 21 of the grains (a vector, 2 tensors, 2 histograms) */
    assert_int_equal(c.all, 24 + 6 * 11 + 2 * 3 + 3 * 12 + 4 + 1 + 21);
    assert_int_equal(c.vectors, 6 * 4 + 2 + 5);
    assert_true(c.joints > 0 && c.joints < 2 * 3 + 3 * 12);
    world_free(&w);
}

/* A quantity of a joint that is removed has no value; those of other things go on. */
static void removed(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body bead = add_point(w.model, "bead", 1, 0, 0, (cairn_material){.id = 0});
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_SLOT);
    cairn_joint joint;
    j.name = "wire";
    j.b.body = bead;
    j.axis[0] = 1;
    assert_int_equal(cairn_model_add_joint(w.model, &j, &joint), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    cairn_quantity position = find(&w, "wire.position"), force = find(&w, "wire.force"), y = find(&w, "bead.y");
    cairn_watch *watch;
    const double *values;
    assert_int_equal(cairn_watch_create(w.context, w.simulation, &watch), CAIRN_OK);
    assert_int_equal(cairn_watch_add(watch, NULL, "wire.force", 1), CAIRN_OK);
    double out[3];
    world_run(&w, 2);
    assert_int_equal(cairn_watch_read(watch, &values), CAIRN_OK);
    assert_int_equal(cairn_quantity_value(w.simulation, &force, out), CAIRN_OK);
    assert_near(out[1], values[1], 0);
    assert_int_equal(cairn_model_remove_joint(w.model, joint), CAIRN_OK);
    assert_int_equal(cairn_quantity_value(w.simulation, &y, out), CAIRN_INVALID); /* it has not followed yet */
    assert_int_equal(cairn_quantity_value(w.simulation, &position, out), CAIRN_INVALID);
    assert_true(isnan(out[0]));
    world_run(&w, 1);
    assert_int_equal(cairn_quantity_value(w.simulation, &y, out), CAIRN_OK);
    assert_int_equal(cairn_quantity_value(w.simulation, &force, out), CAIRN_INVALID);
    assert_true(isnan(out[0]) && isnan(out[1]));
    assert_non_null(strstr(cairn_context_last_message(w.context), "the joint that it belongs to was removed"));
    assert_int_equal(cairn_watch_read(watch, &values), CAIRN_INVALID);
    j.name = "wire";
    j.a.point[1] = world_body(&w, "bead").position[1];
    assert_int_equal(cairn_model_add_joint(w.model, &j, &joint), CAIRN_OK); /* of the same name, but another one */
    assert_int_equal(cairn_simulation_update(w.simulation), CAIRN_OK);
    assert_int_equal(cairn_quantity_value(w.simulation, &position, out), CAIRN_INVALID);
    cairn_watch_destroy(watch);
    world_free(&w);
}

static void watches(void **state)
{
    (void)state;
    world w = start(
        "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: ball, mass: 1, inertia: [1, 1, 1], velocity: [1, 2, 3]}]\n"
        "sensors:\n  - {name: place, quantity: ball.position}\n  - {name: slow, quantity: time, every: 3}\n"
        "simulation: {step: 0.125}");
    cairn_watch *watch;
    const double *values;
    assert_int_equal(cairn_watch_create(w.context, w.simulation, &watch), CAIRN_OK);
    assert_int_equal(cairn_watch_add_sensors(watch, w.scene), CAIRN_OK);
    assert_int_equal(cairn_watch_add(watch, NULL, "ball.vz", 1), CAIRN_OK);
    assert_int_equal(cairn_watch_add(watch, "place.y", "time", 1), CAIRN_INVALID); /* a column has that name */
    assert_int_equal(cairn_watch_add(watch, NULL, "ball.vz", 1), CAIRN_INVALID);
    assert_int_equal(cairn_watch_add(watch, "t", "tim", 1), CAIRN_INVALID);
    assert_int_equal(cairn_watch_add(watch, "t", "time", 0), CAIRN_INVALID);
    static const char *const LABELS[] = {"place.x", "place.y", "place.z", "slow", "ball.vz", ""};
    assert_int_equal(cairn_watch_count(watch), 5);
    for (int i = 0; i < 6; ++i)
        assert_string_equal(cairn_watch_label(watch, i), LABELS[i]);
    assert_string_equal(cairn_watch_unit(watch, 4), "m/s");
    for (int step = 0; step < 8; ++step)
    {
        double t = 0.125 * step;
        for (int again = 0; again < 2; ++again)
        {
            assert_int_equal(cairn_watch_read(watch, &values), CAIRN_OK);
            assert_near(values[0], t, 1e-15);
            assert_near(values[2], 3 * t, 1e-15);
            assert_near(values[3], 0.375 * (step / 3), 1e-15); /* it keeps its value */
            assert_near(values[4], 3, 0);
        }
        world_step(&w);
    }
    cairn_watch_destroy(watch);
    assert_int_equal(cairn_scene_sensor_count(w.scene), 2);
    assert_string_equal(cairn_scene_sensor(w.scene, 1).quantity, "time");
    assert_int_equal(cairn_scene_sensor(w.scene, 1).every, 3);
    assert_string_equal(cairn_scene_sensor(w.scene, 2).name, "");
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),   cmocka_unit_test(wrong_names), cmocka_unit_test(every_listed_name_is_found),
        cmocka_unit_test(removed), cmocka_unit_test(watches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
