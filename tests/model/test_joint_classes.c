/* Every class of joints, at random poses: gradients against differences of Theta, forces against gradients (the two are written down
 * apart), the number of degrees of freedom, and coordinates against differences and against what moves them. */
#include "math/vec.h"
#include "model/joints/joint_class.h"
#include "model/names.h"
#include "support/check.h"
#include "support/linkage.h"
#include "support/worlds.h"

#include <string.h>

typedef struct pair
{
    cairn_context *context;
    cairn_model *model;
    const crn_joint *joint;
    crn_pose pose[2];
} pair;

static void random_turn(uint64_t *seed, int dimension, double most, double q[4])
{
    double phi[3] = {0, 0, random_in(seed, -most, most)};
    for (int k = 0; dimension == 3 && k < 2; ++k)
        phi[k] = random_in(seed, -most, most);
    crn_quaternion_exp(phi, q);
}

static cairn_body add_body(pair *p, uint64_t *seed, int dimension, const char *name)
{
    cairn_body_options o = cairn_body_default();
    cairn_body body;
    o.name = name;
    o.mass = 1;
    o.inertia[0] = o.inertia[1] = o.inertia[2] = 1;
    random_turn(seed, dimension, 2, o.orientation);
    o.angle = 2 * atan2(o.orientation[3], o.orientation[0]);
    for (int k = 0; k < dimension; ++k)
        o.position[k] = random_in(seed, -1, 1);
    assert_int_equal(cairn_model_add_body(p->model, &o, &body), CAIRN_OK);
    return body;
}

/* The identity and a small matrix X X'. */
static void random_definite(uint64_t *seed, int n, double *out)
{
    double X[36];
    for (int i = 0; i < n * n; ++i)
        X[i] = random_in(seed, -0.5, 0.5);
    for (int i = 0; i < n * n; ++i)
    {
        out[i] = i / n == i % n;
        for (int k = 0; k < n; ++k)
            out[i] += X[i / n * n + k] * X[i % n * n + k];
    }
}

/* Two bodies at random poses with a joint of the class between them; false where the class does not exist in the dimension. */
static bool make_pair(uint64_t *seed, int dimension, int kind, pair *p)
{
    const crn_joint_class *type = crn_joint_class_at(NULL, kind);
    if (type->equations[dimension - 2] + type->bounded[dimension - 2] == 0)
        return false;
    p->context = cairn_context_create();
    assert_int_equal(cairn_model_create(p->context, dimension, &p->model), CAIRN_OK);
    cairn_joint_options o = cairn_joint_default((cairn_joint_kind)kind);
    cairn_joint_number number = {type->number_count > 0 ? type->numbers[0].name : "", random_in(seed, 0.3, 2)};
    double at[3] = {0}, other[3] = {0};
    for (int k = 0; k < dimension; ++k)
    {
        at[k] = random_in(seed, -1, 1);
        other[k] = type->fields & CRN_JOINT_APART ? random_in(seed, -1, 1) : at[k];
        o.axis[k] = random_in(seed, -1, 1);
        o.over[0][k] = random_in(seed, 2, 3);
        o.over[1][k] = random_in(seed, -3, -2);
    }
    double unused[3], unit[3];
    crn_scale3(1 / crn_norm3(o.axis), o.axis, unit);
    if (dimension == 3)
        crn_tangents(unit, o.second_axis, unused);
    cairn_body a = add_body(p, seed, dimension, "a"), b = add_body(p, seed, dimension, "b");
    o.name = "joint";
    o.a = cairn_model_attach(p->model, a, at);
    o.b = cairn_model_attach(p->model, b, other);
    if (kind == CAIRN_JOINT_DOUBLE_HINGE)
        pass_beside(p->model, &o, random_in(seed, -1, 1));
    o.numbers = &number;
    o.number_count = type->number_count;
    double matrix[36];
    if (type->fields & CRN_JOINT_MATRICES)
    {
        random_definite(seed, dimension == 2 ? 3 : 6, matrix);
        o.stiffness_matrix = matrix;
    }
    cairn_joint made;
    assert_int_equal(cairn_model_add_joint(p->model, &o, &made), CAIRN_OK);
    p->joint = &p->model->joints[0];
    crn_joint_place start;
    crn_joint_at_start(p->model, p->joint, p->pose, &start);
    return true;
}

static void end_pair(pair *p)
{
    cairn_model_destroy(p->model);
    cairn_context_destroy(p->context);
}

