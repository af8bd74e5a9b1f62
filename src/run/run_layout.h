/* The layout of a run file: its datasets, their units and their meaning. The same tables drive the recorder, the reader and
 * the list of series, so that these agree.
 *
 * A column is a dataset that grows by one row per frame, or by one row per contact, event or violation. Its rows wait in
 * memory until the next flush. Column 0 is always /time.
 */
#ifndef CRN_RUN_RUN_LAYOUT_H
#define CRN_RUN_RUN_LAYOUT_H

#include "cairn/run.h"

#define CRN_RUN_FORMAT         "cairn-run"
#define CRN_RUN_FORMAT_VERSION 2
#define CRN_RUN_STATUS_SIZE    64 /* bytes kept for the status word */
#define CRN_RUN_CREATED        32 /* bytes of the time of creation */

typedef enum crn_run_type
{
    CRN_RUN_DOUBLE = 0,
    CRN_RUN_INT64,
    CRN_RUN_UINT64,
    /* The file stores these as 32-bit integers. */
    CRN_RUN_INDEX, /* int, at least -1, which stands for none */
    CRN_RUN_BODY,  /* cairn_body; stored as the body's index, -1 for the null body */
    CRN_RUN_KIND,  /* an enumeration; its names are an attribute of the dataset */
    CRN_RUN_FLAG,  /* bool */
} crn_run_type;

/* The type of a field in cairn_step_report. */
typedef enum crn_report_type
{
    CRN_REPORT_DOUBLE = 0,
    CRN_REPORT_INT,
    CRN_REPORT_INT64,
    CRN_REPORT_OUTCOME,
    CRN_REPORT_BOOL,
} crn_report_type;

/* A scalar recorded in every frame: a field of the step's report. */
typedef struct crn_run_series
{
    const char *name; /* also its path in the file */
    const char *unit;
    const char *description;
    size_t offset; /* in cairn_step_report */
    crn_report_type type;
} crn_run_series;

extern const crn_run_series crn_run_series_table[];
extern const int crn_run_series_total;
/* A file of this format version has the first so many of them. */
int crn_run_series_of_version(int version);

/* Get the value of a series as stored: a double or an int64_t, 8 bytes. */
void crn_run_series_value(const crn_run_series *series, const cairn_step_report *report, void *value);
crn_run_type crn_run_series_type(const crn_run_series *series);

/* A field of the items of a dataset: bodies, contacts, events or violations. */
typedef struct crn_run_field
{
    const char *path;
    const char *unit;
    const char *description;
    size_t offset; /* in the item's struct */
    crn_run_type type;
    int width; /* numbers per item; 0: a plain number, without a last axis of its own; 6: two vectors, an axis of 2 and one of 3 */
} crn_run_field;

enum
{
    CRN_RUN_BODY_FIELDS = 5,
    CRN_RUN_POSE_FIELDS = 3, /* the first so many, where velocities are left out */
    CRN_RUN_CONTACT_FIELDS = 14,
    CRN_RUN_RIGID_FIELDS = 10, /* the first so many, where no material is compliant */
};
extern const crn_run_field crn_run_body_fields[CRN_RUN_BODY_FIELDS];
/* Names of the groups that a file may lack, by the place of their bit in cairn_record. */
enum
{
    CRN_RUN_GROUPS = 3
};
extern const char *const crn_run_groups[CRN_RUN_GROUPS];
/* So many of them are recorded. */
int crn_run_body_fields_of(unsigned leave_out);
extern const crn_run_field crn_run_contact_fields[CRN_RUN_CONTACT_FIELDS];

/* Bytes of a field of one item, as stored. */
size_t crn_run_field_size(const crn_run_field *field);
/* Convert a field of one item to its stored form. */
void crn_run_field_store(const crn_run_field *field, const cairn_model *model, const void *item, void *stored);
/* And back. False when no item can have the value: a body that is not one of `bodies`, or a kind that is not one of `kinds`. */
bool crn_run_field_load(const crn_run_field *field, int bodies, int kinds, const void *stored, void *item);

/* What a simulation lists after each step: events, and violations of the physics. The group has one row per item in the
 * dataset of each field; a frame's items are rows start .. start + count - 1. They include the items of the steps between the
 * frame before and this one that were not recorded, so that none is lost. */
typedef struct crn_run_list
{
    const char *group; /* "events" */
    int first_version; /* of the file format that has the group */
    bool optional;     /* files of that version may lack it: it is then empty */
    size_t item_size;  /* bytes */
    int field_count;
    const crn_run_field *fields;
    int kinds;
    const char *(*kind_name)(int kind);
    int (*count)(const cairn_simulation *simulation);
    void (*get)(const cairn_simulation *simulation, int index, void *item);
} crn_run_list;

enum
{
    CRN_RUN_EVENTS = 0,
    CRN_RUN_VIOLATIONS,
    CRN_RUN_LISTS,
    CRN_RUN_LIST_FIELDS = 8, /* the most fields of a list */
};
/* An event or a violation. */
typedef union crn_run_item
{
    cairn_event event;
    cairn_violation violation;
} crn_run_item;
extern const crn_run_list crn_run_lists[CRN_RUN_LISTS];

/* Scalars of each spring, joint and force. */
typedef struct crn_run_named
{
    const char *group; /* "springs"; <group>/names holds the names */
    const char *quantity;
    const char *unit;
    const char *description;
    double (*value)(const cairn_simulation *simulation, int index);
} crn_run_named;

enum
{
    CRN_RUN_NAMED = 4
};
extern const crn_run_named crn_run_named_table[CRN_RUN_NAMED];
/* Number and names of the model's "bodies", "springs", "joints" or "forces". */
int crn_run_group_count(const cairn_model *model, const char *group);
const char *crn_run_group_name(const cairn_model *model, const char *group, int index);

size_t crn_run_type_size(crn_run_type type);

#endif
