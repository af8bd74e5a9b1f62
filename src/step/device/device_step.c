/* Steps on the device, and what the simulation knows of them afterwards.
 *
 * The account. With x+ = x + h v+, the work of gravity over a step and the change of its potential differ by the scheme's own gain
 * -h/2 m g (v+ - v), whose sum over equal steps depends on both ends alone. What is left of the change of kinetic energy is the work of
 * the contacts. Where every step was certified, the device has measured that work from the impulses, and the balance compares the two;
 * otherwise the contacts' work is that difference, and is booked as normal work.
 */
#include "base/hash.h"
#include "math/vec.h"
#include "model/names.h"
#include "step/account/account.h"
#include "step/events/events.h"
#include "step/keep/shelf.h"
#include "step/schemes/rotors.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------ open and close */

void crn_device_forget(crn_device *device)
{
    char sentence[CRN_GPU_SENTENCE];
    if (device && device->ahead.is_running)
        crn_device_catch_up(device, sentence);
    if (device && device->world)
        device->gpu->close(device->world);
    if (!device)
        return;
    device->world = NULL;
    device->window_first = device->window_count = 0; /* contacts and motions are those of another state */
    device->view.count = device->view.some_count = 0;
}

void crn_device_close(crn_device *device)
{
    if (!device)
        return;
    crn_device_forget(device);
    cairn_solver_destroy(device->finish.solver);
    crn_arena_release(&device->memory);
    crn_arena_release(&device->sending);
    crn_arena_release(&device->audit.listed);
    crn_arena_release(&device->before.memory);
    crn_linked_free(&device->audit.linked);
    free(device);
}

static cairn_status check_memory(const cairn_simulation *s, const crn_device *device,
                                 const crn_gpu_description *description)
{
    char name[CRN_GPU_SENTENCE], sentence[CRN_GPU_SENTENCE] = "";
    size_t room = 0, need = device->gpu->estimate(description);
    const double gigabyte = 1e9;
    if (!device->gpu->device(name, &room, sentence))
        return crn_device_fail(s, CAIRN_IO, "%s", sentence);
    if (need > room)
        return crn_device_fail(s, CAIRN_NO_MEMORY, "%d bodies take about %.1f GB, but %s has %.1f GB free",
                               device->bodies, (double)need / gigabyte, name, (double)room / gigabyte);
    return CAIRN_OK;
}

static uint64_t hash_of(const cairn_simulation *s)
{
    size_t nq = (size_t)s->layout->q_start[s->layout->block_count];
    size_t nv = (size_t)s->layout->block_start[s->layout->block_count];
    return crn_hash_words(crn_hash_words(nq, s->state.q, nq), s->state.v, nv);
}

/* Note what the device knows, to see when the state was changed by somebody else. Motions that are not here nobody can change. */
void crn_device_remember(const cairn_simulation *s)
{
    if (crn_motions_are_here(s))
        s->device->known = hash_of(s);
    s->device->friction = s->state.friction;
}

bool crn_device_is_known(const cairn_simulation *s)
{
    const crn_device *device = s->device;
    bool friction = device->friction == s->state.friction || (isnan(device->friction) && isnan(s->state.friction));
    return device->world && friction && (!crn_motions_are_here(s) || device->known == hash_of(s));
}

/* Send the state to the device. */
static cairn_status send(cairn_simulation *s, crn_device *device)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_gpu_description description;
    crn_device_forget(device);
    if (crn_device_is_shared(s))
        crn_located_release(s); /* ranks find contacts themselves */
    CRN_TRY(crn_device_describe(s, device, &description));
    CRN_TRY(crn_device_take_kept(s, device, &description));
    description.pipeline = device->pipeline;
    description.ranks = crn_device_ranks(s->context);
    CRN_TRY(check_memory(s, device, &description));
    device->world = device->gpu->open(&description, sentence);
    if (!device->world)
        return crn_device_fail(s, CAIRN_IO, "%s", sentence);
    crn_device_remember(s);
    if (s->state.shelf)
        s->state.shelf->has_motions = false; /* the ranks have them */
    CRN_TRY(crn_device_is_shared(s) ? crn_device_hand_over(s, device) : CAIRN_OK);
    free(s->state.device_kept); /* the device has it now */
    s->state.device_kept = NULL;
    s->state.device_kept_count = s->state.device_kept_capacity = 0;
    return CAIRN_OK;
}

