/* The touches that the device finds (through its twin for the processor, or with CAIRN_GPU_LIBRARY on a device) against those of the processor's own
 * narrow phase, which shares no code with it: random pairs of all kinds, apart and overlapping, in all orientations, nearly parallel and parallel. */
#include "support/check.h"
#include "support/device_library.h"

#include "collide/collide.h"
#include "collide/mesh/mesh.h"
#include "math/vec.h"
#include "model/shape/shape_class.h"
#include "support/meshes.h"
#include "support/worlds.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double STEP = 1e-3, REACH = 0.25; /* s; m: gaps up to which touches are compared */
static const double FAR = 100;

enum
{
    MOST = 8 /* touches of a pair on the device */
};

/* How a pair is placed: the turn of each body, at most, and how far apart they are. */
typedef struct family
{
    double turn, far;
} family;

static const family FAMILIES[] = {{3, 0.9}, {3, 0.6}, {1e-3, 0.8}, {0, 0.8}};

typedef struct pair
{
    cairn_shape_options shape[2];
    double x[2][3], q[2][4];
    double away[3];     /* m: to where the first one touches nothing */
    bool is_fixed;      /* the second body */
    double least_gap;   /* m: pairs with deeper overlaps are left out */
    bool is_one_to_one; /* every touch has its counterpart; otherwise only the nearest */
} pair;

/* Of two shapes, the device's first is the simpler one. */
static int rank_of(cairn_shape_kind kind)
{
    const cairn_shape_kind order[] = {CAIRN_SPHERE,   CAIRN_CAPSULE, CAIRN_BOX, CAIRN_ELLIPSOID,
                                      CAIRN_CYLINDER, CAIRN_CONE,    CAIRN_HULL};
    int rank = 0;
    while (rank < 7 && order[rank] != kind)
        ++rank;
    return rank;
}

static double size_of(const cairn_shape_options *s)
{
    return s->radius + 0.5 * s->length + 0.5 * crn_norm3(s->size) + 0.5 * s->height + 0.7 * crn_norm3(s->radii) +
           (s->vertices && !s->triangles ? 0.8 : 0.0);
}

/* Random points in a box: hulls of 4 to some 20 corners. The points last until the fourth hull after this one. */
static void draw_hull(cairn_shape_options *s, uint64_t *seed)
{
    static double room[4][3 * 24];
    static int next;
    double *points = room[next++ % 4], size[3];
    s->vertices = points;
    s->vertex_count = (int)random_in(seed, 5, 24);
    for (int k = 0; k < 3; ++k)
        size[k] = random_in(seed, 0.4, 1);
    for (int i = 0; i < 3 * s->vertex_count; ++i)
        points[i] = random_in(seed, -1, 1) * size[i % 3];
}

static cairn_shape_options draw_shape(cairn_shape_kind kind, uint64_t *seed)
{
    cairn_shape_options s = cairn_shape_default(kind);
    if (kind == CAIRN_SPHERE || kind == CAIRN_CAPSULE)
        s.radius = random_in(seed, 0.2, 0.6);
    if (kind == CAIRN_CAPSULE)
        s.length = random_in(seed, 0.3, 2);
    for (int k = 0; k < 3 && kind == CAIRN_BOX; ++k)
        s.size[k] = random_in(seed, 0.4, 2);
    for (int k = 0; k < 3 && kind == CAIRN_ELLIPSOID; ++k)
        s.radii[k] = random_in(seed, 0.2, 1);
    if (kind == CAIRN_CYLINDER || kind == CAIRN_CONE)
    {
        s.radius = random_in(seed, 0.2, 0.8);
        s.height = random_in(seed, 0.4, 2);
    }
    if (kind == CAIRN_HULL)
        draw_hull(&s, seed);
    return s;
}

static void draw_turn(double q[4], double most, uint64_t *seed)
{
    double phi[3];
    for (int k = 0; k < 3; ++k)
        phi[k] = random_in(seed, -most, most);
    crn_quaternion_exp(phi, q);
}

