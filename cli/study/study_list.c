/* Lists of numbers and names on the command line of `cairn study`. */
#include "cli/common/cli.h"
#include "cli/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_NUMBERS = 200
};

bool cli_study_number(const char *text, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text)
        return false;
    if (*end == '^' || *end == '/')
    {
        const char *begin = end + 1;
        char sign = *end;
        double second = strtod(begin, &end);
        if (end == begin)
            return false;
        value = sign == '^' ? pow(value, second) : value / second;
    }
    *out = value;
    return *end == '\0' && isfinite(value);
}

char *cli_study_item(const char *text, const char **rest)
{
    int depth = 0;
    size_t length = 0;
    for (; text[length] && !(text[length] == ',' && depth == 0); ++length)
        depth += (text[length] == '(') - (text[length] == ')');
    *rest = text[length] ? text + length + 1 : NULL;
    return cli_text("%.*s", (int)(length), text);
}

/* From a by halves or doubles as far as b, or n numbers at equal ratios. */
static void add_range(double a, double b, int n, double **list, int *count)
{
    int direction = b < a ? -1 : 1;
    int last = n > 0 ? n - 1 : (int)floor(fabs(log2(b / a)) + 1e-9);
    *list = cli_resize(*list, (size_t)(*count + last + 1), sizeof **list);
    for (int k = 0; k <= last; ++k)
        (*list)[(*count)++] = n > 0 ? a * pow(b / a, (double)k / (n - 1)) : ldexp(a, direction * k);
}

/* "a", "a:b" or "a:b:n"; *n is 0 where it is not given. */
static bool read_range(char *item, double *a, double *b, int *n)
{
    char *second = strchr(item, ':');
    char *third = second ? strchr(second + 1, ':') : NULL;
    double points = 0;
    for (char *colon = second; colon; colon = colon == second ? third : NULL)
        *colon = '\0';
    bool good = cli_study_number(item, a) && (!second || cli_study_number(second + 1, b)) &&
                (!third || cli_study_number(third + 1, &points));
    *b = second ? *b : *a;
    *n = (int)fmin(points, MOST_NUMBERS + 1);
    return good && *a > 0 && *b > 0 && (!third || (*n >= 2 && *n == points));
}

static int add_item(const char *option, const char *text, double **out, int *count)
{
    double a = 0, b = 0;
    int n = 0;
    char *item = cli_text("%s", text);
    bool read = read_range(item, &a, &b, &n);
    free(item);
    if (!read)
    {
        return cli_wrong(
            "option --%s: expected positive numbers such as 0.01, 2^-7, 2^-5:2^-11 or 0.1:0.001:5, found '%s'", option,
            text);
    }
    if (*count + (n > 0 ? n : (int)fmin(fabs(log2(b / a)), MOST_NUMBERS) + 1) > MOST_NUMBERS)
        return cli_wrong("option --%s: more than %d numbers", option, MOST_NUMBERS);
    add_range(a, b, n, out, count);
    return CLI_EXIT_DONE;
}

int cli_study_numbers(const char *option, const char *text, double **out, int *count)
{
    int result = CLI_EXIT_DONE;
    *out = NULL;
    *count = 0;
    for (const char *rest = text; rest && !result;)
    {
        char *item = cli_study_item(rest, &rest);
        result = add_item(option, item, out, count);
        free(item);
    }
    if (result)
    {
        free(*out);
        *out = NULL;
        *count = 0;
    }
    return result;
}

int cli_study_one_step(const char *study, const char *text, double *h)
{
    double *steps;
    int count;
    if (!text)
        return CLI_EXIT_DONE;
    int result = cli_study_numbers("steps", text, &steps, &count);
    if (!result && count != 1)
        result = cli_wrong("option --steps: the study '%s' takes one step, found %d", study, count);
    else if (!result)
        *h = steps[0];
    free(steps);
    return result;
}
