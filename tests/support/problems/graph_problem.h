/* One-step problems whose matrix A has the pattern of a graph: a block a vertex, a coupling an edge. */
#ifndef TESTS_SUPPORT_GRAPH_PROBLEM_H
#define TESTS_SUPPORT_GRAPH_PROBLEM_H

#include "support/problems/random_problem.h"

typedef struct test_graph
{
    int vertices, edges;
    int *from, *to; /* an edge; none twice */
} test_graph;

test_graph test_graph_grid(int x, int y, int z); /* a chain for y = z = 1 */
test_graph test_graph_random(test_random *random, int vertices, int edges);
/* A random tree with the edges of `loops` loops after its own. An edge of a loop may be there already. */
test_graph test_graph_tree(test_random *random, int vertices, int loops);
void test_graph_release(test_graph *graph);

/* A with random values, not symmetric; a diagonal of `dominance` times what makes it positive definite. Block sizes are
 * random in 1 .. largest, or all `largest` when `equal`. */
typedef struct test_graph_recipe
{
    int largest;
    bool equal;
    double dominance;
} test_graph_recipe;

cairn_problem *test_graph_problem(const test_graph *graph, const test_graph_recipe *recipe, test_random *random);

/* Joints on random pairs of bodies, `rows` rows each, random values; `repeat` joints more that each repeat one of these, up
 * to a factor. Call at most once a problem. */
void test_graph_add_joints(cairn_problem *problem, int joints, int rows, int repeat, test_random *random);

/* The same with a joint at each edge of a graph. */
void test_graph_add_joints_at(cairn_problem *problem, const test_graph *at, int rows, int repeat, test_random *random);

/* Dense K = [A -G'; G R_c], row-major, to be freed. */
double *test_dense_saddle(const cairn_problem *problem);

#endif
