/* Commands of a page to a live simulation: one small JSON object per message. */
#ifndef CLI_VIEW_VIEW_COMMAND_H
#define CLI_VIEW_VIEW_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cli_view_ask
{
    CLI_ASK_PLAY = 0,
    CLI_ASK_PAUSE,
    CLI_ASK_STEP,
    CLI_ASK_RESET,
    CLI_ASK_SPEED,    /* value */
    CLI_ASK_GRAVITY,  /* vector */
    CLI_ASK_FRICTION, /* value */
    CLI_ASK_GRAB,     /* body, point, target */
    CLI_ASK_DRAG,     /* target */
    CLI_ASK_RELEASE,
    CLI_ASK_ACK,   /* index */
    CLI_ASK_DRIVE, /* joint, coordinate, value; NAN: as in the scene */
    CLI_ASK_BALL,  /* value: radius, point, target: velocity */
    CLI_ASK_BOX,   /* value: side, point, target: velocity */
} cli_view_ask;

typedef struct cli_view_command
{
    cli_view_ask ask;
    double value;
    double vector[3];
    int body;
    int joint, coordinate;
    double point[3], target[3];
    int64_t index;
} cli_view_command;

/* False with one sentence in `error`: not such an object, an unknown or incomplete command, a number out of its range. */
bool cli_view_command_parse(const char *text, size_t length, cli_view_command *out, char *error, size_t size);

#endif
