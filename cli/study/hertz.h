/* Two like elastic balls, or a ball on a plane, pressed together and then sheared: closed forms (Johnson, Contact Mechanics,
 * 4.2 and 7.2).
 *
 *     Hertz              a^3 = 3 P R/(4 E*) ,   p = p0 sqrt(1 - r^2/a^2) ,   p0 = 3 P/(2 pi a^2) ,   approach a^2/R
 *     Cattaneo, Mindlin  c^3 = a^3 (1 - Q/(mu P)) ,   q = mu p0 sqrt(1 - r^2/a^2) - mu p0 c/a sqrt(1 - r^2/c^2) inside c ,
 *                        shift 3 mu P/(16 a) 2 (2 - nu)/G (1 - (1 - Q/(mu P))^(2/3))
 *
 * The ring c < r < a slips. Mindlin takes q to point along Q everywhere: exact for nu = 0, nearly so otherwise.
 */
#ifndef CLI_STUDY_HERTZ_H
#define CLI_STUDY_HERTZ_H

typedef struct cli_hertz
{
    double P, Q, mu; /* N, N, 1 */
    double a, p0, approach;
    double c, shift;
} cli_hertz;

/* Both sides with Young's modulus E and Poisson's ratio nu; R the radius of the ball. */
cli_hertz cli_hertz_of(double P, double Q, double mu, double R, double E, double nu);

double cli_hertz_pressure(const cli_hertz *h, double r);
double cli_hertz_shear(const cli_hertz *h, double r);

/* The mean of one of them over a square of side rho about (x, y). */
double cli_hertz_mean(const cli_hertz *h, double (*f)(const cli_hertz *, double), double x, double y, double rho);

#endif
