/* Periodic boxes: contacts against all images of all pairs, motion that does not depend on which images the states name, momentum and
 * energy, sheared boxes, and what is refused. */
#include "support/check.h"
#include "support/worlds.h"

#include <cairn/save.h>

#include <stdio.h>
#include <string.h>

enum
{
    MOST = 80
};

typedef struct gas
{
    int dimension, count;
    double size[3], shear, radius[MOST];
    double x[MOST][3], v[MOST][3], w[MOST];
    double mu, restitution;
} gas;

/* Balls at random in a box, apart from each other but for what they overlap at the start, which is nothing. */
static gas make_gas(int dimension, int count, double shear, uint64_t *seed)
{
    gas g = {.dimension = dimension, .count = count, .shear = shear, .mu = 0.4};
    for (int k = 0; k < dimension; ++k)
        g.size[k] = random_in(seed, 1, 1.4);
    for (int i = 0; i < count; ++i)
    {
        g.radius[i] = random_in(seed, 0.06, 0.1);
        bool clear = false;
        while (!clear)
        {
            for (int k = 0; k < dimension; ++k)
                g.x[i][k] = random_in(seed, -0.5, 0.5) * g.size[k];
            clear = true;
            for (int j = 0; j < i && clear; ++j)
            {
                double square = 0;
                for (int k = 0; k < dimension; ++k)
                    square += pow(remainder(g.x[i][k] - g.x[j][k], g.size[k]), 2);
                clear = sqrt(square) > g.radius[i] + g.radius[j] + 1e-3;
            }
        }
        for (int k = 0; k < dimension; ++k)
            g.v[i][k] = random_in(seed, -1, 1);
        g.v[i][0] += shear * g.x[i][1];
        g.w[i] = random_in(seed, -3, 3);
    }
    return g;
}

static world start_gas(const gas *g, double h, cairn_accuracy accuracy)
{
    world w = world_new(g->dimension);
    cairn_material m = add_material(w.model, "grain", g->mu, g->restitution);
    assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0, 0, 0}), CAIRN_OK);
    assert_int_equal(cairn_model_set_periodic(w.model, g->size, g->shear), CAIRN_OK);
    for (int i = 0; i < g->count; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "grain%d", i);
        add_ball(w.model, name, 1000 * pow(g->radius[i], 3), g->radius[i], g->x[i], m);
    }
    cairn_settings settings = cairn_settings_default();
    settings.step = h;
    settings.accuracy = accuracy;
    settings.solver.tolerance = 1e-11;
    world_start(&w, &settings);
    for (int i = 0; i < g->count; ++i)
    {
        cairn_body body = cairn_model_body(w.model, i);
        cairn_body_state at = cairn_simulation_body(w.simulation, body);
        memcpy(at.velocity, g->v[i], sizeof at.velocity);
        at.angular_velocity[2] = g->w[i];
        assert_int_equal(cairn_simulation_set_body(w.simulation, body, &at), CAIRN_OK);
    }
    return w;
}

/* The smallest gap of two balls over all images at time t; `up` is the number of boxes that the image of j is above it. */
static double least_gap(const gas *g, const cairn_body_state *a, const cairn_body_state *b, double radii, double t,
                        double normal[3], int *up)
{
    double least = INFINITY, d[3] = {0};
    int depth = g->dimension == 3 ? 4 : 0;
    for (int j = -4; j <= 4; ++j)
        for (int k = -depth; k <= depth; ++k)
        {
            d[1] = a->position[1] - b->position[1] - j * g->size[1];
            d[2] = a->position[2] - b->position[2] - k * g->size[2];
            d[0] = remainder(a->position[0] - b->position[0] - j * g->shear * g->size[1] * t, g->size[0]);
            double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (distance - radii >= least)
                continue;
            least = distance - radii;
            *up = j;
            for (int c = 0; c < 3; ++c)
                normal[c] = d[c] / distance;
        }
    return least;
}

