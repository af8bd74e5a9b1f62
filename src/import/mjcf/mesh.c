/* MJCF: meshes, from files or with their vertices in the text. Vertices are taken against `refpos` and `refquat`, and then scaled. */
#include "import/mjcf/mjcf.h"

#include "model/shape/hull.h"

#include <math.h>
#include <string.h>

/* The name of a mesh: as given, or that of its file without folder and ending. */
static bool has_name(const crn_xml *mesh, const char *name)
{
    const char *own = crn_xml_peek(mesh, "name"), *file = crn_xml_peek(mesh, "file");
    if (own || !file)
        return own && !strcmp(own, name);
    const char *slash = strrchr(file, '/');
    file = slash ? slash + 1 : file;
    const char *dot = strrchr(file, '.');
    size_t length = dot ? (size_t)(dot - file) : strlen(file);
    return strlen(name) == length && !strncmp(file, name, length);
}

static crn_xml *find_mesh(crn_mjcf *m, const char *name)
{
    for (crn_xml *a = crn_xml_child(m->root, "asset"); a; a = crn_xml_again(a))
        for (crn_xml *c = crn_xml_child(a, "mesh"); c; c = crn_xml_again(c))
        {
            crn_xml_get(c, "name");
            crn_xml_get(c, "class");
            if (has_name(c, name))
                return c;
        }
    return NULL;
}

/* How the mesh's mass is found. */
static crn_mesh_way way_of(const crn_mjcf_item *mesh)
{
    static const char *const WORDS[] = {[CRN_MESH_EXACT] = "exact",
                                        [CRN_MESH_LEGACY] = "legacy",
                                        [CRN_MESH_CONVEX] = "convex",
                                        [CRN_MESH_SHELL] = "shell"};
    const char *word = crn_mjcf_text(mesh, "inertia");
    for (int i = 0; word && i < (int)(sizeof WORDS / sizeof WORDS[0]); ++i)
        if (!strcmp(word, WORDS[i]))
            return (crn_mesh_way)i;
    if (word)
        crn_import_problem(mesh->mjcf->import, mesh->element,
                           "inertia: expected exact, legacy, convex or shell, not '%.40s'", word);
    return CRN_MESH_LEGACY;
}

/* The corners of triangles written in the file, from 0; NULL: none, or wrong ones, which are told. */
static int *read_faces(crn_mjcf *m, crn_xml *mesh, int vertices, int *count)
{
    double *list;
    int numbers = crn_import_list(m->import, mesh, "face", &list);
    int *corners = numbers > 0 ? crn_import_allocate(m->import, (size_t)numbers * sizeof *corners) : NULL;
    *count = numbers / 3;
    for (int i = 0; corners && i < numbers; ++i)
    {
        bool right = numbers % 3 == 0 && list[i] >= 0 && list[i] < vertices && list[i] == floor(list[i]);
        if (!right)
        {
            crn_import_problem(m->import, mesh, "face: expected three numbers of vertices each, from 0 to %d",
                               vertices - 1);
            return NULL;
        }
        corners[i] = (int)list[i];
    }
    return corners;
}

/* Vertices written in the file: their hull, with the mass of the triangles where there are any. */
static bool read_vertices(crn_mjcf *m, crn_xml *mesh, const crn_mesh_reading *how, crn_link_shape *shape)
{
    double *list;
    int count = crn_import_list(m->import, mesh, "vertex", &list);
    if (count < 12 || count % 3 != 0)
        return crn_import_problem(m->import, mesh,
                                  "vertex: expected four points or more, three numbers each, found %d numbers", count);
    for (int i = 0; i < count; i += 3)
        crn_mesh_place_vertex(how, list + i, list + i);
    shape->options = cairn_shape_default(CAIRN_HULL);
    shape->options.vertices = list;
    shape->options.vertex_count = count / 3;
    crn_hull *hull = NULL;
    if (!crn_points_span(list, count / 3) || crn_hull_create(list, count / 3, &hull))
        return crn_import_problem(m->import, mesh, "the vertices have no volume");
    crn_moments moments = crn_hull_moments(hull);
    crn_hull_destroy(hull);
    crn_moments_mass(&moments, 1, &shape->mass);
    int faces, *corners = read_faces(m, mesh, count / 3, &faces);
    if (corners)
        crn_mesh_mass(how->way, list, count / 3, corners, faces, &shape->mass);
    return m->import->problem_count == 0;
}

const char *crn_mjcf_find_asset(crn_mjcf *m, const crn_xml *at, const char *file)
{
    const char *slash = m->strip_paths ? strrchr(file, '/') : NULL;
    return crn_import_find_file(m->import, at, m->meshdir, slash ? slash + 1 : file);
}

bool crn_mjcf_read_mesh(const crn_mjcf_item *geom, crn_link_shape *shape)
{
    crn_mjcf *m = geom->mjcf;
    const char *name = crn_mjcf_text(geom, "mesh");
    crn_xml *mesh = name ? find_mesh(m, name) : NULL;
    if (!mesh)
        return crn_import_problem(m->import, geom->element, "there is no mesh '%.80s'", name ? name : "");
    crn_mjcf_item item = crn_mjcf_item_of(m, mesh, NULL);
    crn_mesh_reading how = {
        .origin = crn_link_frame_identity(), .scale = {1, 1, 1}, .way = way_of(&item), .single = true};
    crn_mjcf_numbers(&item, "scale", 3, 3, how.scale);
    crn_mjcf_numbers(&item, "refpos", 3, 3, how.origin.x);
    if (crn_mjcf_numbers(&item, "refquat", 4, 4, how.origin.q) && !crn_quaternion_turns(how.origin.q))
        return crn_import_problem(m->import, mesh, "refquat: must not be 0");
    crn_quaternion_normalise(how.origin.q);
    const char *file = crn_mjcf_text(&item, "file");
    if (!file)
        return read_vertices(m, mesh, &how, shape);
    const char *path = crn_mjcf_find_asset(m, mesh, file);
    return path && crn_robot_read_mesh(m->robot, mesh, path, &how, shape);
}
