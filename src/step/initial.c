/* Checking that a state is consistent with its constraints, and projecting it if it is not.
 *
 * The second-order schemes assume (Potra et al. 2006, section 2)
 *
 *     Theta(q) = 0,  G v = 0,     Phi(q) >= 0,  n'v >= 0 where Phi = 0
 *
 * and silently lose their order, or more, if this does not hold at the start. A state is checked row by row, and each
 * violation is reported with its size. First-order schemes correct velocities in their first step. They also correct
 * penetration, but with a velocity of depth/h, so for them open joints and penetrating bodies are reported. On request
 * penetration is accepted, or the state is projected. Both projections use the mass norm:
 *
 *     positions    as in project.c, springs left free
 *     velocities   M (v+ - v) = G'c + n r_n,  G v+ = 0,  0 <= n'v+ _|_ r_n >= 0: an impact without restitution or friction
 */
#include "formulate/compliance.h"
#include "math/vec.h"
#include "model/joints/coupling.h"
#include "model/names.h"
#include "step/row_description.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TOLERANCE = 1e-6;  /* m or rad; for a rate, relative to the velocities that it is computed from */
static const double SMALL_PART = 1e-3; /* of a body's size: tolerance of its penetration, if smaller */
static const double SMALLEST_RATE = 1e-9; /* m/s: smaller rates are rounding errors of a body at rest */

enum
{
    MOST_MESSAGES = 20
};

typedef struct violations
{
    cairn_simulation *s;
    const crn_assembly *assembly;
    bool overlaps;          /* check penetration */
    bool rates;             /* check velocities too */
    const crn_moves *moves; /* check only what is new; NULL: check everything */
    int count;
} violations;

/* ----------------------------------------------------------------------------------------------------- check */

/* All joints and users' systems; of the contacts of bodies all that are closed, or none. */
static cairn_status formulate(cairn_simulation *s, bool contacts)
{
    crn_stage *stage = &s->projection.stage;
    const int all = s->located.contact_count;
    if (crn_projection_open(s))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "initial state: memory ran out");
    crn_frame_update(&stage->frame, s->layout, s->state.q, s->state.t, 0.0);
    crn_frame_drive_now(&stage->frame, s->layout);
    crn_input in = crn_stage_input(s, stage, 1.0);
    in.contacts = s->located.contacts;
    in.contact_count = s->located.contact_count = contacts ? all : 0;
    cairn_status status = crn_close_contacts(s, INFINITY);
    s->located.contact_count = all;
    CRN_TRY(status);
    crn_list_closed(s, INFINITY, 1.0, 0.0, &in);
    in.only_closed = in.instant = true;
    in.rotor_rate = NULL;
    crn_begin_rows(&stage->assembly, &in);
    if (crn_add_joint_rows(&stage->assembly, &in, 0.0) || crn_add_contact_rows(&stage->assembly, &in))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "initial state: memory ran out");
    crn_finish(&stage->assembly, &in, s->settings.law);
    return CAIRN_OK;
}

/* One row of an item times v, plus `other`; *size is the sum of the absolute values. */
static double rate_of(const cairn_simulation *s, const cairn_block_rows *rows, int item, int row, double other,
                      double *size)
{
    assert(item >= 0 && item < rows->item_count);
    double rate = other;
    *size = fabs(other);
    for (int e = rows->entry_start[item]; e < rows->entry_start[item + 1]; ++e)
    {
        int start = s->layout->block_start[rows->block[e]];
        int width = s->layout->block_start[rows->block[e] + 1] - start;
        const double *values = rows->value + rows->value_start[e] + row * width;
        for (int k = 0; k < width; ++k)
        {
            rate += values[k] * s->state.v[start + k];
            *size += fabs(values[k] * s->state.v[start + k]);
        }
    }
    return rate;
}

static bool is_violated(double rate, double size)
{
    return !(fabs(rate) <= fmax(TOLERANCE * size, SMALLEST_RATE));
}

static void tell(violations *found, const char *who, const char *what, double size, const char *unit)
{
    if (found->count++ < MOST_MESSAGES)
    {
        crn_fail(found->s->context, CAIRN_INVALID, "state at t = %g s: %s %s %g %s", found->s->state.t, who, what, size,
                 unit);
    }
}

