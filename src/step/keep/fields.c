#include "step/keep/fields.h"

#include "base/memory.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

void crn_stream_body(crn_stream *stream, const cairn_model *model, cairn_body *body)
{
    int index = stream->writing ? crn_body_ordinal(model, *body) : -1;
    crn_stream_int(stream, &index, -1, cairn_model_body_count(model) - 1, "a body");
    *body = crn_body_handle(model, index);
}

static void stream_shape(crn_stream *stream, const cairn_model *model, cairn_shape *shape)
{
    int index = stream->writing ? crn_shape_index(model, *shape) : -1;
    crn_stream_int(stream, &index, -1, (int)model->shape_count - 1, "a shape");
    *shape = crn_shape_handle(model, index);
}

void crn_stream_contact(crn_stream *stream, const cairn_model *model, crn_contact *c)
{
    crn_stream_int(stream, &c->body_a, -1, (int)model->body_count - 1, "a contact's body");
    crn_stream_int(stream, &c->body_b, -1, (int)model->body_count - 1, "a contact's body");
    crn_stream_int(stream, &c->shape_a, 0, (int)model->shape_count, "a contact's shape");
    crn_stream_int(stream, &c->shape_b, 0, (int)model->shape_count, "a contact's shape");
    bool gap = c->body_a < 0, shapes = c->shape_a < (int)model->shape_count && c->shape_b < (int)model->shape_count;
    crn_stream_check(stream, gap == (c->body_b < 0) && (gap || shapes), "a contact's bodies");
    crn_stream_word(stream, &c->identity);
    crn_stream_numbers(stream, &c->gap, 1);
    crn_stream_numbers(stream, c->normal, 3);
    crn_stream_numbers(stream, c->point_a, 3);
    crn_stream_numbers(stream, c->point_b, 3);
    crn_stream_numbers(stream, &c->friction, 1);
    crn_stream_numbers(stream, &c->restitution, 1);
    crn_stream_numbers(stream, &c->spin, 1);
}

void crn_stream_public_contact(crn_stream *stream, const cairn_model *model, cairn_contact *c)
{
    int patch = c->patch, element = c->element;
    crn_stream_body(stream, model, &c->a);
    crn_stream_body(stream, model, &c->b);
    crn_stream_word(stream, &c->identity);
    crn_stream_numbers(stream, c->point, 3);
    crn_stream_numbers(stream, c->normal, 3);
    crn_stream_numbers(stream, c->tangent[0], 6);
    crn_stream_numbers(stream, &c->gap, 1);
    crn_stream_numbers(stream, &c->friction, 1);
    crn_stream_numbers(stream, c->impulse, 3);
    crn_stream_numbers(stream, c->velocity, 3);
    crn_stream_int(stream, &patch, -1, INT_MAX, "a contact's patch");
    crn_stream_int(stream, &element, -1, INT_MAX, "a contact's element");
    crn_stream_numbers(stream, c->offset, 2);
    crn_stream_numbers(stream, c->deformation, 3);
    crn_stream_numbers(stream, c->moment, 3);
    c->patch = patch;
    c->element = element;
}

void crn_stream_touch(crn_stream *stream, const cairn_model *model, cairn_touch *touch)
{
    crn_stream_body(stream, model, &touch->body_a);
    crn_stream_body(stream, model, &touch->body_b);
    stream_shape(stream, model, &touch->shape_a);
    stream_shape(stream, model, &touch->shape_b);
    crn_stream_numbers(stream, &touch->impulse, 1);
}

void crn_stream_mode(crn_stream *stream, crn_contact_mode *mode)
{
    int kind = (int)mode->hold.mode;
    crn_stream_word(stream, &mode->identity);
    crn_stream_int(stream, &kind, CRN_MODE_OPEN, CRN_MODE_AT_HI, "a contact's mode");
    mode->hold.mode = (crn_mode)kind;
    crn_stream_numbers(stream, mode->hold.friction, 2);
    crn_stream_numbers(stream, mode->force, 3);
    crn_stream_numbers(stream, mode->u_t, 2);
    crn_stream_numbers(stream, &mode->speed, 1);
    crn_stream_numbers(stream, &mode->mu, 1);
}

