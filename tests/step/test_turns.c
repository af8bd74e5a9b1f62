/* Turns as quaternions and as vectors: there and back, from 1e-12 rad to nearly half a turn, and always the short way. */
#include "support/check.h"
#include "support/worlds.h"

#include "math/vec.h"

static void there_and_back(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 400; ++i)
    {
        double phi[3], q[4], back[3], angle = pow(10, random_in(&seed, -12, 0.49)), length = 0;
        for (int k = 0; k < 3; ++k)
        {
            phi[k] = random_in(&seed, -1, 1);
            length += phi[k] * phi[k];
        }
        for (int k = 0; k < 3; ++k)
            phi[k] *= angle / sqrt(length);
        crn_quaternion_exp(phi, q);
        assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-14);
        for (int k = 0; k < 3; ++k)
            assert_near(q[1 + k], phi[k] / angle * sin(0.5 * angle), 1e-14 * angle);
        for (int sign = 1; sign >= -1; sign -= 2)
        {
            double same[4] = {sign * q[0], sign * q[1], sign * q[2], sign * q[3]}; /* -q is the same turn */
            crn_quaternion_log(same, back);
            for (int k = 0; k < 3; ++k)
                assert_near(back[k], phi[k], 1e-13 * angle + 1e-15);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back)};
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
