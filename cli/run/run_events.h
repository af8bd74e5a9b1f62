/* What happened within the steps of a run: counts, and the first events one by one. */
#ifndef CLI_RUN_RUN_EVENTS_H
#define CLI_RUN_RUN_EVENTS_H

#include "cli/common/json.h"

#include <cairn/cairn.h>

enum
{
    CLI_EVENT_KINDS = CAIRN_EVENT_KINDS,
    CLI_MOST_EVENTS = 1000, /* kept one by one */
};

typedef struct cli_run_events
{
    int64_t count;
    int64_t of_kind[CLI_EVENT_KINDS];
    int64_t grew;       /* impacts (one or more collisions at one time) after which the kinetic energy was larger */
    double grew_time;   /* of the last such impact */
    double first, last; /* s */
    cairn_event list[CLI_MOST_EVENTS];
} cli_run_events;

/* Count the events of the step just made. */
void cli_run_events_add(cli_run_events *events, const cairn_simulation *simulation);

/* Lines of the text summary, and the "events" object of the JSON one. */
void cli_run_events_print(const cli_run_events *events, const cairn_settings *settings);
void cli_run_events_put(cli_json *json, const cli_run_events *events, const cairn_model *model);

#endif
