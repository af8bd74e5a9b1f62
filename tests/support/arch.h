/* Limit analysis of a semicircular arch by its line of thrust (Heyman 1966), apart from everything in the library.
 *
 * The arch has mean radius 1, `depth` and an odd number of equal trapezoidal stones; by symmetry it pushes at the crown with a
 * level force H at some height z. Cut at a joint at the angle b from the crown, what lies above has the weight W at xw from the
 * middle and is held there by the force (-H, W) at the radius rho. Moments about the centre of the circle:
 *
 *     rho (W sin b + H cos b) = H z + W xw ,     ri <= rho <= ro at every joint,
 *     |H sin b - W cos b| <= mu (W sin b + H cos b)          no joint slides.
 *
 * All of it is linear in H and H z: a polygon in the plane, empty when the arch cannot stand. (A line of thrust that is not
 * symmetric has a symmetric one beside it: its mean with its mirror image.)
 */
#ifndef TESTS_SUPPORT_ARCH_H
#define TESTS_SUPPORT_ARCH_H

#include <stdbool.h>

typedef struct arch
{
    int stones;      /* odd, at most ARCH_STONES */
    double depth;    /* m */
    double friction; /* of every joint */
    double weight;   /* N, of a stone */
} arch;

enum
{
    ARCH_STONES = 401
};

/* The area of a stone in m^2. */
double arch_stone_area(const arch *a);
/* Least and largest H in N. False: no line of thrust fits. */
bool arch_thrust(const arch *a, double *least, double *largest);
/* The least depth at which a line of thrust fits, to 1e-9. */
double arch_least_depth(int stones, double friction);

#endif
