/* In a study, a helper sends READY once, or LOST if it ends before. Process 0 answers with a run, and the helper with its RESULT, until the answer
 * is that there are no more. Process 0 hears from every helper before it leaves, so nobody waits for a process that has gone. In a run or a view, helpers
 * obey what the library of process 0 tells them (cairn/ranks.h). */
#include "cli/ranks/ranks.h"

#include "cli/common/cli.h"
#include "cli/ranks/share.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------------- the launcher */

/* What launchers tell a process: its number, and how many there are. */
static const struct launcher
{
    const char *rank, *count;
} LAUNCHERS[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}};

/* How many processes a launcher has started, 1 without one; and which this is. */
static int started(int *rank)
{
    for (size_t i = 0; i < sizeof LAUNCHERS / sizeof LAUNCHERS[0]; ++i)
    {
        const char *number = getenv(LAUNCHERS[i].rank), *count = getenv(LAUNCHERS[i].count);
        if (number && count && atoi(count) > 1)
        {
            *rank = atoi(number);
            return atoi(count);
        }
    }
    *rank = 0;
    return 1;
}

/* Process 0 says it; the others end in peace, since a launcher may end all of them as soon as one fails. */
static int refuse(int rank, int count, const char *why)
{
    if (rank > 0)
        exit(CLI_EXIT_DONE);
    return cli_wrong("started as %d processes, %s", count, why);
}

#ifndef CAIRN_WITH_MPI

int cli_ranks_start(const char *command)
{
    (void)command;
    int rank, count = started(&rank);
    return count == 1 ? CLI_EXIT_DONE
                      : refuse(rank, count, "but this tool is built without MPI (CMake option CAIRN_MPI)");
}

void cli_ranks_end(int status)
{
    (void)status;
}

int cli_ranks_count(void)
{
    return 1;
}

bool cli_ranks_is_helper(void)
{
    return false;
}

bool cli_ranks_serve(int *status)
{
    (void)status;
    return false;
}

cli_ranks_news cli_ranks_listen(int *rank, cli_packet *packet)
{
    (void)rank;
    (void)packet;
    return CLI_RANKS_NOTHING;
}

void cli_ranks_send(int rank, int run)
{
    (void)rank;
    (void)run;
}

void cli_ranks_dismiss(void)
{
}

int cli_ranks_receive(void)
{
    return -1;
}

void cli_ranks_return(cli_packet *packet)
{
    (void)packet;
}

#else

#include <mpi.h>

/* -------------------------------------------------------------------------------------------------------- the job */

static struct job
{
    int count, rank;
    bool *heard; /* process 0, per helper: it is ready, or has gone */
    bool *waits; /* process 0, per helper: it is ready, and was not told to stop */
    bool served; /* helper: it has said that it is ready */
    bool is_one; /* one simulation is shared, not the runs of a study */
    int voice;   /* helper in a simulation: standard error as it was, for its last words */
} job = {.count = 1, .voice = -1};

enum
{
    NO_MORE = -1
};

int cli_ranks_start(const char *command)
{
    int rank, count = started(&rank), provided;
    if (count == 1)
        return CLI_EXIT_DONE;
    job.is_one = command && (!strcmp(command, "run") || !strcmp(command, "view"));
    if (!job.is_one && (!command || strcmp(command, "study") != 0))
        return refuse(rank, count, "which only 'cairn run', 'cairn view' and 'cairn study' can share; start it once");
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_size(MPI_COMM_WORLD, &job.count);
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    if (provided < MPI_THREAD_FUNNELED)
        return refuse(job.rank, count, "but this MPI does not allow threads");
    job.heard = cli_allocate((size_t)job.count, sizeof *job.heard);
    job.waits = cli_allocate((size_t)job.count, sizeof *job.waits);
    if (job.rank > 0 && job.is_one)
        job.voice = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    bool silent = job.rank == 0 || (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr));
    if (!silent)
        return CLI_EXIT_FAILED;
    return CLI_EXIT_DONE;
}

int cli_ranks_count(void)
{
    return job.count;
}

