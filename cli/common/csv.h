/* Fields of CSV tables. */
#ifndef CLI_COMMON_CSV_H
#define CLI_COMMON_CSV_H

#include <stdio.h>

/* A number to the last bit, after a comma; "nan" for no number. */
void cli_csv_number(FILE *stream, double number);
void cli_csv_numbers(FILE *stream, const double *numbers, int count);
/* A text, after a comma; quoted when it must be. */
void cli_csv_text(FILE *stream, const char *text);
/* A title with its unit, after a comma: "energy/total [J]". Plain numbers have the unit "" or "1". */
void cli_csv_title(FILE *stream, const char *name, const char *unit);

#endif
