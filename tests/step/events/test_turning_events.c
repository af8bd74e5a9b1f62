/* Events of bodies that turn in space: impacts of tumbling boxes against the exact equations, transitions of the laws of
 * boxes and pyramids, bodies that skim a wall, and steps chosen by an error tolerance. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double G = 9.81;

static cairn_settings settings_for(cairn_integrator integrator, double h)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = integrator;
    s.step = h;
    s.stabilisation = CAIRN_STABILISE_NONE;
    s.restitution_threshold = 1e-3;
    s.contact_tolerance = 1e-12;
    return s;
}

/* ------------------------------------------------------------------------------ the exact motion, written a second time */

/* x, v, quaternion (w, x, y, z), angular velocity in the body's frame. */
typedef struct rigid
{
    double y[13];
} rigid;

static const double MASS = 2, INERTIA[3] = {0.02, 0.045, 0.06}, HALF[3] = {0.25, 0.15, 0.1}, E = 0.6;

static void rates(const double *y, double *out)
{
    const double *q = y + 6, *w = y + 10;
    for (int k = 0; k < 3; ++k)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = y[3 + k];
        out[3 + k] = k == 2 ? -G : 0;
        out[10 + k] = (INERTIA[i] - INERTIA[j]) * w[i] * w[j] / INERTIA[k];
        out[7 + k] = 0.5 * (q[0] * w[k] + q[1 + i] * w[j] - q[1 + j] * w[i]);
    }
    out[6] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
}

static rigid flow(rigid s, double time)
{
    static const double AT[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1, 2, 2, 1};
    int steps = 1 + (int)(fabs(time) / 2e-4);
    double h = time / steps;
    for (int n = 0; n < steps; ++n)
    {
        double k[13] = {0}, sum[13] = {0};
        for (int a = 0; a < 4; ++a)
        {
            double z[13];
            for (int j = 0; j < 13; ++j)
                z[j] = s.y[j] + h * AT[a] * k[j];
            rates(z, k);
            for (int j = 0; j < 13; ++j)
                sum[j] += h / 6 * WEIGHT[a] * k[j];
        }
        for (int j = 0; j < 13; ++j)
            s.y[j] += sum[j];
    }
    return s;
}

static void rotate(const double q[4], const double x[3], double out[3])
{
    double a[3], b[3];
    for (int k = 0; k < 3; ++k)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        a[k] = q[1 + i] * x[j] - q[1 + j] * x[i];
    }
    for (int k = 0; k < 3; ++k)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        b[k] = q[1 + i] * a[j] - q[1 + j] * a[i];
    }
    for (int k = 0; k < 3; ++k)
        out[k] = x[k] + 2 * (q[0] * a[k] + b[k]);
}

/* Height of the lowest corner of the box; the corner in the body's frame. */
static double lowest(const rigid *s, double corner[3])
{
    double least = INFINITY;
    for (int c = 0; c < 8; ++c)
    {
        double local[3] = {c & 1 ? HALF[0] : -HALF[0], c & 2 ? HALF[1] : -HALF[1], c & 4 ? HALF[2] : -HALF[2]}, x[3];
        rotate(s->y + 6, local, x);
        if (s->y[2] + x[2] < least)
        {
            least = s->y[2] + x[2];
            memcpy(corner, local, sizeof local);
        }
    }
    return least;
}

/* Frictionless impact of the lowest corner on the floor. */
static void hit(rigid *s)
{
    double corner[3], up[3] = {0, 0, 1}, back[4] = {s->y[6], -s->y[7], -s->y[8], -s->y[9]}, n[3], turn[3], inverse, u;
    lowest(s, corner);
    rotate(back, up, n); /* the normal in the body's frame */
    inverse = 1 / MASS;
    u = s->y[5];
    for (int k = 0; k < 3; ++k)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        turn[k] = corner[i] * n[j] - corner[j] * n[i];
        inverse += turn[k] * turn[k] / INERTIA[k];
        u += turn[k] * s->y[10 + k];
    }
    double impulse = -(1 + E) * u / inverse;
    s->y[5] += impulse / MASS;
    for (int k = 0; k < 3; ++k)
        s->y[10 + k] += impulse * turn[k] / INERTIA[k];
}

