/* One contact point between two shapes: two cache lines, since heaps have several contacts per body. The tangents are not stored:
 * they follow from the normal, and the compact path reads them under polygons of friction alone. */
#ifndef CRN_COLLIDE_CONTACT_H
#define CRN_COLLIDE_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

/* The normal points from b to a; moving a along it opens the gap. */
typedef struct crn_contact
{
    uint64_t identity;  /* made of shapes and features; a contact that persists keeps its identity */
    int body_a, body_b; /* model indices; -1: not a contact of two bodies, and without a frame */
    int shape_a, shape_b;
    double gap;                    /* m; negative: penetration depth */
    double normal[3];              /* world */
    double point_a[3], point_b[3]; /* world: the witness points on a and on b; point_a - point_b = gap * normal */
    double friction, restitution;
    double
        spin; /* rad: by how much the tangents are turned about the normal; 0 except for patches and carried contacts */
} crn_contact;

_Static_assert(sizeof(crn_contact) == 128, "a contact fills two cache lines");

/* The tangents of a contact, so that normal, t[0], t[1] are orthonormal and right-handed. Planar: t[0] = z x normal. All zero
 * where the contact has no frame. */
void crn_contact_tangents(const crn_contact *contact, int dimension, double t[2][3]);
/* The same of contacts one after the other: those with the normal of the last one, as contacts with the ground have it, share its tangents. {0}: there
 * is no last one. */
typedef struct crn_last_tangents
{
    bool known;
    double normal[3], t[2][3];
} crn_last_tangents;
void crn_contact_next_tangents(const crn_contact *contact, int dimension, crn_last_tangents *last);
/* Choose the spin of a contact so that its first tangent is the unit vector t, perpendicular to its normal. */
void crn_contact_turn(crn_contact *contact, int dimension, const double t[3]);

#endif
