/* Regularised contacts and joints in the energy account, and which settings allow them.
 *
 * Their impulse has a spring part and a damper part (formulate/compliance.h). As with springs between bodies, the spring part
 * is a conservative force with the elastic energy k g^2/2 for every negative gap and every Theta. The difference between its
 * work and the decrease of that energy is the numerical loss of the scheme. The damper part is damping. The tangential springs
 * of contacts are in account/anchors.c.
 */
#include "formulate/compliance.h"
#include "formulate/joints.h"
#include "model/joints/coupling.h"
#include "step/account/account.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

/* The first joint of which some row is soft or a rotor, or has bounds; NULL: none. */
static const crn_joint *first_special(const cairn_model *model, bool bounded)
{
    for (size_t j = 0; j < model->joint_count; ++j)
    {
        const crn_joint *joint = &model->joints[j];
        int coordinate;
        for (int i = 0; i < joint->rows + joint->bounded; ++i)
            if (bounded ? i >= joint->rows
                        : crn_is_soft(crn_joint_give(model, (int)j, i)) || crn_joint_rotor(joint, i, &coordinate) > 0)
                return joint;
    }
    return NULL;
}

static bool has_soft_materials(const cairn_model *model)
{
    for (size_t i = 0; i < model->material_count; ++i)
        if (model->materials[i].stiffness > 0)
            return true;
    return false;
}

/* Rows of the trapezoidal schemes hold for the mean of a step, where neither the compliance of its end nor bounds belong. */
static bool takes_all_rows(const crn_scheme *scheme)
{
    return scheme->order < 2 || scheme->steps_to_events;
}

static cairn_status check_joints(const cairn_simulation *s)
{
    const crn_joint *soft = first_special(s->model, false), *bounded = first_special(s->model, true);
    const crn_joint *joint = soft ? soft : bounded;
    if (!joint || takes_all_rows(crn_scheme_of(s->settings.integrator)))
        return CAIRN_OK;
    return crn_fail(s->context, CAIRN_INVALID, "integrator: %s '%s' has %s; use %s with it, found %s",
                    crn_joint_noun(joint), joint->name,
                    soft ? "a stiffness, a damping or a rotor" : "limits, friction or a drive with a largest force",
                    crn_list_schemes(takes_all_rows).text, cairn_integrator_name(s->settings.integrator));
}

/* Rolling friction sticks and slides on its own, which the events of second-order schemes do not look for. */
static cairn_status check_rolling(const cairn_simulation *s)
{
    if (!s->model->rolls || !crn_is_second_order(s->settings.integrator))
        return CAIRN_OK;
    const char *name = ""; /* of a material that resists by itself; otherwise a pair does */
    for (size_t i = 0; i < s->model->material_count; ++i)
        if (s->model->materials[i].rolling > 0 || s->model->materials[i].spinning > 0)
            name = s->model->materials[i].name;
    return crn_fail(s->context, CAIRN_INVALID,
                    "integrator: %s%s%s has rolling or spinning friction; use %s with it, found %s",
                    *name ? "material '" : "a pair of materials", name, *name ? "'" : "", crn_list_first_order().text,
                    cairn_integrator_name(s->settings.integrator));
}

/* The end of a pull is no event of second-order schemes. */
static cairn_status check_cohesion(const cairn_simulation *s)
{
    const cairn_model *model = s->model;
    for (int a = 0; model->coheres && a < (int)model->material_count; ++a)
        for (int b = 0; b <= a && crn_is_second_order(s->settings.integrator); ++b)
        {
            double range;
            if (crn_materials_cohesion(model, a, b, &range) > 0)
                return crn_fail(s->context, CAIRN_INVALID,
                                "integrator: materials '%s' and '%s' have cohesion; use %s with it, found %s",
                                model->materials[a].name, model->materials[b].name, crn_list_first_order().text,
                                cairn_integrator_name(s->settings.integrator));
        }
    return CAIRN_OK;
}

cairn_status crn_check_regularised(const cairn_simulation *s)
{
    bool second = crn_is_second_order(s->settings.integrator), soft = has_soft_materials(s->model);
    CRN_TRY(check_joints(s));
    CRN_TRY(check_rolling(s));
    CRN_TRY(check_cohesion(s));
    if (second && soft)
    {
        return crn_fail(s->context, CAIRN_INVALID,
                        "integrator: contacts with a stiffness open and close without an impact, and their springs "
                        "begin to slip, at times that events of second-order schemes do not look for; use %s with "
                        "them, found %s",
                        crn_list_first_order().text, cairn_integrator_name(s->settings.integrator));
    }
    if (soft && s->settings.stabilisation == CAIRN_STABILISE_PROJECT)
    {
        return crn_fail(s->context, CAIRN_INVALID,
                        "stabilisation: project would push out what contacts with a stiffness give way by; use gap or "
                        "none");
    }
    return CAIRN_OK;
}

