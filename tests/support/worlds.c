#include "support/worlds.h"
#include "support/check.h"

#include <string.h>

static void must(const cairn_context *context, cairn_status status)
{
    if (status != CAIRN_OK)
        fail_msg("%s: %s", cairn_status_text(status), cairn_context_last_message(context));
}

world world_parse(const char *text, cairn_settings *settings, const cairn_parameter *parameters, int count)
{
    world w = {.context = cairn_context_create()};
    must(w.context, cairn_scene_parse(w.context, "test", text, strlen(text), parameters, count, &w.scene));
    *settings = cairn_scene_settings(w.scene);
    return w;
}

world world_load(const char *name, cairn_settings *settings, const cairn_parameter *parameters, int count)
{
    const cairn_builtin *scene = cairn_builtin_find(name);
    assert_non_null(scene);
    return world_parse(scene->text, settings, parameters, count);
}

world world_new(int dimension)
{
    world w = {.context = cairn_context_create()};
    assert_int_equal(cairn_model_create(w.context, dimension, &w.model), CAIRN_OK);
    assert_non_null(w.model);
    return w;
}

const cairn_model *world_model(const world *w)
{
    return w->model ? w->model : cairn_scene_model(w->scene);
}

void world_start(world *w, const cairn_settings *settings)
{
    must(w->context, cairn_simulation_create(w->context, world_model(w), settings, &w->simulation));
}

void world_free(world *w)
{
    cairn_simulation_destroy(w->simulation);
    cairn_scene_destroy(w->scene);
    cairn_model_destroy(w->model);
    cairn_context_destroy(w->context);
}

void world_step(world *w)
{
    must(w->context, cairn_simulation_step(w->simulation));
    const cairn_step_report *report = cairn_simulation_report(w->simulation);
    if (report->solver.outcome != CAIRN_SOLVED)
    {
        fail_msg("step %ld at t = %g: certificate %g", (long)report->step, report->time,
                 report->solver.certificate.relative);
    }
}

void world_run(world *w, int steps)
{
    for (int i = 0; i < steps; ++i)
        world_step(w);
}

cairn_body_state world_body(const world *w, const char *name)
{
    cairn_body body = cairn_model_find_body(world_model(w), name);
    assert_int_not_equal(body.id, 0);
    return cairn_simulation_body(w->simulation, body);
}

cairn_material add_material(cairn_model *model, const char *name, double friction, double restitution)
{
    cairn_material_options options = cairn_material_default();
    options.name = name;
    options.friction = friction;
    options.restitution = restitution;
    cairn_material out = {0};
    assert_int_equal(cairn_model_add_material(model, &options, &out), CAIRN_OK);
    return out;
}

static void add_shape(cairn_model *model, cairn_body body, const cairn_shape_options *options)
{
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(model, body, options, &shape), CAIRN_OK);
}

cairn_body add_ground(cairn_model *model, cairn_material material)
{
    cairn_body_options options = cairn_body_default();
    options.name = "ground";
    options.kind = CAIRN_FIXED;
    cairn_body body = {0};
    assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
    bool planar = cairn_model_dimension(model) == 2;
    cairn_shape_options shape = cairn_shape_default(planar ? CAIRN_HALF_PLANE : CAIRN_HALF_SPACE);
    shape.material = material;
    add_shape(model, body, &shape);
    return body;
}

cairn_body add_point(cairn_model *model, const char *name, double mass, double x, double y, cairn_material material)
{
    cairn_body_options options = cairn_body_default();
    options.name = name;
    options.point = true;
    options.mass = mass;
    options.position[0] = x;
    options.position[1] = y;
    cairn_body body = {0};
    assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
    cairn_shape_options shape = cairn_shape_default(CAIRN_POINT);
    shape.material = material;
    add_shape(model, body, &shape);
    return body;
}

cairn_body add_box(cairn_model *model, const char *name, double mass, const double size[3], const double position[3],
                   cairn_material material)
{
    cairn_body_options options = cairn_body_default();
    options.name = name;
    options.mass = mass;
    memcpy(options.position, position, sizeof options.position);
    cairn_body body = {0};
    assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
    bool planar = cairn_model_dimension(model) == 2;
    cairn_shape_options shape = cairn_shape_default(planar ? CAIRN_POLYGON : CAIRN_BOX);
    double x = size[0] / 2, y = size[1] / 2;
    double corners[8] = {-x, -y, x, -y, x, y, -x, y};
    memcpy(shape.size, size, sizeof shape.size);
    shape.vertices = corners;
    shape.vertex_count = 4;
    shape.material = material;
    add_shape(model, body, &shape);
    return body;
}

cairn_body add_ball(cairn_model *model, const char *name, double mass, double radius, const double position[3],
                    cairn_material material)
{
    cairn_body_options options = cairn_body_default();
    options.name = name;
    options.mass = mass;
    memcpy(options.position, position, sizeof options.position);
    cairn_body body = {0};
    assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
    cairn_shape_options shape = cairn_shape_default(cairn_model_dimension(model) == 2 ? CAIRN_CIRCLE : CAIRN_SPHERE);
    shape.radius = radius;
    shape.material = material;
    add_shape(model, body, &shape);
    return body;
}

cairn_spring add_spring(cairn_model *model, const char *name, cairn_attachment a, cairn_attachment b, double stiffness,
                        double damping)
{
    cairn_spring_options options = cairn_spring_default(CAIRN_SPRING_LINEAR);
    options.name = name;
    options.a = a;
    options.b = b;
    options.stiffness = stiffness;
    options.damping = damping;
    cairn_spring out = {0};
    assert_int_equal(cairn_model_add_spring(model, &options, &out), CAIRN_OK);
    return out;
}

double random_in(uint64_t *seed, double low, double high)
{
    /* splitmix64 */
    uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) * 0x1.0p-53);
}

cairn_joint nth_joint(const cairn_simulation *simulation, int index)
{
    return cairn_model_joint(cairn_simulation_model(simulation), index);
}

cairn_spring nth_spring(const cairn_simulation *simulation, int index)
{
    return cairn_model_spring(cairn_simulation_model(simulation), index);
}

cairn_force nth_force(const cairn_simulation *simulation, int index)
{
    return cairn_model_force(cairn_simulation_model(simulation), index);
}
