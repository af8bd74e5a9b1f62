#include "support/problems/joined_problem.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MOST_PARTS = 16
};

static int *new_ints(int count)
{
    return calloc((size_t)count + 1, sizeof(int));
}

static double *new_reals(int count)
{
    return calloc((size_t)count + 1, sizeof(double));
}

/* first[k]: how many the parts before k have. */
static int *list_firsts(cairn_problem *const *part, int count, int (*size)(const cairn_problem *problem))
{
    int *first = new_ints(count);
    for (int k = 0; k < count; ++k)
        first[k + 1] = first[k] + size(part[k]);
    return first;
}

static int blocks_of(const cairn_problem *problem)
{
    return problem->block_count;
}

static int joints_of(const cairn_problem *problem)
{
    return problem->G.item_count;
}

static int contacts_of(const cairn_problem *problem)
{
    return problem->contact_count;
}

static int *random_places(test_random *random, int count)
{
    int *place = new_ints(count);
    for (int i = 0; i < count; ++i)
    {
        int j = test_integer(random, 0, i);
        place[i] = place[j];
        place[j] = i;
    }
    return place;
}

/* Single contacts in random order, then the patches in random order. */
static int *contact_places(test_random *random, cairn_problem *const *part, int count, const int *first)
{
    int *place = new_ints(first[count]);
    int *turn = random_places(random, count);
    int next = 0;
    for (int i = 0; i < first[count]; ++i)
        place[i] = -1;
    for (int k = 0; k < count; ++k)
        next += part[k]->patch_count == 0 ? contacts_of(part[k]) : 0;
    int *single = random_places(random, next);
    int used = 0;
    for (int k = 0; k < count; ++k)
        for (int j = first[k]; j < first[k + 1] && part[k]->patch_count == 0; ++j)
            place[j] = single[used++];
    for (int t = 0; t < count; ++t)
        for (int j = first[turn[t]]; j < first[turn[t] + 1] && part[turn[t]]->patch_count > 0; ++j)
            place[j] = next++;
    free(single);
    free(turn);
    return place;
}

/* For every place the part and the number there. */
typedef struct origin
{
    int part, number;
} origin;

static origin *list_origins(int count, const int *first, const int *place)
{
    origin *from = calloc((size_t)first[count] + 1, sizeof(origin));
    for (int k = 0; k < count; ++k)
        for (int i = first[k]; i < first[k + 1]; ++i)
            from[place[i]] = (origin){k, i - first[k]};
    return from;
}

static void join_blocks(cairn_problem *all, cairn_problem *const *part, const origin *from)
{
    all->block_start = new_ints(all->block_count);
    for (int i = 0; i < all->block_count; ++i)
    {
        const int *start = part[from[i].part]->block_start + from[i].number;
        all->block_start[i + 1] = all->block_start[i] + start[1] - start[0];
    }
    all->n = all->block_start[all->block_count];
    all->p = new_reals(all->n);
    for (int i = 0; i < all->block_count; ++i)
    {
        const int *start = part[from[i].part]->block_start + from[i].number;
        memcpy(all->p + all->block_start[i], part[from[i].part]->p + start[0],
               (size_t)(start[1] - start[0]) * sizeof(double));
    }
}

/* Row i of A: the columns of its part in the order of their new places. */
static void join_matrix_row(cairn_problem *all, const cairn_problem *part, int i, int row, const int *place)
{
    cairn_block_matrix *A = &all->A;
    int end = A->row_start[i];
    for (int done = -1, left = part->A.row_start[row + 1] - part->A.row_start[row]; left > 0; --left)
    {
        int next = -1; /* the entry with the smallest place after those that are done */
        for (int e = part->A.row_start[row]; e < part->A.row_start[row + 1]; ++e)
        {
            int there = place[part->A.column[e]];
            next = there > done && (next < 0 || there < place[part->A.column[next]]) ? e : next;
        }
        int values = part->A.value_start[next + 1] - part->A.value_start[next];
        done = A->column[end] = place[part->A.column[next]];
        A->value_start[end + 1] = A->value_start[end] + values;
        memcpy(A->value + A->value_start[end], part->A.value + part->A.value_start[next],
               (size_t)values * sizeof(double));
        ++end;
    }
    A->row_start[i + 1] = end;
}

