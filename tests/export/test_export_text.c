/* What robots that were written say: turns by right angles, names with marks of XML, couplings, loops and tendons against their
 * definitions; notes on what is left out; models that cannot be written. */
#include "math/vec.h"
#include "model/joints/coupling.h"
#include "support/check.h"

#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cairn_scene *parse(cairn_context *context, const char *text)
{
    cairn_scene *scene = NULL;
    if (cairn_scene_parse(context, "test", text, strlen(text), NULL, 0, &scene))
        fail_msg("%s", cairn_context_last_message(context));
    return scene;
}

static cairn_scene *read_again(cairn_context *context, const char *text)
{
    cairn_scene *scene = NULL;
    if (cairn_import_parse(context, "written", text, strlen(text), NULL, NULL, &scene))
        fail_msg("%s\n%s", cairn_context_last_message(context), text);
    return scene;
}

static int times(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        ++count;
    return count;
}

static void assert_noted(const cairn_import_notes *notes, const char *sentence)
{
    for (int i = 0; i < cairn_import_note_count(notes); ++i)
        if (strstr(cairn_import_note(notes, i).text, sentence))
            return;
    fail_msg("no note '%s' of %d", sentence, cairn_import_note_count(notes));
}

/* Roll, pitch and yaw of all turns by multiples of 45 degrees, among them those with a pitch of a right angle, where roll and yaw are not
 * unique, and turns near to them. */
static void turns_are_written(void **state)
{
    (void)state;
    const double near[3] = {0, 1e-9, -3e-5};
    for (int i = 0; i < 3 * 512; ++i)
    {
        cairn_context *context = cairn_context_create();
        cairn_model *model = NULL;
        cairn_body_options o = cairn_body_default();
        cairn_body body;
        double q[4] = {1, 0, 0, 0}, R[9], S[9];
        for (int k = 0; k < 3; ++k)
        {
            double phi[3] = {0}, turn[4];
            phi[k] = (i / (1 << 3 * k) % 8) * 0.78539816339744831 + (k == 1 ? near[i / 512] : 0);
            crn_quaternion_exp(phi, turn);
            crn_quaternion_multiply(turn, q, q);
        }
        memcpy(o.orientation, q, sizeof q);
        o.name = "b";
        o.mass = o.inertia[0] = o.inertia[1] = o.inertia[2] = 1;
        assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
        assert_int_equal(cairn_model_add_body(model, &o, &body), CAIRN_OK);
        char *text = NULL;
        assert_int_equal(cairn_model_urdf(model, NULL, &text, NULL), CAIRN_OK);
        cairn_scene *read = read_again(context, text);
        crn_quaternion_to_matrix(q, R);
        crn_quaternion_to_matrix(cairn_scene_model(read)->bodies[0].traits->initial.orientation, S);
        for (int k = 0; k < 9; ++k)
            assert_near(S[k], R[k], 2e-15);
        cairn_scene_destroy(read);
        cairn_text_destroy(text);
        cairn_model_destroy(model);
        cairn_context_destroy(context);
    }
}

static const char ARM[] =
    "dimension: 3\n"
    "bodies:\n"
    "  - {name: 'a <&\"> b', position: [0, 0, 1], mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
    "  - {name: second, position: [0, 0, 2], mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
    "  - {name: third, position: [0, 0, 3], mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
    "joints:\n"
    "  - {name: one, type: revolute, bodies: [world, 'a <&\"> b'], at: [0, 0, 0], axis: [0, 1, 0]}\n"
    "  - {name: two, type: prismatic, bodies: ['a <&\"> b', second], points: [[0, 0, 0.25], [0, 0, -0.25]], axis: [0, "
    "0, 1]}\n"
    "  - {name: three, type: revolute, bodies: [second, third], at: [0, 0, 2], axis: [1, 0, 0]}\n"
    "couplings:\n"
    "  - {name: pair, terms: [{joint: one, factor: 2}, {joint: two, factor: -3}], value: 0.25}\n"
    "  - {name: trio, terms: [{joint: one}, {joint: two}, {joint: three, factor: 4}], value: 0.75}\n";

/* 2 one - 3 two = 0.25, where two begins at 0.5: read with zeros at the start it is 2 one - 3 two' = 1.75. The same for both formats, with
 * the factor of the first joint divided out. */
