/* Nested dissection: blocks whose removal leaves two halves that nothing couples are eliminated last, the halves before
 * them, each dissected in turn (George 1973). For large heaps it leaves far less fill than minimum degree alone, which still
 * orders the blocks within a stage. */
#ifndef CRN_LINALG_SADDLE_DISSECT_H
#define CRN_LINALG_SADDLE_DISSECT_H

#include "cairn/base.h"

/* Find the stage in which each of `count` vertices is eliminated: 0 for the parts between separators, then the separators of
 * the smallest halves, up to the separator of the whole graph. The graph has every edge in both directions: the neighbours of i
 * are graph[start[i]] .. graph[start[i + 1] - 1]. *stages is the number of stages. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_saddle_dissect(int count, const int *start, const int *graph, int *stage, int *stages);

#endif