static crn_joint_place place_of(const pair *p)
{
    crn_joint_place place = {.pose = {&p->pose[0], &p->pose[1]}};
    const crn_attachment *side[2] = {&p->joint->a, &p->joint->b};
    for (int i = 0; i < 2; ++i)
    {
        crn_rotate3(p->pose[i].R, side[i]->point, place.x[i]);
        crn_add3(place.x[i], p->pose[i].x, place.x[i]);
    }
    return place;
}

static crn_joint_rows rows_of(const pair *p)
{
    crn_joint_rows rows = {.equations = p->joint->rows, .bounded = p->joint->bounded};
    crn_joint_place place = place_of(p);
    const crn_joint_class *type = p->joint->type;
    (type->evaluate ? type->evaluate : crn_joint_evaluate_functions)(p->joint, p->model->dimension, &place, &rows);
    return rows;
}

/* Move both bodies by a velocity: linear in the world, angular in the body. */
static void move(pair *p, double v[2][6], double h)
{
    for (int i = 0; i < 2; ++i)
    {
        double phi[3], q[4], turn[9], R[9];
        crn_madd3(p->pose[i].x, h, v[i], p->pose[i].x);
        crn_scale3(h, v[i] + 3, phi);
        crn_quaternion_exp(phi, q);
        crn_quaternion_to_matrix(q, turn);
        memcpy(R, p->pose[i].R, sizeof R);
        crn_multiply33(R, turn, p->pose[i].R);
    }
}

static void random_motion(uint64_t *seed, int dimension, double v[2][6])
{
    memset(v, 0, sizeof(double[2][6]));
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 6; ++k)
            if (dimension == 3 || k < 2 || k == 5)
                v[i][k] = random_in(seed, -1, 1);
}

static double along(const crn_gradient *g, double v[2][6])
{
    double sum = 0;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 6; ++k)
            sum += g->g[i][k] * v[i][k];
    return sum;
}

/* In the plane, entries out of it do not count. */
static double product(int dimension, const crn_gradient *x, const crn_gradient *y)
{
    double sum = 0;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 6; ++k)
            sum += dimension == 3 || k < 2 || k == 5 ? x->g[i][k] * y->g[i][k] : 0.0;
    return sum;
}

/* y = B^-1 x by elimination with pivots; the number of pivots above a tolerance. B is destroyed. */
static int eliminate(int n, double B[6][6], double *x)
{
    int rank = 0;
    bool used[6] = {false};
    for (int c = 0; c < n; ++c)
    {
        int best = -1;
        for (int r = 0; r < n; ++r)
            if (!used[r] && (best < 0 || fabs(B[r][c]) > fabs(B[best][c])))
                best = r;
        if (best < 0 || fabs(B[best][c]) < 1e-9)
            continue;
        used[best] = true;
        ++rank;
        for (int r = 0; r < n; ++r)
        {
            double factor = r == best ? 0 : B[r][c] / B[best][c];
            for (int k = 0; k < n && r != best; ++k)
                B[r][k] -= factor * B[best][k];
            x[r] -= factor * x[best];
        }
        for (int k = 0; k < n; ++k) /* move the row to its place */
        {
            double swap = B[c][k];
            B[c][k] = B[best][k];
            B[best][k] = swap;
        }
        double swap = x[c];
        x[c] = x[best];
        x[best] = swap;
        bool was = used[c];
        used[c] = used[best];
        used[best] = was;
    }
    for (int c = 0; c < n && rank == n; ++c)
        x[c] /= B[c][c];
    return rank;
}

static int gram(const pair *p, const crn_joint_rows *rows, double *x)
{
    double B[6][6];
    for (int i = 0; i < rows->equations; ++i)
        for (int j = 0; j < rows->equations; ++j)
            B[i][j] = product(p->model->dimension, &rows->gradient[i], &rows->gradient[j]);
    return eliminate(rows->equations, B, x);
}

/* Move the bodies until the equations hold: Newton's method with the shortest steps. */
static void assemble(pair *p)
{
    for (int iteration = 0; iteration < 60; ++iteration)
    {
        crn_joint_rows rows = rows_of(p);
        double y[6], v[2][6] = {{0}}, off = 0;
        for (int i = 0; i < rows.equations; ++i)
        {
            y[i] = -rows.theta[i];
            off = fmax(off, fabs(y[i]));
        }
        if (off < 1e-13)
            return;
        assert_int_equal(gram(p, &rows, y), rows.equations);
        for (int i = 0; i < rows.equations; ++i)
            for (int k = 0; k < 12; ++k)
                if (p->model->dimension == 3 || k % 6 < 2 || k % 6 == 5)
                    v[k / 6][k % 6] += y[i] * rows.gradient[i].g[k / 6][k % 6];
        move(p, v, 1);
    }
    fail_msg("%s: the joint could not be put together", p->joint->type->name);
}

