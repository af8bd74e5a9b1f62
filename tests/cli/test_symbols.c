/* What is drawn of mechanisms, against geometry computed here: where bars end, how wheels meet, along what rails lie, how long a slack
 * rope is, and that the needle of a dial stands where the simulation says the coordinate is. */
#include "cli/mechanism/mechanism.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct world
{
    cairn_context *context;
    cairn_model *model;
    int bodies, joints;
} world;

static world make(int dimension)
{
    world w = {.context = cairn_context_create()};
    assert_int_equal(cairn_model_create(w.context, dimension, &w.model), CAIRN_OK);
    return w;
}

static void end(world *w)
{
    cairn_model_destroy(w->model);
    cairn_context_destroy(w->context);
}

static cairn_body add_body(world *w, const double position[3], double angle, const double orientation[4])
{
    char name[24];
    cairn_body body;
    cairn_body_options o = cairn_body_default();
    snprintf(name, sizeof name, "body %d", ++w->bodies);
    o.name = name;
    o.mass = 1;
    for (int k = 0; k < 3; ++k)
        o.inertia[k] = 0.1, o.position[k] = position[k];
    o.angle = angle;
    if (orientation)
        memcpy(o.orientation, orientation, sizeof o.orientation);
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    return body;
}

static cairn_joint_options joint_of(world *w, const char *type, cairn_body a, cairn_body b, const double at[3],
                                    char name[24])
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    snprintf(name, 24, "joint %d", ++w->joints);
    o.name = name;
    o.type = type;
    o.a = cairn_model_attach(w->model, a, at);
    o.b = cairn_model_attach(w->model, b, at);
    return o;
}

static cairn_joint pin(world *w, cairn_body a, cairn_body b, const double at[3])
{
    char name[24];
    cairn_joint joint;
    cairn_joint_options o = joint_of(w, "revolute", a, b, at, name);
    assert_int_equal(cairn_model_add_joint(w->model, &o, &joint), CAIRN_OK);
    return joint;
}

static double uniform(void)
{
    return 2.0 * rand() / RAND_MAX - 1.0;
}

static void random_turn(double q[4])
{
    double size = 0;
    for (int k = 0; k < 4; ++k)
        q[k] = uniform(), size = hypot(size, q[k]);
    for (int k = 0; k < 4; ++k)
        q[k] /= size;
}

