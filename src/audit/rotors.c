/* The impulse of a rotor is what it loses of its own momentum: over a piece
 *
 *     sum c = - a (u+ - u) ,     with u and u+ the rates of its coordinate before and after.
 *
 * The rates are the powers of a unit impulse along the coordinate, where the velocities are: at the last place of the piece. Bodies that
 * turn within the piece change the direction of that impulse, and with it the rates, by no more than their turn times what these are sums
 * of. First-order steps know only the mean velocity of a driven body, and not what it changes by: joints of such bodies are not judged
 * there. */
#include "audit/audit_internal.h"

#include "model/joints/coupling.h"

#include <assert.h>
#include <math.h>

/* rad: how far the faster body of a joint turns in the piece, before or after it. */
static double turn_of(const crn_audit *audit, const crn_piece *piece, int body)
{
    if (body < 0)
        return 0.0;
    const double(*w)[3] = (const double(*)[3])audit->twists[body].w;
    double before = 0, after = 0;
    for (int k = 0; k < 3; ++k)
    {
        before += w[CRN_BEFORE][k] * w[CRN_BEFORE][k];
        after += w[CRN_AFTER][k] * w[CRN_AFTER][k];
    }
    return piece->h * sqrt(fmax(before, after));
}

static bool is_driven(const crn_audit *audit, int body)
{
    return body >= 0 && audit->model->bodies[body].kind == CAIRN_DRIVEN;
}

/* Whether the change of all velocities is known at a place. */
static bool is_known(const crn_audit *audit, const crn_piece_place *place, const crn_joint *joint)
{
    bool driven = is_driven(audit, joint->a.body) || is_driven(audit, joint->b.body);
    for (int i = 0; joint->coupling && i < joint->coupling->part_count; ++i)
    {
        int body[2];
        crn_coupling_bodies(audit->model, &joint->coupling->part[i], body);
        driven = driven || is_driven(audit, body[0]) || is_driven(audit, body[1]);
    }
    return !driven || place->drive_before != place->drive_after;
}

/* m per unit of a coordinate: the size of the larger body, if that is an angle. */
static double length_of(const crn_audit *audit, const crn_joint *joint, const crn_element *rotor)
{
    double a = crn_audit_moves(audit, joint->a.body) ? audit->bodies.bound[joint->a.body] : 0.0;
    double b = crn_audit_moves(audit, joint->b.body) ? audit->bodies.bound[joint->b.body] : 0.0;
    return crn_element_turns(joint, audit->model->dimension, rotor) && fmax(a, b) > 0 ? fmax(a, b) : 1.0;
}

/* How much of the turn of the bodies a coordinate can notice: all of it, but for the angle of a hinge, whose axis both bodies keep, only what
 * the joint's rows leave of that, now and at the start of the last step. */
static double unsteadiness(const crn_audit *audit, const crn_piece_place *place, const crn_joint *joint, int coordinate,
                           const double *c, double turn)
{
    int dimension = audit->model->dimension;
    bool turns = !joint->coupling && joint->type->coordinate[dimension - 2][coordinate].kind == CRN_TURN;
    if (!turns || (dimension == 3 && joint->type->angular[1] < 2))
        return 1.0;
    crn_joint_place at;
    return fmin(1.0, 10 * crn_audit_act(audit, joint, place->pose, c, &at).skew + turn);
}

static void judge(crn_audit *audit, const crn_piece *piece, int index, const crn_element *rotor, double impulse,
                  double slack)
{
    const crn_joint *joint = &audit->model->joints[index];
    const crn_piece_place *last = &piece->place[piece->place_count - 1];
    crn_along along = crn_measure_along(audit, last, joint, rotor->coordinate, 1.0);
    double turn = turn_of(audit, piece, joint->a.body) + turn_of(audit, piece, joint->b.body);
    double noticed = unsteadiness(audit, last, joint, rotor->coordinate, last->joint_impulse[index], turn);
    double missed = fabs(impulse / rotor->inertia + along.rate[CRN_AFTER] - along.rate[CRN_BEFORE]);
    double length = length_of(audit, joint, rotor);
    crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_MOMENTUM,
                                             .time = piece->t + piece->h,
                                             .a.id = joint->a.body + 1,
                                             .b.id = joint->b.body + 1,
                                             .size = length * missed,
                                             .allowance = slack + 2 * length * noticed * turn * along.size});
}

void crn_judge_rotors(crn_audit *audit, const crn_piece *piece, int index, double slack)
{
    const crn_joint *joint = &audit->model->joints[index];
    assert(piece->place_count > 0);
    for (int row = joint->own_rows; audit->model->has_rotors && row < joint->rows; ++row)
    {
        const crn_element *element = crn_joint_element(joint, row);
        double impulse = 0;
        if (!element || element->kind != CRN_ELEMENT_ROTOR)
            continue;
        for (int k = 0; k < piece->place_count; ++k)
            impulse += piece->place[k].joint_impulse ? piece->place[k].joint_impulse[index][row] : 0.0;
        if (is_known(audit, &piece->place[piece->place_count - 1], joint))
            judge(audit, piece, index, element, impulse, slack);
    }
}
