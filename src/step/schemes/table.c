/* The table of integrators. A new one needs its own file, a line here and an enumerator in cairn/settings.h. */
#include "step/schemes/scheme.h"

#include <stddef.h>

extern const crn_scheme crn_scheme_euler, crn_scheme_stiff, crn_scheme_trapezoid, crn_scheme_trapezoid2,
    crn_scheme_stiff2;

const crn_scheme *const crn_schemes[] = {
    [CAIRN_INTEGRATOR_EULER] = &crn_scheme_euler,         [CAIRN_INTEGRATOR_STIFF] = &crn_scheme_stiff,
    [CAIRN_INTEGRATOR_TRAPEZOID] = &crn_scheme_trapezoid, [CAIRN_INTEGRATOR_TRAPEZOID2] = &crn_scheme_trapezoid2,
    [CAIRN_INTEGRATOR_STIFF2] = &crn_scheme_stiff2,       NULL,
};
