/* Mechanisms in space: chains by joint angles against forward kinematics, Bennett's linkage and a hinged four-bar given loosely,
 * whose equations are redundant, and degrees of freedom. */
#include "support/check.h"
#include "support/linkage.h"

#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------------- a little kinematics of its own */

typedef struct frame
{
    double R[3][3], x[3];
} frame;

static frame identity(void)
{
    return (frame){.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static void turn(double R[3][3], const double p[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = R[i][0] * p[0] + R[i][1] * p[1] + R[i][2] * p[2];
}

static frame compose(const frame *a, const frame *b)
{
    frame c = {.x = {a->x[0], a->x[1], a->x[2]}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
        {
            c.x[i] += a->R[i][j] * b->x[j];
            for (int k = 0; k < 3; ++k)
                c.R[i][j] += a->R[i][k] * b->R[k][j];
        }
    return c;
}

/* Rodrigues: the rotation by an angle about a line through p along a unit vector. */
static frame about(const double axis[3], const double p[3], double angle)
{
    double c = cos(angle), s = sin(angle), turned[3];
    const double K[3][3] = {{0, -axis[2], axis[1]}, {axis[2], 0, -axis[0]}, {-axis[1], axis[0], 0}};
    frame f;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            f.R[i][j] = (i == j ? c : 0) + s * K[i][j] + (1 - c) * axis[i] * axis[j];
    turn(f.R, p, turned);
    for (int i = 0; i < 3; ++i)
        f.x[i] = p[i] - turned[i];
    return f;
}

/* A quaternion (w, x, y, z) as a matrix, by its definition. */
static frame pose_of(const cairn_body_state *s)
{
    const double *q = s->orientation, w = q[0], x = q[1], y = q[2], z = q[3];
    frame f = {.R = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                     {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                     {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
    memcpy(f.x, s->position, sizeof f.x);
    return f;
}

/* The quaternion of a rotation that is not by half a turn. */
static cairn_body_state state_of(const frame *f)
{
    cairn_body_state s = {.position = {f->x[0], f->x[1], f->x[2]}};
    double w = 0.5 * sqrt(1 + f->R[0][0] + f->R[1][1] + f->R[2][2]);
    assert_true(w > 1e-3);
    s.orientation[0] = w;
    s.orientation[1] = (f->R[2][1] - f->R[1][2]) / (4 * w);
    s.orientation[2] = (f->R[0][2] - f->R[2][0]) / (4 * w);
    s.orientation[3] = (f->R[1][0] - f->R[0][1]) / (4 * w);
    return s;
}

static void assert_frame(const frame *found, const frame *expected, double tolerance)
{
    for (int i = 0; i < 3; ++i)
        assert_near(found->x[i], expected->x[i], tolerance);
    for (int i = 0; i < 9; ++i)
        assert_near(found->R[i / 3][i % 3], expected->R[i / 3][i % 3], tolerance);
}

static void unit(uint64_t *seed, double out[3])
{
    double length;
    do
    {
        for (int k = 0; k < 3; ++k)
            out[k] = random_in(seed, -1, 1);
        length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    } while (length < 0.2 || length > 1);
    for (int k = 0; k < 3; ++k)
        out[k] /= length;
}

static frame disturbed(const frame *f, double error, uint64_t *seed)
{
    double axis[3];
    unit(seed, axis);
    frame turned = about(axis, (double[3]){0}, random_in(seed, -error, error)), out = compose(f, &turned);
    for (int k = 0; k < 3; ++k)
        out.x[k] += random_in(seed, -error, error);
    return out;
}

/* --------------------------------------------------------------------------------------------------------- chains */

enum
{
    LINKS = 6
};

/* A chain of hinges with any axes, by its angles (of several turns) and rates: the product of the rotations about the lines of
 * the joints, and the sum of their angular velocities. */
static void chain_by_angles(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 6; ++round)
    {
        world w = world_new(3);
        double axis[LINKS][3], point[LINKS][3], angle[LINKS], rate[LINKS];
        cairn_joint joint[LINKS];
        cairn_body last = {0};
        frame given[LINKS], total = identity();
        for (int i = 0; i < LINKS; ++i)
        {
            char name[24];
            double off[3];
            frame start = identity();
            unit(&seed, axis[i]);
            for (int k = 0; k < 3; ++k)
            {
                start.x[k] = (k == 0 ? i + 0.5 : 0) + random_in(&seed, -0.2, 0.2);
                point[i][k] = (k == 0 ? i : 0) + random_in(&seed, -0.2, 0.2);
            }
            given[i] = disturbed(&start, 1.0, &seed);
            cairn_body_state s = state_of(&given[i]);
            snprintf(name, sizeof name, "%d", i);
            cairn_body body = add_link(&w, name, 1 + i, &s, false);
            cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
            o.name = name;
            o.a = cairn_model_attach(w.model, last, point[i]);
            o.b = cairn_model_attach(w.model, body, point[i]);
            /* the axis in a's frame */
            memcpy(off, axis[i], sizeof off);
            for (int k = 0; k < 3; ++k)
                o.axis[k] = i == 0 ? off[k]
                                   : given[i - 1].R[0][k] * off[0] + given[i - 1].R[1][k] * off[1] +
                                         given[i - 1].R[2][k] * off[2];
            assert_int_equal(cairn_model_add_joint(w.model, &o, &joint[i]), CAIRN_OK);
            angle[i] = random_in(&seed, -1, 1) * (round < 3 ? 2 : 9);
            rate[i] = random_in(&seed, -3, 3);
            begin_at(&w, joint[i], "angle", angle[i], rate[i]);
            last = body;
        }
        start_under(&w, CAIRN_INITIAL_REFUSE, round % 2 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_STIFF2);
        double spin[3] = {0};
        for (int i = 0; i < LINKS; ++i)
        {
            char name[24];
            double world_axis[3], body_spin[3];
            snprintf(name, sizeof name, "%d", i);
            turn(total.R, axis[i], world_axis);
            frame step = about(axis[i], point[i], angle[i]);
            total = compose(&total, &step);
            frame expected = compose(&total, &given[i]);
            cairn_body_state found = world_body(&w, name);
            frame at = pose_of(&found);
            assert_frame(&at, &expected, 1e-10);
            for (int k = 0; k < 3; ++k)
                spin[k] += rate[i] * world_axis[k];
            turn(at.R, found.angular_velocity, body_spin);
            for (int k = 0; k < 3; ++k)
                assert_near(body_spin[k], spin[k], 1e-9);
            assert_near(cairn_simulation_coordinate(w.simulation, joint[i], 0, NULL), angle[i], 1e-10);
        }
        cairn_freedoms freedoms;
        assert_int_equal(cairn_simulation_freedoms(w.simulation, &freedoms, NULL), CAIRN_OK);
        assert_int_equal(freedoms.degrees, LINKS);
        world_free(&w);
    }
}

/* ---------------------------------------------------------------------------------------------------------- loops */

/* Bennett's linkage: four hinges with twists alpha, beta and link lengths a, b, a / sin(alpha) = b / sin(beta), move although 20
 * equations hold 18 freedoms: tan(t_1/2) tan(t_2/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2), t_3 = -t_1, t_4 = -t_2. */
static void bennett(double t_1, frame hinge[4])
{
    const double alpha = 0.7, beta = 1.3, a = 1.0, b = a * sin(beta) / sin(alpha), z[3] = {0, 0, 1}, x[3] = {1, 0, 0};
    double t_2 = 2 * atan(sin((beta + alpha) / 2) / sin((beta - alpha) / 2) / tan(t_1 / 2));
    const double theta[4] = {t_1, t_2, -t_1, -t_2}, twist[4] = {alpha, beta, alpha, beta}, length[4] = {a, b, a, b};
    frame f = identity();
    for (int i = 0; i < 4; ++i)
    {
        frame joint = about(z, (double[3]){0}, theta[i]), shift = about(x, (double[3]){0}, twist[i]);
        shift.x[0] = length[i];
        f = compose(&f, &joint);
        hinge[i] = f; /* link i, whose near hinge is its z axis at the origin */
        f = compose(&f, &shift);
    }
    frame closed = identity();
    assert_frame(&f, &closed, 1e-12);
}

/* Links 0 to 2 move, link 3 is the ground; link 0 is held. */
static void loose_bennett(void **state)
{
    (void)state;
    const double z[3] = {0, 0, 1}, alpha = 0.7, beta = 1.3, b = sin(beta) / sin(alpha);
    uint64_t seed = 5;
    for (int round = 0; round < 12; ++round)
    {
        world w = world_new(3);
        frame link[4], given;
        cairn_body body[4] = {{0}};
        bennett(0.5 + 0.15 * round, link);
        for (int i = 0; i < 3; ++i)
        {
            const char *names[] = {"first", "second", "third"};
            given = i == 0 ? link[i] : disturbed(&link[i], round < 6 ? 1e-2 : 0.1, &seed);
            cairn_body_state s = state_of(&given);
            body[i] = add_link(&w, names[i], 1 + i, &s, i == 0);
        }
        for (int i = 0; i < 4; ++i)
        {
            /* from link i to link i + 1; link 3's frame is not that of the world, which stands for it */
            const char *names[] = {"01", "12", "23", "30"};
            double far[3] = {i % 2 == 0 ? 1 : b, 0, 0}, twist = i % 2 == 0 ? alpha : beta;
            double axis[3] = {0, -sin(twist), cos(twist)}, near[3] = {0}, near_axis[3] = {0, 0, 1};
            if (i == 3) /* the far end of the ground is the origin of the world */
            {
                memset(far, 0, sizeof far);
                memcpy(axis, z, sizeof axis);
            }
            if (i == 2)
            {
                memcpy(near, link[3].x, sizeof near);
                turn(link[3].R, z, near_axis);
            }
            add_hinge(&w, names[i], body[i], far, body[(i + 1) % 4], near, axis, near_axis);
        }
        start_with(&w, CAIRN_INITIAL_ASSEMBLE);
        for (int i = 0; i < 3; ++i)
        {
            cairn_body_state found = cairn_simulation_body(w.simulation, body[i]);
            frame at = pose_of(&found);
            assert_frame(&at, &link[i], 1e-8);
        }
        cairn_freedoms freedoms;
        int redundant[4], sum = 0;
        assert_int_equal(cairn_simulation_freedoms(w.simulation, &freedoms, redundant), CAIRN_OK);
        for (int j = 0; j < 4; ++j)
            sum += redundant[j];
        assert_int_equal(freedoms.bodies, 18);
        assert_int_equal(freedoms.equations, 20);
        assert_int_equal(freedoms.redundant, 3);
        assert_int_equal(sum, 3);
        assert_int_equal(freedoms.degrees, 1);
        world_free(&w);
    }
}

/* -------------------------------------------------------------------------------------------------- all types of joints */

/* A joint of the kind from the world to a body; false if there is none in the dimension. */
static bool make_joint(world *w, int dimension, int kind, cairn_joint *joint)
{
    static const char *const NUMBERS[] = {[CAIRN_JOINT_SCREW] = "pitch",
                                          [CAIRN_JOINT_RACK] = "radius",
                                          [CAIRN_JOINT_GEAR] = "ratio",
                                          [CAIRN_JOINT_PULLEY] = NULL};
    const cairn_joint_number number = {NUMBERS[kind] ? NUMBERS[kind] : "", 0.6};
    const cairn_body_state at = {
        .position = {0.4, 0.3, dimension == 3 ? -0.2 : 0}, .orientation = {0.8, 0, 0, 0.6}, .angle = 1.2};
    cairn_joint_options o = cairn_joint_default((cairn_joint_kind)kind);
    o.name = "joint";
    o.b.body = add_link(w, "link", 1, &at, false);
    bool apart = kind == CAIRN_JOINT_ROLLING || kind == CAIRN_JOINT_GEAR;
    o.a = cairn_model_attach(w->model, (cairn_body){0}, (double[3]){0.1, apart ? -0.5 : 0.2, 0});
    o.b = cairn_model_attach(w->model, o.b.body, (double[3]){0.1, 0.2, 0});
    memcpy(o.axis, dimension == 2 ? (double[3]){1, 0, 0} : (double[3]){0, 0, 1}, sizeof o.axis);
    o.second_axis[kind == CAIRN_JOINT_CONSTANT_VELOCITY ? 2 : 0] = dimension == 3;
    o.numbers = &number;
    o.number_count = NUMBERS[kind] != NULL;
    return cairn_model_add_joint(w->model, &o, joint) == CAIRN_OK;
}

/* Every coordinate of every type, alone, moved by 0.7 from where it is: the joint holds, and the coordinate and its rate are as given. */
static void every_coordinate(void **state)
{
    (void)state;
    int tried = 0;
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (int kind = CAIRN_JOINT_REVOLUTE; kind < CAIRN_JOINT_PULLEY; ++kind)
            for (int i = 0; i < 3; ++i)
            {
                world w = world_new(dimension);
                cairn_joint joint;
                bool there = make_joint(&w, dimension, kind, &joint) && cairn_model_coordinate_name(w.model, joint, i);
                const char *name = there ? cairn_model_coordinate_name(w.model, joint, i) : "";
                bool held = strcmp(name, "height") == 0 || strcmp(name, "swing") == 0 || strcmp(name, "bend") == 0;
                if (there)
                {
                    start_with(&w, CAIRN_INITIAL_REFUSE);
                    double begin = cairn_simulation_coordinate(w.simulation, joint, i, NULL), rate;
                    double value = strcmp(name, "height") == 0 ? begin : held ? 0.7 : begin + 0.7;
                    cairn_simulation_destroy(w.simulation);
                    begin_at(&w, joint, name, value, strcmp(name, "height") == 0 ? 0 : 0.4);
                    start_with(&w, CAIRN_INITIAL_REFUSE);
                    assert_near(cairn_simulation_coordinate(w.simulation, joint, i, &rate), value, 1e-10);
                    assert_near(rate, strcmp(name, "height") == 0 ? 0 : 0.4, 1e-10);
                    assert_true(cairn_assembly_result(cairn_simulation_assembly(w.simulation)).assembled);
                    ++tried;
                }
                world_free(&w);
            }
    assert_true(tried >= 25);
}

/* ------------------------------------------------------------------------------------------------ degrees of freedom */

static cairn_freedoms freedoms_of(const world *w)
{
    cairn_freedoms freedoms;
    assert_int_equal(cairn_simulation_freedoms(w->simulation, &freedoms, NULL), CAIRN_OK);
    return freedoms;
}

/* A parallelogram folded into a line can leave it on two ways: it has a freedom more there. */
static void singular_parallelogram(void **state)
{
    (void)state;
    const four_bar bar = {1, 2, 1, 2};
    for (int folded = 0; folded < 2; ++folded)
    {
        world w = world_new(2);
        cairn_body_state pose[3] = {{.position = {0.5, 0}}, {.position = {2, 0}}, {.position = {2.5, 0}}};
        if (!folded)
            four_bar_pose(&bar, 0.5, 1, 0, pose);
        four_bar_build(&w, &bar, pose, false);
        start_with(&w, CAIRN_INITIAL_REFUSE);
        assert_int_equal(freedoms_of(&w).degrees, folded ? 2 : 1);
        assert_int_equal(freedoms_of(&w).redundant, folded ? 1 : 0);
        world_free(&w);
    }
}

/* A prescribed motion takes a freedom, a compliant joint and a limit take none. */
static void what_counts(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k)
    {
        world w = world_new(2);
        const cairn_body_state at = {
            .position = {1, 0}, .velocity = {0, k == 1 ? 1 : 0}, .angular_velocity = {0, 0, k == 1}};
        cairn_body bob = add_link(&w, "bob", 1, &at, false);
        cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
        o.name = "pin";
        o.b = (cairn_attachment){.body = bob, .point = {-1, 0, 0}};
        o.stiffness = k == 2 ? 1e4 : 0;
        cairn_joint pin;
        assert_int_equal(cairn_model_add_joint(w.model, &o, &pin), CAIRN_OK);
        cairn_coordinate_options c = cairn_coordinate_default();
        c.drive = k == 1 ? CAIRN_DRIVE_SPEED : CAIRN_DRIVE_NONE;
        c.target.expression = "1";
        c.lower = k == 3 ? 0 : -INFINITY;
        assert_int_equal(cairn_model_set_coordinate(w.model, pin, "angle", &c), CAIRN_OK);
        start_with(&w, CAIRN_INITIAL_REFUSE);
        const int degrees[] = {1, 0, 3, 1};
        assert_int_equal(freedoms_of(&w).degrees, degrees[k]);
        world_free(&w);
    }
    world w = world_new(3);
    cairn_body_state at = {.orientation = {1, 0, 0, 0}};
    add_link(&w, "free", 1, &at, false);
    start_with(&w, CAIRN_INITIAL_REFUSE);
    assert_int_equal(freedoms_of(&w).degrees, 6);
    assert_int_equal(freedoms_of(&w).equations, 0);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_by_angles),        cmocka_unit_test(loose_bennett), cmocka_unit_test(every_coordinate),
        cmocka_unit_test(singular_parallelogram), cmocka_unit_test(what_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
