/* The processes of a job that mpirun (or srun) has started.
 *
 * Process 0 plans, prints and writes; the others do runs of a study for it, or have their part of a simulation, and say nothing themselves. Outside
 * a job, and in a tool that is built without MPI (CAIRN_MPI), there is one process. Only the main thread may call these functions. */
#ifndef CLI_RANKS_RANKS_H
#define CLI_RANKS_RANKS_H

#include "cli/ranks/packet.h"

#include <stdbool.h>

/* Join the job. `command` is what the tool is asked to do. Exit status: not all commands can be shared, and a tool without MPI cannot share
 * any; process 0 says so. */
int cli_ranks_start(const char *command);
/* Leave it, at the end of the program. `status`: with which this process ends. */
void cli_ranks_end(int status);

int cli_ranks_count(void);
/* Whether this process helps process 0. Its messages are not printed. */
bool cli_ranks_is_helper(void);

/* Take part in a simulation until process 0 has done with it: true, with the status to end with. Process 0, and helpers in a study: false. */
bool cli_ranks_serve(int *status);

/* What process 0 does in a study. */
typedef enum cli_ranks_news
{
    CLI_RANKS_NOTHING, /* no message has come */
    CLI_RANKS_READY,   /* `rank` waits for a run */
    CLI_RANKS_RESULT,  /* `packet` holds what a run of `rank` found, and it waits for another */
    CLI_RANKS_LOST     /* `rank` has ended with an error of its own, for which `packet` holds a sentence */
} cli_ranks_news;
cli_ranks_news cli_ranks_listen(int *rank, cli_packet *packet);
void cli_ranks_send(int rank, int run);
/* Tell all helpers that there is no more to do. From then on, process 0 is alone. */
void cli_ranks_dismiss(void);

/* What a helper does: wait for a run; -1: there are no more. Then send what was found. */
int cli_ranks_receive(void);
void cli_ranks_return(cli_packet *packet);

#endif
