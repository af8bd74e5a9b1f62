/* Points that run around the rims of cylinders and cones, within a part of a second-order step.
 *
 * Swing. The lowest point of the rim of a tilted cylinder or cone runs around the rim. Where the axis is tilted by a and turns across at
 * the rate w, the point runs at w/sin(a): arbitrarily fast where the cap is nearly flat. Its row is (n, arm x n). The proof of
 * order 2 (docs/methods/stiff2.md) needs rows that turn by O(h) in a part: what stage 1 adds along M^-1 G(q1)' is removed by
 * stage 2 because P(q^2) M^-1 G(q1)' is O(h). If the arm swings to another side of the body meanwhile, that is O(1): the body
 * approaches the floor at the new point, stage 1 stops it there, the extrapolation to stage 2 throws it back at sqrt(2) times that
 * speed, and the rows of stage 2 do not hold what those of stage 1 have thrown. Parts with a large swing are therefore shortened
 * (events.c).
 *
 * The swing of a body that hardly turns changes no velocity that counts. That is the case of a cylinder at rest, whose lowest point
 * is anywhere on its rim. What it changes is the swing times the rate of turning, to be compared with what gravity changes in a
 * step.
 *
 * Corners. Eight corners on the rim represent the cap where it may lie flat. Each of them touches the floor at the moment at which
 * the lowest point runs past it, at no speed, and its gap there is the drift of the rim's. That is no collision: an impact there
 * would throw the rim off.
 */
#include "math/pose.h"
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

static const double SLOW = 0.01;   /* share of what gravity changes in a step */
static const double NEAR = 0.4;    /* radii: a little more than half the distance between corners of a cap, pi/8 */
static const double PASSED = 1e-5; /* radii: no more than drift */

/* m: radius of the cap of a cylinder or cone among the two shapes of a contact; 0: there is none. */
static double cap_of(const cairn_simulation *s, const crn_contact *c)
{
    const crn_shape *a = &s->model->shapes[c->shape_a], *b = &s->model->shapes[c->shape_b];
    return crn_is_turned(a->kind) ? a->form->half[0] : crn_is_turned(b->kind) ? b->form->half[0] : 0.0;
}

/* In sizes of the body; 0 if it does not matter. */
static double swing_of(const cairn_simulation *s, int body, const crn_pose *from, const double x[3], const crn_pose *to,
                       const double y[3])
{
    double size = s->layout->bound[body];
    if (s->layout->body_block[body] < 0 || !(size > 0) || !isfinite(size))
        return 0.0;
    double share = crn_swing(&from[body], x, &to[body], y) / size;
    double slow = SLOW * s->settings.step * crn_norm3(s->state.gravity) + 1e-6 * s->state.velocity_scale;
    return share * crn_motion_of(s, body, s->trial.v_new, 1.0).turn > slow ? share : 0.0;
}

double crn_contact_swing(const cairn_simulation *s, const crn_contact *now, const crn_pose *to)
{
    assert(now->body_a >= 0 && now->body_b >= 0);
    if (!(cap_of(s, now) > 0))
        return 0.0;
    const crn_contact *start = crn_find_contact(s->located.contacts, s->located.contact_count, now->identity);
    const crn_pose *from = s->located.frame.pose;
    return start ? fmax(swing_of(s, now->body_a, from, start->point_a, to, now->point_a),
                        swing_of(s, now->body_b, from, start->point_b, to, now->point_b))
                 : 0.0;
}

double crn_largest_swing(const cairn_simulation *s)
{
    double most = 0;
    for (int k = 0; k < s->stage_count; ++k)
    {
        const crn_assembly *assembly = &s->stage[k].assembly;
        for (int j = 0; j < crn_contacts_of(assembly); ++j)
            if (assembly->active[j].body_a >= 0 && s->stage[k].solution.r[j * assembly->problem.dim] > 0)
                most = fmax(most, crn_contact_swing(s, &assembly->active[j], assembly->frame->pose));
    }
    return most;
}

bool crn_is_passed(const cairn_simulation *s, const crn_contact *c, const crn_contact *list, int count)
{
    double radius = c->gap <= s->settings.contact_tolerance && c->body_a >= 0 ? cap_of(s, c) : 0.0;
    if (!(radius > 0) || crn_find_pressed(s, c->identity))
        return false;
    for (int i = 0; i < count; ++i)
    {
        double apart[3];
        crn_sub3(list[i].point_a, c->point_a, apart);
        if (list[i].shape_a == c->shape_a && list[i].shape_b == c->shape_b && list[i].gap < c->gap &&
            c->gap - list[i].gap < PASSED * radius && crn_norm3(apart) < NEAR * radius &&
            crn_find_pressed(s, list[i].identity))
            return true;
    }
    return false;
}
