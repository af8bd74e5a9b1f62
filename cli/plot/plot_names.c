/* Edit distance with neighbour swaps (optimal string alignment), three rows at a time. Costs count double so that a
 * change of case can cost half. */
#include "cli/plot/plot_names.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 64

static int smallest(int a, int b)
{
    return a < b ? a : b;
}

static int change_cost(char a, char b)
{
    if (a == b)
        return 0;
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? 1 : 2;
}

int cli_plot_edit_distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1];
    int m = (int)strnlen(a, LONGEST), n = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= n; ++j)
        rows[0][j] = 2 * j;
    for (int i = 1; i <= m; ++i)
    {
        int *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        now[0] = 2 * i;
        for (int j = 1; j <= n; ++j)
        {
            int best = before[j - 1] + change_cost(a[i - 1], b[j - 1]);
            best = smallest(best, smallest(before[j], now[j - 1]) + 2);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smallest(best, earlier[j - 2] + 2);
            now[j] = best;
        }
    }
    return rows[m % 3][n];
}

static int limit(const char *wanted)
{
    int length = (int)strnlen(wanted, LONGEST);
    return length < 4 ? 2 : length < 10 ? 5 : length;
}

/* A name that contains what was typed (or its ending after a slash) is near, whatever the distance. */
static int closeness(const char *wanted, const char *candidate)
{
    int distance = cli_plot_edit_distance(wanted, candidate);
    const char *slash = strrchr(candidate, '/');
    if (slash)
        distance = smallest(distance, cli_plot_edit_distance(wanted, slash + 1) + 1);
    if (strlen(wanted) >= 3 && strstr(candidate, wanted))
        distance = smallest(distance, limit(wanted));
    return distance;
}

void cli_near_offer(cli_near *found, const char *candidate)
{
    int distance = closeness(found->wanted, candidate);
    if (distance > limit(found->wanted))
        return;
    int place = found->count;
    while (place > 0 && found->distance[place - 1] > distance)
        place--;
    if (place == CLI_NEAR_MAX)
        return;
    int last = found->count < CLI_NEAR_MAX ? found->count : CLI_NEAR_MAX - 1;
    for (int i = last; i > place; i--)
    {
        found->distance[i] = found->distance[i - 1];
        memcpy(found->name[i], found->name[i - 1], sizeof found->name[i]);
    }
    found->distance[place] = distance;
    snprintf(found->name[place], sizeof found->name[place], "%s", candidate);
    found->count = last + 1;
    assert(found->count <= CLI_NEAR_MAX);
}

void cli_near_text(const cli_near *found, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < found->count; ++i)
    {
        size_t used = strlen(text);
        const char *before = i == 0 ? "did you mean " : i + 1 == found->count ? " or " : ", ";
        snprintf(text + used, size - used, "%s'%s'", before, found->name[i]);
    }
    size_t used = strlen(text);
    if (used > 0)
        snprintf(text + used, size - used, "?");
}
