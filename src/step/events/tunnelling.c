/* Bodies that could pass through each other within a step.
 *
 * The end of a step tells by a negative gap that two bodies met, as long as they are not through: when they have gone on by more
 * than their thickness, the gap is positive again. Then the step is walked along by conservative advancement (B. V. Mirtich,
 * PhD thesis, Berkeley 1996): two convex shapes with the gap g and the normal n are separated by a plane, and do not meet before
 * they have come nearer by g along n. With the approach r of the two bodies over the step, turning counted by its bound, that is
 * no sooner than at the share g/r of it. A walk towards the wall takes some four looks, one along it a single one. The bound of
 * turning is far too large for what is about to touch; there the walk goes by the rate of the gap itself, but never so far that
 * the two could be through each other: by a part of their thickness.
 *
 * A thin body that is hit off its centre may turn by radians within what is left of the step, where the curve through both ends of
 * the step is no path of it. There the step is divided.
 */
#include "math/vec.h"
#include "model/shape/shape_class.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

static const double STRIDE = 0.5; /* of the thickness of both */
static const double TURN = 0.5;   /* rad: what a body near another may turn by on one curve */

/* m: half the least width of a convex polygon, which it has across one of its sides. */
static double half_width(const crn_shape *shape)
{
    double least = INFINITY;
    for (int i = 0; i < shape->vertex_count; ++i)
    {
        const double *a = shape->vertices + 2 * i, *b = shape->vertices + 2 * ((i + 1) % shape->vertex_count);
        double length = hypot(b[0] - a[0], b[1] - a[1]), most = 0;
        for (int k = 0; k < shape->vertex_count && length > 0; ++k)
        {
            const double *x = shape->vertices + 2 * k;
            most = fmax(most, fabs((b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0])) / length);
        }
        least = fmin(least, most);
    }
    return 0.5 * least;
}

/* m: the least that a shape is thick, as far as that is known; less costs time only. */
static double thickness(const crn_shape *shape)
{
    const crn_shape_class *class = crn_class_of(shape->kind);
    if (class->flags & CRN_SHAPE_IMMOVABLE)
        return INFINITY;
    switch (class->core)
    {
    case CRN_CORE_POINT:
    case CRN_CORE_LINE:
        return shape->radius;
    case CRN_CORE_HULL:
        return shape->hull->thickness;
    case CRN_CORE_NONE:
        return class->look == CAIRN_LOOK_POLYGON ? half_width(shape) : 0.0;
    default:
        break;
    }
    double across = fmin(shape->half[0], shape->half[1]);
    return class->flags & CRN_SHAPE_POINTED ? 0.0 : class->dimension == 2 ? across : fmin(across, shape->half[2]);
}

static double thickness_of_pair(const cairn_simulation *s, const crn_contact *contact)
{
    return thickness(&s->model->shapes[contact->shape_a]) + thickness(&s->model->shapes[contact->shape_b]);
}

/* m: what turning adds to the approach of a shape; a ball about its body's origin does not care. */
static double turning(const cairn_simulation *s, int shape, const crn_motion *m)
{
    const crn_shape *from = &s->model->shapes[shape];
    const double *x = from->vertices ? from->vertices : from->position;
    bool round = crn_is_ball(from->kind) && x[0] == 0.0 && x[1] == 0.0 && from->position[2] == 0.0;
    return round ? 0.0 : m->turn;
}

/* m: how much nearer two shapes can come over h along a contact's normal, at velocity v. */
static double approach_at(const cairn_simulation *s, const crn_contact *contact, double h, const double *v)
{
    crn_motion a = crn_motion_of(s, contact->body_a, v, h), b = crn_motion_of(s, contact->body_b, v, h);
    double apart[3];
    crn_sub3(a.travel, b.travel, apart);
    return -crn_dot3(apart, contact->normal) + turning(s, contact->shape_a, &a) + turning(s, contact->shape_b, &b);
}

static double approach(const cairn_simulation *s, const crn_contact *contact, double h)
{
    return fmax(approach_at(s, contact, h, s->state.v), approach_at(s, contact, h, s->search.v_far));
}

/* rad: what a body of a contact turns by over h. */
static double angle(const cairn_simulation *s, int body, int shape, double h)
{
    double bound = s->layout->bound[body];
    crn_motion m = crn_motion_of(s, body, s->state.v, h);
    return bound > 0.0 && isfinite(bound) ? turning(s, shape, &m) / bound : 0.0;
}

double crn_steady_part(const cairn_simulation *s, double h)
{
    double most = TURN;
    for (int i = 0; i < s->located.contact_count; ++i)
    {
        const crn_contact *c = &s->located.contacts[i];
        most = fmax(most, fmax(angle(s, c->body_a, c->shape_a, h), angle(s, c->body_b, c->shape_b, h)));
    }
    return h * TURN / most;
}

bool crn_may_pass(const cairn_simulation *s, double h)
{
    for (int i = 0; i < s->located.contact_count; ++i)
    {
        const crn_contact *contact = &s->located.contacts[i];
        if (approach(s, contact, h) > fmax(contact->gap, 0.0) + thickness_of_pair(s, contact))
            return true;
    }
    return false;
}

/* m/s: the rate of a contact's gap at velocity v, in the frame of the last look. */
static double closing_at(const cairn_simulation *s, const crn_contact *contact, const double *v)
{
    const crn_frame *frame = &s->projection.stage.frame;
    crn_gradient gradient;
    crn_gradient_point(frame, &gradient, 0, contact->body_a, contact->point_a, contact->normal, 1);
    crn_gradient_point(frame, &gradient, 1, contact->body_b, contact->point_b, contact->normal, -1);
    return crn_gradient_rate(s->layout, &gradient, v) + crn_gradient_drive(&s->located.frame, &gradient);
}

double crn_safe_share(const cairn_simulation *s, const crn_contact *contact, double h)
{
    assert(h > 0);
    double nearer = approach(s, contact, h), stride = STRIDE * thickness_of_pair(s, contact) / nearer;
    double closing = -h * fmin(closing_at(s, contact, s->state.v), closing_at(s, contact, s->search.v_far));
    if (contact->gap <= s->settings.contact_tolerance)
        return closing > 0.0 ? 0.0 : nearer > 0.0 && stride > 0.0 ? stride : INFINITY;
    double sure = 0.999 * contact->gap / nearer, likely = closing > 0.0 ? 0.999 * contact->gap / closing : INFINITY;
    return nearer > 0.0 ? fmax(sure, fmin(likely, stride)) : INFINITY;
}
