/* The search of Newton's method on the contacts of gauss_seidel_newton.c: proximal steps
 *
 *     r_k+1:  F(r; r_k, a) = 0,     each by a few of Newton's,
 *
 * whose weight a falls where they settle and grows where they do not. When that does not help, the caller goes on as if nothing had been.
 *
 * Contacts that contradict each other (solve/mechanism/mechanism.h) leave an error that no proximal term changes: u stays, and r grows by
 * u / alpha in each proximal step until friction is at its bound somewhere. So where the error is the same after a proximal step of little
 * weight, and small, it may be left. Where it is not small, the solution lies where friction has reached its bounds. There more contacts
 * begin to slip at once the faster a falls, and Newton's steps find their way through only a few: so a does not fall again to where they
 * did not, but half of the way. And they may go to and fro between two points; halfway is mostly the way out.
 */
#include "linalg/lu.h"
#include "solve/sweep/gauss_seidel_newton.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    MOST_PROXIMAL = 12, /* proximal steps, */
    MOST_STEPS = 8,     /* each with so many of Newton's, */
    MOST = 40,          /* in all, */
    MOST_CLOSE = 36,    /* or, with `apart`, where the error is enough, */
    MOST_FAR = 80,      /* and where it is larger, */
    MOST_HASTY = 8,     /* or in all where a better start is at hand */
    MOST_STALLS = 2,    /* proximal steps that do not halve the error, where it is small enough */
    MOST_REPEATS = 3    /* proximal steps with the factors of the last one */
};

static const double SMALL_WEIGHT = 1e-5; /* at which the proximal term no longer limits progress */
static const double LEAST_WEIGHT = 1e-12;
static const double THIN_WEIGHT = 1e-10; /* least, where it is divided by */
static const double MOST_WEIGHT = 1.0;
static const double CHANGE = 10.0;      /* of the weight; */
static const double EASY_CHANGE = 30.0; /* where only the proximal term limits progress */
static const double ALIKE = 0.1;        /* the share by which errors differ that are the same */
static const double FAST = 1e-3;        /* share of the error left by a proximal step that old factors may finish */
static const double CLOSE = 1e3;        /* times the target: an error that steps with old factors may bring there, */
static const double REPEATED = 1e-1;    /* if each leaves no more than this share, */
static const double FINE = 1e-2;        /* up to this share of the target */
static const double INNER = 0.1;        /* error of a proximal step against that of the problem; */
static const double INNER_APART = 0.25; /* with `apart` */
static const double RUNAWAY = 1e7;      /* times the error at the start */
static const double SINGULAR = 1e-15;   /* a pivot beside the largest entry */

/* ------------------------------------------------------------------------------------------------------ Newton's steps */

/* The error of the proximal step at r, whose u is computed unless it is known. */
static double find_error(crn_gs_newton *newton)
{
    assert(newton->weight >= 0.0);
    if (!newton->fresh)
        crn_gs_newton_apply(newton, 1.0, newton->r, newton->q, newton->u);
    newton->fresh = true;
    return crn_gs_newton_residuals(newton);
}

/* The natural map at the present r and u: without the proximal term. */
static double problem_error(crn_gs_newton *newton)
{
    double weight = newton->weight;
    newton->weight = 0.0;
    double error = crn_gs_newton_residuals(newton);
    newton->weight = weight;
    return error;
}

/* The same step where `apart` is set. Rows of contacts that carry nothing are those of the identity, and their matrix need not be
 * filled: their part of the step is F, and the others follow from a smaller matrix. */
