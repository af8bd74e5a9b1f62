#include "cli/common/job_processes.h"

#include "cli/common/cli.h"
#include "cli/common/pool.h"
#include "cli/common/progress.h"
#include "cli/common/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *message_path(const cli_jobs_work *work, int index)
{
    return cli_text("%s/%d.messages", work->messages, index);
}

static void redirect(int descriptor, const char *path, int flags)
{
    int file = open(path, flags, 0666);
    if (file >= 0)
    {
        dup2(file, descriptor);
        close(file);
    }
}

/* The child process, from start to exit. */
static _Noreturn void serve(const cli_jobs_work *work, int index)
{
    static const int WATCHED[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof WATCHED / sizeof WATCHED[0]; ++i)
        signal(WATCHED[i], SIG_DFL);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, "/dev/null", O_WRONLY);
    if (work->messages)
    {
        char *path = message_path(work, index);
        redirect(STDERR_FILENO, path ? path : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC);
        free(path);
    }
    int status = work->job(work->data, index);
    fflush(stdout);
    _exit(status);
}

/* Wait for a child to end; its job, or -1 when none did within a tenth of a second. */
static int collect(const pid_t *child, int count, int *status)
{
    int how;
    pid_t ended = waitpid(-1, &how, WNOHANG);
    if (ended <= 0)
    {
        struct timespec pause = {.tv_nsec = 20000000};
        nanosleep(&pause, NULL);
        return -1;
    }
    for (int i = 0; i < count; ++i)
    {
        if (child[i] == ended)
        {
            status[i] = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
            return i;
        }
    }
    return -1;
}

static void end_children(const pid_t *child, int count)
{
    for (int i = 0; i < count; ++i)
        if (child[i] > 0)
            kill(child[i], SIGTERM);
}

/* Start the next job. False when no process can be made. */
static bool start(const cli_jobs_work *work, int index, pid_t *child)
{
    fflush(stdout);
    child[index] = fork();
    if (child[index] == 0)
        serve(work, index);
    if (child[index] < 0)
    {
        cli_error("no process can be started: %s", strerror(errno));
        child[index] = 0;
        return false;
    }
    return true;
}

bool cli_jobs_run(const cli_jobs_work *work, int members, bool quiet, int *status)
{
    pid_t *child = cli_allocate((size_t)work->count + 1, sizeof *child);
    int next = 0, running = 0, finished = 0;
    bool good = child;
    members = cli_pool_threads(members, work->count);
    cli_progress progress = cli_progress_start(!quiet, work->count, 0);
    cli_signals_watch();
    while (good && finished < work->count && !cli_signals_caught())
    {
        while (good && running < members && next < work->count)
        {
            status[next] = -1;
            good = start(work, next, child);
            next += good;
            running += good;
        }
        int ended = running > 0 ? collect(child, next, status) : -1;
        if (ended >= 0)
        {
            child[ended] = 0;
            --running;
            ++finished;
        }
        cli_progress_count(&progress, finished, work->what);
    }
    if (running > 0)
        end_children(child, next);
    for (; running > 0; running -= collect(child, next, status) >= 0)
    {
    }
    cli_progress_end(&progress);
    free(child);
    return good && !cli_signals_caught();
}

void cli_jobs_tell(const cli_jobs_work *work, int index)
{
    char *path = message_path(work, index), line[512];
    FILE *file = path ? fopen(path, "re") : NULL;
    while (file && fgets(line, sizeof line, file))
        fputs(line, stderr);
    if (file)
        fclose(file);
    free(path);
}
