/* Open meshes that are wound the wrong way are suspected, those that are right are not; closed ones are refused where they are
 * read. */
#include "support/check.h"
#include "support/meshes.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static bool says(const cairn_context *context, const char *part)
{
    for (int i = 0; i < cairn_context_message_count(context); ++i)
        if (strstr(cairn_context_message(context, i).text, part))
            return true;
    return false;
}

/* Four walls that narrow downwards, open at both ends, seen from inside. */
static void hopper(test_mesh *mesh)
{
    static const double CORNER[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    mesh->vertex_count = 8;
    mesh->triangle_count = 8;
    for (int k = 0; k < 4; ++k)
    {
        double *top = mesh->vertices + 3 * k, *bottom = mesh->vertices + 3 * (4 + k);
        memcpy(top, (double[3]){CORNER[k][0], CORNER[k][1], 1}, 3 * sizeof(double));
        memcpy(bottom, (double[3]){0.2 * CORNER[k][0], 0.2 * CORNER[k][1], -1}, 3 * sizeof(double));
        int next = (k + 1) % 4;
        memcpy(mesh->triangles + 6 * k, (int[6]){k, next, 4 + next, k, 4 + next, 4 + k}, 6 * sizeof(int));
    }
}

static cairn_status start_balls(const test_mesh *mesh, bool flip, int count, double height, uint64_t *seed, world *w)
{
    *w = world_new(3);
    cairn_material material = add_material(w->model, "m", 0.3, 0);
    cairn_body_options o = cairn_body_default();
    cairn_body body;
    cairn_shape shape;
    cairn_shape_options options = test_mesh_options(mesh);
    o.name = "hopper";
    o.kind = CAIRN_FIXED;
    /* anywhere in the world: the sides are those of the mesh's own frame */
    memcpy(o.position, (double[3]){3, -2, 1}, sizeof o.position);
    memcpy(o.orientation, (double[4]){0.8, 0, 0, 0.6}, sizeof o.orientation);
    options.flip = flip;
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w->model, body, &options, &shape), CAIRN_OK);
    for (int i = 0; i < count; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "ball %d", i);
        double position[3] = {3 + random_in(seed, -0.2, 0.2), -2 + random_in(seed, -0.2, 0.2), 1 + height + 0.15 * i};
        add_ball(w->model, name, 1, 0.05, position, material);
    }
    cairn_settings settings = cairn_settings_default();
    settings.initial = CAIRN_INITIAL_KEEP;
    return cairn_simulation_create(w->context, w->model, &settings, &w->simulation);
}

static void test_hopper(void **state)
{
    (void)state;
    uint64_t seed = 1;
    test_mesh mesh;
    hopper(&mesh);
    for (int k = 0; k < 100; ++k)
    {
        world w;
        bool wrong = k % 2;
        assert_int_equal(start_balls(&mesh, wrong, 1 + k % 5, 0.2, &seed, &w), CAIRN_OK);
        assert_int_equal(says(w.context, "'hopper'") && says(w.context, "wound the wrong way"), wrong);
        world_free(&w);
    }
}

static void test_sheet(void **state)
{
    (void)state;
    uint64_t seed = 2;
    test_mesh mesh;
    test_mesh_sheet(&mesh, 4);
    for (int k = 0; k < 100; ++k)
    {
        world w;
        bool flip = k % 2, below = k / 2 % 2;
        assert_int_equal(start_balls(&mesh, flip, 1, below ? -0.4 : 0.4, &seed, &w), CAIRN_OK);
        assert_int_equal(says(w.context, "wound the wrong way"), flip != below);
        world_free(&w);
    }
}

/* A closed mesh needs no bodies: its volume tells. */
static void test_closed(void **state)
{
    (void)state;
    test_mesh mesh;
    test_mesh_box(&mesh, 1, 1, 1);
    cairn_shape_options options = test_mesh_options(&mesh);
    options.flip = true;
    world w = world_new(3);
    cairn_body_options o = cairn_body_default();
    cairn_body body;
    cairn_shape shape;
    o.name = "crate";
    o.kind = CAIRN_FIXED;
    assert_int_equal(cairn_model_add_body(w.model, &o, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w.model, body, &options, &shape), CAIRN_INVALID);
    assert_true(says(w.context, "'crate'"));
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hopper),
        cmocka_unit_test(test_sheet),
        cmocka_unit_test(test_closed),
    };
    return cmocka_run_group_tests_name("winding", tests, NULL, NULL);
}
