/* Rules of the model that its larger tests pass by: densities beside a given mass, vertices welded over the borders of the
 * cells they are sought in, the largest Poisson's ratio. */
#include "cairn/model.h"
#include "model/model.h"
#include "model/shape/mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ------------------------------------------------------------------------------------------------------------ masses */

static void add_disk(cairn_model *model, cairn_body body, double radius, double density)
{
    cairn_shape_options options = cairn_shape_default(CAIRN_CIRCLE);
    cairn_shape shape;
    options.radius = radius;
    options.density = density;
    assert_int_equal(cairn_model_add_shape(model, body, &options, &shape), CAIRN_OK);
}

/* Disks about one centre: m_i = density pi r^2 and I_i = m_i r^2 / 2. A given mass scales their sum: densities only weigh
 * them against each other, and a disk without one weighs nothing beside those that have. */
static void densities_weigh_the_shapes_of_a_given_mass(void **state)
{
    (void)state;
    static const struct
    {
        double density[3], inertia; /* kg m^2 for 7 kg on radii 1, 2 and 3 */
    } CASES[] = {
        {{1, 1, 1}, 7 * 0.5 * (1 + 16 + 81) / (1 + 4 + 9)},
        {{3, 5, 0.25}, 7 * 0.5 * (3 + 5 * 16 + 0.25 * 81) / (3 + 5 * 4 + 0.25 * 9)},
        {{3000, 5000, 250}, 7 * 0.5 * (3 + 5 * 16 + 0.25 * 81) / (3 + 5 * 4 + 0.25 * 9)},
        {{0, 2, 0}, 7 * 0.5 * 4},
        {{0, 0, 0}, 7 * 0.5 * (1 + 16 + 81) / (1 + 4 + 9)},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        cairn_context *context = cairn_context_create();
        cairn_model *model = NULL;
        assert_int_equal(cairn_model_create(context, 2, &model), CAIRN_OK);
        cairn_body_options options = cairn_body_default();
        cairn_body body;
        options.name = "wheel";
        options.mass = 7;
        assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
        for (int k = 0; k < 3; ++k)
            add_disk(model, body, k + 1, CASES[i].density[k]);
        double mass, inertia[9];
        assert_int_equal(crn_model_mass(model, 0, &mass, inertia), CAIRN_OK);
        assert_true(mass == 7);
        assert_true(fabs(inertia[8] - CASES[i].inertia) < 1e-12 * CASES[i].inertia);
        cairn_model_destroy(model);
        cairn_context_destroy(context);
    }
}

/* ----------------------------------------------------------------------------------------------------------- welding */

enum
{
    POINTS = 300
};

/* Every vertex once in a triangle, so that all are looked at. */
static void weld(const double *vertices, int count, double tolerance, int *number, int *kept_count)
{
    int triangles[POINTS];
    double kept[3 * POINTS];
    for (int i = 0; i < count; ++i)
        triangles[i] = i;
    crn_mesh_data data = {.vertices = vertices,
                          .vertex_count = count,
                          .triangles = triangles,
                          .triangle_count = count / 3,
                          .weld = tolerance};
    assert_int_equal(crn_merge_vertices(&data, number, kept, kept_count), CAIRN_OK);
}

/* Two points 0.9 of the tolerance apart on both sides of a cell's border, edge or corner, in all 26 directions. */
static void neighbours_over_every_border_are_one(void **state)
{
    (void)state;
    for (int direction = 0; direction < 27; ++direction)
    {
        double d[3] = {direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        double vertices[9] = {0};
        for (int k = 0; k < 3 && length > 0; ++k)
        {
            /* the cell from 5 to 6, its border in direction d at 5 or 6 */
            double border = d[k] < 0 ? 5 : d[k] > 0 ? 6 : 5.5;
            vertices[k] = border - 0.45 * d[k] / length;
            vertices[3 + k] = border + 0.45 * d[k] / length;
            vertices[6 + k] = 50;
        }
        int number[3], count;
        weld(vertices, 3, 1.0, number, &count);
        assert_int_equal(number[1], 0);
        assert_int_equal(count, length > 0 ? 2 : 1);
    }
}

/* As the definition says, over random points: the first vertex kept within the tolerance, else one more that is kept. */
static void welding_is_what_it_is_defined_as(void **state)
{
    (void)state;
    srand(17);
    for (int round = 0; round < 40; ++round)
    {
        double vertices[3 * POINTS], tolerance = 0.05 + 0.02 * round;
        int number[POINTS], count, kept[POINTS], wanted = 0;
        for (int i = 0; i < 3 * POINTS; ++i)
            vertices[i] = 4.0 * rand() / RAND_MAX - 2;
        weld(vertices, POINTS, tolerance, number, &count);
        for (int i = 0; i < POINTS; ++i)
        {
            int same = -1;
            for (int k = 0; k < wanted && same < 0; ++k)
            {
                const double *a = vertices + (size_t)3 * (size_t)kept[k], *b = vertices + (size_t)3 * (size_t)i;
                same = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) <= tolerance ? k : -1;
            }
            kept[wanted] = i;
            assert_int_equal(number[i], same >= 0 ? same : wanted);
            wanted += same < 0;
        }
        assert_int_equal(count, wanted);
    }
}

/* ---------------------------------------------------------------------------------------------------------- materials */

static cairn_status add_poisson(cairn_context *context, double poisson)
{
    cairn_model *model = NULL;
    assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
    cairn_material_options options = cairn_material_default();
    cairn_material material;
    options.name = "rubber";
    options.patch.elements = 3;
    options.patch.spacing = 0.01;
    options.patch.compliance = 1e-6;
    options.patch.poisson = poisson;
    cairn_status status = cairn_model_add_material(model, &options, &material);
    cairn_model_destroy(model);
    return status;
}

static void rubber_is_a_material(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    assert_int_equal(add_poisson(context, 0.5), CAIRN_OK);
    assert_int_equal(add_poisson(context, nextafter(-1, 0)), CAIRN_OK);
    assert_int_equal(cairn_context_message_count(context), 0);
    assert_int_equal(add_poisson(context, nextafter(0.5, 1)), CAIRN_INVALID);
    assert_string_equal(cairn_context_last_message(context),
                        "material 'rubber': poisson: must be greater than -1 and at most 0.5, found 0.5");
    assert_int_equal(add_poisson(context, -1), CAIRN_INVALID);
    assert_string_equal(cairn_context_last_message(context),
                        "material 'rubber': poisson: must be greater than -1 and at most 0.5, found -1");
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_weigh_the_shapes_of_a_given_mass),
        cmocka_unit_test(neighbours_over_every_border_are_one),
        cmocka_unit_test(welding_is_what_it_is_defined_as),
        cmocka_unit_test(rubber_is_a_material),
    };
    return cmocka_run_group_tests_name("rules of the model", tests, NULL, NULL);
}
