/* A new shape is one file and one line: a lens (support/lens.c) goes through everything that a shape of the library goes
 * through, from the scene file to the viewer, though no other file knows of it.
 *
 * This program brings its own table of classes, which the linker takes in place of the library's. The truth is the geometry of
 * the two balls whose common part the lens is.
 */
#include "cli/common/cli.h"
#include "cli/view/view_world.h"
#include "math/vec.h"
#include "support/check.h"
#include "support/lens.h"
#include "support/worlds.h"

#include <cairn/cairn.h>
#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY(name) &crn_class_##name,

const crn_shape_class *const crn_shape_classes[] = {CRN_SHAPE_LIST(ENTRY)(&lens_class)};
const int crn_shape_class_count = sizeof crn_shape_classes / sizeof crn_shape_classes[0];

static const double A = 0.5, T = 0.2; /* m: rim radius and half the thickness of every lens here */

static const char SCENE[] =
    "cairn: 1\ndimension: 3\nmaterials: [{name: m, friction: 0.5}]\n"
    "bodies:\n"
    "  - {name: floor, kind: fixed, material: m, shapes: [{type: half-space, normal: [0, 0, 1]}]}\n"
    "  - {name: lens, material: m, position: [0, 0, 0.25],\n"
    "     shapes: [{type: lens, radius: 0.5, height: 0.4, density: 800}]}\n"
    "  - {name: block, kind: fixed, material: m, position: [3, 0, 0.5], shapes: [{type: box, size: [1, 1, 1]}]}\n"
    "  - {name: upper, material: m, position: [3, 0, 1.25],\n"
    "     shapes: [{type: lens, radius: 0.5, height: 0.4, density: 800}]}\n"
    "simulation: {step: 0.005, until: 0.5}\n";

static cairn_scene *parse(const char *text, cairn_context *context)
{
    cairn_scene *scene = NULL;
    if (cairn_scene_parse(context, "lens.yaml", text, strlen(text), NULL, 0, &scene))
        fail_msg("%s", cairn_context_last_message(context));
    return scene;
}

/* The lens as the set of points in both balls: how far x (shape's frame) is outside, 0 or less inside. */
static double outside(const double x[3])
{
    double c, R = lens_ball(A, T, &c);
    double upper = crn_norm3((double[3]){x[0], x[1], x[2] + c}), lower = crn_norm3((double[3]){x[0], x[1], x[2] - c});
    return fmax(upper, lower) - R;
}

/* The distance of a point from the lens: from a ball where its foot is on that cap, else from the rim. */
static double distance_to(const double x[3])
{
    double c, R = lens_ball(A, T, &c), across = hypot(x[0], x[1]), z = fabs(x[2]);
    double away = hypot(across, z + c), height = (z + c) * R / away - c;
    return height >= 0 ? away - R : hypot(across - A, z);
}

/* Every class has what the stages call without asking; names are different. */
static void every_class_is_complete(void **state)
{
    (void)state;
    for (int i = 0; i < crn_shape_class_count; ++i)
    {
        const crn_shape_class *c = crn_shape_classes[i];
        bool space = c->dimension != 2, solid = (c->takes & CRN_TAKES_DENSITY) != 0, mesh = c->rank == CRN_RANK_MESH;
        assert_int_equal(c->needs & ~c->takes, 0);
        assert_true(c->rank >= 0 && c->rank < CRN_RANKS);
        assert_true(!c->needs || c->check || mesh);
        assert_true(c->core == CRN_CORE_NONE || !space || c->support);
        assert_true(c->rank != CRN_RANK_CONVEX || (c->support && c->core != CRN_CORE_NONE));
        assert_true(c->span || mesh || c->support || (c->flags & CRN_SHAPE_CHAINED));
        assert_true(!solid || c->area || (c->flags & CRN_SHAPE_CHAINED) || space);
        assert_true(!solid || c->volume || !space || mesh || c->core == CRN_CORE_HULL);
        for (int j = 0; j < i; ++j)
            assert_string_not_equal(c->name, crn_shape_classes[j]->name);
        assert_string_equal(cairn_shape_kind_name((cairn_shape_kind)i), c->name);
    }
    assert_string_equal(cairn_shape_kind_name(CAIRN_HALF_SPACE), "half-space");
    assert_string_equal(cairn_shape_kind_name(LENS_KIND), "lens");
    assert_string_equal(cairn_shape_kind_name((cairn_shape_kind)crn_shape_class_count), "unknown");
}

