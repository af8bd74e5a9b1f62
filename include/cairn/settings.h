/* Settings of a simulation: the struct, and the table that describes each of its fields.
 *
 * The table gives every setting a name, a type, a range, a unit, a default and a sentence. Scene files, the command line, run
 * files, the JSON Schema and the documentation are all derived from it: a setting that is in the table is in all of them.
 *
 *     cairn_settings settings = cairn_settings_default();
 *     settings.step = 1.0 / 240;
 *     cairn_settings_set(context, &settings, "integrator", "stiff2");
 *     for (int i = 0; i < cairn_setting_count(); ++i)
 *         puts(cairn_setting_at(i)->name);
 */
#ifndef CAIRN_SETTINGS_H
#define CAIRN_SETTINGS_H

#include "cairn/problem.h"
#include "cairn/solver.h"

CAIRN_BEGIN_DECLS

/* ---------------------------------------------------------------------------------------------------- choices */

/* How a step gets from t to t + h. */
typedef enum cairn_integrator
{
    /* Explicit Euler, order 1 (Anitescu & Potra 2002, eq. 7). */
    CAIRN_INTEGRATOR_EULER = 0,
    /* Linearly implicit Euler, order 1 (Anitescu & Potra 2002, eq. 12-18). */
    CAIRN_INTEGRATOR_STIFF,
    /* Scheme I of Potra et al. 2006, eq. 6.12: order 2, but order 1 with nonlinear joints. */
    CAIRN_INTEGRATOR_TRAPEZOID,
    /* Scheme II of Potra et al. 2006, eq. 6.10: order 2; chatters in stiction, and rings when stiff. */
    CAIRN_INTEGRATOR_TRAPEZOID2,
    /* Two linearly implicit stages: order 2, exact stiction, damped in the stiff limit. */
    CAIRN_INTEGRATOR_STIFF2,
} cairn_integrator;

/* How drift of joints and penetration of contacts are corrected. */
typedef enum cairn_stabilisation
{
    /* Not at all. */
    CAIRN_STABILISE_NONE = 0,
    /* By velocities that close the error within a step: w = gap/h, b = -Theta/h. */
    CAIRN_STABILISE_GAP,
    /* By projecting positions onto the constraints after each step (Anitescu & Potra 2002, eq. 46). */
    CAIRN_STABILISE_PROJECT,
} cairn_stabilisation;

/* How the trapezoidal schemes evaluate springs at the end of a step. */
typedef enum cairn_jacobian
{
    /* Where the springs will be: order 2. */
    CAIRN_JACOBIAN_EXACT = 0,
    /* Linearised at the start of the step (Potra et al. 2006, eq. 10.13-10.14): order 1 for springs that turn, but stable
     * however stiff they are. */
    CAIRN_JACOBIAN_LINEAR,
} cairn_jacobian;

/* The mass matrix of user systems in the trapezoidal schemes, where it depends on q. That of bodies is constant. */
typedef enum cairn_mass
{
    /* The mean of both ends of the step (Potra et al. 2006, eq. 2.7): order 2. */
    CAIRN_MASS_MEAN = 0,
    /* That of the start (eq. 6.9): order 1. */
    CAIRN_MASS_START,
} cairn_mass;

/* What happens to the normal velocity in a collision. */
typedef enum cairn_impact
{
    /* Compression, then a share e of its impulse again (Potra et al. 2006, eq. 7.5-7.9). */
    CAIRN_IMPACT_POISSON = 0,
    /* u_n+ = -e u_n- */
    CAIRN_IMPACT_NEWTON,
    /* Poisson's, with friction in decompression too: up to mu (1 + e) of the compression. */
    CAIRN_IMPACT_POISSON_FRICTION,
} cairn_impact;

/* What to do with an initial state that breaks its constraints: joints that do not meet or pull apart, bodies that penetrate,
 * closed contacts that close further. */
typedef enum cairn_initial
{
    /* Refuse it, with the size of each violation. First-order schemes, which correct velocities in their first step, refuse
     * joints that do not meet and bodies that penetrate only. */
    CAIRN_INITIAL_REFUSE = 0,
    /* Use the nearest positions and velocities that satisfy the constraints, in the norm of the mass matrix. */
    CAIRN_INITIAL_PROJECT,
    /* As refuse, but bodies may penetrate. The stabilisation then decides how they separate. */
    CAIRN_INITIAL_KEEP,
    /* As refuse, but joints that do not meet are put together, and velocities with them (cairn/assembly.h). */
    CAIRN_INITIAL_ASSEMBLE,
    /* As assemble, but where joints cannot meet begin with the closest assembly, and accept whatever it violates: to look at it. */
    CAIRN_INITIAL_CLOSEST,
} cairn_initial;

