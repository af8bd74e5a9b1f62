/* Pairs of convex shapes of space that move along paths, of which one at least is smooth (a ball, a capsule, an ellipsoid):
 *
 *     gap       agrees with the separating plane and with the distance of two points of the surfaces to 1e-10 of itself
 *     vector    gap times normal is the projection of a point onto a convex body (the difference of the two), so it moves no further
 *               than the bodies do, also where the nearest feature changes
 *     rate      the gap's derivative, by differences, is the velocity of the two touching points along the normal
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec.h"
#include "support/solid.h"

#include <math.h>
#include <string.h>

enum
{
    PATHS = 20,
    STEPS = 60
};

static const double TICK = 1e-6; /* s: of the differences */

/* Two solids, and how fast the first moves and turns. */
typedef struct course
{
    collide_scene scene;
    solid a, b;
    double size;
    double from[3], velocity[3], spin[3];
    double R[9]; /* of a, at the start */
} course;

static bool is_smooth(const solid *s)
{
    return !solid_has_faces(s);
}

static void draw_course(course *c, int i, int j, bool turning, uint64_t *seed)
{
    solid_draw(&c->a, solid_kinds[i], 1.0, SOLID_STOCKY, seed);
    solid_draw(&c->b, solid_kinds[j], 1.0, SOLID_STOCKY, seed);
    solid_pose(&c->a, 0.0, 3.0, seed);
    solid_pose(&c->b, 0.0, 3.0, seed);
    c->size = solid_extent(&c->a) + solid_extent(&c->b);
    memcpy(c->R, c->a.pose.R, sizeof c->R);
    for (int k = 0; k < 3; ++k)
    {
        c->from[k] = collide_uniform(seed, -1, 1);
        c->velocity[k] = collide_uniform(seed, -1, 1);
        c->spin[k] = turning ? collide_uniform(seed, -1, 1) : 0.0;
    }
    solid_collide(&c->scene, &c->a, &c->b, 0.0);
}

/* The start at a distance from b's origin, and the velocity across, so that a passes by it. */
static void aim(course *c, double distance)
{
    double along = crn_norm3(c->from), cross[3];
    for (int k = 0; k < 3; ++k)
        c->from[k] *= distance / along;
    crn_cross3(c->from, c->velocity, cross);
    crn_cross3(cross, c->from, c->velocity);
    double speed = crn_norm3(c->velocity);
    for (int k = 0; k < 3; ++k)
    {
        c->velocity[k] *= c->size / speed;
        c->from[k] -= 0.5 * c->velocity[k];
    }
}

/* The nearest contact at a time. */
static crn_contact at_time(course *c, double time)
{
    double turn[3] = {time * c->spin[0], time * c->spin[1], time * c->spin[2]}, q[4], R[9];
    crn_pose *pose = &c->scene.poses[0];
    crn_quaternion_exp(turn, q);
    crn_quaternion_to_matrix(q, R);
    crn_multiply33(R, c->R, pose->R);
    crn_madd3(c->from, time, c->velocity, pose->x);
    c->a.pose = *pose;
    collide_within(&c->scene, 10.0 * c->size);
    assert_true(c->scene.count > 0);
    crn_contact least = c->scene.contacts[0];
    for (int i = 1; i < c->scene.count; ++i)
        least = c->scene.contacts[i].gap < least.gap ? c->scene.contacts[i] : least;
    return least;
}

static void complain(const course *c, const char *what, double value)
{
    print_error("kinds %d and %d: %s %.3g\n", (int)c->a.shape.kind, (int)c->b.shape.kind, what, value);
    fail();
}

/* Lower and upper bound of the distance. */
static void check_gap(const course *c, const crn_contact *contact)
{
    double rounding = 1e-14 * c->size, slack = 1e-10 * fabs(contact->gap) + rounding, arm[3];
    double plane = solid_apart(&c->a, &c->b, contact->normal);
    crn_sub3(contact->point_a, contact->point_b, arm);
    double apart = crn_dot3(arm, contact->normal);
    if (fabs(plane - contact->gap) > slack)
        complain(c, "gap and separating plane differ by", contact->gap - plane);
    if (fabs(apart - contact->gap) > slack)
        complain(c, "gap and touching points differ by", contact->gap - apart);
}

