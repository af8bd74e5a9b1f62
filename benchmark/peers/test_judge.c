/* The judge of the comparison finds overlaps, joint errors and energies that are known by hand. */
#include "judge.h"

#include "support/check.h"

#include <math.h>
#include <string.h>

enum
{
    MOST = 4
};

/* A scene on the stack, and the states in which it is judged. */
typedef struct world
{
    peer_body bodies[MOST];
    peer_plane planes[MOST];
    peer_hinge hinges[MOST];
    peer_state states[MOST];
    peer_scene scene;
} world;

static void begin(world *w)
{
    memset(w, 0, sizeof *w);
    w->scene =
        (peer_scene){.name = "test", .step = 0.01, .steps = 10, .size = 0.1, .friction = 0.5, .gravity = {0, 0, -10}};
    w->scene.bodies = w->bodies;
    w->scene.planes = w->planes;
    w->scene.hinges = w->hinges;
}

static peer_state *add(world *w, peer_shape shape, double a, double b, double c, double x, double y, double z)
{
    int k = w->scene.body_count++;
    peer_state state = {.position = {x, y, z}, .orientation = {1, 0, 0, 0}};
    w->bodies[k] =
        (peer_body){.shape = shape, .size = {a, b, c}, .mass = 2, .inertia = {0.1, 0.2, 0.25}, .start = state};
    w->states[k] = state;
    return &w->states[k];
}

static void add_plane(world *w, double nx, double ny, double nz, double offset)
{
    w->planes[w->scene.plane_count++] = (peer_plane){{nx, ny, nz}, offset};
}

/* Turn a body by an angle about a unit axis. */
static void turn(peer_state *state, double x, double y, double z, double angle)
{
    double s = sin(angle / 2);
    state->orientation[0] = cos(angle / 2);
    state->orientation[1] = s * x;
    state->orientation[2] = s * y;
    state->orientation[3] = s * z;
}

static peer_accuracy judge_now(world *w)
{
    peer_judge judge;
    assert_true(peer_judge_create(&w->scene, &judge));
    peer_accuracy found = peer_judge_frame(&judge, w->states);
    peer_judge_destroy(&judge);
    return found;
}

/* One contact of this depth, in m. */
static void expect_depth(world *w, double depth)
{
    peer_accuracy found = judge_now(w);
    assert_int_equal(found.contacts, 1);
    assert_near(found.worst, depth / w->scene.size, 1e-9);
    assert_near(found.mean, depth / w->scene.size, 1e-9);
}

static void spheres(void **state)
{
    (void)state;
    world w;
    begin(&w);
    add(&w, PEER_SPHERE, 0.5, 0, 0, 0, 0, 0);
    add(&w, PEER_SPHERE, 0.3, 0, 0, 0.48, 0.63, 0);
    /* sqrt(0.48^2 + 0.63^2) = 0.792 */
    expect_depth(&w, 0.8 - sqrt(0.48 * 0.48 + 0.63 * 0.63));
    begin(&w);
    add(&w, PEER_SPHERE, 0.5, 0, 0, 3, 4, 0.4);
    add_plane(&w, 0.6, 0.8, 0, 4.53);
    expect_depth(&w, 0.03);
}

static void only_touching_pairs_count(void **state)
{
    (void)state;
    world w;
    begin(&w);
    add(&w, PEER_SPHERE, 0.5, 0, 0, 0, 0, 0);
    add(&w, PEER_SPHERE, 0.5, 0, 0, 0.98, 0, 0);
    add(&w, PEER_SPHERE, 0.5, 0, 0, 0, 1.00005, 0);
    add(&w, PEER_SPHERE, 0.5, 0, 0, 0, 0, 1.0002);
    peer_accuracy found = judge_now(&w);
    assert_int_equal(found.contacts, 2);
    assert_near(found.worst, 0.2, 1e-12);
    assert_near(found.mean, 0.1, 1e-12);
}

static void boxes(void **state)
{
    (void)state;
    world w;
    begin(&w);
    /* Two boxes of 0.4 x 0.2 x 0.2 turned alike, their centres 0.39 apart along the length. */
    turn(add(&w, PEER_BOX, 0.4, 0.2, 0.2, 0, 0, 0), 0, 0, 1, 0.3);
    turn(add(&w, PEER_BOX, 0.4, 0.2, 0.2, 0.39 * cos(0.3), 0.39 * sin(0.3), 0), 0, 0, 1, 0.3);
    expect_depth(&w, 0.01);
    /* An edge of a cube, turned by 45 degrees, in the side of another. */
    begin(&w);
    add(&w, PEER_BOX, 1, 1, 1, 0, 0, 0);
    turn(add(&w, PEER_BOX, 1, 1, 1, 0.5 + sqrt(0.5) - 0.02, 0.1, 0.1), 0, 0, 1, atan(1));
    expect_depth(&w, 0.02);
    /* The corner of a cube, its diagonal upright, in a plane. */
    begin(&w);
    turn(add(&w, PEER_BOX, 1, 1, 1, 0, 0, sqrt(0.75) - 0.03), sqrt(0.5), -sqrt(0.5), 0, acos(1 / sqrt(3)));
    add_plane(&w, 0, 0, 1, 0);
    expect_depth(&w, 0.03);
}

