/* MJCF: shapes, with the friction of their materials. Hulls, meshes and cones are assets with their points written out. */
#include "export/mjcf.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static bool is_mesh(const cairn_shape_info *shape)
{
    bool faces = shape->look == CAIRN_LOOK_FACES && shape->kind != CAIRN_HEIGHT_FIELD;
    return faces || shape->look == CAIRN_LOOK_CONE;
}

/* ----------------------------------------------------------------------------------------------------------- assets */

static void put_list(crn_writer *w, const char *attribute, const int *list, int count)
{
    fprintf(w->out, " %s=\"", attribute);
    for (int i = 0; i < count; ++i)
        fprintf(w->out, i > 0 ? " %d" : "%d", list[i]);
    fputc('"', w->out);
}

static void put_mesh(crn_writer *w, const char *name, const cairn_shape_info *shape)
{
    crn_shape_faces faces = crn_faces_of(w, shape);
    const char *body = cairn_model_body_name(w->model, shape->body);
    crn_element_open(w, "mesh");
    crn_attribute_text(w, "name", name);
    crn_attribute_numbers(w, "vertex", faces.vertices, 3 * faces.vertex_count);
    put_list(w, "face", faces.triangles, 3 * faces.triangle_count);
    crn_element_close(w);
    if (shape->look == CAIRN_LOOK_CONE)
        crn_writer_note(w, "a shape of body '%.80s' (cone) is written as a mesh with flat sides", body);
    else if (shape->kind == CAIRN_MESH)
        crn_writer_note(w, "a shape of body '%.80s' (mesh) touches as its convex hull in MuJoCo", body);
}

typedef struct heights
{
    int columns, rows;
    double half[2], least, most;
} heights;

/* Points of a height field lie row by row, x along a row. */
static heights measure(const crn_mesh *mesh)
{
    heights h = {.columns = 1, .least = INFINITY, .most = -INFINITY};
    while (h.columns < mesh->vertex_count && mesh->vertices[3 * h.columns + 1] == mesh->vertices[1])
        ++h.columns;
    h.rows = mesh->vertex_count / h.columns;
    h.half[0] = -mesh->vertices[0];
    h.half[1] = -mesh->vertices[1];
    for (int i = 0; i < mesh->vertex_count; ++i)
    {
        h.least = fmin(h.least, mesh->vertices[3 * i + 2]);
        h.most = fmax(h.most, mesh->vertices[3 * i + 2]);
    }
    assert(h.rows >= 2 && h.rows * h.columns == mesh->vertex_count);
    return h;
}

/* MuJoCo lists the row of the largest y first, and moves the lowest point to 0: the geometry is raised by that. */
static void put_heights(crn_writer *w, const char *name, const crn_mesh *mesh)
{
    heights h = measure(mesh);
    const double size[4] = {h.half[0], h.half[1], h.most > h.least ? h.most - h.least : 1e-3, 0.1 + 0.1 * h.half[0]};
    crn_element_open(w, "hfield");
    crn_attribute_text(w, "name", name);
    crn_attribute_number(w, "nrow", h.rows);
    crn_attribute_number(w, "ncol", h.columns);
    crn_attribute_numbers(w, "size", size, 4);
    fputs(" elevation=\"", w->out);
    for (int row = h.rows - 1; row >= 0; --row)
        for (int i = 0; i < h.columns; ++i)
        {
            crn_write_number(w->out, mesh->vertices[3 * (row * h.columns + i) + 2]);
            fputs(row > 0 || i + 1 < h.columns ? " " : "\"", w->out);
        }
    crn_element_close(w);
}

void crn_mjcf_put_assets(crn_writer *w)
{
    crn_mjcf_section section = {"asset", false};
    for (int i = 0; i < (int)w->model->shape_count; ++i)
    {
        cairn_shape_info shape = cairn_model_shape_info(w->model, cairn_model_shape(w->model, i));
        char name[24];
        snprintf(name, sizeof name, "shape %d", i + 1);
        if (shape.piece || (!is_mesh(&shape) && shape.kind != CAIRN_HEIGHT_FIELD))
            continue;
        crn_section_begin(w, &section);
        if (is_mesh(&shape))
            put_mesh(w, name, &shape);
        else
            put_heights(w, name, w->model->shapes[i].form->mesh);
    }
    crn_section_end(w, &section);
}

/* ----------------------------------------------------------------------------------------------------------- geoms */

