/* What a page asks of a live simulation: one small JSON object a message. */
#ifndef CLI_VIEW_COMMAND_H
#define CLI_VIEW_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum crn_view_ask
{
    CRN_ASK_PLAY = 0,
    CRN_ASK_PAUSE,
    CRN_ASK_STEP,
    CRN_ASK_RESET,
    CRN_ASK_SPEED,    /* value */
    CRN_ASK_GRAVITY,  /* vector */
    CRN_ASK_FRICTION, /* value */
    CRN_ASK_GRAB,     /* body, point, target */
    CRN_ASK_DRAG,     /* target */
    CRN_ASK_RELEASE,
    CRN_ASK_ACK, /* index */
} crn_view_ask;

typedef struct crn_view_command
{
    crn_view_ask ask;
    double value;
    double vector[3];
    int body;
    double point[3], target[3];
    int64_t index;
} crn_view_command;

/* False with one sentence in `error`: not such an object, an unknown or incomplete command, a number out of its range. */
bool crn_view_command_parse(const char *text, size_t length, crn_view_command *out, char *error, size_t size);

#endif