/* ------------------------------------------------------------------------------------------------------------ mass */

/* Rings of radius r are 2 z(r) high: the midpoint rule in r, while the class integrates along z. */
static void mass_is_the_integral(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = parse(SCENE, context);
    double c, R = lens_ball(A, T, &c), mass, inertia[9], sum = 0, axial = 0, flat = 0;
    enum
    {
        RINGS = 200000
    };
    for (int i = 0; i < RINGS; ++i)
    {
        double r = (i + 0.5) * A / RINGS, z = sqrt(R * R - r * r) - c;
        double ring = 800 * 4 * acos(-1.0) * r * z * A / RINGS;
        sum += ring;
        axial += ring * r * r;
        flat += ring * (r * r / 2 + z * z / 3);
    }
    assert_int_equal(crn_model_mass(cairn_scene_model(scene), 1, &mass, inertia), CAIRN_OK);
    assert_near(mass, sum, 1e-8 * sum);
    assert_near(inertia[8], axial, 1e-8 * axial);
    assert_near(inertia[0], flat, 1e-8 * flat);
    assert_near(inertia[4], flat, 1e-8 * flat);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* --------------------------------------------------------------------------------------------------------- geometry */

static cairn_body add_lens(cairn_model *model, const char *name)
{
    cairn_body body;
    cairn_shape shape;
    cairn_body_options b = cairn_body_default();
    b.name = name;
    assert_int_equal(cairn_model_add_body(model, &b, &body), CAIRN_OK);
    cairn_shape_options o = cairn_shape_default(LENS_KIND);
    o.radius = A;
    o.height = 2 * T;
    o.density = 1;
    assert_int_equal(cairn_model_add_shape(model, body, &o, &shape), CAIRN_OK);
    return body;
}

static cairn_body_state random_state(uint64_t *seed, double size)
{
    cairn_body_state s = {0};
    for (int k = 0; k < 3; ++k)
        s.position[k] = random_in(seed, -size, size);
    for (int k = 0; k < 4; ++k)
        s.orientation[k] = random_in(seed, -1, 1);
    crn_quaternion_normalise(s.orientation);
    return s;
}

static void into_frame(const cairn_body_state *s, const double x[3], double out[3])
{
    double R[9], arm[3];
    crn_quaternion_to_matrix(s->orientation, R);
    crn_sub3(x, s->position, arm);
    crn_unrotate3(R, arm, out);
}

/* Where the line y + s m (shape's frame) enters the lens: where it is in both balls. */
static bool enters(const double y[3], const double m[3], double *low, double *high)
{
    double c, R = lens_ball(A, T, &c);
    bool met = true;
    *low = -INFINITY;
    *high = INFINITY;
    for (int k = 0; k < 2; ++k)
    {
        double from, to;
        met = crn_span_ball((double[3]){0, 0, k ? c : -c}, R, y, m, &from, &to) && met;
        *low = fmax(*low, from);
        *high = fmin(*high, to);
    }
    return met && *low < *high;
}

/* A ray from x that passes near the middle of the lens; true when it meets it. */
static bool check_ray(cairn_query *query, const cairn_body_state *at, const double x[3], uint64_t *seed)
{
    cairn_body_state turn = *at;
    cairn_ray_hit hit;
    int count;
    double aim[3], d[3], y[3], m[3], n[3], foot[3], low, high, c, R = lens_ball(A, T, &c);
    for (int k = 0; k < 3; ++k)
    {
        aim[k] = at->position[k] + random_in(seed, -0.3, 0.3);
        turn.position[k] = 0;
    }
    crn_sub3(aim, x, d);
    assert_int_equal(cairn_query_ray(query, x, d, INFINITY, &hit, 1, &count), CAIRN_OK);
    into_frame(at, x, y);
    into_frame(&turn, d, m);
    crn_scale3(1 / crn_norm3(m), m, m);
    bool met = enters(y, m, &low, &high);
    if (fabs(high - low) < 1e-4) /* grazes the rim */
        return false;
    assert_int_equal(count, met ? 1 : 0);
    if (met)
    {
        into_frame(at, hit.point, foot);
        into_frame(&turn, hit.normal, n);
        assert_near(outside(foot), 0, 1e-10);
        assert_near(hit.distance, low, 1e-10);
        foot[2] += foot[2] > 0 ? c : -c;
        assert_near(crn_dot3(n, foot) / R, 1, 1e-4);
    }
    return met;
}

/* The closest point to points all around, and rays. */
static void points_and_rays(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body lens = add_lens(w.model, "lens");
    cairn_query *query;
    uint64_t seed = 7;
    int met = 0;
    assert_int_equal(cairn_query_create(w.context, w.model, &query), CAIRN_OK);
    for (int i = 0; i < 300; ++i)
    {
        cairn_body_state at = random_state(&seed, 1);
        double x[3], y[3], foot[3];
        cairn_distance found;
        for (int k = 0; k < 3; ++k)
            x[k] = at.position[k] + random_in(&seed, -2, 2);
        assert_int_equal(cairn_query_place(query, &at), CAIRN_OK);
        into_frame(&at, x, y);
        if (outside(y) < 1e-3)
            continue;
        assert_int_equal(cairn_query_closest(query, lens, x, &found), CAIRN_OK);
        assert_near(found.distance, distance_to(y), 1e-11);
        into_frame(&at, found.point_a, foot);
        assert_near(outside(foot), 0, 1e-10);
        met += check_ray(query, &at, x, &seed);
    }
    assert_true(met > 100);
    cairn_query_destroy(query);
    world_free(&w);
}

/* Two lenses: the points are on both surfaces, apart by the distance along the normal, and no point of either lies beyond the
 * planes across the normal there. So the distance is right. */
static void two_lenses(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body a = add_lens(w.model, "a"), b = add_lens(w.model, "b");
    cairn_query *query;
    uint64_t seed = 11;
    int apart = 0;
    assert_int_equal(cairn_query_create(w.context, w.model, &query), CAIRN_OK);
    for (int i = 0; i < 500; ++i)
    {
        cairn_body_state at[2] = {random_state(&seed, 0.6), random_state(&seed, 0.6)};
        cairn_distance found;
        assert_int_equal(cairn_query_place(query, at), CAIRN_OK);
        assert_int_equal(cairn_query_distance(query, a, b, &found), CAIRN_OK);
        for (int k = 0; k < 2; ++k)
        {
            double y[3], n[3], top[3];
            cairn_body_state turn = at[k];
            memset(turn.position, 0, sizeof turn.position);
            into_frame(&at[k], k ? found.point_b : found.point_a, y);
            into_frame(&turn, found.normal, n);
            crn_scale3(k ? 1 : -1, n, n);
            crn_placed p = {.kind = LENS_KIND, .half = {A, A, T}};
            lens_class.support(&p, n, top);
            assert_near(crn_dot3(n, y), crn_dot3(n, top), 1e-9);
            if (found.distance > 1e-6)
                assert_near(outside(y), 0, 1e-8);
        }
        apart += found.distance > 0;
    }
    assert_true(apart > 100 && apart < 400);
    cairn_query_destroy(query);
    world_free(&w);
}

/* ------------------------------------------------------------------------------------------------- scene, run, rest */

static void words_of_the_scene(void **state)
{
    (void)state;
    static const struct
    {
        const char *from, *to, *message;
    } WRONG[] = {
        {"height: 0.4, ", "", "missing field 'height'"},
        {"height: 0.4", "height: 0.4, length: 0.4", "the type here is 'lens'"},
        {"height: 0.4", "height: 1e-6", "lens: radius and height: too slender"},
        {"type: lens", "type: lense", "'lens'"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; ++i)
    {
        char text[sizeof SCENE + 64];
        const char *at = strstr(SCENE, WRONG[i].from);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - SCENE), SCENE, WRONG[i].to, at + strlen(WRONG[i].from));
        cairn_context *context = cairn_context_create();
        cairn_scene *scene;
        assert_int_equal(cairn_scene_parse(context, "x", text, strlen(text), NULL, 0, &scene), CAIRN_INVALID);
        const char *said = cairn_context_message(context, 0).text;
        if (!strstr(said, WRONG[i].message))
            fail_msg("'%s' does not say '%s'", said, WRONG[i].message);
        cairn_context_destroy(context);
    }
}