/* The box at the end, and the time of its one impact. */
static rigid true_tumble(rigid s, double end, double *impact)
{
    double t = 0, corner[3], step = 1e-3;
    rigid next = flow(s, step);
    while (lowest(&next, corner) > 0)
    {
        s = next;
        t += step;
        next = flow(s, step);
    }
    double low = 0, high = step;
    for (int i = 0; i < 60; ++i)
    {
        double middle = 0.5 * (low + high);
        rigid at = flow(s, middle);
        *(lowest(&at, corner) > 0 ? &low : &high) = middle;
    }
    s = flow(s, low);
    *impact = t + low;
    hit(&s);
    return flow(s, end - *impact);
}

static rigid start_of(uint64_t seed)
{
    rigid s = {{0}};
    double length = 0;
    for (int k = 0; k < 4; ++k)
    {
        s.y[6 + k] = random_in(&seed, -1, 1);
        length += s.y[6 + k] * s.y[6 + k];
    }
    for (int k = 0; k < 4; ++k)
        s.y[6 + k] /= sqrt(length);
    for (int k = 0; k < 3; ++k)
    {
        s.y[3 + k] = random_in(&seed, -1, 1) - (k == 2);
        s.y[10 + k] = random_in(&seed, -6, 6);
    }
    s.y[2] = 0.55;
    return s;
}

/* ----------------------------------------------------------------------------------------------------- tumbling boxes */

static world box_over_floor(const rigid *start, const cairn_settings *settings, cairn_body *box)
{
    world w = world_new(3);
    cairn_material smooth = add_material(w.model, "smooth", 0, E);
    add_ground(w.model, smooth);
    cairn_body_options o = cairn_body_default();
    o.name = "box";
    o.mass = MASS;
    memcpy(o.inertia, INERTIA, sizeof INERTIA);
    memcpy(o.position, start->y, sizeof o.position);
    memcpy(o.velocity, start->y + 3, sizeof o.velocity);
    memcpy(o.orientation, start->y + 6, sizeof o.orientation);
    memcpy(o.angular_velocity, start->y + 10, sizeof o.angular_velocity);
    assert_int_equal(cairn_model_add_body(w.model, &o, box), CAIRN_OK);
    cairn_shape_options shape = cairn_shape_default(CAIRN_BOX);
    for (int k = 0; k < 3; ++k)
        shape.size[k] = 2 * HALF[k];
    shape.material = smooth;
    cairn_shape out;
    assert_int_equal(cairn_model_add_shape(w.model, *box, &shape, &out), CAIRN_OK);
    world_start(&w, settings);
    return w;
}

/* Error of position, turn and velocities at the end; the impact's time. */
static double tumble(const rigid *start, cairn_integrator integrator, double end, int steps, const rigid *truth,
                     double *impact)
{
    cairn_body box;
    cairn_settings settings = settings_for(integrator, end / steps);
    world w = box_over_floor(start, &settings, &box);
    int impacts = 0;
    for (int n = 0; n < steps; ++n)
    {
        world_step(&w);
        for (int k = 0; k < cairn_simulation_event_count(w.simulation); ++k)
        {
            cairn_event event = cairn_simulation_event(w.simulation, k);
            assert_int_equal(event.kind, CAIRN_EVENT_COLLISION);
            *impact = event.time;
            ++impacts;
        }
    }
    assert_int_equal(impacts, 1);
    cairn_body_state s = cairn_simulation_body(w.simulation, box);
    double same = s.orientation[0] * truth->y[6] + s.orientation[1] * truth->y[7] + s.orientation[2] * truth->y[8] +
                  s.orientation[3] * truth->y[9];
    double error = 0;
    for (int k = 0; k < 3; ++k)
    {
        error = fmax(error, fabs(s.position[k] - truth->y[k]));
        error = fmax(error, fabs(s.velocity[k] - truth->y[3 + k]));
        error = fmax(error, fabs(s.angular_velocity[k] - truth->y[10 + k]));
    }
    for (int k = 0; k < 4; ++k)
        error = fmax(error, fabs(copysign(1, same) * s.orientation[k] - truth->y[6 + k]));
    world_free(&w);
    return error;
}

/* Boxes that fall on a corner, at times that fall anywhere in a step. Of order 2 in all three schemes: free turning and one
 * contact that closes for no time are smooth to each of them. */
