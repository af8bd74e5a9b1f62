#include "support/problems/compact_problem.h"

#include "math/tangents.h"

#include <stdlib.h>
#include <string.h>

static const double RADIUS = 0.05, STEP = 0.005;

typedef struct making
{
    const test_compact_recipe *recipe;
    test_compact *out;
    test_random random;
    double (*place)[3];
} making;

static double any(making *m, double size)
{
    return test_uniform(&m->random, -size, size);
}

/* ---------------------------------------------------------------------------------------------------------------- bodies */

/* M M' + a little, and a small skew part as of an implicit gyroscopic moment. */
static void random_inertia(making *m, double scale, double J[9])
{
    double M[9];
    for (int k = 0; k < 9; ++k)
        M[k] = any(m, 1.0);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            J[3 * i + k] = scale * (crn_dot3(M + 3 * i, M + 3 * k) + (i == k ? 0.3 : 0.0));
    for (int k = 0; k < 3; ++k)
    {
        double skew = any(m, 0.05 * scale);
        J[3 * k + (k + 1) % 3] += skew;
        J[3 * ((k + 1) % 3) + k] -= skew;
    }
}

static void make_grain(making *m, int i)
{
    crn_compact_body *body = &m->out->body[i];
    bool planar = m->recipe->is_planar, aligned = m->recipe->is_aligned;
    double mass = test_uniform(&m->random, 0.4, 1.0), *J = m->out->inverse_inertia[i];
    body->inverse_mass = 1.0 / mass;
    body->inverse_inertia = 1.0 / (0.4 * mass * RADIUS * RADIUS);
    m->out->is_round[i] = !m->recipe->is_general || i % 2 == 0;
    random_inertia(m, body->inverse_inertia, J);
    for (int k = 0; k < 8 && planar; ++k)
        J[k] = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        body->v[k] = planar && k == 2 ? 0.0 : any(m, 0.2) - (k == (planar ? 1 : 2) ? 9.81 * STEP : 0.0);
        body->w[k] = aligned || (planar && k < 2) ? 0.0 : any(m, 2.0);
    }
}

/* m^-1 = a a'/m + 0.1/m, as of a plate on a rail along a, or any symmetric matrix. */
static void make_uneven(making *m, int i)
{
    double *M = m->out->uneven_mass[i], a[9], scale = m->out->body[i].inverse_mass, trace = 0.0;
    int dim = m->recipe->is_planar ? 2 : 3;
    bool on_rail = i % 2;
    for (int k = 0; k < 9; ++k)
        a[k] = any(m, 1.0);
    m->out->uneven[i] = i;
    for (int r = 0; r < dim; ++r)
        for (int c = 0; c < dim; ++c)
            M[3 * r + c] = scale * (on_rail ? a[r] * a[c] + (r == c ? 0.1 : 0.0)
                                            : crn_dot3(a + 3 * r, a + 3 * c) + (r == c ? 0.1 : 0.0));
    for (int k = 0; k < dim; ++k)
        trace += M[4 * k];
    M[8] = dim == 2 ? scale : M[8];
    m->out->body[i].inverse_mass = trace / dim;
}

static void make_some_uneven(making *m, int bodies)
{
    for (int i = 0; i < bodies; ++i)
        m->out->uneven[i] = -1;
    for (int i = 1; i < bodies; i += 3)
        make_uneven(m, i);
    m->out->problem.uneven = m->out->uneven;
    m->out->problem.uneven_mass = (const double(*)[9])m->out->uneven_mass;
}

/* --------------------------------------------------------------------------------------------------------------- contacts */

static void arms(making *m, crn_compact_contact *c, int body, double along, double arm[3])
{
    crn_scale3(along, c->normal, arm);
    if (m->recipe->is_general && (body == 0 || !m->out->is_round[body]))
        for (int k = 0; k < (m->recipe->is_planar ? 2 : 3); ++k)
            arm[k] += any(m, 0.7 * RADIUS);
}

