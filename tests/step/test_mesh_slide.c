/* Bodies on a plane cut into triangles move as on a half-space: no edge between two triangles is felt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/collide_scene.h"

#include <math.h>
#include <string.h>

enum
{
    CELLS = 40
};

/* A square of side `side`, its inner vertices moved about in the plane. */
typedef struct floor_mesh
{
    double vertices[3 * (CELLS + 1) * (CELLS + 1)];
    int triangles[6 * CELLS * CELLS];
} floor_mesh;

static void make_floor(floor_mesh *m, double side)
{
    uint64_t seed = 12345;
    for (int i = 0; i < (CELLS + 1) * (CELLS + 1); ++i)
    {
        int x = i % (CELLS + 1), y = i / (CELLS + 1);
        bool inner = x > 0 && x < CELLS && y > 0 && y < CELLS;
        double dx = inner ? collide_uniform(&seed, -0.2, 0.2) : 0, dy = inner ? collide_uniform(&seed, -0.2, 0.2) : 0;
        m->vertices[3 * i] = side * ((x + dx) / CELLS - 0.5);
        m->vertices[3 * i + 1] = side * ((y + dy) / CELLS - 0.5);
        m->vertices[3 * i + 2] = 0;
    }
    for (int i = 0; i < CELLS * CELLS; ++i)
    {
        int v = i % CELLS + i / CELLS * (CELLS + 1), w = v + CELLS + 1;
        int cell[6] = {v, v + 1, w + 1, v, w + 1, w};
        memcpy(m->triangles + 6 * i, cell, sizeof cell);
    }
}

typedef struct slide
{
    cairn_context *context;
    cairn_model *model;
    cairn_simulation *simulation;
    cairn_body body;
} slide;

static slide start(const cairn_shape_options *shape, bool mesh, const cairn_body_state *state, double friction,
                   cairn_integrator integrator)
{
    slide s = {.context = cairn_context_create()};
    assert_int_equal(cairn_model_create(s.context, 3, &s.model), CAIRN_OK);
    cairn_model_set_gravity(s.model, (double[3]){0, 0, -9.81});
    cairn_material_options material = cairn_material_default();
    material.name = "all";
    material.friction = friction;
    cairn_material rough;
    assert_int_equal(cairn_model_add_material(s.model, &material, &rough), CAIRN_OK);
    cairn_body_options ground = cairn_body_default();
    ground.name = "ground";
    ground.kind = CAIRN_FIXED;
    cairn_body floor;
    cairn_shape out;
    assert_int_equal(cairn_model_add_body(s.model, &ground, &floor), CAIRN_OK);
    static floor_mesh m;
    cairn_shape_options plane = cairn_shape_default(mesh ? CAIRN_MESH : CAIRN_HALF_SPACE);
    if (mesh)
    {
        make_floor(&m, 8.0);
        plane.vertices = m.vertices;
        plane.vertex_count = (CELLS + 1) * (CELLS + 1);
        plane.triangles = m.triangles;
        plane.triangle_count = 2 * CELLS * CELLS;
    }
    plane.material = rough;
    assert_int_equal(cairn_model_add_shape(s.model, floor, &plane, &out), CAIRN_OK);
    cairn_body_options moving = cairn_body_default();
    moving.name = "moving";
    moving.mass = 3.0;
    memcpy(moving.inertia, (double[3]){0.05, 0.06, 0.07}, 3 * sizeof(double));
    memcpy(moving.position, state->position, sizeof moving.position);
    memcpy(moving.orientation, state->orientation, sizeof moving.orientation);
    memcpy(moving.velocity, state->velocity, sizeof moving.velocity);
    memcpy(moving.angular_velocity, state->angular_velocity, sizeof moving.angular_velocity);
    assert_int_equal(cairn_model_add_body(s.model, &moving, &s.body), CAIRN_OK);
    cairn_shape_options own = *shape;
    own.material = rough;
    assert_int_equal(cairn_model_add_shape(s.model, s.body, &own, &out), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.initial = CAIRN_INITIAL_KEEP; /* some begin in the floor: they come out of both alike */
    settings.solver.tolerance = 1e-13;
    /* its velocities are unique, as those of exact friction at four corners are not */
    assert_true(integrator != CAIRN_INTEGRATOR_STIFF || cairn_law_parse("convex cone", &settings.law));
    assert_int_equal(cairn_simulation_create(s.context, s.model, &settings, &s.simulation), CAIRN_OK);
    return s;
}

static void finish(slide *s)
{
    cairn_simulation_destroy(s->simulation);
    cairn_model_destroy(s->model);
    cairn_context_destroy(s->context);
}

static double apart(const cairn_body_state *a, const cairn_body_state *b)
{
    double most = 0;
    for (int k = 0; k < 3; ++k)
    {
        most = fmax(most, fabs(a->position[k] - b->position[k]));
        most = fmax(most, fabs(a->velocity[k] - b->velocity[k]));
    }
    for (int k = 0; k < 4; ++k)
        most = fmax(most, fabs(a->orientation[k] - b->orientation[k]));
    return most;
}

static const double HULL[] = {-0.2, -0.2, -0.1, 0.2, -0.2, -0.1, 0.2, 0.2, -0.1, -0.2, 0.2, -0.1,
                              -0.1, -0.1, 0.1,  0.1, -0.1, 0.1,  0.1, 0.1, 0.1,  -0.1, 0.1, 0.1};

static cairn_shape_options shape_of(int kind)
{
    static const cairn_shape_kind kinds[] = {CAIRN_SPHERE, CAIRN_BOX,  CAIRN_CAPSULE,  CAIRN_CYLINDER,
                                             CAIRN_CONE,   CAIRN_HULL, CAIRN_ELLIPSOID};
    cairn_shape_options o = cairn_shape_default(kinds[kind]);
    o.radius = 0.2;
    o.length = o.height = 0.5;
    memcpy(o.size, (double[3]){0.4, 0.5, 0.3}, sizeof o.size);
    memcpy(o.radii, (double[3]){0.2, 0.3, 0.25}, sizeof o.radii);
    if (o.kind == CAIRN_HULL)
    {
        o.vertices = HULL;
        o.vertex_count = 8;
    }
    return o;
}

static void compare(int kind, double friction, const cairn_body_state *state, int steps, double tolerance)
{
    cairn_shape_options shape = shape_of(kind);
    slide plane = start(&shape, false, state, friction, CAIRN_INTEGRATOR_STIFF);
    slide mesh = start(&shape, true, state, friction, CAIRN_INTEGRATOR_STIFF);
    for (int i = 0; i < steps; ++i)
    {
        assert_int_equal(cairn_simulation_step(plane.simulation), CAIRN_OK);
        assert_int_equal(cairn_simulation_step(mesh.simulation), CAIRN_OK);
        cairn_body_state a = cairn_simulation_body(plane.simulation, plane.body);
        cairn_body_state b = cairn_simulation_body(mesh.simulation, mesh.body);
        if (!(apart(&a, &b) <= tolerance))
        {
            print_error("shape %d, friction %g: step %d: %g apart\n", kind, friction, i, apart(&a, &b));
            fail();
        }
    }
    finish(&plane);
    finish(&mesh);
}

static void slides_as_on_a_half_space(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 7; ++kind)
    {
        cairn_body_state state = {.orientation = {1, 0, 0, 0}, .velocity = {2.0, 0.7, 0}};
        state.position[2] = 0.31;
        compare(kind, 0.0, &state, 100, 1e-10);
        compare(kind, 0.2, &state, 100, 1e-10);
    }
}

