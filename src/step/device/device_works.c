/* What joints, springs and forces have done in a batch of steps: their impulses, angles and works, for the state and the account of energies. */
#include "formulate/compliance.h"
#include "model/joints/element.h"
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

/* The work of something that stores energy: a spring with its damper, or a rotor. */
static void book_store(cairn_energy *e, const crn_gpu_joint_row *row, bool is_rotor)
{
    e->work_springs += is_rotor ? 0.0 : row->elastic;
    e->work_dampers += is_rotor ? 0.0 : row->work - row->elastic;
    e->work_driven -= row->given;
    e->integration += row->elastic + row->given;
}

static void take_joint_work(cairn_simulation *s, int j, int row, const crn_gpu_joint_row *from)
{
    const crn_joint *joint = &s->model->joints[j];
    const crn_element *element = joint->element_count > 0 ? crn_joint_element(joint, row) : NULL;
    bool is_rotor = element && element->kind == CRN_ELEMENT_ROTOR;
    bool is_spring = !crn_joint_drives(joint, row) && crn_is_soft(crn_joint_give(s->model, j, row));
    s->state.joint_work[j] += from->work;
    if (is_rotor || is_spring)
        book_store(&s->state.energy, from, is_rotor);
    else
        s->state.energy.work_joints += from->work;
    if (element && !is_rotor)
        s->state.element_work[(j * CRN_JOINT_COORDINATES + element->coordinate) * CRN_ROLES +
                              (int)crn_element_role(element)] += from->work;
}

static void read_joint(cairn_simulation *s, int j, const crn_gpu_joint *joint, const crn_gpu_joint_row *from)
{
    for (int k = 0; k < joint->watched; ++k)
    {
        const crn_gpu_row *row = &joint->row[k];
        if (row->function == CRN_GPU_TURN)
            s->state.coordinate[j * CRN_JOINT_COORDINATES + row->coordinate] = from[k].angle;
        if (k >= joint->rows)
            continue;
        s->ledger.joint_total[j][k] = from[k].impulse;
        take_joint_work(s, j, k, &from[k]);
    }
}

static void read_spring(cairn_simulation *s, int index, const crn_gpu_joint *spring, const crn_gpu_joint_row *from)
{
    if (spring->row[0].function == CRN_GPU_TWIST && spring->rows > 0)
        s->state.spring_angle[index] = from[0].angle;
    for (int k = 0; k < spring->rows; ++k)
    {
        s->state.spring_work[index] += from[k].work;
        book_store(&s->state.energy, &from[k], false);
    }
}

static cairn_status read_joints(cairn_simulation *s, double *work)
{
    crn_device *device = s->device;
    char sentence[CRN_GPU_SENTENCE] = "";
    int joints = (int)s->model->joint_count;
    if (device->joints == 0)
        return CAIRN_OK;
    if (!device->gpu->read_joints(device->world, device->joint_row, sentence))
        return crn_device_fail(s, CAIRN_IO, "%s", sentence);
    if (joints > 0)
        memset(s->ledger.joint_total, 0, (size_t)joints * sizeof *s->ledger.joint_total);
    for (int i = 0; i < device->joints; ++i)
    {
        const crn_gpu_joint *joint = &device->joint[i];
        const crn_gpu_joint_row *from = &device->joint_row[i * CRN_GPU_ROWS];
        int index = device->joint_of[i];
        if (index < joints)
            read_joint(s, index, joint, from);
        else
            read_spring(s, index - joints, joint, from);
        for (int k = 0; k < joint->rows; ++k)
            *work += from[k].work;
    }
    return CAIRN_OK;
}

static cairn_status read_forces(cairn_simulation *s, double *work)
{
    crn_device *device = s->device;
    char sentence[CRN_GPU_SENTENCE] = "";
    if (device->forces == 0 && !device->was_pulled)
        return CAIRN_OK;
    if (!device->gpu->read_forces(device->world, device->force_work, sentence))
        return crn_device_fail(s, CAIRN_IO, "%s", sentence);
    for (int i = 0; i <= device->forces; ++i)
    {
        if (i < device->forces)
            s->state.force_work[device->force[i].index] += device->force_work[i];
        s->state.energy.work_forces += device->force_work[i];
        *work += device->force_work[i];
    }
    return CAIRN_OK;
}

cairn_status crn_device_read_works(cairn_simulation *s, double *work)
{
    *work = 0;
    CRN_TRY(read_joints(s, work));
    return read_forces(s, work);
}
