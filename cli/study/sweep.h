/* The scaffold of the studies that have a table of their own: check the options, read the values of the varied parameter, do
 * the runs on the pool, say which failed, draw, print a table or JSON. A study fills in a cli_sweep and provides the functions
 * that differ.
 */
#ifndef CLI_STUDY_SWEEP_H
#define CLI_STUDY_SWEEP_H

#include "cli/common/json.h"
#include "cli/plot/plot_chart.h"
#include "cli/study/study.h"

enum
{
    CLI_SWEEP_COLUMNS = 12, /* at most */
};

/* A column of the table, a key of each JSON row, or both. */
typedef struct cli_column
{
    const char *key;   /* NULL: not in the JSON */
    const char *head;  /* NULL: not in the table; a column without any number is left out as well */
    char style;        /* 'e', 'f' or 'g', as in printf */
    int width, digits; /* the head may be wider */
    const char *curve; /* name of its curve in the picture; NULL: not drawn */
} cli_column;

/* One run: what it is, then its results. */
typedef struct cli_sweep_run
{
    double value; /* of the varied parameter */
    int block;
    double numbers[CLI_SWEEP_COLUMNS]; /* one per column */
    double residual, wall;             /* the largest; s */
    bool missed, failed;
    char message[256]; /* why it failed */
    void *data;        /* the study's own, one block without pointers, freed at the end */
    size_t data_size;  /* bytes */
} cli_sweep_run;

typedef struct cli_sweep cli_sweep;
struct cli_sweep
{
    const cli_study_options *options;
    const char *name, *title;
    char note[512];              /* lines below the title of the table */
    const char *const *allowed;  /* options that it takes, up to NULL */
    const char *refusal;         /* of others: completes "option --x: " */
    const char *parameter;       /* the varied one */
    const char *values;          /* LIST, unless --vary gives another */
    bool takes_zero;             /* as the first of these values */
    const char *variation;       /* completes "option --vary: this study varies " for other parameters */
    int references;              /* runs before the first row, with the value 0, which are not shown */
    int block_count;             /* tables, each over all values */
    const char *const *headings; /* of each block; NULL: one block without */
    const cli_column *columns;   /* up to one without key and head */
    cli_chart chart;             /* titles and labels */

    int (*plan)(cli_sweep *sweep, cairn_context *context); /* exit status; sets h and until */
    cairn_status (*run)(const cli_sweep *sweep, cli_sweep_run *run, cairn_context *context, atomic_llong *done);
    void (*measure)(const cli_sweep *sweep, cli_sweep_run *run); /* once all runs are done; NULL: nothing */
    /* Instead of the scaffold's own; NULL: that. */
    int (*draw)(const cli_sweep *sweep);
    void (*print_text)(const cli_sweep *sweep);
    void (*put_json)(const cli_sweep *sweep, cli_json *json); /* what stands between title and jobs */

    /* Filled in by the scaffold. */
    double h, until;
    cli_sweep_run *runs; /* references, then block by block */
    int rows;            /* per block */
    int count, jobs;
    double wall;        /* s */
    void *data;         /* the study's own */
    bool records_first; /* the first run leaves a file behind, and is done where the others are put together */
};

/* Do all of it. Exit status. */
int cli_sweep_perform(cli_sweep *sweep);

/* Row `index` of a block. */
cli_sweep_run *cli_sweep_row(const cli_sweep *sweep, int block, int index);

/* h and until from the options, or else from the scene. Exit status, after a sentence. */
int cli_sweep_times(cli_sweep *sweep, const cairn_scene *scene);

/* The scene of a name with --set values of the study: `given`, then `own`, both may be NULL. Exit status. */
int cli_sweep_load(cairn_context *context, const char *scene, const cli_text_list *given, const char *own, bool keep,
                   cairn_scene **out);

/* The same for the scene that has the study's name, with a value of its parameter. */
int cli_sweep_load_value(const cli_sweep *sweep, double value, cairn_context *context, bool keep, cairn_scene **out);

/* Zeroed memory for the study's own data of a run. */
void *cli_sweep_keep(cli_sweep_run *run, size_t size);

/* One step; the run's residual and whether it missed its tolerance follow. */
cairn_status cli_sweep_step(cli_sweep_run *run, cairn_simulation *simulation, atomic_llong *done);

/* The rows of a block as a JSON list. */
void cli_sweep_put_rows(const cli_sweep *sweep, cli_json *json, int first, int count);

/* Curves over common x values, both axes logarithmic: the numbers are x, then each curve's y, `rows` values each. The chart's
 * titles and labels are kept. Exit status. */
int cli_sweep_draw_curves(const char *path, cli_chart chart, const char *const *names, int count, const double *numbers,
                          int rows);

/* --------------------------------------------------------------------------------------------------- the studies */

/* Each runs, prints and draws one study and returns the exit status. */
typedef int cli_special_run(const cli_study_options *options);

cli_special_run cli_study_particle_laws; /* Tables 10.1 and 10.2 of Anitescu 2006: */
cli_special_run cli_study_bar_laws;      /* two laws against each other */
cli_special_run cli_study_impacts;       /* jumps of velocities against exact answers */
cli_special_run cli_study_compliance;    /* compliant patches against rigid contact */
cli_special_run cli_study_hertz;         /* a pressed and sheared ball against Hertz and Mindlin */
cli_special_run cli_study_compression;   /* fraction and contacts where balls jam */
cli_special_run cli_study_silo;          /* stress over depth against Janssen */
cli_special_run cli_study_nut;           /* shakes that bring a large disk to the top */
cli_special_run cli_study_repose;        /* the angle of a heap over rolling friction and cohesion */
cli_special_run cli_study_drum;          /* avalanches in a turning drum */
cli_special_run cli_study_shear;         /* mu(I) of discs in a sheared box */
cli_special_run cli_study_hopper;        /* flow out of a hopper against Beverloo */

#define CLI_PARTICLE_NAME    "particle-qp-lcp"
#define CLI_PARTICLE_TITLE   "A particle under the convex and the exact law (Anitescu 2006, Table 10.1)"
#define CLI_BAR_NAME         "bar-qp-lcp"
#define CLI_BAR_TITLE        "A bar under the convex and the exact law (Anitescu 2006, Table 10.2)"
#define CLI_IMPACTS_NAME     "impacts"
#define CLI_IMPACTS_TITLE    "Impacts at the end of a step, edges, jumps and driven plates against exact answers"
#define CLI_COMPLIANCE_NAME  "ellipse-compliance"
#define CLI_COMPLIANCE_TITLE "An ellipse with compliant patches against the rigid one (Song et al. 2004, Figure 5)"
#define CLI_HERTZ_NAME       "hertz-mindlin" /* also the scene, which has the title */
#define CLI_NUT_NAME         "brazil-nut"    /* likewise */
#define CLI_REPOSE_NAME      "repose"        /* likewise */
#define CLI_DRUM_NAME        "drum"          /* likewise */
#define CLI_SILO_NAME        "silo"          /* likewise */
#define CLI_COMPRESSION_NAME "compression"   /* likewise */
#define CLI_SHEAR_NAME       "simple-shear"  /* likewise */
#define CLI_HOPPER_NAME      "hopper"        /* likewise */

#endif
