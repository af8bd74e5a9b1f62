/* Robots from files of other programs. */
#ifndef CLI_COMMON_IMPORT_H
#define CLI_COMMON_IMPORT_H

#include "cli/common/cli.h"

/* Read a robot; on standard error a line says how many notes there are. `keep` as for cli_scene_load. The exit status. */
int cli_import_load(cairn_context *context, const char *path, const cairn_import_options *options, bool keep,
                    cairn_scene **out);

/* Print notes, those of the same sentence as one, with the first place; all: every one. */
void cli_import_print(const cairn_import_notes *notes, bool all);

#endif
