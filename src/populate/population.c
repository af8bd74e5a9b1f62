/* From the options of a population to bodies: draw the radii, find the places, add the bodies. Where ranks may share the model, and places follow from the numbers of the grains, a recipe is kept instead (recipe.h), and
 * bodies are made of it when somebody needs them. */
#include "cairn/population.h"

#include "math/vec.h"
#include "model/names.h"
#include "model/population.h"
#include "populate/grain.h"
#include "populate/pack.h"
#include "populate/recipe.h"
#include "populate/sizes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A population on its way. */
typedef struct making
{
    cairn_model *model;
    const cairn_population_options *o;
    crn_sizes *sizes;
    crn_grain grain;
    crn_region region;
    crn_obstacles obstacles;
    crn_balls balls;
    double *radius, *reach; /* m, per grain: volume-equivalent, and of the ball that holds it */
    double (*x)[3];
    int count;
    crn_arena memory;
} making;

cairn_population_options cairn_population_default(void)
{
    return (cairn_population_options){
        .struct_size = sizeof(cairn_population_options), .seed = 1, .groups = 1, .collides_with = UINT64_MAX};
}

static cairn_status complain(const making *m, const char *sentence)
{
    return crn_fail(m->model->context, CAIRN_INVALID, "population '%s': %s", m->o->name, sentence);
}

static cairn_status ran_out(const making *m)
{
    return crn_fail(m->model->context, CAIRN_NO_MEMORY, "population '%s': memory ran out", m->o->name);
}

static bool inserts(const making *m)
{
    return m->o->insertion.rate != 0;
}

/* How the grains come and go. */
static cairn_status check_flow(const making *m)
{
    const cairn_insertion *in = &m->o->insertion;
    crn_region out;
    if (!(isfinite(in->rate) && in->rate >= 0))
        return complain(m, "insertion: rate: must be greater than 0");
    if (!isfinite(in->begin) || !isfinite(in->until) || in->begin < 0 || in->until < 0)
        return complain(m, "insertion: begin and until: must be 0 or more");
    if (in->until > 0 && !(in->until > in->begin))
        return complain(m, "insertion: until: must be later than begin");
    if (inserts(m) && m->o->fraction != 0)
        return complain(m, "fraction: grains that come in over time are counted");
    if (m->o->recycle && (!inserts(m) || !m->o->removal))
        return complain(m, "recycle: needs an insertion and a removal");
    if (!m->o->removal)
        return CAIRN_OK;
    const char *wrong = crn_region_open(m->o->removal, m->model->dimension, &out);
    crn_region_close(&out);
    return wrong ? crn_fail(m->model->context, CAIRN_INVALID, "population '%s': removal: %s", m->o->name, wrong)
                 : CAIRN_OK;
}

/* The number of grains; 0: given by the fraction. A flow that ends has as many as come in, unless a number is given. */
static double count_of(const making *m)
{
    const cairn_insertion *in = &m->o->insertion;
    bool by_time = m->o->count == 0 && inserts(m) && in->until > 0;
    return by_time ? ceil(in->rate * (in->until - in->begin) - 1e-9) : m->o->count;
}

static cairn_status check_count(const making *m, int most)
{
    return count_of(m) <= most
               ? CAIRN_OK
               : crn_fail(m->model->context, CAIRN_INVALID, "population '%s': count: must be from 1 to %d, found %.0f",
                          m->o->name, most, count_of(m));
}

