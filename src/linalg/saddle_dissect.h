/* Nested dissection: blocks whose removal leaves two halves that nothing couples are eliminated last, the halves before
 * them, each dissected in its turn (George 1973). For large heaps it leaves far less fill than minimum degree alone, which
 * orders what is within a stage. */
#ifndef CRN_LINALG_SADDLE_DISSECT_H
#define CRN_LINALG_SADDLE_DISSECT_H

#include "cairn/base.h"

/* For each of `count` vertices the stage it is to be eliminated in: 0 for what is left between separators, then those of
 * the smallest halves, up to the separator of the whole. The graph has every edge in both directions: the neighbours of i
 * are graph[start[i]] .. graph[start[i + 1] - 1]. *stages is the number of stages. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_saddle_dissect(int count, const int *start, const int *graph, int *stage, int *stages);

#endif
