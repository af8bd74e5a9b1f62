#include "boxes.h"

#include "bench.h"

#include <math.h>
#include <stdlib.h>

static void demand(cairn_context *context, cairn_status status)
{
    if (status)
    {
        fprintf(stderr, "benchmark scene: %s\n", cairn_context_last_message(context));
        exit(1);
    }
}

static void add_body(cairn_context *context, cairn_model *model, const cairn_body_options *body,
                     const cairn_shape_options *shape)
{
    cairn_body made;
    cairn_shape ignored;
    demand(context, cairn_model_add_body(model, body, &made));
    demand(context, cairn_model_add_shape(model, made, shape, &ignored));
}

cairn_model *bench_towers(cairn_context *context, int count, int height)
{
    cairn_model *model = cairn_model_create(context, 3);
    cairn_body_options body = cairn_body_default();
    cairn_shape_options ground = cairn_shape_default(CAIRN_HALF_SPACE);
    cairn_shape_options cube = cairn_shape_default(CAIRN_BOX);
    int towers = (count + height - 1) / height;
    int side = (int)ceil(sqrt(towers));
    char name[32];
    demand(context, model ? CAIRN_OK : CAIRN_NO_MEMORY);
    body.name = "ground";
    body.kind = CAIRN_FIXED;
    ground.normal[2] = 1;
    add_body(context, model, &body, &ground);
    cube.size[0] = cube.size[1] = cube.size[2] = 1;
    cube.density = 1000;
    for (int i = 0; i < count; ++i)
    {
        int tower = i / height;
        body = cairn_body_default();
        snprintf(name, sizeof name, "cube-%d", i);
        body.name = name;
        body.position[0] = 2.0 * (tower % side);
        body.position[1] = 2.0 * (tower / side);
        body.position[2] = 0.5 + i % height;
        add_body(context, model, &body, &cube);
    }
    return model;
}
