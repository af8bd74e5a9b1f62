/* Ropes through points of several bodies: tackles against their mechanical advantage, a rope through three free points against an
 * integration of its equations of motion, slack and taut ropes against closed solutions, a winch, and what is conserved. */
#include "math/vec.h"
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static const double DOWN[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, G = 9.81; /* the direction of gravity in space */

static void must(const world *w, cairn_status status)
{
    if (status)
        fail_msg("%s", cairn_context_last_message(w->context));
}

static void check_audit(const world *w)
{
    cairn_audit_totals totals = cairn_simulation_audit(w->simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        if (totals.count[k] > 0)
            fail_msg("violation '%s' at t = %g of %g, where %g is allowed",
                     cairn_violation_name((cairn_violation_kind)k), totals.worst[k].time, totals.worst[k].size,
                     totals.worst[k].allowance);
    cairn_energy e = cairn_simulation_energy(w->simulation);
    assert_near(e.balance_error, 0, 1e-9 * (1 + fabs(e.kinetic) + fabs(e.work_joints) + fabs(e.work_gravity)));
}

static cairn_settings settings_of(cairn_integrator integrator, double step)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.step = step;
    settings.initial = CAIRN_INITIAL_PROJECT;
    return settings;
}

/* What acts on the length of a rope: NULL, it is held. */
static cairn_joint add_rope(world *w, const cairn_coupling_term *terms, int count, const cairn_coordinate_options *acts)
{
    cairn_joint made;
    cairn_coupling_options o = cairn_coupling_default();
    o.name = "rope";
    o.terms = terms;
    o.term_count = count;
    o.hold = !acts;
    must(w, cairn_model_add_coupling(w->model, &o, &made));
    if (acts)
        must(w, cairn_model_set_coordinate(w->model, made, "value", acts));
    return made;
}

/* ----------------------------------------------------------------------------------------------------- tackles */

/* A load on n strands and a weight on one, over the ceiling. Both move along the vertical; x is the fall. */
typedef struct tackle
{
    world w;
    cairn_body load, weight;
    cairn_joint rope;
    int dimension, n;
    double m[2];
    double start[2]; /* speeds of fall */
} tackle;

static void set_along(const tackle *t, double fall, double across, double out[3])
{
    static const double ACROSS[3] = {1 / 3.0, -2.0 / 3, -2.0 / 3};
    for (int k = 0; k < 3; ++k)
        out[k] = t->dimension == 3 ? fall * DOWN[k] + across * ACROSS[k] : k == 0 ? across : k == 1 ? -fall : 0;
}

static cairn_body add_weight(tackle *t, const char *name, int i)
{
    cairn_body_options o = cairn_body_default();
    cairn_body body;
    o.name = name;
    o.mass = t->m[i];
    o.point = i == 1;
    for (int k = 0; i == 0 && k < 3; ++k)
        o.inertia[k] = 0.1;
    set_along(t, 3, i, o.position);
    set_along(t, t->start[i], 0, o.velocity);
    must(&t->w, cairn_model_add_body(t->w.model, &o, &body));
    return body;
}

static tackle make_tackle(int dimension, int n, const double start[2], const cairn_coordinate_options *acts)
{
    tackle t = {.w = world_new(dimension), .dimension = dimension, .n = n, .m = {5, 2}, .start = {start[0], start[1]}};
    double g[3];
    cairn_attachment points[16], load, above[2], weight;
    set_along(&t, G, 0, g);
    cairn_model_set_gravity(t.w.model, g);
    t.load = add_weight(&t, "load", 0);
    t.weight = add_weight(&t, "weight", 1);
    load = (cairn_attachment){.body = t.load};
    weight = (cairn_attachment){.body = t.weight};
    for (int i = 0; i < 2; ++i)
    {
        above[i] = (cairn_attachment){.body = {0}};
        set_along(&t, 0, i, above[i].point);
    }
    int count = 0;
    for (int strand = n; strand >= 0; --strand) /* the end of the first strand, and those of all others */
        points[count++] = strand % 2 == 0 ? above[0] : load;
    points[count++] = above[1];
    points[count++] = weight;
    t.rope = add_rope(&t.w, &(cairn_coupling_term){.factor = 1, .points = points, .point_count = count}, 1, acts);
    assert_int_equal(cairn_model_coupling_strands(t.w.model, t.rope), n + 2);
    return t;
}

/* Fall and speed of fall. */
static void read_fall(const tackle *t, cairn_body body, double out[2])
{
    cairn_body_state s = cairn_simulation_body(t->w.simulation, body);
    double down[3];
    set_along(t, 1, 0, down);
    out[0] = out[1] = 0;
    for (int k = 0; k < 3; ++k)
    {
        out[0] += s.position[k] * down[k];
        out[1] += s.velocity[k] * down[k];
    }
    out[0] -= 3;
}

/* n a_load + a_weight = 0,  m_1 a_1 = m_1 g - n T,  m_2 a_2 = m_2 g - T */
static double tension_of(const tackle *t)
{
    return (t->n + 1) * G / (t->n * t->n / t->m[0] + 1 / t->m[1]);
}

static void tackles(void **state)
{
    (void)state;
    for (int k = 0; k < 16; ++k)
    {
        int n = 1 + k % 4;
        double start[2] = {0.3, -0.3 * n}, x[2], until = 0.7;
        cairn_coordinate_options taut = cairn_coordinate_default();
        taut.upper = 3 * n + 1 + 3;
        tackle t = make_tackle(2 + k / 8, n, start, k / 4 % 2 == 0 ? NULL : &taut);
        double a = G - n * tension_of(&t) / t.m[0];
        cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF2, 0.01);
        world_start(&t.w, &settings);
        world_run(&t.w, 70);
        check_audit(&t.w);
        read_fall(&t, t.load, x);
        assert_near(x[0], start[0] * until + 0.5 * a * until * until, 1e-9);
        assert_near(x[1], start[0] + a * until, 1e-9);
        read_fall(&t, t.weight, x);
        assert_near(x[0], -n * (start[0] * until + 0.5 * a * until * until), 1e-9);
        cairn_joint_state now = cairn_simulation_joint_state(t.w.simulation, t.rope);
        assert_near(now.coordinate[0], 3 * n + 4, 1e-9);
        assert_near(now.rate[0], 0, 1e-9);
        assert_near(now.drive[0] + now.limit[0], -tension_of(&t), 1e-7);
        world_free(&t.w);
    }
}

