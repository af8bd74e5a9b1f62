#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    MOST_MEMORY_GIB = 6,
    PATIENCE = 20 /* wall time against processor time, where the machine is busy */
};

static bool send_all(int file, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0)
    {
        ssize_t sent = write(file, at, size);
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int file, void *data, size_t size)
{
    char *at = data;
    while (size > 0)
    {
        ssize_t got = read(file, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

/* SIGPROF after the processor time, SIGALRM after many times as much on the wall: both end the child. */
static void set_limits(double limit)
{
    struct itimerval timer = {.it_value = {(time_t)limit, (suseconds_t)(1e6 * (limit - (double)(time_t)limit))}};
    struct rlimit memory = {(rlim_t)MOST_MEMORY_GIB << 30, (rlim_t)MOST_MEMORY_GIB << 30};
    setitimer(ITIMER_PROF, &timer, NULL);
    alarm((unsigned)(PATIENCE * limit) + 10);
    setrlimit(RLIMIT_AS, &memory);
}

static void be_child(int out, double limit, void (*work)(void *, void *), void *data, void *answer, size_t size)
{
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    set_limits(limit);
    work(data, answer);
    _exit(send_all(out, answer, size) ? 0 : 1);
}

trial_end trial_run(double limit, void (*work)(void *data, void *answer), void *data, void *answer, size_t size)
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        return TRIAL_CRASH;
    pid_t child = fork();
    if (child == 0)
    {
        close(ends[0]);
        be_child(ends[1], limit, work, data, answer, size);
    }
    close(ends[1]);
    bool got = child > 0 && receive_all(ends[0], answer, size);
    close(ends[0]);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    bool late = WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
    return got ? TRIAL_DONE : late ? TRIAL_TIME : TRIAL_CRASH;
}
