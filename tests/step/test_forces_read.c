/* Forces that are chosen when they are read. A crane stands on a foot with corners at (+-a, +-b), and its trolley moves along the arm
 * at a constant speed, so that nothing but the centre (x, y) of the load N changes. The forces of least norm on the corners are
 * N/4 (1 + x x_i/a^2 + y y_i/b^2), without friction; the joints carry what is above them. Reading must not change the motion. */
#include "support/check.h"
#include "support/worlds.h"

#include "cairn/state.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const double A = 0.4, B = 0.3, G = 9.81;

typedef struct crane
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_simulation *simulation;
    double yaw, h, speed;
} crane;

static const char CRANE[] =
    "cairn: 1\n"
    "dimension: 3\n"
    "parameters: {yaw: %.17g, x: cos(yaw), y: sin(yaw), c: cos(yaw/2), s: sin(yaw/2), v: %.17g, z: %.17g}\n"
    "bodies:\n"
    "  - {name: floor, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}\n"
    "  - {name: foot, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0.1 + z], orientation: [c, 0, 0, s],\n"
    "     shapes: [{type: box, size: [0.8, 0.6, 0.2]}]}\n"
    "  - {name: p1, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0.3 + z], orientation: [c, 0, 0, s]}\n"
    "  - {name: p2, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0.5 + z], orientation: [c, 0, 0, s]}\n"
    "  - {name: p3, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0.7 + z], orientation: [c, 0, 0, s]}\n"
    "  - {name: p4, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0.9 + z], orientation: [c, 0, 0, s]}\n"
    "  - {name: p5, mass: 2, inertia: [1, 1, 1], position: [0, 0, 1.1 + z], orientation: [c, 0, 0, s]}\n"
    "  - {name: p6, mass: 2, inertia: [1, 1, 1], position: [0, 0, 1.3 + z], orientation: [c, 0, 0, s]}\n"
    "  - {name: trolley, mass: 5, inertia: [1, 1, 1], position: [-0.1*y, 0.1*x, 1.5 + z], orientation: [c, 0, 0, s],\n"
    "     velocity: [v*x, v*y, 0]}\n"
    "joints:\n"
    "  - {name: j1, type: weld, bodies: [foot, p1], at: [0, 0, 0.2 + z]}\n"
    "  - {name: j2, type: weld, bodies: [p1, p2], at: [0, 0, 0.4 + z]}\n"
    "  - {name: j3, type: weld, bodies: [p2, p3], at: [0, 0, 0.6 + z]}\n"
    "  - {name: j4, type: weld, bodies: [p3, p4], at: [0, 0, 0.8 + z]}\n"
    "  - {name: j5, type: weld, bodies: [p4, p5], at: [0, 0, 1 + z]}\n"
    "  - {name: j6, type: weld, bodies: [p5, p6], at: [0, 0, 1.2 + z]}\n"
    "  - {name: arm, type: prismatic, bodies: [p6, trolley], at: [0, 0, 1.5 + z], axis: [1, 0, 0]}\n"
    "simulation: {step: %.17g, until: 1}\n";
static const double MASS = 19.0, TROLLEY = 5.0;

/* z: m above the floor */
static crane make_at(double yaw, double h, double speed, double z)
{
    char text[4096];
    snprintf(text, sizeof text, CRANE, yaw, speed, z, h);
    crane c = {.context = cairn_context_create(), .yaw = yaw, .h = h, .speed = speed};
    if (cairn_scene_parse(c.context, "crane", text, strlen(text), NULL, 0, &c.scene))
        fail_msg("%s", cairn_context_last_message(c.context));
    cairn_settings settings = cairn_scene_settings(c.scene);
    if (cairn_simulation_create(c.context, cairn_scene_model(c.scene), &settings, &c.simulation))
        fail_msg("%s", cairn_context_last_message(c.context));
    return c;
}

static crane make(double yaw, double h, double speed)
{
    return make_at(yaw, h, speed, 0.0);
}

static void step(crane *c, int count)
{
    for (int i = 0; i < count; ++i)
        if (cairn_simulation_step(c->simulation))
            fail_msg("%s", cairn_context_last_message(c->context));
}

static void end(crane *c)
{
    cairn_simulation_destroy(c->simulation);
    cairn_scene_destroy(c->scene);
    cairn_context_destroy(c->context);
}

