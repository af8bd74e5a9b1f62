/* How a saved scene reads, and what cannot be saved: a text written by hand, names that YAML would misread, and every callback, which is
 * refused by name. */
#include "support/check.h"

#include <cairn/cairn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct world
{
    cairn_context *context;
    cairn_model *model;
    cairn_body ball, arm;
} world;

static cairn_body add_body(world *w, const char *name, double x)
{
    cairn_body_options o = cairn_body_default();
    cairn_body body;
    o.name = name;
    o.mass = 1.5;
    o.inertia[2] = 0.1;
    o.position[0] = x;
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    return body;
}

static int open_world(void **state)
{
    world *w = calloc(1, sizeof *w);
    w->context = cairn_context_create();
    *state = w;
    assert_int_equal(cairn_model_create(w->context, 2, &w->model), CAIRN_OK);
    w->ball = add_body(w, "ball", 0);
    w->arm = add_body(w, "arm", 0.1);
    return 0;
}

static int close_world(void **state)
{
    world *w = *state;
    cairn_model_destroy(w->model);
    cairn_context_destroy(w->context);
    free(w);
    return 0;
}

static cairn_joint add_hinge(world *w, const char *name)
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_joint joint;
    o.name = name;
    o.a = cairn_model_attach(w->model, w->ball, (double[3]){0, 0, 0});
    o.b = cairn_model_attach(w->model, w->arm, (double[3]){0, 0, 0});
    assert_int_equal(cairn_model_add_joint(w->model, &o, &joint), CAIRN_OK);
    return joint;
}

static void assert_refused(world *w, const char *sentence)
{
    char *text = "untouched";
    cairn_context_clear(w->context);
    assert_int_equal(cairn_model_text(w->model, NULL, &text), CAIRN_INVALID);
    assert_null(text);
    bool said = false;
    for (int i = 0; i < cairn_context_message_count(w->context); ++i)
        said = said || strstr(cairn_context_message(w->context, i).text, sentence);
    if (!said)
        fail_msg("expected '%s', found '%s'", sentence, cairn_context_last_message(w->context));
}

/* ------------------------------------------------------------------------------------------------------------ texts */

static void reads_as_written_by_hand(void **state)
{
    world *w = *state;
    cairn_shape_options disc = cairn_shape_default(CAIRN_CIRCLE);
    cairn_material_options ice = cairn_material_default();
    cairn_shape shape;
    ice.name = "ice";
    ice.friction = 0.05;
    disc.radius = 0.3;
    disc.density = 1e-6;
    assert_int_equal(cairn_model_add_material(w->model, &ice, &disc.material), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w->model, w->ball, &disc, &shape), CAIRN_OK);
    cairn_joint hinge = add_hinge(w, "hinge");
    cairn_coordinate_options servo = cairn_coordinate_default();
    servo.drive = CAIRN_DRIVE_POSITION;
    servo.target.expression = "min(t, 0.5)";
    servo.lower = -1;
    assert_int_equal(cairn_model_set_coordinate(w->model, hinge, "angle", &servo), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.step = 1.0 / 3;
    settings.events = !settings.events;
    cairn_sensor sensor = {.name = "turn", .quantity = "hinge.angle", .every = 2};
    cairn_save_options options = cairn_save_default();
    options.title = "Ball: and arm";
    options.settings = &settings;
    options.until = 2.5;
    options.sensors = &sensor;
    options.sensor_count = 1;
    char *text, expected[2000];
    if (cairn_model_text(w->model, &options, &text))
        fail_msg("%s", cairn_context_last_message(w->context));
    snprintf(expected, sizeof expected,
             "title: \"Ball: and arm\"\n"
             "dimension: 2\n"
             "materials:\n"
             "  - {name: ice, friction: 0.05}\n"
             "bodies:\n"
             "  - {name: ball, mass: 1.5, inertia: 0.1, material: ice, shapes: [{type: circle, radius: 0.3, density: "
             "1e-6}]}\n"
             "  - {name: arm, mass: 1.5, inertia: 0.1, position: [0.1, 0]}\n"
             "joints:\n"
             "  - name: hinge\n"
             "    type: revolute\n"
             "    bodies: [ball, arm]\n"
             "    points: [[0, 0], [-0.1, 0]]\n"
             "    coordinates: {angle: {drive: {type: position, target: \"min(t, 0.5)\"}, lower: -1}}\n"
             "sensors:\n"
             "  - {name: turn, type: quantity, quantity: hinge.angle, every: 2}\n"
             "simulation: {step: 0.3333333333333333, until: 2.5, events: %s}\n",
             settings.events ? "true" : "false");
    assert_string_equal(text, expected);
    cairn_text_destroy(text);
}

static void odd_names_survive(void **state)
{
    world *w = *state;
    static const char *const NAMES[] = {"45", "1e3", "yes", "null", "~",  "a: b", "- x",  "'q'", "\"",
                                        "\\", "#",   "[x]", "Ä",    "x ", " x",   "true", "{",   "a,b",
                                        "-",  "*x",  "&x",  "0x1f", ".5", "@",    "`",    "%"};
    int count = (int)(sizeof NAMES / sizeof NAMES[0]);
    for (int i = 0; i < count; ++i)
        add_body(w, NAMES[i], i);
    char *text;
    cairn_scene *scene;
    if (cairn_model_text(w->model, NULL, &text))
        fail_msg("%s", cairn_context_last_message(w->context));
    assert_int_equal(cairn_scene_parse(w->context, "saved", text, strlen(text), NULL, 0, &scene), CAIRN_OK);
    for (int i = 0; i < count; ++i)
    {
        const cairn_model *read = cairn_scene_model(scene);
        assert_string_equal(cairn_model_body_name(read, cairn_model_body(read, i + 2)), NAMES[i]);
    }
    cairn_scene_destroy(scene);
    cairn_text_destroy(text);
}

