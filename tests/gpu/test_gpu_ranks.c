/* One world on several ranks, which are threads here (docs/gpu.md, ranks): whatever the number of ranks and whoever owns which body, all states are
 * the same to the bit; nothing is lost where bodies go from rank to rank; and what is conserved stays so. */
#include "support/check.h"
#include "support/device_library.h"
#include "support/problems/random_problem.h"
#include "support/rank_scene.h"

#include <stdlib.h>
#include <string.h>

static const crn_gpu_table *gpu;

/* -------------------------------------------------------------------------------------------------------------- scenes */

static void begin(rank_scene *s)
{
    *s = (rank_scene){.gravity = {0, 0, -9.81}, .step = 0.005, .friction = 0.5, .sweeps = 12, .law = CRN_GPU_CONE};
}

static crn_gpu_body *add_body(rank_scene *s, double x, double y, double z, double mass)
{
    crn_gpu_body *body = &s->body[s->bodies++];
    *body = (crn_gpu_body){.x = {x, y, z}, .q = {1}, .driven = -1, .groups = 1, .collides_with = 1};
    body->inverse_mass = mass > 0 ? 1 / mass : 0.0;
    body->inertia[0] = 0.003 * mass;
    body->inertia[4] = 0.002 * mass;
    body->inertia[8] = 0.004 * mass;
    return body;
}

static crn_gpu_body *add_sphere(rank_scene *s, double x, double y, double z, double radius)
{
    double mass = 4000 * radius * radius * radius;
    crn_gpu_body *body = add_body(s, x, y, z, mass);
    body->radius = radius;
    body->inverse_inertia = 1 / (0.4 * mass * radius * radius);
    return body;
}

static crn_gpu_shape *add_shape(rank_scene *s, crn_gpu_kind kind, int body, double radius)
{
    s->shape[s->shapes] = (crn_gpu_shape){.kind = kind, .body = body, .triangle = -1, .q = {1}, .radius = radius};
    return &s->shape[s->shapes++];
}

static void add_box(rank_scene *s, double half)
{
    const double n[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int k = 0; k < 5; ++k)
    {
        crn_gpu_plane *plane = &s->plane[s->planes++];
        *plane = (crn_gpu_plane){.n = {n[k][0], n[k][1], n[k][2]}, .offset = k == 0 ? 0.0 : -half, .driven = -1};
    }
}

/* Spheres of several sizes fall into a box. */
static void make_spheres(rank_scene *s)
{
    test_random random = {3};
    begin(s);
    for (int i = 0; i < 300; ++i)
        add_sphere(s, 0.11 * (i % 7 - 3) + test_uniform(&random, -0.01, 0.01),
                   0.11 * (i / 7 % 7 - 3) + test_uniform(&random, -0.01, 0.01), 0.07 + 0.11 * (i / 49),
                   i % 11 == 0 ? 0.02 : test_uniform(&random, 0.035, 0.05));
    add_box(s, 0.4);
}

/* Two swarms that pass through each other, without gravity: bodies cross every border. */
static void make_swarms(rank_scene *s)
{
    test_random random = {17};
    begin(s);
    s->gravity[2] = 0;
    for (int i = 0; i < 200; ++i)
    {
        double side = i % 2 ? 1 : -1;
        crn_gpu_body *body =
            add_sphere(s, side * (0.3 + 0.12 * (i / 50)), 0.12 * (i / 2 % 5) + test_uniform(&random, -0.02, 0.02),
                       0.12 * (i / 10 % 5), 0.05);
        body->v[0] = -2 * side;
        body->v[1] = test_uniform(&random, -0.2, 0.2);
        body->w[2] = test_uniform(&random, -3, 3);
    }
    s->restitution = 0.5;
}

/* A large ball among small ones, which more than 64 touch at a time. */
static void make_giant(rank_scene *s)
{
    begin(s);
    add_sphere(s, 0, 0, 0.5, 0.5);
    for (int i = 0; i < 240; ++i)
    {
        double height = 1 - 2 * (i + 0.5) / 240, phi = 2.399963229728653 * i, flat = sqrt(1 - height * height);
        if (0.5 + 0.545 * height > 0.05)
            add_sphere(s, 0.545 * flat * cos(phi), 0.545 * flat * sin(phi), 0.5 + 0.545 * height, 0.045);
    }
    for (int i = 0; i < s->bodies; ++i)
        for (int k = 0; k < 3 && i > 0; ++k)
            s->body[i].v[k] = 3 * (s->body[0].x[k] - s->body[i].x[k]);
    add_box(s, 0.7);
}

