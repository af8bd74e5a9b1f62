/* Robots that were written and read again: bodies, joints and what acts on them are those of the model, in every built-in scene of space,
 * or a note names what is missing; and mechanisms of every class of joints, at random poses and with the bodies of a joint in either
 * order, move as before. tests/export/compare_motion.py compares with MuJoCo. */
#include "math/vec.h"
#include "model/model.h"
#include "support/check.h"
#include "support/linkage.h"
#include "support/random_scene.h"
#include "support/worlds.h"

#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef cairn_status (*write_fn)(const cairn_model *model, const cairn_save_options *options, char **out,
                                 cairn_import_notes **notes);

static bool notes_name(const cairn_import_notes *notes, const char *kind, const char *name)
{
    char wanted[160];
    snprintf(wanted, sizeof wanted, "%s '%s'", kind, name);
    for (int i = 0; i < cairn_import_note_count(notes); ++i)
        if (strstr(cairn_import_note(notes, i).text, wanted))
            return true;
    return false;
}

static cairn_scene *write_and_read(cairn_context *context, const cairn_model *model, const cairn_save_options *options,
                                   write_fn write, const char *keyframe, cairn_import_notes **notes)
{
    char *text = NULL;
    cairn_scene *scene = NULL;
    cairn_import_options how = cairn_import_default();
    how.keyframe = keyframe;
    if (write(model, options, &text, notes) ||
        cairn_import_parse(context, "written", text, strlen(text), &how, NULL, &scene))
        fail_msg("%s\n%s", cairn_context_last_message(context), text ? text : "");
    cairn_text_destroy(text);
    return scene;
}

/* -------------------------------------------------------------------------------------------------------- comparing */

static double pose_of(const cairn_model *model, int body, double x[3], double R[9])
{
    cairn_body_state pose = {.orientation = {1}};
    if (body >= 0)
        crn_model_pose_at(model, body, 0, &pose);
    memcpy(x, pose.position, sizeof pose.position);
    crn_quaternion_to_matrix(pose.orientation, R);
    return 1 + crn_norm3(x);
}

static void same_numbers(const char *who, const char *what, const double *found, const double *expected, int count,
                         double scale)
{
    for (int i = 0; i < count; ++i)
        if (!(fabs(found[i] - expected[i]) <= 1e-12 * scale))
            fail_msg("%s: %s[%d] is %.17g instead of %.17g", who, what, i, found[i], expected[i]);
}

static void same_body(const cairn_model *one, int i, const cairn_model *other, int k)
{
    double x[3], y[3], R[9], S[9], inertia[9], again[9];
    const char *name = one->bodies[i].name;
    double size = pose_of(one, i, x, R);
    pose_of(other, k, y, S);
    same_numbers(name, "position", y, x, 3, size);
    same_numbers(name, "orientation", S, R, 9, 1);
    if (one->bodies[i].kind != CAIRN_DYNAMIC)
        return;
    double mass = cairn_model_body_mass(one, cairn_model_body(one, i)),
           found = cairn_model_body_mass(other, cairn_model_body(other, k));
    same_numbers(name, "mass", &found, &mass, 1, mass);
    cairn_model_body_inertia(one, cairn_model_body(one, i), inertia);
    cairn_model_body_inertia(other, cairn_model_body(other, k), again);
    if (!one->bodies[i].point)
        same_numbers(name, "inertia", again, inertia, 9, inertia[0] + inertia[4] + inertia[8]);
}

/* Where a coordinate is at the start, from the definition of a slide: the way of b's point along a's axis. */
static double slide_at_start(const cairn_model *model, const crn_joint *joint, const char *coordinate)
{
    double x[2][3], R[9], d[3], axis[3];
    const crn_attachment *end[2] = {&joint->a, &joint->b};
    if (strcmp(coordinate, "position") != 0)
        return 0;
    for (int i = 0; i < 2; ++i)
    {
        pose_of(model, end[i]->body, x[i], R);
        crn_rotate3(R, end[i]->point, d);
        crn_add3(x[i], d, x[i]);
    }
    pose_of(model, joint->a.body, d, R);
    crn_rotate3(R, joint->axis[0][0], axis);
    crn_sub3(x[1], x[0], d);
    return crn_dot3(d, axis);
}