bool cli_ranks_is_helper(void)
{
    return job.rank > 0;
}

/* Signals are for process 0, which ends the run in order. */
static void leave_signals(void)
{
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; ++i)
        signal(SIGNALS[i], SIG_IGN);
}

/* The others wait for this process: it says that they wait in vain, and ends the job. It may be within a signal. */
static void give_up(int signal)
{
    static const char WORDS[] =
        "cairn: one of the processes has no memory left, or has met a mistake in the program; all of "
        "them end, and the last checkpoint is whole\n";
    (void)signal;
    if (job.voice >= 0 && write(job.voice, WORDS, sizeof WORDS - 1) < 0)
        _exit(CLI_EXIT_FAILED);
    _exit(CLI_EXIT_FAILED); /* a process that leaves like this takes the job along */
}

bool cli_ranks_serve(int *status)
{
    if (!job.is_one || job.rank == 0)
        return false;
    leave_signals();
    signal(SIGABRT, give_up);
    cairn_context *context = cli_context_create();
    cairn_status served = cairn_ranks_serve(context, cli_ranks_share());
    cairn_context_destroy(context);
    if (served)
        give_up(0);
    *status = CLI_EXIT_DONE;
    return true;
}

/* ------------------------------------------------------------------------------------------------------ process 0 */

cli_ranks_news cli_ranks_listen(int *rank, cli_packet *packet)
{
    assert(job.rank == 0);
    int there = 0, size;
    MPI_Status status;
    if (job.count > 1)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return CLI_RANKS_NOTHING;
    MPI_Get_count(&status, MPI_BYTE, &size);
    *packet = (cli_packet){0};
    *rank = status.MPI_SOURCE;
    MPI_Recv(cli_packet_make_room(packet, (size_t)size), size, MPI_BYTE, *rank, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    job.heard[*rank] = true;
    job.waits[*rank] = status.MPI_TAG != CLI_RANKS_LOST;
    return (cli_ranks_news)status.MPI_TAG;
}

void cli_ranks_send(int rank, int run)
{
    assert(job.waits[rank]);
    MPI_Send(&run, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    job.waits[rank] = run != NO_MORE;
}

void cli_ranks_dismiss(void)
{
    for (int rank = 1; rank < job.count; ++rank)
    {
        cli_packet packet = {0};
        int source;
        while (!job.heard[rank])
        {
            cli_ranks_listen(&source, &packet);
            cli_packet_free(&packet);
        }
        if (job.waits[rank])
            cli_ranks_send(rank, NO_MORE);
    }
    job.count = 1;
}

/* -------------------------------------------------------------------------------------------------------- helpers */

static void tell(cli_ranks_news news, const void *bytes, size_t size)
{
    MPI_Send(bytes, (int)size, MPI_BYTE, 0, news, MPI_COMM_WORLD);
}

int cli_ranks_receive(void)
{
    int run;
    if (!job.served)
        tell(CLI_RANKS_READY, NULL, 0);
    job.served = true;
    MPI_Recv(&run, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return run;
}

void cli_ranks_return(cli_packet *packet)
{
    tell(CLI_RANKS_RESULT, packet->bytes, packet->size);
    cli_packet_free(packet);
}

/* ------------------------------------------------------------------------------------------------------------ end */

static void end_study(int status)
{
    if (job.rank == 0 && job.heard)
        cli_ranks_dismiss();
    else if (job.rank > 0 && !job.served && status != CLI_EXIT_DONE)
        tell(CLI_RANKS_LOST, cli_first_error(), strlen(cli_first_error()) + 1);
    else if (job.rank > 0 && !job.served)
        (void)cli_ranks_receive();
}

void cli_ranks_end(int status)
{
    int is_running, is_over;
    MPI_Initialized(&is_running);
    MPI_Finalized(&is_over);
    if (!is_running || is_over)
        return;
    if (job.is_one && job.rank == 0)
        cairn_ranks_dismiss(cli_ranks_share());
    else if (!job.is_one)
        end_study(status);
    free(job.heard);
    free(job.waits);
    MPI_Finalize();
}

#endif