static void join_matrices(cairn_problem *all, cairn_problem *const *part, int count, const test_join *join,
                          const origin *from)
{
    int entries = 0, values = 0;
    for (int k = 0; k < count; ++k)
    {
        int own = part[k]->A.row_start[part[k]->block_count];
        entries += own;
        values += part[k]->A.value_start[own];
    }
    all->A = (cairn_block_matrix){all->block_count,  all->block_start,  new_ints(all->block_count),
                                  new_ints(entries), new_ints(entries), new_reals(values)};
    for (int i = 0; i < all->block_count; ++i)
        join_matrix_row(all, part[from[i].part], i, from[i].number, join->block + join->first_block[from[i].part]);
}

typedef const cairn_block_rows *(*rows_of)(const cairn_problem *problem);

static const cairn_block_rows *G_of(const cairn_problem *problem)
{
    return &problem->G;
}

static const cairn_block_rows *H_of(const cairn_problem *problem)
{
    return &problem->H;
}

static cairn_block_rows join_rows(cairn_problem *const *part, int count, rows_of rows, int items, const origin *from,
                                  const test_join *join)
{
    int entries = 0, values = 0, e = 0;
    for (int k = 0; k < count; ++k)
    {
        const cairn_block_rows *B = rows(part[k]);
        entries += B->entry_start[B->item_count];
        values += B->value_start[B->entry_start[B->item_count]];
    }
    cairn_block_rows out = {
        items, new_ints(items), new_ints(items), new_ints(entries), new_ints(entries), new_reals(values)};
    for (int i = 0; i < items; ++i)
    {
        const cairn_block_rows *B = rows(part[from[i].part]);
        const int *place = join->block + join->first_block[from[i].part];
        int item = from[i].number;
        for (int old = B->entry_start[item]; old < B->entry_start[item + 1]; ++old, ++e)
        {
            int size = B->value_start[old + 1] - B->value_start[old];
            out.block[e] = place[B->block[old]];
            out.value_start[e + 1] = out.value_start[e] + size;
            memcpy(out.value + out.value_start[e], B->value + B->value_start[old], (size_t)size * sizeof(double));
        }
        out.entry_start[i + 1] = e;
        out.row_start[i + 1] = out.row_start[i] + B->row_start[item + 1] - B->row_start[item];
    }
    return out;
}

static void join_joints(cairn_problem *all, cairn_problem *const *part, int count, const test_join *join)
{
    int items = join->first_joint[count];
    origin *from = list_origins(count, join->first_joint, join->joint);
    all->G = join_rows(part, count, G_of, items, from, join);
    all->joint_rows = all->G.row_start[items];
    all->b = new_reals(all->joint_rows);
    all->R_c = new_reals(all->joint_rows);
    for (int i = 0; i < items; ++i)
    {
        const cairn_problem *own = part[from[i].part];
        for (int k = all->G.row_start[i], old = own->G.row_start[from[i].number]; k < all->G.row_start[i + 1]; ++k)
        {
            all->b[k] = own->b[old];
            all->R_c[k] = own->R_c[old++];
        }
    }
    free(from);
}

static void join_contacts(cairn_problem *all, cairn_problem *const *part, int count, const test_join *join)
{
    int contacts = join->first_contact[count];
    origin *from = list_origins(count, join->first_contact, join->contact);
    all->contact_count = contacts;
    all->H = join_rows(part, count, H_of, contacts, from, join);
    all->w = new_reals(contacts * all->dim);
    all->mu = new_reals(contacts);
    all->identity = calloc((size_t)contacts + 1, sizeof(uint64_t));
    for (int j = 0; j < contacts; ++j)
    {
        const cairn_problem *own = part[from[j].part];
        all->mu[j] = own->mu[from[j].number];
        all->identity[j] = (uint64_t)(join->first_contact[from[j].part] + from[j].number + 1);
        memcpy(all->w + j * all->dim, own->w + from[j].number * all->dim, (size_t)all->dim * sizeof(double));
    }
    free(from);
}

