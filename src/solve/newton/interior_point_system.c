/* The Newton system with the contacts eliminated group by group. With E = T R S + Theta of a group,
 *
 *     dx = E^-1 (e - T H dv),      (A + sum H'S E^-1 T H) dv - G'dc = f + sum H'S E^-1 e,      G dv + R_c dc = g,
 *
 * a saddle matrix with A's block pattern and one more coupling for each pair of bodies that touch. Theta > 0 keeps E
 * regular whether contacts are redundant or not. Towards the solution the entries of Theta spread over many
 * magnitudes and dx loses digits: each solution is refined with residuals of the whole system in long double.
 */
#include "linalg/blocks.h"
#include "linalg/compliance.h"
#include "linalg/lu.h"
#include "solve/newton/interior_point.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    REFINEMENTS = 2
};

bool crn_ip_system_open(crn_ip_system *system)
{
    system->saddle = crn_saddle_create();
    return system->saddle;
}

void crn_ip_system_close(crn_ip_system *system)
{
    crn_arena_release(&system->memory);
    crn_saddle_destroy(system->saddle);
    memset(system, 0, sizeof *system);
}

static cairn_status reserve(crn_ip_system *system)
{
    const cairn_problem *problem = system->problem;
    size_t rows = (size_t)system->layout->rows + 1;
    size_t full = (size_t)(problem->dim * problem->contact_count) + 1;
    size_t group = (size_t)system->most_rows + 1;
    size_t dense = group * ((size_t)system->most_columns + 1);
    CRN_TRY(crn_reserve_all(&system->memory,
                            CRN_ARRAY(system->E, (system->sparse ? 0 : system->E_start[system->groups]) + 1),
                            CRN_ARRAY(system->E_row, rows), CRN_ARRAY(system->B, dense), CRN_ARRAY(system->X, dense),
                            CRN_ARRAY(system->C, dense + rows), CRN_ARRAY(system->r, full), CRN_ARRAY(system->u, full),
                            CRN_ARRAY(system->sum_u, full), CRN_ARRAY(system->sum_v, problem->n + 1),
                            CRN_ARRAY(system->sum_c, problem->joint_rows + 1)));
    CRN_TRY(crn_ip_vector_reserve(&system->memory, &system->rest, problem, system->layout));
    return crn_ip_vector_reserve(&system->memory, &system->correction, problem, system->layout);
}

cairn_status crn_ip_system_prepare(crn_ip_system *system, const cairn_problem *problem, const crn_ip_layout *layout,
                                   const crn_ip_blocks *blocks)
{
    assert(layout->cones == problem->contact_count);
    system->problem = problem;
    system->layout = layout;
    system->blocks = blocks;
    system->sparse = problem->W.block_count > 0;
    if (system->sparse)
    {
        system->groups = system->most_rows = system->most_columns = 0;
        CRN_TRY(crn_ip_sparse_prepare(system));
        return reserve(system);
    }
    CRN_TRY(crn_ip_find_groups(system));
    CRN_TRY(crn_ip_find_pattern(system));
    return reserve(system);
}

/* z becomes T z: the rows of one cone, `stride` apart. */
static void tilt(const crn_ip_blocks *blocks, double *z, int stride)
{
    assert(blocks->size >= 1 && blocks->size <= 3);
    double old[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < blocks->size; ++k)
        old[k] = z[k * stride];
    for (int k = 0; k < blocks->size; ++k)
    {
        const double *T = blocks->T + 3 * k;
        z[k * stride] = T[0] * old[0] + T[1] * old[1] + T[2] * old[2];
    }
}

void crn_ip_apply_theta(const crn_ip_system *system, const crn_ip_blocks *blocks, const double *x, long double *out)
{
    if (system->scaled)
    {
        crn_ip_scaling_theta(&blocks->scaling, 1, x, out);
        return;
    }
    for (int i = 0; i < blocks->size; ++i)
    {
        out[i] = 0.0L;
        for (int k = 0; k < blocks->size; ++k)
            out[i] += (long double)blocks->Theta[3 * i + k] * x[k];
    }
}

/* The inverse of E = Theta of a rigid contact is known from its scaling. */
static bool inverse_is_known(const crn_ip_system *system, int g)
{
    assert(g >= 0 && g < system->groups);
    return system->scaled && system->patch[g] < 0;
}

/* E += Theta of contact j, whose rows start at `start` in the group. */
static void add_theta(const crn_ip_system *system, int j, double *E, int rows, int start)
{
    int size = system->blocks[j].size;
    for (int k = 0; k < size; ++k)
    {
        double unit[3] = {k == 0, k == 1, k == 2};
        long double column[3];
        crn_ip_apply_theta(system, &system->blocks[j], unit, column);
        for (int i = 0; i < size; ++i)
            E[(size_t)(start + i) * (size_t)rows + (size_t)(start + k)] += (double)column[i];
    }
}

