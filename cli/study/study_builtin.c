/* The built-in studies: every example of the papers whose true solution or table is known, and a few more.
 *
 * The truths come from closed forms or from integration in more digits than a double has, by programs independent of
 * this library. They are correct to the digits shown, except for the double pendulum (1e-14) and the carts (1e-12). The
 * papers' numbers are the printed ones.
 */
#include "cli/study/study.h"

#include <math.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const cli_study_truth DOUBLE_PENDULUM[] = {
    {2.5, "bob1", "x", 0.021946257563808046},   {2.5, "bob1", "y", -0.99975915188556441},
    {2.5, "bob2", "x", 0.023851309509372674},   {2.5, "bob2", "y", -1.9997573372724602},
    {2.5, "bob1", "vx", -0.012706529965711819}, {2.5, "bob1", "vy", -0.00027892795864265744},
    {2.5, "bob2", "vx", 0.064186411035930716},  {2.5, "bob2", "vy", -0.00013244264597313515},
};

static const cli_study_truth STICK_SLIP_BLOCK[] = {
    {2, "block", "x", 3.004348569726865},
    {2, "block", "vx", 0},
    {10, "block", "x", 2.9913028331150313},
    {10, "block", "vx", 0},
};

/* Two bodies on a line at a time: where they are, and how fast. */
#define AT_END(t, left, right, v_left, v_right)                                                                        \
    {t, "left", "x", left}, {t, "right", "x", right}, {t, "left", "vx", v_left},                                       \
    {                                                                                                                  \
        t, "right", "vx", v_right                                                                                      \
    }

static const cli_study_truth TWO_BODIES_DAMPER_20[] = {
    AT_END(10, -2.1292930988236778, 1.1257998385003709, -7.0825960479701244, -6.6565263131300565)};
static const cli_study_truth TWO_BODIES_DAMPER_100[] = {
    AT_END(10, -1.9745594433378428, 1.0791585514488278, -6.8940319501539724, -6.8098548911173582)};
static const cli_study_truth TWO_BODIES_DAMPER_1E6[] = {
    AT_END(10, -1.9328489857070799, 1.067156454497169, -6.8475638829969663, -6.8475554922789561)};
static const cli_study_truth TWO_BODIES_HEAVY_20[] = {AT_END(10, -0.39898214970054469, 3, -0.66791230386126776, 0)};
static const cli_study_truth TWO_BODIES_HEAVY_1E8[] = {
    AT_END(10, -8.6232508072721369e-08, 3, -1.2857430690333271e-07, 0)};
static const cli_study_truth TWO_CARTS_DAMPER_100[] = {AT_END(4, 0.19825723294191974, 5.1786611337505457, 0, 0)};
static const cli_study_truth TWO_CARTS_DAMPER_1000[] = {
    AT_END(4, 0.2156962454113581, 5.2134581766431172, 0.078624898905437821, 0.079407729611930739)};
static const cli_study_truth TWO_CARTS_DAMPER_1E6[] = {
    AT_END(4, 0.2210024580782555, 5.22100020615418, 0.087879016469075338, 0.087880066589782257)};
static const cli_study_truth TWO_CARTS_SPRING_100[] = {AT_END(2, 0.20452314838214367, 4.902185153129988, 0, 0)};
static const cli_study_truth TWO_CARTS_SPRING_1E4[] = {AT_END(2, 0.19995691593829207, 4.9189499248650597, 0, 0)};
static const cli_study_truth TWO_CARTS_SPRING_1E6[] = {AT_END(2, 0.20000046204911962, 4.920239402572232, 0, 0)};

static const cli_study_truth FREE_BODY[] = {
    {2, "racket", "omega_x", -0.1177160862448411},  {2, "racket", "omega_y", 4.9986142002598282},
    {2, "racket", "omega_z", 0.067968318504047331}, {2, "racket", "qw", 0.28364172933792747},
    {2, "racket", "qx", 0.0027468261667485117},     {2, "racket", "qy", -0.95885616839695786},
    {2, "racket", "qz", -0.011604854643826655},
};

/* The table with h = 0.01 and rigid legs whose forces hold y'lambda = 0, y the left null vector (docs/forces.md). */
static const cli_study_truth SLIDING_TABLE[] = {
    {5, "table", "vx", 0.625000621476365},
    {5, "table", "vy", -3.68073790561361e-05},
    {5, "table", "omega_z", 0.00440411172812519},
};

