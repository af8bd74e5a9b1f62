/* Rolling and spinning friction. A contact with the normal impulse r_n resists the relative angular velocity w of its bodies by a
 * moment m with
 *
 *     |m_n| <= rho_s r_n                      about the normal
 *     |m_t| <= rho_r r_n                      about the tangents: a disc in space, an interval in the plane
 *
 * and the most dissipation: m_n opposes w_n and m_t opposes w_t, at the bound where they are not 0. The lengths rho of two materials
 * add up, as the losses in both bodies do. Each of the rows below is a bounded row
 *
 *     s = a'w,     -reach r_n <= z <= reach r_n,     s >= 0 where z is at the lower bound, s <= 0 at the upper one,
 *
 * with an axis a and a multiple of the contact's normal impulse as bounds, so that all of it is part of the one-step problem and of
 * its certificate. Spinning has one row along the normal, and so has rolling in the plane.
 *
 * In space the disc has two rows, at 45 degrees to a direction d, with reach rho_r/sqrt(2): a square within the disc, whose corner
 * lies on the disc at d. Let m* be the moment that would keep the bodies from rolling. If d is
 * the direction of m*, then the square can hold as much as the disc does, and what it cannot hold rolls against a moment rho_r r_n
 * along d: the solution is that of the disc. So d is that of the last step at first, and after a solve m* = m - w_t/W is found, W being the
 * mobility of w_t. Where a row is at its bound and m* is not along d, the rows are turned and the problem is solved again. W is
 * that of the bodies alone at first, and then that which two solves show.
 *
 * The bound of the disc and the sign of the work hold whatever d is.
 */
#include "formulate/rolling.h"

#include "collide/identity.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double ALIGNED = 0.01;  /* rad: by more than this, rows are turned, ... */
static const double SLIGHT = 1e-6;   /* ... and where that changes the rate of rolling by more than this share */
static const double AT_BOUND = 1e-6; /* relative */

crn_rolling crn_contact_rolling(const cairn_model *model, const crn_contact *contact)
{
    int finer;
    if (!model->rolls || contact->body_a < 0 ||
        crn_model_patch_of(model, contact->shape_a, contact->shape_b, &finer)) /* its elements resist on their own */
        return (crn_rolling){0, 0};
    crn_rolling out;
    crn_materials_rolling(model, model->shapes[contact->shape_a].material, model->shapes[contact->shape_b].material,
                          &out.rolling, &out.spinning);
    out.spinning = model->dimension == 3 ? out.spinning : 0.0;
    return out;
}

/* The rate of the relative rotation about a world axis. */
static crn_gradient turning(const crn_input *in, const crn_contact *contact, const double axis[3])
{
    crn_gradient gradient = {.body = {contact->body_a, contact->body_b}};
    crn_unrotate3(in->frame->pose[contact->body_a].R, axis, gradient.g[0] + 3);
    crn_unrotate3(in->frame->pose[contact->body_b].R, axis, gradient.g[1] + 3);
    crn_scale3(-1.0, gradient.g[1] + 3, gradient.g[1] + 3);
    return gradient;
}

static bool turns(const crn_layout *layout, int body)
{
    int block = layout->body_block[body];
    return block >= 0 && layout->block_start[block + 1] - layout->block_start[block] > layout->model->dimension;
}

/* m: size of the larger body that turns; rows are measured along an arc of this radius. */
static double size_of(const crn_layout *layout, const crn_contact *contact)
{
    double a = turns(layout, contact->body_a) ? crn_size_of(layout, contact->body_a) : 0.0;
    double b = turns(layout, contact->body_b) ? crn_size_of(layout, contact->body_b) : 0.0;
    return fmax(a, b) > 0 ? fmax(a, b) : 1.0;
}

