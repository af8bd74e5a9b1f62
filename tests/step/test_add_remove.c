/* Things added to a model and removed from it between steps, against analytic motion and against simulations in which they were
 * there, or missing, from the start. */
#include "support/check.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double G = 9.81;

static void must(const world *w, cairn_status status)
{
    if (status)
        fail_msg("%s", cairn_context_last_message(w->context));
}

static void refused(const world *w, cairn_status status, const char *sentence)
{
    assert_int_equal(status, CAIRN_INVALID);
    if (!strstr(cairn_context_last_message(w->context), sentence))
        fail_msg("expected '%s', found '%s'", sentence, cairn_context_last_message(w->context));
    cairn_context_clear(w->context);
}

static cairn_settings settings_of(cairn_integrator integrator)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.005;
    settings.integrator = integrator;
    settings.impact = CAIRN_IMPACT_NEWTON;
    return settings;
}

/* The book of energies closes whatever came and went. */
static void check_balance(const world *w)
{
    cairn_energy e = cairn_simulation_energy(w->simulation);
    assert_true(fabs(e.balance_error) <= 1e-9 * (1 + fabs(e.total) + fabs(e.added) + fabs(e.work_gravity)));
}

static void same_bits(const world *a, cairn_body in_a, const world *b, cairn_body in_b)
{
    cairn_body_state x = cairn_simulation_body(a->simulation, in_a), y = cairn_simulation_body(b->simulation, in_b);
    assert_memory_equal(&x, &y, sizeof x);
}

static cairn_body add_cube(cairn_model *model, const char *name, double mass, double x, double z)
{
    return add_box(model, name, mass, (double[3]){1, 1, 1}, (double[3]){x, 0, z}, (cairn_material){0});
}

/* ------------------------------------------------------------------------------------------------------------ stacks */

/* Without its top cube the lower ones stay, and the floor carries the weight that is left; without the middle one the top cube
 * falls as a free body. */
static void a_stack_loses_cubes(void **state)
{
    (void)state;
    for (int remove = 1; remove < 3; ++remove)
    {
        world w = world_new(3);
        cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF);
        cairn_body cube[3];
        add_ground(w.model, (cairn_material){0});
        for (int i = 0; i < 3; ++i)
            cube[i] = add_cube(w.model, (const char *[]){"low", "middle", "top"}[i], 2, 0, 0.5 + i);
        world_start(&w, &settings);
        world_run(&w, 20);
        must(&w, cairn_model_remove_body(w.model, cube[remove]));
        world_run(&w, 10);
        double floor = 0, t = 10 * settings.step;
        for (int i = 0; i < cairn_simulation_contact_count(w.simulation); ++i)
        {
            cairn_contact c = cairn_simulation_contact(w.simulation, i);
            floor += c.normal[2] > 0.5 || c.normal[2] < -0.5 ? c.impulse[0] / settings.step : 0;
        }
        assert_near(cairn_simulation_body(w.simulation, cube[0]).position[2], 0.5, 1e-6);
        if (remove == 2)
        {
            assert_near(cairn_simulation_body(w.simulation, cube[1]).position[2], 1.5, 1e-6);
            assert_near(floor, 2 * G + 4 * G, 1e-5); /* middle on low, and low on the floor */
        }
        else
        {
            assert_near(cairn_simulation_body(w.simulation, cube[2]).velocity[2], -G * t, 1e-9);
            assert_near(floor, 2 * G, 1e-5);
        }
        check_balance(&w);
        world_free(&w);
    }
}

/* A heap beside a stranger far away, who is removed: the heap moves on as it would have, bit by bit. */
static void a_stranger_changes_no_bit(void **state)
{
    (void)state;
    const cairn_integrator integrators[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_STIFF2};
    for (int k = 0; k < 3; ++k)
    {
        world w[2];
        cairn_body first[2], ball[2], stranger[2];
        for (int i = 0; i < 2; ++i)
        {
            cairn_settings settings = settings_of(integrators[k]);
            w[i] = world_new(3);
            add_ground(w[i].model, (cairn_material){0});
            stranger[i] = add_ball(w[i].model, "stranger", 1, 0.5, (double[3]){50, 0, 9}, (cairn_material){0});
            first[i] = add_cube(w[i].model, "first", 2, 0, 0.5);
            add_cube(w[i].model, "second", 2, 0.1, 1.5);
            ball[i] = add_ball(w[i].model, "ball", 1, 0.3, (double[3]){0.2, 0.1, 2.9}, (cairn_material){0});
            world_start(&w[i], &settings);
            world_run(&w[i], 30);
        }
        must(&w[0], cairn_model_remove_body(w[0].model, stranger[0]));
        for (int i = 0; i < 60; ++i)
        {
            world_step(&w[0]);
            world_step(&w[1]);
            same_bits(&w[0], ball[0], &w[1], ball[1]);
            same_bits(&w[0], first[0], &w[1], first[1]);
        }
        assert_int_equal(cairn_simulation_contact_count(w[0].simulation),
                         cairn_simulation_contact_count(w[1].simulation));
        for (int i = 0; i < cairn_simulation_contact_count(w[0].simulation); ++i)
            assert_true(cairn_simulation_contact(w[0].simulation, i).identity ==
                        cairn_simulation_contact(w[1].simulation, i).identity);
        check_balance(&w[0]);
        world_free(&w[0]);
        world_free(&w[1]);
    }
}

