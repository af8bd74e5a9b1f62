/* The summary's lines about populations whose grains come and go. */
#ifndef CLI_RUN_SUMMARY_POPULATIONS_H
#define CLI_RUN_SUMMARY_POPULATIONS_H

#include "cli/common/json.h"

#include <cairn/cairn.h>

void cli_run_populations_print(const cairn_simulation *simulation);
/* The field `populations`, where the model has some. */
void cli_run_populations_put(cli_json *json, const cairn_simulation *simulation);

#endif
