/* A force is an arrow from its contact point: the force on the body that moves, or on body a where both do. Impact forces are far
 * larger than resting forces, so the scale is the 90th percentile of the forces of some frames, and longer arrows are cut. */
#include "cli/film/frame_forces.h"
#include "cli/common/cli.h"

#include <math.h>
#include <stdlib.h>

#define LOOKED_AT 40
#define USUAL     0.14 /* of the picture's height: the length of the force that one in ten exceeds */
#define LONGEST   0.30

static double force_of(const cairn_contact *c, double h, double world[3])
{
    for (int k = 0; k < 3; ++k)
        world[k] =
            (c->impulse[0] * c->normal[k] + c->impulse[1] * c->tangent[0][k] + c->impulse[2] * c->tangent[1][k]) / h;
    return sqrt(world[0] * world[0] + world[1] * world[1] + world[2] * world[2]);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Add the forces of a frame that are not zero. */
static int collect(cli_frame_renderer *renderer, int64_t frame, double **forces, size_t *count)
{
    const cairn_contact *contacts;
    int found;
    cairn_status status = cairn_run_read_contacts(renderer->run->run, frame, &contacts, &found);
    if (status != CAIRN_OK)
        return cli_plot_report(renderer->run->context, status);
    double *grown = cli_resize(*forces, *count + (size_t)found + 1, sizeof *grown);
    *forces = grown;
    for (int i = 0; i < found; ++i)
    {
        double world[3], size = force_of(&contacts[i], renderer->steps[frame], world);
        if (size > 0.0 && isfinite(size))
            grown[(*count)++] = size;
    }
    return 0;
}

int cli_frame_scale_forces(cli_frame_renderer *renderer)
{
    double *forces = NULL;
    size_t count = 0;
    int64_t frames = renderer->run->frame_count, stride = (frames + LOOKED_AT - 1) / LOOKED_AT;
    int status = 0;
    for (int64_t f = 0; f < frames && status == 0; f += stride)
        status = collect(renderer, f, &forces, &count);
    if (status == 0 && count > 0)
    {
        qsort(forces, count, sizeof *forces, compare);
        renderer->newton_points = USUAL * renderer->canvas.height / forces[count * 9 / 10];
    }
    free(forces);
    return status;
}

static cli_point on_page(const cli_frame_renderer *renderer, const double world[3])
{
    double projected[3];
    cli_view_project(&renderer->panel.view, world, projected);
    return cli_panel_page(&renderer->panel, projected);
}

static void draw_arrow(cli_canvas *canvas, cli_point from, cli_point tip)
{
    double dx = tip.x - from.x, dy = tip.y - from.y, length = hypot(dx, dy), head = fmin(6.0, 0.5 * length);
    if (!(length > 1.0))
        return;
    dx /= length, dy /= length;
    cli_colour red = cli_rgb(0xC0392B);
    cli_point back = {tip.x - head * dx, tip.y - head * dy};
    cli_draw_line(canvas, from.x, from.y, back.x, back.y, cli_stroke(red, 1.4));
    cli_point triangle[3] = {tip,
                             {back.x - 0.4 * head * dy, back.y + 0.4 * head * dx},
                             {back.x + 0.4 * head * dy, back.y - 0.4 * head * dx}};
    cli_draw_path(canvas, triangle, 3, true, cli_fill(red));
}

int cli_frame_draw_forces(cli_frame_renderer *renderer, int64_t frame)
{
    const cairn_contact *contacts;
    int count;
    cairn_status status = cairn_run_read_contacts(renderer->run->run, frame, &contacts, &count);
    if (status != CAIRN_OK)
        return cli_plot_report(renderer->run->context, status);
    double unit = renderer->panel.axes.area.width / (renderer->panel.axes.x.high - renderer->panel.axes.x.low);
    for (int i = 0; i < count; ++i)
    {
        double force[3], tip[3], size = force_of(&contacts[i], renderer->steps[frame], force);
        if (!(size > 0.0) || !isfinite(size))
            continue;
        int a = contacts[i].a.id - 1;
        double sign = a >= 0 && renderer->panel.scene.moves[a] ? 1.0 : -1.0;
        double length = fmin(renderer->newton_points * size, LONGEST * renderer->canvas.height) / unit;
        for (int k = 0; k < 3; ++k)
            tip[k] = contacts[i].point[k] + sign * length * force[k] / size;
        draw_arrow(&renderer->canvas, on_page(renderer, contacts[i].point), on_page(renderer, tip));
    }
    return 0;
}
