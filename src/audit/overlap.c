/* Overlaps from the geometry: none at the start, and none that grows in a step by more than turning explains.
 *
 * A contact is held by its normal of one moment while its bodies travel d and turn by theta relative to each other; the gap
 * that the linear law leaves is then off by d theta, a point of contact that moves on its body adds as much, and stages as much
 * again: 4 d theta are allowed. */
#include "audit/audit_internal.h"

#include "base/parallel_ranges.h"
#include "collide/drift.h"
#include "math/vec.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double INITIAL_OVERLAP = 1e-6; /* m: as cairn_simulation_check_initial */

/* Whether a contact is compliant: overlap of undeformed shapes is then its deformation. */
static bool gives_way(const cairn_model *model, const crn_contact *contact)
{
    int finer;
    const crn_shape *shapes = model->shapes;
    return crn_model_patch_of(model, contact->shape_a, contact->shape_b, &finer) ||
           model->materials[shapes[contact->shape_a].material].stiffness > 0 ||
           model->materials[shapes[contact->shape_b].material].stiffness > 0;
}

void crn_judge_start(crn_audit *audit, double t, const crn_contact *contacts, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const crn_contact *c = &contacts[i];
        if (c->gap < 0 && !gives_way(audit->model, c))
        {
            crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_PENETRATION,
                                                     .time = t,
                                                     .a.id = c->body_a + 1,
                                                     .b.id = c->body_b + 1,
                                                     .contact = c->identity,
                                                     .size = -c->gap,
                                                     .allowance = INITIAL_OVERLAP});
        }
    }
}

/* ------------------------------------------------------------------------------------------------ contacts at the start */

static crn_start make_start(const crn_contact *c)
{
    return (crn_start){.identity = c->identity,
                       .shape_a = c->shape_a,
                       .shape_b = c->shape_b,
                       .gap = c->gap,
                       .normal = {c->normal[0], c->normal[1], c->normal[2]}};
}

static inline crn_start start_at(const crn_audit *audit, int i)
{
    assert(i >= 0 && i < audit->start_count);
    return audit->lent ? make_start(&audit->lent[i]) : audit->start[i];
}

static inline uint64_t identity_at(const crn_audit *audit, int i)
{
    return audit->lent ? audit->lent[i].identity : audit->start[i].identity;
}

/* Whether a contact came into the list after the start. */
static bool is_later(const crn_audit *audit, uint64_t identity)
{
    int low = 0, high = audit->later_count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        bool is_less = audit->later[middle] < identity;
        low = is_less ? middle + 1 : low;
        high = is_less ? high : middle;
    }
    return low < audit->later_count && audit->later[low] == identity;
}

void crn_audit_forget_start(crn_audit *audit)
{
    audit->start_count = audit->later_count = 0;
    audit->lent = NULL;
}

cairn_status crn_audit_own_start(crn_audit *audit)
{
    int count = 0;
    CRN_TRY(crn_reserve_all(&audit->memory, CRN_ARRAY(audit->start, audit->start_count)));
    for (int i = 0; i < audit->start_count; ++i)
        if (!is_later(audit, audit->lent[i].identity))
            audit->start[count++] = make_start(&audit->lent[i]);
    crn_audit_forget_start(audit);
    audit->start_count = count;
    return CAIRN_OK;
}

cairn_status crn_audit_from(crn_audit *audit, const crn_contact *contacts, int count, bool lasts)
{
    assert(count >= 0);
    crn_audit_forget_start(audit);
    audit->lent = count > 0 ? contacts : NULL;
    audit->start_count = count;
    return lasts || count == 0 ? CAIRN_OK : crn_audit_own_start(audit);
}

const crn_contact *crn_audit_lent(const crn_audit *audit)
{
    return audit->lent;
}

