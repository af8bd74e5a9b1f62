/* Pieces made by hand from Newton's and Euler's laws: what is right passes, and what breaks one law alone is told by its name. */
#include "support/check.h"
#include "support/worlds.h"

#include "audit/audit_internal.h"
#include "math/vec.h"

#include <string.h>

enum
{
    BODIES = 3 /* two boxes, and a driven plate */
};

static const double MASS[BODIES] = {0.5, 0.3, 0}, BOUND[BODIES] = {0.2, 0.15, 0};
/* principal moments; small, so that their product is far from 1 */
static const double PRINCIPAL[BODIES][3] = {{0.004, 0.006, 0.007}, {0.002, 0.0015, 0.0025}, {0, 0, 0}};

typedef struct bench
{
    world w;
    crn_audit *audit;
    double inertia[BODIES][9], before[BODIES][6], after[BODIES][6], zero[BODIES][6];
    double drive_before[BODIES][6], drive_after[BODIES][6], joint[1][CRN_PIECE_JOINT_ROWS];
    crn_pose pose[BODIES];
    crn_piece_contact contact;
    crn_piece piece;
} bench;

static void add_hinge(bench *x)
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    cairn_joint out;
    o.name = "rod";
    o.a.body = cairn_model_body(x->w.model, 0);
    o.b.body = cairn_model_body(x->w.model, 1);
    assert_int_equal(cairn_model_add_joint(x->w.model, &o, &out), CAIRN_OK);
}

/* Principal axes that are not the body's: I = Q diag Q'. */
static void turn_axes(const double principal[3], const double Q[9], bool inverse, double out[9])
{
    memset(out, 0, sizeof(double[9]));
    for (int i = 0; i < 27; ++i)
    {
        int r = i / 9, c = i / 3 % 3, k = i % 3;
        out[3 * r + c] += Q[3 * r + k] * (inverse ? 1 / principal[k] : principal[k]) * Q[3 * c + k];
    }
}

static void axes_of(int body, double Q[9])
{
    double q[4];
    crn_quaternion_exp((double[3]){0.3 + body, -0.5, 0.2 * body}, q);
    crn_quaternion_to_matrix(q, Q);
}

static void set_bench(bench *x, bool rod)
{
    memset(x, 0, sizeof *x);
    x->w = world_new(3);
    cairn_material m = add_material(x->w.model, "m", 0.5, 0.5);
    add_box(x->w.model, "a", MASS[0], (double[3]){0.1, 0.2, 0.3}, (double[3]){0, 0, 1}, m);
    add_box(x->w.model, "b", MASS[1], (double[3]){0.1, 0.2, 0.1}, (double[3]){0, 0, 0}, m);
    cairn_body_options plate = cairn_body_default();
    plate.name = "plate";
    plate.kind = CAIRN_DRIVEN;
    cairn_body driven;
    assert_int_equal(cairn_model_add_body(x->w.model, &plate, &driven), CAIRN_OK);
    if (rod)
        add_hinge(x);
    for (int b = 0; b < BODIES; ++b)
    {
        double Q[9], q[4];
        axes_of(b, Q);
        turn_axes(PRINCIPAL[b], Q, false, x->inertia[b]);
        crn_quaternion_exp((double[3]){0.4, 0.1 * b, -0.6}, q);
        crn_quaternion_to_matrix(b < 2 ? q : (double[4]){1, 0, 0, 0}, x->pose[b].R);
    }
    memcpy(x->pose[0].x, (double[3]){0.05, -0.1, 0.12}, sizeof(double[3]));
    memcpy(x->pose[1].x, (double[3]){-0.06, 0.03, -0.1}, sizeof(double[3]));
    static const int START[BODIES + 1] = {0, 9, 18, 27};
    crn_audit_bodies bodies = {.mass = MASS, .inertia = {START, x->inertia[0], false}, .bound = BOUND, .threads = 1};
    x->audit = crn_audit_create(x->w.model, &bodies);
    assert_non_null(x->audit);
    x->contact = (crn_piece_contact){.body_a = 0, .body_b = 1, .normal = {0, 0, 1}, .normal_before = {0, 0, 1}};
    x->contact.friction = x->contact.restitution = 0.5;
    x->contact.last = true;
    x->piece = (crn_piece){.drift_time = INFINITY, .tolerance = 1e-12, .threshold = 0.01, .cone = 1, .pose = x->pose};
    x->piece.before = x->before;
    x->piece.after = x->after;
    x->piece.outer = x->piece.inner = x->zero;
    x->piece.place[0] = (crn_piece_place){x->pose, x->drive_before, x->drive_after, rod ? x->joint : NULL};
    x->piece.place_count = 1;
    x->piece.contacts = &x->contact;
    x->piece.contact_count = 1;
}

