/* What the joints of a run did: the range of each coordinate, the largest reaction, the work of each drive. */
#ifndef CLI_RUN_RUN_JOINTS_H
#define CLI_RUN_RUN_JOINTS_H

#include "cli/common/json.h"

#include <cairn/cairn.h>

enum
{
    CLI_MOST_JOINTS = 100 /* followed step by step: the first so many */
};

typedef struct cli_run_joint
{
    double least[3], most[3]; /* of each coordinate */
    double drive[3];          /* the largest force of each drive */
    double force, force_time; /* the largest reaction, and when */
    double moment;            /* the largest moment */
} cli_run_joint;

typedef struct cli_run_joints
{
    int count; /* of those that are followed */
    cli_run_joint joint[CLI_MOST_JOINTS];
} cli_run_joints;

/* Look at the joints now. */
void cli_run_joints_add(cli_run_joints *joints, const cairn_simulation *simulation);

/* Lines of the text summary, and the "joints" object of the JSON one. */
void cli_run_joints_print(const cli_run_joints *joints, const cairn_simulation *simulation);
void cli_run_joints_put(cli_json *json, const cli_run_joints *joints, const cairn_simulation *simulation);

#endif
