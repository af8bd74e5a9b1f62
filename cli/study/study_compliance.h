/* The study `ellipse-compliance` (Song et al. 2004, section 6, Figure 5): as the compliance goes to 0, motion and summed
 * contact forces tend to those of the rigid body (Theorem 6).
 *
 * All runs take the same steps. The distance of two motions is the largest one at any time; forces differ by a lot for a
 * few steps where a run begins to slide earlier than another, so their distance is the mean over time.
 */
#ifndef CLI_STUDY_STUDY_COMPLIANCE_H
#define CLI_STUDY_STUDY_COMPLIANCE_H

#include "cli/study/study.h"

#define CLI_COMPLIANCE_NAME  "ellipse-compliance"
#define CLI_COMPLIANCE_TITLE "An ellipse with compliant patches against the rigid one (Song et al. 2004, Figure 5)"

/* Run, print and draw it. Exit status. */
int cli_study_compliance(const cli_study_options *options);

#endif
