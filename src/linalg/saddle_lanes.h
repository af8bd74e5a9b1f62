/* The vectors of the kernels of the saddle matrix. */
#ifndef CRN_LINALG_SADDLE_LANES_H
#define CRN_LINALG_SADDLE_LANES_H

#include "math/lanes.h"

#endif
