/* Angular springs about the axis of a hinge are springs of its coordinate.
 *
 * The angle of such a spring, that of b against a about an axis of a, grows with the hinge's: phi = phi_0 + s (q - q_0), with s = -1 where
 * its bodies or its axis are the other way round. The spring k (phi - rest) + c phi' rests at q = q_0 + s (rest - phi_0). Several springs
 * of one coordinate add up to one, with the sum of their constants and the mean of their rests, weighted by stiffness.
 */
#include "export/robot_writer.h"
#include "math/swing_twist_angle.h"

#include <assert.h>
#include <math.h>

static const double *turn_of(const crn_writer *w, int body)
{
    static const double UNTURNED[4] = {1, 0, 0, 0};
    return body < 0 ? UNTURNED : w->body[body].state.orientation;
}

/* 1 or -1 where the spring turns with the hinge or against it; 0: it is not about its axis. */
static int sense_of(const crn_writer *w, const crn_spring *spring, const crn_joint *joint)
{
    bool same = spring->a.body == joint->a.body && spring->b.body == joint->b.body,
         swapped = spring->a.body == joint->b.body && spring->b.body == joint->a.body;
    double axis[3], own[3], R[9];
    if (spring->kind != CAIRN_SPRING_ANGULAR || joint->kind != CAIRN_JOINT_REVOLUTE || (!same && !swapped))
        return 0;
    crn_start_direction(w, joint, joint->axis[0][0], axis);
    crn_quaternion_to_matrix(turn_of(w, spring->a.body), R);
    crn_rotate3(R, spring->axis_a, own);
    double along = crn_dot3(axis, own);
    if (fabs(along) < 1 - 1e-12)
        return 0;
    return (along > 0) == same ? 1 : -1;
}

bool crn_spring_is_of_hinge(const crn_writer *w, const crn_spring *spring)
{
    bool found = false;
    for (size_t i = 0; i < w->model->joint_count && !found; ++i)
        found = w->carries[i] && sense_of(w, spring, &w->model->joints[i]) != 0;
    return found;
}

void crn_acting_add_springs(const crn_writer *w, const crn_joint *joint, crn_acting *acting)
{
    assert(acting->k >= 0 && acting->c >= 0);
    for (size_t i = 0; i < w->model->spring_count; ++i)
    {
        const crn_spring *spring = &w->model->springs[i];
        int sense = sense_of(w, spring, joint);
        if (sense == 0)
            continue;
        assert(joint->coordinates == 1);
        double now =
            crn_swing_twist_angle(turn_of(w, spring->a.body), turn_of(w, spring->b.body), spring->axis_a, NULL, NULL);
        double rest = crn_start_coordinate(w, joint, 0) + sense * (spring->rest - now),
               k = acting->k + spring->stiffness;
        if (k > 0)
            acting->rest = (acting->k * acting->rest + spring->stiffness * rest) / k;
        acting->k = k;
        acting->c += spring->damping;
    }
}
