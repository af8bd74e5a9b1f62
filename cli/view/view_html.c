/* The page as it is served or written: source and data put into the element `cairn-source`.
 *
 * Data of a self-contained page: the header as JSON in `cairn-header`, and the frames in `cairn-frames-0`, `-1`, ... Each
 * holds whole frames of together some megabytes, deflated (RFC 1950) and in base64.
 */
#include "cli/view/view_html.h"
#include "cli/common/cli.h"
#include "cli/common/out_file.h"
#include "cli/view/view_page.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char MARK[] = "id=\"cairn-source\">";
static const char END[] = "</script>";
static const char HEAD[] = "<head>";
/* What the server sends as a header, for a page that no server sends: it runs its own scripts and fetches nothing. */
static const char POLICY[] =
    "\n    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; worker-src blob:; base-uri 'none'; "
    "form-action 'none'\" />";
static const size_t CHUNK_BYTES = (size_t)4 << 20;

bool cli_view_page_there(void)
{
    if (cli_view_page_size == 0)
        cli_error("this build does not include the viewer (CAIRN_VIEWER=OFF, or npm was missing)");
    return cli_view_page_size > 0;
}

/* In HTML, '<' could end the enclosing element; in JSON it occurs only in strings, where it can be escaped. */
static void put_json(FILE *stream, const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        if (text[i] == '<')
            fputs("\\u003c", stream);
        else
            fputc(text[i], stream);
}

static cairn_status put_header(FILE *stream, cli_view_run *view)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    cairn_status status = memory ? cli_view_run_header(view, "deflate", memory) : CAIRN_NO_MEMORY;
    if (memory && fclose(memory) != 0)
        status = CAIRN_NO_MEMORY;
    if (!status)
    {
        fputs("\n<script type=\"application/json\" id=\"cairn-header\">", stream);
        put_json(stream, text, length);
        fputs(END, stream);
    }
    free(text);
    return status;
}

static cairn_status put_chunk(FILE *stream, int number, const cli_bytes *raw)
{
    uLongf size = compressBound((uLong)raw->size);
    unsigned char *packed = cli_allocate(size, 1);
    bool good = packed && compress2(packed, &size, raw->data, (uLong)raw->size, 6) == Z_OK;
    if (good)
    {
        fprintf(stream, "\n<script type=\"application/octet-stream\" id=\"cairn-frames-%d\">", number);
        cli_base64_write(stream, packed, size);
        fputs(END, stream);
    }
    free(packed);
    return good ? CAIRN_OK : CAIRN_NO_MEMORY;
}

static cairn_status put_frames(FILE *stream, cli_view_run *view)
{
    cli_bytes raw = {0};
    cairn_status status = CAIRN_OK;
    int number = 0;
    for (int64_t i = 0; i < view->run.frame_count && !status; ++i)
    {
        status = cli_view_run_frame(view, i, &raw);
        bool full = raw.size >= CHUNK_BYTES || i + 1 == view->run.frame_count;
        if (!status && full)
        {
            status = put_chunk(stream, number++, &raw);
            raw.size = 0;
        }
    }
    cli_bytes_free(&raw);
    return status;
}

/* Where the text of the element begins and ends; NULL: the page has no such element. */
static const char *find_source(const char *page, size_t length, const char **end)
{
    const char *begin = memmem(page, length, MARK, sizeof MARK - 1);
    begin = begin ? begin + sizeof MARK - 1 : NULL;
    *end = begin ? memmem(begin, length - (size_t)(begin - page), END, sizeof END - 1) : NULL;
    return *end ? begin : NULL;
}

/* The page up to its source. One that stands alone carries its policy, before anything that the policy is about. */
static bool put_beginning(FILE *stream, const char *page, const char *begin, bool alone)
{
    const char *head = memmem(page, (size_t)(begin - page), HEAD, sizeof HEAD - 1);
    const char *first = head ? head + sizeof HEAD - 1 : page;
    fwrite(page, 1, (size_t)(first - page), stream);
    fputs(alone ? POLICY : "", stream);
    fwrite(first, 1, (size_t)(begin - first), stream);
    return head;
}

cairn_status cli_view_page_write(FILE *stream, const char *source, cli_view_run *data)
{
    const char *page = (const char *)cli_view_page, *end;
    size_t length = cli_view_page_size;
    const char *begin = find_source(page, length, &end);
    if (!begin)
    {
        cli_error("the viewer's page in this build has no slot for data: it was not built correctly");
        return CAIRN_UNSUPPORTED;
    }
    if (!put_beginning(stream, page, begin, data))
    {
        cli_error("the viewer's page in this build has no head: it was not built correctly");
        return CAIRN_UNSUPPORTED;
    }
    fputs(source, stream);
    end += sizeof END - 1;
    fputs(END, stream);
    cairn_status status = data ? put_header(stream, data) : CAIRN_OK;
    status = !status && data ? put_frames(stream, data) : status;
    fwrite(end, 1, length - (size_t)(end - page), stream);
    return status;
}

int cli_view_write_html(cli_view_run *view, const char *path)
{
    cli_out_file file;
    if (!cli_view_page_there())
        return CLI_EXIT_FAILED;
    if (!cli_out_open(&file, path))
        return CLI_EXIT_WRONG;
    cairn_status status = cli_view_page_write(file.stream, "{\"kind\":\"embedded\"}", view);
    if (status)
    {
        cli_messages_print(view->run.context);
        cli_out_abandon(&file);
        return status == CAIRN_NO_MEMORY ? cli_plot_no_memory() : cli_exit_status(status);
    }
    return cli_out_finish(&file) ? CLI_EXIT_DONE : CLI_EXIT_FAILED;
}