static void free_bench(bench *x)
{
    crn_audit_destroy(x->audit);
    world_free(&x->w);
}

/* What an impulse at a point of the world does to the velocity after. */
static void give(bench *x, int body, double sign, const double at[3], const double impulse[3])
{
    double arm[3], moment[3], Q[9], inverse[9], turn[3];
    crn_madd3(x->after[body], sign / MASS[body], impulse, x->after[body]);
    crn_sub3(at, x->pose[body].x, arm);
    crn_cross3(arm, impulse, moment);
    crn_unrotate3(x->pose[body].R, moment, moment);
    axes_of(body, Q);
    turn_axes(PRINCIPAL[body], Q, true, inverse);
    crn_rotate3(inverse, moment, turn);
    crn_madd3(x->after[body] + 3, sign, turn, x->after[body] + 3);
}

/* Velocity of a's point against b's along z. */
static double rate(bench *x, double (*v)[6])
{
    double u[2];
    for (int b = 0; b < 2; ++b)
    {
        double w[3], arm[3], round[3];
        crn_rotate3(x->pose[b].R, v[b] + 3, w);
        crn_sub3(b ? x->contact.point_b : x->contact.point_a, x->pose[b].x, arm);
        crn_cross3(w, arm, round);
        u[b] = v[b][2] + round[2];
    }
    return u[0] - u[1];
}

static void strike(bench *x, const double impulse[3])
{
    memcpy(x->after, x->before, sizeof x->after);
    memcpy(x->contact.impulse, impulse, sizeof x->contact.impulse);
    give(x, 0, 1, x->contact.point_a, impulse);
    give(x, 1, -1, x->contact.point_b, impulse);
}

/* The impulse along z with a share of friction along x that leaves `after` between the bodies' points. */
static void strike_to(bench *x, double after, double friction)
{
    double once[3] = {friction, 0, 1};
    strike(x, once);
    double start = rate(x, x->before), gain = rate(x, x->after) - start, r = (after - start) / gain;
    strike(x, (double[3]){friction * r, 0, r});
}

static int found(bench *x, cairn_violation_kind kind)
{
    crn_audit_begin(x->audit);
    assert_int_equal(crn_audit_piece(x->audit, &x->piece), CAIRN_OK);
    return (int)x->audit->record.step.count[kind];
}

static int found_any(bench *x)
{
    found(x, CAIRN_VIOLATION_JUMP);
    return crn_audit_found(x->audit);
}

/* The two boxes meet at a point off both centres, closing at the given speed. */
static void approach(bench *x, double speed)
{
    memcpy(x->before[0] + 3, (double[3]){0.3, -0.2, 0.5}, sizeof(double[3]));
    memcpy(x->before[1] + 3, (double[3]){-0.4, 0.1, 0.2}, sizeof(double[3]));
    x->before[0][0] = 0.2;
    x->before[0][2] = 0;
    x->before[0][2] = -speed - rate(x, x->before);
}

