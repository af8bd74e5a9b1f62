/* The study `impacts`: motions in which velocities jump, contacts end or forces set in, each with its exact answer. */
#ifndef CLI_STUDY_IMPACTS_H
#define CLI_STUDY_IMPACTS_H

#include "study.h"

#define CRN_IMPACTS_NAME  "impacts"
#define CRN_IMPACTS_TITLE "Impacts at the end of a step, edges, jumps and driven plates against exact answers"

/* Run and print it. Exit status: 1 when a row is off by more than its tolerance. */
int crn_study_impacts(const crn_study_options *options);

#endif
