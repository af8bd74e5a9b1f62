/* Checks whether a part of a stiff2 step was smooth.
 *
 * In a smooth part every contact has zero normal velocity before and after, friction dissipates, and contacts do no
 * work on the bodies. With rows evaluated at the stages, this holds up to the square of the angle theta by which normals and
 * bodies turn, and the points of contacts swing around bodies (rims.c),
 *
 *     W = sum_k w_k r_k . (u_k(v) + u_k(v+))/2  <=  c |r| (theta^2 |u| + theta |v+ - v|)
 *
 * and up to the work of correcting drift, r gap/h. Driven bodies are taken as they move at both ends, not at the stages.
 *
 * The terms linear in theta cancel by the order condition 1 - 4 g + 2 g^2 = 0, and |v+ - v| is O(h).
 *
 * If no finite force exists, as in Painleve's paradox, the first stage responds with a velocity jump, and the second
 * stage extrapolates it to 1.41 times as much. W is then of the order of |r| |u| itself. A contact may also seem to do
 * work when the sliding direction turns within the part, for instance because of a stiff spring that h does not
 * resolve. A shorter part distinguishes the two: the impulse of a finite force is smaller there, that of a jump is the
 * same.
 */
#include "collide/identity.h"
#include "math/vec.h"
#include "step/events/events.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double SHORTER = 0.125; /* fraction of a part */

/* Sums over the stages of one contact: work of the normal impulse, work of the whole impulse, and size of the impulse;
 * also the largest speed, the largest swing, and the speed at which drift is corrected. */
typedef struct contact_work
{
    double normal_work, work, impulse, speed, swing, correction;
} contact_work;

/* m/s: the part of a contact's velocity that is due to driven bodies at the start and at the end of the part. A stage has them at its own time, at
 * which they may move otherwise: contacts of a body that rests on a shaken floor would seem to work. */
static void find_drives(const cairn_simulation *s, const crn_stage *stage, int j, double start[3], double end[3])
{
    int dim = stage->assembly.problem.dim;
    const crn_contact *contact = &stage->assembly.active[j];
    double direction[3][3];
    crn_frame first = *stage->assembly.frame, last = first;
    first.drive = s->search.drive_now;
    last.drive = s->stage[CRN_STAGES - 1].frame.drive;
    memcpy(direction[0], contact->normal, sizeof direction[0]);
    crn_contact_tangents(contact, dim, direction + 1);
    for (int i = 0; i < dim; ++i)
    {
        crn_gradient gradient;
        crn_gradient_point(&first, &gradient, 0, contact->body_a, contact->point_a, direction[i], 1);
        crn_gradient_point(&first, &gradient, 1, contact->body_b, contact->point_b, direction[i], -1);
        start[i] = crn_contact_drive(&first, contact, direction[i], &gradient);
        end[i] = crn_contact_drive(&last, contact, direction[i], &gradient);
    }
}

static void add_stage(const cairn_simulation *s, const crn_stage *stage, int j, contact_work *sum)
{
    int dim = stage->assembly.problem.dim;
    const double *drive = stage->assembly.contact_drive[j];
    double before[3] = {0}, after[3] = {0}, r[3] = {0}, start[3] = {drive[0], drive[1], drive[2]}, end[3];
    memcpy(end, start, sizeof end);
    if (stage->assembly.active[j].body_a >= 0 && s->layout->drives)
        find_drives(s, stage, j, start, end);
    for (int i = 0; i < dim; ++i)
    {
        before[i] = crn_contact_rate(s, stage, j, i, s->state.v) - drive[i] + start[i];
        after[i] = crn_contact_rate(s, stage, j, i, s->trial.v_new) - drive[i] + end[i];
        r[i] = stage->weight * stage->solution.r[j * dim + i];
    }
    double asked = fabs(stage->assembly.problem.w[j * dim] -
                        drive[0]); /* what a closed contact leaves with is the last correction */
    sum->correction = fmax(sum->correction, asked + fmax(before[0], 0.0));
    sum->normal_work += 0.5 * r[0] * (before[0] + after[0]);
    sum->work += 0.5 * crn_dot3(r, before) + 0.5 * crn_dot3(r, after);
    sum->impulse += crn_norm3(r);
    sum->speed = fmax(sum->speed, fmax(crn_norm3(before), crn_norm3(after)));
    if (stage->assembly.active[j].body_a >= 0)
        sum->swing = fmax(sum->swing, crn_contact_swing(s, &stage->assembly.active[j], stage->assembly.frame->pose));
}

/* rad: the angle by which a contact's normal turns between the stages, plus that of its bodies over h. The speed due to
 * the rotation of the bodies is added to *speed although the contact itself may not move that fast, because rows at a
 * stage see part of it. */
static double turn_of(const cairn_simulation *s, const crn_contact *first, const crn_contact *last, double h,
                      double *speed)
{
    double cross[3], turn = 0;
    crn_cross3(first->normal, last->normal, cross);
    for (int side = 0; side < 2 && first->body_a >= 0; ++side)
    {
        int body = side == 0 ? first->body_a : first->body_b;
        double bound = s->layout->bound[body], sweep = crn_motion_of(s, body, s->trial.v_new, h).turn;
        turn += bound > 0 && isfinite(bound) ? sweep / bound : 0.0;
        *speed += isfinite(bound) ? sweep / h : 0.0;
    }
    return turn + 2.0 * crn_norm3(cross);
}

