/* Frames of a run for animations: one window for the whole run, one image per frame. Planar scenes are drawn as by
 * `cairn plot`; in space, solids are shaded and hide each other. */
#ifndef CLI_FILM_FRAME_RENDERER_H
#define CLI_FILM_FRAME_RENDERER_H

#include "cli/draw/draw.h"
#include "cli/draw/solids.h"
#include "cli/plot/plot_panel.h"

typedef struct cli_frame_options
{
    int width, height; /* pixels */
    cli_view_kind view;
    const char *title; /* NULL: none */
    bool captions;     /* title, time and axes */
    bool forces;       /* arrows at the contacts */
} cli_frame_options;

typedef struct cli_frame_renderer
{
    cli_plot_run *run;
    cli_frame_options options;
    cli_panel panel; /* the current frame */
    cli_extent extent;
    cli_solids solids;    /* space alone */
    double *steps;        /* s: that led to each frame */
    double newton_points; /* length of force arrows, points per newton; 0: not drawn */
    cli_canvas canvas;
} cli_frame_renderer;

/* Returns the exit status, after a sentence on failure. The caller keeps the run. */
int cli_frame_renderer_open(cli_frame_renderer *renderer, cli_plot_run *run, const cli_frame_options *options);
/* Draw a frame into the renderer's canvas. Exit status. */
int cli_frame_renderer_draw(cli_frame_renderer *renderer, int64_t frame);
void cli_frame_renderer_close(cli_frame_renderer *renderer);

/* Which frames a player shows: `count` pictures, picture k the frame nearest to from + k * every (s). */
typedef struct cli_frame_plan
{
    int64_t count;
    double from, every;
} cli_frame_plan;

cli_frame_plan cli_frame_plan_of(const cli_plot_run *run, double fps, double speed);
int64_t cli_frame_plan_at(const cli_plot_run *run, const cli_frame_plan *plan, int64_t picture);

#endif
