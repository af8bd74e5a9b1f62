/* Polygons of friction in space where steps are swept, against closed forms: what sticks and what slides depends on the direction, which is measured
 * from the first tangent. On the ground, whose normal is z, that is x. Heaps keep the promises that they keep under the cone. */
#include "support/builder.h"
#include "support/check.h"
#include "support/heap.h"

#include "math/polygon.h"

#include <string.h>

static const double G = 9.81, PI = 3.14159265358979323846;

static const cairn_law LAWS[] = {
    {CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_PYRAMID, 6}, {CAIRN_LAW_PYRAMID, 8}, {CAIRN_LAW_BOX, 0}};

enum
{
    LAW_COUNT = 4,
    ALONE = 210, /* bodies that touch the ground alone: more than 150 contacts are swept, however small islands are */
    ACROSS = 15
};

static cairn_settings settings_of(cairn_law law, double h)
{
    cairn_settings settings = cairn_settings_default();
    settings.law = law;
    settings.step = h;
    return settings;
}

/* The largest friction in the direction of an angle, per normal force. */
static double reach_of(cairn_law law, double mu, double angle)
{
    if (law.kind == CAIRN_LAW_BOX)
        return mu / fmax(fabs(cos(angle)), fabs(sin(angle)));
    double side = 2 * PI / law.directions, middle = (floor(angle / side) + 0.5) * side;
    return mu * cos(0.5 * side) / cos(angle - middle);
}

/* The friction that resists a push F most: the point of the polygon nearest to it. */
static void resist(cairn_law law, double bound, const double F[2], double out[2])
{
    if (law.kind == CAIRN_LAW_PYRAMID)
        crn_polygon_project(law.directions, bound, F, out);
    for (int k = 0; k < 2 && law.kind == CAIRN_LAW_BOX; ++k)
        out[k] = fmin(fmax(F[k], -bound), bound);
}

static void assert_sound(const world *w)
{
    const cairn_step_report *report = cairn_simulation_report(w->simulation);
    assert_true(heap_swept(w));
    if (report->physics.violations > 0)
    {
        cairn_violation v = cairn_simulation_violation(w->simulation, 0);
        fail_msg("%s at t = %g, %g where %g is allowed", cairn_violation_name(v.kind), report->time, v.size,
                 v.allowance);
    }
}

static void take_steps(world *w, int steps)
{
    for (int k = 0; k < steps; ++k)
    {
        heap_run(w, 1);
        assert_sound(w);
    }
}

static cairn_body_state nth_state(const world *w, int i)
{
    return cairn_simulation_body(w->simulation, cairn_model_body(world_model(w), i));
}

/* ------------------------------------------------------------------------------------------------------------- slopes */

/* Flat tiles apart from each other, turned at random. Body i + 1 is tile i. */
static world tiles(double mu)
{
    world w = {.context = cairn_context_create()};
    builder b = builder_open(w.context, 3, mu, 7);
    builder_ground(&b);
    for (int i = 0; i < ALONE / 4; ++i)
    {
        builder_pose pose = builder_at(0.5 * (i % ACROSS), 0.5 * (i / ACROSS), 0.01);
        double turn = test_uniform(&b.random, 0, PI);
        pose.density = 1000;
        pose.turn[0] = cos(turn);
        pose.turn[3] = sin(turn);
        builder_box(&b, &pose, 0.2, 0.15, 0.02);
    }
    assert_int_equal(b.status, CAIRN_OK);
    w.model = b.model;
    return w;
}

/* The ground is a slope whose line of fall has this direction in it. With tan(slope) below the polygon's reach nothing moves. Above it, all tiles have
 * the acceleration F - P(F) from the first step on, with P on the polygon: friction resists as much as it can. */
static void slide_tiles(cairn_law law, double angle, double share)
{
    const double mu = 0.4, h = 0.005, slope = atan(share * reach_of(law, mu, angle));
    const int steps = 12;
    world w = tiles(mu);
    cairn_settings settings = settings_of(law, h);
    double F[2] = {G * sin(slope) * cos(angle), G * sin(slope) * sin(angle)}, P[2];
    cairn_model_set_gravity(w.model, (double[3]){F[0], F[1], -G * cos(slope)});
    world_start(&w, &settings);
    take_steps(&w, steps);
    resist(law, mu * G * cos(slope), F, P);
    assert_true(share > 1 ? hypot(F[0] - P[0], F[1] - P[1]) > 1e-3 * G : F[0] == P[0] && F[1] == P[1]);
    for (int i = 1; i <= ALONE / 4; ++i)
    {
        cairn_body_state s = nth_state(&w, i);
        for (int k = 0; k < 2; ++k)
            assert_near(s.velocity[k], (F[k] - P[k]) * steps * h, 1e-6 * G * steps * h);
        assert_near(s.angular_velocity[2], 0, 1e-5);
    }
    world_free(&w);
}

