/* Populations against what they promise: grains lie in their region, overlap nothing, weigh what their radii say; packings are as dense
 * as they are known to be; names lead to bodies; the same seed gives the same bits; and what cannot be is refused in a sentence. All
 * distances are recomputed here from the shapes. */
#include "model/model.h"
#include "support/check.h"

#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

typedef struct world
{
    cairn_context *context;
    cairn_model *model;
    int dimension;
} world;

static world open_world(int dimension)
{
    world w = {.context = cairn_context_create(), .dimension = dimension};
    assert_int_equal(cairn_model_create(w.context, dimension, &w.model), CAIRN_OK);
    return w;
}

static void close_world(world *w)
{
    cairn_model_destroy(w->model);
    cairn_context_destroy(w->context);
}

static cairn_population_options sand(int count, cairn_packing packing)
{
    cairn_population_options o = cairn_population_default();
    o.name = "sand";
    o.count = count;
    o.density = 2000;
    o.packing = packing;
    o.sizes = (cairn_sizes){.kind = CAIRN_SIZES_UNIFORM, .least = 0.03, .most = 0.06};
    o.region = (cairn_population_region){.size = {1, 1.2, 1.4}, .radius = 0.6, .height = 1.3};
    return o;
}

/* A tilted region somewhere. */
static void tilt(cairn_population_region *region)
{
    const double q[4] = {0.8, 0.2, -0.4, 0.4}, at[3] = {3, -2, 5};
    memcpy(region->orientation, q, sizeof q);
    memcpy(region->position, at, sizeof at);
    region->angle = 0.7;
}

static int add(world *w, const cairn_population_options *o)
{
    int index = -1;
    cairn_status status = cairn_model_add_population(w->model, o, &index);
    if (status != CAIRN_OK)
        fail_msg("%s", cairn_context_last_message(w->context));
    return index;
}

/* Where grain i begins, and the radius of its ball. */
static double place(const world *w, int population, int i, double x[3])
{
    int body = cairn_model_body_index(w->model, cairn_model_population_body(w->model, population, i));
    assert_true(body >= 0);
    memcpy(x, w->model->bodies[body].position, sizeof(double[3]));
    return cairn_model_shape_info(w->model, cairn_model_shape(w->model, w->model->bodies[body].shape_begin)).radius;
}

/* How deep x lies in a region. */
static double depth(const world *w, const cairn_population_region *region, const double x[3])
{
    const double *q = region->orientation;
    double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], d[3], y[3];
    double a = q[0], b = -q[1], c = -q[2], e = -q[3], least = INFINITY; /* the inverse turn */
    for (int k = 0; k < 3; k++)
        d[k] = x[k] - region->position[k];
    if (w->dimension == 2)
    {
        a = cos(-region->angle / 2);
        e = sin(-region->angle / 2);
        b = c = 0;
        n = 1;
    }
    n = n > 0 ? n : (a = 1);
    y[0] = ((a * a + b * b - c * c - e * e) * d[0] + 2 * (b * c - a * e) * d[1] + 2 * (b * e + a * c) * d[2]) / n;
    y[1] = (2 * (b * c + a * e) * d[0] + (a * a - b * b + c * c - e * e) * d[1] + 2 * (c * e - a * b) * d[2]) / n;
    y[2] = (2 * (b * e - a * c) * d[0] + 2 * (c * e + a * b) * d[1] + (a * a - b * b - c * c + e * e) * d[2]) / n;
    if (region->kind == CAIRN_REGION_BOX)
        for (int k = 0; k < w->dimension; k++)
            least = fmin(least, region->size[k] / 2 - fabs(y[k]));
    else
        least =
            fmin(region->radius - hypot(y[0], y[1]), w->dimension == 3 ? region->height / 2 - fabs(y[2]) : INFINITY);
    return least;
}

/* The smallest gap between two grains, and between a grain and the border. */
static void measure(const world *w, int population, const cairn_population_region *region, double *gap, double *border)
{
    int count = cairn_model_population_size(w->model, population);
    double(*x)[3] = calloc((size_t)count, sizeof *x), *r = calloc((size_t)count, sizeof *r);
    *gap = *border = INFINITY;
    for (int i = 0; i < count; i++)
    {
        r[i] = place(w, population, i, x[i]);
        *border = fmin(*border, depth(w, region, x[i]) - r[i]);
        for (int k = 0; k < i; k++)
        {
            double a = x[i][0] - x[k][0], b = x[i][1] - x[k][1], c = x[i][2] - x[k][2];
            *gap = fmin(*gap, sqrt(a * a + b * b + c * c) - r[i] - r[k]);
        }
    }
    free(x);
    free(r);
}

