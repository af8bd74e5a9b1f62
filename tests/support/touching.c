#include "support/touching.h"

cairn_status touching_build(cairn_model *model, int side, int layers)
{
    const double RADIUS = 0.005, ALONG = 2 * RADIUS * side;
    cairn_body_options floor = cairn_body_default();
    cairn_shape_options below = cairn_shape_default(CAIRN_HALF_SPACE);
    cairn_population_options sand = cairn_population_default();
    cairn_body body;
    cairn_shape shape;
    int index;
    floor.name = "floor";
    floor.kind = CAIRN_FIXED;
    below.normal[2] = 1;
    sand.name = "sand";
    sand.count = side * side * layers;
    sand.sizes.mean = RADIUS;
    sand.density = 2500;
    sand.packing = CAIRN_PACKING_LATTICE;
    sand.spacing = 2 * RADIUS;
    sand.region.kind = CAIRN_REGION_BOX;
    sand.region.size[0] = sand.region.size[1] = 1.0001 * ALONG;
    sand.region.size[2] = 1.0001 * 2 * RADIUS * layers;
    sand.region.position[2] = 0.5 * sand.region.size[2] + 0.01 * RADIUS;
    cairn_status status = cairn_model_add_body(model, &floor, &body);
    status = status ? status : cairn_model_add_shape(model, body, &below, &shape);
    return status ? status : cairn_model_add_population(model, &sand, &index);
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
