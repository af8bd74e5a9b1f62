#include "audit/share.h"

#include "audit/audit_internal.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>

static const double SURE = 0.9999; /* of an allowance */

void crn_audit_share(crn_audit *audit)
{
    audit->shares = true;
    audit->sure = SURE;
}

cairn_status crn_audit_share_look(crn_audit *audit, const crn_piece *piece, bool *is_finite)
{
    assert(audit->shares && piece->h > 0);
    crn_audit_begin(audit);
    return crn_audit_measure(audit, piece, is_finite);
}

double *crn_audit_given(crn_audit *audit, int body)
{
    assert(body >= 0 && body < audit->count);
    return audit->account[body].given;
}

/* Whether the impulses explain how a body moves, to half the slack of no speed: the other half is for the groups' sums. */
static bool moves_well(const crn_audit *audit, const crn_piece *piece, int body)
{
    double off[6], turn[3], least = 0.5 * audit->sure * crn_audit_slack(piece, 0.0);
    crn_audit_residual(audit, piece, body, off);
    crn_rotate3(audit->inverse[body], off + 3, turn);
    return crn_norm3(off) <= least * audit->bodies.mass[body] && audit->bodies.bound[body] * crn_norm3(turn) <= least;
}

static void judge_energy(const crn_audit *audit, const crn_piece *piece, int root, crn_share_doubts *doubts)
{
    const crn_group *group = &audit->group[root];
    double most = audit->sure * crn_energy_allowance(piece, group);
    bool mean = group->mean <= most, last = group->last <= most;
    doubts->mean += group->shared && !mean;
    doubts->last += group->shared && !last;
    doubts->clear += !group->shared && !mean && !last;
}

void crn_audit_share_judge(crn_audit *audit, const crn_piece *piece, const uint8_t *border, crn_share_doubts *doubts)
{
    crn_judge_contacts(audit, piece);
    *doubts = (crn_share_doubts){.clear = audit->record.found};
    for (int b = 0; b < audit->count; ++b)
    {
        if (!crn_audit_moves(audit, b))
            continue;
        crn_group *group = &audit->group[audit->account[b].group];
        group->shared = group->shared || border[b] != CRN_BORDER_NONE;
        doubts->clear += border[b] != CRN_BORDER_COPY && !moves_well(audit, piece, b);
    }
    for (int b = 0; b < audit->count; ++b)
        if (crn_audit_moves(audit, b) && audit->account[b].group == b)
            judge_energy(audit, piece, b, doubts);
}

void crn_audit_share_joints(crn_audit *audit, const crn_piece *piece, crn_share_doubts *doubts)
{
    crn_judge_joints(audit, piece);
    *doubts = (crn_share_doubts){.clear = audit->record.found};
    for (int b = 0; b < audit->count; ++b)
    {
        if (!crn_audit_moves(audit, b) || audit->account[b].group != b)
            continue;
        audit->group[b].shared = true;
        judge_energy(audit, piece, b, doubts);
    }
}

void crn_audit_share_hold(crn_audit *audit, int body)
{
    audit->account[body].jointed = true;
}

int crn_audit_share_end(crn_audit *audit, const crn_audit_motion *motion, const crn_contact *contacts, int count)
{
    assert(audit->shares);
    crn_audit_begin(audit);
    crn_judge_overlaps(audit, motion, contacts, count);
    return audit->record.found;
}
