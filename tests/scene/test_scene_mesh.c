/* Meshes in scene files: inline, from files beside the scene, and complete in the text that a run keeps. */
#include "model/model.h"
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char CUBE[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1.1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static void save(const char *path, const char *text)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fputs(text, stream) >= 0, 1);
    assert_int_equal(fclose(stream), 0);
}

static void show_messages(const cairn_context *context)
{
    for (int i = 0; i < cairn_context_message_count(context); ++i)
        print_error("%s\n", cairn_context_message(context, i).text);
}

static cairn_scene *load(cairn_context *context, const char *path)
{
    cairn_scene *scene = NULL;
    cairn_status status = cairn_scene_load(context, path, NULL, 0, &scene);
    show_messages(context);
    assert_int_equal(status, CAIRN_OK);
    return scene;
}

static cairn_scene *parse(cairn_context *context, const char *text)
{
    cairn_scene *scene = NULL;
    cairn_status status = cairn_scene_parse(context, "text", text, strlen(text), NULL, 0, &scene);
    show_messages(context);
    assert_int_equal(status, CAIRN_OK);
    return scene;
}

static void compare_meshes(const crn_mesh *a, const crn_mesh *b)
{
    assert_true((a == NULL) == (b == NULL));
    if (a)
    {
        assert_int_equal(a->vertex_count, b->vertex_count);
        assert_int_equal(a->triangle_count, b->triangle_count);
        assert_memory_equal(a->vertices, b->vertices, (size_t)a->vertex_count * 3 * sizeof(double));
        assert_memory_equal(a->triangles, b->triangles, (size_t)a->triangle_count * 3 * sizeof(int));
    }
}

/* The text of a scene that was loaded gives the same shapes, to the bit, where no file is. */
static void check_complete(const char *path)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *first = load(context, path), *second = parse(context, cairn_scene_text(first));
    const cairn_model *a = cairn_scene_model(first), *b = cairn_scene_model(second);
    assert_int_equal(a->shape_count, b->shape_count);
    for (size_t i = 0; i < a->shape_count; ++i)
    {
        compare_meshes(a->shapes[i].form->mesh, b->shapes[i].form->mesh);
        assert_true((a->shapes[i].form->hull == NULL) == (b->shapes[i].form->hull == NULL));
        assert_near(a->shapes[i].bound, b->shapes[i].bound, 0);
    }
    for (size_t i = 0; i < a->body_count; ++i)
    {
        double m[2], I[2][9];
        assert_int_equal(crn_model_mass(a, (int)i, &m[0], I[0]), CAIRN_OK);
        assert_int_equal(crn_model_mass(b, (int)i, &m[1], I[1]), CAIRN_OK);
        assert_near(m[0], m[1], 0);
        assert_memory_equal(I[0], I[1], sizeof I[0]);
    }
    assert_string_equal(cairn_scene_text(second), cairn_scene_text(first));
    cairn_scene_destroy(first);
    cairn_scene_destroy(second);
    cairn_context_destroy(context);
}

static void texts_are_complete(void **state)
{
    (void)state;
    save("part.obj", CUBE);
    save("hills.txt", "0 0.1 0.3\n0.1 0.7 0.2\n0 0 1e-300\n");
    save("block.yaml", "dimension: 3\nbodies:\n"
                       "  - {name: a, shapes: [{type: mesh, file: part.obj, scale: 0.3, recentre: true, density: 2}]}\n"
                       "  - {name: b, shapes: [{type: hull, file: ./part.obj, recentre: true, density: 2}]}\n"
                       "  - {name: c, shapes: [{type: mesh, file: part.obj, recentre: true, density: 2}]}\n"
                       "  - name: ground\n    kind: fixed\n    shapes:\n"
                       "      - {type: height-field, file: hills.txt, spacing: 0.5, scale: 3}\n"
                       "description: |\n  ends with\n  a text # and no line break");
    check_complete("block.yaml");
    save("indented.yaml", "  dimension: 3\n"
                          "  bodies: [{name: a, kind: fixed, shapes: [{type: mesh, file: part.obj}]}]\n  # the end\n");
    check_complete("indented.yaml");
    save("flow.json", "{\"dimension\": 3, \"bodies\": [{\"name\": \"a\", \"kind\": \"fixed\",\n"
                      "\"shapes\": [{\"type\": \"mesh\", \"file\": \"part.obj\"}]}]}\n");
    check_complete("./flow.json");
}

