/* What the processes that share a simulation say to each other (cairn/ranks.h), over MPI. MPI counts bytes in ints: what is longer goes in pieces. */
#include "cli/ranks/share.h"

#include "cli/common/cli.h"

#ifndef CAIRN_WITH_MPI

cairn_ranks *cli_ranks_share(void)
{
    return NULL;
}

#else

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PIECE = 1 << 30, /* bytes of a message, at most */
    MUCH = 1 << 23   /* bytes that are given back when much fewer are needed */
};

/* Messages under way. */
typedef struct requests
{
    MPI_Request *request;
    int count, capacity;
} requests;

static struct shared
{
    requests near, dealt;      /* near: from start to finish */
    char *gathered, *received; /* what the last calls returned */
    size_t gathered_capacity, received_capacity;
    uint64_t *sizes, *came; /* per rank */
    int *counts, *places;   /* per rank */
} shared;

static MPI_Request *next_request(requests *list)
{
    if (list->count == list->capacity)
    {
        list->capacity = 2 * list->capacity + 16;
        list->request = cli_resize(list->request, (size_t)list->capacity, sizeof *list->request);
    }
    return &list->request[list->count++];
}

static void send(requests *list, const void *bytes, size_t size, int rank)
{
    for (size_t at = 0; at < size; at += PIECE)
        MPI_Isend((const char *)bytes + at, (int)(size - at < PIECE ? size - at : PIECE), MPI_BYTE, rank, 0,
                  MPI_COMM_WORLD, next_request(list));
}

static void receive(requests *list, void *bytes, size_t size, int rank)
{
    for (size_t at = 0; at < size; at += PIECE)
        MPI_Irecv((char *)bytes + at, (int)(size - at < PIECE ? size - at : PIECE), MPI_BYTE, rank, 0, MPI_COMM_WORLD,
                  next_request(list));
}

static void wait_for(requests *list)
{
    MPI_Waitall(list->count, list->request, MPI_STATUSES_IGNORE);
    list->count = 0;
}

/* What was there is lost. */
static void make_room(char **memory, size_t *capacity, size_t size)
{
    if (size < *capacity && (*capacity < MUCH || size > *capacity / 4))
        return;
    *capacity = size + size / 8 + 64;
    free(*memory);
    *memory = cli_resize(NULL, *capacity, 1);
}

/* ------------------------------------------------------------------------------------------------------------ functions */

static void start(void *context, int partners, const int *partner, void *const *sent, const size_t *sent_bytes,
                  void *const *received, const size_t *received_bytes)
{
    (void)context;
    for (int i = 0; i < partners; ++i)
        receive(&shared.near, received[i], received_bytes[i], partner[i]);
    for (int i = 0; i < partners; ++i)
        send(&shared.near, sent[i], sent_bytes[i], partner[i]);
}

static void finish(void *context)
{
    (void)context;
    wait_for(&shared.near);
}

static const void *deal(void *context, const void *blocks, size_t *bytes)
{
    const cairn_ranks *ranks = context;
    size_t all = 0, from = 0, to = 0;
    for (int r = 0; r < ranks->count; ++r)
        shared.sizes[r] = bytes[r];
    MPI_Alltoall(shared.sizes, 1, MPI_UINT64_T, shared.came, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int r = 0; r < ranks->count; ++r)
        all += shared.came[r];
    make_room(&shared.received, &shared.received_capacity, all);
    for (int r = 0; r < ranks->count; ++r)
    {
        if (r == ranks->rank && bytes[r] > 0)
            memcpy(shared.received + to, (const char *)blocks + from, bytes[r]);
        else if (r != ranks->rank)
        {
            receive(&shared.dealt, shared.received + to, shared.came[r], r);
            send(&shared.dealt, (const char *)blocks + from, bytes[r], r);
        }
        from += bytes[r];
        to += shared.came[r];
    }
    wait_for(&shared.dealt);
    for (int r = 0; r < ranks->count; ++r)
        bytes[r] = shared.came[r];
    return shared.received;
}

static void reduce_max(void *context, double *values, int count)
{
    (void)context;
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void reduce_sum(void *context, int64_t *values, int count)
{
    (void)context;
    uint64_t *wrapping = (uint64_t *)values;
    MPI_Allreduce(MPI_IN_PLACE, wrapping, count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

/* Blocks that are too long for one call are told one after the other. */
static void tell_all(const cairn_ranks *ranks, const void *mine)
{
    size_t to = 0;
    for (int r = 0; r < ranks->count; to += shared.sizes[r++])
    {
        if (r == ranks->rank && shared.sizes[r] > 0)
            memcpy(shared.gathered + to, mine, shared.sizes[r]);
        for (size_t at = 0; at < shared.sizes[r]; at += PIECE)
        {
            size_t left = shared.sizes[r] - at;
            MPI_Bcast(shared.gathered + to + at, (int)(left < PIECE ? left : PIECE), MPI_BYTE, r, MPI_COMM_WORLD);
        }
    }
}

static const void *gather(void *context, const void *mine, size_t bytes, size_t *all_bytes)
{
    const cairn_ranks *ranks = context;
    uint64_t size = bytes;
    *all_bytes = 0;
    MPI_Allgather(&size, 1, MPI_UINT64_T, shared.sizes, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int r = 0; r < ranks->count; ++r)
        *all_bytes += shared.sizes[r];
    make_room(&shared.gathered, &shared.gathered_capacity, *all_bytes);
    if (*all_bytes > PIECE)
    {
        tell_all(ranks, mine);
        return shared.gathered;
    }
    for (int r = 0, at = 0; r < ranks->count; at += shared.counts[r++])
    {
        shared.places[r] = at;
        shared.counts[r] = (int)shared.sizes[r];
    }
    if (*all_bytes > 0)
        MPI_Allgatherv(mine, (int)bytes, MPI_BYTE, shared.gathered, shared.counts, shared.places, MPI_BYTE,
                       MPI_COMM_WORLD);
    return shared.gathered;
}

cairn_ranks *cli_ranks_share(void)
{
    static cairn_ranks ranks = {.start = start,
                                .finish = finish,
                                .deal = deal,
                                .reduce_max = reduce_max,
                                .reduce_sum = reduce_sum,
                                .gather = gather};
    if (ranks.count > 0)
        return ranks.count > 1 ? &ranks : NULL;
    int is_running;
    MPI_Initialized(&is_running);
    ranks.count = 1;
    ranks.context = &ranks;
    if (!is_running)
        return NULL;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    size_t count = (size_t)ranks.count;
    shared.sizes = cli_allocate(count, sizeof *shared.sizes);
    shared.came = cli_allocate(count, sizeof *shared.came);
    shared.counts = cli_allocate(count, sizeof *shared.counts);
    shared.places = cli_allocate(count, sizeof *shared.places);
    return ranks.count > 1 ? &ranks : NULL;
}

#endif

int cli_ranks_join(cairn_context *context)
{
    cairn_ranks *ranks = cli_ranks_share();
    return ranks ? cli_exit_status(cairn_context_join(context, ranks)) : CLI_EXIT_DONE;
}

int cli_ranks_choose_device(cairn_settings *settings)
{
    if (!cli_ranks_share())
        return CLI_EXIT_DONE;
    if (settings->device == CAIRN_DEVICE_GPU)
        return cli_wrong("device gpu cannot be shared by processes yet; start it once, or use device ranks");
    settings->device = CAIRN_DEVICE_RANKS;
    return CLI_EXIT_DONE;
}