/* Every packing, in boxes and cylinders, upright and tilted, in the plane and in space. */
static void test_no_overlap(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int packing = 0; packing < 4; packing++)
            for (int variant = 0; variant < 4; variant++)
            {
                world w = open_world(dimension);
                cairn_population_options o = sand(dimension == 2 ? 40 : 120, (cairn_packing)packing);
                o.region.kind = variant % 2 ? CAIRN_REGION_CYLINDER : CAIRN_REGION_BOX;
                if (variant / 2)
                    tilt(&o.region);
                double gap, border;
                int index = add(&w, &o);
                measure(&w, index, &o.region, &gap, &border);
                assert_true(gap > 0);
                assert_true(border > -1e-10);
                close_world(&w);
            }
}

/* A lattice of equal balls fills the box it was made for; one more does not fit. */
static void test_lattice(void **state)
{
    (void)state;
    world w = open_world(3);
    cairn_population_options o = sand(5 * 6 * 7, CAIRN_PACKING_LATTICE);
    o.sizes = (cairn_sizes){.mean = 0.1};
    o.spacing = 0.2;
    add(&w, &o);
    o.name = "more";
    o.count += 1;
    int index;
    o.region.position[0] = 10;
    assert_int_equal(cairn_model_add_population(w.model, &o, &index), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "places for 210 of its 211"));
    assert_int_equal(cairn_model_body_count(w.model), 210);
    assert_int_equal(cairn_model_population_count(w.model), 1);
    close_world(&w);
}

/* Grains of many sizes that are displaced as far as their cells let them, also where the largest fills its cell. */
static void test_jitter(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int variant = 0; variant < 8; variant++)
        {
            world w = open_world(dimension);
            cairn_population_options o = sand(dimension == 2 ? 40 : 120, CAIRN_PACKING_LATTICE);
            o.jitter = 1;
            o.spacing = variant % 2 ? 0.12 : 0.15;
            o.region.kind = variant / 2 % 2 ? CAIRN_REGION_CYLINDER : CAIRN_REGION_BOX;
            if (variant / 4)
                tilt(&o.region);
            double gap, border;
            int index = add(&w, &o);
            measure(&w, index, &o.region, &gap, &border);
            assert_true(gap > 0 && border > 0);
            assert_true(gap < 0.02); /* the lattice itself keeps the least of them apart */
            close_world(&w);
        }
}

/* Displacements are even in their share of the free room: mean, variance and the distances of the distribution from a straight line are those of as many numbers of the uniform law, to four deviations, and neither two axes nor
 * two neighbours have to do with each other. Cells fill the box. */
static void check_law(const cairn_population_options *o, double side, double room)
{
    world w = open_world(3);
    int index = add(&w, o), bins[20] = {0};
    double sum = 0, square = 0, axes = 0, neighbours = 0, largest = 0, last[3] = {0}, x[3];
    for (int i = 0; i < o->count; i++)
    {
        double u[3], r = place(&w, index, i, x);
        int at[3] = {i % 20, i / 20 % 20, i / 400};
        for (int k = 0; k < 3; k++)
        {
            u[k] = (x[k] + 0.5 * o->region.size[k] - (at[k] + 0.5) * side) / (o->jitter * (room - r));
            sum += u[k];
            square += u[k] * u[k];
            neighbours += u[k] * last[k];
            largest = fmax(largest, fabs(u[k]));
            last[k] = u[k];
            bins[(int)fmin(fmax(10 * (u[k] + 1), 0), 19)] += 1;
        }
        axes += u[0] * u[1] + u[1] * u[2] + u[2] * u[0];
    }
    double n = 3.0 * o->count;
    assert_true(largest <= 1 && largest > 0.999);
    assert_true(fabs(sum / n) < 4 * sqrt(1.0 / 3 / n));
    assert_true(fabs(square / n - 1.0 / 3) < 4 * sqrt(4.0 / 45 / n));
    assert_true(fabs(axes / n) < 4.0 / 3 / sqrt(n) && fabs(neighbours / n) < 4.0 / 3 / sqrt(n));
    for (int i = 0, below = 0; i < 20; i++) /* Kolmogorov and Smirnov: above 1.95 once in a thousand */
        assert_true(fabs((below += bins[i]) / n - (i + 1) / 20.0) < 1.95 / sqrt(n));
    close_world(&w);
}

