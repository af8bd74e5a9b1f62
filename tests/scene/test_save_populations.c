/* Populations that come and go, saved as scenes: what is read again goes on to the same states. */
#include "support/check.h"
#include "support/worlds.h"

#include <cairn/population.h>
#include <cairn/save.h>

#include <stdio.h>
#include <string.h>

/* %s: the fields of a population. */
static const char SPACE[] =
    "dimension: 3\n"
    "materials: [{name: sand, friction: 0.5, restitution: 0.2}]\n"
    "bodies:\n"
    "  - {name: floor, kind: fixed, groups: [walls], shapes: [{type: half-space, normal: [0.2, 0, 1]}]}\n"
    "  - {name: block, mass: 1, position: [0.1, 0, 0.2], shapes: [{type: box, size: [0.2, 0.2, 0.2]}]}\n"
    "populations:\n"
    "  - {name: still, count: 5, radius: 0.03, density: 900, region: {type: box, position: [2, 0, 1], size: [0.3, 0.3, "
    "0.3]}}\n"
    "  - {name: p, %s}\n"
    "simulation: {step: 0.005}\n";

static const char PLANE[] = "dimension: 2\n"
                            "bodies: [{name: floor, kind: fixed, shapes: [{type: half-plane, normal: [0.3, 1]}]}]\n"
                            "populations:\n"
                            "  - {name: p, %s}\n"
                            "simulation: {step: 0.005}\n";

static world load(const char *text)
{
    cairn_settings settings;
    world w = world_parse(text, &settings, NULL, 0);
    world_start(&w, &settings);
    return w;
}

static void check_same(const world *a, const world *b, double off)
{
    const cairn_model *model = cairn_simulation_model(a->simulation), *other = cairn_simulation_model(b->simulation);
    assert_int_equal(cairn_model_body_count(model), cairn_model_body_count(other));
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i), same = cairn_model_body(other, i);
        cairn_body_state x = cairn_simulation_body(a->simulation, body), y = cairn_simulation_body(b->simulation, same);
        bool present = cairn_simulation_is_present(a->simulation, body);
        assert_string_equal(cairn_model_body_name(model, body), cairn_model_body_name(other, same));
        assert_int_equal(present, cairn_simulation_is_present(b->simulation, same));
        for (int k = 0; k < 3 && present; ++k)
        {
            assert_near(x.position[k], y.position[k], off);
            assert_near(x.velocity[k], y.velocity[k], 100 * off);
        }
    }
}

/* Saved, read again, and run beside the original. Balls go on to the same bits; shapes that were scaled differ by rounding. */
static void check_saved(const char *scene, const char *fields, double off)
{
    char text[4096], *saved;
    snprintf(text, sizeof text, scene, fields);
    world w = load(text);
    assert_int_equal(cairn_model_text(cairn_scene_model(w.scene), NULL, &saved), CAIRN_OK);
    world again = load(saved);
    cairn_simulation *both[2] = {w.simulation, again.simulation};
    cairn_settings settings = *cairn_simulation_settings(w.simulation);
    int64_t came = 0;
    cairn_simulation_destroy(both[1]); /* the text has no settings: those of the original */
    assert_int_equal(
        cairn_simulation_create(again.context, cairn_scene_model(again.scene), &settings, &again.simulation), CAIRN_OK);
    for (int k = 0; k < 80; ++k)
    {
        world_step(&w);
        world_step(&again);
        check_same(&w, &again, off);
        came = cairn_simulation_population(w.simulation, cairn_model_find_population(cairn_scene_model(w.scene), "p"))
                   .inserted;
    }
    assert_true(came > 10 || !strstr(fields, "insertion"));
    cairn_text_destroy(saved);
    world_free(&w);
    world_free(&again);
}