/* Compare corners and joints with statics. The load was at (speed t, 0.1) against the foot at the start of the step. */
static void check_forces(const crane *c, int steps)
{
    double load = MASS * G * c->h, share = TROLLEY / MASS;
    double x = share * c->speed * c->h * (steps - 1), y = share * 0.1;
    assert_int_equal(cairn_simulation_contact_count(c->simulation), 4);
    for (int j = 0; j < 4; ++j)
    {
        cairn_contact corner = cairn_simulation_contact(c->simulation, j);
        double along = cos(c->yaw) * corner.point[0] + sin(c->yaw) * corner.point[1];
        double across = cos(c->yaw) * corner.point[1] - sin(c->yaw) * corner.point[0];
        double expected = 0.25 * load * (1 + x * along / (A * A) + y * across / (B * B));
        assert_near(fabs(corner.impulse[0]), expected, 1e-8 * load);
        assert_near(hypot(corner.impulse[1], corner.impulse[2]), 0.0, 1e-8 * load);
    }
    for (int i = 1; i <= 6; ++i)
    {
        char name[16];
        snprintf(name, sizeof name, "j%d", i);
        cairn_joint joint = cairn_model_find_joint(cairn_scene_model(c->scene), name);
        assert_near(cairn_simulation_joint_state(c->simulation, joint).force[2], (MASS - 2.0 * i) * G, 1e-7 * MASS * G);
    }
}

/* Corners and joints, at several orientations and steps; read first in any order, at once or after steps that nobody read. */
static void least_norm_when_read(void **state)
{
    (void)state;
    static const double YAW[] = {0.0, 0.3, -1.1}, H[] = {0.002, 0.005, 0.01};
    for (int i = 0; i < 3; ++i)
    {
        crane c = make(YAW[i], H[i], 0.2);
        step(&c, 1);
        check_forces(&c, 1);
        step(&c, 19);
        const cairn_step_report *report = cairn_simulation_report(c.simulation);
        assert_true(report->solver.chosen_forces);
        assert_int_equal(report->solver.unexamined, 0);
        assert_int_equal(report->solver.null_space, 6); /* 12 forces on a foot of 6 degrees of freedom */
        check_forces(&c, 20);
        step(&c, 1);
        check_forces(&c, 21);
        end(&c);
    }
}

/* A crane that is dropped: the arm is along an axis of the world, or by rounding or a little more not quite. Forces that hardly act along it hide none. */
static void least_norm_along_an_axis(void **state)
{
    (void)state;
    static const double YAW[] = {0.0, 1e-16, 1e-13, 1e-10, 1e-7, 1e-5, 1e-3};
    for (int i = 0; i < 7; ++i)
    {
        crane c = make_at(YAW[i], 0.005, 0.2, 0.05);
        for (int k = 1; k <= 60; ++k)
        {
            step(&c, 1);
            if (cairn_simulation_contact_count(c.simulation) < 4)
                continue;
            const cairn_solver_report *report = &cairn_simulation_report(c.simulation)->solver;
            assert_true(report->null_space == 6 && report->chosen_forces);
        }
        check_forces(&c, 60);
        end(&c);
    }
}

/* At rest, where a choice is repeated: the same forces in every step, and the same after a state was saved and restored. */
static void same_forces_at_rest(void **state)
{
    (void)state;
    crane c = make(0.4, 0.005, 0.0), other = make(0.4, 0.005, 0.0);
    cairn_state *kept;
    for (int i = 0; i < 20; ++i)
    {
        step(&c, 1);
        check_forces(&c, 1);
        assert_int_equal(cairn_simulation_report(c.simulation)->solver.null_space, 6);
        assert_true(cairn_simulation_report(c.simulation)->solver.chosen_forces);
    }
    assert_int_equal(cairn_simulation_save(c.simulation, &kept), CAIRN_OK);
    assert_int_equal(cairn_simulation_restore(other.simulation, kept), CAIRN_OK);
    step(&c, 1);
    step(&other, 1);
    check_forces(&other, 1);
    for (int j = 0; j < 4; ++j)
    {
        cairn_contact a = cairn_simulation_contact(c.simulation, j), b = cairn_simulation_contact(other.simulation, j);
        assert_memory_equal(a.impulse, b.impulse, sizeof a.impulse);
    }
    cairn_state_destroy(kept);
    end(&c);
    end(&other);
}

static void same_motion(const crane *a, const crane *b)
{
    const cairn_model *models[2] = {cairn_scene_model(a->scene), cairn_scene_model(b->scene)};
    for (int i = 0; i < cairn_model_body_count(models[0]); ++i)
    {
        cairn_body_state p = cairn_simulation_body(a->simulation, cairn_model_body(models[0], i));
        cairn_body_state q = cairn_simulation_body(b->simulation, cairn_model_body(models[1], i));
        assert_memory_equal(p.position, q.position, sizeof p.position);
        assert_memory_equal(p.velocity, q.velocity, sizeof p.velocity);
        assert_memory_equal(p.angular_velocity, q.angular_velocity, sizeof p.angular_velocity);
    }
}