static void test_law_of_jitter(void **state)
{
    (void)state;
    cairn_population_options o = sand(8000, CAIRN_PACKING_LATTICE);
    o.region.size[0] = o.region.size[1] = o.region.size[2] = 20 * 0.25;
    o.spacing = 0.25;
    o.jitter = 1;
    const double room = 0.125 - 1e-6 * 0.06; /* what rounding is kept away by */
    o.sizes = (cairn_sizes){.mean = 0.06};
    check_law(&o, 0.25, room);
    o.jitter = 0.4;
    o.seed = 99;
    o.sizes = (cairn_sizes){.kind = CAIRN_SIZES_UNIFORM, .least = 0.01, .most = 0.06};
    check_law(&o, 0.25, room);
}

/* Grains stand clear of bodies as they are displaced, and a displaced one may stand where none did on the lattice. */
static void test_jitter_among_obstacles(void **state)
{
    (void)state;
    world w = open_world(3);
    cairn_body_options stone = cairn_body_default();
    cairn_shape_options ball = cairn_shape_default(CAIRN_SPHERE), half = cairn_shape_default(CAIRN_HALF_SPACE);
    cairn_population_options o = sand(600, CAIRN_PACKING_LATTICE);
    cairn_body body;
    cairn_shape shape;
    stone.name = "stone";
    stone.kind = CAIRN_FIXED;
    ball.radius = 0.3;
    half.position[2] = -0.51;
    assert_int_equal(cairn_model_add_body(w.model, &stone, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w.model, body, &ball, &shape), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w.model, body, &half, &shape), CAIRN_OK);
    o.jitter = 1;
    o.spacing = 0.13;
    o.sizes = (cairn_sizes){.kind = CAIRN_SIZES_UNIFORM, .least = 0.01, .most = 0.05};
    o.region.size[2] = 8;
    o.region.position[2] = 3;
    double gap, border, near = INFINITY, x[3];
    int index = add(&w, &o);
    measure(&w, index, &o.region, &gap, &border);
    assert_true(gap > 0 && border > 0);
    for (int i = 0; i < o.count; i++)
    {
        double r = place(&w, index, i, x), off = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - 0.3 - r;
        near = fmin(near, off);
        assert_true(off > 0 && x[2] + 0.51 - r > 0);
    }
    assert_true(near < 0.02);
    close_world(&w);
}

/* How much of a box equal balls fill: what was asked for, and what the packings are known for. */
static double share(world *w, const cairn_population_options *o)
{
    int index = add(w, o), count = cairn_model_population_size(w->model, index);
    double x[3], sum = 0, gap, border;
    measure(w, index, &o->region, &gap, &border);
    assert_true(gap > 0 && border > -1e-10);
    for (int i = 0; i < count; i++)
        sum += 4.0 / 3 * PI * pow(place(w, index, i, x), 3);
    return sum / (o->region.size[0] * o->region.size[1] * o->region.size[2]);
}

static void test_fraction(void **state)
{
    (void)state;
    const double wanted[] = {0.3, 0.55}, ball = 4.0 / 3 * PI * 0.05 * 0.05 * 0.05 / 1.728;
    for (int i = 0; i < 2; i++)
    {
        world w = open_world(3);
        cairn_population_options o = sand(0, i ? CAIRN_PACKING_GROWTH : CAIRN_PACKING_RANDOM);
        o.sizes = (cairn_sizes){.mean = 0.05};
        o.region.size[0] = o.region.size[1] = o.region.size[2] = 1.2;
        o.fraction = wanted[i];
        o.count = 0;
        double found = share(&w, &o);
        assert_true(found >= wanted[i] && found < wanted[i] + 1.001 * ball);
        close_world(&w);
    }
}

/* A heap that was deposited is dense, up to where it ends, and rests: each grain has another one or the floor just below it, and leans on
 * one more thing, a grain or a wall. */
