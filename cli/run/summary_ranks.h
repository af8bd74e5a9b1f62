/* How processes shared a run, in its summary. Nothing where there are no ranks. */
#ifndef CLI_RUN_SUMMARY_RANKS_H
#define CLI_RUN_SUMMARY_RANKS_H

#include "cairn/cairn.h"
#include "cli/common/json.h"

void cli_run_ranks_print(cairn_simulation *simulation);
void cli_run_ranks_put(cli_json *json, cairn_simulation *simulation);

#endif
