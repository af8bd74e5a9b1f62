/* Worlds in space. Bodies are near 1 m and near 1 kg: a step of 0.01 s moves them little, and impulses are as large as
 * velocities, without which an error that adds both says nothing. */
#include "support/problems/problem_worlds.h"

#include <math.h>

void problem_world_stack(builder *b, int size, double extra)
{
    builder_ground(b);
    for (int i = 0; i < size; ++i)
    {
        builder_pose pose = builder_at(0.02 * (i % 3), 0.03 * (i % 2), 0.505 + 1.005 * i);
        pose.velocity[0] = i == size - 1 ? extra : 0;
        builder_box(b, &pose, 1, 1, 1);
    }
}

void problem_world_heavy(builder *b, int size, double extra)
{
    builder_ground(b);
    for (int i = 0; i < size; ++i)
    {
        builder_pose pose = builder_at(0.05 * (i % 2), 0, 0.5 + i);
        pose.density = i == size - 1 || i % 2 ? sqrt(extra) : 1 / sqrt(extra);
        builder_box(b, &pose, 1, 1, 1);
    }
}

/* A plate with size x size feet below it. */
static void add_table(builder *b, int size, double z, double speed)
{
    builder_pose pose = builder_at(0, 0, z);
    pose.velocity[0] = speed;
    pose.velocity[1] = 0.5 * speed;
    cairn_body plate = builder_box(b, &pose, size, size, 0.2);
    for (int i = 0; i < size * size; ++i)
    {
        double place[3] = {i % size - 0.5 * (size - 1), (double)(i / size) - 0.5 * (size - 1), -0.3};
        double foot[3] = {0.3, 0.3, 0.4};
        builder_foot(b, plate, place, foot, 0);
    }
}

void problem_world_table(builder *b, int size, double extra)
{
    builder_ground(b);
    add_table(b, size, 0.5, extra);
    add_table(b, size, 1.105, 0);
}

void problem_world_planks(builder *b, int size, double extra)
{
    int many = (int)extra;
    builder_ground(b);
    for (int i = 0; i < size; ++i)
    {
        for (int k = 0; k < many; ++k)
        {
            double off = 0.4 * (k - 0.5 * (many - 1));
            bool along = i % 2 == 0;
            builder_pose pose = builder_at(along ? 0 : off, along ? off : 0, 0.05 + 0.1 * i);
            pose.density = 100;
            builder_box(b, &pose, along ? 0.4 * many : 0.2, along ? 0.2 : 0.4 * many, 0.1);
        }
    }
}

void problem_world_wall(builder *b, int size, double extra)
{
    int many = (int)extra;
    builder_ground(b);
    for (int i = 0; i < size; ++i)
    {
        for (int k = 0; k < many; ++k)
        {
            builder_pose pose = builder_at(0.2 * k + 0.1 * (i % 2), 0, 0.05 + 0.1 * i + 0.001 * (i + 1));
            pose.density = 500;
            builder_box(b, &pose, 0.198, 0.1, 0.1);
        }
    }
}

void problem_world_pyramid(builder *b, int size, double extra)
{
    builder_ground(b);
    for (int i = 0; i < size; ++i)
    {
        int side = size - i;
        for (int k = 0; k < side * side; ++k)
        {
            double shift = 0.5 * (side - 1);
            builder_pose pose = builder_at(k % side - shift, (double)(k / side) - shift, 0.5 + i);
            pose.velocity[0] = side == 1 ? extra : 0;
            builder_box(b, &pose, 0.96, 0.96, 1);
        }
    }
}

/* A square bin of the given half width. */
static void add_bin(builder *b, double half)
{
    builder_ground(b);
    builder_wall(b, -half, 0, 0, 1, 0, 0);
    builder_wall(b, half, 0, 0, -1, 0, 0);
    builder_wall(b, 0, -half, 0, 0, 1, 0);
    builder_wall(b, 0, half, 0, 0, -1, 0);
}

/* Spheres of radius 0.5/ratio .. 0.5 in jittered layers over a bin, every other one of another density, already falling. */
static void drop_spheres(builder *b, int size, double ratio, double ratio_of_densities)
{
    int side = (int)ceil(cbrt(size));
    add_bin(b, 0.55 * side);
    for (int i = 0; i < size; ++i)
    {
        int layer = i / (side * side);
        double radius = 0.5 * pow(ratio, -test_uniform(&b->random, 0, 1));
        builder_pose pose = builder_at(
            1.08 * (i % side - 0.5 * (side - 1)) + test_uniform(&b->random, -0.03, 0.03),
            1.08 * (i / side % side - 0.5 * (side - 1)) + test_uniform(&b->random, -0.03, 0.03), radius + 1.02 * layer);
        pose.velocity[2] = -2;
        pose.density = i % 2 ? 2 * sqrt(ratio_of_densities) : 2 / sqrt(ratio_of_densities);
        builder_ball(b, &pose, radius);
    }
}