static void test_deposit(void **state)
{
    (void)state;
    world w = open_world(3);
    cairn_population_options o = sand(400, CAIRN_PACKING_DEPOSIT);
    o.region.size[0] = o.region.size[1] = 0.8;
    o.region.size[2] = 4;
    o.region.position[2] = 2;
    double x[3], y[3], solid = 0;
    int index = add(&w, &o);
    for (int i = 0; i < o.count; i++)
    {
        double r = place(&w, index, i, x);
        int below = x[2] - r < 0.02 * r ? 1 : 0, touched = 2 * below;
        for (int k = 0; k < o.count; k++)
        {
            double s = place(&w, index, k, y);
            double off = sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
            below += k != i && y[2] < x[2] && off < 1.02 * (r + s) ? 1 : 0;
            touched += k != i && off < 1.02 * (r + s) ? 1 : 0;
        }
        for (int axis = 0; axis < 2; axis++) /* a wall carries too */
            touched += 0.4 - fabs(x[axis]) < 1.02 * r ? 1 : 0;
        if (below < 1 || touched < 2)
            fail_msg("grain %d at (%g, %g, %g) of radius %g rests on %d", i, x[0], x[1], x[2], r, touched);
        solid += x[2] < 0.3 ? 4.0 / 3 * PI * r * r * r : 0;
    }
    assert_true(solid / (0.64 * 0.3) > 0.45 && solid / (0.64 * 0.3) < 0.7);
    close_world(&w);
}

/* Grains reach the floor however far they fall: few small ones in a high and wide box. */
static void test_deep_fall(void **state)
{
    (void)state;
    world w = open_world(3);
    cairn_population_options o = sand(50, CAIRN_PACKING_DEPOSIT);
    o.sizes = (cairn_sizes){.mean = 1e-6};
    o.region = (cairn_population_region){.position = {0, 0, 50}, .size = {10, 10, 100}};
    int index = add(&w, &o);
    for (int i = 0; i < o.count; i++)
    {
        double x[3], r = place(&w, index, i, x);
        assert_true(x[2] >= r && x[2] < 1.1 * r);
    }
    close_world(&w);
}

/* Bodies of the scene are obstacles, unless they do not collide with the grains. */
static void test_obstacles(void **state)
{
    (void)state;
    for (int passes = 0; passes < 2; passes++)
    {
        world w = open_world(3);
        cairn_body_options wall = cairn_body_default();
        cairn_body body;
        cairn_shape shape;
        wall.name = "wall";
        wall.kind = CAIRN_FIXED;
        wall.groups = 2;
        cairn_shape_options box = cairn_shape_default(CAIRN_BOX), half = cairn_shape_default(CAIRN_HALF_SPACE);
        box.size[0] = 0.4;
        box.size[1] = box.size[2] = 10;
        half.position[2] = -0.2;
        assert_int_equal(cairn_model_add_body(w.model, &wall, &body), CAIRN_OK);
        assert_int_equal(cairn_model_add_shape(w.model, body, &box, &shape), CAIRN_OK);
        assert_int_equal(cairn_model_add_shape(w.model, body, &half, &shape), CAIRN_OK);
        cairn_population_options o = sand(50, CAIRN_PACKING_RANDOM);
        o.collides_with = passes ? 1 : UINT64_MAX;
        int index = add(&w, &o), inside = 0;
        for (int i = 0; i < o.count; i++)
        {
            double x[3], r = place(&w, index, i, x);
            inside += fabs(x[0]) < 0.2 + r || x[2] < -0.2 + r ? 1 : 0;
        }
        assert_true(passes ? inside > 5 : inside == 0);
        close_world(&w);
    }
}

