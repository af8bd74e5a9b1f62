/* The forces of the dynamics row  A v = p + ...  (Anitescu & Potra 2002, eq. 7, 32 and 33). */
#include "formulate/assemble.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void crn_add_gravity(crn_assembly *assembly, const crn_input *in)
{
    const crn_layout *layout = in->layout;
    const double *g = in->gravity;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        if (crn_is_absent(layout, layout->block_body[k]))
            continue;
        double m = layout->mass[layout->block_body[k]];
        double *p = assembly->problem.p + layout->block_start[k];
        for (int i = 0; i < layout->model->dimension; ++i)
            p[i] += in->h * m * g[i];
    }
}

/* ------------------------------------------------------------------------------------- gyroscopic moment */

/* out += factor [a]x  (3x3) */
static inline void add_skew(const double a[3], double factor, double out[9])
{
    out[1] -= factor * a[2];
    out[2] += factor * a[1];
    out[3] += factor * a[2];
    out[5] -= factor * a[0];
    out[6] -= factor * a[1];
    out[7] += factor * a[0];
}

/* The moment is -w x I w. With w^ the velocity at the evaluation point:
 *
 *     implicit      -h K_c(w^) w+,  K_c(w^) = -[I w^]x  antisymmetric (Anitescu & Potra 2002, section 2.3.5): no energy, any h
 *     trapezoidal   -h/2 (w x I w+ + w+ x I w): the symmetric bilinear form, second order; not antisymmetric, so A is
 *                   definite only while h |w| is moderate
 */
void crn_gyro_make(const double I[9], const double w[3], double h, crn_treatment treatment, crn_gyro_term *term)
{
    double L[3];
    crn_rotate3(I, w, L);
    *term = (crn_gyro_term){.block = term->block, .numerical = false};
    if (treatment == CRN_EXPLICIT)
    {
        double moment[3];
        crn_cross3(w, L, moment);
        crn_madd3(term->constant, -h, moment, term->constant);
        return;
    }
    double share = treatment == CRN_TRAPEZOIDAL ? 0.5 : 1.0;
    add_skew(L, -share * h, term->K);
    if (treatment == CRN_TRAPEZOIDAL)
    {
        double skew[9] = {0}, product[9];
        add_skew(w, 0.5 * h, skew);
        crn_multiply33(skew, I, product);
        for (int k = 0; k < 9; ++k)
            term->K[k] += product[k];
    }
}

void crn_gyro_impulse(const crn_layout *layout, const crn_gyro_term *term, const double *v, double impulse[3])
{
    const double *w = v + layout->block_start[term->block] + 3, planar[3] = {0.0, 0.0, w[-1]};
    crn_rotate3(term->K, layout->model->dimension == 2 ? planar : w, impulse);
    crn_sub3(term->constant, impulse, impulse);
}

/* A += K, 3 x 3, within 6 columns. */
static inline void add_turns(const double K[9], double *A)
{
    for (int i = 0; i < 3; ++i)
    {
        A[6 * i] += K[3 * i];
        A[6 * i + 1] += K[3 * i + 1];
        A[6 * i + 2] += K[3 * i + 2];
    }
}

cairn_status crn_add_gyroscopic(crn_assembly *assembly, const crn_input *in, crn_treatment treatment)
{
    assert(assembly->gyro_term_count == 0);
    const crn_layout *layout = in->layout;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->gyro_terms, layout->gyroscopic)));
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        int start = layout->block_start[k];
        if (layout->block_start[k + 1] - start != 6 || crn_inertia_is_number(&layout->inertia, layout->block_body[k]))
            continue;
        const crn_matrix3 inertia = crn_inertia_of(&layout->inertia, layout->block_body[k]);
        const double *I = inertia.m;
        if (crn_is_isotropic(I))
            continue;
        crn_gyro_term *term = &assembly->gyro_terms[assembly->gyro_term_count++];
        term->block = k;
        crn_gyro_make(I, in->v_at + start + 3, in->h, treatment, term);
        double *A = assembly->problem.A.value + layout->value_start[layout->diagonal[k]];
        double *p = assembly->problem.p + start + 3;
        add_turns(term->K, A + 21);
        crn_add3(p, term->constant, p);
    }
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------------- users' systems */

