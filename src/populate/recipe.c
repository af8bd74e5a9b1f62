#include "populate/recipe.h"

#include "model/names.h"
#include "model/periodic.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BALL = 4.0 / 3.0 * 3.14159265358979323846; /* times the cube of the radius is its volume */

/* Grains from `grain` on stand at places from `place` on. */
typedef struct recipe_run
{
    int64_t place, grain;
} recipe_run;

/* ----------------------------------------------------------------------------------------------------------------- read */

static const recipe_run *runs_of(const crn_recipe *r)
{
    return (const recipe_run *)((const char *)r + r->run_at);
}

static const crn_random *marks_of(const crn_recipe *r)
{
    return (const crn_random *)((const char *)r + r->mark_at);
}

void crn_recipe_bind(crn_recipe *r)
{
    r->sizes.table = r->sizes.table_count > 0 ? (const double *)((const char *)r + r->table_at) : NULL;
    r->distribution.options = &r->sizes;
}

void crn_recipe_free(void *recipe)
{
    free(recipe);
}

/* The stretch that a grain is in. */
static int find_run(const crn_recipe *r, int grain)
{
    const recipe_run *runs = runs_of(r);
    int low = 0, high = r->runs;
    while (high - low > 1)
    {
        int middle = (low + high) / 2;
        *(runs[middle].grain <= grain ? &low : &high) = middle;
    }
    return low;
}

static void enter_run(crn_recipe_reader *reader)
{
    const recipe_run *run = &runs_of(reader->recipe)[reader->run];
    crn_lattice_find(&reader->recipe->lattice, run->place + (reader->next - run->grain), reader->at);
}

crn_recipe_reader crn_recipe_read(const crn_recipe *recipe, int first)
{
    int mark = first / CRN_RECIPE_MARK;
    crn_recipe_reader reader = {.recipe = recipe, .next = first, .run = find_run(recipe, first)};
    reader.random = marks_of(recipe)[mark];
    for (int i = mark * CRN_RECIPE_MARK; i < first; ++i)
        (void)crn_sizes_draw(&recipe->distribution, &reader.random);
    enter_run(&reader);
    return reader;
}

/* kg, kg m^2: as the model weighs the grain, to the bit. */
static cairn_status weigh(double radius, double density, double *mass, double *inertia)
{
    crn_body_traits traits = {.initial = {.orientation = {0}}}; /* all 0 */
    crn_shape_form form = {.half = {0}};
    crn_shape shape = {.kind = CAIRN_SPHERE, .radius = radius, .density = density, .bound = radius, .form = &form};
    crn_body body = {.kind = CAIRN_DYNAMIC, .shape_end = 1, .traits = &traits};
    const cairn_model model = {.dimension = 3, .bodies = &body, .body_count = 1, .shapes = &shape, .shape_count = 1};
    double I[9];
    cairn_status status = crn_model_weigh(NULL, &model, 0, mass, I);
    *inertia = I[8];
    return status;
}

void crn_recipe_next(crn_recipe_reader *reader, crn_recipe_grain *out)
{
    const crn_recipe *r = reader->recipe;
    assert(reader->next < r->count);
    if (reader->run + 1 < r->runs && runs_of(r)[reader->run + 1].grain == reader->next)
    {
        ++reader->run;
        enter_run(reader);
    }
    out->radius = crn_sizes_draw(&r->distribution, &reader->random);
    crn_lattice_place(&r->lattice, reader->at, out->radius, out->x);
    if (out->radius != reader->radius)
        (void)weigh(out->radius, r->density, &reader->mass, &reader->inertia);
    reader->radius = out->radius;
    out->mass = reader->mass;
    out->inertia = reader->inertia;
    ++reader->next;
    (void)crn_lattice_next(&r->lattice, reader->at);
}

/* ----------------------------------------------------------------------------------------------------------------- find */

/* A recipe on its way. */
typedef struct draft
{
    const crn_sizes *sizes;
    const cairn_population_options *o;
    crn_arena memory;
    crn_random *mark;
    recipe_run *run;
    int count, runs;
    double least, most; /* m: radii */
} draft;

bool crn_recipe_suits(const cairn_model *model, const cairn_population_options *o)
{
    bool is_simple = !model->body_slots.slot && !model->shape_slots.slot && model->unmade.count == 0;
    return crn_context_registered(model->context, CRN_REGISTRY_RANKS, 0) && is_simple && model->dimension == 3 &&
           model->shear == 0 && o->packing == CAIRN_PACKING_LATTICE && !o->shapes && o->insertion.rate == 0 &&
           !o->removal;
}

/* Draw all sizes as populate/population.c does, and keep where the generator is at every mark. *is_well: they are as many as wanted, and have room. */
static cairn_status draw(draft *d, double room, int most_grains, bool *is_well)
{
    crn_random random = crn_random_start(d->o->seed, CRN_STREAM_SIZES);
    double volume = 0, wanted = d->o->fraction * room;
    d->least = INFINITY;
    while ((d->o->fraction == 0 ? d->count < d->o->count : volume < wanted) && d->count < most_grains)
    {
        int mark = d->count / CRN_RECIPE_MARK;
        if (d->count % CRN_RECIPE_MARK == 0)
        {
            CRN_TRY(crn_reserve_all(&d->memory, CRN_ARRAY(d->mark, mark + 1)));
            d->mark[mark] = random;
        }
        double r = crn_sizes_draw(d->sizes, &random);
        volume += BALL * r * r * r;
        d->least = fmin(d->least, r);
        d->most = fmax(d->most, r);
        ++d->count;
    }
    *is_well = d->count > 0 && volume <= room && volume >= wanted;
    return CAIRN_OK;
}

