/* Models that were saved and loaded again move as before, to the bit: every built-in scene, random scenes, every class of joints between
 * bodies at random poses, with all that may act on their coordinates, and shapes of all kinds. */
#include "math/vec.h"
#include "model/joints/joint_class.h"
#include "support/check.h"
#include "support/linkage.h"
#include "support/random_scene.h"
#include "support/worlds.h"

#include <cairn/cairn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- comparing */

static cairn_scene *save_and_load(cairn_context *context, const cairn_model *model, const cairn_save_options *options)
{
    char *text = NULL, *again = NULL;
    cairn_scene *scene = NULL;
    if (cairn_model_text(model, options, &text) ||
        cairn_scene_parse(context, "saved", text, strlen(text), NULL, 0, &scene))
        fail_msg("%s", cairn_context_last_message(context));
    /* what was saved once is saved the same way again */
    assert_int_equal(cairn_model_text(cairn_scene_model(scene), options, &again), CAIRN_OK);
    assert_string_equal(again, text);
    cairn_text_destroy(text);
    cairn_text_destroy(again);
    return scene;
}

static bool have_same_bits(const cairn_simulation *a, const cairn_simulation *b, const cairn_model *one,
                           const cairn_model *other)
{
    for (int i = 0; i < cairn_model_body_count(one); ++i)
    {
        cairn_body_state x = cairn_simulation_body(a, cairn_model_body(one, i)),
                         y = cairn_simulation_body(b, cairn_model_body(other, i));
        if (memcmp(x.position, y.position, sizeof x.position) || memcmp(x.velocity, y.velocity, sizeof x.velocity) ||
            memcmp(x.orientation, y.orientation, sizeof x.orientation) ||
            memcmp(x.angular_velocity, y.angular_velocity, sizeof x.angular_velocity))
            return false;
    }
    return true;
}

/* Run both for some steps; they may fail, but then both do. Returns how many steps succeeded. */
static int compare_motions(const char *what, cairn_context *context, const cairn_model *one, const cairn_model *other,
                           const cairn_settings *settings, int steps)
{
    cairn_simulation *a = NULL, *b = NULL;
    assert_int_equal(cairn_model_body_count(one), cairn_model_body_count(other));
    cairn_status first = cairn_simulation_create(context, one, settings, &a),
                 second = cairn_simulation_create(context, other, settings, &b);
    assert_int_equal(first, second);
    int done = 0;
    while (done < steps && !first)
    {
        first = cairn_simulation_step(a);
        second = cairn_simulation_step(b);
        if (first != second || !have_same_bits(a, b, one, other))
            fail_msg("%s: step %d differs", what, done + 1);
        done += first == CAIRN_OK;
    }
    cairn_simulation_destroy(a);
    cairn_simulation_destroy(b);
    return done;
}

static int check_scene(const char *what, const char *text, size_t length, int steps)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    if (cairn_scene_parse(context, what, text, length, NULL, 0, &scene))
        fail_msg("%s: %s", what, cairn_context_last_message(context));
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_save_options options = cairn_save_default();
    options.title = cairn_scene_title(scene);
    options.settings = &settings;
    options.until = cairn_scene_until(scene);
    cairn_scene *loaded = save_and_load(context, cairn_scene_model(scene), &options);
    cairn_settings after = cairn_scene_settings(loaded);
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        char before[512], now[512];
        cairn_settings_get(&settings, cairn_setting_at(i)->name, before, sizeof before);
        cairn_settings_get(&after, cairn_setting_at(i)->name, now, sizeof now);
        assert_string_equal(before, now);
    }
    assert_true(cairn_scene_until(loaded) == cairn_scene_until(scene));
    assert_string_equal(cairn_scene_title(loaded), cairn_scene_title(scene));
    int done = compare_motions(what, context, cairn_scene_model(scene), cairn_scene_model(loaded), &settings, steps);
    cairn_scene_destroy(scene);
    cairn_scene_destroy(loaded);
    cairn_context_destroy(context);
    return done;
}

/* ---------------------------------------------------------------------------------------------------------- scenes */

static void built_in_scenes(void **state)
{
    (void)state;
    int total = 0;
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        cairn_builtin scene = cairn_builtin_scene(i);
        total += check_scene(scene.name, scene.text, scene.length, 12);
    }
    print_message("%d steps of %d scenes\n", total, cairn_builtin_count());
    assert_true(total > 10 * cairn_builtin_count());
}

static void random_scenes(void **state)
{
    (void)state;
    static random_scene scene;
    int total = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed)
    {
        char name[24];
        snprintf(name, sizeof name, "seed %d", (int)seed);
        random_scene_make(&scene, seed);
        total += check_scene(name, scene.text, strlen(scene.text), 15);
    }
    print_message("%d steps of 60 scenes\n", total);
    assert_true(total > 700);
}

