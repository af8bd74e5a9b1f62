/* Joint rows  G v = b. */
#include "formulate/assemble.h"
#include "formulate/bounded.h"
#include "formulate/compliance.h"
#include "formulate/joints.h"
#include "formulate/mechanism/hinge_rows.h"
#include "math/vec.h"
#include "model/joints/element.h"
#include "model/joints/hinge/hinge.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static cairn_status reserve_joint_rows(crn_assembly *assembly, const crn_input *in, int rows)
{
    assert(rows > 0);
    size_t need = (size_t)(assembly->problem.joint_rows + rows);
    CRN_TRY(crn_reserve_joint_weights(assembly, in, need));
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->problem.b, need),
                            CRN_ARRAY(assembly->problem.R_c, need), CRN_ARRAY(assembly->theta, need),
                            CRN_ARRAY(assembly->joint_length, need)));
    assembly->problem.joint_length = assembly->joint_length;
    return CAIRN_OK;
}

/* The length of one side of a row: that of the largest so far, or 1 if it moves its body, and then that of all. */
static bool side_length(const crn_layout *layout, int body, const double g[6], double *largest)
{
    assert(body < (int)layout->model->body_count);
    if (body < 0 || layout->body_block[body] < 0)
        return false;
    *largest = crn_size_of(layout, body) > *largest ? crn_size_of(layout, body) : *largest;
    return g[0] != 0 || g[1] != 0 || g[2] != 0;
}

static double gradient_length(const crn_layout *layout, const crn_gradient *gradient)
{
    double largest = 0;
    for (int k = 0; k < 2; ++k)
        if (side_length(layout, gradient->body[k], gradient->g[k], &largest))
            return 1.0;
    return largest > 0 ? largest : 1.0;
}

double crn_row_length(const crn_layout *layout, const crn_joint_rows *rows, int i)
{
    if (rows->sides == 0)
        return gradient_length(layout, &rows->gradient[i]);
    double largest = 0;
    for (int k = 0; k < rows->sides; ++k)
        if (side_length(layout, rows->side[k].body, rows->side[k].g, &largest))
            return 1.0;
    return largest > 0 ? largest : 1.0;
}

static void push_joint_row(crn_assembly *assembly, double theta, double rhs, double length)
{
    assert(length > 0);
    assert(assembly->problem.joint_rows < assembly->G.row_count);
    int row = assembly->problem.joint_rows++;
    assembly->joint_length[row] = length;
    assembly->theta[row] = theta;
    assembly->problem.b[row] = rhs;
    assembly->problem.R_c[row] = 0.0;
    if (assembly->problem.joint_weight)
        assembly->problem.joint_weight[row] = CRN_JOINT_WEIGHT;
}

/* The right-hand side that corrects drift, measured either here or by the caller at the start of the step. */
static double joint_rhs(const crn_assembly *assembly, const crn_input *in, double factor, double theta)
{
    return in->joint_bias ? in->joint_bias[assembly->problem.joint_rows] : -factor * theta;
}

cairn_status crn_add_equation(crn_assembly *assembly, const crn_input *in, const crn_gradient *gradient, double rhs)
{
    CRN_TRY(reserve_joint_rows(assembly, in, 1));
    CRN_TRY(crn_rows_add_item(&assembly->G, in->layout, gradient, 1));
    push_joint_row(assembly, 0.0, rhs, gradient_length(in->layout, gradient));
    return CAIRN_OK;
}

cairn_status crn_add_row_equation(crn_assembly *assembly, const crn_input *in, const crn_joint_rows *rows, int i,
                                  double rhs)
{
    CRN_TRY(reserve_joint_rows(assembly, in, 1));
    CRN_TRY(crn_rows_add_item(&assembly->G, in->layout, &rows->gradient[i], 1));
    CRN_TRY(crn_rows_add_sides(&assembly->G, in->layout, rows, i, 1));
    push_joint_row(assembly, 0.0, rhs, crn_row_length(in->layout, rows, i));
    return CAIRN_OK;
}

