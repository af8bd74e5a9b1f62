/* The table of settings, with one row per setting. Everything else is derived from the row: default, check, text on the
 * command line, field of scene files, attribute of run files, JSON Schema and documentation. To add a setting, add a field to
 * cairn_settings and a row here. */
#include "cairn/audit.h"
#include "cairn/settings.h"
#include "solve/auto/laws.h"
#include "solve/auto/methods.h"
#include "step/schemes/scheme.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* A function that returns the words of an enumeration, NULL after the last one. */
#define WORDS(function, ...)                                                                                           \
    static const char *function(int index)                                                                             \
    {                                                                                                                  \
        static const char *const words[] = {__VA_ARGS__};                                                              \
        return index >= 0 && index < (int)(sizeof words / sizeof words[0]) ? words[index] : NULL;                      \
    }

WORDS(stabilisation_word, [CAIRN_STABILISE_NONE] = "none", [CAIRN_STABILISE_GAP] = "gap",
      [CAIRN_STABILISE_PROJECT] = "project")
WORDS(jacobian_word, [CAIRN_JACOBIAN_EXACT] = "exact", [CAIRN_JACOBIAN_LINEAR] = "linear")
WORDS(mass_word, [CAIRN_MASS_MEAN] = "mean", [CAIRN_MASS_START] = "start")
WORDS(impact_word, [CAIRN_IMPACT_POISSON] = "poisson", [CAIRN_IMPACT_NEWTON] = "newton",
      [CAIRN_IMPACT_POISSON_FRICTION] = "poisson-friction")
WORDS(initial_word, [CAIRN_INITIAL_REFUSE] = "refuse", [CAIRN_INITIAL_PROJECT] = "project",
      [CAIRN_INITIAL_KEEP] = "keep", [CAIRN_INITIAL_ASSEMBLE] = "assemble", [CAIRN_INITIAL_CLOSEST] = "closest")
WORDS(switch_word, "off", "on")
WORDS(accuracy_word, [CAIRN_ACCURACY_EXACT] = "exact", [CAIRN_ACCURACY_BALANCED] = "balanced",
      [CAIRN_ACCURACY_FAST] = "fast")

WORDS(device_word, [CAIRN_DEVICE_CPU] = "cpu", [CAIRN_DEVICE_GPU] = "gpu", [CAIRN_DEVICE_RANKS] = "ranks")

static const char *violation_word(int index)
{
    return index >= 0 && index < CAIRN_VIOLATION_KINDS ? cairn_violation_name((cairn_violation_kind)index) : NULL;
}

const char *cairn_stabilisation_name(cairn_stabilisation stabilisation)
{
    const char *name = stabilisation_word((int)stabilisation);
    return name ? name : "unknown";
}

const char *cairn_accuracy_name(cairn_accuracy accuracy)
{
    const char *name = accuracy_word((int)accuracy);
    return name ? name : "unknown";
}

const char *cairn_device_name(cairn_device device)
{
    const char *name = device_word((int)device);
    return name ? name : "unknown";
}

const char *cairn_impact_name(cairn_impact impact)
{
    const char *name = impact_word((int)impact);
    return name ? name : "unknown";
}

#define FIELD(member)          .offset = offsetof(cairn_settings, member)
#define RANGE(low, top)        .least = (low), .most = (top)
#define NUMBER(low, top)       .type = CAIRN_SETTING_NUMBER, .noun = "a number", .unit = "", RANGE(low, top)
#define TIME(low, top)         .type = CAIRN_SETTING_NUMBER, .noun = "a time", .unit = "s", RANGE(low, top)
#define LENGTH(low, top)       .type = CAIRN_SETTING_NUMBER, .noun = "a length", .unit = "m", RANGE(low, top)
#define SPEED(low, top)        .type = CAIRN_SETTING_NUMBER, .noun = "a speed", .unit = "m/s", RANGE(low, top)
#define COUNT(low, top)        .type = CAIRN_SETTING_COUNT, .noun = "a whole number", .unit = "", RANGE(low, top)
#define SWITCH                 .type = CAIRN_SETTING_SWITCH, .noun = "", .unit = "", .word = switch_word
#define WORD(function)         .type = CAIRN_SETTING_WORD, .noun = "", .unit = "", .word = (function)
#define LAW(function)          .type = CAIRN_SETTING_LAW, .noun = "", .unit = "", .word = (function)
#define ANY_OF(text, function) .type = CAIRN_SETTING_WORDS, .noun = (text), .unit = "", .word = (function)

