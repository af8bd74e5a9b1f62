/* The contacts and joints of a piece, stage after stage. */
#include "collide/drift.h"
#include "formulate/rolling.h"
#include "formulate/surface/cohesion.h"
#include "math/vec.h"
#include "step/account/ledger_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The impulse of a contact of a stage, times the stage's weight, in the world frame; for a gap of a user's system, in
 * its rows. last: of the contact before. */
void crn_world_impulse(const crn_stage *stage, int j, crn_last_tangents *last, double out[3])
{
    assert(j >= 0 && j < stage->assembly.problem.contact_count);
    const crn_contact *contact = &stage->assembly.active[j];
    int dim = stage->assembly.problem.dim;
    if (stage->assembly.rowless)
    {
        crn_scale3(stage->weight, stage->impulse[j], out);
        return;
    }
    const double *r = stage->solution.r + j * dim;
    crn_contact_next_tangents(contact, dim, last);
    const double *direction[3] = {contact->normal, last->t[0], last->t[1]};
    memset(out, 0, sizeof(double[3]));
    for (int i = 0; i < dim; ++i)
    {
        if (contact->body_a < 0)
        {
            out[i] = stage->weight * r[i];
            continue;
        }
        crn_madd3(out, stage->weight * r[i], direction[i], out);
    }
}

static bool is_zero(const double p[3])
{
    return p[0] == 0 && p[1] == 0 && p[2] == 0;
}

/* Add one contact of a place, with its impulse in the world. start: the same contact at the start of the piece; NULL: it was out
 * of reach there. */
static void add_contact(crn_ledger *ledger, int place, const crn_contact *from, const crn_contact *start,
                        const double impulse[3])
{
    crn_piece_contact *to = &ledger->contacts[ledger->contact_count++];
    to->body_a = from->body_a;
    to->body_b = from->body_b;
    to->place = place;
    to->identity = from->identity;
    memcpy(to->point_a, from->point_a, sizeof to->point_a);
    memcpy(to->point_b, from->point_b, sizeof to->point_b);
    memcpy(to->normal, from->normal, sizeof to->normal);
    memcpy(to->normal_before, start ? start->normal : from->normal, sizeof to->normal_before);
    memcpy(to->point_before[0], start ? start->point_a : from->point_a, sizeof to->point_a);
    memcpy(to->point_before[1], start ? start->point_b : from->point_b, sizeof to->point_b);
    to->fresh = !start;
    memcpy(to->impulse, impulse, sizeof to->impulse);
    to->gap = from->gap;
    to->gap_before = start ? start->gap : fmax(0, from->gap); /* out of reach: open */
    to->friction = from->friction;
    to->restitution = from->restitution;
    memset(to->moment, 0, sizeof to->moment);
    to->rolling = to->spinning = 0.0;
    to->cohesion = to->range = 0.0;
}

/* Rolling and spinning friction of contact j. */
static void read_moment(const cairn_simulation *s, const crn_stage *stage, int j, crn_piece_contact *to)
{
    crn_rolling rolling = crn_contact_rolling(s->model, &stage->assembly.active[j]);
    crn_stage_moment(s, stage, j, to->moment);
    crn_scale3(stage->weight, to->moment, to->moment);
    to->rolling = rolling.rolling;
    to->spinning = rolling.spinning;
}

/* Subtract the pull of contact j from its impulse. Returns what it can pull with. */
static crn_cohesion read_pull(const cairn_simulation *s, const crn_stage *stage, int j, double impulse[3])
{
    const crn_contact *from = &stage->assembly.active[j];
    crn_madd3(impulse, -stage->weight * crn_contact_pull(s->layout, from, stage->h), from->normal, impulse);
    return crn_contact_cohesion(s->layout, from);
}

static bool is_at_rim(const cairn_model *model, const crn_contact *contact)
{
    return crn_is_turned(model->shapes[contact->shape_a].kind) || crn_is_turned(model->shapes[contact->shape_b].kind);
}

