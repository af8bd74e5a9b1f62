/* Degrees of freedom: those of the bodies less the rank of the joints' equations G v = b. The rank comes from the factorisation of
 * [M -G'; G 0], which drops rows that depend on the others (linalg/saddle.h). */
#include "cairn/assembly.h"

#include "step/assembly/fit.h"
#include "step/row_description.h"

#include <assert.h>
#include <string.h>

static bool is_zero(const cairn_problem *problem, int item, int row)
{
    const cairn_block_rows *G = &problem->G;
    for (int e = G->entry_start[item]; e < G->entry_start[item + 1]; ++e)
    {
        int width = problem->block_start[G->block[e] + 1] - problem->block_start[G->block[e]];
        const double *g = G->value + G->value_start[e] + row * width;
        for (int k = 0; k < width; ++k)
            if (g[k] != 0)
                return false;
    }
    return true;
}

/* Rows of zeros, which stand for compliant ones, get a compliance, and are not counted. */
static int count_equations(cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    int count = 0;
    for (int item = 0; item < G->item_count; ++item)
        for (int row = G->row_start[item]; row < G->row_start[item + 1]; ++row)
        {
            bool zero = is_zero(problem, item, row - G->row_start[item]);
            problem->R_c[row] = zero ? 1.0 : 0.0;
            count += !zero;
        }
    return count;
}

static int count_dropped(const cairn_simulation *s, const crn_saddle *saddle, int *redundant)
{
    const cairn_block_rows *G = &s->projection.stage.assembly.problem.G;
    int count = 0;
    for (int item = 0; item < G->item_count; ++item)
    {
        int joint = crn_joint_of_item(s->model, item);
        for (int row = 0; row < G->row_start[item + 1] - G->row_start[item]; ++row)
        {
            int dropped = crn_saddle_drops(saddle, item, row);
            count += dropped;
            if (redundant && joint >= 0)
                redundant[joint] += dropped;
        }
    }
    return count;
}

static cairn_status count(cairn_simulation *s, crn_saddle *saddle, cairn_freedoms *out, int *redundant)
{
    crn_input in;
    cairn_problem *problem = &s->projection.stage.assembly.problem;
    CRN_TRY(crn_begin_joints(s, true, &in));
    crn_finish(&s->projection.stage.assembly, &in, s->settings.law);
    out->bodies = problem->n;
    if (problem->joint_rows > 0)
    {
        out->equations = count_equations(problem);
        CRN_TRY(crn_saddle_factorise(saddle, s->context, problem));
        out->redundant = count_dropped(s, saddle, redundant);
    }
    out->degrees = out->bodies - (out->equations - out->redundant);
    assert(out->degrees >= 0);
    return CAIRN_OK;
}

cairn_status cairn_simulation_freedoms(cairn_simulation *s, cairn_freedoms *out, int *redundant)
{
    if (!s || !out)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID, "freedoms: the simulation or the place for them is NULL");
    if (!crn_is_current(s))
        return crn_fail(s->context, CAIRN_INVALID, "freedoms: the simulation has not followed its model");
    CRN_TRY(crn_motions_fetch(s));
    crn_saddle *saddle = crn_saddle_create();
    *out = (cairn_freedoms){0};
    if (redundant)
        memset(redundant, 0, s->model->joint_count * sizeof(int));
    cairn_status status = !saddle || crn_projection_open(s) ? CAIRN_NO_MEMORY : count(s, saddle, out, redundant);
    crn_saddle_destroy(saddle);
    crn_projection_release(s);
    return status ? crn_fail(s->context, status, "freedoms: %s", cairn_status_text(status)) : CAIRN_OK;
}
