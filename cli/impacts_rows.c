/* The rows of the study `impacts`. The tolerances are those of rounding and of the search for events (1e-9 and less), or of
 * how well an order is seen over three halvings. */
#include "impacts.h"

#define I  CAIRN_INTEGRATOR_TRAPEZOID
#define II CAIRN_INTEGRATOR_TRAPEZOID2
#define S2 CAIRN_INTEGRATOR_STIFF2
#define S1 CAIRN_INTEGRATOR_STIFF

/* A ball at 1 m/s that meets the floor after fifty steps, and one that falls for fifty steps. */
#define IMPACT(e_, text, scheme)                                                                                       \
    {                                                                                                                  \
        "aligned impact, e = " text, "aligned-impact", {{"e", e_}, {"y0", 0.05}, {"v", 1}, {"g", 0}},                  \
            .integrator = scheme, .step = 0.001, .until = 0.1, .quantity = "vy, y", .measure = crn_impact_flight,      \
            .tolerance = 1e-9                                                                                          \
    }
#define DROP(e_, text, scheme)                                                                                         \
    {                                                                                                                  \
        "aligned drop, e = " text, "aligned-impact",                                                                   \
            {{"e", e_}, {"y0", 9.81 * 0.05 * 0.05 / 2}, {"v", 0}, {"g", 9.81}},                                        \
            .integrator = scheme, .step = 0.001, .until = 0.09, .quantity = "vy, y", .measure = crn_impact_flight,     \
            .tolerance = 1e-8                                                                                          \
    }
#define KINK(scheme)                                                                                                   \
    {                                                                                                                  \
        "kink", "kink", {{"al", 0.5}, {"v", 2}, {"x0", -0.3}, {"mu", 0}},                                              \
            .integrator = scheme, .step = 0.01, .until = 0.3, .quantity = "x, y, vx, vy", .measure = crn_impact_kink,  \
            .tolerance = 1e-8                                                                                          \
    }
#define CRADLE(scheme)                                                                                                 \
    {                                                                                                                  \
        "cradle, gaps of 0.001 m", "cradle", {{"e", 1}, {"gap", 0.001}},                                               \
            .integrator = scheme, .step = 0.001, .until = 0.4, .quantity = "vx of the balls",                          \
            .measure = crn_impact_cradle, .tolerance = 1e-9                                                            \
    }
#define EDGE(what_, scene_, r_, scheme)                                                                                \
    {                                                                                                                  \
        what_, scene_, {{"v", 1.3}, {"x0", -0.513}, {"r", r_}},                                                        \
            .integrator = scheme, .step = 0.01, .until = 0.8, .quantity = "x, z, vx, vz", .measure = crn_impact_edge,  \
            .tolerance = 1e-6                                                                                          \
    }
#define BOX(measure_, kind_, what_, quantity_, scheme)                                                                 \
    {                                                                                                                  \
        what_, "edge-box", {{"v", 1.3}, {"mu", 0.1}, {"x0", -0.313}},                                                  \
            .integrator = scheme, .step = 0.01, .until = 0.7, .kind = kind_, .quantity = quantity_,                    \
            .measure = measure_, .tolerance = 0.3                                                                      \
    }
#define PENDULUM(measure_, kind_, what_, quantity_, stabilisation_, tolerance_)                                        \
    {                                                                                                                  \
        what_, "double-pendulum",                                                                                      \
            {{"m1", 0.5}, {"m2", 2}, {"L1", 1.1}, {"L2", 0.7}, {"a0", 0.9}, {"b0", 1.4}, {"e", 0.3}, {"wall", 0.15}},  \
            .integrator = S2, .step = 0x1p-6, .until = 2, .kind = kind_, .quantity = quantity_,                        \
            .stabilisation = stabilisation_, .measure = measure_, .tolerance = tolerance_                              \
    }
