/* Scene files: what a right one gives, what is said about each kind of wrong one, limits, and that schema and parser
 * know the same fields. The places in tests/data/bad-scenes are those of the marked words in the files. */
#include "cairn/scene.h"
#include "model/model.h"
#include "scene/document.h"
#include "scene/encoding.h"
#include "scene/joint_fields.h"
#include "scene/shape_fields.h"
#include "scene/tables.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BAD_SCENES CAIRN_SOURCE_DIR "/tests/data/bad-scenes"

/* ---------------------------------------------------------------------------------------------------- helpers */

static char *read_all(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        fail_msg("%s cannot be opened", path);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 20) - 1, stream);
    assert_true(length < (1 << 20) - 1);
    fclose(stream);
    return text;
}

/* All messages, one a line, as the command line shows them but without the file's name. */
static char *messages_of(const cairn_context *context)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    for (int i = 0; i < cairn_context_message_count(context); i++)
    {
        cairn_message message = cairn_context_message(context, i);
        fprintf(stream, "%d:%d: %s\n", message.line, message.column, message.text);
    }
    fclose(stream);
    return text;
}

static cairn_scene *parse_with(const char *text, const cairn_parameter *parameters, int count)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    if (cairn_scene_parse(context, "test.yaml", text, strlen(text), parameters, count, &scene) != CAIRN_OK)
        fail_msg("%s", messages_of(context));
    assert_int_equal(cairn_context_message_count(context), 0);
    /* The scene's model keeps no pointer that is needed after this. */
    cairn_context_destroy(context);
    return scene;
}

static cairn_scene *parse(const char *text)
{
    return parse_with(text, NULL, 0);
}

/* A wrong scene: its messages. */
static char *refuse(const char *text, size_t length, const cairn_parameter *parameters, int count)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = (cairn_scene *)&context;
    assert_int_equal(cairn_scene_parse(context, "test.yaml", text, length, parameters, count, &scene), CAIRN_INVALID);
    assert_null(scene);
    char *messages = messages_of(context);
    cairn_context_destroy(context);
    return messages;
}

static void assert_refused(const char *text, const char *messages)
{
    char *found = refuse(text, strlen(text), NULL, 0);
    assert_string_equal(found, messages);
    free(found);
}

static void assert_near(double found, double wanted)
{
    if (!(fabs(found - wanted) <= 4e-16 * fabs(wanted)))
        fail_msg("%.17g instead of %.17g", found, wanted);
}

/* ------------------------------------------------------------------------------------------------ wrong scenes */

static void check_bad_scene(const char *file)
{
    char path[1024], expected_path[1024];
    snprintf(path, sizeof path, "%s/%s", BAD_SCENES, file);
    snprintf(expected_path, sizeof expected_path, "%s", path);
    strcpy(strrchr(expected_path, '.'), ".expected");
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    cairn_status status = cairn_scene_load(context, path, NULL, 0, &scene);
    char *found = messages_of(context), *expected = read_all(expected_path);
    if (status != CAIRN_INVALID || scene != NULL || strcmp(found, expected) != 0)
        fail_msg("%s: status %d, messages:\n%sinstead of:\n%s", file, status, found, expected);
    for (int i = 0; i < cairn_context_message_count(context); i++)
        assert_string_equal(cairn_context_message(context, i).file, path);
    free(found);
    free(expected);
    cairn_context_destroy(context);
}

static void test_bad_scenes(void **state)
{
    (void)state;
    DIR *folder = opendir(BAD_SCENES);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
    {
        const char *end = strrchr(entry->d_name, '.');
        if (end == NULL || (strcmp(end, ".yaml") != 0 && strcmp(end, ".json") != 0))
            continue;
        check_bad_scene(entry->d_name);
        count++;
    }
    closedir(folder);
    assert_true(count >= 25);
}

static void test_unreadable_files(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene;
    assert_int_equal(cairn_scene_load(context, "no/such/file.yaml", NULL, 0, &scene), CAIRN_IO);
    assert_null(scene);
    assert_string_equal(cairn_context_last_message(context),
                        "no/such/file.yaml: cannot be read: No such file or directory");
    cairn_context_clear(context);
    assert_int_equal(cairn_scene_load(context, CAIRN_SOURCE_DIR, NULL, 0, &scene), CAIRN_IO);
    assert_non_null(strstr(cairn_context_last_message(context), "Is a directory"));
    cairn_context_destroy(context);
    assert_int_equal(cairn_scene_load(NULL, "no/such/file.yaml", NULL, 0, &scene), CAIRN_IO);
    assert_int_equal(cairn_scene_parse(NULL, NULL, "x: 1", 4, NULL, 0, &scene), CAIRN_INVALID);
}

