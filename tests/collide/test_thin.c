/* Nothing falls through a segment, which has no thickness: points, rods and discs dropped on segments and chains that lie at any
 * angle, stand still or move, from both sides, with every integrator, impacts at any time of a step. The height over the
 * surface is computed here from the bodies' states; what has once gone through falls without end. */
#include "support/check.h"

#include <cairn/cairn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    INTEGRATORS = 5,
    MOST_VERTICES = 12
};

static double uniform(uint64_t *seed, double low, double high)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

typedef enum faller
{
    POINT,
    ROD,
    DISC
} faller;

typedef struct drop
{
    faller what;
    double table[2 * MOST_VERTICES]; /* its surface: vertices from left to right as seen by what falls */
    int vertices;
    bool reversed;           /* the table's vertices are given from right to left */
    double slope;            /* rad: of the frame in which the table is the graph of a function, and gravity about -y */
    double lean;             /* rad: of gravity in that frame */
    const char *lift, *tilt; /* motion of the table; NULL: fixed */
    double height, x, speed[2], angle, spin;
    double restitution, friction;
    cairn_integrator integrator;
    cairn_stabilisation stabilisation;
    double step;
    int steps;
} drop;

typedef struct world
{
    cairn_context *context;
    cairn_model *model;
    cairn_simulation *simulation;
    cairn_body table, body;
} world;

static void turn(double angle, const double in[2], double out[2])
{
    double c = cos(angle), s = sin(angle), x = in[0], y = in[1];
    out[0] = c * x - s * y;
    out[1] = s * x + c * y;
}

static void add_table(world *w, const drop *d, cairn_material material)
{
    cairn_body_options options = cairn_body_default();
    double vertices[2 * MOST_VERTICES];
    cairn_shape out;
    cairn_shape_options shape = cairn_shape_default(d->vertices == 2 ? CAIRN_SEGMENT : CAIRN_CHAIN);
    options.name = "table";
    options.kind = d->lift || d->tilt ? CAIRN_DRIVEN : CAIRN_FIXED;
    options.motion_position[1] = d->lift;
    options.motion_angle = d->tilt;
    options.angle = d->slope;
    for (int i = 0; i < d->vertices; ++i)
        memcpy(vertices + 2 * (d->reversed ? d->vertices - 1 - i : i), d->table + 2 * i, 2 * sizeof(double));
    shape.vertices = vertices;
    shape.vertex_count = d->vertices;
    shape.material = material;
    assert_int_equal(cairn_model_add_body(w->model, &options, &w->table), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w->model, w->table, &shape, &out), CAIRN_OK);
}

static void add_faller(world *w, const drop *d, cairn_material material)
{
    cairn_body_options options = cairn_body_default();
    cairn_shape out;
    cairn_shape_options shape = cairn_shape_default(d->what == POINT ? CAIRN_POINT
                                                    : d->what == ROD ? CAIRN_SEGMENT
                                                                     : CAIRN_CIRCLE);
    double ends[4] = {-0.5, 0, 0.5, 0};
    options.name = "faller";
    options.point = d->what == POINT;
    options.mass = 1;
    options.inertia[2] = d->what == POINT ? 0 : 0.1;
    options.angle = d->slope + d->angle;
    options.angular_velocity[2] = d->what == POINT ? 0 : d->spin;
    turn(d->slope, (double[2]){d->x, d->height}, options.position);
    turn(d->slope, d->speed, options.velocity);
    shape.vertices = ends;
    shape.vertex_count = d->what == ROD ? 2 : 0;
    shape.radius = 0.05;
    shape.material = material;
    assert_int_equal(cairn_model_add_body(w->model, &options, &w->body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w->model, w->body, &shape, &out), CAIRN_OK);
}

