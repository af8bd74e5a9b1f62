/* Saved states: a header, and the fields of the state (walk.c).
 *
 *     "cairnsta"   byte order   version   model   scheme   size   checksum   fields ...      8 bytes each
 *
 * The checksum detects damage. Data with a forged checksum must still pass the checks of walk.c. A state is read into a new
 * crn_state, which replaces the old one only if all of it is valid.
 */
#include "cairn/state.h"

#include "base/file_window.h"
#include "base/hash.h"
#include "base/memory.h"
#include "collide/identity.h"
#include "step/account/account.h"
#include "step/keep/shelf.h"
#include "step/keep/walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum
{
    VERSION = 7
};

static const uint64_t ORDER = UINT64_C(0x0102030405060708);

typedef struct header
{
    char magic[8];
    uint64_t order, version;
    uint64_t model; /* hash of everything the arrays depend on */
    int64_t integrator, law;
    uint64_t size, checksum; /* of the data that follows */
    double time;
} header;

struct cairn_state
{
    header head;
    unsigned char *bytes; /* header and fields; NULL: in the file, from `first` on */
    size_t size;
    crn_file_window *file; /* NULL: all is in memory */
    size_t first;
};

void cairn_state_destroy(cairn_state *state)
{
    if (state)
        free(state->bytes);
    free(state);
}

double cairn_state_time(const cairn_state *state)
{
    return state->head.time;
}

/* What is in a file is read now. */
static unsigned char *load(const cairn_state *state)
{
    unsigned char *bytes = malloc(state->size);
    if (bytes && crn_window_read(state->file, state->first, bytes, state->size))
        return bytes;
    free(bytes);
    return NULL;
}

const void *cairn_state_bytes(const cairn_state *state, size_t *size)
{
    cairn_state *own = (cairn_state *)(uintptr_t)state; /* where its bytes are is nobody's concern */
    if (!own->bytes)
        own->bytes = load(state);
    *size = own->bytes ? state->size : 0;
    return own->bytes;
}

static uint64_t hash_name(uint64_t hash, const char *name)
{
    return crn_hash_more(hash, name ? name : "", name ? strlen(name) + 1 : 1);
}

/* What grains that are not made add to the arrays of the layout and of the model, of which they are the last. */
typedef uint64_t hash_grain(uint64_t hash, const cairn_simulation *s, int grain);

static uint64_t hash_grains(uint64_t hash, const cairn_simulation *s, hash_grain *one)
{
    for (int i = 0; i < s->grains.count; ++i)
        hash = one(hash, s, i);
    return hash;
}

static uint64_t hash_start(uint64_t hash, const cairn_simulation *s, int grain)
{
    (void)s;
    return crn_hash_more(hash, &(int){7 * (grain + 1)}, sizeof(int));
}

static uint64_t hash_block(uint64_t hash, const cairn_simulation *s, int grain)
{
    (void)s;
    return crn_hash_more(hash, &grain, sizeof grain);
}

static uint64_t hash_grain_name(uint64_t hash, const cairn_simulation *s, int grain)
{
    char name[256], *text = name;
    size_t size = crn_unmade_write_name(s->model, s->grains.first + grain, name, sizeof name) + 1;
    if (size > sizeof name && (text = malloc(size)))
        (void)crn_unmade_write_name(s->model, s->grains.first + grain, text, size);
    hash = text ? hash_name(hash, text) : hash;
    if (text != name)
        free(text);
    return hash;
}

static uint64_t hash_shape(uint64_t hash, const cairn_simulation *s, int grain)
{
    const crn_recipe_part *part = crn_recipe_part_of(s->grains.recipe, grain);
    const int which[] = {part->solid.kind, s->grains.first + grain, part->material, s->model->serials + grain};
    return crn_hash_more(hash, which, sizeof which);
}

/* Everything that determines the sizes and the meaning of the state's arrays. This includes the serial numbers of
 * shapes and the width of identities, since contacts are remembered by identity: a shape that was removed and added
 * again has a different one. */
