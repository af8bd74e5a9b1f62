/* Applied forces k1(t, q, v) of the dynamics row  A v = p + ...
 *
 * A force is the sum of its components f_i along directions g_i of its body. With their derivatives by the velocity and the position of
 * that body, v and q, the scheme takes it at the end of the step, or the stage, from an evaluation point that is ahead of the base by h a:
 *
 *     h f+ = h f - J_v (v+ - v_at) - J_q (v+ - a),     J_v = -h sum g_i (df_i/dv)',     J_q = -h^2 sum g_i (df_i/dq)' .
 *
 * (Potra et al. 2006, eq. 6.9: the trapezoidal schemes have h/2, h^2/4, and v for a.) Only what keeps A = M + J_v + J_q positive
 * definite for every h is taken so (force_slopes.c). What is left out is explicit, as the derivatives by other bodies are, those by
 * the way the point and the body's frame turn, and under euler all of them. Whatever J is, the scheme keeps its order
 * (docs/state-forces.md).
 */
#include "formulate/drag_spring.h"
#include "formulate/force_slopes.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Force and torque (about the centre of mass; world and body frame) at a place. */
static void evaluate_force(const crn_force *force, const crn_layout *layout, const crn_force_place *at,
                           const crn_force_state *s, double out[6])
{
    cairn_body_state state;
    crn_layout_read_body(layout, force->body, at->q, at->v, &state);
    double F[3] = {0}, T[3] = {0}, more_F[3], more_T[3], arm[3], moment[3];
    if (force->function)
        force->function(force->data, at->t, &state, F, T);
    for (int k = 0; k < 3; ++k)
    {
        more_F[k] = force->force[k] ? crn_expression_evaluate(force->force[k], s->values) : 0.0;
        more_T[k] = force->torque[k] ? crn_expression_evaluate(force->torque[k], s->values) : 0.0;
    }
    const double *R = at->frame->pose[force->body].R;
    if (force->body_frame)
    {
        crn_rotate3(R, more_F, more_F);
        crn_rotate3(R, more_T, more_T);
    }
    crn_add3(F, more_F, out);
    crn_rotate3(R, force->point, arm);
    crn_cross3(arm, out, moment);
    crn_add3(T, more_T, T);
    crn_add3(T, moment, T);
    crn_unrotate3(R, T, out + 3);
}

/* The place of a body's unknown i among its six coordinates. */
static int coordinate_of(const cairn_model *model, int i)
{
    return model->dimension == 2 && i == 2 ? 5 : i;
}

/* y += J x, x and y over the unknowns of a body. */
static void add_times(const crn_layout *layout, int body, crn_matrix6 J, const double *x, double y[6])
{
    int block = layout->body_block[body], dofs = layout->block_start[block + 1] - layout->block_start[block];
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < dofs; ++k)
            y[i] += J[i][coordinate_of(layout->model, k)] * x[layout->block_start[block] + k];
}

void crn_force_impulse(const crn_force_term *term, const crn_layout *layout, const double *v, double out[6])
{
    int block = layout->body_block[term->body], dofs = layout->block_start[block + 1] - layout->block_start[block];
    memcpy(out, term->impulse, sizeof term->impulse);
    for (int i = 0; term->is_implicit && i < 6; ++i)
        for (int k = 0; k < dofs; ++k)
            out[i] -= term->J[i][coordinate_of(layout->model, k)] * v[layout->block_start[block] + k];
}

/* The impulse of a force over the step, recorded to compute its work. */
static crn_force_term *add_force(crn_assembly *assembly, const crn_input *in, int force, int body, const double f[6])
{
    assert(body >= 0);
    assert(in->layout->body_block[body] >= 0);
    assert(force < (int)in->layout->model->force_count);
    crn_force_term *term = &assembly->force_terms[assembly->force_term_count++];
    term->force = force;
    term->body = body;
    term->is_implicit = false;
    for (int k = 0; k < 6; ++k)
        term->impulse[k] = in->h * f[k];
    return term;
}

