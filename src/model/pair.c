/* What two materials have in contact with each other: what their pair is told, and otherwise what follows from both.
 *
 * Frictions and pulls have the geometric mean, as the work of adhesion of two surfaces does. The larger restitution counts. Rolling
 * and spinning frictions add up, since both bodies lose energy.
 */
#include "base/memory.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>

cairn_pair_options cairn_pair_default(void)
{
    return (cairn_pair_options){.struct_size = sizeof(cairn_pair_options),
                                .friction = NAN,
                                .restitution = NAN,
                                .rolling_friction = NAN,
                                .spinning_friction = NAN,
                                .cohesion = NAN};
}

/* ------------------------------------------------------------------------------------------------------------ adding */

cairn_status crn_check_resistance(const cairn_model *model, const char *kind, const char *name, double rolling,
                                  double spinning, double cohesion, double range)
{
    const struct
    {
        const char *field, *must;
        double found;
    } checks[] = {{"rolling_friction", "a length", rolling},
                  {"spinning_friction", "a length", spinning},
                  {"cohesion", "a force", cohesion},
                  {"cohesion_range", "a length", range}};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; ++i)
    {
        if (!(isfinite(checks[i].found) && checks[i].found >= 0))
            return crn_fail(model->context, CAIRN_INVALID, "%s '%s': %s: must be %s of 0 or more, found %g", kind, name,
                            checks[i].field, checks[i].must, checks[i].found);
    }
    return CAIRN_OK;
}

/* A field of a pair that is not told has any value that passes. */
static double told(double value)
{
    return isnan(value) ? 0.0 : value;
}

static const crn_pair *find(const cairn_model *model, int a, int b)
{
    assert(a >= 0 && (size_t)a < model->material_count);
    assert(b >= 0 && (size_t)b < model->material_count);
    int low = a < b ? a : b, high = a < b ? b : a;
    for (size_t i = 0; i < model->pair_count; ++i)
        if (model->pairs[i].a == low && model->pairs[i].b == high)
            return &model->pairs[i];
    return NULL;
}

cairn_status cairn_model_add_pair(cairn_model *model, cairn_material a, cairn_material b,
                                  const cairn_pair_options *options)
{
    if (!model || !options)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID, "pair: the model or the options are NULL");
    int i = crn_material_given(model, a), j = crn_material_given(model, b);
    if (i < 0 || j < 0)
        return crn_fail(model->context, CAIRN_INVALID, "pair: a material is not in the model");
    const cairn_pair_options *o = options;
    const char *name = model->materials[i].name;
    CRN_TRY(crn_check_options(model, "pair", o->struct_size, sizeof *o));
    CRN_TRY(crn_check_surface(model, "pair", told(o->friction), told(o->restitution)));
    CRN_TRY(crn_check_resistance(model, "pair of", name, told(o->rolling_friction), told(o->spinning_friction),
                                 told(o->cohesion), 0.0));
    if (find(model, i, j))
    {
        return crn_fail(model->context, CAIRN_INVALID, "pair '%s', '%s': is given twice",
                        model->materials[i < j ? i : j].name, model->materials[i < j ? j : i].name);
    }
    if (crn_reserve_all(&model->memory, CRN_ARRAY(model->pairs, model->pair_count + 1)))
        return crn_fail(model->context, CAIRN_NO_MEMORY, "pair: memory ran out");
    model->pairs[model->pair_count++] = (crn_pair){i < j ? i : j, i < j ? j : i, *o};
    model->rolls = model->rolls || o->rolling_friction > 0 || o->spinning_friction > 0;
    model->coheres = model->coheres || o->cohesion > 0;
    model->revision += 1;
    return CAIRN_OK;
}

cairn_status cairn_model_set_pair(cairn_model *model, cairn_material a, cairn_material b, double friction,
                                  double restitution)
{
    cairn_pair_options options = cairn_pair_default();
    options.friction = isnan(friction) ? INFINITY : friction; /* both must be told */
    options.restitution = isnan(restitution) ? INFINITY : restitution;
    return cairn_model_add_pair(model, a, b, &options);
}

/* ------------------------------------------------------------------------------------------------------------- asking */

/* sqrt(x^2) may differ from x in floating point: equal values are used as they are. */
static double geometric_mean(double x, double y)
{
    return x == y ? x : sqrt(x * y);
}

static double choose(double told, double otherwise)
{
    return isnan(told) ? otherwise : told;
}

void crn_materials_pair(const cairn_model *model, int a, int b, double *friction, double *restitution)
{
    const crn_material *x = &model->materials[a], *y = &model->materials[b];
    const crn_pair *pair = find(model, a, b);
    *friction = choose(pair ? pair->options.friction : NAN, geometric_mean(x->friction, y->friction));
    *restitution = choose(pair ? pair->options.restitution : NAN, fmax(x->restitution, y->restitution));
}

void crn_materials_rolling(const cairn_model *model, int a, int b, double *rolling, double *spinning)
{
    const crn_material *x = &model->materials[a], *y = &model->materials[b];
    const crn_pair *pair = find(model, a, b);
    *rolling = choose(pair ? pair->options.rolling_friction : NAN, x->rolling + y->rolling);
    *spinning = choose(pair ? pair->options.spinning_friction : NAN, x->spinning + y->spinning);
}

double crn_materials_cohesion(const cairn_model *model, int a, int b, double *range)
{
    const crn_material *x = &model->materials[a], *y = &model->materials[b];
    const crn_pair *pair = find(model, a, b);
    *range = fmax(x->range, y->range);
    return choose(pair ? pair->options.cohesion : NAN, geometric_mean(x->cohesion, y->cohesion));
}
