/* One panel of successive positions: the states of a run at some times, and how to draw them. */
#ifndef CLI_PLOT_PLOT_PANEL_H
#define CLI_PLOT_PLOT_PANEL_H

#include "cli/common/cli.h"
#include "cli/draw/axes.h"
#include "cli/draw/outline.h"
#include "cli/draw/view.h"
#include "cli/plot/plot_options.h"
#include "cli/plot/plot_scene.h"

typedef struct cli_panel
{
    cli_plot_run *run;
    cli_plot_scene scene;
    cli_view view;
    int body_count;
    int64_t snapshot_count;
    int64_t *frames;            /* of the snapshots */
    cairn_body_state *states;   /* snapshot_count x body_count */
    int64_t path_count;         /* points of the centres' paths */
    double (*path)[3];          /* path_count x body_count: projected */
    double (*points)[3];        /* room for an outline */
    cli_point *page;            /* room for an outline on the page */
    double (*symbol_points)[3]; /* room for a line of a mark */
    bool *marked;               /* per body of the run: highlighted */
    bool any_marked;
    bool vivid; /* stronger colours, for a single frame */
    bool no_triad;
    struct cli_chains *chains; /* force chains instead of colours; NULL: none (plot_chains.h) */
    cli_axes axes;
    cli_memory memory;
} cli_panel;

/* The box around what moves, on the paper (right, up) and in space. */
typedef struct cli_extent
{
    cli_range paper[2];
    cli_range space[3];
    cli_range within[2]; /* points outside of this, on the paper, do not count; all do where it has none */
} cli_extent;

/* Read what the panel needs of the frames in the options' selection: each `every`-th when that is given, else a number that
 * suits the scene. Exit status. */
int cli_panel_open(cli_panel *panel, cli_plot_run *run, const cli_plot_options *options);
/* The same for one frame. */
int cli_panel_open_frame(cli_panel *panel, cli_plot_run *run, const cli_plot_options *options, int64_t frame);
/* Turn such a panel to another frame. Exit status. */
int cli_panel_turn_to(cli_panel *panel, int64_t frame);
void cli_panel_close(cli_panel *panel);

const cairn_body_state *cli_panel_state(const cli_panel *panel, int64_t snapshot, int body);

/* Strength of the colours of a snapshot: the newest one's is 1. */
double cli_panel_strength(const cli_panel *panel, int64_t snapshot);
/* Whether the next snapshot will cover this one exactly: a body at rest is drawn once, in its last shade. */
bool cli_panel_covered(const cli_panel *panel, int64_t snapshot, int body);

/* Widen the extent by this panel. Bodies that have left the scene for good, as in a run that blew up, do not count. */
void cli_panel_measure(cli_panel *panel, cli_extent *extent);

void cli_panel_draw(cli_canvas *canvas, cli_panel *panel, const cli_extent *extent);

/* Parts of that: the ground alone, and the axes of space in the corner. */
void cli_panel_draw_ground(cli_canvas *canvas, const cli_panel *panel, const cli_extent *extent);
void cli_panel_draw_triad(cli_canvas *canvas, const cli_panel *panel);

/* Drawing of a half-plane or half-space: a hatched line when seen edge-on, a grid when seen from the side. */
void cli_ground_draw(cli_canvas *canvas, const cli_panel *panel, const cli_outline *plane, const cli_extent *extent);
void cli_ground_measure(const cli_view *view, const cli_outline *plane, const cli_extent *moving, cli_extent *extent);

cli_point cli_panel_page(const cli_panel *panel, const double projected[3]);

#endif
