/* The energy account.
 *
 * A step changes the velocity by impulses: M (v+ - v) = sum J. With the mean velocity vm = (v + v+)/2 the kinetic energy
 * changes by exactly sum J'vm, so J'vm is the work of J and the account of the kinetic energy closes to rounding. The work of a
 * conservative force plus the change of its potential is the numerical gain or loss of the scheme ("integration").
 */
#include "base/parallel_ranges.h"
#include "collide/drift.h"
#include "formulate/springs.h"
#include "linalg/lanes.h"
#include "math/vec.h"
#include "step/account/account.h"
#include "step/account/ledger_internal.h"
#include "step/schemes/rotors.h"

#include <assert.h>
#include <math.h>
#include <string.h>

double crn_twice_kinetic(const crn_layout *layout, int block, const double *v)
{
    int body = layout->block_body[block], linear = layout->model->dimension;
    int dofs = layout->block_start[block + 1] - layout->block_start[block];
    const crn_matrix3 inertia = crn_inertia_of(&layout->inertia, body);
    const double *I = inertia.m;
    double L[3], twice = layout->mass[body] * crn_dot(linear, v, v);
    if (dofs == 6)
        crn_rotate3(I, v + 3, L);
    return twice + (dofs == 6 ? crn_dot3(v + 3, L) : dofs > linear ? I[8] * v[2] * v[2] : 0.0);
}

/* Twice the kinetic energies of bodies, each at its number among displacements, part by part. */
static void kinetic_part(void *data, int part)
{
    const cairn_simulation *s = data;
    const crn_layout *layout = s->layout;
    size_t count = (size_t)layout->body_block_count;
    int end = (int)crn_part(count, layout->parts, part + 1);
    for (int k = (int)crn_part(count, layout->parts, part); k < end; ++k)
        s->trial.displacement[k] = crn_twice_kinetic(layout, k, s->state.v + layout->block_start[k]);
}

/* J: the kinetic energy of many bodies. They are taken in four interleaved sums: each term of a single sum would wait for the one
 * before. */
static double kinetic_of_many(cairn_simulation *s)
{
    double sum[4] = {0};
    const crn_layout *layout = s->layout;
    bool shares = layout->parts > 1 && s->trial.displacement; /* steps of a device have none */
    if (shares)
        crn_in_parts(layout->parts, kinetic_part, s);
    for (int k = 0; k < layout->body_block_count; ++k)
        sum[k % 4] +=
            shares ? s->trial.displacement[k] : crn_twice_kinetic(layout, k, s->state.v + layout->block_start[k]);
    return 0.5 * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

/* The kinetic energy, with that of the rotors given. */
static double kinetic_with(cairn_simulation *s, double rotors)
{
    const crn_layout *layout = s->layout;
    if (layout->body_block_count > CRN_FEW_BODIES && s->model->system_count == 0)
        return kinetic_of_many(s) + rotors;
    crn_evaluate_masses(&s->projection.stage.assembly, layout, s->state.q, NULL);
    crn_mass_times(&s->projection.stage.assembly, layout, s->state.v, s->trial.displacement);
    double twice = crn_dot(layout->block_start[layout->block_count], s->state.v, s->trial.displacement);
    return 0.5 * twice + rotors;
}

double crn_kinetic(cairn_simulation *s)
{
    return kinetic_with(s, crn_rotor_kinetic(s, s->state.v));
}

crn_potentials crn_potentials_at(const cairn_simulation *s, const crn_frame *frame, const double *q)
{
    const crn_layout *layout = s->layout;
    crn_potentials sum = {0, 0, 0};
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        int body = layout->block_body[k];
        if (crn_is_absent(layout, body))
            continue;
        const double *x = frame->pose ? frame->pose[body].x : q + layout->q_start[k]; /* in space */
        sum.gravity -= layout->mass[body] * crn_dot3(s->state.gravity, x);
    }
    for (int i = 0; i < (int)s->model->spring_count; ++i)
    {
        double stretch = crn_spring_stretch(s->model, frame, i, s->state.spring_angle[i]);
        sum.elastic += 0.5 * s->model->springs[i].stiffness * stretch * stretch;
    }
    sum.elastic += crn_joint_elastic(s, frame);
    for (int i = 0; i < (int)s->model->system_count; ++i)
    {
        const cairn_system_options *o = &s->model->systems[i].options;
        sum.systems += o->potential ? o->potential(o->data, q + layout->q_start[layout->body_block_count + i]) : 0.0;
    }
    return sum;
}