static void balls_are_the_same(void **state)
{
    (void)state;
    const char *in_space[] = {
        "count: 60, radius: 0.02, density: 2000, material: sand, insertion: {rate: 100}, seed: 7, velocity: [0, 0.1, "
        "-1],\n"
        "     region: {type: box, position: [0, 0, 1], size: [0.4, 0.4, 0.2], orientation: {axis: [1, 2, 3], angle: "
        "0.4}}",
        "count: 60, radius: {distribution: lognormal, mean: 0.02, deviation: 0.004, by: mass}, density: 2000, groups: "
        "[walls],\n"
        "     collides_with: [walls, default], insertion: {rate: 120, begin: 0.02, until: 0.3}, angular_velocity: [1, "
        "0, 2],\n"
        "     region: {type: cylinder, position: [0, 0, 1], radius: 0.3, height: 0.2}",
        "count: 40, radius: {distribution: table, points: [[0.01, 0], [0.02, 0.4], [0.03, 1]]}, density: 2000,\n"
        "     insertion: {rate: 200}, removal: {region: {type: box, position: [0, 0, 0.6], size: [9, 9, 0.2]}, "
        "recycle: true},\n"
        "     region: {type: mesh, vertices: [[0, 0, 1], [1, 0, 1], [0, 1, 1], [0, 0, 2]],\n"
        "     triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}",
        "count: 40, radius: {distribution: uniform, min: 0.01, max: 0.03}, density: 2000, packing: lattice, spacing: "
        "0.07, jitter: 0.7,\n"
        "     removal: {region: {type: box, position: [0, 0, 0.6], size: [9, 9, 0.2]}},\n"
        "     region: {type: box, position: [0, 0, 1.2], size: [0.5, 0.5, 0.5]}"};
    const char *in_plane[] = {
        "radius: {distribution: normal, mean: 0.02, deviation: 0.003, min: 0.015}, density: 100, angular_velocity: 2,\n"
        "     insertion: {rate: 150, until: 0.35}, region: {type: disc, position: [0, 1], radius: 0.3}",
        "count: 50, radius: 0.02, density: 100, insertion: {rate: 100}, region: {type: box, position: [0, 1], size: "
        "[0.5, 0.2], "
        "angle: 0.3}"};
    for (int i = 0; i < 4; ++i)
        check_saved(SPACE, in_space[i], 0);
    for (int i = 0; i < 2; ++i)
        check_saved(PLANE, in_plane[i], 0);
}

static void shapes_are_the_same(void **state)
{
    (void)state;
    check_saved(
        SPACE,
        "count: 40, radius: {distribution: uniform, min: 0.02, max: 0.03}, insertion: {rate: 100}, density: 1500,\n"
        "     shapes: [{type: box, size: [1, 2, 1]}, {type: sphere, radius: 0.8, position: [0, 1, 0], density: 700}],\n"
        "     region: {type: box, position: [0, 0, 1], size: [0.4, 0.4, 0.2]}",
        1e-7);
    check_saved(SPACE,
                "count: 40, insertion: {rate: 100}, density: 1500, shapes: [{type: box, size: [0.02, 0.03, 0.04]}],\n"
                "     region: {type: box, position: [0, 0, 1], size: [0.4, 0.4, 0.2]}",
                1e-7);
}

/* A grain that was taken out of the model cannot be left out of a population. */
static void missing_grains_are_said(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_model *model = NULL;
    assert_int_equal(cairn_model_create(context, 2, &model), CAIRN_OK);
    cairn_population_options options = cairn_population_default();
    char *saved = NULL;
    int made;
    options.name = "p";
    options.count = 20;
    options.sizes.mean = 0.02;
    options.density = 100;
    options.insertion.rate = 100;
    options.region = (cairn_population_region){.kind = CAIRN_REGION_BOX, .size = {1, 1}};
    assert_int_equal(cairn_model_add_population(model, &options, &made), CAIRN_OK);
    assert_int_equal(cairn_model_text(model, NULL, &saved), CAIRN_OK);
    cairn_text_destroy(saved);
    assert_int_equal(cairn_model_remove_body(model, cairn_model_find_body(model, "p[3]")), CAIRN_OK);
    assert_int_equal(cairn_model_text(model, NULL, &saved), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(context), "population 'p'"));
    cairn_model_destroy(model);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls_are_the_same), cmocka_unit_test(shapes_are_the_same),
                                       cmocka_unit_test(missing_grains_are_said)};
    return cmocka_run_group_tests_name("saved populations", tests, NULL, NULL);
}