static cairn_status add_system_joints(crn_assembly *assembly, const crn_input *in, int system, double factor)
{
    assert(system >= 0 && (size_t)system < in->layout->model->system_count);
    const crn_layout *layout = in->layout;
    const cairn_system_options *o = &layout->model->systems[system].options;
    int rows = o->joint_count;
    if (rows == 0)
        return CAIRN_OK;
    int block = layout->body_block_count + system;
    CRN_TRY(reserve_joint_rows(assembly, in, rows));
    CRN_TRY(crn_rows_begin(&assembly->G, rows));
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->scratch, rows)));
    double *gradient = crn_rows_entry(&assembly->G, block, o->n);
    if (!gradient)
        return CAIRN_NO_MEMORY;
    double *theta = assembly->scratch;
    memset(theta, 0, (size_t)rows * sizeof(double));
    o->joints(o->data, in->q + layout->q_start[block], theta, gradient);
    for (int i = 0; i < rows; ++i)
    {
        double bias =
            in->row_bias ? crn_dot(o->n, gradient + i * o->n, in->row_bias + layout->block_start[block]) : 0.0;
        push_joint_row(assembly, theta[i], joint_rhs(assembly, in, factor, theta[i]) - bias, 1.0);
    }
    return CAIRN_OK;
}

/* Leave out the row of something that positions alone do not determine: a row of zeros, whose impulse is 0. */
static void leave_out(crn_joint_rows *rows, int i, crn_row_compliance *give)
{
    memset(rows->gradient[i].g, 0, sizeof rows->gradient[i].g);
    rows->sign[i] = 0.0;
    rows->theta[i] = rows->rate[i] = 0.0;
    *give = (crn_row_compliance){1.0, 0.0};
}

/* Row i as that of a rotor of inertia a, whose impulse is  c = - a (u+ - u),  with u the rate at the base: u+ + c/a = u. */
static void push_rotor_row(crn_assembly *assembly, const crn_input *in, const crn_joint_rows *rows, int i, double a,
                           double rate)
{
    double drive = in->frame->any_driven ? crn_row_drive(in->frame, rows, i) : 0.0;
    push_joint_row(assembly, 0.0, rate - drive, crn_row_length(in->layout, rows, i));
    assembly->problem.R_c[assembly->problem.joint_rows - 1] = 1 / a;
}

/* The inertia of the rotor that row i of a joint is, if it takes part; *rate: that of its coordinate at the base. */
static double rotor_of(const crn_input *in, int j, int i, double *rate)
{
    const cairn_model *model = in->layout->model;
    int coordinate;
    double a = model->has_rotors ? crn_joint_rotor(&model->joints[j], i, &coordinate) : 0.0;
    if (a > 0 && in->rotor_rate)
        *rate = in->rotor_rate[j * CRN_JOINT_COORDINATES + coordinate];
    return a;
}

/* A row whose right-hand side lacks what driven bodies and the row bias contribute. */
static void push_moving_row(crn_assembly *assembly, const crn_input *in, const crn_joint_rows *rows, int i,
                            double theta, double rhs, double drive, double length)
{
    double bias = in->row_bias ? crn_row_rate(in->layout, rows, i, in->row_bias) + drive : 0.0;
    push_joint_row(assembly, theta, rhs - drive - bias, length);
}

/* The equations of a joint that neither gives nor has anything on its coordinates. */
static cairn_status add_rigid(crn_assembly *assembly, const crn_input *in, const crn_joint_rows *rows, double factor)
{
    assert(rows->sides == 0);
    CRN_TRY(crn_rows_add_item(&assembly->G, in->layout, rows->gradient, rows->equations));
    for (int i = 0; i < rows->equations; ++i)
    {
        double drive = in->frame->any_driven ? crn_row_drive(in->frame, rows, i) : 0.0;
        push_moving_row(assembly, in, rows, i, rows->theta[i], joint_rhs(assembly, in, factor, rows->theta[i]), drive,
                        gradient_length(in->layout, &rows->gradient[i]));
    }
    return CAIRN_OK;
}

