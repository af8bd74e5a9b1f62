/* A run as a moving picture: a video by ffmpeg, or an animated PNG by the tool alone. */
#ifndef CLI_MOVIE_H
#define CLI_MOVIE_H

#include "film.h"

typedef struct crn_movie_options
{
    crn_film_options film;
    double fps;   /* pictures a second */
    double speed; /* simulated seconds a second */
    int count;    /* pictures in all, at any speed; 0: as many as fps and speed ask for */
    bool quiet;   /* no progress bar */
} crn_movie_options;

crn_movie_options crn_movie_default(void);

/* Where the pictures go. `add` and `finish` return false after a sentence; after that, or to give up, `abandon` leaves
 * nothing behind. `finish` puts the file in place. */
typedef struct crn_movie_sink
{
    void *self;
    bool (*add)(void *self, const crn_image *image);
    bool (*finish)(void *self);
    void (*abandon)(void *self);
} crn_movie_sink;

/* Each false after a sentence. `missing` says that the program ffmpeg is not there. */
bool crn_video_open(crn_movie_sink *sink, const char *path, int width, int height, double fps);
bool crn_apng_open(crn_movie_sink *sink, const char *path, int width, int height, double fps);

typedef bool crn_movie_open_fn(crn_movie_sink *sink, const char *path, int width, int height, double fps);

/* Draw the run into a file. Exit status. */
int crn_movie_write(crn_plot_run *run, const char *path, crn_movie_open_fn *open, const crn_movie_options *options);

#endif