/* Spheres, capsules, boxes and pairs of spheres. */
static void add_mixed(rank_scene *s, int count, double spacing, double bottom)
{
    test_random random = {5};
    for (int i = 0; i < count; ++i)
    {
        add_body(s, test_uniform(&random, -0.02, 0.02) + spacing * (i % 3 - 1),
                 test_uniform(&random, -0.02, 0.02) + spacing * (i / 3 % 3 - 1), bottom + spacing * (i / 9), 1);
        int b = s->bodies - 1;
        crn_gpu_shape *shape = add_shape(s,
                                         i % 4 == 1   ? CRN_GPU_CAPSULE
                                         : i % 4 == 2 ? CRN_GPU_BOX
                                                      : CRN_GPU_SPHERE,
                                         b, i % 4 == 2 ? 0.0 : 0.06);
        memcpy(shape->half, shape->kind == CRN_GPU_BOX ? (double[3]){0.09, 0.05, 0.04} : (double[3]){0, 0, 0.05},
               sizeof shape->half);
        if (i % 4 != 3)
            continue;
        shape->x[0] = 0.05;
        add_shape(s, CRN_GPU_SPHERE, b, 0.07)->x[0] = -0.05;
    }
}

static void make_mixed(rank_scene *s)
{
    begin(s);
    s->surface = (crn_gpu_surface){.rolling = 0.002, .spinning = 0.001, .cohesion = 0.5};
    add_mixed(s, 100, 0.25, 0.2);
    add_body(s, 0, 0, 0, 0);
    add_shape(s, CRN_GPU_HALF_SPACE, s->bodies - 1, 0)->half[2] = 1;
    crn_gpu_shape *bin = add_shape(s, CRN_GPU_HOLLOW, s->bodies - 1, 0);
    bin->half[0] = bin->half[1] = 0.6;
    bin->half[2] = 10;
    s->walls = 2;
}

/* The same in a drum about y that turns, with a fixed box inside. */
static void make_drum(rank_scene *s)
{
    begin(s);
    s->turn = 2;
    add_mixed(s, 45, 0.24, -0.4);
    add_body(s, 0.5, 0, -0.5, 0);
    memcpy(add_shape(s, CRN_GPU_BOX, s->bodies - 1, 0)->half, (double[3]){0.1, 0.3, 0.1}, 3 * sizeof(double));
    add_body(s, 0, 0, 0, 0)->driven = 0;
    crn_gpu_shape *drum = add_shape(s, CRN_GPU_HOLLOW, s->bodies - 1, 0);
    drum->half[0] = drum->half[1] = 0.9;
    drum->half[2] = 10;
    memcpy(drum->q, (double[4]){0.7071067811865476, 0.7071067811865476, 0, 0}, sizeof drum->q);
    s->walls = 1;
}

static void add_joint(rank_scene *s, int a, int b, bool is_hinge)
{
    crn_gpu_joint *joint = &s->joint[s->joints++];
    *joint = (crn_gpu_joint){.body = {a, b}, .equations = is_hinge ? 5 : 3, .length = 0.15};
    joint->rows = joint->watched = joint->equations;
    joint->point[0][2] = -0.1;
    joint->point[1][2] = 0.1;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3; ++k)
            joint->axis[side][k][k] = 1;
    for (int i = 0; i < joint->rows; ++i)
        joint->row[i] = (crn_gpu_row){.function = i < 3 ? CRN_GPU_MEET : CRN_GPU_ACROSS,
                                      .k = i < 3 ? i : i - 2,
                                      .mode = CRN_GPU_HOLD,
                                      .timed = -1,
                                      .coordinate = -1,
                                      .sign = 1};
}

/* Chains of capsules, on hinges and ball joints, fall on each other and on a floor. Links of a chain belong to any ranks. */
static void make_chains(rank_scene *s)
{
    enum
    {
        CHAINS = 16,
        LINKS = 4
    };
    begin(s);
    s->sweeps = 30;
    s->step = 0.002;
    s->gravity[0] = 3;
    for (int i = 0; i < CHAINS * LINKS; ++i)
    {
        int chain = i / LINKS, link = i % LINKS;
        crn_gpu_body *body = add_body(s, 0.17 * (chain % 4) + 0.01 * (chain / 4), 0.16 * (chain / 4),
                                      0.75 - 0.2 * link + 0.01 * chain, 0.5);
        body->w[1] = 0.4 * (chain % 3 - 1);
        add_shape(s, CRN_GPU_CAPSULE, s->bodies - 1, 0.04)->half[2] = 0.05;
    }
    for (int colour = 0; colour < 2; ++colour)
    {
        s->joint_first[colour] = s->joints;
        for (int i = 0; i < CHAINS * LINKS; ++i)
            if (i % LINKS + 1 < LINKS && i % LINKS % 2 == colour)
                add_joint(s, i, i + 1, i / LINKS % 2);
    }
    s->joint_first[2] = s->joints;
    s->joint_colours = 2;
    add_body(s, 0, 0, 0, 0);
    add_shape(s, CRN_GPU_HALF_SPACE, s->bodies - 1, 0)->half[2] = 1;
    s->walls = 1;
}

