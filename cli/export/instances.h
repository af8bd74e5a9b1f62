/* Bodies that have one geometry, but for their size: it is written once, and the bodies are points with a place, an orientation
 * and a scale. A heap of a thousand spheres then takes 90 bytes per sphere and frame instead of thousands. */
#ifndef CLI_EXPORT_INSTANCES_H
#define CLI_EXPORT_INSTANCES_H

#include "cli/draw/surface.h"

enum
{
    CLI_MOST_GEOMETRIES = 32,
    CLI_LEAST_INSTANCES = 8, /* geometries of fewer bodies are not worth a file */
};

/* A geometry: the points and cells of one of its bodies, in units of that body's scale. */
typedef struct cli_geometry
{
    int first_point, point_count, first_cell, cell_count; /* in the surface of all bodies */
    double scale;                                         /* m: the distance of its furthest point from the origin */
    int members;
} cli_geometry;

typedef struct cli_instances
{
    int *geometry; /* per body of the run; -1: it has its own surface */
    double *scale; /* m, per body */
    int *body;     /* the bodies that are instances */
    int count;
    cli_geometry kinds[CLI_MOST_GEOMETRIES];
    int kind_count;
    cli_memory memory;
} cli_instances;

/* Find the moving bodies whose surfaces agree up to their size. */
void cli_instances_find(cli_instances *instances, const cli_surface *surface, const cli_plot_scene *scene, int bodies);
void cli_instances_free(cli_instances *instances);

/* Write DIR/geometry_0.vtp and so on. False after a sentence. */
bool cli_instances_write_geometries(const cli_instances *instances, const cli_surface *surface, const char *directory);
/* Write a frame, whose states the run holds. False after a sentence. */
bool cli_instances_write_frame(const cli_instances *instances, const cli_plot_run *run, const char *path, double time);

/* Take the instances out of the surface of all bodies. */
void cli_instances_remove(const cli_instances *instances, cli_surface *surface);

#endif
