/* Without Bullet there is nothing to put beside Cairn; with it, collide_bullet.cpp takes the place of this. */
#include "collide_peer.h"

#include <stddef.h>

#ifndef CAIRN_HAVE_BULLET

const char *collide_peer_name(void)
{
    return NULL;
}

collide_peer *collide_peer_open(int count)
{
    (void)count;
    return NULL;
}

void collide_peer_close(collide_peer *peer)
{
    (void)peer;
}

void collide_peer_add(collide_peer *peer, const cairn_shape_options *shape, const double x[3], const double R[9])
{
    (void)peer;
    (void)shape;
    (void)x;
    (void)R;
}

void collide_peer_move(collide_peer *peer, int body, const double x[3], const double R[9])
{
    (void)peer;
    (void)body;
    (void)x;
    (void)R;
}

void collide_peer_collide(collide_peer *peer)
{
    (void)peer;
}

int collide_peer_touching(const collide_peer *peer)
{
    (void)peer;
    return 0;
}

int collide_peer_listed(const collide_peer *peer)
{
    (void)peer;
    return 0;
}

#endif
