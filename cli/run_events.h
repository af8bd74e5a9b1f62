/* What happened within the steps of a run: counts, and the first events one by one. */
#ifndef CLI_RUN_EVENTS_H
#define CLI_RUN_EVENTS_H

#include "json.h"

#include <cairn/cairn.h>

enum
{
    CRN_EVENT_KINDS = CAIRN_EVENT_KINDS,
    CRN_MOST_EVENTS = 1000, /* kept one by one */
};

typedef struct crn_run_events
{
    int64_t count;
    int64_t of_kind[CRN_EVENT_KINDS];
    int64_t grew;       /* impacts (one or more collisions at one time) after which the kinetic energy was larger */
    double grew_time;   /* of the last such impact */
    double first, last; /* s */
    cairn_event list[CRN_MOST_EVENTS];
} crn_run_events;

/* Count the events of the step just made. */
void crn_run_events_add(crn_run_events *events, const cairn_simulation *simulation);

/* Lines of the text summary, and the "events" object of the JSON one. */
void crn_run_events_print(const crn_run_events *events, const cairn_settings *settings);
void crn_run_events_put(crn_json *json, const crn_run_events *events, const cairn_model *model);

#endif
