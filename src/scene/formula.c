/* Parameters and expressions.
 *
 * The model takes expressions in t and in quantities by name, so parameters are replaced by their values: every name of a parameter becomes a
 * number in parentheses, with the 17 digits that read the same double back.
 */
#include "scene/formula.h"

#include "base/memory.h"
#include "cairn/scene.h"
#include "scene/values.h"

#include <assert.h>
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    VALUE_BYTES = 32 /* "(-1.2345678901234567e-308)" and some */
};

static const char *const TIME[] = {"t"};

static int characters(const char *text, int bytes)
{
    assert(bytes >= 0 && (size_t)bytes <= strlen(text));
    int count = 0;
    for (int i = 0; i < bytes; ++i)
        count += ((unsigned char)text[i] & 0xc0) != 0x80 ? 1 : 0;
    return count;
}

/* Report what is wrong with an expression; at the exact column where the text is in the file as written. */
static bool wrong_expression(crn_reader *reader, const crn_node *node, const crn_expression_error *error)
{
    if (reader->no_memory)
        return false;
    int before = characters(node->text, error->position);
    return crn_problem_inside(reader, node, node->exact ? before : 0, "in the expression '%s', character %d: %s",
                              crn_clip_text(node->text).text, before + 1, error->text);
}

/* An expression in the first `count` of the names and the parameters; NULL when it is wrong or memory ran out. Quantities are not
 * allowed where they are NULL. */
static crn_expression *compile_with(crn_reader *reader, const char *text, const char *const *names, int count,
                                    const crn_quantities *quantities, crn_expression_error *error)
{
    crn_expression *expression = crn_expression_compile_with(text, names, count, reader->parameters,
                                                             (int)reader->parameter_count, quantities, error);
    reader->no_memory = reader->no_memory || (!expression && error->position < 0);
    return expression;
}

static crn_expression *compile(crn_reader *reader, const char *text, const char *const *names, int count,
                               crn_expression_error *error)
{
    return compile_with(reader, text, names, count, NULL, error);
}

/* Any quantity will do: the model knows which there are. */
static int accept_all(void *data, const crn_quantity_name *name, crn_expression_error *error)
{
    (void)data;
    (void)name;
    (void)error;
    return 1;
}

crn_clip crn_value_text(double value)
{
    crn_clip clip;
    if (isnan(value)) /* printf would print its sign, which has no meaning */
        snprintf(clip.text, sizeof clip.text, "not a number");
    else
        snprintf(clip.text, sizeof clip.text, "%g", value);
    return clip;
}

/* True when a text is an expression in t. */
static bool depends_on_time(crn_reader *reader, const char *text)
{
    crn_expression_error error;
    crn_expression *expression = compile(reader, text, TIME, 1, &error);
    crn_expression_destroy(expression);
    return expression;
}

bool crn_formula_constant(crn_reader *reader, const crn_node *node, double *out)
{
    assert(node->kind == CRN_SCALAR);
    crn_expression_error error;
    crn_expression *expression = compile(reader, node->text, TIME, 0, &error);
    if (!expression && !reader->no_memory && depends_on_time(reader, node->text))
        return crn_problem_at(reader, node, "expected a number, found '%s', which changes with the time",
                              crn_clip_text(node->text).text);
    if (!expression)
        return wrong_expression(reader, node, &error);
    *out = crn_expression_evaluate(expression, NULL);
    crn_expression_destroy(expression);
    return true;
}

/* ----------------------------------------------------------------------------------------- substitution */

static bool starts_name(char byte)
{
    return isalpha((unsigned char)byte) || byte == '_';
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        ++length;
    return length;
}