/* ------------------------------------------------------------------------------------------------ right scenes */

static const char PLANE[] =
    "title: All of it\n"
    "dimension: 2\n"
    "gravity: [0.5, -g]\n"
    "parameters: {g: 10, mu: 0.25, w: 2*pi, low: -1.5e-3}\n"
    "materials: [{name: steel, friction: mu, restitution: mu/2}, {name: ice}]\n"
    "pairs: [{materials: [steel, default], friction: 2*mu, restitution: 1}]\n"
    "bodies:\n"
    "  - {name: floor, kind: fixed, shapes: [{type: half-plane, normal: [0, 2]}]}\n"
    "  - name: a\n"
    "    position: [1, \"sqrt(4)\"]\n"
    "    angle: pi/3\n"
    "    velocity: [3, 4]\n"
    "    angular_velocity: -w\n"
    "    material: steel\n"
    "    shapes:\n"
    "      - {type: rectangle, size: [2, 4], density: 3}\n"
    "      - {type: segment, length: 6, material: ice}\n"
    "  - {name: b, point: true, mass: 7, position: [5, 5]}\n"
    "  - {name: c, kind: driven, motion: {position: [low*sin(w*t), 1e2*t], angle: -t^2}}\n"
    "joints:\n"
    "  - {name: rod, type: distance, bodies: [a, b], points: [[0, 0], [0, 0]], collide: true}\n"
    "  - {name: pin, type: revolute, bodies: [a, world], at: [2, 3]}\n"
    "springs:\n"
    "  - {name: s, type: linear, bodies: [b, world], points: [[0, 0], [5, 1]], damping: 2}\n"
    "  - {name: h, type: angular, bodies: [a, c], stiffness: 3, rest: 0.5}\n"
    "forces:\n"
    "  - {name: f, body: a, force: [g*cos(w*t) - low, mu], torque: low^2*t, point: [1, 2],\n"
    "     frame: body}\n"
    "ignore: [[b, c]]\n"
    "simulation: {step: 1/20, until: 10, integrator: euler, law: pyramid(6), solver: lemke, forces: minimum-norm,\n"
    "             stabilisation: project, tolerance: 0, solver_tolerance: 1e-7, max_iterations: 33, threads: 3,\n"
    "             time_limit: 7, contact_tolerance: 1e-4, restitution_threshold: 0.5,\n"
    "             jacobian: linear, events: false, impact: newton,\n"
    "             event_floor: 1/64, initial: project, projection_tolerance: 1e-5,\n"
    "             audit: false, allow: [energy, not-finite]}\n";

static void check_settings(const cairn_scene *scene)
{
    cairn_settings settings = cairn_scene_settings(scene);
    assert_near(settings.step, 0.05);
    assert_near(cairn_scene_until(scene), 10);
    assert_int_equal(settings.integrator, CAIRN_INTEGRATOR_EULER);
    assert_int_equal(settings.law.kind, CAIRN_LAW_PYRAMID);
    assert_int_equal(settings.law.directions, 6);
    assert_int_equal(settings.stabilisation, CAIRN_STABILISE_PROJECT);
    assert_int_equal(settings.solver.kind, CAIRN_SOLVER_LEMKE);
    assert_int_equal(settings.solver.forces, CAIRN_FORCES_MINIMUM_NORM);
    assert_int_equal(settings.solver.max_iterations, 33);
    assert_near(settings.solver.time_limit, 7);
    assert_int_equal(settings.solver.threads, 3);
    assert_near(settings.solver.tolerance, 1e-7);
    assert_near(settings.contact_tolerance, 1e-4);
    assert_near(settings.restitution_threshold, 0.5);
    assert_near(settings.projection_tolerance, 1e-5);
    assert_int_equal(settings.jacobian, CAIRN_JACOBIAN_LINEAR);
    assert_int_equal(settings.impact, CAIRN_IMPACT_NEWTON);
    assert_int_equal(settings.initial, CAIRN_INITIAL_PROJECT);
    assert_false(settings.events);
    assert_false(settings.audit);
    assert_int_equal(settings.allow, 1u << CAIRN_VIOLATION_ENERGY | 1u << CAIRN_VIOLATION_NOT_FINITE);
    assert_near(settings.event_floor, 1.0 / 64);
}

