/* Traces.
 *
 * A run of a million frames is drawn on a few hundred points of width. Of the consecutive points that fall into one
 * narrow column only the first, the lowest, the highest and the last can change the picture, so only those are kept.
 * Then each segment is cut at the frame, in double precision: a solution that has grown to 1e189 must neither upset a
 * renderer nor bend the part of the line that is visible.
 */
#include "cli/plot/plot_trace.h"
#include "cli/common/cli.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define COLUMN 0.4 /* points */

/* Cut the parameter interval [*enter, *leave] by `slope * t <= room`. */
static bool cut(double slope, double room, double *enter, double *leave)
{
    if (slope == 0.0)
        return room >= 0.0;
    double t = room / slope;
    if (slope > 0.0)
        *leave = fmin(*leave, t);
    else
        *enter = fmax(*enter, t);
    return *enter <= *leave;
}

bool cli_clip_segment(cli_rect rect, cli_point *a, cli_point *b)
{
    double dx = b->x - a->x, dy = b->y - a->y, enter = 0.0, leave = 1.0;
    cli_point start = *a;
    if (!cut(-dx, a->x - rect.x, &enter, &leave) || !cut(dx, rect.x + rect.width - a->x, &enter, &leave) ||
        !cut(-dy, a->y - rect.y, &enter, &leave) || !cut(dy, rect.y + rect.height - a->y, &enter, &leave))
        return false;
    if (enter > 0.0)
        *a = (cli_point){start.x + enter * dx, start.y + enter * dy};
    if (leave < 1.0)
        *b = (cli_point){start.x + leave * dx, start.y + leave * dy};
    return true;
}

static void push(cli_trace *trace, cli_point point)
{
    if (trace->count == trace->capacity)
    {
        int64_t capacity = trace->capacity == 0 ? 256 : 2 * trace->capacity;
        trace->points = cli_resize(trace->points, (size_t)capacity, sizeof *trace->points);
        trace->capacity = capacity;
    }
    trace->points[trace->count++] = point;
}

/* Points of one column, as far as they matter; indices order the lowest and the highest. */
typedef struct column
{
    cli_point first, low, high, last;
    int64_t low_index, high_index, count;
} column;

static void flush_column(cli_trace *trace, column *c)
{
    if (c->count > 0)
        push(trace, c->first);
    if (c->count > 3)
    {
        bool low_first = c->low_index < c->high_index;
        push(trace, low_first ? c->low : c->high);
        push(trace, low_first ? c->high : c->low);
    }
    else if (c->count == 3) /* the middle one is the extreme that is not at an end, or harmless to repeat */
        push(trace, c->low_index == 1 ? c->low : c->high_index == 1 ? c->high : c->first);
    if (c->count > 1)
        push(trace, c->last);
    c->count = 0;
}

static void join_column(column *c, cli_point point)
{
    if (c->count == 0)
    {
        c->first = c->low = c->high = point;
        c->low_index = c->high_index = 0;
    }
    if (point.y < c->low.y)
    {
        c->low = point;
        c->low_index = c->count;
    }
    if (point.y > c->high.y)
    {
        c->high = point;
        c->high_index = c->count;
    }
    c->last = point;
    ++c->count;
}

/* Map and thin; breaks become NaN points. */
static void thin(cli_trace *out, const double *x, const double *y, int64_t count, const cli_scale *x_scale,
                 const cli_scale *y_scale)
{
    column c = {.count = 0};
    for (int64_t i = 0; i < count; ++i)
    {
        cli_point point = {cli_scale_map(x_scale, x[i]), cli_scale_map(y_scale, y[i])};
        if (isnan(point.x) || isnan(point.y))
        {
            flush_column(out, &c);
            push(out, (cli_point){NAN, NAN});
            continue;
        }
        if (c.count > 0 && floor(point.x / COLUMN) != floor(c.first.x / COLUMN))
            flush_column(out, &c);
        join_column(&c, point);
    }
    flush_column(out, &c);
}

static bool same(cli_point a, cli_point b)
{
    return a.x == b.x && a.y == b.y;
}

static bool is_break(cli_point p)
{
    return isnan(p.x);
}

/* Whether point i stands alone between breaks. */
static bool alone(const cli_trace *line, int64_t i)
{
    return (i == 0 || is_break(line->points[i - 1])) && (i + 1 == line->count || is_break(line->points[i + 1]));
}

static void add_segment(cli_trace *out, cli_point a, cli_point b)
{
    bool joins = out->count > 0 && same(out->points[out->count - 1], a);
    if (!joins)
    {
        push(out, (cli_point){NAN, NAN});
        push(out, a);
    }
    push(out, b);
}

static bool far_off(cli_rect frame, cli_point p)
{
    return p.y < frame.y - frame.height || p.y > frame.y + 2.0 * frame.height;
}

static void cut_at_frame(cli_trace *out, const cli_trace *line, cli_rect frame)
{
    for (int64_t i = 0; i < line->count; ++i)
    {
        cli_point a = line->points[i];
        if (is_break(a))
            continue;
        if (alone(line, i))
        {
            if (!cli_clip_segment(frame, &a, &(cli_point){a.x, a.y}))
                continue;
            push(out, (cli_point){NAN, NAN});
            push(out, a);
            push(out, (cli_point){NAN, NAN});
        }
        else if (i + 1 < line->count && !is_break(line->points[i + 1]))
        {
            cli_point b = line->points[i + 1];
            bool leaps = far_off(frame, a) && far_off(frame, b);
            if (!leaps && cli_clip_segment(frame, &a, &b))
                add_segment(out, a, b);
        }
    }
}

void cli_trace_make(cli_trace *trace, const double *x, const double *y, int64_t count, const cli_scale *x_scale,
                    const cli_scale *y_scale)
{
    cli_trace line = {0};
    cli_rect frame = {fmin(x_scale->from, x_scale->to) - 1.0, fmin(y_scale->from, y_scale->to) - 1.0,
                      fabs(x_scale->to - x_scale->from) + 2.0, fabs(y_scale->to - y_scale->from) + 2.0};
    *trace = (cli_trace){0};
    thin(&line, x, y, count, x_scale, y_scale);
    cut_at_frame(trace, &line, frame);
    free(line.points);
}

void cli_trace_free(cli_trace *trace)
{
    free(trace->points);
    *trace = (cli_trace){0};
}

void cli_trace_draw(cli_canvas *canvas, const cli_trace *trace, cli_style style)
{
    int64_t begin = 0;
    while (begin < trace->count)
    {
        int64_t end = begin;
        while (end < trace->count && !is_break(trace->points[end]))
            ++end;
        assert(end - begin < INT_MAX);
        if (end == begin + 1 || (end == begin + 2 && same(trace->points[begin], trace->points[begin + 1])))
            cli_draw_circle(canvas, trace->points[begin], 2.5, cli_fill(style.stroke));
        else
            cli_draw_path(canvas, trace->points + begin, (int)(end - begin), false, style);
        begin = end + 1;
    }
}

int64_t cli_trace_hits(const cli_trace *trace, cli_rect rect)
{
    int64_t hits = 0;
    for (int64_t i = 0; i < trace->count; ++i)
    {
        cli_point a = trace->points[i];
        if (is_break(a))
            continue;
        cli_point b = i + 1 < trace->count && !is_break(trace->points[i + 1]) ? trace->points[i + 1] : a;
        hits += cli_clip_segment(rect, &a, &b);
    }
    return hits;
}
