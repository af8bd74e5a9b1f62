/* Legends: size, the emptiest corner, drawing. */
#include "cli/draw/legend.h"

#include "cli/draw/axes.h"

#include <assert.h>
#include <math.h>

#define SAMPLE  24.0 /* points: length of a line sample */
#define SPACE   7.0
#define ROW     16.0
#define PADDING 6.0

cli_point cli_legend_size(const cli_legend *legend)
{
    double widest = 0.0;
    for (int i = 0; i < legend->count; ++i)
        widest = fmax(widest, cli_text_width(legend->entries[i].name, CLI_LEGEND_SIZE));
    return (cli_point){SAMPLE + SPACE + widest + 2.0 * PADDING, ROW * legend->count + 2.0 * PADDING - 4.0};
}

static int64_t hits_in(const cli_trace *traces, int count, cli_rect rect)
{
    int64_t hits = 0;
    for (int i = 0; i < count; ++i)
        hits += cli_trace_hits(&traces[i], rect);
    return hits;
}

cli_rect cli_legend_corner(const cli_legend *legend, cli_rect area, const cli_trace *traces, int trace_count,
                           int64_t *hits)
{
    cli_point size = cli_legend_size(legend);
    double left = area.x + 8.0, right = area.x + area.width - size.x - 8.0;
    double top = area.y + 8.0, bottom = area.y + area.height - size.y - 8.0;
    cli_point corners[4] = {{right, top}, {left, top}, {right, bottom}, {left, bottom}};
    cli_rect best = {0};
    *hits = INT64_MAX;
    for (int i = 0; i < 4; ++i)
    {
        cli_rect rect = {corners[i].x, corners[i].y, size.x, size.y};
        int64_t found = hits_in(traces, trace_count, rect);
        if (found < *hits)
        {
            *hits = found;
            best = rect;
        }
    }
    return best;
}

static void draw_sample(cli_canvas *canvas, double x, double y, cli_style style)
{
    if (style.fill.a > 0.0)
        cli_draw_rect(canvas, (cli_rect){x + 6.0, y - 5.0, SAMPLE - 8.0, 10.0}, style);
    else
        cli_draw_line(canvas, x, y, x + SAMPLE, y, style);
}

void cli_legend_draw(cli_canvas *canvas, const cli_legend *legend, cli_rect place, bool framed)
{
    assert(legend->count > 0);
    if (framed)
    {
        cli_style box = {.stroke = cli_rgb(0xCCCCCC), .width = 0.7, .fill = {1.0, 1.0, 1.0, 0.88}};
        cli_draw_rect(canvas, place, box);
    }
    cli_text_style text = {.size = CLI_LEGEND_SIZE, .colour = cli_ink()};
    for (int i = 0; i < legend->count; ++i)
    {
        double x = place.x + PADDING, y = place.y + PADDING + ROW * (i + 0.5) - 2.0;
        draw_sample(canvas, x, y, legend->entries[i].style);
        cli_draw_text(canvas, x + SAMPLE + SPACE, y + 0.36 * CLI_LEGEND_SIZE, text, legend->entries[i].name);
    }
}
