/* The physics certificate of a step on the device: that of the last step of a batch, every so many steps.
 *
 * The processor's search at both ends takes some microseconds per body, a thousand times what the device takes for a step of many bodies. So audits are
 * counted out: a batch is audited if its steps pass a multiple of `audit_every`, which is the same in a run that is resumed.
 *
 * The audit gets what it gets of the processor's steps (step/account/ledger.h): velocities before and after, the device's contacts with their
 * impulses, those of joints, springs, forces and gyroscopic moments, and at both ends the contacts that the processor's own collision detection finds. On a
 * device, states and impulses are in single precision, and impulses are judged as exactly as that (SINGLE). For the same reason the works in the account are not
 * compared. Ranks compute in double precision; process 0 audits the whole where they do not look at it themselves, or are in doubt (device_late.c).
 */
#include "formulate/drag_spring.h"
#include "formulate/rolling.h"
#include "formulate/springs.h"
#include "formulate/surface/cohesion.h"
#include "math/vec.h"
#include "model/shape/shape_class.h"
#include "step/account/ledger_internal.h"
#include "step/schemes/rotors.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SINGLE = 1e-6; /* a few roundings of a float, for each of which the audit allows 20 */

static double tolerance_of(const cairn_simulation *s)
{
    double tolerance = s->settings.solver.tolerance;
    return s->settings.device == CAIRN_DEVICE_RANKS ? tolerance : fmax(SINGLE, tolerance);
}

/* ------------------------------------------------------------------------------------------------------ the cadence */

static int64_t steps_between(const cairn_simulation *s)
{
    const int64_t bodies_per_step = 10, most = 10000;
    int64_t by_size = ((int64_t)s->model->body_count + s->model->unmade.count) / bodies_per_step;
    return s->settings.audit_every > 0 ? s->settings.audit_every : by_size < 1 ? 1 : by_size < most ? by_size : most;
}

bool crn_device_audit_is_due(const cairn_simulation *s, int count)
{
    int64_t every = steps_between(s);
    return s->ledger.audit && (s->ledger.is_asked || s->state.step / every != (s->state.step + count) / every);
}

/* ------------------------------------------------------------------------------------------------------ the start */

static void read_velocities(const cairn_simulation *s, double (*out)[6])
{
    crn_ledger_read_velocities(s, s->state.v, out);
    for (int b = 0; s->located.frame.any_driven && b < (int)s->model->body_count; ++b)
        if (s->model->bodies[b].kind == CAIRN_DRIVEN)
            memcpy(out[b], s->located.frame.drive[b], sizeof out[b]);
}

/* x of A x = b, A given by its rows. */
static void solve33(const double A[9], const double b[3], double x[3])
{
    double cross[3][3];
    for (int k = 0; k < 3; ++k)
        crn_cross3(A + 3 * ((k + 1) % 3), A + 3 * ((k + 2) % 3), cross[k]);
    double determinant = crn_dot3(A, cross[0]);
    for (int i = 0; i < 3; ++i)
        x[i] = (b[0] * cross[0][i] + b[1] * cross[1][i] + b[2] * cross[2][i]) / determinant;
}

void crn_device_turn_impulse(bool is_implicit, const double I[9], const double w[3], double h, double out[3])
{
    double L[3], moment[3];
    if (crn_is_isotropic(I))
        return;
    crn_rotate3(I, w, L);
    crn_cross3(w, L, moment);
    crn_scale3(-h, moment, out);
    if (!is_implicit)
        return;
    const double A[9] = {I[0], I[1] + h * L[2], I[2] - h * L[1], I[3] - h * L[2],
                         I[4], I[5] + h * L[0], I[6] + h * L[1], I[7] - h * L[0],
                         I[8]};
    double free[3], change[3];
    solve33(A, L, free);
    crn_sub3(free, w, change);
    crn_rotate3(I, change, out);
}

static void add_turns(cairn_simulation *s, double h)
{
    bool is_implicit = s->settings.integrator != CAIRN_INTEGRATOR_EULER;
    for (int k = 0; k < s->layout->body_block_count; ++k)
    {
        int body = s->layout->block_body[k];
        const crn_matrix3 inertia = crn_inertia_of(&s->layout->inertia, body);
        if (s->layout->block_start[k + 1] - s->layout->block_start[k] == 6)
            crn_device_turn_impulse(is_implicit, inertia.m, s->state.v + s->layout->block_start[k] + 3, h,
                                    s->device->audit.outer[body] + 3);
    }
}

