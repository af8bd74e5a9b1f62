/* Forces that depend on the state: programs of the expressions of a scene (crn_gpu_instruction of interface.h), evaluated where a step starts.
 *
 * First every body writes down those of its numbers that programs name, then every force runs its programs and writes the values where the host would have
 * sent them. A force that is not a finite number ends the batch: the step does not happen. Values are in double, and operations the same as on the
 * processor (base/expression.c). */
#pragma once

#include "act.hpp"

namespace crn
{

enum
{
    FAULTY = 252 /* Counters::full: a force is not a finite number */
};

/* The number of operands; an operation with three is `if`. */
CRN_HD int operands_of(int operation)
{
    switch (operation)
    {
    case CRN_GPU_PUSH_VALUE:
    case CRN_GPU_PUSH_VARIABLE:
        return 0;
    case CRN_GPU_ADD:
    case CRN_GPU_SUBTRACT:
    case CRN_GPU_MULTIPLY:
    case CRN_GPU_DIVIDE:
    case CRN_GPU_POWER:
    case CRN_GPU_ATAN2:
    case CRN_GPU_MIN:
    case CRN_GPU_MAX:
        return 2;
    case CRN_GPU_IF:
        return 3;
    default:
        return 1;
    }
}

CRN_HD double applied_one(int operation, double x)
{
    switch (operation)
    {
    case CRN_GPU_NEGATE: return -x;
    case CRN_GPU_SIN: return sin(x);
    case CRN_GPU_COS: return cos(x);
    case CRN_GPU_TAN: return tan(x);
    case CRN_GPU_ASIN: return asin(x);
    case CRN_GPU_ACOS: return acos(x);
    case CRN_GPU_ATAN: return atan(x);
    case CRN_GPU_SINH: return sinh(x);
    case CRN_GPU_COSH: return cosh(x);
    case CRN_GPU_TANH: return tanh(x);
    case CRN_GPU_EXP: return exp(x);
    case CRN_GPU_LOG: return log(x);
    case CRN_GPU_SQRT: return sqrt(x);
    case CRN_GPU_ABS: return fabs(x);
    case CRN_GPU_FLOOR: return floor(x);
    case CRN_GPU_CEIL: return ceil(x);
    default: return x < 0 ? 0.0 : 1.0; /* CRN_GPU_UNIT_STEP */
    }
}

CRN_HD double applied_two(int operation, double x, double y)
{
    switch (operation)
    {
    case CRN_GPU_ADD: return x + y;
    case CRN_GPU_SUBTRACT: return x - y;
    case CRN_GPU_MULTIPLY: return x * y;
    case CRN_GPU_DIVIDE: return x / y;
    case CRN_GPU_POWER: return pow(x, y);
    case CRN_GPU_ATAN2: return atan2(x, y);
    case CRN_GPU_MIN: return fmin(x, y);
    default: return fmax(x, y); /* CRN_GPU_MAX */
    }
}

CRN_CALL double run_program(const crn_gpu_instruction *code, int count, const double *variables, double time)
{
    double stack[CRN_GPU_STACK];
    int depth = 0;
    for (int i = 0; i < count; ++i)
    {
        int operands = operands_of(code[i].operation);
        depth -= operands;
        const double *x = stack + depth;
        double value = code[i].value;
        if (code[i].operation == CRN_GPU_PUSH_VARIABLE)
            value = code[i].variable < 0 ? time : variables[code[i].variable];
        if (operands > 0)
            value = operands == 1   ? applied_one(code[i].operation, x[0])
                    : operands == 2 ? applied_two(code[i].operation, x[0], x[1])
                                    : (x[0] > 0 ? x[1] : x[2]);
        stack[depth++] = value;
    }
    return stack[0];
}

/* The numbers of sorted body i that programs name. */
struct ReadVariables
{
    World world;
    CRN_HD void operator()(int i) const
    {
        const Forces &forces = world.forces;
        int number = world.sorted.tag[i].x;
        if (forces.variable_first[number] == forces.variable_first[number + 1])
            return;
        D3 w, v = start_velocity(world, i, &w), x = xyz(world.sorted.x[i]);
        w = into(axes_of(world.sorted.q[i]), w);
        const double values[9] = {x.x, x.y, x.z, v.x, v.y, v.z, w.x, w.y, w.z};
        for (int k = forces.variable_first[number]; k < forces.variable_first[number + 1]; ++k)
            forces.value[k] = values[forces.variable[k].field];
    }
};

struct EvaluateForces
{
    World world;
    CRN_HD void operator()(int f) const
    {
        const Forces &forces = world.forces;
        crn_gpu_load &load = forces.load[(long long)world.counters->taken * forces.count + f];
        if (world.counters->full)
            return;
        for (int k = 0; k < 6; ++k)
        {
            int begin = forces.program_first[6 * f + k], count = forces.program_first[6 * f + k + 1] - begin;
            if (count == 0)
                continue;
            double value = run_program(forces.instruction + begin, count, forces.value, load.time);
            (k < 3 ? load.force[k] : load.torque[k - 3]) = value;
            if (!(fabs(value) < INFINITY))
                raise_to(&world.counters->faulty, 1 + f);
        }
    }
};

/* A kernel of its own: others still look at `full` while forces are evaluated. */
struct RefuseForces
{
    World world;
    CRN_HD void operator()(int) const
    {
        if (world.counters->faulty)
            world.counters->full = FAULTY;
    }
};

} // namespace crn
