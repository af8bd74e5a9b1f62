/* Friction of a joint is bounded by x = h F_0 + mu r N(c) (model/joints/bearing.c), where N depends on the impulses c that the same
 * problem finds: x = T(x). The problem is solved for given bounds, these are set to what the solution asks for, and so on.
 *
 * Within one mode of motion T is nearly affine, and Anderson's extrapolation finds x in a few solves. A row that sticks does not care
 * about its bound: if |z| < x and |z| < T(x), the solution is one for both, and T(x) is its bound. Where friction presses the joint
 * together so that T grows faster than x, no x slides, and the extrapolation points the wrong way. Then the bounds grow until the
 * row sticks: the joint jams. Bounds start from the impulses of the last step, which are part of the state.
 */
#include "step/friction/bearings.h"

#include "formulate/joints.h"
#include "model/joints/element.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    MOST_SOLVES = 40,
    DEPTH = 4 /* of the extrapolation */
};

static const double MOST_STEP = 16; /* a step is at most so many times T - x */

static const crn_element *element_of(const cairn_simulation *s, const crn_bounded_row *row)
{
    return row->joint < 0 ? NULL : crn_joint_element(&s->model->joints[row->joint], row->row);
}

static cairn_status list_rows(cairn_simulation *s, const crn_assembly *assembly)
{
    crn_bearings *b = &s->bearings;
    size_t most = (size_t)assembly->bounded_count;
    b->count = 0;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(b->row, most), CRN_ARRAY(b->x, most), CRN_ARRAY(b->T, most),
                            CRN_ARRAY(b->next, most)));
    for (int k = 0; k < assembly->bounded_count; ++k)
    {
        const crn_element *element = element_of(s, &assembly->bounded[k]);
        if (element && element->mu > 0)
            b->row[b->count++] = k;
    }
    return b->count > 0 ? crn_anderson_start(&b->past, b->count, DEPTH) : CAIRN_OK;
}

/* N s, in the row's units: h F_0. */
static double least(const crn_stage *stage, const crn_bounded_row *row)
{
    assert(row->hi >= 0 && row->lo == -row->hi);
    return stage->h * row->hi / row->length;
}

static cairn_status guess(cairn_simulation *s, crn_stage *stage)
{
    const crn_assembly *assembly = &stage->assembly;
    crn_bearings *b = &s->bearings;
    const double *before = NULL;
    CRN_TRY(crn_recall_impulses(s, stage, &before));
    for (int i = 0; i < b->count; ++i)
    {
        int j = crn_contacts_of(assembly) + b->row[i];
        double z = before ? fabs(before[j * assembly->problem.dim]) : 0.0;
        b->x[i] = fmax(least(stage, &assembly->bounded[b->row[i]]), z);
    }
    return CAIRN_OK;
}

static void set_bound(crn_stage *stage, int k, double x)
{
    cairn_bound *bound = &stage->assembly.problem.bound[crn_contacts_of(&stage->assembly) + k];
    bound->lo = -x;
    bound->hi = x;
}

/* T(x) of one row. */
static double asked(const cairn_simulation *s, const crn_stage *stage, int k)
{
    const crn_bounded_row *row = &stage->assembly.bounded[k];
    const crn_joint *joint = &s->model->joints[row->joint];
    double c[CRN_JOINT_ROWS] = {0};
    if (joint->own_rows > 0)
        memcpy(c, stage->solution.c + stage->assembly.problem.G.row_start[joint->item],
               (size_t)joint->own_rows * sizeof(double));
    return least(stage, row) + crn_joint_load(s->model, stage->at, row->joint, element_of(s, row), c) / row->length;
}

/* Compare the bounds with what the solution asks for: the largest relative difference. Rows that stick take their new bounds. */
static double disagreement(cairn_simulation *s, crn_stage *stage)
{
    crn_bearings *b = &s->bearings;
    double worst = 0;
    for (int i = 0; i < b->count; ++i)
    {
        int j = crn_contacts_of(&stage->assembly) + b->row[i];
        double z = fabs(stage->solution.r[j * stage->assembly.problem.dim]);
        b->T[i] = asked(s, stage, b->row[i]);
        if (z < fmin(b->x[i], b->T[i]))
        {
            b->x[i] = b->T[i];
            set_bound(stage, b->row[i], b->x[i]);
        }
        double most = fmax(b->x[i], b->T[i]);
        worst = most > 0 ? fmax(worst, fabs(b->T[i] - b->x[i]) / most) : worst;
    }
    return worst;
}

/* The bounds to try next: extrapolated, but never against the direction of T - x. */
static void take_next(crn_bearings *b)
{
    for (int i = 0; i < b->count; ++i)
        b->past.f[i] = b->T[i] - b->x[i];
    crn_anderson_push(&b->past, b->T);
    bool extrapolated = crn_anderson_extrapolate(&b->past, b->T, b->next);
    for (int i = 0; i < b->count; ++i)
    {
        double f = b->T[i] - b->x[i], step = extrapolated ? b->next[i] - b->x[i] : f;
        bool sane = isfinite(step) && step * f >= 0 && fabs(step) <= MOST_STEP * fabs(f);
        b->next[i] = fmax(0.0, b->x[i] + (sane ? step : MOST_STEP * f));
    }
    crn_anderson_remember(&b->past, b->T);
    double *old = b->x;
    b->x = b->next;
    b->next = old;
}

cairn_status crn_solve_bearings(cairn_simulation *s, crn_stage *stage, crn_solve_fn solve, cairn_solver_report *report)
{
    crn_bearings *b = &s->bearings;
    b->count = 0;
    if (s->model->has_bearings)
        CRN_TRY(list_rows(s, &stage->assembly));
    if (b->count == 0)
        return solve(s, stage, report);
    double tolerance = fmax(s->settings.solver.tolerance, 1e-12), worst = INFINITY;
    int iterations = 0;
    assert(stage->at);
    CRN_TRY(guess(s, stage));
    for (int pass = 0; pass < MOST_SOLVES && worst > tolerance; ++pass)
    {
        if (pass > 0)
            take_next(b);
        for (int i = 0; i < b->count; ++i)
            set_bound(stage, b->row[i], b->x[i]);
        CRN_TRY(solve(s, stage, report));
        if (report->outcome == CAIRN_FAILED)
            return CAIRN_OK;
        iterations += report->iterations;
        worst = disagreement(s, stage);
    }
    report->iterations = iterations;
    if (worst > tolerance)
    {
        report->certificate.relative = fmax(report->certificate.relative, worst);
        report->outcome = report->outcome == CAIRN_SOLVED ? CAIRN_MISSED : report->outcome;
    }
    return CAIRN_OK;
}