/* Tolerance of a joint's points: relative to its length, or to their distance from the origin. */
static double position_tolerance(const cairn_simulation *s, int joint)
{
    if (joint < 0)
        return TOLERANCE;
    const crn_joint *j = &s->model->joints[joint];
    double a[3], b[3];
    crn_frame_point(&s->projection.stage.frame, &j->a, a);
    crn_frame_point(&s->projection.stage.frame, &j->b, b);
    bool sized = (j->type->fields & CRN_JOINT_LENGTH) != 0;
    return TOLERANCE * (sized ? j->length : 1.0 + crn_norm3(a) + crn_norm3(b));
}

/* Users' systems never change, so they count as old. */
static bool is_new_joint(const violations *found, int item)
{
    int joint = crn_joint_of_item(found->s->model, item);
    return !found->moves || (joint >= 0 && found->moves->is_new[CRN_ROSTER_JOINTS][joint]);
}

static bool is_new_contact(const violations *found, const crn_contact *contact)
{
    if (!found->moves)
        return true;
    const bool *is_new = found->moves->is_new[CRN_ROSTER_SHAPES];
    return contact->body_a >= 0 && (is_new[contact->shape_a] || is_new[contact->shape_b]);
}

/* Iterate over the joint items: those of the model's joints, then one for each user's system that has joints. */
static void check_joints(violations *found)
{
    const crn_assembly *assembly = found->assembly;
    const cairn_block_rows *G = &assembly->problem.G;
    for (int item = 0; item < G->item_count; ++item)
    {
        double position = 0, rate = 0;
        bool moves = false;
        if (!is_new_joint(found, item))
            continue;
        for (int row = G->row_start[item]; row < G->row_start[item + 1]; ++row)
        {
            double size, r = rate_of(found->s, G, item, row - G->row_start[item], -assembly->problem.b[row], &size);
            moves = moves || is_violated(r, size);
            rate = fmax(rate, fabs(r));
            position = fmax(position, fabs(assembly->theta[row]));
        }
        char who[160];
        crn_who_joint(found->s->model, item, who, sizeof who);
        if (!(position <= position_tolerance(found->s, crn_joint_of_item(found->s->model, item))))
            tell(found, who, "is violated by", position, "m or rad");
        if (moves && found->rates)
            tell(found, who, "is violated at a rate of", rate, "m/s or rad/s");
    }
}

/* Allowed penetration. It is smaller for bodies smaller than a millimetre. */
static double overlap_tolerance(const cairn_simulation *s, const crn_contact *contact)
{
    double tolerance = TOLERANCE;
    int body[2] = {contact->body_a, contact->body_b};
    for (int k = 0; k < 2; ++k)
    {
        double size = body[k] >= 0 ? s->layout->bound[body[k]] : 0.0;
        tolerance = size > 0.0 ? fmin(tolerance, SMALL_PART * size) : tolerance;
    }
    return tolerance;
}

/* Whether two bodies touch in an elastic contact, where penetration is deformation. */
static bool gives_way(const cairn_simulation *s, const crn_contact *contact)
{
    int finer;
    return contact->body_a >= 0 && (crn_contact_give(s->model, contact).k > 0 ||
                                    crn_model_patch_of(s->model, contact->shape_a, contact->shape_b, &finer));
}

/* A limit that is exceeded, or about to be exceeded. */
static void check_bounded(violations *found, int j, const char *who, double rate, double size)
{
    assert(crn_bounded_of(found->assembly, j));
    const cairn_model *model = found->s->model;
    const crn_bounded_row *row = crn_bounded_of(found->assembly, j);
    if (!row->is_limit)
        return;
    const crn_joint *joint = &model->joints[row->joint];
    const crn_element *element = crn_joint_element(joint, row->row);
    bool turns = element && crn_element_turns(joint, model->dimension, element);
    double gap = found->assembly->active[j].gap;
    if (!(gap >= -position_tolerance(found->s, row->joint)) && !(joint->stiffness > 0))
        tell(found, who, "is exceeded by", -gap / row->length, turns ? "rad" : "m");
    if (found->rates && !(rate >= 0) && is_violated(rate, size))
        tell(found, who, "is reached and exceeded further at", -rate / row->length, turns ? "rad/s" : "m/s");
}

