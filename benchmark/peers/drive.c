/* The driver of one engine: simulates a scene, measures the processor time of every step and writes poses.
 *
 *     peer-ENGINE SCENE RESULT FRAMES LIMIT [NAME=VALUE]...     simulate; stop after LIMIT seconds of processor time
 *     peer-ENGINE --describe                                  name, version and precision of the engine
 *     peer-ENGINE --settings                                  names of its settings
 *
 * RESULT receives lines of text: `t MILLISECONDS` per step (processor time of this thread within the step function alone), then
 * `memory KILOBYTES` (peak of the process, less what it held before the engine built its world, the whole program among it) and one of
 * `done`, `cut` and `failed SENTENCE`. FRAMES receives the states after the scene's sample steps: a 64-bit step number, then 13 doubles
 * per body.
 *
 * A step may take far longer than the limit. So a timer interrupts the process, and its handler writes the last states that were
 * set aside (they are copied at every sample, and whenever a twentieth of the limit has passed) and ends the process. */
#include "engine.h"
#include "memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* States set aside for the handler of the timer: a step number and the states, as they stand in the file. */
typedef struct frame
{
    int64_t step;
    peer_state states[];
} frame;

static frame *last;
static size_t last_size;
static int frames_file, result_file;
/* Kilobytes that the process held before the world was built. */
static long memory_before;

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void put(int file, const void *data, size_t size)
{
    const char *bytes = data;
    while (size > 0)
    {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno != EINTR)
            _exit(3);
        if (written > 0)
        {
            bytes += written;
            size -= (size_t)written;
        }
    }
}

static void put_text(const char *text)
{
    put(result_file, text, strlen(text));
}

/* The lines at the end of the result. Safe in a signal handler. */
static void conclude(const char *outcome)
{
    char digits[24];
    char *digit = digits + sizeof digits - 1;
    long memory = peer_memory_of("VmHWM:") - memory_before;
    *digit = '\0';
    do
        *--digit = (char)('0' + memory % 10);
    while ((memory /= 10) > 0);
    put_text("memory ");
    put_text(digit);
    put_text("\n");
    put_text(outcome);
    put_text("\n");
}

static void on_limit(int signal_number)
{
    (void)signal_number;
    put(frames_file, last, last_size);
    conclude("cut");
    _exit(0);
}

static void start_timer(double seconds)
{
    struct itimerval timer = {0};
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - (double)timer.it_value.tv_sec)) + 1;
    signal(SIGPROF, on_limit);
    setitimer(ITIMER_PROF, &timer, NULL);
}

/* Copy the states where the handler finds them. The handler must not see a half-written copy. */
static void set_aside(const peer_world *world, int step)
{
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGPROF);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    assert(step >= last->step);
    peer_read(world, last->states);
    last->step = step;
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static void simulate(const peer_scene *scene, peer_world *world, double limit)
{
    char line[320], error[256] = "";
    double unsaved = 0;
    int sample = 0;
    set_aside(world, 0);
    for (int step = 1; step <= scene->steps; ++step)
    {
        double start = processor_time();
        bool stepped = peer_step(world, error, sizeof error);
        double took = processor_time() - start;
        if (!stepped)
        {
            snprintf(line, sizeof line, "failed step %d: %s", step, error);
            put(frames_file, last, last_size);
            conclude(line);
            return;
        }
        snprintf(line, sizeof line, "t %.6f\n", 1e3 * took);
        put_text(line);
        unsaved += took;
        assert(sample == scene->sample_count || scene->samples[sample] >= step);
        bool sampled = sample < scene->sample_count && scene->samples[sample] == step;
        if (sampled || unsaved > 0.05 * limit)
        {
            set_aside(world, step);
            unsaved = 0;
        }
        if (sampled)
        {
            put(frames_file, last, last_size);
            ++sample;
        }
    }
    conclude("done");
}

bool peer_setting_number(const char *setting, const char *name, double *value)
{
    size_t length = strlen(name);
    char *end;
    if (strncmp(setting, name, length) != 0 || setting[length] != '=')
        return false;
    *value = strtod(setting + length + 1, &end);
    return *end == '\0' && end > setting + length + 1;
}

static int open_output(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0)
    {
        fprintf(stderr, "%s cannot be written: %s\n", path, strerror(errno));
        exit(1);
    }
    return file;
}

static int run(const peer_scene *scene, char **arguments, int count)
{
    char text[512], error[256] = "";
    double limit = strtod(arguments[2], NULL);
    result_file = open_output(arguments[0]);
    frames_file = open_output(arguments[1]);
    last_size = sizeof *last + (size_t)scene->body_count * sizeof(peer_state);
    last = malloc(last_size);
    if (!last || !(limit > 0))
    {
        fprintf(stderr, last ? "the limit must be a number of seconds\n" : "out of memory\n");
        return 2;
    }
    memset(last, 1, last_size); /* these pages are not the engine's either; zeros would be promised, not held */
    last->step = 0;
    memory_before = peer_memory_settle();
    peer_world *world = peer_create(scene, arguments + 3, count - 3, error, sizeof error);
    if (!world)
    {
        snprintf(text, sizeof text, "failed %s", error);
        conclude(text);
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    start_timer(limit);
    simulate(scene, world, limit);
    peer_destroy(world);
    free(last);
    return 0;
}

int main(int argument_count, char **arguments)
{
    char text[128];
    peer_scene scene;
    if (argument_count == 2 && strcmp(arguments[1], "--describe") == 0)
    {
        peer_describe(text, sizeof text);
        puts(text);
        return 0;
    }
    if (argument_count == 2 && strcmp(arguments[1], "--settings") == 0)
    {
        peer_list_settings();
        return 0;
    }
    if (argument_count < 5)
    {
        fprintf(stderr, "usage: %s SCENE RESULT FRAMES LIMIT [NAME=VALUE]... | --describe | --settings\n",
                arguments[0]);
        return 2;
    }
    if (!peer_scene_read(arguments[1], &scene))
        return 1;
    int status = run(&scene, arguments + 2, argument_count - 2);
    peer_scene_free(&scene);
    return status;
}