/* The type and its sizes, which are halves. */
static void put_measures(crn_writer *w, const cairn_shape_info *shape)
{
    const double half[3] = {0.5 * shape->size[0], 0.5 * shape->size[1], 0.5 * shape->size[2]};
    const double infinite[3] = {0, 0, 1};
    const double along[2] = {shape->radius, 0.5 * (shape->look == CAIRN_LOOK_CAPSULE ? shape->length : shape->height)};
    static const struct
    {
        cairn_shape_look look;
        const char *type;
    } WORDS[] = {{CAIRN_LOOK_DISC, "sphere"}, {CAIRN_LOOK_ELLIPSE, "ellipsoid"}, {CAIRN_LOOK_CAPSULE, "capsule"},
                 {CAIRN_LOOK_PLANE, "plane"}, {CAIRN_LOOK_BOX, "box"},           {CAIRN_LOOK_CYLINDER, "cylinder"}};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; ++i)
        if (WORDS[i].look == shape->look)
            crn_attribute_text(w, "type", WORDS[i].type);
    if (shape->look == CAIRN_LOOK_DISC)
        crn_attribute_number(w, "size", shape->radius);
    else if (shape->look == CAIRN_LOOK_ELLIPSE)
        crn_attribute_numbers(w, "size", shape->radii, 3);
    else if (shape->look == CAIRN_LOOK_BOX)
        crn_attribute_numbers(w, "size", half, 3);
    else if (shape->look == CAIRN_LOOK_PLANE)
        crn_attribute_numbers(w, "size", infinite, 3);
    else
        crn_attribute_numbers(w, "size", along, 2);
}

static void put_surface(crn_writer *w, const crn_material *m)
{
    const double friction[3] = {m->friction, m->spinning, m->rolling};
    bool rolls = m->rolling > 0, spins = m->spinning > 0;
    if (rolls || spins)
        crn_attribute_numbers(w, "friction", friction, 3);
    else
        crn_attribute_number(w, "friction", m->friction);
    if (rolls || spins || m->friction == 0)
        crn_attribute_number(w, "condim", rolls ? 6 : spins ? 4 : 1);
}

static void put_place(crn_writer *w, const crn_shape *s, const cairn_shape_info *shape)
{
    double x[3], q[4], R[9], up[3] = {0};
    memcpy(x, shape->position, sizeof x);
    memcpy(q, shape->orientation, sizeof q);
    if (shape->look == CAIRN_LOOK_PLANE)
        crn_turn_z_to(s->form->normal, q);
    if (shape->kind == CAIRN_HEIGHT_FIELD)
    {
        up[2] = measure(s->form->mesh).least;
        crn_quaternion_to_matrix(q, R);
        crn_rotate3(R, up, up);
        crn_add3(x, up, x);
    }
    crn_attribute_numbers(w, "pos", x, 3);
    if (q[0] != 1)
        crn_attribute_numbers(w, "quat", q, 4);
}

static void put_geom(crn_writer *w, int index)
{
    const crn_shape *s = &w->model->shapes[index];
    cairn_shape_info shape = cairn_model_shape_info(w->model, cairn_model_shape(w->model, index));
    char name[24];
    snprintf(name, sizeof name, "shape %d", index + 1);
    if (shape.look == CAIRN_LOOK_DOT)
    {
        crn_writer_note(w, "a shape of body '%.80s' (point) has no counterpart in MJCF: not written",
                        w->model->bodies[s->body].name);
        return;
    }
    crn_element_open(w, "geom");
    if (shape.kind == CAIRN_HEIGHT_FIELD || is_mesh(&shape))
    {
        crn_attribute_text(w, "type", is_mesh(&shape) ? "mesh" : "hfield");
        crn_attribute_text(w, is_mesh(&shape) ? "mesh" : "hfield", name);
    }
    else
        put_measures(w, &shape);
    put_place(w, s, &shape);
    put_surface(w, &w->model->materials[s->material]);
    crn_element_close(w);
}

void crn_mjcf_put_geoms(crn_writer *w, int body)
{
    const crn_body *b = &w->model->bodies[body];
    for (int i = b->shape_begin; i < b->shape_end; ++i)
        if (w->model->shapes[i].body == body && !w->model->shapes[i].form->piece)
            put_geom(w, i);
}

/* Friction of two materials is the larger one in MuJoCo. */
void crn_mjcf_note_frictions(crn_writer *w)
{
    const cairn_model *model = w->model;
    bool *used = NULL;
    if (crn_reserve_all(&w->memory, CRN_ARRAY(used, model->material_count)))
    {
        w->status = CAIRN_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < model->shape_count; ++i)
        used[model->shapes[i].material] = true;
    for (int i = 0; i < (int)model->material_count; ++i)
        for (int k = 0; k <= i; ++k)
        {
            double mu, e, larger = fmax(model->materials[i].friction, model->materials[k].friction);
            crn_materials_pair(model, i, k, &mu, &e);
            if (used[i] && used[k] && fabs(mu - larger) > 1e-12)
                crn_writer_note(w, "materials '%.80s' and '%.80s': their friction is %g; MuJoCo takes the larger, %g",
                                model->materials[k].name, model->materials[i].name, mu, larger);
        }
}
