#include "collide/shapes/sides.h"

#include "base/memory.h"
#include "collide/identity.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SLOP = 1e-7;    /* of the length: a segment is extended by this much, as in planar.c */
static const double ON_LINE = 1e-9; /* of the length: nearer to the line than this, the height has no sign */
static const double FREE = 1e-6;    /* of the length: further off, a vertex does not rest on the segment */
static const double ROUNDING = 1e-13;
static const double BESIDE = 0.1; /* of the length: a vertex this near to a joint has not gone round the chain */
static const double ACROSS = 0.1; /* cosine below which two segments say nothing about each other's sides */

/* The current relation of one vertex and one segment. */
typedef struct relation
{
    crn_side now;
    double length, slop;
    double normal[2]; /* of side 0 */
    bool held;        /* it passed through the segment and on past its end */
    bool known;       /* the side follows from more than this pose alone */
} relation;

bool crn_is_thin(const crn_placed *a, const crn_placed *b)
{
    bool segment = crn_shape_has(a->kind, CRN_SHAPE_THIN) || crn_shape_has(b->kind, CRN_SHAPE_THIN);
    bool round = crn_is_elliptic(a->kind) || crn_is_elliptic(b->kind);
    return segment && !round && a->vertex_count >= 1 && a->vertex_count <= 2 && b->vertex_count >= 1 &&
           b->vertex_count <= 2;
}

static const crn_side *find(const crn_sides *memory, uint64_t identity)
{
    if (!memory || memory->count == 0)
        return NULL;
    int at = crn_identity_search(&memory->side->identity, memory->count, sizeof *memory->side, identity);
    return at < 0 ? NULL : &memory->side[at];
}

static uint64_t identity_of(const crn_thin_pair *pair, int vertex_shape, int vertex, int segment)
{
    assert(vertex >= 0 && vertex < 2 && vertex_shape != segment);
    bool of_b = vertex_shape > segment;
    const crn_shape *shapes = pair->model->shapes;
    int a = shapes[of_b ? segment : vertex_shape].serial, b = shapes[of_b ? vertex_shape : segment].serial;
    return crn_identity_pack(pair->shape_bits, a, b, (uint64_t)(2 * vertex + (of_b ? 1 : 0)));
}

static bool is_inside(const relation *r, double place)
{
    return place >= -r->slop && place <= r->length + r->slop;
}

static relation measure(const crn_thin_pair *pair, int vertex_shape, int vertex, int segment)
{
    assert(vertex >= 0 && vertex < 2);
    const double *from = pair->placed[segment].vertices, *x = pair->placed[vertex_shape].vertices + 2 * vertex;
    double along[2] = {from[2] - from[0], from[3] - from[1]}, arm[2] = {x[0] - from[0], x[1] - from[1]};
    relation r = {.length = hypot(along[0], along[1])};
    r.normal[0] = along[1] / r.length;
    r.normal[1] = -along[0] / r.length;
    r.slop = SLOP * r.length + ROUNDING * (fabs(x[0]) + fabs(x[1]));
    r.now.identity = identity_of(pair, vertex_shape, vertex, segment);
    r.now.body[0] = pair->placed[pair->a].body;
    r.now.body[1] = pair->placed[pair->b].body;
    r.now.place = (arm[0] * along[0] + arm[1] * along[1]) / r.length;
    r.now.height = arm[0] * r.normal[0] + arm[1] * r.normal[1];
    r.now.inside = is_inside(&r, r.now.place);
    return r;
}

/* The piece of a chain beyond the first or last vertex of a piece, -1: none. The pieces of a chain are consecutive. */
static int next_piece(const cairn_model *model, int shape, bool last)
{
    assert(shape >= 0 && (size_t)shape < model->shape_count);
    const crn_shape *shapes = model->shapes;
    if (!shapes[shape].form->seams ||
        !(last ? shapes[shape].form->seams[1].has_after : shapes[shape].form->seams[0].has_before))
        return -1;
    int count = (int)model->shape_count;
    if (last && shape + 1 < count && shapes[shape + 1].form->piece)
        return shape + 1;
    if (!last && shapes[shape].form->piece)
        return shape - 1;
    int at = shape;
    while (last ? shapes[at].form->piece : at + 1 < count && shapes[at + 1].form->piece)
        at += last ? -1 : 1;
    return at;
}

/* The nearest piece beyond an end over which the vertex was in the last state, and its side there; -1: none. */
static int piece_before(const crn_thin_pair *pair, int vertex_shape, int vertex, int segment, bool last, int *side)
{
    const crn_side *old = NULL;
    int piece = segment;
    do
    {
        piece = next_piece(pair->model, piece, last);
        old = piece < 0 || piece == segment ? NULL : find(pair->memory, identity_of(pair, vertex_shape, vertex, piece));
    } while (old && !old->inside);
    *side = old ? old->side : -1;
    return old ? piece : -1;
}

