#include "formulate/assemble.h"

#include <assert.h>
#include <string.h>

static int largest_system(const cairn_model *model)
{
    int largest = 0;
    for (size_t s = 0; s < model->system_count; ++s)
    {
        int n = model->systems[s].options.n;
        largest = n > largest ? n : largest;
    }
    return largest;
}

cairn_status crn_assembly_create(const crn_layout *layout, crn_assembly *assembly)
{
    assert(layout->block_count >= layout->body_block_count);
    memset(assembly, 0, sizeof *assembly);
    int blocks = layout->block_count;
    size_t largest = (size_t)largest_system(layout->model);
    cairn_problem *problem = &assembly->problem;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->M, layout->mass_start[layout->model->system_count]),
                            CRN_ARRAY(assembly->k_q, largest * largest), CRN_ARRAY(assembly->k_v, largest * largest)));
    problem->block_count = blocks;
    problem->block_start = layout->block_start;
    problem->n = layout->block_start[blocks];
    problem->dim = layout->model->dimension;
    problem->A.block_count = blocks;
    problem->A.block_start = layout->block_start;
    problem->A.row_start = layout->row_start;
    problem->A.column = layout->column;
    problem->A.value_start = layout->value_start;
    return CAIRN_OK;
}

void crn_assembly_destroy(crn_assembly *assembly)
{
    crn_arena_release(&assembly->G.memory);
    crn_arena_release(&assembly->H.memory);
    crn_arena_release(&assembly->memory);
    memset(assembly, 0, sizeof *assembly);
}

/* ------------------------------------------------------------------------------------------- growing rows */

/* Rows are added one by one, and most of them find room: the arena is asked for more than is needed. */
static size_t more_than(size_t need)
{
    return need + need / 8 + 8;
}

static cairn_status reserve_items(crn_rows *r, size_t items)
{
    if (items <= r->item_room)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&r->memory, CRN_ARRAY(r->rows.row_start, more_than(items) + 1),
                            CRN_ARRAY(r->rows.entry_start, more_than(items) + 1)));
    r->item_room = more_than(items);
    return CAIRN_OK;
}

static cairn_status reserve_entries(crn_rows *r, size_t entries, size_t values)
{
    if (entries <= r->entry_room && values <= r->value_room)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&r->memory, CRN_ARRAY(r->rows.block, more_than(entries)),
                            CRN_ARRAY(r->rows.value_start, more_than(entries) + 1),
                            CRN_ARRAY(r->rows.value, more_than(values))));
    r->entry_room = entries > r->entry_room ? more_than(entries) : r->entry_room;
    r->value_room = values > r->value_room ? more_than(values) : r->value_room;
    return CAIRN_OK;
}

cairn_status crn_rows_begin(crn_rows *r, int count)
{
    assert(count > 0);
    assert(r->rows.item_count >= 0);
    assert(r->row_count >= r->rows.item_count);
    CRN_TRY(reserve_items(r, (size_t)r->rows.item_count + 1));
    int item = r->rows.item_count++;
    r->rows.row_start[item] = r->row_count;
    r->rows.entry_start[item] = r->entry_count;
    r->row_count += count;
    r->rows.row_start[item + 1] = r->row_count;
    r->rows.entry_start[item + 1] = r->entry_count;
    return CAIRN_OK;
}

/* One more block entry of the current item, whose values the caller sets; NULL when memory ran out. */
static double *take_entry(crn_rows *r, int block, int width)
{
    assert(block >= 0);
    assert(width > 0);
    int item = r->rows.item_count - 1;
    assert(item >= 0);
    int count = (r->rows.row_start[item + 1] - r->rows.row_start[item]) * width;
    if (reserve_entries(r, (size_t)r->entry_count + 1, (size_t)(r->value_count + count)))
        return NULL;
    double *values = r->rows.value + r->value_count;
    r->rows.block[r->entry_count] = block;
    r->rows.value_start[r->entry_count] = r->value_count;
    r->value_count += count;
    r->rows.value_start[++r->entry_count] = r->value_count;
    r->rows.entry_start[item + 1] = r->entry_count;
    return values;
}

