/* The C interface used wrongly: NULL where something is needed, models that grow under a simulation, orientations that are
 * none, objects destroyed in every order. Each is answered by a status and a sentence; sanitizers watch the rest. */
#include "cairn/cairn.h"
#include "cairn/query.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char SCENE[] =
    "dimension: 3\n"
    "bodies:\n"
    "  - {name: ground, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}\n"
    "  - {name: box, position: [0, 0, 0.5], shapes: [{type: box, size: [1, 1, 1], density: 1}]}\n"
    "  - {name: rod, position: [3, 0, 2], shapes: [{type: box, size: [4, 0.2, 0.2], density: 1}]}\n"
    "joints: [{name: pin, type: distance, bodies: [rod, world], points: [[0, 0, 0], [3, 0, 4]]}]\n"
    "springs: [{name: coil, type: linear, bodies: [box, rod], stiffness: 1}]\n"
    "forces: [{name: push, body: box, force: [1, 0, 0]}]\n"
    "simulation: {step: 0.01}\n";

typedef struct world
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_simulation *simulation;
} world;

static world make(void)
{
    world w = {.context = cairn_context_create()};
    if (cairn_scene_parse(w.context, "s", SCENE, strlen(SCENE), NULL, 0, &w.scene))
        fail_msg("%s", cairn_context_last_message(w.context));
    cairn_settings settings = cairn_scene_settings(w.scene);
    assert_int_equal(cairn_simulation_create(w.context, cairn_scene_model(w.scene), &settings, &w.simulation),
                     CAIRN_OK);
    return w;
}

static void unmake(world *w)
{
    cairn_simulation_destroy(w->simulation);
    cairn_scene_destroy(w->scene);
    cairn_context_destroy(w->context);
}

static cairn_body body_at(const world *w, int index)
{
    return cairn_model_body(cairn_scene_model(w->scene), index);
}

/* Invalid, with a sentence that has these words. */
static void refused(world *w, cairn_status status, const char *words)
{
    assert_int_equal(status, CAIRN_INVALID);
    if (!strstr(cairn_context_last_message(w->context), words))
        fail_msg("expected '%s' in '%s'", words, cairn_context_last_message(w->context));
    cairn_context_clear(w->context);
}

/* ------------------------------------------------------------------------------------------------------- quaternions */

static void an_orientation_is_not_zero(void **state)
{
    (void)state;
    world w = make();
    cairn_body_state before = cairn_simulation_body(w.simulation, body_at(&w, 1)), wrong = before;
    static const double WRONG[][4] = {{0, 0, 0, 0}, {1e-200, 0, 0, 0}, {1e200, 0, 0, 0}};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; ++i)
    {
        memcpy(wrong.orientation, WRONG[i], sizeof wrong.orientation);
        refused(&w, cairn_simulation_set_body(w.simulation, body_at(&w, 1), &wrong), "'box': the orientation must not");
    }
    wrong.orientation[0] = NAN;
    refused(&w, cairn_simulation_set_body(w.simulation, body_at(&w, 1), &wrong), "finite");
    cairn_body_state after = cairn_simulation_body(w.simulation, body_at(&w, 1));
    assert_memory_equal(&before, &after, sizeof before);

    /* One that is not of length 1 means the same turn: here of 90 degrees about z. */
    cairn_body_state turned = before;
    memcpy(turned.orientation, (double[4]){0.5, 0, 0, 0.5}, sizeof turned.orientation);
    assert_int_equal(cairn_simulation_set_body(w.simulation, body_at(&w, 1), &turned), CAIRN_OK);
    turned = cairn_simulation_body(w.simulation, body_at(&w, 1));
    assert_true(fabs(turned.orientation[0] - sqrt(0.5)) < 1e-15 && fabs(turned.orientation[3] - sqrt(0.5)) < 1e-15);
    unmake(&w);
}

