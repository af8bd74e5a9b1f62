/* Watches: quantities read together, as the columns of a table. */
#include "base/context.h"
#include "base/memory.h"
#include "cairn/quantity.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct watched
{
    cairn_quantity quantity;
    int every;
    int first; /* column */
} watched;

struct cairn_watch
{
    cairn_context *context;
    const cairn_simulation *simulation;
    crn_arena memory; /* owns what follows */
    watched *items;
    size_t item_count;
    char **labels; /* per column */
    const char **units;
    double *values;
    size_t column_count;
    bool is_read; /* there are values, which a quantity may keep */
};

cairn_status cairn_watch_create(cairn_context *context, const cairn_simulation *simulation, cairn_watch **out)
{
    if (!simulation || !out)
        return crn_fail(context, CAIRN_INVALID, "watch: the simulation or the place for it is NULL");
    *out = calloc(1, sizeof **out);
    if (!*out)
        return crn_fail(context, CAIRN_NO_MEMORY, "watch: memory ran out");
    (*out)->context = context;
    (*out)->simulation = simulation;
    return CAIRN_OK;
}

void cairn_watch_destroy(cairn_watch *watch)
{
    if (!watch)
        return;
    crn_arena_release(&watch->memory);
    free(watch);
}

static cairn_status fail_memory(const cairn_watch *watch)
{
    return crn_fail(watch->context, CAIRN_NO_MEMORY, "watch: memory ran out");
}

static cairn_status check_label(const cairn_watch *watch, const char *label)
{
    for (size_t i = 0; i < watch->column_count; ++i)
        if (!strcmp(watch->labels[i], label))
            return crn_fail(watch->context, CAIRN_INVALID, "watch: two columns would be called '%s'", label);
    return CAIRN_OK;
}

/* Add the column of number `index` of a quantity: "imu.x". */
static cairn_status add_column(cairn_watch *watch, const char *label, const cairn_quantity *quantity, int index)
{
    const char *part = cairn_quantity_part(quantity, index);
    char *text = NULL;
    size_t size = strlen(label) + strlen(part) + 2, count = watch->column_count + 1;
    if (crn_reserve_all(&watch->memory, CRN_ARRAY(text, size), CRN_ARRAY(watch->labels, count),
                        CRN_ARRAY(watch->units, count), CRN_ARRAY(watch->values, count)))
        return fail_memory(watch);
    snprintf(text, size, "%s%s%s", label, *part ? "." : "", part);
    CRN_TRY(check_label(watch, text));
    watch->labels[watch->column_count] = text;
    watch->units[watch->column_count] = quantity->unit;
    watch->values[watch->column_count++] = 0;
    return CAIRN_OK;
}

cairn_status cairn_watch_add(cairn_watch *watch, const char *label, const char *quantity, int every)
{
    if (!watch || !quantity)
        return crn_fail(watch ? watch->context : NULL, CAIRN_INVALID, "watch: the watch or the quantity is NULL");
    label = label ? label : quantity;
    if (every < 1)
        return crn_fail(watch->context, CAIRN_INVALID, "watch '%s': every must be at least 1, found %d", label, every);
    watched item = {.every = every, .first = (int)watch->column_count};
    CRN_TRY(cairn_quantity_find(watch->context, cairn_simulation_model(watch->simulation), quantity, &item.quantity));
    if (crn_reserve_all(&watch->memory, CRN_ARRAY(watch->items, watch->item_count + 1)))
        return fail_memory(watch);
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < item.quantity.count && !status; ++i)
        status = add_column(watch, label, &item.quantity, i);
    if (status)
    {
        watch->column_count = (size_t)item.first;
        return status;
    }
    watch->items[watch->item_count++] = item;
    watch->is_read = false;
    return CAIRN_OK;
}

cairn_status cairn_watch_add_sensors(cairn_watch *watch, const cairn_scene *scene)
{
    if (!watch || !scene)
        return crn_fail(watch ? watch->context : NULL, CAIRN_INVALID, "watch: the watch or the scene is NULL");
    for (int i = 0; i < cairn_scene_sensor_count(scene); ++i)
    {
        cairn_sensor sensor = cairn_scene_sensor(scene, i);
        CRN_TRY(cairn_watch_add(watch, sensor.name, sensor.quantity, sensor.every));
    }
    return CAIRN_OK;
}

int cairn_watch_count(const cairn_watch *watch)
{
    return watch ? (int)watch->column_count : 0;
}

const char *cairn_watch_label(const cairn_watch *watch, int index)
{
    return watch && index >= 0 && (size_t)index < watch->column_count ? watch->labels[index] : "";
}

const char *cairn_watch_unit(const cairn_watch *watch, int index)
{
    return watch && index >= 0 && (size_t)index < watch->column_count ? watch->units[index] : "";
}

cairn_status cairn_watch_read(cairn_watch *watch, const double **values)
{
    if (!watch || !values)
        return crn_fail(watch ? watch->context : NULL, CAIRN_INVALID,
                        "watch: the watch or the place for the values is NULL");
    *values = watch->values;
    int64_t step = cairn_simulation_report(watch->simulation)->step;
    for (size_t i = 0; i < watch->item_count; ++i)
    {
        const watched *item = &watch->items[i];
        assert((size_t)(item->first + item->quantity.count) <= watch->column_count);
        if (watch->is_read && step % item->every != 0)
            continue;
        CRN_TRY(cairn_quantity_value(watch->simulation, &item->quantity, watch->values + item->first));
    }
    watch->is_read = true;
    return CAIRN_OK;
}