/* A heap that every step has to solve to a tolerance. */
static void make_solved(rank_scene *s)
{
    make_spheres(s);
    s->bodies = 120;
    s->tolerance = 1e-3;
    s->most_sweeps = 4000;
}

/* A large box among balls, more of which touch it than there are colours. */
static void make_giant_box(rank_scene *s)
{
    begin(s);
    add_body(s, 0, 0, 0.2, 50);
    memcpy(add_shape(s, CRN_GPU_BOX, 0, 0)->half, (double[3]){0.5, 0.5, 0.1}, 3 * sizeof(double));
    for (int i = 0; i < 100; ++i)
    {
        add_body(s, 0.095 * (i % 10 - 4.5), 0.095 * (i / 10 - 4.5), 0.3475, 0.3);
        add_shape(s, CRN_GPU_SPHERE, s->bodies - 1, 0.045);
    }
    add_body(s, 0, 0, 0, 0);
    add_shape(s, CRN_GPU_HALF_SPACE, s->bodies - 1, 0)->half[2] = 1;
    s->walls = 1;
}

/* --------------------------------------------------------------------------------------------------------------- tests */

static void check_same(const char *name, const rank_scene *s, const rank_plan *plan, const rank_end *first,
                       const rank_end *other)
{
    const crn_gpu_report *a = &first->report, *b = &other->report;
    if (!other->is_whole || other->sentence[0])
        fail_msg("%s, %d ranks, division %d: %s", name, plan->ranks, plan->division,
                 other->sentence[0] ? other->sentence : "somebody waited in vain");
    for (int i = 0; i < s->bodies; ++i)
        if (memcmp(first->body[i].x, other->body[i].x, 13 * sizeof(double)))
            fail_msg("%s, %d ranks, division %d, anew after %d: body %d of %d is elsewhere: %.17g, not %.17g", name,
                     plan->ranks, plan->division, plan->reopen, i, s->bodies, other->body[i].x[2], first->body[i].x[2]);
    assert_int_equal(a->contacts, b->contacts);
    assert_int_equal(a->active, b->active);
    assert_int_equal(a->leftover, b->leftover);
    assert_int_equal(a->sweeps, b->sweeps);
    const double x[] = {a->worst,       a->mean,          a->approach,
                        a->scale,       a->penetration,   a->mean_penetration,
                        a->work_normal, a->work_friction, a->work_gyroscopic};
    const double y[] = {b->worst,       b->mean,          b->approach,
                        b->scale,       b->penetration,   b->mean_penetration,
                        b->work_normal, b->work_friction, b->work_gyroscopic};
    assert_memory_equal(x, y, sizeof x);
}

/* Runs a scene on one rank, then on others; with CAIRN_LONG on more of them, under sanitizers in turn on three or on eight. */
static rank_end same_on_all(const char *name, void (*make)(rank_scene *), int steps)
{
    static const rank_plan plans[] = {
        {3, RANK_BY_CHANCE, false, 7, 1, false, 0},  {8, RANK_ONE_EMPTY, false, 31, 2, false, 0},
        {2, RANK_BY_CHANCE, false, 0, 3, false, 0},  {3, RANK_BY_PLACE, false, 0, 4, false, 0},
        {5, RANK_ONE_EMPTY, false, 0, 5, false, 0},  {8, RANK_BY_CHANCE, false, 0, 6, false, 0},
        {1, RANK_BY_CHANCE, false, 20, 7, false, 0}, {5, RANK_BY_PLACE, false, 13, 8, false, 0}};
    size_t count = getenv("CAIRN_LONG") ? sizeof plans / sizeof plans[0] : IS_SANITIZED ? 2 : 3;
    static size_t turn;
    turn = 1 - turn;
    static rank_scene s;
    static rank_end first, other;
    make(&s);
    rank_scene_run(gpu, &s, &(rank_plan){.ranks = 1}, steps, &first);
    check_same(name, &s, &(rank_plan){.ranks = 1}, &first, &first);
    for (size_t i = TAKES_ALL ? 0 : turn; i < count; i += TAKES_ALL ? 1 : 2)
    {
        rank_scene_run(gpu, &s, &plans[i], steps, &other);
        check_same(name, &s, &plans[i], &first, &other);
        assert_true(plans[i].ranks == 1 || other.report.messages > 0);
    }
    return first;
}

