/* The six-axis arm against a recursive Newton-Euler computation (J. Luh, M. Walker, R. Paul, On-line computational scheme for
 * mechanical manipulators, 1980), which shares nothing with the library: links in the world's frame, outward for velocities and
 * accelerations, inward for forces and moments. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

enum
{
    LINKS = 6
};

/* The arm of scenes/six-axis-arm.yaml at its zero position, where all frames are those of the world. */
static const double JOINT[LINKS][3] = {{0, 0, 0.1},     {0, 0, 0.4},     {0, 0, 0.9},
                                       {0.15, 0, 0.93}, {0.56, 0, 0.93}, {0.6, 0, 0.93}};
static const double AXIS[LINKS][3] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
static const double CENTRE[LINKS][3] = {{0, 0, 0.25},    {0.02, 0, 0.65}, {0.06, 0, 0.93},
                                        {0.33, 0, 0.93}, {0.56, 0, 0.93}, {0.68, 0.01, 0.95}};
static const double MASS[LINKS] = {12, 8, 4, 3, 1, 1.5};
static const double INERTIA[LINKS][6] = {{0.20, 0.20, 0.08},    {0.25, 0.26, 0.02},
                                         {0.02, 0.03, 0.03},    {0.008, 0.06, 0.06},
                                         {0.002, 0.002, 0.002}, {0.004, 0.006, 0.005, 0.0003, 0.0008, 0.0002}};
static const double SWING[LINKS] = {0.9, 0.5, -0.6, 0.8, 0.7, 1.2}, PACE[LINKS] = {2, 1.6, 2.6, 2.2, 3, 3.4};

/* -------------------------------------------------------------------------------------------- Newton and Euler */

typedef struct vec
{
    double x, y, z;
} vec;

typedef struct link
{
    vec row[3]; /* of the rotation, body to world */
    vec joint, centre, axis;
    vec omega, alpha, velocity, acceleration; /* of the centre */
} link;

static vec make(const double p[3])
{
    return (vec){p[0], p[1], p[2]};
}

