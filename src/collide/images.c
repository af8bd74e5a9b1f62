#include "collide/images.h"

#include "base/memory.h"
#include "collide/identity.h"
#include "math/vec.h"
#include "model/periodic.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* An image of a body in a neighbouring box. */
typedef struct ghost
{
    int body;
    int cell[3];
} ghost;

struct crn_images
{
    crn_arena memory;
    const cairn_model *model;
    const crn_reach *from;
    cairn_model shadow; /* the model with its own lists of bodies and shapes, ghosts last */
    crn_body *bodies;
    crn_shape *shapes;
    int *origin; /* per shape of the shadow: the model's shape */
    crn_pose *poses;
    double *margin;
    double (*travel)[3];
    crn_reach reach;
    double (*home)[3]; /* per body and ghost: from its place in the shadow to that of its state */
    bool *is_still;    /* per body: it has a half-space, and neither wraps nor has ghosts */
    ghost *ghosts, *before;
    int ghost_count, before_count;
    uint64_t revision; /* of the model that the shadow was made of */
    crn_contact *contacts;
};

crn_images *crn_images_create(void)
{
    return calloc(1, sizeof(crn_images));
}

void crn_images_destroy(crn_images *images)
{
    if (images)
        crn_arena_release(&images->memory);
    free(images);
}

/* ------------------------------------------------------------------------------------------------------------- wrapping */

/* Place body `to` of the shadow: body `from`, displaced by an image. */
static void place(crn_images *images, const crn_pose *poses, int from, int to, const int cell[3])
{
    const crn_reach *reach = images->from;
    double by[3];
    crn_box_displacement(images->model, images->from->t, cell, by);
    images->poses[to] = poses[from];
    crn_add3(poses[from].x, by, images->poses[to].x);
    crn_scale3(-1.0, by, images->home[to]);
    images->margin[to] = reach->margin[from];
    if (!reach->travel)
        return;
    memcpy(images->travel[to], reach->travel[from], sizeof(double[3]));
    images->travel[to][0] += cell[1] * images->model->shear * images->model->box[1] * reach->h;
}

static void find_still(crn_images *images)
{
    const cairn_model *model = images->model;
    memset(images->is_still, 0, model->body_count * sizeof(bool));
    for (size_t i = 0; i < model->shape_count; ++i)
        if (crn_is_half(model->shapes[i].kind))
            images->is_still[model->shapes[i].body] = true;
}

static void wrap(crn_images *images, const crn_pose *poses)
{
    for (int b = 0; b < (int)images->model->body_count; ++b)
    {
        int cell[3] = {0};
        if (!images->is_still[b])
            crn_box_cell(images->model, images->from->t, poses[b].x, cell);
        for (int k = 0; k < 3; ++k)
            cell[k] = -cell[k];
        place(images, poses, b, b, cell);
    }
}

/* -------------------------------------------------------------------------------------------------------------- ghosts */

/* m: how far a body and the largest other one can be apart and still be listed. */
static double largest_reach(const crn_images *images)
{
    const cairn_model *model = images->model;
    double most = 0, k = crn_reach_factor(model, images->from->lifts, images->from->friction);
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        int b = model->shapes[i].body;
        double travel = images->from->travel ? crn_norm3(images->travel[b]) : 0.0;
        if (!images->is_still[b])
            most = fmax(most, model->shapes[i].bound + images->margin[b] + k * travel);
    }
    return most;
}

static cairn_status add_ghosts(crn_images *images, int body, double reach)
{
    const double *box = images->model->box, *x = images->poses[body].x;
    for (int j = 0; j <= (box[1] > 0); ++j)
        for (int k = box[2] > 0 ? (j == 0 ? 0 : -1) : 0; k <= (box[2] > 0); ++k)
            for (int i = box[0] > 0 ? (j == 0 && k == 0 ? 1 : -1) : 0; i <= (box[0] > 0); ++i)
            {
                const int cell[3] = {i, j, k};
                double by[3];
                bool near = i != 0 || j != 0 || k != 0;
                crn_box_displacement(images->model, images->from->t, cell, by);
                for (int c = 0; c < 3 && near; ++c)
                    near = !(box[c] > 0) || fabs(x[c] + by[c]) <= 0.5 * box[c] + reach;
                if (!near)
                    continue;
                CRN_TRY(crn_reserve_all(&images->memory, CRN_ARRAY(images->ghosts, images->ghost_count + 1)));
                images->ghosts[images->ghost_count++] = (ghost){body, {i, j, k}};
            }
    return CAIRN_OK;
}