/* ---------------------------------------------------------------------------------------------------------- newcomers */

/* A ball that is added later falls as one that was there from the start. */
static void a_newcomer_falls_freely(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF);
    cairn_body old = add_ball(w.model, "old", 1, 0.1, (double[3]){0, 0, 5}, (cairn_material){0});
    world_start(&w, &settings);
    world_run(&w, 7);
    cairn_body_state there[5];
    for (int i = 0; i < 5; ++i)
    {
        world_step(&w);
        there[i] = cairn_simulation_body(w.simulation, old);
    }
    cairn_body_state late = cairn_simulation_body(w.simulation, old), start = late;
    cairn_body made = add_ball(w.model, "new", 1, 0.1, (double[3]){3, 0, 5}, (cairn_material){0});
    assert_true(cairn_simulation_body(w.simulation, made).position[0] == 0); /* not followed yet */
    must(&w, cairn_simulation_update(w.simulation));
    assert_true(cairn_simulation_body(w.simulation, made).position[0] == 3);
    late = cairn_simulation_body(w.simulation, old);
    assert_memory_equal(&late, &start, sizeof late);
    world_run(&w, 12);
    cairn_body_state fallen = cairn_simulation_body(w.simulation, made);
    assert_near(fallen.position[2], there[4].position[2], 1e-12);
    assert_near(fallen.velocity[2], -G * 12 * settings.step, 1e-12);
    assert_near(cairn_simulation_energy(w.simulation).added, G * 5, 1e-9);
    check_balance(&w);
    world_free(&w);
}

static void a_newcomer_inside_another_body_is_refused(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF);
    add_ground(w.model, (cairn_material){0});
    cairn_body rest = add_cube(w.model, "rest", 1, 0, 0.5);
    world_start(&w, &settings);
    world_run(&w, 5);
    cairn_body_state before = cairn_simulation_body(w.simulation, rest);
    cairn_body deep = add_cube(w.model, "deep", 1, 0.2, 0.8);
    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "what was added to the model"));
    assert_non_null(strstr(cairn_context_message(w.context, 0).text, "'rest' and 'deep' penetrates by 0.7 m"));
    cairn_context_clear(w.context);
    assert_true(cairn_simulation_time(w.simulation) == 5 * settings.step);

    cairn_body_state high = {.position = {0.2, 0, 1.5}, .orientation = {1, 0, 0, 0}};
    must(&w, cairn_model_set_body(w.model, deep, &high));
    must(&w, cairn_simulation_update(w.simulation));
    cairn_body_state after = cairn_simulation_body(w.simulation, rest);
    assert_memory_equal(&before, &after, sizeof before);
    world_run(&w, 20);
    assert_near(cairn_simulation_body(w.simulation, deep).position[2], 1.5, 1e-6);
    check_balance(&w);
    world_free(&w);
}

/* ------------------------------------------------------------------------------------------------- joints and springs */

/* A pendulum whose rod is removed flies on in a straight line (there is no gravity), with the momentum it had; where it is when a
 * spring is added, its elastic energy is booked. */
