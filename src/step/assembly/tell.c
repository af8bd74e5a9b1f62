/* The rows with the largest residuals, as sentences: joints that stay open, limits that are exceeded, and initial values and rates
 * that are missed. */
#include "step/assembly/tell.h"

#include "model/joints/coupling.h"
#include "step/row_description.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum
{
    MOST_MESSAGES = 5
};

static const double SHARE = 1e-3; /* of the largest residual: smaller ones follow from it, or are rounding */

/* The largest residual of an item, m or rad. */
static double residual_of(const cairn_problem *problem, int item)
{
    double worst = 0;
    for (int row = problem->G.row_start[item]; row < problem->G.row_start[item + 1]; ++row)
        worst = fmax(worst, fabs(problem->b[row]));
    return worst;
}

static const char *unit_of(const crn_fit *fit, bool known, bool turns)
{
    if (!known)
        return fit->rates ? "m/s or rad/s" : "m or rad";
    return turns ? (fit->rates ? "rad/s" : "rad") : (fit->rates ? "m/s" : "m");
}

static void tell_joint(const crn_fit *fit, const char *who, double size)
{
    crn_fail(fit->s->context, CAIRN_INVALID, "%s %s %g %s", who,
             fit->rates ? "is violated at a rate of" : "stays open by", size, unit_of(fit, false, false));
}

static void tell_extra(const crn_fit *fit, const crn_fit_extra *extra, double size)
{
    const cairn_model *model = fit->s->model;
    const crn_joint *joint = &model->joints[extra->joint];
    const crn_element *limit = extra->kind == CRN_FIT_LIMIT ? crn_joint_element(joint, extra->place) : NULL;
    const crn_element value = {.coordinate = extra->kind == CRN_FIT_VALUE ? extra->place : 0};
    const crn_element *element = extra->kind == CRN_FIT_VALUE ? &value : limit;
    char who[200];
    bool turns = element && crn_element_turns(joint, model->dimension, element);
    const char *coordinate = element ? joint->type->coordinate[model->dimension - 2][element->coordinate].name : "";
    if (extra->kind == CRN_FIT_VALUE)
        crn_fail(fit->s->context, CAIRN_INVALID, "%s '%s': %s misses its initial %s by %g %s", crn_joint_noun(joint),
                 joint->name, coordinate, fit->rates ? "rate" : "value", size, unit_of(fit, true, turns));
    else if (limit)
        crn_fail(fit->s->context, CAIRN_INVALID, "%s '%s': %s exceeds its %s %s %g %s", crn_joint_noun(joint),
                 joint->name, coordinate, crn_joint_element_name(limit), fit->rates ? "at" : "by", size,
                 unit_of(fit, true, turns));
    else
    {
        snprintf(who, sizeof who, "%s '%.160s'", crn_joint_noun(joint), joint->name);
        tell_joint(fit, who, size);
    }
}

static void tell_item(const crn_fit *fit, int item, double size)
{
    char who[200];
    if (item >= fit->extra_item)
    {
        tell_extra(fit, &fit->extra[item - fit->extra_item], size);
        return;
    }
    crn_who_joint(fit->s->model, item, who, sizeof who);
    tell_joint(fit, who, size);
}

/* The item with the largest residual less than `below`, or with that residual and after item `after`; -1: none. */
static int next_item(const cairn_problem *problem, double below, int after)
{
    int best = -1;
    double most = -1;
    for (int item = 0; item < problem->G.item_count; ++item)
    {
        double size = residual_of(problem, item);
        bool later = size < below || (size == below && item > after);
        if (later && size > most)
        {
            best = item;
            most = size;
        }
    }
    return best;
}

static void tell_worst(const crn_fit *fit)
{
    const cairn_problem *problem = &fit->s->projection.stage.assembly.problem;
    double first = 0, below = INFINITY;
    int item = -1;
    for (int k = 0; k < MOST_MESSAGES; ++k)
    {
        item = next_item(problem, below, item);
        below = item < 0 ? 0 : residual_of(problem, item);
        first = k == 0 ? below : first;
        if (item < 0 || below <= SHARE * first)
            return;
        tell_item(fit, item, below);
    }
}

void crn_tell_open_joints(const crn_fit *fit)
{
    assert(!fit->rates);
    tell_worst(fit);
    crn_fail(fit->s->context, CAIRN_INVALID,
             "the mechanism cannot be assembled: the above is left in the closest assembly found, after %d iterations; "
             "'initial: closest' begins with it, to look at it",
             fit->iterations);
}

void crn_tell_rates(const crn_fit *fit)
{
    assert(fit->rates);
    tell_worst(fit);
    crn_fail(fit->s->context, CAIRN_INVALID,
             "no velocities of the assembled mechanism satisfy its joints, limits and initial rates at once");
}
