/* Ranks that do what process 0 is asked for. To process 0's simulation they are a device like any other: a table of functions (gpu/interface.h) whose world is
 * spread over the ranks. Every call is an order that all ranks get and obey together. */
#ifndef CRN_DOMAIN_CREW_H
#define CRN_DOMAIN_CREW_H

#include "cairn/ranks.h"
#include "domain/made.h"

/* Process 0: the functions. A description for `open` names the ranks (NULL: this process is alone) and the pipeline. */
const crn_gpu_table *crn_crew_table(void);
/* What somebody above the domains wants all ranks to find out together. Its bytes mean the same on all of them, and the answer is the same as well. */
typedef bool crn_crew_task(crn_domain *domain, const void *question, size_t size, void *answer);
/* The same of bodies that ranks make themselves. */
typedef struct crn_crew_calls
{
    crn_crew_task *task;
    crn_maker *make;
} crn_crew_calls;
enum
{
    CRN_CREW_ANSWER = 1024 /* bytes of an answer, at most */
};

/* All others: obey until they are dismissed. CAIRN_NO_MEMORY: this rank could not take an order, and the job has to end. */
cairn_status crn_crew_serve(cairn_ranks *ranks, const crn_gpu_table *pipeline, const crn_crew_calls *calls);
/* Process 0: have all ranks do it; `task` is the one that the others serve with. */
bool crn_crew_ask(crn_gpu_world *world, crn_crew_task *task, const void *question, size_t size, void *answer,
                  size_t answer_size, char *sentence);
void crn_crew_dismiss(cairn_ranks *ranks);
/* Process 0: in the steps of the next call, ranks keep how bodies move before a step (crn_domain.start), until a task lets go of it. */
void crn_crew_keep_start(crn_gpu_world *world);

/* Process 0: the next of all contacts of the last step, in the order of the pairs of shapes in the model; from which part of the model a rank knows them
 * does not matter. Between 1 and `most`, which is no less than the number of ranks, and in no order among themselves; 0: there are no more. */
bool crn_crew_next_contacts(crn_gpu_world *world, bool is_first, int32_t most, crn_gpu_contact *contact, int32_t *count,
                            char *sentence);

/* How a body moves: its number, then place, orientation, velocity and angular velocity, in the world's frame. */
enum
{
    CRN_CREW_PART = 1 << 13, /* bodies of which process 0 is told at a time */
    CRN_CREW_NUMBERS = 13
};

typedef struct crn_crew_motion
{
    int64_t body;
    double number[CRN_CREW_NUMBERS];
    double change[3]; /* m/s: of its velocity in the last batch */
    double radius;    /* m: of a single sphere */
} crn_crew_motion;

/* The numbers of a body, and back. */
void crn_crew_put_motion(const crn_gpu_body *body, double number[CRN_CREW_NUMBERS]);
void crn_crew_take_motion(const double number[CRN_CREW_NUMBERS], crn_gpu_body *body);

/* Process 0: the motions of bodies from `first` on that ranks move, `count` of them at most, in no order. */
typedef void crn_take_motion(void *data, const crn_crew_motion *motion);
bool crn_crew_read_motions(crn_gpu_world *world, int64_t first, int64_t count, crn_take_motion *take, void *data,
                           char *sentence);
/* The same of some bodies, by their numbers. */
bool crn_crew_read_some(crn_gpu_world *world, const int64_t *number, size_t count, crn_take_motion *take, void *data,
                        char *sentence);
/* The same as it was before the last batch, if ranks were told before it to keep that; and let go of it. */
void crn_crew_keep_origin(crn_gpu_world *world);
bool crn_crew_read_origin(crn_gpu_world *world, int64_t first, int64_t count, crn_take_motion *take, void *data,
                          char *sentence);
bool crn_crew_drop_origin(crn_gpu_world *world, char *sentence);

/* Process 0: what the pipeline keeps about bodies (read_kept of gpu/interface.h), in parts: how long the records of bodies from `begin` on are, CRN_CREW_PART of them at most; is_anew: the ranks collect all
 * of them first; and their records, back to back, of so many of these bodies as *count then says. The bytes last until the next call. */
bool crn_crew_kept_sizes(crn_gpu_world *world, int64_t begin, int64_t count, bool is_anew, int64_t *size,
                         char *sentence);
bool crn_crew_read_kept(crn_gpu_world *world, int64_t begin, const int64_t *size, int64_t *count, const void **bytes,
                        char *sentence);

/* What the ranks have done. */
cairn_ranks_tally crn_crew_count(crn_gpu_world *world);

#endif
