/* A rank's part of the scene as a model for collision detection: all bodies of the description, moving or not, with shapes that are those of process 0's model to the bit, but for
 * meshes that have frames of their own. Bodies have the description's numbers, shapes the order of the model; there are no names, motions or handles. In a scene of single spheres and
 * half-spaces each half-space is a body of its own, behind the others, and its surface passes through the body's place.
 */
#ifndef CRN_STEP_DEVICE_DEVICE_REPLICA_H
#define CRN_STEP_DEVICE_DEVICE_REPLICA_H

#include "audit/audit.h"
#include "domain/domain.h"

typedef struct crn_replica
{
    crn_arena memory;
    cairn_model model;
    crn_audit_bodies bodies; /* those of the model, for an audit */
    double *mass, *inertia, *bound;
    int *inertia_start;
    crn_body *body;
    crn_body_traits *traits;
    crn_shape *shape;
    crn_shape_form *form; /* per shape */
    crn_shape_frame *frame;
    int shapes;
    crn_hull **hull; /* per hull of the scene; NULL: no body here has it */
    int hulls;
} crn_replica;

/* CAIRN_NO_MEMORY, or CAIRN_INVALID where a mesh of the scene cannot be made again. The replica is to be freed in any case. */
cairn_status crn_replica_make(crn_replica *replica, const crn_domain *domain);
void crn_replica_free(crn_replica *replica);

#endif
