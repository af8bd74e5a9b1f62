/* The model: masses from shapes against closed forms, and a clear refusal of every wrong input. */
#include "model/model.h"
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static cairn_body loose(world *w, const char *name, double mass)
{
    cairn_body_options o = cairn_body_default();
    o.name = name;
    o.mass = mass;
    cairn_body body = {0};
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    return body;
}

static void put(world *w, cairn_body body, cairn_shape_options o)
{
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w->model, body, &o, &shape), CAIRN_OK);
}

static void masses_of_planar_shapes(void **state)
{
    (void)state;
    world w = world_new(2);
    double mass, I[9];
    cairn_shape_options o = cairn_shape_default(CAIRN_CIRCLE);
    o.radius = 0.5;
    o.density = 4;
    put(&w, loose(&w, "disc", 0), o);
    assert_int_equal(crn_model_mass(w.model, 0, &mass, I), CAIRN_OK);
    assert_near(mass, M_PI, 1e-14);
    assert_near(I[8], M_PI / 8, 1e-14);

    double triangle[6] = {-1, -1, 2, -1, -1, 2}; /* centroid at the origin, clockwise order is accepted too */
    double reversed[6] = {-1, 2, 2, -1, -1, -1};
    for (int i = 0; i < 2; ++i)
    {
        o = cairn_shape_default(CAIRN_POLYGON);
        o.vertices = i ? reversed : triangle;
        o.vertex_count = 3;
        o.density = 2;
        put(&w, loose(&w, i ? "reversed" : "triangle", 0), o);
        assert_int_equal(crn_model_mass(w.model, 1 + i, &mass, I), CAIRN_OK);
        assert_near(mass, 9, 1e-13);
        assert_near(I[8], 9 * (9 + 9 + 18) / 36.0, 1e-12); /* m (a^2 + b^2 + c^2)/36 */
    }

    /* a dumbbell: two bars side by side, parallel axes; with a given mass densities only weigh */
    double bar[4] = {0, -1, 0, 1};
    cairn_body dumbbell = loose(&w, "dumbbell", 6);
    for (int i = -1; i <= 1; i += 2)
    {
        o = cairn_shape_default(CAIRN_SEGMENT);
        o.vertices = bar;
        o.vertex_count = 2;
        o.position[0] = 0.5 * i;
        put(&w, dumbbell, o);
    }
    assert_int_equal(crn_model_mass(w.model, 3, &mass, I), CAIRN_OK);
    assert_near(mass, 6, 0);
    assert_near(I[8], 6 * (4.0 / 12 + 0.25), 1e-13);
    world_free(&w);
}

static void masses_of_spatial_shapes(void **state)
{
    (void)state;
    world w = world_new(3);
    double mass, I[9];
    cairn_shape_options o = cairn_shape_default(CAIRN_SPHERE);
    o.radius = 2;
    o.density = 3;
    put(&w, loose(&w, "ball", 0), o);
    assert_int_equal(crn_model_mass(w.model, 0, &mass, I), CAIRN_OK);
    assert_near(mass, 32 * M_PI, 1e-12);
    assert_near(I[0], 0.4 * mass * 4, 1e-11);

    /* a box turned by 90 degrees about z inside its body swaps two moments */
    o = cairn_shape_default(CAIRN_BOX);
    o.size[0] = 1;
    o.size[1] = 2;
    o.size[2] = 3;
    o.density = 2;
    o.orientation[0] = o.orientation[3] = sqrt(0.5);
    put(&w, loose(&w, "box", 0), o);
    assert_int_equal(crn_model_mass(w.model, 1, &mass, I), CAIRN_OK);
    assert_near(mass, 12, 1e-13);
    assert_near(I[0], 12 * (1 + 9) / 12.0, 1e-12);
    assert_near(I[4], 12 * (4 + 9) / 12.0, 1e-12);
    assert_near(I[8], 12 * (1 + 4) / 12.0, 1e-12);
    assert_near(I[1], 0, 1e-12);
    world_free(&w);
}

