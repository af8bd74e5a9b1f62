/* Expressions against C's own arithmetic, and the place of each error. */
#include "base/expression.h"

#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const VARIABLES[] = {"t", "x"};
static const crn_constant CONSTANTS[] = {{"gamma_1", -3}, {"mu", 0.25}, {"omega", 7}};

static crn_expression *compile(const char *text, crn_expression_error *error)
{
    return crn_expression_compile(text, VARIABLES, 2, CONSTANTS, 3, error);
}

static double value(const char *text, double t, double x)
{
    crn_expression_error error;
    crn_expression *expression = compile(text, &error);
    if (expression == NULL)
        fail_msg("%s: %s", text, error.text);
    double variables[2] = {t, x};
    double result = crn_expression_evaluate(expression, variables);
    crn_expression_destroy(expression);
    return result;
}

/* Bit for bit the same, NaN equal to NaN. */
static void assert_same(double found, double wanted, const char *text)
{
    if (!(found == wanted || (isnan(found) && isnan(wanted))))
        fail_msg("%s: %.17g instead of %.17g", text, found, wanted);
}

#define CHECK(text, c_expression) assert_same(value(text, t, x), c_expression, text)

static void test_functions_agree_with_c(void **state)
{
    (void)state;
    for (int i = -60; i <= 60; i++)
    {
        double t = 0.173 * i, x = 0.31 * (i % 7) - 0.4;
        CHECK("sin(t)", sin(t));
        CHECK("cos(t)", cos(t));
        CHECK("tan(t)", tan(t));
        CHECK("asin(x)", asin(x));
        CHECK("acos(x)", acos(x));
        CHECK("atan(t)", atan(t));
        CHECK("atan2(t, x)", atan2(t, x));
        CHECK("sinh(t)", sinh(t));
        CHECK("cosh(t)", cosh(t));
        CHECK("tanh(t)", tanh(t));
        CHECK("exp(t)", exp(t));
        CHECK("log(t)", log(t));
        CHECK("sqrt(t)", sqrt(t));
        CHECK("abs(t)", fabs(t));
        CHECK("floor(t)", floor(t));
        CHECK("ceil(t)", ceil(t));
        CHECK("min(t, x)", t < x ? t : x);
        CHECK("max(t, x)", t > x ? t : x);
        CHECK("pow(t, x)", pow(t, x));
        CHECK("step(t)", t < 0 ? 0.0 : 1.0);
        CHECK("if(t, x, 2*x)", t > 0 ? x : 2 * x);
        CHECK("20*cos(t) - mu*9.81/(1 + x^2)", 20 * cos(t) - 0.25 * 9.81 / (1 + pow(x, 2)));
    }
}

static void test_precedence(void **state)
{
    (void)state;
    double t = 1.7, x = -0.6;
    CHECK("1+2*3", 7);
    CHECK("(1+2)*3", 9);
    CHECK("7-2-1", 4);
    CHECK("8/4/2", 1);
    CHECK("8/4*2", 4);
    CHECK("-2^2", -4);
    CHECK("(-2)^2", 4);
    CHECK("2^-1", 0.5);
    CHECK("2^3^2", 512);
    CHECK("2*-3", -6);
    CHECK("--3", 3);
    CHECK("+-+3", -3);
    CHECK("1 - -1", 2);
    CHECK("-t^2", -pow(t, 2));
    CHECK("t-x-1", t - x - 1);
    CHECK("t/x/3", t / x / 3);
    CHECK("t^x^0.5", pow(t, pow(x, 0.5)));
    CHECK("3-2*t+x", 3 - 2 * t + x);
    CHECK(" \t2 \n* 3 ", 6);
}

static void test_numbers_and_names(void **state)
{
    (void)state;
    double t = 2, x = 3;
    CHECK("1.5e-3", 1.5e-3);
    CHECK(".5", 0.5);
    CHECK("5.", 5.0);
    CHECK("1E+2", 100);
    CHECK("0.1", 0.1);
    CHECK("123456789012345678", 123456789012345678.0);
    CHECK("1e-400", 0.0);
    CHECK("pi", acos(-1.0));
    CHECK("mu", 0.25);
    CHECK("gamma_1*2", -6);
    CHECK("t+x", 5);
    CHECK("2*exp(1)", 2 * exp(1));
    CHECK("0/0", NAN);
    CHECK("1/0", INFINITY);
}

typedef struct mistake
{
    const char *text;
    int position;
    const char *message;
} mistake;

