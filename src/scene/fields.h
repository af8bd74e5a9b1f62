/* One table of fields per object of a scene file. The table drives reading, checking and the messages; the schema is
 * checked against it by a test. */
#ifndef CRN_SCENE_FIELDS_H
#define CRN_SCENE_FIELDS_H

#include "scene/values.h"

typedef enum crn_field_kind
{
    CRN_FIELD_ANY = 0,  /* crn_any: read by its owner */
    CRN_FIELD_TEXT,     /* crn_text */
    CRN_FIELD_NAME,     /* crn_text, not empty */
    CRN_FIELD_WORD,     /* crn_choice */
    CRN_FIELD_FLAG,     /* crn_flag */
    CRN_FIELD_NUMBER,   /* crn_number */
    CRN_FIELD_INTEGER,  /* crn_number */
    CRN_FIELD_VECTOR,   /* crn_vector */
    CRN_FIELD_VECTORS,  /* crn_vectors */
    CRN_FIELD_NAMES,    /* crn_names */
    CRN_FIELD_FORMULA,  /* crn_formula */
    CRN_FIELD_FORMULAS, /* crn_formulas */
} crn_field_kind;

enum
{
    CRN_ALWAYS = -1 /* every bit */
};

typedef struct crn_field
{
    const char *name;
    crn_field_kind kind;
    size_t offset; /* into the object's record */
    crn_range range;
    int dimension;       /* 2, 3: only there; 0: both */
    const char *instead; /* what to write in the other dimension; NULL: nothing */
    const crn_word *words;
    int word_count;
    int only;     /* bit i: belongs to word i of the selector; 0: to all */
    int required; /* bit i: must be given with word i of the selector; 0: never */
} crn_field;

typedef struct crn_object
{
    const char *noun;       /* "body" */
    const char *definition; /* its name in the schema */
    const char *selector;   /* the field of kind WORD that decides which others are allowed; NULL: none */
    const crn_field *fields;
    int count;
    size_t record_size;
} crn_object;

/* Read a mapping into a record (set to zero first). reader->where must be set. Returns true when it has no problems. */
bool crn_read_object(crn_reader *reader, const crn_object *object, const crn_node *node, void *record);

#endif
