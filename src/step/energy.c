/* The energy account.
 *
 * A step changes the velocity by impulses: M (v+ - v) = sum J. With the mean velocity vm = (v + v+)/2 the kinetic energy
 * changes by exactly sum J'vm, so J'vm is the work of J and the account of the kinetic energy closes to rounding. What a
 * conservative force did beyond minus the change of its potential is the loss of the scheme ("integration").
 */
#include "formulate/springs.h"
#include "math/vec.h"
#include "step/simulation.h"

#include <math.h>

double crn_kinetic(cairn_simulation *s)
{
    const crn_layout *layout = s->layout;
    crn_evaluate_masses(&s->assembly, layout, s->q);
    crn_mass_times(&s->assembly, layout, s->v, s->displacement);
    double twice = 0;
    for (int i = 0; i < layout->block_start[layout->block_count]; ++i)
    {
        twice += s->v[i] * s->displacement[i];
    }
    return 0.5 * twice;
}

crn_potentials crn_potentials_at(const cairn_simulation *s, const crn_frame *frame, const double *q)
{
    const crn_layout *layout = s->layout;
    crn_potentials sum = {0, 0, 0};
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        int body = layout->block_body[k];
        sum.gravity -= layout->mass[body] * crn_dot3(s->model->gravity, frame->pose[body].x);
    }
    for (int i = 0; i < (int)s->model->spring_count; ++i)
    {
        double stretch = crn_spring_stretch(s->model, frame, i, s->spring_angle[i]);
        sum.elastic += 0.5 * s->model->springs[i].stiffness * stretch * stretch;
    }
    for (int i = 0; i < (int)s->model->system_count; ++i)
    {
        const cairn_system_options *o = &s->model->systems[i].options;
        sum.systems += o->potential ? o->potential(o->data, q + layout->q_start[layout->body_block_count + i]) : 0.0;
    }
    return sum;
}

static double gravity_work(const cairn_simulation *s, double h)
{
    const crn_layout *layout = s->layout;
    double work = 0;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        const double *vm = s->mean + layout->block_start[k];
        for (int i = 0; i < s->model->dimension; ++i)
        {
            work += h * layout->mass[layout->block_body[k]] * s->model->gravity[i] * vm[i];
        }
    }
    return work;
}

/* Elastic and damping work of all springs, and what driven bodies put into them. */
static void book_springs(cairn_simulation *s, double h)
{
    for (size_t i = 0; i < s->assembly.spring_term_count; ++i)
    {
        const crn_spring_term *term = &s->assembly.spring_terms[i];
        const double *v = term->implicit ? s->v : s->v_old;
        double rate = crn_gradient_rate(s->layout, &term->gradient, v) + term->drive;
        double mean_rate = crn_gradient_rate(s->layout, &term->gradient, s->mean);
        double elastic = -h * term->gamma * (term->phi + (term->implicit ? h * rate : 0.0));
        double damping = -h * term->delta * rate;
        s->energy.work_springs += elastic * mean_rate;
        s->energy.work_dampers += damping * mean_rate;
        s->energy.work_driven -= elastic * term->drive;
        s->energy.integration += elastic * (mean_rate + term->drive);
        s->spring_work[term->spring] += (elastic + damping) * mean_rate;
    }
}

static void book_forces(cairn_simulation *s, double h)
{
    for (size_t i = 0; i < s->assembly.force_term_count; ++i)
    {
        const crn_force_term *term = &s->assembly.force_terms[i];
        double row[6];
        int dofs = crn_pack(s->model, term->body, term->f, row);
        const double *vm = s->mean + s->layout->block_start[s->layout->body_block[term->body]];
        double work = 0;
        for (int k = 0; k < dofs; ++k)
        {
            work += h * row[k] * vm[k];
        }
        s->energy.work_forces += work;
        s->force_work[term->force] += work;
    }
}

/* The gyroscopic impulse is -h K_c(v) v+ (stiff) or -h K_c(v) v (euler), K_c(w) w2 = w2 x I w. */
static double gyroscopic_work(const cairn_simulation *s, double h)
{
    const crn_layout *layout = s->layout;
    double work = 0;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        int start = layout->block_start[k];
        if (layout->block_start[k + 1] - start != 6)
        {
            continue;
        }
        const double *w = s->v_old + start + 3;
        const double *w2 = (s->settings.integrator == CAIRN_INTEGRATOR_STIFF ? s->v : s->v_old) + start + 3;
        double L[3], moment[3];
        crn_rotate3(layout->inertia[layout->block_body[k]], w, L);
        crn_cross3(w2, L, moment);
        work -= h * crn_dot3(moment, s->mean + start + 3);
    }
    return work;
}