/* Every contact is that of the nearest images, and no pair that is about to touch is missing. */
static void contacts_are_those_of_images(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 12; ++round)
    {
        gas g = make_gas(round % 2 ? 2 : 3, round % 2 ? 14 : 30, round % 3 ? 0.9 : 0, &seed);
        world w = start_gas(&g, 0.004, CAIRN_ACCURACY_EXACT);
        int across = 0;
        for (int step = 0; step < 250; ++step)
        {
            double t = cairn_simulation_time(w.simulation);
            cairn_body_state at[MOST];
            for (int i = 0; i < g.count; ++i)
                at[i] = cairn_simulation_body(w.simulation, cairn_model_body(w.model, i));
            world_step(&w);
            int listed = 0, touching = 0, count = cairn_simulation_contact_count(w.simulation);
            for (int c = 0; c < count; ++c)
            {
                cairn_contact contact = cairn_simulation_contact(w.simulation, c);
                int i = cairn_model_body_index(w.model, contact.a), j = cairn_model_body_index(w.model, contact.b), up;
                double n[3], gap = least_gap(&g, &at[i], &at[j], g.radius[i] + g.radius[j], t, n, &up);
                assert_near(contact.gap, gap, 1e-12);
                for (int k = 0; k < 3; ++k)
                    assert_near(contact.normal[k], n[k], 1e-9);
                across += up != 0;
                listed += contact.gap < 1e-9;
            }
            for (int i = 0; i < g.count; ++i)
                for (int j = 0; j < i; ++j)
                {
                    double n[3];
                    int up;
                    touching += least_gap(&g, &at[i], &at[j], g.radius[i] + g.radius[j], t, n, &up) < 1e-9;
                }
            assert_int_equal(listed, touching);
            assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-9);
            assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        }
        assert_true(across > 3);
        world_free(&w);
    }
}

/* Which image of a body a state names does not matter: with g L_y j more of velocity and j boxes higher, all goes on as before. Momentum
 * relative to the mean flow is kept where nothing is sheared. */
static void any_image_will_do(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int round = 0; round < 8; ++round)
    {
        double shear = round % 4 ? -0.5 + 0.6 * (round % 3) : 0, h = 0.003;
        gas g = make_gas(round % 2 ? 3 : 2, round % 2 ? 30 : 14, shear, &seed), moved = g;
        int cell[MOST][3] = {{0}};
        g.restitution = moved.restitution = round % 3 ? 0 : 0.6;
        for (int i = 0; i < g.count; ++i)
            for (int k = 0; k < g.dimension; ++k)
                cell[i][k] = (int)floor(random_in(&seed, -2, 3));
        for (int i = 0; i < g.count; ++i)
        {
            for (int k = 0; k < g.dimension; ++k)
                moved.x[i][k] += cell[i][k] * g.size[k];
            moved.v[i][0] += cell[i][1] * shear * g.size[1];
        }
        world one = start_gas(&g, h, CAIRN_ACCURACY_EXACT), two = start_gas(&moved, h, CAIRN_ACCURACY_EXACT);
        double momentum[3] = {0};
        for (int i = 0; i < g.count; ++i)
            for (int k = 0; k < 3; ++k)
                momentum[k] += 1000 * pow(g.radius[i], 3) * g.v[i][k];
        for (int step = 1; step <= 150; ++step)
        {
            world_step(&one);
            world_step(&two);
            double sum[3] = {0};
            for (int i = 0; i < g.count; ++i)
            {
                cairn_body_state a = cairn_simulation_body(one.simulation, cairn_model_body(one.model, i));
                cairn_body_state b = cairn_simulation_body(two.simulation, cairn_model_body(two.model, i));
                for (int k = 0; k < 3; ++k)
                {
                    double flow = k == 0 ? cell[i][1] * shear * g.size[1] : 0.0;
                    assert_near(b.velocity[k] - flow, a.velocity[k], 1e-6);
                    assert_near(b.position[k] - cell[i][k] * g.size[k] - flow * step * h, a.position[k], 1e-7);
                    sum[k] += 1000 * pow(g.radius[i], 3) * a.velocity[k];
                }
            }
            for (int k = 0; k < 3; ++k)
                assert_near(sum[k], momentum[k], 1e-9);
        }
        world_free(&one);
        world_free(&two);
    }
}