static cairn_status check(const making *m)
{
    const cairn_population_options *o = m->o;
    CRN_TRY(check_flow(m));
    if (inserts(m) && count_of(m) == 0)
        return complain(m, "count: an insertion needs it, or the time 'until' which it goes on");
    CRN_TRY(check_count(m, crn_recipe_suits(m->model, o) ? CRN_MOST_UNMADE : CRN_MOST_GRAINS));
    if (count_of(m) < 0)
        return complain(m, "count: must be greater than 0");
    if ((count_of(m) > 0) == (o->fraction != 0))
        return complain(m, inserts(m) ? "fraction: grains that come in have a count, or the time 'until' which they do"
                                      : "needs either a count of grains or the fraction that they fill, each above 0");
    if (!(o->fraction >= 0 && o->fraction < 1))
        return complain(m, "fraction: must be between 0 and 1");
    if ((int)o->packing < 0 || o->packing > CAIRN_PACKING_GROWTH)
        return complain(m, "packing: unknown value");
    if (!(isfinite(o->spacing) && o->spacing >= 0))
        return complain(m, "spacing: must be greater than 0");
    if (!(o->jitter >= 0 && o->jitter <= 1))
        return complain(m, "jitter: must be from 0 to 1");
    if (o->jitter > 0 && (o->packing != CAIRN_PACKING_LATTICE || inserts(m)))
        return complain(m, "jitter: displaces grains from the places of a lattice, and needs that packing");
    if (!crn_all_finite(o->velocity, 3) || !crn_all_finite(o->angular_velocity, 3))
        return complain(m, "velocity: must be finite numbers");
    return CAIRN_OK;
}

/* The radius of the next grain; shapes may stay as large as they are. */
static double next_radius(const making *m, crn_random *random)
{
    return m->sizes ? crn_sizes_draw(m->sizes, random) : m->grain.radius;
}

static cairn_status draw_sizes(making *m)
{
    crn_random random = crn_random_start(m->o->seed, CRN_STREAM_SIZES);
    double volume = 0, wanted = m->o->fraction * m->region.volume, ball = m->model->dimension == 2 ? 1 : 4.0 / 3.0;
    while (m->o->fraction == 0 ? m->count < count_of(m) : volume < wanted)
    {
        if (m->count >= CRN_MOST_GRAINS)
            return crn_fail(m->model->context, CAIRN_INVALID,
                            "population '%s': fraction: %d grains fill %.3g of the region, and no more are taken",
                            m->o->name, CRN_MOST_GRAINS, volume / m->region.volume);
        if (crn_reserve_all(&m->memory, CRN_ARRAY(m->radius, m->count + 1), CRN_ARRAY(m->reach, m->count + 1)))
            return ran_out(m);
        double r = m->radius[m->count] = next_radius(m, &random);
        m->reach[m->count++] = r * m->grain.reach / m->grain.radius;
        volume += ball * 3.14159265358979323846 * r * r * (m->model->dimension == 2 ? 1 : r);
    }
    if (volume > m->region.volume && !inserts(m))
        return crn_fail(m->model->context, CAIRN_INVALID,
                        "population '%s': its %d grains have a volume of %.4g, and the region one of %.4g", m->o->name,
                        m->count, volume, m->region.volume);
    return CAIRN_OK;
}

/* The bodies that are there already, where they begin. */
static cairn_status gather_obstacles(making *m)
{
    const cairn_model *model = m->model;
    crn_pose *poses = calloc(model->body_count + 1, sizeof *poses);
    if (!poses)
        return ran_out(m);
    for (size_t i = 0; i < model->body_count; ++i)
    {
        cairn_body_state at = crn_initial_of(&model->bodies[i]);
        if (model->bodies[i].kind != CAIRN_DYNAMIC)
            crn_model_pose_at(model, (int)i, 0.0, &at);
        memcpy(poses[i].x, at.position, sizeof poses[i].x);
        crn_quaternion_to_matrix(at.orientation, poses[i].R);
    }
    cairn_status status =
        crn_obstacles_gather(&m->obstacles, model, poses, NULL, &m->region.bounds, m->o->groups, m->o->collides_with);
    free(poses);
    return status ? ran_out(m) : CAIRN_OK;
}

