/* The compact view of the state: what crn_begin, crn_add_gravity, crn_add_forces, crn_add_gyroscopic and crn_add_contact_rows make of
 * it for the general problem, in the world frame and without rows. */
#include "base/foresee.h"
#include "base/parallel_ranges.h"
#include "collide/drift.h"
#include "math/vec.h"
#include "step/compact/uneven.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The share of an overlap that a step pushes out. What is pushed out becomes velocity, which adds up from layer to layer of a heap and has
 * to be solved for in the next step: with too large a share, large heaps boil. So the share goes down as layers become more, like
 * (LAYERED / contacts)^(1/3). `fast`, with its few sweeps, pushes half as much. Bodies with faces, which tilt where they overlap, are pushed
 * apart faster. Longer steps are fewer, and push more each (policy.c). */
static const double PUSH_SHARE = 0.1, PUSH_FACES = 0.2, MOST_PUSHED = 0.2, OF_FAST = 0.5, LAYERED = 5000,
                    MOST_EVER = 0.5;
/* Of the size of the smaller body: what is deeper than this is pushed out at once. */
static const double DEEP = 1e-2;

/* Whether any contact may have a restitution. */
static bool can_bounce(const cairn_simulation *s)
{
    const cairn_model *model = s->model;
    bool can = s->hooks.options.pre_solve != NULL; /* which may give it one */
    for (size_t i = 0; i < model->material_count && !can; ++i)
        can = model->materials[i].restitution > 0;
    for (size_t i = 0; i < model->pair_count && !can; ++i)
        can = model->pairs[i].options.restitution > 0;
    return can;
}

static cairn_status reserve(cairn_simulation *s, int count)
{
    crn_compact_scratch *c = &s->compact;
    size_t bodies = s->model->body_count;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->drift, s->model->drifts ? count : 0)));
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->room, crn_compact_room((int)bodies) + 1)));
    c->after = crn_compact_align(c->room);
    return crn_reserve_all(&s->memory, CRN_ARRAY(c->inverse_inertia, s->layout->gyroscopic > 0 ? bodies : 0),
                           CRN_ARRAY(c->is_round, bodies), CRN_ARRAY(c->centre, bodies), CRN_ARRAY(c->bias, count),
                           CRN_ARRAY(c->at_rest, bodies), CRN_ARRAY(c->bounce, can_bounce(s) ? count : 0));
}

/* New positions and velocities are not known before the solve ends. Until then their memory holds what only the solve needs. */
static cairn_status borrow(cairn_simulation *s, size_t contacts)
{
    crn_compact_scratch *c = &s->compact;
    size_t bodies = s->model->body_count, body = sizeof(crn_compact_body) / sizeof(double);
    size_t known = bodies * (body + 3), need = known + (contacts > 6 * bodies ? contacts : 6 * bodies);
    bool fits = need <= s->trial.room;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->own, fits ? 0 : need)));
    double *memory = fits ? s->trial.q_new : c->own;
    c->free = (crn_compact_body *)memory;
    c->height = memory + body * bodies;
    c->across = c->height + bodies;
    c->island_work = c->across + bodies;
    c->residual = c->island_work + bodies;
    c->before = (double(*)[6])c->residual; /* residuals are found between sweeps and after them */
    c->left = c->residual + contacts;
    c->left_count = fits ? s->trial.room - known - contacts : 0;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------ bodies */

/* The inverse of a matrix whose symmetric part is positive definite. */
static void invert(const double A[9], double out[9])
{
    crn_cross3(A + 3, A + 6, out);
    crn_cross3(A + 6, A, out + 3);
    crn_cross3(A, A + 3, out + 6);
    double determinant = crn_dot3(A, out);
    assert(determinant > 0);
    for (int i = 0; i < 9; ++i)
        out[i] /= determinant;
    for (int i = 0; i < 3; ++i) /* the rows above are the columns of the inverse */
        for (int k = 0; k < i; ++k)
        {
            double swap = out[3 * i + k];
            out[3 * i + k] = out[3 * k + i];
            out[3 * k + i] = swap;
        }
}

