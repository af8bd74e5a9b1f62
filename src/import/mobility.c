#include "import/mobility.h"
#include "linalg/definite.h"

#include <assert.h>
#include <string.h>

enum
{
    MOST = 4096 /* freedoms: the matrix is dense */
};

typedef struct freedom
{
    int link, joint;
    double spin[3], rate[3]; /* the twist, at the origin of the world */
} freedom;

struct crn_mobility
{
    const crn_robot *robot;
    freedom *freedoms;
    int count;
    double *factor; /* of M */
};

static bool hangs_on(const crn_robot *robot, int link, int above)
{
    while (link > above)
        link = robot->links[link].parent;
    return link == above;
}

/* ---------------------------------------------------------------------------------------------------------- twists */

static void turn_about(freedom *f, const double axis[3], const double point[3])
{
    memcpy(f->spin, axis, sizeof f->spin);
    crn_cross3(point, axis, f->rate);
}

static void move_along(freedom *f, const double axis[3])
{
    memset(f->spin, 0, sizeof f->spin);
    memcpy(f->rate, axis, sizeof f->rate);
}

/* The freedoms of one joint, at most 6. Returns how many. */
static int twists_of(const crn_robot *robot, int link, int joint, freedom *out)
{
    const crn_link_joint *j = &robot->links[link].joints[joint];
    crn_link_frame frame = crn_robot_world(robot, link);
    double axis[3], point[3], R[9];
    int count = j->kind == CRN_AXIS_FREE ? 6 : j->kind == CRN_AXIS_BALL || j->kind == CRN_AXIS_PLANAR ? 3 : 1;
    crn_quaternion_to_matrix(frame.q, R);
    crn_link_frame_direction(&frame, j->axis, axis);
    crn_link_frame_point(&frame, j->point, point);
    for (int i = 0; i < count; ++i)
    {
        const double column[3] = {R[i % 3], R[3 + i % 3], R[6 + i % 3]};
        out[i] = (freedom){.link = link, .joint = joint};
        if (j->kind == CRN_AXIS_SLIDE)
            move_along(&out[i], axis);
        else if (j->kind == CRN_AXIS_HINGE)
            turn_about(&out[i], axis, point);
        else if (i >= 3)
            move_along(&out[i], column);
        else
            turn_about(&out[i], column, point);
    }
    return count;
}

