/* Chains and polygons that are not convex: pieces, seams, masses; and the masses of solids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/shape/convex_decomposition.h"
#include "support/collide_scene.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

enum
{
    CORNERS = 12
};

/* A polygon about the origin whose corners go in and out: seen from the origin it has every direction once. */
static void draw_star(double *v, uint64_t *seed)
{
    for (int i = 0; i < CORNERS; ++i)
    {
        double angle = 2 * COLLIDE_PI * (i + collide_uniform(seed, -0.3, 0.3)) / CORNERS;
        double radius = collide_uniform(seed, 0.3, 1.0);
        v[2 * i] = radius * cos(angle);
        v[2 * i + 1] = radius * sin(angle);
    }
}

static double segment_distance(const double *p, const double *q, const double x[2])
{
    double e[2] = {q[0] - p[0], q[1] - p[1]}, a[2] = {x[0] - p[0], x[1] - p[1]};
    double t = fmax(0, fmin(1, (a[0] * e[0] + a[1] * e[1]) / (e[0] * e[0] + e[1] * e[1])));
    return hypot(a[0] - t * e[0], a[1] - t * e[1]);
}

static double outline_distance(const double *v, int count, bool closed, const double x[2])
{
    double least = INFINITY;
    for (int i = 0; i + (closed ? 0 : 1) < count; ++i)
        least = fmin(least, segment_distance(v + 2 * i, v + 2 * ((i + 1) % count), x));
    return least;
}

/* Crossings of the ray to the right. */
static bool is_inside(const double *v, int count, const double x[2])
{
    bool inside = false;
    for (int i = 0; i < count; ++i)
    {
        const double *p = v + 2 * i, *q = v + 2 * ((i + 1) % count);
        if ((p[1] > x[1]) != (q[1] > x[1]) && x[0] < p[0] + (x[1] - p[1]) / (q[1] - p[1]) * (q[0] - p[0]))
            inside = !inside;
    }
    return inside;
}

static double least_gap(const collide_scene *s)
{
    double least = INFINITY;
    for (int i = 0; i < s->count; ++i)
        least = fmin(least, s->contacts[i].gap);
    return least;
}

/* A disc about a random polygon or chain: the least gap is the distance to the outline, and no contact is nearer than it. */
static void discs_see_the_whole_outline(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 4000; ++trial)
    {
        double v[2 * CORNERS], x[2] = {collide_uniform(&seed, -1.3, 1.3), collide_uniform(&seed, -1.3, 1.3)};
        bool chain = trial % 2;
        collide_scene s;
        draw_star(v, &seed);
        collide_start(&s, 2);
        cairn_shape_options o = cairn_shape_default(chain ? CAIRN_CHAIN : CAIRN_POLYGON);
        o.vertices = v;
        o.vertex_count = CORNERS;
        collide_add(&s, &o, 0, 0, 0);
        collide_add_round(&s, CAIRN_CIRCLE, 0.05, x[0], x[1], 0);
        collide_within(&s, 4.0);
        double distance = outline_distance(v, CORNERS, !chain, x);
        if ((chain || !is_inside(v, CORNERS, x)) && distance > 1e-6)
            collide_assert_near(least_gap(&s), distance - 0.05, 1e-12);
        collide_finish(&s);
    }
}

/* Pieces are convex, and their areas make up the whole. */
static void pieces_make_up_the_polygon(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int trial = 0; trial < 500; ++trial)
    {
        double v[2 * CORNERS], area = 0, piece[2 * CORNERS];
        crn_pieces pieces;
        draw_star(v, &seed);
        if (crn_polygon_is_convex(v, CORNERS))
            continue;
        assert_int_equal(crn_pieces_cut(v, CORNERS, &pieces), CAIRN_OK);
        assert_true(pieces.count >= 2 && pieces.count <= CORNERS - 2);
        for (int p = 0; p < pieces.count; ++p)
        {
            int count = pieces.begin[p + 1] - pieces.begin[p];
            for (int i = 0; i < count; ++i)
                memcpy(piece + 2 * i, v + 2 * pieces.index[pieces.begin[p] + i], 2 * sizeof(double));
            assert_true(crn_polygon_is_convex(piece, count));
            area += crn_polygon_twice_area(piece, count);
        }
        collide_assert_near(area, crn_polygon_twice_area(v, CORNERS), 1e-13);
        crn_pieces_free(&pieces);
    }
}

