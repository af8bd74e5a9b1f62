/* The rows of the study `impacts`. Tolerances of numbers are those of rounding and of the search for events. Envelopes of
 * errors scatter by a factor of about two, since an event falls anywhere in a step: 0.4 of an order over three halvings. */
#include "cli/common/cli.h"
#include "cli/study/impacts.h"

#include <stdlib.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum
{
    S1 = 1 << CAIRN_INTEGRATOR_STIFF,
    I = 1 << CAIRN_INTEGRATOR_TRAPEZOID,
    II = 1 << CAIRN_INTEGRATOR_TRAPEZOID2,
    S2 = 1 << CAIRN_INTEGRATOR_STIFF2,
    SECOND = I | II | S2,
};

/* A case with all schemes that it is run with. */
typedef struct scheme_row
{
    unsigned schemes;
    cli_impact_row row;
} scheme_row;

/* clang-format off */
/* A ball at 1 m/s that meets the floor after fifty steps, one that falls for fifty steps, and one that falls from 1 m. */
#define FLIES(e) {{"e", e}, {"y0", 0.05}, {"v", 1}, {"g", 0}}
#define DROPS(e) {{"e", e}, {"y0", 9.81 * 0.05 * 0.05 / 2}, {"v", 0}, {"g", 9.81}}
#define FALLS    {{"e", 0}, {"y0", 1}, {"v", 0}, {"g", 9.81}}
/* A pendulum whose fifth impact once was taken for a storm. */
#define PENDULUM {{"m1", 0.5}, {"m2", 2}, {"L1", 1.1}, {"L2", 0.7}, {"a0", 0.9}, {"b0", 1.4}, {"e", 0.3}, {"wall", 0.15}}
#define ROD(mu)  {{"mu", mu}, {"I", 1.0 / 12}, {"v0", -1}, {"th", 1}}
#define OVER(r)  {{"v", 1.3}, {"x0", -0.513}, {"r", r}}
#define BOX      {{"v", 1.3}, {"mu", 0.1}, {"x0", -0.313}}
#define BALL     {{"mu", 0.17}, {"r", 0.12}, {"v0", 2.3}, {"w0", -25}}
#define SHAKEN   {{"mu", 0.3}, {"A", 0.05}, {"omega", 10}}
#define CIRCLE   {{"R", 1}, {"v0", 1}}

/* The step and the end of a run, and what is measured. */
#define RUN(h, end)                 .step = (h), .until = (end)
#define NUMBERS(of, names, allowed) .measure = (of), .quantity = (names), .tolerance = (allowed)
#define ORDER(of, names)            .kind = CLI_IMPACT_ORDER, NUMBERS(of, names, 0.4)

