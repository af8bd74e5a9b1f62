/* `cairn examples --gallery DIR`. */
#ifndef CLI_GALLERY_H
#define CLI_GALLERY_H

#include <stdbool.h>

typedef struct crn_gallery_options
{
    const char *directory;
    char **names; /* of scenes; count 0: all */
    int count;
    double seconds; /* of wall time that a scene may run */
    int jobs;       /* scenes at the same time; 0: one a processor */
    bool quiet;
} crn_gallery_options;

/* A page index.html with a moving picture NAME.png of every built-in scene. Exit status. */
int crn_gallery_write(const crn_gallery_options *options);

#endif
