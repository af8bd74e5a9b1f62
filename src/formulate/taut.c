/* Joints under tension. A joint that pulls a body at an arm r (from its centre) with the force f turns it back towards the force: for a small turn
 * theta the moment r x f changes by - K theta with
 *
 *     K = (f . r) I - (f r' + r f') / 2 ,
 *
 * the geometric stiffness of the joint. A step takes the moment at its start. Like every explicit force that is unstable where the stiffness
 * exceeds the inertia, h^2 K > 4 J: the links of a long chain near its hook turn by themselves at sqrt(T L / J), J the inertia of one link, and in the
 * step of 5 ms a chain of some 500 links of 10 cm tears itself apart. So the part of the stiffness beyond a bound is taken at the end of the step,
 * as the linearly implicit scheme takes springs:
 *
 *     moment - h K+ w+,     h^2 K+ = the positive part of h^2 K - BOUND J  (in the metric of J).
 *
 * It acts on body after body, so A keeps its pattern; it only takes energy away, and only from turns that the step cannot follow. f is the
 * joint's impulse in the last step over its length. Where no body comes near the bound, nothing changes.
 */
#include "formulate/assemble.h"
#include "math/symmetric.h"
#include "math/vec.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* h^2 K / J up to which the step follows: the scheme becomes unstable at 4. */
static const double BOUND = 2.0;

/* The force of joint j on the body of entry e of its item, in the world, and the arm to its point in the body's frame. */
static void find_pull(const crn_assembly *assembly, const crn_input *in, const crn_joint *joint, int j, int e,
                      double force[3], double arm[3])
{
    const crn_layout *layout = in->layout;
    const cairn_block_rows *G = &assembly->G.rows;
    int block = G->block[e], dofs = layout->block_start[block + 1] - layout->block_start[block];
    int body = layout->block_body[block], rows = G->row_start[joint->item + 1] - G->row_start[joint->item];
    const double *value = G->value + G->value_start[e];
    memset(force, 0, sizeof(double[3]));
    for (int i = 0; i < rows; ++i, value += dofs)
        for (int k = 0; k < layout->model->dimension; ++k)
            force[k] += value[k] * in->joint_impulse[j][i] / in->joint_h;
    memcpy(arm, joint->a.body == body ? joint->a.point : joint->b.point, sizeof(double[3]));
}

static bool turns(const crn_layout *layout, int block)
{
    return layout->block_start[block + 1] - layout->block_start[block] > layout->model->dimension;
}

/* A lower bound of the inertia of a body about any axis. */
static double least_inertia(const crn_layout *layout, int block)
{
    const double *I = layout->inertia[layout->block_body[block]];
    double trace = I[0] + I[4] + I[8];
    double det =
        I[0] * (I[4] * I[8] - I[5] * I[7]) - I[1] * (I[3] * I[8] - I[5] * I[6]) + I[2] * (I[3] * I[7] - I[4] * I[6]);
    return layout->model->dimension == 2 ? I[8] : 4.0 * det / (trace * trace);
}

/* Add h^2 |f| |r| of all joints to their bodies; whether a body may be beyond the bound. */
static bool add_pulls(crn_assembly *assembly, const crn_input *in)
{
    const cairn_model *model = in->layout->model;
    const cairn_block_rows *G = &assembly->G.rows;
    bool taut = false;
    memset(assembly->pull, 0, (size_t)in->layout->body_block_count * sizeof *assembly->pull);
    for (int j = 0; j < (int)model->joint_count; ++j)
    {
        const crn_joint *joint = &model->joints[j];
        for (int e = joint->rows > 0 ? G->entry_start[joint->item] : 0;
             joint->rows > 0 && e < G->entry_start[joint->item + 1]; ++e)
        {
            int block = G->block[e];
            double force[3], arm[3];
            if (!turns(in->layout, block))
                continue;
            find_pull(assembly, in, joint, j, e, force, arm);
            assembly->pull[block] += in->h * in->h * sqrt(crn_dot3(force, force) * crn_dot3(arm, arm));
            taut = taut || assembly->pull[block] > BOUND * least_inertia(in->layout, block);
        }
    }
    return taut;
}

/* K += that of one pull, in the frame of the body. */
static void add_stiffness(const double f[3], const double r[3], double K[9])
{
    double along = crn_dot3(f, r);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            K[3 * i + k] += (i == k ? along : 0.0) - 0.5 * (f[i] * r[k] + r[i] * f[k]);
}

/* L of J = L L', lower; the inertia of a body is positive definite. */
static void cholesky(const double J[9], double L[9])
{
    memset(L, 0, sizeof(double[9]));
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k <= i; ++k)
        {
            double sum = J[3 * i + k];
            for (int l = 0; l < k; ++l)
                sum -= L[3 * i + l] * L[3 * k + l];
            L[3 * i + k] = i == k ? sqrt(fmax(sum, DBL_MIN)) : sum / L[4 * k];
        }
    }
}

