/* A scanner for lines and words of a text that need not end with NUL; numbers are read in the C locale. */
#ifndef CRN_MODEL_SHAPE_MESH_SCAN_H
#define CRN_MODEL_SHAPE_MESH_SCAN_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct crn_scan
{
    const char *at, *end;
    int line; /* from 1 */
    locale_t plain;
} crn_scan;

/* A word, truncated to a length sufficient for messages and numbers; `length` is the full length. */
typedef struct crn_scan_token
{
    char text[48];
    size_t length;
} crn_scan_token;

/* False: memory ran out. */
bool crn_scan_open(crn_scan *scan, const char *text, size_t length);
void crn_scan_close(crn_scan *scan);

/* The next word of the line; false at its end. A '#' ends the line; a '\' before the line break continues it on the next
 * line. */
bool crn_scan_word(crn_scan *scan, crn_scan_token *word);
/* Go to the next line; false when this was the last. */
bool crn_scan_line(crn_scan *scan);
/* The next word of the text, on any line; false at the end. */
bool crn_scan_any(crn_scan *scan, crn_scan_token *word);

/* Whether a word is a number, finite or not. */
bool crn_scan_number(const crn_scan *scan, const crn_scan_token *word, double *out);
/* Case-insensitive comparison. */
bool crn_scan_is(const crn_scan_token *word, const char *text);

#endif
