/* peer-shares SCENE THREADS [STEPS [FROM]]: how much of a step threads share, and how much faster they can make it. Independent of what else runs on the
 * machine: nobody waits for anybody.
 *
 * The linker puts the functions below in the place of those that share work among threads. One thread does all parts, one after the other,
 * and processor time is taken of each. From these times follows when each of THREADS threads would have finished its parts: every thread
 * begins with its own, as in src/base/parallel_ranges.c, and takes others once these are done. With S the time outside of shared loops, and
 * per loop L the sum of its parts and M the time of the thread that finishes last,
 *
 *     speed-up = (S + sum L) / (S + sum M) .
 *
 * Sharing costs work that one thread alone has not: lists that are joined, rows that are copied. So the steps are taken by one thread first, in
 * time T each, and T / (S + sum M) is the speed-up against it. It counts the clock's time, which is read twice per part.
 *
 * Parts in a row (src/base/parallel_row.c) are done in the order in which threads would begin them; each begins when its thread is free and
 * its neighbours have had their turns.
 *
 * What waking threads and moving data between caches cost is not in it. valgrind --tool=callgrind
 * --toggle-collect=__wrap_crn_share_parts shows what is left outside of shared loops. */
#include "cairn_world.h"

#include "base/parallel_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum
{
    MOST = 64 /* threads */
};

static struct
{
    int threads;
    double shared, longest; /* s: sum L and sum M */
    bool is_inside;
} count;

void __wrap_crn_share_parts(int threads, int parts, void (*work)(void *data, int part), void *data);
void __wrap_crn_in_parts(int parts, void (*work)(void *data, int part), void *data);
void __wrap_crn_share_row(int threads, const crn_row *row);

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The next part that a thread claims: from its own first one on. */
static int next_part(const bool *done, int parts, int threads, int thread)
{
    int first = parts * thread / threads;
    for (int i = 0; i < parts; ++i)
        if (!done[(first + i) % parts])
            return (first + i) % parts;
    return -1;
}

/* Parts in the order in which threads would claim them. */
static void take_times(int threads, int parts, void (*work)(void *data, int part), void *data)
{
    bool done[256] = {false};
    double busy[MOST] = {0}, sum = 0.0, last = 0.0;
    for (int left = parts; left > 0; --left)
    {
        int first = 0;
        for (int k = 1; k < threads; ++k)
            first = busy[k] < busy[first] ? k : first;
        int part = next_part(done, parts, threads, first);
        double start = now();
        work(data, part);
        double taken = now() - start;
        done[part] = true;
        busy[first] += taken;
        sum += taken;
    }
    for (int k = 0; k < threads; ++k)
        last = busy[k] > last ? busy[k] : last;
    count.shared += sum;
    count.longest += last;
}

void __wrap_crn_share_parts(int threads, int parts, void (*work)(void *data, int part), void *data)
{
    threads = threads < parts ? threads : parts;
    if (count.is_inside || threads <= 1 || parts > 255 || threads > MOST)
    {
        for (int k = 0; k < parts; ++k)
            work(data, k);
        return;
    }
    count.is_inside = true;
    take_times(threads, parts, work, data);
    count.is_inside = false;
}

void __wrap_crn_in_parts(int parts, void (*work)(void *data, int part), void *data)
{
    __wrap_crn_share_parts(parts, parts, work, data);
}

/* Parts in a row and who does them; times since the row began. */
typedef struct walk
{
    int threads, phase[CRN_ROW_PARTS]; /* the next of each part */
    double busy[MOST], end[CRN_ROW_PARTS];
} walk;

static int owner_of(const walk *w, const crn_row *row, int part)
{
    int thread = 0;
    while (row->parts * (thread + 1) / w->threads <= part)
        ++thread;
    return thread;
}

/* When a part could begin its next phase; negative: its neighbours have not had their turns. */
static double start_of(const walk *w, const crn_row *row, int part)
{
    double start = w->busy[owner_of(w, row, part)];
    for (int next = part - 1; next <= part + 1; next += 2)
    {
        if (next < 0 || next == row->parts)
            continue;
        if (w->phase[next] < w->phase[part])
            return -1.0;
        start = w->end[next] > start ? w->end[next] : start;
    }
    return start;
}

