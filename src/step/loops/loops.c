/* Joints are closed by the Levenberg-Marquardt method: at q_k, with Theta the errors of the equations, the move x solves
 *
 *     [ M  -G' ] (x)   (    0   )
 *     [ G   R  ] (c) = ( -Theta )        R = max(eps^2, 1e-10) diag(G M^-1 G'),   eps = |Theta| / size
 *
 * R vanishes fast enough for quadratic convergence even if rows depend on each other at the solution (N. Yamashita, M. Fukushima,
 * On the rate of convergence of the Levenberg-Marquardt method, 2001): it needs no regular G, only errors that grow with the
 * distance from the solutions. The limit costs a factor of 1e-10 per move in return for moves without noise.
 */
#include "step/loops/loops.h"

#include "model/joints/coupling.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

enum
{
    MOST_MOVES = 20
};

static const double ROUNDING = 1e-14, /* relative errors below which nothing can be gained, */
    CLOSED = 1e-9,                    /* and up to which joints count as closed */
    NEAR = 1e-3,                      /* ... below which every move must gain: farther off some do not */
    LEAST_SHARE = 1e-10;              /* of R: noise in rows that are dependent to the last digits must not grow */

/* ------------------------------------------------------------------------------------------------ loops of joints */

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* The node of a joint's side: a body's block, or the ground for whatever is not moved by forces. */
static int node_of(const crn_layout *layout, int body)
{
    int block = body < 0 ? -1 : layout->body_block[body];
    return block < 0 ? layout->block_count : block;
}

/* Tie two bodies; true if they were tied before. */
static bool tie(const crn_layout *layout, int *parent, int body_a, int body_b)
{
    int a = root_of(parent, node_of(layout, body_a)), b = root_of(parent, node_of(layout, body_b));
    parent[a] = b;
    return a == b;
}

/* Whether some joints with equations form a loop. A coupling ties all its bodies. */
static cairn_status find_loop(const cairn_simulation *s, bool *loop)
{
    const crn_layout *layout = s->layout;
    crn_arena memory = {0};
    int *parent = NULL;
    *loop = false;
    cairn_status status = crn_reserve_all(&memory, CRN_ARRAY(parent, layout->block_count + 1));
    for (int i = 0; i <= layout->block_count && !status; ++i)
        parent[i] = i;
    for (int j = 0; j < (int)s->model->joint_count && !status; ++j)
    {
        const crn_joint *joint = &s->model->joints[j];
        const crn_coupling *coupling = joint->coupling;
        if (joint->rows == 0)
            continue;
        for (int k = 1; coupling && k < coupling->body_count; ++k)
            *loop |= tie(layout, parent, coupling->body[0], coupling->body[k]);
        if (!coupling)
            *loop |= tie(layout, parent, joint->a.body, joint->b.body);
    }
    crn_arena_release(&memory);
    return status;
}

/* ------------------------------------------------------------------------------------------------- closing them */

/* The equations at q, with b = -Theta. *error: the largest, relative to the bodies' sizes. */
static cairn_status linearise(cairn_simulation *s, double t, const double *q, double *error)
{
    crn_loops *loops = &s->loops;
    cairn_problem *problem = &loops->assembly.problem;
    crn_frame_update(&loops->frame, s->layout, q, t, 0.0);
    crn_input in = crn_stage_input(s, &s->stage[0], 1.0);
    in.frame = &loops->frame;
    in.q = q;
    in.v = in.v_at = loops->move;
    in.positions = true;
    in.contact_count = 0;
    in.t = t;
    CRN_TRY(crn_begin(&loops->assembly, &in));
    CRN_TRY(crn_add_joint_rows(&loops->assembly, &in, 1.0));
    crn_finish(&loops->assembly, &in, (cairn_law){CAIRN_LAW_FRICTIONLESS, 0});
    double size = 0;
    for (int i = 0; i < s->layout->body_block_count; ++i)
        size = fmax(size, crn_size_of(s->layout, s->layout->block_body[i]));
    *error = 0;
    for (int i = 0; i < problem->joint_rows; ++i)
        *error = fmax(*error, fabs(problem->b[i]) * problem->joint_length[i] / size);
    return CAIRN_OK;
}

