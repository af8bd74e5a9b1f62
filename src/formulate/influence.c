/* The influence matrix Xi of an elastic half-space (Boussinesq, Cerruti; Johnson, Contact Mechanics, 3.2 and 3.6): element j
 * carries the force f_j, element i is displaced by delta_i = sum_j Xi_ij f_j. With (x, y) = r_i - r_j along (t, o),
 * r = |r_i - r_j|, eps = 1/E:
 *
 *     nn   (1 - nu^2) eps/pi  1/r
 *     tt   (1 + nu) eps/pi  ((1 - nu)/r + nu x^2/r^3)        oo: y for x
 *     to   (1 + nu) nu eps/pi  x y/r^3                       Song et al. 2004, appendix A, lacks the nu
 *     nt   (1 + nu)(1 - 2 nu) eps/(2 pi)  x/r^2 = -tn        no: y for x
 *
 * These are the responses to a point force. The kernel `point` uses them directly, as the paper does, with the diagonal
 * 0.95 (1 - nu^2) eps/rho_0 (the paper prints an extra factor pi, which is not definite) and
 * (1 + nu)(2 - nu) eps/(sqrt(pi) rho_0). The kernel `mean` spreads each force evenly over the square of its element and takes
 * the mean displacement over the other square. 1/2 f'Xi f is then the elastic energy of a physical load, so Xi is positive
 * definite for every number of elements and every nu in (-1, 1/2]. Together, averaging and spreading convolve a kernel k with
 * the hat function of both squares:
 *
 *     1/rho^4  int int k  =  delta_x^2 delta_y^2 F / rho^4 ,   d4F/dx2dy2 = k ,   delta^2 F(x) = F(x+rho) - 2 F(x) + F(x-rho)
 *
 *     k = 1/r      F = x^2 y/2 asinh(y/|x|) + x y^2/2 asinh(x/|y|) - r^3/6
 *     k = x^2/r^3  F = r^3/6 + y^2/2 (x asinh(x/|y|) - r)
 *     k = x y/r^3  F = -(x y r/3 + x^3/6 asinh(y/|x|) + y^3/6 asinh(x/|y|))
 *     k = x/r^2    F = (x y^2/2 - x^3/6) ln r + x^2 y/2 atan(y/x) + y^3/6 atan(x/y)
 *
 * The differences lose digits to cancellation as r^4 grows, so they are computed in long double, with rho = 1.
 *
 * Two sides. The contact force f acts on a and -f on b, the normal points from b to a, and delta is the displacement of a's
 * surface minus that of b's. Displacements along the force add up. Those across it (nt) point the same way on both sides
 * under equal and opposite normal forces, so they cancel if the materials are equal: side b enters nt with a minus sign.
 */
#include "formulate/influence.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

int crn_patch_elements(int dimension, int elements)
{
    return dimension == 2 ? elements : elements * elements;
}

void crn_element_offset(int dimension, int elements, double spacing, int element, double offset[2])
{
    assert(elements > 0);
    assert(element >= 0 && element < crn_patch_elements(dimension, elements));
    assert(spacing > 0);
    double middle = 0.5 * (elements - 1);
    offset[0] = (element % elements - middle) * spacing;
    offset[1] = dimension == 2 ? 0.0 : (element / elements - middle) * spacing;
}

/* ------------------------------------------------------------------------------------- kernels, and their F */

/* asinh(a/|b|), to be multiplied by a power of b; returns 0 where b is 0. */
static long double ratio(long double a, long double b)
{
    return b == 0 ? 0 : asinhl(a / fabsl(b));
}

static long double inverse(long double x, long double y)
{
    long double r = hypotl(x, y);
    return x * x * y / 2 * ratio(y, x) + x * y * y / 2 * ratio(x, y) - r * r * r / 6;
}

static long double along(long double x, long double y)
{
    long double r = hypotl(x, y);
    return r * r * r / 6 + y * y / 2 * (x * ratio(x, y) - r);
}

static long double mixed(long double x, long double y)
{
    long double r = hypotl(x, y);
    return -(x * y * r / 3 + x * x * x / 6 * ratio(y, x) + y * y * y / 6 * ratio(x, y));
}

static long double across(long double x, long double y)
{
    long double r = hypotl(x, y);
    if (r == 0)
        return 0;
    long double log_part = (x * y * y / 2 - x * x * x / 6) * logl(r);
    long double first = x == 0 ? 0 : x * x * y / 2 * atanl(y / x);
    long double second = y == 0 ? 0 : y * y * y / 6 * atanl(x / y);
    return log_part + first + second;
}

