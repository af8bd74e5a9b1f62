/* The files of the problem set (tests/support/problems/problem_set.h) and those of FCLIB, where they are at hand. */
#ifndef BENCH_PROBLEM_FILES_H
#define BENCH_PROBLEM_FILES_H

#include <stdbool.h>

typedef struct problem_files
{
    char **path; /* in the order of their names, those of FCLIB first */
    int count;
} problem_files;

/* Write the set into a directory unless it is there in full, and list it. `sample`: a small part of it, without FCLIB's. False after
 * a message on standard error. */
bool problem_files_open(problem_files *files, const char *directory, bool sample);
void problem_files_close(problem_files *files);

/* Name of a problem: the path without directory and ending; and its family. */
void problem_file_name(const char *path, char *name, int size);
void problem_file_family(const char *path, char *family, int size);

#endif
