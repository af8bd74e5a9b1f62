/* Video: the pictures go as raw frames through a pipe to ffmpeg, which writes H.264 in an MP4 file. That file is a cli_out_file:
 * it is renamed when ffmpeg has ended well, and removed otherwise. The last line that ffmpeg prints becomes part of the error. */
#include "cli/film/movie.h"

#include "cli/common/cli.h"
#include "cli/common/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct video
{
    cli_out_file file;       /* written by ffmpeg, by its name */
    FILE *words;             /* what ffmpeg prints */
    pid_t child;             /* 0: none */
    int pipe;                /* its standard input; -1: closed */
    struct sigaction before; /* of SIGPIPE */
} video;

static void release(video *v)
{
    if (v->words)
        fclose(v->words);
    sigaction(SIGPIPE, &v->before, NULL);
    cli_out_abandon(&v->file);
    free(v);
}

/* Close the pipe and wait: no child is left behind. Whether it ended well. */
static bool end_child(video *v)
{
    int status = -1;
    if (v->pipe >= 0)
    {
        close(v->pipe);
        v->pipe = -1;
    }
    while (v->child > 0 && waitpid(v->child, &status, 0) < 0 && errno == EINTR)
    {
    }
    v->child = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void abandon(void *self)
{
    video *v = self;
    if (v->child > 0)
        kill(v->child, SIGTERM);
    end_child(v);
    release(v);
}

/* The last line that ffmpeg wrote. */
static void last_words(video *v, char *text, size_t size)
{
    char line[256];
    snprintf(text, size, "it says nothing more");
    rewind(v->words);
    while (fgets(line, sizeof line, v->words))
    {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0])
            cli_text_clean(line, text, size);
    }
}

static bool complain(video *v)
{
    char words[256];
    end_child(v);
    last_words(v, words, sizeof words);
    return cli_error("'%s' was not written: ffmpeg failed: %s", v->file.path, words);
}

static bool put_bytes(video *v, const unsigned char *bytes, size_t length)
{
    while (length > 0)
    {
        ssize_t put = write(v->pipe, bytes, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        bytes += put;
        length -= (size_t)put;
    }
    return true;
}

static bool add(void *self, const cli_image *image)
{
    video *v = self;
    for (int y = 0; y < image->height; ++y)
        if (!put_bytes(v, image->pixels + (ptrdiff_t)y * image->stride, (size_t)4 * (size_t)image->width))
            return complain(v);
    return true;
}

static bool finish(void *self)
{
    video *v = self;
    bool good = (end_child(v) || complain(v)) && cli_out_finish(&v->file);
    release(v);
    return good;
}

/* Start ffmpeg on the reading end of a pipe. 0 or an error number. */
static int start(video *v, int width, int height, double fps)
{
    char size[32], rate[32];
    int ends[2];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%.6g", fps);
    const char *arguments[] = {"ffmpeg",   "-loglevel", "error",      "-nostdin", "-y",       "-f",         "rawvideo",
                               "-pix_fmt", "bgr0",      "-s",         size,       "-r",       rate,         "-i",
                               "pipe:0",   "-an",       "-c:v",       "libx264",  "-pix_fmt", "yuv420p",    "-crf",
                               "20",       "-movflags", "+faststart", "-f",       "mp4",      v->file.part, NULL};
    if (pipe2(ends, O_CLOEXEC))
        return errno;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(v->words), STDERR_FILENO);
    int error = posix_spawnp(&v->child, "ffmpeg", &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    v->pipe = ends[1];
    v->child = error ? 0 : v->child;
    return error;
}

bool cli_video_open(cli_movie_sink *sink, const char *path, int width, int height, double fps)
{
    if (!strcmp(path, "-"))
        return cli_error("'-' cannot be written: a video needs a file");
    video *v = cli_allocate(1, sizeof *v);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    v->pipe = -1;
    sigaction(SIGPIPE, &ignore, &v->before); /* write() reports an ffmpeg that died */
    v->words = tmpfile();
    if (!v->words || !cli_out_open(&v->file, path)) /* ffmpeg would notice late that it cannot write there */
    {
        release(v);
        return false;
    }
    int error = start(v, width, height, fps);
    if (error)
    {
        cli_error(error == ENOENT ? "'%s' needs the program ffmpeg, which is not installed (%s); --apng FILE needs none"
                                  : "'%s' cannot be written: ffmpeg does not start: %s",
                  path, strerror(error));
        abandon(v);
        return false;
    }
    *sink = (cli_movie_sink){v, add, finish, abandon};
    return true;
}