/* Bytes of the token at `at`: a name, a number with its exponent, or one byte. */
static size_t token_length(const char *at)
{
    assert(*at != '\0');
    if (crn_quantity_length(at) > 0)
        return crn_quantity_length(at);
    if (starts_name(*at))
        return name_length(at);
    if (!isdigit((unsigned char)*at))
        return 1;
    size_t length = strspn(at, "0123456789.");
    if (at[length] != 'e' && at[length] != 'E')
        return length;
    ++length;
    if (at[length] == '+' || at[length] == '-')
        ++length;
    return length + strspn(at + length, "0123456789");
}

static const crn_constant *find_parameter(const crn_reader *reader, const char *name, size_t length)
{
    return crn_constant_find(reader->parameters, reader->parameter_count, name, length);
}

/* "(0.25)", with a point whatever the program's locale is. */
static size_t put_value(char *out, double value)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    int length = snprintf(out, VALUE_BYTES, "(%.17g)", value);
    uselocale(before);
    if (plain != (locale_t)0)
        freelocale(plain);
    assert(length > 0 && length < VALUE_BYTES);
    return (size_t)length;
}

static const char *substitute(crn_reader *reader, const char *text)
{
    size_t names = 0;
    for (const char *at = text; *at != '\0'; at += token_length(at))
        names += starts_name(*at) ? 1 : 0;
    char *result = crn_reader_memory(reader, strlen(text) + names * VALUE_BYTES + 1);
    if (!result)
        return NULL;
    char *out = result;
    for (const char *at = text; *at != '\0';)
    {
        size_t length = token_length(at);
        const crn_constant *parameter = starts_name(*at) ? find_parameter(reader, at, length) : NULL;
        if (parameter)
            out += put_value(out, parameter->value);
        else
            out = (char *)memcpy(out, at, length) + length;
        at += length;
    }
    assert((size_t)(out - result) <= strlen(text) + names * VALUE_BYTES);
    *out = '\0';
    return result;
}

bool crn_formula_in_time(crn_reader *reader, const crn_node *node, const char **out)
{
    assert(node->kind == CRN_SCALAR);
    crn_expression_error error;
    crn_expression *expression = compile(reader, node->text, TIME, 0, &error);
    if (expression)
    {
        double value = crn_expression_evaluate(expression, NULL);
        crn_expression_destroy(expression);
        if (!isfinite(value))
            return crn_problem_at(reader, node,
                                  "expected a finite number or an expression in t, found '%s', which is %s",
                                  crn_clip_text(node->text).text, crn_value_text(value).text);
    }
    const crn_quantities any = {.find = accept_all};
    expression = compile_with(reader, node->text, TIME, 1, &any, &error);
    if (!expression)
        return wrong_expression(reader, node, &error);
    crn_expression_destroy(expression);
    *out = substitute(reader, node->text);
    return *out;
}

crn_expression *crn_formula_in_plane(crn_reader *reader, const crn_node *node)
{
    assert(node->kind == CRN_SCALAR);
    static const char *const names[] = {"x", "y"};
    crn_expression_error error;
    crn_expression *expression = compile(reader, node->text, names, 2, &error);
    if (!expression)
        wrong_expression(reader, node, &error);
    return expression;
}

/* -------------------------------------------------------------------------------------------- parameters */

static bool good_name(crn_reader *reader, const crn_node *value)
{
    const char *name = value->key->text;
    size_t length = name_length(name);
    if (!starts_name(name[0]) || name[length] != '\0' || length > 60)
        crn_problem_at(reader, value->key,
                       "'%s' is no parameter name: expected a letter, then letters, digits and '_', 60 at most",
                       crn_clip_text(name).text);
    else if (strcmp(name, TIME[0]) == 0 || crn_expression_knows(name))
        crn_problem_at(reader, value->key, "'%s' has a meaning of its own in expressions; choose another name", name);
    else if (value->repeated != 0)
        crn_problem_at(reader, value->key, "'%s' is given twice, first at line %d", name, value->repeated);
    else
        return true;
    return false;
}

