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

static bool turns(const crn_layout *layout, int block)
{
    return layout->block_start[block + 1] - layout->block_start[block] > layout->model->dimension;
}

/* The forces of rows of a body in space, added up. */
static void sum_pulls(int rows, const double *c, const double *value, double out[3])
{
    double x = 0.0, y = 0.0, z = 0.0;
    for (int i = 0; i < rows; ++i, value += 6)
    {
        x += c[i] * value[0];
        y += c[i] * value[1];
        z += c[i] * value[2];
    }
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* h^2 times the force of joint j on the body of entry e of its item, in the frame of the body. */
static void find_pull(const crn_assembly *assembly, const crn_input *in, int j, int e, double f[3])
{
    const crn_layout *layout = in->layout;
    const cairn_block_rows *G = &assembly->G.rows;
    int block = G->block[e], dofs = layout->block_start[block + 1] - layout->block_start[block];
    int item = layout->model->joints[j].item, rows = G->row_start[item + 1] - G->row_start[item];
    const double *value = G->value + G->value_start[e];
    const double *c = in->joint_impulse[j];
    double force[3] = {0.0, 0.0, 0.0};
    if (dofs == 6)
        sum_pulls(rows, c, value, force);
    for (int i = 0; i < rows && dofs != 6; ++i, value += dofs)
        for (int k = 0; k < layout->model->dimension; ++k)
            force[k] += value[k] * c[i];
    crn_scale3(in->h * in->h / in->joint_h, force, force);
    crn_unrotate3(in->frame->pose[layout->block_body[block]].R, force, f);
}

/* K += (f . r) I - (f r' + r f') / 2 */
static void add_stiffness(const double f[3], const double r[3], double K[9])
{
    double along = crn_dot3(f, r);
    double xy = 0.5 * (f[0] * r[1] + r[0] * f[1]), xz = 0.5 * (f[0] * r[2] + r[0] * f[2]),
           yz = 0.5 * (f[1] * r[2] + r[1] * f[2]);
    const double sum[9] = {along - f[0] * r[0], -xy, -xz, -xy, along - f[1] * r[1], -yz, -xz, -yz, along - f[2] * r[2]};
    for (int i = 0; i < 9; ++i)
        K[i] += sum[i];
}

/* h^2 K of all bodies. */
static void add_stiffnesses(crn_assembly *assembly, const crn_input *in)
{
    const crn_layout *layout = in->layout;
    const cairn_block_rows *G = &assembly->G.rows;
    memset(assembly->stiffness, 0, (size_t)layout->body_block_count * sizeof *assembly->stiffness);
    for (int j = 0; j < (int)layout->model->joint_count; ++j)
    {
        const crn_joint *joint = &layout->model->joints[j];
        int end = joint->rows > 0 ? G->entry_start[joint->item + 1] : 0;
        for (int e = joint->rows > 0 ? G->entry_start[joint->item] : 0; e < end; ++e)
        {
            int block = G->block[e], body = layout->block_body[block];
            double f[3];
            if (!turns(layout, block) || (joint->a.body != body && joint->b.body != body))
                continue;
            find_pull(assembly, in, j, e, f);
            add_stiffness(f, joint->a.body == body ? joint->a.point : joint->b.point, assembly->stiffness[block]);
        }
    }
}

/* Whether BOUND J - K is positive definite, by its minors. */
static bool can_follow(const double K[9], const double J[9])
{
    double M[9];
    for (int i = 0; i < 9; ++i)
        M[i] = BOUND * J[i] - K[i];
    double minor = M[0] * M[4] - M[1] * M[3];
    double det =
        M[0] * (M[4] * M[8] - M[5] * M[7]) - M[1] * (M[3] * M[8] - M[5] * M[6]) + M[2] * (M[3] * M[7] - M[4] * M[6]);
    return M[0] > 0.0 && minor > 0.0 && det > 0.0;
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

/* The term of one body; K is h^2 times its stiffness. */
static void add_body(crn_assembly *assembly, const crn_input *in, int block, const double K[9])
{
    const crn_matrix3 inertia = crn_inertia_of(&in->layout->inertia, in->layout->block_body[block]);
    const double *J = inertia.m;
    double excess[9] = {0.0};
    bool planar = in->layout->model->dimension == 2;
    excess[8] = planar ? K[8] - BOUND * J[8] : 0.0;
    if (planar ? excess[8] > 0.0 : !can_follow(K, J) && find_excess(K, J, excess))
        add_term(assembly, in, block, excess);
}

cairn_status crn_add_taut_joints(crn_assembly *assembly, const crn_input *in)
{
    const crn_layout *layout = in->layout;
    size_t blocks = (size_t)layout->body_block_count;
    if (layout->model->joint_count == 0 || !in->joint_impulse || !(in->joint_h > 0.0))
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->stiffness, blocks),
                            CRN_ARRAY(assembly->gyro_terms, assembly->gyro_term_count + blocks)));
    add_stiffnesses(assembly, in);
    for (int k = 0; k < layout->body_block_count; ++k)
        if (turns(layout, k))
            add_body(assembly, in, k, assembly->stiffness[k]);
    return CAIRN_OK;
}