/* In the order in which scene files, lists and documents show the settings. */
static const cairn_setting SETTINGS[] = {
    {"step", FIELD(step), TIME(0, DBL_MAX), .above = true, .preset = 0.01, .applies = "",
     .summary = "step of the integrator", .detail = ""},
    {"integrator", FIELD(integrator), WORD(crn_scheme_word), .preset = CAIRN_INTEGRATOR_STIFF, .applies = "",
     .summary = "scheme that takes a step",
     .detail =
         "First order: `euler`, explicit in forces; `stiff`, linearly implicit in springs and dampers. Second order, "
         "with events located within the step: `trapezoid` (first order with nonlinear joints), `trapezoid2` (rings in "
         "stiction and in the stiff limit), `stiff2` (neither flaw)."},
    {"law", FIELD(law), LAW(crn_law_word), .preset = CAIRN_LAW_CONE, .applies = "",
     .summary = "law of contact and friction",
     .detail =
         "`pyramid(m)` has m directions of friction, an even number from 4 to 64; `cone` is exact Coulomb friction; "
         "the "
         "convex laws solve a convex program per step, and sliding contacts lift off; `lagged` bounds friction by the "
         "normal force of the previous step."},
    {"stabilisation", FIELD(stabilisation), WORD(stabilisation_word), .preset = CAIRN_STABILISE_GAP, .applies = "",
     .summary = "how positions are kept on their constraints",
     .detail = "Not at all, by the linearised gap in every step, or by a nonlinear projection after it."},
    {"accuracy", FIELD(accuracy), WORD(accuracy_word), .preset = CAIRN_ACCURACY_BALANCED, .applies = "",
     .summary = "how much work large islands get",
     .detail =
         "`exact`: every step meets `solver_tolerance`, at any cost. `balanced`: small islands do; large islands of "
         "rigid "
         "bodies get as many sweeps as change the motion, and the certificate reports what is left. `fast`: a small "
         "fixed number of sweeps."},
    {"device", FIELD(device), WORD(device_word), .preset = CAIRN_DEVICE_CPU, .applies = "",
     .summary = "machine that takes the steps",
     .detail =
         "`gpu`: a CUDA device, for large heaps of spheres ([the device](gpu.md)). `ranks`: the same method in double "
         "precision on the processors of one or more processes ([many machines](cluster.md)). What they do not "
         "support is refused."},
    {"sweeps", FIELD(sweeps), COUNT(1, 100000), .preset = 20, .applies = "device gpu or ranks",
     .summary = "sweeps over the contacts in each step", .detail = ""},
    {"certify_every", FIELD(certify_every), COUNT(1, INT_MAX), .preset = 10, .applies = "device gpu or ranks",
     .summary = "steps between certificates",
     .detail = "The last step before the state is read, at each recorded frame, always has one."},
    {"reproducible", FIELD(reproducible), SWITCH, .preset = 0, .applies = "device ranks",
     .summary = "the same bits for any number of processes",
     .detail =
         "Processes then exchange bodies before every colour of contacts. If off, they do it twice per sweep, and "
         "results are the same to the bit for the same number of processes ([many machines](cluster.md))."},
    {"solver", FIELD(solver.kind), WORD(crn_solver_word), .preset = CAIRN_SOLVER_AUTO, .applies = "",
     .summary = "method that solves the problem of a step",
     .detail = "`auto`: by law and size, with stronger methods if the first fails. The others: only that method; "
               "`lemke` "
               "for polyhedral laws and planar scenes only."},
    {"forces", FIELD(solver.forces), WORD(crn_forces_word), .preset = CAIRN_FORCES_AUTO,
     .applies = "redundant contacts or joints", .summary = "which of the possible forces are returned",
     .detail =
         "`minimum-norm`: those of the stiff limit, shared by `weight`; `minimum-energy` and `maximum-energy`: those "
         "of "
         "sliding contacts that dissipate the most or the least energy; `any`: whatever the solver returned. `auto`: "
         "minimum norm among the forces that leave the velocities unchanged, wherever finding them costs less than the "
         "solution."},
    {"jacobian", FIELD(jacobian), WORD(jacobian_word), .preset = CAIRN_JACOBIAN_EXACT, .applies = "trapezoidal schemes",
     .summary = "how spring forces at the end of a step are computed",
     .detail = "Where the springs will be, or by the linearisation at the start of the step."},
    {"mass", FIELD(mass), WORD(mass_word), .preset = CAIRN_MASS_MEAN, .applies = "trapezoidal schemes",
     .summary = "mass matrix of users' systems",
     .detail =
         "The mean of both ends of a step (order 2), or that of its start (order 1). Bodies have a constant one."},
    {"events", FIELD(events), SWITCH, .preset = 1, .applies = "second-order schemes",
     .summary = "locate collisions and transitions within a step and restart from them", .detail = ""},
    {"reduction", FIELD(reduction), SWITCH, .preset = 1, .applies = "contacts of meshes",
     .summary = "leave out those that others imply, and those of flat edges",
     .detail = "If off, all are listed, for comparison."},
    {"impact", FIELD(impact), WORD(impact_word), .preset = CAIRN_IMPACT_POISSON, .applies = "second-order schemes",
     .summary = "law of restitution in a collision",
     .detail = "A fraction of the impulse of its compression, or of the normal velocity, is returned; "
               "`poisson-friction` lets friction "
               "act in "
               "the decompression too. First-order schemes support only Newton's law."},
    {"event_floor", FIELD(event_floor), NUMBER(0, 1), .above = true, .preset = 1e-6, .applies = "second-order schemes",
     .summary = "fraction of the step below which events are no longer resolved", .detail = ""},
    {"initial", FIELD(initial), WORD(initial_word), .preset = CAIRN_INITIAL_REFUSE, .applies = "",
     .summary = "what to do with an initial state that violates its constraints",
     .detail =
         "One that violates its joints or penetrates by more than 1e-6 m (or a thousandth of the smaller body): "
         "`refuse` it, with the size of each violation (second-order schemes also refuse joints whose points separate "
         "and closed contacts that approach); `project` it onto the nearest consistent positions and velocities, "
         "without adding energy; `keep` penetration, which `stabilisation: gap` then pushes out no faster than "
         "`push_out_speed`; `assemble` the joints, positions and velocities ([joints](joints.md)), and refuse the "
         "rest; "
         "or, to look at a mechanism that cannot be assembled, begin with the `closest` assembly."},
    {"tolerance", FIELD(error_tolerance), LENGTH(0, DBL_MAX), .preset = 0, .applies = "stiff2 with events",
     .summary = "divide each step so that the local error in position of every part stays below this",
     .detail = "0: steps are not divided."},
    {"solver_tolerance", FIELD(solver.tolerance), NUMBER(0, DBL_MAX), .above = true, .preset = 1e-9, .applies = "",
     .summary = "relative certificate that every step must reach",
     .detail = "Large islands that `accuracy` grants a budget are exempt."},
    {"max_iterations", FIELD(solver.max_iterations), COUNT(0, INT_MAX), .preset = 0, .applies = "",
     .summary =
         "maximum number of iterations of a method (pivots, sweeps) per island, or of all sweeps of a swept step",
     .detail = "0: by its size."},
    {"time_limit", FIELD(solver.time_limit), TIME(0, DBL_MAX), .preset = 0, .applies = "",
     .summary = "maximum time for each problem that a step poses",
     .detail = "The best solution found by then is used, and steps that miss the tolerance because of it are counted. "
               "Results "
               "then depend on the machine. 0: no limit."},
    {"threads", FIELD(solver.threads), COUNT(1, CAIRN_MAX_THREADS), .preset = 1, .applies = "",
     .summary = "maximum number of threads per step", .detail = "Results do not depend on it, to the last bit."},
    {"contact_tolerance", FIELD(contact_tolerance), LENGTH(0, DBL_MAX), .preset = 1e-9,
     .applies = "second-order schemes", .summary = "contacts with a smaller gap are treated as closed", .detail = ""},
    {"restitution_threshold", FIELD(restitution_threshold), SPEED(0, DBL_MAX), .preset = 0.01, .applies = "",
     .summary = "slower impacts are inelastic", .detail = ""},
    {"push_out_speed", FIELD(push_out_speed), SPEED(0, INFINITY), .above = true, .preset = 1,
     .applies = "stabilisation gap", .summary = "bodies that penetrate are pushed apart no faster than this",
     .detail = "First-order schemes: or as fast as they approach. It takes more steps if one is not enough."},
    {"projection_tolerance", FIELD(projection_tolerance), LENGTH(0, DBL_MAX), .above = true, .preset = 1e-10,
     .applies = "stabilisation project", .summary = "largest violation that the projection leaves", .detail = ""},
    {"audit", FIELD(audit), SWITCH, .preset = 1, .applies = "",
     .summary = "check the physics of every step from states, geometry and impulses alone", .detail = ""},
    {"audit_every", FIELD(audit_every), COUNT(0, INT_MAX), .preset = 0, .applies = "device gpu, accuracy fast",
     .summary = "steps between audits; on a device they look at the last step before the state is read",
     .detail =
         "`cairn run` always audits its last step. 0: on a device a tenth of the number of bodies, at most 10,000; "
         "on the processor every step is audited, as always with other accuracies."},
    {"allow", FIELD(allow), ANY_OF("kinds of violations", violation_word), .preset = 0, .applies = "",
     .summary = "kinds of violations of the physics that are counted and reported, but do not fail a run",
     .detail = ""},
};
static const int SETTING_COUNT = sizeof SETTINGS / sizeof SETTINGS[0];

int cairn_setting_count(void)
{
    return SETTING_COUNT;
}

const cairn_setting *cairn_setting_at(int index)
{
    return index >= 0 && index < SETTING_COUNT ? &SETTINGS[index] : NULL;
}

static bool same_name(const char *name, const char *text)
{
    while (*name && (*name == *text || (*name == '_' && *text == '-')))
        ++name, ++text;
    return !*name && !*text;
}

const cairn_setting *cairn_setting_find(const char *name)
{
    for (int i = 0; name && i < SETTING_COUNT; ++i)
        if (same_name(SETTINGS[i].name, name))
            return &SETTINGS[i];
    return NULL;
}