/* The last value given from outside for a parameter; NULL: none. */
static const cairn_parameter *given_value(const char *name, const cairn_parameter *given, int count)
{
    for (int i = count - 1; i >= 0; i--)
        if (strcmp(given[i].name, name) == 0)
            return &given[i];
    return NULL;
}

static bool read_given(crn_reader *reader, const cairn_parameter *given, double *out)
{
    crn_node nowhere = {0};
    crn_expression_error error;
    crn_expression *expression = compile(reader, given->value, TIME, 0, &error);
    if (!expression && !reader->no_memory)
        crn_problem_at(reader, &nowhere, "'%s': the value given from outside, '%s', character %d: %s", given->name,
                       crn_clip_text(given->value).text, error.position + 1, error.text);
    if (!expression)
        return false;
    *out = crn_expression_evaluate(expression, NULL);
    crn_expression_destroy(expression);
    if (!isfinite(*out))
        crn_problem_at(reader, &nowhere,
                       "'%s': expected a finite number, but the value given from outside, '%s', is %s", given->name,
                       crn_clip_text(given->value).text, crn_value_text(*out).text);
    return isfinite(*out);
}

/* Insert a parameter in the order of names; there are at most CRN_DOCUMENT_KEYS. */
static void keep_parameter(crn_reader *reader, crn_constant parameter)
{
    assert(isfinite(parameter.value));
    assert(reader->parameter_count < CRN_DOCUMENT_KEYS);
    if (crn_reserve(&reader->parameters, &reader->parameter_capacity, reader->parameter_count + 1,
                    sizeof *reader->parameters))
    {
        reader->no_memory = true;
        return;
    }
    size_t at = reader->parameter_count++;
    for (; at > 0 && strcmp(reader->parameters[at - 1].name, parameter.name) > 0; at--)
        reader->parameters[at] = reader->parameters[at - 1];
    assert(at == 0 || strcmp(reader->parameters[at - 1].name, parameter.name) < 0);
    reader->parameters[at] = parameter;
}

static void read_parameter(crn_reader *reader, const crn_node *value, const cairn_parameter *given, int count)
{
    if (!good_name(reader, value))
        return;
    const char *name = value->key->text;
    const cairn_parameter *outside = given_value(name, given, count);
    double number = 1;
    reader->field = name;
    /* A wrong parameter is taken as 1, so that its name is known and expressions that use it report no problem. */
    if (!crn_read_number(reader, value, CRN_ANY, &number))
        number = 1;
    reader->field = NULL;
    if (outside && !read_given(reader, outside, &number))
        number = 1;
    keep_parameter(reader, (crn_constant){name, number});
}

/* Every value given from outside must belong to a parameter of the scene. */
static void check_given(crn_reader *reader, const char *name)
{
    crn_node nowhere = {0};
    char known[160] = "";
    cairn_suggestion near = {.word = name};
    if (find_parameter(reader, name, strlen(name)) != NULL)
        return;
    for (size_t i = 0; i < reader->parameter_count; ++i)
    {
        size_t length = strlen(known);
        cairn_suggestion_offer(&near, reader->parameters[i].name);
        snprintf(known + length, sizeof known - length, "%s%s", i == 0 ? "" : ", ", reader->parameters[i].name);
    }
    crn_problem_at(reader, &nowhere, "the scene has no parameter '%s'%s%s it has: %s", crn_clip_text(name).text,
                   near.hint, near.hint[0] ? "" : ";", known[0] != '\0' ? known : "none");
}

void crn_read_parameters(crn_reader *reader, const crn_node *node, const cairn_parameter *given, int count)
{
    reader->where = "parameters";
    if (node && node->kind != CRN_MAPPING)
        crn_problem_at(reader, node, "expected a mapping of names to numbers, found %s", crn_describe(node).text);
    else if (node)
        for (const crn_node *value = node->first; value; value = value->next)
            read_parameter(reader, value, given, count);
    reader->where = NULL;
    for (int i = 0; i < count; ++i)
        check_given(reader, given[i].name);
}
