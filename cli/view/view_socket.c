/* Live connections.
 *
 * A page is sent, in this order: errors in its commands, the state when it changed, and the newest frame with its series, but no
 * frame while two are unacknowledged. So a slow page skips frames and nothing piles up: each connection holds at most one
 * message, which is sent in pieces.
 */
#include "cli/common/json.h"
#include "cli/common/progress.h"
#include "cli/view/view_server_internal.h"

#include <stdlib.h>
#include <string.h>

static const double STEP_BUDGET = 0.012; /* s of stepping between looks at the connections */

bool cli_view_socket_allowed(struct lws *wsi)
{
    const cli_view_server *server = cli_server_of(wsi);
    char path[256], host[256], origin[512];
    if (!server->shown->live || lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) <= 0)
        return false;
    const char *name = cli_view_guard_path(&server->guard, path);
    if (!name || strcmp(name, "live") != 0 || !cli_view_host(wsi, host, sizeof host))
        return false;
    /* Programs send no origin; a browser always does, and never an empty one: that is refused. */
    if (lws_hdr_copy_fragment(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN, 0) < 0 &&
        lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) <= 0)
        return true;
    return lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) > 0 && cli_view_guard_origin(origin, host);
}

int cli_view_socket_open(struct lws *wsi, cli_view_session *session)
{
    cli_view_server *server = cli_server_of(wsi);
    cli_view_socket *socket = &session->socket;
    *socket = (cli_view_socket){.wsi = wsi};
    for (int i = 0; i < CLI_LIVE_CONNECTIONS; ++i)
    {
        if (!server->sockets[i])
        {
            server->sockets[i] = socket;
            lws_callback_on_writable(wsi);
            return 0;
        }
    }
    lws_close_reason(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, NULL, 0);
    return -1;
}

void cli_view_socket_close(struct lws *wsi, cli_view_session *session)
{
    cli_view_server *server = cli_server_of(wsi);
    for (int i = 0; i < CLI_LIVE_CONNECTIONS; ++i)
        if (server->sockets[i] == &session->socket)
            server->sockets[i] = NULL;
    if (session->socket.grabs) /* a closed page releases its body */
    {
        const cli_view_command release = {.ask = CLI_ASK_RELEASE};
        cli_view_live_obey(server->shown->live, &release, session->socket.error, sizeof session->socket.error);
    }
    cli_bytes_free(&session->socket.out);
    session->socket = (cli_view_socket){0};
}

static void acknowledge(cli_view_socket *socket, int64_t index)
{
    bool last = index == socket->sent_index[0], before = index == socket->sent_index[1];
    socket->waiting = last ? 0 : before && socket->waiting > 1 ? 1 : socket->waiting;
}

static void obey(struct lws *wsi, cli_view_socket *socket)
{
    cli_view_command command;
    if (!cli_view_command_parse(socket->command, socket->command_size, &command, socket->error, sizeof socket->error))
        return;
    if (command.ask == CLI_ASK_ACK)
    {
        acknowledge(socket, command.index);
        return;
    }
    bool done = cli_view_live_obey(cli_server_of(wsi)->shown->live, &command, socket->error, sizeof socket->error);
    socket->grabs = command.ask == CLI_ASK_GRAB ? done : socket->grabs && command.ask != CLI_ASK_RELEASE;
}

int cli_view_socket_receive(struct lws *wsi, cli_view_session *session, const char *data, size_t size)
{
    cli_view_socket *socket = &session->socket;
    if (lws_is_first_fragment(wsi))
        socket->command_size = 0;
    if (size > CLI_COMMAND_BYTES - socket->command_size)
    {
        lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
        return -1;
    }
    memcpy(socket->command + socket->command_size, data, size);
    socket->command_size += size;
    if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0)
    {
        obey(wsi, socket);
        socket->command_size = 0;
        lws_callback_on_writable(wsi);
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------- sending */

static void put_error(FILE *stream, const char *text)
{
    cli_json json = {.stream = stream, .compact = true};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "type", "error");
    cli_json_text(&json, "text", text);
    cli_json_close(&json, '}');
}

typedef enum message
{
    MESSAGE_NONE = 0,
    MESSAGE_ERROR,
    MESSAGE_STATE,
    MESSAGE_FRAME,
    MESSAGE_SERIES,
} message;

