/* By levels (Karypis and Kumar 1998): pairs of neighbours, those with the thickest edges first, are joined to make a
 * graph of half the size, and again until it is small. There a separator is found by growing a side from several
 * vertices; on the way back through the levels it is improved as Fiduccia and Mattheyses (1982) do with cuts: a vertex
 * moves from the separator to a side, and its neighbours on the other side move into the separator. The best move is made
 * even if it is a loss, no vertex twice, and the best state on the way is returned to.
 *
 * The method is deterministic: one graph gives one separator.
 */
#include "linalg/saddle_separator.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum
{
    LEVELS = 40,
    SMALL = 120, /* vertices below which a graph is not coarsened */
    ROOTS = 8,   /* vertices a side is grown from */
    PASSES = 8,  /* of improvement */
    LOSSES = 64, /* moves without a gain before a pass ends */
    SIDES = 3,
    MOVES = 4 /* a vertex leaves the separator once in a pass and enters it twice at most */
};

/* The heavier side may have this share of the weight. */
static const double BALANCE = 0.55;

typedef struct level
{
    crn_separator_graph graph;
    int *coarse; /* the vertex of the next level that a vertex is part of */
    int *side;
} level;

typedef struct work
{
    int *memory;
    size_t left;
    int *queue, *locked, *best; /* per vertex */
    int *change;                /* 2 * MOVES per vertex: vertices moved and the sides they came from */
    int stamp;
    int weight[SIDES];
} work;

/* Take `count` numbers from the work memory; NULL when there are not enough. */
static int *take(work *w, size_t count)
{
    if (count > w->left)
        return NULL;
    int *out = w->memory;
    w->memory += count;
    w->left -= count;
    return out;
}

size_t crn_separator_memory(int count, int edges)
{
    assert(count >= 0 && edges >= 0);
    /* the work of improvement, and levels that shrink by a quarter at least */
    return (size_t)(3 + 2 * MOVES) * (size_t)count + 4 * (5 * ((size_t)count + 1) + 2 * (size_t)edges);
}

/* -------------------------------------------------------------------------------------------------------- improvement */

static void weigh(work *w, const crn_separator_graph *graph, const int *side)
{
    memset(w->weight, 0, sizeof w->weight);
    for (int v = 0; v < graph->count; ++v)
        w->weight[side[v]] += graph->weight[v];
}

/* The weight of v's neighbours on a side. */
static int weight_beside(const crn_separator_graph *graph, const int *side, int v, int which)
{
    assert(0 <= v && v < graph->count);
    int sum = 0;
    for (int e = graph->start[v]; e < graph->start[v + 1]; ++e)
        sum += side[graph->to[e]] == which ? graph->weight[graph->to[e]] : 0;
    return sum;
}

static void move(work *w, const crn_separator_graph *graph, int *side, int v, int to, int *changes)
{
    assert(0 <= v && v < graph->count);
    assert(0 <= to && to <= 2);
    w->change[2 * *changes] = v;
    w->change[2 * *changes + 1] = side[v];
    ++*changes;
    w->weight[side[v]] -= graph->weight[v];
    w->weight[to] += graph->weight[v];
    side[v] = to;
}

/* The move out of the separator (all in the queue) that shrinks it most; false when balance allows none. */
static bool find_move(const work *w, const crn_separator_graph *graph, const int *side, int length, int limit,
                      int *vertex, int *to)
{
    bool found = false;
    int best = 0;
    for (int i = 0; i < length; ++i)
    {
        int v = w->queue[i];
        for (int s = 0; s < 2 && side[v] == CRN_SEPARATOR && w->locked[v] != w->stamp; ++s)
        {
            if (w->weight[s] + graph->weight[v] > limit && w->weight[s] > w->weight[1 - s])
                continue;
            int gain = graph->weight[v] - weight_beside(graph, side, v, 1 - s);
            if (!found || gain > best || (gain == best && w->weight[s] < w->weight[*to]))
            {
                found = true;
                best = gain;
                *vertex = v;
                *to = s;
            }
        }
    }
    return found;
}

static void take_back(work *w, const crn_separator_graph *graph, int *side, int changes, int kept)
{
    assert(0 <= kept && kept <= changes);
    while (changes > kept)
    {
        --changes;
        int v = w->change[2 * changes];
        w->weight[side[v]] -= graph->weight[v];
        side[v] = w->change[2 * changes + 1];
        w->weight[side[v]] += graph->weight[v];
    }
}

