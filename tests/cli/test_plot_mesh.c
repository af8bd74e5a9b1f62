/* Meshes in pictures: every triangle is a cell, and of its sides those are edges where the surface ends or bends. */
#include "cli/draw/surface.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/worlds.h"

/* Cells of a mesh on the ground, and how many of their sides are edges. */
static int count_edges(const test_mesh *from, int *cells)
{
    world w = world_new(3);
    cairn_shape shape;
    cairn_shape_options o = test_mesh_options(from);
    cairn_body ground = add_ground(w.model, (cairn_material){0});
    assert_int_equal(cairn_model_add_shape(w.model, ground, &o, &shape), CAIRN_OK);
    int index = shape.id - 1, next[8] = {-1, -1, -1, -1, -1, -1, -1, -1}, edges = 0;
    bool has_shape = true;
    assert_in_range(index, 0, 7);
    cli_plot_scene scene = {.model = w.model, .shape_count = index + 1, .first_shape = &index, .next_shape = next};
    scene.has_shape = &has_shape;
    const cli_plot_run run = {.dimension = 3, .body_count = 1};
    const cairn_body_state state = {.orientation = {1, 0, 0, 0}};
    cli_surface surface;
    cli_surface_make(&surface, &scene, &run, &state, &(cli_surface_options){0});
    *cells = surface.cell_count;
    for (int c = 0; c < surface.cell_count; ++c)
    {
        assert_int_equal(surface.begin[c + 1] - surface.begin[c], 3);
        for (int k = 0; k < 3; ++k)
            edges += (surface.cell_look[c] & CLI_CELL_SIDE << k) != 0;
    }
    cli_surface_free(&surface);
    world_free(&w);
    return edges;
}

/* A box has twelve edges, each of them a side of two triangles; its diagonals are none. */
static void a_box_shows_its_edges_without_diagonals(void **state)
{
    (void)state;
    static test_mesh box;
    int cells;
    test_mesh_box(&box, 1, 2, 3);
    assert_int_equal(count_edges(&box, &cells), 2 * 12);
    assert_int_equal(cells, 12);
}

static void a_fine_sphere_is_smooth(void **state)
{
    (void)state;
    static test_mesh sphere;
    int cells;
    test_mesh_sphere(&sphere, 4);
    assert_int_equal(count_edges(&sphere, &cells), 0);
    assert_int_equal(cells, sphere.triangle_count);
}

/* A flat sheet of 3 x 3 squares ends along 12 sides. */
static void a_sheet_shows_its_border(void **state)
{
    (void)state;
    static test_mesh sheet;
    int cells;
    test_mesh_sheet(&sheet, 3);
    assert_int_equal(count_edges(&sheet, &cells), 12);
    assert_int_equal(cells, 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_shows_its_edges_without_diagonals),
        cmocka_unit_test(a_fine_sphere_is_smooth),
        cmocka_unit_test(a_sheet_shows_its_border),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