/* Gravity is constant, so every scheme gives it the impulse h m g. */
static double gravity_work(const cairn_simulation *s, double h)
{
    const crn_layout *layout = s->layout;
    double part[4] = {0}; /* as kinetic_of_many has it */
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        const double *vm = s->trial.mean + layout->block_start[k];
        part[k % 4] += h * layout->mass[layout->block_body[k]] * crn_dot(s->model->dimension, s->state.gravity, vm);
    }
    return (part[0] + part[1]) + (part[2] + part[3]);
}

/* Elastic and damping work of all springs, and the energy that driven bodies put into them. */
static void book_springs(cairn_simulation *s, const crn_stage *stage)
{
    for (size_t i = 0; i < stage->assembly.spring_term_count; ++i)
    {
        const crn_spring_term *term = &stage->assembly.spring_terms[i];
        double mean_rate = crn_gradient_rate(s->layout, &term->gradient, s->trial.mean);
        double elastic, damping;
        crn_spring_impulse(term, s->layout, &stage->solution, &elastic, &damping);
        elastic *= stage->weight;
        damping *= stage->weight;
        s->state.energy.work_springs += elastic * mean_rate;
        s->state.energy.work_dampers += damping * mean_rate;
        s->state.energy.work_driven -= elastic * term->drive;
        s->state.energy.integration += elastic * (mean_rate + term->drive);
        s->state.spring_work[term->spring] += (elastic + damping) * mean_rate;
    }
}

static void book_forces(cairn_simulation *s, const crn_stage *stage)
{
    for (size_t i = 0; i < stage->assembly.force_term_count; ++i)
    {
        const crn_force_term *term = &stage->assembly.force_terms[i];
        double row[6];
        double impulse[6];
        crn_force_impulse(term, s->layout, stage->solution.v, impulse);
        int dofs = crn_pack(s->model, term->body, impulse, row);
        const double *vm = s->trial.mean + s->layout->block_start[s->layout->body_block[term->body]];
        double work = 0;
        for (int k = 0; k < dofs; ++k)
            work += stage->weight * row[k] * vm[k];
        s->state.energy.work_forces += work;
        if (term->force >= 0)
            s->state.force_work[term->force] += work;
    }
}

/* Of gyroscopic moments, or of those that the scheme adds. */
static double gyroscopic_work(const cairn_simulation *s, const crn_stage *stage, bool numerical)
{
    double work = 0;
    for (size_t i = 0; i < stage->assembly.gyro_term_count; ++i)
    {
        const crn_gyro_term *term = &stage->assembly.gyro_terms[i];
        const double *w = s->trial.mean + s->layout->block_start[term->block] + 3;
        double impulse[3];
        if (term->numerical != numerical)
            continue;
        crn_gyro_impulse(s->layout, term, stage->solution.v, impulse);
        work += stage->weight * (s->model->dimension == 2 ? impulse[2] * w[-1] : crn_dot3(impulse, w));
    }
    return work;
}

/* Work of impulse `r` through rows [from, to) of one item of block rows: r' (rows . mean). */
static double rows_work(const cairn_simulation *s, const cairn_block_rows *rows, int item, int from, int to,
                        const double *r)
{
    assert(item >= 0 && item < rows->item_count);
    assert(from <= to);
    double work = 0;
    for (int e = rows->entry_start[item]; e < rows->entry_start[item + 1]; ++e)
    {
        int block = rows->block[e];
        int width = s->layout->block_start[block + 1] - s->layout->block_start[block];
        const double *value = rows->value + rows->value_start[e];
        const double *vm = s->trial.mean + s->layout->block_start[block];
        for (int i = from; i < to; ++i)
            for (int k = 0; k < width; ++k)
                work += r[i] * value[i * width + k] * vm[k];
    }
    return work;
}

