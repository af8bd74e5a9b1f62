#include "collide/broad/sites.h"

#include "base/memory.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

enum
{
    MAX_SHAPES = 1 << 23, /* the highest bit of an identity stays free for the gaps of users' systems */
    MAX_VERTICES = 1 << 15
};

static const double THIN_ROOM = 0.1; /* of a segment's length */
static const double UNPLACED = -1.0; /* a way that has not begun */

static cairn_status check(const cairn_model *model)
{
    assert(model->serials >= (int)model->shape_count);
    if (model->serials > MAX_SHAPES)
    {
        return crn_fail(model->context, CAIRN_UNSUPPORTED,
                        "%d shapes have been added to the model: collision detection tells at most %d apart",
                        model->serials, MAX_SHAPES);
    }
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        const crn_shape *shape = &model->shapes[i];
        if (shape->form->vertex_count > MAX_VERTICES)
        {
            return crn_fail(model->context, CAIRN_UNSUPPORTED, "body '%s': polygon: %d vertices, at most %d are taken",
                            model->bodies[shape->body].name, shape->form->vertex_count, MAX_VERTICES);
        }
    }
    return CAIRN_OK;
}

static bool is_ball(const cairn_model *model, size_t shape)
{
    return model->dimension == 3 && crn_is_ball(model->shapes[shape].kind);
}

static double holding_radius(const crn_shape *shape)
{
    return crn_is_half(shape->kind) ? INFINITY : shape->bound + crn_norm3(crn_frame_of(shape)->position);
}

static bool is_central(const cairn_model *model, const crn_shape *shape)
{
    static const double same[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    bool straight = crn_is_ball(shape->kind) || memcmp(crn_frame_of(shape)->rotation, same, sizeof same) == 0;
    return model->dimension == 3 && !crn_is_half(shape->kind) && straight &&
           crn_norm3(crn_frame_of(shape)->position) == 0.0;
}

/* The part of every site that does not change. */
static void list(crn_sites *sites, const cairn_model *model)
{
    int placed = 0, vertices = 0;
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        const crn_shape *shape = &model->shapes[i];
        assert(shape->body >= 0 && (size_t)shape->body < model->body_count);
        if (sites->mixed)
            sites->walked[i] = UNPLACED;
        sites->site[i] = (crn_site){.radius = is_ball(model, i) ? shape->radius : holding_radius(shape),
                                    .body = shape->body,
                                    .material = shape->material,
                                    .serial = shape->serial,
                                    .placed = is_ball(model, i) ? -1 : placed,
                                    .kind = shape->kind,
                                    .central = is_central(model, shape)};
        if (!is_ball(model, i))
            sites->placed[placed++].kind = shape->kind;
        if (model->dimension == 2)
            sites->vertex_start[i] = vertices;
        vertices += shape->form->vertex_count;
    }
}

cairn_status crn_sites_begin(crn_sites *sites, const cairn_model *model)
{
    if (sites->model == model && sites->revision == model->revision)
        return CAIRN_OK;
    CRN_TRY(check(model));
    size_t others = 0, vertices = 0, count = model->shape_count, planar = model->dimension == 2 ? count : 0;
    sites->mixed = false;
    for (size_t i = 0; i < count; ++i)
    {
        others += !is_ball(model, i);
        vertices += (size_t)model->shapes[i].form->vertex_count;
        sites->mixed = sites->mixed || (planar == 0 && !is_ball(model, i) && !crn_is_half(model->shapes[i].kind));
    }
    size_t ways = sites->mixed ? count : 0;
    sites->model = NULL;
    if (crn_reserve_all(&sites->memory, CRN_ARRAY(sites->site, count), CRN_ARRAY(sites->placed, others),
                        CRN_ARRAY(sites->vertices, 2 * vertices), CRN_ARRAY(sites->vertex_start, planar),
                        CRN_ARRAY(sites->walked, ways), CRN_ARRAY(sites->spent, ways)) ||
        crn_facets_update(&sites->facets, model))
        return crn_fail(model->context, CAIRN_NO_MEMORY, "collision detection: memory ran out for %zu shapes", count);
    list(sites, model);
    sites->model = model;
    sites->revision = model->revision;
    return CAIRN_OK;
}

void crn_sites_free(crn_sites *sites)
{
    crn_facets_free(&sites->facets);
    crn_arena_release(&sites->memory);
    *sites = (crn_sites){.site = NULL};
}

