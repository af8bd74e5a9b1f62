/* The rows of an assembly at the state, and the step that they call for. See fit.h. */
#include "step/assembly/fit.h"

#include "formulate/compliance.h"
#include "formulate/joints.h"
#include "linalg/blocks.h"
#include "step/row_description.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double IDLE = 1e12;   /* compliance of a limit that is not active, by that of one that is */
static const double NEAR = 1e-6;   /* m or rad: a limit as near as this holds velocities too */
static const double CROSS = 1e-12; /* m or rad: a step crosses a limit if it leaves less than minus this */

enum
{
    PASSES = 8 /* over the active limits */
};

/* ---------------------------------------------------------------------------------------------------------- rows */

/* Add one row with the gradient of row i. */
static cairn_status add_extra(crn_fit *fit, const crn_input *in, crn_fit_extra what, const crn_joint_rows *rows, int i,
                              double rhs)
{
    crn_assembly *assembly = &fit->s->projection.stage.assembly;
    int item = assembly->G.rows.item_count;
    CRN_TRY(crn_reserve_all(&fit->memory, CRN_ARRAY(fit->extra, item - fit->extra_item + 1)));
    fit->extra[item - fit->extra_item] = what;
    return crn_add_row_equation(assembly, in, rows, i, rhs);
}

/* What a coordinate or its rate should become, less what it is while no dynamic body moves. */
static cairn_status add_value(crn_fit *fit, const crn_input *in, int j, int i)
{
    const cairn_model *model = fit->s->model;
    const crn_joint *joint = &model->joints[j];
    crn_joint_rows row;
    if (!((fit->rates ? joint->begins_rate : joint->begins) & 1u << i))
        return CAIRN_OK;
    crn_joint_coordinate_row(model, in->frame, j, i, &row);
    double start = fit->start[j * CRN_JOINT_COORDINATES + i];
    double rhs = fit->rates ? joint->initial_rate[i] - crn_row_drive(in->frame, &row, 0)
                            : start + fit->share * (joint->initial[i] - start) - row.theta[0];
    return add_extra(fit, in, (crn_fit_extra){.joint = j, .kind = CRN_FIT_VALUE, .place = i}, &row, 0, rhs);
}

/* Equations of compliant rows of a joint whose place is given by its coordinates. */
static cairn_status add_stiffened(crn_fit *fit, const crn_input *in, int j, const crn_joint_rows *rows)
{
    const crn_joint *joint = &fit->s->model->joints[j];
    for (int i = 0; i < joint->own_rows; ++i)
    {
        double drive = fit->rates ? crn_row_drive(in->frame, rows, i) : 0.0;
        if (crn_is_soft(crn_joint_give(fit->s->model, j, i)))
            CRN_TRY(add_extra(fit, in, (crn_fit_extra){.joint = j, .kind = CRN_FIT_EQUATION}, rows, i,
                              fit->rates ? -drive : -rows->theta[i]));
    }
    return CAIRN_OK;
}

static cairn_status add_limits(crn_fit *fit, const crn_input *in, int j, const crn_joint_rows *rows)
{
    for (int i = rows->equations; i < rows->equations + rows->bounded; ++i)
    {
        if (!rows->bound[i].is_limit || crn_is_soft(crn_joint_give(fit->s->model, j, i)))
            continue;
        CRN_TRY(crn_reserve_all(&fit->memory, CRN_ARRAY(fit->limit, fit->limit_count + 1)));
        crn_fit_limit *limit = &fit->limit[fit->limit_count++];
        limit->item = fit->s->projection.stage.assembly.G.rows.item_count;
        limit->counts = !fit->rates || rows->theta[i] <= NEAR;
        limit->gap = fit->rates ? crn_row_rate(in->layout, rows, i, fit->s->state.v) + crn_row_drive(in->frame, rows, i)
                                : rows->theta[i];
        limit->active = limit->counts && limit->gap < 0;
        CRN_TRY(add_extra(fit, in, (crn_fit_extra){.joint = j, .kind = CRN_FIT_LIMIT, .place = i}, rows, i, 0.0));
    }
    return CAIRN_OK;
}

