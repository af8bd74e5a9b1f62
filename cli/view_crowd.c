#include "view_server_inside.h"

#include <string.h>

void crn_view_crowd_leave(crn_view_server *server, const struct lws *wsi)
{
    int at = 0;
    while (at < server->idle_count && server->idle[at] != wsi)
    {
        ++at;
    }
    if (at < server->idle_count)
    {
        --server->idle_count;
        memmove(&server->idle[at], &server->idle[at + 1], (size_t)(server->idle_count - at) * sizeof server->idle[0]);
    }
}

void crn_view_crowd_join(crn_view_server *server, struct lws *wsi)
{
    if (server->idle_count == CRN_IDLE)
    {
        struct lws *oldest = server->idle[0];
        crn_view_crowd_leave(server, oldest);
        lws_set_timeout(oldest, PENDING_TIMEOUT_HTTP_KEEPALIVE_IDLE, LWS_TO_KILL_ASYNC);
    }
    server->idle[server->idle_count++] = wsi;
}
