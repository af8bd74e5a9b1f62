#include "cli/run/run_events.h"

#include <inttypes.h>
#include <stdio.h>

void cli_run_events_add(cli_run_events *events, const cairn_simulation *simulation)
{
    for (int i = 0; i < cairn_simulation_event_count(simulation); ++i)
    {
        cairn_event event = cairn_simulation_event(simulation, i);
        if (events->count == 0)
            events->first = event.time;
        if (events->count < CLI_MOST_EVENTS)
            events->list[events->count] = event;
        ++events->count;
        ++events->of_kind[event.kind];
        events->last = event.time;
        if (event.energy_grew && (events->grew == 0 || event.time != events->grew_time))
        {
            ++events->grew;
            events->grew_time = event.time;
        }
    }
}

void cli_run_events_print(const cli_run_events *events, const cairn_settings *settings)
{
    if (cairn_integrator_order(settings->integrator) < 2)
        return;
    if (!settings->events || events->count == 0)
    {
        printf("  events        %s\n", settings->events ? "none" : "not looked for");
        return;
    }
    printf("  events        %" PRId64 ":", events->count);
    const char *separator = " ";
    for (int kind = 0; kind < CLI_EVENT_KINDS; ++kind)
    {
        if (events->of_kind[kind] > 0)
        {
            printf("%s%" PRId64 " %s", separator, events->of_kind[kind], cairn_event_name((cairn_event_kind)kind));
            separator = ", ";
        }
    }
    printf("; first at t = %.9g s, last at t = %.9g s\n", events->first, events->last);
    int64_t storms = events->of_kind[CAIRN_EVENT_STORM];
    if (storms > 0)
    {
        printf(
            "                in %" PRId64
            " step%s had too many events: the rest of each was taken without locating them, and without restitution\n",
            storms, storms == 1 ? "" : "s");
    }
    if (events->grew > 0)
    {
        printf("                restitution was reduced at %" PRId64 " impact%s, which would have gained energy\n",
               events->grew, events->grew == 1 ? "" : "s");
    }
}

static void put_body(cli_json *json, const cairn_model *model, cairn_body body)
{
    cli_json_text(json, NULL, body.id > 0 ? cairn_model_body_name(model, body) : NULL);
}

static void put_event(cli_json *json, const cairn_event *event, const cairn_model *model)
{
    cli_json_open(json, NULL, '{');
    cli_json_number(json, "time", event->time);
    cli_json_text(json, "kind", cairn_event_name(event->kind));
    cli_json_unsigned(json, "contact", event->contact);
    cli_json_open(json, "bodies", '[');
    put_body(json, model, event->a);
    put_body(json, model, event->b);
    cli_json_close(json, ']');
    cli_json_number(json, "speed", event->speed);
    cli_json_number(json, "impulse", event->impulse);
    cli_json_close(json, '}');
}

void cli_run_events_put(cli_json *json, const cli_run_events *events, const cairn_model *model)
{
    static const char *const KEYS[CLI_EVENT_KINDS] = {
        [CAIRN_EVENT_COLLISION] = "collision", [CAIRN_EVENT_STICK] = "stick", [CAIRN_EVENT_SLIP] = "slip",
        [CAIRN_EVENT_TAKE_OFF] = "take_off",   [CAIRN_EVENT_TURN] = "turn",   [CAIRN_EVENT_STORM] = "storm",
        [CAIRN_EVENT_EDGE] = "edge",           [CAIRN_EVENT_JUMP] = "jump"};
    cli_json_open(json, "events", '{');
    cli_json_integer(json, "count", events->count);
    for (int kind = 0; kind < CLI_EVENT_KINDS; ++kind)
        cli_json_integer(json, KEYS[kind], events->of_kind[kind]);
    cli_json_integer(json, "energy_grew", events->grew);
    cli_json_open(json, "list", '[');
    for (int64_t i = 0; i < events->count && i < CLI_MOST_EVENTS; ++i)
        put_event(json, &events->list[i], model);
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}
