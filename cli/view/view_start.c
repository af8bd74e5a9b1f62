/* Scenes are named by users of the page, so only built-in ones are opened: no name leads to a file. */
#include "cli/view/view_start.h"
#include "cli/common/json.h"
#include "cli/common/scene_source.h"

#include <math.h>
#include <stdlib.h>

void cli_view_start_list(bool simulated, FILE *stream)
{
    cli_json json = {.stream = stream, .compact = true};
    cli_json_open(&json, NULL, '{');
    cli_json_bool(&json, "simulated", simulated);
    cli_json_open(&json, "scenes", '[');
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        cairn_builtin scene = cairn_builtin_scene(i);
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "name", scene.name);
        cli_json_text(&json, "title", scene.title);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
}

static bool open_builtin(cli_view_live *live, const char *name, const cli_run_options *options)
{
    const cairn_builtin *scene = cairn_builtin_find(name);
    return scene && !cli_view_live_open(live, scene->name, options, CLI_VIEW_MOST_BODIES);
}

/* Angles of the plane turn about z. */
static void put_pose(cli_json *json, const cairn_body_state *state, int dimension)
{
    const double half[4] = {cos(0.5 * state->angle), 0, 0, sin(0.5 * state->angle)};
    const double *q = dimension == 2 ? half : state->orientation;
    for (int k = 0; k < 3; ++k)
        cli_json_number(json, NULL, k < dimension ? state->position[k] : 0.0);
    for (int k = 0; k < 4; ++k)
        cli_json_number(json, NULL, q[k]);
}

bool cli_view_start_scene(const char *name, const cli_run_options *options, FILE *stream)
{
    cli_view_live live;
    if (!open_builtin(&live, name, options))
        return false;
    fputs("{\"header\":", stream);
    cli_view_live_header(&live, false, stream);
    fputs(",\"start\":", stream);
    cli_json json = {.stream = stream, .compact = true};
    cli_json_open(&json, NULL, '[');
    for (int i = 0; i < cairn_model_body_count(live.model); ++i)
    {
        cairn_body_state state = cairn_simulation_body(live.simulation, cairn_model_body(live.model, i));
        put_pose(&json, &state, cairn_model_dimension(live.model));
    }
    cli_json_close(&json, ']');
    fputc('}', stream);
    cli_view_live_close(&live);
    return true;
}

bool cli_view_start_choose(cli_view_live **live, const char *name, const cli_run_options *options)
{
    cli_view_live *fresh = NULL;
    if (name[0])
    {
        fresh = cli_allocate(1, sizeof *fresh);
        if (!open_builtin(fresh, name, options))
        {
            free(fresh);
            return false;
        }
    }
    if (*live)
        cli_view_live_close(*live);
    free(*live);
    *live = fresh;
    return true;
}
