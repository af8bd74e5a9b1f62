/* Access to the viewer's server: a token in the address, and the host names under which the server may be reached. */
#ifndef CLI_VIEW_VIEW_GUARD_H
#define CLI_VIEW_VIEW_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum
{
    CLI_TOKEN_LENGTH = 32 /* hexadecimal digits: 128 bits */
};

typedef struct cli_view_guard
{
    char token[CLI_TOKEN_LENGTH + 1];
    const char *address; /* the server listens at; numbers and dots */
    int port;
} cli_view_guard;

/* A new random token; false when the system provides no random numbers. */
bool cli_view_guard_make_token(cli_view_guard *guard);

/* The rest of a path after /TOKEN/; NULL: the token differs. Takes the same time wherever it differs. */
const char *cli_view_guard_path(const cli_view_guard *guard, const char *path);

/* Whether a Host header names this server: an address in numbers, or localhost, with the port (80 may be left out). Other names might have been
 * made to point here by a stranger's page (DNS rebinding). */
bool cli_view_guard_host(const cli_view_guard *guard, const char *host);

/* Whether an Origin header is that of a page served under that host. */
bool cli_view_guard_origin(const char *origin, const char *host);

#endif