static const cli_study_truth PENDULUM[] = {
    {1, "upper", "x", -0.46740367507217345},    {1, "upper", "y", -0.17757760142829421},
    {1, "lower", "x", -1.2984612429802371},     {1, "lower", "y", -0.69831092002490658},
    {1, "upper", "vx", -0.60492121272859034},   {1, "upper", "vy", 1.5922188141088869},
    {1, "lower", "vx", -1.3869263795289071},    {1, "lower", "vy", 3.3720995730291676},
    {1, "upper", "angle", -2.7785125649855344}, {1, "lower", "angle", -2.3851873498861931},
    {1, "upper", "omega", -3.4065175329719577}, {1, "lower", "omega", -0.5160454721052089},
};

/* Potra et al. 2006, Table 10.1: E_h and the errors of the two joints (1 - distance^2: the opposite sign of theta). */
static const cli_study_paper TABLE_10_1[] = {
    {"trapezoid2", CLI_EVENTS_SCENE, 0x1p-5, {2.38e-3, -1.27e-3, -3.18e-3}},
    {"trapezoid2", CLI_EVENTS_SCENE, 0x1p-6, {6.14e-4, -3.14e-4, -8.29e-4}},
    {"trapezoid2", CLI_EVENTS_SCENE, 0x1p-7, {1.54e-4, -7.82e-5, -2.14e-4}},
    {"trapezoid2", CLI_EVENTS_SCENE, 0x1p-8, {3.95e-5, -1.95e-5, -5.48e-5}},
    {"trapezoid2", CLI_EVENTS_SCENE, 0x1p-9, {1.01e-5, -4.88e-6, -1.37e-5}},
    {"trapezoid2", CLI_EVENTS_SCENE, 0x1p-10, {2.42e-6, -1.22e-6, -3.44e-6}},
    {"trapezoid2", CLI_EVENTS_SCENE, 0x1p-11, {6.15e-7, -3.05e-7, -8.60e-7}},
};

/* Potra et al. 2006, Tables 10.2 (scheme I) and 10.3 (scheme II): the printed numbers are those without detection of events. */
static const cli_study_paper TABLES_10_2_AND_10_3[] = {
    {"trapezoid", CLI_EVENTS_OFF, 0x1p-5, {5.197e-5, NAN, NAN}},
    {"trapezoid", CLI_EVENTS_OFF, 0x1p-6, {1.025e-5, NAN, NAN}},
    {"trapezoid", CLI_EVENTS_OFF, 0x1p-7, {2.555e-6, NAN, NAN}},
    {"trapezoid", CLI_EVENTS_OFF, 0x1p-8, {6.551e-7, NAN, NAN}},
    {"trapezoid", CLI_EVENTS_OFF, 0x1p-9, {1.549e-7, NAN, NAN}},
    {"trapezoid", CLI_EVENTS_OFF, 0x1p-10, {3.959e-8, NAN, NAN}},
    {"trapezoid2", CLI_EVENTS_OFF, 0x1p-5, {8.023e-5, NAN, NAN}},
    {"trapezoid2", CLI_EVENTS_OFF, 0x1p-6, {2.310e-5, NAN, NAN}},
    {"trapezoid2", CLI_EVENTS_OFF, 0x1p-7, {5.619e-6, NAN, NAN}},
    {"trapezoid2", CLI_EVENTS_OFF, 0x1p-8, {1.395e-6, NAN, NAN}},
    {"trapezoid2", CLI_EVENTS_OFF, 0x1p-9, {3.652e-7, NAN, NAN}},
    {"trapezoid2", CLI_EVENTS_OFF, 0x1p-10, {8.246e-8, NAN, NAN}},
};

/* Without springs and rotation euler and stiff are the same scheme. */
#define ALL      "euler,stiff,trapezoid,trapezoid2,stiff2"
#define IMPLICIT "stiff,trapezoid,trapezoid2,stiff2"

#define CLOSED       "closed form"
#define EVENT_DRIVEN "independent event-driven integration"
#define EXTRAPOLATED "extrapolated Runge-Kutta integration in 30 digits"

#define TRUTH(list, source) .truths = (list), .truth_count = COUNT(list), .truth_source = (source)
#define PAIR(study, of, schemes, range, list, source)                                                                  \
    {                                                                                                                  \
        .name = (study), .scene = (of), .integrators = (schemes), .steps = (range), .quantities = "position,velocity", \
        TRUTH(list, source)                                                                                            \
    }

