/* The server: listen, print the address, serve until a signal arrives.
 *
 * One thread does everything; between the events of connections a live simulation takes its steps.
 */
#include "cli/common/cli.h"
#include "cli/common/json.h"
#include "cli/common/signals.h"
#include "cli/view/view_html.h"
#include "cli/view/view_server_internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const lws_usec_t TICK = 4000; /* microseconds between looks at the simulation and at signals */

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    cli_view_session *session = user;
    switch (reason)
    {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        cli_view_crowd_join(cli_server_of(wsi), wsi);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        cli_view_crowd_leave(cli_server_of(wsi), wsi);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return strcasecmp(in, "websocket") == 0 && cli_view_socket_allowed(wsi) ? 0 : -1;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return cli_view_socket_allowed(wsi) ? 0 : -1;
    case LWS_CALLBACK_HTTP:
        cli_view_crowd_leave(cli_server_of(wsi), wsi);
        return cli_view_http_request(wsi, session, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return cli_view_http_continue(wsi, session);
    case LWS_CALLBACK_HTTP_BODY: /* no request has a body */
    case LWS_CALLBACK_RAW_ADOPT: /* what the method CONNECT leads to */
    case LWS_CALLBACK_RAW_RX:
        return -1;
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (session)
            cli_view_http_end(session);
        return 0;
    case LWS_CALLBACK_ESTABLISHED:
        cli_view_crowd_leave(cli_server_of(wsi), wsi);
        return cli_view_socket_open(wsi, session);
    case LWS_CALLBACK_RECEIVE:
        return cli_view_socket_receive(wsi, session, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return cli_view_socket_send(wsi, session);
    case LWS_CALLBACK_CLOSED:
        cli_view_socket_close(wsi, session);
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols PROTOCOLS[] = {
    {.name = "cairn", .callback = on_event, .per_session_data_size = sizeof(cli_view_session), .rx_buffer_size = 4096},
    {.name = NULL},
};

static struct lws_context *listen_at(cli_view_server *server, const cli_view_server_options *options)
{
    lws_set_log_level(0, NULL);
    struct lws_context_creation_info info = {
        .port = options->port,
        .iface = options->address,
        .protocols = PROTOCOLS,
        .user = server,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_DISABLE_IPV6,
        .max_http_header_data = CLI_HEADER_BYTES,
        .max_http_header_pool = CLI_CONNECTIONS,
        .fd_limit_per_thread = CLI_CONNECTIONS + 8,
        .timeout_secs = CLI_TIMEOUT,
        .keepalive_timeout = CLI_TIMEOUT,
        .timeout_secs_ah_idle = CLI_TIMEOUT,
        .server_string = "cairn",
    };
    struct lws_context *context = lws_create_context(&info);
    struct lws_vhost *vhost = context ? lws_get_vhost_by_name(context, "default") : NULL;
    server->guard.port = vhost ? lws_get_vhost_listen_port(vhost) : 0;
    if (context && server->guard.port <= 0)
    {
        lws_context_destroy(context);
        context = NULL;
    }
    return context;
}

/* Why the port cannot be used. libwebsockets does not report it, so the system is asked directly. */
static void tell_why_not(const cli_view_server_options *options)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options->port)};
    int on = 1, probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (inet_pton(AF_INET, options->address, &place.sin_addr) != 1)
        place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bool asked = probe >= 0 && !setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    bool refused = asked && (bind(probe, (struct sockaddr *)&place, sizeof place) || listen(probe, 1));
    int error = refused ? errno : 0;
    if (probe >= 0)
        close(probe);
    cli_error("cannot listen on %s, port %d%s%s%s", options->address, options->port, error ? ": " : "",
              error ? strerror(error) : "",
              error == EACCES ? "; ports below 1024 are reserved; without --port a free port is used" : "");
}

static bool make_page(cli_view_server *server)
{
    const char *source = server->shown->run     ? "{\"kind\":\"served\",\"base\":\"./\"}"
                         : server->shown->start ? "{\"kind\":\"start\",\"socket\":\"live\"}"
                                                : "{\"kind\":\"live\",\"socket\":\"live\"}";
    FILE *memory = open_memstream(&server->page, &server->page_size);
    cairn_status status = memory ? cli_view_page_write(memory, source, NULL) : CAIRN_NO_MEMORY;
    return memory && fclose(memory) == 0 && !status;
}

/* The browser gets its own session, so that a Ctrl-C here does not end it; what it prints is dropped. */
static void open_browser(const char *address)
{
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return;
    pid_t child = fork();
    if (child == 0)
    {
        setsid();
        if (fork() == 0)
        {
            if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout) ||
                !freopen("/dev/null", "w", stderr))
                _exit(1);
            execlp("xdg-open", "xdg-open", address, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

static void tell_address(const cli_view_server *server, const cli_view_server_options *options)
{
    char address[512];
    bool everywhere = !strcmp(options->address, "0.0.0.0");
    snprintf(address, sizeof address, "http://%s:%d/%s/", everywhere ? "127.0.0.1" : options->address,
             server->guard.port, server->guard.token);
    if (options->json)
    {
        cli_json json = {.stream = stdout};
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "address", address);
        cli_json_integer(&json, "port", server->guard.port);
        cli_json_bool(&json, "live", !server->shown->run);
        cli_json_close(&json, '}');
    }
    else
    {
        printf("%s\n", address);
    }
    fflush(stdout);
    if (options->open)
        open_browser(address);
}

typedef struct ticker
{
    lws_sorted_usec_list_t list; /* first: the callback gets its address */
    cli_view_server *server;
    struct lws_context *context;
} ticker;

static void on_tick(lws_sorted_usec_list_t *list)
{
    ticker *t = (ticker *)(void *)list;
    if (t->server->shown->live)
        cli_view_socket_tick(t->server);
    lws_sul_schedule(t->context, 0, &t->list, on_tick, TICK); /* connections are served in between */
}

static void serve(struct lws_context *context, cli_view_server *server)
{
    ticker t = {.server = server, .context = context};
    lws_sul_schedule(context, 0, &t.list, on_tick, TICK);
    while (!cli_signals_caught() && lws_service(context, 0) >= 0)
    {
    }
    lws_sul_schedule(context, 0, &t.list, NULL, LWS_SET_TIMER_USEC_CANCEL);
}

int cli_view_serve(const cli_view_server_options *options, cli_view_shown *shown)
{
    cli_view_server *server = cli_allocate(1, sizeof *server);
    struct lws_context *context = NULL;
    int result = CLI_EXIT_FAILED;
    server->shown = shown;
    server->guard.address = options->address;
    if (!cli_view_guard_make_token(&server->guard))
    {
        cli_error("the system cannot provide random numbers for the page's address");
    }
    else if (make_page(server) && !(context = listen_at(server, options)))
    {
        tell_why_not(options);
        result = CLI_EXIT_WRONG;
    }
    else if (context)
    {
        signal(SIGPIPE, SIG_IGN);
        cli_signals_watch();
        tell_address(server, options);
        serve(context, server);
        lws_context_destroy(context);
        result = CLI_EXIT_DONE;
    }
    free(server->page);
    free(server);
    return result;
}
