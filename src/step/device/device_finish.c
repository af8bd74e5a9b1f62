/* A step of the device's that sweeps have left above the tolerance, solved by the processor's solvers (docs/gpu.md).
 *
 * The device hands out bodies with the velocities v that the impulses r at hand give them, and contacts with their arms. The one-step problem follows:
 *
 *     A = diag(m 1, J) per body, J in the world frame ,    p = A v - H' r ,    rows of H: +-(d, arm x d) for d = n, t_1, t_2 ,
 *
 * with angular velocities in the world frame, which are the device's. A body that impulses do not move has no block; its velocity is part of w. One that does
 * not turn gets J = 1 and no angular entries, so its angular velocity stays.
 */
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

static const double SHARE = 0.05; /* of the tolerance: what rounding the impulses adds must fit in, too */

static bool turns(const crn_gpu_left_body *body)
{
    return body->inertia[0] > 0 || body->inertia[4] > 0 || body->inertia[8] > 0;
}

static cairn_status reserve(crn_device *device, const crn_gpu_left *left)
{
    crn_device_finish *f = &device->finish;
    size_t bodies = (size_t)left->body_count, contacts = (size_t)left->contact_count;
    return crn_reserve_all(&device->memory, CRN_ARRAY(f->block_of, bodies), CRN_ARRAY(f->start, bodies + 1),
                           CRN_ARRAY(f->diagonal, bodies + 1), CRN_ARRAY(f->diagonal_value, bodies + 1),
                           CRN_ARRAY(f->mass, 36 * bodies), CRN_ARRAY(f->momentum, 6 * bodies),
                           CRN_ARRAY(f->length, 6 * bodies), CRN_ARRAY(f->row, contacts + 1),
                           CRN_ARRAY(f->entry, contacts + 1), CRN_ARRAY(f->block, 2 * contacts),
                           CRN_ARRAY(f->entry_value, 2 * contacts + 1), CRN_ARRAY(f->gradient, 36 * contacts),
                           CRN_ARRAY(f->bias, 3 * contacts), CRN_ARRAY(f->friction, contacts),
                           CRN_ARRAY(f->guess, 3 * contacts), CRN_ARRAY(f->identity, contacts));
}

/* A, and A v. Returns the number of blocks. */
static int add_bodies(crn_device_finish *f, const crn_gpu_left *left)
{
    int blocks = 0;
    for (int i = 0; i < left->body_count; ++i)
    {
        const crn_gpu_left_body *body = &left->body[i];
        f->block_of[i] = body->inverse_mass > 0 ? blocks : -1;
        if (!(body->inverse_mass > 0))
            continue;
        double *A = f->mass + 36 * (size_t)blocks, *p = f->momentum + 6 * (size_t)blocks;
        memset(A, 0, 36 * sizeof *A);
        for (int k = 0; k < 3; ++k)
        {
            A[7 * k] = 1 / body->inverse_mass;
            p[k] = A[7 * k] * body->v[k];
            p[3 + k] = 0;
            for (int l = 0; l < 3; ++l)
            {
                double J = turns(body) ? body->inertia[3 * k + l] : (double)(k == l);
                A[6 * (3 + k) + 3 + l] = J;
                p[3 + k] += J * body->w[l];
            }
        }
        f->diagonal[blocks] = blocks;
        f->start[blocks] = 6 * blocks;
        f->diagonal_value[blocks] = 36 * blocks;
        for (int k = 0; k < 6; ++k)
            f->length[6 * blocks + k] = k < 3 ? 1.0 : 0.0;
        ++blocks;
    }
    f->diagonal[blocks] = blocks;
    f->start[blocks] = 6 * blocks;
    f->diagonal_value[blocks] = 36 * blocks;
    return blocks;
}

/* The rows of one side of a contact, and what its impulse at hand has done. Of a body without a block, its velocity. */
static void add_side(crn_device_finish *f, const crn_gpu_left *left, int contact, bool is_a, int *entries,
                     double d[3][3])
{
    const crn_gpu_left_contact *c = &left->contact[contact];
    int body = is_a ? c->a : c->b, block = f->block_of[body];
    const double *arm = is_a ? c->arm_a : c->arm_b, sign = is_a ? 1.0 : -1.0;
    const crn_gpu_left_body *of = &left->body[body];
    double turning[3], moment[3], *w = f->bias + 3 * (size_t)contact;
    if (block < 0)
    {
        crn_cross3(of->w, arm, turning);
        for (int k = 0; k < 3; ++k)
            w[k] += sign * (crn_dot3(d[k], of->v) + crn_dot3(d[k], turning));
        return;
    }
    double *H = f->gradient + 18 * (size_t)*entries, *p = f->momentum + 6 * (size_t)block,
           *length = f->length + 6 * (size_t)block;
    f->block[*entries] = block;
    f->entry_value[*entries] = 18 * *entries;
    ++*entries;
    bool has_arm = turns(of);
    for (int k = 0; k < 3; ++k)
    {
        crn_cross3(arm, d[k], turning);
        for (int l = 0; l < 3; ++l)
        {
            H[6 * k + l] = sign * d[k][l];
            H[6 * k + 3 + l] = has_arm ? sign * turning[l] : 0.0;
        }
    }
    crn_cross3(arm, c->impulse, moment);
    for (int l = 0; l < 3; ++l)
    {
        p[l] -= sign * c->impulse[l];
        p[3 + l] -= has_arm ? sign * moment[l] : 0.0;
        length[3 + l] = fmax(length[3 + l], crn_norm3(arm));
    }
}

