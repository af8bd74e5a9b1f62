/* Impacts against closed forms: what friction takes in both phases, restitution that makes no energy, the times of jumps and edges,
 * and the impulses that runs tell.
 *
 * Bodies here have the same inertia about every axis and fly without gravity, so that their velocities are constant between
 * impacts, in the plane and in space, and kinetic energy is m v^2/2 + I w^2/2 of the state.
 */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum
{
    TIPS = 4
};

/* A rigid body that touches the floor with a few points. */
typedef struct probe
{
    int dimension;
    double mass, inertia;
    double x[3], v[3], w[3];
    int count;
    double arm[TIPS][3], mu[TIPS], e[TIPS];
} probe;

static const cairn_integrator FIRST_ORDER[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF};
static const cairn_integrator SECOND_ORDER[] = {CAIRN_INTEGRATOR_TRAPEZOID, CAIRN_INTEGRATOR_TRAPEZOID2,
                                                CAIRN_INTEGRATOR_STIFF2};

static void cross(const double a[3], const double b[3], double out[3])
{
    double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out = x turned about w by the angle |w| t (Rodrigues). */
static void turn(const double x[3], const double w[3], double t, double out[3])
{
    double rate = sqrt(dot(w, w)), c = cos(rate * t), s = sin(rate * t), axis[3], side[3], kept[3];
    memcpy(kept, x, sizeof kept);
    for (int k = 0; k < 3; ++k)
        axis[k] = rate > 0 ? w[k] / rate : 0;
    cross(axis, kept, side);
    double along = dot(axis, kept);
    for (int k = 0; k < 3; ++k)
        out[k] = c * kept[k] + s * side[k] + (1 - c) * along * axis[k];
}

/* Angular velocity in the world's frame. */
static void spin_of(int dimension, const cairn_body_state *s, double out[3])
{
    const double *q = s->orientation;
    double v[3] = {q[1], q[2], q[3]}, twice[3], again[3];
    memcpy(out, s->angular_velocity, sizeof(double[3]));
    if (dimension == 2)
        return;
    cross(v, out, twice);
    cross(v, twice, again);
    for (int k = 0; k < 3; ++k)
        out[k] += 2 * (q[0] * twice[k] + again[k]);
}

/* Upward velocity of a point of a body. */
static double rise(int up, const double v[3], const double w[3], const double arm[3])
{
    double u[3];
    cross(w, arm, u);
    return v[up] + u[up];
}

static double kinetic(const world *w, const probe *p)
{
    cairn_body_state s = world_body(w, "probe");
    return 0.5 * p->mass * dot(s.velocity, s.velocity) + 0.5 * p->inertia * dot(s.angular_velocity, s.angular_velocity);
}

/* ------------------------------------------------------------------------------------------------------ worlds */

static cairn_settings some_settings(cairn_integrator integrator, double h)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.step = h;
    settings.stabilisation = CAIRN_STABILISE_NONE;
    settings.restitution_threshold = 1e-4;
    settings.solver.tolerance = 1e-11;
    return settings;
}

/* A floor at height 0 and nothing that pulls. */
static world still_world(int dimension, cairn_material *ground)
{
    world w = world_new(dimension);
    double none[3] = {0, 0, 0};
    assert_int_equal(cairn_model_set_gravity(w.model, none), CAIRN_OK);
    *ground = add_material(w.model, "ground", 0, 0);
    add_ground(w.model, *ground);
    return w;
}

static cairn_material surface(world *w, cairn_material ground, int number, double mu, double e)
{
    char name[16];
    snprintf(name, sizeof name, "tip%d", number);
    cairn_material material = add_material(w->model, name, 0, 0);
    assert_int_equal(cairn_model_set_pair(w->model, ground, material, mu, e), CAIRN_OK);
    return material;
}

