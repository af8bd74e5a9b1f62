/* Grains that stay unmade until somebody needs them (populate/recipe.h) are those that a model has which is not for ranks: the same names, places, sizes, masses and handles. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "model/model.h"
#include "populate/recipe.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two models of a population among obstacles: one of a context that ranks have joined, and one of another. */
typedef struct pair
{
    cairn_context *context[2];
    cairn_model *model[2];
    cairn_status status[2];
} pair;

static cairn_status add_obstacle(cairn_model *model, const char *name, cairn_shape_kind kind, const double x[3])
{
    cairn_body_options body = cairn_body_default();
    cairn_shape_options shape = cairn_shape_default(kind);
    cairn_body made;
    cairn_shape part;
    body.name = name;
    body.kind = CAIRN_FIXED;
    memcpy(body.position, x, sizeof body.position);
    shape.radius = 0.04;
    shape.normal[0] = 0.6;
    shape.normal[2] = 0.8;
    cairn_status status = cairn_model_add_body(model, &body, &made);
    return status ? status : cairn_model_add_shape(model, made, &shape, &part);
}

static pair build(const cairn_population_options *options)
{
    static cairn_ranks ranks = {.count = 1};
    const double floor[3] = {0, 0, -0.05}, ball[3] = {0.03, 0.01, 0.02};
    pair both = {.context = {cairn_context_create(), cairn_context_create()}};
    assert_int_equal(cairn_context_join(both.context[0], &ranks), CAIRN_OK);
    for (int i = 0; i < 2; ++i)
    {
        int index;
        assert_int_equal(cairn_model_create(both.context[i], 3, &both.model[i]), CAIRN_OK);
        assert_int_equal(add_obstacle(both.model[i], "floor", CAIRN_HALF_SPACE, floor), CAIRN_OK);
        assert_int_equal(add_obstacle(both.model[i], "stone", CAIRN_SPHERE, ball), CAIRN_OK);
        both.status[i] = cairn_model_add_population(both.model[i], options, &index);
    }
    return both;
}

static void destroy(pair *both)
{
    for (int i = 0; i < 2; ++i)
    {
        cairn_model_destroy(both->model[i]);
        cairn_context_destroy(both->context[i]);
    }
}

static void check_name(const pair *both, int i)
{
    const cairn_body a = cairn_model_body(both->model[0], i), b = cairn_model_body(both->model[1], i);
    const char *name = cairn_model_body_name(both->model[1], b);
    assert_int_equal(a.id, b.id);
    assert_string_equal(cairn_model_body_name(both->model[0], a), name);
    assert_int_equal(cairn_model_body_kind(both->model[0], a), cairn_model_body_kind(both->model[1], b));
    assert_int_equal(cairn_model_body_index(both->model[0], cairn_model_find_body(both->model[0], name)), i);
}

/* What can be asked without the grains. */
static void check_unmade(const pair *both)
{
    const cairn_model *a = both->model[0], *b = both->model[1];
    int count = cairn_model_body_count(b);
    assert_true(a->unmade.count > 100 && b->unmade.count == 0);
    assert_int_equal(cairn_model_body_count(a), count);
    assert_int_equal(cairn_model_shape_count(a), cairn_model_shape_count(b));
    assert_int_equal(cairn_model_population_size(a, 0), cairn_model_population_size(b, 0));
    for (int i = 0; i < count; i += 7)
        check_name(both, i);
    assert_int_equal(cairn_model_find_body(a, "sand[99999]").id, 0);
    assert_int_equal(cairn_model_population_body(a, 0, 17).id, cairn_model_population_body(b, 0, 17).id);
    assert_true(a->unmade.count > 0);
}

static void check_made(const pair *both, int grain)
{
    const cairn_model *a = both->model[0], *b = both->model[1];
    int last = cairn_model_body_count(b) - 1;
    const char *name = cairn_model_body_name(a, cairn_model_body(a, grain));
    uint64_t revision = cairn_model_revision(a);
    assert_true(cairn_model_body_mass(a, cairn_model_body(a, grain)) > 0); /* this makes them */
    assert_int_equal(a->unmade.count, 0);
    assert_int_equal(cairn_model_revision(a), revision);
    assert_string_equal(name, cairn_model_body_name(a, cairn_model_body(a, grain))); /* it is still there */
    assert_int_equal(a->body_count, b->body_count);
    assert_int_equal(a->shape_count, b->shape_count);
    assert_int_equal(a->serials, b->serials);
    for (int i = 0; i <= last; ++i)
    {
        const cairn_body_state x = crn_initial_of(&a->bodies[i]), y = crn_initial_of(&b->bodies[i]);
        const crn_shape *of_a = &a->shapes[i], *of_b = &b->shapes[i];
        check_name(both, i);
        assert_memory_equal(&x, &y, sizeof x);
        assert_int_equal(a->bodies[i].traits->groups, b->bodies[i].traits->groups);
        assert_int_equal(a->bodies[i].shape_begin, b->bodies[i].shape_begin);
        assert_true(of_a->kind == of_b->kind && of_a->serial == of_b->serial && of_a->body == of_b->body);
        assert_true(of_a->radius == of_b->radius && of_a->density == of_b->density && of_a->bound == of_b->bound);
        assert_memory_equal(of_a->form->half, of_b->form->half, sizeof of_a->form->half);
        assert_memory_equal(crn_frame_of(of_a), crn_frame_of(of_b), sizeof(crn_shape_frame));
        assert_true(cairn_model_body_mass(a, cairn_model_body(a, i)) ==
                    cairn_model_body_mass(b, cairn_model_body(b, i)));
    }
}

