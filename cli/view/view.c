/* `cairn view`: show a run, or simulate a scene live, in the browser. */
#include "cli/common/cli.h"
#include "cli/common/options.h"
#include "cli/common/scene_source.h"
#include "cli/ranks/ranks.h"
#include "cli/view/view_html.h"
#include "cli/view/view_server.h"
#include "cli/view/view_start.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdlib.h>

typedef struct view_options
{
    const char *html, *address;
    double port, most;
    bool no_open, json, forces;
    cli_run_options run;
} view_options;

static bool check_server(const view_options *o)
{
    struct in_addr address;
    if (o->address && inet_pton(AF_INET, o->address, &address) != 1)
        return cli_error("option --address: expected a numeric address such as 127.0.0.1, found '%s'", o->address);
    if (!(o->port >= 0 && o->port <= 65535) || floor(o->port) != o->port)
        return cli_error("option --port: expected a whole number from 0 to 65535, found %g", o->port);
    if (!(o->most >= 1 && o->most <= 1e9) || floor(o->most) != o->most)
        return cli_error("option --bodies: expected a whole number from 1 to 1000000000, found %g", o->most);
    return true;
}

#ifdef CAIRN_WITH_SERVER
static int serve(const view_options *o, cli_view_shown *shown)
{
    const cli_view_server_options options = {
        .address = o->address ? o->address : "127.0.0.1", .port = (int)o->port, .open = !o->no_open, .json = o->json};
    return cli_view_page_there() ? cli_view_serve(&options, shown) : CLI_EXIT_FAILED;
}
#else
static int serve(const view_options *o, cli_view_shown *shown)
{
    (void)o;
    (void)shown;
    return cli_fail("this build has no libwebsockets and cannot serve pages; 'cairn view RUN --html FILE' works");
}
#endif

static int view_run(const char *path, const view_options *o)
{
    cli_view_run view;
    int result = cli_view_run_open(&view, path, (int)o->most);
    if (result)
        return result;
    cli_plot_run_tell_cut(&view.run);
    view.forces = o->forces;
    cli_view_shown shown = {.path = path, .run = &view, .forces = o->forces};
    result = o->html ? cli_view_write_html(&view, o->html) : serve(o, &shown);
    cli_view_run_close(&view);
    return result;
}

static int view_scene(const char *name, const view_options *o)
{
    cli_view_live live;
    if (o->html)
        return cli_wrong("option --html: '%s' is not a run file; 'cairn run %s -o run.h5' makes one", name, name);
    int result = cli_view_live_open(&live, name, &o->run, (int)o->most);
    if (!result)
    {
        cli_view_shown shown = {.live = &live, .forces = o->forces};
        result = serve(o, &shown);
        cli_view_live_close(&live);
    }
    return result;
}

/* Without a file: the start page. */
static int view_start(const view_options *o)
{
    if (o->html)
        return cli_wrong("option --html: name the run file that the page is to show");
    if (o->run.set.count > 0)
        return cli_wrong("option --set: name the scene whose parameter it is");
    cli_view_shown shown = {.start = &o->run, .forces = o->forces};
    int result = serve(o, &shown);
    return cli_view_start_choose(&shown.live, "", &o->run) ? result : CLI_EXIT_FAILED;
}

static int view(void *data, int count, char **arguments)
{
    const view_options *o = data;
    if (!check_server(o))
        return CLI_EXIT_WRONG;
    if (cli_ranks_count() > 1 && (count == 0 || cli_path_is_run(arguments[0])))
        return cli_wrong("started as %d processes, which can share the simulation of a scene; start this once",
                         cli_ranks_count());
    if (count == 0)
        return view_start(o);
    return cli_path_is_run(arguments[0]) ? view_run(arguments[0], o) : view_scene(arguments[0], o);
}

int cli_command_view(int argc, char **argv)
{
    view_options o = {.most = CLI_VIEW_MOST_BODIES, .run = {.until = NAN}};
    cli_option options[CLI_MOST_OPTIONS] = {
        {CLI_VALUE(TEXT, "html", 0, &o.html, "FILE",
                   "write a run as a self-contained page instead; - for standard output")},
        {CLI_FLAG("forces", 0, &o.forces,
                  "open with the forces of the contacts shown: arrows, or force chains if there are many")},
        {CLI_VALUE(NUMBER, "bodies", 0, &o.most, "N",
                   "show about N bodies of scenes that have more, one of every few; default 100000")},
        {CLI_FLAG("no-open", 0, &o.no_open, "print the address without opening a browser")},
        {CLI_VALUE(NUMBER, "port", 0, &o.port, "N", "listen on this port; default 0: any free port")},
        {CLI_VALUE(TEXT, "address", 0, &o.address, "A",
                   "listen on this numeric address; default 127.0.0.1: this machine only")},
        {CLI_FLAG("json", 0, &o.json, "print the address as one JSON object")},
        {CLI_VALUE(LIST, "set", 's', &o.run.set, "NAME=VALUE", "scene: set a parameter; repeatable")},
    };
    cli_settings_append(&o.run.settings, NULL, options);
    const cli_command command = {
        .usage = "view [RUN|SCENE] [options]",
        .text =
            "Show a run file in the browser, or simulate a scene (a file, or a built-in scene) live: drag bodies, "
            "pause,\nreset, change gravity and friction. Without a name the page shows the built-in scenes to choose "
            "from.\nServes one page on this machine, prints its address and "
            "opens it; Ctrl-C\nends it. Anyone with the address can watch.",
        .options = options,
        .least = 0,
        .most = 1,
        .work = view,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