/* Rows of the joints that begin in a given place, or the limits of those that have any. */
static cairn_status add_of_joints(crn_fit *fit, const crn_input *in, bool limits)
{
    const cairn_model *model = fit->s->model;
    for (int j = 0; j < (int)model->joint_count; ++j)
    {
        const crn_joint *joint = &model->joints[j];
        if (limits ? joint->bounded == 0 : !joint->begins && !joint->begins_rate)
            continue;
        crn_joint_rows rows;
        crn_joint_evaluate(model, in->frame, j, &rows);
        if (limits)
            CRN_TRY(add_limits(fit, in, j, &rows));
        else
            CRN_TRY(add_stiffened(fit, in, j, &rows));
        for (int i = 0; i < joint->coordinates && !limits; ++i)
            CRN_TRY(add_value(fit, in, j, i));
    }
    return CAIRN_OK;
}

static cairn_status add_extras(crn_fit *fit, const crn_input *in)
{
    const cairn_block_rows *G = &fit->s->projection.stage.assembly.G.rows;
    fit->limit_count = 0;
    fit->extra_item = G->item_count;
    CRN_TRY(add_of_joints(fit, in, false));
    fit->limit_item = G->item_count;
    return add_of_joints(fit, in, true);
}

/* Bodies that are held have no columns. */
static void hold_bodies(const crn_fit *fit, cairn_problem *problem)
{
    const crn_layout *layout = fit->s->layout;
    const cairn_block_rows *G = &problem->G;
    int entries = G->item_count > 0 ? G->entry_start[G->item_count] : 0;
    for (int e = 0; e < entries; ++e)
    {
        bool body = G->block[e] < layout->body_block_count;
        if (body && fit->s->model->bodies[layout->block_body[G->block[e]]].hold)
            memset(G->value + G->value_start[e], 0,
                   (size_t)(G->value_start[e + 1] - G->value_start[e]) * sizeof(double));
    }
}

/* ----------------------------------------------------------------------------------------------------- residuals */

/* Residuals of rates are what the present velocities leave. */
static void subtract_rates(const crn_fit *fit, cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    for (int item = 0; item < G->item_count; ++item)
        for (int row = G->row_start[item]; row < G->row_start[item + 1]; ++row)
            problem->b[row] -= crn_row_times(problem, G, item, row - G->row_start[item], fit->s->state.v);
}

static void set_limit(cairn_problem *problem, const crn_fit_limit *limit)
{
    int row = problem->G.row_start[limit->item];
    problem->b[row] = limit->active ? -limit->gap : 0.0;
}

static void measure(crn_fit *fit, const cairn_problem *problem)
{
    fit->merit = fit->worst = 0;
    for (int i = 0; i < problem->joint_rows; ++i)
    {
        double size = fabs(problem->b[i]) * problem->joint_length[i];
        fit->merit += 0.5 * size * size;
        fit->worst = isnan(size) ? INFINITY : fmax(fit->worst, size);
    }
}

cairn_status crn_begin_joints(cairn_simulation *s, bool rates, crn_input *in)
{
    crn_stage *stage = &s->projection.stage;
    crn_frame_update(&stage->frame, s->layout, s->state.q, s->state.t, 0.0);
    if (rates)
        crn_frame_drive_now(&stage->frame, s->layout);
    *in = crn_stage_input(s, stage, 1.0);
    in->positions = !rates;
    in->instant = rates;
    in->rotor_rate = NULL;
    CRN_TRY(crn_begin(&stage->assembly, in));
    return crn_add_joint_rows(&stage->assembly, in, rates ? 0.0 : 1.0);
}

cairn_status crn_fit_linearise(crn_fit *fit)
{
    crn_input in;
    crn_assembly *assembly = &fit->s->projection.stage.assembly;
    CRN_TRY(crn_begin_joints(fit->s, fit->rates, &in));
    CRN_TRY(add_extras(fit, &in));
    crn_finish(assembly, &in, (cairn_law){CAIRN_LAW_FRICTIONLESS, 0});
    cairn_problem *problem = &assembly->problem;
    if (fit->rates)
        subtract_rates(fit, problem);
    for (int k = 0; k < fit->limit_count; ++k)
        set_limit(problem, &fit->limit[k]);
    hold_bodies(fit, problem);
    measure(fit, problem);
    return CAIRN_OK;
}

