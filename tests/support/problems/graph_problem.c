#include "support/problems/graph_problem.h"

#include <stdlib.h>

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        abort();
    return memory;
}

static test_graph allocate_graph(int vertices, int most)
{
    return (test_graph){
        .vertices = vertices, .from = take((size_t)most, sizeof(int)), .to = take((size_t)most, sizeof(int))};
}

static void add_edge(test_graph *graph, int from, int to)
{
    graph->from[graph->edges] = from;
    graph->to[graph->edges++] = to;
}

test_graph test_graph_grid(int x, int y, int z)
{
    test_graph graph = allocate_graph(x * y * z, 3 * x * y * z);
    for (int v = 0; v < x * y * z; ++v)
    {
        if (v % x + 1 < x)
            add_edge(&graph, v, v + 1);
        if (v / x % y + 1 < y)
            add_edge(&graph, v, v + x);
        if (v / (x * y) + 1 < z)
            add_edge(&graph, v, v + x * y);
    }
    return graph;
}

static bool has_edge(const test_graph *graph, int a, int b)
{
    for (int e = 0; e < graph->edges; ++e)
        if ((graph->from[e] == a && graph->to[e] == b) || (graph->from[e] == b && graph->to[e] == a))
            return true;
    return false;
}

test_graph test_graph_random(test_random *random, int vertices, int edges)
{
    test_graph graph = allocate_graph(vertices, edges);
    for (int e = 0; e < edges && vertices > 1; ++e)
    {
        int a = test_integer(random, 0, vertices - 1);
        int b = test_integer(random, 0, vertices - 1);
        if (a != b && !has_edge(&graph, a, b))
            add_edge(&graph, a, b);
    }
    return graph;
}

void test_graph_release(test_graph *graph)
{
    free(graph->from);
    free(graph->to);
    *graph = (test_graph){0};
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Columns of every block row, ascending. */
static void list_entries(cairn_problem *problem, const test_graph *graph)
{
    cairn_block_matrix *A = &problem->A;
    int blocks = graph->vertices;
    int *fill = take((size_t)blocks, sizeof(int));
    for (int e = 0; e < graph->edges; ++e)
    {
        A->row_start[graph->from[e] + 1]++;
        A->row_start[graph->to[e] + 1]++;
    }
    for (int i = 0; i < blocks; ++i)
    {
        A->row_start[i + 1] += A->row_start[i] + 1;
        A->column[A->row_start[i]] = i;
        fill[i] = A->row_start[i] + 1;
    }
    for (int e = 0; e < graph->edges; ++e)
    {
        A->column[fill[graph->from[e]]++] = graph->to[e];
        A->column[fill[graph->to[e]]++] = graph->from[e];
    }
    for (int i = 0; i < blocks; ++i)
        qsort(A->column + A->row_start[i], (size_t)(A->row_start[i + 1] - A->row_start[i]), sizeof(int), compare);
    free(fill);
}

static int block_rows(const cairn_problem *problem, int block)
{
    return problem->block_start[block + 1] - problem->block_start[block];
}

/* Random values; |row sums| are below half the columns, hence the diagonal. */
static void fill_values(cairn_problem *problem, double dominance, test_random *random)
{
    cairn_block_matrix *A = &problem->A;
    for (int i = 0; i < problem->block_count; ++i)
    {
        int all = 0;
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
            all += block_rows(problem, A->column[e]);
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            int columns = block_rows(problem, A->column[e]);
            for (int k = 0; k < block_rows(problem, i) * columns; ++k)
            {
                bool diagonal = A->column[e] == i && k % (columns + 1) == 0;
                A->value[A->value_start[e] + k] =
                    test_uniform(random, -0.5, 0.5) + (diagonal ? dominance * 0.6 * all : 0.0);
            }
        }
    }
}

cairn_problem *test_graph_problem(const test_graph *graph, const test_graph_recipe *recipe, test_random *random)
{
    cairn_problem *problem = take(1, sizeof(cairn_problem));
    size_t blocks = (size_t)graph->vertices;
    size_t entries = blocks + 2 * (size_t)graph->edges;
    problem->dim = 3;
    problem->block_count = problem->A.block_count = graph->vertices;
    problem->block_start = take(blocks + 1, sizeof(int));
    problem->A.block_start = problem->block_start;
    for (int i = 0; i < graph->vertices; ++i)
    {
        int rows = recipe->equal ? recipe->largest : test_integer(random, 1, recipe->largest);
        problem->block_start[i + 1] = problem->block_start[i] + rows;
    }
    problem->n = problem->block_start[blocks];
    problem->A.row_start = take(blocks + 1, sizeof(int));
    problem->A.column = take(entries, sizeof(int));
    problem->A.value_start = take(entries + 1, sizeof(int));
    list_entries(problem, graph);
    for (int i = 0; i < graph->vertices; ++i)
    {
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
        {
            problem->A.value_start[e + 1] =
                problem->A.value_start[e] + block_rows(problem, i) * block_rows(problem, problem->A.column[e]);
        }
    }
    problem->A.value = take((size_t)problem->A.value_start[entries], sizeof(double));
    fill_values(problem, recipe->dominance, random);
    return problem;
}

