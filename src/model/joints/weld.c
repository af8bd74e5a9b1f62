/* `weld`: b moves with a. Nothing is free.
 *
 *     e_k . (x_a - x_b) = 0;     a_0 . b_1 = 0,  a_0 . b_2 = 0,  a_1 . b_2 = 0     (in the plane the last alone)
 */
#include "model/joints/joint_class.h"

const crn_joint_class crn_weld_joint = {
    .name = "weld",
    .equations = {3, 6},
    .angular = {1, 3},
    .equation = {{{.kind = CRN_MEET, .k = 0}, {.kind = CRN_MEET, .k = 1}, {.kind = CRN_ACROSS, .k = 1, .l = 2}},
                 {{.kind = CRN_MEET, .k = 0},
                  {.kind = CRN_MEET, .k = 1},
                  {.kind = CRN_MEET, .k = 2},
                  {.kind = CRN_ACROSS, .k = 0, .l = 1},
                  {.kind = CRN_ACROSS, .k = 0, .l = 2},
                  {.kind = CRN_ACROSS, .k = 1, .l = 2}}},
    .is_pin = true,
};
