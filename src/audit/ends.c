/* The two ends of a step: overlaps, the kinetic energy of the book, the projection. */
#include "audit/audit_internal.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>

/* J: kinetic energy at the end. *square becomes at least the square of the largest of them. */
static double kinetic(const crn_audit *audit, const crn_audit_motion *motion, double *square)
{
    double twice[4] = {0}, all[4] = {0}; /* each term of a single sum would wait for the one before */
    for (int b = 0; b < audit->count; ++b)
    {
        if (!crn_audit_moves(audit, b))
            continue;
        const double *v = crn_velocity_of(motion->after, motion->row, b);
        double L[3], linear = crn_dot3(v, v), spin = crn_dot3(v + 3, v + 3), turning;
        if (audit->round[b] > 0)
            turning = crn_inertia_about_z(&audit->bodies.inertia, b) * spin;
        else
        {
            crn_rotate3(crn_inertia_of(&audit->bodies.inertia, b).m, v + 3, L);
            turning = crn_dot3(v + 3, L);
        }
        all[b % 4] += linear + spin;
        twice[b % 4] += audit->bodies.mass[b] * linear + turning;
    }
    *square = (all[0] + all[1]) + (all[2] + all[3]);
    return 0.5 * ((twice[0] + twice[1]) + (twice[2] + twice[3]));
}

void crn_audit_end(crn_audit *audit, const crn_audit_motion *motion, const crn_contact *contacts, int count)
{
    assert(count >= 0 && (contacts || count == 0));
    double t = motion->t + motion->h, square, energy = kinetic(audit, motion, &square);
    const double usual = 1e100; /* faster bodies are looked at one by one */
    if (square < usual || crn_audit_is_finite(audit, motion->after, motion->row, t))
    {
        crn_judge_overlaps(audit, motion, contacts, count);
        if (!isnan(motion->book_kinetic) || isnan(energy))
        {
            crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_BOOK,
                                                     .time = t,
                                                     .size = fabs(motion->book_kinetic - energy),
                                                     .allowance = 1e-9 * energy + 1e-300});
        }
    }
    if (motion->projection_missed > 0)
    {
        crn_audit_judge(audit, (cairn_violation){.kind = CAIRN_VIOLATION_PROJECTION,
                                                 .time = t,
                                                 .size = motion->projection_missed,
                                                 .allowance = motion->projection_tolerance});
    }
    crn_audit_add_up(audit);
    if (audit->lent)
        crn_audit_forget_start(audit);
}

void crn_audit_start(crn_audit *audit, double t, const crn_contact *contacts, int count)
{
    assert(count >= 0 && (contacts || count == 0));
    crn_audit_begin(audit);
    crn_judge_start(audit, t, contacts, count);
    crn_audit_add_up(audit);
}
