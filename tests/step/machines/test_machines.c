/* The built-in machines against closed solutions. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double PI = 3.14159265358979323846, G = 9.81;

static double coordinate(const world *w, const char *joint)
{
    return cairn_simulation_coordinate(w->simulation, cairn_model_find_joint(world_model(w), joint), 0, NULL);
}

static void assert_sound(const world *w)
{
    cairn_audit_totals totals = cairn_simulation_audit(w->simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        assert_int_equal(totals.count[k], 0);
}

/* Steady precession: the axle stays level and turns at m g l/(I w); order 2. */
static void gyroscope(void **state)
{
    (void)state;
    double error[2];
    for (int fine = 0; fine < 2; ++fine)
    {
        cairn_settings settings;
        world w = world_load("gyroscope", &settings, NULL, 0);
        settings.step = fine ? 5e-4 : 1e-3;
        world_start(&w, &settings);
        world_run(&w, fine ? 4000 : 2000);
        cairn_body_state disc = world_body(&w, "disc");
        double angle = 2 * 2 * G * 0.3 / (0.02 * 100);
        error[fine] =
            hypot(hypot(disc.position[0] - 0.3 * cos(angle), disc.position[1] - 0.3 * sin(angle)), disc.position[2]);
        assert_sound(&w);
        world_free(&w);
    }
    assert_true(error[1] < 1e-4);
    assert_true(log2(error[0] / error[1]) > 1.8);
}

/* Balls of 1 kg, arms and links of 0.01 kg, a sleeve of 2 kg: the balance of weights and of centrifugal forces at 16 rad/s, by
 * virtual work. The loops are redundant: 53 equations for 48 freedoms, of which the drive leaves none. */
static void watt_governor(void **state)
{
    (void)state;
    static const struct
    {
        cairn_integrator integrator;
        double step;
    } RUN[] = {{CAIRN_INTEGRATOR_STIFF, 0.002}, {CAIRN_INTEGRATOR_STIFF2, 0.004}, {CAIRN_INTEGRATOR_STIFF2, 0.002}};
    double error[3];
    for (int k = 0; k < 3; ++k)
    {
        cairn_settings settings;
        world w = world_load("watt-governor", &settings, NULL, 0);
        settings.integrator = RUN[k].integrator;
        settings.step = RUN[k].step;
        world_start(&w, &settings);
        world_run(&w, (int)(12 / settings.step + 0.5));
        double l = 0.3, weights = G * l * (2 * 1 + 0.04 + 2 * 2);
        double spread = 16 * 16 * (2 * l * l + 0.01 * l * l + 4 * (1e-4 - 1e-5));
        error[k] = fabs(world_body(&w, "sleeve").position[2] + 2 * l * weights / spread);
        assert_sound(&w);
        world_free(&w);
    }
    assert_true(error[0] < 1e-3);
    assert_true(error[2] < 2e-5 && log2(error[1] / error[2]) > 1.9);
}

/* The follower rides on an eccentric disc: r - e cos(w t), and at 100 rad/s it leaves the disc. */
static void cam(void **state)
{
    (void)state;
    for (int fast = 0; fast < 2; ++fast)
    {
        cairn_settings settings;
        cairn_parameter speed = {.name = "w", .value = fast ? "100" : "20"};
        world w = world_load("cam", &settings, &speed, 1);
        world_start(&w, &settings);
        double worst = 0;
        for (int k = 0; k < 1000; ++k)
        {
            world_step(&w);
            double t = cairn_simulation_time(w.simulation);
            worst =
                fmax(worst, fabs(world_body(&w, "follower").position[1] - (0.16 - 0.02 * cos((fast ? 100 : 20) * t))));
        }
        assert_true(fast ? worst > 1e-3 : worst < 1e-7);
        assert_sound(&w);
        world_free(&w);
    }
}

/* A slider within its clearance: r cos a + sqrt(l^2 - (r sin a - y)^2), between the walls, touching both. */
static void slider_crank(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("slider-crank", &settings, NULL, 0);
    world_start(&w, &settings);
    double low = 0, high = 0;
    for (int k = 0; k < 5000; ++k)
    {
        world_step(&w);
        double a = 12 * cairn_simulation_time(w.simulation);
        cairn_body_state slider = world_body(&w, "slider");
        double y = slider.position[1], across = 0.05 * sin(a) - y;
        assert_near(slider.position[0], 0.05 * cos(a) + sqrt(0.15 * 0.15 - across * across), 1e-9);
        low = fmin(low, y);
        high = fmax(high, y);
    }
    assert_near(low, -1e-4, 1e-9);
    assert_near(high, 1e-4, 1e-9);
    assert_sound(&w);
    world_free(&w);
}

