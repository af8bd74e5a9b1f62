/* Frames for the viewer.
 *
 * Stick or slip: Coulomb's law lets either the slip u_t or the friction left, mu r_n - |r_t|, differ from zero. Each is
 * divided by its scale in the frame, and the larger one decides; no tolerance is needed.
 *
 * The residual of a contact is how far its friction is from Coulomb's law,
 *
 *     | r_t - P(r_t - rho u_t) | + max(0, -r_n) ,      P: nearest point of the disk of radius mu r_n ,
 *
 * with rho = impulse / velocity of the frame's scale, and given relative to the frame's largest impulse.
 */
#include "cli/view/view_frames.h"

#include <math.h>

static double length3(const double v[3])
{
    return hypot(hypot(v[0], v[1]), v[2]);
}

cli_view_scale cli_view_scale_of(const cli_view_frame *frame)
{
    cli_view_scale scale = {.velocity = isfinite(frame->h) ? frame->gravity * frame->h : 0.0};
    for (int i = 0; i < frame->body_count; ++i)
        scale.velocity = fmax(scale.velocity, length3(frame->bodies[i].velocity));
    for (int i = 0; i < frame->contact_count; ++i)
    {
        scale.velocity = fmax(scale.velocity, length3(frame->contacts[i].velocity));
        scale.impulse = fmax(scale.impulse, length3(frame->contacts[i].impulse));
    }
    return scale;
}

cli_contact_state cli_view_contact_state(const cairn_contact *c, const cli_view_scale *scale)
{
    double r_t = hypot(c->impulse[1], c->impulse[2]);
    double slip = hypot(c->velocity[1], c->velocity[2]);
    double limit = c->friction * c->impulse[0];
    if (!(c->impulse[0] > 1e-12 * scale->impulse))
        return CLI_CONTACT_APART;
    double left = limit > 0 ? 1.0 - r_t / limit : 1e-9;
    return slip > left * scale->velocity ? CLI_CONTACT_SLIP : CLI_CONTACT_STICK;
}

double cli_view_contact_residual(const cairn_contact *c, const cli_view_scale *scale)
{
    if (!(scale->impulse > 0) || !(scale->velocity > 0))
        return NAN;
    double rho = scale->impulse / scale->velocity;
    double x[2] = {c->impulse[1] - rho * c->velocity[1], c->impulse[2] - rho * c->velocity[2]};
    double length = hypot(x[0], x[1]), limit = fmax(0, c->friction * c->impulse[0]);
    double shrink = length > limit ? limit / length : 1.0;
    double off = hypot(c->impulse[1] - shrink * x[0], c->impulse[2] - shrink * x[1]);
    return (off + fmax(0, -c->impulse[0])) / scale->impulse;
}

/* The image of a body in a periodic box. */
static cairn_body_state shown(const cli_view_frame *frame, const cairn_body_state *state)
{
    cairn_body_state out = *state;
    if (frame->model)
        cairn_model_wrap(frame->model, frame->time, &out);
    return out;
}

static void put_contact(cli_bytes *bytes, const cli_view_frame *frame, const cairn_contact *c,
                        const cli_view_scale *scale)
{
    double force[3] = {0};
    cairn_body_state at = {.position = {c->point[0], c->point[1], c->point[2]}};
    at = shown(frame, &at);
    for (int k = 0; k < 3 && isfinite(frame->h); ++k)
    {
        double other = frame->dimension == 3 ? c->impulse[2] * c->tangent[1][k] : 0.0;
        force[k] = (c->impulse[0] * c->normal[k] + c->impulse[1] * c->tangent[0][k] + other) / frame->h;
    }
    cli_bytes_u32(bytes, (uint32_t)(c->a.id - 1));
    cli_bytes_u32(bytes, (uint32_t)(c->b.id - 1));
    cli_bytes_f32_list(bytes, at.position, 3);
    cli_bytes_f32_list(bytes, c->normal, 3);
    cli_bytes_f32_list(bytes, force, 3);
    cli_bytes_f32(bytes, c->gap);
    cli_bytes_f32(bytes, c->friction);
    cli_bytes_f32(bytes, hypot(c->velocity[1], c->velocity[2]));
    cli_bytes_u32(bytes, (uint32_t)cli_view_contact_state(c, scale));
    cli_bytes_f32(bytes, cli_view_contact_residual(c, scale));
}

void cli_view_put_frame(cli_bytes *bytes, const cli_view_frame *frame)
{
    size_t start = bytes->size;
    cli_view_scale scale = cli_view_scale_of(frame);
    const uint32_t head[] = {
        CLI_FRAME_MAGIC, 0, frame->index, (uint32_t)frame->body_count, (uint32_t)frame->contact_count, 0};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; ++i)
        cli_bytes_u32(bytes, head[i]);
    cli_bytes_f64(bytes, frame->time);
    for (int i = 0; i < frame->body_count; ++i)
        cli_bytes_f32_list(bytes, shown(frame, &frame->bodies[i]).position, 3);
    for (int i = 0; i < frame->body_count; ++i)
        cli_bytes_f32_list(bytes, frame->bodies[i].orientation, 4);
    for (int i = 0; i < frame->body_count; ++i)
        cli_bytes_f32_list(bytes, shown(frame, &frame->bodies[i]).velocity, 3);
    for (int i = 0; i < frame->contact_count; ++i)
        put_contact(bytes, frame, &frame->contacts[i], &scale);
    cli_bytes_set_u32(bytes, start + 4, (uint32_t)(bytes->size - start));
}