/* The defaults that the documents promise. */
static void check_defaults(const cairn_scene *scene)
{
    cairn_settings settings = cairn_scene_settings(scene);
    assert_near(settings.step, 0.01);
    assert_near(cairn_scene_until(scene), 1);
    assert_int_equal(settings.integrator, CAIRN_INTEGRATOR_STIFF);
    assert_int_equal(settings.law.kind, CAIRN_LAW_CONE);
    assert_int_equal(settings.stabilisation, CAIRN_STABILISE_GAP);
    assert_int_equal(settings.solver.kind, CAIRN_SOLVER_AUTO);
    assert_int_equal(settings.solver.max_iterations, 0);
    assert_near(settings.solver.time_limit, 0);
    assert_int_equal(settings.solver.threads, 1);
    assert_near(settings.solver.tolerance, 1e-9);
    assert_near(settings.contact_tolerance, 1e-9);
    assert_near(settings.restitution_threshold, 0.01);
    assert_near(settings.projection_tolerance, 1e-10);
    assert_int_equal(settings.jacobian, CAIRN_JACOBIAN_EXACT);
    assert_int_equal(settings.impact, CAIRN_IMPACT_POISSON);
    assert_int_equal(settings.initial, CAIRN_INITIAL_REFUSE);
    assert_true(settings.events);
    assert_true(settings.audit);
    assert_int_equal(settings.allow, 0);
    assert_near(settings.event_floor, 1e-6);
}

static void check_body_a(const cairn_model *model)
{
    const crn_body *a = &model->bodies[1];
    assert_near(a->position[1], 2);
    assert_near(a->traits->initial.angle, acos(-1.0) / 3);
    assert_near(a->traits->initial.velocity[0], 3);
    assert_near(a->traits->initial.angular_velocity[2], -2 * acos(-1.0));
    /* A rectangle a by b of density rho: m = rho a b, I = m (a^2 + b^2)/12. */
    double mass, inertia[9];
    assert_int_equal(crn_model_mass(model, 1, &mass, inertia), CAIRN_OK);
    assert_near(mass, 24);
    assert_near(inertia[8], 24.0 * (4 + 16) / 12);
    /* The bar is 6 long, centred on x; floor, rectangle, bar are shapes 0, 1, 2. */
    assert_int_equal(model->shape_count, 3);
    assert_int_equal(model->shapes[1].form->vertex_count, 4);
    assert_near(model->shapes[2].form->vertices[0], -3);
    assert_near(model->shapes[2].form->vertices[2], 3);
    assert_near(model->shapes[0].form->normal[1], 1);
    double friction, restitution;
    crn_materials_pair(model, model->shapes[0].material, model->shapes[1].material, &friction, &restitution);
    assert_near(friction, 0.5);
    assert_near(restitution, 1);
    crn_materials_pair(model, model->shapes[0].material, model->shapes[2].material, &friction, &restitution);
    assert_near(friction, 0.5);
    assert_near(restitution, 0);
}

/* Expressions with the parameters written in mean what C makes of them. */
static void check_formulas(const cairn_model *model)
{
    const double w = 2 * acos(-1.0), low = -1.5e-3;
    for (int i = 0; i < 50; i++)
    {
        double t = 0.137 * i;
        const crn_force *f = &model->forces[0];
        assert_near(crn_expression_evaluate(f->force[0], &t), 10 * cos(w * t) - low);
        assert_near(crn_expression_evaluate(f->force[1], &t), 0.25);
        assert_near(crn_expression_evaluate(f->torque[2], &t), pow(low, 2) * t);
        cairn_body_state pose;
        crn_model_pose_at(model, 3, t, &pose);
        assert_near(pose.position[0], low * sin(w * t));
        assert_near(pose.position[1], 1e2 * t);
        assert_near(pose.angle, -pow(t, 2));
    }
}