static void read_stage(cairn_simulation *s, int place)
{
    const crn_stage *stage = &s->stage[place];
    bool moved = stage->assembly.frame != &s->located.frame;
    crn_last_tangents last = {false};
    for (int j = 0; j < crn_contacts_of(&stage->assembly); ++j)
    {
        const crn_contact *from = &stage->assembly.active[j], *start = from;
        double impulse[3];
        crn_cohesion cohesion = {0, 0};
        crn_world_impulse(stage, j, &last, impulse);
        if (s->model->coheres && from->body_a >= 0)
            cohesion = read_pull(s, stage, j, impulse);
        if (from->body_a < 0 || (is_zero(impulse) && !(cohesion.force > 0)))
            continue;
        if (moved)
            start = crn_find_contact(s->located.contacts, s->located.contact_count, from->identity);
        add_contact(&s->ledger, place, from, start, impulse);
        crn_piece_contact *to = &s->ledger.contacts[s->ledger.contact_count - 1];
        crn_contact_drift(s->model, stage->assembly.frame->pose, from, to->drift);
        to->soft =
            !stage->assembly.rowless && (stage->assembly.element[j] >= 0 || crn_contact_give(s->model, from).k > 0);
        to->last = place == s->stage_count - 1;
        to->rim = is_at_rim(s->model, from);
        to->cohesion = cohesion.force;
        to->range = cohesion.range;
        read_moment(s, stage, j, to);
    }
}

cairn_status crn_ledger_read_contacts(cairn_simulation *s)
{
    crn_ledger *ledger = &s->ledger;
    size_t most = 0;
    for (int k = 0; k < s->stage_count; ++k)
        most += (size_t)crn_contacts_of(&s->stage[k].assembly);
    CRN_TRY(crn_reserve_all(&ledger->memory, CRN_ARRAY(ledger->contacts, most)));
    ledger->contact_count = 0;
    for (int k = 0; k < s->stage_count; ++k)
        read_stage(s, k);
    return CAIRN_OK;
}

crn_acted crn_rowless_contacts(const cairn_simulation *s, const crn_stage *stage)
{
    assert(stage->assembly.rowless);
    return (crn_acted){.contacts = stage->assembly.active,
                       .impulse = (const double(*)[3])s->compact.impulse,
                       .count = crn_contacts_of(&stage->assembly)};
}

cairn_status crn_ledger_list_contacts(cairn_simulation *s, crn_acted *out)
{
    assert(s->stage_count == 1);
    crn_ledger *ledger = &s->ledger;
    const crn_stage *stage = &s->stage[0];
    int count = crn_contacts_of(&stage->assembly);
    if (stage->assembly.rowless)
    {
        *out = crn_rowless_contacts(s, stage);
        return CAIRN_OK;
    }
    CRN_TRY(crn_reserve_all(&ledger->memory, CRN_ARRAY(ledger->impulse, count)));
    crn_last_tangents last = {false};
    for (int j = 0; j < count; ++j)
        crn_world_impulse(stage, j, &last, ledger->impulse[j]);
    *out =
        (crn_acted){.contacts = stage->assembly.active, .impulse = (const double(*)[3])ledger->impulse, .count = count};
    return CAIRN_OK;
}

void crn_ledger_read_joints(cairn_simulation *s, int place)
{
    assert(place >= 0 && place < s->stage_count);
    const crn_stage *stage = &s->stage[place];
    const crn_assembly *assembly = &stage->assembly;
    for (size_t j = 0; j < s->model->joint_count; ++j)
    {
        const crn_joint *joint = &s->model->joints[j];
        double *to = s->ledger.joint_impulse[place][j], *total = s->ledger.joint_total[j];
        memset(to, 0, (size_t)(joint->rows + joint->bounded) * sizeof(double)); /* the others are never set */
        const double *c = joint->rows > 0 ? stage->solution.c + assembly->problem.G.row_start[joint->item] : NULL;
        for (int i = 0; i < joint->rows; ++i)
        {
            to[i] = stage->weight * c[i];
            total[i] += stage->weight * c[i];
        }
    }
    for (int k = 0; k < assembly->bounded_count; ++k)
    {
        const crn_bounded_row *row = &assembly->bounded[k];
        if (row->joint < 0)
            continue;
        double z = stage->solution.r[(crn_contacts_of(assembly) + k) * assembly->problem.dim];
        assert(row->row < CRN_PIECE_JOINT_ROWS);
        s->ledger.joint_impulse[place][row->joint][row->row] = stage->weight * row->length * z;
        s->ledger.joint_total[row->joint][row->row] += stage->weight * row->length * z;
    }
}
