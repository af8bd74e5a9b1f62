/* Parts of the MJCF writer. */
#ifndef CRN_EXPORT_MJCF_H
#define CRN_EXPORT_MJCF_H

#include "export/robot_writer.h"

/* Sections appear with their first element; crn_section_end closes one that has begun. */
typedef struct crn_mjcf_section
{
    const char *name;
    bool begun;
} crn_mjcf_section;

void crn_section_begin(crn_writer *writer, crn_mjcf_section *section);
void crn_section_end(crn_writer *writer, const crn_mjcf_section *section);

/* Geometry. */
void crn_mjcf_put_assets(crn_writer *writer);
void crn_mjcf_put_geoms(crn_writer *writer, int body);
void crn_mjcf_note_frictions(crn_writer *writer);

/* The joints that carry a body, whose state is added to that of the start. */
void crn_mjcf_put_joints(crn_writer *writer, int body);
/* The name of the joint that a coordinate of a carrying joint becomes. */
void crn_mjcf_name(const crn_writer *writer, int joint, int coordinate, char name[CRN_WRITER_NAME]);
/* Attributes `range`, `damping`, `frictionloss` and `armature` of a joint or a tendon. */
void crn_mjcf_put_acting(crn_writer *writer, const crn_joint *joint, const crn_acting *acting);

/* What holds and acts between bodies: sites of a body (-1: of the world), and the sections after the bodies. */
void crn_mjcf_put_sites(crn_writer *writer, int body);
void crn_mjcf_put_equalities(crn_writer *writer);
void crn_mjcf_put_tendons(crn_writer *writer);
void crn_mjcf_put_actuators(crn_writer *writer);
void crn_mjcf_put_excluded(crn_writer *writer);
/* Whether all terms of a coupling are coordinates of hinges and slides of the file. */
bool crn_mjcf_is_sum(const crn_writer *writer, const crn_coupling *coupling);
/* Whether a joint is written as a tendon through points: rope, distance, pulley. */
bool crn_mjcf_is_path(const crn_joint *joint);
/* These tendons, with those of linear springs, and the length of one at the start. */
void crn_mjcf_put_paths(crn_writer *writer, crn_mjcf_section *section);
double crn_mjcf_path_length(const crn_writer *writer, const crn_joint *joint);

#endif
