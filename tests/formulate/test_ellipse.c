/* The rocking ellipse of Song, Pang & Kumar 2004, section 6: against a second implementation of the
 * schemes, and against the continuous motion found with event detection in another program. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdlib.h>

static const double DEGREE = 0.017453292519943295;
static const double RAISED = 0.0975 - 0.097455578549998475; /* m: height of the plane that touches at 75 degrees */

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

/* Compliant, three elements: eps = 1e-9, 1e-10, 1e-11. */
static const sample COMPLIANT[3][SAMPLES] = {
    {
        {0.05,
         {0.0017872792127582734, 0.09702568791330855, 73.93469432464819, 0.47344000914162077, 0.07585708917950733}},
        {0.1, {0.007401159975994055, 0.09565771958036388, 70.5890811964127, 0.4590411758351901, 0.08781990748415501}},
        {0.2, {0.0312769318992524, 0.0852003993391872, 52.967684008897166, 0.318059577655121, 0.0636119155310242}},
        {0.3, {0.06981648083091928, 0.049968296378124485, 3.0540660659275027, 1.8097650268939427, 0.3619530053787886}},
        {0.5,
         {0.1581335401152873, 0.07976929806631042, -46.081195328554486, 0.32327886518690185, -0.06465577303738038}},
        {0.75,
         {0.17596765627319388, 0.059838886069948985, 22.611969897026732, 0.34779759572673163, 0.06955951914534633}},
        {1.0, {0.19813458306786494, 0.0503840700739484, -5.456519058921768, 0.6266995040424003, -0.12533990080848006}},
        {1.5, {0.18731394325843928, 0.05148489876104984, 8.998218124958171, 0.45569321163578824, 0.09113864232715765}},
        {2.0, {0.1908814922120428, 0.05014695082048095, 4.535760456720961, 0.5123086278860625, 0.053452340228487674}},
    },
    {
        {0.05,
         {0.0018042276805346233, 0.09711151998316046, 73.93473730364666, 0.47264437323263436, 0.07571099607094342}},
        {0.1, {0.00742904335119838, 0.09579412533099765, 70.59213650483726, 0.458565234196202, 0.08773288962770223}},
        {0.2, {0.03131472206716184, 0.08537288371530202, 52.99600317950914, 0.31804910748682397, 0.0636098214973648}},
        {0.3, {0.06986884852209256, 0.05020019829924346, 3.101902313222363, 1.8175295412304164, 0.3635059082460833}},
        {0.5,
         {0.15844230569327747, 0.08049315689697939, -46.77804451529157, 0.32607737896479216, -0.06521547579295844}},
        {0.75, {0.176285117792466, 0.06072597877762377, 23.532761811700734, 0.3401269519958823, 0.06802539039917646}},
        {1.0, {0.19866442254495092, 0.05086548556113917, -6.547275648854721, 0.6120209612410166, -0.12240419224820331}},
        {1.5, {0.1878747752503351, 0.05163337536629725, 8.86910218236079, 0.4584432698067257, 0.0915179409028388}},
        {2.0, {0.1908926439785106, 0.05043569477838348, 4.992701755791445, 0.5078027734745878, 0.057991475419748736}},
    },
    {
        {0.05, {0.0018076070240179434, 0.09712816795034476, 73.93496928568062, 0.472416999364376, 0.07566724511874076}},
        {0.1, {0.00743299480134976, 0.0958129238563228, 70.59310896273355, 0.4585384199368472, 0.0877252164571454}},
        {0.2, {0.031318695595857905, 0.08539103869898564, 53.00091563325771, 0.318080126304738, 0.06361602526094759}},
        {0.3, {0.06987684633885786, 0.05023773318454067, 3.103734011602889, 1.8182883398625251, 0.3636576679725051}},
        {0.5, {0.1584904756318191, 0.08060868753449528, -46.90284239012247, 0.32655872872943814, -0.06531174574588763}},
        {0.75, {0.17633400348906253, 0.06086809986027534, 23.695142245308702, 0.3388873016707267, 0.06777746033414535}},
        {1.0, {0.19873625942781928, 0.05094401630323918, -6.743310893325268, 0.6090131206631704, -0.12180262413263407}},
        {1.5, {0.18795352571318064, 0.051645025857404436, 8.847171109943403, 0.4588876307781614, 0.0913644021947416}},
        {2.0, {0.19088392950511068, 0.05047092619281718, 5.061158680453433, 0.5071001180600644, 0.05866054032454557}},
    },
};

