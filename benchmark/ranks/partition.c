/* Domains by different methods, of grains as a run left them: how even they are, how large their borders, and how long it takes. Usage: partition FILE PARTS...
 *
 * FILE has the numbers of bodies and contacts, a place per body and two bodies per contact (partition.sh writes it). The work of a body is 1, and that of a
 * contact is shared by its two. What is compared: Hilbert's curve as src/domain has it, cut by work; the same with the order of Morton, which is that of
 * p4est; Zoltan's curve (HSFC) and its bisection by coordinates (RCB); SCOTCH, which has the graph of the contacts. */
#include "domain/curve.h"

#include <math.h>
#include <mpi.h>
#include <scotch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zoltan.h>

typedef struct pile
{
    int bodies, contacts;
    double (*x)[3];
    int (*contact)[2];
    float *work;
} pile;

typedef struct place
{
    uint64_t key;
    int body;
} place;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static pile read_pile(const char *path)
{
    pile p = {0};
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%d %d", &p.bodies, &p.contacts) != 2)
        exit(2);
    p.x = calloc((size_t)p.bodies, sizeof *p.x);
    p.contact = calloc((size_t)p.contacts, sizeof *p.contact);
    p.work = calloc((size_t)p.bodies, sizeof *p.work);
    bool good = p.x && p.contact && p.work;
    for (int i = 0; i < p.bodies && good; ++i)
        good = fscanf(file, "%lf %lf %lf", &p.x[i][0], &p.x[i][1], &p.x[i][2]) == 3;
    for (int i = 0; i < p.bodies && good; ++i)
        p.work[i] = 1;
    for (int j = 0; j < p.contacts && good; ++j)
    {
        good = fscanf(file, "%d %d", &p.contact[j][0], &p.contact[j][1]) == 2;
        for (int k = 0; k < 2 && good; ++k)
            p.work[p.contact[j][k]] += 0.5F;
    }
    fclose(file);
    if (!good)
        exit(2);
    return p;
}

/* ------------------------------------------------------------------------------------------------------------ curves */

static int compare(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->body - y->body;
}

/* Stretches of the same work, of bodies in the order of their keys. */
static void cut(const pile *p, place *order, int parts, int *part)
{
    double all = 0, sum = 0;
    qsort(order, (size_t)p->bodies, sizeof *order, compare);
    for (int i = 0; i < p->bodies; ++i)
        all += (double)p->work[i];
    for (int i = 0; i < p->bodies; ++i)
    {
        double half = 0.5 * (double)p->work[order[i].body];
        part[order[i].body] = (int)fmin(parts - 1, floor((sum + half) / all * parts));
        sum += 2 * half;
    }
}

static uint64_t morton(const double x[3], const double low[3], double side)
{
    uint64_t key = 0, at[3];
    for (int k = 0; k < 3; ++k)
        at[k] = (uint64_t)fmin(1048575, 1048576 * (x[k] - low[k]) / side);
    for (int bit = 19; bit >= 0; --bit)
        for (int k = 2; k >= 0; --k)
            key = key << 1 | (at[k] >> bit & 1);
    return key;
}

static void by_curve(const pile *p, bool is_hilbert, int parts, int *part)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, side = 0;
    place *order = calloc((size_t)p->bodies, sizeof *order);
    if (!order)
        exit(1);
    for (int i = 0; i < p->bodies; ++i)
        for (int k = 0; k < 3; ++k)
        {
            low[k] = fmin(low[k], p->x[i][k]);
            high[k] = fmax(high[k], p->x[i][k]);
        }
    for (int k = 0; k < 3; ++k)
        side = fmax(side, high[k] - low[k]);
    crn_curve curve = crn_curve_over(low, high, 1e-6 * side);
    for (int i = 0; i < p->bodies; ++i)
        order[i] = (place){is_hilbert ? crn_curve_key(&curve, p->x[i]) : morton(p->x[i], low, side), i};
    cut(p, order, parts, part);
    free(order);
}

static void hilbert(const pile *p, int parts, int *part)
{
    by_curve(p, true, parts, part);
}

static void in_order_of_morton(const pile *p, int parts, int *part)
{
    by_curve(p, false, parts, part);
}

