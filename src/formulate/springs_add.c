/* Springs and dampers in the dynamics row: impulses  -(a + b g'v+) g  (Anitescu & Potra 2002, eq. 32-33;
 * Potra et al. 2006, eq. 6.9).
 *
 * Springs of any stiffness. In directions where the spring does not act, the solution of (M + b g g') v = ... has a relative
 * error of eps b g'M^-1 g, so no digits are left at 1e16. Therefore, if b g'M^-1 g exceeds a thousand, where the error is
 * 2e-13, the impulse c along g becomes an unknown of its own:
 *
 *     c = -(a + b g'v+)     <=>     g'v+ + (1/b) c = -a/b ,
 *
 * This is a joint row with the compliance 1/b, and adds nothing to A. The equations are the same, and the stiffer the spring,
 * the closer the row is to a rigid joint. With a = h gamma phi + b drive and b = h (h gamma + delta) the right-hand side is
 * -gamma phi / (h gamma + delta) - drive. The elastic part of c is  -h gamma (phi + h rate+) = share (c - lag), where
 * share = h gamma / (h gamma + delta) and lag = delta phi. No large numbers are subtracted anywhere.
 */
#include "formulate/assemble.h"
#include "formulate/springs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* block += coefficient * g_i g_j' */
static void add_outer(double *block, const double *g_i, int rows, const double *g_j, int columns, double coefficient)
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            block[i * columns + j] += coefficient * g_i[i] * g_j[j];
}

/* p -= a g, A += b g g' */
static void add_term(crn_assembly *assembly, const crn_layout *layout, const crn_spring_term *term)
{
    assert(term->elastic_b >= 0);
    assert(term->damping_b >= 0);
    double a = term->elastic_a + term->damping_a;
    double b = term->elastic_b + term->damping_b;
    double row[2][6];
    int block[2] = {-1, -1};
    int dofs[2] = {0, 0};
    for (int side = 0; side < 2; ++side)
    {
        int body = term->gradient.body[side];
        if (body < 0 || layout->body_block[body] < 0)
            continue;
        block[side] = layout->body_block[body];
        dofs[side] = crn_pack(layout->model, body, term->gradient.g[side], row[side]);
        double *p = assembly->problem.p + layout->block_start[block[side]];
        for (int k = 0; k < dofs[side]; ++k)
            p[k] -= a * row[side][k];
        double *A = assembly->problem.A.value + layout->value_start[layout->diagonal[block[side]]];
        add_outer(A, row[side], dofs[side], row[side], dofs[side], b);
    }
    const int *entry = layout->coupling[term->spring];
    if (block[0] >= 0 && block[1] >= 0)
    {
        double *value = assembly->problem.A.value;
        add_outer(value + layout->value_start[entry[0]], row[0], dofs[0], row[1], dofs[1], b);
        add_outer(value + layout->value_start[entry[1]], row[1], dofs[1], row[0], dofs[0], b);
    }
}

/* --------------------------------------------------------------------------------------- springs as rows */

static const double DOMINANT = 1e3;

/* x'I^-1 x of a symmetric positive definite I, by Cholesky's method. */
static double inverse_product(const double I[9], const double x[3])
{
    assert(I[0] > 0);
    assert(I[4] > 0);
    assert(I[8] > 0);
    double a = sqrt(I[0]), b = I[3] / a, c = I[6] / a;
    double d = sqrt(I[4] - b * b), e = (I[7] - b * c) / d, f = sqrt(I[8] - c * c - e * e);
    double y[3] = {x[0] / a};
    y[1] = (x[1] - b * y[0]) / d;
    y[2] = (x[2] - c * y[0] - e * y[1]) / f;
    return y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
}

/* g'M^-1 g */
static double mobility(const crn_layout *layout, const crn_gradient *gradient)
{
    int dim = layout->model->dimension;
    double sum = 0;
    for (int side = 0; side < 2; ++side)
    {
        int body = gradient->body[side];
        if (body < 0 || layout->body_block[body] < 0)
            continue;
        double row[6];
        int dofs = crn_pack(layout->model, body, gradient->g[side], row);
        for (int k = 0; k < dim; ++k)
            sum += row[k] * row[k] / layout->mass[body];
        sum += dofs == 6               ? inverse_product(crn_inertia_of(&layout->inertia, body).m, row + 3)
               : dofs == 3 && dim == 2 ? row[2] * row[2] / crn_inertia_about_z(&layout->inertia, body)
                                       : 0.0;
    }
    return sum;
}

cairn_status crn_add_spring_rows(crn_assembly *assembly, const crn_input *in)
{
    assembly->spring_item = assembly->G.rows.item_count;
    for (size_t i = 0; i < assembly->spring_term_count; ++i)
    {
        crn_spring_term *term = &assembly->spring_terms[i];
        const crn_spring *spring = &in->layout->model->springs[term->spring];
        if (!term->as_row)
            continue;
        double stiff = in->h * spring->stiffness + spring->damping;
        double rhs = -spring->stiffness / stiff * term->target_phi - term->drive;
        CRN_TRY(crn_add_equation(assembly, in, &term->gradient, rhs));
        term->row = assembly->problem.joint_rows - 1;
        assembly->problem.R_c[term->row] = 1 / stiff / in->h;
        term->share = in->h * spring->stiffness / stiff;
        term->lag = spring->damping * term->target_phi;
    }
    return CAIRN_OK;
}

