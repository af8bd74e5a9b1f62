/* Values of fields, each with the node it came from (NULL: not given), and the functions that read them.
 *
 * A reading function that fails notes what was expected and what was found as a problem of the reader, and returns false. */
#ifndef CRN_SCENE_VALUES_H
#define CRN_SCENE_VALUES_H

#include "scene/reader.h"

typedef enum crn_range
{
    CRN_ANY = 0,
    CRN_POSITIVE,     /* > 0 */
    CRN_NOT_NEGATIVE, /* >= 0 */
    CRN_FRACTION,     /* 0..1 */
} crn_range;

/* One of some words. */
typedef struct crn_word
{
    const char *text;
    int dimension; /* 2, 3: only there; 0: both */
} crn_word;

typedef struct crn_any
{
    const crn_node *node; /* read by its owner */
} crn_any;

typedef struct crn_text
{
    const crn_node *node;
    const char *text;
} crn_text;

typedef struct crn_choice
{
    const crn_node *node;
    int index; /* of the word */
} crn_choice;

typedef struct crn_flag
{
    const crn_node *node;
    bool value;
} crn_flag;

typedef struct crn_number
{
    const crn_node *node;
    double value;
} crn_number;

typedef struct crn_vector
{
    const crn_node *node;
    double value[3];
} crn_vector;

/* A list of vectors, one after the other, each with as many numbers as the scene has dimensions. */
typedef struct crn_vectors
{
    const crn_node *node;
    double *values;
    int count;
} crn_vectors;

/* Two names, as in `bodies: [a, b]`. */
typedef struct crn_names
{
    const crn_node *node;
    const crn_node *name[2];
} crn_names;

/* An expression in t, the parameters replaced by their values. */
typedef struct crn_formula
{
    const crn_node *node;
    const char *text;
} crn_formula;

typedef struct crn_formulas
{
    const crn_node *node;
    const char *text[3];
} crn_formulas;

bool crn_read_text(crn_reader *reader, const crn_node *node, const char **out);
/* A text of one line that is not empty. */
bool crn_read_name(crn_reader *reader, const crn_node *node, const char **out);
bool crn_read_word(crn_reader *reader, const crn_node *node, const crn_word *words, int count, int *out);
bool crn_read_flag(crn_reader *reader, const crn_node *node, bool *out);
bool crn_read_number(crn_reader *reader, const crn_node *node, crn_range range, double *out);
bool crn_read_integer(crn_reader *reader, const crn_node *node, crn_range range, double *out);
/* A list of `count` numbers. */
bool crn_read_numbers(crn_reader *reader, const crn_node *node, int count, double *out);
/* As many numbers as the scene has dimensions; 2 or 3 when that is not known. */
bool crn_read_vector(crn_reader *reader, const crn_node *node, double out[3]);
bool crn_read_vectors(crn_reader *reader, const crn_node *node, crn_vectors *out);
bool crn_read_names(crn_reader *reader, const crn_node *node, crn_names *out);
bool crn_read_formula(crn_reader *reader, const crn_node *node, const char **out);
/* One formula per dimension. */
bool crn_read_formulas(crn_reader *reader, const crn_node *node, const char *out[3]);

/* "a, b or c": the words allowed in this scene's dimension. */
typedef struct crn_list_text
{
    char text[256];
} crn_list_text;
crn_list_text crn_list_words(const crn_word *words, int count, int dimension);

#endif
