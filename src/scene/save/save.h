/* From the model to the text of a scene: each function writes one part. */
#ifndef CRN_SCENE_SAVE_SAVE_H
#define CRN_SCENE_SAVE_SAVE_H

#include "cairn/save.h"
#include "scene/save/item.h"

void crn_save_materials(crn_saver *saver); /* and pairs */
void crn_save_bodies(crn_saver *saver);
/* The groups of all bodies, and the default one. */
uint64_t crn_groups_used(const cairn_model *model);
/* The groups of a body, and what it touches, of those in use. A body without a group touches nothing. */
void crn_save_groups(crn_saver *saver, const crn_body *body, uint64_t used);
void crn_save_populations(crn_saver *saver); /* whose grains come and go */
/* The field `shapes` of a body, and `material` where all its shapes have the same. */
void crn_save_shapes(crn_saver *saver, int body);
/* The contents of large meshes and height fields, which shapes name. */
void crn_save_files(crn_saver *saver);
/* The points of a hull, a mesh or a height field as they were given, and how many there are; NULL: it is none. */
const double *crn_points_given(const crn_shape *shape, int *count);
/* The file that a shape names, by its number from 1; 0: its numbers are in the shape itself. */
int crn_file_of_shape(const cairn_model *model, int shape);

void crn_save_joints(crn_saver *saver); /* and couplings */
/* The fields `bodies` and, with two points, `points` or another of that form. */
void crn_field_bodies(crn_saver *saver, int a, int b);
void crn_field_ends(crn_saver *saver, const char *name, const double a[3], const double b[3]);
/* What acts on coordinate `coordinate` of a joint, in the open braces. */
void crn_save_acting(crn_saver *saver, const crn_joint *joint, int coordinate);
/* Whether something acts on it, or it has a value to begin with. */
bool crn_has_acting(const crn_joint *joint, int coordinate);
struct crn_signal;
/* A field with a function of time. `who` and `field` name it in a message. */
void crn_save_signal(crn_saver *saver, const char *who, const char *field, const struct crn_signal *signal);

void crn_save_links(crn_saver *saver); /* springs, forces, ignored pairs */
void crn_save_statistics(crn_saver *saver);
void crn_save_settings(crn_saver *saver, const cairn_save_options *options);

/* CAIRN_INVALID, with a message, when a model that was read again differs from the one that was saved. */
cairn_status crn_compare_models(const cairn_model *model, const cairn_model *read);

/* `n` numbers (3 or 4) that, divided by their length as the model does it, give `unit` to the bit; short ones if there are any. `R`: the
 * result is turned by this matrix first; NULL: it is not. Where none are found, the numbers of `unit` itself. */
void crn_find_direction(const double *unit, int n, const double *R, double *out);

#endif
