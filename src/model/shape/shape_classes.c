/* The table alone, so that a program linked with the static library may bring its own (tests/model/test_dummy_shape.c). */
#include "model/shape/shape_class.h"

#define ENTRY(name) &crn_class_##name,

const crn_shape_class *const crn_shape_classes[] = {CRN_SHAPE_LIST(ENTRY)};
const int crn_shape_class_count = sizeof crn_shape_classes / sizeof crn_shape_classes[0];
