/* Derivatives of expressions by forward differentiation: every value x carries its rate dx/dt, along given rates of the variables.
 *
 * Functions with a kink (abs, min, max) or a jump (if, step, floor, ceil) have two derivatives there. One side of t is asked for,
 * and every value is the one just beyond t on that side: x + s e dx for a small e > 0, s = 1 or -1. Where the argument of such a
 * function is off its kink its sign decides; at the kink the sign of s dx. An argument counts as being at the kink when a change of
 * t within its rounding would take it there. Where the rate of the argument is zero too, the branch is that of the value, which
 * has the same derivative wherever a power with an exponent above 1 makes it so.
 */
#include "base/expression_code.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double UNIT = 1.0;              /* the rate of t */
static const double WIDE = 16 * DBL_EPSILON; /* relative to t: times closer than this count as the same */

enum
{
    SAMPLES = 64 /* of an interval that is searched for a kink */
};

typedef struct sided
{
    const double *value, *rate; /* of the variables */
    double t;
    int side;        /* 1: after t, -1: before it */
    uint64_t branch; /* hash of the branches that were taken */
} sided;

/* The sign of an argument just beyond t; 0 where neither its value nor its rate has one. */
static int sign_beyond(const sided *at, crn_rate x)
{
    bool here = x.value == 0.0 || fabs(x.value) <= WIDE * fabs(at->t) * fabs(x.rate);
    double told = here ? at->side * x.rate : x.value;
    return (told > 0.0) - (told < 0.0);
}

static void take_branch(sided *at, int64_t which)
{
    at->branch = (at->branch ^ (uint64_t)which) * UINT64_C(0x9e3779b97f4a7c15);
    at->branch ^= at->branch >> 29;
}

/* rate * factor; 0 when the rate is 0, even if the factor is infinite: the argument does not move. */
static double times(double rate, double factor)
{
    return rate == 0.0 ? 0.0 : rate * factor;
}

/* The whole number at or below x (above it for `up`), just beyond t. */
static double whole_beyond(sided *at, crn_rate x, bool up)
{
    double near = round(x.value);
    int sign = sign_beyond(at, (crn_rate){x.value - near, x.rate});
    double whole = sign == 0 ? near : up ? near + (sign > 0) : near - (sign < 0);
    take_branch(at, (int64_t)fmax(-9e15, fmin(9e15, whole)));
    return whole;
}

static double rate_of_one(crn_operation op, double x)
{
    switch (op)
    {
    case OP_NEGATE:
        return -1;
    case OP_SIN:
        return cos(x);
    case OP_COS:
        return -sin(x);
    case OP_TAN:
        return 1 + tan(x) * tan(x);
    case OP_ASIN:
        return 1 / sqrt(1 - x * x);
    case OP_ACOS:
        return -1 / sqrt(1 - x * x);
    case OP_ATAN:
        return 1 / (1 + x * x);
    case OP_SINH:
        return cosh(x);
    case OP_COSH:
        return sinh(x);
    case OP_TANH:
        return 1 - tanh(x) * tanh(x);
    case OP_EXP:
        return exp(x);
    case OP_LOG:
        return 1 / x;
    default:
        assert(op == OP_SQRT);
        return 0.5 / sqrt(x);
    }
}

static crn_rate apply_one(sided *at, crn_operation op, crn_rate x)
{
    int sign;
    switch (op)
    {
    case OP_ABS:
        sign = sign_beyond(at, x);
        take_branch(at, sign);
        return (crn_rate){fabs(x.value), sign * x.rate};
    case OP_FLOOR:
    case OP_CEIL:
        return (crn_rate){whole_beyond(at, x, op == OP_CEIL), 0};
    case OP_STEP:
        sign = sign_beyond(at, x);
        take_branch(at, sign >= 0);
        return (crn_rate){sign >= 0, 0};
    default:
        return (crn_rate){crn_operation_apply(op, &x.value), times(x.rate, rate_of_one(op, x.value))};
    }
}

/* x^y: y x^(y-1) dx + x^y log(x) dy */
static crn_rate power(crn_rate x, crn_rate y)
{
    double value = pow(x.value, y.value);
    double by_base = y.value == 0.0 ? 0.0 : times(x.rate, y.value * pow(x.value, y.value - 1));
    return (crn_rate){value, by_base + times(y.rate, value == 0.0 ? 0.0 : value * log(x.value))};
}

static crn_rate larger(sided *at, crn_rate x, crn_rate y, bool smaller)
{
    int sign = sign_beyond(at, (crn_rate){x.value - y.value, x.rate - y.rate});
    bool first = isnan(y.value) || (!isnan(x.value) && (smaller ? sign <= 0 : sign >= 0));
    take_branch(at, sign == 0 ? 2 : first);
    return first ? x : y;
}