static int heavier(const work *w)
{
    return w->weight[0] > w->weight[1] ? w->weight[0] : w->weight[1];
}

/* A separator is better when it is lighter, or as light and better balanced; out of balance only if there is no other. */
static bool is_better(const work *w, int limit, int weight, int heavy)
{
    bool fits = heavier(w) <= limit;
    if (fits != (heavy <= limit))
        return fits;
    return w->weight[CRN_SEPARATOR] < weight || (w->weight[CRN_SEPARATOR] == weight && heavier(w) < heavy);
}

/* One pass of moves; true when the separator became better. */
static bool pass(work *w, const crn_separator_graph *graph, int *side, int limit)
{
    int length = 0;
    int changes = 0;
    int kept = 0;
    int v = 0;
    int to = 0;
    for (int i = 0; i < graph->count; ++i)
    {
        w->queue[length] = i;
        length += side[i] == CRN_SEPARATOR;
    }
    int least = w->weight[CRN_SEPARATOR];
    int heavy = heavier(w);
    ++w->stamp;
    for (int loss = 0; loss < LOSSES && find_move(w, graph, side, length, limit, &v, &to); ++loss)
    {
        w->locked[v] = w->stamp;
        move(w, graph, side, v, to, &changes);
        for (int e = graph->start[v]; e < graph->start[v + 1]; ++e)
        {
            int u = graph->to[e];
            if (side[u] == 1 - to)
            {
                move(w, graph, side, u, CRN_SEPARATOR, &changes);
                w->queue[length] = u;
                length += w->locked[u] != w->stamp;
            }
        }
        if (is_better(w, limit, least, heavy))
        {
            least = w->weight[CRN_SEPARATOR];
            heavy = heavier(w);
            kept = changes;
            loss = -1;
        }
    }
    take_back(w, graph, side, changes, kept);
    return kept > 0;
}

static void improve(work *w, const crn_separator_graph *graph, int *side)
{
    weigh(w, graph, side);
    int limit = (int)(BALANCE * (w->weight[0] + w->weight[1] + w->weight[CRN_SEPARATOR]));
    for (int i = 0; i < PASSES && pass(w, graph, side, limit); ++i)
    {
    }
}

/* ------------------------------------------------------------------------------------------------------------- levels */

/* Pair every vertex with the neighbour across its thickest edge, if one is free; those with few neighbours choose first.
 * Returns how many vertices the next level has. */
static int match(work *w, const level *fine)
{
    const crn_separator_graph *graph = &fine->graph;
    int *order = w->queue;
    int placed = 0;
    int next = 0;
    for (int degree = 0; placed < graph->count; ++degree)
    {
        for (int v = 0; v < graph->count; ++v)
        {
            int own = graph->start[v + 1] - graph->start[v];
            if (own == degree || (degree == 8 && own > 8))
                order[placed++] = v;
        }
    }
    memset(fine->coarse, -1, (size_t)graph->count * sizeof(int));
    for (int i = 0; i < graph->count; ++i)
    {
        int v = order[i];
        int partner = v;
        int best = 0;
        for (int e = graph->start[v]; e < graph->start[v + 1] && fine->coarse[v] < 0; ++e)
        {
            if (fine->coarse[graph->to[e]] < 0 && graph->thickness[e] > best)
            {
                best = graph->thickness[e];
                partner = graph->to[e];
            }
        }
        if (fine->coarse[v] < 0)
            fine->coarse[v] = fine->coarse[partner] = next++;
    }
    return next;
}

/* Add v's edges to coarse vertex c, whose edges start at `first`; mark[] is the place of an edge. */
static int add_edges(const level *fine, crn_separator_graph *graph, int v, int c, int first, int count, int *mark)
{
    const crn_separator_graph *from = &fine->graph;
    for (int e = from->start[v]; e < from->start[v + 1]; ++e)
    {
        int u = fine->coarse[from->to[e]];
        if (u == c)
            continue;
        if (mark[u] < first)
        {
            mark[u] = count;
            graph->to[count] = u;
            graph->thickness[count++] = 0;
        }
        graph->thickness[mark[u]] += from->thickness[e];
    }
    return count;
}

