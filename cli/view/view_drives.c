/* Drives whose targets users set.
 *
 * A position or a speed that jumped would ask a rigid drive for an infinite force, so the target moves to the new value along a straight
 * line, within RAMP of simulated time, from where it is; a force changes at once. The work of it is that of the drive.
 */
#include "cli/view/view_joints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double RAMP = 0.2; /* s */

/* The target of a drive now. One that depends on the state is not told: then the motion itself is where it leads on from. */
static double target_now(const cli_view_live *live, cairn_joint joint, int coordinate, cairn_drive_kind drive)
{
    double rate, value = cairn_simulation_coordinate(live->simulation, joint, coordinate, &rate);
    double target = cairn_model_target(live->model, joint, coordinate, cairn_simulation_time(live->simulation));
    return isfinite(target) ? target : drive == CAIRN_DRIVE_SPEED ? rate : value;
}

/* The table of a signal that leads from the present target to the value: constant before and after. */
static cairn_signal lead_to(const cli_view_live *live, cairn_joint joint, int coordinate, cairn_drive_kind drive,
                            double value, double table[4])
{
    double t = cairn_simulation_time(live->simulation);
    table[0] = t;
    table[1] = drive == CAIRN_DRIVE_FORCE ? value : target_now(live, joint, coordinate, drive);
    table[2] = t + RAMP;
    table[3] = value;
    return (cairn_signal){.table = table, .table_count = 2};
}

cairn_status cli_view_drive(cli_view_live *live, const cli_view_command *command, char *error, size_t size)
{
    cairn_joint joint = cairn_model_joint(live->model, command->joint);
    cairn_coordinate_info info = cairn_model_coordinate_info(live->model, joint, command->coordinate);
    if (joint.id == 0 || !info.name || info.drive == CAIRN_DRIVE_NONE)
    {
        snprintf(error, size, "no drive acts on coordinate %d of joint %d; the scene has %d joint%s",
                 command->coordinate, command->joint, cairn_model_joint_count(live->model),
                 cairn_model_joint_count(live->model) == 1 ? "" : "s");
        return CAIRN_INVALID;
    }
    double table[4];
    bool back = isnan(command->value);
    cairn_signal signal = lead_to(live, joint, command->coordinate, info.drive, command->value, table);
    cairn_status status =
        cairn_model_set_target(cairn_scene_edit(live->scene), joint, info.name, back ? NULL : &signal);
    if (status)
        return status;
    const char *name = cairn_model_joint_name(live->model, joint);
    int used = snprintf(live->log, sizeof live->log, "t = %.4g s: %s, %s ", table[0], name, info.name);
    if (used >= 0 && (size_t)used < sizeof live->log)
        snprintf(live->log + used, sizeof live->log - (size_t)used, back ? "as in the scene" : "to %.4g",
                 command->value);
    ++live->logged;
    return CAIRN_OK;
}

void cli_view_free_drives(cli_view_live *live)
{
    for (int i = 0; live->scene && i < cairn_model_joint_count(live->model); ++i)
    {
        cairn_joint joint = cairn_model_joint(live->model, i);
        for (int k = 0; k < cairn_model_coordinate_count(live->model, joint); ++k)
        {
            cairn_coordinate_info info = cairn_model_coordinate_info(live->model, joint, k);
            if (info.drive != CAIRN_DRIVE_NONE)
                cairn_model_set_target(cairn_scene_edit(live->scene), joint, info.name, NULL);
        }
    }
}

void cli_view_put_drives(cli_json *json, const cli_view_live *live)
{
    cli_json_integer(json, "logged", live->logged);
    cli_json_text(json, "log", live->logged > 0 ? live->log : NULL);
}
