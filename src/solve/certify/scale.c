/* What a problem alone decides about its certificate: effective masses and scales.
 *
 * The effective mass of contact j is rho = 1 / mean diag (H_j D^-1 H_j' + R_jj), D the diagonal blocks of A; that of a bounded
 * row is the same for its one row.
 *
 * The scale of an island is the largest speed that its data imply. Let x = A^-1 p, the velocity without contacts and joints.
 * The scale is the largest of
 *
 *     |x_i|                of the blocks
 *     |G| |x| + |b|        of the joint rows
 *     |H| |x| + |w|        of the contact rows, where a positive w_n, a gap, counts no more than the speed |H| |x| that could
 *                          close it
 *
 * The w of a bounded row likewise counts no more than what |H| |x| and the largest impulse against it can bring about, and its
 * least impulse counts, divided by its mass. Angular velocities count times their length.
 */
#include "solve/certify/certifier.h"

#include "linalg/blocks.h"
#include "linalg/compliance.h"
#include "solve/auto/bounded.h"
#include "solve/auto/lengths.h"
#include "solve/certify/fives.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

crn_certifier *crn_certifier_create(void)
{
    crn_certifier *certifier = calloc(1, sizeof(crn_certifier));
    if (certifier)
        certifier->saddle = crn_saddle_create();
    if (certifier && !certifier->saddle)
    {
        free(certifier);
        return NULL;
    }
    return certifier;
}

void crn_certifier_destroy(crn_certifier *certifier)
{
    if (!certifier)
        return;
    crn_saddle_destroy(certifier->saddle);
    crn_inverses_release(&certifier->D);
    crn_arena_release(&certifier->memory);
    free(certifier);
}

static cairn_status reserve(crn_certifier *work, const cairn_problem *problem)
{
    int contacts = work->islands ? problem->contact_count : 0;
    int islands = crn_certifier_island_count(work), rows = problem->bound ? problem->contact_count : 0;
    return crn_reserve_all(&work->memory, CRN_ARRAY(work->free_velocity, problem->n),
                           CRN_ARRAY(work->column, problem->n), CRN_ARRAY(work->dynamics, problem->n),
                           CRN_ARRAY(work->joint, problem->joint_rows), CRN_ARRAY(work->rate, problem->joint_rows),
                           CRN_ARRAY(work->velocity, (size_t)problem->dim * (size_t)problem->contact_count),
                           CRN_ARRAY(work->island_scale, islands), CRN_ARRAY(work->island_worst, islands),
                           CRN_ARRAY(work->contact_scale, contacts), CRN_ARRAY(work->mass, rows),
                           CRN_ARRAY(work->u, (size_t)problem->dim * (size_t)problem->contact_count));
}

/* -------------------------------------------------------------------------------------------------------------- masses */

/* The sum of the first `count` entries on the diagonal of R_jj. */
static double compliance_trace(const cairn_problem *problem, int contact, int count)
{
    assert(count >= 1 && count <= problem->dim);
    int stride;
    const double *R = crn_compliance_block(problem, contact, contact, &stride);
    double trace = 0.0;
    for (int i = 0; i < count && R; ++i)
        trace += R[i * (stride + 1)];
    return trace;
}

double crn_certifier_mass(crn_certifier *work, const cairn_problem *problem, int contact)
{
    const cairn_block_rows *H = &problem->H;
    int rows = crn_item_rows(problem, contact);
    double trace = compliance_trace(problem, contact, rows);
    for (int e = H->entry_start[contact]; e < H->entry_start[contact + 1]; ++e)
        trace += crn_inverses_trace(&work->D, H->block[e], rows, H->value + H->value_start[e]);
    double rho = (double)rows / trace;
    return isfinite(rho) && rho > 0.0 ? rho : 1.0;
}

/* -------------------------------------------------------------------------------------------------------------- scales */

/* x = A^-1 p; work->coupled tells whether A couples blocks. Where it does not, or where A is not positive definite, x is
 * D^-1 p. */
static void find_free_velocity(crn_certifier *work, const cairn_problem *problem)
{
    work->coupled = problem->block_count > 0 && problem->A.row_start[problem->block_count] > problem->block_count;
    if (work->coupled)
    {
        cairn_problem alone = *problem;
        alone.joint_rows = 0;
        alone.G = (cairn_block_rows){0};
        work->coupled = crn_saddle_factorise(work->saddle, NULL, &alone) == CAIRN_OK;
    }
    if (work->coupled)
    {
        memcpy(work->free_velocity, problem->p, (size_t)problem->n * sizeof(double));
        crn_saddle_solve(work->saddle, work->free_velocity, NULL);
        return;
    }
    for (int i = 0; i < problem->block_count; ++i)
    {
        int first = problem->block_start[i];
        crn_inverses_apply(&work->D, i, problem->p + first, work->free_velocity + first);
    }
}

/* The largest speed that a block, a joint, a bounded row or a contact implies. */
static double block_speed(const crn_certifier *work, const cairn_problem *problem, int i)
{
    assert(i >= 0 && i < problem->block_count);
    double speed = DBL_MIN;
    for (int k = problem->block_start[i]; k < problem->block_start[i + 1]; ++k)
        speed = crn_larger(speed, crn_length(problem, k) * fabs(work->free_velocity[k]));
    return speed;
}