static void tumbling_boxes_have_order_two(void **state)
{
    (void)state;
    double sum[3][3] = {{0}};
    int boxes = 0;
    for (uint64_t seed = 1; boxes < 12; ++seed)
    {
        rigid start = start_of(seed), early, truth;
        double impact, found = NAN, corner[3];
        early = true_tumble(start, 0.5, &impact);
        double end = impact + 0.06;
        truth = true_tumble(start, end, &impact);
        rigid middle = flow(early, impact + 0.03 - 0.5);
        if (lowest(&truth, corner) < 0.01 || lowest(&middle, corner) < 0.003 || impact < 0.1)
            continue; /* another corner comes down too soon */
        ++boxes;
        for (int i = 0; i < 3; ++i)
        {
            for (int k = 0; k < 3; ++k)
            {
                double error =
                    tumble(&start, (cairn_integrator)(CAIRN_INTEGRATOR_TRAPEZOID + i), end, 16 << k, &truth, &found);
                sum[i][k] += error;
                assert_near(found, impact, 0.3 * pow(end / (16 << k), 2) * 36);
            }
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        double order = 0.5 * log2(sum[i][0] / sum[i][2]);
        print_message("%-10s mean errors %.2e %.2e %.2e, order %.2f\n",
                      cairn_integrator_name((cairn_integrator)(CAIRN_INTEGRATOR_TRAPEZOID + i)), sum[i][0] / boxes,
                      sum[i][1] / boxes, sum[i][2] / boxes, order);
        assert_true(order > 1.8);
    }
}

/* ------------------------------------------------------------------------------------------ transitions of other laws */

/* m r_n times this is the largest friction along (x, y), for a unit mu: the reciprocal of the gauge of the law's set. */
static double gauge(cairn_law law, double x, double y)
{
    if (law.kind == CAIRN_LAW_BOX)
        return fmax(fabs(x), fabs(y));
    if (law.kind == CAIRN_LAW_CONE)
        return hypot(x, y);
    /* the polygon with corners at the angles 2 pi k/m: (x, y) = a p_k + b p_{k+1}, and the gauge is a + b */
    for (int k = 0; k < law.directions; ++k)
    {
        double s = 2 * M_PI * k / law.directions, t = 2 * M_PI * (k + 1) / law.directions, d = sin(t - s);
        double a = (x * sin(t) - y * cos(t)) / d, b = (y * cos(s) - x * sin(s)) / d;
        if (a >= -1e-12 && b >= -1e-12)
            return a + b;
    }
    return NAN;
}

/* A point on the floor, pulled by a force that grows: it begins to slip when the force reaches the law's friction there. */
static void slip_begins_where_the_law_says(void **state)
{
    (void)state;
    static const cairn_law LAWS[] = {{CAIRN_LAW_CONE, 0},
                                     {CAIRN_LAW_BOX, 0},
                                     {CAIRN_LAW_PYRAMID, 4},
                                     {CAIRN_LAW_PYRAMID, 8},
                                     {CAIRN_LAW_PYRAMID, 6}};
    for (int i = CAIRN_INTEGRATOR_TRAPEZOID; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int k = 0; k < 5; ++k)
        {
            world w = world_new(3);
            cairn_material rough = add_material(w.model, "rough", 0.5, 0);
            add_ground(w.model, rough);
            cairn_body body = add_point(w.model, "body", 2, 0, 0, rough);
            cairn_force_options f = cairn_force_default();
            f.name = "pull";
            f.body = body;
            f.force[0] = "20*t*cos(0.35)";
            f.force[1] = "20*t*sin(0.35)";
            cairn_force force;
            assert_int_equal(cairn_model_add_force(w.model, &f, &force), CAIRN_OK);
            cairn_settings settings = settings_for((cairn_integrator)i, 0.013);
            settings.law = LAWS[k];
            world_start(&w, &settings);
            world_step(&w);
            cairn_contact c = cairn_simulation_contact(w.simulation, 0);
            double x = c.tangent[0][0] * cos(0.35) + c.tangent[0][1] * sin(0.35);
            double y = c.tangent[1][0] * cos(0.35) + c.tangent[1][1] * sin(0.35);
            double expected = 0.5 * 2 * G / (20 * gauge(LAWS[k], x, y)), found = NAN;
            for (int n = 0; n < 80 && isnan(found); ++n)
            {
                world_step(&w);
                for (int e = 0; e < cairn_simulation_event_count(w.simulation); ++e)
                {
                    cairn_event event = cairn_simulation_event(w.simulation, e);
                    found = event.kind == CAIRN_EVENT_SLIP ? event.time : found;
                }
            }
            char name[32];
            cairn_law_name(LAWS[k], name, sizeof name);
            print_message("%-10s %-10s slips at %.6f, should at %.6f\n", cairn_integrator_name((cairn_integrator)i),
                          name, found, expected);
            /* a trapezoidal step sees the mean force of the step: half a step late at most */
            assert_near(found, expected, i == CAIRN_INTEGRATOR_STIFF2 ? 1e-4 : 0.55 * 0.013);
            world_free(&w);
        }
    }
}

