/* The joints of a scene as the device sees them (src/gpu/joints): rows of a few functions, coloured so that no two of a colour share a body that can
 * move. What changes with time, such as the targets of drives, is computed here, by the processor's own rows, for every step of a batch.
 */
#include "formulate/compliance.h"
#include "formulate/joints.h"
#include "model/ignored.h"
#include "model/joints/element.h"
#include "model/names.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static cairn_status refuse(const cairn_simulation *s, int joint, const char *what)
{
    return crn_device_fail(s, CAIRN_UNSUPPORTED,
                           "joint '%s' %s, which is not supported on the device yet; use device cpu",
                           s->model->joints[joint].name, what);
}

/* ---------------------------------------------------------------------------------------------------------------- rows */

/* -1: the device does not have it. */
static int function_of(crn_joint_function_kind kind)
{
    switch (kind)
    {
    case CRN_MEET:
        return CRN_GPU_MEET;
    case CRN_ALONG:
        return CRN_GPU_ALONG;
    case CRN_ACROSS:
        return CRN_GPU_ACROSS;
    case CRN_NO_TWIST:
        return CRN_GPU_NO_TWIST;
    case CRN_TURN:
        return CRN_GPU_TURN;
    case CRN_SLIDE:
        return CRN_GPU_SLIDE;
    default:
        return -1;
    }
}

static crn_gpu_row row_of(const crn_joint_function *function)
{
    return (crn_gpu_row){.function = function_of(function->kind),
                         .k = function->k,
                         .l = function->l,
                         .mode = CRN_GPU_HOLD,
                         .timed = -1,
                         .coordinate = -1,
                         .sign = 1};
}

static cairn_status check_element(const cairn_simulation *s, int j, const crn_element *element)
{
    if (element->power > 0)
        return refuse(s, j, "has a drive with a power");
    if (element->mu > 0)
        return refuse(s, j, "has friction in proportion to its load");
    if (element->restitution > 0)
        return refuse(s, j, "has an end that bounces");
    return CAIRN_OK;
}

static cairn_status check_joint(const cairn_simulation *s, int j)
{
    const crn_joint *joint = &s->model->joints[j];
    const crn_joint_class *type = joint->type;
    if (joint->coupling || joint->bushing || type->evaluate || joint->is_mixed || joint->own_bounded > 0)
        return refuse(s, j,
                      "is of a type other than ball, revolute, weld, prismatic, cylindrical, universal, planar, slot, "
                      "point-on-plane and constant-velocity");
    if (joint->rows > CRN_GPU_EQUATIONS || joint->rows + joint->bounded + joint->coordinates > CRN_GPU_ROWS)
        return refuse(s, j, "has too much acting on it");
    for (int i = 0; i < joint->own_rows; ++i)
        if (function_of(type->equation[CRN_SPACE][i].kind) < 0)
            return refuse(s, j, "has an equation of its own kind");
    for (int i = 0; i < joint->element_count; ++i)
        CRN_TRY(check_element(s, j, &joint->element[i]));
    return CAIRN_OK;
}

/* The row of an element. */
static cairn_status add_element(cairn_simulation *s, crn_device *device, int j, int i, crn_gpu_joint *out)
{
    const crn_joint *joint = &s->model->joints[j];
    const crn_element *element = crn_joint_element(joint, i);
    const crn_joint_function *function = &joint->type->coordinate[CRN_SPACE][element->coordinate];
    bool is_limit = element->kind == CRN_ELEMENT_LOWER || element->kind == CRN_ELEMENT_UPPER;
    bool holds = element->kind == CRN_ELEMENT_POSITION || element->kind == CRN_ELEMENT_SPRING;
    bool is_rotor = element->kind == CRN_ELEMENT_ROTOR;
    crn_row_compliance give = crn_joint_give(s->model, j, i);
    crn_gpu_row *row = &out->row[i];
    *row = row_of(function);
    if (row->function < 0)
        return refuse(s, j, "has something that acts on a coordinate other than an angle about its axis or a position");
    row->mode = is_limit ? CRN_GPU_GAP : holds ? CRN_GPU_HOLD : is_rotor ? CRN_GPU_ROTOR : CRN_GPU_RATE;
    row->sign = element->kind == CRN_ELEMENT_UPPER ? -1 : 1;
    row->coordinate = element->coordinate;
    row->k_s = is_rotor ? element->inertia : give.k;
    row->c_s = give.c;
    if (!is_rotor)
        row->timed = device->timed++;
    return CAIRN_OK;
}

