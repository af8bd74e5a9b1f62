/* The peer of collision detection: Bullet's collision world, where its library is installed. */
#ifndef BENCH_COLLIDE_PEER_H
#define BENCH_COLLIDE_PEER_H

#include <cairn/model.h>

#ifdef __cplusplus
extern "C"
{
#endif

    typedef struct collide_peer collide_peer;

    /* Name and version; NULL when the benchmark was built without it. */
    const char *collide_peer_name(void);

    /* A world with a ground z <= 0 and room for `count` bodies. NULL without the peer. */
    collide_peer *collide_peer_open(int count);
    void collide_peer_close(collide_peer *peer);
    /* One more body at a position, turned by a rotation (row-major). */
    void collide_peer_add(collide_peer *peer, const cairn_shape_options *shape, const double x[3], const double R[9]);
    void collide_peer_move(collide_peer *peer, int body, const double x[3], const double R[9]);

    /* Broad and narrow phase. */
    void collide_peer_collide(collide_peer *peer);
    /* Contact points after that whose bodies touch or overlap. */
    int collide_peer_touching(const collide_peer *peer);
    /* All contact points after that: Bullet keeps those up to its breaking threshold, 0.02 m, apart from boxes' and balls'. */
    int collide_peer_listed(const collide_peer *peer);

#ifdef __cplusplus
}
#endif

#endif