/* The patches by the places of their first contacts. */
static void join_patches(cairn_problem *all, cairn_problem *const *part, int count, const test_join *join)
{
    int values = 0;
    for (int k = 0; k < count; ++k)
    {
        int side = part[k]->patch_count > 0 ? all->dim * contacts_of(part[k]) : 0;
        values += side * side;
    }
    all->patch_start = new_ints(count);
    all->R_start = new_ints(count);
    all->R = new_reals(values);
    bool any = values > 0;
    values = 0;
    for (int j = 0; j < all->contact_count && any; ++j)
    {
        for (int k = 0; k < count; ++k)
        {
            if (part[k]->patch_count > 0 && contacts_of(part[k]) > 0 && join->contact[join->first_contact[k]] == j)
            {
                int side = all->dim * contacts_of(part[k]);
                all->patch_start[all->patch_count] = j;
                all->patch_start[all->patch_count + 1] = j + contacts_of(part[k]);
                all->R_start[all->patch_count++] = values;
                memcpy(all->R + values, part[k]->R, (size_t)(side * side) * sizeof(double));
                values += side * side;
            }
        }
    }
}

test_join test_problem_join(cairn_problem *const *part, int count, uint64_t seed)
{
    test_random random = {seed};
    cairn_problem *all = calloc(1, sizeof(cairn_problem));
    test_join join = {.problem = all, .part_count = count};
    join.first_block = list_firsts(part, count, blocks_of);
    join.first_joint = list_firsts(part, count, joints_of);
    join.first_contact = list_firsts(part, count, contacts_of);
    join.block = random_places(&random, join.first_block[count]);
    join.joint = random_places(&random, join.first_joint[count]);
    join.contact = contact_places(&random, part, count, join.first_contact);
    all->dim = part[0]->dim;
    all->law = part[0]->law;
    all->block_count = join.first_block[count];
    origin *from = list_origins(count, join.first_block, join.block);
    join_blocks(all, part, from);
    join_matrices(all, part, count, &join, from);
    join_joints(all, part, count, &join);
    join_contacts(all, part, count, &join);
    join_patches(all, part, count, &join);
    free(from);
    return join;
}

void test_join_release(test_join *join)
{
    test_problem_destroy(join->problem);
    free(join->first_block);
    free(join->first_joint);
    free(join->first_contact);
    free(join->block);
    free(join->joint);
    free(join->contact);
    *join = (test_join){0};
}

/* Part k of trial `trial`: with or without joints, springs, compliance, contacts. */
static cairn_problem *random_part(int trial, int k, int dim, cairn_law law, double mu)
{
    test_random random = {(uint64_t)(trial * 131 + k * 17 + 3)};
    bool free_bodies = k % 5 == 4;
    test_recipe recipe = {.dim = dim,
                          .law = law,
                          .bodies = test_integer(&random, 1, 4),
                          .contacts = free_bodies ? 0 : test_integer(&random, 1, 5),
                          .joints = k % 3 == 1 ? 2 : 0,
                          .mass_ratio = 10.0,
                          .mu = mu,
                          .coupled = k % 4 == 2,
                          .gaps = trial % 2 == 0,
                          .compliant = trial % 3 == 0 && k % 3 == 0 && !free_bodies};
    return test_problem_random(&recipe, (uint64_t)(1000 * trial + k));
}

test_join test_join_random(int trial, int dim, cairn_law law, double mu)
{
    cairn_problem *part[MOST_PARTS] = {NULL};
    int count = 2 + trial % 7;
    for (int k = 0; k < count; ++k)
        part[k] = random_part(trial, k, dim, law, mu);
    test_join join = test_problem_join(part, count, (uint64_t)trial + 77);
    for (int k = 0; k < count; ++k)
        test_problem_destroy(part[k]);
    return join;
}

test_join test_join_copies(cairn_problem *one, int count)
{
    cairn_problem **part = calloc((size_t)count, sizeof *part);
    for (int k = 0; k < count; ++k)
        part[k] = one;
    test_join join = test_problem_join(part, count, 5);
    free(part);
    return join;
}

cairn_problem *test_problem_single(cairn_law law, double slide)
{
    static const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double mu = 0.3;
    return test_problem_from_dense(&(test_dense){.dim = 3,
                                                 .law = law,
                                                 .block_count = 1,
                                                 .block_size = (int[]){3},
                                                 .A = I,
                                                 .p = (double[]){-1, slide, 0},
                                                 .contact_count = 1,
                                                 .H = I,
                                                 .mu = &mu});
}