static void impacts_of_two_bodies(void **state)
{
    (void)state;
    bench x;
    set_bench(&x, false);
    approach(&x, 1);
    strike_to(&x, 0.5, 0);
    assert_int_equal(found_any(&x), 0);
    strike_to(&x, 0.4, 0);
    assert_int_equal(found(&x, CAIRN_VIOLATION_RESTITUTION), 1);
    assert_int_equal(crn_audit_found(x.audit), 1);
    /* friction acts on the normal velocity through the arms: less than e may come back */
    strike_to(&x, 0.4, -0.1);
    assert_int_equal(found(&x, CAIRN_VIOLATION_RESTITUTION), 0);
    /* slower than the threshold nothing bounces */
    approach(&x, 0.005);
    strike_to(&x, 0, 0);
    assert_int_equal(found_any(&x), 0);
    strike_to(&x, 0.0025, 0);
    assert_int_equal(found(&x, CAIRN_VIOLATION_RESTITUTION), 1);
    free_bench(&x);
}

/* The impulse of the contact, and with it a moment of `share` of what rolling friction may give, against the relative rotation. */
static void roll(bench *x, double share)
{
    double w[2][3], about[3];
    strike_to(x, 0.5, 0);
    x->contact.rolling = 1e-3;
    for (int b = 0; b < 2; ++b)
        crn_rotate3(x->pose[b].R, x->before[b] + 3, w[b]);
    crn_sub3(w[0], w[1], about);
    about[2] = 0;
    crn_scale3(-share * 1e-3 * x->contact.impulse[2] / crn_norm3(about), about, x->contact.moment);
    for (int b = 0; b < 2; ++b)
    {
        double moment[3], Q[9], inverse[9], turn[3];
        crn_unrotate3(x->pose[b].R, x->contact.moment, moment);
        axes_of(b, Q);
        turn_axes(PRINCIPAL[b], Q, true, inverse);
        crn_rotate3(inverse, moment, turn);
        crn_madd3(x->after[b] + 3, b ? -1 : 1, turn, x->after[b] + 3);
    }
}

/* Moments of rolling friction are kept on record, within their bound, and against the rotation. */
static void rolling_keeps_to_its_bound(void **state)
{
    (void)state;
    bench x;
    set_bench(&x, false);
    approach(&x, 1);
    x.piece.threshold = 10; /* no bounce is asked for: the moment changes the normal velocity, too */
    roll(&x, 1);
    assert_int_equal(found(&x, CAIRN_VIOLATION_FRICTION), 0);
    assert_int_equal(found(&x, CAIRN_VIOLATION_JUMP), 0);
    roll(&x, 1.01);
    assert_int_equal(found(&x, CAIRN_VIOLATION_FRICTION), 1);
    roll(&x, -1);
    assert_int_equal(found(&x, CAIRN_VIOLATION_FRICTION), 1);
    roll(&x, 1);
    x.contact.moment[0] += 1e-6;
    assert_int_equal(found(&x, CAIRN_VIOLATION_JUMP), 2);
    free_bench(&x);
}

/* Forces draw the bodies apart, and their contact pulls with a share of its cohesion, from a gap of so many ranges. */
static int violations_of_pull(double drawn, double share, double gap, double friction)
{
    bench x;
    double outer[BODIES][6] = {{0}};
    set_bench(&x, false);
    x.piece.h = 1e-3;
    x.piece.outer = outer;
    x.contact.cohesion = 200;
    x.contact.range = 1e-4;
    x.contact.gap = x.contact.gap_before = gap * x.contact.range;
    strike(&x, (double[3]){friction, 0, -share * x.piece.h * x.contact.cohesion});
    for (int b = 0; b < 2; ++b)
    {
        outer[b][2] = (b ? -1 : 1) * drawn;
        x.after[b][2] += outer[b][2] / MASS[b];
    }
    int count = found(&x, CAIRN_VIOLATION_PULL) + 10 * found(&x, CAIRN_VIOLATION_FRICTION);
    assert_int_equal(found(&x, CAIRN_VIOLATION_JUMP), 0);
    free_bench(&x);
    return count;
}

