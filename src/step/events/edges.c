/* Contacts that run over an edge within a step.
 *
 * A closed contact keeps its features for the whole part. A stage evaluates its rows where the step is expected to end,
 * and that may lie beyond the end of a face. Collision detection then no longer finds the contact, or finds it at the
 * corner with a different normal. In that case the stage carries the contact along rigidly: the touching corner or
 * centre moves with its own body, and the plane that it touches moves with the other body.
 *
 *     x' = carried point of the corner's body ,   n' = normal turned with the other body ,   gap' = n'.(x' - y')
 *
 * At the end of a part the actual geometry decides. A contact that still presses there may have left its face, for an
 * edge or for nothing. Its force then jumped on the way, and the part is cut where that happened. The cut is found by
 * bisection on the step length, because the change is a yes/no condition. The force is continuous up to the cut, so the
 * part that ends at the edge is second-order accurate, and the time of the edge is known to 1e-7 of the part.
 *
 * Contacts that continue under another identity in the same plane are not events. Examples are the triangles of a flat
 * mesh, or a corner of one box that takes the place of a corner of the other. Their force is continuous, and a lever
 * arm that is off by O(h) for one part costs O(h^2) once.
 */
#include "collide/identity.h"
#include "collide/shapes/region.h"
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double SAME_PLANE = 0.01; /* rad */
static const double FLAT = 1e-7;       /* rad: between triangles of a flat mesh, which rolling shapes do not notice */
static const double TURNED = 1.0;      /* rad: a contact that turns by this much within a part is a different contact */
static const double BRACKET = 1e-7;    /* fraction of a part: accuracy of the time of an edge */

const crn_contact *crn_find_contact(const crn_contact *contacts, int count, uint64_t identity)
{
    const uint64_t *first = count > 0 ? &contacts->identity : NULL;
    int at = crn_identity_search(first, (size_t)count, sizeof *contacts, identity);
    return at < 0 ? NULL : &contacts[at];
}

/* ------------------------------------------------------------------------------------------- carrying a contact */

/* Move a world point or direction with its body from one pose to another. */
static void carry(const crn_pose *from, const crn_pose *to, const double x[3], bool direction, double out[3])
{
    double local[3];
    crn_sub3(x, direction ? (const double[3]){0, 0, 0} : from->x, local);
    crn_unrotate3(from->R, local, local);
    crn_rotate3(to->R, local, out);
    crn_add3(out, direction ? (const double[3]){0, 0, 0} : to->x, out);
}

/* The given contact at the poses `from`, carried along rigidly to the poses `to`. */
static crn_contact carried(const cairn_simulation *s, const crn_contact *contact, const crn_pose *from,
                           const crn_pose *to)
{
    crn_contact out = *contact;
    bool b_points =
        !crn_touches_by_corner(s->model, contact, from, false) && crn_touches_by_corner(s->model, contact, from, true);
    int corner = b_points ? contact->body_b : contact->body_a, plane = b_points ? contact->body_a : contact->body_b;
    double sign = b_points ? -1.0 : 1.0; /* whether the normal points from the plane to the corner (+1) or back (-1) */
    double r = s->model->shapes[b_points ? contact->shape_b : contact->shape_a].radius;
    double centre[3], on_plane[3], arm[3], x[3], t[2][3], along[3];
    crn_madd3(b_points ? contact->point_b : contact->point_a, sign * r, contact->normal, centre);
    carry(&from[corner], &to[corner], centre, false, x);
    carry(&from[plane], &to[plane], b_points ? contact->point_a : contact->point_b, false, on_plane);
    carry(&from[plane], &to[plane], contact->normal, true, out.normal);
    crn_madd3(x, -sign * r, out.normal, x);
    crn_sub3(x, on_plane, arm);
    out.gap = sign * crn_dot3(arm, out.normal);
    memcpy(b_points ? out.point_b : out.point_a, x, sizeof x);
    crn_madd3(x, -sign * out.gap, out.normal, b_points ? out.point_a : out.point_b);
    crn_contact_tangents(contact, s->model->dimension, t);
    carry(&from[plane], &to[plane], t[0], true, along);
    crn_contact_turn(&out, s->model->dimension, along);
    return out;
}