/* A body that is prescribed moves at its drive velocity. */
static void view_prescribed(const cairn_simulation *s, int body, crn_compact_body *out)
{
    const double *drive = crn_frame_drive(&s->located.frame, body);
    memcpy(out->v, drive, sizeof out->v);
    if (s->model->dimension == 3)
        crn_rotate3(s->located.frame.pose[body].R, drive + 3, out->w);
    else
        out->w[2] = drive[5];
}

crn_compact_body crn_compact_start(const cairn_simulation *s, int body)
{
    const crn_layout *layout = s->layout;
    crn_compact_body out = {0};
    int block = layout->body_block[body], linear = s->model->dimension;
    if (block < 0)
    {
        view_prescribed(s, body, &out);
        return out;
    }
    const double *v = s->state.v + layout->block_start[block];
    bool turns = layout->block_start[block + 1] - layout->block_start[block] > linear;
    out.inverse_mass = 1.0 / layout->mass[body];
    crn_copy_few(v, linear, out.v);
    if (turns && linear == 2)
        out.w[2] = v[2];
    else if (turns)
        crn_rotate3(s->located.frame.pose[body].R, v + 3, out.w);
    out.inverse_inertia =
        !turns || !s->compact.is_round[body] ? 0.0 : 1.0 / crn_inertia_about_z(&layout->inertia, body);
    return out;
}

/* J^-1 = R (I + K)^-1 R', and the free velocity J^-1 (I w + impulse), for a body whose inertia is not isotropic, or whose torques are
 * implicit. */
static void view_inertia(cairn_simulation *s, crn_stage *stage, int body, const double *impulse, double h,
                         crn_treatment gyroscopic, double w_free[3])
{
    int block = s->layout->body_block[body];
    const crn_matrix3 inertia = crn_inertia_of(&s->layout->inertia, body);
    const double *I = inertia.m, *R = s->located.frame.pose[body].R;
    const double *w = s->state.v + s->layout->block_start[block] + 3;
    const crn_uneven *slopes = crn_uneven_of(&s->compact, body);
    crn_assembly *assembly = &stage->assembly;
    crn_gyro_term none, *term = &none; /* a body with isotropic inertia has no gyroscopic moment */
    double A[9], inverse[9], L[3], turned[9], w_body[3];
    if (!crn_is_isotropic(I))
        term = &assembly->gyro_terms[assembly->gyro_term_count++];
    term->block = block;
    crn_gyro_make(I, w, h, gyroscopic, term);
    for (int i = 0; i < 9; ++i)
        A[i] = I[i] + term->K[i] + (slopes ? slopes->w[i] : 0.0);
    if (slopes)
        crn_uneven_invert(A, inverse);
    else
        invert(A, inverse);
    crn_rotate3(I, w, L);
    crn_add3(L, term->constant, L);
    crn_add3(L, impulse, L);
    if (slopes)
        crn_uneven_solve(A, inverse, L, w_body);
    else
        crn_rotate3(inverse, L, w_body);
    crn_rotate3(R, w_body, w_free);
    /* R X R' */
    crn_multiply33(R, inverse, turned);
    double *out = s->compact.inverse_inertia[body];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            out[3 * i + k] = crn_dot3(turned + 3 * i, R + 3 * k);
}

