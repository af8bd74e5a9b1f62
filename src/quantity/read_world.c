/* Quantities of the whole simulation, of springs and of forces. */
#include "formulate/springs.h"
#include "model/handles.h"
#include "quantity/table.h"

#include <assert.h>
#include <math.h>

void crn_read_time(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    (void)q;
    (void)row;
    out[0] = cairn_simulation_time(s);
}

void crn_read_energy(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    (void)q;
    cairn_energy energy = cairn_simulation_energy(s);
    out[0] = *(const double *)(const void *)((const char *)&energy + row->offset);
}

void crn_read_report(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    (void)q;
    out[0] = *(const double *)(const void *)((const char *)cairn_simulation_report(s) + row->offset);
}

void crn_read_contact_count(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                            double out[3])
{
    (void)q;
    (void)row;
    out[0] = cairn_simulation_contact_count(s);
}

void crn_read_spring_stretch(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                             double out[3])
{
    (void)row;
    out[0] = cairn_simulation_spring_stretch(s, q->spring);
}

void crn_read_spring_length(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                            double out[3])
{
    (void)row;
    out[0] =
        cairn_simulation_spring_stretch(s, q->spring) + s->model->springs[crn_spring_index(s->model, q->spring)].rest;
}

/* The force with which the spring and its damper pull now, k phi + c phi'. A spring of rest length 0 acts on the vector phi
 * between its points, and pulls with the part of its force along that vector. */
void crn_read_spring_force(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                           double out[3])
{
    (void)row;
    int index = crn_spring_index(s->model, q->spring);
    assert(index >= 0);
    const crn_spring *spring = &s->model->springs[index];
    crn_gradient gradient[3];
    double phi[3], square = 0, product = 0;
    int count = crn_spring_coordinates(s->model, &s->located.frame, index, s->state.spring_angle[index], phi, gradient);
    for (int i = 0; i < count; ++i)
    {
        double rate = crn_gradient_rate(s->layout, &gradient[i], s->state.v) +
                      crn_gradient_drive(&s->located.frame, &gradient[i]);
        double force = spring->stiffness * phi[i] + spring->damping * rate;
        if (count == 1)
            out[0] = force;
        product += force * phi[i];
        square += phi[i] * phi[i];
    }
    if (count > 1)
        out[0] = square > 0 ? product / sqrt(square) : 0.0;
}

void crn_read_spring_work(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                          double out[3])
{
    (void)row;
    out[0] = cairn_simulation_spring_work(s, q->spring);
}

void crn_read_force_work(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    (void)row;
    out[0] = cairn_simulation_force_work(s, q->force);
}
