/* What can be plotted over time: a component of a body's state, the place of one of its points, the distance of two bodies,
 * contact forces, a recorded series. */
#ifndef CLI_PLOT_PLOT_QUANTITY_H
#define CLI_PLOT_PLOT_QUANTITY_H

#include "cli/common/json.h"
#include "cli/plot/plot_run.h"

#include <stdio.h>

typedef enum cli_quantity_kind
{
    CLI_QUANTITY_COMPONENT = 0,
    CLI_QUANTITY_POINT,
    CLI_QUANTITY_DISTANCE,
    CLI_QUANTITY_CONTACT, /* plot_contact.h */
    CLI_QUANTITY_SERIES,
} cli_quantity_kind;

typedef struct cli_quantity
{
    cli_quantity_kind kind;
    const char *text;   /* as typed */
    const char *symbol; /* what it is, without the body: "x", "distance", "energy/total" */
    const char *unit;   /* "" when it has none */
    int component;      /* index in the table of components; of a contact, its part */
    int body, other;
    int element;     /* of a patch, from 1; 0: all contacts */
    double point[3]; /* m, in the body's frame */
    int dimension;   /* of the run */
} cli_quantity;

/* One component of a body's state ("x", "omega_z", ...) by its index in the table; -1 when the dimension has none such. */
int cli_component_find(const char *name, int dimension);
double cli_component_value(int index, const cairn_body_state *state);
/* Not for "speed", which is not a field. */
void cli_component_set(int index, cairn_body_state *state, double value);
const char *cli_component_unit(int index);

/* Exit status 0, or 2 after a sentence with the nearest names. The texts live as long as the run and `text`. */
int cli_quantity_parse(const cli_plot_run *run, const char *text, cli_quantity *out);

/* The value in one frame; not for series and contacts. */
double cli_quantity_value(const cli_quantity *quantity, const cairn_body_state *states);

/* Values of `count` quantities over the selected frames, one after another: values[q * *rows + row]. The caller frees
 * *values. Exit status. */
int cli_quantity_table(cli_plot_run *run, const cli_quantity *quantities, int count, const cli_selection *selection,
                       double **values, int64_t *rows);

/* Write all quantities of a run, for people or as a JSON object. */
void cli_quantity_list(const cli_plot_run *run, FILE *stream);
void cli_quantity_list_json(const cli_plot_run *run, cli_json *json);

#endif
