/* Hollow cylinders and cones: distances against points all over the bodies, rays, a ball that rolls in a trough as a pendulum does, a
 * driven drum, circular orbits in a cone, a ball in its tip, and a wide step. */
#include "support/check.h"
#include "support/worlds.h"

#include <cairn/query.h>

#include <stdio.h>
#include <string.h>

static const double G = 9.81;

/* ------------------------------------------------------------------------------------------------------------ geometry */

/* The distance of a point of the hole from its wall, which the ends do not cut off. */
static double depth(double top, double low, double height, const double x[3])
{
    double slope = (top - low) / height, radius = low + slope * (x[2] + 0.5 * height);
    return (radius - hypot(x[0], x[1])) / sqrt(1 + slope * slope);
}

static void turn(const double q[4], const double x[3], double out[3])
{
    double w = q[0], u[3] = {q[1], q[2], q[3]}, once[3], twice[3];
    const int next[4] = {1, 2, 0, 1};
    for (int k = 0; k < 3; ++k)
        once[k] = u[next[k]] * x[next[k + 1]] - u[next[k + 1]] * x[next[k]];
    for (int k = 0; k < 3; ++k)
        twice[k] = u[next[k]] * once[next[k + 1]] - u[next[k + 1]] * once[next[k]];
    for (int k = 0; k < 3; ++k)
        out[k] = x[k] + 2 * (w * once[k] + twice[k]);
}

/* Point i of 40,000 that the hull of a shape's core has as its extreme ones, and how far the surface lies outside of it. */
static double extreme(const cairn_shape_options *o, int i, double x[3])
{
    double a = 2 * M_PI * (i % 200) / 200.0, b = M_PI * (i / 200) / 199.0, end = i % 2 ? 0.5 : -0.5;
    memset(x, 0, sizeof(double[3]));
    switch (o->kind)
    {
    case CAIRN_BOX:
        for (int k = 0; k < 3; ++k)
            x[k] = ((i >> k & 1) ? 0.5 : -0.5) * o->size[k];
        return 0;
    case CAIRN_CAPSULE:
        x[2] = end * o->length;
        return o->radius;
    case CAIRN_CYLINDER:
        x[0] = o->radius * cos(a);
        x[1] = o->radius * sin(a);
        x[2] = (i / 200 % 2 ? 0.5 : -0.5) * o->height;
        return 0;
    case CAIRN_ELLIPSOID:
        x[0] = o->radii[0] * sin(b) * cos(a);
        x[1] = o->radii[1] * sin(b) * sin(a);
        x[2] = o->radii[2] * cos(b);
        return 0;
    case CAIRN_HULL:
        memcpy(x, o->vertices + 3 * (i % o->vertex_count), sizeof(double[3]));
        return 0;
    default:
        return o->radius;
    }
}