/* E = R S of a patch. */
static void gather_compliance(const crn_ip_system *system, int g, double *E, int rows)
{
    const cairn_problem *problem = system->problem;
    const int *full = system->layout->full + system->layout->first[system->group_start[g]];
    const double *S = system->layout->S + system->layout->first[system->group_start[g]];
    const double *R = problem->R + problem->R_start[system->patch[g]];
    int width = (system->group_start[g + 1] - system->group_start[g]) * problem->dim;
    int origin = system->group_start[g] * problem->dim;
    for (int i = 0; i < rows; ++i)
    {
        const double *row = R + (size_t)(full[i] - origin) * (size_t)width;
        for (int k = 0; k < rows; ++k)
            E[(size_t)i * (size_t)rows + (size_t)k] = row[full[k] - origin] * S[k];
    }
}

/* Factorise E = T R S + Theta of a group. */
static bool factorise_group(crn_ip_system *system, int g)
{
    const crn_ip_layout *layout = system->layout;
    int first = layout->first[system->group_start[g]];
    int rows = layout->first[system->group_start[g + 1]] - first;
    double *E = system->E + system->E_start[g];
    if (inverse_is_known(system, g))
        return true;
    memset(E, 0, (size_t)rows * (size_t)rows * sizeof(double));
    if (system->patch[g] >= 0)
        gather_compliance(system, g, E, rows);
    for (int j = system->group_start[g]; j < system->group_start[g + 1]; ++j)
    {
        int start = layout->first[j] - first;
        for (int k = 0; k < rows && system->patch[g] >= 0; ++k)
            tilt(&system->blocks[j], E + (size_t)start * (size_t)rows + (size_t)k, rows);
        add_theta(system, j, E, rows, start);
    }
    return crn_lu_factorise(rows, E, rows, system->E_row + first, 0.0);
}

/* x = E^-1 e for `columns` right-hand sides of a group, by its factors. */
static void solve_group(crn_ip_system *system, int g, const double *e, double *x, int columns)
{
    assert(columns > 0);
    assert(e != x);
    const crn_ip_layout *layout = system->layout;
    int first = layout->first[system->group_start[g]];
    int rows = layout->first[system->group_start[g + 1]] - first;
    for (int i = 0; i < rows; ++i)
    {
        memcpy(x + (size_t)i * (size_t)columns, e + (size_t)system->E_row[first + i] * (size_t)columns,
               (size_t)columns * sizeof(double));
    }
    crn_lu_solve(rows, system->E + system->E_start[g], rows, x, columns, columns);
}

/* x = E^-1 e on the rows of all contacts. */
static void solve_contacts(crn_ip_system *system, const double *e, double *x)
{
    for (int g = 0; g < system->groups; ++g)
    {
        int j = system->group_start[g];
        int first = system->layout->first[j];
        if (!inverse_is_known(system, g))
        {
            solve_group(system, g, e + first, x + first, 1);
            continue;
        }
        long double solved[3];
        crn_ip_scaling_theta(&system->blocks[j].scaling, -1, e + first, solved);
        for (int i = 0; i < system->blocks[j].size; ++i)
            x[first + i] = (double)solved[i];
    }
}

/* The rows of H of group g, dense over the blocks it touches; place[] is the first column of each block. Returns the
 * number of columns. */
static int gather_rows(crn_ip_system *system, int g)
{
    assert(system->touched_start[g] <= system->touched_start[g + 1]);
    const cairn_problem *problem = system->problem;
    const crn_ip_layout *layout = system->layout;
    const cairn_block_rows *H = &problem->H;
    int origin = layout->first[system->group_start[g]];
    int rows = layout->first[system->group_start[g + 1]] - origin;
    int columns = 0;
    for (int k = system->touched_start[g]; k < system->touched_start[g + 1]; ++k)
    {
        system->place[system->touched[k]] = columns;
        columns += problem->block_start[system->touched[k] + 1] - problem->block_start[system->touched[k]];
    }
    memset(system->B, 0, (size_t)rows * (size_t)columns * sizeof(double));
    for (int j = system->group_start[g]; j < system->group_start[g + 1]; ++j)
    {
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            int size = problem->block_start[H->block[e] + 1] - problem->block_start[H->block[e]];
            for (int i = layout->first[j]; i < layout->first[j + 1]; ++i)
            {
                const double *value = H->value + H->value_start[e] + (i - layout->first[j]) * size;
                double *row = system->B + (size_t)(i - origin) * (size_t)columns + system->place[H->block[e]];
                for (int k = 0; k < size; ++k)
                    row[k] += value[k];
            }
        }
    }
    return columns;
}