/* Mass and second moments summed over thin slices across x, each a disc or ellipse by its own closed form. */
static void masses_of_ellipses(void **state)
{
    (void)state;
    enum
    {
        SLICES = 20000
    };
    const double a = 0.7, b = 0.4, c = 0.2;
    double area = 0, polar = 0, volume = 0, Ixx = 0, Iyy = 0, mass, I[9];
    for (int i = 0; i < SLICES; ++i)
    {
        double width = 2 * a / SLICES, x = -a + (i + 0.5) * width, f = sqrt(1 - x * x / (a * a));
        double half = b * f, slice = M_PI * b * f * c * f;
        area += 2 * half * width;
        polar += (2 * half * x * x + 2 * half * half * half / 3) * width;
        volume += slice * width;
        Ixx += slice * (b * f * b * f + c * f * c * f) / 4 * width;
        Iyy += slice * (c * f * c * f / 4 + x * x) * width;
    }
    world plane = world_new(2), space = world_new(3);
    cairn_shape_options o = cairn_shape_default(CAIRN_ELLIPSE);
    memcpy(o.radii, (double[3]){a, b, c}, sizeof o.radii);
    o.density = 3;
    o.angle = 0.4; /* about the centre: nothing changes */
    put(&plane, loose(&plane, "egg", 0), o);
    assert_int_equal(crn_model_mass(plane.model, 0, &mass, I), CAIRN_OK);
    assert_near(mass, 3 * area, 1e-5);
    assert_near(I[8], 3 * polar, 1e-5);
    o.kind = CAIRN_ELLIPSOID;
    put(&space, loose(&space, "egg", 0), o);
    assert_int_equal(crn_model_mass(space.model, 0, &mass, I), CAIRN_OK);
    assert_near(mass, 3 * volume, 1e-8);
    assert_near(I[0], 3 * Ixx, 1e-8);
    assert_near(I[4], 3 * Iyy, 1e-8);
    assert_near(I[8] / mass, (a * a + b * b) / 5, 1e-14);
    cairn_shape_info info = cairn_model_shape_info(space.model, cairn_model_shape(space.model, 0));
    assert_memory_equal(info.radii, o.radii, sizeof info.radii);
    world_free(&plane);
    world_free(&space);
}

static void refused(const world *w, cairn_status status, const char *part)
{
    assert_int_equal(status, CAIRN_INVALID);
    const char *message = cairn_context_last_message(w->context);
    if (!strstr(message, part))
        fail_msg("the message \"%s\" does not say \"%s\"", message, part);
}

static void wrong_bodies(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body out;
    cairn_body_options o = cairn_body_default();
    refused(&w, cairn_model_add_body(w.model, &o, &out), "needs a name");
    o.name = "world";
    refused(&w, cairn_model_add_body(w.model, &o, &out), "'world'");
    o.name = "a";
    o.mass = -1;
    refused(&w, cairn_model_add_body(w.model, &o, &out), "body 'a': mass");
    o.mass = NAN;
    refused(&w, cairn_model_add_body(w.model, &o, &out), "body 'a': mass");
    o.mass = 1;
    o.inertia[0] = 1;
    o.inertia[1] = 1;
    o.inertia[2] = -1;
    refused(&w, cairn_model_add_body(w.model, &o, &out), "positive definite");
    o.inertia[2] = 1;
    o.inertia[3] = 2; /* xy larger than both diagonals allow */
    refused(&w, cairn_model_add_body(w.model, &o, &out), "positive definite");
    o.inertia[3] = 0;
    o.position[1] = INFINITY;
    refused(&w, cairn_model_add_body(w.model, &o, &out), "finite");
    o.position[1] = 0;
    memset(o.orientation, 0, sizeof o.orientation);
    refused(&w, cairn_model_add_body(w.model, &o, &out), "quaternion");
    o.orientation[0] = 1;
    o.motion_angle = "t";
    refused(&w, cairn_model_add_body(w.model, &o, &out), "only driven");
    o.motion_angle = NULL;
    assert_int_equal(cairn_model_add_body(w.model, &o, &out), CAIRN_OK);
    refused(&w, cairn_model_add_body(w.model, &o, &out), "used twice");
    o.name = "b";
    o.kind = CAIRN_DRIVEN;
    o.motion_position[0] = "sin(";
    refused(&w, cairn_model_add_body(w.model, &o, &out), "body 'b': motion");
    assert_int_equal(cairn_model_body_count(w.model), 1);

    /* mass or inertia that nothing gives */
    loose(&w, "massless", 0);
    cairn_settings settings = cairn_settings_default();
    refused(&w, cairn_simulation_create(w.context, w.model, &settings, &w.simulation), "body 'massless': mass");
    /* told to who creates the simulation, not to who made the model */
    cairn_context *other = cairn_context_create();
    cairn_context_clear(w.context);
    assert_int_equal(cairn_simulation_create(other, w.model, &settings, &w.simulation), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(other), "body 'massless': mass"));
    assert_int_equal(cairn_context_message_count(w.context), 0);
    cairn_context_destroy(other);
    world_free(&w);
    w = world_new(3);
    loose(&w, "pointlike", 1);
    refused(&w, cairn_simulation_create(w.context, w.model, &settings, &w.simulation), "body 'pointlike': inertia");
    world_free(&w);
}

