/* Impacts at any time: hundreds of random instances of each situation, at the end of a step, just before it, just after it and
 * anywhere, against closed forms. */
#include "support/check.h"
#include "support/problems/instances.h"

#include <stdio.h>
#include <string.h>

static const double G = 9.81;

/* A body of some kind over (or before) a plane with the given normal; its reach along minus the normal in *reach. Flat faces
 * and balls, so that the impact is central. */
static cairn_body add_some(instance *x, cairn_model *model, cairn_material material, double *reach)
{
    double origin[3] = {0, 0, 0}, size[3] = {0.3, 0.2, 0.2};
    int up = x->dimension - 1;
    switch ((int)instance_uniform(x, 0, 3))
    {
    case 0:
        *reach = 0;
        return add_point(model, "body", 1.3, 0, 0, material);
    case 1:
        *reach = 0.12;
        return add_ball(model, "body", 1.3, 0.12, origin, material);
    default:
        *reach = size[up] / 2;
        return add_box(model, "body", 1.3, size, origin, material);
    }
}

static bool run_to(world *w, double until, double h, char why[200])
{
    int steps = (int)ceil(until / h - 1e-6);
    for (int n = 0; n < steps; ++n)
    {
        if (cairn_simulation_step(w->simulation) != CAIRN_OK)
        {
            snprintf(why, 200, "%s", cairn_context_last_message(w->context));
            return false;
        }
    }
    return true;
}

static bool begin(world *w, const cairn_settings *settings, char why[200])
{
    if (cairn_simulation_create(w->context, w->model, settings, &w->simulation) != CAIRN_OK)
    {
        snprintf(why, 200, "%s", cairn_context_last_message(w->context));
        return false;
    }
    return true;
}

static void place(world *w, cairn_body body, double height, double v_n, double v_t)
{
    int up = cairn_model_dimension(w->model) - 1;
    cairn_body_state s = cairn_simulation_body(w->simulation, body);
    s.position[up] = height;
    s.velocity[up] = v_n;
    s.velocity[0] = v_t;
    assert_int_equal(cairn_simulation_set_body(w->simulation, body, &s), CAIRN_OK);
}

/* ------------------------------------------------------------------------------------------------- flights and drops */

/* Straight flight or free fall on a floor: after it v = e v_n - g (t - t1), or rest where e is 0. */
static double fly(instance *x, char why[200], double gravity, double tolerance)
{
    world w = world_new(x->dimension);
    double pull[3] = {0, 0, 0}, reach;
    int up = x->dimension - 1;
    pull[up] = -gravity;
    assert_int_equal(cairn_model_set_gravity(w.model, pull), CAIRN_OK);
    cairn_material hard = add_material(w.model, "hard", 0, x->e);
    add_ground(w.model, hard);
    cairn_body body = add_some(x, w.model, hard, &reach);
    x->settings.contact_tolerance = tolerance;
    /* placed once the simulation is there: the model's own state need not be one of flight */
    double v = gravity > 0 && instance_uniform(x, 0, 1) < 0.5 ? 0 : instance_uniform(x, 0.3, 3),
           v_t = instance_uniform(x, -1, 1);
    double hits = v + gravity * x->time, height = reach + v * x->time + 0.5 * gravity * x->time * x->time;
    x->settings.initial = CAIRN_INITIAL_PROJECT;
    double off = INFINITY;
    if (begin(&w, &x->settings, why))
    {
        place(&w, body, height, -v, v_t);
        double end = ceil(x->time / x->h + 1.5) * x->h, left = end - x->time;
        bool again = gravity > 0 && x->e * hits * 2 / gravity < 1.2 * left && x->e > 0; /* it lands a second time */
        if (again)
        {
            off = 0;
        }
        else if (run_to(&w, end, x->h, why))
        {
            cairn_body_state s = cairn_simulation_body(w.simulation, body);
            double up_v = x->e > 0 ? x->e * hits - gravity * left : 0;
            double up_x = x->e > 0 ? x->e * hits * left - 0.5 * gravity * left * left : 0;
            double slack = 1e-7 + 100 * tolerance;
            off = fmax(fabs(s.velocity[up] - up_v) / slack, fabs(s.position[up] - reach - up_x) / slack);
            off = fmax(off, fabs(s.velocity[0] - v_t) / slack);
            snprintf(why, 200, "v %.6f for %.6f, gap %.2e for %.2e", s.velocity[up], up_v, s.position[up] - reach,
                     up_x);
        }
    }
    world_free(&w);
    return off;
}

static double flight(instance *x, char why[200])
{
    return fly(x, why, 0, 1e-9);
}

static double drop(instance *x, char why[200])
{
    return fly(x, why, G, 1e-9);
}

/* With a contact tolerance of 1e-5 m the body may be taken for landed that much too early. */
static double coarse_drop(instance *x, char why[200])
{
    return fly(x, why, G, 1e-5);
}

