/* The recipe of a population: its sizes are drawn and its places tried as where the grains are made, and nothing is kept of a grain. */
#include "math/vec.h"
#include "model/names.h"
#include "model/periodic.h"
#include "populate/recipe.h"
#include "populate/recipe_near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BALL = 4.0 / 3.0 * 3.14159265358979323846; /* times the cube of the radius is its volume */

/* Where balls are on their way: a population's part of a recipe. */
typedef struct draft
{
    const crn_sizes *sizes;
    const cairn_population_options *o;
    const crn_grain *grain;
    crn_recipe_solid solid;
    crn_arena memory;
    crn_random *mark;
    crn_recipe_run *run;
    int count, runs;
    double least, most; /* m: radii */
    crn_bounds bounds;
    crn_recipe_near near; /* grains of populations before it */
} draft;

/* Whether grains of these shapes are what a recipe can tell of. */
static bool suits(const cairn_population_options *o)
{
    static const double NONE[3] = {0};
    const cairn_shape_options *shape = o->shapes;
    if (!shape)
        return true;
    bool is_one = o->shape_count == 1 &&
                  (shape->kind == CAIRN_CAPSULE || shape->kind == CAIRN_BOX || shape->kind == CAIRN_ELLIPSOID ||
                   shape->kind == CAIRN_CYLINDER || shape->kind == CAIRN_CONE);
    bool is_still = crn_norm3(o->angular_velocity) == 0 && memcmp(shape->surface_velocity, NONE, sizeof NONE) == 0;
    return is_one && is_still && o->sizes.kind == CAIRN_SIZES_EQUAL;
}

bool crn_recipe_suits(const cairn_model *model, const cairn_population_options *o)
{
    bool is_simple = !model->body_slots.slot && !model->shape_slots.slot && !model->unmade.followers;
    return crn_context_registered(model->context, CRN_REGISTRY_RANKS, 0) && is_simple && model->dimension == 3 &&
           model->shear == 0 && o->packing == CAIRN_PACKING_LATTICE && suits(o) && o->insertion.rate == 0 &&
           !o->removal;
}

/* m: the next grain's volume-equivalent radius; and of the ball that holds a grain. */
static double next_radius(const draft *d, crn_random *random)
{
    return d->sizes ? crn_sizes_draw(d->sizes, random) : d->grain->radius;
}

static double reach_of(const draft *d, double radius)
{
    return radius * d->grain->reach / d->grain->radius;
}

static cairn_status mark(draft *d, const crn_random *sizes, const crn_random *turns)
{
    int at = d->count / CRN_RECIPE_MARK;
    if (d->count % CRN_RECIPE_MARK != 0)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&d->memory, CRN_ARRAY(d->mark, at + 1)));
    d->mark[at] = d->grain->turned ? *turns : *sizes;
    return CAIRN_OK;
}

/* Draw all sizes as populate/population.c does, and keep where the generator is at every mark. *is_well: they are as many as wanted, and have room. */
static cairn_status draw(draft *d, double room, int most_grains, bool *is_well)
{
    crn_random sizes = crn_random_start(d->o->seed, CRN_STREAM_SIZES);
    crn_random turns = crn_random_start(d->o->seed, CRN_STREAM_TURNS);
    double volume = 0, wanted = d->o->fraction * room, q[4];
    d->least = INFINITY;
    while ((d->o->fraction == 0 ? d->count < d->o->count : volume < wanted) && d->count < most_grains)
    {
        CRN_TRY(mark(d, &sizes, &turns));
        double r = next_radius(d, &sizes);
        volume += BALL * r * r * r;
        d->least = fmin(d->least, r);
        d->most = fmax(d->most, reach_of(d, r));
        ++d->count;
        if (d->grain->turned)
            crn_grain_turn(&turns, q);
    }
    *is_well = d->count > 0 && volume <= room && volume >= wanted;
    return CAIRN_OK;
}

static cairn_status add_place(draft *d, int64_t place, int64_t grain)
{
    const crn_recipe_run *last = d->runs > 0 ? &d->run[d->runs - 1] : NULL;
    if (last && place - last->place == grain - last->grain)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&d->memory, CRN_ARRAY(d->run, d->runs + 1)));
    d->run[d->runs++] = (crn_recipe_run){place, grain};
    return CAIRN_OK;
}

static void widen(crn_bounds *bounds, const double x[3], double radius)
{
    for (int k = 0; k < 3; ++k)
    {
        bounds->lower[k] = fmin(bounds->lower[k], x[k] - radius);
        bounds->upper[k] = fmax(bounds->upper[k], x[k] + radius);
    }
}

/* Give the grains places as crn_pack_lattice does. */
static cairn_status lay(draft *d, crn_packing *p, const crn_lattice *lattice, bool *is_well)
{
    crn_random random = crn_random_start(d->o->seed, CRN_STREAM_SIZES);
    double radius = reach_of(d, next_radius(d, &random)), left = crn_lattice_patience(d->count), x[3];
    int at[3] = {0}, placed = 0;
    int64_t place = 0;
    bool failed = false, is_place = lattice->n[0] > 0 && lattice->n[1] > 0 && lattice->n[2] > 0;
    const int most_runs = d->count / 64 + 1024; /* a recipe is to be smaller than what it is for */
    for (; is_place && placed < d->count && --left > 0 && d->runs < most_runs; ++place)
    {
        crn_lattice_place(lattice, at, radius, x);
        if (crn_lattice_takes(p, x, radius, &failed) &&
            crn_recipe_is_clear(&d->near, x, (1 - CRN_LATTICE_SLACK) * radius))
        {
            CRN_TRY(add_place(d, place, placed));
            widen(&d->bounds, x, radius);
            radius = ++placed < d->count ? reach_of(d, next_radius(d, &random)) : 0;
        }
        is_place = crn_lattice_next(lattice, at);
    }
    *is_well = placed == d->count && !failed;
    return failed ? CAIRN_NO_MEMORY : CAIRN_OK;
}

