/* "Did you mean": the nearest of some known names. */
#ifndef CRN_BASE_SUGGEST_H
#define CRN_BASE_SUGGEST_H

/* Number of insertions, deletions, replacements and swaps of neighbours that turn a into b; -1 when either is longer
 * than 63 bytes. */
int crn_edit_distance(const char *a, const char *b);

/* A running search: start with best NULL; offer every candidate; `best` is then the nearest one that is close enough
 * to be a slip of the hand (at most a third of the word's length, and at least 1), or NULL. */
typedef struct crn_suggestion
{
    const char *word;
    const char *best;
    int distance;
} crn_suggestion;

void crn_suggestion_offer(crn_suggestion *suggestion, const char *candidate);

#endif
