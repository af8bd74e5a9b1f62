/* A strict reader of flat JSON objects: texts without escapes, numbers, lists of up to three numbers, true, false, null. */
#include "cli/view/view_command.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind
{
    NONE = 0,
    TEXT,
    NUMBER,
    LIST,
    WORD,
} kind;

typedef struct value
{
    kind kind;
    char text[16];
    double number[3];
    int count;
} value;

typedef enum key
{
    KEY_TYPE = 0,
    KEY_VALUE,
    KEY_BODY,
    KEY_POINT,
    KEY_TARGET,
    KEY_INDEX,
    KEY_JOINT,
    KEY_COORDINATE,
    KEYS,
} key;

static const char *const KEY_NAME[KEYS] = {"type", "value", "body", "point", "target", "index", "joint", "coordinate"};

typedef struct reader
{
    const char *at, *end;
} reader;

static char peek(reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
        ++r->at;
    return r->at < r->end ? *r->at : '\0';
}

static bool take(reader *r, char c)
{
    bool there = peek(r) == c && c;
    r->at += there;
    return there;
}

static bool read_text(reader *r, char *out, size_t size)
{
    size_t used = 0;
    if (!take(r, '"'))
        return false;
    for (; r->at < r->end && *r->at != '"'; ++r->at)
    {
        if (*r->at == '\\' || (unsigned char)*r->at < 0x20 || used + 1 >= size)
            return false;
        out[used++] = *r->at;
    }
    out[used] = '\0';
    return take(r, '"');
}

/* strtod takes more than JSON's numbers (hexadecimal, inf, nan), so the characters are looked at first. */
static bool read_number(reader *r, double *out)
{
    char text[48], *stop;
    size_t length = 0;
    peek(r);
    while (r->at + length < r->end && strchr("+-.0123456789eE", r->at[length]) && r->at[length])
        ++length;
    if (length == 0 || length >= sizeof text || (r->at[0] != '-' && (r->at[0] < '0' || r->at[0] > '9')))
        return false;
    memcpy(text, r->at, length);
    text[length] = '\0';
    r->at += length;
    *out = strtod(text, &stop);
    return !*stop && isfinite(*out);
}

static bool read_list(reader *r, value *out)
{
    out->kind = LIST;
    if (!take(r, '['))
        return false;
    do
    {
        if (out->count == 3 || !read_number(r, &out->number[out->count]))
            return false;
        ++out->count;
    } while (take(r, ','));
    return take(r, ']');
}

static bool read_word(reader *r, value *out)
{
    static const char *const WORDS[] = {"true", "false", "null"};
    out->kind = WORD;
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; ++i)
    {
        size_t length = strlen(WORDS[i]);
        if ((size_t)(r->end - r->at) >= length && !memcmp(r->at, WORDS[i], length))
        {
            r->at += length;
            memcpy(out->text, WORDS[i], length + 1);
            return true;
        }
    }
    return false;
}

static bool read_value(reader *r, value *out)
{
    *out = (value){0};
    switch (peek(r))
    {
    case '"':
        out->kind = TEXT;
        return read_text(r, out->text, sizeof out->text);
    case '[':
        return read_list(r, out);
    case 't':
    case 'f':
    case 'n':
        return read_word(r, out);
    default:
        out->kind = NUMBER;
        return read_number(r, &out->number[0]);
    }
}

/* All keys of the object; unknown keys are skipped. */
static bool read_object(reader *r, value values[KEYS])
{
    if (!take(r, '{'))
        return false;
    do
    {
        char name[32];
        value found;
        if (!read_text(r, name, sizeof name) || !take(r, ':') || !read_value(r, &found))
            return false;
        for (int i = 0; i < KEYS; ++i)
            if (!strcmp(KEY_NAME[i], name))
                values[i] = found;
    } while (take(r, ','));
    return take(r, '}') && !peek(r) && r->at == r->end;
}

static bool refuse(char *error, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool refuse(char *error, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, size, format, arguments);
    va_end(arguments);
    return false;
}

typedef enum need
{
    NEED_NOTHING = 0,
    NEED_NUMBER,
    NEED_VECTOR,
    NEED_GRAB,
    NEED_TARGET,
    NEED_INDEX,
    NEED_DRIVE,
    NEED_THROW,
} need;

