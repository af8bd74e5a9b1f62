/* The header of a run for the viewer: everything but the frames. docs/view-server.md lists its fields.
 *
 * Series that are zero throughout are left out, except for a few that a reader expects.
 */
#include "cli/common/cli.h"
#include "cli/view/view_run.h"
#include "cli/view/view_world.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SERIES_DIGITS = 9,
    MOST_EVENTS = 20000,
    MOST_SERIES = 3000, /* those of the whole come first, then those of joints: nobody looks at more */
};

static const char *const ALWAYS[] = {
    "time",         "step",           "energy/kinetic", "energy/potential",     "energy/elastic",
    "energy/total", "contacts/count", "penetration",    "certificate/relative", "energy/balance_error"};

static const struct
{
    const char *status, *note;
} NOTES[] = {
    {"running", "This run is still in progress, or was killed; all frames in its file are shown."},
    {"cut-short", "The file of this run is truncated; its complete frames are shown."},
    {"interrupted", "This run was interrupted; all frames up to that point are shown."},
    {"failed", "This run failed; all frames before the failed step are shown."},
    {"missed-tolerance", "Some steps of this run missed their tolerance."},
    {"violated-physics", "The physics certificate found violations in this run; its report lists them."},
};

static const char *note_of(const char *status)
{
    for (size_t i = 0; i < sizeof NOTES / sizeof NOTES[0]; ++i)
        if (!strcmp(NOTES[i].status, status))
            return NOTES[i].note;
    return NULL;
}

static bool is_wanted(const char *name, const double *values, int64_t count)
{
    for (size_t i = 0; i < sizeof ALWAYS / sizeof ALWAYS[0]; ++i)
        if (!strcmp(ALWAYS[i], name))
            return true;
    bool zero = true;
    for (int64_t i = 0; i < count && zero; ++i)
        zero = values[i] == 0.0;
    return !zero;
}

static void put_series(cli_json *json, const char *name, const char *unit, const double *values, int64_t count)
{
    bool time = !strcmp(name, "time");
    cli_json_open(json, NULL, '{');
    cli_view_put_series_names(json, name, unit);
    json->digits = time ? 0 : SERIES_DIGITS;
    cli_json_numbers(json, "values", values, (int)count);
    json->digits = 0;
    cli_json_close(json, '}');
}

static cairn_status put_all_series(cli_json *json, cairn_run *run)
{
    int64_t count = cairn_run_frame_count(run);
    double *values = cli_allocate((size_t)count + 1, sizeof *values);
    cairn_status status = CAIRN_OK;
    cli_json_open(json, "series", '[');
    for (int i = 0; i < cairn_run_series_count(run) && i < MOST_SERIES && !status; ++i)
    {
        const char *name = cairn_run_series_name(run, i);
        status = cairn_run_read_series(run, name, values);
        if (!status && is_wanted(name, values, count))
            put_series(json, name, cairn_run_series_unit(run, i), values, count);
    }
    cli_json_close(json, ']');
    free(values);
    return status;
}

/* The index of a body on the page; -1: it is not shown, or the world. */
static int place_of(const cli_view_sample *sample, cairn_body body)
{
    return body.id < 1 || body.id > sample->total ? -1 : sample->place[body.id - 1];
}

static cairn_status put_events(cli_json *json, cairn_run *run, const cli_view_sample *sample)
{
    const cairn_event *events;
    int64_t count;
    cairn_status status = cairn_run_read_events(run, &events, &count);
    int64_t told = status ? 0 : count < MOST_EVENTS ? count : MOST_EVENTS;
    cli_json_open(json, "events", '[');
    for (int64_t i = 0; i < told; ++i)
    {
        const cairn_event *event = &events[i];
        cli_json_open(json, NULL, '{');
        cli_json_number(json, "time", event->time);
        cli_json_text(json, "kind", cairn_event_name(event->kind));
        cli_json_open(json, "bodies", '[');
        cli_json_integer(json, NULL, place_of(sample, event->a));
        cli_json_integer(json, NULL, place_of(sample, event->b));
        cli_json_close(json, ']');
        cli_json_number(json, "speed", event->speed);
        cli_json_number(json, "impulse", event->impulse);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_integer(json, "events_left_out", status ? 0 : count - told);
    return status;
}

/* Bodies of the run, with the data of the scene if there is one. */
static void put_world(cli_json *json, const cli_view_run *view)
{
    static const double NONE[3] = {0};
    const cairn_model *model = view->scene.model;
    int count = model ? cairn_model_body_count(model) : 0;
    int *frame_body = cli_allocate((size_t)count + 1, sizeof *frame_body);
    cairn_body *body = cli_allocate((size_t)view->run.body_count + 1, sizeof *body);
    for (int i = 0; i < count; ++i)
    {
        cairn_body one = cairn_model_body(model, i);
        int in_run = cli_plot_scene_body(&view->scene, &view->run, one);
        frame_body[i] = in_run < 0 ? -1 : view->sample.place[in_run];
        if (frame_body[i] >= 0)
            body[frame_body[i]] = one;
    }
    cli_json_open(json, "bodies", '[');
    for (int i = 0; i < view->sample.count; ++i)
        cli_view_put_body(json, model, body[i], cairn_run_body_name(view->run.run, view->sample.body[i]));
    cli_json_close(json, ']');
    if (model)
        cli_view_put_world(json, model, &view->scene.mechanism, (cli_view_map){frame_body});
    else
        cli_json_numbers(json, "gravity", NONE, 3);
    free(frame_body);
    free(body);
}

static void put_description(cli_json *json, const cli_view_run *view)
{
    const cairn_run *run = view->run.run;
    const char *status = cairn_run_status(run), *cause = note_of(status);
    char sampled[128], note[512];
    cli_view_sample_tell(&view->sample, sampled, sizeof sampled);
    snprintf(note, sizeof note, "%s%s%s", cause ? cause : "", cause && sampled[0] ? " " : "", sampled);
    const char *title = view->scene.scene ? cairn_scene_title(view->scene.scene) : "";
    cli_json_integer(json, "format", CLI_VIEW_FORMAT);
    cli_json_text(json, "title", title[0] ? title : view->run.name);
    cli_json_text(json, "scene", cairn_run_scene_name(run));
    cli_json_text(json, "status", status);
    cli_json_integer(json, "dimension", view->run.dimension);
    cli_json_bool(json, "live", false);
    cli_json_integer(json, "frame_count", view->run.frame_count);
    bool whole = !strcmp(status, "done") || !strcmp(status, "missed-tolerance") || !strcmp(status, "violated-physics");
    cli_json_bool(json, "truncated", !whole);
    cli_json_text(json, "note", note[0] ? note : NULL);
    cli_json_integer(json, "body_count", view->sample.total);
    cli_json_bool(json, "forces", view->forces);
}

cairn_status cli_view_run_header(cli_view_run *view, const char *compression, FILE *stream)
{
    cli_json json = {.stream = stream, .compact = true};
    cli_json_open(&json, NULL, '{');
    put_description(&json, view);
    put_world(&json, view);
    cairn_status status = put_all_series(&json, view->run.run);
    status = status ? status : put_events(&json, view->run.run, &view->sample);
    cli_json_open(&json, "frames", '{');
    cli_json_text(&json, "compression", compression);
    cli_json_close(&json, '}');
    cli_json_close(&json, '}');
    return status;
}
