/* Mechanisms as pictures: what is drawn of joints, of what acts on their coordinates, and of bodies without shapes.
 *
 * A symbol is a small solid or a line in the frame of a body, or a tie between points of two bodies. All pictures (SVG, PNG, movies, the
 * page of `cairn view`) draw the same symbols: a hinge is a pin along its axis, a slider a rail on a with a sleeve on b, and so on
 * (docs/view.md lists them). A body without shape becomes links: bars through its joints, a plate where there are three or more.
 * Everything but the ties is rigid, so symbols are made once per scene, and follow the bodies.
 *
 * Sizes are multiples of `unit`: u = min(0.012 size of the mechanism, 0.1 of the shorter links).
 */
#ifndef CLI_MECHANISM_MECHANISM_H
#define CLI_MECHANISM_MECHANISM_H

#include "cli/common/cli.h"

#include <cairn/cairn.h>

typedef enum cli_symbol_kind
{
    CLI_SYMBOL_BALL = 0, /* at `from`, of `radius`; in the plane a ring */
    CLI_SYMBOL_ROD,      /* from `from` to `to`, of `radius` */
    CLI_SYMBOL_BLOCK,    /* at `from`; half of its sides are `to`, `side`, and one of length `radius` across both */
    CLI_SYMBOL_LINE,     /* through points */
    CLI_SYMBOL_TIE,      /* from `from` of `body` to `to` of `other`, in the frames of these */
    CLI_SYMBOL_KINDS,
} cli_symbol_kind;

typedef enum cli_symbol_role
{
    CLI_ROLE_JOINT = 0, /* what holds */
    CLI_ROLE_RAIL,      /* what guides: rails, slots, planes, pitch circles */
    CLI_ROLE_GROUND,    /* supports in the world */
    CLI_ROLE_ROD,       /* ties: a rigid rod, */
    CLI_ROLE_ROPE,      /* a rope that is slack below its length, */
    CLI_ROLE_SPRING,    /* a coil */
    CLI_ROLE_DRIVE,
    CLI_ROLE_LIMIT,
    CLI_ROLE_NEEDLE, /* where a coordinate with limits is */
    CLI_ROLES,
} cli_symbol_role;

typedef struct cli_symbol
{
    cli_symbol_kind kind;
    cli_symbol_role role;
    int joint;              /* index in the model; -1: none, of springs */
    cairn_body body, other; /* null: the world */
    double from[3], to[3], side[3];
    double radius;
    double length;    /* m, of a rope */
    int first, count; /* points of a line */
    bool closed;
} cli_symbol;

typedef struct cli_mechanism
{
    double unit, size; /* m */
    cli_symbol *symbols;
    int symbol_count, symbol_room;
    double (*points)[3]; /* of lines */
    int point_count, point_room;
    cairn_shape_info *links; /* of bodies without shapes, and bars to joints outside of shapes */
    int link_count, link_room;
    double **corners; /* of plates */
    int corner_count;
} cli_mechanism;

/* Of the joints and springs of a model. */
void cli_mechanism_open(cli_mechanism *mechanism, const cairn_model *model);
void cli_mechanism_close(cli_mechanism *mechanism);

extern const char *const cli_symbol_kind_name[CLI_SYMBOL_KINDS], *const cli_symbol_role_name[CLI_ROLES];

/* The shape of a tie between two points of the world: a straight line, a coil, or a rope, which sags where it is slack. `down` is where
 * it sags to. Returns the number of points, at most CLI_TIE_POINTS. */
enum
{
    CLI_TIE_POINTS = 40
};
int cli_tie_path(const cli_symbol *tie, double unit, const double from[3], const double to[3], const double down[3],
                 double (*out)[3]);

/* Where a joint is seen: its attachments or, of a coupling, the ends of its first strand. */
void cli_joint_ends(const cairn_model *model, cairn_joint joint, cairn_attachment end[2]);

/* The direction things fall in, unit; without gravity the negative last axis. */
void cli_mechanism_down(const cairn_model *model, double down[3]);

/* How a body stands at the start: its place, and what its axes are in the world (rows of R). */
typedef struct cli_start_pose
{
    double x[3], R[3][3];
} cli_start_pose;

cli_start_pose cli_pose_at_start(const cairn_model *model, cairn_body body);

#endif
