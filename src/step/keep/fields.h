/* The fields of the plain structs that a state is made of, read or written by a stream. */
#ifndef CRN_STEP_KEEP_FIELDS_H
#define CRN_STEP_KEEP_FIELDS_H

#include "step/keep/stream.h"
#include "step/simulation.h"

enum
{
    CRN_LEAST_CONTACT = 25 * 8, /* least number of bytes that an item takes in a stream */
    CRN_LEAST_ITEM = 8
};

void crn_stream_body(crn_stream *stream, const cairn_model *model, cairn_body *body);
void crn_stream_contact(crn_stream *stream, const cairn_model *model, crn_contact *contact);
void crn_stream_public_contact(crn_stream *stream, const cairn_model *model, cairn_contact *contact);
void crn_stream_touch(crn_stream *stream, const cairn_model *model, cairn_touch *touch);
void crn_stream_mode(crn_stream *stream, crn_contact_mode *mode);
void crn_stream_event(crn_stream *stream, const cairn_model *model, cairn_event *event);
void crn_stream_violation(crn_stream *stream, const cairn_model *model, cairn_violation *violation);
void crn_stream_energy(crn_stream *stream, cairn_energy *energy);
/* The name of the solver's method is stored in `method`, and the report's pointer is set to it. */
void crn_stream_report(crn_stream *stream, cairn_step_report *report, char method[CRN_METHOD_NAME]);
void crn_stream_side(crn_stream *stream, const cairn_model *model, crn_side *side);
void crn_stream_warm(crn_stream *stream, int dimension, crn_warm *warm);
void crn_stream_patches(crn_stream *stream, crn_patches *patches);

#endif
