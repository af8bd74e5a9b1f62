/* Balls and boxes that users put into a live simulation. A restart removes them. */
#ifndef CLI_VIEW_VIEW_ADDED_H
#define CLI_VIEW_VIEW_ADDED_H

#include "cli/view/view_live.h"

/* A ball of radius `value` or a box of side `value` at `point`, with the velocity `target`; as heavy as the moving bodies are on average,
 * and of their first material. CAIRN_INVALID with a sentence where something is in the way, or CLI_VIEW_MOST_ADDED are there. */
cairn_status cli_view_add(cli_view_live *live, const cli_view_command *command, char *error, size_t size);
void cli_view_remove_added(cli_view_live *live);

#endif
