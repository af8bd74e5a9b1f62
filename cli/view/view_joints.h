/* Joints for the viewer: what they are, as parts of its header, and what they do now, beside the frames of a live simulation. */
#ifndef CLI_VIEW_VIEW_JOINTS_H
#define CLI_VIEW_VIEW_JOINTS_H

#include "cli/view/view_live.h"
#include "cli/view/view_world.h"

enum
{
    CLI_VIEW_MOST_JOINTS = 256 /* whose state is sent with frames */
};

/* `joints`: names, types, ends, coordinates. */
void cli_view_put_joints(cli_json *json, const cairn_model *model, cli_view_map map);
/* `symbols`: what is drawn of them. */
void cli_view_put_symbols(cli_json *json, const cli_mechanism *mechanism, cli_view_map map);
/* `joints` of the message that goes with a frame: a list of numbers per joint (docs/view-server.md). */
void cli_view_put_joint_states(cli_json *json, const cli_view_live *live);
/* `log`, the last command to a drive in words, and `logged`, how many there were. */
void cli_view_put_drives(cli_json *json, const cli_view_live *live);

/* Set the target of a drive, or let it follow its own again. */
cairn_status cli_view_drive(cli_view_live *live, const cli_view_command *command, char *error, size_t size);
/* All drives follow their own targets again. */
void cli_view_free_drives(cli_view_live *live);

#endif