cairn_status crn_device_open(cairn_simulation *s)
{
    crn_device_close(s->device);
    s->device = calloc(1, sizeof *s->device);
    if (!s->device)
        return crn_device_fail(s, CAIRN_NO_MEMORY, "memory ran out");
    if (crn_device_is_shared(s))
        crn_located_release(s);
    crn_gpu_description description;
    CRN_TRY(crn_device_describe(s, s->device, &description)); /* what is wrong with the scene comes first */
    const crn_gpu_table *library = crn_device_library(s->context, s->settings.device);
    s->device->gpu = library && s->settings.device == CAIRN_DEVICE_RANKS ? crn_crew_table() : library;
    s->device->pipeline = library;
    return library ? send(s, s->device) : CAIRN_IO;
}

/* ------------------------------------------------------------------------------------------------------------ account */

/* J: the scheme's own gain, from the velocities at both ends. */
static double gain_of(const cairn_simulation *s, double h)
{
    double sum = 0;
    for (int k = 0; k < s->layout->body_block_count; ++k)
    {
        const double *before = s->device->before.v + s->layout->block_start[k],
                     *after = s->state.v + s->layout->block_start[k];
        for (int i = 0; i < 3; ++i)
            sum -= 0.5 * h * s->layout->mass[s->layout->block_body[k]] * s->state.gravity[i] * (after[i] - before[i]);
    }
    return sum;
}

/* works: J, what joints, springs and forces have done; sums: of motions that are not here. */
static void book(cairn_simulation *s, double h, double works, const crn_device_sums *sums)
{
    cairn_energy *e = &s->state.energy;
    const crn_gpu_report *r = &s->device->report;
    crn_potentials now =
        sums ? (crn_potentials){.gravity = sums->gravity} : crn_potentials_at(s, &s->located.frame, s->state.q);
    double rotors = crn_rotor_kinetic(s, s->state.v), spun_up = rotors - s->device->rotors;
    double kinetic = sums ? sums->kinetic : crn_kinetic(s), gain = sums ? sums->gain : gain_of(s, h);
    double fell = now.gravity - s->state.potentials.gravity - r->lifted;
    double gravity = gain - fell, contacts = kinetic - e->kinetic - spun_up - gravity - works;
    bool is_measured = r->certified == r->steps;
    e->work_gravity += gravity;
    e->projection += r->lifted;
    e->integration += gain + spun_up + (now.elastic - s->state.potentials.elastic);
    e->work_contact_normal += is_measured ? r->work_normal : contacts;
    e->work_friction += is_measured ? r->work_friction : 0.0;
    e->work_gyroscopic += is_measured ? r->work_gyroscopic : 0.0;
    s->state.potentials = now;
    if (sums)
        crn_close_balance_with(s, kinetic, rotors);
    else
        crn_close_balance(s);
}

