/* Texts in the syntax of scene files, whatever the locale of the program is. */
#ifndef CRN_SCENE_SAVE_COMPOSE_H
#define CRN_SCENE_SAVE_COMPOSE_H

#include <stdbool.h>
#include <stdio.h>

/* The text that `write` writes, with a zero byte after its *size bytes; the caller frees it. NULL when memory ran out. */
char *crn_compose(void (*write)(FILE *out, void *data), void *data, size_t *size);

/* A finite number, with the digits that read back as the same number. */
void crn_write_number(FILE *out, double value);
/* A text in quotes that JSON and YAML both read. */
void crn_write_quoted(FILE *out, const char *text);
/* A name or a word: as it is where YAML reads that as a text, else in quotes. */
void crn_write_text(FILE *out, const char *text);
/* An expression or a number, likewise. */
void crn_write_expression(FILE *out, const char *text);

#endif
