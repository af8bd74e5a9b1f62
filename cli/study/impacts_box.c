/* A box that slides over the edge of a table, computed without contact detection and solver.
 *
 * The motion has three phases. Flat on the table, friction slows it by mu g until its rear corner comes off (cli_impact_tip_time). Then
 * the table's edge P slides along its bottom: with the box's axes e_x, e_y, its velocity v and rate w, and P - c = s e_x - b e_y,
 *
 *     v.e_y + w s = 0 ,   s' = -(w b + v.e_x) ,   and differentiated   a.e_y + w' s = 2 w v.e_x + w^2 b .
 *
 * The force N e_y - mu N e_x in P gives a and w' (m = 1), and the constraint N:
 *
 *     N (1 + s (s - mu b)/I) = g cos(theta) + 2 w v.e_x + w^2 b .
 *
 * This is integrated by the classical Runge-Kutta method until s = -l/2, the rear corner. After that it flies freely.
 */
#include "cli/study/impacts.h"

#include <math.h>
#include <string.h>

enum
{
    STATE = 6, /* x, y, theta, vx, vy, w */
};

static const double G = 9.81;
static const double HALF = 0.1, B = 0.05; /* half the length and the height */
static const double INERTIA = (0.2 * 0.2 + 0.1 * 0.1) / 12;

/* Where the edge is along the bottom. */
static double place(const double z[STATE])
{
    return -z[0] * cos(z[2]) - z[1] * sin(z[2]);
}

static void rates(const double z[STATE], double mu, double out[STATE])
{
    double c = cos(z[2]), d = sin(z[2]), s = place(z), along = z[3] * c + z[4] * d, w = z[5];
    double N = (G * c + 2 * w * along + w * w * B) / (1 + s * (s - mu * B) / INERTIA);
    memcpy(out, z + 3, 3 * sizeof(double));
    out[3] = N * (-d - mu * c);
    out[4] = N * (c - mu * d) - G;
    out[5] = N * (s - mu * B) / INERTIA;
}

static void runge_kutta(double z[STATE], double mu, double h)
{
    static const double SHARE[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[STATE] = {0}, sum[STATE] = {0}, at[STATE];
    for (int stage = 0; stage < 4; ++stage)
    {
        for (int i = 0; i < STATE; ++i)
            at[i] = z[i] + SHARE[stage] * h * k[i];
        rates(at, mu, k);
        for (int i = 0; i < STATE; ++i)
            sum[i] += WEIGHT[stage] * k[i];
    }
    for (int i = 0; i < STATE; ++i)
        z[i] += h * sum[i];
}

/* From the time *t on until the rear corner is at the edge; *t is then that time. */
static void tip(double z[STATE], double mu, double *t)
{
    double h = 1e-4;
    while (h > 1e-13)
    {
        double trial[STATE];
        memcpy(trial, z, sizeof trial);
        runge_kutta(trial, mu, h);
        if (place(trial) < -HALF)
        {
            h /= 2; /* past the corner */
            continue;
        }
        memcpy(z, trial, sizeof trial);
        *t += h;
    }
}

void cli_impact_box_flight(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    cli_impact_numbers tips = {.count = 0};
    cli_impact_tip_time(row, course, &tips);
    double mu = cli_impact_value(row, "mu"), t = tips.truth[0];
    double z[STATE] = {-mu * B, B, 0, cli_impact_value(row, "v") - mu * G * t, 0, 0};
    tip(z, mu, &t);
    double after = course->until - t;
    const double end[3] = {z[0] + z[3] * after, z[1] + after * (z[4] - 0.5 * G * after), z[2] + z[5] * after};
    const cairn_model *model = cairn_simulation_model(course->simulation);
    cairn_body_state b = cairn_simulation_body(course->simulation, cairn_model_find_body(model, "b"));
    const double found[3] = {b.position[0], b.position[1], b.angle};
    memcpy(out->truth, end, sizeof end);
    memcpy(out->value, found, sizeof found);
    out->count = 3;
}