double crn_fit_errors(const crn_fit *fit, double *error)
{
    const cairn_problem *problem = &fit->s->projection.stage.assembly.problem;
    const cairn_block_rows *G = &problem->G;
    double worst = 0;
    memset(error, 0, fit->s->model->joint_count * sizeof(double));
    for (int item = 0; item < G->item_count; ++item)
    {
        bool extra = item >= fit->extra_item;
        int joint = extra ? fit->extra[item - fit->extra_item].joint : crn_joint_of_item(fit->s->model, item);
        for (int row = G->row_start[item]; row < G->row_start[item + 1]; ++row)
        {
            double size = fabs(problem->b[row]);
            worst = fmax(worst, size);
            if (joint >= 0)
                error[joint] = fmax(error[joint], size);
        }
    }
    return worst;
}

/* ---------------------------------------------------------------------------------------------------------- steps */

/* L^2 g'M^-1 g of a row, up to the couplings in M: the square of the speed that a unit impulse gives it. */
static double mobility(const cairn_problem *problem, int item, int row)
{
    const cairn_block_rows *G = &problem->G;
    double sum = 0, length = problem->joint_length[row];
    for (int e = G->entry_start[item]; e < G->entry_start[item + 1]; ++e)
    {
        int width = problem->block_start[G->block[e] + 1] - problem->block_start[G->block[e]];
        const double *A = crn_diagonal_block(&problem->A, G->block[e]);
        const double *g = G->value + G->value_start[e] + (row - G->row_start[item]) * width;
        for (int k = 0; k < width; ++k)
            sum += g[k] * g[k] / A[k * width + k];
    }
    return length * length * sum;
}

/* The compliance of every row. Rows of zeros get one as well, so that they have a pivot. */
static void set_compliance(const crn_fit *fit, cairn_problem *problem, double mu)
{
    const cairn_block_rows *G = &problem->G;
    double kappa = 0;
    for (int item = 0; item < G->item_count; ++item)
        for (int row = G->row_start[item]; row < G->row_start[item + 1]; ++row)
        {
            problem->R_c[row] = mobility(problem, item, row);
            kappa = fmax(kappa, problem->R_c[row]);
        }
    kappa = kappa > 0 ? kappa : 1.0;
    for (int row = 0; row < problem->joint_rows; ++row)
    {
        double length = problem->joint_length[row];
        problem->R_c[row] = (problem->R_c[row] > 0 ? mu : 1.0) * kappa / (length * length);
    }
    for (int k = 0; k < fit->limit_count; ++k)
        problem->R_c[G->row_start[fit->limit[k].item]] *= fit->limit[k].active ? 1.0 : IDLE / mu;
}

/* Limits that the step crosses become active; those that it would be pulled towards do not stay so. */
static bool change_limits(crn_fit *fit, cairn_problem *problem)
{
    const double *c = fit->step + problem->n;
    bool changed = false;
    for (int k = 0; k < fit->limit_count; ++k)
    {
        crn_fit_limit *limit = &fit->limit[k];
        double left = limit->gap + crn_row_times(problem, &problem->G, limit->item, 0, fit->step);
        bool crosses = !limit->active && limit->counts && left < -CROSS;
        bool pulls = limit->active && limit->gap >= 0 && c[problem->G.row_start[limit->item]] < 0;
        if (!crosses && !pulls)
            continue;
        limit->active = crosses;
        set_limit(problem, limit);
        changed = true;
    }
    return changed;
}

cairn_status crn_fit_step(crn_fit *fit, double mu)
{
    assert(mu > 0);
    cairn_problem *problem = &fit->s->projection.stage.assembly.problem;
    CRN_TRY(crn_reserve_all(&fit->memory, CRN_ARRAY(fit->step, problem->n + problem->joint_rows + 1)));
    bool changed = true;
    for (int pass = 0; pass < PASSES && changed; ++pass)
    {
        set_compliance(fit, problem, mu);
        CRN_TRY(crn_saddle_factorise(fit->saddle, fit->s->context, problem));
        memset(fit->step, 0, (size_t)problem->n * sizeof(double));
        memcpy(fit->step + problem->n, problem->b, (size_t)problem->joint_rows * sizeof(double));
        crn_saddle_solve(fit->saddle, fit->step, fit->step + problem->n);
        changed = change_limits(fit, problem);
    }
    return CAIRN_OK;
}
