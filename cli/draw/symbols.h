/* Symbols of joints in pictures: as lines and areas in the plane, as small shaded solids in space. */
#ifndef CLI_DRAW_SYMBOLS_H
#define CLI_DRAW_SYMBOLS_H

#include "cli/draw/solids.h"

/* A symbol in the world: its points, or the middle of a ball, the ends of a rod, the corners of a block. */
typedef struct cli_symbol_path
{
    double (*points)[3];
    double room[CLI_TIE_POINTS][3]; /* for symbols of few points; longer ones are in `points` until the next is made */
    int count;
    double radius;
} cli_symbol_path;

/* Place a symbol by a snapshot. False where one of its bodies is not in the run, or its state is not finite. Paths of lines stay in the
 * panel, until the next call. */
bool cli_symbol_path_make(const cli_panel *panel, int64_t snapshot, const cli_symbol *symbol, cli_symbol_path *path);

cli_colour cli_symbol_colour(cli_symbol_role role);

/* All symbols of the last snapshot; of earlier ones only pins and ties, or the picture would be all symbols. */
void cli_symbols_draw(cli_canvas *canvas, const cli_panel *panel, int64_t snapshot, double strength);
/* The same into the raster, for the layer that is being drawn. */
void cli_symbols_draw_solid(cli_solids *solids);

#endif
