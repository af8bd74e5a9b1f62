/* Requests: the page, its header, its frames, and nothing else.
 *
 * Paths of requests never name files: only six names are known. Any path without the token returns a bare 404,
 * like any other 404. Frames are read from the run file one at a time as the client takes them, so that a connection holds
 * one frame in memory, however many were requested; their lengths follow from their numbers of contacts.
 */
#include "cli/view/view_server_internal.h"
#include "cli/view/view_start.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool cli_view_host(struct lws *wsi, char *host, int size)
{
    return lws_hdr_copy(wsi, host, size, WSI_TOKEN_HOST) > 0 && cli_view_guard_host(&cli_server_of(wsi)->guard, host);
}

typedef struct header_line
{
    const char *name, *value;
} header_line;

/* Status and headers. The page may run its own scripts and talk to this server, and do nothing else. */
static int send_head(struct lws *wsi, unsigned status, const char *type, int64_t length, const char *host)
{
    char policy[512];
    snprintf(policy, sizeof policy,
             "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data: blob:; "
             "font-src data:; worker-src blob:; connect-src 'self' ws://%s; base-uri 'none'; form-action 'none'; "
             "frame-ancestors 'none'",
             host);
    const header_line lines[] = {
        {"cache-control:", "no-store"},
        {"content-security-policy:", policy},
        {"x-content-type-options:", "nosniff"},
        {"referrer-policy:", "no-referrer"},
        {"cross-origin-resource-policy:", "same-origin"},
        {"cross-origin-opener-policy:", "same-origin"},
    };
    unsigned char buffer[LWS_PRE + 2048];
    unsigned char *start = buffer + LWS_PRE, *p = start, *end = buffer + sizeof buffer - 1;
    int failed = lws_add_http_common_headers(wsi, status, type, (lws_filepos_t)length, &p, end);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0] && !failed; ++i)
    {
        failed =
            lws_add_http_header_by_name(wsi, (const unsigned char *)lines[i].name,
                                        (const unsigned char *)lines[i].value, (int)strlen(lines[i].value), &p, end);
    }
    return failed || lws_finalize_write_http_header(wsi, start, &p, end) ? -1 : 0;
}

void cli_view_http_end(cli_view_session *session)
{
    free(session->text);
    session->text = NULL;
    session->left = 0;
    session->frame = session->frame_end = 0;
    cli_bytes_free(&session->bytes);
    session->answering = false;
}

/* An answer without a body. */
static int refuse(struct lws *wsi, cli_view_session *session, unsigned status)
{
    cli_view_http_end(session);
    if (send_head(wsi, status, "text/plain", 0, "127.0.0.1"))
        return -1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int begin(struct lws *wsi, cli_view_session *session, const char *type, int64_t length, const char *host)
{
    if (send_head(wsi, HTTP_STATUS_OK, type, length, host))
        return -1;
    session->answering = true;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, CLI_TIMEOUT);
    lws_callback_on_writable(wsi);
    return 0;
}

/* A run in progress may have grown. If it can no longer be opened, the old state is kept. */
static void look_again(cli_view_shown *shown)
{
    cli_view_run now;
    struct stat info;
    bool running = !strcmp(cairn_run_status(shown->run->run.run), "running");
    bool changed = running && !stat(shown->path, &info) &&
                   (info.st_size != shown->seen.st_size || info.st_mtim.tv_sec != shown->seen.st_mtim.tv_sec ||
                    info.st_mtim.tv_nsec != shown->seen.st_mtim.tv_nsec);
    if (changed && !cli_view_run_open(&now, shown->path, shown->run->most))
    {
        shown->seen = info;
        cli_view_run_close(shown->run);
        now.forces = shown->forces;
        *shown->run = now;
    }
}

static int answer_header(struct lws *wsi, cli_view_session *session, const char *host)
{
    cli_view_shown *shown = cli_server_of(wsi)->shown;
    size_t length = 0;
    FILE *memory = open_memstream(&session->text, &length);
    cairn_status status = CAIRN_OK;
    if (shown->run)
    {
        look_again(shown);
        status = status ? status : cli_view_run_header(shown->run, "none", memory);
        cairn_context_clear(shown->run->run.context);
    }
    else if (!status)
    {
        cli_view_live_header(shown->live, shown->forces, memory);
    }
    if (memory && fclose(memory) != 0)
        status = CAIRN_NO_MEMORY;
    if (status)
        return refuse(wsi, session, HTTP_STATUS_INTERNAL_SERVER_ERROR);
    session->rest = session->text;
    session->left = length;
    return begin(wsi, session, "application/json", (int64_t)length, host);
}

/* Pages that show another simulation are told that theirs is gone. */
static void drop_sockets(const cli_view_server *server)
{
    for (int i = 0; i < CLI_LIVE_CONNECTIONS; ++i)
        if (server->sockets[i])
            lws_set_timeout(server->sockets[i]->wsi, PENDING_TIMEOUT_CLOSE_ACK, LWS_TO_KILL_SYNC);
}

