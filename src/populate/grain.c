/* Volume and centre of mass come from a model of its own, with one body that has the shapes. A body of several shapes weighs what they
 * weigh together: where they overlap, mass and volume count twice. */
#include "populate/grain.h"

#include "base/random.h"
#include "math/vec.h"
#include "model/handles.h"
#include "model/names.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static int vertex_numbers(int dimension, const cairn_shape_options *shape)
{
    return dimension * shape->vertex_count;
}

/* A shape `scale` times as large, its vertices in `numbers`. */
static cairn_shape_options scaled(const cairn_shape_options *shape, int dimension, double scale, double *numbers)
{
    cairn_shape_options out = *shape;
    out.radius *= scale;
    out.length *= scale;
    out.height *= scale;
    for (int k = 0; k < 3; ++k)
    {
        out.radii[k] *= scale;
        out.size[k] *= scale;
        out.position[k] *= scale;
    }
    for (int i = 0; i < vertex_numbers(dimension, shape); ++i)
        numbers[i] = scale * shape->vertices[i];
    out.vertices = shape->vertices ? numbers : NULL;
    return out;
}

/* The grain's body in a model of its own. */
static cairn_status put(crn_grain *grain, cairn_model *scratch, int dimension, const char *name, bool weighed,
                        int *index)
{
    cairn_body_options options = cairn_body_default();
    cairn_body body;
    cairn_shape made;
    options.name = name;
    CRN_TRY(cairn_model_add_body(scratch, &options, &body));
    *index = cairn_model_body_index(scratch, body);
    for (int i = 0; i < grain->count; ++i)
    {
        cairn_shape_options shape = scaled(&grain->shapes[i], dimension, 1, grain->numbers);
        shape.material = (cairn_material){0};
        shape.density = weighed ? shape.density : 1;
        CRN_TRY(cairn_model_add_shape(scratch, body, &shape, &made));
    }
    return CAIRN_OK;
}

/* Move the shapes to their centre of mass, and measure them there. */
static cairn_status measure(crn_grain *grain, cairn_model *scratch, int dimension, const char *name)
{
    double mass, centre[3], elsewhere[3], extent;
    int body;
    CRN_TRY(put(grain, scratch, dimension, name, true, &body));
    crn_model_shapes_mass(scratch, body, &mass, centre, &extent);
    CRN_TRY(cairn_model_remove_body(scratch, crn_body_handle(scratch, body)));
    for (int i = 0; i < grain->count; ++i)
        crn_sub3(grain->shapes[i].position, centre, grain->shapes[i].position);
    CRN_TRY(put(grain, scratch, dimension, name, false, &body));
    crn_model_shapes_mass(scratch, body, &mass, elsewhere, &grain->reach);
    if (!(mass > 0))
        return crn_fail(scratch->context, CAIRN_INVALID, "population '%s': shapes: they have no volume", name);
    grain->radius = dimension == 2 ? sqrt(mass / PI) : crn_exact_exp(crn_exact_log(0.75 * mass / PI) / 3);
    return CAIRN_OK;
}

static cairn_status check(const cairn_model *model, const cairn_population_options *o)
{
    for (int i = 0; i < o->shape_count; ++i)
    {
        const cairn_shape_options *shape = &o->shapes[i];
        CRN_TRY(crn_check_options(model, "shape", shape->struct_size, sizeof *shape));
        if (shape->file)
            return crn_fail(model->context, CAIRN_INVALID, "population '%s': shapes: a grain takes no file", o->name);
        if (!((int)shape->kind >= 0 && (int)shape->kind < crn_shape_class_count) ||
            (crn_class_of(shape->kind)->flags & (CRN_SHAPE_IMMOVABLE | CRN_SHAPE_UNBOUNDED)))
            return crn_fail(model->context, CAIRN_INVALID,
                            "population '%s': shapes: a grain must have bounded shapes that can move", o->name);
        if (shape->recentre || shape->scale != 1)
            return crn_fail(
                model->context, CAIRN_INVALID,
                "population '%s': shapes: 'recentre' and 'scale' have no meaning here: grains are moved to their "
                "centre of mass, and their radius says how large they are",
                o->name);
    }
    return CAIRN_OK;
}

/* Copy the shapes; their vertices stay the caller's. */
static cairn_status copy(const cairn_model *model, const cairn_population_options *o, crn_grain *grain)
{
    bool ball = !o->shapes;
    int most = 1;
    cairn_shape_options plain = cairn_shape_default(model->dimension == 2 ? CAIRN_CIRCLE : CAIRN_SPHERE);
    plain.radius = 1;
    grain->count = ball ? 1 : o->shape_count;
    grain->turned = !ball;
    for (int i = 0; i < o->shape_count; ++i)
        most = (int)fmax(most, vertex_numbers(model->dimension, &o->shapes[i]));
    if (crn_reserve_all(&grain->memory, CRN_ARRAY(grain->shapes, grain->count), CRN_ARRAY(grain->numbers, most)))
        return crn_fail(model->context, CAIRN_NO_MEMORY, "population '%s': memory ran out", o->name);
    for (int i = 0; i < grain->count; ++i)
    {
        cairn_shape_options *shape = &grain->shapes[i];
        *shape = ball ? plain : o->shapes[i];
        shape->density = shape->density > 0 ? shape->density : o->density;
        shape->material = shape->material.id != 0 ? shape->material : o->material;
        if (!(isfinite(shape->density) && shape->density > 0))
            return crn_fail(model->context, CAIRN_INVALID, "population '%s': density: must be greater than 0, found %g",
                            o->name, shape->density);
        if (crn_material_given(model, shape->material) < 0)
            return crn_fail(model->context, CAIRN_INVALID, "population '%s': material: it is not in the model",
                            o->name);
    }
    return CAIRN_OK;
}

cairn_status crn_grain_open(const cairn_model *model, const cairn_population_options *o, crn_grain *grain)
{
    *grain = (crn_grain){.count = 0};
    if ((o->shape_count > 0) != (o->shapes != NULL) || o->shape_count < 0)
        return crn_fail(model->context, CAIRN_INVALID, "population '%s': shapes: their number and the list disagree",
                        o->name);
    CRN_TRY(check(model, o));
    CRN_TRY(copy(model, o, grain));
    grain->radius = grain->reach = 1;
    if (!o->shapes)
        return CAIRN_OK;
    cairn_model *scratch = NULL;
    CRN_TRY(cairn_model_create(model->context, model->dimension, &scratch));
    cairn_status status = measure(grain, scratch, model->dimension, o->name);
    cairn_model_destroy(scratch);
    return status;
}

void crn_grain_close(crn_grain *grain)
{
    crn_arena_release(&grain->memory);
    *grain = (crn_grain){.count = 0};
}

void crn_grain_turn(crn_random *random, double q[4])
{
    double before[4];
    do
    {
        crn_random_turn(random, q);
        crn_quaternion_normalise(q);
        memcpy(before, q, sizeof before);
        crn_quaternion_normalise(q);
    } while (memcmp(before, q, sizeof before) != 0);
}

cairn_status crn_grain_add(crn_grain *grain, cairn_model *model, int body, double scale)
{
    assert(scale > 0 && isfinite(scale));
    for (int i = 0; i < grain->count; ++i)
    {
        cairn_shape_options shape = scaled(&grain->shapes[i], model->dimension, scale, grain->numbers);
        if (grain->turned)
        {
            cairn_shape made;
            CRN_TRY(cairn_model_add_shape(model, crn_body_handle(model, body), &shape, &made));
        }
        else
            CRN_TRY(crn_shape_add(model, body, &shape, NULL));
    }
    return CAIRN_OK;
}