static cairn_status add_row(crn_assembly *assembly, const crn_input *in, int contact, int part, const double axis[3],
                            double reach)
{
    assert(crn_is_unit3(axis));
    assert(reach > 0);
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->bounded, assembly->bounded_count + 1)));
    const crn_contact *from = &assembly->active[contact];
    crn_contact item = {.body_a = -1, .body_b = -1, .identity = crn_identity_part(from->identity, part)};
    crn_gradient gradient[3] = {turning(in, from, axis), {.body = {from->body_a, from->body_b}}};
    gradient[2] = gradient[1];
    double length = size_of(in->layout, from);
    for (int k = 0; k < 12; ++k)
        gradient[0].g[k / 6][k % 6] *= length;
    double drive[3] = {crn_gradient_drive(in->frame, &gradient[0])};
    double w[3] = {drive[0]};
    if (in->row_bias)
        w[0] += crn_gradient_rate(in->layout, &gradient[0], in->row_bias) + drive[0];
    CRN_TRY(crn_add_contact_item(assembly, in, &item, gradient, w, drive));
    crn_bounded_row row = {.joint = -1, .row = part, .contact = contact, .length = length, .lo = -reach, .hi = reach};
    memcpy(row.axis, axis, sizeof row.axis);
    assembly->bounded[assembly->bounded_count++] = row;
    return CAIRN_OK;
}

/* The direction d of a contact in space: that of the last step, else that in which it rolls, else any. */
static void choose_direction(const crn_input *in, const crn_contact *contact, double d[3])
{
    double t[2][3], w[2];
    crn_contact_tangents(contact, 3, t);
    if (in->anchors && crn_anchor_roll(in->anchors, contact, d))
        return;
    for (int i = 0; i < 2; ++i)
    {
        crn_gradient gradient = turning(in, contact, t[i]);
        w[i] = crn_gradient_rate(in->layout, &gradient, in->v) + crn_gradient_drive(in->frame, &gradient);
    }
    double size = hypot(w[0], w[1]);
    memcpy(d, t[0], sizeof t[0]);
    if (!(size > 0))
        return;
    crn_scale3(w[0] / size, t[0], d);
    crn_madd3(d, w[1] / size, t[1], d);
    crn_scale3(1 / crn_norm3(d), d, d);
}

static cairn_status add_rolling_in_space(crn_assembly *assembly, const crn_input *in, int j, double rolling)
{
    double d[3], across[3], axis[3];
    choose_direction(in, &assembly->active[j], d);
    crn_cross3(assembly->active[j].normal, d, across);
    for (int part = CRN_ROLLS; part <= CRN_ROLLS_TOO; ++part)
    {
        crn_madd3(d, part == CRN_ROLLS ? -1.0 : 1.0, across, axis);
        crn_scale3(1 / crn_norm3(axis), axis, axis);
        CRN_TRY(add_row(assembly, in, j, part, axis, sqrt(0.5) * rolling));
    }
    return CAIRN_OK;
}

