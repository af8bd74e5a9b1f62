/* Pictures of a run in motion: one window for all of it, one image a frame. Planar scenes are drawn as `cairn plot` does; in
 * space solids are shaded and hide each other. */
#ifndef CLI_FILM_H
#define CLI_FILM_H

#include "draw.h"
#include "plot_panel.h"
#include "solids.h"

typedef struct crn_film_options
{
    int width, height; /* pixels */
    crn_view_kind view;
    const char *title; /* NULL: none */
    bool captions;     /* title, time and axes */
    bool forces;       /* arrows at the contacts */
} crn_film_options;

typedef struct crn_film
{
    crn_plot_run *run;
    crn_film_options options;
    crn_panel panel; /* the frame in hand */
    crn_extent extent;
    crn_solids solids;    /* space alone */
    double *steps;        /* s: that led to each frame */
    double newton_points; /* points a newton, of force arrows; 0: none are drawn */
    crn_canvas canvas;
} crn_film;

/* Exit status, after a sentence. The run stays the caller's. */
int crn_film_open(crn_film *film, crn_plot_run *run, const crn_film_options *options);
/* Draw a frame into the film's canvas. Exit status. */
int crn_film_draw(crn_film *film, int64_t frame);
void crn_film_close(crn_film *film);

/* Which frames a player shows: `count` pictures, picture k the frame nearest to from + k * every (s). */
typedef struct crn_film_plan
{
    int64_t count;
    double from, every;
} crn_film_plan;

crn_film_plan crn_film_plan_of(const crn_plot_run *run, double fps, double speed);
int64_t crn_film_frame(const crn_plot_run *run, const crn_film_plan *plan, int64_t picture);

#endif
