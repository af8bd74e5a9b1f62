/* Small checks every part of the model shares: names, finite numbers. */
#ifndef CRN_MODEL_NAMES_H
#define CRN_MODEL_NAMES_H

#include "model/handles.h"

bool crn_all_finite(const double *values, int count);

/* Place of a material, the default one for the null handle; -1: not of this model. */
int crn_material_given(const cairn_model *model, cairn_material material);

/* CAIRN_OK when `name` can be taken by a new thing of this kind ("body", "joint", ...). */
cairn_status crn_check_name(const cairn_model *model, const char *kind, const char *name, const crn_name_table *taken);

/* An attachment from the public one. CAIRN_INVALID with a message that starts with `kind 'name'`. */
cairn_status crn_attach(const cairn_model *model, const char *kind, const char *name, const cairn_attachment *from,
                        crn_attachment *to);

/* And back. */
cairn_attachment crn_attachment_given(const cairn_model *model, const crn_attachment *attachment);

/* World position of an attachment in the initial pose. */
void crn_attachment_at_start(const cairn_model *model, const crn_attachment *attachment, double out[3]);

/* Rotation matrix of a body in its initial pose; the identity for the world (-1). */
void crn_rotation_at_start(const cairn_model *model, int body, double R[9]);

/* "world" for -1. */
const char *crn_body_name(const cairn_model *model, int body);

/* Whether a body moves under forces. */
bool crn_body_is_dynamic(const cairn_model *model, int body);

/* A stiffness of 0 (rigid) or more with a damping of 0 or more; a message for `kind 'name'` on failure, the two fields with
 * `prefix` before their names. A weight, greater than 0. */
cairn_status crn_check_give(const cairn_model *model, const char *kind, const char *name, const char *prefix,
                            double stiffness, double damping);
cairn_status crn_check_weight(const cairn_model *model, const char *kind, const char *name, double weight);

/* Compile an expression in t; a message that starts with `kind 'name': field` on failure. NULL text gives NULL. */
cairn_status crn_compile_in_time(const cairn_model *model, const char *kind, const char *name, const char *field,
                                 const char *text, crn_expression **out);

#endif
