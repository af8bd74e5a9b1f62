/* Derivatives of the projections on the pieces of an active set (active.h). */
#include "math/cylinder.h"
#include "math/vec.h"
#include "solve/forces/least_norm.h"
#include "solve/newton/interior_point.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double DIFFERENCE = 1e-4; /* of |y|: the step of differences */

/* P' of a polyhedral piece at y by differences, which are exact except at kinks within the step. */
static void find_by_differences(const crn_piece *piece, int directions, const double *y, double D[9])
{
    assert(piece->kind == CRN_PIECE_PYRAMID || piece->kind == CRN_PIECE_BOX);
    int n = piece->count;
    double step = DIFFERENCE * sqrt(crn_dot(n, y, y));
    double moved[3], up[3], down[3];
    for (int j = 0; j < n && step > 0.0; ++j)
    {
        memcpy(moved, y, (size_t)n * sizeof(double));
        moved[j] = y[j] + step;
        crn_piece_project(piece, directions, moved, up);
        moved[j] = y[j] - step;
        crn_piece_project(piece, directions, moved, down);
        for (int i = 0; i < n; ++i)
            D[3 * i + j] = (up[i] - down[i]) / (2.0 * step);
    }
}

/* The derivative of the cylinder without its first row and column, the normal. */
static void differentiate_disc(const crn_piece *piece, const double *y, double D[9])
{
    assert(piece->kind == CRN_PIECE_DISC && piece->count <= 2);
    double whole[9];
    double x[3] = {0.0, y[0], piece->count == 2 ? y[1] : 0.0};
    crn_cylinder_differentiate(piece->count + 1, piece->mu, x, whole);
    for (int i = 0; i < piece->count; ++i)
        for (int k = 0; k < piece->count; ++k)
            D[3 * i + k] = whole[3 * (i + 1) + k + 1];
}

void crn_piece_differentiate(const crn_piece *piece, int directions, const double *y, double D[9])
{
    memset(D, 0, 9 * sizeof(double));
    switch (piece->kind)
    {
    case CRN_PIECE_LINE:
        D[0] = 1.0;
        return;
    case CRN_PIECE_RAY:
        D[0] = y[0] > 0.0 ? 1.0 : 0.0;
        return;
    case CRN_PIECE_CONE:
        crn_ip_differentiate(piece->count, piece->mu, y, D);
        return;
    case CRN_PIECE_DISC:
        differentiate_disc(piece, y, D);
        return;
    case CRN_PIECE_INTERVAL:
        D[0] = y[0] > piece->lo && y[0] < piece->hi ? 1.0 : 0.0;
        return;
    case CRN_PIECE_PYRAMID:
    case CRN_PIECE_BOX:
        find_by_differences(piece, directions, y, D);
        return;
    }
}
