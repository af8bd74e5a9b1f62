/* A problem as contacts alone, u = W r + q, with W in blocks of dim x dim: the form in which Siconos' solvers take it. Made here
 * from the problem's data, block by block where bodies are apart (A block-diagonal, no joints, no compliance) or W is given
 * in sparse blocks, by cairn_problem_delassus elsewhere. */
#ifndef BENCH_LOCAL_FORM_H
#define BENCH_LOCAL_FORM_H

#include <cairn/cairn.h>

typedef struct local_form
{
    int dim;
    int contacts;
    int *row_start; /* contacts + 1: blocks of each row of blocks */
    int *column;    /* ascending within a row; the diagonal is among them */
    double *value;  /* dim x dim each, row-major */
    double *q;      /* dim * contacts */
    double *mu;     /* contacts; the problem's own */
} local_form;

/* False with a message when it cannot be formed: singular, or too large for a dense W. */
bool local_form_make(cairn_context *context, const cairn_problem *problem, local_form *form);
/* A planar form with a second tangent that nothing moves or pushes, so that solvers for space can be used: its W is the
 * contact's own normal one, its q is 0, so that its impulse and velocity are 0 in every solution. */
void local_form_pad(const local_form *form, local_form *padded);
void local_form_free(local_form *form);

/* Largest difference of W and q from those of cairn_problem_delassus, relative to their largest entries. */
double local_form_difference(cairn_context *context, const cairn_problem *problem, const local_form *form);

#endif