/* Dropped by 5 cm, a lens comes to rest flat: half its thickness above the floor, and above a box. */
static void rests_on_a_plane(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = parse(SCENE, context);
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_simulation *s;
    assert_int_equal(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &s), CAIRN_OK);
    for (int i = 0; i < 100; ++i)
        assert_int_equal(cairn_simulation_step(s), CAIRN_OK);
    static const double HEIGHT[2] = {T, 1 + T};
    for (int k = 0; k < 2; ++k)
    {
        cairn_body body = cairn_model_find_body(cairn_scene_model(scene), k ? "upper" : "lens");
        cairn_body_state at = cairn_simulation_body(s, body);
        assert_near(at.position[2], HEIGHT[k], 1e-9);
        assert_near(crn_norm3(at.velocity), 0, 1e-9);
        assert_near(fabs(at.orientation[0]), 1, 1e-9);
    }
    cairn_simulation_destroy(s);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* A lens that stands on its rim, tilted, rocks on the rim and on its caps and never goes below the floor by more than the
 * tolerance; on a floor of triangles it moves as on a half-space. */
static void rocks_alike_on_triangles(void **state)
{
    (void)state;
    cairn_body_state end[2];
    for (int mesh = 0; mesh < 2; ++mesh)
    {
        char text[1024];
        snprintf(
            text, sizeof text,
            "cairn: 1\ndimension: 3\nmaterials: [{name: m, friction: 0.3}]\nbodies:\n"
            "  - {name: floor, kind: fixed, material: m, shapes: [%s]}\n"
            "  - {name: lens, material: m, position: [0.1, 0.2, 0.5], orientation: {axis: [1, 0.2, 0], angle: 0.5},\n"
            "     shapes: [{type: lens, radius: 0.5, height: 0.4, density: 800}]}\n"
            "simulation: {step: 0.002, until: 1}\n",
            mesh ? "{type: mesh, vertices: [[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], "
                   "triangles: [[0, 1, 2], [0, 2, 3]]}"
                 : "{type: half-space, normal: [0, 0, 1]}");
        cairn_context *context = cairn_context_create();
        cairn_scene *scene = parse(text, context);
        cairn_settings settings = cairn_scene_settings(scene);
        cairn_simulation *s;
        assert_int_equal(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &s), CAIRN_OK);
        for (int i = 0; i < 300; ++i)
        {
            assert_int_equal(cairn_simulation_step(s), CAIRN_OK);
            end[mesh] = cairn_simulation_body(s, cairn_model_body(cairn_scene_model(scene), 1));
            double R[9], m[3], x[3];
            crn_quaternion_to_matrix(end[mesh].orientation, R);
            crn_unrotate3(R, (double[3]){0, 0, -1}, m);
            crn_placed p = {.kind = LENS_KIND, .half = {A, A, T}};
            lens_class.support(&p, m, x);
            assert_true(end[mesh].position[2] - crn_dot3(m, x) > -2e-3);
        }
        cairn_simulation_destroy(s);
        cairn_scene_destroy(scene);
        cairn_context_destroy(context);
    }
    assert_true(end[0].position[2] < 0.45);
    for (int k = 0; k < 3; ++k)
        assert_near(end[1].position[k], end[0].position[k], 1e-6);
}

