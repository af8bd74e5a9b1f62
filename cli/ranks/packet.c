#include "cli/ranks/packet.h"

#include "cli/common/cli.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

char *cli_packet_make_room(cli_packet *packet, size_t size)
{
    size_t needed = packet->size + size;
    if (needed > packet->capacity)
    {
        packet->capacity = 2 * needed;
        packet->bytes = cli_resize(packet->bytes, packet->capacity, 1);
    }
    char *room = packet->bytes + packet->size;
    packet->size = needed;
    return room;
}

void cli_packet_put(cli_packet *packet, const void *bytes, size_t size)
{
    if (size > 0)
        memcpy(cli_packet_make_room(packet, size), bytes, size);
}

void cli_packet_put_block(cli_packet *packet, const void *bytes, size_t size)
{
    cli_packet_put(packet, &size, sizeof size);
    cli_packet_put(packet, bytes, size);
}

void cli_packet_take(cli_packet *packet, void *bytes, size_t size)
{
    assert(packet->at + size <= packet->size);
    if (size > 0)
        memcpy(bytes, packet->bytes + packet->at, size);
    packet->at += size;
}

void *cli_packet_take_block(cli_packet *packet, size_t *size)
{
    cli_packet_take(packet, size, sizeof *size);
    if (*size == 0)
        return NULL;
    void *block = cli_allocate(*size, 1);
    cli_packet_take(packet, block, *size);
    return block;
}

void cli_packet_free(cli_packet *packet)
{
    free(packet->bytes);
    *packet = (cli_packet){0};
}