/* The swing of the first ball comes out at the last one, and back: the energy of the row is kept. */
static void newtons_cradle(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("newtons-cradle", &settings, NULL, 0);
    world_start(&w, &settings);
    cairn_energy start = cairn_simulation_energy(w.simulation);
    double swing = 0, back = 1;
    for (int k = 0; k < 1200; ++k)
    {
        world_step(&w);
        double t = cairn_simulation_time(w.simulation), last = coordinate(&w, "t5");
        swing = fmax(swing, last);
        back = t > 0.7 ? fmin(back, coordinate(&w, "t1")) : back;
        assert_true(fabs(cairn_simulation_energy(w.simulation).total - start.total) < 1e-6);
    }
    assert_near(swing, 0.5, 1e-3);
    assert_near(back, 0, 1e-3); /* where it was let go */
    assert_sound(&w);
    world_free(&w);
}

/* The pin in the slot: tan(star) = sin a/(sqrt 2 - cos a), to within the play; at rest between; a quarter per turn. */
static void geneva(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("geneva", &settings, NULL, 0);
    world_start(&w, &settings);
    for (int k = 0; k < 6000; ++k)
    {
        world_step(&w);
        double a = world_body(&w, "wheel").angle, turns = floor((a + PI) / (2 * PI));
        double local = a - 2 * PI * turns, quarter = PI / 4 - PI / 2 * turns; /* of the star where the pin enters */
        bool engaged = fabs(local) < PI / 4 - 0.02;
        double expected =
            engaged ? quarter - PI / 4 - atan2(sin(local), sqrt(2) - cos(local)) : quarter - (local > 0 ? PI / 2 : 0);
        double play = engaged ? 1.001e-5 / (0.1 * (sqrt(2) - 1)) : 2e-3;
        if (engaged || fabs(local) > PI / 4 + 0.02)
            assert_near(world_body(&w, "star").angle, expected, play);
    }
    assert_sound(&w);
    world_free(&w);
}

/* The clock ticks evenly: times at which the wheel passes the middle between two teeth, one per second, after it has settled. */
static void escapement(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("escapement", &settings, NULL, 0);
    world_start(&w, &settings);
    double tick[64];
    int ticks = 0;
    double pitch = 2 * PI / 15, before = 0, given = 0;
    for (int k = 0; k < 24000 && ticks < 64; ++k)
    {
        world_step(&w);
        double t = cairn_simulation_time(w.simulation), angle = -coordinate(&w, "arbor") / pitch;
        double mark = ticks + 0.25;
        if (angle >= mark && before < mark)
            tick[ticks++] = t - settings.step * (angle - mark) / (angle - before);
        before = angle;
        given = 1.6e-3 * angle * pitch;
    }
    assert_in_range(ticks, 21, 26);
    for (int i = 14; i + 1 < ticks; ++i)
        assert_near((tick[i + 1] - tick[i]) / (tick[i] - tick[i - 1]), 1, 1e-3);
    cairn_energy energy = cairn_simulation_energy(w.simulation);
    assert_near(energy.work_joints, given, 1e-5 * given); /* hinges do a little work over finite steps */
    assert_true(fabs(energy.balance_error) < 1e-8 * given);
    world_free(&w);
}

/* The toy walks: the legs swing forward in turn, at even intervals once the gait is steady, and it gets down the slope. */
static void walking_toy(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("walking-toy", &settings, NULL, 0);
    world_start(&w, &settings);
    double step[128], last[2] = {0, 0}, from = 0;
    int leg[128], steps = 0;
    for (int k = 0; k < 5000 && steps < 128; ++k)
    {
        world_step(&w);
        double t = cairn_simulation_time(w.simulation);
        from = k == 3500 ? world_body(&w, "body").position[0] : from;
        double rate[2];
        cairn_simulation_coordinate(w.simulation, nth_joint(w.simulation, 0), 0, &rate[0]);
        cairn_simulation_coordinate(w.simulation, nth_joint(w.simulation, 1), 0, &rate[1]);
        for (int i = 0; i < 2 && steps < 128; ++i)
        {
            bool jumps = rate[i] - last[i] > 0.5; /* a foot that comes down is stopped */
            if (t > 7 && jumps && (steps == 0 || t - step[steps - 1] > 0.05))
            {
                step[steps] = t;
                leg[steps++] = i;
            }
            last[i] = rate[i];
        }
    }
    assert_in_range(steps, 12, 30);
    for (int i = 1; i < steps; ++i)
        assert_int_not_equal(leg[i], leg[i - 1]);
    double mean = (step[steps - 1] - step[0]) / (steps - 1);
    for (int i = 1; i < steps; ++i)
        assert_near(step[i] - step[i - 1], mean, 0.1 * mean);
    assert_true(world_body(&w, "body").position[0] - from > 0.06);
    assert_sound(&w);
    world_free(&w);
}