/* Angles whose whole turns are to be counted, though nothing acts on them. */
static void watch_angles(const crn_joint *joint, crn_gpu_joint *out)
{
    for (int i = 0; i < joint->coordinates; ++i)
        if (joint->type->coordinate[CRN_SPACE][i].kind == CRN_TURN)
        {
            out->row[out->watched] = row_of(&joint->type->coordinate[CRN_SPACE][i]);
            out->row[out->watched++].coordinate = i;
        }
}

static cairn_status add_joint(cairn_simulation *s, crn_device *device, int j, crn_gpu_joint *out)
{
    const crn_joint *joint = &s->model->joints[j];
    const crn_attachment *end[2] = {&joint->a, &joint->b};
    CRN_TRY(check_joint(s, j));
    *out = (crn_gpu_joint){.equations = joint->rows, .rows = joint->rows + joint->bounded};
    for (int side = 0; side < 2; ++side)
    {
        out->body[side] = end[side]->body;
        memcpy(out->point[side], end[side]->point, sizeof out->point[side]);
        if (end[side]->body >= 0 && s->layout->body_block[end[side]->body] >= 0)
            out->length = fmax(out->length, crn_size_of(s->layout, end[side]->body));
    }
    memcpy(out->axis, joint->axis, sizeof out->axis);
    for (int i = 0; i < joint->own_rows; ++i)
    {
        crn_row_compliance give = crn_joint_give(s->model, j, i);
        out->row[i] = row_of(&joint->type->equation[CRN_SPACE][i]);
        out->row[i].k_s = give.k;
        out->row[i].c_s = give.c;
    }
    for (int i = joint->own_rows; i < out->rows; ++i)
        CRN_TRY(add_element(s, device, j, i, out));
    out->watched = out->rows;
    watch_angles(joint, out);
    for (int i = 0; i < out->watched; ++i)
        if (out->row[i].coordinate >= 0)
            out->angle[i] = s->state.coordinate[j * CRN_JOINT_COORDINATES + out->row[i].coordinate];
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- colours */

static bool can_move(const cairn_simulation *s, int body)
{
    return body >= 0 && s->layout->body_block[body] >= 0;
}

/* The lowest colour that neither body of joint j, or of a spring behind the joints, has; -1: there is none left. */
static int colour_of(const cairn_simulation *s, int j, uint64_t *used)
{
    const cairn_model *model = s->model;
    int spring = j - (int)model->joint_count;
    const int body[2] = {spring < 0 ? model->joints[j].a.body : model->springs[spring].a.body,
                         spring < 0 ? model->joints[j].b.body : model->springs[spring].b.body};
    uint64_t taken = 0;
    int colour = 0;
    for (int side = 0; side < 2; ++side)
        taken |= can_move(s, body[side]) ? used[body[side]] : 0;
    while (colour < 64 && taken >> colour & 1)
        ++colour;
    if (colour == 64)
        return -1;
    for (int side = 0; side < 2; ++side)
        if (can_move(s, body[side]))
            used[body[side]] |= UINT64_C(1) << colour;
    return colour;
}

static cairn_status order_joints(cairn_simulation *s, crn_device *device)
{
    int joints = (int)s->model->joint_count, count = device->joints;
    if (count > 0)
        memset(device->joint_mask, 0, s->model->body_count * sizeof *device->joint_mask);
    device->joint_colours = 0;
    for (int j = 0; j < count; ++j)
    {
        int colour = colour_of(s, j, device->joint_mask);
        if (colour < 0)
            return crn_device_fail(s, CAIRN_UNSUPPORTED,
                                   "%s '%s' is one of more than 64 joints and springs at one body, which is not "
                                   "supported on the device yet; use device cpu",
                                   j < joints ? "joint" : "spring",
                                   j < joints ? s->model->joints[j].name : s->model->springs[j - joints].name);
        device->joint_colour[j] = colour;
        device->joint_colours = colour >= device->joint_colours ? colour + 1 : device->joint_colours;
    }
    int at = 0;
    for (int colour = 0; colour < device->joint_colours; ++colour)
    {
        device->joint_first[colour] = at;
        for (int j = 0; j < count; ++j)
            if (device->joint_colour[j] == colour)
                device->joint_of[at++] = j;
    }
    device->joint_first[device->joint_colours] = at;
    assert(at == count);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------ pairs kept apart */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static cairn_status add_aparts(cairn_simulation *s, crn_device *device)
{
    const cairn_model *model = s->model;
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->apart, model->ignored_slots + 1)));
    device->aparts = 0;
    for (size_t i = 0; i < model->ignored_slots; ++i)
        if (model->ignored[i].reasons > 0)
            device->apart[device->aparts++] = (uint64_t)model->ignored[i].a << 32 | (uint32_t)model->ignored[i].b;
    qsort(device->apart, (size_t)device->aparts, sizeof *device->apart, by_number);
    return CAIRN_OK;
}

