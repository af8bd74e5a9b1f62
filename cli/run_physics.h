/* What the certificate of the physics found in a run: counts, and the first violations one by one. */
#ifndef CLI_RUN_PHYSICS_H
#define CLI_RUN_PHYSICS_H

#include "json.h"

#include <cairn/cairn.h>

enum
{
    CRN_MOST_VIOLATIONS = 20, /* kept one by one */
};

typedef struct crn_run_physics
{
    int64_t count, forbidden;
    cairn_violation list[CRN_MOST_VIOLATIONS];
    int listed;
} crn_run_physics;

/* Kinds by name, separated by commas; false after a sentence for one that is unknown. */
bool crn_run_physics_allow(const char *names, uint32_t *allow);

/* Count what was found in the step just made, or before the first one. */
void crn_run_physics_add(crn_run_physics *physics, const cairn_simulation *simulation);

/* Lines of the text summary; one sentence on standard error; and the "physics" object of the JSON summary. */
void crn_run_physics_print(const crn_run_physics *physics, const cairn_simulation *simulation);
void crn_run_physics_tell(const crn_run_physics *physics, const cairn_simulation *simulation);
void crn_run_physics_put(crn_json *json, const crn_run_physics *physics, const cairn_simulation *simulation);

/* "energy 0.46 J at t = 0.15 s, 'p' and 'floor'" */
void crn_violation_text(const cairn_violation *violation, const cairn_model *model, char *text, size_t size);

#endif
