#include "cli/run/run_joints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOST_LINES = 20 /* of the text summary */
};

static double size_of(const double v[3])
{
    return hypot(hypot(v[0], v[1]), v[2]);
}

static cairn_joint joint_at(const cairn_simulation *simulation, int index)
{
    return cairn_model_joint(cairn_simulation_model(simulation), index);
}

void cli_run_joints_add(cli_run_joints *joints, const cairn_simulation *simulation)
{
    int all = cairn_model_joint_count(cairn_simulation_model(simulation));
    bool first = joints->count == 0;
    joints->count = all < CLI_MOST_JOINTS ? all : CLI_MOST_JOINTS;
    for (int i = 0; i < joints->count; ++i)
    {
        cli_run_joint *joint = &joints->joint[i];
        cairn_joint_state state = cairn_simulation_joint_state(simulation, joint_at(simulation, i));
        for (int k = 0; k < state.coordinate_count; ++k)
        {
            joint->least[k] = first ? state.coordinate[k] : fmin(joint->least[k], state.coordinate[k]);
            joint->most[k] = first ? state.coordinate[k] : fmax(joint->most[k], state.coordinate[k]);
            joint->drive[k] = fmax(joint->drive[k], fabs(state.drive[k]));
        }
        if (size_of(state.force) > joint->force)
        {
            joint->force = size_of(state.force);
            joint->force_time = cairn_simulation_time(simulation);
        }
        joint->moment = fmax(joint->moment, size_of(state.moment));
    }
}

static void print_joint(const cli_run_joint *joint, const cairn_simulation *simulation, cairn_joint handle, int width)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    cairn_joint_state state = cairn_simulation_joint_state(simulation, handle);
    printf("  %-*s %14.6g %14.6g              %s", width, cairn_model_joint_name(model, handle), joint->force,
           joint->moment, state.coordinate_count == 0 ? "-\n" : "");
    for (int k = 0; k < state.coordinate_count; ++k)
    {
        printf("%*s%s %.6g, from %.6g to %.6g", k == 0 ? 0 : width + 46, "",
               cairn_model_coordinate_name(model, handle, k), state.coordinate[k], joint->least[k], joint->most[k]);
        if (joint->drive[k] > 0)
            printf("; drive up to %.6g, work %.6g J", joint->drive[k], state.drive_work[k]);
        putchar('\n');
    }
}

void cli_run_joints_print(const cli_run_joints *joints, const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    int all = cairn_model_joint_count(model), shown = joints->count < MOST_LINES ? joints->count : MOST_LINES;
    int width = 12;
    for (int i = 0; i < shown; ++i)
    {
        int length = (int)strlen(cairn_model_joint_name(model, joint_at(simulation, i)));
        width = length > width ? length : width;
    }
    if (shown > 0)
        printf("\n  %-*s %14s %14s  (largest)   coordinates [m or rad]\n", width, "joint", "force [N]", "moment [N m]");
    for (int i = 0; i < shown; ++i)
        print_joint(&joints->joint[i], simulation, joint_at(simulation, i), width);
    if (shown < all)
        printf("  ... and %d more; --json prints the first %d\n", all - shown, CLI_MOST_JOINTS);
}

static void put_coordinate(cli_json *json, const cli_run_joint *joint, const cairn_joint_state *state, int k)
{
    cli_json_number(json, "last", state->coordinate[k]);
    cli_json_number(json, "rate", state->rate[k]);
    cli_json_number(json, "least", joint->least[k]);
    cli_json_number(json, "most", joint->most[k]);
    cli_json_number(json, "drive", joint->drive[k]);
    cli_json_open(json, "work", '{');
    cli_json_number(json, "drive", state->drive_work[k]);
    cli_json_number(json, "spring", state->spring_work[k]);
    cli_json_number(json, "friction", state->friction_work[k]);
    cli_json_number(json, "limit", state->limit_work[k]);
    cli_json_close(json, '}');
}

void cli_run_joints_put(cli_json *json, const cli_run_joints *joints, const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    cli_json_open(json, "joints", '{');
    for (int i = 0; i < joints->count; ++i)
    {
        const cli_run_joint *joint = &joints->joint[i];
        cairn_joint handle = joint_at(simulation, i);
        cairn_joint_state state = cairn_simulation_joint_state(simulation, handle);
        cli_json_open(json, cairn_model_joint_name(model, handle), '{');
        cli_json_number(json, "force", joint->force);
        cli_json_number(json, "force_time", joint->force_time);
        cli_json_number(json, "moment", joint->moment);
        cli_json_number(json, "work", cairn_simulation_joint_work(simulation, handle));
        cli_json_open(json, "coordinates", '{');
        for (int k = 0; k < state.coordinate_count; ++k)
        {
            cli_json_open(json, cairn_model_coordinate_name(model, handle, k), '{');
            put_coordinate(json, joint, &state, k);
            cli_json_close(json, '}');
        }
        cli_json_close(json, '}');
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}