static const struct
{
    const char *name;
    need need;
    double least, most; /* of the number */
} ASKS[] = {
    [CLI_ASK_PLAY] = {"play", NEED_NOTHING, 0, 0},          [CLI_ASK_PAUSE] = {"pause", NEED_NOTHING, 0, 0},
    [CLI_ASK_STEP] = {"step", NEED_NOTHING, 0, 0},          [CLI_ASK_RESET] = {"reset", NEED_NOTHING, 0, 0},
    [CLI_ASK_SPEED] = {"speed", NEED_NUMBER, 1e-6, 1e3},    [CLI_ASK_GRAVITY] = {"gravity", NEED_VECTOR, -1e6, 1e6},
    [CLI_ASK_FRICTION] = {"friction", NEED_NUMBER, 0, 100}, [CLI_ASK_GRAB] = {"grab", NEED_GRAB, -1e9, 1e9},
    [CLI_ASK_DRAG] = {"drag", NEED_TARGET, -1e9, 1e9},      [CLI_ASK_RELEASE] = {"release", NEED_NOTHING, 0, 0},
    [CLI_ASK_ACK] = {"ack", NEED_INDEX, 0, 9e15},           [CLI_ASK_DRIVE] = {"drive", NEED_DRIVE, -1e9, 1e9},
    [CLI_ASK_BALL] = {"ball", NEED_THROW, -1e9, 1e9},       [CLI_ASK_BOX] = {"box", NEED_THROW, -1e9, 1e9},
};
enum
{
    ASK_COUNT = sizeof ASKS / sizeof ASKS[0]
};

static bool give_vector(const value *from, int ask, const char *what, double out[3], char *error, size_t size)
{
    bool good = from->kind == LIST && from->count == 3;
    for (int i = 0; i < 3 && good; ++i)
        good = from->number[i] >= ASKS[ask].least && from->number[i] <= ASKS[ask].most;
    memcpy(out, from->number, sizeof from->number);
    return good || refuse(error, size, "the command '%s' needs '%s': three numbers from %g to %g", ASKS[ask].name, what,
                          ASKS[ask].least, ASKS[ask].most);
}

static bool give_number(const value *from, int ask, const char *what, bool whole, double least, double most,
                        double *out, char *error, size_t size)
{
    *out = from->number[0];
    bool good = from->kind == NUMBER && *out >= least && *out <= most && (!whole || floor(*out) == *out);
    return good || refuse(error, size, "the command '%s' needs '%s': a%s number from %g to %g", ASKS[ask].name, what,
                          whole ? " whole" : "", least, most);
}

/* A value of null lets the drive follow its own target again. */
static bool give_drive(const value values[KEYS], cli_view_command *out, char *error, size_t size)
{
    int ask = (int)out->ask;
    double joint, coordinate;
    if (!give_number(&values[KEY_JOINT], ask, "joint", true, 0, 2e9, &joint, error, size) ||
        !give_number(&values[KEY_COORDINATE], ask, "coordinate", true, 0, 2, &coordinate, error, size))
        return false;
    out->joint = (int)joint;
    out->coordinate = (int)coordinate;
    out->value = NAN;
    return (values[KEY_VALUE].kind == WORD && !strcmp(values[KEY_VALUE].text, "null")) ||
           give_number(&values[KEY_VALUE], ask, "value", false, ASKS[ask].least, ASKS[ask].most, &out->value, error,
                       size);
}

static bool fill(const value values[KEYS], cli_view_command *out, char *error, size_t size)
{
    int ask = (int)out->ask;
    double number = 0;
    switch (ASKS[ask].need)
    {
    case NEED_NOTHING:
        return true;
    case NEED_NUMBER:
        return give_number(&values[KEY_VALUE], ask, "value", false, ASKS[ask].least, ASKS[ask].most, &out->value, error,
                           size);
    case NEED_VECTOR:
        return give_vector(&values[KEY_VALUE], ask, "value", out->vector, error, size);
    case NEED_INDEX:
        number = -1;
        if (!give_number(&values[KEY_INDEX], ask, "index", true, 0, ASKS[ask].most, &number, error, size))
            return false;
        out->index = (int64_t)number;
        return true;
    case NEED_DRIVE:
        return give_drive(values, out, error, size);
    case NEED_GRAB:
        if (!give_number(&values[KEY_BODY], ask, "body", true, 0, 2e9, &number, error, size) ||
            !give_vector(&values[KEY_POINT], ask, "point", out->point, error, size))
            return false;
        out->body = (int)number;
        break;
    case NEED_THROW:
        if (!give_number(&values[KEY_VALUE], ask, "value", false, 1e-9, 1e9, &out->value, error, size) ||
            !give_vector(&values[KEY_POINT], ask, "point", out->point, error, size))
            return false;
        break;
    case NEED_TARGET:
        break;
    }
    return give_vector(&values[KEY_TARGET], ask, "target", out->target, error, size);
}

bool cli_view_command_parse(const char *text, size_t length, cli_view_command *out, char *error, size_t size)
{
    reader r = {text, text + length};
    value values[KEYS] = {{0}};
    *out = (cli_view_command){0};
    if (!read_object(&r, values) || values[KEY_TYPE].kind != TEXT)
        return refuse(error, size, "expected a command: a JSON object with a \"type\"");
    for (int i = 0; i < ASK_COUNT; ++i)
    {
        if (!strcmp(ASKS[i].name, values[KEY_TYPE].text))
        {
            out->ask = (cli_view_ask)i;
            return fill(values, out, error, size);
        }
    }
    return refuse(error, size, "there is no command '%s'", values[KEY_TYPE].text);
}
