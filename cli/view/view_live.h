/* A simulation that steps while people look at it and touch it. Knows nothing of connections. */
#ifndef CLI_VIEW_VIEW_LIVE_H
#define CLI_VIEW_VIEW_LIVE_H

#include "cli/run/run.h"
#include "cli/view/view_bytes.h"
#include "cli/view/view_command.h"

typedef struct cli_view_live
{
    cairn_context *context;
    const char *name; /* of the scene, as given */
    cairn_scene *scene;
    const cairn_model *model;
    cairn_settings settings;
    cairn_simulation *simulation;
    /* what people chose */
    bool playing;
    double speed; /* simulated seconds per second */
    double gravity[3];
    double friction; /* NAN: as the materials say */
    bool grabbed;
    int body;
    double point[3], target[3];
    /* how it goes */
    int64_t step;
    double debt;          /* s of simulated time that wall time is ahead */
    double wall;          /* s: when the clock was looked at */
    double wall_per_step; /* s, running mean */
    double size;          /* m: of the scene */
    char error[512];      /* of the last step; "": none */
    uint64_t frames;      /* counts the states there were to see */
    uint64_t versions;    /* counts the changes of all else */
    cairn_body_state *states;
    cairn_contact *contacts;
    size_t contact_capacity;
} cli_view_live;

/* Load the scene with the options of `cairn run` and stand at its start. Exit status, after messages. */
int cli_view_live_open(cli_view_live *live, const char *scene, const cli_run_options *options);
void cli_view_live_close(cli_view_live *live);

/* Steps that are due by the wall clock (s), for at most `budget` seconds of it. */
void cli_view_live_advance(cli_view_live *live, double now, double budget);
/* False with a sentence: it cannot be done. */
bool cli_view_live_obey(cli_view_live *live, const cli_view_command *command, char *error, size_t size);

/* The header, the frame as it is now, and the two kinds of messages that go with frames. */
void cli_view_live_header(const cli_view_live *live, FILE *stream);
bool cli_view_live_frame(cli_view_live *live, cli_bytes *bytes);
void cli_view_live_state(const cli_view_live *live, FILE *stream);
void cli_view_live_series(const cli_view_live *live, FILE *stream);

#endif