/* Work of impulse `r` through rows [from, to) of one item of block rows: r' (rows . mean). */
static double rows_work(const cairn_simulation *s, const cairn_block_rows *rows, int item, int from, int to,
                        const double *r)
{
    double work = 0;
    for (int e = rows->entry_start[item]; e < rows->entry_start[item + 1]; ++e)
    {
        int block = rows->block[e];
        int width = s->layout->block_start[block + 1] - s->layout->block_start[block];
        const double *value = rows->value + rows->value_start[e];
        const double *vm = s->mean + s->layout->block_start[block];
        for (int i = from; i < to; ++i)
        {
            for (int k = 0; k < width; ++k)
            {
                work += r[i] * value[i * width + k] * vm[k];
            }
        }
    }
    return work;
}

static void book_constraints(cairn_simulation *s)
{
    const cairn_problem *problem = &s->assembly.problem;
    for (int i = 0; i < problem->G.item_count; ++i)
    {
        int row = problem->G.row_start[i];
        int count = problem->G.row_start[i + 1] - row;
        double work = rows_work(s, &problem->G, i, 0, count, s->solution.c + row);
        s->energy.work_joints += work;
        if (i < (int)s->model->joint_count)
        {
            s->joint_work[i] += work;
        }
    }
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const double *r = s->solution.r + j * problem->dim;
        s->energy.work_contact_normal += rows_work(s, &problem->H, j, 0, 1, r);
        s->energy.work_friction += rows_work(s, &problem->H, j, 1, problem->dim, r);
    }
}

/* The impulse of a system's own forces is (p - M v) + (M - A) v+ on its diagonal block. */
static double systems_work(const cairn_simulation *s)
{
    const crn_layout *layout = s->layout;
    double work = 0;
    for (int k = layout->body_block_count; k < layout->block_count; ++k)
    {
        int start = layout->block_start[k];
        int n = layout->block_start[k + 1] - start;
        const double *M = s->assembly.M + layout->mass_start[k];
        const double *A = s->assembly.problem.A.value + layout->value_start[layout->diagonal[k]];
        for (int i = 0; i < n; ++i)
        {
            double J = s->assembly.problem.p[start + i];
            for (int j = 0; j < n; ++j)
            {
                J += (M[i * n + j] - A[i * n + j]) * s->v[start + j] - M[i * n + j] * s->v_old[start + j];
            }
            work += J * s->mean[start + i];
        }
    }
    return work;
}

static double system_kinetic(const cairn_simulation *s, const double *v)
{
    const crn_layout *layout = s->layout;
    double twice = 0;
    for (int k = layout->body_block_count; k < layout->block_count; ++k)
    {
        int start = layout->block_start[k];
        int n = layout->block_start[k + 1] - start;
        const double *M = s->assembly.M + layout->mass_start[k];
        for (int i = 0; i < n; ++i)
        {
            for (int j = 0; j < n; ++j)
            {
                twice += v[start + i] * M[i * n + j] * v[start + j];
            }
        }
    }
    return 0.5 * twice;
}

void crn_book_work(cairn_simulation *s, double h)
{
    double gravity = gravity_work(s, h);
    s->energy.work_gravity += gravity;
    s->energy.integration += gravity;
    s->energy.work_gyroscopic += gyroscopic_work(s, h);
    book_springs(s, h);
    book_forces(s, h);
    book_constraints(s);
    /* a position-dependent mass changes the kinetic energy too: the old mass is taken off here, the new one added when
       the balance is closed */
    s->energy.work_systems += systems_work(s) - system_kinetic(s, s->v);
}

void crn_book_motion(cairn_simulation *s, crn_potentials moved, crn_potentials projected)
{
    const crn_potentials *old = &s->potentials;
    s->energy.integration += (moved.gravity - old->gravity) + (moved.elastic - old->elastic);
    s->energy.work_systems += moved.systems - old->systems;
    s->energy.projection +=
        (projected.gravity - moved.gravity) + (projected.elastic - moved.elastic) + (projected.systems - moved.systems);
    s->potentials = projected;
}

void crn_close_balance(cairn_simulation *s)
{
    cairn_energy *e = &s->energy;
    e->kinetic = crn_kinetic(s);
    e->potential = s->potentials.gravity + s->potentials.systems;
    e->elastic = s->potentials.elastic;
    e->total = e->kinetic + e->potential + e->elastic;
    if (s->step > 0)
    {
        e->work_systems += system_kinetic(s, s->v);
    }
    double given = e->work_dampers + e->work_forces + e->work_gyroscopic + e->work_joints + e->work_contact_normal +
                   e->work_friction + e->work_systems + e->work_driven;
    e->balance_error = e->total - s->total_at_start - given - e->integration - e->projection;
}
