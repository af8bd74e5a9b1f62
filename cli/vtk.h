/* Files of the Visualization Toolkit, as ParaView opens them: polygons in XML with the numbers appended in binary. */
#ifndef CLI_VTK_H
#define CLI_VTK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum crn_vtk_type
{
    CRN_VTK_DOUBLE = 0,
    CRN_VTK_INT, /* 32 bits */
    CRN_VTK_LONG,
} crn_vtk_type;

typedef struct crn_vtk_array
{
    const char *name;
    crn_vtk_type type;
    int components;
    const void *data; /* components numbers a point or cell */
} crn_vtk_array;

/* Dots, lines and polygons over the same points. Cells of a kind are corners[ends[i - 1]] to [ends[i] - 1]. */
typedef struct crn_vtk_cells
{
    const int64_t *corners, *ends;
    int64_t count;
} crn_vtk_cells;

typedef struct crn_vtk_piece
{
    double time;          /* s */
    const double *points; /* m: three each */
    int64_t point_count;
    crn_vtk_cells dots, lines, polygons;
    const crn_vtk_array *point_data, *cell_data; /* cells: dots, then lines, then polygons */
    int point_arrays, cell_arrays;
} crn_vtk_piece;

/* Write a .vtp file. False after a sentence. */
bool crn_vtk_write(const char *path, const crn_vtk_piece *piece);

/* Write a .pvd file: the times of `count` files, named name_000000.vtp and so on. False after a sentence. */
bool crn_vtk_write_series(const char *path, const char *name, const double *times, int64_t count);

#endif