void crn_device_force_impulse(const crn_gpu_force *force, const crn_gpu_load *load, const double R[9], bool is_point,
                              double h, double out[6])
{
    double F[3], T[3], arm[3], moment[3];
    memcpy(F, load->force, sizeof F);
    memcpy(T, load->torque, sizeof T);
    if (force->is_own)
    {
        crn_rotate3(R, F, F);
        crn_rotate3(R, T, T);
    }
    crn_rotate3(R, force->point, arm);
    crn_cross3(arm, F, moment);
    crn_add3(T, moment, T);
    crn_unrotate3(R, T, T);
    crn_madd3(out, h, F, out);
    crn_madd3(out + 3, is_point ? 0.0 : h, T, out + 3);
}

static void add_force(cairn_simulation *s, int i, double h)
{
    const crn_device *device = s->device;
    int body = s->model->forces[device->force[i].index].body;
    crn_device_force_impulse(&device->force[i].at, &device->load[i], s->located.frame.pose[body].R,
                             s->model->bodies[body].point, h, device->audit.outer[body]);
}

static void add_pull(cairn_simulation *s, double h)
{
    const crn_input in = {.layout = s->layout,
                          .frame = &s->located.frame,
                          .gravity = s->state.gravity,
                          .q = s->state.q,
                          .v = s->state.v,
                          .h = h};
    double f[6], *out = s->device->audit.outer[s->state.pull.body];
    crn_drag_spring_force(&s->state.pull, &in, f);
    for (int k = 0; k < 6; ++k)
        out[k] += h * f[k];
}

/* What forces and gyroscopic moments do in the step to come. */
static cairn_status read_outer(cairn_simulation *s, double h)
{
    crn_device *device = s->device;
    memset(device->audit.outer, 0, s->model->body_count * sizeof *device->audit.outer);
    add_turns(s, h);
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->load, device->forces)));
    CRN_TRY(crn_device_time_forces(s, device, s->state.t, true, device->load));
    for (int i = 0; i < device->forces; ++i)
        add_force(s, i, h);
    if (s->state.pulled)
        add_pull(s, h);
    return CAIRN_OK;
}

static cairn_status reserve(cairn_simulation *s)
{
    crn_device *device = s->device;
    size_t bodies = s->model->body_count, springs = s->model->spring_count;
    return crn_reserve_all(&device->memory, CRN_ARRAY(device->audit.before, bodies),
                           CRN_ARRAY(device->audit.after, bodies), CRN_ARRAY(device->audit.drive, bodies),
                           CRN_ARRAY(device->audit.outer, bodies),
                           CRN_ARRAY(device->audit.inner, springs > 0 ? bodies : 0),
                           CRN_ARRAY(device->audit.pose, bodies), CRN_ARRAY(device->audit.gradient, 3 * springs));
}

cairn_status crn_device_audit_begin(cairn_simulation *s, double h)
{
    crn_device_audit *audit = &s->device->audit;
    CRN_TRY(reserve(s));
    CRN_TRY(crn_locate(s, h));
    crn_audit_begin(s->ledger.audit);
    CRN_TRY(crn_audit_from(s->ledger.audit, s->located.contacts, s->located.contact_count, false));
    memcpy(audit->pose, s->located.frame.pose, s->model->body_count * sizeof *audit->pose);
    read_velocities(s, audit->before);
    memcpy(audit->drive, audit->before, s->model->body_count * sizeof *audit->drive);
    for (int i = 0; i < (int)s->model->spring_count; ++i)
    {
        double phi[3];
        crn_spring_coordinates(s->model, &s->located.frame, i, s->state.spring_angle[i], phi, audit->gradient + 3 * i);
    }
    return read_outer(s, h);
}

/* -------------------------------------------------------------------------------------------------------- the end */

