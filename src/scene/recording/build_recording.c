/* The mapping `recording` of a scene file: what its run files hold, and when they are written. */
#include "scene/build/build.h"

#include <stddef.h>
#include <string.h>

typedef struct recording_record
{
    crn_number every, interval, compression, checkpoint, checkpoint_wall;
    crn_any leave_out;
    crn_choice precision;
} recording_record;

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define AT(member)   .name = #member, .offset = offsetof(recording_record, member)

static const crn_word PRECISIONS[] = {{"double", 0}, {"single", 0}};
static const char *const GROUPS[] = {"contacts", "velocities", "joints"}; /* by the bits of cairn_record */

static const crn_field fields[] = {
    {AT(every), .kind = CRN_FIELD_INTEGER, .range = CRN_POSITIVE},
    {AT(interval), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(leave_out)},
    {AT(precision), .kind = CRN_FIELD_WORD, .words = PRECISIONS, .word_count = COUNT(PRECISIONS)},
    {AT(compression), .kind = CRN_FIELD_INTEGER, .range = CRN_NOT_NEGATIVE},
    {AT(checkpoint), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(checkpoint_wall), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
};

const crn_object crn_recording_object = {
    "recording", "recording", NULL, .fields = fields, .count = COUNT(fields), .record_size = sizeof(recording_record)};

static unsigned read_groups(crn_reader *reader, const crn_node *list)
{
    unsigned groups = 0;
    if (list->kind != CRN_LIST)
        crn_problem_at(reader, list, "expected a list of contacts, velocities and joints, found %s",
                       crn_describe(list).text);
    for (const crn_node *item = list->kind == CRN_LIST ? list->first : NULL; item; item = item->next)
    {
        const char *name;
        int k = 0;
        if (!crn_read_text(reader, item, &name))
            continue;
        while (k < COUNT(GROUPS) && strcmp(GROUPS[k], name) != 0)
            ++k;
        if (k == COUNT(GROUPS))
            crn_problem_at(reader, item, "expected contacts, velocities or joints, found '%s'", crn_clip_text(name).text);
        else
            groups |= 1U << k;
    }
    return groups;
}

static void take(crn_reader *reader, const recording_record *record, cairn_recording *out)
{
    out->every = record->every.node ? (int)record->every.value : 1;
    out->interval = record->interval.value;
    out->single = record->precision.index == 1;
    out->compression = (int)record->compression.value;
    out->checkpoint_interval = record->checkpoint.value;
    out->checkpoint_wall = record->checkpoint_wall.value;
    if (record->interval.node && record->every.node)
        crn_problem_at(reader, record->interval.node, "interval: every says already which steps are recorded");
    if (record->compression.value > 9)
        crn_problem_at(reader, record->compression.node, "compression: expected a whole number from 0 to 9, found %g",
                       record->compression.value);
    reader->field = "leave_out";
    if (record->leave_out.node)
        out->leave_out = read_groups(reader, record->leave_out.node);
    reader->field = NULL;
}

void crn_build_recording(crn_reader *reader, const crn_scene_record *scene, cairn_recording *out)
{
    recording_record record;
    *out = (cairn_recording){.every = 1};
    if (!scene->recording.node)
        return;
    reader->where = "recording";
    if (crn_read_object(reader, &crn_recording_object, scene->recording.node, &record))
        take(reader, &record, out);
    reader->where = NULL;
}