static void fill_report(cairn_simulation *s)
{
    const crn_gpu_report *r = &s->device->report;
    cairn_step_report *report = &s->state.report;
    double relative = r->scale > 0 ? r->worst / r->scale : 0.0;
    *report = (cairn_step_report){.time = s->state.t,
                                  .step = s->state.step,
                                  .parts = r->steps,
                                  .problems = r->steps,
                                  .contacts = r->contacts,
                                  .penetration = r->penetration,
                                  .held_overlaps = r->held,
                                  .projection_met = true,
                                  .energy = s->state.energy};
    cairn_outcome missed = s->settings.accuracy == CAIRN_ACCURACY_EXACT ? CAIRN_MISSED : CAIRN_LIMITED;
    report->solver = (cairn_solver_report){.outcome = relative > s->settings.solver.tolerance ? missed : CAIRN_SOLVED,
                                           .iterations = (int)(r->sweeps + s->device->finish.iterations),
                                           .fallbacks = r->left,
                                           .culprit = -1,
                                           .method = r->left > 0 ? "device sweeps, processor" : "device sweeps"};
    report->solver.certificate = (cairn_certificate){.natural_map = r->worst,
                                                     .penetration_speed = r->approach,
                                                     .scale = r->scale,
                                                     .relative = relative,
                                                     .worst_contact = -1};
    if (!s->ledger.audit)
        return;
    report->physics.audited = s->device->audit.done;
    report->physics.violations = crn_audit_found(s->ledger.audit);
    report->physics.forbidden = crn_audit_forbidden(s->ledger.audit, s->settings.allow);
}

/* --------------------------------------------------------------------------------------------------------------- step */

/* Take up the state after the steps. */
static cairn_status take_up(cairn_simulation *s, double h, int count)
{
    double works;
    crn_device_sums sums, *away = crn_motions_are_here(s) ? NULL : &sums;
    CRN_TRY(away ? crn_device_add_motions(s, h, away) : crn_device_read_motions(s));
    CRN_TRY(crn_device_read_works(s, &works));
    crn_set_time(s, s->state.t, h, count);
    if (!s->located.collider) /* the audit has not asked for contacts */
        crn_poses_release(s);
    crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t, s->settings.step);
    crn_remember_angles(s);
    s->state.located_h = 0;
    s->located.contact_count = 0;
    s->state.contacts_listed = false;
    s->device->window_first = s->device->window_count = 0;
    s->bulk.fresh = false;
    s->device->has_answer = false;
    book(s, h, works, away);
    return away ? crn_device_check_sums(s, away) : crn_check_range(s);
}

/* The list of contacts before the steps is of no use, and of ranks it may be long. Nor is what the state still had in a file. */
static void drop_contacts(cairn_simulation *s)
{
    const size_t many = 1 << 15;
    assert(!s->state.contacts_listed);
    crn_shelf_close(s->state.shelf);
    s->state.shelf = NULL;
    if (!crn_device_is_shared(s) || s->state.contact_capacity <= many)
        return;
    free(s->state.contacts);
    s->state.contacts = NULL;
    s->state.contact_count = s->state.contact_capacity = 0;
}

/* Take up a state whose motions stay with the ranks. If it is of no use, they say how the bodies moved before. */
static cairn_status arrive_away(cairn_simulation *s, double h, int count)
{
    crn_state before = s->state;
    cairn_status status = take_up(s, h, count);
    if (status)
    {
        before.contacts_listed = false;
        before.q = s->state.q;
        before.v = s->state.v;
        s->state = before;
        (void)crn_device_recall_origin(s);
        crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t, s->settings.step);
        return status;
    }
    if (!s->device->before.is_awaited)
        CRN_TRY(crn_device_drop_origin(s));
    drop_contacts(s);
    crn_device_remember(s);
    return CAIRN_OK;
}

/* The same; if the numbers are of no use, the state stays as it was before the steps. */
static cairn_status arrive(cairn_simulation *s, double h, int count)
{
    crn_state before = s->state;
    cairn_status noted = crn_device_note_motions(s), status = noted ? noted : take_up(s, h, count);
    if (status)
    {
        before.contacts_listed = false;
        s->state = before; /* its arrays are the same, and hold what is restored here */
        if (!noted)
            crn_device_recall_motions(s);
        crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t, s->settings.step);
        crn_device_forget(s->device);
    }
    if (status || !s->device->before.is_awaited)
        crn_device_drop_motions(s);
    if (status)
        return status;
    drop_contacts(s);
    crn_device_remember(s);
    return CAIRN_OK;
}

