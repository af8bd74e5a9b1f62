/* Chains and concave polygons become several shapes of the model, each with its seams to the others
 * (collide/shapes/outline_seams.c). */
#include "model/handles.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The outline of a chain or of a concave polygon. */
typedef struct outline
{
    const cairn_shape_options *options;
    double *vertices; /* shape frame; polygon: counter-clockwise */
    int count;        /* a closed chain: the repeated vertex counts once */
    bool closed;
} outline;

static cairn_status take_outline(const cairn_shape_options *o, outline *out)
{
    const double *v = o->vertices;
    int n = o->vertex_count;
    bool polygon = !crn_shape_has(o->kind, CRN_SHAPE_CHAINED),
         loop = n > 3 && v[0] == v[2 * n - 2] && v[1] == v[2 * n - 1];
    *out = (outline){.options = o, .count = polygon || !loop ? n : n - 1, .closed = polygon || loop};
    out->vertices = malloc((size_t)n * 2 * sizeof(double));
    bool reverse = polygon && crn_polygon_twice_area(v, n) < 0;
    for (int i = 0; out->vertices && i < n; ++i)
        memcpy(out->vertices + 2 * i, v + 2 * (reverse ? n - 1 - i : i), 2 * sizeof(double));
    return out->vertices ? CAIRN_OK : CAIRN_NO_MEMORY;
}

/* The seams of the piece added last, which has these corners of the outline. */
static cairn_status add_seams(cairn_model *model, const outline *whole, const int *index, int count)
{
    assert(count >= 2 && model->shape_count > 0);
    crn_shape *shape = &model->shapes[model->shape_count - 1];
    bool chain = crn_shape_has(whole->options->kind, CRN_SHAPE_CHAINED);
    int n = whole->count;
    shape->form->seams = calloc((size_t)count, sizeof(crn_outline_seam));
    for (int i = 0; shape->form->seams && i < count; ++i)
    {
        crn_outline_seam *seam = &shape->form->seams[i];
        int before = (index[i] + n - 1) % n, after = (index[i] + 1) % n;
        int own_before = index[(i + count - 1) % count], own_after = index[(i + 1) % count];
        seam->cut = !chain && own_after != after;
        seam->has_before = own_before != before && (whole->closed || index[i] > 0);
        seam->has_after = own_after != after && (whole->closed || index[i] < n - 1);
        crn_shape_to_body(shape, whole->vertices + 2 * before, seam->before);
        crn_shape_to_body(shape, whole->vertices + 2 * after, seam->after);
    }
    return shape->form->seams ? CAIRN_OK : CAIRN_NO_MEMORY;
}

/* Add one piece; `index` lists its corners, `room` is workspace for their coordinates. */
static cairn_status add_piece(cairn_model *model, int body, const outline *whole, const int *index, int count,
                              double *room)
{
    assert(count >= 2 && count <= whole->options->vertex_count);
    cairn_shape_options o = *whole->options;
    for (int i = 0; i < count; ++i)
        memcpy(room + 2 * i, whole->vertices + 2 * index[i], 2 * sizeof(double));
    o.kind = crn_shape_has(o.kind, CRN_SHAPE_CHAINED) ? CAIRN_SEGMENT : o.kind;
    o.vertices = room;
    o.vertex_count = count;
    cairn_status status = crn_shape_add(model, body, &o, NULL);
    if (status == CAIRN_OK && add_seams(model, whole, index, count) != CAIRN_OK)
        status = crn_shape_fail_to_place(model, body, CAIRN_NO_MEMORY);
    return status;
}

static cairn_status add_pieces(cairn_model *model, int body, const outline *whole, double *room)
{
    crn_pieces pieces = {0};
    bool chain = crn_shape_has(whole->options->kind, CRN_SHAPE_CHAINED);
    cairn_status status = chain ? CAIRN_OK : crn_pieces_cut(whole->vertices, whole->count, &pieces);
    if (status != CAIRN_OK)
    {
        crn_pieces_free(&pieces);
        return crn_shape_fail_to_place(model, body, status);
    }
    int count = chain ? whole->count - (whole->closed ? 0 : 1) : pieces.count;
    for (int p = 0; p < count && status == CAIRN_OK; ++p)
    {
        int ends[2] = {p, (p + 1) % whole->count};
        status = chain ? add_piece(model, body, whole, ends, 2, room)
                       : add_piece(model, body, whole, pieces.index + pieces.begin[p],
                                   pieces.begin[p + 1] - pieces.begin[p], room);
    }
    crn_pieces_free(&pieces);
    return status;
}

/* The first piece draws the whole. */
static void show_whole(cairn_model *model, size_t first, const cairn_shape_options *o, double *vertices)
{
    assert(first < model->shape_count);
    for (size_t i = first; i < model->shape_count; ++i)
    {
        model->shapes[i].form->drawn = o->kind;
        model->shapes[i].form->piece = i > first;
    }
    free(model->shapes[first].form->local_vertices);
    memcpy(vertices, o->vertices, (size_t)o->vertex_count * 2 * sizeof(double));
    model->shapes[first].form->local_vertices = vertices;
    model->shapes[first].form->local_count = o->vertex_count;
}

cairn_status crn_shape_add_whole(cairn_model *model, int body, const cairn_shape_options *o)
{
    outline whole;
    size_t first = model->shape_count;
    double *room = malloc((size_t)o->vertex_count * 2 * sizeof(double));
    cairn_status status = take_outline(o, &whole);
    if (status != CAIRN_OK || !room)
        status = crn_shape_fail_to_place(model, body, CAIRN_NO_MEMORY);
    else
        status = add_pieces(model, body, &whole, room);
    free(whole.vertices);
    if (status != CAIRN_OK)
    {
        free(room);
        while (model->shape_count > first)
        {
            crn_shape_free(model, &model->shapes[--model->shape_count]);
            crn_slots_undo(&model->shape_slots);
        }
        model->bodies[body].shape_end = (int)first;
        return status;
    }
    show_whole(model, first, o, room);
    return CAIRN_OK;
}
