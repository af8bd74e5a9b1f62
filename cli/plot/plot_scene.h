/* The scene of a run, prepared for drawing: which body each shape belongs to, which bodies move. */
#ifndef CLI_PLOT_PLOT_SCENE_H
#define CLI_PLOT_PLOT_SCENE_H

#include "cli/common/cli.h"
#include "cli/mechanism/mechanism.h"
#include "cli/plot/plot_run.h"

#include "cairn/scene.h"

/* A spring or a joint. */
typedef struct cli_link
{
    bool joint;
    int index;   /* among the model's springs or joints */
    int body[2]; /* of the run; -1: the world, or not in the run */
    cairn_attachment end[2];
} cli_link;

typedef struct cli_plot_scene
{
    cairn_scene *scene;
    const cairn_model *model; /* NULL: the run holds no scene; bodies are drawn as dots */
    int shape_count;          /* of the model, then the links of bodies without shapes */
    int spring_count, joint_count;
    int *shape_body;  /* the run's index of each shape's body; -1: not in the run */
    int *first_shape; /* per body: its first shape; -1: none */
    int *next_shape;  /* per shape: the next shape of the same body; -1: none */
    cli_link *links;  /* springs first, then joints */
    cli_mechanism mechanism;
    bool *moves; /* per body of the run */
    bool *has_shape;
    int *colour; /* index in the palette, moving bodies counted in their order */
    int most_vertices;
    cli_memory memory;
} cli_plot_scene;

/* Returns the exit status. A scene that can no longer be read is reported on standard error, and its bodies are dots. */
int cli_plot_scene_open(cli_plot_scene *scene, const cli_plot_run *run);
void cli_plot_scene_close(cli_plot_scene *scene);

/* The run's index of a body of the scene; -1: the world, or not in the run. */
int cli_plot_scene_body(const cli_plot_scene *scene, const cli_plot_run *run, cairn_body body);

/* Shape `index` of shape_count. */
cairn_shape_info cli_plot_scene_shape(const cli_plot_scene *scene, int index);
/* Whether it is a link, and not a shape of the model. */
bool cli_plot_scene_is_link(const cli_plot_scene *scene, int index);

/* A point of a body's frame in the world. */
void cli_plot_world_point(int dimension, const cairn_body_state *state, const double point[3], double out[3]);

#endif
