/* The layout of a run file: which datasets there are, their units and what they mean. One table drives the recorder,
 * the reader and the list of series, so that they cannot drift apart.
 *
 * A column is one dataset that grows by one row a frame (or one row a contact). Its rows wait in memory until the next
 * flush. Column 0 is always /time.
 */
#ifndef CRN_RUN_RUN_LAYOUT_H
#define CRN_RUN_RUN_LAYOUT_H

#include "cairn/run.h"

#define CRN_RUN_FORMAT         "cairn-run"
#define CRN_RUN_FORMAT_VERSION 2
#define CRN_RUN_STATUS_SIZE    64 /* bytes kept for the status word */

typedef enum crn_run_type
{
    CRN_RUN_DOUBLE = 0,
    CRN_RUN_INT32,
    CRN_RUN_INT64,
    CRN_RUN_UINT64,
} crn_run_type;

/* How a field is held in cairn_step_report. */
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
/* How many of them, from the first, a file of this format version has. */
int crn_run_series_of_version(int version);

/* The value of a series as it is stored: a double or an int64_t, 8 bytes. */
void crn_run_series_value(const crn_run_series *series, const cairn_step_report *report, void *value);
crn_run_type crn_run_series_type(const crn_run_series *series);

/* A field with a row of numbers: of each body, of each contact, of each spring... */
typedef struct crn_run_field
{
    const char *path;
    const char *unit;
    const char *description;
    size_t offset;     /* in cairn_body_state, cairn_contact, cairn_event or cairn_violation */
    crn_run_type type; /* as stored */
    int width;         /* numbers an item; 0: the item is a plain number, without a last axis of its own */
} crn_run_field;

enum
{
    CRN_RUN_BODY_FIELDS = 5,
    CRN_RUN_CONTACT_FIELDS = 14,
    CRN_RUN_RIGID_FIELDS = 10, /* of contacts, where no material is compliant: the first ones */
    CRN_RUN_EVENT_FIELDS = 8,
    CRN_RUN_VIOLATION_FIELDS = 7,
    CRN_RUN_EVENT_VERSION = 2, /* the format version from which on there are events */
};
extern const crn_run_field crn_run_body_fields[CRN_RUN_BODY_FIELDS];
/* body_a and body_b are the ones whose stored form is not that of cairn_contact. */
extern const crn_run_field crn_run_contact_fields[CRN_RUN_CONTACT_FIELDS];
/* Those stored as INT32 (kind, bodies, energy_grew) have another form in cairn_event. */
extern const crn_run_field crn_run_event_fields[CRN_RUN_EVENT_FIELDS];
/* Likewise kind and bodies of violations. */
extern const crn_run_field crn_run_violation_fields[CRN_RUN_VIOLATION_FIELDS];

/* Scalars of each spring, joint and force. */
typedef struct crn_run_named
{
    const char *group; /* "springs": the names stand in <group>/names */
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
/* Number and name of the model's springs, joints or forces. */
int crn_run_group_count(const cairn_model *model, const char *group);
const char *crn_run_group_name(const cairn_model *model, const char *group, int index);

size_t crn_run_type_size(crn_run_type type);

#endif
