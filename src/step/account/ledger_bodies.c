/* The bodies' side of a piece: velocities before and after, those of driven bodies, and impulses of forces. */
#include "math/vec.h"
#include "step/account/ledger_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Read the velocities of dynamic bodies from v, six numbers each. */
void crn_ledger_read_velocities(const cairn_simulation *s, const double *v, double (*out)[6])
{
    const crn_layout *layout = s->layout;
    int linear = s->model->dimension;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        const double *vk = v + layout->block_start[k];
        double *to = out[layout->block_body[k]];
        int dofs = layout->block_start[k + 1] - layout->block_start[k];
        crn_copy_few(vk, linear, to);
        if (linear == 2)
            to[5] = dofs == 3 ? vk[2] : 0.0;
        else if (dofs == 6)
            memcpy(to + 3, vk + 3, sizeof(double[3]));
    }
}

/* Velocity of a driven body at the end of [t, t + delta] that is t, from three points, accurate to delta^2. */
static void drive_at(const cairn_model *model, int body, double t, double delta, double out[6])
{
    assert(delta != 0);
    assert(model->bodies[body].kind == CAIRN_DRIVEN);
    cairn_body_state p[3];
    double back[4], turn[4], phi[3][3] = {{0}};
    for (int k = 0; k < 3; ++k)
        crn_model_pose_at(model, body, t + k * delta, &p[k]);
    crn_quaternion_conjugate(p[0].orientation, back);
    for (int k = 1; k < 3; ++k)
    {
        crn_quaternion_multiply(back, p[k].orientation, turn);
        crn_quaternion_log(turn, phi[k]);
        if (model->dimension == 2)
            phi[k][2] = p[k].angle - p[0].angle;
    }
    for (int i = 0; i < 3; ++i)
    {
        double once = p[1].position[i] - p[0].position[i], twice = p[2].position[i] - p[0].position[i];
        out[i] = (4 * once - twice) / (2 * delta);
        out[3 + i] = (4 * phi[1][i] - phi[2][i]) / (2 * delta);
    }
}

void crn_ledger_read_drives(cairn_simulation *s, double h)
{
    double delta = fmin(1e-5, 0.25 * h);
    for (int b = 0; s->located.frame.any_driven && b < (int)s->model->body_count; ++b)
    {
        if (s->model->bodies[b].kind == CAIRN_DRIVEN)
        {
            drive_at(s->model, b, s->state.t, delta, s->ledger.drive_before[b]);
            drive_at(s->model, b, s->state.t + h, -delta, s->ledger.drive_after[b]);
        }
    }
}

/* out += factor * g for every dynamic body of a gradient. */
static void add_gradient(const crn_layout *layout, const crn_gradient *gradient, double factor, double (*out)[6])
{
    for (int side = 0; side < 2; ++side)
    {
        int body = gradient->body[side];
        for (int k = 0; body >= 0 && layout->body_block[body] >= 0 && k < 6; ++k)
            out[body][k] += factor * gradient->g[side][k];
    }
}

/* Of six coordinates, keep those that the body has. */
static void trim(const cairn_simulation *s, double (*impulse)[6])
{
    bool planar = s->model->dimension == 2;
    for (int k = 0; k < s->layout->body_block_count; ++k)
    {
        int body = s->layout->block_body[k];
        int dofs = s->layout->block_start[k + 1] - s->layout->block_start[k];
        bool turns = dofs > s->model->dimension;
        for (int i = 2; (planar || !turns) && i < 6; ++i)
        {
            bool has = planar ? i == 5 && turns : i < 3;
            impulse[body][i] = has ? impulse[body][i] : 0.0;
        }
    }
}

