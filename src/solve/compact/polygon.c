#include "solve/compact/polygon.h"

#include "math/polygon.h"
#include "math/tangents.h"

#include <assert.h>
#include <math.h>

void crn_compact_polygon_of(cairn_law law, crn_compact_polygon *out)
{
    assert(crn_compact_has_polygon(law.kind));
    bool is_box = law.kind == CAIRN_LAW_BOX;
    int sides = is_box ? 4 : law.directions;
    assert(sides % 2 == 0 && sides <= CAIRN_MAX_DIRECTIONS);
    double corner[2]; /* of 2 m corners, every other one is the middle of a side of m */
    crn_polygon_vertex(2 * sides, 1, corner);
    *out = (crn_compact_polygon){
        .pairs = sides / 2, .apothem = is_box ? 1.0 : corner[0], .half = is_box ? 1.0 : corner[1]};
    for (int k = 0; k < out->pairs; ++k)
        crn_polygon_vertex(2 * sides, is_box ? 2 * k : 2 * k + 1, out->out[k]);
}

double crn_compact_polygon_size(const crn_compact_polygon *polygon, const double n[3], const double x[3])
{
    double t1[3], t2[3], most = 0.0;
    crn_orthonormal_tangents(n, t1, t2);
    double along1 = crn_dot3(x, t1), along2 = crn_dot3(x, t2);
    for (int k = 0; k < polygon->pairs; ++k)
        most = fmax(most, fabs(polygon->out[k][0] * along1 + polygon->out[k][1] * along2));
    return most / polygon->apothem;
}