double *crn_rows_entry(crn_rows *r, int block, int width)
{
    double *values = take_entry(r, block, width);
    if (values)
        memset(values, 0, (size_t)(r->rows.value + r->value_count - values) * sizeof(double));
    return values;
}

/* Write side `side` of several gradients as one block entry of the current item. */
static cairn_status add_side(crn_rows *rows, const crn_layout *layout, const crn_gradient *gradients, int count,
                             int side)
{
    assert(side == 0 || side == 1);
    assert(gradients[0].body[side] < (int)layout->model->body_count);
    int body = gradients[0].body[side];
    if (body < 0 || layout->body_block[body] < 0)
        return CAIRN_OK;
    int block = layout->body_block[body];
    int dofs = layout->block_start[block + 1] - layout->block_start[block];
    double *values = dofs == 6 ? take_entry(rows, block, 6) : crn_rows_entry(rows, block, dofs);
    if (!values)
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < count && dofs == 6; ++i)
        memcpy(values + i * 6, gradients[i].g[side], sizeof gradients[i].g[side]);
    for (int i = 0; i < count && dofs != 6; ++i)
        crn_pack(layout->model, body, gradients[i].g[side], values + i * dofs);
    return CAIRN_OK;
}

cairn_status crn_rows_add_item(crn_rows *rows, const crn_layout *layout, const crn_gradient *gradients, int count)
{
    assert(count > 0 && count <= CRN_JOINT_ROWS);
    CRN_TRY(crn_rows_begin(rows, count));
    int a = gradients[0].body[0];
    int b = gradients[0].body[1];
    int first = a >= 0 && b >= 0 && layout->body_block[a] > layout->body_block[b] ? 1 : 0;
    CRN_TRY(add_side(rows, layout, gradients, count, first));
    return add_side(rows, layout, gradients, count, 1 - first);
}

cairn_status crn_rows_reserve(crn_rows *rows, int items, int entries, int values)
{
    CRN_TRY(reserve_items(rows, (size_t)(rows->rows.item_count + items)));
    return reserve_entries(rows, (size_t)(rows->entry_count + entries), (size_t)(rows->value_count + values));
}

cairn_status crn_rows_add_places(crn_rows *rows, const crn_layout *layout, int count, const int body[2],
                                 double *values[2])
{
    CRN_TRY(crn_rows_begin(rows, count));
    int block[2] = {body[0] < 0 ? -1 : layout->body_block[body[0]], body[1] < 0 ? -1 : layout->body_block[body[1]]};
    int first = block[0] > block[1] ? 1 : 0;
    for (int k = 0; k < 2; ++k)
    {
        int side = k == 0 ? first : 1 - first;
        if (block[side] < 0)
            continue;
        assert(layout->block_start[block[side] + 1] - layout->block_start[block[side]] == 6);
        values[side] = take_entry(rows, block[side], 6);
        if (!values[side])
            return CAIRN_NO_MEMORY;
    }
    return CAIRN_OK;
}

cairn_status crn_rows_add_sides(crn_rows *rows, const crn_layout *layout, const crn_joint_rows *from, int first,
                                int count)
{
    for (int k = 2; k < from->sides; ++k)
    {
        int body = from->side[k].body, block = layout->body_block[body];
        assert(from->side[k - 1].body < body);
        if (block < 0)
            continue;
        int dofs = layout->block_start[block + 1] - layout->block_start[block];
        double *values = crn_rows_entry(rows, block, dofs);
        if (!values)
            return CAIRN_NO_MEMORY;
        for (int i = 0; i < count; ++i)
        {
            crn_pack(layout->model, body, from->side[k].g, values + i * dofs);
            for (int j = 0; j < dofs; ++j)
                values[i * dofs + j] *= from->sign[first + i];
        }
    }
    return CAIRN_OK;
}

static void clear_rows(crn_rows *r)
{
    r->rows.item_count = 0;
    r->entry_count = r->value_count = r->row_count = 0;
}