static cairn_body add_probe(world *w, cairn_material ground, const probe *p)
{
    cairn_body_options o = cairn_body_default();
    cairn_body body = {0};
    o.name = "probe";
    o.mass = p->mass;
    o.inertia[0] = o.inertia[1] = p->dimension == 3 ? p->inertia : 0;
    o.inertia[2] = p->inertia;
    memcpy(o.position, p->x, sizeof o.position);
    memcpy(o.velocity, p->v, sizeof o.velocity);
    memcpy(o.angular_velocity, p->w, sizeof o.angular_velocity);
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    for (int i = 0; i < p->count; ++i)
    {
        cairn_shape_options shape = cairn_shape_default(CAIRN_POINT);
        cairn_shape out;
        memcpy(shape.position, p->arm[i], sizeof shape.position);
        shape.material = surface(w, ground, i, p->mu[i], p->e[i]);
        assert_int_equal(cairn_model_add_shape(w->model, body, &shape, &out), CAIRN_OK);
    }
    return body;
}

/* Mass, inertia and velocity at random: it comes down. */
static probe some_probe(uint64_t *seed, int dimension)
{
    probe p = {.dimension = dimension, .count = 1};
    p.mass = random_in(seed, 0.5, 2);
    p.inertia = p.mass * pow(10, random_in(seed, -1.5, 0.5));
    for (int k = 0; k < dimension; ++k)
        p.v[k] = random_in(seed, -2, 2);
    for (int k = dimension == 2 ? 2 : 0; k < 3; ++k)
        p.w[k] = random_in(seed, -2, 2);
    p.v[dimension - 1] = -random_in(seed, 1, 3);
    return p;
}

/* A tip somewhere below the centre of mass. */
static void some_tip(uint64_t *seed, probe *p, int i)
{
    for (int k = 0; k < p->dimension - 1; ++k)
        p->arm[i][k] = random_in(seed, -1, 1);
    p->arm[i][p->dimension - 1] = -random_in(seed, 0.2, 1);
    p->mu[i] = random_in(seed, 0, 2);
    p->e[i] = random_in(seed, 0, 1);
}

/* ------------------------------------------------------------------------------------------- friction in both phases */

/* The tangential impulse over m of a ball, or of a point, that comes down at v_n and slides at v_t: Coulomb's bound, or what
 * stops the slip; `easy`: m times the mobility of the touching point along the floor. */
static double brake(double mu, double e, bool both, double v_n, double v_t, double easy)
{
    return fmin(mu * v_n * (both ? 1 + e : 1), v_t / easy);
}

static void one_slide(uint64_t *seed, int dimension, cairn_integrator integrator, cairn_impact impact, bool ball)
{
    cairn_material ground;
    world w = still_world(dimension, &ground);
    int up = dimension - 1;
    double mu = random_in(seed, 0.05, 1), e = random_in(seed, 0, 1), r = ball ? 0.2 : 0, mass = 1.7;
    double v_n = random_in(seed, 0.5, 3), v_t = random_in(seed, 0.3, 6), way = random_in(seed, 0, 6.28);
    cairn_material rough = surface(&w, ground, 0, mu, e);
    double origin[3] = {0}, easy = !ball ? 1 : dimension == 2 ? 3 : 3.5; /* 1 + m r^2/I */
    cairn_body body =
        ball ? add_ball(w.model, "body", mass, r, origin, rough) : add_point(w.model, "body", mass, 0, 1, rough);
    cairn_settings settings = some_settings(integrator, 0.01);
    settings.impact = impact;
    settings.initial = CAIRN_INITIAL_PROJECT; /* it is placed below */
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, body);
    double along[3] = {dimension == 2 ? (way < 3.14 ? 1 : -1) : cos(way), dimension == 2 ? 0 : sin(way), 0};
    memset(s.velocity, 0, sizeof s.velocity);
    for (int k = 0; k < 3; ++k)
        s.velocity[k] = v_t * along[k];
    s.velocity[up] = -v_n;
    s.position[up] = r + v_n * 0.01 * random_in(seed, 0.01, 4.99);
    assert_int_equal(cairn_simulation_set_body(w.simulation, body, &s), CAIRN_OK);
    world_run(&w, 6);
    s = cairn_simulation_body(w.simulation, body);
    double lost = brake(mu, e, impact == CAIRN_IMPACT_POISSON_FRICTION, v_n, v_t, easy);
    assert_near(s.velocity[up], e * v_n, 1e-8);
    for (int k = 0; k < up; ++k)
        assert_near(s.velocity[k], (v_t - lost) * along[k], 1e-7);
    assert_near(sqrt(dot(s.angular_velocity, s.angular_velocity)), ball ? (easy - 1) * lost / r : 0, 1e-6);
    world_free(&w);
}

