/* Scenes of the benchmark, made with the public interface. */
#ifndef BENCH_BOXES_H
#define BENCH_BOXES_H

#include <cairn/cairn.h>

/* Unit cubes of 1000 kg/m^3 on a half-space, `count` of them in towers of `height`, 2 m apart on a square grid. Each cube
 * stands on four contacts, so there are 4 * count. */
cairn_model *bench_towers(cairn_context *context, int count, int height);

#endif
