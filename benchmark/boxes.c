#include "boxes.h"

#include "bench.h"
#include "support/builder.h"

#include <math.h>
#include <stdlib.h>

cairn_model *bench_towers(cairn_context *context, int count, int height)
{
    builder b = builder_open(context, 3, 0.5, 0);
    int towers = (count + height - 1) / height;
    int side = (int)ceil(sqrt(towers));
    builder_ground(&b);
    for (int i = 0; i < count; ++i)
    {
        int tower = i / height;
        builder_pose pose = builder_at(2.0 * (tower % side), 2.0 * (double)(tower / side), 0.5 + i % height);
        pose.density = 1000;
        builder_box(&b, &pose, 1, 1, 1);
    }
    if (b.status)
    {
        fprintf(stderr, "benchmark scene: %s\n", cairn_context_last_message(context));
        exit(1);
    }
    return b.model;
}