static int find_entry(const crn_ip_system *system, int row, int column)
{
    int low = system->row_start[row];
    int high = system->row_start[row + 1] - 1;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (system->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    assert(system->column[low] == column);
    return low;
}

/* Add B' X to the block (a, b) of the condensed matrix. */
static void add_block(crn_ip_system *system, int g, int columns, int a, int b)
{
    assert(system->place[a] < columns);
    assert(system->place[b] < columns);
    const int *start = system->problem->block_start;
    int rows = system->layout->first[system->group_start[g + 1]] - system->layout->first[system->group_start[g]];
    int width = start[b + 1] - start[b];
    double *out = system->value + system->value_start[find_entry(system, a, b)];
    for (int i = 0; i < rows; ++i)
    {
        const double *left = system->B + (size_t)i * (size_t)columns + system->place[a];
        const double *right = system->X + (size_t)i * (size_t)columns + system->place[b];
        for (int k = 0; k < start[a + 1] - start[a]; ++k)
        {
            double factor = left[k];
            for (int l = 0; l < width && factor != 0.0; ++l)
                out[k * width + l] += factor * right[l];
        }
    }
}

/* The two factors of H'S E^-1 T H: S H and E^-1 T H, or V S H and V T H where E^-1 = V'V is known. */
static void find_factors(crn_ip_system *system, int g, int columns)
{
    const crn_ip_layout *layout = system->layout;
    int origin = layout->first[system->group_start[g]];
    int rows = layout->first[system->group_start[g + 1]] - origin;
    bool known = inverse_is_known(system, g);
    double *tilted = known ? system->X : system->C;
    memcpy(tilted, system->B, (size_t)rows * (size_t)columns * sizeof(double));
    for (int j = system->group_start[g]; j < system->group_start[g + 1]; ++j)
    {
        size_t place = (size_t)(layout->first[j] - origin) * (size_t)columns;
        for (int k = 0; k < columns; ++k)
        {
            tilt(&system->blocks[j], tilted + place + k, columns);
            system->B[place + (size_t)k] *= layout->S[layout->first[j]]; /* S is 1 on tangents */
            if (known)
            {
                crn_ip_scaling_root(&system->blocks[j].scaling, system->B + place + k, columns);
                crn_ip_scaling_root(&system->blocks[j].scaling, system->X + place + k, columns);
            }
        }
    }
    if (!known)
        solve_group(system, g, system->C, system->X, columns);
}

/* Add H'S E^-1 T H of group g. */
static void condense_group(crn_ip_system *system, int g)
{
    int columns = gather_rows(system, g);
    find_factors(system, g, columns);
    for (int k = system->touched_start[g]; k < system->touched_start[g + 1]; ++k)
        for (int l = system->touched_start[g]; l < system->touched_start[g + 1]; ++l)
            add_block(system, g, columns, system->touched[k], system->touched[l]);
}

/* Copy A's own values into the wider pattern. */
static void copy_matrix(crn_ip_system *system)
{
    const cairn_problem *problem = system->problem;
    const cairn_block_matrix *A = &problem->A;
    int entries = problem->block_count ? system->row_start[problem->block_count] : 0;
    memset(system->value, 0, (size_t)(entries ? system->value_start[entries] : 0) * sizeof(double));
    for (int i = 0; i < problem->block_count; ++i)
    {
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            memcpy(system->value + system->value_start[find_entry(system, i, A->column[e])],
                   A->value + A->value_start[e], (size_t)(A->value_start[e + 1] - A->value_start[e]) * sizeof(double));
        }
    }
}

cairn_status crn_ip_system_factorise(crn_ip_system *system, bool scaled, bool any)
{
    system->scaled = scaled;
    if (system->sparse)
        return crn_ip_sparse_factorise(system);
    copy_matrix(system);
    for (int g = 0; g < system->groups; ++g)
    {
        if (!factorise_group(system, g))
            return CAIRN_NUMERIC;
        if (system->touched_start[g + 1] > system->touched_start[g])
            condense_group(system, g);
    }
    /* no messages: a bad pivot of bodies and contacts together would be reported as one of A */
    return any ? crn_saddle_factorise_any(system->saddle, NULL, &system->condensed)
               : crn_saddle_factorise(system->saddle, NULL, &system->condensed);
}

