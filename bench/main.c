/* cairn-bench [--quick] [--json FILE]: the project's own benchmark. Prints tables; exits with 1 when an answer is wrong. */
#include "bench.h"

#include <cairn/base.h>
#include <stdlib.h>
#include <string.h>

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
    {
        fclose(file);
    }
}

static int usage(void)
{
    fputs("usage: cairn-bench [--quick] [--json FILE]\n", stderr);
    return 2;
}

int main(int count, char **arguments)
{
    bench_run run = {0};
    const char *path = NULL;
    for (int i = 1; i < count; ++i)
    {
        bool json = strcmp(arguments[i], "--json") == 0;
        if (strcmp(arguments[i], "--quick") == 0)
        {
            run.quick = true;
        }
        else if (json && i + 1 < count)
        {
            path = arguments[++i];
        }
        else
        {
            return usage();
        }
    }
    if (path && !(run.json = fopen(path, "w")))
    {
        perror(path);
        return 2;
    }
    char machine[256];
    machine_name(machine, sizeof machine);
    printf("Cairn %s on %s, one thread, processor time\n", cairn_version(), machine);
    if (run.json)
    {
        fprintf(run.json, "{\n  \"cairn\": \"%s\",\n  \"machine\": \"%s\",\n", cairn_version(), machine);
    }
    bench_lemke(&run);
    bench_assembly(&run);
    bench_scenes(&run);
    if (run.json)
    {
        fprintf(run.json, "}\n");
        fclose(run.json);
    }
    printf("\n%d wrong answers\n", run.failures);
    return run.failures ? 1 : 0;
}