static void flights(void **state)
{
    (void)state;
    instances_check("flight", flight, 200);
}

static void drops(void **state)
{
    (void)state;
    instances_check("drop", drop, 200);
}

static void coarse_drops(void **state)
{
    (void)state;
    instances_check("coarse drop", coarse_drop, 200);
}

/* ------------------------------------------------------------------------------------------------------------- kinks */

/* A point slides along a floor into an incline: the part of its velocity along the incline stays, that across it is given
 * back e times. */
static double kink(instance *x, char why[200])
{
    world w = world_new(x->dimension);
    double pull[3] = {0, 0, 0}, origin[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
    int up = x->dimension - 1;
    double angle = instance_uniform(x, 0.02, 1.3), v = instance_uniform(x, 0.5, 3), g = x->number % 3 ? G : 0;
    pull[up] = -g;
    assert_int_equal(cairn_model_set_gravity(w.model, pull), CAIRN_OK);
    cairn_material hard = add_material(w.model, "hard", 0, x->e);
    add_ground(w.model, hard);
    normal[0] = -sin(angle);
    normal[up] = cos(angle);
    instance_wall(w.model, "incline", origin, normal, hard);
    cairn_body_options o = cairn_body_default();
    o.name = "point";
    o.point = true;
    o.mass = 0.7;
    o.position[0] = -v * x->time;
    o.velocity[0] = v;
    cairn_body body;
    assert_int_equal(cairn_model_add_body(w.model, &o, &body), CAIRN_OK);
    cairn_shape_options shape = cairn_shape_default(CAIRN_POINT);
    shape.material = hard;
    cairn_shape out;
    assert_int_equal(cairn_model_add_shape(w.model, body, &shape, &out), CAIRN_OK);
    double off = INFINITY;
    double end = ceil(x->time / x->h + 1.5) * x->h, left = end - x->time, across = x->e * v * sin(angle);
    double along = v * cos(angle) - g * sin(angle) * left, apart = across - g * cos(angle) * left;
    if (x->e > 0 && g > 0 && 2 * across / (g * cos(angle)) < 1.2 * left)
    {
        off = 0; /* it comes back to the incline */
    }
    else if (begin(&w, &x->settings, why) && run_to(&w, end, x->h, why))
    {
        cairn_body_state s = cairn_simulation_body(w.simulation, body);
        apart = x->e > 0 ? apart : 0;
        double u = s.velocity[0] * cos(angle) + s.velocity[up] * sin(angle);
        double n = -s.velocity[0] * sin(angle) + s.velocity[up] * cos(angle);
        off = fmax(fabs(u - along), fabs(n - apart)) / 1e-6;
        snprintf(why, 200, "along %.6f for %.6f, across %.6f for %.6f", u, along, n, apart);
    }
    world_free(&w);
    return off;
}

static void kinks(void **state)
{
    (void)state;
    instances_check("kink", kink, 200);
}

/* ----------------------------------------------------------------------------------------- events off, driven jumps */

/* A plastic body lands with events off: once down it stays down, and it has not gone on through the floor. */
static double landing(instance *x, char why[200])
{
    world w = world_new(x->dimension);
    cairn_material hard = add_material(w.model, "hard", x->mu, 0);
    add_ground(w.model, hard);
    double reach, height = instance_uniform(x, 0.02, 0.4), highest = 0, lowest = 0;
    cairn_body body = add_some(x, w.model, hard, &reach);
    x->settings.events = false;
    x->settings.initial = CAIRN_INITIAL_PROJECT;
    double off = INFINITY;
    if (begin(&w, &x->settings, why))
    {
        place(&w, body, reach + height, 0, 0);
        double down = sqrt(2 * height / G);
        off = run_to(&w, down + 2 * x->h, x->h, why) ? 0 : INFINITY;
        for (int n = 0; n < 30 && off == 0; ++n)
        {
            off = run_to(&w, x->h, x->h, why) ? 0 : INFINITY;
            double gap = cairn_simulation_body(w.simulation, body).position[x->dimension - 1] - reach;
            highest = fmax(highest, gap);
            lowest = fmin(lowest, gap);
        }
        off = fmax(off, fmax(highest / (2 * x->h * G * down), -lowest / (0.1 * x->h * G * down)));
        snprintf(why, 200, "rises to %.3g m and sinks to %.3g m from a fall of %.3g m", highest, lowest, height);
    }
    world_free(&w);
    return off;
}

static void landings_without_events(void **state)
{
    (void)state;
    instances_check("landing without events", landing, 100);
}

/* A plate starts at a speed V under a body that rests on it: (1 + e) V, and V where e is 0. */
static double jump(instance *x, char why[200])
{
    world w = world_new(x->dimension);
    int up = x->dimension - 1;
    double V = instance_uniform(x, 0.3, 2), reach;
    cairn_material hard = add_material(w.model, "hard", x->mu, x->e);
    char motion[64];
    snprintf(motion, sizeof motion, "%.17g*max(0, t - %.17g)", V, x->time);
    cairn_body_options o = cairn_body_default();
    o.name = "plate";
    o.kind = CAIRN_DRIVEN;
    o.motion_position[up] = motion;
    cairn_body plate;
    assert_int_equal(cairn_model_add_body(w.model, &o, &plate), CAIRN_OK);
    cairn_shape_options plane = cairn_shape_default(x->dimension == 2 ? CAIRN_HALF_PLANE : CAIRN_HALF_SPACE);
    plane.material = hard;
    cairn_shape out;
    assert_int_equal(cairn_model_add_shape(w.model, plate, &plane, &out), CAIRN_OK);
    cairn_body body = add_some(x, w.model, hard, &reach);
    x->settings.initial = CAIRN_INITIAL_PROJECT;
    double off = INFINITY, end = ceil(x->time / x->h + 1.5) * x->h, left = end - x->time;
    if (x->e > 0 && 2 * x->e * V / G < 1.2 * left)
    {
        off = 0; /* it is back on the plate */
    }
    else if (begin(&w, &x->settings, why))
    {
        place(&w, body, reach, 0, 0);
        if (run_to(&w, end, x->h, why))
        {
            double v = cairn_simulation_body(w.simulation, body).velocity[up];
            double expected = x->e > 0 ? (1 + x->e) * V - G * left : V;
            /* the moment of the jump is known to within the step's share in which a look at the plate finds it */
            off = fabs(v - expected) / (1e-5 + (x->e > 0 ? 0.05 * G * x->h : 0));
            snprintf(why, 200, "v %.6f for %.6f", v, expected);
        }
    }
    world_free(&w);
    return off;
}

static void driven_jumps(void **state)
{
    (void)state;
    instances_check("driven jump", jump, 100);
}

/* A plate of height a t^2/2 meets a body at rest, without gravity: (1 + e) a t from then on, and a t where e is 0, at the plate. */
static double meet(instance *x, char why[200])
{
    world w = world_new(x->dimension);
    int up = x->dimension - 1;
    double a = instance_uniform(x, 5, 50), reach, V = a * x->time, d = 0.5 * V * x->time;
    assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0, 0, 0}), CAIRN_OK);
    cairn_material hard = add_material(w.model, "hard", x->mu, x->e);
    char motion[64];
    snprintf(motion, sizeof motion, "%.17g*t^2", 0.5 * a);
    cairn_body_options o = cairn_body_default();
    o.name = "plate";
    o.kind = CAIRN_DRIVEN;
    o.motion_position[up] = motion;
    cairn_body plate;
    assert_int_equal(cairn_model_add_body(w.model, &o, &plate), CAIRN_OK);
    cairn_shape_options plane = cairn_shape_default(x->dimension == 2 ? CAIRN_HALF_PLANE : CAIRN_HALF_SPACE);
    plane.material = hard;
    cairn_shape out;
    assert_int_equal(cairn_model_add_shape(w.model, plate, &plane, &out), CAIRN_OK);
    cairn_body body = add_some(x, w.model, hard, &reach);
    x->settings.initial = CAIRN_INITIAL_PROJECT;
    double off = INFINITY, end = ceil(x->time / x->h + 0.5) * x->h, left = end - x->time;
    bool again = x->e > 0 && x->e * V < 0.6 * a * left; /* the plate comes again */
    if (again || !begin(&w, &x->settings, why))
    {
        off = again ? 0 : INFINITY;
    }
    else
    {
        place(&w, body, reach + d, 0, 0);
        if (run_to(&w, end, x->h, why))
        {
            cairn_body_state s = cairn_simulation_body(w.simulation, body);
            double v = x->e > 0 ? (1 + x->e) * V : a * end;
            double y = x->e > 0 ? d + (1 + x->e) * V * left : 0.5 * a * end * end;
            /* at rest on the plate it follows by a scheme of second order, and the plate is met to 1e-12 m */
            double slack = 1e-7 + (x->e > 0 ? 0 : 0.6 * a * x->h);
            off = fmax(fabs(s.velocity[up] - v) / slack,
                       fabs(s.position[up] - reach - y) / (slack * (left + x->h) + 1e-9));
            snprintf(why, 200, "v %.9f for %.9f, y %.9f for %.9f", s.velocity[up], v, s.position[up] - reach, y);
        }
    }
    world_free(&w);
    return off;
}

static void plates_that_come(void **state)
{
    (void)state;
    instances_check("plate that comes", meet, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flights),
        cmocka_unit_test(drops),
        cmocka_unit_test(coarse_drops),
        cmocka_unit_test(kinks),
        cmocka_unit_test(landings_without_events),
        cmocka_unit_test(driven_jumps),
        cmocka_unit_test(plates_that_come),
    };
    return cmocka_run_group_tests_name("impacts at any time", tests, NULL, NULL);
}