/* R of the head of this file, beside that of rows that are left out. */
static cairn_status relax(crn_loops *loops, double share)
{
    cairn_problem *problem = &loops->assembly.problem;
    const cairn_block_rows *G = &problem->G;
    int singular;
    CRN_TRY(crn_inverses_make(&loops->inverses, problem, CRN_MOST_INVERTED, &singular));
    for (int item = 0; item < G->item_count; ++item)
        for (int e = G->entry_start[item]; e < G->entry_start[item + 1]; ++e)
        {
            int rows = G->row_start[item + 1] - G->row_start[item];
            int width = (G->value_start[e + 1] - G->value_start[e]) / rows;
            for (int i = 0; i < rows; ++i)
                problem->R_c[G->row_start[item] + i] +=
                    share * crn_inverses_trace(&loops->inverses, G->block[e], 1,
                                               G->value + G->value_start[e] + (ptrdiff_t)i * width);
        }
    return CAIRN_OK;
}

/* Move q by the solution x. *regular: there is one. */
static cairn_status improve(cairn_simulation *s, double *q, double error, bool *regular)
{
    crn_loops *loops = &s->loops;
    const cairn_problem *problem = &loops->assembly.problem;
    CRN_TRY(crn_reserve_all(&loops->memory, CRN_ARRAY(loops->c, problem->joint_rows)));
    CRN_TRY(relax(loops, fmax(error * error, LEAST_SHARE)));
    cairn_status status = crn_saddle_factorise(loops->saddle, NULL, problem);
    *regular = status == CAIRN_OK;
    if (!*regular)
        return status == CAIRN_NUMERIC ? CAIRN_OK : status;
    for (int i = 0; i < problem->n; ++i)
        loops->move[i] = 0.0;
    for (int i = 0; i < problem->joint_rows; ++i)
        loops->c[i] = problem->b[i];
    crn_saddle_solve(loops->saddle, loops->move, loops->c);
    crn_layout_move(s->layout, loops->move, q);
    return CAIRN_OK;
}

static cairn_status close_joints(cairn_simulation *s, double t, double *q, bool *closed)
{
    crn_loops *loops = &s->loops;
    crn_copy_q(s->layout, q, loops->q);
    double error, last = INFINITY;
    bool regular = true;
    CRN_TRY(linearise(s, t, q, &error));
    for (int k = 0; k < MOST_MOVES && error > ROUNDING && (error < 0.5 * last || error > NEAR) && regular; ++k)
    {
        last = error;
        CRN_TRY(improve(s, q, error, &regular));
        CRN_TRY(linearise(s, t, q, &error));
    }
    *closed = error <= CLOSED;
    if (!*closed)
        crn_copy_q(s->layout, loops->q, q);
    return CAIRN_OK;
}

cairn_status crn_loops_close(cairn_simulation *s, double t, double *q, bool *closed)
{
    *closed = true;
    return s->loops.redundant ? close_joints(s, t, q, closed) : CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------ finding them */

/* The rank at the initial positions, put together. Where that fails, positions are not what the joints ask for: some equations may
 * be redundant. */
static cairn_status examine(cairn_simulation *s)
{
    crn_loops *loops = &s->loops;
    size_t nq = (size_t)s->layout->q_start[s->layout->block_count];
    size_t nv = (size_t)s->layout->block_start[s->layout->block_count];
    double *q = NULL;
    loops->saddle = crn_saddle_create();
    CRN_TRY(loops->saddle ? CAIRN_OK : CAIRN_NO_MEMORY);
    CRN_TRY(crn_frame_create(s->layout, &loops->frame));
    CRN_TRY(crn_assembly_create(s->layout, &loops->assembly));
    loops->frame.coordinate = s->state.coordinate;
    loops->frame.v = s->state.v;
    CRN_TRY(crn_reserve_all(&loops->memory, CRN_ARRAY(loops->q, nq), CRN_ARRAY(loops->move, nv), CRN_ARRAY(q, nq)));
    crn_layout_initial(s->layout, q, loops->move);
    bool closed;
    CRN_TRY(close_joints(s, 0.0, q, &closed));
    cairn_status status = crn_saddle_factorise(loops->saddle, NULL, &loops->assembly.problem);
    CRN_TRY(status == CAIRN_NO_MEMORY ? status : CAIRN_OK);
    loops->redundant = !closed || status || crn_saddle_dropped_rows(loops->saddle) > 0;
    return CAIRN_OK;
}

cairn_status crn_loops_open(cairn_simulation *s)
{
    bool loop;
    CRN_TRY(find_loop(s, &loop));
    CRN_TRY(loop ? examine(s) : CAIRN_OK);
    if (!s->loops.redundant)
        crn_loops_release(&s->loops);
    return CAIRN_OK;
}

void crn_loops_release(crn_loops *loops)
{
    crn_saddle_destroy(loops->saddle);
    crn_inverses_release(&loops->inverses);
    crn_assembly_destroy(&loops->assembly);
    crn_frame_destroy(&loops->frame);
    crn_arena_release(&loops->memory);
    *loops = (crn_loops){0};
}
