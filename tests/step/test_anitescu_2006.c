/* The examples of Anitescu 2006, section 10.1: the convex law (its QP) and the exact one (its LCP) against the printed table
 * and against numbers of a second implementation; the limits of the sliding particle against their closed form.
 *
 * Table 10.1 belongs to a friction of 0.2 and gravity of 9.8. Table 10.2's bar is not given in the paper: ours shows its
 * behaviour, the difference of the two laws going to 0 with h for a bar that is dropped, and staying for one that slides
 * from the start. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

static const cairn_law CONVEX = {CAIRN_LAW_CONVEX_PYRAMID, 4};
static const cairn_law EXACT = {CAIRN_LAW_PYRAMID, 4};

static world start(const char *scene, cairn_law law, double h, const cairn_parameter *parameters, int count)
{
    cairn_settings settings;
    world w = world_load(scene, &settings, parameters, count);
    settings.law = law;
    settings.step = h;
    settings.integrator = CAIRN_INTEGRATOR_EULER;
    world_start(&w, &settings);
    return w;
}

/* What two laws did in the same steps. */
typedef struct difference
{
    double norm;    /* 2-norm over all coordinates of all steps */
    double largest; /* of the positions, at any time */
    cairn_body_state convex, exact;
} difference;

static difference run_pair(const char *scene, const char *body, double h, double until)
{
    world convex = start(scene, CONVEX, h, NULL, 0), exact = start(scene, EXACT, h, NULL, 0);
    int steps = (int)floor(until / h + 1e-9);
    difference d = {0};
    for (int i = 0; i < steps; ++i)
    {
        world_step(&convex);
        world_step(&exact);
        d.convex = world_body(&convex, body);
        d.exact = world_body(&exact, body);
        double x = d.convex.position[0] - d.exact.position[0], y = d.convex.position[1] - d.exact.position[1];
        double turn = d.convex.angle - d.exact.angle;
        d.norm += x * x + y * y + turn * turn;
        d.largest = fmax(d.largest, hypot(x, y));
    }
    d.norm = sqrt(d.norm);
    world_free(&convex);
    world_free(&exact);
    return d;
}

/* -------------------------------------------------------------------------------------------------------- particle */

static void test_table_10_1(void **state)
{
    (void)state;
    static const struct
    {
        double paper, second; /* printed, and from a second implementation */
        double x_convex, x_exact;
    } ROWS[] = {
        {5.6314784e-2, 0.056314833700157475, 2.7477286399997864, 2.748},
        {1.7416198e-2, 0.01741620701124027, 2.8213721599999992, 2.8215},
        {6.7389905e-3, 0.006738990636224071, 2.8585120399999986, 2.858525},
        {2.1011170e-3, 0.002101117101069851, 2.8772002600000053, 2.87720625},
        {7.6112319e-4, 0.000761123207478623, 2.886544002499998, 2.886546875},
        {2.6647317e-4, 0.00026647316592935726, 2.891231781874996, 2.891232421875},
        {9.2498029e-5, 9.249802914482141e-05, 2.8935750743749957, 2.8935751953125},
        {3.2649217e-5, 3.2649217341769784e-05, 2.894746571328154, 2.89474658203125},
    };
    for (int k = 0; k < 8; ++k)
    {
        difference d = run_pair("particle-1", "particle", ldexp(0.1, -k), 1.625);
        assert_near(ldexp(d.norm, -k), ROWS[k].second, 1e-9 * ROWS[k].second);
        assert_near(ldexp(d.norm, -k), ROWS[k].paper, 2e-6 * ROWS[k].paper);
        assert_near(d.convex.position[0], ROWS[k].x_convex, 1e-10);
        assert_near(d.exact.position[0], ROWS[k].x_exact, 1e-10);
    }
}