/* Joint i connects the ends of edge i of `at`, or a random pair where that is NULL. */
static void add_joints(cairn_problem *problem, const test_graph *at, int joints, int rows, int repeat,
                       test_random *random)
{
    cairn_block_rows *G = &problem->G;
    size_t items = (size_t)(joints + repeat);
    int largest = 0;
    for (int i = 0; i < problem->block_count; ++i)
        largest = block_rows(problem, i) > largest ? block_rows(problem, i) : largest;
    G->item_count = joints + repeat;
    problem->joint_rows = rows * G->item_count;
    problem->R_c = take((size_t)problem->joint_rows, sizeof(double));
    G->row_start = take(items + 1, sizeof(int));
    G->entry_start = take(items + 1, sizeof(int));
    G->block = take(2 * items, sizeof(int));
    G->value_start = take(2 * items + 1, sizeof(int));
    G->value = take(2 * items * (size_t)(rows * largest), sizeof(double));
    for (int i = 0; i < G->item_count; ++i)
    {
        int source = i < joints ? -1 : test_integer(random, 0, joints - 1);
        double factor = test_uniform(random, 0.5, 2.0);
        G->row_start[i + 1] = rows * (i + 1);
        G->entry_start[i + 1] = 2 * (i + 1);
        int a = test_integer(random, 0, problem->block_count - 2);
        int pair[2] = {a, test_integer(random, a + 1, problem->block_count - 1)};
        if (at && i < joints)
        {
            pair[0] = at->from[i];
            pair[1] = at->to[i];
        }
        for (int e = 2 * i; e < 2 * i + 2; ++e)
        {
            G->block[e] = source < 0 ? pair[e - 2 * i] : G->block[2 * source + e - 2 * i];
            int count = rows * block_rows(problem, G->block[e]);
            G->value_start[e + 1] = G->value_start[e] + count;
            for (int k = 0; k < count; ++k)
            {
                G->value[G->value_start[e] + k] = source < 0
                                                      ? test_uniform(random, -1.0, 1.0)
                                                      : factor * G->value[G->value_start[2 * source + e - 2 * i] + k];
            }
        }
    }
}

void test_graph_add_joints(cairn_problem *problem, int joints, int rows, int repeat, test_random *random)
{
    add_joints(problem, NULL, joints, rows, repeat, random);
}

void test_graph_add_joints_at(cairn_problem *problem, const test_graph *at, int rows, int repeat, test_random *random)
{
    add_joints(problem, at, at->edges, rows, repeat, random);
}

test_graph test_graph_tree(test_random *random, int vertices, int loops)
{
    test_graph graph = {.vertices = vertices, .edges = vertices - 1 + loops};
    graph.from = take((size_t)graph.edges + 1, sizeof(int));
    graph.to = take((size_t)graph.edges + 1, sizeof(int));
    for (int i = 0; i < graph.edges; ++i)
    {
        graph.to[i] = i < vertices - 1 ? i + 1 : test_integer(random, 1, vertices - 1);
        graph.from[i] = test_integer(random, 0, graph.to[i] - 1);
    }
    return graph;
}

double *test_dense_saddle(const cairn_problem *problem)
{
    int n = problem->n;
    int size = n + problem->joint_rows;
    double *K = take((size_t)size * (size_t)size, sizeof(double));
    const int *start = problem->block_start;
    for (int i = 0; i < problem->block_count; ++i)
    {
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
        {
            int columns = block_rows(problem, problem->A.column[e]);
            for (int k = 0; k < block_rows(problem, i) * columns; ++k)
            {
                K[(start[i] + k / columns) * size + start[problem->A.column[e]] + k % columns] =
                    problem->A.value[problem->A.value_start[e] + k];
            }
        }
    }
    for (int i = 0; i < problem->G.item_count; ++i)
    {
        for (int e = problem->G.entry_start[i]; e < problem->G.entry_start[i + 1]; ++e)
        {
            int columns = block_rows(problem, problem->G.block[e]);
            int rows = problem->G.row_start[i + 1] - problem->G.row_start[i];
            for (int k = 0; k < rows * columns; ++k)
            {
                int row = n + problem->G.row_start[i] + k / columns;
                int column = start[problem->G.block[e]] + k % columns;
                K[row * size + column] = problem->G.value[problem->G.value_start[e] + k];
                K[column * size + row] = -K[row * size + column];
            }
        }
    }
    for (int i = 0; i < problem->joint_rows; ++i)
        K[(n + i) * size + n + i] = problem->R_c[i];
    return K;
}