/* work->rate holds |G| |x|. */
static double joint_speed(const crn_certifier *work, const cairn_problem *problem, int i)
{
    assert(i >= 0 && i < problem->G.item_count);
    double most = DBL_MIN;
    for (int row = problem->G.row_start[i]; row < problem->G.row_start[i + 1]; ++row)
        most = crn_larger(most, crn_joint_length(problem, row) * (work->rate[row] + fabs(problem->b[row])));
    return most;
}

/* However large w is, z stays at its bound when no impulse within the bounds can balance it. */
static double bounded_speed(crn_certifier *work, const cairn_problem *problem, int j)
{
    assert(crn_is_row(problem, j));
    const cairn_bound *bound = &problem->bound[j];
    double speed = crn_row_speed(problem, &problem->H, j, 0, work->free_velocity);
    double w = problem->w[j * problem->dim];
    double most = w > 0.0 ? fmax(-bound->lo, 0.0) : fmax(bound->hi, 0.0); /* against w */
    double mass = work->mass[j] = crn_certifier_mass(work, problem, j);
    double reach = most == 0.0 ? 0.0 : bound->by >= 0 ? INFINITY : most / mass;
    double least = fmax(fmax(bound->lo, -bound->hi), 0.0) / mass; /* by the impulse that always acts */
    return crn_larger(DBL_MIN, speed + fmin(fabs(w), speed + reach) + least);
}

static double contact_speed(crn_certifier *work, const cairn_problem *problem, int j)
{
    if (crn_is_row(problem, j))
        return bounded_speed(work, problem, j);
    double most = DBL_MIN;
    for (int k = 0; k < problem->dim; ++k)
    {
        double speed = crn_row_speed(problem, &problem->H, j, k, work->free_velocity);
        double w = problem->w[j * problem->dim + k];
        most = crn_larger(most, speed + (k == 0 && w > speed ? speed : fabs(w)));
    }
    return most;
}

static void note_speed(crn_certifier *work, int node, double speed)
{
    assert(speed > 0.0);
    double *most = work->island_scale + crn_certifier_island_of(work, node);
    *most = crn_larger(*most, speed);
}

/* |G| |x| of all joint rows. */
static void find_joint_speeds(crn_certifier *work, const cairn_problem *problem)
{
    for (int i = 0; i < problem->G.item_count;)
    {
        bool fives = crn_are_fives(problem, i);
        if (fives)
            crn_fives_speeds(problem, i, work->free_velocity, work->rate);
        else
            crn_item_speeds(&problem->G, problem->block_start, i, work->free_velocity, work->rate);
        i += fives ? 4 : 1;
    }
}

static void find_scales(crn_certifier *work, const cairn_problem *problem)
{
    int node = 0;
    find_joint_speeds(work, problem);
    for (int i = 0; i < problem->block_count; ++i, ++node)
        note_speed(work, node, block_speed(work, problem, i));
    for (int i = 0; i < problem->G.item_count; ++i, ++node)
        note_speed(work, node, joint_speed(work, problem, i));
    for (int j = 0; j < problem->contact_count; ++j, ++node)
        note_speed(work, node, contact_speed(work, problem, j));
}

static void share_scales(crn_certifier *work, const cairn_problem *problem)
{
    for (int k = 0; k < crn_certifier_island_count(work); ++k)
        work->scale = crn_larger(work->scale, work->island_scale[k]);
    int first = problem->block_count + problem->G.item_count;
    for (int j = 0; work->islands && j < problem->contact_count; ++j)
        work->contact_scale[j] = work->island_scale[crn_certifier_island_of(work, first + j)];
}

cairn_status crn_certifier_prepare(crn_certifier *certifier, const cairn_problem *problem, const crn_islands *islands)
{
    assert(problem->dim == 2 || problem->dim == 3);
    int singular;
    certifier->islands = islands;
    if (reserve(certifier, problem) || crn_inverses_make(&certifier->D, problem, INT_MAX, &singular))
        return CAIRN_NO_MEMORY;
    certifier->regular = singular < 0;
    certifier->plain = false;
    certifier->scale = 0.0;
    for (int k = 0; k < crn_certifier_island_count(certifier); ++k)
        certifier->island_scale[k] = DBL_MIN;
    if (certifier->regular)
    {
        certifier->scale = DBL_MIN;
        find_free_velocity(certifier, problem);
        find_scales(certifier, problem);
        share_scales(certifier, problem);
    }
    return CAIRN_OK;
}

void crn_certifier_set_plain(crn_certifier *certifier, bool plain)
{
    certifier->plain = plain;
}

double crn_certifier_scale(const crn_certifier *certifier)
{
    return certifier->scale;
}

double crn_certifier_spread(const crn_certifier *certifier, const cairn_problem *problem)
{
    int nodes = problem->block_count + problem->G.item_count + problem->contact_count;
    double least = certifier->scale;
    for (int node = problem->block_count; certifier->islands && node < nodes; ++node)
        least = fmin(least, certifier->island_scale[crn_certifier_island_of(certifier, node)]);
    return certifier->scale > 0.0 ? least / certifier->scale : 1.0;
}

const double *crn_certifier_contact_scales(const crn_certifier *certifier)
{
    return certifier->islands && certifier->regular ? certifier->contact_scale : NULL;
}
