#include "collide/shapes/region.h"

#include "math/vec.h"
#include "model/shape/shape_class.h"

#include <assert.h>

static const double NEAR = 1e-13; /* of the shape's size: a witness point this near to an edge lies on it */

static bool is_round(cairn_shape_kind kind)
{
    return crn_shape_has(kind, CRN_SHAPE_ROLLS);
}

/* The witness point on the core of a shape (its rounding taken off), in the body's frame. */
static void core_point(const cairn_model *model, const crn_contact *contact, const crn_pose *poses, bool of_b,
                       double out[3])
{
    assert(crn_is_unit3(contact->normal));
    const crn_shape *shape = &model->shapes[of_b ? contact->shape_b : contact->shape_a];
    const crn_pose *pose = &poses[of_b ? contact->body_b : contact->body_a];
    double x[3];
    crn_madd3(of_b ? contact->point_b : contact->point_a, of_b ? -shape->radius : shape->radius, contact->normal, x);
    crn_sub3(x, pose->x, x);
    crn_unrotate3(pose->R, x, out);
}

static int sides_at(const crn_shape *shape, const double x[3])
{
    for (int i = 0; i < shape->form->vertex_count; ++i)
    {
        const double *v = shape->form->vertices + 2 * i;
        if (hypot(x[0] - v[0], x[1] - v[1]) <= NEAR * shape->bound)
            return 2;
    }
    return 1;
}

static int box_faces_at(const crn_shape *shape, const double x[3])
{
    int faces = 0;
    for (int k = 0; k < 3; ++k)
        faces += fabs(x[k]) >= shape->form->half[k] - NEAR * shape->bound;
    return faces;
}

static int hull_faces_at(const crn_shape *shape, const double x[3])
{
    assert(shape->form->hull);
    const crn_hull *hull = shape->form->hull;
    int faces = 0;
    for (int f = 0; f < hull->face_count; ++f)
    {
        double arm[3];
        crn_sub3(x, hull->vertices + 3 * hull->face_vertices[hull->face_begin[f]], arm);
        faces += crn_dot3(hull->normals + 3 * f, arm) >= -NEAR * hull->extent;
    }
    return faces < 3 ? faces : 3;
}

/* 1: inside a face or side, 2: on an edge (in the plane at a corner), 3: at a corner; 0: no polytope. */
static int faces_at(const cairn_model *model, const crn_contact *contact, const crn_pose *poses, bool of_b)
{
    const crn_shape *shape = &model->shapes[of_b ? contact->shape_b : contact->shape_a];
    double body[3], x[3];
    core_point(model, contact, poses, of_b, body);
    if (model->dimension == 2)
    {
        bool polygon = shape->form->vertex_count > 1;
        return polygon ? sides_at(shape, body) : 0;
    }
    crn_sub3(body, crn_frame_of(shape)->position, body);
    crn_unrotate3(crn_frame_of(shape)->rotation, body, x);
    switch (crn_class_of(shape->kind)->core)
    {
    case CRN_CORE_BOX:
        return box_faces_at(shape, x);
    case CRN_CORE_HULL:
        return hull_faces_at(shape, x);
    case CRN_CORE_LINE:
        return fabs(x[2]) >= shape->form->half[2] - NEAR * shape->bound ? 2 : 1;
    default:
        return 0;
    }
}

bool crn_contact_rolls(const cairn_model *model, const crn_contact *contact)
{
    return contact->body_a >= 0 &&
           (is_round(model->shapes[contact->shape_a].kind) || is_round(model->shapes[contact->shape_b].kind));
}

int crn_contact_region(const cairn_model *model, const crn_contact *contact, const crn_pose *poses)
{
    assert(contact->body_a < (int)model->body_count && contact->body_b < (int)model->body_count);
    if (!crn_contact_rolls(model, contact))
        return 0;
    return 4 * faces_at(model, contact, poses, false) + faces_at(model, contact, poses, true);
}

bool crn_touches_by_corner(const cairn_model *model, const crn_contact *contact, const crn_pose *poses, bool of_b)
{
    cairn_shape_kind kind = model->shapes[of_b ? contact->shape_b : contact->shape_a].kind;
    int corner = model->dimension == 2 ? 2 : 3;
    return (is_round(kind) && crn_class_of(kind)->core != CRN_CORE_LINE) ||
           faces_at(model, contact, poses, of_b) == corner;
}