/* The least distance of those points; and of a hole somewhere else in the world the same. */
static void distances(void **state)
{
    (void)state;
    const cairn_shape_kind kinds[] = {CAIRN_SPHERE,   CAIRN_BOX,       CAIRN_CAPSULE,
                                      CAIRN_CYLINDER, CAIRN_ELLIPSOID, CAIRN_HULL};
    uint64_t seed = 5;
    for (int i = 0; i < (IS_SANITIZED ? 48 : 240); ++i)
    {
        double top = random_in(&seed, 1, 2), low = i % 2 ? random_in(&seed, 0.3, 0.9) : top, points[30];
        cairn_shape_options hollow = cairn_shape_default(i % 2 ? CAIRN_HOLLOW_CONE : CAIRN_HOLLOW_CYLINDER);
        cairn_shape_options o = cairn_shape_default(kinds[i % 6]);
        hollow.radius = top;
        hollow.opening = i % 2 ? low : 0;
        hollow.height = 5;
        o.radius = o.length = 0.2;
        o.height = 0.3;
        for (int k = 0; k < 30; ++k)
            points[k] = random_in(&seed, -0.2, 0.2);
        memcpy(o.size, (double[3]){0.3, 0.2, 0.1}, sizeof o.size);
        memcpy(o.radii, (double[3]){0.3, 0.2, 0.1}, sizeof o.radii);
        o.vertices = points;
        o.vertex_count = 10;
        cairn_body_options body = cairn_body_default();
        double size = 0, tilt[4], at[3] = {random_in(&seed, 1, 9), random_in(&seed, -4, 4), 2}, x[3], q[4];
        for (int k = 0; k < 4; ++k)
            body.orientation[k] = q[k] = random_in(&seed, -1, 1);
        for (int k = 0; k < 4; ++k)
            size += q[k] * q[k];
        for (int k = 0; k < 4; ++k)
            q[k] /= sqrt(size);
        world w = world_new(3);
        cairn_body wall, thing;
        cairn_shape made;
        body.name = "wall";
        body.kind = CAIRN_FIXED;
        memcpy(body.position, at, sizeof at);
        assert_int_equal(cairn_model_add_body(w.model, &body, &wall), CAIRN_OK);
        assert_int_equal(cairn_model_add_shape(w.model, wall, &hollow, &made), CAIRN_OK);
        double inside[3] = {random_in(&seed, -0.6, 0.6), random_in(&seed, -0.6, 0.6), random_in(&seed, -1, 1)};
        turn(q, inside, x);
        body.name = "thing";
        body.kind = CAIRN_DYNAMIC;
        body.mass = 1;
        for (int k = 0; k < 3; ++k)
            body.position[k] = at[k] + x[k];
        size = 0;
        for (int k = 0; k < 4; ++k)
            body.orientation[k] = tilt[k] = random_in(&seed, -1, 1);
        for (int k = 0; k < 4; ++k)
            size += tilt[k] * tilt[k];
        for (int k = 0; k < 4; ++k)
            tilt[k] /= sqrt(size);
        assert_int_equal(cairn_model_add_body(w.model, &body, &thing), CAIRN_OK);
        assert_int_equal(cairn_model_add_shape(w.model, thing, &o, &made), CAIRN_OK);
        double least = INFINITY, back[4] = {q[0], -q[1], -q[2], -q[3]};
        for (int k = 0; k < 40000; ++k)
        {
            double local[3], out = extreme(&o, k, local), y[3];
            turn(tilt, local, y);
            turn(back, y, y);
            for (int j = 0; j < 3; ++j)
                y[j] += inside[j];
            least = fmin(least, depth(top, low, 5, y) - out);
        }
        cairn_query *query;
        cairn_distance found;
        assert_int_equal(cairn_query_create(w.context, w.model, &query), CAIRN_OK);
        assert_int_equal(cairn_query_distance(query, thing, wall, &found), CAIRN_OK);
        bool curved = o.kind == CAIRN_CYLINDER || o.kind == CAIRN_ELLIPSOID; /* of which the points are but samples */
        assert_true(found.distance <= least + 1e-12);
        assert_near(found.distance, least, curved ? 1e-4 : 1e-12);
        cairn_query_destroy(query);
        world_free(&w);
    }
}

static double to_segment(const double p[2], const double a[2], const double b[2])
{
    double d[2] = {b[0] - a[0], b[1] - a[1]}, x[2] = {p[0] - a[0], p[1] - a[1]};
    double s = fmin(1, fmax(0, (d[0] * x[0] + d[1] * x[1]) / (d[0] * d[0] + d[1] * d[1])));
    return hypot(x[0] - s * d[0], x[1] - s * d[1]);
}

