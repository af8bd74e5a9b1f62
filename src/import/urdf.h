/* Inside the reader of URDF. */
#ifndef CRN_IMPORT_URDF_H
#define CRN_IMPORT_URDF_H

#include "import/robot.h"

/* The frame that the <origin> of an element gives; the identity without one. */
crn_link_frame crn_urdf_origin(crn_import *import, crn_xml *element);

/* Inertia and collision geometry of a link. */
void crn_urdf_read_link(crn_robot *robot, crn_link *link, crn_xml *element);

#endif
