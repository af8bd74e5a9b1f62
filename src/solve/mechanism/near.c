#include "solve/mechanism/near.h"

#include "solve/auto/bounded.h"

#include <assert.h>
#include <string.h>

/* The compliance of several rigid held rows of one joint, about the impulses found before, as a share of their inverse mass: rows of one
 * coordinate repeat each other. A row that gives by more than RIGID of it, as a soft drive does, is told from the others by that. */
static const double SHARED = 1e-10;
static const double RIGID = 1e-6;

void crn_near_release(crn_near *near)
{
    crn_arena_release(&near->memory);
    memset(near, 0, sizeof *near);
}

bool crn_near_applies(const cairn_problem *problem)
{
    bool applies = problem->bound && problem->W.block_count == 0 && !crn_has_multiples(problem);
    for (int k = 0; k < problem->patch_count && applies; ++k)
        for (int j = problem->patch_start[k]; j < problem->patch_start[k + 1] && applies; ++j)
            applies = crn_is_row(problem, j) && problem->patch_start[k + 1] - problem->patch_start[k] == 1;
    return applies;
}

/* ----------------------------------------------------------------------------------------------------------- the joints */

static void list_joints(crn_near *near, const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    int *start = near->joint_start, entries = G->entry_start[G->item_count];
    memset(start, 0, (size_t)(problem->block_count + 2) * sizeof(int));
    for (int e = 0; e < entries; ++e)
        ++start[G->block[e] + 2];
    for (int i = 0; i < problem->block_count; ++i)
        start[i + 2] += start[i + 1];
    for (int i = 0; i < G->item_count; ++i)
        for (int e = G->entry_start[i]; e < G->entry_start[i + 1]; ++e)
            near->joint[start[G->block[e] + 1]++] = i;
}

static bool touches(const cairn_block_rows *G, int i, int block)
{
    bool found = false;
    for (int e = G->entry_start[i]; e < G->entry_start[i + 1]; ++e)
        found = found || G->block[e] == block;
    return found;
}

/* The joint between the bodies of bounded row j; -1: there is none. */
static int find_joint(const crn_near *near, const cairn_problem *problem, int j)
{
    const cairn_block_rows *H = &problem->H;
    const int *start = near->joint_start;
    int e = H->entry_start[j], count = H->entry_start[j + 1] - e, found = -1;
    if (count < 1 || count > 2)
        return -1;
    int own = H->block[e], other = H->block[e + count - 1];
    if (start[other + 1] - start[other] < start[own + 1] - start[own])
    {
        own = other;
        other = H->block[e];
    }
    for (int k = start[own]; k < start[own + 1] && found < 0; ++k)
        found = touches(&problem->G, near->joint[k], other) ? near->joint[k] : -1;
    return found;
}

/* Trace of B_j D^-1 B_j' with D the diagonal of A: an inverse mass of the row. */
static double inverse_mass(const cairn_problem *problem, int j)
{
    const cairn_block_rows *H = &problem->H;
    double sum = 0.0;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int block = H->block[e], size = problem->block_start[block + 1] - problem->block_start[block];
        const double *A = problem->A.value + problem->A.value_start[problem->A.row_start[block]];
        const double *B = H->value + H->value_start[e];
        for (int k = 0; k < size; ++k)
            sum += B[k] * B[k] / A[k * (size + 1)];
    }
    return sum;
}

cairn_status crn_near_arrange(crn_near *near, const cairn_problem *problem, bool *fits)
{
    int items = problem->contact_count, joints = problem->G.item_count;
    *fits = false;
    if (joints == 0)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&near->memory, CRN_ARRAY(near->side, items), CRN_ARRAY(near->next, items),
                            CRN_ARRAY(near->place, items), CRN_ARRAY(near->compliance, items),
                            CRN_ARRAY(near->mobility, items), CRN_ARRAY(near->stiffness, items),
                            CRN_ARRAY(near->pull, items), CRN_ARRAY(near->first, joints),
                            CRN_ARRAY(near->joint_start, problem->block_count + 2),
                            CRN_ARRAY(near->joint, problem->G.entry_start[joints])));
    list_joints(near, problem);
    memset(near->compliance, 0, (size_t)items * sizeof(double));
    for (int k = 0; k < problem->patch_count; ++k)
        near->compliance[problem->patch_start[k]] = problem->R[problem->R_start[k]];
    for (int i = 0; i < joints; ++i)
        near->first[i] = -1;
    *fits = true;
    for (int j = items - 1; j >= 0 && *fits; --j)
    {
        int joint = crn_is_row(problem, j) ? find_joint(near, problem, j) : -1;
        *fits = joint >= 0 || !crn_is_row(problem, j);
        near->next[j] = joint >= 0 ? near->first[joint] : -1;
        near->mobility[j] = joint >= 0 ? inverse_mass(problem, j) : 0.0;
        if (joint >= 0)
            near->first[joint] = j;
    }
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- the problem */