/* Row i of a joint that may give. */
static void push_row(crn_assembly *assembly, const crn_input *in, const crn_joint_rows *rows, int i,
                     crn_row_compliance give, double factor)
{
    bool soft = crn_is_soft(give);
    double drive = (in->frame->any_driven ? crn_row_drive(in->frame, rows, i) : 0.0) + rows->rate[i];
    double theta = rows->theta[i];
    if (soft && in->ahead) /* that of the base */
        theta -= in->h * (crn_row_rate(in->layout, rows, i, in->ahead) + drive);
    double rhs = soft ? -crn_compliance_bias(give, in->h, theta, false) : joint_rhs(assembly, in, factor, theta);
    push_moving_row(assembly, in, rows, i, theta, rhs, drive, crn_row_length(in->layout, rows, i));
    assembly->problem.R_c[assembly->problem.joint_rows - 1] = crn_row_compliance_of(give, in->h);
}

/* The equations of any joint. */
static cairn_status add_rows(crn_assembly *assembly, const crn_input *in, int j, crn_joint_rows *rows, double factor)
{
    const cairn_model *model = in->layout->model;
    crn_row_compliance give[CRN_JOINT_ROWS];
    double rotor[CRN_JOINT_ROWS], speed[CRN_JOINT_ROWS];
    for (int i = 0; i < rows->equations; ++i)
    {
        give[i] = crn_joint_give(model, j, i);
        rotor[i] = rotor_of(in, j, i, &speed[i]);
        bool soft = crn_is_soft(give[i]), idle = rotor[i] > 0 && (in->positions || !in->rotor_rate);
        rotor[i] = idle ? 0.0 : rotor[i];
        if (idle || (in->positions && (soft || crn_joint_holds_rate(&model->joints[j], i))) || (in->instant && soft))
            leave_out(rows, i, &give[i]);
    }
    CRN_TRY(crn_rows_add_item(&assembly->G, in->layout, rows->gradient, rows->equations));
    CRN_TRY(crn_rows_add_sides(&assembly->G, in->layout, rows, 0, rows->equations));
    for (int i = 0; i < rows->equations; ++i)
        if (rotor[i] > 0)
            push_rotor_row(assembly, in, rows, i, rotor[i], speed[i]);
        else
            push_row(assembly, in, rows, i, give[i], factor);
    return CAIRN_OK;
}

/* The equations of one joint; there is room for them. */
static cairn_status add_joint(crn_assembly *assembly, const crn_input *in, int j, double factor)
{
    const cairn_model *model = in->layout->model;
    const crn_joint *joint = &model->joints[j];
    assert(joint->rows > 0);
    assert(joint->item == assembly->G.rows.item_count);
    crn_joint_rows rows;
    crn_joint_evaluate(model, in->frame, j, &rows);
    if (rows.not_finite > 0)
        assembly->fault = (crn_fault){.is_joint = true, .index = j, .part = rows.not_finite - 1};
    CRN_TRY(crn_keep_bounded(assembly, j, &rows));
    bool rigid = !model->gives && joint->rows == joint->own_rows && !joint->coupling;
    return rigid ? add_rigid(assembly, in, &rows, factor) : add_rows(assembly, in, j, &rows, factor);
}

cairn_status crn_add_joint_rows(crn_assembly *assembly, const crn_input *in, double factor)
{
    assert(factor >= 0);
    assert(assembly->problem.joint_rows == 0);
    const cairn_model *model = in->layout->model;
    int rows = 0;
    for (int j = 0; j < (int)model->joint_count; ++j)
        rows += model->joints[j].rows;
    if (rows > 0)
        CRN_TRY(reserve_joint_rows(assembly, in, rows));
    for (int j = 0; j < (int)model->joint_count;)
    {
        int four = crn_four_with(j, (int)model->joint_count);
        if (crn_can_add_hinges(in, four))
        {
            CRN_TRY(crn_add_hinges(assembly, in, four, j - four, factor));
            j = four + 4;
            continue;
        }
        if (model->joints[j].rows > 0)
            CRN_TRY(add_joint(assembly, in, j, factor));
        ++j;
    }
    for (int s = 0; s < (int)model->system_count; ++s)
        CRN_TRY(add_system_joints(assembly, in, s, factor));
    crn_set_joint_weights(assembly, in);
    return crn_add_spring_rows(assembly, in);
}
