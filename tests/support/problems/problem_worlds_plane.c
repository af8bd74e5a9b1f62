/* Worlds in the plane, of the same sizes and masses. */
#include "support/problems/problem_worlds.h"

#include <math.h>

static void add_box(builder *b, double half)
{
    builder_ground(b);
    builder_wall(b, -half, 0, 0, 1, 0, 0);
    builder_wall(b, half, 0, 0, -1, 0, 0);
}

/* Bodies of radius 0.5/ratio .. 0.5 in jittered rows, already falling; sides 0: disks. */
static void drop(builder *b, int size, double ratio, int sides)
{
    int side = (int)ceil(sqrt(size));
    add_box(b, 0.55 * side);
    for (int i = 0; i < size; ++i)
    {
        double radius = 0.5 * pow(ratio, -test_uniform(&b->random, 0, 1));
        double x = 1.06 * (i % side - 0.5 * (side - 1)) + test_uniform(&b->random, -0.02, 0.02);
        builder_pose pose = builder_at(x, 0.5 + 1.02 * (i / side), 0);
        pose.angle = test_uniform(&b->random, 0, 6);
        pose.velocity[1] = -2;
        if (sides)
            builder_polygon(b, &pose, sides, radius);
        else
            builder_ball(b, &pose, radius);
    }
}

void problem_world_disks(builder *b, int size, double extra)
{
    drop(b, size, extra, 0);
}

void problem_world_shards(builder *b, int size, double extra)
{
    drop(b, size, 2, (int)extra);
}

void problem_world_rows(builder *b, int size, double extra)
{
    builder_ground(b);
    for (int i = 0; i < size; ++i)
    {
        for (int k = 0; k < size; ++k)
        {
            builder_pose pose = builder_at(k + 0.5 * (i % 2), 0.25 + 0.505 * i, 0);
            pose.density = i == size - 1 ? 2 * extra : 2;
            builder_rectangle(b, &pose, 0.99, 0.5);
        }
    }
}

void problem_world_track(builder *b, int size, double extra)
{
    cairn_body last = {0};
    const double axis[3] = {0, 0, 1};
    builder_ground(b);
    for (int i = 0; i < size; ++i)
    {
        builder_pose pose = builder_at(1.1 * i, 0.1 + 0.002 * i, 0);
        pose.velocity[0] = extra;
        pose.density = 5;
        cairn_body bar = builder_rectangle(b, &pose, 1, 0.2);
        double hinge[3] = {1.1 * i - 0.55, 0.1 + 0.002 * i - 0.001, 0};
        if (i > 0)
            builder_hinge(b, last, bar, hinge, axis);
        last = bar;
    }
}