static void friction_acts_in_one_phase_or_both(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int n = 0; n < 240; ++n)
    {
        cairn_impact impact = n % 2 ? CAIRN_IMPACT_POISSON : CAIRN_IMPACT_POISSON_FRICTION;
        one_slide(&seed, 2 + n / 2 % 2, SECOND_ORDER[n / 4 % 3], impact, n / 12 % 2);
    }
}

/* Two tips of a slender body that slides fast: what one gives back presses the other, which has less restitution, into the floor
 * again, and friction at its bound counts the impulses of both phases. */
static void one_pair(uint64_t *seed)
{
    cairn_material ground;
    world w = still_world(2, &ground);
    probe p = {.dimension = 2, .mass = 1, .inertia = random_in(seed, 0.1, 0.3), .count = 2};
    double h = 1e-4;
    for (int i = 0; i < 2; ++i)
    {
        p.arm[i][0] = i ? 1 : -1;
        p.arm[i][1] = -0.2;
        p.mu[i] = random_in(seed, 0.05, 0.2);
        p.e[i] = i ? random_in(seed, 0.5, 0.9) : random_in(seed, 0, 0.3);
    }
    p.v[0] = 10;
    p.v[1] = -random_in(seed, 1, 2);
    p.x[1] = 0.2 - 0.5 * h * p.v[1];
    add_probe(&w, ground, &p);
    cairn_settings settings = some_settings(CAIRN_INTEGRATOR_STIFF2, h);
    settings.impact = CAIRN_IMPACT_POISSON_FRICTION;
    world_start(&w, &settings);
    world_step(&w);
    assert_int_equal(cairn_simulation_contact_count(w.simulation), 2);
    for (int i = 0; i < 2; ++i)
    {
        cairn_contact c = cairn_simulation_contact(w.simulation, i);
        assert_true(c.impulse[0] > 0.1);
        assert_near(fabs(c.impulse[1]), c.friction * c.impulse[0], 1e-9);
    }
    world_free(&w);
}

static void friction_counts_what_presses_in_both_phases(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int n = 0; n < 40; ++n)
        one_pair(&seed);
}

/* ------------------------------------------------------------------------------------- restitution without friction */

/* A body with one tip without friction that strikes after a while; its arm then in `arm`. */
static probe some_striker(uint64_t *seed, int dimension, double strikes, double arm[3])
{
    int up = dimension - 1;
    probe p;
    do
    {
        p = some_probe(seed, dimension);
        some_tip(seed, &p, 0);
        turn(p.arm[0], p.w, strikes, arm);
    } while (rise(up, p.v, p.w, arm) > -0.2);
    p.mu[0] = 0;
    p.x[up] = -arm[up] - p.v[up] * strikes;
    return p;
}

static void one_bounce(uint64_t *seed, int dimension, cairn_integrator integrator, cairn_impact impact)
{
    cairn_material ground;
    world w = still_world(dimension, &ground);
    double h = 2e-4, arm[3], spin[3];
    int up = dimension - 1, steps = 1 + (int)random_in(seed, 0, 3);
    double strikes = h * (steps + random_in(seed, 0.1, 0.9));
    probe p = some_striker(seed, dimension, strikes, arm);
    cairn_body body = add_probe(&w, ground, &p);
    cairn_settings settings = some_settings(integrator, h);
    settings.impact = impact;
    world_start(&w, &settings);
    /* first-order schemes strike by their rows at the start of the step */
    turn(p.arm[0], p.w, integrator < CAIRN_INTEGRATOR_TRAPEZOID ? steps * h : strikes, arm);
    world_run(&w, 5);
    cairn_body_state s = cairn_simulation_body(w.simulation, body);
    spin_of(dimension, &s, spin);
    assert_near(rise(up, s.velocity, spin, arm), -p.e[0] * rise(up, p.v, p.w, arm), 1e-8);
    world_free(&w);
}