/* q v q*, written out. */
static void turn(const double q[4], const double v[3], double out[3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    double r[3];
    for (int i = 0; i < 3; ++i)
        r[i] = R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2];
    memcpy(out, r, sizeof r);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* The n-th symbol of a kind and role; NULL past the last. */
static const cli_symbol *find(const cli_mechanism *m, cli_symbol_kind kind, cli_symbol_role role, int n)
{
    for (int i = 0; i < m->symbol_count; ++i)
        if (m->symbols[i].kind == kind && m->symbols[i].role == role && n-- == 0)
            return &m->symbols[i];
    return NULL;
}

/* ----------------------------------------------------------------------------------------------------------- links */

static void ends_of(const cairn_shape_info *bar, int dimension, double ends[2][3])
{
    for (int i = 0; i < 2; ++i)
    {
        double along[3] = {0, 0, 0};
        along[dimension == 2 ? 0 : 2] = (i == 0 ? -0.5 : 0.5) * bar->length;
        if (dimension == 3)
            turn(bar->orientation, along, along);
        else
        {
            double l = along[0];
            along[0] = l * cos(bar->angle), along[1] = l * sin(bar->angle);
        }
        for (int k = 0; k < 3; ++k)
            ends[i][k] = bar->position[k] + along[k];
    }
}

/* A bar through two joints ends at both, whatever the pose; there is nothing else of the body. */
static void test_bar(void **state)
{
    (void)state;
    for (int i = 0; i < 20; ++i)
    {
        int dimension = 2 + i % 2;
        world w = make(dimension);
        double q[4], x[3] = {uniform(), uniform(), dimension == 3 ? uniform() : 0}, d[3] = {uniform(), uniform(), 0};
        double p[2][3], ends[2][3];
        random_turn(q);
        cairn_body body = add_body(&w, x, 3 * uniform(), dimension == 3 ? q : NULL);
        for (int k = 0; k < 3; ++k)
            p[0][k] = x[k] + 0.7 * d[k], p[1][k] = x[k] - 0.4 * d[k];
        pin(&w, (cairn_body){0}, body, p[0]);
        pin(&w, (cairn_body){0}, body, p[1]);
        cli_mechanism m;
        cli_mechanism_open(&m, w.model);
        assert_int_equal(m.link_count, 1);
        ends_of(&m.links[0], dimension, ends);
        cairn_attachment a = cairn_model_attach(w.model, body, p[0]), b = cairn_model_attach(w.model, body, p[1]);
        bool swapped = distance(ends[0], a.point) > distance(ends[0], b.point);
        assert_near(distance(ends[swapped], a.point), 0, 1e-12);
        assert_near(distance(ends[!swapped], b.point), 0, 1e-12);
        cli_mechanism_close(&m);
        end(&w);
    }
}

/* A plate has all joints of its body as corners, or within; it is convex, and turns to the left. */
static void test_plate(void **state)
{
    (void)state;
    for (int i = 0; i < 20; ++i)
    {
        world w = make(2);
        double x[3] = {uniform(), uniform(), 0};
        cairn_body body = add_body(&w, x, 3 * uniform(), NULL);
        double p[6][3] = {{0}};
        int count = 3 + i % 4;
        for (int k = 0; k < count; ++k)
        {
            p[k][0] = uniform(), p[k][1] = uniform();
            pin(&w, (cairn_body){0}, body, p[k]);
        }
        cli_mechanism m;
        cli_mechanism_open(&m, w.model);
        const cairn_shape_info *plate = &m.links[0];
        assert_int_equal(plate->look, CAIRN_LOOK_POLYGON);
        assert_int_equal(m.link_count, 1 + plate->vertex_count); /* and bars as its rim */
        for (int k = 0; k < count; ++k)
        {
            cairn_attachment at = cairn_model_attach(w.model, body, p[k]);
            for (int c = 0; c < plate->vertex_count; ++c)
            {
                const double *u = plate->vertices + 2 * c, *v = plate->vertices + 2 * ((c + 1) % plate->vertex_count);
                double side = (v[0] - u[0]) * (at.point[1] - u[1]) - (v[1] - u[1]) * (at.point[0] - u[0]);
                assert_true(side >= -1e-12);
            }
        }
        cli_mechanism_close(&m);
        end(&w);
    }
}

/* A body that is held at its centre of mass is a bob alone. */
static void test_held_at_centre(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        world w = make(dimension);
        double x[3] = {0.4, -0.3, 0};
        pin(&w, (cairn_body){0}, add_body(&w, x, 0, NULL), x);
        cli_mechanism m;
        cli_mechanism_open(&m, w.model);
        assert_int_equal(m.link_count, 1);
        assert_int_equal(m.links[0].look, CAIRN_LOOK_DISC);
        assert_true(m.links[0].radius > 0 && m.unit > 0);
        cli_mechanism_close(&m);
        end(&w);
    }
}

/* A pendulum has a bob, at its centre of mass; a body with a shape around its joint has no link, and one with a joint outside has. */
static void test_bob_and_shapes(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        world w = make(2);
        double x[3] = {1, 0, 0}, at[3] = {i == 2 ? 0.9 : 0, 0, 0};
        cairn_shape shape;
        cairn_body body = add_body(&w, x, 0, NULL);
        cairn_shape_options ball = cairn_shape_default(CAIRN_CIRCLE);
        ball.radius = 0.2;
        if (i > 0)
            assert_int_equal(cairn_model_add_shape(w.model, body, &ball, &shape), CAIRN_OK);
        pin(&w, (cairn_body){0}, body, at);
        cli_mechanism m;
        cli_mechanism_open(&m, w.model);
        assert_int_equal(m.link_count, 2 - i);
        if (i == 0)
            assert_true(m.links[1].look == CAIRN_LOOK_DISC && m.links[1].position[0] == 0);
        cli_mechanism_close(&m);
        end(&w);
    }
}

