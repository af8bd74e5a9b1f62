/* The certificate of the physics: silent where the physics is right, and awake to each thing that is broken in a real step. */
#include "support/check.h"
#include "support/worlds.h"

#include "step/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double G = 9.81;

static const cairn_integrator ALL[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_TRAPEZOID,
                                       CAIRN_INTEGRATOR_TRAPEZOID2, CAIRN_INTEGRATOR_STIFF2};

static cairn_settings settings_of(cairn_integrator integrator, double h)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.step = h;
    return settings;
}

/* A ball thrown onto the ground, with friction and a spin. */
static world thrown_ball(int dimension, double friction, double restitution, const cairn_settings *settings)
{
    world w = world_new(dimension);
    cairn_material m = add_material(w.model, "m", friction, restitution);
    add_ground(w.model, m);
    double position[3] = {0, dimension == 2 ? 0.3 : 0, dimension == 2 ? 0 : 0.3};
    cairn_body ball = add_ball(w.model, "ball", 2, 0.1, position, m);
    world_start(&w, settings);
    cairn_body_state state = cairn_simulation_body(w.simulation, ball);
    state.velocity[0] = 1.3;
    state.velocity[dimension - 1] = -0.4;
    state.angular_velocity[dimension == 2 ? 2 : 1] = 3;
    assert_int_equal(cairn_simulation_set_body(w.simulation, ball, &state), CAIRN_OK);
    return w;
}

static int64_t count_of(const world *w, cairn_violation_kind kind)
{
    return cairn_simulation_audit(w->simulation).count[kind];
}

static int64_t count_all(const world *w)
{
    int64_t sum = 0;
    for (int kind = 0; kind < CAIRN_VIOLATION_KINDS; ++kind)
    {
        int64_t count = count_of(w, (cairn_violation_kind)kind);
        cairn_violation worst = cairn_simulation_audit(w->simulation).worst[kind];
        if (count > 0)
        {
            print_message("%s: %d, worst %g of %g at t = %g\n", cairn_violation_name((cairn_violation_kind)kind),
                          (int)count, worst.size, worst.allowance, worst.time);
        }
        sum += count;
    }
    return sum;
}

/* ------------------------------------------------------------------------------------------ impulses on record */

/* Impulses of all contacts of the last step, in the world, on the body that is not the ground. */
static void sum_impulses(const world *w, cairn_body body, double out[3])
{
    memset(out, 0, sizeof(double[3]));
    for (int j = 0; j < cairn_simulation_contact_count(w->simulation); ++j)
    {
        cairn_contact c = cairn_simulation_contact(w->simulation, j);
        double sign = c.a.id == body.id ? 1 : -1;
        for (int k = 0; k < 3; ++k)
        {
            out[k] += sign * (c.impulse[0] * c.normal[k] + c.impulse[1] * c.tangent[0][k] +
                              (cairn_model_dimension(world_model(w)) == 3 ? c.impulse[2] * c.tangent[1][k] : 0.0));
        }
    }
}

/* m (v+ - v-) = h m g + the impulses on record, in every step, also in those with impacts. */
static void check_recorded(int dimension, cairn_integrator integrator)
{
    double h = 0.013;
    cairn_settings settings = settings_of(integrator, h);
    world w = thrown_ball(dimension, 0.3, 0.7, &settings);
    cairn_body ball = cairn_model_body(world_model(&w), 1);
    int impacts = 0, rubbed = 0;
    for (int i = 0; i < 80; ++i)
    {
        cairn_body_state before = cairn_simulation_body(w.simulation, ball);
        world_step(&w);
        cairn_body_state after = cairn_simulation_body(w.simulation, ball);
        double sum[3];
        sum_impulses(&w, ball, sum);
        impacts += cairn_simulation_event_count(w.simulation) > 0;
        rubbed += fabs(sum[0]) > 1e-3;
        for (int k = 0; k < dimension; ++k)
        {
            double gravity = k == dimension - 1 ? -2 * h * G : 0.0;
            assert_near(sum[k], 2 * (after.velocity[k] - before.velocity[k]) - gravity, 1e-9);
        }
    }
    assert_true(rubbed > 0);
    assert_true(impacts > 2 || integrator < CAIRN_INTEGRATOR_TRAPEZOID);
    assert_int_equal(count_all(&w), 0);
    world_free(&w);
}

