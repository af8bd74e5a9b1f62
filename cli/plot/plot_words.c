/* The names of series are those of the run file (docs/run-file.md); a series that is not in the table is told by its name, its group
 * first and with spaces for underscores. */
#include "cli/plot/plot_words.h"

#include <string.h>

typedef struct word
{
    const char *name, *words;
} word;

static const word SERIES[] = {
    {"energy/total", "total energy"},
    {"energy/kinetic", "kinetic energy"},
    {"energy/potential", "potential energy"},
    {"energy/elastic", "elastic energy"},
    {"energy/balance_error", "error of the energy balance"},
    {"energy/integration", "energy change by integration"},
    {"energy/projection", "energy change by projection"},
    {"energy/work_contact_normal", "work of normal forces"},
    {"energy/work_friction", "work of friction"},
    {"energy/work_gravity", "work of gravity"},
    {"energy/work_forces", "work of applied forces"},
    {"energy/work_joints", "work of joints"},
    {"energy/work_springs", "work of springs"},
    {"energy/work_dampers", "work of dampers"},
    {"energy/work_driven", "work of driven bodies"},
    {"energy/work_gyroscopic", "work of gyroscopic forces"},
    {"energy/work_systems", "work of user systems"},
    {"energy/added", "energy brought in and taken out by bodies"},
    {"certificate/relative", "relative residual"},
    {"certificate/natural_map", "residual of the contact laws"},
    {"certificate/impulse_outside", "impulses outside of their cones"},
    {"certificate/penetration_speed", "speed of penetration"},
    {"certificate/complementarity", "complementarity"},
    {"certificate/joint", "residual of the joints"},
    {"certificate/dynamics", "residual of the equations of motion"},
    {"certificate/scale", "scale of the residuals"},
    {"certificate/worst_contact", "the worst contact"},
    {"contacts/count", "number of contacts"},
    {"joint_error", "joint error"},
    {"solver/iterations", "iterations of the solver"},
    {"solver/fallbacks", "fallbacks to another solver"},
    {"solver/refactorisations", "new factorisations"},
    {"solver/dropped_joint_rows", "redundant rows of joints"},
    {"solver/outcome", "outcome of the solver"},
    {"projection/iterations", "iterations of the projection"},
    {"projection/met", "whether the projection met its tolerance"},
    {"problems", "one-step problems solved"},
    {"events/count", "number of events"},
    {"violations/count", "number of violations of physics"},
};

static const word COMPONENTS[] = {
    {"vx", "velocity in x"},
    {"vy", "velocity in y"},
    {"vz", "velocity in z"},
    {"omega", "angular velocity"},
    {"omega_x", "angular velocity about x"},
    {"omega_y", "angular velocity about y"},
    {"omega_z", "angular velocity about z"},
    {"qw", "orientation w"},
    {"qx", "orientation x"},
    {"qy", "orientation y"},
    {"qz", "orientation z"},
};

static const char *look_up(const word *words, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (!strcmp(words[i].name, name))
            return words[i].words;
    return NULL;
}

/* group/some_name as "group: some name"; sensors without their group. */
static void spell(const char *name, char *out, size_t size)
{
    static const char sensors[] = "sensors/";
    const char *from = strncmp(name, sensors, sizeof sensors - 1) ? name : name + sizeof sensors - 1;
    size_t used = 0;
    for (; *from && used + 3 < size; ++from)
    {
        if (*from == '/')
            out[used++] = ':';
        out[used++] = *from == '/' || *from == '_' ? ' ' : *from;
    }
    out[used] = '\0';
}

void cli_series_words(const char *name, char *out, size_t size)
{
    const char *words = look_up(SERIES, sizeof SERIES / sizeof SERIES[0], name);
    if (words)
        snprintf(out, size, "%s", words);
    else
        spell(name, out, size);
}

void cli_quantity_kind_words(const cli_quantity *quantity, char *out, size_t size)
{
    const char *words = look_up(COMPONENTS, sizeof COMPONENTS / sizeof COMPONENTS[0], quantity->symbol);
    if (quantity->kind == CLI_QUANTITY_SERIES)
        cli_series_words(quantity->symbol, out, size);
    else
        snprintf(out, size, "%s", words ? words : quantity->symbol);
}

void cli_quantity_words(const cli_plot_run *run, const cli_quantity *quantity, char *out, size_t size)
{
    char kind[128];
    cli_quantity_kind_words(quantity, kind, sizeof kind);
    if (quantity->kind == CLI_QUANTITY_COMPONENT)
        snprintf(out, size, "%s of %s", kind, cairn_run_body_name(run->run, quantity->body));
    else if (quantity->kind == CLI_QUANTITY_SERIES)
        snprintf(out, size, "%s", kind);
    else
        snprintf(out, size, "%s", quantity->text);
}