/* Compliant, one element (lumped). */
static const sample LUMPED[SAMPLES] = {
    {0.05, {0.001800380297851624, 0.09709192454666091, 73.93470239165468, 0.4728341531907372, 0.0757543351540184}},
    {0.1, {0.007425322036393305, 0.09577455499223653, 70.59202923067048, 0.4585772458389323, 0.08773596366744409}},
    {0.2, {0.03131220483078596, 0.08535773894172063, 52.99499715775136, 0.31803371080157716, 0.06360674216031544}},
    {0.3, {0.06986029605113175, 0.05015327912928691, 3.1164064005128087, 1.8179249768821297, 0.36358499537642597}},
    {0.5, {0.15839949002704606, 0.08038068887985592, -46.656608972006005, 0.32562450728431813, -0.06512490145686363}},
    {0.75, {0.17624661401919223, 0.060588914629566545, 23.37574377473909, 0.3413236725910643, 0.06826473451821286}},
    {1.0, {0.1986219251854853, 0.050789190122280004, -6.359244756997706, 0.6146658304293438, -0.12293316608586875}},
    {1.5, {0.18785513516871294, 0.05162130036400523, 8.888210039908236, 0.4580426433647051, 0.09160852867294103}},
    {2.0, {0.1909453557482245, 0.05040391833068578, 4.940379024728611, 0.5083501214317719, 0.05748559330110352}},
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
static void compare(world *w, const sample *samples, double h, double worst[3])
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
        worst[0] = fmax(worst[0], fmax(fabs(s.position[0] - want[0]), fabs(s.position[1] - want[1])));
        worst[1] = fmax(worst[1], fabs(s.angle / DEGREE - want[2]));
        worst[2] = fmax(worst[2], fmax(fabs(normal - want[3]), fabs(friction - want[4])));
    }
}

static void scheme_with_gap_term(void **state)
{
    (void)state;
    cairn_settings settings;
    cairn_parameter flat[] = {{"h0", "0.0975"}, {"overlap", "0"}}; /* the plane at y = 0 */
    double worst[3];
    world w = world_load("ellipse-rigid", &settings, flat, 2);
    settings.stabilisation = CAIRN_STABILISE_GAP;
    world_start(&w, &settings);
    compare(&w, GAP, settings.step, worst);
    print_message("gap term: %.1e m, %.1e degrees, %.1e N from the second implementation\n", worst[0], worst[1],
                  worst[2]);
    assert_true(worst[0] < 1e-12 && worst[1] < 1e-9 && worst[2] < 1e-8);
    world_free(&w);
}

/* A scene of the paper as printed, against the second implementation. */
static void check_printed(const char *scene, int elements, const sample *samples, double metres, double degrees,
                          double newtons)
{
    cairn_parameter lumped = {"n", "1"};
    cairn_settings settings;
    double worst[3];
    world w = world_load(scene, &settings, &lumped, elements == 1);
    world_start(&w, &settings);
    compare(&w, samples, settings.step, worst);
    print_message("%s: %.1e m, %.1e degrees, %.1e N from the second implementation\n", scene, worst[0], worst[1],
                  worst[2]);
    assert_true(worst[0] < metres && worst[1] < degrees && worst[2] < newtons);
    world_free(&w);
}

static void rigid_as_printed(void **state)
{
    (void)state;
    check_printed("ellipse-rigid", 0, PRINTED, 1e-12, 1e-9, 1e-8);
}

/* -1, 1: slides to the left or right; 0: rolls. */
static int mode_of(double normal, double friction)
{
    return fabs(friction) < 0.2 * normal * (1 - 1e-9) ? 0 : friction > 0 ? -1 : 1;
}

/* Changes between rolling and sliding, the share of sliding, and the extremes of the normal force over the run. */
static void rigid_modes(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("ellipse-rigid", &settings, NULL, 0);
    world_start(&w, &settings);
    int changes = 0, sliding = 0, last = 0;
    double least = INFINITY, most = 0, mean = 0;
    for (int i = 0; i < 20000; ++i)
    {
        double normal, friction;
        world_step(&w);
        forces(&w, settings.step, &normal, &friction);
        int mode = mode_of(normal, friction);
        changes += i > 0 && mode != last;
        sliding += mode != 0;
        last = mode;
        least = fmin(least, normal);
        most = fmax(most, normal);
        mean += normal / 20000;
    }
    assert_int_equal(changes, 18);
    assert_near(sliding / 20000.0, 0.68575, 1e-12);
    assert_near(least, 0.2588137717011293, 1e-9);
    assert_near(most, 1.8287225425318705, 1e-9);
    assert_near(mean, 0.4898012203131205, 1e-9);
    world_free(&w);
}

