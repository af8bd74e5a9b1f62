/* Couplings in a model: the terms are checked and become parts. */
#include "base/memory.h"
#include "model/joints/coupling.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_coupling_options cairn_coupling_default(void)
{
    return (cairn_coupling_options){.struct_size = sizeof(cairn_coupling_options), .hold = true, .weight = 1.0};
}

/* What is being built: the coupling, and for messages its name and the number of the term. */
typedef struct building
{
    const cairn_model *model;
    const char *name;
    crn_coupling *coupling;
    int term; /* from 1 */
} building;

static cairn_status check_joint(const building *b, const cairn_coupling_term *term, int *joint)
{
    cairn_context *context = b->model->context;
    *joint = crn_joint_index(b->model, term->joint);
    if (*joint < 0)
        return crn_fail(context, CAIRN_INVALID, "coupling '%s': term %d: the joint is not in the model", b->name,
                        b->term);
    if (b->model->joints[*joint].coupling)
        return crn_fail(context, CAIRN_INVALID,
                        "coupling '%s': term %d: '%s' is a coupling; couplings add up coordinates of joints", b->name,
                        b->term, b->model->joints[*joint].name);
    return CAIRN_OK;
}

static cairn_status check_coordinate(const building *b, const cairn_coupling_term *term, int index, int *coordinate)
{
    const crn_joint *joint = &b->model->joints[index];
    char known[128];
    bool only = !term->coordinate && joint->coordinates == 1;
    *coordinate = only ? 0 : crn_joint_find_coordinate(b->model, joint, term->coordinate);
    if (*coordinate < 0 && !term->coordinate)
        return crn_fail(b->model->context, CAIRN_INVALID,
                        "coupling '%s': term %d: which coordinate of joint '%s' is meant? it has %s", b->name, b->term,
                        joint->name, crn_joint_list_coordinates(b->model, joint, known, sizeof known));
    if (*coordinate < 0)
        return crn_fail(b->model->context, CAIRN_INVALID,
                        "coupling '%s': term %d: joint '%s' has no coordinate '%s'; it has %s", b->name, b->term,
                        joint->name, term->coordinate,
                        crn_joint_list_coordinates(b->model, joint, known, sizeof known));
    for (int i = 0; i < b->coupling->part_count; ++i)
        if (b->coupling->part[i].joint == index && b->coupling->part[i].coordinate == *coordinate)
            return crn_fail(b->model->context, CAIRN_INVALID,
                            "coupling '%s': term %d: '%s' of joint '%s' is given twice", b->name, b->term,
                            joint->type->coordinate[b->model->dimension - 2][*coordinate].name, joint->name);
    return CAIRN_OK;
}

static cairn_status add_joint(const building *b, const cairn_coupling_term *term)
{
    int joint, coordinate;
    CRN_TRY(check_joint(b, term, &joint));
    CRN_TRY(check_coordinate(b, term, joint, &coordinate));
    b->coupling->part[b->coupling->part_count++] =
        (crn_coupling_part){.factor = term->factor, .joint = joint, .coordinate = coordinate};
    return CAIRN_OK;
}

static cairn_status add_strand(const building *b, const cairn_coupling_term *term, int i)
{
    crn_coupling_part *part = &b->coupling->part[b->coupling->part_count];
    *part = (crn_coupling_part){.factor = term->factor, .joint = -1};
    CRN_TRY(crn_attach(b->model, "coupling", b->name, &term->points[i], &part->a));
    CRN_TRY(crn_attach(b->model, "coupling", b->name, &term->points[i + 1], &part->b));
    double from[3], to[3];
    crn_attachment_at_start(b->model, &part->a, from);
    crn_attachment_at_start(b->model, &part->b, to);
    if (memcmp(from, to, sizeof from) == 0)
        return crn_fail(b->model->context, CAIRN_INVALID,
                        "coupling '%s': term %d: points %d and %d coincide, so that the rope has no direction there",
                        b->name, b->term, i + 1, i + 2);
    b->coupling->part_count++;
    return CAIRN_OK;
}

static cairn_status add_term(const building *b, const cairn_coupling_term *term)
{
    cairn_context *context = b->model->context;
    bool path = term->point_count != 0 || term->points;
    if (!isfinite(term->factor) || term->factor == 0)
        return crn_fail(context, CAIRN_INVALID,
                        "coupling '%s': term %d: factor: must be a finite number other than 0, found %g", b->name,
                        b->term, term->factor);
    if (path && term->joint.id != 0)
        return crn_fail(context, CAIRN_INVALID, "coupling '%s': term %d: is either a joint or a list of points",
                        b->name, b->term);
    if (!path)
        return add_joint(b, term);
    if (!term->points || term->point_count < 2)
        return crn_fail(context, CAIRN_INVALID, "coupling '%s': term %d: points: a rope needs at least two", b->name,
                        b->term);
    for (int i = 0; i + 1 < term->point_count; ++i)
        CRN_TRY(add_strand(b, term, i));
    return CAIRN_OK;
}

