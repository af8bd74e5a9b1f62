/* Storage: sweeps want blocks, the others compressed columns; small or full matrices are quicker dense (tried). Planar problems
 * are given to Siconos' planar solvers, and padded with an idle second tangent to those for space. */
#include "peer_cone.h"

#include "bench.h"

#ifdef CAIRN_HAVE_SICONOS

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PLANAR = 1,
    SPATIAL = 2,
    DENSE_ROWS = 60 /* below this a dense matrix is quicker than any sparse one */
};

typedef enum storage
{
    STORE_BLOCKS,
    STORE_COLUMNS,
    STORE_DENSE,
    STORE_GLOBAL
} storage;

typedef struct peer_solver
{
    const char *name;
    int id;
    int where; /* PLANAR: the planar drivers; SPATIAL: those for space, planar problems padded */
    storage store;
    int iterations;
} peer_solver;

static const peer_solver SOLVERS[] = {
    {"nsgs", SICONOS_FRICTION_3D_NSGS, SPATIAL, STORE_BLOCKS, 10000000},
    {"admm", SICONOS_FRICTION_3D_ADMM, SPATIAL, STORE_COLUMNS, 10000000},
    {"nsn-ac", SICONOS_FRICTION_3D_NSN_AC, SPATIAL, STORE_COLUMNS, 1000},
    {"nsn-fb", SICONOS_FRICTION_3D_NSN_FB, SPATIAL, STORE_COLUMNS, 1000},
    {"prox", SICONOS_FRICTION_3D_PROX, SPATIAL, STORE_COLUMNS, 1000},
    {"global-admm", SICONOS_GLOBAL_FRICTION_3D_ADMM, SPATIAL, STORE_GLOBAL, 10000000},
    {"global-nsn-ac", SICONOS_GLOBAL_FRICTION_3D_NSN_AC, SPATIAL, STORE_GLOBAL, 1000},
    {"planar-nsgs", SICONOS_FRICTION_2D_NSGS, PLANAR, STORE_BLOCKS, 10000000},
    {"planar-lemke", SICONOS_FRICTION_2D_LEMKE, PLANAR, STORE_DENSE, 1000000},
};

int peer_cone_count(void)
{
    return (int)(sizeof SOLVERS / sizeof SOLVERS[0]);
}

const char *peer_cone_name(int solver)
{
    return SOLVERS[solver].name;
}

bool peer_cone_takes(int solver, const cairn_problem *problem)
{
    const peer_solver *s = &SOLVERS[solver];
    bool global = problem->dim == 3 && problem->n > 0 && problem->joint_rows == 0 && problem->patch_count == 0;
    return (s->where == SPATIAL || problem->dim == 2) && (s->store != STORE_GLOBAL || global);
}

bool peer_cone_needs_W(int solver)
{
    return SOLVERS[solver].store != STORE_GLOBAL;
}

/* Form W, several times where it is quick; the median of the times. */
static bool form_W(cairn_context *context, peer_form *form)
{
    double times[5];
    double total = 0;
    int count = 0;
    bool made = true;
    while (made && count < 5 && total < 0.02)
    {
        local_form_free(&form->local);
        double start = bench_now();
        made = local_form_make(context, form->problem, &form->local);
        times[count] = bench_now() - start;
        total += times[count++];
    }
    form->seconds = form->problem->n > 0 ? bench_median(times, count) : 0;
    return made;
}

bool peer_form_make(cairn_context *context, const cairn_problem *problem, peer_form *form)
{
    *form = (peer_form){.problem = problem};
    bool made = form_W(context, form);
    if (made && problem->dim == 2)
        local_form_pad(&form->local, &form->padded);
    return made;
}

void peer_form_free(peer_form *form)
{
    local_form_free(&form->local);
    local_form_free(&form->padded);
}

static NumericsMatrix *as_dense(const local_form *form)
{
    int dim = form->dim;
    int rows = dim * form->contacts;
    double *W = bench_memory((size_t)rows * (size_t)rows, sizeof(double));
    for (int j = 0; j < form->contacts; ++j)
    {
        for (int k = form->row_start[j]; k < form->row_start[j + 1]; ++k)
        {
            for (int a = 0; a < dim * dim; ++a)
            {
                size_t column = (size_t)(form->column[k] * dim + a % dim);
                W[column * (size_t)rows + (size_t)(j * dim + a / dim)] =
                    form->value[(size_t)k * (size_t)(dim * dim) + (size_t)a];
            }
        }
    }
    return NM_create_from_data(NM_DENSE, rows, rows, W);
}