/* ------------------------------------------------------------------------------------------------------------ Zoltan */

static int count_objects(void *data, int *error)
{
    *error = ZOLTAN_OK;
    return ((const pile *)data)->bodies;
}

static void list_objects(void *data, int global_size, int local_size, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local,
                         int weights, float *weight, int *error)
{
    const pile *p = data;
    (void)global_size, (void)local_size, (void)weights;
    for (int i = 0; i < p->bodies; ++i)
        global[i] = local[i] = (ZOLTAN_ID_TYPE)i;
    memcpy(weight, p->work, (size_t)p->bodies * sizeof *weight);
    *error = ZOLTAN_OK;
}

static int count_axes(void *data, int *error)
{
    (void)data;
    *error = ZOLTAN_OK;
    return 3;
}

static void list_places(void *data, int global_size, int local_size, int count, ZOLTAN_ID_PTR global,
                        ZOLTAN_ID_PTR local, int axes, double *x, int *error)
{
    const pile *p = data;
    (void)global_size, (void)local_size, (void)local, (void)axes;
    for (int i = 0; i < count; ++i)
        memcpy(x + 3 * i, p->x[global[i]], sizeof p->x[0]);
    *error = ZOLTAN_OK;
}

static void zoltan(const pile *p, const char *method, int parts, int *part)
{
    char number[16];
    int changes, id_size, local_size, in, out, *in_process, *in_part, *process, *to;
    ZOLTAN_ID_PTR in_global, in_local, global, local;
    struct Zoltan_Struct *z = Zoltan_Create(MPI_COMM_WORLD);
    snprintf(number, sizeof number, "%d", parts);
    Zoltan_Set_Param(z, "DEBUG_LEVEL", "0");
    Zoltan_Set_Param(z, "LB_METHOD", method);
    Zoltan_Set_Param(z, "NUM_GLOBAL_PARTS", number);
    Zoltan_Set_Param(z, "OBJ_WEIGHT_DIM", "1");
    Zoltan_Set_Param(z, "RETURN_LISTS", "PARTS");
    Zoltan_Set_Num_Obj_Fn(z, count_objects, (void *)(uintptr_t)p);
    Zoltan_Set_Obj_List_Fn(z, list_objects, (void *)(uintptr_t)p);
    Zoltan_Set_Num_Geom_Fn(z, count_axes, (void *)(uintptr_t)p);
    Zoltan_Set_Geom_Multi_Fn(z, list_places, (void *)(uintptr_t)p);
    if (Zoltan_LB_Partition(z, &changes, &id_size, &local_size, &in, &in_global, &in_local, &in_process, &in_part, &out,
                            &global, &local, &process, &to) != ZOLTAN_OK)
        exit(1);
    for (int i = 0; i < out; ++i)
        part[global[i]] = to[i];
    Zoltan_LB_Free_Part(&in_global, &in_local, &in_process, &in_part);
    Zoltan_LB_Free_Part(&global, &local, &process, &to);
    Zoltan_Destroy(&z);
}

static void zoltan_curve(const pile *p, int parts, int *part)
{
    zoltan(p, "HSFC", parts, part);
}

static void zoltan_bisection(const pile *p, int parts, int *part)
{
    zoltan(p, "RCB", parts, part);
}

/* ------------------------------------------------------------------------------------------------------------ SCOTCH */

