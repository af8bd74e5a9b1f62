/* A recursive-descent compiler to a stack program.
 *
 *     sum     = product { (+|-) product }           factor  = (+|-) factor | power
 *     product = factor { (*|/) factor }             power   = primary [ ^ factor ]
 *
 * The sign binds weaker than the power, so -2^2 is -4, 2^-1 is 0.5 and 2^3^2 is 2^9. An operation whose operands are
 * all constants is carried out at once, so a constant expression becomes one instruction. The compiler knows how deep
 * the stack gets and refuses what would not fit the fixed stack of the evaluation: evaluating allocates nothing and
 * checks nothing. Numbers are read in the C locale, whatever the program's locale is.
 */
#include "base/expression_code.h"

#include "base/context.h"
#include "base/memory.h"

#include <assert.h>
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STACK_SIZE = CRN_EXPRESSION_STACK,
    NESTING_MAX = 100 /* levels of parentheses, signs and powers */
};

static double negate(double x)
{
    return -x;
}

static double add(double x, double y)
{
    return x + y;
}

static double subtract(double x, double y)
{
    return x - y;
}

static double multiply(double x, double y)
{
    return x * y;
}

static double divide(double x, double y)
{
    return x / y;
}

static double step_of(double x)
{
    return x < 0 ? 0 : 1;
}

typedef struct operation
{
    const char *name; /* of the function; NULL: the operation is a sign or an operator */
    int operands;     /* values it takes off the stack */
    double (*one)(double x);
    double (*two)(double x, double y);
} operation;

static const operation operations[] = {
    [OP_CONSTANT] = {0},
    [OP_VARIABLE] = {0},
    [OP_NEGATE] = {NULL, 1, negate, NULL},
    [OP_ADD] = {NULL, 2, NULL, add},
    [OP_SUBTRACT] = {NULL, 2, NULL, subtract},
    [OP_MULTIPLY] = {NULL, 2, NULL, multiply},
    [OP_DIVIDE] = {NULL, 2, NULL, divide},
    [OP_POWER] = {"pow", 2, NULL, pow},
    [OP_SIN] = {"sin", 1, sin, NULL},
    [OP_COS] = {"cos", 1, cos, NULL},
    [OP_TAN] = {"tan", 1, tan, NULL},
    [OP_ASIN] = {"asin", 1, asin, NULL},
    [OP_ACOS] = {"acos", 1, acos, NULL},
    [OP_ATAN] = {"atan", 1, atan, NULL},
    [OP_ATAN2] = {"atan2", 2, NULL, atan2},
    [OP_SINH] = {"sinh", 1, sinh, NULL},
    [OP_COSH] = {"cosh", 1, cosh, NULL},
    [OP_TANH] = {"tanh", 1, tanh, NULL},
    [OP_EXP] = {"exp", 1, exp, NULL},
    [OP_LOG] = {"log", 1, log, NULL},
    [OP_SQRT] = {"sqrt", 1, sqrt, NULL},
    [OP_ABS] = {"abs", 1, fabs, NULL},
    [OP_FLOOR] = {"floor", 1, floor, NULL},
    [OP_CEIL] = {"ceil", 1, ceil, NULL},
    [OP_MIN] = {"min", 2, NULL, fmin},
    [OP_MAX] = {"max", 2, NULL, fmax},
    [OP_STEP] = {"step", 1, step_of, NULL},
    [OP_IF] = {"if", 3, NULL, NULL},
};

enum
{
    OPERATIONS = sizeof operations / sizeof operations[0]
};

typedef struct compiler
{
    const char *text;
    const char *at;
    const char *const *variables;
    int variable_count;
    const crn_constant *constants;
    int constant_count;
    const crn_quantities *quantities; /* NULL: none */
    crn_expression *program;
    int depth;   /* values on the stack at this point of the program */
    int nesting; /* of the compiler's own recursion */
    crn_expression_error *error;
} compiler;

/* ------------------------------------------------------------------------------------------------ evaluation */

int crn_operands_of(crn_operation op)
{
    assert((int)op < OPERATIONS);
    return operations[op].operands;
}

double crn_operation_apply(crn_operation op, const double *x)
{
    const operation *applied = &operations[op];
    assert(applied->operands > 0);
    if (applied->operands == 1)
        return applied->one(x[0]);
    return applied->operands == 2 ? applied->two(x[0], x[1]) : x[0] > 0 ? x[1] : x[2];
}