static size_t table_bytes(const cairn_population_options *o)
{
    return o->sizes.kind == CAIRN_SIZES_TABLE ? 2 * (size_t)o->sizes.table_count * sizeof(double) : 0;
}

static void fill(const draft *d, const cairn_model *model, const crn_lattice *lattice, size_t size, int first,
                 crn_recipe_part *p)
{
    const cairn_population_options *o = d->o;
    size_t table = table_bytes(o), run = (size_t)d->runs * sizeof *d->run, at = sizeof *p;
    int marks = (d->count + CRN_RECIPE_MARK - 1) / CRN_RECIPE_MARK;
    *p = (crn_recipe_part){.size = size,
                           .first = first,
                           .count = d->count,
                           .runs = d->runs,
                           .marks = marks,
                           .lattice = *lattice,
                           .density = o->density,
                           .material = crn_material_given(model, o->material),
                           .groups = o->groups,
                           .collides_with = o->collides_with,
                           .table_at = at,
                           .run_at = at + table,
                           .mark_at = at + table + run,
                           .bounds = d->bounds,
                           .solid = d->solid,
                           .sizes = o->sizes};
    if (d->sizes)
        p->distribution = *d->sizes;
    memcpy(p->velocity, o->velocity, sizeof p->velocity);
    memcpy(p->angular_velocity, o->angular_velocity, sizeof p->angular_velocity);
    if (table > 0)
        memcpy((char *)p + p->table_at, o->sizes.table, table);
    p->sizes.table_count = table > 0 ? o->sizes.table_count : 0;
    memcpy((char *)p + p->run_at, d->run, run);
    memcpy((char *)p + p->mark_at, d->mark, (size_t)marks * sizeof *d->mark);
}

/* The recipe so far, and the part behind it. */
static crn_recipe *finish(const draft *d, const cairn_model *model, const crn_lattice *lattice)
{
    const crn_recipe none = {.size = sizeof none, .least = INFINITY};
    const crn_recipe *before = d->near.recipe ? d->near.recipe : &none;
    size_t marks = ((size_t)d->count + CRN_RECIPE_MARK - 1) / CRN_RECIPE_MARK;
    size_t size =
        sizeof(crn_recipe_part) + table_bytes(d->o) + (size_t)d->runs * sizeof *d->run + marks * sizeof *d->mark;
    crn_recipe *r = malloc(before->size + size);
    if (!r)
        return NULL;
    memcpy(r, before, before->size);
    crn_recipe_part *part = (crn_recipe_part *)((char *)r + before->size);
    fill(d, model, lattice, size, before->count, part);
    r->size = before->size + size;
    r->count += d->count;
    r->parts += 1;
    r->least = fmin(r->least, crn_recipe_has_balls(part) ? d->least : crn_recipe_thickness(&d->solid));
    crn_recipe_bind(r);
    return r;
}

/* Whether the model takes the grains. */
static cairn_status weigh(draft *d, cairn_context *context, bool *is_well)
{
    double mass, inertia[9];
    if (d->grain->turned)
        return crn_recipe_weigh_solid(context, d->grain, d->least, &d->solid, is_well);
    d->solid.kind = CAIRN_SPHERE;
    *is_well = crn_recipe_weigh(d->least, d->o->density, &mass, inertia) == CAIRN_OK;
    return CAIRN_OK;
}

static cairn_status find(draft *d, const cairn_model *model, const crn_region *region, crn_obstacles *obstacles,
                         crn_recipe **out)
{
    bool is_well, is_taken = false;
    CRN_TRY(draw(d, region->volume, CRN_MOST_UNMADE - model->unmade.count, &is_well));
    double spacing = d->o->spacing > 0 ? d->o->spacing : 2.02 * d->most;
    if (is_well && spacing >= 2 * d->most)
        CRN_TRY(weigh(d, model->context, &is_taken));
    if (!is_taken)
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
    CRN_TRY(crn_recipe_near_open(model, d->o, &region->bounds, CRN_PACKING_CLEAR * d->most, &d->near));
    if (!d->near.is_known)
        return CAIRN_OK;
    CRN_TRY(lay(d, &packing, &lattice, &is_well));
    if (is_well && !(*out = finish(d, model, &lattice)))
        return CAIRN_NO_MEMORY;
    return CAIRN_OK;
}

cairn_status crn_recipe_find(const cairn_model *model, const cairn_population_options *options, const crn_grain *grain,
                             const crn_sizes *sizes, const crn_region *region, crn_obstacles *obstacles,
                             crn_recipe **out)
{
    draft d = {.sizes = sizes,
               .grain = grain,
               .o = options,
               .bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
    *out = NULL;
    cairn_status status = find(&d, model, region, obstacles, out);
    crn_recipe_near_close(&d.near);
    crn_arena_release(&d.memory);
    return status;
}