static world make(const drop *d, bool table_first)
{
    world w = {.context = cairn_context_create()};
    assert_int_equal(cairn_model_create(w.context, 2, &w.model), CAIRN_OK);
    double gravity[3] = {0};
    cairn_material material;
    cairn_material_options surface = cairn_material_default();
    surface.name = "m";
    surface.friction = d->friction;
    surface.restitution = d->restitution;
    turn(d->slope + d->lean, (double[2]){0, -9.81}, gravity);
    cairn_model_set_gravity(w.model, gravity);
    assert_int_equal(cairn_model_add_material(w.model, &surface, &material), CAIRN_OK);
    (table_first ? add_table : add_faller)(&w, d, material);
    (table_first ? add_faller : add_table)(&w, d, material);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = d->integrator;
    settings.stabilisation = d->stabilisation;
    settings.step = d->step;
    cairn_status status = cairn_simulation_create(w.context, w.model, &settings, &w.simulation);
    if (status)
        print_message("%s\n", cairn_context_message(w.context, 0).text);
    assert_int_equal(status, CAIRN_OK);
    return w;
}

static void destroy(world *w)
{
    cairn_simulation_destroy(w->simulation);
    cairn_model_destroy(w->model);
    cairn_context_destroy(w->context);
}

/* Height of a point of the table's frame over the table; infinite beside it. */
static double over(const drop *d, const double x[2])
{
    for (int i = 0; i + 1 < d->vertices; ++i)
    {
        const double *p = d->table + 2 * i, *q = p + 2;
        if (x[0] >= p[0] && x[0] <= q[0])
            return x[1] - p[1] - (q[1] - p[1]) * (x[0] - p[0]) / (q[0] - p[0]);
    }
    return INFINITY;
}

/* The least height of the body's vertices over the table. */
static double height(const world *w, const drop *d)
{
    cairn_body_state body = cairn_simulation_body(w->simulation, w->body);
    cairn_body_state table = cairn_simulation_body(w->simulation, w->table);
    double least = INFINITY;
    for (int end = -1; end <= 1; end += 2)
    {
        double arm[2], local[2];
        turn(body.angle, (double[2]){d->what == ROD ? 0.5 * end : 0, 0}, arm);
        turn(-table.angle,
             (double[2]){body.position[0] + arm[0] - table.position[0], body.position[1] + arm[1] - table.position[1]},
             local);
        least = fmin(least, over(d, local));
    }
    return least;
}

/* The lowest that the body gets. */
static double fall(const drop *d, bool table_first)
{
    world w = make(d, table_first);
    double least = height(&w, d);
    for (int i = 0; i < d->steps; ++i)
    {
        cairn_status status = cairn_simulation_step(w.simulation);
        if (status == CAIRN_NUMERIC)
        {
            /* the trapezoidal schemes refuse bodies that turn by radians a step */
            assert_true(d->integrator == CAIRN_INTEGRATOR_TRAPEZOID || d->integrator == CAIRN_INTEGRATOR_TRAPEZOID2);
            break;
        }
        assert_int_equal(status, CAIRN_OK);
        least = fmin(least, height(&w, d));
    }
    destroy(&w);
    return least;
}

static drop random_drop(uint64_t *seed, faller what, int k)
{
    drop d = {.what = what, .vertices = 2, .steps = 60};
    memcpy(d.table, (double[4]){-40, 0, 40, 0}, 4 * sizeof(double));
    d.reversed = uniform(seed, 0, 1) < 0.5;
    d.slope = uniform(seed, -M_PI, M_PI);
    d.lean = uniform(seed, -0.4, 0.4);
    d.height = what == POINT ? uniform(seed, 0, 0.3) : uniform(seed, 0.6, 0.8);
    d.x = uniform(seed, -1, 1);
    d.speed[0] = uniform(seed, -3, 3);
    d.speed[1] = uniform(seed, -3, 1);
    d.angle = uniform(seed, -M_PI, M_PI);
    d.spin = uniform(seed, -3, 3);
    d.restitution = fmax(0, uniform(seed, -0.5, 1));
    d.friction = fmax(0, uniform(seed, -0.3, 1));
    d.integrator = (cairn_integrator)(k % INTEGRATORS);
    d.stabilisation = (cairn_stabilisation)(k / INTEGRATORS % 3);
    d.step = uniform(seed, 0.002, 0.012);
    return d;
}