/* Book the work of row `row` of a joint for the element that the row is, if it is one. */
static void book_element(cairn_simulation *s, int joint, int row, double work)
{
    const crn_joint *of = &s->model->joints[joint];
    const crn_element *element = of->element_count > 0 ? crn_joint_element(of, row) : NULL;
    bool holds = of->coupling && row < of->own_rows; /* what holds a coupling is its drive */
    if (!element && !holds)
        return;
    int coordinate = element ? element->coordinate : 0;
    int role = (int)(element ? crn_element_role(element) : CRN_ROLE_DRIVE);
    if (role >= CRN_ROLES)
        return;
    int at = (joint * CRN_JOINT_COORDINATES + coordinate) * CRN_ROLES + role;
    assert((size_t)at < s->state.element_works);
    s->state.element_work[at] += work;
}

static inline void book_joint(cairn_simulation *s, int joint, int row, double work)
{
    const crn_joint *of = &s->model->joints[joint];
    s->state.joint_work[joint] += work;
    if (of->element_count > 0 || of->coupling)
        book_element(s, joint, row, work);
}

enum
{
    WORKS = 8 /* rows of an item whose works are added up side by side: each sum waits for itself only */
};

/* work += r_i B_i v of the rows of one block. */
static void add_works(int count, int width, const double *r, const double *B, const double *v, double *work)
{
    for (int k = 0; k < width; ++k)
        for (int i = 0; i < count; ++i)
            work[i] += r[i] * B[i * width + k] * v[k];
}

/* The same for each of the rows [from, to), WORKS at most. */
static void row_works(const cairn_simulation *s, const cairn_block_rows *rows, int item, int from, int to,
                      const double *r, double work[WORKS])
{
    assert(from <= to && to - from <= WORKS);
    memset(work, 0, sizeof(double[WORKS]));
    for (int e = rows->entry_start[item]; e < rows->entry_start[item + 1]; ++e)
    {
        int block = rows->block[e];
        int width = s->layout->block_start[block + 1] - s->layout->block_start[block];
        const double *value = rows->value + rows->value_start[e] + from * width;
        const double *vm = s->trial.mean + s->layout->block_start[block];
        add_works(to - from, width, r + from, value, vm, work);
    }
}

static void book_bounded(cairn_simulation *s, const crn_stage *stage, int k)
{
    assert(k >= 0 && k < stage->assembly.bounded_count);
    const cairn_problem *problem = &stage->assembly.problem;
    const crn_bounded_row *row = &stage->assembly.bounded[k];
    int j = crn_contacts_of(&stage->assembly) + k;
    const double *z = stage->solution.r + j * problem->dim;
    double work = stage->weight * rows_work(s, &problem->H, j, 0, 1, z);
    if (row->joint < 0)
    {
        s->state.energy.work_friction += work; /* rolling */
        return;
    }
    bool soft = crn_book_soft_bounded(s, stage, k, z[0], z[0] != 0 ? work / z[0] : 0.0);
    s->state.energy.work_joints += soft ? 0.0 : work;
    book_joint(s, row->joint, row->row, work);
}

/* m/s: the part of a contact's normal rate that is drift, whose work is not that of pushing overlaps out. */
static double normal_drift(const cairn_simulation *s, const crn_stage *stage, int j)
{
    const crn_contact *contact = &stage->assembly.active[j];
    double drift[3];
    return crn_contact_drift(s->model, stage->assembly.frame->pose, contact, drift) ? crn_dot3(drift, contact->normal)
                                                                                    : 0.0;
}

/* Row k of a joint, of impulse c: what its spring or rotor stores, if it has one. */
static bool book_stored(cairn_simulation *s, const crn_stage *stage, int joint, int k, double c, double work)
{
    double mean_rate = c != 0 ? work / c : 0.0;
    return (s->model->gives && crn_book_soft_joint(s, stage, joint, k, c, mean_rate)) ||
           (s->model->has_rotors && crn_book_rotor(s, stage, joint, k, c, mean_rate));
}

/* Whether every block is a body with six unknowns. */
static bool all_have_six(const crn_layout *layout)
{
    return layout->model->dimension == 3 && layout->block_count == layout->body_block_count &&
           layout->block_start[layout->block_count] == 6 * layout->block_count;
}

