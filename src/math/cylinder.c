#include "math/cylinder.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static double tangential_size(int size, const double *x)
{
    return size == 3 ? hypot(x[1], x[2]) : size == 2 ? fabs(x[1]) : 0.0;
}

void crn_cylinder_project(int size, double radius, const double *x, double *out)
{
    assert(size >= 1 && size <= 3); /* 1: a contact whose radius is 0, without its tangents */
    assert(radius >= 0.0);
    double length = tangential_size(size, x);
    double share = length > radius ? radius / length : 1.0;
    out[0] = fmax(x[0], 0.0);
    for (int k = 1; k < size; ++k)
        out[k] = share * x[k];
}

/* Outside the disc the projection is radius t, t = x_t / |x_t|, and turns with it: (radius / |x_t|) (I - t t'). */
void crn_cylinder_differentiate(int size, double radius, const double *x, double D[9])
{
    assert(size >= 1 && size <= 3); /* 1: a contact whose radius is 0, without its tangents */
    assert(radius >= 0.0);
    double length = tangential_size(size, x);
    memset(D, 0, 9 * sizeof(double));
    D[0] = x[0] > 0.0 ? 1.0 : 0.0;
    for (int i = 1; i < size; ++i)
    {
        for (int k = 1; k < size; ++k)
        {
            double across = length > radius ? (i == k) - x[i] / length * (x[k] / length) : (double)(i == k);
            D[3 * i + k] = length > radius ? radius / length * across : across;
        }
    }
}
