/* A live simulation in the viewer's words: its header, its frames, and the messages beside them. */
#include "cli/common/cli.h"
#include "cli/view/view_frames.h"
#include "cli/view/view_joints.h"
#include "cli/view/view_world.h"

#include <math.h>
#include <stdlib.h>

typedef struct quantity
{
    const char *name, *unit;
    double value;
} quantity;

enum
{
    QUANTITIES = 12
};

/* Names as in run files. */
static void measure(const cli_view_live *live, quantity out[QUANTITIES])
{
    const cairn_step_report *report = cairn_simulation_report(live->simulation);
    cairn_energy e = cairn_simulation_energy(live->simulation);
    const quantity all[QUANTITIES] = {
        {"time", "s", cairn_simulation_time(live->simulation)},
        {"step", "1", (double)live->step},
        {"energy/kinetic", "J", e.kinetic},
        {"energy/potential", "J", e.potential},
        {"energy/elastic", "J", e.elastic},
        {"energy/total", "J", e.total},
        {"energy/work_forces", "J", e.work_forces},
        {"energy/balance_error", "J", e.balance_error},
        {"certificate/relative", "1", report->solver.certificate.relative},
        {"contacts/count", "1", (double)cairn_simulation_contact_count(live->simulation)},
        {"penetration", "m", report->penetration},
        {"joint_error", "m", report->joint_error},
    };
    for (int i = 0; i < QUANTITIES; ++i)
        out[i] = all[i];
}

void cli_view_live_header(const cli_view_live *live, bool forces, FILE *stream)
{
    cli_json json = {.stream = stream, .compact = true};
    const char *title = cairn_scene_title(live->scene);
    quantity quantities[QUANTITIES];
    measure(live, quantities);
    cli_json_open(&json, NULL, '{');
    cli_json_integer(&json, "format", CLI_VIEW_FORMAT);
    cli_json_text(&json, "title", title[0] ? title : live->name);
    cli_json_text(&json, "scene", live->name);
    cli_json_text(&json, "status", "live");
    cli_json_integer(&json, "dimension", cairn_model_dimension(live->model));
    cli_json_bool(&json, "live", true);
    cli_json_integer(&json, "frame_count", 0);
    cli_json_bool(&json, "truncated", false);
    char note[128];
    cli_view_sample_tell(&live->sample, note, sizeof note);
    cli_json_text(&json, "note", note[0] ? note : NULL);
    cli_json_integer(&json, "body_count", live->sample.total);
    cli_json_bool(&json, "forces", forces);
    cli_json_open(&json, "bodies", '[');
    for (int i = 0; i < live->sample.count; ++i)
    {
        cairn_body body = cairn_model_body(live->model, live->sample.body[i]);
        cli_view_put_body(&json, live->model, body, cairn_model_body_name(live->model, body));
    }
    cli_json_close(&json, ']');
    cli_mechanism mechanism;
    cli_mechanism_open(&mechanism, live->model);
    cli_view_put_world(&json, live->model, &mechanism, (cli_view_map){live->sample.place});
    cli_mechanism_close(&mechanism);
    cli_json_open(&json, "series", '[');
    for (int i = 0; i < QUANTITIES; ++i)
    {
        cli_json_open(&json, NULL, '{');
        cli_view_put_series_names(&json, quantities[i].name, quantities[i].unit);
        cli_json_numbers(&json, "values", NULL, 0);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_open(&json, "events", '[');
    cli_json_close(&json, ']');
    cli_json_open(&json, "frames", '{');
    cli_json_text(&json, "compression", "none");
    cli_json_close(&json, '}');
    cli_json_close(&json, '}');
}

bool cli_view_live_frame(cli_view_live *live, cli_bytes *bytes)
{
    const cli_view_sample *sample = &live->sample;
    int count = sample->every > 1 ? 0 : cairn_simulation_contact_count(live->simulation);
    if ((size_t)count > live->contact_capacity)
    {
        live->contact_capacity = 2 * (size_t)count;
        live->contacts = cli_resize(live->contacts, live->contact_capacity, sizeof *live->contacts);
    }
    for (int i = 0; i < sample->count; ++i)
        live->states[i] = cairn_simulation_body(live->simulation, cairn_model_body(live->model, sample->body[i]));
    for (int i = 0; i < count; ++i)
        live->contacts[i] = cairn_simulation_contact(live->simulation, i);
    const double *g = live->gravity;
    cli_view_frame frame = {.index = (uint32_t)live->step,
                            .dimension = cairn_model_dimension(live->model),
                            .time = cairn_simulation_time(live->simulation),
                            .h = live->step > 0 ? live->settings.step : NAN,
                            .gravity = hypot(hypot(g[0], g[1]), g[2]),
                            .model = live->model,
                            .bodies = live->states,
                            .body_count = sample->count,
                            .contacts = live->contacts,
                            .contact_count = count};
    cli_view_put_frame(bytes, &frame);
    return true;
}

void cli_view_live_state(const cli_view_live *live, FILE *stream)
{
    cli_json json = {.stream = stream, .compact = true};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "type", "state");
    cli_json_bool(&json, "playing", live->playing);
    cli_json_number(&json, "time", cairn_simulation_time(live->simulation));
    cli_json_integer(&json, "step", live->step);
    cli_json_number(&json, "h", live->settings.step);
    cli_json_number(&json, "speed", live->speed);
    cli_json_numbers(&json, "gravity", live->gravity, 3);
    cli_json_number(&json, "friction", live->friction);
    cli_json_integer(&json, "grabbed", live->grabbed ? live->sample.place[live->body] : -1);
    cli_json_integer(&json, "bodies", live->sample.count);
    cli_json_number(&json, "wall_per_step", live->wall_per_step);
    cli_json_text(&json, "error", live->error[0] ? live->error : NULL);
    cli_view_put_drives(&json, live);
    cli_json_close(&json, '}');
}

void cli_view_live_series(const cli_view_live *live, FILE *stream)
{
    cli_json json = {.stream = stream, .compact = true};
    quantity quantities[QUANTITIES];
    measure(live, quantities);
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "type", "series");
    cli_json_open(&json, "names", '[');
    for (int i = 0; i < QUANTITIES; ++i)
        cli_json_text(&json, NULL, quantities[i].name);
    cli_json_close(&json, ']');
    cli_json_open(&json, "values", '[');
    for (int i = 0; i < QUANTITIES; ++i)
        cli_json_number(&json, NULL, quantities[i].value);
    cli_json_close(&json, ']');
    cli_view_put_joint_states(&json, live);
    cli_json_close(&json, '}');
}
