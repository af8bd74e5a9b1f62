/* The fields of a shape in a scene file, from the table of shape classes: each class is a word of `type` and says which fields it
 * takes and needs. One word is not a class: a rectangle is a polygon given by its size. */
#ifndef CRN_SCENE_SHAPE_FIELDS_H
#define CRN_SCENE_SHAPE_FIELDS_H

#include "model/shape/shape_class.h"
#include "scene/fields.h"

enum
{
    CRN_SHAPE_WORDS = 31, /* the masks of fields are ints */
    CRN_SHAPE_FIELDS = 24
};

typedef struct crn_shape_record
{
    crn_choice type;
    crn_number radius, length, height, opening, angle, density;
    crn_vectors vertices;
    crn_vector radii, size, normal, position, surface_velocity;
    crn_any orientation, triangles, heights, points;
    crn_number scale, weld, spacing;
    crn_flag flip, recentre;
    crn_text material, file;
} crn_shape_record;

/* What a word of `type` stands for. */
typedef struct crn_shape_word
{
    cairn_shape_kind kind;
    unsigned takes, needs;
} crn_shape_word;

typedef struct crn_shape_table
{
    crn_word words[CRN_SHAPE_WORDS];
    crn_shape_word meaning[CRN_SHAPE_WORDS];
    int word_count;
    crn_field fields[CRN_SHAPE_FIELDS];
    crn_object object;
} crn_shape_table;

void crn_shape_table_fill(crn_shape_table *out);

#endif
