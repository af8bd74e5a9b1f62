/* Springs and dampers in the dynamics row: impulses  -(a + b g'v+) g  (paper 0, eq. 32-33; paper 1, eq. 6.9). */
#include "base/memory.h"
#include "formulate/assemble.h"
#include "formulate/springs.h"

#include <string.h>

/* block += coefficient * g_i g_j' */
static void add_outer(double *block, const double *g_i, int rows, const double *g_j, int columns, double coefficient)
{
    for (int i = 0; i < rows; ++i)
    {
        for (int j = 0; j < columns; ++j)
        {
            block[i * columns + j] += coefficient * g_i[i] * g_j[j];
        }
    }
}

/* p -= a g, A += b g g' */
static void add_term(crn_assembly *assembly, const crn_layout *layout, const crn_spring_term *term)
{
    double a = term->elastic_a + term->damping_a;
    double b = term->elastic_b + term->damping_b;
    double row[2][6];
    int block[2] = {-1, -1};
    int dofs[2] = {0, 0};
    for (int side = 0; side < 2; ++side)
    {
        int body = term->gradient.body[side];
        if (body < 0 || layout->body_block[body] < 0)
        {
            continue;
        }
        block[side] = layout->body_block[body];
        dofs[side] = crn_pack(layout->model, body, term->gradient.g[side], row[side]);
        double *p = assembly->problem.p + layout->block_start[block[side]];
        for (int k = 0; k < dofs[side]; ++k)
        {
            p[k] -= a * row[side][k];
        }
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

static crn_spring_term *push(crn_assembly *assembly, const crn_frame *frame, int spring, double phi,
                             const crn_gradient *gradient)
{
    crn_spring_term *term = &assembly->spring_terms[assembly->spring_term_count++];
    memset(term, 0, sizeof *term);
    term->spring = spring;
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

/* (32), (33): gamma (phi_b + h rate+) + delta rate+, phi_b the stretch at the base: phi less what `ahead` has moved it. */
static void add_implicit(crn_assembly *assembly, const crn_input *in, int s, double phi, const crn_gradient *gradient)
{
    const crn_spring *spring = &in->layout->model->springs[s];
    double h = in->h, gamma = spring->stiffness, delta = spring->damping;
    crn_spring_term *term = push(assembly, in->frame, s, phi, gradient);
    if (in->ahead)
    {
        term->target_phi -= h * (crn_gradient_rate(in->layout, gradient, in->ahead) + term->drive);
    }
    term->elastic_a = h * gamma * (term->target_phi + h * term->drive);
    term->elastic_b = h * h * gamma;
    term->damping_a = h * delta * term->drive;
    term->damping_b = h * delta;
    add_term(assembly, in->layout, term);
}

/* Half the force at the start and half at the predicted end, with h/2 delta + h^2/4 gamma times g'(v+ - v) at the start's
 * gradient. With settings.jacobian linear the end is the start's linearisation (paper 1, eq. 10.13-10.14). */
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
    const cairn_model *model = in->layout->model;
    if (crn_reserve(&assembly->spring_terms, &assembly->spring_term_capacity, 6 * model->spring_count,
                    sizeof(crn_spring_term)))
    {
        return CAIRN_NO_MEMORY;
    }
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
        {
            if (treatment == CRN_EXPLICIT)
            {
                add_explicit(assembly, in, s, phi[i], &gradient[i]);
            }
            else
            {
                add_implicit(assembly, in, s, phi[i], &gradient[i]);
            }
        }
    }
    return CAIRN_OK;
}
