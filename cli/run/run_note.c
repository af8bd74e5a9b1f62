/* The note is a header, the tally as it is in memory, three numbers per watched column, and the names of --watch, each with a zero
 * behind it. It is read by the same version of the tool only, which the header and the size of the tally tell. Bodies are kept as
 * their numbers, since their handles belong to one model. */
#include "cli/run/run_note.h"

#include "cli/common/cli.h"

#include <stdlib.h>
#include <string.h>

typedef struct note_header
{
    char version[24]; /* of the tool */
    uint64_t tally_size;
    double until;
    int32_t columns, names; /* watched: columns, and arguments of --watch */
} note_header;

static void number_body(cairn_body *body, const cairn_model *model, bool pack)
{
    if (pack)
        *body = (cairn_body){.id = body->id ? (uint32_t)cairn_model_body_index(model, *body) + 1 : 0};
    else
        *body = body->id ? cairn_model_body(model, (int)body->id - 1) : (cairn_body){0};
}

/* Replace the handles of a tally by numbers, or back. */
static void number_bodies(cli_run_tally *tally, const cairn_model *model, bool pack)
{
    for (int64_t i = 0; i < tally->events.count && i < CLI_MOST_EVENTS; ++i)
    {
        number_body(&tally->events.list[i].a, model, pack);
        number_body(&tally->events.list[i].b, model, pack);
    }
    for (int i = 0; i < tally->physics.listed; ++i)
    {
        number_body(&tally->physics.list[i].a, model, pack);
        number_body(&tally->physics.list[i].b, model, pack);
    }
}

static note_header header_now(const cli_run_state *run)
{
    note_header head = {.tally_size = sizeof(cli_run_tally),
                        .until = run->until,
                        .columns = cairn_watch_count(run->watch.watch),
                        .names = run->watch_names.count};
    strncpy(head.version, cairn_version(), sizeof head.version - 1);
    return head;
}

static size_t names_size(const cli_text_list *names)
{
    size_t size = 0;
    for (int i = 0; i < names->count; ++i)
        size += strlen(names->items[i]) + 1;
    return size;
}

void *cli_run_note_pack(const cli_run_state *run, size_t *size)
{
    note_header head = header_now(run);
    size_t row = (size_t)head.columns * sizeof(double);
    *size = sizeof head + sizeof(cli_run_tally) + 3 * row + names_size(&run->watch_names);
    char *note = cli_allocate(*size, 1), *at = note;
    memcpy(at, &head, sizeof head);
    cli_run_tally *tally = cli_allocate(1, sizeof *tally);
    *tally = run->tally;
    tally->wall = cli_run_wall(run);
    tally->method = NULL;
    number_bodies(tally, cairn_simulation_model(run->simulation), true);
    memcpy(at += sizeof head, tally, sizeof *tally);
    free(tally);
    at += sizeof(cli_run_tally);
    const double *rows[] = {run->watch.least, run->watch.most, run->watch.last};
    for (int i = 0; i < 3 && row > 0; ++i, at += row)
        memcpy(at, rows[i], row);
    for (int i = 0; i < run->watch_names.count; ++i)
    {
        size_t length = strlen(run->watch_names.items[i]) + 1;
        memcpy(at, run->watch_names.items[i], length);
        at += length;
    }
    return note;
}

/* Where the names begin; 0: this is not a note of this version. */
static size_t names_at(const void *note, size_t size, note_header *head)
{
    if (size < sizeof *head + sizeof(cli_run_tally))
        return 0;
    memcpy(head, note, sizeof *head);
    size_t at = sizeof *head + sizeof(cli_run_tally) + 3 * (size_t)head->columns * sizeof(double);
    bool same = !strncmp(head->version, cairn_version(), sizeof head->version - 1) &&
                head->tally_size == sizeof(cli_run_tally) && head->columns >= 0 && head->names >= 0;
    return same && at <= size ? at : 0;
}

bool cli_run_note_plan(const void *note, size_t size, cli_run_state *run)
{
    note_header head;
    size_t at = names_at(note, size, &head);
    if (at == 0 || (head.names > 0 && ((const char *)note)[size - 1] != '\0'))
        return false;
    char *texts = cli_memory_take(&run->memory, size - at + 1, 1);
    memcpy(texts, (const char *)note + at, size - at);
    cli_text_list *names = &run->watch_names;
    names->items = cli_memory_take(&run->memory, (size_t)head.names + 1, sizeof *names->items);
    for (const char *text = texts; names->count < head.names && text < texts + (size - at); text += strlen(text) + 1)
        names->items[names->count++] = text;
    run->until = head.until;
    return names->count == head.names;
}

void cli_run_note_unpack(const void *note, cli_run_state *run)
{
    const char *at = note;
    size_t row = (size_t)cairn_watch_count(run->watch.watch) * sizeof(double);
    memcpy(&run->tally, at + sizeof(note_header), sizeof run->tally);
    number_bodies(&run->tally, cairn_simulation_model(run->simulation), false);
    run->tally.method = cairn_simulation_report(run->simulation)->solver.method;
    at += sizeof(note_header) + sizeof run->tally;
    double *rows[] = {run->watch.least, run->watch.most, run->watch.last};
    for (int i = 0; i < 3 && row > 0; ++i, at += row)
        memcpy(rows[i], at, row);
}