/* The next level's graph; false when memory or pairs are too few. */
static bool make_coarser(work *w, const level *fine, level *out)
{
    const crn_separator_graph *from = &fine->graph;
    int count = match(w, fine);
    size_t edges = (size_t)from->start[from->count];
    crn_separator_graph *graph = &out->graph;
    int *numbers = 4 * count > 3 * from->count ? NULL : take(w, 5 * ((size_t)count + 1) + 2 * edges);
    if (!numbers)
        return false;
    size_t rows = (size_t)count + 1;
    graph->count = count;
    graph->start = numbers;
    graph->weight = numbers + rows;
    out->coarse = numbers + 2 * rows;
    out->side = numbers + 3 * rows;
    int *mark = numbers + 4 * rows;
    graph->to = numbers + 5 * rows;
    graph->thickness = graph->to + edges;
    /* the vertices of each coarse one: the first in `queue`, the second, if there is one, in `best` */
    memset(w->best, -1, (size_t)count * sizeof(int));
    memset(w->queue, -1, (size_t)count * sizeof(int));
    memset(mark, -1, (size_t)count * sizeof(int));
    for (int v = 0; v < from->count; ++v)
    {
        int c = fine->coarse[v];
        *(w->queue[c] < 0 ? &w->queue[c] : &w->best[c]) = v;
    }
    int entries = 0;
    for (int c = 0; c < count; ++c)
    {
        int first = entries;
        graph->start[c] = first;
        graph->weight[c] = from->weight[w->queue[c]] + (w->best[c] < 0 ? 0 : from->weight[w->best[c]]);
        entries = add_edges(fine, graph, w->queue[c], c, first, entries, mark);
        entries = w->best[c] < 0 ? entries : add_edges(fine, graph, w->best[c], c, first, entries, mark);
    }
    graph->start[count] = entries;
    return true;
}

/* -------------------------------------------------------------------------------------------------- the smallest graph */

/* Side 0: the half of all weight that is nearest to root; the separator: what of side 1 touches it. */
static void grow(work *w, const crn_separator_graph *graph, int root, int *side)
{
    assert(0 <= root && root < graph->count);
    int all = 0;
    int end = 0;
    for (int v = 0; v < graph->count; ++v)
    {
        side[v] = 1;
        all += graph->weight[v];
    }
    int grown = 0;
    w->queue[end++] = root;
    w->locked[root] = ++w->stamp;
    for (int at = 0; at < end && 2 * grown < all; ++at)
    {
        int v = w->queue[at];
        side[v] = 0;
        grown += graph->weight[v];
        for (int e = graph->start[v]; e < graph->start[v + 1]; ++e)
        {
            int u = graph->to[e];
            w->queue[end] = u;
            end += w->locked[u] != w->stamp;
            w->locked[u] = w->stamp;
        }
    }
    for (int v = 0; v < graph->count; ++v)
        side[v] = side[v] == 1 && weight_beside(graph, side, v, 0) > 0 ? CRN_SEPARATOR : side[v];
}

static void start(work *w, const crn_separator_graph *graph, int *side)
{
    int least = 0;
    int heavy = 0;
    int step = graph->count > ROOTS ? graph->count / ROOTS : 1;
    for (int root = 0; root < graph->count; root += step)
    {
        grow(w, graph, root, side);
        improve(w, graph, side);
        int limit = (int)(BALANCE * (w->weight[0] + w->weight[1] + w->weight[CRN_SEPARATOR]));
        if (root == 0 || is_better(w, limit, least, heavy))
        {
            least = w->weight[CRN_SEPARATOR];
            heavy = heavier(w);
            memcpy(w->best, side, (size_t)graph->count * sizeof(int));
        }
    }
    memcpy(side, w->best, (size_t)graph->count * sizeof(int));
}

int crn_separator_find(const crn_separator_graph *graph, int *side, int *memory, size_t size)
{
    work w = {.memory = memory, .left = size};
    size_t count = (size_t)graph->count;
    level levels[LEVELS] = {{.graph = *graph, .side = side}};
    w.queue = take(&w, count + 1);
    w.locked = take(&w, count);
    w.best = take(&w, count);
    w.change = take(&w, 2 * MOVES * count);
    levels[0].coarse = take(&w, count);
    assert(levels[0].coarse);
    memset(w.locked, 0, count * sizeof(int));
    int last = 0;
    while (last + 1 < LEVELS && levels[last].graph.count > SMALL && make_coarser(&w, &levels[last], &levels[last + 1]))
        ++last;
    start(&w, &levels[last].graph, levels[last].side);
    for (int l = last - 1; l >= 0; --l)
    {
        for (int v = 0; v < levels[l].graph.count; ++v)
            levels[l].side[v] = levels[l + 1].side[levels[l].coarse[v]];
        improve(&w, &levels[l].graph, levels[l].side);
    }
    weigh(&w, graph, side);
    return w.weight[CRN_SEPARATOR];
}
