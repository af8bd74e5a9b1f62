/* What of a model the viewer draws: gravity, shapes, joints, springs, materials, as parts of its header. */
#ifndef CLI_VIEW_WORLD_H
#define CLI_VIEW_WORLD_H

#include "json.h"

#include <cairn/cairn.h>

enum
{
    CRN_VIEW_FORMAT = 1 /* of header and frames */
};

/* Indices of bodies in the frames, by their indices in the model; NULL: the same. */
typedef struct crn_view_map
{
    const int *frame_body;
} crn_view_map;

void crn_view_put_world(crn_json *json, const cairn_model *model, crn_view_map map);
/* A body; model NULL or body null: nothing is known but its name. */
void crn_view_put_body(crn_json *json, const cairn_model *model, cairn_body body, const char *name);

#endif
