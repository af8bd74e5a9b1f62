#include "solve/sweep/gauss_seidel_plan.h"

#include "base/union_find.h"
#include "linalg/blocks.h"
#include "solve/auto/bounded.h"
#include "solve/auto/problem_check.h"
#include "solve/sweep/gauss_seidel_kernel.h"
#include "solve/sweep/gauss_seidel_response.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static const int REFINEMENTS = 2;

/* With responses of so many bodies per contact a second-order method is faster, unless contacts are few. */
static const double DEAR = 50.0;
static const int FEW = 50;

bool crn_gs_plan_open(crn_gs_plan *plan)
{
    plan->saddle = crn_saddle_create();
    return plan->saddle;
}

void crn_gs_plan_close(crn_gs_plan *plan)
{
    crn_saddle_destroy(plan->saddle);
    crn_inverses_release(&plan->D);
    crn_arena_release(&plan->memory);
    memset(plan, 0, sizeof *plan);
}

static cairn_status reserve(crn_gs_plan *plan, const cairn_problem *problem)
{
    size_t blocks = (size_t)problem->block_count + 1;
    size_t n = (size_t)problem->n + 1;
    size_t joints = (size_t)problem->joint_rows + 1;
    return crn_reserve_all(&plan->memory, CRN_ARRAY(plan->cluster, blocks), CRN_ARRAY(plan->cluster_start, blocks + 1),
                           CRN_ARRAY(plan->cluster_block, blocks), CRN_ARRAY(plan->tied, blocks),
                           CRN_ARRAY(plan->touched, blocks), CRN_ARRAY(plan->f, n), CRN_ARRAY(plan->g, joints),
                           CRN_ARRAY(plan->column, n), CRN_ARRAY(plan->residual_v, n),
                           CRN_ARRAY(plan->residual_c, joints));
}

/* ---------------------------------------------------------------------------------------------------- clusters */

static void tie_all(int *parent, const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    for (int i = 0; i < problem->block_count; ++i)
        parent[i] = i;
    for (int i = 0; i < problem->block_count; ++i)
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
            crn_union_join(parent, i, problem->A.column[e]);
    for (int i = 0; i < G->item_count; ++i)
        for (int e = G->entry_start[i] + 1; e < G->entry_start[i + 1]; ++e)
            crn_union_join(parent, G->block[e - 1], G->block[e]);
}

/* Number the clusters in the order of their first blocks. */
static void number_clusters(crn_gs_plan *plan, const cairn_problem *problem)
{
    int *cluster = plan->cluster;
    plan->cluster_count = 0;
    memset(plan->cluster_start, 0, ((size_t)problem->block_count + 2) * sizeof(int));
    for (int i = 0; i < problem->block_count; ++i)
    {
        int leader = crn_union_root(cluster, i);
        assert(leader <= i);
        plan->cluster_block[i] = leader == i ? plan->cluster_count++ : plan->cluster_block[leader];
    }
    memcpy(cluster, plan->cluster_block, (size_t)problem->block_count * sizeof(int));
    for (int i = 0; i < problem->block_count; ++i)
        plan->cluster_start[cluster[i] + 2]++;
    for (int k = 1; k <= plan->cluster_count; ++k)
        plan->cluster_start[k + 1] += plan->cluster_start[k];
    for (int i = 0; i < problem->block_count; ++i)
        plan->cluster_block[plan->cluster_start[cluster[i] + 1]++] = i;
}

static void find_touched(crn_gs_plan *plan, const cairn_problem *problem)
{
    int entries = problem->contact_count > 0 ? problem->H.entry_start[problem->contact_count] : 0;
    memset(plan->touched, 0, (size_t)problem->block_count * sizeof(bool));
    for (int e = 0; e < entries; ++e)
        plan->touched[problem->H.block[e]] = true;
}

