/* Populations whose grains come and go, as populations; the grains of others are saved as the bodies that they are. The same options and
 * seed make the same grains again. What shapes a grain has is written as those of the first one: a population scales them to the radius of
 * each. */
#include "scene/save/save.h"

#include <assert.h>
#include <string.h>

static const double ZERO[4] = {0};

static void put_triangles(crn_saver *s, const cairn_population_region *region)
{
    crn_field_begin(s, "triangles");
    crn_open(s, '[');
    for (int i = 0; i < region->triangle_count; ++i)
    {
        const int *corner = region->triangles + (ptrdiff_t)3 * i;
        crn_element_begin(s, false);
        crn_put_numbers(s, (double[3]){corner[0], corner[1], corner[2]}, 3);
    }
    crn_close(s, ']');
}

static void save_region(crn_saver *s, const cairn_population_region *region)
{
    int n = s->model->dimension;
    const char *const types[] = {"box", n == 2 ? "disc" : "cylinder", "mesh"};
    crn_field_begin(s, "region");
    crn_open(s, '{');
    crn_field_text(s, "type", types[region->kind]);
    crn_field_numbers(s, "position", region->position, ZERO, n);
    if (n == 2)
        crn_field_number(s, "angle", region->angle, 0);
    else
        crn_field_numbers(s, "orientation", region->orientation, ZERO, 4);
    if (region->kind == CAIRN_REGION_BOX)
        crn_field_numbers(s, "size", region->size, ZERO, n);
    if (region->kind == CAIRN_REGION_CYLINDER)
        crn_field_number(s, "radius", region->radius, 0);
    if (region->kind == CAIRN_REGION_CYLINDER && n == 3)
        crn_field_number(s, "height", region->height, 0);
    if (region->kind == CAIRN_REGION_MESH)
    {
        crn_field_points(s, "vertices", region->vertices, region->vertex_count, 3, 3);
        put_triangles(s, region);
    }
    crn_close(s, '}');
}

static void save_sizes(crn_saver *s, const cairn_sizes *sizes)
{
    static const char *const kinds[] = {"", "uniform", "normal", "lognormal", "table"};
    if (sizes->kind == CAIRN_SIZES_EQUAL)
    {
        crn_field_number(s, "radius", sizes->mean, 0);
        return;
    }
    crn_field_begin(s, "radius");
    crn_open(s, '{');
    crn_field_text(s, "distribution", kinds[sizes->kind]);
    if (sizes->by_mass)
        crn_field_text(s, "by", "mass");
    if (sizes->kind == CAIRN_SIZES_TABLE)
        crn_field_points(s, "points", sizes->table, sizes->table_count, 2, 2);
    else
    {
        bool has_mean = sizes->kind != CAIRN_SIZES_UNIFORM;
        crn_field_number(s, "mean", has_mean ? sizes->mean : 0, 0);
        crn_field_number(s, "deviation", has_mean ? sizes->deviation : 0, 0);
        crn_field_number(s, "min", sizes->least, 0);
        crn_field_number(s, "max", sizes->most, 0);
    }
    crn_close(s, '}');
}

/* What a grain is: a ball of a material and density, or shapes. */
static void save_grain(crn_saver *s, const crn_flow_options *flow, int body)
{
    const crn_body *grain = &s->model->bodies[body];
    const crn_shape *shape = &s->model->shapes[grain->shape_begin];
    save_sizes(s, &flow->sizes);
    if (flow->turned)
    {
        crn_save_shapes(s, body);
        return;
    }
    assert(shape->body == body);
    crn_field_number(s, "density", shape->density, 0);
    if (shape->material > 0)
        crn_field_text(s, "material", s->model->materials[shape->material].name);
}

static void save_flow(crn_saver *s, const crn_flow_options *flow)
{
    if (flow->inserts)
    {
        crn_field_begin(s, "insertion");
        crn_open(s, '{');
        crn_field_number(s, "rate", flow->insertion.rate, 0);
        crn_field_number(s, "begin", flow->insertion.begin, 0);
        crn_field_number(s, "until", flow->insertion.until, 0);
        crn_close(s, '}');
    }
    if (!flow->removes)
        return;
    crn_field_begin(s, "removal");
    crn_open(s, '{');
    save_region(s, &flow->out);
    crn_field_flag(s, "recycle", flow->recycles);
    crn_close(s, '}');
}

/* Grains follow each other; one that was taken out of the model would come back. */
static int first_grain(crn_saver *s, const crn_population *population)
{
    int first = -1, count = 0;
    for (int i = 0; i < (int)s->model->body_count; ++i)
    {
        if (s->model->bodies[i].population != 1 + population - s->model->populations)
            continue;
        first = first < 0 ? i : first;
        ++count;
    }
    if (count == population->count)
        return first;
    crn_cannot_say(s, "population '%s': its grains come and go, and some of them have been taken out of the model",
                   population->name);
    return -1;
}

static void save_population(crn_saver *s, const crn_population *population, uint64_t groups)
{
    static const char *const packings[] = {"", "lattice", "deposit", "growth"};
    const crn_flow_options *flow = population->flow;
    int first = first_grain(s, population), n = s->model->dimension;
    if (first < 0)
        return;
    if (flow->seed > (uint64_t)1 << 53)
        crn_cannot_say(s, "population '%s': seed: a scene file has seeds up to 2^53", population->name);
    crn_item_begin(s);
    crn_field_text(s, "name", population->name);
    crn_field_number(s, "count", population->count, 0);
    save_grain(s, flow, first);
    save_region(s, &flow->in);
    if (flow->packing != CAIRN_PACKING_RANDOM)
        crn_field_text(s, "packing", packings[flow->packing]);
    crn_field_number(s, "spacing", flow->spacing, 0);
    crn_field_number(s, "jitter", flow->jitter, 0);
    crn_field_number(s, "seed", (double)flow->seed, 1);
    crn_field_numbers(s, "velocity", flow->velocity, ZERO, n);
    if (n == 2)
        crn_field_number(s, "angular_velocity", flow->angular_velocity[2], 0);
    else
        crn_field_numbers(s, "angular_velocity", flow->angular_velocity, ZERO, 3);
    crn_save_groups(s, &s->model->bodies[first], groups);
    save_flow(s, flow);
    crn_item_end(s);
}

void crn_save_populations(crn_saver *s)
{
    uint64_t groups = crn_groups_used(s->model);
    crn_section(s, "populations");
    for (size_t i = 0; i < s->model->population_count; ++i)
        if (s->model->populations[i].flow)
            save_population(s, &s->model->populations[i], groups);
}
