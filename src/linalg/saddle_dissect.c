/* One dissection of a connected part:
 *
 * 1. Two vertices s and t far apart are found by breadth-first searches, each from the last vertex of the one before.
 * 2. Vertices are sorted by d(s) - d(t), their distances from the two; the nearer half makes one side. Between two points
 *    this is a plane where the distance from one alone would be a sphere.
 * 3. Vertices of one side that touch the other are the separator.
 * 4. It is improved as Fiduccia and Mattheyses (1982) do with cuts: a vertex moves from the separator to a side, its
 *    neighbours on the other side move into the separator. The best move is made even if it is a loss, no vertex twice,
 *    and the best state on the way is returned to.
 *
 * This is done for several pairs s, t, the next start being a vertex in the middle. No chance, no clock: one graph gives
 * one order.
 */
#include "linalg/saddle_dissect.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LEAF = 60,    /* parts up to this size are left to minimum degree */
    TRIES = 3,    /* pairs s, t */
    PASSES = 6,   /* of improvement */
    LOSSES = 60,  /* moves without a gain before a pass ends */
    SEPARATOR = 2 /* side[] of a separator's vertices */
};

/* The larger side of a dissection may have this part of the whole. */
static const double BALANCE = 0.6;

typedef struct dissection
{
    int count;
    const int *start, *graph;
    int *depth;         /* out: of the separator a vertex is in, -1: none */
    int *list, *place;  /* vertices sorted by parts, and where each is */
    int *part;          /* the number of a vertex's part; -1 for separators */
    int *side, *best;   /* 0, 1 or SEPARATOR; the best so far */
    int *near, *far;    /* distances from s and t */
    int *queue;         /* of a search */
    int *change;        /* vertices moved in a pass, with the sides they came from: twice four a vertex */
    int *locked, *seen; /* stamps */
    int stamp, parts;
    int weight[3]; /* vertices of each side */
} dissection;

/* Breadth-first distances from `root` within its part; the vertices come to stand in `queue`. Returns how many. */
static int search(dissection *d, int root, int *distance)
{
    int part = d->part[root];
    int stamp = ++d->stamp;
    int end = 0;
    d->queue[end++] = root;
    d->seen[root] = stamp;
    distance[root] = 0;
    for (int at = 0; at < end; ++at)
    {
        int v = d->queue[at];
        for (int e = d->start[v]; e < d->start[v + 1]; ++e)
        {
            int u = d->graph[e];
            if (d->part[u] == part && d->seen[u] != stamp)
            {
                d->seen[u] = stamp;
                distance[u] = distance[v] + 1;
                d->queue[end++] = u;
            }
        }
    }
    return end;
}

/* Sort the part's vertices in `queue` by d(s) - d(t), which is within -count .. count; ties in the order of list. */
static void sort_by_side(dissection *d, int low, int high, int *bucket)
{
    int range = 2 * (high - low) + 1;
    memset(bucket, 0, ((size_t)range + 1) * sizeof(int));
    for (int i = low; i < high; ++i)
    {
        bucket[d->near[d->list[i]] - d->far[d->list[i]] + (high - low) + 1]++;
    }
    for (int k = 0; k < range; ++k)
    {
        bucket[k + 1] += bucket[k];
    }
    for (int i = low; i < high; ++i)
    {
        d->queue[bucket[d->near[d->list[i]] - d->far[d->list[i]] + (high - low)]++] = d->list[i];
    }
}

static bool touches(const dissection *d, int v, int side)
{
    for (int e = d->start[v]; e < d->start[v + 1]; ++e)
    {
        if (d->part[d->graph[e]] == d->part[v] && d->side[d->graph[e]] == side)
        {
            return true;
        }
    }
    return false;
}

static int count_touching(const dissection *d, int low, int high, int side)
{
    int count = 0;
    for (int i = low; i < high; ++i)
    {
        count += d->side[d->list[i]] == side && touches(d, d->list[i], 1 - side);
    }
    return count;
}