static bool take_step_apart(crn_gs_newton *newton)
{
    int count = 0, idle = 0, rows = newton->rows;
    for (int i = 0; i < rows; ++i)
    {
        newton->step[i] = newton->F[i];
        if (newton->active[i / newton->dim])
            newton->index[count++] = i;
        else if (newton->F[i] != 0.0)
            newton->index[rows - 1 - idle++] = i; /* from the end: those that change all the same */
    }
    double *x = newton->u; /* computed anew for the next error */
    for (int a = 0; a < count; ++a)
    {
        const double *row = newton->matrix + (size_t)newton->index[a] * (size_t)rows;
        for (int b = 0; b < count; ++b)
            newton->part[a * count + b] = row[newton->index[b]];
        for (int b = 0; b < idle; ++b)
            newton->step[newton->index[a]] -= row[newton->index[rows - 1 - b]] * newton->F[newton->index[rows - 1 - b]];
    }
    if (!crn_lu_factorise(count, newton->part, count, newton->order, SINGULAR))
        return false;
    for (int a = 0; a < count; ++a)
        x[a] = newton->step[newton->index[newton->order[a]]];
    crn_lu_solve(count, newton->part, count, x, 1, 1);
    for (int a = 0; a < count; ++a)
        newton->step[newton->index[a]] = x[a];
    for (int i = 0; i < rows; ++i)
        newton->r[i] -= newton->step[i];
    return true;
}

/* Take one Newton step from the present r and u, whose F is known; false when the matrix is singular. */
static bool take_step(crn_gs_newton *newton)
{
    newton->fresh = false;
    if (newton->columns > 0)
        return crn_gs_newton_take_thin(newton, false);
    crn_gs_newton_differentiate(newton);
    if (newton->apart)
        return take_step_apart(newton);
    if (!crn_lu_factorise(newton->rows, newton->matrix, newton->rows, newton->order, SINGULAR))
        return false;
    for (int i = 0; i < newton->rows; ++i)
        newton->step[i] = newton->F[newton->order[i]];
    crn_lu_solve(newton->rows, newton->matrix, newton->rows, newton->step, 1, 1);
    for (int i = 0; i < newton->rows; ++i)
        newton->r[i] -= newton->step[i];
    return true;
}

/* ------------------------------------------------------------------------------------------------------ proximal steps */

static bool is_alike(double error, double other)
{
    return fabs(error - other) <= ALIKE * error;
}

/* From r to halfway back to where the last step began. Returns the error there. */
static double go_halfway(crn_gs_newton *newton)
{
    for (int i = 0; i < newton->rows; ++i)
        newton->r[i] = 0.5 * (newton->r[i] + newton->last[i]);
    newton->fresh = false;
    return find_error(newton);
}

/* The proximal step about the centre, to `inner` m/s, before *iterations reaches `most`. */
static bool find_proximal(crn_gs_newton *newton, double inner, int most, int *iterations)
{
    double start = find_error(newton), error = start;
    double before = INFINITY, earlier = INFINITY; /* the errors one and two steps ago */
    bool halved = !newton->apart;
    for (int step = 0; step < MOST_STEPS && *iterations < most && error > inner; ++step)
    {
        ++*iterations;
        if (newton->apart && is_alike(error, earlier))
        {
            if (halved)
                return false;
            error = go_halfway(newton);
            before = earlier = INFINITY;
            halved = true;
        }
        bool grows = step > 1 && !(error < before);
        memcpy(newton->last, newton->r, (size_t)newton->rows * sizeof(double));
        if (!(error < RUNAWAY * start) || (newton->hasty && grows) || !take_step(newton))
            return false;
        earlier = before;
        before = error;
        error = find_error(newton);
    }
    return error <= inner;
}

/* One more proximal step with the same weight and the matrix of the last one: with a thin W it costs a third of others. `error`: of the problem,
 * before; returns what is left, at most this. */
static double repeat(crn_gs_newton *newton, double error)
{
    size_t size = (size_t)newton->rows * sizeof(double);
    memcpy(newton->centre, newton->r, size);
    find_error(newton);
    newton->fresh = false;
    if (!crn_gs_newton_take_thin(newton, true))
        return error;
    crn_gs_newton_apply(newton, 1.0, newton->r, newton->q, newton->u);
    newton->fresh = true;
    double next = problem_error(newton);
    if (next < error)
        return next;
    memcpy(newton->r, newton->centre, size);
    newton->fresh = false;
    return error;
}

/* Where a proximal step has left an error that is nearly small enough, repetitions may do. A step of Newton's would end far below the target,
 * and so must they: what they leave would act again in the steps to come. */
static double finish(crn_gs_newton *newton, double error, double target)
{
    double before = INFINITY;
    for (int k = 0; k < MOST_REPEATS && error > FINE * target && error <= REPEATED * before; ++k)
    {
        before = error;
        error = repeat(newton, error);
    }
    return error;
}

