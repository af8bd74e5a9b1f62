/* How space is seen on paper: an orthographic view. Planar scenes are seen as they are. */
#ifndef CLI_DRAW_VIEW_H
#define CLI_DRAW_VIEW_H

#include <stdbool.h>

typedef enum cli_view_kind
{
    CLI_VIEW_AUTO = 0, /* the plane, or iso in space */
    CLI_VIEW_XY,
    CLI_VIEW_XZ,
    CLI_VIEW_YZ,
    CLI_VIEW_ISO,
} cli_view_kind;

/* Unit vectors to the right, up and towards the eye: a right-handed frame. */
typedef struct cli_view
{
    double right[3], up[3], towards[3];
    bool tilted; /* no axis of space along the paper's: no ticks */
    const char *x_label, *y_label;
} cli_view;

/* False for an unknown word. */
bool cli_view_parse(const char *word, void *kind);
cli_view cli_view_of(cli_view_kind kind, int dimension);

/* Coordinates to the right, up and towards the eye. */
void cli_view_project(const cli_view *view, const double point[3], double out[3]);

/* How much light a surface with this outward normal gets, 0 to 1: it comes from above the eye's left shoulder. */
double cli_view_light(const cli_view *view, const double normal[3]);
/* Towards the lamp, in the world. */
void cli_view_lamp(const cli_view *view, double direction[3]);
/* The outward unit normal of a polygon that goes round counter-clockwise from outside (M. Newell): exact for a plane one. */
void cli_polygon_normal(const double (*points)[3], const int *corners, int count, double normal[3]);

#endif
