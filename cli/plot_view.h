/* How space is seen on paper: an orthographic view. Planar scenes are seen as they are. */
#ifndef CLI_PLOT_VIEW_H
#define CLI_PLOT_VIEW_H

#include <stdbool.h>

typedef enum crn_view_kind
{
    CRN_VIEW_AUTO = 0, /* the plane, or iso in space */
    CRN_VIEW_XY,
    CRN_VIEW_XZ,
    CRN_VIEW_YZ,
    CRN_VIEW_ISO,
} crn_view_kind;

/* Unit vectors to the right, up and towards the eye: a right-handed frame. */
typedef struct crn_view
{
    double right[3], up[3], towards[3];
    bool tilted; /* no axis of space along the paper's: no ticks */
    const char *x_label, *y_label;
} crn_view;

/* False for an unknown word. */
bool crn_view_parse(const char *word, crn_view_kind *out);
crn_view crn_view_of(crn_view_kind kind, int dimension);

/* Coordinates to the right, up and towards the eye. */
void crn_view_project(const crn_view *view, const double point[3], double out[3]);

/* How much light a surface with this outward normal gets, 0 to 1: it comes from above the eye's left shoulder. */
double crn_view_light(const crn_view *view, const double normal[3]);
/* Towards the lamp, in the world. */
void crn_view_lamp(const crn_view *view, double direction[3]);
/* The outward unit normal of a polygon that goes round counter-clockwise from outside (M. Newell): exact for a plane one. */
void crn_polygon_normal(const double (*points)[3], const int *corners, int count, double normal[3]);

#endif
