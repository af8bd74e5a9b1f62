/* What is true in each case of the study `impacts`, and the same numbers from a run. Gravity is 9.81 m/s^2. */
#include "cli/study/impacts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double G = 9.81;

double cli_impact_value(const cli_impact_row *row, const char *name)
{
    for (int i = 0; i < CLI_IMPACT_PARAMETERS && row->set[i].name; ++i)
        if (!strcmp(row->set[i].name, name))
            return row->set[i].value;
    assert(false && "a row lacks a parameter");
    return NAN;
}

static void add(cli_impact_numbers *out, double truth, double value)
{
    if (out->count < CLI_IMPACT_NUMBERS)
    {
        out->truth[out->count] = truth;
        out->value[out->count++] = value;
    }
}

static cairn_body_state state_of(const cli_impact_course *course, const char *name)
{
    cairn_body body = cairn_model_find_body(cairn_simulation_model(course->simulation), name);
    return cairn_simulation_body(course->simulation, body);
}

/* Time of the first event of a kind; NAN: there is none. */
static double first_time(const cli_impact_course *course, cairn_event_kind kind)
{
    for (int i = 0; i < course->event_count; ++i)
        if (course->events[i].kind == kind)
            return course->events[i].time;
    return NAN;
}

/* ------------------------------------------------------------------------------------------------------- impacts */

/* y0 - v t - g t^2/2 = 0 at the impact; from there a parabola that starts at e times its speed. */
void cli_impact_flight(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    double e = cli_impact_value(row, "e"), y0 = cli_impact_value(row, "y0"), v = cli_impact_value(row, "v");
    double g = cli_impact_value(row, "g");
    double speed = sqrt(v * v + 2 * g * y0), t = 2 * y0 / (v + speed), after = course->until - t;
    bool down = e == 0;
    cairn_body_state ball = state_of(course, "ball");
    add(out, down ? 0 : e * speed - g * after, ball.velocity[1]);
    add(out, down ? 0 : after * (e * speed - 0.5 * g * after), ball.position[1]);
}

void cli_impact_kink(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    double al = cli_impact_value(row, "al"), v = cli_impact_value(row, "v"), x0 = cli_impact_value(row, "x0");
    double after = course->until + x0 / v;
    double way = after * (v * cos(al) - 0.5 * G * sin(al) * after), speed = v * cos(al) - G * sin(al) * after;
    cairn_body_state p = state_of(course, "p");
    add(out, way * cos(al), p.position[0]);
    add(out, way * sin(al), p.position[1]);
    add(out, speed * cos(al), p.velocity[0]);
    add(out, speed * sin(al), p.velocity[1]);
}

void cli_impact_cradle(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    (void)row;
    add(out, 0, state_of(course, "b0").velocity[0]);
    add(out, 0, state_of(course, "b1").velocity[0]);
    add(out, 1, state_of(course, "b2").velocity[0]);
}

void cli_impact_lifted(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    double V = cli_impact_value(row, "V");
    cairn_body_state ball = state_of(course, "ball");
    add(out, V, ball.velocity[1]);
    add(out, V * (course->until - cli_impact_value(row, "t0")), ball.position[1]);
}

/* ---------------------------------------------------------------------------------------------- the vibrating plate */

typedef struct bounce
{
    double A, omega, e;
    double t, y, v; /* where the parabola begins */
} bounce;

/* Height of the ball above the plate at a time. */
static double height(const bounce *b, double t)
{
    double s = t - b->t;
    return b->y + b->v * s - 0.5 * G * s * s - b->A * sin(b->omega * t);
}

/* The next impact before `until`, by bisection in the first short interval in which the height changes its sign. */
static double next_impact(const bounce *b, double until)
{
    const double STRIDE = 1e-4;
    double low = b->t + 1e-6, high = low + STRIDE; /* past the impact it starts from */
    while (high < until && height(b, high) > 0)
    {
        low = high;
        high += STRIDE;
    }
    if (height(b, high) > 0)
        return INFINITY;
    for (int i = 0; i < 100; ++i)
    {
        double middle = 0.5 * (low + high);
        *(height(b, middle) > 0 ? &low : &high) = middle;
    }
    return low;
}

static void reflect(bounce *b, double t)
{
    double plate = b->A * b->omega * cos(b->omega * t);
    double v = b->v - G * (t - b->t);
    b->y = b->A * sin(b->omega * t);
    b->v = plate - b->e * (v - plate);
    b->t = t;
}

/* As many collisions as there are impacts: one that is missing, or one too many, counts as NAN. */
void cli_impact_bounces(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    bounce b = {.A = cli_impact_value(row, "A"),
                .omega = cli_impact_value(row, "omega"),
                .e = cli_impact_value(row, "e"),
                .y = cli_impact_value(row, "y0")};
    int at = 0;
    for (double t = next_impact(&b, course->until); t < course->until; t = next_impact(&b, course->until))
    {
        while (at < course->event_count && course->events[at].kind != CAIRN_EVENT_COLLISION)
            ++at;
        add(out, t, at < course->event_count ? course->events[at].time : NAN);
        ++at;
        reflect(&b, t);
    }
    for (; at < course->event_count; ++at)
        if (course->events[at].kind == CAIRN_EVENT_COLLISION)
            add(out, NAN, course->events[at].time);
}

/* --------------------------------------------------------------------------------------------------------- edges */

void cli_impact_edge(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    int up = cairn_model_dimension(cairn_simulation_model(course->simulation)) - 1;
    double v = cli_impact_value(row, "v"), after = course->until + cli_impact_value(row, "x0") / v;
    double start = cli_impact_value(row, "r");
    cairn_body_state b = state_of(course, "b");
    add(out, v * after, b.position[0]);
    add(out, start - 0.5 * G * after * after, b.position[up]);
    add(out, v, b.velocity[0]);
    add(out, -G * after, b.velocity[up]);
}

