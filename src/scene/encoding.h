/* Checks and conversions of the bytes before libyaml reads them. */
#ifndef CRN_SCENE_ENCODING_H
#define CRN_SCENE_ENCODING_H

#include <stdbool.h>
#include <stddef.h>

/* Offset of the first byte that is not well-formed UTF-8, or `length` when there is none. Overlong forms, surrogates and
 * values beyond U+10FFFF are not well formed. */
size_t crn_utf8_fault(const char *text, size_t length);

/* Offset of the first directive ("%TAG ...", a line that begins with '%') that more than `most` others precede without
 * anything but empty lines and comments between them, or `length` when there is none. libyaml compares each with all before
 * it. */
size_t crn_excess_directive(const char *text, size_t length, int most);

/* Line and column (in characters, from 1) of a byte offset. */
void crn_text_place(const char *text, size_t offset, int *line, int *column);

/* JSON writes characters beyond U+FFFF as two escapes, \ud83d\ude00, which YAML does not have. Where the text is JSON
 * (its first character is '{' or '['), each such pair inside a string is replaced by the character itself and noted as
 * a shift, so that columns can be given as in the file. */
typedef struct crn_shift
{
    int line, column; /* of the character in the changed text, from 1 */
} crn_shift;

enum
{
    CRN_SHIFT = 11 /* columns that every pair loses: 12 characters became 1 */
};

typedef struct crn_joined
{
    char *text; /* NULL: nothing to change */
    size_t length;
    crn_shift *shifts;
    size_t shift_count, shift_capacity;
} crn_joined;

/* false when memory ran out. */
bool crn_join_surrogates(const char *text, size_t length, crn_joined *joined);
void crn_joined_free(crn_joined *joined);

#endif