static int count_held(const crn_near *near, int joint)
{
    int count = 0;
    for (int j = near->first[joint]; j >= 0; j = near->next[j])
        count += near->side[j] == CRN_HELD;
    return count;
}

/* Whether several held rows of a joint are rigid. */
static bool has_repeated(const crn_near *near, int joint)
{
    int count = 0;
    for (int j = near->first[joint]; j >= 0; j = near->next[j])
        count += near->side[j] == CRN_HELD && near->compliance[j] <= RIGID * near->mobility[j];
    return count > 1;
}

static cairn_status reserve(crn_near *near, const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    cairn_problem *to = &near->problem;
    int entries = G->entry_start[G->item_count], rows = 0, values = 0;
    for (int i = 0; i < G->item_count; ++i)
    {
        int own = G->row_start[i + 1] - G->row_start[i] + count_held(near, i);
        rows += own;
        for (int e = G->entry_start[i]; e < G->entry_start[i + 1]; ++e)
            values += own * (problem->block_start[G->block[e] + 1] - problem->block_start[G->block[e]]);
    }
    to->joint_rows = rows;
    CRN_TRY(crn_reserve_all(&near->memory, CRN_ARRAY(to->p, problem->n), CRN_ARRAY(to->G.row_start, G->item_count + 1),
                            CRN_ARRAY(to->G.value_start, entries + 1), CRN_ARRAY(to->G.value, values),
                            CRN_ARRAY(to->R_c, rows), CRN_ARRAY(to->b, rows), CRN_ARRAY(near->solution.c, rows)));
    int items = problem->contact_count;
    return crn_reserve_all(&near->memory, CRN_ARRAY(to->H.row_start, items + 1),
                           CRN_ARRAY(to->H.entry_start, items + 1), CRN_ARRAY(to->H.block, 2 * items),
                           CRN_ARRAY(to->H.value_start, 2 * items + 1), CRN_ARRAY(to->w, 3 * items),
                           CRN_ARRAY(to->mu, items), CRN_ARRAY(near->solution.r, 3 * items));
}

/* The entry of bounded row j that touches a block; -1: none. */
static int find_entry(const cairn_block_rows *H, int j, int block)
{
    int found = -1;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        found = H->block[e] == block ? e : found;
    return found;
}

/* Write the values of joint i for one of its bodies: its own rows, then those of its held rows. */
static double *write_entry(const crn_near *near, const cairn_problem *problem, int i, int e, double *to)
{
    const cairn_block_rows *G = &problem->G, *H = &problem->H;
    int block = G->block[e];
    size_t size = (size_t)(problem->block_start[block + 1] - problem->block_start[block]);
    size_t own = (size_t)(G->row_start[i + 1] - G->row_start[i]) * size;
    memcpy(to, G->value + G->value_start[e], own * sizeof(double));
    to += own;
    for (int j = near->first[i]; j >= 0; j = near->next[j])
    {
        if (near->side[j] != CRN_HELD)
            continue;
        int from = find_entry(H, j, block);
        if (from >= 0)
            memcpy(to, H->value + H->value_start[from], size * sizeof(double));
        else
            memset(to, 0, size * sizeof(double));
        to += size;
    }
    return to;
}

/* The equations of joint i with its held rows. */
static void write_joint(crn_near *near, const cairn_problem *problem, int i, const double *r, int *row, double **value)
{
    const cairn_block_rows *G = &problem->G;
    cairn_problem *to = &near->problem;
    int from = G->row_start[i], own = G->row_start[i + 1] - from;
    bool shared = has_repeated(near, i);
    near->repeats = near->repeats || shared;
    to->G.row_start[i] = *row;
    for (int e = G->entry_start[i]; e < G->entry_start[i + 1]; ++e)
    {
        to->G.value_start[e] = (int)(*value - to->G.value);
        *value = write_entry(near, problem, i, e, *value);
    }
    memcpy(to->b + *row, problem->b + from, (size_t)own * sizeof(double));
    memcpy(to->R_c + *row, problem->R_c + from, (size_t)own * sizeof(double));
    *row += own;
    for (int j = near->first[i]; j >= 0; j = near->next[j])
    {
        if (near->side[j] != CRN_HELD)
            continue;
        double give = shared ? SHARED * near->mobility[j] : 0.0;
        near->place[j] = *row;
        to->b[*row] = near->pull[j] + give * r[j * problem->dim] - problem->w[j * problem->dim];
        to->R_c[*row] = near->compliance[j] + near->stiffness[j] + give;
        ++*row;
    }
}

/* p += B_j' z of a row at a bound. */
static void push(const cairn_problem *problem, int j, double z, double *p)
{
    const cairn_block_rows *H = &problem->H;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int first = problem->block_start[H->block[e]], size = problem->block_start[H->block[e] + 1] - first;
        const double *B = H->value + H->value_start[e];
        for (int k = 0; k < size && z != 0.0; ++k)
            p[first + k] += B[k] * z;
    }
}

