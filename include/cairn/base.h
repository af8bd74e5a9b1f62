/* Status codes, messages and the context that carries them.
 *
 * Nothing in Cairn is global. A cairn_context collects the messages of the objects made with it; use one
 * context a thread, and two worlds step in two threads. Every call that can fail returns a cairn_status and
 * leaves a message in the context that names the thing at fault.
 */
#ifndef CAIRN_BASE_H
#define CAIRN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* C linkage for C++ programs. */
#ifdef __cplusplus
#define CAIRN_BEGIN_DECLS                                                                                              \
    extern "C"                                                                                                         \
    {
#define CAIRN_END_DECLS }
#else
#define CAIRN_BEGIN_DECLS
#define CAIRN_END_DECLS
#endif

CAIRN_BEGIN_DECLS

#if defined(__GNUC__)
#define CAIRN_API __attribute__((visibility("default")))
#else
#define CAIRN_API
#endif

#define CAIRN_VERSION "0.1.0"

/* What a call came to. "The solver missed its tolerance" is an outcome in a report, not an error. */
typedef enum cairn_status
{
    CAIRN_OK = 0,
    CAIRN_INVALID,     /* the input is wrong; the messages say where */
    CAIRN_NO_MEMORY,   /* memory ran out */
    CAIRN_IO,          /* a file cannot be read or written */
    CAIRN_NUMERIC,     /* numbers went bad: overflow, NaN, a matrix that is not positive definite */
    CAIRN_UNSOLVED,    /* no solver found a solution of the step */
    CAIRN_UNSUPPORTED, /* a combination that has no meaning, or that this version lacks */
} cairn_status;

/* One plain sentence for a status. Never NULL. */
CAIRN_API const char *cairn_status_text(cairn_status status);

/* The version of the library, e.g. "0.1.0". */
CAIRN_API const char *cairn_version(void);

/* One message. File is NULL and line 0 when the fault did not come from a file. */
typedef struct cairn_message
{
    const char *file;
    int line;   /* from 1; 0: none */
    int column; /* from 1; 0: none */
    const char *text;
} cairn_message;

typedef struct cairn_context cairn_context;

/* Pointers: a function that returns a cairn_status answers a NULL it cannot do without by CAIRN_INVALID. What destroys or
 * closes takes NULL and does nothing. All others, which only look, need the object itself.
 * Life: an object may be destroyed before or after those it was made from (context, model, scene, simulation), but between
 * the two nothing but its own destruction is allowed. */

/* NULL only when memory ran out. */
CAIRN_API cairn_context *cairn_context_create(void);
CAIRN_API void cairn_context_destroy(cairn_context *context);

/* Messages left since the last clear, oldest first. Texts live until the next clear. */
CAIRN_API int cairn_context_message_count(const cairn_context *context);
CAIRN_API cairn_message cairn_context_message(const cairn_context *context, int index);

/* The text of the last message, or "" when there is none. */
CAIRN_API const char *cairn_context_last_message(const cairn_context *context);
CAIRN_API void cairn_context_clear(cairn_context *context);

/* "Did you mean": a running search for the name that an unknown word stands for. Set `word`, all else zero, and offer
 * every name. The hint is then "; did you mean 'NAME'?" with the name that other programs call by this word, or else the
 * one nearest in spelling; it is "" when none is near. */
typedef struct cairn_suggestion
{
    const char *word;
    char hint[96];
    int distance; /* of the name in the hint */
} cairn_suggestion;

CAIRN_API void cairn_suggestion_offer(cairn_suggestion *suggestion, const char *name);

CAIRN_END_DECLS

#endif
