/* What the physics certificate found in a run: counts, and the first violations one by one. */
#ifndef CLI_RUN_RUN_PHYSICS_H
#define CLI_RUN_RUN_PHYSICS_H

#include "cli/common/json.h"

#include <cairn/cairn.h>

enum
{
    CLI_MOST_VIOLATIONS = 20, /* kept one by one */
};

typedef struct cli_run_physics
{
    int64_t count, forbidden, audited; /* violations; steps that were looked at */
    cairn_violation list[CLI_MOST_VIOLATIONS];
    int listed;
} cli_run_physics;

/* Count what was found in the step just made, or before the first one. */
void cli_run_physics_add(cli_run_physics *physics, const cairn_simulation *simulation);

/* Lines of the text summary; one sentence on standard error; and the "physics" object of the JSON summary. */
void cli_run_physics_print(const cli_run_physics *physics, int64_t steps, const cairn_simulation *simulation);
void cli_run_physics_tell(const cli_run_physics *physics, const cairn_simulation *simulation);
void cli_run_physics_put(cli_json *json, const cli_run_physics *physics, const cairn_simulation *simulation);

/* "energy 0.46 J at t = 0.15 s, 'p' and 'floor'" */
void cli_violation_text(const cairn_violation *violation, const cairn_model *model, char *text, size_t size);

#endif
