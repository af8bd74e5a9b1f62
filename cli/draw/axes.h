/* A pair of axes with grid, ticks and labels around a plotting area. */
#ifndef CLI_DRAW_AXES_H
#define CLI_DRAW_AXES_H

#include "cli/draw/draw.h"
#include "cli/draw/scale.h"

#define CLI_TICK_SIZE   11.0 /* points: text at the ticks */
#define CLI_LABEL_SIZE  12.0
#define CLI_TITLE_SIZE  13.5
#define CLI_LEGEND_SIZE 11.0

cli_colour cli_ink(void);  /* for text and axes */
cli_colour cli_grey(void); /* for secondary lines */

typedef struct cli_axes
{
    cli_rect area; /* where the data go */
    cli_scale x, y;
    cli_ticks x_ticks, y_ticks;
    const char *x_label, *y_label;
    bool bare; /* no ticks and labels: all the room is for the data */
} cli_axes;

/* Choose ticks, then shrink `outer` by the room that ticks and labels need; sets area and the scales' places. */
void cli_axes_layout(cli_axes *axes, cli_rect outer);
/* The same for equal units on both axes: the scales are widened until a metre is as long on both. */
void cli_axes_layout_equal(cli_axes *axes, cli_rect outer);

void cli_axes_draw_grid(cli_canvas *canvas, const cli_axes *axes);   /* below the data */
void cli_axes_draw_labels(cli_canvas *canvas, const cli_axes *axes); /* above the data */

#endif
