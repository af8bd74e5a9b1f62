/* Statistics: regions and planes in which many bodies are counted together. The quantities of `record` become sensors. */
#include "math/vec.h"
#include "scene/build/build.h"
#include "scene/statistics/statistic_fields.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read a mapping within a statistic, named in messages as "statistic 'bulk', region". */
static bool read_within(crn_reader *reader, const char *field, const crn_object *object, const crn_node *node,
                        void *record)
{
    char where[128];
    const char *outer = reader->where;
    snprintf(where, sizeof where, "%s, %s", outer, field);
    reader->where = where;
    bool fine = crn_read_object(reader, object, node, record);
    reader->where = outer;
    return fine;
}

static bool read_region(crn_reader *reader, const crn_node *node, cairn_region *out)
{
    crn_zone_record record;
    if (!node)
        return true;
    if (!read_within(reader, "region", &crn_zone_object, node, &record))
        return false;
    memcpy(out->centre, record.position.value, sizeof out->centre);
    memcpy(out->size, record.size.value, sizeof out->size);
    out->radius = record.radius.value;
    out->height = record.height.value;
    out->angle = record.angle.value;
    for (int k = 0; record.size.node && k < reader->dimension; ++k)
        if (!(out->size[k] > 0))
            return crn_problem_at(reader, record.size.node, "region: size: must be greater than 0");
    return !record.orientation.node || crn_read_orientation(reader, record.orientation.node, out->orientation);
}

static bool read_plane(crn_reader *reader, const crn_node *node, cairn_statistic_options *out)
{
    crn_plane_record record;
    if (!node)
        return true;
    if (!read_within(reader, "plane", &crn_plane_object, node, &record))
        return false;
    memcpy(out->point, record.point.value, sizeof out->point);
    memcpy(out->normal, record.normal.value, sizeof out->normal);
    if (!(crn_norm3(out->normal) > 0))
        return crn_problem_at(reader, record.normal.node, "plane: normal: must have a length greater than 0");
    return true;
}

/* What a statistic records that it does not have: the nearest of its quantities is suggested. */
typedef struct lookout
{
    cairn_suggestion near;
    cairn_statistic statistic;
    size_t prefix; /* length of "NAME." */
} lookout;

static void offer(void *data, const char *name, const cairn_quantity *quantity)
{
    lookout *l = data;
    if (quantity->statistic.id == l->statistic.id && strlen(name) > l->prefix)
        cairn_suggestion_offer(&l->near, name + l->prefix);
}

static void report_unknown(crn_reader *reader, const char *statistic, const crn_node *node, const char *field)
{
    lookout l = {.near = {.word = field}, .statistic = cairn_model_find_statistic(reader->model, statistic)};
    l.prefix = strlen(statistic) + 1;
    if (cairn_quantity_each(reader->model, offer, &l))
        reader->no_memory = true;
    crn_clip clip = crn_clip_text(field);
    crn_problem_at(reader, node, "this statistic has no quantity '%s'%s", clip.text,
                   l.near.hint[0] ? l.near.hint : "; stress and fraction need a region, flow and passed need a plane");
}

/* Make a sensor of one quantity of the statistic, under that quantity's name: "bulk.stress". */
static void record_one(crn_reader *reader, const crn_statistic_record *statistic, const crn_node *node, int every)
{
    const char *field;
    cairn_quantity found;
    if (!crn_read_name(reader, node, &field))
        return;
    size_t size = strlen(statistic->name.text) + strlen(field) + 16;
    char *label = malloc(size), *quantity = malloc(size);
    if (label && quantity)
    {
        snprintf(label, size, "%s.%s", statistic->name.text, field);
        snprintf(quantity, size, "statistic:'%s'.%s", statistic->name.text, field);
    }
    if (!label || !quantity)
        reader->no_memory = true;
    else if (cairn_quantity_find(reader->scratch, reader->model, quantity, &found))
        report_unknown(reader, statistic->name.text, node, field);
    else if (!crn_sensors_add(reader->sensors, label, quantity, every))
        reader->no_memory = true;
    cairn_context_clear(reader->scratch);
    free(label);
    free(quantity);
}

static void record_all(crn_reader *reader, const crn_statistic_record *record)
{
    const crn_node *list = record->record.node;
    int every = record->every.node ? (int)record->every.value : 1;
    if (!list)
        return;
    reader->field = "record";
    if (list->kind != CRN_LIST)
        crn_problem_at(reader, list, "expected a list of quantities, found %s", crn_describe(list).text);
    for (const crn_node *item = list->kind == CRN_LIST ? list->first : NULL; item; item = item->next)
        record_one(reader, record, item, every);
    reader->field = NULL;
}

static bool fill_options(crn_reader *reader, const crn_statistic_record *record, cairn_statistic_options *out)
{
    *out = cairn_statistic_default();
    out->name = record->name.text;
    if (record->bins.node)
        out->bins = (int)fmin(record->bins.value, INT_MAX);
    if (record->top.node)
        out->top = record->top.value;
    if (record->touching.node)
        out->touching = record->touching.value;
    out->cell = record->cell.value;
    if (record->every.node && record->every.value > INT_MAX)
        return crn_problem_at(reader, record->every.node, "every: must be at most %d", INT_MAX);
    bool region = read_region(reader, record->region.node, &out->region);
    return read_plane(reader, record->plane.node, out) && region;
}

static void build_statistic(crn_reader *reader, const crn_node *node)
{
    crn_statistic_record record;
    cairn_statistic_options options;
    cairn_statistic made;
    int before = crn_problem_total(reader);
    bool fine = crn_read_object(reader, &crn_statistic_object, node, &record);
    crn_register(reader, &reader->statistics, "statistic", &record.name, 0);
    fine = fine && fill_options(reader, &record, &options);
    if (!fine || !reader->model || crn_problem_total(reader) != before)
        return;
    if (crn_pass_on(reader, node, cairn_model_add_statistic(reader->model, &options, &made)))
        record_all(reader, &record);
}

void crn_build_statistics(crn_reader *reader, const crn_scene_record *scene, crn_sensors *out)
{
    reader->sensors = out;
    crn_read_list(reader, scene->statistics.node, "statistics", "statistic", build_statistic);
    reader->sensors = NULL;
}
