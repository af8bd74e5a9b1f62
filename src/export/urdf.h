/* Parts of the URDF writer. */
#ifndef CRN_EXPORT_URDF_H
#define CRN_EXPORT_URDF_H

#include "export/robot_writer.h"

/* The link of a body: inertia and collision geometry. */
void crn_urdf_put_link(crn_writer *writer, int body);
void crn_urdf_put_origin(crn_writer *writer, const crn_link_frame *frame);
/* The coupling by which a joint mimics another one; NULL: none. Of a coupling, the first joint mimics the second. */
const crn_joint *crn_urdf_mimic(const crn_writer *writer, int joint);
void crn_urdf_note_lost(crn_writer *writer);
/* The frame of a link in the world; -1: the world. */
crn_link_frame crn_urdf_frame(const crn_writer *writer, int body);

#endif