static void a_single_smooth_contact_leaves_with_its_restitution(void **state)
{
    (void)state;
    uint64_t seed = 23;
    for (int n = 0; n < 120; ++n)
    {
        cairn_impact impact = n % 2 ? CAIRN_IMPACT_POISSON : CAIRN_IMPACT_NEWTON;
        one_bounce(&seed, 2 + n / 2 % 2, SECOND_ORDER[n / 4 % 3], impact);
        one_bounce(&seed, 2 + n / 2 % 2, FIRST_ORDER[n / 4 % 2], CAIRN_IMPACT_NEWTON);
    }
}

/* ---------------------------------------------------------------------------------------- energy with friction, several tips */

/* A body with one to four tips that come down together or one after the other, far from a ball that strikes in the same step. */
static void several_tips(uint64_t *seed, probe *p, double h, bool together)
{
    int up = p->dimension - 1;
    double depth = random_in(seed, 0.2, 1), least = INFINITY;
    p->count = 1 + (int)random_in(seed, 0, TIPS);
    for (int i = 0; i < p->count; ++i)
    {
        some_tip(seed, p, i);
        p->arm[i][up] = together ? -depth : p->arm[i][up];
        least = fmin(least, p->arm[i][up]);
    }
    if (together)
        memset(p->w, 0, sizeof p->w);
    p->x[up] = -least - p->v[up] * h * random_in(seed, 0.1, 0.9);
}

/* J: the most that the kinetic energy grew by in a step, over all of it; *limited when an impact was held back. */
static double growth(world *w, const probe *p, int steps, bool *limited)
{
    double before = kinetic(w, p), most = -INFINITY, all = before;
    for (int n = 0; n < steps; ++n)
    {
        world_step(w);
        double now = kinetic(w, p);
        most = fmax(most, (now - before) / all);
        before = now;
        for (int i = 0; i < cairn_simulation_event_count(w->simulation); ++i)
            *limited = *limited || cairn_simulation_event(w->simulation, i).energy_grew;
    }
    return most;
}

/* Whether a tip that touches in the first step leaves slower than its restitution would have it. */
static bool bounced_less(const world *w, const probe *p)
{
    cairn_body_state s = world_body(w, "probe");
    int up = p->dimension - 1;
    double spin[3];
    spin_of(p->dimension, &s, spin);
    double before = rise(up, p->v, p->w, p->arm[0]), after = rise(up, s.velocity, spin, p->arm[0]);
    return p->count == 1 && before < -0.1 && after < -p->e[0] * before - 1e-6;
}

static bool one_landing(uint64_t *seed, int dimension, cairn_integrator integrator, cairn_impact impact)
{
    cairn_material ground;
    world w = still_world(dimension, &ground);
    probe p = some_probe(seed, dimension);
    int up = dimension - 1;
    double h = 1e-4, e = random_in(seed, 0.1, 1), speed = random_in(seed, 0.5, 3);
    bool first = integrator < CAIRN_INTEGRATOR_TRAPEZOID, limited = false;
    several_tips(seed, &p, h, random_in(seed, 0, 1) < 0.5);
    add_probe(&w, ground, &p);
    cairn_body other =
        add_point(w.model, "other", 1, 50, dimension == 2 ? 0.5 * h * speed : 0, surface(&w, ground, TIPS, 0.3, e));
    cairn_settings settings = some_settings(integrator, h);
    settings.impact = impact;
    settings.initial = CAIRN_INITIAL_PROJECT;
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, other);
    s.position[up] = 0.5 * h * speed;
    s.velocity[up] = -speed;
    assert_int_equal(cairn_simulation_set_body(w.simulation, other, &s), CAIRN_OK);
    double grew = growth(&w, &p, 1, &limited);
    limited = first ? bounced_less(&w, &p) : limited;
    assert_true(!first || !limited || grew > -1e-3); /* held back no more than it must be */
    grew = fmax(grew, growth(&w, &p, 4, &limited));
    if (!(grew <= 1e-9))
    {
        fail_msg("%s, %s, %dD, %d tips: kinetic energy grew by %.3g of it", cairn_integrator_name(integrator),
                 cairn_impact_name(impact), dimension, p.count, grew);
    }
    assert_near(cairn_simulation_body(w.simulation, other).velocity[up], e * speed, 1e-8);
    world_free(&w);
    return limited;
}