void crn_stream_event(crn_stream *stream, const cairn_model *model, cairn_event *event)
{
    int kind = (int)event->kind;
    crn_stream_int(stream, &kind, 0, CAIRN_EVENT_KINDS - 1, "an event's kind");
    event->kind = (cairn_event_kind)kind;
    crn_stream_numbers(stream, &event->time, 1);
    crn_stream_word(stream, &event->contact);
    crn_stream_body(stream, model, &event->a);
    crn_stream_body(stream, model, &event->b);
    crn_stream_numbers(stream, &event->speed, 1);
    crn_stream_numbers(stream, &event->impulse, 1);
    crn_stream_flag(stream, &event->energy_grew);
}

void crn_stream_violation(crn_stream *stream, const cairn_model *model, cairn_violation *violation)
{
    int kind = (int)violation->kind;
    crn_stream_int(stream, &kind, 0, CAIRN_VIOLATION_KINDS - 1, "a violation's kind");
    violation->kind = (cairn_violation_kind)kind;
    crn_stream_numbers(stream, &violation->time, 1);
    crn_stream_body(stream, model, &violation->a);
    crn_stream_body(stream, model, &violation->b);
    crn_stream_word(stream, &violation->contact);
    crn_stream_numbers(stream, &violation->size, 1);
    crn_stream_numbers(stream, &violation->allowance, 1);
}

void crn_stream_energy(crn_stream *stream, cairn_energy *energy)
{
    static_assert(sizeof *energy % sizeof(double) == 0, "energies are numbers alone");
    crn_stream_numbers(stream, (double *)energy, sizeof *energy / sizeof(double));
}

static void stream_solver(crn_stream *stream, cairn_solver_report *solver, char method[CRN_METHOD_NAME])
{
    int outcome = (int)solver->outcome, cause = (int)solver->cause;
    int *counts[] = {
        &solver->iterations, &solver->fallbacks,      &solver->refactorisations, &solver->dropped_joint_rows,
        &solver->islands,    &solver->largest_island, &solver->null_space,       &solver->velocity_null_space,
        &solver->unexamined, &solver->unexamined_rows};
    uint64_t text[CRN_METHOD_NAME / 8] = {0};
    if (stream->writing && solver->method)
        strncpy((char *)text, solver->method, sizeof text - 1);
    crn_stream_int(stream, &outcome, CAIRN_SOLVED, CAIRN_LIMITED, "the solver's outcome");
    crn_stream_int(stream, &cause, 0, 16, "the solver's cause");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        crn_stream_int(stream, counts[i], INT_MIN, INT_MAX, "the solver's counts");
    crn_stream_flag(stream, &solver->chosen_forces);
    crn_stream_flag(stream, &solver->out_of_time);
    crn_stream_int(stream, &solver->culprit, INT_MIN, INT_MAX, "the solver's culprit");
    crn_stream_numbers(stream, &solver->certificate.natural_map, 8);
    crn_stream_int(stream, &solver->certificate.worst_contact, -1, INT_MAX, "the worst contact");
    for (size_t i = 0; i < CRN_METHOD_NAME / 8; ++i)
        crn_stream_word(stream, &text[i]);
    solver->outcome = (cairn_outcome)outcome;
    solver->cause = (cairn_cause)cause;
    if (!stream->writing)
    {
        memcpy(method, text, CRN_METHOD_NAME);
        method[CRN_METHOD_NAME - 1] = '\0';
    }
}

void crn_stream_report(crn_stream *stream, cairn_step_report *report, char method[CRN_METHOD_NAME])
{
    static_assert(offsetof(cairn_certificate, worst_contact) == 8 * sizeof(double), "8 numbers, then the contact");
    crn_stream_numbers(stream, &report->time, 1);
    crn_stream_long(stream, &report->step);
    int *counts[] = {&report->parts,
                     &report->problems,
                     &report->contacts,
                     &report->held_overlaps,
                     &report->projection_iterations,
                     &report->physics.violations,
                     &report->physics.forbidden};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        crn_stream_int(stream, counts[i], 0, INT_MAX, "the report's counts");
    stream_solver(stream, &report->solver, method);
    double *numbers[] = {&report->penetration, &report->push_out_speed, &report->joint_error,
                         &report->projection_error};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        crn_stream_numbers(stream, numbers[i], 1);
    crn_stream_flag(stream, &report->projection_met);
    crn_stream_energy(stream, &report->energy);
}

void crn_stream_side(crn_stream *stream, const cairn_model *model, crn_side *side)
{
    crn_stream_word(stream, &side->identity);
    for (int k = 0; k < 2; ++k)
        crn_stream_int(stream, &side->body[k], 0, (int)model->body_count - 1, "a side's body");
    crn_stream_numbers(stream, &side->place, 1);
    crn_stream_numbers(stream, &side->height, 1);
    crn_stream_int(stream, &side->side, 0, 1, "a side");
    crn_stream_flag(stream, &side->inside);
    crn_stream_flag(stream, &side->carried);
}