cairn_status crn_audit_follow(crn_audit *audit, const crn_contact *contacts, int count, const crn_contact *more,
                              int more_count)
{
    assert(audit->lent && count == audit->start_count + more_count);
    CRN_TRY(crn_reserve_all(&audit->memory, CRN_ARRAY(audit->later, audit->later_count + more_count)));
    audit->lent = contacts;
    audit->start_count = count;
    for (int i = audit->later_count, j = more_count; j > 0;) /* from the end, as in crn_crowd_insert */
    {
        bool is_old = i > 0 && audit->later[i - 1] > more[j - 1].identity;
        audit->later[i + j - 1] = is_old ? audit->later[i - 1] : more[j - 1].identity;
        i -= is_old;
        j -= !is_old;
    }
    audit->later_count += more_count;
    return CAIRN_OK;
}

static bool of_shapes(const crn_start start, const crn_contact *c)
{
    return start.shape_a == c->shape_a && start.shape_b == c->shape_b;
}

/* --------------------------------------------------------------------------------------------------- contacts at the end */

/* The deepest overlap of a contact's two shapes at the start of the step (contact points wander along rims and edges), and the turn
 * of its normal: against the same contact, or against all of the two shapes where features have changed. `at`: the first contact
 * of the start whose identity is not less. */
static double depth_before(const crn_audit *audit, const crn_contact *c, int at, double *turn)
{
    assert(at >= 0 && at <= audit->start_count);
    int from = at, to = at;
    bool same = at < audit->start_count && identity_at(audit, at) == c->identity && !is_later(audit, c->identity);
    while (from > 0 && of_shapes(start_at(audit, from - 1), c))
        --from;
    while (to < audit->start_count && of_shapes(start_at(audit, to), c))
        ++to;
    double depth = 0;
    *turn = 0;
    for (int i = from; i < to; ++i)
    {
        const crn_start start = start_at(audit, i);
        double turned[3];
        if (is_later(audit, start.identity))
            continue;
        crn_sub3(c->normal, start.normal, turned);
        depth = crn_larger_of(depth, -start.gap);
        *turn = !same || i == at ? crn_larger_of(*turn, crn_norm3(turned)) : *turn;
    }
    return depth;
}

/* m/s: relative speed of the two bodies; *spin becomes at least the sum of their angular speeds. */
static double speed_at(const crn_audit *audit, const crn_contact *c, double (*v)[6], const int *row, double *spin)
{
    const double *a = crn_velocity_of(v, row, c->body_a), *b = crn_velocity_of(v, row, c->body_b);
    double u[3];
    crn_sub3(a, b, u);
    crn_add_image_drift(audit->model, c, u);
    double w_a = crn_norm3(a + 3), w_b = crn_norm3(b + 3);
    *spin = crn_larger_of(*spin, w_a + w_b);
    return crn_norm3(u);
}

/* m: how far a driven body is from where its velocities lead, taken at both ends of the step or in its middle: a scheme sees its
 * motion at a few times only. */
static double driven_path(const crn_audit *audit, const crn_audit_motion *motion, int body)
{
    if (audit->model->bodies[body].kind != CAIRN_DRIVEN || audit->shares) /* whose bodies have no motions */
        return 0.0;
    cairn_body_state from, to;
    double first[6], middle[6], last[6], ends[3], half[3];
    crn_model_pose_at(audit->model, body, motion->t, &from);
    crn_model_pose_at(audit->model, body, motion->t + motion->h, &to);
    crn_model_velocity_at(audit->model, body, motion->t, 1, first);
    crn_model_velocity_at(audit->model, body, motion->t + 0.5 * motion->h, 1, middle);
    crn_model_velocity_at(audit->model, body, motion->t + motion->h, -1, last);
    for (int k = 0; k < 3; ++k)
    {
        double moved = to.position[k] - from.position[k];
        ends[k] = moved - 0.5 * motion->h * (first[k] + last[k]);
        half[k] = moved - motion->h * middle[k];
    }
    /* at most the whole path: a pose that jumps is no motion */
    double way = motion->h * (crn_norm3(first) + crn_norm3(middle) + crn_norm3(last));
    return crn_smaller_of(way, 2 * (crn_norm3(ends) + crn_norm3(half)));
}