/* m: how far a vertex may pass through a segment before the pair is lost. */
static double thin_room(const crn_shape *shape)
{
    assert(!crn_shape_has(shape->kind, CRN_SHAPE_THIN) || shape->form->vertex_count == 2);
    const double *v = shape->form->vertices;
    return crn_shape_has(shape->kind, CRN_SHAPE_THIN) ? THIN_ROOM * hypot(v[2] - v[0], v[3] - v[1]) : 0.0;
}

/* m: by how much the bounds of a body's shapes grow, so that two shapes within reach overlap whatever the directions of their
 * motion. */
static double growth(const crn_reach *reach, int body, double k)
{
    assert(!(reach->margin[body] < 0.0) && k >= 1.0);
    return reach->margin[body] + (reach->travel ? k * crn_norm3(reach->travel[body]) : 0.0);
}

static void place_ball(const crn_sites *sites, int shape, const crn_pose *pose, double centre[3])
{
    if (sites->site[shape].central)
        memcpy(centre, pose->x, sizeof(double[3]));
    else
        crn_place_point(pose, crn_frame_of(&sites->model->shapes[shape])->position, centre);
}

static double distance(const double a[3], const double b[3])
{
    double arm[3];
    crn_sub3(a, b, arm);
    return crn_norm3(arm);
}

/* m: the way of any point of a shape to another place, at most. A rotation matrix that changes by dR moves a point at distance r by
 * |dR| r at most, in the Frobenius norm. */
static double way(const crn_placed *from, const double centre[3], const double R[9], double radius)
{
    double turn = 0.0;
    for (int k = 0; k < 9; ++k)
        turn += (R[k] - from->R[k]) * (R[k] - from->R[k]);
    return distance(from->centre, centre) + sqrt(turn) * radius;
}

/* The same for a half-space, of which any point may have moved by any amount. */
static double half_way(const crn_placed *from, const crn_placed *to)
{
    return memcmp(from->normal, to->normal, sizeof to->normal) == 0 &&
                   memcmp(from->centre, to->centre, sizeof to->centre) == 0
               ? 0.0
               : INFINITY;
}

/* Count a way, rounded upwards. */
static void walk(crn_sites *sites, int shape, double way)
{
    double *walked = &sites->walked[shape];
    if (*walked == UNPLACED)
        *walked = 0.0;
    else if (way > 0.0)
        *walked += way * (1.0 + 1e-9) + 3e-16 * *walked;
    sites->spent[shape] = *walked + sites->site[shape].margin;
}

static void place_anew(crn_sites *sites, int shape, const crn_pose *pose)
{
    crn_site *site = &sites->site[shape];
    const crn_shape *from = &sites->model->shapes[shape];
    crn_placed *placed = &sites->placed[site->placed], before = *placed;
    site->margin += thin_room(from);
    double *vertices =
        sites->model->dimension == 2 ? sites->vertices + 2 * (ptrdiff_t)sites->vertex_start[shape] : NULL;
    crn_place(from, sites->model->dimension, pose, site->margin, vertices, placed);
    crn_facets_lend(&sites->facets, shape, placed);
    if (sites->mixed)
        walk(sites, shape,
             crn_is_half(placed->kind) ? half_way(&before, placed)
                                       : way(&before, placed->centre, placed->R, site->radius));
}

void crn_sites_place(crn_sites *sites, int shape, const crn_pose *pose, const crn_reach *reach, double k)
{
    crn_site *site = &sites->site[shape];
    site->margin = growth(reach, site->body, k);
    if (crn_site_is_ball(site))
    {
        double centre[3];
        place_ball(sites, shape, pose, centre);
        if (sites->mixed)
            walk(sites, shape, distance(site->centre, centre));
        memcpy(site->centre, centre, sizeof centre);
        return;
    }
    crn_placed *placed = &sites->placed[site->placed];
    if (site->central && sites->walked[shape] != UNPLACED)
    {
        walk(sites, shape, way(placed, pose->x, pose->R, site->radius));
        crn_place_again(pose, site->margin, placed);
        return;
    }
    place_anew(sites, shape, pose);
}

const crn_placed *crn_site_placed(const crn_sites *sites, int shape, crn_placed *own)
{
    const crn_site *site = &sites->site[shape];
    if (!crn_site_is_ball(site))
        return &sites->placed[site->placed];
    own->kind = site->kind;
    own->body = site->body;
    own->margin = site->margin;
    own->radius = site->radius;
    own->R[0] = own->R[4] = own->R[8] = 1.0; /* a ball has no axes of its own */
    own->bounds = crn_ball_bounds(site->centre, site->radius, site->margin);
    memcpy(own->centre, site->centre, sizeof own->centre);
    return own;
}