/* Drops that got lower than `depth`. */
static int count_passing(int count, uint64_t seed, faller what, double depth, void (*change)(drop *d, uint64_t *seed))
{
    int through = 0;
    count *= getenv("CAIRN_LONG") ? 20 : 1;
    for (int k = 0; k < count; ++k)
    {
        drop d = random_drop(&seed, what, k);
        if (change)
            change(&d, &seed);
        double least = fall(&d, k % 2 == 0);
        if (!(least > -depth))
        {
            print_message("drop %d (%s, stabilisation %d, h = %g, e = %g) got to %g m\n", k,
                          cairn_integrator_name(d.integrator), (int)d.stabilisation, d.step, d.restitution, least);
            ++through;
        }
    }
    return through;
}

static void test_points_on_segments(void **state)
{
    (void)state;
    assert_int_equal(count_passing(300, 1, POINT, 1e-6, NULL), 0);
}

static void test_rods_on_segments(void **state)
{
    (void)state;
    assert_int_equal(count_passing(200, 2, ROD, 5e-3, NULL), 0);
}

static void test_discs_on_segments(void **state)
{
    (void)state;
    assert_int_equal(count_passing(60, 3, DISC, -0.04, NULL), 0);
}

static void start_on_surface(drop *d, uint64_t *seed)
{
    d->height = 0;
    d->angle = uniform(seed, 0, 1) < 0.5 ? 0 : M_PI;
    d->speed[0] = d->speed[1] = d->spin = 0;
    d->slope = uniform(seed, -1, 1);
}

static void test_what_lies_on_a_segment_stays(void **state)
{
    (void)state;
    assert_int_equal(count_passing(60, 4, POINT, 1e-6, start_on_surface), 0);
    assert_int_equal(count_passing(60, 5, ROD, 1e-6, start_on_surface), 0);
}

static void move_table(drop *d, uint64_t *seed)
{
    static const char *const LIFT[] = {"0.05*sin(20*t)", "0.3*sin(5*t)", "-0.1*t", "0.5*t"};
    static const char *const TILT[] = {"0.1*sin(3*t)", "0.02*sin(30*t)", NULL, NULL};
    d->slope = 0; /* of a driven body the expression tells the angle */
    d->lift = LIFT[(int)uniform(seed, 0, 4)];
    d->tilt = TILT[(int)uniform(seed, 0, 4)];
    d->x = uniform(seed, -0.2, 0.2);
}

static void test_moving_segments(void **state)
{
    (void)state;
    assert_int_equal(count_passing(100, 6, POINT, 5e-3, move_table), 0);
    assert_int_equal(count_passing(100, 7, ROD, 1e-2, move_table), 0);
}

/* A chain of ten pieces with random corners, some of them in line. */
static void take_chain(drop *d, uint64_t *seed)
{
    d->vertices = 11;
    double rise = 0, bend = uniform(seed, 0, 1) < 0.3 ? 0 : uniform(seed, 0.01, 0.3);
    for (int i = 0; i < d->vertices; ++i)
    {
        d->table[2 * i] = i == 0 ? -40 : i == 10 ? 40 : -2.5 + 0.5 * i;
        d->table[2 * i + 1] = rise;
        rise += i == 0 || i == 9 ? 0 : uniform(seed, -bend, bend);
    }
    d->height += over(d, (double[2]){d->x, 0}) < 0 ? -over(d, (double[2]){d->x, 0}) : 0;
    d->height += d->what == POINT ? 0.0 : 10 * bend;
}

static void test_chains(void **state)
{
    (void)state;
    assert_int_equal(count_passing(200, 8, POINT, 0.03, take_chain), 0);
}

/* Along a straight chain, over all its joints. */
static void slide_along_chain(drop *d, uint64_t *seed)
{
    start_on_surface(d, seed);
    take_chain(d, seed);
    for (int i = 0; i < d->vertices; ++i)
        d->table[2 * i + 1] = 0;
    d->height = 0;
    d->x = uniform(seed, -2, -1);
    d->speed[0] = uniform(seed, 1, 8);
    d->friction = uniform(seed, 0, 0.2);
    d->restitution = 0;
}

static void test_sliding_along_chains(void **state)
{
    (void)state;
    /* where a step of a second-order scheme ends on another piece, its contact holds from the next one on: g h^2/2 for each end
       of a rod, and as much again where its impact is found */
    assert_int_equal(count_passing(100, 9, POINT, 3e-3, slide_along_chain), 0);
    assert_int_equal(count_passing(60, 10, ROD, 3e-3, slide_along_chain), 0);
}