/* Both are thrown up: the rope is slack in free flight, and taut when n x_1 + x_2 = 0 again. Then the speed along the rope is lost, or
 * its share e comes back, by an impulse n P on the load and P on the weight. Errors of first order are at most the speeds of the jump
 * times h, and those of second order are none but rounding: all pieces are parabolas. */
static void slack_and_taut(void **state)
{
    (void)state;
    for (int k = 0; k < 12; ++k)
    {
        int n = 1 + k % 3, steps = 60 + 7 * k;
        double start[2] = {-1.1, -0.4 - 0.3 * n}, along = n * start[0] + start[1], until = 1.0;
        double hit = -2 * along / ((n + 1) * G), e = 0.3 * (k / 3 % 2), x[2], h = until / steps;
        cairn_coordinate_options o = cairn_coordinate_default();
        o.upper = 3 * n + 4;
        o.restitution = e;
        tackle t = make_tackle(2 + k / 6, n, start, &o);
        double P = (1 + e) * -along / (n * n / t.m[0] + 1 / t.m[1]);
        double kick = n * P / t.m[0];
        double again = e > 0 ? hit + 2 * e * -along / ((n + 1) * G) : INFINITY; /* the second time that it is taut */
        double end = fmin(until, hit + 0.9 * (again - hit)), rest = end - hit;
        double a = e > 0 ? G : G - n * tension_of(&t) / t.m[0];
        double v = start[0] + G * hit - kick,
               y = start[0] * hit + 0.5 * G * hit * hit + v * rest + 0.5 * a * rest * rest;
        for (int order = 1; order <= 2; ++order)
        {
            cairn_settings settings = settings_of(order == 1 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_STIFF2, h);
            world_start(&t.w, &settings);
            int whole = (int)(end / h);
            world_run(&t.w, whole);
            double missing = end - whole * h;
            check_audit(&t.w);
            read_fall(&t, t.load, x);
            double tolerance = order == 1 ? 3 * (kick + 2 * G) * h : 1e-9;
            assert_near(x[1], v + a * (rest - missing), tolerance);
            assert_near(x[0], y - missing * (v + a * (rest - 0.5 * missing)), tolerance);
            cairn_simulation_destroy(t.w.simulation);
            t.w.simulation = NULL;
        }
        world_free(&t.w);
    }
}