/* The side of a vertex that arrives over an end of the segment: that on the piece beyond the end, or where the end is not
 * known, on the piece beyond either. -1: it was over no other piece. */
static int side_from_chain(const crn_thin_pair *pair, int vertex_shape, int vertex, int segment, bool last, bool known)
{
    int side;
    if (piece_before(pair, vertex_shape, vertex, segment, last, &side) < 0 && !known)
        piece_before(pair, vertex_shape, vertex, segment, !last, &side);
    return side;
}

/* A vertex w of an outline arrives over the end of a segment, as when a rod slides along a table and past its end. Where
 * the segment's end was over the outline in the last state, the segment lies on that side of the outline, and w is below
 * the side of the segment that faces the outline. -1: it was not over it, or the two are nearly perpendicular. */
static int side_from_end(const crn_thin_pair *pair, int vertex_shape, int segment, int end, const relation *r)
{
    int side = -1, piece = vertex_shape;
    const crn_side *old = pair->placed[vertex_shape].vertex_count == 2
                              ? find(pair->memory, identity_of(pair, segment, end, vertex_shape))
                              : NULL;
    if (old && old->inside)
        side = old->side;
    for (int way = 0; old && way < 2 && side < 0; ++way)
        piece = piece_before(pair, segment, end, vertex_shape, way == 1, &side);
    if (side < 0)
        return -1;
    relation there = measure(pair, segment, end, piece);
    double cosine = r->normal[0] * there.normal[0] + r->normal[1] * there.normal[1];
    return fabs(cosine) < ACROSS ? -1 : (side == 0) == (cosine < 0) ? 0 : 1;
}

/* The side of a vertex that was not over the segment in the last state, from what it was over then; -1: not known. */
static int side_on_entering(const crn_thin_pair *pair, int vertex_shape, int vertex, int segment, const relation *r,
                            const crn_side *old)
{
    bool last = (old ? old->place : r->now.place) > 0.5 * r->length;
    int side = side_from_chain(pair, vertex_shape, vertex, segment, last, old);
    return side >= 0 ? side : side_from_end(pair, vertex_shape, segment, last ? 1 : 0, r);
}

/* Of two shapes that lie on each other, the one that can fall is on top; b where both can. */
static bool is_on_top(const crn_thin_pair *pair, int shape)
{
    bool falls = pair->model->bodies[pair->placed[pair->b].body].kind == CAIRN_DYNAMIC;
    return shape == (falls ? pair->b : pair->a);
}

static int side_of_tie(const crn_thin_pair *pair, int vertex_shape, const relation *r)
{
    double up = -(pair->down[0] * r->normal[0] + pair->down[1] * r->normal[1]);
    return (up < 0) == is_on_top(pair, vertex_shape) ? 1 : 0;
}

static int side_by_height(const relation *r)
{
    return r->now.height < 0 ? 1 : 0;
}

static double on_side(int side, double height)
{
    assert(side >= -1 && side <= 1);
    return side == 0 ? height : -height;
}

/* A vertex just beyond an end where the chain continues, and which came from the chain, has not gone round it. Behind a
 * corner it may be over neither piece; there the lines of both hold it. -1: does not apply. */
static int side_at_joint(const crn_thin_pair *pair, int vertex_shape, int vertex, int segment, relation *r,
                         const crn_side *old)
{
    bool last = r->now.place > 0.5 * r->length;
    int next = next_piece(pair->model, segment, last);
    double off = last ? r->now.place - r->length : -r->now.place;
    if (next < 0 || off > BESIDE * r->length || fabs(r->now.height) > BESIDE * r->length)
        return -1;
    bool bound = old && (old->inside || old->carried);
    int side = bound ? old->side : side_from_chain(pair, vertex_shape, vertex, segment, last, true);
    if (side >= 0)
    {
        relation there = measure(pair, vertex_shape, vertex, next);
        bool behind = on_side(side, r->now.height) < 0 && on_side(side, there.now.height) < 0;
        r->now.carried = true;
        r->held = behind && !there.now.inside && pair->placed[vertex_shape].vertex_count == 1;
    }
    return side;
}