static void make_contact(making *m, int a, int b, const double n[3], double gap)
{
    int j = m->out->problem.contact_count++;
    crn_compact_contact *c = &m->out->contact[j];
    *c =
        (crn_compact_contact){.a = a, .b = b, .bias = gap / STEP, .mu = m->recipe->mu * test_uniform(&m->random, 0, 1)};
    c->mu = j % 7 == 3 ? 0.0 : c->mu;
    memcpy(c->normal, n, sizeof c->normal);
    arms(m, c, a, -RADIUS, c->arm_a);
    arms(m, c, b, RADIUS, c->arm_b);
    double size = 0.4 * STEP * test_uniform(&m->random, -0.2, 1.0);
    for (int k = 0; k < (m->recipe->is_planar ? 2 : 3); ++k)
        m->out->impulse[j][k] = size * n[k] + any(m, 0.3 * STEP);
}

static void make_pair(making *m, int a, int b)
{
    double apart[3];
    crn_sub3(m->place[a], m->place[b], apart);
    double distance = crn_norm3(apart);
    crn_scale3(1.0 / distance, apart, apart);
    make_contact(m, a, b, apart, distance - 2 * RADIUS);
}

/* Body 0 is sometimes a, sometimes b. */
static void make_wall(making *m, int grain, int axis, double sign)
{
    double n[3] = {0};
    bool first = grain % 3 == 0;
    n[axis] = first ? -sign : sign;
    make_contact(m, first ? 0 : grain, first ? grain : 0, n, 1e-4 * test_uniform(&m->random, -1.0, 1.0));
}

static void make_contacts(making *m)
{
    const int *count = m->recipe->count;
    for (int z = 0, i = 1; z < count[2]; ++z)
    {
        for (int y = 0; y < count[1]; ++y)
        {
            for (int x = 0; x < count[0]; ++x, ++i)
            {
                int at[3] = {x, y, z}, next[3] = {1, count[0], count[0] * count[1]};
                for (int k = 0; k < (m->recipe->is_planar ? 2 : 3); ++k)
                {
                    if (at[k] == 0)
                        make_wall(m, i, k, 1.0);
                    if (at[k] + 1 < count[k])
                        make_pair(m, i + next[k], i);
                }
            }
        }
    }
}

static void place_grains(making *m)
{
    double jitter = m->recipe->is_aligned ? 0.0 : 0.3 * RADIUS;
    for (int i = 0, n = m->out->problem.body_count - 1; i < n; ++i)
    {
        const int *count = m->recipe->count;
        int at[3] = {i % count[0], i / count[0] % count[1], i / count[0] / count[1]};
        for (int k = 0; k < 3; ++k)
            m->place[i + 1][k] = 2 * RADIUS * at[k] + (m->recipe->is_planar && k == 2 ? 0.0 : any(m, jitter));
    }
}

test_compact *test_compact_create(const test_compact_recipe *recipe, uint64_t seed)
{
    test_compact *out = calloc(1, sizeof *out);
    size_t bodies = 1 + (size_t)(recipe->count[0] * recipe->count[1] * recipe->count[2]);
    making m = {recipe, out, {seed}, calloc(bodies, sizeof(double[3]))};
    out->body = calloc(bodies, sizeof *out->body);
    out->inverse_inertia = calloc(bodies, sizeof *out->inverse_inertia);
    out->is_round = calloc(bodies, sizeof *out->is_round);
    out->contact = calloc(6 * bodies, sizeof *out->contact);
    out->impulse = calloc(6 * bodies, sizeof *out->impulse);
    out->problem =
        (crn_compact_problem){.body_count = (int)bodies,
                              .law = recipe->law,
                              .is_planar = recipe->is_planar,
                              .body = out->body,
                              .inverse_inertia = recipe->is_general ? (const double(*)[9])out->inverse_inertia : NULL,
                              .is_round = recipe->is_general ? out->is_round : NULL,
                              .contact = out->contact};
    out->law = (cairn_law){recipe->law, recipe->directions};
    if (!recipe->is_planar && crn_compact_has_polygon(recipe->law))
    {
        crn_compact_polygon_of(out->law, &out->polygon);
        out->problem.polygon = &out->polygon;
    }
    for (int k = 0; k < 3 && !recipe->is_aligned; ++k)
    {
        out->body[0].v[k] = recipe->is_planar && k == 2 ? 0.0 : any(&m, 0.02);
        out->body[0].w[k] = recipe->is_planar && k < 2 ? 0.0 : any(&m, 0.1);
    }
    for (int i = 1; i < (int)bodies; ++i)
        make_grain(&m, i);
    place_grains(&m);
    make_contacts(&m);
    out->uneven = calloc(bodies, sizeof *out->uneven);
    out->uneven_mass = calloc(bodies, sizeof *out->uneven_mass);
    if (recipe->is_uneven)
        make_some_uneven(&m, (int)bodies);
    out->height = calloc(bodies, sizeof *out->height);
    out->across = calloc(bodies, sizeof *out->across);
    for (size_t i = 0; i < bodies; ++i)
    {
        out->height[i] = m.place[i][recipe->is_planar ? 1 : 2];
        out->across[i] = m.place[i][0];
    }
    out->problem.height = recipe->is_placed ? out->height : NULL;
    out->problem.across = recipe->is_placed ? out->across : NULL;
    free(m.place);
    return out;
}

