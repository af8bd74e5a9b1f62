/* A small JSON writer: objects, lists, numbers with all their digits, escaped text. Indented by two blanks per level. */
#ifndef CLI_COMMON_JSON_H
#define CLI_COMMON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum
{
    CLI_JSON_DEPTH = 16
};

typedef struct cli_json
{
    FILE *stream;
    int depth;
    bool compact;                /* all on one line, for programs to read */
    int digits;                  /* of numbers; 0: all 17 */
    bool filled[CLI_JSON_DEPTH]; /* whether the object or list of a level has something in it */
} cli_json;

/* The key is NULL for an item of a list and for the outermost value. */
void cli_json_open(cli_json *json, const char *key, char bracket);     /* '{' or '[' */
void cli_json_close(cli_json *json, char bracket);                     /* '}' or ']' */
void cli_json_text(cli_json *json, const char *key, const char *text); /* null when it is NULL */
void cli_json_number(cli_json *json, const char *key, double number);  /* null when it is not finite */
void cli_json_integer(cli_json *json, const char *key, int64_t number);
void cli_json_unsigned(cli_json *json, const char *key, uint64_t number);
void cli_json_bool(cli_json *json, const char *key, bool value);
/* Length in bytes of the well-formed UTF-8 character at `text`; 0 when it is none (overlong forms, surrogates and stray bytes
 * included). */
size_t cli_utf8_length(const unsigned char *text);

/* A list of numbers on one line. */
void cli_json_numbers(cli_json *json, const char *key, const double *numbers, int count);

#endif
