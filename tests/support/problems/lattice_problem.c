#include "support/problems/lattice_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    DIM = 2,
    FREEDOMS = 3,
    MOST_AROUND = 8 /* contacts of a disc */
};

static const double RADIUS = 0.5;
static const double FALL = -9.81 * 0.005;

/* A contact: the rows of H of its discs; disc -1: the ground. */
typedef struct contact
{
    int disc[2];
    double J[2][DIM][FREEDOMS];
} contact;

typedef struct disc
{
    double inverse[FREEDOMS]; /* of mass, mass and inertia */
    double v[FREEDOMS];
    int count, contact[MOST_AROUND];
} disc;

typedef struct lattice
{
    int wide, discs, contacts;
    int *place; /* per place: its disc; -1: missing */
    disc *disc;
    contact *contact;
} lattice;

static double draw(unsigned *seed, double lo, double hi)
{
    *seed = *seed * 1664525u + 1013904223u;
    return lo + (hi - lo) * (*seed >> 8) / 16777216.0;
}

static void add_contact(lattice *l, int a, int b, double angle)
{
    contact *c = &l->contact[l->contacts];
    double n[2] = {cos(angle), sin(angle)};
    *c = (contact){.disc = {a, b}};
    for (int side = 0; side < 2; ++side)
    {
        double sign = side == 0 ? -1.0 : 1.0;
        double J[DIM][FREEDOMS] = {{sign * n[0], sign * n[1], 0.0}, {-sign * n[1], sign * n[0], -RADIUS}};
        memcpy(c->J[side], J, sizeof J);
        if (c->disc[side] >= 0)
        {
            disc *d = &l->disc[c->disc[side]];
            d->contact[d->count++] = l->contacts;
        }
    }
    ++l->contacts;
}

static void place_discs(lattice *l, int high, unsigned *seed)
{
    for (int k = 0; k < l->wide * high; ++k)
    {
        double mass = draw(seed, 0.5, 2.0), turn = 0.5 * mass * RADIUS * RADIUS;
        bool missing = draw(seed, 0.0, 1.0) < 0.12;
        l->place[k] = missing ? -1 : l->discs;
        l->disc[l->discs] = (disc){.inverse = {1.0 / mass, 1.0 / mass, 1.0 / turn},
                                   .v = {draw(seed, -0.03, 0.03), FALL + draw(seed, -0.03, 0.03), 0.0}};
        l->discs += !missing;
    }
}

/* Neighbours to the right, and above on both sides; the floor and the walls. */
static void find_contacts(lattice *l, int high, unsigned *seed)
{
    const double pi = acos(-1.0);
    for (int k = 0; k < l->wide * high; ++k)
    {
        int i = k % l->wide, j = k / l->wide, left = i - 1 + j % 2;
        const int column[3] = {i + 1, left + 1, left}, row[3] = {j, j + 1, j + 1};
        if (l->place[k] < 0)
            continue;
        for (int side = 0; side < 3; ++side)
        {
            bool inside = column[side] >= 0 && column[side] < l->wide && row[side] < high;
            int other = inside ? l->place[row[side] * l->wide + column[side]] : -1;
            if (other >= 0)
                add_contact(l, l->place[k], other, pi / 3.0 * side + draw(seed, -0.05, 0.05));
        }
        if (j == 0)
            add_contact(l, -1, l->place[k], pi / 2.0);
        if (i == 0)
            add_contact(l, -1, l->place[k], 0.0);
        if (i == l->wide - 1)
            add_contact(l, -1, l->place[k], pi);
    }
}