static uint64_t fingerprint(const cairn_simulation *s)
{
    const crn_layout *layout = s->layout;
    const cairn_model *model = layout->model;
    size_t unmade = (size_t)s->grains.count;
    size_t counts[] = {model->body_count + unmade, model->shape_count + unmade, model->material_count,
                       model->joint_count,         model->spring_count,         model->force_count,
                       model->system_count,        model->statistic_count};
    int bits = crn_identity_bits(model);
    uint64_t hash = crn_hash(counts, sizeof counts);
    hash = crn_hash_more(hash, &bits, sizeof bits);
    hash = crn_hash_more(hash, &model->dimension, sizeof model->dimension);
    hash = crn_hash_more(hash, layout->q_start, ((size_t)layout->block_count + 1) * sizeof *layout->q_start);
    hash = hash_grains(hash, s, hash_start);
    hash = crn_hash_more(hash, layout->body_block, model->body_count * sizeof *layout->body_block);
    hash = hash_grains(hash, s, hash_block);
    for (size_t i = 0; i < model->body_count; ++i)
        hash = hash_name(hash, model->bodies[i].name);
    hash = hash_grains(hash, s, hash_grain_name);
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        const crn_shape *shape = &model->shapes[i];
        int which[] = {(int)shape->kind, shape->body, shape->material, shape->serial};
        hash = crn_hash_more(hash, which, sizeof which);
    }
    hash = hash_grains(hash, s, hash_shape);
    for (size_t i = 0; i < model->joint_count; ++i)
        hash = hash_name(hash, model->joints[i].name);
    for (size_t i = 0; i < model->spring_count; ++i)
        hash = hash_name(hash, model->springs[i].name);
    for (size_t i = 0; i < model->force_count; ++i)
        hash = hash_name(hash, model->forces[i].name);
    return hash;
}

/* ------------------------------------------------------------------------------------------------------- save */

_Static_assert(sizeof(header) == CRN_STATE_HEADER, "the header of a state");

static header make_header(const cairn_simulation *s, uint64_t size, uint64_t checksum)
{
    return (header){.magic = {'c', 'a', 'i', 'r', 'n', 's', 't', 'a'},
                    .order = ORDER,
                    .version = VERSION,
                    .model = fingerprint(s),
                    .integrator = (int64_t)s->settings.integrator,
                    .law = (int64_t)s->settings.law.kind,
                    .size = size,
                    .checksum = checksum,
                    .time = s->state.t};
}

static crn_kept_start start_of(const cairn_simulation *s)
{
    const crn_saved *saved = &s->saved;
    return (crn_kept_start){.is_there = saved->is_there,
                            .is_old = saved->is_old,
                            .t = saved->t,
                            .q = saved->q,
                            .v = saved->v,
                            .element_work = saved->element_work};
}

static crn_kept_account account_of(cairn_simulation *s)
{
    return (crn_kept_account){.start = start_of(s),
                              .joint_total = s->ledger.has_chosen ? s->ledger.joint_last : s->ledger.joint_total,
                              .audit = s->ledger.audit ? crn_audit_record_of(s->ledger.audit) : NULL,
                              .has_device = crn_device_keeps(s),
                              .lister = crn_device_lists_parts(s) ? s : NULL,
                              .keeper = crn_device_has_kept(s) ? s : NULL};
}

/* All fields into the stream. */
static void write_fields(cairn_simulation *s, crn_stream *stream)
{
    crn_forces_settle(s);
    crn_kept_account account = account_of(s);
    if (stream->status == CAIRN_OK && !account.lister)
        stream->status = crn_list_contacts(s);
    account.teller = crn_motions_are_here(s) ? NULL : s;
    if (stream->status == CAIRN_OK)
        crn_state_walk(stream, s->layout, &s->state, &account);
}

/* A device that could not tell its part has said why. */
static cairn_status tell_failure(const cairn_simulation *s, cairn_status status)
{
    return status == CAIRN_NO_MEMORY ? crn_fail(s->context, status, "save at t = %g: memory ran out", s->state.t)
                                     : status;
}