/* Points around the rims: the ring in a half-plane is a quadrilateral, of which the outer side is far away. */
static void rims(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (int i = 0; i < 3000; ++i)
    {
        double top = 1, low = i % 2 ? random_in(&seed, 0.1, 0.9) : 1, h = random_in(&seed, 0.3, 1);
        double rho = random_in(&seed, 0, 1.4), z = random_in(&seed, -1.5, 1.5), way = random_in(&seed, 0, 6);
        const double a[2] = {low, -h}, b[2] = {top, h}, p[2] = {rho, z}, far_a[2] = {2, -h}, far_b[2] = {2, h};
        double exact = fmin(to_segment(p, a, b), fmin(to_segment(p, a, far_a), to_segment(p, b, far_b)));
        bool inside = fabs(z) < h && rho > low + (top - low) * (z + h) / (2 * h);
        world w = world_new(3);
        cairn_shape_options hollow = cairn_shape_default(i % 2 ? CAIRN_HOLLOW_CONE : CAIRN_HOLLOW_CYLINDER);
        cairn_body_options body = cairn_body_default();
        cairn_body wall;
        cairn_shape made;
        cairn_query *query;
        cairn_distance found;
        hollow.radius = top;
        hollow.opening = i % 2 ? low : 0;
        hollow.height = 2 * h;
        body.name = "wall";
        body.kind = CAIRN_FIXED;
        assert_int_equal(cairn_model_add_body(w.model, &body, &wall), CAIRN_OK);
        assert_int_equal(cairn_model_add_shape(w.model, wall, &hollow, &made), CAIRN_OK);
        assert_int_equal(cairn_query_create(w.context, w.model, &query), CAIRN_OK);
        const double x[3] = {rho * cos(way), rho * sin(way), z};
        assert_int_equal(cairn_query_closest(query, wall, x, &found), CAIRN_OK);
        assert_near(found.distance, inside ? -exact : exact, 1e-12);
        cairn_query_destroy(query);
        world_free(&w);
    }
}

/* A ray from inside ends on the wall, or leaves through an end; one from above the rim meets the ring's plane. */
static void rays(void **state)
{
    (void)state;
    uint64_t seed = 9;
    world w = world_new(3);
    cairn_shape_options hollow = cairn_shape_default(CAIRN_HOLLOW_CONE);
    cairn_body_options body = cairn_body_default();
    cairn_body wall;
    cairn_shape made;
    hollow.radius = 1;
    hollow.opening = 0.4;
    hollow.height = 2;
    body.name = "hopper";
    body.kind = CAIRN_FIXED;
    assert_int_equal(cairn_model_add_body(w.model, &body, &wall), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w.model, wall, &hollow, &made), CAIRN_OK);
    cairn_query *query;
    assert_int_equal(cairn_query_create(w.context, w.model, &query), CAIRN_OK);
    int met = 0;
    for (int i = 0; i < 2000; ++i)
    {
        double x[3] = {random_in(&seed, -0.3, 0.3), random_in(&seed, -0.3, 0.3), random_in(&seed, -0.9, 0.9)};
        double d[3] = {random_in(&seed, -1, 1), random_in(&seed, -1, 1), random_in(&seed, -1, 1)};
        cairn_ray_hit hit;
        int count;
        if (depth(1, 0.4, 2, x) < 0.01)
            continue;
        assert_int_equal(cairn_query_ray(query, x, d, INFINITY, &hit, 1, &count), CAIRN_OK);
        if (count == 0) /* it leaves through the mouth */
        {
            double s = ((d[2] > 0 ? 1 : -1) - x[2]) / d[2], rim = d[2] > 0 ? 1 : 0.4;
            assert_true(hypot(x[0] + s * d[0], x[1] + s * d[1]) <= rim + 1e-9);
            continue;
        }
        ++met;
        assert_near(depth(1, 0.4, 2, hit.point), 0, 1e-9);
        assert_near(hit.normal[2], 0.6 / hypot(0.6, 2), 1e-9);
        assert_true(hit.normal[0] * hit.point[0] + hit.normal[1] * hit.point[1] < 0);
    }
    assert_true(met > 500);
    cairn_ray_hit hit;
    int count;
    assert_int_equal(cairn_query_ray(query, (double[3]){1.5, 0, 3}, (double[3]){0, 0, -1}, INFINITY, &hit, 1, &count),
                     CAIRN_OK);
    assert_int_equal(count, 1);
    assert_near(hit.distance, 2, 1e-12);
    assert_near(hit.normal[2], 1, 1e-12);
    cairn_query_destroy(query);
    world_free(&w);
}

