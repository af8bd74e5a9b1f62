#include "cli/common/signals.h"

#include "cli/common/cli.h"

#include <signal.h>
#include <stddef.h>

/* Set by the handler, read between steps. */
static volatile sig_atomic_t caught_signal = 0;

static void catch_signal(int number)
{
    caught_signal = number;
}

void cli_signals_watch(void)
{
    static const int WATCHED[] = {SIGINT, SIGTERM, SIGHUP};
    caught_signal = 0;
    for (size_t i = 0; i < sizeof WATCHED / sizeof WATCHED[0]; ++i)
    {
        struct sigaction before;
        struct sigaction action = {.sa_handler = catch_signal, .sa_flags = (int)(SA_RESTART | SA_RESETHAND)};
        sigemptyset(&action.sa_mask);
        if (!sigaction(WATCHED[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(WATCHED[i], &action, NULL);
    }
}

static volatile sig_atomic_t asked = 0;

static void note_question(int number)
{
    (void)number;
    asked = 1;
}

void cli_signals_watch_asking(void)
{
    struct sigaction action = {.sa_handler = note_question, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
}

bool cli_signals_asked(void)
{
    bool was = asked;
    asked = 0;
    return was;
}

int cli_signals_caught(void)
{
    return (int)caught_signal;
}

int cli_signals_status(int status)
{
    return caught_signal ? CLI_EXIT_SIGNAL + (int)caught_signal : status;
}