/* The part that would begin first, of several the one furthest behind; -1: all is done. */
static int next_in_row(const walk *w, const crn_row *row)
{
    int best = -1;
    for (int part = 0; part < row->parts; ++part)
    {
        double start = w->phase[part] < row->phases ? start_of(w, row, part) : -1.0;
        double first = best < 0 ? 0.0 : start_of(w, row, best);
        bool is_first = best < 0 || start < first || (start == first && w->phase[part] < w->phase[best]);
        best = start >= 0.0 && is_first ? part : best;
    }
    return best;
}

void __wrap_crn_share_row(int threads, const crn_row *row)
{
    walk w = {.threads = threads < (row->parts + 1) / 2 ? threads : (row->parts + 1) / 2};
    double last = 0.0;
    for (int part = 0; part < row->parts; ++part)
        w.phase[part] = (part + row->odd_first) % 2;
    for (int part = next_in_row(&w, row); part >= 0; part = next_in_row(&w, row))
    {
        double start = start_of(&w, row, part), before = now();
        row->work(row->data, part, w.phase[part]);
        double taken = now() - before;
        w.end[part] = w.busy[owner_of(&w, row, part)] = start + taken;
        w.phase[part] += 2;
        count.shared += taken;
        last = start + taken > last ? start + taken : last;
    }
    count.longest += last;
}

/* Steps of a heap, and what of them was shared from step `from` on. alone_takes: s, per step of one thread; written by one, read by several. */
static int take_steps(cairn_simulation *simulation, int steps, int from, double *alone_takes)
{
    double begin = 0.0;
    for (int i = 0; i < steps; ++i)
    {
        if (i == from)
        {
            count.shared = count.longest = 0.0;
            begin = now();
        }
        if (cairn_simulation_step(simulation))
            return 1;
    }
    double all = now() - begin, alone = all - count.shared, path = alone + count.longest;
    int taken = steps - from;
    if (count.threads == 1)
        *alone_takes = all / taken;
    else
        printf(
            "%d threads, %d contacts, per step: %.3f ms, of which shared %.3f ms, alone %.3f ms (%.1f %% of the time "
            "with threads), longest %.3f ms; speed-up %.2f; one thread %.3f ms, speed-up against it %.2f\n",
            count.threads, cairn_simulation_contact_count(simulation), 1e3 * all / taken, 1e3 * count.shared / taken,
            1e3 * alone / taken, 100.0 * alone / path, 1e3 * count.longest / taken, all / path, 1e3 * *alone_takes,
            taken * *alone_takes / path);
    return 0;
}

static int measure(const peer_scene *scene, int threads, int steps, int from, double *alone_takes)
{
    cairn_context *context = cairn_context_create();
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *simulation = NULL;
    settings.step = scene->step;
    settings.solver.threads = count.threads = threads;
    cairn_model *model = peer_cairn_model(context, scene);
    int status = !model || cairn_simulation_create(context, model, &settings, &simulation) ||
                 take_steps(simulation, steps, from, alone_takes);
    if (status)
        fprintf(stderr, "%s\n", cairn_context_last_message(context));
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return status;
}

int main(int argument_count, char **arguments)
{
    peer_scene scene;
    int threads = argument_count > 2 ? atoi(arguments[2]) : 0;
    if (threads < 2 || !peer_scene_read(arguments[1], &scene))
    {
        fprintf(stderr, "usage: %s SCENE THREADS [STEPS [FROM]], with two threads at least\n", arguments[0]);
        return 2;
    }
    int steps = argument_count > 3 ? atoi(arguments[3]) : scene.steps;
    int from = argument_count > 4 ? atoi(arguments[4]) : 0;
    double alone_takes = 0.0;
    from = from < steps ? from : 0;
    int status = measure(&scene, 1, steps, from, &alone_takes) || measure(&scene, threads, steps, from, &alone_takes);
    peer_scene_free(&scene);
    return status;
}