#define PAINLEVE(measure_, kind_, what_, quantity_, mu_, tolerance_)                                                   \
    {                                                                                                                  \
        what_, "painleve", {{"mu", mu_}, {"I", 1.0 / 12}, {"v0", -1}, {"th", 1}},                                      \
            .integrator = S2, .step = 0.001, .until = 0.5, .kind = kind_, .quantity = quantity_, .measure = measure_,  \
            .tolerance = tolerance_                                                                                    \
    }
#define THIN(what_, scene_, until_, scheme)                                                                            \
    {                                                                                                                  \
        what_, scene_, {{NULL, 0}}, .integrator = scheme, .step = 0.01, .until = until_,                               \
                                    .quantity = "heights of the ends", .measure = crn_impact_rests, .tolerance = 1e-6  \
    }
#define DOWN(scheme)                                                                                                   \
    {                                                                                                                  \
        "events off, e = 0, from 1 m", "aligned-impact", {{"e", 0}, {"y0", 1}, {"v", 0}, {"g", 9.81}},                 \
            .integrator = scheme, .step = 0.01, .until = 1, .events_off = true, .quantity = "vy, y",                   \
            .measure = crn_impact_flight, .tolerance = 1e-9                                                            \
    }
#define JUMP(t0_, text, scheme)                                                                                        \
    {                                                                                                                  \
        "driven jump, t0 = " text, "driven-jump", {{"e", 0}, {"V", 1}, {"t0", t0_}},                                   \
            .integrator = scheme, .step = 0.01, .until = 0.5, .quantity = "vy, y", .measure = crn_impact_lifted,       \
            .tolerance = 1e-8                                                                                          \
    }
#define VIBRATING(scheme)                                                                                              \
    {                                                                                                                  \
        "vibrating plate", "vibrating-plate", {{"e", 0.7}, {"A", 0.02}, {"omega", 31}, {"y0", 0.3}},                   \
            .integrator = scheme, .step = 0.01, .until = 1.5, .quantity = "t of the impacts",                          \
            .measure = crn_impact_bounces, .tolerance = 1e-9                                                           \
    }
#define BACKSPIN(measure_, kind_, what_, quantity_, tolerance_, scheme)                                                \
    {                                                                                                                  \
        what_, "backspin", {{"mu", 0.17}, {"r", 0.12}, {"v0", 2.3}, {"w0", -25}},                                      \
            .integrator = scheme, .step = 0.01, .until = 2, .kind = kind_, .quantity = quantity_, .measure = measure_, \
            .tolerance = tolerance_                                                                                    \
    }
#define SLIP(measure_, what_, quantity_, scheme)                                                                       \
    {                                                                                                                  \
        what_, "driven-slip", {{"mu", 0.3}, {"A", 0.05}, {"omega", 10}},                                               \
            .integrator = scheme, .step = 0.01, .until = 0.15, .kind = CRN_IMPACT_ORDER, .quantity = quantity_,        \
            .measure = measure_, .tolerance = 0.3                                                                      \
    }
#define LEAVE(measure_, what_, quantity_, scheme)                                                                      \
    {                                                                                                                  \
        what_, "circle-take-off", {{"R", 1}, {"v0", 1}}, .integrator = scheme, .step = 0.01, .until = 0.8,             \
                                                         .kind = CRN_IMPACT_ORDER, .quantity = quantity_,              \
                                                         .measure = measure_, .tolerance = 0.3                         \
    }
#define EACH(ROW, ...) ROW(__VA_ARGS__, I), ROW(__VA_ARGS__, II), ROW(__VA_ARGS__, S2)

