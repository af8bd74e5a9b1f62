/* A joint class that the library does not know, all of it in this file: registered with every context, it is read from a scene,
 * stepped, recorded, plotted and shown by the code that serves the built-in ones.
 *
 * `drive`: a hinge in the plane with a motor that turns b against a at `speed`, with at most `torque`. It has equations, a bounded
 * row that turns, and numbers of its own. Truth: a disc of inertia J gains torque/J until it has the speed.
 */
#include "cli/common/cli.h"
#include "cli/plot/plot_scene.h"
#include "cli/view/view_world.h"
#include "math/vec.h"
#include "model/joints/joint_class.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------ the class */

enum
{
    SPEED,
    TORQUE
};

static void evaluate(const crn_joint *joint, int dimension, const crn_joint_place *place, crn_joint_rows *rows)
{
    static const double AXES[2][3] = {{1, 0, 0}, {0, 1, 0}};
    for (int k = 0; k < dimension; ++k)
    {
        rows->theta[k] = place->x[0][k] - place->x[1][k];
        crn_gradient_of_point(place->pose[0], &rows->gradient[k], 0, joint->a.body, place->x[0], AXES[k], 1);
        crn_gradient_of_point(place->pose[1], &rows->gradient[k], 1, joint->b.body, place->x[1], AXES[k], -1);
    }
    rows->theta[2] = 0;
    rows->gradient[2] = (crn_gradient){.body = {joint->a.body, joint->b.body}};
    rows->gradient[2].g[0][5] = joint->a.body < 0 ? 0 : -1;
    rows->gradient[2].g[1][5] = joint->b.body < 0 ? 0 : 1;
    double torque = joint->number[TORQUE];
    rows->bound[2] = (crn_joint_bound){.speed = joint->number[SPEED], .lo = -torque, .hi = torque};
}

static void act(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                crn_joint_action *action)
{
    (void)joint;
    (void)dimension;
    double d[3];
    crn_sub3(place->x[0], place->x[1], d);
    action->off = crn_norm3(d);
    for (int k = 0; k < 2; ++k)
    {
        action->impulse[0][k] = c[k];
        action->impulse[1][k] = -c[k];
        action->moment[k][2] = action->motor_moment[k][2] = k == 0 ? -c[2] : c[2];
    }
}

static const char *const BOUNDED_NAME[] = {"motor"};
static const crn_joint_number NUMBERS[] = {
    [SPEED] = {.name = "speed"}, [TORQUE] = {.name = "torque", .standard = INFINITY, .positive = true}};

static const crn_joint_class DRIVE = {
    .name = "drive",
    .equations = {2, 0},
    .bounded = {1, 0},
    .bounded_name = BOUNDED_NAME,
    .is_pin = true,
    .numbers = NUMBERS,
    .number_count = 2,
    .evaluate = evaluate,
    .act = act,
};

/* The linker puts this in the place of cairn_context_create, for the tool's contexts too. */
cairn_context *__real_cairn_context_create(void);
cairn_context *__wrap_cairn_context_create(void);
cairn_context *__wrap_cairn_context_create(void)
{
    cairn_context *context = __real_cairn_context_create();
    if (context && !crn_joint_class_register(context, &DRIVE))
    {
        cairn_context_destroy(context);
        return NULL;
    }
    return context;
}

/* ------------------------------------------------------------------------------------------------------ the scene */

static const double H = 0.01, INERTIA = 0.5, TURN = 2, MOMENT = 0.75;

static const char HEAD[] = "cairn: 1\n"
                           "dimension: 2\n"
                           "gravity: [0, 0]\n"
                           "bodies:\n"
                           "  - {name: disc, mass: 1, inertia: 0.5, position: [0.2, 0.3],\n"
                           "     shapes: [{type: circle, radius: 0.25}]}\n"
                           "simulation: {step: 0.01, until: 2, integrator: stiff}\n"
                           "joints:\n";
static const char JOINT[] =
    "  - {name: motor, type: drive, bodies: [world, disc], at: [0.2, 0.3], speed: 2, torque: 0.75}\n";

/* The angular velocity after so many steps: whole steps of the full torque, and never more than the speed. */
static double truth(int steps)
{
    return fmin(steps * H * MOMENT / INERTIA, TURN);
}

