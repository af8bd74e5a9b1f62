#include "solve/auto/methods.h"

#include <assert.h>
#include <stddef.h>

static const crn_method *const METHODS[CRN_SOLVER_KINDS] = {
    [CAIRN_SOLVER_GAUSS_SEIDEL] = &crn_method_gauss_seidel,
    [CAIRN_SOLVER_APGD] = &crn_method_apgd,
    [CAIRN_SOLVER_ADMM] = &crn_method_admm,
    [CAIRN_SOLVER_INTERIOR_POINT] = &crn_method_interior_point,
    [CAIRN_SOLVER_NEWTON] = &crn_method_newton,
    [CAIRN_SOLVER_SMOOTHING] = &crn_method_smoothing,
};

const crn_method *crn_method_of(cairn_solver_kind kind)
{
    return (int)kind >= 0 && (int)kind < CRN_SOLVER_KINDS ? METHODS[kind] : NULL;
}

void *crn_workshop_get(crn_workshop *workshop, cairn_solver_kind kind)
{
    assert(crn_method_of(kind));
    if (!workshop->workspace[kind])
        workshop->workspace[kind] = METHODS[kind]->create();
    return workshop->workspace[kind];
}

void crn_workshop_release(crn_workshop *workshop)
{
    for (int kind = 0; kind < CRN_SOLVER_KINDS; ++kind)
    {
        if (workshop->workspace[kind])
        {
            METHODS[kind]->destroy(workshop->workspace[kind]);
            workshop->workspace[kind] = NULL;
        }
    }
}