/* A scene without files keeps its text as it is. */
static void other_texts_stay(void **state)
{
    (void)state;
    static const char text[] =
        "dimension: 3\nbodies: [{name: a, kind: fixed, shapes: [{type: mesh, vertices: [[0, 0, 0], "
        "[1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]]}]}]\n";
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = parse(context, text);
    assert_string_equal(cairn_scene_text(scene), text);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static void expect_problem(const char *text, const char *path, const char *expected)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_status status = path ? cairn_scene_load(context, path, NULL, 0, &scene)
                               : cairn_scene_parse(context, "text", text, strlen(text), NULL, 0, &scene);
    assert_int_equal(status, CAIRN_INVALID);
    assert_string_equal(cairn_context_message(context, 0).text, expected);
    cairn_context_destroy(context);
}

#define ONE_PART "dimension: 3\nbodies: [{name: a, kind: fixed, shapes: [{type: mesh, file: %s}]}]\n"

static void files_that_cannot_be_had(void **state)
{
    (void)state;
    char text[256];
    snprintf(text, sizeof text, ONE_PART, "part.obj");
    expect_problem(
        text, NULL,
        "body 'a', shape 1: file: 'part.obj' cannot be read: this scene is a text without a folder; write the "
        "file's contents into its `files`, or its numbers into the shape");
    snprintf(text, sizeof text, ONE_PART, "gone.obj");
    save("gone.yaml", text);
    expect_problem(NULL, "gone.yaml", "body 'a', shape 1: file: ./gone.obj: cannot be read: No such file or directory");
    save("broken.obj", "v 0 0 0\nf 1 2 3\n");
    snprintf(text, sizeof text, ONE_PART, "broken.obj");
    save("broken.yaml", text);
    expect_problem(NULL, "broken.yaml",
                   "body 'a', shape 1: file: broken.obj, line 2: there is no vertex 2, 1 is defined before this line");
    save("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    save("open.yaml", "dimension: 3\nbodies: [{name: a, shapes: [{type: mesh, file: open.obj, density: 1}]}]\n");
    expect_problem(
        NULL, "open.yaml",
        "body 'a': mesh: it is open: 3 edges have a triangle on one side only, the first that of line 4 of open.obj "
        "from (0, 0, 0) to (1, 0, 0); a dynamic body needs a closed one, or mass and inertia");
    save("odd.yaml", "{dimension: 3, bodies: [{name: a, kind: fixed, shapes: [{type: mesh, file: part.obj}]}],}\n");
    expect_problem(NULL, "odd.yaml", "its mesh files cannot be written into it: let nothing follow its last field");
}

/* Rows, an expression and a text of the same heights are one surface. */
static void heights_in_three_ways(void **state)
{
    (void)state;
    save("heights.yaml",
         "dimension: 3\nparameters: {k: 2}\nbodies:\n"
         "  - {name: a, kind: fixed, shapes: [{type: height-field, heights: k*y + x - x*0 - 0.25, points: [3, 4], "
         "spacing: 0.5}]}\n"
         "  - {name: b, kind: fixed, shapes: [{type: height-field, spacing: 0.5, heights: [[-2.25, -1.75, -1.25], "
         "[-1.25, "
         "-0.75, -0.25], [-0.25, 0.25, 0.75], [0.75, 1.25, 1.75]]}]}\n"
         "  - {name: c, kind: fixed, shapes: [{type: height-field, spacing: 0.5, file: same.txt, scale: 0.5}]}\n");
    save("same.txt", "-4.5 -3.5 -2.5\n-2.5 -1.5 -0.5\n-0.5 0.5 1.5\n1.5 2.5 3.5\n");
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = load(context, "heights.yaml");
    const cairn_model *model = cairn_scene_model(scene);
    compare_meshes(model->shapes[0].form->mesh, model->shapes[1].form->mesh);
    compare_meshes(model->shapes[0].form->mesh, model->shapes[2].form->mesh);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_complete),
        cmocka_unit_test(other_texts_stay),
        cmocka_unit_test(files_that_cannot_be_had),
        cmocka_unit_test(heights_in_three_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
