/* Meshes: mass against closed forms, edges against what is known of the solids, and a sentence for whatever is wrong. */
#include "math/vec.h"
#include "model/model.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/worlds.h"

#include <string.h>

static cairn_body new_body(world *w, cairn_body_kind kind)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"};
    cairn_body_options o = cairn_body_default();
    o.name = names[cairn_model_body_count(w->model)];
    o.kind = kind;
    cairn_body body = {0};
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    return body;
}

/* Mass and inertia of one mesh of density 1 on a body of its own. */
static double mass_of(const cairn_shape_options *options, double I[9])
{
    world w = world_new(3);
    cairn_shape_options o = *options;
    cairn_shape shape;
    double mass;
    o.density = 1;
    cairn_body body = new_body(&w, CAIRN_DYNAMIC);
    assert_int_equal(cairn_model_add_shape(w.model, body, &o, &shape), CAIRN_OK);
    assert_int_equal(crn_model_mass(w.model, 0, &mass, I), CAIRN_OK);
    world_free(&w);
    return mass;
}

static crn_mesh *build(const test_mesh *from)
{
    crn_mesh *mesh;
    crn_mesh_report report;
    crn_mesh_data data = {.vertices = from->vertices,
                          .vertex_count = from->vertex_count,
                          .triangles = from->triangles,
                          .triangle_count = from->triangle_count};
    assert_int_equal(crn_mesh_create(&data, &report, &mesh), CAIRN_OK);
    return mesh;
}

/* ----------------------------------------------------------------------------------------------------------- mass */

static void mass_of_a_box(void **state)
{
    (void)state;
    static test_mesh box;
    double I[9];
    test_mesh_box(&box, 1, 2, 3);
    cairn_shape_options o = test_mesh_options(&box);
    assert_near(mass_of(&o, I), 6, 1e-14);
    assert_near(I[0], 6.0 / 12 * (4 + 9), 1e-13);
    assert_near(I[4], 6.0 / 12 * (1 + 9), 1e-13);
    assert_near(I[8], 6.0 / 12 * (1 + 4), 1e-13);
    assert_near(I[1], 0, 1e-14);
}

static void moments_of_a_tetrahedron(void **state)
{
    (void)state;
    static test_mesh from;
    test_mesh_tetrahedron(&from);
    crn_mesh *mesh = build(&from);
    crn_moments m = crn_mesh_moments(mesh);
    assert_near(m.volume, 1.0 / 6, 1e-16);
    for (int k = 0; k < 3; ++k)
    {
        assert_near(m.first[k], 1.0 / 24, 1e-16);
        assert_near(m.second[k], 1.0 / 60, 1e-16);
        assert_near(m.second[3 + k], 1.0 / 120, 1e-16);
    }
    crn_mesh_destroy(mesh);
}

/* The sums of the two boxes it is made of. */
static void moments_of_a_concave_part(void **state)
{
    (void)state;
    static test_mesh from;
    double expected[6] = {8.0 / 3 + 2.0 / 3, 2.0 / 3 + 26.0 / 3, 4.0 / 3, 1 + 2, 1.5, 2.5};
    test_mesh_angle(&from);
    crn_mesh *mesh = build(&from);
    crn_moments m = crn_mesh_moments(mesh);
    assert_near(m.volume, 4, 1e-14);
    assert_near(m.first[0], 3, 1e-14);
    assert_near(m.first[1], 5, 1e-14);
    assert_near(m.first[2], 2, 1e-14);
    for (int k = 0; k < 6; ++k)
        assert_near(m.second[k], expected[k], 1e-13);
    crn_mesh_destroy(mesh);
}

/* The same part on a body is refused as long as its centre is not the origin, and right once it is moved there. */
static void recentred(void **state)
{
    (void)state;
    static test_mesh from;
    double I[9], mass;
    test_mesh_angle(&from);
    cairn_shape_options o = test_mesh_options(&from);
    o.density = 1;
    world w = world_new(3);
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w.model, new_body(&w, CAIRN_DYNAMIC), &o, &shape), CAIRN_OK);
    assert_int_equal(crn_model_mass(w.model, 0, &mass, I), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_message(w.context, 0).text, "(0.75, 1.25, 0.5)"));
    world_free(&w);
    o.recentre = true;
    assert_near(mass_of(&o, I), 4, 1e-14);
    /* about the centre: second moments less V c c' */
    double xx = 10.0 / 3 - 4 * 0.75 * 0.75, yy = 28.0 / 3 - 4 * 1.25 * 1.25, zz = 4.0 / 3 - 4 * 0.25;
    assert_near(I[0], yy + zz, 1e-13);
    assert_near(I[4], xx + zz, 1e-13);
    assert_near(I[8], xx + yy, 1e-13);
    assert_near(I[1], -(3 - 4 * 0.75 * 1.25), 1e-13);
    assert_near(I[2], 0, 1e-13);
}