/* --------------------------------------------------------------------------------------------------------- symbols */

/* Rails lie along the axis and pass through a's point; the sleeve is on b, along the axis too. */
static void test_rail(void **state)
{
    (void)state;
    for (int i = 0; i < 20; ++i)
    {
        world w = make(3);
        char name[24];
        double q[2][4], x[2][3], axis[3] = {uniform(), uniform(), uniform()}, world_axis[3], along[3], sleeve[3];
        cairn_body body[2];
        cairn_joint joint;
        for (int k = 0; k < 2; ++k)
        {
            random_turn(q[k]);
            for (int c = 0; c < 3; ++c)
                x[k][c] = uniform();
            body[k] = add_body(&w, x[k], 0, q[k]);
        }
        cairn_joint_options o = joint_of(&w, "prismatic", body[0], body[1], x[1], name);
        memcpy(o.axis, axis, sizeof axis);
        assert_int_equal(cairn_model_add_joint(w.model, &o, &joint), CAIRN_OK);
        cli_mechanism m;
        cli_mechanism_open(&m, w.model);
        const cli_symbol *rail = find(&m, CLI_SYMBOL_ROD, CLI_ROLE_RAIL, 0),
                         *block = find(&m, CLI_SYMBOL_BLOCK, CLI_ROLE_JOINT, 0);
        assert_true(rail && block && rail->body.id == body[0].id && block->body.id == body[1].id);
        for (int c = 0; c < 3; ++c)
            along[c] = rail->to[c] - rail->from[c];
        turn(q[0], axis, world_axis); /* the axis is given in a's frame */
        turn(q[0], along, along);
        turn(q[1], block->to, sleeve);
        double size = sqrt(dot(axis, axis));
        assert_near(dot(along, world_axis), sqrt(dot(along, along)) * size, 1e-12);
        assert_near(fabs(dot(sleeve, world_axis)), sqrt(dot(sleeve, sleeve)) * size, 1e-12);
        /* from + s along passes a's point */
        double off = distance(rail->from, o.a.point) + distance(rail->to, o.a.point) - distance(rail->from, rail->to);
        assert_near(off, 0, 1e-12);
        cli_mechanism_close(&m);
        end(&w);
    }
}

/* Dials of revolute and universal joints: from the end of the arc that is the lower limit, the needle is coordinate - lower away. */
static double angle_between(const double axis[3], const double from[3], const double to[3])
{
    double c[3] = {from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2],
                   from[0] * to[1] - from[1] * to[0]};
    return atan2(dot(axis, c), dot(from, to));
}

static void in_world(const cairn_simulation *simulation, cairn_body body, const double direction[3], double out[3])
{
    static const double NONE[4] = {1, 0, 0, 0};
    cairn_body_state s = cairn_simulation_body(simulation, body);
    turn(body.id == 0 ? NONE : s.orientation, direction, out);
}

static void check_dial(const cairn_simulation *simulation, const cli_mechanism *m, cairn_joint joint, int index,
                       const double axis[3], double lower, double upper)
{
    const cli_symbol *arc = find(m, CLI_SYMBOL_LINE, CLI_ROLE_LIMIT, 0),
                     *needle = find(m, CLI_SYMBOL_LINE, CLI_ROLE_NEEDLE, 0);
    double ends[2][3], tip[3], side[2][3];
    const double *centre = m->points[needle->first];
    for (int c = 0; c < 3; ++c)
        tip[c] = m->points[needle->first + 1][c] - centre[c];
    in_world(simulation, needle->body, tip, tip);
    cairn_attachment a, b;
    cairn_model_joint_attachments(cairn_simulation_model(simulation), joint, &a, &b);
    const double *middle = arc->body.id == a.body.id ? a.point : b.point;
    for (int e = 0; e < 2; ++e)
    {
        const double *p = m->points[arc->first + (e == 0 ? 0 : arc->count - 1)];
        for (int c = 0; c < 3; ++c)
            side[e][c] = p[c] - middle[c];
        in_world(simulation, arc->body, side[e], ends[e]);
    }
    double value = cairn_simulation_coordinate(simulation, joint, index, NULL);
    double first = angle_between(axis, ends[0], tip), last = angle_between(axis, ends[1], tip);
    /* The needle may belong to b and the arc to a, or the other way round, where angles have the opposite sign. */
    bool as_is = fabs(remainder(first - (value - lower), 6.283185307179586)) < 1e-6 &&
                 fabs(remainder(last - (value - upper), 6.283185307179586)) < 1e-6;
    bool reversed = fabs(remainder(first - (upper - value), 6.283185307179586)) < 1e-6 &&
                    fabs(remainder(last - (lower - value), 6.283185307179586)) < 1e-6;
    assert_true(index == 0 ? as_is : reversed);
}