/* H, w, p and the impulses at hand in the frames of the contacts. Returns the number of entries of H. */
static int add_contacts(crn_device_finish *f, const crn_gpu_left *left)
{
    int entries = 0;
    for (int j = 0; j < left->contact_count; ++j)
    {
        const crn_gpu_left_contact *c = &left->contact[j];
        double d[3][3];
        memcpy(d[0], c->n, sizeof d[0]);
        crn_tangents(d[0], d[1], d[2]);
        f->row[j] = 3 * j;
        f->entry[j] = entries;
        f->friction[j] = c->friction;
        f->identity[j] = (uint64_t)j + 1;
        for (int k = 0; k < 3; ++k)
        {
            f->bias[3 * j + k] = k == 0 ? c->bias : 0.0;
            f->guess[3 * j + k] = crn_dot3(d[k], c->impulse);
        }
        bool is_a_first = f->block_of[c->a] < f->block_of[c->b]; /* entries ascend */
        add_side(f, left, j, is_a_first, &entries, d);
        add_side(f, left, j, !is_a_first, &entries, d);
    }
    f->row[left->contact_count] = 3 * left->contact_count;
    f->entry[left->contact_count] = entries;
    f->entry_value[entries] = 18 * entries;
    return entries;
}

static cairn_law_kind law_of(crn_gpu_law law)
{
    return law == CRN_GPU_CONVEX         ? CAIRN_LAW_CONVEX_CONE
           : law == CRN_GPU_FRICTIONLESS ? CAIRN_LAW_FRICTIONLESS
                                         : CAIRN_LAW_CONE;
}

static cairn_problem problem_of(crn_device_finish *f, const crn_gpu_left *left)
{
    int blocks = add_bodies(f, left);
    add_contacts(f, left);
    for (int i = 0; i < 6 * blocks; ++i)
        f->length[i] = f->length[i] > 0 ? f->length[i] : 1.0; /* nothing touches the body */
    f->none[0] = f->none[1] = 0;
    return (cairn_problem){
        .block_count = blocks,
        .block_start = f->start,
        .n = 6 * blocks,
        .dim = 3,
        .law = {.kind = law_of(left->law)},
        .A = {blocks, f->start, f->diagonal, f->diagonal, f->diagonal_value, f->mass},
        .p = f->momentum,
        .G = {.row_start = f->none, .entry_start = f->none, .block = f->none, .value_start = f->none, .value = f->mass},
        .contact_count = left->contact_count,
        .H = {left->contact_count, f->row, f->entry, f->block, f->entry_value, f->gradient},
        .w = f->bias,
        .mu = f->friction,
        .identity = f->identity,
        .length = f->length,
    };
}

static cairn_status solve(cairn_simulation *s, const crn_gpu_left *left)
{
    crn_device_finish *f = &s->device->finish;
    CRN_TRY(reserve(s->device, left));
    f->solver = f->solver ? f->solver : cairn_solver_create(s->context);
    if (!f->solver)
        return CAIRN_NO_MEMORY;
    cairn_problem problem = problem_of(f, left);
    cairn_solver_options options = cairn_solver_default();
    options.tolerance = SHARE * left->tolerance;
    options.threads = s->settings.solver.threads;
    options.time_limit = s->settings.solver.time_limit;
    options.forces = CAIRN_FORCES_ANY;
    options.guess = f->guess;
    cairn_solution solution;
    cairn_solver_report report;
    CRN_TRY(cairn_solver_solve(f->solver, &problem, &options, &solution, &report));
    f->iterations += report.iterations;
    for (int j = 0; j < left->contact_count; ++j)
    {
        crn_gpu_left_contact *c = &left->contact[j];
        const double *r = solution.r + 3 * (size_t)j;
        double t1[3], t2[3];
        crn_tangents(c->n, t1, t2);
        for (int k = 0; k < 3; ++k)
            c->impulse[k] = r[0] * c->n[k] + r[1] * t1[k] + r[2] * t2[k];
    }
    return CAIRN_OK;
}

bool crn_device_finish_step(void *user, const crn_gpu_left *left)
{
    cairn_simulation *s = user;
    assert(s->device && left->contact_count > 0);
    cairn_status status = solve(s, left);
    if (status && !s->device->finish.status)
        s->device->finish.status = status;
    return status == CAIRN_OK;
}