static void couplings_are_written(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = parse(context, ARM);
    for (int format = 0; format < 2; ++format)
    {
        char *text = NULL;
        cairn_import_notes *notes = NULL;
        cairn_status status = format ? cairn_model_mjcf(cairn_scene_model(scene), NULL, &text, &notes)
                                     : cairn_model_urdf(cairn_scene_model(scene), NULL, &text, &notes);
        assert_int_equal(status, CAIRN_OK);
        cairn_scene *read = read_again(context, text);
        const cairn_model *model = cairn_scene_model(read);
        assert_true(cairn_model_find_body(model, "a <&\"> b").id != 0);
        const crn_joint *found = NULL;
        for (size_t i = 0; i < model->joint_count; ++i)
            found = model->joints[i].coupling && model->joints[i].coupling->part_count == 2 ? &model->joints[i] : found;
        assert_non_null(found);
        assert_string_equal(model->joints[found->coupling->part[0].joint].name, "one");
        assert_near(found->coupling->part[0].factor, 1, 0);
        assert_near(found->coupling->part[1].factor, -1.5, 1e-15);
        assert_near(crn_signal_value(&found->coupling->hold.target, 0), 0.875, 1e-15);
        if (format == 0)
            assert_noted(notes, "coupling 'trio'");
        else
        {
            /* length = 1 one + 1 two + 4 three is 0.5 at the start and held 0.25 above */
            assert_int_equal(times(text, "<fixed name=\"trio\""), 1);
            assert_int_equal(times(text, "tendon1=\"trio\" polycoef=\"0.25 0 0 0 0\""), 1);
            assert_int_equal(times(text, "coef=\"4\""), 1);
        }
        cairn_scene_destroy(read);
        cairn_import_notes_destroy(notes);
        cairn_text_destroy(text);
    }
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* A hinge with a spring of 2 N m/rad at 0.9, and one of 4 N m/rad between its bodies, which turns against it and rests at 0.3, that is at
 * -0.3, or with it: together 6 N m/rad at (2 0.9 - 4 0.3)/6 = 0.1, or at 0.5. */
static void springs_of_hinges_add_up(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        char text[512];
        snprintf(text, sizeof text,
                 "dimension: 3\nbodies: [{name: arm, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]\njoints:\n"
                 "  - {name: hinge, type: revolute, bodies: [world, arm], at: [0, 0, 0], axis: [0, 1, 0], coordinates: "
                 "{angle: "
                 "{stiffness: 2, damping: 0.5, rest: 0.9}}}\nsprings:\n"
                 "  - {name: coil, type: angular, bodies: [arm, world], axis: [0, %d, 0], stiffness: 4, damping: 1, "
                 "rest: 0.3}\n",
                 i == 0 ? 1 : -1);
        cairn_context *context = cairn_context_create();
        cairn_scene *scene = parse(context, text);
        char *made = NULL;
        cairn_import_notes *notes = NULL;
        assert_int_equal(cairn_model_mjcf(cairn_scene_model(scene), NULL, &made, &notes), CAIRN_OK);
        assert_int_equal(cairn_import_note_count(notes), 0);
        const char *at = strstr(made, "damping=\"1.5\"");
        const char *spring = at ? strstr(at, "springref=\"") : NULL;
        assert_non_null(spring);
        assert_near(strtod(spring + 11, NULL), i == 0 ? 0.1 : 0.5, 1e-15);
        assert_int_equal(times(made, "stiffness=\"6\""), 1);
        cairn_import_notes_destroy(notes);
        cairn_text_destroy(made);
        cairn_scene_destroy(scene);
        cairn_context_destroy(context);
    }
}

