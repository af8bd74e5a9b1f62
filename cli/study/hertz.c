#include "cli/study/hertz.h"

#include <math.h>

enum
{
    POINTS = 40 /* of the midpoint rule, each way */
};

cli_hertz cli_hertz_of(double P, double Q, double mu, double R, double E, double nu)
{
    double stiffness = 0.5 * E / (1 - nu * nu), G = 0.5 * E / (1 + nu), left = 1 - Q / (mu * P);
    cli_hertz h = {.P = P, .Q = Q, .mu = mu};
    h.a = cbrt(0.75 * P * R / stiffness);
    h.p0 = 1.5 * P / (acos(-1.0) * h.a * h.a);
    h.approach = h.a * h.a / R;
    h.c = h.a * cbrt(left);
    h.shift = 3 * mu * P / (16 * h.a) * 2 * (2 - nu) / G * (1 - cbrt(left * left));
    return h;
}

static double cap(double r, double radius)
{
    double s = r / radius;
    return s < 1 ? sqrt(1 - s * s) : 0;
}

double cli_hertz_pressure(const cli_hertz *h, double r)
{
    return h->p0 * cap(r, h->a);
}

double cli_hertz_shear(const cli_hertz *h, double r)
{
    return h->mu * h->p0 * (cap(r, h->a) - h->c / h->a * cap(r, h->c));
}

double cli_hertz_mean(const cli_hertz *h, double (*f)(const cli_hertz *, double), double x, double y, double rho)
{
    double sum = 0;
    for (int i = 0; i < POINTS * POINTS; ++i)
    {
        double u = x + rho * ((i % POINTS + 0.5) / POINTS - 0.5), v = y + rho * ((i / POINTS + 0.5) / POINTS - 0.5);
        sum += f(h, hypot(u, v));
    }
    return sum / (POINTS * POINTS);
}
