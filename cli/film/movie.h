/* A run as a moving picture: a video by ffmpeg, or an animated PNG by the tool alone. */
#ifndef CLI_FILM_MOVIE_H
#define CLI_FILM_MOVIE_H

#include "cli/film/frame_renderer.h"

typedef struct cli_movie_options
{
    cli_film_options film;
    double fps;   /* pictures a second */
    double speed; /* simulated seconds a second */
    int count;    /* pictures in all, at any speed; 0: as many as fps and speed ask for */
    bool quiet;   /* no progress bar */
} cli_movie_options;

cli_movie_options cli_movie_default(void);

/* Where the pictures go. `add` and `finish` return false after a sentence; after that, or to give up, `abandon` leaves
 * nothing behind. `finish` puts the file in place. */
typedef struct cli_movie_sink
{
    void *self;
    bool (*add)(void *self, const cli_image *image);
    bool (*finish)(void *self);
    void (*abandon)(void *self);
} cli_movie_sink;

/* Each false after a sentence. `missing` says that the program ffmpeg is not there. */
bool cli_video_open(cli_movie_sink *sink, const char *path, int width, int height, double fps);
bool cli_apng_open(cli_movie_sink *sink, const char *path, int width, int height, double fps);

typedef bool cli_movie_open_fn(cli_movie_sink *sink, const char *path, int width, int height, double fps);

/* Draw the run into a file. Exit status. */
int cli_movie_write(cli_plot_run *run, const char *path, cli_movie_open_fn *open, const cli_movie_options *options);

#endif
