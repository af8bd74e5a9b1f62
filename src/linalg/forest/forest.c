/* The limbs of a mechanism: a search through the graph of bodies and joints, breadth first from the bodies that are tied to the world and
 * then from the first body of every other tree. Limbs are eliminated in the reverse of the order in which they are found.
 */
#include "linalg/forest/forest.h"

#include <assert.h>
#include <string.h>

void crn_forest_release(crn_forest *forest)
{
    crn_arena_release(&forest->memory);
    memset(forest, 0, sizeof *forest);
}

/* ------------------------------------------------------------------------------------------------------------ the key */

/* All that the limbs depend on: sizes of blocks and joints, and the blocks that joints touch. */
static size_t key_size(const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    return 3 + (size_t)problem->block_count + 2 * (size_t)G->item_count +
           (size_t)(G->item_count > 0 ? G->entry_start[G->item_count] : 0);
}

/* Compare the key with the pattern of the problem and set it. True: nothing changed. */
static bool is_known(crn_forest *forest, const cairn_problem *problem, size_t size)
{
    const cairn_block_rows *G = &problem->G;
    const int head[3] = {problem->block_count, G->item_count, problem->A.row_start[problem->block_count]};
    const struct
    {
        const int *from;
        size_t count;
    } parts[5] = {
        {head, 3},
        {problem->block_start + 1, (size_t)problem->block_count},
        {G->row_start ? G->row_start + 1 : head, (size_t)G->item_count},
        {G->entry_start ? G->entry_start + 1 : head, (size_t)G->item_count},
        {G->block ? G->block : head, G->item_count > 0 ? (size_t)G->entry_start[G->item_count] : 0},
    };
    bool known = forest->key_size == size;
    int *to = forest->key;
    for (int k = 0; k < 5; ++k)
    {
        size_t bytes = parts[k].count * sizeof(int);
        known = known && memcmp(to, parts[k].from, bytes) == 0;
        memcpy(to, parts[k].from, bytes);
        to += parts[k].count;
    }
    assert((size_t)(to - forest->key) == size);
    forest->key_size = size;
    return known;
}

/* ---------------------------------------------------------------------------------------------------------- the search */

static bool is_small(const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    bool small = problem->block_count > 0 && problem->A.row_start[problem->block_count] == problem->block_count;
    for (int i = 0; i < problem->block_count && small; ++i)
        small = problem->block_start[i + 1] - problem->block_start[i] <= CRN_FOREST_ROWS;
    for (int i = 0; i < G->item_count && small; ++i)
    {
        int rows = G->row_start[i + 1] - G->row_start[i];
        int entries = G->entry_start[i + 1] - G->entry_start[i];
        small = rows >= 1 && rows <= CRN_FOREST_JOINT && entries >= 1 && entries <= 2;
        small = small && (entries == 1 || G->block[G->entry_start[i]] != G->block[G->entry_start[i] + 1]);
    }
    return small;
}

/* The joints of each body: link[start of body ..], after the starts themselves. */
static void list_joints(crn_forest *forest, const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    int bodies = problem->block_count;
    int *start = forest->link, *joint = forest->link + bodies + 2;
    memset(start, 0, (size_t)(bodies + 2) * sizeof(int));
    for (int e = 0; G->item_count > 0 && e < G->entry_start[G->item_count]; ++e)
        ++start[G->block[e] + 2];
    for (int i = 0; i < bodies; ++i)
        start[i + 2] += start[i + 1];
    for (int i = 0; i < G->item_count; ++i)
        for (int e = G->entry_start[i]; e < G->entry_start[i + 1]; ++e)
            joint[start[G->block[e] + 1]++] = i;
}

/* Put a body behind those that were found. `from` is its parent's place among these, -1: none. */
static void find_body(crn_forest *forest, const cairn_problem *problem, int body, int joint, int from)
{
    const cairn_block_rows *G = &problem->G;
    int found = forest->limb_count++;
    crn_limb *limb = &forest->limb[found];
    *limb = (crn_limb){.body = body, .joint = joint, .parent = from, .own_entry = -1, .other_entry = -1};
    for (int e = joint < 0 ? 0 : G->entry_start[joint]; joint >= 0 && e < G->entry_start[joint + 1]; ++e)
        *(G->block[e] == body ? &limb->own_entry : &limb->other_entry) = e;
    forest->limb_of[body] = found;
}