/* A body of space on which nothing but gravity acts, and that turns alike about all axes, as most bodies of a heap do. */
static bool view_falling(cairn_simulation *s, const crn_stage *stage, int body, double h)
{
    crn_compact_scratch *c = &s->compact;
    const crn_layout *layout = s->layout;
    int block = layout->body_block[body], start = layout->block_start[block];
    if (layout->block_start[block + 1] - start < 6 || stage->assembly.is_pushed || c->uneven_count > 0 ||
        !crn_inertia_is_number(&layout->inertia, body) || crn_is_absent(layout, body))
        return false;
    const double *v = s->state.v + start;
    crn_compact_body *before = &c->after[body], *after = &c->free[body];
    memcpy(before->v, v, sizeof before->v);
    before->inverse_mass = 1.0 / layout->mass[body];
    crn_rotate3(s->located.frame.pose[body].R, v + 3, before->w);
    before->inverse_inertia = 1.0 / crn_inertia_about_z(&layout->inertia, body);
    *after = *before;
    crn_madd3(after->v, h, s->state.gravity, after->v);
    return true;
}

static void view_dynamic(cairn_simulation *s, crn_stage *stage, int body, double h, crn_treatment gyroscopic)
{
    crn_compact_scratch *c = &s->compact;
    const crn_layout *layout = s->layout;
    int start = layout->block_start[layout->body_block[body]], linear = s->model->dimension;
    int dofs = layout->block_start[layout->body_block[body] + 1] - start;
    static const double none[6] = {0};
    const double *impulse = stage->assembly.is_pushed ? stage->assembly.problem.p + start : none;
    crn_compact_body *before = &c->after[body], *after = &c->free[body];
    bool turns = dofs > linear;
    const crn_uneven *slopes = crn_uneven_of(c, body);
    bool resists = turns && slopes && slopes->turns;
    c->is_round[body] =
        linear == 2 || !turns || (crn_is_isotropic(crn_inertia_of(&layout->inertia, body).m) && !resists);
    *after = *before = crn_compact_start(s, body);
    if (slopes)
        crn_uneven_push(s, body, h, impulse, after);
    for (int i = 0; !slopes && i < linear && !crn_is_absent(layout, body); ++i)
        after->v[i] += h * s->state.gravity[i] + before->inverse_mass * impulse[i];
    if (resists && linear == 2)
        crn_uneven_turn(s, body, impulse[2], after);
    else if (turns && linear == 2)
        after->w[2] += before->inverse_inertia * impulse[2];
    else if (turns && c->is_round[body])
    {
        double moment[3];
        crn_rotate3(s->located.frame.pose[body].R, impulse + 3, moment);
        crn_madd3(after->w, before->inverse_inertia, moment, after->w);
    }
    else if (turns)
        view_inertia(s, stage, body, impulse + 3, h, gyroscopic, after->w);
}

/* The bodies on their way into the view, part by part. */
typedef struct body_view
{
    cairn_simulation *s;
    crn_stage *stage;
    double h;
    crn_treatment gyroscopic;
    int parts, across;                  /* across: the axis */
    bool is_round[CRN_COMPACT_THREADS]; /* per part: all bodies */
} body_view;

static void view_body_part(void *data, int part)
{
    body_view *view = data;
    cairn_simulation *s = view->s;
    crn_compact_scratch *c = &s->compact;
    int end = (int)crn_part(s->model->body_count, view->parts, part + 1);
    view->is_round[part] = true;
    for (int b = (int)crn_part(s->model->body_count, view->parts, part); b < end; ++b)
    {
        c->height[b] = -crn_dot3(s->state.gravity, s->located.frame.pose[b].x);
        c->across[b] = s->located.frame.pose[b].x[view->across];
        memcpy(c->centre[b], s->located.frame.pose[b].x, sizeof c->centre[b]);
        c->is_round[b] = true;
        if (s->layout->body_block[b] < 0)
            c->free[b] = c->after[b] = crn_compact_start(s, b);
        else if (!view_falling(s, view->stage, b, view->h))
            view_dynamic(s, view->stage, b, view->h, view->gyroscopic);
        view->is_round[part] = view->is_round[part] && c->is_round[b];
    }
}

