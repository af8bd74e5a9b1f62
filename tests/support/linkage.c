#include "support/linkage.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

cairn_body add_link(world *w, const char *name, double heavy, const cairn_body_state *state, bool hold)
{
    cairn_body_options o = cairn_body_default();
    o.name = name;
    o.mass = heavy;
    for (int k = 0; k < 3; ++k)
        o.inertia[k] = (0.1 + 0.02 * k) * heavy;
    o.angle = state->angle;
    o.hold = hold;
    memcpy(o.position, state->position, sizeof o.position);
    memcpy(o.orientation, state->orientation, sizeof o.orientation);
    memcpy(o.velocity, state->velocity, sizeof o.velocity);
    memcpy(o.angular_velocity, state->angular_velocity, sizeof o.angular_velocity);
    cairn_body body;
    if (cairn_model_add_body(w->model, &o, &body))
        fail_msg("%s", cairn_context_last_message(w->context));
    return body;
}

void pass_beside(const cairn_model *model, cairn_joint_options *o, double apart)
{
    static const double ORIGIN[3];
    const double *u = o->axis, *v = o->second_axis;
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), at[3] = {0};
    cairn_attachment origin = cairn_model_attach(model, o->a.body, ORIGIN);
    for (int k = 0; k < 3; ++k)
    {
        const double e_k[3] = {k == 0, k == 1, k == 2};
        cairn_attachment unit = cairn_model_attach(model, o->a.body, e_k);
        for (int i = 0; i < 3; ++i)
            at[k] += (unit.point[i] - origin.point[i]) * (o->a.point[i] + apart * n[i] / length - origin.point[i]);
    }
    o->b = cairn_model_attach(model, o->b.body, at);
}

cairn_joint add_hinge(world *w, const char *name, cairn_body a, const double in_a[3], cairn_body b,
                      const double in_b[3], const double *axis, const double *axis_b)
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    o.name = name;
    o.a.body = a;
    o.b.body = b;
    memcpy(o.a.point, in_a, sizeof o.a.point);
    memcpy(o.b.point, in_b, sizeof o.b.point);
    if (axis)
        memcpy(o.axis, axis, sizeof o.axis);
    if (axis_b)
        memcpy(o.axis_b, axis_b, sizeof o.axis_b);
    cairn_joint joint;
    if (cairn_model_add_joint(w->model, &o, &joint))
        fail_msg("%s", cairn_context_last_message(w->context));
    return joint;
}

void begin_at(world *w, cairn_joint joint, const char *coordinate, double value, double rate)
{
    cairn_coordinate_options o = cairn_coordinate_default();
    o.initial = value;
    o.initial_rate = rate;
    if (cairn_model_set_coordinate(w->model, joint, coordinate, &o))
        fail_msg("%s", cairn_context_last_message(w->context));
}

void start_with(world *w, cairn_initial initial)
{
    start_under(w, initial, cairn_settings_default().integrator);
}

void start_under(world *w, cairn_initial initial, cairn_integrator integrator)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.initial = initial;
    cairn_context_clear(w->context);
    if (cairn_simulation_create(w->context, world_model(w), &settings, &w->simulation))
        fail_msg("%s", cairn_context_message(w->context, 0).text);
}

void expect_refused(world *w, cairn_initial initial, const char *part)
{
    cairn_settings settings = cairn_settings_default();
    bool said = false;
    settings.initial = initial;
    cairn_context_clear(w->context);
    assert_int_equal(cairn_simulation_create(w->context, world_model(w), &settings, &w->simulation), CAIRN_INVALID);
    assert_null(w->simulation);
    for (int i = 0; i < cairn_context_message_count(w->context); ++i)
        said = said || strstr(cairn_context_message(w->context, i).text, part);
    if (!said)
        fail_msg("no message says \"%s\"; the first is \"%s\"", part, cairn_context_message(w->context, 0).text);
}

/* A link from p to q whose ends have these velocities. */
static cairn_body_state link_between(const double p[2], const double q[2], const double v_p[2], const double v_q[2])
{
    cairn_body_state s = {.orientation = {1, 0, 0, 0}};
    double x = q[0] - p[0], y = q[1] - p[1], length2 = x * x + y * y;
    s.angle = atan2(y, x);
    s.angular_velocity[2] = (x * (v_q[1] - v_p[1]) - y * (v_q[0] - v_p[0])) / length2;
    for (int k = 0; k < 2; ++k)
    {
        s.position[k] = 0.5 * (p[k] + q[k]);
        s.velocity[k] = 0.5 * (v_p[k] + v_q[k]);
    }
    return s;
}

void four_bar_pose(const four_bar *bar, double phi, int elbow, double rate, cairn_body_state state[3])
{
    /* C is where circles about B and D meet; its velocity is across the coupler's motion about B and across the rocker */
    const double O[2] = {0, 0}, D[2] = {bar->d, 0}, B[2] = {bar->a * cos(phi), bar->a * sin(phi)}, still[2] = {0, 0};
    double x = D[0] - B[0], y = D[1] - B[1], r = sqrt(x * x + y * y);
    double along = (bar->b * bar->b - bar->c * bar->c + r * r) / (2 * r),
           across = sqrt(bar->b * bar->b - along * along);
    const double C[2] = {B[0] + (along * x - elbow * across * y) / r, B[1] + (along * y + elbow * across * x) / r};
    const double v_B[2] = {-rate * B[1], rate * B[0]};
    double e[2] = {C[0] - B[0], C[1] - B[1]}, f[2] = {-(C[1] - D[1]), C[0] - D[0]};
    double omega = (e[0] * v_B[0] + e[1] * v_B[1]) / (e[0] * f[0] + e[1] * f[1]);
    const double v_C[2] = {omega * f[0], omega * f[1]};
    state[0] = link_between(O, B, still, v_B);
    state[1] = link_between(B, C, v_B, v_C);
    state[2] = link_between(D, C, still, v_C);
}

void four_bar_build(world *w, const four_bar *bar, const cairn_body_state state[3], bool hold_crank)
{
    const double a = bar->a / 2, b = bar->b / 2, c = bar->c / 2;
    const cairn_body ground = {0};
    cairn_body crank = add_link(w, "crank", 1, &state[0], hold_crank);
    cairn_body coupler = add_link(w, "coupler", 2, &state[1], false);
    cairn_body rocker = add_link(w, "rocker", 3, &state[2], false);
    add_hinge(w, "A", ground, (double[3]){0, 0, 0}, crank, (double[3]){-a, 0, 0}, NULL, NULL);
    add_hinge(w, "B", crank, (double[3]){a, 0, 0}, coupler, (double[3]){-b, 0, 0}, NULL, NULL);
    add_hinge(w, "C", coupler, (double[3]){b, 0, 0}, rocker, (double[3]){c, 0, 0}, NULL, NULL);
    add_hinge(w, "D", ground, (double[3]){bar->d, 0, 0}, rocker, (double[3]){-c, 0, 0}, NULL, NULL);
}