static const char LOOSE[] =
    "dimension: 3\n"
    "gravity: [0, 0, -5]\n"
    "materials: [{name: ice, friction: 0, restitution: 0.5}, {name: rough, friction: 0.9}]\n"
    "bodies:\n"
    "  - {name: floor, kind: fixed, material: rough, shapes: [{type: half-space, normal: [0, 0, 1]}]}\n"
    "  - {name: left, position: [0, 0, 1], mass: 1, inertia: [1, 1, 1, 0, 0, 0], velocity: [1, 2, 3], shapes: [{type: "
    "ellipsoid, radii: [0.1, 0.2, 0.3], material: ice}]}\n"
    "  - {name: right, position: [1, 0, 1], mass: 1, inertia: [1, 1, 1, 0, 0, 0], shapes: [{type: cone, radius: 0.1, "
    "height: 0.2}]}\n"
    "  - {name: dot, point: true, mass: 1, position: [2, 2, 2]}\n"
    "joints:\n"
    "  - {name: line, type: rope, bodies: [left, right], points: [[0, 0, 0], [0, 0, 0]], length: 2}\n"
    "  - {name: rod, type: distance, bodies: [world, dot], points: [[2, 2, 4], [0, 0, 0]]}\n"
    "  - {name: tackle, type: pulley, bodies: [left, right], points: [[0, 0, 0], [0, 0, 0]], over: [[0, 0, 3], [1, 0, "
    "3]], ratio: 2}\n"
    "  - {name: wheels, type: gear, bodies: [left, right], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 1, 0], ratio: 2}\n"
    "  - {name: rubber, type: ball, bodies: [left, right], at: [0.5, 0, 1], stiffness: 100}\n"
    "springs:\n"
    "  - {name: coil, type: linear, bodies: [left, world], points: [[0, 0, 0], [0, 0, 4]], stiffness: 10, damping: 2, "
    "rest: 1.5}\n"
    "  - {name: twist, type: angular, bodies: [left, right], axis: [0, 0, 1], stiffness: 10}\n"
    "forces: [{name: push, body: left, force: [1, 0, 0]}]\n"
    "ignore: [[left, floor]]\n"
    "simulation: {step: 0.004, until: 1}\n";

/* What is there stands in the text, and what is not is noted by name. */
static void parts_are_written_or_noted(void **state)
{
    (void)state;
    static const char *const SENTENCES[] = {
        "spring 'twist'",      "force 'push'", "joint 'wheels' (gear)",           "joint 'rubber' (ball, compliant)",
        "body 'right' (cone)", "body 'dot'",   "material 'ice': its restitution", "materials 'ice' and 'rough'"};
    static const char *const WORDS[] = {"timestep=\"0.004\"",
                                        "gravity=\"0 0 -5\"",
                                        "type=\"plane\"",
                                        "type=\"ellipsoid\" size=\"0.1 0.2 0.3\"",
                                        "friction=\"0\" condim=\"1\"",
                                        "<spatial name=\"joint line\" range=\"0 2\">",
                                        "divisor=\"0.5\"",
                                        "stiffness=\"10\" damping=\"2\" springlength=\"1.5\"",
                                        "tendon1=\"joint rod\"",
                                        "<exclude body1=\"floor\" body2=\"left\"/>",
                                        "<exclude body1=\"left\" body2=\"right\"/>"};
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = parse(context, LOOSE);
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_save_options options = cairn_save_default();
    cairn_import_notes *notes = NULL;
    char *text = NULL;
    options.settings = &settings;
    assert_int_equal(cairn_model_mjcf(cairn_scene_model(scene), &options, &text, &notes), CAIRN_OK);
    for (size_t i = 0; i < sizeof SENTENCES / sizeof SENTENCES[0]; ++i)
        assert_noted(notes, SENTENCES[i]);
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; ++i)
        if (times(text, WORDS[i]) != 1)
            fail_msg("'%s' is there %d times in\n%s", WORDS[i], times(text, WORDS[i]), text);
    cairn_text_destroy(text);
    cairn_import_notes_destroy(notes);
    assert_int_equal(cairn_model_urdf(cairn_scene_model(scene), &options, &text, &notes), CAIRN_OK);
    static const char *const LOST[] = {"joint 'line'", "joint 'rod'",    "joint 'tackle'",      "spring 'coil'",
                                       "(ellipsoid)",  "(half-space)",   "(cone) needs a file", "gravity",
                                       "1 pairs",      "velocities of 1"};
    for (size_t i = 0; i < sizeof LOST / sizeof LOST[0]; ++i)
        assert_noted(notes, LOST[i]);
    cairn_text_destroy(text);
    cairn_import_notes_destroy(notes);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* A ring of bodies: one joint closes it. By MJCF a hinge becomes two points, a hinge about which a spring acts stays a hinge. */
