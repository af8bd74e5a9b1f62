/* Coming to rest and staying: a cube dropped flat and on a corner, a stack, with each law; and no jitter. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdlib.h>

static const cairn_law LAWS[] = {
    {CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_PYRAMID, 8}, {CAIRN_LAW_BOX, 0}};
enum
{
    LAW_COUNT = sizeof LAWS / sizeof LAWS[0]
};

static double speed_of(const cairn_body_state *s)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += s->velocity[k] * s->velocity[k] + s->angular_velocity[k] * s->angular_velocity[k];
    return sqrt(sum);
}

/* Height of the lowest corner and flatness: some body axis points straight up. */
static double tilt(const cairn_body_state *s)
{
    const double *q = s->orientation;
    double up[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                    1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    return 1 - fmax(fabs(up[0]), fmax(fabs(up[1]), fabs(up[2])));
}

static void drop(const char *scene, int steps, double sliding_allowed)
{
    for (int law = 0; law < LAW_COUNT; ++law)
    {
        cairn_settings settings;
        world w = world_load(scene, &settings, NULL, 0);
        settings.law = LAWS[law];
        world_start(&w, &settings);
        world_run(&w, steps);
        cairn_body_state rested = world_body(&w, "cube");
        char name[32];
        cairn_law_name(LAWS[law], name, sizeof name);
        double vertical = hypot(rested.velocity[2], hypot(rested.angular_velocity[0], rested.angular_velocity[1]));
        print_message("%s %s: height %.15g, tilt %.2g, speed %.2g\n", scene, name, rested.position[2], tilt(&rested),
                      speed_of(&rested));
        assert_near(rested.position[2], 0.5, 1e-9);
        assert_true(tilt(&rested) < 1e-12);
        assert_true(vertical < 1e-10);
        if (LAWS[law].kind != CAIRN_LAW_FRICTIONLESS || sliding_allowed == 0)
            assert_true(speed_of(&rested) < 1e-10);
        /* it stays: a second later nothing has moved */
        world_run(&w, (int)(1 / settings.step));
        cairn_body_state later = world_body(&w, "cube");
        for (int k = 0; k < 3 && (LAWS[law].kind != CAIRN_LAW_FRICTIONLESS || sliding_allowed == 0); ++k)
            assert_near(later.position[k], rested.position[k], 1e-10);
        assert_near(later.position[2], 0.5, 1e-9);
        world_free(&w);
    }
}

static void cube_dropped_flat(void **state)
{
    (void)state;
    drop("cube-drop-flat", 100, 0);
}

/* Without friction a tipping cube may keep sliding; it must lie flat all the same. */
static void cube_dropped_on_a_corner(void **state)
{
    (void)state;
    drop("cube-drop-corner", 1600, 1);
}

static void stack_stands(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("box-stack", &settings, NULL, 0);
    world_start(&w, &settings);
    world_run(&w, 50);
    /* the ground carries the weight of ten boxes of 1000 kg, whatever the split over redundant contacts */
    double carried = 0;
    int on_ground = 0;
    for (int i = 0; i < cairn_simulation_contact_count(w.simulation); ++i)
    {
        cairn_contact contact = cairn_simulation_contact(w.simulation, i);
        if (fabs(contact.point[2]) < 0.1)
        {
            carried += contact.impulse[0];
            ++on_ground;
        }
    }
    assert_int_equal(cairn_simulation_contact_count(w.simulation), 40);
    assert_int_equal(on_ground, 4);
    assert_near(carried / settings.step, 10 * 1000 * 9.81, 1e-4);
    for (int i = 0; i < 10; ++i)
    {
        char name[8] = {'b', 'o', 'x', (char)('0' + i), 0};
        cairn_body_state box = world_body(&w, name);
        assert_near(box.position[2], 0.5 + i, 1e-9);
        assert_true(speed_of(&box) < 1e-10);
    }
    world_free(&w);
}

/* A block on a slope given by tilted gravity: it sticks below the friction angle and slides above it at g (s - mu c). */
static void block_on_a_slope(void **state)
{
    (void)state;
    const double size[3] = {1, 0.5, 0.5};
    for (int steep = 0; steep < 2; ++steep)
    {
        for (int dimension = 2; dimension <= 3; ++dimension)
        {
            world w = world_new(dimension);
            cairn_material rough = add_material(w.model, "rough", 0.5, 0);
            double angle = steep ? 0.6 : 0.4, g = 9.81;
            double gravity[3] = {g * sin(angle), 0, 0};
            gravity[dimension - 1] = -g * cos(angle);
            assert_int_equal(cairn_model_set_gravity(w.model, gravity), CAIRN_OK);
            add_ground(w.model, rough);
            double position[3] = {0, 0, 0};
            position[dimension - 1] = 0.25;
            add_box(w.model, "block", 3, size, position, rough);
            cairn_settings settings = cairn_settings_default();
            settings.law = (cairn_law){CAIRN_LAW_PYRAMID, 4};
            world_start(&w, &settings);
            world_run(&w, 100);
            double a = steep ? g * (sin(angle) - 0.5 * cos(angle)) : 0.0;
            cairn_body_state block = world_body(&w, "block");
            assert_near(block.velocity[0], a * 1.0, 1e-9);
            assert_near(block.velocity[dimension - 1], 0.0, 1e-10);
            assert_near(block.position[0], 0.01 * 0.01 * a * 100 * 101 / 2, 1e-9);
            world_free(&w);
        }
    }
}

/* The pile of jacks lies still, none below the three tips that it can stand on at least, and the ground carries all. */
static void jacks_come_to_rest(void **state)
{
    (void)state;
    if (!getenv("CAIRN_LONG"))
        skip();
    const cairn_builtin *file = cairn_builtin_find("jacks");
    assert_non_null(file);
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    assert_int_equal(cairn_scene_parse(context, "jacks", file->text, file->length, NULL, 0, &scene), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(scene);
    const cairn_model *model = cairn_scene_model(scene);
    assert_int_equal(cairn_simulation_create(context, model, &settings, &simulation), CAIRN_OK);
    for (int step = 0; step < 1000; ++step)
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
    double weight = 0, carried = 0, lowest = 0.03 / sqrt(3.0) + 0.01;
    for (int i = 1; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        cairn_body_state jack = cairn_simulation_body(simulation, body);
        assert_true(speed_of(&jack) < 1e-5);
        assert_true(jack.position[2] > lowest - 1e-4);
        weight += 9.81 * cairn_model_body_mass(model, body);
    }
    for (int i = 0; i < cairn_simulation_contact_count(simulation); ++i)
    {
        cairn_contact contact = cairn_simulation_contact(simulation, i);
        bool ground = contact.a.id == 1 || contact.b.id == 1;
        carried += ground ? contact.impulse[0] / settings.step : 0.0;
    }
    assert_near(carried, weight, 1e-3 * weight);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static int asked;

static bool allow_all(void *data, const cairn_simulation *simulation, const cairn_shape_pair *pair)
{
    (void)data, (void)simulation, (void)pair;
    ++asked;
    return true;
}

static void compare(const world *a, const world *b)
{
    int count = cairn_simulation_contact_count(a->simulation);
    assert_int_equal(count, cairn_simulation_contact_count(b->simulation));
    for (int i = 0; i < count; ++i)
    {
        cairn_contact x = cairn_simulation_contact(a->simulation, i), y = cairn_simulation_contact(b->simulation, i);
        assert_true(x.identity == y.identity && x.gap == y.gap && x.friction == y.friction);
        assert_memory_equal(x.impulse, y.impulse, sizeof x.impulse);
        assert_memory_equal(x.normal, y.normal, sizeof x.normal);
    }
    for (int i = 0; i < cairn_model_body_count(world_model(a)); ++i)
    {
        cairn_body_state x = cairn_simulation_body(a->simulation, cairn_model_body(world_model(a), i));
        cairn_body_state y = cairn_simulation_body(b->simulation, cairn_model_body(world_model(b), i));
        assert_memory_equal(x.position, y.position, sizeof x.position);
        assert_memory_equal(x.velocity, y.velocity, sizeof x.velocity);
    }
}

/* Where nothing moves, contacts are not searched again. Beside a twin whose filter makes it search in every step, results are the same
 * to the bit: at rest, and after friction and gravity have changed. */
static void rest_is_not_searched_again(void **state)
{
    (void)state;
    cairn_settings settings;
    world a = world_load("box-stack", &settings, NULL, 0), b = world_load("box-stack", &settings, NULL, 0);
    cairn_hooks hooks = cairn_hooks_default();
    hooks.filter = allow_all;
    world_start(&a, &settings);
    world_start(&b, &settings);
    assert_int_equal(cairn_simulation_set_hooks(b.simulation, &hooks), CAIRN_OK);
    const double aslant[3] = {6, 0, -8};
    for (int step = 0; step < 60; ++step)
    {
        int before = asked;
        assert_int_equal(cairn_simulation_step(a.simulation), CAIRN_OK);
        assert_int_equal(asked, before);
        assert_int_equal(cairn_simulation_step(b.simulation), CAIRN_OK);
        assert_true(asked > before);
        compare(&a, &b);
        for (int twin = 0; twin < 2 && step == 30; ++twin)
            assert_int_equal(cairn_simulation_set_friction((twin ? b : a).simulation, 0.3), CAIRN_OK);
        for (int twin = 0; twin < 2 && step == 45; ++twin)
            assert_int_equal(cairn_simulation_set_gravity((twin ? b : a).simulation, aslant), CAIRN_OK);
    }
    cairn_body_state top = world_body(&a, "box9");
    assert_true(top.velocity[0] > 0.01); /* it slides in the end */
    world_free(&a);
    world_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_dropped_flat),  cmocka_unit_test(cube_dropped_on_a_corner),
        cmocka_unit_test(stack_stands),       cmocka_unit_test(block_on_a_slope),
        cmocka_unit_test(jacks_come_to_rest), cmocka_unit_test(rest_is_not_searched_again),
    };
    return cmocka_run_group_tests_name("rest", tests, NULL, NULL);
}
