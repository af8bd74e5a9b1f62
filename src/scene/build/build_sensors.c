/* Sensors: names for quantities that the scene measures. Each type but `quantity` is short for a quantity of its own:
 *
 *     accelerometer    accelerometer(BODY,x,y,z)
 *     gyro             gyro(BODY)
 *     contact-force    BODY.contact_force, or with `from` force(BODY,FROM)
 *     joint-force      JOINT.force
 *     joint-moment     JOINT.moment
 */
#include "base/context.h"
#include "cairn/quantity.h"
#include "scene/build/build.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum
{
    QUANTITY,
    ACCELEROMETER,
    GYRO,
    CONTACT_FORCE,
    JOINT_FORCE,
    JOINT_MOMENT
};

/* The name of the quantity, in `text` of `size` bytes. */
static void write_quantity(const crn_sensor_record *record, int dimension, char *text, size_t size)
{
    const double *x = record->point.value;
    char point[96] = "";
    switch (record->type.index)
    {
    case ACCELEROMETER:
        if (record->point.node && dimension == 2)
            snprintf(point, sizeof point, ",%.17g,%.17g", x[0], x[1]);
        else if (record->point.node)
            snprintf(point, sizeof point, ",%.17g,%.17g,%.17g", x[0], x[1], x[2]);
        snprintf(text, size, "accelerometer('%s'%s)", record->body.text, point);
        break;
    case GYRO:
        snprintf(text, size, "gyro('%s')", record->body.text);
        break;
    case CONTACT_FORCE:
        if (record->from.node)
            snprintf(text, size, "force('%s','%s')", record->body.text, record->from.text);
        else
            snprintf(text, size, "body:'%s'.contact_force", record->body.text);
        break;
    default:
        assert(record->type.index == JOINT_FORCE || record->type.index == JOINT_MOMENT);
        snprintf(text, size, "joint:'%s'.%s", record->joint.text,
                 record->type.index == JOINT_FORCE ? "force" : "moment");
    }
}

/* Whether the bodies and the joint that the sensor names exist. */
static bool find_things(crn_reader *reader, const crn_sensor_record *record)
{
    struct
    {
        const char *field, *noun;
        const crn_index *index;
        const crn_text *name;
    } things[] = {{"body", "body", &reader->bodies, &record->body},
                  {"from", "body", &reader->bodies, &record->from},
                  {"joint", "joint", &reader->joints, &record->joint}};
    bool all = true;
    for (int i = 0; i < 3; ++i)
    {
        reader->field = things[i].field;
        all = (!things[i].name->node || crn_find(reader, things[i].index, things[i].noun, things[i].name->node)) && all;
        reader->field = NULL;
    }
    return all;
}

/* Whether the model has the quantity; it must be complete. */
static bool check_quantity(crn_reader *reader, const crn_node *node, const char *name)
{
    cairn_quantity found;
    if (!cairn_quantity_find(reader->scratch, reader->model, name, &found))
        return true;
    reader->field = "quantity";
    crn_problem_at(reader, node, "%s", cairn_context_last_message(reader->scratch));
    reader->field = NULL;
    cairn_context_clear(reader->scratch);
    return false;
}

bool crn_sensors_add(crn_sensors *all, const char *name, const char *quantity, int every)
{
    assert(every >= 1);
    cairn_sensor made = {.name = crn_arena_text(&all->memory, name),
                         .quantity = crn_arena_text(&all->memory, quantity),
                         .every = every};
    if (!made.name || !made.quantity || crn_reserve_all(&all->memory, CRN_ARRAY(all->items, all->count + 1)))
        return false;
    all->items[all->count++] = made;
    return true;
}

static void keep(crn_reader *reader, const crn_sensor_record *record, const char *quantity)
{
    int every = record->every.node ? (int)record->every.value : 1;
    if (!crn_sensors_add(reader->sensors, record->name.text, quantity, every))
        reader->no_memory = true;
}

static void build_sensor(crn_reader *reader, const crn_node *node)
{
    crn_sensor_record record;
    char *text = NULL;
    int before = crn_problem_total(reader);
    bool fine = crn_read_object(reader, &crn_sensor_object, node, &record);
    crn_register(reader, &reader->sensor_names, "sensor", &record.name, 0);
    fine = fine && find_things(reader, &record);
    if (fine && record.every.node && record.every.value > INT_MAX)
        fine = crn_problem_at(reader, record.every.node, "every: must be at most %d", INT_MAX);
    if (!fine || crn_problem_total(reader) != before || !reader->model)
        return;
    size_t size = 160 + strlen(record.body.node ? record.body.text : "") +
                  strlen(record.from.node ? record.from.text : "") +
                  strlen(record.joint.node ? record.joint.text : "");
    if (record.type.index == QUANTITY)
    {
        /* Things that were not built would be missed here, too. */
        if (before == 0 && check_quantity(reader, record.quantity.node, record.quantity.text))
            keep(reader, &record, record.quantity.text);
    }
    else if (crn_reserve_all(&reader->sensors->memory, CRN_ARRAY(text, size)))
    {
        reader->no_memory = true;
    }
    else
    {
        write_quantity(&record, reader->dimension, text, size);
        keep(reader, &record, text);
    }
}

void crn_build_sensors(crn_reader *reader, const crn_scene_record *scene, crn_sensors *out)
{
    reader->sensors = out;
    crn_read_list(reader, scene->sensors.node, "sensors", "sensor", build_sensor);
    reader->sensors = NULL;
}
