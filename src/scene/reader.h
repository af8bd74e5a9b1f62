/* The reader of one scene: what is known so far, and every problem found, to be told at the end in the order of the
 * file. Reading goes on after a problem; only a scene without any is handed out. */
#ifndef CRN_SCENE_READER_H
#define CRN_SCENE_READER_H

#include "model/model.h"
#include "scene/document.h"
#include "scene/index.h"

enum
{
    CRN_PROBLEMS = 100, /* told at most */
    CRN_UNSAID = 1000   /* counted beside them at most; then the rest is not read */
};

typedef struct crn_problem
{
    int line, column;
    int order;
    char *text;
} crn_problem;

typedef struct crn_reader
{
    cairn_context *context;                      /* where the messages go in the end */
    const struct crn_joint_fields *joint_fields; /* while joints are read */
    cairn_context *scratch; /* the model's while it is built: its messages get a place before they are passed on */
    const char *file;
    crn_document *document;
    int dimension;            /* 2, 3; 0: not known, because it is missing or wrong */
    cairn_model *model;       /* NULL when the dimension is not known */
    const char *where;        /* "body 'left'"; NULL: the scene itself */
    const char *field;        /* "mass"; NULL: none */
    crn_constant *parameters; /* in the order of their names */
    size_t parameter_count, parameter_capacity;
    crn_index materials, bodies, joints, springs, forces;
    crn_index groups; /* of bodies; id: its bit plus 1 */
    crn_problem problems[CRN_PROBLEMS];
    int problem_count;
    int unsaid;       /* problems beyond the limit */
    double evaluated; /* operations that expressions of height fields have taken */
    bool no_memory;
    const char *folder;                   /* where the files that shapes name are; NULL: the scene is a text alone */
    const crn_node *files;                /* the scene's `files`; NULL: none */
    const struct crn_shape_table *shapes; /* fields of shapes; NULL until the first shape */
    struct crn_scene_file *read;          /* files that were read, the last first */
} crn_reader;

/* A problem at a node: "where: field: text". */
void crn_problem_at(crn_reader *reader, const crn_node *node, const char *format, ...) CRN_PRINTF(3, 4);
/* The same, a number of columns into the node. */
void crn_problem_inside(crn_reader *reader, const crn_node *node, int columns, const char *format, ...)
    CRN_PRINTF(4, 5);

/* Whether there were problems since `before`, a value of crn_problem_total. */
int crn_problem_total(const crn_reader *reader);

/* Whether a file has so many problems that more of its lists are not read: each costs a search for what might be meant. */
bool crn_gave_up(const crn_reader *reader);

/* Pass on the messages the model left in the scratch context while `element` was built, each at the field it names or
 * at the element. Returns whether `status` is CAIRN_OK. */
bool crn_pass_on(crn_reader *reader, const crn_node *element, cairn_status status);

/* Tell all problems. CAIRN_OK when there are none. */
cairn_status crn_reader_tell(crn_reader *reader);
void crn_reader_free(crn_reader *reader);

/* What a node is, for messages: "'text'", "-1", "a list of 3", "a mapping", "nothing". */
typedef struct crn_found
{
    char text[96];
} crn_found;
crn_found crn_describe(const crn_node *node);

/* A text cut to a length fit for a message, at the end of a character. */
typedef struct crn_clip
{
    char text[64];
} crn_clip;
crn_clip crn_clip_text(const char *text);

/* "body 'left'" when the mapping has a field `name`, else "body 3". */
crn_found crn_element_name(const char *noun, const crn_node *element, int number);

/* Whether a plain scalar is a number, a truth value or null to YAML, and so no text. */
bool crn_is_number_like(const char *text);

#endif
