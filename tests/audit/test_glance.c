/* A glance at a piece never passes what the full examination finds fault with, and passes nearly all that is right. Pieces come
 * from real steps of heaps and of a chain of joints, as they are and spoilt at random. */
#include "support/check.h"
#include "support/worlds.h"

#include "audit/audit_internal.h"
#include "math/vec.h"
#include "step/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SPOILS = 28 /* ways to spoil each piece; in the second half the book agrees with what was done */
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

/* Change the velocity of a body, a sphere, by an impulse and a moment. */
static void kick(trial *t, crn_piece *piece, int body, double sign, const double impulse[3], const double moment[3])
{
    const crn_layout *layout = t->simulation->layout;
    double turn[3];
    if (body < 0 || !(layout->mass[body] > 0))
        return;
    crn_unrotate3(piece->pose[body].R, moment, turn);
    crn_madd3(piece->after[body], sign / layout->mass[body], impulse, piece->after[body]);
    crn_madd3(piece->after[body] + 3, sign / crn_inertia_about_z(&layout->inertia, body), turn, piece->after[body] + 3);
}

/* Add to a contact's impulse and give its bodies the velocities that follow, so that the momentum stays right. */
static void push_more(trial *t, crn_piece *piece, int i, const double more[3])
{
    crn_piece_contact *c = &piece->contacts[i];
    for (int side = 0; side < 2; ++side)
    {
        int body = side ? c->body_b : c->body_a;
        double arm[3], moment[3];
        crn_sub3(side ? c->point_b : c->point_a, piece->pose[body].x, arm);
        crn_cross3(arm, more, moment);
        kick(t, piece, body, side ? -1 : 1, more, moment);
    }
    crn_add3(c->impulse, more, c->impulse);
}

static void push_times(trial *t, crn_piece *piece, int i, double factor)
{
    double more[3];
    crn_scale3(factor, piece->contacts[i].impulse, more);
    push_more(t, piece, i, more);
}

/* Friction acts the other way round. */
static void flip_friction(trial *t, crn_piece *piece, int i)
{
    const crn_piece_contact *c = &piece->contacts[i];
    double more[3];
    crn_scale3(-2, c->impulse, more);
    crn_madd3(more, 2 * crn_dot3(c->impulse, c->normal), c->normal, more);
    push_more(t, piece, i, more);
}

/* The impulses of a joint become factor times what they were, and `first` is added to the first. */
static void pull_more(trial *t, crn_piece *piece, int i, double factor, double first)
{
    const crn_joint *joint = &t->simulation->model->joints[i];
    double *rows = piece->place[0].joint_impulse[i], more[CRN_PIECE_JOINT_ROWS];
    crn_joint_place at;
    for (int k = 0; k < CRN_PIECE_JOINT_ROWS; ++k)
    {
        more[k] = (factor - 1) * rows[k] + (k == 0 ? first : 0.0);
        rows[k] += more[k];
    }
    crn_joint_action acting = crn_audit_act(t->audit, joint, piece->pose, more, &at);
    for (int side = 0; side < 2; ++side)
    {
        int body = side ? joint->b.body : joint->a.body;
        double arm[3], moment[3];
        if (body < 0)
            continue;
        crn_sub3(acting.x[side], piece->pose[body].x, arm);
        crn_cross3(arm, acting.impulse[side], moment);
        crn_add3(moment, acting.moment[side], moment);
        kick(t, piece, body, 1, acting.impulse[side], moment);
    }
}

static void spoil_contact(trial *t, crn_piece *piece, int way, double size, double sign)
{
    int i = (int)(uniform(t) * piece->contact_count);
    crn_piece_contact *c = &piece->contacts[i];
    switch (way % 7)
    {
    case 0:
        push_times(t, piece, i, sign * size * 3);
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
    case 5:
        flip_friction(t, piece, i);
        break;
    default:
        push_times(t, piece, i, -1 - size);
        break;
    }
}