static void check_hop(const char *mu, double h, double y_max, double x_convex, double x_exact)
{
    const cairn_parameter friction = {"mu", mu};
    world convex = start("particle-2", CONVEX, h, &friction, 1), exact = start("particle-2", EXACT, h, &friction, 1);
    double highest = 0, off = 0;
    int steps = (int)floor(2 / h + 0.5);
    for (int i = 0; i < steps; ++i)
    {
        world_step(&convex);
        world_step(&exact);
        highest = fmax(highest, world_body(&convex, "particle").position[1]);
        off = fmax(off, fabs(world_body(&exact, "particle").position[1]));
    }
    double m = strtod(mu, NULL), rise = 3 * m / (1 + m * m);
    assert_near(highest, y_max, 1e-10);
    assert_near(highest, rise * rise / (2 * 9.8), 4 * h * rise); /* the limit h -> 0 */
    assert_near(off, 0, 1e-14);
    assert_near(world_body(&convex, "particle").position[0], x_convex, 1e-9);
    assert_near(world_body(&exact, "particle").position[0], x_exact, 1e-9);
    world_free(&convex);
    world_free(&exact);
}

static void test_sliding_particle_hops(void **state)
{
    (void)state;
    check_hop("0.3", 1e-3, 0.035128706422018284, 1.5291124681859873, 1.52911259999996);
    check_hop("0.2", 1e-3, 0.01724842307692309, 2.294418548864036, 2.2944186000000433);
    check_hop("0.3", 1e-4, 0.034818189247707, 1.5304622455458323, 1.5304622460005577);
}

/* The first step of the sliding particle has a closed form: the velocity (3, -g h) projected on the cone u_n >= mu |u_t|
 * (the mass is 1), which is at its border. */
static void test_first_step_is_a_projection(void **state)
{
    (void)state;
    static const double MU[] = {0.05, 0.3, 0.8, 1.5};
    for (int i = 0; i < 4; ++i)
    {
        char text[32];
        snprintf(text, sizeof text, "%g", MU[i]);
        const cairn_parameter friction = {"mu", text};
        double mu = MU[i], h = 0.01, along = (3 - mu * 9.8 * h) / (1 + mu * mu);
        world w = start("particle-2", CONVEX, h, &friction, 1);
        world_step(&w);
        cairn_body_state particle = world_body(&w, "particle");
        assert_near(particle.velocity[0], along, 1e-13);
        assert_near(particle.velocity[1], mu * along, 1e-13);
        world_free(&w);
    }
}

/* ------------------------------------------------------------------------------------------------------------- bar */

static void check_first_step(const char *inertia, cairn_law law, double h, const double v[3])
{
    const cairn_parameter parameter = {"inertia", inertia};
    world w = start("bar-2", law, h, &parameter, 1);
    world_step(&w);
    cairn_body_state bar = world_body(&w, "bar");
    assert_near(bar.velocity[0], v[0], 1e-11);
    assert_near(bar.velocity[1], v[1], 1e-11);
    assert_near(bar.angular_velocity[2], v[2], 1e-11);
    world_free(&w);
}

static void test_first_steps_of_the_bar(void **state)
{
    (void)state;
    check_first_step("1/3", EXACT, 0.01, (double[]){-0.882440647248177, 0.05874580366909729, 0.19010541406605572});
    check_first_step("1/3", EXACT, 1e-4, (double[]){-0.9988244064724818, 0.0005874580366909414, 0.0019010541406605074});
    check_first_step("1/3", CONVEX, 0.01, (double[]){-0.6901816489022147, 0.3150911347970471, 0.5010077424043461});
    check_first_step("1/3", CONVEX, 1e-3, (double[]){-0.7224056802310173, 0.36032575969197694, 0.44889821070615826});
    check_first_step("1/3", CONVEX, 1e-4, (double[]){-0.7256280833638975, 0.3648492221814699, 0.4436872575363394});
    /* the paradox: an impact without a collision, whatever the step, and the same by both laws */
    check_first_step("1/16", EXACT, 0.01, (double[]){-0.8241948421883694, 0.26779713776057346, 0.8666097419730907});
    check_first_step("1/16", CONVEX, 0.01, (double[]){-0.8241948421883694, 0.26779713776057323, 0.8666097419730912});
    check_first_step("1/16", EXACT, 1e-4, (double[]){-0.8510310422718591, 0.27651674773974644, 0.8948269926029797});
    check_first_step("1/16", CONVEX, 1e-4, (double[]){-0.8510310422718592, 0.27651674773974627, 0.8948269926029802});
}

