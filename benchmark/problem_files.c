/* A set is whole when a file `whole` or `whole-sample` stands beside it: made last. CAIRN_FCLIB names the directory of FCLIB's
 * files, else ../shared/reference/fclib beside the sources is looked at. */
#include "problem_files.h"

#include "bench.h"
#include "support/problems/problem_set.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *fclib_directory(void)
{
    const char *named = getenv("CAIRN_FCLIB");
    return named ? named : CAIRN_SOURCE_DIR "/../shared/reference/fclib";
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The directory's problem files, in order; nothing where there is no such directory. */
static void add_directory(problem_files *files, const char *directory)
{
    DIR *folder = opendir(directory);
    int first = files->count;
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder))
    {
        if (ends_in(entry->d_name, ".hdf5"))
        {
            size_t size = strlen(directory) + strlen(entry->d_name) + 2;
            files->path = realloc(files->path, (size_t)(files->count + 1) * sizeof(char *));
            if (!files->path)
                exit(1);
            char *path = bench_memory(size, 1);
            snprintf(path, size, "%s/%s", directory, entry->d_name);
            files->path[files->count++] = path;
        }
    }
    if (folder)
    {
        closedir(folder);
        qsort(files->path + first, (size_t)(files->count - first), sizeof(char *), by_name);
    }
}

/* Run the worlds and mark the directory as whole. */
static bool write_set(const char *directory, bool sample, const char *mark)
{
    cairn_context *context = cairn_context_create();
    fprintf(stderr, "writing the problem set to %s\n", directory);
    int count = problem_set_write(context, directory, sample);
    FILE *file = count > 0 ? fopen(mark, "w") : NULL;
    if (file)
    {
        fprintf(file, "%d\n", count);
        fclose(file);
    }
    else
    {
        fprintf(stderr, "the problem set: %s\n", cairn_context_last_message(context));
    }
    cairn_context_destroy(context);
    return file;
}

bool problem_files_open(problem_files *files, const char *directory, bool sample)
{
    char mark[4096];
    struct stat there;
    *files = (problem_files){0};
    snprintf(mark, sizeof mark, "%s/%s", directory, sample ? "whole-sample" : "whole");
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
    {
        perror(directory);
        return false;
    }
    if (stat(mark, &there) != 0 && !write_set(directory, sample, mark))
        return false;
    if (!sample)
        add_directory(files, fclib_directory());
    add_directory(files, directory);
    return true;
}

void problem_files_close(problem_files *files)
{
    for (int i = 0; i < files->count; ++i)
        free(files->path[i]);
    free(files->path);
}

void problem_file_name(const char *path, char *name, int size)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, (size_t)size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
}

/* The name up to the first number, or "fclib". */
void problem_file_family(const char *path, char *family, int size)
{
    if (strncmp(path, fclib_directory(), strlen(fclib_directory())) == 0)
    {
        snprintf(family, (size_t)size, "fclib");
        return;
    }
    problem_file_name(path, family, size);
    char *end = family;
    while (*end && !(end[0] == '-' && isdigit((unsigned char)end[1])))
        ++end;
    *end = '\0';
}