static void impacts_never_add_energy(void **state)
{
    (void)state;
    static const cairn_impact IMPACTS[] = {CAIRN_IMPACT_POISSON, CAIRN_IMPACT_NEWTON, CAIRN_IMPACT_POISSON_FRICTION};
    uint64_t seed = 37;
    int limited[3] = {0};
    for (int n = 0; n < 360; ++n)
    {
        cairn_impact impact = IMPACTS[n % 3];
        limited[n % 3] += one_landing(&seed, 2 + n / 3 % 2, SECOND_ORDER[n / 6 % 3], impact);
    }
    print_message("restitution held back: poisson %d, newton %d, poisson-friction %d of 120 each\n", limited[0],
                  limited[1], limited[2]);
    assert_true(limited[0] >= 3 && limited[1] >= 3); /* or nothing was tested */
}

static void first_order_bounces_never_add_energy(void **state)
{
    (void)state;
    uint64_t seed = 41;
    int limited = 0;
    for (int n = 0; n < 400; ++n)
        limited += one_landing(&seed, 2 + n / 2 % 2, FIRST_ORDER[n % 2], CAIRN_IMPACT_NEWTON);
    print_message("restitution held back: %d of 400\n", limited);
    assert_true(limited >= 3);
}

/* ------------------------------------------------------------------------------------------------------- jumps */

/* The one event of a kind in a run; NAN: none. Fails when there are several. */
static double time_of(world *w, int steps, cairn_event_kind kind)
{
    double time = NAN;
    for (int n = 0; n < steps; ++n)
    {
        world_step(w);
        for (int i = 0; i < cairn_simulation_event_count(w->simulation); ++i)
        {
            cairn_event event = cairn_simulation_event(w->simulation, i);
            assert_true(event.kind != kind || isnan(time));
            time = event.kind == kind ? event.time : time;
        }
    }
    return time;
}

/* A rod slides on its tip towards its own lean, on a smooth floor that becomes a rough one after n steps; a force presses the tip
 * itself, so that nothing changes before. Then mu is above (cos^2 + I/(m a^2))/(sin cos): friction would turn the tip into the
 * floor faster than any normal force lifts it, no finite force is a solution, and the velocity jumps. */
static void one_jump(uint64_t *seed, int n, double h)
{
    cairn_material ground;
    world w = still_world(2, &ground);
    double lean = random_in(seed, 0.8, 1.2), c = cos(lean), s = sin(lean), least = (c * c + 1.0 / 12) / (s * c);
    probe p = {.dimension = 2, .mass = 1, .inertia = 1.0 / 12, .count = 1};
    p.arm[0][0] = -c, p.arm[0][1] = -s, p.x[1] = s, p.v[0] = -random_in(seed, 0.5, 2);
    cairn_force_options o = cairn_force_default();
    cairn_force force;
    o.name = "press", o.force[1] = "-9.81", o.body = add_probe(&w, ground, &p);
    memcpy(o.point, p.arm[0], sizeof o.point);
    assert_int_equal(cairn_model_add_force(w.model, &o, &force), CAIRN_OK);
    cairn_settings settings = some_settings(CAIRN_INTEGRATOR_STIFF2, h);
    world_start(&w, &settings);
    assert_true(isnan(time_of(&w, n, CAIRN_EVENT_JUMP)));
    double before = kinetic(&w, &p), mu = least * random_in(seed, 1.2, 2);
    assert_int_equal(cairn_simulation_set_friction(w.simulation, mu), CAIRN_OK);
    assert_near(time_of(&w, 4, CAIRN_EVENT_JUMP), n * h, 1e-4 * h);
    assert_true(kinetic(&w, &p) < before);
    assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
    world_free(&w);
}

