/* Data and functions of a glance at a piece: glance.c, glance_contacts.c and glance_groups.c. */
#ifndef CRN_AUDIT_GLANCE_H
#define CRN_AUDIT_GLANCE_H

#include "audit/audit_internal.h"

static const double CRN_SURE = 0.9999; /* of an allowance: the rest is room for rounding */

enum
{
    CRN_GLANCE_PARTS = 16 /* at most: each has impulses of its own on all bodies */
};

/* What is found in one range of bodies, or of contacts. */
typedef struct crn_glance_part
{
    double work[2], size; /* J: normal, friction, and the sum of their magnitudes, at most */
    bool lively;          /* some contact gives more energy than its own share of the allowance */
    bool good;            /* its bodies are right */
    int doubt_count;      /* contacts that are not clearly right by themselves */
} crn_glance_part;

typedef struct crn_glance
{
    crn_audit *audit;
    const crn_piece *piece;
    const crn_acted *acted;
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

/* glance_contacts.c: look at the contacts of a part of all. Those that are in doubt are listed. */
void crn_glance_contacts(crn_glance *glance, int part);
void crn_glance_measure(const crn_glance *glance, int contact, crn_glance_contact *out);
/* Whether a contact pushes, rubs within its cone and against its slip, and leaves as it may. */
bool crn_glance_acts_well(const crn_glance *glance, int contact, const crn_glance_contact *m, double slack);

/* glance_groups.c: judge the energy of groups, and the contacts in doubt by the speeds of their groups. */
cairn_status crn_glance_groups(const crn_glance *glance, bool *right);

#endif
