/* The rocking ellipse of paper 2 (Song, Pang and Kumar 2004), section 6, rigid: against a second implementation of the
 * schemes, and against the continuous motion found with event detection in another program. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdlib.h>

static const double DEGREE = 0.017453292519943295;
static const double RAISED = 0.0975 - 0.097455578549998475; /* m: the plane in the scene, which touches at 75 degrees */

/* x, y (m), angle (degrees), normal and friction force (N). */
typedef struct sample
{
    double time;
    double values[5];
} sample;

enum
{
    SAMPLES = 9
};

/* h = 1e-4, the plane at y = 0, gap/h in the contact rows. */
static const sample GAP[SAMPLES] = {
    {0.05, {0.0018011859665957345, 0.09708731683088223, 73.9390752743759, 0.4724192816353162, 0.07564882652541595}},
    {0.1, {0.007425289645720873, 0.09577245643582466, 70.59812103354481, 0.4585439334768282, 0.0877051745741326}},
    {0.2, {0.031307562449969295, 0.08535408559023906, 53.01334297669047, 0.3181350091946276, 0.06362700183892553}},
    {0.3, {0.06986574115568094, 0.05022167652162354, 3.120879743545259, 1.8193223253943849, 0.363864465078877}},
    {0.5, {0.15857383399927388, 0.08073605654118894, -47.051495298787614, 0.3271727317460328, -0.06543454634920656}},
    {0.75, {0.17646822412361213, 0.061068932261941135, 23.883154477417914, 0.33742855509744224, 0.06748571101948846}},
    {1.0, {0.19890071503053444, 0.05109548734532105, -6.979737509711641, 0.6049486642384663, -0.12098973284769325}},
    {1.5, {0.1881310044954852, 0.05172698270969036, 8.803683655346052, 0.45953949177842524, 0.09104351586636422}},
    {2.0, {0.19093663147741866, 0.050601567406409434, 5.153751672045677, 0.506027151132749, 0.05959164653926292}},
};

/* The same at velocity level alone, as the paper prints it. */
static const sample PRINTED[SAMPLES] = {
    {0.05, {0.0018080472021755373, 0.09713029078312742, 73.93502611218969, 0.47241448010460607, 0.07566673345346914}},
    {0.1, {0.007433442392502883, 0.09581503559525328, 70.59324364804004, 0.4585381916618298, 0.08772510916889403}},
    {0.2, {0.031319112065150166, 0.08539289907052908, 53.0014414305046, 0.3180839826843585, 0.0636167965368717}},
    {0.3, {0.06987817127090554, 0.05024404067584472, 3.1022893486708867, 1.817707877772452, 0.3635415755544904}},
    {0.5, {0.15849236558042493, 0.08062039169326497, -46.916452849229906, 0.3266147989969212, -0.06532295979938424}},
    {0.75, {0.17633214773128178, 0.06088062061252854, 23.71018933955711, 0.33877710428652347, 0.0677554208573047}},
    {1.0, {0.19872080919147175, 0.0509521196210384, -6.764771955942868, 0.6086885804181923, -0.12173771608363847}},
    {1.5, {0.18792673160116813, 0.05164543397403913, 8.845120669514705, 0.45893565969989186, 0.0913451171001104}},
    {2.0, {0.19084793279131376, 0.05047382522948584, 5.068089745489744, 0.5070282326756002, 0.0587293772815346}},
};

/* The continuous motion, whose ellipse touches the plane y = 0 from the start. */
static const sample TRUTH[3] = {
    {0.3, {0.06985501671288924, 0.05022310746659422, 3.130033765952175, NAN, NAN}},
    {1.0, {0.1989442499232422, 0.051087849194193645, -6.9549318947795, NAN, NAN}},
    {2.0, {0.19099363571988642, 0.05059900969086513, 5.142674833107718, NAN, NAN}},
};

/* Forces on the ellipse, summed over the contacts of the last step. */
static void forces(const world *w, double h, double *normal, double *friction)
{
    *normal = *friction = 0;
    for (int i = 0; i < cairn_simulation_contact_count(w->simulation); ++i)
    {
        cairn_contact c = cairn_simulation_contact(w->simulation, i);
        double sign = c.b.id == cairn_model_find_body(world_model(w), "ellipse").id ? -1 : 1;
        *normal += sign * (c.impulse[0] * c.normal[1] + c.impulse[1] * c.tangent[0][1]) / h;
        *friction += sign * (c.impulse[0] * c.normal[0] + c.impulse[1] * c.tangent[0][0]) / h;
    }
}