/* Grains must not leave where they come in. */
static cairn_status check_ends(const making *m)
{
    crn_random random = crn_random_start(m->o->seed, CRN_STREAM_PLACES);
    crn_region out;
    double x[3];
    bool meet = false;
    bool opened = m->o->removal && !crn_region_open(m->o->removal, m->model->dimension, &out);
    for (int i = 0; i < 10000 && opened && !meet; ++i)
    {
        crn_region_draw(&m->region, &random, x);
        meet = crn_region_depth(&m->region, x) >= 0 && crn_region_depth(&out, x) >= 0;
    }
    if (opened)
        crn_region_close(&out);
    return meet ? complain(m, "removal: its region overlaps the one in which grains begin") : CAIRN_OK;
}

/* Grains that come in later wait at the centre of the region, which must have a place for the largest. */
static cairn_status park(making *m)
{
    crn_random random = crn_random_start(m->o->seed, CRN_STREAM_PLACES);
    double most = 0, depth = crn_region_depth(&m->region, m->region.pose.x), x[3];
    for (int i = 0; i < m->count; ++i)
    {
        memcpy(m->x[i], m->region.pose.x, sizeof m->x[i]);
        most = fmax(most, m->reach[i]);
    }
    for (int tries = 0; tries < 10000 && depth < most; ++tries)
    {
        crn_region_draw(&m->region, &random, x);
        depth = fmax(depth, crn_region_depth(&m->region, x));
    }
    return depth >= most ? CAIRN_OK
                         : crn_fail(m->model->context, CAIRN_INVALID,
                                    "population '%s': region: its largest grain, of radius %g m, does not fit in",
                                    m->o->name, most);
}

static cairn_status pack(making *m)
{
    static cairn_status (*const PACK[])(crn_packing *) = {crn_pack_random, crn_pack_lattice, crn_pack_deposit,
                                                          crn_pack_growth};
    crn_random random = crn_random_start(m->o->seed, CRN_STREAM_PLACES);
    if (crn_reserve_all(&m->memory, CRN_ARRAY(m->x, m->count)))
        return ran_out(m);
    if (inserts(m))
        return park(m);
    if (crn_balls_open(&m->balls, &m->region.bounds, m->model->dimension, m->count, m->reach, m->x))
        return ran_out(m);
    CRN_TRY(gather_obstacles(m));
    crn_packing packing = {.context = m->model->context,
                           .name = m->o->name,
                           .options = m->o,
                           .region = &m->region,
                           .obstacles = &m->obstacles,
                           .random = &random,
                           .balls = &m->balls,
                           .spacing = m->o->spacing > 0 ? m->o->spacing : 2.02 * m->balls.most};
    double g = crn_norm3(m->model->gravity);
    for (int k = 0; k < 3 && g > 0; ++k)
        packing.down[k] = m->model->gravity[k] / g;
    if (packing.spacing < 2 * m->balls.most)
        return complain(m, "spacing: must be no less than the largest diameter");
    return PACK[m->o->packing](&packing);
}

static void state_of(const making *m, int grain, crn_random *turns, cairn_body_state *out)
{
    const cairn_population_options *o = m->o;
    *out = (cairn_body_state){.orientation = {1, 0, 0, 0}};
    memcpy(out->position, m->x[grain], sizeof out->position);
    if (inserts(m))
        return;
    memcpy(out->velocity, o->velocity, sizeof out->velocity);
    out->velocity[0] += m->model->shear * m->x[grain][1]; /* with the flow of a sheared box */
    memcpy(out->angular_velocity, o->angular_velocity, sizeof out->angular_velocity);
    if (m->grain.turned && m->model->dimension == 3)
        (o->packing == CAIRN_PACKING_LATTICE ? crn_grain_turn : crn_random_turn)(turns, out->orientation);
    if (m->model->dimension == 3)
        return;
    out->velocity[2] = out->angular_velocity[0] = out->angular_velocity[1] = 0;
    out->angle = m->grain.turned ? 3.14159265358979323846 * (2 * crn_random_unit(turns) - 1) : 0;
    crn_quaternion_exp((double[3]){0, 0, out->angle}, out->orientation);
}

