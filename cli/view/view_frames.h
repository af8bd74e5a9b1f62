/* A frame as the viewer reads it: bodies and contacts at one time, in bytes (docs/view-server.md has the layout). */
#ifndef CLI_VIEW_VIEW_FRAMES_H
#define CLI_VIEW_VIEW_FRAMES_H

#include "cli/view/view_bytes.h"

#include <cairn/cairn.h>

enum
{
    CLI_FRAME_MAGIC = 0x4d465243, /* "CRFM" */
    CLI_FRAME_HEAD_BYTES = 32,
    CLI_FRAME_BODY_BYTES = 40,
    CLI_FRAME_CONTACT_BYTES = 64,
};

typedef enum cli_contact_state
{
    CLI_CONTACT_UNKNOWN = 0,
    CLI_CONTACT_STICK,
    CLI_CONTACT_SLIP,
    CLI_CONTACT_APART, /* no force */
} cli_contact_state;

typedef struct cli_view_frame
{
    uint32_t index;
    int dimension;
    double time;              /* s */
    double h;                 /* s: the step that led here; NAN: none */
    double gravity;           /* m/s^2, size */
    const cairn_model *model; /* whose periodic box bodies are shown in; NULL: none is known */
    const cairn_body_state *bodies;
    int body_count;
    const cairn_contact *contacts;
    int contact_count;
} cli_view_frame;

void cli_view_put_frame(cli_bytes *bytes, const cli_view_frame *frame);

/* Scales of a frame, to tell zero from rounding: velocities (m/s) and impulses (N s). */
typedef struct cli_view_scale
{
    double velocity, impulse;
} cli_view_scale;

cli_view_scale cli_view_scale_of(const cli_view_frame *frame);
cli_contact_state cli_view_contact_state(const cairn_contact *contact, const cli_view_scale *scale);
double cli_view_contact_residual(const cairn_contact *contact, const cli_view_scale *scale);

#endif
