#include "formulate/pattern.h"

#include <assert.h>
#include <stdlib.h>

typedef struct place
{
    int row, column;
} place;

static int compare(const void *a, const void *b)
{
    const place *x = a;
    const place *y = b;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row) : (x->column > y->column) - (x->column < y->column);
}

/* Find the two blocks that a spring couples. Returns false if it acts on one block only. */
static bool coupled(const crn_layout *layout, int spring, int *a, int *b)
{
    const crn_spring *s = &layout->model->springs[spring];
    *a = s->a.body < 0 ? -1 : layout->body_block[s->a.body];
    *b = s->b.body < 0 ? -1 : layout->body_block[s->b.body];
    return *a >= 0 && *b >= 0;
}

static int collect(const crn_layout *layout, place *places)
{
    int count = 0;
    for (int k = 0; k < layout->block_count; ++k)
        places[count++] = (place){k, k};
    for (int s = 0; s < (int)layout->model->spring_count; ++s)
    {
        int a, b;
        if (coupled(layout, s, &a, &b))
        {
            places[count++] = (place){a, b};
            places[count++] = (place){b, a};
        }
    }
    qsort(places, (size_t)count, sizeof *places, compare);
    int unique = 0;
    for (int i = 0; i < count; ++i)
        if (i == 0 || compare(&places[i], &places[unique - 1]) != 0)
            places[unique++] = places[i];
    return unique;
}

static int entry_at(const place *places, int count, int row, int column)
{
    const place *found = bsearch(&(place){row, column}, places, (size_t)count, sizeof *places, compare);
    return (int)(found - places);
}

static void fill(crn_layout *layout, const place *places)
{
    const int *start = layout->block_start;
    for (int e = 0; e < layout->entry_count; ++e)
    {
        int rows = start[places[e].row + 1] - start[places[e].row];
        int columns = start[places[e].column + 1] - start[places[e].column];
        layout->column[e] = places[e].column;
        layout->value_start[e + 1] = layout->value_start[e] + rows * columns;
        layout->row_start[places[e].row + 1] = e + 1;
    }
    for (int k = 0; k < layout->block_count; ++k)
        layout->diagonal[k] = entry_at(places, layout->entry_count, k, k);
    for (int s = 0; s < (int)layout->model->spring_count; ++s)
    {
        int a, b;
        bool both = coupled(layout, s, &a, &b);
        layout->coupling[s][0] = both ? entry_at(places, layout->entry_count, a, b) : -1;
        layout->coupling[s][1] = both ? entry_at(places, layout->entry_count, b, a) : -1;
    }
}

/* Without springs, entry k is the diagonal block of row k. */
static cairn_status number_diagonal(crn_layout *layout)
{
    size_t most = (size_t)layout->block_count + 1;
    CRN_TRY(crn_reserve_all(&layout->memory, CRN_ARRAY(layout->row_start, most), CRN_ARRAY(layout->value_start, most),
                            CRN_ARRAY(layout->coupling, 0)));
    for (int k = 0; k < layout->block_count; ++k)
    {
        int dofs = layout->block_start[k + 1] - layout->block_start[k];
        layout->row_start[k + 1] = k + 1;
        layout->value_start[k + 1] = layout->value_start[k] + dofs * dofs;
    }
    layout->column = layout->diagonal = layout->row_start;
    layout->entry_count = layout->block_count;
    return CAIRN_OK;
}

cairn_status crn_pattern_build(crn_layout *layout)
{
    assert(layout->entry_count == 0);
    if (layout->model->spring_count == 0)
        return number_diagonal(layout);
    size_t most = (size_t)layout->block_count + 2 * layout->model->spring_count + 1;
    place *places = calloc(most, sizeof *places);
    cairn_status status = crn_reserve_all(&layout->memory, CRN_ARRAY(layout->row_start, layout->block_count + 1),
                                          CRN_ARRAY(layout->diagonal, layout->block_count),
                                          CRN_ARRAY(layout->coupling, layout->model->spring_count),
                                          CRN_ARRAY(layout->column, most), CRN_ARRAY(layout->value_start, most + 1));
    status = places ? status : CAIRN_NO_MEMORY;
    if (status == CAIRN_OK)
    {
        layout->entry_count = collect(layout, places);
        fill(layout, places);
    }
    free(places);
    return status;
}