static void wrong_shapes(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body body = loose(&w, "b", 1);
    cairn_shape out;
    cairn_shape_options o = cairn_shape_default(CAIRN_SPHERE);
    o.radius = 1;
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "shape of space");
    o = cairn_shape_default(CAIRN_CIRCLE);
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "radius");
    o = cairn_shape_default(CAIRN_ELLIPSE);
    o.radii[0] = 1;
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "ellipse: radii: its semi-axes must be greater than 0");
    o.radii[1] = 0.9e-3;
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "more than 1000 times");
    o.kind = CAIRN_ELLIPSOID;
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "shape of space");
    o = cairn_shape_default(CAIRN_HALF_PLANE);
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "only fixed and driven");
    double bow[8] = {0, 0, 2, 2, 2, 0, 0, 2};
    o = cairn_shape_default(CAIRN_POLYGON);
    o.vertices = bow;
    o.vertex_count = 4;
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "sides after vertex 1 and after vertex 3 meet");
    double in_line[10] = {0, 0, 1, 0, 2, 0, 1, 0.5, 0, 2};
    o.vertices = in_line;
    o.vertex_count = 5;
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "vertex 2 lies on one line");
    double star[10]; /* winds twice: convex at every corner, yet not a convex polygon */
    for (int i = 0; i < 5; ++i)
    {
        star[2 * i] = cos(4 * M_PI * i / 5);
        star[2 * i + 1] = sin(4 * M_PI * i / 5);
    }
    o.vertices = star;
    o.vertex_count = 5;
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "meet each other");
    o = cairn_shape_default(CAIRN_CHAIN);
    o.vertices = bow;
    o.vertex_count = 1;
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "chain: needs two vertices or more");
    o = cairn_shape_default(CAIRN_CAPSULE);
    o.radius = 1;
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "capsule: radius and length: must be greater than 0");
    double nowhere[4] = {1, 1, 1, 1};
    o = cairn_shape_default(CAIRN_SEGMENT);
    o.vertices = nowhere;
    o.vertex_count = 2;
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "same point");
    o = cairn_shape_default(CAIRN_CIRCLE);
    o.radius = 1;
    o.density = -3;
    refused(&w, cairn_model_add_shape(w.model, body, &o, &out), "density");
    o.density = 1;
    o.position[0] = 0.3;
    put(&w, body, o);
    cairn_settings settings = cairn_settings_default();
    refused(&w, cairn_simulation_create(w.context, w.model, &settings, &w.simulation), "centre of mass");
    world_free(&w);
}

static void wrong_links(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body a = loose(&w, "arm", 1);
    cairn_body_options fixed = cairn_body_default();
    fixed.name = "wall";
    fixed.kind = CAIRN_FIXED;
    cairn_body wall;
    assert_int_equal(cairn_model_add_body(w.model, &fixed, &wall), CAIRN_OK);
    cairn_joint joint;
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    j.name = "elbow";
    j.a.body = j.b.body = a;
    refused(&w, cairn_model_add_joint(w.model, &j, &joint), "joint 'elbow': bodies 'arm' and 'arm' are the same");
    j.a.body = wall;
    j.b.body.id = 0;
    refused(&w, cairn_model_add_joint(w.model, &j, &joint), "can move under forces");
    j.b.body = a;
    memset(j.axis, 0, sizeof j.axis);
    refused(&w, cairn_model_add_joint(w.model, &j, &joint), "axis: must not have zero length");
    j.axis[0] = 1;
    j.b.body.id = 77;
    refused(&w, cairn_model_add_joint(w.model, &j, &joint), "not in the model");
    j = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    j.name = "rod";
    j.b.body = a;
    refused(&w, cairn_model_add_joint(w.model, &j, &joint), "length");

    cairn_spring spring;
    cairn_spring_options s = cairn_spring_default(CAIRN_SPRING_LINEAR);
    s.name = "s";
    s.b.body = a;
    refused(&w, cairn_model_add_spring(w.model, &s, &spring), "both 0");
    s.stiffness = -1;
    refused(&w, cairn_model_add_spring(w.model, &s, &spring), "0 or more");
    s.stiffness = 1;
    s.rest = 2;
    refused(&w, cairn_model_add_spring(w.model, &s, &spring), "no direction");
    s.kind = CAIRN_SPRING_ANGULAR;
    memset(s.axis, 0, sizeof s.axis);
    refused(&w, cairn_model_add_spring(w.model, &s, &spring), "axis");

    cairn_force force;
    cairn_force_options f = cairn_force_default();
    f.name = "f";
    f.body = wall;
    refused(&w, cairn_model_add_force(w.model, &f, &force), "dynamic body");
    f.body = a;
    f.force[0] = "20*cos(x)";
    refused(&w, cairn_model_add_force(w.model, &f, &force), "'x'");
    world_free(&w);
}

