/* Quantities of bodies: their state, and the sums of the contact forces on them. */
#include "math/vec.h"
#include "model/handles.h"
#include "quantity/table.h"

#include <assert.h>
#include <string.h>

void crn_read_body(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    cairn_body_state state = cairn_simulation_body(s, q->body);
    size_t count = row->form == CRN_SCALAR ? 1 : 3;
    assert(row->offset + count * sizeof(double) <= sizeof state);
    memcpy(out, (const char *)&state + row->offset, count * sizeof(double));
}

void crn_read_speed(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    (void)row;
    out[0] = crn_norm3(cairn_simulation_body(s, q->body).velocity);
}

void crn_read_point(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    (void)row;
    cairn_body_state state = cairn_simulation_body(s, q->body);
    double R[9];
    crn_quaternion_to_matrix(state.orientation, R);
    crn_rotate3(R, q->point, out);
    crn_add3(out, state.position, out);
}

void crn_read_distance(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    (void)row;
    double apart[3];
    cairn_body_state a = cairn_simulation_body(s, q->body), b = cairn_simulation_body(s, q->other);
    crn_sub3(a.position, b.position, apart);
    out[0] = crn_norm3(apart);
}

static bool same_body(cairn_body a, cairn_body b)
{
    return a.id == b.id && a.generation == b.generation;
}

/* Add the impulses of all contacts on a body over the last step: of those with `other`, or, if that is null, of all. */
static void add_impulses(const cairn_simulation *s, cairn_body body, cairn_body other, double out[3])
{
    int count = cairn_simulation_contact_count(s);
    for (int i = 0; i < count; ++i)
    {
        cairn_contact c = cairn_simulation_contact(s, i);
        bool is_a = same_body(c.a, body), is_b = same_body(c.b, body);
        if ((!is_a && !is_b) || (other.id != 0 && !same_body(is_a ? c.b : c.a, other)))
            continue;
        double sign = is_a ? 1.0 : -1.0;
        crn_madd3(out, sign * c.impulse[0], c.normal, out);
        for (int k = 1; k < s->model->dimension; ++k)
            crn_madd3(out, sign * c.impulse[k], c.tangent[k - 1], out);
    }
}

void crn_read_contact_force(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                            double out[3])
{
    (void)row;
    add_impulses(s, q->body, (cairn_body){.id = 0}, out);
    crn_scale3(1.0 / s->state.h_base, out, out);
}

void crn_read_force_between(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                            double out[3])
{
    (void)row;
    add_impulses(s, q->body, q->other, out);
    crn_scale3(1.0 / s->state.h_base, out, out);
}