bool crn_expression_is_constant(const crn_expression *expression)
{
    bool names = false;
    for (size_t i = 0; i < expression->count; ++i)
        names = names || expression->code[i].op == OP_VARIABLE;
    return !names;
}

size_t crn_expression_cost(const crn_expression *expression)
{
    return expression->count;
}

double crn_expression_evaluate(const crn_expression *expression, const double *variables)
{
    assert(expression->count > 0);
    double stack[STACK_SIZE];
    int depth = 0;
    for (size_t i = 0; i < expression->count; ++i)
    {
        const crn_instruction *step = &expression->code[i];
        if (step->op == OP_CONSTANT)
            stack[depth++] = step->value;
        else if (step->op == OP_VARIABLE)
            stack[depth++] = variables[step->variable];
        else
        {
            depth -= crn_operands_of(step->op);
            stack[depth] = crn_operation_apply(step->op, stack + depth);
            ++depth;
        }
        assert(depth > 0 && depth <= STACK_SIZE);
    }
    assert(depth == 1);
    return stack[0];
}

/* ----------------------------------------------------------------------------------------- errors and output */

static bool complain(compiler *c, const char *at, const char *format, ...) CRN_PRINTF(3, 4);

/* Keep the first complaint; always false, so that a parsing function ends with `return complain(...)`. */
static bool complain(compiler *c, const char *at, const char *format, ...)
{
    c->error->position = (int)(at - c->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->error->text, sizeof c->error->text, format, arguments);
    va_end(arguments);
    return false;
}

/* No fault of the text: the position is -1. */
static bool no_memory(compiler *c)
{
    complain(c, c->text, "memory ran out");
    c->error->position = -1;
    return false;
}

static bool append(compiler *c, crn_instruction step)
{
    crn_expression *program = c->program;
    if (crn_reserve(&program->code, &program->capacity, program->count + 1, sizeof *program->code) != CAIRN_OK)
        return no_memory(c);
    program->code[program->count++] = step;
    return true;
}

static bool push(compiler *c, const char *at, crn_instruction step)
{
    assert(c->depth >= 0);
    if (c->depth == STACK_SIZE)
        return complain(c, at, "the expression needs more than %d intermediate values", (int)STACK_SIZE);
    ++c->depth;
    return append(c, step);
}

/* Append an operation, or carry it out now when its operands are constants. */
static bool emit(compiler *c, crn_operation op)
{
    int n = crn_operands_of(op);
    crn_expression *program = c->program;
    assert(n >= 1 && n <= 3 && c->depth >= n);
    c->depth -= n - 1;
    double x[3] = {0};
    assert(program->count >= (size_t)n);
    const crn_instruction *operands = &program->code[program->count - (size_t)n];
    for (int i = 0; i < n; ++i)
    {
        if (operands[i].op != OP_CONSTANT)
            return append(c, (crn_instruction){.op = op});
        x[i] = operands[i].value;
    }
    program->count -= (size_t)n;
    return append(c, (crn_instruction){.op = OP_CONSTANT, .value = crn_operation_apply(op, x)});
}

/* -------------------------------------------------------------------------------------------------- tokens */