/* Sides from the sorted queue, and a separator of the one with fewer vertices that touch the other. */
static void split(dissection *d, int low, int high)
{
    int count = high - low;
    for (int i = 0; i < count; ++i)
    {
        d->side[d->queue[i]] = i >= count / 2;
    }
    int from = count_touching(d, low, high, 1) < count_touching(d, low, high, 0);
    d->weight[from] = from ? count - count / 2 : count / 2;
    d->weight[1 - from] = count - d->weight[from];
    d->weight[SEPARATOR] = 0;
    for (int i = low; i < high; ++i)
    {
        int v = d->list[i];
        if (d->side[v] == from && touches(d, v, 1 - from))
        {
            d->side[v] = SEPARATOR; /* the others' side is asked for, so this changes no answer */
            d->weight[from]--;
            d->weight[SEPARATOR]++;
        }
    }
}

static void move(dissection *d, int v, int to, int *changes)
{
    d->change[2 * *changes] = v;
    d->change[2 * *changes + 1] = d->side[v];
    ++*changes;
    d->weight[d->side[v]]--;
    d->weight[to]++;
    d->side[v] = to;
}

static int count_side(const dissection *d, int v, int side)
{
    int count = 0;
    for (int e = d->start[v]; e < d->start[v + 1]; ++e)
    {
        count += d->part[d->graph[e]] == d->part[v] && d->side[d->graph[e]] == side;
    }
    return count;
}

/* The move out of the separator (front of queue, `length` long) that shrinks it most; false when balance allows none. */
static bool find_move(const dissection *d, int length, int limit, int *vertex, int *to)
{
    int best = -1;
    for (int i = 0; i < length; ++i)
    {
        int v = d->queue[i];
        for (int side = 0; side < 2 && d->side[v] == SEPARATOR && d->locked[v] != d->stamp; ++side)
        {
            int pulled = count_side(d, v, 1 - side);
            bool better = best < 0 || pulled < best || (pulled == best && d->weight[side] < d->weight[*to]);
            if (d->weight[side] + 1 <= limit && better)
            {
                best = pulled;
                *vertex = v;
                *to = side;
            }
        }
    }
    return best >= 0;
}

/* One pass of moves; true when the separator became smaller. */
static bool improve(dissection *d, int low, int high)
{
    int limit = (int)(BALANCE * (high - low));
    int length = 0;
    for (int i = low; i < high; ++i)
    {
        d->queue[length] = d->list[i];
        length += d->side[d->list[i]] == SEPARATOR;
    }
    int first = d->weight[SEPARATOR];
    int least = first;
    int changes = 0;
    int kept = 0;
    int v = 0;
    int to = 0;
    ++d->stamp;
    for (int loss = 0; loss < LOSSES && find_move(d, length, limit, &v, &to); ++loss)
    {
        d->locked[v] = d->stamp;
        move(d, v, to, &changes);
        for (int e = d->start[v]; e < d->start[v + 1]; ++e)
        {
            int u = d->graph[e];
            if (d->part[u] == d->part[v] && d->side[u] == 1 - to)
            {
                move(d, u, SEPARATOR, &changes);
                if (d->locked[u] != d->stamp)
                {
                    d->queue[length++] = u;
                }
            }
        }
        if (d->weight[SEPARATOR] < least)
        {
            least = d->weight[SEPARATOR];
            kept = changes;
            loss = -1;
        }
    }
    while (changes > kept)
    {
        --changes;
        int old = d->change[2 * changes + 1];
        d->weight[d->side[d->change[2 * changes]]]--;
        d->weight[old]++;
        d->side[d->change[2 * changes]] = old;
    }
    return least < first;
}

