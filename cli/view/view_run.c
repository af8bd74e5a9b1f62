#include "cli/view/view_run.h"
#include "cli/common/cli.h"
#include "cli/plot/plot_contact.h"
#include "cli/view/view_frames.h"

#include <math.h>
#include <stdlib.h>

void cli_view_run_close(cli_view_run *view)
{
    free(view->h);
    free(view->contacts);
    cli_plot_scene_close(&view->scene);
    cli_plot_run_close(&view->run);
    *view = (cli_view_run){0};
}

static int read_lists(cli_view_run *view)
{
    int result = cli_contact_steps(&view->run, view->h);
    if (result || view->run.frame_count == 0)
        return result;
    cairn_status status = cairn_run_read_series(view->run.run, "contacts/count", view->contacts);
    return status ? cli_plot_report(view->run.context, status) : 0;
}

int cli_view_run_open(cli_view_run *view, const char *path)
{
    *view = (cli_view_run){.gravity = 0.0};
    int result = cli_plot_run_open_cut(&view->run, path);
    result = result ? result : cli_plot_scene_open(&view->scene, &view->run);
    if (!result)
    {
        view->h = cli_allocate((size_t)view->run.frame_count + 1, sizeof *view->h);
        view->contacts = cli_allocate((size_t)view->run.frame_count + 1, sizeof *view->contacts);
        result = read_lists(view);
    }
    if (!result && view->scene.model)
    {
        double g[3];
        cairn_model_gravity(view->scene.model, g);
        view->gravity = hypot(hypot(g[0], g[1]), g[2]);
    }
    if (result)
        cli_view_run_close(view);
    return result;
}

cairn_status cli_view_run_frame(cli_view_run *view, int64_t index, cli_bytes *bytes)
{
    cli_plot_run *run = &view->run;
    cli_view_frame frame = {.index = (uint32_t)index,
                            .dimension = run->dimension,
                            .time = index >= 0 && index < run->frame_count ? run->time[index] : NAN,
                            .h = index > 0 && index < run->frame_count ? view->h[index] : NAN,
                            .gravity = view->gravity,
                            .model = view->scene.model,
                            .bodies = run->states,
                            .body_count = run->body_count};
    cairn_status status = cairn_run_read_frame(run->run, index, run->states);
    status = status ? status : cairn_run_read_contacts(run->run, index, &frame.contacts, &frame.contact_count);
    if (!status)
        cli_view_put_frame(bytes, &frame);
    return status;
}

int64_t cli_view_run_bytes(const cli_view_run *view, int64_t from, int64_t end)
{
    int64_t each = CLI_FRAME_HEAD_BYTES + (int64_t)CLI_FRAME_BODY_BYTES * view->run.body_count;
    int64_t sum = 0;
    for (int64_t i = from; i < end; ++i)
        sum += each + CLI_FRAME_CONTACT_BYTES * (int64_t)view->contacts[i];
    return sum;
}
