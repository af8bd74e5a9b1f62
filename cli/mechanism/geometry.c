/* Vectors, poses at the start, and how far shapes reach. */
#include "cli/mechanism/mechanism_build.h"

#include <math.h>
#include <string.h>

void cli_madd(const double a[3], double factor, const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] + factor * b[k];
}

double cli_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void cli_cross(const double a[3], const double b[3], double out[3])
{
    double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

double cli_length(const double a[3])
{
    return sqrt(cli_dot(a, a));
}

double cli_distance(const double a[3], const double b[3])
{
    double d[3];
    cli_madd(a, -1, b, d);
    return cli_length(d);
}

/* The model tells the attachments of points of the world: p = R'(w - x). Those of 0 and of the unit vectors give R and x. */
cli_start_pose cli_pose_at_start(const cairn_model *model, cairn_body body)
{
    static const double ORIGIN[3] = {0, 0, 0};
    cli_start_pose pose = {.x = {0, 0, 0}};
    cairn_attachment zero = cairn_model_attach(model, body, ORIGIN);
    for (int i = 0; i < 3; ++i)
    {
        double unit[3] = {i == 0, i == 1, i == 2};
        cairn_attachment tip = cairn_model_attach(model, body, unit);
        for (int k = 0; k < 3; ++k)
            pose.R[i][k] = tip.point[k] - zero.point[k];
    }
    if (cairn_model_dimension(model) == 2) /* the plane's normal is that of all bodies */
        pose.R[2][2] = 1.0;
    for (int i = 0; i < 3; ++i)
        pose.x[i] = -cli_dot(pose.R[i], zero.point);
    return pose;
}

void cli_to_world(const cli_start_pose *pose, const double point[3], double out[3])
{
    double turned[3];
    for (int i = 0; i < 3; ++i)
        turned[i] = pose->x[i] + cli_dot(pose->R[i], point);
    memcpy(out, turned, sizeof turned);
}

void cli_to_body(const cli_start_pose *pose, const double direction[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = direction[0] * pose->R[0][k] + direction[1] * pose->R[1][k] + direction[2] * pose->R[2][k];
}

void cli_mechanism_down(const cairn_model *model, double down[3])
{
    cairn_model_gravity(model, down);
    double g = cli_length(down);
    if (!(g > 0))
        down[cairn_model_dimension(model) - 1] = -1.0;
    for (int k = 0; k < 3 && g > 0; ++k)
        down[k] /= g;
}

double cli_shape_reach(const cairn_shape_info *shape, int dimension)
{
    double most = shape->radius + 0.5 * shape->length + shape->height + 0.5 * cli_length(shape->size);
    if (shape->look == CAIRN_LOOK_PLANE)
        return INFINITY;
    most = fmax(most, cli_length(shape->radii));
    for (int i = 0; i < shape->vertex_count; ++i)
    {
        double vertex[3] = {0, 0, 0};
        memcpy(vertex, shape->vertices + (ptrdiff_t)dimension * i, (size_t)dimension * sizeof(double));
        most = fmax(most, cli_length(vertex));
    }
    return most;
}

void cli_joint_ends(const cairn_model *model, cairn_joint joint, cairn_attachment end[2])
{
    if (cairn_model_coupling_strands(model, joint) > 0)
        cairn_model_coupling_strand(model, joint, 0, &end[0], &end[1]);
    else
        cairn_model_joint_attachments(model, joint, &end[0], &end[1]);
}
