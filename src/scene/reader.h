/* The reader of one scene: what is known so far, and every problem found. Reading continues after a problem; at the end all
 * problems are reported in the order of the file. Only a scene without problems is returned. */
#ifndef CRN_SCENE_READER_H
#define CRN_SCENE_READER_H

#include "model/model.h"
#include "scene/document.h"
#include "scene/index.h"

enum
{
    CRN_PROBLEMS = 100, /* reported at most */
    CRN_UNSAID = 1000   /* counted beyond these at most; then reading stops */
};

typedef struct crn_problem
{
    int line, column;
    int order;
    char *text;
} crn_problem;

typedef struct crn_reader
{
    cairn_context *context;                      /* receives the messages at the end */
    const struct crn_joint_fields *joint_fields; /* while joints are read */
    cairn_context
        *scratch; /* of the model while it is built: its messages get a line and a column before they are passed on */
    const char *file;
    crn_document *document;
    int dimension;            /* 2, 3; 0: not known, because it is missing or wrong */
    cairn_model *model;       /* NULL when the dimension is not known */
    const char *where;        /* "body 'left'"; NULL: the scene itself */
    const char *field;        /* "mass"; NULL: none */
    crn_constant *parameters; /* in the order of their names */
    size_t parameter_count, parameter_capacity;
    crn_index materials, bodies, joints, springs, forces, sensor_names, statistics;
    struct crn_sensors *sensors; /* while they are read */
    crn_index groups;            /* of bodies; id: its bit plus 1 */
    crn_problem problems[CRN_PROBLEMS];
    int problem_count;
    int unsaid;       /* problems beyond the limit */
    double evaluated; /* operations that expressions of height fields have taken */
    bool no_memory;
    bool has_robots;                      /* files of other programs are part of the scene */
    const char *folder;                   /* where the files that shapes name are; NULL: the scene is a text alone */
    const crn_node *files;                /* the scene's `files`; NULL: none */
    const struct crn_shape_table *shapes; /* fields of shapes; NULL until the first shape */
    struct crn_scene_file *read;          /* files that were read, the last first */
} crn_reader;

/* Note a problem at a node: "where: field: text". Returns false, so that a check that fails ends with
 * `return crn_problem_at(...)`. */
bool crn_problem_at(crn_reader *reader, const crn_node *node, const char *format, ...) CRN_PRINTF(3, 4);
/* The same, a number of columns into the node. */
bool crn_problem_inside(crn_reader *reader, const crn_node *node, int columns, const char *format, ...)
    CRN_PRINTF(4, 5);
/* Zeroed memory that lives as long as the document; NULL when memory ran out, which is then noted. */
void *crn_reader_memory(crn_reader *reader, size_t size);

/* Problems so far, those that are only counted included. */
int crn_problem_total(const crn_reader *reader);

/* True when a file has so many problems that the rest of its lists is not read: each costs a search for the word that was meant. */
bool crn_gave_up(const crn_reader *reader);

/* Turn the messages that the model left in the scratch context while `element` was built into problems, each at the field it
 * names or at the element. Returns true when `status` is CAIRN_OK. */
bool crn_pass_on(crn_reader *reader, const crn_node *element, cairn_status status);

/* Report all problems. CAIRN_OK when there are none. */
cairn_status crn_reader_tell(crn_reader *reader);
void crn_reader_free(crn_reader *reader);

/* Describe a node in a message: "'text'", "-1", "a list of 3", "a mapping", "nothing". */
typedef struct crn_found
{
    char text[96];
} crn_found;
crn_found crn_describe(const crn_node *node);

/* A text shortened to fit into a message, cut between two characters. */
typedef struct crn_clip
{
    char text[64];
} crn_clip;
crn_clip crn_clip_text(const char *text);

/* "body 'left'" when the mapping has a field `name`, else "body 3". */
crn_found crn_element_name(const char *noun, const crn_node *element, int number);

/* True when a plain scalar looks like a number. */
bool crn_is_number_like(const char *text);

#endif