/* ------------------------------------------------------------------------------------------------------- front ends */

/* The faces it is drawn by: their corners lie on the surface, and their hull has nearly the volume of the lens. */
static void drawn_by_faces(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body lens = add_lens(w.model, "lens");
    cairn_shape_info info = cairn_model_shape_info(w.model, cairn_model_shape(w.model, 0));
    assert_string_equal(info.name, "lens");
    assert_int_equal(info.look, CAIRN_LOOK_FACES);
    double volume = 0;
    for (int i = 0; i < info.vertex_count; ++i)
        assert_near(outside(info.vertices + 3 * i), 0, 1e-12);
    for (int f = 0; f < info.face_count; ++f)
    {
        const int *corner = info.face_vertices + info.face_begin[f];
        for (int k = 2; k < info.face_begin[f + 1] - info.face_begin[f]; ++k)
        {
            double cross[3];
            crn_cross3(info.vertices + 3 * corner[k - 1], info.vertices + 3 * corner[k], cross);
            volume += crn_dot3(info.vertices + 3 * corner[0], cross) / 6;
        }
    }
    double exact = cairn_model_body_mass(w.model, lens);
    assert_true(volume < exact && volume > 0.97 * exact);
    world_free(&w);
}

static char *contents(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    char *text = calloc(size + 1, 1);
    rewind(file);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    return text;
}

