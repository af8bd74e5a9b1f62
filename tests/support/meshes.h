/* Meshes whose volume, centre and inertia are known. */
#ifndef TESTS_SUPPORT_MESHES_H
#define TESTS_SUPPORT_MESHES_H

#include <cairn/cairn.h>

/* Room enough for a sphere of four subdivisions. */
enum
{
    TEST_MESH_VERTICES = 2562,
    TEST_MESH_TRIANGLES = 5120
};

typedef struct test_mesh
{
    double vertices[3 * TEST_MESH_VERTICES];
    int triangles[3 * TEST_MESH_TRIANGLES];
    int vertex_count, triangle_count;
} test_mesh;

void test_mesh_box(test_mesh *mesh, double a, double b, double c);
/* The same, every face cut into n x n cells of two triangles; the faces share no vertices. */
void test_mesh_fine_box(test_mesh *mesh, double a, double b, double c, int n);
/* The corners 0, e_x, e_y, e_z. */
void test_mesh_tetrahedron(test_mesh *mesh);
/* The profile [0, 2] x [0, 1] and [0, 1] x [1, 3], from z = 0 to 1. */
void test_mesh_angle(test_mesh *mesh);
/* An octahedron cut so many times, its vertices on the sphere of radius 1. */
void test_mesh_sphere(test_mesh *mesh, int cuts);
/* A square of side 2 in the plane z = 0, of n x n cells; open, upwards. */
void test_mesh_sheet(test_mesh *mesh, int n);

void test_mesh_move(test_mesh *mesh, double x, double y, double z);
cairn_shape_options test_mesh_options(const test_mesh *mesh);

#endif
