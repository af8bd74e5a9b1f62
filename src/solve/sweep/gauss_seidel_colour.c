/* Greedy colouring of the contacts: each takes the lowest colour that none of its clusters and none of its neighbours
 * in a patch has met. The first 64 colours of a cluster are the bits of one word; beyond them a cluster only knows the
 * highest, and the next contact goes above it. A body with a thousand contacts has a thousand colours whatever one
 * does, so nothing is lost, and the work is O(1) a contact. An item whose impulse sets the bounds of rows makes one more
 * cluster with these rows. */
#include "solve/sweep/gauss_seidel_plan.h"

#include <assert.h>
#include <string.h>

/* What a contact must keep clear of. */
typedef struct taken
{
    uint64_t mask;
    int next;
} taken;

static void meet(taken *all, int colour)
{
    if (colour < 64)
        all->mask |= UINT64_C(1) << colour;
    all->next = colour + 1 > all->next ? colour + 1 : all->next;
}

static int lowest_free(const taken *all)
{
    if (all->mask == UINT64_MAX)
        return all->next > 64 ? all->next : 64;
    int colour = 0;
    while (all->mask >> colour & 1)
        ++colour;
    return colour;
}

static void meet_cluster(const crn_gs_plan *plan, int cluster, taken *all)
{
    all->mask |= plan->mask[cluster];
    all->next = plan->next_colour[cluster] > all->next ? plan->next_colour[cluster] : all->next;
}

static void mark_cluster(crn_gs_plan *plan, int cluster, int colour)
{
    assert(colour >= 0);
    taken own = {plan->mask[cluster], plan->next_colour[cluster]};
    meet(&own, colour);
    plan->mask[cluster] = own.mask;
    plan->next_colour[cluster] = own.next;
}

/* The item whose impulse sets the bounds of j; j itself where none does. */
static int source_of(const cairn_problem *problem, int j)
{
    assert(problem->bound[j].by < problem->contact_count);
    return problem->bound[j].is_row && problem->bound[j].by >= 0 ? problem->bound[j].by : j;
}

static int choose_colour(crn_gs_plan *plan, const cairn_problem *problem, int j)
{
    const cairn_block_rows *H = &problem->H;
    taken all = {0, 0};
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        meet_cluster(plan, plan->cluster[H->block[e]], &all);
    if (plan->multiples)
    {
        meet_cluster(plan, plan->cluster_count + j, &all);
        meet_cluster(plan, plan->cluster_count + source_of(problem, j), &all);
    }
    for (size_t e = plan->R_start[j]; e < plan->R_start[j + 1]; ++e)
        if (plan->R_contact[e] < j)
            meet(&all, plan->colour[plan->R_contact[e]]);
    for (int i = plan->patch[j] >= 0 ? problem->patch_start[plan->patch[j]] : j; i < j; ++i)
        meet(&all, plan->colour[i]);
    int colour = lowest_free(&all);
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        mark_cluster(plan, plan->cluster[H->block[e]], colour);
    if (plan->multiples)
    {
        mark_cluster(plan, plan->cluster_count + j, colour);
        mark_cluster(plan, plan->cluster_count + source_of(problem, j), colour);
    }
    return colour;
}

/* Contacts sorted by colour, ascending within one. */
static void sort_by_colour(crn_gs_plan *plan, int contacts)
{
    int *start = plan->colour_start;
    memset(start, 0, ((size_t)plan->colour_count + 1) * sizeof(int));
    for (int j = 0; j < contacts; ++j)
        start[plan->colour[j] + 1]++;
    for (int k = 0; k < plan->colour_count; ++k)
        start[k + 1] += start[k];
    for (int j = 0; j < contacts; ++j)
        plan->order[start[plan->colour[j]]++] = j;
    for (int k = plan->colour_count; k > 0; --k)
        start[k] = start[k - 1];
    start[0] = 0;
    assert(start[plan->colour_count] == contacts);
}

cairn_status crn_gs_plan_colour(crn_gs_plan *plan, const cairn_problem *problem)
{
    assert(plan->cluster_count <= problem->block_count);
    size_t contacts = (size_t)problem->contact_count + 1;
    size_t clusters = (size_t)plan->cluster_count + 1 + (plan->multiples ? contacts : 0);
    CRN_TRY(crn_reserve_all(&plan->memory, CRN_ARRAY(plan->colour, contacts), CRN_ARRAY(plan->order, contacts),
                            CRN_ARRAY(plan->colour_start, contacts + 1), CRN_ARRAY(plan->mask, clusters),
                            CRN_ARRAY(plan->next_colour, clusters)));
    memset(plan->mask, 0, clusters * sizeof(uint64_t));
    memset(plan->next_colour, 0, clusters * sizeof(int));
    plan->colour_count = 0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        int colour = choose_colour(plan, problem, j);
        plan->colour[j] = colour;
        plan->colour_count = colour + 1 > plan->colour_count ? colour + 1 : plan->colour_count;
    }
    sort_by_colour(plan, problem->contact_count);
    return CAIRN_OK;
}