/* The rocker's end lies where circles about the crank's end and the rocker's pivot meet; the crank turns at the speed of its drive. */
static void four_bar(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("four-bar-plane", &settings, NULL, 0);
    world_start(&w, &settings);
    double start = world_body(&w, "crank").angle;
    for (int k = 0; k < 800; ++k)
    {
        world_step(&w);
        double a = world_body(&w, "crank").angle, x = 0.3 * cos(a), y = 0.3 * sin(a);
        double base = hypot(1 - x, y), along = (base * base + 0.7 * 0.7 - 0.9 * 0.9) / (2 * base);
        double expected = atan2(y, x - 1) - acos(along / 0.7); /* the upper of the two */
        double off = remainder(world_body(&w, "rocker").angle - expected, 2 * PI);
        assert_near(off, 0, 1e-7); /* joints drift by 1e-8 m */
    }
    assert_near(world_body(&w, "crank").angle - start, 16, 1e-9);
    assert_sound(&w);
    world_free(&w);
}

/* -------------------------------------------------------------------------------------------------- suspension */

/* Height of the car's body while it drives over the bump, with steps of 0.01 s. rigid: the struts are held by this rigid drive. */
static void drive(const char *k, const char *c, const char *rigid, double height[200])
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    const cairn_builtin *builtin = cairn_builtin_find("car-suspension");
    char text[4000];
    assert_true(builtin->length < sizeof text);
    strcpy(text, builtin->text);
    for (char *at = text; rigid && (at = strstr(at, "position: {stiffness")); ++at)
    {
        char *end = strstr(at, "}}}");
        memset(at, ' ', (size_t)(end - at));
        memcpy(at, rigid, strlen(rigid));
    }
    cairn_parameter parameter[] = {{.name = "k", .value = k}, {.name = "c", .value = c}};
    if (cairn_scene_parse(context, "car", text, strlen(text), parameter, 2, &scene))
        fail_msg("%s", cairn_context_last_message(context));
    cairn_settings settings = cairn_scene_settings(scene);
    assert_int_equal(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation), CAIRN_OK);
    cairn_body body = cairn_model_find_body(cairn_scene_model(scene), "body");
    double start = cairn_simulation_energy(simulation).total;
    for (int i = 0; i < 200; ++i)
    {
        if (cairn_simulation_step(simulation))
            fail_msg("%s", cairn_context_last_message(context));
        height[i] = cairn_simulation_body(simulation, body).position[1];
        assert_true(cairn_simulation_energy(simulation).total < start + 1e-6 * fabs(start));
    }
    cairn_audit_totals totals = cairn_simulation_audit(simulation);
    for (int i = 0; i < CAIRN_VIOLATION_KINDS; ++i)
        assert_int_equal(totals.count[i], 0);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static double farthest(const double a[200], const double b[200])
{
    double worst = 0;
    for (int i = 0; i < 200; ++i)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

/* Stiffness from 1e2 to 1e12 and damping from 0 to 1e12: no energy appears, and the limits are those of rigid struts, which hold their
 * position or only their rate. docs/joints.md tabulates the rates. */
static void stiff_struts(void **state)
{
    (void)state;
    static const char *const SIZE[] = {"1e2", "1e4", "1e6", "1e8", "1e10", "1e12"};
    static const char *const RIGID[] = {"position: {drive: {type: position, target: 0}",
                                        "position: {drive: {type: speed, target: 0}"};
    double rigid[200], height[200], error[2][6];
    for (int damper = 0; damper < 2; ++damper)
    {
        drive("1", "1", RIGID[damper], rigid);
        for (int i = 0; i < 6; ++i)
        {
            drive(damper ? "1" : SIZE[i], damper ? SIZE[i] : "0", NULL, height);
            error[damper][i] = farthest(height, rigid);
        }
    }
    for (int i = 0; i < 6; ++i)
        print_message("%-5s %9.2e %9.2e\n", SIZE[i], error[0][i], error[1][i]);
    for (int damper = 0; damper < 2; ++damper)
        for (int i = 4; i < 6; ++i)
            assert_true(error[damper][i - 1] / error[damper][i] > 80 && error[damper][i - 1] / error[damper][i] < 120);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gyroscope),    cmocka_unit_test(watt_governor),  cmocka_unit_test(cam),
        cmocka_unit_test(slider_crank), cmocka_unit_test(newtons_cradle), cmocka_unit_test(geneva),
        cmocka_unit_test(escapement),   cmocka_unit_test(walking_toy),    cmocka_unit_test(four_bar),
        cmocka_unit_test(stiff_struts),
    };
    return cmocka_run_group_tests_name("machines", tests, NULL, NULL);
}