static void test_dial(void **state)
{
    (void)state;
    for (int i = 0; i < 12; ++i)
    {
        world w = make(3);
        char name[24];
        double q[4], x[3] = {uniform(), uniform(), uniform()}, at[3] = {0.3, 0.1, -0.2}, axis[3], second[3];
        random_turn(q);
        cairn_body body = add_body(&w, x, 0, q);
        int index = i % 2;
        cairn_joint joint;
        turn(q, (double[3]){1, 0, 0}, axis);
        turn(q, (double[3]){0, 1, 0}, second);
        cairn_joint_options o = joint_of(&w, index == 0 ? "revolute" : "universal", (cairn_body){0}, body, at, name);
        memcpy(o.axis, axis, sizeof axis);
        if (index == 1)
            memcpy(o.second_axis, second, sizeof second);
        assert_int_equal(cairn_model_add_joint(w.model, &o, &joint), CAIRN_OK);
        cairn_coordinate_options c = cairn_coordinate_default();
        c.lower = -2.0;
        c.upper = 1.1;
        assert_int_equal(cairn_model_set_coordinate(w.model, joint, index == 0 ? "angle" : "second_angle", &c),
                         CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        settings.step = 0.01;
        settings.integrator = CAIRN_INTEGRATOR_STIFF;
        cairn_simulation *simulation;
        assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &simulation), CAIRN_OK);
        cli_mechanism m;
        cli_mechanism_open(&m, w.model);
        for (int step = 0; step < 12 + i; ++step)
            assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        double about[3];
        memcpy(about, axis, sizeof about);
        if (index == 1) /* b keeps the second axis */
            in_world(simulation, body, (double[3]){0, 1, 0}, about);
        check_dial(simulation, &m, joint, index, about, c.lower, c.upper);
        cli_mechanism_close(&m);
        cairn_simulation_destroy(simulation);
        end(&w);
    }
}

/* Mean radius of a toothed wheel, and its number of teeth. */
static double wheel(const cli_mechanism *m, const cli_symbol *line, int *teeth)
{
    double sum = 0;
    for (int i = 0; i < line->count; ++i)
        sum += hypot(m->points[line->first + i][0], m->points[line->first + i][1]);
    *teeth = line->count / 4;
    return sum / line->count;
}

/* Pitch circles touch: r_a + r_b = d outside of each other, r_a - r_b = d within a ring; teeth are in the ratio of the radii. */
static void test_gear(void **state)
{
    (void)state;
    static const double RATIOS[] = {1, 0.5, 3, -2, -4, -0.5};
    for (size_t i = 0; i < sizeof RATIOS / sizeof RATIOS[0]; ++i)
    {
        world w = make(2);
        char name[24];
        int teeth[2];
        double x[2][3] = {{0, 0, 0}, {1.2, 0.5, 0}}, ratio = RATIOS[i];
        cairn_body body[2] = {add_body(&w, x[0], 0.3, NULL), add_body(&w, x[1], -1, NULL)};
        cairn_joint joint;
        cairn_joint_number number = {"ratio", ratio};
        cairn_joint_options o = joint_of(&w, "gear", body[0], body[1], x[0], name);
        o.b = cairn_model_attach(w.model, body[1], x[1]);
        o.numbers = &number;
        o.number_count = 1;
        for (int k = 0; k < 2; ++k)
            pin(&w, (cairn_body){0}, body[k], x[k]);
        assert_int_equal(cairn_model_add_joint(w.model, &o, &joint), CAIRN_OK);
        cli_mechanism m;
        cli_mechanism_open(&m, w.model);
        double r_a = wheel(&m, find(&m, CLI_SYMBOL_LINE, CLI_ROLE_RAIL, 0), &teeth[0]);
        double r_b = wheel(&m, find(&m, CLI_SYMBOL_LINE, CLI_ROLE_RAIL, 1), &teeth[1]);
        assert_near(r_a / r_b, fabs(ratio), 1e-9);
        assert_near(ratio > 0 ? r_a + r_b : fabs(r_a - r_b), hypot(1.2, 0.5), 1e-9);
        assert_near((double)teeth[0] / teeth[1], fabs(ratio), 0.06 * fabs(ratio));
        cli_mechanism_close(&m);
        end(&w);
    }
}