static void loops_are_closed(void **state)
{
    (void)state;
    char text[2048] = "dimension: 3\nbodies:\n";
    for (int i = 0; i < 5; ++i)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  - {name: b%d, position: [%d, 0, 0], mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n", i, i);
    strcat(text, "joints:\n");
    for (int i = 0; i < 6; ++i)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  - {name: j%d, type: revolute, bodies: [%s%.0d, %s%.0d], at: [%g, 0, 0], axis: [0, 1, 0]%s}\n", i,
                 i == 0   ? "world"
                 : i == 1 ? "b0"
                          : "b",
                 i > 1 ? i - 1 : 0,
                 i == 5   ? "world"
                 : i == 0 ? "b0"
                          : "b",
                 i > 0 && i < 5 ? i : 0, i - 0.5, i < 5 ? ", coordinates: {angle: {damping: 1}}" : "");
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = parse(context, text);
    cairn_import_notes *notes = NULL;
    char *made = NULL;
    assert_int_equal(cairn_model_mjcf(cairn_scene_model(scene), NULL, &made, &notes), CAIRN_OK);
    assert_noted(notes, "joint 'j5' closes a loop");
    assert_int_equal(times(made, "type=\"hinge\""), 5);
    assert_int_equal(times(made, "<connect"), 2);
    cairn_text_destroy(made);
    cairn_import_notes_destroy(notes);
    assert_int_equal(cairn_model_urdf(cairn_scene_model(scene), NULL, &made, &notes), CAIRN_OK);
    assert_noted(notes, "joint 'j5' closes a loop: not written");
    assert_int_equal(times(made, "type=\"continuous\""), 5);
    cairn_text_destroy(made);
    cairn_import_notes_destroy(notes);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* A chain too long for readers of XML is cut, and every joint is there, as a hinge or as a loop. */
static void long_chains_are_cut(void **state)
{
    (void)state;
    enum
    {
        LINKS = 230
    };
    cairn_context *context = cairn_context_create();
    cairn_model *model = NULL;
    cairn_body last = {0};
    assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
    for (int i = 0; i < LINKS; ++i)
    {
        char name[24];
        cairn_body_options o = cairn_body_default();
        cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_BALL);
        cairn_body body;
        cairn_joint joint;
        snprintf(name, sizeof name, "%d", i);
        o.name = j.name = name;
        o.mass = o.inertia[0] = o.inertia[1] = o.inertia[2] = 1;
        o.position[0] = i + 0.5;
        assert_int_equal(cairn_model_add_body(model, &o, &body), CAIRN_OK);
        j.a = cairn_model_attach(model, last, (double[3]){i, 0, 0});
        j.b = cairn_model_attach(model, body, (double[3]){i, 0, 0});
        assert_int_equal(cairn_model_add_joint(model, &j, &joint), CAIRN_OK);
        last = body;
    }
    char *text = NULL;
    assert_int_equal(cairn_model_mjcf(model, NULL, &text, NULL), CAIRN_OK);
    assert_int_equal(times(text, "type=\"ball\"") + times(text, "<connect"), LINKS);
    assert_int_equal(times(text, "<connect"), times(text, "<freejoint/>"));
    cairn_scene *read = read_again(context, text);
    assert_int_equal(cairn_model_joint_count(cairn_scene_model(read)), LINKS);
    assert_int_equal(cairn_model_body_count(cairn_scene_model(read)), LINKS);
    cairn_scene_destroy(read);
    cairn_text_destroy(text);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
}