/* The slope of v_x over y. */
static double slope_of(uint64_t seed)
{
    gas g = {.dimension = 2, .count = 64, .size = {0.8, 0.8, 0}, .shear = 2.0, .mu = 0.4};
    for (int i = 0; i < g.count; ++i)
    {
        g.radius[i] = random_in(&seed, 0.046, 0.049);
        g.x[i][0] = 0.1 * (i % 8) - 0.35;
        g.x[i][1] = 0.1 * (i / 8) - 0.35;
        g.v[i][0] = random_in(&seed, -0.5, 0.5);
        g.v[i][1] = random_in(&seed, -0.5, 0.5);
    }
    world w = start_gas(&g, 0.005, CAIRN_ACCURACY_BALANCED);
    double xx = 0, xy = 0, v_sum = 0, y_sum = 0, n = 0;
    for (int step = 0; step < 2000; ++step)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        for (int i = 0; i < g.count && step > 500; ++i)
        {
            cairn_body_state at = cairn_simulation_body(w.simulation, cairn_model_body(w.model, i));
            double image = round(at.position[1] / g.size[1]), y = at.position[1] - image * g.size[1];
            double v = at.velocity[0] - image * g.size[1] * g.shear;
            double x = at.position[0] - image * g.shear * g.size[1] * cairn_simulation_time(w.simulation);
            cairn_model_wrap(w.model, cairn_simulation_time(w.simulation), &at);
            assert_near(at.position[0], remainder(x, g.size[0]), 1e-9);
            assert_near(at.position[1], y, 1e-12);
            assert_near(at.velocity[0], v, 1e-12);
            xx += y * y;
            xy += y * v;
            v_sum += v;
            y_sum += y;
            n += 1;
        }
    }
    assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-7);
    assert_true(cairn_simulation_energy(w.simulation).work_friction < 0 ||
                cairn_simulation_energy(w.simulation).work_contact_normal != 0);
    world_free(&w);
    return (xy - v_sum * y_sum / n) / (xx - y_sum * y_sum / n);
}

/* Grains that start without a mean flow take up that of the box: v_x = g y + const, by regression. That of one run scatters by a tenth or so. */
static void shears(void **state)
{
    (void)state;
    double sum = 0;
    for (uint64_t seed = 21; seed < 27; ++seed)
        sum += slope_of(seed);
    assert_near(sum / 6, 2.0, 0.1);
}

/* The compact path and the general certificate agree in a sheared box of many grains. */
static void is_certified_when_crowded(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material m = add_material(w.model, "grain", 0.5, 0);
    double size[3] = {1.2, 1.2, 1.2};
    assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0}), CAIRN_OK);
    assert_int_equal(cairn_model_set_periodic(w.model, size, 1.5), CAIRN_OK);
    uint64_t seed = 2;
    for (int i = 0; i < 216; ++i)
    {
        char name[24];
        double x[3] = {0.2 * (i % 6) - 0.5, 0.2 * (i / 6 % 6) - 0.5, 0.2 * (i / 36) - 0.5};
        snprintf(name, sizeof name, "grain%d", i);
        for (int k = 0; k < 3; ++k)
            x[k] += random_in(&seed, -0.001, 0.001);
        add_ball(w.model, name, 1, random_in(&seed, 0.094, 0.0985), x, m);
    }
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.01;
    world_start(&w, &settings);
    for (int i = 0; i < 216; ++i)
    {
        cairn_body body = cairn_model_body(w.model, i);
        cairn_body_state at = cairn_simulation_body(w.simulation, body);
        for (int k = 0; k < 3; ++k)
            at.velocity[k] = random_in(&seed, -0.5, 0.5);
        assert_int_equal(cairn_simulation_set_body(w.simulation, body, &at), CAIRN_OK);
    }
    int swept = 0;
    for (int k = 0; k < 150; ++k)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        assert_int_equal(report->physics.violations, 0);
        if (strcmp(report->solver.method, "sweeps") != 0)
            continue;
        cairn_certificate general;
        assert_int_equal(
            cairn_certify(cairn_simulation_problem(w.simulation), cairn_simulation_solution(w.simulation), &general),
            CAIRN_OK);
        assert_near(report->solver.certificate.natural_map, general.natural_map,
                    1e-9 * general.natural_map + 1e-14 * general.scale);
        ++swept;
    }
    assert_true(swept > 50);
    world_free(&w);
}

static const char SCENE[] = "dimension: 2\n"
                            "gravity: [0, 0]\n"
                            "periodic: {size: [2, 3], shear: 0.25}\n"
                            "bodies: [{name: a, mass: 1, shapes: [{type: circle, radius: 0.4}]}]\n";

