/* Friction of a compliant contact: a spring k_t and a damper c_t along the surface, in series with Coulomb's friction.
 *
 * Let x be the stretch of the spring, u_t the sliding velocity of the bodies and s that of the surfaces, which is what is left:
 * x' = u_t - s. With x+ = x + h (u_t - s) and the force at the end of the step,
 *
 *     r_t = -h (k_t x+ + c_t x')     that is     s = u_t + R_t r_t + w_t ,
 *
 *     R_t = 1 / (h (h k_t + c_t)) ,     w_t = x k_t / (h k_t + c_t) .
 *
 * The law of friction holds for s and r: where the surfaces stick, s = 0, the spring follows the bodies, and a constant load
 * does not make them creep; where they slide, the spring keeps the stretch that the friction allows (the return mapping of
 * plasticity, as part of the one-step problem). A contact that opens has r = 0 and its spring relaxes.
 *
 * The stretch turns with the surfaces: the least rotation that takes the old normal to the new one, and about the normal the mean
 * of both bodies, as a patch's frame does (patch.c). Its length does not change by that.
 */
#include "formulate/anchor.h"

#include "base/memory.h"
#include "collide/identity.h"
#include "formulate/rolling.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void crn_anchors_free(crn_anchors *anchors)
{
    free(anchors->now);
    free(anchors->next);
    memset(anchors, 0, sizeof *anchors);
}

/* Rotate x by the least rotation that takes the unit vector m to n. False: they are opposite, and none is the least. */
static bool transport(const double m[3], const double n[3], const double x[3], double out[3])
{
    double axis[3], once[3], twice[3], c = crn_dot3(m, n);
    if (!(c > -0.5))
        return false;
    crn_cross3(m, n, axis);
    crn_cross3(axis, x, once);
    crn_cross3(axis, once, twice);
    crn_add3(x, once, out);
    crn_madd3(out, 1 / (1 + c), twice, out);
    return true;
}

static const crn_anchor *find(const crn_anchors *anchors, const crn_contact *contact)
{
    size_t count = (size_t)anchors->count;
    const uint64_t *first = count > 0 ? &anchors->now->identity : NULL;
    int at = crn_identity_search(first, count, sizeof *anchors->now, contact->identity);
    return at < 0 ? NULL : &anchors->now[at];
}

void crn_anchor_stretch(const crn_anchors *anchors, const crn_contact *contact, int dim, double stretch[2])
{
    const crn_anchor *anchor = find(anchors, contact);
    double x[3], t[2][3];
    stretch[0] = stretch[1] = 0.0;
    if (!anchor || !transport(anchor->normal, contact->normal, anchor->stretch, x))
        return;
    crn_contact_tangents(contact, dim, t);
    for (int i = 0; i < dim - 1; ++i)
        stretch[i] = crn_dot3(x, t[i]);
}

bool crn_anchor_roll(const crn_anchors *anchors, const crn_contact *contact, double direction[3])
{
    const crn_anchor *anchor = find(anchors, contact);
    if (!anchor || !transport(anchor->normal, contact->normal, anchor->roll, direction))
        return false;
    double across = crn_dot3(direction, contact->normal); /* rounding */
    crn_madd3(direction, -across, contact->normal, direction);
    double size = crn_norm3(direction);
    if (!(size > 0.5))
        return false;
    crn_scale3(1 / size, direction, direction);
    return true;
}

crn_anchor_motion crn_anchor_move(const crn_anchors *anchors, const cairn_model *model, const crn_contact *contact,
                                  const double r[2], double h)
{
    crn_anchor_motion m = {.give = crn_contact_shear_give(model, contact)};
    assert(crn_is_soft(m.give));
    crn_anchor_stretch(anchors, contact, model->dimension, m.stretch);
    double R = crn_row_compliance_of(m.give, h);
    for (int i = 0; i < model->dimension - 1; ++i)
    {
        m.rate[i] = -(R * r[i] + crn_compliance_bias(m.give, h, m.stretch[i], false));
        m.end[i] = m.stretch[i] + h * m.rate[i];
        m.elastic[i] = -h * m.give.k * m.end[i];
    }
    return m;
}

/* Add a contact to the next list, its spring turned about the normal. */
static void push(crn_anchors *anchors, const crn_contact *contact, int dim, const double end[2], const double roll[3],
                 double turn)
{
    assert(anchors->next_count == 0 || anchors->next[anchors->next_count - 1].identity < contact->identity);
    crn_anchor *to = &anchors->next[anchors->next_count++];
    double t[2][3], c = cos(turn), s = sin(turn);
    const double turned[2] = {c * end[0] - s * end[1], s * end[0] + c * end[1]};
    *to = (crn_anchor){.identity = contact->identity};
    memcpy(to->normal, contact->normal, sizeof to->normal);
    memcpy(to->roll, roll, sizeof to->roll);
    crn_contact_tangents(contact, dim, t);
    for (int i = 0; i < dim - 1; ++i)
        crn_madd3(to->stretch, turned[i], t[i], to->stretch);
}

/* The stretch of contact j's spring at the end of the step; 0 if it has none. */
static void stretch_on(crn_anchors *anchors, const crn_input *in, const crn_assembly *assembly, int j, const double *r,
                       double end[2])
{
    const cairn_model *model = in->layout->model;
    int dim = model->dimension;
    end[0] = end[1] = 0.0;
    if (!crn_is_soft(crn_contact_shear_give(model, &assembly->active[j])))
        return;
    crn_anchor_motion m = crn_anchor_move(anchors, model, &assembly->active[j], r + j * dim + 1, in->h);
    for (int i = 0; i < dim - 1; ++i)
    {
        end[i] = m.end[i];
        anchors->energy_next += 0.5 * m.give.k * m.end[i] * m.end[i];
        assembly->creep[j][1 + i] = -m.rate[i];
    }
}

cairn_status crn_anchors_advance(crn_anchors *anchors, const crn_input *in, const crn_assembly *assembly,
                                 const double *r, double (*turn)(const void *data, const crn_contact *contact),
                                 const void *data)
{
    int dim = in->layout->model->dimension, contacts = crn_contacts_of(assembly);
    CRN_TRY(crn_reserve(&anchors->next, &anchors->next_capacity, (size_t)contacts + 1, sizeof *anchors->next));
    anchors->next_count = 0;
    anchors->energy_next = 0;
    for (int j = 0; j < contacts; ++j)
    {
        const crn_contact *contact = &assembly->active[j];
        double end[2], roll[3];
        stretch_on(anchors, in, assembly, j, r, end);
        crn_rolling_direction(assembly, j, r, roll);
        if (end[0] != 0 || end[1] != 0 || crn_dot3(roll, roll) > 0)
            push(anchors, contact, dim, end, roll, dim == 3 ? turn(data, contact) : 0.0);
    }
    crn_anchors_turn_back(anchors);
    anchors->turns = 1 - anchors->turns;
    return CAIRN_OK;
}

void crn_anchors_turn_back(crn_anchors *anchors)
{
    crn_anchors old = *anchors;
    anchors->now = old.next;
    anchors->count = old.next_count;
    anchors->capacity = old.next_capacity;
    anchors->energy = old.energy_next;
    anchors->next = old.now;
    anchors->next_count = old.count;
    anchors->next_capacity = old.capacity;
    anchors->energy_next = old.energy;
}