static void test_planar_scene(void **state)
{
    (void)state;
    cairn_scene *scene = parse(PLANE);
    const cairn_model *model = cairn_scene_model(scene);
    assert_string_equal(cairn_scene_title(scene), "All of it");
    assert_string_equal(cairn_scene_text(scene), PLANE);
    assert_int_equal(cairn_model_dimension(model), 2);
    assert_near(model->gravity[0], 0.5);
    assert_near(model->gravity[1], -10);
    assert_int_equal(cairn_model_body_count(model), 4);
    check_settings(scene);
    check_body_a(model);
    check_formulas(model);
    assert_true(model->bodies[2].point);
    assert_near(model->joints[0].length, 5); /* (1, 2) to (5, 5) */
    assert_true(crn_model_may_touch(model, 1, 2));
    assert_false(crn_model_may_touch(model, 2, 3));
    /* The pin's point of a, turned back by pi/3: R' (1, 1). */
    double c = cos(acos(-1.0) / 3), s = sin(acos(-1.0) / 3);
    assert_true(fabs(model->joints[1].a.point[0] - (c + s)) < 1e-14);
    assert_true(fabs(model->joints[1].a.point[1] - (c - s)) < 1e-14);
    assert_near(model->springs[0].rest, 4);
    assert_near(model->springs[0].damping, 2);
    assert_near(model->springs[1].rest, 0.5);
    assert_true(model->forces[0].body_frame);
    assert_near(model->forces[0].point[1], 2);
    cairn_scene_destroy(scene);
}

static void test_spatial_scene(void **state)
{
    (void)state;
    cairn_scene *scene =
        parse("dimension: 3\n"
              "bodies:\n"
              "  - {name: ground, kind: fixed, shapes: [{type: half-space}]}\n"
              "  - {name: a, mass: 2, inertia: [3, 4, 5, 0.1, 0.2, 0.3], orientation: [2, 0, 0, 0],\n"
              "     angular_velocity: [1, 2, 3], shapes: [{type: box, size: [1, 2, 3], position: [0, 0, 1]}]}\n"
              "  - {name: b, orientation: {axis: [0, 0, 9], angle: pi/2}, position: [0, 0, 4],\n"
              "     shapes: [{type: sphere, radius: 2, density: 3}]}\n"
              "  - {name: c, kind: driven, motion: {angle: t, axis: [0, 1, 0]}}\n"
              "joints: [{name: j, type: revolute, bodies: [a, b], at: [0, 0, 2], axis: [0, 0, 1]}]\n"
              "forces: [{name: f, body: a, torque: [t, 0, 2*t]}]\n");
    const cairn_model *model = cairn_scene_model(scene);
    assert_near(model->gravity[2], -9.81);
    const double inertia[9] = {3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5};
    for (int i = 0; i < 9; i++)
        assert_near(model->bodies[1].traits->inertia[i], inertia[i]);
    assert_near(model->bodies[1].traits->initial.orientation[0], 1);
    assert_near(model->bodies[1].traits->initial.angular_velocity[2], 3);
    assert_near(model->bodies[2].traits->initial.orientation[3], sqrt(0.5));
    assert_near(cairn_model_body_mass(model, cairn_model_find_body(model, "b")), 3 * 4.0 / 3 * acos(-1.0) * 8);
    assert_near(model->shapes[0].form->normal[2], 1);
    double t = 3;
    assert_near(crn_expression_evaluate(model->forces[0].torque[2], &t), 6);
    check_defaults(scene);
    assert_string_equal(cairn_scene_title(scene), "");
    cairn_scene_destroy(scene);
}

/* Bodies may name a group that only a later one belongs to; who names none is in the group default. */
static void test_groups(void **state)
{
    (void)state;
    cairn_scene *scene = parse("dimension: 2\n"
                               "bodies:\n"
                               "  - {name: a, mass: 1, point: true, groups: [grain], collides_with: [wall, default]}\n"
                               "  - {name: b, mass: 1, point: true, groups: [grain, wall]}\n"
                               "  - {name: c, mass: 1, point: true}\n"
                               "  - {name: d, mass: 1, point: true, collides_with: []}\n"
                               "  - {name: e, mass: 1, point: true, groups: [grain], collides_with: [grain]}\n");
    const cairn_model *model = cairn_scene_model(scene);
    static const char TOUCH[] = "ab ac bc be";
    for (int i = 0; i < 5; ++i)
    {
        for (int k = i + 1; k < 5; ++k)
        {
            const char pair[] = {(char)('a' + i), (char)('a' + k), '\0'};
            assert_int_equal(crn_model_may_touch(model, i, k), strstr(TOUCH, pair) != NULL);
        }
    }
    cairn_scene_destroy(scene);
}