static void test_recorded_impulses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; ++i)
    {
        check_recorded(2, ALL[i]);
        check_recorded(3, ALL[i]);
    }
}

/* A bar on a hinge swings onto a ball's place on the wall: contact and hinge share the change of momentum. */
static void test_recorded_joints(void **state)
{
    (void)state;
    for (int i = 2; i < 5; ++i)
    {
        double h = 0.01;
        cairn_settings settings = settings_of(ALL[i], h);
        world w = world_new(2);
        cairn_material m = add_material(w.model, "m", 0.2, 0.5);
        add_ground(w.model, m);
        cairn_body bar = add_box(w.model, "bar", 1.5, (double[3]){1, 0.1, 0.1}, (double[3]){0.5, 0.4, 0}, m);
        cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
        o.name = "hinge";
        o.a.body = bar;
        o.a.point[0] = -0.5;
        o.b.point[1] = 0.4;
        cairn_joint joint;
        assert_int_equal(cairn_model_add_joint(w.model, &o, &joint), CAIRN_OK);
        world_start(&w, &settings);
        int impacts = 0;
        for (int step = 0; step < 60; ++step)
        {
            cairn_body_state before = cairn_simulation_body(w.simulation, bar);
            world_step(&w);
            cairn_body_state after = cairn_simulation_body(w.simulation, bar);
            double sum[3], c[6];
            sum_impulses(&w, bar, sum);
            assert_int_equal(cairn_simulation_joint_impulse(w.simulation, nth_joint(w.simulation, 0), c), 2);
            impacts += cairn_simulation_event_count(w.simulation) > 0;
            for (int k = 0; k < 2; ++k)
            {
                double gravity = k == 1 ? -1.5 * h * G : 0.0;
                assert_near(sum[k] + c[k], 1.5 * (after.velocity[k] - before.velocity[k]) - gravity, 1e-9);
            }
        }
        assert_true(impacts > 0);
        world_free(&w);
    }
}

/* --------------------------------------------------------------------------------------------- nothing to find */

static void check_clean(const char *name, double until, cairn_integrator integrator)
{
    cairn_settings settings;
    world w = world_load(name, &settings, NULL, 0);
    settings.integrator = integrator;
    world_start(&w, &settings);
    int steps = (int)fmin(200, ceil(until / settings.step));
    for (int i = 0; i < steps; ++i)
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
    int64_t found = count_all(&w);
    if (found > 0)
        print_error("%s, %s\n", name, cairn_integrator_name(integrator));
    assert_int_equal(found, 0);
    world_free(&w);
}

/* Joints, springs, driven bodies, meshes, patches, rows that give way, gyroscopic moments: nothing is wrong, and no alarm. */
static void test_no_false_alarm(void **state)
{
    (void)state;
    static const char *const FIRST[] = {"two-bars-mu-0.2", "bouncing-balls", "four-bar",     "gears",
                                        "hertz-mindlin",   "pendulum",       "shaken-block", "soft-impact",
                                        "tennis-racket",   "sphere-heap",    "rover",        "box-stack"};
    static const char *const SECOND[] = {"two-bars-mu-0.2", "bouncing-balls", "four-bar", "pendulum",
                                         "shaken-block",    "tennis-racket",  "pawl",     "double-pendulum"};
    for (size_t i = 0; i < sizeof FIRST / sizeof FIRST[0]; ++i)
        check_clean(FIRST[i], 0.3, CAIRN_INTEGRATOR_STIFF);
    for (size_t i = 0; i < sizeof SECOND / sizeof SECOND[0]; ++i)
        check_clean(SECOND[i], 0.3, CAIRN_INTEGRATOR_STIFF2);
}