static cairn_status find_ghosts(crn_images *images)
{
    double reach = 2 * largest_reach(images);
    images->ghost_count = 0;
    for (int b = 0; b < (int)images->model->body_count; ++b)
        if (!images->is_still[b])
            CRN_TRY(add_ghosts(images, b, reach));
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- the shadow */

static bool is_same(const crn_images *images)
{
    return images->shadow.revision > 0 && images->revision == images->model->revision &&
           images->ghost_count == images->before_count &&
           (images->ghost_count == 0 ||
            memcmp(images->ghosts, images->before, (size_t)images->ghost_count * sizeof(ghost)) == 0);
}

/* Append the shapes of a ghost; returns how many there are now. */
static size_t add_shapes(crn_images *images, int number, size_t count)
{
    const cairn_model *model = images->model;
    const crn_body *owner = &model->bodies[images->ghosts[number].body];
    crn_body *body = &images->bodies[model->body_count + (size_t)number];
    *body = *owner;
    body->shape_begin = (int)count;
    for (int i = owner->shape_begin; i < owner->shape_end; ++i)
    {
        if (model->shapes[i].body != images->ghosts[number].body)
            continue;
        images->shapes[count] = model->shapes[i];
        images->shapes[count].body = (int)model->body_count + number;
        images->shapes[count].serial = model->serials + (int)(count - model->shape_count);
        images->origin[count++] = i;
    }
    body->shape_end = (int)count;
    return count;
}

static cairn_status make_shadow(crn_images *images)
{
    const cairn_model *model = images->model;
    size_t shapes = model->shape_count, bodies = model->body_count + (size_t)images->ghost_count;
    uint64_t revision = images->shadow.revision + 1;
    for (int g = 0; g < images->ghost_count; ++g)
        shapes += (size_t)(model->bodies[images->ghosts[g].body].shape_end -
                           model->bodies[images->ghosts[g].body].shape_begin);
    CRN_TRY(crn_reserve_all(&images->memory, CRN_ARRAY(images->bodies, bodies), CRN_ARRAY(images->shapes, shapes),
                            CRN_ARRAY(images->origin, shapes), CRN_ARRAY(images->before, images->ghost_count)));
    memcpy(images->bodies, model->bodies, model->body_count * sizeof *images->bodies);
    memcpy(images->shapes, model->shapes, model->shape_count * sizeof *images->shapes);
    for (size_t i = 0; i < model->shape_count; ++i)
        images->origin[i] = (int)i;
    size_t count = model->shape_count;
    for (int g = 0; g < images->ghost_count; ++g)
        count = add_shapes(images, g, count);
    assert(count <= shapes);
    images->shadow = *model;
    images->shadow.bodies = images->bodies;
    images->shadow.body_count = bodies;
    images->shadow.shapes = images->shapes;
    images->shadow.shape_count = count;
    images->shadow.serials = model->serials + (int)(count - model->shape_count);
    images->shadow.ignored_count = images->shadow.ignored_slots = 0; /* `allows` asks the model itself */
    images->shadow.revision = revision;
    images->revision = model->revision;
    images->before_count = images->ghost_count;
    if (images->ghost_count > 0)
        memcpy(images->before, images->ghosts, (size_t)images->ghost_count * sizeof(ghost));
    return CAIRN_OK;
}

/* Two ghosts never touch, since their bodies do. */
static bool allows(const void *data, int shape_a, int shape_b)
{
    const crn_images *images = data;
    const cairn_model *model = images->model;
    int a = images->origin[shape_a], b = images->origin[shape_b];
    bool ghosts = (size_t)shape_a >= model->shape_count && (size_t)shape_b >= model->shape_count;
    return !ghosts && crn_model_may_touch(model, model->shapes[a].body, model->shapes[b].body) &&
           (!images->from->allows || images->from->allows(images->from->allow_data, a, b));
}

static cairn_status reserve(crn_images *images, int bodies)
{
    return crn_reserve_all(&images->memory, CRN_ARRAY(images->poses, bodies), CRN_ARRAY(images->margin, bodies),
                           CRN_ARRAY(images->travel, bodies), CRN_ARRAY(images->home, bodies),
                           CRN_ARRAY(images->is_still, images->model->body_count));
}

cairn_status crn_images_begin(crn_images *images, const cairn_model *model, const crn_pose *poses,
                              const crn_reach *reach, const cairn_model **shadow, const crn_pose **placed,
                              const crn_reach **grown)
{
    assert(crn_is_periodic(model));
    int bodies = (int)model->body_count;
    images->model = model;
    images->from = reach;
    CRN_TRY(reserve(images, bodies));
    find_still(images);
    wrap(images, poses);
    CRN_TRY(find_ghosts(images));
    CRN_TRY(reserve(images, bodies + images->ghost_count));
    CRN_TRY(is_same(images) ? CAIRN_OK : make_shadow(images));
    for (int g = 0; g < images->ghost_count; ++g)
    {
        int from = images->ghosts[g].body, cell[3];
        crn_box_cell(images->model, reach->t, poses[from].x, cell);
        for (int k = 0; k < 3; ++k)
            cell[k] = images->ghosts[g].cell[k] - cell[k];
        place(images, poses, from, bodies + g, cell);
    }
    images->reach = *reach;
    images->reach.margin = images->margin;
    images->reach.travel = reach->travel ? images->travel : NULL;
    images->reach.sides = NULL;
    images->reach.allows = allows;
    images->reach.allow_data = images;
    *shadow = &images->shadow;
    *placed = images->poses;
    *grown = &images->reach;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- contacts */

static void exchange(crn_contact *c)
{
    crn_contact from = *c;
    c->body_a = from.body_b;
    c->body_b = from.body_a;
    c->shape_a = from.shape_b;
    c->shape_b = from.shape_a;
    crn_scale3(-1.0, from.normal, c->normal);
    memcpy(c->point_a, from.point_b, sizeof c->point_a);
    memcpy(c->point_b, from.point_a, sizeof c->point_b);
}

/* Give a contact back to the bodies themselves. In a pair, a is the shape with the lower index. */
static void give_back(const crn_images *images, int bits, crn_contact *c)
{
    const cairn_model *model = images->model;
    crn_add3(c->point_a, images->home[c->body_a], c->point_a);
    crn_add3(c->point_b, images->home[c->body_b], c->point_b);
    c->shape_a = images->origin[c->shape_a];
    c->shape_b = images->origin[c->shape_b];
    c->body_a = model->shapes[c->shape_a].body;
    c->body_b = model->shapes[c->shape_b].body;
    if (c->shape_a > c->shape_b)
        exchange(c);
    uint64_t feature = c->identity & ((UINT64_C(1) << (64 - 2 * bits)) - 1);
    c->identity = crn_identity_pack(bits, model->shapes[c->shape_a].serial, model->shapes[c->shape_b].serial, feature);
}

static int compare(const void *x, const void *y)
{
    const crn_contact *a = x, *b = y;
    return a->identity != b->identity ? (a->identity > b->identity) - (a->identity < b->identity)
                                      : (a->gap > b->gap) - (a->gap < b->gap);
}

cairn_status crn_images_end(crn_images *images, const crn_contact **contacts, int *count)
{
    int bits = crn_identity_bits(images->model), kept = 0;
    CRN_TRY(crn_reserve_all(&images->memory, CRN_ARRAY(images->contacts, *count)));
    for (int i = 0; i < *count; ++i)
    {
        images->contacts[i] = (*contacts)[i];
        give_back(images, bits, &images->contacts[i]);
    }
    if (*count > 0)
        qsort(images->contacts, (size_t)*count, sizeof *images->contacts, compare);
    for (int i = 0; i < *count; ++i)
        if (i == 0 || images->contacts[i].identity != images->contacts[kept - 1].identity)
            images->contacts[kept++] = images->contacts[i];
    *contacts = images->contacts;
    *count = kept;
    return CAIRN_OK;
}