static cairn_population_options sand(void)
{
    cairn_population_options o = cairn_population_default();
    o.name = "sand";
    o.count = 2500;
    o.sizes.mean = 0.004;
    o.density = 2500;
    o.packing = CAIRN_PACKING_LATTICE;
    o.region.size[0] = o.region.size[1] = o.region.size[2] = 0.2;
    o.velocity[1] = 0.3;
    o.angular_velocity[2] = 0.1;
    o.groups = 3;
    o.seed = 11;
    return o;
}

static void check(const cairn_population_options *options)
{
    pair both = build(options);
    assert_int_equal(both.status[0], CAIRN_OK);
    assert_int_equal(both.status[1], CAIRN_OK);
    check_unmade(&both);
    check_made(&both, cairn_model_body_count(both.model[1]) - 1);
    destroy(&both);
}

static void test_equal_balls(void **unused)
{
    (void)unused;
    cairn_population_options o = sand();
    check(&o);
    o.spacing = 0.0085;
    o.count = 0;
    o.fraction = 0.2;
    check(&o);
}

static void test_balls_of_many_sizes(void **unused)
{
    (void)unused;
    static const double TABLE[] = {0.001, 0, 0.002, 0.4, 0.003, 0.4, 0.004, 1};
    cairn_population_options o = sand();
    o.sizes = (cairn_sizes){.kind = CAIRN_SIZES_LOGNORMAL, .by_mass = true, .mean = 0.003, .deviation = 0.0006};
    check(&o);
    o.sizes = (cairn_sizes){.kind = CAIRN_SIZES_TABLE, .table = TABLE, .table_count = 4};
    check(&o);
    o.sizes = (cairn_sizes){.kind = CAIRN_SIZES_UNIFORM, .least = 0.001, .most = 0.004};
    check(&o);
}

static void test_a_turned_cylinder(void **unused)
{
    (void)unused;
    cairn_population_options o = sand();
    o.region.kind = CAIRN_REGION_CYLINDER;
    o.region.radius = 0.1;
    o.region.height = 0.3;
    o.region.orientation[0] = 0.9;
    o.region.orientation[1] = 0.3;
    o.region.orientation[2] = 0.2;
    o.sizes = (cairn_sizes){.kind = CAIRN_SIZES_NORMAL, .mean = 0.003, .deviation = 0.0005};
    check(&o);
}

/* Displaced at random: in a box and a cylinder. */
static void test_displaced_balls(void **unused)
{
    (void)unused;
    cairn_population_options o = sand();
    o.jitter = 0.9;
    o.sizes = (cairn_sizes){.kind = CAIRN_SIZES_UNIFORM, .least = 0.002, .most = 0.004};
    check(&o);
    o.region.kind = CAIRN_REGION_CYLINDER;
    o.region.radius = 0.1;
    o.region.height = 0.3;
    check(&o);
}

/* Single shapes of all kinds that a recipe can tell of, given as large as they are or scaled. */
static void test_solids(void **unused)
{
    (void)unused;
    static const cairn_shape_kind KINDS[] = {CAIRN_BOX, CAIRN_CAPSULE, CAIRN_ELLIPSOID, CAIRN_CYLINDER, CAIRN_CONE};
    for (int i = 0; i < 5; ++i)
    {
        cairn_shape_options shape = cairn_shape_default(KINDS[i]);
        cairn_population_options o = sand();
        shape.radius = 0.0013;
        shape.length = shape.height = 0.004;
        shape.size[0] = shape.radii[0] = 0.002;
        shape.size[1] = shape.radii[1] = 0.003;
        shape.size[2] = shape.radii[2] = 0.004;
        shape.position[1] = 0.01;
        shape.orientation[2] = 0.3;
        o.shapes = &shape;
        o.shape_count = 1;
        o.count = 2100; /* more than two marks */
        o.sizes.mean = i % 2 ? 0.0025 : 0;
        o.jitter = 0.3;
        o.angular_velocity[2] = 0;
        check(&o);
    }
}