static bool collect(crn_mobility *m)
{
    const crn_robot *robot = m->robot;
    for (int i = 0; i < robot->link_count; ++i)
        for (int k = 0; k < robot->links[i].joint_count; ++k)
        {
            assert(robot->links[i].joints[k].kind != CRN_AXIS_PLANAR);
            if (crn_reserve_all(&robot->import->memory, CRN_ARRAY(m->freedoms, m->count + 6)))
                return false;
            m->count += twists_of(robot, i, k, m->freedoms + m->count);
            if (m->count > MOST)
                return true;
        }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------- matrix */

/* The masses of all that hangs on each link, in the world. */
static crn_link_mass *sum_masses(const crn_robot *robot)
{
    crn_link_mass *all = crn_import_allocate(robot->import, (size_t)robot->link_count * sizeof *all);
    crn_link_frame here = crn_link_frame_identity();
    for (int i = 0; all && i < robot->link_count; ++i)
    {
        crn_link_mass own = crn_link_own_mass(&robot->links[i]);
        crn_link_frame world = crn_robot_world(robot, i);
        all[i] = (crn_link_mass){0};
        crn_mass_add(&all[i], &world, &own);
    }
    for (int i = robot->link_count - 1; all && i > 0; --i)
        if (robot->links[i].parent >= 0)
            crn_mass_add(&all[robot->links[i].parent], &here, &all[i]);
    return all;
}

/* S_i . (L, p) with the momentum of S_j. */
static double momentum_along(const freedom *i, const freedom *j, const crn_link_mass *mass)
{
    double p[3], L[3], turned[3], moved[3];
    crn_cross3(j->spin, mass->centre, moved);
    crn_add3(j->rate, moved, p);
    crn_scale3(mass->mass, p, p);
    crn_rotate3(mass->inertia, j->spin, turned);
    crn_cross3(mass->centre, p, L);
    crn_add3(L, turned, L);
    return crn_dot3(i->spin, L) + crn_dot3(i->rate, p);
}

static void fill(const crn_mobility *m, const crn_link_mass *masses)
{
    size_t n = (size_t)m->count;
    for (size_t j = 0; j < n; ++j)
        for (size_t i = 0; i <= j; ++i)
        {
            const freedom *below = &m->freedoms[j], *above = &m->freedoms[i];
            bool carries = hangs_on(m->robot, below->link, above->link);
            m->factor[j * n + i] = carries ? momentum_along(above, below, &masses[below->link]) : 0;
            if (i == j)
                m->factor[j * n + i] += m->robot->links[below->link].joints[below->joint].acting.rotor_inertia;
        }
}

crn_mobility *crn_mobility_create(const crn_robot *robot)
{
    crn_import *import = robot->import;
    crn_mobility *m = crn_import_allocate(import, sizeof *m);
    if (!m)
        return NULL;
    *m = (crn_mobility){.robot = robot};
    if (!collect(m))
    {
        import->no_memory = true;
        return NULL;
    }
    if (m->count > MOST)
        return NULL;
    m->factor = crn_import_allocate(import, ((size_t)m->count * (size_t)m->count + 1) * sizeof *m->factor);
    crn_link_mass *masses = sum_masses(robot);
    if (!m->factor || !masses)
        return NULL;
    fill(m, masses);
    return crn_definite_factorise(m->count, m->factor) ? m : NULL;
}

/* -------------------------------------------------------------------------------------------------------- gradients */

/* The velocity of a site when the freedom moves; 0 where it does not carry the site. */
static void site_rate(const crn_robot *robot, const freedom *f, int site, double out[3])
{
    int link = robot->sites[site].link;
    crn_link_frame frame = crn_robot_world(robot, link);
    double point[3], turned[3];
    memset(out, 0, 3 * sizeof *out);
    if (!hangs_on(robot, link, f->link))
        return;
    crn_link_frame_point(&frame, robot->sites[site].frame.x, point);
    crn_cross3(f->spin, point, turned);
    crn_add3(f->rate, turned, out);
}

static double rope_rate(const crn_robot *robot, const freedom *f, const struct crn_sum_term *term)
{
    double rate = 0;
    for (int k = 1; k < term->site_count; ++k)
    {
        double d[3], from[3], to[3], apart[3];
        crn_site_place(robot, term->sites[k - 1], from);
        crn_site_place(robot, term->sites[k], to);
        crn_sub3(to, from, d);
        site_rate(robot, f, term->sites[k - 1], from);
        site_rate(robot, f, term->sites[k], to);
        crn_sub3(to, from, apart);
        rate += crn_norm3(d) > 0 ? crn_dot3(d, apart) / crn_norm3(d) : 0;
    }
    return rate;
}

static double gradient(const crn_mobility *m, int i, const struct crn_sum_term *terms, int count)
{
    const freedom *f = &m->freedoms[i];
    double sum = 0;
    for (int k = 0; k < count; ++k)
        if (terms[k].sites)
            sum += terms[k].factor * rope_rate(m->robot, f, &terms[k]);
        else if (terms[k].link == f->link && terms[k].joint == f->joint)
            sum += terms[k].factor;
    return sum;
}

double crn_mobility_along(const crn_mobility *m, const struct crn_sum_term *terms, int count)
{
    double *J = crn_import_allocate(m->robot->import, 2 * ((size_t)m->count + 1) * sizeof *J), sum = 0;
    if (!J)
        return 0;
    double *solved = J + m->count;
    for (int i = 0; i < m->count; ++i)
        J[i] = solved[i] = gradient(m, i, terms, count);
    crn_definite_solve(m->count, m->factor, solved);
    for (int i = 0; i < m->count; ++i)
        sum += J[i] * solved[i];
    return sum;
}
