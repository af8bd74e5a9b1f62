/* Expressions of scene files: `20*cos(t)`, `pi/3`, `mu*9.81`.
 *
 *     sum      = product { (+|-) product }          product = factor { (*|/) factor }
 *     factor   = (+|-) factor | power               power   = primary [ ^ factor ]       (-2^2 is -4)
 *     primary  = number | name | name ( sum {, sum} ) | ( sum ) | quantity
 *     quantity = [word :] (name | 'any text') . name {. name}        arm.angle.rate, 'left wheel'.omega, joint:arm.angle
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

/* Quantities of things that the expression names, such as arm.angle: values given at evaluation too. */
typedef struct crn_quantity_name
{
    const char *sort, *owner, *field; /* not terminated: joint, arm, angle; sort may be NULL */
    size_t sort_length, owner_length, field_length;
} crn_quantity_name;
typedef struct crn_quantities
{
    /* The number of a variable, which the caller chooses; -1, and *error filled in, for an unknown one. */
    int (*find)(void *data, const crn_quantity_name *name, crn_expression_error *error);
    void *data;
} crn_quantities;

/* variables: names whose values are given at evaluation, in this order. constants: in the order of their names, by strcmp.
 * NULL on error (error filled in). */
crn_expression *crn_expression_compile(const char *text, const char *const *variables, int variable_count,
                                       const crn_constant *constants, int constant_count, crn_expression_error *error);
/* The same with quantities; NULL: the expression may name none. */
crn_expression *crn_expression_compile_with(const char *text, const char *const *variables, int variable_count,
                                            const crn_constant *constants, int constant_count,
                                            const crn_quantities *quantities, crn_expression_error *error);
/* The quantity at the start of a text, and how many bytes it takes; false: there is none. */
bool crn_quantity_parse(const char *text, crn_quantity_name *out, size_t *length);
/* How many bytes at the start of a text name a quantity; 0: none do. */
size_t crn_quantity_length(const char *text);
/* True for pi and the names of functions, which no variable or constant may have. */
bool crn_expression_knows(const char *name);
/* Whether it names no variable and no quantity. */
bool crn_expression_is_constant(const crn_expression *expression);
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
/* Value, and derivative along given rates of all variables. At kinks and jumps, that of the side to which they lead. */
crn_rate crn_expression_slope(const crn_expression *expression, const double *variables, const double *rates);
/* The first time in (t0, t1] at which the derivative jumps, INFINITY: none. Found where a piecewise function takes another
 * branch, by 64 samples of the interval and bisection to the last bit: two changes between two samples that undo each
 * other are not seen. */
double crn_expression_next_kink(const crn_expression *expression, double t0, double t1);

void crn_expression_destroy(crn_expression *expression);

#endif