/* N s: the change of momentum of a contact's bodies over the part. *velocity, in m/s, receives the change of their
 * velocity that is not due to the contact. An impulse far below the change of momentum is no jump. It may be a residue
 * that the solver's tolerance leaves at an opening contact. */
static double momentum_change(const cairn_simulation *s, const crn_contact *contact, double impulse, double *velocity)
{
    double most = *velocity = 0;
    for (int side = 0; side < 2 && contact->body_a >= 0; ++side)
    {
        int body = side == 0 ? contact->body_a : contact->body_b, block = s->layout->body_block[body];
        double change[3] = {0};
        for (int k = 0; block >= 0 && k < s->model->dimension; ++k)
        {
            int i = s->layout->block_start[block] + k;
            change[k] = s->trial.v_new[i] - s->state.v[i];
        }
        most = fmax(most, s->layout->mass[body] * crn_norm3(change));
        double mass = s->layout->mass[body];
        *velocity = fmax(*velocity, mass > 0 ? crn_norm3(change) - impulse / mass : 0.0);
    }
    return most;
}

typedef enum verdict
{
    SMOOTH,
    WORKS, /* does more work than a smooth contact could */
    JUMPS, /* does as much work as only a jump can */
} verdict;

/* The impulse over the part of the contact with the given identity, and the verdict that its work implies. */
static double impulse_of(const cairn_simulation *s, uint64_t identity, double h, verdict *shows)
{
    contact_work sum = {0};
    const crn_contact *contact[CRN_STAGES] = {NULL};
    for (int k = 0; k < CRN_STAGES; ++k)
    {
        const crn_stage *stage = &s->stage[k];
        int j = crn_identity_find(stage->assembly.problem.identity, stage->assembly.problem.contact_count, identity);
        if (j >= 0)
        {
            contact[k] = &stage->assembly.active[j];
            add_stage(s, stage, j, &sum);
        }
    }
    const crn_contact *first = contact[0] ? contact[0] : contact[1], *last = contact[1] ? contact[1] : first;
    double change, momentum = first ? momentum_change(s, first, sum.impulse, &change) : 0.0;
    double contact_speed = sum.speed, theta = first ? sum.swing + turn_of(s, first, last, h, &sum.speed) : 0.0;
    /* a contact that separates by less than the tolerance within the listed part is held as closed */
    double rounding = 1e-6 * sum.speed + 4 * s->settings.solver.tolerance * s->state.velocity_scale +
                      10 * s->settings.contact_tolerance / s->state.located_h;
    double allowed = sum.impulse * (4 * theta * theta * sum.speed +
                                    (first ? 2 * theta * (change + 2 * h * crn_norm3(s->state.gravity)) : 0.0) +
                                    rounding + sum.correction);
    bool works = fmax(sum.work, sum.normal_work) > allowed && sum.impulse > 1e-6 * momentum;
    /* a turning sliding direction does work of at most mu/2 |r| |u|; the paradox needs more friction than that */
    double sure = first && first->friction > 0.5 ? 0.005 : 0.03;
    bool jumps = works && sum.work > sure * sum.impulse * contact_speed && sum.impulse > 0.1 * momentum;
    *shows = jumps ? JUMPS : works ? WORKS : SMOOTH;
    return sum.impulse;
}

/* The contact of a stage with the worst verdict; 0 if all are smooth. */
static uint64_t worst_contact(const cairn_simulation *s, const crn_stage *stage, double h, verdict *worst)
{
    uint64_t identity = 0;
    for (int j = 0; j < stage->assembly.problem.contact_count && *worst != JUMPS; ++j)
    {
        verdict shows;
        if (!crn_is_gap(&stage->assembly, j))
            continue; /* its force has bounds, and drives may do work */
        impulse_of(s, stage->assembly.active[j].identity, h, &shows);
        identity = shows > *worst ? stage->assembly.active[j].identity : identity;
        *worst = shows > *worst ? shows : *worst;
    }
    return identity;
}

cairn_status crn_velocity_jumped(cairn_simulation *s, double h, bool strict, bool *jumped)
{
    assert(h > 0);
    verdict worst = SMOOTH, ignored;
    *jumped = false;
    if (s->stage_count != CRN_STAGES)
        return CAIRN_OK;
    uint64_t last = worst_contact(s, &s->stage[1], h, &worst), first = worst_contact(s, &s->stage[0], h, &worst);
    *jumped = worst == JUMPS || (strict && worst == WORKS);
    if (worst != WORKS || strict)
        return CAIRN_OK;
    uint64_t identity = first ? first : last;
    cairn_solver_report report = {0};
    double whole = impulse_of(s, identity, h, &ignored);
    cairn_status status = crn_advance(s, SHORTER * h, &report);
    *jumped = status == CAIRN_OK && impulse_of(s, identity, SHORTER * h, &ignored) > 0.5 * whole;
    return status || *jumped ? status : crn_advance(s, h, &report);
}
