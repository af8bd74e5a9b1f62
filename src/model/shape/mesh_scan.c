#include "model/shape/mesh_scan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool crn_scan_open(crn_scan *scan, const char *text, size_t length)
{
    assert(text || length == 0);
    bool mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; /* the byte order mark of UTF-8 */
    *scan = (crn_scan){.at = mark ? text + 3 : text, .end = text + length, .line = 1};
    scan->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return scan->plain != (locale_t)0;
}

void crn_scan_close(crn_scan *scan)
{
    if (scan->plain != (locale_t)0)
        freelocale(scan->plain);
}

/* Length of the line break at `at`, in bytes; 0: none. */
static size_t break_at(const crn_scan *scan, const char *at)
{
    if (at == scan->end || (*at != '\n' && *at != '\r'))
        return 0;
    return *at == '\r' && at + 1 < scan->end && at[1] == '\n' ? 2 : 1;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f';
}

/* Skip blanks and escaped line breaks. */
static void skip_blanks(crn_scan *scan)
{
    while (scan->at < scan->end)
    {
        size_t breaks = *scan->at == '\\' ? break_at(scan, scan->at + 1) : 0;
        if (breaks == 0 && !is_blank(*scan->at))
            break;
        scan->line += breaks > 0 ? 1 : 0;
        scan->at += 1 + breaks;
    }
}

bool crn_scan_word(crn_scan *scan, crn_scan_token *word)
{
    skip_blanks(scan);
    const char *start = scan->at;
    if (start == scan->end || *start == '#' || break_at(scan, start))
        return false;
    while (scan->at < scan->end && !is_blank(*scan->at) && *scan->at != '#' && !break_at(scan, scan->at) &&
           !(*scan->at == '\\' && break_at(scan, scan->at + 1)))
        ++scan->at;
    word->length = (size_t)(scan->at - start);
    size_t kept = word->length < sizeof word->text ? word->length : sizeof word->text - 1;
    for (size_t i = 0; i < kept; ++i)
        word->text[i] = start[i] > ' ' && start[i] <= '~' ? start[i] : '?'; /* printable in a message */
    word->text[kept] = '\0';
    return true;
}

bool crn_scan_line(crn_scan *scan)
{
    while (scan->at < scan->end && !break_at(scan, scan->at))
        ++scan->at;
    scan->at += break_at(scan, scan->at);
    scan->line += scan->at < scan->end ? 1 : 0;
    return scan->at < scan->end;
}

bool crn_scan_any(crn_scan *scan, crn_scan_token *word)
{
    bool more = true;
    while (more && !crn_scan_word(scan, word))
        more = crn_scan_line(scan);
    return more;
}

bool crn_scan_number(const crn_scan *scan, const crn_scan_token *word, double *out)
{
    char *end;
    *out = strtod_l(word->text, &end, scan->plain);
    return word->length < sizeof word->text && end == word->text + word->length;
}

bool crn_scan_is(const crn_scan_token *word, const char *text)
{
    return strcasecmp(word->text, text) == 0;
}
