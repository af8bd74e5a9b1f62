/* Edit distance of Damerau and Levenshtein in its restricted form (no piece is edited twice): with D[i][j] the distance
 * of the first i bytes of a and the first j of b,
 *
 *     D[i][j] = min( D[i-1][j] + 1, D[i][j-1] + 1, D[i-1][j-1] + (a_i != b_j), D[i-2][j-2] + 1 if swapped )
 *
 * Three rows are enough. Long words are no slips of the hand, so the rows have a fixed size.
 */
#include "base/suggest.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum
{
    WORD_MAX_LENGTH = 63
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Fill `row` i from the two rows before it. */
static void fill_row(const char *a, size_t i, const char *b, size_t length, const int *before, const int *last,
                     int *row)
{
    row[0] = (int)i;
    for (size_t j = 1; j <= length; ++j)
    {
        int cost = a[i - 1] == b[j - 1] ? 0 : 1;
        row[j] = smaller(smaller(last[j] + 1, row[j - 1] + 1), last[j - 1] + cost);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = smaller(row[j], before[j - 2] + 1);
    }
}

int crn_edit_distance(const char *a, const char *b)
{
    assert(a && b);
    size_t n = strlen(a), m = strlen(b);
    if (n > WORD_MAX_LENGTH || m > WORD_MAX_LENGTH)
        return -1;
    int rows[3][WORD_MAX_LENGTH + 1] = {{0}};
    for (size_t j = 0; j <= m; ++j)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= n; ++i)
        fill_row(a, i, b, m, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
    return rows[n % 3][m];
}

void crn_suggestion_offer(crn_suggestion *suggestion, const char *candidate)
{
    assert(suggestion->word && candidate);
    int limit = (int)strlen(suggestion->word) / 3;
    if (limit < 1)
        limit = 1;
    int distance = crn_edit_distance(suggestion->word, candidate);
    if (distance < 0 || distance > limit || distance >= (int)strlen(candidate))
        return;
    if (!suggestion->best || distance < suggestion->distance)
    {
        suggestion->best = candidate;
        suggestion->distance = distance;
    }
}