/* Names by index lead to bodies and back, also after grains were removed and others added. */
static void test_names(void **state)
{
    (void)state;
    world w = open_world(3);
    cairn_body_options extra = cairn_body_default();
    cairn_body body;
    cairn_population_options o = sand(30, CAIRN_PACKING_RANDOM);
    int index = add(&w, &o);
    assert_int_equal(cairn_model_find_population(w.model, "sand"), index);
    assert_string_equal(cairn_model_population_name(w.model, index), "sand");
    for (int i = 0; i < 30; i++)
    {
        char name[24];
        snprintf(name, sizeof name, "sand[%d]", i);
        cairn_body found = cairn_model_find_body(w.model, name);
        assert_string_equal(cairn_model_body_name(w.model, found), name);
        assert_int_equal(cairn_model_body_index(w.model, found), i);
    }
    static const char *const NONE[] = {"sand",     "sand[30]",         "sand[-1]", "sand[01]", "sand[]",    "sand[1",
                                       "sand[1]x", "sand[4294967297]", "san[1]",   "[1]",      "sand[1][2]"};
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++)
        assert_int_equal(cairn_model_find_body(w.model, NONE[i]).id, 0);
    assert_int_equal(cairn_model_remove_body(w.model, cairn_model_find_body(w.model, "sand[7]")), CAIRN_OK);
    assert_int_equal(cairn_model_find_body(w.model, "sand[7]").id, 0);
    extra.name = "extra"; /* takes the free slot */
    assert_int_equal(cairn_model_add_body(w.model, &extra, &body), CAIRN_OK);
    assert_int_equal(cairn_model_find_body(w.model, "sand[7]").id, 0);
    assert_string_equal(cairn_model_body_name(w.model, cairn_model_population_body(w.model, index, 8)), "sand[8]");
    extra.name = "sand[9]";
    assert_int_equal(cairn_model_add_body(w.model, &extra, &body), CAIRN_INVALID);
    extra.name = "sand";
    assert_int_equal(cairn_model_add_body(w.model, &extra, &body), CAIRN_INVALID);
    close_world(&w);
}

/* The same seed gives the same bits; another one, other grains. */
static void test_seeds(void **state)
{
    (void)state;
    double x[3][3], r[3];
    for (int i = 0; i < 3; i++)
    {
        world w = open_world(3);
        cairn_population_options o = sand(60, CAIRN_PACKING_RANDOM);
        o.seed = i < 2 ? 12345678901 : 5;
        r[i] = place(&w, add(&w, &o), 17, x[i]);
        close_world(&w);
    }
    assert_true(r[0] == r[1] && memcmp(x[0], x[1], sizeof x[0]) == 0);
    assert_true(r[0] != r[2] && memcmp(x[0], x[2], sizeof x[0]) != 0);
    assert_true(r[0] > 0.03 && r[0] < 0.06);
}

/* A clump of three balls and a box: moved to their centre of mass, of the volume that their radius says, randomly turned, and apart. */
static void test_clumps(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++)
    {
        world w = open_world(3);
        cairn_shape_options parts[3];
        for (int i = 0; i < 3; i++)
        {
            parts[i] = cairn_shape_default(kind ? CAIRN_BOX : CAIRN_SPHERE);
            parts[i].radius = 1;
            parts[i].size[0] = parts[i].size[1] = 1;
            parts[i].size[2] = 3;
            parts[i].position[0] = 2 * i; /* apart, so that volumes add up */
            parts[i].position[1] = i == 1 ? 0.5 : 0;
        }
        cairn_population_options o = sand(25, CAIRN_PACKING_RANDOM);
        o.shapes = parts;
        o.shape_count = kind ? 1 : 3;
        o.sizes = (cairn_sizes){.mean = 0.05};
        int index = add(&w, &o), same = 0;
        cairn_query *query;
        assert_int_equal(cairn_query_create(w.context, w.model, &query), CAIRN_OK);
        for (int i = 0; i < o.count; i++)
        {
            cairn_body body = cairn_model_population_body(w.model, index, i);
            assert_near(cairn_model_body_mass(w.model, body), 2000 * 4.0 / 3 * PI * 1.25e-4, 1e-12);
            const cairn_body_state at = crn_initial_of(&w.model->bodies[cairn_model_body_index(w.model, body)]);
            same += fabs(at.orientation[0]) > 0.999 ? 1 : 0;
            for (int k = 0; k < i; k++)
            {
                cairn_distance apart;
                cairn_body other = cairn_model_population_body(w.model, index, k);
                assert_int_equal(cairn_query_distance(query, body, other, &apart), CAIRN_OK);
                assert_true(apart.distance > 0);
            }
        }
        assert_true(same < 3);
        cairn_query_destroy(query);
        cairn_settings settings = cairn_settings_default();
        cairn_simulation *simulation; /* the centre of mass is the origin, or this is refused */
        assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &simulation), CAIRN_OK);
        cairn_simulation_destroy(simulation);
        close_world(&w);
    }
}