static crn_rate apply_two(sided *at, crn_operation op, crn_rate x, crn_rate y)
{
    switch (op)
    {
    case OP_ADD:
        return (crn_rate){x.value + y.value, x.rate + y.rate};
    case OP_SUBTRACT:
        return (crn_rate){x.value - y.value, x.rate - y.rate};
    case OP_MULTIPLY:
        return (crn_rate){x.value * y.value, times(x.rate, y.value) + times(y.rate, x.value)};
    case OP_DIVIDE:
        return (crn_rate){x.value / y.value, (x.rate - times(y.rate, x.value / y.value)) / y.value};
    case OP_POWER:
        return power(x, y);
    case OP_ATAN2:
        return (crn_rate){atan2(x.value, y.value),
                          (y.value * x.rate - x.value * y.rate) / (x.value * x.value + y.value * y.value)};
    default:
        assert(op == OP_MIN || op == OP_MAX);
        return larger(at, x, y, op == OP_MIN);
    }
}

static crn_rate apply(sided *at, crn_operation op, const crn_rate *x)
{
    switch (crn_operands_of(op))
    {
    case 1:
        return apply_one(at, op, x[0]);
    case 2:
        return apply_two(at, op, x[0], x[1]);
    default:
        assert(op == OP_IF);
        take_branch(at, sign_beyond(at, x[0]) > 0);
        return sign_beyond(at, x[0]) > 0 ? x[1] : x[2];
    }
}

static crn_rate evaluate(const crn_expression *expression, sided *at)
{
    crn_rate stack[CRN_EXPRESSION_STACK];
    int depth = 0;
    for (size_t i = 0; i < expression->count; ++i)
    {
        const crn_instruction *step = &expression->code[i];
        if (step->op == OP_CONSTANT || step->op == OP_VARIABLE)
        {
            bool constant = step->op == OP_CONSTANT;
            stack[depth++] =
                constant ? (crn_rate){step->value, 0} : (crn_rate){at->value[step->variable], at->rate[step->variable]};
            continue;
        }
        depth -= crn_operands_of(step->op);
        stack[depth] = apply(at, step->op, stack + depth);
        ++depth;
        assert(depth > 0 && depth <= CRN_EXPRESSION_STACK);
    }
    assert(depth == 1);
    return stack[0];
}

crn_rate crn_expression_rate(const crn_expression *expression, double t, int side)
{
    assert(side == 1 || side == -1);
    sided at = {.value = &t, .rate = &UNIT, .t = t, .side = side};
    return evaluate(expression, &at);
}

crn_rate crn_expression_slope(const crn_expression *expression, const double *variables, const double *rates)
{
    sided at = {.value = variables, .rate = rates, .side = 1};
    return evaluate(expression, &at);
}

static uint64_t branch_at(const crn_expression *expression, double t)
{
    sided at = {.value = &t, .rate = &UNIT, .t = t, .side = 1};
    (void)evaluate(expression, &at);
    return at.branch;
}

/* The first time after t0 at which the branches differ from those at t0; they must differ at t1. */
static double first_change(const crn_expression *expression, double t0, double t1)
{
    assert(t0 < t1);
    uint64_t before = branch_at(expression, t0);
    for (double middle = t0 + 0.5 * (t1 - t0); middle > t0 && middle < t1; middle = t0 + 0.5 * (t1 - t0))
    {
        bool same = branch_at(expression, middle) == before;
        t0 = same ? middle : t0;
        t1 = same ? t1 : middle;
    }
    return t1;
}

static bool jumps(const crn_expression *expression, double t, double before)
{
    /* rounding may blur the kink by more than WIDE: take the rate of the last time before it */
    crn_rate left = crn_expression_rate(expression, before, -1), right = crn_expression_rate(expression, t, 1);
    double size = fmax(fabs(left.rate), fabs(right.rate));
    return !(fabs(right.rate - left.rate) <= 1e-9 * size);
}

double crn_expression_next_kink(const crn_expression *expression, double t0, double t1)
{
    assert(t0 <= t1);
    for (int k = 0; k < SAMPLES; ++k)
    {
        double from = t0 + (t1 - t0) * k / SAMPLES, to = k + 1 < SAMPLES ? t0 + (t1 - t0) * (k + 1) / SAMPLES : t1;
        /* find several changes between two samples one after the other */
        for (int n = 0; n < SAMPLES && branch_at(expression, from) != branch_at(expression, to); ++n)
        {
            double at = first_change(expression, from, to);
            if (jumps(expression, at, fmax(t0, nextafter(at, -INFINITY))))
                return at;
            from = at;
        }
    }
    return INFINITY;
}