static void spoil_joint(trial *t, crn_piece *piece, int way, double size, double sign)
{
    int i = (int)(uniform(t) * (double)t->simulation->model->joint_count);
    double *rows = piece->place[0].joint_impulse[i];
    switch (way % 5)
    {
    case 0:
        pull_more(t, piece, i, 1 + sign * size * 3, 0);
        break;
    case 1:
        rows[i % 5] *= 1 + sign * size;
        break;
    case 2:
        piece->book.joints += sign * size * (fabs(piece->book.joints) + 1e-6);
        break;
    case 3:
        pull_more(t, piece, i, 1, sign * size);
        break;
    default:
        pull_more(t, piece, i, -size, 0);
        break;
    }
}

static void spoil(trial *t, crn_piece *piece, int way)
{
    double size = pow(10, -14 * uniform(t)), sign = uniform(t) < 0.5 ? -1 : 1;
    bool joint = t->simulation->model->joint_count > 0 && (way % 2 == 0 || piece->contact_count == 0);
    (joint ? spoil_joint : spoil_contact)(t, piece, joint ? way / 2 : way, size, sign);
}

/* Make the book agree with the works of a spoilt piece, so that the laws alone are broken. */
static void settle_book(trial *t, crn_piece *piece)
{
    crn_audit_begin(t->audit);
    assert_int_equal(crn_audit_piece(t->audit, piece), CAIRN_OK);
    piece->book.normal = t->audit->work[0];
    piece->book.friction = t->audit->work[1];
    piece->book.joints = t->audit->work[2];
}

static void examine(void *data, crn_piece *piece)
{
    trial *t = data;
    int count = piece->contact_count, bodies = (int)t->simulation->model->body_count;
    size_t joints = t->simulation->model->joint_count;
    if (count == 0 && joints == 0)
        return;
    t->compact += t->simulation->stage[0].assembly.rowless;
    size_t contact_size = (size_t)count * sizeof *piece->contacts, body_size = (size_t)bodies * sizeof(double[6]);
    crn_piece_contact *contacts = malloc(contact_size + 1);
    double(*after)[6] = malloc(body_size);
    t->contacts = calloc((size_t)count + 1, sizeof *t->contacts);
    t->impulse = calloc((size_t)count + 1, sizeof *t->impulse);
    double(*pulls)[CRN_PIECE_JOINT_ROWS] = calloc(joints + 1, sizeof *pulls);
    if (joints > 0)
        memcpy(pulls, piece->place[0].joint_impulse, joints * sizeof *pulls);
    memcpy(contacts, piece->contacts, contact_size);
    memcpy(after, piece->after, body_size);
    crn_piece_book book = piece->book;
    for (int way = -1; way < SPOILS; ++way)
    {
        bool right;
        if (way >= 0)
            spoil(t, piece, way);
        if (way >= SPOILS / 2)
            settle_book(t, piece);
        bool found = judge(t, piece, &right);
        *(way < 0 ? &t->clean : &t->spoilt) += 1;
        t->passed += way < 0 && right;
        t->found += found;
        t->missed += found && right;
        memcpy(piece->contacts, contacts, contact_size);
        memcpy(piece->after, after, body_size);
        piece->book = book;
        if (joints > 0)
            memcpy(piece->place[0].joint_impulse, pulls, joints * sizeof *pulls);
    }
    free(pulls);
    free(contacts);
    free(after);
    free(t->contacts);
    free(t->impulse);
}