/* y = T z on the rows of the cones, z on all contact rows. */
static void tilt_rows(const crn_ip_system *system, const double *z, double *y)
{
    const crn_ip_layout *layout = system->layout;
    for (int j = 0; j < layout->cones; ++j)
    {
        int first = layout->first[j];
        for (int i = first; i < layout->first[j + 1]; ++i)
            y[i] = z[layout->full[i]];
        tilt(&system->blocks[j], y + first, 1);
    }
}

static void clear(long double *sum, int count)
{
    for (int i = 0; i < count; ++i)
        sum[i] = 0.0L;
}

static void round_off(const long double *sum, int count, double *out)
{
    for (int i = 0; i < count; ++i)
        out[i] = (double)sum[i];
}

/* One pass of elimination and substitution. */
static void eliminate(crn_ip_system *system, const crn_ip_vector *right, crn_ip_vector *step)
{
    const cairn_problem *problem = system->problem;
    const crn_ip_layout *layout = system->layout;
    int full = problem->dim * problem->contact_count;
    if (system->sparse)
    {
        crn_ip_sparse_solve(system, right->x, step->x);
        return;
    }
    solve_contacts(system, right->x, step->x);
    crn_ip_impulses(layout, problem, step->x, system->r);
    for (int i = 0; i < problem->n; ++i)
        system->sum_v[i] = right->v[i];
    crn_rows_transposed_add(&problem->H, problem->block_start, 1.0, system->r, system->sum_v);
    round_off(system->sum_v, problem->n, step->v);
    memcpy(step->c, right->c, (size_t)problem->joint_rows * sizeof(double));
    crn_saddle_solve(system->saddle, step->v, step->c);

    clear(system->sum_u, full);
    crn_rows_add(&problem->H, problem->block_start, 1.0, step->v, system->sum_u);
    round_off(system->sum_u, full, system->u);
    tilt_rows(system, system->u, system->C);
    for (int i = 0; i < layout->rows; ++i)
        system->C[i] = right->x[i] - system->C[i];
    solve_contacts(system, system->C, step->x);
}

/* rest = right - system times step, in long double. */
static void find_rest(crn_ip_system *system, const crn_ip_vector *right, const crn_ip_vector *step)
{
    const cairn_problem *problem = system->problem;
    const crn_ip_layout *layout = system->layout;
    const int *start = problem->block_start;
    int full = problem->dim * problem->contact_count;
    crn_ip_impulses(layout, problem, step->x, system->r);
    clear(system->sum_v, problem->n);
    crn_matrix_add(&problem->A, start, step->v, system->sum_v);
    crn_rows_transposed_add(&problem->G, start, -1.0, step->c, system->sum_v);
    crn_rows_transposed_add(&problem->H, start, -1.0, system->r, system->sum_v);
    for (int i = 0; i < problem->n; ++i)
        system->rest.v[i] = (double)(right->v[i] - system->sum_v[i]);
    clear(system->sum_c, problem->joint_rows);
    crn_rows_add(&problem->G, start, 1.0, step->v, system->sum_c);
    for (int i = 0; i < problem->joint_rows; ++i)
        system->rest.c[i] = (double)(right->c[i] - system->sum_c[i] - (long double)problem->R_c[i] * step->c[i]);
    clear(system->sum_u, full);
    crn_rows_add(&problem->H, start, 1.0, step->v, system->sum_u);
    crn_compliance_add(problem, system->r, system->sum_u);
    for (int j = 0; j < layout->cones; ++j)
    {
        int first = layout->first[j];
        int size = layout->first[j + 1] - first;
        long double sum[3];
        crn_ip_apply_theta(system, &system->blocks[j], step->x + first, sum);
        for (int i = 0; i < size; ++i)
        {
            for (int k = 0; k < size; ++k)
                sum[i] += system->blocks[j].T[3 * i + k] * system->sum_u[layout->full[first + k]];
            system->rest.x[first + i] = (double)(right->x[first + i] - sum[i]);
        }
    }
}

static void add(int count, const double *x, double *y)
{
    for (int i = 0; i < count; ++i)
        y[i] += x[i];
}

void crn_ip_system_solve(crn_ip_system *system, const crn_ip_vector *right, crn_ip_vector *step)
{
    assert(step != right);
    assert(system->layout->cones == system->problem->contact_count);
    const cairn_problem *problem = system->problem;
    eliminate(system, right, step);
    for (int round = 0; round < REFINEMENTS; ++round)
    {
        find_rest(system, right, step);
        eliminate(system, &system->rest, &system->correction);
        add(problem->n, system->correction.v, step->v);
        add(problem->joint_rows, system->correction.c, step->c);
        add(system->layout->rows, system->correction.x, step->x);
    }
}
