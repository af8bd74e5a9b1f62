#include "cli/common/out_file.h"
#include "cli/common/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_out_open(cli_out_file *file, const char *path)
{
    *file = (cli_out_file){0};
    if (!strcmp(path, "-"))
    {
        file->stream = stdout;
        return true;
    }
    struct stat info;
    if (!stat(path, &info) && !S_ISREG(info.st_mode))
        return cli_error("'%s' cannot be written: it is not a regular file", path);
    file->path = cli_text("%s", path);
    file->part = cli_text("%s.part-%ld", path, (long)getpid());
    file->stream = fopen(file->part, "wxe");
    if (file->stream)
        return true;
    cli_error("'%s' cannot be written: %s", path, strerror(errno));
    cli_out_abandon(file);
    return false;
}

/* Whether a file can be at the path: one is there, or its folder lets one be made. */
static bool has_room(const char *path)
{
    struct stat info;
    const char *slash = strrchr(path, '/');
    if (stat(path, &info) == 0)
        return S_ISREG(info.st_mode);
    if (errno != ENOENT || path[0] == '\0')
        return false;
    char *folder = cli_text("%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    bool room = access(folder, W_OK | X_OK) == 0;
    free(folder);
    return room;
}

int cli_out_status(cairn_status status, const char *path)
{
    return status == CAIRN_IO && !has_room(path) ? CLI_EXIT_WRONG : cli_exit_status(status);
}

void cli_out_abandon(cli_out_file *file)
{
    if (file->stream && file->part)
    {
        fclose(file->stream);
        unlink(file->part);
    }
    free(file->part);
    free(file->path);
    *file = (cli_out_file){0};
}

bool cli_out_finish(cli_out_file *file)
{
    errno = 0;
    bool good = fflush(file->stream) == 0 && !ferror(file->stream);
    if (!file->part)
        return good;
    good = good && fsync(fileno(file->stream)) == 0;
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
        cli_error("'%s' cannot be written: %s", file->path, error ? strerror(error) : "a write failed");
    }
    cli_out_abandon(file);
    return good;
}

int cli_out_directory(const char *path)
{
    struct stat info;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && !stat(path, &info) && S_ISDIR(info.st_mode)))
        return CLI_EXIT_DONE;
    return cli_wrong("directory '%s' cannot be made: %s", path, strerror(errno));
}

char *cli_out_beside(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');
    const char *slash = strrchr(path, '/');
    int length = dot && dot > path && (!slash || dot > slash + 1) ? (int)(dot - path) : (int)strlen(path);
    return cli_text("%.*s%s", length, path, ending);
}

int cli_out_text(const char *path, const char *text)
{
    cli_out_file file;
    if (!cli_out_open(&file, path))
        return CLI_EXIT_WRONG;
    fputs(text, file.stream);
    if (!cli_out_finish(&file))
        return CLI_EXIT_FAILED;
    if (strcmp(path, "-") != 0)
        printf("%s\n", path);
    return CLI_EXIT_DONE;
}