static void a_jump_is_listed_when_no_force_is_left(void **state)
{
    (void)state;
    uint64_t seed = 53;
    for (int n = 0; n < 40; ++n)
        one_jump(&seed, n % 4, 1e-3);
}

/* A table from x = `left` on, 2 m long, with its top at height 0. */
static void add_table(world *w, const char *name, double left, cairn_material material)
{
    double corners[8] = {0, -0.5, 2, -0.5, 2, 0, 0, 0};
    cairn_body_options o = cairn_body_default();
    cairn_shape_options shape = cairn_shape_default(CAIRN_POLYGON);
    cairn_body body;
    cairn_shape out;
    o.name = name, o.kind = CAIRN_FIXED, o.position[0] = left;
    shape.vertices = corners, shape.vertex_count = 4, shape.material = material;
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w->model, body, &shape, &out), CAIRN_OK);
}

/* A rod slides on its tip, towards its own lean, over a smooth table and at t1 onto a rough one; a force presses the tip itself, so that
 * nothing changes before. There mu is above (cos^2 + I/(m a^2))/(sin cos): friction would turn the tip into the table faster
 * than any normal force lifts it, no finite force is a solution, and the velocity jumps. */
static void one_jump_at_an_edge(uint64_t *seed, double t1, double h)
{
    world w = world_new(2);
    double lean = random_in(seed, 0.8, 1.2), c = cos(lean), s = sin(lean), least = (c * c + 1.0 / 12) / (s * c);
    double none[3] = {0, 0, 0}, v = random_in(seed, 0.5, 2);
    probe p = {.dimension = 2, .mass = 1, .inertia = 1.0 / 12, .count = 1};
    assert_int_equal(cairn_model_set_gravity(w.model, none), CAIRN_OK);
    cairn_material smooth = add_material(w.model, "smooth", 0, 0), rough = add_material(w.model, "rough", 0, 0);
    add_table(&w, "right", 0, smooth);
    add_table(&w, "left", -2, rough);
    p.arm[0][0] = -c, p.arm[0][1] = -s, p.x[0] = c + v * t1, p.x[1] = s, p.v[0] = -v;
    p.mu[0] = least * random_in(seed, 1.2, 2);
    cairn_force_options o = cairn_force_default();
    cairn_force force;
    o.name = "press", o.force[1] = "-9.81", o.body = add_probe(&w, rough, &p);
    memcpy(o.point, p.arm[0], sizeof o.point);
    assert_int_equal(cairn_model_add_force(w.model, &o, &force), CAIRN_OK);
    cairn_settings settings = some_settings(CAIRN_INTEGRATOR_STIFF2, h);
    world_start(&w, &settings);
    double before = kinetic(&w, &p);
    assert_near(time_of(&w, 6, CAIRN_EVENT_EDGE), t1, 1e-6 * h);
    assert_true(kinetic(&w, &p) < before);
    assert_int_equal(cairn_simulation_audit(w.simulation).count[CAIRN_VIOLATION_ENERGY], 0);
    world_free(&w);
}

static void a_jump_at_an_edge_adds_no_energy(void **state)
{
    (void)state;
    uint64_t seed = 59;
    for (int n = 0; n < 40; ++n)
        one_jump_at_an_edge(&seed, 1e-3 * random_in(&seed, 1.02, 4.98), 1e-3);
}

/* ------------------------------------------------------------------------------------------------------- edges */

