#include "populate/recipe.h"

#include "model/names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void crn_recipe_bind(crn_recipe *recipe)
{
    crn_recipe_part *p = (crn_recipe_part *)(recipe + 1);
    for (int i = 0; i < recipe->parts; ++i)
    {
        p->sizes.table = p->sizes.table_count > 0 ? (const double *)((const char *)p + p->table_at) : NULL;
        p->distribution.options = &p->sizes;
        p = (crn_recipe_part *)((char *)p + p->size);
    }
}

void crn_recipe_free(void *recipe)
{
    free(recipe);
}

const crn_recipe_part *crn_recipe_part_of(const crn_recipe *recipe, int grain)
{
    const crn_recipe_part *part = crn_recipe_first(recipe);
    assert(grain >= 0 && grain < recipe->count);
    while (grain - part->first >= part->count)
        part = crn_recipe_after(part);
    return part;
}

/* The stretch that a grain of a part is in. */
static int find_run(const crn_recipe_part *p, int grain)
{
    const crn_recipe_run *runs = crn_recipe_runs(p);
    int low = 0, high = p->runs;
    while (high - low > 1)
    {
        int middle = (low + high) / 2;
        *(runs[middle].grain <= grain ? &low : &high) = middle;
    }
    return low;
}

static void enter_run(crn_recipe_reader *reader)
{
    const crn_recipe_part *p = reader->part;
    const crn_recipe_run *run = &crn_recipe_runs(p)[reader->run];
    crn_lattice_find(&p->lattice, run->place + (reader->next - p->first - run->grain), reader->at);
}

crn_recipe_reader crn_recipe_read(const crn_recipe *recipe, int first)
{
    const crn_recipe_part *p = crn_recipe_part_of(recipe, first);
    int own = first - p->first, mark = own / CRN_RECIPE_MARK;
    crn_recipe_reader reader = {.recipe = recipe, .part = p, .next = first, .run = find_run(p, own)};
    double q[4];
    bool are_balls = crn_recipe_has_balls(p);
    *(are_balls ? &reader.sizes : &reader.turns) = crn_recipe_mark(p, mark);
    for (int i = mark * CRN_RECIPE_MARK; i < own; ++i)
        if (are_balls)
            (void)crn_sizes_draw(&p->distribution, &reader.sizes);
        else
            crn_grain_turn(&reader.turns, q);
    enter_run(&reader);
    return reader;
}

cairn_status crn_recipe_weigh(double radius, double density, double *mass, double inertia[9])
{
    crn_body_traits traits = {.initial = {.orientation = {0}}}; /* all 0 */
    crn_shape_form form = {.half = {0}};
    crn_shape shape = {.kind = CAIRN_SPHERE, .radius = radius, .density = density, .bound = radius, .form = &form};
    crn_body body = {.kind = CAIRN_DYNAMIC, .shape_end = 1, .traits = &traits};
    const cairn_model model = {.dimension = 3, .bodies = &body, .body_count = 1, .shapes = &shape, .shape_count = 1};
    return crn_model_weigh(NULL, &model, 0, mass, inertia);
}

/* Come to the next grain, which begins a stretch or a population. */
static void go_on(crn_recipe_reader *reader)
{
    int own = reader->next - reader->part->first;
    if (own == reader->part->count)
        *reader = crn_recipe_read(reader->recipe, reader->next);
    else if (reader->run + 1 < reader->part->runs && crn_recipe_runs(reader->part)[reader->run + 1].grain == own)
    {
        ++reader->run;
        enter_run(reader);
    }
}

/* What it is, and how it is turned. */
static void take_ball(crn_recipe_reader *reader, crn_recipe_grain *out)
{
    const crn_recipe_part *p = reader->part;
    out->radius = crn_sizes_draw(&p->distribution, &reader->sizes);
    memcpy(out->q, (double[4]){1, 0, 0, 0}, sizeof out->q);
    if (out->radius != reader->radius)
        (void)crn_recipe_weigh(out->radius, p->density, &reader->mass, reader->inertia);
    reader->radius = out->radius;
    out->mass = reader->mass;
    memcpy(out->inertia, reader->inertia, sizeof out->inertia);
}

static void take_solid(crn_recipe_reader *reader, crn_recipe_grain *out)
{
    const crn_recipe_solid *solid = &reader->part->solid;
    out->radius = solid->size * solid->reach / solid->unit;
    crn_grain_turn(&reader->turns, out->q);
    out->mass = solid->mass;
    memcpy(out->inertia, solid->inertia, sizeof out->inertia);
}

void crn_recipe_next(crn_recipe_reader *reader, crn_recipe_grain *out)
{
    assert(reader->next < reader->recipe->count);
    go_on(reader);
    (crn_recipe_has_balls(reader->part) ? take_ball : take_solid)(reader, out);
    crn_lattice_place(&reader->part->lattice, reader->at, out->radius, out->x);
    ++reader->next;
    (void)crn_lattice_next(&reader->part->lattice, reader->at);
}
