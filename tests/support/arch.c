#include "support/arch.h"

#include <math.h>

#define ARCH_PI 3.14159265358979323846

/* a H + b P <= c in the plane of H and P = H z. */
typedef struct half
{
    double a, b, c;
} half;

enum
{
    MOST = 4 * ARCH_STONES
};

double arch_stone_area(const arch *a)
{
    double half_angle = ARCH_PI / (2 * a->stones);
    return a->depth * 2 * sin(half_angle) * cos(half_angle); /* of a trapezoid with parallel sides 2 ri s and 2 ro s */
}

/* Distance of a stone's centre of mass from the centre of the circle. */
static double stone_radius(const arch *a)
{
    double ri = 1 - a->depth / 2, ro = 1 + a->depth / 2;
    return cos(ARCH_PI / (2 * a->stones)) * (ri + a->depth / 3 * (ri + 2 * ro) / (ri + ro));
}

static int conditions(const arch *a, half *out)
{
    int count = 0;
    double ri = 1 - a->depth / 2, ro = 1 + a->depth / 2, mu = a->friction, c = stone_radius(a);
    /* weight so far and its moment, from half of the crown stone on */
    double W = a->weight / 2;
    double Wx = W * sin(ARCH_PI / (2 * a->stones)) * (ri * ri + ri * ro + ro * ro) / (3 * (ri + ro));
    for (int k = 0; k <= a->stones / 2; ++k)
    {
        double b = ARCH_PI * (2 * k + 1) / (2 * a->stones);
        double middle = ARCH_PI * k / a->stones;
        double stone = k > 0 ? a->weight : 0;
        W += stone;
        Wx += stone * c * sin(middle);
        double sb = sin(b), cb = cos(b);
        out[count++] = (half){ri * cb, -1, Wx - ri * W * sb};
        out[count++] = (half){-ro * cb, 1, ro * W * sb - Wx};
        out[count++] = (half){sb - mu * cb, 0, W * (cb + mu * sb)};
        out[count++] = (half){-sb - mu * cb, 0, W * (mu * sb - cb)};
    }
    return count;
}

static bool holds(const half *list, int count, double H, double P, double scale)
{
    for (int i = 0; i < count; ++i)
        if (list[i].a * H + list[i].b * P > list[i].c + 1e-12 * scale)
            return false;
    return true;
}

/* H is least and largest at corners of the polygon, which are few enough to try them all. */
bool arch_thrust(const arch *a, double *least, double *largest)
{
    half list[MOST];
    int count = conditions(a, list);
    double scale = a->weight * a->stones;
    *least = HUGE_VAL, *largest = -HUGE_VAL;
    for (int i = 0; i < count; ++i)
    {
        for (int j = 0; j < i; ++j)
        {
            double det = list[i].a * list[j].b - list[j].a * list[i].b;
            double H = (list[i].c * list[j].b - list[j].c * list[i].b) / det;
            double P = (list[i].a * list[j].c - list[j].a * list[i].c) / det;
            if (fabs(det) > 1e-12 && holds(list, count, H, P, scale))
            {
                *least = fmin(*least, H);
                *largest = fmax(*largest, H);
            }
        }
    }
    return *least <= *largest;
}

double arch_least_depth(int stones, double friction)
{
    double low = 0.01, high = 0.5;
    while (high - low > 1e-9)
    {
        arch a = {.stones = stones, .depth = (low + high) / 2, .friction = friction, .weight = 1};
        double least, largest;
        *(arch_thrust(&a, &least, &largest) ? &high : &low) = a.depth;
    }
    return high;
}