/* A rod of 4 m along x ends 2 m nearer to a point than its centre, and turned by 90 degrees 0.1 m, whatever the length of
 * the quaternion that tells so. */
static void a_query_takes_any_length_of_a_quaternion(void **state)
{
    (void)state;
    world w = make();
    cairn_query *query;
    const cairn_model *model = cairn_scene_model(w.scene);
    assert_int_equal(cairn_query_create(w.context, model, &query), CAIRN_OK);
    cairn_body_state states[3];
    for (double length = 1e-3; length < 1e4; length *= 10)
    {
        for (int i = 0; i < 3; ++i)
            states[i] = cairn_simulation_body(w.simulation, body_at(&w, i));
        cairn_distance found;
        memcpy(states[2].orientation, (double[4]){length, 0, 0, 0}, sizeof states[2].orientation);
        assert_int_equal(cairn_query_place(query, states), CAIRN_OK);
        assert_int_equal(cairn_query_closest(query, body_at(&w, 2), (double[3]){10, 0, 2}, &found), CAIRN_OK);
        assert_true(fabs(found.distance - 5) < 1e-12);
        double half = length * sqrt(0.5);
        memcpy(states[2].orientation, (double[4]){half, 0, 0, half}, sizeof states[2].orientation);
        assert_int_equal(cairn_query_place(query, states), CAIRN_OK);
        assert_int_equal(cairn_query_closest(query, body_at(&w, 2), (double[3]){10, 0, 2}, &found), CAIRN_OK);
        assert_true(fabs(found.distance - 6.9) < 1e-12);
    }
    memset(states[2].orientation, 0, sizeof states[2].orientation);
    refused(&w, cairn_query_place(query, states), "body 'rod': its orientation must not be zero");
    cairn_query_destroy(query);
    unmake(&w);
}

/* ------------------------------------------------------------------------------------------------------------ growth */

typedef struct growth
{
    const char *what;
    cairn_status (*add)(cairn_model *model);
} growth;

static cairn_body first_body(cairn_model *model)
{
    return cairn_model_body(model, 0);
}

static cairn_status add_body(cairn_model *model)
{
    cairn_body_options options = cairn_body_default();
    cairn_body body;
    options.name = "more";
    options.point = true;
    options.mass = 1;
    return cairn_model_add_body(model, &options, &body);
}

static cairn_status add_shape(cairn_model *model)
{
    cairn_shape_options options = cairn_shape_default(CAIRN_SPHERE);
    cairn_shape shape;
    options.radius = 1;
    return cairn_model_add_shape(model, first_body(model), &options, &shape);
}

static cairn_status add_spring(cairn_model *model)
{
    cairn_spring_options options = cairn_spring_default(CAIRN_SPRING_LINEAR);
    cairn_spring spring;
    options.name = "more";
    options.stiffness = 1;
    options.a.body = first_body(model);
    options.b.point[0] = 5;
    return cairn_model_add_spring(model, &options, &spring);
}

static cairn_status add_joint(cairn_model *model)
{
    cairn_joint_options options = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    cairn_joint joint;
    options.name = "more";
    options.a.body = first_body(model);
    options.b.point[0] = 5;
    return cairn_model_add_joint(model, &options, &joint);
}

static cairn_status add_force(cairn_model *model)
{
    cairn_force_options options = cairn_force_default();
    cairn_force force;
    options.name = "more";
    options.body = first_body(model);
    options.force[0] = "1";
    return cairn_model_add_force(model, &options, &force);
}

static cairn_status add_material(cairn_model *model)
{
    cairn_material_options options = cairn_material_default();
    cairn_material material;
    options.name = "more";
    return cairn_model_add_material(model, &options, &material);
}

static cairn_model *small_model(cairn_context *context)
{
    cairn_model *model = NULL;
    assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
    cairn_body_options options = cairn_body_default();
    cairn_body body;
    options.name = "first";
    options.mass = 1;
    options.point = true;
    assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
    return model;
}