/* Impulses of external forces, gyroscopic moments and springs of one stage. */
static void add_forces(cairn_simulation *s, const crn_stage *stage)
{
    crn_ledger *ledger = &s->ledger;
    const crn_assembly *assembly = &stage->assembly;
    for (size_t i = 0; i < assembly->spring_term_count; ++i)
    {
        const crn_spring_term *term = &assembly->spring_terms[i];
        double elastic, damping;
        crn_spring_impulse(term, s->layout, &stage->solution, &elastic, &damping);
        add_gradient(s->layout, &term->gradient, stage->weight * (elastic + damping), ledger->inner);
    }
    for (size_t i = 0; i < assembly->force_term_count; ++i)
    {
        const crn_force_term *term = &assembly->force_terms[i];
        double impulse[6];
        crn_force_impulse(term, s->layout, stage->solution.v, impulse);
        for (int k = 0; k < 6; ++k)
            ledger->outer[term->body][k] += stage->weight * impulse[k];
    }
    for (size_t i = 0; i < assembly->gyro_term_count; ++i)
    {
        const crn_gyro_term *term = &assembly->gyro_terms[i];
        double moment[3];
        crn_gyro_impulse(s->layout, term, stage->solution.v, moment);
        double *outer = ledger->outer[s->layout->block_body[term->block]] + 3;
        crn_madd3(outer, stage->weight, moment, outer);
    }
}

/* Where a curve is followed to an event, the velocity there is that of the curve. It differs slightly from the one that
 * the share of the stage's impulses gives. The difference M (v - v- - share (v+ - v-)) belongs to the scheme and is
 * recorded as if a force had caused it. The impulses are not those of this part of the step either, so velocities here
 * are only known to within the change over the whole step. */
static void add_interpolation(cairn_simulation *s)
{
    assert(s->search.curve_share > 0 && s->search.curve_share <= 1);
    const crn_layout *layout = s->layout;
    int linear = s->model->dimension;
    const double *end = s->stage[0].solution.v;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        int start = layout->block_start[k], n = layout->block_start[k + 1] - start, body = layout->block_body[k];
        double off[6] = {0}, impulse[6] = {0};
        for (int i = 0; i < n; ++i)
            off[i] = s->state.v[start + i] - s->trial.v_old[start + i] -
                     s->search.curve_share * (end[start + i] - s->trial.v_old[start + i]);
        double change = 0;
        for (int i = 0; i < n; ++i)
            change += fabs(end[start + i] - s->trial.v_old[start + i]) * (i < linear ? 1.0 : layout->bound[body]);
        s->ledger.interpolated = fmax(s->ledger.interpolated, change);
        crn_body_mass_times(layout, k, off, impulse);
        for (int i = 0; i < n; ++i)
        {
            bool turn = s->model->dimension == 2 && i == 2;
            s->ledger.outer[body][turn ? 5 : i] += impulse[i];
        }
    }
}

bool crn_ledger_has_forces(const cairn_simulation *s)
{
    bool any = s->search.curve_share > 0;
    for (int k = 0; k < s->stage_count; ++k)
        any = any || s->stage[k].assembly.force_term_count + s->stage[k].assembly.gyro_term_count > 0;
    return any;
}

cairn_status crn_ledger_read_forces(cairn_simulation *s)
{
    crn_ledger *ledger = &s->ledger;
    bool forces = crn_ledger_has_forces(s), springs = s->model->spring_count > 0;
    size_t size = s->model->body_count * sizeof(double[6]);
    ledger->interpolated = 0;
    if (!forces && !springs)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&ledger->memory, CRN_ARRAY(ledger->outer, forces ? s->model->body_count : 0)));
    if (forces)
        memset(ledger->outer, 0, size);
    if (springs)
        memset(ledger->inner, 0, size);
    for (int k = 0; k < s->stage_count; ++k)
        add_forces(s, &s->stage[k]);
    if (s->search.curve_share > 0)
        add_interpolation(s);
    if (forces)
        trim(s, ledger->outer);
    if (springs)
        trim(s, ledger->inner);
    return CAIRN_OK;
}
