/* The forces of the dynamics row  A v = p + ...  (paper 0, eq. 7, 32 and 33). */
#include "base/memory.h"
#include "formulate/assemble.h"
#include "formulate/springs.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

void crn_add_gravity(crn_assembly *assembly, const crn_input *in)
{
    const crn_layout *layout = in->layout;
    const double *g = layout->model->gravity;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        double m = layout->mass[layout->block_body[k]];
        double *p = assembly->problem.p + layout->block_start[k];
        for (int i = 0; i < layout->model->dimension; ++i)
        {
            p[i] += in->h * m * g[i];
        }
    }
}

/* ------------------------------------------------------------------------------------------- outer forces */

static void evaluate_force(const crn_force *force, const crn_input *in, double F[3], double T[3])
{
    cairn_body_state state;
    crn_layout_read_body(in->layout, force->body, in->q, in->v, &state);
    memset(F, 0, sizeof(double[3]));
    memset(T, 0, sizeof(double[3]));
    if (force->function)
    {
        force->function(force->data, in->t, &state, F, T);
    }
    double more_F[3] = {0}, more_T[3] = {0};
    for (int k = 0; k < 3; ++k)
    {
        more_F[k] = force->force[k] ? crn_expression_evaluate(force->force[k], &in->t) : 0.0;
        more_T[k] = force->torque[k] ? crn_expression_evaluate(force->torque[k], &in->t) : 0.0;
    }
    if (force->body_frame)
    {
        const double *R = in->frame->pose[force->body].R;
        crn_rotate3(R, more_F, more_F);
        crn_rotate3(R, more_T, more_T);
    }
    crn_add3(F, more_F, F);
    crn_add3(T, more_T, T);
}

cairn_status crn_add_forces(crn_assembly *assembly, const crn_input *in)
{
    const crn_layout *layout = in->layout;
    const cairn_model *model = layout->model;
    if (crn_reserve(&assembly->force_terms, &assembly->force_term_capacity, model->force_count, sizeof(crn_force_term)))
    {
        return CAIRN_NO_MEMORY;
    }
    for (int i = 0; i < (int)model->force_count; ++i)
    {
        const crn_force *force = &model->forces[i];
        const double *R = in->frame->pose[force->body].R;
        double F[3], T[3], arm[3], moment[3];
        evaluate_force(force, in, F, T);
        crn_rotate3(R, force->point, arm);
        crn_cross3(arm, F, moment);
        crn_add3(T, moment, T);
        crn_force_term *term = &assembly->force_terms[assembly->force_term_count++];
        term->force = i;
        term->body = force->body;
        memcpy(term->f, F, sizeof F);
        crn_unrotate3(R, T, term->f + 3);
        double row[6];
        int dofs = crn_pack(model, force->body, term->f, row);
        double *p = assembly->problem.p + layout->block_start[layout->body_block[force->body]];
        for (int k = 0; k < dofs; ++k)
        {
            p[k] += in->h * row[k];
        }
    }
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------- gyroscopic moment */

/* K_c(w) w2 = w2 x I w = -[I w]x w2 (paper 0, section 2.3.5): antisymmetric, so it never adds to the energy. Linear
 * velocities are in the world frame, which leaves only the angular part. */
void crn_add_gyroscopic(crn_assembly *assembly, const crn_input *in, bool implicit)
{
    const crn_layout *layout = in->layout;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        int start = layout->block_start[k];
        if (layout->block_start[k + 1] - start != 6)
        {
            continue;
        }
        const double *w = in->v + start + 3;
        double L[3];
        crn_rotate3(layout->inertia[layout->block_body[k]], w, L);
        if (!implicit)
        {
            double moment[3];
            crn_cross3(w, L, moment);
            double *p = assembly->problem.p + start + 3;
            crn_madd3(p, -in->h, moment, p);
            continue;
        }
        double *A = assembly->problem.A.value + layout->value_start[layout->diagonal[k]];
        double h = in->h;
        A[3 * 6 + 4] += h * L[2];
        A[3 * 6 + 5] -= h * L[1];
        A[4 * 6 + 3] -= h * L[2];
        A[4 * 6 + 5] += h * L[0];
        A[5 * 6 + 3] += h * L[1];
        A[5 * 6 + 4] -= h * L[0];
    }
}