static NumericsMatrix *as_columns(const local_form *form)
{
    int dim = form->dim;
    int rows = dim * form->contacts;
    NumericsMatrix *W = NM_create(NM_SPARSE, rows, rows);
    NM_triplet_alloc(W, (CS_INT)form->row_start[form->contacts] * dim * dim);
    for (int j = 0; j < form->contacts; ++j)
    {
        for (int k = form->row_start[j]; k < form->row_start[j + 1]; ++k)
        {
            for (int a = 0; a < dim * dim; ++a)
            {
                NM_entry(W, j * dim + a / dim, form->column[k] * dim + a % dim,
                         form->value[(size_t)k * (size_t)(dim * dim) + (size_t)a]);
            }
        }
    }
    NM_csc(W);
    return W;
}

static NumericsMatrix *as_blocks(const local_form *form)
{
    int dim = form->dim;
    unsigned contacts = (unsigned)form->contacts;
    unsigned blocks = (unsigned)form->row_start[form->contacts];
    SparseBlockStructuredMatrix *W = SBM_new();
    W->nbblocks = blocks;
    W->blocknumber0 = W->blocknumber1 = contacts;
    W->blocksize0 = bench_memory(contacts, sizeof *W->blocksize0);
    W->blocksize1 = bench_memory(contacts, sizeof *W->blocksize1);
    W->filled1 = contacts + 1;
    W->filled2 = blocks;
    W->index1_data = bench_memory(contacts + 1, sizeof *W->index1_data);
    W->index2_data = bench_memory(blocks, sizeof *W->index2_data);
    W->block = bench_memory(blocks, sizeof *W->block);
    for (unsigned j = 0; j < contacts; ++j)
    {
        W->blocksize0[j] = W->blocksize1[j] = (j + 1) * (unsigned)dim;
        W->index1_data[j + 1] = (size_t)form->row_start[j + 1];
    }
    for (unsigned k = 0; k < blocks; ++k)
    {
        W->index2_data[k] = (size_t)form->column[k];
        W->block[k] = bench_memory((size_t)(dim * dim), sizeof(double));
        for (int a = 0; a < dim * dim; ++a)
            W->block[k][a % dim * dim + a / dim] = form->value[(size_t)k * (size_t)(dim * dim) + (size_t)a];
    }
    return NM_create_from_data(NM_SPARSE_BLOCK, dim * form->contacts, dim * form->contacts, W);
}

/* M and H of the global form as compressed columns. */
static NumericsMatrix *global_M(const cairn_problem *problem)
{
    const cairn_block_matrix *A = &problem->A;
    NumericsMatrix *M = NM_create(NM_SPARSE, problem->n, problem->n);
    NM_triplet_alloc(M, A->value_start[A->row_start[A->block_count]]);
    for (int i = 0; i < A->block_count; ++i)
    {
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            int column = problem->block_start[A->column[e]];
            int width = problem->block_start[A->column[e] + 1] - column;
            for (int k = A->value_start[e]; k < A->value_start[e + 1]; ++k)
            {
                int at = k - A->value_start[e];
                NM_zentry(M, problem->block_start[i] + at / width, column + at % width, A->value[k], 0);
            }
        }
    }
    NM_csc(M);
    return M;
}

static NumericsMatrix *global_H(const cairn_problem *problem)
{
    const cairn_block_rows *rows = &problem->H;
    NumericsMatrix *H = NM_create(NM_SPARSE, problem->n, problem->dim * problem->contact_count);
    NM_triplet_alloc(H, rows->value_start[rows->entry_start[rows->item_count]]);
    for (int j = 0; j < rows->item_count; ++j)
    {
        for (int e = rows->entry_start[j]; e < rows->entry_start[j + 1]; ++e)
        {
            int first = problem->block_start[rows->block[e]];
            int size = problem->block_start[rows->block[e] + 1] - first;
            for (int k = 0; k < problem->dim * size; ++k)
                NM_zentry(H, first + k % size, j * problem->dim + k / size, rows->value[rows->value_start[e] + k], 0);
        }
    }
    NM_csc(H);
    return H;
}

