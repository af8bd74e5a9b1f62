/* A mechanism in coordinates of your own: a bead on a rotating hoop.
 *
 * One coordinate q, the angle of the bead from the lowest point of a hoop of radius R that turns about its vertical diameter at
 * the rate W. Its equation of motion is  m R^2 q'' = m R^2 W^2 sin q cos q - m g R sin q.  Above W^2 = g/R the bead rests at
 * cos q = g/(R W^2); small swings about it have the rate W sin q. */
#include "example.h"

typedef struct hoop
{
    double m, R, W, g;
} hoop;

static void mass(void *data, const double *q, double *M)
{
    const hoop *h = data;
    (void)q;
    M[0] = h->m * h->R * h->R;
}

static void force(void *data, double t, const double *q, const double *v, double *k)
{
    const hoop *h = data;
    (void)t;
    (void)v;
    k[0] = h->m * h->R * sin(q[0]) * (h->R * h->W * h->W * cos(q[0]) - h->g);
}

/* dk/dq: the implicit schemes use it. */
static void force_q(void *data, double t, const double *q, const double *v, double *k_q)
{
    const hoop *h = data;
    (void)t;
    (void)v;
    k_q[0] = h->m * h->R * (h->R * h->W * h->W * cos(2 * q[0]) - h->g * cos(q[0]));
}

int main(void)
{
    hoop h = {.m = 0.1, .R = 0.5, .W = 8, .g = 9.81};
    double rest = acos(h.g / (h.R * h.W * h.W)), rate = h.W * sin(rest), start = rest + 1e-3;
    cairn_context *context = cairn_context_create();
    cairn_model *model;
    must(context, cairn_model_create(context, 3, &model));
    cairn_system_options options = cairn_system_default();
    options.name = "bead";
    options.n = 1;
    options.q = &start;
    options.data = &h;
    options.mass = mass;
    options.force = force;
    options.force_q = force_q;
    cairn_system bead;
    must(context, cairn_model_add_system(model, &options, &bead));

    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_TRAPEZOID;
    settings.step = 1e-3;
    cairn_simulation *simulation;
    must(context, cairn_simulation_create(context, model, &settings, &simulation));
    for (int n = 0; n < 1000; ++n)
        must(context, cairn_simulation_step(simulation));

    const double *q, *v; /* valid until the next step */
    cairn_simulation_system(simulation, bead, &q, &v);
    double t = cairn_simulation_time(simulation);
    expect("swing about the rest angle, rad", q[0] - rest, 1e-3 * cos(rate * t), 2e-5);
    expect("its rate, rad/s", v[0], -1e-3 * rate * sin(rate * t), 2e-4);
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return 0;
}