/* A contact pulls with no more than its cohesion, within its range alone, and with all of it where it opens. */
static void pulls_keep_to_their_force(void **state)
{
    (void)state;
    assert_int_equal(violations_of_pull(2, 1, 0, 0), 0);
    assert_int_equal(violations_of_pull(2, 1, 0.9, 0), 0);
    assert_int_equal(violations_of_pull(2, 1.01, 0, 0), 1);
    assert_int_equal(violations_of_pull(2, 0.99, 0, 0), 1);
    assert_int_equal(violations_of_pull(2, 1, 1.1, 0), 1);
    assert_int_equal(violations_of_pull(2, 0, 1.1, 0), 0);
    assert_int_equal(violations_of_pull(0, 0.5, 0, 0.49 * 0.1), 0); /* friction of what presses */
    assert_int_equal(violations_of_pull(0, 0.5, 0, 0.51 * 0.1), 10);
}

/* A spin that no impulse explains is a jump of its size at the body's bound. */
static void spins_do_not_jump(void **state)
{
    (void)state;
    bench x;
    set_bench(&x, false);
    approach(&x, 1);
    strike_to(&x, 0.5, 0);
    x.after[1][4] += 1e-5;
    assert_int_equal(found(&x, CAIRN_VIOLATION_JUMP), 1);
    assert_near(x.audit->record.step.worst[CAIRN_VIOLATION_JUMP].size, 1e-5 * BOUND[1], 1e-12);
    free_bench(&x);
}

/* The impulse acts on a at one place and on b at another beside it: both move as they should, and yet the pair begins to turn. */
static void moments_are_kept(void **state)
{
    (void)state;
    bench x;
    set_bench(&x, false);
    x.contact.point_b[0] = 1e-4;
    approach(&x, 1);
    strike_to(&x, 0.5, 0);
    assert_int_equal(found(&x, CAIRN_VIOLATION_MOMENTUM), 1);
    assert_int_equal(crn_audit_found(x.audit), 1);
    double moment = 1e-4 * x.contact.impulse[2];
    double reach = x.audit->group[0].size;
    assert_near(x.audit->record.step.worst[CAIRN_VIOLATION_MOMENTUM].size, moment / ((MASS[0] + MASS[1]) * reach),
                1e-12);
    free_bench(&x);
}

/* A plate that goes on at another velocity after the impact: restitution is between the velocities of each side. */
static void plates_have_two_velocities(void **state)
{
    (void)state;
    bench x;
    set_bench(&x, false);
    x.contact.body_b = 2;
    memcpy(x.contact.point_a, x.pose[0].x, sizeof x.contact.point_a);
    memcpy(x.contact.point_b, x.pose[0].x, sizeof x.contact.point_b);
    x.drive_before[2][2] = 0.3;
    x.drive_after[2][2] = 0.7;
    x.before[0][2] = -0.5;
    memcpy(x.after, x.before, sizeof x.after);
    x.contact.impulse[2] = MASS[0] * (0.7 + 0.5 * 0.8 + 0.5);
    give(&x, 0, 1, x.contact.point_a, x.contact.impulse);
    assert_int_equal(found(&x, CAIRN_VIOLATION_RESTITUTION), 0);
    assert_int_equal(found(&x, CAIRN_VIOLATION_JUMP), 0);
    free_bench(&x);
}

/* In a smooth part, too, what closes fast must bounce. */
static void fast_contacts_bounce_in_smooth_parts(void **state)
{
    (void)state;
    for (int bounces = 0; bounces < 2; ++bounces)
    {
        bench x;
        set_bench(&x, false);
        x.piece.h = 1e-3;
        approach(&x, 1);
        strike_to(&x, bounces ? 0.5 : 0, 0);
        assert_int_equal(found(&x, CAIRN_VIOLATION_RESTITUTION), bounces ? 0 : 1);
        free_bench(&x);
    }
}

