#include "cli/view/view_run.h"
#include "cli/common/cli.h"
#include "cli/plot/plot_contact.h"
#include "cli/view/view_frames.h"

#include <math.h>
#include <stdlib.h>

void cli_view_run_close(cli_view_run *view)
{
    cli_view_sample_close(&view->sample);
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

/* Where each of the model's bodies is in the run. */
static void choose_bodies(cli_view_run *view)
{
    const cairn_model *model = view->scene.model;
    int count = model ? cairn_model_body_count(model) : 0;
    int *index = cli_allocate((size_t)count + 1, sizeof *index);
    for (int i = 0; i < count; ++i)
        index[i] = cli_plot_scene_body(&view->scene, &view->run, cairn_model_body(model, i));
    cli_view_sample_open(&view->sample, model, index, view->run.body_count, view->most);
    free(index);
}

int cli_view_run_open(cli_view_run *view, const char *path, int most)
{
    *view = (cli_view_run){.most = most};
    int result = cli_plot_run_open_cut(&view->run, path);
    result = result ? result : cli_plot_scene_open(&view->scene, &view->run);
    if (!result)
    {
        view->h = cli_allocate((size_t)view->run.frame_count + 1, sizeof *view->h);
        view->contacts = cli_allocate((size_t)view->run.frame_count + 1, sizeof *view->contacts);
        choose_bodies(view);
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
                            .body_count = view->sample.count};
    cairn_status status = cairn_run_read_frame(run->run, index, run->states);
    for (int i = 0; i < view->sample.count && !status; ++i)
        run->states[i] = run->states[view->sample.body[i]]; /* those in front of it are done with */
    if (!status && view->sample.every == 1)
        status = cairn_run_read_contacts(run->run, index, &frame.contacts, &frame.contact_count);
    if (!status)
        cli_view_put_frame(bytes, &frame);
    return status;
}

int64_t cli_view_run_bytes(const cli_view_run *view, int64_t from, int64_t end)
{
    int64_t each = CLI_FRAME_HEAD_BYTES + (int64_t)CLI_FRAME_BODY_BYTES * view->sample.count;
    int64_t sum = 0;
    for (int64_t i = from; i < end; ++i)
        sum += each + (view->sample.every > 1 ? 0 : CLI_FRAME_CONTACT_BYTES * (int64_t)view->contacts[i]);
    return sum;
}