static void slopes_hold_up_to_the_polygon(void **state)
{
    (void)state;
    const double angles[] = {0, 10, 30, 45, 100, 200, 345}; /* corners and middles of sides among them */
    for (int l = 0; l < LAW_COUNT; ++l)
        for (int i = 0; i < 7; ++i)
        {
            slide_tiles(LAWS[l], angles[i] * PI / 180, 0.99);
            slide_tiles(LAWS[l], angles[i] * PI / 180, 1.02);
        }
}

/* Balls that slide in all directions. The friction of each is the corner that opposes its slip most, as long as that corner does: it loses
 * mu g in the direction of the corner (under the box, of both tangents), and its slip 7/2 of that, as it begins to roll. */
static void slide_balls(cairn_law law)
{
    const double mu = 0.3, h = 0.002, speed = 3, r = 0.1;
    const int steps = 10;
    world w = {.context = cairn_context_create()};
    builder b = builder_open(w.context, 3, mu, 8);
    builder_ground(&b);
    for (int i = 0; i < ALONE; ++i)
    {
        builder_pose pose = builder_at(0.5 * (i % ACROSS), 0.5 * (i / ACROSS), r);
        pose.density = 1000;
        pose.velocity[0] = speed * cos(i + 0.5);
        pose.velocity[1] = speed * sin(i + 0.5);
        builder_ball(&b, &pose, r);
    }
    w.model = b.model;
    cairn_settings settings = settings_of(law, h);
    world_start(&w, &settings);
    take_steps(&w, steps);
    int sides = law.kind == CAIRN_LAW_BOX ? 4 : law.directions, judged = 0;
    double first = law.kind == CAIRN_LAW_BOX ? PI / 4 : 0, far = law.kind == CAIRN_LAW_BOX ? sqrt(2) : 1;
    for (int i = 0; i < ALONE; ++i)
    {
        double slip = i + 0.5, sector = 2 * PI / sides, corner = first + round((slip - first) / sector) * sector;
        double lost = far * mu * G * steps * h, turned = asin(fmin(1, 3.5 * lost / speed)); /* at most */
        if (fabs(slip - corner) + turned > sector / 2)
            continue;
        cairn_body_state s = nth_state(&w, i + 1);
        assert_near(s.velocity[0], speed * cos(slip) - lost * cos(corner), 1e-8);
        assert_near(s.velocity[1], speed * sin(slip) - lost * sin(corner), 1e-8);
        assert_near(s.angular_velocity[0], -2.5 * lost * sin(corner) / r, 1e-7);
        assert_near(s.angular_velocity[1], 2.5 * lost * cos(corner) / r, 1e-7);
        ++judged;
    }
    assert_true(judged > ALONE / 3);
    world_free(&w);
}

static void balls_slide_against_corners(void **state)
{
    (void)state;
    for (int l = 0; l < LAW_COUNT; ++l)
        slide_balls(LAWS[l]);
}

/* --------------------------------------------------------------------------------------------------------------- rest */

static bool is_still(const world *w)
{
    for (int i = 0; i < cairn_model_body_count(world_model(w)); ++i)
    {
        cairn_body_state s = nth_state(w, i);
        for (int k = 0; k < 3; ++k)
            if (s.velocity[k] != 0 || s.angular_velocity[k] != 0)
                return false;
    }
    return true;
}

/* A row of blocks at rest on a slope that falls along the diagonal, where pyramid(4) has its least friction and the box its most. Friction is
 * lowered so far that the impulses leave the polygon and not the disc, or the other way round. */
static void friction_is_lowered(cairn_law law, double slope, double to)
{
    const double h = 0.01, diagonal = sqrt(0.5), reach = reach_of(law, to, PI / 4);
    const double g[3] = {-G * sin(slope) * diagonal, -G * sin(slope) * diagonal, -G * cos(slope)};
    world w = heap_row(12, 1, NULL);
    cairn_settings settings = settings_of(law, h);
    world_start(&w, &settings);
    assert_int_equal(cairn_simulation_set_gravity(w.simulation, g), CAIRN_OK);
    for (int k = 0; k < 200 && (k == 0 || !is_still(&w)); ++k)
        take_steps(&w, 1);
    assert_true(is_still(&w));
    assert_int_equal(cairn_simulation_set_friction(w.simulation, to), CAIRN_OK);
    take_steps(&w, 10);
    double speed = 10 * h * G * fmax(0, sin(slope) - reach * cos(slope));
    assert_int_equal(is_still(&w), speed == 0);
    for (int k = 0; k < 2; ++k)
        assert_near(world_body(&w, "block0").velocity[k], -diagonal * speed, 1e-4);
    world_free(&w);
}

static void what_rests_keeps_to_the_polygon(void **state)
{
    (void)state;
    const cairn_law pyramid = {CAIRN_LAW_PYRAMID, 4}, box = {CAIRN_LAW_BOX, 0};
    friction_is_lowered(pyramid, atan(0.3), 0.35); /* 0.247 in this direction */
    friction_is_lowered(pyramid, atan(0.3), 0.45); /* 0.318 */
    friction_is_lowered(box, atan(0.45), 0.4);     /* 0.566 */
    friction_is_lowered(box, atan(0.45), 0.3);     /* 0.424 */
}

