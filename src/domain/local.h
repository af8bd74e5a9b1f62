/* A domain as the pipeline sees it: a description of the fixed bodies, those that this rank owns, and ghosts, in one order by number. */
#ifndef CRN_DOMAIN_LOCAL_H
#define CRN_DOMAIN_LOCAL_H

#include "domain/ghosts.h"
#include "domain/scene.h"

/* What the ranks have said to each other. */
typedef struct crn_traffic
{
    int64_t messages, bytes; /* between neighbours, sent by this rank */
    int64_t reductions, gathers;
} crn_traffic;

typedef struct crn_local
{
    crn_arena memory, records; /* records: owns `kept` */
    cairn_ranks *ranks;
    crn_traffic traffic;
    /* Of crn_gpu_rank, with its data. */
    bool (*suffices)(void *data, const double *sent);
    void *data;
    crn_gpu_description description;
    crn_gpu_rank rank;
    crn_gpu_body *body;
    int32_t *owner, *own_place, *ghost_place; /* places: of own bodies and of ghosts in the description */
    int64_t *global, *global_shape, *global_joint, *kept_first;
    crn_domain_shape *sorted; /* shapes with their bodies in the description */
    crn_gpu_shape *shape;
    crn_gpu_joint *joint;
    int *joint_first;
    uint64_t *apart;
    crn_gpu_force *force; /* on own bodies and ghosts */
    int *force_of;        /* likewise: its number among all */
    crn_gpu_load *load;   /* likewise: in a step */
    unsigned char *kept;
    int32_t *neighbour, *send_first, *send, *receive_first, *receive;
} crn_local;

/* `local` must stay where it is as long as the world that is opened with its description. */
cairn_status crn_local_describe(crn_local *local, cairn_ranks *ranks, const crn_domain_scene *scene,
                                const crn_bodies *own, const crn_ghosts *ghosts);
/* Once it is open: give back what it was told of earlier worlds. */
void crn_local_drop_kept(crn_local *local);
/* The place of a body in the description, by its number among all; -1: it is not there. */
int32_t crn_local_place(const crn_local *local, int64_t number);
void crn_local_free(crn_local *local);

#endif
