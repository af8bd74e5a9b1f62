/* The contacts of a step in the compact view, which are read where collision detection has left them: they balance the momentum of
 * every body, and they stay what they were, whatever is asked of the simulation before the next step. */
#include "support/check.h"
#include "support/heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    GRAINS = 300,
    MOST = 4000 /* contacts */
};

static const double H = 0.005;

static world start(int dimension, heap_mix mix)
{
    const heap_options options = {.dimension = dimension, .mix = mix, .count = GRAINS, .friction = 0.4, .seed = 11};
    cairn_settings settings = cairn_settings_default();
    settings.step = H;
    world w = heap_world(&options);
    world_start(&w, &settings);
    return w;
}

/* kg m/s: the change of a body's momentum in the step that its contacts do not explain. */
static double unexplained(const world *w, cairn_body body, const cairn_body_state *before, double mass)
{
    cairn_body_state after = cairn_simulation_body(w->simulation, body);
    int dimension = cairn_model_dimension(world_model(w));
    double rest[3] = {0}, worst = 0;
    for (int k = 0; k < 3; ++k)
        rest[k] = mass * (after.velocity[k] - before->velocity[k]);
    rest[dimension - 1] += mass * H * 9.81;
    for (int j = 0; j < cairn_simulation_contact_count(w->simulation); ++j)
    {
        cairn_contact c = cairn_simulation_contact(w->simulation, j);
        double sign = c.a.id == body.id ? 1 : c.b.id == body.id ? -1 : 0;
        for (int k = 0; k < 3; ++k)
            rest[k] -= sign * (c.impulse[0] * c.normal[k] + c.impulse[1] * c.tangent[0][k] +
                               (dimension == 3 ? c.impulse[2] * c.tangent[1][k] : 0));
    }
    for (int k = 0; k < dimension; ++k)
        worst = fmax(worst, fabs(rest[k]));
    return worst;
}

/* While grains fall, collide and settle, steps need several solves, since bodies become faster than was expected. */
static void check_momentum(int dimension, heap_mix mix)
{
    world w = start(dimension, mix);
    int first = dimension == 3 ? HEAP_WALLS : HEAP_WALLS - 2, again = 0, swept = 0;
    for (int step = 0; step < 120; ++step)
    {
        cairn_body body = cairn_model_body(world_model(&w), first + step % GRAINS);
        cairn_body_state before = cairn_simulation_body(w.simulation, body);
        double mass = cairn_model_body_mass(world_model(&w), body);
        heap_run(&w, 1);
        assert_near(unexplained(&w, body, &before, mass), 0.0, 1e-12 * mass * 10);
        again += cairn_simulation_report(w.simulation)->problems > 1;
        swept += heap_swept(&w);
    }
    print_message("    %d steps swept, %d solved again\n", swept, again);
    assert_true(again > 2 && swept > 20);
    world_free(&w);
}

static void contacts_balance_momentum(void **state)
{
    (void)state;
    check_momentum(3, HEAP_ROUND);
    check_momentum(3, HEAP_MIXED);
    check_momentum(2, HEAP_ROUND);
}

static int copy_contacts(const world *w, cairn_contact *out)
{
    int count = cairn_simulation_contact_count(w->simulation);
    assert_true(count > GRAINS / 2 && count <= MOST);
    for (int j = 0; j < count; ++j)
        out[j] = cairn_simulation_contact(w->simulation, j);
    return count;
}

/* Put a body where it is, twice: contacts at the state are searched each time, and those of the step are not touched. */
static void check_last(int dimension)
{
    world w = start(dimension, HEAP_ROUND);
    static cairn_contact before[MOST], after[MOST];
    heap_run(&w, 80);
    int count = copy_contacts(&w, before);
    cairn_body body = cairn_model_body(world_model(&w), HEAP_WALLS);
    for (int k = 0; k < 3; ++k)
    {
        cairn_body_state is = cairn_simulation_body(w.simulation, body);
        is.position[0] += 0.3; /* away, so that another list is found */
        assert_int_equal(cairn_simulation_set_body(w.simulation, body, &is), CAIRN_OK);
        assert_int_equal(copy_contacts(&w, after), count);
        for (int j = 0; j < count; ++j)
        {
            assert_true(before[j].identity == after[j].identity && before[j].gap == after[j].gap);
            assert_memory_equal(before[j].impulse, after[j].impulse, sizeof before[j].impulse);
            assert_memory_equal(before[j].normal, after[j].normal, sizeof before[j].normal);
        }
    }
    world_free(&w);
}

static void contacts_stay_until_the_next_step(void **state)
{
    (void)state;
    check_last(3);
    check_last(2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_balance_momentum),
        cmocka_unit_test(contacts_stay_until_the_next_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
