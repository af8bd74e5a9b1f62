#include "solve/pivot/lcp_rows.h"

#include "solve/auto/bounded.h"

#include <assert.h>
#include <math.h>

static const double NEVER_MET = 1e200; /* no bound of a beta is wider, so that products with it stay finite */

double crn_lcp_row_base(const cairn_problem *problem, int j)
{
    const cairn_bound *bound = &problem->bound[j];
    assert(bound->is_row);
    return bound->by >= 0 ? 0.0 : crn_clip((crn_interval){bound->lo, bound->hi}, 0.0);
}

int crn_lcp_row_sides(const cairn_problem *problem, int j, crn_lcp_side side[2])
{
    double base = crn_lcp_row_base(problem, j);
    double above = problem->bound[j].hi - base, below = base - problem->bound[j].lo;
    int count = 0;
    assert(above >= 0.0 && below >= 0.0);
    if (above > 0.0)
        side[count++] = (crn_lcp_side){1.0, above};
    if (below > 0.0)
        side[count++] = (crn_lcp_side){-1.0, below};
    return count;
}

int crn_lcp_row_count(const cairn_problem *problem, int j)
{
    crn_lcp_side side[2];
    int sides = crn_lcp_row_sides(problem, j, side);
    int count = sides;
    for (int i = 0; i < sides; ++i)
        count += isfinite(side[i].most);
    return count;
}

int crn_lcp_row_list(crn_lcp *lcp, const cairn_problem *problem, int j, int a)
{
    crn_lcp_side side[2];
    int sides = crn_lcp_row_sides(problem, j, side);
    lcp->first[j] = a;
    for (int i = 0; i < sides; ++i)
    {
        bool limited = isfinite(side[i].most);
        lcp->contact[a] = j;
        lcp->lambda[a] = limited ? a + 1 : -1;
        lcp->direction[a * problem->dim] = side[i].sign;
        ++a;
        if (limited)
        {
            lcp->contact[a] = j;
            lcp->lambda[a] = a;
            ++a;
        }
    }
    return a;
}

crn_lcp_limit crn_lcp_row_limit(const crn_lcp *lcp, const cairn_problem *problem, int a)
{
    int j = lcp->contact[a], by = problem->bound[j].by;
    crn_lcp_side side[2];
    int sides = crn_lcp_row_sides(problem, j, side);
    int i = 0;
    while (i < sides - 1 && side[i].sign != lcp->direction[(a - 1) * problem->dim])
        ++i;
    assert(a > 0 && lcp->lambda[a] == a && lcp->lambda[a - 1] == a && isfinite(side[i].most));
    double most = fmin(side[i].most / lcp->s[2 * j], NEVER_MET);
    if (by < 0)
        return (crn_lcp_limit){-1, 0.0, most};
    bool varies = lcp->first[by + 1] > lcp->first[by]; /* its first variable is beta_+, or r_n */
    double constant = crn_is_row(problem, by) ? most * crn_lcp_row_base(problem, by) : 0.0;
    return varies ? (crn_lcp_limit){lcp->first[by], most * lcp->s[2 * by], constant}
                  : (crn_lcp_limit){-1, 0.0, constant};
}