/* ------------------------------------------------------------------------------------------- three free points */

/* x'' = (z/m) dL/dx + g for L = |a - b| + |b - c|, in the plane of the first two axes or in space. */
typedef struct points
{
    double m[3], x[18]; /* positions and velocities */
    double g[3];
    double k; /* stiffness; 0: held */
    double length;
} points;

static void pull_of(const points *p, const double *x, double grad[9], double *curve, double *length)
{
    memset(grad, 0, 9 * sizeof(double));
    *curve = *length = 0;
    for (int s = 0; s < 2; ++s)
    {
        double d[3], u[3], l = 0, along = 0, square = 0;
        for (int k = 0; k < 3; ++k)
        {
            d[k] = x[3 * s + 3 + k] - x[3 * s + k];
            u[k] = x[9 + 3 * s + 3 + k] - x[9 + 3 * s + k];
            l += d[k] * d[k];
            square += u[k] * u[k];
            along += d[k] * u[k];
        }
        l = sqrt(l);
        for (int k = 0; k < 3; ++k)
        {
            grad[3 * s + k] -= d[k] / l;
            grad[3 * s + 3 + k] += d[k] / l;
        }
        *curve += (square - along * along / (l * l)) / l;
        *length += l;
    }
    (void)p;
}

static void rate_of(const points *p, const double *x, double *out)
{
    double grad[9], curve, length, ease = 0;
    pull_of(p, x, grad, &curve, &length);
    double wanted = -curve;
    for (int i = 0; i < 9; ++i)
    {
        wanted -= grad[i] * p->g[i % 3];
        ease += grad[i] * grad[i] / p->m[i / 3];
    }
    double z = p->k > 0 ? -p->k * (length - p->length) : wanted / ease;
    for (int i = 0; i < 9; ++i)
    {
        out[i] = x[9 + i];
        out[9 + i] = z * grad[i] / p->m[i / 3] + p->g[i % 3];
    }
}

static void truth(const points *p, double until, double x[18])
{
    static const double WEIGHT[4] = {1, 2, 2, 1}, AHEAD[4] = {0, 0.5, 0.5, 1};
    int steps = 8000;
    double h = until / steps;
    memcpy(x, p->x, sizeof p->x);
    for (int s = 0; s < steps; ++s)
    {
        double k[5][18] = {{0}}, at[18];
        for (int stage = 0; stage < 4; ++stage)
        {
            for (int i = 0; i < 18; ++i)
                at[i] = x[i] + AHEAD[stage] * h * k[stage][i];
            rate_of(p, at, k[stage + 1]);
        }
        for (int i = 0; i < 18; ++i)
            for (int stage = 0; stage < 4; ++stage)
                x[i] += h / 6 * WEIGHT[stage] * k[stage + 1][i];
    }
}

/* The bodies are points, or bodies that the rope meets at their centres: both move alike. */
static world make_points(points *p, int dimension, cairn_body body[3], cairn_joint *rope)
{
    static const char *const NAME[] = {"a", "b", "c"};
    world w = world_new(dimension);
    cairn_attachment through[3] = {{.body = {0}}};
    cairn_model_set_gravity(w.model, p->g);
    for (int i = 0; i < 3; ++i)
    {
        cairn_body_options o = cairn_body_default();
        o.name = NAME[i];
        o.mass = p->m[i];
        o.point = i != 1;
        for (int k = 0; k < 3; ++k)
        {
            o.position[k] = p->x[3 * i + k];
            o.velocity[k] = p->x[9 + 3 * i + k];
            o.inertia[k] = i == 1 ? 0.2 : 0;
        }
        must(&w, cairn_model_add_body(w.model, &o, &body[i]));
        through[i].body = body[i];
    }
    cairn_coordinate_options o = cairn_coordinate_default();
    char rest[32];
    snprintf(rest, sizeof rest, "%.17g", p->length);
    o.stiffness = p->k;
    o.rest.expression = rest;
    *rope =
        add_rope(&w, &(cairn_coupling_term){.factor = 1, .points = through, .point_count = 3}, 1, p->k > 0 ? &o : NULL);
    return w;
}