/* ---------------------------------------------------------------------------------------------------------- joints */

static cairn_body add_body(cairn_model *model, uint64_t *seed, int dimension, const char *name)
{
    cairn_body_options o = cairn_body_default();
    cairn_body body;
    o.name = name;
    o.mass = random_in(seed, 0.5, 2);
    o.inertia[2] = random_in(seed, 0.5, 1);
    for (int k = 0; dimension == 3 && k < 2; ++k)
        o.inertia[k] = random_in(seed, 0.5, 1);
    o.inertia[3] = dimension == 3 ? 0.01 : 0;
    o.angle = random_in(seed, -2, 2);
    for (int k = 0; k < 4; ++k)
        o.orientation[k] = random_in(seed, -1, 1);
    for (int k = 0; k < dimension; ++k)
        o.position[k] = random_in(seed, -1, 1);
    assert_int_equal(cairn_model_add_body(model, &o, &body), CAIRN_OK);
    return body;
}

static cairn_joint_options random_joint(uint64_t *seed, int dimension, const crn_joint_class *type, int kind)
{
    cairn_joint_options o = cairn_joint_default((cairn_joint_kind)kind);
    double unit[3], unused[3];
    for (int k = 0; k < dimension; ++k)
    {
        o.axis[k] = random_in(seed, -1, 1);
        o.over[0][k] = random_in(seed, 2, 3);
        o.over[1][k] = random_in(seed, -3, -2);
    }
    crn_scale3(1 / crn_norm3(o.axis), o.axis, unit);
    if (dimension == 3 && type->fields & (CRN_JOINT_SECOND_AXIS | CRN_JOINT_BENT))
        crn_tangents(unit, o.second_axis, unused);
    o.name = "joint";
    o.weight = random_in(seed, 0.5, 2);
    o.collide = random_in(seed, 0, 1) < 0.5;
    return o;
}

/* Everything that may act on a coordinate, by chance. */
static void set_coordinates(cairn_model *model, cairn_joint joint, uint64_t *seed)
{
    static const double TABLE[] = {0, 0.1, 0.3, -0.2, 0.7, 0.4};
    int count = cairn_model_coordinate_count(model, joint), first = random_in(seed, 0, 1) < 0.5 ? 0 : count - 1;
    for (int i = 0; i < count; ++i)
    {
        cairn_coordinate_options o = cairn_coordinate_default();
        const char *name = cairn_model_coordinate_name(model, joint, first == 0 ? i : count - 1 - i);
        int way = (int)random_in(seed, 0, 6);
        if (way == 0)
            o.stiffness = 3, o.damping = 0.1, o.rest.expression = "0.1*sin(3*t)";
        else if (way == 1)
            o.lower = -5.25, o.upper = 6.5, o.restitution = 0.3, o.friction = 0.2;
        else if (way == 2)
            o.drive = CAIRN_DRIVE_POSITION, o.target.table = TABLE, o.target.table_count = 3, o.drive_stiffness = 20,
            o.drive_damping = 1;
        else if (way == 3)
            o.drive = CAIRN_DRIVE_SPEED, o.target.expression = "max(0.1, t)", o.drive_damping = 2, o.drive_limit = 5,
            o.drive_power = 1.5;
        else if (way == 4)
            o.drive = CAIRN_DRIVE_FORCE, o.target.expression = "-0.5 + b.x", o.lower = -7;
        assert_int_equal(cairn_model_set_coordinate(model, joint, name, &o), CAIRN_OK);
    }
}

