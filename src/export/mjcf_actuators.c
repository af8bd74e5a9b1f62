/* MJCF: drives as actuators. A position drive with the gains k and c is force = k (u - q) - c q', a speed drive c (u - q'), a force drive u,
 * with the control u: the target at t = 0, which the keyframe holds. The target of a drive with both gains must not move, since its rate
 * has no counterpart.
 */
#include "export/mjcf.h"

#include <math.h>

static void put_law(crn_writer *w, const crn_element *drive)
{
    bool position = drive->kind == CRN_ELEMENT_POSITION;
    const double range[2] = {-drive->most, drive->most};
    if (position)
        crn_attribute_number(w, "kp", drive->k);
    if (position)
        crn_attribute_amount(w, "kv", drive->c);
    else if (drive->kind == CRN_ELEMENT_SPEED)
        crn_attribute_number(w, "kv", drive->c);
    if (drive->kind != CRN_ELEMENT_FORCE && isfinite(drive->most) && drive->most > 0)
        crn_attribute_numbers(w, "forcerange", range, 2);
}

static void put_control(crn_writer *w, const crn_joint *joint, const crn_element *drive)
{
    double value = crn_signal_value(&drive->target, 0);
    if (crn_reserve_all(&w->memory, CRN_ARRAY(w->ctrl, w->control_count + 1)))
    {
        w->status = CAIRN_NO_MEMORY;
        return;
    }
    w->ctrl[w->control_count++] = isfinite(value) ? value + 0.0 : 0; /* not -0 */
    if (!crn_signal_is_constant(&drive->target))
        crn_writer_note(w, "joint '%.80s': the target of its drive changes; its control begins with %g", joint->name,
                        w->ctrl[w->control_count - 1]);
    if (drive->power > 0)
        crn_writer_note(w, "joint '%.80s': the power of its drive has no limit in MJCF", joint->name);
}

static void put_drive(crn_writer *w, crn_mjcf_section *section, const crn_joint *joint, int coordinate,
                      const crn_element *drive)
{
    bool rigid = drive->kind != CRN_ELEMENT_FORCE && drive->k == 0 && drive->c == 0;
    char name[CRN_WRITER_NAME];
    if (rigid)
    {
        crn_writer_note(w, "joint '%.80s': its drive has no gains, which MJCF needs: not written", joint->name);
        return;
    }
    crn_section_begin(w, section);
    crn_element_open(w, drive->kind == CRN_ELEMENT_POSITION ? "position"
                        : drive->kind == CRN_ELEMENT_SPEED  ? "velocity"
                                                            : "motor");
    if (joint->coupling)
        snprintf(name, sizeof name, "%.250s", joint->name);
    else
        crn_mjcf_name(w, (int)(joint - w->model->joints), coordinate, name);
    crn_attribute_text(w, "name", name);
    crn_attribute_text(w, joint->coupling ? "tendon" : "joint", name);
    put_law(w, drive);
    crn_element_close(w);
    put_control(w, joint, drive);
}

void crn_mjcf_put_actuators(crn_writer *w)
{
    crn_mjcf_section section = {"actuator", false};
    for (size_t i = 0; i < w->model->joint_count; ++i)
    {
        const crn_joint *joint = &w->model->joints[i];
        bool there =
            joint->coupling ? crn_mjcf_is_sum(w, joint->coupling) : w->carries[i] && joint->kind != CAIRN_JOINT_BALL;
        for (int k = 0; there && k < joint->element_count; ++k)
        {
            crn_element_kind kind = joint->element[k].kind;
            if (kind == CRN_ELEMENT_POSITION || kind == CRN_ELEMENT_SPEED || kind == CRN_ELEMENT_FORCE)
                put_drive(w, &section, joint, joint->element[k].coordinate, &joint->element[k]);
        }
    }
    crn_section_end(w, &section);
}