/* Every block is a cluster of its own. */
static void list_apart(crn_gs_plan *plan, const cairn_problem *problem)
{
    assert(!plan->ties);
    plan->cluster_count = problem->block_count;
    plan->apart = true;
    for (int i = 0; i < problem->block_count; ++i)
    {
        bool large = problem->block_start[i + 1] - problem->block_start[i] > CRN_MOST_INVERTED;
        plan->cluster[i] = plan->cluster_block[i] = plan->cluster_start[i] = i;
        plan->tied[i] = large;
        plan->apart = plan->apart && !large;
    }
    plan->cluster_start[problem->block_count] = problem->block_count;
}

static void find_clusters(crn_gs_plan *plan, const cairn_problem *problem)
{
    int blocks = problem->block_count;
    plan->apart = false;
    plan->ties = problem->G.item_count > 0 || (blocks > 0 && problem->A.row_start[blocks] > blocks);
    if (!plan->ties)
    {
        list_apart(plan, problem);
        return;
    }
    tie_all(plan->cluster, problem);
    number_clusters(plan, problem);
    for (int k = 0; k < plan->cluster_count; ++k)
        plan->tied[k] = plan->cluster_start[k + 1] - plan->cluster_start[k] > 1;
    for (int i = 0; i < problem->G.item_count; ++i) /* a joint to the ground ties a block to itself */
        for (int e = problem->G.entry_start[i]; e < problem->G.entry_start[i + 1]; ++e)
            plan->tied[plan->cluster[problem->G.block[e]]] = true;
}

/* -------------------------------------------------------------------------------------------------- neighbours */

/* Block (i, j) of a patch of `count` contacts. */
static bool block_is_zero(const double *R, int dim, int count, int i, int j)
{
    assert(i < count);
    assert(j < count);
    size_t stride = (size_t)dim * (size_t)count;
    for (int k = 0; k < dim * dim; ++k)
        if (R[(size_t)(i * dim + k / dim) * stride + (size_t)(j * dim + k % dim)] != 0.0)
            return false;
    return true;
}

/* Whether a patch has several contacts and all are neighbours. */
static bool is_full(const cairn_problem *problem, int k)
{
    int count = problem->patch_start[k + 1] - problem->patch_start[k];
    const double *R = problem->R + problem->R_start[k];
    bool full = count > 1;
    for (int i = 0; i < count && full; ++i)
        for (int j = 0; j < i && full; ++j)
            full = !block_is_zero(R, problem->dim, count, i, j) || !block_is_zero(R, problem->dim, count, j, i);
    return full;
}

/* Count (R_contact NULL) or list the neighbours within patch k; `entry` goes on. */
static size_t list_patch(crn_gs_plan *plan, const cairn_problem *problem, int k, size_t entry)
{
    assert(problem->patch_start[k] <= problem->patch_start[k + 1]);
    assert(problem->patch_start[k + 1] <= problem->contact_count);
    int dim = problem->dim;
    int first = problem->patch_start[k];
    int count = problem->patch_start[k + 1] - first;
    const double *R = problem->R + problem->R_start[k];
    size_t stride = (size_t)dim * (size_t)count;
    for (int i = 0; i < count; ++i)
    {
        bool full = plan->patch[first + i] >= 0;
        plan->R_start[first + i] = entry;
        for (int j = full ? i : 0; j < (full ? i + 1 : count); ++j)
        {
            if (i != j && block_is_zero(R, dim, count, i, j) && block_is_zero(R, dim, count, j, i))
                continue;
            for (int l = 0; l < dim && plan->R_contact; ++l)
            {
                plan->R_contact[entry] = first + j;
                memcpy(plan->R + entry * (size_t)(dim * dim) + (size_t)(l * dim),
                       R + (size_t)(i * dim + l) * stride + (size_t)(j * dim), (size_t)dim * sizeof(double));
            }
            ++entry;
        }
    }
    return entry;
}

