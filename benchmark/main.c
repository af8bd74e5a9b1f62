/* cairn-bench [PART...] [--quick] [--json FILE]: the project's own benchmark. Prints tables; exits with 1 when an answer is
 * wrong. Each part adds one value under its own name to the JSON object. */
#include "bench.h"

#include <cairn/base.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The processor, as the kernel names it. */
static void machine_name(char *name, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown processor");
    while (file && fgets(line, sizeof line, file))
    {
        char *value = strstr(line, ": ");
        if (strncmp(line, "model name", 10) == 0 && value)
        {
            value[strcspn(value, "\n\"\\")] = '\0';
            snprintf(name, size, "%s", value + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

static const struct
{
    const char *name;
    void (*part)(bench_run *run);
} PARTS[] = {{"lemke", bench_lemke},     {"assembly", bench_assembly}, {"scenes", bench_scenes},
             {"patches", bench_patches}, {"solvers", bench_solvers},   {"growth", bench_growth},
             {"collide", bench_collide}, {"sweeps", bench_sweeps}};
enum
{
    PART_COUNT = sizeof PARTS / sizeof PARTS[0]
};

static int usage(void)
{
    fputs(
        "usage: cairn-bench [PART...] [--quick] [--json FILE] [--figures DIR] [--problems DIR] [--every N] [--limit S] "
        "[--reuse-peer]\nparts:",
        stderr);
    for (int k = 0; k < PART_COUNT; ++k)
        fprintf(stderr, " %s", PARTS[k].name);
    fputs("; all of them when none is named\n", stderr);
    return 2;
}

typedef struct choice
{
    bool part[PART_COUNT], any;
    const char *json;
} choice;

static bool choose_part(choice *c, const char *name)
{
    for (int k = 0; k < PART_COUNT; ++k)
    {
        if (strcmp(name, PARTS[k].name) == 0)
        {
            c->part[k] = c->any = true;
            return true;
        }
    }
    return false;
}

static bool read_arguments(int count, char **arguments, bench_run *run, choice *c)
{
    bool good = true;
    for (int i = 1; i < count && good; ++i)
    {
        const char *name = arguments[i];
        const char *value = i + 1 < count ? arguments[i + 1] : NULL;
        bool takes = true;
        if (strcmp(name, "--json") == 0)
        {
            c->json = value;
        }
        else if (strcmp(name, "--figures") == 0)
        {
            run->figures = value;
        }
        else if (strcmp(name, "--problems") == 0)
        {
            run->problems = value;
        }
        else if (strcmp(name, "--every") == 0)
        {
            run->every = value ? atoi(value) : 0;
        }
        else if (strcmp(name, "--limit") == 0)
        {
            run->limit = value ? atof(value) : 0;
        }
        else
        {
            takes = false;
            bool quick = strcmp(name, "--quick") == 0;
            bool reuse = strcmp(name, "--reuse-peer") == 0;
            run->quick = run->quick || quick;
            run->reuse = run->reuse || reuse;
            good = quick || reuse || choose_part(c, name);
        }
        good = good && (!takes || value);
        i += takes;
    }
    return good && run->limit > 0 && run->every > 0;
}

static void run_parts(bench_run *run, const choice *c)
{
    for (int k = 0; k < PART_COUNT; ++k)
    {
        if (c->part[k] || !c->any)
        {
            if (run->json)
                fprintf(run->json, ",\n  \"%s\": ", PARTS[k].name);
            PARTS[k].part(run);
        }
    }
}

/* One thread for everybody: the libraries read this when they are loaded, so the program begins anew. */
static void demand_one_thread(char **arguments)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    const char *blas = getenv("OPENBLAS_NUM_THREADS");
    if (!threads || !blas || strcmp(threads, "1") != 0 || strcmp(blas, "1") != 0)
    {
        setenv("OMP_NUM_THREADS", "1", 1);
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        execv("/proc/self/exe", arguments);
        fputs("warning: more than one thread may run\n", stderr);
    }
}

int main(int count, char **arguments)
{
    demand_one_thread(arguments);
    bench_run run = {.problems = CAIRN_BUILD_DIR "/problem-set", .limit = 10, .every = 1};
    choice c = {0};
    if (!read_arguments(count, arguments, &run, &c))
        return usage();
    if (c.json && !(run.json = fopen(c.json, "w")))
    {
        perror(c.json);
        return 2;
    }
    char machine[256], date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    machine_name(machine, sizeof machine);
    printf("Cairn %s on %s, one thread, processor time, %s\n", cairn_version(), machine, date);
    if (run.json)
    {
        fprintf(run.json, "{\n  \"cairn\": \"%s\",\n  \"date\": \"%s\",\n  \"machine\": \"%s\"", cairn_version(), date,
                machine);
    }
    run_parts(&run, &c);
    if (run.json)
    {
        fprintf(run.json, "\n}\n");
        fclose(run.json);
    }
    printf("\n%d wrong answers\n", run.failures);
    return run.failures ? 1 : 0;
}