/* Past the end of a short table everything falls freely: x = x0 + v t, y = -g (t - t1)^2 / 2 once it has left. */
static void test_off_the_end(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int k = 0; k < 60; ++k)
    {
        drop d = random_drop(&seed, POINT, 0);
        /* second-order schemes at an edge are a matter of their events, not of sides */
        d.integrator = k % 2 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_EULER;
        start_on_surface(&d, &seed);
        d.slope = d.lean = 0;
        d.friction = d.restitution = 0;
        memcpy(d.table, (double[4]){-1, 0, 1, 0}, 4 * sizeof(double));
        d.x = uniform(&seed, 0, 0.9);
        d.speed[0] = uniform(&seed, 3, 6);
        d.step = uniform(&seed, 0.006, 0.012); /* long enough to leave the table */
        world w = make(&d, k % 4 < 2);
        for (int i = 0; i < d.steps; ++i)
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        cairn_body_state body = cairn_simulation_body(w.simulation, w.body);
        double t = cairn_simulation_time(w.simulation), air = t - (1 - d.x) / d.speed[0];
        assert_near(body.velocity[0], d.speed[0], 1e-9);
        assert_near(body.position[1], -0.5 * 9.81 * air * air, 9.81 * air * 2 * d.step);
        destroy(&w);
    }
}

/* A point thrown so that it goes round the end of a segment comes to rest against its other side. */
static void test_round_the_end(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * INTEGRATORS; ++k)
    {
        drop d = {.what = POINT, .vertices = 2, .x = -1.5, .height = 0.5, .friction = 0.5, .step = 0.01, .steps = 300};
        memcpy(d.table, (double[4]){-1, 0, 1, 0}, 4 * sizeof(double));
        d.integrator = (cairn_integrator)(k % INTEGRATORS);
        d.reversed = k >= INTEGRATORS;
        d.speed[0] = 0;
        world w = make(&d, true);
        /* down beside the end, to the right, and up against the lower side */
        double moves[3][3] = {{0, -9.81, 0}, {9.81, 0, 0}, {0, 9.81, 0}};
        for (int m = 0; m < 3; ++m)
        {
            double gravity[3];
            memcpy(gravity, moves[m], sizeof gravity);
            assert_int_equal(cairn_simulation_set_gravity(w.simulation, gravity), CAIRN_OK);
            cairn_body_state body = cairn_simulation_body(w.simulation, w.body);
            memset(body.velocity, 0, sizeof body.velocity);
            for (int i = 0; i < 45; ++i)
                assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
            if (m < 2)
            {
                body = cairn_simulation_body(w.simulation, w.body);
                memset(body.velocity, 0, sizeof body.velocity);
                assert_int_equal(cairn_simulation_set_body(w.simulation, w.body, &body), CAIRN_OK);
            }
        }
        cairn_body_state body = cairn_simulation_body(w.simulation, w.body);
        assert_true(fabs(body.position[0]) < 1);
        assert_near(body.position[1], 0, 1e-6);
        destroy(&w);
    }
}

/* Rods that lie on rods: a stack stands. */
static void test_stack_of_rods(void **state)
{
    (void)state;
    for (int k = 0; k < INTEGRATORS; ++k)
    {
        cairn_context *context = cairn_context_create();
        cairn_model *model = NULL;
        assert_int_equal(cairn_model_create(context, 2, &model), CAIRN_OK);
        cairn_body rod[4];
        double ends[4] = {-0.5, 0, 0.5, 0};
        for (int i = 0; i < 4; ++i)
        {
            cairn_body_options options = cairn_body_default();
            cairn_shape_options shape = cairn_shape_default(CAIRN_SEGMENT);
            cairn_shape out;
            const char *const names[] = {"table", "one", "two", "three"};
            options.name = names[i];
            options.kind = i == 0 ? CAIRN_FIXED : CAIRN_DYNAMIC;
            options.position[0] = 0.05 * i;
            options.position[1] = 0.05 * i;
            options.angle = i == 2 ? M_PI : 0;
            shape.vertices = ends;
            shape.vertex_count = 2;
            shape.density = 1;
            assert_int_equal(cairn_model_add_body(model, &options, &rod[i]), CAIRN_OK);
            assert_int_equal(cairn_model_add_shape(model, rod[i], &shape, &out), CAIRN_OK);
        }
        cairn_settings settings = cairn_settings_default();
        settings.integrator = (cairn_integrator)k;
        cairn_simulation *simulation;
        assert_int_equal(cairn_simulation_create(context, model, &settings, &simulation), CAIRN_OK);
        for (int i = 0; i < 100; ++i)
            assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        for (int i = 1; i < 4; ++i)
        {
            cairn_body_state body = cairn_simulation_body(simulation, rod[i]);
            assert_near(body.position[1], 0, 1e-5);
            assert_near(body.velocity[1], 0, 1e-6);
        }
        cairn_simulation_destroy(simulation);
        cairn_model_destroy(model);
        cairn_context_destroy(context);
    }
}

