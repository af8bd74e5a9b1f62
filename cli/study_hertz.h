/* The study `hertz-mindlin`: a ball pressed and sheared on a plane, its patch of n x n elements against the closed forms of
 * Hertz and of Cattaneo and Mindlin under refinement.
 */
#ifndef CLI_STUDY_HERTZ_H
#define CLI_STUDY_HERTZ_H

#include "study.h"

#define CRN_HERTZ_NAME "hertz-mindlin"

/* Run, print and draw it. Exit status. */
int crn_study_hertz(const crn_study_options *options);

#endif
