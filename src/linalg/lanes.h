/* Two neighbouring numbers of an array as one vector. gcc and clang support such vectors on every machine, and lanes are added in
 * the order written, so results do not depend on the machine. */
#ifndef CRN_LINALG_LANES_H
#define CRN_LINALG_LANES_H

typedef double crn_lanes __attribute__((vector_size(16), aligned(8), may_alias));

static inline crn_lanes crn_lanes_at(const double *x)
{
    return *(const crn_lanes *)x;
}

#endif
