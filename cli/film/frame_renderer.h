/* Pictures of a run in motion: one window for all of it, one image a frame. Planar scenes are drawn as `cairn plot` does; in
 * space solids are shaded and hide each other. */
#ifndef CLI_FILM_FRAME_RENDERER_H
#define CLI_FILM_FRAME_RENDERER_H

#include "cli/draw/draw.h"
#include "cli/draw/solids.h"
#include "cli/plot/plot_panel.h"

typedef struct cli_film_options
{
    int width, height; /* pixels */
    cli_view_kind view;
    const char *title; /* NULL: none */
    bool captions;     /* title, time and axes */
    bool forces;       /* arrows at the contacts */
} cli_film_options;

typedef struct cli_film
{
    cli_plot_run *run;
    cli_film_options options;
    cli_panel panel; /* the frame in hand */
    cli_extent extent;
    cli_solids solids;    /* space alone */
    double *steps;        /* s: that led to each frame */
    double newton_points; /* points a newton, of force arrows; 0: none are drawn */
    cli_canvas canvas;
} cli_film;

/* Exit status, after a sentence. The run stays the caller's. */
int cli_film_open(cli_film *film, cli_plot_run *run, const cli_film_options *options);
/* Draw a frame into the film's canvas. Exit status. */
int cli_film_draw(cli_film *film, int64_t frame);
void cli_film_close(cli_film *film);

/* Which frames a player shows: `count` pictures, picture k the frame nearest to from + k * every (s). */
typedef struct cli_film_plan
{
    int64_t count;
    double from, every;
} cli_film_plan;

cli_film_plan cli_film_plan_of(const cli_plot_run *run, double fps, double speed);
int64_t cli_film_frame(const cli_plot_run *run, const cli_film_plan *plan, int64_t picture);

#endif
