/* Legends: size, the emptiest corner, drawing. */
#include "plot_legend.h"

#include "plot_axes.h"

#include <assert.h>
#include <math.h>

#define SAMPLE  24.0 /* points: length of a line sample */
#define SPACE   7.0
#define ROW     16.0
#define PADDING 6.0

crn_point crn_legend_size(const crn_legend *legend)
{
    double widest = 0.0;
    for (int i = 0; i < legend->count; i++)
        widest = fmax(widest, crn_text_width(legend->entries[i].name, CRN_LEGEND_SIZE));
    return (crn_point){SAMPLE + SPACE + widest + 2.0 * PADDING, ROW * legend->count + 2.0 * PADDING - 4.0};
}

static int64_t hits_in(const crn_trace *traces, int count, crn_rect rect)
{
    int64_t hits = 0;
    for (int i = 0; i < count; i++)
        hits += crn_trace_hits(&traces[i], rect);
    return hits;
}

crn_rect crn_legend_corner(const crn_legend *legend, crn_rect area, const crn_trace *traces, int trace_count,
                           int64_t *hits)
{
    crn_point size = crn_legend_size(legend);
    double left = area.x + 8.0, right = area.x + area.width - size.x - 8.0;
    double top = area.y + 8.0, bottom = area.y + area.height - size.y - 8.0;
    crn_point corners[4] = {{right, top}, {left, top}, {right, bottom}, {left, bottom}};
    crn_rect best = {0};
    *hits = INT64_MAX;
    for (int i = 0; i < 4; i++)
    {
        crn_rect rect = {corners[i].x, corners[i].y, size.x, size.y};
        int64_t found = hits_in(traces, trace_count, rect);
        if (found < *hits)
        {
            *hits = found;
            best = rect;
        }
    }
    return best;
}

static void draw_sample(crn_canvas *canvas, double x, double y, crn_style style)
{
    if (style.fill.a > 0.0)
        crn_draw_rect(canvas, (crn_rect){x + 6.0, y - 5.0, SAMPLE - 8.0, 10.0}, style);
    else
        crn_draw_line(canvas, x, y, x + SAMPLE, y, style);
}

void crn_legend_draw(crn_canvas *canvas, const crn_legend *legend, crn_rect place, bool framed)
{
    assert(legend->count > 0);
    if (framed)
    {
        crn_style box = {.stroke = crn_rgb(0xCCCCCC), .width = 0.7, .fill = {1.0, 1.0, 1.0, 0.88}};
        crn_draw_rect(canvas, place, box);
    }
    crn_text_style text = {.size = CRN_LEGEND_SIZE, .colour = crn_ink()};
    for (int i = 0; i < legend->count; i++)
    {
        double x = place.x + PADDING, y = place.y + PADDING + ROW * (i + 0.5) - 2.0;
        draw_sample(canvas, x, y, legend->entries[i].style);
        crn_draw_text(canvas, x + SAMPLE + SPACE, y + 0.36 * CRN_LEGEND_SIZE, text, legend->entries[i].name);
    }
}