/* Meshes of URDF are files: a hull and a cone, whose volumes are known. Read again, they have them. */
static void meshes_are_files(void **state)
{
    (void)state;
    char folder[] = "urdf-XXXXXX", path[64];
    cairn_context *context = cairn_context_create();
    cairn_scene *scene =
        parse(context, "dimension: 3\nbodies:\n"
                       "  - {name: stone, position: [0.1, 0.2, 0.3], orientation: [0.5, 0.5, 0.5, 0.5], mass: 2, "
                       "inertia: [1, 2, 2.5, 0, 0, 0], shapes: [{type: hull, vertices: [[0, 0, 0], [1, 0, 0], "
                       "[0, 1, 0], [0, 0, 1]], position: [1, 2, 3]}, {type: cone, radius: 1, height: 3}]}\n");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.b.urdf", folder);
    assert_int_equal(cairn_model_save_urdf(cairn_scene_model(scene), NULL, path, NULL), CAIRN_OK);
    cairn_scene *read = NULL;
    if (cairn_import_file(context, path, NULL, NULL, &read))
        fail_msg("%s", cairn_context_last_message(context));
    const cairn_model *model = cairn_scene_model(read);
    assert_int_equal(cairn_model_shape_count(model), 2);
    const double volume[2] = {1.0 / 6, 48 * 0.5 * sin(6.283185307179586 / 48)};
    for (int i = 0; i < 2; ++i)
    {
        crn_moments moments = crn_hull_moments(model->shapes[i].form->hull);
        assert_near(moments.volume, volume[i], 1e-14);
        assert_near(crn_frame_of(&model->shapes[i])->position[2], i == 0 ? 3 : 0, 1e-14);
    }
    cairn_scene_destroy(read);
    unlink(path);
    for (int i = 1; i <= 2; ++i)
    {
        snprintf(path, sizeof path, "%s/a.b-%d.obj", folder, i);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static void wrong_models_are_refused(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_model *flat = NULL, *model = NULL;
    cairn_body_options o = cairn_body_default();
    cairn_body body;
    char *text = (char *)"";
    cairn_import_notes *notes = (cairn_import_notes *)context;
    assert_int_equal(cairn_model_create(context, 2, &flat), CAIRN_OK);
    assert_int_equal(cairn_model_mjcf(flat, NULL, &text, &notes), CAIRN_INVALID);
    assert_null(text);
    assert_null(notes);
    assert_string_equal(cairn_context_last_message(context),
                        "the model is planar; MJCF describes robots in space alone");
    assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
    o.name = "shadow";
    assert_int_equal(cairn_model_add_body(model, &o, &body), CAIRN_OK);
    assert_int_equal(cairn_model_urdf(model, NULL, &text, NULL), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(context), "shadow"));
    assert_int_equal(cairn_model_save_urdf(model, NULL, NULL, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_model_mjcf(NULL, NULL, &text, NULL), CAIRN_INVALID);
    cairn_save_options unset = {0};
    assert_int_equal(cairn_model_mjcf(model, &unset, &text, NULL), CAIRN_INVALID);
    cairn_model_destroy(model);
    assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
    assert_int_equal(cairn_model_save_mjcf(model, NULL, "no-such-folder/a.xml", NULL), CAIRN_IO);
    char name[300];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    o.name = name;
    o.kind = CAIRN_FIXED;
    assert_int_equal(cairn_model_add_body(model, &o, &body), CAIRN_OK);
    assert_int_equal(cairn_model_mjcf(model, NULL, &text, NULL), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(context), "more than 200 bytes"));
    cairn_model_destroy(model);
    /* bodies so far apart that what lies between them has no number */
    assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
    cairn_body_options far = cairn_body_default();
    cairn_joint_options joint = cairn_joint_default(CAIRN_JOINT_BALL);
    cairn_attachment *const end[2] = {&joint.a, &joint.b};
    cairn_joint made;
    far.mass = far.inertia[0] = far.inertia[1] = far.inertia[2] = 1;
    for (int i = 0; i < 2; ++i)
    {
        far.name = i == 0 ? "left" : "right";
        far.position[0] = i == 0 ? -1.5e308 : 1.5e308;
        assert_int_equal(cairn_model_add_body(model, &far, &end[i]->body), CAIRN_OK);
        end[i]->point[0] = -far.position[0];
    }
    joint.name = "bond";
    assert_int_equal(cairn_model_add_joint(model, &joint, &made), CAIRN_OK);
    assert_int_equal(cairn_model_mjcf(model, NULL, &text, NULL), CAIRN_NUMERIC);
    assert_null(text);
    cairn_model_destroy(model);
    cairn_model_destroy(flat);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_written),        cmocka_unit_test(couplings_are_written),
        cmocka_unit_test(springs_of_hinges_add_up), cmocka_unit_test(parts_are_written_or_noted),
        cmocka_unit_test(loops_are_closed),         cmocka_unit_test(long_chains_are_cut),
        cmocka_unit_test(meshes_are_files),         cmocka_unit_test(wrong_models_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
