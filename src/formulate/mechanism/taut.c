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
#include <string.h>

/* h^2 K / J up to which the step follows: the scheme becomes unstable at 4. */
static const double BOUND = 2.0;
static const lanes ONE = {1.0, 1.0, 1.0, 1.0};

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
    K[0] += along - f[0] * r[0];
    K[1] -= xy;
    K[2] -= xz;
    K[3] -= xy;
    K[4] += along - f[1] * r[1];
    K[5] -= yz;
    K[6] -= xz;
    K[7] -= yz;
    K[8] += along - f[2] * r[2];
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

/* Where BOUND J - K is positive definite, by its minors. */
INLINE lane_bits can_follow(const lanes K[9], const lanes J[9])
{
    const lanes zero = {0.0};
    lanes M[9];
    UNROLL
    for (int i = 0; i < 9; ++i)
        M[i] = BOUND * J[i] - K[i];
    lanes minor = M[0] * M[4] - M[1] * M[3];
    return (M[0] > zero) & (minor > zero) & (positive_determinant(M) > zero);
}

INLINE lanes root_above_zero(lanes x)
{
    return lanes_root(lanes_choose(x > DBL_MIN * ONE, x, DBL_MIN * ONE));
}

/* L of J = L L' and its inverse, both lower; the inertia of a body is positive definite. */
INLINE void cholesky(const lanes J[9], lanes L[9], lanes inverse[9])
{
    lanes xx = root_above_zero(J[0]), yx = J[3] / xx, zx = J[6] / xx;
    lanes yy = root_above_zero(J[4] - yx * yx), zy = (J[7] - zx * yx) / yy;
    lanes zz = root_above_zero(J[8] - zx * zx - zy * zy);
    lanes x = ONE / xx, y = ONE / yy, z = ONE / zz;
    L[0] = xx;
    L[3] = yx;
    L[4] = yy;
    L[6] = zx;
    L[7] = zy;
    L[8] = zz;
    inverse[0] = x;
    inverse[3] = -yx * x * y;
    inverse[4] = y;
    inverse[6] = (yx * zy * y - zx) * x * z;
    inverse[7] = -zy * y * z;
    inverse[8] = z;
}

/* X = L S L' with a lower L. */
INLINE void transform(const lanes L[9], const lanes S[9], lanes X[9])
{
    lanes LS[9];
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        LS[k] = L[0] * S[k];
        LS[3 + k] = L[3] * S[k] + L[4] * S[3 + k];
        LS[6 + k] = L[6] * S[k] + L[7] * S[3 + k] + L[8] * S[6 + k];
    }
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        X[3 * k] = LS[3 * k] * L[0];
        X[3 * k + 1] = LS[3 * k] * L[3] + LS[3 * k + 1] * L[4];
        X[3 * k + 2] = LS[3 * k] * L[6] + LS[3 * k + 1] * L[7] + LS[3 * k + 2] * L[8];
    }
}

/* out = the positive part of K - BOUND J in the metric of J. Returns the lanes that have one. */
INLINE lane_bits find_excess(const lanes K[9], const lanes J[9], lanes out[9])
{
    lanes L[9], inverse[9], S[9], part[9];
    cholesky(J, L, inverse);
    transform(inverse, K, S);
    UNROLL
    for (int i = 0; i < 3; ++i)
        S[4 * i] -= BOUND;
    lane_bits some = crn_positive_parts(S, part);
    transform(L, part, out);
    return some;
}

/* Four matrices, whose numbers become lanes. */
INLINE void read_four(const double *const from[LANES], lanes out[12])
{
    UNROLL
    for (int part = 0; part < 2; ++part)
    {
        UNROLL
        for (int l = 0; l < LANES; ++l)
            out[LANES * part + l] = *(const loose_lanes *)(from[l] + LANES * part);
        lanes_transpose(out + LANES * part);
    }
    out[8] = (lanes){from[0][8], from[1][8], from[2][8], from[3][8]};
}

/* What four bodies add, whose h^2 K and inertia are known; one bit for each that adds anything. */
INLINE int find_four(const double *const K[LANES], const double *const J[LANES], double excess[LANES][12])
{
    lanes stiffness[12], inertia[12], sum[12] = {{0.0}};
    int bits = 0;
    read_four(K, stiffness);
    read_four(J, inertia);
    lane_bits taut = ~can_follow(stiffness, inertia);
    if ((taut[0] | taut[1] | taut[2] | taut[3]) == 0)
        return 0;
    taut &= find_excess(stiffness, inertia, sum);
    UNROLL
    for (int part = 0; part < 3; ++part)
    {
        lanes_transpose(sum + LANES * part);
        UNROLL
        for (int l = 0; l < LANES; ++l)
            *(loose_lanes *)(excess[l] + LANES * part) = sum[LANES * part + l];
    }
    UNROLL
    for (int l = 0; l < LANES; ++l)
        bits |= taut[l] ? 1 << l : 0;
    return bits;
}

static int plain_four(const double *const K[LANES], const double *const J[LANES], double excess[LANES][12])
{
    return find_four(K, J, excess);
}

WIDE static int wide_four(const double *const K[LANES], const double *const J[LANES], double excess[LANES][12])
{
    return find_four(K, J, excess);
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

/* The terms of up to four bodies in space. */
static void add_four(crn_assembly *assembly, const crn_input *in, int count, const int block[LANES])
{
    crn_matrix3 inertia[LANES];
    const double *K[LANES], *J[LANES];
    double excess[LANES][12];
    for (int l = 0; l < LANES; ++l)
    {
        int own = block[l < count ? l : count - 1]; /* lanes past the last body repeat it */
        inertia[l] = crn_inertia_of(&in->layout->inertia, in->layout->block_body[own]);
        K[l] = assembly->stiffness[own];
        J[l] = inertia[l].m;
    }
    int bits = HAS_WIDE ? wide_four(K, J, excess) : plain_four(K, J, excess);
    for (int l = 0; l < count; ++l)
        if (bits >> l & 1)
            add_term(assembly, in, block[l], excess[l]);
}

/* The term of a body in the plane. */
static void add_planar(crn_assembly *assembly, const crn_input *in, int block)
{
    const crn_matrix3 inertia = crn_inertia_of(&in->layout->inertia, in->layout->block_body[block]);
    double excess[9] = {0.0};
    excess[8] = assembly->stiffness[block][8] - BOUND * inertia.m[8];
    if (excess[8] > 0.0)
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
    int four[LANES], count = 0;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        if (!turns(layout, k))
            continue;
        if (layout->model->dimension == 2)
            add_planar(assembly, in, k);
        else
            four[count++] = k;
        if (count == LANES)
            add_four(assembly, in, count, four);
        count %= LANES;
    }
    if (count > 0)
        add_four(assembly, in, count, four);
    return CAIRN_OK;
}
