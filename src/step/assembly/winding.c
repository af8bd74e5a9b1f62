/* Is an open mesh wound the wrong way?
 *
 * A closed mesh that is inside out has a negative volume and is rejected when it is read. An open mesh, such as a hopper or a
 * terrain, has no volume; only its triangles tell which side is outside. If they are wound the wrong way, bodies that should
 * lie in front of the surface lie behind it: nearby bodies penetrate, and bodies that arrive later sink in. So at the start
 * every open mesh is checked for the side on which the bodies that may touch it lie. If most of them are behind, a message says
 * so. This is not an error, since a body may well hang below a sheet.
 */
#include "collide/mesh/mesh.h"
#include "math/vec.h"
#include "model/names.h"
#include "model/shape/shape_class.h"
#include "step/simulation.h"

#include <math.h>

enum
{
    MOST_BODIES = 10000 /* checked per mesh at most */
};

static const double FACING = 0.3; /* cosine: seen from beyond its border, a surface has no sides */

typedef struct sides
{
    int front, behind;
    int first; /* first body that is behind */
} sides;

static void to_mesh(const crn_shape *shape, const crn_pose *pose, const double x[3], double out[3])
{
    crn_sub3(x, pose->x, out);
    crn_unrotate3(pose->R, out, out);
    crn_sub3(out, crn_frame_of(shape)->position, out);
    crn_unrotate3(crn_frame_of(shape)->rotation, out, out);
}

/* The longest edge of the mesh's bounds. Bodies further away are not related to it. */
static double size_of(const crn_mesh_index *index)
{
    double most = 0.0;
    for (int k = 0; k < 3; ++k)
        most = fmax(most, index->all.upper[k] - index->all.lower[k]);
    return most;
}

static void ask(const cairn_simulation *s, const crn_shape *shape, int body, sides *count)
{
    double x[3];
    to_mesh(shape, &s->located.frame.pose[shape->body], s->located.frame.pose[body].x, x);
    crn_mesh_point near =
        crn_mesh_nearest(shape->form->mesh, shape->form->mesh_index, x, size_of(shape->form->mesh_index));
    if (near.triangle < 0 || fabs(crn_dot3(near.n, shape->form->mesh->normals + 3 * near.triangle)) < FACING)
        return;
    count->first = near.height < 0 && count->behind == 0 ? body : count->first;
    count->behind += near.height < 0;
    count->front += near.height >= 0;
}

void crn_suspect_winding(const cairn_simulation *s)
{
    const cairn_model *model = s->model;
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        const crn_shape *shape = &model->shapes[i];
        sides count = {0};
        bool open = shape->form->mesh && !crn_shape_has(shape->kind, CRN_SHAPE_GROUND) && !shape->form->mesh->closed;
        for (int b = 0; open && b < (int)model->body_count && count.front + count.behind < MOST_BODIES; ++b)
        {
            bool meets = model->bodies[b].kind == CAIRN_DYNAMIC && model->bodies[b].shape_end > 0;
            if (meets && crn_model_may_touch(model, shape->body, b))
                ask(s, shape, b, &count);
        }
        if (count.behind > count.front)
        {
            crn_fail(
                s->context, CAIRN_OK,
                "mesh of body '%s': %d of the %d bodies near it lie behind its triangles, '%s' first: are they wound "
                "the wrong way? 'flip: true' turns them round",
                crn_body_name(model, shape->body), count.behind, count.behind + count.front,
                crn_body_name(model, count.first));
        }
    }
}
