/* The examples of Anitescu & Potra 2002, sections 3.2 and 3.3, against numbers found independently:
 * the closed-form solution of the two bodies (40 digits), and the scheme's own values from a second implementation. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

typedef struct two_bodies
{
    const char *scene;
    double truth[5][2]; /* x1, x2 at t = 1, 2.5, 5, 7.5, 10 */
    double scheme_x[2]; /* linearly implicit, h = 0.05, t = 10 */
    double scheme_v[2];
    double fine_x[2];         /* the same with h = 0.005 */
    double shortest, longest; /* distance over the run, h = 0.05 */
    double accuracy;          /* of the comparison with the scheme: rounding grows with the damper */
} two_bodies;

static const double SAMPLES[5] = {1, 2.5, 5, 7.5, 10};

static const two_bodies CASES[] = {
    {"two-bodies-damper-20",
     {{2.8545385715943703, 5.441469776016042},
      {6.425338257310529, 9.109843685749835},
      {-10.15290606097359, -6.676637208957149},
      {-3.8036565847236825, -1.2666627342238328},
      {-2.129293098823678, 1.125799838500371}},
     {-1.4427501045655005, 1.7822068375308404},
     {-6.936557733458654, -6.498237820852471},
     {-2.085468763618846, 1.1669168268521724},
     2.48314798925185,
     3.4747663526650916,
     1e-11},
    {"two-bodies-damper-100",
     {{2.679516202732137, 5.5956675253367445},
      {6.283226805894206, 9.222711540346673},
      {-9.913343064267316, -6.81758019199108},
      {-3.940720949214471, -1.0342972101214147},
      {-1.9745594433378428, 1.0791585514488278}},
     {-1.6615841140932142, 1.3860189335026507},
     {-6.774167196655778, -6.687408376204286},
     {-1.9260906510889848, 1.1270674937880318},
     2.8960447699770575,
     3.0958478999776577,
     1e-11},
    {"two-bodies-damper-1e6",
     {{2.6349814104023914, 5.634972995695507},
      {6.249659932706345, 9.24965394797818},
      {-9.85229302171001, -6.852283432468564},
      {-3.9746997951461966, -0.9747091751437686},
      {-1.9328489857070799, 1.067156454497169}},
     {-1.8150489047708733, 1.1849558986805},
     {-6.765460015435707, -6.765451363306996},
     {-1.8896793198694106, 1.1103260834633535},
     2.999989598770961,
     3.000009597850087,
     2e-9},
    {"two-bodies-heavy-20",
     {{0.6260348075783309, 3.0},
      {0.5000312867785497, 3.0},
      {-0.7095169140767842, 3.0},
      {0.6894432374511836, 3.0},
      {-0.3989821497005447, 3.0}},
     {-0.3627075834221338, 3.0},
     {-0.6907200571223384, 0.0},
     {-0.3953668302116635, 3.0},
     2.2711034041283873,
     3.6910508879829216,
     1e-11},
    {"two-bodies-heavy-1e8",
     {{1.2905419627337468e-07, 3.0},
      {9.451833430381502e-08, 3.0},
      {-1.4143266365382506e-07, 3.0},
      {1.398521865078041e-07, 3.0},
      {-8.623250807272137e-08, 3.0}},
     {-7.896401860976075e-08, 3.0},
     {-1.338025272277551e-07, 0.0},
     {-8.550892622947025e-08, 3.0},
     2.9999998537369517,
     3.0000001382111803,
     1e-12},
};

typedef struct trace
{
    double x[2], v[2];
    double worst_from_truth; /* largest |x - truth| at the samples */
    double shortest, longest;
} trace;

static trace run_two_bodies(const two_bodies *c, double h, cairn_integrator integrator)
{
    cairn_settings settings;
    world w = world_load(c->scene, &settings, NULL, 0);
    settings.step = h;
    settings.integrator = integrator;
    world_start(&w, &settings);
    trace out = {.shortest = INFINITY};
    int steps = (int)lround(10 / h);
    int next = 0;
    for (int i = 1; i <= steps; ++i)
    {
        world_step(&w);
        double x1 = world_body(&w, "left").position[0];
        double x2 = world_body(&w, "right").position[0];
        out.shortest = fmin(out.shortest, x2 - x1);
        out.longest = fmax(out.longest, x2 - x1);
        if (fabs(i * h - SAMPLES[next]) < 1e-9)
        {
            double error = fmax(fabs(x1 - c->truth[next][0]), fabs(x2 - c->truth[next][1]));
            out.worst_from_truth = fmax(out.worst_from_truth, error);
            ++next;
        }
    }
    assert_int_equal(next, 5);
    cairn_body_state left = world_body(&w, "left"), right = world_body(&w, "right");
    out.x[0] = left.position[0];
    out.x[1] = right.position[0];
    out.v[0] = left.velocity[0];
    out.v[1] = right.velocity[0];
    /* the account closes, and nothing leaves the table */
    cairn_energy energy = cairn_simulation_energy(w.simulation);
    assert_true(fabs(energy.balance_error) < 1e-9 * (1 + fabs(energy.work_forces)));
    assert_true(fabs(left.position[1]) < 1e-14 && fabs(right.position[1]) < 1e-14);
    world_free(&w);
    return out;
}