/* One rank takes the steps of a world that knows nothing of ranks: only the order of visits may differ. */
static void one_rank_is_as_good_as_none(void **state)
{
    (void)state;
    static rank_scene s;
    static rank_end one, none;
    void (*const make[])(rank_scene *) = {make_spheres, make_chains, make_giant, make_mixed};
    const bool has_slabs = gpu->name[0] != 'p'; /* then bodies are visited in quite another order */
    const int steps[] = {30, 40, 10, 30};
    for (int i = 0; i < 4; ++i)
    {
        double far = 0;
        make[i](&s);
        rank_scene_run(gpu, &s, &(rank_plan){.ranks = 1}, steps[i], &one);
        rank_scene_run(gpu, &s, &(rank_plan){.ranks = 1, .is_alone = true}, steps[i], &none);
        assert_string_equal(one.sentence, "");
        assert_near(one.report.contacts, none.report.contacts, has_slabs ? 0.02 * none.report.contacts : 0);
        for (int b = 0; b < s.bodies; ++b)
            for (int k = 0; k < 3; ++k)
                far = fmax(far, fabs(one.body[b].x[k] - none.body[b].x[k]));
        assert_near(far, 0, has_slabs ? 1e-2 : 1e-5);
    }
}

static void spheres(void **state)
{
    (void)state;
    rank_end end = same_on_all("spheres", make_spheres, 200);
    assert_true(end.report.contacts > 600 && end.report.penetration < 0.002);
}

static void mixed_shapes(void **state)
{
    (void)state;
    rank_end end = same_on_all("mixed shapes", make_mixed, 200);
    assert_true(end.report.contacts > 100 && end.report.penetration < 0.005);
}

static void drum(void **state)
{
    (void)state;
    rank_end end = same_on_all("drum", make_drum, 200);
    assert_true(end.report.contacts > 40);
}

static void chains(void **state)
{
    (void)state;
    rank_end end = same_on_all("chains", make_chains, 250);
    assert_true(end.report.contacts > 15);
}

static void giant_sphere(void **state)
{
    (void)state;
    rank_end end = same_on_all("giant sphere", make_giant, 60);
    assert_true(end.most_leftover > 0);
}

static void giant_box(void **state)
{
    (void)state;
    rank_end end = same_on_all("giant box", make_giant_box, 60);
    assert_true(end.most_leftover > 0);
}

static void tolerance(void **state)
{
    (void)state;
    rank_end end = same_on_all("to a tolerance", make_solved, 120);
    assert_true(end.report.worst <= 1e-3 * end.report.scale && end.report.contacts > 100);
}

/* The momentum of bodies that only touch each other stays what it was, and none is lost. */
static void check_momentum(const rank_end *end)
{
    static rank_scene s;
    make_swarms(&s);
    double change[3] = {0};
    for (int i = 0; i < s.bodies; ++i)
        for (int when = 0; when < 2; ++when)
        {
            const crn_gpu_body *b = when ? &end->body[i] : &s.body[i];
            for (int k = 0; k < 3; ++k)
                change[k] += (when ? 1 : -1) * b->v[k] / b->inverse_mass;
        }
    for (int k = 0; k < 3; ++k)
        assert_near(change[k], 0, gpu->name[0] == 'p' ? 1e-10 : 1e-4);
    assert_true(end->body[0].x[0] > s.body[0].x[0] + 0.1);
}

static void swarms(void **state)
{
    (void)state;
    rank_end end = same_on_all("swarms", make_swarms, 200);
    check_momentum(&end);
}

/* ------------------------------------------------------------------------------------------------------------- threads */

