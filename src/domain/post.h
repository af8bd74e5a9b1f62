/* Letters to all ranks: what is written to each of them, then what came from each. */
#ifndef CRN_DOMAIN_POST_H
#define CRN_DOMAIN_POST_H

#include "cairn/ranks.h"
#include "domain/bytes.h"

typedef struct crn_post
{
    crn_bytes *to; /* per rank */
    size_t *bytes; /* per rank: what came from it, once it was sent */
    crn_bytes all; /* letters one after the other */
    int count;
    const unsigned char *came;
} crn_post;

cairn_status crn_post_open(crn_post *post, const cairn_ranks *ranks);
/* Collective: send, and get what the others sent. The post may be written to again afterwards. Returns whether everything was sent. */
cairn_status crn_post_send(crn_post *post, cairn_ranks *ranks);
/* The same of letters that are large, and are not written again soon: their memory is given back on the way. */
cairn_status crn_post_send_off(crn_post *post, cairn_ranks *ranks);
/* What came from a rank. */
crn_reading crn_post_from(const crn_post *post, int rank);
/* Give back the memory of letters; others may be written. */
void crn_post_release(crn_post *post);
void crn_post_free(crn_post *post);

#endif
