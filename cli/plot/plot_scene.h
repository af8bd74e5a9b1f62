/* The scene of a run, as far as its picture needs it: which body each shape belongs to, which bodies move. */
#ifndef CLI_PLOT_PLOT_SCENE_H
#define CLI_PLOT_PLOT_SCENE_H

#include "cli/common/cli.h"
#include "cli/plot/plot_run.h"

#include "cairn/scene.h"

typedef struct cli_plot_scene
{
    cairn_scene *scene;
    const cairn_model *model; /* NULL: the run holds no scene; bodies are drawn as dots */
    int shape_count, spring_count, joint_count;
    int *shape_body;  /* the run's index of each shape's body; -1: not in the run */
    int *first_shape; /* a body: its first shape, -1: none */
    int *next_shape;  /* a shape: the next of the same body, -1: none */
    int *spring_body; /* two a spring; -1: the world */
    int *joint_body;  /* two a joint */
    bool *moves;      /* a body of the run */
    bool *has_shape;
    int *colour; /* index in the palette, moving bodies counted in their order */
    int most_vertices;
    cli_memory memory;
} cli_plot_scene;

/* Exit status. A scene text that cannot be read any more is told on stderr and drawn as dots. */
int cli_plot_scene_open(cli_plot_scene *scene, const cli_plot_run *run);
void cli_plot_scene_close(cli_plot_scene *scene);

/* The run's index of a body of the scene; -1: the world, or not in the run. */
int cli_plot_scene_body(const cli_plot_scene *scene, const cli_plot_run *run, cairn_body body);

/* A point of a body's frame in the world. */
void cli_plot_world_point(int dimension, const cairn_body_state *state, const double point[3], double out[3]);

#endif