static int check_joint(uint64_t *seed, int dimension, int kind)
{
    const crn_joint_class *type = crn_joint_class_at(NULL, kind);
    if (type->equations[dimension - 2] + type->bounded[dimension - 2] == 0)
        return 0;
    cairn_context *context = cairn_context_create();
    cairn_model *model = NULL;
    cairn_joint joint;
    double at[3] = {0}, other[3] = {0}, matrix[36] = {0};
    assert_int_equal(cairn_model_create(context, dimension, &model), CAIRN_OK);
    cairn_body a = add_body(model, seed, dimension, "a"), b = add_body(model, seed, dimension, "b");
    cairn_joint_options o = random_joint(seed, dimension, type, kind);
    for (int k = 0; k < dimension; ++k)
    {
        at[k] = random_in(seed, -1, 1);
        other[k] = type->fields & CRN_JOINT_APART ? random_in(seed, -1, 1) : at[k];
    }
    o.a = cairn_model_attach(model, a, at);
    o.b = cairn_model_attach(model, b, other);
    if (kind == CAIRN_JOINT_DOUBLE_HINGE)
        pass_beside(model, &o, random_in(seed, -1, 1));
    cairn_joint_number number = {type->number_count > 0 ? type->numbers[0].name : "", random_in(seed, 0.3, 2)};
    o.numbers = &number;
    o.number_count = type->number_count > 0;
    int n = dimension == 2 ? 3 : 6;
    for (int i = 0; i < n * n; ++i)
        matrix[i] = i % (n + 1) == 0 ? 50 + i : 0.25;
    o.stiffness_matrix = type->fields & CRN_JOINT_MATRICES ? matrix : NULL;
    if (cairn_model_add_joint(model, &o, &joint))
        fail_msg("%s: %s", type->name, cairn_context_last_message(context));
    set_coordinates(model, joint, seed);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    settings.step = 0.004;
    settings.initial = CAIRN_INITIAL_PROJECT;
    cairn_scene *loaded = save_and_load(context, model, NULL);
    int done = compare_motions(type->name, context, model, cairn_scene_model(loaded), &settings, 8);
    cairn_scene_destroy(loaded);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return done;
}

static void joints_of_every_class(void **state)
{
    (void)state;
    uint64_t seed = 7;
    int total = 0;
    for (int kind = 0; crn_joint_class_at(NULL, kind); ++kind)
        for (int dimension = 2; dimension <= 3; ++dimension)
            for (int turn = 0; turn < 8; ++turn)
                total += check_joint(&seed, dimension, kind);
    print_message("%d steps with joints\n", total);
    assert_true(total > 1500);
}

/* ---------------------------------------------------------------------------------------------------------- shapes */

static const char *const WORLDS[] = {
    /* a hull with a point inside, recentred; a mesh with a vertex too many, scaled and flipped; a height field */
    "dimension: 3\nbodies:\n"
    "  - {name: ground, kind: fixed, shapes: [{type: height-field, heights: 0.1*sin(x)*y, points: [7, 5], spacing: "
    "0.7, scale: 0.3}]}\n"
    "  - {name: dent, kind: fixed, position: [0, 0, 0.05], shapes: [{type: height-field, heights: [[0, 0.1, 0], [0, "
    "-0.1, 0], [0, 0, "
    "0.3]], spacing: 0.3}]}\n"
    "  - {name: stone, position: [0, 0, 0.9], shapes: [{type: hull, density: 900, recentre: true, scale: 0.3, "
    "vertices: "
    "[[0.1, 0, 0], [1, 0, 0], [0, 1, 0.2], [-1, -1, 0], [0, 0, 1], [0.3, 0.2, -1]]}]}\n"
    "  - {name: wedge, position: [1, 0.3, 1], orientation: [1, 2, 3, 4], shapes: [{type: mesh, flip: true, scale: 0.2, "
    "recentre: "
    "true, density: 100, vertices: [[9, 9, 9], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[1, 2, 3], [1, "
    "4, "
    "2], [2, 4, 3], [1, 3, 4]]}]}\n",
    /* half-spaces and every other shape of space in turned frames */
    "dimension: 3\nmaterials: [{name: ice, friction: 0}, {name: \"45\", friction: 0.9, restitution: 0.2}]\n"
    "pairs: [{materials: [ice, default], friction: 0.1}]\nbodies:\n"
    "  - {name: slope, kind: fixed, shapes: [{type: half-space, normal: [0.1, 0.2, 3], orientation: [5, 1, 1, 0], "
    "material: ice}]}\n"
    "  - {name: lot, position: [0, 0, 1], orientation: {axis: [1, 1, 0], angle: 0.3}, angular_velocity: [1, 2, 3], "
    "mass: 2, inertia: [1, "
    "1, 1, 0.1, 0, 0], shapes: [{type: sphere, radius: 0.3, position: [0.1, 0, 0], material: \"45\"}, {type: box, "
    "size: [0.3, 0.4, 0.5], "
    "orientation: [1, 0.3, 0, 0.7]}, {type: capsule, radius: 0.1, length: 1}, {type: cone, radius: 0.2, height: 0.7}, "
    "{type: "
    "cylinder, radius: 0.1, height: 1.1, position: [0, 0, 0.1]}, {type: ellipsoid, radii: [0.5, 0.2, 0.1]}]}\n"
    "springs: [{name: s, type: angular, bodies: [world, lot], axis: [1, 2, 3], stiffness: 3, damping: 0.1}, "
    "{name: r, type: linear, bodies: [world, lot], points: [[0, 0, 3], [0.1, 0, 0]], stiffness: 30}]\n"
    "forces: [{name: f, body: lot, force: [\"max(t, 0.1)\", 0, lot.z], torque: [0, t, 0], point: [0.1, 0, 0], frame: "
    "body}]\n",
    /* the plane: outlines clockwise and concave, chains, motions, groups */
    "dimension: 2\ngravity: [0.1, -9.81]\nbodies:\n"
    "  - {name: floor, kind: driven, motion: {position: [0.1*sin(9*t), 0], angle: 0.1*t}, groups: [walls], shapes: "
    "[{type: chain, vertices: "
    "[[-5, 0.1], [0, 0], [5, 0.2]]}, {type: segment, length: 3, angle: 0.1}, {type: half-plane, normal: [0.3, 3], "
    "position: [0, -2]}]}\n"
    "  - {name: ell, position: [0, 1], angle: 0.3, mass: 1, inertia: 0.3, groups: [movers, default], collides_with: "
    "[walls], shapes: "
    "[{type: polygon, vertices: [[0, 0], [0, 1], [0.5, 1], [0.5, 0.5], [1, 0.5], [1, 0]]}, {type: rectangle, size: "
    "[0.3, 0.2]}]}\n"
    "  - {name: disc, position: [1, 2], angle: -0.0, shapes: [{type: circle, radius: 0.3, density: 20}], "
    "collides_with: [walls]}\n"
    "  - {name: pill, position: [-1, 2], shapes: [{type: capsule, radius: 0.1, length: 1, density: 20}]}\n"
    "  - {name: egg, position: [-2, 2], hold: true, shapes: [{type: ellipse, radii: [0.3, 0.1], density: 20}]}\n"
    "  - {name: dot, point: true, mass: 1, position: [3, 2], shapes: [{type: point}]}\n"
    "forces: [{name: drag, body: dot, force: [\"-0.1*body:'pill'.vx\", \"min(t, 1)\"], torque: 0}, {name: twist, body: "
    "ell, torque: "
    "-3*t}]\n"
    "ignore: [[pill, egg], [dot, pill]]\n",
};