static cairn_status view_bodies(cairn_simulation *s, crn_stage *stage, const crn_input *in, crn_treatment treatment)
{
    crn_compact_scratch *c = &s->compact;
    crn_assembly *assembly = &stage->assembly;
    int bodies = (int)s->model->body_count;
    if (assembly->is_pushed)
        memset(assembly->problem.p, 0, (size_t)assembly->problem.n * sizeof(double));
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->gyro_terms, s->layout->gyroscopic)));
    CRN_TRY(crn_add_forces(assembly, in, treatment));
    CRN_TRY(crn_uneven_find(s, assembly));
    const double *g = s->state.gravity;
    body_view view = {.s = s,
                      .stage = stage,
                      .h = in->h,
                      .gyroscopic = treatment,
                      .across = fabs(g[0]) <= fabs(g[1]) ? 0 : 1, /* the more horizontal of both */
                      /* gyroscopic moments are listed one after the other */
                      .parts = s->layout->gyroscopic > 0 ? 1 : crn_compact_threads(s, bodies)};
    crn_in_parts(view.parts, view_body_part, &view);
    bool all_round = true;
    for (int part = 0; part < view.parts; ++part)
        all_round = all_round && view.is_round[part];
    c->problem.body_count = bodies;
    c->problem.body = c->free;
    c->problem.room = c->after;
    c->problem.height = c->height;
    c->problem.across = c->across;
    c->problem.inverse_inertia = all_round ? NULL : (const double(*)[9])c->inverse_inertia;
    c->problem.is_round = all_round ? NULL : c->is_round;
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------- contacts */

/* Velocity of the contact point of a body at a given arm. */
static inline void point_velocity(const crn_compact_body *body, const double arm[3], double out[3])
{
    crn_cross3(body->w, arm, out);
    crn_add3(out, body->v, out);
}

void crn_compact_velocity(const crn_compact_scratch *c, const crn_contact *contact, int j, const crn_compact_body *body,
                          double u[3])
{
    double arm_a[3], arm_b[3], b[3];
    crn_sub3(contact->point_a, c->centre[contact->body_a], arm_a);
    crn_sub3(contact->point_b, c->centre[contact->body_b], arm_b);
    point_velocity(&body[contact->body_a], arm_a, u);
    point_velocity(&body[contact->body_b], arm_b, b);
    crn_sub3(u, b, u);
    if (c->problem.drift)
        crn_add3(u, c->drift[j], u);
}

void crn_compact_start_velocity(const cairn_simulation *s, int j, double u[3])
{
    const crn_compact_contact here = crn_compact_at(&s->compact.problem, j), *contact = &here;
    crn_compact_body a = crn_compact_start(s, contact->a), b = crn_compact_start(s, contact->b);
    double of_b[3];
    point_velocity(&a, contact->arm_a, u);
    point_velocity(&b, contact->arm_b, of_b);
    crn_sub3(u, of_b, u);
    if (s->compact.problem.drift)
        crn_add3(u, s->compact.drift[j], u);
}

static bool is_plain(const cairn_model *model, int shape)
{
    cairn_shape_kind kind = model->shapes[shape].kind;
    return kind == CAIRN_SPHERE || kind == CAIRN_CIRCLE || kind == CAIRN_HALF_SPACE || kind == CAIRN_HALF_PLANE;
}

/* Whether a shape is one about the centre of its body, or on a body that does not move by its contacts. */
static bool is_central(const cairn_model *model, int shape)
{
    const crn_shape *of = &model->shapes[shape];
    bool is_ball = of->kind == CAIRN_SPHERE || of->kind == CAIRN_CIRCLE;
    return model->bodies[of->body].kind != CAIRN_DYNAMIC || (is_ball && !of->own_frame);
}

/* Whether all shapes of the model are plain, so that those in contact need not be looked at, and central. */
static bool is_all_plain(cairn_simulation *s)
{
    crn_compact_scratch *c = &s->compact;
    if (c->looked_at == s->model->revision + 1)
        return c->all_plain;
    c->looked_at = s->model->revision + 1;
    c->all_plain = c->all_central = true;
    for (int i = 0; i < (int)s->model->shape_count && c->all_plain; ++i)
    {
        c->all_plain = is_plain(s->model, i);
        c->all_central = c->all_central && is_central(s->model, i);
    }
    return c->all_plain;
}

