#include "scene/values.h"

#include "scene/formula.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool expected(crn_reader *reader, const crn_node *node, const char *what)
{
    return crn_problem_at(reader, node, "expected %s, found %s", what, crn_describe(node).text);
}

/* ---------------------------------------------------------------------------------------- texts and words */

/* Names and titles go to terminals, where control characters (U+0000 to U+001F, U+007F to U+009F) are commands. */
static bool has_controls(const char *text, const char *allowed)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != 0; ++at)
        if ((*at < 0x20 && !strchr(allowed, *at)) || *at == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0))
            return true;
    return false;
}

bool crn_read_text(crn_reader *reader, const crn_node *node, const char **out)
{
    static const char *const no_texts[] = {"", "~", "null", "true", "false"};
    if (node->kind != CRN_SCALAR)
        return expected(reader, node, "a text");
    for (size_t i = 0; node->plain && i < sizeof no_texts / sizeof no_texts[0]; ++i)
        if (strcmp(node->text, no_texts[i]) == 0)
            return expected(reader, node, "a text");
    if (node->plain && crn_is_number_like(node->text))
        return expected(reader, node, "a text (in quotes, if it is meant to look like a number)");
    if (has_controls(node->text, "\n\t"))
        return expected(reader, node, "a text without control characters");
    *out = node->text;
    return true;
}

bool crn_read_name(crn_reader *reader, const crn_node *node, const char **out)
{
    if (!crn_read_text(reader, node, out))
        return false;
    if (has_controls(*out, ""))
        return expected(reader, node, "a name without control characters");
    if ((*out)[0] != '\0')
        return true;
    return crn_problem_at(reader, node, "expected a name, found an empty text");
}

crn_list_text crn_list_words(const crn_word *words, int count, int dimension)
{
    crn_list_text list = {""};
    int total = 0, said = 0;
    size_t length = 0;
    for (int i = 0; i < count; ++i)
        total += words[i].dimension == 0 || dimension == 0 || words[i].dimension == dimension ? 1 : 0;
    for (int i = 0; i < count; ++i)
    {
        if (words[i].dimension != 0 && dimension != 0 && words[i].dimension != dimension)
            continue;
        const char *before = said == 0 ? "" : said == total - 1 ? " or " : ", ";
        int written = snprintf(list.text + length, sizeof list.text - length, "%s%s", before, words[i].text);
        assert(written > 0 && (size_t)written < sizeof list.text - length);
        length += (size_t)written;
        ++said;
    }
    return list;
}

static bool unknown_word(crn_reader *reader, const crn_node *node, const crn_word *words, int count)
{
    cairn_suggestion near = {.word = node->text};
    for (int i = 0; i < count; ++i)
        if (words[i].dimension == 0 || words[i].dimension == reader->dimension)
            cairn_suggestion_offer(&near, words[i].text);
    crn_list_text list = crn_list_words(words, count, reader->dimension);
    return crn_problem_at(reader, node, "expected %s, found %s%s", list.text, crn_describe(node).text, near.hint);
}

bool crn_read_word(crn_reader *reader, const crn_node *node, const crn_word *words, int count, int *out)
{
    crn_list_text list = crn_list_words(words, count, reader->dimension);
    if (node->kind != CRN_SCALAR)
        return expected(reader, node, list.text);
    for (int i = 0; i < count; ++i)
    {
        if (strcmp(words[i].text, node->text) != 0)
            continue;
        if (words[i].dimension != 0 && reader->dimension != 0 && words[i].dimension != reader->dimension)
            return crn_problem_at(reader, node, "'%s' exists only in %s, and this scene's dimension is %d; allowed: %s",
                                  words[i].text, words[i].dimension == 2 ? "the plane" : "space", reader->dimension,
                                  list.text);
        *out = i;
        return true;
    }
    return unknown_word(reader, node, words, count);
}

bool crn_read_flag(crn_reader *reader, const crn_node *node, bool *out)
{
    bool yes = node->kind == CRN_SCALAR && node->plain && strcmp(node->text, "true") == 0;
    bool no = node->kind == CRN_SCALAR && node->plain && strcmp(node->text, "false") == 0;
    if (!yes && !no)
        return expected(reader, node, "true or false");
    *out = yes;
    return true;
}

bool crn_read_names(crn_reader *reader, const crn_node *node, crn_names *out)
{
    if (node->kind != CRN_LIST || node->count != 2)
        return expected(reader, node, "a list of 2 names");
    const char *text;
    bool first = crn_read_text(reader, node->first, &text);
    bool second = crn_read_text(reader, node->last, &text);
    out->name[0] = node->first;
    out->name[1] = node->last;
    return first && second;
}

/* ---------------------------------------------------------------------------------------------- numbers */

