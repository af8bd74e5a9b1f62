#include "support/builder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

builder builder_open(cairn_context *context, int dimension, double mu, uint64_t seed)
{
    builder b = {.context = context, .random = {seed}};
    cairn_material_options options = cairn_material_default();
    options.name = "stuff";
    options.friction = mu;
    b.status = cairn_model_create(context, dimension, &b.model);
    b.status = b.status ? b.status : cairn_model_add_material(b.model, &options, &b.material);
    return b;
}

builder_pose builder_at(double x, double y, double z)
{
    return (builder_pose){.position = {x, y, z}, .density = 1};
}

/* Names are numbers in order of adding. */
static const char *next_name(builder *b, char *name, size_t size)
{
    snprintf(name, size, "b%d", ++b->count);
    return name;
}

static cairn_body add(builder *b, const builder_pose *pose, cairn_body_kind kind, cairn_shape_options *shape)
{
    cairn_body body = {0};
    cairn_shape ignored;
    char name[16];
    cairn_body_options options = cairn_body_default();
    options.name = next_name(b, name, sizeof name);
    options.kind = kind;
    options.angle = pose->angle;
    memcpy(options.position, pose->position, sizeof options.position);
    memcpy(options.velocity, pose->velocity, sizeof options.velocity);
    memcpy(options.angular_velocity, pose->spin, sizeof options.angular_velocity);
    if (pose->turn[0] != 0 || pose->turn[1] != 0 || pose->turn[2] != 0 || pose->turn[3] != 0)
        memcpy(options.orientation, pose->turn, sizeof options.orientation);
    shape->material = b->material;
    shape->density = kind == CAIRN_DYNAMIC ? pose->density : 0;
    b->status = b->status ? b->status : cairn_model_add_body(b->model, &options, &body);
    b->status = b->status ? b->status : cairn_model_add_shape(b->model, body, shape, &ignored);
    return body;
}

void builder_wall(builder *b, double px, double py, double pz, double nx, double ny, double nz)
{
    bool planar = b->model && cairn_model_dimension(b->model) == 2;
    cairn_shape_options shape = cairn_shape_default(planar ? CAIRN_HALF_PLANE : CAIRN_HALF_SPACE);
    builder_pose pose = builder_at(px, py, pz);
    shape.normal[0] = nx;
    shape.normal[1] = ny;
    shape.normal[2] = nz;
    add(b, &pose, CAIRN_FIXED, &shape);
}

void builder_ground(builder *b)
{
    bool planar = b->model && cairn_model_dimension(b->model) == 2;
    builder_wall(b, 0, 0, 0, 0, planar ? 1 : 0, planar ? 0 : 1);
}

static cairn_shape_options box_shape(double x, double y, double z)
{
    cairn_shape_options shape = cairn_shape_default(CAIRN_BOX);
    shape.size[0] = x;
    shape.size[1] = y;
    shape.size[2] = z;
    return shape;
}

cairn_body builder_box(builder *b, const builder_pose *pose, double x, double y, double z)
{
    cairn_shape_options shape = box_shape(x, y, z);
    return add(b, pose, CAIRN_DYNAMIC, &shape);
}

cairn_body builder_shape(builder *b, const builder_pose *pose, const cairn_shape_options *shape)
{
    cairn_shape_options copy = *shape;
    return add(b, pose, CAIRN_DYNAMIC, &copy);
}

void builder_fixed_box(builder *b, const builder_pose *pose, double x, double y, double z)
{
    cairn_shape_options shape = box_shape(x, y, z);
    add(b, pose, CAIRN_FIXED, &shape);
}

void builder_foot(builder *b, cairn_body body, const double place[3], const double size[3], double density)
{
    cairn_shape ignored;
    cairn_shape_options shape = box_shape(size[0], size[1], size[2]);
    memcpy(shape.position, place, sizeof shape.position);
    shape.density = density;
    shape.material = b->material;
    b->status = b->status ? b->status : cairn_model_add_shape(b->model, body, &shape, &ignored);
}

cairn_body builder_ball(builder *b, const builder_pose *pose, double radius)
{
    bool planar = b->model && cairn_model_dimension(b->model) == 2;
    cairn_shape_options shape = cairn_shape_default(planar ? CAIRN_CIRCLE : CAIRN_SPHERE);
    shape.radius = radius;
    return add(b, pose, CAIRN_DYNAMIC, &shape);
}

cairn_body builder_rectangle(builder *b, const builder_pose *pose, double x, double y)
{
    double vertices[] = {-x / 2, -y / 2, x / 2, -y / 2, x / 2, y / 2, -x / 2, y / 2};
    cairn_shape_options shape = cairn_shape_default(CAIRN_POLYGON);
    shape.vertices = vertices;
    shape.vertex_count = 4;
    return add(b, pose, CAIRN_DYNAMIC, &shape);
}

cairn_body builder_polygon(builder *b, const builder_pose *pose, int n, double radius)
{
    double vertices[32];
    for (int i = 0; i < n; ++i)
    {
        double angle = 2 * acos(-1.0) * i / n;
        vertices[2 * i] = radius * cos(angle);
        vertices[2 * i + 1] = radius * sin(angle);
    }
    cairn_shape_options shape = cairn_shape_default(CAIRN_POLYGON);
    shape.vertices = vertices;
    shape.vertex_count = n;
    return add(b, pose, CAIRN_DYNAMIC, &shape);
}

void builder_hinge(builder *b, cairn_body one, cairn_body two, const double point[3], const double axis[3])
{
    char name[16];
    cairn_joint ignored;
    if (b->status)
        return;
    cairn_joint_options options = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    options.name = next_name(b, name, sizeof name);
    options.a = cairn_model_attach(b->model, one, point);
    options.b = cairn_model_attach(b->model, two, point);
    memcpy(options.axis, axis, sizeof options.axis);
    b->status = cairn_model_add_joint(b->model, &options, &ignored);
}

void builder_spring(builder *b, cairn_body one, cairn_body two, double stiffness, double damping)
{
    char name[16];
    cairn_spring ignored;
    if (b->status)
        return;
    cairn_spring_options options = cairn_spring_default(CAIRN_SPRING_LINEAR);
    options.name = next_name(b, name, sizeof name);
    options.a.body = one;
    options.b.body = two;
    options.stiffness = stiffness;
    options.damping = damping;
    b->status = cairn_model_add_spring(b->model, &options, &ignored);
}

void builder_random_turn(builder *b, double turn[4])
{
    double sum = 0;
    for (int i = 0; i < 4; ++i)
    {
        turn[i] = test_uniform(&b->random, -1, 1);
        sum += turn[i] * turn[i];
    }
    turn[0] += sum > 1e-3 ? 0 : 1;
}