static const mistake MISTAKES[] = {
    {"", 0, "the expression is empty"},
    {"   ", 3, "the expression is empty"},
    {"1+", 2, "expected a number, a name or '(', found the end"},
    {"1+*2", 2, "expected a number, a name or '(', found '*'"},
    {"(1+2", 4, "expected ')', found the end"},
    {"1+2)", 3, "expected an operator or the end, found ')'"},
    {"2mu", 1, "expected an operator after the number 2"},
    {"1.2.3", 3, "expected an operator after the number 1.2"},
    {"0x10", 1, "expected an operator after the number 0"},
    {"1e", 1, "expected an operator after the number 1"},
    {"3 4", 2, "expected an operator or the end, found '4'"},
    {".", 0, "a lone '.' is no number"},
    {"1e999", 0, "the number is too large"},
    {"2*omga", 2, "unknown name 'omga'; did you mean 'omega'?"},
    {"2*zebra", 2, "unknown name 'zebra'"},
    {"nan", 0, "unknown name 'nan'"},
    {"1 + sinn(t)", 4, "unknown function 'sinn'; did you mean 'sin'?"},
    {"1 + sin", 4, "'sin' is a function: write sin(...)"},
    {"atan2(1)", 7, "atan2 needs 2 arguments"},
    {"cos(1, 2)", 5, "cos needs 1 argument"},
    {"cos()", 4, "expected a number, a name or '(', found ')'"},
    {"cos(1", 5, "expected ',' or ')' in the call of cos, found the end"},
    {"mu(2)", 0, "unknown function 'mu'"},
    {"t @ 2", 2, "expected an operator or the end, found '@'"},
    {"2\xc2\xb7t", 1, "expected an operator or the end, found a character that has no meaning here"},
};

static void test_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof MISTAKES / sizeof MISTAKES[0]; i++)
    {
        crn_expression_error error;
        assert_null(compile(MISTAKES[i].text, &error));
        assert_string_equal(error.text, MISTAKES[i].message);
        assert_int_equal(error.position, MISTAKES[i].position);
        assert_null(compile(MISTAKES[i].text, NULL));
    }
}

/* `count` copies of `piece` between a head and a tail. */
static char *repeated(const char *piece, size_t count, const char *head, const char *tail)
{
    char *text = malloc(strlen(piece) * count + strlen(head) + strlen(tail) + 1);
    assert_non_null(text);
    strcpy(text, head);
    for (size_t i = 0; i < count; i++)
        strcat(text, piece);
    return strcat(text, tail);
}

static void test_depth_is_limited(void **state)
{
    (void)state;
    const char *const pieces[] = {"(", "-", "2^", "sin(", "t+(", "max(t,"};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
    {
        char *text = repeated(pieces[i], 2000, "", "1");
        crn_expression_error error;
        assert_null(compile(text, &error));
        assert_true(strstr(error.text, "nested more than") != NULL || strstr(error.text, "intermediate") != NULL);
        free(text);
    }
    char *wide = repeated("+t", 5000, "0", "");
    assert_same(value(wide, 1, 0), 5000, "a wide sum");
    free(wide);
    char *deep = repeated("t+(", 60, "", "t");
    char *closed = repeated(")", 60, deep, "");
    assert_same(value(closed, 0.5, 0), 30.5, "a deep sum");
    free(deep);
    free(closed);
}

static void test_evaluation_allocates_nothing(void **state)
{
    (void)state;
    crn_expression *expression = compile("20*cos(t) + if(x, t^2, max(t, pi))*step(t - x)", NULL);
    assert_non_null(expression);
    double variables[2] = {0.1, 0.2}, total = 0;
    struct mallinfo2 before = mallinfo2();
    for (int i = 0; i < 1000; i++)
    {
        variables[0] += 0.01;
        total += crn_expression_evaluate(expression, variables);
    }
    struct mallinfo2 after = mallinfo2();
    assert_true(isfinite(total));
    assert_int_equal(before.uordblks, after.uordblks);
    assert_int_equal(before.arena, after.arena);
    crn_expression_destroy(expression);
}

/* A program in a locale with a decimal comma reads the same numbers. */
static void test_locale_does_not_matter(void **state)
{
    (void)state;
    const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    bool found = false;
    for (int i = 0; i < 3 && !found; i++)
        found = setlocale(LC_NUMERIC, names[i]) != NULL;
    if (!found)
        skip();
    double result = value("1.5*2", 0, 0);
    setlocale(LC_NUMERIC, "C");
    assert_same(result, 3.0, "1.5*2");
}

