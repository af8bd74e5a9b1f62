/* The inertia along coordinates q of joints: the H of  H q'' = Q + ...  with forces Q along them, while all other freedoms are free.
 *
 * A unit impulse along coordinate i, J_i' on the bodies, changes their velocities by v_i with
 *
 *     M v_i - G'c = J_i' ,     G v_i + R c = 0 ,
 *
 * where G has the rigid equations of the joints, and the rows of rotors with R = 1/a (schemes/rotors.c). The rates of the coordinates then
 * change by W_ij = J_j v_i, and H = W^-1. If the coordinates are all that the mechanism has, H is its mass matrix. Drives, springs, dampers,
 * limits and contacts do not count. Equations that depend on others are dropped by the factorisation (linalg/saddle.h).
 */
#include "cairn/assembly.h"

#include "formulate/joints.h"
#include "linalg/definite.h"
#include "model/handles.h"
#include "model/joints/element.h"
#include "step/assembly/fit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NOTHING = 1e30; /* compliance of a row that holds nothing */

/* The equations in the poses of the state, without drives. */
static cairn_status add_rows(cairn_simulation *s)
{
    crn_stage *stage = &s->projection.stage;
    cairn_problem *problem = &stage->assembly.problem;
    crn_frame_update(&stage->frame, s->layout, s->state.q, s->state.t, 0.0);
    crn_input in = crn_stage_input(s, stage, 1.0);
    in.instant = true;
    if (s->trial.rotor_rate)
        memset(s->trial.rotor_rate, 0, s->model->joint_count * CRN_JOINT_COORDINATES * sizeof(double));
    CRN_TRY(crn_begin(&stage->assembly, &in));
    CRN_TRY(crn_add_joint_rows(&stage->assembly, &in, 0.0));
    crn_finish(&stage->assembly, &in, s->settings.law);
    for (size_t j = 0; j < s->model->joint_count; ++j)
        for (int i = s->model->joints[j].own_rows; i < s->model->joints[j].rows; ++i)
            if (crn_joint_drives(&s->model->joints[j], i))
                problem->R_c[problem->G.row_start[s->model->joints[j].item] + i] = NOTHING;
    return CAIRN_OK;
}

static void add_side(const crn_layout *layout, int body, const double g[6], double *f)
{
    double row[6];
    if (body < 0 || layout->body_block[body] < 0)
        return;
    int n = crn_pack(layout->model, body, g, row);
    for (int k = 0; k < n; ++k)
        f[layout->block_start[layout->body_block[body]] + k] += row[k];
}

/* The impulse J' of a coordinate on the bodies. */
static void spread(const crn_layout *layout, const crn_joint_rows *row, double *f)
{
    for (int k = 0; k < row->sides; ++k)
        add_side(layout, row->side[k].body, row->side[k].g, f);
    for (int k = 0; row->sides == 0 && k < 2; ++k)
        add_side(layout, row->gradient[0].body[k], row->gradient[0].g[k], f);
}

static void find_row(cairn_simulation *s, const cairn_coordinate *of, crn_joint_rows *row)
{
    crn_joint_coordinate_row(s->model, &s->projection.stage.frame, crn_joint_index(s->model, of->joint), of->index,
                             row);
}

/* H = W^-1 in place, with L as room for the factor. False: W is not positive definite, to rounding. */
static bool invert(int n, double *H, double *L)
{
    memcpy(L, H, (size_t)n * (size_t)n * sizeof *L);
    bool definite = crn_definite_factorise(n, L);
    for (int k = 0; definite && k < n; ++k)
        definite = L[k * n + k] * L[k * n + k] > 1e-13 * H[k * n + k];
    for (int k = 0; definite && k < n; ++k)
    {
        for (int i = 0; i < n; ++i)
            H[k * n + i] = i == k ? 1.0 : 0.0;
        crn_definite_solve(n, L, H + (ptrdiff_t)k * n);
    }
    return definite;
}

static cairn_status compute(cairn_simulation *s, crn_saddle *saddle, const cairn_coordinate *list, int count, double *V,
                            double *H)
{
    const cairn_problem *problem = &s->projection.stage.assembly.problem;
    crn_joint_rows row;
    CRN_TRY(add_rows(s));
    CRN_TRY(crn_saddle_factorise(saddle, s->context, problem));
    for (int i = 0; i < count; ++i)
    {
        find_row(s, &list[i], &row);
        spread(s->layout, &row, V + (ptrdiff_t)i * problem->n);
    }
    CRN_TRY(crn_saddle_solve_many(saddle, count, V, NULL));
    for (int j = 0; j < count; ++j)
    {
        find_row(s, &list[j], &row);
        for (int i = 0; i < count; ++i)
            H[i * count + j] = crn_row_rate(s->layout, &row, 0, V + (ptrdiff_t)i * problem->n);
    }
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j)
            H[i * count + j] = H[j * count + i] = 0.5 * (H[i * count + j] + H[j * count + i]);
    return invert(count, H, V + (ptrdiff_t)count * problem->n) ? CAIRN_OK : CAIRN_INVALID;
}

static cairn_status check(const cairn_simulation *s, const cairn_coordinate *list, int count)
{
    for (int i = 0; i < count; ++i)
    {
        int joint = crn_joint_index(s->model, list[i].joint);
        if (joint < 0 || list[i].index < 0 || list[i].index >= s->model->joints[joint].coordinates)
            return crn_fail(s->context, CAIRN_INVALID, "inertia: number %d of the list is no coordinate of a joint",
                            i + 1);
    }
    return CAIRN_OK;
}

cairn_status cairn_simulation_inertia(cairn_simulation *s, const cairn_coordinate *list, int count, double *out)
{
    if (!s || count < 0 || (count > 0 && (!list || !out)))
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID,
                        "inertia: the simulation, the list or the place for it is NULL");
    CRN_TRY(cairn_simulation_update(s));
    CRN_TRY(check(s, list, count));
    if (count == 0)
        return CAIRN_OK;
    size_t n = (size_t)s->layout->block_start[s->layout->block_count];
    double *V = calloc((size_t)count * (n + (size_t)count), sizeof *V);
    crn_saddle *saddle = crn_saddle_create();
    cairn_status status =
        !V || !saddle || crn_projection_open(s) ? CAIRN_NO_MEMORY : compute(s, saddle, list, count, V, out);
    free(V);
    crn_saddle_destroy(saddle);
    crn_projection_release(s);
    if (status == CAIRN_INVALID)
        return crn_fail(s->context, status,
                        "inertia: the coordinates depend on each other, or something holds one of them");
    return status ? crn_fail(s->context, status, "inertia: %s", cairn_status_text(status)) : CAIRN_OK;
}