static void draw_pair(pair *p, cairn_shape_kind a, cairn_shape_kind b, const family *f, uint64_t *seed)
{
    *p = (pair){.away = {FAR, 0, 0},
                .shape = {draw_shape(a, seed), draw_shape(b, seed)},
                .least_gap = rank_of(b) > 2 ? -0.05 : -INFINITY,
                .is_one_to_one = rank_of(a) < 2 && rank_of(b) < 2};
    double way[3], far = f->far * (size_of(&p->shape[0]) + size_of(&p->shape[1]));
    for (int k = 0; k < 3; ++k)
        way[k] = random_in(seed, -1, 1);
    crn_scale3(random_in(seed, 0.2, 1) * far / (crn_norm3(way) + 1e-9), way, way);
    for (int i = 0; i < 2; ++i)
    {
        for (int k = 0; k < 3; ++k)
            p->x[i][k] = 3.0 + k + (i == 0 ? way[k] : 0.0);
        draw_turn(p->q[i], f->turn, seed);
    }
}

static cairn_model *model_of(cairn_context *context, const pair *p)
{
    cairn_model *model;
    assert_int_equal(cairn_model_create(context, 3, &model), CAIRN_OK);
    for (int i = 0; i < 2; ++i)
    {
        cairn_body_options options = cairn_body_default();
        options.name = i ? "second" : "first";
        options.mass = options.inertia[0] = options.inertia[1] = options.inertia[2] = 1;
        options.kind = i && p->is_fixed ? CAIRN_FIXED : CAIRN_DYNAMIC;
        memcpy(options.position, p->x[i], sizeof p->x[i]);
        if (i == 0)
            crn_add3(p->away, options.position, options.position); /* a scene must not begin with overlaps */
        memcpy(options.orientation, p->q[i], sizeof p->q[i]);
        cairn_body body;
        cairn_shape shape;
        assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
        assert_int_equal(cairn_model_add_shape(model, body, &p->shape[i], &shape), CAIRN_OK);
    }
    /* the device looks for gaps of up to 2 g h^2, and for a hundredth of the size */
    cairn_model_set_gravity(model, (double[3]){0, 0, -0.5 * REACH / (STEP * STEP)});
    return model;
}

/* Contacts are listed where the device's first body is after the step: back to where it was. */
static void shift_of(const cairn_simulation *s, const pair *p, double out[3])
{
    int body = rank_of(p->shape[0].kind) <= rank_of(p->shape[1].kind) ? 0 : 1;
    cairn_body_state state = cairn_simulation_body(s, cairn_model_body(cairn_simulation_model(s), body));
    crn_sub3(p->x[body], state.position, out);
}

static bool is_same(const crn_contact *c, const cairn_contact *d, const double shift[3], bool with_point)
{
    double middle[3], point[3], n[3];
    crn_add3(c->point_a, c->point_b, middle);
    crn_scale3(0.5, middle, middle);
    crn_add3(d->point, shift, point);
    crn_sub3(point, middle, point);
    crn_sub3(c->normal, d->normal, n);
    return fabs(c->gap - d->gap) < 2e-6 && crn_norm3(n) < 1e-5 && (!with_point || crn_norm3(point) < 1e-5);
}

static const crn_contact *nearest(const crn_contact *c, int count)
{
    const crn_contact *best = NULL;
    for (int i = 0; i < count; ++i)
        best = !best || c[i].gap < best->gap ? &c[i] : best;
    return best;
}

static void fail_pair(const pair *p, const crn_contact *c, const cairn_simulation *s, const char *what)
{
    print_error("kinds %d and %d: %s: gap %.9g normal %.6f %.6f %.6f\n", (int)p->shape[0].kind, (int)p->shape[1].kind,
                what, c ? c->gap : NAN, c ? c->normal[0] : 0, c ? c->normal[1] : 0, c ? c->normal[2] : 0);
    for (int j = 0; j < cairn_simulation_contact_count(s); ++j)
    {
        cairn_contact d = cairn_simulation_contact(s, j);
        print_error("    device: gap %.9g normal %.6f %.6f %.6f\n", d.gap, d.normal[0], d.normal[1], d.normal[2]);
    }
    fail();
}

