/* Files of the Visualization Toolkit, as ParaView opens them: polygons in XML with the numbers appended in binary. */
#ifndef CLI_EXPORT_VTK_H
#define CLI_EXPORT_VTK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum cli_vtk_type
{
    CLI_VTK_DOUBLE = 0,
    CLI_VTK_INT, /* 32 bits */
    CLI_VTK_LONG,
    CLI_VTK_FLOAT, /* 32 bits */
} cli_vtk_type;

typedef struct cli_vtk_array
{
    const char *name;
    cli_vtk_type type;
    int components;
    const void *data; /* components numbers a point or cell */
} cli_vtk_array;

/* Dots, lines and polygons over the same points. Cells of a kind are corners[ends[i - 1]] to [ends[i] - 1]. */
typedef struct cli_vtk_cells
{
    const int64_t *corners, *ends;
    int64_t count;
} cli_vtk_cells;

typedef struct cli_vtk_piece
{
    double time;          /* s */
    const double *points; /* m: three each */
    int64_t point_count;
    cli_vtk_cells dots, lines, polygons;
    const cli_vtk_array *point_data, *cell_data; /* cells: dots, then lines, then polygons */
    int point_arrays, cell_arrays;
} cli_vtk_piece;

/* Write a .vtp file. False after a sentence. */
bool cli_vtk_write(const char *path, const cli_vtk_piece *piece);

/* Write a .pvd file: the times of `count` files, named name_000000.vtp and so on. False after a sentence. */
bool cli_vtk_write_series(const char *path, const char *name, const double *times, int64_t count);

#endif