/* ---------------------------------------------------------------------------------------- begin and finish */

/* Mass and inertia of a body times its velocity: the dense product, without the terms that are zero. Sums begin with 0, which turns -0 into 0. */
void crn_body_mass_times(const crn_layout *layout, int k, const double *x, double *y)
{
    assert(k >= 0 && k < layout->body_block_count);
    int body = layout->block_body[k], dofs = layout->block_start[k + 1] - layout->block_start[k];
    double mass = layout->mass[body];
    const crn_matrix3 inertia = crn_inertia_of(&layout->inertia, body);
    const double *I = inertia.m;
    y[0] = 0.0 + mass * x[0];
    y[1] = 0.0 + mass * x[1];
    if (layout->model->dimension == 2)
    {
        if (dofs == 3)
            y[2] = 0.0 + I[8] * x[2];
        return;
    }
    y[2] = 0.0 + mass * x[2];
    if (dofs < 6)
        return;
    double wx = x[3], wy = x[4], wz = x[5];
    y[3] = 0.0 + I[0] * wx + I[1] * wy + I[2] * wz;
    y[4] = 0.0 + I[3] * wx + I[4] * wy + I[5] * wz;
    y[5] = 0.0 + I[6] * wx + I[7] * wy + I[8] * wz;
}

void crn_mass_times(const crn_assembly *assembly, const crn_layout *layout, const double *x, double *y)
{
    assert(x != y);
    for (int k = 0; k < layout->body_block_count; ++k)
        crn_body_mass_times(layout, k, x + layout->block_start[k], y + layout->block_start[k]);
    for (int k = layout->body_block_count; k < layout->block_count; ++k)
    {
        int start = layout->block_start[k];
        int dofs = layout->block_start[k + 1] - start;
        const double *M = assembly->M + layout->mass_start[k - layout->body_block_count];
        for (int i = 0; i < dofs; ++i)
        {
            double sum = 0;
            for (int j = 0; j < dofs; ++j)
                sum += M[i * dofs + j] * x[start + j];
            y[start + i] = sum;
        }
    }
}

/* A = M. */
static void set_masses(crn_assembly *assembly, const crn_layout *layout)
{
    double *A = assembly->problem.A.value;
    memset(A, 0, (size_t)layout->value_start[layout->entry_count] * sizeof(double));
    for (int k = 0; k < layout->block_count; ++k)
    {
        int dofs = layout->block_start[k + 1] - layout->block_start[k];
        double *block = A + layout->value_start[layout->diagonal[k]];
        if (k >= layout->body_block_count)
        {
            memcpy(block, assembly->M + layout->mass_start[k - layout->body_block_count],
                   (size_t)(dofs * dofs) * sizeof(double));
            continue;
        }
        int body = layout->block_body[k];
        for (int i = 0; i < layout->model->dimension; ++i)
            block[i * dofs + i] = layout->mass[body];
        if (dofs == 3 && layout->model->dimension == 2)
            block[8] = crn_inertia_about_z(&layout->inertia, body);
        if (dofs != 6)
            continue;
        crn_matrix3 inertia = crn_inertia_of(&layout->inertia, body);
        for (int i = 0; i < 3; ++i)
            memcpy(block + (3 + i) * 6 + 3, inertia.m + 3 * i, 3 * sizeof(double));
    }
}

void crn_evaluate_masses(crn_assembly *assembly, const crn_layout *layout, const double *q, const double *other)
{
    assert(layout->block_count == layout->body_block_count + (int)layout->model->system_count);
    for (int s = 0; s < (int)layout->model->system_count; ++s)
    {
        const cairn_system_options *o = &layout->model->systems[s].options;
        int block = layout->body_block_count + s;
        int square = o->n * o->n;
        double *M = assembly->M + layout->mass_start[s];
        memset(M, 0, (size_t)square * sizeof(double));
        o->mass(o->data, q + layout->q_start[block], M);
        if (!other)
            continue;
        memset(assembly->k_q, 0, (size_t)square * sizeof(double));
        o->mass(o->data, other + layout->q_start[block], assembly->k_q);
        for (int i = 0; i < square; ++i)
            M[i] = 0.5 * M[i] + 0.5 * assembly->k_q[i];
    }
}