static void skip_space(compiler *c)
{
    while (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r')
        ++c->at;
}

static bool accept(compiler *c, char wanted)
{
    skip_space(c);
    if (*c->at != wanted)
        return false;
    ++c->at;
    return true;
}

static bool is_name_byte(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_';
}

/* "the end" or the next visible character, for messages. */
static const char *found_here(const compiler *c, char buffer[8])
{
    unsigned char byte = (unsigned char)*c->at;
    if (byte == 0)
        return "the end";
    if (byte < 0x20 || byte >= 0x7f)
        return "a character that has no meaning here";
    snprintf(buffer, 8, "'%c'", byte);
    return buffer;
}

/* digits [. digits] [e [sign] digits]; decimal only. */
static const char *end_of_number(const char *at)
{
    while (isdigit((unsigned char)*at))
        ++at;
    if (*at == '.')
        ++at;
    while (isdigit((unsigned char)*at))
        ++at;
    if (*at != 'e' && *at != 'E')
        return at;
    const char *digits = at + 1;
    if (*digits == '+' || *digits == '-')
        ++digits;
    if (!isdigit((unsigned char)*digits))
        return at;
    while (isdigit((unsigned char)*digits))
        ++digits;
    return digits;
}

static bool number(compiler *c)
{
    const char *start = c->at, *end = end_of_number(start);
    if (end == start + 1 && *start == '.')
        return complain(c, start, "a lone '.' is no number");
    if (is_name_byte(*end) || *end == '.')
        return complain(c, end, "expected an operator after the number %.*s",
                        end - start > 40 ? 40 : (int)(end - start), start);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return no_memory(c);
    double value = strtod_l(start, NULL, plain);
    freelocale(plain);
    if (!isfinite(value))
        return complain(c, start, "the number is too large");
    c->at = end;
    return push(c, start, (crn_instruction){.op = OP_CONSTANT, .value = value});
}

static bool same_name(const char *start, size_t length, const char *name)
{
    return strncmp(start, name, length) == 0 && name[length] == '\0';
}

const crn_constant *crn_constant_find(const crn_constant *constants, size_t count, const char *start, size_t length)
{
    size_t first = 0;
    while (count > 0)
    {
        const crn_constant *middle = &constants[first + count / 2];
        int order = strncmp(start, middle->name, length);
        if (order == 0 && middle->name[length] == '\0')
            return middle;
        assert(count < 2 || strcmp(constants[first].name, constants[first + 1].name) < 0);
        if (order > 0)
        {
            first += count / 2 + 1;
            count -= count / 2 + 1;
        }
        else
            count /= 2;
    }
    return NULL;
}

/* The operation that a function's name stands for; OP_CONSTANT: there is no such function. */
static crn_operation find_function(const char *start, size_t length)
{
    for (int i = 0; i < OPERATIONS; ++i)
        if (operations[i].name && same_name(start, length, operations[i].name))
            return (crn_operation)i;
    return OP_CONSTANT;
}

bool crn_expression_knows(const char *name)
{
    return strcmp(name, "pi") == 0 || find_function(name, strlen(name)) != OP_CONSTANT;
}

static bool unknown_name(compiler *c, const char *start, size_t length, bool call)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), start);
    cairn_suggestion near = {.word = name};
    for (int i = 0; call && i < OPERATIONS; ++i)
        cairn_suggestion_offer(&near, operations[i].name);
    for (int i = 0; !call && i < c->variable_count; ++i)
        cairn_suggestion_offer(&near, c->variables[i]);
    for (int i = 0; !call && i < c->constant_count; ++i)
        cairn_suggestion_offer(&near, c->constants[i].name);
    const char *what = call ? "function" : "name";
    return complain(c, start, "unknown %s '%s'%s", what, name, near.hint);
}

/* ------------------------------------------------------------------------------------------------- grammar */

static bool sum(compiler *c);

static bool call(compiler *c, const char *start, size_t length)
{
    crn_operation op = find_function(start, length);
    const operation *called = &operations[op];
    if (op == OP_CONSTANT)
        return unknown_name(c, start, length, true);
    int count = 0;
    char buffer[8];
    do
    {
        if (!sum(c))
            return false;
        ++count;
    } while (count < called->operands && accept(c, ','));
    if (count == called->operands && accept(c, ')'))
        return emit(c, op);
    if (*c->at == ',' || *c->at == ')')
        return complain(c, c->at, "%s needs %d argument%s", called->name, called->operands,
                        called->operands == 1 ? "" : "s");
    return complain(c, c->at, "expected ',' or ')' in the call of %s, found %s", called->name, found_here(c, buffer));
}

static bool name(compiler *c)
{
    const char *start = c->at;
    while (is_name_byte(*c->at))
        ++c->at;
    size_t length = (size_t)(c->at - start);
    if (accept(c, '('))
        return call(c, start, length);
    for (int i = 0; i < c->variable_count; ++i)
        if (same_name(start, length, c->variables[i]))
            return push(c, start, (crn_instruction){.op = OP_VARIABLE, .variable = i});
    const crn_constant *constant = crn_constant_find(c->constants, (size_t)c->constant_count, start, length);
    if (constant)
        return push(c, start, (crn_instruction){.op = OP_CONSTANT, .value = constant->value});
    if (same_name(start, length, "pi"))
        return push(c, start, (crn_instruction){.op = OP_CONSTANT, .value = 3.14159265358979323846});
    if (find_function(start, length) != OP_CONSTANT)
        return complain(c, start, "'%.*s' is a function: write %.*s(...)", (int)length, start, (int)length, start);
    return unknown_name(c, start, length, false);
}