static double push_share(cairn_simulation *s, int contacts, double h)
{
    double length = crn_compact_length(s, h), of_fast = OF_FAST * length;
    bool is_fast = s->settings.accuracy == CAIRN_ACCURACY_FAST && of_fast < 1;
    double share = (is_all_plain(s) ? PUSH_SHARE : PUSH_FACES) * cbrt(LAYERED / (contacts + 1));
    share = share < MOST_PUSHED ? share : MOST_PUSHED;
    share *= is_fast ? of_fast * length : length;
    return share < MOST_EVER ? share : MOST_EVER;
}

/* The contacts of a step on their way into the view, part by part. */
typedef struct viewing
{
    cairn_simulation *s;
    const crn_input *in;
    int parts;
    bool all_plain, can_bounce, pushes_out;
    double push_share;  /* of an overlap, per step */
    double longer;      /* s: h, or the settings' step */
    double hardly_deep; /* m/s: what is deep counts by at least so much */
    bool has_faces[CRN_COMPACT_THREADS], bounces[CRN_COMPACT_THREADS]; /* per part: any contact */
} viewing;

/* Whether the bias of a contact depends on its velocity: it may bounce, or is to be pushed out faster than push_out_speed
 * (crn_normal_bias). */
static bool asks_for_speed(const viewing *view, const crn_contact *from)
{
    double sure = (1 - 1e-9) * view->in->settings->push_out_speed; /* whatever the rounding of a quotient */
    return view->can_bounce || from->gap < -sure * view->longer;
}

/* m/s: crn_normal_bias of a contact that does not. Gaps have both signs, in no order that a processor could guess, so that few things here branch. */
static inline double still_bias(const viewing *view, double gap)
{
    double w = gap / (gap > 0 ? view->in->h : view->longer);
    return view->pushes_out ? w : w > 0 ? w : 0.0;
}

/* m/s: of a bias w, what a step pushes out. Sweeps leave small overlaps everywhere: pushed out within one step, they would become
 * velocities. */
static double pushed(const viewing *view, const crn_contact *from, double w)
{
    double share = view->push_share * w, deep = w + DEEP * crn_contact_size(view->s, from) / view->in->h;
    return share < deep ? share : deep;
}

/* m/s: w_n of a contact that asks for its speed. Notes whether it bounces. */
static double lively_bias(viewing *view, int part, int j)
{
    crn_compact_scratch *c = &view->s->compact;
    const crn_contact *from = &view->s->located.contacts[j];
    double u[3];
    crn_compact_velocity(c, from, j, c->after, u); /* at the start */
    double u_n = crn_dot3(u, from->normal), w = crn_normal_bias(view->in, from->gap, from->restitution, u_n);
    bool bounces = view->can_bounce && crn_contact_bounces(view->in, from->gap, from->restitution, u_n);
    w = from->gap >= 0 || bounces ? w : pushed(view, from, w);
    if (view->can_bounce)
        c->bounce[j] = bounces ? w : 0.0;
    view->bounces[part] = view->bounces[part] || bounces;
    return w;
}

static void view_contact(viewing *view, int part, int j)
{
    crn_compact_scratch *c = &view->s->compact;
    const crn_contact *from = &view->s->located.contacts[j];
    assert(from->spin == 0.0);                      /* tangents follow from the normal */
    crn_foresee(from, CRN_FORESEEN * sizeof *from); /* up to its gap */
    if (!view->all_plain && !view->has_faces[part])
        view->has_faces[part] = !is_plain(view->s->model, from->shape_a) || !is_plain(view->s->model, from->shape_b);
    if (c->problem.drift)
        crn_contact_drift(view->s->model, view->s->located.frame.pose, from, c->drift[j]);
    if (asks_for_speed(view, from))
        c->bias[j] = lively_bias(view, part, j);
    else
    {
        double gap = from->gap, w = still_bias(view, gap), share = (gap < 0 ? view->push_share : 1.0) * w;
        bool may_be_deep = !(share < w + view->hardly_deep) && gap < 0;
        c->bias[j] = may_be_deep ? pushed(view, from, w) : share;
    }
}