static cairn_status add(making *m)
{
    crn_random turns = crn_random_start(m->o->seed, CRN_STREAM_TURNS);
    CRN_TRY(crn_population_begin(m->model, m->o->name, m->count, m->grain.count));
    for (int i = 0; i < m->count; ++i)
    {
        cairn_body_state initial;
        state_of(m, i, &turns, &initial);
        int body = crn_population_add_grain(m->model, &initial, m->o->groups, m->o->collides_with);
        cairn_status status =
            body < 0 ? ran_out(m) : crn_grain_add(&m->grain, m->model, body, m->radius[i] / m->grain.radius);
        if (status)
        {
            crn_population_undo(m->model);
            return status;
        }
    }
    if ((inserts(m) || m->o->removal) && crn_population_set_flow(m->model, m->o))
    {
        crn_population_undo(m->model);
        return ran_out(m);
    }
    return CAIRN_OK;
}

/* Keep the recipe of the population, if there is one. */
static cairn_status leave_unmade(making *m, bool *is_kept)
{
    crn_recipe *recipe = NULL;
    *is_kept = false;
    if (!crn_recipe_suits(m->model, m->o))
        return CAIRN_OK;
    CRN_TRY(gather_obstacles(m));
    if (crn_recipe_find(m->model, m->o, &m->grain, m->sizes, &m->region, &m->obstacles, &recipe))
        return ran_out(m);
    crn_obstacles_close(&m->obstacles);
    if (!recipe)
        return CAIRN_OK; /* the reason is found where they are made */
    if (crn_population_list(m->model, m->o->name))
    {
        crn_recipe_free(recipe);
        return CAIRN_NO_MEMORY;
    }
    crn_unmade_add(m->model, recipe->count - m->model->unmade.count, recipe, crn_recipe_make, crn_recipe_free);
    *is_kept = true;
    return CAIRN_OK;
}

static cairn_status make(making *m, crn_sizes *sizes)
{
    bool is_kept;
    const cairn_population_options *o = m->o;
    CRN_TRY(crn_check_options(m->model, "population", o->struct_size, sizeof *o));
    CRN_TRY(crn_population_check_name(m->model, o->name, o->count > 0 ? o->count : CRN_MOST_GRAINS));
    CRN_TRY(check(m));
    CRN_TRY(crn_grain_open(m->model, o, &m->grain));
    bool as_given = o->shapes && o->sizes.kind == CAIRN_SIZES_EQUAL && o->sizes.mean == 0;
    const char *wrong = as_given ? NULL : crn_sizes_prepare(&o->sizes, m->model->dimension, sizes);
    m->sizes = as_given ? NULL : sizes;
    wrong = wrong ? wrong : crn_region_open(&o->region, m->model->dimension, &m->region);
    if (wrong)
        return complain(m, wrong);
    CRN_TRY(check_ends(m));
    CRN_TRY(leave_unmade(m, &is_kept));
    if (is_kept)
        return CAIRN_OK;
    CRN_TRY(check_count(m, CRN_MOST_GRAINS));
    CRN_TRY(crn_make_grains(m->model)); /* of populations before it, which have places */
    CRN_TRY(draw_sizes(m));
    CRN_TRY(pack(m));
    return add(m);
}

cairn_status cairn_model_add_population(cairn_model *model, const cairn_population_options *options, int *out)
{
    if (!model || !options || !out)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "population: the model, the options or the place for its index is NULL");
    making m = {.model = model, .o = options};
    crn_sizes *sizes = malloc(sizeof *sizes);
    cairn_status status = sizes ? make(&m, sizes) : ran_out(&m);
    crn_balls_close(&m.balls);
    crn_obstacles_close(&m.obstacles);
    crn_region_close(&m.region);
    crn_grain_close(&m.grain);
    crn_arena_release(&m.memory);
    free(sizes);
    if (status == CAIRN_OK)
        *out = (int)model->population_count - 1;
    return status;
}
