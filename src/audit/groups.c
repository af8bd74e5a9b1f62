/* Groups of bodies that contacts, joints and springs hold together: a forest with halved paths. Bodies that do not move under
 * forces belong to none; a group that touches one is bound. */
#include "audit/audit_internal.h"

#include <assert.h>
#include <string.h>

int crn_groups_find(crn_audit *audit, int body)
{
    assert(body >= 0 && body < audit->count);
    crn_account *account = audit->account;
    while (account[body].group != body)
    {
        account[body].group = account[account[body].group].group;
        body = account[body].group;
    }
    return body;
}

void crn_groups_join(crn_audit *audit, int a, int b)
{
    assert(a < audit->count && b < audit->count);
    if (crn_audit_moves(audit, a) && crn_audit_moves(audit, b))
    {
        int root_a = crn_groups_find(audit, a), root_b = crn_groups_find(audit, b);
        int low = root_a < root_b ? root_a : root_b;
        audit->account[root_a].group = low;
        audit->account[root_b].group = low;
    }
    else if (crn_audit_moves(audit, a) || crn_audit_moves(audit, b))
    {
        audit->account[crn_audit_moves(audit, a) ? a : b].bound = true;
    }
}

void crn_groups_end(crn_audit *audit)
{
    for (int i = 0; i < audit->count; ++i)
    {
        int root = crn_groups_find(audit, i);
        bool bound = audit->account[i].bound;
        audit->account[i].group = root; /* roots are the least of their group: met first */
        if (root == i)
            memset(&audit->group[i], 0, sizeof audit->group[i]);
        audit->group[root].bound = audit->group[root].bound || bound;
    }
}

crn_group *crn_group_of(crn_audit *audit, int a, int b)
{
    assert(a >= 0 || b >= 0);
    int body = crn_audit_moves(audit, a) ? a : b;
    return crn_audit_moves(audit, body) ? &audit->group[audit->account[body].group] : NULL;
}