cairn_status crn_add_rolling_rows(crn_assembly *assembly, const crn_input *in)
{
    static const double Z[3] = {0, 0, 1};
    const cairn_model *model = in->layout->model;
    int contacts = assembly->problem.contact_count;
    assert(assembly->bounded_count == 0);
    if (!model->rolls || in->positions || in->instant)
        return CAIRN_OK;
    for (int j = 0; j < contacts; ++j)
    {
        const crn_contact contact = assembly->active[j];
        crn_rolling rolling = crn_contact_rolling(model, &contact);
        if (contact.body_a < 0 || !(turns(in->layout, contact.body_a) || turns(in->layout, contact.body_b)))
            continue;
        assembly->rolling[j] = assembly->bounded_count;
        if (rolling.rolling > 0 && model->dimension == 2)
            CRN_TRY(add_row(assembly, in, j, CRN_ROLLS, Z, rolling.rolling));
        else if (rolling.rolling > 0)
            CRN_TRY(add_rolling_in_space(assembly, in, j, rolling.rolling));
        if (rolling.spinning > 0)
            CRN_TRY(add_row(assembly, in, j, CRN_SPINS, contact.normal, rolling.spinning));
        assembly->rolling[j] = assembly->rolling[j] < assembly->bounded_count ? assembly->rolling[j] : -1;
    }
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------ after a solve */

void crn_contact_moment(const crn_assembly *assembly, int j, const double *r, double moment[3])
{
    int first = assembly->rolling[j], items = crn_contacts_of(assembly), dim = assembly->problem.dim;
    memset(moment, 0, sizeof(double[3]));
    for (int k = first; k >= 0 && k < assembly->bounded_count && assembly->bounded[k].contact == j; ++k)
        crn_madd3(moment, assembly->bounded[k].length * r[(items + k) * dim], assembly->bounded[k].axis, moment);
}

/* s of an item with one row. */
static double rate_of(const cairn_problem *problem, int item, const double *v)
{
    const cairn_block_rows *H = &problem->H;
    double sum = problem->w[item * problem->dim];
    for (int e = H->entry_start[item]; e < H->entry_start[item + 1]; ++e)
    {
        int start = problem->block_start[H->block[e]], width = problem->block_start[H->block[e] + 1] - start;
        for (int k = 0; k < width; ++k)
            sum += H->value[H->value_start[e] + k] * v[start + k];
    }
    return sum;
}

/* Rotate the pair (a, b) by the angle whose cosine and sine are c and s. */
static void rotate_pair(double c, double s, double *a, double *b)
{
    double turned = c * *a + s * *b;
    *b = c * *b - s * *a;
    *a = turned;
}

/* Turn the axes of rows k and k + 1 by an angle about the normal: the rows are linear in them. */
static void turn_rows(crn_assembly *assembly, int k, double angle)
{
    cairn_problem *problem = &assembly->problem;
    const cairn_block_rows *H = &problem->H;
    double c = cos(angle), s = sin(angle);
    int item = crn_contacts_of(assembly) + k, next = item + 1, dim = problem->dim;
    int entries = H->entry_start[next] - H->entry_start[item];
    for (int i = 0; i < 3; ++i)
        rotate_pair(c, s, &assembly->bounded[k].axis[i], &assembly->bounded[k + 1].axis[i]);
    rotate_pair(c, s, &problem->w[item * dim], &problem->w[next * dim]);
    rotate_pair(c, s, &assembly->contact_drive[item][0], &assembly->contact_drive[next][0]);
    for (int e = 0; e < entries; ++e)
    {
        int from = H->entry_start[item] + e, to = H->entry_start[next] + e, block = H->block[from];
        assert(H->block[to] == block);
        for (int i = 0; i < problem->block_start[block + 1] - problem->block_start[block]; ++i)
            rotate_pair(c, s, &H->value[H->value_start[from] + i], &H->value[H->value_start[to] + i]);
    }
}

/* The mobility of a row: s per z, of bodies that nothing else holds. */
static double mobility_of(const cairn_problem *problem, int item)
{
    const cairn_block_rows *H = &problem->H;
    double sum = 0;
    for (int e = H->entry_start[item]; e < H->entry_start[item + 1]; ++e)
    {
        int block = H->block[e], width = problem->block_start[block + 1] - problem->block_start[block];
        int at = problem->A.row_start[block];
        while (problem->A.column[at] != block)
            ++at;
        const double *A = problem->A.value + problem->A.value_start[at], *B = H->value + H->value_start[e];
        for (int k = 0; k < width; ++k)
            sum += B[k] * B[k] / A[k * (width + 1)];
    }
    return sum;
}

/* The mobility of rolling that the last two solves show; `most` if they do not. The row keeps the moment and the rate of this one. */
static double shown_mobility(crn_bounded_row *row, const double z[3], const double s[3], double most)
{
    double dz[3], ds[3];
    crn_sub3(z, row->moment, dz);
    crn_sub3(s, row->rate, ds);
    double square = crn_dot3(dz, dz), shown = row->tried && square > 0 ? -crn_dot3(ds, dz) / square : most;
    memcpy(row->moment, z, sizeof row->moment);
    memcpy(row->rate, s, sizeof row->rate);
    row->tried = true;
    return shown > 0.001 * most && shown < most ? shown : most;
}

/* The angle of (x, y) from the nearest corner of the square. */
static double from_corner(double x, double y)
{
    double angle = atan2(y, x);
    return angle - (0.5 * M_PI * floor(angle / (0.5 * M_PI)) + 0.25 * M_PI);
}

/* The angle by which the rows of a contact have to turn; 0: they may stay. */
static double misalignment(crn_assembly *assembly, int k, const double *r, const double *v, double slow)
{
    const cairn_problem *problem = &assembly->problem;
    crn_bounded_row *row = &assembly->bounded[k];
    int item = crn_contacts_of(assembly) + k, dim = problem->dim;
    double bound = problem->bound[item].hi * r[row->contact * dim];
    double z[2] = {r[item * dim], r[(item + 1) * dim]};
    double s[2] = {rate_of(problem, item, v), rate_of(problem, item + 1, v)};
    bool inside = fabs(z[0]) < bound * (1 - AT_BOUND) && fabs(z[1]) < bound * (1 - AT_BOUND);
    if (!(bound > 0) || inside || hypot(s[0], s[1]) <= slow)
        return 0.0;
    double moment[3], rate[3], most = mobility_of(problem, item);
    crn_scale3(z[0], row[0].axis, moment);
    crn_madd3(moment, z[1], row[1].axis, moment);
    crn_scale3(s[0], row[0].axis, rate);
    crn_madd3(rate, s[1], row[1].axis, rate);
    double W = shown_mobility(row, moment, rate, most);
    double angle = from_corner(z[0] - s[0] / W, z[1] - s[1] / W);
    bool slight = W * bound * fabs(angle) <= fmax(SLIGHT * hypot(s[0], s[1]), slow);
    return slight && fabs(angle) <= ALIGNED ? 0.0 : angle;
}

int crn_align_rolling(crn_assembly *assembly, const double *r, const double *v, double slow)
{
    int turned = 0;
    for (int k = 0; assembly->problem.dim == 3 && k + 1 < assembly->bounded_count; ++k)
    {
        const crn_bounded_row *row = &assembly->bounded[k];
        if (row->joint >= 0 || row->row != CRN_ROLLS)
            continue;
        double angle = misalignment(assembly, k, r, v, slow);
        if (angle != 0)
        {
            turn_rows(assembly, k, angle);
            ++turned;
        }
    }
    return turned;
}

void crn_aim_rolling(crn_assembly *assembly, int j, const double moment[3])
{
    int k = assembly->rolling[j];
    if (assembly->problem.dim != 3 || k < 0 || assembly->bounded[k].row != CRN_ROLLS)
        return;
    double x = crn_dot3(moment, assembly->bounded[k].axis), y = crn_dot3(moment, assembly->bounded[k + 1].axis);
    if (x != 0 || y != 0)
        turn_rows(assembly, k, from_corner(x, y));
}

void crn_set_moment(const crn_assembly *assembly, int j, const double moment[3], double *r)
{
    int first = assembly->rolling[j], items = crn_contacts_of(assembly), dim = assembly->problem.dim;
    for (int k = first; k >= 0 && k < assembly->bounded_count && assembly->bounded[k].contact == j; ++k)
    {
        double *z = r + (ptrdiff_t)(items + k) * dim;
        memset(z, 0, (size_t)dim * sizeof(double));
        z[0] = crn_dot3(moment, assembly->bounded[k].axis) / assembly->bounded[k].length;
    }
}

void crn_rolling_direction(const crn_assembly *assembly, int j, const double *r, double direction[3])
{
    int k = assembly->rolling[j];
    memset(direction, 0, sizeof(double[3]));
    bool loaded = r[j * assembly->problem.dim] > 0;
    if (assembly->problem.dim == 2 || k < 0 || assembly->bounded[k].row != CRN_ROLLS || !loaded)
        return;
    crn_add3(assembly->bounded[k].axis, assembly->bounded[k + 1].axis, direction);
    crn_scale3(1 / crn_norm3(direction), direction, direction);
}