static void a_rod_is_cut_and_a_spring_is_tied(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF2);
    cairn_material none = {0};
    must(&w, cairn_model_set_gravity(w.model, (double[3]){0}));
    cairn_body_options o = cairn_body_default();
    o.name = "bob", o.point = true, o.mass = 2, o.position[0] = 1, o.velocity[1] = 3;
    cairn_body bob;
    must(&w, cairn_model_add_body(w.model, &o, &bob));
    add_point(w.model, "other", 1, 5, 5, none);
    cairn_joint_options rod = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    cairn_joint joint;
    rod.name = "rod", rod.a.body = bob;
    must(&w, cairn_model_add_joint(w.model, &rod, &joint));
    world_start(&w, &settings);
    world_run(&w, 40);
    cairn_body_state cut = cairn_simulation_body(w.simulation, bob);
    must(&w, cairn_model_remove_joint(w.model, joint));
    world_run(&w, 20);
    cairn_body_state flown = cairn_simulation_body(w.simulation, bob);
    for (int k = 0; k < 2; ++k)
    {
        assert_near(flown.velocity[k], cut.velocity[k], 1e-12);
        assert_near(flown.position[k], cut.position[k] + 20 * settings.step * cut.velocity[k], 1e-12);
    }
    assert_true(cairn_simulation_joint_work(w.simulation, joint) == 0);
    assert_string_equal(cairn_model_joint_name(w.model, joint), "");
    double length = hypot(flown.position[0], flown.position[1]);
    cairn_spring_options tie = cairn_spring_default(CAIRN_SPRING_LINEAR);
    cairn_spring spring;
    tie.name = "tie", tie.a.body = bob, tie.stiffness = 100, tie.rest = length - 0.1;
    must(&w, cairn_model_add_spring(w.model, &tie, &spring));
    must(&w, cairn_simulation_update(w.simulation));
    assert_near(cairn_simulation_spring_stretch(w.simulation, spring), 0.1, 1e-12);
    assert_near(cairn_simulation_energy(w.simulation).added, 0.5 * 100 * 0.01, 1e-12);
    world_run(&w, 50);
    check_balance(&w);
    must(&w, cairn_model_remove_spring(w.model, spring));
    world_run(&w, 5);
    check_balance(&w);
    world_free(&w);
}

/* Two bodies are joined where they are by then; before that they may touch, then not, and after the joint is gone again. */
static void bodies_are_joined_where_they_are(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF);
    must(&w, cairn_model_set_gravity(w.model, (double[3]){0}));
    cairn_body body[2] = {add_cube(w.model, "a", 1, 0, 0), add_cube(w.model, "b", 1, 3, 0)};
    world_start(&w, &settings);
    cairn_body_state turning = {
        .position = {3, 0, 0}, .orientation = {1, 0, 0, 0}, .angular_velocity = {0.3, 0.4, 0.5}};
    must(&w, cairn_simulation_set_body(w.simulation, body[1], &turning));
    world_run(&w, 50);
    cairn_joint_options hinge = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_joint joint;
    hinge.name = "hinge";
    for (int i = 0; i < 2; ++i)
    {
        cairn_body_state now = cairn_simulation_body(w.simulation, body[i]);
        must(&w, cairn_model_set_body(w.model, body[i], &now));
        *(i ? &hinge.b : &hinge.a) = cairn_model_attach(w.model, body[i], (double[3]){1.5, 0, 0});
    }
    must(&w, cairn_model_add_joint(w.model, &hinge, &joint));
    world_run(&w, 50);
    assert_true(cairn_simulation_report(w.simulation)->joint_error < 1e-3);
    check_balance(&w);
    must(&w, cairn_model_remove_joint(w.model, joint));
    world_run(&w, 5);
    world_free(&w);
}

/* ------------------------------------------------------------------------------------------------------------ handles */

static void stale_and_foreign_handles_are_told(void **state)
{
    (void)state;
    world w = world_new(3), other = world_new(3);
    cairn_model *second = NULL;
    must(&w, cairn_model_create(w.context, 3, &second));
    cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF);
    cairn_body a = add_cube(w.model, "a", 1, 0, 0), b = add_cube(w.model, "b", 1, 5, 0);
    cairn_body foreign = add_cube(second, "f", 1, 0, 0);
    world_start(&w, &settings);
    refused(&w, cairn_model_remove_body(w.model, (cairn_body){0}), "null");
    refused(&w, cairn_model_remove_body(w.model, foreign), "another model");
    must(&w, cairn_model_remove_body(w.model, a));
    refused(&w, cairn_model_remove_body(w.model, a), "names nothing in the model");
    cairn_body c = add_cube(w.model, "a", 1, 9, 0); /* the name is free again, and so is the slot */
    assert_int_equal(c.id, a.id);
    assert_int_not_equal(c.generation, a.generation);
    assert_string_equal(cairn_model_body_name(w.model, a), "");
    assert_string_equal(cairn_model_body_name(w.model, c), "a");
    assert_int_equal(cairn_model_find_body(w.model, "a").generation, c.generation);
    assert_int_equal(cairn_model_body_index(w.model, a), -1);
    assert_int_equal(cairn_model_body_index(w.model, b), 0);
    assert_int_equal(cairn_model_body_index(w.model, c), 1);
    cairn_body_state at = {.orientation = {1, 0, 0, 0}};
    refused(&w, cairn_simulation_set_body(w.simulation, a, &at), "names nothing in the model");
    refused(&w, cairn_simulation_set_body(w.simulation, foreign, &at), "another model");
    cairn_shape_options shape = cairn_shape_default(CAIRN_SPHERE);
    cairn_shape made;
    refused(&w, cairn_model_add_shape(w.model, a, &shape, &made), "not in the model");
    cairn_body_options raw = {.name = "raw"};
    refused(&w, cairn_model_add_body(w.model, &raw, &a), "not filled by cairn_body_default");
    cairn_model_destroy(second);
    world_free(&w);
    world_free(&other);
}

