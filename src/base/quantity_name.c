/* Names of quantities in expressions: [word :] (name | 'any text') . name {. name}. Names of things that are no plain words, such as
 * those with blanks and dashes, stand in quotes. */
#include "base/expression.h"

#include <ctype.h>
#include <string.h>

static bool is_name_byte(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_';
}

static const char *skip_name(const char *at)
{
    while (is_name_byte(*at))
        ++at;
    return at;
}

bool crn_quantity_parse(const char *text, crn_quantity_name *out, size_t *length)
{
    const char *at = text;
    *out = (crn_quantity_name){.owner = at};
    if (*at != '\'')
    {
        at = skip_name(at);
        if (at > text && *at == ':' && (is_name_byte(at[1]) || at[1] == '\''))
        {
            out->sort = text;
            out->sort_length = (size_t)(at - text);
            out->owner = ++at;
        }
    }
    if (*at == '\'')
    {
        const char *end = strchr(at + 1, '\'');
        if (!end)
            return false;
        out->owner = at + 1;
        out->owner_length = (size_t)(end - at - 1);
        at = end + 1;
    }
    else
    {
        at = skip_name(out->owner);
        out->owner_length = (size_t)(at - out->owner);
    }
    if (out->owner_length == 0 || *at != '.')
        return false;
    out->field = at + 1;
    while (*at == '.' && is_name_byte(at[1]))
        at = skip_name(at + 1);
    out->field_length = at > out->field ? (size_t)(at - out->field) : 0;
    *length = (size_t)(at - text);
    return out->field_length > 0;
}

size_t crn_quantity_length(const char *text)
{
    crn_quantity_name name;
    size_t length;
    bool starts = *text == '\'' || (is_name_byte(*text) && !isdigit((unsigned char)*text));
    return starts && crn_quantity_parse(text, &name, &length) ? length : 0;
}
