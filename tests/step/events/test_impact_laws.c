/* One eccentric impact with friction on a moving plate, against its closed form: Newton's and Poisson's laws, restitution that
 * would make energy given back in part only, impulses, events. The first-order schemes limit their bounces likewise.
 *
 * A rigid body in the plane touches by a point at the arm r. With n = (0, 1) and t = (1, 0) its velocity there relative to the plate
 * is u, and impulses change it by the matrix D = [1/m + rx^2/J, -rx ry/J; -rx ry/J, 1/m + ry^2/J]. */
#include "support/check.h"
#include "support/problems/instances.h"
#include "support/worlds.h"

#include <stdio.h>

static const double GAP = 2e-7, STEP = 1e-6; /* m, s: the impact falls within one step */

typedef struct hit
{
    double mass, inertia, arm[2], mu, e, plate[2];
    double v[3];           /* vx, vy, w */
    double nn, nt, tt;     /* D */
    double u_n, u_t;       /* before */
    double r_n, r_t, work; /* outcome: impulses and what they did */
    double after_n, after_t;
} hit;

static void take(hit *x, double r_n, double r_t)
{
    x->r_n = r_n;
    x->r_t = r_t;
    x->after_n = x->u_n + x->nn * r_n + x->nt * r_t;
    x->after_t = x->u_t + x->nt * r_n + x->tt * r_t;
    x->work = 0.5 * (r_n * (x->u_n + x->after_n) + r_t * (x->u_t + x->after_t));
}

/* The normal velocity becomes `target`, with Coulomb's friction at the velocity after: stick, or slip one way or the other. */
static void close(hit *x, double target)
{
    double change = target - x->u_n, det = x->nn * x->tt - x->nt * x->nt;
    take(x, (x->tt * change + x->nt * x->u_t) / det, (-x->nn * x->u_t - x->nt * change) / det);
    for (int way = -1; way <= 1 && fabs(x->r_t) > x->mu * x->r_n * (1 + 1e-12); way += 2)
    {
        double r_n = change / (x->nn - way * x->mu * x->nt);
        hit slip = *x;
        take(&slip, r_n, -way * x->mu * r_n);
        *x = way * slip.after_t >= 0 ? slip : *x;
    }
}

/* The share s of restitution by one of the laws. */
static void strike(hit *x, cairn_impact law, double s)
{
    if (law == CAIRN_IMPACT_NEWTON)
    {
        close(x, -s * x->e * x->u_n);
        return;
    }
    close(x, 0);
    double back = s * x->e * x->r_n, r_t = x->r_t, most = law == CAIRN_IMPACT_POISSON ? 0 : x->mu * back;
    take(x, x->r_n + back, r_t);
    double more = fmax(-most, fmin(most, -x->after_t / x->tt));
    take(x, x->r_n, r_t + more);
}

/* The outcome that makes no energy; whether the law as it stands would have made some. */
static bool strike_rightly(hit *x, cairn_impact law)
{
    strike(x, law, 1);
    if (x->work <= 0)
        return false;
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i)
    {
        double middle = 0.5 * (low + high);
        strike(x, law, middle);
        *(x->work > 0 ? &high : &low) = middle;
    }
    strike(x, law, low);
    return true;
}

static hit draw(uint64_t *seed)
{
    hit x = {.mass = random_in(seed, 0.5, 2), .e = random_in(seed, 0.6, 1)};
    double angle = random_in(seed, 0.3, 2.8);
    x.inertia = x.mass * random_in(seed, 0.05, 0.3);
    x.arm[0] = cos(angle);
    x.arm[1] = -sin(angle);
    x.nn = 1 / x.mass + x.arm[0] * x.arm[0] / x.inertia;
    x.tt = 1 / x.mass + x.arm[1] * x.arm[1] / x.inertia;
    x.nt = -x.arm[0] * x.arm[1] / x.inertia;
    x.mu = fmin(random_in(seed, 0, 1.2), 0.8 * x.nn / fabs(x.nt)); /* no paradox of Painleve */
    x.plate[0] = random_in(seed, -1, 1);
    x.plate[1] = random_in(seed, -1, 1);
    x.v[2] = random_in(seed, -2, 2);
    x.u_n = random_in(seed, -2, -0.5);
    x.u_t = random_in(seed, -2, 2);
    x.v[0] = x.u_t + x.plate[0] + x.v[2] * x.arm[1];
    x.v[1] = x.u_n + x.plate[1] - x.v[2] * x.arm[0];
    return x;
}