/* A rim of radius r is held at eight points and at the one that is lowest at the start. If the one that is lowest at the end, with
 * tilt theta, lies an angle delta from the nearest of these, delta <= pi/8, it is lower by r theta (1 - cos delta). The tilt, a vector in the
 * plane of the rim, has left its first direction by theta sin delta at least, and so the body has turned as far: h spin >= theta sin delta. Hence the
 * rim sags by r h spin tan(delta / 2) at most. */
static double sag(const crn_audit *audit, const crn_contact *c)
{
    cairn_shape_kind a = audit->model->shapes[c->shape_a].kind, b = audit->model->shapes[c->shape_b].kind;
    return crn_is_turned(a) || crn_is_turned(b) ? 0.199 /* tan(pi/16) */ : 0.0;
}

/* rad: how far two faces that touch with one normal are from parallel, by the gaps of their contacts. A contact at the end of one face
 * slides along the other, and its gap changes by as much of the way. */
static double tilt_of_faces(const crn_contact *contacts, int count, int i)
{
    const crn_contact *c = &contacts[i];
    double most = 0;
    for (int step = -1; step <= 1; step += 2)
        for (int k = i + step; k >= 0 && k < count; k += step)
        {
            double apart[3];
            if (contacts[k].shape_a != c->shape_a || contacts[k].shape_b != c->shape_b)
                break;
            crn_sub3(contacts[k].point_a, c->point_a, apart);
            double length = crn_norm3(apart), rise = fabs(contacts[k].gap - c->gap);
            if (crn_dot3(contacts[k].normal, c->normal) > 1 - 1e-9 && rise < 0.1 * length)
                most = crn_larger_of(most, rise / length);
        }
    return most;
}

/* m: the larger of the two bodies that move. */
static double size_at(const crn_audit *audit, const crn_contact *c)
{
    double a = crn_audit_moves(audit, c->body_a) ? audit->bodies.bound[c->body_a] : 0.0;
    double b = crn_audit_moves(audit, c->body_b) ? audit->bodies.bound[c->body_b] : 0.0;
    return crn_larger_of(a, b);
}

static void judge_overlap(crn_audit *audit, const crn_audit_motion *motion, const crn_contact *c, int at, double tilt)
{
    assert(motion->h > 0);
    assert(c->gap < 0);
    double turn, spin = 0;
    double before = depth_before(audit, c, at, &turn);
    double speed = crn_larger_of(speed_at(audit, c, motion->before, motion->row, &spin),
                                 speed_at(audit, c, motion->after, motion->row, &spin));
    double size = size_at(audit, c);
    double sagging = sag(audit, c) * motion->h * spin * size;
    speed += spin * size;
    double parallel = crn_larger_of(1e-4, tilt) * speed * motion->h; /* faces this close to parallel share one normal */
    parallel += driven_path(audit, motion, c->body_a) + driven_path(audit, motion, c->body_b) + sagging;
    double tolerance =
        parallel + (1e-10 + 20 * motion->tolerance) * (speed * motion->h + size) + 2 * motion->h * motion->left + 1e-12;
    crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_PENETRATION,
                                             .time = motion->t + motion->h,
                                             .a.id = c->body_a + 1,
                                             .b.id = c->body_b + 1,
                                             .contact = c->identity,
                                             .size = -c->gap - before,
                                             .allowance = 40 * motion->contact_tolerance + tolerance +
                                                          4 * motion->h * speed * (turn + motion->h * spin)});
}

/* A contact whose normal has turned over while its bodies hardly turned: they are through each other, by both gaps. Round the
 * end of a thin body the normal turns over too, but not by half a turn exactly. */