static void test_json(void **state)
{
    (void)state;
    cairn_scene *scene =
        parse("\xef\xbb\xbf{\"dimension\":2,\r\n\t\"title\":\"\\ud83d\\ude00 \\u00e9\\/\\\\ud83d\\\\ude00\",\n"
              "\"bodies\":[{\"name\":\"a\",\"mass\":1e0,\"inertia\":\"2*1\",\"point\":false}]}");
    assert_string_equal(cairn_scene_title(scene), "\xf0\x9f\x98\x80 \xc3\xa9/\\ud83d\\ude00");
    assert_near(cairn_scene_model(scene)->bodies[0].traits->inertia[8], 2);
    cairn_scene_destroy(scene);
}

static void test_anchors(void **state)
{
    (void)state;
    cairn_scene *scene = parse("dimension: 2\n"
                               "bodies:\n"
                               "  - {name: a, mass: &m 3, inertia: 1, shapes: &round [{type: circle, radius: 1}]}\n"
                               "  - {name: b, mass: *m, inertia: *m, shapes: *round}\n");
    assert_near(cairn_scene_model(scene)->bodies[1].traits->mass, 3);
    assert_int_equal(cairn_scene_model(scene)->shape_count, 2);
    cairn_scene_destroy(scene);
}

static void test_parameters_from_outside(void **state)
{
    (void)state;
    static const char text[] = "dimension: 2\n"
                               "parameters: {m: 1, twice: 2*m}\n"
                               "bodies: [{name: a, point: true, mass: twice}]\n";
    const cairn_parameter given[] = {{"m", "7"}, {"m", "pi"}};
    cairn_scene *scene = parse_with(text, given, 2);
    assert_near(cairn_scene_model(scene)->bodies[0].traits->mass, 2 * acos(-1.0));
    cairn_scene_destroy(scene);

    const cairn_parameter wrong[] = {{"twise", "1"}, {"m", "1+"}, {"twice", "1/0"}, {"zz", "1"}};
    char *found = refuse(text, strlen(text), wrong, 4);
    assert_string_equal(found,
                        "0:0: parameters: 'm': the value given from outside, '1+', character 3: expected a number, a "
                        "name or '(', found the end\n"
                        "0:0: parameters: 'twice': expected a finite number, but the value given from outside, '1/0', "
                        "is inf\n"
                        "0:0: the scene has no parameter 'twise'; did you mean 'twice'? it has: m, twice\n"
                        "0:0: the scene has no parameter 'zz'; it has: m, twice\n");
    free(found);
    static const char none[] = "dimension: 2\n";
    found = refuse(none, strlen(none), wrong, 1);
    assert_string_equal(found, "0:0: the scene has no parameter 'twise'; it has: none\n");
    free(found);
}

/* ------------------------------------------------------------------------------------------------------ limits */

static void test_depth(void **state)
{
    (void)state;
    char text[2000] = "dimension: 2\ntitle: ";
    size_t start = strlen(text);
    memset(text + start, '[', 1000);
    assert_refused(text, "2:71: nested more than 64 levels deep\n");
    /* The mapping and 63 lists are 64 levels, with a number in the innermost. */
    memset(text + start + 63, ']', 1000);
    text[start + 63] = '1';
    text[start + 63 + 64] = '\0';
    assert_refused(text, "2:8: title: expected a text, found a list of 1\n");
}

/* Nine levels of ten aliases each stand for 10^10 values; the limit stops it at once. */
static void test_alias_bomb(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream, "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n");
    for (int i = 1; i < 10; i++)
    {
        fprintf(stream, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            fprintf(stream, "%s*a%d", k == 0 ? "" : ",", i - 1);
        fprintf(stream, "]\n");
    }
    fclose(stream);
    char *found = refuse(text, size, NULL, 0);
    assert_non_null(strstr(found, "the file holds more than 4000000 values, aliases written out"));
    free(found);
    free(text);
}