/* Balls that touch, struck by another: two of them leave together, and the impulses between them follow from differences of rounded speeds. */
static void check_touching_row(double speed, cairn_integrator integrator)
{
    static const double NONE[3] = {0, 0, 0};
    cairn_settings settings = settings_of(integrator, 1e-3 / speed);
    world w = world_new(2);
    assert_int_equal(cairn_model_set_gravity(w.model, NONE), CAIRN_OK);
    cairn_material m = add_material(w.model, "m", 0, 1);
    const double x[3] = {-0.05, 0.2, 0.4};
    cairn_body ball[3];
    for (int i = 0; i < 3; ++i)
        ball[i] = add_ball(w.model, (const char *[]){"a", "b", "c"}[i], 1, 0.1, (const double[3]){x[i], 0, 0}, m);
    world_start(&w, &settings);
    cairn_body_state state = cairn_simulation_body(w.simulation, ball[0]);
    state.velocity[0] = speed;
    assert_int_equal(cairn_simulation_set_body(w.simulation, ball[0], &state), CAIRN_OK);
    world_run(&w, 600);
    double momentum = 0;
    for (int i = 0; i < 3; ++i)
        momentum += cairn_simulation_body(w.simulation, ball[i]).velocity[0];
    assert_near(momentum, speed, 1e-13 * speed);
    assert_int_equal(count_all(&w), 0);
    world_free(&w);
}

static void test_touching_row(void **state)
{
    (void)state;
    for (int i = 2; i < 5; ++i)
        for (double speed = 0.1; speed < 2e4; speed *= sqrt(10.0))
            check_touching_row(speed, ALL[i]);
}

/* Discs fall onto their rims and wobble until they lie flat: the lowest point runs along the rim in every step. */
static world wobbling_disc(int k, const cairn_settings *settings)
{
    world w = world_new(3);
    cairn_material m = add_material(w.model, "m", 0.2 + 0.1 * (k % 5), 0.5 * (k % 2));
    add_ground(w.model, m);
    double tilt = 0.03 + 0.13 * (k % 7);
    cairn_body_options disc = cairn_body_default();
    memcpy(disc.position, (double[3]){0, 0, 0.2}, sizeof disc.position);
    memcpy(disc.orientation, (double[4]){cos(tilt / 2), sin(tilt / 2), 0, 0}, sizeof disc.orientation);
    disc.name = "disc";
    cairn_body body = {0};
    assert_int_equal(cairn_model_add_body(w.model, &disc, &body), CAIRN_OK);
    cairn_shape_options round = cairn_shape_default(CAIRN_CYLINDER);
    round.radius = 0.1;
    round.height = 0.04 + 0.02 * (k % 6);
    round.density = 1000;
    round.material = m;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w.model, body, &round, &shape), CAIRN_OK);
    world_start(&w, settings);
    cairn_body_state state = cairn_simulation_body(w.simulation, body);
    state.angular_velocity[k % 3] = 0.7 * (k % 9);
    assert_int_equal(cairn_simulation_set_body(w.simulation, body, &state), CAIRN_OK);
    return w;
}

/* A point slides along a floor into a ramp, from which it bounces off. Friction at the floor, in proportion to the load of the step before, acts on it although the floor does
 * not press any more: it is not alone with the ramp. */
static void test_lagged_friction(void **state)
{
    (void)state;
    static const char SLIDE[] = "dimension: 2\n"
                                "parameters: {speed: 1, slope: 0.8}\n"
                                "materials: [{name: m, friction: 0.8, restitution: 1}]\n"
                                "bodies:\n"
                                "  - {name: floor, kind: fixed, material: m, shapes: [{type: half-plane}]}\n"
                                "  - {name: ramp, kind: fixed, material: m,\n"
                                "     shapes: [{type: half-plane, normal: [-sin(slope), cos(slope)]}]}\n"
                                "  - {name: point, point: true, material: m, mass: 1, position: [-0.02, 0],\n"
                                "     velocity: [speed, 0], shapes: [{type: point}]}\n";
    int bounced = 0;
    for (int k = 0; k < 40; ++k)
    {
        char speed[32], slope[32];
        snprintf(speed, sizeof speed, "%g", 1 + 0.1 * k);
        snprintf(slope, sizeof slope, "%g", 0.3 + 0.03 * k);
        cairn_settings settings;
        world w = world_parse(SLIDE, &settings, (const cairn_parameter[]){{"speed", speed}, {"slope", slope}}, 2);
        settings.integrator = k % 2 ? CAIRN_INTEGRATOR_EULER : CAIRN_INTEGRATOR_STIFF;
        settings.law.kind = CAIRN_LAW_LAGGED;
        settings.step = 0.004;
        world_start(&w, &settings);
        world_run(&w, 20);
        bounced += world_body(&w, "point").position[1] > 1e-3;
        assert_int_equal(count_all(&w), 0);
        world_free(&w);
    }
    assert_true(bounced > 30);
}