static message choose(const cli_view_socket *socket, const cli_view_live *live)
{
    if (socket->error[0])
        return MESSAGE_ERROR;
    if (socket->series_due)
        return MESSAGE_SERIES;
    if (socket->versions != live->versions)
        return MESSAGE_STATE;
    return socket->waiting < 2 && socket->frames != live->frames ? MESSAGE_FRAME : MESSAGE_NONE;
}

static bool put_text(cli_view_socket *socket, const cli_view_live *live, message which)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        return false;
    if (which == MESSAGE_ERROR)
    {
        put_error(memory, socket->error);
        socket->error[0] = '\0';
    }
    else if (which == MESSAGE_SERIES)
    {
        cli_view_live_series(live, memory);
        socket->series_due = false;
        socket->versions = live->versions - 1; /* the state goes with it */
    }
    else
    {
        cli_view_live_state(live, memory);
        socket->versions = live->versions;
    }
    bool good = fclose(memory) == 0;
    cli_bytes_put(&socket->out, text, good ? length : 0);
    free(text);
    return good;
}

static bool put_frame(cli_view_socket *socket, cli_view_live *live)
{
    socket->sent_index[1] = socket->sent_index[0];
    socket->sent_index[0] = live->step;
    ++socket->waiting;
    socket->frames = live->frames;
    socket->series_due = true;
    return cli_view_live_frame(live, &socket->out);
}

/* Put the next message into `out`; false on failure. */
static bool fill(cli_view_socket *socket, cli_view_live *live)
{
    message which = choose(socket, live);
    socket->out.size = socket->sent = 0;
    socket->binary = which == MESSAGE_FRAME;
    if (which == MESSAGE_NONE)
        return true;
    return socket->binary ? put_frame(socket, live) : put_text(socket, live, which);
}

/* Send a piece of the current message; false when it could not be written. */
static bool send_piece(struct lws *wsi, cli_view_server *server, cli_view_socket *socket)
{
    size_t left = socket->out.size - socket->sent;
    size_t size = left < CLI_PIECE_BYTES ? left : CLI_PIECE_BYTES;
    memcpy(server->piece + LWS_PRE, socket->out.data + socket->sent, size);
    int kind = lws_write_ws_flags(socket->binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT, socket->sent == 0, size == left);
    socket->sent += size;
    return lws_write(wsi, server->piece + LWS_PRE, size, (enum lws_write_protocol)kind) >= (int)size;
}

int cli_view_socket_send(struct lws *wsi, cli_view_session *session)
{
    cli_view_server *server = cli_server_of(wsi);
    cli_view_socket *socket = &session->socket;
    do
    {
        if (socket->sent == socket->out.size && !fill(socket, server->shown->live))
            return -1;
        if (socket->out.size == 0)
            return 0;
        if (!send_piece(wsi, server, socket))
            return -1;
    } while (!lws_send_pipe_choked(wsi));
    lws_callback_on_writable(wsi);
    return 0;
}

/* Whether a page waits for its first frame or for the rest of a message. */
static bool is_owed(const cli_view_socket *socket)
{
    return socket && (socket->sent < socket->out.size || socket->frames == 0);
}

/* Messages go out in pieces, one or a few between two steps. Steps that take long would hold a large frame up for minutes: they wait until it
 * is sent, or its page is dropped for not reading. */
static bool may_step(const cli_view_server *server, const cli_view_live *live)
{
    bool owed = false;
    for (int i = 0; i < CLI_LIVE_CONNECTIONS; ++i)
        owed = owed || is_owed(server->sockets[i]);
    return !owed || (live->step > 0 && live->wall_per_step < STEP_BUDGET);
}

void cli_view_socket_tick(cli_view_server *server)
{
    cli_view_live *live = server->shown->live;
    int connected = 0;
    for (int i = 0; i < CLI_LIVE_CONNECTIONS; ++i)
        connected += server->sockets[i] != NULL;
    double now = cli_wall_time();
    if (connected == 0)
    {
        live->wall = now; /* nobody watches: time stands still */
        return;
    }
    if (may_step(server, live))
        cli_view_live_advance(live, now, STEP_BUDGET);
    for (int i = 0; i < CLI_LIVE_CONNECTIONS; ++i)
    {
        cli_view_socket *socket = server->sockets[i];
        if (socket && (socket->sent < socket->out.size || choose(socket, live) != MESSAGE_NONE))
            lws_callback_on_writable(socket->wsi);
    }
}
