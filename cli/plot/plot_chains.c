/* Force chains.
 *
 * A contact is a line from the centre of each of its moving bodies to the contact point; a fixed body has none. Its width and its colour grow
 * with its normal impulse in the step of the frame, up to TOP times the mean of all contacts that press: chains are the forces above
 * the mean, and the few largest ones do not make all others invisible. The strongest lines are drawn last.
 */
#include "cli/plot/plot_chains.h"

#include "cli/plot/plot_contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TOP     4.0  /* times the mean: the widest line */
#define WIDEST  0.45 /* of the typical length of a line */
#define NARROW  0.3  /* points: the thinnest line that is seen */
#define SHADES  4
#define FAINTER 1e-6 /* of the largest: it carries nothing */

typedef struct chain
{
    double point[3];
    int body[2];
    double force; /* N s, of the normal impulse */
} chain;

struct cli_chains
{
    chain *all;
    int count;
    double mean, largest; /* N s */
    double h;             /* s: length of the step; NAN: not known */
};

static int compare(const void *left, const void *right)
{
    double a = ((const chain *)left)->force, b = ((const chain *)right)->force;
    return (a > b) - (a < b);
}

/* Keep the contacts that press, from the weakest to the strongest. */
static void take(const cli_panel *panel, const cairn_contact *contacts, int count, struct cli_chains *out)
{
    for (int i = 0; i < count; ++i)
        out->largest = fmax(out->largest, contacts[i].impulse[0]);
    for (int i = 0; i < count; ++i)
    {
        const cairn_contact *c = &contacts[i];
        int a = c->a.id - 1, b = c->b.id - 1; /* of the run */
        bool known = a >= 0 && b >= 0 && a < panel->body_count && b < panel->body_count;
        if (!known || !(c->impulse[0] > FAINTER * out->largest))
            continue;
        out->mean += c->impulse[0];
        out->all[out->count++] = (chain){{c->point[0], c->point[1], c->point[2]}, {a, b}, c->impulse[0]};
    }
    out->mean /= fmax(out->count, 1);
    qsort(out->all, (size_t)out->count, sizeof *out->all, compare);
}

int cli_chains_read(cli_panel *panel)
{
    const cairn_contact *contacts;
    int count;
    double *h = cli_allocate((size_t)panel->run->frame_count + 1, sizeof *h);
    int result = cli_contact_steps(panel->run, h);
    cairn_status status = cairn_run_read_contacts(panel->run->run, panel->frames[0], &contacts, &count);
    if (status && result == 0)
        result = cli_plot_report(panel->run->context, status);
    if (result == 0)
    {
        panel->chains = cli_memory_take(&panel->memory, 1, sizeof *panel->chains);
        panel->chains->all = cli_memory_take(&panel->memory, (size_t)count + 1, sizeof *panel->chains->all);
        panel->chains->h = h[panel->frames[0]];
        take(panel, contacts, count, panel->chains);
    }
    free(h);
    return result;
}

void cli_chains_caption(const cli_panel *panel, char *text, size_t size)
{
    const struct cli_chains *c = panel->chains;
    if (c->count == 0)
        snprintf(text, size, "no contact carries a force");
    else if (isfinite(c->h))
        snprintf(text, size, "normal forces: mean %.3g N, largest %.3g N", c->mean / c->h, c->largest / c->h);
    else
        snprintf(text, size, "normal impulses: mean %.3g N s, largest %.3g N s", c->mean, c->largest);
}

/* From pale blue for nothing to dark red at TOP times the mean. */
static cli_colour shade(double share)
{
    static const int stops[SHADES + 1] = {0xBFD3E6, 0x8C96C6, 0xE08214, 0xC51B1B, 0x67000D};
    double place = fmin(fmax(share, 0.0), 1.0) * SHADES;
    int below = (int)fmin(floor(place), SHADES - 1);
    cli_colour a = cli_rgb(stops[below]), b = cli_rgb(stops[below + 1]);
    double t = place - below;
    return (cli_colour){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b), 1.0};
}

/* The image of a contact that is nearest to a body, in a periodic box: there no line crosses the box. */
static void image_beside(const cli_panel *panel, const double centre[3], const double point[3], double out[3])
{
    cairn_body_state way = {0};
    for (int k = 0; k < 3; ++k)
        way.position[k] = point[k] - centre[k];
    if (panel->scene.model)
        cairn_model_wrap(panel->scene.model, panel->run->time[panel->frames[0]], &way);
    for (int k = 0; k < 3; ++k)
        out[k] = centre[k] + way.position[k];
}

/* The ends of a line on the page; false: its body is fixed, or nowhere. */
static bool find_line(const cli_panel *panel, const chain *c, int side, cli_point ends[2])
{
    double projected[3], point[3];
    if (!panel->scene.moves[c->body[side]])
        return false;
    const double *centre = cli_panel_state(panel, 0, c->body[side])->position;
    image_beside(panel, centre, c->point, point);
    cli_view_project(&panel->view, centre, projected);
    ends[0] = cli_panel_page(panel, projected);
    cli_view_project(&panel->view, point, projected);
    ends[1] = cli_panel_page(panel, projected);
    return isfinite(ends[0].x + ends[0].y) && isfinite(ends[1].x + ends[1].y);
}

/* Points: the width of the widest line, from the mean length of all lines. */
static double widest(const cli_panel *panel)
{
    double sum = 0.0;
    int count = 0;
    cli_point ends[2];
    for (int i = 0; i < panel->chains->count; ++i)
        for (int side = 0; side < 2; ++side)
            if (find_line(panel, &panel->chains->all[i], side, ends))
            {
                sum += hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y);
                ++count;
            }
    return count > 0 ? WIDEST * sum / count * 2.0 : 0.0;
}

void cli_chains_draw(cli_canvas *canvas, const cli_panel *panel)
{
    double wide = widest(panel);
    for (int i = 0; i < panel->chains->count; ++i)
    {
        const chain *c = &panel->chains->all[i];
        double share = fmin(c->force / (TOP * panel->chains->mean), 1.0);
        cli_style style = cli_stroke(shade(share), fmax(wide * share, NARROW));
        cli_point ends[2];
        for (int side = 0; side < 2; ++side)
            if (find_line(panel, c, side, ends))
                cli_draw_line(canvas, ends[0].x, ends[0].y, ends[1].x, ends[1].y, style);
    }
}
