/* The triangles of a shape: from its options to a mesh, and what is wrong with them in one sentence that names the triangle. */
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <stdio.h>

/* Whose triangles they are. */
typedef struct source
{
    const cairn_shape_options *options;
    const crn_mesh_file *file; /* NULL: from arrays */
} source;

/* How a triangle is called in a sentence: by its line, facet, cell or place in the array. */
typedef struct triangle_name
{
    char text[160];
} triangle_name;

static bool is_grid(const cairn_shape_options *o)
{
    return (crn_class_of(o->kind)->takes & CRN_TAKES_HEIGHTS) != 0;
}

static triangle_name name_of(const source *from, int triangle)
{
    assert(triangle >= 0);
    triangle_name name;
    if (from->file)
    {
        snprintf(name.text, sizeof name.text, "%s %d of %.100s", from->file->facets ? "facet" : "line",
                 from->file->places[triangle], from->file->name);
    }
    else if (is_grid(from->options))
    {
        int columns = from->options->columns - 1, cell = triangle / 2;
        snprintf(name.text, sizeof name.text, "cell %d of row %d", cell % columns + 1, cell / columns + 1);
    }
    else
    {
        snprintf(name.text, sizeof name.text, "triangles[%d]", triangle);
    }
    return name;
}

/* An edge by its ends. */
typedef struct edge_name
{
    char text[160];
} edge_name;

static edge_name edge_of(const double e[2][3])
{
    edge_name name;
    snprintf(name.text, sizeof name.text, "(%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g)", e[0][0], e[0][1], e[0][2],
             e[1][0], e[1][1], e[1][2]);
    return name;
}

static void describe(const crn_mesh_report *r, const source *from, char *sentence, size_t size)
{
    switch (r->fault)
    {
    case CRN_MESH_NOT_FINITE:
        snprintf(sentence, size, "vertices[%d]: must be finite and within 1e30 of the origin", r->vertex);
        break;
    case CRN_MESH_RANGE:
        snprintf(sentence, size, "%s: there is no vertex %d, they count from 0 to %d", name_of(from, r->triangle).text,
                 r->vertex, from->options->vertex_count - 1);
        break;
    case CRN_MESH_NO_AREA:
        snprintf(sentence, size, "%s %s", name_of(from, r->triangle).text,
                 is_grid(from->options) ? "is too steep for its spacing"
                                        : "has no area: drop it, or join corners that are almost one with weld");
        break;
    case CRN_MESH_TWICE:
        snprintf(sentence, size, "%s has the same three corners as %s", name_of(from, r->triangle).text,
                 name_of(from, r->other).text);
        break;
    case CRN_MESH_CROWDED:
        snprintf(sentence, size, "%d triangles, %s the first, share the edge from %s: two at most can", r->count,
                 name_of(from, r->triangle).text, edge_of(r->edge).text);
        break;
    case CRN_MESH_TURNED:
        snprintf(sentence, size,
                 "%s and %s run the same way along their common edge from %s, so that one is turned inside out",
                 name_of(from, r->triangle).text, name_of(from, r->other).text, edge_of(r->edge).text);
        break;
    case CRN_MESH_INSIDE_OUT:
        snprintf(sentence, size,
                 "its triangles are clockwise seen from outside (its volume comes out as %.6g m^3): turn them round "
                 "with flip",
                 r->volume);
        break;
    case CRN_MESH_NO_VOLUME:
        snprintf(sentence, size, "it is closed but holds no volume");
        break;
    default:
        snprintf(sentence, size, from->options->weld > 0 ? "weld leaves no triangle" : "it has no triangles");
        break;
    }
}

/* Only what is closed has a mass of its own. */
static bool may_be_open(const cairn_model *model, int body)
{
    const crn_body *owner = &model->bodies[body];
    return owner->kind != CAIRN_DYNAMIC || (owner->mass > 0 && (owner->inertia_given || owner->point));
}

static void describe_border(const crn_mesh_report *r, const source *from, const char *why, char *sentence, size_t size)
{
    snprintf(sentence, size, "it is open: %d %s a triangle on one side only, the first that of %s from %s; %s",
             r->border_count, r->border_count == 1 ? "edge has" : "edges have", name_of(from, r->border_triangle).text,
             edge_of(r->border).text, why);
}

cairn_status crn_shape_mesh(const cairn_model *model, int body, const cairn_shape_options *o, const crn_mesh_file *file,
                            crn_mesh **out)
{
    source from = {.options = o, .file = file};
    crn_mesh_data data = {.vertices = o->vertices,
                          .vertex_count = o->vertex_count,
                          .triangles = o->triangles,
                          .triangle_count = o->triangle_count,
                          .weld = o->weld,
                          .flip = o->flip};
    crn_mesh_report report;
    char sentence[768] = "";
    cairn_status status = crn_mesh_create(&data, &report, out);
    if (status == CAIRN_INVALID)
    {
        describe(&report, &from, sentence, sizeof sentence);
    }
    else if (status == CAIRN_OK && !(*out)->closed && !may_be_open(model, body))
    {
        describe_border(&report, &from, "a dynamic body needs a closed one, or mass and inertia", sentence,
                        sizeof sentence);
    }
    else if (status == CAIRN_OK && !(*out)->closed && o->recentre)
    {
        describe_border(&report, &from, "only a closed one can be recentred", sentence, sizeof sentence);
    }
    else if (status == CAIRN_OK && o->recentre)
    {
        crn_mesh_centre(*out);
    }
    return sentence[0] ? crn_shape_complain(model, body, o->kind, sentence) : status;
}