void test_compact_destroy(test_compact *compact)
{
    free(compact->body);
    free(compact->inverse_inertia);
    free(compact->is_round);
    free(compact->uneven);
    free(compact->uneven_mass);
    free(compact->contact);
    free(compact->impulse);
    free(compact->height);
    free(compact->across);
    free(compact);
}

/* ------------------------------------------------------------------------------------------------------------ general form */

/* The frame of a contact: normal and tangents; in the plane both within it. */
static void frame_of(const test_compact *compact, const crn_compact_contact *c, double d[3][3])
{
    memcpy(d[0], c->normal, sizeof d[0]);
    crn_orthonormal_tangents(c->normal, d[1], d[2]);
    if (compact->problem.is_planar)
    {
        double t[3] = {-c->normal[1], c->normal[0], 0.0};
        memcpy(d[1], t, sizeof d[1]);
    }
}

/* J from J^-1, by solving for its columns with Cramer's rule. */
static void invert(const double M[9], double out[9])
{
    double row[3][3];
    for (int i = 0; i < 3; ++i)
        crn_cross3(M + 3 * ((i + 1) % 3), M + 3 * ((i + 2) % 3), row[i]);
    double determinant = crn_dot3(M, row[0]);
    for (int i = 0; i < 9; ++i)
        out[i] = row[i % 3][i / 3] / determinant;
}

static void put_mass(const test_compact *compact, int i, int n, int size, double *A)
{
    const crn_compact_body *body = &compact->body[i];
    int first = size * (i - 1), linear = size == 6 ? 3 : 2;
    bool is_round = !compact->problem.is_round || compact->is_round[i];
    double J[9] = {0};
    for (int k = 0; k < 9 && is_round; k += 4)
        J[k] = 1.0 / body->inverse_inertia;
    if (!is_round && size == 6)
        invert(compact->inverse_inertia[i], J);
    if (!is_round && size == 3)
        J[8] = 1.0 / compact->inverse_inertia[i][8];
    double M[9] = {0};
    for (int k = 0; k < 9; k += 4)
        M[k] = 1.0 / body->inverse_mass;
    if (compact->problem.uneven && compact->uneven[i] >= 0)
        invert(compact->uneven_mass[compact->uneven[i]], M);
    for (int k = 0; k < linear * linear; ++k)
        A[(first + k / linear) * n + first + k % linear] = M[3 * (k / linear) + k % linear];
    for (int k = 0; k < 3 && size == 6; ++k)
        memcpy(A + (first + 3 + k) * n + first + 3, J + 3 * k, 3 * sizeof(double));
    if (size == 3)
        A[(first + 2) * n + first + 2] = J[8];
}

