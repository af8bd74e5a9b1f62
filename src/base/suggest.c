/* Edit distance of Damerau and Levenshtein in its restricted form (no piece is edited twice): with D[i][j] the distance
 * of the first i bytes of a and the first j of b,
 *
 *     D[i][j] = min( D[i-1][j] + 1, D[i][j-1] + 1, D[i-1][j-1] + (a_i != b_j), D[i-2][j-2] + 1 if swapped )
 *
 * Three rows are enough. A long word is unlikely to be a typing error, so the rows have a fixed size. What both begin and end with changes
 * nothing: bytes that are equal are best left as they are.
 *
 * Words of other programs are looked up in a table first: no typing error turns 'gauss-seidel' into 'pgs'.
 */
#include <assert.h>
#include <cairn/base.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum
{
    WORD_MAX_LENGTH = 63,
    FAR = INT_MAX
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Fill `row` i from the two rows before it. */
static void fill_row(const char *a, size_t i, const char *b, size_t length, const int *before, const int *last,
                     int *row)
{
    row[0] = (int)i;
    for (size_t j = 1; j <= length; ++j)
    {
        int cost = a[i - 1] == b[j - 1] ? 0 : 1;
        row[j] = smaller(smaller(last[j] + 1, row[j - 1] + 1), last[j - 1] + cost);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = smaller(row[j], before[j - 2] + 1);
    }
}

/* Number of insertions, deletions, replacements and swaps of neighbours that turn a into b; -1 when either is too long. */
static int edit_distance(const char *a, const char *b)
{
    assert(a && b);
    size_t n = strlen(a), m = strlen(b);
    if (n > WORD_MAX_LENGTH || m > WORD_MAX_LENGTH)
        return -1;
    for (; n > 0 && m > 0 && *a == *b; --n, --m)
        ++a, ++b;
    while (n > 0 && m > 0 && a[n - 1] == b[m - 1])
        --n, --m;
    int rows[3][WORD_MAX_LENGTH + 1] = {{0}};
    for (size_t j = 0; j <= m; ++j)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= n; ++i)
        fill_row(a, i, b, m, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
    return rows[n % 3][m];
}

/* Words of other programs and papers, and Cairn's names for the same things. */
static const struct
{
    const char *word, *name;
} elsewhere[] = {
    /* friction laws */
    {"coulomb", "cone"},
    {"elliptic", "cone"},
    {"friction-cone", "cone"},
    {"second-order-cone", "cone"},
    {"pyramidal", "pyramid(8)"},
    {"pyramid", "pyramid(8)"},
    {"polyhedral", "pyramid(8)"},
    {"none", "frictionless"},
    {"anitescu", "convex cone"},
    /* solvers */
    {"pgs", "gauss-seidel"},
    {"psor", "gauss-seidel"},
    {"sor", "gauss-seidel"},
    {"nsgs", "gauss-seidel"},
    {"projected-gauss-seidel", "gauss-seidel"},
    {"sequential-impulses", "gauss-seidel"},
    {"lcp", "lemke"},
    {"dantzig", "lemke"},
    {"pivoting", "lemke"},
    {"path", "lemke"},
    {"ipm", "interior-point"},
    {"ip", "interior-point"},
    {"nesterov", "apgd"},
    {"cg", "apgd"},
    {"osqp", "admm"},
    {"semismooth-newton", "newton"},
    {"nsn", "newton"},
    /* integrators */
    {"semi-implicit", "euler"},
    {"semi-implicit-euler", "euler"},
    {"symplectic", "euler"},
    {"symplectic-euler", "euler"},
    {"moreau", "euler"},
    {"moreau-jean", "euler"},
    {"time-stepping", "euler"},
    {"implicit", "stiff"},
    {"implicit-euler", "stiff"},
    {"backward-euler", "stiff"},
    {"crank-nicolson", "trapezoid"},
    {"newmark", "trapezoid"},
    {"verlet", "trapezoid2"},
    {"rk2", "trapezoid2"},
    {"rk4", "trapezoid2"},
    {"rk45", "trapezoid2"},
    {"runge-kutta", "trapezoid2"},
    {"bdf2", "stiff2"},
    {"dirk", "stiff2"},
    /* stabilisation */
    {"baumgarte", "gap"},
    {"projection", "project"},
    /* bodies, shapes, joints */
    {"static", "fixed"},
    {"kinematic", "driven"},
    {"cuboid", "box"},
    {"ball", "sphere"},
    {"disk", "circle"},
    {"disc", "circle"},
    {"line", "segment"},
    {"edge", "segment"},
    {"plane", "half-space"},
    {"plane", "half-plane"},
    {"convex", "hull"},
    {"trimesh", "mesh"},
    {"heightmap", "height-field"},
    {"hfield", "height-field"},
    {"terrain", "height-field"},
    {"hinge", "revolute"},
    {"pin", "revolute"},
    {"rod", "distance"},
    {"torsional", "angular"},
    {"rotational", "angular"},
    /* fields */
    {"objects", "bodies"},
    {"links", "bodies"},
    {"constraints", "joints"},
    {"settings", "simulation"},
    {"options", "simulation"},
    {"geoms", "shapes"},
    {"collision", "shapes"},
    {"pos", "position"},
    {"vel", "velocity"},
    {"quat", "orientation"},
    {"rotation", "orientation"},
    {"rotation", "angle"},
    {"mu", "friction"},
    {"dt", "step"},
    {"timestep", "step"},
    {"time_step", "step"},
    {"duration", "until"},
    {"end", "until"},
    {"tol", "solver_tolerance"},
    {"tol", "solver-tolerance"},
    {"tolerance", "solver-tolerance"},
    {"iterations", "max-iterations"},
    /* commands of the tool */
    {"simulate", "run"},
    {"validate", "check"},
    {"lint", "check"},
    {"list", "examples"},
    {"demo", "examples"},
    {"sweep", "study"},
    {"convergence", "study"},
    {"show", "view"},
    {"play", "view"},
    {"watch", "view"},
    {"draw", "plot"},
    {"render", "plot"},
    {"convert", "export"},
    {"video", "export"},
};

/* Options of the tool begin with two dashes, fields with none. */
static bool is_other_name(const char *word, const char *candidate)
{
    while (*word == '-' && *candidate == '-')
        ++word, ++candidate;
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; ++i)
        if (strcasecmp(elsewhere[i].word, word) == 0 && strcmp(elsewhere[i].name, candidate) == 0)
            return true;
    return false;
}

/* The distance of a name from a word: -1 when the word is another name for the same thing, FAR when they are not similar. */
static int distance_of(const char *word, const char *name)
{
    int distance = edit_distance(word, name);
    const char *slash = strrchr(name, '/');
    if (is_other_name(word, name))
        return -1;
    if (slash && slash[1] && (distance < 0 || edit_distance(word, slash + 1) < distance))
        distance = edit_distance(word, slash + 1); /* the last part of a path */
    int limit = ((int)strlen(word) + 2) / 3;
    return distance < 0 || distance > limit || distance >= (int)strlen(name) ? FAR : distance;
}

void cairn_suggestion_offer(cairn_suggestion *suggestion, const char *name)
{
    if (!suggestion || !suggestion->word || !name)
        return;
    int distance = distance_of(suggestion->word, name);
    bool nearer = !suggestion->hint[0] || distance < suggestion->distance;
    if (distance == FAR || !nearer)
        return;
    suggestion->distance = distance;
    snprintf(suggestion->hint, sizeof suggestion->hint, "; did you mean '%.70s'?", name);
}