/* The inside of a mesh: a tetrahedron with corners at the origin and on the axes, moved and turned. */
static void test_mesh_region(void **state)
{
    (void)state;
    static const double CORNERS[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2};
    static const int FACES[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    for (int packing = 0; packing < 4; packing++)
    {
        world w = open_world(3);
        cairn_population_options o = sand(60, (cairn_packing)packing);
        o.region = (cairn_population_region){.kind = CAIRN_REGION_MESH,
                                             .position = {1, 2, 3},
                                             .vertices = CORNERS,
                                             .vertex_count = 4,
                                             .triangles = FACES,
                                             .triangle_count = 4};
        o.fraction = 0;
        int index = add(&w, &o);
        for (int i = 0; i < o.count; i++)
        {
            double x[3], r = place(&w, index, i, x), a = x[0] - 1, b = x[1] - 2, c = x[2] - 3;
            assert_true(fmin(fmin(a, b), fmin(c, (2 - a - b - c) / sqrt(3))) > r - 1e-9);
        }
        close_world(&w);
    }
}

/* What cannot be is refused with a sentence that names the population and the fault, and the model stays as it was. */
static void test_refused(void **state)
{
    (void)state;
    enum
    {
        BAD = 20
    };
    static const char *const SAYS[BAD] = {"random places were found",
                                          "jam before",
                                          "have a volume of",
                                          "either a count",
                                          "density",
                                          "radius",
                                          "size",
                                          "brackets",
                                          "count",
                                          "fraction",
                                          "spacing",
                                          "then the region was full",
                                          "struct_size",
                                          "orientation",
                                          "a grain must have bounded",
                                          "velocity",
                                          "needs a name",
                                          "jitter: must be from 0 to 1",
                                          "jitter: must be from 0 to 1",
                                          "jitter: displaces grains"};
    for (int i = 0; i < BAD; i++)
    {
        world w = open_world(3);
        int index;
        cairn_shape_options plane = cairn_shape_default(CAIRN_HALF_SPACE);
        cairn_population_options o = sand(1500, CAIRN_PACKING_RANDOM);
        o.sizes = (cairn_sizes){.mean = 0.06};
        o.packing = i == 1 ? CAIRN_PACKING_GROWTH : i == 11 ? CAIRN_PACKING_DEPOSIT : o.packing;
        o.count = i == 2 ? 1000000 : i == 3 ? 0 : i == 8 ? -1 : i > 2 && i != 11 ? 10 : o.count;
        o.count = i == 1 ? 1200 : o.count;
        o.fraction = i == 9 ? NAN : 0;
        o.density = i == 4 ? 0 : o.density;
        o.sizes.mean = i == 5 ? -1 : o.sizes.mean;
        o.region.size[1] = i == 6 ? 0 : o.region.size[1];
        o.name = i == 7 ? "a[b" : i == 16 ? NULL : o.name;
        o.spacing = i == 10 ? -1 : 0;
        o.struct_size = i == 12 ? 3 : o.struct_size;
        o.region.orientation[1] = i == 13 ? INFINITY : 0;
        o.shapes = i == 14 ? &plane : NULL;
        o.shape_count = i == 14 ? 1 : 0;
        o.velocity[2] = i == 15 ? NAN : 0;
        o.jitter = i == 17 ? 1.01 : i == 18 ? NAN : i == 19 ? 0.5 : 0;
        assert_int_equal(cairn_model_add_population(w.model, &o, &index), CAIRN_INVALID);
        const char *said = cairn_context_last_message(w.context);
        if (!strstr(said, SAYS[i]) && i != 12 && i != 9)
            fail_msg("case %d says: %s", i, said);
        assert_int_equal(cairn_model_body_count(w.model), 0);
        assert_int_equal(cairn_model_population_count(w.model), 0);
        close_world(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_overlap),    cmocka_unit_test(test_lattice),
        cmocka_unit_test(test_fraction),      cmocka_unit_test(test_deposit),
        cmocka_unit_test(test_obstacles),     cmocka_unit_test(test_names),
        cmocka_unit_test(test_seeds),         cmocka_unit_test(test_clumps),
        cmocka_unit_test(test_mesh_region),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_deep_fall),     cmocka_unit_test(test_jitter),
        cmocka_unit_test(test_law_of_jitter), cmocka_unit_test(test_jitter_among_obstacles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
