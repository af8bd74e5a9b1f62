/* Tangents of a contact.
 *
 * In space they are those of T. Duff et al., "Building an orthonormal basis, revisited" (JCGT 6, 2017), made orthonormal to rounding,
 * which the formula alone is not near n = -z. They jump where n_z changes its sign. A contact whose tangents must not jump, or must turn
 * with a body, has a spin.
 */
#include "collide/contact.h"

#include "math/tangents.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void crn_contact_tangents(const crn_contact *contact, int dimension, double t[2][3])
{
    assert(dimension == 2 || dimension == 3);
    const double *n = contact->normal;
    memset(t, 0, sizeof(double[2][3]));
    if (contact->body_a < 0)
        return;
    assert(crn_is_unit3(n));
    if (dimension == 2)
    {
        memcpy(t[0], (double[3]){-n[1], n[0], 0.0}, sizeof t[0]);
        t[1][2] = 1.0;
        return;
    }
    crn_orthonormal_tangents(n, t[0], t[1]);
    if (contact->spin == 0.0)
        return;
    double c = cos(contact->spin), s = sin(contact->spin);
    crn_scale3(c, t[0], t[0]);
    crn_madd3(t[0], s, t[1], t[0]);
    crn_cross3(n, t[0], t[1]);
}

void crn_contact_next_tangents(const crn_contact *contact, int dimension, crn_last_tangents *last)
{
    bool plain = contact->body_a >= 0 && contact->spin == 0.0;
    if (plain && last->known && memcmp(contact->normal, last->normal, sizeof last->normal) == 0)
        return;
    crn_contact_tangents(contact, dimension, last->t);
    memcpy(last->normal, contact->normal, sizeof last->normal);
    last->known = plain;
}

void crn_contact_turn(crn_contact *contact, int dimension, const double t[3])
{
    assert(contact->body_a >= 0);
    contact->spin = 0.0;
    if (dimension == 2)
        return;
    double own[2][3];
    crn_contact_tangents(contact, dimension, own);
    contact->spin = atan2(crn_dot3(t, own[1]), crn_dot3(t, own[0]));
}
