/* URDF: links, and the OBJ files of their meshes. */
#include "export/urdf.h"

#include "base/file.h"
#include "model/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- inertia */

static void put_inertial(crn_writer *w, int body)
{
    static const char *const NAMES[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    static const int PLACE[6] = {0, 1, 2, 4, 5, 8};
    const crn_carrier *carrier = &w->body[body];
    crn_link_frame link = crn_urdf_frame(w, body), centre = crn_link_frame_relative(&link, &carrier->frame);
    bool point = w->model->bodies[body].point;
    if (!(carrier->mass > 0))
        return;
    if (point)
        crn_writer_note(w, "body '%.80s' is a point mass: it is written with the inertia of its mass at 1 m",
                        w->model->bodies[body].name);
    memcpy(centre.q, (double[4]){1, 0, 0, 0}, sizeof centre.q);
    crn_element_open(w, "inertial");
    crn_urdf_put_origin(w, &centre);
    crn_element_open(w, "mass");
    crn_attribute_number(w, "value", carrier->mass);
    crn_element_close(w);
    crn_element_open(w, "inertia");
    for (int i = 0; i < 6; ++i)
        crn_attribute_number(w, NAMES[i], !point ? carrier->inertia[PLACE[i]] : PLACE[i] % 4 == 0 ? carrier->mass : 0);
    crn_element_close(w);
    crn_element_close(w);
}

/* ----------------------------------------------------------------------------------------------------------- shapes */

/* Whether a shape is written as a mesh. Height fields are meshes that need not be closed. */
static bool is_mesh(const cairn_shape_info *shape)
{
    return shape->look == CAIRN_LOOK_FACES || shape->look == CAIRN_LOOK_CONE;
}

/* The file of a mesh, beside that of the robot: "arm.urdf" has "arm-3.obj". Without the folder where `name_only`. The caller frees
 * it. */
static char *file_of(const crn_writer *w, int shape, bool name_only)
{
    const char *slash = strrchr(w->path, '/'), *begin = name_only && slash ? slash + 1 : w->path;
    const char *dot = strrchr(slash ? slash + 1 : w->path, '.');
    size_t stem = dot ? (size_t)(dot - begin) : strlen(begin), room = stem + 24;
    char *name = malloc(room);
    if (name)
        snprintf(name, room, "%.*s-%d.obj", (int)stem, begin, shape + 1);
    return name;
}

static void put_mesh(crn_writer *w, int index)
{
    char *name = file_of(w, index, true);
    if (!name)
    {
        w->status = CAIRN_NO_MEMORY;
        return;
    }
    crn_element_open(w, "mesh");
    crn_attribute_text(w, "filename", name);
    crn_element_close(w);
    free(name);
}

static void put_measured(crn_writer *w, const char *type, const cairn_shape_info *shape, double length)
{
    crn_element_open(w, type);
    crn_attribute_number(w, "radius", shape->radius);
    crn_attribute_amount(w, "length", length);
    crn_element_close(w);
}

static void put_geometry(crn_writer *w, int index, const cairn_shape_info *shape)
{
    crn_element_open(w, "geometry");
    if (shape->look == CAIRN_LOOK_BOX)
    {
        crn_element_open(w, "box");
        crn_attribute_numbers(w, "size", shape->size, 3);
        crn_element_close(w);
    }
    else if (is_mesh(shape))
        put_mesh(w, index);
    else if (shape->look == CAIRN_LOOK_DISC)
        put_measured(w, "sphere", shape, 0);
    else if (shape->look == CAIRN_LOOK_CYLINDER)
        put_measured(w, "cylinder", shape, shape->height);
    else
    {
        assert(shape->look == CAIRN_LOOK_CAPSULE);
        put_measured(w, "capsule", shape, shape->length);
    }
    crn_element_close(w);
}

/* Whether URDF has the shape; a note where it has not. */
static bool maps(crn_writer *w, const cairn_shape_info *shape, const char *body)
{
    bool simple = shape->look == CAIRN_LOOK_BOX || shape->look == CAIRN_LOOK_DISC ||
                  shape->look == CAIRN_LOOK_CYLINDER || shape->look == CAIRN_LOOK_CAPSULE;
    if (!simple && !is_mesh(shape))
        crn_writer_note(w, "a shape of body '%.80s' (%s) has no counterpart in URDF: not written", body, shape->name);
    else if (!simple && !w->path)
        crn_writer_note(w, "a shape of body '%.80s' (%s) needs a file beside the robot's: not written", body,
                        shape->name);
    else if (shape->look == CAIRN_LOOK_CONE)
        crn_writer_note(w, "a shape of body '%.80s' (cone) is written as a mesh with flat sides", body);
    return simple || (is_mesh(shape) && w->path);
}

static void put_collision(crn_writer *w, int body, int index)
{
    cairn_shape_info shape = cairn_model_shape_info(w->model, cairn_model_shape(w->model, index));
    const crn_carrier *carrier = &w->body[body];
    crn_link_frame own, link = crn_urdf_frame(w, body);
    if (shape.piece || !maps(w, &shape, w->model->bodies[body].name))
        return;
    memcpy(own.x, shape.position, sizeof own.x);
    memcpy(own.q, shape.orientation, sizeof own.q);
    crn_link_frame world = crn_link_frame_compose(&carrier->frame, &own),
                   frame = crn_link_frame_relative(&link, &world);
    crn_element_open(w, "collision");
    crn_urdf_put_origin(w, &frame);
    put_geometry(w, index, &shape);
    crn_element_close(w);
}

void crn_urdf_put_link(crn_writer *w, int body)
{
    const crn_body *b = &w->model->bodies[body];
    crn_element_open(w, "link");
    crn_attribute_text(w, "name", b->name);
    put_inertial(w, body);
    for (int i = b->shape_begin; i < b->shape_end; ++i)
        if (w->model->shapes[i].body == body)
            put_collision(w, body, i);
    crn_element_close(w);
}

/* ------------------------------------------------------------------------------------------------------------ files */

static void write_faces(FILE *out, void *data)
{
    const crn_shape_faces *faces = data;
    for (int i = 0; i < faces->vertex_count; ++i)
    {
        fputc('v', out);
        for (int k = 0; k < 3; ++k)
        {
            fputc(' ', out);
            crn_write_number(out, faces->vertices[3 * i + k]);
        }
        fputc('\n', out);
    }
    for (int i = 0; i < faces->triangle_count; ++i)
    {
        const int *corner = faces->triangles + (ptrdiff_t)3 * i;
        fprintf(out, "f %d %d %d\n", corner[0] + 1, corner[1] + 1, corner[2] + 1);
    }
}

static cairn_status write_file(crn_writer *w, int index, const cairn_shape_info *shape)
{
    crn_shape_faces faces = crn_faces_of(w, shape);
    size_t length = 0;
    char *path = file_of(w, index, false), *text = crn_compose(write_faces, &faces, &length);
    cairn_status status = path && text && w->status == CAIRN_OK
                              ? crn_replace_file(w->model->context, path, text, length)
                              : crn_fail(w->model->context, CAIRN_NO_MEMORY, "URDF: memory ran out");
    free(path);
    free(text);
    return status;
}

cairn_status crn_write_urdf_meshes(crn_writer *w)
{
    for (int i = 0; i < (int)w->model->shape_count; ++i)
    {
        cairn_shape_info shape = cairn_model_shape_info(w->model, cairn_model_shape(w->model, i));
        if (!shape.piece && is_mesh(&shape))
            CRN_TRY(write_file(w, i, &shape));
    }
    return CAIRN_OK;
}
