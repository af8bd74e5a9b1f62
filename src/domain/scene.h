/* What all ranks know of a scene: everything but the bodies that can move, and their shapes. Process 0 packs it, all of them unpack it. */
#ifndef CRN_DOMAIN_SCENE_H
#define CRN_DOMAIN_SCENE_H

#include "domain/bodies.h"

typedef struct crn_domain_scene
{
    crn_gpu_description description; /* bodies and shapes are not read; joints name bodies by their numbers among all */
    /* of all bodies at the start: they never change, since cells are laid by them */
    double smallest, largest, low[3], high[3];
    int64_t total, total_shapes, moving;
    uint64_t numbers;    /* sum of what the audit makes of the numbers of those that move */
    int64_t mass_parts;  /* of their masses, likewise */
    double mass, extent; /* kg: of these together; m: the mean of theirs */
    bool has_shapes;
    crn_bodies fixed;     /* fixed and driven bodies; walls are among their shapes */
    crn_gpu_joint *joint; /* the description's */
    void *recipe;         /* of bodies that ranks make themselves (made.h); in these bytes as well */
    unsigned char *bytes; /* which the description points into */
} crn_domain_scene;

void crn_scene_pack(const crn_gpu_description *description, crn_bytes *out);
cairn_status crn_scene_unpack(crn_domain_scene *scene, const void *bytes, size_t size);
void crn_scene_free(crn_domain_scene *scene);

/* Process 0, per body: the lead of its mechanism, which is a body of it; NULL where there are no joints. For the caller to free. */
cairn_status crn_scene_leads(const crn_gpu_description *description, int **lead);
/* Process 0: the bodies that move and have numbers from `first` to `end` - 1, with all that travels with them. */
cairn_status crn_scene_bodies(const crn_gpu_description *description, const int *lead, int first, int end,
                              crn_bodies *out);

/* What the audit adds up for a body: scatters its number over 64 bits. */
uint64_t crn_audit_number(int64_t global);
/* Its mass in parts of that of the whole scene, as a whole number. */
int64_t crn_audit_mass(const crn_domain_scene *scene, const crn_gpu_body *body);

#endif