void crn_stream_warm(crn_stream *stream, int dimension, crn_warm *warm)
{
    size_t count = (size_t)warm->count;
    crn_stream_int(stream, &warm->dim, 0, dimension, "the rows of a contact's impulse");
    crn_stream_list(stream, &warm->key, &warm->capacity[0], &count, sizeof *warm->key, 16, "remembered impulses");
    crn_stream_check(stream, count == 0 || warm->dim == dimension, "the rows of a contact's impulse");
    if (crn_stream_reads(stream))
        stream->status = crn_warm_reserve(warm, count, (size_t)warm->dim);
    stream->status = stream->status ? stream->status : crn_warm_reserve_points(warm, count);
    if (crn_stream_reads(stream) && stream->status == CAIRN_OK)
        stream->status = crn_warm_reserve_work(warm, count);
    if (stream->status != CAIRN_OK)
        return;
    warm->count = (int)count;
    bool is_mixed = false;
    for (size_t i = 0; i < count; ++i)
    {
        int index = crn_stream_reads(stream) ? 0 : crn_warm_index(warm, (int)i);
        crn_stream_word(stream, &warm->key[i]);
        crn_stream_int(stream, &index, 0, (int)count - 1, "a remembered impulse");
        crn_stream_check(stream, i == 0 || warm->key[i - 1] <= warm->key[i], "the order of impulses");
        if (crn_stream_reads(stream))
            warm->index[i] = index;
        is_mixed = is_mixed || index != (int)i;
    }
    warm->is_mixed = is_mixed;
    crn_stream_numbers(stream, warm->r, count * (size_t)warm->dim);
    crn_stream_numbers(stream, warm->point, 3 * count);
}

/* ---------------------------------------------------------------------------------------------------- patches */

/* The matrices are recomputed from the materials. */
static void stream_blocks(crn_stream *stream, crn_patches *patches)
{
    size_t count = patches->block_count;
    int last = (int)patches->model->material_count - 1;
    crn_stream_count(stream, &count, 16, "pairs of compliant materials");
    for (size_t k = 0; k < count && stream->status == CAIRN_OK; ++k)
    {
        int a = stream->writing ? patches->blocks[k].material_a : 0;
        int b = stream->writing ? patches->blocks[k].material_b : 0;
        crn_stream_int(stream, &a, 0, last, "a patch's material");
        crn_stream_int(stream, &b, 0, last, "a patch's material");
        if (!crn_stream_reads(stream))
            continue;
        int finer;
        bool compliant = crn_materials_patch(patches->model, a, b, &finer);
        crn_stream_check(stream, compliant, "a patch's materials");
        if (compliant)
            stream->status = crn_patches_add_block(patches, a, b, finer);
    }
}

static void stream_patch(crn_stream *stream, crn_patches *patches, crn_patch *patch)
{
    crn_patch_list *now = &patches->now;
    crn_stream_word(stream, &patch->identity);
    crn_stream_int(stream, &patch->block, 0, (int)patches->block_count - 1, "a patch's materials");
    crn_stream_numbers(stream, patch->tangent, 3);
    if (stream->status != CAIRN_OK)
        return;
    size_t rows = (size_t)patches->blocks[patch->block].rows;
    if (!stream->writing)
    {
        patch->delta = now->used;
        now->used += rows;
        stream->status = crn_reserve(&now->delta, &now->delta_capacity, now->used + 1, sizeof(double));
    }
    if (stream->status == CAIRN_OK)
        crn_stream_numbers(stream, now->delta + patch->delta, rows);
}

void crn_stream_patches(crn_stream *stream, crn_patches *patches)
{
    crn_patch_list *now = &patches->now;
    size_t count = (size_t)now->count;
    stream_blocks(stream, patches);
    crn_stream_list(stream, &now->patch, &now->patch_capacity, &count, sizeof *now->patch, 40, "patches");
    for (size_t k = 0; k < count && stream->status == CAIRN_OK; ++k)
    {
        stream_patch(stream, patches, &now->patch[k]);
        crn_stream_check(stream, k == 0 || now->patch[k - 1].identity < now->patch[k].identity, "the order of patches");
    }
    now->count = (int)count;
    crn_stream_numbers(stream, &patches->energy, 1);
    crn_stream_numbers(stream, &patches->penetration, 1);
}