static int decide(const crn_thin_pair *pair, int vertex_shape, int vertex, int segment, relation *r)
{
    const crn_side *old = find(pair->memory, r->now.identity);
    r->known = true;
    int side = -1;
    if (!r->now.inside)
    {
        side = side_at_joint(pair, vertex_shape, vertex, segment, r, old);
    }
    else if (!(old && old->inside))
    {
        side = side_on_entering(pair, vertex_shape, vertex, segment, r, old);
        side = side < 0 && old && old->carried ? old->side : side;
    }
    if (side >= 0)
        return side;
    if (!old)
    {
        bool tie = pair->down && fabs(r->now.height) <= ON_LINE * r->length;
        r->known = tie;
        return tie ? side_of_tie(pair, vertex_shape, r) : side_by_height(r);
    }
    double before = on_side(old->side, old->height), after = on_side(old->side, r->now.height);
    if (after >= 0 || (r->now.inside && old->inside))
        return old->side;
    double share = before > 0 ? before / (before - after) : 0;
    bool through = is_inside(r, old->place + share * (r->now.place - old->place));
    /* a vertex that rested on the segment and slid off its end fell beside it, not through it */
    r->held = through && !r->now.inside && !pair->settles && before > FREE * r->length;
    return r->held || (through && r->now.inside) ? old->side : side_by_height(r);
}

static bool tells(const relation *r)
{
    return r->known && (r->now.inside || r->held);
}

/* The sides of a segment that may be its surface, as bits; `own` are the relations of its vertices to the other shape. 0:
 * contradictory. */
static int allowed_of(const relation *of_other, int other_count, const relation *own, bool other_is_segment)
{
    assert(other_count == 1 || other_count == 2);
    int allowed = 3;
    bool known = false;
    for (int i = 0; i < other_count; ++i)
    {
        allowed &= tells(&of_other[i]) ? 1 << of_other[i].now.side : 3;
        known = known || tells(&of_other[i]);
    }
    for (int i = 0; i < 2 && !known && other_is_segment; ++i)
    {
        /* vertex i is over one side of the other segment, so the other segment is over the side that faces it */
        double cosine = own[i].normal[0] * of_other[0].normal[0] + own[i].normal[1] * of_other[0].normal[1];
        bool against = (own[i].now.side == 0) == (cosine < 0);
        allowed &= tells(&own[i]) ? (against ? 1 : 2) : 3;
    }
    return allowed;
}

cairn_status crn_sides_decide(const crn_thin_pair *pair, crn_sides *out, crn_thin *thin)
{
    assert(pair->a >= 0 && pair->a < pair->b);
    assert(crn_is_thin(&pair->placed[pair->a], &pair->placed[pair->b]));
    const crn_placed *a = &pair->placed[pair->a], *b = &pair->placed[pair->b];
    relation of_a[2] = {{.length = 0}},
             of_b[2] = {{.length = 0}}; /* vertices of a relative to b, and of b relative to a */
    *thin = (crn_thin){.a = a};
    CRN_TRY(crn_reserve(&out->side, &out->capacity, out->count + 4, sizeof *out->side));
    /* in the order of their identities */
    for (int k = 0; k < 4; ++k)
    {
        int vertex = k / 2, from = k % 2 ? pair->b : pair->a, over = k % 2 ? pair->a : pair->b;
        if (vertex < pair->placed[from].vertex_count && pair->placed[over].vertex_count == 2)
        {
            relation r = measure(pair, from, vertex, over);
            r.now.side = decide(pair, from, vertex, over, &r);
            out->side[out->count++] = r.now;
            thin->uncut = thin->uncut || r.held;
            *(k % 2 ? &of_b[vertex] : &of_a[vertex]) = r;
        }
    }
    bool both = a->vertex_count == 2 && b->vertex_count == 2;
    thin->allowed_a = a->vertex_count == 2 ? allowed_of(of_b, b->vertex_count, of_a, both) : 0;
    thin->allowed_b = b->vertex_count == 2 ? allowed_of(of_a, a->vertex_count, of_b, both) : 0;
    if (!thin->allowed_a && !thin->allowed_b)
        thin->allowed_a = thin->allowed_b = 3; /* they cross: use the shallowest way out */
    return CAIRN_OK;
}

cairn_status crn_sides_copy(const crn_sides *from, crn_sides *to)
{
    CRN_TRY(crn_reserve(&to->side, &to->capacity, from->count, sizeof *to->side));
    if (from->count > 0)
        memcpy(to->side, from->side, from->count * sizeof *to->side);
    to->count = from->count;
    return CAIRN_OK;
}

void crn_sides_forget(crn_sides *sides, int body)
{
    assert(body >= 0);
    size_t kept = 0;
    for (size_t i = 0; i < sides->count; ++i)
    {
        bool gone = sides->side[i].body[0] == body || sides->side[i].body[1] == body;
        sides->side[kept] = sides->side[i];
        kept += gone ? 0 : 1;
    }
    sides->count = kept;
}

void crn_sides_free(crn_sides *sides)
{
    free(sides->side);
    *sides = (crn_sides){0};
}