/* The coordinates of a body: (v, w), or (v_x, v_y, w_z). */
static void coordinates(const crn_compact_body *body, int size, double *x)
{
    int linear = size == 6 ? 3 : 2;
    memcpy(x, body->v, (size_t)linear * sizeof(double));
    memcpy(x + linear, size == 6 ? body->w : body->w + 2, (size_t)(size - linear) * sizeof(double));
}

/* One side of a row along d, or its share of w where it is prescribed. */
static void put_side(const test_compact *compact, int body, double sign, const double arm[3], const double d[3],
                     int size, double *H, double *w)
{
    double lever[3];
    crn_cross3(arm, d, lever);
    if (body == 0)
    {
        *w += sign * (crn_dot3(d, compact->body[0].v) + crn_dot3(lever, compact->body[0].w));
        return;
    }
    double *row = H + size * (body - 1);
    for (int k = 0; k < (size == 6 ? 3 : 2); ++k)
        row[k] += sign * d[k];
    for (int k = 0; k < (size == 6 ? 3 : 1); ++k)
        row[(size == 6 ? 3 : 2) + k] += sign * lever[size == 6 ? k : 2];
}

cairn_problem *test_compact_general(const test_compact *compact)
{
    int dim = compact->problem.is_planar ? 2 : 3, size = compact->problem.is_planar ? 3 : 6;
    int blocks = compact->problem.body_count - 1, n = size * blocks, contacts = compact->problem.contact_count;
    double *A = calloc((size_t)n * (size_t)n + 1, sizeof(double)), *p = calloc((size_t)n + 1, sizeof(double));
    double *x = calloc((size_t)n + 1, sizeof(double)), *mu = calloc((size_t)contacts + 1, sizeof(double));
    double *H = calloc((size_t)(dim * contacts) * (size_t)n + 1, sizeof(double));
    double *w = calloc((size_t)(dim * contacts) + 1, sizeof(double));
    int *sizes = calloc((size_t)blocks + 1, sizeof(int));
    for (int i = 0; i < blocks; ++i)
    {
        sizes[i] = size;
        put_mass(compact, i + 1, n, size, A);
        coordinates(&compact->body[i + 1], size, x + size * i);
    }
    for (int i = 0; i < n; ++i)
        p[i] = crn_dot(n, A + (size_t)i * (size_t)n, x);
    for (int j = 0; j < contacts; ++j)
    {
        const crn_compact_contact *c = &compact->contact[j];
        double d[3][3];
        frame_of(compact, c, d);
        mu[j] = c->mu;
        for (int k = 0; k < dim; ++k)
        {
            int row = dim * j + k;
            w[row] = k == 0 ? c->bias : 0.0;
            put_side(compact, c->a, 1.0, c->arm_a, d[k], size, H + (size_t)row * (size_t)n, &w[row]);
            put_side(compact, c->b, -1.0, c->arm_b, d[k], size, H + (size_t)row * (size_t)n, &w[row]);
        }
    }
    cairn_problem *problem = test_problem_from_dense(&(test_dense){.dim = dim,
                                                                   .law = compact->law,
                                                                   .block_count = blocks,
                                                                   .block_size = sizes,
                                                                   .A = A,
                                                                   .p = p,
                                                                   .contact_count = contacts,
                                                                   .H = H,
                                                                   .w = w,
                                                                   .mu = mu});
    for (int j = 0; j < contacts; ++j)
        problem->identity[j] = (uint64_t)j + 1;
    void *all[] = {A, p, x, mu, H, w, sizes};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
        free(all[k]);
    return problem;
}

void test_compact_coordinates(const test_compact *compact, const cairn_problem *general, const double (*impulse)[3],
                              const crn_compact_body *body, double *r, double *v)
{
    int dim = general->dim, size = dim == 3 ? 6 : 3;
    for (int i = 0; i < general->block_count; ++i)
        coordinates(&body[i + 1], size, v + size * i);
    for (int j = 0; j < general->contact_count; ++j)
    {
        double d[3][3];
        frame_of(compact, &compact->contact[j], d);
        for (int k = 0; k < dim; ++k)
            r[dim * j + k] = crn_dot3(d[k], impulse[j]);
    }
}
