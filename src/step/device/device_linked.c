#include "step/device/device_linked.h"

#include "formulate/springs.h"
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------- bodies */

static void link(crn_linked *l, int body)
{
    if (body < 0 || l->at[body] >= 0)
        return;
    l->at[body] = l->count;
    l->body[l->count++] = body;
}

static cairn_status list_bodies(crn_linked *l, const cairn_model *model)
{
    size_t most = 2 * (model->joint_count + model->spring_count);
    CRN_TRY(crn_reserve_all(&l->memory, CRN_ARRAY(l->at, model->body_count), CRN_ARRAY(l->body, most)));
    memset(l->at, -1, model->body_count * sizeof *l->at);
    for (size_t i = 0; i < model->joint_count; ++i)
    {
        link(l, model->joints[i].a.body);
        link(l, model->joints[i].b.body);
    }
    for (size_t i = 0; i < model->spring_count; ++i)
    {
        link(l, model->springs[i].a.body);
        link(l, model->springs[i].b.body);
    }
    return CAIRN_OK;
}

static int place_of(const crn_linked *l, int body)
{
    return body < 0 ? body : l->at[body];
}

static cairn_status reserve(crn_linked *l, const cairn_model *model)
{
    size_t count = (size_t)l->count + 1;
    return crn_reserve_all(&l->memory, CRN_ARRAY(l->model.bodies, count),
                           CRN_ARRAY(l->model.joints, model->joint_count), CRN_ARRAY(l->mass, count),
                           CRN_ARRAY(l->inertia, 9 * count), CRN_ARRAY(l->bound, count),
                           CRN_ARRAY(l->inertia_start, count), CRN_ARRAY(l->pose, count), CRN_ARRAY(l->before, count),
                           CRN_ARRAY(l->after, count), CRN_ARRAY(l->outer, count), CRN_ARRAY(l->inner, count),
                           CRN_ARRAY(l->gradient, 3 * model->spring_count));
}

/* A copy of the model with these bodies and no others, whose joints name them by their places. */
static void make_model(crn_linked *l, const cairn_simulation *s)
{
    crn_body *bodies = l->model.bodies;
    crn_joint *joints = l->model.joints;
    l->model = *s->model;
    l->model.bodies = bodies;
    l->model.joints = joints;
    l->model.body_count = (size_t)l->count;
    l->model.spring_count = 0;
    for (size_t i = 0; i < s->model->joint_count; ++i)
    {
        joints[i] = s->model->joints[i];
        joints[i].a.body = place_of(l, joints[i].a.body);
        joints[i].b.body = place_of(l, joints[i].b.body);
    }
    for (int i = 0; i < l->count; ++i)
    {
        const crn_matrix3 inertia = crn_inertia_of(&s->layout->inertia, l->body[i]);
        bodies[i] = s->model->bodies[l->body[i]];
        l->mass[i] = s->layout->mass[l->body[i]];
        l->bound[i] = s->layout->bound[l->body[i]];
        memcpy(l->inertia + 9 * i, inertia.m, sizeof inertia.m);
        l->inertia_start[i + 1] = 9 * (i + 1);
    }
}

/* Of a body that moves by itself; of a driven one over the step that begins at the frame's time. */
static void read_velocity(const crn_linked *l, const cairn_simulation *s, int i, double out[6])
{
    int body = l->body[i], block = s->layout->body_block[body];
    memset(out, 0, sizeof(double[6]));
    if (block >= 0)
        memcpy(out, s->state.v + s->layout->block_start[block],
               (size_t)(s->layout->block_start[block + 1] - s->layout->block_start[block]) * sizeof *out);
    else
        memcpy(out, crn_frame_drive(&s->located.frame, body), sizeof(double[6]));
}

static void read_outer(crn_linked *l, const cairn_simulation *s, double h, const crn_gpu_load *load)
{
    const crn_device *device = s->device;
    bool is_implicit = s->settings.integrator != CAIRN_INTEGRATOR_EULER;
    for (int i = 0; i < l->count; ++i)
        if (l->mass[i] > 0 && !l->model.bodies[i].point)
            crn_device_turn_impulse(is_implicit, l->inertia + 9 * i, l->before[i] + 3, h, l->outer[i] + 3);
    for (int f = 0; f < device->forces; ++f)
    {
        int i = l->at[s->model->forces[device->force[f].index].body];
        if (i >= 0)
            crn_device_force_impulse(&device->force[f].at, &load[f], l->pose[i].R, l->model.bodies[i].point, h,
                                     l->outer[i]);
    }
}