static void check_motion(const char *inertia, cairn_law law, double q[3][3], double tip_highest)
{
    static const double TIMES[] = {0.1, 0.25, 0.5};
    const cairn_parameter parameter = {"inertia", inertia};
    const double h = 1e-3;
    world w = start("bar-2", law, h, &parameter, 1);
    double highest = 0;
    int sample = 0;
    for (int i = 1; i <= 500; ++i)
    {
        world_step(&w);
        cairn_body_state bar = world_body(&w, "bar");
        highest = fmax(highest, bar.position[1] - sin(bar.angle));
        if (i == (int)(TIMES[sample] / h + 0.5))
        {
            assert_near(bar.position[0], q[sample][0], 1e-10);
            assert_near(bar.position[1], q[sample][1], 1e-10);
            assert_near(bar.angle, q[sample][2], 1e-10);
            ++sample;
        }
    }
    assert_near(highest, tip_highest, 1e-10);
    world_free(&w);
}

static void test_motions_of_the_bar(void **state)
{
    (void)state;
    double exact[3][3] = {{0.24601590695164946, 0.9649815116655297, 1.3053724239129334},
                          {0.19238193986459773, 0.9779836081687011, 1.3605693726317134},
                          {0.17658726304289227, 0.9812210176361217, 1.3766929547895155}};
    double convex[3][3] = {{0.2467797428580103, 0.9654945702649239, 1.3073353700196646},
                           {0.1925928568040993, 0.9785026879258404, 1.3630714608136902},
                           {0.17493973370592852, 0.9820576991386394, 1.3810795994779301}};
    double paradox[3][3] = {{0.235591884317357, 0.9718542381396053, 1.3329770810461656},
                            {0.16203715565666768, 0.9867866908065082, 1.4080537065915926},
                            {0.10895685963217602, 0.994047895599972, 1.461635699851856}};
    check_motion("1/3", EXACT, exact, 1.941116429815537e-07);
    check_motion("1/3", CONVEX, convex, 0.002669064223469353);
    check_motion("1/16", EXACT, paradox, 3.7861939472527695e-07);
    check_motion("1/16", CONVEX, paradox, 3.7861939472527695e-07);
}

/* ------------------------------------------------------------------------------------------------ the limit h -> 0 */

static double gap(const char *scene, const char *body, int k, double until)
{
    return run_pair(scene, body, ldexp(0.1, -k), until).largest;
}

/* Examples 1 and 3: the two motions have one limit. From one k to four more the gap falls to less than a quarter. */
static void test_gap_is_lost(void **state)
{
    (void)state;
    for (int k = 1; k <= 5; k += 2)
    {
        assert_true(gap("particle-1", "particle", k, 1.625) > 4 * gap("particle-1", "particle", k + 4, 1.625));
        assert_true(gap("bar-1", "bar", k, 0.8) > 4 * gap("bar-1", "bar", k + 4, 0.8));
    }
}

/* Examples 2 and 4: they have two. The particle's hop and its slide differ by (-mu, 1) y, where y is the height of the hop,
 * at most (3 mu/(1 + mu^2))^2/(2 g): the gap tends to sqrt(1 + mu^2) times that, from above and like h. Of the bar there is
 * no closed form; its gap grows towards a limit, each time by less than 0.7 of what it grew before. */
static void test_gap_is_kept(void **state)
{
    (void)state;
    double mu = 0.3, rise = 3 * mu / (1 + mu * mu), limit = sqrt(1 + mu * mu) * rise * rise / (2 * 9.8);
    for (int k = 3; k <= 9; ++k)
    {
        double more = gap("particle-2", "particle", k, 2) - limit;
        assert_true(more > 0 && more < 0.5 * ldexp(0.1, -k));
    }
    double before = gap("bar-2", "bar", 4, 0.5), growth = INFINITY;
    for (int k = 5; k <= 9; ++k)
    {
        double now = gap("bar-2", "bar", k, 0.5);
        assert_true(now > before && now - before < 0.7 * growth);
        growth = now - before;
        before = now;
    }
    assert_true(before > 5e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_10_1),
        cmocka_unit_test(test_sliding_particle_hops),
        cmocka_unit_test(test_first_step_is_a_projection),
        cmocka_unit_test(test_first_steps_of_the_bar),
        cmocka_unit_test(test_motions_of_the_bar),
        cmocka_unit_test(test_gap_is_lost),
        cmocka_unit_test(test_gap_is_kept),
    };
    return cmocka_run_group_tests_name("Anitescu 2006", tests, NULL, NULL);
}
