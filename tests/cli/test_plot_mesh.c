/* Meshes on the page: which triangles are seen, in what order, and which of their sides are drawn. */
#include "cli/draw/mesh.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/worlds.h"

#include <stdlib.h>
#include <string.h>

/* A canvas that counts. */
typedef struct count
{
    int fills, lines;
    cli_colour last;
} count;

static void count_path(void *self, const cli_point *points, int number, bool closed, const cli_style *style)
{
    count *c = self;
    (void)points;
    (void)number;
    c->fills += closed ? 1 : 0;
    c->lines += closed ? 0 : 1;
    c->last = closed ? style->fill : c->last;
}

static void keep(void *self)
{
    (void)self;
}

static const cli_canvas_ops OPS = {.path = count_path, .destroy = keep};

/* Draw a mesh as it stands in the model, from an oblique view. */
static count draw(const test_mesh *from, cli_view_kind kind)
{
    count counted = {0};
    cli_canvas canvas = {.ops = &OPS, .self = &counted, .width = 100, .height = 100};
    cli_view view = cli_view_of(kind, 3);
    world w = world_new(3);
    cairn_shape shape;
    cairn_shape_options o = test_mesh_options(from);
    cairn_body ground = add_ground(w.model, (cairn_material){0});
    assert_int_equal(cairn_model_add_shape(w.model, ground, &o, &shape), CAIRN_OK);
    cairn_shape_info info = cairn_model_shape_info(w.model, cairn_model_shape(w.model, shape.id - 1));
    cli_outline outline = {.points = calloc((size_t)info.vertex_count + CLI_OUTLINE_ROOM, sizeof *outline.points)};
    cli_point *page = calloc((size_t)info.vertex_count, sizeof *page);
    assert_true(outline.points && page);
    cairn_body_state state = {.orientation = {1, 0, 0, 0}};
    cli_outline_make(3, &info, &state, &outline);
    assert_int_equal(outline.kind, CLI_OUTLINE_MESH);
    for (int i = 0; i < outline.count; ++i)
    {
        double p[3];
        cli_view_project(&view, outline.points[i], p);
        page[i] = (cli_point){10 * p[0], -10 * p[1]};
    }
    cli_style style = {.stroke = {0, 0, 0, 1}, .width = 1, .fill = {1, 1, 1, 1}};
    cli_mesh_draw(&canvas, &view, &outline, page, style);
    cli_canvas_destroy(&canvas);
    free(outline.points);
    free(page);
    world_free(&w);
    return counted;
}

/* Three sides of a box are seen, six triangles; of its nine edges that are seen the three inner ones belong to two sides. The
 * diagonals are not drawn. */
static void a_box_shows_three_sides(void **state)
{
    (void)state;
    static test_mesh box;
    test_mesh_box(&box, 1, 2, 3);
    count c = draw(&box, CLI_VIEW_ISO);
    assert_int_equal(c.fills, 6);
    assert_int_equal(c.lines, 6 + 2 * 3);
}

/* A sphere is smooth inside; its outline alone is drawn. The nearest triangle comes last, and faces the eye. */
static void a_sphere_shows_its_outline(void **state)
{
    (void)state;
    static test_mesh sphere;
    test_mesh_sphere(&sphere, 4);
    count c = draw(&sphere, CLI_VIEW_ISO);
    assert_near(c.fills, 0.5 * sphere.triangle_count, 0.05 * sphere.triangle_count);
    assert_true(c.lines > 20 && c.lines < 0.1 * sphere.triangle_count);
    assert_near(c.last.r, 1 - 0.55 * (1 - 0.68), 0.03);
}

/* An open sheet is seen from both sides, with its border. */
static void a_sheet_shows_its_back(void **state)
{
    (void)state;
    static test_mesh sheet;
    test_mesh_sheet(&sheet, 3);
    count top = draw(&sheet, CLI_VIEW_ISO);
    for (int i = 0; i < sheet.triangle_count; ++i)
    {
        int *t = sheet.triangles + 3 * i, held = t[0];
        t[0] = t[1];
        t[1] = held;
    }
    count back = draw(&sheet, CLI_VIEW_ISO);
    assert_int_equal(top.fills, 18);
    assert_int_equal(top.lines, 12);
    assert_int_equal(back.fills, 18);
    assert_int_equal(back.lines, 12);
    assert_true(back.last.r < top.last.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_shows_three_sides),
        cmocka_unit_test(a_sphere_shows_its_outline),
        cmocka_unit_test(a_sheet_shows_its_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