static NumericsMatrix *as_wanted(storage wanted, const local_form *form)
{
    double full = (double)form->contacts * form->contacts;
    bool dense = form->dim * form->contacts <= DENSE_ROWS ||
                 (wanted == STORE_BLOCKS && form->row_start[form->contacts] > 0.7 * full);
    if (wanted == STORE_DENSE || dense)
        return as_dense(form);
    return wanted == STORE_BLOCKS ? as_blocks(form) : as_columns(form);
}

static double *copy_of(const double *values, int count)
{
    double *copy = bench_memory((size_t)count, sizeof(double));
    memcpy(copy, values, (size_t)count * sizeof(double));
    return copy;
}

static int solve_local(const peer_solver *solver, const local_form *form, SolverOptions *options, double *r,
                       double *seconds)
{
    int rows = form->dim * form->contacts;
    double *u = bench_memory((size_t)rows, sizeof *u);
    NumericsMatrix *W = as_wanted(solver->store, form);
    FrictionContactProblem *problem = frictionContactProblem_new_with_data(
        form->dim, form->contacts, W, copy_of(form->q, rows), copy_of(form->mu, form->contacts));
    double start = bench_now();
    int info = form->dim == 2 ? fc2d_driver(problem, r, u, options) : fc3d_driver(problem, r, u, options);
    *seconds = bench_now() - start;
    frictionContactProblem_free(problem);
    free(u);
    return info;
}

static int solve_global(const cairn_problem *of, SolverOptions *options, double *r, double *seconds)
{
    int rows = of->dim * of->contact_count;
    double *u = bench_memory((size_t)rows, sizeof *u);
    double *v = bench_memory((size_t)of->n, sizeof *v);
    GlobalFrictionContactProblem *problem = globalFrictionContactProblem_new();
    problem->dimension = of->dim;
    problem->numberOfContacts = of->contact_count;
    problem->M = global_M(of);
    problem->H = global_H(of);
    problem->q = copy_of(of->p, of->n);
    problem->b = copy_of(of->w, rows);
    problem->mu = copy_of(of->mu, of->contact_count);
    double start = bench_now();
    int info = gfc3d_driver(problem, r, u, v, options);
    *seconds = bench_now() - start;
    globalFrictionContact_free(problem);
    free(u);
    free(v);
    return info;
}

bool peer_cone_solve(int solver, const peer_form *form, double tolerance, double *r, int *iterations, double *seconds)
{
    const peer_solver *s = &SOLVERS[solver];
    int contacts = form->problem->contact_count;
    int dim = form->problem->dim;
    bool padded = dim == 2 && s->where == SPATIAL;
    double *found = bench_memory((size_t)(3 * contacts), sizeof *found);
    SolverOptions *options = solver_options_create(s->id);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = s->iterations;
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    int info = s->store == STORE_GLOBAL
                   ? solve_global(form->problem, options, found, seconds)
                   : solve_local(s, padded ? &form->padded : &form->local, options, found, seconds);
    for (int i = 0; i < dim * contacts; ++i)
        r[i] = found[padded ? i / 2 * 3 + i % 2 : i];
    *iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    solver_options_delete(options);
    free(found);
    return info == 0;
}

#else

int peer_cone_count(void)
{
    return 0;
}

const char *peer_cone_name(int solver)
{
    (void)solver;
    return "";
}

bool peer_cone_takes(int solver, const cairn_problem *problem)
{
    (void)solver;
    (void)problem;
    return false;
}

bool peer_cone_needs_W(int solver)
{
    (void)solver;
    return false;
}

bool peer_form_make(cairn_context *context, const cairn_problem *problem, peer_form *form)
{
    (void)context;
    *form = (peer_form){.problem = problem};
    return false;
}

void peer_form_free(peer_form *form)
{
    (void)form;
}

bool peer_cone_solve(int solver, const peer_form *form, double tolerance, double *r, int *iterations, double *seconds)
{
    (void)solver;
    (void)form;
    (void)tolerance;
    (void)r;
    (void)iterations;
    (void)seconds;
    return false;
}

#endif