/* ------------------------------------------------------------------------------------- skimming, and what spin reaches */

/* A rod spins close over the floor and never touches it: schemes that look for the time of impacts leave it alone. */
static void skimming_rods_are_left_alone(void **state)
{
    (void)state;
    static const double NONE[3] = {0, 0, 0};
    for (int i = CAIRN_INTEGRATOR_TRAPEZOID; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int dimension = 2; dimension <= 3; ++dimension)
        {
            world w = world_new(dimension);
            assert_int_equal(cairn_model_set_gravity(w.model, NONE), CAIRN_OK);
            cairn_material hard = add_material(w.model, "hard", 0.3, 1);
            add_ground(w.model, hard);
            double size[3] = {1, 0.4, 0.4}, position[3] = {0, 0, 0};
            position[dimension - 1] = hypot(0.5, 0.2) + 1e-3;
            cairn_body rod = add_box(w.model, "rod", 1, size, position, hard);
            cairn_settings settings = settings_for((cairn_integrator)i, 0.01);
            settings.stabilisation = CAIRN_STABILISE_GAP;
            world_start(&w, &settings);
            cairn_body_state s = cairn_simulation_body(w.simulation, rod);
            s.velocity[0] = 1;
            s.angular_velocity[dimension == 2 ? 2 : 1] = 12;
            assert_int_equal(cairn_simulation_set_body(w.simulation, rod, &s), CAIRN_OK);
            for (int n = 0; n < 100; ++n)
            {
                world_step(&w);
                assert_int_equal(cairn_simulation_event_count(w.simulation), 0);
                s = cairn_simulation_body(w.simulation, rod);
                assert_near(s.velocity[dimension - 1], 0, 1e-9);
                assert_near(s.angular_velocity[dimension == 2 ? 2 : 1], 12, 1e-9);
                assert_near(s.velocity[0], 1, 1e-12);
            }
            world_free(&w);
        }
    }
}

/* A still bar is hit at one end, near a wall by its other: the spin it gains brings that end to the wall in the same step. */
static void spin_gained_in_a_step_reaches(void **state)
{
    (void)state;
    static const double NONE[3] = {0, 0, 0};
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        world w = world_new(2);
        assert_int_equal(cairn_model_set_gravity(w.model, NONE), CAIRN_OK);
        cairn_material hard = add_material(w.model, "hard", 0, 0);
        add_ground(w.model, hard);
        double size[3] = {1, 0.02, 1}, at[3] = {0, 0.06, 0}, above[3] = {0.45, 0.18, 0};
        cairn_body bar = add_box(w.model, "bar", 0.1, size, at, hard);
        cairn_body ball = add_ball(w.model, "ball", 10, 0.05, above, hard);
        cairn_settings settings = settings_for((cairn_integrator)i, 0.05);
        settings.contact_tolerance = 1e-9;
        settings.stabilisation = CAIRN_STABILISE_GAP;
        world_start(&w, &settings);
        cairn_body_state s = cairn_simulation_body(w.simulation, ball);
        s.velocity[1] = -4;
        assert_int_equal(cairn_simulation_set_body(w.simulation, ball, &s), CAIRN_OK);
        for (int n = 0; n < 3; ++n)
        {
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
            s = cairn_simulation_body(w.simulation, bar);
            double depth = 0.01 * fabs(cos(s.angle)) + 0.5 * fabs(sin(s.angle)) - s.position[1];
            print_message("%-10s step %d: bar %.1e below the floor\n", cairn_integrator_name((cairn_integrator)i), n,
                          depth);
            /* linearised gaps are off by the square of the turn; without the reach the end goes 0.1 m through */
            assert_true(depth < (i >= CAIRN_INTEGRATOR_TRAPEZOID ? 1e-3 : 2e-2));
        }
        world_free(&w);
    }
}