/* A point or ball slides without friction along a table that ends at x = 0: the contact runs off it, or onto its edge, when the centre
 * is there. */
static void one_edge(uint64_t *seed, int dimension, cairn_integrator integrator, bool ball)
{
    world w = world_new(dimension);
    cairn_material smooth = add_material(w.model, "smooth", 0, 0);
    int up = dimension - 1;
    double h = 0.01, v = random_in(seed, 0.5, 3), time = h * random_in(seed, 1.05, 4.95), r = ball ? 0.1 : 0;
    double size[3] = {2, dimension == 2 ? 0.5 : 2, 0.5}, origin[3] = {0};
    cairn_body_options table = cairn_body_default();
    cairn_body fixed;
    table.name = "table", table.kind = CAIRN_FIXED, table.position[0] = -1, table.position[up] = -0.25;
    assert_int_equal(cairn_model_add_body(w.model, &table, &fixed), CAIRN_OK);
    cairn_shape_options shape = cairn_shape_default(dimension == 2 ? CAIRN_POLYGON : CAIRN_BOX);
    double corners[8] = {-1, -0.25, 1, -0.25, 1, 0.25, -1, 0.25};
    cairn_shape out;
    memcpy(shape.size, size, sizeof size);
    shape.vertices = corners, shape.vertex_count = 4, shape.material = smooth;
    assert_int_equal(cairn_model_add_shape(w.model, fixed, &shape, &out), CAIRN_OK);
    cairn_body body =
        ball ? add_ball(w.model, "body", 1, r, origin, smooth) : add_point(w.model, "body", 1, 0, 0, smooth);
    cairn_settings settings = some_settings(integrator, h);
    settings.initial = CAIRN_INITIAL_PROJECT;
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, body);
    memset(s.velocity, 0, sizeof s.velocity);
    s.position[0] = -v * time, s.position[1] = dimension == 3 ? random_in(seed, -0.5, 0.5) : 0;
    s.position[up] = r, s.velocity[0] = v;
    assert_int_equal(cairn_simulation_set_body(w.simulation, body, &s), CAIRN_OK);
    /* a corner begins half a millionth of a turn past the end of its face */
    assert_near(time_of(&w, 5, CAIRN_EVENT_EDGE), time, 1e-6 * h + 1e-6 * r / v);
    s = cairn_simulation_body(w.simulation, body);
    double fall = 5 * h - time;
    /* a slow ball stays on the edge for a while; `trapezoid`, of first order on rows that turn, holds faster ones, too */
    double holds = integrator == CAIRN_INTEGRATOR_TRAPEZOID ? 2.2 : 1.1;
    if (!ball || v * v > holds * 9.81 * r)
    {
        assert_near(s.velocity[0], v, 1e-6);
        assert_near(s.position[up], r - 0.5 * 9.81 * fall * fall, 1e-6);
    }
    world_free(&w);
}

static void an_edge_is_listed_when_it_is_passed(void **state)
{
    (void)state;
    uint64_t seed = 61;
    for (int n = 0; n < 96; ++n)
        one_edge(&seed, 2 + n % 2, SECOND_ORDER[n / 2 % 3], n / 6 % 2);
}

/* ---------------------------------------------------------------------------------------------------- impulses */

/* N s: the impulses of the contacts of a body, of the last step or of a frame, added to a sum in the world's frame. */
static void add_impulses(const cairn_contact *c, cairn_body body, double sum[3])
{
    double sign = c->a.id == body.id ? 1 : c->b.id == body.id ? -1 : 0;
    for (int k = 0; k < 3; ++k)
    {
        sum[k] +=
            sign * (c->impulse[0] * c->normal[k] + c->impulse[1] * c->tangent[0][k] + c->impulse[2] * c->tangent[1][k]);
    }
}