/* X = L^-1 X of three columns. */
static void divide(const double L[9], double X[9])
{
    for (int c = 0; c < 3; ++c)
    {
        for (int i = 0; i < 3; ++i)
        {
            for (int k = 0; k < i; ++k)
                X[3 * i + c] -= L[3 * i + k] * X[3 * k + c];
            X[3 * i + c] /= L[4 * i];
        }
    }
}

static void transpose(double X[9])
{
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < i; ++k)
        {
            double x = X[3 * i + k];
            X[3 * i + k] = X[3 * k + i];
            X[3 * k + i] = x;
        }
    }
}

/* out = the positive part of K - BOUND J in the metric of J; false: there is none. */
static bool find_excess(const double K[9], const double J[9], double out[9])
{
    double L[9], S[9], value[3], work[3];
    bool any = false;
    cholesky(J, L);
    memcpy(S, K, sizeof S);
    divide(L, S);
    transpose(S);
    divide(L, S);
    memset(out, 0, sizeof(double[9]));
    if (!crn_symmetric_eigen(3, S, value, work))
        return false;
    for (int e = 0; e < 3; ++e)
    {
        double excess = value[e] - BOUND, x[3];
        if (!(excess > 0.0))
            continue;
        crn_rotate3(L, S + 3 * e, x);
        for (int i = 0; i < 9; ++i)
            out[i] += excess * x[i / 3] * x[i % 3];
        any = true;
    }
    return any;
}

/* Add a term to A and to the list from which its impulse is booked. */
static void add_term(crn_assembly *assembly, const crn_input *in, int block, const double K[9])
{
    const crn_layout *layout = in->layout;
    crn_gyro_term *term = &assembly->gyro_terms[assembly->gyro_term_count++];
    int dofs = layout->block_start[block + 1] - layout->block_start[block];
    double *A = assembly->problem.A.value + layout->value_start[layout->diagonal[block]];
    *term = (crn_gyro_term){.block = block, .numerical = true};
    memcpy(term->K, K, sizeof term->K);
    if (dofs == 3)
        A[8] += K[8];
    for (int i = 0; i < 9 && dofs == 6; ++i)
        A[(3 + i / 3) * 6 + 3 + i % 3] += K[i];
}

/* The stiffnesses of all joints of bodies that may be beyond the bound. */
static void add_stiffnesses(crn_assembly *assembly, const crn_input *in)
{
    const crn_layout *layout = in->layout;
    const cairn_block_rows *G = &assembly->G.rows;
    memset(assembly->stiffness, 0, (size_t)layout->body_block_count * sizeof *assembly->stiffness);
    for (int j = 0; j < (int)layout->model->joint_count; ++j)
    {
        const crn_joint *joint = &layout->model->joints[j];
        for (int e = joint->rows > 0 ? G->entry_start[joint->item] : 0;
             joint->rows > 0 && e < G->entry_start[joint->item + 1]; ++e)
        {
            int block = G->block[e];
            double force[3], arm[3], local[3];
            if (!turns(layout, block) || !(assembly->pull[block] > BOUND * least_inertia(layout, block)))
                continue;
            find_pull(assembly, in, joint, j, e, force, arm);
            crn_unrotate3(in->frame->pose[layout->block_body[block]].R, force, local);
            crn_scale3(in->h * in->h, local, local);
            add_stiffness(local, arm, assembly->stiffness[block]);
        }
    }
}

cairn_status crn_add_taut_joints(crn_assembly *assembly, const crn_input *in)
{
    const crn_layout *layout = in->layout;
    size_t blocks = (size_t)layout->body_block_count;
    if (layout->model->joint_count == 0 || !in->joint_impulse || !(in->joint_h > 0.0))
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->pull, blocks)));
    if (!add_pulls(assembly, in))
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->stiffness, blocks),
                            CRN_ARRAY(assembly->gyro_terms, assembly->gyro_term_count + blocks)));
    add_stiffnesses(assembly, in);
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        const double *J = layout->inertia[layout->block_body[k]];
        double K[9] = {0};
        bool planar = layout->model->dimension == 2;
        if (!turns(layout, k) || !(assembly->pull[k] > BOUND * least_inertia(layout, k)))
            continue;
        K[8] = fmax(assembly->stiffness[k][8] - BOUND * J[8], 0.0);
        bool any = planar ? K[8] > 0.0 : find_excess(assembly->stiffness[k], J, K);
        if (any)
            add_term(assembly, in, k, K);
    }
    return CAIRN_OK;
}