static bool penetrates(const violations *found, const crn_contact *contact)
{
    return found->overlaps && !(contact->gap >= -overlap_tolerance(found->s, contact)) && !gives_way(found->s, contact);
}

/* What check_contacts finds of the contacts of bodies where rates do not matter, without rows for them: a heap has several per body. */
static void check_gaps(violations *found)
{
    const cairn_simulation *s = found->s;
    const crn_contact *list = s->located.contacts;
    for (int i = 0; i < s->located.contact_count; ++i)
    {
        char who[256];
        if (!is_new_contact(found, &list[i]) || !penetrates(found, &list[i]) ||
            crn_is_passed(s, &list[i], list, s->located.contact_count))
            continue;
        crn_who_bodies(s->model, &list[i], who, sizeof who);
        tell(found, who, "penetrates by", -list[i].gap, "m");
    }
}

static void check_contacts(violations *found)
{
    const crn_assembly *assembly = found->assembly;
    for (int j = 0; j < assembly->problem.contact_count; ++j)
    {
        const crn_contact *contact = &assembly->active[j];
        double size;
        if (!is_new_contact(found, contact))
            continue;
        double rate = rate_of(found->s, &assembly->problem.H, j, 0, assembly->contact_drive[j][0], &size);
        char who[256];
        crn_who_contact(found->s->model, assembly, j, who, sizeof who);
        if (crn_bounded_of(assembly, j))
        {
            check_bounded(found, j, who, rate, size);
            continue;
        }
        if (penetrates(found, contact))
            tell(found, who, "penetrates by", -contact->gap, "m");
        if (found->rates && !(rate >= 0) && is_violated(rate, size))
            tell(found, who, "is closed and closes further at", -rate, "m/s");
    }
}

/* Check all constraints, or omit their rates or penetration. With `moves`, check only those that involve something new. */
static cairn_status check(cairn_simulation *s, bool rates, bool overlaps, const crn_moves *moves)
{
    violations found = {
        .s = s, .assembly = &s->projection.stage.assembly, .overlaps = overlaps, .rates = rates, .moves = moves};
    bool has_rows = rates || s->model->joint_count > 0 || s->model->system_count > 0;
    CRN_TRY(s->state.located_h > 0 ? CAIRN_OK : crn_locate(s, s->settings.step));
    CRN_TRY(has_rows ? formulate(s, rates) : CAIRN_OK);
    if (has_rows)
        check_joints(&found);
    if (!rates)
        check_gaps(&found);
    if (has_rows)
        check_contacts(&found);
    crn_projection_release(s);
    if (found.count > MOST_MESSAGES)
        crn_fail(s->context, CAIRN_INVALID, "state at t = %g s: %d more violations", s->state.t,
                 found.count - MOST_MESSAGES);
    return found.count > 0 ? CAIRN_INVALID : CAIRN_OK;
}

cairn_status cairn_simulation_check_initial(cairn_simulation *s)
{
    if (!s)
        return crn_fail(NULL, CAIRN_INVALID, "simulation: it is NULL");
    return check(s, true, true, NULL);
}

/* --------------------------------------------------------------------------------------------------- project */

static cairn_status project_positions(cairn_simulation *s)
{
    s->projection.springs_free = true;
    cairn_status status = crn_project(s, 0.0);
    s->projection.springs_free = false;
    return status ? crn_fail(s->context, status, "initial state: %s", cairn_status_text(status))
                  : crn_locate(s, s->settings.step);
}

static cairn_status project_velocities(cairn_simulation *s)
{
    cairn_law frictionless = {CAIRN_LAW_FRICTIONLESS, 0};
    cairn_solver_report report = {0};
    s->trial.inelastic = true;
    cairn_status status = crn_impact(s, frictionless, &report);
    s->trial.inelastic = false;
    return status ? status : crn_locate(s, s->settings.step);
}