/* At the start, all equations hold. */
static void check_start(const pair *p)
{
    crn_joint_rows rows = rows_of(p);
    for (int i = 0; i < rows.equations; ++i)
        assert_near(rows.theta[i], 0, 1e-14);
}

/* Theta of row i, or coordinate i - CRN_JOINT_ROWS, with angles counted on from `memory`. */
static double value_of(const pair *p, int i, const double *memory)
{
    if (i < CRN_JOINT_ROWS)
        return rows_of(p).theta[i];
    crn_joint_place place = place_of(p);
    place.last = memory;
    return crn_joint_coordinate(p->joint, p->model->dimension, &place, i - CRN_JOINT_ROWS, NULL);
}

/* d value/ds along a motion, by differences of fourth order. */
static double difference(const pair *p, int i, double v[2][6])
{
    static const double STEP = 2e-5, FACTOR[4] = {1, -8, 8, -1}, PLACE[4] = {-2, -1, 1, 2};
    double now = i < CRN_JOINT_ROWS ? 0 : value_of(p, i, NULL), memory[CRN_JOINT_COORDINATES] = {now, now, now},
           sum = 0;
    for (int k = 0; k < 4; ++k)
    {
        pair moved = *p;
        move(&moved, v, PLACE[k] * STEP);
        sum += FACTOR[k] * value_of(&moved, i, memory);
    }
    return sum / (12 * STEP);
}

static void check_gradients(pair *p, uint64_t *seed)
{
    double v[2][6];
    random_motion(seed, p->model->dimension, v);
    crn_joint_rows rows = rows_of(p);
    for (int i = 0; i < rows.equations + rows.bounded; ++i)
        assert_near(difference(p, i, v), along(&rows.gradient[i], v), 1e-9);
    for (int i = 0; i < p->joint->coordinates; ++i)
    {
        crn_gradient gradient;
        crn_joint_place here = place_of(p);
        crn_joint_coordinate(p->joint, p->model->dimension, &here, i, &gradient);
        assert_near(difference(p, CRN_JOINT_ROWS + i, v), along(&gradient, v),
                    1e-9 * (1 + pow(crn_norm3(gradient.g[0]), 4)));
    }
}

/* The power of impulses and moments at a motion. */
static double power(const pair *p, const crn_joint_action *action, double v[2][6])
{
    double sum = 0;
    for (int i = 0; i < 2; ++i)
    {
        double w[3], arm[3], u[3];
        crn_rotate3(p->pose[i].R, v[i] + 3, w);
        crn_sub3(action->x[i], p->pose[i].x, arm);
        crn_cross3(w, arm, u);
        crn_add3(u, v[i], u);
        sum += crn_dot3(action->impulse[i], u) + crn_dot3(action->moment[i], w);
    }
    return sum;
}

/* Where the joint holds, what `act` says has the power that the gradients say, for any motion. */
static void check_forces(pair *p, uint64_t *seed)
{
    const crn_joint_class *type = p->joint->type;
    crn_joint_rows rows = rows_of(p);
    crn_joint_place place = place_of(p);
    double v[2][6], c[CRN_JOINT_ROWS] = {0}, expected = 0;
    random_motion(seed, p->model->dimension, v);
    for (int i = 0; i < rows.equations + rows.bounded; ++i)
    {
        c[i] = random_in(seed, 0.1, 1);
        expected += c[i] * along(&rows.gradient[i], v);
    }
    crn_joint_action action = {.off = 0};
    memcpy(action.x, place.x, sizeof action.x);
    (type->act ? type->act : crn_joint_act_functions)(p->joint, p->model->dimension, &place, c, &action);
    assert_near(power(p, &action, v), expected, 1e-10);
    assert_true(rows.bounded > 0 || (action.off < 1e-12 && action.skew < 1e-12));
    for (int i = 0; i < p->joint->coordinates; ++i)
    {
        crn_gradient gradient;
        crn_joint_action pushed = {.off = 0};
        memcpy(pushed.x, place.x, sizeof pushed.x);
        crn_joint_coordinate(p->joint, p->model->dimension, &place, i, &gradient);
        crn_joint_act_coordinate(p->joint, p->model->dimension, &place, i, 0.7, &pushed);
        assert_near(power(p, &pushed, v), 0.7 * along(&gradient, v), 1e-9);
    }
}