/* -------------------------------------------------------------------------------------------------------------- chance */

typedef struct fair
{
    world w;
    uint64_t seed;
    cairn_body body[32];
    int count, named;
} fair;

static void come(fair *f)
{
    char name[32];
    double x = random_in(&f->seed, -3, 3), height = 6 + 1.5 * (double)(f->named % 5);
    snprintf(name, sizeof name, "n%d", f->named++);
    bool ball = random_in(&f->seed, 0, 1) < 0.5;
    double at[3] = {x, random_in(&f->seed, -3, 3), height};
    f->body[f->count++] = ball ? add_ball(f->w.model, name, 1, 0.3, at, (cairn_material){0})
                               : add_box(f->w.model, name, 1, (double[3]){0.5, 0.6, 0.7}, at, (cairn_material){0});
    if (f->count >= 2 && random_in(&f->seed, 0, 1) < 0.3)
    {
        snprintf(name, sizeof name, "s%d", f->named);
        cairn_attachment a = {.body = f->body[f->count - 1]}, b = {.body = f->body[f->count - 2]};
        add_spring(f->w.model, name, a, b, 20, 1);
    }
}

static void go(fair *f)
{
    int i = (int)random_in(&f->seed, 0, 0.999 * f->count);
    must(&f->w, cairn_model_remove_body(f->w.model, f->body[i]));
    f->body[i] = f->body[--f->count];
}

/* Bodies come and go at random while the others fall, collide, hang on springs and rest: no step fails, every body stays above
 * the ground and the book of energies closes. A newcomer that finds its place taken is removed. */
static void bodies_come_and_go(void **state)
{
    (void)state;
    const cairn_integrator integrators[] = {CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF2};
    for (int k = 0; k < 3; ++k)
    {
        fair f = {.w = world_new(3), .seed = 11 + (uint64_t)k};
        cairn_settings settings = settings_of(integrators[k]);
        add_ground(f.w.model, (cairn_material){0});
        world_start(&f.w, &settings);
        for (int i = 0; i < 150; ++i)
        {
            if (f.count > 3 && random_in(&f.seed, 0, 1) < 0.15)
                go(&f);
            if (f.count < 12 && random_in(&f.seed, 0, 1) < 0.3)
                come(&f);
            if (cairn_simulation_update(f.w.simulation))
            {
                must(&f.w, cairn_model_remove_body(f.w.model, f.body[--f.count]));
                cairn_context_clear(f.w.context);
            }
            must(&f.w, cairn_simulation_step(f.w.simulation));
            check_balance(&f.w);
        }
        for (int i = 0; i < f.count; ++i)
            assert_true(cairn_simulation_body(f.w.simulation, f.body[i]).position[2] > 0.2);
        assert_true(f.named > 20);
        world_free(&f.w);
    }
}

/* Planar shapes without thickness remember on which side they were, and compliant patches how they are deformed, when bodies that
 * were added before them are removed. */