static void compliant_as_printed(void **state)
{
    (void)state;
    check_printed("ellipse-compliant-1e-9", 3, COMPLIANT[0], 1e-9, 1e-6, 1e-7);
    check_printed("ellipse-compliant-1e-10", 3, COMPLIANT[1], 1e-9, 1e-6, 1e-7);
    check_printed("ellipse-compliant-1e-11", 3, COMPLIANT[2], 1e-9, 1e-6, 1e-7);
    check_printed("ellipse-compliant-1e-10", 1, LUMPED, 1e-9, 1e-6, 1e-7);
}

/* "The sliding starts at the rightmost contact element first and gradually shifts to the left elements": when each element
 * was last below its friction limit, up to the time at which the rigid ellipse slides, 0.10977 s in the continuous motion. */
static void microslip_goes_from_right_to_left(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("ellipse-compliant-1e-10", &settings, NULL, 0);
    world_start(&w, &settings);
    double stuck[3] = {0, 0, 0};
    for (int i = 0; i < 1500; ++i)
    {
        double place[3];
        world_step(&w);
        assert_int_equal(cairn_simulation_contact_count(w.simulation), 3);
        for (int k = 0; k < 3; ++k)
        {
            cairn_contact c = cairn_simulation_contact(w.simulation, k);
            place[k] = c.point[0];
            bool slides = fabs(c.impulse[1]) >= 0.2 * c.impulse[0] * (1 - 1e-9);
            stuck[k] = slides ? stuck[k] : cairn_simulation_time(w.simulation);
        }
        assert_true(place[0] < place[1] && place[1] < place[2]);
    }
    print_message("elements slide from %.4f s (right), %.4f s, %.4f s (left) on\n", stuck[2], stuck[1], stuck[0]);
    assert_true(stuck[2] < 0.01 && stuck[2] < stuck[1] - 0.02 && stuck[1] < stuck[0] - 0.02);
    assert_near(stuck[0], 0.10977305444257707, 1e-3);
    world_free(&w);
}

/* Theorem 6: largest distance of the centre from the rigid run's, and mean difference of the summed forces, over 0.5 s. */
static void distance_from_rigid(const char *eps, const char *elements, double *metres, double *newtons)
{
    cairn_settings settings;
    cairn_parameter parameters[] = {{"eps", eps}, {"n", elements}};
    world rigid = world_load("ellipse-rigid", &settings, NULL, 0);
    world_start(&rigid, &settings);
    world soft = world_load("ellipse-compliant-1e-10", &settings, parameters, 2);
    world_start(&soft, &settings);
    *metres = *newtons = 0;
    for (int i = 0; i < 5000; ++i)
    {
        double a[2], b[2];
        world_step(&rigid);
        world_step(&soft);
        forces(&rigid, settings.step, &a[0], &a[1]);
        forces(&soft, settings.step, &b[0], &b[1]);
        cairn_body_state p = world_body(&rigid, "ellipse"), q = world_body(&soft, "ellipse");
        *metres = fmax(*metres, hypot(p.position[0] - q.position[0], p.position[1] - q.position[1]));
        *newtons += (fabs(a[0] - b[0]) + fabs(a[1] - b[1])) / 5000;
    }
    world_free(&rigid);
    world_free(&soft);
}

static void tends_to_the_rigid_run(void **state)
{
    (void)state;
    static const char *const EPS[] = {"1e-9", "1e-10", "1e-11", "1e-12", "1e-13"};
    for (int lumped = 0; lumped < 2; ++lumped)
    {
        double metres = INFINITY, newtons = INFINITY;
        /* three elements tend to three rigid ones, 1e-6 m apart: that is seen from 1e-12 on */
        for (int i = 0; i < (lumped ? 5 : 3); ++i)
        {
            double closer, softer;
            distance_from_rigid(EPS[i], lumped ? "1" : "3", &closer, &softer);
            print_message("%s, eps %s: %.2e m, %.2e N\n", lumped ? "lumped" : "3 elements", EPS[i], closer, softer);
            assert_true(closer < metres / 2.5 && softer < newtons / 2.5);
            metres = closer;
            newtons = softer;
        }
        assert_true(metres < 5e-5 && newtons < 1e-3);
    }
}

/* Largest error in the angle (rad) of a second-order scheme with events. */
static double error_of(double h)
{
    cairn_settings settings;
    cairn_parameter touching = {"overlap", "0"};
    world w = world_load("ellipse-rigid", &settings, &touching, 1);
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
        cmocka_unit_test(rigid_as_printed),
        cmocka_unit_test(rigid_modes),
        cmocka_unit_test(compliant_as_printed),
        cmocka_unit_test(microslip_goes_from_right_to_left),
        cmocka_unit_test(tends_to_the_rigid_run),
        cmocka_unit_test(second_order_on_a_curved_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
