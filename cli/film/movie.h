/* A run as an animation: a video made by ffmpeg, or an animated PNG made by the tool itself. */
#ifndef CLI_FILM_MOVIE_H
#define CLI_FILM_MOVIE_H

#include "cli/film/frame_renderer.h"

typedef struct cli_movie_options
{
    cli_frame_options film;
    double fps;   /* frames per second */
    double speed; /* simulated seconds per second */
    int count;    /* number of frames, at any speed; 0: given by fps and speed */
    bool quiet;   /* no progress bar */
} cli_movie_options;

cli_movie_options cli_movie_default(void);

/* Where the frames go. `add` and `finish` return false after a sentence. `finish` moves the file into place; `abandon`,
 * also after a failure, leaves nothing behind. */
typedef struct cli_movie_sink
{
    void *self;
    bool (*add)(void *self, const cli_image *image);
    bool (*finish)(void *self);
    void (*abandon)(void *self);
} cli_movie_sink;

/* Each returns false after a sentence, for example when ffmpeg is not installed. */
bool cli_video_open(cli_movie_sink *sink, const char *path, int width, int height, double fps);
bool cli_apng_open(cli_movie_sink *sink, const char *path, int width, int height, double fps);

typedef bool cli_movie_open_fn(cli_movie_sink *sink, const char *path, int width, int height, double fps);

/* Draw the run into a file. Exit status. */
int cli_movie_write(cli_plot_run *run, const char *path, cli_movie_open_fn *open, const cli_movie_options *options);

#endif
