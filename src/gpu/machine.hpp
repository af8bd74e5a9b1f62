/* The two machines that the same kernels run on.
 *
 * A kernel is a functor: `void operator()(int i) const` does the i-th of n independent pieces of work. Work that needs barriers between its
 * parts is a functor over a crew: each(begin, end, f) divides a range among its members, sync() waits for all of them. Sorting,
 * prefix sums and reductions come from CUB on the device.
 */
#pragma once

#include "certificate.hpp"
#include "flow.hpp"

#ifdef __CUDACC__
#include "machine_cuda.hpp"
#else
#include "machine_twin.hpp"
#endif
