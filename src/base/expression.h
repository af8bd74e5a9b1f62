/* Expressions of scene files: `20*cos(t)`, `pi/3`, `mu*9.81`.
 *
 *     sum      = product { (+|-) product }          product = factor { (*|/) factor }
 *     factor   = (+|-) factor | power               power   = primary [ ^ factor ]       (-2^2 is -4)
 *     primary  = number | name | name ( sum {, sum} ) | ( sum )
 *
 * Names: pi, the caller's variables and constants. Functions: sin cos tan asin acos atan atan2 sinh cosh tanh exp log
 * sqrt abs floor ceil min max pow step(x) (0 below 0, else 1) if(x, a, b) (a where x > 0, else b).
 * Compiled once to a small stack program; evaluation allocates nothing.
 */
#ifndef CRN_BASE_EXPRESSION_H
#define CRN_BASE_EXPRESSION_H

#include "cairn/base.h"

typedef struct crn_expression crn_expression;

/* A name with a fixed value, folded in when compiling. */
typedef struct crn_constant
{
    const char *name;
    double value;
} crn_constant;

/* The constant with the name of `length` bytes at `start`, among those in the order of their names; NULL: none. */
const crn_constant *crn_constant_find(const crn_constant *constants, size_t count, const char *start, size_t length);

/* Where and why an expression is wrong. */
typedef struct crn_expression_error
{
    int position;   /* byte offset into the text, from 0 */
    char text[160]; /* e.g. "unknown name 'omga'" */
} crn_expression_error;

/* variables: names whose values are given at evaluation, in this order. constants: in the order of their names, by strcmp.
 * NULL on error (error filled in). */
crn_expression *crn_expression_compile(const char *text, const char *const *variables, int variable_count,
                                       const crn_constant *constants, int constant_count, crn_expression_error *error);
/* True for pi and the names of functions, which no variable or constant may have. */
bool crn_expression_knows(const char *name);
double crn_expression_evaluate(const crn_expression *expression, const double *variables);
/* How many operations an evaluation takes. */
size_t crn_expression_cost(const crn_expression *expression);

/* Value and derivative of an expression in one variable t, just after t (side 1) or just before it (side -1): they differ at
 * kinks of abs, min, max and at jumps of if, step, floor, ceil. Jumps of the value itself have no derivative and add none. */
typedef struct crn_rate
{
    double value, rate;
} crn_rate;
crn_rate crn_expression_rate(const crn_expression *expression, double t, int side);
/* The first time in (t0, t1] at which the derivative jumps, INFINITY: none. Found where a piecewise function takes another
 * branch, by 64 samples of the interval and bisection to the last bit: two changes between two samples that undo each
 * other are not seen. */
double crn_expression_next_kink(const crn_expression *expression, double t0, double t1);

void crn_expression_destroy(crn_expression *expression);

#endif