static double angle_between(const double a[3], const double b[3])
{
    double cross[3];
    crn_cross3(a, b, cross);
    return atan2(crn_norm3(cross), crn_dot3(a, b));
}

/* Whether a contact of the state is gone, touches another part of its shapes, or has turned too far to be the same. */
static bool lost_features(const cairn_simulation *s, const crn_contact *start, const crn_contact *now,
                          const crn_pose *poses)
{
    return !now || angle_between(start->normal, now->normal) > TURNED ||
           crn_contact_region(s->model, start, s->located.frame.pose) != crn_contact_region(s->model, now, poses);
}

/* m: how far the bodies of a contact move relative to each other over h. Limits how much a contact and its successor
 * under another identity may differ. */
static double travel_of(const cairn_simulation *s, const crn_contact *contact, double h)
{
    crn_motion a = crn_motion_of(s, contact->body_a, s->state.v, h),
               b = crn_motion_of(s, contact->body_b, s->state.v, h);
    double apart[3];
    crn_sub3(a.travel, b.travel, apart);
    return crn_norm3(apart) + a.turn + b.turn + s->settings.contact_tolerance;
}

/* The nearest other contact of the same two shapes that continues in the same plane. If `poses` is given, it holds the
 * poses of `contacts`, and `old` is a contact of the state. The successor must then be new since the state, and must
 * touch the same part of the shapes. */
static const crn_contact *successor(const cairn_simulation *s, const crn_contact *old, const crn_contact *contacts,
                                    int count, const crn_pose *poses, double h)
{
    double travel = travel_of(s, old, h), nearest = INFINITY;
    int region = poses ? crn_contact_region(s->model, old, s->located.frame.pose) : 0;
    double plane = poses && crn_contact_rolls(s->model, old) ? FLAT : SAME_PLANE;
    const crn_contact *found = NULL;
    for (int i = 0; i < count; ++i)
    {
        const crn_contact *c = &contacts[i];
        double apart[3];
        crn_sub3(c->point_a, old->point_a, apart);
        bool same = c->shape_a == old->shape_a && c->shape_b == old->shape_b && crn_norm3(apart) < nearest;
        bool fresh = !poses || !crn_find_contact(s->located.contacts, s->located.contact_count, c->identity);
        bool there = !poses || crn_contact_region(s->model, c, poses) == region;
        /* round shapes roll over a corner, and the normal turns with them */
        bool flush = region > 0 || angle_between(old->normal, c->normal) < plane;
        if (same && fresh && there && flush && fabs(c->gap - old->gap) < (region > 0 ? 0.5 : 0.01) * travel)
        {
            nearest = crn_norm3(apart);
            found = c;
        }
    }
    return found;
}

/* Replacement for a closed contact that a stage has lost: its successor there under the old identity, or else the
 * contact itself, carried along. */
static crn_contact stand_in(const cairn_simulation *s, const crn_stage *stage, const crn_contact *start,
                            const crn_contact *now, const crn_input *in)
{
    const crn_contact *next =
        now ? NULL : successor(s, start, in->contacts, in->contact_count, stage->frame.pose, s->state.located_h);
    crn_contact out = next ? *next : carried(s, start, s->located.frame.pose, stage->frame.pose);
    out.identity = start->identity;
    return out;
}