/* Aliases may not dig deeper than the file itself may. */
static void test_alias_depth(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream, "a0: &a0 [1]\n");
    for (int i = 1; i < 100; i++)
        fprintf(stream, "a%d: &a%d [*a%d]\n", i, i, i - 1);
    fclose(stream);
    char *found = refuse(text, size, NULL, 0);
    assert_string_equal(found, "64:12: nested more than 64 levels deep\n");
    free(found);
    free(text);
}

static void test_size(void **state)
{
    (void)state;
    size_t length = CRN_DOCUMENT_BYTES + 1;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, ' ', length);
    memcpy(text, "dimension: 2\n", 13);
    char *found = refuse(text, length, NULL, 0);
    assert_string_equal(found, "1:1: the file is larger than 64 MiB\n");
    free(found);
    cairn_scene *scene;
    assert_int_equal(cairn_scene_parse(NULL, "x", text, length - 1, NULL, 0, &scene), CAIRN_OK);
    cairn_scene_destroy(scene);
    free(text);
}

static void test_many_problems(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream, "dimension: 2\nbodies:\n");
    for (int i = 0; i < 150; i++)
        fprintf(stream, "  - {name: b%d, mass: -1, inertia: 1}\n", i);
    fclose(stream);
    char *found = refuse(text, size, NULL, 0);
    int lines = 0;
    for (const char *at = found; *at != '\0'; at++)
        lines += *at == '\n' ? 1 : 0;
    assert_int_equal(lines, 101);
    assert_non_null(strstr(found, "0:0: test.yaml: 50 more problems are not listed\n"));
    free(found);
    free(text);
}

static void test_many_fields(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream, "dimension: 2\nparameters:\n");
    for (int i = 0; i < 1001; i++)
        fprintf(stream, "  p%d: %d\n", i, i);
    fclose(stream);
    char *found = refuse(text, size, NULL, 0);
    assert_string_equal(found, "1003:3: more than 1000 fields in one mapping\n");
    free(found);
    free(text);
}

