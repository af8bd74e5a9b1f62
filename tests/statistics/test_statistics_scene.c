/* Statistics in scene files: read, saved and read again; their quantities by name, as sensors, and what is not offered. */
#include "support/check.h"
#include "support/grains.h"

#include <stdlib.h>
#include <string.h>

static const char SCENE[] =
    "cairn: 1\n"
    "dimension: 3\n"
    "parameters: {w: 2}\n"
    "bodies:\n"
    "  - {name: ball, position: [0, 0, 1], shapes: [{type: sphere, radius: 0.5, density: 1}]}\n"
    "statistics:\n"
    "  - {name: box, region: {type: box, position: [0, 0, 1], size: [w, 2, 2], orientation: {axis: [0, 0, 1], angle: "
    "0.5}},\n"
    "     record: [fraction, stress, force_histogram], bins: 3, top: 2, touching: 0.01, cell: 0.5, every: 4}\n"
    "  - {name: drum, region: {type: cylinder, radius: 3, height: 4}}\n"
    "  - {name: globe, region: {type: ball, radius: 0.25, position: [0, 0, 1]}}\n"
    "  - {name: the gate, plane: {point: [0, 0, 0.5], normal: [0, 0, -2]}, record: [passed]}\n"
    "sensors:\n"
    "  - {name: solid, quantity: globe.fraction}\n"
    "simulation: {step: 0.01, until: 1}\n";

static cairn_scene *parse(cairn_context *context, const char *text)
{
    cairn_scene *scene;
    if (cairn_scene_parse(context, "test", text, strlen(text), NULL, 0, &scene))
        fail_msg("%s", cairn_context_last_message(context));
    return scene;
}

static void check_scene(cairn_context *context, const cairn_scene *scene)
{
    const cairn_model *model = cairn_scene_model(scene);
    assert_int_equal(cairn_model_statistic_count(model), 4);
    cairn_statistic_options box = cairn_model_statistic_options(model, cairn_model_find_statistic(model, "box"));
    assert_near(box.region.size[0], 2, 0);
    assert_near(box.region.orientation[0], cos(0.25), 1e-15);
    assert_int_equal(box.bins, 3);
    assert_near(box.top, 2, 0);
    assert_near(box.touching, 0.01, 0);
    assert_near(box.cell, 0.5, 0);
    cairn_statistic_options gate = cairn_model_statistic_options(model, cairn_model_statistic(model, 3));
    assert_string_equal(gate.name, "the gate");
    assert_near(gate.normal[2], -2, 0);
    assert_near(cairn_model_statistic_options(model, cairn_model_statistic(model, 1)).region.height, 4, 0);
    assert_int_equal(cairn_scene_sensor_count(scene), 5);
    assert_string_equal(cairn_scene_sensor(scene, 0).name, "box.fraction");
    assert_int_equal(cairn_scene_sensor(scene, 0).every, 4);
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_simulation *simulation;
    cairn_watch *watch;
    const double *values;
    assert_int_equal(cairn_simulation_create(context, model, &settings, &simulation), CAIRN_OK);
    assert_int_equal(cairn_watch_create(context, simulation, &watch), CAIRN_OK);
    assert_int_equal(cairn_watch_add_sensors(watch, scene), CAIRN_OK);
    assert_int_equal(cairn_watch_count(watch), 1 + 9 + 3 + 1 + 1);
    assert_string_equal(cairn_watch_label(watch, 3), "box.stress.xz");
    assert_string_equal(cairn_watch_unit(watch, 3), "Pa");
    assert_string_equal(cairn_watch_label(watch, 12), "box.force_histogram.bin2");
    assert_int_equal(cairn_watch_read(watch, &values), CAIRN_OK);
    assert_near(values[0], 3.14159265358979323846 / 6 / 8, 1e-12);
    assert_near(values[14], 1, 1e-12); /* the globe is full */
    for (int i = 0; i < 40; ++i)
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
    assert_int_equal(cairn_watch_read(watch, &values), CAIRN_OK);
    assert_near(values[13], 3.14159265358979323846 / 6, 1e-12); /* kg: the ball has fallen past the gate */
    cairn_watch_destroy(watch);
    cairn_simulation_destroy(simulation);
}

