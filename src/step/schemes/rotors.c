/* Rotors: what turns or slides with a coordinate of a joint besides its bodies. With the rate u of the coordinate and the inertia a,
 * a rotor has the kinetic energy a u^2/2, and exerts the force - a du/dt along the coordinate. Over a step or a stage its impulse is
 *
 *     c = - a (u+ - u) ,     that is, a row of the problem     J v+ + c/a = u ,     u+ = J v+ .
 *
 * J is the gradient where the stage evaluates its rows, and u the rate at the base. Eliminating c adds a J'J to A and a u J' to p: the
 * rotor is one more body, with a single velocity that follows those of the others. Since J changes along the motion (that of a slide
 * turns with its guide), u must be what u+ of the stage before was, lest the change of J be lost:
 *
 *     euler, stiff     rows are evaluated at the start q, where the last step has moved the bodies by h v: u = J(q - h v) v. The rates
 *                      of one step are those of the next, and - c u+ >= a (u+^2 - u^2)/2: no energy appears at any step.
 *     stiff2           rows are evaluated at the end of each stage: u = J(q) v in the first. The base of the second lies (1 - g)/g
 *                      times the change of the first ahead: u - (1 - g)/g c/a. The impulse of the whole step is - a (u2 - u).
 *     impact           rows are evaluated at the state: u = J(q) v.
 *
 * In the energy account rotors have kinetic energy. Like that of gravity, the work of their impulses plus the change of the energy is
 * what the scheme gains or loses.
 */
#include "step/schemes/rotors.h"

#include "formulate/joints.h"
#include "model/joints/element.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

/* What is done with each rotor: that of element `element` of joint `joint`. */
typedef struct each
{
    const crn_joint *joint;
    const crn_element *element;
    int index, next; /* of the joint; of the next element to look at */
} each;

/* The next rotor of a model; false: there is none. */
static bool next_rotor(const cairn_model *model, each *e)
{
    for (; model->has_rotors && e->index < (int)model->joint_count; ++e->index, e->next = 0)
    {
        e->joint = &model->joints[e->index];
        while (e->next < e->joint->element_count)
        {
            e->element = &e->joint->element[e->next++];
            if (e->element->kind == CRN_ELEMENT_ROTOR)
                return true;
        }
    }
    return false;
}

static double *rate_of(const cairn_simulation *s, const each *e)
{
    return &s->trial.rotor_rate[e->index * CRN_JOINT_COORDINATES + e->element->coordinate];
}

/* The frame of the state, with the velocities of driven bodies at its time. */
static const crn_frame *frame_of_state(cairn_simulation *s)
{
    if (!s->located.frame.any_driven)
        return &s->located.frame;
    crn_frame_update(&s->trial.rotor_frame, s->layout, s->state.q, s->state.t, 0.0);
    crn_frame_drive_now(&s->trial.rotor_frame, s->layout);
    return &s->trial.rotor_frame;
}

static void set_rates(cairn_simulation *s, const crn_frame *frame)
{
    for (each e = {.index = 0}; next_rotor(s->model, &e);)
    {
        *rate_of(s, &e) = crn_joint_coordinate_rate(s->layout, frame, e.index, e.element->coordinate, s->state.v);
        assert(isfinite(*rate_of(s, &e)));
    }
}

void crn_rotors_at_state(cairn_simulation *s)
{
    if (s->model->has_rotors)
        set_rates(s, frame_of_state(s));
}

void crn_rotors_before(cairn_simulation *s, double h)
{
    assert(h > 0);
    if (!s->model->has_rotors)
        return;
    for (int i = 0; i < s->layout->block_start[s->layout->block_count]; ++i)
        s->trial.displacement[i] = -h * s->state.v[i];
    crn_copy_q(s->layout, s->state.q, s->trial.q_new);
    crn_layout_move(s->layout, s->trial.displacement, s->trial.q_new);
    /* before the first step driven bodies moved as they do now */
    crn_frame_update(&s->trial.rotor_frame, s->layout, s->trial.q_new, s->state.t - (s->state.step > 0 ? h : 0.0), h);
    set_rates(s, &s->trial.rotor_frame);
}

void crn_rotors_after_stage(cairn_simulation *s, double weight)
{
    const crn_stage *stage = &s->stage[0];
    for (each e = {.index = 0}; next_rotor(s->model, &e);)
    {
        int row = stage->assembly.problem.G.row_start[e.joint->item] + e.joint->own_rows + e.next - 1;
        assert(row < stage->solution.joint_rows);
        *rate_of(s, &e) -= weight * stage->solution.c[row] / e.element->inertia;
    }
}

double crn_rotor_kinetic(cairn_simulation *s, const double *v)
{
    double sum = 0;
    const crn_frame *frame = s->model->has_rotors ? frame_of_state(s) : NULL;
    for (each e = {.index = 0}; next_rotor(s->model, &e);)
    {
        double rate = crn_joint_coordinate_rate(s->layout, frame, e.index, e.element->coordinate, v);
        sum += 0.5 * e.element->inertia * rate * rate;
    }
    return sum;
}

/* Driven bodies share in the rate, and so in the work. */
bool crn_book_rotor(cairn_simulation *s, const crn_stage *stage, int joint, int row, double c, double mean_rate)
{
    int coordinate;
    if (crn_joint_rotor(&s->model->joints[joint], row, &coordinate) == 0)
        return false;
    crn_joint_rows of;
    crn_joint_coordinate_row(s->model, stage->assembly.frame, joint, coordinate, &of);
    double drive = stage->weight * crn_row_drive(stage->assembly.frame, &of, 0);
    s->state.energy.work_driven -= c * drive;
    s->state.energy.integration += c * (mean_rate + drive);
    return true;
}