cairn_status cairn_simulation_save(cairn_simulation *s, cairn_state **out)
{
    if (out)
        *out = NULL;
    if (!s || !out)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID,
                        "save: the simulation or the place for its state is NULL");
    cairn_status status = crn_simulation_enter(s);
    if (status)
        return status;
    crn_stream stream = {.writing = true};
    cairn_state *state = calloc(1, sizeof *state);
    const header none = {0};
    stream.status = state ? CAIRN_OK : CAIRN_NO_MEMORY;
    crn_stream_put(&stream, &none, sizeof none);
    write_fields(s, &stream);
    if (stream.status != CAIRN_OK)
    {
        free(stream.bytes);
        free(state);
        return tell_failure(s, stream.status);
    }
    size_t size = stream.size - sizeof(header);
    header head = make_header(s, size, crn_hash(stream.bytes + sizeof head, size));
    memcpy(stream.bytes, &head, sizeof head);
    *state = (cairn_state){.head = head, .bytes = stream.bytes, .size = stream.size};
    *out = state;
    return CAIRN_OK;
}

/* Fields on their way to somebody else. */
typedef struct passing
{
    bool (*take)(void *taker, const void *bytes, size_t size);
    void *taker;
    uint64_t size, hash;
} passing;

static bool pass_on(void *data, const void *bytes, size_t size)
{
    passing *passed = data;
    passed->hash = crn_hash_more(passed->hash, bytes, size);
    passed->size += size;
    return passed->take(passed->taker, bytes, size);
}