static void check_refused(const char *scene, const char *word, cairn_integrator integrator)
{
    cairn_settings settings;
    cairn_simulation *simulation;
    cairn_context *context = cairn_context_create();
    cairn_scene *parsed = NULL;
    cairn_status status = cairn_scene_parse(context, "test", scene, strlen(scene), NULL, 0, &parsed);
    if (!status)
    {
        settings = cairn_scene_settings(parsed);
        settings.integrator = integrator;
        status = cairn_simulation_create(context, cairn_scene_model(parsed), &settings, &simulation);
    }
    assert_int_equal(status, CAIRN_INVALID);
    if (!strstr(cairn_context_last_message(context), word))
        fail_msg("'%s' has no '%s'", cairn_context_last_message(context), word);
    cairn_scene_destroy(parsed);
    cairn_context_destroy(context);
}

static void is_saved_and_checked(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_parse(SCENE, &settings, NULL, 0);
    char *text;
    assert_int_equal(cairn_model_text(cairn_scene_model(w.scene), NULL, &text), CAIRN_OK);
    world again = world_parse(text, &settings, NULL, 0);
    double size[3], shear;
    cairn_model_periodic(cairn_scene_model(again.scene), size, &shear);
    assert_true(size[0] == 2 && size[1] == 3 && size[2] == 0 && shear == 0.25);
    cairn_text_destroy(text);
    world_free(&w);
    world_free(&again);
    check_refused(SCENE, "integrator", CAIRN_INTEGRATOR_STIFF2);
#define BODIES(x) "dimension: 2\nperiodic: {size: [2, 0]}\nbodies: [{name: a, " x "}]\n"
    check_refused(BODIES("mass: 1, shapes: [{type: circle, radius: 0.6}]"), "body 'a': is too large",
                  CAIRN_INTEGRATOR_STIFF);
    check_refused(BODIES("kind: fixed, shapes: [{type: half-plane, normal: [1, 1]}]"), "perpendicular to x",
                  CAIRN_INTEGRATOR_STIFF);
    check_refused(BODIES("kind: fixed, shapes: [{type: segment, length: 0.1}]"), "segment", CAIRN_INTEGRATOR_STIFF);
    check_refused(
        "dimension: 3\nperiodic: {size: [2, 2, 0]}\nbodies: [{name: a, kind: fixed, shapes: [{type: hollow-cylinder, "
        "radius: 0.1, height: 0.1}]}]\n",
        "body 'a': hollow-cylinder: a periodic box does not take this shape", CAIRN_INTEGRATOR_STIFF);
    check_refused(
        "dimension: 3\nperiodic: {size: [2, 2, 0]}\nbodies: [{name: a, kind: fixed, shapes: [{type: mesh, vertices: "
        "[[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]], triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, "
        "3]]}]}]\n",
        "body 'a': mesh: a periodic box", CAIRN_INTEGRATOR_STIFF);
    check_refused(
        "dimension: 2\nperiodic: {size: [2, 0]}\nmaterials: [{name: rubber, friction: 0.5, patch: {elements: 5, "
        "spacing: 0.01, compliance: 1e-9}}]\nbodies: [{name: a, mass: 1, material: rubber, shapes: [{type: circle, "
        "radius: 0.1}]}]\n",
        "material 'rubber': a periodic box does not take compliant patches", CAIRN_INTEGRATOR_STIFF);
    check_refused(
        "dimension: 2\nperiodic: {size: [2, 0]}\npopulations: [{name: p, count: 3, radius: 0.1, density: 1, insertion: "
        "{rate: 1}, region: {type: box, size: [1, 1]}}]\n",
        "population 'p': its grains come and go", CAIRN_INTEGRATOR_STIFF);
    check_refused("dimension: 2\nperiodic: {size: [2, 0]}\nbodies: []\nsimulation: {stabilisation: project}\n",
                  "stabilisation: positions in a periodic box", CAIRN_INTEGRATOR_STIFF);
    check_refused("dimension: 2\nperiodic: {size: [2, 0], shear: 1}\nbodies: []\n", "shear", CAIRN_INTEGRATOR_STIFF);
    check_refused("dimension: 2\nperiodic: {size: [-2, 0]}\nbodies: []\n", "size", CAIRN_INTEGRATOR_STIFF);
    check_refused("dimension: 2\nperiodic: {size: [2, 3], shear: -1e30}\nbodies: []\n", "shorter step",
                  CAIRN_INTEGRATOR_STIFF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_those_of_images), cmocka_unit_test(any_image_will_do), cmocka_unit_test(shears),
        cmocka_unit_test(is_certified_when_crowded), cmocka_unit_test(is_saved_and_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
