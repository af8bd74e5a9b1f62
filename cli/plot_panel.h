/* One panel of successive positions: the states of a run at some times, and how to draw them. */
#ifndef CLI_PLOT_PANEL_H
#define CLI_PLOT_PANEL_H

#include "plot_axes.h"
#include "plot_options.h"
#include "plot_outline.h"
#include "plot_scene.h"
#include "plot_view.h"

typedef struct crn_panel
{
    crn_plot_run *run;
    crn_plot_scene scene;
    crn_view view;
    int body_count;
    int64_t snapshot_count;
    int64_t *frames;          /* of the snapshots */
    cairn_body_state *states; /* snapshot_count x body_count */
    int64_t path_count;       /* points of the centres' paths */
    double (*path)[3];        /* path_count x body_count: projected */
    double (*points)[3];      /* room for an outline */
    crn_point *page;          /* room for an outline on the page */
    int *order;               /* bodies by depth */
    double *depth;
    bool *marked; /* a body of the run: stands out */
    bool any_marked;
    bool vivid; /* stronger colours, for a single frame */
    bool no_triad;
    crn_axes axes;
} crn_panel;

/* The box around what moves, on the paper (right, up) and in space. */
typedef struct crn_extent
{
    crn_range paper[2];
    crn_range space[3];
    crn_range within[2]; /* points outside of this, on the paper, do not count; all do where it has none */
} crn_extent;

/* Read what the panel needs of the frames in the options' selection: each `every`-th when that is given, else a number that
 * suits the scene. Exit status. */
int crn_panel_open(crn_panel *panel, crn_plot_run *run, const crn_plot_options *options);
/* The same for one frame. */
int crn_panel_open_frame(crn_panel *panel, crn_plot_run *run, const crn_plot_options *options, int64_t frame);
/* Turn such a panel to another frame. Exit status. */
int crn_panel_turn_to(crn_panel *panel, int64_t frame);
void crn_panel_close(crn_panel *panel);

const cairn_body_state *crn_panel_state(const crn_panel *panel, int64_t snapshot, int body);

/* Widen the extent by this panel. Bodies that have left the scene for good, as in a run that blew up, do not count. */
void crn_panel_measure(crn_panel *panel, crn_extent *extent);

void crn_panel_draw(crn_canvas *canvas, crn_panel *panel, const crn_extent *extent);

/* Parts of that: the ground alone, and the axes of space in the corner. */
void crn_panel_draw_ground(crn_canvas *canvas, const crn_panel *panel, const crn_extent *extent);
void crn_panel_draw_triad(crn_canvas *canvas, const crn_panel *panel);

/* Drawing of a half-plane or half-space: a hatched line when seen edge-on, a grid when seen from the side. */
void crn_ground_draw(crn_canvas *canvas, const crn_panel *panel, const crn_outline *plane, const crn_extent *extent);
void crn_ground_measure(const crn_view *view, const crn_outline *plane, const crn_extent *moving, crn_extent *extent);

crn_point crn_panel_page(const crn_panel *panel, const double projected[3]);

#endif