/* A rod that pushes its ends apart while they move apart makes energy. */
static void joints_make_no_energy(void **state)
{
    (void)state;
    for (int n = 0; n < 2; ++n)
    {
        bench x;
        set_bench(&x, true);
        x.piece.contact_count = 0;
        double way[3], impulse[3], length;
        crn_sub3(x.pose[1].x, x.pose[0].x, way);
        length = crn_norm3(way);
        x.w.model->joints[0].length = length;
        double push = n ? 0.1 : 0;
        for (int k = 0; k < 3; ++k)
        {
            impulse[k] = -push * way[k] / length;
            x.before[1][k] = n ? way[k] / length : 0;
        }
        x.joint[0][0] = push;
        memcpy(x.after, x.before, sizeof x.after);
        give(&x, 0, 1, x.pose[0].x, impulse);
        give(&x, 1, -1, x.pose[1].x, impulse);
        assert_int_equal(found(&x, CAIRN_VIOLATION_ENERGY), n);
        assert_int_equal(crn_audit_found(x.audit), n);
        free_bench(&x);
    }
}

static void the_worst_is_told(void **state)
{
    (void)state;
    bench x;
    set_bench(&x, false);
    const double sizes[4] = {2, 5, 3, NAN};
    crn_audit_begin(x.audit);
    for (int i = 0; i < 4; ++i)
    {
        crn_audit_judge(x.audit, (cairn_violation){.kind = CAIRN_VIOLATION_PULL, .size = sizes[i], .allowance = 1});
        double worst = x.audit->record.step.worst[CAIRN_VIOLATION_PULL].size;
        assert_true(i == 3 ? isnan(worst) : worst == (i == 0 ? 2 : 5));
    }
    crn_audit_judge(x.audit, (cairn_violation){.kind = CAIRN_VIOLATION_BOOK, .size = 2, .allowance = 1});
    assert_int_equal(crn_audit_forbidden(x.audit, 0), 5);
    assert_int_equal(crn_audit_forbidden(x.audit, 1u << CAIRN_VIOLATION_PULL), 1);
    assert_int_equal(crn_audit_forbidden(x.audit, 1u << CAIRN_VIOLATION_BOOK), 4);
    free_bench(&x);
}

/* Overlaps are compared with those of the same shapes at the start, wherever these stand in the list. */
static void overlaps_are_those_of_the_same_shapes(void **state)
{
    (void)state;
    bench x;
    set_bench(&x, false);
    crn_contact c[5] = {0};
    for (int i = 0; i < 5; ++i)
    {
        c[i] = (crn_contact){.body_a = i % 2, .body_b = 2, .shape_a = 0, .shape_b = 1, .normal = {0, 0, 1}};
        c[i].shape_a = i < 3 ? 0 : 1;
        c[i].shape_b = i < 3 ? 1 : 0;
        c[i].identity = 10 * (uint64_t)(i + 1);
        c[i].gap = i == 4 ? -1e-3 : 0.01;
    }
    crn_audit_motion motion = {.h = 0.01, .tolerance = 1e-12, .before = x.zero, .after = x.zero, .book_kinetic = NAN};
    crn_audit_begin(x.audit);
    assert_int_equal(crn_audit_from(x.audit, c, 5, false), CAIRN_OK);
    crn_audit_end(x.audit, &motion, c, 5);
    assert_int_equal(crn_audit_found(x.audit), 0);
    c[0].gap = -1e-3; /* other shapes, which did not overlap */
    crn_audit_begin(x.audit);
    crn_audit_end(x.audit, &motion, c, 5);
    assert_int_equal(crn_audit_found(x.audit), 1);
    free_bench(&x);
}

/* Contacts of the start that are read where they lie count like copied ones, before and after others were inserted, and the others do not
 * count: a normal that turns over tells of a passage only where there was one at the start. */
