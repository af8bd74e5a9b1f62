#include "step/row_description.h"

#include "model/names.h"

#include <stdio.h>

void crn_who_spring(const cairn_model *model, int spring, char *text, size_t size)
{
    snprintf(text, size, "spring '%s'", model->springs[spring].name);
}

/* The model's joints come first, then one item for each user's system that has joints. */
void crn_who_joint(const cairn_model *model, int item, char *text, size_t size)
{
    if (item < (int)model->joint_count)
        snprintf(text, size, "joint '%s'", model->joints[item].name);
    else
        snprintf(text, size, "a user's system");
}

void crn_who_contact(const cairn_model *model, const crn_contact *contact, char *text, size_t size)
{
    if (contact->body_a < 0 && contact->body_b < 0)
    {
        snprintf(text, size, "a gap of a user's system");
    }
    else
    {
        snprintf(text, size, "the contact of '%s' and '%s'", crn_body_name(model, contact->body_a),
                 crn_body_name(model, contact->body_b));
    }
}
