/* Studies of two laws against each other over a list of steps: Tables 10.1 and 10.2 of Anitescu 2006. */
#ifndef CLI_STUDY_STUDY_LAWS_H
#define CLI_STUDY_STUDY_LAWS_H

#include "cli/study/study.h"

int cli_study_laws_count(void);
const char *cli_study_laws_name(int index);
const char *cli_study_laws_title(int index);
/* -1 when there is none of that name. */
int cli_study_laws_find(const char *name);

/* Run, print and draw one. Exit status. */
int cli_study_laws(int index, const cli_study_options *options);

#endif