/* Find all bodies of the tree of the last body found. False: joints form a loop. */
static bool follow(crn_forest *forest, const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    const int *start = forest->link, *joint = forest->link + problem->block_count + 2;
    for (int at = forest->limb_count - 1; at < forest->limb_count; ++at)
    {
        int body = forest->limb[at].body, own = forest->limb[at].joint;
        for (int k = start[body]; k < start[body + 1]; ++k)
        {
            int i = joint[k], e = G->entry_start[i];
            bool tied = G->entry_start[i + 1] - e == 2;
            int other = tied && G->block[e] == body ? G->block[e + 1] : G->block[e];
            if (i == own)
                continue;
            if (!tied || forest->limb_of[other] >= 0)
                return false;
            find_body(forest, problem, other, i, at);
        }
    }
    return true;
}

static bool search(crn_forest *forest, const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    bool trees = true;
    forest->limb_count = 0;
    for (int i = 0; i < problem->block_count; ++i)
        forest->limb_of[i] = -1;
    for (int i = 0; i < G->item_count && trees; ++i)
    {
        int e = G->entry_start[i];
        if (G->entry_start[i + 1] - e == 1)
        {
            trees = forest->limb_of[G->block[e]] < 0;
            if (trees)
                find_body(forest, problem, G->block[e], i, -1);
            trees = trees && follow(forest, problem);
        }
    }
    for (int i = 0; i < problem->block_count && trees; ++i)
    {
        if (forest->limb_of[i] < 0)
        {
            find_body(forest, problem, i, -1, -1);
            trees = follow(forest, problem);
        }
    }
    assert(!trees || forest->limb_count == problem->block_count);
    return trees;
}

/* ---------------------------------------------------------------------------------------------------------- the layout */

/* Reverse the order in which limbs were found. */
static void reverse(crn_forest *forest)
{
    int last = forest->limb_count - 1;
    for (int a = 0, b = last; a < b; ++a, --b)
    {
        crn_limb limb = forest->limb[a];
        forest->limb[a] = forest->limb[b];
        forest->limb[b] = limb;
    }
    for (int k = 0; k <= last; ++k)
    {
        crn_limb *limb = &forest->limb[k];
        forest->limb_of[limb->body] = k;
        limb->parent = limb->parent < 0 ? -1 : last - limb->parent;
        limb->child = limb->sibling = -1;
        assert(limb->parent < 0 || limb->parent > k);
    }
}

static cairn_status lay_out(crn_forest *forest, const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    size_t values = 0, lower = 0;
    int row = 0;
    for (int k = 0; k < forest->limb_count; ++k)
    {
        crn_limb *limb = &forest->limb[k];
        const crn_limb *parent = limb->parent < 0 ? NULL : &forest->limb[limb->parent];
        limb->n = problem->block_start[limb->body + 1] - problem->block_start[limb->body];
        limb->m = limb->joint < 0 ? 0 : G->row_start[limb->joint + 1] - G->row_start[limb->joint];
        limb->q = parent ? problem->block_start[parent->body + 1] - problem->block_start[parent->body] : 0;
        limb->row = row;
        limb->values = values;
        limb->lower = lower;
        int rows = limb->n + limb->m + limb->q;
        size_t room = (size_t)rows * crn_forest_padded(rows + 1);
        values += limb->n == 6 && limb->m == 5 && room < CRN_FOREST_HINGE ? CRN_FOREST_HINGE : room;
        lower += (size_t)(limb->n + limb->m) * crn_forest_padded(rows);
        row += limb->n + limb->m;
        if (parent)
        {
            limb->sibling = parent->child;
            forest->limb[limb->parent].child = k;
        }
    }
    return crn_reserve_all(&forest->memory, CRN_ARRAY(forest->values, values), CRN_ARRAY(forest->lower, lower),
                           CRN_ARRAY(forest->inverse, row), CRN_ARRAY(forest->y, row),
                           CRN_ARRAY(forest->inertia, forest->limb_count * CRN_FOREST_ROWS));
}

cairn_status crn_forest_arrange(crn_forest *forest, const cairn_problem *problem, bool *fits)
{
    size_t size = key_size(problem);
    size_t bodies = (size_t)problem->block_count;
    CRN_TRY(crn_reserve_all(&forest->memory, CRN_ARRAY(forest->key, size), CRN_ARRAY(forest->limb, bodies),
                            CRN_ARRAY(forest->limb_of, bodies), CRN_ARRAY(forest->link, size + bodies)));
    if (!is_known(forest, problem, size))
    {
        forest->fits = is_small(problem);
        if (forest->fits)
        {
            list_joints(forest, problem);
            forest->fits = search(forest, problem);
        }
        if (forest->fits)
        {
            reverse(forest);
            cairn_status status = lay_out(forest, problem);
            forest->key_size = status ? 0 : forest->key_size;
            CRN_TRY(status);
        }
    }
    *fits = forest->fits;
    return CAIRN_OK;
}