static const char *range_text(crn_range range)
{
    static const char *const texts[] = {
        [CRN_ANY] = "a finite number",
        [CRN_POSITIVE] = "a number greater than 0",
        [CRN_NOT_NEGATIVE] = "a number of 0 or more",
        [CRN_FRACTION] = "a number between 0 and 1",
    };
    return texts[range];
}

static bool in_range(double value, crn_range range)
{
    switch (range)
    {
    case CRN_POSITIVE:
        return value > 0;
    case CRN_NOT_NEGATIVE:
        return value >= 0;
    case CRN_FRACTION:
        return value >= 0 && value <= 1;
    default:
        return true;
    }
}

/* YAML's own spellings of what is no finite number. */
static bool is_not_finite_word(const char *text)
{
    const char *at = text[0] == '-' || text[0] == '+' ? text + 1 : text;
    return strcasecmp(at, ".inf") == 0 || strcasecmp(at, ".nan") == 0;
}

static bool wrong_value(crn_reader *reader, const crn_node *node, const char *what, double value)
{
    if (crn_is_number_like(node->text))
        return expected(reader, node, what);
    return crn_problem_at(reader, node, "expected %s, found '%s', which is %s", what, crn_clip_text(node->text).text,
                          crn_value_text(value).text);
}

bool crn_read_number(crn_reader *reader, const crn_node *node, crn_range range, double *out)
{
    const char *what = range_text(range);
    bool nothing = node->kind == CRN_SCALAR && node->plain && node->text[0] == '\0';
    if (node->kind != CRN_SCALAR || nothing || (node->plain && is_not_finite_word(node->text)))
        return expected(reader, node, what);
    double value;
    if (!crn_formula_constant(reader, node, &value))
        return false;
    if (!isfinite(value) || !in_range(value, range))
        return wrong_value(reader, node, what, value);
    *out = value;
    return true;
}

bool crn_read_integer(crn_reader *reader, const crn_node *node, crn_range range, double *out)
{
    double value;
    if (!crn_read_number(reader, node, range, &value))
        return false;
    if (value != floor(value) || fabs(value) > 1e9)
        return wrong_value(reader, node, "a whole number", value);
    *out = value;
    return true;
}

bool crn_read_numbers(crn_reader *reader, const crn_node *node, int count, double *out)
{
    if (node->kind != CRN_LIST || node->count != count)
        return crn_problem_at(reader, node, "expected a list of %d numbers, found %s", count, crn_describe(node).text);
    bool fine = true;
    for (const crn_node *item = node->first; item && !crn_gave_up(reader); item = item->next)
        fine = crn_read_number(reader, item, CRN_ANY, out++) && fine;
    return fine && !crn_gave_up(reader);
}

bool crn_read_vector(crn_reader *reader, const crn_node *node, double out[3])
{
    int count = reader->dimension;
    if (count == 0)
        count = node->kind == CRN_LIST && node->count == 2 ? 2 : 3;
    return crn_read_numbers(reader, node, count, out);
}

bool crn_read_vectors(crn_reader *reader, const crn_node *node, crn_vectors *out)
{
    int dimension = reader->dimension == 2 ? 2 : 3;
    if (node->kind != CRN_LIST || node->count == 0)
        return expected(reader, node, "a list of points, each a list of numbers");
    out->values = crn_reader_memory(reader, sizeof(double) * (size_t)(dimension * node->count));
    if (!out->values)
        return false;
    bool fine = true;
    for (const crn_node *item = node->first; item; item = item->next)
    {
        double point[3] = {0};
        fine = crn_read_vector(reader, item, point) && fine;
        memcpy(out->values + dimension * out->count, point, sizeof(double) * (size_t)dimension);
        ++out->count;
    }
    return fine;
}

/* --------------------------------------------------------------------------------------------- formulas */

bool crn_read_formula(crn_reader *reader, const crn_node *node, const char **out)
{
    bool nothing = node->kind == CRN_SCALAR && node->plain && node->text[0] == '\0';
    if (node->kind != CRN_SCALAR || nothing || (node->plain && is_not_finite_word(node->text)))
        return expected(reader, node, "a finite number or an expression in t");
    return crn_formula_in_time(reader, node, out);
}

bool crn_read_formulas(crn_reader *reader, const crn_node *node, const char *out[3])
{
    int count = reader->dimension;
    if (count == 0)
        count = node->kind == CRN_LIST && node->count == 2 ? 2 : 3;
    if (node->kind != CRN_LIST || node->count != count)
        return crn_problem_at(reader, node, "expected a list of %d numbers or expressions in t, found %s", count,
                              crn_describe(node).text);
    bool fine = true;
    for (const crn_node *item = node->first; item; item = item->next)
        fine = crn_read_formula(reader, item, out++) && fine;
    return fine;
}