static cairn_status add_terms(building *b, const cairn_coupling_options *o)
{
    size_t parts = 0;
    if (o->term_count < 1 || !o->terms)
        return crn_fail(b->model->context, CAIRN_INVALID, "coupling '%s': terms: needs at least one", b->name);
    for (int i = 0; i < o->term_count; ++i)
        parts += o->terms[i].point_count > 1 ? (size_t)o->terms[i].point_count - 1 : 1;
    b->coupling->part = calloc(parts, sizeof *b->coupling->part);
    if (!b->coupling->part)
        return crn_fail(b->model->context, CAIRN_NO_MEMORY, "coupling '%s': memory ran out", b->name);
    for (b->term = 1; b->term <= o->term_count; ++b->term)
        CRN_TRY(add_term(b, &o->terms[b->term - 1]));
    return CAIRN_OK;
}

/* -------------------------------------------------------------------------------------------------------- bodies */

/* Insert a body into the ascending list. */
static cairn_status note_body(const building *b, int body)
{
    crn_coupling *coupling = b->coupling;
    int at = 0;
    while (at < coupling->body_count && coupling->body[at] < body)
        ++at;
    if (body < 0 || (at < coupling->body_count && coupling->body[at] == body))
        return CAIRN_OK;
    if (coupling->body_count == CRN_JOINT_BODIES)
        return crn_fail(b->model->context, CAIRN_INVALID, "coupling '%s': terms: more than %d bodies take part",
                        b->name, CRN_JOINT_BODIES);
    memmove(coupling->body + at + 1, coupling->body + at, (size_t)(coupling->body_count - at) * sizeof(int));
    coupling->body[at] = body;
    coupling->body_count++;
    return CAIRN_OK;
}

static int place_of(const crn_coupling *coupling, int body)
{
    int at = coupling->body_count - 1;
    while (at >= 0 && coupling->body[at] != body)
        --at;
    return at;
}

static cairn_status list_bodies(const building *b)
{
    crn_coupling *coupling = b->coupling;
    int body[2];
    bool moves = false;
    for (int i = 0; i < 2 * coupling->part_count; ++i)
    {
        crn_coupling_bodies(b->model, &coupling->part[i / 2], body);
        CRN_TRY(note_body(b, body[i % 2]));
    }
    for (int i = 0; i < 2 * coupling->part_count; ++i)
    {
        crn_coupling_bodies(b->model, &coupling->part[i / 2], body);
        coupling->part[i / 2].side[i % 2] = place_of(coupling, body[i % 2]);
        moves = moves || crn_body_is_dynamic(b->model, body[i % 2]);
    }
    return moves ? CAIRN_OK
                 : crn_fail(b->model->context, CAIRN_INVALID,
                            "coupling '%s': terms: none of the bodies can move under forces", b->name);
}

/* --------------------------------------------------------------------------------------------------------- value */

static double value_at_start(const cairn_model *model, const crn_coupling *coupling)
{
    double sum = 0;
    for (int i = 0; i < coupling->part_count; ++i)
    {
        const crn_coupling_part *part = &coupling->part[i];
        const crn_joint rope = {.a = part->a, .b = part->b};
        const crn_joint *joint = part->joint < 0 ? &rope : &model->joints[part->joint];
        crn_pose pose[2];
        crn_joint_place start;
        double unit[3];
        crn_joint_at_start(model, joint, pose, &start);
        sum += part->factor * (part->joint < 0
                                   ? crn_joint_line(&start, unit)
                                   : crn_joint_coordinate(joint, model->dimension, &start, part->coordinate, NULL));
    }
    return sum;
}

/* Whether a signal has one value for all times, as a single number has. */
static bool is_constant(const crn_signal *signal)
{
    return !signal->function && signal->table_count <= 1 &&
           (!signal->expression || (crn_expression_cost(signal->expression) == 1 &&
                                    crn_signal_value(signal, 0.0) == crn_signal_value(signal, 1.0)));
}