/* delta_x^2 delta_y^2 F at spacing 1 */
static double second_differences(long double (*F)(long double, long double), int x, int y)
{
    static const int weight[3] = {1, -2, 1};
    long double sum = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            sum += weight[i] * weight[j] * F(x + i - 1, y + j - 1);
    return (double)sum;
}

/* 1/r, x^2/r^3, y^2/r^3, x y/r^3, x/r^2, y/r^2 for elements x and y spacings apart, with spacing 1 */
typedef struct kernels
{
    double inverse, along_t, along_o, mixed, across_t, across_o;
} kernels;

/* Evaluate in one quadrant, so that the matrix is symmetric to the last bit. The odd kernels change sign in the others. */
static kernels mean_kernels(int x, int y)
{
    int sx = (x > 0) - (x < 0), sy = (y > 0) - (y < 0);
    x *= sx;
    y *= sy;
    return (kernels){.inverse = second_differences(inverse, x, y),
                     .along_t = second_differences(along, x, y),
                     .along_o = second_differences(along, y, x),
                     .mixed = sx * sy * second_differences(mixed, x, y),
                     .across_t = sx * second_differences(across, x, y),
                     .across_o = sy * second_differences(across, y, x)};
}

static kernels point_kernels(int x, int y)
{
    assert(x != 0 || y != 0);
    double r = hypot(x, y), cube = r * r * r;
    return (kernels){1 / r, x * x / cube, y * y / cube, x * y / cube, x / (r * r), y / (r * r)};
}

/* ------------------------------------------------------------------------------------------------ the matrix */

/* The 3 x 3 block of displacements (n, t, o) at i due to forces at j, (x, y) spacings away. */
static void fill_block(const crn_influence *side, double sign, int x, int y, double block[3][3])
{
    double nu = side->poisson, shear = (1 + nu) * side->compliance / (PI * side->spacing);
    memset(block, 0, 9 * sizeof(double));
    if (side->kernel == CAIRN_KERNEL_POINT && x == 0 && y == 0)
    {
        block[0][0] = 0.95 * PI * (1 - nu) * shear;
        block[1][1] = block[2][2] = sqrt(PI) * (2 - nu) * shear;
        return;
    }
    kernels k = side->kernel == CAIRN_KERNEL_MEAN ? mean_kernels(x, y) : point_kernels(x, y);
    double turn = sign * 0.5 * (1 - 2 * nu) * shear;
    block[0][0] = (1 - nu) * shear * k.inverse;
    block[1][1] = shear * ((1 - nu) * k.inverse + nu * k.along_t);
    block[2][2] = shear * ((1 - nu) * k.inverse + nu * k.along_o);
    block[1][2] = block[2][1] = shear * nu * k.mixed;
    block[0][1] = turn * k.across_t;
    block[0][2] = turn * k.across_o;
    block[1][0] = -block[0][1];
    block[2][0] = -block[0][2];
}

/* Add one block for every pair of elements that lie (x, y) spacings apart. */
static void add_block(const crn_influence *side, int x, int y, double block[3][3], double *Xi)
{
    int dim = side->dimension, m = side->elements, count = crn_patch_elements(dim, m);
    size_t rows = (size_t)dim * (size_t)count;
    for (int j = 0; j < count; ++j)
    {
        int column = j % m + x, row = j / m + y;
        if (column < 0 || column >= m || row < 0 || row >= count / m)
            continue;
        for (int a = 0; a < dim; ++a)
            for (int b = 0; b < dim; ++b)
                Xi[(size_t)((row * m + column) * dim + a) * rows + (size_t)(j * dim + b)] += block[a][b];
    }
}

void crn_influence_add(const crn_influence *side, double sign, double *Xi)
{
    assert(sign == 1 || sign == -1);
    assert(side->elements > 0);
    assert(side->spacing > 0);
    assert(side->poisson > -1 && side->poisson <= 0.5);
    int width = side->elements - 1, depth = side->dimension == 2 ? 0 : width;
    for (int y = -depth; y <= depth; ++y)
    {
        for (int x = -width; x <= width; ++x)
        {
            double block[3][3];
            fill_block(side, sign, x, y, block);
            add_block(side, x, y, block, Xi);
        }
    }
}