/* p += the known part of the impulse, A += J. */
static void enter(crn_assembly *assembly, const crn_input *in, crn_force_term *term)
{
    const crn_layout *layout = in->layout;
    int block = layout->body_block[term->body];
    double row[6],
        *A = assembly->rowless ? NULL : assembly->problem.A.value + layout->value_start[layout->diagonal[block]];
    int dofs = crn_pack(layout->model, term->body, term->impulse, row);
    double *p = assembly->problem.p + layout->block_start[block];
    for (int k = 0; k < dofs; ++k)
        p[k] += row[k];
    for (int i = 0; term->is_implicit && !assembly->rowless && i < dofs * dofs; ++i)
        A[i] += term->J[coordinate_of(layout->model, i / dofs)][coordinate_of(layout->model, i % dofs)];
}

/* Leave out what couples translation and rotation: of a J without negative eigenvalues, blocks without them are left. */
static void split(crn_matrix6 J)
{
    for (int i = 0; i < 9; ++i)
        J[i / 3][3 + i % 3] = J[3 + i / 3][i % 3] = 0.0;
}

static void add_implicit(const crn_input *in, const crn_force *force, const crn_force_place *at,
                         const crn_force_state *s, crn_treatment treatment, crn_force_term *term)
{
    crn_matrix6 J[2];
    if (treatment == CRN_EXPLICIT || (force->references.count == 0 && !force->slopes))
        return;
    if (!crn_force_linearise(force, in->layout, at, s, in->h, treatment, J))
        return;
    for (int which = 0; which < 2 && in->splits_forces; ++which)
        split(J[which]);
    const double *ahead = treatment == CRN_TRAPEZOIDAL ? in->v_at : in->ahead;
    add_times(in->layout, term->body, J[0], in->v_at, term->impulse);
    if (ahead)
        add_times(in->layout, term->body, J[1], ahead, term->impulse);
    term->is_implicit = true;
    for (int i = 0; i < 36; ++i)
        term->J[i / 6][i % 6] = J[0][i / 6][i % 6] + J[1][i / 6][i % 6];
}

/* Whether a force has a value, and which of its expressions has none. */
static void check(crn_assembly *assembly, int index, const crn_force *force, const crn_force_state *s, double f[6])
{
    bool finite = true;
    for (int k = 0; k < 6; ++k)
        finite = finite && isfinite(f[k]);
    if (finite)
        return;
    assembly->fault = (crn_fault){.is_force = true, .index = index, .part = -1};
    for (int i = 0; i < 6; ++i)
        if (crn_force_expression(force, i) &&
            !isfinite(crn_expression_evaluate(crn_force_expression(force, i), s->values)))
            assembly->fault.part = i;
}

cairn_status crn_add_forces(crn_assembly *assembly, const crn_input *in, crn_treatment treatment)
{
    assert(assembly->force_term_count == 0);
    assert(treatment != CRN_TRAPEZOIDAL || (in->frame_start && in->frame_end));
    const crn_layout *layout = in->layout;
    const cairn_model *model = layout->model;
    bool trapezoidal = treatment == CRN_TRAPEZOIDAL;
    const crn_force_place ends[2] = {{trapezoidal ? in->frame_start : in->frame, trapezoidal ? in->q_start : in->q,
                                      in->v_at, trapezoidal ? in->t_start : in->t},
                                     {in->frame_end, in->q_end, in->v_at, in->t_end}};
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->force_terms, model->force_count + 1)));
    for (int i = 0; i < (int)model->force_count; ++i)
    {
        const crn_force *force = &model->forces[i];
        double f[2][6];
        crn_force_state s;
        for (int end = trapezoidal ? 1 : 0; end >= 0; --end) /* the start last, whose derivatives count */
        {
            crn_references_read(ends[end].frame, &force->references, ends[end].t, s.values, s.rates, s.readings);
            evaluate_force(force, layout, &ends[end], &s, f[end]);
            check(assembly, i, force, &s, f[end]);
        }
        for (int k = 0; k < 6; ++k)
            f[0][k] = 0.5 * f[0][k] + 0.5 * f[trapezoidal ? 1 : 0][k];
        crn_force_term *term = add_force(assembly, in, i, force->body, f[0]);
        add_implicit(in, force, &ends[0], &s, treatment, term);
        enter(assembly, in, term);
    }
    if (in->pull)
    {
        double f[6];
        crn_drag_spring_force(in->pull, in, f);
        enter(assembly, in, add_force(assembly, in, -1, in->pull->body, f));
    }
    return CAIRN_OK;
}