static void test_wobbling_discs(void **state)
{
    (void)state;
    for (int k = 0; k < 60; ++k)
    {
        cairn_settings settings =
            settings_of(k % 2 ? CAIRN_INTEGRATOR_EULER : CAIRN_INTEGRATOR_STIFF, 0.002 + 0.001 * (k % 4));
        world w = wobbling_disc(k, &settings);
        world_run(&w, 300);
        assert_int_equal(count_all(&w), 0);
        world_free(&w);
    }
}

/* ----------------------------------------------------------------------------------- something broken is found */

typedef void (*breaker)(const world *w, crn_piece *piece);

typedef struct broken_run
{
    const world *w;
    breaker hurt;
    int hurts;
} broken_run;

static void hurt_piece(void *data, crn_piece *piece)
{
    broken_run *run = data;
    bool works = piece->contact_count > 0 && fabs(piece->contacts[0].impulse[1]) > 1e-3;
    if (works && run->hurts++ == 0)
        run->hurt(run->w, piece);
}

/* Run the thrown ball with one piece broken: `kind` is found, once or more; unbroken nothing is. */
static void check_found(cairn_integrator integrator, breaker hurt, cairn_violation_kind kind)
{
    cairn_settings settings = settings_of(integrator, 0.013);
    world w = thrown_ball(2, 0.3, 0.7, &settings);
    broken_run run = {.w = &w, .hurt = hurt};
    w.simulation->ledger.watch = hurt_piece;
    w.simulation->ledger.watch_data = &run;
    for (int i = 0; i < 80 && run.hurts == 0; ++i)
    {
        assert_int_equal(count_all(&w), 0);
        world_step(&w);
    }
    assert_true(run.hurts > 0);
    if (count_of(&w, kind) == 0)
        print_error("%s: no violation '%s'\n", cairn_integrator_name(integrator), cairn_violation_name(kind));
    assert_true(count_of(&w, kind) > 0);
    cairn_violation worst = cairn_simulation_audit(w.simulation).worst[kind];
    assert_int_equal(worst.kind, kind);
    assert_false(worst.size <= worst.allowance); /* also when it is no number */
    assert_true(fabs(worst.time - cairn_simulation_time(w.simulation)) <= settings.step);
    world_free(&w);
}

static void hurt_restitution(const world *w, crn_piece *piece)
{
    (void)w;
    piece->contacts[0].restitution = 0.69;
}

/* Friction pushes along the slip, and the ball moves accordingly. */
static void hurt_friction(const world *w, crn_piece *piece)
{
    crn_piece_contact *c = &piece->contacts[0];
    int ball = c->body_a == 0 ? c->body_b : c->body_a;
    double sign = ball == c->body_a ? 1 : -1;
    piece->after[ball][0] -= sign * 2 * c->impulse[0] / 2;
    piece->after[ball][5] -=
        sign * 2 * 0.1 * c->impulse[0] / crn_inertia_about_z(&w->simulation->layout->inertia, ball);
    c->impulse[0] = -c->impulse[0];
}

static void hurt_cone(const world *w, crn_piece *piece)
{
    (void)w;
    crn_piece_contact *c = &piece->contacts[0];
    c->friction = 0.99 * fabs(c->impulse[0] / c->impulse[1]); /* a hundredth less than what acted */
}