double crn_contact_elastic(const cairn_simulation *s)
{
    double sum = s->state.anchors.energy;
    for (int i = 0; s->model->gives && i < s->located.contact_count; ++i)
    {
        double gap = s->located.contacts[i].gap;
        sum += gap < 0 ? 0.5 * crn_contact_give(s->model, &s->located.contacts[i]).k * gap * gap : 0.0;
    }
    return sum;
}

/* The spring and damper that a row of a joint is; rigid rows and drives are none, and their work is that of the joint. */
static crn_row_compliance spring_of(const cairn_model *model, int joint, int row)
{
    return crn_joint_drives(&model->joints[joint], row) ? (crn_row_compliance){0, 0}
                                                        : crn_joint_give(model, joint, row);
}

double crn_joint_elastic(const cairn_simulation *s, const crn_frame *frame)
{
    double sum = 0;
    for (int j = 0; s->model->gives && j < (int)s->model->joint_count; ++j)
    {
        crn_joint_rows rows;
        crn_joint_evaluate(s->model, frame, j, &rows);
        for (int i = 0; i < rows.equations; ++i)
            sum += 0.5 * spring_of(s->model, j, i).k * rows.theta[i] * rows.theta[i];
        for (int i = rows.equations; i < rows.equations + rows.bounded; ++i)
        {
            double stretch = rows.bound[i].is_limit ? fmin(rows.theta[i], 0.0) : 0.0;
            sum += 0.5 * spring_of(s->model, j, i).k * stretch * stretch;
        }
    }
    return sum;
}

/* Like book_springs in energy.c. mean_rate is the rate of the row at the bodies' mean velocity; drive is the part of
 * driven bodies and moving rest values. Both have the weight of the stage. */
static void book(cairn_simulation *s, double elastic, double damping, double mean_rate, double drive)
{
    s->state.energy.work_springs += elastic * mean_rate;
    s->state.energy.work_dampers += damping * mean_rate;
    s->state.energy.work_driven -= elastic * drive;
    s->state.energy.integration += elastic * (mean_rate + drive);
}

bool crn_book_soft_contact(cairn_simulation *s, const crn_stage *stage, int j, double r, double mean_rate)
{
    assert(j >= 0 && j < crn_contacts_of(&stage->assembly));
    const crn_contact *contact = &stage->assembly.active[j];
    crn_row_compliance give = crn_contact_give(s->model, contact);
    if (!crn_is_soft(give))
        return false;
    double elastic, damping;
    crn_compliance_parts(give, stage->h, contact->gap, true, r, &elastic, &damping);
    if (r > 0)
        book(s, elastic, damping, mean_rate, stage->weight * stage->assembly.contact_drive[j][0]);
    return true;
}

bool crn_book_soft_joint(cairn_simulation *s, const crn_stage *stage, int joint, int row, double c, double mean_rate)
{
    assert(joint >= 0 && (size_t)joint < s->model->joint_count);
    const cairn_problem *problem = &stage->assembly.problem;
    crn_row_compliance give = spring_of(s->model, joint, row);
    if (!crn_is_soft(give))
        return false;
    double elastic, damping;
    int place = problem->G.row_start[s->model->joints[joint].item] + row;
    double theta = stage->assembly.theta[place];
    double drive = stage->weight * (-problem->b[place] - crn_compliance_bias(give, stage->h, theta, false));
    crn_compliance_parts(give, stage->h, theta, false, c, &elastic, &damping);
    book(s, elastic, damping, mean_rate, drive);
    return true;
}

/* Like a contact along its normal. Gap and impulse are measured in metres, as in the problem. */
bool crn_book_soft_bounded(cairn_simulation *s, const crn_stage *stage, int k, double z, double mean_rate)
{
    const crn_assembly *assembly = &stage->assembly;
    const crn_bounded_row *row = &assembly->bounded[k];
    int j = crn_contacts_of(assembly) + k;
    crn_row_compliance give = spring_of(s->model, row->joint, row->row);
    if (!crn_is_soft(give))
        return false;
    double elastic, damping, L2 = row->length * row->length;
    give = (crn_row_compliance){give.k / L2, give.c / L2};
    crn_compliance_parts(give, stage->h, row->theta, true, z, &elastic, &damping);
    if (z > 0)
        book(s, elastic, damping, mean_rate, stage->weight * assembly->contact_drive[j][0]);
    return true;
}

/* Call this once the contacts at the end of the step are known, because it needs their gaps. */
void crn_book_contact_elastic(cairn_simulation *s)
{
    double now = crn_contact_elastic(s);
    double change = now - s->state.contact_elastic;
    s->state.contact_elastic = now;
    s->state.energy.elastic += change;
    s->state.energy.total += change;
    s->state.energy.integration += change;
}