static cairn_status set_value(const building *b, const cairn_coupling_options *o)
{
    crn_element *hold = &b->coupling->hold;
    bool given = o->value.expression || o->value.function || o->value.table_count > 0;
    *hold = (crn_element){.kind = CRN_ELEMENT_POSITION, .most = INFINITY};
    if (!o->hold && given)
        return crn_fail(b->model->context, CAIRN_INVALID, "coupling '%s': value: it is not held", b->name);
    if (!o->hold)
        return CAIRN_OK;
    const double start[2] = {0, value_at_start(b->model, b->coupling)};
    const cairn_signal at_start = {.table = start, .table_count = 1};
    CRN_TRY(crn_signal_set(b->model, b->name, "value", given ? &o->value : &at_start, false, &hold->target));
    b->coupling->moves = !is_constant(&hold->target);
    return CAIRN_OK;
}

static bool all_turn(const cairn_model *model, const crn_coupling *coupling)
{
    for (int i = 0; i < coupling->part_count; ++i)
    {
        const crn_coupling_part *part = &coupling->part[i];
        const crn_element on = {.coordinate = part->coordinate};
        if (part->joint < 0 || !crn_element_turns(&model->joints[part->joint], model->dimension, &on))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------ the model */

/* The two bodies that messages name: the first that moves, and another. */
static void name_bodies(const cairn_model *model, crn_joint *joint)
{
    const crn_coupling *coupling = joint->coupling;
    int first = 0;
    while (first < coupling->body_count && !crn_body_is_dynamic(model, coupling->body[first]))
        ++first;
    assert(first < coupling->body_count);
    joint->a.body = coupling->body[first];
    joint->b.body = coupling->body_count > 1 ? coupling->body[first == 0] : -1;
}

static cairn_status fill(const cairn_model *model, const cairn_coupling_options *o, crn_joint *joint)
{
    CRN_TRY(crn_check_options(model, "coupling", o->struct_size, sizeof *o));
    CRN_TRY(crn_check_name(model, "coupling", o->name, &model->joint_names));
    CRN_TRY(crn_check_weight(model, "coupling", o->name, o->weight));
    joint->name = crn_copy_text(o->name);
    joint->coupling = calloc(1, sizeof *joint->coupling);
    if (!joint->name || !joint->coupling)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "coupling '%s': memory ran out", o->name);
    building b = {.model = model, .name = o->name, .coupling = joint->coupling};
    CRN_TRY(add_terms(&b, o));
    CRN_TRY(list_bodies(&b));
    CRN_TRY(set_value(&b, o));
    joint->coupling->turns = all_turn(model, joint->coupling);
    name_bodies(model, joint);
    joint->rows = joint->own_rows = o->hold ? 1 : 0;
    joint->weight = o->weight;
    return CAIRN_OK;
}

cairn_status cairn_model_add_coupling(cairn_model *model, const cairn_coupling_options *options, cairn_joint *out)
{
    if (!model || !options || !out)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "coupling: the model, the options or the place for its handle is NULL");
    crn_joint joint = {.type = &crn_coupling_class, .kind = CAIRN_JOINT_COUPLING, .item = -1, .coordinates = 1};
    cairn_status status = fill(model, options, &joint);
    if (status == CAIRN_OK && (crn_reserve_all(&model->memory, CRN_ARRAY(model->joints, model->joint_count + 1)) ||
                               crn_enlist(model, &model->joint_slots, &model->joint_names, joint.name)))
        status = crn_fail(model->context, CAIRN_NO_MEMORY, "coupling '%s': memory ran out", options->name);
    if (status != CAIRN_OK)
    {
        free(joint.name);
        crn_coupling_free(joint.coupling);
        return status;
    }
    model->joints[model->joint_count++] = joint;
    crn_model_review_joints(model);
    *out = crn_joint_handle(model, (int)model->joint_count - 1);
    return CAIRN_OK;
}

int cairn_model_coupling_strands(const cairn_model *model, cairn_joint coupling)
{
    int index = crn_joint_index(model, coupling), count = 0;
    const crn_coupling *found = index < 0 ? NULL : model->joints[index].coupling;
    for (int i = 0; found && i < found->part_count; ++i)
        count += found->part[i].joint < 0;
    return count;
}

void cairn_model_coupling_strand(const cairn_model *model, cairn_joint coupling, int strand, cairn_attachment *a,
                                 cairn_attachment *b)
{
    int index = crn_joint_index(model, coupling);
    const crn_coupling *found = index < 0 ? NULL : model->joints[index].coupling;
    *a = *b = (cairn_attachment){.body = {0}};
    for (int i = 0; found && i < found->part_count; ++i)
        if (found->part[i].joint < 0 && strand-- == 0)
        {
            *a = crn_attachment_given(model, &found->part[i].a);
            *b = crn_attachment_given(model, &found->part[i].b);
        }
}
