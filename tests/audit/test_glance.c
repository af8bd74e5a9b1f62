/* A glance at a piece never passes what the full examination finds fault with, and passes nearly all that is right. Pieces come
 * from real steps of heaps, as they are and spoilt at random. */
#include "support/check.h"
#include "support/worlds.h"

#include "math/vec.h"
#include "step/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SPOILS = 12 /* ways to spoil each piece */
};

/* What is done to every piece, and what came of it. */
typedef struct trial
{
    cairn_simulation *simulation;
    crn_audit *audit;
    uint64_t seed;
    crn_contact *contacts;
    double (*impulse)[3];
    int compact;               /* pieces of compact steps, whose contacts have no rows */
    int clean, passed;         /* pieces as they are; those that a glance passes */
    int spoilt, found, missed; /* spoilt ones; those with violations; and those of them that a glance passes */
} trial;

static double uniform(trial *t)
{
    t->seed = t->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(t->seed >> 11) / 9007199254740992.0;
}

/* The piece's contacts in the form that a glance takes. */
static crn_acted acted_of(trial *t, const crn_piece *piece)
{
    for (int i = 0; i < piece->contact_count; ++i)
    {
        const crn_piece_contact *from = &piece->contacts[i];
        crn_contact *to = &t->contacts[i];
        *to = (crn_contact){.body_a = from->body_a, .body_b = from->body_b, .identity = from->identity};
        to->gap = from->gap;
        to->friction = from->friction;
        to->restitution = from->restitution;
        memcpy(to->normal, from->normal, sizeof to->normal);
        memcpy(to->point_a, from->point_a, sizeof to->point_a);
        memcpy(to->point_b, from->point_b, sizeof to->point_b);
        memcpy(t->impulse[i], from->impulse, sizeof t->impulse[i]);
    }
    return (crn_acted){
        .contacts = t->contacts, .impulse = (const double(*)[3])t->impulse, .count = piece->contact_count};
}

/* Both judgements of one piece; true if violations were found. */
static bool judge(trial *t, const crn_piece *piece, bool *right)
{
    crn_acted acted = acted_of(t, piece);
    assert_int_equal(crn_audit_glance(t->audit, piece, &acted, right), CAIRN_OK);
    crn_audit_begin(t->audit);
    assert_int_equal(crn_audit_piece(t->audit, piece), CAIRN_OK);
    return crn_audit_found(t->audit) > 0;
}

/* Give a contact another impulse and its bodies the velocities that follow, so that the momentum stays right. */
static void push_more(trial *t, crn_piece *piece, int i, double factor)
{
    crn_piece_contact *c = &piece->contacts[i];
    const crn_layout *layout = t->simulation->layout;
    for (int side = 0; side < 2; ++side)
    {
        int body = side ? c->body_b : c->body_a;
        double arm[3], moment[3], more[3], mass = layout->mass[body];
        if (!(mass > 0))
            continue;
        crn_scale3((side ? -1 : 1) * factor, c->impulse, more);
        crn_sub3(side ? c->point_b : c->point_a, piece->pose[body].x, arm);
        crn_cross3(arm, more, moment);
        crn_unrotate3(piece->pose[body].R, moment, moment);
        crn_madd3(piece->after[body], 1 / mass, more, piece->after[body]);
        for (int k = 0; k < 3; ++k) /* spheres: the inertia is a number */
            piece->after[body][3 + k] += moment[k] / layout->inertia[body][8];
    }
    crn_scale3(1 + factor, c->impulse, c->impulse);
}

static void spoil(trial *t, crn_piece *piece, int way)
{
    int i = (int)(uniform(t) * piece->contact_count);
    double size = pow(10, -14 * uniform(t)), sign = uniform(t) < 0.5 ? -1 : 1;
    crn_piece_contact *c = &piece->contacts[i];
    switch (way % 6)
    {
    case 0:
        push_more(t, piece, i, sign * size * 3);
        break;
    case 1:
        c->friction *= 1 - size;
        break;
    case 2:
        piece->after[piece->contacts[i].body_b][i % 6] += sign * size;
        break;
    case 3:
        *(i % 2 ? &piece->book.normal : &piece->book.friction) *= 1 + sign * size;
        break;
    case 4:
        crn_scale3(1 + sign * size, c->impulse, c->impulse);
        break;
    default:
        push_more(t, piece, i, -1 - size);
        break;
    }
}

