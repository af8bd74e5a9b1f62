/* One rank's part of a simulation that several share: its bodies, its ghosts, and the pipeline's world of them.
 *
 * Between two rebuilds, bodies stay with their ranks. Before a step in which a body could touch another one that its rank does not know of, all ranks
 * rebuild: the curve is cut anew if the work has become uneven, bodies go to their new owners, ghosts are chosen, and the pipeline is opened again
 * with what it had kept. All decisions come from sums of whole numbers and from maxima, so that runs repeat, and the pipeline's results
 * depend on neither cut nor ghosts.
 *
 * All functions are collective. They return false on all ranks, with the same sentence in domain->sentence, if one of them fails. */
#ifndef CRN_DOMAIN_DOMAIN_H
#define CRN_DOMAIN_DOMAIN_H

#include "domain/cut.h"
#include "domain/local.h"

/* How a body moves, in the world's frame. */
typedef struct crn_domain_motion
{
    double x[3], q[4], v[3], w[3];
} crn_domain_motion;

/* How a body of this rank moved before a batch. */
typedef struct crn_domain_origin
{
    int64_t global;
    crn_domain_motion motion;
} crn_domain_origin;

typedef struct crn_domain
{
    cairn_ranks *ranks;
    const crn_gpu_table *inner; /* the pipeline */
    crn_gpu_world *world;       /* NULL: none yet */
    crn_domain_scene scene;
    crn_curve curve;
    crn_post post;
    crn_bodies own;
    crn_ghosts ghosts;
    crn_local local;
    double skin; /* m */
    double h, g; /* s, m/s^2: of the step that is taken */
    crn_arena memory;
    uint64_t *cut; /* ranks + 1; all 0: not cut yet */
    bool is_cut;
    crn_weight *weight;
    int64_t *sum, *below;
    crn_gpu_body *read;       /* as the pipeline's world has them */
    crn_gpu_contact *contact; /* likewise */
    crn_gpu_joint_row *row,
        *read_row; /* row: of all joints of the scene, CRN_GPU_ROWS each; works are those of the batch */
    double *force_work,
        *read_work; /* J: of all forces of the scene and a pull in the batch; of those in the pipeline's world */
    bool was_pulled;
    int64_t pulled; /* body; -1: none */
    int64_t *kept_first;
    bool keeps_start; /* how bodies move before a step is kept, for the certificate of its physics */
    crn_arena starting;
    crn_domain_motion *start;  /* per body of the description, before the last step; NULL: it was not kept */
    bool keeps_origin;         /* how bodies move before a batch is kept, in case it is of no use */
    crn_domain_origin *origin; /* in the order of their numbers; NULL: it was not kept */
    size_t origins;
    crn_gpu_report report;                /* of the last step */
    int64_t rebuilds, cuts, moved, steps; /* moved: bodies that came to this rank */
    double balance;                       /* largest work of a rank over the mean, after the last rebuild */
    double mean_work, uneven;             /* of the last step: the mean over ranks; the largest over the mean */
    double most_uneven;                   /* of all steps */
    int64_t uneven_steps;                 /* whose largest is more than CRN_UNEVEN_STEP times the mean */
    char sentence[CRN_GPU_SENTENCE];
} crn_domain;

/* What acts in the steps of a batch, step by step; bodies by their numbers among all. */
typedef struct crn_domain_acts
{
    const crn_gpu_drive *drive;
    const crn_gpu_timed *timed;
    const crn_gpu_load *load;
    crn_gpu_pull pull;
} crn_domain_acts;

/* scene: bytes of crn_scene_pack. After a failure it is to be closed like an open one. The bodies are put into domain->own, sorted, each on one rank and those of a
 * mechanism on the same; then crn_domain_rebuild sends them to the ranks that are to have them. */
bool crn_domain_open(crn_domain *domain, cairn_ranks *ranks, const crn_gpu_table *inner, const void *scene,
                     size_t size);
void crn_domain_close(crn_domain *domain);
bool crn_domain_step(crn_domain *domain, double h, int32_t steps, const double gravity[3], const crn_domain_acts *acts,
                     crn_gpu_report *report);

/* start.c: before a step, keep how all bodies here move; and let go of it. */
bool crn_domain_keep_start(crn_domain *domain);
void crn_domain_drop_start(crn_domain *domain);
/* Likewise before a batch; of own bodies, which may be another rank's afterwards. */
bool crn_domain_keep_origin(crn_domain *domain);
void crn_domain_drop_origin(crn_domain *domain);
/* The place of the first one whose number is no less. */
size_t crn_domain_origin_from(const crn_domain *domain, int64_t global);

/* Times the mean work: if the busiest rank of a step had more, domains are rebuilt; more than the second is told in the summary. */
static const double CRN_UNEVEN = 1.07, CRN_UNEVEN_STEP = 1.15;
/* Bodies of this rank, and the contacts that it counts, in the last step. */
int64_t crn_domain_work(const crn_domain *domain);

/* crn_gpu_rank.suffices, of a crn_domain. */
bool crn_domain_suffices(void *data, const double *sent);

/* rebuild.c: before a step of length h under gravity g, in m/s^2. */
bool crn_domain_rebuild(crn_domain *domain, double h, double g);
/* Whether all ranks are well; if not, the sentence of the first that is not is everybody's. */
bool crn_domain_agree(crn_domain *domain, bool good);
/* A sentence for a status. */
bool crn_domain_fail(crn_domain *domain, const char *sentence);
/* Take what the pipeline's world keeps about own bodies into domain->own. */
bool crn_domain_take_kept(crn_domain *domain);
/* The rows of all joints, from their owners, on all ranks. */
void crn_domain_share_rows(crn_domain *domain);

/* forces.c: before and after a step, and the works of all forces and of the pull, from the owners of their bodies, on all ranks. */
bool crn_domain_load(crn_domain *domain, const crn_domain_acts *acts);
bool crn_domain_take_works(crn_domain *domain, const crn_domain_acts *acts);
void crn_domain_share_works(crn_domain *domain);

/* audit.c: after a step, whether all ranks are well, nothing is lost, nothing is there twice, and ghosts are what their owners are. */
bool crn_domain_audit(crn_domain *domain, bool good);

#endif
