/* The inertia along the coordinates of a mechanism, for `cairn check --inertia`. */
#ifndef CLI_MAIN_INERTIA_H
#define CLI_MAIN_INERTIA_H

#include "cli/common/json.h"

#include <cairn/cairn.h>

/* Of all joints whose coordinates are freedoms of their own. */
typedef struct cli_inertia
{
    int count;
    cairn_coordinate *coordinates;
    double *matrix;
} cli_inertia;

/* Compute it; a message is left where coordinates depend on each other, as those of a loop. Free it in any case. */
cairn_status cli_inertia_compute(cairn_simulation *simulation, cli_inertia *out);
void cli_inertia_free(cli_inertia *inertia);
void cli_inertia_put(cli_json *json, const cli_inertia *inertia, const cairn_model *model);
void cli_inertia_print(const cli_inertia *inertia, const cairn_model *model);

#endif