/* A pyramid of boxes, some way above the ground. */
static world pyramid_of_boxes(int rows, double lift)
{
    world w = {.context = cairn_context_create()};
    builder b = builder_open(w.context, 3, 0.5, 1);
    builder_ground(&b);
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < rows - row; ++i)
        {
            builder_pose pose = builder_at(0.22 * (i + 0.5 * row), 0, lift + 0.1 + 0.2 * row);
            pose.density = 1000;
            builder_box(&b, &pose, 0.2, 0.2, 0.2);
        }
    assert_int_equal(b.status, CAIRN_OK);
    w.model = b.model;
    return w;
}

/* It stands from the first step on, and carries its weight. */
static void structures_stand_at_once(void **state)
{
    (void)state;
    const int rows = 10, boxes = 55;
    for (int l = 0; l < LAW_COUNT; ++l)
    {
        world w = pyramid_of_boxes(rows, 0);
        cairn_settings settings = settings_of(LAWS[l], 0.01);
        if (l == 1)
            settings.accuracy = CAIRN_ACCURACY_FAST;
        world_start(&w, &settings);
        for (int k = 0; k < 40; ++k)
        {
            take_steps(&w, 1);
            assert_true(is_still(&w));
            assert_true(k == 0 || cairn_simulation_report(w.simulation)->solver.iterations == 0);
        }
        double carried = 0;
        cairn_body ground = cairn_model_body(w.model, 0);
        for (int j = 0; j < cairn_simulation_contact_count(w.simulation); ++j)
        {
            cairn_contact c = cairn_simulation_contact(w.simulation, j);
            double sign = c.b.id == ground.id ? 1.0 : c.a.id == ground.id ? -1.0 : 0.0;
            carried += sign * c.impulse[0] * c.normal[2];
        }
        assert_near(carried / 0.01, 8 * G * boxes, 1e-4 * 8 * G * boxes);
        world_free(&w);
    }
}

static void dropped_structures_are_stopped(void **state)
{
    (void)state;
    for (int l = 0; l < LAW_COUNT; ++l)
    {
        world w = pyramid_of_boxes(9, 0.01);
        cairn_settings settings = settings_of(LAWS[l], 0.005);
        world_start(&w, &settings);
        heap_run(&w, 20);
        assert_false(is_still(&w));
        while (cairn_simulation_time(w.simulation) < 3 && !is_still(&w))
            take_steps(&w, 1);
        assert_true(is_still(&w));
        world_free(&w);
    }
}

/* -------------------------------------------------------------------------------------------------------------- heaps */

typedef struct come_down
{
    double overlap; /* m: mean, the largest of some steps */
    int sweeps;
} come_down;

static come_down let_fall(heap_mix mix, int count, cairn_law law)
{
    const double h = 0.005;
    heap_options options = {.dimension = 3, .mix = mix, .count = count, .friction = 0.5, .seed = 1};
    world w = heap_world(&options);
    cairn_settings settings = settings_of(law, h);
    world_start(&w, &settings);
    come_down out = {0};
    for (int k = 0; k < 420; ++k)
    {
        heap_run(&w, 1);
        if (heap_swept(&w))
            assert_sound(&w);
        out.sweeps += heap_swept(&w) ? cairn_simulation_report(w.simulation)->solver.iterations : 0;
        out.overlap = k < 400 ? 0 : fmax(out.overlap, heap_penetration(&w));
    }
    assert_true(heap_swept(&w));
    world_free(&w);
    return out;
}

/* The promise of `balanced`, for about the sweeps that the cone takes. */
static void heaps_settle_as_under_the_cone(void **state)
{
    (void)state;
    const cairn_law laws[] = {{CAIRN_LAW_CONE, 0}, {CAIRN_LAW_PYRAMID, 6}, {CAIRN_LAW_BOX, 0}};
    for (int mix = HEAP_ROUND; mix <= HEAP_MIXED; ++mix)
    {
        int count = IS_SANITIZED ? 120 : mix == HEAP_ROUND ? 500 : 300;
        int of_cone = 0;
        for (int l = 0; l < 3; ++l)
        {
            come_down it = let_fall((heap_mix)mix, count, laws[l]);
            print_message("    %s, law %d: mean overlap %.2g r, %d sweeps\n", mix == HEAP_ROUND ? "spheres" : "mixed",
                          l, it.overlap / HEAP_RADIUS, it.sweeps);
            of_cone = l == 0 ? it.sweeps : of_cone;
            assert_true(it.overlap < 1e-4 * HEAP_RADIUS);
            assert_true(it.sweeps < 2 * of_cone);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_hold_up_to_the_polygon),   cmocka_unit_test(balls_slide_against_corners),
        cmocka_unit_test(what_rests_keeps_to_the_polygon), cmocka_unit_test(structures_stand_at_once),
        cmocka_unit_test(dropped_structures_are_stopped),  cmocka_unit_test(heaps_settle_as_under_the_cone),
    };
    return cmocka_run_group_tests_name("polygons of friction", tests, NULL, NULL);
}
