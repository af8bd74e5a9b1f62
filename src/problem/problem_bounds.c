/* Bounded rows in problem files: four datasets of one entry per item of H, all of them or none. */
#include "base/context.h"
#include "problem/problem_file.h"

#include <assert.h>
#include <stdlib.h>

typedef struct columns
{
    int *is_row, *by;
    double *lo, *hi;
} columns;

enum
{
    COLUMNS = 4
};

static const crn_problem_array ARRAYS[COLUMNS] = {
    {.path = "H/bounded", .unit = "1", .offset = offsetof(columns, is_row), .type = CRN_INDEX},
    {.path = "H/bound_by", .unit = "1", .offset = offsetof(columns, by), .type = CRN_INDEX},
    {.path = "H/bound_lo", .unit = "N s, 1", .offset = offsetof(columns, lo), .type = CRN_REAL},
    {.path = "H/bound_hi", .unit = "N s, 1", .offset = offsetof(columns, hi), .type = CRN_REAL},
};

static void columns_free(columns *c)
{
    free(c->is_row);
    free(c->by);
    free(c->lo);
    free(c->hi);
}

bool crn_bounds_save(hid_t file, const cairn_problem *problem)
{
    assert(problem->bound && problem->contact_count >= 0);
    size_t count = (size_t)problem->contact_count;
    columns c = {calloc(count + 1, sizeof(int)), calloc(count + 1, sizeof(int)), calloc(count + 1, sizeof(double)),
                 calloc(count + 1, sizeof(double))};
    bool done = c.is_row && c.by && c.lo && c.hi;
    for (size_t j = 0; j < count && done; ++j)
    {
        const cairn_bound *bound = &problem->bound[j];
        c.is_row[j] = bound->is_row;
        c.by[j] = bound->is_row ? bound->by
                                : -1; /* contacts have no bounds: a fixed value gives the same problem the same bytes */
        c.lo[j] = bound->is_row ? bound->lo : 0.0;
        c.hi[j] = bound->is_row ? bound->hi : 0.0;
    }
    const void *data[COLUMNS] = {c.is_row, c.by, c.lo, c.hi};
    for (int k = 0; k < COLUMNS && done; ++k)
        done = crn_put_array(file, &ARRAYS[k], data[k], count);
    columns_free(&c);
    return done;
}

static cairn_status read_columns(const crn_problem_source *from, int count, columns *c)
{
    cairn_status status = CAIRN_OK;
    for (int k = 0; k < COLUMNS && !status; ++k)
    {
        size_t length = 0;
        status = crn_get_array(from, &ARRAYS[k], c, &length);
        if (!status && length != (size_t)count)
        {
            status =
                crn_fail(from->context, CAIRN_INVALID, "'%s': '%s' has %zu entries for %d contacts and bounded rows",
                         from->path, ARRAYS[k].path, length, count);
        }
    }
    return status;
}

/* Whether the bounds make sense is checked by cairn_problem_is_valid. */
static cairn_status fill(const crn_problem_source *from, const columns *c, cairn_problem *problem)
{
    problem->bound = calloc((size_t)problem->contact_count + 1, sizeof *problem->bound);
    if (!problem->bound)
        return crn_fail(from->context, CAIRN_NO_MEMORY, "memory ran out while reading '%s'", from->path);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        if (c->is_row[j] != 0 && c->is_row[j] != 1)
        {
            return crn_fail(from->context, CAIRN_INVALID, "'%s': 'H/bounded' has %d at %d where 0 or 1 is expected",
                            from->path, c->is_row[j], j);
        }
        problem->bound[j] = (cairn_bound){.is_row = c->is_row[j] == 1, .by = c->by[j], .lo = c->lo[j], .hi = c->hi[j]};
    }
    return CAIRN_OK;
}

cairn_status crn_bounds_load(const crn_problem_source *from, cairn_problem *problem)
{
    bool any = false;
    for (int k = 0; k < COLUMNS; ++k)
        any = any || H5Lexists(from->file, ARRAYS[k].path, H5P_DEFAULT) > 0;
    if (!any)
        return CAIRN_OK;
    assert(!problem->bound);
    columns c = {0};
    cairn_status status = read_columns(from, problem->contact_count, &c);
    status = status ? status : fill(from, &c, problem);
    columns_free(&c);
    return status;
}