/* The same bits, whether forces are read never, in every step, or by saving a state and going on from it. */
static void reading_changes_nothing(void **state)
{
    (void)state;
    crane unread = make(0.7, 0.005, 0.2), read = make(0.7, 0.005, 0.2), saved = make(0.7, 0.005, 0.2),
          resumed = make(0.7, 0.005, 0.2);
    cairn_state *kept;
    step(&unread, 60);
    for (int i = 0; i < 60; ++i)
    {
        step(&read, 1);
        (void)cairn_simulation_contact(read.simulation, 0);
        (void)cairn_simulation_report(read.simulation);
    }
    step(&saved, 30);
    check_forces(&saved, 30);
    assert_int_equal(cairn_simulation_save(saved.simulation, &kept), CAIRN_OK);
    step(&saved, 30);
    assert_int_equal(cairn_simulation_restore(resumed.simulation, kept), CAIRN_OK);
    step(&resumed, 30);
    same_motion(&unread, &read);
    same_motion(&unread, &saved);
    same_motion(&unread, &resumed);
    cairn_state_destroy(kept);
    end(&unread);
    end(&read);
    end(&saved);
    end(&resumed);
}

/* A crane at rest whose load changes by `change` for ten steps; forces are read in every step, or never. */
static crane disturbed(double change, bool reads, int *held)
{
    crane c = make(0.7, 0.005, 0.0);
    const double down[2] = {-G * (1 + change), -G};
    *held = 0;
    step(&c, 10);
    for (int i = 0; i < 20; ++i)
    {
        double gravity[3] = {0.0, 0.0, down[i / 10]};
        assert_int_equal(cairn_simulation_set_gravity(c.simulation, gravity), CAIRN_OK);
        step(&c, 1);
        if (!reads)
            continue;
        (void)cairn_simulation_contact(c.simulation, 0);
        if (i == 10)
            check_forces(&c, 1);
        *held += strcmp(cairn_simulation_report(c.simulation)->solver.method, "hold") == 0;
    }
    return c;
}

/* What rests keeps its velocities while the load changes a little, by the method `hold`, whose forces wait as those of a motion do. */
static void held_forces_wait(void **state)
{
    (void)state;
    static const double CHANGE[] = {1e-4, -1e-3, 0.01};
    for (int i = 0; i < 3; ++i)
    {
        int held, unseen;
        crane unread = disturbed(CHANGE[i], false, &unseen), read = disturbed(CHANGE[i], true, &held);
        assert_int_equal(held, 2); /* each change is met by one step; the others repeat their impulses */
        same_motion(&unread, &read);
        check_forces(&unread, 1);
        check_forces(&read, 1);
        end(&unread);
        end(&read);
    }
}

typedef struct reader
{
    const cairn_simulation *simulation;
    cairn_contact corner[4];
} reader;

static void *read_corners(void *data)
{
    reader *r = data;
    for (int j = 0; j < 4; ++j)
        r->corner[j] = cairn_simulation_contact(r->simulation, j);
    return NULL;
}

/* Several threads may ask for the forces of a step at once, and get the same. */
static void threads_read_the_same(void **state)
{
    (void)state;
    crane c = make(-0.2, 0.005, 0.2);
    for (int round = 1; round <= 30; ++round)
    {
        pthread_t thread[3];
        reader all[3];
        step(&c, 1);
        for (int k = 0; k < 3; ++k)
        {
            all[k] = (reader){.simulation = c.simulation};
            assert_int_equal(pthread_create(&thread[k], NULL, read_corners, &all[k]), 0);
        }
        for (int k = 0; k < 3; ++k)
            assert_int_equal(pthread_join(thread[k], NULL), 0);
        for (int k = 1; k < 3; ++k)
            for (int j = 0; j < 4; ++j)
                assert_memory_equal(all[k].corner[j].impulse, all[0].corner[j].impulse,
                                    sizeof all[0].corner[j].impulse);
        check_forces(&c, round);
    }
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_norm_when_read), cmocka_unit_test(least_norm_along_an_axis),
        cmocka_unit_test(same_forces_at_rest),  cmocka_unit_test(reading_changes_nothing),
        cmocka_unit_test(held_forces_wait),     cmocka_unit_test(threads_read_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
