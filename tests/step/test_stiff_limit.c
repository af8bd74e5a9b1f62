/* Theorem 2.6 of Anitescu & Potra 2002: as stiffness and damping grow, from springs at rest, the step tends to that of the
 * system where springs and dampers are joints. The difference falls like 1/stiffness. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>

enum
{
    LINKS = 3
};

/* A chain of bodies on a ground, links between them: as joints, or as springs and dampers of strength `stiffness`. */
static world chain(uint64_t seed, int dimension, bool as_joints, double stiffness)
{
    world w = world_new(dimension);
    cairn_material rough = add_material(w.model, "rough", random_in(&seed, 0, 0.5), 0);
    add_ground(w.model, rough);
    cairn_body body[LINKS + 1];
    for (int i = 0; i <= LINKS; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "body%d", i);
        double size[3] = {0.5, 0.4, 0.4};
        double position[3] = {i * 1.0, 0, 0};
        /* the first two rest on the ground, the others hang in the air */
        position[dimension - 1] = i < 2 ? 0.2 : 1.0 + 0.2 * i;
        body[i] = add_box(w.model, name, random_in(&seed, 0.5, 2), size, position, rough);
    }
    for (int i = 0; i < LINKS; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "link%d", i);
        cairn_attachment a = {body[i], {random_in(&seed, -0.2, 0.2), random_in(&seed, -0.2, 0.2), 0}};
        cairn_attachment b = {body[i + 1], {random_in(&seed, -0.2, 0.2), random_in(&seed, -0.2, 0.2), 0}};
        double kind = random_in(&seed, 0, 3);
        if (!as_joints)
        {
            add_spring(w.model, name, a, b, kind < 2 ? stiffness : 0, kind > 1 ? stiffness : 0);
            continue;
        }
        cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
        o.name = name;
        o.a = a;
        o.b = b;
        o.collide = true;
        cairn_joint out;
        assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    }
    return w;
}

/* Velocities after one step from rest under gravity and a sideways kick. */
static int one_step(world *w, double *v)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.05;
    settings.stabilisation = CAIRN_STABILISE_NONE;
    settings.law = (cairn_law){CAIRN_LAW_PYRAMID, 4};
    world_start(w, &settings);
    cairn_body last = cairn_model_find_body(w->model, "body3");
    cairn_body_state state = cairn_simulation_body(w->simulation, last);
    state.velocity[0] = 0.7;
    state.velocity[1] = -0.4;
    assert_int_equal(cairn_simulation_set_body(w->simulation, last, &state), CAIRN_OK);
    world_step(w);
    int n = cairn_simulation_problem(w->simulation)->n;
    for (int i = 0; i < n; ++i)
        v[i] = cairn_simulation_solution(w->simulation)->v[i];
    return n;
}

static double difference(uint64_t seed, int dimension, double stiffness)
{
    double soft[64], rigid[64];
    world springs = chain(seed, dimension, false, stiffness);
    world joints = chain(seed, dimension, true, 0);
    int n = one_step(&springs, soft);
    assert_int_equal(one_step(&joints, rigid), n);
    double worst = 0;
    for (int i = 0; i < n; ++i)
        worst = fmax(worst, fabs(soft[i] - rigid[i]));
    world_free(&springs);
    world_free(&joints);
    return worst;
}

static void stiffness_to_infinity_gives_the_joint(void **state)
{
    (void)state;
    int first_order = 0, count = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed)
    {
        int dimension = 2 + (int)(seed % 2);
        double d5 = difference(seed, dimension, 1e5);
        double d6 = difference(seed, dimension, 1e6);
        double d7 = difference(seed, dimension, 1e7);
        double d10 = difference(seed, dimension, 1e10);
        assert_true(d10 < 1e-4);
        /* 1/stiffness: each factor 10 brings a factor 10, once the set of active contacts no longer changes */
        first_order += fabs(d6 / d7 - 10) < 1 && fabs(d5 / d6 - 10) < 2;
        ++count;
    }
    print_message("rate 1/stiffness seen in %d of %d chains\n", first_order, count);
    assert_true(first_order >= count * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stiffness_to_infinity_gives_the_joint)};
    return cmocka_run_group_tests_name("stiff limit", tests, NULL, NULL);
}