/* -------------------------------------------------------------------------------------------------------------- motion */

/* A trough whose axis lies at the angle `way`; gravity stays along z. */
static const char TROUGH[] =
    "dimension: 3\n"
    "parameters: {mu: 1, radius: 0.5, r: 0.1, x: 0, y: 0, z: 0, way: 0, rate: 0}\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: [{name: m, friction: mu}]\n"
    "bodies:\n"
    "  - name: drum\n"
    "    kind: driven\n"
    "    material: m\n"
    "    motion: {angle: rate*t, axis: [sin(way), -cos(way), 0]}\n"
    "    shapes: [{type: hollow-cylinder, radius: radius, height: 2,\n"
    "              orientation: {axis: [cos(way), sin(way), 0], angle: pi/2}}]\n"
    "  - {name: ball, position: [x, y, z], mass: 2, material: m, shapes: [{type: sphere, radius: r}]}\n";

typedef struct trough
{
    double mu, R, r, angle, way, rate, h;
    cairn_integrator integrator;
} trough;

static world start_trough(const trough *t)
{
    const char *name[8] = {"mu", "radius", "r", "x", "y", "z", "way", "rate"};
    double L = t->R - t->r, across = L * sin(t->angle);
    double number[8] = {t->mu,  t->R,   t->r, across * cos(t->way), across * sin(t->way), -L * cos(t->angle),
                        t->way, t->rate};
    cairn_parameter parameters[8];
    char value[8][32];
    for (int i = 0; i < 8; ++i)
    {
        snprintf(value[i], sizeof value[i], "%.17g", number[i]);
        parameters[i] = (cairn_parameter){name[i], value[i]};
    }
    cairn_settings settings;
    world w = world_parse(TROUGH, &settings, parameters, 8);
    settings.step = t->h;
    settings.integrator = t->integrator;
    settings.solver.tolerance = 1e-11;
    world_start(&w, &settings);
    return w;
}

/* theta'' = -k sin(theta) from rest, by Runge and Kutta with small steps. */
static double pendulum(double k, double theta, double t)
{
    double w = 0, h = t / 4000;
    for (int i = 0; i < 4000; ++i)
    {
        double a1 = -k * sin(theta), a2 = -k * sin(theta + 0.5 * h * w);
        double a3 = -k * sin(theta + 0.5 * h * (w + 0.5 * h * a1)), a4 = -k * sin(theta + h * (w + 0.5 * h * a2));
        double next = theta + h * w + h * h / 6 * (a1 + a2 + a3);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        theta = next;
    }
    return theta;
}

/* The angle of the ball at 0.7 s, off that of the pendulum. */
static double trough_error(const trough *t)
{
    double inertia = t->mu > 0 ? 1.4 : 1.0, exact = pendulum(G / (inertia * (t->R - t->r)), t->angle, 0.7);
    world w = start_trough(t);
    world_run(&w, (int)lround(0.7 / t->h));
    cairn_body_state at = world_body(&w, "ball");
    double across = cos(t->way) * at.position[0] + sin(t->way) * at.position[1];
    double error = fabs(atan2(across, -at.position[2]) - exact);
    assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-9);
    assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
    world_free(&w);
    return error;
}

/* A ball that rolls is a pendulum of the length R - r with 7/5 of its inertia; without friction with all of it. The error of second-order
 * steps is divided by four when the step is halved, that of first-order steps by two. */