static void examine(void *data, crn_piece *piece)
{
    trial *t = data;
    int count = piece->contact_count, bodies = (int)t->simulation->model->body_count;
    if (count == 0)
        return;
    t->compact += t->simulation->stage[0].assembly.rowless;
    size_t contact_size = (size_t)count * sizeof *piece->contacts, body_size = (size_t)bodies * sizeof(double[6]);
    crn_piece_contact *contacts = malloc(contact_size);
    double(*after)[6] = malloc(body_size);
    t->contacts = calloc((size_t)count, sizeof *t->contacts);
    t->impulse = calloc((size_t)count, sizeof *t->impulse);
    memcpy(contacts, piece->contacts, contact_size);
    memcpy(after, piece->after, body_size);
    crn_piece_book book = piece->book;
    for (int way = -1; way < SPOILS; ++way)
    {
        bool right;
        if (way >= 0)
            spoil(t, piece, way);
        bool found = judge(t, piece, &right);
        *(way < 0 ? &t->clean : &t->spoilt) += 1;
        t->passed += way < 0 && right;
        t->found += found;
        t->missed += found && right;
        memcpy(piece->contacts, contacts, contact_size);
        memcpy(piece->after, after, body_size);
        piece->book = book;
    }
    free(contacts);
    free(after);
    free(t->contacts);
    free(t->impulse);
}

/* `share` of the pieces must pass at a glance: fewer where the tolerance leaves little room, and hardly any that bounce. */
static void check_heap(double tolerance, cairn_law_kind law, double restitution, double share)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    settings.step = 0.005;
    settings.law.kind = law;
    settings.solver.tolerance = tolerance;
    world w = world_new(3);
    cairn_material m = add_material(w.model, "m", 0.4, restitution);
    add_ground(w.model, m);
    for (int i = 0; i < 80; ++i)
    {
        double x[3] = {0.12 * (i % 4) + 0.002 * (i % 7), 0.12 * (i / 4 % 4) + 0.003 * (i % 5), 0.06 + 0.11 * (i / 16)};
        char name[16];
        snprintf(name, sizeof name, "ball%d", i);
        add_ball(w.model, name, 1.3, 0.05, x, m);
    }
    world_start(&w, &settings);
    trial t = {.simulation = w.simulation, .seed = 7};
    crn_audit_bodies bodies = {w.simulation->layout->mass, w.simulation->layout->inertia, w.simulation->layout->bound,
                               1};
    t.audit = crn_audit_create(w.model, &bodies);
    assert_non_null(t.audit);
    w.simulation->ledger.watch = examine;
    w.simulation->ledger.watch_data = &t;
    for (int i = 0; i < 120; ++i)
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
    cairn_audit_totals totals = cairn_simulation_audit(w.simulation);
    assert_int_equal(totals.count[CAIRN_VIOLATION_BOOK], 0); /* pieces are watched, and so examined in full */
    if (law == CAIRN_LAW_CONE)
        assert_true(t.compact > 10);
    assert_int_equal(t.missed, 0);
    assert_true(t.clean > 80);
    assert_true(t.found > t.spoilt / 20);
    if (t.passed < share * t.clean)
        print_error("a glance passes %d of %d pieces\n", t.passed, t.clean);
    assert_true(t.passed >= share * t.clean);
    crn_audit_destroy(t.audit);
    world_free(&w);
}

static void test_heaps(void **state)
{
    (void)state;
    check_heap(1e-2, CAIRN_LAW_CONE, 0, 0.95);
    check_heap(1e-4, CAIRN_LAW_CONE, 0, 0.95);
    check_heap(1e-8, CAIRN_LAW_CONE, 0, 0.3);
    check_heap(1e-6, CAIRN_LAW_CONVEX_CONE, 0, 0.3);
    check_heap(1e-6, CAIRN_LAW_BOX, 0.4, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