/* The neighbours that sparse blocks give, as they are. */
static void list_blocks(crn_gs_plan *plan, const cairn_problem *problem)
{
    const cairn_block_matrix *W = &problem->W;
    for (int j = 0; j < problem->contact_count; ++j)
        plan->R_start[j] = (size_t)W->row_start[j];
    memcpy(plan->R_contact, W->column, (size_t)W->row_start[W->block_count] * sizeof(int));
    memcpy(plan->R, W->value, (size_t)W->value_start[W->row_start[W->block_count]] * sizeof(double));
}

static size_t list_neighbours(crn_gs_plan *plan, const cairn_problem *problem)
{
    if (problem->W.block_count > 0)
    {
        plan->R_start[problem->contact_count] = (size_t)problem->W.row_start[problem->contact_count];
        if (plan->R_contact)
            list_blocks(plan, problem);
        return plan->R_start[problem->contact_count];
    }
    size_t entry = 0;
    int contact = 0;
    for (int k = 0; k < problem->patch_count; ++k)
    {
        for (; contact < problem->patch_start[k]; ++contact)
            plan->R_start[contact] = entry;
        entry = list_patch(plan, problem, k, entry);
        contact = problem->patch_start[k + 1];
    }
    for (; contact <= problem->contact_count; ++contact)
        plan->R_start[contact] = entry;
    return entry;
}

/* Whether a patch shares its matrix with the one before, as patches of the same two materials do. */
static bool is_shared(const cairn_problem *problem, int k)
{
    const int *start = problem->patch_start;
    return k > 0 && problem->R_start[k] == problem->R_start[k - 1] && start[k] > start[k - 1] &&
           start[k + 1] - start[k] == start[k] - start[k - 1];
}

/* Which patches are full, and the transposes of their R. */
static cairn_status find_patches(crn_gs_plan *plan, const cairn_problem *problem)
{
    size_t contacts = (size_t)problem->contact_count;
    CRN_TRY(crn_reserve_all(&plan->memory, CRN_ARRAY(plan->patch, contacts + 1),
                            CRN_ARRAY(plan->column_start, problem->patch_count + 1),
                            CRN_ARRAY(plan->Rr, (size_t)problem->dim * contacts + 1)));
    for (int j = 0; j < problem->contact_count; ++j)
        plan->patch[j] = -1;
    size_t used = 0;
    for (int k = 0; k < problem->patch_count; ++k)
    {
        size_t side = (size_t)problem->dim * (size_t)(problem->patch_start[k + 1] - problem->patch_start[k]);
        const double *R = problem->R + problem->R_start[k];
        bool same = is_shared(problem, k);
        bool full = same ? plan->patch[problem->patch_start[k] - 1] >= 0 : is_full(problem, k);
        plan->column_start[k] = same ? plan->column_start[k - 1] : used;
        for (int j = problem->patch_start[k]; j < problem->patch_start[k + 1] && full; ++j)
            plan->patch[j] = k;
        if (same || !full)
            continue;
        CRN_TRY(crn_reserve_all(&plan->memory, CRN_ARRAY(plan->columns, used + side * side)));
        for (size_t i = 0; i < side; ++i)
            for (size_t j = 0; j < side; ++j)
                plan->columns[used + j * side + i] = R[i * side + j];
        used += side * side;
    }
    return CAIRN_OK;
}

static cairn_status find_neighbours(crn_gs_plan *plan, const cairn_problem *problem)
{
    size_t dim = (size_t)problem->dim;
    CRN_TRY(crn_reserve_all(&plan->memory, CRN_ARRAY(plan->R_start, problem->contact_count + 1)));
    CRN_TRY(find_patches(plan, problem));
    int *listed = plan->R_contact;
    plan->R_contact = NULL;
    size_t entries = list_neighbours(plan, problem);
    plan->R_contact = listed;
    CRN_TRY(crn_reserve_all(&plan->memory, CRN_ARRAY(plan->R_contact, entries + 1),
                            CRN_ARRAY(plan->R, (entries + 1) * dim * dim)));
    list_neighbours(plan, problem);
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------- the whole */

/* Whether contacts move large clusters, on average. */
static bool is_dear(const crn_gs_plan *plan, const cairn_problem *problem)
{
    const cairn_block_rows *H = &problem->H;
    double moved = 0.0; /* blocks */
    for (int j = 0; j < problem->contact_count; ++j)
    {
        int last = -1;
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            int cluster = plan->cluster[H->block[e]];
            moved += cluster == last ? 0 : plan->cluster_start[cluster + 1] - plan->cluster_start[cluster];
            last = cluster;
        }
    }
    return moved > DEAR * problem->contact_count && problem->contact_count > FEW;
}