/* Damping of the angular springs of a joint's two bodies: in the built-in scenes all of them are about its axis. */
static double spring_damping(const cairn_model *model, const crn_joint *joint)
{
    double sum = 0;
    for (size_t i = 0; i < model->spring_count; ++i)
    {
        const crn_spring *s = &model->springs[i];
        bool same = s->a.body == joint->a.body && s->b.body == joint->b.body,
             swapped = s->a.body == joint->b.body && s->b.body == joint->a.body;
        sum += s->kind == CAIRN_SPRING_ANGULAR && (same || swapped) ? s->damping : 0;
    }
    return sum;
}

static double bounded(double value, double most)
{
    return fmin(fmax(value, -most), most);
}

static void same_coordinates(const cairn_model *one, int i, const cairn_model *other, int k, double far)
{
    cairn_joint joint = cairn_model_joint(one, i), again = cairn_model_joint(other, k);
    for (int c = 0; c < cairn_model_coordinate_count(one, joint); ++c)
    {
        cairn_coordinate_info x = cairn_model_coordinate_info(one, joint, c),
                              y = cairn_model_coordinate_info(other, again, c);
        double from = slide_at_start(one, &one->joints[i], x.name),
               to = slide_at_start(other, &other->joints[k], x.name);
        bool ranged = isfinite(x.lower) || isfinite(x.upper);
        const double expected[4] = {bounded(x.lower - from, far), bounded(x.upper - from, far),
                                    x.damping + spring_damping(one, &one->joints[i]), x.friction},
                     found[4] = {bounded(y.lower - to, far), bounded(y.upper - to, far), y.damping, y.friction};
        same_numbers(one->joints[i].name, "what acts", found + (ranged ? 0 : 2), expected + (ranged ? 0 : 2),
                     ranged ? 4 : 2, ranged ? fmax(1, fabs(expected[0])) : 1);
    }
}

static void same_joint(const cairn_model *one, int i, const cairn_model *other, int k, double far)
{
    const crn_joint *joint = &one->joints[i], *again = &other->joints[k];
    double x[3], y[3], R[9], S[9], d[3], e[3];
    double size = pose_of(one, joint->b.body, x, R) + crn_norm3(joint->b.point);
    pose_of(other, again->b.body, y, S);
    crn_rotate3(R, joint->b.point, d);
    crn_add3(x, d, x);
    crn_rotate3(S, again->b.point, e);
    crn_add3(y, e, y);
    bool apart = joint->kind == CAIRN_JOINT_PRISMATIC || joint->kind == CAIRN_JOINT_CYLINDRICAL;
    if (!apart)
        same_numbers(joint->name, "point", y, x, 3, size);
    if (joint->kind == CAIRN_JOINT_BALL)
        return;
    pose_of(one, joint->a.body, x, R);
    pose_of(other, again->a.body, y, S);
    crn_rotate3(R, joint->axis[0][0], d);
    crn_rotate3(S, again->axis[0][0], e);
    bool swapped = strcmp(cairn_model_body_name(one, cairn_model_body(one, joint->b.body)),
                          cairn_model_body_name(other, cairn_model_body(other, again->b.body))) != 0;
    crn_scale3(swapped ? -1 : 1, e, e);
    same_numbers(joint->name, "axis", e, d, 3, 1);
    same_coordinates(one, i, other, k, far);
}

/* ----------------------------------------------------------------------------------------------------------- scenes */

static bool is_path(const crn_joint *joint)
{
    return joint->kind == CAIRN_JOINT_ROPE || joint->kind == CAIRN_JOINT_DISTANCE || joint->kind == CAIRN_JOINT_PULLEY;
}