void crn_spring_impulse(const crn_spring_term *term, const crn_layout *layout, const cairn_solution *solution,
                        double *elastic, double *damping)
{
    assert(term->row < solution->joint_rows);
    assert(term->as_row == (term->row >= 0));
    if (term->row >= 0)
    {
        double c = solution->c[term->row];
        *elastic = term->share * (c - term->lag);
        *damping = c - *elastic;
        return;
    }
    double rate = crn_gradient_rate(layout, &term->gradient, solution->v);
    *elastic = -(term->elastic_a + term->elastic_b * rate);
    *damping = -(term->damping_a + term->damping_b * rate);
}

/* --------------------------------------------------------------------------------------- springs in A and p */

static crn_spring_term *push(crn_assembly *assembly, const crn_frame *frame, int spring, double phi,
                             const crn_gradient *gradient)
{
    assert(assembly->spring_term_count < 6 * (size_t)(spring + 1));
    crn_spring_term *term = &assembly->spring_terms[assembly->spring_term_count++];
    memset(term, 0, sizeof *term);
    term->spring = spring;
    term->row = -1;
    term->target_phi = phi;
    term->gradient = *gradient;
    term->drive = crn_gradient_drive(frame, gradient);
    return term;
}

/* Force at the evaluation point: gamma phi + delta rate. */
static void add_explicit(crn_assembly *assembly, const crn_input *in, int s, double phi, const crn_gradient *gradient)
{
    const crn_spring *spring = &in->layout->model->springs[s];
    crn_spring_term *term = push(assembly, in->frame, s, phi, gradient);
    double rate = crn_gradient_rate(in->layout, gradient, in->v_at) + term->drive;
    term->elastic_a = in->h * spring->stiffness * phi;
    term->damping_a = in->h * spring->damping * rate;
    add_term(assembly, in->layout, term);
}

/* (32), (33): gamma (phi_b + h rate+) + delta rate+, where phi_b is the stretch at the base: phi minus its change along
 * `ahead`. */
static void add_implicit(crn_assembly *assembly, const crn_input *in, int s, double phi, const crn_gradient *gradient)
{
    const crn_spring *spring = &in->layout->model->springs[s];
    double h = in->h, gamma = spring->stiffness, delta = spring->damping;
    crn_spring_term *term = push(assembly, in->frame, s, phi, gradient);
    if (in->ahead)
        term->target_phi -= h * (crn_gradient_rate(in->layout, gradient, in->ahead) + term->drive);
    double b = h * (h * gamma + delta);
    term->as_row = b > 0 && !(b * mobility(in->layout, gradient) <= DOMINANT);
    if (term->as_row)
        return;
    term->elastic_a = h * gamma * (term->target_phi + h * term->drive);
    term->elastic_b = h * h * gamma;
    term->damping_a = h * delta * term->drive;
    term->damping_b = h * delta;
    add_term(assembly, in->layout, term);
}

/* Half the force at the start plus half at the predicted end, with h/2 delta + h^2/4 gamma times g'(v+ - v) at the
 * start's gradient. If settings.jacobian is linear, the end is the linearisation about the start (Potra et al. 2006,
 * eq. 10.13-10.14). */
static void add_trapezoidal(crn_assembly *assembly, const crn_input *in, int s, const double start[3],
                            const crn_gradient g_start[3], int count)
{
    const cairn_model *model = in->layout->model;
    const crn_spring *spring = &model->springs[s];
    double h = in->h, gamma = spring->stiffness, delta = spring->damping;
    double end[3];
    crn_gradient g_end[3];
    crn_spring_coordinates(model, in->frame_end, s, in->spring_angle[s], end, g_end);
    for (int i = 0; i < count; ++i)
    {
        crn_spring_term *term = push(assembly, in->frame_start, s, start[i], &g_start[i]);
        double rate = crn_gradient_rate(in->layout, &g_start[i], in->v_at);
        term->elastic_b = 0.25 * h * h * gamma;
        term->damping_b = 0.5 * h * delta;
        term->elastic_a = 0.5 * h * gamma * start[i] - term->elastic_b * rate;
        term->damping_a = 0.5 * h * delta * (rate + term->drive) - term->damping_b * rate;
        add_term(assembly, in->layout, term);
        bool linear = in->settings->jacobian == CAIRN_JACOBIAN_LINEAR;
        const crn_gradient *g = linear ? &g_start[i] : &g_end[i];
        double phi = linear ? start[i] + h * (rate + term->drive) : end[i];
        term = push(assembly, in->frame_end, s, phi, g);
        rate = crn_gradient_rate(in->layout, g, in->v_at);
        term->elastic_a = 0.5 * h * gamma * phi;
        term->damping_a = 0.5 * h * delta * (rate + term->drive);
        add_term(assembly, in->layout, term);
    }
}

cairn_status crn_add_springs(crn_assembly *assembly, const crn_input *in, crn_treatment treatment)
{
    assert(assembly->spring_term_count == 0);
    const cairn_model *model = in->layout->model;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->spring_terms, 6 * model->spring_count)));
    const crn_frame *frame = treatment == CRN_TRAPEZOIDAL ? in->frame_start : in->frame;
    for (int s = 0; s < (int)model->spring_count; ++s)
    {
        double phi[3];
        crn_gradient gradient[3];
        int count = crn_spring_coordinates(model, frame, s, in->spring_angle[s], phi, gradient);
        if (treatment == CRN_TRAPEZOIDAL)
        {
            add_trapezoidal(assembly, in, s, phi, gradient, count);
            continue;
        }
        for (int i = 0; i < count; ++i)
            if (treatment == CRN_EXPLICIT)
                add_explicit(assembly, in, s, phi[i], &gradient[i]);
            else
                add_implicit(assembly, in, s, phi[i], &gradient[i]);
    }
    return CAIRN_OK;
}
