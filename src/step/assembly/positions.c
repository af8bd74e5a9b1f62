/* Placing the bodies of a mechanism.
 *
 * Joints that are in no loop are brought to their initial values directly (place.c). Then damped steps (fit.h) are taken, each only if it reduces the sum of squares. No step turns a body by more than
 * half a radian, and initial values far away are approached in stages, so that the mechanism moves continuously from the given
 * poses and stays on the branch on which it is given; angles count the turns on the way.
 *
 * Where the descent ends at errors that cannot be reduced, it may be at a saddle: links that are given in one line have no
 * first-order way to bend. So it is tried again from slightly displaced poses. The best of all is the closest assembly.
 */
#include "step/assembly/limbs.h"

#include "formulate/joints.h"
#include "model/joints/element.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double MOST_TURN = 0.5;  /* rad per step and body */
static const double STAGE = 0.25;     /* rad, or share of the larger body: the way of a coordinate in one stage */
static const double ROUGH = 1e-4;     /* m: what is good enough in all stages but the last */
static const double FIRST_MU = 1e-3;  /* damping: at first, */
static const double LEAST_MU = 1e-9;  /* at least, */
static const double MOST_MU = 1e6;    /* and where the search ends */
static const double ROUNDING = 1e-15; /* of lengths */
static const double NO_GAIN = 1e-9;   /* share of the merit by which steps must reduce it, */
static const double KICK = 1e-3;      /* rad, or share of the body: the first displacement of another try */

enum
{
    STEPS = 200,    /* of a descent */
    IDLE_STEPS = 6, /* that gain nothing, before it ends */
    MOST_STAGES = 400,
    TRIES = 3
};

/* Count the coordinates of all joints on to where they are in the frame evaluated last. */
static void remember(const crn_fit *fit, double *value)
{
    const cairn_simulation *s = fit->s;
    for (int j = 0; j < (int)s->model->joint_count; ++j)
        for (int i = 0; i < s->model->joints[j].coordinates; ++i)
            value[j * CRN_JOINT_COORDINATES + i] = crn_joint_coordinate_at(s->model, &s->projection.stage.frame, j, i);
}

/* Shorten the step so that no body turns too far. */
static void limit_turns(const crn_fit *fit)
{
    const crn_layout *layout = fit->s->layout;
    int dimension = fit->s->model->dimension;
    double most = 0;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        double turn = 0;
        for (int i = layout->block_start[k] + dimension; i < layout->block_start[k + 1]; ++i)
            turn += fit->step[i] * fit->step[i];
        most = fmax(most, sqrt(turn));
    }
    double factor = most > MOST_TURN ? MOST_TURN / most : 1.0;
    for (int i = 0; i < layout->block_start[layout->block_count]; ++i)
        fit->step[i] *= factor;
}

/* Follow the branch: through all equations but those of limits, which come and go. */
static cairn_status look(crn_fit *fit)
{
    const cairn_problem *problem = &fit->s->projection.stage.assembly.problem;
    return crn_branch_look(&fit->branch, problem, fit->limit_item);
}

/* One step; *gain is the share by which it reduced the merit, and 0 if it was taken back. */
static cairn_status take_step(crn_fit *fit, double mu, double *gain)
{
    cairn_simulation *s = fit->s;
    double merit = fit->merit;
    CRN_TRY(crn_fit_step(fit, mu));
    limit_turns(fit);
    crn_copy_q(s->layout, s->state.q, fit->last_q);
    crn_layout_move(s->layout, fit->step, s->state.q);
    CRN_TRY(crn_fit_linearise(fit));
    *gain = fit->merit < merit ? 1.0 - fit->merit / merit : 0.0;
    if (*gain > 0)
    {
        remember(fit, s->state.coordinate);
        return look(fit);
    }
    crn_copy_q(s->layout, fit->last_q, s->state.q);
    return crn_fit_linearise(fit);
}

/* Go down from the state until the errors are below the tolerance and no longer fall, or cannot be reduced. */
static cairn_status descend(crn_fit *fit, double tolerance, double aim)
{
    double mu = FIRST_MU;
    int idle = 0;
    CRN_TRY(crn_fit_linearise(fit));
    for (int k = 0; k < STEPS && idle < IDLE_STEPS && mu < MOST_MU; ++k)
    {
        double before = fit->worst, gain;
        if (!(fit->worst > aim) || !isfinite(fit->merit))
            return CAIRN_OK;
        CRN_TRY(take_step(fit, mu, &gain));
        fit->iterations += 1;
        if (before <= tolerance && fit->worst > 0.25 * before)
            return CAIRN_OK;
        mu = gain > 0 ? fmax(0.1 * mu, LEAST_MU) : 10 * mu;
        idle = gain > NO_GAIN ? 0 : idle + 1;
    }
    return CAIRN_OK;
}