static int compare_joints(const cairn_model *model, const cairn_model *read, const cairn_import_notes *notes,
                          double far)
{
    int same = 0;
    for (int i = 0; i < (int)model->joint_count; ++i)
    {
        const crn_joint *joint = &model->joints[i];
        cairn_joint found = cairn_model_find_joint(read, joint->name);
        if (joint->coupling || is_path(joint) || joint->kind == CAIRN_JOINT_WELD)
            continue;
        bool there = found.id != 0 && cairn_model_joint_kind(read, found) == joint->kind;
        if (!there && !notes_name(notes, "joint", joint->name) && joint->kind != CAIRN_JOINT_SCREW &&
            joint->kind != CAIRN_JOINT_PLANAR)
            fail_msg("joint '%s' is missing, and no note names it", joint->name);
        for (int k = 0; there && k < (int)read->joint_count; ++k)
            if (!strcmp(read->joints[k].name, joint->name))
                same_joint(model, i, read, k, far);
        same += there;
    }
    return same;
}

static int compare_bodies(const cairn_model *model, const cairn_model *read)
{
    int same = 0;
    for (int i = 0; i < (int)model->body_count; ++i)
    {
        int k = cairn_model_body_index(read, cairn_model_find_body(read, model->bodies[i].name));
        bool welded = false;
        for (size_t j = 0; j < model->joint_count; ++j)
            welded = welded || (model->joints[j].kind == CAIRN_JOINT_WELD &&
                                (model->joints[j].a.body == i || model->joints[j].b.body == i));
        if (k < 0 && !welded)
            fail_msg("body '%s' is missing", model->bodies[i].name);
        if (k >= 0 && !welded)
            same_body(model, i, read, k);
        same += k >= 0;
    }
    return same;
}

static void check_scenes(write_fn write, double far)
{
    int scenes = 0, bodies = 0, joints = 0;
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        cairn_builtin builtin = cairn_builtin_scene(i);
        cairn_context *context = cairn_context_create();
        cairn_scene *scene = NULL;
        cairn_import_notes *notes = NULL;
        assert_int_equal(cairn_scene_parse(context, builtin.name, builtin.text, builtin.length, NULL, 0, &scene),
                         CAIRN_OK);
        const cairn_model *model = cairn_scene_model(scene);
        if (model->dimension == 3 && !model->has_initial)
        {
            cairn_scene *read = write_and_read(context, model, NULL, write, NULL, &notes);
            bodies += compare_bodies(model, cairn_scene_model(read));
            joints += compare_joints(model, cairn_scene_model(read), notes, far);
            ++scenes;
            cairn_scene_destroy(read);
        }
        cairn_import_notes_destroy(notes);
        cairn_scene_destroy(scene);
        cairn_context_destroy(context);
    }
    print_message("%d scenes, %d bodies, %d joints\n", scenes, bodies, joints);
    assert_true(scenes > 30 && joints > 30);
}

static void built_in_scenes(void **state)
{
    (void)state;
    check_scenes(cairn_model_mjcf, 1e10);
    check_scenes(cairn_model_urdf, 1e9);
}

/* Scenes at random, with joints, springs, couplings and shapes of all kinds: what is written can be read. */
static void random_scenes_are_read_again(void **state)
{
    (void)state;
    static random_scene made;
    int bodies = 0;
    for (uint64_t seed = 1; seed <= 120; ++seed)
    {
        cairn_context *context = cairn_context_create();
        cairn_scene *scene = NULL;
        random_scene_make(&made, seed);
        assert_int_equal(cairn_scene_parse(context, "random", made.text, strlen(made.text), NULL, 0, &scene), CAIRN_OK);
        const cairn_model *model = cairn_scene_model(scene);
        for (int format = 0; format < 2 && model->dimension == 3 && !model->has_initial; ++format)
        {
            cairn_import_notes *notes = NULL;
            cairn_scene *read =
                write_and_read(context, model, NULL, format ? cairn_model_mjcf : cairn_model_urdf, NULL, &notes);
            bodies += compare_bodies(model, cairn_scene_model(read));
            cairn_import_notes_destroy(notes);
            cairn_scene_destroy(read);
        }
        cairn_scene_destroy(scene);
        cairn_context_destroy(context);
    }
    print_message("%d bodies\n", bodies);
    assert_true(bodies > 200);
}

/* ----------------------------------------------------------------------------------------------------------- motion */