/* The contacts of a chunk, and between which moving bodies they lie. */
static void view_chunk(viewing *view, int part, int chunk)
{
    const crn_contact *contact = view->s->located.contacts;
    int count = view->s->located.contact_count;
    const int *block = view->s->layout->body_block;
    crn_compact_span span = CRN_COMPACT_NOBODY;
    for (int j = crn_compact_chunk(count, chunk); j < crn_compact_chunk(count, chunk + 1); ++j)
    {
        view_contact(view, part, j);
        if (block[contact[j].body_a] >= 0)
            crn_compact_widen(&span, contact[j].body_a);
        if (block[contact[j].body_b] >= 0)
            crn_compact_widen(&span, contact[j].body_b);
    }
    view->s->compact.span[chunk] = span;
}

static void view_part(void *data, int part)
{
    viewing *view = data;
    int end = (int)crn_part(CRN_COMPACT_CHUNKS, view->parts, part + 1);
    if (view->parts == 1) /* nobody asks for the bodies of a chunk */
    {
        for (int j = 0; j < view->s->located.contact_count; ++j)
            view_contact(view, part, j);
        return;
    }
    for (int chunk = (int)crn_part(CRN_COMPACT_CHUNKS, view->parts, part); chunk < end; ++chunk)
        view_chunk(view, part, chunk);
}

/* m: of the smallest body that can move. */
static double least_size(const cairn_simulation *s)
{
    double least = INFINITY;
    for (int k = 0; k < s->layout->body_block_count; ++k)
    {
        double size = crn_size_of(s->layout, s->layout->block_body[k]);
        least = size < least ? size : least;
    }
    return least;
}

static void view_contacts(cairn_simulation *s, const crn_input *in)
{
    int count = s->located.contact_count;
    viewing view = {.s = s,
                    .in = in,
                    .parts = crn_compact_threads(s, count),
                    .all_plain = is_all_plain(s),
                    .can_bounce = can_bounce(s),
                    .pushes_out = s->settings.stabilisation == CAIRN_STABILISE_GAP,
                    .push_share = push_share(s, count, in->h),
                    .longer = fmax(in->h, s->settings.step),
                    .hardly_deep = DEEP * least_size(s) / in->h};
    crn_in_parts(view.parts, view_part, &view);
    s->compact.has_faces = s->compact.any_bounces = false;
    for (int part = 0; part < view.parts; ++part)
    {
        s->compact.has_faces = s->compact.has_faces || view.has_faces[part];
        s->compact.any_bounces = s->compact.any_bounces || view.bounces[part];
    }
}

/* Sweeps read the contacts where they were found. */
static void list_contacts(cairn_simulation *s)
{
    static_assert(offsetof(crn_contact, body_b) == offsetof(crn_contact, body_a) + sizeof(int), "both bodies");
    static_assert(offsetof(crn_contact, point_b) == offsetof(crn_contact, normal) + 6 * sizeof(double) &&
                      offsetof(crn_contact, friction) == offsetof(crn_contact, normal) + 9 * sizeof(double),
                  "ten numbers in a row");
    crn_compact_scratch *c = &s->compact;
    const crn_contact *first = s->located.contacts;
    c->problem.contact = NULL;
    c->problem.list = (crn_compact_list){.stride = sizeof *first,
                                         .centre = (const double(*)[3])c->centre,
                                         .bias = c->bias,
                                         .span = crn_compact_threads(s, s->located.contact_count) > 1 ? c->span : NULL};
    if (s->located.contact_count > 0)
    {
        c->problem.list.bodies = &first->body_a;
        c->problem.list.normal = (const double *)((const char *)first + offsetof(crn_contact, normal));
    }
}

