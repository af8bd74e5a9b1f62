/* `rack`: a pinion on b, of pitch radius `radius` about b's point, meshes with a straight rack on a. The joint says how far the
 * pinion moves along the rack per turn, and nothing else: other joints guide the two.
 *
 *     a_1 . (x_a - x_b) - radius angle = offset
 *
 * a_1 is the direction of the rack, and the pinion's axis is a_0 (in the plane its normal). A negative radius is a pinion on the other
 * side of the rack.
 */
#include "model/joints/joint_class.h"

enum
{
    ANGLE,
    POSITION
};

static cairn_status prepare(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    (void)options;
    crn_joint_mix(model, joint, ANGLE, -joint->number[0]);
    return crn_joint_check_turns(model, joint);
}

static const crn_joint_number NUMBERS[] = {{.name = "radius", .required = true, .not_zero = true}};

const crn_joint_class crn_rack_joint = {
    .name = "rack",
    .equations = {1, 1},
    .equation = {{{.kind = CRN_ALONG, .k = 1}}, {{.kind = CRN_ALONG, .k = 1}}},
    .coordinate =
        {{[ANGLE] = {.name = "angle", .kind = CRN_TURN}, [POSITION] = {.name = "position", .kind = CRN_SLIDE, .k = 1}},
         {[ANGLE] = {.name = "angle", .kind = CRN_TURN}, [POSITION] = {.name = "position", .kind = CRN_SLIDE, .k = 1}}},
    .mixed = 0,
    .numbers = NUMBERS,
    .number_count = 1,
    .fields = CRN_JOINT_AXIS | CRN_JOINT_SECOND_AXIS | CRN_JOINT_AXIS_PLANE,
    .prepare = prepare,
};