static void judge_passage(crn_audit *audit, const crn_audit_motion *motion, const crn_start *start,
                          const crn_contact *c)
{
    double spin = 0, sum[3];
    speed_at(audit, c, motion->before, motion->row, &spin);
    speed_at(audit, c, motion->after, motion->row, &spin);
    crn_add3(start->normal, c->normal, sum);
    double wider = audit->shares ? 1.01 : 1.0; /* who shares is in doubt on both sides of the border */
    if (crn_norm3(sum) <= wider * (1e-3 + motion->h * spin) && motion->h * spin < wider * 0.5)
    {
        crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_PENETRATION,
                                                 .time = motion->t + motion->h,
                                                 .a.id = c->body_a + 1,
                                                 .b.id = c->body_b + 1,
                                                 .contact = c->identity,
                                                 .size = crn_larger_of(0, start->gap) + crn_larger_of(0, c->gap),
                                                 .allowance = 1e-12});
    }
}

/* The contacts at the end of a step, part by part. */
typedef struct ending
{
    crn_audit *audit;
    const crn_audit_motion *motion;
    const crn_contact *contacts;
    int count, parts;
    int first_doubt[CRN_GLANCE_PARTS]; /* per part: the first contact that is not clearly right; its end: none */
} ending;

/* The first contact of the start whose identity is not less. */
static int place_of(const crn_audit *audit, uint64_t identity)
{
    int low = 0, high = audit->start_count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        bool is_less = identity_at(audit, middle) < identity;
        low = is_less ? middle + 1 : low;
        high = is_less ? high : middle;
    }
    return low;
}

/* Judge the contacts first .. end-1, or only look for the first one in doubt. Returns that, or the end. */
static int judge_range(const ending *all, int first, int end, bool only_look)
{
    crn_audit *audit = all->audit;
    const crn_audit_motion *motion = all->motion;
    int at = first < end ? place_of(audit, all->contacts[first].identity) : 0; /* both lists ascend by identity */
    const double least = crn_overlap_slight(motion, audit->least_bound);
    for (int i = first; i < end; ++i)
    {
        const crn_contact *c = &all->contacts[i];
        while (at < audit->start_count && identity_at(audit, at) < c->identity)
            ++at;
        bool same = at < audit->start_count && identity_at(audit, at) == c->identity;
        const crn_start start = same ? start_at(audit, at) : (crn_start){0};
        double grown = -c->gap - crn_larger_of(0, -start.gap);
        /* both are rare, and each by itself is not: no branches between them */
        bool turned = crn_dot3(start.normal, c->normal) < -0.5;
        bool deep = (c->gap < -motion->contact_tolerance) & !(grown <= least);
        if (!(turned | deep))
            continue;
        if (only_look)
            return i;
        if (turned && !is_later(audit, c->identity))
            judge_passage(audit, motion, &start, c);
        if (deep && !(grown <= crn_overlap_slight(motion, size_at(audit, c))) && !gives_way(audit->model, c))
            judge_overlap(audit, motion, c, at, tilt_of_faces(all->contacts, all->count, i));
    }
    return end;
}

static void look_at_part(void *data, int part)
{
    ending *all = data;
    int first = (int)crn_part((size_t)all->count, all->parts, part);
    int end = (int)crn_part((size_t)all->count, all->parts, part + 1);
    all->first_doubt[part] = judge_range(all, first, end, true);
}

/* Threads look for doubts; what follows a doubt is judged in order. */
void crn_judge_overlaps(crn_audit *audit, const crn_audit_motion *motion, const crn_contact *contacts, int count)
{
    ending all = {audit, motion, contacts, count, crn_audit_parts(audit, count), {0}};
    if (all.parts == 1)
    {
        judge_range(&all, 0, count, false);
        return;
    }
    crn_in_parts(all.parts, look_at_part, &all);
    for (int part = 0; part < all.parts; ++part)
        judge_range(&all, all.first_doubt[part], (int)crn_part((size_t)count, all.parts, part + 1), false);
}
