/* Fast bodies do not pass through thin meshes: a plate of 1 mm and a sheet without thickness, cut into triangles. */
#include "support/check.h"
#include "support/meshes.h"

#include <cairn/cairn.h>
#include <math.h>
#include <string.h>

static test_mesh wall;

typedef struct shot
{
    cairn_shape_options shape;
    double slope, spin, from, speed;
    cairn_integrator integrator;
} shot;

static void turn_upright(test_mesh *mesh)
{
    for (int i = 0; i < mesh->vertex_count; ++i)
    {
        double *x = mesh->vertices + 3 * i, z = x[2];
        x[2] = x[0];
        x[0] = -z; /* what looked up along z looks at those who come along x */
    }
}

static cairn_body add(cairn_model *model, const shot *s)
{
    cairn_body_options wall_options = cairn_body_default(), options = cairn_body_default();
    cairn_shape_options shape = test_mesh_options(&wall);
    cairn_body fixed, body;
    cairn_shape out;
    wall_options.name = "wall";
    wall_options.kind = CAIRN_FIXED;
    shape.density = 0;
    assert_int_equal(cairn_model_add_body(model, &wall_options, &fixed), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(model, fixed, &shape, &out), CAIRN_OK);
    options.name = "bullet";
    memcpy(options.position, (double[3]){-s->from, -s->slope * s->from, 0.01}, sizeof options.position);
    memcpy(options.velocity, (double[3]){s->speed, s->slope * s->speed, 0}, sizeof options.velocity);
    memcpy(options.angular_velocity, (double[3]){0.3 * s->spin, 0, s->spin}, sizeof options.angular_velocity);
    assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(model, body, &s->shape, &out), CAIRN_OK);
    return body;
}

static bool passes(const shot *s)
{
    cairn_context *context = cairn_context_create();
    cairn_model *model = NULL;
    assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
    cairn_simulation *simulation = NULL;
    cairn_settings settings = cairn_settings_default();
    cairn_model_set_gravity(model, (double[3]){0, 0, 0});
    cairn_body body = add(model, s);
    settings.integrator = s->integrator;
    assert_int_equal(cairn_simulation_create(context, model, &settings, &simulation), CAIRN_OK);
    bool through = false;
    for (int i = 0; i < 5 && !through; ++i)
    {
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        cairn_body_state at = cairn_simulation_body(simulation, body);
        through = at.position[0] > 1e-3 && fabs(at.position[1]) < 0.9;
    }
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return through;
}

static void shoot(cairn_shape_options shape, double speed, double spin, const char *what)
{
    static const cairn_integrator schemes[] = {CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_STIFF2};
    for (int k = 0; k < 2; ++k)
    {
        for (int i = 0; i < 6; ++i)
        {
            shot s = {shape, 0.04 * i, spin, speed * (0.013 + 0.0007 * i), speed, schemes[k]};
            if (passes(&s))
            {
                print_error("%s, %s, shot %d went through\n", cairn_integrator_name(s.integrator), what, i);
                fail();
            }
        }
    }
}

static void shoot_all(void)
{
    cairn_shape_options ball = cairn_shape_default(CAIRN_SPHERE), cube = cairn_shape_default(CAIRN_BOX), tile = cube;
    ball.radius = 0.005;
    memcpy(cube.size, (double[3]){0.01, 0.01, 0.01}, sizeof cube.size);
    memcpy(tile.size, (double[3]){0.001, 0.3, 0.3}, sizeof tile.size);
    ball.density = cube.density = tile.density = 1000;
    shoot(ball, 1000, 0, "ball");
    shoot(ball, 1000, 500, "spinning ball");
    shoot(ball, 30, 0, "slow ball");
    shoot(cube, 1000, 0, "cube");
    shoot(tile, 300, 0, "plate");
}

static void test_plate(void **state)
{
    (void)state;
    test_mesh_box(&wall, 1e-3, 2, 2);
    shoot_all();
}

static void test_sheet(void **state)
{
    (void)state;
    test_mesh_sheet(&wall, 7);
    turn_upright(&wall);
    shoot_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plate), cmocka_unit_test(test_sheet)};
    return cmocka_run_group_tests_name("mesh tunnel", tests, NULL, NULL);
}