/* Merge the contacts of a stage with the carried ones, by identity. */
static cairn_status merge(cairn_simulation *s, const crn_stage *stage, crn_input *in)
{
    if (crn_reserve_all(&s->memory, CRN_ARRAY(s->search.carried, in->contact_count + in->closed_count)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->state.t);
    int count = 0, i = 0;
    for (int k = 0; k < in->closed_count; ++k)
    {
        const crn_contact *start = crn_find_contact(s->located.contacts, s->located.contact_count, in->closed[k]);
        for (; i < in->contact_count && in->contacts[i].identity < in->closed[k]; ++i)
            s->search.carried[count++] = in->contacts[i];
        bool here = i < in->contact_count && in->contacts[i].identity == in->closed[k];
        const crn_contact *now = here ? &in->contacts[i] : NULL;
        i += here;
        if (start && lost_features(s, start, now, stage->frame.pose))
            s->search.carried[count++] = stand_in(s, stage, start, now, in);
        else if (now)
            s->search.carried[count++] = *now;
    }
    for (; i < in->contact_count; ++i)
        s->search.carried[count++] = in->contacts[i];
    in->contacts = s->search.carried;
    in->contact_count = count;
    return CAIRN_OK;
}

cairn_status crn_carry_closed(cairn_simulation *s, const crn_stage *stage, crn_input *in)
{
    for (int k = 0; k < in->closed_count; ++k)
    {
        const crn_contact *start = crn_find_contact(s->located.contacts, s->located.contact_count, in->closed[k]);
        const crn_contact *now = crn_find_contact(in->contacts, in->contact_count, in->closed[k]);
        if (start && lost_features(s, start, now, stage->frame.pose))
            return merge(s, stage, in);
    }
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------ events */

bool crn_is_successor(const cairn_simulation *s, const crn_contact *contact, const crn_contact *contacts, int count,
                      double h)
{
    for (int k = 0; k < s->search.closed.count; ++k)
    {
        const crn_contact *old =
            crn_find_contact(s->located.contacts, s->located.contact_count, s->search.closed.identity[k]);
        bool gone = old && !crn_find_contact(contacts, count, old->identity);
        if (gone && successor(s, old, contact, 1, s->projection.stage.frame.pose, h))
            return true;
    }
    return false;
}

/* Whether a contact that was closed at the start, and presses at the fraction tau of h, has run off its features by
 * then. */
static cairn_status ran_off(cairn_simulation *s, double h, double tau, bool *off)
{
    *off = false;
    cairn_status status = crn_look_ahead(s, h, tau);
    const crn_contact *contacts = s->search.look.contacts;
    int count = s->search.look.count;
    const crn_stage *stage = crn_last_stage(s);
    const crn_pose *poses = s->projection.stage.frame.pose;
    for (int j = 0; j < stage->assembly.problem.contact_count && status == CAIRN_OK && !*off; ++j)
    {
        const crn_contact *held = &stage->assembly.active[j];
        if (held->body_a < 0 || !crn_presses(s, stage, j))
            continue;
        const crn_contact *start = crn_find_contact(s->located.contacts, s->located.contact_count, held->identity);
        const crn_contact *now = crn_find_contact(contacts, count, held->identity);
        bool lost = start && lost_features(s, start, now, poses);
        *off = lost && (now || !successor(s, start, contacts, count, poses, h));
    }
    return status;
}

cairn_status crn_find_edge(cairn_simulation *s, double h, double limit, double *before, double *after, bool *found)
{
    assert(limit > 0 && limit <= 1);
    double low = 0.0, high = limit;
    cairn_status status = ran_off(s, h, limit, found);
    while (status == CAIRN_OK && *found && high - low > BRACKET)
    {
        double middle = 0.5 * (low + high);
        bool off;
        status = ran_off(s, h, middle, &off);
        low = off ? low : middle;
        high = off ? middle : high;
    }
    *before = low;
    *after = 2.0 * high - low;
    return status;
}

void crn_pass_on_pressed(cairn_simulation *s)
{
    int kept = 0;
    for (int k = 0; k < s->state.pressed_count; ++k)
    {
        const crn_contact *old = &s->state.pressed[k];
        const crn_contact *now = crn_find_contact(s->located.contacts, s->located.contact_count, old->identity);
        bool stays = old->body_a < 0 || (now && angle_between(now->normal, old->normal) < 0.5);
        const crn_contact *next =
            stays || now ? NULL
                         : successor(s, old, s->located.contacts, s->located.contact_count, NULL, s->settings.step);
        if (stays || next)
            s->state.pressed[kept++] = stays ? *old : *next;
    }
    s->state.pressed_count = kept;
    crn_sort_pressed(s);
}