/* Errors of positions fall as the order says. */
static void a_bead_on_a_rope(void **state)
{
    (void)state;
    for (int which = 0; which < 4; ++which)
    {
        int dimension = 2 + which % 2;
        bool space = dimension == 3;
        points p = {.m = {1.5, 0.8, 1}, .g = {0.5, -2, space ? 1 : 0}, .k = which < 2 ? 0 : 50};
        double x[] = {-1, 0.2, space ? 0.3 : 0, 0, -0.7, 0, 1.2, 0, space ? -0.4 : 0};
        double v[] = {0, 1, space ? -0.5 : 0, 1.5, 0, 0, 0, -0.8, space ? 0.7 : 0};
        memcpy(p.x, x, sizeof x);
        double grad[9], curve, rate = 0, ease = 0, exact[18];
        pull_of(&p, p.x, grad, &curve, &p.length);
        for (int i = 0; i < 9; ++i)
        {
            rate += grad[i] * v[i];
            ease += grad[i] * grad[i] / p.m[i / 3];
        }
        for (int i = 0; i < 9; ++i) /* consistent with the held length */
            p.x[9 + i] = v[i] - grad[i] / p.m[i / 3] * rate / ease;
        truth(&p, 0.8, exact);
        for (int order = 1; order <= 2; ++order)
        {
            double expected = 0;
            for (int finer = 0; finer < 4; ++finer)
            {
                cairn_body body[3];
                cairn_joint rope;
                double error = 0;
                world w = make_points(&p, dimension, body, &rope);
                cairn_settings settings =
                    settings_of(order == 1 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_STIFF2, 0.8 / (40 << finer));
                world_start(&w, &settings);
                world_run(&w, 40 << finer);
                check_audit(&w);
                for (int i = 0; i < 9; ++i)
                    error =
                        fmax(error, fabs(cairn_simulation_body(w.simulation, body[i / 3]).position[i % 3] - exact[i]));
                if (finer == 3 && error > 1.4 * expected)
                    fail_msg("order %d: error %.3g where %.3g was expected", order, error, expected);
                expected = fmax(expected, error) / (1 << order);
                world_free(&w);
            }
        }
    }
}

/* ------------------------------------------------------------------------------------------------ conservation */

/* Add the momentum of a body and its moment about the origin. */
static void add_momentum(const world *w, cairn_body body, double mass, const double inertia[3], double out[2][3])
{
    cairn_body_state s = cairn_simulation_body(w->simulation, body);
    double R[9], L[3], moment[3];
    crn_quaternion_to_matrix(s.orientation, R);
    for (int k = 0; k < 3; ++k)
    {
        out[0][k] += mass * s.velocity[k];
        L[k] = inertia[k] * s.angular_velocity[k];
    }
    crn_rotate3(R, L, L);
    crn_cross3(s.position, s.velocity, moment);
    for (int k = 0; k < 3; ++k)
        out[1][k] += L[k] + mass * moment[k];
}

/* A closed rope through points of four boxes that nothing else touches, some of them away from the centres. Momentum is conserved exactly;
 * energy and moment of momentum with the order of the scheme. */
