/* Statistics of many bodies: one function per quantity.
 *
 * A grain is a dynamic body. It belongs to a region if its centre of mass lies there, and a contact does if its point lies there. The
 * neighbours of a grain are the other grains, and the shapes of all other bodies, that touch it. What a mean over nothing would be is
 * NAN. Definitions and sources: docs/statistics.md.
 */
#ifndef CRN_STATISTICS_STATISTICS_H
#define CRN_STATISTICS_STATISTICS_H

#include "step/simulation.h"

/* Fill as many numbers as the quantity has. CAIRN_NO_MEMORY; with a device also CAIRN_UNSUPPORTED, or CAIRN_IO where ranks could not answer. */
typedef cairn_status crn_measure(const cairn_simulation *s, const crn_statistic *of, double *out);

/* grains.c */
crn_measure crn_stat_bodies, crn_stat_mass, crn_stat_velocity, crn_stat_temperature, crn_stat_kinetic_stress;
crn_measure crn_stat_mean_speed, crn_stat_largest_speed, crn_stat_speed_histogram;
crn_measure crn_stat_translation, crn_stat_rotation;
/* neighbours.c */
crn_measure crn_stat_coordination, crn_stat_touching, crn_stat_backbone, crn_stat_rattlers;
/* loads.c */
crn_measure crn_stat_contacts, crn_stat_fabric, crn_stat_virial, crn_stat_stress, crn_stat_pressure;
crn_measure crn_stat_mean_force, crn_stat_largest_force, crn_stat_force_histogram;
/* solid.c */
crn_measure crn_stat_fraction, crn_stat_fraction_error;
/* surface.c */
crn_measure crn_stat_repose, crn_stat_slope;
/* flow.c */
crn_measure crn_stat_flow, crn_stat_passed, crn_stat_passed_bodies;

/* The statistic of everything. */
crn_statistic crn_statistic_of_all(const cairn_model *model);

#endif
