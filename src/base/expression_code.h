/* The stack program of an expression, for the files that run it. */
#ifndef CRN_BASE_EXPRESSION_CODE_H
#define CRN_BASE_EXPRESSION_CODE_H

#include "base/expression.h"

enum
{
    CRN_EXPRESSION_STACK = 64 /* values */
};

typedef enum crn_operation
{
    OP_CONSTANT,
    OP_VARIABLE,
    OP_NEGATE,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_POWER,
    OP_SIN,
    OP_COS,
    OP_TAN,
    OP_ASIN,
    OP_ACOS,
    OP_ATAN,
    OP_ATAN2,
    OP_SINH,
    OP_COSH,
    OP_TANH,
    OP_EXP,
    OP_LOG,
    OP_SQRT,
    OP_ABS,
    OP_FLOOR,
    OP_CEIL,
    OP_MIN,
    OP_MAX,
    OP_STEP,
    OP_IF,
} crn_operation;

typedef struct crn_instruction
{
    crn_operation op;
    int variable;
    double value;
} crn_instruction;

struct crn_expression
{
    crn_instruction *code;
    size_t count, capacity;
};

/* How many values an operation takes off the stack. */
int crn_operands_of(crn_operation op);
/* The result of an operation on its operands, which stand in order at `x`. */
double crn_operation_apply(crn_operation op, const double *x);

#endif