static void check_class(int dimension, int kind)
{
    uint64_t seed = (uint64_t)(17 + kind);
    for (int trial = 0; trial < 40; ++trial)
    {
        pair p;
        double v[2][6], zero[6] = {0};
        if (!make_pair(&seed, dimension, kind, &p))
            return;
        check_start(&p);
        random_motion(&seed, dimension, v);
        move(&p, v, 0.3);
        check_gradients(&p, &seed);
        assemble(&p);
        check_gradients(&p, &seed);
        check_forces(&p, &seed);
        crn_joint_rows rows = rows_of(&p);
        assert_int_equal(gram(&p, &rows, zero), rows.equations);
        end_pair(&p);
    }
}

static void every_class_in_the_plane(void **state)
{
    (void)state;
    for (int kind = 0; crn_joint_class_at(NULL, kind); ++kind)
        check_class(2, kind);
}

static void every_class_in_space(void **state)
{
    (void)state;
    for (int kind = 0; crn_joint_class_at(NULL, kind); ++kind)
        check_class(3, kind);
}

/* A gimbal counts the angles of the turns about its axes, one after the other, also where the third is against axis x second_axis. */
static void turns_of_a_gimbal(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 40; ++trial)
    {
        pair p = {.context = cairn_context_create()};
        assert_int_equal(cairn_model_create(p.context, 3, &p.model), CAIRN_OK);
        cairn_body a = add_body(&p, &seed, 3, "a"), b = add_body(&p, &seed, 3, "b");
        cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_GIMBAL);
        double e[3][3], at[3] = {0}, R_a[9], R_b[9], outward[3], R[9], next[9], value[3];
        cairn_joint made;
        for (int k = 0; k < 3; ++k)
            e[0][k] = random_in(&seed, 0.1, 1);
        crn_scale3(1 / crn_norm3(e[0]), e[0], e[0]);
        crn_tangents(e[0], e[1], e[2]);
        crn_scale3(trial % 2 ? 1 : -1, e[2], e[2]);
        crn_rotation_at_start(p.model, 0, R_a);
        crn_rotation_at_start(p.model, 1, R_b);
        o.name = "gimbal";
        o.a = cairn_model_attach(p.model, a, at);
        o.b = cairn_model_attach(p.model, b, at);
        memcpy(o.axis, e[0], sizeof o.axis);
        memcpy(o.second_axis, e[1], sizeof o.second_axis);
        crn_rotate3(R_a, e[2], outward);
        crn_unrotate3(R_b, outward, o.axis_b);
        assert_int_equal(cairn_model_add_joint(p.model, &o, &made), CAIRN_OK);
        p.joint = &p.model->joints[0];
        crn_joint_place start;
        crn_joint_at_start(p.model, p.joint, p.pose, &start);
        /* turn b, as it is at the start, about the axes of a: by the third first */
        memcpy(R, p.pose[1].R, sizeof R);
        for (int i = 2; i >= 0; --i)
        {
            double q[4], turn[9], phi[3];
            value[i] = random_in(&seed, i == 1 ? -1.4 : -3, i == 1 ? 1.4 : 3);
            crn_rotate3(R_a, e[i], outward);
            crn_scale3(value[i], outward, phi);
            crn_quaternion_exp(phi, q);
            crn_quaternion_to_matrix(q, turn);
            for (int k = 0; k < 9; ++k)
                next[k] = turn[k / 3 * 3] * R[k % 3] + turn[k / 3 * 3 + 1] * R[3 + k % 3] +
                          turn[k / 3 * 3 + 2] * R[6 + k % 3];
            memcpy(R, next, sizeof R);
        }
        memcpy(p.pose[1].R, R, sizeof R);
        crn_joint_place place = place_of(&p);
        for (int i = 0; i < 3; ++i)
            assert_near(crn_joint_coordinate(p.joint, 3, &place, i, NULL), value[i], 1e-12);
        check_gradients(&p, &seed);
        assemble(&p);
        check_forces(&p, &seed);
        end_pair(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_in_the_plane),
        cmocka_unit_test(every_class_in_space),
        cmocka_unit_test(turns_of_a_gimbal),
    };
    return cmocka_run_group_tests_name("joint classes", tests, NULL, NULL);
}
