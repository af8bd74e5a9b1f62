/* Heaps of spheres from a thousand contacts to a hundred thousand, as problem files. */
#ifndef BENCH_HEAPS_H
#define BENCH_HEAPS_H

#include <cairn/cairn.h>

/* A heap is a pyramid whose height grows with its width; a mound has eight layers however wide it is. */
typedef enum heap_shape
{
    HEAP_PYRAMID = 0,
    HEAP_MOUND,
    HEAP_SHAPES
} heap_shape;

enum
{
    HEAP_MOMENTS = 3
};

/* The problem of a heap of about that many contacts at one of its moments, loaded from the directory; made and kept there when it
 * is not. NULL after a message on standard error. Released by cairn_problem_destroy. */
cairn_problem *heaps_get(cairn_context *context, const char *directory, heap_shape shape, int contacts, int moment);

#endif
