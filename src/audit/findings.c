/* Findings: the list of the current step, and the totals. */
#include "audit/audit_internal.h"
#include "model/handles.h"

#include <assert.h>
#include <math.h>
#include <string.h>

double crn_audit_ratio(const cairn_violation *violation)
{
    bool number = !isnan(violation->size) && !isnan(violation->allowance);
    return number ? violation->size / fmax(violation->allowance, 1e-300) : INFINITY;
}

/* While judging, a body is named by its index plus 1; callers get handles. */
static cairn_violation with_handles(const crn_audit *audit, cairn_violation violation)
{
    violation.a = crn_body_handle(audit->model, violation.a.id - 1);
    violation.b = crn_body_handle(audit->model, violation.b.id - 1);
    return violation;
}

void crn_audit_note(crn_audit *audit, const cairn_violation *raw)
{
    if (audit->shares)
    {
        audit->record.found += 1;
        return;
    }
    cairn_violation told = with_handles(audit, *raw);
    const cairn_violation *violation = &told;
    assert((int)violation->kind >= 0 && (int)violation->kind < CAIRN_VIOLATION_KINDS);
    cairn_violation *worst = &audit->record.step.worst[violation->kind];
    if (audit->record.step.count[violation->kind]++ == 0 || crn_audit_ratio(violation) > crn_audit_ratio(worst))
        *worst = *violation;
    if (audit->record.listed_count < CRN_AUDIT_LISTED)
        audit->record.listed[audit->record.listed_count++] = *violation;
    audit->record.found += 1;
}

void crn_audit_begin(crn_audit *audit)
{
    audit->record.listed_count = audit->record.found = 0;
    memset(&audit->record.step, 0, sizeof audit->record.step);
}

void crn_audit_carry_on(const crn_audit *from, crn_audit *to)
{
    to->record = from->record;
}

void crn_audit_add_up(crn_audit *audit)
{
    for (int kind = 0; kind < CAIRN_VIOLATION_KINDS; ++kind)
    {
        const cairn_violation *worst = &audit->record.step.worst[kind];
        bool first = audit->record.totals.count[kind] == 0;
        if (audit->record.step.count[kind] > 0 &&
            (first || crn_audit_ratio(worst) > crn_audit_ratio(&audit->record.totals.worst[kind])))
            audit->record.totals.worst[kind] = *worst;
        audit->record.totals.count[kind] += audit->record.step.count[kind];
    }
}

int crn_audit_found(const crn_audit *audit)
{
    return audit->record.found;
}

int crn_audit_forbidden(const crn_audit *audit, uint32_t allow)
{
    int64_t count = 0;
    for (int kind = 0; kind < CAIRN_VIOLATION_KINDS; ++kind)
        count += allow >> kind & 1u ? 0 : audit->record.step.count[kind];
    return (int)count;
}

int crn_audit_listed(const crn_audit *audit)
{
    return audit->record.listed_count;
}

cairn_violation crn_audit_violation(const crn_audit *audit, int index)
{
    cairn_violation none = {.kind = CAIRN_VIOLATION_NOT_FINITE, .time = NAN};
    return index >= 0 && index < audit->record.listed_count ? audit->record.listed[index] : none;
}

const cairn_audit_totals *crn_audit_totals(const crn_audit *audit)
{
    return &audit->record.totals;
}

crn_audit_record *crn_audit_record_of(crn_audit *audit)
{
    return &audit->record;
}