/* What the search knows of its weights. */
typedef struct weights
{
    double failed; /* with which Newton's steps have failed last, since the error was halved; 0: with none */
    int stalls;    /* proximal steps of little weight in a row that have not halved the error */
} weights;

/* The weight after a proximal step that took `taken` systems, and left `error` of `before`. */
static void lower_weight(crn_gs_newton *newton, weights *known, double error, double before, int taken)
{
    double least = newton->columns > 0 ? THIN_WEIGHT : LEAST_WEIGHT;
    bool stalled = error > 0.5 * before, easy = stalled || (newton->hasty && taken == 1);
    double change = !easy ? CHANGE : newton->apart ? EASY_CHANGE : CHANGE * CHANGE;
    double next = newton->weight / change;
    if (newton->apart && known->failed > 0.0)
        next = fmax(next, sqrt(newton->weight * known->failed));
    known->failed = stalled ? known->failed : 0.0;
    newton->weight = fmax(next, least);
}

/* As many systems as may be solved in all. */
static int most_systems(const crn_gs_newton *newton, const crn_newton_aim *aim, double error)
{
    return newton->hasty                          ? MOST_HASTY
           : newton->apart && error > aim->enough ? MOST_FAR
           : newton->apart                        ? MOST_CLOSE
                                                  : MOST;
}

/* Returns the error of r. */
static double iterate(crn_gs_newton *newton, double first_weight, const crn_newton_aim *aim, int *iterations)
{
    assert(first_weight > 0.0);
    assert(aim->enough >= aim->target);
    weights known = {0};
    double error = newton->reached, target = aim->target;
    int most = most_systems(newton, aim, error);
    newton->weight = first_weight;
    newton->contradicted = false;
    for (int k = 0; k < MOST_PROXIMAL && error > target && *iterations < most && newton->weight <= MOST_WEIGHT; ++k)
    {
        memcpy(newton->centre, newton->r, (size_t)newton->rows * sizeof(double));
        int taken = *iterations;
        double before = error;
        bool small = newton->weight <= SMALL_WEIGHT;
        double inner = fmax((newton->apart ? INNER_APART : INNER) * error, 0.5 * target);
        bool found = find_proximal(newton, inner, newton->hasty ? MOST : most, iterations);
        if (found)
        {
            error = problem_error(newton);
            if (newton->columns > 0 && error > target && error <= fmin(FAST * before, CLOSE * target))
                error = finish(newton, error, target);
            newton->contradicted = small && error > aim->enough && error <= aim->close && is_alike(error, before);
            known.stalls = small && error > 0.5 * before ? known.stalls + 1 : 0;
        }
        else
        {
            memcpy(newton->r, newton->centre, (size_t)newton->rows * sizeof(double));
            newton->fresh = false;
            known.stalls += small;
        }
        bool hopeless = !found && newton->hasty && k == 0; /* sweeps do better */
        if (hopeless || newton->contradicted || (error <= aim->enough && known.stalls >= MOST_STALLS))
            break;
        most = most_systems(newton, aim, error);
        if (found)
            lower_weight(newton, &known, error, before, *iterations - taken);
        else
        {
            known.failed = newton->weight;
            newton->weight *= CHANGE;
        }
    }
    return error;
}

double crn_gs_newton_start(crn_gs_newton *newton, const double *r)
{
    memcpy(newton->r, r, (size_t)newton->rows * sizeof(double));
    crn_gs_newton_apply(newton, 1.0, newton->r, newton->q, newton->u);
    newton->fresh = true;
    return newton->reached = problem_error(newton);
}

bool crn_gs_newton_run(crn_gs_newton *newton, double first_weight, const crn_newton_aim *aim, double *r,
                       int *iterations)
{
    int steps = 0;
    newton->hasty = aim->hasty;
    assert(newton->apart || (!aim->hasty && aim->close == 0.0));
    newton->reached = iterate(newton, first_weight, aim, &steps);
    *iterations += steps;
    bool found = newton->reached <= aim->enough || newton->contradicted;
    if (found)
        crn_gs_newton_take(newton, r);
    return found;
}
