/* A file that is written whole or not at all: under another name beside it, flushed to the disk, renamed at the end. */
#ifndef CLI_COMMON_OUT_FILE_H
#define CLI_COMMON_OUT_FILE_H

#include <cairn/base.h>

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_out_file
{
    FILE *stream;
    char *part; /* NULL: standard output */
    char *path;
} cli_out_file;

/* "-" is standard output. False after a sentence on standard error. */
bool cli_out_open(cli_out_file *file, const char *path);
/* Close and put it in place, or leave nothing. False after a sentence, also when an earlier write failed. */
bool cli_out_finish(cli_out_file *file);
/* Leave nothing. */
void cli_out_abandon(cli_out_file *file);

/* The exit status of a call that should have written the file at `path`. A path at which there can be no file is wrong input; else, as on
 * a full disk, writing failed. */
int cli_out_status(cairn_status status, const char *path);

/* Make a directory unless it is there. The exit status, after a sentence. */
int cli_out_directory(const char *path);

/* A path without its extension, and an ending instead: run.h5 and "-csv" make run-csv. The caller frees it. */
char *cli_out_beside(const char *path, const char *ending);

/* Write a text, and print the path unless it is "-": the exit status. */
int cli_out_text(const char *path, const char *text);

#endif