/* Under the convex laws what slides lifts: gap + h (u_n - mu |u_t|) >= 0. A still ball close over the floor is hit from the side and
 * slides away in the same step, at a speed that nobody knew when the contacts were listed: the floor lifts it all the same. */
static void lift_gained_in_a_step_reaches(void **state)
{
    (void)state;
    static const double NONE[3] = {0, 0, 0};
    static const cairn_law LAWS[] = {{CAIRN_LAW_CONVEX_CONE, 0}, {CAIRN_LAW_CONVEX_PYRAMID, 8}, {CAIRN_LAW_CONE, 0}};
    for (int k = 0; k < 6; ++k)
    {
        int dimension = 2 + k % 2, up = dimension - 1;
        world w = world_new(dimension);
        assert_int_equal(cairn_model_set_gravity(w.model, NONE), CAIRN_OK);
        cairn_material rough = add_material(w.model, "rough", 0.5, 0), smooth = add_material(w.model, "smooth", 0, 0);
        cairn_body ground = add_ground(w.model, rough);
        double at[3] = {0, 0, 0}, from[3] = {-0.25, 0, 0};
        at[up] = from[up] = 0.11;
        cairn_body still = add_ball(w.model, "still", 1, 0.1, at, rough);
        cairn_body bullet = add_ball(w.model, "bullet", 50, 0.1, from, smooth);
        assert_int_equal(cairn_model_set_pair(w.model, rough, smooth, 0, 0), CAIRN_OK);
        assert_int_equal(cairn_model_ignore_contact(w.model, ground, bullet), CAIRN_OK);
        cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF, 0.01);
        settings.law = LAWS[k / 2];
        world_start(&w, &settings);
        cairn_body_state s = cairn_simulation_body(w.simulation, bullet);
        s.velocity[0] = 20;
        assert_int_equal(cairn_simulation_set_body(w.simulation, bullet, &s), CAIRN_OK);
        world_step(&w);
        s = cairn_simulation_body(w.simulation, still);
        double spin = dimension == 2 ? s.angular_velocity[2] : -s.angular_velocity[1],
               slip = s.velocity[0] + 0.1 * spin;
        assert_true(slip > 5);
        double lifted = 0.01 + 0.01 * (s.velocity[up] - 0.5 * slip);
        bool lifts = LAWS[k / 2].kind != CAIRN_LAW_CONE;
        assert_true(lifts ? lifted > -1e-8 : fabs(s.velocity[up]) < 1e-9);
        world_free(&w);
    }
}

/* ---------------------------------------------------------------------------------------- steps by an error tolerance */

/* A free top with a long step: the tolerance makes parts of it, and the turn comes out as well as it asks. */
static void tolerance_holds_for_what_turns(void **state)
{
    (void)state;
    double last = 1;
    int last_parts = 0;
    for (int k = 3; k <= 7; k += 2)
    {
        rigid start = {{0}};
        start.y[2] = 5;
        start.y[6] = 1;
        start.y[10] = 0.1;
        start.y[11] = 5;
        start.y[12] = 0.2;
        rigid truth = flow(start, 0.8);
        cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, 0.4);
        settings.error_tolerance = pow(10, -k);
        cairn_body box;
        world w = box_over_floor(&start, &settings, &box);
        int parts = 0;
        for (int n = 0; n < 2; ++n)
        {
            world_step(&w);
            parts += cairn_simulation_report(w.simulation)->parts;
        }
        cairn_body_state s = cairn_simulation_body(w.simulation, box);
        double error = 0;
        for (int i = 0; i < 3; ++i)
            error = fmax(error, fabs(s.angular_velocity[i] - truth.y[10 + i]));
        print_message("tolerance 1e-%d: %d parts, angular velocity off by %.1e\n", k, parts, error);
        assert_true(error < last && parts > last_parts);
        assert_true(error < 300 * settings.error_tolerance * parts);
        last = error;
        last_parts = parts;
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tumbling_boxes_have_order_two), cmocka_unit_test(slip_begins_where_the_law_says),
        cmocka_unit_test(skimming_rods_are_left_alone),  cmocka_unit_test(spin_gained_in_a_step_reaches),
        cmocka_unit_test(lift_gained_in_a_step_reaches), cmocka_unit_test(tolerance_holds_for_what_turns),
    };
    return cmocka_run_group_tests_name("events of what turns", tests, NULL, NULL);
}