/* From whichever grain a stretch begins, its grains are those that are made one after the other. */
static void check_stretches(const cairn_population_options *o)
{
    pair both = build(o);
    const crn_recipe *recipe = both.model[0]->unmade.recipe;
    crn_recipe_grain *grain = calloc((size_t)o->count, sizeof *grain), one;
    assert_true(recipe && recipe->count == o->count);
    crn_recipe_reader reader = crn_recipe_read(recipe, 0);
    for (int i = 0; i < o->count; ++i)
        crn_recipe_next(&reader, &grain[i]);
    for (int first = 0; first < o->count; first += 1 + 37 * first % 911)
    {
        reader = crn_recipe_read(recipe, first);
        for (int i = first; i < first + 60 && i < o->count; ++i)
        {
            crn_recipe_next(&reader, &one);
            assert_memory_equal(&one, &grain[i], sizeof one);
        }
    }
    free(grain);
    destroy(&both);
}

static void test_stretches(void **unused)
{
    (void)unused;
    cairn_population_options o = sand();
    cairn_shape_options box = cairn_shape_default(CAIRN_BOX);
    o.count = 6000;
    o.jitter = 1;
    o.sizes = (cairn_sizes){.kind = CAIRN_SIZES_LOGNORMAL, .by_mass = true, .mean = 0.002, .deviation = 0.0003};
    check_stretches(&o);
    box.size[0] = box.size[1] = box.size[2] = 0.003;
    o.shapes = &box;
    o.shape_count = 1;
    o.sizes = (cairn_sizes){.mean = 0};
    o.angular_velocity[2] = 0;
    check_stretches(&o);
}

/* The same sentence. */
static void test_too_many(void **unused)
{
    (void)unused;
    cairn_population_options o = sand();
    o.count = 20000;
    pair both = build(&o);
    assert_int_equal(both.status[0], CAIRN_INVALID);
    assert_int_equal(both.status[1], CAIRN_INVALID);
    assert_string_equal(cairn_context_last_message(both.context[0]), cairn_context_last_message(both.context[1]));
    assert_int_equal(cairn_model_body_count(both.model[0]), 2);
    destroy(&both);
}

/* More of them than one process makes: they have handles and names, and nobody has them. */
static void test_many(void **unused)
{
    (void)unused;
    const int count = 5000000;
    cairn_population_options o = sand();
    o.count = count;
    o.sizes.mean = 0.001;
    for (int k = 0; k < 3; ++k)
        o.region.size[k] = 0.5;
    pair both = build(&o);
    cairn_model *model = both.model[0];
    assert_int_equal(both.status[0], CAIRN_OK);
    assert_int_equal(model->unmade.count, count);
    assert_int_equal(cairn_model_body_count(model), count + 2);
    assert_string_equal(cairn_model_body_name(model, cairn_model_body(model, count + 1)), "sand[4999999]");
    assert_int_equal(both.status[1], CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(both.context[1]), "count: must be from 1 to 4194304"));
    destroy(&both);
}

/* Another population in the same place, where it finds room above and between the grains of the others. */
static void add_dust(pair *both, const cairn_population_options *dust)
{
    int index;
    for (int i = 0; i < 2; ++i)
        assert_int_equal(cairn_model_add_population(both->model[i], dust, &index), CAIRN_OK);
}

static double least_gap(const cairn_model *model)
{
    double least = INFINITY;
    for (size_t i = 2; i < model->body_count; ++i)
        for (size_t k = 2; k < i; ++k)
        {
            const double *x = model->bodies[i].position, *y = model->bodies[k].position;
            double off = sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
            least = fmin(least, off - model->shapes[i].radius - model->shapes[k].radius);
        }
    return least;
}