static cairn_body add_body(cairn_model *model, uint64_t *seed, const char *name)
{
    cairn_body_options o = cairn_body_default();
    cairn_body body;
    o.name = name;
    o.mass = random_in(seed, 0.5, 2);
    for (int k = 0; k < 3; ++k)
    {
        o.inertia[k] = random_in(seed, 0.5, 0.7);
        o.inertia[k + 3] = random_in(seed, -0.05, 0.05);
        o.position[k] = random_in(seed, -1, 1);
    }
    for (int k = 0; k < 4; ++k)
        o.orientation[k] = random_in(seed, -1, 1);
    assert_int_equal(cairn_model_add_body(model, &o, &body), CAIRN_OK);
    return body;
}

/* A joint between two bodies, either of which may be its a, with something on its first coordinate. */
static cairn_joint add_joint(cairn_model *model, uint64_t *seed, cairn_joint_kind kind, const char *name, cairn_body a,
                             cairn_body b, double rate)
{
    static const cairn_joint_number PITCH = {"pitch", 0.4};
    cairn_joint_options o = cairn_joint_default(kind);
    cairn_joint joint;
    double at[3], unit[3], third[3];
    bool swapped = random_in(seed, 0, 1) < 0.5;
    for (int k = 0; k < 3; ++k)
    {
        at[k] = random_in(seed, -1, 1);
        o.axis[k] = random_in(seed, -1, 1);
    }
    o.name = name;
    o.a = cairn_model_attach(model, swapped ? b : a, at);
    o.b = cairn_model_attach(model, swapped ? a : b, at);
    crn_scale3(1 / crn_norm3(o.axis), o.axis, unit);
    if (kind == CAIRN_JOINT_UNIVERSAL || kind == CAIRN_JOINT_GIMBAL || kind == CAIRN_JOINT_DOUBLE_HINGE)
        crn_tangents(unit, o.second_axis, third);
    if (kind == CAIRN_JOINT_DOUBLE_HINGE)
        pass_beside(model, &o, random_in(seed, -0.5, 0.5));
    if (kind == CAIRN_JOINT_SCREW)
        o.numbers = &PITCH, o.number_count = 1;
    assert_int_equal(cairn_model_add_joint(model, &o, &joint), CAIRN_OK);
    cairn_coordinate_options acting = cairn_coordinate_default();
    acting.initial_rate = rate;
    /* a gimbal that begins turned is read with light bodies in between */
    acting.initial = isnan(rate) || kind == CAIRN_JOINT_GIMBAL ? NAN : 0.4;
    acting.damping = 0.3;
    acting.stiffness = 2;
    acting.rest.expression = "0.2";
    acting.lower = -30;
    acting.upper = 30;
    if (kind != CAIRN_JOINT_BALL && kind != CAIRN_JOINT_WELD)
        assert_int_equal(
            cairn_model_set_coordinate(model, joint, cairn_model_coordinate_name(model, joint, 0), &acting), CAIRN_OK);
    cairn_coordinate_options range = cairn_coordinate_default();
    range.lower = -1.4; /* without a range it is read with light bodies in between */
    range.upper = 1.4;
    if (kind == CAIRN_JOINT_GIMBAL)
        assert_int_equal(cairn_model_set_coordinate(model, joint, "second_angle", &range), CAIRN_OK);
    return joint;
}

/* The largest difference of positions after some steps. */
static double difference(cairn_context *context, const cairn_model *one, const cairn_model *other, int steps, double h)
{
    const cairn_model *models[2] = {one, other};
    cairn_simulation *simulation[2] = {0};
    cairn_settings settings = cairn_settings_default();
    double most = 0;
    settings.step = h;
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    for (int i = 0; i < 2; ++i)
    {
        if (cairn_simulation_create(context, models[i], &settings, &simulation[i]))
            fail_msg("%s", cairn_context_last_message(context));
        for (int k = 0; k < steps; ++k)
            if (cairn_simulation_step(simulation[i]))
                fail_msg("%s", cairn_context_last_message(context));
    }
    for (int i = 0; i < cairn_model_body_count(one); ++i)
    {
        cairn_body body = cairn_model_body(one, i),
                   again = cairn_model_find_body(other, cairn_model_body_name(one, body));
        cairn_body_state x = cairn_simulation_body(simulation[0], body),
                         y = cairn_simulation_body(simulation[1], again);
        if (cairn_model_body_kind(one, body) != CAIRN_DYNAMIC)
            continue;
        assert_true(again.id != 0);
        for (int k = 0; k < 3; ++k)
            most = fmax(most, fabs(x.position[k] - y.position[k]));
    }
    cairn_simulation_destroy(simulation[0]);
    cairn_simulation_destroy(simulation[1]);
    return most;
}