void problem_world_bin(builder *b, int size, double extra)
{
    drop_spheres(b, size, extra, 1);
}

void problem_world_grains(builder *b, int size, double extra)
{
    drop_spheres(b, size, 2, extra);
}

void problem_world_cannon(builder *b, int size, double extra)
{
    builder_ground(b);
    for (int i = 0; i < size; ++i)
    {
        int side = size - i;
        for (int k = 0; k < side * side; ++k)
        {
            double shift = 0.5 * (side - 1);
            builder_pose pose = builder_at(k % side - shift, (double)(k / side) - shift, 0.5 + i * sqrt(0.5));
            for (int c = 0; c < 3; ++c)
                pose.position[c] += test_uniform(&b->random, 0, extra);
            pose.density = 2;
            builder_ball(b, &pose, 0.5);
        }
    }
}

void problem_world_rubble(builder *b, int size, double extra)
{
    int side = (int)ceil(cbrt(size));
    add_bin(b, 0.6 * side + 0.2);
    for (int i = 0; i < size; ++i)
    {
        double edge[3];
        for (int c = 0; c < 3; ++c)
            edge[c] = 0.7 * pow(extra, -test_uniform(&b->random, 0, 1));
        builder_pose pose = builder_at(1.2 * (i % side - 0.5 * (side - 1)), 1.2 * (i / side % side - 0.5 * (side - 1)),
                                       0.6 + 1.2 * (i / (side * side)));
        builder_random_turn(b, pose.turn);
        pose.velocity[2] = -3;
        pose.density = 10;
        builder_box(b, &pose, edge[0], edge[1], edge[2]);
    }
}

void problem_world_chain(builder *b, int size, double extra)
{
    builder_pose beam = builder_at(0, 0, 0.5);
    cairn_body last = {0};
    const double axis[3] = {0, 1, 0};
    builder_ground(b);
    builder_fixed_box(b, &beam, 0.5, 2, 1);
    for (int i = 0; i < size; ++i)
    {
        double x = 0.5 * (i - 0.5 * (size - 1));
        builder_pose pose = builder_at(x, 0, 1.06);
        pose.density = i == size - 1 ? 100 * extra : 100;
        cairn_body link = builder_box(b, &pose, 0.4, 0.3, 0.1);
        double hinge[3] = {x - 0.25, 0, 1.06};
        if (i > 0)
            builder_hinge(b, last, link, hinge, axis);
        last = link;
    }
}

void problem_world_slope(builder *b, int size, double extra)
{
    const double gravity[3] = {9.81 * sin(extra), 0, -9.81 * cos(extra)};
    b->status = b->status ? b->status : cairn_model_set_gravity(b->model, gravity);
    builder_ground(b);
    for (int i = 0; i < size; ++i)
    {
        builder_pose pose = builder_at(0, 2 * i, 0.5);
        pose.velocity[1] = i % 3 == 1 ? 1 : 0;
        if (i % 2)
            builder_box(b, &pose, 1, 1, 1);
        else
            builder_ball(b, &pose, 0.5);
    }
}

void problem_world_net(builder *b, int size, double extra)
{
    cairn_body before[32] = {{0}};
    builder_ground(b);
    for (int i = 0; i < size; ++i)
    {
        cairn_body left = {0};
        for (int k = 0; k < size; ++k)
        {
            builder_pose pose = builder_at(1.5 * i, 1.5 * k, 0.52 + 0.01 * ((i + k) % 2));
            pose.velocity[0] = i == 0 ? 1 : 0;
            pose.velocity[2] = -1;
            cairn_body here = builder_box(b, &pose, 1, 1, 1);
            if (k > 0)
                builder_spring(b, left, here, extra, 0.01 * extra);
            if (i > 0)
                builder_spring(b, before[k], here, extra, 0.01 * extra);
            before[k] = left = here;
        }
    }
}

void problem_world_spin(builder *b, int size, double extra)
{
    builder_ground(b);
    for (int i = 0; i < size; ++i)
    {
        builder_pose pose = builder_at(0.3 * (i % 2), 0, 0.55 + 1.2 * i);
        builder_random_turn(b, pose.turn);
        pose.density = 5;
        pose.velocity[2] = -2;
        for (int c = 0; c < 3; ++c)
            pose.spin[c] = test_uniform(&b->random, -extra, extra);
        builder_box(b, &pose, 1, 0.6, 0.3);
    }
}
