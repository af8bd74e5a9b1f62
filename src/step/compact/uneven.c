/* Uneven bodies: those on which forces act that the scheme takes implicitly (formulate/outer_forces.c), in the compact view.
 *
 * Such forces add J = J_v + J_q to A of their body. Of J the compact view takes the blocks of translation and of rotation, so that
 *
 *     A_v = m 1 + sum J_vv ,     A_w = I + K + sum J_ww ,
 *
 * and leaves what couples them explicit (crn_input.splits_forces). With J >= 0, J is at most twice its blocks, and a step stays stable for
 * every h. A plate on which a strong drag acts sideways has nearly the m^-1 of a plate on a rail: one number along the rail, and 0 across.
 */
#include "step/compact/uneven.h"
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

static int count_implicit(const crn_assembly *assembly)
{
    int count = 0;
    for (size_t i = 0; i < assembly->force_term_count; ++i)
        count += assembly->force_terms[i].is_implicit;
    return count;
}

/* The slopes of a body, from now on an uneven one. */
static crn_uneven *slopes_of(crn_compact_scratch *c, int body)
{
    if (c->uneven[body] < 0)
    {
        c->slopes[c->uneven_count] = (crn_uneven){0};
        c->uneven[body] = c->uneven_count++;
    }
    return &c->slopes[c->uneven[body]];
}

static void add_term(crn_compact_scratch *c, const crn_force_term *term)
{
    crn_uneven *to = slopes_of(c, term->body);
    for (int i = 0; i < 9; ++i)
    {
        to->v[i] += term->J[i / 3][i % 3];
        to->w[i] += term->J[3 + i / 3][3 + i % 3];
        assert(term->J[i / 3][3 + i % 3] == 0 && term->J[3 + i / 3][i % 3] == 0);
        to->turns = to->turns || to->w[i] != 0;
    }
}

cairn_status crn_uneven_find(cairn_simulation *s, const crn_assembly *assembly)
{
    crn_compact_scratch *c = &s->compact;
    size_t bodies = s->model->body_count;
    int most = count_implicit(assembly);
    c->uneven_count = 0;
    c->problem.uneven = NULL;
    if (most == 0)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->uneven, bodies), CRN_ARRAY(c->slopes, most),
                            CRN_ARRAY(c->uneven_mass, most)));
    for (size_t b = 0; b < bodies; ++b)
        c->uneven[b] = -1;
    bool turns = false;
    for (size_t i = 0; i < assembly->force_term_count; ++i)
        if (assembly->force_terms[i].is_implicit)
            add_term(c, &assembly->force_terms[i]);
    for (int i = 0; i < c->uneven_count; ++i)
        turns = turns || c->slopes[i].turns;
    c->problem.uneven = c->uneven;
    c->problem.uneven_mass = (const double(*)[9])c->uneven_mass;
    return crn_reserve_all(&s->memory, CRN_ARRAY(c->inverse_inertia, turns ? bodies : 0));
}

const crn_uneven *crn_uneven_of(const crn_compact_scratch *c, int body)
{
    return c->uneven_count > 0 && c->uneven[body] >= 0 ? &c->slopes[c->uneven[body]] : NULL;
}

/* By elimination, which stays accurate where drag is many times the mass: A times the inverse is 1 but for rounding times the condition
 * of A. */
void crn_uneven_invert(const double A[9], double out[9])
{
    double row[3][6] = {{0}};
    for (int i = 0; i < 3; ++i)
    {
        memcpy(row[i], A + 3 * i, 3 * sizeof(double));
        row[i][3 + i] = 1.0;
    }
    for (int k = 0; k < 3; ++k)
    {
        assert(row[k][k] > 0);
        for (int i = 0; i < 3; ++i)
        {
            double share = i == k ? 0.0 : row[i][k] / row[k][k];
            for (int j = 0; j < 6; ++j)
                row[i][j] -= share * row[k][j];
        }
    }
    for (int i = 0; i < 9; ++i)
        out[i] = row[i / 3][3 + i % 3] / row[i / 3][i / 3];
}

void crn_uneven_solve(const double A[9], const double inverse[9], const double p[3], double x[3])
{
    double rest[3], more[3];
    crn_rotate3(inverse, p, x);
    crn_rotate3(A, x, rest);
    crn_sub3(p, rest, rest);
    crn_rotate3(inverse, rest, more);
    crn_add3(x, more, x);
}

void crn_uneven_push(const cairn_simulation *s, int body, double h, const double impulse[], crn_compact_body *out)
{
    const crn_compact_scratch *c = &s->compact;
    const crn_uneven *slopes = crn_uneven_of(c, body);
    double m = s->layout->mass[body], A[9], momentum[3] = {0}, *inverse = c->uneven_mass[c->uneven[body]];
    int dim = s->model->dimension;
    assert(slopes && m > 0);
    for (int i = 0; i < 9; ++i)
        A[i] = (i % 4 == 0 ? m : 0.0) + slopes->v[i];
    crn_uneven_invert(A, inverse);
    for (int i = 0; i < dim; ++i)
        momentum[i] = m * (out->v[i] + h * s->state.gravity[i]) + impulse[i];
    if (!crn_is_absent(s->layout, body))
        crn_uneven_solve(A, inverse, momentum, out->v);
    out->inverse_mass = (inverse[0] + inverse[4] + (dim == 3 ? inverse[8] : 0.0)) / dim;
}

void crn_uneven_turn(const cairn_simulation *s, int body, double impulse, crn_compact_body *out)
{
    const crn_uneven *slopes = crn_uneven_of(&s->compact, body);
    double I = crn_inertia_about_z(&s->layout->inertia, body);
    assert(slopes && s->model->dimension == 2);
    out->inverse_inertia = 1.0 / (I + slopes->w[8]);
    out->w[2] = out->inverse_inertia * (I * out->w[2] + impulse);
}
