/* The figures of the papers: what to run, and what to draw of it. */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

/* A run that figures share. Words with blanks between; '...' keeps blanks. */
typedef struct crn_figure_run
{
    const char *name;
    const char *arguments; /* of `cairn run`, the scene first */
} crn_figure_run;

typedef struct crn_figure
{
    const char *name;      /* of the file, without .svg */
    const char *caption;   /* which figure of which paper */
    const char *arguments; /* "plot ..." with @NAME for a run, or "study ..." */
} crn_figure;

extern const crn_figure_run crn_figure_runs[];
extern const int crn_figure_run_count;
extern const crn_figure crn_figures[];
extern const int crn_figure_count;

#endif