cairn_status crn_device_add_joints(cairn_simulation *s, crn_device *device)
{
    int joints = (int)s->model->joint_count;
    size_t count = s->model->joint_count + s->model->spring_count;
    device->joints = (int)count;
    device->timed = 0;
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->joint, count), CRN_ARRAY(device->joint_of, count),
                            CRN_ARRAY(device->joint_colour, count), CRN_ARRAY(device->joint_row, count * CRN_GPU_ROWS),
                            CRN_ARRAY(device->joint_mask, count > 0 ? s->model->body_count : 0)));
    CRN_TRY(order_joints(s, device));
    for (int i = 0; i < (int)count; ++i)
        if (device->joint_of[i] < joints)
            CRN_TRY(add_joint(s, device, device->joint_of[i], &device->joint[i]));
        else
            crn_device_add_spring(s, device->joint_of[i] - joints, &device->joint[i]);
    return add_aparts(s, device);
}

/* ---------------------------------------------------------------------------------------------------------------- time */

/* The rows of elements over a step of the frame's time, where the bodies of the frame are. */
void crn_device_time_joints(const cairn_simulation *s, const crn_device *device, crn_gpu_timed *out)
{
    const crn_frame *frame = &s->located.frame;
    crn_joint_rows rows;
    for (int i = 0; i < device->joints && device->timed > 0; ++i)
    {
        const crn_gpu_joint *joint = &device->joint[i];
        if (device->joint_of[i] >= (int)s->model->joint_count)
            continue; /* springs */
        crn_joint_measure(s->model, frame, device->joint_of[i], &rows);
        for (int k = 0; k < joint->rows; ++k)
        {
            const crn_gpu_row *row = &joint->row[k];
            if (row->timed < 0)
                continue;
            bool is_bounded = k >= joint->equations;
            double q = crn_joint_coordinate_at(s->model, frame, device->joint_of[i], row->coordinate);
            out[row->timed] = (crn_gpu_timed){.offset = rows.theta[k] - row->sign * q,
                                              .shift = rows.rate[k] - (is_bounded ? rows.bound[k].speed : 0.0),
                                              .lo = is_bounded ? rows.bound[k].lo : -INFINITY,
                                              .hi = is_bounded ? rows.bound[k].hi : INFINITY};
        }
    }
}
