/* Inside the context: how the library leaves messages. */
#ifndef CRN_BASE_CONTEXT_H
#define CRN_BASE_CONTEXT_H

#include "cairn/base.h"

#if defined(__GNUC__)
#define CRN_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CRN_PRINTF(text, first)
#endif

/* Leave a message and return `status`, so that a failing function ends with `return crn_fail(...)`. A NULL context
 * is allowed: the message is dropped. */
cairn_status crn_fail(cairn_context *context, cairn_status status, const char *format, ...) CRN_PRINTF(3, 4);

/* CAIRN_INVALID unless the struct_size of options is the one that cairn_KIND_default sets. */
cairn_status crn_check_size(cairn_context *context, const char *kind, size_t found, size_t expected);

/* crn_fail with a place in a file; `file` is copied. */
cairn_status crn_fail_at(cairn_context *context, cairn_status status, const char *file, int line, int column,
                         const char *format, ...) CRN_PRINTF(6, 7);

/* A number for a new model, which distinguishes its handles from those of other models; 0 without a context. */
uint16_t crn_context_next_model(cairn_context *context);

/* Classes that a program adds to built-in ones. They are not copied and must outlive the context. */
typedef enum crn_registry
{
    CRN_REGISTRY_JOINTS = 0,
    CRN_REGISTRY_RANKS, /* the first one counts */
    CRN_REGISTRIES
} crn_registry;
/* False when memory ran out or the context is NULL. */
bool crn_context_register(cairn_context *context, crn_registry registry, const void *added);
/* The i-th one added; NULL past the last. */
const void *crn_context_registered(const cairn_context *context, crn_registry registry, int i);

/* Drop all messages but the first `count`: those of attempts that failed on the way to a success. */
void crn_forget_messages(cairn_context *context, int count);

#endif
