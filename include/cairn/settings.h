/* Settings of a simulation: the struct, and the table that describes each of its fields.
 *
 * The table gives every setting a name, a type, a range, a unit, a default and a sentence. Scene files, the command line, run
 * files, the JSON Schema and the documentation all follow from it: a setting that is in the table is in all of them.
 *
 *     cairn_settings settings = cairn_settings_default();
 *     cairn_settings_set(context, &settings, "integrator", "stiff2");
 *     for (int i = 0; i < cairn_setting_count(); ++i)
 *         puts(cairn_setting_at(i)->name);
 */
#ifndef CAIRN_SETTINGS_H
#define CAIRN_SETTINGS_H

#include "cairn/problem.h"
#include "cairn/solver.h"

CAIRN_BEGIN_DECLS

typedef enum cairn_integrator
{
    CAIRN_INTEGRATOR_EULER = 0, /* explicit Euler, order 1 (Anitescu & Potra 2002, eq. 7) */
    CAIRN_INTEGRATOR_STIFF,     /* linearly implicit Euler, order 1 (Anitescu & Potra 2002, eq. 12-18) */
    CAIRN_INTEGRATOR_TRAPEZOID, /* scheme I of Potra et al. 2006, eq. 6.12: order 2, but 1 with nonlinear joints */
    CAIRN_INTEGRATOR_TRAPEZOID2, /* scheme II of Potra et al. 2006, eq. 6.10: order 2; chatters in stiction, rings if stiff */
    CAIRN_INTEGRATOR_STIFF2, /* two linearly implicit stages: order 2, exact stiction, damped in the stiff limit */
} cairn_integrator;

typedef enum cairn_stabilisation
{
    CAIRN_STABILISE_NONE = 0,
    CAIRN_STABILISE_GAP,
    CAIRN_STABILISE_PROJECT,
} cairn_stabilisation;

/* How the trapezoidal schemes see springs at the end of a step: where they will be (order 2), or by the linearisation of
 * Potra et al. 2006, eq. 10.13-10.14 at its start (order 1 for springs that turn, but stable however stiff they are). */
typedef enum cairn_jacobian
{
    CAIRN_JACOBIAN_EXACT = 0,
    CAIRN_JACOBIAN_LINEAR,
} cairn_jacobian;

/* The mass matrix of users' systems in the trapezoidal schemes, where it moves with q: the mean of both ends (Potra et al.
 * 2006, eq. 2.7: order 2) or that of the start (eq. 6.9: order 1). Bodies have a constant one. */
typedef enum cairn_mass
{
    CAIRN_MASS_MEAN = 0,
    CAIRN_MASS_START,
} cairn_mass;

/* What happens to the normal velocity in a collision. */
typedef enum cairn_impact
{
    CAIRN_IMPACT_POISSON = 0, /* compression, then a share e of its impulse again (Potra et al. 2006, eq. 7.5-7.9) */
    CAIRN_IMPACT_NEWTON,      /* u_n+ = -e u_n- */
    CAIRN_IMPACT_POISSON_FRICTION, /* Poisson's, with friction in decompression too: up to mu (1 + e) of the compression */
} cairn_impact;

/* What becomes of an initial state that breaks its constraints: joints that do not meet or pull apart, bodies that
 * penetrate, closed contacts that close further. */
typedef enum cairn_initial
{
    CAIRN_INITIAL_REFUSE =
        0,                 /* told with the size of each violation; by first-order schemes, which correct velocities in
                                 their first step, joints that do not meet and bodies that penetrate */
    CAIRN_INITIAL_PROJECT, /* the nearest positions and velocities that are right, in the norm of the mass */
    CAIRN_INITIAL_KEEP,    /* as refuse, but bodies may penetrate: they part as the stabilisation lets them */
} cairn_initial;

/* Each field's comment starts with its unit. */
typedef struct cairn_settings
{
    size_t struct_size;                /* set by cairn_settings_default; do not change */
    double step;                       /* s, h; > 0; default 0.01 */
    cairn_integrator integrator;       /* default stiff */
    cairn_law law;                     /* default cone, exact Coulomb friction */
    cairn_stabilisation stabilisation; /* default gap */
    cairn_solver_options solver;
    double contact_tolerance; /* m: second-order schemes treat smaller gaps as closed (Potra et al. 2006, eq. 7.1);
                                 default 1e-9 */
    cairn_jacobian jacobian;  /* default exact */
    cairn_mass mass;          /* default mean */
    double error_tolerance;   /* m: stiff2 divides the step so that each part's local error in position stays below it;
                               0, the default: one part */
    cairn_impact impact;      /* default poisson; first-order schemes know newton only */
    double event_floor;       /* share of the step below which events are no longer told apart; default 1e-6 */
    bool reduction;        /* contacts of meshes: leave out those that others imply, and flat edges altogether; default
                                 yes. No: for comparison */
    bool events;           /* second-order schemes: find and resolve events within a step; default yes */
    cairn_initial initial; /* default refuse */
    double restitution_threshold; /* m/s: slower impacts are inelastic; default 0.01 */
    double push_out_speed; /* m/s: bodies that penetrate are pushed apart by stabilisation gap no faster (first-order
                               schemes: or as fast as they come in); default 1 */
    double projection_tolerance; /* m: largest constraint violation the projection leaves; default 1e-10 */
    bool audit;                  /* check the physics of every step (cairn/audit.h); default yes */
    uint32_t allow; /* kinds of violations that are counted and told but forbid nothing: bit 1 << kind; default 0 */
} cairn_settings;

