#include "support/touching.h"

static const double RADIUS = 0.005;

static cairn_status add_floor(cairn_model *model)
{
    cairn_body_options floor = cairn_body_default();
    cairn_shape_options below = cairn_shape_default(CAIRN_HALF_SPACE);
    cairn_body body;
    cairn_shape shape;
    floor.name = "floor";
    floor.kind = CAIRN_FIXED;
    below.normal[2] = 1;
    cairn_status status = cairn_model_add_body(model, &floor, &body);
    return status ? status : cairn_model_add_shape(model, body, &below, &shape);
}

/* Layers whose region begins at a height. */
static cairn_status add_layers(cairn_model *model, const char *name, int side, int layers, double height)
{
    cairn_population_options sand = cairn_population_default();
    int index;
    sand.name = name;
    sand.count = side * side * layers;
    sand.sizes.mean = RADIUS;
    sand.density = 2500;
    sand.packing = CAIRN_PACKING_LATTICE;
    sand.spacing = 2 * RADIUS;
    sand.region.kind = CAIRN_REGION_BOX;
    sand.region.size[0] = sand.region.size[1] = 1.0001 * 2 * RADIUS * side;
    sand.region.size[2] = 1.0001 * 2 * RADIUS * layers;
    sand.region.position[2] = 0.5 * sand.region.size[2] + height;
    return cairn_model_add_population(model, &sand, &index);
}

cairn_status touching_build(cairn_model *model, int side, int layers)
{
    cairn_status status = add_floor(model);
    return status ? status : add_layers(model, "sand", side, layers, 0.01 * RADIUS);
}

cairn_status touching_build_two(cairn_model *model, int side, int layers)
{
    int below = layers / 2;
    cairn_status status = add_floor(model);
    status = status ? status : add_layers(model, "sand", side, below, 0.01 * RADIUS);
    return status ? status : add_layers(model, "more", side, layers - below, (0.01 + 1.0001 * 2 * below) * RADIUS);
}

cairn_status touching_add_box(cairn_model *model)
{
    cairn_body_options under = cairn_body_default();
    cairn_shape_options block = cairn_shape_default(CAIRN_BOX);
    cairn_body body;
    cairn_shape shape;
    under.name = "block";
    under.kind = CAIRN_FIXED;
    under.position[2] = -5;
    block.size[0] = block.size[1] = block.size[2] = 0.1;
    cairn_status status = cairn_model_add_body(model, &under, &body);
    return status ? status : cairn_model_add_shape(model, body, &block, &shape);
}

cairn_settings touching_settings(void)
{
    cairn_settings settings = cairn_settings_default();
    settings.device = CAIRN_DEVICE_RANKS;
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    settings.accuracy = CAIRN_ACCURACY_FAST;
    settings.step = 0.002;
    settings.audit = false;
    return settings;
}