/* ------------------------------------------------------------------------------------------------ springs */

/* A += coefficient * (gradient of side i) (gradient of side j)' */
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

/* p -= impulse * gradient, A += coefficient * gradient gradient' */
static void add_term(crn_assembly *assembly, const crn_layout *layout, const crn_spring_term *term, double impulse,
                     double coefficient)
{
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
            p[k] -= impulse * row[side][k];
        }
        double *A = assembly->problem.A.value + layout->value_start[layout->diagonal[block[side]]];
        add_outer(A, row[side], dofs[side], row[side], dofs[side], coefficient);
    }
    const int *entry = layout->coupling[term->spring];
    if (block[0] >= 0 && block[1] >= 0)
    {
        double *value = assembly->problem.A.value;
        add_outer(value + layout->value_start[entry[0]], row[0], dofs[0], row[1], dofs[1], coefficient);
        add_outer(value + layout->value_start[entry[1]], row[1], dofs[1], row[0], dofs[0], coefficient);
    }
}

cairn_status crn_add_springs(crn_assembly *assembly, const crn_input *in, bool implicit)
{
    const cairn_model *model = in->layout->model;
    double h = in->h;
    if (crn_reserve(&assembly->spring_terms, &assembly->spring_term_capacity, 3 * model->spring_count,
                    sizeof(crn_spring_term)))
    {
        return CAIRN_NO_MEMORY;
    }
    for (int s = 0; s < (int)model->spring_count; ++s)
    {
        const crn_spring *spring = &model->springs[s];
        double phi[3];
        crn_gradient gradient[3];
        int count = crn_spring_coordinates(model, in->frame, s, in->spring_angle[s], phi, gradient);
        for (int i = 0; i < count; ++i)
        {
            crn_spring_term *term = &assembly->spring_terms[assembly->spring_term_count++];
            *term = (crn_spring_term){s, implicit, spring->stiffness, spring->damping, phi[i], 0.0, gradient[i]};
            term->drive = crn_gradient_drive(in->frame, &term->gradient);
            double gamma = term->gamma, delta = term->delta;
            if (implicit) /* (32), (33): the rate is taken at the new velocity */
            {
                add_term(assembly, in->layout, term, h * (gamma * phi[i] + (h * gamma + delta) * term->drive),
                         h * h * gamma + h * delta);
            }
            else
            {
                double rate = crn_gradient_rate(in->layout, &term->gradient, in->v) + term->drive;
                add_term(assembly, in->layout, term, h * (gamma * phi[i] + delta * rate), 0.0);
            }
        }
    }
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------------- users' systems */

/* (10), (11): A = M - h k_v - h^2 k_q,  p = M v + h (k - k_v v) */
void crn_add_systems(crn_assembly *assembly, const crn_input *in, bool implicit)
{
    const crn_layout *layout = in->layout;
    for (int s = 0; s < (int)layout->model->system_count; ++s)
    {
        const cairn_system_options *o = &layout->model->systems[s].options;
        int block = layout->body_block_count + s;
        int n = o->n;
        size_t square = (size_t)n * (size_t)n * sizeof(double);
        const double *q = in->q + layout->q_start[block];
        const double *v = in->v + layout->block_start[block];
        double *p = assembly->problem.p + layout->block_start[block];
        double *A = assembly->problem.A.value + layout->value_start[layout->diagonal[block]];
        if (o->force)
        {
            double *k = assembly->k_q; /* large enough for a vector too */
            memset(k, 0, (size_t)n * sizeof(double));
            o->force(o->data, in->t, q, v, k);
            for (int i = 0; i < n; ++i)
            {
                p[i] += in->h * k[i];
            }
        }
        memset(assembly->k_q, 0, square);
        memset(assembly->k_v, 0, square);
        if (implicit && o->force_q)
        {
            o->force_q(o->data, in->t, q, v, assembly->k_q);
        }
        if (implicit && o->force_v)
        {
            o->force_v(o->data, in->t, q, v, assembly->k_v);
        }
        for (int i = 0; i < n; ++i)
        {
            for (int j = 0; j < n; ++j)
            {
                double k_v = assembly->k_v[i * n + j];
                A[i * n + j] -= in->h * k_v + in->h * in->h * assembly->k_q[i * n + j];
                p[i] -= in->h * k_v * v[j];
            }
        }
    }
}
