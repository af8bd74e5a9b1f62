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
#include "math/positive_part.h"
#include "math/vec.h"
#include "model/joints/hinge/hinge.h"

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

/* What any joint adds to h^2 K of its bodies. */
static void add_joint(crn_assembly *assembly, const crn_input *in, int j)
{
    const crn_layout *layout = in->layout;
    const cairn_block_rows *G = &assembly->G.rows;
    const crn_joint *joint = &layout->model->joints[j];
    for (int e = G->entry_start[joint->item]; e < G->entry_start[joint->item + 1]; ++e)
    {
        int block = G->block[e], body = layout->block_body[block];
        double f[3];
        if (!turns(layout, block) || (joint->a.body != body && joint->b.body != body))
            continue;
        find_pull(assembly, in, j, e, f);
        add_stiffness(f, joint->a.body == body ? joint->a.point : joint->b.point, assembly->stiffness[block]);
    }
}

/* The same of a hinge, whose first three impulses are the force on a, and on b against it. */
static void add_hinge(crn_assembly *assembly, const crn_input *in, const crn_joint *hinge, const double force[3])
{
    const crn_layout *layout = in->layout;
    double scale = in->h * in->h / in->joint_h;
    for (int side = 0; side < 2; ++side)
    {
        const crn_attachment *at = side == 0 ? &hinge->a : &hinge->b;
        int block = at->body < 0 ? -1 : layout->body_block[at->body];
        double f[3];
        if (block < 0 || !turns(layout, block))
            continue;
        crn_scale3(side == 0 ? scale : -scale, force, f);
        crn_unrotate3(in->frame->pose[at->body].R, f, f);
        add_stiffness(f, at->point, assembly->stiffness[block]);
    }
}

/* h^2 K of all bodies. */
static void add_stiffnesses(crn_assembly *assembly, const crn_input *in)
{
    const cairn_model *model = in->layout->model;
    memset(assembly->stiffness, 0, (size_t)in->layout->body_block_count * sizeof *assembly->stiffness);
    for (int j = 0; j < (int)model->joint_count; ++j)
    {
        const crn_joint *joint = &model->joints[j];
        if (crn_is_plain_hinge(joint, model->dimension))
            add_hinge(assembly, in, joint, in->joint_impulse[j]);
        else if (joint->rows > 0)
            add_joint(assembly, in, j);
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

/* L of J = L L' and its inverse, both lower; the inertia of a body is positive definite. */
static void cholesky(const double J[9], double L[9], double inverse[9])
{
    const double xx = sqrt(fmax(J[0], DBL_MIN)), yx = J[3] / xx, zx = J[6] / xx;
    const double yy = sqrt(fmax(J[4] - yx * yx, DBL_MIN)), zy = (J[7] - zx * yx) / yy;
    const double zz = sqrt(fmax(J[8] - zx * zx - zy * zy, DBL_MIN));
    const double x = 1.0 / xx, y = 1.0 / yy, z = 1.0 / zz;
    memcpy(L, (const double[9]){xx, 0, 0, yx, yy, 0, zx, zy, zz}, sizeof(double[9]));
    memcpy(inverse, (const double[9]){x, 0, 0, -yx * x * y, y, 0, (yx * zy * y - zx) * x * z, -zy * y * z, z},
           sizeof(double[9]));
}

/* X = L S L' with a lower L. */
static void transform(const double L[9], const double S[9], double X[9])
{
    double LS[9];
    for (int k = 0; k < 3; ++k)
    {
        LS[k] = L[0] * S[k];
        LS[3 + k] = L[3] * S[k] + L[4] * S[3 + k];
        LS[6 + k] = L[6] * S[k] + L[7] * S[3 + k] + L[8] * S[6 + k];
    }
    for (int k = 0; k < 3; ++k)
    {
        X[3 * k] = LS[3 * k] * L[0];
        X[3 * k + 1] = LS[3 * k] * L[3] + LS[3 * k + 1] * L[4];
        X[3 * k + 2] = LS[3 * k] * L[6] + LS[3 * k + 1] * L[7] + LS[3 * k + 2] * L[8];
    }
}

/* out = the positive part of K - BOUND J in the metric of J; false: there is none. */
static bool find_excess(const double K[9], const double J[9], double out[9])
{
    double L[9], inverse[9], S[9], part[9];
    cholesky(J, L, inverse);
    transform(inverse, K, S);
    for (int i = 0; i < 3; ++i)
        S[4 * i] -= BOUND;
    if (!crn_positive_part(S, part))
        return false;
    transform(L, part, out);
    return true;
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