static void stiff_follows_the_true_solution(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        const two_bodies *c = &CASES[i];
        trace coarse = run_two_bodies(c, 0.05, CAIRN_INTEGRATOR_STIFF);
        trace fine = run_two_bodies(c, 0.005, CAIRN_INTEGRATOR_STIFF);
        for (int k = 0; k < 2; ++k)
        {
            assert_near(coarse.x[k], c->scheme_x[k], c->accuracy);
            assert_near(coarse.v[k], c->scheme_v[k], c->accuracy);
            assert_near(fine.x[k], c->fine_x[k], 10 * c->accuracy);
        }
        assert_near(coarse.shortest, c->shortest, c->accuracy);
        assert_near(coarse.longest, c->longest, c->accuracy);
        /* first order: a tenth of the step, about a tenth of the error */
        print_message("%-24s error %.3g at h = 0.05, %.3g at h = 0.005, ratio %.1f\n", c->scene,
                      coarse.worst_from_truth, fine.worst_from_truth, coarse.worst_from_truth / fine.worst_from_truth);
        double ratio = coarse.worst_from_truth / fine.worst_from_truth;
        assert_true(ratio > 5 && ratio < 20);
    }
}

/* Accuracy relative to the motion itself where that is only 1e-7 m. */
static void heavy_body_keeps_relative_accuracy(void **state)
{
    (void)state;
    const two_bodies *c = &CASES[4];
    trace coarse = run_two_bodies(c, 0.05, CAIRN_INTEGRATOR_STIFF);
    assert_true(fabs(coarse.x[0] / c->scheme_x[0] - 1) < 1e-6);
    assert_true(fabs(coarse.v[0] / c->scheme_v[0] - 1) < 1e-6);
}

static void euler_at_its_limit_and_beyond(void **state)
{
    (void)state;
    trace limit = run_two_bodies(&CASES[0], 0.05, CAIRN_INTEGRATOR_EULER);
    assert_near(limit.x[0], -1.217299515532654, 1e-10);
    assert_near(limit.x[1], 2.025422354192089, 1e-10);
    assert_near(limit.v[0], -6.8003279063506055, 1e-10);

    /* damper 100: the factor is 1 - 10 = -9 a step; |v| passes 1e3 at t = 0.25 and would reach 1e189 at t = 10, where its energy
       is no number any more: the step that comes to that fails */
    cairn_settings settings;
    world w = world_load("two-bodies-damper-100", &settings, NULL, 0);
    settings.integrator = CAIRN_INTEGRATOR_EULER;
    world_start(&w, &settings);
    double first = 0;
    for (int i = 1; i <= 150; ++i)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        if (first == 0 && fabs(world_body(&w, "left").velocity[0]) > 1e3)
            first = cairn_simulation_time(w.simulation);
    }
    assert_near(first, 0.25, 1e-12);
    double v = world_body(&w, "left").velocity[0];
    assert_true(fabs(v / (-2.566637785598979e+189 / pow(9.0, 50)) - 1) < 1e-9);
    int more = 0;
    while (!cairn_simulation_step(w.simulation))
    {
        v = world_body(&w, "left").velocity[0];
        assert_true(isfinite(cairn_simulation_energy(w.simulation).total) && ++more < 50);
    }
    assert_true(fabs(v) > 1e150);
    assert_non_null(strstr(cairn_context_last_message(w.context), "left the range of numbers"));
    world_free(&w);
}

typedef struct two_bars
{
    const char *scene;
    double foot1[2], foot2[2],
        distance[2]; /* x of the feet and distance of the centres at t = 10, h = 0.01 and 0.0025 */
    double speed;    /* most speed left at t = 10 */
    double accuracy;
} two_bars;

/* From an independent implementation of the same scheme with the gap term, geometry as in the scene's description. */
static const two_bars BARS[] = {
    {"two-bars-damper-10",
     {-0.34528113431789725, -0.3482414010631124},
     {1.7994280224263661, 1.7970022610564587},
     {1.0723545783721318, 1.0726218310597855},
     1e-9,
     1e-10},
    {"two-bars-damper-1000",
     {-0.17727847989742163, -0.1819042928341934},
     {1.858115908269626, 1.8516626028166443},
     {1.0176971940936492, 1.0167834478261528},
     5e-3,
     1e-10},
    {"two-bars-damper-1e8",
     {-0.16575295838698023, -0.18206065248508452},
     {1.8398786167208714, 1.819357944304327},
     {1.002815787553926, 1.000709298394706},
     1e-6,
     1e-6},
    {"two-bars-mu-0.05",
     {-0.5343167546601304, -0.5228165873246725},
     {1.5897001357634546, 1.6057047566257872},
     {1.0620084452117926, 1.0642606719752299},
     1e-9,
     1e-10},
    {"two-bars-mu-0.2",
     {-0.13618990671417974, -0.13447664955832683},
     {1.9479069328951013, 1.9505773457221416},
     {1.0420484198046405, 1.0425269976402343},
     1e-9,
     1e-10},
    {"two-bars-mu-0.5",
     {0.022225437905718515, 0.022696025571755873},
     {1.9413292180384487, 1.942945445687272},
     {0.9595518900663651, 0.9601247100577579},
     1e-9,
     1e-10},
};