/* The start page: scenes.json lists the scenes, scene.json is one of them at its start, choose simulates it (the name "": none). */
static int answer_start(struct lws *wsi, cli_view_session *session, const char *name, const char *host)
{
    cli_view_shown *shown = cli_server_of(wsi)->shown;
    char buffer[128];
    const char *scene = lws_get_urlarg_by_name(wsi, "name=", buffer, sizeof buffer);
    size_t length = 0;
    bool good = true;
    FILE *memory = open_memstream(&session->text, &length);
    if (!memory)
        return refuse(wsi, session, HTTP_STATUS_INTERNAL_SERVER_ERROR);
    if (!strcmp(name, "scenes.json"))
        cli_view_start_list(shown->live != NULL, memory);
    else if (!scene || (scene[0] && !cairn_builtin_find(scene)))
        good = false;
    else if (!strcmp(name, "scene.json"))
        good = cli_view_start_scene(scene, shown->start, memory);
    else
    {
        drop_sockets(cli_server_of(wsi));
        good = cli_view_start_choose(&shown->live, scene, shown->start);
        fputs("{}", memory);
    }
    good = !fclose(memory) && good;
    if (!good)
        return refuse(wsi, session, HTTP_STATUS_NOT_FOUND);
    session->rest = session->text;
    session->left = length;
    return begin(wsi, session, "application/json", (int64_t)length, host);
}

/* A whole number in the query; `otherwise` when it is not there, -1 when it is wrong. */
static int64_t query_number(struct lws *wsi, const char *name, int64_t otherwise)
{
    char buffer[64], *end;
    const char *text = lws_get_urlarg_by_name(wsi, name, buffer, sizeof buffer);
    if (!text)
        return otherwise;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    return end == text || *end || errno || value < 0 ? -1 : value;
}

static int answer_frames(struct lws *wsi, cli_view_session *session, const char *host)
{
    const cli_view_run *run = cli_server_of(wsi)->shown->run;
    int64_t all = run->run.frame_count;
    int64_t from = query_number(wsi, "from=", 0), count = query_number(wsi, "count=", all);
    if (from < 0 || count < 0 || from > all)
        return refuse(wsi, session, HTTP_STATUS_BAD_REQUEST);
    session->frame = from;
    session->frame_end = count > all - from ? all : from + count;
    int64_t length = cli_view_run_bytes(run, from, session->frame_end);
    return begin(wsi, session, "application/octet-stream", length, host);
}

int cli_view_http_request(struct lws *wsi, cli_view_session *session, const char *path)
{
    const cli_view_server *server = cli_server_of(wsi);
    char host[256];
    cli_view_http_end(session);
    const char *name = cli_view_guard_path(&server->guard, path);
    if (!name || !cli_view_host(wsi, host, sizeof host))
        return refuse(wsi, session, HTTP_STATUS_NOT_FOUND);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return refuse(wsi, session, HTTP_STATUS_METHOD_NOT_ALLOWED);
    if (!name[0])
    {
        session->rest = server->page;
        session->left = server->page_size;
        return begin(wsi, session, "text/html; charset=utf-8", (int64_t)server->page_size, host);
    }
    if (!strcmp(name, "run.json") && (server->shown->run || server->shown->live))
        return answer_header(wsi, session, host);
    if (server->shown->start &&
        (!strcmp(name, "scenes.json") || !strcmp(name, "scene.json") || !strcmp(name, "choose")))
        return answer_start(wsi, session, name, host);
    if (!strcmp(name, "frames.bin") && server->shown->run)
        return answer_frames(wsi, session, host);
    return refuse(wsi, session, HTTP_STATUS_NOT_FOUND);
}

/* The next bytes of the answer, with the frames behind the text. NULL: a frame could not be read. */
static const char *next_piece(cli_view_server *server, cli_view_session *session, size_t *size)
{
    if (session->left == 0 && session->bytes_sent == session->bytes.size && session->frame < session->frame_end)
    {
        session->bytes.size = session->bytes_sent = 0;
        if (cli_view_run_frame(server->shown->run, session->frame++, &session->bytes))
        {
            cairn_context_clear(server->shown->run->run.context);
            return NULL;
        }
    }
    bool text = session->left > 0;
    size_t left = text ? session->left : session->bytes.size - session->bytes_sent;
    *size = left < CLI_PIECE_BYTES ? left : CLI_PIECE_BYTES;
    if (left == 0) /* an answer of no frames: there may be no memory to point into */
        return "";
    const char *piece = text ? session->rest : (const char *)session->bytes.data + session->bytes_sent;
    session->rest = text ? piece + *size : session->rest;
    session->left -= text ? *size : 0;
    session->bytes_sent += text ? 0 : *size;
    return piece;
}

int cli_view_http_continue(struct lws *wsi, cli_view_session *session)
{
    cli_view_server *server = cli_server_of(wsi);
    if (!session->answering)
        return 0;
    size_t size;
    const char *piece = next_piece(server, session, &size);
    if (!piece)
        return -1;
    memcpy(server->piece + LWS_PRE, piece, size);
    bool done =
        session->left == 0 && session->bytes_sent == session->bytes.size && session->frame == session->frame_end;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, CLI_TIMEOUT);
    if (lws_write(wsi, server->piece + LWS_PRE, size, done ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)size)
        return -1;
    if (!done)
    {
        lws_callback_on_writable(wsi);
        return 0;
    }
    cli_view_http_end(session);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}