cairn_status crn_gs_plan_arrange(crn_gs_plan *plan, cairn_context *context, const cairn_problem *problem)
{
    if (reserve(plan, problem) || find_neighbours(plan, problem))
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory for %d contacts", problem->contact_count);
    plan->multiples = crn_has_multiples(problem);
    find_touched(plan, problem);
    find_clusters(plan, problem);
    assert(plan->cluster_start[plan->cluster_count] == problem->block_count);
    if (crn_gs_plan_colour(plan, problem))
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory to colour %d contacts", problem->contact_count);
    return CAIRN_OK;
}

cairn_status crn_gs_plan_make(crn_gs_plan *plan, cairn_context *context, const cairn_problem *problem, bool *dear)
{
    CRN_TRY(crn_gs_plan_arrange(plan, context, problem));
    if (dear && (*dear = is_dear(plan, problem)))
        return CAIRN_OK;
    if (!plan->apart)
        CRN_TRY(crn_saddle_factorise(plan->saddle, context, problem));
    return crn_gs_plan_respond(plan, context, problem);
}

/* p + G'c + H'r - A v and b - G v - R_c c */
static void find_residual(crn_gs_plan *plan, const cairn_problem *problem, const double *r, const double *v,
                          const double *c)
{
    long double *dynamics = plan->residual_v;
    for (int i = 0; i < problem->n; ++i)
        dynamics[i] = 0.0L;
    crn_matrix_add(&problem->A, problem->block_start, v, dynamics);
    for (int i = 0; i < problem->n; ++i)
        dynamics[i] = problem->p[i] - dynamics[i];
    crn_rows_transposed_add(&problem->G, problem->block_start, 1.0, c, dynamics);
    crn_rows_transposed_add(&problem->H, problem->block_start, 1.0, r, dynamics);
    for (int i = 0; i < problem->joint_rows; ++i)
        plan->residual_c[i] = problem->b[i] - (long double)problem->R_c[i] * c[i];
    crn_rows_add(&problem->G, problem->block_start, -1.0, v, plan->residual_c);
}

/* The same at v = 0 and c = 0: the right-hand side. */
static void start_residual(crn_gs_plan *plan, const cairn_problem *problem, const double *r)
{
    for (int i = 0; i < problem->n; ++i)
        plan->residual_v[i] = problem->p[i];
    crn_rows_transposed_add(&problem->H, problem->block_start, 1.0, r, plan->residual_v);
    for (int i = 0; i < problem->joint_rows; ++i)
        plan->residual_c[i] = problem->b[i];
}

static void clear(double *x, int count)
{
    for (int i = 0; i < count; ++i)
        x[i] = 0.0;
}

/* x += d; true when d is no more than rounding in the largest of x. */
static bool correct(int count, const double *d, double *x)
{
    double largest = 0.0;
    double change = 0.0;
    for (int i = 0; i < count; ++i)
    {
        x[i] += d[i];
        largest = fmax(largest, fabs(x[i]));
        change = fmax(change, fabs(d[i]));
    }
    return change <= DBL_EPSILON * largest;
}

/* v += A_ii^-1 of a residual. */
static void correct_block(crn_gs_plan *plan, const cairn_problem *problem, int i, double *v)
{
    assert(i >= 0 && i < problem->block_count);
    int first = problem->block_start[i];
    for (int k = first; k < problem->block_start[i + 1]; ++k)
        plan->f[k] = (double)plan->residual_v[k];
    crn_inverses_add(&plan->D, i, plan->f + first, v + first);
}