static void set_polygon(cairn_simulation *s)
{
    crn_compact_scratch *c = &s->compact;
    bool has_polygon = s->model->dimension == 3 && crn_compact_has_polygon(s->settings.law.kind);
    c->problem.polygon = has_polygon ? &c->polygon : NULL;
    if (has_polygon)
        crn_compact_polygon_of(s->settings.law, &c->polygon);
}

cairn_status crn_compact_view(cairn_simulation *s, crn_stage *stage, double h, crn_treatment treatment)
{
    crn_input in = crn_stage_input(s, stage, h);
    in.frame = &s->located.frame;
    in.splits_forces = true;
    int count = s->located.contact_count;
    crn_compact_scratch *c = &s->compact;
    crn_compact_measure(s);
    CRN_TRY(reserve(s, count));
    CRN_TRY(borrow(s, (size_t)count));
    CRN_TRY(crn_begin_rowless(&stage->assembly, &in));
    CRN_TRY(view_bodies(s, stage, &in, treatment));
    c->problem.drift = s->model->drifts ? (const double(*)[3])c->drift : NULL;
    stage->assembly.problem.contact_count = count;
    stage->assembly.active = s->located.contacts;
    if (!crn_collider_keeps(s->located.collider, s->located.contacts))
        CRN_TRY(crn_own_contacts(&stage->assembly));
    view_contacts(s, &in);
    list_contacts(s);
    crn_compact_pull(s, h);
    CRN_TRY(crn_compact_add_rolling(s, stage));
    c->problem.contact_count = count;
    c->problem.law = s->settings.law.kind;
    c->problem.is_planar = s->model->dimension == 2;
    set_polygon(s);
    c->problem.all_round = c->all_plain && c->all_central && !c->problem.inverse_inertia;
    c->problem.threads = s->settings.solver.threads;
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------- solution */

static void read_part(void *data, int part)
{
    cairn_simulation *s = data;
    const crn_layout *layout = s->layout;
    int linear = s->model->dimension, parts = crn_compact_threads(s, layout->body_block_count);
    int end = (int)crn_part((size_t)layout->body_block_count, parts, part + 1);
    for (int k = (int)crn_part((size_t)layout->body_block_count, parts, part); k < end; ++k)
    {
        int body = layout->block_body[k], start = layout->block_start[k];
        int dofs = layout->block_start[k + 1] - start;
        const crn_compact_body *from = &s->compact.after[body];
        double *v = s->trial.v_new + start;
        crn_copy_few(from->v, linear, v);
        if (linear == 2 && dofs == 3)
            v[2] = from->w[2];
        else if (dofs == 6)
            crn_unrotate3(s->located.frame.pose[body].R, from->w, v + 3);
    }
}

void crn_compact_read_solution(cairn_simulation *s, crn_stage *stage)
{
    crn_compact_scratch *c = &s->compact;
    crn_in_parts(crn_compact_threads(s, s->layout->body_block_count), read_part, s);
    stage->impulse = c->impulse;
    stage->solution = (cairn_solution){.n = s->layout->block_start[s->layout->block_count],
                                       .contact_rows = s->model->dimension * c->problem.contact_count,
                                       .v = s->trial.v_new};
}

cairn_status crn_compact_read_rows(cairn_simulation *s, crn_stage *stage)
{
    crn_compact_scratch *c = &s->compact;
    int dim = s->model->dimension, count = c->problem.contact_count;
    if (stage->solution.r)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->r, dim * count)));
    for (int j = 0; j < count; ++j)
    {
        double r[3];
        crn_stage_impulse(stage, j, r);
        memcpy(c->r + (ptrdiff_t)j * dim, r, (size_t)dim * sizeof(double));
    }
    stage->solution.r = c->r;
    return CAIRN_OK;
}