/* The largest differences over all samples: lengths in m, angles in degrees, forces in N. */
static void compare(world *w, const sample *samples, double h, double raised, double worst[3])
{
    int step = 0;
    worst[0] = worst[1] = worst[2] = 0;
    for (int k = 0; k < SAMPLES; ++k)
    {
        double normal, friction;
        world_run(w, (int)lround(samples[k].time / h) - step);
        step = (int)lround(samples[k].time / h);
        forces(w, h, &normal, &friction);
        cairn_body_state s = world_body(w, "ellipse");
        const double *want = samples[k].values;
        worst[0] = fmax(worst[0], fmax(fabs(s.position[0] - want[0]), fabs(s.position[1] - raised - want[1])));
        worst[1] = fmax(worst[1], fabs(s.angle / DEGREE - want[2]));
        worst[2] = fmax(worst[2], fmax(fabs(normal - want[3]), fabs(friction - want[4])));
    }
}

static void scheme_with_gap_term(void **state)
{
    (void)state;
    cairn_settings settings;
    cairn_parameter flat = {.name = "h0", .value = "0.0975"}; /* the plane at y = 0 */
    double worst[3];
    world w = world_load("ellipse-rigid", &settings, &flat, 1);
    settings.stabilisation = CAIRN_STABILISE_GAP;
    world_start(&w, &settings);
    compare(&w, GAP, settings.step, 0, worst);
    print_message("gap term: %.1e m, %.1e degrees, %.1e N from the second implementation\n", worst[0], worst[1],
                  worst[2]);
    assert_true(worst[0] < 1e-12 && worst[1] < 1e-9 && worst[2] < 1e-8);
    world_free(&w);
}

/* The second implementation takes the arms to the ellipse's lowest point, Cairn to midway between the surfaces, which are up
 * to 1.1e-4 m apart in the end: 1e-3 of the arm. */
static void scheme_as_printed(void **state)
{
    (void)state;
    cairn_settings settings;
    double worst[3];
    world w = world_load("ellipse-rigid", &settings, NULL, 0);
    world_start(&w, &settings);
    compare(&w, PRINTED, settings.step, 0, worst);
    print_message("as printed: %.1e m, %.1e degrees, %.1e N from the second implementation\n", worst[0], worst[1],
                  worst[2]);
    assert_true(worst[0] < 1e-5 && worst[1] < 3e-3 && worst[2] < 1e-4);
    world_free(&w);
}

/* Largest error in the angle (rad) of a second-order scheme with events. */
static double error_of(double h)
{
    cairn_settings settings;
    world w = world_load("ellipse-rigid", &settings, NULL, 0);
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    settings.events = true;
    settings.step = h;
    world_start(&w, &settings);
    double worst = 0;
    for (int k = 0, step = 0; k < 3; ++k)
    {
        const double *want = TRUTH[k].values;
        int end = (int)lround(TRUTH[k].time / h);
        world_run(&w, end - step);
        step = end;
        cairn_body_state s = world_body(&w, "ellipse");
        worst = fmax(worst, fabs(s.angle - want[2] * DEGREE));
        assert_near(s.position[0], want[0], 20 * h * h);
        assert_near(s.position[1] - RAISED, want[1], 20 * h * h);
    }
    world_free(&w);
    return worst;
}

/* 17 changes between stick and slip on a curved surface: gap and normal must be smooth for order 2. */
static void second_order_on_a_curved_surface(void **state)
{
    (void)state;
    double coarse = error_of(2e-3), middle = error_of(1e-3), fine = error_of(5e-4);
    print_message("stiff2: errors %.2e, %.2e, %.2e rad\n", coarse, middle, fine);
    assert_true(coarse < 1e-3);
    assert_true(coarse / middle > 2.8 && middle / fine > 2.8);
    assert_true(coarse / fine > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scheme_with_gap_term),
        cmocka_unit_test(scheme_as_printed),
        cmocka_unit_test(second_order_on_a_curved_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
