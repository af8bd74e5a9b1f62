/* libcairn: nonsmooth rigid multibody dynamics. This header brings in the whole public interface; each part stands alone
 * and is meant to be read:
 *
 *     base.h        status codes, messages, the context
 *     model.h       bodies, shapes, materials, joints, springs, forces, a user's own systems
 *     population.h  many bodies of one kind, packed into regions
 *     problem.h     the one-step problem: plain data
 *     solver.h      solvers and the certificate
 *     audit.h       the certificate of the physics
 *     settings.h    integrators, stabilisations and all other settings, with their table
 *     simulation.h  stepping, states, events, energies
 *     assembly.h    mechanisms put together, degrees of freedom
 *     state.h       saved states, clones
 *     hooks.h       contact filter, pre-solve hook, touches, user data
 *     query.h       distances, rays, regions, closest points
 *     scene.h       scene files
 *     save.h        models as scene files
 *     import.h      robots from URDF and MJCF files
 *     export.h      models as URDF and MJCF files
 *     run.h         run files
 *     statistics.h  many bodies together: regions, planes of flow
 *     checkpoint.h  runs that continue after their process ended
 *     ranks.h       processes that share a simulation
 *     quantity.h    any number of a simulation by its name, sensors
 */
#ifndef CAIRN_CAIRN_H
#define CAIRN_CAIRN_H

#include "cairn/assembly.h"
#include "cairn/audit.h"
#include "cairn/base.h"
#include "cairn/checkpoint.h"
#include "cairn/export.h"
#include "cairn/hooks.h"
#include "cairn/import.h"
#include "cairn/model.h"
#include "cairn/population.h"
#include "cairn/problem.h"
#include "cairn/quantity.h"
#include "cairn/query.h"
#include "cairn/ranks.h"
#include "cairn/run.h"
#include "cairn/save.h"
#include "cairn/scene.h"
#include "cairn/settings.h"
#include "cairn/simulation.h"
#include "cairn/solver.h"
#include "cairn/state.h"
#include "cairn/statistics.h"

#endif
