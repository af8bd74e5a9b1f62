/* Teeth and tight fits: over the whole run nothing gains energy but what forces put in, and nothing penetrates by 1e-4 of its
 * size, told by geometry of the test's own where that is simple. */
#include "support/check.h"
#include "support/sober.h"
#include "support/worlds.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------------------ geometry of its own */

static void to_world(const cairn_body_state *s, const double p[2], double out[2])
{
    double c = cos(s->angle), d = sin(s->angle);
    out[0] = s->position[0] + c * p[0] - d * p[1];
    out[1] = s->position[1] + d * p[0] + c * p[1];
}

static void to_body(const cairn_body_state *s, const double p[2], double out[2])
{
    double c = cos(s->angle), d = sin(s->angle), x = p[0] - s->position[0], y = p[1] - s->position[1];
    out[0] = c * x + d * y;
    out[1] = c * y - d * x;
}

/* How deep a point is inside a polygon: its distance from the outline, 0 outside. */
static double depth(const double (*polygon)[2], int n, const double p[2])
{
    bool inside = false;
    double nearest = HUGE_VAL;
    for (int i = 0, j = n - 1; i < n; j = i++)
    {
        const double *a = polygon[j], *b = polygon[i];
        double dx = b[0] - a[0], dy = b[1] - a[1];
        double s = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy);
        s = fmin(1, fmax(0, s));
        nearest = fmin(nearest, hypot(p[0] - a[0] - s * dx, p[1] - a[1] - s * dy));
        inside = (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + dx * (p[1] - a[1]) / dy ? !inside : inside;
    }
    return inside ? nearest : 0;
}

enum
{
    MOST_CORNERS = 1000
};

/* The corners of a body's one polygon, in its frame. */
static int corners_of(const world *w, const char *name, double (*out)[2])
{
    const cairn_model *model = world_model(w);
    int count = 0;
    for (int i = 0; i < cairn_model_shape_count(model); ++i)
    {
        cairn_shape_info shape = cairn_model_shape_info(model, cairn_model_shape(model, i));
        if (shape.piece || shape.body.id != cairn_model_find_body(model, name).id)
            continue;
        for (int k = 0; k < shape.vertex_count && count < MOST_CORNERS; ++k, ++count)
        {
            out[count][0] = shape.vertices[2 * k];
            out[count][1] = shape.vertices[2 * k + 1];
        }
    }
    return count;
}

/* The deepest corner of either body inside the other. */
static double overlap(const world *w, const char *one, const char *two)
{
    static double corner[2][MOST_CORNERS][2];
    const char *name[2] = {one, two};
    int count[2];
    cairn_body_state state[2];
    double deepest = 0;
    for (int i = 0; i < 2; ++i)
    {
        count[i] = corners_of(w, name[i], corner[i]);
        state[i] = world_body(w, name[i]);
    }
    for (int i = 0; i < 2; ++i)
    {
        for (int k = 0; k < count[i]; ++k)
        {
            double p[2], q[2];
            to_world(&state[i], corner[i][k], p);
            to_body(&state[1 - i], p, q);
            deepest = fmax(deepest, depth((const double(*)[2])corner[1 - i], count[1 - i], q));
        }
    }
    return deepest;
}

/* --------------------------------------------------------------------------------------------------- the scenes */

/* 12 teeth drive 20: what they turn by stays in that ratio, but for the play (0.004 in all, at the pitch circle) and the straight
 * pieces of the teeth; once they turn evenly, the brake's torque is that of the motor times 20/12, less what friction takes. */