static void mixed(void **state)
{
    (void)state;
    world w;
    double half = 2 * atan(1);
    /* Two capsules crossed, one lying along x and one along y. */
    begin(&w);
    turn(add(&w, PEER_CAPSULE, 0.1, 1, 0, 0, 0, 0), 0, 1, 0, half);
    turn(add(&w, PEER_CAPSULE, 0.2, 1, 0, 0.2, 0.3, 0.29), 1, 0, 0, half);
    expect_depth(&w, 0.01);
    /* A capsule lying in a plane that is tilted along with it. */
    begin(&w);
    turn(add(&w, PEER_CAPSULE, 0.1, 1, 0, 0, 0, 0), 1, 0, 0, half);
    add_plane(&w, 0, 0.6, 0.8, -0.39);
    expect_depth(&w, 0.01);
    /* A sphere in the face of a box, and the end of a capsule in it. */
    begin(&w);
    add(&w, PEER_BOX, 1, 1, 1, 0, 0, 0);
    add(&w, PEER_SPHERE, 0.3, 0, 0, 0.1, 0.2, 0.77);
    expect_depth(&w, 0.03);
    begin(&w);
    add(&w, PEER_BOX, 1, 1, 1, 0, 0, 0);
    add(&w, PEER_CAPSULE, 0.1, 0.4, 0, 0.1, 0.2, 0.78);
    expect_depth(&w, 0.02);
}

static void filters(void **state)
{
    (void)state;
    world w;
    begin(&w);
    add(&w, PEER_SPHERE, 0.5, 0, 0, 0, 0, 0.45);
    add(&w, PEER_SPHERE, 0.5, 0, 0, 0.5, 0, 5);
    add(&w, PEER_SPHERE, 0.5, 0, 0, 0.9, 0, 5);
    add_plane(&w, 0, 0, 1, 0);
    assert_int_equal(judge_now(&w).contacts, 2);
    w.scene.contacts = PEER_CONTACTS_GROUND;
    expect_depth(&w, 0.05);
    w.scene.contacts = PEER_CONTACTS_NONE;
    assert_int_equal(judge_now(&w).contacts, 0);
}

static void not_a_number_is_no_accuracy(void **state)
{
    (void)state;
    world w;
    begin(&w);
    add(&w, PEER_SPHERE, 0.5, 0, 0, 0, 0, NAN);
    add_plane(&w, 0, 0, 1, 0);
    w.bodies[0].start.position[2] = 1;
    assert_true(isinf(judge_now(&w).worst));
    /* Nor where nothing but other bodies could be touched. */
    w.scene.plane_count = 0;
    assert_true(isinf(judge_now(&w).mean));
}

static void hinges(void **state)
{
    (void)state;
    world w;
    begin(&w);
    w.scene.contacts = PEER_CONTACTS_NONE;
    add(&w, PEER_SPHERE, 0.1, 0, 0, 0, 0, 0);
    add(&w, PEER_SPHERE, 0.1, 0, 0, 1, 0, 0);
    w.hinges[w.scene.hinge_count++] = (peer_hinge){-1, 0, {0, 0, 0}, {0, 1, 0}};
    w.hinges[w.scene.hinge_count++] = (peer_hinge){0, 1, {0.5, 0, 0}, {0, 1, 0}};
    assert_near(judge_now(&w).joint, 0, 1e-15);
    /* Turned about the second hinge by a right angle: its point stays, and so does its axis. */
    turn(&w.states[1], 0, 1, 0, 2 * atan(1));
    w.states[1].position[0] = 0.5;
    w.states[1].position[2] = -0.5;
    assert_near(judge_now(&w).joint, 0, 1e-12);
    /* Moved away by 3 mm. */
    w.states[1].position[1] = 0.003;
    assert_near(judge_now(&w).joint, 0.03, 1e-12);
    /* Turned across the axis by 0.2 rad about the hinge's point, which tells by the axis alone. */
    w.states[1] = w.bodies[1].start;
    turn(&w.states[1], 1, 0, 0, 0.2);
    assert_near(judge_now(&w).joint, 0.2, 1e-12);
}

static void energy_and_drift(void **state)
{
    (void)state;
    world w;
    begin(&w);
    peer_state *s = add(&w, PEER_SPHERE, 0.1, 0, 0, 0, 0, 3);
    add(&w, PEER_SPHERE, 0.1, 0, 0, 5, 0, 1);
    s->velocity[1] = 4;
    /* Turned by a right angle about z, the body's x axis is the world's y: inertia 0.1 about it. */
    turn(s, 0, 0, 1, 2 * atan(1));
    s->spin[1] = 10;
    assert_near(judge_now(&w).energy, 2 * 10 * (3 + 1) + 0.5 * 2 * 16 + 0.5 * 0.1 * 100, 1e-9);
    assert_near(peer_energy_scale(&w.scene), 4 * 10 * 2, 1e-12);
    peer_state moved[2] = {w.states[0], w.states[1]};
    moved[1].position[2] += 0.05;
    assert_near(peer_drift(&w.scene, w.states, moved), 0.5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres), cmocka_unit_test(only_touching_pairs_count),
        cmocka_unit_test(boxes),   cmocka_unit_test(mixed),
        cmocka_unit_test(filters), cmocka_unit_test(not_a_number_is_no_accuracy),
        cmocka_unit_test(hinges),  cmocka_unit_test(energy_and_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
