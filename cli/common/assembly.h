/* How a mechanism was assembled, and its degrees of freedom, for people and as JSON. */
#ifndef CLI_COMMON_ASSEMBLY_H
#define CLI_COMMON_ASSEMBLY_H

#include "cli/common/json.h"

#include <cairn/assembly.h>

/* A line of a summary, and with `bodies` one more per body that moved. Nothing is printed when the assembly is NULL. */
void cli_assembly_print(const cairn_assembly *assembly, const cairn_model *model, bool bodies);
/* A field "assembly"; none when it is NULL. */
void cli_assembly_put(cli_json *json, const cairn_assembly *assembly, const cairn_model *model);

/* A line, and a field "freedoms". */
void cli_freedoms_print(const cairn_freedoms *freedoms, const int *redundant, const cairn_model *model);
void cli_freedoms_put(cli_json *json, const cairn_freedoms *freedoms, const int *redundant, const cairn_model *model);

#endif
