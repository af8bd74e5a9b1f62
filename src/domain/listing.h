/* The contacts of the last step in the order of the pairs of shapes in the model, a part at a time.
 *
 * Every rank sorts its own. For the next part each says how far its share of it would go; the least of these is how far all of them go. So a part has no more
 * than the shares of all ranks together, at least one whole share, and nothing that comes later is before it. */
#ifndef CRN_DOMAIN_LISTING_H
#define CRN_DOMAIN_LISTING_H

#include "domain/domain.h"

/* Keys sort like the identities of contacts. */
typedef struct crn_contact_key
{
    uint64_t first, second, feature; /* places of the two shapes in the model's order, the lower one first */
} crn_contact_key;

typedef struct crn_listed
{
    crn_contact_key key;
    size_t contact;
} crn_listed;

typedef struct crn_listing
{
    crn_arena memory;
    crn_listed *listed; /* of this rank */
    size_t count, next; /* next: the first that was not sent yet */
} crn_listing;

/* Read this rank's contacts into domain->contact, with the numbers that bodies and shapes have among all. */
bool crn_listing_read(crn_listing *listing, crn_domain *domain);
/* The same, and sort them. */
bool crn_listing_begin(crn_listing *listing, crn_domain *domain);
/* Collective: write the next of them to process 0, at most `share`. */
void crn_listing_send(crn_listing *listing, crn_domain *domain, size_t share);
void crn_listing_free(crn_listing *listing);

/* Where a shape stands in the order of the model, by its number among all and its triangle; -1: it is none. */
uint64_t crn_shape_order(const crn_domain_scene *scene, int64_t number, int triangle);
/* The feature of a contact, triangles included; -1: no triangle. */
uint64_t crn_contact_feature(const crn_gpu_contact *contact, int triangle_a, int triangle_b);

#endif