cairn_status crn_linked_open(crn_linked *l, const cairn_simulation *s, double h, const crn_gpu_load *load)
{
    *l = (crn_linked){.count = 0};
    CRN_TRY(list_bodies(l, s->model));
    CRN_TRY(reserve(l, s->model));
    make_model(l, s);
    for (int i = 0; i < l->count; ++i)
    {
        l->pose[i] = crn_pose_of(s, l->body[i]);
        read_velocity(l, s, i, l->before[i]);
    }
    for (int i = 0; i < (int)s->model->spring_count; ++i)
    {
        double phi[3];
        crn_spring_coordinates(s->model, &s->located.frame, i, s->state.spring_angle[i], phi, l->gradient + 3 * i);
    }
    read_outer(l, s, h, load);
    return CAIRN_OK;
}

/* -------------------------------------------------------------------------------------------------------------- the share */

/* Whether a spring pulls on both ends alike: nobody else compares them. */
static bool add_spring(crn_linked *l, const cairn_simulation *s, int index, const crn_gpu_joint *spring,
                       const crn_gpu_joint_row *row)
{
    double pull[2][6] = {{0}}, sum[3];
    crn_device_spring_pulls(s, spring, row, l->gradient + 3 * index, pull);
    const int body[2] = {s->model->springs[index].a.body, s->model->springs[index].b.body};
    bool both = true;
    for (int side = 0; side < 2; ++side)
    {
        int i = place_of(l, body[side]);
        both = both && i >= 0 && l->mass[i] > 0;
        for (int k = 0; k < 6 && i >= 0; ++k)
            l->inner[i][k] += pull[side][k];
    }
    crn_add3(pull[0], pull[1], sum);
    return !both || crn_norm3(sum) <= 1e-12 * (crn_norm3(pull[0]) + crn_norm3(pull[1]));
}

static bool add_springs(crn_linked *l, const cairn_simulation *s)
{
    const crn_device *device = s->device;
    int joints = (int)s->model->joint_count;
    bool good = true;
    for (int i = 0; i < device->joints; ++i)
        if (device->joint_of[i] >= joints)
            good = add_spring(l, s, device->joint_of[i] - joints, &device->joint[i],
                              &device->joint_row[i * CRN_GPU_ROWS]) &&
                   good;
    return good;
}

static void tell(const crn_linked *l, const cairn_simulation *s, crn_audit *audit, crn_linked_push *push)
{
    for (int i = 0; i < l->count; ++i)
    {
        push[i].body = crn_device_number_of(s, s->device, l->body[i]);
        memcpy(push[i].joints, crn_audit_given(audit, i), sizeof push[i].joints);
        memcpy(push[i].springs, l->inner[i], sizeof push[i].springs);
    }
}

cairn_status crn_linked_judge(crn_linked *l, const cairn_simulation *s, double h, crn_share_doubts *doubts,
                              crn_linked_push *push)
{
    const crn_audit_bodies bodies = {
        .mass = l->mass, .inertia = {.start = l->inertia_start, .value = l->inertia}, .bound = l->bound, .threads = 1};
    bool is_finite = false, alike = add_springs(l, s);
    crn_piece piece = crn_device_audit_piece(s, h);
    for (int i = 0; i < l->count; ++i)
        read_velocity(l, s, i, l->after[i]);
    piece.pose = l->pose;
    piece.coordinate = s->state.coordinate;
    piece.before = l->before;
    piece.after = l->after;
    piece.outer = l->outer;
    piece.inner = l->inner;
    piece.place[0] =
        (crn_piece_place){l->pose, l->before, l->before, s->model->joint_count > 0 ? s->ledger.joint_total : NULL};
    piece.place_count = 1;
    *doubts = (crn_share_doubts){.clear = 1};
    crn_audit *audit = crn_audit_create(&l->model, &bodies);
    if (!audit)
        return CAIRN_NO_MEMORY;
    crn_audit_share(audit);
    cairn_status status = crn_audit_share_look(audit, &piece, &is_finite);
    if (!status && is_finite)
    {
        tell(l, s, audit, push);
        crn_audit_share_joints(audit, &piece, doubts);
        doubts->clear += !alike;
    }
    crn_audit_destroy(audit);
    return status;
}

void crn_linked_free(crn_linked *l)
{
    crn_arena_release(&l->memory);
    *l = (crn_linked){.count = 0};
}
