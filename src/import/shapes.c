/* Mass of shapes, and meshes from files.
 *
 * With V the volume and the axes of the shape's frame, the second moments about the centre per mass are those of any handbook. A capsule
 * is a cylinder and two half balls, each with its own centre 3r/8 beyond the end.
 */
#include "import/robot.h"

#include "base/file.h"
#include "model/shape/mesh.h"
#include "model/shape/mesh_file.h"
#include "model/shape/mesh_library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void set_diagonal(crn_link_mass *out, double mass, double xx, double yy, double zz)
{
    *out = (crn_link_mass){.mass = mass, .inertia = {[0] = mass * xx, [4] = mass * yy, [8] = mass * zz}};
}

static void capsule_mass(double density, double r, double length, crn_link_mass *out)
{
    double tube = density * PI * r * r * length, ball = density * 4.0 / 3.0 * PI * r * r * r;
    double across =
        tube * (3 * r * r + length * length) / 12 + ball * (0.4 * r * r + 0.375 * r * length + 0.25 * length * length);
    double along = tube * 0.5 * r * r + ball * 0.4 * r * r;
    *out = (crn_link_mass){.mass = tube + ball, .inertia = {[0] = across, [4] = across, [8] = along}};
}

/* Of a volume between triangles: I = trace(S) 1 - S with the second moments S about the centre. */
void crn_moments_mass(const crn_moments *m, double density, crn_link_mass *out)
{
    double c[3];
    crn_scale3(1 / m->volume, m->first, c);
    double S[9];
    static const int PLACE[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    for (int i = 0; i < 9; ++i)
        S[i] = m->second[PLACE[i]] - m->volume * c[i / 3] * c[i % 3];
    double trace = S[0] + S[4] + S[8];
    *out = (crn_link_mass){.mass = density * m->volume, .centre = {c[0], c[1], c[2]}};
    for (int i = 0; i < 9; ++i)
        out->inertia[i] = density * ((i % 4 == 0 ? trace : 0) - S[i]);
}

bool crn_shape_mass(const cairn_shape_options *o, double density, crn_link_mass *out)
{
    double r = o->radius, h = o->height;
    const double *s = o->size, *a = o->radii;
    switch (o->kind)
    {
    case CAIRN_SPHERE:
        set_diagonal(out, density * 4.0 / 3.0 * PI * r * r * r, 0.4 * r * r, 0.4 * r * r, 0.4 * r * r);
        return true;
    case CAIRN_BOX:
        set_diagonal(out, density * s[0] * s[1] * s[2], (s[1] * s[1] + s[2] * s[2]) / 12,
                     (s[0] * s[0] + s[2] * s[2]) / 12, (s[0] * s[0] + s[1] * s[1]) / 12);
        return true;
    case CAIRN_CYLINDER:
        set_diagonal(out, density * PI * r * r * h, (3 * r * r + h * h) / 12, (3 * r * r + h * h) / 12, 0.5 * r * r);
        return true;
    case CAIRN_CAPSULE:
        capsule_mass(density, r, o->length, out);
        return true;
    case CAIRN_ELLIPSOID:
        set_diagonal(out, density * 4.0 / 3.0 * PI * a[0] * a[1] * a[2], 0.2 * (a[1] * a[1] + a[2] * a[2]),
                     0.2 * (a[0] * a[0] + a[2] * a[2]), 0.2 * (a[0] * a[0] + a[1] * a[1]));
        return true;
    default:
        return false;
    }
}

/* ----------------------------------------------------------------------------------------------------------- meshes */

void crn_mesh_place_vertex(const crn_mesh_reading *how, const double given[3], double out[3])
{
    double R[9], d[3];
    crn_quaternion_to_matrix(how->origin.q, R);
    for (int k = 0; k < 3; ++k)
        d[k] = (how->single ? (double)(float)given[k] : given[k]) - how->origin.x[k];
    crn_unrotate3(R, d, out);
    for (int k = 0; k < 3; ++k)
        out[k] *= how->scale[k];
}

static void use_triangles(crn_robot *robot, crn_mesh_file *file, const crn_mesh_reading *how, crn_link_shape *shape)
{
    crn_import *import = robot->import;
    const double *scale = how->scale;
    size_t numbers = 3 * (size_t)file->vertex_count, corners = 3 * (size_t)file->triangle_count;
    double *vertices = crn_import_allocate(import, (numbers + 1) * sizeof *vertices);
    int *triangles = crn_import_allocate(import, (corners + 1) * sizeof *triangles);
    if (!vertices || !triangles)
        return;
    for (size_t i = 0; i < numbers; i += 3)
        crn_mesh_place_vertex(how, file->vertices + i, vertices + i);
    memcpy(triangles, file->triangles, corners * sizeof *triangles);
    shape->options = cairn_shape_default(import->options.surfaces ? CAIRN_MESH : CAIRN_HULL);
    shape->options.vertices = vertices;
    shape->options.vertex_count = file->vertex_count;
    if (import->options.surfaces)
    {
        shape->options.triangles = triangles;
        shape->options.triangle_count = file->triangle_count;
        shape->options.flip = scale[0] * scale[1] * scale[2] < 0;
    }
    crn_mesh_mass(how->way, vertices, file->vertex_count, triangles, file->triangle_count, &shape->mass);
}

bool crn_robot_read_mesh(crn_robot *robot, crn_xml *place, const char *path, const crn_mesh_reading *how,
                         crn_link_shape *shape)
{
    crn_import *import = robot->import;
    char *bytes = NULL;
    size_t length = 0;
    cairn_status status = crn_file_read(import->scratch, path, CRN_FILE_REGULAR, CRN_MESH_FILE_BYTES, &bytes, &length);
    if (!crn_import_pass(import, place, status))
        return false;
    crn_mesh_file file;
    status = crn_mesh_library_wants(path) ? crn_mesh_library_parse(path, bytes, length, &file)
                                          : crn_mesh_file_parse(path, bytes, length, &file);
    if (status == CAIRN_INVALID)
        crn_import_problem(import, place, "%s", file.error);
    else if (status == CAIRN_UNSUPPORTED)
        crn_import_note(import, place, "%s; the mesh is left out", file.error);
    else if (status)
        import->no_memory = true;
    else
        use_triangles(robot, &file, how, shape);
    crn_mesh_file_free(&file);
    free(bytes);
    return status == CAIRN_OK && !import->no_memory;
}