/* Nothing that the simulation is asked after its model grew reads past its arrays. */
static void ask_everything(const world *w, const cairn_model *model)
{
    double impulse[6];
    for (int i = 0; i < cairn_model_body_count(model); ++i)
        assert_true(cairn_simulation_body(w->simulation, cairn_model_body(model, i)).position[2] == 0);
    for (int i = 0; i < 2; ++i)
    {
        assert_true(cairn_simulation_spring_work(w->simulation,
                                                 cairn_model_spring(cairn_simulation_model(w->simulation), i)) == 0);
        assert_true(cairn_simulation_spring_stretch(w->simulation,
                                                    cairn_model_spring(cairn_simulation_model(w->simulation), i)) == 0);
        assert_true(cairn_simulation_joint_work(w->simulation,
                                                cairn_model_joint(cairn_simulation_model(w->simulation), i)) == 0);
        assert_int_equal(cairn_simulation_joint_impulse(
                             w->simulation, cairn_model_joint(cairn_simulation_model(w->simulation), i), impulse),
                         0);
        assert_true(cairn_simulation_force_work(w->simulation,
                                                cairn_model_force(cairn_simulation_model(w->simulation), i)) == 0);
    }
    assert_int_equal(cairn_simulation_contact_count(w->simulation), 0);
}

static void a_simulation_follows_a_model_that_grows(void **state)
{
    (void)state;
    static const growth GROWTH[] = {{"body", add_body},   {"shape", add_shape}, {"spring", add_spring},
                                    {"joint", add_joint}, {"force", add_force}, {"material", add_material}};
    for (size_t i = 0; i < sizeof GROWTH / sizeof GROWTH[0]; ++i)
    {
        world w = {.context = cairn_context_create()};
        cairn_model *model = small_model(w.context);
        cairn_settings settings = cairn_settings_default();
        cairn_recorder *recorder;
        assert_int_equal(cairn_simulation_create(w.context, model, &settings, &w.simulation), CAIRN_OK);
        assert_int_equal(cairn_recorder_create(w.context, "grown.h5", w.simulation, NULL, &recorder), CAIRN_OK);
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        assert_int_equal(cairn_recorder_write(recorder), CAIRN_OK);
        if (GROWTH[i].add(model))
            fail_msg("%s: %s", GROWTH[i].what, cairn_context_last_message(w.context));
        ask_everything(&w, model);
        if (cairn_simulation_step(w.simulation))
            fail_msg("%s: %s", GROWTH[i].what, cairn_context_last_message(w.context));
        refused(&w, cairn_recorder_write(recorder), "'grown.h5': things were added to the model");
        assert_true(cairn_simulation_time(w.simulation) == 2 * settings.step);
        cairn_recorder_close(recorder, "done");
        cairn_simulation_destroy(w.simulation);
        cairn_model_destroy(model);
        cairn_context_destroy(w.context);
    }
}

/* -------------------------------------------------------------------------------------------------------------- NULL */

