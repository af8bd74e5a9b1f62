/* A picture file that is there whole or not at all: drawn into a temporary file in the same folder, flushed to the disk,
 * then renamed over the final name. */
#include "cli/common/cli.h"
#include "cli/draw/draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcasecmp(text + length - tail, end) == 0;
}

bool cli_drawing_name_ok(const char *path)
{
    return ends_with(path, ".svg") || ends_with(path, ".png");
}

static void release(cli_drawing *drawing)
{
    cli_canvas_destroy(&drawing->canvas);
    if (drawing->stream)
        fclose(drawing->stream);
    free(drawing->path);
    free(drawing->temporary);
    *drawing = (cli_drawing){0};
}

void cli_drawing_abandon(cli_drawing *drawing)
{
    if (drawing->temporary)
        unlink(drawing->temporary);
    release(drawing);
}

/* A temporary file has mode 0600; the picture gets what any new file would get. */
static void use_common_mode(int descriptor)
{
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(descriptor, 0666 & ~mask);
}

static int open_temporary(cli_drawing *drawing)
{
    int descriptor = mkstemp(drawing->temporary);
    if (descriptor < 0)
    {
        cli_error("cannot write '%s': %s", drawing->path, strerror(errno));
        free(drawing->temporary);
        drawing->temporary = NULL; /* nothing to remove */
        return 2;
    }
    use_common_mode(descriptor);
    drawing->stream = fdopen(descriptor, "wb");
    if (!drawing->stream)
    {
        close(descriptor);
        return cli_fail("cannot write '%s': %s", drawing->path, strerror(errno));
    }
    return 0;
}

int cli_drawing_open(cli_drawing *drawing, const char *path, double width, double height)
{
    *drawing = (cli_drawing){.path = strdup(path), .temporary = malloc(strlen(path) + 8)};
    if (!drawing->path || !drawing->temporary)
    {
        cli_error("memory ran out");
        release(drawing);
        return 1;
    }
    sprintf(drawing->temporary, "%s.XXXXXX", path);
    int status = open_temporary(drawing);
    if (status == 0)
    {
        bool png = ends_with(path, ".png");
        bool made = (png ? cli_png_create : cli_svg_create)(drawing->stream, width, height, &drawing->canvas);
        if (!made)
            cli_error("memory ran out for a picture of %.0f x %.0f points", width, height);
        status = made ? 0 : 1;
    }
    if (status != 0)
        cli_drawing_abandon(drawing);
    return status;
}

int cli_drawing_close(cli_drawing *drawing)
{
    errno = 0;
    bool whole = cli_canvas_finish(&drawing->canvas) && fflush(drawing->stream) == 0 && !ferror(drawing->stream) &&
                 fsync(fileno(drawing->stream)) == 0;
    int failure = errno;
    bool closed = fclose(drawing->stream) == 0;
    drawing->stream = NULL;
    if (whole && closed && rename(drawing->temporary, drawing->path) == 0)
    {
        release(drawing);
        return 0;
    }
    if (whole)
        failure = errno;
    cli_error("writing '%s' failed: %s; no picture was made", drawing->path,
              failure != 0 ? strerror(failure) : "not all of it could be written");
    cli_drawing_abandon(drawing);
    return 1;
}
