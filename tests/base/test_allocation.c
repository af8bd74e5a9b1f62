/* Memory that runs out, at every place where it can: the k-th allocation of the library fails, for all k, while a scene is
 * read or saved, a simulation is made, and a step is taken. Nothing crashes or leaks (sanitizers watch), the status is
 * CAIRN_NO_MEMORY, and a step that failed leaves the simulation as it was: the step made again is the one that would have
 * been made. The linker puts the functions below in the place of malloc, calloc, realloc and crn_locate_end. */
#include "cairn/cairn.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static long left = -1; /* allocations that still succeed; negative: all */
static bool once;      /* one fails and those after it do not; otherwise they fail, too */
static long failed;

static bool fails(void)
{
    if (left != 0)
    {
        left -= left > 0;
        return false;
    }
    ++failed;
    left = once ? -1 : 0;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

static bool locate_fails; /* the next look for contacts does */

cairn_status __real_crn_locate_end(cairn_simulation *simulation, double h);
cairn_status __wrap_crn_locate_end(cairn_simulation *simulation, double h);

cairn_status __wrap_crn_locate_end(cairn_simulation *simulation, double h)
{
    bool fails_now = locate_fails;
    locate_fails = false;
    cairn_status status = __real_crn_locate_end(simulation, h);
    return fails_now ? CAIRN_NO_MEMORY : status;
}

/* The k-th allocation fails, counted from 0. */
static void fail_from(long k)
{
    failed = 0;
    left = k;
}

static void fail_no_more(void)
{
    left = -1;
    failed = 0;
}

/* --------------------------------------------------------------------------------------------------------- the scenes */

static const char PLANE[] =
    "dimension: 2\n"
    "parameters: {mu: 0.3, size: 2*0.5}\n"
    "materials: [{name: m, friction: mu, restitution: 0.5}, &soft {name: n, friction: 0.1}]\n"
    "pairs: [{materials: [m, n], friction: 0.2}]\n"
    "bodies:\n"
    "  - {name: ground, kind: fixed, material: n, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
    "  - {name: table, kind: driven, motion: {position: [\"5 + sin(t)\", 1]}, shapes: [{type: segment, length: 2}]}\n"
    "  - {name: box, position: [0, 0.5], velocity: [1, 0], material: m, groups: [a, b],\n"
    "     mass: 1, inertia: 0.2, shapes: [{type: rectangle, size: [1, size]}, {type: polygon,\n"
    "              vertices: [[0, 0], [0.4, 0], [0.4, 0.4], [0.2, 0.1]]}]}\n"
    "  - {name: ball, position: [3, 0.3], mass: 2, inertia: 0.1, material: m, shapes: [{type: circle, radius: 0.3}]}\n"
    "  - {name: bob, point: true, mass: 1, position: [3, 2]}\n"
    "ignore: [[box, ball]]\n"
    "joints: [{name: rod, type: distance, bodies: [bob, world], points: [[0, 0], [4, 2]]}]\n"
    "springs: [{name: coil, type: linear, bodies: [ball, bob], stiffness: 50, damping: 1}]\n"
    "forces: [{name: push, body: box, force: [\"mu*cos(t)\", 0]}]\n"
    "simulation: {step: 0.01, law: cone}\n";

static const char SPACE[] =
    "dimension: 3\n"
    "files: {tent.obj: \"v 0 0 0\\nv 4 0 0\\nv 4 4 0\\nv 0 4 0\\nv 2 2 1\\nf 1 2 5\\nf 2 3 5\\nf 3 4 5\\nf 4 1 "
    "5\\n\"}\n"
    "materials: [{name: soft, friction: 0.4, patch: {elements: 3, spacing: 0.05, young: 1e5, poisson: 0.3}},\n"
    "            {name: rough, friction: 0.5}]\n"
    "bodies:\n"
    "  - {name: ground, kind: fixed, material: soft, shapes: [{type: half-space, normal: [0, 0, 1]}]}\n"
    "  - {name: hill, kind: fixed, position: [0, 10, 0], shapes: [{type: mesh, file: tent.obj}]}\n"
    "  - {name: field, kind: fixed, position: [0, 30, 0],\n"
    "     shapes: [{type: height-field, heights: \"0.1*sin(x)\", points: [4, 4], spacing: 1}]}\n"
    "  - {name: hull, position: [0, 0, 3], shapes: [{type: hull, recentre: true, density: 1,\n"
    "     vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]}]}\n"
    "  - {name: ball, position: [4, 0, 0.0999], mass: 1, material: soft, shapes: [{type: sphere, radius: 0.1}]}\n"
    "  - {name: slab, kind: fixed, groups: [slabs], material: rough, position: [8, 0, -0.5], shapes: [{type: box, "
    "size: [9, 9, 1]}]}\n"
    "  - {name: box, position: [8, 0, 0.5], velocity: [1, 0, 0], material: rough, collides_with: [slabs],\n"
    "     shapes: [{type: box, size: [1, 1, 1], density: 1}]}\n"
    /* touches down in the third step: its margin grows with its speed, which a late force gives it */
    "  - {name: late, position: [16, 0, 0.6], mass: 1, material: soft, shapes: [{type: box, size: [1, 1, 1]}],\n"
    "     inertia: [1, 1, 1]}\n"
    /* come into reach between two steps */
    "  - {name: one, position: [11, -3, 0.535], velocity: [1, 0, -10], material: rough, collides_with: [slabs],\n"
    "     shapes: [{type: box, size: [1, 1, 1], density: 1}]}\n"
    "  - {name: two, position: [11, 0, 0.535], velocity: [1, 0, -10], material: rough, collides_with: [slabs],\n"
    "     shapes: [{type: box, size: [1, 1, 1], density: 1}]}\n"
    "  - {name: three, position: [11, 3, 0.515], velocity: [1, 0, -10], material: rough, collides_with: [slabs],\n"
    "     shapes: [{type: box, size: [1, 1, 1], density: 1}]}\n"
    "forces: [{name: pushed, body: late, force: [0, 0, \"-if(t - 0.0015, 5e4, 0)\"]}]\n"
    "joints: [{name: hinge, type: revolute, bodies: [hull, world], at: [0, 0, 4], axis: [0, 1, 0]}]\n"
    "simulation: {step: 0.001, law: lagged, stabilisation: project}\n";

static cairn_status parse(cairn_context *context, const char *text, cairn_scene **scene)
{
    return cairn_scene_parse(context, "scene", text, strlen(text), NULL, 0, scene);
}

static void reading_a_scene(const char *text)
{
    for (long k = 0;; ++k)
    {
        cairn_context *context = cairn_context_create();
        cairn_scene *scene = NULL;
        fail_from(k);
        cairn_status status = parse(context, text, &scene);
        bool met = failed > 0;
        fail_no_more();
        if (status != (met ? CAIRN_NO_MEMORY : CAIRN_OK))
            fail_msg("allocation %ld: status %d, %s", k, (int)status, cairn_context_last_message(context));
        cairn_scene_destroy(scene);
        cairn_context_destroy(context);
        if (!met)
        {
            assert_true(k > 50);
            return;
        }
    }
}

static void scenes_without_memory(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; ++mode)
    {
        once = mode == 0;
        reading_a_scene(PLANE);
        reading_a_scene(SPACE);
    }
}

