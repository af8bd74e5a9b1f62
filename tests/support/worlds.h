/* Short ways to build models and to run built-in scenes in tests. Every call that must succeed fails the test if not. */
#ifndef TEST_SUPPORT_WORLDS_H
#define TEST_SUPPORT_WORLDS_H

#include <cairn/cairn.h>

/* A run of a built-in scene. */
typedef struct world
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_model *model; /* NULL when it belongs to the scene */
    cairn_simulation *simulation;
} world;

/* Load a built-in scene; `settings` may be changed before world_start. */
world world_load(const char *name, cairn_settings *settings, const cairn_parameter *parameters, int count);
/* The same of a scene's text. */
world world_parse(const char *text, cairn_settings *settings, const cairn_parameter *parameters, int count);
/* An empty model. */
world world_new(int dimension);
void world_start(world *w, const cairn_settings *settings);
void world_free(world *w);
/* Step, and fail the test when the step fails or misses its tolerance. */
void world_step(world *w);
void world_run(world *w, int steps);
const cairn_model *world_model(const world *w);
cairn_body_state world_body(const world *w, const char *name);

/* Building blocks. */
cairn_material add_material(cairn_model *model, const char *name, double friction, double restitution);
cairn_body add_ground(cairn_model *model, cairn_material material);
cairn_body add_point(cairn_model *model, const char *name, double mass, double x, double y, cairn_material material);
/* A homogeneous box (rectangle in the plane) of the given mass. */
cairn_body add_box(cairn_model *model, const char *name, double mass, const double size[3], const double position[3],
                   cairn_material material);
cairn_body add_ball(cairn_model *model, const char *name, double mass, double radius, const double position[3],
                    cairn_material material);
cairn_spring add_spring(cairn_model *model, const char *name, cairn_attachment a, cairn_attachment b, double stiffness,
                        double damping);

/* Things of a simulation's model by their index. */
cairn_joint nth_joint(const cairn_simulation *simulation, int index);
cairn_spring nth_spring(const cairn_simulation *simulation, int index);
cairn_force nth_force(const cairn_simulation *simulation, int index);

/* Uniform in [low, high], from a seed that is advanced. */
double random_in(uint64_t *seed, double low, double high);

#endif