/* The line of a slack rope is as long as the rope and hangs below the chord, upright ones too; a taut one is straight. */
static void test_rope(void **state)
{
    (void)state;
    double from[3] = {0, 0, 0}, down[3] = {0, 0, -1}, path[CLI_TIE_POINTS][3];
    for (int i = 1; i < 10; ++i)
    {
        double to[3] = {0.2 * (i - 1), 0, 0.3 - 0.1 * (i - 1)}, d = distance(from, to), length = 0;
        cli_symbol rope = {.kind = CLI_SYMBOL_TIE, .role = CLI_ROLE_ROPE, .length = 1.15 * d};
        int count = cli_tie_path(&rope, 0.01, from, to, down, path);
        for (int k = 0; k + 1 < count; ++k)
            length += distance(path[k], path[k + 1]);
        assert_near(length, rope.length, 1e-9 * rope.length);
        assert_true(path[count / 2][2] < 0.5 * to[2]);
        assert_near(distance(path[count - 1], to), 0, 1e-15);
        rope.length = d;
        assert_int_equal(cli_tie_path(&rope, 0.01, from, to, down, path), 2);
    }
}

/* Drives, springs and limits each leave their mark, and joints of the world stand on supports. */
static void test_roles(void **state)
{
    (void)state;
    world w = make(2);
    double x[3] = {1, 0, 0}, at[3] = {0, 0, 0};
    cairn_body body = add_body(&w, x, 0, NULL);
    cairn_joint joint = pin(&w, (cairn_body){0}, body, at);
    cairn_coordinate_options c = cairn_coordinate_default();
    c.stiffness = 3;
    c.upper = 1;
    c.drive = CAIRN_DRIVE_FORCE;
    assert_int_equal(cairn_model_set_coordinate(w.model, joint, "angle", &c), CAIRN_OK);
    cli_mechanism m;
    cli_mechanism_open(&m, w.model);
    assert_non_null(find(&m, CLI_SYMBOL_BALL, CLI_ROLE_JOINT, 0));
    assert_non_null(find(&m, CLI_SYMBOL_LINE, CLI_ROLE_DRIVE, 1)); /* arc and head */
    assert_non_null(find(&m, CLI_SYMBOL_LINE, CLI_ROLE_LIMIT, 1)); /* arc and one tick */
    assert_null(find(&m, CLI_SYMBOL_LINE, CLI_ROLE_LIMIT, 2));
    assert_non_null(find(&m, CLI_SYMBOL_LINE, CLI_ROLE_SPRING, 0)); /* a spiral */
    assert_non_null(find(&m, CLI_SYMBOL_LINE, CLI_ROLE_GROUND, 5)); /* a triangle and five hatches */
    assert_null(find(&m, CLI_SYMBOL_LINE, CLI_ROLE_GROUND, 6));
    cli_mechanism_close(&m);
    end(&w);
}

int main(void)
{
    srand(7);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bar),
                                       cmocka_unit_test(test_plate),
                                       cmocka_unit_test(test_bob_and_shapes),
                                       cmocka_unit_test(test_held_at_centre),
                                       cmocka_unit_test(test_rail),
                                       cmocka_unit_test(test_dial),
                                       cmocka_unit_test(test_gear),
                                       cmocka_unit_test(test_rope),
                                       cmocka_unit_test(test_roles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
