/* The hinge, whose equations are written out, against the lists of its class, which a class of another address still goes through. */
#include "math/vec.h"
#include "model/joints/hinge/hinge.h"
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

typedef struct both
{
    crn_joint_class listed;
    crn_joint hinge, general;
    crn_pose pose[2];
} both;

static void random_turn(uint64_t *seed, double most, double R[9])
{
    double phi[3], q[4];
    for (int k = 0; k < 3; ++k)
        phi[k] = random_in(seed, -most, most);
    crn_quaternion_exp(phi, q);
    crn_quaternion_to_matrix(q, R);
}

/* A joint whose points and axes do not quite meet, between two bodies or between a body and the world. */
static void make(uint64_t *seed, int i, both *b)
{
    memset(b, 0, sizeof *b);
    b->listed = crn_revolute_joint;
    crn_joint *joint = &b->hinge;
    joint->type = &crn_revolute_joint;
    joint->own_rows = joint->rows = 5;
    joint->coordinates = 1;
    joint->a.body = i % 5 == 3 ? -1 : 0;
    joint->b.body = i % 5 == 4 ? -1 : 1;
    for (int side = 0; side < 2; ++side)
    {
        random_turn(seed, 2, b->pose[side].R);
        double R[9];
        random_turn(seed, 3, R);
        for (int k = 0; k < 9; ++k)
            joint->axis[side][k / 3][k % 3] = R[k];
        for (int k = 0; k < 3; ++k)
        {
            b->pose[side].x[k] = random_in(seed, -1, 1);
            (side == 0 ? joint->a : joint->b).point[k] = random_in(seed, -1, 1);
        }
    }
    b->general = *joint;
    b->general.type = &b->listed;
}

static void test_equations(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 200; ++i)
    {
        both b;
        make(&seed, i, &b);
        crn_joint_place place = crn_place_between(&b.hinge.a, &b.hinge.b, b.pose, NULL);
        crn_joint_rows rows = {.equations = 5}, listed = {.equations = 5},
                       values = {.equations = 5, .values_only = true};
        crn_joint_evaluate_functions(&b.hinge, 3, &place, &rows);
        crn_joint_evaluate_functions(&b.hinge, 3, &place, &values);
        crn_joint_evaluate_functions(&b.general, 3, &place, &listed);
        for (int k = 0; k < 5; ++k)
        {
            assert_true(rows.theta[k] == listed.theta[k] && values.theta[k] == listed.theta[k]);
            for (int side = 0; side < 2; ++side)
            {
                assert_int_equal(rows.gradient[k].body[side], listed.gradient[k].body[side]);
                for (int l = 0; l < 6; ++l)
                    assert_true(rows.gradient[k].g[side][l] == listed.gradient[k].g[side][l]);
            }
        }
    }
}

static void test_forces(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 200; ++i)
    {
        both b;
        double c[5];
        make(&seed, i, &b);
        for (int k = 0; k < 5; ++k)
            c[k] = random_in(&seed, -1, 1);
        crn_joint_place place = crn_place_between(&b.hinge.a, &b.hinge.b, b.pose, NULL);
        crn_joint_action acting = {.off = 0}, listed = {.off = 0};
        crn_joint_act_functions(&b.hinge, 3, &place, c, &acting);
        crn_joint_act_functions(&b.general, 3, &place, c, &listed);
        for (int k = 0; k < 6; ++k)
        {
            assert_true(acting.impulse[k / 3][k % 3] == listed.impulse[k / 3][k % 3]);
            assert_true(acting.moment[k / 3][k % 3] == listed.moment[k / 3][k % 3]);
        }
        assert_true(acting.skew == listed.skew && !acting.ends && !acting.has_limit && acting.strain == 0);
        assert_true(fabs(acting.off - listed.off) <= 1e-15 * listed.off);
    }
}

/* The angle alone, and with its gradient; and counted on from any number of turns. */
static void test_angle(void **state)
{
    (void)state;
    uint64_t seed = 7;
    const double whole = 2 * acos(-1);
    for (int i = 0; i < 200; ++i)
    {
        both b;
        crn_gradient gradient;
        make(&seed, i, &b);
        crn_joint_place place = crn_place_between(&b.hinge.a, &b.hinge.b, b.pose, NULL);
        double angle = crn_joint_coordinate(&b.hinge, 3, &place, 0, NULL);
        assert_true(angle == crn_joint_coordinate(&b.hinge, 3, &place, 0, &gradient));
        double turns = floor(random_in(&seed, -5, 6)), last = angle + whole * turns + random_in(&seed, -3.1, 3.1);
        place.last = &last;
        double counted = crn_joint_coordinate(&b.hinge, 3, &place, 0, NULL);
        assert_true(fabs(counted - (angle + whole * turns)) < 1e-14 * (1 + fabs(last)));
    }
}

/* Four at a time: each against itself alone. */
static void test_four(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int i = 0; i < 100; ++i)
    {
        crn_joint hinge[4];
        crn_pose pose[8];
        double theta[4][5], again[4][5], numbers[2][4][30], angle[4 * CRN_JOINT_COORDINATES];
        double *gradient[2][4];
        for (int l = 0; l < 4; ++l)
        {
            both b;
            make(&seed, i + l, &b);
            hinge[l] = b.hinge;
            hinge[l].a.body += hinge[l].a.body < 0 ? 0 : 2 * l;
            hinge[l].b.body += hinge[l].b.body < 0 ? 0 : 2 * l;
            memcpy(pose + 2 * l, b.pose, sizeof b.pose);
            gradient[0][l] = numbers[0][l];
            gradient[1][l] = numbers[1][l];
            angle[l * CRN_JOINT_COORDINATES] = random_in(&seed, -30, 30);
        }
        double last[4] = {angle[0], angle[CRN_JOINT_COORDINATES], angle[2 * CRN_JOINT_COORDINATES],
                          angle[3 * CRN_JOINT_COORDINATES]};
        crn_hinges_evaluate(hinge, pose, theta, gradient);
        crn_hinges_measure(hinge, pose, again);
        crn_hinges_turn(hinge, pose, angle);
        for (int l = 0; l < 4; ++l)
        {
            crn_joint_place place = crn_place_between(&hinge[l].a, &hinge[l].b, pose, &last[l]);
            crn_joint_rows rows = {.equations = 5};
            crn_hinge_evaluate(&hinge[l], &place, &rows);
            assert_near(angle[l * CRN_JOINT_COORDINATES], crn_joint_coordinate(&hinge[l], 3, &place, 0, NULL), 1e-14);
            for (int k = 0; k < 5; ++k)
                assert_true(theta[l][k] == rows.theta[k] && again[l][k] == rows.theta[k]);
            for (int side = 0; side < 2; ++side)
                for (int k = 0; k < 30 && place.pose[side]; ++k)
                    assert_true(gradient[side][l][k] == rows.gradient[k / 6].g[side][k % 6]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equations),
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_angle),
        cmocka_unit_test(test_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