static world build(const hit *x, const cairn_settings *settings, cairn_body *body)
{
    world w = world_new(2);
    assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0, 0, 0}), CAIRN_OK);
    cairn_material m = add_material(w.model, "m", x->mu, x->e);
    char motion[2][32];
    cairn_body_options plate = cairn_body_default(), o = cairn_body_default();
    plate.name = "plate";
    plate.kind = CAIRN_DRIVEN;
    for (int k = 0; k < 2; ++k)
    {
        snprintf(motion[k], sizeof motion[k], "%.17g*t", x->plate[k]);
        plate.motion_position[k] = motion[k];
    }
    cairn_body driven;
    assert_int_equal(cairn_model_add_body(w.model, &plate, &driven), CAIRN_OK);
    o.name = "body";
    o.mass = x->mass;
    o.inertia[2] = x->inertia;
    o.position[0] = -x->arm[0];
    o.position[1] = GAP - x->arm[1];
    assert_int_equal(cairn_model_add_body(w.model, &o, body), CAIRN_OK);
    cairn_shape_options plane = cairn_shape_default(CAIRN_HALF_PLANE), point = cairn_shape_default(CAIRN_POINT);
    plane.material = point.material = m;
    point.position[0] = x->arm[0];
    point.position[1] = x->arm[1];
    cairn_shape out;
    assert_int_equal(cairn_model_add_shape(w.model, driven, &plane, &out), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w.model, *body, &point, &out), CAIRN_OK);
    world_start(&w, settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, *body);
    s.velocity[0] = x->v[0];
    s.velocity[1] = x->v[1];
    s.angular_velocity[2] = x->v[2];
    assert_int_equal(cairn_simulation_set_body(w.simulation, *body, &s), CAIRN_OK);
    return w;
}

/* Velocities after the impact, from the impulses of the closed form. */
static void check_velocity(const hit *x, const cairn_body_state *s, double tolerance)
{
    assert_near(s->velocity[0], x->v[0] + x->r_t / x->mass, tolerance);
    assert_near(s->velocity[1], x->v[1] + x->r_n / x->mass, tolerance);
    double moment = x->arm[0] * x->r_n - x->arm[1] * x->r_t;
    assert_near(s->angular_velocity[2], x->v[2] + moment / x->inertia, tolerance * 20);
}

static void check_event(const world *w, const hit *x, bool limited)
{
    assert_int_equal(cairn_simulation_event_count(w->simulation), 1);
    cairn_event event = cairn_simulation_event(w->simulation, 0);
    assert_int_equal(event.kind, CAIRN_EVENT_COLLISION);
    assert_near(event.speed, x->u_n, 2e-5);
    assert_near(event.impulse, x->r_n, 2e-5);
    assert_int_equal(event.energy_grew, limited);
}

static void impacts_have_their_closed_form(void **state)
{
    (void)state;
    static const cairn_impact LAWS[] = {CAIRN_IMPACT_NEWTON, CAIRN_IMPACT_POISSON, CAIRN_IMPACT_POISSON_FRICTION};
    int limited[3] = {0};
    uint64_t seed = 11;
    for (int n = 0; n < 900; ++n)
    {
        hit x = draw(&seed);
        cairn_body body;
        cairn_settings settings = cairn_settings_default();
        settings.step = STEP;
        settings.integrator = (cairn_integrator)(CAIRN_INTEGRATOR_TRAPEZOID + n % 3);
        settings.impact = LAWS[n / 3 % 3];
        bool grew = strike_rightly(&x, settings.impact);
        if (!(x.after_n > 1e-3))
            continue; /* friction in the decompression holds it down */
        limited[n / 3 % 3] += grew;
        world w = build(&x, &settings, &body);
        world_step(&w);
        cairn_body_state s = cairn_simulation_body(w.simulation, body);
        check_velocity(&x, &s, 2e-5); /* the arm turns by 1e-6 rad up to the impact */
        check_event(&w, &x, grew);
        world_free(&w);
    }
    print_message("limited: %d by newton, %d by poisson, %d by poisson-friction\n", limited[0], limited[1], limited[2]);
    assert_true(limited[0] > 10);
}