/* Contact j becomes the next of the contacts. */
static void write_contact(crn_near *near, const cairn_problem *problem, int j)
{
    const cairn_block_rows *H = &problem->H;
    cairn_problem *to = &near->problem;
    int at = to->contact_count++, dim = problem->dim, entry = to->H.entry_start[at];
    near->place[j] = at;
    to->mu[at] = problem->mu[j];
    memcpy(to->w + dim * at, problem->w + dim * j, (size_t)dim * sizeof(double));
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e, ++entry)
    {
        to->H.block[entry] = H->block[e];
        to->H.value_start[entry] = H->value_start[e];
    }
    to->H.entry_start[at + 1] = entry;
    to->H.row_start[at + 1] = dim * (at + 1);
}

/* What stays as it is. The arrays of the problem at hand remain its own. */
static void begin(crn_near *near, const cairn_problem *problem)
{
    cairn_problem *to = &near->problem, own = *to;
    *to = (cairn_problem){.block_count = problem->block_count,
                          .block_start = problem->block_start,
                          .n = problem->n,
                          .dim = problem->dim,
                          .law = problem->law,
                          .A = problem->A,
                          .length = problem->length};
    to->p = own.p;
    to->joint_rows = own.joint_rows;
    to->G = own.G;
    to->G.item_count = problem->G.item_count;
    to->G.entry_start = problem->G.entry_start;
    to->G.block = problem->G.block;
    to->R_c = own.R_c;
    to->b = own.b;
    to->H = own.H;
    to->H.value = problem->H.value;
    to->w = own.w;
    to->mu = own.mu;
    to->H.entry_start[0] = to->H.row_start[0] = 0;
    memcpy(to->p, problem->p, (size_t)problem->n * sizeof(double));
}

cairn_status crn_near_make(crn_near *near, const cairn_problem *problem, const cairn_solution *solution)
{
    CRN_TRY(reserve(near, problem));
    begin(near, problem);
    near->repeats = false;
    cairn_problem *to = &near->problem;
    double *value = to->G.value;
    int row = 0, entries = problem->G.entry_start[problem->G.item_count], dim = problem->dim;
    for (int i = 0; i < problem->G.item_count; ++i)
        write_joint(near, problem, i, solution->r, &row, &value);
    assert(row == to->joint_rows);
    to->G.row_start[problem->G.item_count] = row;
    to->G.value_start[entries] = (int)(value - to->G.value);
    for (int j = 0; j < problem->contact_count; ++j)
        if (!crn_is_row(problem, j))
        {
            write_contact(near, problem, j);
            memcpy(near->solution.r + dim * near->place[j], solution->r + dim * j, (size_t)dim * sizeof(double));
        }
        else if (near->side[j] != CRN_HELD)
            push(problem, j, crn_near_impulse(near, problem, j), to->p);
    to->H.item_count = to->contact_count;
    near->solution.n = problem->n;
    near->solution.joint_rows = row;
    near->solution.contact_rows = dim * to->contact_count;
    near->solution.v = solution->v;
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------------------------------- the solution */

double crn_near_impulse(const crn_near *near, const cairn_problem *problem, int j)
{
    assert(crn_is_row(problem, j));
    if (near->side[j] == CRN_HELD)
        return near->solution.c[near->place[j]];
    return near->side[j] == CRN_AT_LO ? problem->bound[j].lo : problem->bound[j].hi;
}

void crn_near_take(crn_near *near, const cairn_problem *problem, const cairn_solution *solution)
{
    int dim = problem->dim;
    near->solution.v = solution->v;
    for (int i = 0; i < problem->G.item_count; ++i)
        memcpy(near->solution.c + near->problem.G.row_start[i], solution->c + problem->G.row_start[i],
               (size_t)(problem->G.row_start[i + 1] - problem->G.row_start[i]) * sizeof(double));
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const double *r = solution->r + (size_t)dim * (size_t)j;
        if (!crn_is_row(problem, j))
            memcpy(near->solution.r + dim * near->place[j], r, (size_t)dim * sizeof(double));
        else if (near->side[j] == CRN_HELD)
            near->solution.c[near->place[j]] = r[0];
    }
}

void crn_near_give(const crn_near *near, const cairn_problem *problem, cairn_solution *solution)
{
    int dim = problem->dim;
    for (int i = 0; i < problem->G.item_count; ++i)
        memcpy(solution->c + problem->G.row_start[i], near->solution.c + near->problem.G.row_start[i],
               (size_t)(problem->G.row_start[i + 1] - problem->G.row_start[i]) * sizeof(double));
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double *r = solution->r + (size_t)dim * (size_t)j;
        if (!crn_is_row(problem, j))
        {
            memcpy(r, near->solution.r + dim * near->place[j], (size_t)dim * sizeof(double));
            continue;
        }
        memset(r, 0, (size_t)dim * sizeof(double));
        r[0] = crn_clip((crn_interval){problem->bound[j].lo, problem->bound[j].hi}, crn_near_impulse(near, problem, j));
    }
}
