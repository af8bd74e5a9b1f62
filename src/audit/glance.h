/* Data and functions of a glance at a piece: glance.c, glance_contacts.c, glance_joints.c and glance_groups.c. */
#ifndef CRN_AUDIT_GLANCE_H
#define CRN_AUDIT_GLANCE_H

#include "audit/audit_internal.h"
#include "audit/share.h"

static const double CRN_SURE = 0.9999; /* of an allowance: the rest is room for rounding */

/* What is found in one range of bodies, or of contacts. */
typedef struct crn_glance_part
{
    double work[3], size; /* J: normal, friction, joints, and the sum of their magnitudes, at most */
    bool lively;          /* some contact or joint gives more energy than its own share of the allowance */
    bool good;            /* its bodies are right */
    int doubt_count;      /* contacts and joints that are not clearly right by themselves */
} crn_glance_part;

typedef struct crn_glance
{
    crn_audit *audit;
    const crn_piece *piece;
    const crn_acted *acted;
    const uint8_t *border;    /* per body: a crn_border; NULL: nobody shares the piece. Without joints */
    double jump;              /* m/s: the slack of velocities without their speed */
    double slack, slack_rate; /* m/s: the slack of contacts at a speed is slack + slack_rate * speed */
    double drift_rate;        /* 1/s */
    int parts;
    crn_glance_part part[CRN_GLANCE_PARTS];
} crn_glance;

/* A contact's impulse and velocities. */
typedef struct crn_glance_contact
{
    double r_n, r_t;  /* N s */
    double normal[2]; /* m/s: before, after */
    double slip[2];   /* J: tangential impulse . velocity */
    double slide;     /* m/s: |u_t| after, where the law lifts what slides */
    double easy;      /* kg^-1 */
    double speed;     /* m/s: of both bodies' points, at most; and the push out of its overlap */
    double pushed;    /* m/s */
    double gain;      /* J: what it gives, less what pushing out its overlap explains */
} crn_glance_contact;

/* crn_audit_glance in parts, for those who share a piece: room; looking at contacts, after which audit->pushed[body] has what they give a body, and copies
 * may tell the bodies themselves; and judging how bodies move, and doubts. If *right is false after the second, it is not to be judged. */
cairn_status crn_glance_open(crn_glance *glance, crn_audit *audit, const crn_piece *piece, const crn_acted *acted);
cairn_status crn_glance_look(crn_glance *glance, bool *right);
cairn_status crn_glance_judge(crn_glance *glance, bool *right);

/* Change of a body's velocities by gravity and outer forces alone, in glance.c. */
void crn_glance_free(const crn_glance *glance, int body, double dv[3], double dw[3]);

/* glance_contacts.c: look at the contacts of a part of all. Those that are in doubt are counted. */
void crn_glance_contacts(crn_glance *glance, int part);
void crn_glance_measure(const crn_glance *glance, int contact, crn_glance_contact *out);
/* J: what it gives, as `gain`, if it acts after gravity and outer forces. */
double crn_glance_last(const crn_glance *glance, int contact, const crn_glance_contact *m);
/* Whether a contact pushes, rubs within its cone and against its slip, and leaves as it may. */
bool crn_glance_acts_well(const crn_glance *glance, int contact, const crn_glance_contact *m, double slack);

/* A joint's impulse and velocities. */
typedef struct crn_glance_joint
{
    double work, work_size; /* J: of its impulse, and at most the sum of magnitudes that this is made of */
    double gain;            /* J: what it gives, less what motors and the correction of drift explain */
    double last;            /* J: the same if it acts after gravity and outer forces */
    double load;            /* N s: size of its impulse */
    double speed;           /* m/s: of its points, at most */
    double easy;            /* kg^-1 */
    double limit, leaves;   /* N s, m/s: impulse of its limit, and how fast it leaves that */
    bool ends;              /* an end of a range acts: the whole audit judges it */
} crn_glance_joint;

/* glance_joints.c: look at all joints. */
cairn_status crn_glance_joints(crn_glance *glance);
void crn_glance_measure_joint(const crn_glance *glance, int joint, crn_glance_joint *out); /* with `last` */
/* Whether its limit pulls nobody beyond it, and acts only where it is reached. */
bool crn_glance_holds_well(const crn_glance_joint *m, double slack);

/* glance_hinges.c: measure four plain hinges, from `first` on, and add their impulses, but for those of the first `done`, to those of the bodies. */
void crn_glance_hinges(const crn_glance *glance, int first, int done, crn_glance_joint m[4]);

/* glance_groups.c: judge the energy of groups, and contacts and joints by the speeds of their groups. */
cairn_status crn_glance_groups(const crn_glance *glance, bool *right);

#endif