static void contacts_may_be_lent(void **state)
{
    (void)state;
    bench x;
    set_bench(&x, false);
    crn_contact start[2] = {
        {.identity = 10, .body_a = 0, .body_b = 2, .shape_b = 1, .gap = 1e-3, .normal = {0, 0, 1}},
        {.identity = 30, .body_a = 1, .body_b = 2, .shape_a = 1, .shape_b = 2, .gap = 1e-3, .normal = {0, 0, 1}}};
    crn_contact came = {.identity = 20, .body_a = 0, .body_b = 2, .shape_b = 2, .gap = 1e-3, .normal = {0, 0, 1}};
    crn_contact all[3] = {start[0], came, start[1]}, end[3] = {start[0], came, start[1]};
    crn_audit_motion motion = {.h = 0.01, .tolerance = 1e-12, .before = x.zero, .after = x.zero, .book_kinetic = NAN};
    for (int i = 0; i < 3; ++i)
        end[i].normal[2] = -1;
    for (int way = 0; way < 4; ++way) /* copied, lent, lent and followed, the same and copied later */
    {
        crn_audit_begin(x.audit);
        assert_int_equal(crn_audit_from(x.audit, start, 2, way > 0), CAIRN_OK);
        assert_true((crn_audit_lent(x.audit) == start) == (way > 0));
        if (way > 1)
            assert_int_equal(crn_audit_follow(x.audit, all, 3, &came, 1), CAIRN_OK);
        if (way > 2)
            assert_int_equal(crn_audit_own_start(x.audit), CAIRN_OK);
        crn_audit_end(x.audit, &motion, end, 3);
        assert_int_equal(crn_audit_found(x.audit), 2);
        assert_null(crn_audit_lent(x.audit));
    }
    free_bench(&x);
}

/* A contact that takes the place of another within a piece may overlap by the drift of that one, and is pushed out. */
static void fresh_overlaps_are_pushed_out(void **state)
{
    (void)state;
    bench x;
    set_bench(&x, false);
    x.piece.h = 1e-9;
    x.piece.drift_time = 0.01;
    x.contact.gap = -1e-8;
    for (int fresh = 0; fresh < 2; ++fresh)
    {
        x.contact.fresh = fresh;
        strike_to(&x, 1e-6, 0);
        assert_int_equal(found(&x, CAIRN_VIOLATION_RESTITUTION), !fresh);
        strike_to(&x, 2.2e-6, 0);
        assert_int_equal(found(&x, CAIRN_VIOLATION_RESTITUTION), 1);
    }
    free_bench(&x);
}

/* The end of a face slides along another one that is tilted by 5e-3 rad: its gap changes by so much of the way. */
static void ends_of_faces_slide_along_tilted_ones(void **state)
{
    (void)state;
    bench x;
    set_bench(&x, false);
    double after[BODIES][6] = {{1e-4}};
    crn_audit_motion motion = {.h = 0.01, .tolerance = 1e-12, .before = x.zero, .after = after, .book_kinetic = NAN};
    for (int deep = 0; deep < 2; ++deep)
    {
        crn_contact c[2] = {{.body_a = 0, .body_b = 2, .shape_b = 1, .normal = {0, 0, 1}, .identity = 1}};
        c[1] = c[0];
        c[1].identity = 2;
        c[1].point_a[0] = 0.1;
        c[1].gap = 5e-4;
        crn_audit_begin(x.audit);
        assert_int_equal(crn_audit_from(x.audit, c, 2, false), CAIRN_OK);
        c[0].gap = deep ? -6e-9 : -4e-9;
        crn_audit_end(x.audit, &motion, c, 2);
        assert_int_equal(crn_audit_found(x.audit), deep);
    }
    free_bench(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_may_be_lent),
        cmocka_unit_test(impacts_of_two_bodies),
        cmocka_unit_test(spins_do_not_jump),
        cmocka_unit_test(rolling_keeps_to_its_bound),
        cmocka_unit_test(pulls_keep_to_their_force),
        cmocka_unit_test(moments_are_kept),
        cmocka_unit_test(plates_have_two_velocities),
        cmocka_unit_test(fast_contacts_bounce_in_smooth_parts),
        cmocka_unit_test(joints_make_no_energy),
        cmocka_unit_test(the_worst_is_told),
        cmocka_unit_test(overlaps_are_those_of_the_same_shapes),
        cmocka_unit_test(fresh_overlaps_are_pushed_out),
        cmocka_unit_test(ends_of_faces_slide_along_tilted_ones),
    };
    return cmocka_run_group_tests_name("pieces made by hand", tests, NULL, NULL);
}
