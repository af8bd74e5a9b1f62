/* What the files about a rank's share of a certificate have in common. */
#ifndef CRN_STEP_DEVICE_DEVICE_SHARE_H
#define CRN_STEP_DEVICE_DEVICE_SHARE_H

#include "audit/share.h"
#include "step/device/device_glance.h"
#include "step/device/device_linked.h"
#include "step/device/device_replica.h"

typedef struct crn_sharing
{
    crn_domain *domain;
    crn_share_question ask;
    const crn_share_drive *drive;
    const crn_gpu_load *load;
    const crn_linked_push *linked;
    const double *offset; /* m: of half-spaces of a scene of single spheres, at both ends, one after the other */
    crn_glance_answer *out;
    crn_replica replica;
    crn_arena memory, looking; /* looking: what is not needed for overlaps */
    bool is_whole;             /* all meshes could be made again */
    int bodies;
    uint8_t *border;                 /* crn_border */
    crn_pose *pose[2];               /* at both ends */
    double (*velocity[2])[6];        /* linear in the world, angular in the body's frame */
    double (*outer)[6], (*inner)[6]; /* inner: NULL, or of springs */
    crn_piece_contact *contact;
    crn_piece piece;
    crn_audit *audit;
    double *margin;
    double (*travel)[3];
} crn_sharing;

/* An audit of the replica, into sharing->audit; false: memory ran out. */
bool crn_share_audit(crn_sharing *sharing);
/* Collective: add doubts about overlaps to the answer. */
bool crn_share_overlaps(crn_sharing *sharing);

#endif
