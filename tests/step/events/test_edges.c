/* Bodies that slide over the edge of a table without friction: hundreds of random instances against the exact motion. */
#include "support/check.h"
#include "support/problems/instances.h"

#include <stdio.h>
#include <string.h>

static const double G = 9.81;

/* A table whose top is the plane of height 0 and which ends at x = 0; in space a box, or every third time the triangles of one. */
static void add_table(cairn_model *model, cairn_material material, int number)
{
    static const double CORNERS[24] = {-2, -1, -0.2, 0, -1, -0.2, 0, 1, -0.2, -2, 1, -0.2,
                                       -2, -1, 0,    0, -1, 0,    0, 1, 0,    -2, 1, 0};
    static const int TRIANGLES[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                      1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    cairn_body_options o = cairn_body_default();
    o.name = "table";
    o.kind = CAIRN_FIXED;
    cairn_body table;
    assert_int_equal(cairn_model_add_body(model, &o, &table), CAIRN_OK);
    bool planar = cairn_model_dimension(model) == 2;
    bool mesh = !planar && number % 3 == 0;
    cairn_shape_options shape = cairn_shape_default(planar ? CAIRN_POLYGON : mesh ? CAIRN_MESH : CAIRN_BOX);
    double corners[8] = {-2, -0.2, 0, -0.2, 0, 0, -2, 0};
    shape.vertices = corners;
    shape.vertex_count = 4;
    shape.size[0] = shape.size[1] = 2;
    shape.size[2] = 0.2;
    shape.position[0] = planar || mesh ? 0 : -1;
    shape.position[2] = planar || mesh ? 0 : -0.1;
    if (mesh)
    {
        shape.vertices = CORNERS;
        shape.vertex_count = 8;
        shape.triangles = TRIANGLES;
        shape.triangle_count = 12;
    }
    shape.material = material;
    cairn_shape out;
    assert_int_equal(cairn_model_add_shape(model, table, &shape, &out), CAIRN_OK);
}

/* The centre of a point (radius 0) or ball: straight on the table, then round its edge at the distance r, then free. */
static void exact(double r, double v, double t, double end, double out[4])
{
    double after = end - t, theta = 0, rate = r > 0 ? v / r : 0, x, y, vx, vy;
    if (r > 0 && v * v < G * r)
    {
        double h = after / 20000;
        while (after > h / 2 && r * rate * rate < G * cos(theta))
        {
            /* midpoint rule, fine enough for 1e-9 */
            double half = rate + h / 2 * G / r * sin(theta);
            rate += h * G / r * sin(theta + h / 2 * rate);
            theta += h * half;
            after -= h;
        }
    }
    x = r * sin(theta);
    y = r * cos(theta);
    vx = r > 0 ? r * rate * cos(theta) : v;
    vy = r > 0 ? -r * rate * sin(theta) : 0;
    out[0] = x + vx * after;
    out[1] = y + vy * after - 0.5 * G * after * after;
    out[2] = vx;
    out[3] = vy - G * after;
}

/* How far the edges told of the last step are from the time of the edge, in shares of what its bracket of 1e-7 of a part allows; a ball
 * meets the edge where the normal begins to turn, which rounding blurs. */
static double edges_off(const world *w, const instance *x, double r, int *edges)
{
    double off = 0;
    for (int i = 0; i < cairn_simulation_event_count(w->simulation); ++i)
    {
        cairn_event event = cairn_simulation_event(w->simulation, i);
        bool edge = event.kind == CAIRN_EVENT_EDGE;
        *edges += edge;
        off = edge ? fmax(off, fabs(event.time - x->time) / ((r > 0 ? 1e-4 : 1e-6) * x->h)) : off;
    }
    return off;
}

static double slide_over(instance *x, char why[200], double r)
{
    world w = world_new(x->dimension);
    int up = x->dimension - 1;
    double v = instance_uniform(x, 0.3, 2.5), sideways = x->dimension == 3 ? instance_uniform(x, -0.3, 0.3) : 0;
    cairn_material smooth = add_material(w.model, "smooth", 0, x->e);
    add_table(w.model, smooth, x->number);
    cairn_body_options o = cairn_body_default();
    o.name = "body";
    o.point = r == 0;
    o.mass = 0.8;
    o.position[0] = -v * x->time;
    o.position[up] = r;
    o.velocity[0] = v;
    o.velocity[1] = x->dimension == 3 ? sideways : 0;
    cairn_body body;
    assert_int_equal(cairn_model_add_body(w.model, &o, &body), CAIRN_OK);
    cairn_shape_options shape = cairn_shape_default(r == 0              ? CAIRN_POINT
                                                    : x->dimension == 2 ? CAIRN_CIRCLE
                                                                        : CAIRN_SPHERE);
    shape.radius = r;
    shape.material = smooth;
    cairn_shape out;
    assert_int_equal(cairn_model_add_shape(w.model, body, &shape, &out), CAIRN_OK);
    double off = INFINITY, truth[4], edge_off = 0;
    int edges = 0, steps = (int)(x->time / x->h) + 12;
    exact(r, v, x->time, steps * x->h, truth);
    bool good = cairn_simulation_create(w.context, w.model, &x->settings, &w.simulation) == CAIRN_OK;
    for (int n = 0; good && n < steps; ++n)
    {
        good = cairn_simulation_step(w.simulation) == CAIRN_OK;
        edge_off = fmax(edge_off, edges_off(&w, x, r, &edges));
    }
    bool within = x->offset >= 0.01; /* a step, not at its end */
    if (good)
    {
        cairn_body_state s = cairn_simulation_body(w.simulation, body);
        /* second order: what gravity does in a step, times its length; the velocity is off by a share of it */
        double rate = r > 0 ? fmax(v, sqrt(G * r)) / r : 0;
        double slack = (1 + x->h * rate * 20) * 1.5 * G * x->h * x->h + 1e-7;
        slack = x->settings.integrator == CAIRN_INTEGRATOR_TRAPEZOID && r > 0 ? slack + v * x->h : slack;
        off = fmax(fabs(s.position[0] - truth[0]), fabs(s.position[up] - truth[1])) / slack;
        off = fmax(off, fabs(s.velocity[0] - truth[2]) / (r > 0 ? 0.5 * G * x->h : 1e-7));
        off = fmax(off, fabs(s.velocity[up] - truth[3]) / (0.7 * G * x->h));
        off = x->dimension == 3 ? fmax(off, fabs(s.velocity[1] - sideways) / 1e-7) : off;
        off = fmax(off, within && edges != 1 ? INFINITY : edge_off);
        snprintf(why, 200, "%d edges, %.2g off, r %.2g, x %.5f %.5f for %.5f %.5f, v %.5f %.5f for %.5f %.5f", edges,
                 edge_off, r, s.position[0], s.position[up], truth[0], truth[1], s.velocity[0], s.velocity[up],
                 truth[2], truth[3]);
    }
    else
    {
        snprintf(why, 200, "%s", cairn_context_last_message(w.context));
    }
    world_free(&w);
    return off;
}

static double point_over(instance *x, char why[200])
{
    return slide_over(x, why, 0);
}

static double ball_over(instance *x, char why[200])
{
    return slide_over(x, why, instance_uniform(x, 0.05, 0.2));
}

static void points_slide_over_edges(void **state)
{
    (void)state;
    instances_check("point over an edge", point_over, 150);
}

static void balls_slide_over_edges(void **state)
{
    (void)state;
    instances_check("ball over an edge", ball_over, 150);
}

/* A box whose front corners pass the table's edge: the edge holds it in their place, each where its own corner was. Its centre stays
 * over the table, so that it goes straight on, and nothing happens. */
static double overhang(instance *x, char why[200])
{
    world w = world_new(x->dimension);
    int up = x->dimension - 1, steps = (int)(x->time / x->h) + 4;
    double v = instance_uniform(x, 0.3, 2), size[3] = {1, 0.4, 0.4}, at[3] = {-0.5 - v * x->time, 0, 0}, turn = 0;
    cairn_material smooth = add_material(w.model, "smooth", 0, x->e);
    add_table(w.model, smooth, x->number);
    at[up] = 0.2;
    cairn_body body = add_box(w.model, "box", 1.7, size, at, smooth);
    x->settings.initial = CAIRN_INITIAL_PROJECT;
    double off = INFINITY;
    bool good = cairn_simulation_create(w.context, w.model, &x->settings, &w.simulation) == CAIRN_OK;
    if (good)
    {
        cairn_body_state s = cairn_simulation_body(w.simulation, body);
        s.velocity[0] = v;
        good = cairn_simulation_set_body(w.simulation, body, &s) == CAIRN_OK;
    }
    int events = 0;
    for (int n = 0; good && n < steps; ++n)
    {
        good = cairn_simulation_step(w.simulation) == CAIRN_OK;
        events += cairn_simulation_event_count(w.simulation);
    }
    if (good)
    {
        cairn_body_state s = cairn_simulation_body(w.simulation, body);
        for (int k = 0; k < 3; ++k)
            turn = fmax(turn, fabs(s.angular_velocity[k]));
        off = fmax(fabs(s.velocity[0] - v), fmax(fabs(s.velocity[up]), turn)) / 1e-7;
        off = fmax(off, fmax(fabs(s.position[up] - 0.2), fabs(s.position[0] - at[0] - v * steps * x->h)) / 1e-8);
        off = events > 0 ? INFINITY : off;
        snprintf(why, 200, "%d events, v %.9f %.2e for %.9f, turns %.2e, y off by %.2e", events, s.velocity[0],
                 s.velocity[up], v, turn, s.position[up] - 0.2);
    }
    else
    {
        snprintf(why, 200, "%s", cairn_context_last_message(w.context));
    }
    world_free(&w);
    return off;
}

static void boxes_overhang(void **state)
{
    (void)state;
    instances_check("overhang", overhang, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_slide_over_edges),
        cmocka_unit_test(balls_slide_over_edges),
        cmocka_unit_test(boxes_overhang),
    };
    return cmocka_run_group_tests_name("edges", tests, NULL, NULL);
}
