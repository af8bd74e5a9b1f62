#include "domain/domain.h"

#include <math.h>
#include <stdio.h>

bool crn_domain_fail(crn_domain *domain, const char *sentence)
{
    snprintf(domain->sentence, sizeof domain->sentence, "%s", sentence);
    return false;
}

/* What a rank that cannot go on says. */
typedef struct complaint
{
    int32_t rank;
    char sentence[CRN_GPU_SENTENCE];
} complaint;

/* Whether it says no more than that somebody else has failed. */
static bool is_hearsay(const complaint *one)
{
    static const char WORDS[] = "another rank ";
    return !strncmp(one->sentence, WORDS, sizeof WORDS - 1);
}

bool crn_domain_agree(crn_domain *domain, bool good)
{
    size_t size;
    complaint mine = {.rank = domain->ranks->rank};
    memcpy(mine.sentence, domain->sentence, sizeof mine.sentence);
    const complaint *all = domain->ranks->gather(domain->ranks->context, &mine, good ? 0 : sizeof mine, &size);
    size_t count = size / sizeof mine, told = 0;
    while (told + 1 < count && is_hearsay(&all[told]))
        ++told;
    if (count == 0)
        return true;
    complaint first = all[told];
    bool is_named = first.rank == 0 || !strncmp(first.sentence, "rank ", 5);
    int used = is_named ? 0 : snprintf(domain->sentence, sizeof domain->sentence, "rank %d: ", (int)first.rank);
    snprintf(domain->sentence + used, sizeof domain->sentence - (size_t)used, "%s", first.sentence);
    return false;
}

/* ------------------------------------------------------------------------------------------------------ open and close */

static cairn_status make_room(crn_domain *domain)
{
    size_t ranks = (size_t)domain->ranks->count;
    CRN_TRY(crn_post_open(&domain->post, domain->ranks));
    return crn_reserve_all(&domain->memory, CRN_ARRAY(domain->cut, ranks + 1), CRN_ARRAY(domain->below, 7 * ranks),
                           CRN_ARRAY(domain->force_work, (size_t)domain->scene.description.force_count + 1),
                           CRN_ARRAY(domain->read_work, (size_t)domain->scene.description.force_count + 1),
                           CRN_ARRAY(domain->row, (size_t)domain->scene.description.joint_count * CRN_GPU_ROWS + 1));
}

bool crn_domain_open(crn_domain *domain, cairn_ranks *ranks, const crn_gpu_table *inner, const void *scene, size_t size)
{
    domain->ranks = ranks;
    domain->inner = inner;
    domain->pulled = -1;
    bool good = crn_scene_unpack(&domain->scene, scene, size) == CAIRN_OK && make_room(domain) == CAIRN_OK;
    if (!good)
        crn_domain_fail(domain, "memory ran out");
    if (!inner)
        snprintf(domain->sentence, sizeof domain->sentence,
                 "rank %d cannot open the library libcairn_processor.so where it runs", ranks->rank);
    good = good && inner;
    if (!crn_domain_agree(domain, good))
        return false;
    for (int j = 0; j < domain->scene.description.joint_count; ++j)
        for (int k = 0; k < CRN_GPU_ROWS; ++k)
            domain->row[j * CRN_GPU_ROWS + k].angle = domain->scene.joint[j].angle[k];
    domain->curve =
        crn_curve_in(domain->scene.description.box, domain->scene.low, domain->scene.high, 2 * domain->scene.extent);
    return true;
}

void crn_domain_close(crn_domain *domain)
{
    if (domain->world)
        domain->inner->close(domain->world);
    crn_scene_free(&domain->scene);
    crn_post_free(&domain->post);
    crn_bodies_free(&domain->own);
    crn_ghosts_free(&domain->ghosts);
    crn_local_free(&domain->local);
    crn_domain_drop_start(domain);
    crn_domain_drop_origin(domain);
    crn_arena_release(&domain->memory);
    *domain = (crn_domain){0};
}

/* --------------------------------------------------------------------------------------------------------------- steps */

/* m: how far a body has come since ghosts were chosen, with what its reach has grown by. */
static double worn_by(const crn_domain *domain, const crn_domain_body *body, double sent)
{
    double e[3];
    for (int k = 0; k < 3; ++k)
        e[k] = body->state.x[k] - body->anchor[k];
    double moved = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    return moved + fmax(0.0, crn_body_reach(body, domain->h, domain->g, sent) - body->reach);
}

int64_t crn_domain_work(const crn_domain *domain)
{
    return (int64_t)domain->own.count + domain->report.here;
}

/* How uneven the last step was. */
static void compare_work(crn_domain *domain, double most)
{
    domain->uneven = domain->mean_work > 0 ? most / domain->mean_work : 1.0;
    domain->most_uneven = fmax(domain->most_uneven, domain->uneven);
    domain->uneven_steps += domain->uneven > CRN_UNEVEN_STEP;
}

/* Before a step: whether a body of any rank has worn the skin, or the work of the last step has become uneven. */
static bool is_worn(crn_domain *domain)
{
    double most[2] = {0, (double)crn_domain_work(domain)};
    for (size_t i = 0; i < domain->own.count; ++i)
        most[0] = fmax(most[0], worn_by(domain, &domain->own.body[i], 0.0));
    domain->ranks->reduce_max(domain->ranks->context, most, 2);
    if (domain->steps > 0)
        compare_work(domain, most[1]);
    bool is_uneven = domain->uneven > fmax(CRN_UNEVEN, 1.03 * domain->balance);
    return most[0] > 0.5 * domain->skin || is_uneven;
}

