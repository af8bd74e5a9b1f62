/* The fields of populations in scene files. */
#ifndef CRN_SCENE_POPULATION_POPULATION_FIELDS_H
#define CRN_SCENE_POPULATION_POPULATION_FIELDS_H

#include "cairn/population.h"
#include "scene/fields.h"

typedef struct crn_population_record
{
    crn_text name;
    crn_number count, fraction, density, spacing, jitter, seed;
    crn_any radius, shapes, region, angular_velocity, groups, collides_with, insertion, removal;
    crn_text material;
    crn_choice packing; /* in the order of cairn_packing */
    crn_vector velocity;
} crn_population_record;

/* The words of a region's type. */
enum
{
    CRN_WORD_BOX,
    CRN_WORD_CYLINDER,
    CRN_WORD_MESH,
    CRN_WORD_DISC
};

typedef struct crn_region_record
{
    crn_choice type;
    crn_vector position, size;
    crn_number angle, radius, height;
    crn_any orientation, triangles;
    crn_vectors vertices;
    crn_text file;
} crn_region_record;

typedef struct crn_sizes_record
{
    crn_choice distribution; /* in the order of cairn_sizes_kind, from the second */
    crn_choice by;           /* number, mass */
    crn_number mean, deviation, min, max;
    crn_any points;
} crn_sizes_record;

typedef struct crn_insertion_record
{
    crn_number rate, begin, until;
} crn_insertion_record;

typedef struct crn_removal_record
{
    crn_any region;
    crn_flag recycle;
} crn_removal_record;

extern const crn_object crn_insertion_object, crn_removal_object, crn_population_object, crn_region_object,
    crn_sizes_object;

/* Read a region; false when something is wrong. Its triangles live as long as the document. */
bool crn_read_region(crn_reader *reader, const crn_node *node, cairn_population_region *out);

#endif
