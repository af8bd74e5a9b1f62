/* Populations. */
#include "scene/build/build.h"
#include "scene/population/population_fields.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The sieve curve: a list of points [radius, share]. */
static bool read_points(crn_reader *reader, const crn_node *node, cairn_sizes *out)
{
    if (node->kind != CRN_LIST || node->count < 2)
        return crn_problem_at(reader, node, "points: expected a list of points [radius, share], found %s",
                              crn_describe(node).text);
    double *table = crn_reader_memory(reader, sizeof(double) * 2 * (size_t)node->count);
    bool fine = table;
    reader->field = "points";
    out->table = table;
    out->table_count = node->count;
    for (const crn_node *item = node->first; item && table; item = item->next, table += 2)
        fine = crn_read_numbers(reader, item, 2, table) && fine;
    reader->field = NULL;
    return fine;
}

static bool read_distribution(crn_reader *reader, const crn_node *node, cairn_sizes *out)
{
    crn_sizes_record record;
    char where[128];
    const char *outer = reader->where;
    snprintf(where, sizeof where, "%s, radius", outer);
    reader->where = where;
    bool fine = crn_read_object(reader, &crn_sizes_object, node, &record);
    *out = (cairn_sizes){.kind = (cairn_sizes_kind)(record.distribution.index + 1),
                         .by_mass = record.by.index == 1,
                         .mean = record.mean.value,
                         .deviation = record.deviation.value,
                         .least = record.min.value,
                         .most = record.max.value};
    fine = fine && (!record.points.node || read_points(reader, record.points.node, out));
    reader->where = outer;
    return fine;
}

static bool read_radius(crn_reader *reader, const crn_node *node, cairn_sizes *out)
{
    if (node->kind == CRN_MAPPING)
        return read_distribution(reader, node, out);
    reader->field = "radius";
    bool fine = crn_read_number(reader, node, CRN_POSITIVE, &out->mean);
    reader->field = NULL;
    return fine;
}

/* The shapes of a grain. */
static bool read_shapes(crn_reader *reader, const crn_node *node, const crn_text *material,
                        cairn_population_options *options)
{
    if (node->kind != CRN_LIST || node->count == 0)
        return crn_problem_at(reader, node, "shapes: expected a list of shapes, found %s", crn_describe(node).text);
    cairn_shape_options *shapes = crn_reader_memory(reader, sizeof *shapes * (size_t)node->count);
    double(*vertices)[8] = crn_reader_memory(reader, sizeof *vertices * (size_t)node->count);
    const char *outer = reader->where;
    bool fine = shapes && vertices;
    int number = 0;
    for (const crn_node *item = node->first; item && shapes && vertices; item = item->next, ++number)
    {
        char where[128];
        const crn_mesh_file *file;
        snprintf(where, sizeof where, "%s, shape %d", outer, number + 1);
        reader->where = where;
        bool read = crn_read_shape(reader, item, material, vertices[number], &shapes[number], &file);
        if (read && file)
            read = crn_problem_at(reader, item, "file: a grain takes no file; write its vertices");
        fine = read && fine;
        reader->where = outer;
    }
    options->shapes = shapes;
    options->shape_count = node->count;
    return fine;
}

static bool read_insertion(crn_reader *reader, const crn_node *node, cairn_insertion *out)
{
    crn_insertion_record record;
    char where[128];
    const char *outer = reader->where;
    snprintf(where, sizeof where, "%s, insertion", outer);
    reader->where = where;
    bool fine = crn_read_object(reader, &crn_insertion_object, node, &record);
    *out = (cairn_insertion){record.rate.value, record.begin.value, record.until.value};
    reader->where = outer;
    return fine;
}

static bool read_removal(crn_reader *reader, const crn_node *node, cairn_population_options *options)
{
    crn_removal_record record;
    char where[128];
    const char *outer = reader->where;
    snprintf(where, sizeof where, "%s, removal", outer);
    reader->where = where;
    bool fine = crn_read_object(reader, &crn_removal_object, node, &record);
    cairn_population_region *region = crn_reader_memory(reader, sizeof *region);
    fine = fine && region && crn_read_region(reader, record.region.node, region);
    options->removal = region;
    options->recycle = record.recycle.value;
    reader->where = outer;
    return fine;
}

/* How grains come and go. */
static void fill_flow(crn_reader *reader, const crn_population_record *record, cairn_population_options *options)
{
    if (record->insertion.node)
        read_insertion(reader, record->insertion.node, &options->insertion);
    if (record->removal.node)
        read_removal(reader, record->removal.node, options);
}

/* What a grain is, and where it begins. */
static bool fill_grain(crn_reader *reader, const crn_node *node, const crn_population_record *record,
                       cairn_population_options *options)
{
    bool fine = true;
    if (record->radius.node)
        fine = read_radius(reader, record->radius.node, &options->sizes);
    else if (!record->shapes.node)
        fine = crn_problem_at(reader, node, "missing field 'radius'");
    if (record->shapes.node)
        fine = read_shapes(reader, record->shapes.node, &record->material, options) && fine;
    fine = crn_read_spin(reader, record->angular_velocity.node, options->angular_velocity) && fine;
    if (record->region.node)
        fine = crn_read_region(reader, record->region.node, &options->region) && fine;
    crn_read_groups(reader, record->groups.node, record->collides_with.node, &options->groups,
                    &options->collides_with);
    return crn_find_material(reader, &record->material, &options->material) && fine;
}

static void build_population(crn_reader *reader, const crn_node *node)
{
    crn_population_record record;
    cairn_population_options options = cairn_population_default();
    int before = crn_problem_total(reader), made;
    crn_read_object(reader, &crn_population_object, node, &record);
    fill_grain(reader, node, &record, &options);
    fill_flow(reader, &record, &options);
    if (record.count.node && record.fraction.node)
        crn_problem_at(reader, node, "needs either 'count' or 'fraction', not both");
    else if (!record.count.node && !record.fraction.node && !record.insertion.node &&
             crn_problem_total(reader) == before)
        crn_problem_at(reader, node, "needs 'count' or 'fraction'");
    if (crn_problem_total(reader) != before || !reader->model)
        return;
    options.name = record.name.text;
    options.count = (int)fmin(record.count.value, INT_MAX);
    options.fraction = record.fraction.value;
    options.density = record.density.value;
    options.spacing = record.spacing.value;
    options.jitter = record.jitter.value;
    options.packing = (cairn_packing)record.packing.index;
    if (record.seed.node)
        options.seed = (uint64_t)fmin(record.seed.value, 0x1p53);
    memcpy(options.velocity, record.velocity.value, sizeof options.velocity);
    crn_pass_on(reader, node, cairn_model_add_population(reader->model, &options, &made));
}

void crn_build_populations(crn_reader *reader, const crn_scene_record *scene)
{
    assert(!reader->field);
    crn_read_list(reader, scene->populations.node, "populations", "population", build_population);
}
