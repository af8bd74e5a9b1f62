#include "support/meshes.h"

#include <math.h>
#include <string.h>

static int add_vertex(test_mesh *mesh, double x, double y, double z)
{
    double *v = mesh->vertices + 3 * mesh->vertex_count;
    v[0] = x;
    v[1] = y;
    v[2] = z;
    return mesh->vertex_count++;
}

static void add_triangle(test_mesh *mesh, int a, int b, int c)
{
    int *t = mesh->triangles + 3 * mesh->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/* A prism over a profile that is counter-clockwise, whose caps are the given triangles. */
static void extrude(test_mesh *mesh, const double *profile, int n, const int *caps, int cap_count, double low,
                    double high)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    for (int i = 0; i < 2 * n; ++i)
        add_vertex(mesh, profile[2 * (i % n)], profile[2 * (i % n) + 1], i < n ? low : high);
    for (int i = 0; i < cap_count; ++i)
    {
        const int *t = caps + 3 * i;
        add_triangle(mesh, t[2], t[1], t[0]);
        add_triangle(mesh, n + t[0], n + t[1], n + t[2]);
    }
    for (int i = 0; i < n; ++i)
    {
        int next = (i + 1) % n;
        add_triangle(mesh, i, next, n + next);
        add_triangle(mesh, i, n + next, n + i);
    }
}

void test_mesh_box(test_mesh *mesh, double a, double b, double c)
{
    double profile[8] = {-a / 2, -b / 2, a / 2, -b / 2, a / 2, b / 2, -a / 2, b / 2};
    extrude(mesh, profile, 4, (int[6]){0, 1, 2, 0, 2, 3}, 2, -c / 2, c / 2);
}

void test_mesh_tetrahedron(test_mesh *mesh)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    add_vertex(mesh, 0, 0, 0);
    add_vertex(mesh, 1, 0, 0);
    add_vertex(mesh, 0, 1, 0);
    add_vertex(mesh, 0, 0, 1);
    add_triangle(mesh, 0, 2, 1);
    add_triangle(mesh, 0, 1, 3);
    add_triangle(mesh, 0, 3, 2);
    add_triangle(mesh, 1, 2, 3);
}

void test_mesh_angle(test_mesh *mesh)
{
    double profile[12] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 3, 0, 3};
    extrude(mesh, profile, 6, (int[12]){0, 1, 3, 1, 2, 3, 0, 3, 5, 3, 4, 5}, 4, 0, 1);
}

/* The vertex on the sphere between two others: known to be there when the other triangle of the edge made it. */
static int middle(test_mesh *mesh, int a, int b)
{
    double x[3], length = 0;
    for (int k = 0; k < 3; ++k)
    {
        x[k] = mesh->vertices[3 * a + k] + mesh->vertices[3 * b + k];
        length += x[k] * x[k];
    }
    for (int k = 0; k < 3; ++k)
        x[k] /= sqrt(length);
    for (int i = 0; i < mesh->vertex_count; ++i)
        if (memcmp(mesh->vertices + 3 * i, x, sizeof x) == 0)
            return i;
    return add_vertex(mesh, x[0], x[1], x[2]);
}

static void cut(test_mesh *mesh)
{
    int count = mesh->triangle_count;
    for (int t = 0; t < count; ++t)
    {
        int *corners = mesh->triangles + 3 * t, a = corners[0], b = corners[1], c = corners[2];
        int ab = middle(mesh, a, b), bc = middle(mesh, b, c), ca = middle(mesh, c, a);
        add_triangle(mesh, a, ab, ca);
        add_triangle(mesh, ab, b, bc);
        add_triangle(mesh, ca, bc, c);
        memcpy(corners, (int[3]){ab, bc, ca}, 3 * sizeof(int));
    }
}

void test_mesh_sphere(test_mesh *mesh, int cuts)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    for (int i = 0; i < 6; ++i)
    {
        double x[3] = {0, 0, 0};
        x[i / 2] = i % 2 ? -1 : 1;
        add_vertex(mesh, x[0], x[1], x[2]);
    }
    for (int i = 0; i < 8; ++i)
    {
        int x = i & 1, y = i >> 1 & 1, z = i >> 2 & 1;
        bool odd = (x + y + z) % 2;
        add_triangle(mesh, x, odd ? 4 + z : 2 + y, odd ? 2 + y : 4 + z);
    }
    for (int i = 0; i < cuts; ++i)
        cut(mesh);
}

void test_mesh_sheet(test_mesh *mesh, int n)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    for (int i = 0; i < (n + 1) * (n + 1); ++i)
        add_vertex(mesh, -1 + 2.0 * (i % (n + 1)) / n, -1 + 2.0 * (i / (n + 1)) / n, 0);
    for (int i = 0; i < n * n; ++i)
    {
        int a = i / n * (n + 1) + i % n, b = a + 1, c = b + n + 1, d = a + n + 1;
        add_triangle(mesh, a, b, c);
        add_triangle(mesh, a, c, d);
    }
}

void test_mesh_move(test_mesh *mesh, double x, double y, double z)
{
    for (int i = 0; i < mesh->vertex_count; ++i)
    {
        mesh->vertices[3 * i] += x;
        mesh->vertices[3 * i + 1] += y;
        mesh->vertices[3 * i + 2] += z;
    }
}

cairn_shape_options test_mesh_options(const test_mesh *mesh)
{
    cairn_shape_options o = cairn_shape_default(CAIRN_MESH);
    o.vertices = mesh->vertices;
    o.vertex_count = mesh->vertex_count;
    o.triangles = mesh->triangles;
    o.triangle_count = mesh->triangle_count;
    return o;
}

void test_mesh_fine_box(test_mesh *m, double a, double b, double c, int n)
{
    double half[3] = {a / 2, b / 2, c / 2};
    m->vertex_count = m->triangle_count = 0;
    for (int face = 0; face < 6; ++face)
    {
        int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, first = m->vertex_count;
        for (int i = 0; i < (n + 1) * (n + 1); ++i)
        {
            double *x = m->vertices + 3 * m->vertex_count++;
            x[axis] = face % 2 ? half[axis] : -half[axis];
            x[u] = half[u] * (2.0 * (i % (n + 1)) / n - 1);
            x[v] = half[v] * (2.0 * (i / (n + 1)) / n - 1);
        }
        for (int i = 0; i < n * n; ++i)
        {
            int p = first + i / n * (n + 1) + i % n, q = p + 1, r = q + n + 1, t = p + n + 1;
            int up[6] = {p, q, r, p, r, t}, down[6] = {p, r, q, p, t, r};
            memcpy(m->triangles + 3 * m->triangle_count, face % 2 ? up : down, sizeof up);
            m->triangle_count += 2;
        }
    }
}