static void write_scene(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s%s", HEAD, JOINT);
    assert_int_equal(fclose(file), 0);
}

static cairn_scene *parse(cairn_context *context, const char *joint)
{
    char text[1024];
    cairn_scene *scene = NULL;
    snprintf(text, sizeof text, "%s%s", HEAD, joint);
    if (cairn_scene_parse(context, "scene", text, strlen(text), NULL, 0, &scene))
        assert_null(scene);
    return scene;
}

/* --------------------------------------------------------------------------------------------------------- tests */

/* Step by step: torque until the speed is reached, then none; the impulse is the joint's third row, in N m s. */
static void motors_turn_with_their_torque(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = parse(context, JOINT);
    cairn_simulation *simulation;
    assert_non_null(scene);
    cairn_settings settings = cairn_scene_settings(scene);
    const cairn_model *model = cairn_scene_model(scene);
    assert_string_equal(cairn_model_joint_type(model, cairn_model_joint(model, 0)), "drive");
    assert_true(cairn_model_joint_is_pin(model, cairn_model_joint(model, 0)));
    assert_int_equal(cairn_simulation_create(context, model, &settings, &simulation), CAIRN_OK);
    for (int i = 1; i <= 200; ++i)
    {
        double impulse[6], wanted = INERTIA * (truth(i) - truth(i - 1));
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        cairn_body_state disc = cairn_simulation_body(simulation, cairn_model_find_body(model, "disc"));
        assert_near(disc.angular_velocity[2], truth(i), 1e-12);
        assert_int_equal(cairn_simulation_joint_impulse(simulation, cairn_model_joint(model, 0), impulse), 3);
        assert_near(impulse[2], wanted, 1e-13);
        const cairn_problem *problem = cairn_simulation_problem(simulation);
        assert_int_equal(problem->contact_count, 1);
        assert_int_equal(cairn_simulation_contact_count(simulation), 0);
        assert_true(problem->bound[0].is_row && problem->bound[0].lo == -problem->bound[0].hi);
    }
    cairn_energy e = cairn_simulation_energy(simulation);
    assert_near(e.work_joints, 0.5 * INERTIA * TURN * TURN, 1e-12);
    assert_near(e.balance_error, 0, 1e-13);
    cairn_audit_totals found = cairn_simulation_audit(simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        assert_int_equal(found.count[k], 0);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* A row that turns is counted in metres along the disc's rim: rate and bounds scale with its radius, the result does not. */
static void rows_that_turn_are_counted_in_metres(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = parse(context, JOINT);
    cairn_simulation *simulation;
    cairn_settings settings = cairn_scene_settings(scene);
    assert_int_equal(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation), CAIRN_OK);
    assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
    const cairn_problem *problem = cairn_simulation_problem(simulation);
    const double radius = 0.25;
    assert_near(problem->bound[0].hi, H * MOMENT / radius, 1e-15);
    assert_near(problem->w[0], -TURN * radius, 1e-15);
    assert_near(problem->H.value[2], radius, 1e-15);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* A motor of speed 0 is dry friction: a disc that turns at 1.5 rad/s is stopped by the torque, and stays. */
static void a_motor_at_rest_is_friction(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene =
        parse(context, "  - {name: brake, type: drive, bodies: [world, disc], at: [0.2, 0.3], torque: 0.75}\n");
    cairn_simulation *simulation;
    cairn_settings settings = cairn_scene_settings(scene);
    assert_int_equal(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation), CAIRN_OK);
    cairn_body disc = cairn_model_find_body(cairn_scene_model(scene), "disc");
    cairn_body_state turning = cairn_simulation_body(simulation, disc);
    turning.angular_velocity[2] = 1.5;
    assert_int_equal(cairn_simulation_set_body(simulation, disc, &turning), CAIRN_OK);
    for (int i = 1; i <= 150; ++i)
    {
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        assert_near(cairn_simulation_body(simulation, disc).angular_velocity[2],
                    fmax(1.5 - i * H * MOMENT / INERTIA, 0), 1e-12);
    }
    assert_near(cairn_simulation_energy(simulation).work_joints, -0.5 * INERTIA * 1.5 * 1.5, 1e-12);
    assert_int_equal(cairn_simulation_report(simulation)->physics.violations, 0);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* A ball that bounces without loss on the rim of a disc that a motor speeds up: what the motor does to the disc takes nothing off
 * the bounce. */
static void motors_do_not_limit_bounces(void **state)
{
    (void)state;
    static const char TEXT[] =
        "cairn: 1\n"
        "dimension: 2\n"
        "gravity: [0, 0]\n"
        "materials: [{name: ice, friction: 0, restitution: 1}]\n"
        "bodies:\n"
        "  - {name: disc, mass: 1, inertia: 0.5, material: ice, shapes: [{type: circle, radius: 0.25}]}\n"
        "  - {name: ball, mass: 1, inertia: 0.1, material: ice, position: [0, 0.4], velocity: [0, -1],\n"
        "     shapes: [{type: circle, radius: 0.1}]}\n"
        "joints: [{name: motor, type: drive, bodies: [world, disc], at: [0, 0], speed: 1000, torque: 5}]\n"
        "simulation: {step: 0.01, until: 0.2, integrator: stiff}\n";
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    cairn_simulation *simulation;
    assert_int_equal(cairn_scene_parse(context, "s", TEXT, strlen(TEXT), NULL, 0, &scene), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(scene);
    assert_int_equal(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation), CAIRN_OK);
    for (int i = 0; i < 20; ++i)
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
    cairn_body ball = cairn_model_find_body(cairn_scene_model(scene), "ball");
    cairn_body disc = cairn_model_find_body(cairn_scene_model(scene), "disc");
    assert_near(cairn_simulation_body(simulation, ball).velocity[1], 1, 1e-12);
    assert_near(cairn_simulation_body(simulation, disc).angular_velocity[2], 20 * H * 5 / INERTIA, 1e-11);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static void the_interface_finds_it_by_name(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_model *model = NULL;
    assert_int_equal(cairn_model_create(context, 2, &model), CAIRN_OK);
    cairn_body_options body = cairn_body_default();
    cairn_joint_number numbers[] = {{"torque", 3}, {"speed", -1}};
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_joint made;
    body.name = "disc";
    body.mass = body.inertia[2] = 1;
    assert_int_equal(cairn_model_add_body(model, &body, &o.b.body), CAIRN_OK);
    o.name = "motor";
    o.type = "drive";
    o.numbers = numbers;
    o.number_count = 2;
    assert_int_equal(cairn_model_add_joint(model, &o, &made), CAIRN_OK);
    assert_near(model->joints[0].number[SPEED], -1, 0);
    assert_near(model->joints[0].number[TORQUE], 3, 0);
    assert_string_equal(
        crn_joint_class_at(context, (int)cairn_model_joint_kind(model, cairn_model_joint(model, 0)))->name, "drive");
    o.name = "other";
    numbers[0].value = -3;
    assert_int_equal(cairn_model_add_joint(model, &o, &made), CAIRN_INVALID);
    assert_string_equal(cairn_context_last_message(context), "joint 'other': torque: must be greater than 0, found -3");
    numbers[0].name = "torc";
    assert_int_equal(cairn_model_add_joint(model, &o, &made), CAIRN_INVALID);
    assert_string_equal(cairn_context_last_message(context),
                        "joint 'other': a joint of type 'drive' has no number 'torc'");
    o.type = "drove";
    assert_int_equal(cairn_model_add_joint(model, &o, &made), CAIRN_INVALID);
    assert_string_equal(cairn_context_last_message(context), "joint 'other': unknown type 'drove'");
    cairn_model_destroy(model);
    cairn_context_destroy(context);
}

static void scenes_are_checked_by_its_table(void **state)
{
    (void)state;
    static const struct
    {
        const char *joint, *message;
    } wrong[] = {
        {"  - {name: j, type: drive, bodies: [world, disc], at: [0, 0], torque: -1}\n",
         "torque: expected a number greater than 0"},
        {"  - {name: j, type: revolute, bodies: [world, disc], at: [0, 0], torque: 1}\n",
         "torque: belongs to type 'drive', and the type here is 'revolute'"},
        {"  - {name: j, type: drive, bodies: [world, disc], torque: 1}\n",
         "a drive joint needs either 'at' or 'points'"},
        {"  - {name: j, type: drive, bodies: [world, disc], at: [0, 0], length: 1}\n", "length: belongs to type"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        cairn_context *context = cairn_context_create();
        assert_null(parse(context, wrong[i].joint));
        if (!strstr(cairn_context_last_message(context), wrong[i].message))
            fail_msg("'%s' does not say '%s'", cairn_context_last_message(context), wrong[i].message);
        cairn_context_destroy(context);
    }
}

/* A command of the tool. */
static int run_tool(int (*command)(int, char **), const char *const *words)
{
    char *argv[8], kept[8][64];
    int argc = 0;
    for (; words[argc]; ++argc)
    {
        snprintf(kept[argc], sizeof kept[argc], "%s", words[argc]);
        argv[argc] = kept[argc];
    }
    argv[argc] = NULL;
    return command(argc, argv);
}

static char *read_text(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* The viewer's header names the class. */
static void check_viewer(const cairn_model *model)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    cli_json json = {.stream = stream};
    cli_json_open(&json, NULL, '{');
    cli_mechanism mechanism;
    cli_mechanism_open(&mechanism, model);
    cli_view_put_world(&json, model, &mechanism, (cli_view_map){NULL});
    cli_mechanism_close(&mechanism);
    cli_json_close(&json, '}');
    fclose(stream);
    assert_non_null(strstr(text, "\"drive\""));
    free(text);
}

/* check, run, the run file, plot, export and the viewer's data. */
static void the_tool_runs_and_draws_it(void **state)
{
    (void)state;
    write_scene("drive.yaml");
    assert_int_equal(run_tool(cli_command_check, (const char *const[]){"check", "drive.yaml", NULL}), 0);
    assert_int_equal(run_tool(cli_command_run, (const char *const[]){"run", "drive.yaml", "-o", "drive.h5", NULL}), 0);
    cli_plot_run run;
    cli_plot_scene scene;
    assert_int_equal(cli_plot_run_open(&run, "drive.h5"), 0);
    double work[201];
    assert_int_equal(cairn_run_frame_count(run.run), 201);
    assert_int_equal(cairn_run_read_series(run.run, "joints/work/motor", work), CAIRN_OK);
    for (int i = 0; i <= 200; ++i)
    {
        cairn_body_state disc;
        assert_int_equal(cairn_run_read_frame(run.run, i, &disc), CAIRN_OK);
        assert_near(disc.angular_velocity[2], truth(i), 1e-12);
        assert_near(work[i], 0.5 * INERTIA * truth(i) * truth(i), 1e-12);
    }
    assert_int_equal(cli_plot_scene_open(&scene, &run), 0);
    assert_int_equal(scene.joint_count, 1);
    check_viewer(scene.model);
    cli_plot_scene_close(&scene);
    cli_plot_run_close(&run);
    assert_int_equal(
        run_tool(cli_command_plot, (const char *const[]){"plot", "drive.h5", "positions", "-o", "drive.svg", NULL}), 0);
    assert_non_null(strstr(read_text("drive.svg"), "<svg"));
    assert_int_equal(run_tool(cli_command_export, (const char *const[]){"export", "drive.h5", "--vtk", "vtk", NULL}),
                     0);
    fclose(fopen("vtk/links.pvd", "r"));
}

/* Scene fields have a place for each number: a class too many is refused, not written past their end. */
static void classes_beyond_the_room_are_refused(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    int classes = 1, taken = 0; /* the one of every context here */
    const crn_joint_class *known;
    for (int kind = 0; (known = crn_joint_class_at(NULL, kind)); ++kind)
        taken += known->number_count;
    while (classes < CRN_JOINT_CLASSES && crn_joint_class_register(context, &DRIVE))
        ++classes;
    assert_int_equal(classes, (CRN_JOINT_OWN_NUMBERS - taken) / DRIVE.number_count);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motors_turn_with_their_torque),  cmocka_unit_test(rows_that_turn_are_counted_in_metres),
        cmocka_unit_test(a_motor_at_rest_is_friction),    cmocka_unit_test(motors_do_not_limit_bounces),
        cmocka_unit_test(the_interface_finds_it_by_name), cmocka_unit_test(scenes_are_checked_by_its_table),
        cmocka_unit_test(the_tool_runs_and_draws_it),     cmocka_unit_test(classes_beyond_the_room_are_refused),
    };
    return cmocka_run_group_tests_name("dummy joint", tests, NULL, NULL);
}
