/* Picture files: a canvas whose stream is a file that is written whole or not at all. */
#include "cli/common/cli.h"
#include "cli/draw/draw.h"

#include <string.h>
#include <strings.h>

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcasecmp(text + length - tail, end) == 0;
}

bool cli_drawing_name_ok(const char *path)
{
    return ends_with(path, ".svg") || ends_with(path, ".png");
}

void cli_drawing_abandon(cli_drawing *drawing)
{
    cli_canvas_destroy(&drawing->canvas);
    cli_out_abandon(&drawing->file);
    *drawing = (cli_drawing){0};
}

int cli_drawing_open(cli_drawing *drawing, const char *path, double width, double height)
{
    *drawing = (cli_drawing){0};
    if (!cli_out_open(&drawing->file, path))
        return CLI_EXIT_WRONG;
    bool png = ends_with(path, ".png");
    if ((png ? cli_png_create : cli_svg_create)(drawing->file.stream, width, height, &drawing->canvas))
        return CLI_EXIT_DONE;
    cli_drawing_abandon(drawing);
    return cli_fail("memory ran out for a picture of %.0f x %.0f points", width, height);
}

int cli_drawing_close(cli_drawing *drawing)
{
    bool whole = cli_canvas_finish(&drawing->canvas);
    bool placed = whole && cli_out_finish(&drawing->file);
    if (!whole)
        cli_error("'%s' cannot be written: the picture could not be drawn", drawing->file.path);
    cli_drawing_abandon(drawing);
    return placed ? CLI_EXIT_DONE : CLI_EXIT_FAILED;
}