/* Dissect the connected part list[low] .. list[high - 1]: its best separator is left in best[]. Returns its size. */
static int find_separator(dissection *d, int low, int high)
{
    int count = high - low;
    int least = count;
    int root = d->list[low];
    for (int try = 0; try < TRIES; ++try)
    {
        search(d, root, d->near);
        int s = d->queue[count - 1];
        search(d, s, d->near);
        search(d, d->queue[count - 1], d->far);
        sort_by_side(d, low, high, d->change);
        root = d->queue[count / 2];
        split(d, low, high);
        for (int pass = 0; pass < PASSES && improve(d, low, high); ++pass)
        {
        }
        if (d->weight[SEPARATOR] < least)
        {
            least = d->weight[SEPARATOR];
            for (int i = low; i < high; ++i)
            {
                d->best[d->list[i]] = d->side[d->list[i]];
            }
        }
    }
    return least;
}

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
    int count = search(d, d->list[low], d->near);
    if (count == high - low)
    {
        return high;
    }
    int part = d->parts++;
    for (int i = 0; i < count; ++i)
    {
        put(d, d->queue[i], low + i);
        d->part[d->queue[i]] = part;
    }
    return low + count;
}

/* Bring the vertices of one side of best[] to the front. Returns their end. */
static int separate_side(dissection *d, int low, int high, int side)
{
    int part = side == SEPARATOR ? -1 : d->parts++;
    int end = low;
    for (int i = low; i < high; ++i)
    {
        int v = d->list[i];
        if (d->best[v] == side)
        {
            put(d, v, end++);
            d->part[v] = part;
        }
    }
    return end;
}

/* A part still to be dissected, by a separator of this depth. */
static void push(int *stack, int *top, int low, int high, int depth)
{
    if (high > low)
    {
        int *part = stack + 3 * (size_t)(*top)++;
        part[0] = low;
        part[1] = high;
        part[2] = depth;
    }
}

/* Dissect all parts. Returns the greatest depth of a separator. */
static int dissect(dissection *d, int *stack)
{
    int deepest = -1;
    int top = 0;
    push(stack, &top, 0, d->count, 0);
    while (top > 0)
    {
        --top;
        int low = stack[3 * top];
        int end = stack[3 * top + 1];
        int depth = stack[3 * top + 2];
        int high = separate_component(d, low, end);
        push(stack, &top, high, end, depth);
        /* A separator that is a large part of what it separates saves nothing. */
        if (high - low <= LEAF || find_separator(d, low, high) > (high - low) / 4)
        {
            continue;
        }
        int first = separate_side(d, low, high, SEPARATOR);
        int second = separate_side(d, first, high, 0);
        separate_side(d, second, high, 1);
        for (int i = low; i < first; ++i)
        {
            d->depth[d->list[i]] = depth;
        }
        deepest = depth > deepest ? depth : deepest;
        push(stack, &top, second, high, depth + 1);
        push(stack, &top, first, second, depth + 1);
    }
    return deepest;
}

cairn_status crn_saddle_dissect(int count, const int *start, const int *graph, int *stage, int *stages)
{
    size_t size = (size_t)count + 1;
    int *memory = calloc(size * (10 + 8 + 3), sizeof(int));
    if (!memory)
    {
        return CAIRN_NO_MEMORY;
    }
    dissection d = {.count = count, .start = start, .graph = graph, .depth = stage, .parts = 1};
    int **array[] = {&d.list, &d.place, &d.part, &d.side, &d.best, &d.near, &d.far, &d.queue, &d.locked, &d.seen};
    for (size_t i = 0; i < 10; ++i)
    {
        *array[i] = memory + i * size;
    }
    d.change = memory + 10 * size;
    for (int v = 0; v < count; ++v)
    {
        d.list[v] = d.place[v] = v;
        d.depth[v] = -1;
    }
    int deepest = dissect(&d, memory + 18 * size);
    for (int v = 0; v < count; ++v)
    {
        stage[v] = stage[v] < 0 ? 0 : 1 + deepest - stage[v];
    }
    *stages = deepest + 2;
    free(memory);
    return CAIRN_OK;
}