static vec add(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static vec times(double s, vec a)
{
    return (vec){s * a.x, s * a.y, s * a.z};
}

static vec minus(vec a, vec b)
{
    return add(a, times(-1, b));
}

static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vec turn(const link *l, vec a)
{
    return (vec){dot(l->row[0], a), dot(l->row[1], a), dot(l->row[2], a)};
}

static vec turn_back(const link *l, vec a)
{
    return add(add(times(a.x, l->row[0]), times(a.y, l->row[1])), times(a.z, l->row[2]));
}

/* The parent's rotation after one about a coordinate axis by the angle q. */
static void rotate(const link *parent, const double axis[3], double q, link *l)
{
    double c = cos(q), s = sin(q);
    double R[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int i = axis[0] != 0 ? 1 : axis[1] != 0 ? 2 : 0, j = (i + 1) % 3;
    R[i][i] = R[j][j] = c;
    R[i][j] = -s;
    R[j][i] = s;
    for (int r = 0; r < 3; ++r)
        l->row[r] = add(add(times(parent->row[r].x, make(R[0])), times(parent->row[r].y, make(R[1]))),
                        times(parent->row[r].z, make(R[2])));
}

/* Acceleration of a point of a link. */
static vec acceleration_at(const link *l, vec point)
{
    vec d = minus(point, l->centre);
    return add(l->acceleration, add(cross(l->alpha, d), cross(l->omega, cross(l->omega, d))));
}

static void outward(const double q[LINKS], const double rate[LINKS], const double second[LINKS], link links[LINKS])
{
    link base = {.row = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    vec last = {0, 0, 0}; /* the centre of the parent, at the zero position */
    for (int i = 0; i < LINKS; ++i)
    {
        const link *parent = i > 0 ? &links[i - 1] : &base;
        link *l = &links[i];
        rotate(parent, AXIS[i], q[i], l);
        l->joint = add(parent->centre, turn(parent, minus(make(JOINT[i]), last)));
        l->centre = add(l->joint, turn(l, minus(make(CENTRE[i]), make(JOINT[i]))));
        l->axis = turn(parent, make(AXIS[i]));
        l->omega = add(parent->omega, times(rate[i], l->axis));
        l->alpha = add(add(parent->alpha, times(second[i], l->axis)), cross(parent->omega, times(rate[i], l->axis)));
        vec arm = minus(l->centre, l->joint);
        l->velocity =
            add(add(parent->velocity, cross(parent->omega, minus(l->joint, parent->centre))), cross(l->omega, arm));
        l->acceleration =
            add(acceleration_at(parent, l->joint), add(cross(l->alpha, arm), cross(l->omega, cross(l->omega, arm))));
        last = make(CENTRE[i]);
    }
}

/* The rate of a link's angular momentum about its centre. */
static vec moment_of(const link *l, const double I[6])
{
    vec w = turn_back(l, l->omega), a = turn_back(l, l->alpha);
    vec x = {I[0], I[3], I[4]}, y = {I[3], I[1], I[5]}, z = {I[4], I[5], I[2]};
    vec L = {dot(x, w), dot(y, w), dot(z, w)}, rate = {dot(x, a), dot(y, a), dot(z, a)};
    return turn(l, add(rate, cross(w, L)));
}

static void inward(const link links[LINKS], double torque[LINKS])
{
    vec force = {0, 0, 0}, moment = {0, 0, 0}, at = {0, 0, 0}; /* on the link's child, at its joint */
    for (int i = LINKS - 1; i >= 0; --i)
    {
        const link *l = &links[i];
        vec inertial = times(MASS[i], add(l->acceleration, (vec){0, 0, 9.81}));
        moment = add(add(moment, cross(minus(at, l->joint), force)),
                     add(moment_of(l, INERTIA[i]), cross(minus(l->centre, l->joint), inertial)));
        force = add(force, inertial);
        at = l->joint;
        torque[i] = dot(moment, l->axis);
    }
}

/* The trajectory of the scene. */
static void trajectory(double t, double q[LINKS], double rate[LINKS], double second[LINKS])
{
    for (int i = 0; i < LINKS; ++i)
    {
        q[i] = SWING[i] * (1 - cos(PACE[i] * t));
        rate[i] = SWING[i] * PACE[i] * sin(PACE[i] * t);
        second[i] = SWING[i] * PACE[i] * PACE[i] * cos(PACE[i] * t);
    }
}

/* --------------------------------------------------------------------------------------- inverse dynamics */

static int print_vec(char *text, size_t room, const char *name, vec a)
{
    return snprintf(text, room, ", %s: [%.17g, %.17g, %.17g]", name, a.x, a.y, a.z);
}

/* The arm at time `t0` of its trajectory, with rigid drives that take it on. */
static void write_scene(double t0, const link links[LINKS], char *text, size_t room)
{
    size_t n = (size_t)snprintf(text, room, "cairn: 1\ndimension: 3\nbodies:\n");
    for (int i = 0; i < LINKS; ++i)
    {
        const link *l = &links[i];
        const double *I = INERTIA[i];
        /* the quaternion of a rotation by less than half a turn */
        double w = 0.5 * sqrt(1 + l->row[0].x + l->row[1].y + l->row[2].z);
        n += (size_t)snprintf(
            text + n, room - n,
            "  - {name: L%d, mass: %g, inertia: [%g, %g, %g, %g, %g, %g], orientation: [%.17g, %.17g, %.17g, %.17g]", i,
            MASS[i], I[0], I[1], I[2], I[3], I[4], I[5], w, (l->row[2].y - l->row[1].z) / (4 * w),
            (l->row[0].z - l->row[2].x) / (4 * w), (l->row[1].x - l->row[0].y) / (4 * w));
        n += (size_t)print_vec(text + n, room - n, "position", l->centre);
        n += (size_t)print_vec(text + n, room - n, "velocity", l->velocity);
        n += (size_t)print_vec(text + n, room - n, "angular_velocity", turn_back(l, l->omega));
        n += (size_t)snprintf(text + n, room - n, "}\n");
    }
    n += (size_t)snprintf(text + n, room - n, "joints:\n");
    for (int i = 0; i < LINKS; ++i)
    {
        char parent[24] = "world";
        if (i > 0)
            snprintf(parent, sizeof parent, "L%d", i - 1);
        n += (size_t)snprintf(text + n, room - n, "  - {name: J%d, type: revolute, bodies: [%s, L%d]", i, parent, i);
        n += (size_t)print_vec(text + n, room - n, "at", links[i].joint);
        n += (size_t)print_vec(text + n, room - n, "axis", make(AXIS[i]));
        n += (size_t)snprintf(
            text + n, room - n,
            ", coordinates: {angle: {drive: {type: position, target: %g*(cos(%.17g) - cos(%g*(t + %.17g)))}}}}\n",
            SWING[i], PACE[i] * t0, PACE[i], t0);
    }
    assert_true(n + 80 < room);
    snprintf(text + n, room - n, "simulation: {step: 0.001, integrator: stiff2}\n");
}

/* The drives' mean torques over a first step of length h. */
static void first_torques(const char *text, double h, double torque[LINKS])
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    if (cairn_scene_parse(context, "arm", text, strlen(text), NULL, 0, &scene))
        fail_msg("%s", cairn_context_last_message(context));
    cairn_settings settings = cairn_scene_settings(scene);
    settings.step = h;
    if (cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation) ||
        cairn_simulation_step(simulation))
        fail_msg("%s", cairn_context_last_message(context));
    for (int i = 0; i < LINKS; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "J%d", i);
        torque[i] =
            cairn_simulation_joint_state(simulation, cairn_model_find_joint(cairn_scene_model(scene), name)).drive[0];
    }
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

/* Torques at an instant: those of first steps, extrapolated to length 0. */
static void inverse_dynamics(void **state)
{
    (void)state;
    enum
    {
        LEVELS = 5
    };
    for (double t0 = 0.13; t0 < 1; t0 += 0.21)
    {
        double q[LINKS], rate[LINKS], second[LINKS], expected[LINKS], T[LEVELS][LINKS];
        link links[LINKS];
        trajectory(t0, q, rate, second);
        outward(q, rate, second, links);
        inward(links, expected);
        char text[8000];
        write_scene(t0, links, text, sizeof text);
        for (int k = 0; k < LEVELS; ++k)
            first_torques(text, 4e-3 / (1 << k), T[k]);
        for (int m = 1; m < LEVELS; ++m)
            for (int k = LEVELS - 1; k >= m; --k)
                for (int i = 0; i < LINKS; ++i)
                    T[k][i] += (T[k][i] - T[k - 1][i]) / ((1 << m) - 1);
        for (int i = 0; i < LINKS; ++i)
            if (fabs(T[LEVELS - 1][i] - expected[i]) > 1e-9 * (1 + fabs(expected[0]) + fabs(expected[1])))
                fail_msg("t = %g, joint %d: %.12g, by Newton and Euler %.12g", t0, i, T[LEVELS - 1][i], expected[i]);
    }
}

/* ---------------------------------------------------------------------------------------------------------------- servos */

/* Coordinates of the built-in scene after 3 s with steps of 0.01 s. */
static void follow(cairn_integrator integrator, const char *gain, double q[LINKS])
{
    cairn_settings settings;
    cairn_parameter parameter[] = {{.name = "gain", .value = gain}, {.name = "top", .value = "1e9"}};
    world w = world_load("six-axis-arm", &settings, parameter, 2);
    settings.integrator = integrator;
    settings.step = 0.01;
    world_start(&w, &settings);
    world_run(&w, 300);
    for (int i = 0; i < LINKS; ++i)
        q[i] = cairn_simulation_coordinate(w.simulation, nth_joint(w.simulation, i), 0, NULL);
    assert_true(fabs(cairn_simulation_energy(w.simulation).balance_error) < 1e-6);
    world_free(&w);
}

static double distance(const double a[LINKS], const double b[LINKS])
{
    double worst = 0;
    for (int i = 0; i < LINKS; ++i)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

/* Gains from 1 to 1e14: weak servos let the arm hang, strong ones follow, and the limit is that of rigid drives, at a rate of 1/gain. */
static void servo_gains(void **state)
{
    (void)state;
    static const cairn_integrator SCHEMES[] = {CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_STIFF2};
    for (int s = 0; s < 2; ++s)
    {
        double target[LINKS], scratch[2][LINKS], q[5][LINKS];
        static const char *const GAIN[5] = {"1", "1e4", "1e6", "1e8", "1e14"};
        trajectory(3.0, target, scratch[0], scratch[1]);
        for (int k = 0; k < 5; ++k)
            follow(SCHEMES[s], GAIN[k], q[k]);
        assert_true(distance(q[0], target) > 0.5);
        assert_true(distance(q[4], target) < 5e-5);
        double error[3] = {distance(q[1], q[4]), distance(q[2], q[4]), distance(q[3], q[4])};
        assert_true(error[0] < 0.05);
        assert_true(error[0] / error[1] > 90 && error[0] / error[1] < 110);
        assert_true(error[1] / error[2] > 90 && error[1] / error[2] < 110);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(inverse_dynamics), cmocka_unit_test(servo_gains)};
    return cmocka_run_group_tests_name("arm", tests, NULL, NULL);
}
