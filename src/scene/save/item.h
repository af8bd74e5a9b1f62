/* Items of a scene file: mappings of fields in a list, on one line in braces where that is short enough, else a field per line.
 *
 *     - {name: floor, kind: fixed, shapes: [{type: half-plane}]}
 *
 *     - name: a body with more to say
 *       shapes:
 *         - {type: ellipsoid, radii: [1, 2, 3]}
 *
 * An item is collected as text, in which SEPARATOR stands before every field and ELEMENT before the elements of a list that may have lines
 * of their own; crn_item_end decides.
 */
#ifndef CRN_SCENE_SAVE_ITEM_H
#define CRN_SCENE_SAVE_ITEM_H

#include "model/model.h"
#include "scene/save/compose.h"

enum
{
    CRN_ITEM_DEPTH = 6
};

typedef struct crn_saver
{
    const cairn_model *model;
    FILE *out;           /* the scene */
    const char *section; /* of which no item has been written yet; NULL: none */
    FILE *item;          /* the item being collected; NULL: none */
    char *text;
    size_t length;
    int depth;                  /* open braces and brackets in the item */
    bool begun[CRN_ITEM_DEPTH]; /* per depth: something is in them */
    bool no_memory;
    bool failed; /* something cannot be said; the message is in the context */
} crn_saver;

/* Begin a section, which appears with its first item. */
void crn_section(crn_saver *saver, const char *name);
void crn_item_begin(crn_saver *saver);
void crn_item_end(crn_saver *saver);

/* A field of the item, or of the innermost braces; its value follows. */
void crn_field_begin(crn_saver *saver, const char *name);
void crn_open(crn_saver *saver, char bracket);
void crn_close(crn_saver *saver, char bracket);
/* An element of the innermost brackets follows; `own_line`: it may have a line of its own. */
void crn_element_begin(crn_saver *saver, bool own_line);

/* Values. */
void crn_put_number(crn_saver *saver, double value);
void crn_put_text(crn_saver *saver, const char *text);
void crn_put_expression(crn_saver *saver, const char *text);
void crn_put_numbers(crn_saver *saver, const double *values, int count);

/* Whole fields, left out where they have their default. */
void crn_field_number(crn_saver *saver, const char *name, double value, double standard);
void crn_field_text(crn_saver *saver, const char *name, const char *text);
void crn_field_flag(crn_saver *saver, const char *name, bool value);
/* Numbers, left out where all bits are those of the default. */
void crn_field_numbers(crn_saver *saver, const char *name, const double *values, const double *standard, int count);
/* Points of `dimension` numbers, `stride` apart. */
void crn_field_points(crn_saver *saver, const char *name, const double *points, int count, int dimension, int stride);

/* Something that a scene file cannot say: leave a message and remember the failure. */
void crn_cannot_say(crn_saver *saver, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