/* The device knows a body by its number there. */
static cairn_status say_failure(cairn_simulation *s, int count, const char *sentence)
{
    const crn_device *device = s->device;
    int faulty = s->settings.device == CAIRN_DEVICE_GPU ? device->report.faulty : 0;
    if (faulty > 0)
    {
        crn_device_forget(s->device); /* it takes no more steps; a shorter call may */
        return crn_device_fail(s, CAIRN_INVALID, "step %lld and the %d after it: force '%s' has no finite value",
                               (long long)s->state.step + 1, count - 1,
                               s->model->forces[device->force[faulty - 1].index].name);
    }
    long long step = (long long)s->state.step + 1;
    if (device->report.lost == 0)
        return crn_device_fail(s, CAIRN_IO, "step %lld and the %d after it: %s", step, count - 1, sentence);
    return crn_device_fail(
        s, CAIRN_NUMERIC,
        "step %lld and the %d after it: body '%s' is no longer at any place, or too fast: the step is too long for it",
        step, count - 1, crn_body_name(s->model, crn_device_body_of(s, device, device->report.lost - 1)));
}

/* Tell the device what acts in the steps to come. */
static cairn_status prepare(cairn_simulation *s, double h, int count)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_device *device = s->device;
    const crn_gpu_pull pull = crn_device_pull(s, device);
    device->rotors = crn_rotor_kinetic(s, s->state.v);
    CRN_TRY(crn_device_drives(s, device, s->state.t, h, count));
    if ((device->forces > 0 || pull.body >= 0 || device->was_pulled) &&
        !device->gpu->load(device->world, device->load, count, &pull, sentence))
        return crn_device_fail(s, CAIRN_IO, "%s", sentence);
    device->was_pulled = pull.body >= 0;
    device->finish.status = CAIRN_OK;
    return CAIRN_OK;
}

/* Take steps, or wait for those that are under way, and read the state back. */
static cairn_status advance(cairn_simulation *s, double h, int count)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_device *device = s->device;
    bool is_ahead = device->ahead.is_running, is_away = !crn_motions_are_here(s);
    if (!is_ahead)
        CRN_TRY(prepare(s, h, count));
    if (is_away)
        crn_crew_keep_origin(device->world);
    device->has_origin = is_away;
    if (!(is_ahead ? crn_device_catch_up(device, sentence)
                   : device->gpu->step(device->world, h, count, s->state.gravity, device->drive, device->time,
                                       &device->report, sentence)))
    {
        cairn_status status = is_away ? crn_device_recall_origin(s) : CAIRN_OK;
        return status ? status : say_failure(s, count, sentence);
    }
    if (device->finish.status)
    {
        crn_device_forget(device); /* it is ahead of the state */
        return device->finish.status;
    }
    return is_away ? arrive_away(s, h, count) : arrive(s, h, count);
}

/* A report of both parts of a batch; contacts and overlaps are those of the second. */
static void join_reports(const crn_gpu_report *first, crn_gpu_report *both)
{
    bool is_worse = first->certified > 0 && first->worst * both->scale > both->worst * first->scale;
    both->steps += first->steps;
    both->certified += first->certified;
    both->sweeps += first->sweeps;
    both->most_sweeps = first->most_sweeps > both->most_sweeps ? first->most_sweeps : both->most_sweeps;
    both->left += first->left;
    both->held += first->held;
    both->grown += first->grown;
    if (!is_worse)
        return;
    both->worst = first->worst;
    both->mean = first->mean;
    both->approach = first->approach;
    both->scale = first->scale;
}