CAIRN_API cairn_settings cairn_settings_default(void);

/* One sentence per wrong field, as messages in the context. */
CAIRN_API cairn_status cairn_settings_check(cairn_context *context, const cairn_settings *settings);

typedef enum cairn_setting_type
{
    CAIRN_SETTING_NUMBER = 0, /* double */
    CAIRN_SETTING_COUNT,      /* int */
    CAIRN_SETTING_SWITCH,     /* bool: "on" or "off" */
    CAIRN_SETTING_WORD,       /* an enumeration: one of the words */
    CAIRN_SETTING_LAW,        /* cairn_law: one of the words, with a number for the m of "pyramid(m)" */
    CAIRN_SETTING_WORDS,      /* uint32_t, bit 1 << i for word i: any of the words, with commas between */
} cairn_setting_type;

typedef struct cairn_setting
{
    const char *name; /* "solver_tolerance", as in scene files and run files; the option is --solver-tolerance */
    cairn_setting_type type;
    const char *noun;               /* of a value: "a time", "kinds of violations"; "": one of the words says it all */
    const char *unit;               /* "s"; "": none */
    double least, most;             /* of numbers and counts; DBL_MAX: any finite number, INFINITY: that too */
    bool above;                     /* the value must be greater than `least`, not equal to it */
    const char *(*word)(int index); /* allowed words, by the value they stand for; NULL after the last one */
    const char *applies;            /* where the setting acts: "second-order schemes"; "": everywhere */
    const char *summary;            /* what it sets: the beginning of a sentence, without its full stop */
    const char *detail;             /* further sentences; "": none */
    size_t offset;                  /* of the field in cairn_settings */
    double preset;                  /* the default, as cairn_setting_value gives it */
} cairn_setting;

CAIRN_API int cairn_setting_count(void);
CAIRN_API const cairn_setting *cairn_setting_at(int index);          /* NULL: there is no such index */
CAIRN_API const cairn_setting *cairn_setting_find(const char *name); /* with '_' or '-'; NULL: unknown */

/* The field as a number: a switch is 0 or 1, a word its index, a law its kind, words their bits. */
CAIRN_API double cairn_setting_value(const cairn_setting *setting, const cairn_settings *settings);

/* "greater than 0", "from 1 to 1024"; "" for settings that are no numbers. */
CAIRN_API void cairn_setting_range(const cairn_setting *setting, char *text, size_t size);
/* What the setting accepts, to follow the word "expected": "none, gap or project", "a time in s, greater than 0". */
CAIRN_API void cairn_setting_expects(const cairn_setting *setting, char *text, size_t size);

/* Set a field from text as on the command line: "0.01" or "1/64", "on", "stiff2", "pyramid(8)", "energy,jump". On failure the
 * settings stay as they are. Combinations of fields are left to cairn_settings_check. */
CAIRN_API cairn_status cairn_settings_set(cairn_context *context, cairn_settings *settings, const char *name,
                                          const char *text);
/* The field as text that cairn_settings_set reads back exactly; false, and an empty text, when the name is unknown. */
CAIRN_API bool cairn_settings_get(const cairn_settings *settings, const char *name, char *text, size_t size);

/* Names of single values, "unknown" for a value that is none. The parse functions return false on an unknown name and leave
 * *out alone. */
CAIRN_API const char *cairn_integrator_name(cairn_integrator integrator);
CAIRN_API bool cairn_integrator_parse(const char *text, cairn_integrator *out);
CAIRN_API int cairn_integrator_order(cairn_integrator integrator); /* of accuracy: 1 or 2; 0: unknown */
CAIRN_API const char *cairn_stabilisation_name(cairn_stabilisation stabilisation);
CAIRN_API const char *cairn_impact_name(cairn_impact impact);

CAIRN_END_DECLS

#endif
