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

/* |arm|^2 tr J^-1 - arm' J^-1 arm; in the plane, where bodies turn about z alone, |arm|^2 J_zz^-1. */
double crn_compact_spin_trace(const double J[9], bool is_planar, const double arm[3]);

/* Note a contact's residual: the worst, and the first contact that has it. */
void crn_compact_note(crn_compact_certificate *certificate, double residual, int contact);

#endif
