/* Distances of points, lines and triangles, written a second time: every pair of parts tried, nothing clever. */
#ifndef TESTS_SUPPORT_TRIANGLES_H
#define TESTS_SUPPORT_TRIANGLES_H

#include "collide/collide.h"
#include "support/meshes.h"

double point_to_segment(const double x[3], const double p[3], const double q[3]);
double segment_to_segment(const double p[3], const double q[3], const double r[3], const double s[3]);
double point_to_triangle(const double x[3], const double t[3][3]);
/* 0 where the segment passes through. */
double segment_to_triangle(const double p[3], const double q[3], const double t[3][3]);
/* The corners of a triangle of a mesh in a pose. */
void triangle_in_pose(const test_mesh *mesh, int t, const crn_pose *pose, double out[3][3]);
/* The least over all pairs of triangles; 0 where they cross. */
double mesh_to_mesh(const test_mesh *a, const crn_pose *pose_a, const test_mesh *b, const crn_pose *pose_b);
/* Whether x lies inside a closed mesh: its solid angle is 4 pi, not 0. */
bool is_inside(const test_mesh *mesh, const crn_pose *pose, const double x[3]);

#endif