static void check_value(violations *found, int j, int i)
{
    const cairn_model *model = found->s->model;
    const crn_joint *joint = &model->joints[j];
    char who[160];
    double rate, q = cairn_simulation_coordinate(found->s, crn_joint_handle(model, j), i, &rate);
    double off = fabs(q - joint->initial[i]), rate_off = fabs(rate - joint->initial_rate[i]);
    snprintf(who, sizeof who, "%s '%.80s': %s", crn_joint_noun(joint), joint->name,
             joint->type->coordinate[model->dimension - 2][i].name);
    if (joint->begins & 1u << i && !(off <= TOLERANCE * (1 + fabs(q))))
        tell(found, who, "misses its initial value by", off, "m or rad");
    if (joint->begins_rate & 1u << i && !found->s->layout->drives && !(rate_off <= TOLERANCE * (1 + fabs(rate))))
        tell(found, who, "misses its initial rate by", rate_off, "m/s or rad/s");
}

/* Whether coordinates have the values and rates that they should begin with: a projection may have moved the bodies on, and what is
 * added to a simulation is not assembled. With `moves`, only new joints count. */
static cairn_status check_values(cairn_simulation *s, const crn_moves *moves)
{
    violations found = {.s = s};
    for (int j = 0; s->model->has_initial && j < (int)s->model->joint_count; ++j)
        for (int i = 0; i < s->model->joints[j].coordinates; ++i)
            if (!moves || moves->is_new[CRN_ROSTER_JOINTS][j])
                check_value(&found, j, i);
    return found.count > 0 ? CAIRN_INVALID : CAIRN_OK;
}

/* The run begins at this state: nothing has happened and no work has been done. */
static void forget(cairn_simulation *s)
{
    assert(s->state.step == 0);
    memset(s->state.spring_work, 0, s->model->spring_count * sizeof(double));
    memset(s->state.joint_work, 0, s->model->joint_count * sizeof(double));
    memset(s->state.element_work, 0, s->state.element_works * sizeof(double));
    memset(s->state.force_work, 0, s->model->force_count * sizeof(double));
    memset(s->state.passed, 0, s->statistic_count * sizeof *s->state.passed);
    s->stage_count = 0;
    s->saved.is_there = false;
    s->trial.problems = 0;
    s->state.event_count = 0;
    s->state.report.projection_iterations = 0;
}

cairn_status crn_begin_consistent(cairn_simulation *s)
{
    cairn_status status = CAIRN_OK;
    bool project = s->settings.initial == CAIRN_INITIAL_PROJECT;
    crn_suspect_winding(s);
    if (s->settings.initial == CAIRN_INITIAL_CLOSEST)
        return CAIRN_OK;
    if (project)
    {
        CRN_TRY(crn_trial_open(s));
        status = project_positions(s);
        status = status ? status : project_velocities(s);
        forget(s);
        crn_trial_release(s);
    }
    status = status ? status
                    : check(s, project || crn_is_second_order(s->settings.integrator),
                            s->settings.initial != CAIRN_INITIAL_KEEP, NULL);
    status = status ? status : check_values(s, NULL);
    if (status == CAIRN_INVALID)
    {
        crn_fail(s->context, status, "%s",
                 project ? "the initial state cannot be made consistent: no better one than the above was found"
                         : "the initial state is not consistent; 'initial: project' takes the nearest one that is, "
                           "'initial: assemble' puts joints together, 'initial: keep' lets bodies penetrate and pushes "
                           "them apart slowly");
    }
    return status;
}

cairn_status crn_check_newcomers(cairn_simulation *s, const crn_moves *moves)
{
    cairn_status status =
        check(s, crn_is_second_order(s->settings.integrator), s->settings.initial != CAIRN_INITIAL_KEEP, moves);
    status = status ? status : check_values(s, moves);
    if (status == CAIRN_INVALID)
    {
        crn_fail(
            s->context, status,
            "what was added to the model at t = %g s does not fit: move it, remove it, or let bodies penetrate with "
            "'initial: keep'",
            s->state.t);
    }
    return status;
}
