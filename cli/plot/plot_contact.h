/* Contact forces as quantities of a run:
 *
 *     BODY.contact_force.x .y .z         the force of all contacts on a body, world frame; also .magnitude
 *     force(A,B).x .y .z                 the force of all contacts that body B exerts on body A; likewise
 *     element(A,B,K).x .y .z             the same of element K, from 1, of their compliant patch
 *     element(A,B,K).normal .friction    its parts along the normal and along the surface; in the plane friction counts to
 *                                        the right of the normal towards A, in space it is a length
 *     element(A,B,K).share               friction over mu times normal: 1 or -1 where the element slides
 */
#ifndef CLI_PLOT_PLOT_CONTACT_H
#define CLI_PLOT_PLOT_CONTACT_H

#include "cli/plot/plot_quantity.h"

/* False when the text is not of that form. */
bool cli_contact_quantity_parse(const cli_plot_run *run, const char *text, cli_quantity *out);

/* Whether a text begins like one of them, for a helpful refusal. */
bool cli_contact_quantity_meant(const char *text);

/* The value in a frame, whose step was h. */
double cli_contact_quantity_value(const cli_quantity *quantity, const cairn_contact *contacts, int count, double h);

/* s: the step that led to each frame, NAN for the first, into `out`. Exit status. */
int cli_contact_steps(cli_plot_run *run, double *out);

#endif