static void rolls_as_a_pendulum(void **state)
{
    (void)state;
    for (int i = 0; i < 8; ++i)
    {
        bool second = i % 4 >= 2;
        trough t = {.mu = i % 2 ? 0 : 1, .R = 0.5, .r = 0.05 + 0.02 * i, .angle = 0.9 - 0.1 * i, .way = 0.8 * i};
        t.integrator = second ? CAIRN_INTEGRATOR_STIFF2 : CAIRN_INTEGRATOR_STIFF;
        t.h = second ? 0.01 : 0.001;
        double coarse = trough_error(&t);
        t.h /= 2;
        double fine = trough_error(&t);
        assert_true(coarse < (second ? 2e-3 : 5e-3));
        assert_true(fine < coarse / (second ? 3.2 : 1.7) + 5e-7);
    }
}

/* In a drum that turns, the ball stays at the bottom and its spin becomes rate R/r. */
static void turns_in_place(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        trough t = {.mu = 0.5, .R = 0.4, .r = 0.1, .way = 1.1 * i, .rate = 1.5, .h = 0.002 + 0.001 * i};
        world w = start_trough(&t);
        world_run(&w, 3000);
        cairn_body_state at = world_body(&w, "ball");
        double spin =
            sqrt(pow(at.angular_velocity[0], 2) + pow(at.angular_velocity[1], 2) + pow(at.angular_velocity[2], 2));
        assert_true(hypot(at.position[0], at.position[1]) < 0.2);
        assert_near(at.position[2], -0.3 * cos(asin(hypot(at.position[0], at.position[1]) / 0.3)), 1e-4);
        assert_true(spin > 1.5 * 4 * 0.5 && spin < 1.5 * 4 * 1.5);
        assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        world_free(&w);
    }
}

static const char CONE[] = "dimension: 3\n"
                           "parameters: {top: 1, low: 0, height: 1, r: 0.1, x: 0, z: 0, v: 0, mu: 0}\n"
                           "gravity: [0, 0, -9.81]\n"
                           "materials: [{name: m, friction: mu}]\n"
                           "bodies:\n"
                           "  - name: hopper\n"
                           "    kind: fixed\n"
                           "    material: m\n"
                           "    shapes: [{type: hollow-cone, radius: top, opening: low, height: height}]\n"
                           "  - {name: ball, position: [x, 0, z], velocity: [0, v, 0], mass: 3, material: m,\n"
                           "     shapes: [{type: sphere, radius: r}]}\n";

static world start_cone(const double number[8], double h, cairn_integrator integrator)
{
    const char *name[8] = {"top", "low", "height", "r", "x", "z", "v", "mu"};
    cairn_parameter parameters[8];
    char value[8][32];
    for (int i = 0; i < 8; ++i)
    {
        snprintf(value[i], sizeof value[i], "%.17g", number[i]);
        parameters[i] = (cairn_parameter){name[i], value[i]};
    }
    cairn_settings settings;
    world w = world_parse(CONE, &settings, parameters, 8);
    settings.step = h;
    settings.integrator = integrator;
    settings.solver.tolerance = 1e-11;
    world_start(&w, &settings);
    return w;
}

/* Without friction, a ball whose centre is at the radius rho circles at v^2 = g rho |n_rho| / n_z, n the normal of the wall. */
static void circles_in_a_cone(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        double top = 1.5, low = 0.2 + 0.1 * i, height = 1 + 0.3 * i, r = 0.05 + 0.02 * i, slope = (top - low) / height;
        double n_z = slope / sqrt(1 + slope * slope), n_rho = -1 / sqrt(1 + slope * slope), foot = 0.05 * i;
        double rho = low + slope * (foot + 0.5 * height) + r * n_rho, z = foot + r * n_z;
        double v = sqrt(G * rho * -n_rho / n_z), h = 0.005;
        const double number[8] = {top, low, height, r, rho, z, v, 0};
        world w = start_cone(number, h, CAIRN_INTEGRATOR_STIFF2);
        for (int k = 1; k <= 300; ++k)
        {
            world_step(&w);
            cairn_body_state at = world_body(&w, "ball");
            assert_near(hypot(at.position[0], at.position[1]), rho, 2e-4);
            assert_near(at.position[2], z, 2e-4);
            double angle = v / rho * k * h;
            assert_near(at.position[0], rho * cos(angle), 2e-3);
            assert_near(at.position[1], rho * sin(angle), 2e-3);
        }
        assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        world_free(&w);
    }
}