/* Take steps and examine every piece, with a number of threads. `share` of the pieces must pass at a glance. */
static trial run(world *w, const cairn_settings *settings, int steps, int threads, double share)
{
    world_start(w, settings);
    trial t = {.simulation = w->simulation, .seed = 7};
    const crn_layout *layout = w->simulation->layout;
    crn_audit_bodies bodies = {
        .mass = layout->mass, .inertia = layout->inertia, .bound = layout->bound, .threads = threads};
    t.audit = crn_audit_create(w->model, &bodies);
    assert_non_null(t.audit);
    w->simulation->ledger.watch = examine;
    w->simulation->ledger.watch_data = &t;
    for (int i = 0; i < steps; ++i)
        assert_int_equal(cairn_simulation_step(w->simulation), CAIRN_OK);
    cairn_audit_totals totals = cairn_simulation_audit(w->simulation);
    assert_int_equal(totals.count[CAIRN_VIOLATION_BOOK], 0); /* pieces are watched, and so examined in full */
    assert_int_equal(t.missed, 0);
    assert_true(2 * t.clean >= steps);
    assert_true(t.found > t.spoilt / 20);
    if (t.passed < share * t.clean)
        print_error("a glance passes %d of %d pieces\n", t.passed, t.clean);
    assert_true(t.passed >= share * t.clean);
    crn_audit_destroy(t.audit);
    return t;
}

static cairn_settings settings_of(double tolerance, cairn_law_kind law)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    settings.step = 0.005;
    settings.law.kind = law;
    settings.solver.tolerance = tolerance;
    return settings;
}

/* Fewer pieces pass at a glance where the tolerance leaves little room, and hardly any that bounce. */
static void check_heap(double tolerance, cairn_law_kind law, double restitution, double share)
{
    cairn_settings settings = settings_of(tolerance, law);
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
    trial t = run(&w, &settings, 120, 1, share);
    if (law == CAIRN_LAW_CONE)
        assert_true(t.compact > 10);
    world_free(&w);
}

/* A chain of balls falls on the ground: hinges, and ropes that are limits. */
static void check_chain(cairn_joint_kind kind)
{
    cairn_settings settings = settings_of(1e-8, CAIRN_LAW_CONE);
    world w = world_new(3);
    cairn_material m = add_material(w.model, "m", 0.4, 0);
    cairn_body last = {0};
    add_ground(w.model, m);
    for (int i = 0; i < 6; ++i)
    {
        double x[3] = {0.15 * i, 0.01 * i, 0.3 + 0.02 * i};
        char name[24], joint[24];
        snprintf(name, sizeof name, "ball%d", i);
        snprintf(joint, sizeof joint, "joint%d", i);
        cairn_body ball = add_ball(w.model, name, 1.3, 0.05, x, m);
        cairn_joint_options o = cairn_joint_default(kind);
        o.name = joint;
        o.a.body = ball;
        o.b.body = last;
        for (int k = 0; k < 3 && kind == CAIRN_JOINT_REVOLUTE; ++k)
        {
            const double half[3] = {0.075, 0.005, 0.01};
            o.a.point[k] = -half[k];
            o.b.point[k] = half[k];
        }
        o.axis[1] = kind == CAIRN_JOINT_REVOLUTE ? 1 : 0;
        cairn_joint added;
        if (i > 0)
            assert_int_equal(cairn_model_add_joint(w.model, &o, &added), CAIRN_OK);
        last = ball;
    }
    run(&w, &settings, 160, 1, 0.3);
    world_free(&w);
}

/* Many columns of balls, which threads share. */
static void test_threads(void **state)
{
    (void)state;
    cairn_settings settings = settings_of(1e-6, CAIRN_LAW_CONE);
    world w = world_new(3);
    cairn_material m = add_material(w.model, "m", 0.4, 0);
    add_ground(w.model, m);
    for (int i = 0; i < 4200; ++i)
    {
        double x[3] = {0.12 * (i % 60), 0.12 * (i / 60 % 35), 0.05 + 0.1 * (i / 2100)};
        char name[16];
        snprintf(name, sizeof name, "ball%d", i);
        add_ball(w.model, name, 1.3, 0.05, x, m);
    }
    run(&w, &settings, 3, 3, 1.0);
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

static void test_chains(void **state)
{
    (void)state;
    check_chain(CAIRN_JOINT_REVOLUTE);
    check_chain(CAIRN_JOINT_ROPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heaps), cmocka_unit_test(test_chains),
                                       cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
