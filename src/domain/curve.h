/* Hilbert's curve through a cube: points that are near on the curve are near in space, so that a stretch of it is a compact domain.
 *
 * Keys have three bits per level. The key of an octant at a coarser level is a prefix of those of its points. Points outside the cube count as
 * the nearest ones in it. The transformation is that of Skilling (2004), "Programming the Hilbert curve". */
#ifndef CRN_DOMAIN_CURVE_H
#define CRN_DOMAIN_CURVE_H

#include <stdbool.h>
#include <stdint.h>

enum
{
    CRN_CURVE_LEVELS = 20 /* at most */
};

typedef struct crn_curve
{
    double low[3], side; /* m: the cube */
    double box[3]; /* m: of a scene that is periodic, whose points lie on the curve where their images in the box do */
    int levels;
} crn_curve;

/* A curve through a box, with cells no smaller than `cell`. */
crn_curve crn_curve_over(const double low[3], const double high[3], double cell);
/* Likewise in a periodic box, all of which it covers along the axes that repeat. */
crn_curve crn_curve_in(const double box[3], const double low[3], const double high[3], double cell);
uint64_t crn_curve_key(const crn_curve *curve, const double x[3]);

/* The stretches of the ranks: rank r has the keys from cut[r] to cut[r + 1], which is not its own. cut[0] is 0. */
int crn_curve_rank(const uint64_t *cut, int ranks, uint64_t key);
/* Mark the ranks that have a part of the box; `list` (room for all) gets those that were not marked before. Returns its new length. */
int crn_curve_near(const crn_curve *curve, const uint64_t *cut, int ranks, const double low[3], const double high[3],
                   bool *marked, int *list, int length);

#endif
