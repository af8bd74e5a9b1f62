/* Impulses of contacts over a whole step, summed as world vectors over the stages of all its parts and impacts. */
#include "math/vec.h"
#include "step/account/ledger_internal.h"

static int compare_totals(const void *a, const void *b)
{
    const crn_total *x = a, *y = b;
    return (x->contact.identity > y->contact.identity) - (x->contact.identity < y->contact.identity);
}

/* Start a new total from a contact of a stage. Its arms are those at which it was evaluated. */
static crn_total new_total(const crn_stage *stage, int j)
{
    crn_total total = {.contact = stage->assembly.active[j]};
    const crn_contact *contact = &total.contact;
    crn_world_impulse(stage, j, &(crn_last_tangents){false}, total.impulse);
    if (contact->body_a >= 0)
    {
        crn_sub3(contact->point_a, stage->assembly.frame->pose[contact->body_a].x, total.arm_a);
        crn_sub3(contact->point_b, stage->assembly.frame->pose[contact->body_b].x, total.arm_b);
    }
    return total;
}

/* Merge the contacts of a stage, which ascend by identity, into the totals of the step. */
cairn_status crn_ledger_add_totals(cairn_simulation *s, const crn_stage *stage)
{
    crn_ledger *ledger = &s->ledger;
    int more = crn_contacts_of(&stage->assembly), count = 0;
    CRN_TRY(crn_reserve_all(&ledger->memory, CRN_ARRAY(ledger->merged, ledger->total_count + more)));
    for (int i = 0, j = 0; i < ledger->total_count || j < more;)
    {
        crn_total fresh = {.contact.identity = UINT64_MAX};
        fresh = j < more ? new_total(stage, j) : fresh;
        int order = i == ledger->total_count ? 1 : j == more ? -1 : compare_totals(&ledger->totals[i], &fresh);
        ledger->merged[count] = order < 0 ? ledger->totals[i] : fresh;
        if (order == 0)
            crn_add3(fresh.impulse, ledger->totals[i].impulse, ledger->merged[count].impulse);
        i += order <= 0;
        j += order >= 0;
        ++count;
    }
    crn_total *swap = ledger->totals;
    ledger->totals = ledger->merged;
    ledger->merged = swap;
    ledger->total_count = count;
    return CAIRN_OK;
}
