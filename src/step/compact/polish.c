/* Small islands beside large ones.
 *
 * The motion of small islands is held exactly, to the solver's tolerance. Beside large islands they are not worth a general problem,
 * but further sweeps over them alone converge soon. Islands that meet the tolerance drop out; what is left when the visits are
 * spent is certified like the rest.
 */
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    SWEEPS = 32,    /* between two looks at the residuals */
    MOST = 1 << 15, /* visits */
    ROUNDS = 8
};

/* Gather the contacts of small islands that miss the tolerance. Returns their number. */
static int gather(crn_compact_scratch *c, double tolerance)
{
    int count = 0;
    memset(c->island_work, 0, (size_t)c->problem.body_count * sizeof(double));
    for (int j = 0; j < c->problem.contact_count; ++j)
        c->island_work[c->island[j]] = fmax(c->island_work[c->island[j]], c->residual[j]);
    for (int j = 0; j < c->problem.contact_count; ++j)
    {
        int root = c->island[j];
        bool rests = c->any_rest && c->at_rest[root];
        if (rests || !crn_compact_is_small(c, root) || c->island_work[root] <= tolerance)
            continue;
        c->moving_contact[count] = c->contact[j];
        memcpy(c->moving_impulse[count], c->impulse[j], sizeof c->impulse[j]);
        c->moving_index[count++] = j;
    }
    c->moving = c->problem;
    c->moving.contact = c->moving_contact;
    c->moving.contact_count = count;
    return count;
}

cairn_status crn_compact_polish(cairn_simulation *s, int threads, crn_compact_certificate *certificate, int *sweeps)
{
    crn_compact_scratch *c = &s->compact;
    double tolerance = s->settings.solver.tolerance * certificate->scale;
    int visits = 0, rounds = 0, count;
    if (!c->any_small)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->polished, c->problem.body_count),
                            CRN_ARRAY(c->polished_residual, c->problem.contact_count)));
    for (; visits < MOST && rounds < ROUNDS && (count = gather(c, tolerance)) > 0; visits += SWEEPS * count, ++rounds)
    {
        crn_compact_certificate ignored;
        CRN_TRY(crn_compact_load(c->sweeps, &c->moving, (const double(*)[3])c->moving_impulse, threads));
        crn_compact_sweep(c->sweeps, SWEEPS);
        crn_compact_store(c->sweeps, c->moving_impulse, NULL);
        crn_compact_judge(&c->moving, (const double(*)[3])c->moving_impulse, c->polished, c->polished_residual,
                          &ignored);
        for (int i = 0; i < count; ++i)
        {
            memcpy(c->impulse[c->moving_index[i]], c->moving_impulse[i], sizeof c->impulse[i]);
            c->residual[c->moving_index[i]] = c->polished_residual[i];
        }
        *sweeps += SWEEPS;
    }
    if (visits > 0)
        crn_compact_judge(&c->problem, (const double(*)[3])c->impulse, c->after, c->residual, certificate);
    return CAIRN_OK;
}