/* Every touch of the processor (or the nearest) is one of the device, and the device has none that is nearer. */
static void compare(const pair *p, const crn_contact *c, int count, const cairn_simulation *s)
{
    const crn_contact *least = nearest(c, count);
    int devices = cairn_simulation_contact_count(s);
    double shift[3], lowest = INFINITY;
    shift_of(s, p, shift);
    for (int j = 0; j < devices; ++j)
        lowest = fmin(lowest, cairn_simulation_contact(s, j).gap);
    if ((least && least->gap < p->least_gap) || (lowest < p->least_gap && rank_of(p->shape[0].kind) > 2))
        return;
    for (int i = 0; i < count; ++i)
    {
        bool found = c[i].gap > 0.9 * REACH || ((!p->is_one_to_one || devices == MOST) && &c[i] != least);
        for (int j = 0; j < devices && !found; ++j)
        {
            cairn_contact d = cairn_simulation_contact(s, j);
            found = is_same(&c[i], &d, shift, p->is_one_to_one && devices < MOST);
        }
        if (!found)
            fail_pair(p, &c[i], s, "not found");
    }
    if (lowest > p->least_gap && lowest < 0.9 * REACH && (!least || lowest < least->gap - 2e-6))
        fail_pair(p, least, s, "nearer on the device");
}

/* Point `i` of those with which is_deep looks at a shape, within 97 % of it: of a box a lattice, of others fans from the centre. */
static void inner_point(const crn_shape *shape, int i, double x[3])
{
    const int n = 7;
    const double place[3] = {2.0 * (i % n) / (n - 1) - 1, 2.0 * (i / n % n) / (n - 1) - 1,
                             2.0 * (i / n / n) / (n - 1) - 1};
    if (shape->kind == CAIRN_BOX)
    {
        for (int k = 0; k < 3; ++k)
            x[k] = 0.97 * shape->form->half[k] * place[k];
        return;
    }
    crn_placed placed = {.kind = shape->kind, .hull = shape->form->hull};
    memcpy(placed.half, shape->form->half, sizeof placed.half);
    const double along[3] = {place[0] + 0.01, place[1] + 0.02, place[2] + 0.03};
    crn_class_of(shape->kind)->support(&placed, along, x);
    crn_scale3(0.97 * fmax(fabs(place[0]), fmax(fabs(place[1]), fabs(place[2]))), x, x);
}

/* m: how deep a point of the shape's frame is inside a hull; negative outside. */
static double depth_in_hull(const crn_hull *hull, const double x[3])
{
    double depth = INFINITY;
    for (int f = 0; f < hull->face_count; ++f)
    {
        double arm[3];
        crn_sub3(hull->vertices + (ptrdiff_t)3 * hull->face_vertices[hull->face_begin[f]], x, arm);
        depth = fmin(depth, crn_dot3(hull->normals + (ptrdiff_t)3 * f, arm));
    }
    return depth;
}

/* Whether an edge of the mesh goes deep into a hull, where no point of the hull need be in the mesh. */
static bool is_pierced(const crn_hull *hull, const crn_mesh *mesh, const crn_pose pose[2])
{
    const int parts = 16;
    bool pierced = false;
    for (int i = 0; i < 3 * mesh->triangle_count * parts && !pierced; ++i)
    {
        int t = i / parts / 3, k = i / parts % 3;
        const double *p = mesh->vertices + (ptrdiff_t)3 * mesh->triangles[3 * t + k];
        const double *q = mesh->vertices + (ptrdiff_t)3 * mesh->triangles[3 * t + (k + 1) % 3];
        double x[3], y[3];
        crn_sub3(q, p, x);
        crn_madd3(p, (double)(i % parts) / parts, x, x);
        crn_rotate3(pose[1].R, x, y);
        crn_add3(y, pose[1].x, y);
        crn_sub3(y, pose[0].x, y);
        crn_unrotate3(pose[0].R, y, x);
        pierced = depth_in_hull(hull, x) > 0.1 * hull->thickness;
    }
    return pierced;
}