static cairn_status add_place(draft *d, int64_t place, int64_t grain)
{
    const recipe_run *last = d->runs > 0 ? &d->run[d->runs - 1] : NULL;
    if (last && place - last->place == grain - last->grain)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&d->memory, CRN_ARRAY(d->run, d->runs + 1)));
    d->run[d->runs++] = (recipe_run){place, grain};
    return CAIRN_OK;
}

/* Give the grains places as crn_pack_lattice does. */
static cairn_status lay(draft *d, crn_packing *p, const crn_lattice *lattice, bool *is_well)
{
    crn_random random = d->mark[0];
    double radius = crn_sizes_draw(d->sizes, &random), left = crn_lattice_patience(d->count), x[3];
    int at[3] = {0}, placed = 0;
    int64_t place = 0;
    bool failed = false, is_place = lattice->n[0] > 0 && lattice->n[1] > 0 && lattice->n[2] > 0;
    const int most_runs = d->count / 64 + 1024; /* a recipe is to be smaller than what it is for */
    for (; is_place && placed < d->count && --left > 0 && d->runs < most_runs; ++place)
    {
        crn_lattice_place(lattice, at, radius, x);
        if (crn_lattice_takes(p, x, radius, &failed))
        {
            CRN_TRY(add_place(d, place, placed));
            radius = ++placed < d->count ? crn_sizes_draw(d->sizes, &random) : 0;
        }
        is_place = crn_lattice_next(lattice, at);
    }
    *is_well = placed == d->count && !failed;
    return failed ? CAIRN_NO_MEMORY : CAIRN_OK;
}

static crn_recipe *finish(const draft *d, const cairn_model *model, const crn_lattice *lattice)
{
    const cairn_population_options *o = d->o;
    size_t table = o->sizes.kind == CAIRN_SIZES_TABLE ? 2 * (size_t)o->sizes.table_count : 0;
    size_t marks = ((size_t)d->count + CRN_RECIPE_MARK - 1) / CRN_RECIPE_MARK, at = sizeof(crn_recipe);
    size_t size = at + table * sizeof(double) + (size_t)d->runs * sizeof *d->run + marks * sizeof *d->mark;
    crn_recipe *r = malloc(size);
    if (!r)
        return NULL;
    *r = (crn_recipe){.size = size,
                      .count = d->count,
                      .runs = d->runs,
                      .marks = (int)marks,
                      .lattice = *lattice,
                      .density = o->density,
                      .material = crn_material_given(model, o->material),
                      .groups = o->groups,
                      .collides_with = o->collides_with,
                      .table_at = at,
                      .run_at = at + table * sizeof(double),
                      .mark_at = at + table * sizeof(double) + (size_t)d->runs * sizeof *d->run,
                      .least = d->least,
                      .sizes = o->sizes,
                      .distribution = *d->sizes};
    memcpy(r->velocity, o->velocity, sizeof r->velocity);
    memcpy(r->angular_velocity, o->angular_velocity, sizeof r->angular_velocity);
    if (table > 0)
        memcpy((char *)r + r->table_at, o->sizes.table, table * sizeof(double));
    r->sizes.table_count = (int)(table / 2);
    memcpy((char *)r + r->run_at, d->run, (size_t)d->runs * sizeof *d->run);
    memcpy((char *)r + r->mark_at, d->mark, marks * sizeof *d->mark);
    crn_recipe_bind(r);
    return r;
}

static cairn_status find(draft *d, const cairn_model *model, const crn_region *region, crn_obstacles *obstacles,
                         crn_recipe **out)
{
    bool is_well;
    double mass, inertia;
    CRN_TRY(draw(d, region->volume, CRN_MOST_UNMADE, &is_well));
    double spacing = d->o->spacing > 0 ? d->o->spacing : 2.02 * d->most;
    if (!is_well || spacing < 2 * d->most || weigh(d->least, d->o->density, &mass, &inertia))
        return CAIRN_OK;
    crn_balls balls = {.dimension = 3, .count = d->count, .most = d->most};
    crn_packing packing = {.context = model->context,
                           .name = d->o->name,
                           .options = d->o,
                           .region = region,
                           .obstacles = obstacles,
                           .balls = &balls,
                           .spacing = spacing};
    const crn_lattice lattice = crn_lattice_in(region, d->o, d->most, spacing);
    CRN_TRY(lay(d, &packing, &lattice, &is_well));
    if (is_well && !(*out = finish(d, model, &lattice)))
        return CAIRN_NO_MEMORY;
    return CAIRN_OK;
}

cairn_status crn_recipe_find(const cairn_model *model, const cairn_population_options *options, const crn_sizes *sizes,
                             const crn_region *region, crn_obstacles *obstacles, crn_recipe **out)
{
    draft d = {.sizes = sizes, .o = options};
    *out = NULL;
    cairn_status status = find(&d, model, region, obstacles, out);
    crn_arena_release(&d.memory);
    return status;
}