/* The last step of a batch is looked at by the audit. */
static cairn_status advance_audited(cairn_simulation *s, double h, int count)
{
    crn_gpu_report first = {0};
    if (count > 1)
    {
        CRN_TRY(advance(s, h, count - 1));
        first = s->device->report;
    }
    bool is_late = crn_device_audits_late(s);
    CRN_TRY(is_late ? crn_device_audit_ready(s, h) : crn_device_audit_begin(s, h));
    if (is_late)
        crn_crew_keep_start(s->device->world);
    s->device->before.is_awaited = is_late;
    cairn_status status = advance(s, h, 1);
    if (!status)
        status = is_late ? crn_device_audit_late(s, h) : crn_device_audit_end(s, h);
    if (is_late)
    {
        crn_device_drop_motions(s);
        status = status ? status : crn_device_drop_origin(s);
    }
    s->device->before.is_awaited = false;
    CRN_TRY(status);
    join_reports(&first, &s->device->report);
    return CAIRN_OK;
}

static bool has_planes(const cairn_model *model)
{
    for (size_t i = 0; i < model->statistic_count; ++i)
        if (model->statistics[i].has_plane)
            return true;
    return false;
}

/* Where bodies are before the batch, if somebody asks what passes a plane. */
static cairn_status note_places(cairn_simulation *s)
{
    size_t nq = (size_t)s->layout->q_start[s->layout->block_count];
    if (!has_planes(s->model))
        return CAIRN_OK;
    if (crn_reserve_all(&s->device->memory, CRN_ARRAY(s->device->q_start, nq)))
        return crn_device_fail(s, CAIRN_NO_MEMORY, "memory ran out");
    crn_copy_q(s->layout, s->state.q, s->device->q_start);
    return CAIRN_OK;
}

/* A world on the device that is that of the state. */
static cairn_status get_ready(cairn_simulation *s)
{
    if (!s->device || !s->device->gpu)
        CRN_TRY(crn_device_open(s)); /* the simulation has followed its model */
    if (crn_device_is_known(s))
        return CAIRN_OK;
    CRN_TRY(crn_motions_are_shelved(s) ? CAIRN_OK : crn_motions_fetch(s));
    return send(s, s->device);
}

cairn_status crn_device_begin(cairn_simulation *s, double h, int count)
{
    CRN_TRY(get_ready(s));
    CRN_TRY(crn_motions_fetch(s));                                  /* the state is read while the ranks are busy */
    bool needs_host = s->settings.accuracy == CAIRN_ACCURACY_EXACT; /* steps may be left to the processor's solvers */
    if (needs_host || crn_device_audit_is_due(s, count))
        return CAIRN_OK;
    const double frame_h = s->located.frame.h;
    CRN_TRY(prepare(s, h, count));
    crn_frame_prescribe(&s->located.frame, s->layout, s->state.t, frame_h); /* as it was: it is read meanwhile */
    crn_device_ahead *ahead = &s->device->ahead;
    ahead->h = h;
    ahead->count = count;
    memcpy(ahead->gravity, s->state.gravity, sizeof ahead->gravity);
    (void)crn_device_run_ahead(s->device); /* without a thread they are taken when they are finished */
    return CAIRN_OK;
}

cairn_status crn_device_step(cairn_simulation *s, double h, int count)
{
    assert(count > 0 && h > 0);
    bool is_ahead = s->device && s->device->ahead.is_running;
    assert(!is_ahead || (s->device->ahead.count == count && s->device->ahead.h == h));
    if (!is_ahead)
        CRN_TRY(get_ready(s));
    double t = s->state.t;
    bool is_due = !is_ahead && crn_device_audit_is_due(s, count);
    if (!is_ahead && crn_device_leaves_motions(s) && (!is_due || crn_device_audits_late(s)))
        crn_device_let_motions_go(s);
    else
        CRN_TRY(crn_motions_fetch(s));
    CRN_TRY(note_places(s));
    s->device->finish.iterations = 0;
    if (s->ledger.audit)
        crn_audit_begin(s->ledger.audit); /* nothing is found in this batch yet */
    CRN_TRY(is_due ? advance_audited(s, h, count) : advance(s, h, count));
    s->device->audit.done = is_due;
    s->ledger.is_asked = s->ledger.is_asked && !is_due;
    crn_book_flow(s, s->device->q_start, t, count);
    fill_report(s);
    return CAIRN_OK;
}