/* Blocks with nothing off the diagonal need no refinement; those that no contact touches are refined at once. */
static void recover_block(crn_gs_plan *plan, const cairn_problem *problem, int i, bool refined, double *v)
{
    assert(problem->A.column[i] == i);
    int first = problem->block_start[i];
    int size = problem->block_start[i + 1] - first;
    for (int k = 0; k < size; ++k)
        v[first + k] = 0.0;
    correct_block(plan, problem, i, v);
    if (plan->D.lead[i] < size && (refined || !plan->touched[i]))
    {
        crn_block_add(size, size, problem->A.value + problem->A.value_start[i], -1.0, v + first,
                      plan->residual_v + first);
        correct_block(plan, problem, i, v);
    }
}

static void recover_apart(crn_gs_plan *plan, const cairn_problem *problem, bool refined, const double *r, double *v)
{
    assert(plan->apart);
    for (int i = 0; i < problem->n; ++i)
        plan->residual_v[i] = problem->p[i];
    if (r)
        crn_rows_transposed_add(&problem->H, problem->block_start, 1.0, r, plan->residual_v);
    for (int i = 0; i < problem->block_count; ++i)
        if (plan->touched[i] || !refined)
            recover_block(plan, problem, i, refined, v);
}

void crn_gs_plan_free_velocity(crn_gs_plan *plan, const cairn_problem *problem, double *x)
{
    if (plan->apart)
    {
        recover_apart(plan, problem, false, NULL, x);
        return;
    }
    memcpy(x, problem->p, (size_t)problem->n * sizeof(double));
    crn_saddle_solve_free(plan->saddle, x);
}

static void recover_tied(crn_gs_plan *plan, const cairn_problem *problem, bool refined, const double *r, double *v,
                         double *c)
{
    assert(!plan->apart);
    int passes = refined ? 1 + REFINEMENTS : 1;
    bool settled = false;
    clear(v, problem->n);
    clear(c, problem->joint_rows);
    for (int pass = 0; pass < passes && !settled; ++pass)
    {
        if (pass == 0)
            start_residual(plan, problem, r);
        else
            find_residual(plan, problem, r, v, c);
        for (int i = 0; i < problem->n; ++i)
            plan->f[i] = (double)plan->residual_v[i];
        for (int i = 0; i < problem->joint_rows; ++i)
            plan->g[i] = (double)plan->residual_c[i];
        crn_saddle_solve(plan->saddle, plan->f, plan->g);
        settled = correct(problem->n, plan->f, v);
        settled = correct(problem->joint_rows, plan->g, c) && settled;
    }
}

void crn_gs_plan_change(const crn_gs_plan *plan, const cairn_problem *problem, int j, const double *change)
{
    assert(j >= 0 && j < problem->contact_count);
    assert(plan->patch[j] < problem->patch_count);
    int k = plan->patch[j];
    if (k >= 0)
    {
        int first = problem->patch_start[k], rows = problem->dim * (problem->patch_start[k + 1] - first);
        const double *columns =
            plan->columns + plan->column_start[k] + (size_t)(j - first) * (size_t)(problem->dim * rows);
        crn_gs_spread(problem->dim, rows, columns, change, plan->Rr + (size_t)first * (size_t)problem->dim);
    }
}

/* R r of the full patches. */
static void recover_compliance(crn_gs_plan *plan, const cairn_problem *problem, const double *r)
{
    clear(plan->Rr, problem->dim * problem->contact_count);
    for (int j = 0; j < problem->contact_count; ++j)
        crn_gs_plan_change(plan, problem, j, r + (size_t)j * (size_t)problem->dim);
}

void crn_gs_plan_recover(crn_gs_plan *plan, const cairn_problem *problem, bool refined, const double *r, double *v,
                         double *c)
{
    if (plan->apart)
        recover_apart(plan, problem, refined, r, v);
    else
        recover_tied(plan, problem, refined, r, v, c);
    if (problem->patch_count > 0)
        recover_compliance(plan, problem, r);
}