/* The same part as a compound of the two boxes it is made of. */
static void compounds_weigh_as_the_whole(void **state)
{
    (void)state;
    static test_mesh from;
    double mass[2], I[2][9];
    const double size[2][3] = {{2, 1, 1}, {1, 2, 1}}, place[2][3] = {{1, 0.5, 0.5}, {0.5, 2, 0.5}};
    test_mesh_angle(&from);
    cairn_shape_options o = test_mesh_options(&from);
    o.recentre = true;
    mass[0] = mass_of(&o, I[0]);
    world w = world_new(3);
    cairn_body body = new_body(&w, CAIRN_DYNAMIC);
    for (int i = 0; i < 2; ++i)
    {
        cairn_shape shape;
        cairn_shape_options box = cairn_shape_default(CAIRN_BOX);
        memcpy(box.size, size[i], sizeof box.size);
        crn_sub3(place[i], (double[3]){0.75, 1.25, 0.5}, box.position);
        box.density = 1;
        assert_int_equal(cairn_model_add_shape(w.model, body, &box, &shape), CAIRN_OK);
    }
    assert_int_equal(crn_model_mass(w.model, 0, &mass[1], I[1]), CAIRN_OK);
    world_free(&w);
    assert_near(mass[0], mass[1], 1e-14);
    for (int k = 0; k < 9; ++k)
        assert_near(I[0][k], I[1][k], 1e-13);
}

/* A hull that is not where its centre is, moved there. */
static void hulls_are_recentred_too(void **state)
{
    (void)state;
    static test_mesh from;
    double I[9];
    test_mesh_box(&from, 1, 2, 3);
    test_mesh_move(&from, 5, -3, 1);
    cairn_shape_options o = cairn_shape_default(CAIRN_HULL);
    o.vertices = from.vertices;
    o.vertex_count = from.vertex_count;
    o.recentre = true;
    assert_near(mass_of(&o, I), 6, 1e-13);
    assert_near(I[0], 6.0 / 12 * (4 + 9), 1e-12);
}

/* Inscribed polyhedra come near the sphere with the square of their edges: extrapolation takes it twice. */
static void spheres_in_the_limit(void **state)
{
    (void)state;
    static test_mesh sphere;
    double V[3], J[3], I[9], pi = acos(-1.0);
    for (int i = 0; i < 3; ++i)
    {
        test_mesh_sphere(&sphere, 2 + i);
        cairn_shape_options o = test_mesh_options(&sphere);
        V[i] = mass_of(&o, I);
        J[i] = I[0];
        assert_true(V[i] < 4 * pi / 3);
    }
    double exact_V = 4 * pi / 3, exact_J = 8 * pi / 15;
    double coarse = 4 - (exact_V - V[0]) / (exact_V - V[1]), fine = 4 - (exact_V - V[1]) / (exact_V - V[2]);
    assert_near(fine, 0, 0.1);
    assert_near(coarse / fine, 4, 0.5); /* the next order is four */
    assert_near((exact_J - J[1]) / (exact_J - J[2]), 4, 0.15);
    double first = (4 * V[1] - V[0]) / 3, second = (4 * V[2] - V[1]) / 3;
    assert_near((16 * second - first) / 15, exact_V, 2e-5);
}

/* ---------------------------------------------------------------------------------------------------------- edges */

static void check_neighbours(const crn_mesh *mesh)
{
    for (int i = 0; i < 3 * mesh->triangle_count; ++i)
    {
        int other = mesh->neighbours[i], found = 0;
        assert_true(other >= 0 || !mesh->closed);
        for (int k = 0; other >= 0 && k < 3; ++k)
        {
            int from = mesh->triangles[3 * other + k], to = mesh->triangles[3 * other + (k + 1) % 3];
            if (from == mesh->triangles[i / 3 * 3 + (i + 1) % 3] && to == mesh->triangles[i])
            {
                assert_int_equal(mesh->neighbours[3 * other + k], i / 3);
                assert_int_equal(mesh->bend[3 * other + k], mesh->bend[i]);
                ++found;
            }
        }
        assert_int_equal(found, other >= 0);
    }
}

static int count_bends(const crn_mesh *mesh, int bend)
{
    int count = 0;
    for (int i = 0; i < 3 * mesh->triangle_count; ++i)
        count += mesh->bend[i] == bend;
    return count;
}

static void edges_of_known_solids(void **state)
{
    (void)state;
    static test_mesh from;
    test_mesh_box(&from, 1, 2, 3);
    crn_mesh *box = build(&from);
    check_neighbours(box);
    assert_int_equal(count_bends(box, 1), 2 * 12);
    assert_int_equal(count_bends(box, 0), 2 * 6);
    assert_near(box->extent, sqrt(14) / 2, 1e-15);
    crn_mesh_destroy(box);
    test_mesh_angle(&from);
    crn_mesh *angle = build(&from);
    check_neighbours(angle);
    assert_int_equal(count_bends(angle, -1), 2);
    assert_int_equal(count_bends(angle, 1), 2 * (18 - 1));
    assert_true(angle->closed);
    crn_mesh_destroy(angle);
    test_mesh_sphere(&from, 4);
    crn_mesh *sphere = build(&from);
    check_neighbours(sphere);
    assert_int_equal(count_bends(sphere, 1), 3 * sphere->triangle_count);
    crn_mesh_destroy(sphere);
    test_mesh_sheet(&from, 4);
    crn_mesh *sheet = build(&from);
    check_neighbours(sheet);
    assert_false(sheet->closed);
    assert_int_equal(count_bends(sheet, 1), 16);
    assert_int_equal(count_bends(sheet, 0), 3 * 32 - 16);
    crn_mesh_destroy(sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_of_a_box),
        cmocka_unit_test(moments_of_a_tetrahedron),
        cmocka_unit_test(moments_of_a_concave_part),
        cmocka_unit_test(recentred),
        cmocka_unit_test(compounds_weigh_as_the_whole),
        cmocka_unit_test(hulls_are_recentred_too),
        cmocka_unit_test(spheres_in_the_limit),
        cmocka_unit_test(edges_of_known_solids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