/* A ball in the tip of a cone touches it all around, and rests at r over the sine of half the angle above the tip. */
static void rests_in_the_tip(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        double top = 1, height = 0.8 + 0.5 * i, r = 0.2, sine = top / hypot(top, height);
        const double number[8] = {top, 0, height, r, i ? 0.02 : 0, -0.5 * height + r / sine + 0.05, 0, 0.3};
        world w = start_cone(number, 0.005, CAIRN_INTEGRATOR_STIFF);
        world_run(&w, 600);
        cairn_body_state at = world_body(&w, "ball");
        assert_near(at.position[2], -0.5 * height + r / sine, 1e-5);
        assert_near(hypot(at.position[0], at.position[1]), 0, 1e-5);
        assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        world_free(&w);
    }
}

/* A ball that crosses the drum in less than a step stays within it, whatever its direction. */
static void holds_fast_balls(void **state)
{
    (void)state;
    for (int i = 0; i < 24; ++i)
    {
        trough t = {.mu = 0.3, .R = 0.5, .r = 0.1, .angle = 0.3 * i, .way = 0.2, .h = 0.02};
        world w = start_trough(&t);
        cairn_body ball = cairn_model_body(world_model(&w), 1);
        cairn_body_state at = cairn_simulation_body(w.simulation, ball);
        double way = 0.7 * i;
        memcpy(at.velocity, (double[3]){60 * cos(way) * cos(0.2), 60 * cos(way) * sin(0.2), 60 * sin(way)},
               sizeof at.velocity);
        assert_int_equal(cairn_simulation_set_body(w.simulation, ball, &at), CAIRN_OK);
        for (int k = 0; k < 30; ++k)
        {
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
            at = cairn_simulation_body(w.simulation, ball);
            double across = cos(0.2) * at.position[0] + sin(0.2) * at.position[1];
            assert_true(hypot(across, at.position[2]) < 0.7); /* the corners of four tangent planes */
        }
        world_free(&w);
    }
}

static void refuses(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body_options body = cairn_body_default();
    cairn_body made;
    cairn_shape shape;
    body.name = "thing";
    body.mass = 1;
    assert_int_equal(cairn_model_add_body(w.model, &body, &made), CAIRN_OK);
    cairn_shape_options o = cairn_shape_default(CAIRN_HOLLOW_CONE);
    o.radius = o.height = 1;
    assert_int_equal(cairn_model_add_shape(w.model, made, &o, &shape), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "only fixed and driven bodies"));
    body.name = "wall";
    body.kind = CAIRN_FIXED;
    assert_int_equal(cairn_model_add_body(w.model, &body, &made), CAIRN_OK);
    o.opening = 1;
    assert_int_equal(cairn_model_add_shape(w.model, made, &o, &shape), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "body 'wall': hollow-cone: opening"));
    o.opening = 0;
    o.height = 0;
    assert_int_equal(cairn_model_add_shape(w.model, made, &o, &shape), CAIRN_INVALID);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances),
                                       cmocka_unit_test(rays),
                                       cmocka_unit_test(rims),
                                       cmocka_unit_test(rolls_as_a_pendulum),
                                       cmocka_unit_test(turns_in_place),
                                       cmocka_unit_test(circles_in_a_cone),
                                       cmocka_unit_test(rests_in_the_tip),
                                       cmocka_unit_test(holds_fast_balls),
                                       cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
