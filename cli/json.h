/* A small JSON writer: objects, lists, numbers with all their digits, escaped text. Two blanks a level. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum
{
    CRN_JSON_DEPTH = 16
};

typedef struct crn_json
{
    FILE *stream;
    int depth;
    bool compact;                /* all on one line, for programs to read */
    int digits;                  /* of numbers; 0: all 17 */
    bool filled[CRN_JSON_DEPTH]; /* whether the object or list of a level has something in it */
} crn_json;

/* Where a key is asked for, NULL stands for an item of a list or the outermost value. */
void crn_json_open(crn_json *json, const char *key, char bracket); /* '{' or '[' */
void crn_json_close(crn_json *json, char bracket);                 /* '}' or ']' */
void crn_json_text(crn_json *json, const char *key, const char *text);
void crn_json_number(crn_json *json, const char *key, double number); /* null when it is not finite */
void crn_json_integer(crn_json *json, const char *key, int64_t number);
void crn_json_unsigned(crn_json *json, const char *key, uint64_t number);
void crn_json_bool(crn_json *json, const char *key, bool value);
void crn_json_null(crn_json *json, const char *key);
/* A list of numbers on one line. */
void crn_json_numbers(crn_json *json, const char *key, const double *numbers, int count);

#endif