static const cli_study_entry ENTRIES[] = {
    {.name = "double-pendulum",
     .scene = "double-pendulum",
     .integrators = IMPLICIT,
     .steps = "2^-5:2^-11",
     .quantities = "position,theta(world,bob1,1),theta(bob1,bob2,1)",
     TRUTH(DOUBLE_PENDULUM, EVENT_DRIVEN),
     .papers = TABLE_10_1,
     .paper_count = COUNT(TABLE_10_1),
     .paper_source = "Table 10.1 of Potra et al. 2006"},
    {.name = "stick-slip-block",
     .scene = "stick-slip-block",
     .until = 2,
     .integrators = IMPLICIT,
     .steps = "2^-5:2^-10",
     .quantities = "position",
     .events = "on,off",
     TRUTH(STICK_SLIP_BLOCK, CLOSED),
     .papers = TABLES_10_2_AND_10_3,
     .paper_count = COUNT(TABLES_10_2_AND_10_3),
     .paper_source = "Tables 10.2 and 10.3 of Potra et al. 2006"},
    PAIR("two-bodies", "two-bodies-damper-20", ALL, "0.05:0.0015625", TWO_BODIES_DAMPER_20, CLOSED),
    PAIR("two-bodies-damper-20", "two-bodies-damper-20", ALL, "0.05:0.0015625", TWO_BODIES_DAMPER_20, CLOSED),
    PAIR("two-bodies-damper-100", "two-bodies-damper-100", IMPLICIT, "0.05:0.0015625", TWO_BODIES_DAMPER_100, CLOSED),
    PAIR("two-bodies-damper-1e6", "two-bodies-damper-1e6", IMPLICIT, "0.05:0.0015625", TWO_BODIES_DAMPER_1E6, CLOSED),
    PAIR("two-bodies-heavy-20", "two-bodies-heavy-20", ALL, "0.05:0.0015625", TWO_BODIES_HEAVY_20, CLOSED),
    PAIR("two-bodies-heavy-1e8", "two-bodies-heavy-1e8", IMPLICIT, "0.05:0.0015625", TWO_BODIES_HEAVY_1E8, CLOSED),
    PAIR("two-carts-damper-100", "two-carts-damper-100", IMPLICIT, "0.01:0.00015625", TWO_CARTS_DAMPER_100,
         EVENT_DRIVEN),
    PAIR("two-carts-damper-1000", "two-carts-damper-1000", IMPLICIT, "0.01:0.00015625", TWO_CARTS_DAMPER_1000,
         EVENT_DRIVEN),
    PAIR("two-carts-damper-1e6", "two-carts-damper-1e6", IMPLICIT, "0.01:0.00015625", TWO_CARTS_DAMPER_1E6,
         EVENT_DRIVEN),
    PAIR("two-carts-spring-100", "two-carts-spring-100", IMPLICIT, "0.01:0.00015625", TWO_CARTS_SPRING_100,
         EVENT_DRIVEN),
    PAIR("two-carts-spring-1e4", "two-carts-spring-1e4", IMPLICIT, "0.01:0.00015625", TWO_CARTS_SPRING_1E4,
         EVENT_DRIVEN),
    PAIR("two-carts-spring-1e6", "two-carts-spring-1e6", IMPLICIT, "0.01:0.00015625", TWO_CARTS_SPRING_1E6,
         EVENT_DRIVEN),
    {.name = "two-bars",
     .scene = "two-bars-mu-0.2",
     .until = 0.5,
     .integrators = IMPLICIT,
     .steps = "0.01:0.000625",
     .quantities = "position,velocity"},
    {.name = "pendulum",
     .scene = "pendulum",
     .until = 1,
     .integrators = IMPLICIT,
     .steps = "0.02:0.000625",
     .quantities = "position,velocity",
     TRUTH(PENDULUM, EXTRAPOLATED)},
    {.name = "sliding-table-stiffness",
     .scene = "sliding-table-soft",
     .until = 5,
     .integrators = "euler",
     .quantities = "velocity",
     .vary = "k=10,100,1e3,1e4,1e5,1e6",
     TRUTH(SLIDING_TABLE, "the stiff limit, computed apart with rigid legs")},
    {.name = "free-body",
     .scene = "tennis-racket",
     .until = 2,
     .integrators = ALL,
     .steps = "0.02:0.000625",
     .quantities = "orientation,velocity",
     TRUTH(FREE_BODY, EXTRAPOLATED)},
};

int cli_study_entry_count(void)
{
    return COUNT(ENTRIES);
}

const cli_study_entry *cli_study_entry_at(int index)
{
    return &ENTRIES[index];
}

const cli_study_entry *cli_study_entry_find(const char *name)
{
    for (int i = 0; i < COUNT(ENTRIES); ++i)
        if (!strcmp(ENTRIES[i].name, name))
            return &ENTRIES[i];
    return NULL;
}
