#include "cli/common/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

size_t cli_utf8_length(const unsigned char *text)
{
    unsigned char c = text[0];
    if (c < 0x80)
        return 1;
    size_t length = c >= 0xC2 && c <= 0xDF ? 2 : c >= 0xE0 && c <= 0xEF ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
    for (size_t i = 1; i < length; ++i)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    if ((c == 0xE0 && text[1] < 0xA0) || (c == 0xED && text[1] > 0x9F) || (c == 0xF0 && text[1] < 0x90) ||
        (c == 0xF4 && text[1] > 0x8F))
        return 0;
    /* U+FFFE and U+FFFF are no characters, and XML refuses them. */
    if (c == 0xEF && text[1] == 0xBF && text[2] >= 0xBE)
        return 0;
    return length;
}

/* Text that is not UTF-8 (a file name, say) keeps its shape with replacement characters. */
static void put_string(FILE *stream, const char *text)
{
    const unsigned char *rest = (const unsigned char *)text;
    fputc('"', stream);
    while (*rest)
    {
        size_t length = cli_utf8_length(rest);
        if (length == 0)
        {
            fputs("\\ufffd", stream);
            ++rest;
        }
        else if (*rest == '"' || *rest == '\\')
        {
            fprintf(stream, "\\%c", *rest++);
        }
        else if (*rest < 0x20 || *rest == 0x7f)
        {
            fprintf(stream, "\\u%04x", *rest++);
        }
        else
        {
            fwrite(rest, 1, length, stream);
            rest += length;
        }
    }
    fputc('"', stream);
}

static void put_number(const cli_json *json, double number)
{
    if (isfinite(number))
        fprintf(json->stream, "%.*g", json->digits > 0 ? json->digits : 17, number);
    else
        fputs("null", json->stream);
}

static void new_line(const cli_json *json)
{
    if (!json->compact)
        fprintf(json->stream, "\n%*s", 2 * json->depth, "");
}

/* Comma, line, indentation and key of the next value. */
static void begin(cli_json *json, const char *key)
{
    assert(json->depth >= 0 && json->depth < CLI_JSON_DEPTH);
    if (json->depth > 0)
    {
        fputs(json->filled[json->depth] ? "," : "", json->stream);
        new_line(json);
    }
    json->filled[json->depth] = true;
    if (key)
    {
        put_string(json->stream, key);
        fputs(json->compact ? ":" : ": ", json->stream);
    }
}

void cli_json_open(cli_json *json, const char *key, char bracket)
{
    begin(json, key);
    fputc(bracket, json->stream);
    assert(json->depth + 1 < CLI_JSON_DEPTH);
    json->filled[++json->depth] = false;
}

void cli_json_close(cli_json *json, char bracket)
{
    assert(json->depth > 0);
    bool filled = json->filled[json->depth--];
    if (filled)
        new_line(json);
    fputc(bracket, json->stream);
    if (json->depth == 0)
        fputc('\n', json->stream);
}

void cli_json_text(cli_json *json, const char *key, const char *text)
{
    begin(json, key);
    if (text)
        put_string(json->stream, text);
    else
        fputs("null", json->stream);
}

void cli_json_number(cli_json *json, const char *key, double number)
{
    begin(json, key);
    put_number(json, number);
}

void cli_json_integer(cli_json *json, const char *key, int64_t number)
{
    begin(json, key);
    fprintf(json->stream, "%" PRId64, number);
}

void cli_json_unsigned(cli_json *json, const char *key, uint64_t number)
{
    begin(json, key);
    fprintf(json->stream, "%" PRIu64, number);
}

void cli_json_bool(cli_json *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void cli_json_numbers(cli_json *json, const char *key, const double *numbers, int count)
{
    begin(json, key);
    fputc('[', json->stream);
    for (int i = 0; i < count; ++i)
    {
        fputs(i == 0 ? "" : json->compact ? "," : ", ", json->stream);
        put_number(json, numbers[i]);
    }
    fputc(']', json->stream);
}