/* ---------------------------------------------------------------------------------------------------------- refusals */

static void push(void *data, double t, const cairn_body_state *body, double force[3], double torque[3])
{
    (void)data, (void)t, (void)body, (void)torque;
    force[0] = 1;
}

static double signal_of(void *data, double t)
{
    (void)data;
    return t;
}

static void move(void *data, double t, cairn_body_state *pose)
{
    (void)data;
    pose->position[0] = t;
}

static void mass_of(void *data, const double *q, double *M)
{
    (void)data, (void)q;
    M[0] = 1;
}

static void refuses_forces(void **state)
{
    world *w = *state;
    cairn_force_options o = cairn_force_default();
    cairn_force made;
    o.name = "wind";
    o.body = w->ball;
    o.function = push;
    assert_int_equal(cairn_model_add_force(w->model, &o, &made), CAIRN_OK);
    assert_refused(w, "force 'wind': is a callback");
}

static void refuses_motions(void **state)
{
    world *w = *state;
    cairn_body_options o = cairn_body_default();
    cairn_body made;
    o.name = "belt";
    o.kind = CAIRN_DRIVEN;
    o.motion = move;
    assert_int_equal(cairn_model_add_body(w->model, &o, &made), CAIRN_OK);
    assert_refused(w, "body 'belt': motion: is a callback");
}

static void refuses_targets(void **state)
{
    world *w = *state;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.drive = CAIRN_DRIVE_SPEED;
    o.target.function = signal_of;
    assert_int_equal(cairn_model_set_coordinate(w->model, add_hinge(w, "motor"), "angle", &o), CAIRN_OK);
    assert_refused(w, "joint 'motor': target: is a callback");
}

static void refuses_systems(void **state)
{
    world *w = *state;
    cairn_system_options o = cairn_system_default();
    cairn_system made;
    o.name = "beam";
    o.n = 1;
    o.q = (double[1]){0};
    o.mass = mass_of;
    assert_int_equal(cairn_model_add_system(w->model, &o, &made), CAIRN_OK);
    assert_refused(w, "system 'beam'");
}

static void refuses_idle_couplings(void **state)
{
    world *w = *state;
    cairn_coupling_options o = cairn_coupling_default();
    cairn_coupling_term term = {.joint = add_hinge(w, "hinge"), .factor = 1};
    cairn_joint made;
    o.name = "idle";
    o.hold = false;
    o.terms = &term;
    o.term_count = 1;
    assert_int_equal(cairn_model_add_coupling(w->model, &o, &made), CAIRN_OK);
    assert_refused(w, "coupling 'idle'");
}

/* A weld holds the angle at which it was added; that of a scene would hold the new one. */
static void refuses_joints_at_other_poses(void **state)
{
    world *w = *state;
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_WELD);
    cairn_joint made;
    o.name = "weld";
    o.a = cairn_model_attach(w->model, w->ball, (double[3]){0, 0, 0});
    o.b = cairn_model_attach(w->model, w->arm, (double[3]){0, 0, 0});
    assert_int_equal(cairn_model_add_joint(w->model, &o, &made), CAIRN_OK);
    cairn_body_state moved = {.position = {0.1, 0, 0}, .angle = 0.5, .orientation = {1, 0, 0, 0}};
    assert_int_equal(cairn_model_set_body(w->model, w->arm, &moved), CAIRN_OK);
    assert_refused(w, "joint 'weld' was added at other poses");
}

static void refuses_names_with_controls(void **state)
{
    world *w = *state;
    add_body(w, "a\tb", 1);
    assert_refused(w, "a scene file cannot say");
}

static void refuses_wrong_arguments(void **state)
{
    world *w = *state;
    cairn_save_options o = cairn_save_default();
    char *text;
    assert_int_equal(cairn_model_save(NULL, NULL, "x"), CAIRN_INVALID);
    assert_int_equal(cairn_model_save(w->model, NULL, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_model_text(w->model, NULL, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_scene_save(NULL, "x"), CAIRN_INVALID);
    assert_int_equal(cairn_scene_written_out(NULL, &text), CAIRN_INVALID);
    assert_int_equal(cairn_model_save(w->model, NULL, "no-such-folder/x.yaml"), CAIRN_IO);
    o.until = NAN;
    assert_int_equal(cairn_model_text(w->model, &o, &text), CAIRN_INVALID);
    o = cairn_save_default();
    o.sensor_count = 1;
    assert_int_equal(cairn_model_text(w->model, &o, &text), CAIRN_INVALID);
    o = (cairn_save_options){.until = 1};
    assert_int_equal(cairn_model_text(w->model, &o, &text), CAIRN_INVALID);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)
    const struct CMUnitTest tests[] = {
        EACH(reads_as_written_by_hand),
        EACH(odd_names_survive),
        EACH(refuses_forces),
        EACH(refuses_motions),
        EACH(refuses_targets),
        EACH(refuses_systems),
        EACH(refuses_idle_couplings),
        EACH(refuses_joints_at_other_poses),
        EACH(refuses_names_with_controls),
        EACH(refuses_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
