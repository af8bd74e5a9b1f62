/* What the parts of the server share. One thread serves all connections. */
#ifndef CLI_VIEW_VIEW_SERVER_INTERNAL_H
#define CLI_VIEW_VIEW_SERVER_INTERNAL_H

#include "cli/view/view_guard.h"
#include "cli/view/view_server.h"

#include <libwebsockets.h>

enum
{
    CLI_PIECE_BYTES = 1 << 16, /* sent at a time */
    CLI_COMMAND_BYTES = 4096,  /* the longest message a page may send */
    CLI_LIVE_CONNECTIONS = 8,  /* pages that watch one simulation */
    CLI_CONNECTIONS = 64,      /* of any kind */
    CLI_IDLE = 32,           /* of them, those that have not asked for anything yet; a newer one replaces the oldest */
    CLI_HEADER_BYTES = 8192, /* of a request */
    CLI_TIMEOUT = 5,         /* s: a client that neither asks nor reads is dropped */
};

/* A page's live connection. */
typedef struct cli_view_socket
{
    struct lws *wsi;                     /* NULL: none */
    char command[CLI_COMMAND_BYTES + 1]; /* as much as has arrived */
    size_t command_size;
    cli_bytes out; /* the message being sent, or to be sent next */
    size_t sent;
    bool binary;
    int64_t sent_index[2];     /* of the last two frames, the newer first */
    int waiting;               /* frames that the page has not acknowledged */
    uint64_t frames, versions; /* of the simulation, as this page knows it */
    bool grabs;                /* its page holds a body */
    bool series_due;           /* for the frame sent last */
    char error[256];           /* to tell; "": none */
} cli_view_socket;

typedef struct cli_view_server
{
    cli_view_guard guard;
    cli_view_shown *shown;
    char *page; /* with its source */
    size_t page_size;
    cli_view_socket *sockets[CLI_LIVE_CONNECTIONS]; /* NULL: free */
    struct lws *idle[CLI_IDLE];                     /* the oldest first */
    int idle_count;
    unsigned char piece[LWS_PRE + CLI_PIECE_BYTES]; /* scratch */
} cli_view_server;

/* What a connection is at: an answer that is being sent, or a live connection. */
typedef struct cli_view_session
{
    char *text; /* owned */
    const char *rest;
    size_t left;              /* of the text */
    int64_t frame, frame_end; /* still to be sent */
    cli_bytes bytes;          /* of the current frame */
    size_t bytes_sent;
    bool answering;
    cli_view_socket socket;
} cli_view_session;

static inline cli_view_server *cli_server_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

/* The Host header, checked; false: missing, too long, or of another server. */
bool cli_view_host(struct lws *wsi, char *host, int size);

/* Connections that have not asked yet, in view_crowd.c: a new one; one that asked or is gone. However many there are, they
 * leave room for those that ask. */
void cli_view_crowd_join(cli_view_server *server, struct lws *wsi);
void cli_view_crowd_leave(cli_view_server *server, const struct lws *wsi);

/* One request: answers it or begins to. Like lws callbacks: not 0 closes the connection. */
int cli_view_http_request(struct lws *wsi, cli_view_session *session, const char *path);
int cli_view_http_continue(struct lws *wsi, cli_view_session *session);
void cli_view_http_end(cli_view_session *session);

/* Live connections: whether one may begin, its messages, its turn to send, its end. */
bool cli_view_socket_allowed(struct lws *wsi);
int cli_view_socket_open(struct lws *wsi, cli_view_session *session);
int cli_view_socket_receive(struct lws *wsi, cli_view_session *session, const char *data, size_t size);
int cli_view_socket_send(struct lws *wsi, cli_view_session *session);
void cli_view_socket_close(struct lws *wsi, cli_view_session *session);
/* Let the simulation go on, and wake all pages that have something to get. */
void cli_view_socket_tick(cli_view_server *server);

#endif
