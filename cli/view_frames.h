/* A frame as the viewer reads it: bodies and contacts at one time, in bytes (docs/view-server.md has the layout). */
#ifndef CLI_VIEW_FRAMES_H
#define CLI_VIEW_FRAMES_H

#include "view_bytes.h"

#include <cairn/cairn.h>

enum
{
    CRN_FRAME_MAGIC = 0x4d465243, /* "CRFM" */
    CRN_FRAME_HEAD_BYTES = 32,
    CRN_FRAME_BODY_BYTES = 40,
    CRN_FRAME_CONTACT_BYTES = 64,
};

typedef enum crn_contact_state
{
    CRN_CONTACT_UNKNOWN = 0,
    CRN_CONTACT_STICK,
    CRN_CONTACT_SLIP,
    CRN_CONTACT_APART, /* no force */
} crn_contact_state;

typedef struct crn_view_frame
{
    uint32_t index;
    int dimension;
    double time;    /* s */
    double h;       /* s: the step that led here; NAN: none */
    double gravity; /* m/s^2, size */
    const cairn_body_state *bodies;
    int body_count;
    const cairn_contact *contacts;
    int contact_count;
} crn_view_frame;

void crn_view_put_frame(crn_bytes *bytes, const crn_view_frame *frame);

/* What is large in a frame, to tell zero from rounding: velocities (m/s) and impulses (N s). */
typedef struct crn_view_scale
{
    double velocity, impulse;
} crn_view_scale;

crn_view_scale crn_view_scale_of(const crn_view_frame *frame);
crn_contact_state crn_view_contact_state(const cairn_contact *contact, const crn_view_scale *scale);
double crn_view_contact_residual(const cairn_contact *contact, const crn_view_scale *scale);

#endif
