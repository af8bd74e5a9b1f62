/* What can be plotted over time: a component of a body's state, the place of one of its points, the distance of two bodies,
 * contact forces, a recorded series. */
#ifndef CLI_PLOT_QUANTITY_H
#define CLI_PLOT_QUANTITY_H

#include "json.h"
#include "plot_run.h"

#include <stdio.h>

typedef enum crn_quantity_kind
{
    CRN_QUANTITY_COMPONENT = 0,
    CRN_QUANTITY_POINT,
    CRN_QUANTITY_DISTANCE,
    CRN_QUANTITY_CONTACT, /* plot_contact.h */
    CRN_QUANTITY_SERIES,
} crn_quantity_kind;

typedef struct crn_quantity
{
    crn_quantity_kind kind;
    const char *text;   /* as typed */
    const char *symbol; /* what it is, without the body: "x", "distance", "energy/total" */
    const char *unit;   /* "" when it has none */
    int component;      /* index in the table of components; of a contact, its part */
    int body, other;
    int element;     /* of a patch, from 1; 0: all contacts */
    double point[3]; /* m, in the body's frame */
    int dimension;   /* of the run */
} crn_quantity;

/* One component of a body's state ("x", "omega_z", ...) by its index in the table; -1 when the dimension has none such. */
int crn_component_find(const char *name, int dimension);
double crn_component_value(int index, const cairn_body_state *state);
/* Not for "speed", which is not a field. */
void crn_component_set(int index, cairn_body_state *state, double value);
const char *crn_component_unit(int index);

/* Exit status 0, or 2 after a sentence with the nearest names. The texts live as long as the run and `text`. */
int crn_quantity_parse(const crn_plot_run *run, const char *text, crn_quantity *out);

/* The value in one frame; not for series and contacts. */
double crn_quantity_value(const crn_quantity *quantity, const cairn_body_state *states);

/* Values of `count` quantities over the selected frames, one after another: values[q * *rows + row]. The caller frees
 * *values. Exit status. */
int crn_quantity_table(crn_plot_run *run, const crn_quantity *quantities, int count, const crn_selection *selection,
                       double **values, int64_t *rows);

/* Write all quantities of a run, for people or as a JSON object. */
void crn_quantity_list(const crn_plot_run *run, FILE *stream);
void crn_quantity_list_json(const crn_plot_run *run, crn_json *json);

#endif
