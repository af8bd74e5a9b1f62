#include "populate/recipe_near.h"

#include "math/vec.h"

#include <math.h>
#include <stdlib.h>

static bool are_apart(const crn_bounds *a, const crn_bounds *b, double clear)
{
    bool apart = false;
    for (int k = 0; k < 3; ++k)
        apart = apart || a->upper[k] + 2 * clear < b->lower[k] || b->upper[k] + 2 * clear < a->lower[k];
    return apart;
}

cairn_status crn_recipe_near_open(const cairn_model *model, const cairn_population_options *o, const crn_bounds *where,
                                  double clear, crn_recipe_near *out)
{
    *out = (crn_recipe_near){
        .groups = o->groups, .collides_with = o->collides_with, .where = where, .clear = clear, .is_known = true};
    if (model->unmade.count == 0)
        return CAIRN_OK;
    out->recipe = model->unmade.recipe;
    const crn_recipe_part *part = crn_recipe_first(out->recipe);
    for (int i = 0; i < out->recipe->parts; ++i, part = crn_recipe_after(part))
        out->is_known = out->is_known && (crn_recipe_has_balls(part) || are_apart(&part->bounds, where, clear));
    out->block = calloc(CRN_RECIPE_BLOCKS, sizeof *out->block);
    return out->block ? CAIRN_OK : CAIRN_NO_MEMORY;
}

void crn_recipe_near_close(crn_recipe_near *near)
{
    free(near->block);
    *near = (crn_recipe_near){.recipe = NULL};
}

static double radius_of(crn_recipe_near *near, const crn_recipe_part *part, int grain)
{
    int mark = grain / CRN_RECIPE_MARK, first = mark * CRN_RECIPE_MARK;
    crn_recipe_block *block = &near->block[mark % CRN_RECIPE_BLOCKS];
    if (block->part != part || block->mark != mark)
    {
        crn_random random = crn_recipe_mark(part, mark);
        for (int i = 0; i < CRN_RECIPE_MARK && first + i < part->count; ++i)
            block->radius[i] = crn_sizes_draw(&part->distribution, &random);
        block->part = part;
        block->mark = mark;
    }
    return block->radius[grain - first];
}

/* The grain at a place of a lattice; -1: none. */
static int grain_at(const crn_recipe_part *part, const int at[3])
{
    const crn_lattice *lattice = &part->lattice;
    const crn_recipe_run *runs = crn_recipe_runs(part);
    int64_t place = ((int64_t)at[2] * lattice->n[1] + at[1]) * lattice->n[0] + at[0];
    int low = 0, high = part->runs;
    while (high - low > 1)
    {
        int middle = (low + high) / 2;
        *(runs[middle].place <= place ? &low : &high) = middle;
    }
    int64_t grain = runs[low].grain + (place - runs[low].place);
    int64_t end = high < part->runs ? runs[high].grain : part->count;
    return place >= runs[low].place && grain < end ? (int)grain : -1;
}

/* As the narrow phase measures the gap of two balls. */
static bool meets(crn_recipe_near *near, const crn_recipe_part *part, const int at[3], const double x[3], double radius)
{
    double y[3], off[3];
    int grain = grain_at(part, at);
    if (grain < 0)
        return false;
    double own = radius_of(near, part, grain);
    crn_lattice_place(&part->lattice, at, own, y);
    for (int k = 0; k < 3; ++k)
        if (y[k] + own < near->where->lower[k] || y[k] - own > near->where->upper[k])
            return false;
    crn_sub3(y, x, off);
    return crn_norm3(off) - own - radius < near->clear;
}

static bool may_meet(const crn_recipe_near *near, const crn_recipe_part *part, const double x[3], double reach)
{
    bool may = (part->groups & near->collides_with) && (near->groups & part->collides_with);
    for (int k = 0; k < 3 && may; ++k)
        may = x[k] + reach > part->bounds.lower[k] && x[k] - reach < part->bounds.upper[k];
    return may;
}

/* The places whose grains may come within reach of x: a grain lies in the cube about its place. */
static void find_places(const crn_lattice *lattice, const double x[3], double reach, int low[3], int high[3])
{
    double off[3], y[3];
    crn_sub3(x, lattice->pose.x, off);
    crn_unrotate3(lattice->pose.R, off, y);
    reach += 0.5 * lattice->spacing;
    for (int k = 0; k < 3; ++k)
    {
        double at = (y[k] - lattice->begin[k]) / lattice->spacing, by = reach / lattice->spacing;
        low[k] = (int)fmin(fmax(ceil(at - by), 0), lattice->n[k]);
        high[k] = (int)fmax(fmin(floor(at + by), lattice->n[k] - 1), -1);
    }
}

static bool is_clear_of(crn_recipe_near *near, const crn_recipe_part *part, const double x[3], double radius)
{
    int low[3], high[3], at[3];
    double reach = radius + 2 * near->clear;
    if (!may_meet(near, part, x, reach))
        return true;
    find_places(&part->lattice, x, reach, low, high);
    for (at[2] = low[2]; at[2] <= high[2]; ++at[2])
        for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
            for (at[0] = low[0]; at[0] <= high[0]; ++at[0])
                if (meets(near, part, at, x, radius))
                    return false;
    return true;
}

bool crn_recipe_is_clear(crn_recipe_near *near, const double x[3], double radius)
{
    const crn_recipe_part *part = near->recipe ? crn_recipe_first(near->recipe) : NULL;
    bool is_clear = true;
    for (int i = 0; part && i < near->recipe->parts && is_clear; ++i, part = crn_recipe_after(part))
        is_clear = is_clear_of(near, part, x, radius);
    return is_clear;
}