/* One entry of the Jacobian: the moment of friction is off by a thousandth. */
static void hurt_jacobian(const world *w, crn_piece *piece)
{
    (void)w;
    crn_piece_contact *c = &piece->contacts[0];
    int ball = c->body_a == 0 ? c->body_b : c->body_a;
    piece->after[ball][5] += 1e-3 * (piece->after[ball][5] - piece->before[ball][5]);
}

static void hurt_velocity(const world *w, crn_piece *piece)
{
    (void)w;
    piece->after[1][1] += 1e-6;
}

static void hurt_book(const world *w, crn_piece *piece)
{
    (void)w;
    piece->book.friction *= 1 + 1e-6;
}

/* The ball leaves faster than it came, and its impulse says so. */
static void hurt_energy(const world *w, crn_piece *piece)
{
    (void)w;
    crn_piece_contact *c = &piece->contacts[0];
    int ball = c->body_a == 0 ? c->body_b : c->body_a;
    double more = fabs(piece->before[ball][1]) + 0.5 - piece->after[ball][1];
    piece->after[ball][1] += more;
    c->impulse[1] += (ball == c->body_a ? 1 : -1) * 2 * more;
    c->restitution = 1;
}

static void hurt_pull(const world *w, crn_piece *piece)
{
    (void)w;
    crn_piece_contact *c = &piece->contacts[0];
    c->impulse[0] = -c->impulse[0];
    c->impulse[1] = -c->impulse[1];
}

static void hurt_finite(const world *w, crn_piece *piece)
{
    (void)w;
    piece->after[1][0] = NAN;
}

static void test_broken_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; ++i)
    {
        check_found(ALL[i], hurt_restitution, CAIRN_VIOLATION_RESTITUTION);
        check_found(ALL[i], hurt_cone, CAIRN_VIOLATION_FRICTION);
        check_found(ALL[i], hurt_jacobian, CAIRN_VIOLATION_JUMP);
        check_found(ALL[i], hurt_velocity, CAIRN_VIOLATION_JUMP);
        check_found(ALL[i], hurt_book, CAIRN_VIOLATION_BOOK);
        check_found(ALL[i], hurt_energy, CAIRN_VIOLATION_ENERGY);
        check_found(ALL[i], hurt_pull, CAIRN_VIOLATION_PULL);
        check_found(ALL[i], hurt_finite, CAIRN_VIOLATION_NOT_FINITE);
    }
    check_found(CAIRN_INTEGRATOR_STIFF, hurt_friction, CAIRN_VIOLATION_FRICTION);
    check_found(CAIRN_INTEGRATOR_EULER, hurt_friction, CAIRN_VIOLATION_FRICTION);
}

/* ------------------------------------------------------------------------------------ groups, ends, what is said */

/* Two points on a spring far from all else: the spring pulls one of them harder than the other. */
static void hurt_momentum(void *data, crn_piece *piece)
{
    (void)data;
    piece->inner[0][0] *= 1 + 1e-6;
    piece->after[0][0] = piece->before[0][0] + piece->inner[0][0] / 3; /* its mass: the jump itself is on record */
}

static void check_momentum(bool hurt)
{
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF2, 0.01);
    world w = world_new(2);
    cairn_material m = add_material(w.model, "m", 0, 0);
    cairn_body a = add_point(w.model, "a", 3, 0, 0, m), b = add_point(w.model, "b", 1, 1, 0, m);
    add_spring(w.model, "s", (cairn_attachment){.body = a}, (cairn_attachment){.body = b}, 50, 0.1);
    world_start(&w, &settings);
    w.simulation->ledger.watch = hurt ? hurt_momentum : NULL;
    cairn_body_state pulled = cairn_simulation_body(w.simulation, b);
    pulled.position[0] = 1.5;
    assert_int_equal(cairn_simulation_set_body(w.simulation, b, &pulled), CAIRN_OK);
    world_step(&w);
    assert_int_equal(count_of(&w, CAIRN_VIOLATION_MOMENTUM), hurt ? 1 : 0);
    assert_int_equal(count_of(&w, CAIRN_VIOLATION_JUMP), 0);
    world_free(&w);
}

