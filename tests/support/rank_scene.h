/* A scene that ranks share in tests: all its bodies, and steps of it with the bodies divided among ranks in one way or another. */
#ifndef CAIRN_TESTS_SUPPORT_RANK_SCENE_H
#define CAIRN_TESTS_SUPPORT_RANK_SCENE_H

#include "gpu/interface.h"

enum
{
    RANK_SCENE_BODIES = 700,
    RANK_SCENE_SHAPES = 1200,
    RANK_SCENE_JOINTS = 200,
    RANK_SCENE_PLANES = 6
};

typedef struct rank_scene
{
    int bodies, shapes, walls, planes, joints, joint_colours;
    crn_gpu_body body[RANK_SCENE_BODIES];
    crn_gpu_shape shape[RANK_SCENE_SHAPES]; /* walls last */
    crn_gpu_plane plane[RANK_SCENE_PLANES];
    crn_gpu_joint joint[RANK_SCENE_JOINTS]; /* by colour */
    int joint_first[8];
    double gravity[3], step, friction, restitution, tolerance;
    crn_gpu_surface surface; /* all 0: none */
    double turn;             /* rad/s: of the driven body, about y, if there is one */
    int sweeps, most_sweeps;
    crn_gpu_law law;
} rank_scene;

typedef enum rank_division
{
    RANK_BY_CHANCE,
    RANK_BY_PLACE, /* slabs across x */
    RANK_ONE_EMPTY /* by chance, but the last rank has nothing */
} rank_division;

typedef struct rank_plan
{
    int ranks;
    rank_division division;
    bool is_alone; /* one world that knows nothing of ranks; ranks: 1 */
    int reopen; /* steps after which bodies are divided anew, and the worlds opened again with what they kept; 0: never */
    uint32_t seed;
    bool is_split; /* ranks share the bodies of their borders: results depend on the division */
    int threads;   /* per rank, not 0: they share every loop, which begins anywhere */
} rank_plan;

/* Where the scene is after some steps. */
typedef struct rank_end
{
    crn_gpu_body body[RANK_SCENE_BODIES];
    crn_gpu_report report; /* of the last step; messages and bytes: of rank 0 in all steps */
    int64_t most_leftover; /* of a step */
    char sentence[CRN_GPU_SENTENCE];
    bool is_whole; /* every message was asked for */
} rank_end;

void rank_scene_run(const crn_gpu_table *gpu, const rank_scene *scene, const rank_plan *plan, int steps, rank_end *end);

#endif
