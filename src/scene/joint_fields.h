/* The fields of a joint in a scene file, made from the table of joint classes. */
#ifndef CRN_SCENE_JOINT_FIELDS_H
#define CRN_SCENE_JOINT_FIELDS_H

#include "model/joints/joint_class.h"
#include "scene/tables.h"

enum
{
    CRN_JOINT_COMMON_FIELDS = 19,
    CRN_JOINT_FIELDS = CRN_JOINT_COMMON_FIELDS + CRN_JOINT_OWN_NUMBERS
};

typedef struct crn_joint_fields
{
    const crn_joint_class *type[CRN_JOINT_CLASSES]; /* in the order of the words */
    crn_word words[CRN_JOINT_CLASSES];
    int count;
    crn_field fields[CRN_JOINT_FIELDS]; /* those of crn_joint_object, then numbers that classes have for themselves */
    crn_object object;
} crn_joint_fields;

/* For the classes that a context knows, in a scene of this dimension; 0: it is not known. */
void crn_joint_fields_make(const cairn_context *context, int dimension, crn_joint_fields *out);

/* The numbers that a record gives to a joint of class `word`; returns how many. Names live as long as the class. */
int crn_joint_fields_numbers(const crn_joint_fields *fields, const crn_joint_record *record,
                             cairn_joint_number out[CRN_JOINT_NUMBERS]);

#endif