static void test_momentum(void **state)
{
    (void)state;
    check_momentum(false);
    check_momentum(true);
}

/* A body that starts within another is told at t = 0, with the depth; it is no new violation in the steps that push it out. */
static void test_initial_overlap(void **state)
{
    (void)state;
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF, 0.01);
    settings.initial = CAIRN_INITIAL_KEEP;
    world w = world_new(2);
    cairn_material m = add_material(w.model, "m", 0.3, 0);
    add_ground(w.model, m);
    add_ball(w.model, "ball", 1, 0.1, (double[3]){0, 0.07, 0}, m);
    world_start(&w, &settings);
    assert_int_equal(cairn_simulation_violation_count(w.simulation), 1);
    cairn_violation found = cairn_simulation_violation(w.simulation, 0);
    assert_int_equal(found.kind, CAIRN_VIOLATION_PENETRATION);
    assert_near(found.size, 0.03, 1e-12);
    assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 1);
    assert_int_equal(cairn_simulation_report(w.simulation)->physics.forbidden, 0);
    world_run(&w, 20);
    assert_int_equal(count_of(&w, CAIRN_VIOLATION_PENETRATION), 1);
    world_free(&w);
}

/* A contact that is deeper at the end of a step than at its start. */
static void test_deeper(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_material m = add_material(w.model, "m", 0, 0);
    add_ground(w.model, m);
    add_point(w.model, "p", 1, 0, 0.1, m);
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF, 0.01);
    world_start(&w, &settings);
    crn_audit *audit = w.simulation->ledger.audit;
    double still[2][6] = {{0}, {0, -0.1, 0, 0, 0, 0}};
    crn_contact contact = {.body_a = 1, .body_b = 0, .shape_a = 1, .shape_b = 0, .identity = 7, .normal = {0, 1, 0}};
    crn_audit_motion motion = {.t = 0, .h = 0.01, .tolerance = 1e-9, .before = still, .after = still};
    motion.book_kinetic = 0.5 * 0.01;
    const double ends[3] = {-1e-6, -1.05e-6, -1e-4};
    for (int i = 0; i < 3; ++i)
    {
        contact.gap = -1e-6;
        crn_audit_begin(audit);
        assert_int_equal(crn_audit_from(audit, &contact, 1, false), CAIRN_OK);
        contact.gap = ends[i];
        crn_audit_end(audit, &motion, &contact, 1);
        assert_int_equal(crn_audit_found(audit), i == 2); /* 1e-4 of the way is what parallel faces are told to */
    }
    crn_audit_begin(audit); /* not in reach at the start: it may not overlap at the end */
    assert_int_equal(crn_audit_from(audit, NULL, 0, false), CAIRN_OK);
    crn_audit_end(audit, &motion, &contact, 1);
    assert_int_equal(crn_audit_found(audit), 1);
    crn_contact over = contact; /* above at the start, below at the end, and no overlap at either */
    contact.gap = 0.01;
    over.gap = 0.02;
    over.normal[1] = -1;
    crn_audit_begin(audit);
    assert_int_equal(crn_audit_from(audit, &contact, 1, false), CAIRN_OK);
    crn_audit_end(audit, &motion, &over, 1);
    assert_int_equal(crn_audit_found(audit), 1);
    assert_near(crn_audit_violation(audit, 0).size, 0.03, 1e-15);
    over.normal[0] = 0.6; /* round an end */
    over.normal[1] = -0.8;
    crn_audit_begin(audit);
    crn_audit_end(audit, &motion, &over, 1);
    assert_int_equal(crn_audit_found(audit), 0);
    motion.book_kinetic *= 1 + 1e-6;
    motion.projection_missed = 1e-3;
    motion.projection_tolerance = 1e-10;
    crn_audit_begin(audit);
    crn_audit_end(audit, &motion, NULL, 0);
    assert_int_equal(crn_audit_found(audit), 2);
    assert_int_equal(crn_audit_violation(audit, 0).kind, CAIRN_VIOLATION_BOOK);
    assert_int_equal(crn_audit_violation(audit, 1).kind, CAIRN_VIOLATION_PROJECTION);
    world_free(&w);
}

