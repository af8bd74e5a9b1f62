/* Contacts given as a list, without rows in a problem: works and record are those of the same contacts with rows. */
#include "support/check.h"
#include "support/worlds.h"

#include "step/account/account.h"
#include "step/account/ledger_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct observed
{
    cairn_simulation *simulation;
    double h;
    int contacts;
} observed;

/* Book and record the piece once more, from a list. */
static void repeat(void *data, crn_piece *piece)
{
    observed *o = data;
    cairn_simulation *s = o->simulation;
    cairn_problem *problem = &s->stage[0].assembly.problem;
    int rows = problem->contact_count, count = piece->contact_count;
    crn_acted acted;
    crn_piece_contact *before = calloc((size_t)count + 1, sizeof *before);
    memcpy(before, piece->contacts, (size_t)count * sizeof *before);
    assert_int_equal(crn_ledger_list_contacts(s, &acted), CAIRN_OK);
    assert_int_equal(acted.count, rows);
    acted.push = s->stage[0].assembly.push;
    cairn_energy energy = s->state.energy, was = s->ledger.booked;
    s->state.energy = was;
    assert_int_equal(crn_ledger_act(s, &acted), CAIRN_OK);
    problem->contact_count = 0;
    crn_book_work(s, o->h);
    double size = 1e-12 * (1 + fabs(energy.kinetic));
    assert_near(s->state.energy.work_contact_normal, energy.work_contact_normal, size);
    assert_near(s->state.energy.work_friction, energy.work_friction, size);
    assert_near(s->state.energy.push_out, energy.push_out, size);
    assert_near(s->state.energy.work_gravity, energy.work_gravity, size);
    assert_int_equal(crn_ledger_read_contacts(s), CAIRN_OK);
    assert_int_equal(s->ledger.contact_count, count);
    for (int i = 0; i < count; ++i)
    {
        const crn_piece_contact *now = &s->ledger.contacts[i];
        assert_true(now->identity == before[i].identity && now->last == before[i].last && !now->soft);
        assert_true(now->gap_before == before[i].gap_before && now->place == before[i].place);
        assert_memory_equal(now->impulse, before[i].impulse, sizeof now->impulse);
        assert_memory_equal(now->normal_before, before[i].normal_before, sizeof now->normal_before);
    }
    problem->contact_count = rows;
    s->ledger.acted = (crn_acted){.count = 0};
    s->state.energy = energy;
    piece->contacts = s->ledger.contacts;
    o->contacts += count;
    free(before);
}

static void check(int dimension)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    settings.step = 0.01;
    world w = world_new(dimension);
    cairn_material m = add_material(w.model, "m", 0.3, 0.2);
    add_ground(w.model, m);
    double x[3][3] = {{0, 0.1, 0.1}, {0.13, 0.31, 0.31}, {0.02, 0.45, 0.45}};
    add_ball(w.model, "ball", 1.3, 0.1, x[0], m);
    add_box(w.model, "box", 0.7, (double[3]){0.2, 0.1, 0.15}, x[1], m);
    add_ball(w.model, "top", 0.4, 0.05, x[2], m);
    world_start(&w, &settings);
    observed o = {.simulation = w.simulation, .h = settings.step};
    w.simulation->ledger.watch = repeat;
    w.simulation->ledger.watch_data = &o;
    for (int i = 0; i < 100; ++i)
        world_step(&w);
    assert_true(o.contacts > 100);
    cairn_audit_totals totals = cairn_simulation_audit(w.simulation);
    for (int kind = 0; kind < CAIRN_VIOLATION_KINDS; ++kind)
        assert_int_equal(totals.count[kind], 0);
    world_free(&w);
}

static void test_plane_and_space(void **state)
{
    (void)state;
    check(2);
    check(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plane_and_space)};
    return cmocka_run_group_tests_name("contacts without rows", tests, NULL, NULL);
}