bool crn_domain_suffices(void *data, const double *sent)
{
    crn_domain *domain = data;
    double worn = 0;
    for (size_t i = 0; i < domain->own.count; ++i)
    {
        crn_domain_body *body = &domain->own.body[i];
        body->sent = sent[domain->local.own_place[i]];
        worn = fmax(worn, worn_by(domain, body, body->sent));
    }
    return worn <= 0.5 * domain->skin;
}

static void take_motion(crn_gpu_body *to, const crn_gpu_body *from)
{
    memcpy(to->x, from->x, sizeof to->x);
    memcpy(to->q, from->q, sizeof to->q);
    memcpy(to->v, from->v, sizeof to->v);
    memcpy(to->w, from->w, sizeof to->w);
}

/* What joints did in a step. */
static bool take_rows(crn_domain *domain)
{
    int joints = domain->local.description.joint_count;
    if (joints == 0)
        return true;
    if (!domain->inner->read_joints(domain->world, domain->read_row, domain->sentence))
        return false;
    for (int i = 0; i < joints * CRN_GPU_ROWS; ++i)
    {
        crn_gpu_joint_row *row =
            &domain->row[domain->local.global_joint[i / CRN_GPU_ROWS] * CRN_GPU_ROWS + i % CRN_GPU_ROWS];
        crn_gpu_joint_row before = *row;
        *row = domain->read_row[i];
        row->work += before.work;
        row->elastic += before.elastic;
        row->given += before.given;
    }
    return true;
}

/* Bodies and joints as they are after a step. */
static bool take_state(crn_domain *domain)
{
    if (!domain->inner->read_bodies(domain->world, domain->read, domain->sentence) || !take_rows(domain))
        return false;
    for (size_t i = 0; i < domain->own.count; ++i)
        take_motion(&domain->own.body[i].state, &domain->read[domain->local.own_place[i]]);
    for (size_t i = 0; i < domain->ghosts.bodies.count; ++i)
        take_motion(&domain->ghosts.bodies.body[i].state, &domain->read[domain->local.ghost_place[i]]);
    return true;
}

static double relative(const crn_gpu_report *report)
{
    return report->scale > 0 ? report->worst / report->scale : report->worst;
}

/* Add the report of one more step to that of a batch. */
static void add_report(crn_gpu_report *batch, const crn_gpu_report *step)
{
    crn_gpu_report before = *batch;
    *batch = *step;
    batch->steps = before.steps + 1;
    batch->certified = before.certified + step->certified;
    batch->sweeps += before.sweeps;
    batch->most_sweeps = step->most_sweeps > before.most_sweeps ? step->most_sweeps : before.most_sweeps;
    batch->held += before.held;
    batch->grown += before.grown;
    batch->work_normal += before.work_normal;
    batch->work_friction += before.work_friction;
    batch->work_gyroscopic += before.work_gyroscopic;
    batch->worst_step = batch->steps;
    if (before.certified == 0 || relative(step) > relative(&before))
        return;
    batch->worst_step = before.worst_step;
    batch->worst = before.worst;
    batch->mean = before.mean;
    batch->approach = before.approach;
    batch->scale = before.scale;
}

/* One step. If it turns out that ghosts are missing, it is taken again with more of them. */
static bool take_step(crn_domain *domain, const double gravity[3], const crn_domain_acts *acts)
{
    bool good, is_worn_out = is_worn(domain);
    do
    {
        if (is_worn_out && !crn_domain_rebuild(domain, domain->h, domain->g))
            return false;
        if (domain->keeps_start && !crn_domain_agree(domain, crn_domain_keep_start(domain)))
            return false;
        if (!crn_domain_load(domain, acts))
            return false;
        good = domain->inner->step(domain->world, domain->h, 1, gravity, acts->drive, acts->timed, &domain->report,
                                   domain->sentence);
        is_worn_out = good && domain->report.lacks_ghosts;
    } while (is_worn_out);
    return crn_domain_audit(domain, good && take_state(domain) && crn_domain_take_works(domain, acts));
}

bool crn_domain_step(crn_domain *domain, double h, int32_t steps, const double gravity[3], const crn_domain_acts *acts,
                     crn_gpu_report *report)
{
    const crn_gpu_description *scene = &domain->scene.description;
    *report = (crn_gpu_report){0};
    domain->h = h;
    domain->g = sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    for (int i = 0; i < scene->joint_count * CRN_GPU_ROWS; ++i)
        domain->row[i].work = domain->row[i].elastic = domain->row[i].given = 0;
    for (int i = 0; i <= scene->force_count; ++i)
        domain->force_work[i] = 0;
    domain->pulled = acts->pull.body;
    for (size_t i = 0; i < domain->own.count; ++i)
        memcpy(domain->own.body[i].before, domain->own.body[i].state.v, sizeof domain->own.body[i].before);
    if (domain->keeps_origin && !crn_domain_agree(domain, crn_domain_keep_origin(domain)))
        return false;
    for (int32_t k = 0; k < steps; ++k)
    {
        const crn_domain_acts now = {.drive = acts->drive + (ptrdiff_t)k * scene->driven_count,
                                     .timed = acts->timed + (ptrdiff_t)k * scene->timed_count,
                                     .load = acts->load + (ptrdiff_t)k * scene->force_count,
                                     .pull = acts->pull};
        if (!take_step(domain, gravity, &now))
        {
            report->lost = domain->report.lost;
            return false;
        }
        add_report(report, &domain->report);
        ++domain->steps;
    }
    return true;
}