static void saving(const char *text)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    bool met = true;
    assert_int_equal(parse(context, text, &scene), CAIRN_OK);
    for (long k = 0; met; ++k)
    {
        char *saved = NULL;
        fail_from(k);
        cairn_status status = cairn_scene_written_out(scene, &saved);
        met = failed > 0;
        fail_no_more();
        if (status != (met ? CAIRN_NO_MEMORY : CAIRN_OK))
            fail_msg("allocation %ld: status %d, %s", k, (int)status, cairn_context_last_message(context));
        assert_true(met ? !saved && k < 100000 : saved && k > 50);
        cairn_text_destroy(saved);
        cairn_context_clear(context);
    }
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static void saving_without_memory(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; ++mode)
    {
        once = mode == 0;
        saving(PLANE);
        saving(SPACE);
    }
}

static void making_a_simulation(const char *text, cairn_integrator integrator)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    if (parse(context, text, &scene))
        fail_msg("%s", cairn_context_last_message(context));
    cairn_settings settings = cairn_scene_settings(scene);
    settings.integrator = integrator;
    bool met = true;
    for (long k = 0; met; ++k)
    {
        cairn_simulation *simulation = NULL;
        cairn_context_clear(context);
        fail_from(k);
        cairn_status status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
        met = failed > 0;
        fail_no_more();
        if (status != (met ? CAIRN_NO_MEMORY : CAIRN_OK))
            fail_msg("allocation %ld: status %d, %s", k, (int)status, cairn_context_last_message(context));
        cairn_simulation_destroy(simulation);
    }
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static void simulations_without_memory(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; ++mode)
    {
        once = mode == 0;
        making_a_simulation(PLANE, CAIRN_INTEGRATOR_STIFF);
        making_a_simulation(PLANE, CAIRN_INTEGRATOR_STIFF2);
        making_a_simulation(SPACE, CAIRN_INTEGRATOR_STIFF);
    }
}