/* A block sunk a little into a straight chain, wherever it stands over the joints, is pushed up and never sideways. */
static void straight_joints_are_smooth(void **state)
{
    (void)state;
    double v[2 * 21];
    for (int i = 0; i < 21; ++i)
    {
        v[2 * i] = i - 10;
        v[2 * i + 1] = 0;
    }
    for (int trial = 0; trial < 400; ++trial)
    {
        collide_scene s;
        collide_start(&s, 2);
        cairn_shape_options o = cairn_shape_default(CAIRN_CHAIN);
        o.vertices = v;
        o.vertex_count = 21;
        collide_add_rectangle(&s, 0.3, 0.2, -2.0 + 0.01 * trial, 0.2 - (trial % 4) * 1e-7);
        collide_add(&s, &o, 0, 0, 0);
        collide_within(&s, 1e-3);
        assert_true(s.count >= 2);
        for (int i = 0; i < s.count; ++i)
            collide_assert_vector(s.contacts[i].normal, 0, 1, 0);
        collide_finish(&s);
    }
}

/* Steps of a block that slides without friction over the joints of a chain: its speed stays. */
static void sliding_blocks_keep_their_speed(void **state)
{
    (void)state;
    static const char text[] = "dimension: 2\n"
                               "gravity: [0, -9.81]\n"
                               "materials: [{name: ice, friction: 0}]\n"
                               "bodies:\n"
                               "  - {name: floor, kind: fixed, material: ice, shapes: [{type: chain, vertices: "
                               "[[-3, 0], [-1, 0], [-0.2, 0], [0.5, 0], [1, 0], [1.3, 0], [2, 0], [5, 0]]}]}\n"
                               "  - {name: block, position: [-2, 0.1], velocity: [2, 0], material: ice, shapes: "
                               "[{type: rectangle, size: [0.4, 0.2], density: 10}]}\n"
                               "simulation: {step: 0.01, until: 2, integrator: euler, law: cone}\n";
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    assert_int_equal(cairn_scene_parse(context, "chain", text, sizeof text - 1, NULL, 0, &scene), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(scene);
    const cairn_model *model = cairn_scene_model(scene);
    assert_int_equal(cairn_simulation_create(context, model, &settings, &simulation), CAIRN_OK);
    for (int step = 0; step < 200; ++step)
    {
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        cairn_body_state block = cairn_simulation_body(simulation, cairn_model_find_body(model, "block"));
        collide_assert_near(block.velocity[0], 2, 1e-10);
        collide_assert_near(block.position[1], 0.1, 1e-8);
    }
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* ---------------------------------------------------------------------------------------------------------- masses */

static void mass_of(const cairn_shape_options *shape, int dimension, double *mass, double inertia[9])
{
    collide_scene s;
    cairn_shape out;
    cairn_body body;
    collide_start(&s, dimension);
    cairn_body_options o = cairn_body_default();
    o.name = "body";
    assert_int_equal(cairn_model_add_body(s.model, &o, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(s.model, body, shape, &out), CAIRN_OK);
    assert_int_equal(crn_model_mass(s.model, 0, mass, inertia), CAIRN_OK);
    collide_finish(&s);
}

/* Radius of a turned solid at height z. */
static double radius_at(const cairn_shape_options *o, double z)
{
    if (o->kind == CAIRN_CAPSULE)
    {
        double over = fmax(0, fabs(z) - o->length / 2);
        return sqrt(fmax(0, o->radius * o->radius - over * over));
    }
    return o->kind == CAIRN_CONE ? o->radius * (0.75 * o->height - z) / o->height : o->radius;
}

/* Slices: dm = pi r^2 dz, dI_zz = r^2/2 dm, dI_xx = (r^2/4 + z^2) dm, by the midpoint rule in an angle (smooth at round ends). */
static void turned_solids_weigh_their_slices(void **state)
{
    (void)state;
    static const cairn_shape_kind kinds[3] = {CAIRN_CYLINDER, CAIRN_CONE, CAIRN_CAPSULE};
    for (int k = 0; k < 3; ++k)
    {
        cairn_shape_options o = cairn_shape_default(kinds[k]);
        double mass, I[9], sum = 0, zz = 0, xx = 0, first = 0;
        o.radius = 0.3;
        o.height = o.length = 0.7;
        o.density = 2.0;
        double low = k == 1 ? -0.25 * o.height : k == 0 ? -0.35 : -0.65, high = k == 1 ? 0.75 * o.height : -low;
        int slices = 200000;
        for (int i = 0; i < slices; ++i)
        {
            double angle = COLLIDE_PI * (i + 0.5) / slices, z = 0.5 * (low + high) - 0.5 * (high - low) * cos(angle);
            double r = radius_at(&o, z);
            double dm = 2.0 * COLLIDE_PI * r * r * 0.5 * (high - low) * sin(angle) * COLLIDE_PI / slices;
            sum += dm;
            first += z * dm;
            zz += r * r / 2 * dm;
            xx += (r * r / 4 + z * z) * dm;
        }
        mass_of(&o, 3, &mass, I);
        collide_assert_near(mass, sum, 1e-8);
        collide_assert_near(first, 0, 1e-8);
        collide_assert_near(I[8], zz, 1e-8);
        collide_assert_near(I[0], xx, 1e-8);
        collide_assert_near(I[4], xx, 1e-8);
    }
}

/* A box turned, as the hull of its corners and of points inside, and as a box. */
static void hulls_weigh_as_boxes(void **state)
{
    (void)state;
    double points[3 * 12], mass[2], I[2][9];
    cairn_shape_options box = cairn_shape_default(CAIRN_BOX), hull = cairn_shape_default(CAIRN_HULL);
    memcpy(box.size, (double[3]){0.4, 1.0, 0.6}, sizeof box.size);
    for (int i = 0; i < 12; ++i)
    {
        double shrink = i < 8 ? 1.0 : 0.3;
        for (int k = 0; k < 3; ++k)
            points[3 * i + k] = shrink * (i >> k & 1 ? 0.5 : -0.5) * box.size[k];
    }
    hull.vertices = points;
    hull.vertex_count = 12;
    box.density = hull.density = 3.0;
    memcpy(box.orientation, (double[4]){0.8, 0.1, -0.3, 0.4}, sizeof box.orientation);
    memcpy(hull.orientation, box.orientation, sizeof box.orientation);
    mass_of(&box, 3, &mass[0], I[0]);
    mass_of(&hull, 3, &mass[1], I[1]);
    collide_assert_near(mass[1], mass[0], 1e-14);
    for (int k = 0; k < 9; ++k)
        collide_assert_near(I[1][k], I[0][k], 1e-14);
}

/* A plus sign out of five squares, and a planar capsule out of a rectangle and a disc. */
static void planar_shapes_weigh_their_parts(void **state)
{
    (void)state;
    double plus[24] = {0.5,  0.5,  0.5,  1.5,  -0.5, 1.5,  -0.5, 0.5,  -1.5, 0.5,  -1.5, -0.5,
                       -0.5, -0.5, -0.5, -1.5, 0.5,  -1.5, 0.5,  -0.5, 1.5,  -0.5, 1.5,  0.5};
    double mass, I[9], r = 0.2, a = 0.5;
    cairn_shape_options o = cairn_shape_default(CAIRN_POLYGON);
    o.vertices = plus;
    o.vertex_count = 12;
    o.density = 1;
    mass_of(&o, 2, &mass, I);
    collide_assert_near(mass, 5, 1e-14);
    collide_assert_near(I[8], 5.0 / 6.0 + 4.0, 1e-13);
    o = cairn_shape_default(CAIRN_CAPSULE);
    o.radius = r;
    o.length = 2 * a;
    o.density = 1;
    mass_of(&o, 2, &mass, I);
    double half = COLLIDE_PI * r * r / 2, c = 4 * r / (3 * COLLIDE_PI);
    double half_polar = half * (r * r / 2 - c * c) + half * (a + c) * (a + c);
    collide_assert_near(mass, 4 * a * r + 2 * half, 1e-15);
    collide_assert_near(I[8], 4 * a * r * (a * a + r * r) / 3 + 2 * half_polar, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_see_the_whole_outline),      cmocka_unit_test(pieces_make_up_the_polygon),
        cmocka_unit_test(straight_joints_are_smooth),       cmocka_unit_test(sliding_blocks_keep_their_speed),
        cmocka_unit_test(turned_solids_weigh_their_slices), cmocka_unit_test(hulls_weigh_as_boxes),
        cmocka_unit_test(planar_shapes_weigh_their_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
