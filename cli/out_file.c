#include "out_file.h"
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool crn_out_open(crn_out_file *file, const char *path)
{
    *file = (crn_out_file){0};
    if (!strcmp(path, "-"))
    {
        file->stream = stdout;
        return true;
    }
    struct stat info;
    if (!stat(path, &info) && !S_ISREG(info.st_mode))
    {
        crn_cli_error("'%s' cannot be written: it is not a regular file", path);
        return false;
    }
    file->path = strdup(path);
    if (!file->path || asprintf(&file->part, "%s.part-%ld", path, (long)getpid()) < 0)
    {
        file->part = NULL;
        crn_cli_error("memory ran out");
        crn_out_abandon(file);
        return false;
    }
    file->stream = fopen(file->part, "wxe");
    if (!file->stream)
    {
        crn_cli_error("'%s' cannot be written: %s", path, strerror(errno));
        crn_out_abandon(file);
        return false;
    }
    return true;
}

void crn_out_abandon(crn_out_file *file)
{
    if (file->stream && file->part)
    {
        fclose(file->stream);
        unlink(file->part);
    }
    free(file->part);
    free(file->path);
    *file = (crn_out_file){0};
}

bool crn_out_finish(crn_out_file *file)
{
    if (!file->part)
    {
        return fflush(file->stream) == 0 && !ferror(file->stream);
    }
    errno = 0;
    bool good = fflush(file->stream) == 0 && !ferror(file->stream);
    int error = errno;
    good = fclose(file->stream) == 0 && good;
    file->stream = NULL;
    if (good && rename(file->part, file->path))
    {
        error = errno;
        good = false;
    }
    if (!good)
    {
        unlink(file->part);
        crn_cli_error("'%s' cannot be written: %s", file->path, error ? strerror(error) : "a write failed");
    }
    crn_out_abandon(file);
    return good;
}

int crn_out_directory(const char *path)
{
    struct stat info;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && !stat(path, &info) && S_ISDIR(info.st_mode)))
    {
        return CRN_EXIT_DONE;
    }
    crn_cli_error("directory '%s' cannot be made: %s", path, strerror(errno));
    return CRN_EXIT_WRONG;
}

char *crn_out_beside(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');
    const char *slash = strrchr(path, '/');
    int length = dot && dot > path && (!slash || dot > slash + 1) ? (int)(dot - path) : (int)strlen(path);
    char *result;
    return asprintf(&result, "%.*s%s", length, path, ending) < 0 ? NULL : result;
}