/* -------------------------------------------------------------------------------------------------------------- steps */

enum
{
    MOST_BODIES = 12
};

/* All that a step must leave as it was when it fails. */
typedef struct snapshot
{
    double time;
    cairn_energy energy;
    cairn_step_report report;
    cairn_body_state bodies[MOST_BODIES];
    double stretch, spring_work, joint_work, force_work;
    int events;
} snapshot;

static snapshot look(const cairn_simulation *s)
{
    snapshot seen;
    memset(&seen, 0, sizeof seen);
    seen.time = cairn_simulation_time(s);
    seen.energy = cairn_simulation_energy(s);
    seen.report.projection_iterations = cairn_simulation_report(s)->projection_iterations;
    seen.report.projection_met = cairn_simulation_report(s)->projection_met;
    seen.report.step = cairn_simulation_report(s)->step;
    for (int i = 0; i < cairn_model_body_count(cairn_simulation_model(s)); ++i)
        seen.bodies[i] = cairn_simulation_body(s, cairn_model_body(cairn_simulation_model(s), i));
    seen.stretch = cairn_simulation_spring_stretch(s, cairn_model_spring(cairn_simulation_model(s), 0));
    seen.spring_work = cairn_simulation_spring_work(s, cairn_model_spring(cairn_simulation_model(s), 0));
    seen.joint_work = cairn_simulation_joint_work(s, cairn_model_joint(cairn_simulation_model(s), 0));
    seen.force_work = cairn_simulation_force_work(s, cairn_model_force(cairn_simulation_model(s), 0));
    seen.events = cairn_simulation_event_count(s);
    return seen;
}

static bool same(const snapshot *a, const snapshot *b)
{
    return a->time == b->time && a->events == b->events && a->stretch == b->stretch &&
           a->spring_work == b->spring_work && a->joint_work == b->joint_work && a->force_work == b->force_work &&
           !memcmp(&a->energy, &b->energy, sizeof a->energy) && a->report.step == b->report.step &&
           a->report.projection_iterations == b->report.projection_iterations &&
           a->report.projection_met == b->report.projection_met && !memcmp(a->bodies, b->bodies, sizeof a->bodies);
}

typedef enum outcome
{
    ENOUGH,   /* the step did not come to the allocation that would have failed */
    REFUSED,  /* it failed, and was made again */
    ABSORBED, /* the solver found another way */
} outcome;

/* Impulses that iterative solvers start from are not put back, so that the next steps are the same within their tolerance. */
static bool nearly(const snapshot *a, const snapshot *b)
{
    double worst = fabs(a->time - b->time) + fabs(a->energy.total - b->energy.total);
    for (int i = 0; i < MOST_BODIES; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            worst = fmax(worst, fabs(a->bodies[i].position[k] - b->bodies[i].position[k]));
            worst = fmax(worst, fabs(a->bodies[i].velocity[k] - b->bodies[i].velocity[k]));
            worst = fmax(worst, fabs(a->bodies[i].angular_velocity[k] - b->bodies[i].angular_velocity[k]));
        }
    }
    return worst < 1e-6;
}