static void scotch(const pile *p, int parts, int *part)
{
    SCOTCH_Num *first = calloc((size_t)p->bodies + 1, sizeof *first), *work = calloc((size_t)p->bodies, sizeof *work);
    SCOTCH_Num *edge = calloc(2 * (size_t)p->contacts + 1, sizeof *edge), *to = calloc((size_t)p->bodies, sizeof *to);
    SCOTCH_Num *next = calloc((size_t)p->bodies + 1, sizeof *next);
    SCOTCH_Graph graph;
    SCOTCH_Strat strategy;
    if (!first || !work || !edge || !to || !next)
        exit(1);
    for (int j = 0; j < p->contacts; ++j)
        for (int k = 0; k < 2; ++k)
            ++first[p->contact[j][k] + 1];
    for (int i = 0; i < p->bodies; ++i)
    {
        first[i + 1] += first[i];
        next[i] = first[i];
        work[i] = (SCOTCH_Num)lrintf(2 * p->work[i]);
    }
    for (int j = 0; j < p->contacts; ++j)
        for (int k = 0; k < 2; ++k)
            edge[next[p->contact[j][k]]++] = p->contact[j][1 - k];
    SCOTCH_graphInit(&graph);
    SCOTCH_stratInit(&strategy);
    if (SCOTCH_graphBuild(&graph, 0, p->bodies, first, NULL, work, NULL, first[p->bodies], edge, NULL) ||
        SCOTCH_graphPart(&graph, parts, &strategy, to))
        exit(1);
    for (int i = 0; i < p->bodies; ++i)
        part[i] = (int)to[i];
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&graph);
    free(first), free(work), free(edge), free(to), free(next);
}

/* ------------------------------------------------------------------------------------------------------------ judged */

/* Of a body that others own, once per part that touches it. */
static void mark(unsigned char *seen, int parts, int part, int body, int *ghosts)
{
    unsigned char *bit = &seen[(size_t)body * (size_t)((parts + 7) / 8) + (size_t)(part / 8)],
                  one = (unsigned char)(1 << part % 8);
    *ghosts += !(*bit & one);
    *bit |= one;
}

static void tell(const pile *p, const char *name, int parts, const int *part, double time)
{
    double *work = calloc((size_t)parts, sizeof *work), all = 0, most = 0;
    unsigned char *seen = calloc((size_t)p->bodies * (size_t)((parts + 7) / 8), 1),
                  *met = calloc((size_t)parts * (size_t)((parts + 7) / 8), 1);
    int ghosts = 0, shared = 0, neighbours = 0;
    if (!work || !seen || !met)
        exit(1);
    for (int i = 0; i < p->bodies; ++i)
        work[part[i]] += (double)p->work[i];
    for (int r = 0; r < parts; ++r)
    {
        all += work[r];
        most = fmax(most, work[r]);
    }
    for (int j = 0; j < p->contacts; ++j)
    {
        int a = p->contact[j][0], b = p->contact[j][1];
        if (part[a] == part[b])
            continue;
        ++shared;
        mark(seen, parts, part[a], b, &ghosts);
        mark(seen, parts, part[b], a, &ghosts);
        mark(met, parts, part[a], part[b], &neighbours);
        mark(met, parts, part[b], part[a], &neighbours);
    }
    printf("| %d | %s | %.3f | %.0f | %.1f %% | %.1f | %.1f |\n", parts, name, most / all * parts,
           (double)ghosts / parts, 100.0 * shared / p->contacts, (double)neighbours / parts, 1e3 * time);
    free(work), free(seen), free(met);
}

int main(int argc, char **argv)
{
    static const struct
    {
        const char *name;
        void (*divide)(const pile *p, int parts, int *part);
    } METHODS[] = {{"Hilbert, cut by work", hilbert},
                   {"Morton, cut by work", in_order_of_morton},
                   {"Zoltan HSFC", zoltan_curve},
                   {"Zoltan RCB", zoltan_bisection},
                   {"SCOTCH", scotch}};
    float version;
    if (argc < 3 || MPI_Init(&argc, &argv) || Zoltan_Initialize(argc, argv, &version))
        return 2;
    pile p = read_pile(argv[1]);
    int *part = calloc((size_t)p.bodies, sizeof *part);
    printf("%d bodies, %d contacts\n\n| parts | method | most work / mean | ghosts per part | contacts shared | "
           "neighbours | ms |\n|---|---|---|---|---|---|---|\n",
           p.bodies, p.contacts);
    for (int i = 2; i < argc && part; ++i)
        for (size_t m = 0; m < sizeof METHODS / sizeof METHODS[0]; ++m)
        {
            double begin = now();
            METHODS[m].divide(&p, atoi(argv[i]), part);
            tell(&p, METHODS[m].name, atoi(argv[i]), part, now() - begin);
        }
    free(p.x), free(p.contact), free(p.work), free(part);
    MPI_Finalize();
    return 0;
}