/* How much work a step puts into large islands of bodies in contact. Each word is a promise about the motion
 * (docs/promises.md); the certificate says what is left in every step. */
typedef enum cairn_accuracy
{
    /* Every step meets solver_tolerance, at any cost. For small problems and studies. */
    CAIRN_ACCURACY_EXACT = 0,
    /* Small islands as under exact. Large islands of rigid bodies get as many sweeps as change the motion; what is left is
     * certified and reported. */
    CAIRN_ACCURACY_BALANCED,
    /* Large islands get a small fixed number of sweeps, for real time. */
    CAIRN_ACCURACY_FAST,
} cairn_accuracy;

/* The machine that takes the steps. */
typedef enum cairn_device
{
    /* The processor. */
    CAIRN_DEVICE_CPU = 0,
    /* A CUDA device, through libcairn_gpu.so, which is opened when a simulation asks for it. docs/gpu.md says what it supports. */
    CAIRN_DEVICE_GPU,
    /* The processors of one or more processes (cairn/ranks.h), through libcairn_processor.so. docs/cluster.md. */
    CAIRN_DEVICE_RANKS,
} cairn_device;

/* ------------------------------------------------------------------------------------------------ the settings */

/* All settings of a simulation. Start from cairn_settings_default(). */
typedef struct cairn_settings
{
    /* Set by cairn_settings_default; do not change. A struct without it is refused. */
    size_t struct_size;
    /* s: length h of a step; > 0, default 0.01. */
    double step;
    /* Default stiff. */
    cairn_integrator integrator;
    /* Friction law of all contacts; default cone, exact Coulomb friction. */
    cairn_law law;
    /* Default gap. */
    cairn_stabilisation stabilisation;
    /* Default balanced. */
    cairn_accuracy accuracy;
    /* Default cpu. */
    cairn_device device;
    /* Sweeps over the contacts per step on the device; default 20. */
    int sweeps;
    /* On the device: steps between certificates. The last step before the state is read always has one. Default 10. */
    int certify_every;
    /* Several processes: the same bits for any number of them, with more messages. Default no: the same bits for the same number. docs/cluster.md. */
    bool reproducible;
    /* How each one-step problem is solved. */
    cairn_solver_options solver;
    /* m: second-order schemes treat smaller gaps as closed (Potra et al. 2006, eq. 7.1); default 1e-9. */
    double contact_tolerance;
    /* Default exact. */
    cairn_jacobian jacobian;
    /* Default mean. */
    cairn_mass mass;
    /* m: stiff2 divides a step into parts, so that the local error in position of each stays below this; 0, the default: one
     * part. */
    double error_tolerance;
    /* Default poisson. First-order schemes support newton only. */
    cairn_impact impact;
    /* Share of the step below which events are no longer separated; default 1e-6. */
    double event_floor;
    /* Contacts of meshes: leave out those that others imply, and flat edges altogether. Default yes; no is for comparison. */
    bool reduction;
    /* Second-order schemes: find and resolve events within a step. Default yes. */
    bool events;
    /* Default refuse. */
    cairn_initial initial;
    /* m/s: slower impacts are inelastic; default 0.01. */
    double restitution_threshold;
    /* m/s: the largest speed at which stabilisation gap pushes penetrating bodies apart (first-order schemes: or the speed at
     * which they approach, if larger); default 1. */
    double push_out_speed;
    /* m: the largest constraint violation that the projection leaves; default 1e-10. */
    double projection_tolerance;
    /* Check the physics of every step (cairn/audit.h); default yes. */
    bool audit;
    /* Steps between audits. On the device they look at the last step of a call; 0, the default: a tenth of the number of bodies, at most
     * 10,000. 1: every call. On the processor it counts with CAIRN_ACCURACY_FAST alone; 0: every step. */
    int audit_every;
    /* Kinds of violations that are counted and reported but not forbidden: bit 1 << kind; default 0. */
    uint32_t allow;
} cairn_settings;

/* The defaults named above. */
CAIRN_API cairn_settings cairn_settings_default(void);

/* Check all fields and their combinations. Leaves one message per wrong field in the context. CAIRN_INVALID when there is one.
 * cairn_simulation_create makes the same check. */
CAIRN_API cairn_status cairn_settings_check(cairn_context *context, const cairn_settings *settings);