/* The force of a box of height 0.1 that slides leans back by mu: it meets the table mu 0.05 ahead of the centre. The
 * rear corner comes off when that is where the table ends, x0 + v t - mu g t^2/2 = -mu 0.05. */
void cli_impact_tip_time(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    double v = cli_impact_value(row, "v"), mu = cli_impact_value(row, "mu");
    double way = -cli_impact_value(row, "x0") - 0.05 * mu;
    add(out, 2 * way / (v + sqrt(v * v - 2 * mu * G * way)), first_time(course, CAIRN_EVENT_TAKE_OFF));
}

static void add_pose(const cli_impact_course *course, const char *name, cli_impact_numbers *out)
{
    cairn_body_state b = state_of(course, name);
    add(out, NAN, b.position[0]);
    add(out, NAN, b.position[1]);
    add(out, NAN, b.angle);
}

void cli_impact_rod_end(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    (void)row;
    add_pose(course, "rod", out);
}

void cli_impact_bobs(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    (void)row;
    add_pose(course, "bob1", out);
    add_pose(course, "bob2", out);
}

/* The rise of the energy in a step: the scheme's own error, or spurious energy. Only the former falls with h. */
void cli_impact_growth(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    (void)row;
    add(out, 0, fmax(course->energy_above, 0));
    add(out, 0, fmax(course->energy_growth, 0));
}

/* The tip of the rod, which slides at v0, sticks at once where friction is large enough: an impact that takes
 * v0^2/2 (W^-1)_11, with the matrix W of the tip's velocities per impulse. Afterwards nothing slips and no energy is lost. */
void cli_impact_stuck(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    double inertia = cli_impact_value(row, "I"), v0 = cli_impact_value(row, "v0"), th = cli_impact_value(row, "th");
    double x = cos(th), y = sin(th); /* a = m = 1 */
    double w11 = 1 + y * y / inertia, w22 = 1 + x * x / inertia, w12 = -x * y / inertia;
    add(out, -0.5 * v0 * v0 * w22 / (w11 * w22 - w12 * w12), course->energy_above);
}

/* Heights of both ends of a rod of length 1, or of a point twice. */
void cli_impact_rests(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    (void)row;
    cairn_body_state b = state_of(course, "b");
    add(out, 0, b.position[1] - 0.5 * sin(b.angle));
    add(out, 0, b.position[1] + 0.5 * sin(b.angle));
}

/* ---------------------------------------------------------------------------------------------------- transitions */

/* Friction slows the slip of a solid sphere's lowest point by 7/2 mu g, in a direction that stays the same. Scheme II
 * chatters where others stick, so that the transition may go by another name. */
void cli_impact_roll_time(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    double r = cli_impact_value(row, "r");
    double slip = hypot(cli_impact_value(row, "v0") - r * cli_impact_value(row, "w0"), 0.4 + r * 3);
    double t = course->event_count ? course->events[0].time : NAN;
    add(out, 2 * slip / (7 * cli_impact_value(row, "mu") * G), t);
}

void cli_impact_transitions(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    (void)row;
    add(out, 1, course->event_count);
}

/* When friction no longer suffices to turn the block with the plate. */
static double slip_time(const cli_impact_row *row)
{
    double omega = cli_impact_value(row, "omega");
    return asin(cli_impact_value(row, "mu") * G / (cli_impact_value(row, "A") * omega * omega)) / omega;
}

void cli_impact_slip_time(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    add(out, slip_time(row), first_time(course, CAIRN_EVENT_SLIP));
}

/* From then on mu g slows it down. */
void cli_impact_slip_end(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    double A = cli_impact_value(row, "A"), omega = cli_impact_value(row, "omega"), t = slip_time(row);
    double after = course->until - t, slowing = cli_impact_value(row, "mu") * G, v = A * omega * cos(omega * t);
    cairn_body_state block = state_of(course, "block");
    add(out, A * sin(omega * t) + after * (v - 0.5 * slowing * after), block.position[0]);
    add(out, v - slowing * after, block.velocity[0]);
}

/* The angle at which the circle no longer presses. Energy gives the rate phi' = sqrt(v0^2 + 2 g R (1 - cos phi))/R, Simpson's
 * rule the time. */
static double leave_time(const cli_impact_row *row, double *angle)
{
    enum
    {
        PARTS = 1000
    };
    double R = cli_impact_value(row, "R"), v0 = cli_impact_value(row, "v0");
    double phi = acos((2 + v0 * v0 / (G * R)) / 3), t = 0;
    for (int i = 0; i <= PARTS; ++i)
    {
        double weight = i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2;
        t += weight * R / sqrt(v0 * v0 + 2 * G * R * (1 - cos(phi * i / PARTS)));
    }
    *angle = phi;
    return t * phi / (3 * PARTS);
}

void cli_impact_leave_time(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    double phi;
    add(out, leave_time(row, &phi), first_time(course, CAIRN_EVENT_TAKE_OFF));
}

void cli_impact_leave_end(const cli_impact_row *row, const cli_impact_course *course, cli_impact_numbers *out)
{
    double phi, R = cli_impact_value(row, "R"), after = course->until - leave_time(row, &phi);
    double v = sqrt(G * R * cos(phi)); /* nothing presses: v^2/R = g cos(phi) */
    cairn_body_state p = state_of(course, "p");
    add(out, R * sin(phi) + v * cos(phi) * after, p.position[0]);
    add(out, R * cos(phi) - v * sin(phi) * after - 0.5 * G * after * after, p.position[1]);
}