/* Populations one after the other, on lattices of their own that lie in each other: the later ones find the earlier ones, although nobody has made these, as where they are bodies. */
static void test_several(void **unused)
{
    (void)unused;
    cairn_population_options o = sand(), dust = sand(), gravel = sand();
    o.jitter = 0.7;
    o.sizes = (cairn_sizes){.kind = CAIRN_SIZES_UNIFORM, .least = 0.001, .most = 0.004};
    dust.name = "dust";
    dust.count = 3000;
    dust.density = 1000;
    dust.sizes = (cairn_sizes){.kind = CAIRN_SIZES_NORMAL, .mean = 0.001, .deviation = 0.0002};
    gravel.name = "gravel";
    gravel.count = 60;
    gravel.seed = 5;
    gravel.jitter = 1;
    gravel.sizes.mean = 0.009;
    gravel.region.kind = CAIRN_REGION_CYLINDER;
    gravel.region.radius = 0.1;
    gravel.region.height = 0.3;
    gravel.region.orientation[0] = 0.9;
    gravel.region.orientation[1] = 0.3;
    gravel.region.position[2] = 0.05;
    pair both = build(&o);
    add_dust(&both, &dust);
    add_dust(&both, &gravel);
    int count = cairn_model_body_count(both.model[1]);
    assert_int_equal(both.model[0]->unmade.count, 2500 + 3000 + 60);
    assert_int_equal(cairn_model_population_size(both.model[0], 1), 3000);
    assert_int_equal(cairn_model_population_count(both.model[0]), 3);
    check_unmade(&both);
    assert_string_equal(cairn_model_body_name(both.model[0], cairn_model_body(both.model[0], 2502)), "dust[0]");
    assert_true(least_gap(both.model[1]) > 0);
    check_made(&both, count - 1);
    destroy(&both);
}

/* What comes after them finds them in the model, as obstacles and in its order. */
static void test_what_comes_after(void **unused)
{
    (void)unused;
    cairn_population_options o = sand(), more = sand();
    const double aside[3] = {0, 0, 3};
    pair both = build(&o);
    int count = cairn_model_body_count(both.model[1]);
    more.name = "dust";
    more.count = 500;
    more.sizes.mean = 0.001;
    add_dust(&both, &more);
    assert_int_equal(both.model[0]->unmade.count, count - 2 + 500);
    more.name = "powder";
    more.packing = CAIRN_PACKING_RANDOM;
    add_dust(&both, &more);
    assert_int_equal(both.model[0]->unmade.count, 0);
    assert_int_equal(both.model[0]->body_count, count + 1000);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(add_obstacle(both.model[i], "late", CAIRN_SPHERE, aside), CAIRN_OK);
    check_made(&both, count);
    for (int i = 0; i < 2; ++i)
    {
        cairn_body first = cairn_model_find_body(both.model[i], "stone");
        assert_int_equal(cairn_model_remove_body(both.model[i], first), CAIRN_OK);
    }
    check_name(&both, count - 1);
    destroy(&both);
}

/* A population without room among those before it says so, and these stay as they are. */
static void test_no_room_for_another(void **unused)
{
    (void)unused;
    cairn_population_options o = sand(), more = sand();
    more.name = "more";
    more.count = 12000;
    pair both = build(&o);
    int count = cairn_model_body_count(both.model[1]), index;
    for (int i = 0; i < 2; ++i)
    {
        assert_int_equal(cairn_model_add_population(both.model[i], &more, &index), CAIRN_INVALID);
        assert_int_equal(cairn_model_body_count(both.model[i]), count);
        assert_int_equal(cairn_model_population_count(both.model[i]), 1);
    }
    assert_string_equal(cairn_context_last_message(both.context[0]), cairn_context_last_message(both.context[1]));
    check_made(&both, count - 1);
    destroy(&both);
}

/* Of a scene file, in the same way. */
static void test_a_scene(void **unused)
{
    (void)unused;
    static const char SCENE[] =
        "dimension: 3\n"
        "bodies: [{name: floor, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}]\n"
        "populations:\n"
        "  - {name: ball, count: 1000, radius: 0.05, density: 2500, packing: lattice,\n"
        "     region: {type: box, position: [0, 0, 1.056], size: [1.1, 1.1, 2.11]}, velocity: [0, 0, -1]}\n";
    static cairn_ranks ranks = {.count = 1};
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    assert_int_equal(cairn_context_join(context, &ranks), CAIRN_OK);
    if (cairn_scene_parse(context, "scene", SCENE, strlen(SCENE), NULL, 0, &scene))
        fail_msg("%s", cairn_context_last_message(context));
    const cairn_model *model = cairn_scene_model(scene);
    assert_int_equal(model->unmade.count, 1000);
    assert_int_equal(cairn_model_body_count(model), 1001);
    assert_string_equal(cairn_model_body_name(model, cairn_model_body(model, 1000)), "ball[999]");
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal_balls),
                                       cmocka_unit_test(test_balls_of_many_sizes),
                                       cmocka_unit_test(test_a_turned_cylinder),
                                       cmocka_unit_test(test_displaced_balls),
                                       cmocka_unit_test(test_solids),
                                       cmocka_unit_test(test_stretches),
                                       cmocka_unit_test(test_too_many),
                                       cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_several),
                                       cmocka_unit_test(test_what_comes_after),
                                       cmocka_unit_test(test_no_room_for_another),
                                       cmocka_unit_test(test_a_scene)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