/* Set a field by name, from text as on the command line: "0.01" or "1/64", "on", "stiff2", "pyramid(8)", "energy,jump".
 * CAIRN_INVALID for an unknown name or a wrong value; the settings then stay as they were. Combinations of fields are not
 * checked here; cairn_settings_check does that. */
CAIRN_API cairn_status cairn_settings_set(cairn_context *context, cairn_settings *settings, const char *name,
                                          const char *text);

/* Write a field as text that cairn_settings_set reads back exactly, into `text`, which has room for `size` bytes. Returns false,
 * and an empty text, when the name is unknown. */
CAIRN_API bool cairn_settings_get(const cairn_settings *settings, const char *name, char *text, size_t size);

/* -------------------------------------------------------------------------------------------------- the table */

/* The type of a setting's field in cairn_settings, and how its text looks. */
typedef enum cairn_setting_type
{
    /* double */
    CAIRN_SETTING_NUMBER = 0,
    /* int */
    CAIRN_SETTING_COUNT,
    /* bool: "on" or "off" */
    CAIRN_SETTING_SWITCH,
    /* An enumeration: one of the words. */
    CAIRN_SETTING_WORD,
    /* cairn_law: one of the words, with a number for the m of "pyramid(m)". */
    CAIRN_SETTING_LAW,
    /* uint32_t, bit 1 << i for word i: any of the words, separated by commas. */
    CAIRN_SETTING_WORDS,
} cairn_setting_type;

/* A row of the table. All texts are constants. */
typedef struct cairn_setting
{
    /* Name as in scene files and run files: "solver_tolerance". The command-line option is --solver-tolerance. */
    const char *name;
    cairn_setting_type type;
    /* What a value is: "a time", "kinds of violations"; "" where the words say it all. */
    const char *noun;
    /* "s"; "": none. */
    const char *unit;
    /* Range of numbers and counts. DBL_MAX: any finite number; INFINITY: infinity too. */
    double least, most;
    /* The value must be greater than `least`, not equal to it. */
    bool above;
    /* The allowed words, by the value they stand for; NULL after the last one. */
    const char *(*word)(int index);
    /* Where the setting has an effect: "second-order schemes"; "": everywhere. */
    const char *applies;
    /* What it sets: the beginning of a sentence, without its full stop. */
    const char *summary;
    /* Further sentences; "": none. */
    const char *detail;
    /* Offset of the field in cairn_settings. */
    size_t offset;
    /* The default, as cairn_setting_value returns it. */
    double preset;
} cairn_setting;

/* The number of settings. */
CAIRN_API int cairn_setting_count(void);

/* Setting `index`, from 0; NULL for an index out of range. */
CAIRN_API const cairn_setting *cairn_setting_at(int index);

/* The setting with this name, spelt with '_' or '-'; NULL when it is unknown. */
CAIRN_API const cairn_setting *cairn_setting_find(const char *name);

/* The value of a setting's field as a number: 0 or 1 for a switch, the index of a word, the kind of a law, the bits of words. */
CAIRN_API double cairn_setting_value(const cairn_setting *setting, const cairn_settings *settings);

/* Write the range of a setting in words into `text`: "greater than 0", "from 1 to 1024"; "" for settings that are not numbers. */
CAIRN_API void cairn_setting_range(const cairn_setting *setting, char *text, size_t size);

/* Write what a setting accepts, to follow the word "expected": "none, gap or project", "a time in s, greater than 0". */
CAIRN_API void cairn_setting_expects(const cairn_setting *setting, char *text, size_t size);

/* ------------------------------------------------------------------------------------------------------- names */

/* Name of a value as scene files spell it; "unknown" for any other number. Must not be freed. */
CAIRN_API const char *cairn_integrator_name(cairn_integrator integrator);
CAIRN_API const char *cairn_stabilisation_name(cairn_stabilisation stabilisation);
CAIRN_API const char *cairn_impact_name(cairn_impact impact);
CAIRN_API const char *cairn_accuracy_name(cairn_accuracy accuracy);
CAIRN_API const char *cairn_device_name(cairn_device device);

/* Parse the name of an integrator. Returns false, and leaves *out alone, when it is unknown. */
CAIRN_API bool cairn_integrator_parse(const char *text, cairn_integrator *out);

/* Order of accuracy: 1 or 2; 0 for any other number. */
CAIRN_API int cairn_integrator_order(cairn_integrator integrator);

CAIRN_END_DECLS

#endif