void crn_device_spring_pulls(const cairn_simulation *s, const crn_gpu_joint *spring, const crn_gpu_joint_row *row,
                             const crn_gradient gradient[3], double pull[2][6])
{
    for (int k = 0; k < spring->rows; ++k)
    {
        double sign = spring->row[k].function == CRN_GPU_MEET ? -1.0 : 1.0; /* x_a - x_b there, x_b - x_a here */
        for (int side = 0; side < 2; ++side)
        {
            int body = gradient[k].body[side];
            for (int i = 0; body >= 0 && s->layout->body_block[body] >= 0 && i < (s->model->bodies[body].point ? 3 : 6);
                 ++i)
                pull[side][i] += sign * row[k].impulse * gradient[k].g[side][i];
        }
    }
}

static void add_spring(cairn_simulation *s, int index, const crn_gpu_joint *spring, const crn_gpu_joint_row *row)
{
    const crn_device_audit *audit = &s->device->audit;
    const crn_gradient *gradient = &audit->gradient[3 * index];
    double pull[2][6] = {{0}};
    crn_device_spring_pulls(s, spring, row, gradient, pull);
    for (int side = 0; side < 2 && spring->rows > 0; ++side)
        for (int i = 0; i < 6 && gradient->body[side] >= 0; ++i)
            audit->inner[gradient->body[side]][i] += pull[side][i];
}

static void read_inner(cairn_simulation *s)
{
    crn_device *device = s->device;
    int joints = (int)s->model->joint_count;
    memset(device->audit.inner, 0, s->model->body_count * sizeof *device->audit.inner);
    for (int i = 0; i < device->joints; ++i)
        if (device->joint_of[i] >= joints)
            add_spring(s, device->joint_of[i] - joints, &device->joint[i], &device->joint_row[i * CRN_GPU_ROWS]);
}

/* A contact of the device where it acted, at the start of the step. */
static void read_contact(const cairn_simulation *s, const crn_gpu_contact *from, crn_piece_contact *to)
{
    const crn_device *device = s->device;
    crn_contact c = crn_device_contact_at(s, from, device->audit.pose, to->impulse);
    crn_rolling rolling = crn_contact_rolling(s->model, &c);
    crn_cohesion cohesion = s->model->coheres ? crn_contact_cohesion(s->layout, &c) : (crn_cohesion){0, 0};
    double sign = crn_dot3(c.normal, from->normal) < 0 ? -1.0 : 1.0;
    to->body_a = c.body_a;
    to->body_b = c.body_b;
    to->identity = c.identity;
    memcpy(to->point_a, c.point_a, sizeof to->point_a);
    memcpy(to->point_b, c.point_b, sizeof to->point_b);
    memcpy(to->point_before[0], c.point_a, sizeof to->point_a);
    memcpy(to->point_before[1], c.point_b, sizeof to->point_b);
    memcpy(to->normal, c.normal, sizeof to->normal);
    memcpy(to->normal_before, c.normal, sizeof to->normal_before);
    crn_scale3(sign, from->moment, to->moment);
    to->gap = to->gap_before = c.gap;
    to->friction = c.friction;
    to->restitution = c.restitution;
    to->rolling = rolling.rolling;
    to->spinning = rolling.spinning;
    to->cohesion = cohesion.force;
    to->range = cohesion.range;
    to->last = true;
    to->rim = crn_is_turned(s->model->shapes[c.shape_a].kind) || crn_is_turned(s->model->shapes[c.shape_b].kind);
}

/* Those of the device's contacts that the audit looks at. */
static void add_contacts(cairn_simulation *s, int count)
{
    crn_device *device = s->device;
    for (int i = 0; i < count; ++i)
    {
        const crn_gpu_contact *from = &device->contact[i];
        crn_piece_contact *to = &device->audit.contact[device->audit.contacts];
        *to = (crn_piece_contact){0};
        if (crn_norm3(from->impulse) == 0 && !s->model->coheres)
            continue;
        read_contact(s, from, to);
        ++device->audit.contacts;
    }
}

static int by_identity(const void *a, const void *b)
{
    const crn_piece_contact *x = a, *y = b;
    return (x->identity > y->identity) - (x->identity < y->identity);
}