/* Frame after frame, m (v+ - v-) is what gravity and the contacts of the file gave. */
static void compare_with_file(world *w, const char *path, cairn_body body, const double pull[3], double mass, double h)
{
    cairn_run *run = NULL;
    cairn_body_state before[2], after[2];
    double largest = 0;
    assert_int_equal(cairn_run_open(w->context, path, &run), CAIRN_OK);
    assert_int_equal(cairn_run_body_count(run), 2);
    assert_int_equal(cairn_run_read_frame(run, 0, before), CAIRN_OK);
    for (int64_t f = 1; f < cairn_run_frame_count(run); ++f)
    {
        const cairn_contact *contacts;
        double sum[3] = {0};
        int count;
        assert_int_equal(cairn_run_read_contacts(run, f, &contacts, &count), CAIRN_OK);
        for (int i = 0; i < count; ++i)
        {
            add_impulses(&contacts[i], body, sum);
            largest = fmax(largest, fabs(contacts[i].impulse[1]) + fabs(contacts[i].impulse[2]));
        }
        assert_int_equal(cairn_run_read_frame(run, f, after), CAIRN_OK);
        for (int k = 0; k < 3; ++k)
        {
            double change = after[body.id - 1].velocity[k] - before[body.id - 1].velocity[k];
            assert_near(mass * change, sum[k] + mass * h * pull[k], 1e-9);
        }
        memcpy(before, after, sizeof before);
    }
    assert_true(largest > 0.005); /* friction took part */
    cairn_run_close(run);
}

/* A body that lands on a rough tip and bounces. */
static void one_record(uint64_t *seed, int dimension, cairn_integrator integrator)
{
    cairn_material ground;
    world w = still_world(dimension, &ground);
    probe p = some_probe(seed, dimension);
    char path[64];
    int up = dimension - 1;
    double h = 0.002, pull[3] = {0.3, 0, 0};
    pull[up] = -9.81;
    assert_int_equal(cairn_model_set_gravity(w.model, pull), CAIRN_OK);
    some_tip(seed, &p, 0);
    p.v[0] = 2, p.w[0] = p.w[1] = p.w[2] = 0, p.mu[0] = 0.4, p.arm[0][0] *= 0.1,
    p.arm[0][1] *= dimension == 3 ? 0.1 : 1;
    p.x[up] = -p.arm[0][up] - p.v[up] * h * random_in(seed, 1.05, 3.95);
    cairn_body body = add_probe(&w, ground, &p);
    cairn_settings settings = some_settings(integrator, h);
    cairn_recorder_options options = cairn_recorder_default();
    cairn_recorder *recorder = NULL;
    world_start(&w, &settings);
    snprintf(path, sizeof path, "restitution-%ld.h5", (long)getpid());
    assert_int_equal(cairn_recorder_create(w.context, path, w.simulation, &options, &recorder), CAIRN_OK);
    for (int n = 0; n < 6; ++n)
    {
        world_step(&w);
        assert_int_equal(cairn_recorder_write(recorder), CAIRN_OK);
    }
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    compare_with_file(&w, path, body, pull, p.mass, h);
    assert_int_equal(remove(path), 0);
    world_free(&w);
}

static void recorded_impulses_make_the_change_of_momentum(void **state)
{
    (void)state;
    uint64_t seed = 71;
    for (int n = 0; n < 20; ++n)
    {
        cairn_integrator integrator = n % 5 < 2 ? FIRST_ORDER[n % 5] : SECOND_ORDER[n % 5 - 2];
        one_record(&seed, 2 + n / 5 % 2, integrator);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_acts_in_one_phase_or_both),
        cmocka_unit_test(friction_counts_what_presses_in_both_phases),
        cmocka_unit_test(a_single_smooth_contact_leaves_with_its_restitution),
        cmocka_unit_test(impacts_never_add_energy),
        cmocka_unit_test(first_order_bounces_never_add_energy),
        cmocka_unit_test(a_jump_is_listed_when_no_force_is_left),
        cmocka_unit_test(a_jump_at_an_edge_adds_no_energy),
        cmocka_unit_test(an_edge_is_listed_when_it_is_passed),
        cmocka_unit_test(recorded_impulses_make_the_change_of_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
