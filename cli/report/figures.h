/* The figures of the papers: what to run, and what to draw of it. */
#ifndef CLI_REPORT_FIGURES_H
#define CLI_REPORT_FIGURES_H

/* A run that figures share. Words with blanks between; '...' keeps blanks. */
typedef struct cli_figure_run
{
    const char *name;
    const char *arguments; /* of `cairn run`, the scene first */
} cli_figure_run;

typedef struct cli_figure
{
    const char *name;      /* of the file, without .svg */
    const char *caption;   /* which figure of which paper */
    const char *arguments; /* "plot ..." with @NAME for a run, or "study ..." */
} cli_figure;

extern const cli_figure_run cli_figure_runs[];
extern const int cli_figure_run_count;
extern const cli_figure cli_figures[];
extern const int cli_figure_count;

#endif