/* No rows, no contacts and no recorded forces. */
static void clear_items(crn_assembly *assembly)
{
    cairn_problem *problem = &assembly->problem;
    clear_rows(&assembly->G);
    clear_rows(&assembly->H);
    problem->joint_rows = 0;
    problem->joint_weight = problem->joint_length = NULL;
    problem->contact_count = 0;
    problem->bound = NULL;
    assembly->bounded_count = assembly->kept_count = 0;
    problem->patch_count = 0;
    assembly->patch_item_count = 0;
    assembly->R_used = 0;
    assembly->spring_term_count = 0;
    assembly->force_term_count = 0;
    assembly->fault = (crn_fault){.is_force = false};
    assembly->gyro_term_count = 0;
}

/* The lengths by which velocities are compared; once. */
static cairn_status measure(crn_assembly *assembly, const crn_layout *layout)
{
    if (assembly->length)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->length, assembly->problem.n)));
    for (int k = 0; k < layout->block_count; ++k)
        for (int i = layout->block_start[k]; i < layout->block_start[k + 1]; ++i)
        {
            bool turns = i - layout->block_start[k] >= layout->model->dimension;
            assembly->length[i] = turns ? crn_turning_length(layout, k) : 1.0;
        }
    assembly->problem.length = assembly->length;
    return CAIRN_OK;
}

void crn_begin_rows(crn_assembly *assembly, const crn_input *in)
{
    assembly->frame = in->frame;
    assembly->rowless = false;
    clear_items(assembly);
}

cairn_status crn_begin(crn_assembly *assembly, const crn_input *in)
{
    assert(in->h > 0);
    assert(assembly->problem.n == in->layout->block_start[in->layout->block_count]);
    const crn_layout *layout = in->layout;
    cairn_problem *problem = &assembly->problem;
    crn_begin_rows(assembly, in);
    /* the mean of both ends keeps second order (Potra et al. 2006, eq. 2.7); (6.9) uses the start alone and loses it */
    const double *other = in->settings->mass == CAIRN_MASS_MEAN ? in->q_end : NULL;
    crn_evaluate_masses(assembly, layout, in->q_start ? in->q_start : in->q, other);
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(problem->A.value, layout->value_start[layout->entry_count]),
                            CRN_ARRAY(problem->p, problem->n)));
    CRN_TRY(measure(assembly, layout));
    set_masses(assembly, layout);
    crn_mass_times(assembly, layout, in->v, problem->p);
    return CAIRN_OK;
}

cairn_status crn_begin_rowless(crn_assembly *assembly, const crn_input *in)
{
    assembly->frame = in->frame;
    assembly->rowless = true;
    assembly->spring_item = 0;
    clear_items(assembly);
    assembly->problem.dim = in->layout->model->dimension;
    assembly->problem.law = in->settings->law;
    assembly->is_pushed = in->layout->model->force_count > 0 || in->pull;
    return crn_reserve_all(&assembly->memory,
                           CRN_ARRAY(assembly->problem.p, assembly->is_pushed ? assembly->problem.n : 0));
}

cairn_status crn_own_contacts(crn_assembly *assembly)
{
    size_t count = (size_t)assembly->problem.contact_count;
    if (assembly->active == assembly->listed && assembly->listed)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->listed, count)));
    if (count > 0)
        memcpy(assembly->listed, assembly->active, count * sizeof *assembly->listed);
    assembly->active = assembly->listed;
    return CAIRN_OK;
}

void crn_finish(crn_assembly *assembly, const crn_input *in, cairn_law law)
{
    cairn_problem *problem = &assembly->problem;
    problem->law = law;
    problem->G = assembly->G.rows;
    problem->H = assembly->H.rows;
    problem->dim = in->layout->model->dimension;
    assert(problem->joint_rows == assembly->G.row_count);
    assert(problem->contact_count == assembly->H.rows.item_count);
}
