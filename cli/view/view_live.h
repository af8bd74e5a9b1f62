/* A simulation that steps while users watch and drag bodies. Independent of connections. */
#ifndef CLI_VIEW_VIEW_LIVE_H
#define CLI_VIEW_VIEW_LIVE_H

#include "cli/run/run.h"
#include "cli/view/view_bytes.h"
#include "cli/view/view_command.h"
#include "cli/view/view_sample.h"

enum
{
    CLI_VIEW_MOST_ADDED = 60, /* bodies that users put in */
};

typedef struct cli_view_live
{
    cairn_context *context;
    const char *name; /* of the scene, as given */
    cairn_scene *scene;
    const cairn_model *model;
    cairn_settings settings;
    cairn_simulation *simulation;
    bool is_shared; /* by the processes of mpirun, who have one simulation at a time */
    /* set by the users */
    bool playing;
    double speed; /* simulated seconds per second */
    double gravity[3];
    double friction; /* NAN: as the materials say */
    bool grabbed;
    int body;
    double point[3], target[3];
    cairn_body added[CLI_VIEW_MOST_ADDED];
    int added_count;
    /* progress */
    int64_t step;
    double debt;            /* s of simulated time that the simulation is behind */
    double wall;            /* s: last reading of the clock */
    double wall_per_step;   /* s, running mean */
    double size;            /* m: of the scene */
    char error[512];        /* of the last step; "": none */
    char log[256];          /* the last command to a drive, in words, */
    int64_t logged;         /* and how many there were */
    uint64_t frames;        /* number of states so far */
    uint64_t versions;      /* number of other changes so far */
    int most;               /* bodies that a page gets, */
    cli_view_sample sample; /* and which */
    cairn_body_state *states;
    cairn_contact *contacts;
    size_t contact_capacity;
} cli_view_live;

/* Load the scene with the options of `cairn run`, at its initial state; a page gets about `most` bodies. Exit status, after messages. */
int cli_view_live_open(cli_view_live *live, const char *scene, const cli_run_options *options, int most);
/* The model has other bodies: choose those that are shown anew. */
void cli_view_live_sample(cli_view_live *live);
void cli_view_live_close(cli_view_live *live);

/* Steps that are due by the wall clock (s), for at most `budget` seconds of it. */
void cli_view_live_advance(cli_view_live *live, double now, double budget);
/* False, with a sentence, when the command cannot be carried out. */
bool cli_view_live_obey(cli_view_live *live, const cli_view_command *command, char *error, size_t size);

/* The header, the frame as it is now, and the two kinds of messages that go with frames. */
void cli_view_live_header(const cli_view_live *live, bool forces, FILE *stream);
bool cli_view_live_frame(cli_view_live *live, cli_bytes *bytes);
void cli_view_live_state(const cli_view_live *live, FILE *stream);
void cli_view_live_series(const cli_view_live *live, FILE *stream);

#endif
