/* `cairn report`: index.html, its plots, and the viewer's page if the build includes it. */
#include "cli/report/report.h"

#include "cli/common/cli.h"
#include "cli/common/html.h"
#include "cli/common/options.h"
#include "cli/common/out_file.h"
#include "cli/report/report_stats.h"
#include "cli/view/view_frames.h"
#include "cli/view/view_html.h"
#include "cli/view/view_page.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST_VIEW 60e6 /* bytes of frames; a larger page is slow to open */

/* Size of the viewer's frames. Returns the exit status. */
static int view_bytes(cli_report *r, double *bytes)
{
    cli_stats contacts;
    int status = cli_stats_read(&r->run, "contacts/count", &contacts);
    *bytes = (CLI_FRAME_HEAD_BYTES + CLI_FRAME_BODY_BYTES * (double)r->run.body_count) * (double)r->run.frame_count +
             CLI_FRAME_CONTACT_BYTES * contacts.sum;
    return status;
}

static int write_viewer(cli_report *r)
{
    cli_view_run view;
    char *path;
    double bytes;
    int status = view_bytes(r, &bytes);
    if (cli_view_page_size == 0)
        r->no_viewer = "This build does not include the viewer.";
    else if (bytes > LARGEST_VIEW)
        r->no_viewer = "The run is too large to embed; 'cairn view' shows it.";
    if (status || r->no_viewer)
        return status;
    path = cli_text("%s/viewer.html", r->directory);
    status = cli_view_run_open(&view, r->run.path, CLI_VIEW_MOST_BODIES);
    if (!status)
    {
        status = cli_view_write_html(&view, path);
        cli_view_run_close(&view);
    }
    free(path);
    return status;
}

static void put_viewer(const cli_report *r)
{
    if (r->no_viewer)
    {
        fprintf(r->page, "<p class=\"soft\">%s</p>\n", r->no_viewer);
        return;
    }
    fputs("<h2>The run</h2>\n<iframe src=\"viewer.html\" title=\"the run, in motion\" "
          "loading=\"lazy\"></iframe>\n<p><a href=\"viewer.html\">Open in its own page</a></p>\n",
          r->page);
}

static int put_page(cli_report *r)
{
    cli_html_begin(r->page, r->title);
    int status = cli_report_summary(r);
    put_viewer(r);
    cli_report_pictures(r);
    status = status ? status : cli_report_certificate(r);
    status = status ? status : cli_report_physics(r);
    status = status ? status : cli_report_energy(r);
    status = status ? status : cli_report_joints(r);
    status = status ? status : cli_report_contacts(r);
    status = status ? status : cli_report_events(r);
    status = status ? status : cli_report_solver(r);
    fputs("<p class=\"soft\">All numbers are taken from the recorded frames.</p>\n", r->page);
    cli_html_end(r->page);
    return status;
}

static int write_page(cli_report *r)
{
    cli_out_file file;
    char *path = cli_text("%s/index.html", r->directory);
    int status = cli_out_open(&file, path) ? CLI_EXIT_DONE : CLI_EXIT_WRONG;
    if (!status)
    {
        r->page = file.stream;
        status = put_page(r);
        if (status)
            cli_out_abandon(&file);
        else
            status = cli_out_finish(&file) ? CLI_EXIT_DONE : CLI_EXIT_FAILED;
    }
    if (!status)
        printf("%s\n", path);
    free(path);
    return status;
}

static const char *title_of(const cli_report *r)
{
    const char *title = r->scene.scene ? cairn_scene_title(r->scene.scene) : "";
    return title[0] ? title : r->run.name;
}

static int make_report(void *data, int count, char **arguments)
{
    (void)count;
    const char *output = *(const char **)data;
    char *directory = output ? cli_text("%s", output) : cli_out_beside(arguments[0], "-report");
    cli_report r = {.directory = directory};
    int status = cli_plot_run_open_cut(&r.run, arguments[0]);
    cli_plot_run_tell_cut(&r.run);
    status = status ? status : cli_plot_scene_open(&r.scene, &r.run);
    status = status ? status : cli_out_directory(directory);
    if (!status)
    {
        r.title = title_of(&r);
        status = cli_report_draw(&r);
        status = status ? status : write_viewer(&r);
        status = status ? status : write_page(&r);
    }
    cli_plot_scene_close(&r.scene);
    cli_plot_run_close(&r.run);
    free(directory);
    return status;
}

int cli_command_report(int argc, char **argv)
{
    const char *output = NULL;
    const cli_option options[] = {
        {CLI_VALUE(TEXT, "output", 'o', &output, "DIR", "output directory, default RUN-report")},
        {0},
    };
    const cli_command command = {
        .usage = "report RUN [options]",
        .text = "Write a report of a run: settings, certificate, energy balance, contacts, events, solver, plots and "
                "the viewer.\nDIR/index.html and the files beside it need no network.",
        .options = options,
        .least = 1,
        .most = 1,
        .work = make_report,
        .data = (void *)&output};
    return cli_command_call(&command, argc, argv);
}
