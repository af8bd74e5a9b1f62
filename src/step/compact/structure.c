/* Structures: bodies that touch at whole faces, as in walls and pyramids.
 *
 * Their factors are thin. A wall is a graph in the plane, and factorisations of n contacts take about n^1.5 multiplications (George 1973):
 * 8e3 per contact at 10,000 contacts, 2.4e4 at 50,000. Some twenty-five of them load one from nothing or find that it can stand. So LOAD per
 * contact suffices up to THICKER contacts, and beyond those it grows in proportion to n, which is more than the factors do.
 */
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

enum
{
    THICKER = 8000 /* contacts */
};

static const double LOAD = 2e5;
static const double UPRIGHT =
    0.95; /* the cosine of the angle between gravity and the normal of a contact that carries from below */

/* Pairs of shapes that touch. The contacts of a pair follow each other. */
static int count_pairs(const cairn_simulation *s)
{
    const crn_contact *contact = s->located.contacts;
    int pairs = 0;
    for (int j = 0; j < s->located.contact_count; ++j)
        pairs += j == 0 || contact[j].shape_a != contact[j - 1].shape_a || contact[j].shape_b != contact[j - 1].shape_b;
    return pairs;
}

bool crn_is_structure(const cairn_simulation *s)
{
    return 2 * s->located.contact_count >= (s->model->dimension == 2 ? 3 : 4) * count_pairs(s);
}

double crn_structure_work(int contacts)
{
    assert(contacts >= 0);
    return LOAD * contacts * fmax(1.0, contacts / (double)THICKER);
}

/* The height of all over the mean height between two that touch; 0 where fewer than two thirds of the contacts carry from below. */
static int count_layers(const cairn_simulation *s)
{
    const crn_compact_scratch *c = &s->compact;
    const double *g = s->state.gravity;
    double along = UPRIGHT * crn_norm3(g), between = 0, top = -INFINITY, bottom = INFINITY;
    int count = s->located.contact_count, upright = 0, pairs = 0;
    for (int j = 0; j < count; ++j)
    {
        const crn_contact *contact = &s->located.contacts[j];
        bool is_upright = fabs(crn_dot3(contact->normal, g)) >= along;
        upright += is_upright;
        if (!is_upright || s->layout->body_block[contact->body_a] < 0 || s->layout->body_block[contact->body_b] < 0)
            continue;
        double a = c->height[contact->body_a], b = c->height[contact->body_b];
        top = fmax(top, fmax(a, b));
        bottom = fmin(bottom, fmin(a, b));
        between += fabs(a - b);
        ++pairs;
    }
    return 3 * upright >= 2 * count && between > 0 ? 1 + (int)fmin((top - bottom) * pairs / between, count) : 0;
}

int crn_compact_layers(cairn_simulation *s)
{
    crn_compact_scratch *c = &s->compact;
    if (c->layers < 0)
        c->layers = c->has_faces && c->largest > 0 && crn_is_structure(s) ? count_layers(s) : 0;
    return c->layers;
}