static void shapes_of_every_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof WORLDS / sizeof WORLDS[0]; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "world %d", (int)i + 1);
        assert_int_equal(check_scene(name, WORLDS[i], strlen(WORLDS[i]), 120), 120);
    }
}

/* Hulls with more corners than a shape lists: two share a file, a third has its own. */
static void hulls_from_files(void **state)
{
    (void)state;
    uint64_t seed = 3;
    char text[8000], points[2][3000];
    for (int hull = 0; hull < 2; ++hull)
    {
        size_t used = 0;
        for (int i = 0; i < 40; ++i)
        {
            double x[3] = {random_in(&seed, -1, 1), random_in(&seed, -1, 1), random_in(&seed, -1, 1)};
            double size = 2.5 * crn_norm3(x); /* on a sphere, so that each is a corner */
            used += (size_t)snprintf(points[hull] + used, sizeof points[hull] - used, "%s[%.17g, %.17g, %.17g]",
                                     i > 0 ? ", " : "", x[0] / size, x[1] / size, x[2] / size);
        }
    }
    snprintf(
        text, sizeof text,
        "dimension: 3\nbodies:\n"
        "  - {name: ground, kind: fixed, shapes: [{type: half-space}]}\n"
        "  - {name: a, position: [0, 0, 0.5], mass: 1, inertia: [1, 1, 1], shapes: [{type: hull, vertices: &p [%s]}]}\n"
        "  - {name: b, position: [0, 0.1, 1.3], mass: 1, inertia: [1, 1, 1], shapes: [{type: hull, vertices: *p}]}\n"
        "  - {name: c, position: [1, 0, 0.5], mass: 1, inertia: [1, 1, 1], shapes: [{type: hull, vertices: [%s]}]}\n",
        points[0], points[1]);
    assert_int_equal(check_scene("hulls", text, strlen(text), 120), 120);
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    char *saved;
    assert_int_equal(cairn_scene_parse(context, "hulls", text, strlen(text), NULL, 0, &scene), CAIRN_OK);
    assert_int_equal(cairn_scene_written_out(scene, &saved), CAIRN_OK);
    const char *first = strstr(saved, "file: shape-2.obj"),
               *second = first ? strstr(first + 1, "file: shape-2.obj") : NULL;
    assert_non_null(second);
    assert_non_null(strstr(saved, "file: shape-4.obj"));
    assert_non_null(strstr(saved, "  shape-2.obj: |\n    v "));
    cairn_text_destroy(saved);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_scenes),       cmocka_unit_test(random_scenes),
        cmocka_unit_test(joints_of_every_class), cmocka_unit_test(shapes_of_every_kind),
        cmocka_unit_test(hulls_from_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