/* m: the extent of what is joined, to which rounding is relative. */
static double extent_of(const cairn_simulation *s)
{
    double extent = 0;
    for (int k = 0; k < s->layout->body_block_count; ++k)
        for (int i = 0; i < s->model->dimension; ++i)
            extent = fmax(extent, fabs(s->state.q[s->layout->q_start[k] + i]));
    return 1.0 + extent;
}

/* Stages in which a coordinate goes from its value at the start to the initial one. */
static double stages_of(const crn_fit *fit, int j, int i)
{
    const crn_joint *joint = &fit->s->model->joints[j];
    if (!(joint->begins & 1u << i))
        return 1;
    double way = fabs(joint->initial[i] - fit->start[j * CRN_JOINT_COORDINATES + i]), size = 0;
    const crn_element angle = {.coordinate = i};
    const int body[2] = {joint->a.body, joint->b.body};
    for (int side = 0; side < 2; ++side)
        size = fmax(size, body[side] < 0 ? 0.0 : crn_size_of(fit->s->layout, body[side]));
    return ceil(way / (crn_element_turns(joint, fit->s->model->dimension, &angle) ? STAGE : STAGE * size));
}

static int count_stages(const crn_fit *fit)
{
    double most = 1;
    for (int j = 0; j < (int)fit->s->model->joint_count; ++j)
        for (int i = 0; i < fit->s->model->joints[j].coordinates; ++i)
            most = fmax(most, stages_of(fit, j, i));
    return (int)fmin(most, MOST_STAGES);
}

/* Displace every body a little, in a direction that depends on nothing but its place in the list. */
static void kick(crn_fit *fit, double size)
{
    const crn_layout *layout = fit->s->layout;
    uint64_t seed = 1;
    memset(fit->step, 0, (size_t)layout->block_start[layout->block_count] * sizeof(double));
    for (int k = 0; k < layout->body_block_count; ++k)
        for (int i = layout->block_start[k]; i < layout->block_start[k + 1]; ++i)
        {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            double share = (double)(seed >> 11) * 0x1p-52 - 1.0;
            bool held = fit->s->model->bodies[layout->block_body[k]].hold;
            bool turns = i - layout->block_start[k] >= fit->s->model->dimension;
            fit->step[i] = held ? 0.0 : share * size * (turns ? 1.0 : crn_size_of(layout, layout->block_body[k]));
        }
    crn_layout_move(layout, fit->step, fit->s->state.q);
}

/* Another descent from displaced poses, kept if it ends lower. */
static cairn_status try_again(crn_fit *fit, int try, double tolerance, double aim)
{
    cairn_simulation *s = fit->s;
    size_t bytes = s->model->joint_count * CRN_JOINT_COORDINATES * sizeof(double);
    double merit = fit->merit;
    int branch_changes = fit->branch.changes;
    crn_copy_q(s->layout, s->state.q, fit->best_q);
    memcpy(fit->best_coordinate, s->state.coordinate, bytes);
    kick(fit, KICK * pow(10.0, try));
    fit->branch.seen = false;
    CRN_TRY(descend(fit, tolerance, aim));
    fit->branch.changes = branch_changes + 1; /* it left a singular position by chance */
    if (fit->merit < 0.99 * merit)
        return CAIRN_OK;
    fit->branch.changes = branch_changes;
    crn_copy_q(s->layout, fit->best_q, s->state.q);
    memcpy(s->state.coordinate, fit->best_coordinate, bytes);
    return crn_fit_linearise(fit);
}

cairn_status crn_fit_positions(crn_fit *fit)
{
    double extent = extent_of(fit->s), tolerance = fit->s->settings.projection_tolerance;
    fit->rates = false;
    fit->share = 1.0;
    CRN_TRY(crn_fit_linearise(fit));
    fit->error_before = crn_fit_errors(fit, fit->before);
    CRN_TRY(crn_place_limbs(fit));
    CRN_TRY(crn_fit_linearise(fit));
    remember(fit, fit->start);
    CRN_TRY(look(fit));
    int stages = count_stages(fit);
    for (int k = 1; k < stages; ++k)
    {
        fit->share = (double)k / stages;
        CRN_TRY(descend(fit, ROUGH * extent, ROUGH * extent));
    }
    fit->share = 1.0;
    CRN_TRY(descend(fit, tolerance, ROUNDING * extent));
    for (int try = 0; try < TRIES && fit->worst > tolerance; ++try)
        CRN_TRY(try_again(fit, try, tolerance, ROUNDING * extent));
    fit->error = crn_fit_errors(fit, fit->after);
    return CAIRN_OK;
}
