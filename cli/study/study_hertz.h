/* The study `hertz-mindlin`: a ball pressed and sheared on a plane, its patch of n x n elements against the closed forms of
 * Hertz and of Cattaneo and Mindlin under refinement.
 */
#ifndef CLI_STUDY_STUDY_HERTZ_H
#define CLI_STUDY_STUDY_HERTZ_H

#include "cli/study/study.h"

#define CLI_HERTZ_NAME "hertz-mindlin"

/* Run, print and draw it. Exit status. */
int cli_study_hertz(const cli_study_options *options);

#endif
