/* Expressions of a scene, with its parameters. Problems point into the text. */
#ifndef CRN_SCENE_FORMULA_H
#define CRN_SCENE_FORMULA_H

#include "scene/reader.h"

/* The value of a constant expression, finite or not. */
bool crn_formula_constant(crn_reader *reader, const crn_node *node, double *out);

/* An expression in t, and quantities of bodies and joints by name, as the model takes it: parameters replaced by their values. Whether
 * the quantities exist, and are allowed there, is found by the model. */
bool crn_formula_in_time(crn_reader *reader, const crn_node *node, const char **out);

/* An expression in x and y, to be destroyed; NULL when it is wrong. */
crn_expression *crn_formula_in_plane(crn_reader *reader, const crn_node *node);

/* A value for a message. */
crn_clip crn_value_text(double value);

/* The scene's `parameters` (NULL: none), some of them set from outside. */
struct cairn_parameter;
void crn_read_parameters(crn_reader *reader, const crn_node *node, const struct cairn_parameter *given, int count);

#endif