static void memory_survives_removal(void **state)
{
    (void)state;
    world w[2];
    cairn_body rod[2], soft[2];
    for (int i = 0; i < 2; ++i)
    {
        cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF);
        w[i] = world_new(2);
        cairn_material_options rubber = cairn_material_default();
        cairn_material material;
        rubber.name = "rubber";
        rubber.patch.elements = 3, rubber.patch.spacing = 0.01, rubber.patch.compliance = 1e-6;
        must(&w[i], cairn_model_add_material(w[i].model, &rubber, &material));
        cairn_body lost = add_point(w[i].model, "lost", 1, 20, 5, (cairn_material){0});
        add_ground(w[i].model, (cairn_material){0});
        cairn_body_options o = cairn_body_default();
        o.name = "rod", o.mass = 1, o.inertia[2] = 0.1, o.position[1] = 0.2;
        cairn_shape_options line = cairn_shape_default(CAIRN_SEGMENT);
        cairn_shape shape;
        line.vertices = (double[4]){-1, 0, 1, 0}, line.vertex_count = 2;
        must(&w[i], cairn_model_add_body(w[i].model, &o, &rod[i]));
        must(&w[i], cairn_model_add_shape(w[i].model, rod[i], &line, &shape));
        add_point(w[i].model, "grain", 0.5, 0.1, 0.5, (cairn_material){0});
        soft[i] = add_ball(w[i].model, "soft", 1, 0.3, (double[3]){5, 0.3, 0}, material);
        world_start(&w[i], &settings);
        world_run(&w[i], 60);
        if (i == 0)
            must(&w[i], cairn_model_remove_body(w[i].model, lost));
        world_run(&w[i], 60);
    }
    same_bits(&w[0], rod[0], &w[1], rod[1]);
    same_bits(&w[0], soft[0], &w[1], soft[1]);
    assert_true(cairn_simulation_body(w[0].simulation, soft[0]).position[1] < 0.3);
    for (int i = 0; i < 2; ++i)
    {
        check_balance(&w[i]);
        world_free(&w[i]);
    }
}

/* A block slides down a mesh while bodies come far away, so that contacts get other identities: friction, which under the lagged
 * law comes from the impulses of the step before, does not notice. */
static void identities_of_meshes_are_renamed(void **state)
{
    (void)state;
    const double corners[12] = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0};
    const int triangles[6] = {0, 1, 2, 0, 2, 3};
    world w[2];
    cairn_body block[2];
    uint64_t before[2] = {0}, after[2] = {0};
    for (int i = 0; i < 2; ++i)
    {
        cairn_settings settings = settings_of(CAIRN_INTEGRATOR_STIFF);
        settings.law = (cairn_law){.kind = CAIRN_LAW_LAGGED};
        w[i] = world_new(3);
        must(&w[i], cairn_model_set_gravity(w[i].model, (double[3]){3, 0, -9}));
        cairn_body_options o = cairn_body_default();
        cairn_shape_options mesh = cairn_shape_default(CAIRN_MESH);
        cairn_body ground;
        cairn_shape shape;
        o.name = "ground", o.kind = CAIRN_FIXED;
        mesh.vertices = corners, mesh.vertex_count = 4, mesh.triangles = triangles, mesh.triangle_count = 2;
        must(&w[i], cairn_model_add_body(w[i].model, &o, &ground));
        must(&w[i], cairn_model_add_shape(w[i].model, ground, &mesh, &shape));
        block[i] = add_cube(w[i].model, "block", 1, 0, 0.5);
        world_start(&w[i], &settings);
        for (int k = 0; k < 40; ++k)
        {
            char name[16];
            snprintf(name, sizeof name, "far %d", k);
            if (i == 0 && k >= 10 && k < 20)
                add_ball(w[i].model, name, 1, 0.1, (double[3]){100 + k, 0, 50}, (cairn_material){0});
            must(&w[i], cairn_simulation_step(w[i].simulation));
            assert_true(cairn_simulation_contact_count(w[i].simulation) > 0);
            *(k < 10 ? &before[i] : &after[i]) = cairn_simulation_contact(w[i].simulation, 0).identity;
        }
    }
    assert_true(before[0] == before[1] && after[0] != after[1]);
    same_bits(&w[0], block[0], &w[1], block[1]);
    world_free(&w[0]);
    world_free(&w[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_loses_cubes),
        cmocka_unit_test(a_stranger_changes_no_bit),
        cmocka_unit_test(a_newcomer_falls_freely),
        cmocka_unit_test(a_newcomer_inside_another_body_is_refused),
        cmocka_unit_test(a_rod_is_cut_and_a_spring_is_tied),
        cmocka_unit_test(bodies_are_joined_where_they_are),
        cmocka_unit_test(stale_and_foreign_handles_are_told),
        cmocka_unit_test(bodies_come_and_go),
        cmocka_unit_test(memory_survives_removal),
        cmocka_unit_test(identities_of_meshes_are_renamed),
    };
    return cmocka_run_group_tests_name("add and remove", tests, NULL, NULL);
}
