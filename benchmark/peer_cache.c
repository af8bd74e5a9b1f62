/* A text file, one line a result; sorted in memory once it is read. */
#include "peer_cache.h"

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry
{
    char key[128]; /* problem, target and solver */
    contest_result result;
} entry;

struct peer_cache
{
    FILE *file;
    entry *entries;
    int count, room;
};

static void make_key(char *key, size_t size, const char *problem, int target, const char *solver)
{
    snprintf(key, size, "%s/%d/%s", problem, target, solver);
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->key, ((const entry *)b)->key);
}

static void push(peer_cache *cache, const entry *e)
{
    if (cache->count == cache->room)
    {
        cache->room = 2 * cache->room + 64;
        cache->entries = realloc(cache->entries, (size_t)cache->room * sizeof *cache->entries);
        if (!cache->entries)
            exit(1);
    }
    cache->entries[cache->count++] = *e;
}

static void read_file(peer_cache *cache, FILE *file)
{
    char line[512];
    while (fgets(line, sizeof line, file))
    {
        entry e = {.key = ""};
        int end, claimed;
        contest_result *r = &e.result;
        if (sscanf(line, "%127s %d %d %d %lg %lg %lg %lg %lg", e.key, &end, &claimed, &r->iterations, &r->seconds,
                   &r->assembly, &r->tolerance, &r->error.siconos, &r->error.certificate) == 9)
        {
            r->end = (contest_end)end;
            r->claimed = claimed;
            push(cache, &e);
        }
    }
    qsort(cache->entries, (size_t)cache->count, sizeof *cache->entries, by_key);
}

peer_cache *peer_cache_open(const char *directory, bool reuse)
{
    char path[4096];
    peer_cache *cache = bench_memory(1, sizeof *cache);
    snprintf(path, sizeof path, "%s/peer-results.txt", directory);
    FILE *old = reuse ? fopen(path, "r") : NULL;
    if (old)
    {
        read_file(cache, old);
        fclose(old);
    }
    cache->file = fopen(path, reuse ? "a" : "w");
    if (!cache->file)
    {
        perror(path);
        peer_cache_close(cache);
        return NULL;
    }
    return cache;
}

void peer_cache_close(peer_cache *cache)
{
    if (cache->file)
        fclose(cache->file);
    free(cache->entries);
    free(cache);
}

bool peer_cache_find(const peer_cache *cache, const char *problem, int target, int solver, contest_result *result)
{
    entry wanted;
    make_key(wanted.key, sizeof wanted.key, problem, target, contest_name(solver));
    const entry *found =
        cache->count ? bsearch(&wanted, cache->entries, (size_t)cache->count, sizeof *cache->entries, by_key) : NULL;
    if (found)
        *result = found->result;
    return found;
}

void peer_cache_add(peer_cache *cache, const char *problem, int target, int solver, const contest_result *result)
{
    char key[128];
    make_key(key, sizeof key, problem, target, contest_name(solver));
    fprintf(cache->file, "%s %d %d %d %.6g %.6g %.6g %.6g %.6g\n", key, (int)result->end, result->claimed,
            result->iterations, result->seconds, result->assembly, result->tolerance, result->error.siconos,
            result->error.certificate);
    fflush(cache->file);
}
