/* The inside of a closed mesh: how deep a point lies in it. */
#ifndef CRN_POPULATE_INTERIOR_H
#define CRN_POPULATE_INTERIOR_H

#include "model/shape/mesh_index.h"

typedef struct crn_interior crn_interior;

/* NULL, or what is wrong with the mesh: a sentence that begins with the name of a field. *out must be closed in any case. */
const char *crn_interior_open(const crn_mesh_data *data, crn_interior **out);
void crn_interior_close(crn_interior *interior);

double crn_interior_volume(const crn_interior *interior);
crn_bounds crn_interior_bounds(const crn_interior *interior);
/* m: the distance from the surface, negative outside; and the unit vector in which it grows. */
double crn_interior_depth(crn_interior *interior, const double x[3], double inward[3]);

#endif