static bool quantity(compiler *c)
{
    crn_quantity_name name;
    size_t length;
    const char *start = c->at;
    crn_quantity_parse(start, &name, &length);
    if (!c->quantities)
        return complain(c, start, "the quantity %.*s changes with the motion, and this must not",
                        length > 60 ? 60 : (int)length, start);
    crn_expression_error error = {.position = 0};
    int variable = c->quantities->find(c->quantities->data, &name, &error);
    if (variable < 0)
        return error.position < 0 ? no_memory(c) : complain(c, start, "%s", error.text);
    c->at = start + length;
    return push(c, start, (crn_instruction){.op = OP_VARIABLE, .variable = variable});
}

static bool primary(compiler *c)
{
    char buffer[8];
    skip_space(c);
    if (crn_quantity_length(c->at) > 0)
        return quantity(c);
    if (isdigit((unsigned char)*c->at) || *c->at == '.')
        return number(c);
    if (is_name_byte(*c->at))
        return name(c);
    if (!accept(c, '('))
        return complain(c, c->at, "expected a number, a name or '(', found %s", found_here(c, buffer));
    if (!sum(c))
        return false;
    if (!accept(c, ')'))
        return complain(c, c->at, "expected ')', found %s", found_here(c, buffer));
    return true;
}

static bool factor(compiler *c);

static bool power(compiler *c)
{
    if (!primary(c))
        return false;
    if (!accept(c, '^'))
        return true;
    return factor(c) && emit(c, OP_POWER);
}

static bool factor(compiler *c)
{
    skip_space(c);
    if (c->nesting == NESTING_MAX)
        return complain(c, c->at, "the expression is nested more than %d levels deep", (int)NESTING_MAX);
    ++c->nesting;
    bool fine;
    if (accept(c, '-'))
        fine = factor(c) && emit(c, OP_NEGATE);
    else if (accept(c, '+'))
        fine = factor(c);
    else
        fine = power(c);
    c->nesting--;
    return fine;
}

static bool product(compiler *c)
{
    bool fine = factor(c);
    while (fine)
        if (accept(c, '*'))
            fine = factor(c) && emit(c, OP_MULTIPLY);
        else if (accept(c, '/'))
            fine = factor(c) && emit(c, OP_DIVIDE);
        else
            break;
    return fine;
}

static bool sum(compiler *c)
{
    bool fine = product(c);
    while (fine)
        if (accept(c, '+'))
            fine = product(c) && emit(c, OP_ADD);
        else if (accept(c, '-'))
            fine = product(c) && emit(c, OP_SUBTRACT);
        else
            break;
    return fine;
}

static bool whole(compiler *c)
{
    char buffer[8];
    skip_space(c);
    if (*c->at == '\0')
        return complain(c, c->at, "the expression is empty");
    if (!sum(c))
        return false;
    if (*c->at != '\0')
        return complain(c, c->at, "expected an operator or the end, found %s", found_here(c, buffer));
    assert(c->depth == 1);
    return true;
}

crn_expression *crn_expression_compile(const char *text, const char *const *variables, int variable_count,
                                       const crn_constant *constants, int constant_count, crn_expression_error *error)
{
    return crn_expression_compile_with(text, variables, variable_count, constants, constant_count, NULL, error);
}

crn_expression *crn_expression_compile_with(const char *text, const char *const *variables, int variable_count,
                                            const crn_constant *constants, int constant_count,
                                            const crn_quantities *quantities, crn_expression_error *error)
{
    crn_expression_error unread;
    compiler c = {.text = text,
                  .at = text,
                  .variables = variables,
                  .variable_count = variable_count,
                  .constants = constants,
                  .constant_count = constant_count,
                  .quantities = quantities,
                  .program = calloc(1, sizeof *c.program),
                  .error = error ? error : &unread};
    *c.error = (crn_expression_error){0};
    if (!c.program)
    {
        no_memory(&c);
        return NULL;
    }
    if (whole(&c))
        return c.program;
    crn_expression_destroy(c.program);
    return NULL;
}

void crn_expression_destroy(crn_expression *expression)
{
    if (!expression)
        return;
    free(expression->code);
    free(expression);
}
