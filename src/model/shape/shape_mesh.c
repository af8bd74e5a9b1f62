/* The triangles of a shape: from its options to a mesh, and what is wrong with them in one sentence that names the triangle. */
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <stdio.h>

/* Where the triangles come from, and the shape that complaints name. */
typedef struct source
{
    const cairn_model *model;
    int body;
    const cairn_shape_options *options;
    const crn_mesh_file *file; /* NULL: from arrays */
} source;

/* Part of a sentence. */
typedef struct phrase
{
    char text[160];
} phrase;

static bool is_grid(const cairn_shape_options *o)
{
    return (crn_class_of(o->kind)->takes & CRN_TAKES_HEIGHTS) != 0;
}

/* How a sentence names a triangle: by its line or facet in the file, by its cell, or by its place in the array. */
static phrase name_of(const source *from, int triangle)
{
    assert(triangle >= 0);
    phrase name;
    if (from->file)
    {
        assert(triangle < from->file->triangle_count);
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

/* An edge, by its ends. */
static phrase edge_of(const double e[2][3])
{
    phrase name;
    snprintf(name.text, sizeof name.text, "(%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g)", e[0][0], e[0][1], e[0][2],
             e[1][0], e[1][1], e[1][2]);
    return name;
}

static cairn_status complain(const source *from, const crn_mesh_report *r)
{
    const cairn_model *model = from->model;
    cairn_shape_kind kind = from->options->kind;
    int body = from->body;
    switch (r->fault)
    {
    case CRN_MESH_NOT_FINITE:
        return crn_shape_complain(model, body, kind, "vertices[%d]: must be finite and within 1e30 of the origin",
                                  r->vertex);
    case CRN_MESH_RANGE:
        return crn_shape_complain(model, body, kind, "%s: there is no vertex %d, they count from 0 to %d",
                                  name_of(from, r->triangle).text, r->vertex, from->options->vertex_count - 1);
    case CRN_MESH_NO_AREA:
        return crn_shape_complain(model, body, kind, "%s %s", name_of(from, r->triangle).text,
                                  is_grid(from->options)
                                      ? "is too steep for its spacing"
                                      : "has no area: drop it, or join corners that are almost one with weld");
    case CRN_MESH_TWICE:
        return crn_shape_complain(model, body, kind, "%s has the same three corners as %s",
                                  name_of(from, r->triangle).text, name_of(from, r->other).text);
    case CRN_MESH_CROWDED:
        return crn_shape_complain(model, body, kind,
                                  "%d triangles, %s the first, share the edge from %s: two at most can", r->count,
                                  name_of(from, r->triangle).text, edge_of(r->edge).text);
    case CRN_MESH_TURNED:
        return crn_shape_complain(
            model, body, kind,
            "%s and %s run the same way along their common edge from %s, so that one is turned inside out",
            name_of(from, r->triangle).text, name_of(from, r->other).text, edge_of(r->edge).text);
    case CRN_MESH_INSIDE_OUT:
        return crn_shape_complain(model, body, kind,
                                  "its triangles are clockwise seen from outside (its volume comes out as %.6g m^3): "
                                  "turn them round with flip",
                                  r->volume);
    case CRN_MESH_NO_VOLUME:
        return crn_shape_complain(model, body, kind, "it is closed but holds no volume");
    default:
        return crn_shape_complain(model, body, kind, "%s",
                                  from->options->weld > 0 ? "weld leaves no triangle" : "it has no triangles");
    }
}

/* Only a closed mesh has a mass of its own: on a dynamic body an open one needs mass and inertia. */
static bool may_be_open(const cairn_model *model, int body)
{
    const crn_body *owner = &model->bodies[body];
    const crn_body_traits *traits = owner->traits;
    return owner->kind != CAIRN_DYNAMIC || (traits->mass > 0 && (traits->inertia || owner->point));
}

static cairn_status complain_of_border(const source *from, const crn_mesh_report *r, const char *why)
{
    return crn_shape_complain(from->model, from->body, from->options->kind,
                              "it is open: %d %s a triangle on one side only, the first that of %s from %s; %s",
                              r->border_count, r->border_count == 1 ? "edge has" : "edges have",
                              name_of(from, r->border_triangle).text, edge_of(r->border).text, why);
}

cairn_status crn_shape_mesh(const cairn_model *model, int body, const cairn_shape_options *o, const crn_mesh_file *file,
                            crn_mesh **out)
{
    source from = {.model = model, .body = body, .options = o, .file = file};
    crn_mesh_data data = {.vertices = o->vertices,
                          .vertex_count = o->vertex_count,
                          .triangles = o->triangles,
                          .triangle_count = o->triangle_count,
                          .weld = o->weld,
                          .flip = o->flip};
    crn_mesh_report report;
    cairn_status status = crn_mesh_create(&data, &report, out);
    if (status)
        return status == CAIRN_INVALID ? complain(&from, &report) : status;
    if (!(*out)->closed && !may_be_open(model, body))
        return complain_of_border(&from, &report, "a dynamic body needs a closed one, or mass and inertia");
    if (!(*out)->closed && o->recentre)
        return complain_of_border(&from, &report, "only a closed one can be recentred");
    return o->recentre ? crn_mesh_centre(*out) : CAIRN_OK;
}
