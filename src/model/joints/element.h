/* What acts on the coordinates of joints: limits, friction, springs and drives. Each element is one more row of its joint.
 *
 *     equation    spring, drive      theta = q - target(t), rigid or with a stiffness and a damping in its place
 *                 rotor              its impulse is - inertia times what the rate changes by
 *     bounded     limit              theta = q - lower or upper - q, a gap
 *                 friction           the rate is 0, with a force of at most `most`
 *                 drive              as the equation, with a force of at most `most`
 *                 force              lo = hi = target(t)
 *
 * The rows of a joint are those of its class, the equations of its elements, then the bounded rows: of the class, which has
 * coordinates only if it has none of these, and of the elements.
 */
#ifndef CRN_MODEL_JOINTS_ELEMENT_H
#define CRN_MODEL_JOINTS_ELEMENT_H

#include "model/joints/joint_class.h"
#include "model/signal.h"

typedef enum crn_element_kind
{
    CRN_ELEMENT_SPRING,
    CRN_ELEMENT_ROTOR,
    CRN_ELEMENT_POSITION, /* drives */
    CRN_ELEMENT_SPEED,
    CRN_ELEMENT_FORCE,
    CRN_ELEMENT_LOWER,
    CRN_ELEMENT_UPPER,
    CRN_ELEMENT_FRICTION,
} crn_element_kind;

/* What an element is to users, who ask for the force and the work of the drive, whatever rows it has. */
typedef enum crn_role
{
    CRN_ROLE_DRIVE,
    CRN_ROLE_SPRING,
    CRN_ROLE_FRICTION,
    CRN_ROLE_LIMIT,
    CRN_ROLES,
    CRN_ROLE_ROTOR = CRN_ROLES /* its work is the loss of its kinetic energy, and is not listed */
} crn_role;

typedef struct crn_element
{
    crn_element_kind kind;
    int coordinate;
    bool bounded;
    double k, c;        /* stiffness and damping; 0, 0: rigid */
    double inertia;     /* kg or kg m^2: of a rotor */
    double most, power; /* N or N m, W; power 0: no limit */
    double bound;       /* of a limit */
    double restitution;
    double mu, radius, thrust, span; /* of friction that grows with the load (bearing.c); mu 0: it does not */
    crn_signal target;
    bool replaced; /* by cairn_model_set_target; the one given first is kept: */
    crn_signal first;
} crn_element;

/* The element that row `row` of a joint is; NULL: the row is one of its class. */
const crn_element *crn_joint_element(const crn_joint *joint, int row);
/* Whether a row is a drive, whose force is that of a machine: it stores nothing, whatever its gains. */
bool crn_joint_drives(const crn_joint *joint, int row);
/* Whether an element acts on an angle. */
bool crn_element_turns(const crn_joint *joint, int dimension, const crn_element *element);
crn_role crn_element_role(const crn_element *element);
/* What a row is called: "lower limit", "drive". */
const char *crn_joint_element_name(const crn_element *element);
/* Whether only the rate of row `row` counts, as that of a speed drive. */
bool crn_joint_holds_rate(const crn_joint *joint, int row);
/* kg or kg m^2: the inertia of the rotor that row `row` is, and its coordinate; 0: it is none. */
double crn_joint_rotor(const crn_joint *joint, int row, int *coordinate);
/* Free them, and what else a joint owns but its name. */
void crn_joint_release_elements(crn_joint *joint);
/* N or N m: what an element's friction gains by the load of the joint, or its impulse, from what the impulses of the joint's own rows
 * do. In bearing.c. */
double crn_bearing_friction(const crn_joint *joint, int dimension, const crn_joint_place *place,
                            const crn_element *element, const crn_joint_action *load);

/* Check the value and the rate that a coordinate begins with against its range and its `count` elements, and keep them, in
 * start.c. */
cairn_status crn_check_start(const cairn_model *model, const crn_joint *joint, const char *name,
                             const cairn_coordinate_options *options, const crn_element *list, int count);
void crn_set_start(crn_joint *joint, int coordinate, const cairn_coordinate_options *options);

/* The time of an evaluation: rates of targets are means from t to t + h, if h is 0 derivatives on a side of t, and 0 if that is 0. */
typedef struct crn_element_time
{
    double t, h;
    int side;
    const struct crn_element_known *known; /* per element: where targets name quantities; NULL: none does */
} crn_element_time;

/* The target of an element that names quantities, at a state. */
typedef struct crn_element_known
{
    bool is_known;
    double value, later; /* at the state, and h later; of a force drive with the same quantities */
    double rate;         /* its rate of change, as asked for */
    double k, c;         /* how fast a force falls with its own coordinate and that coordinate's rate; not negative */
} crn_element_known;

/* Fill in the rows of the elements, and add what their impulses do. */
void crn_elements_evaluate(const crn_joint *joint, int dimension, const crn_joint_place *place, crn_element_time time,
                           crn_joint_rows *rows);
/* The same for a coupling with the value q, the equation that holds it included; the sides of the rows are set. */
void crn_elements_evaluate_coupling(const crn_joint *joint, double q, crn_element_time time, crn_joint_rows *rows);
/* The sum of all impulses of a coupling along its value; *motor: the part that may add energy. */
double crn_elements_sum(const crn_joint *joint, const double *c, double *motor);
void crn_elements_act(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                      crn_joint_action *action);

#endif
