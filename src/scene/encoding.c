/* Well-formed UTF-8 by the table of RFC 3629, section 4: the first byte decides how many follow, and the range of
 * the second excludes overlong forms, surrogates and values beyond U+10FFFF. */
#include "scene/encoding.h"

#include "base/memory.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Length of the character at `at`, 0 when it is not well formed. */
static size_t character_length(const unsigned char *at, size_t left)
{
    assert(left > 0);
    unsigned char low = 0x80, high = 0xbf;
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (at[0] >= 0x80 && (at[0] < 0xc2 || at[0] > 0xf4))
        return 0;
    if (length > left)
        return 0;
    if (at[0] == 0xe0)
        low = 0xa0;
    if (at[0] == 0xed)
        high = 0x9f;
    if (at[0] == 0xf0)
        low = 0x90;
    if (at[0] == 0xf4)
        high = 0x8f;
    if (length > 1 && (at[1] < low || at[1] > high))
        return 0;
    for (size_t i = 2; i < length; ++i)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

size_t crn_utf8_fault(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length)
    {
        size_t step = character_length((const unsigned char *)text + at, length - at);
        if (step == 0)
            return at;
        at += step;
    }
    assert(at == length);
    return length;
}

/* Bytes of the line break at `at`, as YAML knows them: LF, CR, NEL, LS and PS; 0: there is none. */
static size_t break_length(const char *at, size_t left)
{
    assert(left > 0);
    if (*at == '\n' || *at == '\r')
        return 1;
    if (left >= 2 && memcmp(at, "\xc2\x85", 2) == 0)
        return 2;
    return left >= 3 && (memcmp(at, "\xe2\x80\xa8", 3) == 0 || memcmp(at, "\xe2\x80\xa9", 3) == 0) ? 3 : 0;
}

size_t crn_excess_directive(const char *text, size_t length, int most)
{
    assert(most >= 0);
    int count = 0;
    size_t at = 0;
    while (at < length)
    {
        if (text[at] == '%' && ++count > most)
            return at;
        bool blank = true, other = text[at] != '%' && text[at] != '#';
        size_t end = 0;
        for (; at < length && end == 0; at += end > 0 ? end : 1)
        {
            end = break_length(text + at, length - at);
            blank = blank && (end > 0 || text[at] == ' ' || text[at] == '\t');
        }
        if (other && !blank)
            count = 0;
    }
    return length;
}

void crn_text_place(const char *text, size_t offset, int *line, int *column)
{
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < offset; ++i)
    {
        bool continued = ((unsigned char)text[i] & 0xc0) == 0x80;
        if (text[i] == '\n')
        {
            ++*line;
            *column = 1;
        }
        else if (!continued)
            ++*column;
    }
}

/* The four hexadecimal digits of \uXXXX at `at`, -1 when it is no such escape. */
static int escape_value(const char *at, size_t left)
{
    if (left < 6 || at[0] != '\\' || at[1] != 'u')
        return -1;
    int value = 0;
    for (int i = 2; i < 6; ++i)
    {
        int digit = tolower((unsigned char)at[i]);
        if (!isxdigit(digit))
            return -1;
        value = 16 * value + (isdigit(digit) ? digit - '0' : digit - 'a' + 10);
    }
    return value;
}

/* The character of a surrogate pair at `at`, 0 when there is none. */
static unsigned pair_value(const char *at, size_t left)
{
    int high = escape_value(at, left);
    if (high < 0xd800 || high > 0xdbff)
        return 0;
    int low = escape_value(at + 6, left - 6);
    if (low < 0xdc00 || low > 0xdfff)
        return 0;
    return 0x10000u + ((unsigned)(high - 0xd800) << 10) + (unsigned)(low - 0xdc00);
}

static void put_character(crn_joined *joined, unsigned value)
{
    assert(value >= 0x10000u && value <= 0x10ffffu);
    char *out = joined->text + joined->length;
    out[0] = (char)(0xf0u | (value >> 18));
    out[1] = (char)(0x80u | ((value >> 12) & 0x3fu));
    out[2] = (char)(0x80u | ((value >> 6) & 0x3fu));
    out[3] = (char)(0x80u | (value & 0x3fu));
    joined->length += 4;
}

static bool is_json(const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        if (!isspace((unsigned char)text[i]))
            return text[i] == '{' || text[i] == '[';
    return false;
}

static bool has_pair(const char *text, size_t length)
{
    for (size_t i = 0; i + 12 <= length; ++i)
        if (text[i] == '\\' && pair_value(text + i, length - i) != 0)
            return true;
    return false;
}

/* The current place of the copy. */
typedef struct cursor
{
    bool in_string;
    int line, column;
} cursor;

/* Copy one byte, or one escape of two bytes, so that the second cannot end a string or start another escape. */
static size_t copy_bytes(crn_joined *joined, const char *at, size_t left, cursor *here)
{
    assert(left > 0);
    size_t count = here->in_string && at[0] == '\\' && left > 1 ? 2 : 1;
    if (count == 1 && at[0] == '"')
        here->in_string = !here->in_string;
    for (size_t i = 0; i < count; ++i)
    {
        bool continued = ((unsigned char)at[i] & 0xc0) == 0x80;
        joined->text[joined->length++] = at[i];
        here->line += at[i] == '\n' ? 1 : 0;
        here->column = at[i] == '\n' ? 1 : here->column + (continued ? 0 : 1);
    }
    return count;
}

bool crn_join_surrogates(const char *text, size_t length, crn_joined *joined)
{
    *joined = (crn_joined){0};
    if (!is_json(text, length) || !has_pair(text, length))
        return true;
    joined->text = malloc(length + 1);
    if (!joined->text)
        return false;
    cursor here = {.line = 1, .column = 1};
    size_t at = 0;
    while (at < length)
    {
        unsigned value = here.in_string && text[at] == '\\' ? pair_value(text + at, length - at) : 0;
        if (value == 0)
        {
            at += copy_bytes(joined, text + at, length - at, &here);
            continue;
        }
        if (crn_reserve(&joined->shifts, &joined->shift_capacity, joined->shift_count + 1, sizeof *joined->shifts))
            return false;
        joined->shifts[joined->shift_count++] = (crn_shift){here.line, here.column};
        put_character(joined, value);
        ++here.column;
        at += 12;
    }
    assert(joined->length + 8 * joined->shift_count == length); /* 12 bytes became 4 */
    joined->text[joined->length] = '\0';
    return true;
}

void crn_joined_free(crn_joined *joined)
{
    free(joined->text);
    free(joined->shifts);
    *joined = (crn_joined){0};
}