/* Whether a shape that is not round goes deep into a mesh: then neither machine claims the nearest touch. */
static bool is_deep(const cairn_model *model, const crn_pose pose[2])
{
    const crn_shape *shape = &model->shapes[0], *mesh = &model->shapes[1];
    const int n = 7;
    bool deep = mesh->form->mesh && shape->form->hull && is_pierced(shape->form->hull, mesh->form->mesh, pose);
    for (int i = 0; i < n * n * n && rank_of(shape->kind) >= 2 && mesh->form->mesh && !deep; ++i)
    {
        double x[3], y[3], z[3];
        inner_point(shape, i, x);
        crn_rotate3(pose[0].R, x, y);
        crn_add3(y, pose[0].x, y);
        crn_sub3(y, pose[1].x, y);
        crn_unrotate3(pose[1].R, y, z);
        crn_mesh_point near = crn_mesh_nearest(mesh->form->mesh, mesh->form->mesh_index, z, 10);
        deep = near.triangle >= 0 && near.height < 0;
    }
    return deep;
}

static int check_pair(const pair *p)
{
    cairn_context *context = cairn_context_create();
    cairn_model *model = model_of(context, p);
    crn_collider *collider = crn_collider_create(1);
    crn_pose pose[2];
    double margin[2] = {0.5 * REACH, 0.5 * REACH};
    const crn_contact *contacts;
    int count;
    for (int i = 0; i < 2; ++i)
    {
        memcpy(pose[i].x, p->x[i], sizeof pose[i].x);
        crn_quaternion_to_matrix(p->q[i], pose[i].R);
    }
    assert_int_equal(crn_collide(collider, model, pose, &(crn_reach){.margin = margin}, &contacts, &count), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.device = CAIRN_DEVICE_GPU;
    settings.step = STEP;
    settings.sweeps = 1;
    cairn_simulation *simulation;
    if (cairn_simulation_create(context, model, &settings, &simulation) != CAIRN_OK)
        fail_msg("%s", cairn_context_message(context, 0).text);
    cairn_body first = cairn_model_body(cairn_simulation_model(simulation), 0);
    cairn_body_state at = cairn_simulation_body(simulation, first);
    memcpy(at.position, p->x[0], sizeof at.position);
    assert_int_equal(cairn_simulation_set_body(simulation, first, &at), CAIRN_OK);
    assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
    if (!is_deep(model, pose))
        compare(p, contacts, count, simulation);
    cairn_simulation_destroy(simulation);
    crn_collider_destroy(collider);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return count;
}

/* Of the simple kinds there are more. */
static int pair_count(cairn_shape_kind a, cairn_shape_kind b)
{
    bool is_general = (rank_of(a) > 2 && rank_of(a) < 7) || (rank_of(b) > 2 && rank_of(b) < 7);
    return IS_SANITIZED ? 8 : getenv("CAIRN_LONG") ? 4000 : is_general ? 50 : 150;
}

static void kinds(cairn_shape_kind a, cairn_shape_kind b)
{
    uint64_t seed = 41 + 7 * (uint64_t)a + (uint64_t)b;
    int touching = 0, count = pair_count(a, b);
    for (int f = 0; f < 4; ++f)
        for (int i = 0; i < count; ++i)
        {
            pair p;
            draw_pair(&p, a, b, &FAMILIES[f], &seed);
            touching += check_pair(&p) > 0;
        }
    assert_true(touching > count); /* a quarter of them at least */
}

static void spheres_and_capsules(void **state)
{
    (void)state;
    kinds(CAIRN_SPHERE, CAIRN_CAPSULE);
    kinds(CAIRN_CAPSULE, CAIRN_SPHERE);
    kinds(CAIRN_CAPSULE, CAIRN_CAPSULE);
}

static void round_and_boxes(void **state)
{
    (void)state;
    kinds(CAIRN_SPHERE, CAIRN_BOX);
    kinds(CAIRN_BOX, CAIRN_CAPSULE);
}

static void convex_pairs(void **state)
{
    (void)state;
    const cairn_shape_kind kind[] = {CAIRN_SPHERE,   CAIRN_CAPSULE, CAIRN_BOX, CAIRN_ELLIPSOID,
                                     CAIRN_CYLINDER, CAIRN_CONE,    CAIRN_HULL};
    for (int i = 0; i < 7; ++i)
        for (int j = 3; j < 7; ++j)
            if (i <= j)
                kinds(kind[i], kind[j]);
}

static void boxes(void **state)
{
    (void)state;
    kinds(CAIRN_BOX, CAIRN_BOX);
}

/* ---------------------------------------------------------------------------------------------------------- walls */

static void draw_wall(cairn_shape_kind kind, uint64_t *seed, cairn_shape_options *s)
{
    *s = cairn_shape_default(kind);
    s->radius = random_in(seed, 3, 6);
    s->height = random_in(seed, 2, 8);
    s->opening = kind == CAIRN_HOLLOW_CONE ? random_in(seed, 0, 2) : 0.0;
    for (int k = 0; k < 3 && kind == CAIRN_HALF_SPACE; ++k)
        s->normal[k] = random_in(seed, -1, 1);
}

static void with_wall(cairn_shape_kind a, cairn_shape_kind wall)
{
    uint64_t seed = 5 + 31 * (uint64_t)a + (uint64_t)wall;
    int touching = 0, count = 2 * pair_count(a, wall);
    for (int i = 0; i < count; ++i)
    {
        pair p;
        draw_pair(&p, a, CAIRN_SPHERE, &FAMILIES[i % 4], &seed);
        draw_wall(wall, &seed, &p.shape[1]);
        p.is_fixed = p.is_one_to_one = true;
        crn_pose pose;
        crn_quaternion_to_matrix(p.q[1], pose.R);
        if (wall == CAIRN_HALF_SPACE)
            crn_rotate3(pose.R, p.shape[1].normal, p.away);
        crn_scale3(FAR / crn_norm3(p.away), p.away, p.away);
        for (int k = 0; k < 3; ++k)
            p.x[0][k] = p.x[1][k] + random_in(&seed, -1, 1) * (wall == CAIRN_HALF_SPACE ? 1 : 5);
        touching += check_pair(&p) > 0;
    }
    assert_true(touching > count / 10);
}

static void walls(void **state)
{
    (void)state;
    const cairn_shape_kind kind[7] = {CAIRN_SPHERE,   CAIRN_CAPSULE, CAIRN_BOX, CAIRN_ELLIPSOID,
                                      CAIRN_CYLINDER, CAIRN_CONE,    CAIRN_HULL};
    for (int i = 0; i < 7; ++i)
    {
        with_wall(kind[i], CAIRN_HALF_SPACE);
        with_wall(kind[i], CAIRN_HOLLOW_CYLINDER);
        with_wall(kind[i], CAIRN_HOLLOW_CONE);
    }
}

/* --------------------------------------------------------------------------------------------------------- meshes */

static double size_of_points(const cairn_shape_options *s)
{
    double size = 0;
    for (int i = 0; i < 3 * s->vertex_count; ++i)
        size = fmax(size, fabs(s->vertices[i]));
    return size;
}

/* m: deeper overlaps leave a mesh in other ways. */
static double depth_of(const cairn_shape_options *s)
{
    const double *r = s->radii;
    return 0.25 * (s->kind == CAIRN_BOX         ? 0.5 * fmin(s->size[0], fmin(s->size[1], s->size[2]))
                   : s->kind == CAIRN_ELLIPSOID ? fmin(r[0], fmin(r[1], r[2]))
                   : s->kind == CAIRN_CYLINDER || s->kind == CAIRN_CONE ? fmin(s->radius, 0.5 * s->height)
                   : s->kind == CAIRN_HULL                              ? 0.2 * size_of_points(s)
                                                                        : s->radius);
}

/* Near a corner, an edge or a face of the mesh, within reach or somewhat deep. */
static void draw_near(pair *p, const test_mesh *mesh, uint64_t *seed)
{
    int t = (int)random_in(seed, 0, mesh->triangle_count - 1e-9);
    double weight[3], sum = 0, x[3] = {0, 0, 0}, far = 1.2 * size_of(&p->shape[0]);
    for (int k = 0; k < 3; ++k)
        sum += weight[k] = random_in(seed, 0, 1) < 0.3 ? 0.0 : random_in(seed, 0.01, 1);
    for (int k = 0; k < 3; ++k)
        crn_madd3(x, sum > 0 ? weight[k] / sum : 1.0 / 3, mesh->vertices + 3 * mesh->triangles[3 * t + k], x);
    for (int k = 0; k < 3; ++k)
        x[k] += far * random_in(seed, -1, 1);
    crn_pose pose;
    crn_quaternion_to_matrix(p->q[1], pose.R);
    crn_rotate3(pose.R, x, p->x[0]);
    crn_add3(p->x[0], p->x[1], p->x[0]);
}

static int with_mesh(cairn_shape_kind kind, const test_mesh *mesh, uint64_t seed)
{
    int touching = 0, count = 2 * pair_count(kind, CAIRN_MESH);
    for (int i = 0; i < count; ++i)
    {
        pair p;
        draw_pair(&p, kind, CAIRN_SPHERE, &FAMILIES[i % 4], &seed);
        double scale = random_in(&seed, 0.1, 1); /* from small beside a triangle to as large as the mesh */
        p.shape[0].radius *= scale;
        p.shape[0].length *= scale;
        p.shape[0].height *= scale;
        crn_scale3(scale, p.shape[0].radii, p.shape[0].radii);
        for (int k = 0; k < 3 * p.shape[0].vertex_count; ++k)
            ((double *)p.shape[0].vertices)[k] *= scale;
        crn_scale3(scale, p.shape[0].size, p.shape[0].size);
        p.shape[1] = test_mesh_options(mesh);
        p.is_fixed = true;
        p.is_one_to_one = false;
        p.least_gap = -depth_of(&p.shape[0]);
        draw_near(&p, mesh, &seed);
        touching += check_pair(&p) > 0;
    }
    return touching;
}

static void meshes(void **state)
{
    (void)state;
    const cairn_shape_kind kind[7] = {CAIRN_SPHERE,   CAIRN_CAPSULE, CAIRN_BOX, CAIRN_ELLIPSOID,
                                      CAIRN_CYLINDER, CAIRN_CONE,    CAIRN_HULL};
    for (int i = 0; i < 7; ++i)
    {
        test_mesh mesh;
        test_mesh_box(&mesh, 2, 1.5, 1);
        assert_true(with_mesh(kind[i], &mesh, 3) > pair_count(kind[i], CAIRN_MESH) / 4);
        test_mesh_fine_box(&mesh, 2, 1.5, 1, 4);
        assert_true(with_mesh(kind[i], &mesh, 4) > pair_count(kind[i], CAIRN_MESH) / 4);
        test_mesh_tetrahedron(&mesh);
        assert_true(with_mesh(kind[i], &mesh, 5) > pair_count(kind[i], CAIRN_MESH) / 4);
        test_mesh_sphere(&mesh, 3);
        assert_true(with_mesh(kind[i], &mesh, 6) > pair_count(kind[i], CAIRN_MESH) / 4);
        test_mesh_sheet(&mesh, 5);
        assert_true(with_mesh(kind[i], &mesh, 7) > pair_count(kind[i], CAIRN_MESH) / 4);
    }
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_and_capsules), cmocka_unit_test(round_and_boxes), cmocka_unit_test(boxes),
        cmocka_unit_test(convex_pairs),         cmocka_unit_test(walls),           cmocka_unit_test(meshes),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