static void test_switched_off(void **state)
{
    (void)state;
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF2, 0.013);
    settings.audit = false;
    world w = thrown_ball(2, 0.3, 0.7, &settings);
    broken_run run = {.w = &w, .hurt = hurt_finite};
    w.simulation->ledger.watch = hurt_piece;
    w.simulation->ledger.watch_data = &run;
    world_run(&w, 40);
    assert_int_equal(run.hurts, 0);
    assert_int_equal(count_all(&w), 0);
    world_free(&w);
}

/* How many of ten steps are audited, in which of them a spoilt piece is seen, and where the ball is then. */
typedef struct sampled
{
    unsigned audited, seen; /* bit k: step k + 1 */
    double x[3];
} sampled;

/* It falls otherwise than recorded. */
static void hurt_fall(void *data, crn_piece *piece)
{
    (void)data;
    piece->fall[1] -= 0.5;
}

static sampled sample(cairn_accuracy accuracy, int every, int asked)
{
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF, 0.013);
    settings.accuracy = accuracy;
    settings.audit_every = every;
    world w = thrown_ball(2, 0.3, 0.7, &settings);
    w.simulation->ledger.watch = hurt_fall;
    sampled out = {0};
    for (unsigned k = 0; k < 10; ++k)
    {
        if ((int)k + 1 == asked)
            cairn_simulation_audit_next(w.simulation);
        world_run(&w, 1);
        const cairn_physics_report *physics = &cairn_simulation_report(w.simulation)->physics;
        out.audited |= (unsigned)physics->audited << k;
        out.seen |= (unsigned)(physics->violations > 0) << k;
        assert_true((cairn_simulation_violation_count(w.simulation) > 0) == (physics->violations > 0));
    }
    memcpy(out.x, w.simulation->located.frame.pose[w.simulation->model->body_count - 1].x, sizeof out.x);
    world_free(&w);
    return out;
}

/* Only `fast` samples its steps, and what is not looked at moves the same. */
static void test_audit_every(void **state)
{
    (void)state;
    const sampled all = sample(CAIRN_ACCURACY_FAST, 0, 0), some = sample(CAIRN_ACCURACY_FAST, 4, 0);
    const sampled asked = sample(CAIRN_ACCURACY_FAST, 4, 6), balanced = sample(CAIRN_ACCURACY_BALANCED, 4, 0);
    assert_int_equal(all.audited, 0x3ff);
    assert_int_equal(some.audited, 0x088);
    assert_int_equal(asked.audited, 0x0a8);
    assert_int_equal(balanced.audited, 0x3ff);
    assert_int_equal(all.seen, 0x3ff);
    assert_int_equal(some.seen, 0x088);
    assert_int_equal(asked.seen, 0x0a8);
    assert_memory_equal(all.x, some.x, sizeof all.x);
}

static void test_names(void **state)
{
    (void)state;
    for (int kind = 0; kind < CAIRN_VIOLATION_KINDS; ++kind)
    {
        cairn_violation_kind found = CAIRN_VIOLATION_BOOK;
        assert_true(cairn_violation_parse(cairn_violation_name((cairn_violation_kind)kind), &found));
        assert_int_equal(found, kind);
    }
    cairn_violation_kind untouched = CAIRN_VIOLATION_JUMP;
    assert_false(cairn_violation_parse("entropy", &untouched));
    assert_int_equal(untouched, CAIRN_VIOLATION_JUMP);
    assert_string_equal(cairn_violation_unit(CAIRN_VIOLATION_ENERGY), "J");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_impulses),
        cmocka_unit_test(test_recorded_joints),
        cmocka_unit_test(test_no_false_alarm),
        cmocka_unit_test(test_touching_row),
        cmocka_unit_test(test_wobbling_discs),
        cmocka_unit_test(test_lagged_friction),
        cmocka_unit_test(test_broken_pieces),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_initial_overlap),
        cmocka_unit_test(test_deeper),
        cmocka_unit_test(test_switched_off),
        cmocka_unit_test(test_audit_every),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