/* The memory does not depend on how the pairs are dealt out to threads: the same bits. */
static void test_threads_agree(void **state)
{
    (void)state;
    cairn_body_state end[3][12];
    for (int k = 0; k < 3; ++k)
    {
        cairn_context *context = cairn_context_create();
        cairn_model *model = NULL;
        assert_int_equal(cairn_model_create(context, 2, &model), CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        cairn_simulation *simulation;
        cairn_body body[12], table;
        cairn_shape out;
        cairn_body_options fixed = cairn_body_default();
        double ground[22], ends[4] = {-0.3, 0, 0.3, 0};
        for (int i = 0; i < 11; ++i)
        {
            ground[2 * i] = i - 5.0;
            ground[2 * i + 1] = 0.05 * (i - 5.0) * (i - 5.0);
        }
        cairn_shape_options chain = cairn_shape_default(CAIRN_CHAIN), rod = cairn_shape_default(CAIRN_SEGMENT);
        chain.vertices = ground;
        chain.vertex_count = 11;
        rod.vertices = ends;
        rod.vertex_count = 2;
        rod.density = 1;
        fixed.name = "ground";
        fixed.kind = CAIRN_FIXED;
        assert_int_equal(cairn_model_add_body(model, &fixed, &table), CAIRN_OK);
        assert_int_equal(cairn_model_add_shape(model, table, &chain, &out), CAIRN_OK);
        for (int i = 0; i < 12; ++i)
        {
            char name[24];
            cairn_body_options options = cairn_body_default();
            snprintf(name, sizeof name, "rod %d", i);
            options.name = name;
            options.position[0] = 0.1 * (i % 3) - 0.1;
            options.position[1] = 0.3 + 0.12 * i;
            options.angle = 0.1 * (i % 4) - 0.15;
            assert_int_equal(cairn_model_add_body(model, &options, &body[i]), CAIRN_OK);
            assert_int_equal(cairn_model_add_shape(model, body[i], &rod, &out), CAIRN_OK);
        }
        settings.solver.threads = 1 + k;
        assert_int_equal(cairn_simulation_create(context, model, &settings, &simulation), CAIRN_OK);
        for (int i = 0; i < 100; ++i)
            assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        for (int i = 0; i < 12; ++i)
        {
            end[k][i] = cairn_simulation_body(simulation, body[i]);
            double x = end[k][i].position[0], y = end[k][i].position[1];
            assert_true(fabs(x) < 5 && y > 0.05 * x * x - 0.05); /* none has fallen through */
        }
        cairn_simulation_destroy(simulation);
        cairn_model_destroy(model);
        cairn_context_destroy(context);
        assert_memory_equal(end[k], end[0], sizeof end[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_on_segments),   cmocka_unit_test(test_rods_on_segments),
        cmocka_unit_test(test_discs_on_segments),    cmocka_unit_test(test_what_lies_on_a_segment_stays),
        cmocka_unit_test(test_moving_segments),      cmocka_unit_test(test_chains),
        cmocka_unit_test(test_sliding_along_chains), cmocka_unit_test(test_off_the_end),
        cmocka_unit_test(test_round_the_end),        cmocka_unit_test(test_stack_of_rods),
        cmocka_unit_test(test_threads_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
