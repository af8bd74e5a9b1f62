#include "cli/common/csv.h"
#include "cli/common/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_csv_number(FILE *stream, double number)
{
    if (isnan(number))
        fputs(",nan", stream);
    else
        fprintf(stream, ",%.17g", number);
}

void cli_csv_numbers(FILE *stream, const double *numbers, int count)
{
    for (int i = 0; i < count; ++i)
        cli_csv_number(stream, numbers[i]);
}

void cli_csv_text(FILE *stream, const char *text)
{
    fputc(',', stream);
    if (!text[strcspn(text, ",\"\r\n")])
    {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; ++text)
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, stream);
    fputc('"', stream);
}

void cli_csv_title(FILE *stream, const char *name, const char *unit)
{
    bool plain = !*unit || !strcmp(unit, "1");
    char *title = plain ? cli_text("%s", name) : cli_text("%s [%s]", name, unit);
    cli_csv_text(stream, title);
    free(title);
}