/* J: of all rows of an item together, r' B v. */
static double item_work(const cairn_simulation *s, const cairn_block_rows *rows, int item, const double *r)
{
    int count = rows->row_start[item + 1] - rows->row_start[item];
    double work = 0;
    for (int e = rows->entry_start[item]; e < rows->entry_start[item + 1]; ++e)
    {
        const double *B = rows->value + rows->value_start[e];
        const double *v = s->trial.mean + s->layout->block_start[rows->block[e]];
        crn_lanes x = {0.0, 0.0}, y = {0.0, 0.0}, z = {0.0, 0.0};
        assert(s->layout->block_start[rows->block[e] + 1] - s->layout->block_start[rows->block[e]] == 6);
        for (int i = 0; i < count; ++i, B += 6)
        {
            x += r[i] * crn_lanes_at(B);
            y += r[i] * crn_lanes_at(B + 2);
            z += r[i] * crn_lanes_at(B + 4);
        }
        crn_lanes sum = (x * crn_lanes_at(v) + y * crn_lanes_at(v + 2)) + z * crn_lanes_at(v + 4);
        work += sum[0] + sum[1];
    }
    return work;
}

static cairn_status book_constraints(cairn_simulation *s, const crn_stage *stage)
{
    const cairn_problem *problem = &stage->assembly.problem;
    bool stores = s->model->gives || s->model->has_rotors;
    bool whole = !stores && all_have_six(s->layout); /* joints without elements: all rows together */
    int joint = 0; /* the joint of item i, as long as the item belongs to one of the model's joints */
    for (int i = 0; i < stage->assembly.spring_item; ++i) /* springs are booked separately */
    {
        int row = problem->G.row_start[i];
        int count = problem->G.row_start[i + 1] - row;
        for (; joint < (int)s->model->joint_count && s->model->joints[joint].item < i; ++joint)
            continue;
        bool own = joint < (int)s->model->joint_count;
        if (own && whole && s->model->joints[joint].element_count == 0 && !s->model->joints[joint].coupling)
        {
            double work = stage->weight * item_work(s, &problem->G, i, stage->solution.c + row);
            s->state.energy.work_joints += work;
            s->state.joint_work[joint] += work;
            continue;
        }
        double works[WORKS];
        for (int k = 0; k < count; ++k)
        {
            if (k % WORKS == 0)
                row_works(s, &problem->G, i, k, count < k + WORKS ? count : k + WORKS, stage->solution.c + row, works);
            double work = stage->weight * works[k % WORKS];
            bool soft = own && stores && book_stored(s, stage, joint, k, stage->solution.c[row + k], work);
            s->state.energy.work_joints += soft ? 0.0 : work;
            if (own)
                book_joint(s, joint, k, work);
        }
    }
    for (int k = 0; k < stage->assembly.bounded_count; ++k)
        book_bounded(s, stage, k);
    if (stage->assembly.rowless)
        return crn_book_rowless(s, stage);
    for (int j = 0; j < crn_contacts_of(&stage->assembly); ++j)
    {
        const double *r = stage->solution.r + j * problem->dim;
        double normal = stage->weight * rows_work(s, &problem->H, j, 0, 1, r);
        bool soft = crn_book_soft_contact(s, stage, j, r[0], r[0] > 0 ? normal / r[0] : 0.0);
        s->state.energy.work_contact_normal += soft ? 0.0 : normal;
        if (stage->assembly.push[j] > 0 && r[0] > 0)
        {
            s->trial.push_out_speed = fmax(s->trial.push_out_speed, stage->assembly.push[j]);
            s->state.energy.push_out += fmax(normal + stage->weight * r[0] * normal_drift(s, stage, j), 0.0);
        }
        double friction = stage->weight * rows_work(s, &problem->H, j, 1, problem->dim, r);
        if (!soft || !crn_book_soft_friction(s, stage, j, friction))
            s->state.energy.work_friction += friction;
    }
    return CAIRN_OK;
}

/* Kinetic energy of users' systems, with the mass matrices of an assembly. */
static double system_kinetic(const cairn_simulation *s, const crn_assembly *assembly, const double *v)
{
    const crn_layout *layout = s->layout;
    double twice = 0;
    for (int k = layout->body_block_count; k < layout->block_count; ++k)
    {
        int start = layout->block_start[k];
        int n = layout->block_start[k + 1] - start;
        const double *M = assembly->M + layout->mass_start[k - layout->body_block_count];
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                twice += v[start + i] * M[i * n + j] * v[start + j];
    }
    return 0.5 * twice;
}

