#include "step/row_description.h"

#include "formulate/rolling.h"
#include "model/joints/coupling.h"

#include "model/names.h"

#include <assert.h>
#include <stdio.h>

void crn_who_spring(const cairn_model *model, int spring, char *text, size_t size)
{
    assert(spring >= 0 && (size_t)spring < model->spring_count);
    snprintf(text, size, "spring '%s'", model->springs[spring].name);
}

int crn_joint_of_item(const cairn_model *model, int item)
{
    assert(item >= 0);
    for (int j = item; j < (int)model->joint_count;
         ++j) /* joint j has item j, or a smaller one if joints before it have no equations */
        if (model->joints[j].item == item)
            return j;
    return -1;
}

/* The model's joints come first, then one item for each user's system that has joints. */
void crn_who_joint(const cairn_model *model, int item, char *text, size_t size)
{
    int joint = crn_joint_of_item(model, item);
    if (joint >= 0)
        snprintf(text, size, "%s '%s'", crn_joint_noun(&model->joints[joint]), model->joints[joint].name);
    else
        snprintf(text, size, "a user's system");
}

static void who_bounded(const cairn_model *model, const crn_assembly *assembly, const crn_bounded_row *row, char *text,
                        size_t size)
{
    if (row->joint < 0)
    {
        char of[200];
        crn_who_contact(model, assembly, row->contact, of, sizeof of);
        snprintf(text, size, "%s friction of %s", row->row == CRN_SPINS ? "spinning" : "rolling", of);
        return;
    }
    const crn_joint *joint = &model->joints[row->joint];
    assert(row->row >= joint->rows && row->row < joint->rows + joint->bounded);
    const char *const *names = joint->type->bounded_name;
    const crn_element *element = crn_joint_element(joint, row->row);
    snprintf(text, size, "%s '%s', %s", crn_joint_noun(joint), joint->name,
             element ? crn_joint_element_name(element)
             : names ? names[row->row - joint->rows]
                     : "bounded row");
}

void crn_who_bodies(const cairn_model *model, const crn_contact *contact, char *text, size_t size)
{
    snprintf(text, size, "the contact of '%s' and '%s'", crn_body_name(model, contact->body_a),
             crn_body_name(model, contact->body_b));
}

void crn_who_contact(const cairn_model *model, const crn_assembly *assembly, int j, char *text, size_t size)
{
    assert(j >= 0 && j < assembly->problem.contact_count);
    const crn_contact *contact = &assembly->active[j];
    const crn_bounded_row *row = crn_bounded_of(assembly, j);
    if (row)
        who_bounded(model, assembly, row, text, size);
    else if (contact->body_a < 0 && contact->body_b < 0)
        snprintf(text, size, "a gap of a user's system");
    else
        crn_who_bodies(model, contact, text, size);
}
