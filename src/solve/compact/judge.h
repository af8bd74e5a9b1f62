/* What the widths of the certificate share. */
#ifndef CRN_SOLVE_COMPACT_JUDGE_H
#define CRN_SOLVE_COMPACT_JUDGE_H

#include "solve/compact/compact.h"

/* Judge the contacts first .. end-1, a multiple of the width, whose impulses lead to these bodies. Adds to the certificate; all widths
 * give the same bits. */
typedef void crn_compact_judges(const crn_compact_problem *problem, const double (*impulse)[3],
                                const crn_compact_body *body, int first, int end, double *residual,
                                crn_compact_certificate *certificate);
crn_compact_judges crn_compact_judges_1, crn_compact_judges_4, crn_compact_judges_8;

/* The same for the moments of contacts that resist rolling, in rolling.c. A contact's residual is the larger of both. */
void crn_compact_judge_rolling(const crn_compact_problem *problem, const double (*impulse)[3],
                               const crn_compact_body *body, int first, int end, double *residual,
                               crn_compact_certificate *certificate);

/* Note a contact's residual: the worst, and the first contact that has it. */
void crn_compact_note(crn_compact_certificate *certificate, double residual, int contact);

#endif
