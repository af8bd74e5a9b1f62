/* Heaps of spheres from a thousand contacts to a hundred thousand, as problem files. */
#ifndef BENCH_HEAPS_H
#define BENCH_HEAPS_H

#include <cairn/cairn.h>

/* A heap is a pyramid whose height grows with its width; a mound has eight layers however wide it is, and so has a bed, between walls. */
typedef enum heap_shape
{
    HEAP_PYRAMID = 0,
    HEAP_MOUND,
    HEAP_BED,
    HEAP_SHAPES
} heap_shape;

enum
{
    HEAP_MOMENTS = 3
};

/* The world of a heap of about that many contacts; NULL: no memory. Released by cairn_model_destroy. */
cairn_model *heaps_model(cairn_context *context, heap_shape shape, int contacts);

/* The problem of a heap of about that many contacts at one of its moments, loaded from the directory; made and kept there when it
 * is not. NULL after a message on standard error. Released by cairn_problem_destroy. */
cairn_problem *heaps_get(cairn_context *context, const char *directory, heap_shape shape, int contacts, int moment);

#endif