/* Threads of a rank change no bit, in either mode. */
static void threads_alike(const char *name, void (*make)(rank_scene *), int steps)
{
    static rank_scene s;
    static rank_end alone, together;
    make(&s);
    for (int i = 0; i < 6; ++i)
    {
        rank_plan plan = {
            .ranks = i % 3 == 2 ? 3 : 1, .division = RANK_BY_PLACE, .reopen = 9, .seed = 4, .is_split = i % 2};
        rank_scene_run(gpu, &s, &plan, steps, &alone);
        plan.threads = 2 + i % 2;
        rank_scene_run(gpu, &s, &plan, steps, &together);
        check_same(name, &s, &plan, &alone, &together);
    }
}

static void threads(void **state)
{
    (void)state;
    threads_alike("threads on spheres", make_spheres, 60);
    threads_alike("threads on shapes", make_mixed, 50);
    threads_alike("threads on a giant", make_giant, 20);
    threads_alike("threads to a tolerance", make_solved, 20);
}

/* -------------------------------------------------------------------------------------------------------- split bodies */

/* Bodies that ranks share. Where they belong to ranks by chance, nearly every contact is between two ranks, and bodies are shared by all of them: sweeps must converge all the
 * same. The same division gives the same bits, and one rank those of whole bodies. */
static rank_end split_alike(const char *name, void (*make)(rank_scene *), int steps, const rank_end **whole)
{
    static const rank_plan plans[] = {{8, RANK_BY_CHANCE, false, 0, 6, true, 0},
                                      {3, RANK_BY_PLACE, false, 9, 4, true, 0}};
    static rank_scene s;
    static rank_end first, one, other, again;
    make(&s);
    rank_scene_run(gpu, &s, &(rank_plan){.ranks = 1}, steps, &first);
    rank_scene_run(gpu, &s, &(rank_plan){.ranks = 1, .is_split = true}, steps, &one);
    check_same(name, &s, &(rank_plan){.ranks = 1}, &first, &one);
    for (size_t i = sizeof plans / sizeof plans[0]; i-- > 0;)
    {
        rank_scene_run(gpu, &s, &plans[i], steps, &other);
        assert_true(other.report.messages > 0);
        if (!TAKES_ALL)
            continue;
        rank_scene_run(gpu, &s, &plans[i], steps, &again);
        check_same(name, &s, &plans[i], &other, &again);
    }
    *whole = &first;
    return other;
}

/* The pile is as good as that of whole bodies: its certificate and its overlaps. */
static void split_piles(void **state)
{
    (void)state;
    const rank_end *whole;
    rank_end end = split_alike("split spheres", make_spheres, 200, &whole);
    assert_near(end.report.contacts, whole->report.contacts, 0.05 * whole->report.contacts);
    assert_true(end.report.mean < 2 * whole->report.mean && end.report.penetration < 0.002);
    end = split_alike("split shapes", make_mixed, 150, &whole);
    assert_true(end.report.contacts > 100 && end.report.penetration < 0.005);
    end = split_alike("split giant", make_giant, 60, &whole);
    assert_true(end.most_leftover > 0 && end.report.penetration < 0.005);
}

static void split_tolerance(void **state)
{
    (void)state;
    const rank_end *whole;
    rank_end end = split_alike("split, to a tolerance", make_solved, 60, &whole);
    assert_true(end.report.worst <= 1e-3 * end.report.scale && end.report.contacts > 80);
}

static void split_swarms(void **state)
{
    (void)state;
    const rank_end *whole;
    rank_end end = split_alike("split swarms", make_swarms, 200, &whole);
    check_momentum(&end);
}

/* A joint cannot be shared: all ranks say so. */
static void split_joints(void **state)
{
    (void)state;
    static rank_scene s;
    static rank_end end;
    make_chains(&s);
    rank_scene_run(gpu, &s, &(rank_plan){3, RANK_BY_CHANCE, false, 0, 1, true, 0}, 5, &end);
    assert_true(end.is_whole && end.sentence[0]);
    rank_scene_run(gpu, &s, &(rank_plan){.ranks = 1, .is_split = true}, 5, &end);
    assert_string_equal(end.sentence, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rank_is_as_good_as_none),
        cmocka_unit_test(spheres),
        cmocka_unit_test(swarms),
        cmocka_unit_test(mixed_shapes),
        cmocka_unit_test(drum),
        cmocka_unit_test(chains),
        cmocka_unit_test(giant_box),
        cmocka_unit_test(giant_sphere),
        cmocka_unit_test(tolerance),
        cmocka_unit_test(threads),
        cmocka_unit_test(split_piles),
        cmocka_unit_test(split_tolerance),
        cmocka_unit_test(split_swarms),
        cmocka_unit_test(split_joints),
    };
    if (!device_is_there())
        return 77;
    gpu = device_table();
    return gpu ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
