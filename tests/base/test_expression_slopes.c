/* Expressions that name quantities: which names there are, and derivatives by them against differences. */
#include "base/expression.h"
#include "support/check.h"

#include <string.h>

/* Variable 1 is anything with an x, variable 2 anything with a y, variable 3 'any text'.angle.rate. */
static int find(void *data, const crn_quantity_name *name, crn_expression_error *error)
{
    (void)data;
    if (name->field_length == 1 && (name->field[0] == 'x' || name->field[0] == 'y'))
        return name->field[0] == 'x' ? 1 : 2;
    if (name->field_length == 10 && !strncmp(name->field, "angle.rate", 10) && name->owner_length == 9 &&
        !strncmp(name->owner, "left-hand", 9) && name->sort_length == 5 && !strncmp(name->sort, "joint", 5))
        return 3;
    strcpy(error->text, "no such thing");
    return -1;
}

static crn_expression *compile(const char *text, crn_expression_error *error)
{
    static const char *const NAMES[] = {"t"};
    const crn_quantities quantities = {.find = find};
    return crn_expression_compile_with(text, NAMES, 1, NULL, 0, &quantities, error);
}

/* Every function of the grammar, at places where it is smooth. */
static void slopes_agree_with_differences(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {
        "a.x + 2*a.y - t",
        "a.x*b.y",
        "a.x/b.y",
        "-a.x^3",
        "a.x^b.y",
        "2^a.x",
        "pow(b.y, 2.5)",
        "sin(a.x*t)",
        "cos(a.x + b.y)",
        "tan(0.3*a.x)",
        "asin(0.3*a.x)",
        "acos(0.2*b.y)",
        "atan(a.x*b.y)",
        "atan2(a.x, b.y)",
        "sinh(a.x)",
        "cosh(b.y)",
        "tanh(a.x - b.y)",
        "exp(-a.x*b.y)",
        "log(a.x + t)",
        "sqrt(a.x^2 + b.y^2)",
        "a.x*abs(a.x - 5)",
        "floor(a.x)*b.y",
        "ceil(b.y)*a.x",
        "min(a.x^2, 7*b.y)",
        "max(a.x^2, 7*b.y)",
        "step(a.x)*b.y",
        "if(a.x - 0.2, b.y^2, 9)",
        "if(0.2 - a.x, b.y^2, a.x^2)",
        "joint:'left-hand'.angle.rate^2*a.x",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; ++i)
    {
        crn_expression_error error;
        crn_expression *e = compile(TEXTS[i], &error);
        if (!e)
            fail_msg("%s: %s", TEXTS[i], error.text);
        const double at[4] = {0.7, 1.3, 0.9, -0.4};
        for (int k = 0; k < 4; ++k)
        {
            const double h = 1e-3;
            double rates[4] = {0}, sum = 0;
            static const double PLACE[4] = {-2, -1, 1, 2}, FACTOR[4] = {1, -8, 8, -1};
            rates[k] = 1;
            for (int j = 0; j < 4; ++j)
            {
                double moved[4];
                memcpy(moved, at, sizeof at);
                moved[k] += PLACE[j] * h;
                sum += FACTOR[j] * crn_expression_evaluate(e, moved);
            }
            crn_rate found = crn_expression_slope(e, at, rates);
            assert_near(found.value, crn_expression_evaluate(e, at), 1e-15);
            assert_near(found.rate, sum / (12 * h), 1e-9);
        }
        crn_expression_destroy(e);
    }
}

/* Along several rates at once, the slope is their sum. */
static void slopes_add_up(void **state)
{
    (void)state;
    crn_expression_error error;
    crn_expression *e = compile("t*a.x^2*b.y", &error);
    const double at[4] = {2, 3, 5, 0}, rates[4] = {1, -2, 0.5, 9};
    assert_near(crn_expression_slope(e, at, rates).rate, 45 - 2 * 60 + 0.5 * 18, 1e-12);
    crn_expression_destroy(e);
}

static void refuse(const char *text, const char *expected, int position)
{
    crn_expression_error error;
    crn_expression *e = compile(text, &error);
    assert_null(e);
    if (!strstr(error.text, expected) || error.position != position)
        fail_msg("'%s': '%s' at %d", text, error.text, error.position);
}

static void wrong_names_are_told(void **state)
{
    (void)state;
    refuse("1 + a.z", "no such thing", 4);
    refuse("2*'left-hand'.angle", "no such thing", 2);
    refuse("'no end.x", "expected a number, a name or '('", 0);
    refuse("a. x", "unknown name 'a'", 0);
    refuse("a.", "unknown name 'a'", 0);
    refuse("''.x", "expected a number", 0);
    crn_expression_error error;
    assert_null(crn_expression_compile("3*a.x", NULL, 0, NULL, 0, &error));
    assert_non_null(strstr(error.text, "the quantity a.x changes with the motion"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_agree_with_differences),
        cmocka_unit_test(slopes_add_up),
        cmocka_unit_test(wrong_names_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
