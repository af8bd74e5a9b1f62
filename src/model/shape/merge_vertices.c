/* Merging of vertices: those with the same coordinates, or within a tolerance of a vertex kept before.
 *
 * Kept vertices are stored in a hash table of cubic cells as large as the tolerance, so that only 27 cells can contain a
 * near one. Without a tolerance the cell is the point itself.
 */
#include "model/shape/mesh.h"

#include "math/vec.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

typedef struct table
{
    double tolerance;
    const double *kept;
    int *first; /* of each slot: a kept vertex; -1: none */
    int *next;  /* of each kept vertex: the next one of its slot */
    size_t mask;
    crn_arena memory; /* first, next */
} table;

static size_t hash(const double cell[3])
{
    uint64_t h = 0;
    for (int k = 0; k < 3; ++k)
    {
        uint64_t bits;
        double value = cell[k] + 0.0; /* -0 is 0 */
        memcpy(&bits, &value, sizeof bits);
        h = (h ^ bits) * 0x9E3779B97F4A7C15u;
        h ^= h >> 32;
    }
    return (size_t)h;
}

/* The slot of the cell of a point, offset by some cells. */
static size_t slot_of(const table *t, const double x[3], const int step[3])
{
    double cell[3];
    for (int k = 0; k < 3; ++k)
        cell[k] = t->tolerance > 0 ? floor(x[k] / t->tolerance) + step[k] : x[k];
    return hash(cell) & t->mask;
}

/* The first kept vertex that coincides with x; -1: none. */
static int find_in(const table *t, size_t slot, const double x[3])
{
    assert(slot <= t->mask);
    int found = -1;
    for (int i = t->first[slot]; i >= 0; i = t->next[i])
    {
        double arm[3];
        crn_sub3(t->kept + 3 * i, x, arm);
        if (crn_norm3(arm) <= t->tolerance && (found < 0 || i < found))
            found = i;
    }
    return found;
}

static int find(const table *t, const double x[3])
{
    int reach = t->tolerance > 0 ? 1 : 0, found = -1;
    for (int i = -reach; i <= reach; ++i)
    {
        for (int j = -reach; j <= reach; ++j)
        {
            for (int k = -reach; k <= reach; ++k)
            {
                int near = find_in(t, slot_of(t, x, (int[3]){i, j, k}), x);
                found = near >= 0 && (found < 0 || near < found) ? near : found;
            }
        }
    }
    return found;
}

static cairn_status make_table(table *t, int count)
{
    size_t slots = 16;
    while (slots < 2 * (size_t)count)
        slots *= 2;
    t->mask = slots - 1;
    CRN_TRY(crn_reserve_all(&t->memory, CRN_ARRAY(t->first, slots), CRN_ARRAY(t->next, count)));
    for (size_t i = 0; i < slots; ++i)
        t->first[i] = -1;
    return CAIRN_OK;
}

static int keep(table *t, const double x[3], double *kept, int *count)
{
    int number = (*count)++;
    size_t slot = slot_of(t, x, (int[3]){0, 0, 0});
    memcpy(kept + 3 * number, x, 3 * sizeof(double));
    t->next[number] = t->first[slot];
    t->first[slot] = number;
    return number;
}

cairn_status crn_merge_vertices(const crn_mesh_data *data, int *number, double *kept, int *kept_count)
{
    table t = {.tolerance = data->weld, .kept = kept};
    *kept_count = 0;
    cairn_status status = make_table(&t, data->vertex_count);
    for (int i = 0; i < data->vertex_count; ++i)
        number[i] = -1;
    for (int i = 0; i < 3 * data->triangle_count; ++i)
        number[data->triangles[i]] = 0;
    for (int i = 0; !status && i < data->vertex_count; ++i)
    {
        const double *x = data->vertices + 3 * i;
        int same = number[i] == 0 ? find(&t, x) : -1;
        number[i] = number[i] < 0 ? -1 : same >= 0 ? same : keep(&t, x, kept, kept_count);
    }
    crn_arena_release(&t.memory);
    return status;
}