static void command(int (*function)(int, char **), const char *line)
{
    char copy[256], *argv[16];
    int argc = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    if (function(argc, argv))
        fail_msg("failed: %s", line);
}

/* How many colours that are no grey a picture has. */
static int count_shades(const char *path)
{
    cairo_surface_t *picture = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
    const unsigned char *row = cairo_image_surface_get_data(picture);
    static bool seen[1 << 15];
    int count = 0;
    for (int y = 0; y < cairo_image_surface_get_height(picture); ++y, row += cairo_image_surface_get_stride(picture))
        for (const unsigned char *p = row; p < row + 4 * cairo_image_surface_get_width(picture); p += 4)
        {
            int colour = (p[0] >> 3) << 10 | (p[1] >> 3) << 5 | p[2] >> 3;
            bool grey = abs(p[0] - p[1]) < 16 && abs(p[1] - p[2]) < 16;
            count += !grey && !seen[colour];
            seen[colour] = true;
        }
    cairo_surface_destroy(picture);
    return count;
}

/* The whole way of the tool: run, read the run file back, plot, export, and the data of the viewer. */
static void through_the_tool(void **state)
{
    (void)state;
    FILE *file = fopen("lens.yaml", "wb");
    assert_non_null(file);
    fputs(SCENE, file);
    fclose(file);
    command(cli_command_run, "run lens.yaml --output lens.h5 --quiet");
    command(cli_command_plot, "plot lens.h5 positions --output lens.png");
    command(cli_command_export, "export lens.h5 --vtk lens-vtk --quiet");
    assert_true(count_shades("lens.png") > 20); /* shaded faces, not two dots */

    cairn_context *context = cairn_context_create();
    cairn_run *run;
    cairn_scene *scene;
    assert_int_equal(cairn_run_open(context, "lens.h5", &run), CAIRN_OK);
    assert_int_equal(cairn_run_scene(run, &scene), CAIRN_OK);
    const cairn_model *model = cairn_scene_model(scene);
    assert_string_equal(cairn_model_shape_info(model, cairn_model_shape(model, 1)).name, "lens");
    cli_json json = {.stream = fopen("lens.json", "wb"), .compact = true};
    assert_non_null(json.stream);
    cli_json_open(&json, NULL, '{');
    cli_mechanism mechanism;
    cli_mechanism_open(&mechanism, model);
    cli_view_put_world(&json, model, &mechanism, (cli_view_map){0});
    cli_mechanism_close(&mechanism);
    cli_json_close(&json, '}');
    fclose(json.stream);
    char *data = contents("lens.json"), *lens = strstr(data, "lens");
    assert_non_null(lens);
    assert_non_null(strstr(lens, "\"faces\""));
    free(data);
    cairn_scene_destroy(scene);
    cairn_run_close(run);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_is_complete),  cmocka_unit_test(mass_is_the_integral),
        cmocka_unit_test(points_and_rays),          cmocka_unit_test(two_lenses),
        cmocka_unit_test(words_of_the_scene),       cmocka_unit_test(rests_on_a_plane),
        cmocka_unit_test(rocks_alike_on_triangles), cmocka_unit_test(drawn_by_faces),
        cmocka_unit_test(through_the_tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
