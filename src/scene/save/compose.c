#include "scene/save/compose.h"

#include "base/number_text.h"

#include <assert.h>
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char *crn_compose(void (*write)(FILE *out, void *data), void *data, size_t *size)
{
    char *made = NULL;
    FILE *out = open_memstream(&made, size);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool good = out && plain != (locale_t)0;
    if (good)
    {
        locale_t before = uselocale(plain);
        write(out, data);
        uselocale(before);
        good = !ferror(out);
    }
    if (plain != (locale_t)0)
        freelocale(plain);
    if (out && fclose(out) != 0)
        good = false;
    if (good)
        return made;
    free(made);
    return NULL;
}

void crn_write_number(FILE *out, double value)
{
    assert(isfinite(value));
    fputs(crn_number_text(value).text, out);
}

void crn_write_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; ++at)
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < ' ')
            fprintf(out, "\\u%04x", (unsigned)*at);
        else
            fputc(*at, out);
    fputc('"', out);
}

/* Whether YAML has another meaning for the word. */
static bool is_reserved(const char *text)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

/* Whether YAML reads the text as it stands, and `first` allows its first character. */
static bool is_plain(const char *text, bool first)
{
    size_t length = strlen(text);
    bool plain = first && length > 0 && !is_reserved(text) && text[length - 1] != ' ';
    for (size_t i = 0; plain && i < length; ++i)
        plain = isalnum((unsigned char)text[i]) || strchr("_-+*/^(). ", text[i]);
    return plain;
}

void crn_write_text(FILE *out, const char *text)
{
    if (is_plain(text, isalpha((unsigned char)text[0]) || text[0] == '_'))
        fputs(text, out);
    else
        crn_write_quoted(out, text);
}

void crn_write_expression(FILE *out, const char *text)
{
    bool minus = text[0] == '-' && text[1] != '\0' && text[1] != ' ';
    if (is_plain(text, minus || isalnum((unsigned char)text[0]) || text[0] == '(' || text[0] == '_'))
        fputs(text, out);
    else
        crn_write_quoted(out, text);
}
