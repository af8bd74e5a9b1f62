/* The terms of a coupling become parts: factors, joints, coordinates and points are checked, and the bodies are listed. */
#include "model/joints/coupling_build.h"

#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static cairn_status check_joint(const crn_coupling_building *b, const cairn_coupling_term *term, int *joint)
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

static cairn_status check_coordinate(const crn_coupling_building *b, const cairn_coupling_term *term, int index,
                                     int *coordinate)
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

static cairn_status add_joint(const crn_coupling_building *b, const cairn_coupling_term *term)
{
    int joint, coordinate;
    CRN_TRY(check_joint(b, term, &joint));
    CRN_TRY(check_coordinate(b, term, joint, &coordinate));
    b->coupling->part[b->coupling->part_count++] =
        (crn_coupling_part){.factor = term->factor, .joint = joint, .coordinate = coordinate};
    return CAIRN_OK;
}

static cairn_status add_strand(const crn_coupling_building *b, const cairn_coupling_term *term, int i)
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

static cairn_status add_term(const crn_coupling_building *b, const cairn_coupling_term *term)
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

cairn_status crn_coupling_add_terms(crn_coupling_building *b, const cairn_coupling_options *o)
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
static cairn_status note_body(const crn_coupling_building *b, int body)
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

cairn_status crn_coupling_list_bodies(const crn_coupling_building *b)
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