/* The hint for a word among some names. */
static cairn_suggestion suggest(const char *word, const char *const *names, int count)
{
    cairn_suggestion near = {.word = word};
    for (int i = 0; i < count; ++i)
        cairn_suggestion_offer(&near, names[i]);
    return near;
}

static void test_suggestions(void **state)
{
    (void)state;
    static const char *const fields[] = {"force", "friction", "bodies", "mass"};
    static const struct
    {
        const char *word, *meant;
        int distance;
    } cases[] = {{"masss", "mass", 1}, {"msas", "mass", 1}, {"bodys", "bodies", 2}, {"frction", "friction", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        cairn_suggestion near = suggest(cases[i].word, fields, 4);
        assert_non_null(strstr(near.hint, cases[i].meant));
        assert_int_equal(near.distance, cases[i].distance);
    }
    assert_string_equal(suggest("frction", fields, 1).hint, "");
    assert_string_equal(suggest("colour", fields, 4).hint, "");
    char long_word[100];
    memset(long_word, 'a', 99);
    long_word[99] = 0;
    assert_string_equal(suggest(long_word, fields, 4).hint, "");
    static const char *const series[] = {"energy/kinetic", "time", "energy/total", "penetration"};
    assert_string_equal(suggest("enegry/total", series, 4).hint, "; did you mean 'energy/total'?");
    assert_string_equal(suggest("totl", series, 4).hint, "; did you mean 'energy/total'?");
}

/* Names of other programs are known whatever their spelling has in common with Cairn's. */
static void test_names_of_others(void **state)
{
    (void)state;
    static const char *const solvers[] = {"auto", "lemke", "gauss-seidel", "apgd", "admm", "interior-point", "newton"};
    static const char *const schemes[] = {"euler", "stiff", "trapezoid", "trapezoid2", "stiff2"};
    static const char *const laws[] = {"frictionless", "box", "cone", "convex cone"};
    assert_string_equal(suggest("pgs", solvers, 7).hint, "; did you mean 'gauss-seidel'?");
    assert_string_equal(suggest("PSOR", solvers, 7).hint, "; did you mean 'gauss-seidel'?");
    assert_string_equal(suggest("rk4", schemes, 5).hint, "; did you mean 'trapezoid2'?");
    assert_string_equal(suggest("coulomb", laws, 4).hint, "; did you mean 'cone'?");
    assert_string_equal(suggest("pgs", laws, 4).hint, "");
}

/* A random expression as text, its value computed beside it by C. */
static double random_expression(unsigned *seed, int depth, double t, double x, char *text, size_t size)
{
    static const char *const operators[] = {"+", "-", "*", "/"};
    int choice = depth == 0 ? rand_r(seed) % 3 : 3 + rand_r(seed) % 6;
    char left[2048], right[2048];
    if (choice == 0)
        return snprintf(text, size, "t"), t;
    if (choice == 1)
        return snprintf(text, size, "x"), x;
    if (choice == 2)
    {
        double number = (rand_r(seed) % 1000) / 64.0;
        return snprintf(text, size, "%.17g", number), number;
    }
    double a = random_expression(seed, depth - 1, t, x, left, sizeof left);
    if (choice == 7)
        return snprintf(text, size, "-(%s)", left), -a;
    if (choice == 8)
        return snprintf(text, size, "cos(%s)", left), cos(a);
    double b = random_expression(seed, depth - 1, t, x, right, sizeof right);
    snprintf(text, size, "(%s)%s(%s)", left, operators[choice - 3], right);
    return choice == 3 ? a + b : choice == 4 ? a - b : choice == 5 ? a * b : a / b;
}

static void test_random_expressions(void **state)
{
    (void)state;
    unsigned seed = 20020;
    for (int i = 0; i < 3000; i++)
    {
        char text[8192];
        double t = (rand_r(&seed) % 4001 - 2000) / 128.0, x = (rand_r(&seed) % 4001 - 2000) / 128.0;
        double wanted = random_expression(&seed, i % 6, t, x, text, sizeof text);
        assert_same(value(text, t, x), wanted, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_agree_with_c), cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_numbers_and_names),      cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_depth_is_limited),       cmocka_unit_test(test_evaluation_allocates_nothing),
        cmocka_unit_test(test_locale_does_not_matter), cmocka_unit_test(test_suggestions),
        cmocka_unit_test(test_names_of_others),        cmocka_unit_test(test_random_expressions),
    };
    return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