static void wheels(const char *friction, double least, double most)
{
    cairn_settings settings;
    const cairn_parameter parameter = {"mu", friction};
    world w = world_load("gears", &settings, &parameter, 1);
    world_start(&w, &settings);
    double first[2] = {world_body(&w, "driver").angle, world_body(&w, "follower").angle}, second = 0;
    sober seen = sober_start(&w);
    double slip = 0, deepest = 0;
    for (int i = 0; i < 2000; ++i)
    {
        world_step(&w);
        cairn_body_state driver = world_body(&w, "driver"), follower = world_body(&w, "follower");
        double turned = follower.angular_velocity[2];
        sober_watch(&w, settings.step * (20 * driver.angular_velocity[2] - 10 * turned * turned), &seen);
        slip = fmax(slip, fabs(12 * (driver.angle - first[0]) + 20 * (follower.angle - first[1])) * 0.1 / 2);
        deepest = i % 20 == 0 ? fmax(deepest, overlap(&w, "driver", "follower")) : deepest;
        second = i == 1000 ? follower.angle : second;
    }
    double torque = 10 * (second - world_body(&w, "follower").angle) / 0.999;
    print_message("gears, friction %s: out of ratio by %.2g m, brake %.4g of the motor's torque, overlap %.1e m\n",
                  friction, slip, torque / 20, deepest);
    assert_true(slip < 0.005);
    assert_true(torque > 20 * least && torque < 20 * most);
    assert_true(deepest < 1e-4 * 1.2);
    sober_check("gears", &seen, 1.2);
    world_free(&w);
}

static void gears(void **state)
{
    (void)state;
    wheels("0", 1.6, 1.667);
    wheels("0.1", 1.5, 1.64);
}

/* The peg reaches the bottom, whatever the friction; its corners never lie in the block. */
static void peg_in_the_plane(void **state)
{
    (void)state;
    const char *friction[] = {"0", "0.1", "0.3"};
    for (int k = 0; k < 3; ++k)
    {
        cairn_settings settings;
        const cairn_parameter parameter = {"mu", friction[k]};
        world w = world_load("peg", &settings, &parameter, 1);
        world_start(&w, &settings);
        sober seen = sober_start(&w);
        double deepest = 0;
        for (int i = 0; i < 1000; ++i)
        {
            world_step(&w);
            sober_watch(&w, 0, &seen);
            deepest = i % 10 == 0 ? fmax(deepest, overlap(&w, "block", "peg")) : deepest;
        }
        cairn_body_state peg = world_body(&w, "peg");
        assert_near(peg.position[1], 0.15, 1e-9);
        assert_near(peg.position[0], 0, 0.0501 * 0.001 + 1e-9);
        assert_true(deepest < 1e-4 * 0.1);
        sober_check("peg", &seen, 0.1);
        world_free(&w);
    }
}

/* How far the round peg's lower rim is beyond the walls of the hole, once it is below the funnel. */
static double beyond_walls(const cairn_body_state *peg)
{
    const double *q = peg->orientation, r = 0.05, wall = 0.05 * 1.001;
    double axis[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                      1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    double rim[3], worst = 0;
    for (int i = 0; i < 3; ++i)
        rim[i] = peg->position[i] - 0.15 * axis[i];
    for (int k = 0; k < 12 && rim[2] + r < 0.2; ++k)
    {
        double n[2] = {cos(k * 3.14159265358979323846 / 6), sin(k * 3.14159265358979323846 / 6)};
        double along = n[0] * axis[0] + n[1] * axis[1];
        worst = fmax(worst, n[0] * rim[0] + n[1] * rim[1] + r * sqrt(1 - along * along) - wall);
    }
    return worst;
}

static void drop_round_peg(const char *friction, bool arrives)
{
    cairn_settings settings;
    const cairn_parameter parameter = {"mu", friction};
    world w = world_load("round-peg", &settings, &parameter, 1);
    world_start(&w, &settings);
    sober seen = sober_start(&w);
    double beyond = 0;
    for (int i = 0; i < 1000; ++i)
    {
        world_step(&w);
        sober_watch(&w, 0, &seen);
        cairn_body_state peg = world_body(&w, "peg");
        beyond = fmax(beyond, beyond_walls(&peg));
    }
    if (arrives)
        assert_near(world_body(&w, "peg").position[2], 0.15, 1e-9);
    assert_true(beyond < 1e-4 * 0.1);
    sober_check("round peg", &seen, 0.1);
    world_free(&w);
}

static void round_peg(void **state)
{
    (void)state;
    drop_round_peg("0", true);
    drop_round_peg("0.1", true);
    drop_round_peg("0.3", false); /* it jams in the mouth */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gears),
        cmocka_unit_test(peg_in_the_plane),
        cmocka_unit_test(round_peg),
    };
    return cmocka_run_group_tests_name("fits", tests, NULL, NULL);
}
