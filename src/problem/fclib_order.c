/* The contacts of a local problem in the order of their islands, the parts of W that nothing couples: each becomes a patch of
 * its own, and W takes the room of its islands instead of the square of all contacts. Islands stand in the order of
 * their first contacts, contacts within an island as in the file; the identity of a contact tells its place there. */
#include "problem/fclib_file.h"

#include "base/union_find.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void find_islands(const crn_sparse *W, int dim, int *parent)
{
    for (int j = 0; j < W->m / dim; ++j)
        parent[j] = j;
    for (int i = 0; i < W->m; ++i)
        for (int e = W->start[i]; e < W->start[i + 1]; ++e)
            crn_union_join(parent, i / dim, W->column[e] / dim);
}

/* order[k]: the contact that comes k-th. `next` has room for an index a contact. */
static void sort_by_island(int *parent, int contacts, int *next, int *order)
{
    int filled = 0;
    for (int j = 0; j < contacts; ++j)
        next[j] = 0;
    for (int j = 0; j < contacts; ++j)
        ++next[crn_union_root(parent, j)];
    for (int j = 0; j < contacts; ++j)
    {
        int size = next[j];
        next[j] = filled;
        filled += size;
    }
    for (int j = 0; j < contacts; ++j)
        order[next[crn_union_root(parent, j)]++] = j;
}

/* W with rows and columns in the new order; place[j] is where contact j goes. */
static bool move_matrix(crn_sparse *W, int dim, const int *place)
{
    int count = W->start[W->m];
    int *row = calloc((size_t)count + 1, sizeof(int));
    int *column = calloc((size_t)count + 1, sizeof(int));
    crn_sparse moved = {0};
    for (int i = 0; i < W->m && row && column; ++i)
    {
        for (int e = W->start[i]; e < W->start[i + 1]; ++e)
        {
            row[e] = place[i / dim] * dim + i % dim;
            column[e] = place[W->column[e] / dim] * dim + W->column[e] % dim;
        }
    }
    bool done = row && column && crn_sparse_open(&moved, W->m, W->n, count, row, column, W->value);
    crn_sparse_close(done ? W : &moved);
    *W = done ? moved : *W;
    free(row);
    free(column);
    return done;
}

static bool move_vector(double *x, int each, const int *order, int contacts)
{
    size_t size = (size_t)each * (size_t)contacts * sizeof(double);
    double *old = malloc(size + 1);
    if (!old)
        return false;
    memcpy(old, x, size);
    for (int k = 0; k < contacts; ++k)
        memcpy(x + (size_t)k * (size_t)each, old + (size_t)order[k] * (size_t)each, (size_t)each * sizeof(double));
    free(old);
    return true;
}

bool crn_fclib_order(crn_fclib_data *data)
{
    assert(data->W.m == data->dim * data->contacts);
    size_t room = (size_t)data->contacts + 1;
    int *parent = calloc(room, sizeof(int));
    int *place = calloc(room, sizeof(int));
    data->order = calloc(room, sizeof(int));
    bool done = parent && place && data->order;
    if (done)
    {
        find_islands(&data->W, data->dim, parent);
        sort_by_island(parent, data->contacts, place, data->order);
        for (int k = 0; k < data->contacts; ++k)
            place[data->order[k]] = k;
        done = move_matrix(&data->W, data->dim, place) &&
               move_vector(data->w, data->dim, data->order, data->contacts) &&
               move_vector(data->mu, 1, data->order, data->contacts);
    }
    free(parent);
    free(place);
    return done;
}