static void wrong_settings(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_settings s = cairn_settings_default();
    s.step = 0;
    refused(&w, cairn_settings_check(w.context, &s), "step");
    s.step = NAN;
    refused(&w, cairn_settings_check(w.context, &s), "step");
    s = cairn_settings_default();
    s.law = (cairn_law){CAIRN_LAW_PYRAMID, 5};
    refused(&w, cairn_settings_check(w.context, &s), "law");
    s = cairn_settings_default();
    s.solver.tolerance = 0;
    refused(&w, cairn_settings_check(w.context, &s), "solver_tolerance");
    s = cairn_settings_default();
    s.integrator = (cairn_integrator)99;
    refused(&w, cairn_settings_check(w.context, &s), "stiff2");
    s = cairn_settings_default();
    s.jacobian = (cairn_jacobian)2;
    refused(&w, cairn_settings_check(w.context, &s), "allowed: exact, linear");
    s = cairn_settings_default();
    s.impact = (cairn_impact)7;
    refused(&w, cairn_settings_check(w.context, &s), "allowed: poisson, newton");
    s = cairn_settings_default();
    s.initial = (cairn_initial)7;
    refused(&w, cairn_settings_check(w.context, &s), "allowed: refuse, project");
    s = cairn_settings_default();
    s.event_floor = 0;
    refused(&w, cairn_settings_check(w.context, &s), "event_floor");
    s = cairn_settings_default();
    s.solver.threads = CAIRN_MAX_THREADS + 1;
    refused(&w, cairn_settings_check(w.context, &s), "threads");
    s = cairn_settings_default();
    s.step = -1;
    s.solver.max_iterations = -1; /* all errors at once */
    cairn_context_clear(w.context);
    assert_int_equal(cairn_settings_check(w.context, &s), CAIRN_INVALID);
    assert_int_equal(cairn_context_message_count(w.context), 2);

    s = cairn_settings_default();
    s.law.kind = CAIRN_LAW_CONVEX_CONE;
    s.integrator = CAIRN_INTEGRATOR_STIFF2;
    refused(&w, cairn_settings_check(w.context, &s), "lift off");

    cairn_law law = {CAIRN_LAW_BOX, 0};
    assert_false(cairn_law_parse("pyramid(5)", &law));
    assert_false(cairn_law_parse("pyramid(2)", &law));
    assert_false(cairn_law_parse("pyramid(8) ", &law));
    assert_false(cairn_law_parse("conus", &law));
    assert_false(cairn_law_parse("cone(4)", &law));
    assert_int_equal(law.kind, CAIRN_LAW_BOX);
    assert_true(cairn_law_parse("pyramid(10)", &law));
    assert_int_equal(law.directions, 10);
    world_free(&w);
}

static double pair_friction(const world *w)
{
    double friction, restitution;
    crn_materials_pair(w->model, w->model->shapes[0].material, w->model->shapes[1].material, &friction, &restitution);
    return friction;
}

static void pairs_of_materials(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_material ice = add_material(w.model, "ice", 0.09, 0.2), rock = add_material(w.model, "rock", 0.64, 0.1);
    add_point(w.model, "a", 1, 0, 0, ice);
    add_point(w.model, "b", 1, 0, 0, rock);
    double friction, restitution;
    crn_materials_pair(w.model, w.model->shapes[0].material, w.model->shapes[1].material, &friction, &restitution);
    assert_near(friction, 0.24, 1e-15);
    assert_near(restitution, 0.2, 0);
    assert_int_equal(cairn_model_set_pair(w.model, rock, ice, 0.05, 0), CAIRN_OK);
    assert_near(pair_friction(&w), 0.05, 0);
    refused(&w, cairn_model_set_pair(w.model, ice, rock, 0.1, 0), "twice");
    refused(&w, cairn_model_set_pair(w.model, ice, ice, 0.1, 2), "restitution");
    refused(&w, cairn_model_set_pair(w.model, ice, ice, -0.1, 0), "friction");
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_of_planar_shapes),
        cmocka_unit_test(masses_of_spatial_shapes),
        cmocka_unit_test(masses_of_ellipses),
        cmocka_unit_test(wrong_bodies),
        cmocka_unit_test(wrong_shapes),
        cmocka_unit_test(wrong_links),
        cmocka_unit_test(wrong_settings),
        cmocka_unit_test(pairs_of_materials),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