static void mechanisms_move_as_before(void **state)
{
    (void)state;
    static const cairn_joint_kind KINDS[] = {CAIRN_JOINT_REVOLUTE,    CAIRN_JOINT_PRISMATIC, CAIRN_JOINT_BALL,
                                             CAIRN_JOINT_CYLINDRICAL, CAIRN_JOINT_UNIVERSAL, CAIRN_JOINT_PLANAR,
                                             CAIRN_JOINT_GIMBAL,      CAIRN_JOINT_SCREW,     CAIRN_JOINT_DOUBLE_HINGE};
    enum
    {
        COUNT = (int)(sizeof KINDS / sizeof KINDS[0])
    };
    uint64_t seed = 7;
    for (int i = 0; i < 4 * COUNT; ++i)
    {
        cairn_context *context = cairn_context_create();
        cairn_model *model = NULL;
        cairn_import_notes *notes = NULL;
        /* Planes get light bodies in between when they are read; the rest is the tolerance of steps and assembled rates. */
        bool plane = KINDS[i % COUNT] == CAIRN_JOINT_PLANAR, moves = i / COUNT % 2 == 1 && !plane;
        double tolerance = plane ? 1e-4 : 1e-6;
        assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
        cairn_body first = add_body(model, &seed, "first"), second = add_body(model, &seed, "second");
        add_joint(model, &seed, KINDS[i % COUNT], "one", (cairn_body){0}, first, moves ? 0.7 : NAN);
        add_joint(model, &seed, CAIRN_JOINT_REVOLUTE, "two", first, second, moves ? -1.1 : NAN);
        const char *keyframe = moves ? "initial" : NULL;
        cairn_scene *read = write_and_read(context, model, NULL, cairn_model_mjcf, keyframe, &notes);
        double off = difference(context, model, cairn_scene_model(read), 100, 0.004);
        if (!(off <= tolerance))
            fail_msg("%s: off by %g", cairn_model_joint_type(model, cairn_model_joint(model, 0)), off);
        cairn_import_notes_destroy(notes);
        cairn_scene_destroy(read);
        cairn_model_destroy(model);
        cairn_context_destroy(context);
    }
}

/* A hinge that closes a loop is written as two points of its axis, which hold the same. */
static void loops_move_as_before(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"four-bar", "bricard"};
    int done = 0;
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        cairn_builtin builtin = cairn_builtin_scene(i);
        if (strcmp(builtin.name, NAMES[0]) != 0 && strcmp(builtin.name, NAMES[1]) != 0)
            continue;
        cairn_context *context = cairn_context_create();
        cairn_scene *scene = NULL;
        cairn_import_notes *notes = NULL;
        assert_int_equal(cairn_scene_parse(context, builtin.name, builtin.text, builtin.length, NULL, 0, &scene),
                         CAIRN_OK);
        const cairn_model *model = cairn_scene_model(scene);
        const char *keyframe = !strcmp(builtin.name, NAMES[0]) ? "initial" : NULL; /* it moves from the start */
        cairn_scene *read = write_and_read(context, model, NULL, cairn_model_mjcf, keyframe, &notes);
        double off = difference(context, model, cairn_scene_model(read), 50, 0.002);
        assert_true(off < 1e-7);
        ++done;
        cairn_import_notes_destroy(notes);
        cairn_scene_destroy(read);
        cairn_scene_destroy(scene);
        cairn_context_destroy(context);
    }
    assert_int_equal(done, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_scenes),
        cmocka_unit_test(random_scenes_are_read_again),
        cmocka_unit_test(mechanisms_move_as_before),
        cmocka_unit_test(loops_move_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