/* Ranks tell them a part at a time, so that process 0 has them once. They get into the order of their identities: sums over them do not depend on the ranks. */
static cairn_status read_parts(cairn_simulation *s, int all)
{
    crn_device_audit *audit = &s->device->audit;
    for (int done = 0, count; done < all; done += count)
    {
        int begin = audit->contacts;
        CRN_TRY(crn_device_next_contacts(s, done == 0, &count));
        if (count > all - done)
            return crn_device_fail(s, CAIRN_IO, "the ranks list too many contacts");
        add_contacts(s, count);
        qsort(audit->contact + begin, (size_t)(audit->contacts - begin), sizeof *audit->contact, by_identity);
        assert(begin == 0 || begin == audit->contacts ||
               audit->contact[begin - 1].identity <= audit->contact[begin].identity);
    }
    return CAIRN_OK;
}

static cairn_status read_contacts(cairn_simulation *s)
{
    crn_device *device = s->device;
    int all = device->report.contacts;
    CRN_TRY(crn_reserve_all(&device->audit.listed, CRN_ARRAY(device->audit.contact, all)));
    device->audit.contacts = 0;
    if (crn_device_is_shared(s))
        return read_parts(s, all);
    CRN_TRY(crn_device_list_contacts(s));
    add_contacts(s, all);
    return CAIRN_OK;
}

/* Judge the end by the contacts that the processor finds there. */
static cairn_status end(cairn_simulation *s, double h)
{
    crn_device_audit *audit = &s->device->audit;
    CRN_TRY(crn_locate(s, s->settings.step));
    read_velocities(s, audit->after);
    const crn_audit_motion motion = {.t = s->state.t - h,
                                     .h = h,
                                     .left = s->device->report.worst,
                                     .tolerance = tolerance_of(s),
                                     .before = audit->before,
                                     .after = audit->after,
                                     .projection_tolerance = s->settings.projection_tolerance,
                                     .book_kinetic = s->state.energy.kinetic - crn_rotor_kinetic(s, s->state.v)};
    crn_audit_end(s->ledger.audit, &motion, s->located.contacts, s->located.contact_count);
    return CAIRN_OK;
}

crn_piece crn_device_audit_piece(const cairn_simulation *s, double h)
{
    bool pushes = s->settings.stabilisation == CAIRN_STABILISE_GAP;
    crn_piece piece = {.t = s->state.t - h,
                       .h = h,
                       .drift_time = pushes ? h : INFINITY,
                       .left = s->device->report.worst,
                       .tolerance = tolerance_of(s),
                       .speed = s->settings.step * crn_norm3(s->state.gravity),
                       .threshold = s->settings.restitution_threshold,
                       .crowded = s->device->report.held > 0,
                       .cone = s->settings.law.kind == CAIRN_LAW_FRICTIONLESS ? 0.0
                               : s->settings.law.kind == CAIRN_LAW_BOX        ? sqrt(2.0)
                                                                              : 1.0,
                       .lifts = cairn_law_lifts_off(s->settings.law.kind)};
    for (int k = 0; k < 3; ++k)
        piece.fall[k] = h * s->state.gravity[k];
    return piece;
}

cairn_status crn_device_audit_end(cairn_simulation *s, double h)
{
    crn_device_audit *audit = &s->device->audit;
    CRN_TRY(read_contacts(s));
    read_velocities(s, audit->after);
    if (s->model->spring_count > 0)
        read_inner(s);
    crn_piece piece = crn_device_audit_piece(s, h);
    piece.pose = audit->pose;
    piece.coordinate = s->state.coordinate;
    piece.before = audit->before;
    piece.after = audit->after;
    piece.outer = audit->outer;
    piece.inner = s->model->spring_count > 0 ? audit->inner : NULL;
    piece.place[0] = (crn_piece_place){audit->pose, audit->drive, audit->drive,
                                       s->model->joint_count > 0 ? s->ledger.joint_total : NULL};
    piece.place_count = 1;
    piece.contacts = audit->contact;
    piece.contact_count = audit->contacts;
    if (s->ledger.watch)
        s->ledger.watch(s->ledger.watch_data, &piece);
    CRN_TRY(crn_audit_piece(s->ledger.audit, &piece));
    if (!crn_device_is_shared(s))
        return end(s, h);
    crn_arena_release(&audit->listed); /* before contacts are looked for once more */
    audit->contact = NULL;
    cairn_status status = end(s, h);
    crn_located_release(s); /* ranks find contacts themselves until the next audit */
    return status;
}
