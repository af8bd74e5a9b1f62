#include "cli/view/view_guard.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

enum
{
    HTTP_PORT = 80 /* which browsers leave out of the Host header */
};

bool cli_view_guard_make_token(cli_view_guard *guard)
{
    unsigned char random[CLI_TOKEN_LENGTH / 2];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    for (size_t i = 0; i < sizeof random; ++i)
        snprintf(guard->token + 2 * i, 3, "%02x", random[i]);
    return true;
}

const char *cli_view_guard_path(const cli_view_guard *guard, const char *path)
{
    if (strlen(path) < CLI_TOKEN_LENGTH + 2)
        return NULL;
    unsigned different = (unsigned char)path[0] ^ '/';
    for (int i = 0; i < CLI_TOKEN_LENGTH; ++i)
        different |= (unsigned char)path[1 + i] ^ (unsigned char)guard->token[i];
    different |= (unsigned char)path[1 + CLI_TOKEN_LENGTH] ^ '/';
    return different ? NULL : path + CLI_TOKEN_LENGTH + 2;
}

static bool is_numeric(const char *host)
{
    return host[0] && !host[strspn(host, "0123456789.")];
}

bool cli_view_guard_host(const cli_view_guard *guard, const char *host)
{
    char name[256], port[16];
    const char *colon = strrchr(host, ':');
    size_t length = colon ? (size_t)(colon - host) : strlen(host);
    snprintf(port, sizeof port, "%d", guard->port);
    bool same_port = colon ? strcmp(colon + 1, port) == 0 : guard->port == HTTP_PORT;
    if (!same_port || length >= sizeof name)
        return false;
    memcpy(name, host, length);
    name[length] = '\0';
    bool loopback = !strcmp(name, "127.0.0.1") || !strcasecmp(name, "localhost");
    bool everywhere = !strcmp(guard->address, "0.0.0.0") && is_numeric(name);
    return loopback || everywhere || !strcmp(name, guard->address);
}

bool cli_view_guard_origin(const char *origin, const char *host)
{
    static const char SCHEME[] = "http://";
    return !strncasecmp(origin, SCHEME, sizeof SCHEME - 1) && !strcasecmp(origin + sizeof SCHEME - 1, host);
}
