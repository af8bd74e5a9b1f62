#include "cli/view/view_server_internal.h"

#include <string.h>

void cli_view_crowd_leave(cli_view_server *server, const struct lws *wsi)
{
    int at = 0;
    while (at < server->idle_count && server->idle[at] != wsi)
        ++at;
    if (at < server->idle_count)
    {
        --server->idle_count;
        memmove(&server->idle[at], &server->idle[at + 1], (size_t)(server->idle_count - at) * sizeof server->idle[0]);
    }
}

void cli_view_crowd_join(cli_view_server *server, struct lws *wsi)
{
    if (server->idle_count == CLI_IDLE)
    {
        struct lws *oldest = server->idle[0];
        cli_view_crowd_leave(server, oldest);
        lws_set_timeout(oldest, PENDING_TIMEOUT_HTTP_KEEPALIVE_IDLE, LWS_TO_KILL_ASYNC);
    }
    server->idle[server->idle_count++] = wsi;
}
