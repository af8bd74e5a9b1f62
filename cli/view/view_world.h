/* The parts of a model that the viewer draws: gravity, shapes, joints, springs, materials, as parts of its header. */
#ifndef CLI_VIEW_VIEW_WORLD_H
#define CLI_VIEW_VIEW_WORLD_H

#include "cli/common/json.h"
#include "cli/mechanism/mechanism.h"

#include <cairn/cairn.h>

enum
{
    CLI_VIEW_FORMAT = 1 /* of header and frames */
};

/* Indices of bodies in the frames, by their indices in the model; NULL: the same. */
typedef struct cli_view_map
{
    const int *frame_body;
} cli_view_map;

/* The index in the frames of a body; -1: the world, or not in the run. */
int cli_view_frame_body(cli_view_map map, cairn_body body);

void cli_view_put_world(cli_json *json, const cairn_model *model, const cli_mechanism *mechanism, cli_view_map map);
/* Name, kind and ends of a joint or a spring, within an object. */
void cli_view_put_link(cli_json *json, const char *name, const char *kind, const cairn_attachment ends[2],
                       cli_view_map map);
/* Name, name in words and unit of a series, within an object. */
void cli_view_put_series_names(cli_json *json, const char *name, const char *unit);
/* A body; model NULL or body null: nothing is known but its name. */
void cli_view_put_body(cli_json *json, const cairn_model *model, cairn_body body, const char *name);

#endif