static const crn_impact_row ROWS[] = {
    EACH(IMPACT, 0, "0"),
    EACH(IMPACT, 0.5, "0.5"),
    EACH(IMPACT, 1, "1"),
    EACH(DROP, 0, "0"),
    EACH(DROP, 0.5, "0.5"),
    EACH(DROP, 1, "1"),
    KINK(I),
    KINK(II),
    KINK(S2),
    CRADLE(I),
    CRADLE(II),
    CRADLE(S2),
    EACH(EDGE, "point over an edge", "edge-point", 0),
    EACH(EDGE, "point over an edge, in space", "edge-point-3d", 0),
    EACH(EDGE, "ball over an edge", "edge-ball", 0.05),
    EACH(BOX, crn_impact_tip_time, CRN_IMPACT_ORDER, "box over an edge: it tips", "t of take-off"),
    EACH(BOX, crn_impact_box_end, CRN_IMPACT_RICHARDSON, "box over an edge: it flies", "x, y, angle"),
    PENDULUM(crn_impact_growth, CRN_IMPACT_ORDER, "pendulum, not stabilised", "rise of the energy", "none", 0.3),
    PENDULUM(crn_impact_growth, CRN_IMPACT_ORDER, "pendulum, gap", "rise of the energy", "gap", 0.3),
    PENDULUM(crn_impact_growth, CRN_IMPACT_ORDER, "pendulum, project", "rise of the energy", "project", 0.3),
    PENDULUM(crn_impact_bobs, CRN_IMPACT_AGREE, "pendulum, the three agree", "x, y of the bobs", NULL, 0.3),
    PAINLEVE(crn_impact_stuck, CRN_IMPACT_VALUE, "Painleve, mu = 1", "energy lost", 1, 1e-6),
    PAINLEVE(crn_impact_stuck, CRN_IMPACT_VALUE, "Painleve, mu = 1.5", "energy lost", 1.5, 1e-6),
    PAINLEVE(crn_impact_stuck, CRN_IMPACT_VALUE, "Painleve, mu = 2", "energy lost", 2, 1e-6),
    PAINLEVE(crn_impact_rod_end, CRN_IMPACT_RICHARDSON, "Painleve, mu = 1: steps agree", "x, y, angle", 1, 0.3),
    PAINLEVE(crn_impact_rod_end, CRN_IMPACT_RICHARDSON, "Painleve, mu = 1.5: steps agree", "x, y, angle", 1.5, 0.3),
    PAINLEVE(crn_impact_rod_end, CRN_IMPACT_RICHARDSON, "Painleve, mu = 2: steps agree", "x, y, angle", 2, 0.3),
    THIN("point on a segment", "thin-segment", 0.8, S1),
    EACH(THIN, "point on a segment", "thin-segment", 0.8),
    THIN("rod on a segment", "thin-rod", 2, S1),
    EACH(THIN, "rod on a segment", "thin-rod", 2),
    DOWN(I),
    DOWN(II),
    DOWN(S2),
    EACH(JUMP, 0.05, "0.05"),
    EACH(JUMP, 0.0537, "0.0537"),
    VIBRATING(I),
    VIBRATING(II),
    VIBRATING(S2),
    EACH(BACKSPIN, crn_impact_transitions, CRN_IMPACT_VALUE, "backspin: it rolls on", "transitions", 0),
    EACH(BACKSPIN, crn_impact_roll_time, CRN_IMPACT_ORDER, "backspin: it rolls", "t of rolling", 0.3),
    SLIP(crn_impact_slip_time, "slip on a driven plate", "t of slip", I),
    SLIP(crn_impact_slip_time, "slip on a driven plate", "t of slip", S2),
    EACH(SLIP, crn_impact_slip_end, "slip on a driven plate", "x, vx"),
    LEAVE(crn_impact_leave_time, "take-off from a circle", "t of take-off", II),
    LEAVE(crn_impact_leave_time, "take-off from a circle", "t of take-off", S2),
    LEAVE(crn_impact_leave_end, "take-off from a circle", "x, y", II),
    LEAVE(crn_impact_leave_end, "take-off from a circle", "x, y", S2),
};

int crn_impact_row_count(void)
{
    return (int)(sizeof ROWS / sizeof ROWS[0]);
}

const crn_impact_row *crn_impact_row_at(int index)
{
    return &ROWS[index];
}