/* p += factor * k(t, q, v) */
static void add_system_force(crn_assembly *assembly, const cairn_system_options *o, double t, const double *q,
                             const double *v, double factor, double *p)
{
    double *k = assembly->k_q; /* scratch, large enough for a vector too */
    if (!o->force)
        return;
    memset(k, 0, (size_t)o->n * sizeof(double));
    o->force(o->data, t, q, v, k);
    for (int i = 0; i < o->n; ++i)
        p[i] += factor * k[i];
}

/* With J_q = k_q and J_v = k_v at the evaluation point (q^, v^), q^ = q_b + h ahead:
 *     implicit      k(q^, v^) + J_q (h v+ - h ahead) + J_v (v+ - v^)            (10), (11)
 *     trapezoidal   1/2 (k(start) + k(end)) + h/4 J_q (v+ - v) + 1/2 J_v (v+ - v)   (Potra et al. 2006, eq. 6.9)
 * each times h. The coefficients of v+ go into A. */
static void add_system(crn_assembly *assembly, const crn_input *in, int s, crn_treatment treatment)
{
    assert(treatment != CRN_TRAPEZOIDAL || (in->q_start && in->q_end));
    assert(s >= 0 && (size_t)s < in->layout->model->system_count);
    const crn_layout *layout = in->layout;
    const cairn_system_options *o = &layout->model->systems[s].options;
    int block = layout->body_block_count + s;
    int n = o->n;
    size_t square = (size_t)n * (size_t)n * sizeof(double);
    const double *q = in->q + layout->q_start[block];
    const double *v_at = in->v_at + layout->block_start[block];
    double *p = assembly->problem.p + layout->block_start[block];
    double *A = assembly->problem.A.value + layout->value_start[layout->diagonal[block]];
    double h = in->h;
    bool trapezoidal = treatment == CRN_TRAPEZOIDAL;
    if (trapezoidal)
    {
        q = in->q_start + layout->q_start[block];
        add_system_force(assembly, o, in->t_start, q, v_at, 0.5 * h, p);
        add_system_force(assembly, o, in->t_end, in->q_end + layout->q_start[block], v_at, 0.5 * h, p);
    }
    else
    {
        add_system_force(assembly, o, in->t, q, v_at, h, p);
    }
    if (treatment == CRN_EXPLICIT)
        return;
    memset(assembly->k_q, 0, square);
    memset(assembly->k_v, 0, square);
    double t = trapezoidal ? in->t_end : in->t;
    if (o->force_q)
        o->force_q(o->data, t, q, v_at, assembly->k_q);
    if (o->force_v)
        o->force_v(o->data, t, q, v_at, assembly->k_v);
    double c_q = trapezoidal ? 0.25 * h * h : h * h;
    double c_v = trapezoidal ? 0.5 * h : h;
    const double *ahead = in->ahead ? in->ahead + layout->block_start[block] : NULL;
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j < n; ++j)
        {
            double J_q = c_q * assembly->k_q[i * n + j];
            double J_v = c_v * assembly->k_v[i * n + j];
            A[i * n + j] -= J_q + J_v;
            p[i] -= J_v * v_at[j];
            p[i] -= J_q * (trapezoidal ? v_at[j] : ahead ? ahead[j] : 0.0);
        }
    }
}

void crn_add_systems(crn_assembly *assembly, const crn_input *in, crn_treatment treatment)
{
    for (int s = 0; s < (int)in->layout->model->system_count; ++s)
        add_system(assembly, in, s, treatment);
}
