/* Bodies that could pass through each other within a step.
 *
 * A negative gap at the end of a step shows that two bodies met, but only if they are not through yet. Once they have
 * moved on by more than their thickness, the gap is positive again. In that case the step is walked along by
 * conservative advancement (B. V. Mirtich, PhD thesis, Berkeley 1996). Two convex shapes with gap g and normal n are
 * separated by a plane, and cannot meet before they have approached by g along n. If the two bodies approach by r over
 * the step, with rotation included by its bound, they cannot meet before the fraction g/r of the step. A walk towards a
 * wall takes about four looks, a walk along it only one. The bound on rotation is far too large for shapes that are
 * about to touch. There the walk uses the rate of the gap itself, but never advances so far that the shapes could be
 * through each other: at most by a fraction of their thickness.
 *
 * A thin body that is hit off its centre may turn by radians within the rest of the step. The curve through both ends
 * of the step does not describe such a motion, so the step is divided.
 */
#include "math/vec.h"
#include "model/shape/shape_class.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

static const double STRIDE = 0.5; /* fraction of the thickness of both shapes */
static const double TURN = 0.5;   /* rad: how far a body near another may turn on one curve */

/* m: half the minimum width of a convex polygon. The minimum is attained perpendicular to one of its sides. */
static double half_width(const crn_shape *shape)
{
    double least = INFINITY;
    for (int i = 0; i < shape->form->vertex_count; ++i)
    {
        const double *a = shape->form->vertices + 2 * i,
                     *b = shape->form->vertices + 2 * ((i + 1) % shape->form->vertex_count);
        double length = hypot(b[0] - a[0], b[1] - a[1]), most = 0;
        for (int k = 0; k < shape->form->vertex_count && length > 0; ++k)
        {
            const double *x = shape->form->vertices + 2 * k;
            most = fmax(most, fabs((b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0])) / length);
        }
        least = fmin(least, most);
    }
    return 0.5 * least;
}

/* m: a lower bound on the thickness of a shape, as far as it is known. A smaller value only costs time. */
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
        return shape->form->hull->thickness;
    case CRN_CORE_NONE:
        return class->look == CAIRN_LOOK_POLYGON ? half_width(shape) : 0.0;
    default:
        break;
    }
    double across = fmin(shape->form->half[0], shape->form->half[1]);
    return class->flags & CRN_SHAPE_POINTED ? 0.0 : class->dimension == 2 ? across : fmin(across, shape->form->half[2]);
}

static double thickness_of_pair(const cairn_simulation *s, const crn_contact *contact)
{
    return thickness(&s->model->shapes[contact->shape_a]) + thickness(&s->model->shapes[contact->shape_b]);
}

/* m: how much rotation adds to the approach of a shape; nothing for a ball centred at its body's origin. */
static double turning(const cairn_simulation *s, int shape, const crn_motion *m)
{
    const crn_shape *from = &s->model->shapes[shape];
    const double *x = from->form->vertices ? from->form->vertices : crn_frame_of(from)->position;
    bool round = crn_is_ball(from->kind) && x[0] == 0.0 && x[1] == 0.0 && crn_frame_of(from)->position[2] == 0.0;
    return round ? 0.0 : m->turn;
}

/* m: the most by which two shapes can approach over h along a contact's normal, at velocity v. */
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

/* rad: the angle by which a body of a contact turns over h. */
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
    return crn_gradient_rate(s->layout, &gradient, v) +
           crn_contact_drive(&s->located.frame, contact, contact->normal, &gradient);
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