static void test_utf8(void **state)
{
    (void)state;
    static const struct
    {
        const char *text;
        size_t fault;
    } cases[] = {
        {"plain", 5},         {"\xc3\xa9", 2},          {"\xe2\x82\xac", 3},     {"\xf0\x9f\x98\x80", 4},
        {"a\x80", 1},         {"a\xc0\xaf", 1},         {"a\xe0\x80\xaf", 1},    {"a\xed\xa0\x80", 1},
        {"a\xf5\x80\x80", 1}, {"a\xf4\x90\x80\x80", 1}, {"\xc3\xa9\xe2\x82", 2}, {"a\xf0\x9f\x98x", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(crn_utf8_fault(cases[i].text, strlen(cases[i].text)), cases[i].fault);
}

/* ------------------------------------------------------------------------------------------- built-in and schema */

static void test_builtin_scenes(void **state)
{
    (void)state;
    assert_true(cairn_builtin_count() >= 1);
    for (int i = 0; i < cairn_builtin_count(); i++)
    {
        cairn_builtin builtin = cairn_builtin_scene(i);
        char path[1024];
        snprintf(path, sizeof path, "%s/scenes/%s.yaml", CAIRN_SOURCE_DIR, builtin.name);
        char *file = read_all(path);
        assert_string_equal(builtin.text, file);
        assert_int_equal(builtin.length, strlen(file));
        cairn_scene *scene = parse(builtin.text);
        assert_string_equal(cairn_scene_title(scene), builtin.title);
        assert_true(builtin.title[0] != '\0');
        assert_ptr_equal(cairn_builtin_find(builtin.name)->text, builtin.text);
        if (i > 0)
            assert_true(strcmp(cairn_builtin_scene(i - 1).name, builtin.name) < 0);
        cairn_scene_destroy(scene);
        free(file);
    }
    assert_null(cairn_builtin_find("no-such-scene"));
    assert_null(cairn_builtin_find(NULL));
    assert_string_equal(cairn_builtin_scene(-1).name, "");
    assert_string_equal(cairn_builtin_scene(cairn_builtin_count()).name, "");
}

static bool list_has(const crn_node *list, const char *word)
{
    for (const crn_node *item = list != NULL ? list->first : NULL; item != NULL; item = item->next)
        if (strcmp(item->text, word) == 0)
            return true;
    return false;
}

static void compare_field(const crn_object *object, const crn_field *field, const crn_node *definition)
{
    const crn_node *property = crn_node_field(crn_node_field(definition, "properties"), field->name);
    if (property == NULL)
        fail_msg("the schema does not know field '%s' of %s", field->name, object->noun);
    const crn_node *description = crn_node_field(property, "description");
    assert_true(description != NULL && strlen(description->text) > 3);
    bool required = list_has(crn_node_field(definition, "required"), field->name);
    if (required != (field->required == CRN_ALWAYS))
        fail_msg("field '%s' of %s is required in only one of schema and parser", field->name, object->noun);
    if (field->kind != CRN_FIELD_WORD)
        return;
    const crn_node *words = crn_node_field(property, "enum");
    assert_non_null(words);
    assert_int_equal(words->count, field->word_count);
    for (int i = 0; i < field->word_count; i++)
        if (!list_has(words, field->words[i].text))
            fail_msg("the schema does not know the word '%s'", field->words[i].text);
}

static const crn_field *table_field(const crn_object *object, const char *name)
{
    for (int i = 0; i < object->count; i++)
        if (strcmp(object->fields[i].name, name) == 0)
            return &object->fields[i];
    return NULL;
}

/* Every field of the parser is in the schema and the reverse; likewise what is required, and the allowed words. */
static void test_schema_and_parser_agree(void **state)
{
    (void)state;
    const char *schema = cairn_scene_schema();
    crn_document *document;
    assert_int_equal(crn_document_parse(NULL, "schema", schema, strlen(schema), &document), CAIRN_OK);
    const crn_node *definitions = crn_node_field(crn_document_root(document), "$defs");
    int with_fields = 0;
    for (const crn_node *value = definitions->first; value != NULL; value = value->next)
        with_fields += crn_node_field(value, "properties") != NULL ? 1 : 0;
    crn_simulation_table simulation = {0};
    crn_shape_table shapes;
    crn_simulation_table_make(&simulation);
    crn_shape_table_fill(&shapes);
    const crn_object *const made[] = {&simulation.object, &shapes.object};
    assert_int_equal(with_fields, CRN_OBJECTS + 2);
    for (int i = 0; i < CRN_OBJECTS + 2; i++)
    {
        crn_joint_fields joints; /* their fields come from the table of joint classes */
        crn_joint_fields_make(NULL, 0, &joints);
        const crn_object *object = i < CRN_OBJECTS ? crn_scene_objects[i] : made[i - CRN_OBJECTS];
        object = object == &crn_joint_object ? &joints.object : object;
        const crn_node *definition = crn_node_field(definitions, object->definition);
        assert_non_null(definition);
        for (int k = 0; k < object->count; k++)
            compare_field(object, &object->fields[k], definition);
        const crn_node *properties = crn_node_field(definition, "properties");
        for (const crn_node *value = properties->first; value != NULL; value = value->next)
            if (table_field(object, value->key->text) == NULL)
                fail_msg("the parser does not know field '%s' of %s", value->key->text, object->noun);
        assert_string_equal(crn_node_field(definition, "additionalProperties")->text, "false");
    }
    crn_document_destroy(document);
}

/* Cut anywhere, a scene is read or refused, but never trips the reader; and a refusal always says something. */
static void test_cut_short(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof PLANE; length++)
    {
        cairn_context *context = cairn_context_create();
        cairn_scene *scene;
        cairn_status status = cairn_scene_parse(context, "cut", PLANE, length, NULL, 0, &scene);
        assert_true(status == CAIRN_OK || status == CAIRN_INVALID);
        assert_true((status == CAIRN_OK) == (cairn_context_message_count(context) == 0));
        assert_true((status == CAIRN_OK) == (scene != NULL));
        cairn_scene_destroy(scene);
        cairn_context_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_scenes),
        cmocka_unit_test(test_unreadable_files),
        cmocka_unit_test(test_planar_scene),
        cmocka_unit_test(test_spatial_scene),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_parameters_from_outside),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_alias_bomb),
        cmocka_unit_test(test_alias_depth),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_many_problems),
        cmocka_unit_test(test_many_fields),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_builtin_scenes),
        cmocka_unit_test(test_schema_and_parser_agree),
        cmocka_unit_test(test_cut_short),
    };
    return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}