typedef struct bars_end
{
    double foot1, foot2, distance, speed, worst_joint, worst_penetration;
} bars_end;

static bars_end run_two_bars(const char *scene, double h, cairn_stabilisation stabilisation)
{
    cairn_settings settings;
    world w = world_load(scene, &settings, NULL, 0);
    settings.step = h;
    settings.stabilisation = stabilisation;
    world_start(&w, &settings);
    bars_end end = {0};
    int steps = (int)lround(10 / h);
    for (int i = 0; i < steps; ++i)
    {
        world_step(&w);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        end.worst_joint = fmax(end.worst_joint, report->joint_error);
        end.worst_penetration = fmax(end.worst_penetration, report->penetration);
        assert_true(report->projection_met);
    }
    cairn_energy energy = cairn_simulation_energy(w.simulation);
    assert_near(energy.balance_error, 0, 1e-9);
    cairn_body_state a = world_body(&w, "bar1"), b = world_body(&w, "bar2");
    end.foot1 = a.position[0] - cos(a.angle);
    end.foot2 = b.position[0] - cos(b.angle);
    end.distance = hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]);
    end.speed = fmax(hypot(a.velocity[0], a.velocity[1]), hypot(b.velocity[0], b.velocity[1]));
    world_free(&w);
    return end;
}

static void two_bars_come_to_rest_where_they_should(void **state)
{
    (void)state;
    static const double STEPS[2] = {0.01, 0.0025};
    for (size_t i = 0; i < sizeof BARS / sizeof BARS[0]; ++i)
    {
        const two_bars *c = &BARS[i];
        for (int k = 0; k < 2; ++k)
        {
            bars_end end = run_two_bars(c->scene, STEPS[k], CAIRN_STABILISE_GAP);
            print_message("%-22s h = %-6g feet %.6f %.6f distance %.6f speed %.2g\n", c->scene, STEPS[k], end.foot1,
                          end.foot2, end.distance, end.speed);
            assert_near(end.foot1, c->foot1[k], c->accuracy);
            assert_near(end.foot2, c->foot2[k], c->accuracy);
            assert_near(end.distance, c->distance[k], c->accuracy);
            assert_true(end.speed < c->speed);
        }
    }
}

/* The projection holds joints and table exactly, and ends near the gap term's result (both are first order). */
static void two_bars_projected(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BARS / sizeof BARS[0]; ++i)
    {
        const two_bars *c = &BARS[i];
        bars_end end = run_two_bars(c->scene, 0.01, CAIRN_STABILISE_PROJECT);
        assert_true(end.worst_joint <= 1e-10 && end.worst_penetration <= 1e-10);
        assert_near(end.foot1, c->foot1[0], 0.03);
        assert_near(end.foot2, c->foot2[0], 0.03);
        assert_true(end.speed < c->speed);
    }
}

/* "The limit is the rigid link": at damper 1e8 the centres keep their distance; friction stops the mechanism earlier. */
static void two_bars_have_the_limits_of_the_paper(void **state)
{
    (void)state;
    assert_near(run_two_bars("two-bars-damper-1e8", 0.01, CAIRN_STABILISE_PROJECT).distance, 1.0, 1e-3);
    double slid_005 = fabs(run_two_bars("two-bars-mu-0.05", 0.01, CAIRN_STABILISE_GAP).foot1);
    double slid_02 = fabs(run_two_bars("two-bars-mu-0.2", 0.01, CAIRN_STABILISE_GAP).foot1);
    double slid_05 = fabs(run_two_bars("two-bars-mu-0.5", 0.01, CAIRN_STABILISE_GAP).foot1);
    assert_true(slid_005 > slid_02 && slid_02 > slid_05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiff_follows_the_true_solution),
        cmocka_unit_test(heavy_body_keeps_relative_accuracy),
        cmocka_unit_test(euler_at_its_limit_and_beyond),
        cmocka_unit_test(two_bars_come_to_rest_where_they_should),
        cmocka_unit_test(two_bars_projected),
        cmocka_unit_test(two_bars_have_the_limits_of_the_paper),
    };
    return cmocka_run_group_tests_name("Anitescu and Potra 2002", tests, NULL, NULL);
}