/* First-order schemes: the same law in one step; of a limited bounce a few secants find the share. */
static void bounces_of_first_order_make_no_energy(void **state)
{
    (void)state;
    uint64_t seed = 12;
    int limited = 0;
    for (int n = 0; n < 600; ++n)
    {
        hit x = draw(&seed);
        cairn_body body;
        cairn_settings settings = cairn_settings_default();
        settings.step = STEP;
        settings.integrator = n % 2 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_EULER;
        bool grew = strike_rightly(&x, CAIRN_IMPACT_NEWTON);
        world w = build(&x, &settings, &body);
        world_step(&w);
        cairn_body_state s = cairn_simulation_body(w.simulation, body);
        double after = s.velocity[1] + s.angular_velocity[2] * x.arm[0] - x.plate[1];
        if (grew)
        {
            assert_true(after <= x.after_n + 2e-5);
            assert_true(after >= x.after_n - 0.01 * fabs(x.u_n));
        }
        else
        {
            check_velocity(&x, &s, 2e-5);
        }
        limited += grew;
        world_free(&w);
    }
    print_message("limited: %d\n", limited);
    assert_true(limited > 5);
}

/* A point runs into an overhang with restitution over a rough floor without: the overhang throws it back and down, so that in the
 * decompression friction acts at the floor. With the overhang's normal (-cos b, -sin b) and its impulse R, of which the share
 * e/(1 + e) is given back, the velocity after is  -(e/(1 + e)) R/m (cos b - mu sin b), and none up. */
static void friction_acts_in_the_decompression(void **state)
{
    (void)state;
    for (int n = 0; n < 12; ++n)
    {
        double b = 0.2 + 0.1 * (n / 3), e = 0.5, mu = 0.3, speed = 1.5;
        world w = world_new(2);
        assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0, 0, 0}), CAIRN_OK);
        cairn_material floor = add_material(w.model, "floor", mu, 0), wall = add_material(w.model, "wall", 0, e);
        assert_int_equal(cairn_model_set_pair(w.model, floor, wall, 0, e), CAIRN_OK);
        add_ground(w.model, floor);
        instance_wall(w.model, "overhang", (double[3]){GAP, 0, 0}, (double[3]){-cos(b), -sin(b), 0}, wall);
        cairn_body body = add_point(w.model, "point", 0.7, 0, 0, floor);
        cairn_settings settings = cairn_settings_default();
        settings.step = STEP;
        settings.integrator = (cairn_integrator)(CAIRN_INTEGRATOR_TRAPEZOID + n % 3);
        settings.impact = n % 2 ? CAIRN_IMPACT_POISSON : CAIRN_IMPACT_POISSON_FRICTION;
        world_start(&w, &settings);
        cairn_body_state s = cairn_simulation_body(w.simulation, body);
        s.velocity[0] = speed;
        assert_int_equal(cairn_simulation_set_body(w.simulation, body, &s), CAIRN_OK);
        world_step(&w);
        s = cairn_simulation_body(w.simulation, body);
        double R = 0;
        for (int i = 0; i < cairn_simulation_event_count(w.simulation); ++i)
        {
            cairn_event event = cairn_simulation_event(w.simulation, i);
            R += event.kind == CAIRN_EVENT_COLLISION ? event.impulse : 0;
        }
        assert_true(R > 0.7 * speed);
        assert_near(s.velocity[0], -e / (1 + e) * R / 0.7 * (cos(b) - mu * sin(b)), 1e-6);
        assert_near(s.velocity[1], 0, 1e-9);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_have_their_closed_form),
        cmocka_unit_test(friction_acts_in_the_decompression),
        cmocka_unit_test(bounces_of_first_order_make_no_energy),
    };
    return cmocka_run_group_tests_name("laws of impact", tests, NULL, NULL);
}
