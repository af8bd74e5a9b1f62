/* `screw`: b slides along an axis of a by `pitch` per turn about it. Free is the angle; the position follows.
 *
 *     a_1 . (x_a - x_b) = 0,  a_2 . (x_a - x_b) = 0,  a_0 . (x_a - x_b) + pitch/(2 pi) angle = offset;
 *     a_0 . b_1 = 0,  a_0 . b_2 = 0
 */
#include "model/joints/joint_class.h"

static const double WHOLE_TURN = 6.283185307179586476925;

enum
{
    ANGLE,
    POSITION
};

static cairn_status prepare(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    (void)options;
    crn_joint_mix(model, joint, ANGLE, joint->number[0] / WHOLE_TURN);
    return CAIRN_OK;
}

static const crn_joint_number NUMBERS[] = {{.name = "pitch", .required = true, .not_zero = true}};

const crn_joint_class crn_screw_joint = {
    .name = "screw",
    .equations = {0, 5},
    .angular = {0, 2},
    .equation = {[CRN_SPACE] = {{.kind = CRN_ALONG, .k = 1},
                                {.kind = CRN_ALONG, .k = 2},
                                {.kind = CRN_ALONG, .k = 0},
                                {.kind = CRN_ACROSS, .k = 0, .l = 1},
                                {.kind = CRN_ACROSS, .k = 0, .l = 2}}},
    .coordinate = {[CRN_SPACE] = {[ANGLE] = {.name = "angle", .kind = CRN_TURN},
                                  [POSITION] = {.name = "position", .kind = CRN_SLIDE, .k = 0}}},
    .mixed = 2,
    .numbers = NUMBERS,
    .number_count = 1,
    .fields = CRN_JOINT_AXIS,
    .prepare = prepare,
};
