/* `cairn examples --gallery DIR`. */
#ifndef CLI_REPORT_GALLERY_H
#define CLI_REPORT_GALLERY_H

#include <stdbool.h>

typedef struct cli_gallery_options
{
    const char *directory;
    char **names; /* of scenes; count 0: all */
    int count;
    double seconds; /* of wall time that a scene may run */
    int jobs;       /* parallel jobs; 0: one per processor */
    bool quiet;
} cli_gallery_options;

/* A page index.html with a moving picture NAME.png of every built-in scene. Exit status. */
int cli_gallery_write(const cli_gallery_options *options);

#endif
