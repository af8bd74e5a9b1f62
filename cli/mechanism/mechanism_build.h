/* What the files that make symbols share. Directions and points are in the frame of the body. */
#ifndef CLI_MECHANISM_MECHANISM_BUILD_H
#define CLI_MECHANISM_MECHANISM_BUILD_H

#include "cli/mechanism/mechanism.h"

/* The joint whose symbols are made. */
typedef struct cli_joint_view
{
    cli_mechanism *out;
    const cairn_model *model;
    int dimension, index;
    cairn_joint joint;
    cairn_attachment end[2];
    cairn_joint_info info;
    double slide[2][3]; /* the direction of sliding on a and on b: axis 1 in the plane, axis 0 in space */
    double at;          /* m: b's point along it at the start */
    double low, high;   /* m: the part of the rail that is drawn */
} cli_joint_view;

/* New symbols on side 0 or 1 of the joint. */
void cli_symbol_ball(cli_joint_view *v, cli_symbol_role role, int side, const double at[3], double radius);
void cli_symbol_rod(cli_joint_view *v, cli_symbol_role role, int side, const double from[3], const double to[3],
                    double radius);
void cli_symbol_block(cli_joint_view *v, cli_symbol_role role, int side, const double at[3], const double along[3],
                      const double across[3], double third);
void cli_symbol_tie(cli_joint_view *v, cli_symbol_role role, cairn_attachment from, cairn_attachment to, double length);
/* A line, to which points are added one by one. */
void cli_symbol_line(cli_joint_view *v, cli_symbol_role role, int side, bool closed);
void cli_symbol_point(cli_joint_view *v, const double point[3]);
/* A straight line, and an arc of `radius` about `centre` from `zero` towards `quarter`, from angle `from` to `to`. */
void cli_symbol_segment(cli_joint_view *v, cli_symbol_role role, int side, const double from[3], const double to[3]);
void cli_symbol_arc(cli_joint_view *v, cli_symbol_role role, int side, const double centre[3], const double zero[3],
                    const double quarter[3], double radius, double from, double to);

/* The parts, each in a file of its own. */
void cli_mechanism_add_links(cli_mechanism *mechanism, const cairn_model *model);
void cli_joint_add_type(cli_joint_view *v);
/* The ropes of a coupling, which has nothing else to draw. */
void cli_joint_add_strands(cli_joint_view *v);
void cli_joint_add_wheels(cli_joint_view *v);
void cli_joint_add_coordinates(cli_joint_view *v);
void cli_joint_add_supports(cli_joint_view *v);

/* m: no point of the shape is farther from its middle; infinite for shapes without end. */
double cli_shape_reach(const cairn_shape_info *shape, int dimension);

/* Vectors. */
void cli_madd(const double a[3], double factor, const double b[3], double out[3]); /* a + factor b */
double cli_dot(const double a[3], const double b[3]);
void cli_cross(const double a[3], const double b[3], double out[3]);
double cli_length(const double a[3]);
double cli_distance(const double a[3], const double b[3]);
void cli_to_world(const cli_start_pose *pose, const double point[3], double out[3]);
/* A direction of the world in the body's frame at the start. */
void cli_to_body(const cli_start_pose *pose, const double direction[3], double out[3]);

#endif