static const scheme_row ROWS[] = {
    {SECOND, {"aligned impact, e = 0", "aligned-impact", FLIES(0), RUN(0.001, 0.1), NUMBERS(cli_impact_flight, "vy, y", 1e-9)}},
    {SECOND, {"aligned impact, e = 0.5", "aligned-impact", FLIES(0.5), RUN(0.001, 0.1), NUMBERS(cli_impact_flight, "vy, y", 1e-9)}},
    {SECOND, {"aligned impact, e = 1", "aligned-impact", FLIES(1), RUN(0.001, 0.1), NUMBERS(cli_impact_flight, "vy, y", 1e-9)}},
    {SECOND, {"aligned drop, e = 0", "aligned-impact", DROPS(0), RUN(0.001, 0.09), NUMBERS(cli_impact_flight, "vy, y", 1e-9)}},
    {SECOND, {"aligned drop, e = 0.5", "aligned-impact", DROPS(0.5), RUN(0.001, 0.09), NUMBERS(cli_impact_flight, "vy, y", 1e-9)}},
    {SECOND, {"aligned drop, e = 1", "aligned-impact", DROPS(1), RUN(0.001, 0.09), NUMBERS(cli_impact_flight, "vy, y", 1e-9)}},
    {SECOND, {"events off, e = 0, from 1 m", "aligned-impact", FALLS, RUN(0.01, 1), .events_off = true,
              NUMBERS(cli_impact_flight, "vy, y", 1e-9)}},
    {SECOND, {"slides into an incline", "kink", {{"al", 0.5}, {"v", 2}, {"x0", -0.3}}, RUN(0.01, 0.3),
              NUMBERS(cli_impact_kink, "x, y, vx, vy", 1e-9)}},
    {SECOND, {"cradle, gaps of 0.001 m", "cradle", {{"e", 1}, {"gap", 0.001}}, RUN(0.001, 0.4),
              NUMBERS(cli_impact_cradle, "vx of the balls", 1e-9)}},
    {SECOND, {"driven jump, t0 = 0.05", "driven-jump", {{"e", 0}, {"V", 1}, {"t0", 0.05}}, RUN(0.01, 0.5),
              NUMBERS(cli_impact_lifted, "vy, y", 1e-9)}},
    {SECOND, {"driven jump, t0 = 0.0537", "driven-jump", {{"e", 0}, {"V", 1}, {"t0", 0.0537}}, RUN(0.01, 0.5),
              NUMBERS(cli_impact_lifted, "vy, y", 1e-9)}},
    {SECOND, {"vibrating plate", "vibrating-plate", {{"e", 0.7}, {"A", 0.02}, {"omega", 31}, {"y0", 0.3}}, RUN(0.01, 1.5),
              NUMBERS(cli_impact_bounces, "t of the impacts", 1e-9)}},
    {S2, {"pendulum, not stabilised", "double-pendulum", PENDULUM, RUN(0x1p-6, 2), .stabilisation = "none",
          ORDER(cli_impact_growth, "rise of the energy")}},
    {S2, {"pendulum, gap", "double-pendulum", PENDULUM, RUN(0x1p-6, 2), .stabilisation = "gap",
          ORDER(cli_impact_growth, "rise of the energy")}},
    {S2, {"pendulum, project", "double-pendulum", PENDULUM, RUN(0x1p-6, 2), .stabilisation = "project",
          ORDER(cli_impact_growth, "rise of the energy")}},
    {S2, {"pendulum, all three agree", "double-pendulum", PENDULUM, RUN(0x1p-6, 2), .kind = CLI_IMPACT_AGREE,
          NUMBERS(cli_impact_bobs, "x, y of the bobs", 0.4)}},
    {S2, {"Painleve, mu = 1", "painleve", ROD(1), RUN(0.001, 0.5), NUMBERS(cli_impact_stuck, "change of the energy", 1e-6)}},
    {S2, {"Painleve, mu = 1.5", "painleve", ROD(1.5), RUN(0.001, 0.5), NUMBERS(cli_impact_stuck, "change of the energy", 1e-6)}},
    {S2, {"Painleve, mu = 2", "painleve", ROD(2), RUN(0.001, 0.5), NUMBERS(cli_impact_stuck, "change of the energy", 1e-6)}},
    {S2, {"Painleve, mu = 2, steps agree", "painleve", ROD(2), RUN(0.004, 0.5), .kind = CLI_IMPACT_RICHARDSON,
          NUMBERS(cli_impact_rod_end, "x, y, angle", 0.4)}},
    {SECOND, {"point over an edge", "edge-point", OVER(0), RUN(0.01, 0.8), NUMBERS(cli_impact_edge, "x, z, vx, vz", 1e-7)}},
    {SECOND, {"point over an edge, in space", "edge-point-3d", OVER(0), RUN(0.01, 0.8), NUMBERS(cli_impact_edge, "x, z, vx, vz", 1e-7)}},
    {SECOND, {"ball over an edge", "edge-ball", OVER(0.05), RUN(0.01, 0.8), NUMBERS(cli_impact_edge, "x, z, vx, vz", 1e-7)}},
    {SECOND, {"box over an edge: tips", "edge-box", BOX, RUN(0.01, 0.7), ORDER(cli_impact_tip_time, "t of take-off")}},
    {I, {"box over an edge: flies off", "edge-box", BOX, RUN(0.01, 0.7), .order = 1, ORDER(cli_impact_box_flight, "x, y, angle")}},
    {II | S2, {"box over an edge: flies off", "edge-box", BOX, RUN(0.01, 0.7), ORDER(cli_impact_box_flight, "x, y, angle")}},
    {S1 | SECOND, {"point on a segment", "thin-segment", {{"y0", 0.1}}, RUN(0.01, 0.8), NUMBERS(cli_impact_rests, "heights", 1e-9)}},
    {S1 | SECOND, {"rod on a segment", "thin-rod", {{NULL, 0}}, RUN(0.01, 2), NUMBERS(cli_impact_rests, "heights of its ends", 1e-9)}},
    {SECOND, {"backspin: one transition", "backspin", BALL, RUN(0.01, 2), NUMBERS(cli_impact_transitions, "transitions", 0)}},
    {SECOND, {"backspin: rolls", "backspin", BALL, RUN(0.01, 2), ORDER(cli_impact_roll_time, "t of rolling")}},
    {I | S2, {"slip on a driven plate", "driven-slip", SHAKEN, RUN(0.01, 0.15), ORDER(cli_impact_slip_time, "t of slip")}},
    {SECOND, {"slip on a driven plate: after", "driven-slip", SHAKEN, RUN(0.01, 0.15), ORDER(cli_impact_slip_end, "x, vx")}},
    {II, {"take-off from a circle", "circle-take-off", CIRCLE, RUN(0.01, 0.8), .order = 1, ORDER(cli_impact_leave_time, "t of take-off")}},
    {S2, {"take-off from a circle", "circle-take-off", CIRCLE, RUN(0.01, 0.8), ORDER(cli_impact_leave_time, "t of take-off")}},
    {SECOND, {"take-off from a circle: after", "circle-take-off", CIRCLE, RUN(0.01, 0.8), ORDER(cli_impact_leave_end, "x, y")}},
};
/* clang-format on */

static int scheme_count(unsigned schemes)
{
    int count = 0;
    for (; schemes; schemes &= schemes - 1)
        ++count;
    return count;
}

cli_impact_row *cli_impact_rows(int *count)
{
    int total = 0, at = 0;
    for (int i = 0; i < COUNT(ROWS); ++i)
        total += scheme_count(ROWS[i].schemes);
    cli_impact_row *rows = cli_allocate((unsigned)total, sizeof *rows);
    for (int i = 0; i < COUNT(ROWS); ++i)
    {
        for (int k = CAIRN_INTEGRATOR_EULER; k <= CAIRN_INTEGRATOR_STIFF2; ++k)
        {
            if (ROWS[i].schemes >> k & 1)
            {
                rows[at] = ROWS[i].row;
                rows[at++].integrator = (cairn_integrator)k;
            }
        }
    }
    *count = total;
    return rows;
}
