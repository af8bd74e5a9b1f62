#include "formulate/assemble.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
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

static void fill_body_masses(const crn_layout *layout, double *M)
{
    const cairn_model *model = layout->model;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        int body = layout->block_body[k];
        int dofs = layout->block_start[k + 1] - layout->block_start[k];
        double *block = M + layout->mass_start[k];
        for (int i = 0; i < model->dimension; ++i)
            block[i * dofs + i] = layout->mass[body];
        if (dofs == 3 && model->dimension == 2)
            block[8] = layout->inertia[body][8];
        for (int i = 0; dofs == 6 && i < 9; ++i)
            block[(3 + i / 3) * 6 + 3 + i % 3] = layout->inertia[body][i];
    }
}

cairn_status crn_assembly_create(const crn_layout *layout, crn_assembly *assembly)
{
    memset(assembly, 0, sizeof *assembly);
    int blocks = layout->block_count;
    size_t largest = (size_t)largest_system(layout->model);
    cairn_problem *problem = &assembly->problem;
    assembly->M = calloc((size_t)layout->mass_start[blocks] + 1, sizeof(double));
    assembly->k_q = calloc(largest * largest + 1, sizeof(double));
    assembly->k_v = calloc(largest * largest + 1, sizeof(double));
    problem->A.value = calloc((size_t)layout->value_start[layout->entry_count] + 1, sizeof(double));
    problem->p = calloc((size_t)layout->block_start[blocks] + 1, sizeof(double));
    if (!assembly->M || !assembly->k_q || !assembly->k_v || !problem->A.value || !problem->p)
        return CAIRN_NO_MEMORY;
    fill_body_masses(layout, assembly->M);
    problem->block_count = blocks;
    problem->block_start = layout->block_start;
    problem->n = layout->block_start[blocks];
    problem->dim = layout->model->dimension;
    problem->length = layout->length;
    problem->A.block_count = blocks;
    problem->A.block_start = layout->block_start;
    problem->A.row_start = layout->row_start;
    problem->A.column = layout->column;
    problem->A.value_start = layout->value_start;
    return CAIRN_OK;
}

static void destroy_rows(crn_rows *rows)
{
    free(rows->rows.row_start);
    free(rows->rows.entry_start);
    free(rows->rows.block);
    free(rows->rows.value_start);
    free(rows->rows.value);
}

void crn_assembly_destroy(crn_assembly *assembly)
{
    free(assembly->problem.A.value);
    free(assembly->problem.p);
    free(assembly->problem.R_c);
    free(assembly->problem.b);
    free(assembly->problem.w);
    free(assembly->problem.mu);
    free(assembly->problem.identity);
    destroy_rows(&assembly->G);
    destroy_rows(&assembly->H);
    free(assembly->M);
    free(assembly->k_q);
    free(assembly->k_v);
    free(assembly->scratch);
    free(assembly->spring_terms);
    free(assembly->force_terms);
    free(assembly->gyro_terms);
    free(assembly->theta);
    free(assembly->active);
    free(assembly->contact_drive);
    free(assembly->push);
    free(assembly->problem.patch_start);
    free(assembly->problem.R_start);
    free(assembly->problem.R);
    free(assembly->patches);
    free(assembly->element);
    free(assembly->deformation);
    free(assembly->creep);
    free(assembly->block_R);
    free(assembly->radius);
    free(assembly->weight);
    free(assembly->joint_weight);
    free(assembly->joint_length);
    free(assembly->bounded);
    free(assembly->bound);
}

/* ------------------------------------------------------------------------------------------- growing rows */

cairn_status crn_rows_begin(crn_rows *r, int count)
{
    size_t items = (size_t)r->rows.item_count + 2;
    if (crn_reserve(&r->rows.row_start, &r->item_capacity[0], items, sizeof(int)) ||
        crn_reserve(&r->rows.entry_start, &r->item_capacity[1], items, sizeof(int)))
        return CAIRN_NO_MEMORY;
    int item = r->rows.item_count++;
    r->rows.row_start[item] = r->row_count;
    r->rows.entry_start[item] = r->entry_count;
    r->row_count += count;
    r->rows.row_start[item + 1] = r->row_count;
    r->rows.entry_start[item + 1] = r->entry_count;
    return CAIRN_OK;
}

