/* Corners, edges and faces of a box. */
#include "collide/shapes/box.h"

#include "collide/convex/convex.h"
#include "math/vec.h"

#include <assert.h>

void crn_box_corner(const crn_placed *box, int corner, double out[3])
{
    double local[3];
    crn_box_own_corner(box->half, corner, local);
    crn_rotate3(box->R, local, out);
    crn_add3(box->centre, out, out);
}

int crn_box_edge(int corner, int other)
{
    int bit = corner ^ other;
    assert(bit == 1 || bit == 2 || bit == 4);
    int axis = bit == 1 ? 0 : bit == 2 ? 1 : 2;
    int low = axis == 0 ? corner >> 1 & 1 : corner & 1;
    int high = axis == 2 ? corner >> 1 & 1 : corner >> 2 & 1;
    return 4 * axis + low + 2 * high;
}

int crn_box_edge_corner(int edge)
{
    assert(edge >= 0 && edge < 12);
    int axis = edge / 4;
    int low = edge & 1, high = edge >> 1 & 1;
    return (axis == 0 ? low << 1 : low) | (axis == 2 ? high << 1 : high << 2);
}

double crn_box_size(const crn_placed *a, const crn_placed *b)
{
    return fmin(crn_thickness(a), crn_thickness(b));
}

void crn_box_view(const crn_placed *a, const crn_placed *b, crn_box_pair *out)
{
    assert(crn_is_box(a->kind) && crn_is_box(b->kind));
    double arm[3];
    out->a = a;
    out->b = b;
    crn_sub3(b->centre, a->centre, arm);
    crn_unrotate3(a->R, arm, out->t);
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            double c = a->R[i] * b->R[j] + a->R[3 + i] * b->R[3 + j] + a->R[6 + i] * b->R[6 + j];
            out->C[3 * i + j] = c;
            out->K[3 * i + j] = fabs(c);
        }
    }
}

void crn_box_swap(const crn_box_pair *pair, crn_box_pair *out)
{
    out->a = pair->b;
    out->b = pair->a;
    crn_unrotate3(pair->C, pair->t, out->t);
    crn_scale3(-1.0, out->t, out->t);
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            out->C[3 * i + j] = pair->C[3 * j + i];
            out->K[3 * i + j] = pair->K[3 * j + i];
        }
    }
}

void crn_box_to_world(const crn_box_pair *pair, const double local[3], double out[3])
{
    crn_rotate3(pair->a->R, local, out);
    crn_add3(pair->a->centre, out, out);
}

unsigned crn_box_feature_corner(bool of_b, int corner)
{
    assert(corner >= 0 && corner < 8);
    return (of_b ? 8u : 0u) + (unsigned)corner;
}

unsigned crn_box_feature_edges(int edge_a, int edge_b)
{
    assert(edge_a >= 0 && edge_a < 12 && edge_b >= 0 && edge_b < 12);
    return 256u + 16u * (unsigned)edge_a + (unsigned)edge_b;
}
