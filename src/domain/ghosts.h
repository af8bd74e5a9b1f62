/* Ghosts: copies of bodies that other ranks own and that bodies of this one may touch before ghosts are chosen anew.
 *
 * Two bodies may touch if the distance of their centres is no more than the sum of their reaches (bodies.h). Ghosts stay valid as long as no body
 * has moved by more than half the skin, with what its reach has grown by. Of two bodies, the one with the larger reach asks: it goes to all
 * ranks that have a part of the curve within twice its reach. A rank that finds a body of its own near it accepts it as a ghost, and answers
 * with that body. So no rank needs to know how far the bodies of others reach, and one giant body costs no more than its neighbours.
 *
 * In a periodic box places are those of the nearest images. A body that touches others of a rank through several of its images is one ghost there: which image is
 * touched, the pipeline finds for every pair of shapes.
 *
 * A body of a mechanism whose lead is elsewhere on the curve strays: its owner is not found by its place. Such bodies go to all ranks. */
#ifndef CRN_DOMAIN_GHOSTS_H
#define CRN_DOMAIN_GHOSTS_H

#include "domain/bodies.h"
#include "domain/curve.h"
#include "domain/near.h"
#include "domain/post.h"

/* The number of a body that another rank has to do with. */
typedef struct crn_link
{
    int64_t number;
    int32_t rank;
} crn_link;

/* By rank, then by number; each once, after crn_ghosts_choose. */
typedef struct crn_links
{
    crn_link *link;
    size_t count, capacity;
} crn_links;

typedef struct crn_ghosts
{
    crn_bodies bodies; /* the ghosts, by number */
    crn_links sent;    /* own bodies that are ghosts elsewhere */
    crn_links here;    /* the ghosts, with their owners */
    crn_near near;
    crn_bodies asking; /* bodies that came to ask */
    crn_bytes strays;
} crn_ghosts;

/* Collective: choose ghosts for the bodies that this rank owns, which have anchor and reach. cut: see curve.h. After a failure on any rank, ghosts are
 * of no use anywhere. */
cairn_status crn_ghosts_choose(crn_ghosts *ghosts, cairn_ranks *ranks, crn_post *post, const crn_curve *curve,
                               const uint64_t *cut, const crn_bodies *own, double skin);
void crn_ghosts_free(crn_ghosts *ghosts);

#endif