/* Work of joints and contacts on users' systems alone. */
static double system_constraint_work(const cairn_simulation *s, const crn_stage *stage)
{
    const cairn_problem *problem = &stage->assembly.problem;
    double work = 0;
    for (int i = s->model->joint_items; i < stage->assembly.spring_item; ++i)
    {
        int row = problem->G.row_start[i];
        work += rows_work(s, &problem->G, i, 0, problem->G.row_start[i + 1] - row, stage->solution.c + row);
    }
    for (int j = 0; j < crn_contacts_of(&stage->assembly) && !stage->assembly.rowless; ++j)
    {
        bool own = stage->assembly.active[j].body_a < 0 && stage->assembly.active[j].body_b < 0;
        work += own ? rows_work(s, &problem->H, j, 0, problem->dim, stage->solution.r + j * problem->dim) : 0.0;
    }
    return stage->weight * work;
}

cairn_status crn_book_work(cairn_simulation *s, double h)
{
    assert(h >= 0);
    assert(s->stage_count > 0 && s->stage_count <= CRN_STAGES);
    double gravity = gravity_work(s, h);
    s->state.energy.work_gravity += gravity;
    s->state.energy.integration += gravity;
    for (int k = 0; k < s->stage_count; ++k)
    {
        const crn_stage *stage = &s->stage[k];
        s->state.energy.work_gyroscopic += gyroscopic_work(s, stage, false);
        s->state.energy.integration += gyroscopic_work(s, stage, true);
        book_springs(s, stage);
        book_forces(s, stage);
        CRN_TRY(book_constraints(s, stage));
        crn_book_pulls(s, stage);
        s->state.energy.work_systems -= system_constraint_work(s, stage);
    }
    /* The work of a system's own forces is the change of its kinetic energy beyond the work of joints and contacts. Its
     * mass may depend on q, so the old energy is subtracted here and the new one is added when the balance is closed. */
    crn_evaluate_masses(&s->projection.stage.assembly, s->layout, s->state.q, NULL);
    s->state.energy.work_systems -= system_kinetic(s, &s->projection.stage.assembly, s->trial.v_old);
    s->state.energy.integration -= crn_rotor_kinetic(s, s->trial.v_old); /* likewise */
    return CAIRN_OK;
}

void crn_book_motion(cairn_simulation *s, crn_potentials moved, crn_potentials projected)
{
    const crn_potentials *old = &s->state.potentials;
    s->state.energy.integration += (moved.gravity - old->gravity) + (moved.elastic - old->elastic);
    s->state.energy.work_systems += moved.systems - old->systems;
    s->state.energy.projection +=
        (projected.gravity - moved.gravity) + (projected.elastic - moved.elastic) + (projected.systems - moved.systems);
    s->state.potentials = projected;
}

void crn_close_balance(cairn_simulation *s)
{
    double rotors = crn_rotor_kinetic(s, s->state.v);
    crn_close_balance_with(s, kinetic_with(s, rotors), rotors);
}

void crn_close_balance_with(cairn_simulation *s, double kinetic, double rotors)
{
    cairn_energy *e = &s->state.energy;
    e->kinetic = kinetic;
    e->potential = s->state.potentials.gravity + s->state.potentials.systems;
    e->elastic = s->state.potentials.elastic + s->state.contact_elastic + s->state.patches.energy;
    e->total = e->kinetic + e->potential + e->elastic;
    if (s->stage_count > 0)
    {
        e->work_systems += system_kinetic(s, &s->projection.stage.assembly, s->state.v);
        e->integration += rotors;
    }
    double given = e->work_dampers + e->work_forces + e->work_gyroscopic + e->work_joints + e->work_contact_normal +
                   e->work_friction + e->work_systems + e->work_driven;
    e->balance_error = e->total - s->state.total_at_start - given - e->integration - e->projection - e->added;
}

double crn_recount(cairn_simulation *s)
{
    crn_state *state = &s->state;
    double before = state->energy.total;
    state->potentials = crn_potentials_at(s, &s->located.frame, state->q);
    state->contact_elastic = crn_contact_elastic(s);
    state->energy.kinetic = crn_kinetic(s);
    state->energy.potential = state->potentials.gravity + state->potentials.systems;
    state->energy.elastic = state->potentials.elastic + state->contact_elastic + state->patches.energy;
    state->energy.total = state->energy.kinetic + state->energy.potential + state->energy.elastic;
    return state->energy.total - before;
}
