/* A depth-first search from the ground (R. E. Tarjan, A note on finding the bridges of a graph, 1974). Joints are edges. `low` of a
 * body is the earliest one that its subtree reaches past the joint to its parent; where that is the body itself, the joint is in no
 * loop. */
#include "step/assembly/limbs.h"

#include <assert.h>
#include <stdlib.h>

typedef struct graph
{
    crn_arena memory;
    int nodes;           /* blocks of bodies, then the ground */
    int *start, *edge;   /* joints of each node */
    int (*end)[2];       /* per joint: its nodes */
    int *order, *low;    /* per node: when it was found, from 1; 0: not yet */
    int *from;           /* per node: the joint to its parent */
    int *cursor, *stack; /* per node: its next joint; the way from the root */
    int *limb;           /* per node: its place in the list */
    int found;
} graph;

static int node_of(const cairn_simulation *s, int body)
{
    int block = body < 0 ? -1 : s->layout->body_block[body];
    return block < 0 || s->model->bodies[body].hold ? s->layout->body_block_count : block;
}

static cairn_status build(const cairn_simulation *s, graph *g)
{
    int joints = (int)s->model->joint_count;
    g->nodes = s->layout->body_block_count + 1;
    CRN_TRY(crn_reserve_all(&g->memory, CRN_ARRAY(g->start, g->nodes + 1), CRN_ARRAY(g->edge, 2 * joints),
                            CRN_ARRAY(g->end, joints), CRN_ARRAY(g->order, g->nodes), CRN_ARRAY(g->low, g->nodes),
                            CRN_ARRAY(g->from, g->nodes), CRN_ARRAY(g->cursor, g->nodes), CRN_ARRAY(g->stack, g->nodes),
                            CRN_ARRAY(g->limb, g->nodes)));
    for (int j = 0; j < joints; ++j)
    {
        bool ties = !s->model->joints[j].coupling; /* couplings do not say where bodies are: both ends on the ground */
        g->end[j][0] = node_of(s, ties ? s->model->joints[j].a.body : -1);
        g->end[j][1] = node_of(s, ties ? s->model->joints[j].b.body : -1);
        for (int side = 0; side < 2; ++side)
            g->start[g->end[j][side] + 1] += 1;
    }
    for (int k = 0; k < g->nodes; ++k)
    {
        g->start[k + 1] += g->start[k];
        g->cursor[k] = g->start[k];
    }
    for (int j = 0; j < joints; ++j)
        for (int side = 0; side < 2; ++side)
            g->edge[g->cursor[g->end[j][side]]++] = j;
    for (int k = 0; k < g->nodes; ++k)
        g->cursor[k] = g->start[k];
    return CAIRN_OK;
}

static void reach(graph *g, int node, int joint)
{
    assert(g->order[node] == 0);
    g->order[node] = g->low[node] = ++g->found;
    g->from[node] = joint;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void add_limb(const cairn_simulation *s, graph *g, int node, int parent, crn_limb *list, int *count)
{
    if (node == g->nodes - 1)
        return;
    bool on_ground = parent < 0 || parent == g->nodes - 1;
    g->limb[node] = *count;
    list[(*count)++] = (crn_limb){.body = s->layout->block_body[node],
                                  .parent = on_ground ? -1 : s->layout->block_body[parent],
                                  .joint = g->from[node]};
}

/* Search from a node that was not found yet. */
static void search(const cairn_simulation *s, graph *g, int root, crn_limb *list, int *count)
{
    int depth = 1;
    reach(g, root, -1);
    add_limb(s, g, root, -1, list, count);
    g->stack[0] = root;
    while (depth > 0)
    {
        int node = g->stack[depth - 1];
        if (g->cursor[node] < g->start[node + 1])
        {
            int joint = g->edge[g->cursor[node]++], other = g->end[joint][g->end[joint][0] == node];
            if (joint == g->from[node] || other == node)
                continue;
            if (g->order[other] > 0)
            {
                g->low[node] = least(g->low[node], g->order[other]);
                continue;
            }
            reach(g, other, joint);
            add_limb(s, g, other, node, list, count);
            g->stack[depth++] = other;
            continue;
        }
        --depth;
        if (depth > 0)
            g->low[g->stack[depth - 1]] = least(g->low[g->stack[depth - 1]], g->low[node]);
        if (depth > 0 && node != g->nodes - 1)
            list[g->limb[node]].bridge = g->low[node] == g->order[node];
    }
}

cairn_status crn_limbs_find(crn_fit *fit, crn_limb **out, int *count)
{
    const cairn_simulation *s = fit->s;
    graph g = {.nodes = 0};
    *count = 0;
    cairn_status status = crn_reserve_all(&fit->memory, CRN_ARRAY(*out, s->layout->body_block_count + 1));
    status = status ? status : build(s, &g);
    for (int k = g.nodes - 1; !status && k >= 0; --k)
        if (g.order[k] == 0 && (k == g.nodes - 1 || !s->model->bodies[s->layout->block_body[k]].hold))
            search(s, &g, k, *out, count);
    crn_arena_release(&g.memory);
    return status;
}
