/* peer-threads [SPHERES [THREADS...]] [steps=N] [from=N] [repeats=N] [turn=N]: wall time per step of the heap of scenes.py on 1, 2, 4, 8
 * and 16 threads, how much faster they are than one, and a hash of the last state, which must be the same for all.
 *
 * Every number of threads has a process of its own. They take turns of a few steps, one at a time, so that a machine that becomes busy for a
 * while is busy for all of them. All of them take the same steps, so of every step the least time over the repeats counts. Steps before
 * `from`, in which the spheres still fall, are left out. */
#include "cairn_world.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
    MOST_RUNS = 16,
    MOST_STEPS = 4096
};

/* What is asked for. */
typedef struct plan
{
    int spheres, steps, from, repeats, turn;
    int threads[MOST_RUNS], runs;
} plan;

/* What a number of threads took: written by its process, read by the first one. */
typedef struct run
{
    double wall[MOST_STEPS], processor[MOST_STEPS]; /* s, the least of all repeats */
    uint64_t hash;
    int contacts;
} run;

/* ---------------------------------------------------------------------------------------------------------------- scene */

/* Evenly distributed in [-1, 1): a linear congruential generator of 64 bits (multiplier of Steele and Vigna 2022). */
static double chance(uint64_t *state)
{
    *state = *state * UINT64_C(0xf1357aea2e62a9c5) + 1;
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

/* Turn about the vertical by 0.3 rad, as scenes.py does. */
static void turn_about_vertical(const double v[3], double out[3])
{
    const double c = cos(0.3), s = sin(0.3);
    out[0] = c * v[0] - s * v[1];
    out[1] = s * v[0] + c * v[1];
    out[2] = v[2];
}

static void add_sphere(peer_scene *scene, int index, int side, uint64_t *state)
{
    const double radius = 0.05, spacing = 0.12,
                 mass = 1000.0 * 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
    const int cell[3] = {index % side, index / side % side, index / side / side};
    peer_body *body = &scene->bodies[index];
    double place[3];
    for (int k = 0; k < 3; ++k)
    {
        place[k] = (cell[k] + 0.5) * spacing + 0.009 * chance(state);
        body->inertia[k] = 0.4 * mass * radius * radius;
    }
    body->size[0] = radius;
    body->mass = mass;
    body->start.orientation[0] = cos(0.15);
    body->start.orientation[3] = sin(0.15);
    turn_about_vertical(place, body->start.position);
}

/* Spheres over the floor of a box of five planes. */
static peer_scene heap_of(int spheres)
{
    const int side = (int)ceil(cbrt(spheres) - 1e-9);
    const double width = 0.12 * side;
    const peer_plane planes[5] = {
        {{0, 0, 1}, 0}, {{1, 0, 0}, 0}, {{-1, 0, 0}, -width}, {{0, 1, 0}, 0}, {{0, -1, 0}, -width}};
    peer_scene scene = {
        .step = 0.005, .friction = 0.5, .gravity = {0, 0, -9.81}, .body_count = spheres, .plane_count = 5};
    uint64_t state = 1;
    scene.bodies = calloc((size_t)spheres, sizeof *scene.bodies);
    scene.planes = calloc(5, sizeof *scene.planes);
    if (!scene.bodies || !scene.planes)
        exit(1);
    for (int i = 0; i < 5; ++i)
    {
        scene.planes[i].offset = planes[i].offset;
        turn_about_vertical(planes[i].normal, scene.planes[i].normal);
    }
    for (int i = 0; i < spheres; ++i)
        add_sphere(&scene, i, side, &state);
    return scene;
}

/* ----------------------------------------------------------------------------------------------------------- one process */

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* FNV-1a over the poses and velocities of all bodies. */
static uint64_t hash_of(const cairn_simulation *simulation, const cairn_model *model, int bodies)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < bodies; ++i)
    {
        cairn_body_state state = cairn_simulation_body(simulation, cairn_model_body(model, i));
        peer_state plain = peer_from_cairn(&state);
        unsigned char bytes[sizeof plain];
        memcpy(bytes, &plain, sizeof plain);
        for (size_t k = 0; k < sizeof bytes; ++k)
            hash = (hash ^ bytes[k]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static bool take_step(cairn_simulation *simulation, run *out, int step, bool is_first)
{
    double processor = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    if (cairn_simulation_step(simulation))
        return false;
    wall = now(CLOCK_MONOTONIC) - wall;
    processor = now(CLOCK_PROCESS_CPUTIME_ID) - processor;
    out->wall[step] = is_first ? wall : fmin(out->wall[step], wall);
    out->processor[step] = is_first ? processor : fmin(out->processor[step], processor);
    return true;
}

/* Some steps per byte that is read; a byte is written when they are done. */
static bool take_turns(cairn_simulation *simulation, const plan *p, run *out, bool is_first, const int ends[2])
{
    char byte = 0;
    for (int step = 0; step < p->steps;)
    {
        if (read(ends[0], &byte, 1) != 1)
            return false;
        for (int i = 0; i < p->turn && step < p->steps; ++i, ++step)
            if (!take_step(simulation, out, step, is_first))
                return false;
        if (write(ends[1], &byte, 1) != 1)
            return false;
    }
    return true;
}

static bool simulate(const plan *p, int threads, run *out, bool is_first, const int ends[2])
{
    peer_scene scene = heap_of(p->spheres);
    cairn_context *context = cairn_context_create();
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *simulation = NULL;
    settings.step = scene.step;
    settings.solver.threads = threads;
    cairn_model *model = peer_cairn_model(context, &scene);
    bool is_good = model && !cairn_simulation_create(context, model, &settings, &simulation) &&
                   take_turns(simulation, p, out, is_first, ends);
    if (is_good)
    {
        out->hash = hash_of(simulation, model, p->spheres);
        out->contacts = cairn_simulation_contact_count(simulation);
    }
    else
        fprintf(stderr, "%s\n", cairn_context_last_message(context));
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    peer_scene_free(&scene);
    return is_good;
}

/* ------------------------------------------------------------------------------------------------------------ all of them */

/* A process for run k. ends[k]: where its bytes are read and written from here; it closes those of the processes before it. */
static bool start(const plan *p, int k, run *out, bool is_first, int ends[][2])
{
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        return false;
    ends[k][0] = from[0];
    ends[k][1] = to[1];
    pid_t child = fork();
    if (child == 0)
    {
        for (int i = 0; i <= k; ++i)
        {
            close(ends[i][0]);
            close(ends[i][1]);
        }
        _exit(!simulate(p, p->threads[k], out, is_first, (int[2]){to[0], from[1]}));
    }
    close(to[0]);
    close(from[1]);
    return child > 0;
}

/* All processes once through all steps, in turns. */
static bool repeat(const plan *p, run *runs, bool is_first)
{
    int ends[MOST_RUNS][2];
    bool is_good = true;
    for (int i = 0; i < p->runs; ++i)
        if (!start(p, i, &runs[i], is_first, ends))
            return false;
    for (int step = 0; step < p->steps && is_good; step += p->turn)
        for (int i = 0; i < p->runs && is_good; ++i)
        {
            char byte = 0;
            is_good = write(ends[i][1], &byte, 1) == 1 && read(ends[i][0], &byte, 1) == 1;
        }
    for (int i = 0; i < p->runs; ++i)
    {
        int status = 0;
        close(ends[i][0]);
        close(ends[i][1]);
        wait(&status);
        is_good = is_good && status == 0;
    }
    return is_good;
}

static double mean(const double *of, int from, int end)
{
    double sum = 0.0;
    for (int i = from; i < end; ++i)
        sum += of[i];
    return sum / (end - from);
}

static bool report(const plan *p, const run *runs)
{
    bool is_same = true;
    double one = mean(runs[0].wall, p->from, p->steps);
    for (int i = 0; i < p->runs; ++i)
    {
        double wall = mean(runs[i].wall, p->from, p->steps);
        printf("%d spheres, %d contacts, %2d threads: wall %.3f ms per step, processor %.3f ms, %.2f times, state "
               "%016llx\n",
               p->spheres, runs[i].contacts, p->threads[i], 1e3 * wall,
               1e3 * mean(runs[i].processor, p->from, p->steps), one / wall, (unsigned long long)runs[i].hash);
        is_same = is_same && runs[i].hash == runs[0].hash;
    }
    if (!is_same)
        printf("the states DIFFER\n");
    return is_same;
}

static bool measure(const plan *p, run *runs)
{
    for (int i = 0; i < p->repeats; ++i)
        if (!repeat(p, runs, i == 0))
            return false;
    return report(p, runs);
}

/* ------------------------------------------------------------------------------------------------------------- arguments */

static bool read_argument(plan *p, const char *text)
{
    int *const numbers[] = {&p->steps, &p->from, &p->repeats, &p->turn};
    static const char *const NAMES[] = {"steps=", "from=", "repeats=", "turn="};
    for (int i = 0; i < 4; ++i)
        if (strncmp(text, NAMES[i], strlen(NAMES[i])) == 0)
            return (*numbers[i] = atoi(text + strlen(NAMES[i]))) >= 0;
    int value = atoi(text);
    if (value <= 0 || p->runs == MOST_RUNS)
        return false;
    if (p->spheres == 0)
        p->spheres = value;
    else
        p->threads[p->runs++] = value;
    return true;
}

int main(int argument_count, char **arguments)
{
    static const plan USUAL = {.steps = 300, .from = 200, .repeats = 3, .turn = 5};
    plan p = USUAL;
    bool is_good = true;
    for (int i = 1; i < argument_count && is_good; ++i)
        is_good = read_argument(&p, arguments[i]);
    if (!is_good || p.from >= p.steps || p.steps > MOST_STEPS || p.turn == 0 || p.repeats == 0)
    {
        fprintf(stderr, "usage: %s [SPHERES [THREADS...]] [steps=%d] [from=%d] [repeats=%d] [turn=%d]\n", arguments[0],
                USUAL.steps, USUAL.from, USUAL.repeats, USUAL.turn);
        return 2;
    }
    if (p.runs == 0)
        for (int threads = 1; threads <= 16; threads *= 2)
            p.threads[p.runs++] = threads;
    run *runs = mmap(NULL, MOST_RUNS * sizeof *runs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (runs == MAP_FAILED)
        return 1;
    const int sizes[2] = {p.spheres ? p.spheres : 8000, p.spheres ? 0 : 32000};
    for (int i = 0; i < 2 && sizes[i] > 0 && is_good; ++i)
    {
        p.spheres = sizes[i];
        is_good = measure(&p, runs);
        fflush(stdout);
    }
    return !is_good;
}