static void check_surfaces(const course *c, const crn_contact *contact)
{
    double off_a = solid_level(&c->a, c->scene.model->shapes[0].form->hull, contact->point_a);
    double off_b = solid_level(&c->b, c->scene.model->shapes[1].form->hull, contact->point_b);
    if (fmax(fabs(off_a), fabs(off_b)) > 1e-8 * c->size)
        complain(c, "a touching point is off its surface by", fmax(fabs(off_a), fabs(off_b)));
}

/* A path without turning, past b at a distance that leaves them apart. */
static void check_vector(course *c)
{
    double before[3] = {0, 0, 0}, moved[3], vector[3];
    aim(c, 1.1 * c->size);
    for (int step = 0; step <= STEPS; ++step)
    {
        crn_contact contact = at_time(c, (double)step / STEPS);
        check_gap(c, &contact);
        check_surfaces(c, &contact);
        for (int k = 0; k < 3; ++k)
            vector[k] = contact.gap * contact.normal[k];
        crn_sub3(vector, before, moved);
        if (step > 0 && crn_norm3(moved) > c->size / STEPS * (1.0 + 1e-9))
            complain(c, "the vector of the distance has leapt by", crn_norm3(moved));
        memcpy(before, vector, sizeof before);
    }
}

/* Velocity of the touching point of a along the normal; b stands still. */
static double rate_of(const course *c, const crn_contact *contact)
{
    double arm[3], v[3];
    crn_sub3(contact->point_a, c->a.pose.x, arm);
    crn_cross3(c->spin, arm, v);
    crn_add3(c->velocity, v, v);
    return crn_dot3(v, contact->normal);
}

/* A path that turns, past b, so near that they graze each other by a little. The gap has second derivatives of up to
 * (speed)^2/gap, and these may leap where the nearest feature changes: there a difference is off by that much times the tick. */
static void check_rate(course *c, int *sharp, int *looks)
{
    aim(c, 0.55 * c->size);
    for (int step = 0; step <= STEPS; ++step)
    {
        double time = (double)step / STEPS, speed = 2.0 * c->size;
        double later = at_time(c, time + TICK).gap, sooner = at_time(c, time - TICK).gap;
        crn_contact contact = at_time(c, time);
        double off = fabs((later - sooner) / (2.0 * TICK) - rate_of(c, &contact)) / speed;
        if (contact.gap < -0.01 * c->size)
            continue; /* out of a deep overlap there are several ways */
        check_surfaces(c, &contact);
        ++*looks;
        *sharp += off < 1e-7 ? 1 : 0;
        if (off > 1e-4)
            complain(c, "the gap does not change as its points move, by", off);
    }
}

static void test_paths(void **state)
{
    bool turning = *(const bool *)*state;
    uint64_t seed = 31;
    int sharp = 0, looks = 0;
    for (int ij = 0; ij < SOLID_KINDS * SOLID_KINDS; ++ij)
    {
        for (int path = 0; path < PATHS; ++path)
        {
            course c;
            draw_course(&c, ij / SOLID_KINDS, ij % SOLID_KINDS, turning, &seed);
            if (is_smooth(&c.a) || is_smooth(&c.b))
                turning ? check_rate(&c, &sharp, &looks) : check_vector(&c);
            collide_finish(&c.scene);
        }
    }
    assert_true(!turning || (looks > 1000 && sharp > 0.97 * looks));
}

int main(void)
{
    static const bool straight = false, turning = true;
    const struct CMUnitTest tests[] = {
        {.name = "vector", .test_func = test_paths, .initial_state = (void *)(uintptr_t)&straight},
        {.name = "rate", .test_func = test_paths, .initial_state = (void *)(uintptr_t)&turning},
    };
    return cmocka_run_group_tests_name("convex paths", tests, NULL, NULL);
}
