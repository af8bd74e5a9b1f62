/* Triangles of shapes that are written as meshes. */
#include "export/robot_writer.h"

#include <assert.h>
#include <math.h>

enum
{
    SIDES = 48 /* of a cone */
};

/* The base is a quarter of the height below the origin. Corners lie on the cone. */
static crn_shape_faces faces_of_cone(crn_writer *w, const cairn_shape_info *shape)
{
    double *vertices = NULL;
    int *triangles = NULL;
    if (crn_reserve_all(&w->memory, CRN_ARRAY(vertices, 3 * (SIDES + 1)), CRN_ARRAY(triangles, 3 * (2 * SIDES - 2))) !=
        CAIRN_OK)
    {
        w->status = CAIRN_NO_MEMORY;
        return (crn_shape_faces){.vertices = NULL};
    }
    int count = 0;
    vertices[3 * SIDES + 2] = 0.75 * shape->height;
    for (int i = 0; i < SIDES; ++i)
    {
        double angle = 6.283185307179586 * i / SIDES;
        vertices[3 * i] = shape->radius * cos(angle);
        vertices[3 * i + 1] = shape->radius * sin(angle);
        vertices[3 * i + 2] = -0.25 * shape->height;
        const int side[3] = {i, (i + 1) % SIDES, SIDES}, base[3] = {0, i + 1, i};
        for (int k = 0; k < 3; ++k)
            triangles[3 * count + k] = side[k];
        ++count;
        for (int k = 0; k < 3 && i > 0 && i + 1 < SIDES; ++k)
            triangles[3 * count + k] = base[k];
        count += i > 0 && i + 1 < SIDES;
    }
    assert(count == 2 * SIDES - 2);
    return (crn_shape_faces){vertices, SIDES + 1, triangles, count};
}

crn_shape_faces crn_faces_of(crn_writer *w, const cairn_shape_info *shape)
{
    if (shape->look == CAIRN_LOOK_CONE)
        return faces_of_cone(w, shape);
    int count = shape->face_begin[shape->face_count] - 2 * shape->face_count, *triangles = NULL, made = 0;
    if (crn_reserve_all(&w->memory, CRN_ARRAY(triangles, 3 * count)) != CAIRN_OK)
    {
        w->status = CAIRN_NO_MEMORY;
        return (crn_shape_faces){.vertices = NULL};
    }
    for (int f = 0; f < shape->face_count; ++f)
        for (int i = shape->face_begin[f] + 2; i < shape->face_begin[f + 1]; ++i, ++made)
        {
            triangles[3 * made] = shape->face_vertices[shape->face_begin[f]];
            triangles[3 * made + 1] = shape->face_vertices[i - 1];
            triangles[3 * made + 2] = shape->face_vertices[i];
        }
    assert(made == count);
    return (crn_shape_faces){shape->vertices, shape->vertex_count, triangles, count};
}