static void test_read_and_saved(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = parse(context, SCENE);
    check_scene(context, scene);
    char *text;
    assert_int_equal(cairn_scene_written_out(scene, &text), CAIRN_OK);
    cairn_scene *again = parse(context, text);
    check_scene(context, again);
    cairn_text_destroy(text);
    cairn_scene_destroy(again);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static void test_names(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = parse(context, SCENE);
    const cairn_model *model = cairn_scene_model(scene);
    cairn_quantity found;
    const struct
    {
        const char *name;
        int count;
    } good[] = {{"box.stress", 9},
                {"box.stress.zy", 1},
                {"grains.virial", 9},
                {"'the gate'.flow", 1},
                {"the gate.flow", 1},
                {"drum.velocity.z", 1},
                {"drum.velocity.magnitude", 1},
                {"statistic:box.mass", 1},
                {"grains.speed_histogram", 16},
                {"box.force_histogram", 3}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i)
    {
        assert_int_equal(cairn_quantity_find(context, model, good[i].name, &found), CAIRN_OK);
        assert_int_equal(found.count, good[i].count);
    }
    const char *bad[] = {"grains.stress", "grains.flow",          "box.flow",       "the gate.fraction",
                         "box.stress.xw", "box.stress.magnitude", "box.fraction.x", "box.force_histogram.bin1",
                         "nothing.mass"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        assert_int_equal(cairn_quantity_find(context, model, bad[i], &found), CAIRN_INVALID);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* A body called `grains` keeps its name, and one called like a statistic must be told apart. */
static void test_shared_names(void **state)
{
    (void)state;
    world w = world_new(2);
    add_ball(w.model, "grains", 1, 1, (double[3]){0}, (cairn_material){0});
    add_ball(w.model, "box", 1, 1, (double[3]){4}, (cairn_material){0});
    cairn_region region = {.radius = 2};
    add_region(&w, "box", &region);
    cairn_quantity found;
    assert_int_equal(cairn_quantity_find(w.context, w.model, "grains.velocity", &found), CAIRN_OK);
    assert_true(found.body.id != 0);
    assert_int_equal(cairn_quantity_find(w.context, w.model, "grains.coordination", &found), CAIRN_INVALID);
    assert_int_equal(cairn_quantity_find(w.context, w.model, "box.velocity", &found), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "'statistic:box.velocity'"));
    assert_int_equal(cairn_quantity_find(w.context, w.model, "statistic:box.velocity", &found), CAIRN_OK);
    assert_int_equal(cairn_quantity_find(w.context, w.model, "box.pressure", &found), CAIRN_OK);
    assert_string_equal(found.unit, "N/m");
    world_free(&w);
}

static void refuse(const cairn_statistic_options *options, const char *part)
{
    world w = world_new(2);
    cairn_statistic made;
    assert_int_equal(cairn_model_add_statistic(w.model, options, &made), CAIRN_INVALID);
    if (!strstr(cairn_context_last_message(w.context), part))
        fail_msg("'%s' lacks '%s'", cairn_context_last_message(w.context), part);
    assert_int_equal(cairn_model_statistic_count(w.model), 0);
    world_free(&w);
}

static void test_bad_options(void **state)
{
    (void)state;
    cairn_statistic_options good = cairn_statistic_default(), bad;
    good.name = "s";
    bad = good;
    bad.name = NULL;
    refuse(&bad, "name");
    bad = good;
    bad.bins = 0;
    refuse(&bad, "statistic 's': bins");
    bad = good;
    bad.top = NAN;
    refuse(&bad, "statistic 's': top");
    bad = good;
    bad.touching = -1;
    refuse(&bad, "statistic 's': touching");
    bad = good;
    bad.normal[0] = INFINITY;
    refuse(&bad, "statistic 's': plane");
    bad = good;
    bad.region.size[0] = 1;
    refuse(&bad, "statistic 's': region");
    bad = good;
    bad.region.radius = 1;
    bad.region.height = 1;
    refuse(&bad, "cylinder");
    bad = good;
    bad.region.radius = 1;
    bad.region.centre[1] = NAN;
    refuse(&bad, "centre");
    bad = good;
    bad.struct_size = 3;
    refuse(&bad, "default");
}

/* The region of queries may be a cylinder, too. */
static void test_query_cylinder(void **state)
{
    (void)state;
    world w = world_new(3);
    add_grain(&w, (double[3]){0, 0, 3}, 1);
    add_grain(&w, (double[3]){4, 0, 0}, 1);
    cairn_query *query;
    cairn_body found[2];
    int count;
    assert_int_equal(cairn_query_create(w.context, w.model, &query), CAIRN_OK);
    const double s = sqrt(0.5);
    cairn_region region = {.radius = 0.5, .height = 4.2};
    assert_int_equal(cairn_query_overlap(query, &region, found, 2, &count), CAIRN_OK);
    assert_int_equal(count, 1);
    assert_int_equal(found[0].id, cairn_model_body(w.model, 0).id);
    memcpy(region.orientation, (double[4]){s, 0, s, 0}, sizeof region.orientation); /* its axis along x */
    region.height = 5.9;
    assert_int_equal(cairn_query_overlap(query, &region, found, 2, &count), CAIRN_OK);
    assert_int_equal(count, 0);
    region.height = 6.1;
    assert_int_equal(cairn_query_overlap(query, &region, found, 2, &count), CAIRN_OK);
    assert_int_equal(count, 1);
    region.radius = 0;
    assert_int_equal(cairn_query_overlap(query, &region, found, 2, &count), CAIRN_INVALID);
    cairn_query_destroy(query);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read_and_saved), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_shared_names), cmocka_unit_test(test_bad_options),
                                       cmocka_unit_test(test_query_cylinder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