/* Step `steps` times; when k >= 0, the k-th allocation of the step number `at` fails. *after: the state in the end. */
static outcome run_with_failure(const cairn_scene *scene, cairn_integrator integrator, int steps, int at, long k,
                                snapshot *after)
{
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_simulation *s;
    settings.integrator = integrator;
    assert_int_equal(cairn_simulation_create(NULL, cairn_scene_model(scene), &settings, &s), CAIRN_OK);
    outcome came = ENOUGH;
    for (int i = 0; i < steps; ++i)
    {
        snapshot before = look(s);
        if (k >= 0 && i == at)
        {
            fail_from(k);
            cairn_status status = cairn_simulation_step(s);
            came = failed == 0 ? ENOUGH : status ? REFUSED : ABSORBED;
            fail_no_more();
            snapshot now = look(s);
            if (came == REFUSED && (status != CAIRN_NO_MEMORY || !same(&before, &now)))
            {
                fail_msg("step %d, allocation %ld: status %d, the state is %s", i, k, (int)status,
                         same(&before, &now) ? "kept" : "another");
            }
            if (came != REFUSED)
            {
                assert_int_equal(status, CAIRN_OK);
                continue;
            }
        }
        assert_int_equal(cairn_simulation_step(s), CAIRN_OK);
    }
    *after = look(s);
    cairn_simulation_destroy(s);
    return came;
}

static void stepping(const char *text, cairn_integrator integrator, int at)
{
    enum
    {
        MORE = 3
    };
    cairn_scene *scene;
    snapshot wanted, found;
    int refused = 0;
    outcome came = REFUSED;
    assert_int_equal(parse(NULL, text, &scene), CAIRN_OK);
    run_with_failure(scene, integrator, at + MORE, at, -1, &wanted);
    for (long k = 0; came != ENOUGH; ++k)
    {
        came = run_with_failure(scene, integrator, at + MORE, at, k, &found);
        refused += came == REFUSED;
        if (came == REFUSED && !nearly(&wanted, &found))
            fail_msg("step %d, allocation %ld: the steps after it are others", at, k);
    }
    assert_true(refused > 0);
    cairn_scene_destroy(scene);
}

static void steps_without_memory(void **state)
{
    (void)state;
    once = true;
    stepping(PLANE, CAIRN_INTEGRATOR_STIFF, 0);
    stepping(PLANE, CAIRN_INTEGRATOR_EULER, 0);
    stepping(SPACE, CAIRN_INTEGRATOR_STIFF, 0);
    stepping(SPACE, CAIRN_INTEGRATOR_STIFF, 1);
    stepping(SPACE, CAIRN_INTEGRATOR_STIFF, 2);
    stepping(SPACE, CAIRN_INTEGRATOR_STIFF, 3);
}

/* The last thing that a step does is to look for contacts where it ended. When that fails, all it did is undone. */
static void a_step_that_fails_at_its_end_is_undone(void **state)
{
    (void)state;
    cairn_scene *scene;
    assert_int_equal(parse(NULL, SPACE, &scene), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_simulation *whole, *failing;
    assert_int_equal(cairn_simulation_create(NULL, cairn_scene_model(scene), &settings, &whole), CAIRN_OK);
    assert_int_equal(cairn_simulation_create(NULL, cairn_scene_model(scene), &settings, &failing), CAIRN_OK);
    for (int i = 0; i < 6; ++i)
    {
        snapshot before = look(failing);
        locate_fails = true;
        assert_int_equal(cairn_simulation_step(failing), CAIRN_NO_MEMORY);
        snapshot now = look(failing);
        assert_true(same(&before, &now));
        assert_int_equal(cairn_simulation_step(failing), CAIRN_OK);
        assert_int_equal(cairn_simulation_step(whole), CAIRN_OK);
        snapshot wanted = look(whole);
        now = look(failing);
        assert_true(nearly(&wanted, &now));
        assert_int_equal(cairn_simulation_report(failing)->step, i + 1);
    }
    cairn_simulation_destroy(whole);
    cairn_simulation_destroy(failing);
    cairn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_without_memory),
        cmocka_unit_test(saving_without_memory),
        cmocka_unit_test(simulations_without_memory),
        cmocka_unit_test(steps_without_memory),
        cmocka_unit_test(a_step_that_fails_at_its_end_is_undone),
    };
    return cmocka_run_group_tests_name("memory runs out", tests, NULL, NULL);
}
