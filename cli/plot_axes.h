/* A pair of axes with grid, ticks and labels around a plotting area. */
#ifndef CLI_PLOT_AXES_H
#define CLI_PLOT_AXES_H

#include "draw.h"
#include "plot_scale.h"

#define CRN_TICK_SIZE   11.0 /* points: text at the ticks */
#define CRN_LABEL_SIZE  12.0
#define CRN_TITLE_SIZE  13.5
#define CRN_LEGEND_SIZE 11.0

crn_colour crn_ink(void);  /* for text and axes */
crn_colour crn_grey(void); /* for what stands back */

typedef struct crn_axes
{
    crn_rect area; /* where the data go */
    crn_scale x, y;
    crn_ticks x_ticks, y_ticks;
    const char *x_label, *y_label;
    bool bare; /* no ticks and labels: all the room is for the data */
} crn_axes;

/* Choose ticks, then shrink `outer` by the room that ticks and labels need; sets area and the scales' places. */
void crn_axes_layout(crn_axes *axes, crn_rect outer);
/* The same for equal units on both axes: the scales are widened until a metre is as long on both. */
void crn_axes_layout_equal(crn_axes *axes, crn_rect outer);

void crn_axes_draw_grid(crn_canvas *canvas, const crn_axes *axes);   /* below the data */
void crn_axes_draw_labels(crn_canvas *canvas, const crn_axes *axes); /* above the data */

#endif