double *crn_rows_entry(crn_rows *r, int block, int width)
{
    int item = r->rows.item_count - 1;
    assert(item >= 0);
    int count = (r->rows.row_start[item + 1] - r->rows.row_start[item]) * width;
    if (crn_reserve(&r->rows.block, &r->entry_capacity[0], (size_t)r->entry_count + 1, sizeof(int)) ||
        crn_reserve(&r->rows.value_start, &r->entry_capacity[1], (size_t)r->entry_count + 2, sizeof(int)) ||
        crn_reserve(&r->rows.value, &r->value_capacity, (size_t)(r->value_count + count), sizeof(double)))
        return NULL;
    double *values = r->rows.value + r->value_count;
    memset(values, 0, (size_t)count * sizeof(double));
    r->rows.block[r->entry_count] = block;
    r->rows.value_start[r->entry_count] = r->value_count;
    r->value_count += count;
    r->rows.value_start[++r->entry_count] = r->value_count;
    r->rows.entry_start[item + 1] = r->entry_count;
    return values;
}

static void clear_rows(crn_rows *r)
{
    r->rows.item_count = 0;
    r->entry_count = r->value_count = r->row_count = 0;
}

/* ---------------------------------------------------------------------------------------- begin and finish */

void crn_mass_times(const crn_assembly *assembly, const crn_layout *layout, const double *x, double *y)
{
    for (int k = 0; k < layout->block_count; ++k)
    {
        int start = layout->block_start[k];
        int dofs = layout->block_start[k + 1] - start;
        const double *M = assembly->M + layout->mass_start[k];
        for (int i = 0; i < dofs; ++i)
        {
            double sum = 0;
            for (int j = 0; j < dofs; ++j)
                sum += M[i * dofs + j] * x[start + j];
            y[start + i] = sum;
        }
    }
}

void crn_evaluate_masses(crn_assembly *assembly, const crn_layout *layout, const double *q, const double *other)
{
    for (int s = 0; s < (int)layout->model->system_count; ++s)
    {
        const cairn_system_options *o = &layout->model->systems[s].options;
        int block = layout->body_block_count + s;
        int square = o->n * o->n;
        double *M = assembly->M + layout->mass_start[block];
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

void crn_begin(crn_assembly *assembly, const crn_input *in)
{
    const crn_layout *layout = in->layout;
    cairn_problem *problem = &assembly->problem;
    assembly->frame = in->frame;
    /* the mean of both ends keeps second order (Potra et al. 2006, eq. 2.7; (6.9) takes the start alone and loses it) */
    const double *other = in->settings->mass == CAIRN_MASS_MEAN ? in->q_end : NULL;
    crn_evaluate_masses(assembly, layout, in->q_start ? in->q_start : in->q, other);
    memset(problem->A.value, 0, (size_t)layout->value_start[layout->entry_count] * sizeof(double));
    for (int k = 0; k < layout->block_count; ++k)
    {
        size_t size = (size_t)(layout->mass_start[k + 1] - layout->mass_start[k]) * sizeof(double);
        memcpy(problem->A.value + layout->value_start[layout->diagonal[k]], assembly->M + layout->mass_start[k], size);
    }
    crn_mass_times(assembly, layout, in->v, problem->p);
    clear_rows(&assembly->G);
    clear_rows(&assembly->H);
    problem->joint_rows = 0;
    problem->joint_weight = problem->joint_length = NULL;
    problem->contact_count = 0;
    problem->bound = NULL;
    assembly->bounded_count = 0;
    problem->patch_count = 0;
    assembly->patch_item_count = 0;
    assembly->R_used = 0;
    assembly->spring_term_count = 0;
    assembly->force_term_count = 0;
    assembly->gyro_term_count = 0;
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