/* out += H_i M^-1 H_j', over the discs that both contacts touch */
static void add_block(const lattice *l, int i, int j, double *out)
{
    const contact *a = &l->contact[i], *b = &l->contact[j];
    for (int s = 0; s < 4; ++s)
    {
        int one = a->disc[s / 2];
        for (int k = 0; k < DIM * DIM * FREEDOMS && one >= 0 && one == b->disc[s % 2]; ++k)
        {
            int row = k / FREEDOMS / DIM, column = k / FREEDOMS % DIM, f = k % FREEDOMS;
            out[row * DIM + column] += a->J[s / 2][row][f] * l->disc[one].inverse[f] * b->J[s % 2][column][f];
        }
    }
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The contacts coupled with contact i, ascending; returns their number. */
static int find_row(const lattice *l, int i, int *column)
{
    int count = 0;
    for (int side = 0; side < 2; ++side)
    {
        const disc *d = l->contact[i].disc[side] >= 0 ? &l->disc[l->contact[i].disc[side]] : NULL;
        for (int k = 0; d && k < d->count; ++k)
            if (side == 0 || d->contact[k] != i || l->contact[i].disc[0] < 0)
                column[count++] = d->contact[k];
    }
    qsort(column, (size_t)count, sizeof(int), ascending);
    return count;
}

static void form_W(const lattice *l, cairn_problem *problem)
{
    size_t most = 2 * MOST_AROUND * (size_t)l->contacts;
    cairn_block_matrix *W = &problem->W;
    *W = (cairn_block_matrix){.block_count = l->contacts,
                              .block_start = problem->H.row_start,
                              .row_start = calloc((size_t)l->contacts + 1, sizeof(int)),
                              .column = calloc(most, sizeof(int)),
                              .value_start = calloc(most + 1, sizeof(int)),
                              .value = calloc(DIM * DIM * most, sizeof(double))};
    for (int i = 0; i < l->contacts; ++i)
    {
        int first = W->row_start[i];
        W->row_start[i + 1] = first + find_row(l, i, W->column + first);
        for (int e = first; e < W->row_start[i + 1]; ++e)
        {
            W->value_start[e + 1] = W->value_start[e] + DIM * DIM;
            add_block(l, i, W->column[e], W->value + W->value_start[e]);
        }
    }
}

static void form_vectors(const lattice *l, double mu, cairn_problem *problem)
{
    size_t contacts = (size_t)l->contacts;
    problem->dim = DIM;
    problem->law = (cairn_law){CAIRN_LAW_CONE, 0};
    problem->contact_count = problem->H.item_count = l->contacts;
    problem->H.row_start = calloc(contacts + 1, sizeof(int));
    problem->H.entry_start = calloc(contacts + 1, sizeof(int));
    problem->w = calloc(DIM * contacts, sizeof(double));
    problem->mu = calloc(contacts, sizeof(double));
    problem->identity = calloc(contacts, sizeof(uint64_t));
    for (int j = 0; j < l->contacts; ++j)
    {
        problem->H.row_start[j + 1] = DIM * (j + 1);
        problem->mu[j] = mu;
        problem->identity[j] = (uint64_t)j + 1;
        for (int k = 0; k < 2 * DIM * FREEDOMS; ++k)
        {
            int side = k / FREEDOMS / DIM, row = k / FREEDOMS % DIM, d = l->contact[j].disc[side];
            problem->w[DIM * j + row] +=
                d >= 0 ? l->contact[j].J[side][row][k % FREEDOMS] * l->disc[d].v[k % FREEDOMS] : 0.0;
        }
    }
}

cairn_problem lattice_problem(int wide, int high, double mu, unsigned seed)
{
    size_t places = (size_t)wide * (size_t)high;
    lattice l = {.wide = wide,
                 .place = calloc(places, sizeof(int)),
                 .disc = calloc(places + 1, sizeof(disc)),
                 .contact = calloc(6 * places, sizeof(contact))};
    cairn_problem problem = {0};
    place_discs(&l, high, &seed);
    find_contacts(&l, high, &seed);
    form_vectors(&l, mu, &problem);
    form_W(&l, &problem);
    free(l.place);
    free(l.disc);
    free(l.contact);
    return problem;
}

cairn_problem lattice_dense(const cairn_problem *sparse)
{
    cairn_problem dense = *sparse;
    size_t rows = DIM * (size_t)sparse->contact_count;
    dense.W = (cairn_block_matrix){0};
    dense.patch_count = 1;
    dense.patch_start = calloc(2, sizeof(int));
    dense.patch_start[1] = sparse->contact_count;
    dense.R_start = calloc(1, sizeof(int));
    dense.R = calloc(rows * rows, sizeof(double));
    for (int i = 0; i < sparse->contact_count; ++i)
        for (int e = sparse->W.row_start[i]; e < sparse->W.row_start[i + 1]; ++e)
            for (int k = 0; k < DIM * DIM; ++k)
                dense.R[(size_t)(DIM * i + k / DIM) * rows + (size_t)(DIM * sparse->W.column[e] + k % DIM)] =
                    sparse->W.value[sparse->W.value_start[e] + k];
    return dense;
}

void lattice_free(cairn_problem *sparse)
{
    free(sparse->H.row_start);
    free(sparse->H.entry_start);
    free(sparse->w);
    free(sparse->mu);
    free(sparse->identity);
    free(sparse->W.row_start);
    free(sparse->W.column);
    free(sparse->W.value_start);
    free(sparse->W.value);
}

void lattice_dense_free(cairn_problem *dense)
{
    free(dense->patch_start);
    free(dense->R_start);
    free(dense->R);
}
