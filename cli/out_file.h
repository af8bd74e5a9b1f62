/* A file that is written whole or not at all: a part beside it, renamed at the end. */
#ifndef CLI_OUT_FILE_H
#define CLI_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct crn_out_file
{
    FILE *stream;
    char *part; /* NULL: standard output */
    char *path;
} crn_out_file;

/* "-" is standard output. False after a sentence on standard error. */
bool crn_out_open(crn_out_file *file, const char *path);
/* Close and put it in place, or leave nothing. False after a sentence, also when an earlier write failed. */
bool crn_out_finish(crn_out_file *file);
/* Leave nothing. */
void crn_out_abandon(crn_out_file *file);

/* Make a directory unless it is there. The exit status, after a sentence. */
int crn_out_directory(const char *path);

/* A path without its extension, and an ending instead: run.h5 and "-csv" make run-csv. NULL when memory ran out. */
char *crn_out_beside(const char *path, const char *ending);

#endif
