#include "base/random.h"

#include <assert.h>
#include <math.h>

static uint64_t turn_left(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static const uint64_t STRIDE = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = *state += STRIDE;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t crn_random_key(uint64_t seed, uint64_t stream)
{
    return split_mix(&seed) ^ stream * UINT64_C(0xd1342543de82ef95);
}

crn_random crn_random_start(uint64_t seed, uint64_t stream)
{
    crn_random random;
    uint64_t state = crn_random_key(seed, stream);
    for (int i = 0; i < 4; ++i)
        random.s[i] = split_mix(&state);
    return random;
}

uint64_t crn_random_next(crn_random *random)
{
    uint64_t *s = random->s, out = turn_left(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = turn_left(s[3], 45);
    return out;
}

static double to_unit(uint64_t bits)
{
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

double crn_random_unit(crn_random *random)
{
    return to_unit(crn_random_next(random));
}

double crn_random_at(uint64_t key, uint64_t index)
{
    key += index * STRIDE;
    return to_unit(split_mix(&key));
}

/* A point in the unit disc, and the square of its distance from the centre. */
static double disc(crn_random *random, double out[2])
{
    double square;
    do
    {
        out[0] = 2 * crn_random_unit(random) - 1;
        out[1] = 2 * crn_random_unit(random) - 1;
        square = out[0] * out[0] + out[1] * out[1];
    } while (!(square < 1 && square > 0));
    return square;
}

void crn_random_turn(crn_random *random, double q[4])
{
    double first = disc(random, q), second = disc(random, q + 2), scale = sqrt((1 - first) / second);
    q[2] *= scale;
    q[3] *= scale;
}

/* x = m 2^e with m near 1; ln m = 2 artanh((m - 1)/(m + 1)). */
double crn_exact_log(double x)
{
    assert(x > 0 && isfinite(x));
    static const double LN2_HIGH = 0x1.62e42fefa38p-1, LN2_LOW = 0x1.ef35793c7673p-45;
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654757)
    {
        m *= 2;
        e -= 1;
    }
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int k = 23; k >= 3; k -= 2)
        sum = (sum + 1.0 / k) * square;
    return e * LN2_HIGH + (2 * s + (2 * s * sum + e * LN2_LOW));
}

double crn_exact_exp(double x)
{
    assert(fabs(x) < 700);
    static const double LN2_HIGH = 0x1.62e42fefa38p-1, LN2_LOW = 0x1.ef35793c7673p-45;
    double k = floor(x / LN2_HIGH + 0.5), r = (x - k * LN2_HIGH) - k * LN2_LOW, sum = 1;
    for (int i = 16; i >= 1; --i)
        sum = 1 + sum * r / i;
    return ldexp(sum, (int)k);
}

static double ratio(const double *above, const double *below, double r)
{
    double a = above[7], b = below[7];
    for (int i = 6; i >= 0; --i)
    {
        a = a * r + above[i];
        b = b * r + below[i];
    }
    return a / b;
}

double crn_normal_quantile(double u)
{
    assert(u > 0 && u < 1);
    static const double A[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static const double B[8] = {1,
                                4.2313330701600911252e+1,
                                6.8718700749205790830e+2,
                                5.3941960214247511077e+3,
                                2.1213794301586595867e+4,
                                3.9307895800092710610e+4,
                                2.8729085735721942674e+4,
                                5.2264952788528545610e+3};
    static const double C[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double D[8] = {1,
                                2.05319162663775882187e0,
                                1.67638483018380384940e0,
                                6.89767334985100004550e-1,
                                1.48103976427480074590e-1,
                                1.51986665636164571966e-2,
                                5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
    static const double E[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double F[8] = {1,
                                5.99832206555887937690e-1,
                                1.36929880922735805310e-1,
                                1.48753612908506148525e-2,
                                7.86869131145613259100e-4,
                                1.84631831751005468180e-5,
                                1.42151175831644588870e-7,
                                2.04426310338993978564e-15};
    double q = u - 0.5;
    if (fabs(q) <= 0.425)
        return q * ratio(A, B, 0.180625 - q * q);
    double r = sqrt(-crn_exact_log(q < 0 ? u : 1 - u)), z = r <= 5 ? ratio(C, D, r - 1.6) : ratio(E, F, r - 5);
    return q < 0 ? -z : z;
}
