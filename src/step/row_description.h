/* Names of rows of the one-step problem, for messages. */
#ifndef CRN_STEP_ROW_DESCRIPTION_H
#define CRN_STEP_ROW_DESCRIPTION_H

#include "formulate/assemble.h"

/* "joint 'elbow'" for an item of G; "the contact of 'ball' and 'wall'" or "joint 'rope1', limit" for item j of H. The
 * text is truncated to fit. */
void crn_who_spring(const cairn_model *model, int spring, char *text, size_t size);
void crn_who_joint(const cairn_model *model, int item, char *text, size_t size);
void crn_who_bodies(const cairn_model *model, const crn_contact *contact, char *text, size_t size);
void crn_who_contact(const cairn_model *model, const crn_assembly *assembly, int j, char *text, size_t size);
/* The joint of an item of G; -1 if the item belongs to a user's system or a spring. item >= 0. */
int crn_joint_of_item(const cairn_model *model, int item);

#endif