static void null_is_answered_by_a_status(void **state)
{
    (void)state;
    world w = make();
    cairn_context *c = w.context;
    cairn_model *model = small_model(c);
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *s = NULL;
    cairn_scene *scene = NULL;
    cairn_query *query = NULL;
    cairn_run *run = NULL;
    cairn_recorder *recorder = NULL;
    cairn_body body = {.id = 1};
    double x[3] = {0};
    cairn_body_options body_options = cairn_body_default();
    body_options.name = "b";
    refused(&w, cairn_model_add_body(model, NULL, &body), "body: the model, the options");
    refused(&w, cairn_model_add_body(model, &body_options, NULL), "body: the model, the options");
    refused(&w, cairn_model_add_shape(model, body, NULL, NULL), "shape: ");
    refused(&w, cairn_model_add_joint(model, NULL, NULL), "joint: ");
    refused(&w, cairn_model_add_spring(model, NULL, NULL), "spring: ");
    refused(&w, cairn_model_add_force(model, NULL, NULL), "force: ");
    refused(&w, cairn_model_add_system(model, NULL, NULL), "system: ");
    refused(&w, cairn_model_add_material(model, NULL, NULL), "material: ");
    refused(&w, cairn_model_set_gravity(model, NULL), "gravity: ");
    refused(&w, cairn_simulation_create(c, NULL, &settings, &s), "simulation: the model");
    refused(&w, cairn_simulation_create(c, model, NULL, &s), "simulation: the model, the settings");
    refused(&w, cairn_simulation_create(c, model, &settings, NULL), "simulation: ");
    refused(&w, cairn_settings_check(c, NULL), "settings");
    refused(&w, cairn_scene_load(c, NULL, NULL, 0, &scene), "scene: the path");
    refused(&w, cairn_scene_parse(c, "s", NULL, 0, NULL, 0, &scene), "scene: its name, its text");
    refused(&w, cairn_scene_parse(c, "s", SCENE, strlen(SCENE), NULL, 3, &scene), "the parameters");
    refused(&w, cairn_simulation_set_body(w.simulation, body, NULL), "set body: ");
    refused(&w, cairn_simulation_set_gravity(w.simulation, NULL), "set gravity: ");
    refused(&w, cairn_simulation_pull(w.simulation, body_at(&w, 1), NULL, x, 1, 1), "pull: ");
    refused(&w, cairn_query_create(c, NULL, &query), "query: ");
    refused(&w, cairn_run_open(c, NULL, &run), "run file: the path");
    refused(&w, cairn_run_open(c, "x.h5", NULL), "run file: the path");
    refused(&w, cairn_run_open_cut(c, NULL, &run), "run file: the path");
    refused(&w, cairn_recorder_create(c, NULL, w.simulation, NULL, &recorder), "run file: the path");
    refused(&w, cairn_recorder_create(c, "x.h5", NULL, NULL, &recorder), "run file: the path, the simulation");
    assert_int_equal(cairn_simulation_step(NULL), CAIRN_INVALID);
    assert_int_equal(cairn_simulation_step_by(NULL, 1), CAIRN_INVALID);
    assert_int_equal(cairn_simulation_check_initial(NULL), CAIRN_INVALID);
    assert_int_equal(cairn_simulation_set_friction(NULL, 1), CAIRN_INVALID);
    assert_int_equal(cairn_query_follow(NULL, w.simulation), CAIRN_INVALID);
    assert_int_equal(cairn_query_place(NULL, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_query_distance(NULL, body, body, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_query_closest(NULL, body, x, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_query_ray(NULL, x, x, 1, NULL, 0, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_query_overlap(NULL, NULL, NULL, 0, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_model_add_body(NULL, &body_options, &body), CAIRN_INVALID);
    assert_int_equal(cairn_model_ignore_contact(NULL, body, body), CAIRN_INVALID);
    assert_int_equal(cairn_recorder_write(NULL), CAIRN_INVALID);
    assert_int_equal(cairn_recorder_flush(NULL), CAIRN_INVALID);
    assert_int_equal(cairn_run_read_frame(NULL, 0, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_run_read_series(NULL, "time", x), CAIRN_INVALID);
    assert_int_equal(cairn_run_read_contacts(NULL, 0, NULL, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_run_read_events(NULL, NULL, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_run_scene(NULL, &scene), CAIRN_INVALID);
    assert_int_equal(cairn_solver_solve(NULL, NULL, NULL, NULL, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_certify(NULL, NULL, NULL), CAIRN_INVALID);
    cairn_model_destroy(model);
    unmake(&w);
}

/* A struct that no default function filled is recognised by its size, before any of its fields is used. */
static void options_carry_their_size(void **state)
{
    (void)state;
    world w = make();
    cairn_simulation *s = NULL;
    cairn_recorder *recorder = NULL;
    cairn_solution solution;
    cairn_solver_report report;
    cairn_settings settings = cairn_settings_default();
    settings.struct_size = 0;
    refused(&w, cairn_settings_check(w.context, &settings), "cairn_settings_default");
    refused(&w, cairn_simulation_create(w.context, cairn_scene_model(w.scene), &settings, &s),
            "cairn_settings_default");
    assert_null(s);
    settings = cairn_settings_default();
    settings.solver = (cairn_solver_options){.tolerance = 1e-9};
    refused(&w, cairn_settings_check(w.context, &settings), "cairn_solver_default");
    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
    const cairn_problem *problem = cairn_simulation_problem(w.simulation);
    cairn_solver *solver = cairn_solver_create(w.context);
    refused(&w, cairn_solver_solve(solver, problem, &settings.solver, &solution, &report), "cairn_solver_default");
    cairn_fclib_options fclib = {.struct_size = sizeof fclib + 8};
    refused(&w, cairn_problem_save_fclib(w.context, problem, "x.h5", &fclib), "cairn_fclib_default");
    cairn_recorder_options options = {.every = 1};
    refused(&w, cairn_recorder_create(w.context, "x.h5", w.simulation, &options, &recorder), "cairn_recorder_default");
    options = cairn_recorder_default();
    options.parameter_count = 1;
    refused(&w, cairn_recorder_create(w.context, "x.h5", w.simulation, &options, &recorder), "the parameters are NULL");
    assert_null(recorder);
    cairn_hooks hooks = {.touches = true};
    refused(&w, cairn_simulation_set_hooks(w.simulation, &hooks), "cairn_hooks_default");
    cairn_solver_destroy(solver);
    unmake(&w);
}

static void destroying_nothing_does_nothing(void **state)
{
    (void)state;
    cairn_context_destroy(NULL);
    cairn_model_destroy(NULL);
    cairn_simulation_destroy(NULL);
    cairn_scene_destroy(NULL);
    cairn_query_destroy(NULL);
    cairn_run_close(NULL);
    cairn_solver_destroy(NULL);
    cairn_problem_destroy(NULL);
    assert_int_equal(cairn_recorder_close(NULL, "done"), CAIRN_OK);
    assert_int_equal(cairn_context_message_count(NULL), 0);
}

/* The five objects of a world, each destroyed once, in all 120 orders. */
static void any_order_of_destruction_will_do(void **state)
{
    (void)state;
    enum
    {
        THINGS = 5
    };
    for (int order = 0; order < 120; ++order)
    {
        world w = make();
        cairn_query *query;
        cairn_solver *solver = cairn_solver_create(w.context);
        assert_int_equal(cairn_query_create(w.context, cairn_scene_model(w.scene), &query), CAIRN_OK);
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        bool gone[THINGS] = {false};
        for (int left = THINGS, code = order; left > 0; code /= left, --left)
        {
            int pick = code % left, k = 0;
            while (gone[k] || pick-- > 0)
                ++k;
            gone[k] = true;
            switch (k)
            {
            case 0:
                cairn_context_destroy(w.context);
                break;
            case 1:
                cairn_scene_destroy(w.scene);
                break;
            case 2:
                cairn_simulation_destroy(w.simulation);
                break;
            case 3:
                cairn_query_destroy(query);
                break;
            default:
                cairn_solver_destroy(solver);
                break;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_orientation_is_not_zero),
        cmocka_unit_test(a_query_takes_any_length_of_a_quaternion),
        cmocka_unit_test(a_simulation_follows_a_model_that_grows),
        cmocka_unit_test(null_is_answered_by_a_status),
        cmocka_unit_test(options_carry_their_size),
        cmocka_unit_test(destroying_nothing_does_nothing),
        cmocka_unit_test(any_order_of_destruction_will_do),
    };
    return cmocka_run_group_tests_name("the interface used wrongly", tests, NULL, NULL);
}
