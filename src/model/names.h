/* Small checks and conversions shared by the files of the model. */
#ifndef CRN_MODEL_NAMES_H
#define CRN_MODEL_NAMES_H

#include "model/handles.h"

bool crn_all_finite(const double *values, int count);

/* The place of a material, that of the default one for the null handle; -1: not in this model. */
int crn_material_given(const cairn_model *model, cairn_material material);

/* CAIRN_OK when a new thing of this kind ("body", "joint", ...) may have the name. */
cairn_status crn_check_name(const cairn_model *model, const char *kind, const char *name, const crn_name_table *taken);

/* Convert a public attachment. CAIRN_INVALID with a message that starts with `kind 'name'`. */
cairn_status crn_attach(const cairn_model *model, const char *kind, const char *name, const cairn_attachment *from,
                        crn_attachment *to);

/* The reverse conversion. */
cairn_attachment crn_attachment_given(const cairn_model *model, const crn_attachment *attachment);

/* World position of an attachment in the initial pose. */
void crn_attachment_at_start(const cairn_model *model, const crn_attachment *attachment, double out[3]);

/* Rotation matrix of a body in its initial pose; the identity for the world (-1). */
void crn_rotation_at_start(const cairn_model *model, int body, double R[9]);

/* The name of a body, "world" for -1. */
const char *crn_body_name(const cairn_model *model, int body);

/* Whether a body moves under forces. */
bool crn_body_is_dynamic(const cairn_model *model, int body);

/* Check a stiffness of 0 (rigid) or more and a damping of 0 or more; on failure the message is about `kind 'name'`, with
 * `prefix` before the names of the two fields. crn_check_weight: a weight greater than 0. */
cairn_status crn_check_give(const cairn_model *model, const char *kind, const char *name, const char *prefix,
                            double stiffness, double damping);
cairn_status crn_check_weight(const cairn_model *model, const char *kind, const char *name, double weight);
/* Friction of 0 or more, and restitution from 0 to 1. */
cairn_status crn_check_surface(const cairn_model *model, const char *what, double friction, double restitution);
/* Lengths of rolling and spinning friction, a pull and its range, all of 0 or more. */
cairn_status crn_check_resistance(const cairn_model *model, const char *kind, const char *name, double rolling,
                                  double spinning, double cohesion, double range);

/* Compile an expression in t; a message that starts with `kind 'name': field` on failure. NULL text gives NULL. */
cairn_status crn_compile_in_time(const cairn_model *model, const char *kind, const char *name, const char *field,
                                 const char *text, crn_expression **out);

#endif