/* Thrown, spinning: corners, rims and edges land as they come. */
static void tumbles_as_on_a_half_space(void **unused)
{
    (void)unused;
    uint64_t seed = 99;
    for (int trial = 0; trial < 28; ++trial)
    {
        cairn_body_state state = {.orientation = {1, 0, 0, 0}, .position = {0, 0, 0.8}};
        for (int k = 0; k < 3; ++k)
        {
            state.velocity[k] = collide_uniform(&seed, -1, 1);
            state.angular_velocity[k] = collide_uniform(&seed, -4, 4);
        }
        compare(trial % 7, 0.3, &state, 100, 1e-10);
    }
}

/* By the second-order schemes: straight on at one velocity, and nothing happens where one triangle ends and the next begins. */
static void slides_without_events(void **unused)
{
    (void)unused;
    static const double HEIGHT[3] = {0.2, 0.15, 0.1};
    static const int KIND[3] = {0, 1, 5}; /* sphere, box, hull */
    for (int n = 0; n < 9; ++n)
    {
        cairn_body_state state = {.orientation = {1, 0, 0, 0}, .velocity = {2.0, 0.7, 0}};
        state.position[2] = HEIGHT[n % 3];
        cairn_shape_options shape = shape_of(KIND[n % 3]);
        slide s = start(&shape, true, &state, 0, (cairn_integrator)(CAIRN_INTEGRATOR_TRAPEZOID + n / 3));
        for (int i = 0; i < 60; ++i)
        {
            assert_int_equal(cairn_simulation_step(s.simulation), CAIRN_OK);
            assert_int_equal(cairn_simulation_event_count(s.simulation), 0);
        }
        cairn_body_state now = cairn_simulation_body(s.simulation, s.body), then = state;
        for (int k = 0; k < 3; ++k)
            then.position[k] += cairn_simulation_time(s.simulation) * state.velocity[k];
        assert_true(apart(&now, &then) <= 1e-9);
        finish(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slides_as_on_a_half_space),
        cmocka_unit_test(slides_without_events),
        cmocka_unit_test(tumbles_as_on_a_half_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