static void nothing_is_lost(void **state)
{
    (void)state;
    double off[2][2];
    for (int finer = 0; finer < 2; ++finer)
    {
        world w = world_new(3);
        cairn_attachment through[5];
        cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
        static const char *const NAME[] = {"a", "b", "c", "d"};
        for (int i = 0; i < 4; ++i)
        {
            cairn_body_options o = cairn_body_default();
            o.name = NAME[i];
            o.mass = 1 + i;
            for (int k = 0; k < 3; ++k)
            {
                o.inertia[k] = 0.3 + 0.1 * k;
                o.position[k] = (k == i % 3 ? 1.5 : 0.1 * k) * (i == 3 ? -1 : 1);
                o.velocity[k] = 0.4 * ((i + 2 * k) % 3 - 1);
                o.angular_velocity[k] = 0.7 * ((2 * i + k) % 3 - 1);
            }
            must(&w, cairn_model_add_body(w.model, &o, &through[i].body));
            for (int k = 0; k < 3; ++k)
                through[i].point[k] = 0.1 * ((i + k) % 3 - 1);
        }
        through[4] = through[0];
        add_rope(&w, &(cairn_coupling_term){.factor = 2.5, .points = through, .point_count = 5}, 1, NULL);
        cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF2, 0.01 / (1 << finer));
        world_start(&w, &settings);
        double before[2][3] = {{0}}, after[2][3] = {{0}}, inertia[3] = {0.3, 0.4, 0.5};
        for (int i = 0; i < 4; ++i)
            add_momentum(&w, through[i].body, 1 + i, inertia, before);
        double energy = cairn_simulation_energy(w.simulation).kinetic;
        world_run(&w, 100 << finer);
        check_audit(&w);
        for (int i = 0; i < 4; ++i)
            add_momentum(&w, through[i].body, 1 + i, inertia, after);
        off[finer][0] = fabs(cairn_simulation_energy(w.simulation).kinetic - energy);
        off[finer][1] = 0;
        for (int k = 0; k < 3; ++k)
        {
            assert_near(after[0][k], before[0][k], 1e-12);
            off[finer][1] = fmax(off[finer][1], fabs(after[1][k] - before[1][k]));
        }
        world_free(&w);
    }
    for (int k = 0; k < 2; ++k)
        if (!(off[1][k] < 1e-3 && off[1][k] < 0.4 * off[0][k]))
            fail_msg("%s is off by %g at h and %g at h/2", k == 0 ? "energy" : "moment", off[0][k], off[1][k]);
}

/* -------------------------------------------------------------------------------------------------------- winch */

/* A drum of radius r winds up the rope of a load: length + r angle is held. Driven at a given rate, the load rises at r times that; free,
 * it falls at g m r^2 / (m r^2 + I). */
static void a_winch(void **state)
{
    (void)state;
    const double r = 0.2, m = 3, I = 0.05, until = 0.5;
    for (int driven = 0; driven < 2; ++driven)
    {
        world w = world_new(2);
        cairn_body_options o = cairn_body_default();
        cairn_body drum, load;
        cairn_joint axle;
        o.name = "drum";
        o.mass = 1;
        o.inertia[0] = o.inertia[1] = o.inertia[2] = I;
        must(&w, cairn_model_add_body(w.model, &o, &drum));
        o = cairn_body_default();
        o.name = "load";
        o.mass = m;
        o.point = true;
        o.position[0] = 1;
        o.position[1] = -3;
        must(&w, cairn_model_add_body(w.model, &o, &load));
        cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
        j.name = "axle";
        j.b.body = drum;
        must(&w, cairn_model_add_joint(w.model, &j, &axle));
        if (driven)
        {
            cairn_coordinate_options turn = cairn_coordinate_default();
            turn.drive = CAIRN_DRIVE_POSITION;
            turn.target.expression = "4*t^2";
            must(&w, cairn_model_set_coordinate(w.model, axle, "angle", &turn));
        }
        cairn_attachment through[2] = {{.point = {1, 0}}, {.body = load}};
        cairn_coupling_term term[2] = {{.factor = 1, .points = through, .point_count = 2},
                                       {.factor = r, .joint = axle}};
        add_rope(&w, term, 2, NULL);
        cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF2, 0.01);
        world_start(&w, &settings);
        world_run(&w, 50);
        check_audit(&w);
        double fall = 0.5 * G * m * r * r / (m * r * r + I) * until * until;
        double rise = driven ? r * 4 * until * until : -fall;
        assert_near(cairn_simulation_body(w.simulation, load).position[1], -3 + rise, 1e-9);
        assert_near(cairn_simulation_body(w.simulation, drum).angle, rise / r, 1e-8);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tackles),         cmocka_unit_test(slack_and_taut), cmocka_unit_test(a_bead_on_a_rope),
        cmocka_unit_test(nothing_is_lost), cmocka_unit_test(a_winch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
