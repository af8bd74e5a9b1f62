/* The study `impacts`: motions in which velocities jump, contacts end or forces set in, each with its exact answer. */
#ifndef CLI_STUDY_STUDY_IMPACTS_H
#define CLI_STUDY_STUDY_IMPACTS_H

#include "cli/study/study.h"

#define CLI_IMPACTS_NAME  "impacts"
#define CLI_IMPACTS_TITLE "Impacts at the end of a step, edges, jumps and driven plates against exact answers"

/* Run and print it. Exit status: 1 when a row is off by more than its tolerance. */
int cli_study_impacts(const cli_study_options *options);

#endif
