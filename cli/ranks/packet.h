/* Bytes on their way from one process to another. */
#ifndef CLI_RANKS_PACKET_H
#define CLI_RANKS_PACKET_H

#include <stddef.h>

typedef struct cli_packet
{
    char *bytes;
    size_t size, capacity, at; /* at: what has been taken out */
} cli_packet;

/* Append `size` bytes. */
void cli_packet_put(cli_packet *packet, const void *bytes, size_t size);
/* Append a block with its size, and take it out again as memory of its own; NULL for one of no bytes. */
void cli_packet_put_block(cli_packet *packet, const void *bytes, size_t size);
void *cli_packet_take_block(cli_packet *packet, size_t *size);
/* Take out the next `size` bytes, which were put in the same order. */
void cli_packet_take(cli_packet *packet, void *bytes, size_t size);
/* Room for `size` bytes, which the caller fills. */
char *cli_packet_make_room(cli_packet *packet, size_t size);
void cli_packet_free(cli_packet *packet);

#endif
