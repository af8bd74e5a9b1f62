/* Parts of the graph wait on a stack. One that is not connected gives up a component; a connected one that is large enough
 * gives up a separator and falls into two. Local numbers of a part's vertices are their places in its list.
 */
#include "linalg/saddle_dissect.h"

#include "linalg/saddle_separator.h"

#include <assert.h>
#include <stdlib.h>

enum
{
    LEAF = 240, /* smaller parts are left to minimum degree */
    ARRAYS = 6, /* of one number per vertex */
    PARTS = 3   /* numbers per waiting part */
};

typedef struct dissection
{
    int count;
    const int *start, *graph;
    int *depth;             /* out: depth of the separator a vertex is in; -1: none */
    int *list, *place;      /* vertices sorted by parts, and where each is */
    int *part;              /* the number of a vertex's part; -1 for separators */
    int *side;              /* by local numbers */
    int *queue, *seen;      /* of a search; seen: the number of the last one that came by */
    crn_separator_graph of; /* a part by local numbers */
    int *memory;            /* of separators */
    size_t memory_size;
    int searches, parts;
} dissection;

static void put(dissection *d, int v, int place)
{
    int other = d->list[place];
    d->list[d->place[v]] = other;
    d->place[other] = d->place[v];
    d->list[place] = v;
    d->place[v] = place;
}

/* Take list[low]'s component out of its part, to the front. Returns its end. */
static int separate_component(dissection *d, int low, int high)
{
    assert(0 <= low && low < high);
    int old = d->part[d->list[low]];
    int stamp = ++d->searches;
    int end = 0;
    d->queue[end++] = d->list[low];
    d->seen[d->list[low]] = stamp;
    for (int at = 0; at < end; ++at)
    {
        int v = d->queue[at];
        for (int e = d->start[v]; e < d->start[v + 1]; ++e)
        {
            int u = d->graph[e];
            if (d->part[u] == old && d->seen[u] != stamp)
            {
                d->seen[u] = stamp;
                d->queue[end++] = u;
            }
        }
    }
    int part = end < high - low ? d->parts++ : old;
    for (int i = 0; i < end && part != old; ++i)
    {
        put(d, d->queue[i], low + i);
        d->part[d->queue[i]] = part;
    }
    return low + end;
}

/* The part's graph by local numbers, all weights 1. */
static void extract(dissection *d, int low, int high)
{
    assert(0 <= low && low < high);
    int count = 0;
    d->of.count = high - low;
    for (int i = low; i < high; ++i)
    {
        int v = d->list[i];
        d->of.start[i - low] = count;
        d->of.weight[i - low] = 1;
        for (int e = d->start[v]; e < d->start[v + 1]; ++e)
        {
            if (d->part[d->graph[e]] == d->part[v])
            {
                d->of.to[count] = d->place[d->graph[e]] - low;
                d->of.thickness[count++] = 1;
            }
        }
    }
    d->of.start[high - low] = count;
}

/* Sort the part by sides: the separator, then the two others, each a part of its own. end[]: where each ends. */
static void separate_sides(dissection *d, int low, int high, int *end)
{
    assert(0 <= low && low < high);
    int at = low;
    for (int i = low; i < high; ++i)
        d->queue[i - low] = d->list[i];
    for (int turn = 0; turn < 3; ++turn)
    {
        int side = turn == 0 ? CRN_SEPARATOR : turn - 1;
        int part = turn == 0 ? -1 : d->parts++;
        for (int i = 0; i < high - low; ++i)
        {
            if (d->side[i] == side)
            {
                put(d, d->queue[i], at++);
                d->part[d->queue[i]] = part;
            }
        }
        end[turn] = at;
    }
}

static void push(int *stack, int *top, int low, int high, int depth)
{
    assert(low <= high && depth >= 0 && *top >= 0);
    if (high > low)
    {
        int *part = stack + PARTS * (size_t)(*top)++;
        part[0] = low;
        part[1] = high;
        part[2] = depth;
    }
}

/* Dissect all parts. Returns the greatest depth of a separator, -1 when there is none. */
static int dissect(dissection *d, int *stack)
{
    int deepest = -1;
    int top = 0;
    push(stack, &top, 0, d->count, 0);
    while (top > 0)
    {
        const int *part = stack + PARTS * (size_t)--top;
        int low = part[0];
        int last = part[1];
        int depth = part[2];
        int high = separate_component(d, low, last);
        push(stack, &top, high, last, depth);
        if (high - low <= LEAF)
            continue;
        extract(d, low, high);
        if (crn_separator_find(&d->of, d->side, d->memory, d->memory_size) > (high - low) / 4)
            continue; /* a separator that is a large part of what it separates saves nothing */
        int end[3];
        separate_sides(d, low, high, end);
        for (int i = low; i < end[0]; ++i)
            d->depth[d->list[i]] = depth;
        deepest = depth > deepest ? depth : deepest;
        push(stack, &top, end[1], end[2], depth + 1);
        push(stack, &top, end[0], end[1], depth + 1);
    }
    return deepest;
}

cairn_status crn_saddle_dissect(int count, const int *start, const int *graph, int *stage, int *stages)
{
    assert(count >= 0 && start[0] == 0);
    size_t size = (size_t)count + 1;
    size_t edges = (size_t)start[count] + 1;
    size_t separator = crn_separator_memory(count, start[count]);
    int *memory = calloc((ARRAYS + PARTS + 2) * size + 2 * edges + separator, sizeof(int));
    if (!memory)
        return CAIRN_NO_MEMORY;
    dissection d = {.count = count, .start = start, .graph = graph, .depth = stage, .parts = 1};
    int **array[] = {&d.list, &d.place, &d.part, &d.side, &d.queue, &d.seen, &d.of.start, &d.of.weight};
    for (size_t i = 0; i < ARRAYS + 2; ++i)
        *array[i] = memory + i * size;
    int *stack = memory + (ARRAYS + 2) * size;
    d.of.to = stack + PARTS * size;
    d.of.thickness = d.of.to + edges;
    d.memory = d.of.thickness + edges;
    d.memory_size = separator;
    for (int v = 0; v < count; ++v)
    {
        d.list[v] = d.place[v] = v;
        d.depth[v] = -1;
    }
    int deepest = dissect(&d, stack);
    for (int v = 0; v < count; ++v)
        stage[v] = stage[v] < 0 ? 0 : 1 + deepest - stage[v];
    *stages = deepest + 2;
    free(memory);
    return CAIRN_OK;
}
