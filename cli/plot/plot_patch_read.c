#include "cli/plot/plot_patch_read.h"
#include "cli/common/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SLIPS  (1.0 - 1e-6) /* share of the friction limit from which an element slips */
#define LOADED 1e-9         /* share of the patch's force from which an element is loaded */

/* The patch with the largest sum of normal impulses; -1 when all contacts are rigid. */
static int heaviest(const cairn_contact *contacts, int count)
{
    int best = -1;
    double most = -1.0, sum = 0.0;
    for (int i = 0; i < count; ++i)
    {
        bool first = i == 0 || contacts[i].patch != contacts[i - 1].patch;
        sum = (first ? 0.0 : sum) + contacts[i].impulse[0];
        if (contacts[i].patch >= 0 && sum > most)
        {
            best = contacts[i].patch;
            most = sum;
        }
    }
    return best;
}

static void fill_element(const cairn_contact *c, int dimension, double h, cli_patch_element *e)
{
    *e = (cli_patch_element){.x = {c->offset[0], c->offset[1]}, .normal = c->impulse[0] / h};
    e->friction[0] = c->impulse[1] / h;
    e->friction[1] = dimension == 3 ? c->impulse[2] / h : 0.0;
    e->slips = hypot(e->friction[0], e->friction[1]) >= SLIPS * c->friction * e->normal;
}

/* Smallest distance between two elements along the first tangent, and which elements are loaded. */
static void finish(cli_patch_frame *frame)
{
    double least = INFINITY, sum = 0.0;
    for (int i = 0; i < frame->count; ++i)
    {
        double apart = fabs(frame->elements[i].x[0] - frame->elements[0].x[0]);
        least = apart > 0.0 ? fmin(least, apart) : least;
        sum += frame->elements[i].normal;
    }
    frame->spacing = isfinite(least) ? least : 0.0;
    for (int i = 0; i < frame->count; ++i)
        frame->elements[i].loaded = frame->elements[i].normal > LOADED * sum;
}

int cli_patch_frame_read(cli_plot_run *run, int64_t frame, double h, cli_patch_frame *out)
{
    const cairn_contact *contacts;
    int count;
    *out = (cli_patch_frame){.time = run->time[frame]};
    cairn_status status = cairn_run_read_contacts(run->run, frame, &contacts, &count);
    if (status != CAIRN_OK)
        return cli_plot_report(run->context, status);
    int patch = heaviest(contacts, count);
    out->elements = cli_allocate((size_t)count + 1, sizeof *out->elements);
    for (int i = 0; i < count && patch >= 0; ++i)
    {
        if (contacts[i].patch != patch)
            continue;
        fill_element(&contacts[i], run->dimension, h, &out->elements[out->count++]);
        snprintf(out->name, sizeof out->name, "%s, %s", cairn_run_body_name(run->run, contacts[i].a.id - 1),
                 cairn_run_body_name(run->run, contacts[i].b.id - 1));
    }
    finish(out);
    return 0;
}

void cli_patch_frame_free(cli_patch_frame *frame)
{
    free(frame->elements);
    *frame = (cli_patch_frame){0};
}