cairn_status crn_simulation_write(cairn_simulation *s, bool (*take)(void *taker, const void *bytes, size_t size),
                                  void *taker, unsigned char head[CRN_STATE_HEADER], uint64_t *size)
{
    CRN_TRY(crn_simulation_enter(s));
    passing passed = {.take = take, .taker = taker, .hash = crn_hash(NULL, 0)};
    crn_stream stream = {.writing = true, .take = pass_on, .taker = &passed};
    write_fields(s, &stream);
    crn_stream_finish(&stream);
    free(stream.bytes);
    if (stream.status != CAIRN_OK)
        return tell_failure(s, stream.status);
    header made = make_header(s, passed.size, passed.hash);
    memcpy(head, &made, sizeof made);
    *size = sizeof made + passed.size;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------- bytes */

/* What is wrong with the header of so many bytes, or the part of one that they are; NULL: nothing. */
static const char *what_is_wrong(const header *head, size_t size)
{
    if (size >= sizeof head->magic && memcmp(head->magic, "cairnsta", sizeof head->magic) != 0)
        return "they do not begin like one";
    if (size < sizeof *head)
        return "they are cut off";
    if (head->order != ORDER)
        return "they come from a machine with another byte order";
    if (head->version != VERSION)
        return "they were written by another version of the library";
    if (head->size > size - sizeof *head)
        return "they are cut off";
    if (head->size < size - sizeof *head)
        return "there are more of them than belong to it";
    return NULL;
}

static const char DAMAGED[] = "they are damaged", UNREAD[] = "they cannot be read, or memory ran out";

cairn_state *crn_state_in_file(crn_file_window *file, size_t first, size_t size, const char **wrong)
{
    cairn_state *state = calloc(1, sizeof *state);
    header head = {.size = 0};
    uint64_t hash = crn_hash(NULL, 0);
    bool is_read = state && crn_window_read(file, first, &head, size < sizeof head ? size : sizeof head);
    *wrong = is_read ? what_is_wrong(&head, size) : UNREAD;
    if (!*wrong && !crn_window_hash(file, first + sizeof head, size - sizeof head, &hash))
        *wrong = UNREAD;
    if (!*wrong && hash != head.checksum)
        *wrong = DAMAGED;
    if (*wrong)
    {
        free(state);
        return NULL;
    }
    *state = (cairn_state){.head = head, .size = size, .file = file, .first = first};
    return state;
}

cairn_status cairn_state_from_bytes(cairn_context *context, const void *bytes, size_t size, cairn_state **out)
{
    header head = {.size = 0};
    if (out)
        *out = NULL;
    if (!bytes || !out)
        return crn_fail(context, CAIRN_INVALID, "saved state: the bytes or the place for the state are NULL");
    memcpy(&head, bytes, size < sizeof head ? size : sizeof head);
    const char *wrong = what_is_wrong(&head, size);
    if (!wrong && head.checksum != crn_hash((const unsigned char *)bytes + sizeof head, size - sizeof head))
        wrong = DAMAGED;
    if (wrong)
        return crn_fail(context, CAIRN_INVALID, "saved state: these bytes are not one: %s", wrong);
    cairn_state *state = calloc(1, sizeof *state);
    unsigned char *copy = malloc(size);
    if (!state || !copy)
    {
        free(state);
        free(copy);
        return crn_fail(context, CAIRN_NO_MEMORY, "saved state: memory ran out");
    }
    memcpy(copy, bytes, size);
    *state = (cairn_state){.head = head, .bytes = copy, .size = size};
    *out = state;
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------------------------- restore */

static cairn_status check_fit(const cairn_simulation *s, const header *head)
{
    if (head->model != fingerprint(s))
        return crn_fail(
            s->context, CAIRN_INVALID,
            "restore: the state belongs to another model, or to this one before things were added or removed: "
            "bodies, shapes, joints, springs or forces differ");
    if (head->integrator != (int64_t)s->settings.integrator)
        return crn_fail(s->context, CAIRN_INVALID, "restore: the state was saved with another integrator than %s",
                        cairn_integrator_name(s->settings.integrator));
    if (head->law != (int64_t)s->settings.law.kind)
        return crn_fail(s->context, CAIRN_INVALID, "restore: the state was saved with another friction law");
    return CAIRN_OK;
}

/* Ranks find contacts themselves: process 0 needs poses alone. */
static cairn_status locate(cairn_simulation *s, double h)
{
    if (!crn_device_is_shared(s))
        return crn_locate(s, h);
    crn_located_release(s);
    crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t, h);
    return CAIRN_OK;
}

/* Replace the old state by the new one and close the old one. If the new poses cannot be located, keep the old state
 * and close the new one. */
static cairn_status take_over(cairn_simulation *s, crn_state *fresh)
{
    crn_state old = s->state;
    s->state = *fresh;
    crn_simulation_bind(s);
    s->state.report.solver.method = s->state.method[0] ? s->state.method : NULL;
    s->state.contacts_listed = !s->state.shelf || s->state.shelf->contacts == 0;
    double h = s->state.located_h > 0 ? s->state.located_h : s->settings.step;
    cairn_status status = locate(s, h);
    if (status != CAIRN_OK)
    {
        *fresh = s->state;
        s->state = old;
        crn_simulation_bind(s);
        (void)locate(s, s->state.located_h > 0 ? s->state.located_h : s->settings.step);
        crn_state_close(fresh);
        return status;
    }
    crn_state_close(&old);
    crn_device_forget(s->device);
    s->bulk.fresh = false;
    s->stage_count = 0;
    s->search.struck_count = 0;
    s->search.modes_hold = false;
    s->trial.inelastic = false;
    return CAIRN_OK;
}

static cairn_status fail_read(const cairn_simulation *s, const crn_stream *stream)
{
    if (stream->status == CAIRN_INVALID)
        return crn_fail(s->context, CAIRN_INVALID, "restore: the state makes no sense at %s", stream->fault);
    if (stream->status == CAIRN_IO)
        return crn_fail(s->context, CAIRN_IO, "restore: the state cannot be read");
    return crn_fail(s->context, stream->status, "restore: memory ran out");
}

static cairn_status read_state(cairn_simulation *s, const cairn_state *state, crn_state *fresh,
                               crn_kept_account *account)
{
    cairn_status status = crn_state_open(fresh, s->layout, !account->stays);
    if (status != CAIRN_OK)
        return crn_fail(s->context, status, "restore: memory ran out");
    if (crn_device_is_shared(s) && s->device && state->file && !(fresh->shelf = crn_shelf_open(state->file)))
    {
        crn_state_close(fresh);
        return crn_fail(s->context, CAIRN_IO, "restore: the state cannot be read");
    }
    crn_stream stream = {.bytes = state->bytes, .at = sizeof(header), .size = state->size};
    if (state->file)
        stream = (crn_stream){.give = crn_window_read,
                              .giver = state->file,
                              .at = state->first + sizeof(header),
                              .size = state->first + state->size};
    crn_state_walk(&stream, s->layout, fresh, account);
    if (stream.status == CAIRN_OK)
        return CAIRN_OK;
    crn_state_close(fresh);
    return fail_read(s, &stream);
}

/* Leave motions in the file, and grains unmade, where ranks are told of them before anybody needs them here. What needs them is known once the state was read: then it is read again. */
static cairn_status read_fitting(cairn_simulation *s, const cairn_state *state, crn_state *fresh,
                                 crn_kept_account *account)
{
    if (state->file && crn_device_may_shelve(s))
    {
        account->stays = true;
        account->grains = s->grains.count;
        CRN_TRY(read_state(s, state, fresh, account));
        if (!account->start.is_there && crn_device_goes_on_from(s, fresh))
            return CAIRN_OK;
        crn_state_close(fresh);
        account->stays = false;
        account->grains = 0;
    }
    CRN_TRY(crn_grains_make(s));
    return read_state(s, state, fresh, account);
}

/* An array for what a simulation keeps outside its state; where the last step began, the walk finds room for itself. */
static bool open_account(const cairn_simulation *s, crn_kept_account *account)
{
    account->joint_total = calloc(s->model->joint_count + 1, sizeof *account->joint_total);
    return account->joint_total != NULL;
}

static void take_account(cairn_simulation *s, const crn_kept_account *account)
{
    const crn_layout *layout = s->layout;
    size_t nq = (size_t)layout->q_start[layout->block_count], nv = (size_t)layout->block_start[layout->block_count];
    crn_saved *saved = &s->saved;
    saved->is_there = account->start.is_there;
    saved->is_old = account->start.is_old;
    saved->t = account->start.t;
    if (saved->is_there)
    {
        memcpy(saved->q, account->start.q, nq * sizeof(double));
        memcpy(saved->v, account->start.v, nv * sizeof(double));
    }
    if (saved->is_there && s->state.element_works > 0)
        memcpy(saved->element_work, account->start.element_work, s->state.element_works * sizeof(double));
    memcpy(s->ledger.joint_total, account->joint_total, s->model->joint_count * sizeof *account->joint_total);
    s->ledger.has_chosen = false;
    s->ledger.forces = CRN_FORCES_SETTLED;
    if (s->ledger.audit)
        *crn_audit_record_of(s->ledger.audit) = *account->audit;
}

cairn_status cairn_simulation_restore(cairn_simulation *s, const cairn_state *state)
{
    if (!s || !state)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID, "restore: the simulation or the state is NULL");
    cairn_status status = crn_simulation_enter(s);
    status = status ? status : check_fit(s, &state->head);
    if (status)
        return status;
    crn_state fresh;
    crn_audit_record record = {.listed_count = 0};
    crn_kept_account account = {.audit = s->ledger.audit ? &record : NULL, .has_device = crn_device_keeps(s)};
    status = open_account(s, &account) ? read_fitting(s, state, &fresh, &account)
                                       : crn_fail(s->context, CAIRN_NO_MEMORY, "restore: memory ran out");
    if (!status && account.start.is_there && crn_trial_open(s))
    {
        status = crn_fail(s->context, CAIRN_NO_MEMORY, "restore: memory ran out");
        crn_state_close(&fresh);
    }
    status = status ? status : take_over(s, &fresh);
    if (status == CAIRN_OK)
        take_account(s, &account);
    free(account.joint_total);
    free(account.start.q);
    return status;
}

cairn_status cairn_simulation_clone(cairn_simulation *s, cairn_context *context, cairn_simulation **out)
{
    if (out)
        *out = NULL;
    if (!s || !out)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID, "clone: the simulation or the place for it is NULL");
    cairn_state *state = NULL;
    cairn_simulation *clone = NULL;
    cairn_status status = cairn_simulation_save(s, &state);
    status = status ? status : crn_make_grains(s->model);
    status = status ? status : crn_simulation_open(context ? context : s->context, s->model, &s->settings, &clone);
    status = status ? status : crn_hooks_set(clone, &s->hooks.options);
    status = status ? status : cairn_simulation_restore(clone, state);
    cairn_state_destroy(state);
    if (status != CAIRN_OK)
        cairn_simulation_destroy(clone);
    *out = status ? NULL : clone;
    return status;
}
